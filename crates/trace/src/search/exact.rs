//! The causes on an unfolded formula, by their definition.
//!
//! The circuit falls apart where an "and" at its top joins parts without a common pair: a pair decides the whole iff it
//! decides its part and all other parts can be made true. In a part where no gate and no pair is used twice, every false leaf is
//! a cause. In the others a pair is tried: alone; with a set of flips read off the circuit along one path to the root, played on a
//! [`Simulation`]; and at last by the solver ([`query`]), which also says no. All of it is limited by a fixed [`Budget`], so
//! that the answer does not depend on the machine.
//!
//! Responsibility asks for the smallest set of other flips. In a tree that is a sum of costs along the path; a set of none or one is
//! the smallest if smaller ones were tried; otherwise the solver counts.

mod enumerate;
mod query;
mod simulation;

use std::collections::HashMap;

use nearmiss_logic::hash::FxBuild;
use nearmiss_logic::stop::Stop;

use super::unfold::{Circuit, Gate, GateId};
use super::{Effort, Mode};
use crate::failure::{Cause, Flip, Pair};
use query::Query;
use simulation::Simulation;

/// What was found on a circuit.
pub(super) struct ExactCauses {
    /// The causes.
    pub causes: Vec<Cause>,
    /// Pairs that are known to be none.
    pub innocent: Vec<Pair>,
    /// Is every pair decided?
    pub complete: bool,
}

/// Work that may still be done: gate visits and conflicts of the solver.
pub(super) struct Budget {
    steps: u64,
    conflicts: u64,
    stop: Stop,
}

/// Gate visits within a budget: about a second's worth.
const STEPS: u64 = 200_000_000;
/// What it costs to set one up.
const SOLVER: usize = 200_000;
/// Conflicts of the solver within a budget.
const CONFLICTS: u64 = 20_000;
/// Witnesses with more flips are not kept.
const LONGEST_WITNESS: usize = 64;
/// The solver counts only in parts with at most this many pairs.
const LARGEST_COUNTED: usize = 200;

impl Budget {
    fn of(effort: &Effort) -> Budget {
        let (steps, conflicts) = match effort.mode {
            Mode::Exact => (u64::MAX, u64::MAX),
            Mode::Fast | Mode::Budget => (STEPS, CONFLICTS),
        };
        Budget { steps, conflicts, stop: effort.stop.clone() }
    }

    /// Spends some steps; false when there are none left.
    fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps as u64);
        self.steps > 0 && !(self.stop.flag.is_some() && self.stop.requested())
    }
}

/// What is known of one independent part.
struct Answer {
    /// Per pair of the part.
    pairs: Vec<Status>,
    /// The fewest flips that make the part true, and such a set; `None` if it is not known.
    repair: Repair,
}

#[derive(Clone, Debug)]
enum Status {
    /// Not decided.
    Open,
    Innocent,
    /// The size of the smallest set of others if known, a set (if not long) and the value given.
    Cause {
        least: Option<usize>,
        others: Option<Vec<(u32, bool)>>,
        to: bool,
    },
}

enum Repair {
    /// It cannot be made true at all.
    Never,
    Unknown,
    /// The flips; are they the fewest?
    By {
        flips: Vec<(u32, bool)>,
        fewest: bool,
    },
}

