//! The solver: clauses over literals in, a verdict, a model or a core out.
//!
//! A [`Solver`] hands its clauses to CaDiCaL when it is first asked (`sat/backend.rs`); a copy for a short search can be plain instead
//! (`sat/copies.rs`, `sat/plain.rs`), and a solver whose questions are mostly easy can begin plainly. What the machine's library computes is told to it point by point (`sat/points.rs`). Either takes a bound on a weighted sum beside the clauses (`sat/bound.rs`). No other module calls
//! CaDiCaL. Results are deterministic: one thread, a fixed seed, and limits counted in conflicts. The
//! wall-clock reasons of [`Solver::set_stop`] end in [`Outcome::Interrupted`] and
//! never change an answer. [`Solver::solve`] copies the model out, so it stays readable while clauses
//! are added.

mod backend;
mod bound;
mod copies;
mod plain;
mod points;

use crate::hash::FxBuild;
use crate::machine::Function;
use crate::stop::Stop;
use backend::{Backend, CallLimits, Manner};
use bound::Bound;
pub(crate) use copies::Problem;
use plain::Plain;
use points::Applied;
use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

/// A conflict among so many clauses counts for two, among twice as many for five.
const MANY_CLAUSES: u64 = 50_000;
/// From so many clauses on, looking at all of them is put off.
const LARGE: u64 = 300_000;
/// After handing over so many clauses it is asked whether to stop.
const CLAUSES: usize = 4096;

/// A literal: a solver variable or its negation, or one of the constants [`Lit::TRUE`] and [`Lit::FALSE`], which
/// never reach the solver.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(i32);

impl Lit {
    /// The literal that always holds.
    pub const TRUE: Lit = Lit(i32::MAX);
    /// The literal that never holds.
    pub const FALSE: Lit = Lit(-i32::MAX);

    /// The constant literal of a Boolean.
    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// Is this `TRUE` or `FALSE`?
    pub fn is_constant(self) -> bool {
        self.0.abs() == i32::MAX
    }

    /// The positive literal of a variable, by its number from 1.
    pub fn of_variable(variable: usize) -> Lit {
        Lit(i32::try_from(variable).expect("variables are numbered in 31 bits"))
    }

    /// The DIMACS form: the variable's number, from 1, with a minus sign for a negation.
    pub fn dimacs(self) -> i32 {
        self.0
    }

    /// The variable's number, from 1.
    pub fn variable(self) -> usize {
        self.0.unsigned_abs() as usize
    }

    /// Is this a plain variable, not a negation?
    pub fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// The literal, negated if `flip`.
    pub fn negate_if(self, flip: bool) -> Lit {
        if flip { !self } else { self }
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

/// What a call to [`Solver::solve`] found.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Satisfiable: [`Solver::value`] reads the model.
    Sat,
    /// Unsatisfiable under the assumptions: [`Solver::core`] says which of them matter.
    Unsat,
    /// Stopped by the flag, the deadline or the conflict limit before an answer.
    Interrupted,
}

/// Sizes and effort so far.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// Variables made.
    pub variables: u64,
    /// Clauses added (those that were not trivially true).
    pub clauses: u64,
    /// Conflicts met by the search; of the plain solver more, where they take long.
    pub conflicts: u64,
    /// Calls to `solve`.
    pub calls: u64,
}

/// A model, copied out of the solver: it stays as it is while the solver goes on.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Model(Vec<bool>);

impl Model {
    /// The value of a literal. Variables made after the model was found read as false.
    pub fn value(&self, lit: Lit) -> bool {
        if lit.is_constant() {
            return lit == Lit::TRUE;
        }
        self.0.get(lit.variable()).copied().unwrap_or(false) == lit.is_positive()
    }

    /// The same for the first variables only.
    pub(crate) fn of_first(mut self, variables: u64) -> Model {
        self.0.truncate(usize::try_from(variables).map_or(usize::MAX, |count| count + 1));
        self
    }
}

