//! Variables that clauses can do without: all pairs of clauses that disagree on such a variable are resolved, and where that makes no
//! more clauses than there were, it takes their place (bounded variable elimination: Eén and Biere, *Effective preprocessing in SAT
//! through variable and clause elimination*, SAT 2005). What a definition by gates leaves behind is mostly of this kind. The clauses of
//! one sign are kept aside, to find the variable's value in a model of the rest.

use super::{Code, HEAD, Plain};

/// Variables in more clauses of one sign are not tried, nor are clauses made that are longer.
const MOST_OCCURRENCES: usize = 12;
const LONGEST: usize = 24;
/// Rounds over all variables: what is eliminated makes others cheaper.
const ROUNDS: usize = 3;

#[derive(Clone, Default)]
pub(super) struct Eliminated {
    /// By variable: 0 if it is still there, else its value in the last model, 1 or -1.
    values: Vec<i8>,
    /// Clauses taken out, in order: the literal of the variable eliminated, the others, and how many literals there are. A clause of
    /// one literal says what holds unless the clauses taken out before it need the opposite.
    stack: Vec<u32>,
}

impl Eliminated {
    pub(super) fn make_variables(&mut self, count: usize) {
        self.values.resize(count, 0);
    }

    /// The value of a variable in the last model, if it was eliminated.
    pub(super) fn value(&self, variable: usize) -> Option<bool> {
        self.values.get(variable).filter(|&&value| value != 0).map(|&value| value > 0)
    }

    pub(super) fn contains(&self, variable: u32) -> bool {
        self.values[variable as usize] != 0
    }
}

/// Clauses in one list, and where each literal occurs.
struct Clauses {
    lits: Vec<Code>,
    /// Where a clause begins, and its length; 0 if it is gone.
    spans: Vec<(usize, usize)>,
    occurrences: Vec<Vec<u32>>,
}

impl Clauses {
    fn push(&mut self, clause: impl Iterator<Item = Code>) {
        let (start, number) = (self.lits.len(), self.spans.len() as u32);
        for lit in clause {
            self.lits.push(lit);
            self.occurrences[lit as usize].push(number);
        }
        self.spans.push((start, self.lits.len() - start));
    }

    fn get(&self, number: u32) -> &[Code] {
        let (start, length) = self.spans[number as usize];
        &self.lits[start..start + length]
    }

    /// The clauses that contain a literal.
    fn with(&mut self, lit: Code) -> Vec<u32> {
        let mut found = std::mem::take(&mut self.occurrences[lit as usize]);
        found.retain(|&number| self.spans[number as usize].1 > 0);
        self.occurrences[lit as usize].clone_from(&found);
        found
    }
}

impl Plain {
    /// Eliminate variables other than those to keep, which are all that later clauses and assumptions may mention, except for new ones.
    pub(in crate::sat) fn eliminate(&mut self, keep: impl Fn(u32) -> bool) {
        self.backtrack(0);
        self.assumptions.clear();
        if self.contradiction || self.propagate().is_some() {
            self.contradiction = true;
            return;
        }
        let mut clauses =
            Clauses { lits: Vec::new(), spans: Vec::new(), occurrences: vec![Vec::new(); self.values.len()] };
        let mut learned = Vec::new();
        let mut at = 0;
        while at < self.arena.len() {
            let (size, glue) = (self.arena[at] as usize, self.arena[at + 1]);
            let clause = &self.arena[at + HEAD..at + HEAD + size];
            at += HEAD + size;
            if glue == u32::MAX || clause.iter().any(|&lit| self.values[lit as usize] > 0) {
                continue;
            }
            let open = clause.iter().copied().filter(|&lit| self.values[lit as usize] == 0);
            if glue == 0 {
                clauses.push(open);
            } else {
                learned.push((glue, open.collect::<Vec<Code>>()));
            }
        }
        for _ in 0..ROUNDS {
            let mut candidates: Vec<(usize, u32)> = Vec::new();
            for variable in 1..self.assigned.len() as u32 {
                let many = [2 * variable, 2 * variable + 1].map(|lit| clauses.occurrences[lit as usize].len());
                if self.queue.contains(variable) && !self.eliminated.contains(variable) && !keep(variable) {
                    candidates.push((many[0] * many[1], variable));
                }
            }
            candidates.sort_unstable();
            let before = self.eliminated.stack.len();
            for (_, variable) in candidates {
                self.try_without(variable, &mut clauses);
            }
            if self.contradiction || self.eliminated.stack.len() == before {
                break;
            }
        }
        self.arena.clear();
        self.learned.clear();
        for number in 0..clauses.spans.len() as u32 {
            if clauses.spans[number as usize].1 > 0 {
                self.take_in(clauses.get(number), 0);
            }
        }
        for (glue, clause) in learned {
            if clause.iter().all(|&lit| !self.eliminated.contains(lit >> 1))
                && let Some(place) = self.take_in(&clause, glue)
            {
                self.learned.push(place);
            }
        }
        self.watch_all();
        self.propagated = 0;
    }