/// All causes of the circuit's falsehood.
pub(super) fn causes(circuit: &Circuit, effort: &Effort) -> ExactCauses {
    let mut found = ExactCauses { causes: Vec::new(), innocent: Vec::new(), complete: true };
    let mut budget = Budget::of(effort);
    let Some(root) = circuit.root else { return found };
    let parts = split(circuit, root);
    let answers: Vec<Answer> = parts.iter().map(|part| solve(part, &mut budget)).collect();
    if answers.iter().any(|answer| matches!(answer.repair, Repair::Never)) {
        // Nothing makes the whole true.
        found.innocent.extend(&circuit.pairs);
        return found;
    }
    // What all parts need together; a part's own share is taken off below.
    let share = |answer: &Answer| match &answer.repair {
        Repair::By { flips, fewest } => (flips.len(), *fewest),
        Repair::Never | Repair::Unknown => (0, false),
    };
    let total: usize = answers.iter().map(|answer| share(answer).0).sum();
    let not_least = answers.iter().filter(|answer| !share(answer).1).count();
    let unknown = answers.iter().filter(|answer| matches!(answer.repair, Repair::Unknown)).count();
    let repairs: Vec<(usize, &[(u32, bool)])> = (answers.iter().enumerate())
        .filter_map(|(i, answer)| match &answer.repair {
            Repair::By { flips, .. } if !flips.is_empty() => Some((i, flips.as_slice())),
            _ => None,
        })
        .collect();
    for (i, (part, answer)) in parts.iter().zip(&answers).enumerate() {
        let (own, own_fewest) = share(answer);
        let others_unknown = unknown > usize::from(matches!(answer.repair, Repair::Unknown));
        let others_fewest = not_least == usize::from(!own_fewest);
        for (pair, status) in part.pairs.iter().zip(&answer.pairs) {
            match status {
                Status::Innocent => found.innocent.push(*pair),
                Status::Cause { least, others, to } if !others_unknown => {
                    let flips = |part: &Circuit, flips: &[(u32, bool)]| {
                        let flip = |(pair, to): &(u32, bool)| Flip { pair: part.pairs[*pair as usize], to: *to };
                        flips.iter().map(flip).collect::<Vec<Flip>>()
                    };
                    let elsewhere = total - own;
                    let witness = others.as_ref().filter(|others| others.len() + elsewhere <= LONGEST_WITNESS);
                    let witness = witness.map(|others| {
                        let mut all = flips(part, others);
                        let elsewhere = repairs.iter().filter(|(j, _)| i != *j);
                        elsewhere.for_each(|(j, repair)| all.extend(flips(&parts[*j], repair)));
                        all.sort_unstable();
                        (all, *to)
                    });
                    let others = least.filter(|_| others_fewest).map(|least| least + elsewhere);
                    found.causes.push(Cause { pair: *pair, exact: true, direct: true, others, witness });
                }
                Status::Open | Status::Cause { .. } => found.complete = false,
            }
        }
    }
    found
}

/// The parts below the "and"s at the top that have no pair in common, each a circuit of its own.
fn split(circuit: &Circuit, root: GateId) -> Vec<Circuit> {
    let mut tops = Vec::new();
    let mut seen = vec![false; circuit.gates.len()];
    let mut stack = vec![root];
    while let Some(gate) = stack.pop() {
        if !std::mem::replace(&mut seen[gate as usize], true) {
            match &circuit.gates[gate as usize] {
                Gate::And(inputs) => stack.extend(inputs),
                _ => tops.push(gate),
            }
        }
    }
    tops.sort_unstable();
    // Gates by number, then pairs: what is connected gets the same representative.
    let gates = circuit.gates.len();
    let mut group: Vec<u32> = (0..(gates + circuit.pairs.len()) as u32).collect();
    let mut below = vec![false; gates];
    let mut stack = tops.clone();
    while let Some(gate) = stack.pop() {
        if std::mem::replace(&mut below[gate as usize], true) {
            continue;
        }
        match &circuit.gates[gate as usize] {
            Gate::Leaf { pair, .. } => union(&mut group, gate, gates as u32 + pair),
            Gate::And(inputs) | Gate::Or(inputs) => {
                for input in inputs {
                    union(&mut group, gate, *input);
                    stack.push(*input);
                }
            }
        }
    }
    let mut numbers: HashMap<u32, usize, FxBuild> = HashMap::default();
    let mut parts: Vec<(Circuit, Vec<GateId>)> = Vec::new();
    let mut gate_in_part = vec![0; gates];
    let mut pair_in_part: Vec<Option<u32>> = vec![None; circuit.pairs.len()];
    for gate in (0..gates as u32).filter(|gate| below[*gate as usize]) {
        let representative = find(&mut group, gate);
        let number = *numbers.entry(representative).or_insert_with(|| {
            let empty = Circuit { gates: Vec::new(), root: None, pairs: Vec::new(), values: Vec::new() };
            parts.push((empty, Vec::new()));
            parts.len() - 1
        });
        let (part, _) = &mut parts[number];
        let own = |inputs: &[GateId]| inputs.iter().map(|input| gate_in_part[*input as usize]).collect();
        let copied = match &circuit.gates[gate as usize] {
            Gate::Leaf { pair, wants } => {
                let pair = *pair_in_part[*pair as usize].get_or_insert_with(|| {
                    part.pairs.push(circuit.pairs[*pair as usize]);
                    part.values.push(circuit.values[*pair as usize]);
                    part.pairs.len() as u32 - 1
                });
                Gate::Leaf { pair, wants: *wants }
            }
            Gate::And(inputs) => Gate::And(own(inputs)),
            Gate::Or(inputs) => Gate::Or(own(inputs)),
        };
        part.gates.push(copied);
        gate_in_part[gate as usize] = part.gates.len() as GateId - 1;
    }
    for top in tops {
        let representative = find(&mut group, top);
        parts[numbers[&representative]].1.push(gate_in_part[top as usize]);
    }
    let finish = |(mut part, tops): (Circuit, Vec<GateId>)| {
        part.root = match tops[..] {
            [only] => Some(only),
            _ => {
                part.gates.push(Gate::And(tops));
                Some(part.gates.len() as GateId - 1)
            }
        };
        part
    };
    parts.into_iter().map(finish).collect()
}

