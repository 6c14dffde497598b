//! `nearmiss check`: does it fail? The failing run is replayed by the compiled program.

use nearmiss_explain::check;

use crate::answer::Answer;
use crate::exit::{Exit, Explained};
use crate::reading::Reading;
use crate::unanswered::Unanswered;
use crate::work::Work;
use crate::{form, notes, replay};

/// Checks, replays, renders.
pub fn run(work: &Work, read: &Reading) -> Result<Exit, Unanswered> {
    let options = work.options();
    let answered = check::check(&read.program, &options, &mut work.watch());
    let stopped_by = work.settle();
    let explanation = &answered?;
    let answer = Answer { work, read, properties: &options.properties, explanation, stopped_by };
    let replays = replay::confirmed(&answer, || replay::compiled(&answer))?;
    let notes = notes::of(&answer, &replays);
    answer.report(&replays, notes, |report| form::write(work.settings, report))?;
    Ok(Exit::of(explanation.verdict, Explained::Whole))
}
