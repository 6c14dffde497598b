//! Validation of what was found, by code that shares nothing with the code that found it.
//!
//! A counterexample is executed by the interpreter of the program; it must violate the very claim that it is shown for.
//! A mismatch is an error of ours and never printed as an answer. (The second replay, by the compiled program, needs
//! files and processes and lives in the command line.)

pub mod cause;

use crate::interp::{self, Limits};
use crate::program::{ClaimId, Program};
use crate::run::{Inputs, Outcome, Run};

/// Runs the inputs and insists that they violate this claim.
pub fn replay(program: &Program, inputs: &Inputs, claim: ClaimId, limits: &Limits) -> Result<Run, String> {
    let run = interp::run(program, inputs, limits);
    let expected = &program.claims[claim.index()].id;
    match &run.outcome {
        Outcome::Violated(violated) if *violated == claim => Ok(run),
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
        Outcome::Finished => Ok(run),
        Outcome::Violated(claim) => {
            Err(format!("the passing run violates {} when it is executed", program.claims[claim.index()].id))
        }
        Outcome::Excluded => Err("the passing run does not meet an assumption when it is executed".to_owned()),
        Outcome::Exhausted => Err("the passing run takes too long when it is executed".to_owned()),
        Outcome::Unsupported(what) => Err(format!("the passing run reaches {what}")),
    }
}
