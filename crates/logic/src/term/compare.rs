//! Constructors for equality and order.
//!
//! Comparisons with constants are where symbolic execution of C spends its terms (zero tests of widened Booleans,
//! bounds checks of widened bytes), so these rules strip extensions, offsets and constant choices.

use super::{Node, Sort, Term, Terms};
use crate::width::{low_bits, sign_extend};

/// How many levels of operators an equality is pushed through: keeps the constructor O(1).
const PUSH_DEPTH: u32 = 12;

impl Terms {
    /// Equality of bit-vectors, a Boolean. Arrays cannot be compared.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.eq_within(a, b, PUSH_DEPTH)
    }

    fn eq_within(&mut self, a: Term, b: Term, depth: u32) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.tru();
        }
        if width == 1 {
            return self.iff(a, b);
        }
        if self.surely_differ(a, b) {
            return self.fals();
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let (a, b) = if self.as_const(b).is_some() { (b, a) } else { (a, b) };
        if depth == 0 {
            return self.intern_bits(Node::Eq(a, b), 1);
        }
        let depth = depth - 1;
        if let Some(k) = self.as_const(a) {
            if let Some(result) = self.eq_constant(k, b, depth) {
                return result;
            }
            return self.intern_bits(Node::Eq(a, b), 1);
        }
        match (self.node(a), self.node(b)) {
            (Node::Not(x), Node::Not(y)) | (Node::Neg(x), Node::Neg(y)) => {
                return self.eq_within(x, y, depth);
            }
            _ if self.opposite(a, b) => return self.fals(),
            (Node::Zext { term: x, .. }, Node::Zext { term: y, .. }) => {
                let width = self.width(x).max(self.width(y));
                let (x, y) = (self.zext(x, width), self.zext(y, width));
                return self.eq_within(x, y, depth);
            }
            (Node::Sext { term: x, .. }, Node::Sext { term: y, .. }) => {
                let width = self.width(x).max(self.width(y));
                let (x, y) = (self.sext(x, width), self.sext(y, width));
                return self.eq_within(x, y, depth);
            }
            (Node::Add(x, y), Node::Add(z, w)) => {
                for (kept, left) in [(x, y), (y, x)] {
                    for (other, right) in [(z, w), (w, z)] {
                        if kept == other {
                            return self.eq_within(left, right, depth);
                        }
                    }
                }
            }
            _ => {}
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Node::Add(x, y) = self.node(a)
                && (x == b || y == b)
            {
                let zero = self.constant(width, 0);
                let rest = if x == b { y } else { x };
                return self.eq_within(rest, zero, depth);
            }
            // Whoever is left as it is by a mask has no other bits.
            if let Node::And(x, y) = self.node(a)
                && (x == b || y == b)
                && let Some(mask) = self.as_const(if x == b { y } else { x })
            {
                let (zero, others) = (self.constant(width, 0), self.constant(width, !mask));
                let rest = self.and(others, b);
                return self.eq_within(rest, zero, depth);
            }
        }
        self.intern_bits(Node::Eq(a, b), 1)
    }

    /// `k = b` for a constant `k` and a `b` that is none.
    fn eq_constant(&mut self, k: u128, b: Term, depth: u32) -> Option<Term> {
        let width = self.width(b);
        let (other, value) = match self.node(b) {
            Node::Not(x) => (x, !k),
            Node::Neg(x) => (x, k.wrapping_neg()),
            Node::Add(x, y) => match self.as_const(x) {
                Some(l) => (y, k.wrapping_sub(l)),
                // x - y = 0 is x = y.
                None if k == 0 => match (self.node(x), self.node(y)) {
                    (Node::Neg(x), _) => return Some(self.eq_within(x, y, depth)),
                    (_, Node::Neg(y)) => return Some(self.eq_within(x, y, depth)),
                    _ => return None,
                },
                None => return None,
            },
            Node::Xor(x, y) => match self.as_const(x) {
                Some(l) => (y, k ^ l),
                None if k == 0 => return Some(self.eq_within(x, y, depth)),
                None => return None,
            },
            Node::Zext { term, .. } => {
                if k > low_bits(self.width(term)) {
                    return Some(self.fals());
                }
                (term, k)
            }
            Node::Sext { term, .. } => {
                let inner = self.width(term);
                if sign_extend(k, width) != sign_extend(k, inner) {
                    return Some(self.fals());
                }
                (term, k)
            }
            Node::Concat(high, low) => {
                let split = self.width(low);
                let high_width = self.width(high);
                let above = self.constant(high_width, k >> split);
                let below = self.constant(split, k);
                let high = self.eq_within(above, high, depth);
                let low = self.eq_within(below, low, depth);
                return Some(self.and(high, low));
            }
            Node::Ite(condition, yes, no) => {
                let (kept, condition, constant) = if let Some(l) = self.as_const(yes) {
                    (no, condition, l)
                } else if let Some(l) = self.as_const(no) {
                    (yes, self.not(condition), l)
                } else {
                    return None;
                };
                let k_term = self.constant(width, k);
                let rest = self.eq_within(k_term, kept, depth);
                return Some(if constant == k {
                    self.or(condition, rest)
                } else {
                    let condition = self.not(condition);
                    self.and(condition, rest)
                });
            }
            _ => return None,
        };
        let width = self.width(other);
        let value = self.constant(width, value);
        Some(self.eq_within(value, other, depth))
    }

    /// Disequality.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// `a < b`, unsigned.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.fals();
        }
        if width == 1 {
            let a = self.not(a);
            return self.and(a, b);
        }
        if let (Node::Not(x), Node::Not(y)) = (self.node(a), self.node(b)) {
            return self.ult(y, x);
        }
        let max = low_bits(width);
        match (self.as_const(a), self.as_const(b)) {
            (Some(k), Some(l)) => return self.bool(k < l),
            (_, Some(0)) => return self.fals(),
            (Some(k), _) if k == max => return self.fals(),
            (_, Some(1)) => {
                let zero = self.constant(width, 0);
                return self.eq(a, zero);
            }
            (Some(0), _) => return self.ne(a, b),
            (_, Some(l)) if l == max => return self.ne(a, b),
            (Some(k), _) if k == max - 1 => {
                let last = self.constant(width, max);
                return self.eq(b, last);
            }
            (None, Some(l)) => {
                if let Node::Zext { term, .. } = self.node(a)
                    && l > low_bits(self.width(term))
                {
                    return self.tru();
                }
                if let Some(folded) = self.on_constant_arms(a, |k| u128::from(k < l), 1) {
                    return folded;
                }
            }
            (Some(k), None) => {
                if let Node::Zext { term, .. } = self.node(b)
                    && k >= low_bits(self.width(term))
                {
                    return self.fals();
                }
                if let Some(folded) = self.on_constant_arms(b, |l| u128::from(k < l), 1) {
                    return folded;
                }
            }
            (None, None) => {}
        }
        if let Some((a, b)) = self.narrowed(a, b) {
            return self.ult(a, b);
        }
        self.intern_bits(Node::Ult(a, b), 1)
    }

    /// `a <= b`, unsigned.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// `a > b`, unsigned.
    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    /// `a >= b`, unsigned.
    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    /// `a < b`, two's complement.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.fals();
        }
        if width == 1 {
            let b = self.not(b);
            return self.and(a, b);
        }
        if let (Node::Not(x), Node::Not(y)) = (self.node(a), self.node(b)) {
            return self.slt(y, x);
        }
        if self.surely_non_negative(a) && self.surely_non_negative(b) {
            return self.ult(a, b);
        }
        let (max, min) = (low_bits(width) >> 1, (low_bits(width) >> 1) + 1);
        match (self.as_const(a), self.as_const(b)) {
            (Some(k), Some(l)) => return self.bool(sign_extend(k, width) < sign_extend(l, width)),
            (None, Some(l)) => {
                if l == min {
                    return self.fals();
                }
                if l == 0 {
                    return self.sign_bit(a);
                }
                if l == max || l == min + 1 {
                    let edge = self.constant(width, if l == max { max } else { min });
                    return if l == max { self.ne(a, edge) } else { self.eq(a, edge) };
                }
                // A non-negative a against a negative constant.
                if self.surely_non_negative(a) {
                    return self.fals();
                }
                if let Some(folded) =
                    self.on_constant_arms(a, |k| u128::from(sign_extend(k, width) < sign_extend(l, width)), 1)
                {
                    return folded;
                }
            }
            (Some(k), None) => {
                if k == max {
                    return self.fals();
                }
                if k == low_bits(width) {
                    let sign = self.sign_bit(b);
                    return self.not(sign);
                }
                if k == min || k == max - 1 {
                    let edge = self.constant(width, if k == min { min } else { max });
                    return if k == min { self.ne(b, edge) } else { self.eq(b, edge) };
                }
                if self.surely_non_negative(b) {
                    return self.tru();
                }
                if let Some(folded) =
                    self.on_constant_arms(b, |l| u128::from(sign_extend(k, width) < sign_extend(l, width)), 1)
                {
                    return folded;
                }
            }
            (None, None) => {}
        }
        if let Some(result) = self.slt_of_extensions(a, b) {
            return result;
        }
        self.intern_bits(Node::Slt(a, b), 1)
    }

    /// Comparisons of sign extensions, with each other or with constants, in the narrow width.
    fn slt_of_extensions(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let inner = |t: Term| match self.node(t) {
            Node::Sext { term, .. } => Some(self.width(term)),
            // One more bit holds the sign.
            Node::Zext { term, .. } => Some(self.width(term) + 1),
            Node::Const { value, .. } => {
                let value = sign_extend(value, width);
                let magnitude = if value < 0 { !value } else { value };
                Some(129 - magnitude.leading_zeros())
            }
            _ => None,
        };
        let (left, right) = (inner(a)?, inner(b)?);
        // A constant beyond the range of a narrow operand decides alone.
        if let (Node::Sext { term, .. }, Some(l)) = (self.node(a), self.as_const(b))
            && right > self.width(term)
        {
            return Some(self.bool(sign_extend(l, width) > 0));
        }
        if let (Some(k), Node::Sext { term, .. }) = (self.as_const(a), self.node(b))
            && left > self.width(term)
        {
            return Some(self.bool(sign_extend(k, width) < 0));
        }
        let narrow = left.max(right);
        if narrow >= width {
            return None;
        }
        let (a, b) = (self.extract(a, narrow - 1, 0), self.extract(b, narrow - 1, 0));
        Some(self.slt(a, b))
    }

    /// `a <= b`, two's complement.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// `a > b`, two's complement.
    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    /// `a >= b`, two's complement.
    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }

    /// Is the term different from zero, as C asks of a condition?
    pub fn is_nonzero(&mut self, a: Term) -> Term {
        let Sort::BitVec(width) = self.sort(a) else { panic!("a bit-vector expected, an array given") };
        let zero = self.constant(width, 0);
        self.ne(a, zero)
    }
}
