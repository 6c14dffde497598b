//! A failing run as lines that a person reads: one per source line that did something, calls indented.
//!
//! What the library does inside is left out, and so are branches that only say that execution went straight on, and
//! values that nobody reads or that were there already, unless more detail is asked for.

use nearmiss_explain::explanation::ClaimReport;
use nearmiss_program::c::versions;
use nearmiss_program::program::{Asker, Author, ClaimKind, Function, FunctionId, Program, SiteKind, TypeId};
use nearmiss_program::run::{Gone, Run, RunStep, RunStepKind, Seen};
use nearmiss_program::source::{Sources, Span};

use super::layout::{one_line, short_names, shorten, statement, width};
use super::{Paint, Report, Side};
use crate::view::Detail;

/// So many lines are shown; of a longer trace the middle is left out.
const MOST_ROWS: usize = 60;
const FIRST_ROWS: usize = 15;
/// The column of what happened is at most this wide; longer text pushes the source aside.
const WIDEST: usize = 36;
/// Beside text wider than this there is no room for the source.
const TOO_WIDE: usize = 60;
/// So many things that happened in one line are told.
const MOST_PARTS: usize = 9;
/// Of an object that a claim names as a whole, so many parts are told, or none.
const MOST_OF_AN_OBJECT: usize = 8;
const LONGEST_SOURCE: usize = 72;

/// One line.
struct Row {
    /// File and line, as a person says it.
    place: (String, u32),
    depth: u32,
    function: FunctionId,
    /// What happened, in parts: `i = 3`, `-> taken`.
    parts: Vec<String>,
    /// How many of the parts are branches.
    branches: usize,
    source: String,
    /// Whether later steps of the same line may be added.
    open: bool,
    /// Whether the run repeats itself from here on.
    repeats: bool,
}

