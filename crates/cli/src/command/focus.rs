//! `nearmiss focus`: every way in which a program fails, or in which a condition is reached.
//!
//! The run of the first way is replayed by the compiled program as well; all were executed by the interpreter.

use nearmiss_explain::focus::{Focus, FocusOptions, Unknown};
use nearmiss_explain::method::focus_sequences::Rest;
use nearmiss_program::source::{Diagnostic, Severity};
use nearmiss_report::replay::{Replay, Replays};
use nearmiss_report::{Background, Report, ways_text};

use crate::answer::Answer;
use crate::exit::{Exit, Explained};
use crate::limits::Reason;
use crate::reading::ReadProgram;
use crate::settings::{FocusTask, Native};
use crate::unanswered::Unanswered;
use crate::work::{Work, stopped};
use crate::{form, notes, replay};

/// Finds the ways, replays the first, renders.
pub fn run(work: &Work, task: &FocusTask, read: &ReadProgram) -> Result<Exit, Unanswered> {
    let over = task.view.over.clone();
    let options = FocusOptions { check: work.options(), over, summaries: task.summaries, ..FocusOptions::default() };
    let answered = read.program.focus_watched(&options, &mut work.watch());
    let stopped_by = work.settle();
    let ways = answered?;
    let found = ways.found();
    if let Some(unknown) = &found.unknown {
        return Err(Unanswered::Mistyped(no_such_input(unknown)));
    }
    let answer = Answer::of_ways(work, read, &ways, stopped_by);
    let replays = replay::confirmed(&answer, || replay(&answer, found))?;
    let notes = notes(&answer, found, &replays);
    let background = Background::of_ways(&ways).replayed(replays).noting(notes);
    form::write(work.settings, &Report::of_ways(&ways, &task.view, &background))?;
    let in_part = found.cut_short || stopped_by == Some(Reason::Interrupt);
    Ok(Exit::of(found.explanation.verdict, if in_part { Explained::InPart } else { Explained::Whole }))
}

fn no_such_input(unknown: &Unknown) -> Diagnostic {
    let message = format!("--over {}: there is no such input", unknown.name);
    let help = match unknown.inputs.is_empty() {
        true => "the program has no inputs".to_owned(),
        false => format!("the inputs are {}", unknown.inputs.join(", ")),
    };
    Diagnostic { severity: Severity::Error, message, span: None, help: Some(help) }
}

/// Replays the run of the first way, as far as the compiled program can do that and somebody waits for it.
fn replay(answer: &Answer, found: &Focus) -> Replays {
    let settings = answer.work.settings;
    let skipped = |why: String| Replays { failing: Replay::Skipped(why), ..Replays::nobody_asked() };
    let is_wanted = settings.native == Native::Replay;
    match answer.read.program.reached() {
        Some(_) if is_wanted && !found.ways.is_empty() => {
            skipped("the condition to be reached is no part of it".to_owned())
        }
        Some(_) => Replays::nobody_asked(),
        // Who interrupts does not want to wait for a compiler.
        None if is_wanted && answer.stopped_by == Some(Reason::Interrupt) => {
            skipped(stopped(settings, Reason::Interrupt))
        }
        None => replay::compiled(answer),
    }
}

/// What to know beyond the ways.
fn notes(answer: &Answer, found: &Focus, replays: &Replays) -> Vec<String> {
    let mut notes = notes::of(answer, replays);
    if !found.unlooked.is_empty() {
        notes.push(ways_text::unlooked(found));
    }
    if let Some(reason) = answer.stopped_by {
        let stopped = stopped(answer.work.settings, reason);
        notes.retain(|note| *note != stopped);
        let what = match found.rest {
            Rest::None if found.ways.iter().any(|way| way.untold) => {
                "of some ways it is not known when they happen, and more may be assumed than is needed"
            }
            Rest::None => "more may be assumed than is needed",
            _ => "not all ways are known, and more may be assumed than is needed",
        };
        notes.push(format!("{stopped}: {what}"));
    }
    notes
}
