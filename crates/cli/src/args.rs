//! The command line as it is typed.
//!
//! Names and meanings are CBMC's where it has them, so that a call of `cbmc` can be edited into one of `nearmiss`. What
//! the flags mean together is worked out in [`settings`](crate::settings); nothing else looks at these structures.

mod places;
mod temporal;
mod words;

pub use temporal::TemporalArgs;

use clap::{Args, Parser, Subcommand, ValueEnum};
use nearmiss_explain::explanation::Hypotheses;
use nearmiss_explain::explanation::{Metric, SliceMethod, State};
use nearmiss_program::c::assume::Assumed;
use nearmiss_trace::causes::Failures;

use nearmiss_report::score::Part;
use nearmiss_report::view::{Format, Level, Verb};
use places::{assumed, loop_bound};
use words::words;

const CHECK_EXAMPLES: &str = "\
Examples:
  nearmiss check minmax.c                    is any assertion or check of minmax.c violated?
  nearmiss check a.c b.c -I include -DDEBUG  a program of two files
  nearmiss check --function sort3 sort.c     start in sort3: its parameters are inputs
  nearmiss check --unwind 10 ring.c          run no loop more than 10 times
  nearmiss check --format json ring.c        the answer for a script
  nearmiss check --show-properties ring.c    the claims, by the names that --property takes

Inputs are the results of nondet_…() and __VERIFIER_nondet_…() functions and of functions
without a body, uninitialised variables, and the parameters of the function to start in.

Exit codes:
  0   every claim holds (the answer says whether for every execution or up to the bound)
  10  a claim is violated; the failing execution was printed
  5   undecided: time or memory was over, or it was interrupted
  1   the command line is wrong
  2   the input cannot be read
  6   internal error";

const FOCUS_EXAMPLES: &str = "\
Examples:
  nearmiss focus minmax.c                         every way it fails, the simplest first
  nearmiss focus --level trace minmax.c           … with every step of a run for each
  nearmiss focus --over x,y minmax.c              only what is assumed of the inputs x and y
  nearmiss focus --unwind 3 lock.c                with loops that go round at most twice
  nearmiss focus --reach 'a.c:40: level == 2' a.c under which inputs is level 2 at line 40?

How to read the answer:
  A way to fail is a sequence of statements: those that the violated claim depends on, in one
  run or in many. Above it stand the inputs for which exactly this happens, of those that
  the program itself assumes to be given. Automatic checks are looked at where no written assertion fails, or by
  --property. Branches marked `~` are not part of it, but had they gone the other way,
  something in it would have been overwritten. What one way assumes and another assumes the
  opposite of does not matter to where the error is; what remains leads to the lines marked
  `*`, the neighbourhood of the error: look there first.

Exit codes:
  0   every claim holds, or what is to be reached cannot be
  10  a claim is violated, or what is to be reached can be; the ways were printed
  5   undecided or interrupted; what is known was printed
  1   the command line is wrong
  2   the input cannot be read
  6   internal error";

const SCORE_EXAMPLES: &str = "\
Examples:
  nearmiss score --report r.json --fault tcas.c:90 tcas.c
  nearmiss score --report r.json --fault a.c:7 --fault b.c:12 --over slice a.c b.c

A reader starts from the reported lines and follows dependences of values and of conditions,
in both directions and a step at a time, until a faulty line is among what was read. The
score is the share of the program that was left unread: 1 would be perfect, and a fault that
is never met scores 0.

Exit codes:
  0   the score was computed
  1   the command line is wrong
  2   the program or the report cannot be read, or nothing is done or declared at a faulty line
  6   internal error";

const CAUSES_EXAMPLES: &str = "\
Examples:
  nearmiss causes dump.vcd --clock clk --formula 'G(req -> F[1:4] ack)'
  nearmiss causes dump.fst --clock clk --reset rst_n:low --formula-file props.sva
  nearmiss causes cex.txt --formula 'G(P1_ACTIVE -> F P2_ACTIVE)'    a counterexample of nuXmv, with its loop
  nearmiss causes dump.vcd --formula '…' --format html -o why.html    a page with the waveform and the dots
  nearmiss causes dump.vcd --formula '…' --format gtkw -o why.gtkw    the same marks for GTKWave

