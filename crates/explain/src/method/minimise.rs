//! The smallest counterexample: first the fewest executed statements, then the smallest values (Groce and Kroening,
//! "Making the Most of BMC Counterexamples", 2005, sections 3 to 5).
//!
//! Length is the number of executed branches and written assignments, and one for the claim. Values are the sum of |x|
//! over executed inputs and written assignments of integer type, each by its C type; on a tie, fewer negative numbers.
//! A value counts only where it is executed, and values are compared over all runs of the least length: another path may
//! have smaller ones.
//!
//! *Optimal* asks the optimiser, and has its answer proved again by a fresh solver that measures the cost with another
//! encoding. *Greedy* is the paper's heuristic: paths by their weight, then bits from the top, each tried once.

use std::collections::HashMap;

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::optimise::{self, Objective, Proof};
use nearmiss_logic::sat::{Lit, Model, Outcome};
use nearmiss_logic::term::Term;

use crate::equation::{Equation, StepKind};
use crate::explanation::Minimised;
use crate::program::{Program, Type, TypeId};
use crate::run::Inputs;
use crate::symex::Watch;

/// How much work is done before the best so far is taken, whatever the machine: conflicts, and calls that try a bit. A
/// call costs as much as the instance is large, so large ones get fewer.
const MOST_CONFLICTS: u64 = 40_000;
const MOST_TRIES: u64 = 1_000;
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
    /// Whether both were proved to be the least, the second among all runs of that length.
    pub proved: bool,
}

/// Makes a violation small. `violated` is the term that says that an execution violates the claim, and nothing before
/// it. None if no violation was found in the time given.
pub fn minimise(
    program: &Program,
    equation: &mut Equation,
    violated: Term,
    how: Minimised,
    watch: &Watch,
) -> Option<Small> {
    let executed = equation.executed();
    let mut problem = Problem::new(program, equation, watch);
    let claim = problem.blaster.literal(&problem.equation.terms, violated);
    let path = lengths(problem.equation, &executed, &mut problem.blaster);
    match how {
        Minimised::Optimal => problem.optimal(claim, &path, &executed),
        Minimised::Greedy => problem.greedy(claim, &path, &executed),
        Minimised::None => None,
    }
}

/// The second half of the problem as a weighted MaxSAT instance (the format of 2022: `h` before a hard clause): a violation
/// on one shortest path, with a price of 2^i on bit i of every magnitude. For comparing solvers.
pub fn wcnf(program: &Program, equation: &mut Equation, violated: Term, watch: &Watch) -> Option<String> {
    let executed = equation.executed();
    let mut problem = Problem::new(program, equation, watch);
    let claim = problem.blaster.literal(&problem.equation.terms, violated);
    let path = lengths(problem.equation, &executed, &mut problem.blaster);
    let magnitudes = problem.magnitudes(&executed);
    let length = Objective::Weighted(path.clone());
    let limits = problem.limits();
    let found = optimise::minimise(&mut problem.blaster.solver, &[claim], &length, None, &limits, &mut |_, _| {});
    let hard = problem.blaster.solver.to_dimacs(&fixed_path(claim, &path, &found.model?))?;
    let mut text = String::new();
    for line in hard.lines().filter(|line| !line.starts_with(['p', 'c'])) {
        text += &format!("h {line}\n");
    }
    let Objective::Sum(numbers) = sum_of(&magnitudes) else { return None };
    for (i, bit) in numbers.iter().flat_map(|bits| bits.iter().enumerate()).filter(|(_, bit)| !bit.is_constant()) {
        text += &format!("{} {} 0\n", 1u128 << i, (!*bit).dimacs());
    }
    Some(text)
}

/// How many counted statements each path condition controls.
fn lengths(equation: &Equation, executed: &[Term], blaster: &mut Blaster) -> Vec<(Lit, u64)> {
    let mut weights: HashMap<Lit, u64> = HashMap::new();
    let mut order = Vec::new();
    for (step, executed) in equation.steps.iter().zip(executed) {
        // Whether an input is executed is asked of models later, so its literal must be part of them.
        let literal = match step.kind {
            StepKind::Phi { .. } | StepKind::Claim { .. } | StepKind::Assume { .. } | StepKind::Return { .. } => {
                continue;
            }
            _ => blaster.literal(&equation.terms, *executed),
        };
        if matches!(step.kind, StepKind::Guard { .. } | StepKind::Branch | StepKind::Assign { .. }) {
            let weight = weights.entry(literal).or_insert_with(|| {
                order.push(literal);
                0
            });
            *weight += 1;
        }
    }
    order.into_iter().map(|literal| (literal, weights[&literal])).collect()
}

/// A value that counts.
struct Magnitude {
    /// Bits of |x| but for the one that is added for a negative number.
    bits: Vec<Lit>,
    /// The sign, constant false for unsigned types.
    sign: Lit,
}

struct Problem<'a> {
    program: &'a Program,
    equation: &'a mut Equation,
    blaster: Blaster,
    watch: &'a Watch,
    tries: u64,
}

