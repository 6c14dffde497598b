//! A failure on a trace and its causes, judged again: every operator from its own definition, one position after the other.
//!
//! Shares nothing with the evaluator that works on machine words (`ltl_eval`), nor with the unfolded circuits (`search`). Cost: nodes times positions per
//! question, so that with very many causes on a long trace only some are asked about again, spread evenly.

use std::collections::HashMap;
use std::ops::Range;

use crate::bits::Truth;
use crate::failure::{After, Cause, Failure, Flip, Pair};
use crate::ltl::core::{AtomId, Core, End, Node, NodeId, Quantifier, Strength};

/// Node values that are computed again, at most.
const MOST_WORK: usize = 50_000_000;

/// A trace as the check sees it.
#[derive(Clone, Copy)]
pub struct Trace<'a> {
    /// The formula.
    pub core: &'a Core,
    /// The truth of its atoms on the rows.
    pub word: &'a [Truth],
    /// How many rows.
    pub rows: usize,
    /// What comes after them.
    pub after: After,
}

/// Is it a failure, the first of its roots, and are the causes that are said to be certain so? The error says which is not.
pub fn check(trace: &Trace, failure: &Failure, causes: &[Cause]) -> Result<(), String> {
    let none = HashMap::new();
    let fails = |positions: usize, flips: &HashMap<Pair, bool>| {
        let table = Run { trace, positions, end: failure.end, flips }.table();
        failure.roots.iter().any(|(node, at)| *at < positions && !table[node.0 as usize][*at])
    };
    if !fails(failure.positions, &none) {
        return Err(format!("the formula does not fail on {} positions", failure.positions));
    }
    if failure.end == End::Open && failure.positions > 1 && fails(failure.positions - 1, &none) {
        return Err(format!("the formula fails before position {}", failure.positions - 1));
    }
    let certain: Vec<&Cause> = causes.iter().filter(|cause| cause.exact && cause.witness.is_some()).collect();
    let work = 2 * failure.positions.max(1) * trace.core.nodes.len();
    let stride = (certain.len() * work).div_ceil(MOST_WORK).max(1);
    for cause in certain.iter().step_by(stride) {
        let Some((others, to)) = &cause.witness else { continue };
        let mut flips: HashMap<Pair, bool> = others.iter().map(|Flip { pair, to }| (*pair, *to)).collect();
        if flips.contains_key(&cause.pair) || !fails(failure.positions, &flips) {
            return Err(format!("{:?}: the other flips alone repair the formula", cause.pair));
        }
        flips.insert(cause.pair, *to);
        if fails(failure.positions, &flips) {
            return Err(format!("{:?}: the formula still fails", cause.pair));
        }
    }
    Ok(())
}

impl Trace<'_> {
    fn row_of(&self, position: usize) -> usize {
        match self.after {
            After::Row(start) if position >= self.rows => start + (position - start) % (self.rows - start),
            _ => position,
        }
    }
}

/// The trace on so many positions, with some pairs given other values.
struct Run<'a> {
    trace: &'a Trace<'a>,
    positions: usize,
    end: End,
    flips: &'a HashMap<Pair, bool>,
}

/// Per node, its value at every position; of nodes that are not judged yet, nothing.
type Table = Vec<Vec<bool>>;

/// How a recursive operator gets its value from those of its two operands and of itself one step on.
type Step = fn(bool, bool, bool) -> bool;

fn until(goal: bool, hold: bool, on: bool) -> bool {
    goal || (hold && on)
}

fn release(keep: bool, stop: bool, on: bool) -> bool {
    keep && (stop || on)
}

fn quantified(quantifier: Quantifier, mut values: impl Iterator<Item = bool>) -> bool {
    match quantifier {
        Quantifier::All => values.all(|value| value),
        Quantifier::Any => values.any(|value| value),
    }
}

