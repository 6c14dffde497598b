//! Places within an object that are not known, and what was found or put there: plain values, and the small sums on them.

use nearmiss_logic::term::{Term, Terms};

/// A place within an object, in bits: `constant + index * unit`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Address {
    pub(super) constant: u64,
    pub(super) index: Option<Index>,
}

/// The part of an address that is not constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Index {
    /// As wide as `count` asks for.
    pub(super) term: Term,
    pub(super) unit: u64,
    /// It is less than this where the access is valid.
    pub(super) count: u64,
}

impl Address {
    pub(super) fn constant(at: u64) -> Address {
        Address { constant: at, index: None }
    }

    pub(super) fn skip(self, bits: u64) -> Address {
        Address { constant: self.constant + bits, ..self }
    }

    pub(super) fn unit(self) -> u64 {
        self.index.map_or(0, |index| index.unit)
    }
}

/// A value at an address, where the condition is 1.
#[derive(Clone, Copy)]
pub(super) struct Written {
    pub(super) address: Address,
    pub(super) value: Term,
    pub(super) condition: Term,
}

/// One bit: is it less than a number?
pub(super) fn below(terms: &mut Terms, term: Term, count: u64) -> Term {
    let width = terms.width(term);
    if width < 64 && count >> width > 0 {
        return terms.tru();
    }
    let count = terms.constant(width, u128::from(count));
    terms.ult(term, count)
}

/// The low bits of a term, or as many more zeros.
pub(super) fn resized(terms: &mut Terms, term: Term, width: u32) -> Term {
    if terms.width(term) > width { terms.extract(term, width - 1, 0) } else { terms.zext(term, width) }
}

/// How many bits a number takes, at least one.
pub(super) fn bits_for(number: u64) -> u32 {
    (64 - number.leading_zeros()).max(1)
}

pub(super) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
