//! `nearmiss fix`: which edit makes it right? The failing run is found as for `explain`, then edits are tried. The program with
//! each fix that is told is compiled and replays the failing run.

use std::thread;

use nearmiss_explain::check::{CheckError, CheckOptions};
use nearmiss_explain::explain::BothRuns;
use nearmiss_explain::explanation::{CrashFile, Explanation};
use nearmiss_explain::fix::FixOptions;
use nearmiss_explain::{Verdict, Why};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{Diagnostic, Severity};
use nearmiss_report::replay::Replays;
use nearmiss_report::view::{Format, Verb};
use nearmiss_report::{Background, Report, fixes};

use crate::answer::Answer;
use crate::exit::{Exit, Explained};
use crate::given;
use crate::reading::ReadProgram;
use crate::settings::FixTask;
use crate::unanswered::Unanswered;
use crate::work::Work;
use crate::{apply, fixed, form, notes, replay};

/// Checks, looks for fixes, replays, applies, renders.
pub fn run(work: &Work, task: &FixTask, read: &mut ReadProgram) -> Result<Exit, Unanswered> {
    let check = work.options();
    let given = given::run_of(work, (task.counterexample.as_deref(), None), read, &check)?;
    let told = mended(work, task, read, given, None)?;
    told.ok_or_else(|| CheckError::Internal("an answer was withheld".to_owned()).into())
}

/// A crash file whose run is to pass.
pub struct OfCrash {
    /// What is told of it.
    pub file: CrashFile,
    /// Inputs beside it that pass: a fix had better leave these alone.
    pub beside: Vec<Inputs>,
    /// What it adds to the price of a fix that twice as many passing runs change.
    pub price_of_change: u32,
    /// What to do where no fix is found in half of the time.
    pub otherwise: Otherwise,
}

/// What to do where no fix is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Otherwise {
    /// To say so.
    Tell,
    /// To say nothing: the same is asked of fewer inputs.
    AskForLess,
}

/// The same of a run that is given, or of one that is looked for; no exit where less is to be asked for.
pub fn mended(
    work: &Work,
    task: &FixTask,
    read: &ReadProgram,
    given: given::Wanted,
    crash: Option<OfCrash>,
) -> Result<Option<Exit>, Unanswered> {
    let at = lines(task, read).map_err(Unanswered::Mistyped)?;
    let check = CheckOptions { patient: false, explained: true, properties: given.properties, ..work.options() };
    let mut answered = match &given.inputs {
        // The run is known; what other claims do is not asked.
        Some(inputs) if crash.is_some() => read.program.given(&check, inputs),
        Some(inputs) => read.program.check_given(&check, inputs, &mut work.watch()),
        None => read.program.check_watched(&check, &mut work.watch()),
    };
    let mut searched = Ok(());
    let early = replay::Early::default();
    if let Ok(why) = &mut answered
        && why.verdict() == Verdict::Fails
        && let Some(known) = failing(why)
    {
        // What undoes changes is a fix, too, and mostly found sooner than others.
        let check_of_changes = work.options();
        let stop = check_of_changes.stop.halfway();
        read.program.blame(why, &CheckOptions { stop, ..check_of_changes });
        work.fixing();
        let properties = check.properties.clone();
        let check = CheckOptions { properties: properties.clone(), ..work.options() };
        let options = edits(task, at, check, crash.as_ref());
        // The compiled program starts meanwhile.
        searched = thread::scope(|scope| {
            if options.check.threads.are_many() {
                let early = &early;
                scope.spawn(move || early.replay(work, read, &properties, known));
            }
            read.program.fix(why, &options)
        });
    }
    let is_empty = |why: &Why| why.fixes().is_none_or(|found| found.found.is_empty() && !found.complete);
    let may_ask_again = crash.as_ref().is_some_and(|crash| crash.otherwise == Otherwise::AskForLess);
    if may_ask_again && searched.is_ok() && answered.as_ref().is_ok_and(is_empty) {
        return Ok(None);
    }
    let stopped_by = work.settle();
    let mut why = answered?;
    why.note(given.notes);
    crash.into_iter().for_each(|crash| why.tell_crash(crash.file));
    searched?;
    read.program.undo_first(&mut why);
    if stopped_by.is_none() {
        why.note(read.program.of_reference(&work.options()));
    }
    let answer = Answer::of_why(work, read, &why, stopped_by);
    let replays = replay::confirmed(&answer, || {
        let runs = early.finished(&answer);
        Replays { fixes: fixed::compiled(&answer, usize::MAX), ..runs }
    })?;
    let mut notes = notes::of(&answer, &replays);
    let done = written(task, work, read, answer.explanation);
    notes.extend(done.iter().flatten().cloned());
    let background = Background::of_why(&why).replayed(replays).noting(notes);
    // A patch that does not fit is none.
    if done.is_ok() || work.settings.format != Format::Patch {
        form::write(work.settings, &Report::of_why(Verb::Fix, &why, &background))?;
    }
    if let Err((message, exit)) = done {
        work.settings.output.listener.complain(&format!("error: {message}"));
        return Ok(Some(exit));
    }
    let is_whole = why.fixes().is_none_or(|found| found.complete || found.found.len() >= task.most);
    let explained = if stopped_by.is_some() && !is_whole { Explained::InPart } else { Explained::Whole };
    Ok(Some(Exit::of(why.verdict(), explained)))
}

