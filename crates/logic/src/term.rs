//! Hash-consed terms over bit-vectors and arrays: `Term` is a Copy id into one arena, `Terms`.
//!
//! The idea: every constructor first tries the local rewrite rules (constant folding, identities, a few one-level
//! structural rules) and only then interns the node, so two terms that are equal after these rules are the same id
//! and equality is an integer comparison. Each constructor costs O(1) (bounded by the widths, at most 128), terms are
//! never freed, and nothing here recurses over a term's depth, so chains of a million operators are fine.
//!
//! A Boolean is a bit-vector of width 1. The meaning of every operator is SMT-LIB's: `udiv` by zero is all ones,
//! `urem` by zero is the dividend, shifts by the width or more give zeros (or copies of the sign).
//!
//! A few operators are normalised away and exist as constructors only: `or` is a negated `and`, `sub` is `add` of a
//! `neg`, `a <= b` is `not (b < a)`, equality of Booleans is a negated `xor`. Fewer node kinds make more terms meet.
//! Start reading at [`Node`], then the constructors: `term/bits.rs` (bit-wise, choice, slices, shifts),
//! `term/arith.rs` (arithmetic), `term/compare.rs` (order and equality), `term/array.rs`.

mod arith;
mod array;
mod bits;
mod compare;

use crate::hash::{FxBuild, FxHasher};
use crate::machine::Function;
use crate::width::low_bits;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

/// The largest width a bit-vector may have.
pub(crate) const MAX_WIDTH: u32 = 128;

/// A term: an id into the [`Terms`] arena that made it. Equal ids are equal terms.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(u32);

impl Term {
    /// The position of the term in its arena; operands always have smaller indices.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term ranges over.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Bit-vectors of the given width, 1 to 128. Width 1 is the Booleans.
    BitVec(u32),
    /// Total maps from indices to elements, given by their widths.
    Array {
        /// Width of an index.
        index: u32,
        /// Width of an element.
        element: u32,
    },
}

/// The operator at the root of a term and its operands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the operators are SMT-LIB's, and operands come in SMT-LIB's order")]
pub enum Node {
    Const {
        width: u32,
        value: u128,
    },
    Var {
        width: u32,
        id: u32,
    },
    ArrayVar {
        index: u32,
        element: u32,
        id: u32,
    },
    ConstArray {
        index: u32,
        element: Term,
    },
    Not(Term),
    And(Term, Term),
    Xor(Term, Term),
    Neg(Term),
    Add(Term, Term),
    Mul(Term, Term),
    Udiv(Term, Term),
    Urem(Term, Term),
    Sdiv(Term, Term),
    Srem(Term, Term),
    Shl(Term, Term),
    Lshr(Term, Term),
    Ashr(Term, Term),
    Eq(Term, Term),
    Ult(Term, Term),
    Slt(Term, Term),
    Ite(Term, Term, Term),
    Extract {
        term: Term,
        hi: u32,
        lo: u32,
    },
    Concat(Term, Term),
    Zext {
        term: Term,
        width: u32,
    },
    Sext {
        term: Term,
        width: u32,
    },
    Select(Term, Term),
    Store(Term, Term, Term),
    /// A function of the machine; one of a single number has it twice.
    Machine(Function, Term, Term),
}

/// The operands of a node, in order; at most three, so it lives on the stack.
#[derive(Copy, Clone, Debug)]
pub struct Operands {
    terms: [Term; 3],
    count: usize,
}

impl std::ops::Deref for Operands {
    type Target = [Term];

    fn deref(&self) -> &[Term] {
        &self.terms[..self.count]
    }
}

impl Operands {
    pub(crate) fn new(operands: &[Term]) -> Operands {
        let mut terms = [Term(0); 3];
        terms[..operands.len()].copy_from_slice(operands);
        Operands { terms, count: operands.len() }
    }
}

