//! Which differences matter (Groce, Chaki, Kroening, Strichman, "Error explanation with distance metrics", section 5).
//!
//! *Two-phase*: given the failing run a and a passing run b, every variable in which they differ may take its value in
//! a after all, or its value in b if that is what its definition gives; all others are as in both. The fewest
//! variables that must take b's value for nothing to be violated are the slice: not a run, but the part of b that makes
//! the difference. *One-step*: the passing run is not given but found along with it, by a second copy of the equation;
//! known to explain worse, and here for comparison.
//!
//! What is chosen and what is counted need not be the same: runs that are compared in predicates differ in these, but a
//! predicate only changes because some value did. So values are chosen, and the predicates that change by it are counted.

use std::collections::{HashMap, HashSet};

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::optimise::{self, Objective, Proof};
use nearmiss_logic::sat::{Lit, Model, Outcome};
use nearmiss_logic::term::Term;

use super::delta::difference_terms;
use super::encode;
use crate::compared::Counted;
use crate::equation::Equation;
use crate::execution::Execution;
use nearmiss_logic::stop::Stop;
use nearmiss_program::run::Inputs;

/// Conflicts before the best so far is taken.
const MOST_CONFLICTS: u64 = 200_000;
/// Of more differences than this any smallest slice is taken: to find the first costs a question for each.
const MOST_ORDERED: usize = 500;
/// So many slices are listed at most.
pub const MOST_ROUTES: usize = 100;

/// A slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MinimalSlice {
    /// What matters, by place among what is counted.
    pub kept: Vec<usize>,
    /// What takes the value of the passing run, by place among what can be chosen.
    pub taken: Vec<usize>,
    /// Their number; those that go together count once.
    pub size: u64,
    /// Whether no smaller set does, proved again by a fresh solver.
    pub proved: bool,
}

/// Some differences of two executions, as constraints.
pub struct Slicer<'a> {
    stop: &'a Stop,
    blaster: Blaster,
    /// For each variable that can be chosen: it takes the value of the passing run. Constant false where the runs agree.
    takes: Vec<Lit>,
    /// For each variable that is counted: it differs from the failing run. Constant false where the runs agree.
    differs: Vec<Lit>,
    size: Objective,
}

