//! Makes core nodes: each once, constants folded away, negation and abortion built in.
//!
//! Whoever builds a formula says what it means as if it were not negated, and gives the [`Polarity`]: under
//! [`Polarity::Negative`] every operator becomes its dual, so that one description serves both. Children have to be built with the same
//! polarity.
//!
//! **Abortion.** Below `accept_on (r)`, whatever is still open when `r` holds is true; below `reject_on (r)`, false. Every operand that lies in
//! another cycle than its operator is therefore met with `r` there. Operators that leap over several cycles also look at `r` in between:
//! with one `r` by a formula of fixed size, with several step by step. What an abort makes of the nodes below it is decided where it stands:
//! the negation of `accept_on (r) p` rejects on `r` what is made for the negation of `p`, and between the abort and a node no negation
//! counts any more, because nodes are true or false as they are (IEEE 1800, annex F: a negation exchanges the letters that satisfy
//! everything and nothing).

use std::collections::HashMap;

use super::core::{AtomId, Node, NodeId, Quantifier, Strength};
use super::parse::opposite;

/// Is a formula meant, or its negation?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Polarity {
    Positive,
    Negative,
}

impl Polarity {
    pub fn flipped(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
        }
    }

    fn strength(self, strength: Strength) -> Strength {
        if self == Polarity::Positive { strength } else { opposite(strength) }
    }

    fn quantifier(self, quantifier: Quantifier) -> Quantifier {
        match (self, quantifier) {
            (Polarity::Positive, quantifier) => quantifier,
            (Polarity::Negative, Quantifier::All) => Quantifier::Any,
            (Polarity::Negative, Quantifier::Any) => Quantifier::All,
        }
    }
}

/// What gives up everything that is open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Abort {
    /// Are the nodes below it then true?
    pub accept: bool,
    /// The condition.
    pub yes: NodeId,
    /// Its opposite.
    pub no: NodeId,
}

/// The nodes so far.
#[derive(Default)]
pub(super) struct Arena {
    pub nodes: Vec<Node>,
    known: HashMap<Node, NodeId>,
    /// What formulas that are built now are below, the outermost first.
    pub aborts: Vec<Abort>,
    /// Was something refused because it would have to be made of too many steps?
    pub too_long: bool,
}

/// More steps than this below several aborts are refused.
const MOST_STEPS: u32 = 5_000;

use Polarity::{Negative, Positive};
use Strength::{Strong, Weak};

impl Arena {
    fn add(&mut self, node: Node) -> NodeId {
        if let Some(id) = self.known.get(&node) {
            return *id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("formulas are far smaller"));
        self.known.insert(node.clone(), id);
        self.nodes.push(node);
        id
    }

    fn value(&self, id: NodeId) -> Option<bool> {
        match self.nodes.get(id.0 as usize) {
            Some(Node::Constant(value)) => Some(*value),
            _ => None,
        }
    }

    pub fn constant(&mut self, polarity: Polarity, value: bool) -> NodeId {
        self.add(Node::Constant(value == (polarity == Positive)))
    }

    pub fn literal(&mut self, atom: AtomId, negated: bool) -> NodeId {
        self.add(Node::Literal { atom, negated })
    }

    /// Is it true, seen with this polarity?
    pub fn is_true(&self, polarity: Polarity, id: NodeId) -> bool {
        self.value(id) == Some(polarity == Positive)
    }

    pub fn and(&mut self, polarity: Polarity, parts: &[NodeId]) -> NodeId {
        self.connective(polarity == Positive, parts)
    }

    pub fn or(&mut self, polarity: Polarity, parts: &[NodeId]) -> NodeId {
        self.connective(polarity == Negative, parts)
    }

    fn connective(&mut self, and: bool, parts: &[NodeId]) -> NodeId {
        let mut kept: Vec<NodeId> = Vec::with_capacity(parts.len());
        for part in parts {
            match self.value(*part) {
                Some(value) if value != and => return self.add(Node::Constant(!and)),
                Some(_) => {}
                None if kept.len() < 64 && kept.contains(part) => {}
                None => kept.push(*part),
            }
        }
        match (kept.len(), and) {
            (0, _) => self.add(Node::Constant(and)),
            (1, _) => kept[0],
            (_, true) => self.add(Node::And(kept)),
            (_, false) => self.add(Node::Or(kept)),
        }
    }

    /// Seen from a place in another cycle: aborted there, or what it is.
    pub fn wrapped(&mut self, id: NodeId) -> NodeId {
        self.aborts.clone().into_iter().rev().fold(id, |id, abort| self.aborted(abort, id))
    }

