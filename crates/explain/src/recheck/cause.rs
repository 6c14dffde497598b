//! A cause checked again from its definition (Groce, Chaki, Kroening, Strichman, "Error explanation with distance
//! metrics", definition 1), one at a time, in a solver that the search does not know.
//!
//! The search counts differences in unary and knows all causes at once. Here the distance is a number, added up by
//! terms, how an execution ends is decided from its last step to its first, and only one relation is known. Of the run that was
//! found, evaluating must confirm that it passes without it at the distance given; and there must be no failing run without it
//! at that distance or nearer. Without it means that a run sets all of its values, and that it is false of them.

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::Assignment;
use nearmiss_logic::sat::Outcome;
use nearmiss_logic::term::Term;

use crate::compared::{Counted, Relation};
use crate::equation::{ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::ClaimId;

/// How an execution ends, as a number of two bits.
const PASSES: u128 = 0;
const FAILS: u128 = 1;
/// An assumption is not met, or nothing is known beyond.
const EXCLUDED: u128 = 2;
/// A claim is violated that is not asked about.
const FAILS_OTHERWISE: u128 = 3;

/// The equation in a solver of its own, for all causes one after the other.
pub struct Recheck<'a> {
    equation: &'a mut Equation,
    failing: &'a Execution,
    counted: &'a [Counted],
    far: Term,
    passes: Term,
    blaster: Blaster,
}

impl<'a> Recheck<'a> {
    /// What is the same for every relation. A run fails that violates some claim, or this one.
    pub fn of(
        equation: &'a mut Equation,
        failing: &'a Execution,
        counted: &'a [Counted],
        only: Option<ClaimId>,
        stop: &Stop,
    ) -> Result<Recheck<'a>, String> {
        let end = end(equation, only);
        let far = far(equation, counted, failing);
        let terms = &mut equation.terms;
        let mut ends_with = |how: u128| {
            let code = terms.constant(2, how);
            terms.eq(end, code)
        };
        let (passes, fails) = (ends_with(PASSES), ends_with(FAILS));
        if !failing.evaluator(equation).holds(fails) {
            return Err("the failing run does not fail".to_owned());
        }
        let mut blaster = Blaster::new();
        blaster.solver.set_stop(stop.clone());
        blaster.solver.expect_many_calls();
        for variable in &equation.variables {
            if let Some(definition) = variable.definition {
                blaster.define(&equation.terms, variable.symbol, definition);
            }
        }
        blaster.assert(&equation.terms, fails);
        Ok(Recheck { equation, failing, counted, far, passes, blaster })
    }

    /// Is the relation a cause, with this passing run without it at this distance? False: there was no time to find out.
    pub fn is_cause(&mut self, relation: &Relation, passing: &Assignment, distance: u64) -> Result<bool, String> {
        let Recheck { equation, failing, counted, far, passes, blaster } = self;
        let ways = ways(equation, failing, relation);
        let is_set = |run: &Execution| ways.iter().all(|way| run.meets(equation, *way));
        if !is_set(failing) || !failing.evaluator(equation).holds(relation.term) {
            return Err("it does not hold in the failing run".to_owned());
        }
        let other = Execution::of_assignment(equation, passing);
        let differences = super::distance(equation, counted, [failing, &other]);
        let is_without = is_set(&other) && !other.evaluator(equation).holds(relation.term);
        if other.failed.is_some() || differences > distance || !is_without || !other.evaluator(equation).holds(*passes)
        {
            return Err("the run that should pass without it does not do so when it is evaluated".to_owned());
        }
        let limit = equation.terms.constant(equation.terms.width(*far), u128::from(distance));
        let near = equation.terms.ule(*far, limit);
        let mut assumed = vec![!blaster.literal(&equation.terms, relation.term)];
        assumed.extend(ways.iter().chain([&near]).map(|term| blaster.literal(&equation.terms, *term)));
        match blaster.solver.solve(&assumed) {
            Outcome::Sat => Err(format!("a run without it fails at distance {distance} or nearer")),
            Outcome::Interrupted => Ok(false),
            Outcome::Unsat => Ok(true),
        }
    }
}

