//! What each command does: one file per command, and here which one it is.

mod causes;
mod check;
mod crash;
mod dump;
mod explain;
mod fix;
mod focus;
mod listing;
mod manual;
mod score;
mod suite;
mod tests;

use anyhow::Result;
use nearmiss_explain::check::CheckError;
use nearmiss_program::source::{Diagnostic, Severity};
use nearmiss_report::json as report_json;
use nearmiss_report::view::{Format, Verb};

use crate::exit::Exit;
use crate::loader;
use crate::mistyped;
use crate::reading::{self, ReadProgram};
use crate::settings::{Job, Settings, Task};
use crate::unanswered::{Unanswered, Wanted, tell_errors};
use crate::work::Work;

/// Does what was asked for. `Err` is a file that cannot be written.
pub fn run(job: &Job) -> Result<Exit> {
    if job.is_task() {
        loader::record();
        crate::suite::process::end_with_the_suite();
    }
    match job {
        Job::Program(settings) => about_program(settings),
        Job::Trace(settings) => causes::run(settings),
        Job::Suite(settings) => suite::run(settings),
        Job::Completions(shell) => manual::completions(*shell),
        Job::Man(None) => manual::page(),
        Job::Man(Some(folder)) => manual::pages(folder),
    }
}

/// Reads the program and hands it to the command.
fn about_program(settings: &Settings) -> Result<Exit> {
    let work = Work::start(settings);
    let asked = asked(settings);
    work.progress.say("reading");
    let read = reading::read(settings);
    if settings.format == Format::Record {
        // First of all: whatever becomes of this process, it is known on what that depends.
        settings.output.write(&report_json::print(&serde_json::json!({"read": loader::recorded()})))?;
    }
    match read {
        Ok(mut read) => about(&work, &mut read).or_else(|unanswered| {
            work.end();
            unanswered.tell(read.sources(), &settings.output, asked)
        }),
        Err(unreadable) => {
            work.end();
            let unanswered = Unanswered::None(CheckError::Input(unreadable.errors));
            unanswered.tell(&unreadable.sources, &settings.output, asked)
        }
    }
}

/// The command, and whether its answer is an object.
fn asked(settings: &Settings) -> (Verb, Wanted) {
    (
        settings.command,
        if matches!(settings.format, Format::Json | Format::Record) { Wanted::Json } else { Wanted::Words },
    )
}

/// Does with a program what was asked for.
fn about(work: &Work, read: &mut ReadProgram) -> Result<Exit, Unanswered> {
    let settings = work.settings;
    if let Some(error) = mistyped::property(read.program.lowered(), settings) {
        work.end();
        settings.output.listener.complain(&format!("error: {error}"));
        let message = error.lines().next().unwrap_or_default().to_owned();
        let error = Diagnostic { severity: Severity::Error, message, span: None, help: None };
        tell_errors(&[error], read.sources(), &settings.output, asked(settings))?;
        return Ok(Exit::Usage);
    }
    let mistyped = mistyped::warnings(read.program.lowered(), settings);
    if !mistyped.is_empty() {
        work.progress.clear();
        settings.output.complain(&mistyped, read.sources());
    }
    if let Some(given) = &settings.crash
        && matches!(settings.task, Task::Check | Task::Explain(_) | Task::Fix(_) | Task::Focus(_))
    {
        return crash::run(work, given, read);
    }
    let trials = settings.tests.as_ref().and_then(|_| read.program.trials().cloned());
    match &settings.task {
        Task::Check | Task::Explain(_) | Task::Fix(_) if let Some(trials) = &trials => tests::run(work, trials, read),
        Task::Check => check::run(work, read),
        Task::Explain(how) => explain::run(work, how, read),
        Task::Fix(task) => fix::run(work, task, read),
        Task::Focus(task) => focus::run(work, task, read),
        Task::Score(task) => score::run(work, task, read),
        Task::ShowProperties => listing::properties(work, read),
        Task::ShowLoops => listing::loops(work, read),
        Task::Dump(what, how) => dump::run(work, *what, how.as_ref(), read),
    }
}