impl Node {
    /// The operands, in order.
    pub fn operands(&self) -> Operands {
        match *self {
            Node::Const { .. } | Node::Var { .. } | Node::ArrayVar { .. } => Operands::new(&[]),
            Node::Not(a) | Node::Neg(a) => Operands::new(&[a]),
            Node::ConstArray { element: a, .. } => Operands::new(&[a]),
            Node::Extract { term: a, .. } | Node::Zext { term: a, .. } | Node::Sext { term: a, .. } => {
                Operands::new(&[a])
            }
            Node::And(a, b)
            | Node::Xor(a, b)
            | Node::Add(a, b)
            | Node::Mul(a, b)
            | Node::Udiv(a, b)
            | Node::Urem(a, b)
            | Node::Sdiv(a, b)
            | Node::Srem(a, b)
            | Node::Shl(a, b)
            | Node::Lshr(a, b)
            | Node::Ashr(a, b)
            | Node::Eq(a, b)
            | Node::Ult(a, b)
            | Node::Slt(a, b)
            | Node::Concat(a, b)
            | Node::Select(a, b)
            | Node::Machine(_, a, b) => Operands::new(&[a, b]),
            Node::Ite(a, b, c) | Node::Store(a, b, c) => Operands::new(&[a, b, c]),
        }
    }
}

const EMPTY: u32 = u32::MAX;

/// The arena of terms.
#[derive(Clone)]
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    /// Open addressing over ids, so that nodes are stored once.
    table: Vec<u32>,
    variables: Vec<Variable>,
    first_of_name: HashMap<Box<str>, Term>,
}

