//! A formula on the runs of an unwound program, as a term: the bounded encoding of linear temporal logic.
//!
//! The word of a run is what a program unwound to a bound executes of a list of guarded positions; which of them, the inputs
//! decide. A node of the formula gets a term per position. Where a position is not executed its value is passed through: operators
//! of the future are computed from the last position to the first, operators of the past the other way. A run that closes into a loop
//! goes through the positions of its loop again: they follow as further copies, one and as many as the past needs to
//! become periodic, and the end of the last copy is followed by its start. So the least and greatest fixed points of `U` and `R`
//! need two passes over the last copy (Latvala, Biere, Heljanko, Junttila, "Simple bounded LTL model checking", 2004,
//! with copies in place of their virtual ones), cycles through `Next` one per node.
//!
//! The size is linear in positions times nodes; bounded operators are first written as steps of one.

use nearmiss_logic::term::{Term, Terms};

use nearmiss_trace::ltl::core::{AtomId, Core, Node, NodeId, Strength};
use nearmiss_trace::ltl::unit_steps;
use nearmiss_trace::ltl_eval::Components;

/// The positions that a run may have.
pub struct Positions {
    /// In order of execution: the term that it is executed.
    pub guards: Vec<Term>,
    /// Per atom and position: the term that it holds there.
    pub atoms: Vec<Vec<Term>>,
    /// Per position: the term that the run repeats it for ever. Some executed position is repeated if any is to be.
    pub repeated: Vec<Term>,
    /// The term that the run closes into a loop.
    pub closed: Term,
    /// Whether a run that does not close goes on, so that all that is asked of what comes then counts as done.
    pub open: bool,
}

/// The term that the formula holds on the run, from its first position on. None if its bounds are too wide.
pub fn holds(terms: &mut Terms, core: &Core, word: &Positions) -> Option<Term> {
    let core = unit_steps::unit_steps(core)?;
    let components = Components::of(&core);
    let past = |node: &&Node| matches!(node, Node::Previous { .. } | Node::Since { .. } | Node::Trigger { .. });
    let copies = core.nodes.iter().filter(past).count().max(1);
    let length = word.guards.len();
    let mut guards = word.guards.clone();
    for _ in 0..copies {
        for (guard, repeated) in word.guards.iter().zip(&word.repeated) {
            guards.push(terms.and(*guard, *repeated));
        }
    }
    let rows = vec![Vec::new(); core.nodes.len()];
    let mut encoder = Encoder { terms, word, guards, last: copies * length, rows };
    for component in components.children_first() {
        match component {
            [node] if !components.is_cyclic(*node) => {
                encoder.rows[node.0 as usize] = encoder.row(core.node(*node));
            }
            nodes => encoder.cycle(&core, nodes),
        }
    }
    let always = encoder.terms.tru();
    let root = std::mem::take(&mut encoder.rows[core.root.0 as usize]);
    Some(encoder.first(&root, 0, always))
}

struct Encoder<'a> {
    terms: &'a mut Terms,
    word: &'a Positions,
    /// Of all positions, those of copies included.
    guards: Vec<Term>,
    /// Where the last copy starts.
    last: usize,
    /// Per node that is done, its value at each position, where that is executed.
    rows: Vec<Vec<Term>>,
}

