//! The answer in one breath: which claim fails with which values, and what is different where it passes.

use nearmiss_explain::explanation::{Avoiding, Contrast, Delta, DeltaKind, Executed, Nearest, Reason};

use nearmiss_program::program::{ClaimId, TypeId};
use nearmiss_program::run::{Run, RunStep, RunStepKind};
use nearmiss_program::source::Span;

use super::super::layout::{count, enumerate, equation, fill, one_line, ordinal};
use super::super::{Paint, Report, crash};
use super::{absence, describe};
use crate::pair::{Pair, mattering, same_claim};
use crate::{trace, versions};

/// So many inputs are named; of more, those that differ.
const MOST_INPUTS: usize = 8;
/// So many inputs that differ are named.
const MOST_CHANGES: usize = 4;
/// So many times of a decision are named.
const MOST_TIMES: usize = 3;
/// So many decisions that go another way are named.
const MOST_DECISIONS: usize = 2;

/// The sentence, with its end of line.
pub(crate) fn render(contrast: &Contrast, report: &Report, paint: Paint) -> String {
    const VERDICT: &str = "FAILS";
    let mut text = format!("{VERDICT}: {}", failing(contrast, report));
    match &contrast.nearest {
        Some(nearest) => {
            text.push(' ');
            text += &passing(nearest, contrast, report);
            text += &contrast.avoiding.as_ref().and_then(|run| avoiding(run, report)).unwrap_or_default();
        }
        None => {
            if let Some(why) = absence(contrast, report) {
                text += &format!(" {}.", capitalised(&why));
            }
        }
    }
    let filled = fill(&text, 2);
    format!("{}{}\n", paint.bad(VERDICT), filled.strip_prefix(VERDICT).unwrap_or(&filled))
}

/// `low <= high` (main.assertion.1, minmax.c:26) with first = 0, second = -1, third = 0.
fn failing(contrast: &Contrast, report: &Report) -> String {
    let explanation = report.explanation;
    let Some(claim) = explanation.property.map(|i| &explanation.claims[i]) else {
        return "some claim is violated.".to_owned();
    };
    let at = report.sources.position(claim.span);
    let what = versions::violated(report).unwrap_or_else(|| format!("`{}`", one_line(&claim.text)));
    let mut text = format!("{what} ({}, {}:{})", claim.id, at.file, at.line);
    if let Some(crash) = &explanation.crash {
        text += &format!(" with the {}.", crash::of_file(crash));
        if let Some(freed) = contrast.suspects.iter().find(|suspect| suspect.because.contains(&Reason::Freed)) {
            text += &format!(" The memory was freed in {}.", describe::place(freed.span, report));
        }
        return text;
    }
    let groups = describe::Groups::of(contrast.nearest.as_ref(), report);
    let number: usize = groups.failing.iter().map(|group| group.values.len()).sum();
    let shown = if number <= MOST_INPUTS {
        let several = groups.failing.iter().any(|group| group.values.len() > 1);
        let shown = groups.failing.iter().map(|group| equation(&group.name, &group.values.join(", ")));
        shown.collect::<Vec<_>>().join(if several { "; " } else { ", " })
    } else {
        let changes = groups.changes();
        let mut shown: Vec<String> = (changes.iter().take(MOST_CHANGES))
            .filter_map(|change| Some(change.with(change.failing.as_ref()?)))
            .collect();
        let others = number - shown.len();
        shown.push(count(others, if shown.is_empty() { "input" } else { "other input" }) + " (-v)");
        enumerate(&shown)
    };
    if !shown.is_empty() {
        text += &format!(" with {shown}");
    }
    text += ".";
    if let Some(freed) = contrast.suspects.iter().find(|suspect| suspect.because.contains(&Reason::Freed)) {
        text += &format!(" The memory was freed in {}.", describe::place(freed.span, report));
    }
    text
}

