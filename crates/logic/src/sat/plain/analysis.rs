//! What a conflict teaches: a clause that would have prevented it, as short as it is easily made; and which assumptions failed.

use super::{BY_BOUND, Code, HEAD, NO_REASON, Plain};
use cadical_sys::ExternalPropagator;

/// How deep reasons are followed to leave a literal out.
const DEEPEST: u32 = 200;

/// What is known of a variable while a conflict is analysed.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum Mark {
    #[default]
    New,
    /// It led to the conflict.
    Seen,
    /// It follows from what the clause already says, or does not.
    Implied,
    Needed,
}

#[derive(Clone, Default)]
pub(super) struct Analysis {
    /// What was learned; the literal that now follows is first, and of the others one of the highest level.
    pub(super) clause: Vec<Code>,
    marks: Vec<Mark>,
    marked: Vec<u32>,
    /// The variables seen, when they came to the front of the queue.
    seen: Vec<(u64, u32)>,
    /// The literals of the reason at hand.
    reason: Vec<Code>,
    /// By level: the last conflict whose clause has a literal of it.
    levels: Vec<u64>,
}

impl Analysis {
    pub(super) fn make_variables(&mut self, count: usize) {
        self.marks.resize(count, Mark::New);
        self.make_levels(count + 1);
    }

    /// So many levels there may be: an assumption that holds already makes one without a variable of its own.
    pub(super) fn make_levels(&mut self, count: usize) {
        if self.levels.len() < count {
            self.levels.resize(count, 0);
        }
    }

    fn mark(&mut self, variable: u32, mark: Mark) {
        if self.marks[variable as usize] == Mark::New {
            self.marked.push(variable);
        }
        self.marks[variable as usize] = mark;
    }

    fn clear(&mut self) {
        for variable in self.marked.drain(..) {
            self.marks[variable as usize] = Mark::New;
        }
    }
}

impl Plain {
    /// Learn a clause from a conflict: the level to go back to, and its glue. None if there is no way out.
    pub(super) fn analyse(&mut self, conflict: u32) -> Option<(u32, u32)> {
        self.read_reason(conflict, None);
        if conflict == BY_BOUND {
            let level = |&lit: &Code| self.assigned[(lit >> 1) as usize].level;
            let latest = self.analysis.reason.iter().map(level).max().unwrap_or(0);
            self.backtrack(latest as usize);
        }
        let current = self.levels.len() as u32;
        if current == 0 {
            return None;
        }
        self.analysis.clause.clear();
        self.analysis.clause.push(0);
        self.analysis.seen.clear();
        let mut open = 0;
        let mut at = self.trail.len();
        loop {
            for i in 0..self.analysis.reason.len() {
                let lit = self.analysis.reason[i];
                let variable = lit >> 1;
                let level = self.assigned[variable as usize].level;
                if level == 0 || self.analysis.marks[variable as usize] == Mark::Seen {
                    continue;
                }
                self.analysis.mark(variable, Mark::Seen);
                self.analysis.seen.push((self.queue.time(variable), variable));
                if level == current {
                    open += 1;
                } else {
                    self.analysis.clause.push(lit);
                }
            }
            at -= 1;
            while self.analysis.marks[(self.trail[at] >> 1) as usize] != Mark::Seen {
                at -= 1;
            }
            open -= 1;
            let lit = self.trail[at];
            if open == 0 {
                self.analysis.clause[0] = lit ^ 1;
                break;
            }
            self.read_reason(self.assigned[(lit >> 1) as usize].reason, Some(lit));
        }
        let result = self.shorten();
        self.analysis.clear();
        // In the order they had, so that what was in front stays in front.
        self.analysis.seen.sort_unstable();
        for &(_, variable) in &self.analysis.seen {
            self.queue.bump(variable);
        }
        Some(result)
    }

