//! What the command line means: plain values for the rest of the program.

use std::path::Path;
use std::time::Duration;

use nearmiss_explain::Reading;
use nearmiss_explain::beside::Threads;
use nearmiss_explain::check::{CheckOptions, ShortBound};
use nearmiss_explain::explain::{ExplainOptions, Preconditions, Wanted};
use nearmiss_explain::explanation::{Metric, Minimised, SliceMethod, State};
use nearmiss_explain::focus::Summaries;
use nearmiss_program::c::console;
use nearmiss_program::c::crash::Way;
use nearmiss_program::c::predicate::TypedCondition;
use nearmiss_program::c::trial::Compare;
use nearmiss_program::c::{Arguments, Characters, Checks, DataModel, Options, Rounding, Statics, VolatileReads};
use nearmiss_program::disk;
use nearmiss_program::hardware;
use nearmiss_program::program::ByteOrder;
use nearmiss_report::score::Part;
use nearmiss_report::view::{Detail, Format, Verb, WaysView};
use nearmiss_report::waves::witness::Form;
use nearmiss_trace::causes::{Aborts, Failures};
use nearmiss_trace::read::trace::{Edge, Level};
use nearmiss_trace::search::Mode;

use crate::args::causes::{CausesArgs, CausesFormat};
use crate::args::check::{CheckArgs, ChecksArgs, ProgramArgs, ScopeArgs};
use crate::args::crash::CrashArgs;
use crate::args::explain::{ContrastArgs, ExplainArgs};
use crate::args::fix::{FixArgs, FixingArgs};
use crate::args::focus::FocusArgs;
use crate::args::output::{DumpKind, OutputArgs};
use crate::args::preprocessor::PreprocessorArgs;
use crate::args::reference::ReferenceArgs;
use crate::args::score::ScoreArgs;
use crate::args::temporal::TemporalArgs;
use crate::args::trials::TestsArgs;
use crate::args::{Command, Shell};
use crate::crash_given::CrashGiven;
use crate::limits;
use crate::listener::Listener;
use crate::output::{Output, is_same_file};
use crate::tests_given::{self, Place, TestsGiven};

mod property;
pub mod suite;

use suite::SuiteSettings;

/// The name under which standard input is known.
pub const STANDARD_INPUT: &str = "<stdin>";

/// How often a loop may go round where nobody says so, for a formula; how many cycles a model of hardware may take.
const MOST_ROUNDS: u32 = 8;
const MOST_CYCLES: u32 = 32;

/// What was asked for: something about a program, or about a trace.
#[derive(Clone, Debug)]
pub enum Job {
    /// `check`, `explain`, `score`.
    Program(Box<Settings>),
    /// `causes`.
    Trace(Box<TraceSettings>),
    /// `suite`.
    Suite(Box<SuiteSettings>),
    /// `completions`.
    Completions(Shell),
    /// `man`: where to write the pages.
    Man(Option<String>),
}

/// Everything that was asked about a trace.
#[derive(Clone, Debug)]
pub struct TraceSettings {
    /// The file.
    pub trace: String,
    /// Formulas from the command line.
    pub formulas: Vec<String>,
    /// Files of formulas.
    pub formula_files: Vec<String>,
    /// How hard to look for causes.
    pub mode: Mode,
    /// Which failures.
    pub failures: Failures,
    /// The cycle that follows the last one.
    pub loop_start: Option<usize>,
    /// The signal whose edges make cycles, and which edge.
    pub clock: Option<(String, Edge)>,
    /// The signal that resets, and at which level.
    pub reset: Option<(String, Level)>,
    /// Does the run end with the trace?
    pub complete: bool,
    /// Where names are looked up first.
    pub scope: Option<String>,
    /// The model of the design.
    pub model: Option<String>,
    /// Can it be a cause that nothing was aborted?
    pub aborts: Aborts,
    /// List the signals only?
    pub show_signals: bool,
    /// When the exact method stops.
    pub timeout: Option<Duration>,
    /// How the answer looks.
    pub format: CausesFormat,
    /// Where it goes.
    pub output: Output,
    /// Whether to print times and sizes.
    pub stats: bool,
}

/// Everything that was asked about a program.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The files, standard input under its own name.
    pub files: Vec<String>,
    /// Tests that the program is to pass, instead of being checked for all inputs.
    pub tests: Option<TestsGiven>,
    /// Whether the last file is a version that the others are compared with.
    pub reference: Option<String>,
    /// What both programs read, where they are compared.
    pub stdin: Option<StdinGiven>,
    /// The crash file that it is fed, instead of all inputs.
    pub crash: Option<CrashGiven>,
    /// Headers to include before each file, in order.
    pub force_include: Vec<String>,
    /// How they are read, and what is added to them.
    pub reading: Reading,
    /// The command that was typed.
    pub command: Verb,
    /// What to do with the program.
    pub task: Task,
    /// How far to look, and at which claims.
    pub check: CheckOptions,
    /// Flags that were given and have no effect.
    pub idle: Vec<&'static str>,
    /// When to stop.
    pub timeout: Option<Duration>,
    /// How much memory may be used, in bytes.
    pub memory: Option<u64>,
    /// Whether to compile and run the program.
    pub native: Native,
    /// How the answer looks.
    pub format: Format,
    /// Where it goes.
    pub output: Output,
    /// Where the failing run of a model goes as a witness, and in which form.
    pub emit_witness: Option<(String, Form)>,
    /// Whether to print times and sizes.
    pub stats: bool,
}

