//! Claims that have little in common are asked for apart, each group of a solver that has not heard of the rest.
//!
//! The idea: ten state machines side by side make ten easy questions, but one hard one. A group is asked whether any run that meets the assumptions
//! violates one of its claims, whatever other claims say. If none does, these claims hold, and nothing more is asked of them. A run that does may have
//! violated another claim before; it is executed, and tells which claim fails. What a group leaves open is asked with all the rest, as if nothing had
//! been asked before.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::question::{Findings, Question, begun};
use crate::equation::{ClaimRef, Equation, StepKind, Variable};
use crate::execution::Execution;
use nearmiss_logic::hash::FxBuild;
use nearmiss_logic::term::{Node, Term};
use nearmiss_program::program::ClaimId;

/// Conflicts for each question about a group.
const GROUP: u64 = 2_000;
/// Conflicts for all groups, one after the other.
const ALL_GROUPS: u64 = 60_000;

impl Question<'_> {
    /// Settles what groups of claims settle.
    pub(super) fn ask_apart(&mut self, wanted: &dyn Fn(ClaimRef) -> bool, findings: &mut Findings) {
        let names = Named::of(self.equation);
        let groups = groups(self.equation, &names, &|claim| wanted(ClaimRef::Program(claim)));
        if groups.len() < 2 {
            return;
        }
        let (mut spent, mut settled) = (0, HashSet::new());
        let mut hard = Vec::new();
        for group in groups {
            if spent >= ALL_GROUPS || self.stop.requested() || self.has_enough(findings) {
                break;
            }
            // What contains a question that was given up is no easier.
            if hard.iter().any(|names| group.names.contains(*names)) {
                continue;
            }
            let alone = begun(self.equation, self.blaster.with_the_same_definitions(), &self.stop);
            let shared = std::mem::replace(&mut self.blaster, alone);
            self.blaster.solver.set_conflict_limit(Some(GROUP));
            match self.ask_group(&group, &names, wanted, findings) {
                Some(held) => settled.extend(held),
                None => hard.push(group.names),
            }
            spent += self.blaster.solver.stats().conflicts;
            self.blaster = shared;
        }
        self.apart += spent;
        self.forget(&settled);
    }

    /// Asks for the claims of a group; those that no run violates. None: given up.
    fn ask_group(
        &mut self,
        group: &Group,
        names: &Named,
        wanted: &dyn Fn(ClaimRef) -> bool,
        findings: &mut Findings,
    ) -> Option<Vec<ClaimId>> {
        let mut open = ways(self.equation, group, names);
        while !open.is_empty() {
            let asked: Vec<Term> = open.iter().map(|(_, way)| *way).collect();
            let Some(model) = self.some_execution(&asked, &[])? else { break };
            let run = Execution::of_assignment(self.equation, &model);
            let violated = run.failed.map(|step| &self.equation.steps[step].kind);
            if let Some(StepKind::Claim { claim: claim @ ClaimRef::Program(id), .. }) = violated
                && wanted(*claim)
            {
                self.found_honestly(*id, &run, findings);
            }
            let mut evaluator = run.evaluator(self.equation);
            let before = open.len();
            open.retain(|(_, way)| !evaluator.holds(*way));
            if open.len() == before {
                return Some(Vec::new());
            }
        }
        Some(open.into_iter().map(|(claim, _)| claim).collect())
    }

    /// A run violates a claim first, and perhaps by no result that was invented.
    fn found_honestly(&mut self, id: ClaimId, run: &Execution, findings: &mut Findings) {
        let way = self.first.iter().find(|(claim, _)| *claim == ClaimRef::Program(id)).map(|(_, way)| *way);
        let is_new = !findings.failing.contains(&id);
        if way.is_some_and(|way| is_new && run.evaluator(self.equation).holds(way)) {
            self.found(id, run.assignment(), findings);
        }
    }
}

/// Claims that depend on nearly the same variables.
struct Group {
    claims: Vec<ClaimId>,
    names: Names,
}

/// A set of names of variables, each a bit. Names beyond so many share one.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Names([u64; 4]);

impl Names {
    fn one(number: usize) -> Names {
        let mut names = Names::default();
        names.0[number / 64 % 4] |= 1 << (number % 64);
        names
    }

