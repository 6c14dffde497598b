//! What is said of a failure and of its causes, in the user's names.
//!
//! Sentences are made of runs of plain text and of code, so that every form can set code apart in its own way and no name
//! can be taken for markup. They are never more certain than the report is.

use std::ops::AddAssign;

use nearmiss_explain::trace_report::{Exactness, Judged, TraceCause, TraceFailure, TraceReport, TraceVerdict};

/// So many causes are named in a sentence; the rest is counted.
const NAMED: usize = 4;

/// A sentence, or a part of one: text and code in turns, text first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words(pub Vec<String>);

impl Words {
    /// With text appended.
    pub fn text(mut self, text: &str) -> Words {
        if self.0.len() % 2 == 1 {
            self.0.last_mut().expect("the length is odd").push_str(text);
        } else {
            self.0.push(text.to_owned());
        }
        self
    }

    /// With code appended.
    pub fn code(mut self, code: &str) -> Words {
        if self.0.len() % 2 == 0 {
            self.0.push(String::new());
        }
        self.0.push(code.to_owned());
        self
    }

    /// On one line, with code between back quotes.
    pub fn plain(&self) -> String {
        let part = |(i, part): (usize, &String)| if i % 2 == 1 { format!("`{part}`") } else { part.clone() };
        let line: String = self.0.iter().enumerate().map(part).collect();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl AddAssign for Words {
    fn add_assign(&mut self, other: Words) {
        for (i, part) in other.0.iter().enumerate() {
            *self = if i % 2 == 1 { std::mem::take(self).code(part) } else { std::mem::take(self).text(part) };
        }
    }
}

/// What a formula is called: as the user named it, or by its place among several.
pub fn title(report: &TraceReport, index: usize) -> String {
    match &report.formulas[index].name {
        Some(name) => name.clone(),
        None if report.formulas.len() == 1 => "The property".into(),
        None => format!("Property {}", index + 1),
    }
}

/// What became of a formula, in a word.
pub fn verdict(verdict: &TraceVerdict) -> &'static str {
    match verdict {
        TraceVerdict::Fails => "fails",
        TraceVerdict::Holds(_) => "holds",
        TraceVerdict::Undecided(_) => "undecided",
    }
}

/// Why a formula holds or is undecided.
pub fn why(verdict: &TraceVerdict) -> Option<&str> {
    match verdict {
        TraceVerdict::Fails => None,
        TraceVerdict::Holds(why) | TraceVerdict::Undecided(why) => Some(why),
    }
}

/// What became of all formulas together, in a word.
pub fn overall(report: &TraceReport) -> &'static str {
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
pub fn summary(report: &TraceReport, index: usize) -> Words {
    let judged = &report.formulas[index];
    let title = title(report, index);
    let subject = match judged.name {
        Some(_) => Words::default().code(&title),
        None => Words::default().text(&title),
    };
    match &judged.verdict {
        TraceVerdict::Holds(why) => subject.text(&format!(" holds on this trace. {}", sentence(why))),
        TraceVerdict::Undecided(why) => subject.text(&format!(" is undecided on this trace. {}", sentence(why))),
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
pub fn place(failure: &TraceFailure) -> String {
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

pub fn because(failure: &TraceFailure) -> Words {
    let causes = &failure.causes;
    if causes.is_empty() {
        return Words::default().text("; no value on the trace could have saved it.");
    }
    let shown = if causes.len() == NAMED + 1 { NAMED + 1 } else { causes.len().min(NAMED) };
    let mut words = Words::default().text(": ");
    for (i, cause) in causes[..shown].iter().enumerate() {
        let between = match i {
            0 => "",
            _ if i + 1 == causes.len() => " and ",
            _ => ", ",
        };
        words = words.text(between);
        words += state(cause);
    }
    if causes.len() > shown {
        words = words.text(&format!(", and {} more", causes.len() - shown));
    }
    words.text(".")
}

/// What a cause is: `START` is 1 at cycle 9.
pub fn state(cause: &TraceCause) -> Words {
    let atom = cause.atom.trim();
    let words = Words::default().code(atom);
    let truth = match cause.truth {
        Some(true) => "true",
        Some(false) => "false",
        None => "unknown",
    };
    match cause.dots.as_slice() {
        [dot] if dot.time == cause.time && is_name(atom) => {
            words.text(&format!(" is {} at cycle {}", dot.value, cause.time))
        }
        _ => words.text(&format!(" is {truth} at cycle {}", cause.time)),
    }
}

/// A name of a signal and nothing else, so that its value says more than its truth.
fn is_name(atom: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "_.$[]:".contains(c);
    !atom.is_empty() && !atom.starts_with('$') && atom.chars().all(plain)
}

/// Why a value is a cause: what it is, and what else would have to be different.
pub fn reason(cause: &TraceCause) -> Words {
    let mut words = state(cause);
    words += weight(cause);
    words
}

/// How much a cause decides, as the end of a sentence.
fn weight(cause: &TraceCause) -> Words {
    let Some(share) = cause.responsibility else {
        return match cause.exact {
            true => Words::default().text("; it has a part in the failure"),
            false => Words::default().text("; it may have a part in the failure (not proved)"),
        };
    };
    if share <= 1 {
        return Words::default().text("; it alone decides");
    }
    if cause.others.is_empty() {
        let others = if share == 2 { "1 other value".into() } else { format!("{} other values", share - 1) };
        return Words::default().text(&format!("; with {others} different, it decides (responsibility 1/{share})"));
    }
    let mut words = Words::default().text("; with ");
    for (i, (atom, time)) in cause.others.iter().enumerate() {
        let between = match i {
            0 => "",
            _ if i + 1 == cause.others.len() => " and ",
            _ => ", ",
        };
        words = words.text(between).code(atom.trim()).text(&format!(" at cycle {time}"));
    }
    words.text(&format!(" different, this one decides (responsibility 1/{share})"))
}

/// What is known of the set of causes, as a sentence.
pub fn exactness(failure: &TraceFailure) -> &'static str {
    match failure.exactness {
        Exactness::Exact => "These are all the causes, and no others.",
        Exactness::Superset => "All causes are among these; some of them may be none.",
        Exactness::Approximate => "An approximation: some causes may be missing, and some of these may be none.",
    }
}

/// How many failures a formula has beyond those that are listed, as a sentence, if any.
pub fn more_failures(judged: &Judged) -> Option<String> {
    match judged.more_failures {
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
