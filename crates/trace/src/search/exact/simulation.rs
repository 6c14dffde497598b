//! A circuit whose pairs can be flipped and put back, at the cost of the gates that change; and sets of flips that are read off
//! its shape.
//!
//! The cost of making a gate true or false is counted as if no pair were used twice. In a tree that is right; elsewhere it is a
//! guess at a good set, which is played before anybody believes it.

use std::collections::HashSet;

use nearmiss_logic::hash::FxBuild;

use super::Budget;
use crate::search::unfold::{Circuit, Gate, GateId};

/// More than any circuit costs.
const NEVER: u32 = u32::MAX / 4;

/// Values of all gates under some flips.
pub(super) struct Simulation<'a> {
    circuit: &'a Circuit,
    root: GateId,
    /// The gates that a gate is an input of.
    parents: Vec<Vec<GateId>>,
    /// Per pair, its leaves.
    leaves: Vec<Vec<GateId>>,
    value: Vec<bool>,
    /// How many inputs are true.
    true_inputs: Vec<u32>,
    /// Per gate, the inputs that do not have the value, on the trace, that lets another one decide: false below an "and", true below
    /// an "or". An "or" over a million rows has none or few, and nobody should have to look for them again.
    unsettled: Vec<Vec<GateId>>,
}

/// What it costs to change gates, from the values on the trace.
pub(super) struct Costs {
    to_true: Vec<u32>,
    to_false: Vec<u32>,
    /// What else has to be flipped for the gate to decide the root, along the cheapest way up.
    need: Vec<u32>,
    /// The first gate of that way.
    via: Vec<GateId>,
}

/// Flips while they are collected.
#[derive(Default)]
struct Set {
    flips: Vec<(u32, bool)>,
    seen: HashSet<(GateId, bool), FxBuild>,
}

impl Set {
    fn finish(mut self) -> Vec<(u32, bool)> {
        self.flips.sort_unstable();
        self.flips.dedup();
        self.flips
    }
}

impl Costs {
    /// How many other flips a pair needs to decide, as far as costs can tell.
    pub fn need(&self, simulation: &Simulation, pair: u32) -> usize {
        let helpful = simulation.helpful_leaves(pair);
        helpful.map(|leaf| self.need[leaf as usize]).min().unwrap_or(NEVER) as usize
    }
}

impl<'a> Simulation<'a> {
    /// The values on the trace.
    pub fn new(circuit: &'a Circuit) -> Simulation<'a> {
        let count = circuit.gates.len();
        let mut parents = vec![Vec::new(); count];
        let mut leaves = vec![Vec::new(); circuit.pairs.len()];
        let mut value = vec![false; count];
        let mut true_inputs = vec![0; count];
        for (i, gate) in circuit.gates.iter().enumerate() {
            for input in gate.inputs() {
                parents[*input as usize].push(i as GateId);
            }
            let trues = gate.inputs().iter().filter(|input| value[**input as usize]).count();
            true_inputs[i] = trues as u32;
            value[i] = match gate {
                Gate::Leaf { pair, wants } => {
                    leaves[*pair as usize].push(i as GateId);
                    circuit.values[*pair as usize] == Some(*wants)
                }
                Gate::And(inputs) => trues == inputs.len(),
                Gate::Or(_) => trues > 0,
            };
        }
        let root = circuit.root.expect("a part has a root");
        let unsettled = |gate: &Gate| {
            let neutral = matches!(gate, Gate::And(_));
            gate.inputs().iter().copied().filter(|input| value[*input as usize] != neutral).collect()
        };
        let unsettled = circuit.gates.iter().map(unsettled).collect();
        Simulation { circuit, root, parents, leaves, value, true_inputs, unsettled }
    }

    /// Is the formula true under the flips made?
    pub fn root(&self) -> bool {
        self.value[self.root as usize]
    }

    pub fn root_gate(&self) -> GateId {
        self.root
    }

    /// Is no gate and no pair used twice?
    pub fn is_tree(&self) -> bool {
        self.parents.iter().all(|parents| parents.len() <= 1) && self.leaves.iter().all(|leaves| leaves.len() == 1)
    }

    /// Does flipping the pair make any leaf true? If not, it can never repair anything.
    pub fn can_help(&self, pair: u32) -> bool {
        self.helpful_leaves(pair).next().is_some()
    }

    /// The leaves that a flip of the pair, from its value on the trace, makes true.
    fn helpful_leaves(&self, pair: u32) -> impl Iterator<Item = GateId> + '_ {
        let now = self.circuit.values[pair as usize];
        self.leaves[pair as usize].iter().copied().filter(move |leaf| Some(self.wants(*leaf)) != now)
    }

    fn wants(&self, leaf: GateId) -> bool {
        matches!(self.circuit.gates[leaf as usize], Gate::Leaf { wants: true, .. })
    }