/// What to do with the program.
#[derive(Clone, Debug)]
pub enum Task {
    /// Find out whether it fails.
    Check,
    /// Find out why it fails.
    Explain(Contrasting),
    /// Find edits with which it does not fail.
    Fix(FixTask),
    /// Find every way in which it fails.
    Focus(FocusTask),
    /// List the claims.
    ShowProperties,
    /// List the loops.
    ShowLoops,
    /// Print an inner form, of a check or of an explanation.
    Dump(DumpKind, Option<Contrasting>),
    /// Say how good a report was.
    Score(ScoreTask),
}

/// Where to look for fixes, and what becomes of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixTask {
    /// Functions that are never edited.
    pub trust: Vec<String>,
    /// So many edits a fix has at most.
    pub edits: usize,
    /// Only these lines are: file, or the end of its path, and number.
    pub at: Vec<(String, u32)>,
    /// So many fixes are shown.
    pub most: usize,
    /// The one that is written into its file.
    pub apply: Option<usize>,
    /// The file with the failing run, if it is given.
    pub counterexample: Option<String>,
}

/// What to find out about the ways in which a program fails, and what to tell of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FocusTask {
    /// What is told.
    pub view: WaysView,
    /// Whether functions are analysed once or at every call.
    pub summaries: Summaries,
}

/// A report and where the fault is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreTask {
    /// The file that holds the report.
    pub report: String,
    /// Faulty lines: file, or the end of its path, and number.
    pub faults: Vec<(String, u32)>,
    /// The part of the report that counts; none named means the first that it has.
    pub over: Option<Part>,
}

/// What a failing run is compared with, and what is made of the differences.
#[derive(Clone, Debug)]
pub struct Contrasting {
    /// How to explain. What comes of the program (the claims, a given run, predicates) is still missing.
    pub options: ExplainOptions,
    /// The file with the failing run, if it is given.
    pub counterexample: Option<String>,
    /// The signal whose edges make cycles of a waveform that is given.
    pub clock: Option<(String, Edge)>,
    /// Where to write the runs as C files, if that is wanted.
    pub emit_tests: Option<String>,
}

/// Whether a failing run is replayed by the compiled program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Native {
    /// Where it can be done.
    Replay,
    /// Never (`--no-native`).
    Skip,
}

impl Job {
    /// Says who listens.
    pub fn heard_by(&mut self, listener: &Listener) {
        match self {
            Job::Program(settings) => settings.output.listener = listener.clone(),
            Job::Trace(settings) => settings.output.listener = listener.clone(),
            Job::Suite(settings) => settings.output.listener = listener.clone(),
            Job::Completions(_) | Job::Man(_) => {}
        }
    }

    /// Is it a task of a suite, which keeps the answer?
    pub fn is_task(&self) -> bool {
        match self {
            Job::Program(settings) => settings.format == Format::Record,
            Job::Trace(settings) => settings.format == CausesFormat::Record,
            _ => false,
        }
    }

    /// The files that are read, and where the answer goes.
    fn files(&self) -> (Vec<&String>, Option<&Output>) {
        match self {
            Job::Program(settings) => {
                let more = match &settings.task {
                    Task::Explain(how) | Task::Dump(_, Some(how)) => how.counterexample.as_ref(),
                    Task::Fix(task) => task.counterexample.as_ref(),
                    Task::Score(score) => Some(&score.report),
                    _ => None,
                };
                let read = settings.files.iter().chain(&settings.force_include).chain(more);
                (read.collect(), Some(&settings.output))
            }
            Job::Trace(settings) => {
                let read = [&settings.trace].into_iter().chain(&settings.formula_files);
                (read.collect(), Some(&settings.output))
            }
            Job::Suite(settings) => (settings.manifest.iter().collect(), Some(&settings.output)),
            Job::Completions(_) | Job::Man(_) => (Vec::new(), None),
        }
    }
}

/// Works out what was asked. `Err` is an error of usage.
pub fn of(command: Command) -> Result<Job, String> {
    let job = asked(command)?;
    let (read, output) = job.files();
    match output.and_then(|output| read.into_iter().find(|file| output.overwrites(Path::new(file)))) {
        Some(file) => Err(format!("-o would overwrite {file}, which is read")),
        None => Ok(job),
    }
}

