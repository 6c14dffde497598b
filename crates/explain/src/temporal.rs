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

mod dots;
mod missing;
mod property;

pub use dots::dots;
pub use property::{Action, Draft, claim, functions, read};

use crate::bits::Bits;
use crate::dependence;
use crate::ltl::core::AtomId;
use crate::ltl::{Bound, Formula};
use crate::ltl_eval::{self, Components, End, Truth};
use crate::program::{
    Author, Base, BlockId, ClaimId, Function, FunctionId, LocalId, Origin, PlaceId, Program, StatementKind,
};
use crate::run::Word;
use crate::watched::{self, Watched};

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

    /// For each local of a function: does what it holds at the head of a loop matter later, to the program or to the formula?
    pub fn live_at(&self, program: &Program, function: FunctionId, block: BlockId) -> Vec<bool> {
        let mut live = dependence::live_at(program, function, block);
        for signal in &self.signals {
            let of_this = |watched: &&Watched| watched.function == Some(function);
            for local in
                signal.meaning.condition().filter(of_this).into_iter().flat_map(|watched| locals(program, watched))
            {
                live[local.index()] = true;
            }
        }
        live
    }

    /// When the variables of the entry function that conditions are over have values.
    pub fn given(&self, program: &Program) -> FirstValues {
        let conditions = || self.signals.iter().filter_map(|signal| signal.meaning.condition());
        let mut all: Vec<LocalId> = conditions().flat_map(|watched| locals(program, watched)).collect();
        all.sort_unstable();
        all.dedup();
        let parameters = program.function(program.entry).parameters;
        FirstValues {
            from_the_start: all.iter().map(|local| local.0 < parameters).collect(),
            changes: dependence::given(program, program.entry, &all),
            locals: all,
        }
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

/// When variables of the entry function have values that can be asked for.
#[derive(Clone, Default, Debug)]
pub struct FirstValues {
    /// The variables.
    pub locals: Vec<LocalId>,
    /// Of each: is it a parameter?
    pub from_the_start: Vec<bool>,
    changes: Vec<Vec<Vec<(usize, bool)>>>,
}

impl FirstValues {
    /// Which of them, by their numbers here, have a value after a statement of a block or before its end, and which have none any more.
    pub fn changes(&self, block: BlockId, index: usize) -> &[(usize, bool)] {
        self.changes.get(block.index()).and_then(|block| block.get(index)).map_or(&[], Vec::as_slice)
    }

    /// Those that a condition is over, by their numbers here.
    pub fn of(&self, program: &Program, watched: &Watched) -> Vec<usize> {
        locals(program, watched).iter().filter_map(|local| self.locals.binary_search(local).ok()).collect()
    }
}

/// The variables of a function that a condition is over.
fn locals(program: &Program, watched: &Watched) -> Vec<LocalId> {
    let local = |place: PlaceId| match program.place(place).base {
        Base::Local(local) => Some(local),
        Base::Global(_) | Base::Deref(_) => None,
    };
    watched::places(program, watched.condition).into_iter().filter_map(local).collect()
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

/// Is the formula true on a word? By the evaluator of formulas on traces.
pub fn holds(temporal: &Temporal, word: &Word) -> bool {
    let core = &temporal.bound.core;
    let components = Components::of(core);
    let count = word.positions.len();
    let length = word.loop_start.map_or(0, |start| count - start);
    let more = if length == 0 { 0 } else { ltl_eval::past_rounds(core, &components, length) * length };
    // Rows of the loop come again until the past repeats itself.
    let row = |at: usize| if at < count { at } else { at - (1 + (at - count) / length) * length };
    let truth = |atom: u32| {
        let signal = temporal.signal_of(AtomId(atom));
        let yes = Bits::from_bools((0..count + more).map(|at| word.positions[row(at)].truth[signal]));
        Truth { no: yes.not(), yes }
    };
    let atoms: Vec<Truth> = (0..core.atoms as u32).map(truth).collect();
    let end = word.loop_start.map_or(End::Whole, |start| End::Loop(start + more));
    ltl_eval::evaluate(core, &components, &atoms, count + more, end).of(core.root).get(0)
}
