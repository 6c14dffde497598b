//! A plain solver for short searches: conflict-driven clause learning, and little around it.
//!
//! CaDiCaL takes thousands of instructions to store a clause, which pays where the search is long. Most problems of the
//! optimiser are settled by a few hundred conflicts, and giving the clauses to CaDiCaL is then most of the work. This solver
//! reads them from one flat list, makes all watch lists at once, and keeps its assignment from one call to the next as far as the
//! assumptions agree. It has two watched literals with blockers, learning to the first unique implication point with
//! minimisation (`plain/analysis.rs`), the queue of variables that moves to the front (`plain/queue.rs`), saved phases, restarts by
//! the glue of clauses, and deletion of learned clauses (Eén and Sörensson, *An extensible SAT-solver*, SAT 2003; Audemard and Simon,
//! *Predicting learnt clauses quality in modern SAT solvers*, IJCAI 2009; Biere and Fröhlich, *Evaluating CDCL variable scoring
//! schemes*, SAT 2015). A bound on a sum (`bound.rs`) is propagated beside the clauses, and a search that becomes long may do
//! without some variables (`plain/elimination.rs`).

mod analysis;
mod clauses;
mod elimination;
mod queue;
mod watches;

use super::Outcome;
use super::bound::Bound;
use crate::stop::Stop;
use cadical_sys::ExternalPropagator;
use elimination::Eliminated;
use queue::Queue;
use watches::{Watch, Watches};

/// A literal as an index: twice the variable, and one more for a negation.
type Code = u32;

fn code(dimacs: i32) -> Code {
    dimacs.unsigned_abs() << 1 | u32::from(dimacs < 0)
}

fn dimacs(code: Code) -> i32 {
    let variable = (code >> 1).cast_signed();
    if code & 1 == 0 { variable } else { -variable }
}

/// Reasons that are no clause: a guess or a fact, and the bound on the sum.
const NO_REASON: u32 = u32::MAX;
const BY_BOUND: u32 = u32::MAX - 1;
/// Words before the literals of a clause: how many there are, and the glue of a learned clause (0 of a given one).
const HEAD: usize = 2;
/// After so many guesses and conflicts it is asked whether to stop: each may take a millisecond where there is much to propagate.
const TURNS: u64 = 256;
/// So many visits of clauses count for a conflict: where each conflict takes much propagation, there are fewer of them.
const VISITS: u64 = 25_000;
/// A restart needs so many conflicts since the last one.
const RESTART_AFTER: u64 = 20;

/// Where and why a variable got its value.
#[derive(Copy, Clone)]
struct Assigned {
    level: u32,
    reason: u32,
}

#[derive(Clone)]
pub(super) struct Plain {
    /// By literal: 1 if true, -1 if false, 0 if open.
    values: Vec<i8>,
    /// By variable.
    assigned: Vec<Assigned>,
    /// By variable: the value to guess, 1 or -1, as wished (or 0) and as it was last.
    wished: Vec<i8>,
    saved: Vec<i8>,
    /// The literals that are true in the order in which they became so, where levels begin, and what is propagated.
    trail: Vec<Code>,
    levels: Vec<usize>,
    propagated: usize,
    told_bound: usize,
    /// What held before there was a bound, if there is one.
    facts: Option<usize>,
    /// Clauses, one after the other.
    arena: Vec<u32>,
    learned: Vec<u32>,
    reduce_at: usize,
    watches: Watches,
    queue: Queue,
    eliminated: Eliminated,
    /// By literal: the last clause that was seen to contain it, while clauses are read.
    stamps: Vec<u32>,
    stamp: u32,
    adding: Vec<Code>,
    bound: Option<Bound>,
    /// The assumptions of the last call, and those that contradict each other.
    assumptions: Vec<Code>,
    failed: Vec<Code>,
    is_failed: Vec<bool>,
    contradiction: bool,
    analysis: analysis::Analysis,
    conflicts: u64,
    /// How often a clause was visited because a literal had become false, and the literals that were read at first.
    visits: u64,
    last_restart: u64,
    /// Averages of glue over some thirty conflicts and over some thousands, times 2^32.
    fast_glue: u64,
    slow_glue: u64,
}

