//! Which differences matter (Groce, Chaki, Kroening, Strichman, "Error explanation with distance metrics", section 5).
//!
//! *Two-phase*: given the failing run a and a passing run b, every variable in which they differ may take its value in
//! a after all, or its value in b if that is what its definition gives; all others are as in both. The fewest
//! variables that must take b's value for nothing to be violated are the slice: not a run, but the part of b that makes
//! the difference. *One-step*: the passing run is not given but found along with it, by a second copy of the equation;
//! known to explain worse, and here for comparison.

use std::collections::{HashMap, HashSet};

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::optimise::{self, Objective, Proof};
use nearmiss_logic::sat::{Lit, Model, Outcome};
use nearmiss_logic::term::Term;

use super::delta::Counted;
use super::encode;
use crate::equation::Equation;
use crate::execution::Execution;
use crate::run::Inputs;
use crate::symex::Watch;

/// Conflicts before the best so far is taken.
const MOST_CONFLICTS: u64 = 200_000;
/// Of more differences than this any smallest slice is taken: to find the first costs a question for each.
const MOST_ORDERED: usize = 500;
/// So many slices are listed at most.
pub const MOST_ROUTES: usize = 100;

/// A slice: the variables by their place among those that count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The variables that matter.
    pub kept: Vec<usize>,
    /// Their number; those that go together count once.
    pub size: u64,
    /// Whether no smaller set does, proved again by a fresh solver.
    pub proved: bool,
}

/// Some differences of two executions, as constraints.
pub struct Slicer<'a> {
    counted: &'a [Counted],
    watch: &'a Watch,
    blaster: Blaster,
    /// For each variable that counts: it takes the value of the passing run. Constant false where the runs agree.
    takes: Vec<Lit>,
    size: Objective,
}

impl<'a> Slicer<'a> {
    /// Two-phase slicing of the differences between a failing and a passing execution. `demands` hold in both. `tied`
    /// says, where it says something, with which variable before it one goes: both take the passing run's value, or none.
    pub fn two_phase(
        equation: &mut Equation,
        counted: &'a [Counted],
        tied: &[Option<usize>],
        [failing, passing]: [&Execution; 2],
        demands: &[Term],
        watch: &'a Watch,
    ) -> Slicer<'a> {
        let mut blaster = encode::for_many_questions(watch);
        blaster.solver.record_clauses();
        let place: HashMap<u32, usize> = counted.iter().enumerate().map(|(i, c)| (c.variable.0, i)).collect();
        let mut choices: Vec<Option<Term>> = vec![None; counted.len()];
        for index in 0..equation.variables.len() {
            let (symbol, definition) = (equation.variables[index].symbol, equation.variables[index].definition);
            let (old, new) = (failing.values[index], passing.values[index]);
            let width = equation.terms.width(symbol);
            match (place.get(&(index as u32)), definition) {
                (Some(_), _) if old == new => {
                    let value = equation.terms.constant(width, old);
                    blaster.define(&equation.terms, symbol, value);
                }
                (Some(&at), _) => {
                    let together = tied.get(at).copied().flatten().and_then(|with| choices[with]);
                    let takes = together.unwrap_or_else(|| equation.terms.fresh("takes", 1));
                    let (old, new) = (equation.terms.constant(width, old), equation.terms.constant(width, new));
                    let value = equation.terms.ite(takes, new, old);
                    blaster.define(&equation.terms, symbol, value);
                    choices[at] = Some(takes);
                }
                // What does not count follows from what does.
                (None, Some(definition)) => blaster.define(&equation.terms, symbol, definition),
                (None, None) => {
                    let value = equation.terms.constant(width, new);
                    blaster.define(&equation.terms, symbol, value);
                }
            }
        }
        for (counted, takes) in counted.iter().zip(&choices) {
            let definition = equation.variables[counted.variable.0 as usize].definition;
            if let (Some(takes), Some(definition)) = (*takes, definition) {
                let new = passing.value(counted.variable);
                let new = equation.terms.constant(equation.terms.width(definition), new);
                let follows = equation.terms.eq(definition, new);
                let obeys = equation.terms.implies(takes, follows);
                blaster.assert(&equation.terms, obeys);
            }
        }
        demand(equation, &mut blaster, demands);
        let takes = choices.iter().map(|takes| takes.map_or(Lit::FALSE, |t| blaster.literal(&equation.terms, t)));
        Slicer::new(counted, takes.collect(), blaster, watch)
    }

    /// For each variable that counts, whether it takes the value of the passing run, in a solver that knows what follows.
    pub fn new(counted: &'a [Counted], takes: Vec<Lit>, blaster: Blaster, watch: &'a Watch) -> Slicer<'a> {
        let mut seen = HashSet::new();
        let may = takes.iter().filter(|takes| **takes != Lit::FALSE && seen.insert(**takes));
        let size = Objective::Weighted(may.map(|takes| (*takes, 1)).collect());
        Slicer { counted, watch, blaster, takes, size }
    }

    fn limits(&self) -> optimise::Limits {
        optimise::Limits {
            conflicts: Some(MOST_CONFLICTS),
            stop: Some(self.watch.stop.clone()),
            deadline: self.watch.deadline,
        }
    }

    /// A smallest slice; of several the one whose variables come first. None if there was no time for any.
    pub fn smallest(&mut self) -> Result<Option<Found>, String> {
        Ok(self.search()?.map(|(found, _)| found))
    }

    fn search(&mut self) -> Result<Option<(Found, Model)>, String> {
        let limits = self.limits();
        let order = std::slice::from_ref(&self.size);
        let solver = &mut self.blaster.solver;
        let found = optimise::minimise_in_order(solver, &[], order, None, &limits, &mut |_, _, _| {});
        let Some(optimum) = found.optima.into_iter().next() else { return Ok(None) };
        let Some(mut model) = optimum.model else { return Ok(None) };
        let mut assumptions = found.kept;
        if optimum.proved && self.takes.iter().filter(|takes| !takes.is_constant()).count() <= MOST_ORDERED {
            for takes in self.takes.clone().into_iter().filter(|takes| !takes.is_constant()) {
                assumptions.push(takes);
                if !model.value(takes) {
                    match self.blaster.solver.solve(&assumptions) {
                        Outcome::Sat => model = self.blaster.solver.model(),
                        _ => *assumptions.last_mut().expect("just pushed") = !takes,
                    }
                }
            }
        }
        let size = self.size.cost(|lit| model.value(lit));
        let proved = optimum.proved
            && match optimise::proves_lower_bound(&self.blaster.solver, &[], &[], &self.size, size, &limits) {
                Proof::Proved => true,
                Proof::Unknown | Proof::NoRecord => false,
                Proof::Refuted(_) => return Err("a second proof found a smaller slice than the smallest".to_owned()),
            };
        let kept = (0..self.counted.len()).filter(|&at| model.value(self.takes[at])).collect();
        Ok(Some((Found { kept, size: size as u64, proved }, model)))
    }

    /// Every slice of this size, and whether these are all.
    pub fn all(&mut self, size: u64) -> (Vec<Vec<usize>>, bool) {
        let limits = self.limits();
        let solver = &mut self.blaster.solver;
        let all = optimise::all_optima(solver, &[], &self.size, u128::from(size), &self.takes, MOST_ROUTES, &limits);
        let kept = |values: Vec<bool>| (0..values.len()).filter(|&at| values[at]).collect();
        // Ascending by values; the one whose variables come first has the largest.
        (all.projections.into_iter().rev().map(kept).collect(), all.complete)
    }
}

