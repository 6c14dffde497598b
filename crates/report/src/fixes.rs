//! Fixes for a person: what to change, what was proved of it, and what was tried.
//!
//! A sentence here never says more than was shown: where other claims were violated before, or only some were asked for,
//! nothing is said of the rest.

pub(crate) mod diagnoses;
pub mod diff;
pub mod original;

use nearmiss_explain::explanation::{Differs, Fix, Fixes, Shared, TriedPairs, Verified};
use nearmiss_program::c::console::quoted;
use nearmiss_program::c::edit::{Family, TextEdit};
use nearmiss_program::source::{Position, Span};

use super::layout::{GLUE, count, fill, one_line, shorten};
use super::tests::{Difference, difference};
use super::{Paint, Report, crash, terminal, versions};
use crate::replay::Replay;
use crate::view::Detail;
use diff::{Hunk, bare, changed};

/// So many edits that do the same are told.
const MOST_SAME: usize = 3;
/// So many lines where something is used are told.
const MOST_LINES: usize = 8;
/// So many statements that are not executed any more are, each cut off here.
const MOST_LOST: usize = 4;
const LONGEST: usize = 50;

/// The whole answer of `fix`, where something fails.
pub(crate) fn render(found: &Fixes, report: &Report, detail: Detail, paint: Paint) -> String {
    let glued = terminal::sentence(report).replace(" = ", &format!("{GLUE}={GLUE}"));
    let sentence = fill(&glued, 2);
    let mut out = format!("{}\n", sentence.replacen("FAILS", &paint.bad("FAILS"), 1));
    out += &versions::lines_beside(report, paint);
    out += &versions::blame(report, paint);
    if detail >= Detail::Verbose {
        out += &format!("\n{}\n", terminal::violation(report, detail, paint).trim_end());
    }
    if detail == Detail::Quiet {
        let each = found.found.iter().enumerate();
        return out + &each.map(|(index, fix)| titled(index, fix, report, paint)).collect::<String>();
    }
    if let Some(crash) = &report.explanation.crash {
        out += &format!("\n{}", crash::section(report, detail, paint));
        let told = crash::told(crash);
        out += &(if told.is_empty() { told } else { format!("\n{told}") });
    }
    out += &listed_fixes(found, report, paint);
    if let Some(told) = diagnoses::told(found, report) {
        out += &format!("{}\n", fill(&told, 0));
    }
    out += &compiled(report);
    out + &terminal::claims(report, detail, paint) + &terminal::notes(report, paint)
}

/// The fixes with what is known of each, and what was tried.
pub(crate) fn listed_fixes(found: &Fixes, report: &Report, paint: Paint) -> String {
    let mut out = String::new();
    for (index, fix) in found.found.iter().enumerate() {
        out += &titled(index, fix, report, paint);
        out += &facts(fix, found, report).iter().map(|fact| fill(&format!("  {fact}"), 4) + "\n").collect::<String>();
    }
    out + &format!("\n{}\n", fill(&tried(found), 0))
}

/// Where a fix is, and its lines.
fn titled(index: usize, fix: &Fix, report: &Report, paint: Paint) -> String {
    let title = format!("Fix {}: {}", index + 1, place(&fix.edits, report));
    format!("\n{}\n{}", paint.strong(&title), lines(&fix.edits, report, paint))
}

/// The best fix, for an explanation: the lines to look at first are those that it changes.
pub(crate) fn best(report: &Report, paint: Paint) -> String {
    let Some((found, fix)) = report.explanation.fixes.as_ref().and_then(|found| Some((found, found.found.first()?)))
    else {
        return String::new();
    };
    let title = format!("  Fix: {}", place(&fix.edits, report));
    let lost = lost(fix, found, report).map_or(String::new(), |lost| format!("; {lost}"));
    let apart = apart(fix, found, report).map_or(String::new(), |apart| format!("; {apart}"));
    let told = format!("  {}{lost}{apart}; `nearmiss fix` looks further", facts(fix, found, report)[0]);
    format!("{}\n{}{}\n", paint.strong(&title), lines(&fix.edits, report, paint), fill(&told, 4))
}

/// Where the changes are.
pub(crate) fn place(edits: &[TextEdit], report: &Report) -> String {
    let (mut told, mut file): (Vec<String>, String) = (Vec::new(), String::new());
    let mut places: Vec<Position> = edits.iter().map(|edit| report.sources.position(edit.span)).collect();
    places.dedup_by(|next, last| (&next.file, next.line) == (&last.file, last.line));
    for at in places {
        told.push(if at.file == file { at.line.to_string() } else { format!("{}:{}", at.file, at.line) });
        file = at.file;
    }
    diagnoses::joined(&told, "and")
}

