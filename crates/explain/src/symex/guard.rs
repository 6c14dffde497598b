//! Path conditions, kept as a tree of branches so that joins give back the condition from before the branch.
//!
//! A guard is a node: a side of a branch, or several nodes that met at a join. When both sides of a branch have met,
//! they are replaced by the node that branched; in structured code every join thus ends at the very guard that its
//! branch started from, and no formula `g or not g` is ever built. The members of a join are a persistent set, so a loop
//! with n exits costs n log n, not n squared.

use imbl::OrdSet;
use nearmiss_logic::term::{Term, Terms};

/// A path condition: index of a node in [`Guards`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Guard(u32);

/// All path conditions of one unwinding.
pub struct Guards {
    nodes: Vec<Node>,
}

struct Node {
    term: Term,
    kind: Kind,
}

enum Kind {
    Root,
    /// One side of a branch; the positive side has a term of its own, the negative one is derived from it.
    Side {
        parent: Guard,
        sibling: Guard,
        positive: bool,
    },
    Join(OrdSet<Guard>),
}

impl Guards {
    /// Only the root: always.
    pub fn new(terms: &Terms) -> Guards {
        Guards { nodes: vec![Node { term: terms.tru(), kind: Kind::Root }] }
    }

    /// The condition that is always true.
    pub fn root(&self) -> Guard {
        Guard(0)
    }

    /// The condition as a term.
    pub fn term(&self, guard: Guard) -> Term {
        self.nodes[guard.0 as usize].term
    }

    /// Splits a path. `taken` is the term of the whole path condition of the positive side.
    pub fn branch(&mut self, terms: &mut Terms, parent: Guard, taken: Term) -> (Guard, Guard) {
        let (then, otherwise) = (Guard(self.nodes.len() as u32), Guard(self.nodes.len() as u32 + 1));
        let not_taken = terms.not(taken);
        let other = terms.and(self.term(parent), not_taken);
        self.nodes.push(Node { term: taken, kind: Kind::Side { parent, sibling: otherwise, positive: true } });
        self.nodes.push(Node { term: other, kind: Kind::Side { parent, sibling: then, positive: false } });
        (then, otherwise)
    }

    /// The condition that one of two disjoint paths is taken.
    pub fn join(&mut self, terms: &mut Terms, a: Guard, b: Guard) -> Guard {
        let (mut members, smaller) = match (self.members(a), self.members(b)) {
            (a, b) if a.len() >= b.len() => (a, b),
            (a, b) => (b, a),
        };
        let mut todo: Vec<Guard> = smaller.into_iter().collect();
        while let Some(guard) = todo.pop() {
            match &self.nodes[guard.0 as usize].kind {
                Kind::Side { parent, sibling, .. } if members.contains(sibling) => {
                    members.remove(sibling);
                    todo.push(*parent);
                }
                Kind::Join(_) if members.is_empty() && todo.is_empty() => return guard,
                Kind::Join(inner) => todo.extend(inner.iter().copied()),
                _ => {
                    members.insert(guard);
                }
            }
        }
        if members.len() == 1 {
            return *members.get_min().expect("one member");
        }
        let term = terms.or(self.term(a), self.term(b));
        self.nodes.push(Node { term, kind: Kind::Join(members) });
        Guard(self.nodes.len() as u32 - 1)
    }

    /// For a join of `a` and `b`: a term that is 1 on `a`, 0 on `b`, and whatever elsewhere; the simplest we have.
    pub fn chooser(&self, terms: &mut Terms, a: Guard, b: Guard) -> Term {
        let positive = |guard: Guard| matches!(self.nodes[guard.0 as usize].kind, Kind::Side { positive: true, .. });
        let negative = |guard: Guard| match self.nodes[guard.0 as usize].kind {
            Kind::Side { sibling, positive: false, .. } => Some(sibling),
            _ => None,
        };
        if positive(a) {
            self.term(a)
        } else if positive(b) {
            terms.not(self.term(b))
        } else if negative(b) == Some(a) || negative(a).is_none() {
            self.term(a)
        } else {
            terms.not(self.term(b))
        }
    }

    fn members(&self, guard: Guard) -> OrdSet<Guard> {
        match &self.nodes[guard.0 as usize].kind {
            Kind::Join(members) => members.clone(),
            _ => OrdSet::unit(guard),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_give_back_the_guard_before_the_branches() {
        let mut terms = Terms::new();
        let mut guards = Guards::new(&terms);
        let (a, b, c) = (terms.fresh("a", 1), terms.fresh("b", 1), terms.fresh("c", 1));
        let root = guards.root();
        let (then, otherwise) = guards.branch(&mut terms, root, a);
        let (inner, out) = guards.branch(&mut terms, then, b);
        // `if (a && b) … ` with control flow: the two ways not to get there meet first.
        let not_both = guards.join(&mut terms, out, otherwise);
        assert_ne!(not_both, root);
        let (x, y) = guards.branch(&mut terms, not_both, c);
        assert_eq!(guards.join(&mut terms, x, y), not_both);
        assert_eq!(guards.join(&mut terms, not_both, inner), root);
    }
}