/// A slice and the passing run that it is part of, found together.
pub struct OneStep {
    /// The slice.
    pub slice: Found,
    /// What to feed to the program to see it pass.
    pub inputs: Inputs,
    /// The passing execution.
    pub passing: Execution,
}

/// One-step slicing (section 5.1.2): a shadow of every variable is a passing execution, and every variable itself has
/// its value in the failing run, or that of its shadow if that is what its definition gives.
pub fn one_step(
    equation: &mut Equation,
    counted: &[Counted],
    failing: &Execution,
    demands: &[Term],
    watch: &Watch,
) -> Result<Option<OneStep>, String> {
    let mut blaster = encode::for_many_questions(watch);
    blaster.solver.record_clauses();
    // The equation itself is the shadow.
    encode::define(&mut blaster, equation);
    demand(equation, &mut blaster, demands);
    let place: HashMap<u32, usize> = counted.iter().enumerate().map(|(i, c)| (c.variable.0, i)).collect();
    let mut sliced: HashMap<Term, Term> = HashMap::new();
    let mut takes = vec![Lit::FALSE; counted.len()];
    for index in 0..equation.variables.len() {
        let (symbol, definition) = (equation.variables[index].symbol, equation.variables[index].definition);
        let follows = definition.map(|definition| equation.terms.substitute(definition, &sliced));
        let Some(&at) = place.get(&(index as u32)) else {
            // What does not count follows from what does.
            sliced.insert(symbol, follows.unwrap_or(symbol));
            continue;
        };
        let old = equation.terms.constant(equation.terms.width(symbol), failing.values[index]);
        let taken = equation.terms.fresh("takes", 1);
        let value = equation.terms.ite(taken, symbol, old);
        if let Some(follows) = follows {
            let obeys = equation.terms.eq(follows, symbol);
            let obeys = equation.terms.implies(taken, obeys);
            blaster.assert(&equation.terms, obeys);
        }
        // A variable is only in the slice if it differs.
        let differs = equation.terms.ne(symbol, old);
        let differs = equation.terms.implies(taken, differs);
        blaster.assert(&equation.terms, differs);
        sliced.insert(symbol, value);
        takes[at] = blaster.literal(&equation.terms, taken);
    }
    let held: Vec<Term> = equation.held().into_iter().map(|(_, held)| held).chain(demands.iter().copied()).collect();
    for held in equation.terms.substitute_all(&held, &sliced) {
        blaster.assert(&equation.terms, held);
    }
    let mut slicer = Slicer::new(counted, takes, blaster, watch);
    let Some((slice, model)) = slicer.search()? else { return Ok(None) };
    let assignment = slicer.blaster.assignment_of(&equation.terms, &model);
    let passing = Execution::of_assignment(equation, &assignment);
    let inputs = equation.inputs(&mut passing.evaluator(equation));
    Ok(Some(OneStep { slice, inputs, passing }))
}

/// Nothing is violated, and the demands hold.
fn demand(equation: &mut Equation, blaster: &mut Blaster, demands: &[Term]) {
    let held: Vec<Term> = equation.held().into_iter().map(|(_, held)| held).collect();
    for term in held.iter().chain(demands) {
        blaster.assert(&equation.terms, *term);
    }
}
