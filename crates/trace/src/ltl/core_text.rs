//! The core as text, for tests: LTL with brackets everywhere, and a name for each place where a cycle starts.
//!
//! Weak operators are `X Z W G R`, strong ones `X! Y U F M`. A step into a node that comes later is written `X @3`, and that node `@3: …`.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::core::{Core, Node, NodeId, Quantifier, Strength};

/// Prints a core, with the texts of its atoms.
pub fn print(core: &Core, atoms: &[String]) -> String {
    let mut printer = Printer { core, atoms, targets: BTreeSet::new(), text: String::new() };
    for (i, node) in core.nodes.iter().enumerate() {
        if let Node::Next { body, .. } = node
            && body.0 as usize >= i
        {
            printer.targets.insert(*body);
        }
    }
    printer.node(core.root, false);
    for target in printer.targets.clone() {
        if target != core.root {
            write!(printer.text, "; @{}: ", target.0).expect("strings can be written");
            printer.node(target, false);
        } else {
            printer.text.insert_str(0, &format!("@{}: ", target.0));
        }
    }
    printer.text
}

struct Printer<'a> {
    core: &'a Core,
    atoms: &'a [String],
    targets: BTreeSet<NodeId>,
    text: String,
}

impl Printer<'_> {
    fn node(&mut self, id: NodeId, inside: bool) {
        let node = self.core.node(id);
        let simple = matches!(node, Node::Constant(_) | Node::Literal { .. });
        if inside && !simple {
            self.text.push('(');
        }
        self.bare(node);
        if inside && !simple {
            self.text.push(')');
        }
    }

    fn operand(&mut self, id: NodeId) {
        if self.targets.contains(&id) {
            write!(self.text, "@{}", id.0).expect("strings can be written");
        } else {
            self.node(id, true);
        }
    }

    fn prefix(&mut self, operator: &str, body: NodeId) {
        self.text.push_str(operator);
        self.text.push(' ');
        self.operand(body);
    }

    fn infix(&mut self, left: NodeId, operator: &str, right: NodeId) {
        self.operand(left);
        write!(self.text, " {operator} ").expect("strings can be written");
        self.operand(right);
    }

    fn is(&self, id: NodeId, value: bool) -> bool {
        *self.core.node(id) == Node::Constant(value)
    }

    fn bare(&mut self, node: &Node) {
        let times = |by: u32| if by == 1 { String::new() } else { format!("[{by}]") };
        match node {
            Node::Constant(value) => write!(self.text, "{value}").expect("strings can be written"),
            Node::Literal { atom, negated } => {
                let text = &self.atoms[atom.0 as usize];
                let bracket = text.contains(' ');
                let (open, close) = if bracket { ("(", ")") } else { ("", "") };
                write!(self.text, "{}{open}{text}{close}", if *negated { "!" } else { "" })
                    .expect("strings can be written");
            }
            Node::And(parts) | Node::Or(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        self.text.push_str(if matches!(node, Node::And(_)) { " & " } else { " | " });
                    }
                    self.operand(*part);
                }
            }
            Node::Next { by, body, strength } => {
                self.prefix(&format!("{}{}", if *strength == Strength::Weak { "X" } else { "X!" }, times(*by)), *body);
            }
            Node::Previous { by, body, strength } => {
                self.prefix(&format!("{}{}", if *strength == Strength::Weak { "Z" } else { "Y" }, times(*by)), *body);
            }
            Node::Until { hold, goal, strength: Strength::Strong } if self.is(*hold, true) => self.prefix("F", *goal),
            Node::Until { hold, goal, strength } => {
                self.infix(*hold, if *strength == Strength::Weak { "W" } else { "U" }, *goal);
            }
            Node::Release { stop, keep, strength: Strength::Weak } if self.is(*stop, false) => self.prefix("G", *keep),
            Node::Release { stop, keep, strength } => {
                self.infix(*stop, if *strength == Strength::Weak { "R" } else { "M" }, *keep);
            }
            Node::Since { hold, goal } if self.is(*hold, true) => self.prefix("O", *goal),
            Node::Since { hold, goal } => self.infix(*hold, "S", *goal),
            Node::Trigger { stop, keep } if self.is(*stop, false) => self.prefix("H", *keep),
            Node::Trigger { stop, keep } => self.infix(*stop, "T", *keep),
            Node::Ahead { quantifier, from, to, body } => {
                self.prefix(&format!("{}[{from}:{to}]", if *quantifier == Quantifier::All { "G" } else { "F" }), *body);
            }
            Node::Behind { quantifier, from, to, body } => {
                self.prefix(&format!("{}[{from}:{to}]", if *quantifier == Quantifier::All { "H" } else { "O" }), *body);
            }
        }
    }
}
