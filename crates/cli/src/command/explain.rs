//! `nearmiss explain`: why does it fail? Both runs, the failing and the passing one, are replayed by the compiled program.

use nearmiss_explain::check::CheckError;
use nearmiss_explain::explain::{self, ExplainOptions};
use nearmiss_program::source::Diagnostic;

use crate::answer::Answer;
use crate::exit::{Exit, Explained};
use crate::given;
use crate::limits::Reason;
use crate::reading::Reading;
use crate::settings::Contrasting;
use crate::unanswered::Unanswered;
use crate::work::Work;
use crate::{form, notes, replay};

/// Explains, replays, renders.
pub fn run(work: &Work, how: &Contrasting, read: &mut Reading) -> Result<Exit, Unanswered> {
    let (options, given) = options(work, how, read)?;
    let read = &*read;
    let answered = explain::explain(&read.program, &read.sources, &options, &mut work.watch());
    let stopped_by = work.settle();
    let mut explanation = answered?;
    explanation.notes.extend(given);
    match &mut explanation.contrast {
        Some(contrast) => contrast.assumptions.extend(read.assumptions.iter().cloned()),
        None => explanation.notes.extend(notes::assumed(&read.assumptions)),
    }
    let answer = Answer { work, read, properties: &options.check.properties, explanation: &explanation, stopped_by };
    let replays = replay::confirmed(&answer, || replay::compiled(&answer))?;
    let mut notes = notes::of(&answer, &replays);
    notes.extend(how.emit_tests.as_ref().map(|folder| replay::emitted(&answer, folder)));
    answer.report(&replays, notes, |report| form::write(work.settings, report))?;
    let explained = if stopped_by == Some(Reason::Interrupt) { Explained::InPart } else { Explained::Whole };
    Ok(Exit::of(explanation.verdict, explained))
}

/// What to explain, and how; also what to know of the failing run, if it is given.
pub fn options(
    work: &Work,
    how: &Contrasting,
    read: &mut Reading,
) -> Result<(ExplainOptions, Vec<Diagnostic>), CheckError> {
    let mut check = work.options();
    let (mut given, mut notes) = (None, Vec::new());
    if let Some(path) = &how.counterexample {
        work.progress.say("reading the counterexample");
        let run = given::run(path, &read.program, &mut read.sources, &check)?;
        check.properties = run.properties;
        (given, notes) = (Some(run.inputs), run.notes);
    }
    Ok((ExplainOptions { check, given, predicates: read.predicates.clone(), ..how.options.clone() }, notes))
}
