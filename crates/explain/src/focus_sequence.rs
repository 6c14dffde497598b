//! A way to fail as plain values: what `focus` finds and the check that follows looks at.

use nearmiss_logic::term::Term;

use crate::execution::Execution;
use crate::flow::EventNumber;
use nearmiss_program::location::Location;
use nearmiss_program::program::{ClaimId, ExprKind, Program, StatementKind};
use nearmiss_program::run::Inputs;

/// What tells sequences apart: statements with the outcomes of branches, and the parts of the claim that were looked at.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    /// Statements in order of execution.
    pub statements: Vec<(Location, Option<bool>)>,
    /// Parts of the claim by their place in it, with their truth.
    pub parts: Vec<(u32, bool)>,
}

/// One way to fail.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// What tells it apart.
    pub key: Key,
    /// The claim that is violated.
    pub claim: ClaimId,
    /// Its step in the equation.
    pub step: usize,
    /// The slice, the claim last.
    pub events: Vec<EventNumber>,
    /// Those of them that nothing depends on: returns of functions with something in the slice.
    pub along: Vec<EventNumber>,
    /// For each event of the slice, in a run that fails so: the event that decided that it happens.
    pub control: Vec<EventNumber>,
    /// A run that fails so.
    pub inputs: Inputs,
    /// The values of that run.
    pub execution: Execution,
    /// A run fails so iff all of these hold.
    pub condition: Vec<Term>,
}

/// Is the claim of a statement just `assert(0)`?
pub fn is_never_met(program: &Program, location: Location) -> bool {
    let block = &program.function(location.function).blocks[location.block.index()];
    match block.statements.get(location.index as usize).map(|statement| &statement.kind) {
        Some(StatementKind::Claim { condition, .. }) => {
            matches!(program.expr(*condition).kind, ExprKind::Const(_))
        }
        _ => false,
    }
}
