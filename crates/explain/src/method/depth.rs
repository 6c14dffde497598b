//! Passing runs that need loops to be unwound further than the failing run (Groce, Chaki, Kroening, Strichman, "Error
//! explanation with distance metrics", section 3.3).
//!
//! A turn that only the passing run takes counts all that it executes there, so a deeper run must be nearer by more than
//! its turns cost. Whether one can be nearer at all is asked before anything is unwound:
//! a deeper run begins like an execution of this equation that leaves it where the bound is hit, and differs from the
//! failing run at least as much as that one does before it leaves.

use nearmiss_logic::optimise::{self, Objective};
use nearmiss_logic::sat::Outcome;
use nearmiss_logic::term::Term;

use super::align::joint::{self, Extent};
use super::align::sequence::{Possible, Sequence};
use super::delta;
use super::encode;
use crate::compared::Counted;
use crate::equation::{ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use nearmiss_logic::stop::Stop;

/// Conflicts before the question is left open.
const MOST_CONFLICTS: u64 = 100_000;

/// What is known of executions that go beyond the bound.
pub enum Beyond {
    /// None does, or none could be nearer.
    Nothing,
    /// Some may be nearer, of at least this distance, and hit these bounds (indices into [`Equation::bounds_hit`]).
    Something {
        /// No run beyond the bound is nearer than this.
        lower_bound: u64,
        /// The bounds that one of the nearest of them hits.
        hit: Vec<u32>,
    },
    /// Time was over.
    Unknown,
}

/// Can a run that goes beyond the bound be nearer than `distance`? `kept` is what it must satisfy where it gets that
/// far; it does not go beyond those bounds that are `closed`.
#[allow(clippy::too_many_arguments)]
pub fn beyond(
    equation: &mut Equation,
    failing: &Execution,
    counted: &[Counted],
    aligned: Option<&Sequence>,
    kept: &[Term],
    closed: &[u32],
    distance: Option<u64>,
    stop: &Stop,
) -> Beyond {
    let mut blaster = encode::for_a_minimum(equation, stop);
    encode::define(&mut blaster, equation);
    // Inside: no bound was hit so far.
    let mut inside = equation.terms.tru();
    let mut inside_at = Vec::with_capacity(equation.steps.len());
    let mut exits = Vec::new();
    let held = equation.held();
    let mut held = held.into_iter().peekable();
    for index in 0..equation.steps.len() {
        inside_at.push(inside);
        let Some((_, holds)) = held.next_if(|(step, _)| *step == index) else { continue };
        match equation.steps[index].kind {
            StepKind::Claim { claim: ClaimRef::Unwinding(bound), .. } => {
                let leaves = equation.terms.not(holds);
                let exit = equation.terms.and(inside, leaves);
                if closed.contains(&bound) {
                    let stays = equation.terms.not(exit);
                    blaster.assert(&equation.terms, stays);
                } else {
                    exits.push((bound, exit));
                }
                inside = equation.terms.and(inside, holds);
            }
            _ => {
                let holds = equation.terms.implies(inside, holds);
                blaster.assert(&equation.terms, holds);
            }
        }
    }
    for kept in kept {
        let kept = equation.terms.implies(inside, *kept);
        blaster.assert(&equation.terms, kept);
    }
    let outside = equation.terms.not(inside);
    blaster.assert(&equation.terms, outside);
    let mut prices = Vec::new();
    let mut left_out = u64::MAX;
    if let Some(sequence) = aligned {
        let inside = |possible: &Possible| equation.terms.and(possible.happens, inside_at[possible.step]);
        let happens: Vec<Term> = sequence.possible.iter().map(inside).collect();
        let joint = joint::encode(&mut blaster, equation, sequence, &happens, Extent::Beginning, distance);
        (prices, left_out) = (joint.prices, joint.left_out.unwrap_or(u64::MAX));
    } else {
        // Where values meet behind a loop, more of them may meet if more is unwound: what that costs is not known here.
        let known: Vec<Counted> =
            counted.iter().filter(|counted| counted.unchanged.is_none() && counted.is_priced).copied().collect();
        for (counted, differs) in known.iter().zip(delta::difference_terms(equation, &known, failing)) {
            // A predicate counts where it is looked at, and who looks has not left.
            let inside = counted.looked_at.unwrap_or(inside_at[counted.step]);
            let differs = equation.terms.and(differs, inside);
            prices.push((blaster.literal(&equation.terms, differs), 1));
        }
    }
    let exits: Vec<_> = exits.iter().map(|(bound, way)| (*bound, blaster.literal(&equation.terms, *way))).collect();
    let limits = optimise::Limits { conflicts: Some(MOST_CONFLICTS), stop: stop.clone(), ..Default::default() };
    let nearest =
        optimise::minimise(&mut blaster.solver, &[], &Objective::Weighted(prices), None, &limits, &mut |_, _| {});
    let lower_bound = (nearest.lower as u64).min(left_out);
    match nearest.model {
        _ if nearest.outcome == Outcome::Unsat => Beyond::Nothing,
        _ if distance.is_some_and(|distance| lower_bound >= distance) => Beyond::Nothing,
        Some(model) => {
            let mut hit: Vec<u32> =
                exits.into_iter().filter(|(_, way)| model.value(*way)).map(|(bound, _)| bound).collect();
            hit.dedup();
            Beyond::Something { lower_bound, hit }
        }
        None => Beyond::Unknown,
    }
}
