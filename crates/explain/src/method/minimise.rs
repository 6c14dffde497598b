//! The smallest counterexample: first the fewest executed statements, then the smallest values (Groce and Kroening,
//! "Making the Most of BMC Counterexamples", 2005, sections 3 to 5).
//!
//! Length is the number of executed branches and written assignments, and one for the claim. Values are the sum of |x|
//! over executed inputs and written assignments of integer type; ties are broken by what each C type makes easy to read
//! (`method/values.rs`). A value counts only where it is executed, and values are compared over all runs of the least
//! length: another path may have smaller ones.
//!
//! *Optimal* asks the optimiser; length and sum are to be proved again by a fresh solver that measures the cost with
//! another encoding, which the caller may do beside other work. When the time is over, or more work was done than a person would wait for, the best so far is given
//! with the bounds that are proved; so it is where some values are left out of the search (`method/afford.rs`). *Greedy* is the paper's heuristic: paths by their weight, then bits from the top,
//! each tried once.

use std::collections::HashMap;

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::optimise::{self, Claimed, Hints, Objective};
use nearmiss_logic::sat::{Lit, Model, Outcome};
use nearmiss_logic::term::Term;

use crate::equation::{Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::{LowerBound, Minimised};
use crate::method::afford::Purse;
use crate::method::encode;
use crate::method::values::{self, Magnitude, Values};
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::Program;
use nearmiss_program::run::Inputs;

/// How many calls try a bit before the best so far is taken. A call costs as much as the instance is large, so large ones get fewer.
const MOST_TRIES: u64 = 1_000;
/// What takes no more conflicts than this is easy.
const EASY: u64 = 1_000;
/// Conflicts spent on what is merely preferred.
const MOST_CONFLICTS_ON_TASTE: u64 = 4_000;
/// An instance with more clauses than this is large.
const LARGE: u64 = 10_000;

/// A counterexample made small.
pub struct Small {
    /// What to feed to the program.
    pub inputs: Inputs,
    /// The number of executed statements.
    pub length: u64,
    /// The sum of the magnitudes.
    pub sum: u128,
    /// Where the search found both to be the least, the second among all runs of that length: what a second proof takes.
    pub least: Option<Claimed>,
    /// What is known if they are not, where anything was asked.
    pub lower_bound: Option<LowerBound>,
}

/// Makes a violation small. `violated` is the term that says that an execution violates the claim, and nothing before
/// it; `known` is some violation; after so many `conflicts` the best so far is taken, fewer if the instance is large. None if no violation was found in the time given.
pub fn minimise(
    program: &Program,
    equation: &mut Equation,
    violated: Term,
    known: &Inputs,
    how: Minimised,
    conflicts: Option<u64>,
    stop: &Stop,
) -> Option<Small> {
    let executed = equation.executed();
    let mut problem = Problem { conflicts, ..Problem::new(program, equation, stop) };
    let claim = problem.blaster.literal(&problem.equation.terms, violated);
    let path = lengths(problem.equation, &executed, &mut problem.blaster);
    let values = problem.values(violated, &executed);
    let begin = problem.begin(claim, known)?;
    match how {
        Minimised::Optimal => problem.optimal(claim, &path, &values, &begin),
        Minimised::Greedy => Some(problem.greedy(claim, &path, &values, begin)),
        Minimised::None => None,
    }
}

/// The second half of the problem as a weighted MaxSAT instance: a violation on one shortest path, with a price of 2^i on bit
/// i of every magnitude, and a model, which is where the search begins. For comparing solvers.
pub fn wcnf(program: &Program, equation: &mut Equation, violated: Term, stop: &Stop) -> Option<String> {
    let executed = equation.executed();
    let mut problem = Problem::new(program, equation, stop);
    let claim = problem.blaster.literal(&problem.equation.terms, violated);
    let path = lengths(problem.equation, &executed, &mut problem.blaster);
    let values = problem.values(violated, &executed);
    let length = Objective::Weighted(path.clone());
    let limits = problem.limits();
    let variables = problem.blaster.solver.stats().variables as usize;
    let found = optimise::minimise(&mut problem.blaster.solver, &[claim], &length, None, &limits, &mut |_, _| {});
    let model = found.model?;
    let literals = (1..=variables).map(Lit::of_variable);
    let known = literals.map(|lit| lit.negate_if(!model.value(lit))).collect();
    let hints = Hints { model: known, ..Hints::default() };
    optimise::to_wcnf(&problem.blaster.solver, &fixed_path(claim, &path, &model), &values.sum(), &hints)
}

/// How many counted statements each path condition controls.
fn lengths(equation: &Equation, executed: &[Term], blaster: &mut Blaster) -> Vec<(Lit, u64)> {
    let mut weights: HashMap<Lit, u64> = HashMap::new();
    let mut order = Vec::new();
    for (step, executed) in equation.steps.iter().zip(executed) {
        // Whether an input is executed is asked of models later, so its literal must be part of them.
        let literal = match step.kind {
            StepKind::Phi { .. }
            | StepKind::Claim { .. }
            | StepKind::Held { .. }
            | StepKind::Assume { .. }
            | StepKind::Return { .. } => {
                continue;
            }
            _ => blaster.literal(&equation.terms, *executed),
        };
        if matches!(step.kind, StepKind::Guard { .. } | StepKind::Branch { .. } | StepKind::Assign { .. }) {
            let weight = weights.entry(literal).or_insert_with(|| {
                order.push(literal);
                0
            });
            *weight += 1;
        }
    }
    order.into_iter().map(|literal| (literal, weights[&literal])).collect()
}

struct Problem<'a> {
    program: &'a Program,
    equation: &'a mut Equation,
    blaster: Blaster,
    stop: &'a Stop,
    /// What ends the search, if not only the time.
    conflicts: Option<u64>,
    tries: u64,
}