fn find(group: &mut [u32], mut of: u32) -> u32 {
    while group[of as usize] != of {
        group[of as usize] = group[group[of as usize] as usize];
        of = group[of as usize];
    }
    of
}

fn union(group: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(group, a), find(group, b));
    group[a.max(b) as usize] = a.min(b);
}

/// Decides the pairs of one part.
fn solve(part: &Circuit, budget: &mut Budget) -> Answer {
    let mut simulation = Simulation::new(part);
    let costs = simulation.costs();
    let is_tree = simulation.is_tree();
    if !is_tree && part.pairs.len() <= enumerate::MOST_PAIRS {
        budget.spend(part.gates.len() << (2 * part.pairs.len()));
        return enumerate::solve(part, &mut simulation);
    }
    let mut pairs = vec![Status::Open; part.pairs.len()];
    let repair = if simulation.root() {
        Repair::By { flips: Vec::new(), fewest: true }
    } else {
        match simulation.set_for(&costs, simulation.root_gate(), true) {
            // In a tree the cheapest set is right; elsewhere it has to be tried.
            Some(flips) if is_tree || simulation.makes_true(&flips) => {
                let fewest = is_tree || flips.len() == 1;
                Repair::By { flips, fewest }
            }
            _ => Repair::Unknown,
        }
    };
    let mut answer_repair = repair;
    for pair in 0..part.pairs.len() as u32 {
        if !simulation.can_help(pair) {
            pairs[pair as usize] = Status::Innocent;
            continue;
        }
        if !budget.spend(1) {
            continue;
        }
        if is_tree {
            // No conflict is possible: the costs along the path are what is needed.
            let (others, to) = simulation.set_beside(&costs, pair);
            pairs[pair as usize] = Status::Cause { least: Some(costs.need(&simulation, pair)), others, to };
            continue;
        }
        if let Some((others, to)) = simulation.try_to_decide(&costs, pair, budget) {
            let least = (others.len() <= 1).then_some(others.len());
            pairs[pair as usize] = Status::Cause { least, others: Some(others), to };
        }
    }
    let open = |status: &Status| matches!(status, Status::Open);
    let uncounted = |status: &Status| matches!(status, Status::Cause { least: None, .. });
    let countable = part.pairs.len() <= LARGEST_COUNTED && pairs.iter().any(uncounted);
    let repair_open = matches!(answer_repair, Repair::Unknown)
        || (part.pairs.len() <= LARGEST_COUNTED && matches!(answer_repair, Repair::By { fewest: false, .. }));
    if (pairs.iter().any(open) || countable || repair_open) && budget.steps > 0 {
        // A solver is not for nothing.
        budget.spend(SOLVER + part.gates.len() * 4);
        let mut query = Query::new(part, budget);
        if repair_open {
            query.repair(&mut answer_repair, part.pairs.len() <= LARGEST_COUNTED, budget);
        }
        if matches!(answer_repair, Repair::Never) {
            pairs.fill(Status::Innocent);
            return Answer { pairs, repair: answer_repair };
        }
        for pair in 0..pairs.len() {
            if open(&pairs[pair]) {
                query.decide(pair as u32, &mut pairs, budget);
            }
            if part.pairs.len() <= LARGEST_COUNTED && uncounted(&pairs[pair]) {
                query.count(pair as u32, &mut pairs[pair], budget);
            }
        }
    }
    Answer { pairs, repair: answer_repair }
}
