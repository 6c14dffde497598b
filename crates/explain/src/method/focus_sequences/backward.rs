//! Summaries of the backward pass (Basu, Saha, Smolka, section 3.3): what follows from what, taken down once with the
//! facts that it takes.
//!
//! Ways through a program share the inner ways of its procedures. Whether a condition inside a procedure follows from the
//! branches that led there is a question about that inner way alone: the solver's core names the few facts that decide it,
//! and whatever way has these facts has the answer. That something does not follow is told by a model, and it tells
//! the same to every question whose facts it meets. So questions are asked per inner way of a procedure, not per way of
//! the program, and the answers are those that the solver would give.

use std::collections::{HashMap, HashSet, VecDeque};

use nearmiss_logic::sat::Lit;

/// So many models are kept, the last ones.
const MOST_MODELS: usize = 128;

/// What is known of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It follows.
    Follows,
    /// It does not.
    Refuted,
    /// Nobody found out with the effort that there is for a question.
    TooHard,
}

/// What is known of facts: literals of one solver.
#[derive(Default)]
pub struct Table {
    /// For a conclusion the sets of facts that it follows from, each as small as the solver said.
    follows: HashMap<Lit, Vec<Vec<Lit>>>,
    /// Every literal that was asked about, as a variable, and its place in models.
    asked: Vec<Lit>,
    places: HashMap<usize, usize>,
    /// The truth of what had been asked about when the model was found; the last model first.
    models: VecDeque<Vec<bool>>,
    /// Questions that were given up.
    too_hard: HashSet<(Vec<Lit>, Lit)>,
}

impl Table {
    /// Does a conclusion follow from facts? None: that has to be asked.
    pub fn answer(&mut self, facts: &[Lit], conclusion: Lit) -> Option<Answer> {
        if conclusion == Lit::TRUE || facts.contains(&conclusion) || facts.contains(&Lit::FALSE) {
            return Some(Answer::Follows);
        }
        let known = self.follows.get(&conclusion).into_iter().flatten();
        if known.into_iter().any(|needed| needed.iter().all(|fact| facts.contains(fact))) {
            return Some(Answer::Follows);
        }
        let literals = facts.iter().copied().chain([!conclusion]).filter(|literal| !literal.is_constant());
        let placed: Vec<(usize, bool)> = literals.map(|literal| self.place(literal)).collect();
        let is_met = |model: &Vec<bool>| placed.iter().all(|(place, truth)| model.get(*place) == Some(truth));
        if self.models.iter().any(is_met) {
            return Some(Answer::Refuted);
        }
        let is_hard = !self.too_hard.is_empty() && self.too_hard.contains(&(facts.to_vec(), conclusion));
        is_hard.then_some(Answer::TooHard)
    }

    /// The solver had enough of a question.
    pub fn give_up(&mut self, facts: &[Lit], conclusion: Lit) {
        self.too_hard.insert((facts.to_vec(), conclusion));
    }

    /// Where the truth of a literal stands in models, and what it is there if the literal holds.
    fn place(&mut self, literal: Lit) -> (usize, bool) {
        let next = self.asked.len();
        let place = *self.places.entry(literal.variable()).or_insert(next);
        if place == next {
            self.asked.push(Lit::of_variable(literal.variable()));
        }
        (place, literal.is_positive())
    }

    /// It follows, and these facts are enough; its negation may be among them.
    pub fn learn(&mut self, core: &[Lit], conclusion: Lit) {
        let needed = core.iter().copied().filter(|fact| *fact != !conclusion).collect();
        self.follows.entry(conclusion).or_default().push(needed);
    }

    /// Something does not follow, as a model shows in which these are the truths.
    pub fn keep(&mut self, truth: impl FnMut(Lit) -> bool) {
        if self.models.len() == MOST_MODELS {
            self.models.pop_back();
        }
        self.models.push_front(self.asked.iter().copied().map(truth).collect());
    }
}

#[cfg(test)]
mod tests {
    use nearmiss_logic::sat::{Outcome, Solver};

    use super::*;

    /// Random questions about random clauses: what the table knows is what the solver says.
    #[test]
    fn the_table_answers_as_the_solver_does() {
        let mut state = 7u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let mut known = 0;
        for _ in 0..40 {
            let mut solver = Solver::new();
            let mut variables: Vec<Lit> = (0..8).map(|_| solver.new_var()).collect();
            let mut table = Table::default();
            for round in 0..120 {
                if round % 12 == 0 {
                    // A gate: new variables may be defined at any time.
                    let (new, a, b) = (solver.new_var(), variables[below(8)], variables[below(variables.len())]);
                    for clause in [vec![!new, a], vec![!new, b], vec![new, !a, !b]] {
                        solver.add_clause(&clause);
                    }
                    variables.push(new);
                }
                let mut literal = || variables[below(variables.len())].negate_if(below(2) == 0);
                let (facts, conclusion) = ([literal(), literal(), literal()], literal());
                let answer = table.answer(&facts, conclusion);
                let mut all = facts.to_vec();
                all.push(!conclusion);
                let truth = solver.solve_only(&all);
                let expected = if truth == Outcome::Unsat { Answer::Follows } else { Answer::Refuted };
                assert!(answer.is_none_or(|answer| answer == expected));
                known += usize::from(answer.is_some());
                match truth {
                    Outcome::Sat => table.keep(|literal| solver.peek(literal)),
                    _ => table.learn(&solver.core(), conclusion),
                }
            }
        }
        assert!(known > 1000, "{known} answers");
    }
}
