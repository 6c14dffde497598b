//! What is read is what it is on the paths that come here.
//!
//! Where paths meet, what they wrote differently is a choice between their values. A path condition often says which of them was taken: a caller
//! that goes on only where a function returned 0 knows that none of its early returns was. Then the choice is left out, and what is computed from
//! the value twice, before the paths met and after, is the same term. Nothing else tells a solver that cheaply.

use std::collections::HashMap;

use nearmiss_logic::hash::FxBuild;
use nearmiss_logic::term::{Node, Term};

use super::Symex;

/// So many parts of a path condition are looked at, the latest first.
const MOST_CONDITIONS: usize = 400;
/// So many terms are looked at to tell which value was taken.
const MOST_TERMS: usize = 100;

/// What a path condition says of other conditions.
#[derive(Default)]
pub(super) struct Taken {
    of: Option<Term>,
    holds: HashMap<Term, bool, FxBuild>,
}

impl Symex<'_> {
    /// The value that a term has on the paths that come here. Only for a verdict: who takes a condition for another than the one that is computed
    /// wants the choice.
    pub(super) fn as_taken(&mut self, mut term: Term) -> Term {
        if self.ranges.is_none() || self.word.is_some() || self.eq.terms.is_true(self.here.guard) {
            return term;
        }
        let mut left = MOST_TERMS;
        while let Some(Node::Ite(condition, yes, no)) = self.definition(term).map(|by| self.eq.terms.node(by)) {
            self.learn_path();
            let taken = match self.is_taken(condition, &mut left) {
                None => self.decided_alike(condition),
                known => known,
            };
            match taken {
                Some(true) => term = yes,
                Some(false) => term = no,
                None => break,
            }
        }
        term
    }

    /// Takes the path condition apart.
    pub(super) fn learn_path(&mut self) {
        let guard = self.here.guard;
        if self.taken.of == Some(guard) {
            return;
        }
        let mut holds = std::mem::take(&mut self.taken.holds);
        holds.clear();
        let mut open = vec![(guard, true)];
        while let Some((condition, value)) = open.pop() {
            if holds.len() >= MOST_CONDITIONS {
                break;
            }
            if holds.insert(condition, value).is_some() {
                continue;
            }
            match self.eq.terms.node(condition) {
                Node::Not(inner) => open.push((inner, !value)),
                Node::And(a, b) if value => open.extend([(a, true), (b, true)]),
                Node::Var { .. } => open.extend(self.definition(condition).map(|by| (by, value))),
                _ => {}
            }
        }
        let parts = self.alike_on_path(holds.into_iter().collect());
        self.taken = Taken { of: Some(guard), holds: parts.into_iter().collect() };
    }

    /// Whether a condition is a part of this path.
    pub(super) fn known_on_path(&self, condition: Term) -> Option<bool> {
        self.taken.holds.get(&condition).copied()
    }

    /// Whether a condition holds on this path, if its parts tell that.
    pub(super) fn is_on_path(&mut self, condition: Term) -> Option<bool> {
        if self.eq.terms.is_true(self.here.guard) {
            return None;
        }
        self.learn_path();
        let mut left = MOST_TERMS;
        self.is_taken(condition, &mut left)
    }

    /// Whether a condition holds on this path, if that is easily told.
    fn is_taken(&self, condition: Term, left: &mut usize) -> Option<bool> {
        if let Some(value) = self.eq.terms.as_const(condition) {
            return Some(value != 0);
        }
        let known = self.taken.holds.get(&condition).copied();
        if known.is_some() || *left == 0 {
            return known;
        }
        *left -= 1;
        match self.eq.terms.node(condition) {
            Node::Not(inner) => self.is_taken(inner, left).map(|value| !value),
            // The latest condition of a path is the second.
            Node::And(a, b) => match self.is_taken(b, left) {
                Some(false) => Some(false),
                second => match self.is_taken(a, left) {
                    Some(false) => Some(false),
                    first => first.and(second),
                },
            },
            Node::Var { .. } => self.definition(condition).and_then(|by| self.is_taken(by, left)),
            _ => None,
        }
    }
}
