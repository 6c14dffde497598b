//! `nearmiss suite`, as it is typed.

use clap::Args;
use nearmiss_report::view::Format;

use super::choice::{Words, one_of};
use super::output::Color;

/// What `--help` says below the flags.
pub const EXAMPLES: &str = "\
Examples:
  nearmiss suite nearmiss.yml                  all tasks of a manifest, as many at once as there are cores
  nearmiss suite proofs                        a folder: every task definition and every program in it
  nearmiss suite sv-comp/loops/array-1.yml     a task definition of SV-COMP, as it is
  nearmiss suite nearmiss.yml --since main     only tasks that read what was changed since then
  nearmiss suite nearmiss.yml --only 'crash*'  only tasks that are called so
  nearmiss suite nearmiss.yml --again undecided   those once more that had no answer

How to write a manifest (YAML; names of files, and flags, are told from its folder):
  defaults:
    command: explain                  # or check, focus, fix, causes
    flags: --unwind 10 -I include
    expected: holds                   # or fails, undecided, error, any
    timeout: 60
  tasks:
    - files: [sort.c, lib.c]          # one program of these files
      name: sort
      flags: --function sort3         # behind those of `defaults`
    - harnesses: proofs/**/*.c        # a task for each file of a pattern or a folder
      files: lib.c                    # which is a part of each
    - definitions: sv-comp/loops      # task definitions of SV-COMP
    - crashes: crashes                # a task for each crash file; those with the same
      files: target.c                 #   suspects and the same condition are one bug

What is kept, in .nearmiss beside the manifest (or in --results DIR):
  index.html  suite.sarif  junit.xml  suite.csv  suite.json   of the tasks that were asked for
  tasks/      a result for each task, under the hash of all that was read for it: what has not changed is
              not done again, and a suite that was interrupted, or killed, goes on where it was

Exit codes:
  0   every task came out as expected (as `holds`, if nothing is said)
  10  a task fails that should not, or holds that should fail
  5   there is none of these, but a task without an answer, or it was interrupted
  1   the command line is wrong
  2   the manifest is wrong, which is told with file and line and before anything is done,
      or the results cannot be written
  6   internal error";

/// What `--format` takes here.
const FORMATS: Words<Format> = &[("text", Format::Text), ("json", Format::Json)];

/// What `--again` takes.
const AGAIN: Words<Again> = &[("undecided", Again::Unanswered), ("all", Again::All)];

/// Which tasks are done again although nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Again {
    /// Those that are undecided or have no answer.
    Unanswered,
    /// All.
    All,
}

/// `nearmiss suite`.
#[derive(Args, Debug)]
pub struct SuiteArgs {
    /// A manifest, a task definition of SV-COMP, or a folder of tasks
    #[arg(required_unless_present = "perform", value_name = "MANIFEST")]
    pub manifest: Option<String>,

    /// Only tasks with such a name, with * and ?; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Which tasks")]
    pub only: Vec<String>,

    /// Only tasks that read one of these files, or a file that includes one
    #[arg(long, value_name = "FILE", num_args = 0.., help_heading = "Which tasks")]
    pub changed: Option<Vec<String>>,

    /// Only tasks that read what was changed since a revision of git, committed or not
    #[arg(long, value_name = "REV", help_heading = "Which tasks")]
    pub since: Option<String>,

    /// Do tasks again although nothing has changed: undecided (all without an answer) or all
    #[arg(long, value_name = "WHICH", value_parser = one_of(AGAIN), hide_possible_values = true, help_heading = "Which tasks")]
    pub again: Option<Again>,

    /// So many tasks at once [default: as many as there are cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true, help_heading = "Effort")]
    pub jobs: Option<u16>,

    /// So many threads for each task; what is told does not depend on it [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true, help_heading = "Effort")]
    pub threads: Option<u16>,

    /// Megabytes for a task that says nothing of its memory [default: half of what the machine has, divided by --jobs]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true, help_heading = "Effort")]
    pub memory: Option<u64>,

    /// Where results and reports are kept [default: .nearmiss in the folder of the manifest]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub results: Option<String>,

    /// text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = one_of(FORMATS), hide_possible_values = true, help_heading = "Output")]
    pub format: Format,

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

    /// Do nothing; print the tasks, one object of JSON in a line for each
    #[arg(long, group = "part", help_heading = "On other machines")]
    pub plan: bool,

    /// Do one task: a line of a plan is read from standard input, and its result printed
    #[arg(long, group = "part", help_heading = "On other machines")]
    pub perform: bool,

    /// Do nothing; make reports from the results that are kept
    #[arg(long, group = "part", help_heading = "On other machines")]
    pub collect: bool,
}
