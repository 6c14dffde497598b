//! A failing run that agrees with a witness that leaves inputs open.
//!
//! The facts become waypoints over the steps of the equation: for each, the term that it and all before it were passed.
//! Passing happens at a step of its line that is executed and at which its condition holds; a variable has there the value
//! of the last assignment before it that was executed. The solver is then asked for an execution that violates the claim and
//! has passed all waypoints; where there is none, for the longest part of them that some failing run passes. The bounds
//! grow as they do in `check`. Cost: terms for each waypoint and each step of its line.

use std::collections::HashMap;

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::sat::Outcome as Answer;
use nearmiss_logic::term::{Term, Terms};

use super::bits_of;
use super::disagreement::same_file;
use crate::check::CheckOptions;
use crate::equation::{ClaimRef, Equation, StepKind};
use crate::imported::{Comparison, Fact, ImportedRun, Operator, What, When};
use crate::method::encode;
use crate::symex::{self};
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::{Program, Type, TypeId};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::Sources;

/// So often are loops given more room.
const MOST_ROUNDS: usize = 12;
/// Of more waypoints no search is made.
const MOST_WAYPOINTS: usize = 5_000;
/// So many waypoints are looked at one by one where no run passes all.
const MOST_PREFIXES: usize = 200;

/// What came of the search.
pub(super) enum Completed {
    /// A failing run.
    Inputs(Inputs),
    /// There is none within the bounds that were tried; the first fact with which no failing run agrees, if that is known.
    Nothing { agrees_up_to: Option<usize> },
    /// The time is over.
    Unknown,
}

pub(super) fn search(
    program: &Program,
    sources: &Sources,
    imported_run: &ImportedRun,
    options: &CheckOptions,
) -> Completed {
    let stop = options.stop.clone();
    let mut bounds = options.initial_bounds();
    let mut last = Completed::Unknown;
    for _ in 0..MOST_ROUNDS {
        let Ok(mut equation) = symex::unwind(program, &bounds, &stop) else { return Completed::Unknown };
        let mut question =
            Question { program, sources, imported_run, equation: &mut equation, setters: HashMap::new() };
        last = question.ask(&stop);
        if !matches!(last, Completed::Nothing { .. }) {
            return last;
        }
        let more: Vec<_> = equation.bounds_hit.iter().filter(|(bound, ..)| bounds.may_grow(bound)).collect();
        if more.is_empty() {
            return last;
        }
        for (bound, ..) in more {
            bounds.grow(bound);
        }
    }
    last
}

/// Gives a variable a value: in which step, when, and which.
#[derive(Clone, Copy)]
struct Setter {
    step: usize,
    guard: Term,
    value: Term,
    ty: TypeId,
    /// Contents that are first read here were there before.
    before: bool,
}

struct Question<'a> {
    program: &'a Program,
    sources: &'a Sources,
    imported_run: &'a ImportedRun,
    equation: &'a mut Equation,
    /// By function, or none for globals, and name.
    setters: HashMap<(Option<String>, String), Vec<Setter>>,
}

