//! Two versions: what the new one does otherwise, and which of the changes is to blame.

use nearmiss_explain::explanation::{Change, Changes, ClaimReport, Fix, InputValue, Verified};
use nearmiss_explain::printed::{Both, Seen as SeenOutside};
use nearmiss_program::c::console::{STDIN, quoted};
use nearmiss_program::c::trial::Compare;
use nearmiss_program::c::versions::{compares, seen_name};
use nearmiss_program::program::{ClaimKind, Type};
use nearmiss_program::run::{RunStep, RunStepKind, Seen};
use serde_json::{Value, json};

use super::layout::{count, fill};
use super::tests::{Difference, difference};
use super::{Paint, Report, Side};

/// So many lines of a change are shown.
const MOST_LINES: usize = 20;

/// What a claim that compares versions saw in the last of some steps: what is compared, in the new version and in the old one.
fn seen(claim: &ClaimReport, steps: &[RunStep], side: Side) -> Option<(Option<String>, String, String)> {
    let RunStepKind::Claim { seen, .. } = &steps.last()?.kind else { return None };
    let of = |what: &str| seen.0.iter().find(|seen| seen.name == seen_name(what, claim.span.part));
    let shown = |seen: &Seen| side.value_for_people(seen.ty, seen.value);
    let (new, old) = (of("new")?, of("old")?);
    Some((of("at").map(shown), shown(new), shown(old)))
}

/// The values of both versions.
pub(crate) fn values(claim: &ClaimReport, steps: &[RunStep], side: Side) -> Vec<(String, String)> {
    let Some(file) = &side.program.reference else { return Vec::new() };
    match seen(claim, steps, side) {
        Some((_, new, old)) => vec![("here".to_owned(), new), (format!("in {file}"), old)],
        None => Vec::new(),
    }
}

/// What the failing run does otherwise than the reference; none if it violates no claim that compares.
pub(crate) fn violated(report: &Report) -> Option<String> {
    let (explanation, file) = (report.explanation, report.program.reference.as_ref()?);
    let claim = explanation.property.map(|at| &explanation.claims[at])?;
    if let Some(both) = &explanation.printed {
        return otherwise(claim, both, file);
    }
    compares(&claim.id).then_some(())?;
    let steps = &explanation.counterexample.as_ref()?.run.steps;
    let text = claim.text.as_str();
    let what = |words: &str| text.strip_suffix(&format!(" {words} {file}"));
    let values = seen(claim, steps, report.failing);
    let at = |what: &str, at: &Option<String>| match at {
        Some(at) => format!("{}[{at}]", what.trim_start_matches('*')),
        None => what.to_owned(),
    };
    Some(match (values, what("returns the same as in"), what("is left as in"), what("is the same as in")) {
        (Some((_, new, old)), Some(what), ..) => format!("{what} returns {new}, but {old} in {file}"),
        (Some((index, new, old)), _, Some(what), _) => {
            let behind = index.as_ref().and_then(|index| behind_the_end(what, index, report)).unwrap_or_default();
            format!("{} is left as {new}, but as {old} in {file}{behind}", at(what, &index))
        }
        (Some((index, new, old)), _, _, Some(what)) => format!("{} is {new}, but {old} in {file}", at(what, &index)),
        (None, Some(what), ..) => format!("{what} does not return the same as in {file}"),
        (None, _, Some(what), _) => format!("{what} is not left as in {file}"),
        (None, _, _, Some(what)) => format!("{what} is not the same as in {file}"),
        _ => return None,
    })
}

/// That an element of a `char *` lies behind the end of the string that it is, if it does.
fn behind_the_end(what: &str, index: &str, report: &Report) -> Option<String> {
    let (name, index) = (what.trim_start_matches('*'), index.parse::<u64>().ok()?);
    let of = |at: &u64| {
        let named = &report.explanation.counterexample.as_ref()?.named;
        named.iter().find(|input| input.name == format!("{name}[{at}]"))
    };
    let is_zero = |at: &u64| {
        let is_character = |input: &InputValue| {
            matches!(report.program.ty(input.ty), Type::Integer { bits: 8, character: true, .. }) && input.value == 0
        };
        of(at).is_some_and(is_character)
    };
    let end = (0..index).find(is_zero)?;
    Some(format!(", behind the end of the string: {name}[{end}] is zero"))
}

