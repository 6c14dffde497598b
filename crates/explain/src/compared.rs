//! What two runs are compared by, as plain values: what the methods count and the checks that follow look at.
//!
//! A distance must not depend on how far loops are unwound. So what belongs to a turn that neither run takes counts
//! nothing; of a turn that only one run takes, everything counts that this run executes in it; in a turn that both take,
//! as outside of loops, what differs. A step is executed where its guard holds; a claim that is violated before it does not
//! matter, as it does not for values. Values that meet because a loop is left count once, where all have met, and not at
//! all if the turns have changed nothing of them in either run.
//!
//! Truths of predicates are no steps: nobody executes them. A truth that is looked at in turns alone counts only
//! between runs that both take one of them; a run that alone takes a turn pays for the branches there. A truth over values that
//! have met counts nothing if in both runs they are the values from before the turns, and the truth over those counts. How far
//! back that is differs from value to value: `s` may have met others in one loop, and `t` in the next as well.

use crate::equation::VariableId;
use crate::explanation::DeltaKind;
use nearmiss_logic::term::Term;
use nearmiss_program::program::temporal::{Comparison, Meaning};
use nearmiss_program::program::{ClaimId, FunctionId, Program};
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
    /// Of what belongs to a turn: a run takes that turn where this holds.
    pub taken: Option<Term>,
    /// Where values meet because turns are left: the term that the value is the one without them.
    pub unchanged: Option<Term>,
    /// Of a turn that only one run takes: it counts if this holds in that run. None for joins and truths of predicates.
    pub alone: Option<Term>,
    /// Of the truth of a predicate: a run looks at it where this holds.
    pub looked_at: Option<Term>,
    /// Whether a distance counts it. Otherwise it is only told.
    pub is_priced: bool,
}

/// When something counts, whatever it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counting {
    /// Of what belongs to a turn: a run takes that turn where this holds.
    pub taken: Option<Term>,
    /// The term that it is the same as something else that counts.
    pub unchanged: Option<Term>,
    /// Of a turn that only one run takes: it counts if this holds in that run.
    pub alone: Option<Term>,
}

impl Counted {
    /// When it counts.
    pub fn counting(&self) -> Counting {
        Counting { taken: self.taken, unchanged: self.unchanged, alone: self.alone }
    }
}

/// A relation between values. A run has it or lacks it only if it sets all of these values; of a run that does not, nothing
/// is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// One bit: it holds, if all of its values are set.
    pub term: Term,
    /// For each of its values where that is set: steps, each with the condition under which it is come to. One is enough.
    pub set_at: Vec<Vec<(usize, Term)>>,
}

/// What a run does at a step that it shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    /// Something is assigned.
    Assign,
    /// A condition is evaluated.
    Branch,
    /// A function returns.
    Return,
    /// A claim is come to.
    Claim(ClaimId),
}

/// What a run is expected to show at a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// Where the step is.
    pub place: (FunctionId, Span),
    /// What it does.
    pub doing: Doing,
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