fn asked(command: Command) -> Result<Job, String> {
    let verb = command.verb();
    let program = |settings: Settings| Job::Program(Box::new(settings));
    match command {
        Command::Check(args) => of_check(*args, verb).map(program),
        Command::Explain(args) => of_explain(*args, verb).map(program),
        Command::Focus(args) => of_focus(*args, verb).map(program),
        Command::Fix(args) => of_fix(*args, verb).map(program),
        Command::Causes(args) => of_causes(*args).map(|settings| Job::Trace(Box::new(settings))),
        Command::Score(args) => of_score(*args).map(program),
        Command::Suite(args) => suite::of(*args).map(|settings| Job::Suite(Box::new(settings))),
        Command::Completions { shell } => Ok(Job::Completions(shell)),
        Command::Man { folder } => Ok(Job::Man(folder)),
    }
}

fn of_check(args: CheckArgs, command: Verb) -> Result<Settings, String> {
    of_program(args.program, Some(args.temporal), command, Task::Check)
}

fn of_explain(args: ExplainArgs, command: Verb) -> Result<Settings, String> {
    let ExplainArgs { program, temporal, contrast } = args;
    if contrast.state == State::Predicates && contrast.slice == SliceMethod::OneStep {
        return Err("--slice one-step compares values; with --state predicates use two-phase or none".to_owned());
    }
    if contrast.state == State::Values && !contrast.predicate.is_empty() {
        return Err("--predicate is for --state predicates; values are compared without it".to_owned());
    }
    let aligns =
        contrast.metric == Some(Metric::Align) || (contrast.metric.is_none() && contrast.state == State::Predicates);
    if contrast.weights.is_some() && !aligns {
        return Err("--weights are prices of --metric align".to_owned());
    }
    let (assume, depth) = (contrast.assume.clone(), contrast.depth);
    let predicates = contrast.predicate.iter().map(|text| TypedCondition::new("--predicate", text)).collect();
    let causes = contrast.cause.iter().map(|text| TypedCondition::new("--cause", text)).collect();
    let mut settings = of_program(program, Some(temporal), command, Task::Explain(contrasting(contrast)))?;
    settings.check.most_rounds = settings.check.most_rounds.map(|usual| usual.saturating_add(depth.unwrap_or(0)));
    let reading = Reading { assume, predicates, causes, ..settings.reading };
    Ok(Settings { reading, ..settings })
}

fn contrasting(args: ContrastArgs) -> Contrasting {
    let wanted = |flag: bool| if flag { Wanted::Yes } else { Wanted::No };
    Contrasting {
        options: ExplainOptions {
            metric: args.metric.unwrap_or_default(),
            other_metric: wanted(args.metric.is_none()),
            state: args.state,
            weights: args.weights,
            slice: args.slice,
            routes: wanted(args.routes),
            nearest_all: wanted(args.nearest_all),
            preconditions: if args.no_preconditions { Preconditions::Free } else { Preconditions::Kept },
            hypotheses: args.hypotheses,
            trust: args.trust,
            depth: args.depth,
            fixes: wanted(!args.no_fixes),
            same_inputs: wanted(args.fixed_inputs),
            ..ExplainOptions::default()
        },
        counterexample: args.counterexample,
        clock: args.clock.as_deref().map(clock),
        emit_tests: args.emit_tests,
    }
}

fn of_fix(args: FixArgs, command: Verb) -> Result<Settings, String> {
    let FixArgs { program, temporal, fixing } = args;
    let FixingArgs { counterexample, edits, at, most, apply, assume, trust } = fixing;
    let is_patch = program.output.format == Format::Patch;
    if is_patch && apply.is_some() {
        return Err("--apply writes the file itself; leave out --format patch".to_owned());
    }
    let is_piped = program.files.iter().any(|file| file == "-");
    if is_piped && (is_patch || apply.is_some()) {
        let what = if is_patch { "--format patch" } else { "--apply" };
        return Err(format!("{what} needs files; standard input (`-`) is none"));
    }
    let task = FixTask { trust, edits, at, most: most.max(apply.unwrap_or(0)), apply, counterexample };
    let settings = of_program(program, Some(temporal), command, Task::Fix(task))?;
    let reading = Reading { assume, ..settings.reading };
    Ok(Settings { reading, ..settings })
}

fn of_focus(args: FocusArgs, command: Verb) -> Result<Settings, String> {
    let FocusArgs { program, ways } = args;
    let over = ways.over.into_iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    let summaries = if ways.no_summaries { Summaries::None } else { Summaries::Use };
    let task =
        FocusTask { view: WaysView { level: ways.level, all: ways.all, over, reach: ways.reach.clone() }, summaries };
    let settings = of_program(program, None, command, Task::Focus(task))?;
    let reading = Reading { assume: ways.assume, reach: ways.reach, ..settings.reading };
    Ok(Settings { reading, ..settings })
}