    /// Aborted here, or this.
    pub fn aborted(&mut self, Abort { accept, yes, no }: Abort, id: NodeId) -> NodeId {
        if accept { self.connective(false, &[id, yes]) } else { self.connective(true, &[id, no]) }
    }

    fn next_node(&mut self, by: u32, body: NodeId, strength: Strength) -> NodeId {
        match self.value(body) {
            _ if by == 0 => body,
            Some(value) if value == (strength == Weak) => body,
            _ => self.add(Node::Next { by, body, strength }),
        }
    }

    /// The body some cycles later.
    pub fn next(&mut self, polarity: Polarity, by: u32, body: NodeId, strength: Strength) -> NodeId {
        self.later(by, body, polarity.strength(strength))
    }

    fn later(&mut self, by: u32, body: NodeId, strength: Strength) -> NodeId {
        if by == 0 {
            return body;
        }
        let mut node = self.wrapped(body);
        match self.aborts.as_slice() {
            [abort] if by > 1 => {
                let abort = *abort;
                let later = self.next_node(by, node, strength);
                self.unless_aborted(abort, by - 1, later)
            }
            [] => self.next_node(by, node, strength),
            _ => {
                self.too_long |= by > MOST_STEPS;
                node = self.next_node(1, node, strength);
                for _ in 1..by.min(MOST_STEPS) {
                    node = self.wrapped(node);
                    node = self.next_node(1, node, strength);
                }
                node
            }
        }
    }

    /// Aborted within `0..=to`, or this.
    fn unless_aborted(&mut self, abort: Abort, to: u32, id: NodeId) -> NodeId {
        if abort.accept {
            let aborted = self.ahead_node(Quantifier::Any, 0, to, abort.yes);
            self.connective(false, &[id, aborted])
        } else {
            let safe = self.ahead_node(Quantifier::All, 0, to, abort.no);
            self.connective(true, &[id, safe])
        }
    }

    fn ahead_node(&mut self, quantifier: Quantifier, from: u32, to: u32, body: NodeId) -> NodeId {
        match (self.value(body), quantifier) {
            _ if to == 0 => body,
            (Some(true), Quantifier::All) | (Some(false), Quantifier::Any) => body,
            (Some(_), _) if from == 0 => body,
            _ => self.add(Node::Ahead { quantifier, from, to, body }),
        }
    }

    /// All or any of the body in a window of cycles. Strong for all: they exist; weak for any: it is enough that they do not.
    pub fn ahead(
        &mut self,
        polarity: Polarity,
        quantifier: Quantifier,
        window: (u32, u32),
        body: NodeId,
        strength: Strength,
    ) -> NodeId {
        self.window(polarity.quantifier(quantifier), window, body, polarity.strength(strength))
    }

    fn window(&mut self, quantifier: Quantifier, (from, to): (u32, u32), body: NodeId, strength: Strength) -> NodeId {
        let all = quantifier == Quantifier::All;
        let usual = if all { Weak } else { Strong };
        if from == to {
            return self.later(from, body, strength);
        }
        if strength != usual {
            // The last cycle decides whether the window is there.
            let last = self.later(to, body, strength);
            let others = self.window(quantifier, (from, to - 1), body, usual);
            return self.connective(all, &[others, last]);
        }
        let wrapped = self.wrapped(body);
        let Some(abort) = self.aborts.first().copied() else {
            return self.ahead_node(quantifier, from, to, body);
        };
        if self.aborts.len() > 1 {
            self.too_long |= to > MOST_STEPS;
            let mut node = wrapped;
            for _ in from..to.min(from.saturating_add(MOST_STEPS)) {
                node = self.later(1, node, usual);
                node = self.connective(all, &[wrapped, node]);
            }
            return self.later(from, node, usual);
        }
        if abort.accept != all {
            let window = self.ahead_node(quantifier, from, to, wrapped);
            return self.unless_aborted(abort, to, window);
        }
        // What is aborted on the way decides: all before it, or any before it.
        let width = to - from;
        let window = if all {
            let whole = self.ahead_node(Quantifier::All, 0, width, wrapped);
            let up_to = self.until_node(wrapped, abort.yes, Strong);
            let soon = self.ahead_node(Quantifier::Any, 0, width, abort.yes);
            let cut = self.connective(true, &[up_to, soon]);
            self.connective(false, &[whole, cut])
        } else {
            let first = self.release_node(wrapped, abort.no, Strong);
            let soon = self.ahead_node(Quantifier::Any, 0, width, wrapped);
            self.connective(true, &[first, soon])
        };
        self.later(from, window, usual)
    }

