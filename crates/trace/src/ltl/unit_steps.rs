//! Bounded operators written as steps of one: `X[3] p` as `X X X p`.
//!
//! Encodings that go from position to position need no more than this. Cost: a node per step, up to a limit.

use super::core::{Core, Node, NodeId, Quantifier, Strength};

/// More steps than this ahead or behind are refused.
const MOST_NODES: usize = 2_000;

/// Are the bounds of the formula's operators so small that steps of one are few?
pub fn are_few(core: &Core) -> bool {
    unit_steps(core).is_some()
}

/// The same formula with operators that look one step ahead or behind; none if there would be too many.
pub fn unit_steps(core: &Core) -> Option<Core> {
    let mut steps = Steps::default();
    for node in &core.nodes {
        let made = steps.make(node)?;
        steps.places.push(made);
        if steps.nodes.len() > MOST_NODES.max(4 * core.nodes.len()) {
            return None;
        }
    }
    let Steps { mut nodes, places, open } = steps;
    for (at, target) in open {
        if let Node::Next { body, .. } = &mut nodes[at] {
            *body = places[target.0 as usize];
        }
    }
    Some(Core { nodes, root: places[core.root.0 as usize], atoms: core.atoms })
}

/// The formula while it is rewritten.
#[derive(Default)]
struct Steps {
    nodes: Vec<Node>,
    /// Where each node of the given formula has gone, as far as it is rewritten.
    places: Vec<NodeId>,
    /// Targets that are not known yet, by the `Next` that points to them.
    open: Vec<(usize, NodeId)>,
}

/// Which way a bounded operator looks.
#[derive(Clone, Copy)]
enum Direction {
    Ahead,
    Behind,
}

impl Steps {
    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn place(&self, id: &NodeId) -> NodeId {
        self.places.get(id.0 as usize).copied().unwrap_or(*id)
    }

    /// The node in steps of one; none if there would be too many.
    fn make(&mut self, node: &Node) -> Option<NodeId> {
        let places = |parts: &[NodeId]| parts.iter().map(|part| self.place(part)).collect();
        let rewritten = match node {
            Node::Next { by, body, strength } => return Some(self.next(*by, *body, *strength)),
            Node::Previous { by, body, strength } => return Some(self.previous(*by, *body, *strength)),
            Node::Ahead { quantifier, from, to, body } => {
                return self.window(Direction::Ahead, *quantifier, (*from, *to), *body);
            }
            Node::Behind { quantifier, from, to, body } => {
                return self.window(Direction::Behind, *quantifier, (*from, *to), *body);
            }
            Node::And(parts) => Node::And(places(parts)),
            Node::Or(parts) => Node::Or(places(parts)),
            Node::Until { hold, goal, strength } => {
                Node::Until { hold: self.place(hold), goal: self.place(goal), strength: *strength }
            }
            Node::Release { stop, keep, strength } => {
                Node::Release { stop: self.place(stop), keep: self.place(keep), strength: *strength }
            }
            Node::Since { hold, goal } => Node::Since { hold: self.place(hold), goal: self.place(goal) },
            Node::Trigger { stop, keep } => Node::Trigger { stop: self.place(stop), keep: self.place(keep) },
            leaf @ (Node::Constant(_) | Node::Literal { .. }) => leaf.clone(),
        };
        Some(self.push(rewritten))
    }

    fn next(&mut self, by: u32, body: NodeId, strength: Strength) -> NodeId {
        let mut last = self.push(Node::Next { by: 1, body: self.place(&body), strength });
        if body.0 as usize >= self.places.len() {
            self.open.push((last.0 as usize, body));
        }
        for _ in 1..by.min(MOST_NODES as u32 + 1) {
            last = self.push(Node::Next { by: 1, body: last, strength });
        }
        last
    }

    fn previous(&mut self, by: u32, body: NodeId, strength: Strength) -> NodeId {
        let mut last = self.place(&body);
        for _ in 0..by.min(MOST_NODES as u32 + 1) {
            last = self.push(Node::Previous { by: 1, body: last, strength });
        }
        last
    }

    /// All or any of the body from so many steps away to so many: now or one step on, again and again.
    fn window(
        &mut self,
        direction: Direction,
        quantifier: Quantifier,
        (from, to): (u32, u32),
        body: NodeId,
    ) -> Option<NodeId> {
        if to as usize > MOST_NODES {
            return None;
        }
        let strength = if quantifier == Quantifier::All { Strength::Weak } else { Strength::Strong };
        let step = |body: NodeId| match direction {
            Direction::Ahead => Node::Next { by: 1, body, strength },
            Direction::Behind => Node::Previous { by: 1, body, strength },
        };
        let body = self.place(&body);
        let mut window = body;
        for _ in from..to {
            let moved = self.push(step(window));
            window = self.push(match quantifier {
                Quantifier::All => Node::And(vec![body, moved]),
                Quantifier::Any => Node::Or(vec![body, moved]),
            });
        }
        for _ in 0..from {
            window = self.push(step(window));
        }
        Some(window)
    }
}
