//! What differs before the claim, said in predicates.
//!
//! That the claim's own condition holds in one run and not in the other says nothing new. So what decides the claim is
//! said anew at every moment before it, over what the variables hold there: weakest preconditions (Chaki, Groce,
//! Strichman, "Explaining abstract counterexamples", section 1), along the failing run and along the passing one, back
//! to relations between inputs, and through every truth value that is assigned or returned to the comparisons that it is
//! made of. What is true in one run and false in the other is tracked where it is said so for the last time.
//!
//! What decides an assertion is its condition; what decides a formula, the conditions that it is over and the values
//! that it compares when a function returns. Cost: each of them is said once per moment and run.

use std::collections::{BTreeMap, HashMap};

use super::{Known, MOST_PREDICATES, Meaning, Refinement};
use crate::equation::{ClaimRef, StepKind};
use crate::execution::Execution;
use crate::explanation::PredicateOrigin;
use crate::symex;
use nearmiss_logic::term::Term;
use nearmiss_program::program::temporal::Meaning as Signal;

impl Refinement<'_> {
    /// The values that a formula compares when functions return: steps, and what is asked of them.
    fn returned(&mut self) -> Vec<(usize, Term)> {
        let StepKind::Claim { claim: ClaimRef::Program(claim), .. } = self.scene.equation.steps[self.scene.claim].kind
        else {
            return Vec::new();
        };
        let temporal = self.scene.program.temporal.clone().filter(|temporal| temporal.claim == claim);
        let Some(temporal) = temporal else { return Vec::new() };
        let mut found = Vec::new();
        for index in 0..self.scene.equation.steps.len() {
            let step = &self.scene.equation.steps[index];
            let (StepKind::Return { value, ty, .. }, function) = (&step.kind, step.function) else { continue };
            let (value, is_signed) = (*value, self.scene.program.is_signed(*ty));
            for signal in &temporal.signals {
                if let Signal::Return(them, Some((how, number))) = &signal.meaning
                    && them.contains(&function)
                {
                    let terms = &mut self.scene.equation.terms;
                    found.push((index, symex::compares(terms, *how, is_signed, value, *number)));
                }
            }
        }
        found
    }

    /// What decides the claim: terms, each with the last step before which it is looked at.
    fn decisive(&mut self) -> Vec<(usize, Term)> {
        let claim = self.scene.claim;
        let mut found: BTreeMap<Term, usize> = BTreeMap::new();
        let is_formula = |id: ClaimRef| {
            let temporal = self.scene.program.temporal.as_ref();
            temporal.is_some_and(|temporal| ClaimRef::Program(temporal.claim) == id)
        };
        match self.scene.equation.steps[claim].kind {
            StepKind::Claim { claim: id, .. } if is_formula(id) => {
                for number in 0..self.known.len() {
                    if self.known[number].origin != PredicateOrigin::Claim {
                        continue;
                    }
                    for view in 0..self.scene.views.len() {
                        let step = self.scene.views[view].step;
                        found.extend(self.terms_of(number, view).into_iter().map(|term| (term, step)));
                    }
                }
                found.extend(self.returned().into_iter().map(|(step, term)| (term, step)));
            }
            StepKind::Claim { condition, .. } => found.extend([(condition, claim)]),
            _ => {}
        }
        found.into_iter().map(|(term, step)| (step, term)).collect()
    }

    /// What a formula says of returned values is what the explanation is about.
    pub(super) fn returned_values(&mut self) {
        for (step, term) in self.returned() {
            let Some(view) = self.scene.views.iter().position(|view| view.step == step) else { continue };
            let location = self.location(view);
            for predicate in self.say(view, &HashMap::new(), &[term], PredicateOrigin::Claim) {
                self.tracked.entry(predicate).or_default().insert(location);
            }
        }
    }

    /// Tracks what differs between the failing run and a passing one before the claim; whether there is anything.
    pub(super) fn tell_apart(&mut self, passing: &Execution) -> bool {
        let failing = self.scene.failing;
        let mut decisive = self.decisive();
        decisive.retain(|(step, _)| failing.executed[*step] || passing.executed[*step]);
        decisive.extend(self.decided_otherwise([failing, passing]));
        // Where each is said for the last time.
        let mut last: BTreeMap<(usize, Term), usize> = BTreeMap::new();
        for run in [failing, passing] {
            let way = self.way(run);
            for view in 0..self.scene.views.len() {
                let step = self.scene.views[view].step;
                if step > self.scene.claim || !failing.executed[step] || !passing.executed[step] {
                    continue;
                }
                if self.scene.stop.requested() {
                    return !last.is_empty();
                }
                let open: Vec<Term> =
                    decisive.iter().filter(|(until, _)| step <= *until).map(|(_, term)| *term).collect();
                for predicate in self.say(view, &way, &open, PredicateOrigin::Refinement) {
                    let function = self.scene.equation.steps[step].function;
                    let is_elsewhere = self.known[predicate].function.is_some_and(|owner| owner != function);
                    if is_elsewhere || self.is_given(predicate) {
                        continue;
                    }
                    for term in self.terms_of(predicate, view) {
                        let equation = &*self.scene.equation;
                        if failing.meets(equation, term) != passing.meets(equation, term) {
                            let at = last.entry((predicate, term)).or_insert(view);
                            *at = view.max(*at);
                        }
                    }
                }
            }
        }
        let is_new = |((predicate, _), view): &(&(usize, Term), &usize)| {
            let places = self.tracked.get(predicate);
            !places.is_some_and(|places| places.contains(&self.location(**view)))
        };
        let some = last.iter().any(|pair| is_new(&pair));
        for ((predicate, _), view) in last {
            let location = self.location(view);
            if self.tracked.len() < MOST_PREDICATES || self.tracked.contains_key(&predicate) {
                self.tracked.entry(predicate).or_default().insert(location);
            }
        }
        some
    }

    /// Branches that two runs decide differently, though no step follows from it: `a && f(b)`.
    fn decided_otherwise(&self, runs: [&Execution; 2]) -> Vec<(usize, Term)> {
        let equation = &*self.scene.equation;
        let mut found = Vec::new();
        for (index, step) in equation.steps[..self.scene.claim].iter().enumerate() {
            if let StepKind::Guard { condition, .. } = step.kind
                && runs.iter().all(|run| run.executed[index])
                && runs[0].meets(equation, condition) != runs[1].meets(equation, condition)
            {
                found.push((index, condition));
            }
        }
        found
    }

    /// Does a condition of the user's or of the formula say the same, in the same words?
    fn is_given(&self, predicate: usize) -> bool {
        let own = &self.known[predicate];
        let says_it = |known: &Known| known.text == own.text && known.function == own.function;
        matches!(own.meaning, Meaning::Over(_))
            && self.known.iter().any(|known| matches!(known.meaning, Meaning::Given(_)) && says_it(known))
    }

    /// Which way each branch goes in a run, by the symbol of its guard.
    fn way(&self, run: &Execution) -> HashMap<Term, bool> {
        let equation = &*self.scene.equation;
        let guard = |step: &crate::equation::Step| match step.kind {
            StepKind::Guard { variable, .. } => Some((equation.symbol(variable), run.value(variable) == 1)),
            _ => None,
        };
        equation.steps.iter().filter_map(guard).collect()
    }
}
