//! Which nodes of a formula depend on each other in a cycle, and the values of those that do, position by position.
//!
//! A cycle goes through `Next`, so within one position the order of the arena is an order of evaluation, and positions are
//! taken from the last to the first. On a loop this is repeated until nothing changes: the values only grow (strong cycles start from
//! false) or only shrink (weak ones from true), so that it ends.

use super::beyond;
use crate::bits::Bits;
use crate::ltl::core::{Core, End, Node, NodeId};

/// The nodes of a formula in groups that depend on each other, children before parents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Components {
    order: Vec<NodeId>,
    /// Where each group starts in `order`; one more at the end.
    starts: Vec<usize>,
    cyclic: Vec<bool>,
    of_node: Vec<u32>,
}

impl Components {
    /// Tarjan's algorithm, without recursion.
    pub fn of(core: &Core) -> Components {
        let count = core.nodes.len();
        let children: Vec<Vec<NodeId>> = core.nodes.iter().map(Node::children).collect();
        let (mut index, mut low) = (vec![u32::MAX; count], vec![0u32; count]);
        let (mut on_stack, mut stack, mut next) = (vec![false; count], Vec::new(), 0);
        let mut components = Components {
            order: Vec::with_capacity(count),
            starts: vec![0],
            cyclic: vec![false; count],
            of_node: vec![0; count],
        };
        for root in 0..count {
            if index[root] != u32::MAX {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((node, child)) = path.pop() {
                if child == 0 {
                    (index[node], low[node]) = (next, next);
                    next += 1;
                    stack.push(node);
                    on_stack[node] = true;
                }
                if let Some(target) = children[node].get(child).map(|id| id.0 as usize) {
                    path.push((node, child + 1));
                    if index[target] == u32::MAX {
                        path.push((target, 0));
                    } else if on_stack[target] {
                        low[node] = low[node].min(index[target]);
                    }
                    continue;
                }
                if let Some((parent, _)) = path.last() {
                    low[*parent] = low[*parent].min(low[node]);
                }
                if low[node] == index[node] {
                    let from = stack.iter().rposition(|other| *other == node).unwrap_or(0);
                    let mut members: Vec<usize> = stack.split_off(from);
                    members.sort_unstable();
                    let cyclic = members.len() > 1 || children[node].iter().any(|child| child.0 as usize == node);
                    for member in members {
                        on_stack[member] = false;
                        components.cyclic[member] = cyclic;
                        components.of_node[member] = components.starts.len() as u32 - 1;
                        components.order.push(NodeId(member as u32));
                    }
                    components.starts.push(components.order.len());
                }
            }
        }
        components
    }

    /// The groups; within one, in the order of the arena.
    pub fn children_first(&self) -> impl DoubleEndedIterator<Item = &[NodeId]> {
        self.starts.windows(2).map(|pair| &self.order[pair[0]..pair[1]])
    }

    /// Does the node depend on itself at a later position, other than as `Until` and `Release` do?
    pub fn is_cyclic(&self, node: NodeId) -> bool {
        self.cyclic[node.0 as usize]
    }

    /// Are two nodes in the same group?
    pub fn together(&self, a: NodeId, b: NodeId) -> bool {
        self.of_node[a.0 as usize] == self.of_node[b.0 as usize]
    }

    /// How many nodes are in the group of this one.
    pub(crate) fn size(&self, node: NodeId) -> usize {
        let group = self.of_node[node.0 as usize] as usize;
        self.starts[group + 1] - self.starts[group]
    }
}

/// Fills the rows of a group that depends on itself.
pub(super) fn evaluate(core: &Core, nodes: &[NodeId], rows: &mut [Bits], len: usize, end: End) {
    // On a loop, iteration starts from the value that stands for "beyond"; elsewhere each value is set before it is read.
    let first = strong_or_weak(core, nodes);
    nodes.iter().for_each(|node| rows[node.0 as usize] = Bits::filled(len, first));
    let sweep = |rows: &mut [Bits], from: usize, to: usize| {
        let mut changed = false;
        for at in (from..to).rev() {
            for node in nodes {
                let value = value(core, rows, *node, at, len, end);
                if rows[node.0 as usize].get(at) != value {
                    rows[node.0 as usize].set(at, value);
                    changed = true;
                }
            }
        }
        changed
    };
    match end {
        End::Loop(start) => {
            while sweep(rows, start, len) {}
            sweep(rows, 0, start);
        }
        _ => {
            sweep(rows, 0, len);
        }
    }
}

/// The value from which a group's iteration on a loop starts: that of its `Next`.
fn strong_or_weak(core: &Core, nodes: &[NodeId]) -> bool {
    let next = nodes.iter().map(|node| core.node(*node)).find(|node| matches!(node, Node::Next { .. }));
    next.is_none_or(|node| beyond(node, End::Whole))
}

/// The value of a node of a group at a position, from rows that are right for later positions and earlier nodes.
fn value(core: &Core, rows: &[Bits], id: NodeId, at: usize, len: usize, end: End) -> bool {
    let node = core.node(id);
    let now = |node: NodeId| rows[node.0 as usize].get(at);
    let later = |body: NodeId, by: usize| match end {
        _ if at + by < len => rows[body.0 as usize].get(at + by),
        End::Loop(start) => rows[body.0 as usize].get(start + (at + by - len) % (len - start)),
        _ => beyond(node, end),
    };
    match node {
        Node::And(parts) => parts.iter().all(|part| now(*part)),
        Node::Or(parts) => parts.iter().any(|part| now(*part)),
        Node::Next { by, body, .. } => later(*body, *by as usize),
        Node::Until { hold, goal, .. } => now(*goal) || (now(*hold) && later(id, 1)),
        Node::Release { stop, keep, .. } => now(*keep) && (now(*stop) || later(id, 1)),
        _ => unreachable!("only these occur on a cycle through `Next`"),
    }
}

/// Hands what is reached of a group on to its members and to the children outside.
pub(super) fn reach(core: &Core, nodes: &[NodeId], fails: &[Bits], reached: &mut [Bits], end: End) {
    let len = fails[nodes[0].0 as usize].len();
    let target = |at: usize, by: usize| match end {
        _ if at + by < len => Some(at + by),
        End::Loop(start) => Some(start + (at + by - len) % (len - start)),
        _ => None,
    };
    loop {
        let mut changed_behind = false;
        for at in 0..len {
            for id in nodes.iter().rev() {
                if !reached[id.0 as usize].get(at) {
                    continue;
                }
                let mut hand_on = |child: NodeId, to: usize| {
                    let (child, bits) = (child.0 as usize, &mut *reached);
                    if fails[child].get(to) && !bits[child].get(to) {
                        bits[child].set(to, true);
                        changed_behind |= to <= at;
                    }
                };
                let again = target(at, 1).filter(|to| fails[id.0 as usize].get(*to));
                match core.node(*id) {
                    Node::And(parts) | Node::Or(parts) => parts.iter().for_each(|part| hand_on(*part, at)),
                    Node::Next { by, body, .. } => {
                        if let Some(to) = target(at, *by as usize) {
                            hand_on(*body, to);
                        }
                    }
                    Node::Until { hold, goal, .. } => {
                        hand_on(*hold, at);
                        hand_on(*goal, at);
                        again.into_iter().for_each(|to| hand_on(*id, to));
                    }
                    Node::Release { stop, keep, .. } => {
                        hand_on(*keep, at);
                        let on_fails = again.is_some() || (target(at, 1).is_none() && !beyond(core.node(*id), end));
                        if on_fails && fails[stop.0 as usize].get(at) {
                            hand_on(*stop, at);
                            again.into_iter().for_each(|to| hand_on(*id, to));
                        }
                    }
                    _ => unreachable!("only these occur on a cycle through `Next`"),
                }
            }
        }
        // Within a position, parents come first (the arena backwards), so only a step back in time needs another round.
        if !changed_behind || !matches!(end, End::Loop(_)) {
            return;
        }
    }
}