    fn join(self, other: Names) -> Names {
        Names(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    fn common(self, other: Names) -> u32 {
        self.0.iter().zip(other.0).map(|(a, b)| (a & b).count_ones()).sum()
    }

    fn contains(self, other: Names) -> bool {
        self.join(other) == self
    }

    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Is more than half of what either has in both?
    fn is_near(self, other: Names) -> bool {
        2 * self.common(other) > self.join(other).count()
    }
}

/// Groups of the claims that some run might violate, in order of their first claims.
fn groups(equation: &Equation, names: &Named, wanted: &dyn Fn(ClaimId) -> bool) -> Vec<Group> {
    let mut of_claims: Vec<(ClaimId, Names)> = Vec::new();
    let mut places: HashMap<ClaimId, usize> = HashMap::new();
    for step in &equation.steps {
        let StepKind::Claim { claim: ClaimRef::Program(claim), condition, .. } = step.kind else { continue };
        if equation.terms.is_true(condition) || !wanted(claim) {
            continue;
        }
        let place = *places.entry(claim).or_insert(of_claims.len());
        if place == of_claims.len() {
            of_claims.push((claim, Names::default()));
        }
        of_claims[place].1 = of_claims[place].1.join(names.of_term(step.guard)).join(names.of_term(condition));
    }
    let mut groups: Vec<Group> = Vec::new();
    for (claim, names) in of_claims {
        match groups.iter_mut().find(|group| group.names.is_near(names)) {
            Some(group) => {
                group.claims.push(claim);
                group.names = group.names.join(names);
            }
            None => groups.push(Group { claims: vec![claim], names }),
        }
    }
    groups
}

/// For each claim of a group the term that it is violated. Of the assumptions before it those are left out that speak of other things: then more
/// runs are looked at than there are.
fn ways(equation: &mut Equation, group: &Group, names: &Named) -> Vec<(ClaimId, Term)> {
    let is_about_it: Vec<bool> = (equation.steps.iter())
        .map(|step| match step.kind {
            StepKind::Assume { condition } => names.of_term(condition).common(group.names) > 0,
            _ => false,
        })
        .collect();
    let Equation { steps, terms, .. } = equation;
    let mut found: Vec<(ClaimId, Vec<Term>)> = group.claims.iter().map(|claim| (*claim, Vec::new())).collect();
    let mut assumed = terms.tru();
    for (step, is_about_it) in steps.iter().zip(is_about_it) {
        match step.kind {
            StepKind::Assume { condition } if is_about_it => {
                let held = terms.implies(step.guard, condition);
                assumed = terms.and(assumed, held);
            }
            StepKind::Claim { claim: ClaimRef::Program(id), condition, .. } => {
                if let Some((_, ways)) = found.iter_mut().find(|(claim, _)| *claim == id) {
                    let held = terms.implies(step.guard, condition);
                    let violated = terms.not(held);
                    ways.push(terms.and(assumed, violated));
                }
            }
            _ => {}
        }
    }
    found.into_iter().map(|(claim, ways)| (claim, terms.or_all(&ways))).collect()
}

/// The names that each term depends on, through the definitions of variables.
struct Named(Vec<Names>);

impl Named {
    fn of(equation: &Equation) -> Named {
        let mut numbers: HashMap<Arc<str>, usize> = HashMap::new();
        let variables: HashMap<Term, &Variable, FxBuild> =
            equation.variables.iter().map(|variable| (variable.symbol, variable)).collect();
        let mut names: Vec<Names> = Vec::with_capacity(equation.terms.len());
        for term in equation.terms.all() {
            let own = match equation.terms.node(term) {
                Node::Var { .. } => variables.get(&term).map_or(Names::default(), |variable| {
                    let count = numbers.len();
                    let number = *numbers.entry(variable.name.clone()).or_insert(count);
                    let of_definition = variable.definition.map_or(Names::default(), |by| names[by.index()]);
                    Names::one(number).join(of_definition)
                }),
                node => node.operands().iter().fold(Names::default(), |all, of| all.join(names[of.index()])),
            };
            names.push(own);
        }
        Named(names)
    }

    fn of_term(&self, term: Term) -> Names {
        self.0.get(term.index()).copied().unwrap_or_default()
    }
}
