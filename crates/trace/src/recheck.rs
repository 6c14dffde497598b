//! A failure on a trace and its causes, judged again: every operator from its own definition, one position after the other.
//!
//! Shares nothing with the evaluator that works on machine words, nor with the unfolded circuits. Cost: nodes times positions per
//! question, so that with very many causes on a long trace only some are asked about again, spread evenly.

use std::collections::HashMap;

use crate::bits::Truth;
use crate::failure::{After, Cause, Failure, Flip, Pair};
use crate::ltl::core::{Core, Node, NodeId, Quantifier, Strength};
use crate::ltl_eval::End;

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
        let table = trace.evaluate(positions, failure.end, flips);
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

    /// The value of every node at every position, with some pairs given other values.
    fn evaluate(&self, positions: usize, end: End, flips: &HashMap<Pair, bool>) -> Vec<Vec<bool>> {
        let nodes = &self.core.nodes;
        let mut table: Vec<Vec<bool>> = vec![Vec::new(); nodes.len()];
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
                table[first] = self.row(first, positions, end, flips, &table);
            } else {
                self.bound_together(first..last + 1, positions, end, flips, &mut table);
            }
            first = last + 1;
        }
        table
    }

    /// The row of a node whose children are known.
    fn row(
        &self,
        index: usize,
        positions: usize,
        end: End,
        flips: &HashMap<Pair, bool>,
        table: &[Vec<bool>],
    ) -> Vec<bool> {
        let node = &self.core.nodes[index];
        let of = |id: NodeId, at: usize| table[id.0 as usize][at];
        // The position that comes so much later, or the value beyond the end.
        let later = |at: usize, by: usize| -> Result<usize, bool> {
            match end {
                _ if at + by < positions => Ok(at + by),
                End::Loop(start) => Ok(start + (at + by - start) % (positions - start)),
                _ => Err(beyond(node, end)),
            }
        };
        let recursive_ahead = |first: NodeId, second: NodeId, step: fn(bool, bool, bool) -> bool| {
            let (first, second) = (&table[first.0 as usize], &table[second.0 as usize]);
            let mut row = vec![false; positions];
            let mut onward = beyond(node, end);
            for _ in 0..if matches!(end, End::Loop(_)) { 2 } else { 1 } {
                for at in (0..positions).rev() {
                    onward = step(first[at], second[at], onward);
                    row[at] = onward;
                }
                if let End::Loop(start) = end {
                    onward = row[start];
                }
            }
            row
        };
        let recursive_behind = |first: NodeId, second: NodeId, before: bool, step: fn(bool, bool, bool) -> bool| {
            let (first, second) = (&table[first.0 as usize], &table[second.0 as usize]);
            let mut so_far = before;
            let mut row = Vec::with_capacity(positions);
            for at in 0..positions {
                so_far = step(first[at], second[at], so_far);
                row.push(so_far);
            }
            row
        };
        let every = |value: &dyn Fn(usize) -> bool| (0..positions).map(value).collect::<Vec<bool>>();
        let fold = |parts: &[NodeId], start: bool, join: fn(bool, bool) -> bool| {
            let mut row = vec![start; positions];
            for part in parts {
                row.iter_mut().zip(&table[part.0 as usize]).for_each(|(value, other)| *value = join(*value, *other));
            }
            row
        };
        let until = |goal: bool, hold: bool, on: bool| goal || (hold && on);
        let release = |keep: bool, stop: bool, on: bool| keep && (stop || on);
        match node {
            Node::Constant(value) => vec![*value; positions],
            Node::Literal { atom, negated } => {
                let truth = &self.word[atom.0 as usize];
                let truth = if *negated { &truth.no } else { &truth.yes };
                let mut row: Vec<bool> = (0..positions).map(|at| truth.get(self.row_of(at))).collect();
                for (pair, to) in flips.iter().filter(|(pair, _)| pair.atom == *atom) {
                    let length = self.rows - if let After::Row(start) = self.after { start } else { 0 };
                    // In every round of the loop.
                    let again = (pair.row..positions).step_by(length).filter(|at| self.row_of(*at) == pair.row);
                    again.for_each(|at| row[at] = to != negated);
                }
                row
            }
            Node::And(parts) => fold(parts, true, |a, b| a && b),
            Node::Or(parts) => fold(parts, false, |a, b| a || b),
            Node::Next { by, body, .. } => every(&|at| match later(at, *by as usize) {
                Ok(target) => of(*body, target),
                Err(value) => value,
            }),
            Node::Previous { by, body, strength } => every(&|at| match at.checked_sub(*by as usize) {
                Some(target) => of(*body, target),
                None => *strength == Strength::Weak,
            }),
            Node::Until { hold, goal, .. } => recursive_ahead(*goal, *hold, until),
            Node::Release { stop, keep, .. } => recursive_ahead(*keep, *stop, release),
            Node::Since { hold, goal } => recursive_behind(*goal, *hold, false, until),
            Node::Trigger { stop, keep } => recursive_behind(*keep, *stop, true, release),
            Node::Ahead { quantifier, from, to, body } => every(&|at| {
                // Far beyond the end, or round the loop, nothing new comes.
                let most = (*to as usize).min(*from as usize + positions);
                let mut values =
                    (*from as usize..=most).map(|by| later(at, by).map_or_else(|value| value, |at| of(*body, at)));
                match quantifier {
                    Quantifier::All => values.all(|value| value),
                    Quantifier::Any => values.any(|value| value),
                }
            }),
            Node::Behind { quantifier, from, to, body } => every(&|at| {
                let nearest = at.checked_sub(*from as usize);
                let mut there = nearest.map_or(0..0, |nearest| at.saturating_sub(*to as usize)..nearest + 1);
                match quantifier {
                    Quantifier::All => there.all(|at| of(*body, at)),
                    Quantifier::Any => there.any(|at| of(*body, at)),
                }
            }),
        }
    }

    /// Nodes that refer to each other through `Next`, from the last position to the first, on a loop as often as anything changes.
    fn bound_together(
        &self,
        range: std::ops::Range<usize>,
        positions: usize,
        end: End,
        flips: &HashMap<Pair, bool>,
        table: &mut [Vec<bool>],
    ) {
        let nodes = &self.core.nodes;
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
                table[i] = self.row(i, positions, end, flips, table);
            }
        }
        let weak = targets.iter().all(|i| beyond(&nodes[*i], End::Whole));
        let members: Vec<usize> = range.clone().filter(|i| bound[i - range.start]).collect();
        for i in &members {
            table[*i] = vec![weak; positions];
        }
        loop {
            let mut changed = false;
            for at in (0..positions).rev() {
                for i in &members {
                    let node = &nodes[*i];
                    let later = |id: NodeId, by: usize| match end {
                        _ if at + by < positions => table[id.0 as usize][at + by],
                        End::Loop(start) => table[id.0 as usize][start + (at + by - start) % (positions - start)],
                        _ => beyond(node, end),
                    };
                    let now = |id: NodeId| table[id.0 as usize][at];
                    let value = match node {
                        Node::And(parts) => parts.iter().all(|part| now(*part)),
                        Node::Or(parts) => parts.iter().any(|part| now(*part)),
                        Node::Next { by, body, .. } => later(*body, *by as usize),
                        Node::Until { hold, goal, .. } => now(*goal) || (now(*hold) && later(NodeId(*i as u32), 1)),
                        Node::Release { stop, keep, .. } => now(*keep) && (now(*stop) || later(NodeId(*i as u32), 1)),
                        // Others do not stand on a cycle; above one they see what is there so far.
                        _ => self.row(*i, positions, end, flips, table)[at],
                    };
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
