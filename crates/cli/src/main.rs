//! nearmiss: explains why a program or a trace fails.
//!
//! This file reads as the program: the command line says what is wanted ([`args`], [`settings`]), the files are read,
//! the program is checked or its failure explained, the runs are replayed ([`native`]), and the answer is rendered
//! ([`render`]). Everything that touches the outside (files, terminals, other processes, signals) is in this crate and
//! nowhere else.

mod args;
mod causes;
mod focus;
mod given;
mod limits;
mod loader;
mod manual;
mod mistyped;
mod native;
mod paint;
mod progress;
mod score;
mod settings;
mod temporal;

use std::fs;
use std::io::{self, Write};
use std::panic;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser};
use nearmiss_explain::check::{self, CheckError, CheckOptions};
use nearmiss_explain::dump::{self, Dump};
use nearmiss_explain::explain::{self, ExplainOptions, Wanted};
use nearmiss_explain::explanation::{Contrast, Explanation, InputValue, Nearest, Slice, Status, Verdict};
use nearmiss_program::c;
use nearmiss_program::program::Program;
use nearmiss_program::program::watched::Watched;
use nearmiss_program::program_text;
use nearmiss_program::run::Inputs;
use nearmiss_program::show;
use nearmiss_program::source::{Diagnostic, Severity, Sources};

use args::{Cli, DumpKind};
use limits::{Limits, Reason};
use loader::Disk;
use nearmiss_report::replay::{Replay, Replays};
use nearmiss_report::view::{Detail, Format, Verb};
use nearmiss_report::{Paint, Report, Side};
use paint::{Stream, choose};
use progress::Progress;
use settings::{Contrasting, Job, Native, Settings, Task};

/// How the process ends; the numbers are those of CBMC where it has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Exit {
    /// Every claim holds (the answer says whether for every execution or up to the bound), or a list was printed.
    Holds = 0,
    /// The command line is wrong.
    Usage = 1,
    /// The input cannot be read: the message says where and what to do.
    Input = 2,
    /// Time or memory was over, or it was interrupted; what is known was printed.
    Undecided = 5,
    /// A bug of ours, a failed replay included.
    Internal = 6,
    /// A claim is violated; the failing execution was printed.
    Fails = 10,
}

/// Deeply nested programs are read and printed by recursion. The memory is only reserved until it is used.
const STACK: usize = 1 << 30;

/// Where the last panic happened, for the message.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

fn main() -> ExitCode {
    let job = match job() {
        Ok(job) => job,
        Err(exit) => return ExitCode::from(exit as u8),
    };
    panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = PANIC.lock() {
            *last = Some(info.to_string());
        }
    }));
    let work = move || match job {
        Job::Program(settings) => run(&settings),
        Job::Trace(settings) => causes::run(&settings),
        Job::Completions(shell) => {
            write(&String::from_utf8_lossy(&manual::completions(shell)), None).map(|()| Exit::Holds)
        }
        Job::Man(None) => write(&String::from_utf8_lossy(&manual::page()?), None).map(|()| Exit::Holds),
        Job::Man(Some(folder)) => {
            manual::write_pages(Path::new(&folder)).with_context(|| format!("{folder} cannot be written"))?;
            Ok(Exit::Holds)
        }
    };
    let exit = match thread::Builder::new().stack_size(STACK).spawn(work).map(thread::JoinHandle::join) {
        Ok(Ok(Ok(exit))) => exit,
        Ok(Ok(Err(error))) => {
            eprintln!("error: {error:#}");
            Exit::Input
        }
        Ok(Err(_)) => {
            let what = PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default();
            internal_error(&what);
            Exit::Internal
        }
        Err(error) => {
            internal_error(&format!("no thread: {error}"));
            Exit::Internal
        }
    };
    ExitCode::from(exit as u8)
}

