//! The ways in which a program fails, for a person: what is assumed, then the statements, one block per way.
//!
//! `*` marks the neighbourhood of the error, `~` branches that keep something out, `!` the claim. Lines that stand there
//! several times in a row are told once. Where there are many ways, those that are alike but for repeated lines are told
//! together, and of all but the first only what is different; the other levels tell each in full.

use nearmiss_explain::explanation::{ClaimReport, Verdict};
use nearmiss_explain::focus::{Focus, FocusStatement, Role, Way};
use nearmiss_explain::method::focus_sequences::Rest;
use nearmiss_program::program::ClaimKind;
use nearmiss_program::source::Span;

use super::layout::{LINE, count, fill, one_line, pad, short_names, shorten, statement, width};
use super::turns::{self, Block};
use super::{Paint, Report, layout, terminal, trace, ways_brief};
use crate::replay::Replay;
use crate::view::Level;
use crate::view::{Detail, WaysView};

/// Source text is cut here.
const LONGEST_SOURCE: usize = 64;
/// So many lines of a sequence are shown, unless every step is asked for.
const MOST_ROWS: usize = 60;
/// The same where there are many ways.
const MOST_BRIEF: usize = 16;
/// So many lines of all sequences together are shown before only the first is.
const PAGE: usize = 50;

/// So many ways are told, unless all are asked for; and so many of those that a way stands for.
const MOST_TOLD: usize = 12;
const MOST_ALIKE: usize = 4;

/// The whole answer.
pub fn render(found: &Focus, report: &Report, task: &WaysView, detail: Detail, paint: Paint) -> String {
    if found.explanation.verdict != Verdict::Fails || found.ways.is_empty() {
        let text = terminal::render(report, detail, paint);
        return match (&task.reach, found.explanation.verdict) {
            (Some(reach), Verdict::Holds) => {
                let within = if found.explanation.complete { "" } else { " within the bound" };
                let nowhere =
                    format!("UNREACHABLE: `{}` never holds at {}:{}{within}", reach.condition, reach.file, reach.line);
                format!("{}\n", fill(&nowhere, 2))
            }
            _ => text,
        };
    }
    let shown = shown(found, task.level);
    let mut out = headline(found, report, task, paint);
    let alike = match task.level {
        Level::Reduced => turns::alike(&shown),
        Level::Ranked | Level::Sequences | Level::Trace => vec![None; shown.len()],
    };
    let first: Vec<usize> = (0..shown.len()).filter(|at| alike[*at].is_none()).collect();
    let length = |at: &usize| folded(&shown[*at].statements, report, task).len();
    let is_long = task.level == Level::Reduced && first.iter().map(length).sum::<usize>() > PAGE;
    let is_brief = is_long && detail < Detail::Verbose;
    let is_short = is_brief || (task.level == Level::Reduced && detail == Detail::Quiet);
    let all: Vec<&Way> = found.ways.iter().collect();
    let common = if is_short { ways_brief::common(&all) } else { Vec::new() };
    if !common.is_empty() {
        let glued: Vec<String> = common.iter().map(|text| text.replace(' ', "\u{a0}")).collect();
        out += &format!("{}\n", fill(&format!("In each of them {}.", glued.join(", ")), 2));
    }
    let telling = Telling { shown: &shown, found, report, task, common: &common, paint };
    let others = |at: usize| -> Vec<&Way> {
        (0..shown.len()).filter(|other| alike[*other] == Some(at)).map(|at| shown[at]).collect()
    };
    // Of all but the first only what is different, once for those that differ in the same lines.
    let mut apart: Vec<(String, Vec<usize>)> = Vec::new();
    let is_whole = task.all || task.level != Level::Reduced || detail >= Detail::Verbose;
    let told = if is_whole { first.clone() } else { few(&first, &|at| others(at).len(), &length) };
    for (place, at) in told.iter().copied().enumerate() {
        if is_brief && place > 0 && detail != Detail::Quiet {
            let difference = difference(shown[at], shown[first[0]], report);
            match apart.iter_mut().find(|(other, _)| *other == difference) {
                Some((_, ways)) => ways.push(at),
                None => apart.push((difference, vec![at])),
            }
            continue;
        }
        if detail != Detail::Quiet {
            out.push('\n');
        }
        out += &telling.head(shown[at], &others(at));
        if detail != Detail::Quiet {
            out += &body(shown[at], report, task, detail, is_brief, paint);
        }
    }
    for (place, (difference, ways)) in apart.into_iter().enumerate() {
        out += if place == 0 { "\n" } else { "" };
        out += &difference;
        ways.iter().for_each(|at| out += &telling.head(shown[*at], &others(*at)));
    }
    let more = first.len() - told.len();
    let more = match more {
        0 => String::new(),
        more => format!("{} through other statements: --all tells them.\n", count(more, "more way")),
    };
    if detail == Detail::Quiet {
        out += &more;
        let known = if found.rest == Rest::None { String::new() } else { rest(found, report) + "\n" };
        let others = if found.unlooked.is_empty() { String::new() } else { fill(&unlooked(found), 2) + "\n" };
        return out + &known + &others;
    }
    out.push('\n');
    out += &more;
    if is_brief && first.len() > 1 {
        out += "Of the ways after the first only the differences are shown (all of it: -v, --level ranked).\n";
    }
    out += &closing(found, report, task, &shown);
    out += &terminal::notes(report, paint);
    out
}

