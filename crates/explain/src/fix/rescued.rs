//! Suspects from many runs: a line that is to blame alone would save every failing run with other values, and one that saves few of
//! them is a coincidence.

use nearmiss_program::source::Sources;

use super::runs::Runs;
use super::{FixOptions, line};
use crate::explanation::{Reason, Suspect};
use crate::method::diagnosis::{Asked, rescues};
use crate::method::rescue::Line;
use nearmiss_program::program::Program;

/// So many suspects are asked about, with so many runs.
const MOST_LINES: usize = 16;
const MOST_RUNS: usize = 8;
/// So many terms are made for all runs, and so many conflicts are met.
const MOST_TERMS: usize = 40_000;
const MOST_CONFLICTS: u64 = 2_000;

/// Tells of each of the first suspects how many of the failing runs it saves, and puts those that save more before others.
pub(super) fn by_runs(
    program: &Program,
    sources: &Sources,
    suspects: &mut [Suspect],
    runs: &Runs,
    options: &FixOptions,
) {
    let first = suspects.len().min(MOST_LINES);
    let suspects = &mut suspects[..first];
    let inputs: Vec<_> = runs.failing().into_iter().take(MOST_RUNS).map(|at| runs.inputs(at).clone()).collect();
    if inputs.len() < 2 {
        return;
    }
    let lines: Vec<Line> = suspects.iter().map(|suspect| line(sources, suspect.span)).collect();
    let narrowed = runs.named.narrowed(program);
    let asked = Asked {
        program: narrowed.as_ref().unwrap_or(program),
        sources,
        runs: &inputs,
        lines: &lines,
        bounds: &options.check.initial_bounds(),
        come: &[],
        most_terms: MOST_TERMS,
        stop: &options.check.stop.within(MOST_CONFLICTS),
    };
    for (suspect, (saved, of)) in suspects.iter_mut().zip(rescues(&asked)) {
        suspect.rescues = (of > 1).then_some((saved, of));
    }
    // The entry function is mostly the harness, and all that fails goes through it.
    let is_harness = |suspect: &Suspect| suspect.function == program.entry && program.reference.is_none();
    suspects.sort_by_key(|suspect| (std::cmp::Reverse(share(suspect)), is_harness(suspect)));
}

/// Thousandths of the runs that it saves; of one run where others were not asked about.
pub(super) fn share(suspect: &Suspect) -> usize {
    match suspect.rescues {
        Some((saved, of)) => 1_000 * saved / of,
        None => 1_000 * usize::from(suspect.because.contains(&Reason::Repair)),
    }
}
