//! Differences between two aligned runs, in order of execution, and what is behind each of them.
//!
//! A step that only one run takes is there because some decision went another way: the outermost branch above it that
//! the two runs decide differently. Slicing keeps or drops the step with that branch.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use nearmiss_logic::term::{Node, Term};

use super::Action;
use super::sequence::{Possible, Sequence, returned_text};
use crate::compared::Counted;
use crate::equation::{Equation, StepKind, VariableId};
use crate::execution::Execution;
use crate::explanation::{ASSERTION_FAILURE, Delta, DeltaKind, Executed};
use crate::method::delta::Differences;
use nearmiss_program::program::{Program, Type, TypeId};

/// Two runs side by side.
#[derive(Clone, Debug)]
pub struct Aligned {
    /// What differs.
    pub differences: Differences,
    /// Steps that only one run takes (of the equation), with the decision that makes them so.
    pub decided: HashMap<usize, VariableId>,
}

/// The differences between the failing run and a passing one.
pub fn differences(
    program: &Program,
    equation: &Equation,
    sequence: &Sequence,
    [failing, passing]: [&Execution; 2],
) -> Aligned {
    let (places, alignment) = sequence.align(equation, passing);
    let taken = sequence.taken(equation, passing, &places);
    let mut aligned = Aligned { differences: Differences::default(), decided: HashMap::new() };
    let deciders = Deciders::of(equation, [failing, passing]);
    // The variables of predicates, by what they are.
    let truths: HashMap<Term, VariableId> = (0..)
        .map(VariableId)
        .zip(&equation.variables)
        .filter_map(|(id, variable)| Some((variable.definition?, id)))
        .collect();
    let truth = program.types.iter().position(|ty| *ty == Type::Bool).unwrap_or(0);
    let truth = TypeId(truth as u32);
    let ends = (sequence.failing.len(), places.len());
    let (mut i, mut j) = (0, 0);
    for (next_i, next_j) in alignment.pairs.iter().copied().chain([ends]) {
        let only = (i..next_i).map(|i| (Executed::Failing, i)).chain((j..next_j).map(|j| (Executed::Passing, j)));
        for (executed, number) in only {
            let (possible, run, steps) = match executed {
                Executed::Failing => {
                    let place = sequence.failing_places[number];
                    (&sequence.possible[place], &sequence.failing[number], [Some(number as u32), None])
                }
                _ => (&sequence.possible[places[number]], &taken[number], [None, Some(number as u32)]),
            };
            let decision = deciders.outermost(equation.steps[possible.step].guard);
            aligned.decided.extend(decision.map(|decision| (possible.step, decision)));
            let value = run.components.first().copied().unwrap_or(0);
            // A predicate is not what the step sets.
            let first = possible.components.first().filter(|first| first.kind != DeltaKind::Predicate);
            let (what, ty) = first.map_or(("".into(), truth), |first| (first.what.clone(), first.ty));
            let sides = if executed == Executed::Failing { [value, 0] } else { [0, value] };
            let made = delta(equation, [possible; 2], (DeltaKind::Control, what, ty), executed, sides, steps);
            let own = equation.steps[possible.step].kind.variable();
            let set_at = steps.map(|step| step.map(|_| possible.step));
            aligned.differences.add(made, decision.into_iter().chain(own).collect(), set_at);
        }
        (i, j) = (next_i + 1, next_j + 1);
        if (next_i, next_j) == ends {
            break;
        }
        let steps = [Some(next_i as u32), Some(next_j as u32)];
        let pair = [&sequence.possible[sequence.failing_places[next_i]], &sequence.possible[places[next_j]]];
        let (old, new, set_at) = (&sequence.failing[next_i], &taken[next_j], pair.map(|pair| Some(pair.step)));
        for (number, component) in pair[0].components.iter().enumerate() {
            let sides = [old.components[number], new.components[number]];
            if sides[0] != sides[1] {
                let what = (component.kind, component.what.clone(), component.ty);
                let made = delta(equation, pair, what, told_in(pair, number), sides, steps);
                let own = pair.iter().filter_map(|possible| match component.kind {
                    DeltaKind::Predicate => truths.get(&possible.components[number].term).copied(),
                    _ => equation.steps[possible.step].kind.variable(),
                });
                aligned.differences.add(made, own.collect(), set_at);
            }
        }
        if old.action != new.action {
            let what = (DeltaKind::Action, "".into(), truth);
            let mut made = delta(equation, pair, what, Executed::Both, [1, 0], steps);
            let (texts, behind) = match (old.action, new.action) {
                (Action::Returns(was), Action::Returns(now)) => {
                    let told = |answers| returned_text(program, equation.steps[pair[0].step].function, answers);
                    // What is asked, where it is a predicate, and what is returned.
                    let asked = pair.iter().flat_map(|possible| &possible.asked).filter_map(|term| truths.get(term));
                    let own = pair.iter().filter_map(|possible| equation.steps[possible.step].kind.variable());
                    ([told(was), told(now)], asked.copied().chain(own).collect())
                }
                _ => ([ASSERTION_FAILURE.to_owned(), String::new()], Vec::new()),
            };
            made.texts = Some(texts);
            aligned.differences.add(made, behind, set_at);
        }
    }
    aligned
}