/// The first of some ways, and of the others those that stand for most, then the shortest; in their order.
fn few(ways: &[usize], alike: &dyn Fn(usize) -> usize, length: &dyn Fn(&usize) -> usize) -> Vec<usize> {
    let mut others: Vec<usize> = ways.iter().skip(1).copied().collect();
    if others.len() >= MOST_TOLD {
        others.sort_by_key(|at| (std::cmp::Reverse(alike(*at)), length(at)));
        others.truncate(MOST_TOLD - 1);
        others.sort_unstable();
    }
    ways.iter().take(1).copied().chain(others).collect()
}

/// The ways that a level shows, in its order.
pub(crate) fn shown(found: &Focus, level: Level) -> Vec<&Way> {
    let mut ways: Vec<&Way> = found.ways.iter().collect();
    match level {
        Level::Reduced => ways.retain(|way| way.same_as.is_none()),
        Level::Ranked => {}
        // In the order of the program.
        Level::Trace | Level::Sequences => {
            ways.sort_by_key(|way| way.statements.iter().map(|s| (s.span, s.outcome)).collect::<Vec<_>>())
        }
    }
    ways
}

fn claim_text(claim: &ClaimReport, report: &Report) -> String {
    let at = report.sources.position(claim.span);
    format!("`{}` ({}, {}:{})", one_line(&claim.text), claim.id, at.file, at.line)
}

/// The first sentence.
pub(crate) fn headline(found: &Focus, report: &Report, task: &WaysView, paint: Paint) -> String {
    let ways = match found.rest {
        Rest::AtLeast(more) => format!("at least {}", count(found.ways.len() + more as usize, "way")),
        Rest::Unknown => format!("at least {}", count(found.ways.len(), "way")),
        Rest::None => count(found.ways.len(), "way"),
    };
    let kinds = turns::kinds(found);
    let ways = match task.level {
        Level::Reduced if kinds < found.distinct() => format!("{ways} through {} of statements", count(kinds, "set")),
        _ => ways,
    };
    let ways = match found.rest {
        Rest::None if !found.explanation.complete => {
            format!("{ways} up to the bound of {}", found.explanation.unwind)
        }
        _ => ways,
    };
    let claims = claims(found);
    let (word, what) = match &task.reach {
        Some(reach) => ("REACHED", format!("in {ways}: `{}` before {}:{}", reach.condition, reach.file, reach.line)),
        None => match claims[..] {
            [only] => ("FAILS", format!("in {ways}: {}", claim_text(&found.explanation.claims[only], report))),
            _ => ("FAILS", format!("in {ways}: {} are violated", count(claims.len(), "claim"))),
        },
    };
    let sentence = fill(&format!("{word} {what}"), 2);
    format!("{}\n", sentence.replacen(word, &paint.bad(word), 1))
}