    fn until_node(&mut self, hold: NodeId, goal: NodeId, strength: Strength) -> NodeId {
        match (self.value(hold), self.value(goal)) {
            (_, Some(true)) | (Some(false), _) => goal,
            (_, Some(false)) if strength == Strong => goal,
            (Some(true), _) if strength == Weak => hold,
            _ => self.add(Node::Until { hold, goal, strength }),
        }
    }

    fn release_node(&mut self, stop: NodeId, keep: NodeId, strength: Strength) -> NodeId {
        match (self.value(stop), self.value(keep)) {
            (_, Some(false)) | (Some(true), _) => keep,
            (_, Some(true)) if strength == Weak => keep,
            (Some(false), _) if strength == Strong => stop,
            _ => self.add(Node::Release { stop, keep, strength }),
        }
    }

    /// `hold` up to the first `goal`.
    pub fn until(&mut self, polarity: Polarity, hold: NodeId, goal: NodeId, strength: Strength) -> NodeId {
        let (hold, goal) = (self.wrapped(hold), self.wrapped(goal));
        match polarity {
            Positive => self.until_node(hold, goal, strength),
            Negative => self.release_node(hold, goal, opposite(strength)),
        }
    }

    /// `keep` up to and with the first `stop`.
    pub fn release(&mut self, polarity: Polarity, stop: NodeId, keep: NodeId, strength: Strength) -> NodeId {
        let (stop, keep) = (self.wrapped(stop), self.wrapped(keep));
        match polarity {
            Positive => self.release_node(stop, keep, strength),
            Negative => self.until_node(stop, keep, opposite(strength)),
        }
    }

    /// The body some cycles before.
    pub fn previous(&mut self, polarity: Polarity, by: u32, body: NodeId, strength: Strength) -> NodeId {
        let strength = polarity.strength(strength);
        match self.value(body) {
            _ if by == 0 => body,
            Some(value) if value == (strength == Weak) => body,
            _ => self.add(Node::Previous { by, body, strength }),
        }
    }

    /// All or any of the body in a window of cycles before.
    pub fn behind(
        &mut self,
        polarity: Polarity,
        quantifier: Quantifier,
        (from, to): (u32, u32),
        body: NodeId,
    ) -> NodeId {
        let quantifier = polarity.quantifier(quantifier);
        match (self.value(body), quantifier) {
            _ if to == 0 => body,
            (Some(true), Quantifier::All) | (Some(false), Quantifier::Any) => body,
            (Some(_), _) if from == 0 => body,
            _ => self.add(Node::Behind { quantifier, from, to, body }),
        }
    }

    /// `goal` once, and `hold` ever since.
    pub fn since(&mut self, polarity: Polarity, hold: NodeId, goal: NodeId) -> NodeId {
        if polarity == Negative {
            return self.trigger_node(hold, goal);
        }
        self.since_node(hold, goal)
    }

    /// `keep` always before, or since and with `stop`.
    pub fn trigger(&mut self, polarity: Polarity, stop: NodeId, keep: NodeId) -> NodeId {
        if polarity == Negative {
            return self.since_node(stop, keep);
        }
        self.trigger_node(stop, keep)
    }

    fn since_node(&mut self, hold: NodeId, goal: NodeId) -> NodeId {
        match (self.value(hold), self.value(goal)) {
            (_, Some(_)) | (Some(false), _) => goal,
            _ => self.add(Node::Since { hold, goal }),
        }
    }

    fn trigger_node(&mut self, stop: NodeId, keep: NodeId) -> NodeId {
        match (self.value(stop), self.value(keep)) {
            (_, Some(_)) | (Some(true), _) => keep,
            _ => self.add(Node::Trigger { stop, keep }),
        }
    }

    /// A step to the next cycle whose body is made later, by [`Arena::tie`].
    pub fn knot(&mut self, polarity: Polarity, strength: Strength) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("formulas are far smaller"));
        self.nodes.push(Node::Next { by: 1, body: id, strength: polarity.strength(strength) });
        id
    }

    /// Gives a knot its body.
    pub fn tie(&mut self, knot: NodeId, to: NodeId) {
        let to = self.wrapped(to);
        if let Node::Next { body, .. } = &mut self.nodes[knot.0 as usize] {
            *body = to;
        }
    }
}
