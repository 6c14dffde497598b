//! Which conditions can be told before a step: those whose elements are there in every run that comes to it.
//!
//! `pool[k].used` says nothing where `k` is -1: neither it nor its opposite is true. A run that comes to a step meets the
//! assumptions and automatic checks before it, and written assertions may be passed over. So the solver is asked, once for
//! every guard and index that is not constant, whether a run comes there with an index outside; where there is one, or it
//! was not found out, the condition is not looked at.

use std::collections::HashMap;

use nearmiss_logic::sat::Outcome;
use nearmiss_logic::term::Term;

use crate::equation::{ClaimRef, Equation, StepKind};
use crate::method::encode;
use crate::symex::Moment;
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::Program;

/// So many conflicts are spent on each question.
const MOST_CONFLICTS: u64 = 2_000;

/// The moments, each with the conditions that can be told there.
pub fn told(program: &Program, equation: &mut Equation, mut moments: Vec<Moment>, stop: &Stop) -> Vec<Moment> {
    let is_plain = |moment: &Moment| moment.seen.iter().all(|seen| equation.terms.is_true(seen.within));
    if moments.iter().all(is_plain) {
        return moments;
    }
    let mut blaster = encode::for_many_questions(stop);
    blaster.solver.set_conflict_limit(Some(MOST_CONFLICTS));
    encode::define(&mut blaster, equation);
    let mut ended = ends(program, equation).into_iter().peekable();
    let mut answers: HashMap<(Term, Term), bool> = HashMap::new();
    for moment in &mut moments {
        while let Some((_, held)) = ended.next_if(|(step, _)| *step < moment.step) {
            blaster.assert(&equation.terms, held);
        }
        moment.seen.retain(|seen| {
            let mut ask = || {
                let outside = equation.terms.not(seen.within);
                let wanted = [moment.guard, outside].map(|term| blaster.literal(&equation.terms, term));
                blaster.solver.solve(&wanted) == Outcome::Unsat
            };
            // What is so before a step is so before later ones with this guard.
            let known = answers.get(&(moment.guard, seen.within)).copied();
            known.filter(|told| *told).unwrap_or_else(|| {
                let told = ask();
                answers.insert((moment.guard, seen.within), told);
                told
            })
        });
    }
    moments
}

/// What ends every execution that does not meet it, with its step: assumptions and automatic checks.
fn ends(program: &Program, equation: &mut Equation) -> Vec<(usize, Term)> {
    let mut held = equation.held();
    held.retain(|(step, _)| match equation.steps[*step].kind {
        StepKind::Claim { claim: ClaimRef::Program(id), .. } => !program.claims[id.index()].kind.goes_on(),
        _ => true,
    });
    held
}
