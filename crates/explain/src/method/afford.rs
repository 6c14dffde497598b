//! What a minimum is looked for over, where all that counts would be far more than the question itself.
//!
//! A price on what a hash function computes is a price on a hundred thousand gates, though whether the claim is violated may have nothing
//! to do with them. What would take too many gates is left out of the search: the minimum over the rest is a lower bound, and of the run
//! that is found everything is counted.
//!
//! Cost: linear in the terms, by an estimate of the clauses of each.

use std::collections::{HashMap, HashSet};

use nearmiss_logic::term::{Node, Sort, Term};

use crate::equation::{Equation, Variable};

/// So many clauses may be added for what counts, whatever the question takes.
const LEAST: u64 = 400_000;
/// And so many for each of the question.
const SHARE: u64 = 2;

/// After so many refusals nothing more is looked at.
const MOST_REFUSALS: usize = 64;

/// Says what is still afforded.
pub struct Purse {
    definitions: HashMap<Term, Term>,
    translated: HashSet<Term>,
    /// So many clauses.
    left: u64,
    refusals: usize,
}

impl Purse {
    /// What is afforded beside some terms that are needed.
    pub fn beside(equation: &Equation, needed: &[Term]) -> Purse {
        let definition = |variable: &Variable| Some((variable.symbol, variable.definition?));
        let mut purse = Purse {
            definitions: equation.variables.iter().filter_map(definition).collect(),
            translated: HashSet::new(),
            left: u64::MAX,
            refusals: 0,
        };
        for term in needed {
            purse.affords(equation, *term);
        }
        let spent = u64::MAX - purse.left;
        purse.left = LEAST.max(SHARE.saturating_mul(spent));
        purse
    }

    /// Whether a term is still afforded; it then is translated.
    pub fn affords(&mut self, equation: &Equation, term: Term) -> bool {
        let (mut todo, mut new, mut cost) = (vec![term], Vec::new(), 0u64);
        while let Some(term) = todo.pop() {
            if !self.translated.insert(term) {
                continue;
            }
            new.push(term);
            cost += clauses(equation, term);
            if cost > self.left {
                new.iter().for_each(|term| {
                    self.translated.remove(term);
                });
                self.refusals += 1;
                // Each refusal looks at much: from now on only what costs nothing is afforded.
                if self.refusals == MOST_REFUSALS {
                    self.left = 0;
                }
                return false;
            }
            todo.extend(self.definitions.get(&term));
            todo.extend(equation.terms.node(term).operands().iter());
        }
        self.left -= cost;
        true
    }
}

/// About so many clauses a term takes, those of its operands aside.
fn clauses(equation: &Equation, term: Term) -> u64 {
    let terms = &equation.terms;
    let width = |term: Term| match terms.sort(term) {
        Sort::BitVec(width) => u64::from(width),
        Sort::Array { element, .. } => u64::from(element),
    };
    match terms.node(term) {
        Node::And(a, _) => 3 * width(a),
        Node::Xor(a, _) | Node::Eq(a, _) => 4 * width(a),
        Node::Ite(_, a, _) => 5 * width(a),
        Node::Ult(a, _) | Node::Slt(a, _) => 6 * width(a),
        Node::Neg(a) => 7 * width(a),
        Node::Add(a, b) => {
            let is_constant = [a, b].iter().any(|term| terms.as_const(*term).is_some());
            width(a) * if is_constant { 7 } else { 14 }
        }
        Node::Shl(a, b) | Node::Lshr(a, b) | Node::Ashr(a, b) if terms.as_const(b).is_none() => {
            4 * width(a) * u64::from(width(a).max(2).ilog2())
        }
        Node::Mul(a, _) => 8 * width(a) * width(a),
        Node::Udiv(a, _) | Node::Urem(a, _) | Node::Sdiv(a, _) | Node::Srem(a, _) => 20 * width(a) * width(a),
        _ => 0,
    }
}
