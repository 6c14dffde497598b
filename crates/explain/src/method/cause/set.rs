//! Under which condition a step sets its value.
//!
//! A step sets what it assigns wherever it is come to. Where paths meet, that is not enough: a loop that is not entered sets
//! nothing, and what stands behind it in an equation is a number that no run computed. So the value that is chosen
//! there must have been set, and so on back to the assignments. A constant does not tell who assigned it: of a local
//! it is enough that some assignment to it was executed.

use std::collections::{BTreeMap, HashMap};

use nearmiss_logic::term::{Node, Term};

use super::names;
use crate::equation::{Equation, StepKind, VariableId};
use nearmiss_program::program::{FunctionId, Program};

/// Conditions under which values are set; each is found once.
pub struct Setting {
    by_symbol: HashMap<Term, VariableId>,
    definers: Vec<Option<usize>>,
    /// For each local, by function and number, that some assignment to it is executed.
    assigned: HashMap<Local, Term>,
    known: HashMap<(Option<Local>, Term), Term>,
}

/// A function and the number of one of its locals.
type Local = (FunctionId, usize);

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
    pub fn new(program: &Program, equation: &mut Equation) -> Setting {
        let mut guards: BTreeMap<Local, Vec<Term>> = BTreeMap::new();
        for step in &equation.steps {
            let name: &str = match &step.kind {
                StepKind::Assign { name, .. } => name,
                StepKind::Call { variable, .. } => &equation.variables[variable.0 as usize].name,
                _ => continue,
            };
            if let Some(local) = names::local(program, step.function, name) {
                guards.entry((step.function, local)).or_default().push(step.guard);
            }
        }
        let assigned = guards.into_iter().map(|(local, guards)| (local, equation.terms.or_all(&guards))).collect();
        let (by_symbol, definers) = (equation.variables_by_symbol(), equation.definers());
        Setting { by_symbol, definers, assigned, known: HashMap::new() }
    }

    /// A run that takes the way to the step sets its value iff this is 1.
    pub fn condition(&mut self, program: &Program, equation: &mut Equation, step: usize) -> Term {
        let (guard, function) = (equation.steps[step].guard, equation.steps[step].function);
        let variable = match equation.steps[step].kind {
            StepKind::Phi { variable, .. } => variable,
            // What a pointer that is NULL would point to is nothing.
            StepKind::Content { creation, .. } => {
                let pointed_at = equation.creations[creation.0 as usize].pointed_at;
                return pointed_at.map_or(guard, |is_there| equation.terms.and(guard, is_there));
            }
            _ => return guard,
        };
        let name = &equation.variables[variable.0 as usize].name;
        let local = names::local(program, function, name).map(|local| (function, local));
        let is_set = self.of(equation, local, equation.symbol(variable));
        equation.terms.and(guard, is_set)
    }

    /// When a term is set that is a value of this local, or of what is no local.
    fn of(&mut self, equation: &mut Equation, local: Option<Local>, value: Term) -> Term {
        let mut stack = vec![value];
        while let Some(&term) = stack.last() {
            let when = self.when(equation, local, term);
            let parts = match when {
                When::If(_) => Vec::new(),
                When::As(other) => vec![other],
                When::Choice(_, yes, no) => vec![yes, no],
            };
            let open: Vec<Term> = parts.into_iter().filter(|part| !self.known.contains_key(&(local, *part))).collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let known = |part: Term| self.known[&(local, part)];
            let is_set = match when {
                When::If(condition) => condition,
                When::As(other) => known(other),
                When::Choice(condition, yes, no) => equation.terms.ite(condition, known(yes), known(no)),
            };
            self.known.insert((local, term), is_set);
            stack.pop();
        }
        self.known[&(local, value)]
    }

    fn when(&self, equation: &mut Equation, local: Option<Local>, term: Term) -> When {
        let always = equation.terms.tru();
        if let Some(variable) = self.by_symbol.get(&term).map(|variable| variable.0 as usize) {
            let Some(step) = self.definers[variable].map(|step| &equation.steps[step]) else { return When::If(always) };
            return match (&step.kind, equation.variables[variable].definition) {
                (StepKind::Phi { .. }, Some(definition)) => When::As(definition),
                // Contents are there before anybody reads them.
                (StepKind::Content { creation, .. }, _) => {
                    When::If(equation.creations[creation.0 as usize].pointed_at.unwrap_or(always))
                }
                _ => When::If(step.guard),
            };
        }
        match equation.terms.node(term) {
            Node::Ite(condition, yes, no) => When::Choice(condition, yes, no),
            _ => When::If(local.and_then(|local| self.assigned.get(&local)).copied().unwrap_or(always)),
        }
    }
}
