//! The formula unfolded on the positions of a failure: a circuit of "and" and "or" over pairs that may be flipped.
//!
//! Pairs that are not bottom-valued are constants, and so is every part that no flip can make true, or none can make
//! false; both are found by two evaluations, with all flips at their best and at their worst. What remains is usually
//! a small part of formula times trace. If every atom has one polarity it is the failing part: all its gates are false.
//!
//! On a loop, parts that refer to themselves are unfolded as often as their fixed point needs (once more for `Until` and
//! `Release`); where the other side of such a part is constant (`F`, `G`) one gate stands for the whole loop.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use nearmiss_logic::hash::FxBuild;

use super::{Polarity, Question};
use crate::bits::{Bits, Truth};
use crate::failure::{Failure, Pair};
use crate::ltl::core::{AtomId, End, Node, NodeId, Quantifier, Strength};
use crate::ltl_eval::{self, Rows};

/// Circuits of more gates are not built within a budget.
pub(super) const LARGEST: usize = 1 << 21;

/// A gate of the circuit, an index.
pub(super) type GateId = u32;

/// One gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Gate {
    /// A literal: true while the pair's value is `wants`.
    Leaf {
        /// Index into the pairs.
        pair: u32,
        /// The value that makes it true.
        wants: bool,
    },
    /// All of them.
    And(Vec<GateId>),
    /// Any of them.
    Or(Vec<GateId>),
}

impl Gate {
    pub(super) fn inputs(&self) -> &[GateId] {
        match self {
            Gate::Leaf { .. } => &[],
            Gate::And(inputs) | Gate::Or(inputs) => inputs,
        }
    }
}

/// The unfolded formula.
#[derive(Clone, Debug)]
pub(super) struct Circuit {
    /// Inputs before gates.
    pub gates: Vec<Gate>,
    /// The formula; `None` if no flips make it true.
    pub root: Option<GateId>,
    /// The pairs that occur, each of which may be flipped.
    pub pairs: Vec<Pair>,
    /// Their values on the trace; `None` is unknown.
    pub values: Vec<Option<bool>>,
}

/// A part of the formula during unfolding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    True,
    False,
    Gate(GateId),
}

/// A part at a position; `rounds` is how often it may still go round the loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    node: NodeId,
    at: u32,
    rounds: u32,
}

/// The inputs of a part.
enum Shape {
    Known(Part),
    And(Vec<Key>),
    Or(Vec<Key>),
    /// A recursive operator one step unfolded; the third input is itself at the next position, or the value beyond the last.
    Recursive {
        recursion: Recursion,
        first: Key,
        second: Key,
        third: Result<Key, bool>,
    },
}

/// How a recursive operator joins its three inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Recursion {
    /// `first | (second & third)`.
    Until,
    /// `first & (second | third)`.
    Release,
}

struct Unfolding<'a> {
    question: &'a Question<'a>,
    failure: &'a Failure,
    /// Rows with all flips at their worst, and at their best.
    worst: Rows,
    best: Rows,
    same_on_the_loop: Vec<bool>,
    word: &'a [Truth],
    circuit: Circuit,
    known: HashMap<Key, Part, FxBuild>,
    pair_ids: HashMap<Pair, u32, FxBuild>,
    leaves: HashMap<(u32, bool), GateId, FxBuild>,
}

/// Unfolds the roots of a failure. `None` if that takes more than `limit` gates.
pub(super) fn unfold<'a>(
    question: &'a Question<'a>,
    word: &'a [Truth],
    failure: &'a Failure,
    polarity: &Polarity,
    limit: usize,
) -> Option<Circuit> {
    let (worst, best) = extremes(word, polarity);
    let evaluate =
        |word: &[Truth]| ltl_eval::evaluate(question.core, &question.components, word, failure.positions, failure.end);
    let (worst, best) = (evaluate(&worst), evaluate(&best));
    let mut unfolding = Unfolding {
        question,
        failure,
        same_on_the_loop: same_on_the_loop(question, &worst, &best, failure.end),
        worst,
        best,
        word,
        circuit: Circuit { gates: Vec::new(), root: None, pairs: Vec::new(), values: Vec::new() },
        known: HashMap::default(),
        pair_ids: HashMap::default(),
        leaves: HashMap::default(),
    };
    let mut roots = Vec::new();
    for (node, at) in &failure.roots {
        let key = unfolding.key(*node, *at);
        roots.push(unfolding.unfold(key, limit)?);
    }
    let root = unfolding.and(roots);
    unfolding.circuit.root = match root {
        Part::Gate(gate) => Some(gate),
        Part::True | Part::False => None,
    };
    Some(unfolding.circuit)
}

