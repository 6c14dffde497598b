//! From above, one model after the other: the sum must be less than the best, until nothing is.
//!
//! The bound is no clause but a constraint that the solver propagates itself (`sat/bound.rs`), as in pseudo-Boolean
//! optimisation (linear search, clasp's `bb,lin`: Gebser, Kaminski, Kaufmann, Schaub, *Multi-criteria optimization in
//! answer set programming*, ICLP 2011). It wins where prices are many, of all sizes, and tied together by arithmetic, so that
//! cores are large and say little. It works on a copy of the solver, which holds all that was added and nothing learned: the bound has to be
//! there before the first search, and no trace of it is to stay. Without a record there is no copy, and no turn. In a plain copy the
//! bound is there for all methods, as soon as there is a model.

use super::search::{Search, Turn};
use crate::sat::{Outcome, Solver};

/// The state between turns: the copy, once it is made.
#[derive(Default)]
pub(super) struct Linear {
    copy: Option<Solver>,
}

impl Linear {
    pub(super) fn run(&mut self, search: &mut Search) -> Turn {
        let constant = search.prices.constant;
        while let Some(upper) = search.upper().filter(|_| !search.closed()) {
            // Above the constant, since the bounds have not met.
            let bound = upper - constant - 1;
            let outcome = if search.solver.is_plain() {
                // A copy itself, in which only better models count.
                search.solve(&[])
            } else {
                if self.copy.is_none() {
                    self.copy = search.copy_with_bound(bound);
                }
                let Some(copy) = &mut self.copy else { return Turn::Over };
                copy.lower_bound_to(bound);
                search.solve_in(copy)
            };
            match outcome {
                Outcome::Sat => {}
                Outcome::Unsat => search.close(),
                Outcome::Interrupted => return Turn::Over,
            }
        }
        Turn::Closed
    }
}