fn of_causes(args: CausesArgs) -> Result<TraceSettings, String> {
    if args.formula.is_empty() && args.formula_file.is_empty() && !args.show_signals {
        return Err("a property is needed: --formula 'G(req -> F ack)' or --formula-file FILE".to_owned());
    }
    if args.model.is_some() && !matches!(args.format, CausesFormat::Text | CausesFormat::Json) {
        return Err("--model tells where values come from in --format text and json".to_owned());
    }
    if let Some(model) = args.model.as_ref().filter(|model| !hardware::is_model(model)) {
        return Err(format!("--model {model}: a model of hardware is wanted (.btor2, .aag, .aig)"));
    }
    Ok(TraceSettings {
        trace: args.trace,
        formulas: args.formula,
        formula_files: args.formula_file,
        mode: match (args.exact, args.fast) {
            (true, _) => Mode::Exact,
            (_, true) => Mode::Fast,
            _ => Mode::Budget,
        },
        failures: args.failures,
        loop_start: args.loop_start,
        clock: args.clock.as_deref().map(clock),
        reset: args.reset.map(|text| suffixed(&text, [("high", Level::High), ("low", Level::Low)])),
        complete: args.complete,
        scope: args.scope,
        model: args.model,
        aborts: if args.abort_causes { Aborts::Causes } else { Aborts::Given },
        show_signals: args.show_signals,
        timeout: (args.timeout > 0.0).then(|| Duration::from_secs_f64(args.timeout)),
        format: if args.record { CausesFormat::Record } else { args.format },
        output: Output {
            path: args.output,
            detail: if args.quiet { Detail::Quiet } else { Detail::Normal },
            color: args.color,
            listener: Listener::Process,
        },
        stats: args.stats,
    })
}

/// A signal and the edge of it that counts.
fn clock(text: &str) -> (String, Edge) {
    suffixed(text, [("posedge", Edge::Rising), ("negedge", Edge::Falling)])
}

/// `name:word`, where the word picks a value; without one of these words it is all name, with the first value.
fn suffixed<T: Copy>(text: &str, words: [(&str, T); 2]) -> (String, T) {
    for (word, value) in words {
        if let Some(name) = text.strip_suffix(word).and_then(|name| name.strip_suffix(':')) {
            return (name.to_owned(), value);
        }
    }
    (text.to_owned(), words[0].1)
}

/// The task, or the list or inner form that is wanted instead.
fn listed(dump: Option<DumpKind>, scope: &ScopeArgs, task: Task) -> Task {
    match (dump, task) {
        (Some(what), Task::Explain(how)) => Task::Dump(what, Some(how)),
        (Some(what), _) => Task::Dump(what, None),
        (None, _) if scope.show_properties => Task::ShowProperties,
        (None, _) if scope.show_loops => Task::ShowLoops,
        (None, task) => task,
    }
}

/// The tests that are given, if there are any; they are about `main` as it is.
fn tests(
    args: TestsArgs,
    has_reference: bool,
    (c, formula): (&Options, &Option<String>),
    format: Format,
    (task, command): (&Task, Verb),
) -> Result<Option<TestsGiven>, String> {
    let TestsArgs { tests, stdin, expect, compare } = args;
    // With a reference it is what both programs read.
    let stdin = stdin.filter(|_| !has_reference);
    let place = match (tests, stdin, expect) {
        (Some(folder), ..) => Place::Folder(folder),
        (None, None, None) if compare == Compare::Exact => return Ok(None),
        (None, None, None) => return Err("--compare is for --tests, or --stdin and --expect".to_owned()),
        (None, stdin, expect) => Place::Single(stdin, expect),
    };
    let flag = if matches!(place, Place::Folder(_)) { "--tests" } else { "--stdin and --expect" };
    if c.entry != "main" {
        return Err(format!("{flag} run main; leave out --function"));
    }
    if formula.is_some() {
        return Err(format!("{flag} say what runs must print; --formula is for all inputs"));
    }
    let counterexample = match task {
        Task::Check => &None,
        Task::Explain(how) => &how.counterexample,
        Task::Fix(task) => &task.counterexample,
        _ => return Err(format!("{flag} are for check, explain and fix, not for {}", command.name())),
    };
    if counterexample.is_some() {
        return Err(format!("{flag} name the failing runs; leave out --counterexample"));
    }
    if format == Format::Witness {
        return Err(format!(
            "--format witness is for claims about all inputs; {flag} are told as text, json, html, sarif or markdown"
        ));
    }
    Ok(Some(TestsGiven { place, compare }))
}

/// What is on the standard input of both programs, where two are compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StdinGiven {
    /// Any text of up to so many characters.
    Any(usize),
    /// What is in a file.
    File(String),
}