Formulas: LTL (X F G U W R M, past Y O H S T, bounded F[2:5], in the spellings of nuXmv and Spot),
PSL (always, never, next, until, before, sequences in braces) and SVA (|->, |=>, ##[1:3], [*], [->],
$rose, $past, disable iff). A signal may be named by the end of its path if that is unique.

How to read the answer:
  A dot marks a value that makes the formula false: with it different (and perhaps some others),
  the formula would not have failed there. `1/3` beside a cause says that two others would have
  to be different as well. Values without a dot have nothing to do with this failure.
  A formula fails at the first cycle after which nothing that comes could save it.

Exit codes:
  0   every formula holds on the trace; the answer says whether it could have failed at all
  10  a formula fails; its causes were printed
  5   undecided: the trace ends while something is still due
  1   the command line is wrong
  2   the trace or a formula cannot be read
  6   internal error";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  nearmiss explain minmax.c                        why does it fail?
  nearmiss explain --property main.assertion.2 a.c why is this claim violated?
  nearmiss explain --routes ring.c                 every way out, not only one
  nearmiss explain --assume 'a.c:12: n > 0' a.c    look only at runs in which n > 0 at line 12
  nearmiss explain --trust 'list_*' a.c            the fault is not in list_insert, list_remove, …
  nearmiss explain --hypotheses all a.c            look for causes in every variable
  nearmiss check --format json a.c > run.json      keep a failing run …
  nearmiss explain --counterexample run.json a.c   … and explain exactly that one
  cbmc a.c --json-ui --trace > trace.json          keep what another checker found …
  nearmiss explain --counterexample trace.json a.c … and explain that
  nearmiss explain --format html -o why.html a.c   a page with the source and both runs

Keys on that page:
  j k        next and previous step (arrows, Home and End where the steps are in focus)
  n p        next and previous difference
  1 2 3 4    how much is told: the sentence, what matters, the differences, the full trace

How to read the answer:
  A failing run is compared with the nearest run that passes: the one in which the fewest
  variables and decisions differ. Lines marked `>` hold differences that matter: undo them
  and the failure is gone. Lines marked `|` differ only along with them. Suspects are lines
  to look at first; the fault may also be in a line that is missing.

  A given run (--counterexample) is recognised by its content:
    nearmiss    what `check --format json` prints, or just
                [{\"name\": \"first\", \"value\": \"1\"}, …], the inputs in the order in which they are read
    CBMC        --json-ui --trace, --xml-ui --trace, or --trace alone
    ESBMC       what it prints, or report.json of --generate-json-report
    Kani        --concrete-playback=print: bytes for each input, in order
    SV-COMP     violation witnesses, YAML 2.x or GraphML 1.0; inputs that they leave open are searched
  Where such a run and the program disagree, the error says at which step of the file. Give the
  flags that the checker had: -D, -I, --function, --32.

Exit codes:
  0   every claim holds (the answer says whether for every execution or up to the bound)
  10  a claim is violated; the explanation was printed
  5   undecided or interrupted; the best that is known was printed
  1   the command line is wrong
  2   the input cannot be read, or the given run does not fail
  6   internal error";

/// Explains why a program or a trace fails
#[derive(Parser, Debug)]
#[command(
    name = "nearmiss",
    version,
    after_help = "`nearmiss explain --help` shows all flags, examples and exit codes.",
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Does it fail? A verdict, and an execution that fails
    #[command(
        after_help = "`--help` shows examples and exit codes.",
        after_long_help = CHECK_EXAMPLES,
        args_override_self = true
    )]
    Check(Box<CheckArgs>),

    /// Why does it fail? The failing execution beside the nearest one that passes
    #[command(
        after_help = "`--help` shows examples, how to read the answer, and exit codes.",
        after_long_help = EXPLAIN_EXAMPLES,
        args_override_self = true
    )]
    Explain(Box<ExplainArgs>),

    /// Which values on a trace make a formula false?
    #[command(
        after_help = "`--help` shows examples, how to read the answer, and exit codes.",
        after_long_help = CAUSES_EXAMPLES,
        args_override_self = true
    )]
    Causes(Box<CausesArgs>),
    /// In which ways does it fail? Each as the statements it depends on and the inputs it happens for
    #[command(
        after_help = "`--help` shows examples, how to read the answer, and exit codes.",
        after_long_help = FOCUS_EXAMPLES,
        args_override_self = true
    )]
    Focus(Box<FocusArgs>),

    /// How good was an explanation, given where the fault is?
    #[command(
        after_help = "`--help` shows examples and exit codes.",
        after_long_help = SCORE_EXAMPLES,
        args_override_self = true
    )]
    Score(Box<ScoreArgs>),

    /// Print the completion script of a shell
    #[command(
        after_help = "For example:  nearmiss completions bash > ~/.local/share/bash-completion/completions/nearmiss"
    )]
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: Shell,
    },

    /// Print the manual page, or write one for each command into DIR
    #[command(after_help = "For example:  nearmiss man ~/.local/share/man/man1")]
    Man {
        /// Where to write the pages
        folder: Option<String>,
    },
}

