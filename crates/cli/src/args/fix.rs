//! `nearmiss fix`, as it is typed: what `check` takes, and where and how to look for fixes.

use clap::Args;
use nearmiss_program::c::assume::Assumed;
use nearmiss_report::view::Format;

use super::check::ProgramArgs;
use super::choice::{OneOf, Words, one_of};
use super::places::{assumed, line};
use super::temporal::TemporalArgs;

/// What `--help` says below the flags.
pub const EXAMPLES: &str = "\
Examples:
  nearmiss fix minmax.c                           which edit makes it right?
  nearmiss fix --at minmax.c:22 minmax.c          … on that line
  nearmiss fix --trust 'list_*' a.c               … but not in list_insert, list_remove, …
  nearmiss fix --edits 2 minmax.c                 two edits, if no single one does
  nearmiss fix --apply 1 minmax.c                 write the first fix into the file
  nearmiss fix --format patch minmax.c | patch -p1   the same by patch, or git apply
  nearmiss fix --format json minmax.c             for a script: edits with their columns
  nearmiss fix --counterexample run.json a.c      mend the run of another checker
  nearmiss fix --tests tests average.c            make all tests pass
  nearmiss fix new.c --function f --reference old.c   make f what it was
  nearmiss fix --crash crash-1f2e target.c        mend what a fuzzer has found

How to read the answer:
  A fix is one small edit: another operator, constant or name, something left out or added,
  another number or operator in a #define, a wider type where something is declared, another
  label of a goto; also what a function without parameters answers, or a variable for a
  constant index. Where a macro or type is used on several lines, the answer names them.
  Each was tried on known runs and then proved: with it no claim is violated for any
  input (or none up to the bound, and then the answer says so). Assertions, assumptions,
  inputs and trusted functions are never edited, nor are macros that these or the entry
  function use, and headers of the system. The entry function is edited last where others
  take part. The first fix is the likeliest slip. A proof speaks about the claims alone:
  whether a fix is what was meant is for you to say. Look at what it changes, and write an
  assertion if one is missing.

  Where no fix is found, the answer says how many edits were tried, and whether that was
  all; and which lines would have to change: other values there would save every failing
  run that is known. --edits 2 tries two edits together where no single one does. Code that
  is not there yet is not found.

--apply leaves a file alone that is not what was read any more; it keeps comments, layout,
ends of lines and permissions, and writes all or nothing.

Exit codes:
  0   every claim holds: there is nothing to fix
  10  a claim is violated, with or without a fix
  5   undecided, or time was over or it was interrupted before the search was; what was
      found was printed
  1   the command line is wrong
  2   the input cannot be read, or --apply cannot write
  6   internal error";

/// What `--format` takes here.
const FORMATS: Words<Format> = &[
    ("text", Format::Text),
    ("json", Format::Json),
    ("patch", Format::Patch),
    ("html", Format::Html),
    ("sarif", Format::Sarif),
    ("markdown", Format::Markdown),
];

/// What `--format` says here.
pub const FORMAT_HELP: &str = "text, json, patch (unified diff of the first fix), html (a page for a browser), sarif \
                               (editors can make its fixes) or markdown (pull requests)";

/// The parser of `--format` here.
pub fn formats() -> OneOf<Format> {
    one_of(FORMATS)
}

/// `nearmiss fix`: everything that `check` takes, and how to look for fixes.
#[derive(Args, Debug)]
pub struct FixArgs {
    /// How the failing execution is found.
    #[command(flatten)]
    pub program: ProgramArgs,

    /// What runs must do over time.
    #[command(flatten)]
    pub temporal: TemporalArgs,

    /// What may be edited.
    #[command(flatten)]
    pub fixing: FixingArgs,
}

/// What may be edited, and what becomes of it.
#[derive(Args, Debug)]
#[command(next_help_heading = "Fixing")]
pub struct FixingArgs {
    /// Mend the run in this file, and what else fails: ours, CBMC's, ESBMC's, Kani's, or an SV-COMP witness
    #[arg(long, value_name = "FILE")]
    pub counterexample: Option<String>,

    /// How many edits a fix may have: 1, or 2 where no single edit does
    #[arg(long, value_name = "N", default_value = "1", value_parser = edits)]
    pub edits: usize,

    /// Edit only this line; may be repeated
    #[arg(long, value_name = "FILE:LINE", value_parser = line)]
    pub at: Vec<(String, u32)>,

    /// Show at most N fixes
    #[arg(long, value_name = "N", default_value = "5", value_parser = number)]
    pub most: usize,

    /// Write fix N into its file
    #[arg(long, value_name = "N", value_parser = number)]
    pub apply: Option<usize>,

    /// Look only at runs in which EXPR holds before the statement at that line; may be repeated
    #[arg(long, value_name = "FILE:LINE: EXPR", value_parser = assumed)]
    pub assume: Vec<Assumed>,

    /// The fault is not in functions whose names match, with * and ?; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub trust: Vec<String>,
}

fn edits(text: &str) -> Result<usize, String> {
    match text {
        "1" => Ok(1),
        "2" => Ok(2),
        _ => Err("use 1 or 2".to_owned()),
    }
}

fn number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=1_000).contains(number));
    number.ok_or_else(|| "a number from 1 to 1000 is needed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{edits, number};

    #[test]
    fn numbers_start_at_one() {
        assert_eq!(number("3"), Ok(3));
        assert!(number("0").is_err() && number("x").is_err());
        assert_eq!(edits("2"), Ok(2));
        assert!(edits("3").is_err_and(|why| why.contains("1 or 2")));
    }
}
