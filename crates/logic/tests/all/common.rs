//! Operators by name, a reference for each, and a small fixed random source, for the tests of this folder.
#![allow(dead_code, reason = "each test file uses its own part")]

use nearmiss_logic::term::{Term, Terms};

/// A fixed, portable random source (splitmix64).
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A word, with small, large and all-ones values more likely than chance has them.
    pub fn word(&mut self, width: u32) -> u128 {
        let random = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(6) {
            0 => random & 7,
            1 => !(random & 7),
            2 => 1 << self.below(width as usize),
            3 => random >> self.below(128),
            _ => random,
        };
        value & mask(width)
    }
}

pub fn mask(width: u32) -> u128 {
    if width == 128 { u128::MAX } else { (1 << width) - 1 }
}

pub const UNARY: &[&str] = &["not", "neg", "sign", "nonzero"];

pub const BINARY: &[&str] = &[
    "and", "or", "xor", "implies", "iff", "add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "shl", "lshr", "ashr",
    "eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge",
];

pub fn apply_unary(terms: &mut Terms, op: &str, a: Term) -> Term {
    match op {
        "not" => terms.not(a),
        "neg" => terms.neg(a),
        "sign" => terms.sign_bit(a),
        "nonzero" => terms.is_nonzero(a),
        _ => unreachable!(),
    }
}

pub fn apply_binary(terms: &mut Terms, op: &str, a: Term, b: Term) -> Term {
    match op {
        "and" => terms.and(a, b),
        "or" => terms.or(a, b),
        "xor" => terms.xor(a, b),
        "implies" => terms.implies(a, b),
        "iff" => terms.iff(a, b),
        "add" => terms.add(a, b),
        "sub" => terms.sub(a, b),
        "mul" => terms.mul(a, b),
        "udiv" => terms.udiv(a, b),
        "urem" => terms.urem(a, b),
        "sdiv" => terms.sdiv(a, b),
        "srem" => terms.srem(a, b),
        "shl" => terms.shl(a, b),
        "lshr" => terms.lshr(a, b),
        "ashr" => terms.ashr(a, b),
        "eq" => terms.eq(a, b),
        "ne" => terms.ne(a, b),
        "ult" => terms.ult(a, b),
        "ule" => terms.ule(a, b),
        "ugt" => terms.ugt(a, b),
        "uge" => terms.uge(a, b),
        "slt" => terms.slt(a, b),
        "sle" => terms.sle(a, b),
        "sgt" => terms.sgt(a, b),
        "sge" => terms.sge(a, b),
        _ => unreachable!(),
    }
}

fn signed(value: u128, width: u32) -> i128 {
    let value = value as i128;
    if width < 128 && value >> (width - 1) & 1 == 1 { value - (1 << width) } else { value }
}

pub fn reference_unary(op: &str, a: u128, width: u32) -> u128 {
    match op {
        "not" => mask(width) - a,
        "neg" => (mask(width) - a).wrapping_add(1) & mask(width),
        "sign" => a >> (width - 1),
        "nonzero" => u128::from(a != 0),
        _ => unreachable!(),
    }
}

/// SMT-LIB's definitions, on mathematical integers; for widths well below 128.
pub fn reference_binary(op: &str, a: u128, b: u128, width: u32) -> u128 {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let result = match op {
        "and" => a & b,
        "or" => a | b,
        "xor" => a ^ b,
        "implies" => (mask(width) - a) | b,
        "iff" => mask(width) - (a ^ b),
        "add" => a + b,
        "sub" => (sa - sb) as u128,
        "mul" => a * b,
        "udiv" => a.checked_div(b).unwrap_or(mask(width)),
        "urem" => {
            if b == 0 {
                a
            } else {
                a % b
            }
        }
        "sdiv" => match (sa, sb) {
            (sa, 0) => {
                if sa < 0 {
                    1
                } else {
                    mask(width)
                }
            }
            _ => (sa / sb) as u128,
        },
        "srem" => {
            if sb == 0 {
                a
            } else {
                (sa % sb) as u128
            }
        }
        "shl" => (0..b.min(u128::from(width))).fold(a, |a, _| (a * 2) & mask(width)),
        "lshr" => (0..b.min(u128::from(width))).fold(a, |a, _| a / 2),
        "ashr" => (0..b.min(u128::from(width))).fold(sa, |a, _| a.div_euclid(2)) as u128,
        "eq" => u128::from(a == b),
        "ne" => u128::from(a != b),
        "ult" => u128::from(a < b),
        "ule" => u128::from(a <= b),
        "ugt" => u128::from(a > b),
        "uge" => u128::from(a >= b),
        "slt" => u128::from(sa < sb),
        "sle" => u128::from(sa <= sb),
        "sgt" => u128::from(sa > sb),
        "sge" => u128::from(sa >= sb),
        _ => unreachable!(),
    };
    result & mask(width)
}