/// What two programs that are compared read.
fn stdin_of_both(args: &ReferenceArgs, file: &Option<String>, c: &Options) -> Result<Option<StdinGiven>, String> {
    if args.reference.is_none() {
        return Ok(None);
    }
    let given = match (file, args.stdin_size) {
        (None, None) if c.entry != "main" => return Ok(None),
        (Some(file), _) => StdinGiven::File(file.clone()),
        (None, size) => StdinGiven::Any(size.unwrap_or(console::USUAL_SIZE)),
    };
    match (&given, file) {
        (_, Some(_)) if c.entry != "main" => Err("--stdin is for two programs; leave out --function".to_owned()),
        _ if c.entry != "main" => Err("--stdin-size is for two programs; leave out --function".to_owned()),
        (StdinGiven::Any(size), _) if *size == 0 || *size > console::LARGEST_SIZE => Err(format!(
            "--stdin-size is from 1 to {}; with --stdin FILE both programs read that text, which may be empty",
            console::LARGEST_SIZE
        )),
        _ => Ok(Some(given)),
    }
}

/// The version that the program is compared with, if one is given: it becomes the last file, under a name of its own.
fn reference(
    (args, crash): (ReferenceArgs, &CrashArgs),
    files: &mut Vec<String>,
    formula: &Option<String>,
    format: Format,
    (task, command): (&Task, Verb),
) -> Result<Option<String>, String> {
    let Some(mut reference) = args.reference else { return Ok(None) };
    if crash.crash.is_some() {
        let why = "the one is about a single input, the other about all";
        return Err(format!("--crash and --reference do not go together: {why}"));
    }
    if format == Format::Witness {
        return Err("--format witness has no words for versions that differ".to_owned());
    }
    if reference == "-" {
        return Err("--reference needs a file; standard input (`-`) is none".to_owned());
    }
    if formula.is_some() {
        return Err("--reference says what runs must do in the end; --formula speaks about the way there".to_owned());
    }
    let counterexample = match task {
        Task::Explain(how) => &how.counterexample,
        Task::Fix(task) => &task.counterexample,
        Task::Score(_) | Task::Dump(..) => return Err(format!("--reference is not for {}", command.name())),
        _ => &None,
    };
    if counterexample.is_some() {
        return Err("--reference finds the failing run itself; leave out --counterexample".to_owned());
    }
    // A file may be compared with itself.
    while files.contains(&reference) {
        reference = match reference.strip_prefix('/') {
            Some(rest) => format!("/./{rest}"),
            None => format!("./{reference}"),
        };
    }
    files.push(reference.clone());
    Ok(Some(reference))
}

/// The crash file that is given, if there is one.
fn crash(
    args: CrashArgs,
    properties: &[String],
    formula: &Option<String>,
    (task, command): (&Task, Verb),
) -> Result<Option<CrashGiven>, String> {
    let CrashArgs { crash: Some(file), arguments, sanitizer, emit_input } = args else { return Ok(None) };
    if formula.is_some() {
        return Err("--crash names a run; --formula is for all inputs".to_owned());
    }
    if !properties.is_empty() {
        return Err("--crash: which claim is violated comes out of the run; leave out --property".to_owned());
    }
    let (counterexample, emit_tests) = match task {
        Task::Explain(how) => (&how.counterexample, &how.emit_tests),
        Task::Fix(task) => (&task.counterexample, &None),
        _ => (&None, &None),
    };
    if counterexample.is_some() {
        return Err("--crash names the failing run; leave out --counterexample".to_owned());
    }
    if emit_tests.is_some() {
        return Err(
            "--crash: --emit-input writes the passing input; --emit-tests is for runs without a file".to_owned()
        );
    }
    if let (Some(_), Verb::Focus | Verb::Fix) = (&emit_input, command) {
        return Err(format!("--emit-input is for check and explain, not for {}", command.name()));
    }
    if let Task::Focus(FocusTask { view: WaysView { reach: Some(_), .. }, .. }) = task {
        return Err("--crash is about a failure; --reach asks for something else".to_owned());
    }
    let arguments = arguments.as_deref().map(tests_given::arguments).unwrap_or_default();
    let is_in_file = arguments.iter().any(|argument| argument == "@@");
    let way = if is_in_file { Way::File } else { Way::Plain };
    let named =
        |argument: String| if argument == "@@" { nearmiss_program::c::crash::FILE.to_owned() } else { argument };
    let arguments = arguments.into_iter().map(named).collect();
    if emit_input.as_deref().is_some_and(|out| out == file) {
        return Err(format!("--emit-input would overwrite {file}, which is read"));
    }
    Ok(Some(CrashGiven { file, arguments, way, sanitizer, emit_input }))
}

/// How floats are rounded at the start.
fn rounding(scope: &ScopeArgs) -> Rounding {
    match (scope.round_to_minus_inf, scope.round_to_plus_inf, scope.round_to_zero) {
        (true, ..) => Rounding::Below,
        (_, true, _) => Rounding::Above,
        (_, _, true) => Rounding::Zero,
        _ => Rounding::Nearest,
    }
}