/// It passes with second = 0 instead of -1: then `second < low` (line 22) is false, and high is 0 instead of -1.
fn passing(nearest: &Nearest, contrast: &Contrast, report: &Report) -> String {
    let changes = describe::Groups::of(Some(nearest), report).changes();
    let with = report.explanation.crash.as_ref().and_then(crash::changes);
    let mut text = format!("It passes{}", with.unwrap_or_else(|| with_inputs(&changes)));
    let formula =
        report.program.temporal.as_ref().filter(|formula| report.explanation.property == Some(formula.claim.index()));
    if let (Some(trigger), true) = (formula.and_then(|formula| formula.trigger.as_ref()), contrast.only_avoidance) {
        text += &format!(", but only because `{}` never comes about", one_line(&trigger.text));
    } else if contrast.only_avoidance {
        let failing = report.explanation.counterexample.as_ref().and_then(|found| found.run.steps.last());
        let violated = failing.and_then(claim_of);
        let times =
            |run: &Run| run.steps.iter().filter(|step| violated.is_some() && claim_of(step) == violated).count();
        let [failing, passing] =
            [report.explanation.counterexample.as_ref().map(|found| &found.run), Some(&nearest.run)]
                .map(|run| run.map_or(0, times));
        text += match passing {
            0 => ", but that only avoids the check",
            _ if passing < failing => ", but that only comes to the check less often",
            _ if contrast.elsewhere => ", but then the check is come to another way",
            _ if contrast.lapses => ", but then the check does not apply",
            _ => "",
        };
        if passing > 0 && passing >= failing && !contrast.elsewhere && !contrast.lapsed.is_empty() {
            let lapsed: Vec<String> = contrast.lapsed.iter().map(|part| format!("`{part}`")).collect();
            text += &format!(", as {}", lapsed.join(" and "));
        }
    }
    let then = consequences(nearest, contrast, &changes, report);
    match then.as_slice() {
        [] => {}
        [only] => text += &format!(": then {only}"),
        [first @ .., last] => text += &format!(": then {}, and {last}", first.join(", ")),
    }
    text + "."
}

/// The claim that a step comes to.
fn claim_of(step: &RunStep) -> Option<ClaimId> {
    match step.kind {
        RunStepKind::Claim { claim, .. } => Some(claim),
        _ => None,
    }
}

/// ` with second = 0 instead of -1 (and 1 input that the failing run does not read)`.
pub(crate) fn with_inputs(changes: &[describe::InputChange]) -> String {
    let with = in_words(changes);
    let extra = changes.iter().filter(|change| change.failing.is_none()).count();
    let more = format!("{} that the failing run does not read", count(extra, "input"));
    match (with.is_empty(), extra) {
        (true, 0) => String::new(),
        (true, _) => format!(" with {more}"),
        (false, 0) => format!(" with {}", enumerate(&with)),
        (false, _) => format!(" with {} (and {more})", enumerate(&with)),
    }
}

/// The inputs that differ, not too many of them.
pub(crate) fn in_words(changes: &[describe::InputChange]) -> Vec<String> {
    let mut with: Vec<String> = changes.iter().filter_map(describe::InputChange::in_words).collect();
    if with.len() > MOST_CHANGES {
        let more = with.len() - MOST_CHANGES;
        with.truncate(MOST_CHANGES);
        with.push(count(more, "more input"));
    }
    with
}

/// It also passes with mode = 1 instead of 2, but that may only avoid the check.
fn avoiding(run: &Avoiding, report: &Report) -> Option<String> {
    let with = with_inputs(&describe::Groups::with(&run.named, report).changes());
    let but = if run.guessed { "which changes less" } else { "but that may only avoid the check" };
    (!with.is_empty()).then(|| format!(" It also passes{with}, {but}."))
}

