//! Where another value would have saved this very run.
//!
//! The inputs stay as they are in the failing run; the values that one line computes are free; does some choice of
//! them make the run pass? (Jose and Majumdar, "Cause clue clauses: error localization using maximum satisfiability",
//! PLDI 2011, ask the same of sets of lines.) It complements the nearest run, which leaves the program alone and
//! changes the inputs.

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::sat::{Lit, Outcome};
use nearmiss_logic::term::Term;

use super::encode;
use crate::equation::{Equation, StepKind};
use crate::execution::Execution;
use nearmiss_logic::stop::Stop;

/// Conflicts for one line, after which it does not count.
const MOST_CONFLICTS: u64 = 5_000;

/// A failing run in which groups of steps may compute something else, each behind a literal.
pub struct Freed {
    /// What must hold for the run to pass.
    pub blaster: Blaster,
    /// One for each group: where it is true, the values of the group are free.
    pub free: Vec<Lit>,
}

/// The failing run with the groups freed, where these terms hold.
pub fn freed(equation: &mut Equation, failing: &Execution, groups: &[Vec<usize>], held: &[Term], stop: &Stop) -> Freed {
    let mut blaster = encode::for_easy_questions(stop);
    blaster.solver.set_conflict_limit(Some(MOST_CONFLICTS));
    let mut group_of = vec![None; equation.steps.len()];
    for (group, steps) in groups.iter().enumerate() {
        steps.iter().for_each(|step| group_of[*step] = Some(group));
    }
    let free: Vec<Term> = groups.iter().map(|_| equation.terms.fresh("free", 1)).collect();
    let definers = equation.definers();
    for (index, step) in definers.into_iter().enumerate() {
        let (symbol, definition) = (equation.variables[index].symbol, equation.variables[index].definition);
        let group = step.and_then(|step| group_of[step]);
        let value = match (definition, group, step) {
            (None, _, Some(step)) if failing.executed[step] => {
                equation.terms.constant(equation.terms.width(symbol), failing.values[index])
            }
            // An input that the failing run does not come across.
            (None, ..) => continue,
            (Some(definition), Some(group), Some(step)) => {
                let any = equation.terms.fresh("any", equation.terms.width(symbol));
                let any = match equation.steps[step].kind {
                    // A path is taken only where it is reached.
                    StepKind::Guard { .. } => equation.terms.and(equation.steps[step].guard, any),
                    _ => any,
                };
                equation.terms.ite(free[group], any, definition)
            }
            (Some(definition), ..) => definition,
        };
        blaster.define(&equation.terms, symbol, value);
    }
    for term in held {
        blaster.assert(&equation.terms, *term);
    }
    let free: Vec<Lit> = free.iter().map(|free| blaster.literal(&equation.terms, *free)).collect();
    Freed { blaster, free }
}

/// For each group of steps: whether other values there make the failing run pass. `demands` must hold then, too.
pub fn repairs(
    equation: &mut Equation,
    failing: &Execution,
    groups: &[Vec<usize>],
    demands: &[Term],
    stop: &Stop,
) -> Vec<bool> {
    let mut held: Vec<Term> = equation.held_from(failing.failed).into_iter().map(|(_, held)| held).collect();
    held.extend(demands);
    let Freed { mut blaster, free } = freed(equation, failing, groups, &held, stop);
    let mut saved = Vec::with_capacity(groups.len());
    for group in 0..groups.len() {
        let assumptions: Vec<Lit> =
            free.iter().enumerate().map(|(other, free)| free.negate_if(other != group)).collect();
        saved.push(!stop.requested() && blaster.solver.solve(&assumptions) == Outcome::Sat);
    }
    saved
}