fn claims(found: &Focus) -> Vec<usize> {
    let mut claims: Vec<usize> = found.ways.iter().map(|way| way.claim).collect();
    claims.sort_unstable();
    claims.dedup();
    claims
}

/// The number of a way, when it happens, and the others that it stands for.
pub(crate) fn heading(way: &Way, shown: &[&Way], found: &Focus, task: &WaysView) -> (usize, String, Vec<String>) {
    heading_beyond(way, shown, found, task, &[])
}

/// The same without what was said of all ways.
fn heading_beyond(
    way: &Way,
    shown: &[&Way],
    found: &Focus,
    task: &WaysView,
    common: &[String],
) -> (usize, String, Vec<String>) {
    let number = shown.iter().position(|other| other.rank == way.rank).unwrap_or(0) + 1;
    let number = match task.level {
        Level::Reduced | Level::Ranked => way.rank,
        Level::Trace | Level::Sequences => number,
    };
    let merged = found.ways.iter().filter(|other| task.level == Level::Reduced && other.same_as == Some(way.rank));
    let same = |other: &Way| format!("through the same statements {} (way {})", when(other, task, common), other.rank);
    (number, when(way, task, common), merged.map(same).collect())
}

/// When a way happens, in words, beyond what was said of all.
fn when(way: &Way, task: &WaysView, common: &[String]) -> String {
    let own = way.assumptions.iter().filter(|text| !common.contains(text));
    let glued: Vec<String> = own.map(|text| text.replace(' ', "\u{a0}")).collect();
    match (glued.is_empty(), task.over.is_empty()) {
        _ if way.untold => "there was no time to find out when".to_owned(),
        (false, _) if way.projected => format!("only when {}", glued.join(", ")),
        (false, _) => {
            let chosen = if way.by_choice { " and calls in branches return as shown" } else { "" };
            format!("when {}{chosen}", glued.join(", "))
        }
        (true, _) if !common.is_empty() => "always then".to_owned(),
        (true, true) if way.by_choice => {
            "by what nondeterministic calls return, whatever the other inputs are".to_owned()
        }
        (true, true) => "whatever the inputs are".to_owned(),
        (true, false) => format!("no condition on {} alone was found", task.over.join(", ")),
    }
}

/// Which claim a way violates, where there are several.
pub(crate) fn violated(way: &Way, found: &Focus, report: &Report) -> Option<String> {
    (claims(found).len() > 1).then(|| format!("violates {}", claim_text(&found.explanation.claims[way.claim], report)))
}

/// What is told of ways, and to whom.
struct Telling<'a> {
    shown: &'a [&'a Way],
    found: &'a Focus,
    report: &'a Report<'a>,
    task: &'a WaysView,
    /// What was said of all.
    common: &'a [String],
    paint: Paint,
}

