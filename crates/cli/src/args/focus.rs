//! `nearmiss focus`, as it is typed: what `check` takes, formulas excepted, and what to tell.

use clap::Args;
use nearmiss_program::c::assume::Assumed;
use nearmiss_report::view::Level;

use super::check::ProgramArgs;
use super::choice::one_of;
use super::places::assumed;

/// What `--help` says below the flags.
pub const EXAMPLES: &str = "\
Examples:
  nearmiss focus minmax.c                         every way it fails, the simplest first
  nearmiss focus --all minmax.c                   … however many there are: twelve are told otherwise
  nearmiss focus --level trace minmax.c           … with every step of a run for each
  nearmiss focus --over x,y minmax.c              only what is assumed of the inputs x and y alone
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

/// `nearmiss focus`: what `check` takes, formulas excepted, and what to tell.
#[derive(Args, Debug)]
pub struct FocusArgs {
    /// How failing executions are found.
    #[command(flatten)]
    pub program: ProgramArgs,

    /// What is told of them.
    #[command(flatten)]
    pub ways: WaysArgs,
}

/// What is told of the ways in which a program fails.
#[derive(Args, Debug)]
#[command(next_help_heading = "Ways to fail")]
pub struct WaysArgs {
    /// How much to tell: trace (every step), sequences, ranked, or reduced
    #[arg(long, value_name = "LEVEL", default_value = "reduced", value_parser = one_of(Level::WORDS), hide_possible_values = true)]
    pub level: Level,

    /// Tell all ways, however many there are
    #[arg(long)]
    pub all: bool,

    /// Tell only what is assumed of these inputs alone: what must hold for the failure, and need not suffice
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

fn reached(text: &str) -> Result<Assumed, String> {
    assumed(text).map_err(|_| "write FILE:LINE: EXPR, for example 'a.c:40: level == 2'".to_owned())
}
