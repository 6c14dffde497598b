//! An objective as the search sees it: a constant, and a list of literals with a price each.
//!
//! Both kinds of objective come down to this, with everything merged that is of one variable. A bound on the cost is one
//! literal: by a counter where that is small, for counting propagates, else by a binary sum.

use super::Objective;
use super::adder;
use super::totalizer::Totalizer;
use crate::hash::FxBuild;
use crate::sat::{Lit, Solver};
use std::collections::HashMap;

/// What a model costs: `constant` plus the weight of every literal that is true. No literal is a
/// constant, no two are of the same variable, no weight is zero, and variables ascend.
pub(super) struct Prices {
    pub(super) constant: u128,
    pub(super) weights: Vec<(Lit, u128)>,
}

impl Prices {
    pub(super) fn of(objective: &Objective) -> Prices {
        let given = objective.prices();
        let given = given.expect("a cost fits 128 bits");
        let mut constant = 0;
        let mut both: HashMap<usize, [u128; 2], FxBuild> = HashMap::default();
        for (lit, weight) in given {
            if lit == Lit::TRUE {
                constant += weight;
            } else if lit != Lit::FALSE {
                both.entry(lit.variable()).or_default()[usize::from(lit.is_positive())] += weight;
            }
        }
        let mut weights = Vec::with_capacity(both.len());
        #[expect(clippy::iter_over_hash_type, reason = "they are sorted below")]
        for (variable, [negative, positive]) in both {
            // One of the two is always paid; what is left is the difference.
            constant += negative.min(positive);
            let lit = Lit::of_variable(variable);
            if positive != negative {
                weights.push((lit.negate_if(negative > positive), positive.abs_diff(negative)));
            }
        }
        weights.sort_unstable_by_key(|&(lit, _)| lit.variable());
        Prices { constant, weights }
    }

    /// The same without what is known to be paid, or not to be.
    pub(super) fn in_models_of(mut self, solver: &mut Solver) -> Prices {
        self.weights.retain(|&(lit, weight)| {
            let known = solver.known_value(lit);
            self.constant += if known == Some(true) { weight } else { 0 };
            known.is_none()
        });
        self
    }

    pub(super) fn cost(&self, mut value: impl FnMut(Lit) -> bool) -> u128 {
        self.constant + self.weights.iter().filter(|&&(lit, _)| value(lit)).map(|&(_, weight)| weight).sum::<u128>()
    }

    /// The cost if everything is paid.
    pub(super) fn total(&self) -> u128 {
        self.constant + self.weights.iter().map(|&(_, weight)| weight).sum::<u128>()
    }

    /// A literal that, assumed, keeps the cost at most at a bound.
    pub(super) fn at_most(&self, solver: &mut Solver, bound: u128) -> Lit {
        let Some(bound) = bound.checked_sub(self.constant) else { return Lit::FALSE };
        let (rest, dear) = self.affordable(bound);
        let kept = at_most(&rest, solver, bound);
        if dear.is_empty() {
            return kept;
        }
        let all = solver.new_var();
        solver.add_clause(&[!all, kept]);
        for lit in dear {
            solver.add_clause(&[!all, !lit]);
        }
        all
    }

    /// What can be paid within a bound on top of the constant, and the literals whose price alone exceeds it. What is
    /// not payable need not be added up.
    pub(super) fn affordable(&self, bound: u128) -> (Vec<(Lit, u128)>, Vec<Lit>) {
        let (rest, dear): (Vec<_>, Vec<_>) = self.weights.iter().partition(|&&(_, weight)| weight <= bound);
        (rest, dear.into_iter().map(|(lit, _)| lit).collect())
    }
}

/// Counters of more literals times the number to count to are not made.
const MOST_COUNTED: u128 = 100_000;

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A literal that, assumed, keeps the weight of the true literals at most at a bound.
fn at_most(weights: &[(Lit, u128)], solver: &mut Solver, bound: u128) -> Lit {
    if weights.iter().map(|&(_, weight)| weight).sum::<u128>() <= bound {
        return Lit::TRUE;
    }
    // Counting propagates where adding does not: a small weight is a literal that is counted several times.
    let unit = weights.iter().fold(0, |unit, &(_, weight)| greatest_common_divisor(unit, weight));
    let (count, total) = (bound / unit, weights.iter().map(|&(_, weight)| weight / unit).sum::<u128>());
    if count.saturating_mul(total) < MOST_COUNTED {
        let times = |weight: u128| (weight / unit) as usize;
        let literals: Vec<Lit> =
            weights.iter().flat_map(|&(lit, weight)| std::iter::repeat_n(lit, times(weight))).collect();
        return !Totalizer::new(&literals).at_least(solver, count as usize + 1);
    }
    let sum = adder::sum(solver, weights);
    adder::at_most(solver, &sum, bound)
}
