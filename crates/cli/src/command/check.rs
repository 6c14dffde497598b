//! `nearmiss check`: does it fail? The failing run is replayed by the compiled program.

use nearmiss_report::view::Verb;
use nearmiss_report::{Background, Report};

use crate::answer::Answer;
use crate::exit::{Exit, Explained};
use crate::reading::ReadProgram;
use crate::unanswered::Unanswered;
use crate::work::Work;
use crate::{form, notes, replay};

/// Checks, replays, renders.
pub fn run(work: &Work, read: &ReadProgram) -> Result<Exit, Unanswered> {
    let answered = read.program.check_watched(&work.options(), &mut work.watch());
    let stopped_by = work.settle();
    let mut why = answered?;
    why.note(read.program.of_reference(&work.options()));
    let answer = Answer::of_why(work, read, &why, stopped_by);
    let replays = replay::confirmed(&answer, || replay::compiled(&answer))?;
    let mut notes = notes::of(&answer, &replays);
    notes.extend(form::emitted(work.settings, &why)?);
    let background = Background::of_why(&why).replayed(replays).noting(notes);
    form::write(work.settings, &Report::of_why(Verb::Check, &why, &background))?;
    Ok(Exit::of(why.verdict(), Explained::Whole))
}
