//! What is said of a failure and of its causes, in the user's names.
//!
//! Sentences are made of runs of plain text and of code, so that every form can set code apart in its own way and no name
//! can be taken for markup. They are never more certain than the report is.

use std::ops::AddAssign;

use nearmiss_trace::report::{Dot, Exactness, Judged, TraceCause, TraceFailure, TraceReport, TraceVerdict};

/// So many different causes are named in a sentence; the rest is counted.
const NAMED: usize = 6;

/// So many stretches of cycles are named for a value that is a cause at many.
const SPANS: usize = 4;

/// A sentence, or a part of one: text and code in turns, text first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Phrase(pub Vec<String>);

impl Phrase {
    /// With text appended.
    pub(crate) fn text(mut self, text: &str) -> Phrase {
        if self.0.len() % 2 == 1 {
            self.0.last_mut().expect("the length is odd").push_str(text);
        } else {
            self.0.push(text.to_owned());
        }
        self
    }

    /// With code appended.
    pub(crate) fn code(mut self, code: &str) -> Phrase {
        if self.0.len().is_multiple_of(2) {
            self.0.push(String::new());
        }
        self.0.push(code.to_owned());
        self
    }

    /// On one line, with code between back quotes.
    pub(crate) fn plain(&self) -> String {
        let part = |(i, part): (usize, &String)| if i % 2 == 1 { format!("`{part}`") } else { part.clone() };
        let line: String = self.0.iter().enumerate().map(part).collect();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl AddAssign for Phrase {
    fn add_assign(&mut self, other: Phrase) {
        for (i, part) in other.0.iter().enumerate() {
            *self = if i % 2 == 1 { std::mem::take(self).code(part) } else { std::mem::take(self).text(part) };
        }
    }
}

/// What a formula is called: as the user named it, or by its place among several.
pub(crate) fn title(report: &TraceReport, index: usize) -> String {
    match &report.formulas[index].name {
        Some(name) => name.clone(),
        None if report.formulas.len() == 1 => "The property".into(),
        None => format!("Property {}", index + 1),
    }
}

/// What became of a formula, in a word.
pub(crate) fn verdict(verdict: &TraceVerdict) -> &'static str {
    match verdict {
        TraceVerdict::Fails => "fails",
        TraceVerdict::Holds(_) => "holds",
        TraceVerdict::Undecided(_) => "undecided",
        TraceVerdict::Covered(_) => "covered",
        TraceVerdict::Uncovered(_) => "not covered",
    }
}

/// Why a formula holds or is undecided.
pub(crate) fn why(verdict: &TraceVerdict) -> Option<&str> {
    match verdict {
        TraceVerdict::Fails => None,
        TraceVerdict::Holds(why)
        | TraceVerdict::Undecided(why)
        | TraceVerdict::Covered(why)
        | TraceVerdict::Uncovered(why) => Some(why),
    }
}

/// What became of all formulas together, in a word.
pub(crate) fn overall(report: &TraceReport) -> &'static str {
    let any = |wanted: fn(&TraceVerdict) -> bool| report.formulas.iter().any(|judged| wanted(&judged.verdict));
    if any(|verdict| matches!(verdict, TraceVerdict::Fails)) {
        "fails"
    } else if any(|verdict| matches!(verdict, TraceVerdict::Undecided(_))) {
        "undecided"
    } else {
        "holds"
    }
}

/// What became of a formula, in a sentence: when it fails, and because of which values.
pub(crate) fn summary(report: &TraceReport, index: usize) -> Phrase {
    let judged = &report.formulas[index];
    let title = title(report, index);
    let subject = match judged.name {
        Some(_) => Phrase::default().code(&title),
        None => Phrase::default().text(&title),
    };
    match &judged.verdict {
        TraceVerdict::Holds(why) => subject.text(&format!(" holds on this trace ({}).", why.trim())),
        TraceVerdict::Undecided(why) => subject.text(&format!(" is undecided: {}", sentence(why))),
        TraceVerdict::Covered(when) => subject.text(&format!(" is covered: {}", sentence(when))),
        TraceVerdict::Uncovered(why) => subject.text(&format!(" is not covered: {}", sentence(why))),
        TraceVerdict::Fails => match judged.failures.first() {
            None => subject.text(" fails on this trace."),
            Some(failure) => {
                let first = if judged.failures.len() + judged.more_failures > 1 { " first" } else { "" };
                let mut words = subject.text(&format!(" fails{first} {}", place(failure)));
                words += because(failure);
                words
            }
        },
    }
}