impl<'a> Slicer<'a> {
    /// Two-phase slicing of the differences between a failing and a passing execution. `demands` hold in both. `tied`
    /// says, where it says something, with which variable before it one goes: both take the passing run's value, or none.
    pub fn two_phase(
        equation: &mut Equation,
        counted: &[Counted],
        tied: &[Option<usize>],
        [failing, passing]: [&Execution; 2],
        demands: &[Term],
        stop: &'a Stop,
    ) -> Slicer<'a> {
        let mut blaster = encode::for_easy_questions(stop);
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
        Slicer::new(takes.collect(), blaster, stop)
    }

    /// For each variable that can be chosen, whether it takes the value of the passing run, in a solver that knows what
    /// follows.
    fn new(takes: Vec<Lit>, blaster: Blaster, stop: &'a Stop) -> Slicer<'a> {
        let differs = takes.clone();
        Slicer { stop, blaster, takes, size: number(&differs), differs }
    }

    /// The same, with other variables counted: those that follow from what is chosen. Where the runs agree, they stay as
    /// they are.
    pub fn counting(
        mut self,
        equation: &mut Equation,
        counted: &[Counted],
        [failing, passing]: [&Execution; 2],
    ) -> Slicer<'a> {
        self.differs.clear();
        for (different, counted) in difference_terms(equation, counted, failing).into_iter().zip(counted) {
            if failing.value(counted.variable) == passing.value(counted.variable) {
                let same = equation.terms.not(different);
                self.blaster.assert(&equation.terms, same);
                self.differs.push(Lit::FALSE);
            } else {
                self.differs.push(self.blaster.literal(&equation.terms, different));
            }
        }
        self.size = number(&self.differs);
        self
    }

    fn limits(&self) -> optimise::Limits {
        optimise::Limits { conflicts: Some(MOST_CONFLICTS), stop: self.stop.clone(), ..Default::default() }
    }

    /// A smallest slice; of several the one whose variables come first. None if there was no time for any.
    pub fn smallest(&mut self) -> Result<Option<MinimalSlice>, String> {
        Ok(self.search()?.map(|(found, _)| found))
    }

    fn search(&mut self) -> Result<Option<(MinimalSlice, Model)>, String> {
        let limits = self.limits();
        let order = std::slice::from_ref(&self.size);
        let solver = &mut self.blaster.solver;
        let found = optimise::minimise_in_order(solver, &[], order, None, &limits, &mut |_, _, _| {});
        let Some(optimum) = found.optima.into_iter().next() else { return Ok(None) };
        let Some(mut model) = optimum.model else { return Ok(None) };
        let mut assumptions = found.kept;
        let open: Vec<Lit> = self.differs.iter().copied().filter(|differs| !differs.is_constant()).collect();
        if optimum.proved && open.len() <= MOST_ORDERED {
            for differs in open {
                assumptions.push(differs);
                if !model.value(differs) {
                    match self.blaster.solver.solve(&assumptions) {
                        Outcome::Sat => model = self.blaster.solver.model(),
                        _ => *assumptions.last_mut().expect("just pushed") = !differs,
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
        let [kept, taken] = [&self.differs, &self.takes].map(|literals| true_in(literals, &model));
        Ok(Some((MinimalSlice { kept, taken, size: size as u64, proved }, model)))
    }

    /// Every slice of the size of this one, and whether these are all.
    pub fn all(&mut self, like: &MinimalSlice) -> (Vec<MinimalSlice>, bool) {
        let limits = self.limits();
        let solver = &mut self.blaster.solver;
        let (size, proved) = (like.size, like.proved);
        let all = optimise::all_optima(solver, &[], &self.size, u128::from(size), &self.differs, MOST_ROUTES, &limits);
        let mut complete = all.complete;
        let mut found = Vec::with_capacity(all.projections.len());
        // Ascending by values; the one whose variables come first has the largest.
        for values in all.projections.into_iter().rev() {
            let kept: Vec<usize> = (0..values.len()).filter(|&at| values[at]).collect();
            let fixed: Vec<Lit> = self.differs.iter().zip(&values).map(|(lit, &value)| lit.negate_if(!value)).collect();
            match self.blaster.solver.solve(&fixed) {
                Outcome::Sat => {
                    let taken = true_in(&self.takes, &self.blaster.solver.model());
                    found.push(MinimalSlice { kept, taken, size, proved });
                }
                _ => complete = false,
            }
        }
        (found, complete)
    }
}

/// How many of some literals hold; the same literal counts once.
fn number(literals: &[Lit]) -> Objective {
    let mut seen = HashSet::new();
    let may = literals.iter().filter(|literal| **literal != Lit::FALSE && seen.insert(**literal));
    Objective::Weighted(may.map(|literal| (*literal, 1)).collect())
}

/// Which of some literals hold.
fn true_in(literals: &[Lit], model: &Model) -> Vec<usize> {
    (0..literals.len()).filter(|&at| model.value(literals[at])).collect()
}

/// A slice and the passing run that it is part of, found together.
pub struct OneStep {
    /// The slice.
    pub slice: MinimalSlice,
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
    stop: &Stop,
) -> Result<Option<OneStep>, String> {
    let mut blaster = encode::for_easy_questions(stop);
    blaster.solver.record_clauses();
    // The equation itself is the shadow.
    encode::define(&mut blaster, equation);
    demand(equation, &mut blaster, demands);
    let place: HashMap<u32, usize> = counted.iter().enumerate().map(|(i, c)| (c.variable.0, i)).collect();
    let counts = difference_terms(equation, counted, failing);
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
        if let Some(follows) = follows {
            let obeys = equation.terms.eq(follows, symbol);
            let obeys = equation.terms.implies(taken, obeys);
            blaster.assert(&equation.terms, obeys);
        }
        // A variable is only in the slice if it differs, and that counts.
        let differs = equation.terms.ne(symbol, old);
        let may_be = equation.terms.and(differs, counts[at]);
        let may_be = equation.terms.implies(taken, may_be);
        blaster.assert(&equation.terms, may_be);
        // Where it differs and that does not count, it follows from what does.
        let uncounted = equation.terms.not(counts[at]);
        let comes_along = equation.terms.and(differs, uncounted);
        let kept = equation.terms.ite(comes_along, follows.unwrap_or(symbol), old);
        let value = equation.terms.ite(taken, symbol, kept);
        sliced.insert(symbol, value);
        takes[at] = blaster.literal(&equation.terms, taken);
    }
    let held: Vec<Term> =
        equation.held_whatever_is_computed().into_iter().map(|(_, held)| held).chain(demands.iter().copied()).collect();
    for held in equation.terms.substitute_all(&held, &sliced) {
        blaster.assert(&equation.terms, held);
    }
    let mut slicer = Slicer::new(takes, blaster, stop);
    let Some((slice, model)) = slicer.search()? else { return Ok(None) };
    let assignment = slicer.blaster.assignment_of(&equation.terms, &model);
    let passing = Execution::of_assignment(equation, &assignment);
    let inputs = equation.inputs(&mut passing.evaluator(equation));
    Ok(Some(OneStep { slice, inputs, passing }))
}

/// Nothing is violated, and the demands hold.
fn demand(equation: &mut Equation, blaster: &mut Blaster, demands: &[Term]) {
    let held: Vec<Term> = equation.held_whatever_is_computed().into_iter().map(|(_, held)| held).collect();
    for term in held.iter().chain(demands) {
        blaster.assert(&equation.terms, *term);
    }
}