impl Telling<'_> {
    /// The number of a way.
    fn number(&self, way: &Way) -> usize {
        heading(way, self.shown, self.found, self.task).0
    }

    /// When a way happens, and those that are like it.
    fn head(&self, way: &Way, alike: &[&Way]) -> String {
        let (number, when_it_is, others) = heading_beyond(way, self.shown, self.found, self.task, self.common);
        let mut out = format!("{}\n", self.paint.strong(&fill(&format!("{number}. {when_it_is}"), 5)));
        for other in others {
            out += &format!("{}\n", fill(&format!("   {other}"), 5));
        }
        if !alike.is_empty() {
            let mut numbers: Vec<usize> = alike.iter().map(|way| self.number(way)).collect();
            numbers.sort_unstable();
            let lead = format!(
                "   and through the same statements, in other turns or another order, {} ({}):",
                count(alike.len(), "way"),
                stretches(&numbers)
            );
            out += &format!("{}\n", fill(&lead, 5));
            let said: Vec<String> = alike.iter().map(|way| when(way, self.task, self.common)).collect();
            let said = turns::together(&said);
            let most = if self.task.all { said.len() } else { MOST_ALIKE };
            for text in said.iter().take(most) {
                out += &format!("{}\n", fill(&format!("   - {text}"), 5));
            }
            let more = said.len().saturating_sub(most);
            out += &(if more > 0 { format!("   - and {more} more (--all)\n") } else { String::new() });
        }
        if let Some(violated) = violated(way, self.found, self.report) {
            out += &format!("   {violated}\n");
        }
        out
    }
}