/// An incremental SAT solver.
pub struct Solver {
    backend: Backend,
    manner: Manner,
    variables: i32,
    clauses: u64,
    calls: u64,
    conflict_limit: Option<u64>,
    decision_limit: Option<u64>,
    stop: Rc<RefCell<Stop>>,
    connected: bool,
    model: Model,
    core: Vec<Lit>,
    /// Every clause in DIMACS form, zero-terminated, if recording.
    record: Option<Vec<i32>>,
    /// The same for clauses added while the record is paused.
    aside: Vec<i32>,
    record_paused: bool,
    bound: Option<Rc<RefCell<Bound>>>,
    contradiction: bool,
    /// By variable: 1 or -1 if a clause of one literal says so, or one that has become so.
    fixed: Vec<i8>,
    /// By variable: 1 or -1 if a value is preferred.
    phases: Vec<i8>,
    /// Results that are functions of the machine.
    applied: Vec<Applied>,
    gave_up_on: Option<Function>,
    /// Whether clauses are missing, so that no answer would be true.
    incomplete: bool,
    /// Whether the plain solver begins, the clauses that CaDiCaL is to get if it goes on and that are not recorded, and what was spent by then.
    plainly: bool,
    retained: Vec<i32>,
    spent_at_first: u64,
    /// Whether this is a copy by the plain solver.
    is_copy: bool,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    /// An empty solver.
    pub fn new() -> Solver {
        Solver {
            backend: Backend::Waiting(Vec::new()),
            manner: Manner::default(),
            variables: 0,
            clauses: 0,
            calls: 0,
            conflict_limit: None,
            decision_limit: None,
            stop: Rc::default(),
            connected: false,
            model: Model::default(),
            core: Vec::new(),
            record: None,
            aside: Vec::new(),
            record_paused: false,
            bound: None,
            contradiction: false,
            fixed: Vec::new(),
            phases: Vec::new(),
            applied: Vec::new(),
            gave_up_on: None,
            incomplete: false,
            plainly: false,
            retained: Vec::new(),
            spent_at_first: 0,
            is_copy: false,
        }
    }

    /// There was no time for all clauses: from now on every question is answered by [`Outcome::Interrupted`], whatever
    /// reasons to stop there are then.
    pub(crate) fn leave_incomplete(&mut self) {
        self.incomplete = true;
    }

    /// Are clauses missing?
    pub(crate) fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// Expect many small calls: do not try a few simple models before each search. (For a single large call that is
    /// often all it takes; before many small ones it costs more than they do.) To be called before the first question.
    pub fn expect_many_calls(&mut self) {
        self.manner.many_calls = true;
    }

    /// Guess variables that were made early before later ones, until conflicts say otherwise: inputs before what is
    /// computed from them. To be called before the first question.
    pub fn guess_early_variables_first(&mut self) {
        self.manner.early_first = true;
    }

    /// Keep a copy of every clause from now on, for [`Solver::to_dimacs`].
    pub fn record_clauses(&mut self) {
        self.record.get_or_insert_default();
    }

    /// Is a copy of every clause kept?
    pub(crate) fn is_recorded(&self) -> bool {
        self.record.is_some()
    }

    /// Do some work whose clauses are not recorded: those of someone who only defines new variables, or repeats what
    /// follows anyway, so that the record stays the problem itself.
    pub fn without_record<R>(&mut self, work: impl FnOnce(&mut Solver) -> R) -> R {
        let paused = std::mem::replace(&mut self.record_paused, true);
        let result = work(self);
        self.record_paused = paused;
        result
    }

    /// A new variable, as its positive literal.
    pub fn new_var(&mut self) -> Lit {
        self.variables += 1;
        Lit(self.variables)
    }