/// How edits are looked for.
fn edits(task: &FixTask, at: Vec<(String, u32)>, check: CheckOptions, crash: Option<&OfCrash>) -> FixOptions {
    let (trust, edits, enough) = (task.trust.clone(), task.edits, task.most);
    let usual = FixOptions::default();
    // Who names lines wants all that there is for them.
    let enough_on_line = if at.is_empty() { usual.enough_on_line } else { enough };
    let mut options = FixOptions { check, trust, edits, at, enough, enough_on_line, ..usual };
    if let Some(crash) = crash {
        (options.beside, options.price_of_change) = (crash.beside.clone(), crash.price_of_change);
        if crash.otherwise == Otherwise::AskForLess {
            options.check.stop = options.check.stop.halfway();
        }
    }
    options
}

/// The failing run, by itself.
fn failing(why: &Why) -> Option<BothRuns> {
    let explanation = why.explanation();
    let (shown, property) = (explanation.counterexample.as_ref()?, explanation.property?);
    let (claim, failing) = (explanation.claims[property].clone(), (shown.inputs.clone(), shown.run.clone()));
    Some(BothRuns { claim, failing, passing: None })
}

/// Writes the fix that was asked for into its file, and says so; of a patch, looks whether it will fit. `Err` says why not.
pub(super) fn written(
    task: &FixTask,
    work: &Work,
    read: &ReadProgram,
    explanation: &Explanation,
) -> Result<Option<String>, (String, Exit)> {
    let Some(found) = &explanation.fixes else { return Ok(None) };
    if work.settings.format == Format::Patch {
        let Some(best) = found.found.first() else {
            work.settings.output.listener.complain(&format!("note: {}", fixes::tried(found)));
            return Ok(None);
        };
        let obstacle = apply::obstacle(read.sources(), &best.edits);
        return obstacle.map_or(Ok(None), |why| Err((why, Exit::Input)));
    }
    let Some(number) = task.apply else { return Ok(None) };
    match (found.found.get(number - 1), found.found.len()) {
        (Some(fix), _) => {
            let files = apply::write(read.sources(), &fix.edits);
            let files = files.map_err(|why| (format!("--apply {number}: {why}"), Exit::Input))?;
            Ok(Some(format!("fix {number} was written into {}", files.join(", "))))
        }
        (None, 0) => Err((format!("--apply {number}: there is no fix to apply"), Exit::Fails)),
        (None, 1) => Err((format!("--apply {number}: there is only one fix"), Exit::Usage)),
        (None, all) => Err((format!("--apply {number}: there are only {all} fixes"), Exit::Usage)),
    }
}

/// The lines that may be edited, under the names that places have; the end of a path suffices.
pub(super) fn lines(task: &FixTask, read: &ReadProgram) -> Result<Vec<(String, u32)>, Diagnostic> {
    let sources = read.sources();
    let files = sources.files().filter(|(_, file)| !file.system).map(|(_, file)| file.name.clone());
    let marked = read.program.lowered().functions.iter().map(|function| sources.position(function.span).file);
    let mut names: Vec<String> = files.chain(marked).collect();
    names.sort();
    names.dedup();
    let mut lines = Vec::new();
    for (file, line) in &task.at {
        let is_named = |name: &&String| {
            *name == file || name.strip_suffix(file.as_str()).is_some_and(|folder| folder.ends_with('/'))
        };
        let known: Vec<(String, u32)> = names.iter().filter(is_named).map(|name| (name.clone(), *line)).collect();
        if known.is_empty() {
            let message = format!("--at {file}:{line}: there is no such file");
            return Err(Diagnostic { severity: Severity::Error, message, span: None, help: None });
        }
        lines.extend(known);
    }
    Ok(lines)
}
