//! Why a signal of a model has its value in a cycle of a run: from there back through what drives it, to inputs and first values.
//!
//! A *reason* is a signal with a name in a cycle. What it stands on are the signals with names that decide its value: of a conjunction that is 0 those that are 0, of
//! a choice the condition and the side that is chosen, of a register what it is computed from one cycle before. With the values of these alone its
//! own follows, whatever all others are. Nodes without a name are gone through.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::model::{Bits, Kind, Model, NodeId, Operator};
use super::simulate::Wave;

/// A value of a signal in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Moment {
    /// The signal; of a memory the place beside it is meant.
    pub node: NodeId,
    /// The place of a memory.
    pub address: Option<u64>,
    /// The cycle.
    pub cycle: usize,
}

/// Why a value is what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The value.
    pub value: Bits,
    /// What decides it, in the order of the model.
    pub because: Vec<Moment>,
    /// Where it comes from, if nothing decides it.
    pub from: Source,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// It is computed.
    Computed,
    /// From outside.
    Input,
    /// It is there from the start.
    Start,
}

/// The reasons of some moments, and theirs, down to inputs and first values; at most so many.
pub fn reasons(model: &Model, wave: &Wave, asked: &[Moment], most: usize) -> BTreeMap<Moment, Reason> {
    let mut known = BTreeMap::new();
    let mut open: Vec<Moment> = asked.to_vec();
    // Those that are near come first: what is left out is far away.
    let mut next = Vec::new();
    while !open.is_empty() {
        for moment in open {
            if known.len() >= most || known.contains_key(&moment) || moment.cycle >= wave.cycles.len() {
                continue;
            }
            let reason = Seeker { model, wave, found: Vec::new(), seen: HashSet::new() }.reason(moment);
            next.extend(reason.because.iter().copied());
            known.insert(moment, reason);
        }
        open = std::mem::take(&mut next);
    }
    known
}

/// Collects the named signals that decide one moment.
struct Seeker<'m> {
    model: &'m Model,
    wave: &'m Wave,
    found: Vec<Moment>,
    seen: HashSet<(NodeId, usize)>,
}

impl Seeker<'_> {
    fn reason(mut self, of: Moment) -> Reason {
        let (node, value) = (self.model.node(of.node), self.value(of));
        let from = match (&node.kind, of.address) {
            (Kind::Input, _) => Source::Input,
            (Kind::State { .. }, Some(address)) => self.place(of.node, address, of.cycle),
            (Kind::State { next: None, .. }, None) => match of.cycle {
                0 => Source::Start,
                _ => Source::Input,
            },
            (Kind::State { next: Some(_), .. }, None) if of.cycle == 0 => Source::Start,
            (Kind::State { next: Some(next), .. }, None) => {
                self.seek(*next, of.cycle - 1);
                Source::Computed
            }
            _ => {
                self.below(of.node, of.cycle);
                Source::Computed
            }
        };
        self.found.sort_unstable_by_key(|moment| (moment.node, moment.address, moment.cycle));
        self.found.dedup();
        Reason { value, because: self.found, from }
    }

    fn value(&self, of: Moment) -> Bits {
        match of.address {
            None => self.wave.cycles[of.cycle][of.node].clone(),
            Some(address) => {
                let memory = self.wave.memories[of.cycle].get(&of.node);
                memory.map(|memory| memory.at(address).clone()).unwrap_or_default()
            }
        }
    }

    fn bits(&self, node: NodeId, cycle: usize) -> &Bits {
        &self.wave.cycles[cycle][node]
    }

    fn is_one(&self, node: NodeId, cycle: usize) -> bool {
        self.bits(node, cycle).contains(&true)
    }

    /// A node decides: by its name, or through what it is computed from.
    fn seek(&mut self, node: NodeId, cycle: usize) {
        let own = self.model.node(node);
        let ends = matches!(own.kind, Kind::Input | Kind::State { .. });
        match own.kind {
            Kind::Constant(_) => {}
            _ if own.name.is_some() || ends => self.found.push(Moment { node, address: None, cycle }),
            _ if self.seen.insert((node, cycle)) => self.below(node, cycle),
            _ => {}
        }
    }

    /// What a node is computed from, as far as it decides.
    fn below(&mut self, node: NodeId, cycle: usize) {
        let Kind::Operation(operator, operands) = &self.model.node(node).kind else { return };
        let words: Vec<NodeId> = operands.iter().copied().filter(|operand| self.model.width(*operand) > 0).collect();
        let all_ones = |this: &Self, id: NodeId| this.bits(id, cycle).iter().all(|bit| *bit);
        // Operands that decide alone: the others could be anything.
        let alone: Vec<NodeId> = match operator {
            Operator::And | Operator::Nand | Operator::Mul => {
                words.iter().copied().filter(|id| !self.is_one(*id, cycle)).collect()
            }
            Operator::Or | Operator::Nor => words.iter().copied().filter(|id| all_ones(self, *id)).collect(),
            Operator::Implies if !self.is_one(words[0], cycle) => vec![words[0]],
            Operator::Implies if self.is_one(words[1], cycle) => vec![words[1]],
            _ => Vec::new(),
        };
        match operator {
            Operator::Ite => {
                self.seek(words[0], cycle);
                let chosen = if self.is_one(operands[0], cycle) { operands[1] } else { operands[2] };
                self.seek(chosen, cycle);
            }
            Operator::Read => {
                self.seek(operands[1], cycle);
                let address = number(self.bits(operands[1], cycle));
                self.word(operands[0], address, cycle);
            }
            Operator::Eq | Operator::Neq if words.is_empty() => {
                for memory in operands.clone() {
                    self.whole(memory, cycle);
                }
            }
            _ if alone.is_empty() => words.into_iter().for_each(|word| self.seek(word, cycle)),
            _ => alone.into_iter().for_each(|word| self.seek(word, cycle)),
        }
    }

    /// What is at an address of a memory: what was written there now, or the place of the memory that was there before.
    fn word(&mut self, memory: NodeId, address: u64, cycle: usize) {
        match &self.model.node(memory).kind {
            Kind::Operation(Operator::Write, operands) => {
                self.seek(operands[1], cycle);
                match number(self.bits(operands[1], cycle)) == address {
                    true => self.seek(operands[2], cycle),
                    false => self.word(operands[0], address, cycle),
                }
            }
            Kind::Operation(_, operands) => {
                self.seek(operands[0], cycle);
                let chosen = if self.is_one(operands[0], cycle) { operands[1] } else { operands[2] };
                self.word(chosen, address, cycle);
            }
            _ => self.found.push(Moment { node: memory, address: Some(address), cycle }),
        }
    }

    /// A place of a memory that is a state.
    fn place(&mut self, memory: NodeId, address: u64, cycle: usize) -> Source {
        let Kind::State { next: Some(next), .. } = self.model.node(memory).kind else { return Source::Start };
        if cycle == 0 {
            return Source::Start;
        }
        self.word(next, address, cycle - 1);
        Source::Computed
    }

    /// All of a memory: every place that anything was put into.
    fn whole(&mut self, memory: NodeId, cycle: usize) {
        let mut states: BTreeSet<NodeId> = BTreeSet::new();
        let mut open = vec![memory];
        while let Some(at) = open.pop() {
            match &self.model.node(at).kind {
                Kind::Operation(_, operands) => {
                    let (memories, words): (Vec<NodeId>, Vec<NodeId>) =
                        operands.iter().partition(|operand| self.model.width(**operand) == 0);
                    words.into_iter().for_each(|word| self.seek(word, cycle));
                    open.extend(memories);
                }
                _ => {
                    states.insert(at);
                }
            }
        }
        for state in states {
            let places = self.wave.memories[cycle].get(&state).map(|memory| memory.places.keys().copied().collect());
            let places: Vec<u64> = places.unwrap_or_default();
            self.found.extend(places.into_iter().map(|address| Moment { node: state, address: Some(address), cycle }));
        }
    }
}

