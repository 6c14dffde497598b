//! Of a model of hardware: a run that fails in the earliest cycle there is.
//!
//! Bounds double, so that a failure is found somewhere beyond the last bound without one. Between the two, halves are asked. The steps of
//! a run do not tell its cycles: where a memory is written there are more of them.

use nearmiss_logic::stop::Stop;
use nearmiss_program::loops;
use nearmiss_program::program::Program;

use super::question::{Question, Shown};
use crate::bounds::Bounds;
use crate::symex;

/// Replaces a failing run of a model by one that fails in the earliest cycle, and makes the bounds as small; nothing fails in the first `without`
/// cycles. False if there was no time to be sure.
pub(super) fn earliest(
    program: &Program,
    bounds: &mut Bounds,
    without: u32,
    properties: &[String],
    stop: &Stop,
    shown: &mut Shown,
) -> bool {
    let Some(hardware) = &program.hardware else { return true };
    let Some(id) = loops::analyse(program, program.entry).heads.first().map(|head| head.id.clone()) else {
        return false;
    };
    let cycles = |shown: &Shown| hardware.cycles(program, &shown.inputs) as u32;
    let (mut none, mut some) = (without, cycles(shown));
    while none + 1 < some {
        let half = none + (some - none) / 2;
        let mut closer = bounds.clone();
        closer.named.insert(id.clone(), half);
        let Ok(mut equation) = symex::unwind_settled(program, &closer, stop) else { return false };
        let mut question = Question::new(program, &mut equation, stop);
        (question.is_explained, question.one_failure) = (true, true);
        let findings = question.ask(properties);
        match findings.shown {
            Some(found) if found.claim == shown.claim => {
                shown.inputs = found.inputs;
                some = cycles(shown).min(half);
            }
            // Another claim fails before this one does.
            Some(_) => return false,
            None if findings.interrupted => return false,
            None => none = half,
        }
    }
    bounds.named.insert(id, some);
    true
}
