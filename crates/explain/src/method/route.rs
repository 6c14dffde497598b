//! Ways out of a failure, and which of them only avoid the check.
//!
//! The nearest passing run often changes an input so that the check no longer applies (Groce, Chaki, Kroening,
//! Strichman, "Error explanation with distance metrics", section 6.1, which asks the user to assume that away). Here it
//! is read off the structure:
//!
//! - The violated claim is a disjunction: of what would have kept it from being reached, and of its own parts. In the
//!   failing run all of them are false; each is a *route* out of the failure. A route that is computed from inputs by
//!   straight-line code alone is a *precondition* of the check: to change it is to avoid the check.
//! - Below the claim the same happens once more: the computation that ends in the failure may as a whole be under a
//!   condition. A branch that the failing run takes, that is decided from inputs by straight-line code, is no loop, and
//!   under which all other decisions lie on which the claim depends in the failing run, is an *entrance*: a passing run
//!   that does not enter has not done better, it has not done anything.
//!
//! - Where the claim compares with what a trusted function returned, that is what was *expected*: a run that passes
//!   because something else is expected does not explain why this was not met.
//!
//! A passing run explains the failure if it leaves all of these as they are in the failing run.

use std::collections::{HashMap, HashSet};

use nearmiss_logic::sat::Outcome;
use nearmiss_logic::term::{Node, Term};

use super::definitions::Definitions;
use super::encode;
use crate::equation::{ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::{BranchRole, FunctionId};

/// So many branches are found at most by asking the solver, with so many conflicts each.
const MOST_NEEDED: usize = 32;
const MOST_CONFLICTS: u64 = 2_000;

/// Something that a passing run keeps as it is in the failing run.
#[derive(Clone, Debug)]
pub struct Kept {
    /// What holds in the failing run.
    pub term: Term,
    /// The branch that decides it; none for a part of the claim.
    pub branch: Option<usize>,
}

/// The ways out of a failure.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    /// What the claim applies under.
    pub preconditions: Vec<Kept>,
    /// What the computation is under, outermost first.
    pub entrances: Vec<Kept>,
    /// What trusted functions told the claim to expect.
    pub expected: Vec<Kept>,
    /// The routes that are not preconditions: at least one of them is true in a passing run that explains.
    pub others: Vec<Term>,
}

/// The routes out of the failure of a claim. `trusted` functions have no say in what the computation is.
pub fn routes(
    equation: &mut Equation,
    failing: &Execution,
    claim: usize,
    trusted: &dyn Fn(FunctionId) -> bool,
    stop: &Stop,
) -> Routes {
    let mut reading = Reading::new(equation);
    let mut routes = Routes::default();
    let step = &reading.equation.steps[claim];
    let guard = step.guard;
    let StepKind::Claim { condition, .. } = step.kind else { return routes };
    let mut disjuncts = Vec::new();
    reading.disjuncts(guard, Polarity::Negative, &mut disjuncts);
    // Where paths have met, "not reached" is no single condition; those that the unwinding cut off are among them.
    let of_guard = disjuncts.len();
    disjuncts.retain(|disjunct| {
        let is_and = matches!(reading.equation.terms.node(disjunct.term), Node::And(..));
        !(is_and && reading.is_path_condition(disjunct.term))
    });
    if disjuncts.len() < of_guard {
        routes.preconditions = reading.needed_to_reach(failing, claim, stop);
    }
    let to_get_there = disjuncts.len();
    reading.disjuncts(condition, Polarity::Positive, &mut disjuncts);
    let straight: Vec<bool> = disjuncts.iter().map(|disjunct| reading.is_straight_line(disjunct.term)).collect();
    // If there is no other way out at all, the claim itself is one: what is checked need not be computed in many ways.
    let own = if straight.contains(&false) { disjuncts.len() } else { to_get_there };
    for (at, Disjunct { term, branch }) in disjuncts.into_iter().enumerate() {
        if straight[at] && at < own {
            let kept = reading.equation.terms.not(term);
            routes.preconditions.push(Kept { term: kept, branch });
        } else {
            routes.others.push(term);
        }
    }
    routes.expected = reading.expected(failing, condition, trusted);
    routes.entrances = reading.entrances(failing, &routes.others, trusted);
    routes
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Polarity {
    Positive,
    Negative,
}

/// A part of a disjunction: the term, and the branch whose condition it is (part of).
struct Disjunct {
    term: Term,
    branch: Option<usize>,
}

/// What is looked up again and again.
struct Reading<'a> {
    equation: &'a mut Equation,
    definitions: Definitions,
    straight: HashMap<Term, bool>,
}

