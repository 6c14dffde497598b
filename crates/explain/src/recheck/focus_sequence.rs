//! Validates a focus sequence: the interpreter runs its inputs and slices the run itself.
//!
//! What it must find is the same claim, the same statements with the same outcomes, and the same parts of the claim. The
//! slicer of the interpreter shares nothing with the one that found the sequence but the definition of control dependence.

use crate::focus_sequence::{Key, Sequence, is_never_met};
use nearmiss_program::interp::trace::{Trace, TraceEvent, TraceKind};
use nearmiss_program::interp::{Interpreter, Limits};
use nearmiss_program::program::{ClaimId, Program};
use nearmiss_program::run::{Inputs, Outcome};

/// The sequence of a failing run, by the interpreter; none if it does not fail.
pub fn sequence(program: &Program, inputs: &Inputs, limits: &Limits) -> Option<(ClaimId, Key)> {
    let (outcome, trace) = Interpreter::new(program).follow(inputs, limits);
    let Outcome::Violated(claim) = outcome else { return None };
    Some((claim, key(program, &trace)))
}

/// Insists that a run has this sequence.
pub fn check(program: &Program, found: &Sequence) -> Result<(), String> {
    let id = &program.claims[found.claim.index()].id;
    match sequence(program, &found.inputs, &Limits::default()) {
        None => Err(format!("a run that should violate {id} does not fail when it is executed")),
        Some((claim, _)) if claim != found.claim => {
            let other = &program.claims[claim.index()].id;
            Err(format!("a run that should violate {id} violates {other} when it is executed"))
        }
        Some((_, key)) if key != found.key => {
            Err(format!("the slice of a run that violates {id} is another one when it is executed"))
        }
        Some(_) => Ok(()),
    }
}

/// What tells the sequence of a run apart that has just violated a claim.
fn key(program: &Program, trace: &Trace) -> Key {
    let Some(last) = trace.events.len().checked_sub(1) else {
        return Key { statements: Vec::new(), parts: Vec::new() };
    };
    let statement = |number: &u32| {
        let event = &trace.events[*number as usize];
        let outcome = match event.kind {
            TraceKind::Branch(taken, _) => Some(taken),
            _ => None,
        };
        (event.location, outcome)
    };
    let claim = &trace.events[last];
    let criterion: &TraceEvent = match is_never_met(program, claim.location) {
        true => &trace.events[claim.control as usize],
        false => claim,
    };
    let parts = match &criterion.kind {
        TraceKind::Branch(_, parts) | TraceKind::Claim(_, parts) => parts.clone(),
        TraceKind::Effect | TraceKind::Call | TraceKind::Return => Vec::new(),
    };
    Key { statements: trace.slice(last as u32).iter().map(statement).collect(), parts }
}