/// Shells that can be told what may be typed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
    Elvish,
    Powershell,
}

impl Command {
    /// The word that was typed.
    pub fn verb(&self) -> Verb {
        match self {
            Command::Check(_) => Verb::Check,
            Command::Explain(_) => Verb::Explain,
            Command::Causes(_) => Verb::Causes,
            Command::Focus(_) => Verb::Focus,
            Command::Score(_) => Verb::Score,
            Command::Completions { .. } => Verb::Completions,
            Command::Man { .. } => Verb::Man,
        }
    }
}

/// `nearmiss explain`: everything that `check` takes, and how to explain.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// How the failing execution is found.
    #[command(flatten)]
    pub check: CheckArgs,

    /// What it is compared with.
    #[command(flatten)]
    pub contrast: ContrastArgs,
}

/// `nearmiss causes`.
#[derive(Args, Debug)]
pub struct CausesArgs {
    /// A trace: VCD, FST, GHW, NuSMV or nuXmv (text or XML), ITF or CSV, recognised by its content
    #[arg(value_name = "TRACE")]
    pub trace: String,

    /// The property, in LTL, PSL or SVA; may be repeated
    #[arg(long, short = 'f', value_name = "F", allow_hyphen_values = true)]
    pub formula: Vec<String>,

    /// A file of properties, one per statement, each perhaps with a name before it (`name: …`); may be repeated
    #[arg(long, value_name = "FILE")]
    pub formula_file: Vec<String>,

    /// Only exact answers, however long they take [default: exact within a fixed budget, else fast]
    #[arg(long, conflicts_with = "fast", help_heading = "Effort")]
    pub exact: bool,

    /// The linear method: all causes and perhaps more (with a signal of both polarities perhaps less)
    #[arg(long, help_heading = "Effort")]
    pub fast: bool,

    /// Which failures: first or all
    #[arg(long, value_name = "WHICH", default_value = "first", value_parser = words(&["first", "all"], failures), hide_possible_values = true)]
    pub failures: Failures,

    /// The last cycle is followed by cycle N, for ever
    #[arg(long = "loop", value_name = "N", help_heading = "Cycles")]
    pub loop_start: Option<usize>,

    /// A cycle per rising (or falling) edge of this signal, with the values just before it [default: a cycle per time stamp]
    #[arg(long, value_name = "SIG[:negedge]", help_heading = "Cycles")]
    pub clock: Option<String>,

    /// Cycles in reset do not count: leading ones are left out, later ones cancel what is still due
    #[arg(long, value_name = "SIG[:low]", help_heading = "Cycles")]
    pub reset: Option<String>,

    /// The run ends with the trace: what is still due at its end (F, U, next!) has failed
    #[arg(long, conflicts_with = "loop_start", help_heading = "Cycles")]
    pub complete: bool,

    /// List the signals of the trace and stop
    #[arg(long)]
    pub show_signals: bool,

