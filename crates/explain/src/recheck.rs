//! Validation of what was found, by code that shares nothing with the code that found it.
//!
//! A counterexample is executed by the interpreter of the program; it must violate the very claim that it is shown for.
//! A passing run must come to its end. A slice is evaluated as it is defined. A mismatch is an error of ours and never
//! printed as an answer. No method calls a re-check, and no re-check knows a method: both read plain values
//! ([`compared`](crate::compared), [`focus_sequence`](crate::focus_sequence)), and the caller puts them together. (The
//! second replay, by the compiled program, needs files and processes and lives in the command line.)

pub mod align;
pub mod cause;
pub mod focus_sequence;
pub mod predicate;

use std::collections::HashSet;

use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::term::Term;

use crate::compared::Counted;
use crate::equation::{Equation, StepKind, VariableId};
use crate::execution::Execution;
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::{ClaimId, Program};
use nearmiss_program::run::{Inputs, Outcome, Run};

/// Runs the inputs and insists that they violate this claim.
pub fn replay(program: &Program, inputs: &Inputs, claim: ClaimId, limits: &Limits) -> Result<Run, String> {
    let run = interp::run(program, inputs, limits);
    let expected = &program.claims[claim.index()].id;
    match &run.outcome {
        Outcome::Violated(violated) if *violated == claim => simulated(program, inputs, Some(claim)).map(|()| run),
        Outcome::Violated(other) => Err(format!(
            "the counterexample for {expected} violates {} when it is executed",
            program.claims[other.index()].id
        )),
        Outcome::Finished => Err(format!("the counterexample for {expected} passes when it is executed")),
        Outcome::Excluded => {
            Err(format!("the counterexample for {expected} does not meet an assumption when it is executed"))
        }
        Outcome::Exhausted => Err(format!("the counterexample for {expected} takes too long when it is executed")),
        Outcome::Unsupported(what) => Err(format!("the counterexample for {expected} reaches {what}")),
    }
}

/// Runs the inputs and insists that nothing is violated and the program comes to its end.
pub fn passes(program: &Program, inputs: &Inputs) -> Result<Run, String> {
    let run = interp::run(program, inputs, &Limits::default());
    match &run.outcome {
        Outcome::Finished => simulated(program, inputs, None).map(|()| run),
        Outcome::Violated(claim) => {
            Err(format!("the passing run violates {} when it is executed", program.claims[claim.index()].id))
        }
        Outcome::Excluded => Err("the passing run does not meet an assumption when it is executed".to_owned()),
        Outcome::Exhausted => Err("the passing run takes too long when it is executed".to_owned()),
        Outcome::Unsupported(what) => Err(format!("the passing run reaches {what}")),
    }
}

/// Of a program that was made of a model of hardware: the model itself does the same.
fn simulated(program: &Program, inputs: &Inputs, violated: Option<ClaimId>) -> Result<(), String> {
    match &program.hardware {
        Some(hardware) => hardware.confirm(program, inputs, violated),
        None => Ok(()),
    }
}

/// How far two executions are from each other, counted step by step as it is defined ([`compared`](crate::compared)).
pub fn distance(equation: &Equation, counted: &[Counted], [a, b]: [&Execution; 2]) -> u64 {
    let mut evaluators = [a, b].map(|run| run.evaluator(equation));
    let mut distance = 0;
    for counted in counted.iter().filter(|counted| counted.is_priced) {
        let mut both = |term: Term| [evaluators[0].holds(term), evaluators[1].holds(term)];
        let taken = counted.taken.map_or([true, true], &mut both);
        let unchanged = counted.unchanged.is_some_and(|term| both(term) == [true, true]);
        let executed = counted.alone.map_or([false, false], both);
        let counts = match taken {
            [false, false] => false,
            [true, true] => !unchanged && a.value(counted.variable) != b.value(counted.variable),
            [true, false] => executed[0],
            [false, true] => executed[1],
        };
        distance += u64::from(counts);
    }
    distance
}

/// A slice as sets of variables.
pub struct Sliced<'a> {
    /// The variables that can be chosen.
    pub chosen: &'a [VariableId],
    /// Those that take their values in the passing run.
    pub taken: HashSet<VariableId>,
    /// The variables that are counted.
    pub counted: &'a [VariableId],
    /// Those that are said to differ from the failing run.
    pub kept: &'a HashSet<VariableId>,
}

/// Evaluates a slice as it is defined: the variables that are taken have their values in the passing run, which must be
/// what their definitions give; the others that can be chosen are as in the failing run; everything else follows. Nothing
/// may be violated then, the demands hold, and what is said to differ is all that does.
pub fn slice(
    equation: &Equation,
    sets: &Sliced<'_>,
    [failing, passing]: [&Execution; 2],
    demands: &[Term],
) -> Result<(), String> {
    let held: Vec<(Term, Term)> = (equation.steps.iter())
        .filter_map(|step| match step.kind {
            StepKind::Assume { condition } | StepKind::Claim { condition, .. } => Some((step.guard, condition)),
            _ => None,
        })
        .collect();
    let chosen: HashSet<VariableId> = sets.chosen.iter().copied().collect();
    let nothing = Assignment::new();
    let mut evaluator = Evaluator::new(&equation.terms, &nothing);
    for (index, variable) in equation.variables.iter().enumerate() {
        let id = VariableId(index as u32);
        let value = match (chosen.contains(&id), variable.definition) {
            (true, definition) if sets.taken.contains(&id) => {
                let value = passing.value(id);
                if definition.is_some_and(|definition| evaluator.value(definition) != value) {
                    return Err(format!("{} does not follow in the slice", equation.versioned_name(id)));
                }
                value
            }
            (true, _) => failing.value(id),
            (false, Some(definition)) => evaluator.value(definition),
            (false, None) => passing.value(id),
        };
        evaluator.fix(variable.symbol, value);
    }
    for id in sets.counted {
        let differs = evaluator.value(equation.symbol(*id)) != failing.value(*id);
        if differs != sets.kept.contains(id) {
            let verb = if differs { "differs though it is not in" } else { "does not differ though it is in" };
            return Err(format!("{} {verb} the slice", equation.versioned_name(*id)));
        }
    }
    let violated = held.into_iter().any(|(guard, condition)| evaluator.holds(guard) && !evaluator.holds(condition));
    if violated || !demands.iter().all(|demand| evaluator.holds(*demand)) {
        return Err("the differences of the slice do not make the program pass".to_owned());
    }
    Ok(())
}
