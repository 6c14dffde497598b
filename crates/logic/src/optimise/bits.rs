//! Bits from the top: the sum as one binary number, made small bit by bit, the most significant first.
//!
//! The bounds alone say what to ask. Above the highest bit in which they differ, every model worth finding agrees with
//! both; there the best model has a 1 and the lower bound a 0. Is there a model with these bits above and a 0 here? If
//! so, the upper bound falls below this bit (often far below: the true cost of the model counts, so bits that are 0
//! already cost no question); if not, the lower bound rises to it. So at most as many unsatisfiable answers are needed
//! as the minimum has bits set, and the bits above, being assumed, keep the sum from below as well as from above.

use super::adder;
use super::search::{Search, Turn};
use crate::sat::{Lit, Outcome};

/// The state between turns: the sum, once it is built, and what is left out of it because no better model pays it.
#[derive(Default)]
pub(super) struct Bits {
    sum: Option<Vec<Lit>>,
    dear: Vec<Lit>,
}

impl Bits {
    pub(super) fn run(&mut self, search: &mut Search) -> Turn {
        let constant = search.prices.constant;
        while let Some(upper) = search.upper().filter(|_| !search.closed()) {
            let sum = self.sum.get_or_insert_with(|| {
                let (rest, dear) = search.prices.affordable(upper - constant);
                self.dear = dear;
                let sum = adder::sum(search.solver, &rest);
                for &bit in &sum {
                    search.solver.set_phase(!bit);
                }
                sum
            });
            let (lower, upper) = (search.lower() - constant, upper - constant);
            let top = (lower ^ upper).ilog2() as usize;
            let mut assumptions: Vec<Lit> = self.dear.iter().map(|&lit| !lit).collect();
            for (i, &bit) in sum.iter().enumerate().skip(top + 1).rev() {
                assumptions.push(bit.negate_if(i >= 128 || upper >> i & 1 == 0));
            }
            assumptions.push(!sum[top]);
            match search.solve(&assumptions) {
                Outcome::Sat => {}
                Outcome::Unsat => {
                    search.learn_core();
                    search.raise_lower(constant + (upper >> top << top));
                }
                Outcome::Interrupted => return Turn::Over,
            }
        }
        Turn::Closed
    }

    /// Leave no preference behind.
    pub(super) fn retire(self, search: &mut Search) {
        for bit in self.sum.into_iter().flatten() {
            search.solver.clear_phase(bit);
        }
    }
}