impl Encoder<'_> {
    fn known(&self, node: NodeId) -> Vec<Term> {
        self.rows[node.0 as usize].clone()
    }

    fn boolean(&self, value: bool) -> Term {
        if value { self.terms.tru() } else { self.terms.fals() }
    }

    /// The value at the first executed position from `start` on.
    fn first(&mut self, row: &[Term], start: usize, otherwise: Term) -> Term {
        (start..row.len()).rev().fold(otherwise, |on, at| self.terms.ite(self.guards[at], row[at], on))
    }

    /// What follows the last position: the start of the last copy, or what lies beyond the end of a whole run.
    fn after_the_end(&mut self, around: Term, beyond: bool) -> Term {
        let beyond = self.boolean(beyond || self.word.open);
        self.terms.ite(self.word.closed, around, beyond)
    }

    /// The row of a node whose children are known.
    fn row(&mut self, node: &Node) -> Vec<Term> {
        let positions = 0..self.guards.len();
        match node {
            Node::Constant(value) => vec![self.boolean(*value); positions.len()],
            Node::Literal { atom, negated } => positions.map(|at| self.literal(*atom, *negated, at)).collect(),
            Node::And(_) | Node::Or(_) => {
                positions.map(|at| self.now(node, at, &|rows, id| rows[id.0 as usize][at])).collect()
            }
            Node::Next { body, strength, .. } => {
                let body = self.known(*body);
                let nothing = self.terms.fals();
                let around = self.first(&body, self.last, nothing);
                let mut on = self.after_the_end(around, *strength == Strength::Weak);
                let mut row = vec![on; body.len()];
                for at in positions.rev() {
                    row[at] = on;
                    on = self.terms.ite(self.guards[at], body[at], on);
                }
                row
            }
            Node::Previous { body, strength, .. } => {
                let body = self.known(*body);
                let mut before = self.boolean(*strength == Strength::Weak);
                let mut row = Vec::with_capacity(body.len());
                for at in positions {
                    row.push(before);
                    before = self.terms.ite(self.guards[at], body[at], before);
                }
                row
            }
            Node::Until { hold, goal, strength } => {
                let (hold, goal) = (self.known(*hold), self.known(*goal));
                self.ahead(*strength == Strength::Weak, |terms, at, on| {
                    let going_on = terms.and(hold[at], on);
                    terms.or(goal[at], going_on)
                })
            }
            Node::Release { stop, keep, strength } => {
                let (stop, keep) = (self.known(*stop), self.known(*keep));
                self.ahead(*strength == Strength::Weak, |terms, at, on| {
                    let rest = terms.or(stop[at], on);
                    terms.and(keep[at], rest)
                })
            }
            Node::Since { hold, goal } => {
                let (hold, goal) = (self.known(*hold), self.known(*goal));
                self.behind(false, |terms, at, before| {
                    let going_on = terms.and(hold[at], before);
                    terms.or(goal[at], going_on)
                })
            }
            Node::Trigger { stop, keep } => {
                let (stop, keep) = (self.known(*stop), self.known(*keep));
                self.behind(true, |terms, at, before| {
                    let rest = terms.or(stop[at], before);
                    terms.and(keep[at], rest)
                })
            }
            // Written as steps of one before.
            Node::Ahead { body, .. } | Node::Behind { body, .. } => self.known(*body),
        }
    }

    fn literal(&mut self, atom: AtomId, negated: bool, at: usize) -> Term {
        let term = self.word.atoms[atom.0 as usize][at % self.word.guards.len()];
        if negated { self.terms.not(term) } else { term }
    }

    /// A node whose value depends on its children at the same position alone.
    fn now(&mut self, node: &Node, at: usize, child: &dyn Fn(&[Vec<Term>], NodeId) -> Term) -> Term {
        match node {
            Node::Constant(value) => self.boolean(*value),
            Node::Literal { atom, negated } => self.literal(*atom, *negated, at),
            Node::And(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| child(&self.rows, *part)).collect();
                parts.into_iter().fold(self.terms.tru(), |all, part| self.terms.and(all, part))
            }
            Node::Or(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| child(&self.rows, *part)).collect();
                self.terms.or_all(&parts)
            }
            other => other.children().first().map_or_else(|| self.terms.tru(), |id| child(&self.rows, *id)),
        }
    }

    /// A value that depends on itself at the next position.
    fn ahead(&mut self, beyond: bool, step: impl Fn(&mut Terms, usize, Term) -> Term) -> Vec<Term> {
        let start = self.boolean(beyond);
        let mut around = start;
        for at in (self.last..self.guards.len()).rev() {
            let value = step(self.terms, at, around);
            around = self.terms.ite(self.guards[at], value, around);
        }
        let mut on = self.after_the_end(around, beyond);
        let mut row = vec![on; self.guards.len()];
        for at in (0..self.guards.len()).rev() {
            row[at] = step(self.terms, at, on);
            on = self.terms.ite(self.guards[at], row[at], on);
        }
        row
    }

    /// A value that depends on itself at the position before.
    fn behind(&mut self, before: bool, step: impl Fn(&mut Terms, usize, Term) -> Term) -> Vec<Term> {
        let mut so_far = self.boolean(before);
        let mut row = Vec::with_capacity(self.guards.len());
        for at in 0..self.guards.len() {
            let value = step(self.terms, at, so_far);
            row.push(value);
            so_far = self.terms.ite(self.guards[at], value, so_far);
        }
        row
    }

    /// Nodes that depend on each other through `Next`: the last copy as often as its start can still change, then all.
    fn cycle(&mut self, core: &Core, nodes: &[NodeId]) {
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        let length = self.guards.len();
        for node in &nodes {
            self.rows[node.0 as usize] = vec![self.terms.fals(); length];
        }
        let beyond = |node: &Node| match node {
            Node::Next { strength, .. } | Node::Until { strength, .. } | Node::Release { strength, .. } => {
                *strength == Strength::Weak
            }
            _ => true,
        };
        // What each node will be told of the position after: its body there, or itself.
        let target = |id: NodeId| match core.node(id) {
            Node::Next { body, .. } => *body,
            _ => id,
        };
        let mut around: Vec<Term> = nodes.iter().map(|id| self.boolean(beyond(core.node(*id)))).collect();
        for pass in 0..=nodes.len() + 1 {
            let whole = pass == nodes.len() + 1;
            let mut on: Vec<Term> = around.clone();
            if whole {
                for (on, id) in on.iter_mut().zip(&nodes) {
                    *on = self.after_the_end(*on, beyond(core.node(*id)));
                }
            }
            let from = if whole { 0 } else { self.last };
            for at in (from..length).rev() {
                // A `Next` knows its value already; the others may stand on it.
                for round in 0..2 {
                    for (index, id) in nodes.iter().enumerate() {
                        let node = core.node(*id);
                        let is_next = matches!(node, Node::Next { .. });
                        if is_next != (round == 0) {
                            continue;
                        }
                        let child = |id: NodeId| self.rows[id.0 as usize][at];
                        self.rows[id.0 as usize][at] = match node {
                            Node::Next { .. } => on[index],
                            Node::Until { hold, goal, .. } => {
                                let (hold, goal) = (child(*hold), child(*goal));
                                let going_on = self.terms.and(hold, on[index]);
                                self.terms.or(goal, going_on)
                            }
                            Node::Release { stop, keep, .. } => {
                                let (stop, keep) = (child(*stop), child(*keep));
                                let rest = self.terms.or(stop, on[index]);
                                self.terms.and(keep, rest)
                            }
                            _ => self.now(node, at, &|rows, id| rows[id.0 as usize][at]),
                        };
                    }
                }
                for (index, id) in nodes.iter().enumerate() {
                    let value = self.rows[target(*id).0 as usize][at];
                    on[index] = self.terms.ite(self.guards[at], value, on[index]);
                }
            }
            around = on;
        }
    }
}
