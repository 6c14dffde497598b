//! How clauses come and go: read all at once, added one by one while something is assigned, and thinned out where they were learned.

use super::watches::Watch;
use super::{HEAD, NO_REASON, Plain, code};

/// Learned clauses are thinned out when there are so many, and then each time there are so many more.
pub(super) const FIRST_REDUCTION: usize = 2_000;
const REDUCTION_STEP: usize = 300;
/// Learned clauses of so little glue stay for good.
const LITTLE_GLUE: u32 = 2;

impl Plain {
    /// Take in all clauses at once: what is known is left out, and the watch lists are made when it is known how long they are.
    pub(super) fn load<'a>(&mut self, lists: impl Iterator<Item = &'a [i32]>) {
        for list in lists {
            self.arena.reserve(list.len() + list.len() / 2);
            self.visits += list.len() as u64;
            for clause in list.split_inclusive(|&lit| lit == 0) {
                self.adding.extend(clause[..clause.len() - 1].iter().map(|&lit| code(lit)));
                if self.simplify() {
                    self.store(0);
                }
                self.adding.clear();
            }
        }
        self.watch_all();
    }

    /// Make the watch lists of all clauses.
    pub(super) fn watch_all(&mut self) {
        let mut watched = vec![0u32; self.values.len()];
        let mut at = 0;
        while at < self.arena.len() {
            for &lit in &self.arena[at + HEAD..at + HEAD + 2] {
                watched[lit as usize] += 1;
            }
            at += HEAD + self.arena[at] as usize;
        }
        self.watches.reserve(&watched);
        let mut at = 0;
        while at < self.arena.len() {
            self.watch(at as u32);
            at += HEAD + self.arena[at] as usize;
        }
    }

    /// Take from the clause being added what is false for good, and what is in it twice. False if it holds for good.
    pub(super) fn simplify(&mut self) -> bool {
        self.stamp += 1;
        let mut kept = 0;
        for i in 0..self.adding.len() {
            let lit = self.adding[i];
            let fixed = self.assigned[(lit >> 1) as usize].level == 0;
            let value = if fixed { self.values[lit as usize] } else { 0 };
            if value > 0 || self.stamps[(lit ^ 1) as usize] == self.stamp {
                return false;
            }
            if value == 0 && self.stamps[lit as usize] != self.stamp {
                self.stamps[lit as usize] = self.stamp;
                self.adding[kept] = lit;
                kept += 1;
            }
        }
        self.adding.truncate(kept);
        true
    }

    /// Keep the clause being added, unless it says that a literal holds, or nothing can. Its place, if it has one.
    pub(super) fn store(&mut self, glue: u32) -> Option<u32> {
        match *self.adding.as_slice() {
            [] => self.contradiction = true,
            [only] => match self.values[only as usize] {
                0 => self.assign(only, NO_REASON),
                value => self.contradiction |= value < 0,
            },
            _ => {
                let place = self.arena.len() as u32;
                self.arena.push(self.adding.len() as u32);
                self.arena.push(glue);
                self.arena.extend_from_slice(&self.adding);
                return Some(place);
            }
        }
        None
    }

    /// Watch a clause by its first two literals.
    pub(super) fn watch(&mut self, clause: u32) {
        let at = clause as usize;
        let (a, b) = (self.arena[at + HEAD], self.arena[at + HEAD + 1]);
        let binary = self.arena[at] == 2;
        self.watches.push(a, Watch::new(clause, b, binary));
        self.watches.push(b, Watch::new(clause, a, binary));
    }

    /// Only what a clause mentions is ever guessed.
    pub(super) fn queue_all(&mut self, early_first: bool) {
        let mentioned = |variable: usize| self.stamps[2 * variable] > 0 || self.stamps[2 * variable + 1] > 0;
        let open = |variable: &usize| self.values[2 * variable] == 0 && mentioned(*variable);
        let queue = &mut self.queue;
        let push = |variable: usize| queue.push_front(variable as u32);
        if early_first {
            (1..self.assigned.len()).rev().filter(open).for_each(push);
        } else {
            (1..self.assigned.len()).filter(open).for_each(push);
        }
    }

    /// Add a literal to a clause; zero ends it.
    pub(in crate::sat) fn add(&mut self, lit: i32) {
        if lit != 0 {
            self.adding.push(code(lit));
            self.make_variables(lit.unsigned_abs() as usize);
            return;
        }
        if self.simplify() {
            self.make_room();
            for i in 0..self.adding.len() {
                let variable = self.adding[i] >> 1;
                assert!(!self.eliminated.contains(variable), "only what is kept is mentioned again");
                if !self.queue.contains(variable) {
                    self.queue.push_front(variable);
                }
            }
            if let Some(clause) = self.store(0) {
                self.watch(clause);
            }
        }
        self.adding.clear();
    }

    /// Go back until the clause being added has two literals that are not false, and put these first. If it has only one, go
    /// back to the facts.
    fn make_room(&mut self) {
        if self.adding.len() < 2 {
            self.backtrack(0);
            return;
        }
        for place in 0..2 {
            let best = (place..self.adding.len()).max_by_key(|&i| {
                let lit = self.adding[i];
                let level = self.assigned[(lit >> 1) as usize].level;
                if self.values[lit as usize] < 0 { level } else { u32::MAX }
            });
            self.adding.swap(place, best.unwrap_or(place));
        }
        let second = self.adding[1];
        if self.values[second as usize] < 0 {
            self.backtrack(self.assigned[(second >> 1) as usize].level as usize - 1);
        }
    }

    /// Forget half of the learned clauses: those of most glue, and among these the longest.
    pub(super) fn reduce(&mut self) {
        let reason_of_itself = |plain: &Plain, clause: u32| {
            let lits = &plain.arena[clause as usize + HEAD..clause as usize + HEAD + 2];
            lits.iter()
                .any(|&lit| plain.values[lit as usize] > 0 && plain.assigned[(lit >> 1) as usize].reason == clause)
        };
        let mut candidates: Vec<u32> = Vec::new();
        let mut kept: Vec<u32> = Vec::new();
        for &clause in &self.learned {
            let stays = self.arena[clause as usize + 1] <= LITTLE_GLUE || reason_of_itself(self, clause);
            if stays { kept.push(clause) } else { candidates.push(clause) }
        }
        candidates.sort_by_key(|&clause| (self.arena[clause as usize + 1], self.arena[clause as usize], !clause));
        let half = candidates.len() / 2;
        for &clause in &candidates[half..] {
            self.arena[clause as usize + 1] = u32::MAX;
        }
        kept.extend(&candidates[..half]);
        kept.sort_unstable();
        self.learned = kept;
        let arena = &self.arena;
        self.watches.retain(|watch| arena[watch.clause() as usize + 1] != u32::MAX);
        self.reduce_at = self.learned.len().max(self.reduce_at / 2) + FIRST_REDUCTION / 2 + REDUCTION_STEP;
    }
}
