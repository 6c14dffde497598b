//! Two aligned runs: what differs, in order of execution, with the numbers of the steps.

use std::collections::HashSet;

use nearmiss_explain::explanation::{ASSERTION_FAILURE, Contrast, Delta, DeltaKind, Executed, Nearest};

use super::super::layout::{LINE, count, pad, shorten, width};
use super::super::{Paint, Report};
use super::describe;
use crate::pair::mattering;
use crate::view::Detail;

/// So many differences that need not be are shown.
const MOST_LINES: usize = 30;

/// The differences, and whether some of them need not be.
pub struct Steps {
    /// A line each.
    pub text: String,
    /// Whether some of them differ only along with others.
    pub holds_others: bool,
    /// What the numbers mean.
    pub numbers: Option<&'static str>,
}

/// All of them.
pub fn render(contrast: &Contrast, nearest: &Nearest, report: &Report, detail: Detail, paint: Paint) -> Steps {
    let slice = mattering(contrast, nearest);
    let shown: Vec<&Delta> = nearest.deltas.iter().filter(|delta| describe::is_visible(delta, report)).collect();
    let mut lines: Vec<(char, String, String)> = Vec::new();
    let mut others = 0;
    for delta in shown {
        let mark = match delta.kind {
            DeltaKind::Action if !is_return(delta) => '!',
            _ if slice.contains(delta) => '>',
            _ => '|',
        };
        others += usize::from(mark == '|');
        if mark != '|' || others <= MOST_LINES || detail >= Detail::Verbose {
            let place = place(delta, report);
            let told = describe::was_and_is(delta, report);
            // What is set once may be looked at where several paths have met.
            match lines.iter_mut().find(|(_, other, text)| *other == place && *text == told) {
                Some((old, ..)) if *old == '|' => *old = mark,
                Some(_) => {}
                None => lines.push((mark, place, told)),
            }
        }
    }
    let widest = lines.iter().map(|(_, place, _)| width(place)).max().unwrap_or(0);
    let mut text = format!("{}\n", paint.strong("Step by step"));
    for (mark, place, told) in &lines {
        let sign = match mark {
            '!' => paint.bad("!"),
            '>' => paint.strong(">"),
            _ => "|".to_owned(),
        };
        let told = if detail >= Detail::Verbose { told.clone() } else { shorten(told, LINE - widest - 6) };
        let told = if *mark == '|' { told } else { paint.strong(&told) };
        text += &format!("{sign} {}  {told}\n", pad(place, place, widest + 1));
    }
    if others > MOST_LINES && detail < Detail::Verbose {
        text += &format!("  and {} (-v shows them)\n", count(others - MOST_LINES, "more difference"));
    }
    let is_in_brackets = |part: fn(&str) -> Option<&str>| {
        lines.iter().any(|(_, place, _)| part(place).is_some_and(|part| part.contains('(')))
    };
    let step = is_in_brackets(|place| place.split(',').next());
    let line = is_in_brackets(|place| place.split(',').nth(1));
    let numbers = match (step, line) {
        (false, false) => "",
        (true, false) => " In brackets: the step of the passing run.",
        (false, true) => " In brackets: the line of the passing run.",
        (true, true) => " In brackets: the step and the line of the passing run.",
    };
    Steps { text, holds_others: others > 0, numbers: Some(numbers) }
}

/// How many differences have no line of their own: what is set once may be looked at where several paths have met.
pub fn told_with_others(nearest: &Nearest, report: &Report) -> usize {
    let shown = nearest.deltas.iter().filter(|delta| describe::is_visible(delta, report));
    let told: Vec<_> = shown.map(|delta| (place(delta, report), describe::was_and_is(delta, report))).collect();
    let lines: HashSet<_> = told.iter().collect();
    told.len() - lines.len()
}

/// Is the difference in what a function returns that the formula speaks of?
pub fn is_return(delta: &Delta) -> bool {
    let is_told = delta.texts.as_ref().is_some_and(|[was, _]| was != ASSERTION_FAILURE);
    delta.kind == DeltaKind::Action && is_told
}

/// `step 5, line 7`; `step 5, line 7 (9)` where it is set in line 9 in the passing run.
fn place(delta: &Delta, report: &Report) -> String {
    let own = describe::place(delta.span, report);
    let other = delta.passing_span.filter(|_| delta.kind == DeltaKind::Predicate);
    let other = other.map(|span| describe::place(span, report)).filter(|other| *other != own);
    // Of the same file only the number.
    let start = own.trim_end_matches(|c: char| c.is_ascii_digit());
    let other = other.map(|other| format!(" ({})", other.strip_prefix(start).unwrap_or(&other)));
    format!("{}, {own}{}", number(delta), other.unwrap_or_default())
}

/// `step 5`; `step 5 (4)` where it is the 4th of the passing run; `step (4)` where only that run has it.
fn number(delta: &Delta) -> String {
    match (delta.steps, delta.executed) {
        (Some([Some(failing), Some(passing)]), _) if failing != passing => format!("step {failing} ({passing})"),
        (Some([None, Some(passing)]), _) => format!("step ({passing})"),
        (Some([Some(failing), _]), _) => format!("step {failing}"),
        (_, Executed::Passing) => "passing run".to_owned(),
        _ => "both runs".to_owned(),
    }
}
