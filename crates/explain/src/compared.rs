//! What two runs are compared by, as plain values: what the methods count and the checks that follow look at.

use crate::equation::VariableId;
use crate::explanation::DeltaKind;
use nearmiss_program::program::temporal::{Comparison, Meaning};
use nearmiss_program::program::{FunctionId, Program};
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

/// Of so many questions a formula may ask of one value the answers are compared.
pub const MOST_ASKED: usize = 64;

/// What the formula of a program asks of the values that a function returns. Where predicates are compared, a return is
/// an action, and the answers are what can differ in it.
pub fn asked(program: &Program, function: FunctionId) -> Vec<(Comparison, i128)> {
    let signals = program.temporal.iter().flat_map(|temporal| &temporal.signals);
    let asked = signals.filter_map(|signal| match &signal.meaning {
        Meaning::Return(them, asked) if them.contains(&function) => *asked,
        _ => None,
    });
    let mut found: Vec<(Comparison, i128)> = Vec::new();
    asked.for_each(|asked| {
        if !found.contains(&asked) {
            found.push(asked);
        }
    });
    found
}
