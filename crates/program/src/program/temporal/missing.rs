//! What a condition is in a run that never gives a value to its variables.
//!
//! Nobody can object to it (`G (r >= 0)` holds if there is never an `r`), and nobody can say that it came about (`F (r == 5)` does not).
//! So it is whatever suits the operator of time that it stands below: true as it stands there below `G`, `R`, `W` and the like, false
//! below `F` and right of `U`. Where it stands below both in ways that disagree, it is false.

use super::Temporal;
use nearmiss_trace::ltl::core::{Node, NodeId, Quantifier, Strength};

impl Temporal {
    /// The value of a signal in a run in which it never has one.
    pub fn missing(&self, signal: usize) -> bool {
        let core = &self.bound.core;
        let mut found: Vec<bool> = Vec::new();
        let mut seen = vec![[false; 2]; core.nodes.len()];
        let mut open = vec![(core.root, true)];
        while let Some((id, suits)) = open.pop() {
            if std::mem::replace(&mut seen[id.0 as usize][usize::from(suits)], true) {
                continue;
            }
            match core.node(id) {
                Node::Literal { atom, negated } if self.signal_of(*atom) == signal => found.push(suits != *negated),
                node => open.extend(below(node, suits)),
            }
        }
        !found.is_empty() && found.into_iter().all(|value| value)
    }
}

/// The children of a node, each with whether what never has a value is true there.
fn below(node: &Node, suits: bool) -> Vec<(NodeId, bool)> {
    match node {
        Node::Until { hold, goal, strength } => vec![(*hold, true), (*goal, *strength == Strength::Weak)],
        Node::Release { stop, keep, strength } => vec![(*keep, true), (*stop, *strength == Strength::Weak)],
        Node::Since { hold, goal } => vec![(*hold, true), (*goal, false)],
        Node::Trigger { stop, keep } => vec![(*stop, true), (*keep, true)],
        Node::Ahead { quantifier, body, .. } | Node::Behind { quantifier, body, .. } => {
            vec![(*body, *quantifier == Quantifier::All)]
        }
        other => other.children().iter().map(|child| (*child, suits)).collect(),
    }
}
