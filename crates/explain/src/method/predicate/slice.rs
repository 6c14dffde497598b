//! Which differences of predicates and branches matter: Δ-slicing on the abstract program (the slicing is that of Groce,
//! Chaki, Kroening, Strichman, "Error explanation with distance metrics", section 5; that it should be done on
//! predicates too is asked for in Chaki, Groce, Strichman, "Explaining abstract counterexamples", section 8.5).
//!
//! Every truth and every branch in which the runs differ may be as in the failing run after all, or as in the passing
//! run if some step leads there from the predicates before it; all others are as in both. The fewest that must be as in
//! the passing run for nothing to be violated are the slice.

use std::collections::HashMap;

use nearmiss_logic::sat::Lit;
use nearmiss_logic::term::Term;

use super::Tracked;
use super::abstraction::{Abstraction, Choice};
use crate::equation::Equation;
use crate::execution::Execution;
use crate::explanation::DeltaKind;
use crate::method::delta::Counted;
use crate::method::slice::Slicer;
use crate::symex::Watch;

/// The differences of a failing and a passing run in predicates and branches, as constraints. `kept` is what both have
/// in common by our demand, each with the step at which it is decided.
pub fn slicer<'a>(
    equation: &mut Equation,
    tracked: &Tracked,
    counted: &'a [Counted],
    [failing, passing]: [&Execution; 2],
    kept: &[(usize, Term)],
    watch: &'a Watch,
) -> Slicer<'a> {
    let holds: Vec<Term> = tracked.truths.iter().map(|_| equation.terms.fresh("holds", 1)).collect();
    let truth_of: HashMap<_, _> = tracked.variables.iter().map(|(truth, variable)| (*variable, *truth)).collect();
    let mut choices = HashMap::new();
    let mut chosen = Vec::with_capacity(counted.len());
    for counted in counted {
        let symbol = match counted.kind {
            DeltaKind::Predicate => holds[truth_of[&counted.variable]],
            _ => equation.symbol(counted.variable),
        };
        let [old, new] = [failing, passing].map(|run| run.value(counted.variable) == 1);
        let choice = match old == new {
            true => Choice::Same(old),
            false => Choice::Takes(equation.terms.fresh("takes", 1), [old, new]),
        };
        choices.insert(symbol, choice);
        chosen.push(choice);
    }
    let (points, truths) = (&tracked.points, &tracked.truths);
    let mut abstraction = Abstraction::with_choices(equation, points, truths, kept, holds, choices, watch);
    let demands = abstraction.held.iter().map(|(_, held)| *held).chain(abstraction.kept.iter().copied());
    for demand in demands.collect::<Vec<Lit>>() {
        abstraction.blaster.solver.add_clause(&[demand]);
    }
    let takes = chosen.iter().map(|choice| match choice {
        Choice::Same(_) => Lit::FALSE,
        Choice::Takes(takes, _) => abstraction.blaster.literal(&equation.terms, *takes),
    });
    let takes = takes.collect();
    Slicer::new(counted, takes, abstraction.blaster, watch)
}