/// `2, 3, 5 to 9`: numbers in order, three or more in a row as a stretch.
fn stretches(numbers: &[usize]) -> String {
    let rows = numbers.chunk_by(|one, next| one + 1 == *next);
    let told = rows.map(|row| match row {
        [first, _, .., last] => format!("{first} to {last}"),
        _ => row.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The statements of a way.
fn body(way: &Way, report: &Report, task: &WaysView, detail: Detail, is_brief: bool, paint: Paint) -> String {
    if is_brief {
        return rows(&ways_brief::essential(&way.statements, report), report, task, detail, MOST_BRIEF, paint);
    }
    if task.level == Level::Trace {
        let claim = way.statements.len().saturating_sub(1);
        let run = trace::render(&way.run, report, detail.max(Detail::Verbose), paint);
        return run + &rows(&way.statements[claim..], report, task, detail, MOST_ROWS, paint);
    }
    rows(&way.statements, report, task, detail, MOST_ROWS, paint)
}

/// The lines that one way goes through and another does not.
fn difference(way: &Way, first: &Way, report: &Report) -> String {
    let at = |span: Span| report.sources.position(span);
    let files: Vec<String> = [way, first].iter().flat_map(|way| &way.statements).map(|row| at(row.span).file).collect();
    let short = short_names(files.iter().map(String::as_str));
    let line = |span: Span| (span.file, report.sources.physical_line(span.file, span.start));
    let lines = |way: &Way, other: &Way| {
        let is_in = |row: &FocusStatement| {
            let mut all = other.statements.iter().filter(|other| other.role != Role::Apart);
            all.any(|other| (line(other.span), other.outcome) == (line(row.span), row.outcome))
        };
        let mut told: Vec<String> = Vec::new();
        for row in way.statements.iter().filter(|row| row.role == Role::Focus && !is_in(row)) {
            let word = |is| format!("\u{a0}({})", layout::outcome(&report.sources.condition(row.span), is));
            let outcome = row.outcome.map(word).unwrap_or_default();
            let text = format!("{}:{}{outcome}", short(&at(row.span).file), at(row.span).line);
            if !told.contains(&text) {
                told.push(text);
            }
        }
        told.join(", ")
    };
    let (more, less) = (lines(way, first), lines(first, way));
    let text = match (more.is_empty(), less.is_empty()) {
        (true, true) => format!("Through the lines of way {}, in other turns or other statements of them:", first.rank),
        (false, true) => format!("Through the lines of way {} and {more}:", first.rank),
        (true, false) => format!("Through the lines of way {} without {less}:", first.rank),
        (false, false) => format!("Through the lines of way {} and {more}, without {less}:", first.rank),
    };
    format!("{}\n", fill(&text, 2)).replace('\u{a0}', " ")
}

/// Lines of a sequence as they are shown, those that stand there several times in a row once.
fn folded(statements: &[FocusStatement], report: &Report, task: &WaysView) -> Vec<Block> {
    let line = |row: &FocusStatement| (row.span, row.function, row.outcome, mark(row, true), source(row, report, task));
    let lines: Vec<_> = statements.iter().map(line).collect();
    turns::folded(&lines)
}

fn mark(row: &FocusStatement, marked: bool) -> &'static str {
    match row.role {
        Role::Claim => "!",
        Role::Apart => "~",
        Role::Focus if marked && row.nest => "*",
        Role::Focus => " ",
    }
}

fn rows(
    statements: &[FocusStatement],
    report: &Report,
    task: &WaysView,
    detail: Detail,
    most: usize,
    paint: Paint,
) -> String {
    let at = |span: Span| report.sources.position(span);
    let blocks = match detail {
        Detail::Trace => (0..statements.len()).map(|at| Block { lines: at..at + 1, times: 1 }).collect(),
        _ => folded(statements, report, task),
    };
    // Each line with how often it and those that follow stand there, at the first of them.
    let told: Vec<(usize, Option<(usize, usize)>)> = (blocks.iter())
        .flat_map(|block| {
            let repeated = (block.times > 1).then_some((block.lines.len(), block.times));
            block.lines.clone().map(move |at| (at, repeated.filter(|_| at == block.lines.start)))
        })
        .collect();
    let hidden = match detail {
        Detail::Trace => 0..0,
        _ if told.len() <= most => 0..0,
        _ => most / 3..told.len() - 2 * most / 3,
    };
    let files: Vec<String> = statements.iter().map(|row| at(row.span).file).collect();
    let short = short_names(files.iter().map(String::as_str));
    let lines: Vec<String> =
        statements.iter().map(|row| format!("{}:{}", short(&at(row.span).file), at(row.span).line)).collect();
    let sources: Vec<String> =
        statements.iter().map(|row| shorten(&source(row, report, task), LONGEST_SOURCE)).collect();
    let line_width = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    let source_width = sources.iter().map(|source| width(source)).max().unwrap_or(0).min(LINE - 30);
    let marked = task.level == Level::Reduced && is_local(statements);
    let mut out = String::new();
    let mut function = None;
    for (place, (index, repeated)) in told.iter().enumerate() {
        let row = &statements[*index];
        if hidden.contains(&place) {
            if place == hidden.start {
                out += &format!(
                    "     {}\n",
                    paint.faint(&format!("… {} lines left out; --trace prints them …", hidden.len()))
                );
            }
            function = None;
            continue;
        }
        if let Some((length, times)) = repeated {
            let next = if *length == 1 { "the next line".to_owned() } else { format!("the next {length} lines") };
            out += &format!("     {}  {}\n", " ".repeat(line_width), paint.faint(&format!("{next} {times} times:")));
        }
        if function != Some(row.function) {
            let place = match row.function {
                Some(function) => format!("in {}", report.program.function(function).name),
                None => "before the start".to_owned(),
            };
            out += &format!("     {}  {place}\n", " ".repeat(line_width));
            function = Some(row.function);
        }
        let outcome = outcome(row, report, task);
        let line = format!("{}{}", " ".repeat(line_width - width(&lines[*index])), lines[*index]);
        let text = format!(
            "   {} {}  {}  {outcome}",
            mark(row, marked),
            paint.faint(&line),
            pad(&sources[*index], &sources[*index], source_width)
        );
        out += text.trim_end();
        out.push('\n');
    }
    out
}

/// Is the neighbourhood of the error less than the whole sequence?
pub(crate) fn is_local(statements: &[FocusStatement]) -> bool {
    statements.iter().any(|row| row.role == Role::Focus && !row.nest)
}

/// What came of a statement.
pub(crate) fn outcome(row: &FocusStatement, report: &Report, task: &WaysView) -> &'static str {
    match (row.role, row.outcome) {
        (Role::Claim, _) if task.reach.is_some() => "reached",
        (Role::Claim, _) => "violated",
        (_, Some(is)) => layout::outcome(&report.sources.condition(row.span), is),
        (_, None) => "",
    }
}

/// A statement as it is written: the line, if it is most of it or the head of a branch or loop.
pub(crate) fn source(row: &FocusStatement, report: &Report, task: &WaysView) -> String {
    if let (Some(reach), Role::Claim) = (&task.reach, row.role) {
        return one_line(&reach.condition);
    }
    let own = match row.outcome {
        Some(_) => report.sources.condition(row.span),
        None => one_line(report.sources.text(report.sources.balanced(row.span))),
    };
    let line = statement(report.sources.line_text(row.span));
    let start = line.trim_start_matches("} ").trim_start_matches("else ");
    if own.is_empty() {
        return line;
    }
    if row.outcome.is_some() {
        return match head(&line, &own) {
            Some(head) if start.trim_end_matches(';') == head => line,
            Some(head) => head.to_owned(),
            None => own,
        };
    }
    let is_head = HEADS.iter().any(|word| start.starts_with(word)) || start.starts_with("do");
    let is_most = 3 * width(&own) >= width(&line) && !line.trim_end_matches(';').contains(';');
    if is_most && !is_head && line.contains(&own) { line } else { own }
}

/// Words that take a condition.
const HEADS: [&str; 4] = ["if", "while", "for", "switch"];

/// Whether a text is what is asked between the parentheses of such a word, all of it: what came out is said of no more.
fn is_condition(inside: &str, own: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|c| !" ()".contains(*c)).collect::<String>();
    inside.split(';').any(|part| bare(part) == bare(own))
}