/// What it means that a bound is too small.
fn short_bound(scope: &ScopeArgs) -> ShortBound {
    match (scope.unwinding_assertions, scope.no_unwinding_assertions) {
        (true, _) => ShortBound::Fails,
        (false, true) => ShortBound::Suffices,
        (false, false) => ShortBound::LeavesOpen,
    }
}

/// What may be any value.
fn free(scope: &ScopeArgs, c: &mut Options) {
    if scope.nondet_volatile {
        c.volatile = VolatileReads::Free;
    }
    if scope.nondet_static {
        c.statics = Statics::Free;
    }
    if scope.no_havoc_arguments {
        c.arguments = Arguments::Kept;
    }
}

/// What the program is and what is asked of it; of `focus` nothing over time.
fn of_program(
    mut args: ProgramArgs,
    temporal: Option<TemporalArgs>,
    command: Verb,
    task: Task,
) -> Result<Settings, String> {
    if args.output.record {
        args.output.format = Format::Record;
    }
    let args = property::applied(args)?;
    let mut force_include = args.preprocessor.force_include.clone();
    let (rounding, short_bound) = (rounding(&args.scope), short_bound(&args.scope));
    let task = listed(args.output.dump, &args.scope, task);
    let mut c = reading(args.preprocessor, args.scope.function.clone(), checks(&args.checks));
    preprocessor_arguments(&args.rest, &mut c, &mut force_include)?;
    c.rounding = rounding;
    free(&args.scope, &mut c);
    c.registers = args.scope.mmio;
    c.error_labels = args.scope.error_label;
    c.never_null = args.scope.min_null_tree_depth;
    let (formula, actions) = temporal.map(|temporal| (temporal.formula, temporal.action)).unwrap_or_default();
    let mut files = files(args.files)?;
    let stdin = stdin_of_both(&args.versions, &args.tests.stdin, &c)?;
    let reference =
        reference((args.versions, &args.crash), &mut files, &formula, args.output.format, (&task, command))?;
    let lists = args.output.dump.is_some() || args.scope.show_properties || args.scope.show_loops;
    if (args.output.format == Format::Html || args.output.format.is_of_waves()) && lists {
        let format = if args.output.format == Format::Html { "html" } else { word_of(args.output.format) };
        return Err(format!("--format {format} is for answers; lists and inner forms are text"));
    }
    let emit_witness = of_models(&args.output, &files, (&task, command))?;
    let usual = if files.iter().any(|file| hardware::is_model(file)) { MOST_CYCLES } else { MOST_ROUNDS };
    let most_rounds = formula.as_ref().map(|_| usual);
    let tests = tests(args.tests, reference.is_some(), (&c, &formula), args.output.format, (&task, command))?;
    let crash = crash(args.crash, &args.scope.property, &formula, (&task, command))?;
    Ok(Settings {
        files,
        tests,
        reference,
        stdin,
        crash,
        force_include,
        reading: Reading { c, formula, actions, ..Reading::default() },
        command,
        task,
        idle: args.cbmc.given(),
        check: CheckOptions {
            unwind: args.scope.unwind,
            unwindset: args.scope.unwindset,
            short_bound,
            most_rounds,
            properties: args.scope.property,
            minimise: args.limits.minimise.unwrap_or(Minimised::Optimal),
            patient: args.limits.minimise == Some(Minimised::Optimal),
            threads: args.limits.threads.map_or_else(Threads::default, |number| Threads(usize::from(number))),
            ..CheckOptions::default()
        },
        timeout: (args.limits.timeout > 0.0).then(|| Duration::from_secs_f64(args.limits.timeout)),
        memory: args
            .limits
            .memory
            .map_or_else(limits::usual_memory, |megabytes| Some(megabytes.saturating_mul(1 << 20))),
        native: if args.limits.no_native { Native::Skip } else { Native::Replay },
        format: args.output.format,
        output: Output {
            path: args.output.output,
            detail: match () {
                () if args.output.trace => Detail::Trace,
                () if args.output.verbose => Detail::Verbose,
                () if args.output.quiet => Detail::Quiet,
                () => Detail::Normal,
            },
            color: args.output.color,
            listener: Listener::Process,
        },
        emit_witness,
        stats: args.output.stats,
    })
}

fn of_score(args: ScoreArgs) -> Result<Settings, String> {
    let mut force_include = args.preprocessor.force_include.clone();
    let mut c = reading(args.preprocessor, args.function, Checks::default());
    preprocessor_arguments(&args.rest, &mut c, &mut force_include)?;
    Ok(Settings {
        command: Verb::Score,
        tests: None,
        reference: None,
        stdin: None,
        crash: None,
        idle: Vec::new(),
        files: files(args.files)?,
        force_include,
        reading: Reading { c, ..Reading::default() },
        task: Task::Score(ScoreTask { report: args.report, faults: args.fault, over: args.over }),
        check: CheckOptions::default(),
        timeout: None,
        memory: None,
        native: Native::Skip,
        format: args.format,
        output: Output {
            path: args.output,
            detail: if args.quiet { Detail::Quiet } else { Detail::Normal },
            color: args.color,
            listener: Listener::Process,
        },
        emit_witness: None,
        stats: false,
    })
}