/// Reads the command line. `Err` is how to end: help was asked for, or the command line is wrong.
fn job() -> Result<Job, Exit> {
    let parsed = Cli::try_parse().and_then(|cli| {
        let verb = cli.command.verb();
        settings::of(cli.command).map_err(|message| {
            let mut command = Cli::command();
            command.build();
            let typed = command.find_subcommand_mut(verb.name());
            typed
                .map_or_else(Cli::command, |typed| typed.clone())
                .error(clap::error::ErrorKind::ValueValidation, message)
        })
    });
    parsed.map_err(|error| {
        // Help and version are errors to clap, but not to us; where printing fails nobody is listening.
        let _ = error.print();
        if error.use_stderr() { Exit::Usage } else { Exit::Holds }
    })
}

/// Read, check or explain, replay, render. `Err` is a file that cannot be written.
fn run(settings: &Settings) -> Result<Exit> {
    let limits = Limits::watch(settings.timeout, settings.memory, {
        let settings = settings.clone();
        move |reason, phase| give_up(&settings, reason, phase)
    });
    let output = Output { settings };
    let progress = Progress::start(settings.detail);
    let started = Instant::now();

    progress.say("reading");
    let mut sources = Sources::new();
    let disk = Disk::new(settings);
    let reach = focus::reach(settings);
    let read = c::assume::read_reaching(&settings.files, &settings.c, &settings.assumed, reach, &disk, &mut sources);
    let read = read.and_then(|(mut program, assumptions, reached)| {
        let typed = match &settings.task {
            Task::Explain(how) => &how.predicates[..],
            _ => &[],
        };
        let mut again = Sources::new();
        let predicates = c::predicate::add(&mut program, typed, &settings.files, &settings.c, &disk, &mut again);
        let predicates = predicates.inspect_err(|_| sources = again)?;
        temporal::claim(settings, &mut program, &disk, &mut sources)?;
        Ok((program, assumptions, reached, predicates))
    });
    let (program, assumptions, reached, predicates) = match read {
        Ok(read) => read,
        Err(errors) => {
            limits.settle();
            progress.clear();
            return output.errors(&errors, &sources);
        }
    };
    if let Task::Score(task) = &settings.task {
        limits.settle();
        progress.clear();
        return match score::score(task, &program, &sources) {
            Ok(scored) => output.write(&nearmiss_report::score::render(&scored, settings.format)).map(|()| Exit::Holds),
            Err(error) => output.errors(&[error], &sources),
        };
    }
    let reading = started.elapsed().as_secs_f64();
    if let Some(error) = mistyped::property(&program, settings) {
        progress.clear();
        eprintln!("error: {error}");
        return Ok(Exit::Usage);
    }
    let mistyped = mistyped::warnings(&program, settings);
    if !mistyped.is_empty() {
        progress.clear();
        diagnostics(&mistyped, &sources, settings.color, settings.detail);
    }

    let mut options = CheckOptions {
        unwind: settings.unwind,
        unwindset: settings.unwindset.clone(),
        unwinding_claims: settings.unwinding_claims,
        most_rounds: temporal::most_rounds(settings),
        properties: settings.properties.clone(),
        minimise: settings.minimise,
        patient: settings.patient,
        stop: limits.stop.clone(),
        ..CheckOptions::default()
    };
    let mut settings = settings.clone();
    let counterexample = match &settings.task {
        Task::Explain(how) | Task::Dump(DumpKind::Wcnf, Some(how)) => how.counterexample.as_deref(),
        _ => None,
    };
    let mut given = None;
    if let Some(path) = counterexample {
        progress.say("reading the counterexample");
        match given::run(path, &program, &mut sources, &options) {
            Ok(run) => given = Some(run),
            Err(error) => {
                limits.settle();
                progress.clear();
                return output.no_answer(&error, &sources);
            }
        }
    }
    if let Some(run) = &given {
        options.properties.clone_from(&run.properties);
        settings.properties.clone_from(&run.properties);
    }
    let settings = &settings;
    let listed = match &settings.task {
        Task::Check | Task::Explain(_) | Task::Focus(_) | Task::Score(_) => None,
        Task::ShowProperties => {
            Some(Ok(nearmiss_report::listing::properties(&program, &sources, settings.command, settings.format)))
        }
        Task::ShowLoops => {
            Some(Ok(nearmiss_report::listing::loops(&program, &sources, settings.command, settings.format)))
        }
        Task::Dump(DumpKind::Wcnf, Some(how)) => {
            let inputs = given.as_ref().map(|run| run.inputs.clone());
            let how = explain_options(how, inputs, predicates.clone(), options.clone());
            Some(explain::dump_nearest(&program, &sources, &how))
        }
        Task::Dump(what, _) => Some(dump(*what, &program, &sources, &options)),
    };
    if let Some(listed) = listed {
        limits.settle();
        progress.clear();
        return match listed {
            Ok(text) => output.write(&text).map(|()| Exit::Holds),
            Err(error) => output.no_answer(&error, &sources),
        };
    }

    let mut watch = |now: check::Progress| {
        limits.enter(now.phase);
        progress.say(&format!("{}, loops up to {}, {} steps", now.phase, now.unwind, now.steps));
    };
    if let Task::Focus(task) = &settings.task {
        let asked =
            focus::Asked { settings, task, program: &program, sources: &sources, reached, assumptions, reading };
        return focus::run(asked, options, &limits, &progress, &mut watch);
    }
    let answered = match &settings.task {
        Task::Explain(how) => {
            let inputs = given.as_ref().map(|run| run.inputs.clone());
            explain::explain(&program, &sources, &explain_options(how, inputs, predicates, options), &mut watch)
        }
        _ => check::check(&program, &options, &mut watch),
    };
    let stopped_by = limits.reason();
    limits.settle();
    let mut explanation = match answered {
        Ok(explanation) => explanation,
        Err(error) => {
            progress.clear();
            return output.no_answer(&error, &sources);
        }
    };

    explanation.notes.extend(given.into_iter().flat_map(|run| run.notes));
    match &mut explanation.contrast {
        Some(contrast) => contrast.assumptions.extend(assumptions),
        None => explanation.notes.extend(assumptions.into_iter().map(|assumption| {
            let message = format!("it is assumed that {}", assumption.text);
            Diagnostic::error(assumption.span, message).at(Severity::Note)
        })),
    }

    let replaying = Instant::now();
    progress.say("replaying the compiled program");
    limits.enter("replaying the compiled program");
    let replays = replay(settings, &sources, &program, &explanation);
    progress.clear();

    if settings.stats {
        eprint!("{}", stats(&explanation, reading, replaying.elapsed().as_secs_f64()));
    }
    if let Some(what) = refuted(&explanation, &program, &sources, &replays) {
        internal_error(&what);
        return Ok(Exit::Internal);
    }
    let mut told = notes(settings, stopped_by, &explanation, &replays);
    told.extend(emitted(settings, &sources, &program, &explanation));
    let nearest = nearest(&explanation);
    let names = |inputs| nearmiss_report::names::of_objects(&program, inputs, &settings.properties);
    let failing = explanation.counterexample.as_ref().map(|found| names(&found.inputs)).unwrap_or_default();
    let passing = nearest.map(|found| names(&found.inputs)).unwrap_or_default();
    let notation = nearmiss_report::Notation::of(&sources, &program);
    let report = Report {
        command: settings.command,
        sources: &sources,
        program: &program,
        explanation: &explanation,
        failing: Side { program: &program, replay: &replays.failing, names: &failing, notation: &notation },
        passing: Side { program: &program, replay: &replays.passing, names: &passing, notation: &notation },
        passes_over_claims: !settings.properties.is_empty(),
        notes: told,
    };
    output.report(&report)?;
    let interrupted = settings.command == Verb::Explain && stopped_by == Some(Reason::Interrupt);
    Ok(match explanation.verdict {
        Verdict::Fails if interrupted => Exit::Undecided,
        Verdict::Fails => Exit::Fails,
        Verdict::Holds => Exit::Holds,
        Verdict::Undecided => Exit::Undecided,
    })
}