    /// Stop the exact method after S seconds; 0 is no limit
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds, allow_negative_numbers = true, help_heading = "Effort")]
    pub timeout: f64,

    /// text, json, html, gtkw (GTKWave), surfer (Surfer commands) or vcd (with cause_… signals)
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = words(&["text", "json", "html", "gtkw", "surfer", "vcd"], causes_format), hide_possible_values = true, help_heading = "Output")]
    pub format: CausesFormat,

    /// Write the answer to FILE instead of standard output
    #[arg(short = 'o', value_name = "FILE", help_heading = "Output")]
    pub output: Option<String>,

    /// No progress, no notes
    #[arg(long, short = 'q', help_heading = "Output")]
    pub quiet: bool,

    /// When to colour
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", help_heading = "Output")]
    pub color: Color,

    /// Times and sizes, as JSON on standard error
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
}

/// The form of the answer of `causes`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CausesFormat {
    /// For a person.
    Text,
    /// For a program.
    Json,
    /// A page with the waveform.
    Html,
    /// A save file of GTKWave.
    Gtkw,
    /// Commands of Surfer.
    Surfer,
    /// A trace with a signal per cause.
    Vcd,
}

/// `nearmiss focus`: everything that `check` takes, and what to tell.
#[derive(Args, Debug)]
pub struct FocusArgs {
    /// How failing executions are found.
    #[command(flatten)]
    pub check: CheckArgs,

    /// What is told of them.
    #[command(flatten)]
    pub ways: WaysArgs,
}

/// What is told of the ways in which a program fails.
#[derive(Args, Debug)]
#[command(next_help_heading = "Ways to fail")]
pub struct WaysArgs {
    /// How much to tell: trace (every step), sequences, ranked, or reduced
    #[arg(long, value_name = "LEVEL", default_value = "reduced", value_parser = words(&["trace", "sequences", "ranked", "reduced"], level), hide_possible_values = true)]
    pub level: Level,

    /// Tell only what is assumed of these inputs
    #[arg(long, value_name = "X,Y", value_delimiter = ',')]
    pub over: Vec<String>,

    /// Ask for the ways in which EXPR holds before the statement at that line, instead of violated claims
    #[arg(long, value_name = "FILE:LINE: EXPR", value_parser = reached)]
    pub reach: Option<Assumed>,

    /// Look only at runs in which EXPR holds before the statement at that line; may be repeated
    #[arg(long, value_name = "FILE:LINE: EXPR", value_parser = assumed)]
    pub assume: Vec<Assumed>,

    /// Analyse functions anew at every call and for every way: the same answer, more slowly (to compare times)
    #[arg(long)]
    pub no_summaries: bool,
}

fn level(text: &str) -> Result<Level, String> {
    match text {
        "trace" => Ok(Level::Trace),
        "sequences" => Ok(Level::Sequences),
        "ranked" => Ok(Level::Ranked),
        "reduced" => Ok(Level::Reduced),
        _ => Err("use trace, sequences, ranked or reduced".to_owned()),
    }
}

fn reached(text: &str) -> Result<Assumed, String> {
    assumed(text).map_err(|_| "write FILE:LINE: EXPR, for example 'a.c:40: level == 2'".to_owned())
}

/// `nearmiss score`.
#[derive(Args, Debug)]
pub struct ScoreArgs {
    /// C files of the program that was explained
    #[arg(required = true, value_name = "FILE.c")]
    pub files: Vec<String>,

    /// What was printed with --format json
    #[arg(long, value_name = "R.json")]
    pub report: String,

    /// A faulty line; may be repeated, and the end of a path suffices
    #[arg(long, required = true, value_name = "FILE:LINE", value_parser = fault)]
    pub fault: Vec<(String, u32)>,

    /// What of the report is scored: suspects, slice, nearest or counterexample [default: the first it has]
    #[arg(long, value_name = "PART", value_parser = over)]
    pub over: Option<Part>,

    /// The function where execution starts
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub function: String,

    /// The preprocessor.
    #[command(flatten)]
    pub preprocessor: PreprocessorArgs,

