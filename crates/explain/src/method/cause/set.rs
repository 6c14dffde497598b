//! Under which condition a step sets its value.
//!
//! A step sets what it assigns wherever it is come to. Where paths meet, that is not enough: a loop that is not entered sets
//! nothing, and what stands behind it in an equation is a number that no run computed. So the value that is chosen
//! there must have been set, and so on back to the assignments.

use std::collections::HashMap;

use nearmiss_logic::term::{Node, Term};

use crate::equation::{Equation, StepKind, VariableId};

/// Conditions under which values are set; each is found once.
pub struct Setting {
    by_symbol: HashMap<Term, VariableId>,
    definers: Vec<Option<usize>>,
    known: HashMap<Term, Term>,
}

/// When a term is set.
enum When {
    /// Under this condition.
    If(Term),
    /// When this other one is.
    As(Term),
    /// As the second or the third, by the first.
    Choice(Term, Term, Term),
}

impl Setting {
    /// Of the values of an equation.
    pub fn new(equation: &Equation) -> Setting {
        Setting { by_symbol: equation.variables_by_symbol(), definers: equation.definers(), known: HashMap::new() }
    }

    /// A run that takes the way to the step sets its value iff this is 1.
    pub fn condition(&mut self, equation: &mut Equation, step: usize) -> Term {
        let guard = equation.steps[step].guard;
        let StepKind::Phi { variable, .. } = equation.steps[step].kind else { return guard };
        let is_set = self.of(equation, equation.symbol(variable));
        equation.terms.and(guard, is_set)
    }

    fn of(&mut self, equation: &mut Equation, value: Term) -> Term {
        let mut stack = vec![value];
        while let Some(&term) = stack.last() {
            let when = self.when(equation, term);
            let parts = match when {
                When::If(_) => Vec::new(),
                When::As(other) => vec![other],
                When::Choice(_, yes, no) => vec![yes, no],
            };
            let open: Vec<Term> = parts.into_iter().filter(|part| !self.known.contains_key(part)).collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let is_set = match when {
                When::If(condition) => condition,
                When::As(other) => self.known[&other],
                When::Choice(condition, yes, no) => equation.terms.ite(condition, self.known[&yes], self.known[&no]),
            };
            self.known.insert(term, is_set);
            stack.pop();
        }
        self.known[&value]
    }

    fn when(&self, equation: &mut Equation, term: Term) -> When {
        let always = equation.terms.tru();
        if let Some(variable) = self.by_symbol.get(&term).map(|variable| variable.0 as usize) {
            let Some(step) = self.definers[variable].map(|step| &equation.steps[step]) else { return When::If(always) };
            return match (&step.kind, equation.variables[variable].definition) {
                (StepKind::Phi { .. }, Some(definition)) => When::As(definition),
                // Contents are there before anybody reads them.
                (StepKind::Content { .. }, _) => When::If(always),
                _ => When::If(step.guard),
            };
        }
        match equation.terms.node(term) {
            Node::Ite(condition, yes, no) => When::Choice(condition, yes, no),
            _ => When::If(always),
        }
    }
}