fn explain_options(
    how: &Contrasting,
    given: Option<Inputs>,
    predicates: Vec<Watched>,
    check: CheckOptions,
) -> ExplainOptions {
    ExplainOptions {
        check,
        given,
        metric: how.metric.unwrap_or_default(),
        other_metric: if how.metric.is_none() { Wanted::Yes } else { Wanted::No },
        state: how.state,
        weights: how.weights,
        predicates,
        slice: how.slice,
        routes: how.routes,
        nearest_all: how.nearest_all,
        preconditions: how.preconditions,
        hypotheses: how.hypotheses,
        trust: how.trust.clone(),
        depth: how.depth,
    }
}

fn nearest(explanation: &Explanation) -> Option<&Nearest> {
    explanation.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref())
}

/// Where answers go.
struct Output<'a> {
    settings: &'a Settings,
}

impl Output<'_> {
    fn report(&self, report: &Report) -> Result<()> {
        let text = |detail, paint| match &report.explanation.contrast {
            Some(contrast) => nearmiss_report::contrast::render(contrast, report, detail, paint),
            None => nearmiss_report::terminal::render(report, detail, paint),
        };
        self.in_format(report, || nearmiss_report::json::answer(report), || nearmiss_report::html::render(report), text)
    }

    /// Writes an answer in the form that is wanted, given as JSON, as a page and as text.
    fn in_format(
        &self,
        report: &Report,
        answer: impl Fn() -> serde_json::Value,
        page: impl Fn() -> String,
        text: impl Fn(Detail, Paint) -> String,
    ) -> Result<()> {
        let sentence = || {
            let told = match report.command {
                Verb::Check => nearmiss_report::terminal::sentence(report),
                _ => text(Detail::Quiet, Paint::Plain),
            };
            let told = nearmiss_report::in_one_line(&told);
            told.strip_prefix("FAILS: ").map(str::to_owned).unwrap_or(told)
        };
        self.write(&match self.settings.format {
            Format::Json => nearmiss_report::json::print(&answer()),
            Format::Html => page(),
            Format::Sarif => nearmiss_report::sarif::render(&answer(), &sentence(), report.sources, here().as_deref()),
            Format::Markdown => nearmiss_report::markdown::render(&answer(), &sentence()),
            // A file without entries, where nothing fails.
            Format::Witness => witness(report, self.settings).unwrap_or_else(|| "[]\n".to_owned()),
            Format::Text => {
                let stream = if self.settings.output.is_some() { Stream::File } else { Stream::Output };
                text(self.settings.detail, choose(self.settings.color, stream))
            }
        })
    }

    fn no_answer(&self, error: &CheckError, sources: &Sources) -> Result<Exit> {
        match error {
            CheckError::Input(errors) => self.errors(errors, sources),
            CheckError::Internal(what) => {
                internal_error(what);
                Ok(Exit::Internal)
            }
        }
    }

    fn errors(&self, errors: &[Diagnostic], sources: &Sources) -> Result<Exit> {
        diagnostics(errors, sources, self.settings.color, self.settings.detail);
        if self.settings.format == Format::Json {
            self.write(&nearmiss_report::json::render_errors(self.settings.command, errors, sources))?;
        }
        Ok(Exit::Input)
    }
    fn write(&self, text: &str) -> Result<()> {
        write(text, self.settings.output.as_deref())
    }
}