    /// Gives a pair a value (`None`: unknown) and returns how many gates changed.
    pub fn set(&mut self, pair: u32, to: Option<bool>) -> usize {
        let mut changed = 0;
        for i in 0..self.leaves[pair as usize].len() {
            let leaf = self.leaves[pair as usize][i];
            let value = Some(self.wants(leaf)) == to;
            if value == self.value[leaf as usize] {
                continue;
            }
            // One leaf changes in one direction, and so does everything above it: no gate changes twice.
            self.value[leaf as usize] = value;
            let mut stack = vec![leaf];
            while let Some(gate) = stack.pop() {
                changed += 1;
                for parent in &self.parents[gate as usize] {
                    let parent = *parent as usize;
                    self.true_inputs[parent] =
                        if value { self.true_inputs[parent] + 1 } else { self.true_inputs[parent] - 1 };
                    let now = match &self.circuit.gates[parent] {
                        Gate::And(inputs) => self.true_inputs[parent] as usize == inputs.len(),
                        _ => self.true_inputs[parent] > 0,
                    };
                    if now != self.value[parent] {
                        self.value[parent] = now;
                        stack.push(parent as GateId);
                    }
                }
            }
        }
        changed
    }

    fn restore(&mut self, flips: &[(u32, bool)]) {
        flips.iter().for_each(|(pair, _)| {
            self.set(*pair, self.circuit.values[*pair as usize]);
        });
    }

    /// Do these flips make the formula true?
    pub fn makes_true(&mut self, flips: &[(u32, bool)]) -> bool {
        flips.iter().for_each(|(pair, to)| {
            self.set(*pair, Some(*to));
        });
        let answer = self.root();
        self.restore(flips);
        answer
    }

    /// With these flips, does the formula stay false, and does giving the pair this value as well make it true?
    pub fn decides(&mut self, flips: &[(u32, bool)], pair: u32, to: bool, budget: &mut Budget) -> bool {
        let mut visited = 1;
        for (pair, to) in flips {
            visited += self.set(*pair, Some(*to)) * 2;
        }
        let mut answer = !self.root();
        if answer {
            visited += self.set(pair, Some(to)) * 2;
            answer = self.root();
            self.set(pair, self.circuit.values[pair as usize]);
        }
        self.restore(flips);
        budget.spend(visited);
        answer
    }

    /// The costs of all gates.
    pub fn costs(&self) -> Costs {
        let gates = &self.circuit.gates;
        let (mut to_true, mut to_false) = (vec![0; gates.len()], vec![0; gates.len()]);
        for (i, gate) in gates.iter().enumerate() {
            let sum = |costs: &[u32], inputs: &[GateId]| {
                inputs.iter().fold(0u32, |sum, input| (sum + costs[*input as usize]).min(NEVER))
            };
            let least = |costs: &[u32], inputs: &[GateId]| {
                inputs.iter().map(|input| costs[*input as usize]).min().unwrap_or(NEVER)
            };
            (to_true[i], to_false[i]) = match gate {
                Gate::Leaf { .. } => (u32::from(!self.value[i]), u32::from(self.value[i])),
                Gate::And(inputs) => (sum(&to_true, inputs), least(&to_false, inputs)),
                Gate::Or(inputs) => (least(&to_true, inputs), sum(&to_false, inputs)),
            };
        }
        let (mut need, mut via) = (vec![NEVER; gates.len()], vec![0; gates.len()]);
        need[self.root as usize] = 0;
        for (i, gate) in gates.iter().enumerate().rev() {
            let beside = match gate {
                Gate::Leaf { .. } => continue,
                Gate::And(_) => &to_true,
                Gate::Or(_) => &to_false,
            };
            let all = gate.inputs().iter().fold(0u64, |sum, input| sum + u64::from(beside[*input as usize]));
            for input in gate.inputs() {
                let others = all - u64::from(beside[*input as usize]);
                let through = (u64::from(need[i]) + others).min(u64::from(NEVER)) as u32;
                if through < need[*input as usize] {
                    (need[*input as usize], via[*input as usize]) = (through, i as GateId);
                }
            }
        }
        Costs { to_true, to_false, need, via }
    }

    /// A cheap set of flips that makes a gate true or false, if no pair were used twice.
    pub fn set_for(&self, costs: &Costs, gate: GateId, want: bool) -> Option<Vec<(u32, bool)>> {
        let mut set = Set::default();
        self.collect(costs, &costs.to_true, gate, want, &mut set)?;
        Some(set.finish())
    }

    fn collect(&self, costs: &Costs, to_true: &[u32], gate: GateId, want: bool, set: &mut Set) -> Option<()> {
        let cost =
            |gate: &GateId, want: bool| if want { to_true[*gate as usize] } else { costs.to_false[*gate as usize] };
        if cost(&gate, want) >= NEVER {
            return None;
        }
        let mut stack = vec![gate];
        while let Some(gate) = stack.pop() {
            // Gates are shared: what was chosen for one once is chosen for good.
            if self.value[gate as usize] == want || !set.seen.insert((gate, want)) {
                continue;
            }
            match (&self.circuit.gates[gate as usize], want) {
                (Gate::Leaf { pair, wants }, _) => set.flips.push((*pair, *wants == want)),
                (Gate::And(inputs), true) | (Gate::Or(inputs), false) => stack.extend(inputs),
                (Gate::Or(inputs), true) | (Gate::And(inputs), false) => {
                    stack.extend(inputs.iter().min_by_key(|input| cost(input, want)));
                }
            }
        }
        Some(())
    }