/// Where a failure is: `at cycle 12`.
pub(crate) fn place(failure: &TraceFailure) -> String {
    let mut place = format!("at cycle {}", failure.at);
    if failure.round > 0 {
        place.push_str(&format!(" in round {} of the loop", failure.round + 1));
    }
    if let Some(start) = failure.loop_start {
        place.push_str(&format!(", because the loop from cycle {start} is repeated for ever"));
    }
    if failure.start > 0 && failure.start != failure.at {
        place.push_str(&format!(" (the obligation began at cycle {})", failure.start));
    }
    place
}

/// The values that are to blame, as the end of a sentence.
pub(crate) fn because(failure: &TraceFailure) -> Phrase {
    if failure.causes.is_empty() {
        return Phrase::default().text(match failure.exactness {
            Exactness::Exact => "; no other values on the trace would have saved it.",
            Exactness::ExactOnValues | Exactness::Superset | Exactness::Approximate => "; no causes are known.",
        });
    }
    // Those that decide only after others have been changed would lead a reader astray: they are counted.
    let direct = |cause: &&TraceCause| cause.direct;
    let any_direct = failure.causes.iter().any(|cause| cause.direct);
    let causes: Vec<&TraceCause> = failure.causes.iter().filter(|cause| direct(cause) || !any_direct).collect();
    let indirect = failure.causes.len() - causes.len();
    let groups = groups(&causes);
    let shown = if groups.len() == NAMED + 1 { NAMED + 1 } else { groups.len().min(NAMED) };
    let mut words = Phrase::default().text(": ");
    for (i, (atom, is, cycles)) in groups[..shown].iter().enumerate() {
        words = words.text(between(i, groups.len())).code(atom).text(&format!(" is {is} at {}", spans(cycles)));
    }
    let rest: usize = groups[shown..].iter().map(|(_, _, cycles)| cycles.len()).sum();
    if rest > 0 {
        words = words.text(&format!(", and {rest} more"));
    }
    match indirect {
        0 => words.text("."),
        1 => words.text(". One more value decides only together with others."),
        _ => words.text(&format!(". {indirect} more values decide only together with others.")),
    }
}

/// What stands before the `i`-th of so many things in a list.
fn between(i: usize, all: usize) -> &'static str {
    match i {
        0 => "",
        _ if i + 1 == all => " and ",
        _ => ", ",
    }
}

/// Causes by what they say, in the order of their first cycles: the atom, what it is, and the cycles.
fn groups(causes: &[&TraceCause]) -> Vec<(String, String, Vec<usize>)> {
    let mut groups: Vec<(String, String, Vec<usize>)> = Vec::new();
    for cause in causes {
        let (atom, is) = (bare(cause), is(cause));
        match groups.iter_mut().find(|group| group.0 == atom && group.1 == is) {
            Some(group) => group.2.push(cause.time),
            None => groups.push((atom.to_owned(), is, vec![cause.time])),
        }
    }
    groups
}

/// Cycles in increasing order, neighbours together: `cycles 4 to 9 and 12`.
fn spans(cycles: &[usize]) -> String {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for cycle in cycles {
        match spans.last_mut() {
            Some((_, last)) if *cycle == *last || *cycle == *last + 1 => *last = *cycle,
            _ => spans.push((*cycle, *cycle)),
        }
    }
    // Two neighbours are no range.
    let apart = |(first, last): (usize, usize)| {
        if first + 1 == last { vec![(first, first), (last, last)] } else { vec![(first, last)] }
    };
    let spans: Vec<(usize, usize)> = spans.into_iter().flat_map(apart).collect();
    let noun = if cycles.len() == 1 { "cycle" } else { "cycles" };
    let shown = if spans.len() == SPANS + 1 { SPANS + 1 } else { spans.len().min(SPANS) };
    let mut text = format!("{noun} ");
    for (i, (first, last)) in spans[..shown].iter().enumerate() {
        text.push_str(between(i, spans.len()));
        match last - first {
            0 => text.push_str(&first.to_string()),
            _ => text.push_str(&format!("{first} to {last}")),
        }
    }
    if spans.len() > shown {
        text.push_str(&format!(", … up to {}", spans[spans.len() - 1].1));
    }
    text
}