    fn take_in(&mut self, clause: &[Code], glue: u32) -> Option<u32> {
        self.adding.clear();
        self.adding.extend_from_slice(clause);
        let place = if self.simplify() { self.store(glue) } else { None };
        self.adding.clear();
        place
    }

    /// Eliminate a variable if that makes no more clauses.
    fn try_without(&mut self, variable: u32, clauses: &mut Clauses) {
        let lit = 2 * variable;
        if self.values[lit as usize] != 0 {
            return;
        }
        let (positive, negative) = (clauses.with(lit), clauses.with(lit + 1));
        if positive.len() > MOST_OCCURRENCES || negative.len() > MOST_OCCURRENCES {
            return;
        }
        let mut made: Vec<Vec<Code>> = Vec::new();
        for &one in &positive {
            for &other in &negative {
                if let Some(resolvent) = self.resolve(clauses.get(one), clauses.get(other), variable) {
                    if resolvent.len() > LONGEST || made.len() == positive.len() + negative.len() {
                        return;
                    }
                    made.push(resolvent);
                }
            }
        }
        let (sign, fewer) = if positive.len() <= negative.len() { (lit, &positive) } else { (lit + 1, &negative) };
        for &number in fewer {
            let clause = clauses.get(number);
            self.eliminated.stack.push(sign);
            self.eliminated.stack.extend(clause.iter().filter(|&&other| other != sign));
            self.eliminated.stack.push(clause.len() as u32);
        }
        self.eliminated.stack.extend([sign ^ 1, 1]);
        self.eliminated.values[variable as usize] = -1;
        self.queue.remove(variable);
        for number in positive.into_iter().chain(negative) {
            clauses.spans[number as usize].1 = 0;
        }
        for clause in made {
            match *clause.as_slice() {
                [only] if self.values[only as usize] == 0 => self.assign(only, super::NO_REASON),
                [only] => self.contradiction |= self.values[only as usize] < 0,
                [] => self.contradiction = true,
                _ => clauses.push(clause.into_iter()),
            }
        }
    }

    /// What two clauses say together without the variable on which they disagree; None if that always holds.
    fn resolve(&mut self, one: &[Code], other: &[Code], variable: u32) -> Option<Vec<Code>> {
        self.stamp += 1;
        let mut resolvent = Vec::with_capacity(one.len() + other.len());
        for &lit in one.iter().chain(other).filter(|&&lit| lit >> 1 != variable) {
            let value = self.values[lit as usize];
            if value > 0 || self.stamps[(lit ^ 1) as usize] == self.stamp {
                return None;
            }
            if value == 0 && self.stamps[lit as usize] != self.stamp {
                self.stamps[lit as usize] = self.stamp;
                resolvent.push(lit);
            }
        }
        Some(resolvent)
    }

    /// Find values for what was eliminated, the last first.
    pub(super) fn extend_model(&mut self) {
        let mut end = self.eliminated.stack.len();
        while end > 0 {
            let start = end - 1 - self.eliminated.stack[end - 1] as usize;
            let clause = &self.eliminated.stack[start..end - 1];
            let holds = |&lit: &Code| self.value((lit >> 1) as usize) == (lit & 1 == 0);
            if !clause[1..].iter().any(holds) {
                let lit = clause[0];
                self.eliminated.values[(lit >> 1) as usize] = if lit & 1 == 0 { 1 } else { -1 };
            }
            end = start;
        }
    }
}