    /// text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = words(&["text", "json"], score_format), hide_possible_values = true, help_heading = "Output")]
    pub format: Format,

    /// Write the answer to FILE instead of standard output
    #[arg(short = 'o', value_name = "FILE", help_heading = "Output")]
    pub output: Option<String>,

    /// No progress, no warnings
    #[arg(long, short = 'q', help_heading = "Output")]
    pub quiet: bool,

    /// When to colour
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", help_heading = "Output")]
    pub color: Color,

    /// Arguments for the preprocessor: -I, -D, -U and -include
    #[arg(last = true, value_name = "CPP", allow_hyphen_values = true)]
    pub rest: Vec<String>,
}

/// `nearmiss check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// C files of one program; `-` is standard input
    #[arg(required = true, value_name = "FILE.c")]
    pub files: Vec<String>,

    /// What to look at.
    #[command(flatten)]
    pub scope: ScopeArgs,

    /// What runs must do over time.
    #[command(flatten)]
    pub temporal: TemporalArgs,

    /// The preprocessor.
    #[command(flatten)]
    pub preprocessor: PreprocessorArgs,

    /// Automatic checks.
    #[command(flatten)]
    pub checks: ChecksArgs,

    /// Limits.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,

    /// Arguments for the preprocessor: -I, -D, -U and -include
    #[arg(last = true, value_name = "CPP", allow_hyphen_values = true)]
    pub rest: Vec<String>,
}

/// What to look at, and how far.
#[derive(Args, Debug)]
#[command(next_help_heading = "What to check")]
pub struct ScopeArgs {
    /// Start execution in this function instead of main; its parameters are inputs
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub function: String,

    /// Check only this claim (see --show-properties); may be repeated
    #[arg(long, value_name = "ID")]
    pub property: Vec<String>,

    /// Run no loop or recursion more than N times [default: the bound grows by itself]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub unwind: Option<u32>,

    /// Bounds for single loops (see --show-loops), for example main.0:5,main.1:9
    #[arg(long, value_name = "L:N", value_delimiter = ',', value_parser = loop_bound)]
    pub unwindset: Vec<(String, u32)>,

    /// Fail if the given bound does not suffice
    #[arg(long, overrides_with = "no_unwinding_assertions")]
    pub unwinding_assertions: bool,

    /// Do not fail if the given bound does not suffice (default)
    #[arg(long, hide = true, overrides_with = "unwinding_assertions")]
    pub no_unwinding_assertions: bool,

    /// List the claims and stop
    #[arg(long)]
    pub show_properties: bool,

    /// List the loops and stop
    #[arg(long, conflicts_with = "show_properties")]
    pub show_loops: bool,
}

/// How the text is preprocessed and for which machine.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reading C")]
pub struct PreprocessorArgs {
    /// Look for headers in DIR
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,

    /// Define a macro, as 1 where no value is given
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,

    /// long and pointers have 32 bits
    #[arg(long = "32", overrides_with = "lp64")]
    pub ilp32: bool,

    /// long and pointers have 64 bits (default)
    #[arg(long = "64", overrides_with = "ilp32")]
    pub lp64: bool,
}

/// Which claims are made without being written. Each flag has its opposite, with or without `no-`; the last one typed
/// wins. Help shows the one that changes something.
#[derive(Args, Debug)]
#[command(next_help_heading = "Checks (each has its opposite, with or without no-)")]
#[allow(missing_docs)]
pub struct ChecksArgs {
    /// Only written assertions, and the checks that are asked for by name
    #[arg(long, overrides_with = "standard_checks")]
    pub no_standard_checks: bool,
    #[arg(long, hide = true, overrides_with = "no_standard_checks")]
    pub standard_checks: bool,

    /// Ignore written assertions
    #[arg(long, overrides_with = "assertions")]
    pub no_assertions: bool,
    #[arg(long, hide = true, overrides_with = "no_assertions")]
    pub assertions: bool,

    /// Array indices may be out of bounds
    #[arg(long, overrides_with = "bounds_check")]
    pub no_bounds_check: bool,
    #[arg(long, hide = true, overrides_with = "no_bounds_check")]
    pub bounds_check: bool,