impl Run<'_> {
    /// The value of every node at every position.
    fn table(&self) -> Table {
        let nodes = &self.trace.core.nodes;
        let mut table: Table = vec![Vec::new(); nodes.len()];
        let mut first = 0;
        while first < nodes.len() {
            // A `Next` that points onward binds everything up to its target together.
            let mut last = first;
            let mut at = first;
            while at <= last {
                if let Node::Next { body, .. } = &nodes[at] {
                    last = last.max(body.0 as usize);
                }
                at += 1;
            }
            if first == last {
                table[first] = self.row(first, &table);
            } else {
                self.bound_together(first..last + 1, &mut table);
            }
            first = last + 1;
        }
        table
    }

    /// The row of a node whose children are known.
    fn row(&self, index: usize, table: &Table) -> Vec<bool> {
        let node = &self.trace.core.nodes[index];
        let of = |id: NodeId, at: usize| table[id.0 as usize][at];
        let every = |value: &dyn Fn(usize) -> bool| (0..self.positions).map(value).collect::<Vec<bool>>();
        match node {
            Node::Constant(value) => vec![*value; self.positions],
            Node::Literal { atom, negated } => self.literal(*atom, *negated),
            Node::And(parts) => self.fold(parts, true, |a, b| a && b, table),
            Node::Or(parts) => self.fold(parts, false, |a, b| a || b, table),
            Node::Next { by, body, .. } => every(&|at| match self.later(node, at, *by as usize) {
                Ok(target) => of(*body, target),
                Err(value) => value,
            }),
            Node::Previous { by, body, strength } => every(&|at| match at.checked_sub(*by as usize) {
                Some(target) => of(*body, target),
                None => *strength == Strength::Weak,
            }),
            Node::Until { hold, goal, .. } => self.recursive_ahead(node, (*goal, *hold), until, table),
            Node::Release { stop, keep, .. } => self.recursive_ahead(node, (*keep, *stop), release, table),
            Node::Since { hold, goal } => self.recursive_behind((*goal, *hold), false, until, table),
            Node::Trigger { stop, keep } => self.recursive_behind((*keep, *stop), true, release, table),
            Node::Ahead { quantifier, from, to, body } => every(&|at| {
                // Far beyond the end, or round the loop, nothing new comes.
                let most = (*to as usize).min(*from as usize + self.positions);
                let there = (*from as usize..=most).map(|by| self.later(node, at, by));
                quantified(*quantifier, there.map(|place| place.map_or_else(|value| value, |at| of(*body, at))))
            }),
            Node::Behind { quantifier, from, to, body } => every(&|at| {
                let nearest = at.checked_sub(*from as usize);
                let there = nearest.map_or(0..0, |nearest| at.saturating_sub(*to as usize)..nearest + 1);
                quantified(*quantifier, there.map(|at| of(*body, at)))
            }),
        }
    }

    /// The position that comes so much later, or the value beyond the end.
    fn later(&self, node: &Node, at: usize, by: usize) -> Result<usize, bool> {
        match self.end {
            _ if at + by < self.positions => Ok(at + by),
            End::Loop(start) => Ok(start + (at + by - start) % (self.positions - start)),
            _ => Err(beyond(node, self.end)),
        }
    }

    fn literal(&self, atom: AtomId, negated: bool) -> Vec<bool> {
        let trace = self.trace;
        let truth = &trace.word[atom.0 as usize];
        let truth = if negated { &truth.no } else { &truth.yes };
        let mut row: Vec<bool> = (0..self.positions).map(|at| truth.get(trace.row_of(at))).collect();
        for (pair, to) in self.flips.iter().filter(|(pair, _)| pair.atom == atom) {
            let length = trace.rows - if let After::Row(start) = trace.after { start } else { 0 };
            // In every round of the loop.
            let again = (pair.row..self.positions).step_by(length).filter(|at| trace.row_of(*at) == pair.row);
            again.for_each(|at| row[at] = *to != negated);
        }
        row
    }

    fn fold(&self, parts: &[NodeId], start: bool, join: fn(bool, bool) -> bool, table: &Table) -> Vec<bool> {
        let mut row = vec![start; self.positions];
        for part in parts {
            row.iter_mut().zip(&table[part.0 as usize]).for_each(|(value, other)| *value = join(*value, *other));
        }
        row
    }

    /// From the last position to the first; on a loop twice, the second time with what the first gave at its start.
    fn recursive_ahead(&self, node: &Node, (first, second): (NodeId, NodeId), step: Step, table: &Table) -> Vec<bool> {
        let (first, second) = (&table[first.0 as usize], &table[second.0 as usize]);
        let mut row = vec![false; self.positions];
        let mut onward = beyond(node, self.end);
        for _ in 0..if matches!(self.end, End::Loop(_)) { 2 } else { 1 } {
            for at in (0..self.positions).rev() {
                onward = step(first[at], second[at], onward);
                row[at] = onward;
            }
            if let End::Loop(start) = self.end {
                onward = row[start];
            }
        }
        row
    }

    fn recursive_behind(
        &self,
        (first, second): (NodeId, NodeId),
        before: bool,
        step: Step,
        table: &Table,
    ) -> Vec<bool> {
        let (first, second) = (&table[first.0 as usize], &table[second.0 as usize]);
        let mut so_far = before;
        let mut row = Vec::with_capacity(self.positions);
        for at in 0..self.positions {
            so_far = step(first[at], second[at], so_far);
            row.push(so_far);
        }
        row
    }

    /// Nodes that refer to each other through `Next`, from the last position to the first, on a loop as often as anything changes.
    fn bound_together(&self, range: Range<usize>, table: &mut Table) {
        let nodes = &self.trace.core.nodes;
        // What depends on a later node of the range, or on something that does.
        let mut bound = vec![false; range.len()];
        let targets: Vec<usize> = (range.clone())
            .filter(|i| matches!(&nodes[*i], Node::Next { body, .. } if body.0 as usize >= *i))
            .collect();
        for i in range.clone() {
            let below = |child: &NodeId| {
                let child = child.0 as usize;
                child >= range.start && (child >= i || bound[child - range.start])
            };
            bound[i - range.start] = targets.contains(&i) || nodes[i].children().iter().any(below);
            if !bound[i - range.start] {
                table[i] = self.row(i, table);
            }
        }
        let weak = targets.iter().all(|i| beyond(&nodes[*i], End::Whole));
        let members: Vec<usize> = range.clone().filter(|i| bound[i - range.start]).collect();
        for i in &members {
            table[*i] = vec![weak; self.positions];
        }
        loop {
            let mut changed = false;
            for at in (0..self.positions).rev() {
                for i in &members {
                    let value = self.value_on_a_cycle(*i, at, table);
                    if table[*i][at] != value {
                        table[*i][at] = value;
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The value of a node at a position from what its children are so far.
    fn value_on_a_cycle(&self, index: usize, at: usize, table: &Table) -> bool {
        let node = &self.trace.core.nodes[index];
        let now = |id: NodeId| table[id.0 as usize][at];
        let later = |id: NodeId, by: usize| match self.later(node, at, by) {
            Ok(target) => table[id.0 as usize][target],
            Err(value) => value,
        };
        let itself = NodeId(index as u32);
        match node {
            Node::And(parts) => parts.iter().all(|part| now(*part)),
            Node::Or(parts) => parts.iter().any(|part| now(*part)),
            Node::Next { by, body, .. } => later(*body, *by as usize),
            Node::Until { hold, goal, .. } => now(*goal) || (now(*hold) && later(itself, 1)),
            Node::Release { stop, keep, .. } => now(*keep) && (now(*stop) || later(itself, 1)),
            // Others do not stand on a cycle; above one they see what is there so far.
            _ => self.row(index, table)[at],
        }
    }
}

/// What holds beyond the end: everything while more may come; by strength where nothing comes, and as the start of what a loop
/// converges to.
fn beyond(node: &Node, end: End) -> bool {
    let weak = match node {
        Node::Next { strength, .. } | Node::Until { strength, .. } | Node::Release { strength, .. } => {
            *strength == Strength::Weak
        }
        Node::Ahead { quantifier, .. } => *quantifier == Quantifier::All,
        _ => true,
    };
    match end {
        End::Open => true,
        End::Due => weak && matches!(node, Node::Until { .. } | Node::Release { .. }),
        End::Whole | End::Loop(_) => weak,
    }
}