/// Which recursive parts have a constant other side on the whole loop, so that they are an "or" or an "and" over the loop.
fn same_on_the_loop(question: &Question, worst: &Rows, best: &Rows, end: End) -> Vec<bool> {
    let End::Loop(start) = end else { return Vec::new() };
    let all = |row: &Bits, value: bool| (start..row.len()).all(|at| row.get(at) == value);
    let is = |(i, node): (usize, &Node)| match node {
        _ if question.components.is_cyclic(NodeId(i as u32)) => false,
        Node::Until { hold, .. } => all(worst.of(*hold), true),
        Node::Release { stop, .. } => all(best.of(*stop), false),
        _ => false,
    };
    question.core.nodes.iter().enumerate().map(is).collect()
}

/// The word with every pair that may be flipped against the formula, and for it.
fn extremes(word: &[Truth], polarity: &Polarity) -> (Vec<Truth>, Vec<Truth>) {
    let mut worst = Vec::new();
    let mut best = Vec::new();
    for (i, truth) in word.iter().enumerate() {
        let atom = AtomId(i as u32);
        let filled = |value| Bits::filled(truth.yes.len(), value);
        if polarity.is_mixed(atom) {
            worst.push(Truth { yes: filled(false), no: filled(false) });
        } else {
            worst.push(truth.clone());
        }
        best.push(if polarity.occurs(atom) { Truth { yes: filled(true), no: filled(true) } } else { truth.clone() });
    }
    (worst, best)
}

