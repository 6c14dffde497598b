//! The steps of a run as they are told. What the library does inside is left out of runs, but that `free(p)` was called is
//! worth a step: what is claimed of its arguments tells of it. And where several parts decide a condition, what came out
//! of it is a step behind the last part that was evaluated.

use std::borrow::Cow;

use nearmiss_program::program::{Asker, Author, ClaimKind, FunctionId, Program};
use nearmiss_program::run::{Run, RunStep, RunStepKind};
use nearmiss_program::source::Span;

/// The steps of a run, with one before the first claim of each call of the library that touches memory, and one behind the
/// last part of each condition that has parts. What is borrowed are the steps of the run, in order.
pub fn told<'r>(run: &'r Run, program: &Program) -> Vec<Cow<'r, RunStep>> {
    let mut steps = Vec::with_capacity(run.steps.len());
    let mut callers: Vec<FunctionId> = vec![program.entry];
    let mut under_way: Option<Span> = None;
    for step in &run.steps {
        let author = program.function(step.function).author;
        match &step.kind {
            RunStepKind::Claim { claim, held: true, .. } if author == Author::Library => {
                let claim = &program.claims[claim.index()];
                let tells = matches!(claim.kind, ClaimKind::Free | ClaimKind::Precondition);
                if tells && under_way.replace(step.span) != Some(step.span) {
                    steps.push(Cow::Owned(RunStep {
                        kind: RunStepKind::Call { callee: step.function },
                        function: callers.last().copied().unwrap_or(program.entry),
                        depth: step.depth.saturating_sub(1),
                        idle: false,
                        ..step.clone()
                    }));
                }
            }
            _ if author == Author::Library => {}
            RunStepKind::Call { callee } if author == Author::User => callers.push(*callee),
            RunStepKind::Return { .. } if author == Author::User && callers.len() > 1 => drop(callers.pop()),
            _ => {}
        }
        if author != Author::Library {
            under_way = None;
        }
        steps.push(Cow::Borrowed(step));
        if let (RunStepKind::Branch { of, .. }, true) = (&step.kind, is_part(step))
            && let Some(taken) = of.truth
        {
            let kind = RunStepKind::Branch { taken, of: *of };
            steps.push(Cow::Owned(RunStep { kind, span: of.span, ..step.clone() }));
        }
    }
    steps
}

/// The name of the input that a step is.
pub fn input_name(step: &RunStep) -> Option<&str> {
    match &step.kind {
        RunStepKind::Input { name, .. } => Some(name),
        _ => None,
    }
}

/// Whether a step evaluates only a part of a condition.
pub fn is_part(step: &RunStep) -> bool {
    matches!(&step.kind, RunStepKind::Branch { of, .. } if of.asker != Asker::Case && of.span != step.span)
}

/// Whether a step is a call of the library.
pub fn is_library(step: &RunStep, program: &Program) -> bool {
    matches!(step.kind, RunStepKind::Call { callee } if program.function(callee).author == Author::Library)
}
