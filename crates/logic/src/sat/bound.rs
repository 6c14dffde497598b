//! A bound on a weighted sum of literals that the solver propagates without clauses for it: as a pseudo-Boolean solver does,
//! beside the clauses (`sat.rs` connects it to the backend).
//!
//! The sum of the weights of true literals is kept up to date. What is too heavy to be paid on top of it is false; the reason
//! is made only when the solver asks for it, and leaves out what the contradiction can do without. The bound may be
//! lowered between calls, never raised: what was learned must stay true.

use super::Lit;
use cadical_sys::ExternalPropagator;

#[derive(Clone)]
pub(super) struct Bound {
    /// The heaviest first.
    weights: Vec<(Lit, u128)>,
    /// Of a variable: its place among the weights, or none.
    places: Vec<Option<u32>>,
    /// Of a place: 1 if its literal is true, -1 if false, 0 if open.
    values: Vec<i8>,
    bound: u128,
    sum: u128,
    /// Places in the order of their assignment, and where each decision level begins.
    trail: Vec<u32>,
    levels: Vec<usize>,
    /// Of a place: how long the trail was when it was made false.
    moments: Vec<usize>,
    /// What stands before this among the weights is assigned or was looked at.
    next: usize,
    /// A clause being handed over, in reverse; None if none is.
    clause: Option<Vec<i32>>,
}

impl Bound {
    pub(super) fn new(weights: &[(Lit, u128)], bound: u128) -> Bound {
        let mut weights = weights.to_vec();
        weights.sort_by_key(|&(lit, weight)| (std::cmp::Reverse(weight), lit.variable()));
        let variables = weights.iter().map(|(lit, _)| lit.variable()).max().unwrap_or(0);
        let mut places = vec![None; variables + 1];
        for (place, (lit, _)) in weights.iter().enumerate() {
            places[lit.variable()] = u32::try_from(place).ok();
        }
        let (values, moments) = (vec![0; weights.len()], vec![0; weights.len()]);
        let (trail, levels) = (Vec::new(), Vec::new());
        Bound { weights, places, values, bound, sum: 0, trail, levels, moments, next: 0, clause: None }
    }

    pub(super) fn lower_to(&mut self, bound: u128) {
        self.bound = self.bound.min(bound);
        self.next = 0;
    }

    /// One of these literals is false, in reverse: those true at a moment, without what is not needed to exceed the bound
    /// by a further weight.
    fn exceeded(&self, moment: usize, further: u128) -> Vec<i32> {
        let paid = || self.trail[..moment].iter().map(|&p| p as usize).filter(|&place| self.values[place] > 0);
        let total: u128 = paid().map(|place| self.weights[place].1).sum();
        let mut spare = (total + further).saturating_sub(self.bound + 1);
        let mut clause = vec![0];
        // The latest first: what is left was true earlier, so the solver can go back further.
        for place in paid().collect::<Vec<_>>().into_iter().rev() {
            let (lit, weight) = self.weights[place];
            match spare.checked_sub(weight) {
                Some(less) => spare = less,
                None => clause.push((!lit).dimacs()),
            }
        }
        clause
    }
}

impl ExternalPropagator for Bound {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        for lit in lits {
            let Some(Some(place)) = self.places.get(lit.unsigned_abs() as usize) else { continue };
            let at = *place as usize;
            if self.values[at] == 0 {
                let (own, weight) = self.weights[at];
                let paid = own.dimacs() == *lit;
                self.values[at] = if paid { 1 } else { -1 };
                self.sum += if paid { weight } else { 0 };
                self.trail.push(*place);
            }
        }
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        let Some(&start) = self.levels.get(new_level) else { return };
        self.levels.truncate(new_level);
        for place in self.trail.drain(start..) {
            let at = place as usize;
            if self.values[at] > 0 {
                self.sum -= self.weights[at].1;
            }
            self.values[at] = 0;
        }
        self.next = 0;
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        self.notify_assignment(model);
        self.sum <= self.bound
    }

    fn cb_propagate(&mut self) -> i32 {
        let Some(slack) = self.bound.checked_sub(self.sum) else { return 0 };
        while let Some(&(lit, weight)) = self.weights.get(self.next).filter(|&&(_, weight)| weight > slack) {
            debug_assert!(weight > slack);
            if self.values[self.next] == 0 {
                self.moments[self.next] = self.trail.len();
                return (!lit).dimacs();
            }
            self.next += 1;
        }
        0
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        if self.clause.is_none() {
            let place = self.places[propagated.unsigned_abs() as usize].expect("only weights are propagated") as usize;
            let mut clause = self.exceeded(self.moments[place], self.weights[place].1);
            clause.push(propagated);
            self.clause = Some(clause);
        }
        self.cb_add_external_clause_lit()
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = true;
        if self.sum <= self.bound {
            return false;
        }
        self.clause = Some(self.exceeded(self.trail.len(), 0));
        true
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        let lit = self.clause.as_mut().and_then(Vec::pop).unwrap_or(0);
        if lit == 0 {
            self.clause = None;
        }
        lit
    }
}
