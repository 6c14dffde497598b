//! Constructors for arithmetic: sums, products, quotients and remainders.
//!
//! `sub` is `add` of a `neg`; constants gather at the left of a sum and are added up; products and quotients with
//! powers of two become slices, and operands known to be non-negative turn signed division into unsigned.

use super::{Node, Term, Terms};
use crate::width::{low_bits, sign_extend};

impl Terms {
    /// Two's-complement negation.
    pub fn neg(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.node(a) {
            _ if width == 1 => return a,
            Node::Const { value, .. } => return self.constant(width, value.wrapping_neg()),
            Node::Neg(inner) => return inner,
            Node::Add(x, y) => {
                // -(k + y) = -k - y, and -(x - y) = y - x; not down a chain of sums, which could be long.
                let plain = |t: Term| !matches!(self.node(t), Node::Add(..));
                if self.as_const(x).is_some()
                    || matches!(self.node(x), Node::Neg(_)) && plain(y)
                    || matches!(self.node(y), Node::Neg(_)) && plain(x)
                {
                    let (x, y) = (self.neg(x), self.neg(y));
                    return self.add(x, y);
                }
            }
            Node::Mul(x, y) if self.as_const(x).is_some() => {
                let x = self.neg(x);
                return self.mul(x, y);
            }
            Node::Ite(..) => {
                if let Some(folded) = self.on_constant_arms(a, u128::wrapping_neg, width) {
                    return folded;
                }
            }
            _ => {}
        }
        self.intern_bits(Node::Neg(a), width)
    }

    fn negatives(&self, a: Term, b: Term) -> bool {
        self.node(a) == Node::Neg(b) || self.node(b) == Node::Neg(a)
    }

