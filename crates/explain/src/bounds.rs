//! How far loops, recursion and allocations are followed, and how that grows.
//!
//! Only a loop, recursion or allocation of which some execution wants more is given more; what the user has fixed stays
//! as it is.

use std::collections::HashMap;

use crate::equation::Bound;
use nearmiss_program::program::ClaimId;

/// How far to unwind.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The same fixed number for every loop and recursion: how often a loop's head may be evaluated in a row, as CBMC
    /// counts.
    pub fixed: Option<u32>,
    /// Fixed numbers for single loops (`main.0`) and functions.
    pub named: HashMap<String, u32>,
    /// Where nothing is fixed: how often a loop may go on by a condition that is not constant.
    pub symbolic: u32,
    /// The same for loops and functions that needed more.
    pub grown: HashMap<String, u32>,
    /// None is given more than this.
    pub most: u32,
    /// Where nothing is fixed: how often a loop may go on by a constant condition.
    pub constant: u32,
    /// Largest size in bytes of an object whose size is an input.
    pub allocation: u64,
    /// Objects of more elements are kept in layers where an index is not known (`symex/layer.rs`).
    pub elements: u64,
    /// An automatic claim of which every time that it is reached is a step, as of written ones.
    pub shown: Option<ClaimId>,
    /// Unwinding that takes more steps than this is given up.
    pub most_steps: usize,
    /// So is one that makes more terms.
    pub most_terms: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            fixed: None,
            named: HashMap::new(),
            symbolic: 4,
            grown: HashMap::new(),
            most: u32::MAX,
            constant: 4096,
            allocation: 64,
            elements: 64,
            shown: None,
            most_steps: usize::MAX,
            most_terms: usize::MAX,
        }
    }
}

impl Bounds {
    /// May a loop's head (or a function) be entered for the `total`-th time in a row, `symbolic` of them by a
    /// condition that is not constant?
    pub(crate) fn allow(&self, id: &str, total: u32, symbolic: u32) -> bool {
        match self.named.get(id).copied().or(self.fixed) {
            Some(fixed) => total <= fixed,
            None => {
                let grown = self.grown.get(id).copied().unwrap_or(self.symbolic);
                let times = grown.checked_div(self.symbolic).unwrap_or(1);
                symbolic <= grown && total <= self.constant.saturating_mul(times)
            }
        }
    }

    /// Has the user said how far this loop goes?
    pub(crate) fn is_given(&self, id: &str) -> bool {
        self.fixed.is_some() || self.named.contains_key(id)
    }

    /// Is it for us to say how far this goes?
    pub(crate) fn may_grow(&self, bound: &Bound) -> bool {
        match bound {
            Bound::Loop(id) | Bound::Recursion(id) => {
                let now = self.grown.get(id).copied().unwrap_or(self.symbolic);
                self.fixed.is_none() && !self.named.contains_key(id) && now < self.most
            }
            Bound::Allocation => self.fixed.is_none(),
            Bound::Depth => false,
        }
    }

    /// Must a bound not grow, or has another one that may grow less?
    pub(crate) fn has_grown_most<S, F>(&self, hit: &[(Bound, S, F)], which: usize) -> bool {
        let now = |bound: &Bound| match bound {
            Bound::Loop(id) | Bound::Recursion(id) => self.grown.get(id).copied().unwrap_or(self.symbolic),
            Bound::Allocation | Bound::Depth => 0,
        };
        let least = hit.iter().map(|(bound, ..)| bound).filter(|bound| self.may_grow(bound)).map(now).min();
        let bound = &hit[which].0;
        !self.may_grow(bound) || least.is_some_and(|least| now(bound) > least)
    }

    /// Gives a loop, a recursion or allocations more room.
    pub(crate) fn grow(&mut self, bound: &Bound) {
        match bound {
            Bound::Loop(id) | Bound::Recursion(id) => {
                let start = self.symbolic;
                let grown = self.grown.entry(id.clone()).or_insert(start);
                *grown = grown.saturating_mul(2).max(1).min(self.most);
            }
            Bound::Allocation => self.allocation = self.allocation.saturating_mul(4),
            Bound::Depth => {}
        }
    }

    /// So many rounds at least, of a loop or a recursion, if it is for us to say. Whether that is more than before.
    pub(crate) fn at_least(&mut self, bound: &Bound, rounds: u32) -> bool {
        let (Bound::Loop(id) | Bound::Recursion(id), true) = (bound, self.may_grow(bound)) else { return false };
        let (start, rounds) = (self.symbolic, rounds.min(self.most));
        let grown = self.grown.entry(id.clone()).or_insert(start);
        let is_more = rounds > *grown;
        *grown = rounds.max(*grown);
        is_more
    }

    /// Gives some more rounds to a loop or a recursion.
    pub(crate) fn grow_by(&mut self, bound: &Bound, rounds: u32) {
        match bound {
            Bound::Loop(id) | Bound::Recursion(id) => {
                let start = self.symbolic;
                let grown = self.grown.entry(id.clone()).or_insert(start);
                *grown = grown.saturating_add(rounds).min(self.most);
            }
            Bound::Allocation | Bound::Depth => self.grow(bound),
        }
    }
}