/// The lines that differ, in order.
pub(crate) fn hunks(edits: &[TextEdit], report: &Report) -> Vec<Hunk> {
    changed(report.sources, edits).into_iter().flat_map(|changed| changed.hunks).collect()
}

/// The same, each with the line above it where nothing goes: what only comes must be seen in its place.
pub(crate) fn hunks_in_place(edits: &[TextEdit], report: &Report) -> Vec<(Option<String>, Hunk)> {
    let in_file = |changed: diff::Changed| {
        let text: Vec<&str> = changed.before.lines().collect();
        let above = |hunk: &Hunk| {
            let mut lines = text[..hunk.first.min(text.len())].iter().rev();
            lines.find(|line| !line.trim().is_empty()).map(|line| (*line).to_owned())
        };
        let placed = |hunk: Hunk| (if hunk.old.is_empty() { above(&hunk) } else { None }, hunk);
        changed.hunks.into_iter().map(placed).collect::<Vec<_>>()
    };
    changed(report.sources, edits).into_iter().flat_map(in_file).collect()
}

/// The lines that go and those that come.
fn lines(edits: &[TextEdit], report: &Report, paint: Paint) -> String {
    let mut out = String::new();
    for (above, hunk) in hunks_in_place(edits, report) {
        above.iter().for_each(|line| out += &format!("    {}\n", bare(line)));
        let old = hunk.old.iter().map(|line| paint.bad(&format!("- {}", bare(line))));
        let new = hunk.new.iter().map(|line| paint.good(&format!("+ {}", bare(line))));
        old.chain(new).for_each(|line| out += &format!("  {line}\n"));
    }
    out
}

/// What is known of a fix, a sentence each; what was proved comes first.
pub(crate) fn facts(fix: &Fix, found: &Fixes, report: &Report) -> Vec<String> {
    let mut told = vec![match fix.verified {
        Verified::Tests => "with it all given tests pass; nothing is known of other inputs".to_owned(),
        _ => format!("proved: {}", proved(fix, report)),
    }];
    told.extend(apart(fix, found, report));
    told.extend(fix.differs.as_ref().map(|differs| match differs {
        Differs::When(when) if when == "always" => "the edited value is another one in every run".to_owned(),
        Differs::When(when) => format!("differs from your program exactly when {when}"),
        Differs::OnlyWhen(when) if when == "always" => {
            "the edited condition is decided otherwise in every run".to_owned()
        }
        Differs::OnlyWhen(when) => format!("differs from your program only when {when}"),
    }));
    let avoids = "with it some known failing run does not come to the violated assertion any more";
    told.extend(fix.avoids.then(|| avoids.to_owned()));
    told.extend(lost(fix, found, report));
    told.extend((fix.family == Family::Undone).then(|| versions::undone(fix, report)).flatten());
    told.extend(match (fix.changed, found.passing) {
        (_, 0) => None,
        _ if fix.family == Family::Undone => None,
        (0, 1) => Some("has the same results in the passing run that was looked at".to_owned()),
        (0, all) => Some(format!("has the same results in all {all} passing runs that were looked at")),
        (some, all) if some > all => Some(format!("has other results in {}", count(some, "passing run"))),
        (some, all) => Some(format!("has other results in {some} of {all} passing runs")),
    });
    told.extend(fix.shared.as_ref().and_then(|shared| used(fix, shared, report)));
    for same in fix.same.iter().take(MOST_SAME) {
        let new = hunks(same, report).into_iter().flat_map(|hunk| hunk.new);
        let new: Vec<String> = new.map(|line| bare(&line).trim().to_owned()).collect();
        let text = if new.is_empty() { "leave it out".to_owned() } else { format!("`{}`", new.join(" ")) };
        told.push(format!("or: {} {text}", place(same, report)));
    }
    let more = fix.same.len().saturating_sub(MOST_SAME);
    told.extend((more > 0).then(|| format!("or {} that do the same", count(more, "more edit"))));
    told
}

