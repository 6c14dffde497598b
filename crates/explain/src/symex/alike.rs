//! What two versions compute alike.
//!
//! What a person assigns is a variable of the equation, so the same sum in two versions is two terms. Told over the inputs alone, both are one,
//! and a comparison of them is decided before any solver is asked; digits of numbers that are the same are not computed at all. Only
//! verdicts do this, as in `taken`: who takes a value for another than the one that is computed wants the variables.

use std::collections::HashMap;

use nearmiss_logic::hash::FxBuild;
use nearmiss_logic::term::{Node, Term};
use nearmiss_program::c::versions;
use nearmiss_program::program::{BranchRole, ClaimId, ClaimKind};

use super::Symex;

/// So many terms of a claim are told anew.
const MOST_UNDER_PATH: usize = 50_000;

impl Symex<'_> {
    /// Whether values of versions are looked at here.
    fn tells_alike(&self) -> bool {
        self.program.reference.is_some() && self.ranges.is_some() && self.word.is_none()
    }

    /// The same value without variables that are defined.
    pub(super) fn over_inputs(&mut self, term: Term) -> Term {
        let mut open = vec![(term, false)];
        while let Some((next, is_ready)) = open.pop() {
            if self.alike.contains_key(&next) {
                continue;
            }
            if let Some(by) = self.definition(next) {
                match self.alike.get(&by).copied() {
                    Some(known) => {
                        self.alike.insert(next, known);
                    }
                    None => open.extend([(next, false), (by, false)]),
                }
                continue;
            }
            let operands = self.eq.terms.node(next).operands();
            if is_ready || operands.is_empty() {
                let mapped: Vec<Term> = operands.iter().map(|operand| self.alike[operand]).collect();
                let same = self.eq.terms.with_operands(next, &mapped);
                self.alike.insert(next, same);
            } else {
                open.push((next, true));
                open.extend(operands.iter().map(|operand| (*operand, false)));
            }
        }
        self.alike[&term]
    }

    /// Whether a condition has one value on the paths that come here, by what versions compute alike.
    pub(super) fn decided_alike(&mut self, condition: Term) -> Option<bool> {
        if !self.tells_alike() || self.eq.terms.as_const(condition).is_some() {
            return None;
        }
        let whole = self.over_inputs(condition);
        if let Some(value) = self.eq.terms.as_const(whole) {
            return Some(value != 0);
        }
        self.is_on_path(whole)
    }

    /// Whether a claim always holds where it is come to, by what versions compute alike. Of claims that compare versions more is looked at:
    /// their conditions with what the path says of the parts.
    pub(super) fn holds_alike(&mut self, claim: ClaimId, condition: Term) -> bool {
        if let Some(value) = self.decided_alike(condition) {
            return value;
        }
        let of = &self.program.claims[claim.index()];
        let compares = versions::compares(&of.id)
            || matches!(of.kind, ClaimKind::Output | ClaimKind::OutputEnd | ClaimKind::ExitStatus);
        if !compares || !self.tells_alike() || self.eq.terms.is_true(self.here.guard) {
            return false;
        }
        let whole = self.over_inputs(condition);
        self.under_path(whole).is_some_and(|told| self.eq.terms.is_true(told))
    }

    /// A term with what the path condition says in place of each condition in it; none where that takes too long.
    fn under_path(&mut self, term: Term) -> Option<Term> {
        self.learn_path();
        let mut told: HashMap<Term, Term, FxBuild> = HashMap::default();
        let mut open = vec![(term, false)];
        while let Some((next, is_ready)) = open.pop() {
            if told.contains_key(&next) {
                continue;
            }
            if told.len() >= MOST_UNDER_PATH {
                return None;
            }
            if let Some(value) = self.known_on_path(next) {
                let value = self.eq.terms.bool(value);
                told.insert(next, value);
                continue;
            }
            let operands = self.eq.terms.node(next).operands();
            if is_ready || operands.is_empty() {
                let mapped: Vec<Term> = operands.iter().map(|operand| told[operand]).collect();
                let same = self.eq.terms.with_operands(next, &mapped);
                told.insert(next, same);
            } else {
                open.push((next, true));
                open.extend(operands.iter().map(|operand| (*operand, false)));
            }
        }
        told.get(&term).copied()
    }

    /// What branches of models and of the reference come to, if that is known.
    pub(super) fn branch_alike(&mut self, condition: Term, is_shown: bool, role: BranchRole) -> Term {
        if is_shown && role != BranchRole::Internal {
            return condition;
        }
        match self.decided_alike(condition) {
            Some(value) => self.eq.terms.bool(value),
            None => condition,
        }
    }

    /// The parts of a path condition, told over the inputs.
    pub(super) fn alike_on_path(&mut self, parts: Vec<(Term, bool)>) -> Vec<(Term, bool)> {
        if !self.tells_alike() {
            return parts;
        }
        let mut open: Vec<(Term, bool)> = parts.iter().map(|(part, value)| (self.over_inputs(*part), *value)).collect();
        let mut all = parts;
        while let Some((condition, value)) = open.pop() {
            all.push((condition, value));
            match self.eq.terms.node(condition) {
                Node::Not(inner) => open.push((inner, !value)),
                Node::And(a, b) if value => open.extend([(a, true), (b, true)]),
                _ => {}
            }
        }
        all
    }
}