/// The failing run as a witness, with what it says of the files and the time.
fn witness(report: &Report, settings: &Settings) -> Option<String> {
    let bytes = |name: &String| (name.clone(), fs::read(name).unwrap_or_default());
    let files: Vec<(String, Vec<u8>)> = settings.files.iter().map(bytes).collect();
    let seconds = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    nearmiss_report::witness::render(report, &nearmiss_report::witness::Origin { files: &files, seconds })
}

/// The folder that names of files are told from.
fn here() -> Option<std::path::PathBuf> {
    std::env::current_dir().ok()
}

/// Writes an answer, the only one. Nobody listening any more is no error.
fn write(text: &str, to: Option<&str>) -> Result<()> {
    if let Some(path) = to.filter(|path| *path != "-") {
        return fs::write(path, text).with_context(|| format!("{path} cannot be written"));
    }
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("standard output cannot be written")
        }
        _ => Ok(()),
    }
}

/// Prints errors and, unless quiet, warnings to standard error.
fn diagnostics(diagnostics: &[Diagnostic], sources: &Sources, color: args::Color, detail: Detail) {
    let paint = choose(color, Stream::Error);
    for diagnostic in diagnostics {
        if diagnostic.severity == Severity::Error || detail > Detail::Quiet {
            eprintln!("{}\n", nearmiss_report::diagnostic::render(diagnostic, sources, paint));
        }
    }
}