/// The lines of a run, each with its end of line.
pub fn render(run: &Run, report: &Report, detail: Detail, paint: Paint) -> String {
    let program = report.program;
    let rows = rows(run, report, detail);
    let base = rows.iter().map(|row| row.depth).min().unwrap_or(0);
    let short = short_names(rows.iter().map(|row| row.place.0.as_str()));
    let places: Vec<String> = rows.iter().map(|row| format!("{}:{}", short(&row.place.0), row.place.1)).collect();
    let lines: Vec<(usize, String)> = rows.iter().map(|row| (2 * (row.depth - base) as usize, what(row))).collect();
    let place_width = places.iter().map(|place| width(place)).max().unwrap_or(0);
    let with_source = |row: &Row| row.open && row.branches < row.parts.len() && width(&what(row)) <= TOO_WIDE;
    let what_width = (rows.iter().zip(&lines))
        .filter(|(row, _)| with_source(row))
        .map(|(_, (indent, what))| indent + width(what))
        .filter(|width| *width <= WIDEST)
        .max()
        .unwrap_or(0);
    let hidden = match detail {
        Detail::Trace => 0..0,
        _ if rows.len() <= MOST_ROWS + 10 => 0..0,
        _ => FIRST_ROWS..rows.len() - (MOST_ROWS - FIRST_ROWS),
    };
    let mut out = String::new();
    // Calls say where execution goes; the function is named where nothing else says it.
    let mut named = false;
    for (i, row) in rows.iter().enumerate() {
        if hidden.contains(&i) {
            if i == hidden.start {
                let note = format!("… {} lines left out; --trace prints them …", hidden.len());
                out += &format!("  {}\n", paint.faint(&note));
                named = false;
            }
            continue;
        }
        let (indent, what) = &lines[i];
        if !named {
            let name = format!("{}in {}", " ".repeat(*indent), program.function(row.function).name);
            out += &format!("  {}  {}\n", " ".repeat(place_width), paint.strong(&name));
            named = true;
        }
        if row.repeats {
            out += &format!("  {}  {}\n", " ".repeat(place_width), paint.strong("for ever:"));
        }
        let place = format!("{}{}", places[i], " ".repeat(place_width - width(&places[i])));
        let mut line = format!("  {}  {}{what}", paint.faint(&place), " ".repeat(*indent));
        if with_source(row) {
            line += &" ".repeat(what_width.saturating_sub(indent + width(what)));
            line += &format!("   {}", paint.faint(&row.source));
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

fn where_from(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::Unsaid => "C does not say, so any value",
        _ => "input",
    }
}

fn rows(run: &Run, report: &Report, detail: Detail) -> Vec<Row> {
    let (program, sources) = (report.program, report.sources);
    let mut rows: Vec<Row> = Vec::new();
    let steps = super::calls::told(run, program);
    let mut steps = steps.iter().map(|step| step.as_ref()).peekable();
    // The step from which on it repeats itself, until it has its row.
    let mut start = run.repeats_from().and_then(|start| run.steps.get(start));
    let mut seen = false;
    while let Some(step) = steps.next() {
        seen |= start.is_some_and(|start| std::ptr::eq(start, step));
        let author = program.function(step.function).author;
        let is_input = matches!(step.kind, RunStepKind::Input { .. });
        if let (Author::Harness, RunStepKind::Call { callee }) = (author, &step.kind) {
            // The parameters were shown as inputs.
            while steps.next_if(|next| is_parameter(next, step, *callee, program)).is_some() {}
        }
        if author == Author::Library || (author == Author::Harness && !is_input) {
            continue;
        }
        if step.idle && detail < Detail::Verbose {
            continue;
        }
        let part = match &step.kind {
            RunStepKind::Input { site, name, ty, value } => {
                let value = report.failing.value_of(name, step.span, *ty, *value);
                Part::Text(format!("{name} = {value} ({})", where_from(program.sites[site.index()].kind)))
            }
            RunStepKind::Assign { name, ty, value } => {
                Part::Text(format!("{name} = {}", report.failing.value_of(name, step.span, *ty, *value)))
            }
            RunStepKind::Branch { taken, of } => match of.asker {
                _ if super::calls::is_part(step) && detail < Detail::Verbose => continue,
                // Every turn of a loop shows by what the loop does.
                Asker::While | Asker::Do | Asker::For if detail < Detail::Verbose => continue,
                _ if !*taken && detail < Detail::Verbose => continue,
                Asker::Value => Part::Text(format!("{} is {taken}", shorten(&sources.condition(step.span), WIDEST))),
                _ if super::calls::is_part(step) => {
                    Part::Text(format!("{} is {taken}", shorten(&sources.condition(step.span), WIDEST)))
                }
                _ => Part::Branch(*taken),
            },
            RunStepKind::Call { callee } if program.function(*callee).author == Author::User => {
                let mut parameters = Vec::new();
                while let Some(next) = steps.next_if(|next| is_parameter(next, step, *callee, program)) {
                    if let RunStepKind::Assign { name, ty, value } = &next.kind {
                        parameters.push(format!("{name} = {}", report.failing.value_of(name, next.span, *ty, *value)));
                    }
                }
                Part::Call(format!("{}({})", program.function(*callee).name, parameters.join(", ")))
            }
            RunStepKind::Call { .. } if super::calls::is_library(step, program) => {
                Part::Call(shorten(&one_line(sources.text(step.span)), LONGEST_SOURCE))
            }
            RunStepKind::Call { .. } => continue,
            RunStepKind::Return { value: Some((ty, value)) } => {
                Part::Text(format!("returns {}", report.failing.value_for_people(*ty, *value)))
            }
            RunStepKind::Return { value: None } if detail == Detail::Trace => Part::Text("returns".to_owned()),
            RunStepKind::Return { value: None } => continue,
            RunStepKind::Claim { claim, held: true, .. } if detail == Detail::Trace => {
                Part::Text(format!("{} holds", program.claims[claim.index()].id))
            }
            RunStepKind::Claim { .. } => continue,
        };
        // What is made for the entry function belongs to it.
        let step = if author == Author::Harness {
            &RunStep { function: program.entry, depth: step.depth + 1, ..step.clone() }
        } else {
            step
        };
        if seen && start.take().is_some() {
            rows.last_mut().into_iter().for_each(|row| row.open = false);
            add(&mut rows, step, part, sources);
            rows.last_mut().into_iter().for_each(|row| row.repeats = true);
            continue;
        }
        add(&mut rows, step, part, sources);
    }
    rows
}

/// What a step adds to its line.
enum Part {
    Text(String),
    Branch(bool),
    Call(String),
}

fn add(rows: &mut Vec<Row>, step: &RunStep, part: Part, sources: &Sources) {
    let position = sources.position(step.span);
    let place = (position.file, position.line);
    let joins = rows
        .last()
        .is_some_and(|row| row.open && row.place == place && row.depth == step.depth && row.function == step.function);
    if !joins {
        let source = shorten(&statement(sources.line_text(step.span)), LONGEST_SOURCE);
        let (depth, function) = (step.depth, step.function);
        rows.push(Row { place, depth, function, parts: Vec::new(), branches: 0, source, open: true, repeats: false });
    }
    let Some(row) = rows.last_mut() else { return };
    match part {
        Part::Text(text) => row.parts.push(text),
        Part::Call(text) => {
            row.parts.push(text);
            row.open = false;
        }
        Part::Branch(taken) => {
            let condition = shorten(&sources.condition(step.span), WIDEST);
            row.parts.push(format!("{condition} -> {}", if taken { "taken" } else { "not taken" }));
            // The line alone says which condition it is.
            row.branches += usize::from(!sources.hides_condition(step.span));
        }
    }
}

/// The text of a row before the source.
fn what(row: &Row) -> String {
    if let ([only], 1) = (row.parts.as_slice(), row.branches) {
        let outcome = only.rsplit(" -> ").next().unwrap_or_default();
        return format!("{}  -> {outcome}", row.source);
    }
    if row.parts.len() <= MOST_PARTS {
        return row.parts.join(", ");
    }
    let (first, rest) = row.parts.split_at(MOST_PARTS - 3);
    let (left_out, last) = rest.split_at(rest.len() - 2);
    format!("{}, … {} more …, {}", first.join(", "), left_out.len(), last.join(", "))
}

fn is_parameter(next: &RunStep, call: &RunStep, callee: FunctionId, program: &Program) -> bool {
    let RunStepKind::Assign { name, .. } = &next.kind else { return false };
    let function = program.function(callee);
    let root = name.split(['.', '[']).next().unwrap_or(name);
    next.function == callee
        && next.depth > call.depth
        && function.locals.iter().take(function.parameters as usize).any(|local| local.name == root)
}

/// The variables of a claim's text with the values they had after the last of some steps, in order of the text.
pub fn values_in(claim: &ClaimReport, steps: &[RunStep], side: Side) -> Vec<(String, String)> {
    if versions::compares(&claim.id) {
        return super::versions::values(claim, steps, side);
    }
    let found = bits_in(claim, steps, side).into_iter();
    let shown = |(name, (place, ty, value)): (String, Set)| {
        let gone = match steps.last().and_then(|last| seen_by(last, &name)).and_then(|seen| seen.gone) {
            Some(Gone::Freed) => " (freed)",
            Some(Gone::Left) => " (its life has ended)",
            None => "",
        };
        let value = side.value_of(&name, place, ty, value);
        (name, value + gone)
    };
    found.map(shown).collect()
}

/// What a step that reaches a claim saw of a variable.
fn seen_by<'a>(step: &'a RunStep, name: &str) -> Option<&'a Seen> {
    match &step.kind {
        RunStepKind::Claim { seen, .. } => seen.0.iter().find(|seen| seen.name == name),
        _ => None,
    }
}

