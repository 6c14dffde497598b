//! `nearmiss causes`, as it is typed.

use clap::Args;
use nearmiss_trace::causes::Failures;

use super::choice::{Words, one_of};
use super::limits::seconds;
use super::output::Color;

/// What `--help` says below the flags.
pub const EXAMPLES: &str = "\
Examples:
  nearmiss causes dump.vcd --clock clk --formula 'G(req -> F[1:4] ack)'
  nearmiss causes dump.fst --clock clk --reset rst_n:low --formula-file props.sva
  nearmiss causes cex.txt --formula 'G(P1_ACTIVE -> F P2_ACTIVE)'    a counterexample of nuXmv, with its loop
  nearmiss causes dump.vcd --formula '…' --format html -o why.html    a page with the waveform and the dots
  nearmiss causes dump.vcd --formula '…' --format gtkw -o why.gtkw    the same marks for GTKWave
  nearmiss causes dump.vcd --formula '…' --model fifo.btor2    and why the design did that

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

/// What `--failures` takes.
const FAILURES: Words<Failures> = &[("first", Failures::First), ("all", Failures::All)];

/// What `--format` takes here.
const FORMATS: Words<CausesFormat> = &[
    ("text", CausesFormat::Text),
    ("json", CausesFormat::Json),
    ("html", CausesFormat::Html),
    ("gtkw", CausesFormat::Gtkw),
    ("surfer", CausesFormat::Surfer),
    ("vcd", CausesFormat::Vcd),
];

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
    #[arg(long, value_name = "WHICH", default_value = "first", value_parser = one_of(FAILURES), hide_possible_values = true)]
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

    /// Look names up below this scope first (top.cpu); what is not there is looked up as without it
    #[arg(long, value_name = "PATH")]
    pub scope: Option<String>,

    /// The model of the design (BTOR2, AIGER): also tells where the values come from, back through their drivers to inputs
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,

    /// The conditions of `disable iff`, `accept_on`, `abort` and --reset may be causes too: that nothing was given up
    #[arg(long)]
    pub abort_causes: bool,

    /// List the signals of the trace and stop
    #[arg(long)]
    pub show_signals: bool,

    /// Stop the exact method after S seconds; 0 is no limit
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds, allow_negative_numbers = true, help_heading = "Effort")]
    pub timeout: f64,

    /// text, json, html, gtkw (GTKWave), surfer (Surfer commands) or vcd (with cause_… signals)
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS), hide_possible_values = true, help_heading = "Output")]
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

    /// What a suite keeps of an answer, for `nearmiss suite`, which starts its tasks so.
    #[arg(long, hide = true)]
    pub record: bool,
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
    /// What a suite keeps.
    Record,
}
