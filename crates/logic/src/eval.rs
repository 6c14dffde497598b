//! The meaning of terms: a term and an assignment of its variables give a value.
//!
//! This is the oracle for everything below it, so it is plain arithmetic, written apart from the folding in the
//! constructors. Values are memoised, so evaluating many terms under one assignment costs one visit per shared node.

use crate::hash::FxBuild;
use crate::term::{Node, Term, Terms};
use std::collections::HashMap;

/// Values for variables; those not mentioned are 0 (or all-0 arrays).
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Assignment {
    values: HashMap<Term, u128>,
    arrays: HashMap<Term, ArrayValue>,
    array_aliases: HashMap<Term, Term>,
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

    /// Let an array variable stand for an array term; this goes before any value it was given.
    pub(crate) fn alias_array(&mut self, variable: Term, value: Term) {
        self.array_aliases.insert(variable, value);
    }

    /// The value of an array variable, if it was given one.
    pub fn array(&self, variable: Term) -> Option<&ArrayValue> {
        self.arrays.get(&variable)
    }
}

/// Evaluates terms under one assignment, remembering every value.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    values: HashMap<Term, u128, FxBuild>,
}

/// What an evaluator remembers, kept while terms are added.
#[derive(Clone, Default, Debug)]
pub struct Remembered(HashMap<Term, u128, FxBuild>);

/// What is left to do: nothing here recurses, since terms may be a million deep.
enum Task {
    /// Give this term a value.
    Value(Term),
    /// Find the element at `index`, from `array` downwards, and give it to `select`.
    Walk { select: Term, array: Term, index: u128 },
}

impl<'a> Evaluator<'a> {
    /// An evaluator for terms of `terms`.
    pub fn new(terms: &'a Terms, assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { terms, assignment, values: HashMap::default() }
    }