/// Where a variable was set, its type and its bits.
pub type Set = (Span, TypeId, u128);

/// The same, with types and bits.
///
/// `a[i]` is found as `a[3]` if `i` is known to be 3. What is written through pointers is what the claim's step saw; of what
/// it did not look at, only what was assigned by name is told. A formula is about all of the run, and what holds at its end says
/// nothing.
pub fn bits_in(claim: &ClaimReport, steps: &[RunStep], side: Side) -> Vec<(String, Set)> {
    // It speaks of no variable.
    if versions::compares(&claim.id) {
        return Vec::new();
    }
    let Some(last) = steps.last().filter(|_| claim.kind != ClaimKind::Temporal) else { return Vec::new() };
    let mut found: Vec<(String, Set)> = Vec::new();
    for expression in expressions(&claim.text) {
        let name = resolve(&expression, last, steps, side);
        let own: Vec<(String, Set)> = match value_at(&name, last, steps, side) {
            Some(value) => vec![(name, value)],
            None if is_passed(&claim.text, &name) => parts_of(last, &name),
            None => Vec::new(),
        };
        let is_new = |(name, _): &(String, Set)| found.iter().all(|(known, _)| known != name);
        let new: Vec<_> = own.into_iter().filter(is_new).collect();
        found.extend(new);
    }
    found
}