/// What a program does otherwise than the reference, if that is what the claim says.
fn otherwise(claim: &ClaimReport, both: &Both, file: &str) -> Option<String> {
    match claim.kind {
        ClaimKind::Output | ClaimKind::OutputEnd => {
            let Difference { told, .. } = difference(&both.old.printed, &both.new.printed, Compare::Exact)?;
            let told = told.replace("of what is expected", &format!("of what {file} prints"));
            let told = told.replace("more than is expected", &format!("more than {file}"));
            let told = told.replace("where none is expected", &format!("where {file} prints none"));
            let told = told.strip_suffix(" wrong").map_or(told.clone(), |line| format!("{line} otherwise than {file}"));
            Some(format!("it {told}"))
        }
        ClaimKind::ExitStatus => {
            Some(format!("it exits with {}, but with {} in {file}", both.new.status, both.old.status))
        }
        _ => None,
    }
}

/// The first line that is printed otherwise, beside what the reference prints; an empty text where there is none.
pub(crate) fn lines_beside(report: &Report, paint: Paint) -> String {
    let (Some(both), Some(file)) = (&report.explanation.printed, &report.program.reference) else {
        return String::new();
    };
    let claim = report.explanation.property.map(|at| report.explanation.claims[at].kind);
    let is_printed = matches!(claim, Some(ClaimKind::Output | ClaimKind::OutputEnd));
    let Some(found) = difference(&both.old.printed, &both.new.printed, Compare::Exact).filter(|_| is_printed) else {
        return String::new();
    };
    let width = file.chars().count().max("printed".len());
    format!(
        "  {file:width$} | {}\n  {:width$} | {}\n",
        paint.good(&found.expected),
        "printed",
        paint.bad(&found.printed)
    )
}

/// What both programs do, and which changes are to blame.
pub(crate) fn add_json(answer: &mut Value, report: &Report) {
    if let Some(both) = &report.explanation.printed {
        answer["output"] = printed_json(both);
    }
    if let Some(changes) = &report.explanation.changes {
        answer["changes"] = json(changes, report);
        answer["blame"] = blame_json(changes, report);
    }
}

/// What both programs print in the failing run, and how they exit.
fn printed_json(both: &Both) -> Value {
    let seen = |seen: &SeenOutside| json!({"printed": String::from_utf8_lossy(&seen.printed), "status": seen.status});
    json!({"stdin": String::from_utf8_lossy(&both.input), "new": seen(&both.new), "reference": seen(&both.old)})
}

/// The text on standard input, as C writes it: the characters among some inputs, up to the zero that ends them.
pub(crate) fn standard_input(inputs: &[&InputValue]) -> String {
    let characters = inputs.iter().filter(|input| input.name == STDIN).map(|input| input.value as u8);
    quoted(&characters.take_while(|byte| *byte != 0).collect::<Vec<u8>>())
}

/// Which changes are to blame, with their lines; an empty text where that was not asked.
pub(crate) fn blame(report: &Report, paint: Paint) -> String {
    let Some(changes) = &report.explanation.changes else { return String::new() };
    let mut out = String::new();
    for (number, set) in changes.sets.iter().enumerate() {
        let places: Vec<String> = set.iter().map(|at| place(&changes.all[*at], report)).collect();
        let lead = if number == 0 { "To blame" } else { "Or" };
        let what = if set.len() == 1 { "the change" } else { "the changes" };
        out += &format!("\n{}\n", paint.strong(&format!("{lead}: {what} at {}", joined(&places))));
        for at in set {
            if set.len() > 1 {
                out += &format!("  {}\n", place(&changes.all[*at], report));
            }
            out += &lines(&changes.all[*at], report, paint);
        }
    }
    let told = told(changes, report);
    if out.is_empty() { format!("\n{}\n", fill(&told, 0)) } else { format!("{out}{}\n", fill(&format!("  {told}"), 2)) }
}

/// `new.c:12-14`; where lines only went, the one that they stood before.
fn place(change: &Change, report: &Report) -> String {
    let (first, last) = line_numbers(change, report);
    let file = report.sources.position(change.span).file;
    match first == last {
        true => format!("{file}:{first}"),
        false => format!("{file}:{first}-{last}"),
    }
}

fn line_numbers(change: &Change, report: &Report) -> (u32, u32) {
    let first = report.sources.position(change.span).line;
    let lines = report.sources.text(change.span).lines().count() as u32;
    (first, first + lines.max(1) - 1)
}

