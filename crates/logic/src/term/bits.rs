//! Constructors for Boolean and bit-wise operators, choice, slices, extensions and shifts.
//!
//! Negation is kept outermost (`xor` and `ite` pull it out), and `or` is a negated `and`, so De Morgan twins are one
//! term. Shifts by constants are slices, which cost the bit-blaster nothing.

use super::{Node, Term, Terms};
use crate::width::{low_bits, sign_extend};

impl Terms {
    /// Bit-wise negation.
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.node(a) {
            Node::Const { value, .. } => self.constant(width, !value),
            Node::Not(inner) => inner,
            _ => self.intern_bits(Node::Not(a), width),
        }
    }

    /// Is `b` the negation of `a`? Looks only, makes no term.
    pub(super) fn opposite(&self, a: Term, b: Term) -> bool {
        self.node(a) == Node::Not(b) || self.node(b) == Node::Not(a)
    }

    /// Bit-wise conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return a;
        }
        if self.opposite(a, b) {
            return self.constant(width, 0);
        }
        match (self.as_const(a), self.as_const(b)) {
            (Some(x), Some(y)) => return self.constant(width, x & y),
            (Some(0), _) => return a,
            (_, Some(0)) => return b,
            (Some(x), _) if x == low_bits(width) => return b,
            (_, Some(y)) if y == low_bits(width) => return a,
            _ => {}
        }
        for (a, b) in [(a, b), (b, a)] {
            match self.node(b) {
                // a & (x & y): idempotence and contradiction one level down.
                Node::And(x, y) => {
                    if a == x || a == y {
                        return b;
                    }
                    if self.opposite(a, x) || self.opposite(a, y) {
                        return self.constant(width, 0);
                    }
                    if let (Some(k), Some(l)) = (self.as_const(a), self.as_const(x)) {
                        let both = self.constant(width, k & l);
                        return self.and(both, y);
                    }
                }
                Node::Not(inner) => {
                    if let Node::And(x, y) = self.node(inner) {
                        // a & !(a & y) = a & !y, and a & !(!a & y) = a (absorption: a & (a | y')).
                        if a == x || a == y {
                            let rest = if a == x { y } else { x };
                            let rest = self.not(rest);
                            return self.and(a, rest);
                        }
                        if self.opposite(a, x) || self.opposite(a, y) {
                            return a;
                        }
                    }
                }
                // A mask of low ones is a truncation.
                Node::Const { value, .. } if value & (value + 1) == 0 => {
                    let low = self.extract(a, value.count_ones() - 1, 0);
                    return self.zext(low, width);
                }
                Node::Const { value, .. } => {
                    if let Some(folded) = self.on_constant_arms(a, |k| k & value, width) {
                        return folded;
                    }
                }
                _ => {}
            }
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        // Constants first, so that the rule above finds them without looking twice.
        let (a, b) = if self.as_const(b).is_some() { (b, a) } else { (a, b) };
        self.intern_bits(Node::And(a, b), width)
    }

    /// If `a` is a choice between two constants, the choice between their images.
    pub(super) fn on_constant_arms(&mut self, a: Term, f: impl Fn(u128) -> u128, width: u32) -> Option<Term> {
        let Node::Ite(condition, yes, no) = self.node(a) else { return None };
        let (yes, no) = (self.as_const(yes)?, self.as_const(no)?);
        let (yes, no) = (self.constant(width, f(yes)), self.constant(width, f(no)));
        Some(self.ite(condition, yes, no))
    }

    /// Bit-wise disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        let both = self.and(a, b);
        self.not(both)
    }

    /// Bit-wise exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.constant(width, 0);
        }
        if self.opposite(a, b) {
            return self.constant(width, low_bits(width));
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Node::Not(inner) = self.node(a) {
                let result = self.xor(inner, b);
                return self.not(result);
            }
            if let Some(k) = self.as_const(a) {
                if k == 0 {
                    return b;
                }
                if k == low_bits(width) {
                    return self.not(b);
                }
                if let Some(l) = self.as_const(b) {
                    return self.constant(width, k ^ l);
                }
                if let Some(folded) = self.on_constant_arms(b, |l| k ^ l, width) {
                    return folded;
                }
            }
            if let Node::Xor(x, y) = self.node(b) {
                if a == x {
                    return y;
                }
                if a == y {
                    return x;
                }
                if let (Some(k), Some(l)) = (self.as_const(a), self.as_const(x)) {
                    let both = self.constant(width, k ^ l);
                    return self.xor(both, y);
                }
            }
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let (a, b) = if self.as_const(b).is_some() { (b, a) } else { (a, b) };
        self.intern_bits(Node::Xor(a, b), width)
    }

    /// `a` implies `b` (bit by bit).
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let b = self.not(b);
        let counterexample = self.and(a, b);
        self.not(counterexample)
    }

    /// `a` equals `b`, bit by bit.
    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        let different = self.xor(a, b);
        self.not(different)
    }

    /// The conjunction of Booleans; true if there are none.
    pub fn and_all(&mut self, terms: &[Term]) -> Term {
        terms.iter().fold(self.tru(), |all, &term| self.and(all, term))
    }

    /// The disjunction of Booleans; false if there are none.
    pub fn or_all(&mut self, terms: &[Term]) -> Term {
        terms.iter().fold(self.fals(), |any, &term| self.or(any, term))
    }

    /// `yes` where the Boolean `condition` holds, `no` elsewhere; the arms may be arrays.
    pub fn ite(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        assert_eq!(self.width(condition), 1, "a condition is a Boolean");
        assert_eq!(self.sort(yes), self.sort(no), "the arms of ite have one sort");
        if let Node::Not(inner) = self.node(condition) {
            return self.ite(inner, no, yes);
        }
        if yes == no || self.is_true(condition) {
            return yes;
        }
        if self.is_false(condition) {
            return no;
        }
        if let super::Sort::BitVec(width) = self.sort(yes) {
            if width == 1
                && let Some(result) = self.boolean_ite(condition, yes, no)
            {
                return result;
            }
            if let (Node::Not(yes), Node::Not(no)) = (self.node(yes), self.node(no)) {
                let result = self.ite(condition, yes, no);
                return self.not(result);
            }
        }
        if let Node::Ite(inner, a, b) = self.node(yes) {
            if inner == condition {
                return self.ite(condition, a, no);
            }
            // c ? (d ? a : no) : no is one choice on c & d: a wide multiplexer for one gate.
            if b == no {
                let both = self.and(condition, inner);
                return self.ite(both, a, no);
            }
            if a == no {
                let inner = self.not(inner);
                let both = self.and(condition, inner);
                return self.ite(both, b, no);
            }
        }
        if let Node::Ite(inner, a, b) = self.node(no) {
            if inner == condition {
                return self.ite(condition, yes, b);
            }
            if a == yes {
                let either = self.or(condition, inner);
                return self.ite(either, yes, b);
            }
            if b == yes {
                let inner = self.not(inner);
                let either = self.or(condition, inner);
                return self.ite(either, yes, a);
            }
        }
        let sort = self.sort(yes);
        self.intern(Node::Ite(condition, yes, no), sort)
    }

    fn boolean_ite(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        if self.is_true(yes) || yes == condition {
            return Some(self.or(condition, no));
        }
        if self.is_false(no) || no == condition {
            return Some(self.and(condition, yes));
        }
        if self.is_false(yes) || self.opposite(yes, condition) {
            let condition = self.not(condition);
            return Some(self.and(condition, no));
        }
        if self.is_true(no) || self.opposite(no, condition) {
            return Some(self.implies(condition, yes));
        }
        if self.opposite(yes, no) {
            return Some(self.xor(condition, no));
        }
        None
    }

    /// Bits `hi` down to `lo`, inclusive, counted from the least significant.
    pub fn extract(&mut self, a: Term, hi: u32, lo: u32) -> Term {
        let from = self.width(a);
        assert!(lo <= hi && hi < from, "bits {hi}..{lo} of a term of width {from}");
        let width = hi - lo + 1;
        if width == from {
            return a;
        }
        match self.node(a) {
            Node::Const { value, .. } => return self.constant(width, value >> lo),
            Node::Extract { term, lo: below, .. } => return self.extract(term, hi + below, lo + below),
            Node::Not(inner) => {
                let slice = self.extract(inner, hi, lo);
                return self.not(slice);
            }
            Node::Concat(high, low) => {
                let split = self.width(low);
                return if lo >= split {
                    self.extract(high, hi - split, lo - split)
                } else if hi < split {
                    self.extract(low, hi, lo)
                } else {
                    let high = self.extract(high, hi - split, 0);
                    let low = self.extract(low, split - 1, lo);
                    self.concat(high, low)
                };
            }
            Node::Zext { term, .. } => {
                let inner = self.width(term);
                if lo >= inner {
                    return self.constant(width, 0);
                }
                let slice = self.extract(term, hi.min(inner - 1), lo);
                return self.zext(slice, width);
            }
            Node::Sext { term, .. } => {
                let inner = self.width(term);
                let slice = self.extract(term, hi.min(inner - 1), lo.min(inner - 1));
                return self.sext(slice, width);
            }
            Node::Ite(..) => {
                if let Some(folded) = self.on_constant_arms(a, |k| k >> lo, width) {
                    return folded;
                }
            }
            // The low bits of a sum depend on the low bits of the operands alone; worth it where those are at hand,
            // which is what C's promotion of narrow operands to `int` looks like.
            Node::Add(x, y) if lo == 0 && self.truncates(x, width) && self.truncates(y, width) => {
                let (x, y) = (self.extract(x, hi, 0), self.extract(y, hi, 0));
                return self.add(x, y);
            }
            Node::Mul(x, y) if lo == 0 && self.truncates(x, width) && self.truncates(y, width) => {
                let (x, y) = (self.extract(x, hi, 0), self.extract(y, hi, 0));
                return self.mul(x, y);
            }
            Node::Neg(x) if lo == 0 && self.truncates(x, width) => {
                let x = self.extract(x, hi, 0);
                return self.neg(x);
            }
            Node::And(x, y) if lo == 0 && self.truncates(x, width) && self.truncates(y, width) => {
                let (x, y) = (self.extract(x, hi, 0), self.extract(y, hi, 0));
                return self.and(x, y);
            }
            Node::Xor(x, y) if lo == 0 && self.truncates(x, width) && self.truncates(y, width) => {
                let (x, y) = (self.extract(x, hi, 0), self.extract(y, hi, 0));
                return self.xor(x, y);
            }
            _ => {}
        }
        self.intern_bits(Node::Extract { term: a, hi, lo }, width)
    }

    /// Does cutting `a` to its low `width` bits simplify at once?
    fn truncates(&self, a: Term, width: u32) -> bool {
        match self.node(a) {
            Node::Const { .. } => true,
            Node::Zext { term, .. } | Node::Sext { term, .. } => self.width(term) <= width,
            Node::Neg(b) | Node::Not(b) => match self.node(b) {
                Node::Zext { term, .. } | Node::Sext { term, .. } => self.width(term) <= width,
                _ => false,
            },
            _ => false,
        }
    }

    /// The bits of `high` above those of `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let split = self.width(low);
        let width = self.width(high) + split;
        assert!(width <= super::MAX_WIDTH, "concatenation of width {width}");
        if let Some(k) = self.as_const(high) {
            if k == 0 {
                return self.zext(low, width);
            }
            if let Some(l) = self.as_const(low) {
                return self.constant(width, k << split | l);
            }
        }
        // To the right, so that neighbours meet whichever way bytes are glued together.
        if let Node::Concat(first, second) = self.node(high) {
            let low = self.concat(second, low);
            return self.concat(first, low);
        }
        if let Node::Zext { term, .. } = self.node(high) {
            let low = self.concat(term, low);
            return self.zext(low, width);
        }
        if let Some(joined) = self.join(high, low) {
            return joined;
        }
        if let Node::Concat(next, rest) = self.node(low)
            && let Some(joined) = self.join(high, next)
        {
            return self.concat(joined, rest);
        }
        if let (Node::Ite(c, a, b), Node::Ite(d, x, y)) = (self.node(high), self.node(low))
            && c == d
            && let (Some(yes), Some(no)) = (self.join(a, x), self.join(b, y))
        {
            return self.ite(c, yes, no);
        }
        self.intern_bits(Node::Concat(high, low), width)
    }

    /// The concatenation of two neighbours where it is no new operator: constants, or adjacent slices of one term.
    fn join(&mut self, high: Term, low: Term) -> Option<Term> {
        let width = self.width(low);
        match (self.node(high), self.node(low)) {
            (Node::Const { value: k, width: above }, Node::Const { value: l, .. }) => {
                Some(self.constant(above + width, k << width | l))
            }
            (Node::Extract { term, hi, lo }, Node::Extract { term: other, hi: below, lo: end })
                if term == other && lo == below + 1 =>
            {
                Some(self.extract(term, hi, end))
            }
            _ if self.copies_sign_of(high, low) => {
                let total = self.width(high) + width;
                Some(self.sext(low, total))
            }
            _ => None,
        }
    }

    /// Is every bit of `high` the sign of `low`? The bytes of a sign extension look like this.
    fn copies_sign_of(&self, high: Term, low: Term) -> bool {
        let strip = |t: Term| match self.node(t) {
            Node::Sext { term, .. } => term,
            _ => t,
        };
        let (bit, base) = (strip(high), strip(low));
        if self.width(bit) != 1 {
            return false;
        }
        // Where a slice starts: its term and the position of its top bit.
        let top = |t: Term| match self.node(t) {
            Node::Extract { term, hi, .. } => (term, hi),
            _ => (t, self.width(t) - 1),
        };
        bit == base || top(bit) == (base, self.width(base) - 1) || top(bit) == top(base)
    }

    /// `a` with zeros above, `width` bits in all.
    pub fn zext(&mut self, a: Term, width: u32) -> Term {
        let from = self.width(a);
        assert!(from <= width && width <= super::MAX_WIDTH, "zero extension from {from} to {width}");
        if from == width {
            return a;
        }
        match self.node(a) {
            Node::Const { value, .. } => return self.constant(width, value),
            Node::Zext { term, .. } => return self.zext(term, width),
            Node::Ite(..) => {
                if let Some(folded) = self.on_constant_arms(a, |k| k, width) {
                    return folded;
                }
            }
            _ => {}
        }
        self.intern_bits(Node::Zext { term: a, width }, width)
    }

    /// `a` with copies of its sign above, `width` bits in all.
    pub fn sext(&mut self, a: Term, width: u32) -> Term {
        let from = self.width(a);
        assert!(from <= width && width <= super::MAX_WIDTH, "sign extension from {from} to {width}");
        if from == width {
            return a;
        }
        match self.node(a) {
            Node::Const { value, .. } => return self.constant(width, sign_extend(value, from).cast_unsigned()),
            Node::Sext { term, .. } => return self.sext(term, width),
            // The sign bit of a (proper) zero extension is 0.
            Node::Zext { term, .. } => return self.zext(term, width),
            Node::Ite(..) => {
                if let Some(folded) = self.on_constant_arms(a, |k| sign_extend(k, from).cast_unsigned(), width) {
                    return folded;
                }
            }
            _ => {}
        }
        self.intern_bits(Node::Sext { term: a, width }, width)
    }

    /// `a` cut or zero-extended to `width` bits: C's conversion of an unsigned value.
    pub fn resize_unsigned(&mut self, a: Term, width: u32) -> Term {
        if width < self.width(a) { self.extract(a, width - 1, 0) } else { self.zext(a, width) }
    }

    /// `a` cut or sign-extended to `width` bits: C's conversion of a signed value.
    pub fn resize_signed(&mut self, a: Term, width: u32) -> Term {
        if width < self.width(a) { self.extract(a, width - 1, 0) } else { self.sext(a, width) }
    }

    /// The most significant bit.
    pub fn sign_bit(&mut self, a: Term) -> Term {
        let top = self.width(a) - 1;
        self.extract(a, top, top)
    }

    /// `a` shifted towards the most significant bit, zeros coming in; all zeros if `by` reaches the width.
    pub fn shl(&mut self, a: Term, by: Term) -> Term {
        let width = self.same_width(a, by);
        if self.as_const(a) == Some(0) {
            return a;
        }
        match self.as_const(by) {
            Some(0) => a,
            Some(k) if k >= u128::from(width) => self.constant(width, 0),
            Some(k) => {
                let k = k as u32;
                let kept = self.extract(a, width - 1 - k, 0);
                let zeros = self.constant(k, 0);
                self.concat(kept, zeros)
            }
            None => self.intern_bits(Node::Shl(a, by), width),
        }
    }

    /// `a` shifted towards the least significant bit, zeros coming in; all zeros if `by` reaches the width.
    pub fn lshr(&mut self, a: Term, by: Term) -> Term {
        let width = self.same_width(a, by);
        if self.as_const(a) == Some(0) {
            return a;
        }
        match self.as_const(by) {
            Some(0) => a,
            Some(k) if k >= u128::from(width) => self.constant(width, 0),
            Some(k) => {
                let kept = self.extract(a, width - 1, k as u32);
                self.zext(kept, width)
            }
            None => self.intern_bits(Node::Lshr(a, by), width),
        }
    }

    /// `a` shifted towards the least significant bit, copies of the sign coming in.
    pub fn ashr(&mut self, a: Term, by: Term) -> Term {
        let width = self.same_width(a, by);
        if matches!(self.as_const(a), Some(k) if k == 0 || k == low_bits(width)) {
            return a;
        }
        match self.as_const(by) {
            Some(0) => a,
            Some(k) => {
                let k = k.min(u128::from(width - 1)) as u32;
                let kept = self.extract(a, width - 1, k);
                self.sext(kept, width)
            }
            None => self.intern_bits(Node::Ashr(a, by), width),
        }
    }
}
