//! What two runs are compared by, as plain values: what the methods count and the checks that follow look at.

use crate::equation::VariableId;
use crate::explanation::DeltaKind;
use nearmiss_program::program::FunctionId;
use nearmiss_program::source::Span;

/// A variable that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The variable.
    pub variable: VariableId,
    /// The step that defines or introduces it.
    pub step: usize,
    /// What it is.
    pub kind: DeltaKind,
}

/// What a run is expected to show at a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// Where the step is.
    pub place: (FunctionId, Span),
    /// Predicates by number, each with whether it holds before the step.
    pub truths: Vec<(usize, bool)>,
}
