//! Bounded operators written as steps of one: `X[3] p` as `X X X p`.
//!
//! Encodings that go from position to position need no more than this.

use super::core::{Core, Node, NodeId, Quantifier, Strength};

/// More steps than this ahead or behind are refused.
const MOST_NODES: usize = 2_000;

/// Are the bounds of the formula's operators so small that steps of one are few?
pub fn are_few(core: &Core) -> bool {
    unit_steps(core).is_some()
}

/// The same formula with operators that look one step ahead or behind; none if there would be too many.
pub fn unit_steps(core: &Core) -> Option<Core> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut places: Vec<NodeId> = Vec::new();
    // Targets that are not known yet, by the `Next` that points to them.
    let mut open: Vec<(usize, NodeId)> = Vec::new();
    for node in &core.nodes {
        let place = |id: &NodeId| places.get(id.0 as usize).copied().unwrap_or(*id);
        let mut push = |node: Node| {
            nodes.push(node);
            NodeId(nodes.len() as u32 - 1)
        };
        let (quantifier, from, to, body) = match node {
            Node::Ahead { quantifier, from, to, body } | Node::Behind { quantifier, from, to, body } => {
                (*quantifier, *from, *to, place(body))
            }
            _ => (Quantifier::All, 0, 0, NodeId(0)),
        };
        let strength = if quantifier == Quantifier::All { Strength::Weak } else { Strength::Strong };
        let move_one = |body: NodeId| match node {
            Node::Behind { .. } => Node::Previous { by: 1, body, strength },
            _ => Node::Next { by: 1, body, strength },
        };
        let made = match node {
            Node::Next { by, body, strength } => {
                let strength = *strength;
                let mut last = push(Node::Next { by: 1, body: place(body), strength });
                if body.0 as usize >= places.len() {
                    open.push((last.0 as usize, *body));
                }
                for _ in 1..(*by).min(MOST_NODES as u32 + 1) {
                    last = push(Node::Next { by: 1, body: last, strength });
                }
                last
            }
            Node::Previous { by, body, strength } => {
                let mut last = place(body);
                for _ in 0..(*by).min(MOST_NODES as u32 + 1) {
                    last = push(Node::Previous { by: 1, body: last, strength: *strength });
                }
                last
            }
            Node::Ahead { .. } | Node::Behind { .. } => {
                if to as usize > MOST_NODES {
                    return None;
                }
                let mut window = body;
                for _ in from..to {
                    let moved = push(move_one(window));
                    window = push(match quantifier {
                        Quantifier::All => Node::And(vec![body, moved]),
                        Quantifier::Any => Node::Or(vec![body, moved]),
                    });
                }
                for _ in 0..from {
                    window = push(move_one(window));
                }
                window
            }
            Node::And(parts) => push(Node::And(parts.iter().map(place).collect())),
            Node::Or(parts) => push(Node::Or(parts.iter().map(place).collect())),
            Node::Until { hold, goal, strength } => {
                push(Node::Until { hold: place(hold), goal: place(goal), strength: *strength })
            }
            Node::Release { stop, keep, strength } => {
                push(Node::Release { stop: place(stop), keep: place(keep), strength: *strength })
            }
            Node::Since { hold, goal } => push(Node::Since { hold: place(hold), goal: place(goal) }),
            Node::Trigger { stop, keep } => push(Node::Trigger { stop: place(stop), keep: place(keep) }),
            leaf @ (Node::Constant(_) | Node::Literal { .. }) => push(leaf.clone()),
        };
        places.push(made);
        if nodes.len() > MOST_NODES.max(4 * core.nodes.len()) {
            return None;
        }
    }
    for (at, target) in open {
        if let Node::Next { body, .. } = &mut nodes[at] {
            *body = places[target.0 as usize];
        }
    }
    Some(Core { nodes, root: places[core.root.0 as usize], atoms: core.atoms })
}
