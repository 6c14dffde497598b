//! Copies of a solver, made from its record: with nothing learned, or by the plain solver.

use super::backend::Backend;
use super::plain::Plain;
use super::points::Applied;
use super::{Lit, Solver};

/// Literals of clauses that the plain solver is given.
const MOST_LITERALS: usize = 1 << 26;
/// The same where CaDiCaL may have to be given them later.
const MOST_AT_FIRST: usize = 1 << 23;
/// Where CaDiCaL may go on, the plain solver may spend so much on all questions.
const EFFORT_AT_FIRST: u64 = 8_000;

/// What a solver was given, as plain values that any thread can make a fresh solver of.
#[derive(Clone)]
pub(crate) struct Problem {
    variables: i32,
    clauses: u64,
    contradiction: bool,
    incomplete: bool,
    applied: Vec<Applied>,
    record: Vec<i32>,
}

impl Problem {
    /// A fresh solver with the same variables and the recorded clauses, and nothing learned. It is to prove something, so it tries no simple models.
    pub(crate) fn solver(&self) -> Solver {
        let mut solver = Solver::new();
        solver.expect_many_calls();
        self.give_to(solver)
    }

    fn give_to(&self, mut solver: Solver) -> Solver {
        solver.variables = self.variables;
        solver.clauses = self.clauses;
        solver.contradiction = self.contradiction;
        solver.incomplete = self.incomplete;
        solver.applied.clone_from(&self.applied);
        for &lit in &self.record {
            solver.backend.add(lit);
        }
        solver
    }
}

impl Solver {
    /// What was recorded. None unless [`Solver::record_clauses`] was called before the first clause.
    pub(crate) fn problem(&self) -> Option<Problem> {
        Some(Problem {
            variables: self.variables,
            clauses: self.clauses,
            contradiction: self.contradiction,
            incomplete: self.incomplete,
            applied: self.applied.clone(),
            record: self.record.clone()?,
        })
    }

    /// A fresh solver like [`Problem::solver`], with the clauses that were added without record as well. It guesses that
    /// literals are false, which makes numbers small.
    pub(crate) fn full_copy(&self) -> Option<Solver> {
        let mut copy = Solver::new();
        copy.manner.guess_false = true;
        let mut copy = self.problem()?.give_to(copy);
        for &lit in &self.aside {
            copy.backend.add(lit);
        }
        Some(copy)
    }

    /// A copy with the clauses that were added without record as well, and the same preferences, by a plain solver: for a search that
    /// is expected to be short. None without a record, or if there is too much to search through plainly.
    pub fn plain_copy(&mut self) -> Option<Solver> {
        let record = self.record.as_ref()?;
        let lists = [record.as_slice(), &self.aside];
        // The plain solver takes no clauses about variables that it did without.
        if !self.applied.is_empty() || lists.iter().map(|list| list.len()).sum::<usize>() > MOST_LITERALS {
            return None;
        }
        if self.plainly {
            self.hand_over();
        }
        let plain = match &self.backend {
            Backend::Plain(plain) if !self.is_copy => plain.rested(),
            _ => self.as_plain([self.record.as_deref().unwrap_or_default(), &self.aside].into_iter()),
        };
        let mut copy = Solver::new();
        copy.variables = self.variables;
        copy.incomplete = self.incomplete;
        copy.backend = Backend::Plain(Box::new(plain));
        copy.is_copy = true;
        Some(copy)
    }

    /// The plain solver with these clauses, and the preferences of this one.
    fn as_plain<'a>(&self, lists: impl Iterator<Item = &'a [i32]>) -> Plain {
        let mut plain = Plain::new(self.variables as usize, self.manner.early_first, lists);
        for (variable, &phase) in self.phases.iter().enumerate().filter(|&(_, &phase)| phase != 0) {
            plain.wish(variable, phase);
        }
        plain
    }

    /// Answer by the plain solver as long as that takes little effort, and then by CaDiCaL: giving it the clauses is most of the work where
    /// questions are easy. To be called before the first question.
    pub fn begin_plainly(&mut self) {
        self.plainly = true;
    }

    /// Is there no more than the plain solver takes?
    pub(super) fn may_begin_plainly(&self, lists: [&[i32]; 3]) -> bool {
        self.plainly && lists.iter().map(|list| list.len()).sum::<usize>() <= MOST_AT_FIRST
    }

    /// Begin by the plain solver; what was waiting is kept for CaDiCaL.
    pub(super) fn hand_over_plainly(&mut self, lists: [&[i32]; 3]) {
        let known = self.fixed.iter().enumerate().filter(|&(_, &value)| value != 0);
        let known: Vec<i32> =
            known.flat_map(|(variable, &value)| [Lit::of_variable(variable).negate_if(value < 0).0, 0]).collect();
        let lists = std::iter::once(&known[..]).chain(lists);
        self.backend = Backend::Plain(Box::new(self.as_plain(lists)));
    }

    /// What the plain solver may still spend before CaDiCaL goes on; none if it does not.
    pub(super) fn left_at_first(&self) -> Option<u64> {
        match &self.backend {
            Backend::Plain(plain) if !self.is_copy => Some(EFFORT_AT_FIRST.saturating_sub(plain.effort())),
            _ => None,
        }
    }

    /// From now on CaDiCaL answers. It is told what is known to hold.
    pub(super) fn leave_plain(&mut self) {
        let Backend::Plain(plain) = &self.backend else { return };
        self.spent_at_first += plain.effort();
        self.fixed.resize(self.variables as usize + 1, 0);
        for fact in plain.facts() {
            self.fixed[fact.unsigned_abs() as usize] = fact.signum() as i8;
        }
        self.plainly = false;
        self.backend = Backend::Waiting(std::mem::take(&mut self.retained));
        self.hand_over();
    }

    /// Take over from a plain copy what it found to hold in every model, if nothing was asked of this solver yet.
    pub fn learn_facts(&mut self, copy: &Solver) {
        if let (Backend::Waiting(_), Backend::Plain(plain)) = (&self.backend, &copy.backend) {
            self.fixed.resize(self.variables as usize + 1, 0);
            for fact in plain.facts() {
                if let Some(value) = self.fixed.get_mut(fact.unsigned_abs() as usize) {
                    *value = fact.signum() as i8;
                }
            }
        }
    }

    /// Of a plain copy: do without variables, except for some and those made after so many, which are all that is mentioned later.
    pub fn eliminate_except(&mut self, some: &[Lit], first: u64) {
        if let Some(plain) = self.backend.plain() {
            let mut kept = vec![false; self.variables as usize + 1];
            some.iter().filter(|lit| !lit.is_constant()).for_each(|lit| kept[lit.variable()] = true);
            plain.eliminate(|variable| kept[variable as usize] || u64::from(variable) > first);
        }
    }

    /// Is this a copy made by [`Solver::plain_copy`]?
    pub(crate) fn is_plain(&self) -> bool {
        self.is_copy
    }
}