    /// Bad pointers may be used and freed
    #[arg(long, overrides_with = "pointer_check")]
    pub no_pointer_check: bool,
    #[arg(long, hide = true, overrides_with = "no_pointer_check")]
    pub pointer_check: bool,

    /// Divisors may be zero
    #[arg(long, overrides_with = "div_by_zero_check")]
    pub no_div_by_zero_check: bool,
    #[arg(long, hide = true, overrides_with = "no_div_by_zero_check")]
    pub div_by_zero_check: bool,

    /// Signed arithmetic may wrap around
    #[arg(long, overrides_with = "signed_overflow_check")]
    pub no_signed_overflow_check: bool,
    #[arg(long, hide = true, overrides_with = "no_signed_overflow_check")]
    pub signed_overflow_check: bool,

    /// Shifts may be too far
    #[arg(long, overrides_with = "undefined_shift_check")]
    pub no_undefined_shift_check: bool,
    #[arg(long, hide = true, overrides_with = "no_undefined_shift_check")]
    pub undefined_shift_check: bool,

    /// Unsigned arithmetic must not wrap around
    #[arg(long, overrides_with = "no_unsigned_overflow_check")]
    pub unsigned_overflow_check: bool,
    #[arg(long, hide = true, overrides_with = "unsigned_overflow_check")]
    pub no_unsigned_overflow_check: bool,

    /// Conversions must not change the value
    #[arg(long, overrides_with = "no_conversion_check")]
    pub conversion_check: bool,
    #[arg(long, hide = true, overrides_with = "conversion_check")]
    pub no_conversion_check: bool,

    /// malloc may return NULL
    #[arg(long, overrides_with = "no_malloc_may_fail")]
    pub malloc_may_fail: bool,
    #[arg(long, hide = true, overrides_with = "malloc_may_fail")]
    pub no_malloc_may_fail: bool,
}

/// How much to spend, and what to do with a failing execution.
#[derive(Args, Debug)]
#[command(next_help_heading = "Effort")]
pub struct LimitArgs {
    /// Stop after S seconds with what is known; 0 is no limit
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: f64,

    /// Stop when more than MB megabytes of memory are in use [default: no limit]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub memory: Option<u64>,

    /// How small to make the failing execution: optimal, greedy or none. [default: optimal, as far as that is quick;
    /// given by name it goes on until it is proved or the time is over]
    #[arg(long, value_name = "HOW", value_parser = words(&["optimal", "greedy", "none"], minimise), hide_possible_values = true)]
    pub minimise: Option<Minimise>,

    /// Do not compile and run the program to confirm a failing execution
    #[arg(long)]
    pub no_native: bool,
}

/// What is printed, how and where.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// text, json, html (a page for a browser), sarif (code-scanning views, editors), markdown (pull requests) or
    /// witness (violation witness, YAML)
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = words(&["text", "json", "html", "sarif", "markdown", "witness"], format), hide_possible_values = true)]
    pub format: Format,

    /// Write the answer to FILE instead of standard output
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<String>,

    /// Print every step of a failing execution
    #[arg(long)]
    pub trace: bool,

    /// Say more: every claim, every branch
    #[arg(short = 'v', long)]
    pub verbose: bool,

    /// No progress, no warnings
    #[arg(long, short = 'q', conflicts_with = "verbose")]
    pub quiet: bool,

    /// When to colour
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", hide_possible_values = false)]
    pub color: Color,

    /// Times and sizes, as JSON on standard error
    #[arg(long)]
    pub stats: bool,

    /// Print what the question to the solver is made of and stop: program, equation, cnf, wcnf or smt2
    #[arg(long, value_name = "WHAT", value_parser = words(&["program", "equation", "cnf", "smt2", "wcnf"], dump), hide_possible_values = true)]
    pub dump: Option<DumpKind>,
}

