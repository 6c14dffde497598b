//! Terms to literals (being written).

use crate::eval::Assignment;
use crate::sat::{Lit, Solver};
use crate::term::{Term, Terms};

/// Translates terms into clauses of its solver.
#[derive(Default)]
pub struct Blaster {
    /// The solver that receives the clauses.
    pub solver: Solver,
}

impl Blaster {
    /// An empty translation.
    pub fn new() -> Blaster {
        Blaster::default()
    }

    /// The literal of a Boolean term.
    pub fn literal(&mut self, _terms: &Terms, _term: Term) -> Lit {
        todo!()
    }

    /// The literals of a bit-vector term, least significant first.
    pub fn bits(&mut self, _terms: &Terms, _term: Term) -> Vec<Lit> {
        todo!()
    }

    /// Require a Boolean term to hold.
    pub fn assert(&mut self, _terms: &Terms, _term: Term) {
        todo!()
    }

    /// Let a variable stand for a value: it shares the value's literals.
    pub fn define(&mut self, _terms: &Terms, _variable: Term, _value: Term) {
        todo!()
    }

    /// The value of a blasted term in the last model.
    pub fn model_value(&self, _terms: &Terms, _term: Term) -> Option<u128> {
        todo!()
    }

    /// The values of all blasted variables in the last model.
    pub fn assignment(&self, _terms: &Terms) -> Assignment {
        todo!()
    }
}
