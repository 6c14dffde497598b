//! Who sets what whom reads: dependences between the statements of an unwound program, in all its executions at once.
//!
//! Every statement that symbolic execution comes across is an *event*. For what an event reads there is a term whose
//! value, in an execution, is the number of the event that set it there; joins choose between numbers as they choose
//! between values, and an index or a pointer chooses between cells. The branch (or call) that decided that the event
//! happens is such a number, too. So the dynamic slice of one execution is found by evaluating terms, and the condition
//! that another execution has the same slice is a conjunction of `term = number` (what the literature calls
//! non-interference). Numbers grow along every execution.
//!
//! Data dependence is through memory, byte for byte; control dependence is that of Ferrante, Ottenstein and Warren with
//! the last executed branch, and with the call for what no branch in the function decides. What a short-circuit operator
//! may skip counts as read: a statement depends on whatever is named in it (Basu, Saha, Smolka, "Localizing
//! Program Errors for Cimple Debugging", 2004, section 2).

use nearmiss_logic::eval::Evaluator;
use nearmiss_logic::term::Term;

use nearmiss_program::location::{Location, Test};
use nearmiss_program::source::Span;

/// Number of an event; 0 is what was there before the run.
pub type EventNumber = u32;

/// Width of terms that are numbers of events.
pub const NUMBER_BITS: u32 = 32;

/// All events of an unwound program, in an order in which they can happen; the first is the start.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// By number.
    pub events: Vec<Event>,
}

/// One statement of the unwound program.
#[derive(Clone, Debug)]
pub struct Event {
    /// Where it stands.
    pub location: Location,
    /// The text it comes from.
    pub span: Span,
    /// It happens iff this is 1.
    pub guard: Term,
    /// What it is.
    pub kind: EventKind,
    /// Numbers of the events that set what it reads.
    pub reads: Vec<Term>,
    /// Number of the event that decided that it happens.
    pub control: Term,
}

/// What an event is.
#[derive(Clone, Debug)]
pub enum EventKind {
    /// Something is set, or comes to life, or dies.
    Effect,
    /// A function is entered.
    Call,
    /// A function is left.
    Return,
    /// A decision: one bit, and the same in the parts that C evaluates one by one.
    Branch(Term, Test<Term>),
    /// A claim: the index of its step in the equation, and its condition in the parts that C evaluates one by one.
    Claim(usize, Test<Term>),
}

impl Flow {
    /// The event behind a number.
    pub fn event(&self, number: EventNumber) -> &Event {
        &self.events[number as usize]
    }

    /// The events on which an event depends in an execution, itself included, in order: the dynamic backward slice.
    pub fn slice(&self, of: EventNumber, evaluator: &mut Evaluator<'_>) -> Vec<EventNumber> {
        let mut found = std::collections::BTreeSet::new();
        let mut open = vec![of];
        while let Some(number) = open.pop() {
            if number == 0 || !found.insert(number) {
                continue;
            }
            let event = self.event(number);
            for term in event.reads.iter().chain([&event.control]) {
                open.push(evaluator.value(*term) as EventNumber);
            }
        }
        found.into_iter().collect()
    }

    /// The returns that belong to a slice of an execution though nothing in it depends on them: what decides about them is
    /// in it, so every execution with that slice comes to them.
    pub fn returns(&self, slice: &[EventNumber], evaluator: &mut Evaluator<'_>) -> Vec<EventNumber> {
        let end = slice.last().copied().unwrap_or(0);
        let before = (0..end).filter(|number| matches!(self.event(*number).kind, EventKind::Return));
        let comes_along = |number: &EventNumber| {
            let event = self.event(*number);
            slice.binary_search(number).is_err()
                && evaluator.holds(event.guard)
                && slice.binary_search(&(evaluator.value(event.control) as EventNumber)).is_ok()
        };
        before.filter(comes_along).collect()
    }
}
