//! `check`, `explain` and `fix` where tests are given: each is executed by the interpreter and by the compiled program, and edits are
//! looked for with which all pass.

use nearmiss_explain::Why;
use nearmiss_explain::explain::Wanted;
use nearmiss_explain::explanation::{Fix, TestRun, Tests, Wrong};
use nearmiss_explain::fix::{FixOptions, edited_text};
use nearmiss_program::c::trial::{Compare, Trials};
use nearmiss_report::replay::{Replay, Replays};
use nearmiss_report::{Background, Report};

use super::fix::{lines, written};
use crate::exit::{Exit, Explained};
use crate::form;
use crate::native::trials::{self, Ran};
use crate::reading::ReadProgram;
use crate::settings::{Native, Task};
use crate::unanswered::Unanswered;
use crate::work::{Work, stopped};

/// Runs the tests, looks for fixes, replays, applies, renders.
pub fn run(work: &Work, trials: &Trials, read: &ReadProgram) -> Result<Exit, Unanswered> {
    let options = options(work, read)?;
    if options.is_some() {
        work.fixing();
    }
    let answered = read.program.test(options.as_ref(), &work.options().stop);
    let stopped_by = work.settle();
    let mut why = answered?;
    let mut notes: Vec<String> = stopped_by.map(|reason| stopped(work.settings, reason)).into_iter().collect();
    let mut replays = match (work.settings.native, &why.explanation().tests) {
        (Native::Replay, Some(tests)) if stopped_by.is_none() => {
            replayed(work, trials, read, (&why, tests), &mut notes)
        }
        _ => Replays::nobody_asked(),
    };
    // What the compiled program does not confirm is no fix: it may lean on what is not set.
    why.withdraw(&|at: usize| matches!(replays.fixes.get(at), Some(Replay::Refuted(_))));
    replays.fixes.retain(|replay| !matches!(replay, Replay::Refuted(_)));
    let done = match &work.settings.task {
        Task::Fix(task) => written(task, work, read, why.explanation()),
        _ => Ok(None),
    };
    notes.extend(done.iter().flatten().cloned());
    let background = Background::of_why(&why).replayed(replays).noting(notes);
    form::write(work.settings, &Report::of_why(work.settings.command, &why, &background))?;
    if let Err((message, exit)) = done {
        work.settings.output.listener.complain(&format!("error: {message}"));
        return Ok(exit);
    }
    let explained = if stopped_by.is_some() { Explained::InPart } else { Explained::Whole };
    Ok(Exit::of(why.verdict(), explained))
}

/// How edits are looked for, if they are.
fn options(work: &Work, read: &ReadProgram) -> Result<Option<FixOptions>, Unanswered> {
    let check = work.options();
    Ok(match &work.settings.task {
        Task::Fix(task) => {
            let at = lines(task, read).map_err(Unanswered::Mistyped)?;
            let (trust, edits, enough) = (task.trust.clone(), task.edits, task.most);
            Some(FixOptions { check, trust, edits, at, enough, ..FixOptions::default() })
        }
        Task::Explain(how) => {
            let enough = if how.options.fixes == Wanted::Yes { FixOptions::default().enough } else { 0 };
            Some(FixOptions { check, trust: how.options.trust.clone(), enough, ..FixOptions::default() })
        }
        _ => None,
    })
}

/// The tests by the compiled program: it must do what the interpreter did, and pass with each fix. What was refuted is an error of ours.
fn replayed(
    work: &Work,
    trials: &Trials,
    read: &ReadProgram,
    (why, tests): (&Why, &Tests),
    notes: &mut Vec<String>,
) -> Replays {
    work.progress.say("running the tests in the compiled program");
    let stop = work.last_moment();
    let bits = read.program.lowered().pointer.bits;
    let ran = match trials::run(work.settings, &texts(read, None), &trials.all, bits, &stop) {
        Ok(ran) => ran,
        Err(why) => {
            notes.push(format!("the tests were not run by the compiled program: {why}"));
            return Replays::nobody_asked();
        }
    };
    for (test, ran) in tests.all.iter().zip(&ran) {
        if let Some(how) = disagreement(test, ran, trials.compare) {
            notes.push(format!("test {}: the compiled program {how}", test.name));
        }
    }
    let agrees = tests.all.iter().zip(&ran).all(|(test, ran)| disagreement(test, ran, trials.compare).is_none());
    let of_fix = |fix: &Fix| match trials::run(work.settings, &texts(read, Some(fix)), &trials.all, bits, &stop) {
        Err(why) => Replay::Skipped(why),
        Ok(ran) => {
            let fails = trials.all.iter().zip(&ran).find(|(trial, ran)| {
                let expected =
                    trial.expected.as_ref().is_none_or(|expected| trials.compare.is_same(expected, &ran.printed));
                !expected
                    || ran.is_late
                    || ran.status.is_none()
                    || trial.status.is_some_and(|code| ran.status != Some(code.into()))
            });
            match fails {
                Some((trial, _)) => {
                    Replay::Refuted(format!("with it test {} fails in the compiled program", trial.name))
                }
                None => Replay::Confirmed,
            }
        }
    };
    let found = why.fixes().map_or(&[][..], |found| &found.found);
    let fixes: Vec<Replay> = found.iter().take(MOST_COMPILED).map(of_fix).collect();
    for (number, replay) in fixes.iter().enumerate() {
        if let Replay::Skipped(how) = replay {
            notes.push(format!("fix {} was not tried by the compiled program: {how}", number + 1));
        }
    }
    let failing = if agrees { Replay::Confirmed } else { Replay::Skipped(String::new()) };
    Replays { failing, fixes, ..Replays::nobody_asked() }
}

/// So many fixes are compiled.
const MOST_COMPILED: usize = 5;

/// The files of the user's, with a fix made.
fn texts(read: &ReadProgram, fix: Option<&Fix>) -> Vec<(String, String)> {
    let sources = read.sources();
    let files = sources.files().filter(|(_, file)| !file.system);
    let edits = fix.map_or(&[][..], |fix| &fix.edits);
    files.map(|(id, file)| (file.name.clone(), edited_text(&file.text, id, edits))).collect()
}

/// What the compiled program does otherwise; nothing is said where C does not say what it does.
fn disagreement(test: &TestRun, ran: &Ran, compare: Compare) -> Option<String> {
    // What is not set may be anything.
    if !test.unset.is_empty() {
        return None;
    }
    let expected = |expected: &Vec<u8>| compare.is_same(expected, &ran.printed);
    match test.wrong {
        Some(Wrong::Check(_) | Wrong::Excluded) => None,
        Some(Wrong::Endless) if ran.is_late => None,
        Some(Wrong::Endless) => Some("comes to its end".to_owned()),
        None | Some(Wrong::Status(_)) if ran.is_late => Some("does not come to its end".to_owned()),
        // It ends here with the first thing that is wrong.
        _ if ran.is_late => None,
        None | Some(Wrong::Status(_)) => {
            let same = test.expected.as_ref().is_none_or(expected);
            (!same).then(|| "prints something else".to_owned())
        }
        Some(Wrong::Printed | Wrong::Missing) => {
            let passes = test.expected.as_ref().is_some_and(expected);
            passes.then(|| "prints what is expected".to_owned())
        }
    }
}