/// Addresses have at most 64 bits.
fn number(bits: &Bits) -> u64 {
    bits.iter().rev().fold(0, |value, bit| value << 1 | u64::from(*bit))
}

/// Reasons folded for a reader: a value that stays for some cycles is one, and what was said once is not said again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The value, in the last of its cycles.
    pub moment: Moment,
    /// The cycles in which it matters, all with this value.
    pub cycles: Vec<usize>,
    /// What it comes from.
    pub from: Source,
    /// How deep it stands below what was asked.
    pub depth: usize,
    /// Whether its own reasons stand elsewhere, above.
    pub above: bool,
}

/// The tree below a moment, line by line. `said` is what other trees have said.
pub fn tree(reasons: &BTreeMap<Moment, Reason>, root: Moment, said: &mut HashSet<Moment>) -> Vec<Told> {
    let mut lines = Vec::new();
    let mut open = vec![(root, vec![root.cycle], 0usize)];
    while let Some((moment, mut cycles, depth)) = open.pop() {
        let Some(reason) = reasons.get(&moment) else { continue };
        let (mut since, mut below, mut from) = (moment, reason.because.clone(), reason.from);
        // As long as the value was the same one cycle before, and that is a reason.
        while let Some(before) = below
            .iter()
            .copied()
            .find(|before| (before.node, before.address, before.cycle + 1) == (since.node, since.address, since.cycle))
            && let Some(earlier) = reasons.get(&before).filter(|earlier| earlier.value == reason.value)
        {
            below.retain(|other| *other != before);
            below.extend(earlier.because.iter().copied());
            cycles.push(before.cycle);
            (since, from) = (before, earlier.from);
        }
        cycles.sort_unstable();
        cycles.dedup();
        let above = !said.insert(moment);
        lines.push(Told { moment, cycles, from, depth, above });
        if above {
            continue;
        }
        // What has the same value in several cycles is one line.
        let mut same: BTreeMap<(NodeId, Option<u64>, Bits), Vec<usize>> = BTreeMap::new();
        for other in &below {
            if let Some(reason) = reasons.get(other) {
                same.entry((other.node, other.address, reason.value.clone())).or_default().push(other.cycle);
            }
        }
        let mut below: Vec<(Moment, Vec<usize>)> = Vec::new();
        for ((node, address, _), cycles) in same {
            let cycle = cycles.iter().copied().max().unwrap_or(0);
            below.push((Moment { node, address, cycle }, cycles));
        }
        // What it was before comes last: that is a long story.
        below.sort_unstable_by_key(|(other, _)| {
            (other.node == moment.node, Reverse(other.cycle), other.node, other.address)
        });
        open.extend(below.into_iter().rev().map(|(other, cycles)| (other, cycles, depth + 1)));
    }
    lines
}
