//! A temporal property of a program: a formula over what its runs do, and what counts as a moment of a run.
//!
//! The word of a run has a position for each of these, in the order in which they happen in functions of the user: an assignment
//! that a person wrote, the result of a call being taken, an input (after they have happened), a condition that is decided, a call
//! of an action, the return from a function (before they happen), a loop that goes round again, and the end of the program. Both
//! machines follow this page and find the positions by themselves; what holds at them is compared when a run is replayed.
//!
//! A condition over variables of the entry function cannot be asked for before they are given a value, or read, and when they live no more.
//! Until then it has the value that it will have first, and afterwards that which it had last. In a run in which it never has one it
//! is nothing to complain about, and nothing that was waited for.

mod missing;

use nearmiss_trace::ltl::core::AtomId;
use nearmiss_trace::ltl::{Bound, Formula};

use super::watched::Watched;
use super::{Author, Base, ClaimId, Function, FunctionId, Origin, PlaceId, Program, StatementKind};

/// A formula that every run of the program must satisfy.
#[derive(Clone, Debug)]
pub struct Temporal {
    /// The claim that it does.
    pub claim: ClaimId,
    /// As the user wrote it.
    pub formula: Formula,
    /// What it means; its atoms are one-bit signals.
    pub bound: Bound,
    /// Per signal of the bound formula, what it is.
    pub signals: Vec<Signal>,
    /// Whether it asks for nothing: it is there so that runs which never end have an end to look at.
    pub only_closes: bool,
    /// Of `G (p -> q)`: that `p` comes about at all. Where it does not, nothing is asked for.
    pub trigger: Option<Trigger>,
}

/// What a formula waits for before it asks for anything.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// As the user wrote it.
    pub text: String,
    /// The formula that it comes about, over the same signals.
    pub bound: Bound,
}

/// Something that is true or false at each position.
#[derive(Clone, PartialEq, Debug)]
pub struct Signal {
    /// As the user wrote it.
    pub text: String,
    /// When it is true.
    pub meaning: Meaning,
}

/// When a signal is true.
#[derive(Clone, PartialEq, Debug)]
pub enum Meaning {
    /// One of these functions is called.
    Call(Vec<FunctionId>),
    /// One of these functions returns, and what it returns compares so with the number.
    Return(Vec<FunctionId>, Option<(Comparison, i128)>),
    /// This holds, of the entry function's first activation.
    Condition(Watched),
}

/// How a returned value compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// What happens at a position; all that actions speak about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happens<V> {
    /// A function is called.
    Call(FunctionId),
    /// A function returns, with a scalar if it returns one.
    Return(FunctionId, Option<V>),
    /// Something else.
    Step,
}

impl Temporal {
    /// The signal that an atom of the formula is.
    pub fn signal_of(&self, atom: AtomId) -> usize {
        signal_of(&self.bound, atom)
    }

    /// Is a call of this function a position?
    pub fn is_called(&self, function: FunctionId) -> bool {
        self.signals.iter().any(|signal| matches!(&signal.meaning, Meaning::Call(them) if them.contains(&function)))
    }

    /// Is a return from this function a position?
    pub fn is_returned(&self, program: &Program, function: FunctionId) -> bool {
        let asked = |signal: &Signal| matches!(&signal.meaning, Meaning::Return(them, _) if them.contains(&function));
        program.function(function).author == Author::User || self.signals.iter().any(asked)
    }
}

/// The signal that an atom of a formula is.
pub fn signal_of(bound: &Bound, atom: AtomId) -> usize {
    let read = bound.atoms[atom.0 as usize].reads.first();
    read.map_or(0, |read| bound.signals[read.signal])
}

impl Meaning {
    /// The condition that it is, if it is one.
    pub fn condition(&self) -> Option<&Watched> {
        match self {
            Meaning::Condition(watched) => Some(watched),
            Meaning::Call(_) | Meaning::Return(..) => None,
        }
    }
}

impl Comparison {
    /// Does a number compare so with another?
    pub fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}

/// Is a statement of this function a position by itself? (Calls are looked at apart.)
pub fn is_position(program: &Program, function: &Function, kind: &StatementKind) -> bool {
    let visible = |place| is_visible(program, function, place);
    function.author == Author::User
        && match kind {
            StatementKind::Assign { target, origin: Origin::Written, .. }
            | StatementKind::Copy { target, origin: Origin::Written, .. } => visible(*target),
            StatementKind::Input { .. } => true,
            _ => false,
        }
}

/// Is it a position that the result of a call is taken?
pub fn takes_result(program: &Program, function: &Function, target: PlaceId) -> bool {
    function.author == Author::User && is_visible(program, function, target)
}

fn is_visible(program: &Program, function: &Function, place: PlaceId) -> bool {
    match program.place(place).base {
        Base::Local(local) => !function.locals[local.index()].temporary,
        Base::Global(_) | Base::Deref(_) => true,
    }
}