/// What a cause is: `START` is 1 at cycle 9.
pub(crate) fn state(cause: &TraceCause) -> Phrase {
    Phrase::default().code(bare(cause)).text(&format!(" is {} at cycle {}", is(cause), cause.time))
}

/// The value of a signal, the truth of anything else.
fn is(cause: &TraceCause) -> String {
    let atom = bare(cause);
    match (cause.dots.as_slice(), cause.truth) {
        ([dot], truth) if dot.time == cause.time && is_name(atom) && (!atom.contains('[') || agree(dot, truth)) => {
            dot.value.clone()
        }
        (_, Some(true)) => "true".into(),
        (_, Some(false)) => "false".into(),
        (_, None) => "unknown".into(),
    }
}

/// `x[3]` may be a signal of this name or bits of `x`, which have the value of the whole if they are all there is to it.
fn agree(dot: &Dot, truth: Option<bool>) -> bool {
    matches!((dot.value.as_str(), truth), ("0", Some(false)) | ("1", Some(true)))
}

/// An atom without the marks around a name that would be an operator.
fn bare(cause: &TraceCause) -> &str {
    let atom = cause.atom.trim();
    let between = |mark: char| atom.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    let name = between('`').or(between('"')).or(atom.strip_prefix('\\'));
    name.filter(|name| is_name(name)).unwrap_or(atom)
}

/// A name of a signal and nothing else, so that its value says more than its truth.
fn is_name(atom: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "_.$[]:".contains(c);
    !atom.is_empty() && !atom.starts_with('$') && atom.chars().all(plain)
}

/// Why a value is a cause: what it is, and what else would have to be different.
pub(crate) fn reason(cause: &TraceCause) -> Phrase {
    let mut words = state(cause);
    words += weight(cause);
    words
}

/// How much a cause decides, as the end of a sentence.
fn weight(cause: &TraceCause) -> Phrase {
    let Some(share) = cause.responsibility else {
        return match cause.exact {
            true => Phrase::default().text("; it has a part in the failure"),
            false => Phrase::default().text("; it may have a part in the failure (not proved)"),
        };
    };
    if share <= 1 {
        return Phrase::default().text("; it alone decides");
    }
    if cause.others.is_empty() {
        let others = if share == 2 { "1 other value".into() } else { format!("{} other values", share - 1) };
        return Phrase::default().text(&format!("; with {others} different, it decides (responsibility 1/{share})"));
    }
    let mut words = Phrase::default().text("; with ");
    for (i, (atom, time)) in cause.others.iter().enumerate() {
        words = words.text(between(i, cause.others.len())).code(atom.trim()).text(&format!(" at cycle {time}"));
    }
    words.text(&format!(" different, this one decides (responsibility 1/{share})"))
}

/// What is known of the set of causes, as a sentence.
pub(crate) fn exactness(failure: &TraceFailure) -> &'static str {
    match failure.exactness {
        Exactness::Exact => "These are all the causes, and no others.",
        Exactness::ExactOnValues => {
            "These are all the causes; for what local variables keep, only values of the trace were tried."
        }
        Exactness::Superset => "All causes are among these; some of them may be none.",
        Exactness::Approximate => "An approximation: some causes may be missing, and some of these may be none.",
    }
}

/// How many failures a formula has beyond those that are listed, as a sentence, if any.
pub(crate) fn more_failures(judged: &Judged, listed: usize) -> Option<String> {
    match judged.more_failures + judged.failures.len().saturating_sub(listed) {
        0 => None,
        1 => Some("It fails once more later on.".into()),
        n => Some(format!("It fails {n} more times later on.")),
    }
}

