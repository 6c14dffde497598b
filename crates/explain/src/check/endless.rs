//! A program that cannot end: which loop, and what it repeats.
//!
//! Where bounds keep growing, perhaps no bound suffices. A formula that says that the entry function returns is violated by
//! a run that comes back to a state that it was in, bit by bit, so the machinery of temporal formulas finds such a run
//! (`symex/formula.rs`; Biere, Cimatti, Clarke, Zhu: Symbolic Model Checking without BDDs, TACAS 1999). Asked once per
//! check, for few rounds, and replayed by the interpreter before it is believed.

use nearmiss_logic::stop::Stop;
use nearmiss_program::c::formula::{self, Action};
use nearmiss_program::loops;
use nearmiss_program::program::Program;
use nearmiss_program::run::{Run, RunStepKind};
use nearmiss_program::show;
use nearmiss_program::source::{Diagnostic, Severity, Span};
use nearmiss_trace::ltl;

use super::{CheckOptions, check};
use crate::explanation::{InputValue, Minimised};

/// So often may a loop go round before it repeats itself, by conditions that depend on inputs.
const ROUNDS: u32 = 8;
/// Every visit of a loop is compared with every earlier one, so a long loop by constant conditions is not looked at.
const MOST_STEPS: usize = 2_000;
/// So many values are told.
const MOST_VALUES: usize = 8;

/// A run that never ends.
pub(super) struct Endless {
    /// What to tell of it.
    pub(super) note: Diagnostic,
    /// Whether it is the only execution: nothing in it depends on an input.
    pub(super) only: bool,
}

/// A run that repeats itself for ever, if one is found.
pub(super) fn endless(program: &Program, stop: &Stop) -> Option<Endless> {
    let mut watched = program.clone();
    let action = Action { function: program.function(program.entry).name.clone(), atom: "entry".to_owned() };
    let returns = ltl::parse("F entry.return").ok()?;
    let draft = formula::read(&watched, &returns, &[action]).ok()?;
    formula::claim(&mut watched, draft, Vec::new()).ok()?;
    let options = CheckOptions {
        most_rounds: Some(ROUNDS),
        most_steps: Some(MOST_STEPS),
        minimise: Minimised::None,
        stop: stop.clone(),
        ..CheckOptions::default()
    };
    let found = check(&watched, &options, &mut |_| {}).ok()?.counterexample?;
    let from = found.run.repeats_from()?;
    let only = !found.run.steps.iter().any(|step| matches!(step.kind, RunStepKind::Input { .. }));
    Some(Endless { note: note(program, &found.run, &found.named, from, only)?, only })
}

fn note(program: &Program, run: &Run, inputs: &[InputValue], from: usize, only: bool) -> Option<Diagnostic> {
    let repeated = &run.steps[from..];
    let (id, span) = head(program, run, from)?;
    let with: Vec<String> = (inputs.iter().take(MOST_VALUES))
        .map(|input| format!("{} = {}", input.name, show::value(program, input.ty, input.value)))
        .collect();
    let with = if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) };
    let values: Vec<String> = (repeated.iter())
        .filter_map(|step| match &step.kind {
            RunStepKind::Assign { name, ty, value } => Some(format!("{name} = {}", show::value(program, *ty, *value))),
            _ => None,
        })
        .take(MOST_VALUES)
        .collect();
    let values = if values.is_empty() { "nothing changes".to_owned() } else { values.join(", ") };
    let whole = if only { "; no other execution exists, so what stands behind it is never reached" } else { "" };
    let message = format!("the loop {id} never ends{with}: it comes back to a state that it was in ({values}){whole}");
    Some(Diagnostic::error(span, message).at(Severity::Note))
}

/// The loop that a run repeats: of those in the function where the repetition starts, the one whose condition is asked in it,
/// or the last one that starts before.
fn head(program: &Program, run: &Run, from: usize) -> Option<(String, Span)> {
    let first = run.steps.get(from).or_else(|| run.steps.last())?;
    let heads = loops::analyse(program, first.function).heads;
    let asked = |span: Span| run.steps[from..].iter().any(|step| step.span == span);
    let before = |span: Span| span.file == first.span.file && span.start <= first.span.start;
    let found = heads.iter().find(|head| asked(head.span));
    let found = found.or_else(|| heads.iter().rev().find(|head| before(head.span))).or(heads.first())?;
    Some((found.id.clone(), found.span))
}
