//! The meaning of terms: a term and an assignment of its variables give a value.
//!
//! This is the oracle for everything below it, so it is plain arithmetic, written apart from the folding in the
//! constructors. Values are memoised, so evaluating many terms under one assignment costs one visit per shared node.

use crate::term::{Node, Sort, Term, Terms};
use std::collections::HashMap;

/// Values for variables; those not mentioned are 0 (or all-0 arrays).
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Assignment {
    values: HashMap<Term, u128>,
    arrays: HashMap<Term, ArrayValue>,
}

/// An array: a default element and the indices where it differs.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ArrayValue {
    /// The element at every index not listed.
    pub default: u128,
    /// Elements by index.
    pub elements: HashMap<u128, u128>,
}

impl Assignment {
    /// Everything 0.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Give a bit-vector variable a value.
    pub fn set(&mut self, variable: Term, value: u128) {
        self.values.insert(variable, value);
    }

    /// The value of a bit-vector variable.
    pub fn get(&self, variable: Term) -> u128 {
        self.values.get(&variable).copied().unwrap_or(0)
    }

    /// Give an array variable a value.
    pub fn set_array(&mut self, variable: Term, value: ArrayValue) {
        self.arrays.insert(variable, value);
    }

    /// The value of an array variable, if it was given one.
    pub fn array(&self, variable: Term) -> Option<&ArrayValue> {
        self.arrays.get(&variable)
    }

    /// The bit-vector variables given a value, with their values.
    pub fn values(&self) -> impl Iterator<Item = (Term, u128)> + '_ {
        self.values.iter().map(|(&variable, &value)| (variable, value))
    }
}

/// Evaluates terms under one assignment, remembering every value.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    values: HashMap<Term, u128>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator for terms of `terms`.
    pub fn new(terms: &'a Terms, assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { terms, assignment, values: HashMap::new() }
    }
}
