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

use std::ops::Range;

use nearmiss_trace::ltl::core::{AtomId, Strength};
use nearmiss_trace::ltl::syntax::{self, Shape};
use nearmiss_trace::ltl::{Bound, Formula};

use super::watched::Watched;
use super::{Author, Base, ClaimId, Function, FunctionId, LocalId, Origin, PlaceId, Program, StatementKind};

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
    /// In a model of hardware, what its cycles are.
    pub cycles: Option<Cycles>,
    /// Of `G (p -> q)`: that `p` comes about at all. Where it does not, nothing is asked for.
    pub trigger: Option<Trigger>,
}

/// The word of a model of hardware: a position for each cycle.
///
/// A run of it never ends. Where a formula is judged after some cycles, what it asks beyond them counts as done, so that what is false then
/// is false however the run goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycles {
    /// A cycle is where this variable is assigned: all that happens in the cycle has happened.
    pub mark: LocalId,
    /// The variable that counts cycles. It is the same in no two of them, and nothing depends on it.
    pub counter: LocalId,
    /// Which runs are judged.
    pub judged: Judged,
}

/// Which runs of a model of hardware are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judged {
    /// Those that come back to a state, and the beginnings of all, however long.
    Any,
    /// Those that come back to a state.
    Repeating,
    /// Beginnings that end where the program does.
    Ending,
}

/// What a formula waits for before it asks for anything.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// As the user wrote it.
    pub text: String,
    /// The formula that it comes about, over the same signals.
    pub bound: Bound,
}

/// What `G (p -> q)` waits for, as a place of its text, and the formula that it comes about.
pub fn trigger(formula: &Formula) -> Option<(Range<usize>, Formula)> {
    let mut formula = formula.clone();
    let Shape::Temporal(syntax::Temporal::Globally(None, _), body) = &formula.tree.shape else { return None };
    let Shape::Implies(left, _) = &body.shape else { return None };
    let (range, left) = (left.range.clone(), left.clone());
    formula.tree.shape = Shape::Temporal(syntax::Temporal::Finally(None, Strength::Strong), left);
    Some((range, formula))
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
    /// A cycle of a model of hardware.
    Cycle,
    /// Something else.
    Step,
}

impl Temporal {
    /// The signal that an atom of the formula is.
    pub fn signal_of(&self, atom: AtomId) -> usize {
        signal_of(&self.bound, atom)
    }

    /// Is what happens a position? Of a model of hardware, cycles alone are.
    pub fn counts<V>(&self, happens: &Happens<V>) -> bool {
        self.cycles.is_some() == matches!(happens, Happens::Cycle)
    }

    /// May a run be judged though it neither ends nor repeats itself?
    pub fn judges_beginnings(&self) -> bool {
        self.only_closes || self.cycles.is_some_and(|cycles| cycles.judged == Judged::Any)
    }

    /// May a run close into a loop?
    pub fn lets_close(&self) -> bool {
        self.cycles.is_none_or(|cycles| cycles.judged != Judged::Ending)
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

/// What a statement of this function is as a position by itself, if it is one. (Calls are looked at apart.)
pub fn position_of<V>(program: &Program, function: &Function, kind: &StatementKind) -> Option<Happens<V>> {
    if function.author != Author::User {
        return None;
    }
    if let Some(cycles) = program.temporal.as_ref().and_then(|temporal| temporal.cycles) {
        return match kind {
            StatementKind::Assign { target, .. } if program.place(*target).base == Base::Local(cycles.mark) => {
                Some(Happens::Cycle)
            }
            _ => None,
        };
    }
    let is_step = match kind {
        StatementKind::Assign { target, origin: Origin::Written, .. }
        | StatementKind::Copy { target, origin: Origin::Written, .. } => is_visible(program, function, *target),
        StatementKind::Input { .. } => true,
        _ => false,
    };
    is_step.then_some(Happens::Step)
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