/// What then goes another way: a few decisions, and the value that the claim is about.
fn consequences(
    nearest: &Nearest,
    contrast: &Contrast,
    changes: &[describe::InputChange],
    report: &Report,
) -> Vec<String> {
    let slice = Some(mattering(contrast, nearest)).filter(|deltas| !deltas.is_empty());
    let deltas = || slice.unwrap_or(&nearest.deltas).iter().filter(|delta| describe::is_visible(delta, report));
    let pair = Pair::of(report);
    let decisions = |executed: &[Executed]| -> Vec<String> {
        let decisions = deltas().filter(|delta| delta.kind == DeltaKind::Guard && executed.contains(&delta.executed));
        // What is decided again and again is told of the first time.
        let mut told_of: Vec<Span> = Vec::new();
        let mut is_new = |delta: &&Delta| {
            let is_new = !told_of.contains(&delta.span);
            told_of.push(delta.span);
            is_new
        };
        let told = |delta: &Delta| describe::without_place(delta, report) + &times(delta, pair.as_ref(), report);
        decisions.filter(|delta| is_new(delta)).take(MOST_DECISIONS).map(told).collect()
    };
    // What is decided in both runs comes before what is no longer decided.
    let mut then = decisions(&[Executed::Both]);
    if then.is_empty() {
        then = decisions(&[Executed::Failing, Executed::Passing]);
    }
    let claim = report.explanation.property.map(|i| report.explanation.claims[i].text.as_str()).unwrap_or_default();
    // What is only the input again, or is otherwise where the claim is come to, is not told.
    let is_input = |delta: &Delta| {
        let (failing, passing) = describe::values(delta, report);
        let is_same = |change: &describe::InputChange| {
            change.number.is_none()
                && (&change.name, &change.failing, &change.passing)
                    == (&delta.variable, &Some(failing.clone()), &Some(passing.clone()))
        };
        changes.iter().any(is_same)
    };
    let at_claim = at_claim(nearest, report);
    let is_elsewhere = |delta: &Delta| {
        at_claim.iter().any(|(name, _, bits)| *name == delta.variable && *bits != [delta.failing, delta.passing])
    };
    // Nor what models of the library keep for themselves.
    let is_ours = |delta: &Delta| delta.variable.starts_with("__nearmiss_");
    let is_told =
        |delta: &&Delta| delta.kind == DeltaKind::Value && !is_input(delta) && !is_elsewhere(delta) && !is_ours(delta);
    let values = || deltas().filter(is_told);
    let of_claim = values().rfind(|delta| mentions(claim, delta) && other_members(delta, &at_claim).is_empty());
    // Where the differences of the claim's variables are all of other rounds, what they are at the claim is told.
    let others = || deltas().filter(|delta| is_elsewhere(delta));
    let is_other = |name: &str| {
        others().any(|delta| delta.variable == name)
            || values().any(|delta| other_members(delta, &at_claim).contains(&name))
    };
    let of_round = at_claim.iter().rfind(|(name, _, bits)| bits[0] != bits[1] && is_other(name));
    if let (None, Some((name, ty, [failing, passing]))) = (of_claim, of_round) {
        let [failing, passing] =
            [report.failing.value_for_people(*ty, *failing), report.passing.value_for_people(*ty, *passing)];
        then.push(format!("{name} is {passing} instead of {failing}"));
        return then;
    }
    let last = of_claim.or_else(|| values().next_back());
    // What a predicate is in the passing run is more than that it is not looked at there.
    let is_told = |delta: &&Delta| delta.kind == DeltaKind::Predicate && delta.executed != Executed::Failing;
    let others = || deltas().filter(|delta| matches!(delta.kind, DeltaKind::Control | DeltaKind::Predicate));
    let other = || match others().next() {
        Some(first) if first.kind == DeltaKind::Predicate => others().find(is_told).or(Some(first)),
        first => first,
    };
    // A predicate may be otherwise again where the claim is come to.
    then.extend(last.or_else(other).map(|delta| match delta.kind {
        DeltaKind::Predicate => describe::in_passing_run(delta, report),
        _ => describe::without_place(delta, report).replacen(&delta.variable, &whose(delta, nearest, report), 1),
    }));
    then
}

/// What a value is called: with its function, where an input of the same name, but of another function, was just told.
fn whose(delta: &Delta, nearest: &Nearest, report: &Report) -> String {
    let inputs = nearest.deltas.iter().filter(|input| input.kind == DeltaKind::Input);
    let mut namesakes = inputs.filter(|input| input.variable == delta.variable).peekable();
    let is_value = delta.kind == DeltaKind::Value;
    if is_value && namesakes.peek().is_some() && namesakes.all(|input| input.function != delta.function) {
        format!("{} in {}()", delta.variable, report.program.function(delta.function).name)
    } else {
        delta.variable.clone()
    }
}