impl<'a> Problem<'a> {
    fn new(program: &'a Program, equation: &'a mut Equation, watch: &'a Watch) -> Problem<'a> {
        let mut blaster = Blaster::new();
        blaster.solver.expect_many_calls();
        blaster.solver.record_clauses();
        blaster.solver.set_stop(watch.stop.clone());
        blaster.solver.set_deadline(watch.deadline);
        for variable in &equation.variables {
            if let Some(definition) = variable.definition {
                blaster.define(&equation.terms, variable.symbol, definition);
            }
        }
        Problem { program, equation, blaster, watch, tries: 0 }
    }

    /// 1 for a small instance, more for a large one.
    fn largeness(&self) -> u64 {
        self.blaster.solver.stats().clauses / LARGE + 1
    }

    fn limits(&self) -> optimise::Limits {
        optimise::Limits {
            conflicts: Some(MOST_CONFLICTS / self.largeness()),
            stop: Some(self.watch.stop.clone()),
            deadline: self.watch.deadline,
        }
    }

    fn optimal(&mut self, claim: Lit, path: &[(Lit, u64)], executed: &[Term]) -> Option<Small> {
        let magnitudes = self.magnitudes(executed);
        let limits = self.limits();
        let length = Objective::Weighted(path.to_vec());
        let sum = sum_of(&magnitudes);
        let negative = Objective::Weighted(magnitudes.iter().map(|m| (m.sign, 1)).collect());
        let mut ignore = |_, _, _| {};
        let solver = &mut self.blaster.solver;
        let first =
            optimise::minimise_in_order(solver, &[claim], std::slice::from_ref(&length), None, &limits, &mut ignore);
        let short = first.optima.into_iter().next()?;
        // On one shortest path small values are found fast; that is where the search over all of them begins.
        let warm = self.squeeze(&magnitudes, fixed_path(claim, path, short.model.as_ref()?), short.model?);
        let assumptions: Vec<Lit> = std::iter::once(claim).chain(first.kept).collect();
        let solver = &mut self.blaster.solver;
        let found = optimise::minimise_in_order(
            solver,
            &assumptions,
            &[sum.clone(), negative],
            Some(&|lit| warm.value(lit)),
            &limits,
            &mut ignore,
        );
        let best = found.optima.iter().rev().find_map(|optimum| optimum.model.clone()).unwrap_or(warm);
        let solver = &self.blaster.solver;
        let at_least = |kept: &[(&Objective, u128)], objective: &Objective, bound: u128| {
            optimise::proves_lower_bound(solver, &[claim], kept, objective, bound, &limits) == Proof::Proved
        };
        let proved = short.proved
            && found.optima.first().is_some_and(|least| least.proved)
            && at_least(&[], &length, short.upper)
            && at_least(&[(&length, short.upper)], &sum, sum.cost(|lit| best.value(lit)));
        Some(self.small(path, &best, &sum, proved))
    }

    fn greedy(&mut self, claim: Lit, path: &[(Lit, u64)], executed: &[Term]) -> Option<Small> {
        let magnitudes = self.magnitudes(executed);
        let mut fixed = vec![claim];
        let mut model = self.solve(&fixed)?;
        let mut heaviest = path.to_vec();
        heaviest.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        for (literal, _) in heaviest {
            self.try_false(literal, &mut fixed, &mut model);
        }
        let model = self.squeeze(&magnitudes, fixed_path(claim, path, &model), model);
        Some(self.small(path, &model, &sum_of(&magnitudes), false))
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

    /// The integers that are assigned or read as inputs, each 0 where it is not executed.
    fn magnitudes(&mut self, executed: &[Term]) -> Vec<Magnitude> {
        let mut values: Vec<(TypeId, Term)> = Vec::new();
        for (step, executed) in self.equation.steps.iter().zip(executed) {
            let (ty, value) = match step.kind {
                StepKind::Call { variable, value, .. } | StepKind::Content { variable, value, .. } => {
                    (self.equation.variables[variable.0 as usize].ty, value)
                }
                StepKind::Assign { ty, value, .. } => (ty, value),
                _ => continue,
            };
            if is_integer(self.program, ty) {
                let zero = self.equation.terms.constant(self.equation.terms.width(value), 0);
                values.push((ty, self.equation.terms.ite(*executed, value, zero)));
            }
        }
        values
            .into_iter()
            .map(|(ty, value)| {
                let mut bits = self.blaster.bits(&self.equation.terms, value);
                if !self.program.is_signed(ty) {
                    return Magnitude { bits, sign: Lit::FALSE };
                }
                // |x| is x xor its sign, plus its sign.
                let sign = bits.pop().expect("at least one bit");
                let width = self.equation.terms.width(value);
                let negative = self.equation.terms.extract(value, width - 1, width - 1);
                let mask = self.equation.terms.sext(negative, width);
                let folded = self.equation.terms.xor(value, mask);
                let mut bits = self.blaster.bits(&self.equation.terms, folded);
                bits.pop();
                Magnitude { bits, sign }
            })
            .collect()
    }

    fn small(&self, path: &[(Lit, u64)], model: &Model, sum: &Objective, proved: bool) -> Small {
        let value = |lit: Lit| model.value(lit);
        let length = Objective::Weighted(path.to_vec()).cost(value) as u64 + 1;
        let assignment = self.blaster.assignment_of(&self.equation.terms, model);
        let mut evaluator = nearmiss_logic::eval::Evaluator::new(&self.equation.terms, &assignment);
        Small { inputs: self.equation.inputs(&mut evaluator), length, sum: sum.cost(value), proved }
    }
}

/// The sum of all magnitudes.
fn sum_of(magnitudes: &[Magnitude]) -> Objective {
    let numbers = magnitudes.iter().flat_map(|m| [m.bits.clone(), vec![m.sign]]);
    Objective::Sum(numbers.filter(|bits| bits.iter().any(|bit| *bit != Lit::FALSE)).collect())
}

/// The claim, and every path condition as in the model.
fn fixed_path(claim: Lit, path: &[(Lit, u64)], model: &Model) -> Vec<Lit> {
    let sides = path.iter().filter(|(literal, _)| !literal.is_constant());
    std::iter::once(claim).chain(sides.map(|(literal, _)| literal.negate_if(!model.value(*literal)))).collect()
}

fn is_integer(program: &Program, ty: TypeId) -> bool {
    matches!(program.ty(ty), Type::Integer { .. } | Type::Enum { .. } | Type::Bool)
}