/// What only models of hardware have: waveforms and witnesses of them.
fn of_models(
    output: &OutputArgs,
    files: &[String],
    (task, command): (&Task, Verb),
) -> Result<Option<(String, Form)>, String> {
    let is_model = files.iter().any(|file| hardware::is_model(file));
    let format = format!("--format {}", word_of(output.format));
    let has_clock = matches!(task, Task::Explain(how) | Task::Dump(_, Some(how)) if how.clock.is_some());
    let has_fixed_inputs = matches!(task, Task::Explain(how) if how.options.same_inputs == Wanted::Yes);
    let given = [
        (&*format, output.format.is_of_waves()),
        ("--emit-witness", output.emit_witness.is_some()),
        ("--clock", has_clock),
        ("--fixed-inputs", has_fixed_inputs),
    ];
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        if !is_model {
            return Err(format!("{option} is for models of hardware (.btor2, .aag, .aig)"));
        }
        if !matches!(command, Verb::Check | Verb::Explain) {
            return Err(format!("{option} is for check and explain, not for {}", command.name()));
        }
    }
    let is_named = output.output.as_deref().is_some_and(|path| path != "-");
    if matches!(output.format, Format::Gtkw | Format::Surfer) && !is_named {
        return Err(format!("{format} needs -o FILE: the waveform is written beside it, with the ending .vcd"));
    }
    let Some(path) = &output.emit_witness else { return Ok(None) };
    if files.iter().any(|file| is_same_file(Path::new(file), Path::new(path))) {
        return Err(format!("--emit-witness would overwrite {path}, which is read"));
    }
    match Form::of_file(path) {
        Some(form) => Ok(Some((path.clone(), form))),
        None => Err("--emit-witness takes FILE.wit (BTOR2), FILE.yw (Yosys) or FILE.aiw (AIGER)".to_owned()),
    }
}

/// A form of waveforms as it is typed.
fn word_of(format: Format) -> &'static str {
    match format {
        Format::Gtkw => "gtkw",
        Format::Surfer => "surfer",
        _ => "vcd",
    }
}

/// How C is read.
fn reading(args: PreprocessorArgs, entry: String, checks: Checks) -> Options {
    Options {
        include: args.include,
        define: args.define,
        undefine: args.undefine,
        system_include: disk::system_include(),
        characters: if args.unsigned_char { Characters::Unsigned } else { Characters::OfMachine },
        order: if args.big_endian { ByteOrder::Big } else { ByteOrder::Little },
        model: args.arch.unwrap_or(match (args.lp32, args.ilp32) {
            (true, _) => DataModel::Lp32,
            (false, true) => DataModel::Ilp32,
            (false, false) => DataModel::Lp64,
        }),
        entry,
        checks,
        ..Options::default()
    }
}

/// The files under the names by which they are known.
fn files(files: Vec<String>) -> Result<Vec<String>, String> {
    let files: Vec<String> =
        files.into_iter().map(|file| if file == "-" { STANDARD_INPUT.to_owned() } else { file }).collect();
    if files.iter().filter(|file| *file == STANDARD_INPUT).count() > 1 {
        return Err("standard input (`-`) can be given only once".to_owned());
    }
    Ok(files)
}

fn checks(args: &ChecksArgs) -> Checks {
    let usual = Checks::default();
    let standard = |on: bool| on && !args.no_standard_checks;
    let choose = |yes: bool, no: bool, otherwise: bool| yes || (!no && otherwise);
    Checks {
        assertions: choose(args.assertions, args.no_assertions, usual.assertions),
        assumptions: choose(args.assumptions, args.no_assumptions, usual.assumptions),
        bounds: choose(args.bounds_check, args.no_bounds_check, standard(usual.bounds)),
        pointer: choose(args.pointer_check, args.no_pointer_check, standard(usual.pointer)),
        div_by_zero: choose(args.div_by_zero_check, args.no_div_by_zero_check, standard(usual.div_by_zero)),
        signed_overflow: choose(
            args.signed_overflow_check,
            args.no_signed_overflow_check,
            standard(usual.signed_overflow),
        ),
        unsigned_overflow: choose(
            args.unsigned_overflow_check,
            args.no_unsigned_overflow_check,
            standard(usual.unsigned_overflow),
        ),
        undefined_shift: choose(
            args.undefined_shift_check,
            args.no_undefined_shift_check,
            standard(usual.undefined_shift),
        ),
        conversion: choose(args.conversion_check, args.no_conversion_check, standard(usual.conversion)),
        alignment: choose(args.alignment_check, args.no_alignment_check, standard(usual.alignment)),
        float_overflow: choose(args.float_overflow_check, args.no_float_overflow_check, usual.float_overflow),
        float_div_by_zero: choose(
            args.float_div_by_zero_check,
            args.no_float_div_by_zero_check,
            usual.float_div_by_zero,
        ),
        nan: choose(args.nan_check, args.no_nan_check, usual.nan),
        pointer_overflow: choose(args.pointer_overflow_check, args.no_pointer_overflow_check, usual.pointer_overflow),
        pointer_primitive: choose(
            args.pointer_primitive_check,
            args.no_pointer_primitive_check,
            usual.pointer_primitive,
        ),
        enum_range: choose(args.enum_range_check, args.no_enum_range_check, usual.enum_range),
        memory_leak: choose(args.memory_leak_check, args.no_memory_leak_check, usual.memory_leak),
        memory_cleanup: choose(args.memory_cleanup_check, args.no_memory_cleanup_check, usual.memory_cleanup),
        malloc_fail_assert: args.malloc_fail_assert,
        malloc_may_fail: choose(
            args.malloc_may_fail || args.malloc_fail_null,
            args.no_malloc_may_fail,
            usual.malloc_may_fail,
        ),
    }
}