/// ` the 2nd time`, where a run makes a decision more often than once: all times of the passing run at which it differs so.
fn times(delta: &Delta, pair: Option<&Pair>, report: &Report) -> String {
    let Some(pair) = pair else { return String::new() };
    let times: Vec<usize> = (pair.differences.iter())
        .filter(|difference| pair.tells(difference.row, delta))
        .filter_map(|difference| match pair.steps(difference.row) {
            // Which of several times is another question in each run.
            [Some(failing), Some(passing)] if delta.executed == Executed::Both => {
                (failing.time == passing.time).then_some(passing.time)
            }
            [None, Some(passing)] if delta.executed != Executed::Both => Some(passing.time),
            _ => None,
        })
        .collect();
    let decided = describe::decided(delta, report);
    match delta.executed {
        Executed::Failing | Executed::Neither => String::new(),
        // How it comes out is not told.
        Executed::Passing if decided[0] > 0 => String::new(),
        _ if decided.into_iter().all(|total| total <= 1) => String::new(),
        _ if times.is_empty() => " at one point".to_owned(),
        _ => in_order(&times),
    }
}

/// ` the 1st and 3rd time`, ` the 2nd to 4th time`.
fn in_order(times: &[usize]) -> String {
    let rows = times.chunk_by(|one, next| one + 1 == *next);
    let told = rows.flat_map(|row| match row {
        [first, _, .., last] => vec![format!("{} to {}", ordinal(*first), ordinal(*last))],
        _ => row.iter().map(|time| ordinal(*time)).collect(),
    });
    let told: Vec<String> = told.collect();
    match told.len() <= MOST_TIMES {
        true => format!(" the {} time", enumerate(&told)),
        false => format!(" the {} time and {} other times", ordinal(times[0]), times.len() - 1),
    }
}

/// What the variables of the claim are where the failing run violates it, and where the passing run comes to it for the same time.
fn at_claim(nearest: &Nearest, report: &Report) -> Vec<(String, TypeId, [u128; 2])> {
    let explanation = report.explanation;
    let (Some(claim), Some(failing)) = (explanation.property, &explanation.counterexample) else { return Vec::new() };
    let (claim, failing) = (&explanation.claims[claim], &failing.run.steps);
    let Some(at) = same_claim(failing, &nearest.run.steps) else { return Vec::new() };
    let passing = trace::bits_in(claim, &nearest.run.steps[..=at], report.passing);
    let both = |(name, (_, ty, bits)): (String, trace::Set)| {
        let (_, (_, _, other)) = passing.iter().find(|(other, _)| *other == name)?;
        Some((name, ty, [bits, *other]))
    };
    trace::bits_in(claim, failing, report.failing).into_iter().filter_map(both).collect()
}

/// Where the claim does not look at a member of an object that differs, but at others that do: these. Of a union they may be the
/// same bytes.
fn other_members<'a>(delta: &Delta, at_claim: &'a [(String, TypeId, [u128; 2])]) -> Vec<&'a str> {
    let object = |name: &str| name.split_once('.').map(|(object, _)| object.to_owned());
    let differing = at_claim.iter().filter(|(_, _, bits)| bits[0] != bits[1]).map(|(name, ..)| name.as_str());
    let of_object = |name: &&str| object(name).is_some_and(|of| Some(of) == object(&delta.variable));
    let members: Vec<&str> = differing.filter(of_object).collect();
    if members.contains(&delta.variable.as_str()) { Vec::new() } else { members }
}

/// Whether the text of a claim speaks of the variable.
fn mentions(claim: &str, delta: &Delta) -> bool {
    let root = delta.variable.split(['[', '.', '-', '(']).next().unwrap_or(&delta.variable);
    claim.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == root)
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn times_are_told_in_few_words() {
        assert_eq!(in_order(&[2]), " the 2nd time");
        assert_eq!(in_order(&[1, 3]), " the 1st and 3rd time");
        assert_eq!(in_order(&[2, 3, 4]), " the 2nd to 4th time");
        assert_eq!(in_order(&[1, 3, 5, 7, 9]), " the 1st time and 4 other times");
    }
}