/// An input that no test has and with which it prints something else than another fix does.
fn apart(fix: &Fix, found: &Fixes, report: &Report) -> Option<String> {
    let is_first = found.found.first().is_some_and(|first| std::ptr::eq(first, fix));
    let of = if is_first { found.found.iter().find_map(|fix| fix.apart.as_ref())? } else { fix.apart.as_ref()? };
    let compare = report.explanation.tests.as_ref()?.compare;
    let Difference { expected: first, printed: own, line, .. } = difference(&of.of_first, &of.printed, compare)?;
    let (this, other) = if is_first { (first, own) } else { (own, first) };
    let input = shorten(&quoted(&of.input), LONGEST);
    let like = of.like.as_ref().map_or(String::new(), |name| format!(" and the arguments of test {name}"));
    let who = if is_first { "another fix that passes all tests" } else { "fix 1" };
    Some(format!(
        "with {input} on standard input{like}, which is no test, it prints line {line} as `{this}`, and {who} as `{other}`"
    ))
}

/// What no known run executes any more with a fix, though some did.
fn lost(fix: &Fix, found: &Fixes, report: &Report) -> Option<String> {
    let place = |span: &Span| {
        let text = shorten(&one_line(report.sources.text(*span)), LONGEST);
        format!("`{}` (line {})", text.trim_end_matches(';'), report.sources.position(*span).line)
    };
    let mut all: Vec<String> = lost_parts(fix).map(place).collect();
    let more = all.len().saturating_sub(MOST_LOST);
    all.truncate(MOST_LOST);
    all.extend((more > 0).then(|| format!("and {more} more")));
    let runs = match found.passing + found.failing {
        1 => "in the run that was looked at".to_owned(),
        runs => format!("in any of the {runs} runs that were looked at"),
    };
    (!all.is_empty()).then(|| format!("with it this is not executed any more {runs}: {}", all.join(", ")))
}

/// The same, without what is part of another one.
pub(crate) fn lost_parts(fix: &Fix) -> impl Iterator<Item = &Span> {
    let is_part = |span: &Span| fix.lost.iter().any(|other| other != span && other.contains(*span));
    fix.lost.iter().filter(move |span| !is_part(span))
}

/// What else a fix changes: the lines where its macro or type is used, if they are several.
fn used(fix: &Fix, shared: &Shared, report: &Report) -> Option<String> {
    let own = fix.edits.first().map(|edit| report.sources.position(edit.span).file).unwrap_or_default();
    let mut here = Vec::new();
    let mut elsewhere = Vec::new();
    for place in places(shared, report) {
        match place {
            (file, line) if file == own => here.push(line.to_string()),
            (file, line) => elsewhere.push(format!("{file}:{line}")),
        }
    }
    if here.len() + elsewhere.len() < 2 {
        return None;
    }
    let lines = match &here[..] {
        [] => String::new(),
        [line] => format!("line {line}"),
        lines => format!("lines {}", listed(lines)),
    };
    let both = if here.is_empty() || elsewhere.is_empty() { "" } else { ", and in " };
    let on = if here.is_empty() { "in" } else { "on" };
    let rest = listed(&elsewhere);
    Some(format!("`{}` is used {on} {lines}{both}{rest}: all of these change", shared.name))
}

/// Files and lines where something is used, each once.
pub(crate) fn places(shared: &Shared, report: &Report) -> Vec<(String, u32)> {
    let mut found: Vec<(String, u32)> = Vec::new();
    for at in shared.uses.iter().map(|span| report.sources.position(*span)) {
        if !found.contains(&(at.file.clone(), at.line)) {
            found.push((at.file, at.line));
        }
    }
    found
}

/// `1, 2 and 3`; of many only the first.
fn listed(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if all.len() <= MOST_LINES => format!("{} and {last}", first.join(", ")),
        many => format!("{} and {} more", many[..MOST_LINES - 1].join(", "), many.len() + 1 - MOST_LINES),
    }
}

/// What was shown of a fix.
fn proved(fix: &Fix, report: &Report) -> String {
    let explanation = report.explanation;
    let proved_of = explanation.fixes.as_ref().and_then(|fixes| fixes.executions.as_deref());
    let of_which = proved_of.unwrap_or(&report.program.arguments);
    let executions = match fix.verified {
        Verified::All => format!("in any execution{of_which}"),
        Verified::Bound if explanation.crash.is_some() => {
            format!("in any execution{of_which} within the bounds on loops")
        }
        Verified::Bound => format!("up to the bound of {}", explanation.unwind),
        Verified::Tests => return String::new(),
    };
    let claim = explanation.property.map_or("the claim", |at| explanation.claims[at].id.as_str());
    let others = format!("neither {claim} nor a claim that holds now is violated {executions}");
    match &fix.leaves[..] {
        _ if report.passes_over_claims => {
            format!("{claim} is not violated {executions}; other claims were not asked for")
        }
        _ if fix.whole => format!("no claim is violated {executions}"),
        [] => others,
        [one] => format!("{others}; {one} still is"),
        many => format!("{others}; {} still are", listed(many)),
    }
}

