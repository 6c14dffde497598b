//! What the command line of `suite` means, and what may stand in that of a task.

use std::time::Duration;

use clap::Parser;
use nearmiss_report::view::{Detail, Format};

use super::{Job, STANDARD_INPUT, Task};
use crate::args::Cli;
use crate::args::causes::CausesFormat;
use crate::args::suite::{Again, SuiteArgs};
use crate::listener::Listener;
use crate::output::Output;

/// Everything that was asked about a suite.
#[derive(Clone, Debug)]
pub struct SuiteSettings {
    /// What to do.
    pub part: Part,
    /// The manifest, the task definition or the folder; none where one task is to be done.
    pub manifest: Option<String>,
    /// Where results are kept, if that is said.
    pub results: Option<String>,
    /// Patterns of names, if only some tasks are asked for.
    pub only: Vec<String>,
    /// Files that have changed, if only tasks that read them are asked for.
    pub changed: Option<Vec<String>>,
    /// The revision since which they have changed.
    pub since: Option<String>,
    /// Which tasks are done again.
    pub again: Option<Again>,
    /// So many tasks at once, if that is said.
    pub jobs: Option<u16>,
    /// So many threads for each task.
    pub threads: u16,
    /// Megabytes for each task, if that is said.
    pub memory: Option<u64>,
    /// How the answer looks.
    pub format: Format,
    /// Where it goes.
    pub output: Output,
    /// Whether to print times and sizes.
    pub stats: bool,
}

/// What to do with a suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Everything.
    Whole,
    /// Say what is to be done.
    Plan,
    /// Do one task.
    Perform,
    /// Say what was done.
    Collect,
}

/// Works out what was asked. `Err` is an error of usage.
pub fn of(args: SuiteArgs) -> Result<SuiteSettings, String> {
    let part = match (args.plan, args.perform, args.collect) {
        (true, ..) => Part::Plan,
        (_, true, _) => Part::Perform,
        (_, _, true) => Part::Collect,
        _ => Part::Whole,
    };
    if part == Part::Perform && args.manifest.is_some() {
        return Err("--perform reads a line of a plan, which says it all; leave out the manifest".to_owned());
    }
    if args.manifest.as_deref() == Some("-") {
        return Err("a manifest is a file: what it names is told from its folder".to_owned());
    }
    Ok(SuiteSettings {
        part,
        manifest: args.manifest,
        results: args.results,
        only: args.only,
        changed: args.changed,
        since: args.since,
        again: args.again,
        jobs: args.jobs,
        threads: args.threads.unwrap_or(1),
        memory: args.memory,
        format: args.format,
        output: Output {
            path: args.output,
            detail: if args.quiet { Detail::Quiet } else { Detail::Normal },
            color: args.color,
            listener: Listener::Process,
        },
        stats: args.stats,
    })
}

/// What is wrong with the command line of a task that is to be about these files. It must print an answer, and do nothing
/// else: a suite does not write into the folders of its user.
pub fn check(argv: &[String], files: &[String]) -> Result<(), String> {
    let found = match job(argv)? {
        Job::Program(settings) => {
            let output = &settings.output;
            let listed =
                matches!(settings.task, Task::ShowProperties | Task::ShowLoops | Task::Dump(..) | Task::Score(_));
            let writes = |flag: &str| Err(format!("{flag} writes a file, which the tasks of a suite do not"));
            let emits = settings.crash.as_ref().is_some_and(|crash| crash.emit_input.is_some());
            match &settings.task {
                _ if listed => return Err("a list or an inner form is no answer that a suite can keep".to_owned()),
                _ if settings.format != Format::Text => {
                    return Err("leave out --format: a suite makes reports".to_owned());
                }
                _ if output.path.is_some() => return writes("-o"),
                _ if settings.emit_witness.is_some() => return writes("--emit-witness"),
                _ if emits => return writes("--emit-input"),
                Task::Fix(task) if task.apply.is_some() => return writes("--apply"),
                Task::Explain(how) if how.emit_tests.is_some() => return writes("--emit-tests"),
                _ => settings.files.len() - usize::from(settings.reference.is_some()),
            }
        }
        Job::Trace(settings) if settings.show_signals => {
            return Err("a list is no answer that a suite can keep".to_owned());
        }
        Job::Trace(settings) if settings.format != CausesFormat::Text => {
            return Err("leave out --format: a suite makes reports".to_owned());
        }
        Job::Trace(settings) if settings.output.path.is_some() => {
            return Err("-o writes a file, which the tasks of a suite do not".to_owned());
        }
        Job::Trace(_) => 1,
        _ => return Err("this is no command for a task".to_owned()),
    };
    if found != files.len() {
        return Err("files go to `files`: there is a word among the flags that is none".to_owned());
    }
    if argv.iter().any(|word| word == "-" || word == STANDARD_INPUT) {
        return Err("standard input (`-`) can be read only once; name a file".to_owned());
    }
    Ok(())
}

/// How long a task may take.
pub fn time_of(argv: &[String]) -> Option<Duration> {
    match job(argv) {
        Ok(Job::Program(settings)) => settings.timeout,
        Ok(Job::Trace(settings)) => settings.timeout,
        _ => None,
    }
}

fn job(argv: &[String]) -> Result<Job, String> {
    let words = ["nearmiss"].into_iter().chain(argv.iter().map(String::as_str));
    let parsed = Cli::try_parse_from(words).map_err(|error| {
        let error = Cli::elsewhere(&error).unwrap_or(error);
        one_line(&error.to_string())
    })?;
    super::of(parsed.command)
}

/// What the parser says, without what belongs to a terminal.
fn one_line(message: &str) -> String {
    let lines = message.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with("tip: to pass")).collect();
    let text = lines.join("; ");
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Result<(), String> {
        let argv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        check(&argv, &["a.c".to_owned()])
    }

    #[test]
    fn a_task_answers_and_does_nothing_else() {
        for line in [
            "check a.c --unwind 3",
            "explain a.c --reference b.c --function f",
            "focus a.c --crash=c",
            "causes a.c --formula F",
            "check a.c -- -DX",
        ] {
            assert_eq!(told(line), Ok(()), "{line}");
        }
        for line in [
            "check a.c -o x",
            "check a.c --format json",
            "check a.c --show-loops",
            "check a.c --dump cnf",
            "fix a.c --apply 1",
            "explain a.c --emit-tests x",
            "check a.c --crash=c --emit-input x",
            "check a.c --unwid 3",
            "check a.c b.c",
            "explain a.c --counterexample -",
            "causes a.c",
            "causes a.c --formula F --format vcd",
            "suite a.c",
            "man",
        ] {
            assert!(told(line).is_err(), "{line}");
        }
        let message = told("check a.c --unwid 3").expect_err("no flag");
        assert!(message.contains("--unwid") && message.contains("--unwind") && !message.contains('\n'), "{message}");
    }
}
