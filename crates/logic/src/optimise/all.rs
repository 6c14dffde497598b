//! Every optimal model, up to a projection: one clause forbids each projection found, until none is left.
//!
//! The clauses are under a selector, which is switched off in the end, so the solver is as before. Cost: one question
//! for each projection listed, and one more.

use super::prices::Prices;
use super::{Limits, Objective};
use crate::sat::{Lit, Outcome, Solver};

/// The projections of the optimal models.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllOptima {
    /// The values of the projection's literals, each combination once, in ascending order (`false` before `true`).
    pub projections: Vec<Vec<bool>>,
    /// Are these all of them, neither cut off by the cap nor by the limits?
    pub complete: bool,
}

/// What the literals of `projection` can be in models that cost no more than `optimum`; at most `cap` combinations.
pub fn all_optima(
    solver: &mut Solver,
    assumptions: &[Lit],
    objective: &Objective,
    optimum: u128,
    projection: &[Lit],
    cap: usize,
    limits: &Limits,
) -> AllOptima {
    let prices = Prices::of(objective);
    solver.without_record(|solver| {
        let stop = limits.stop.clone().or(solver.stop());
        let own = solver.set_stop(stop);
        let own_limit = solver.conflict_limit();
        let selector = solver.new_var();
        let mut all = AllOptima { projections: Vec::new(), complete: false };
        let assumptions = [assumptions, &[prices.at_most(solver, optimum), selector]].concat();
        let mut left = limits.conflicts;
        while left != Some(0) {
            solver.set_conflict_limit(left.into_iter().chain(own_limit).min());
            let before = solver.stats().conflicts;
            let outcome = solver.solve(&assumptions);
            left = left.map(|left| left.saturating_sub(solver.stats().conflicts - before));
            all.complete = outcome == Outcome::Unsat;
            if outcome != Outcome::Sat || all.projections.len() == cap {
                break;
            }
            let values: Vec<bool> = projection.iter().map(|&lit| solver.value(lit)).collect();
            let mut clause = vec![!selector];
            clause.extend(projection.iter().zip(&values).map(|(lit, &value)| lit.negate_if(value)));
            solver.add_clause(&clause);
            all.projections.push(values);
        }
        solver.add_clause(&[!selector]);
        solver.set_stop(own);
        solver.set_conflict_limit(own_limit);
        all.projections.sort_unstable();
        all
    })
}
