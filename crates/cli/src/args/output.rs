//! What is printed, how and where, as it is typed.

use clap::{Args, ValueEnum};
use nearmiss_explain::dump::Dump;
use nearmiss_report::view::Format;

use super::choice::{Words, one_of};

/// What `--format` takes.
const FORMATS: Words<Format> = &[
    ("text", Format::Text),
    ("json", Format::Json),
    ("html", Format::Html),
    ("sarif", Format::Sarif),
    ("markdown", Format::Markdown),
    ("witness", Format::Witness),
    ("vcd", Format::Vcd),
    ("gtkw", Format::Gtkw),
    ("surfer", Format::Surfer),
];

/// What `--dump` takes.
const DUMPS: Words<DumpKind> = &[
    ("program", DumpKind::Program),
    ("equation", DumpKind::Question(Dump::Equation)),
    ("cnf", DumpKind::Question(Dump::Cnf)),
    ("wcnf", DumpKind::Question(Dump::Wcnf)),
    ("smt2", DumpKind::Question(Dump::Smt2)),
];

/// What is printed, how and where.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// text, json, html (a page for a browser), sarif (code-scanning views, editors), markdown (pull requests) or
    /// witness (violation witness, YAML); of models of hardware also vcd (both runs), gtkw (GTKWave) or surfer (Surfer)
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS), hide_possible_values = true)]
    pub format: Format,

    /// Write the answer to FILE instead of standard output
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<String>,

    /// Write the failing run of a model of hardware as a witness: FILE.wit (BTOR2), FILE.yw (Yosys) or FILE.aiw (AIGER)
    #[arg(long, value_name = "FILE")]
    pub emit_witness: Option<String>,

    /// Print every step of a failing execution
    #[arg(long)]
    pub trace: bool,

    /// Say more: every claim, every branch
    #[arg(short = 'v', long)]
    pub verbose: bool,

    /// The verdict and little more; no progress, no warnings
    #[arg(long, short = 'q', conflicts_with = "verbose")]
    pub quiet: bool,

    /// When to colour
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", hide_possible_values = false)]
    pub color: Color,

    /// Times and sizes, as JSON on standard error
    #[arg(long)]
    pub stats: bool,

    /// What a suite keeps of an answer, for `nearmiss suite`, which starts its tasks so.
    #[arg(long, hide = true)]
    pub record: bool,

    /// Print what the question to the solver is made of and stop: program, equation, cnf, wcnf or smt2
    #[arg(long, value_name = "WHAT", value_parser = one_of(DUMPS), hide_possible_values = true)]
    pub dump: Option<DumpKind>,
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

/// What `--dump` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DumpKind {
    /// The program as the tool has read it.
    Program,
    /// A form of the question to the solver.
    Question(Dump),
}