fn dump(what: DumpKind, program: &Program, sources: &Sources, options: &CheckOptions) -> Result<String, CheckError> {
    match what {
        DumpKind::Program => Ok(program_text::print(program, Some(sources))),
        DumpKind::Equation => dump::dump(program, options, Dump::Equation),
        DumpKind::Cnf => dump::dump(program, options, Dump::Cnf),
        DumpKind::Smt2 => dump::dump(program, options, Dump::Smt2),
        DumpKind::Wcnf => dump::dump(program, options, Dump::Wcnf),
    }
}

fn replay(settings: &Settings, sources: &Sources, program: &Program, explanation: &Explanation) -> Replays {
    match both_runs(settings, sources, program, explanation) {
        Some(question) if settings.native == Native::Replay => native::replay(&question),
        _ => Replays::nobody_asked(),
    }
}

/// What the compiled program is to do, if anything fails.
fn both_runs<'a>(
    settings: &'a Settings,
    sources: &'a Sources,
    program: &'a Program,
    explanation: &'a Explanation,
) -> Option<native::Question<'a>> {
    let counterexample = explanation.counterexample.as_ref()?;
    let claim = &explanation.claims[explanation.property?];
    let failing = native::Feed { inputs: &counterexample.inputs, run: &counterexample.run };
    let passing = nearest(explanation).map(|found| native::Feed { inputs: &found.inputs, run: &found.run });
    Some(native::Question { settings, sources, program, failing, passing, claim })
}

/// Writes the runs as C files if that was asked for, and says what came of it.
fn emitted(settings: &Settings, sources: &Sources, program: &Program, explanation: &Explanation) -> Option<String> {
    let Task::Explain(how) = &settings.task else { return None };
    let folder = how.emit_tests.as_ref()?;
    let Some(question) = both_runs(settings, sources, program, explanation) else {
        return Some("--emit-tests: nothing was written, because no run fails".to_owned());
    };
    Some(match native::emit(&question, Path::new(folder)) {
        Ok(files) if question.passing.is_none() => {
            format!("{} was written, compiled and run; there is no passing run to write", files.join(", "))
        }
        Ok(files) => format!("{} were written, compiled and run", files.join(", ")),
        Err(why) => format!("--emit-tests: {why}"),
    })
}

/// What to know beyond the explanation: why it stopped, why the compiled program was not run.
fn notes(settings: &Settings, stopped_by: Option<Reason>, explanation: &Explanation, replays: &Replays) -> Vec<String> {
    let mut notes = Vec::new();
    let open_claims = explanation.claims.iter().any(|claim| claim.status == Status::Undecided);
    let unexplained = settings.command == Verb::Explain && explanation.contrast.as_ref().is_none_or(is_open);
    if open_claims || (unexplained && explanation.verdict == Verdict::Fails) {
        notes.extend(stopped_by.map(|reason| stopped(settings, reason)));
    }
    match (&replays.failing, &replays.passing) {
        (Replay::Skipped(why), _) if !why.is_empty() => {
            notes.push(format!("not replayed by the compiled program: {why}"));
        }
        (_, Replay::Skipped(why)) if !why.is_empty() => {
            notes.push(format!("the passing run was not replayed by the compiled program: {why}"));
        }
        _ => {}
    }
    notes
}

/// Whether more time could have told more.
fn is_open(contrast: &Contrast) -> bool {
    let slice = |slice: &Slice| !slice.proved_minimal || slice.routes.as_ref().is_some_and(|routes| !routes.complete);
    match &contrast.nearest {
        None => !contrast.none_exists,
        Some(nearest) => {
            !nearest.proved_minimal
                || nearest.all.as_ref().is_some_and(|all| !all.complete)
                || contrast.slice.as_ref().is_none_or(slice)
                || contrast.causes.as_ref().is_none_or(|causes| !causes.complete)
        }
    }
}