/// What follows `--`: `-I DIR`, `-IDIR` and so on, and `-include FILE`.
fn preprocessor_arguments(rest: &[String], c: &mut Options, force_include: &mut Vec<String>) -> Result<(), String> {
    let mut rest = rest.iter();
    while let Some(argument) = rest.next() {
        let mut value = |glued: &str| match glued {
            "" => rest.next().cloned().ok_or_else(|| format!("`{argument}` after `--` needs a value")),
            glued => Ok(glued.to_owned()),
        };
        if argument == "-include" {
            force_include.push(value("")?);
        } else if let Some(glued) = argument.strip_prefix("-I") {
            c.include.push(value(glued)?);
        } else if let Some(glued) = argument.strip_prefix("-D") {
            c.define.push(value(glued)?);
        } else if let Some(glued) = argument.strip_prefix("-U") {
            c.undefine.push(value(glued)?);
        } else {
            return Err(format!(
                "`{argument}` after `--` is not understood: only -I, -D, -U and -include go to the preprocessor"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::Parser;

    fn settings(line: &str) -> Result<Settings, String> {
        match of(Cli::try_parse_from(line.split_whitespace()).expect(line).command)? {
            Job::Program(settings) => Ok(*settings),
            _ => Err("this is not about a program".to_owned()),
        }
    }

    #[test]
    fn the_last_of_two_opposite_flags_wins() {
        let checks = |line| settings(line).expect(line).reading.c.checks;
        assert!(!checks("nearmiss check a.c --bounds-check --no-bounds-check").bounds);
        assert!(checks("nearmiss check a.c --no-bounds-check --bounds-check").bounds);
    }

    #[test]
    fn checks_asked_for_by_name_survive_no_standard_checks() {
        let checks =
            settings("nearmiss check a.c --no-standard-checks --pointer-check").expect("parses").reading.c.checks;
        assert!(checks.pointer && checks.assertions);
        assert!(!checks.bounds && !checks.div_by_zero && !checks.signed_overflow && !checks.undefined_shift);
    }

    #[test]
    fn the_preprocessor_takes_glued_and_separate_values() {
        let settings = settings("nearmiss check a.c -I x -- -Iy -I z -DA=1 -UB -include c.h").expect("parses");
        assert_eq!(settings.reading.c.include, ["x", "y", "z"]);
        assert_eq!(settings.reading.c.define, ["A=1"]);
        assert_eq!(settings.reading.c.undefine, ["B"]);
        assert_eq!(settings.force_include, ["c.h"]);
    }

    #[test]
    fn other_preprocessor_arguments_are_errors() {
        assert!(settings("nearmiss check a.c -- -O2").is_err());
        assert!(settings("nearmiss check a.c -- -I").is_err());
        assert!(settings("nearmiss check - -").is_err());
    }

    #[test]
    fn a_score_is_asked_of_a_report_and_faulty_lines() {
        let line = "nearmiss score --report r.json --fault a.c:3 --fault b.c:4 --over slice -DX a.c b.c";
        let settings = settings(line).expect("parses");
        let faults = vec![("a.c".to_owned(), 3), ("b.c".to_owned(), 4)];
        let expected = ScoreTask { report: "r.json".to_owned(), faults, over: Some(Part::Slice) };
        assert!(matches!(settings.task, Task::Score(task) if task == expected));
        assert_eq!((settings.files.len(), settings.reading.c.define.len()), (2, 1));
    }

    #[test]
    fn no_time_limit_is_zero() {
        assert_eq!(settings("nearmiss check a.c --timeout 0").expect("parses").timeout, None);
        assert_eq!(settings("nearmiss check a.c").expect("parses").timeout, Some(Duration::from_secs(60)));
    }
}
