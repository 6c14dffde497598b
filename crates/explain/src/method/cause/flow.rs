//! Which inputs the program compares: relations between values of which nothing is ever compared are accidents.
//!
//! An input flows into a value by copies, arithmetic and joins, not by deciding which value is taken. Two values are
//! compared if some comparison on the way to the claim has an input that flows into the one on one side, and an input
//! that flows into the other on the other side.
//!
//! Cost: each definition is walked once; sets of inputs are merged as values are.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use nearmiss_logic::term::{Node, Term};

use super::Runs;
use super::names::roots;
use crate::equation::Equation;

type Inputs = Arc<BTreeSet<u32>>;

/// What flows where.
pub struct Flow {
    /// For each symbol, the inputs that flow into it.
    into: HashMap<Term, Inputs>,
    /// Inputs that are compared, both ways.
    compared: HashSet<(u32, u32)>,
}

impl Flow {
    /// Follows all definitions, and looks at all comparisons on the way to the claim.
    pub fn new(runs: &Runs<'_>, equation: &Equation) -> Flow {
        let mut flow = Flow { into: HashMap::new(), compared: HashSet::new() };
        for (index, variable) in equation.variables.iter().enumerate() {
            let inputs = match variable.definition {
                Some(definition) => flow.inputs(equation, definition),
                None => Arc::new(BTreeSet::from([index as u32])),
            };
            flow.into.insert(variable.symbol, inputs);
        }
        let mut seen: HashSet<Term> = HashSet::new();
        for (_, root) in roots(runs, equation) {
            let mut stack = vec![root];
            while let Some(term) = stack.pop() {
                if seen.insert(term) {
                    let node = equation.terms.node(term);
                    stack.extend(node.operands().iter());
                    if let Node::Eq(a, b) | Node::Ult(a, b) | Node::Slt(a, b) = node {
                        flow.compare(equation, a, b);
                    }
                }
            }
        }
        flow
    }

    /// Are two values, or what they are made of, compared?
    pub fn compared(&self, a: Term, b: Term) -> bool {
        let (Some(a), Some(b)) = (self.into.get(&a), self.into.get(&b)) else { return false };
        a.iter().any(|a| b.iter().any(|b| a == b || self.compared.contains(&(*a, *b))))
    }

    fn compare(&mut self, equation: &Equation, a: Term, b: Term) {
        let (a, b) = (self.inputs(equation, a), self.inputs(equation, b));
        for &a in a.iter() {
            for &b in b.iter() {
                self.compared.extend([(a, b), (b, a)]);
            }
        }
    }

    fn inputs(&self, equation: &Equation, term: Term) -> Inputs {
        let mut sets: Vec<&Inputs> = Vec::new();
        let mut seen: HashSet<Term> = HashSet::new();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match equation.terms.node(term) {
                Node::Var { .. } => sets.extend(self.into.get(&term)),
                Node::Ite(_, yes, no) => stack.extend([yes, no]),
                Node::Eq(..) | Node::Ult(..) | Node::Slt(..) => {}
                node => stack.extend(node.operands().iter()),
            }
        }
        match sets.as_slice() {
            [] => Arc::default(),
            [one] => Arc::clone(one),
            several => Arc::new(several.iter().flat_map(|set| set.iter().copied()).collect()),
        }
    }
}
