//! The small core to which every formula is brought: negations only at atoms, few operators, each with a stated meaning.
//!
//! A formula is an arena of [`Node`]s. A node's value at position `i` of a word depends on its children at `i`, and through
//! [`Node::Next`] and [`Node::Previous`] on other positions. Children come before their parents in the arena, with one
//! exception: `Next` may point to a node that comes later, which closes a cycle. That is how sequences with repetition are
//! said (a node per state of their automaton) without an operator of their own. All `Next` on one cycle have the same [`Strength`].
//!
//! **Where the word ends.** What lies beyond the end is decided by how the word is looked at ([`End`]):
//! true for everybody while we ask whether the prefix has failed for good, by strength where the word is a whole run.
//! On a lasso, strong cycles (and `Until`, strong) are least fixed points, weak ones greatest.
//!
//! Every operator is monotone in the truth of its children. All that causality needs rests on this.

/// An atom: what it is, is known to whoever made the formula. Its truth is given per position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AtomId(pub u32);

/// A node in its [`Core`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// Is an obligation that never comes to be met a failure?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strength {
    /// No: `W`, `R`, PSL's `next` and `until`, SVA's sequences.
    Weak,
    /// Yes: `U`, `F`, PSL's `next!` and `until!`.
    Strong,
}

/// All of several positions, or any of them?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// All of them.
    All,
    /// Any of them.
    Any,
}

/// What comes after the last position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Anything may come: nothing that reaches beyond the end has failed yet.
    Open,
    /// Anything may come: only what needs no more positions is met, and what is weak and unbounded (`G`, `W`) as long
    /// as nothing has broken it. What is false here and not under `Open` is still due.
    Due,
    /// Nothing comes: what is strong fails, what is weak is met.
    Whole,
    /// The last position is followed by this one, for ever.
    Loop(usize),
}

/// One operator. `i` is the position at which it is asked for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// True or false.
    Constant(bool),
    /// An atom or its opposite. An unknown value (`x`) satisfies neither.
    Literal {
        /// The atom.
        atom: AtomId,
        /// Its opposite?
        negated: bool,
    },
    /// All of them at `i`.
    And(Vec<NodeId>),
    /// Any of them at `i`.
    Or(Vec<NodeId>),
    /// The body at `i + by`, `by > 0`.
    Next {
        /// How far.
        by: u32,
        /// What.
        body: NodeId,
        /// Beyond the end of a whole run: true if weak.
        strength: Strength,
    },
    /// The body at `i - by`, `by > 0`; before the start true if weak (`Z`), false if strong (`Y`).
    Previous {
        /// How far.
        by: u32,
        /// What.
        body: NodeId,
        /// What holds before the start.
        strength: Strength,
    },
    /// `goal`, or `hold` now and the same again at `i + 1`. Strong: `U` and, with `hold` true, `F`; weak: `W`.
    Until {
        /// What holds until then.
        hold: NodeId,
        /// What comes.
        goal: NodeId,
        /// Must it come?
        strength: Strength,
    },
    /// `keep` now, and `stop` now or the same again at `i + 1`. Weak: `R` and, with `stop` false, `G`; strong: `M`.
    Release {
        /// What ends the obligation.
        stop: NodeId,
        /// What holds up to and including then.
        keep: NodeId,
        /// Must the end come?
        strength: Strength,
    },
    /// `goal` now, or `hold` now and the same at `i - 1`; false before the start: `S` and, with `hold` true, `O`.
    Since {
        /// What has held since then.
        hold: NodeId,
        /// What came.
        goal: NodeId,
    },
    /// `keep` now, and `stop` now or the same at `i - 1`; true before the start: `T` and, with `stop` false, `H`.
    Trigger {
        /// What ended the obligation.
        stop: NodeId,
        /// What has held since and including then.
        keep: NodeId,
    },
    /// All or any of the body at `i + from ..= i + to`: bounded `G` and `F`. Positions beyond the end of a whole run are left out
    /// of `All` and do not count for `Any`.
    Ahead {
        /// All or any.
        quantifier: Quantifier,
        /// First, from 0.
        from: u32,
        /// Last.
        to: u32,
        /// What.
        body: NodeId,
    },
    /// The same for `i - to ..= i - from`: bounded `H` and `O`. Positions before the start likewise.
    Behind {
        /// All or any.
        quantifier: Quantifier,
        /// Nearest, from 0.
        from: u32,
        /// Farthest.
        to: u32,
        /// What.
        body: NodeId,
    },
}

/// A formula in its core form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// All nodes, children before parents but for the targets of `Next`.
    pub nodes: Vec<Node>,
    /// The formula itself.
    pub root: NodeId,
    /// How many atoms there are: ids are below this.
    pub atoms: usize,
}

impl Core {
    /// The node behind an id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

impl Node {
    /// The nodes it depends on, at whatever position.
    pub fn children(&self) -> Vec<NodeId> {
        match self {
            Node::Constant(_) | Node::Literal { .. } => Vec::new(),
            Node::And(parts) | Node::Or(parts) => parts.clone(),
            Node::Next { body, .. } | Node::Previous { body, .. } => vec![*body],
            Node::Ahead { body, .. } | Node::Behind { body, .. } => vec![*body],
            Node::Until { hold, goal, .. } | Node::Since { hold, goal } => vec![*hold, *goal],
            Node::Release { stop, keep, .. } | Node::Trigger { stop, keep } => vec![*stop, *keep],
        }
    }
}