    /// The set that the costs along the way up stand for, unless it is long, and the value that the pair is given.
    pub fn set_beside(&self, costs: &Costs, pair: u32) -> (Option<Vec<(u32, bool)>>, bool) {
        let leaf = self.cheapest_leaf(costs, pair);
        let to = self.wants(leaf);
        let short = costs.need[leaf as usize] as usize <= super::LONGEST_WITNESS;
        (short.then(|| self.along(costs, &costs.to_true, leaf)).flatten(), to)
    }

    fn cheapest_leaf(&self, costs: &Costs, pair: u32) -> GateId {
        self.helpful_leaves(pair).min_by_key(|leaf| costs.need[*leaf as usize]).expect("the pair can help")
    }

    /// Flips that put every gate beside the way up to its neutral value.
    fn along(&self, costs: &Costs, to_true: &[u32], leaf: GateId) -> Option<Vec<(u32, bool)>> {
        if costs.need[leaf as usize] >= NEVER {
            return None;
        }
        let mut set = Set::default();
        let mut at = leaf;
        while at != self.root {
            let up = costs.via[at as usize];
            let neutral = matches!(self.circuit.gates[up as usize], Gate::And(_));
            for beside in self.unsettled[up as usize].iter().filter(|input| **input != at) {
                self.collect(costs, to_true, *beside, neutral, &mut set)?;
            }
            at = up;
        }
        Some(set.finish())
    }

    /// Looks for a set under which the pair decides: none, the cheapest along the way up, the cheapest that keeps away from what
    /// must stay false. Returns the first that works when it is played, and the value given.
    pub fn try_to_decide(&mut self, costs: &Costs, pair: u32, budget: &mut Budget) -> Option<(Vec<(u32, bool)>, bool)> {
        let helpful: Vec<GateId> = self.helpful_leaves(pair).collect();
        let mut values: Vec<bool> = helpful.iter().map(|leaf| self.wants(*leaf)).collect();
        values.sort_unstable();
        values.dedup();
        if !self.root()
            && let Some(to) = values.iter().find(|to| self.decides(&[], pair, **to, budget))
        {
            return Some((Vec::new(), *to));
        }
        let leaf = self.cheapest_leaf(costs, pair);
        let to = self.wants(leaf);
        let usable = |flips: &Vec<(u32, bool)>| {
            let clash = flips.windows(2).any(|pair| pair[0].0 == pair[1].0);
            !clash && flips.iter().all(|(other, _)| *other != pair)
        };
        // What is far too much is not even written down.
        if !budget.spend(costs.need[leaf as usize].min(NEVER) as usize) {
            return None;
        }
        if let Some(flips) = self.along(costs, &costs.to_true, leaf).filter(usable)
            && self.decides(&flips, pair, to, budget)
        {
            return Some((flips, to));
        }
        let to_true = self.costs_away_from(costs, leaf, pair, budget)?;
        let flips = self.along(costs, &to_true, leaf).filter(usable)?;
        self.decides(&flips, pair, to, budget).then_some((flips, to))
    }

    /// What it costs to make gates true without any pair that stands below an "or" beside the way up.
    fn costs_away_from(&self, costs: &Costs, leaf: GateId, pair: u32, budget: &mut Budget) -> Option<Vec<u32>> {
        let gates = &self.circuit.gates;
        if !budget.spend(gates.len() * 2) {
            return None;
        }
        let mut below = vec![false; gates.len()];
        let mut at = leaf;
        while at != self.root {
            let up = costs.via[at as usize];
            if matches!(gates[up as usize], Gate::Or(_)) {
                let beside = gates[up as usize].inputs().iter().filter(|input| **input != at);
                beside.for_each(|input| below[*input as usize] = true);
            }
            at = up;
        }
        let mut avoided = vec![false; self.circuit.pairs.len()];
        avoided[pair as usize] = true;
        // Inputs have smaller numbers, so marks go down in one pass.
        for i in (0..gates.len()).rev() {
            if below[i] {
                gates[i].inputs().iter().for_each(|input| below[*input as usize] = true);
                if let Gate::Leaf { pair, .. } = gates[i] {
                    avoided[pair as usize] = true;
                }
            }
        }
        let mut to_true = vec![0; gates.len()];
        for (i, gate) in gates.iter().enumerate() {
            to_true[i] = match gate {
                Gate::Leaf { .. } if self.value[i] => 0,
                Gate::Leaf { pair, .. } if avoided[*pair as usize] => NEVER,
                Gate::Leaf { .. } => 1,
                Gate::And(inputs) => inputs.iter().fold(0u32, |sum, input| (sum + to_true[*input as usize]).min(NEVER)),
                Gate::Or(inputs) => inputs.iter().map(|input| to_true[*input as usize]).min().unwrap_or(NEVER),
            };
        }
        Some(to_true)
    }
}
