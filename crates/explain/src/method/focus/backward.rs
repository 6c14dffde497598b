//! Summaries of the backward pass (Basu, Saha, Smolka, section 3.3): what follows from what, taken down once with the
//! facts that it takes.
//!
//! Ways through a program share the inner ways of its procedures. Whether a condition inside a procedure follows from the
//! branches that led there is a question about that inner way alone: the solver's core names the few facts that decide it,
//! and whatever way has these facts has the answer. That something does not follow is told by a model, and it tells
//! the same to every question whose facts it meets. So questions are asked per inner way of a procedure, not per way of
//! the program, and the answers are those that the solver would give.

use std::collections::{HashMap, VecDeque};

use nearmiss_logic::sat::{Lit, Model};

/// So many models are kept, the last ones.
const MOST_MODELS: usize = 128;

/// What is known of facts: literals of one solver.
#[derive(Default)]
pub struct Table {
    /// For a conclusion the sets of facts that it follows from, each as small as the solver said.
    follows: HashMap<Lit, Vec<Vec<Lit>>>,
    /// Models, the last one first.
    models: VecDeque<Model>,
}

impl Table {
    /// Does a conclusion follow from facts? None: that has to be asked.
    pub fn follows(&self, facts: &[Lit], conclusion: Lit) -> Option<bool> {
        if conclusion == Lit::TRUE || facts.contains(&conclusion) || facts.contains(&Lit::FALSE) {
            return Some(true);
        }
        let known = self.follows.get(&conclusion).into_iter().flatten();
        if known.into_iter().any(|needed| needed.iter().all(|fact| facts.contains(fact))) {
            return Some(true);
        }
        let is = |model: &Model, lit: Lit| model.knows(lit) && model.value(lit);
        let refutes = |model: &Model| is(model, !conclusion) && facts.iter().all(|fact| is(model, *fact));
        self.models.iter().any(refutes).then_some(false)
    }

    /// It follows, and these facts are enough; its negation may be among them.
    pub fn learn(&mut self, core: &[Lit], conclusion: Lit) {
        let needed = core.iter().copied().filter(|fact| *fact != !conclusion).collect();
        self.follows.entry(conclusion).or_default().push(needed);
    }

    /// Something does not follow, as this model shows.
    pub fn keep(&mut self, model: Model) {
        if self.models.len() == MOST_MODELS {
            self.models.pop_back();
        }
        self.models.push_front(model);
    }
}
