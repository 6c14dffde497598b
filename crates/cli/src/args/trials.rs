//! Tests, as they are typed: a folder of them, or one input with what must be printed.

use clap::Args;
use nearmiss_program::c::trial::Compare;

use super::choice::{OneOf, Words, one_of};

/// How output is compared.
const COMPARISONS: Words<Compare> =
    &[("exact", Compare::Exact), ("space", Compare::Space), ("numbers", Compare::Numbers)];

/// Tests that the program is to pass.
#[derive(Args, Debug)]
#[command(next_help_heading = "Tests (instead of all inputs)")]
pub struct TestsArgs {
    /// Run main on the tests in this folder: NAME.in is what it reads, NAME.out what it must print; NAME.args (arguments) and
    /// NAME.code (exit status) may be there, too; or NAME/input, NAME/output, NAME/args, NAME/code
    #[arg(long, value_name = "DIR", conflicts_with_all = ["stdin", "expect"])]
    pub tests: Option<String>,

    /// Run main once, with this file on standard input [default with --expect: nothing]
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<String>,

    /// What it must then print is in this file [default with --stdin: anything, so that it fails by its checks alone]
    #[arg(long, value_name = "FILE")]
    pub expect: Option<String>,

    /// How that is compared: exact, space (white space at the ends of lines and at the end does not count) or numbers (word by
    /// word, and numbers by their values, up to one part in a million, below 1 up to a millionth)
    #[arg(long, value_name = "HOW", default_value = "exact", value_parser = comparisons())]
    pub compare: Compare,
}

fn comparisons() -> OneOf<Compare> {
    one_of(COMPARISONS)
}