    /// Require one of the literals to hold.
    ///
    /// The backend takes hundreds of instructions to store a literal, so it gets none that is known to be false, and no
    /// clause that is known to hold.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        if clause.contains(&Lit::TRUE) {
            return;
        }
        self.clauses += 1;
        if let Some(record) = &mut self.record {
            let record = if self.record_paused { &mut self.aside } else { record };
            record.extend(clause.iter().filter(|&&lit| lit != Lit::FALSE).map(|lit| lit.0));
            record.push(0);
        }
        match &mut self.backend {
            Backend::Waiting(_) if self.record.is_some() => {}
            Backend::Waiting(clauses) => {
                clauses.extend(clause.iter().filter(|&&lit| lit != Lit::FALSE).map(|lit| lit.0));
                clauses.push(0);
            }
            Backend::Plain(_) if self.plainly => {
                if self.record.is_none() {
                    self.retained.extend(clause.iter().filter(|&&lit| lit != Lit::FALSE).map(|lit| lit.0));
                    self.retained.push(0);
                }
                self.give(clause);
            }
            _ => self.give(clause),
        }
    }

    /// Give the backend a clause.
    fn give(&mut self, clause: &[Lit]) {
        if clause.iter().any(|&lit| self.fixed_value(lit) > 0) {
            return;
        }
        let mut open = 0;
        let mut last = Lit::FALSE;
        for &lit in clause {
            if self.fixed_value(lit) == 0 {
                self.backend.add(lit.0);
                open += usize::from(lit != last);
                last = lit;
            }
        }
        self.backend.add(0);
        self.contradiction |= open == 0;
        if open == 1 {
            let known = self.fixed.len().max(self.variables as usize + 1);
            self.fixed.resize(known, 0);
            self.fixed[last.variable()] = if last.is_positive() { 1 } else { -1 };
        }
    }

    /// The value of a literal if every model is known to agree on it.
    pub(crate) fn known_value(&mut self, lit: Lit) -> Option<bool> {
        self.hand_over();
        let value = match self.fixed_value(lit) {
            0 => self.backend.fixed(lit.0),
            value => value,
        };
        (value != 0).then_some(value > 0)
    }

    /// 1 or -1 if the literal is a constant or fixed by a clause of one literal, else 0.
    fn fixed_value(&self, lit: Lit) -> i8 {
        if lit.is_constant() {
            return if lit == Lit::TRUE { 1 } else { -1 };
        }
        let value = self.fixed.get(lit.variable()).copied().unwrap_or(0);
        if lit.is_positive() { value } else { -value }
    }

    /// Is there a model of the clauses in which all assumptions hold?
    pub fn solve(&mut self, assumptions: &[Lit]) -> Outcome {
        let outcome = self.solve_only(assumptions);
        if outcome == Outcome::Sat {
            self.keep_model();
        }
        outcome
    }

    /// The same, for someone who may not want the model: it is not copied. Until the next clause or call,
    /// [`Solver::peek`] reads it and `keep_model` copies it; [`Solver::value`] and [`Solver::model`] speak of
    /// the last one that was copied.
    pub fn solve_only(&mut self, assumptions: &[Lit]) -> Outcome {
        self.solve_pointwise(assumptions)
    }

    fn solve_once(&mut self, assumptions: &[Lit]) -> Outcome {
        self.calls += 1;
        self.core.clear();
        self.hand_over();
        if self.incomplete {
            return Outcome::Interrupted;
        }
        if self.contradiction {
            return Outcome::Unsat;
        }
        if assumptions.contains(&Lit::FALSE) {
            self.core.push(Lit::FALSE);
            return Outcome::Unsat;
        }
        if self.stop.borrow().requested() {
            return Outcome::Interrupted;
        }
        let asked: Vec<i32> = assumptions.iter().filter(|&&lit| lit != Lit::TRUE).map(|lit| lit.0).collect();
        let stop = self.stop.borrow().clone();
        let mut outcome = Outcome::Interrupted;
        let before = self.conflicts();
        if let Some(left) = self.left_at_first() {
            outcome =
                self.solve_within(&asked, self.conflict_limit.map_or(left, |limit| limit.min(left)).into(), &stop);
            if outcome == Outcome::Interrupted && self.left_at_first() == Some(0) {
                self.leave_plain();
            }
        }
        let spent = self.conflicts() - before;
        let limit = self.conflict_limit.map(|limit| limit.saturating_sub(spent));
        if outcome == Outcome::Interrupted && self.left_at_first().is_none() && limit != Some(0) && !stop.requested() {
            outcome = self.solve_within(&asked, limit, &stop);
        }
        if outcome == Outcome::Unsat {
            let mut seen = HashSet::<Lit, FxBuild>::default();
            for &lit in assumptions {
                if lit != Lit::TRUE && self.backend.failed(lit.0) && seen.insert(lit) {
                    self.core.push(lit);
                }
            }
        }
        outcome
    }

    /// One call of the backend, paid for where effort is limited.
    fn solve_within(&mut self, asked: &[i32], limit: Option<u64>, stop: &Stop) -> Outcome {
        let price = self.price();
        let affordable = stop.conflicts_left().map(|left| left.div_ceil(price));
        let conflicts = limit.into_iter().chain(affordable).min();
        let limits = CallLimits { conflicts, decisions: self.decision_limit };
        let before = self.conflicts();
        let outcome = self.backend.solve(asked, &limits, stop);
        stop.spend((self.conflicts() - before + 1) * price);
        outcome
    }

    /// Conflicts so far, whoever met them.
    fn conflicts(&self) -> u64 {
        self.spent_at_first + self.backend.conflicts()
    }

    /// What a conflict counts for where effort is limited: it takes longer among many clauses, and more so where they do not stay in the caches.
    fn price(&self) -> u64 {
        // The plain solver counts what it does between conflicts.
        if matches!(self.backend, Backend::Plain(_)) {
            return 1;
        }
        let size = self.clauses / MANY_CLAUSES;
        1 + size * size
    }

    /// Give CaDiCaL, or the plain solver, what has been waiting for the first question.
    fn hand_over(&mut self) {
        let Backend::Waiting(clauses) = &mut self.backend else { return };
        let waiting = std::mem::take(clauses);
        let record = self.record.take();
        let aside = std::mem::take(&mut self.aside);
        let lists: [&[i32]; 3] = [&waiting, record.as_deref().unwrap_or_default(), &aside];
        if self.may_begin_plainly(lists) {
            self.hand_over_plainly(lists);
            (self.record, self.aside, self.retained) = (record, aside, waiting);
            return;
        }
        self.plainly = false;
        self.manner.large = self.clauses >= LARGE;
        self.backend = Backend::Cadical(backend::new_cadical(self.manner));
        // What is known already goes first: what it makes true or false need not be stored.
        for (variable, &value) in self.fixed.iter().enumerate().filter(|&(_, &value)| value != 0) {
            self.backend.add(Lit::of_variable(variable).negate_if(value < 0).0);
            self.backend.add(0);
        }
        let mut lits: Vec<Lit> = Vec::new();
        for list in lists {
            for (at, clause) in list.split_inclusive(|&lit| lit == 0).enumerate() {
                if at % CLAUSES == CLAUSES - 1 && self.is_stopped() {
                    self.incomplete = true;
                    break;
                }
                lits.clear();
                lits.extend(clause[..clause.len() - 1].iter().map(|&lit| Lit(lit)));
                self.give(&lits);
            }
        }
        (self.record, self.aside) = (record, aside);
        for variable in 1..self.phases.len() {
            if self.phases[variable] != 0 {
                let lit = Lit::of_variable(variable);
                self.backend.wish(lit.negate_if(self.phases[variable] < 0), true);
            }
        }
        if self.stop.borrow().may_come() {
            self.connect();
        }
    }

    /// The value of a literal in the model that [`Solver::solve_only`] has just found.
    pub fn peek(&mut self, lit: Lit) -> bool {
        if lit.is_constant() {
            return lit == Lit::TRUE;
        }
        self.backend.value(lit.0.abs()) == lit.is_positive()
    }

    /// Copy the model that [`Solver::solve_only`] has just found.
    pub(crate) fn keep_model(&mut self) {
        let backend = &mut self.backend;
        let values = &mut self.model.0;
        values.clear();
        values.push(false);
        values.extend((1..=self.variables).map(|v| backend.value(v)));
    }

    /// The value of a literal in the last model found. Variables made since then read as false.
    pub fn value(&self, lit: Lit) -> bool {
        self.model.value(lit)
    }

    /// A copy of the last model found.
    pub fn model(&self) -> Model {
        self.model.clone()
    }

    /// After `Unsat`: assumptions that together contradict the clauses, in the order given. Not always minimal.
    pub fn core(&self) -> Vec<Lit> {
        self.core.clone()
    }

    /// Prefer this value when the search has to guess the literal's variable.
    pub fn set_phase(&mut self, lit: Lit) {
        if !lit.is_constant() {
            self.note_phase(lit, if lit.is_positive() { 1 } else { -1 });
            self.backend.wish(lit, true);
        }
    }

    /// Forget the preference for the literal's variable.
    pub(crate) fn clear_phase(&mut self, lit: Lit) {
        if !lit.is_constant() {
            self.note_phase(lit, 0);
            self.backend.wish(lit, false);
        }
    }

    fn note_phase(&mut self, lit: Lit, phase: i8) {
        let known = self.phases.len().max(lit.variable() + 1);
        self.phases.resize(known, 0);
        self.phases[lit.variable()] = phase;
    }

    /// The conflicts allowed in each call.
    pub fn conflict_limit(&self) -> Option<u64> {
        self.conflict_limit
    }

    /// Give up after this many conflicts in each call.
    pub fn set_conflict_limit(&mut self, limit: Option<u64>) {
        self.conflict_limit = limit;
    }

    /// Give up after guessing so many literals in each call, the assumptions not counted.
    pub(crate) fn set_decision_limit(&mut self, limit: Option<u64>) {
        self.decision_limit = limit;
    }

    /// Stop for these reasons from now on; the old ones are returned, to be put back.
    pub fn set_stop(&mut self, stop: Stop) -> Stop {
        let old = self.stop.replace(stop);
        self.connect();
        old
    }

    /// Is it time to stop?
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.borrow().requested()
    }

    /// The wall-clock reasons to stop in force.
    pub fn stop(&self) -> Stop {
        self.stop.borrow().clone()
    }

    fn connect(&mut self) {
        if !self.connected {
            self.connected = self.backend.connect_stop(&self.stop);
        }
    }

    /// Sizes and effort so far.
    pub fn stats(&self) -> Stats {
        Stats {
            variables: u64::from(self.variables.unsigned_abs()),
            clauses: self.clauses,
            conflicts: self.conflicts(),
            calls: self.calls,
        }
    }

    /// Require the weights of the true literals to add up to no more than a bound; no variable may occur twice. To be called
    /// once, before the first call to `solve`.
    pub fn bound_sum(&mut self, weights: &[(Lit, u128)], bound: u128) {
        let bound = Bound::new(weights, bound);
        if let Some(plain) = self.backend.plain() {
            plain.bound_sum(bound);
            return;
        }
        self.hand_over();
        let bound = Rc::new(RefCell::new(bound));
        if let Some(cadical) = self.backend.cadical() {
            cadical.connect_external_propagator(Rc::clone(&bound));
            for (lit, _) in weights {
                cadical.add_observed_var(lit.dimacs().abs());
            }
        }
        self.bound = Some(bound);
    }

    /// Require that sum to be no more than a lower bound.
    pub fn lower_bound_to(&mut self, bound: u128) {
        if let Some(own) = self.backend.plain().and_then(Plain::bound_mut) {
            own.lower_to(bound);
        } else if let Some(own) = &self.bound {
            own.borrow_mut().lower_to(bound);
        }
    }

    /// The recorded clauses and the given assumptions, as units, in DIMACS CNF. None unless
    /// [`Solver::record_clauses`] was called before the first clause, or if there was no time for all clauses.
    pub fn to_dimacs(&self, assumptions: &[Lit]) -> Option<String> {
        use std::fmt::Write;
        let record = self.record.as_ref().filter(|_| !self.incomplete)?;
        let clauses = record.iter().filter(|&&lit| lit == 0).count();
        let units: Vec<Lit> = assumptions.iter().copied().filter(|&lit| lit != Lit::TRUE).collect();
        let mut out = format!("p cnf {} {}\n", self.variables, clauses + units.len());
        for &lit in record {
            let _ = if lit == 0 { writeln!(out, "0") } else { write!(out, "{lit} ") };
        }
        for lit in units {
            let _ = if lit == Lit::FALSE { writeln!(out, "0") } else { writeln!(out, "{} 0", lit.0) };
        }
        Some(out)
    }
}