    /// The literals of a reason; all are false but the one that follows.
    fn read_reason(&mut self, reason: u32, follows: Option<Code>) {
        let lits = &mut self.analysis.reason;
        lits.clear();
        if reason != BY_BOUND {
            let start = reason as usize + HEAD;
            let clause = &self.arena[start..start + self.arena[reason as usize] as usize];
            lits.extend(clause.iter().filter(|&&lit| Some(lit) != follows));
            return;
        }
        let Some(bound) = &mut self.bound else { return };
        loop {
            let lit = match follows {
                Some(follows) => bound.cb_add_reason_clause_lit(super::dimacs(follows)),
                None => bound.cb_add_external_clause_lit(),
            };
            if lit == 0 {
                break;
            }
            if Some(super::code(lit)) != follows {
                lits.push(super::code(lit));
            }
        }
    }

    /// Leave out of the learned clause what the rest implies. Its level and its glue.
    fn shorten(&mut self) -> (u32, u32) {
        let level = |plain: &Plain, lit: Code| plain.assigned[(lit >> 1) as usize].level;
        for i in 0..self.analysis.clause.len() {
            let level = level(self, self.analysis.clause[i]) as usize;
            self.analysis.levels[level] = self.conflicts;
        }
        let mut kept = 1;
        for i in 1..self.analysis.clause.len() {
            let lit = self.analysis.clause[i];
            if !self.follows(lit, 0) {
                self.analysis.clause[kept] = lit;
                kept += 1;
            }
        }
        self.analysis.clause.truncate(kept);
        let mut glue = 1;
        for i in 1..kept {
            let level = level(self, self.analysis.clause[i]) as usize;
            // Counted once: the mark is taken away.
            if self.analysis.levels[level] == self.conflicts {
                self.analysis.levels[level] = 0;
                glue += 1;
            }
        }
        let Some(latest) = (1..kept).max_by_key(|&i| level(self, self.analysis.clause[i])) else { return (0, glue) };
        self.analysis.clause.swap(1, latest);
        (level(self, self.analysis.clause[1]), glue)
    }

    /// Does a literal that is false follow from the others of the clause?
    fn follows(&mut self, lit: Code, depth: u32) -> bool {
        let variable = lit >> 1;
        let assigned = self.assigned[variable as usize];
        if depth > 0 {
            match self.analysis.marks[variable as usize] {
                _ if assigned.level == 0 => return true,
                Mark::Seen | Mark::Implied => return true,
                Mark::Needed => return false,
                Mark::New => {}
            }
        }
        let reason = assigned.reason;
        let mut implied = reason != NO_REASON
            && reason != BY_BOUND
            && depth < DEEPEST
            && self.analysis.levels[assigned.level as usize] == self.conflicts;
        if implied {
            let start = reason as usize + HEAD;
            let end = start + self.arena[reason as usize] as usize;
            implied = (start..end).all(|i| self.arena[i] >> 1 == variable || self.follows(self.arena[i], depth + 1));
        }
        if depth > 0 {
            self.analysis.mark(variable, if implied { Mark::Implied } else { Mark::Needed });
        }
        implied
    }

    /// Which assumptions contradict one that is false.
    pub(super) fn find_failed(&mut self, assumption: Code) {
        self.fail(assumption);
        if self.assigned[(assumption >> 1) as usize].level == 0 {
            return;
        }
        self.analysis.mark(assumption >> 1, Mark::Seen);
        for at in (self.levels[0]..self.trail.len()).rev() {
            let lit = self.trail[at];
            if self.analysis.marks[(lit >> 1) as usize] != Mark::Seen {
                continue;
            }
            let assigned = self.assigned[(lit >> 1) as usize];
            if assigned.reason == NO_REASON {
                self.fail(lit);
                continue;
            }
            self.read_reason(assigned.reason, Some(lit));
            for i in 0..self.analysis.reason.len() {
                let variable = self.analysis.reason[i] >> 1;
                if self.assigned[variable as usize].level > 0 {
                    self.analysis.mark(variable, Mark::Seen);
                }
            }
        }
        self.analysis.clear();
    }
}