/// Does a text pass an object as a whole: `is_sorted(a, 3)`, `CHECK(&q)`?
fn is_passed(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (text[..at].trim_end(), text[at + name.len()..].trim_start());
        before.ends_with(['(', ',', '&']) && after.starts_with([')', ','])
    })
}

/// What a step that reaches a claim saw of the parts of an object that the claim names as a whole, if they are few.
fn parts_of(last: &RunStep, name: &str) -> Vec<(String, Set)> {
    let RunStepKind::Claim { seen, .. } = &last.kind else { return Vec::new() };
    let is_part = |seen: &&Seen| seen.name.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '[']));
    // Of a union nobody knows which member is meant.
    let parts: Vec<&Seen> = seen.0.iter().filter(is_part).filter(|seen| !seen.shared).collect();
    let told = parts.iter().map(|seen| (seen.name.clone(), (last.span, seen.ty, seen.value)));
    if parts.len() <= MOST_OF_AN_OBJECT { told.collect() } else { Vec::new() }
}

/// What a variable is at the last of some steps: as that step saw it, or else as it was set last.
fn value_at(name: &str, last: &RunStep, steps: &[RunStep], side: Side) -> Option<Set> {
    match seen_by(last, name) {
        Some(seen) => Some((last.span, seen.ty, seen.value)),
        None => last_value(name, last, steps, side),
    }
}

/// `p->x`, `a[i].y`, `n`: the longest paths of names in a text, and the names of their indices.
fn expressions(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at] == '"' || chars[at] == '\'' {
            let quote = chars[at];
            at += 1;
            while at < chars.len() && chars[at] != quote {
                at += 1 + usize::from(chars[at] == '\\');
            }
            at += 1;
            continue;
        }
        if !word(chars[at]) {
            at += 1;
            continue;
        }
        let start = at;
        let mut inner = Vec::new();
        loop {
            while at < chars.len() && word(chars[at]) {
                at += 1;
            }
            match chars.get(at) {
                Some('.') if chars.get(at + 1).is_some_and(|c| word(*c)) => at += 1,
                Some('-') if chars.get(at + 1) == Some(&'>') => at += 2,
                Some('[') => {
                    let Some(length) = chars[at..].iter().position(|c| *c == ']') else { break };
                    let index: String = chars[at + 1..at + length].iter().collect();
                    let Some((name, _)) = offset(&index) else { break };
                    inner.push(name.to_owned());
                    at += length + 1;
                }
                _ => break,
            }
        }
        if !chars[start].is_ascii_digit() && chars.get(at) != Some(&'(') {
            found.push(chars[start..at].iter().collect());
        }
        found.extend(inner.into_iter().filter(|index| !index.starts_with(|c: char| c.is_ascii_digit())));
    }
    found
}

/// What an index is made of, where that is a name or a number, and perhaps a number to add: `i`, `7`, `i + 1`.
fn offset(index: &str) -> Option<(&str, i128)> {
    let at = index.find(['+', '-']).unwrap_or(index.len());
    let (name, rest) = (index[..at].trim(), index[at..].replace(' ', ""));
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let by = if rest.is_empty() { Some(0) } else { rest.parse().ok() };
    by.filter(|_| is_word).map(|by| (name, by))
}

