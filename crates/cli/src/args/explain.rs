//! `nearmiss explain`, as it is typed: what `check` takes, and how to explain.

use clap::Args;
use nearmiss_explain::explanation::{Hypotheses, Metric, SliceMethod, State};
use nearmiss_program::c::assume::Assumed;

use super::check::ProgramArgs;
use super::choice::{Words, one_of};
use super::places::assumed;
use super::temporal::TemporalArgs;

/// What `--help` says below the flags.
pub const EXAMPLES: &str = "\
Examples:
  nearmiss explain minmax.c                        why does it fail?
  nearmiss explain --property main.assertion.2 a.c why is this claim violated?
  nearmiss explain --routes ring.c                 every way out, not only one
  nearmiss explain --assume 'a.c:12: n > 0' a.c    look only at runs in which n > 0 at line 12
  nearmiss explain --trust 'list_*' a.c            the fault is not in list_insert, list_remove, …
  nearmiss explain --hypotheses all a.c            look for causes in every variable
  nearmiss explain new.c --function f --reference old.c   f is not what it was: which change is to blame?
  nearmiss explain --cause 'x > limit' a.c         is it because x > limit?
  nearmiss check --format json a.c > run.json      keep a failing run …
  nearmiss explain --counterexample run.json a.c   … and explain exactly that one
  cbmc a.c --json-ui --trace > trace.json          keep what another checker found …
  nearmiss explain --counterexample trace.json a.c … and explain that
  nearmiss explain --crash crash-1f2e target.c     which bytes of a fuzzer's crash file matter, and why?
  nearmiss explain --crash id:000 --arguments '-d @@' main.c   … that main reads from a file
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
    hardware    of models: witnesses of BTOR2 (.wit), Yosys (.yw) and AIGER (.aiw), and waveforms (VCD, FST, GHW)
  Where such a run and the program disagree, the error says at which step of the file. Give the
  flags that the checker had: -D, -I, --function, --32.

Exit codes:
  0   every claim holds (the answer says whether for every execution or up to the bound)
  10  a claim is violated; the explanation was printed
  5   undecided or interrupted; the best that is known was printed
  1   the command line is wrong
  2   the input cannot be read, or the given run does not fail
  6   internal error";

/// What `--metric` takes.
const METRICS: Words<Metric> = &[("ssa", Metric::Ssa), ("slice", Metric::Slice), ("align", Metric::Align)];

/// What `--state` takes.
const STATES: Words<State> = &[("values", State::Values), ("predicates", State::Predicates)];

/// What `--slice` takes.
const SLICES: Words<SliceMethod> =
    &[("two-phase", SliceMethod::TwoPhase), ("one-step", SliceMethod::OneStep), ("none", SliceMethod::None)];

/// What `--hypotheses` takes.
const HYPOTHESES: Words<Hypotheses> = &[
    ("none", Hypotheses::None),
    ("inputs", Hypotheses::Inputs),
    ("source", Hypotheses::Source),
    ("all", Hypotheses::All),
];

/// `nearmiss explain`: everything that `check` takes, and how to explain.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// How the failing execution is found.
    #[command(flatten)]
    pub program: ProgramArgs,

    /// What runs must do over time.
    #[command(flatten)]
    pub temporal: TemporalArgs,

    /// What it is compared with.
    #[command(flatten)]
    pub contrast: ContrastArgs,
}

/// What a failing execution is compared with, and what is made of the differences.
#[derive(Args, Debug)]
#[command(next_help_heading = "Explaining")]
pub struct ContrastArgs {
    /// Explain the run in this file instead of looking for one: ours, CBMC's, ESBMC's, Kani's, or an SV-COMP witness
    #[arg(long, value_name = "FILE")]
    pub counterexample: Option<String>,

    /// A cycle of the waveform in --counterexample is a rising (or falling) edge of this signal, with the values just before it
    /// [default: a time stamp]
    #[arg(long, value_name = "SIG[:negedge]", requires = "counterexample")]
    pub clock: Option<String>,

    /// Of a model of hardware: also tell which register or wire, with another value in one cycle, saves the failing run with the
    /// same inputs
    #[arg(long)]
    pub fixed_inputs: bool,

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
    #[arg(long, value_name = "WHAT", value_parser = one_of(METRICS), hide_possible_values = true)]
    pub metric: Option<Metric>,

    /// What is compared: values of variables, or predicates such as x < y that are found on the way
    #[arg(long, value_name = "WHAT", default_value = "values", value_parser = one_of(STATES), hide_possible_values = true)]
    pub state: State,

    /// Look at this predicate too, over variables of the entry function or of FUNCTION; may be repeated
    #[arg(long, value_name = "[FUNCTION:] EXPR")]
    pub predicate: Vec<String>,

    /// Prices of a predicate (or value), an action and a step that differ, for --metric align [default: 1,1,and
    /// the most predicates at a step plus 2]
    #[arg(long, value_name = "P,A,C", value_parser = weights)]
    pub weights: Option<[u64; 3]>,

    /// Let a passing run take at most N turns of a loop more than the failing run [default: as far as it helps, with
    /// --formula until a loop goes round 8 times]
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// List every passing run that is as near
    #[arg(long)]
    pub nearest_all: bool,

    /// How to find the differences that matter: two-phase, one-step or none
    #[arg(long, value_name = "HOW", default_value = "two-phase", value_parser = one_of(SLICES), hide_possible_values = true)]
    pub slice: SliceMethod,

    /// List every smallest set of differences that matter
    #[arg(long)]
    pub routes: bool,

    /// Look for causes among: none, inputs, source (variables at the claim too) or all
    #[arg(long, value_name = "WHAT", default_value = "source", value_parser = one_of(HYPOTHESES), hide_possible_values = true)]
    pub hypotheses: Hypotheses,

    /// Look for no fixes; else the lines of proved ones come first
    #[arg(long)]
    pub no_fixes: bool,

    /// Is EXPR a cause of the failure, and if not, why not? Over variables of the entry function or of FUNCTION, as they
    /// are when the claim is come to; may be repeated
    #[arg(long, value_name = "[FUNCTION:] EXPR")]
    pub cause: Vec<String>,
}

fn weights(text: &str) -> Result<[u64; 3], String> {
    let prices: Vec<u64> = text.split(',').map_while(|price| price.trim().parse().ok()).collect();
    match <[u64; 3]>::try_from(prices) {
        Ok(prices) if text.split(',').count() == 3 && prices.iter().all(|price| (1..=1_000_000).contains(price)) => {
            Ok(prices)
        }
        _ => Err("give three whole numbers from 1 on, for example 1,1,5".to_owned()),
    }
}