impl<'a> Reading<'a> {
    fn new(equation: &'a mut Equation) -> Reading<'a> {
        let definitions = Definitions::of(equation);
        Reading { equation, definitions, straight: HashMap::new() }
    }

    /// The step that defines a symbol, and its definition.
    fn definer(&self, symbol: Term) -> Option<(usize, Term)> {
        Some((self.definitions.step(symbol)?, self.definitions.definition(self.equation, symbol)?))
    }

    /// Splits a term, or its negation, into the disjuncts that it is made of.
    fn disjuncts(&mut self, term: Term, polarity: Polarity, found: &mut Vec<Disjunct>) {
        let mut todo = vec![(term, polarity, None)];
        let mut seen = HashSet::new();
        while let Some((term, polarity, branch)) = todo.pop() {
            if self.equation.terms.as_const(term).is_some() || !seen.insert((term, polarity == Polarity::Positive)) {
                continue;
            }
            match (self.equation.terms.node(term), polarity) {
                (Node::Not(inner), Polarity::Positive) => todo.push((inner, Polarity::Negative, branch)),
                (Node::Not(inner), Polarity::Negative) => todo.push((inner, Polarity::Positive, branch)),
                (Node::And(a, b), Polarity::Negative) => todo.extend([(b, polarity, branch), (a, polarity, branch)]),
                _ => match self.seen_through(term, branch) {
                    Some((inside, branch)) => todo.push((inside, polarity, branch)),
                    None => {
                        let negated = polarity == Polarity::Negative;
                        let term = if negated { self.equation.terms.not(term) } else { term };
                        found.push(Disjunct { term, branch });
                    }
                },
            }
        }
    }

    /// What a Boolean term says if the variable in it is replaced by its definition, where that is a Boolean in turn: a
    /// path condition, or a truth value kept in a variable.
    fn seen_through(&mut self, term: Term, branch: Option<usize>) -> Option<(Term, Option<usize>)> {
        if let Some((step, definition)) = self.definer(term) {
            return match self.equation.steps[step].kind {
                StepKind::Guard { .. } => Some((definition, Some(step))),
                StepKind::Phi { .. } => None,
                _ => Some((definition, branch)),
            };
        }
        let Node::Eq(a, b) = self.equation.terms.node(term) else { return None };
        let (constant, symbol) = match (self.equation.terms.as_const(a), self.equation.terms.as_const(b)) {
            (Some(_), None) => (a, b),
            (None, Some(_)) => (b, a),
            _ => return None,
        };
        let (step, definition) = self.definer(symbol)?;
        if matches!(self.equation.steps[step].kind, StepKind::Phi { .. }) {
            return None;
        }
        let is_copy = self.definer(definition).is_some();
        let is_truth = matches!(self.equation.terms.node(definition), Node::Zext { term, .. } if self.equation.terms.width(term) == 1);
        (is_copy || is_truth).then(|| (self.equation.terms.eq(constant, definition), branch))
    }

    /// Is a term computed from inputs by straight-line code alone? Values that meet where the program's branches join
    /// are not; neither is what is chosen by a path condition.
    fn is_straight_line(&mut self, term: Term) -> bool {
        enum Visit {
            Enter(Term),
            Leave(Term),
        }
        let mut todo = vec![Visit::Enter(term)];
        while let Some(visit) = todo.pop() {
            let (term, entering) = match visit {
                Visit::Enter(term) => (term, true),
                Visit::Leave(term) => (term, false),
            };
            let definer = self.definer(term);
            let node = self.equation.terms.node(term);
            let operands = node.operands();
            let mut below = operands.iter().copied().chain(definer.map(|(_, definition)| definition));
            if !entering {
                let all = below.all(|term| self.straight[&term]);
                self.straight.insert(term, all);
            } else if !self.straight.contains_key(&term) {
                let is_phi = |step: usize| matches!(self.equation.steps[step].kind, StepKind::Phi { .. });
                let joins = match node {
                    Node::Ite(condition, ..) => self.is_path_condition(condition),
                    _ => definer.is_some_and(|(step, _)| is_phi(step)),
                };
                if joins {
                    self.straight.insert(term, false);
                    continue;
                }
                todo.push(Visit::Leave(term));
                todo.extend(below.map(Visit::Enter));
            }
        }
        self.straight[&term]
    }

    fn is_path_condition(&self, term: Term) -> bool {
        let mut todo = vec![term];
        while let Some(term) = todo.pop() {
            match self.equation.terms.node(term) {
                Node::Not(inner) => todo.push(inner),
                Node::And(a, b) => todo.extend([a, b]),
                _ if self.guard_step(term).is_some() => return true,
                _ => {}
            }
        }
        false
    }

    fn guard_step(&self, symbol: Term) -> Option<usize> {
        let (step, _) = self.definer(symbol)?;
        matches!(self.equation.steps[step].kind, StepKind::Guard { .. }).then_some(step)
    }

    /// What trusted functions returned that a condition looks at, directly or through copies.
    fn expected(&mut self, failing: &Execution, condition: Term, trusted: &dyn Fn(FunctionId) -> bool) -> Vec<Kept> {
        let mut expected = Vec::new();
        for term in self.equation.terms.post_order(&[condition]) {
            let mut symbol = term;
            while let Some((index, definition)) = self.definer(symbol) {
                let step = &self.equation.steps[index];
                if matches!(step.kind, StepKind::Return { .. }) && trusted(step.function) {
                    let value = failing.evaluator(self.equation).value(symbol);
                    let value = self.equation.terms.constant(self.equation.terms.width(symbol), value);
                    expected.push(Kept { term: self.equation.terms.eq(symbol, value), branch: None });
                    break;
                }
                symbol = definition;
            }
        }
        expected
    }

    /// Branches decided from inputs by straight-line code that every execution that reaches a step takes as the failing
    /// run does, loops that go beyond the bound aside. The solver is asked, one branch at a time.
    fn needed_to_reach(&mut self, failing: &Execution, step: usize, stop: &Stop) -> Vec<Kept> {
        let mut blaster = encode::for_many_questions(stop);
        encode::define(&mut blaster, self.equation);
        for (index, held) in self.equation.held() {
            if matches!(self.equation.steps[index].kind, StepKind::Claim { claim: ClaimRef::Unwinding(_), .. }) {
                blaster.assert(&self.equation.terms, held);
            }
        }
        let reached = blaster.literal(&self.equation.terms, self.equation.steps[step].guard);
        let mut needed = Vec::new();
        let branches = (0..step).filter(|branch| failing.executed[*branch]);
        let branches: Vec<usize> = branches.filter(|branch| self.is_choice(*branch)).collect();
        for branch in branches {
            let StepKind::Guard { variable, condition, .. } = self.equation.steps[branch].kind else { continue };
            if needed.len() == MOST_NEEDED || !self.is_straight_line(condition) {
                continue;
            }
            let symbol = self.equation.symbol(variable);
            let as_is = if failing.value(variable) == 1 { symbol } else { self.equation.terms.not(symbol) };
            let otherwise = !blaster.literal(&self.equation.terms, as_is);
            blaster.solver.set_conflict_limit(Some(MOST_CONFLICTS));
            if blaster.solver.solve(&[reached, otherwise]) == Outcome::Unsat {
                needed.push(Kept { term: as_is, branch: Some(branch) });
            }
        }
        needed
    }

    fn is_choice(&self, step: usize) -> bool {
        matches!(self.equation.steps[step].kind, StepKind::Guard { role: BranchRole::Choice, .. })
    }

    /// The branches under which the whole computation lies, outermost first.
    fn entrances(&mut self, failing: &Execution, of: &[Term], trusted: &dyn Fn(FunctionId) -> bool) -> Vec<Kept> {
        let mut decisions = self.decisions(failing, of);
        decisions.retain(|step| !trusted(self.equation.steps[*step].function));
        let mut entrances = Vec::new();
        // In order of execution, the outermost comes first.
        while let Some((&first, others)) = decisions.split_first() {
            let step = &self.equation.steps[first];
            let StepKind::Guard { variable, condition, role } = step.kind else { break };
            let symbol = self.equation.symbol(variable);
            let qualifies = role == BranchRole::Choice
                && failing.value(variable) == 1
                && !others.is_empty()
                && self.is_straight_line(condition)
                && self.are_under(others, symbol);
            if !qualifies {
                break;
            }
            entrances.push(Kept { term: symbol, branch: Some(first) });
            decisions.remove(0);
        }
        entrances
    }

    /// The branches on which some terms depend in an execution, in order.
    fn decisions(&self, execution: &Execution, of: &[Term]) -> Vec<usize> {
        let depends = self.definitions.dependences(self.equation, Some(execution), of);
        let mut decisions: Vec<usize> =
            depends.into_iter().filter_map(|variable| self.guard_step(self.equation.symbol(variable))).collect();
        decisions.sort_unstable();
        decisions
    }

    /// Are all these branches reached only where a path condition holds?
    fn are_under(&self, steps: &[usize], guard: Term) -> bool {
        // Of guards that are met on the way up only those are remembered that lie under it.
        let mut under = HashSet::from([guard]);
        for step in steps {
            let start = self.equation.steps[*step].guard;
            let mut todo = vec![start];
            let mut found = false;
            while let Some(term) = todo.pop() {
                if under.contains(&term) {
                    found = true;
                    break;
                }
                match self.equation.terms.node(term) {
                    Node::And(a, b) => todo.extend([a, b]),
                    _ => todo.extend(self.guard_step(term).map(|step| self.equation.steps[step].guard)),
                }
            }
            if !found {
                return false;
            }
            under.insert(start);
            if let StepKind::Guard { variable, .. } = self.equation.steps[*step].kind {
                under.insert(self.equation.symbol(variable));
            }
        }
        true
    }
}