/// The innermost `if (…)` of a line, or of another such word, of which a text is the condition: other statements may stand on that line.
fn head<'a>(line: &'a str, own: &str) -> Option<&'a str> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut found: Option<&str> = None;
    for (word, at) in HEADS.iter().flat_map(|word| line.match_indices(word).map(move |(at, _)| (word, at))) {
        let rest = line[at + word.len()..].trim_start();
        if line[..at].ends_with(is_letter) || !rest.starts_with('(') {
            continue;
        }
        let start = line.len() - rest.len();
        let mut depth = 0;
        let end = rest.char_indices().find_map(|(at, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            (depth == 0).then_some(start + at + 1)
        });
        let Some(end) = end else { continue };
        let whole = &line[at..end];
        if is_condition(&line[start + 1..end - 1], own) && found.is_none_or(|found| whole.len() < found.len()) {
            found = Some(whole);
        }
    }
    found
}

/// The claims that fail as well and were not looked at.
pub fn unlooked(found: &Focus) -> String {
    let ids: Vec<&str> = found.unlooked.iter().map(|claim| found.explanation.claims[*claim].id.as_str()).collect();
    let (fail, are) = if ids.len() == 1 { ("claim fails", "is") } else { ("claims fail", "are") };
    format!("{} more {fail} and {are} not looked at here: {} (--property)", ids.len(), ids.join(", "))
}

/// What is known of other ways.
fn rest(found: &Focus, report: &Report) -> String {
    let is_written = |claim: &usize| found.explanation.claims[*claim].kind == ClaimKind::Assertion;
    let ways = match (found.unlooked.is_empty(), claims(found).iter().all(is_written)) {
        (true, _) => "all ways",
        (false, true) => "all ways to violate a written assertion before anything else",
        (false, false) => "all ways to violate such a check before anything else",
    };
    let ways = match report.program.arguments.as_str() {
        "" => ways.to_owned(),
        arguments => format!("{ways} of executions{arguments}"),
    };
    match found.rest {
        Rest::AtLeast(more) if found.cut_short => format!("And at least {more} more: not all ways are known."),
        Rest::AtLeast(more) => {
            format!("And at least {more} more: the {} first were described, which is long enough.", found.ways.len())
        }
        Rest::Unknown => "There may be more: not all ways are known, as there was no time to find out.".to_owned(),
        Rest::None if found.explanation.complete => format!("These are {ways}: proved."),
        Rest::None => {
            let bound = found.explanation.unwind;
            format!(
                "These are {ways} up to the bound of {bound}: proved. Runs that take a loop further were not looked at \
                 (--unwind)."
            )
        }
    }
}