/// With a full stop.
fn sentence(text: &str) -> String {
    let text = text.trim();
    let stop = if text.is_empty() || text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{text}{stop}")
}

#[cfg(test)]
mod tests {
    use nearmiss_trace::wave::Wave;

    use super::*;

    fn cause(atom: &str, time: usize, value: &str) -> TraceCause {
        TraceCause {
            atom: atom.into(),
            time,
            truth: Some(value == "1"),
            dots: vec![Dot { signal: 0, time, value: value.into() }],
            exact: true,
            direct: true,
            responsibility: Some(1),
            others: Vec::new(),
        }
    }

    fn report(causes: Vec<TraceCause>) -> TraceReport {
        let failure = TraceFailure { start: 0, at: 9, round: 0, loop_start: None, exactness: Exactness::Exact, causes };
        let judged = Judged {
            formula: "G a".into(),
            name: Some("p".into()),
            verdict: TraceVerdict::Fails,
            failures: vec![failure],
            more_failures: 0,
            lanes: Vec::new(),
            signals: Vec::new(),
        };
        TraceReport { wave: Wave::default(), formulas: vec![judged], notes: Vec::new(), seconds: Vec::new() }
    }

    #[test]
    fn a_bit_of_a_vector_does_not_have_the_value_of_the_vector() {
        let is = |atom: &str, value: &str, truth| is(&TraceCause { truth, ..cause(atom, 4, value) });
        assert_eq!(is("x[3]", "1", Some(false)), "false");
        assert_eq!(is("x[3]", "42", Some(true)), "true");
        assert_eq!(is("x[3]", "0", Some(false)), "0");
        assert_eq!(is("x", "42", Some(true)), "42");
    }

    #[test]
    fn marks_around_a_name_are_left_out() {
        for atom in ["`X`", "\\X ", "\"X\""] {
            assert_eq!(state(&cause(atom, 4, "0")).plain(), "`X` is 0 at cycle 4");
        }
    }

    #[test]
    fn a_value_that_decides_alone() {
        assert_eq!(reason(&cause("START", 9, "1")).plain(), "`START` is 1 at cycle 9; it alone decides");
        let relation = TraceCause { truth: None, ..cause("count == 3", 2, "0xx") };
        assert_eq!(reason(&relation).plain(), "`count == 3` is unknown at cycle 2; it alone decides");
    }

    #[test]
    fn a_value_that_decides_with_others() {
        let others = vec![("b".into(), 0), ("c".into(), 1)];
        let shared = TraceCause { responsibility: Some(3), others, ..cause("a", 0, "0") };
        let said = "`a` is 0 at cycle 0; with `b` at cycle 0 and `c` at cycle 1 different, this one decides (responsibility 1/3)";
        assert_eq!(reason(&shared).plain(), said);
        let unproved = TraceCause { exact: false, responsibility: None, ..cause("a", 0, "0") };
        assert_eq!(reason(&unproved).plain(), "`a` is 0 at cycle 0; it may have a part in the failure (not proved)");
    }

    #[test]
    fn the_same_value_at_many_cycles_is_named_once() {
        let mut causes = vec![cause("START", 4, "0")];
        causes.extend((5..9).map(|time| cause("READY", time, "0")));
        causes.push(cause("START", 9, "1"));
        let said =
            "`p` fails at cycle 9: `START` is 0 at cycle 4, `READY` is 0 at cycles 5 to 8 and `START` is 1 at cycle 9.";
        assert_eq!(summary(&report(causes), 0).plain(), said);
        assert_eq!(spans(&[1, 3, 4, 8, 10, 12]), "cycles 1, 3, 4, 8, … up to 12");
    }

    #[test]
    fn a_failure_without_causes_says_so() {
        let said = "`p` fails at cycle 9; no other values on the trace would have saved it.";
        assert_eq!(summary(&report(Vec::new()), 0).plain(), said);
    }
}