/// In which of the runs something that is compared can be told: in the other it is not looked at.
fn told_in(pair: [&Possible; 2], number: usize) -> Executed {
    match pair.map(|possible| possible.components[number].is_told) {
        [true, false] => Executed::Failing,
        [false, true] => Executed::Passing,
        _ => Executed::Both,
    }
}

fn delta(
    equation: &Equation,
    [possible, other]: [&Possible; 2],
    (kind, what, ty): (DeltaKind, Arc<str>, TypeId),
    executed: Executed,
    [failing, passing]: [u128; 2],
    steps: [Option<u32>; 2],
) -> Delta {
    let step = &equation.steps[possible.step];
    let variable = match kind {
        DeltaKind::Predicate => None,
        _ => step.kind.variable().or(equation.steps[other.step].kind.variable()),
    };
    Delta {
        kind,
        name: variable.map_or_else(|| what.to_string(), |variable| equation.versioned_name(variable)),
        variable: what.to_string(),
        ty,
        failing,
        passing,
        executed,
        meets: false,
        span: step.span,
        passing_span: None,
        function: step.function,
        made_at: vec![(step.function, step.span)],
        trusted: false,
        texts: None,
        steps: Some(steps),
    }
}

/// What slicing may choose between the two runs: inputs, and what the steps of either run set. The second list says with
/// which other choice one goes.
pub fn choices(
    equation: &Equation,
    counted: &[Counted],
    aligned: &Aligned,
    [failing, passing]: [&Execution; 2],
) -> (Vec<Counted>, Vec<Option<usize>>) {
    // Where paths meet nobody takes a step: the value follows. So does everything in code that neither run executes.
    let is_step = |counted: &&Counted| {
        let visible = failing.executed[counted.step] || passing.executed[counted.step];
        counted.kind == DeltaKind::Input
            || (visible && !matches!(equation.steps[counted.step].kind, StepKind::Phi { .. }))
    };
    let chosen: Vec<Counted> = counted.iter().filter(is_step).copied().collect();
    let place: HashMap<VariableId, usize> = chosen.iter().enumerate().map(|(at, c)| (c.variable, at)).collect();
    let with = |(at, counted): (usize, &Counted)| {
        let decision = aligned.decided.get(&counted.step)?;
        place.get(decision).copied().filter(|decision| *decision < at)
    };
    let tied = chosen.iter().enumerate().map(with).collect();
    (chosen, tied)
}

/// The decisions in which two runs differ.
struct Deciders<'a> {
    equation: &'a Equation,
    /// The symbols of decisions, and whether the runs differ in them.
    guards: HashMap<Term, (VariableId, bool)>,
}

impl<'a> Deciders<'a> {
    fn of(equation: &'a Equation, [failing, passing]: [&Execution; 2]) -> Deciders<'a> {
        let guard = |step: &crate::equation::Step| match step.kind {
            StepKind::Guard { variable, .. } => {
                let differs = failing.value(variable) != passing.value(variable);
                Some((equation.symbol(variable), (variable, differs)))
            }
            _ => None,
        };
        Deciders { equation, guards: equation.steps.iter().filter_map(guard).collect() }
    }

    /// The outermost decision above a step that the runs take differently.
    fn outermost(&self, guard: Term) -> Option<VariableId> {
        let mut todo = vec![guard];
        let mut seen = HashSet::new();
        let mut found: Option<VariableId> = None;
        while let Some(term) = todo.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some((variable, differs)) = self.guards.get(&term) {
                if *differs {
                    found = Some(found.map_or(*variable, |before| before.min(*variable)));
                }
                todo.extend(self.equation.variables[variable.0 as usize].definition);
            }
            match self.equation.terms.node(term) {
                Node::And(a, b) => todo.extend([a, b]),
                Node::Not(a) => todo.push(a),
                _ => {}
            }
        }
        found
    }
}
