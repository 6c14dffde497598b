//! The ways in which a program fails, for a person: what is assumed, then the statements, one block per way.
//!
//! `*` marks the neighbourhood of the error, `~` branches that keep something out, `!` the claim. Lines that stand there
//! several times in a row are told once. Where there are many ways, those that are alike but for repeated lines are told
//! together, and of all but the first only what is different; the other levels tell each in full.

use nearmiss_explain::explanation::{ClaimReport, Verdict};
use nearmiss_explain::focus::{Focus, FocusStatement, Role, Way};
use nearmiss_explain::method::focus_sequences::Rest;
use nearmiss_program::source::Span;

use super::layout::{LINE, count, fill, one_line, pad, short_names, shorten, statement, width};
use super::turns::{self, Block};
use super::{Paint, Report, terminal, trace};
use crate::replay::Replay;
use crate::view::Level;
use crate::view::{Detail, WaysView};

/// Source text is cut here.
const LONGEST_SOURCE: usize = 64;
/// So many lines of a sequence are shown, unless every step is asked for.
const MOST_ROWS: usize = 60;
/// So many lines of all sequences together are shown before only the first is.
const PAGE: usize = 50;

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
    for (place, at) in first.iter().enumerate() {
        if detail != Detail::Quiet {
            out.push('\n');
        }
        let others: Vec<&Way> =
            (0..shown.len()).filter(|other| alike[*other] == Some(*at)).map(|at| shown[at]).collect();
        out += &head(shown[*at], &others, &shown, found, report, task, paint);
        match (detail, is_brief && place > 0) {
            (Detail::Quiet, _) => {}
            (_, true) => out += &difference(shown[*at], shown[first[0]], report),
            (_, false) => out += &body(shown[*at], report, task, detail, paint),
        }
    }
    if detail == Detail::Quiet {
        let known = if found.rest == Rest::None { String::new() } else { rest(found) + "\n" };
        let others = if found.unlooked.is_empty() { String::new() } else { fill(&unlooked(found), 2) + "\n" };
        return out + &known + &others;
    }
    out.push('\n');
    if is_brief && first.len() > 1 {
        out += "Of the ways after the first only the differences are shown (all of it: -v, --level ranked).\n";
    }
    out += &closing(found, report, task, &shown);
    out += &terminal::notes(report, paint);
    out
}