impl Question<'_> {
    fn ask(&mut self, stop: &Stop) -> Completed {
        self.collect_setters();
        let lines: Vec<(u32, String)> = self
            .equation
            .steps
            .iter()
            .map(|step| self.sources.position(step.span))
            .map(|at| (at.line, at.file))
            .collect();
        // What no step can bear out says nothing.
        let facts: Vec<(usize, &Fact)> = (self.imported_run.facts.iter().enumerate())
            .filter(|(_, fact)| match &fact.what {
                // What has unions in it has values that no assignment of that name gave.
                What::Value(name, _) => !self.has_union(name),
                What::Result(..) | What::Branch(_) | What::Held(..) => true,
                _ => false,
            })
            .filter(|(_, fact)| {
                let mut steps = lines.iter().enumerate().filter(|(_, (line, file))| is_there(fact, *line, file));
                steps.any(|(step, _)| self.is_in(fact, step) && self.can_bear_out(fact, step))
            })
            .collect();
        if facts.len() > MOST_WAYPOINTS {
            return Completed::Nothing { agrees_up_to: None };
        }
        let ways = self.ways(&facts, &lines);
        let mut blaster = Blaster::new();
        blaster.solver.set_stop(stop.clone());
        encode::define(&mut blaster, self.equation);
        self.prefer_small_inputs(&mut blaster);
        match self.some_run(&mut blaster, &ways[facts.len()]) {
            Some(Some(model)) => {
                let mut evaluator = Evaluator::new(&self.equation.terms, &model);
                return Completed::Inputs(self.equation.inputs(&mut evaluator));
            }
            Some(None) => {}
            None => return Completed::Unknown,
        }
        if facts.len() > MOST_PREFIXES {
            return Completed::Nothing { agrees_up_to: None };
        }
        // The longest part that some failing run passes, by bisection: what passes more passes less.
        let (mut passed, mut failed) = (None, facts.len());
        let mut low = 0;
        while low < failed {
            let middle = low.midpoint(failed);
            match self.some_run(&mut blaster, &ways[middle]) {
                Some(Some(_)) => {
                    passed = Some(middle);
                    low = middle + 1;
                }
                Some(None) => failed = middle,
                None => return Completed::Unknown,
            }
        }
        Completed::Nothing { agrees_up_to: passed.and_then(|passed| facts.get(passed)).map(|(number, _)| *number) }
    }

    /// Some execution in which one of these holds; the outer none: interrupted.
    fn some_run(&mut self, blaster: &mut Blaster, ways: &[Term]) -> Option<Option<Assignment>> {
        let any = self.equation.terms.or_all(ways);
        if self.equation.terms.is_false(any) {
            return Some(None);
        }
        let literal = blaster.literal(&self.equation.terms, any);
        match blaster.solver.solve(&[literal]) {
            Answer::Sat => Some(Some(blaster.assignment(&self.equation.terms))),
            Answer::Unsat => Some(None),
            Answer::Interrupted => None,
        }
    }

    /// Where the solver is free, inputs are 0.
    fn prefer_small_inputs(&self, blaster: &mut Blaster) {
        for variable in self.equation.variables.iter().filter(|variable| variable.definition.is_none()) {
            for bit in blaster.bits(&self.equation.terms, variable.symbol) {
                if !bit.is_constant() {
                    blaster.solver.set_phase(!bit);
                }
            }
        }
    }

    fn collect_setters(&mut self) {
        for (step, at) in self.equation.steps.iter().enumerate() {
            let (name, ty, value, before) = match &at.kind {
                StepKind::Assign { name, ty, value, .. } => (name.to_string(), *ty, *value, false),
                StepKind::Call { value, site, .. } => {
                    let site = &self.program.sites[site.index()];
                    (site.name.clone(), site.ty, *value, false)
                }
                StepKind::Content { variable, value, .. } => {
                    let variable = &self.equation.variables[variable.0 as usize];
                    (variable.name.to_string(), variable.ty, *value, true)
                }
                _ => continue,
            };
            let scope = self.scope(&self.program.function(at.function).name, &name);
            let setter = Setter { step, guard: at.guard, value, ty, before };
            self.setters.entry((scope, name)).or_default().push(setter);
        }
    }

    /// Whether a variable of that name has a union in it.
    fn has_union(&self, name: &str) -> bool {
        let base = name.split(['.', '[', '-']).next().unwrap_or(name);
        let locals = self.program.functions.iter().flat_map(|function| &function.locals);
        let locals = locals.map(|local| (local.name.as_str(), local.ty));
        let mut all = locals.chain(self.program.globals.iter().map(|global| (global.name.as_str(), global.ty)));
        all.any(|(own, ty)| own == base && self.program.has_union(ty))
    }

    fn scope(&self, function: &str, name: &str) -> Option<String> {
        let base = name.split(['.', '[', '-']).next().unwrap_or(name);
        let is_global = self.program.globals.iter().any(|global| global.name == base);
        (!is_global).then(|| function.to_owned())
    }

    /// For each number of facts, the ways to violate a claim after having passed so many.
    fn ways(&mut self, facts: &[(usize, &Fact)], lines: &[(u32, String)]) -> Vec<Vec<Term>> {
        let wanted = self.wanted_claims();
        let prefixes = facts.len() <= MOST_PREFIXES;
        let mut ways: Vec<Vec<Term>> = vec![Vec::new(); facts.len() + 1];
        let mut passed = vec![self.equation.terms.fals(); facts.len() + 1];
        passed[0] = self.equation.terms.tru();
        let mut by_line: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, (_, fact)) in facts.iter().enumerate() {
            by_line.entry(fact.line.unwrap_or(0)).or_default().push(index);
        }
        let mut alive = self.equation.terms.tru();
        for (step, (line, file)) in lines.iter().enumerate() {
            let guard = self.equation.steps[step].guard;
            // Where paths meet nothing is executed.
            if matches!(self.equation.steps[step].kind, StepKind::Phi { .. }) {
                continue;
            }
            let before = by_line.get(line).map(|_| passed.clone());
            for &index in by_line.get(line).into_iter().flatten() {
                let fact = facts[index].1;
                if !is_there(fact, *line, file) || !self.is_in(fact, step) {
                    continue;
                }
                let Some(condition) = self.condition(fact, step) else { continue };
                // One step bears out one event, but any number of conditions.
                let event = |fact: &Fact| !matches!(fact.what, What::Held(..));
                // What a variable gets is the result that was told before it.
                let is_result = |earlier: &Fact| {
                    matches!((&earlier.what, &fact.what), (What::Result(..), What::Value(..)))
                        && earlier.line == fact.line
                };
                let is_second_event =
                    index > 0 && event(fact) && event(facts[index - 1].1) && !is_result(facts[index - 1].1);
                let earlier = if is_second_event {
                    before.as_ref().map_or(passed[index], |before| before[index])
                } else {
                    passed[index]
                };
                let terms = &mut self.equation.terms;
                let now = terms.and_all(&[alive, guard, earlier, condition]);
                passed[index + 1] = terms.or(passed[index + 1], now);
            }
            let kind = &self.equation.steps[step].kind;
            let (condition, claim) = match *kind {
                StepKind::Assume { condition } => (condition, None),
                StepKind::Claim { claim, condition, .. } => (condition, Some(claim)),
                _ => continue,
            };
            let terms = &mut self.equation.terms;
            let held = terms.implies(guard, condition);
            let violated = terms.not(held);
            if let Some(ClaimRef::Program(id)) = claim
                && wanted.as_ref().is_none_or(|wanted| wanted.contains(&id.index()))
            {
                for (number, ways) in ways.iter_mut().enumerate() {
                    if prefixes || number == facts.len() {
                        ways.push(terms.and_all(&[alive, violated, passed[number]]));
                    }
                }
            }
            alive = terms.and(alive, held);
        }
        ways
    }

    /// The claims in the line that the witness names; none if it names none, or one of a called function.
    fn wanted_claims(&self) -> Option<Vec<usize>> {
        let failure = self.imported_run.failure.as_ref()?;
        let line = failure.line?;
        let there = self.program.claims.iter().enumerate().filter(|(_, claim)| {
            let at = self.sources.position(claim.span);
            at.line == line && same_file(failure.file.as_deref(), &at.file)
        });
        let there: Vec<usize> = there.map(|(index, _)| index).collect();
        (!there.is_empty()).then_some(there)
    }

    fn is_in(&self, fact: &Fact, step: usize) -> bool {
        let function = &self.program.function(self.equation.steps[step].function).name;
        fact.function.as_deref().is_none_or(|told| told == function)
    }

    /// Whether a step of its line is of a kind that may bear out a fact.
    fn can_bear_out(&self, fact: &Fact, step: usize) -> bool {
        let kind = &self.equation.steps[step].kind;
        match &fact.what {
            What::Value(name, _) => self.sets(step, name),
            What::Result(callee, _) => self.calls(step, callee.as_deref()),
            What::Branch(_) => matches!(kind, StepKind::Guard { .. } | StepKind::Branch { .. }),
            What::Held(comparisons, _) => comparisons.iter().all(|comparison| {
                let own = &self.program.function(self.equation.steps[step].function).name;
                let scope = self.scope(fact.function.as_deref().unwrap_or(own), &comparison.name);
                match comparison.name.as_str() {
                    "\\result" => matches!(kind, StepKind::Call { .. }),
                    name => self.setters.contains_key(&(scope, name.to_owned())),
                }
            }),
            _ => false,
        }
    }

    /// Whether a step is an input by a call, of this function if one is told.
    fn calls(&self, step: usize, callee: Option<&str>) -> bool {
        let StepKind::Call { site, .. } = &self.equation.steps[step].kind else { return false };
        let site = &self.program.sites[site.index()];
        let text = self.sources.text(site.span);
        callee.is_none_or(|callee| text.contains(callee) || site.name.contains(callee))
    }

    /// Whether a step gives a value to a name.
    fn sets(&self, step: usize, name: &str) -> bool {
        match &self.equation.steps[step].kind {
            StepKind::Assign { name: own, .. } => **own == *name,
            StepKind::Call { site, .. } => self.program.sites[site.index()].name == name,
            _ => false,
        }
    }

    /// When a step bears out a fact of its line; none if it never does.
    fn condition(&mut self, fact: &Fact, step: usize) -> Option<Term> {
        let equal = |name: &str, value: &str| Comparison {
            name: name.to_owned(),
            operator: Operator::Equal,
            value: value.to_owned(),
        };
        match &fact.what {
            What::Branch(taken) => match self.equation.steps[step].kind {
                StepKind::Guard { condition, .. } => {
                    Some(if *taken { condition } else { self.equation.terms.not(condition) })
                }
                StepKind::Branch { taken: way } => Some(self.equation.terms.bool(way == *taken)),
                _ => None,
            },
            What::Result(callee, _) if !self.calls(step, callee.as_deref()) => None,
            What::Result(_, value) => self.result(&equal("\\result", value), step),
            What::Value(name, value) => {
                if !self.sets(step, name) {
                    return None;
                }
                self.comparison(fact, &equal(name, value), step, When::After)
            }
            What::Held(comparisons, when) => {
                let mut all = self.equation.terms.tru();
                for comparison in comparisons {
                    let one = match comparison.name.as_str() {
                        "\\result" => self.result(comparison, step)?,
                        _ => self.comparison(fact, comparison, step, *when)?,
                    };
                    all = self.equation.terms.and(all, one);
                }
                Some(all)
            }
            _ => None,
        }
    }

    fn result(&mut self, comparison: &Comparison, step: usize) -> Option<Term> {
        let StepKind::Call { value, site, .. } = self.equation.steps[step].kind else { return None };
        let ty = self.program.sites[site.index()].ty;
        compared(&mut self.equation.terms, self.program, ty, value, comparison)
    }

    /// A comparison of what the variable is before or after a step.
    fn comparison(&mut self, fact: &Fact, comparison: &Comparison, step: usize, when: When) -> Option<Term> {
        let own = &self.program.function(self.equation.steps[step].function).name;
        let scope = self.scope(fact.function.as_deref().unwrap_or(own), &comparison.name);
        let setters = self.setters.get(&(scope, comparison.name.clone()))?;
        let end = setters.partition_point(|setter| setter.step < step + usize::from(when == When::After));
        // The first of the contents that are read later were there already.
        let start = setters.iter().find(|setter| setter.before);
        let mut value = start.map(|setter| (setter.ty, setter.value));
        for setter in &setters[..end] {
            value = Some(match value {
                Some((ty, old)) if setter.ty == ty => (ty, self.equation.terms.ite(setter.guard, setter.value, old)),
                _ => (setter.ty, setter.value),
            });
        }
        let (ty, value) = value?;
        compared(&mut self.equation.terms, self.program, ty, value, comparison)
    }
}

