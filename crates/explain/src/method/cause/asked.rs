//! One hypothesis of the user's, by the definition: the nearest runs without it, and how they end. That another claim is violated says
//! nothing of this failure.
//!
//! Distances are tried from 0 up, failing runs first: the first distance at which there is a run without the condition
//! decides. Cost: two questions for each distance.

use super::candidate::Candidate;
use super::{Runs, Search};
use crate::compared::Relation;
use crate::equation::Equation;
use crate::execution::Execution;
use nearmiss_logic::eval::Assignment;
use nearmiss_logic::stop::Stop;
use nearmiss_program::run::Inputs;

/// The nearest run without a condition.
#[derive(Clone, Debug)]
pub enum Ending {
    /// All at this distance pass, this one among them; with the values of its inputs in the equation.
    Passes(u64, Inputs, Assignment),
    /// This one violates the same claim.
    Fails(u64, Inputs),
    /// There is none.
    Never,
    /// Not known.
    Unknown,
}

/// How the nearest runs without a condition end.
pub fn judge(runs: &Runs<'_>, equation: &mut Equation, condition: &Relation, stop: &Stop) -> Ending {
    let mut search = Search::new(runs, equation, &[Candidate::of_user(condition.clone())], stop);
    search.judge(runs, equation).unwrap_or(Ending::Unknown)
}

impl Search {
    fn judge(&mut self, runs: &Runs<'_>, equation: &Equation) -> Option<Ending> {
        let passes = self.ask(&[self.some, self.passes])?.is_some();
        if !passes && self.ask(&[self.some, self.fails_so])?.is_none() {
            let never = self.ask(&[self.some, self.fails])?.is_none();
            return Some(if never { Ending::Never } else { Ending::Unknown });
        }
        let furthest = runs.counted.len() as u64;
        for distance in 0..=furthest {
            let within = self.within(distance)?;
            for end in [self.fails_so, self.passes] {
                let Some(model) = self.ask(&[self.some, end, within])? else { continue };
                let assignment = self.blaster.assignment_of(&equation.terms, &model);
                let execution = Execution::of_assignment(equation, &assignment);
                let inputs = equation.inputs(&mut execution.evaluator(equation));
                return Some(match end == self.fails_so {
                    true => Ending::Fails(distance, inputs),
                    false => Ending::Passes(distance, inputs, assignment),
                });
            }
        }
        None
    }
}
