//! Makes core nodes: each once, constants folded away, negation and abortion built in.
//!
//! Whoever builds a formula says what it means as if it were not negated, and gives the [`Polarity`]: under
//! [`Polarity::Negative`] every operator becomes its dual, so that one description serves both. Children have to be built with the same
//! polarity.
//!
//! **Abortion.** Below `accept_on (r)`, whatever is still open when `r` holds is true; below `reject_on (r)`, false. Every operand that lies in
//! another cycle than its operator is therefore met with `r` there. Operators that leap over several cycles also look at `r` in between:
//! with one `r` by a formula of fixed size, with several step by step.

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
#[derive(Clone, Copy, Debug)]
pub(super) struct Abort {
    /// Is it then true?
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
    pub fn wrapped(&mut self, polarity: Polarity, id: NodeId) -> NodeId {
        let mut id = id;
        for Abort { accept, yes, no } in self.aborts.clone().into_iter().rev() {
            let condition = |plain: bool| if plain == (polarity == Positive) { yes } else { no };
            id = if accept {
                self.or(polarity, &[id, condition(true)])
            } else {
                self.and(polarity, &[id, condition(false)])
            };
        }
        id
    }

    fn plain_next(&mut self, polarity: Polarity, by: u32, body: NodeId, strength: Strength) -> NodeId {
        let strength = polarity.strength(strength);
        match self.value(body) {
            _ if by == 0 => body,
            Some(value) if value == (strength == Weak) => body,
            _ => self.add(Node::Next { by, body, strength }),
        }
    }

    /// The body some cycles later.
    pub fn next(&mut self, polarity: Polarity, by: u32, body: NodeId, strength: Strength) -> NodeId {
        if by == 0 {
            return body;
        }
        let body = self.wrapped(polarity, body);
        match self.aborts.as_slice() {
            [] => self.plain_next(polarity, by, body, strength),
            _ if by == 1 => self.plain_next(polarity, by, body, strength),
            [abort] => {
                let abort = *abort;
                let later = self.plain_next(polarity, by, body, strength);
                self.unless_aborted(polarity, abort, by - 1, later)
            }
            _ => {
                self.too_long |= by > MOST_STEPS;
                let mut node = body;
                for _ in 0..by.min(MOST_STEPS) {
                    node = self.wrapped(polarity, node);
                    node = self.plain_next(polarity, 1, node, strength);
                }
                node
            }
        }
    }

    /// Aborted within `0..=to`, or this.
    fn unless_aborted(&mut self, polarity: Polarity, abort: Abort, to: u32, id: NodeId) -> NodeId {
        if abort.accept {
            let condition = if polarity == Positive { abort.yes } else { abort.no };
            let aborted = self.plain_ahead(polarity, Quantifier::Any, 0, to, condition);
            self.or(polarity, &[id, aborted])
        } else {
            let condition = if polarity == Positive { abort.no } else { abort.yes };
            let safe = self.plain_ahead(polarity, Quantifier::All, 0, to, condition);
            self.and(polarity, &[id, safe])
        }
    }

    fn plain_ahead(&mut self, polarity: Polarity, quantifier: Quantifier, from: u32, to: u32, body: NodeId) -> NodeId {
        let quantifier = polarity.quantifier(quantifier);
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
        (from, to): (u32, u32),
        body: NodeId,
        strength: Strength,
    ) -> NodeId {
        let usual = if quantifier == Quantifier::All { Weak } else { Strong };
        if from == to {
            let strength = if from == 0 { usual } else { strength };
            return self.next(polarity, from, body, strength);
        }
        if strength != usual {
            // The last cycle decides whether the window is there.
            let last = self.next(polarity, to, body, strength);
            let others = self.ahead(polarity, quantifier, (from, to - 1), body, usual);
            return match quantifier {
                Quantifier::All => self.and(polarity, &[others, last]),
                Quantifier::Any => self.or(polarity, &[others, last]),
            };
        }
        let wrapped = self.wrapped(polarity, body);
        let Some(abort) = self.aborts.first().copied() else {
            return self.plain_ahead(polarity, quantifier, from, to, body);
        };
        if self.aborts.len() > 1 {
            self.too_long |= to > MOST_STEPS;
            let mut node = wrapped;
            for _ in from..to.min(from.saturating_add(MOST_STEPS)) {
                node = self.next(polarity, 1, node, usual);
                node = match quantifier {
                    Quantifier::All => self.and(polarity, &[wrapped, node]),
                    Quantifier::Any => self.or(polarity, &[wrapped, node]),
                };
            }
            return self.next(polarity, from, node, usual);
        }
        if abort.accept == (quantifier == Quantifier::Any) {
            let window = self.plain_ahead(polarity, quantifier, from, to, wrapped);
            return self.unless_aborted(polarity, abort, to, window);
        }
        // What is aborted on the way decides: all before it, or any before it.
        let width = to - from;
        let yes = if polarity == Positive { abort.yes } else { abort.no };
        let no = if polarity == Positive { abort.no } else { abort.yes };
        let window = if quantifier == Quantifier::All {
            let whole = self.plain_ahead(polarity, Quantifier::All, 0, width, wrapped);
            let up_to = self.plain_until(polarity, wrapped, yes, Strong);
            let soon = self.plain_ahead(polarity, Quantifier::Any, 0, width, yes);
            let cut = self.and(polarity, &[up_to, soon]);
            self.or(polarity, &[whole, cut])
        } else {
            let first = self.plain_release(polarity, wrapped, no, Strong);
            let soon = self.plain_ahead(polarity, Quantifier::Any, 0, width, wrapped);
            self.and(polarity, &[first, soon])
        };
        self.next(polarity, from, window, usual)
    }

    fn plain_until(&mut self, polarity: Polarity, hold: NodeId, goal: NodeId, strength: Strength) -> NodeId {
        if polarity == Negative {
            return self.release_node(hold, goal, opposite(strength));
        }
        self.until_node(hold, goal, strength)
    }

    fn plain_release(&mut self, polarity: Polarity, stop: NodeId, keep: NodeId, strength: Strength) -> NodeId {
        if polarity == Negative {
            return self.until_node(stop, keep, opposite(strength));
        }
        self.release_node(stop, keep, strength)
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
        let (hold, goal) = (self.wrapped(polarity, hold), self.wrapped(polarity, goal));
        self.plain_until(polarity, hold, goal, strength)
    }

    /// `keep` up to and with the first `stop`.
    pub fn release(&mut self, polarity: Polarity, stop: NodeId, keep: NodeId, strength: Strength) -> NodeId {
        let (stop, keep) = (self.wrapped(polarity, stop), self.wrapped(polarity, keep));
        self.plain_release(polarity, stop, keep, strength)
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
    pub fn tie(&mut self, polarity: Polarity, knot: NodeId, to: NodeId) {
        let to = self.wrapped(polarity, to);
        if let Node::Next { body, .. } = &mut self.nodes[knot.0 as usize] {
            *body = to;
        }
    }
}
