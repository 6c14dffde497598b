//! The moments of a failing run that make a formula false, by the lines at which they happen, and which part of a run it repeats for ever.

use nearmiss_explain::explanation::Explanation;
use nearmiss_program::program::ClaimKind;
use nearmiss_program::program::temporal::Meaning;
use nearmiss_program::run::{Closing, Inputs, Run};
use nearmiss_program::source::Span;
use nearmiss_trace::report::{TraceCause, TraceFailure, TraceReport};

use super::causes::sentence;
use super::layout::{count, fill, one_line, shorten, statement};
use super::{Paint, Report, cycles};

/// So many lines are named of one signal.
const MOST_LINES: usize = 8;
/// A line of the source is cut off here.
const LONGEST: usize = 44;

/// What makes the formula false, if one is.
pub(crate) fn render(report: &Report, paint: Paint) -> String {
    let explanation = report.explanation;
    let found = explanation.dots.as_ref().and_then(|dots| Some((dots, dots.formulas.first()?.failures.first()?)));
    let (Some((dots, failure)), Some(run)) = (found, failing(explanation)) else { return String::new() };
    let mut out = format!("{}\n", paint.strong("The formula is false because of"));
    let mut told: Vec<(&str, Option<bool>)> = Vec::new();
    for cause in failure.causes.iter().filter(|cause| cause.direct) {
        let key = (cause.atom.as_str(), cause.truth);
        if !told.contains(&key) {
            told.push(key);
            out += &line(key, failure, dots, run, report, paint);
        }
    }
    out += &format!("{}\n", fill(&format!("  {}", sentence::exactness(failure)), 2));
    out
}

/// One signal with one value, and where.
fn line(
    (atom, truth): (&str, Option<bool>),
    failure: &TraceFailure,
    dots: &TraceReport,
    run: &Run,
    report: &Report,
    paint: Paint,
) -> String {
    let same = |cause: &&TraceCause| cause.direct && cause.atom == atom && cause.truth == truth;
    let times: Vec<usize> = failure.causes.iter().filter(same).map(|cause| cause.time).collect();
    let is_action = report.program.temporal.as_ref().is_some_and(|temporal| {
        let action = |meaning: &Meaning| !matches!(meaning, Meaning::Condition(_));
        temporal.signals.iter().any(|signal| signal.text == atom && action(&signal.meaning))
    });
    let what = match (is_action, truth) {
        (true, Some(true)) => atom.to_owned(),
        (true, _) => format!("no {atom}"),
        (false, Some(true)) => format!("{atom} is true"),
        (false, _) => format!("{atom} is false"),
    };
    let everywhere = times.len() > 1 && times.len() == dots.wave.cycles - times[0];
    let lines = |times: &[usize]| {
        let mut lines: Vec<u32> = Vec::new();
        for line in times.iter().filter_map(|time| Some(report.sources.position(at(run, *time)?).line)) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines.sort_unstable();
        lines
    };
    let place = match times.as_slice() {
        times if report.program.hardware.is_some() => cycles::range(times),
        [only] => match at(run, *only) {
            Some(span) => {
                let position = report.sources.position(span);
                let text = shorten(&statement(report.sources.line_text(span)), LONGEST);
                format!("{}:{}  {}", position.file, position.line, one_line(&text))
            }
            None => "the end".to_owned(),
        },
        [first, ..] if everywhere && *first == 0 => "anywhere".to_owned(),
        [first, ..] if everywhere => {
            let line = lines(&[*first]).first().map_or_else(|| "there".to_owned(), |line| format!("line {line}"));
            format!("from {line} on")
        }
        _ => {
            let lines = lines(&times);
            let shown: Vec<String> = lines.iter().take(MOST_LINES).map(u32::to_string).collect();
            let more = if lines.len() > shown.len() { ", …" } else { "" };
            let word = if lines.len() == 1 { "line" } else { "lines" };
            format!("{} ({word} {}{more})", count(times.len(), "step"), shown.join(", "))
        }
    };
    format!("  {} {}   {place}\n", paint.bad("●"), paint.strong(&what))
}

fn failing(explanation: &Explanation) -> Option<&Run> {
    explanation.counterexample.as_ref().map(|found| &found.run)
}

/// The text at a position of the word.
pub(crate) fn at(run: &Run, time: usize) -> Option<Span> {
    run.word.as_ref()?.positions.get(time).map(|position| position.span)
}

/// The same of a model of hardware.
fn forever_in_cycles(report: &Report) -> String {
    let explanation = report.explanation;
    let told = |inputs: &Inputs| {
        let closing = inputs.closing.filter(|closing| !closing.is_horizon())?;
        let again: Vec<usize> = (closing.back as usize..closing.at as usize).collect();
        Some(format!("repeats {} for ever", cycles::range(&again)))
    };
    let failing = explanation.counterexample.as_ref().and_then(|found| told(&found.inputs));
    let nearest = explanation.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref());
    let passing = nearest.and_then(|nearest| told(&nearest.inputs));
    let text = match (failing, passing) {
        (Some(failing), Some(passing)) if failing == passing => format!("Each of the two runs {failing}."),
        (Some(failing), Some(passing)) => format!("The failing run {failing}; the passing run {passing}."),
        (Some(failing), None) => format!("The failing run {failing}."),
        (None, Some(passing)) => format!("The passing run {passing}."),
        (None, None) => return String::new(),
    };
    format!("{}\n", fill(&text, 0))
}

/// From where on the runs repeat themselves, in words.
pub(crate) fn forever(report: &Report) -> String {
    let nearest = report.explanation.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref());
    let closing = nearest.and_then(|nearest| nearest.inputs.closing);
    if closing.is_some_and(Closing::is_horizon) {
        let unwind = nearest.map_or(0, |nearest| nearest.unwind);
        let text = format!("The passing run never ends; up to the bound of {unwind} it violates nothing.");
        return format!("{}\n", fill(&text, 0));
    }
    if report.program.temporal.is_none() && closing.is_none() {
        return String::new();
    }
    if report.program.hardware.is_some() {
        return forever_in_cycles(report);
    }
    let told = |run: &Run| match run.repeats_from().and_then(|step| run.steps.get(step)) {
        Some(step) => {
            let at = report.sources.position(step.span);
            format!("repeats for ever what it does from {}:{} on", at.file, at.line)
        }
        None => "comes to its end".to_owned(),
    };
    let explanation = report.explanation;
    let is_formula = explanation.property.is_some_and(|at| explanation.claims[at].kind == ClaimKind::Temporal);
    // One that violates something else stops there.
    let failing = failing(explanation).map(told);
    let passing = nearest.map(|nearest| told(&nearest.run));
    let text = match (failing, passing) {
        (None, _) => return String::new(),
        (Some(_), None) if !is_formula => return String::new(),
        (Some(_), Some(passing)) if !is_formula => format!("The passing run {passing}."),
        (Some(failing), Some(passing)) if failing == passing => format!("Each of the two runs {failing}."),
        (Some(failing), Some(passing)) => format!("The failing run {failing}; the passing run {passing}."),
        (Some(failing), None) => format!("The failing run {failing}."),
    };
    format!("{}\n", fill(&text, 0))
}
