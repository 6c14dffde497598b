//! `nearmiss score`, as it is typed.

use clap::Args;
use nearmiss_report::score::Part;
use nearmiss_report::view::Format;

use super::choice::{self, Words, one_of};
use super::output::Color;
use super::places::line;
use super::preprocessor::PreprocessorArgs;

/// What `--help` says below the flags.
pub const EXAMPLES: &str = "\
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

/// What `--format` takes here.
const FORMATS: Words<Format> = &[("text", Format::Text), ("json", Format::Json)];

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
    #[arg(long, required = true, value_name = "FILE:LINE", value_parser = line)]
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
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS), hide_possible_values = true, help_heading = "Output")]
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

fn over(text: &str) -> Result<Part, String> {
    choice::find(Part::WORDS, text)
}