impl<'a> Problem<'a> {
    fn new(program: &'a Program, equation: &'a mut Equation, stop: &'a Stop) -> Problem<'a> {
        let mut blaster = encode::for_a_minimum(equation, stop);
        // Where inputs are small, most of the rest is.
        blaster.solver.guess_early_variables_first();
        encode::define(&mut blaster, equation);
        Problem { program, equation, blaster, stop, conflicts: None, tries: 0 }
    }

    /// 1 for a small instance, more for a large one.
    fn largeness(&self) -> u64 {
        self.blaster.solver.stats().clauses / LARGE + 1
    }

    fn limits(&self) -> optimise::Limits {
        let conflicts = self.conflicts.map(|conflicts| conflicts / self.largeness());
        optimise::Limits { conflicts, stop: self.stop.clone(), ..Default::default() }
    }

    /// A violation to begin with: one that the solver finds easily, which is mostly small; else the known one, which
    /// takes no search.
    fn begin(&mut self, claim: Lit, known: &Inputs) -> Option<Model> {
        self.blaster.solver.set_conflict_limit(Some(EASY));
        let found = self.solve(&[claim]);
        self.blaster.solver.set_conflict_limit(None);
        if found.is_some() {
            return found;
        }
        let mut assumptions = vec![claim];
        for (symbol, value) in self.equation.free_variables(known) {
            let bits = self.blaster.bits(&self.equation.terms, symbol);
            assumptions.extend(bits.iter().enumerate().map(|(i, bit)| bit.negate_if(value >> i & 1 == 0)));
        }
        self.solve(&assumptions).or_else(|| self.solve(&[claim]))
    }

    fn optimal(&mut self, claim: Lit, path: &[(Lit, u64)], values: &Values, begin: &Model) -> Option<Small> {
        let limits = self.limits();
        let length = Objective::Weighted(path.to_vec());
        let sum = values.sum();
        let mut ignore = |_, _, _| {};
        let (solver, at) = (&mut self.blaster.solver, |lit: Lit| begin.value(lit));
        let objectives = std::slice::from_ref(&length);
        let first = optimise::minimise_in_order(solver, &[claim], objectives, Some(&at), &limits, &mut ignore);
        let short = first.optima.into_iter().next()?;
        let short_model = short.model?;
        // On one shortest path small values are found fast; that is where the search over all of them begins.
        let warm = self.squeeze(&values.magnitudes, fixed_path(claim, path, &short_model), short_model);
        if self.equation.is_huge() || !sum.fits() {
            // The sum alone would be larger than everything else, or than any number.
            let lower_bound = LowerBound { length: short.lower as u64 + 1, sum: 0 };
            return Some(Small { lower_bound: Some(lower_bound), ..self.small(path, &warm, values) });
        }
        let mut assumptions: Vec<Lit> = std::iter::once(claim).chain(first.kept).collect();
        let (solver, at) = (&mut self.blaster.solver, |lit: Lit| warm.value(lit));
        let least = optimise::minimise(solver, &assumptions, &sum, Some(&at), &limits, &mut |_, _| {});
        let (lower, proved) = (least.lower, least.proved);
        let mut best = least.model.unwrap_or(warm);
        let cost = sum.cost(|lit| best.value(lit));
        if proved {
            assumptions.push(optimise::at_most(&mut self.blaster.solver, &sum, cost));
            best = self.preferred(values, &assumptions, best, &limits);
        }
        let costs = [(&length, short.upper), (&sum, cost)];
        let proved = short.proved && proved && values.left_out.is_empty();
        let least = Claimed::minima(&self.blaster.solver, &[claim], &costs, &limits).filter(|_| proved);
        let lower_bound = LowerBound { length: short.lower as u64 + 1, sum: lower };
        Some(Small { least, lower_bound: Some(lower_bound), ..self.small(path, &best, values) })
    }

    /// Among the runs that the assumptions leave, one that is as easy to read as can be.
    fn preferred(&mut self, values: &Values, assumptions: &[Lit], best: Model, limits: &optimise::Limits) -> Model {
        let conflicts = Some(MOST_CONFLICTS_ON_TASTE / self.largeness());
        let limits = optimise::Limits { conflicts, ..limits.clone() };
        let at = |lit: Lit| best.value(lit);
        let solver = &mut self.blaster.solver;
        let wanted = &values.preferences;
        let found = optimise::minimise_in_order(solver, assumptions, wanted, Some(&at), &limits, &mut |_, _, _| {});
        found.optima.into_iter().rev().find_map(|optimum| optimum.model).unwrap_or(best)
    }

    fn greedy(&mut self, claim: Lit, path: &[(Lit, u64)], values: &Values, mut model: Model) -> Small {
        let mut fixed = vec![claim];
        let mut heaviest = path.to_vec();
        heaviest.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        for (literal, _) in heaviest {
            self.try_false(literal, &mut fixed, &mut model);
        }
        let model = self.squeeze(&values.magnitudes, fixed_path(claim, path, &model), model);
        self.small(path, &model, values)
    }

    /// Small values by trying: signs, then bits from the top across all values.
    fn squeeze(&mut self, magnitudes: &[Magnitude], mut fixed: Vec<Lit>, mut model: Model) -> Model {
        for magnitude in magnitudes {
            self.try_false(magnitude.sign, &mut fixed, &mut model);
        }
        let widest = magnitudes.iter().map(|m| m.bits.len()).max().unwrap_or(0);
        for bit in (0..widest).rev() {
            for magnitude in magnitudes.iter().filter(|m| bit < m.bits.len()) {
                self.try_false(magnitude.bits[bit], &mut fixed, &mut model);
            }
        }
        model
    }

    /// Demands that a literal is false, if that is possible; else it is true from now on.
    fn try_false(&mut self, literal: Lit, fixed: &mut Vec<Lit>, model: &mut Model) {
        if literal.is_constant() || self.tries >= MOST_TRIES / self.largeness() {
            return;
        }
        fixed.push(!literal);
        if model.value(literal) {
            self.tries += 1;
            match self.solve(fixed) {
                Some(better) => *model = better,
                None => *fixed.last_mut().expect("just pushed") = literal,
            }
        }
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Option<Model> {
        (self.blaster.solver.solve(assumptions) == Outcome::Sat).then(|| self.blaster.solver.model())
    }

    fn values(&mut self, violated: Term, executed: &[Term]) -> Values {
        let needed: Vec<Term> = executed.iter().copied().chain([violated]).collect();
        let mut purse = Purse::beside(self.equation, &needed);
        values::collect(self.program, self.equation, executed, &mut purse, &mut self.blaster)
    }

    fn small(&self, path: &[(Lit, u64)], model: &Model, values: &Values) -> Small {
        let value = |lit: Lit| model.value(lit);
        let length = Objective::Weighted(path.to_vec()).cost(value) as u64 + 1;
        let assignment = self.blaster.assignment_of(&self.equation.terms, model);
        let execution = Execution::of_assignment(self.equation, &assignment);
        let mut evaluator = execution.evaluator(self.equation);
        let inputs = self.equation.inputs(&mut evaluator);
        let left_out = values.sum_of_left_out(&self.equation.terms, &mut evaluator);
        let sum = values.sum().cost(value).saturating_add(left_out);
        Small { inputs, length, sum, least: None, lower_bound: None }
    }
}

/// The claim, and every path condition as in the model.
fn fixed_path(claim: Lit, path: &[(Lit, u64)], model: &Model) -> Vec<Lit> {
    let sides = path.iter().filter(|(literal, _)| !literal.is_constant());
    std::iter::once(claim).chain(sides.map(|(literal, _)| literal.negate_if(!model.value(*literal)))).collect()
}
