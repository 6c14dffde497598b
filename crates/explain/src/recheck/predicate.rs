//! The truths of predicates along a run, seen by the interpreter.

use std::collections::BTreeSet;

use crate::compared::{Doing, Expected};
use nearmiss_program::interp::{Interpreter, Limits};
use nearmiss_program::program::watched::Watched;
use nearmiss_program::program::{FunctionId, Program};
use nearmiss_program::run::{Inputs, Run, RunStepKind};
use nearmiss_program::source::Span;

/// Executes a run and insists that predicates are seen as they are expected, step by step. Steps that the interpreter
/// does not show are passed over. A claim that is known to hold is not expected, and of one in parts each part is: so a
/// claim is the one that is shown before the next other step, or none.
pub fn truths(program: &Program, inputs: &Inputs, watched: &[Watched], expected: &[Expected]) -> Result<(), String> {
    let (run, seen) = Interpreter::new(program).watch(inputs, &Limits::default(), watched);
    let shown = shown(program, &run);
    let mut from = 0;
    for (number, step) in expected.iter().enumerate() {
        let find = |step: &Expected| (from..shown.len()).find(|at| shown[*at] == (step.place, Some(step.doing)));
        let Some(at) = find(step) else { continue };
        let is_claim = |step: &Expected| matches!(step.doing, Doing::Claim(_));
        let next = || expected[number + 1..].iter().filter(|step| !is_claim(step)).find_map(find);
        if is_claim(step) && next().is_some_and(|next| next < at) {
            continue;
        }
        from = at + 1;
        for (predicate, expected) in &step.truths {
            let own = seen[at].iter().find(|(number, _)| number == predicate);
            if own.is_some_and(|(_, holds)| holds != expected) {
                return Err(format!(
                    "`{}` should be {expected} at a step where the interpreter sees that it is {}",
                    watched[*predicate].text, !expected
                ));
            }
        }
    }
    Ok(())
}

/// Where the steps of a run are, and what they do. Arguments are passed where the call stands.
fn shown(program: &Program, run: &Run) -> Vec<((FunctionId, Span), Option<Doing>)> {
    let mut call = None;
    let place = |step: &nearmiss_program::run::RunStep| {
        if let RunStepKind::Call { .. } = step.kind {
            call = Some(step.span);
        }
        let described = program.function(step.function);
        let parameters = &described.locals[..described.parameters as usize];
        let is_parameter =
            matches!(step.kind, RunStepKind::Assign { .. }) && parameters.iter().any(|local| local.span == step.span);
        let doing = match step.kind {
            RunStepKind::Assign { .. } => Some(Doing::Assign),
            RunStepKind::Branch { .. } => Some(Doing::Branch),
            RunStepKind::Return { .. } => Some(Doing::Return),
            RunStepKind::Claim { claim, .. } => Some(Doing::Claim(claim)),
            RunStepKind::Input { .. } | RunStepKind::Call { .. } => None,
        };
        ((step.function, if is_parameter { call.unwrap_or(step.span) } else { step.span }), doing)
    };
    run.steps.iter().map(place).collect()
}

/// Predicates and where they are looked at, in two runs.
pub struct Observed<'a> {
    /// The predicates, each with the steps before which it is looked at.
    pub predicates: Vec<(Watched, BTreeSet<(FunctionId, Span)>)>,
    /// The inputs of both runs.
    pub inputs: [&'a Inputs; 2],
    /// For each step that is compared in either: which of the predicates of its place can be told there.
    pub told: [Vec<Vec<bool>>; 2],
}

impl Observed<'_> {
    /// What the interpreter sees before each step of one of the runs.
    pub fn at(&self, program: &Program, run: &Run, number: usize) -> Result<Vec<Vec<(usize, bool)>>, String> {
        let watched: Vec<Watched> = self.predicates.iter().map(|(watched, _)| watched.clone()).collect();
        let (again, seen) = Interpreter::new(program).watch(self.inputs[number], &Limits::default(), &watched);
        if again.steps.len() != run.steps.len() {
            return Err("a run takes another way when predicates are looked at".to_owned());
        }
        Ok(seen)
    }

    /// What is compared at a place: the truth of each predicate there, false where it cannot be told.
    pub fn components(&self, place: (FunctionId, Span), seen: &[(usize, bool)], told: &[bool]) -> Vec<u128> {
        let holds = |number: usize| seen.iter().any(|(at, holds)| *at == number && *holds);
        let mut components = Vec::new();
        for (number, (watched, places)) in self.predicates.iter().enumerate() {
            if places.contains(&place) && watched.function.is_none_or(|function| function == place.0) {
                let is_told = told.get(components.len()).is_none_or(|told| *told);
                components.push(u128::from(is_told && holds(number)));
            }
        }
        components
    }
}