    /// The same, going on from what one for the same assignment remembers.
    pub fn resume(terms: &'a Terms, assignment: &'a Assignment, remembered: Remembered) -> Evaluator<'a> {
        Evaluator { terms, assignment, values: remembered.0 }
    }

    /// What it remembers, for another one.
    pub fn into_remembered(self) -> Remembered {
        Remembered(self.values)
    }

    /// Does a Boolean term hold?
    pub fn holds(&mut self, term: Term) -> bool {
        self.value(term) == 1
    }

    /// Let a term have this value from now on, whatever the assignment says. Terms evaluated before keep theirs.
    pub fn fix(&mut self, term: Term, value: u128) {
        self.values.insert(term, value);
    }

    /// The value of a bit-vector term, below two to its width.
    pub fn value(&mut self, term: Term) -> u128 {
        let mut tasks = vec![Task::Value(term)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Value(term) => self.step(term, &mut tasks),
                Task::Walk { select, array, index } => self.walk(select, array, index, &mut tasks),
            }
        }
        self.values[&term]
    }

    /// The value of an array term at one index.
    pub fn element(&mut self, array: Term, index: u128) -> u128 {
        let mut cursor = array;
        loop {
            match self.terms.node(cursor) {
                Node::Store(below, at, value) => {
                    if self.value(at) == index {
                        return self.value(value);
                    }
                    cursor = below;
                }
                Node::Ite(condition, yes, no) => cursor = if self.holds(condition) { yes } else { no },
                Node::ConstArray { element, .. } => return self.value(element),
                _ => match self.assignment.array_aliases.get(&cursor) {
                    Some(&value) => cursor = value,
                    None => return self.base_element(cursor, index),
                },
            }
        }
    }

    fn base_element(&self, variable: Term, index: u128) -> u128 {
        let value = self
            .assignment
            .array(variable)
            .map_or(0, |array| array.elements.get(&index).copied().unwrap_or(array.default));
        cut(value, self.terms.width(variable))
    }

    fn step(&mut self, term: Term, tasks: &mut Vec<Task>) {
        if self.values.contains_key(&term) {
            return;
        }
        let node = self.terms.node(term);
        if let Node::Select(array, index) = node {
            match self.values.get(&index) {
                Some(&index) => tasks.push(Task::Walk { select: term, array, index }),
                None => tasks.extend([Task::Value(term), Task::Value(index)]),
            }
            return;
        }
        if let Node::Ite(condition, yes, no) = node {
            // Only the chosen arm matters.
            let needed = match self.values.get(&condition) {
                Some(&holds) => {
                    if holds == 1 {
                        yes
                    } else {
                        no
                    }
                }
                None => condition,
            };
            match self.values.get(&needed) {
                Some(&value) => {
                    self.values.insert(term, value);
                }
                None => tasks.extend([Task::Value(term), Task::Value(needed)]),
            }
            return;
        }
        let operands = node.operands();
        let mut values = [0; 3];
        let mut ready = true;
        for (slot, operand) in values.iter_mut().zip(operands.iter()) {
            match self.values.get(operand) {
                Some(&value) => *slot = value,
                None => {
                    if ready {
                        tasks.push(Task::Value(term));
                        ready = false;
                    }
                    tasks.push(Task::Value(*operand));
                }
            }
        }
        if ready {
            let value = self.apply(term, node, values);
            self.values.insert(term, value);
        }
    }

    fn walk(&mut self, select: Term, array: Term, index: u128, tasks: &mut Vec<Task>) {
        // The walk waits for one operand at a time and then goes on from where it stood.
        let mut cursor = array;
        let found = loop {
            let needed = match self.terms.node(cursor) {
                Node::Store(below, at, value) => match self.values.get(&at) {
                    Some(&at) if at == index => match self.values.get(&value) {
                        Some(&value) => break value,
                        None => value,
                    },
                    Some(_) => {
                        cursor = below;
                        continue;
                    }
                    None => at,
                },
                Node::Ite(condition, yes, no) => match self.values.get(&condition) {
                    Some(&holds) => {
                        cursor = if holds == 1 { yes } else { no };
                        continue;
                    }
                    None => condition,
                },
                Node::ConstArray { element, .. } => match self.values.get(&element) {
                    Some(&value) => break value,
                    None => element,
                },
                _ => match self.assignment.array_aliases.get(&cursor) {
                    Some(&value) => {
                        cursor = value;
                        continue;
                    }
                    None => break self.base_element(cursor, index),
                },
            };
            tasks.extend([Task::Walk { select, array: cursor, index }, Task::Value(needed)]);
            return;
        };
        self.values.insert(select, found);
    }

    fn apply(&self, term: Term, node: Node, [a, b, _]: [u128; 3]) -> u128 {
        let width = self.terms.width(term);
        let of = |t: Term| self.terms.width(t);
        let value = match node {
            Node::Const { value, .. } => value,
            Node::Var { .. } => self.assignment.get(term),
            Node::Not(_) => !a,
            Node::And(..) => a & b,
            Node::Xor(..) => a ^ b,
            Node::Neg(_) => (!a).wrapping_add(1),
            Node::Add(..) => a.wrapping_add(b),
            Node::Mul(..) => a.wrapping_mul(b),
            Node::Udiv(..) => a.checked_div(b).unwrap_or(u128::MAX),
            Node::Urem(..) => a.checked_rem(b).unwrap_or(a),
            // SMT-LIB defines the signed operators by the unsigned ones on magnitudes.
            Node::Sdiv(..) => {
                let (magnitude_a, magnitude_b) = (magnitude(a, width), magnitude(b, width));
                let quotient = magnitude_a.checked_div(magnitude_b).unwrap_or(u128::MAX);
                if negative(a, width) == negative(b, width) { quotient } else { quotient.wrapping_neg() }
            }
            Node::Srem(..) => {
                let (magnitude_a, magnitude_b) = (magnitude(a, width), magnitude(b, width));
                let remainder = magnitude_a.checked_rem(magnitude_b).unwrap_or(magnitude_a);
                if negative(a, width) { remainder.wrapping_neg() } else { remainder }
            }
            Node::Shl(..) => {
                if b < u128::from(width) {
                    a << b
                } else {
                    0
                }
            }
            Node::Lshr(..) => {
                if b < u128::from(width) {
                    a >> b
                } else {
                    0
                }
            }
            Node::Ashr(..) => {
                let fill = if negative(a, width) { u128::MAX } else { 0 };
                if b < u128::from(width) {
                    let kept = width - b as u32;
                    (a >> b) | if kept == 128 { 0 } else { fill << kept }
                } else {
                    fill
                }
            }
            Node::Eq(..) => u128::from(a == b),
            Node::Ult(..) => u128::from(a < b),
            // Flipping the sign bits turns signed order into unsigned order.
            Node::Slt(x, _) => {
                let sign = 1 << (of(x) - 1);
                u128::from(a ^ sign < b ^ sign)
            }
            Node::Extract { lo, .. } => a >> lo,
            Node::Concat(_, low) => (a << of(low)) | b,
            Node::Zext { .. } => a,
            Node::Sext { term: inner, .. } => {
                if negative(a, of(inner)) {
                    a | u128::MAX << of(inner)
                } else {
                    a
                }
            }
            Node::Machine(function, ..) => function.value(width, a, b),
            // Choices and selects are walked; arrays have no single value.
            Node::Ite(..) | Node::Select(..) => 0,
            Node::ArrayVar { .. } | Node::ConstArray { .. } | Node::Store(..) => 0,
        };
        cut(value, width)
    }
}

fn cut(value: u128, width: u32) -> u128 {
    if width == 128 { value } else { value & ((1 << width) - 1) }
}

fn negative(value: u128, width: u32) -> bool {
    value >> (width - 1) & 1 == 1
}

fn magnitude(value: u128, width: u32) -> u128 {
    if negative(value, width) { cut(value.wrapping_neg(), width) } else { value }
}
