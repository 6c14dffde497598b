//! A run of a model of hardware that was given becomes the inputs of its program, if the model violates a claim in it.

use nearmiss_program::hardware::Hardware;
use nearmiss_program::hardware::simulate::{self, Stimulus};
use nearmiss_program::program::Program;
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{Diagnostic, Severity};

use crate::check::{self, CheckError};

/// The inputs of a run, up to the first cycle in which a claim is violated that counts.
pub fn inputs(program: &Program, mut stimulus: Stimulus, properties: &[String]) -> Result<Inputs, CheckError> {
    let narrowed = check::narrow(program, properties)?;
    let program = narrowed.as_ref().unwrap_or(program);
    let Some(hardware) = &program.hardware else {
        return Err(CheckError::Internal("a run of a model is given for a program that is none".to_owned()));
    };
    let claimed = Hardware::claimed(program);
    let wave = simulate::simulate(&hardware.model, &stimulus);
    let violates = |bad: &Vec<bool>| claimed.iter().any(|claim| bad.get(claim.index()).copied().unwrap_or(false));
    if let Some(cycle) = wave.bad.iter().position(violates) {
        stimulus.cycles.truncate(cycle + 1);
        return Ok(hardware.taken(&stimulus));
    }
    let (message, help) = match wave.excluded {
        Some(cycle) => (
            format!("the given run breaks a constraint of the model in cycle {cycle}"),
            "what an `assume` says must hold in every cycle; what the file does not list is 0",
        ),
        None => (
            format!("the given run passes: no claim is violated in its {} cycles", stimulus.cycles.len()),
            "is it a run of the model as it is now? What the file does not list is 0",
        ),
    };
    let help = Some(help.to_owned());
    Err(CheckError::Input(vec![Diagnostic { severity: Severity::Error, message, span: None, help }]))
}
