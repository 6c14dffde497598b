//! The nearest passing run of the abstract program, and whether it is one of the program's (Chaki, Groce, Strichman,
//! "Explaining abstract counterexamples", section 5).
//!
//! A run that the program cannot take is *spurious*: the parts of it that contradict each other are excluded, and the
//! search goes on. Every such exclusion leaves all runs of the program in, so the distance that is found in the end is
//! that of the nearest run of the program. After a fixed number of spurious runs the rest is left to the equation itself,
//! to which the loop would come in the limit.

use nearmiss_logic::optimise::{self, Objective, Optimum};
use nearmiss_logic::sat::{Lit, Outcome};
use nearmiss_logic::term::Term;

use super::abstraction::{Abstraction, Point, Truth};
use super::path::{Part, Path, Reality, Verdict};
use crate::equation::{Equation, StepKind};
use crate::execution::Execution;
use nearmiss_logic::stop::Stop;

/// So many spurious runs are excluded one by one.
const MOST_SPURIOUS: usize = 30;
/// So many conflicts are spent on one nearest run.
const MOST_CONFLICTS: u64 = 50_000;

/// What runs are compared with, and by what.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// The failing run.
    pub failing: &'a Execution,
    /// The step of the claim that it violates.
    pub claim: usize,
    /// The moments.
    pub points: &'a [Point],
    /// The truths of predicates there.
    pub truths: &'a [Truth],
}

/// What is known of the nearest passing run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// None is nearer than this, if there is any.
    pub lower_bound: u64,
    /// What came of it.
    pub end: End,
    /// How many spurious runs were excluded on the way.
    pub spurious: usize,
}

/// How the search for the nearest run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The nearest passing run of the abstract program is one of the program's.
    Real,
    /// No run of the abstract program passes, hence none of the program's.
    None,
    /// Too many were spurious; the rest is left to the equation.
    Left,
    /// Time was over.
    Time,
}

/// The truths that a distance counts: those that can be seen before the claim.
pub fn counted(points: &[Point], claim: usize) -> Vec<usize> {
    let before = points.iter().filter(|point| point.step <= claim);
    let mut counted: Vec<usize> = before.flat_map(|point| point.tracked.iter().copied()).collect();
    counted.sort_unstable();
    counted.dedup();
    counted
}

/// What differs from the failing run: branches before the claim, and truths of predicates.
fn distance(equation: &Equation, abstraction: &mut Abstraction, run: &Compared<'_>) -> Objective {
    let mut prices = Vec::new();
    for step in &equation.steps[..run.claim] {
        if let StepKind::Guard { variable, .. } = step.kind {
            let literal = abstraction.blaster.literal(&equation.terms, equation.symbol(variable));
            prices.push((literal.negate_if(run.failing.value(variable) == 1), 1));
        }
    }
    let mut evaluator = run.failing.evaluator(equation);
    for truth in counted(run.points, run.claim) {
        let literal = abstraction.literal(equation, truth);
        prices.push((literal.negate_if(evaluator.holds(run.truths[truth].term)), 1));
    }
    Objective::Weighted(prices.into_iter().filter(|(literal, _)| *literal != Lit::FALSE).collect())
}

/// The cheapest run of the abstract program that passes and keeps what is to be kept.
pub fn cheapest(
    equation: &Equation,
    abstraction: &mut Abstraction,
    run: &Compared<'_>,
    conflicts: u64,
    stop: &Stop,
) -> Optimum {
    let passes: Vec<Lit> = abstraction.held.iter().map(|(_, held)| *held).chain(abstraction.kept.clone()).collect();
    let distance = distance(equation, abstraction, run);
    let limits = optimise::Limits { conflicts: Some(conflicts), stop: stop.clone() };
    optimise::minimise(&mut abstraction.blaster.solver, &passes, &distance, None, &limits, &mut |_, _| {})
}

/// How near the nearest passing run is, found on the abstract program. `kept`: what it must have in common with the
/// failing one, each with the step at which that is decided.
pub fn nearest(equation: &mut Equation, run: &Compared<'_>, kept: &[(usize, Term)], stop: &Stop) -> Known {
    let mut abstraction = Abstraction::new(equation, run.points, run.truths, kept, stop);
    let mut reality = Reality::new(equation, stop);
    let mut lower_bound = 0;
    // What a distance counts is there in every run, be it executed or not.
    let counted = counted(run.points, run.claim);
    for spurious in 0..MOST_SPURIOUS {
        let known = |end: End, lower_bound: u64| Known { lower_bound, end, spurious };
        let found = cheapest(equation, &mut abstraction, run, MOST_CONFLICTS, stop);
        let model = match (found.outcome, found.model) {
            (Outcome::Unsat, _) => return known(End::None, lower_bound),
            (Outcome::Sat, Some(model)) => model,
            _ => return known(End::Time, lower_bound),
        };
        lower_bound = found.lower as u64;
        let path = Path::of(equation, &mut abstraction, &model, None);
        let values = abstraction.values(equation, &model);
        let given: Vec<(usize, bool)> = counted.iter().map(|truth| (*truth, values[*truth])).collect();
        let parts = path.parts(equation, run.truths, &given, kept);
        let core = match reality.judge(equation, &parts) {
            Verdict::Possible => return known(End::Real, lower_bound),
            Verdict::Unknown => return known(End::Time, lower_bound),
            Verdict::Impossible(core) => core,
        };
        let mut clause = Vec::new();
        for part in core {
            let literal = match part {
                Part::Branch(step) => match equation.steps[step].kind {
                    StepKind::Guard { variable, .. } => {
                        let symbol = equation.symbol(variable);
                        let literal = abstraction.blaster.literal(&equation.terms, symbol);
                        literal.negate_if(path.taken[&symbol])
                    }
                    _ => continue,
                },
                Part::Truth(truth) => abstraction.literal(equation, truth).negate_if(values[truth]),
                // These hold in every run that is looked for.
                Part::Held(_) | Part::Kept(_) => continue,
            };
            clause.push(literal);
        }
        abstraction.blaster.solver.add_clause(&clause);
    }
    Known { lower_bound, end: End::Left, spurious: MOST_SPURIOUS }
}