/// What must hold of a run that sets all values of a relation: it takes the way to each of them, and nothing ends it before.
fn ways(equation: &mut Equation, failing: &Execution, relation: &Relation) -> Vec<Term> {
    // The failing run may have violated claims that nobody asked about.
    let mut held = equation.held();
    held.retain(|(_, held)| failing.meets(equation, *held));
    let mut ways = Vec::with_capacity(relation.set_at.len());
    for places in &relation.set_at {
        let mut nowhere = equation.terms.tru();
        for (step, guard) in places {
            let before: Vec<Term> = held.iter().filter(|(index, _)| index < step).map(|(_, held)| *held).collect();
            let alive = equation.terms.and_all(&before);
            let there = equation.terms.and(alive, *guard);
            let not_there = equation.terms.not(there);
            nowhere = equation.terms.and(nowhere, not_there);
        }
        ways.push(equation.terms.not(nowhere));
    }
    ways
}

/// How an execution ends: the first step that does not hold decides.
fn end(equation: &mut Equation, only: Option<ClaimId>) -> Term {
    let mut end = equation.terms.constant(2, PASSES);
    for (index, held) in equation.held().into_iter().rev() {
        let code = match equation.steps[index].kind {
            StepKind::Claim { claim: ClaimRef::Program(of), .. } if only.is_none_or(|only| only == of) => FAILS,
            StepKind::Claim { claim: ClaimRef::Program(_), .. } => FAILS_OTHERWISE,
            _ => EXCLUDED,
        };
        let otherwise = equation.terms.constant(2, code);
        end = equation.terms.ite(held, end, otherwise);
    }
    end
}

/// The distance from the failing run, as a number wide enough for it.
fn far(equation: &mut Equation, counted: &[Counted], failing: &Execution) -> Term {
    let width = usize::BITS - counted.len().leading_zeros() + 1;
    let mut numbers: Vec<Term> = (counted.iter())
        .map(|counted| {
            let costs = costs(equation, counted, failing);
            equation.terms.zext(costs, width)
        })
        .collect();
    while numbers.len() > 1 {
        let sums = numbers.chunks(2).map(|pair| match *pair {
            [a, b] => equation.terms.add(a, b),
            _ => pair[0],
        });
        numbers = sums.collect();
    }
    numbers.pop().unwrap_or_else(|| equation.terms.constant(width, 0))
}

/// Does a variable count? By the words of the definition, for each way in which the two runs may take its turn.
fn costs(equation: &mut Equation, counted: &Counted, failing: &Execution) -> Term {
    let symbol = equation.symbol(counted.variable);
    let old = equation.terms.constant(equation.terms.width(symbol), failing.value(counted.variable));
    let mut differs = equation.terms.ne(symbol, old);
    if let Some(unchanged) = counted.unchanged {
        let stays = failing.evaluator(equation).value(unchanged);
        let stays = equation.terms.constant(1, stays);
        let both = equation.terms.and(stays, unchanged);
        let not_both = equation.terms.not(both);
        differs = equation.terms.and(differs, not_both);
    }
    let Some(theirs) = counted.taken else { return differs };
    let own = failing.evaluator(equation).holds(theirs);
    let step = &equation.steps[counted.step];
    let (executed, is_join) = (step.guard, matches!(step.kind, StepKind::Phi { .. }));
    let own_step = failing.evaluator(equation).holds(executed);
    let only_own = equation.terms.constant(1, u128::from(own && !is_join && own_step));
    let only_theirs = if is_join { equation.terms.fals() } else { executed };
    match own {
        true => equation.terms.ite(theirs, differs, only_own),
        false => equation.terms.and(theirs, only_theirs),
    }
}