    /// Sum, modulo two to the width.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.xor(a, b);
        }
        if self.negatives(a, b) {
            return self.constant(width, 0);
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(k) = self.as_const(a) {
                if k == 0 {
                    return b;
                }
                if let Some(l) = self.as_const(b) {
                    return self.constant(width, k.wrapping_add(l));
                }
                if let Node::Add(c, x) = self.node(b)
                    && let Some(l) = self.as_const(c)
                {
                    let sum = self.constant(width, k.wrapping_add(l));
                    return self.add(sum, x);
                }
                // 1 + !x = -x, the other way to write a negation.
                if let (1, Node::Not(x)) = (k, self.node(b)) {
                    return self.neg(x);
                }
                if let Some(folded) = self.on_constant_arms(b, |l| k.wrapping_add(l), width) {
                    return folded;
                }
            }
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Node::Add(x, y) = self.node(a) {
                // (x + y) - y = x.
                if self.negatives(x, b) {
                    return y;
                }
                if self.negatives(y, b) {
                    return x;
                }
                // (k + y) + b = k + (y + b): constants float outwards. The other operand is no constant here.
                if self.as_const(x).is_some() {
                    let sum = self.add(y, b);
                    return self.add(x, sum);
                }
            }
        }
        if a == b {
            // 2a is a slice.
            let one = self.constant(width, 1);
            return self.shl(a, one);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let (a, b) = if self.as_const(b).is_some() { (b, a) } else { (a, b) };
        self.intern_bits(Node::Add(a, b), width)
    }

    /// Difference, modulo two to the width.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.constant(width, 0);
        }
        let b = self.neg(b);
        self.add(a, b)
    }

    /// Product, modulo two to the width.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.and(a, b);
        }
        for (a, b) in [(a, b), (b, a)] {
            let Some(k) = self.as_const(a) else { continue };
            if k == 0 {
                return a;
            }
            if k == low_bits(width) {
                return self.neg(b);
            }
            if k.is_power_of_two() {
                let shift = self.constant(width, u128::from(k.trailing_zeros()));
                return self.shl(b, shift);
            }
            if let Some(l) = self.as_const(b) {
                return self.constant(width, k.wrapping_mul(l));
            }
            if let Node::Mul(c, x) = self.node(b)
                && let Some(l) = self.as_const(c)
            {
                let product = self.constant(width, k.wrapping_mul(l));
                return self.mul(product, x);
            }
            if let Node::Neg(x) = self.node(b) {
                let product = self.constant(width, k.wrapping_neg());
                return self.mul(product, x);
            }
            if let Some(folded) = self.on_constant_arms(b, |l| k.wrapping_mul(l), width) {
                return folded;
            }
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let (a, b) = if self.as_const(b).is_some() { (b, a) } else { (a, b) };
        self.intern_bits(Node::Mul(a, b), width)
    }

    /// If both operands are zero extensions (or constants that fit), the operands cut to the wider of the two.
    pub(super) fn narrowed(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let needed = |t: Term| match self.node(t) {
            Node::Zext { term, .. } => Some(self.width(term)),
            Node::Const { value, .. } => Some((128 - value.leading_zeros()).max(1)),
            _ => None,
        };
        let width = needed(a)?.max(needed(b)?);
        if width >= self.width(a) {
            return None;
        }
        Some((self.extract(a, width - 1, 0), self.extract(b, width - 1, 0)))
    }

    /// Unsigned quotient; all ones where the divisor is zero.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(l) = self.as_const(b) {
            if l == 0 {
                return self.constant(width, low_bits(width));
            }
            if let Some(k) = self.as_const(a) {
                return self.constant(width, k / l);
            }
            if l.is_power_of_two() {
                let shift = self.constant(width, u128::from(l.trailing_zeros()));
                return self.lshr(a, shift);
            }
            if let Some((a, b)) = self.narrowed(a, b) {
                let quotient = self.udiv(a, b);
                return self.zext(quotient, width);
            }
        }
        self.intern_bits(Node::Udiv(a, b), width)
    }

    /// Unsigned remainder; the dividend where the divisor is zero.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b || self.as_const(a) == Some(0) {
            return self.constant(width, 0);
        }
        if let Some(l) = self.as_const(b) {
            if l == 0 {
                return a;
            }
            if let Some(k) = self.as_const(a) {
                return self.constant(width, k % l);
            }
            if l == 1 {
                return self.constant(width, 0);
            }
            if l.is_power_of_two() {
                let low = self.extract(a, l.trailing_zeros() - 1, 0);
                return self.zext(low, width);
            }
        }
        if let Some((a, b)) = self.narrowed(a, b) {
            let remainder = self.urem(a, b);
            return self.zext(remainder, width);
        }
        self.intern_bits(Node::Urem(a, b), width)
    }

    /// Is the sign bit surely 0?
    pub(super) fn surely_non_negative(&self, a: Term) -> bool {
        match self.node(a) {
            Node::Zext { .. } => true,
            Node::Const { value, width } => value >> (width - 1) == 0,
            _ => false,
        }
    }

    /// Signed quotient, truncated; 1 or -1 (against the dividend's sign) where the divisor is zero.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if width == 1 {
            // -1 / 0 = 1 and -1 / -1 = 1 (overflow); 0 / 0 = -1, 0 / -1 = 0: as bits, a | !b.
            let b = self.not(b);
            return self.or(a, b);
        }
        if self.surely_non_negative(a) && self.surely_non_negative(b) {
            return self.udiv(a, b);
        }
        if let Some(l) = self.as_const(b) {
            if let Some(k) = self.as_const(a) {
                let quotient = match (sign_extend(k, width), sign_extend(l, width)) {
                    (k, 0) => {
                        if k < 0 {
                            1
                        } else {
                            -1
                        }
                    }
                    (k, l) => k.wrapping_div(l),
                };
                return self.constant(width, quotient.cast_unsigned());
            }
            if l == low_bits(width) {
                return self.neg(a);
            }
            if l.is_power_of_two() && l >> (width - 1) == 0 {
                return self.sdiv_by_power(a, l.trailing_zeros());
            }
        }
        self.intern_bits(Node::Sdiv(a, b), width)
    }

    /// Division by 2^k rounds towards zero: add 2^k - 1 to negative dividends, then shift.
    fn sdiv_by_power(&mut self, a: Term, k: u32) -> Term {
        if k == 0 {
            return a;
        }
        let width = self.width(a);
        let sign = self.sign_bit(a);
        let bias = self.sext(sign, k);
        let bias = self.zext(bias, width);
        let biased = self.add(a, bias);
        let shift = self.constant(width, u128::from(k));
        self.ashr(biased, shift)
    }

    /// What division by 2^k leaves: the low bits, and above them ones where the dividend is negative and something is left.
    fn srem_by_power(&mut self, a: Term, k: u32) -> Term {
        let width = self.width(a);
        if k == 0 {
            return self.constant(width, 0);
        }
        let low = self.extract(a, k - 1, 0);
        let zero = self.constant(k, 0);
        let (sign, is_left) = (self.sign_bit(a), self.ne(low, zero));
        let negative = self.and(sign, is_left);
        let above = self.sext(negative, width - k);
        self.concat(above, low)
    }

    /// Signed remainder with the sign of the dividend; the dividend where the divisor is zero.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b || self.as_const(a) == Some(0) {
            return self.constant(width, 0);
        }
        if width == 1 {
            let b = self.not(b);
            return self.and(a, b);
        }
        if self.surely_non_negative(a) && self.surely_non_negative(b) {
            return self.urem(a, b);
        }
        if let Some(l) = self.as_const(b) {
            let divisor = sign_extend(l, width);
            if divisor == 0 {
                return a;
            }
            if let Some(k) = self.as_const(a) {
                return self.constant(width, sign_extend(k, width).wrapping_rem(divisor).cast_unsigned());
            }
            // The sign of the divisor does not matter, and the most negative one is its own magnitude.
            let magnitude = divisor.unsigned_abs();
            if magnitude.is_power_of_two() && magnitude >> (width - 1) == 0 {
                return self.srem_by_power(a, magnitude.trailing_zeros());
            }
        }
        self.intern_bits(Node::Srem(a, b), width)
    }
}