impl Plain {
    /// A solver of clauses in DIMACS form, each ended by a zero, over so many variables.
    pub(super) fn new<'a>(variables: usize, early_first: bool, clauses: impl Iterator<Item = &'a [i32]>) -> Plain {
        let mut plain = Plain {
            values: Vec::new(),
            assigned: Vec::new(),
            wished: Vec::new(),
            saved: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            propagated: 0,
            told_bound: 0,
            facts: None,
            arena: Vec::new(),
            learned: Vec::new(),
            reduce_at: clauses::FIRST_REDUCTION,
            watches: Watches::default(),
            queue: Queue::default(),
            eliminated: Eliminated::default(),
            stamps: Vec::new(),
            stamp: 0,
            adding: Vec::new(),
            bound: None,
            assumptions: Vec::new(),
            failed: Vec::new(),
            is_failed: Vec::new(),
            contradiction: false,
            analysis: analysis::Analysis::default(),
            conflicts: 0,
            visits: 0,
            last_restart: 0,
            fast_glue: 0,
            slow_glue: 0,
        };
        plain.make_variables(variables);
        plain.load(clauses);
        if !plain.contradiction && plain.propagate().is_some() {
            plain.contradiction = true;
        }
        plain.queue_all(early_first);
        plain
    }

    /// The same as it would be before the next question, with no effort spent yet.
    pub(super) fn rested(&self) -> Plain {
        let mut plain = self.clone();
        plain.backtrack(0);
        plain.assumptions.clear();
        (plain.conflicts, plain.visits) = (0, 0);
        plain
    }

    fn make_variables(&mut self, variables: usize) {
        if variables >= self.assigned.len() {
            let count = variables + 1;
            self.values.resize(2 * count, 0);
            self.stamps.resize(2 * count, 0);
            self.is_failed.resize(2 * count, false);
            self.assigned.resize(count, Assigned { level: 0, reason: NO_REASON });
            self.wished.resize(count, 0);
            self.saved.resize(count, -1);
            self.watches.make_lists(2 * count);
            self.queue.make_places(count);
            self.eliminated.make_variables(count);
            self.analysis.make_variables(count);
        }
    }

    /// Guess this value, or none in particular for 0.
    pub(super) fn wish(&mut self, variable: usize, value: i8) {
        self.make_variables(variable);
        self.wished[variable] = value;
    }

    /// Keep the sum of weights within a bound.
    pub(super) fn bound_sum(&mut self, bound: Bound) {
        self.backtrack(0);
        self.told_bound = 0;
        self.facts.get_or_insert(self.trail.len());
        self.bound = Some(bound);
    }

    /// The bound on the sum, to be lowered.
    pub(super) fn bound_mut(&mut self) -> Option<&mut Bound> {
        self.bound.as_mut()
    }

    /// Conflicts so far, or what the visits count for, if that is more.
    pub(super) fn effort(&self) -> u64 {
        self.conflicts.max(self.visits / VISITS)
    }

    /// Literals that hold in every model, whatever the bound.
    pub(super) fn facts(&self) -> impl Iterator<Item = i32> {
        let fixed = self.levels.first().copied().unwrap_or(self.trail.len());
        self.trail[..self.facts.unwrap_or(fixed)].iter().map(|&lit| dimacs(lit))
    }

    /// 1 or -1 for what is true or false in every model as far as is known, else 0.
    pub(super) fn fixed(&self, lit: i32) -> i8 {
        let variable = lit.unsigned_abs() as usize;
        let fixed = self.assigned.get(variable).is_some_and(|assigned| assigned.level == 0);
        if fixed { self.values[code(lit) as usize] } else { 0 }
    }

    /// Is the literal of a variable true in the model just found? What no clause mentions has the value wished for.
    pub(super) fn value(&self, variable: usize) -> bool {
        if let Some(value) = self.eliminated.value(variable) {
            return value;
        }
        match self.values.get(2 * variable) {
            None => false,
            Some(0) => self.guess(variable as u32) & 1 == 0,
            Some(value) => *value > 0,
        }
    }

    /// Is this assumption of the last call one of those that contradict each other?
    pub(super) fn failed(&self, lit: i32) -> bool {
        self.is_failed.get(code(lit) as usize) == Some(&true)
    }

    fn fail(&mut self, assumption: Code) {
        self.is_failed[assumption as usize] = true;
        self.failed.push(assumption);
    }

    /// Is there a model in which the assumptions hold?
    pub(super) fn solve(
        &mut self,
        assumptions: &[i32],
        effort: Option<u64>,
        decisions: Option<u64>,
        stop: &Stop,
    ) -> Outcome {
        for lit in self.failed.drain(..) {
            self.is_failed[lit as usize] = false;
        }
        let agreed = self.assumptions.iter().zip(assumptions).take_while(|&(&old, &new)| old == code(new)).count();
        let before = self.assumptions.len();
        self.assumptions.clear();
        self.assumptions.extend(assumptions.iter().map(|&lit| code(lit)));
        for &lit in assumptions {
            self.make_variables(lit.unsigned_abs() as usize);
        }
        self.analysis.make_levels(self.assigned.len() + assumptions.len() + 1);
        if agreed < self.assumptions.len() || agreed < before {
            self.backtrack(agreed);
        }
        let last = effort.map(|some| self.effort().saturating_add(some));
        let (mut guesses, mut turns) = (0, 0u64);
        self.last_restart = self.conflicts;
        while !self.contradiction {
            turns += 1;
            if turns.is_multiple_of(TURNS) && stop.requested() {
                return Outcome::Interrupted;
            }
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                self.learn(conflict);
                continue;
            }
            if last.is_some_and(|last| self.effort() >= last) {
                return Outcome::Interrupted;
            }
            if self.should_restart() {
                self.last_restart = self.conflicts;
                self.backtrack(self.assumptions.len());
            }
            if self.learned.len() >= self.reduce_at {
                self.reduce();
            }
            if let Some(&assumption) = self.assumptions.get(self.levels.len()) {
                match self.values[assumption as usize] {
                    0 => self.decide(assumption),
                    1 => self.new_level(),
                    _ => {
                        self.find_failed(assumption);
                        return Outcome::Unsat;
                    }
                }
                continue;
            }
            let values = &self.values;
            let Some(variable) = self.queue.next(|variable| values[2 * variable as usize] == 0) else {
                self.extend_model();
                return Outcome::Sat;
            };
            if decisions.is_some_and(|most| guesses >= most) {
                return Outcome::Interrupted;
            }
            guesses += 1;
            self.decide(self.guess(variable));
        }
        Outcome::Unsat
    }

    /// The literal of a variable to try first.
    fn guess(&self, variable: u32) -> Code {
        let at = variable as usize;
        let value = if self.wished[at] == 0 { self.saved[at] } else { self.wished[at] };
        variable << 1 | u32::from(value < 0)
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
        if let Some(bound) = &mut self.bound {
            bound.notify_new_decision_level();
        }
    }

    fn decide(&mut self, lit: Code) {
        self.new_level();
        self.assign(lit, NO_REASON);
    }

    fn assign(&mut self, lit: Code, reason: u32) {
        self.values[lit as usize] = 1;
        self.values[(lit ^ 1) as usize] = -1;
        self.assigned[(lit >> 1) as usize] = Assigned { level: self.levels.len() as u32, reason };
        self.trail.push(lit);
    }

    /// Forget what was assigned above a level.
    fn backtrack(&mut self, level: usize) {
        let Some(&start) = self.levels.get(level) else { return };
        for &lit in &self.trail[start..] {
            let variable = (lit >> 1) as usize;
            self.values[lit as usize] = 0;
            self.values[(lit ^ 1) as usize] = 0;
            self.saved[variable] = if lit & 1 == 0 { 1 } else { -1 };
            self.queue.reopened(lit >> 1);
        }
        self.trail.truncate(start);
        self.levels.truncate(level);
        self.propagated = self.propagated.min(start);
        self.told_bound = self.told_bound.min(start);
        if let Some(bound) = &mut self.bound {
            bound.notify_backtrack(level);
        }
    }

    /// Draw all conclusions; a clause whose literals are all false, if there is one, is left to the analysis.
    fn propagate(&mut self) -> Option<u32> {
        loop {
            while let Some(&lit) = self.trail.get(self.propagated) {
                self.propagated += 1;
                if let Some(conflict) = self.visit(lit ^ 1) {
                    return Some(conflict);
                }
            }
            let bound = self.bound.as_mut()?;
            for &lit in &self.trail[self.told_bound..] {
                bound.notify_assignment(&[dimacs(lit)]);
            }
            self.told_bound = self.trail.len();
            if bound.cb_has_external_clause(&mut false) {
                return Some(BY_BOUND);
            }
            match bound.cb_propagate() {
                0 => return None,
                lit => self.assign(code(lit), BY_BOUND),
            }
        }
    }

    /// Visit the clauses that watch a literal which has become false.
    fn visit(&mut self, falsified: Code) -> Option<u32> {
        let Plain { values, assigned, trail, arena, watches, .. } = self;
        let level = self.levels.len() as u32;
        let mut assign = |values: &mut [i8], lit: Code, reason: u32| {
            values[lit as usize] = 1;
            values[(lit ^ 1) as usize] = -1;
            assigned[(lit >> 1) as usize] = Assigned { level, reason };
            trail.push(lit);
        };
        let list = watches.range(falsified);
        self.visits += list.len() as u64;
        let mut conflict = None;
        let (mut kept, mut at) = (list.start, list.start);
        while at < list.end {
            let watch = watches.get(at);
            at += 1;
            let mut value = values[watch.blocker as usize];
            let mut kept_watch = watch;
            let place = watch.clause();
            if value <= 0 && !watch.is_binary() {
                let start = place as usize + HEAD;
                let size = arena[place as usize] as usize;
                let clause = &mut arena[start..start + size];
                let other = clause[0] ^ clause[1] ^ falsified;
                value = values[other as usize];
                kept_watch = Watch::new(place, other, false);
                if value <= 0
                    && let Some(i) = clause[2..].iter().position(|&lit| values[lit as usize] >= 0)
                {
                    let lit = clause[i + 2];
                    clause[0] = other;
                    clause[1] = lit;
                    clause[i + 2] = falsified;
                    watches.push(lit, kept_watch);
                    continue;
                }
            }
            watches.set(kept, kept_watch);
            kept += 1;
            if value < 0 {
                conflict = Some(place);
                break;
            }
            if value == 0 {
                assign(values, kept_watch.blocker, place);
            }
        }
        watches.close_gap(falsified, kept, at);
        conflict
    }

    /// Learn from a conflict, go back, and draw the first conclusion of what was learned.
    fn learn(&mut self, conflict: u32) {
        let Some((level, glue)) = self.analyse(conflict) else {
            self.contradiction = true;
            return;
        };
        let part = |average: u64, shift: u32| average - (average >> shift) + (u64::from(glue) << (32 - shift));
        if self.slow_glue == 0 {
            (self.fast_glue, self.slow_glue) = (u64::from(glue) << 32, u64::from(glue) << 32);
        }
        (self.fast_glue, self.slow_glue) = (part(self.fast_glue, 5), part(self.slow_glue, 13));
        self.backtrack(level as usize);
        std::mem::swap(&mut self.adding, &mut self.analysis.clause);
        let first = self.adding[0];
        if let Some(clause) = self.store(glue) {
            self.learned.push(clause);
            self.watch(clause);
            self.assign(first, clause);
        }
        self.adding.clear();
    }

    fn should_restart(&self) -> bool {
        self.conflicts >= self.last_restart + RESTART_AFTER
            && self.levels.len() > self.assumptions.len()
            && self.fast_glue > self.slow_glue + self.slow_glue / 8
    }
}