/// What a failing execution is compared with, and what is made of the differences.
#[derive(Args, Debug)]
#[command(next_help_heading = "Explaining")]
pub struct ContrastArgs {
    /// Explain the run in this file instead of looking for one: ours, CBMC's, ESBMC's, Kani's, or an SV-COMP witness
    #[arg(long, value_name = "FILE")]
    pub counterexample: Option<String>,

    /// Write both runs into DIR as C files that compile and run on their own: failing.c and passing.c
    #[arg(long, value_name = "DIR")]
    pub emit_tests: Option<String>,

    /// Look only at runs, failing and passing, in which EXPR holds before the statement at that line; may be repeated
    #[arg(long, value_name = "FILE:LINE: EXPR", value_parser = assumed)]
    pub assume: Vec<Assumed>,

    /// Let the passing run escape by inputs for which the check does not apply
    #[arg(long)]
    pub no_preconditions: bool,

    /// The fault is not in functions whose names match, with * and ?; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub trust: Vec<String>,

    /// What counts as a difference: ssa (every assignment), slice (what the claim depends on) or align (executed steps,
    /// aligned) [default: ssa]
    #[arg(long, value_name = "WHAT", value_parser = words(&["ssa", "slice", "align"], metric), hide_possible_values = true)]
    pub metric: Option<Metric>,

    /// What is compared: values of variables, or predicates such as x < y that are found on the way
    #[arg(long, value_name = "WHAT", default_value = "values", value_parser = words(&["values", "predicates"], state), hide_possible_values = true)]
    pub state: State,

    /// Look at this predicate too, over variables of the entry function or of FUNCTION; may be repeated
    #[arg(long, value_name = "[FUNCTION:] EXPR")]
    pub predicate: Vec<String>,

    /// Prices of a predicate (or value), an action and a step that differ, for --metric align [default: 1,1,and
    /// the most predicates at a step plus 2]
    #[arg(long, value_name = "P,A,C", value_parser = weights)]
    pub weights: Option<Weights>,

    /// Let loops run at most N times more than in the failing run, with --formula N times in all [default: as far as it
    /// helps, with --formula 8]
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// List every passing run that is as near
    #[arg(long)]
    pub nearest_all: bool,

    /// How to find the differences that matter: two-phase, one-step or none
    #[arg(long, value_name = "HOW", default_value = "two-phase", value_parser = words(&["two-phase", "one-step", "none"], slice), hide_possible_values = true)]
    pub slice: SliceMethod,

    /// List every smallest set of differences that matter
    #[arg(long)]
    pub routes: bool,

    /// Look for causes among: none, inputs, source (variables at the claim too) or all
    #[arg(long, value_name = "WHAT", default_value = "source", value_parser = words(&["none", "inputs", "source", "all"], hypotheses), hide_possible_values = true)]
    pub hypotheses: Hypotheses,
}

/// When to colour.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How small a counterexample is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Minimise {
    /// The fewest statements, then the smallest values.
    Optimal,
    /// A quick approximation of that.
    Greedy,
    /// As the solver found it.
    None,
}

/// What `--dump` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DumpKind {
    /// The program as the tool has read it.
    Program,
    /// The equation.
    Equation,
    /// DIMACS.
    Cnf,
    /// SMT-LIB 2.
    Smt2,
    /// Weighted MaxSAT.
    Wcnf,
}

fn over(text: &str) -> Result<Part, String> {
    match text {
        "suspects" => Ok(Part::Suspects),
        "slice" => Ok(Part::Slice),
        "nearest" => Ok(Part::Nearest),
        "counterexample" => Ok(Part::Counterexample),
        _ => Err("use suspects, slice, nearest or counterexample".to_owned()),
    }
}

/// `tcas.c:90`. The name may itself hold a colon, hence the last one counts.
fn fault(text: &str) -> Result<(String, u32), String> {
    let (file, line) = text.rsplit_once(':').ok_or("write FILE:LINE, for example tcas.c:90")?;
    let line = line.parse().map_err(|_| format!("`{line}` is not the number of a line"))?;
    if file.is_empty() {
        return Err("write FILE:LINE, for example tcas.c:90".to_owned());
    }
    Ok((file.to_owned(), line))
}