#[derive(Clone)]
struct Variable {
    term: Term,
    name: Box<str>,
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

impl Terms {
    /// An empty arena (but for `true` and `false`).
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            sorts: Vec::new(),
            table: vec![EMPTY; 1024],
            variables: Vec::new(),
            first_of_name: HashMap::new(),
        };
        terms.constant(1, 0);
        terms.constant(1, 1);
        terms
    }

    /// How many distinct terms the arena holds.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: `true` and `false` are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn slot(&self, node: &Node) -> usize {
        let mut hasher = FxHasher::default();
        node.hash(&mut hasher);
        let last = self.table.len() - 1;
        let mut slot = hasher.finish() as usize & last;
        while self.table[slot] != EMPTY && self.nodes[self.table[slot] as usize] != *node {
            slot = (slot + 1) & last;
        }
        slot
    }

    /// Forgets the terms that were made since there were so many.
    pub fn forget_from(&mut self, len: usize) {
        // What was stored last is on no other's way, so that its slot can simply be given back.
        for id in (len..self.nodes.len()).rev() {
            let slot = self.slot(&self.nodes[id]);
            self.table[slot] = EMPTY;
            let is_variable = matches!(self.nodes[id], Node::Var { .. } | Node::ArrayVar { .. });
            if let Some(variable) = self.variables.pop_if(|_| is_variable)
                && self.first_named(&variable.name) == Some(variable.term)
            {
                self.first_of_name.remove(&variable.name);
            }
        }
        self.nodes.truncate(len);
        self.sorts.truncate(len);
    }

    /// The id of a node, new or known. No simplification happens here.
    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        let slot = self.slot(&node);
        if self.table[slot] != EMPTY {
            return Term(self.table[slot]);
        }
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms");
        self.nodes.push(node);
        self.sorts.push(sort);
        self.table[slot] = id;
        if self.nodes.len() * 2 > self.table.len() {
            self.table = vec![EMPTY; self.table.len() * 4];
            for id in 0..self.nodes.len() {
                let slot = self.slot(&self.nodes[id]);
                self.table[slot] = id as u32;
            }
        }
        Term(id)
    }

    fn intern_bits(&mut self, node: Node, width: u32) -> Term {
        debug_assert!((1..=MAX_WIDTH).contains(&width), "width {width} of {node:?}");
        self.intern(node, Sort::BitVec(width))
    }

    /// The constant `value`, cut to `width` bits.
    pub fn constant(&mut self, width: u32, value: u128) -> Term {
        assert!((1..=MAX_WIDTH).contains(&width), "bit-vector width {width} is not within 1..=128");
        self.intern_bits(Node::Const { width, value: value & low_bits(width) }, width)
    }

    /// The Boolean constant.
    pub fn bool(&mut self, value: bool) -> Term {
        if value { self.tru() } else { self.fals() }
    }

    /// True.
    pub fn tru(&self) -> Term {
        Term(1)
    }

    /// False.
    pub fn fals(&self) -> Term {
        Term(0)
    }

    /// A function of the machine. One of a single number does not look at the second.
    pub fn machine(&mut self, function: Function, a: Term, b: Term) -> Term {
        let b = if function.arity() == 1 { a } else { b };
        let width = self.same_width(a, b);
        match (self.as_const(a), self.as_const(b)) {
            (Some(a), Some(b)) => self.constant(width, function.value(width, a, b)),
            _ => self.intern_bits(Node::Machine(function, a, b), width),
        }
    }

    /// A new variable, different from all others. The name is a label; several variables may share one.
    pub fn fresh(&mut self, name: &str, width: u32) -> Term {
        assert!((1..=MAX_WIDTH).contains(&width), "bit-vector width {width} is not within 1..=128");
        let id = self.variables.len() as u32;
        let term = self.intern_bits(Node::Var { width, id }, width);
        self.label(name, term)
    }

    /// A new array variable, different from all others.
    pub fn fresh_array(&mut self, name: &str, index: u32, element: u32) -> Term {
        let id = self.variables.len() as u32;
        let term = self.intern(Node::ArrayVar { index, element, id }, Sort::Array { index, element });
        self.label(name, term)
    }

    fn label(&mut self, name: &str, term: Term) -> Term {
        self.variables.push(Variable { term, name: name.into() });
        if !self.first_of_name.contains_key(name) {
            self.first_of_name.insert(name.into(), term);
        }
        term
    }

    /// The label of a variable; empty for any other term.
    pub fn name(&self, term: Term) -> &str {
        match self.node(term) {
            Node::Var { id, .. } | Node::ArrayVar { id, .. } => &self.variables[id as usize].name,
            _ => "",
        }
    }

    /// The first variable made with this name.
    pub(crate) fn first_named(&self, name: &str) -> Option<Term> {
        self.first_of_name.get(name).copied()
    }

    /// All variables, in the order they were made; a variable's position is its id.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = Term> + '_ {
        self.variables.iter().map(|variable| variable.term)
    }

    pub(crate) fn variable(&self, id: usize) -> Option<Term> {
        self.variables.get(id).map(|variable| variable.term)
    }

    /// All terms, operands before their users.
    pub fn all(&self) -> impl ExactSizeIterator<Item = Term> + use<> {
        (0..self.nodes.len() as u32).map(Term)
    }

    /// The root operator and its operands.
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// What the term ranges over.
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// The width of a bit-vector; the width of the elements of an array.
    pub fn width(&self, term: Term) -> u32 {
        match self.sorts[term.index()] {
            Sort::BitVec(width) => width,
            Sort::Array { element, .. } => element,
        }
    }

    /// The value of a constant.
    pub fn as_const(&self, term: Term) -> Option<u128> {
        match self.nodes[term.index()] {
            Node::Const { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Is this the Boolean constant true?
    pub fn is_true(&self, term: Term) -> bool {
        term == self.tru()
    }

    /// Is this the Boolean constant false?
    pub fn is_false(&self, term: Term) -> bool {
        term == self.fals()
    }

    /// Is this a bit-vector or array variable?
    pub fn is_variable(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Var { .. } | Node::ArrayVar { .. })
    }

    /// The term and everything below it, each once, operands before their users.
    pub fn post_order(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = Seen::default();
        let mut order = Vec::new();
        let mut stack: Vec<(Term, bool)> = Vec::new();
        for &root in roots {
            stack.push((root, false));
            while let Some((term, done)) = stack.pop() {
                if done {
                    order.push(term);
                } else if seen.insert(term) {
                    stack.push((term, true));
                    // Reversed, so that operands come out left to right.
                    stack.extend(self.node(term).operands().iter().rev().map(|&operand| (operand, false)));
                }
            }
        }
        order
    }

    /// The variables a term mentions, oldest first.
    pub fn support(&self, term: Term) -> Vec<Term> {
        let mut variables = self.post_order(&[term]);
        variables.retain(|&t| self.is_variable(t));
        variables.sort_unstable();
        variables
    }

    /// The term with the keys of `by` replaced by their values, all at once (values are not substituted again).
    pub fn substitute(&mut self, term: Term, by: &HashMap<Term, Term>) -> Term {
        self.substitute_all(&[term], by)[0]
    }

    /// [`Terms::substitute`] on several terms, sharing the work.
    pub fn substitute_all(&mut self, roots: &[Term], by: &HashMap<Term, Term>) -> Vec<Term> {
        let mut image: HashMap<Term, Term, FxBuild> = HashMap::default();
        let mut stack: Vec<(Term, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((term, operands_done)) = stack.pop() {
            if image.contains_key(&term) {
                continue;
            }
            if let Some(&replacement) = by.get(&term) {
                assert_eq!(self.sort(term), self.sort(replacement), "a replacement has the sort of what it replaces");
                image.insert(term, replacement);
                continue;
            }
            let operands = self.node(term).operands();
            if operands_done || operands.is_empty() {
                let mut mapped = operands;
                for operand in &mut mapped.terms[..operands.count] {
                    *operand = image[operand];
                }
                let result = self.with_operands(term, &mapped);
                image.insert(term, result);
            } else {
                stack.push((term, true));
                stack.extend(operands.iter().rev().map(|&operand| (operand, false)));
            }
        }
        roots.iter().map(|root| image[root]).collect()
    }

    /// The same operator on other operands, as many and of the same sorts.
    pub fn with_operands(&mut self, term: Term, to: &[Term]) -> Term {
        let node = self.node(term);
        if *node.operands() == *to {
            return term;
        }
        match node {
            Node::Const { .. } | Node::Var { .. } | Node::ArrayVar { .. } => term,
            Node::ConstArray { index, .. } => self.const_array(index, to[0]),
            Node::Not(_) => self.not(to[0]),
            Node::And(..) => self.and(to[0], to[1]),
            Node::Xor(..) => self.xor(to[0], to[1]),
            Node::Neg(_) => self.neg(to[0]),
            Node::Add(..) => self.add(to[0], to[1]),
            Node::Mul(..) => self.mul(to[0], to[1]),
            Node::Udiv(..) => self.udiv(to[0], to[1]),
            Node::Urem(..) => self.urem(to[0], to[1]),
            Node::Sdiv(..) => self.sdiv(to[0], to[1]),
            Node::Srem(..) => self.srem(to[0], to[1]),
            Node::Shl(..) => self.shl(to[0], to[1]),
            Node::Lshr(..) => self.lshr(to[0], to[1]),
            Node::Ashr(..) => self.ashr(to[0], to[1]),
            Node::Eq(..) => self.eq(to[0], to[1]),
            Node::Ult(..) => self.ult(to[0], to[1]),
            Node::Slt(..) => self.slt(to[0], to[1]),
            Node::Ite(..) => self.ite(to[0], to[1], to[2]),
            Node::Extract { hi, lo, .. } => self.extract(to[0], hi, lo),
            Node::Concat(..) => self.concat(to[0], to[1]),
            Node::Zext { width, .. } => self.zext(to[0], width),
            Node::Sext { width, .. } => self.sext(to[0], width),
            Node::Select(..) => self.select(to[0], to[1]),
            Node::Store(..) => self.store(to[0], to[1], to[2]),
            Node::Machine(function, ..) => self.machine(function, to[0], to[1]),
        }
    }

    #[track_caller]
    fn same_width(&self, a: Term, b: Term) -> u32 {
        let (Sort::BitVec(left), Sort::BitVec(right)) = (self.sort(a), self.sort(b)) else {
            panic!("bit-vectors expected, an array given");
        };
        assert_eq!(left, right, "operands of one width expected");
        left
    }
}

/// A set of terms: a hash set while small, so that a visit to a few terms of a huge arena stays cheap.
#[derive(Default)]
struct Seen(std::collections::HashSet<Term, FxBuild>);

impl Seen {
    fn insert(&mut self, term: Term) -> bool {
        self.0.insert(term)
    }
}