fn stopped(settings: &Settings, reason: Reason) -> String {
    match reason {
        Reason::Time => {
            let seconds = settings.timeout.unwrap_or_default().as_secs_f64();
            format!("the time of {seconds} s was over (--timeout)")
        }
        Reason::Memory => {
            format!("the memory of {} MB was used up (--memory)", settings.memory.unwrap_or_default() >> 20)
        }
        Reason::Interrupt => "it was interrupted".to_owned(),
    }
}

/// Ends the process when the work was told to stop and did not.
fn give_up(settings: &Settings, reason: Reason, phase: &str) {
    let why = format!("{} while {phase}; nothing is known yet", stopped(settings, reason));
    let text = match settings.format {
        Format::Json => nearmiss_report::json::print(&nearmiss_report::json::nothing_known(settings.command, &why)),
        Format::Sarif => {
            let answer = nearmiss_report::json::nothing_known(settings.command, &why);
            nearmiss_report::sarif::render(&answer, &why, &Sources::new(), here().as_deref())
        }
        Format::Markdown => {
            nearmiss_report::markdown::render(&nearmiss_report::json::nothing_known(settings.command, &why), &why)
        }
        Format::Witness => "[]\n".to_owned(),
        Format::Text => format!("UNDECIDED: {why}\n"),
        Format::Html => nearmiss_report::html::render_nothing_known(settings.command, &why),
    };
    // Nothing can be done about a failure here.
    let _ = match &settings.output {
        Some(path) => fs::write(path, text),
        None => io::stdout().write_all(text.as_bytes()),
    };
    std::process::exit(Exit::Undecided as i32);
}

fn stats(explanation: &Explanation, reading: f64, replaying: f64) -> String {
    let mut seconds = serde_json::Map::new();
    let phases = explanation.stats.seconds.iter().copied();
    for (phase, time) in [("reading", reading)].into_iter().chain(phases).chain([("native", replaying)]) {
        // A phase comes once per bound.
        let before = seconds.get(phase).and_then(serde_json::Value::as_f64).unwrap_or_default();
        seconds.insert(phase.to_owned(), serde_json::json!(before + time));
    }
    let counts = explanation.stats.counts.iter().map(|(what, number)| ((*what).to_owned(), serde_json::json!(number)));
    let counts: serde_json::Map<String, serde_json::Value> = counts.collect();
    format!("{}\n", serde_json::json!({"seconds": seconds, "counts": counts}))
}

/// The message when the compiled program does not do what we say it does.
fn refuted(explanation: &Explanation, program: &Program, sources: &Sources, replays: &Replays) -> Option<String> {
    let (what, inputs, how): (_, &[InputValue], _) = match (&replays.failing, &replays.passing) {
        (Replay::Refuted(how), _) => ("failing", &explanation.counterexample.as_ref()?.named, how),
        (_, Replay::Refuted(how)) => ("passing", &nearest(explanation)?.named, how),
        _ => return None,
    };
    let claim = explanation.property.map(|i| &explanation.claims[i]);
    let inputs: Vec<String> = (inputs.iter())
        .map(|input| format!("{} = {}", input.name, show::value(program, input.ty, input.value)))
        .collect();
    let place = claim.map(|claim| (claim.id.as_str(), sources.position(claim.span)));
    let place = place.map(|(id, at)| format!("{id} at {}:{}", at.file, at.line)).unwrap_or_default();
    Some(format!(
        "a {what} execution was found for {place}, with {}, but the compiled program does not confirm it: {how}",
        inputs.join(", ")
    ))
}

fn internal_error(what: &str) {
    eprintln!("internal error: {what}");
    eprintln!();
    eprintln!("This is a bug in nearmiss {}, not in your program.", env!("CARGO_PKG_VERSION"));
    eprintln!("Please report it with this message, the command line and the files that it names;");
    eprintln!("`--no-native` skips the run of the compiled program.");
}