fn resolve(expression: &str, last: &RunStep, steps: &[RunStep], side: Side) -> String {
    let mut name = String::new();
    let mut rest = expression;
    while let Some((before, after)) = rest.split_once('[') {
        let (index, after) = after.split_once(']').unwrap_or((after, ""));
        let known = offset(index).and_then(|(name, by)| {
            let of = value_at(name, last, steps, side).map(|(_, ty, value)| side.value(ty, value));
            let of = of.unwrap_or_else(|| name.to_owned());
            if by == 0 { Some(of) } else { of.parse::<i128>().ok()?.checked_add(by).map(|at| at.to_string()) }
        });
        name += &format!("{before}[{}]", known.as_deref().unwrap_or(index));
        rest = after;
    }
    name + rest
}

/// Where a variable was set last, its type and its bits.
fn last_value(name: &str, last: &RunStep, steps: &[RunStep], side: Side) -> Option<Set> {
    let program = side.program;
    let root = name.split(['.', '[', '-']).next().unwrap_or(name);
    let has_local = |function: FunctionId| program.function(function).locals.iter().any(|local| local.name == root);
    let is_local = has_local(last.function);
    let is_global = program.globals.iter().any(|global| global.name == root);
    let mut inside = true;
    let is_unsaid = |step: &RunStep| match &step.kind {
        RunStepKind::Input { site, .. } => program.sites[site.index()].kind == SiteKind::Unsaid,
        _ => false,
    };
    // An element that was written outside of its array, perhaps, and then holds nothing.
    if name.contains('[') && steps.iter().any(is_unsaid) {
        return None;
    }
    for step in steps.iter().rev() {
        // Before the call that entered the claim's function, names of locals mean other variables.
        if let RunStepKind::Call { callee } = &step.kind
            && *callee == last.function
            && step.depth < last.depth
        {
            inside = false;
        }
        // A function of the library may have written to whatever a pointer can reach.
        let in_library = program.function(step.function).author == Author::Library;
        if in_library && step.function != last.function && is_within_reach(root, last, side) {
            return None;
        }
        let (RunStepKind::Assign { name: assigned, ty, value } | RunStepKind::Input { name: assigned, ty, value, .. }) =
            &step.kind
        else {
            continue;
        };
        // The start function makes the parameters of the entry function.
        let passed = step.function == program.start && last.function == program.entry && last.depth == 1;
        let same_variable = match is_local {
            true => passed || (inside && step.function == last.function),
            // A local of the same name hides the global one.
            false => !(is_global && has_local(step.function)),
        };
        if assigned == name && same_variable {
            return Some((step.span, *ty, *value));
        }
        // Written through a pointer: it may well be this very variable.
        let through_pointer = assigned.starts_with(['*', '(']) || assigned.contains("->");
        if through_pointer && may_be_pointed_at(name, root, *ty, last, side) {
            return None;
        }
    }
    None
}

/// Can any pointer reach the variable of a name?
fn is_within_reach(root: &str, last: &RunStep, side: Side) -> bool {
    let program = side.program;
    let named = |function: &Function| -> Option<bool> {
        let mut all = function.locals.iter().filter(|local| local.name == root).map(|local| local.address_taken);
        all.next().map(|first| first || all.any(|other| other))
    };
    let is_global = program.globals.iter().any(|global| global.name == root);
    // A claim of the library's speaks of the variables of whoever calls it.
    let of_callers = || program.functions.iter().filter_map(named).any(|reached| reached);
    named(program.function(last.function)).unwrap_or_else(|| is_global || of_callers())
}

/// Can a pointer to values of a type point at (a part of) the variable that a name stands for?
fn may_be_pointed_at(name: &str, root: &str, ty: TypeId, last: &RunStep, side: Side) -> bool {
    let program = side.program;
    let local = program.function(last.function).locals.iter().find(|local| local.name == root);
    match local {
        Some(local) if !local.address_taken => false,
        Some(local) if name == root => local.ty == ty,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_of_a_claim_are_found_in_its_text() {
        assert_eq!(expressions("low <= high"), ["low", "high"]);
        assert_eq!(expressions("a[i].x == p->next && f(n) > 0x1F"), ["a[i].x", "i", "p->next", "n"]);
        assert_eq!(expressions("strcmp(s, \"a b\") == 'c'"), ["s"]);
    }
}