/// How much was tried, whether that was all, and what was left aside.
pub fn tried(found: &Fixes) -> String {
    let one = "mends the failing runs but changes most of the inputs that pass: it was left aside";
    let many = "mend the failing runs but change most of the inputs that pass: they were left aside";
    tried_at_all(found)
        + &match found.aside {
            0 => String::new(),
            1 => format!(" Another one {one}."),
            aside => format!(" {aside} others {many}."),
        }
        + &match found.ending {
            0 => String::new(),
            1 => " Another one ends a loop that nothing leads out of: that is no fix.".to_owned(),
            ending => format!(" {ending} others end a loop that nothing leads out of: that is no fix."),
        }
}

fn tried_at_all(found: &Fixes) -> String {
    let Fixes { candidates, executed, judged, of_tests, .. } = found;
    let number = found.found.len();
    let are = |number: usize| if number == 1 { "was" } else { "were" };
    let what = match number {
        0 => "No fix was found.".to_owned(),
        _ => format!("{} found.", count(number, "fix").replace("fixs", "fixes") + " " + are(number)),
    };
    if *candidates == 0 {
        let why = if found.complete { "There is nothing to edit" } else { "No edit could be tried" };
        return format!("{what} {why}.");
    }
    let work = format!(
        "Of {} of one place, {executed} {} tried on {}",
        count(*candidates, "edit"),
        are(*executed),
        if *of_tests { "the tests".to_owned() } else { format!("known runs and {judged} judged for all inputs") }
    );
    if *of_tests {
        let together = if number == 0 { ", and the best of them together with others" } else { "" };
        return format!("{what} {work}{together}.");
    }
    let (work, complete) = match &found.pairs {
        Some(pairs) => {
            let TriedPairs { candidates, ruled_out, executed, judged, complete } = *pairs;
            let ruled_out = match ruled_out {
                0 => String::new(),
                some => format!("{some} {} ruled out, as no values on their lines save the failing runs, ", are(some)),
            };
            let pairs = format!(
                "Of {}, {ruled_out}{executed} {} executed and {judged} judged",
                count(candidates, "pair"),
                are(executed)
            );
            (format!("{work}. {pairs}"), found.complete && complete)
        }
        None => (work, found.complete),
    };
    let more = if number == 0 && found.pairs.is_none() && !*of_tests { " `--edits 2` tries two together." } else { "" };
    // Where all were executed, it is some that passed the known runs that were not judged.
    let are_executed = executed == candidates && found.pairs.as_ref().is_none_or(|pairs| pairs.complete);
    match (complete, number) {
        (true, 0) => format!("{what} {work}: these are all that we know to make.{more}"),
        (true, _) => format!("{what} {work}: no other of these was proved to be one."),
        (false, 0) if are_executed => {
            format!("{what} {work}; not all that passed these runs were judged.{more}")
        }
        (false, _) if are_executed => {
            format!("{what} {work}; not all that passed these runs were judged, so there may be more fixes.")
        }
        (false, 0) => format!("{what} {work}: not all were tried.{more}"),
        (false, _) => format!("{what} {work}: not all were tried, and there may be more fixes."),
    }
}

/// What the compiled program did with the failing run, once for each fix.
pub(crate) fn compiled(report: &Report) -> String {
    let confirmed = report.fixes.iter().filter(|replay| **replay == Replay::Confirmed).count();
    let told = match (confirmed, report.fixes.len()) {
        (0, _) => return String::new(),
        (1, 1) if report.explanation.tests.is_some() => "With the fix the compiled program passes all tests.",
        (some, all) if report.explanation.tests.is_some() && some == all => {
            "With each fix the compiled program passes all tests."
        }
        _ if report.explanation.tests.is_some() => {
            "With some of the fixes the program was compiled and passes all tests."
        }
        (1, 1) => "With the fix the compiled program passes the failing run.",
        (some, all) if some == all => "With each fix the compiled program passes the failing run.",
        (1, _) => "With one of the fixes the program was compiled and passes the failing run.",
        _ => "With some of the fixes the program was compiled and passes the failing run.",
    };
    format!("{told}\n")
}