/// How far it can be trusted, and what this level does not tell.
pub(crate) fn closing(found: &Focus, report: &Report, task: &WaysView, shown: &[&Way]) -> String {
    let mut sentences = Vec::new();
    let merged = found.ways.len() - found.distinct();
    match task.level {
        Level::Reduced => {
            if merged > 0 {
                sentences
                    .push(format!("Not shown: {} with the same statements (--level ranked).", count(merged, "way")));
            }
            if found.rest != Rest::None {
                sentences.push("Not reduced: what does not matter is known only when all ways are.".to_owned());
            }
            let whole: Vec<String> =
                shown.iter().filter(|way| !is_local(&way.statements)).map(|way| way.rank.to_string()).collect();
            let ways = match whole.len() {
                _ if whole.len() == shown.len() => String::new(),
                1 => format!(" in way {}", whole[0]),
                _ => format!(" in ways {}", whole.join(", ")),
            };
            if !whole.is_empty() && task.reach.is_none() {
                sentences.push(format!("Nothing narrows down where the error is{ways}; `nearmiss explain` may."));
            }
            let steps: usize = shown.iter().map(|way| way.run.steps.len().saturating_sub(way.statements.len())).sum();
            sentences.push(format!(
                "Left out as the failure does not depend on them: {} (--level trace).",
                count(steps, "step")
            ));
        }
        Level::Ranked | Level::Sequences => {
            let steps: usize = shown.iter().map(|way| way.run.steps.len().saturating_sub(way.statements.len())).sum();
            sentences.push(format!(
                "Left out as the failure does not depend on them: {} (--level trace).",
                count(steps, "step")
            ));
        }
        Level::Trace => {}
    }
    if shown.iter().any(|way| way.projected) {
        sentences.push(format!(
            "Only what is assumed of {} alone is told (--over): it must hold for the failure, but need not suffice.",
            task.over.join(", ")
        ));
    }
    if shown.iter().any(|way| !way.quoted.is_empty()) {
        sentences.push("Conditions that cannot be said over inputs in a line are quoted from the program.".to_owned());
    }
    sentences.push(rest(found, report));
    let replayed = match report.failing.replay {
        Replay::Confirmed => "A run of each was sliced by the interpreter, the first replayed by the compiled program.",
        Replay::Refuted(_) | Replay::Skipped(_) => "A run of each was sliced by the interpreter.",
    };
    sentences.push(replayed.to_owned());
    let lines = sentences.iter().map(|sentence| fill(sentence, 2) + "\n");
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::{head, stretches};

    #[test]
    fn numbers_in_a_row_are_a_stretch() {
        assert_eq!(stretches(&[3]), "3");
        assert_eq!(stretches(&[2, 3, 5, 6, 7, 9]), "2, 3, 5 to 7, 9");
    }

    #[test]
    fn of_several_statements_on_a_line_the_head_is_told() {
        let line = "if (a > 3) { x = f(1); } else while (b) b--; for (i = 0; i < n; i++) if (t[i]) c++;";
        assert_eq!(head(line, "a > 3"), Some("if (a > 3)"));
        assert_eq!(head(line, "b"), Some("while (b)"));
        assert_eq!(head(line, "i < n"), Some("for (i = 0; i < n; i++)"));
        assert_eq!(head(line, "t[i]"), Some("if (t[i])"));
        assert_eq!(head("notify(a);", "a"), None);
        assert_eq!(head("x = y > 2;", "y > 2"), None);
    }
}