impl Unfolding<'_> {
    /// A part at a position, entered from outside its own recursion.
    fn key(&self, node: NodeId, at: usize) -> Key {
        let core = self.question.core;
        let End::Loop(start) = self.failure.end else { return Key { node, at: at as u32, rounds: 0 } };
        let components = &self.question.components;
        let rounds = match core.node(node) {
            _ if components.is_cyclic(node) => components.size(node) as u32 + 1,
            Node::Until { .. } | Node::Release { .. } => 1,
            _ => 0,
        };
        // `F` and `G` are the same everywhere on the loop.
        let same_on_the_loop = at >= start && self.same_on_the_loop[node.0 as usize];
        Key { node, at: if same_on_the_loop { start } else { at } as u32, rounds }
    }

    /// Unfolds one part and all it needs, without recursion: formulas times traces are deep.
    fn unfold(&mut self, root: Key, limit: usize) -> Option<Part> {
        let mut stack = vec![root];
        while let Some(key) = stack.last().copied() {
            if self.known.contains_key(&key) {
                stack.pop();
                continue;
            }
            let shape = self.shape(key);
            let waiting = stack.len();
            let known = &self.known;
            let mut ask = |keys: &[Key]| stack.extend(keys.iter().filter(|key| !known.contains_key(key)));
            match &shape {
                Shape::Known(_) => {}
                Shape::And(keys) | Shape::Or(keys) => ask(keys),
                Shape::Recursive { first, second, third, .. } => {
                    ask(&[*first, *second]);
                    ask(third.ok().as_slice());
                }
            }
            if stack.len() > waiting {
                continue;
            }
            let part = self.combine(shape);
            self.known.insert(key, part);
            stack.pop();
            if self.circuit.gates.len() > limit || self.known.len() > limit.saturating_mul(4) {
                return None;
            }
        }
        self.known.get(&root).copied()
    }

    fn combine(&mut self, shape: Shape) -> Part {
        let parts =
            |keys: &[Key], known: &HashMap<Key, Part, FxBuild>| keys.iter().map(|key| known[key]).collect::<Vec<_>>();
        match shape {
            Shape::Known(part) => part,
            Shape::And(keys) => {
                let parts = parts(&keys, &self.known);
                self.and(parts)
            }
            Shape::Or(keys) => {
                let parts = parts(&keys, &self.known);
                self.or(parts)
            }
            Shape::Recursive { recursion, first, second, third } => {
                let third = third.map_or_else(constant, |key| self.known[&key]);
                let (first, second) = (self.known[&first], self.known[&second]);
                match recursion {
                    Recursion::Until => {
                        let on = self.and(vec![second, third]);
                        self.or(vec![first, on])
                    }
                    Recursion::Release => {
                        let on = self.or(vec![second, third]);
                        self.and(vec![first, on])
                    }
                }
            }
        }
    }

    /// What a part is made of.
    fn shape(&mut self, key: Key) -> Shape {
        let at = key.at as usize;
        if self.is_final(key) {
            if self.worst.of(key.node).get(at) {
                return known(true);
            }
            if !self.best.of(key.node).get(at) {
                return known(false);
            }
        }
        let core = self.question.core;
        match core.node(key.node) {
            Node::Constant(value) => known(*value),
            Node::Literal { atom, .. } if self.question.fixed[atom.0 as usize] => {
                known(self.worst.of(key.node).get(at))
            }
            Node::Literal { atom, negated } => Shape::Known(self.leaf(*atom, at, !negated)),
            Node::And(parts) => Shape::And(parts.iter().map(|part| self.now(key, *part)).collect()),
            Node::Or(parts) => Shape::Or(parts.iter().map(|part| self.now(key, *part)).collect()),
            Node::Next { by, body, .. } => match self.later(key, *body, *by as usize) {
                Ok(body) => Shape::And(vec![body]),
                Err(value) => known(value),
            },
            Node::Previous { by, body, strength } => match at.checked_sub(*by as usize) {
                Some(at) => Shape::And(vec![self.key(*body, at)]),
                None => known(*strength == Strength::Weak),
            },
            Node::Until { goal, hold, .. } => self.recursion_ahead(key, Recursion::Until, *goal, *hold),
            Node::Release { keep, stop, .. } => self.recursion_ahead(key, Recursion::Release, *keep, *stop),
            Node::Since { goal, hold } => self.recursion_behind(key, Recursion::Until, *goal, *hold),
            Node::Trigger { keep, stop } => self.recursion_behind(key, Recursion::Release, *keep, *stop),
            Node::Ahead { quantifier, from, to, body } => {
                self.window_ahead(key, *quantifier, *from as usize..=*to as usize, *body)
            }
            Node::Behind { quantifier, from, to, body } => {
                let nearest = at.checked_sub(*from as usize);
                let farthest = at.saturating_sub(*to as usize);
                let keys = nearest.map(|nearest| (farthest..=nearest).map(|at| self.key(*body, at)).collect());
                of_quantifier(*quantifier, keys.unwrap_or_default())
            }
        }
    }

    /// Is it the final value of a part? Rounds that have begun again stand for less.
    fn is_final(&self, key: Key) -> bool {
        key.rounds == self.key(key.node, key.at as usize).rounds
    }

    /// A child at the same position.
    fn now(&self, key: Key, child: NodeId) -> Key {
        let components = &self.question.components;
        if components.is_cyclic(key.node) && components.together(child, key.node) {
            Key { node: child, ..key }
        } else {
            self.key(child, key.at as usize)
        }
    }

    /// A node so many positions later, one round less if the recursion starts again; or the value beyond the end.
    fn later(&self, key: Key, node: NodeId, by: usize) -> Result<Key, bool> {
        let (target, len, end) = (key.at as usize + by, self.failure.positions, self.failure.end);
        let together = || self.question.components.together(node, key.node);
        match end {
            _ if target < len && together() => Ok(Key { node, at: target as u32, rounds: key.rounds }),
            _ if target < len => Ok(self.key(node, target)),
            End::Loop(start) => {
                let target = start + (target - len) % (len - start);
                match key.rounds {
                    _ if !together() => Ok(self.key(node, target)),
                    0 => Err(self.beyond(key.node)),
                    rounds => Ok(Key { node, at: target as u32, rounds: rounds - 1 }),
                }
            }
            _ => Err(self.beyond(key.node)),
        }
    }

    fn beyond(&self, node: NodeId) -> bool {
        ltl_eval::beyond(self.question.core.node(node), self.failure.end)
    }

    /// `U` and `R`: their operands now, and themselves at the next position.
    fn recursion_ahead(&self, key: Key, recursion: Recursion, first: NodeId, second: NodeId) -> Shape {
        if let End::Loop(start) = self.failure.end
            && key.at as usize == start
            && self.same_on_the_loop[key.node.0 as usize]
        {
            let keys = (start..self.failure.positions).map(|at| self.key(first, at)).collect();
            return match recursion {
                Recursion::Until => Shape::Or(keys),
                Recursion::Release => Shape::And(keys),
            };
        }
        let cyclic = self.question.components.is_cyclic(key.node);
        let third = match self.later(key, key.node, 1) {
            // Entering the loop: where one gate stands for all of it.
            Ok(next) if !cyclic && next.rounds == key.rounds && self.is_final(key) => {
                Ok(self.key(next.node, next.at as usize))
            }
            next => next,
        };
        Shape::Recursive { recursion, first: self.now(key, first), second: self.now(key, second), third }
    }

    /// `S` and `T`: their operands now, and themselves at the position before.
    fn recursion_behind(&self, key: Key, recursion: Recursion, first: NodeId, second: NodeId) -> Shape {
        let before_the_start = recursion == Recursion::Release;
        let third = key.at.checked_sub(1).map(|at| self.key(key.node, at as usize)).ok_or(before_the_start);
        Shape::Recursive { recursion, first: self.now(key, first), second: self.now(key, second), third }
    }

    /// All or any of the positions so much later.
    fn window_ahead(&self, key: Key, quantifier: Quantifier, by: RangeInclusive<usize>, body: NodeId) -> Shape {
        let (at, len, end) = (key.at as usize, self.failure.positions, self.failure.end);
        let first = at + by.start();
        let last = (at + by.end()).min(match end {
            // Once round the loop is all there is.
            End::Loop(start) => first.max(start) + (len - start) - 1,
            _ => len,
        });
        let mut keys = Vec::new();
        for target in first..=last {
            match end {
                _ if target < len => keys.push(self.key(body, target)),
                End::Loop(start) => keys.push(self.key(body, start + (target - len) % (len - start))),
                // Positions beyond the end are all alike.
                _ => {
                    let beyond = self.beyond(key.node);
                    if beyond == (quantifier == Quantifier::Any) {
                        return known(beyond);
                    }
                    break;
                }
            }
        }
        of_quantifier(quantifier, keys)
    }

    /// The leaf of an atom at a position.
    fn leaf(&mut self, atom: AtomId, at: usize, wants: bool) -> Part {
        let pair = Pair { row: self.question.row_of(at).0, atom };
        let circuit = &mut self.circuit;
        let id = *self.pair_ids.entry(pair).or_insert_with(|| {
            let truth = &self.word[atom.0 as usize];
            circuit.pairs.push(pair);
            circuit.values.push(match (truth.yes.get(at), truth.no.get(at)) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            });
            circuit.pairs.len() as u32 - 1
        });
        let gate = *self.leaves.entry((id, wants)).or_insert_with(|| {
            circuit.gates.push(Gate::Leaf { pair: id, wants });
            circuit.gates.len() as GateId - 1
        });
        Part::Gate(gate)
    }

    fn and(&mut self, parts: Vec<Part>) -> Part {
        self.join(parts, Part::True, Part::False, Gate::And)
    }

    fn or(&mut self, parts: Vec<Part>) -> Part {
        self.join(parts, Part::False, Part::True, Gate::Or)
    }

    fn join(&mut self, parts: Vec<Part>, neutral: Part, decisive: Part, gate: fn(Vec<GateId>) -> Gate) -> Part {
        let mut inputs = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                _ if part == decisive => return decisive,
                Part::Gate(input) => inputs.push(input),
                _ => {}
            }
        }
        inputs.sort_unstable();
        inputs.dedup();
        match inputs[..] {
            [] => neutral,
            [one] => Part::Gate(one),
            _ => {
                self.circuit.gates.push(gate(inputs));
                Part::Gate(self.circuit.gates.len() as GateId - 1)
            }
        }
    }
}

fn constant(value: bool) -> Part {
    if value { Part::True } else { Part::False }
}

fn known(value: bool) -> Shape {
    Shape::Known(constant(value))
}

fn of_quantifier(quantifier: Quantifier, keys: Vec<Key>) -> Shape {
    match quantifier {
        Quantifier::All => Shape::And(keys),
        Quantifier::Any => Shape::Or(keys),
    }
}