fn format(text: &str) -> Result<Format, String> {
    match text {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        "html" => Ok(Format::Html),
        "sarif" => Ok(Format::Sarif),
        "markdown" => Ok(Format::Markdown),
        "witness" => Ok(Format::Witness),
        _ => Err("use text, json, html, sarif, markdown or witness".to_owned()),
    }
}

fn score_format(text: &str) -> Result<Format, String> {
    match text {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        _ => Err("use text or json".to_owned()),
    }
}

fn causes_format(text: &str) -> Result<CausesFormat, String> {
    match text {
        "text" => Ok(CausesFormat::Text),
        "json" => Ok(CausesFormat::Json),
        "html" => Ok(CausesFormat::Html),
        "gtkw" => Ok(CausesFormat::Gtkw),
        "surfer" => Ok(CausesFormat::Surfer),
        "vcd" => Ok(CausesFormat::Vcd),
        _ => Err("use text, json, html, gtkw, surfer or vcd".to_owned()),
    }
}

fn failures(text: &str) -> Result<Failures, String> {
    match text {
        "first" => Ok(Failures::First),
        "all" => Ok(Failures::All),
        _ => Err("use first or all".to_owned()),
    }
}

fn minimise(text: &str) -> Result<Minimise, String> {
    match text {
        "optimal" => Ok(Minimise::Optimal),
        "greedy" => Ok(Minimise::Greedy),
        "none" => Ok(Minimise::None),
        _ => Err("use optimal, greedy or none".to_owned()),
    }
}

fn dump(text: &str) -> Result<DumpKind, String> {
    match text {
        "program" => Ok(DumpKind::Program),
        "equation" => Ok(DumpKind::Equation),
        "cnf" => Ok(DumpKind::Cnf),
        "smt2" => Ok(DumpKind::Smt2),
        "wcnf" => Ok(DumpKind::Wcnf),
        _ => Err("use program, equation, cnf, wcnf or smt2".to_owned()),
    }
}

fn metric(text: &str) -> Result<Metric, String> {
    match text {
        "ssa" => Ok(Metric::Ssa),
        "slice" => Ok(Metric::Slice),
        "align" => Ok(Metric::Align),
        _ => Err("use ssa, slice or align".to_owned()),
    }
}

fn state(text: &str) -> Result<State, String> {
    match text {
        "values" => Ok(State::Values),
        "predicates" => Ok(State::Predicates),
        _ => Err("use values or predicates".to_owned()),
    }
}

/// Prices of what differs under the alignment metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights(pub [u64; 3]);

fn weights(text: &str) -> Result<Weights, String> {
    let prices: Vec<u64> = text.split(',').map_while(|price| price.trim().parse().ok()).collect();
    match <[u64; 3]>::try_from(prices) {
        Ok(prices) if text.split(',').count() == 3 && prices.iter().all(|price| (1..=1_000_000).contains(price)) => {
            Ok(Weights(prices))
        }
        _ => Err("give three whole numbers from 1 on, for example 1,1,5".to_owned()),
    }
}

fn slice(text: &str) -> Result<SliceMethod, String> {
    match text {
        "two-phase" => Ok(SliceMethod::TwoPhase),
        "one-step" => Ok(SliceMethod::OneStep),
        "none" => Ok(SliceMethod::None),
        _ => Err("use two-phase, one-step or none".to_owned()),
    }
}

fn hypotheses(text: &str) -> Result<Hypotheses, String> {
    match text {
        "none" => Ok(Hypotheses::None),
        "inputs" => Ok(Hypotheses::Inputs),
        "source" => Ok(Hypotheses::Source),
        "all" => Ok(Hypotheses::All),
        _ => Err("use none, inputs, source or all".to_owned()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && (0.0..=1e9).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds is needed, such as 10 or 0.5; 0 is no limit".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn faulty_lines_are_split_at_the_last_colon() {
        assert_eq!(fault("c:/a.c:3"), Ok(("c:/a.c".to_owned(), 3)));
        assert!(fault("a.c").is_err() && fault(":3").is_err() && fault("a.c:x").is_err());
    }
}
