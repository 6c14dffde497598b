//! What the methods of one search share: the solver, the bounds, the best model and the limits.
//!
//! Every question of a method goes through [`Search::solve`], [`Search::probe`] or [`Search::solve_in`], which count conflicts against the
//! limits and let every model found lower the upper bound.

use super::prices::Prices;
use super::{Limits, Optimum};
use crate::sat::{Lit, Model, Outcome, Solver};
use crate::stop::Stop;

/// Probes begin when the questions have cost so many conflicts, and each is then made only if the questions have cost so
/// many more. Where they are easy a larger core does little harm, but every probe has to propagate all over again.
const PROBES_AFTER: u64 = 1_000;
const PROBE_PRICE: u64 = 5;
/// Guesses allowed to a probe: what has no contradiction that near the surface is taken to be satisfiable.
const PROBE_DECISIONS: u64 = 200;

/// What is known when a search begins.
pub(super) enum Begin<'a> {
    /// Nothing.
    Anywhere,
    /// What may be a model.
    At(&'a dyn Fn(Lit) -> bool),
    /// A model.
    With(Model),
}

/// One search, under way.
pub(super) struct Search<'a> {
    pub(super) solver: &'a mut Solver,
    pub(super) prices: &'a Prices,
    assumptions: &'a [Lit],
    progress: &'a mut dyn FnMut(u128, u128),
    lower: u128,
    best: Option<(u128, Model)>,
    /// Conflicts left by the limits.
    left: Option<u64>,
    /// Conflicts left to the method whose turn it is.
    pub(super) allowance: Option<u64>,
    /// The solver's own settings, to be put back.
    solver_stop: Stop,
    solver_limit: Option<u64>,
    /// The last core, the caller's assumptions included.
    pub(super) core: Vec<Lit>,
    /// Conflicts spent on questions that had to be answered.
    question_conflicts: u64,
    probes: u64,
    /// Are probes made whatever they cost?
    pub(super) free_probes: bool,
    outcome: Outcome,
    /// A question ended early, and not because the turn was over.
    stopped: bool,
    bounded: bool,
}

/// How a method's turn ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// The bounds met.
    Closed,
    /// The conflicts allowed are used up, or the search was stopped.
    Over,
}