fn is_there(fact: &Fact, line: u32, file: &str) -> bool {
    fact.line == Some(line) && same_file(fact.file.as_deref(), file)
}

/// A comparison with a constant as a term; none for types that are not ordered numbers.
fn compared(terms: &mut Terms, program: &Program, ty: TypeId, value: Term, comparison: &Comparison) -> Option<Term> {
    let width = terms.width(value);
    let bits = bits_of(program, ty, &comparison.value)?;
    let is_equality = matches!(comparison.operator, Operator::Equal | Operator::Different);
    if width < 128 && bits >> width != 0 || matches!(program.ty(ty), Type::Float { .. } if !is_equality) {
        return None;
    }
    let constant = terms.constant(width, bits);
    let signed = program.is_signed(ty);
    Some(match (comparison.operator, signed) {
        (Operator::Equal, _) => terms.eq(value, constant),
        (Operator::Different, _) => terms.ne(value, constant),
        (Operator::Less, true) => terms.slt(value, constant),
        (Operator::Less, false) => terms.ult(value, constant),
        (Operator::AtMost, true) => terms.sle(value, constant),
        (Operator::AtMost, false) => terms.ule(value, constant),
        (Operator::Greater, true) => terms.sgt(value, constant),
        (Operator::Greater, false) => terms.ugt(value, constant),
        (Operator::AtLeast, true) => terms.sge(value, constant),
        (Operator::AtLeast, false) => terms.uge(value, constant),
    })
}
