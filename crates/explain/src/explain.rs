//! Why does the program fail? The failing run beside the nearest passing one, and what that tells.
//!
//! `check` finds the failing run; what follows is a method each: [`method::nearest`](crate::method) and its neighbours.

use crate::check::{self, CheckError, CheckOptions, Progress};
use crate::explanation::{Explanation, Metric, SliceMethod};
use crate::program::Program;
use crate::run::Inputs;

/// What to explain, and how.
#[derive(Clone, Debug, Default)]
pub struct ExplainOptions {
    /// How the failing run is found.
    pub check: CheckOptions,
    /// A failing run that is given (`--counterexample`) instead of found.
    pub given: Option<Inputs>,
    /// What a distance counts.
    pub metric: Metric,
    /// How the slice is computed.
    pub slice: SliceMethod,
    /// Whether to list every minimal slice.
    pub routes: Wanted,
    /// Whether to list every nearest run.
    pub nearest_all: Wanted,
    /// Whether to keep what decides that the check applies.
    pub preconditions: Preconditions,
    /// Between which variables relations are looked for.
    pub hypotheses: Hypotheses,
    /// Functions that are never suspects, by patterns with `*` and `?`.
    pub trust: Vec<String>,
    /// How many more times than the failing run's a loop may be unwound for the passing run; none: as far as it helps.
    pub depth: Option<u32>,
}

/// Is something extra wanted?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wanted {
    /// No.
    #[default]
    No,
    /// Yes.
    Yes,
}

/// Whether runs that only avoid the check count as passing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preconditions {
    /// They do not, as long as there are others.
    #[default]
    Kept,
    /// They do.
    Free,
}

/// Between which variables relations are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hypotheses {
    /// None at all.
    None,
    /// Inputs.
    Inputs,
    /// Inputs, and the variables of the program as they are when the claim is reached.
    #[default]
    Source,
    /// Every single assignment that is executed.
    All,
}

/// Explains the failure, if there is one.
pub fn explain(
    program: &Program,
    options: &ExplainOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Explanation, CheckError> {
    check::check(program, &options.check, progress)
}