/// What a probe showed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Probe {
    Unsat,
    /// There is a model, or no contradiction near the surface.
    Shallow,
    /// The conflicts allowed were used up, or the questions are too easy for probes to pay.
    Hard,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        solver: &'a mut Solver,
        assumptions: &'a [Lit],
        prices: &'a Prices,
        limits: &Limits,
        progress: &'a mut dyn FnMut(u128, u128),
    ) -> Search<'a> {
        let stop = limits.stop.clone().or(solver.stop());
        let solver_stop = solver.set_stop(stop);
        let solver_limit = solver.conflict_limit();
        for &(lit, _) in &prices.weights {
            solver.set_phase(!lit);
        }
        Search {
            solver,
            prices,
            assumptions,
            progress,
            lower: prices.constant,
            best: None,
            left: limits.conflicts,
            allowance: None,
            solver_stop,
            solver_limit,
            core: Vec::new(),
            question_conflicts: 0,
            probes: 0,
            free_probes: false,
            outcome: Outcome::Interrupted,
            stopped: false,
            bounded: false,
        }
    }

    pub(super) fn begin(&mut self, begin: Begin) {
        match begin {
            Begin::Anywhere => {}
            Begin::At(warm) => self.begin_at(warm),
            Begin::With(model) => self.begin_with(model),
        }
    }

    /// Begin with what may be a model: if it is, it is the first upper bound; if not, the first model is near it.
    fn begin_at(&mut self, warm: &dyn Fn(Lit) -> bool) {
        let count = usize::try_from(self.solver.stats().variables).unwrap_or(usize::MAX);
        let values: Vec<Lit> = (1..=count).map(Lit::of_variable).map(|lit| lit.negate_if(!warm(lit))).collect();
        for &lit in &values {
            self.solver.set_phase(lit);
        }
        let outcome = self.solve(&[]);
        for &lit in &values {
            self.solver.clear_phase(lit);
        }
        for &(lit, _) in &self.prices.weights {
            self.solver.set_phase(!lit);
        }
        // The search may have come upon another model; the one given can still be the better one.
        let promised = self.prices.cost(warm);
        if outcome != Outcome::Unsat && self.upper().is_none_or(|upper| promised < upper) {
            self.solve(&values);
        }
    }

    /// Begin with a model of the clauses and assumptions.
    fn begin_with(&mut self, model: Model) {
        let cost = self.prices.cost(|lit| model.value(lit));
        self.best = Some((cost, model));
        self.tighten();
    }

    /// In a copy that nobody needs afterwards, only better models count from now on.
    fn tighten(&mut self) {
        let Some(bound) = self.upper().and_then(|upper| upper.checked_sub(self.prices.constant + 1)) else { return };
        if self.solver.is_plain() {
            if self.bounded {
                self.solver.lower_bound_to(bound);
            } else {
                self.solver.bound_sum(&self.prices.weights, bound);
                self.bounded = true;
            }
        }
    }

    /// Look for a model where there is none yet. False if there is nothing to improve on.
    pub(super) fn has_model(&mut self) -> bool {
        if self.best.is_none() {
            self.outcome = self.solve(&[]);
        }
        self.best.is_some()
    }

    /// In a plain copy, do without as many of the first `given` variables as can be found in a model of the rest.
    pub(super) fn eliminate(&mut self, given: u64) {
        let priced = self.prices.weights.iter().map(|&(lit, _)| lit);
        let kept: Vec<Lit> = priced.chain(self.assumptions.iter().copied()).collect();
        self.solver.eliminate_except(&kept, given);
    }

    /// Conflicts left by the limits.
    pub(super) fn left(&self) -> Option<u64> {
        self.left
    }

    pub(super) fn finish(self) -> Optimum {
        for &(lit, _) in &self.prices.weights {
            self.solver.clear_phase(lit);
        }
        self.solver.set_stop(self.solver_stop);
        self.solver.set_conflict_limit(self.solver_limit);
        let proved = self.best.as_ref().is_some_and(|&(cost, _)| cost <= self.lower);
        let (upper, model) = self.best.map_or((u128::MAX, None), |(cost, model)| (cost, Some(model)));
        let outcome = match (&model, proved) {
            (Some(_), true) => Outcome::Sat,
            (Some(_), false) => Outcome::Interrupted,
            (None, _) => self.outcome,
        };
        Optimum { lower: self.lower, upper, model, proved, outcome }
    }

    /// Is there a model in which the caller's assumptions and these hold?
    pub(super) fn solve(&mut self, extra: &[Lit]) -> Outcome {
        let (outcome, used) = self.ask(extra, None);
        self.question_conflicts += used;
        if outcome == Outcome::Interrupted {
            // Unless the turn is over, asking again would end the same way.
            self.stopped |= self.allowance != Some(0);
        }
        outcome
    }

    /// The same for a question that may stay open: within a few conflicts, more where all questions are hard.
    pub(super) fn probe(&mut self, extra: &[Lit]) -> Probe {
        if !self.free_probes && PROBES_AFTER + self.probes * PROBE_PRICE > self.question_conflicts {
            return Probe::Hard;
        }
        self.probes += 1;
        let conflicts = (10 + self.question_conflicts / 8).min(1000);
        self.solver.set_decision_limit(Some(PROBE_DECISIONS));
        let (outcome, used) = self.ask(extra, Some(conflicts));
        self.solver.set_decision_limit(None);
        match outcome {
            Outcome::Interrupted if used < conflicts => Probe::Shallow,
            Outcome::Interrupted => Probe::Hard,
            Outcome::Sat => Probe::Shallow,
            Outcome::Unsat => Probe::Unsat,
        }
    }

    fn ask(&mut self, extra: &[Lit], conflicts: Option<u64>) -> (Outcome, u64) {
        let limits = [self.left, self.allowance, self.solver_limit, conflicts];
        let limit = limits.into_iter().flatten().min();
        if limit == Some(0) {
            return (Outcome::Interrupted, 0);
        }
        self.solver.set_conflict_limit(limit);
        let before = self.solver.stats().conflicts;
        let assumptions = [self.assumptions, extra].concat();
        let outcome = self.solver.solve_only(&assumptions);
        let used = self.solver.stats().conflicts.saturating_sub(before);
        self.spend(used, limit, outcome);
        if outcome == Outcome::Unsat {
            self.core = self.solver.core();
        }
        if outcome == Outcome::Sat {
            let cost = self.prices.cost(|lit| self.solver.peek(lit));
            if self.upper().is_none_or(|upper| cost < upper) {
                self.solver.keep_model();
                self.best = Some((cost, self.solver.model()));
                (self.progress)(self.lower, cost);
                self.tighten();
            }
        }
        (outcome, used)
    }

    /// A copy of the solver in which the sum of prices is bounded; None without a record.
    pub(super) fn copy_with_bound(&self, bound: u128) -> Option<Solver> {
        let mut copy = self.solver.full_copy()?;
        copy.set_stop(self.solver.stop());
        for &lit in self.assumptions {
            copy.add_clause(&[lit]);
        }
        copy.bound_sum(&self.prices.weights, bound);
        for &(lit, _) in &self.prices.weights {
            copy.set_phase(!lit);
        }
        Some(copy)
    }

    /// [`Search::solve`] without assumptions, in a copy of the solver.
    pub(super) fn solve_in(&mut self, copy: &mut Solver) -> Outcome {
        let limits = [self.left, self.allowance, self.solver_limit];
        let limit = limits.into_iter().flatten().min();
        if limit == Some(0) {
            return Outcome::Interrupted;
        }
        copy.set_conflict_limit(limit);
        let before = copy.stats().conflicts;
        let outcome = copy.solve(&[]);
        let used = copy.stats().conflicts.saturating_sub(before);
        self.spend(used, limit, outcome);
        if outcome == Outcome::Sat {
            self.found(copy.model());
        }
        if outcome == Outcome::Interrupted {
            self.stopped |= self.allowance != Some(0);
        }
        outcome
    }

    /// Count conflicts against the limits.
    fn spend(&mut self, used: u64, limit: Option<u64>, outcome: Outcome) {
        for left in [&mut self.left, &mut self.allowance].into_iter().flatten() {
            // A limit that ended the call counts as used up, however the solver counts.
            let spent = outcome == Outcome::Interrupted && limit == Some(*left);
            *left = if spent { 0 } else { left.saturating_sub(used) };
        }
    }

    /// A model of the clauses and assumptions.
    fn found(&mut self, model: Model) {
        let cost = self.prices.cost(|lit| model.value(lit));
        if self.upper().is_none_or(|upper| cost < upper) {
            self.best = Some((cost, model));
            (self.progress)(self.lower, cost);
        }
    }

    /// Keep what the last core says as a clause. It follows, so it does no harm, and the solver may not have kept it.
    pub(super) fn learn_core(&mut self) {
        if self.core.len() <= 100 {
            let clause: Vec<Lit> = self.core.iter().map(|&lit| !lit).collect();
            self.solver.add_clause(&clause);
        }
    }

    /// What was proved: no model cheaper than the best one is cheaper than this.
    pub(super) fn raise_lower(&mut self, lower: u128) {
        let lower = self.upper().map_or(lower, |upper| lower.min(upper));
        if lower > self.lower {
            self.lower = lower;
            if let Some((upper, _)) = self.best {
                (self.progress)(lower, upper);
            }
        }
    }

    /// No model is cheaper than the best one.
    pub(super) fn close(&mut self) {
        if let Some((upper, _)) = self.best {
            self.raise_lower(upper);
        }
    }

    pub(super) fn lower(&self) -> u128 {
        self.lower
    }

    pub(super) fn upper(&self) -> Option<u128> {
        self.best.as_ref().map(|&(cost, _)| cost)
    }

    pub(super) fn closed(&self) -> bool {
        self.upper().is_some_and(|upper| upper <= self.lower)
    }

    /// Is there nothing left to anyone?
    pub(super) fn out_of_time(&self) -> bool {
        self.stopped || self.left == Some(0) || self.solver.stop().requested()
    }
}
