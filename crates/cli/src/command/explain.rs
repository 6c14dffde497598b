//! `nearmiss explain`: why does it fail? Both runs, the failing and the passing one, are replayed by the compiled program.

use std::thread;

use nearmiss_explain::Verdict;
use nearmiss_explain::check::{CheckError, CheckOptions};
use nearmiss_explain::explain::{BothRuns, ExplainOptions, Foretold};
use nearmiss_explain::explanation::Explanation;
use nearmiss_program::source::{Diagnostic, Severity};
use nearmiss_report::replay::Replay;
use nearmiss_report::view::Verb;
use nearmiss_report::{Background, Report};

use crate::answer::Answer;
use crate::exit::{Exit, Explained};
use crate::given;
use crate::limits::Reason;
use crate::reading::ReadProgram;
use crate::settings::Contrasting;
use crate::unanswered::Unanswered;
use crate::work::Work;
use crate::{fixed, form, notes, replay};

/// Explains, replays, renders.
pub fn run(work: &Work, how: &Contrasting, read: &mut ReadProgram) -> Result<Exit, Unanswered> {
    let (options, given) = options(work, how, read)?;
    let read = &*read;
    let (early, fixes) = (replay::Early::default(), fixed::Early::default());
    let answered = thread::scope(|scope| {
        let properties = &options.check.properties;
        let replay = |runs: BothRuns| early.replay(work, read, properties, runs);
        let fix = |found: Box<Explanation>| fixes.begin(work, read, properties, &found);
        let beside = |known: Foretold| {
            scope.spawn(move || match known {
                Foretold::Runs(runs) => replay(*runs),
                Foretold::Fixes(found) => fix(found),
            });
        };
        read.program.explain_beside(&options, &mut work.watch(), &beside)
    });
    let stopped_by = work.settle();
    let mut why = answered?;
    if stopped_by.is_none() {
        read.program.blame(&mut why, &work.options());
        why.note(read.program.of_reference(&work.options()));
    } else if read.program.reference().is_some() && why.verdict() == Verdict::Fails {
        let message = "time was over before it was asked which of the changes is to blame".to_owned();
        why.note([Diagnostic { severity: Severity::Note, message, span: None, help: None }]);
    }
    why.note(given);
    // The best fix is shown; one that the compiled program does not confirm is none.
    if let [Replay::Refuted(_)] = fixes.first(&Answer::of_why(work, read, &why, stopped_by))[..] {
        why.withdraw_fixes();
    }
    let answer = Answer::of_why(work, read, &why, stopped_by);
    let replays = replay::confirmed(&answer, || early.finished(&answer))?;
    let mut notes = notes::of(&answer, &replays);
    notes.extend(how.emit_tests.as_ref().map(|folder| replay::emitted(&answer, folder)));
    notes.extend(form::emitted(work.settings, &why)?);
    let background = Background::of_why(&why).replayed(replays).noting(notes);
    form::write(work.settings, &Report::of_why(Verb::Explain, &why, &background))?;
    let explained = if stopped_by == Some(Reason::Interrupt) { Explained::InPart } else { Explained::Whole };
    Ok(Exit::of(why.verdict(), explained))
}

/// What to explain, and how; also what to know of the failing run, if it is given.
pub fn options(
    work: &Work,
    how: &Contrasting,
    read: &mut ReadProgram,
) -> Result<(ExplainOptions, Vec<Diagnostic>), CheckError> {
    let check = work.options();
    let given = given::run_of(work, (how.counterexample.as_deref(), how.clock.as_ref()), read, &check)?;
    let check = CheckOptions { properties: given.properties, ..check };
    Ok((ExplainOptions { check, given: given.inputs, ..how.options.clone() }, given.notes))
}