/// What came and what went.
fn lines(change: &Change, report: &Report, paint: Paint) -> String {
    let mut out = String::new();
    let new: Vec<&str> = report.sources.text(change.span).lines().collect();
    let old: Vec<&str> = change.old.lines().collect();
    for (lines, sign) in [(old, '-'), (new, '+')] {
        for line in lines.iter().take(MOST_LINES) {
            let shown = format!("{sign} {line}");
            out += &format!("  {}\n", if sign == '-' { paint.bad(&shown) } else { paint.good(&shown) });
        }
        if lines.len() > MOST_LINES {
            out += &format!("  {sign} … {} more\n", lines.len() - MOST_LINES);
        }
    }
    out
}

/// What was proved, and what was not.
fn told(changes: &Changes, report: &Report) -> String {
    let file = report.program.reference.as_deref().unwrap_or("the reference");
    let name = &report.program.function(report.program.entry).name;
    let all = changes.all.len();
    let of_all = format!("the {} since {file}", count(all, "change"));
    let Some(verified) = changes.verified else {
        return match (all, changes.complete) {
            (0, _) => {
                format!("{file} has the same lines, apart from comments and layout: what differs is not in this file.")
            }
            (1, true) => {
                format!(
                    "Undoing the only change since {file} was not proved to make it do the same: more differs than this file."
                )
            }
            (_, true) if all <= 3 => {
                format!("Undoing none of {of_all}, alone or together, was proved to make it do the same.")
            }
            _ => format!(
                "It is not known which of {of_all} is to blame: {} were tried.",
                count(changes.executed, "version")
            ),
        };
    };
    let size = changes.sets[0].len();
    let scope = scope(verified, report);
    let undone = match (size, changes.sets.len()) {
        (1, 1) => "With it undone".to_owned(),
        (_, 1) => "With these undone".to_owned(),
        _ => "With either undone".to_owned(),
    };
    let only = match (size, all == size) {
        (1, true) => format!(" It is the only change since {file}."),
        (_, true) => format!(" There are no others since {file}."),
        (_, false) => String::new(),
    };
    let kept = match all - size {
        0 => String::new(),
        1 => " and the other change kept".to_owned(),
        others => format!(" and the other {others} changes kept"),
    };
    let harmless = match (all - size, changes.sets.len()) {
        (0, _) | (_, 2..) => String::new(),
        // For the executions that it was proved for, which may be those with one text on standard input.
        _ if !report.program.arguments.is_empty() => String::new(),
        (1, _) => " So the other change is harmless beside that.".to_owned(),
        _ => " So the other changes are harmless beside that.".to_owned(),
    };
    let fewest = match (size, changes.complete) {
        (1, true) if changes.sets.len() == 1 && all > 1 => " No other single change, undone, does that.",
        (1, _) => "",
        (_, true) => " Fewer do not suffice.",
        (_, false) if size > 3 => " None of them can be left out; other sets were not looked for.",
        (_, false) => " Whether fewer suffice is not known.",
    };
    format!("{undone}{kept}, {name} does the same as in {file} {scope}: proved.{harmless}{only}{fewest}")
}

fn scope(verified: Verified, report: &Report) -> String {
    match verified {
        Verified::All => format!("for every execution{}", report.program.arguments),
        _ => format!("up to the bound of {}", report.explanation.unwind),
    }
}

/// What a fix is that undoes changes.
pub(crate) fn undone(fix: &Fix, report: &Report) -> Option<String> {
    let file = report.program.reference.as_deref()?;
    let lines = if fix.edits.len() == 1 { "the change" } else { "the changes" };
    Some(format!("undoes {lines} to blame: these lines are as in {file}"))
}

/// `a`, `a and b`, `a, b and c`.
fn joined(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Every change, and whether it is to blame.
fn json(changes: &Changes, report: &Report) -> Value {
    let change = |(at, change): (usize, &Change)| {
        let (first, last) = line_numbers(change, report);
        let (new, old) = (report.sources.position(change.span), report.sources.position(change.old_span));
        json!({
            "file": new.file,
            "line": first,
            "end_line": last,
            "old": change.old,
            "new": report.sources.text(change.span),
            "old_file": old.file,
            "old_line": old.line,
            "to_blame": changes.is_to_blame(at),
        })
    };
    changes.all.iter().enumerate().map(change).collect()
}

/// The sets of changes, by their numbers from 0, and what was shown.
fn blame_json(changes: &Changes, report: &Report) -> Value {
    let verified = changes.verified.map(|verified| match verified {
        Verified::All => "all",
        Verified::Bound => "bound",
        Verified::Tests => "tests",
    });
    json!({
        "sets": changes.sets,
        "verified": verified,
        "complete": changes.complete,
        "executed": changes.executed,
        "proved": changes.judged,
        "told": told(changes, report),
    })
}