/// The ways that a level shows, in its order.
pub(crate) fn shown(found: &Focus, level: Level) -> Vec<&Way> {
    let mut ways: Vec<&Way> = found.ways.iter().collect();
    match level {
        Level::Reduced => ways.retain(|way| way.same_as.is_none()),
        Level::Ranked => {}
        // In the order of the program.
        Level::Trace | Level::Sequences => ways.sort_by_key(|way| {
            way.statements.iter().map(|s| (s.span.file, s.span.start, s.outcome)).collect::<Vec<_>>()
        }),
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
        Level::Reduced if kinds < found.distinct() => format!("{ways} through {} of lines", count(kinds, "set")),
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
    let number = shown.iter().position(|other| other.rank == way.rank).unwrap_or(0) + 1;
    let number = match task.level {
        Level::Reduced | Level::Ranked => way.rank,
        Level::Trace | Level::Sequences => number,
    };
    let merged = found.ways.iter().filter(|other| task.level == Level::Reduced && other.same_as == Some(way.rank));
    let merged = merged.map(|other| format!("through the same statements {} (way {})", when(other, task), other.rank));
    (number, when(way, task), merged.collect())
}

/// When a way happens, in words.
fn when(way: &Way, task: &WaysView) -> String {
    let glued: Vec<String> = way.assumptions.iter().map(|text| text.replace(' ', "\u{a0}")).collect();
    match (glued.is_empty(), task.over.is_empty()) {
        _ if way.untold => "there was no time to find out when".to_owned(),
        (false, _) => format!("when {}", glued.join(", ")),
        (true, true) if way.by_choice => "by choices alone, whatever the inputs are".to_owned(),
        (true, true) => "whatever the inputs are".to_owned(),
        (true, false) => format!("nothing is assumed of {} alone", task.over.join(", ")),
    }
}

/// Which claim a way violates, where there are several.
pub(crate) fn violated(way: &Way, found: &Focus, report: &Report) -> Option<String> {
    (claims(found).len() > 1).then(|| format!("violates {}", claim_text(&found.explanation.claims[way.claim], report)))
}

/// When a way happens, and those that are like it.
fn head(
    way: &Way,
    alike: &[&Way],
    shown: &[&Way],
    found: &Focus,
    report: &Report,
    task: &WaysView,
    paint: Paint,
) -> String {
    let (number, when_it_is, others) = heading(way, shown, found, task);
    let mut out = format!("{}\n", paint.strong(&fill(&format!("{number}. {when_it_is}"), 5)));
    for other in others {
        out += &format!("{}\n", fill(&format!("   {other}"), 5));
    }
    if !alike.is_empty() {
        out += &format!("   and through the same lines, however often, {}:\n", count(alike.len(), "way"));
        let said: Vec<String> = alike.iter().map(|way| when(way, task)).collect();
        for text in turns::together(&said) {
            out += &format!("{}\n", fill(&format!("   - {text}"), 5));
        }
    }
    if let Some(violated) = violated(way, found, report) {
        out += &format!("   {violated}\n");
    }
    out
}

/// The statements of a way.
fn body(way: &Way, report: &Report, task: &WaysView, detail: Detail, paint: Paint) -> String {
    if task.level == Level::Trace {
        let claim = way.statements.len().saturating_sub(1);
        let run = trace::render(&way.run, report, detail.max(Detail::Verbose), paint);
        return run + &rows(&way.statements[claim..], report, task, detail, paint);
    }
    rows(&way.statements, report, task, detail, paint)
}

/// The lines that one way goes through and another does not.
fn difference(way: &Way, first: &Way, report: &Report) -> String {
    let at = |span: Span| report.sources.position(span);
    let files: Vec<String> = [way, first].iter().flat_map(|way| &way.statements).map(|row| at(row.span).file).collect();
    let short = short_names(files.iter().map(String::as_str));
    let lines = |way: &Way, other: &Way| {
        let is_in = |row: &FocusStatement| {
            let mut all = other.statements.iter().filter(|other| other.role != Role::Apart);
            all.any(|other| (other.span, other.outcome) == (row.span, row.outcome))
        };
        let mut told: Vec<String> = Vec::new();
        for row in way.statements.iter().filter(|row| row.role == Role::Focus && !is_in(row)) {
            let outcome = row.outcome.map(|outcome| format!("\u{a0}({outcome})")).unwrap_or_default();
            let text = format!("{}:{}{outcome}", short(&at(row.span).file), at(row.span).line);
            if !told.contains(&text) {
                told.push(text);
            }
        }
        told.join(", ")
    };
    let (more, less) = (lines(way, first), lines(first, way));
    let text = match (more.is_empty(), less.is_empty()) {
        (true, true) => format!("through the lines of way {}, in other turns", first.rank),
        (false, true) => format!("through the lines of way {} and {more}", first.rank),
        (true, false) => format!("through the lines of way {} without {less}", first.rank),
        (false, false) => format!("through the lines of way {} and {more}, without {less}", first.rank),
    };
    format!("{}\n", fill(&format!("   {text}"), 5)).replace('\u{a0}', " ")
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

fn rows(statements: &[FocusStatement], report: &Report, task: &WaysView, detail: Detail, paint: Paint) -> String {
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
        _ if told.len() <= MOST_ROWS => 0..0,
        _ => MOST_ROWS / 3..told.len() - 2 * MOST_ROWS / 3,
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
        let outcome = match (row.role, row.outcome) {
            (Role::Claim, _) if task.reach.is_some() => "reached",
            (Role::Claim, _) => "violated",
            (_, Some(true)) => "true",
            (_, Some(false)) => "false",
            _ => "",
        };
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

/// A statement as it is written: the line, if it is most of it or the head of a branch or loop.
pub(crate) fn source(row: &FocusStatement, report: &Report, task: &WaysView) -> String {
    if let (Some(reach), Role::Claim) = (&task.reach, row.role) {
        return one_line(&reach.condition);
    }
    let own = one_line(report.sources.text(report.sources.balanced(row.span)));
    let line = statement(report.sources.line_text(row.span));
    let start = line.trim_start_matches("} ").trim_start_matches("else ");
    let is_head = ["if", "while", "for", "switch", "do"].iter().any(|word| start.starts_with(word));
    let is_most = 3 * width(&own) >= width(&line) && !line.trim_end_matches(';').contains(';');
    let whole = match row.outcome {
        Some(_) => is_head,
        None => is_most && !is_head,
    };
    if own.is_empty() || (whole && line.contains(&own)) { line } else { own }
}

/// The claims that fail as well and were not looked at.
pub fn unlooked(found: &Focus) -> String {
    let ids: Vec<&str> = found.unlooked.iter().map(|claim| found.explanation.claims[*claim].id.as_str()).collect();
    let (fail, are) = if ids.len() == 1 { ("claim fails", "is") } else { ("claims fail", "are") };
    format!("{} more {fail} and {are} not looked at here: {} (--property)", ids.len(), ids.join(", "))
}

/// What is known of other ways.
fn rest(found: &Focus) -> String {
    let ways = if found.unlooked.is_empty() { "all ways" } else { "all ways to violate a written assertion" };
    match found.rest {
        Rest::AtLeast(more) if found.cut_short => format!("And at least {more} more: not all ways are known."),
        Rest::AtLeast(more) => {
            format!("And at least {more} more: the {} first were described, which is long enough.", found.ways.len())
        }
        Rest::Unknown => "There may be more: not all ways are known, as there was no time to find out.".to_owned(),
        Rest::None if found.explanation.complete => format!("These are {ways}: proved."),
        Rest::None => format!(
            "These are {ways} with loops and recursions unwound up to {}: proved.",
            count(found.explanation.unwind as usize, "time")
        ),
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
    if shown.iter().any(|way| !way.quoted.is_empty()) {
        sentences.push("Conditions that cannot be said over inputs in a line are quoted from the program.".to_owned());
    }
    sentences.push(rest(found));
    let replayed = match report.failing.replay {
        Replay::Confirmed => "A run of each was sliced by the interpreter, the first replayed by the compiled program.",
        Replay::Refuted(_) | Replay::Skipped(_) => "A run of each was sliced by the interpreter.",
    };
    sentences.push(replayed.to_owned());
    let lines = sentences.iter().map(|sentence| fill(sentence, 2) + "\n");
    lines.collect()
}
