//! Constructors for arrays: total maps between bit-vectors, with `select` and `store`.
//!
//! There is no equality of arrays, on purpose: the bit-blaster reduces every array to the selects made on it, which
//! extensional equality would break.

use super::{Node, Sort, Term, Terms};

/// How many stores at provably different indices a select looks through: keeps the constructor O(1).
const SELECT_DEPTH: usize = 64;

impl Terms {
    /// The array with the same element at every index.
    pub fn const_array(&mut self, index: u32, element: Term) -> Term {
        let width = self.width(element);
        self.intern(Node::ConstArray { index, element }, Sort::Array { index, element: width })
    }

    /// The index and element widths of an array.
    #[track_caller]
    fn array_widths(&self, array: Term) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            Sort::BitVec(_) => panic!("an array expected, a bit-vector given"),
        }
    }

    /// The element at an index.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (index_width, width) = self.array_widths(array);
        assert_eq!(self.width(index), index_width, "an index of the array's index width expected");
        let mut array = array;
        for _ in 0..SELECT_DEPTH {
            match self.node(array) {
                Node::ConstArray { element, .. } => return element,
                Node::Store(_, at, value) if at == index => return value,
                Node::Store(below, at, _) if self.surely_differ(at, index) => array = below,
                _ => break,
            }
        }
        self.intern_bits(Node::Select(array, index), width)
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let (index_width, width) = self.array_widths(array);
        assert_eq!(self.width(index), index_width, "an index of the array's index width expected");
        assert_eq!(self.width(value), width, "an element of the array's element width expected");
        if self.node(value) == Node::Select(array, index) {
            return array;
        }
        match self.node(array) {
            Node::Store(below, at, _) if at == index => return self.store(below, index, value),
            Node::ConstArray { element, .. } if element == value => return array,
            _ => {}
        }
        let sort = self.sort(array);
        self.intern(Node::Store(array, index, value), sort)
    }

    /// Different constants, or different constant offsets from one base.
    pub(super) fn surely_differ(&self, a: Term, b: Term) -> bool {
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return x != y;
        }
        let split = |t: Term| match self.node(t) {
            Node::Add(k, x) => self.as_const(k).map_or((t, 0), |k| (x, k)),
            _ => (t, 0),
        };
        let ((base_a, offset_a), (base_b, offset_b)) = (split(a), split(b));
        base_a == base_b && offset_a != offset_b
    }
}
