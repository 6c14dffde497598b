//! A model of hardware as it is in its file: nodes in order, each from those before it, with what starts, follows and is asked.
//!
//! Nothing is simplified here: an operator of the file is an operator of the model, so that those who compute with it
//! ([`lower`](crate::hardware::lower) and [`simulate`](crate::hardware::simulate)) each say by themselves what it does.

use crate::source::Span;

/// A word, the lowest bit first.
pub type Bits = Vec<bool>;

/// Position of a node in [`Model::nodes`].
pub type NodeId = usize;

/// What a node's values are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// So many bits.
    Word(u32),
    /// A memory: words by address.
    Array {
        /// Width of an address.
        index: u32,
        /// Width of what is there.
        element: u32,
    },
}

impl Sort {
    /// How wide a word is; 0 of a memory.
    pub fn width(self) -> u32 {
        match self {
            Sort::Word(bits) => bits,
            Sort::Array { .. } => 0,
        }
    }
}

/// What a node computes. The names are those of BTOR2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Not,
    Inc,
    Dec,
    Neg,
    Redand,
    Redor,
    Redxor,
    Sext,
    Uext,
    /// From this bit on; the width says how many.
    Slice(u32),
    Iff,
    Implies,
    Eq,
    Neq,
    Sgt,
    Ugt,
    Sgte,
    Ugte,
    Slt,
    Ult,
    Slte,
    Ulte,
    And,
    Nand,
    Nor,
    Or,
    Xnor,
    Xor,
    Rol,
    Ror,
    Sll,
    Sra,
    Srl,
    Add,
    Mul,
    Sdiv,
    Udiv,
    Smod,
    Srem,
    Urem,
    Sub,
    Saddo,
    Uaddo,
    Sdivo,
    Smulo,
    Umulo,
    Ssubo,
    Usubo,
    Concat,
    Read,
    Ite,
    Write,
}

/// How a node gets its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Anything in every cycle.
    Input,
    /// Kept from one cycle to the next.
    State {
        /// What it is in the first cycle; none: anything. A word as the start of a memory is in all of its places.
        init: Option<NodeId>,
        /// What it is in the next cycle; none: anything.
        next: Option<NodeId>,
    },
    /// Always this.
    Constant(Bits),
    /// Computed from others.
    Operation(Operator, Vec<NodeId>),
}

/// One node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its number in the file.
    pub number: u64,
    /// What its values are.
    pub sort: Sort,
    /// How it gets its value.
    pub kind: Kind,
    /// The name of the signal that it is.
    pub name: Option<String>,
    /// Where it stands in the model's file.
    pub span: Span,
    /// Where the text that it was made from says it is: `fifo.v:3.23-3.26`.
    pub origin: Option<String>,
}

/// Something that is asked of a model, or taken for granted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The bit that it is about.
    pub node: NodeId,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Where it stands in the model's file.
    pub span: Span,
    /// Where the text that it was made from says it is.
    pub origin: Option<String>,
}

/// Bits that a run must not all make true again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Justice {
    /// The bits.
    pub nodes: Vec<NodeId>,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Where it stands in the model's file.
    pub span: Span,
}

/// A model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// What it is called: the module, or the file.
    pub name: String,
    /// Nodes; each from those before it, but for what states become.
    pub nodes: Vec<Node>,
    /// Bits that are 1 in no cycle.
    pub bad: Vec<Asked>,
    /// Bits that are 1 in every cycle of every run.
    pub constraints: Vec<Asked>,
    /// What must not be true again and again.
    pub justice: Vec<Justice>,
    /// Bits that are 1 again and again in the runs that count.
    pub fair: Vec<Asked>,
    /// Bits that a formula speaks of.
    pub watched: Vec<NodeId>,
}

impl Model {
    /// The node behind an id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// How wide a word is.
    pub fn width(&self, id: NodeId) -> u32 {
        self.nodes[id].sort.width()
    }

    /// Inputs in order.
    pub fn inputs(&self) -> Vec<NodeId> {
        self.filtered(|node| node.kind == Kind::Input)
    }

    /// States in order.
    pub fn states(&self) -> Vec<NodeId> {
        self.filtered(|node| matches!(node.kind, Kind::State { .. }))
    }

    fn filtered(&self, wanted: impl Fn(&Node) -> bool) -> Vec<NodeId> {
        (0..self.nodes.len()).filter(|id| wanted(&self.nodes[*id])).collect()
    }

    /// How often each node is used, by what the model asks and keeps.
    pub fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0u32; self.nodes.len()];
        let mut used = |id: NodeId| uses[id] = uses[id].saturating_add(1);
        for node in &self.nodes {
            match &node.kind {
                Kind::Input | Kind::Constant(_) => {}
                Kind::State { init, next } => init.iter().chain(next).for_each(|id| used(*id)),
                Kind::Operation(_, operands) => operands.iter().for_each(|id| used(*id)),
            }
        }
        self.asked().into_iter().for_each(used);
        uses
    }

    /// The bits that are asked about, or taken for granted.
    pub fn asked(&self) -> Vec<NodeId> {
        let asked = self.bad.iter().chain(&self.constraints).chain(&self.fair).map(|asked| asked.node);
        let again = self.justice.iter().flat_map(|justice| justice.nodes.iter());
        asked.chain(again.chain(&self.watched).copied()).collect()
    }

    /// What matters after the first cycle: all that is needed but what states only start as.
    pub fn running(&self) -> Vec<NodeId> {
        let (mut open, mut seen) = (self.asked(), vec![false; self.nodes.len()]);
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id], true) {
                continue;
            }
            match &self.nodes[id].kind {
                Kind::Input | Kind::Constant(_) => {}
                Kind::State { next, .. } => open.extend(next),
                Kind::Operation(_, operands) => open.extend(operands),
            }
        }
        (0..self.nodes.len()).filter(|id| seen[*id]).collect()
    }

    /// The nodes that can matter to what is asked, constraints included.
    pub fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        let mut open = self.asked();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut needed[id], true) {
                continue;
            }
            match &self.nodes[id].kind {
                Kind::Input | Kind::Constant(_) => {}
                Kind::State { init, next } => open.extend(init.iter().chain(next)),
                Kind::Operation(_, operands) => open.extend(operands),
            }
        }
        needed
    }
}
