//! Words of any width as rows of expressions: up to 128 bits one, beyond that one for every 64 bits, the lowest first.
//!
//! What each operator does to one expression is in the first half; the second half is arithmetic on rows, as one does it
//! by hand. Whatever is needed twice is held in a variable of ours: expressions are trees.

use super::build::Builder;
use super::model::{Bits, Operator};
use crate::program::{BinaryOp, ExprId, UnaryOp};
use crate::source::Span;

/// Words of more bits are rows.
pub(super) const WIDEST: u32 = 128;
/// So many bits each part of a row has.
pub(super) const PART: u32 = 64;

/// A word: one expression, or parts of 64 bits with the rest last.
pub(super) type Word = Vec<ExprId>;

/// How wide the parts of a word are.
pub(super) fn parts(width: u32) -> Vec<u32> {
    if width <= WIDEST {
        return vec![width];
    }
    (0..width.div_ceil(PART)).map(|part| (width - part * PART).min(PART)).collect()
}

/// Computes with words; what is held stands at this text.
pub(super) struct Words<'b> {
    pub(super) builder: &'b mut Builder,
    pub(super) span: Span,
}

impl Words<'_> {
    /// A constant.
    pub(super) fn constant(&mut self, bits: &Bits) -> Word {
        let mut at = 0;
        let of = |part: &[bool]| part.iter().rev().fold(0u128, |value, bit| value << 1 | u128::from(*bit));
        let widths = parts(bits.len() as u32);
        let mut word = Word::new();
        for width in widths {
            let part = &bits[at..at + width as usize];
            word.push(self.builder.constant(of(part), width));
            at += width as usize;
        }
        word
    }

    fn number(&mut self, value: u64, width: u32) -> Word {
        let bits = (0..width).map(|bit| bit < 64 && value >> bit & 1 == 1).collect();
        self.constant(&bits)
    }

    fn width(&self, word: &Word) -> u32 {
        word.iter().map(|part| self.builder.width(*part)).sum()
    }

    fn held(&mut self, word: Word) -> Word {
        word.into_iter().map(|part| self.builder.held(part, self.span)).collect()
    }

    fn hold(&mut self, e: ExprId) -> ExprId {
        self.builder.held(e, self.span)
    }

    /// Some bits of a word, as one expression of at most 128 bits.
    fn bits(&mut self, word: &Word, from: u32, width: u32) -> ExprId {
        let (mut at, mut found) = (0, None);
        for part in word {
            let own = self.builder.width(*part);
            let (start, end) = (from.max(at), (from + width).min(at + own));
            if start < end {
                let piece = self.builder.part(*part, start - at, end - start);
                found = Some(match found {
                    None => piece,
                    Some(below) => self.builder.joined(piece, below),
                });
            }
            at += own;
        }
        found.unwrap_or_else(|| self.builder.constant(0, width))
    }

    /// Some bits of a word as a word.
    pub(super) fn slice(&mut self, word: &Word, from: u32, width: u32) -> Word {
        let mut at = from;
        let mut sliced = Word::new();
        for own in parts(width) {
            sliced.push(self.bits(word, at, own));
            at += own;
        }
        sliced
    }

    fn joined(&mut self, high: &Word, low: &Word) -> Word {
        let below = self.width(low);
        let width = self.width(high) + below;
        if width <= WIDEST {
            return vec![self.builder.joined(high[0], low[0])];
        }
        let (mut at, mut joined) = (0, Word::new());
        for own in parts(width) {
            joined.push(match (at + own <= below, at >= below) {
                (true, _) => self.bits(low, at, own),
                (_, true) => self.bits(high, at - below, own),
                _ => {
                    let (lower, upper) = (self.bits(low, at, below - at), self.bits(high, 0, at + own - below));
                    self.builder.joined(upper, lower)
                }
            });
            at += own;
        }
        joined
    }

    pub(super) fn not(&mut self, word: &Word) -> Word {
        word.iter().map(|part| self.builder.unary(UnaryOp::Not, *part)).collect()
    }

    fn each(&mut self, op: BinaryOp, x: &Word, y: &Word) -> Word {
        x.iter().zip(y).map(|(x, y)| self.builder.binary(op, *x, *y)).collect()
    }

    /// Is the condition that joins two bits, over all of a row.
    fn all(&mut self, op: BinaryOp, bits: Vec<ExprId>) -> ExprId {
        let mut bits = bits.into_iter();
        let first = bits.next().unwrap_or(ExprId(0));
        bits.fold(first, |all, bit| self.builder.binary(op, all, bit))
    }

    pub(super) fn equal(&mut self, x: &Word, y: &Word) -> ExprId {
        let same = self.each(BinaryOp::Eq, x, y);
        self.all(BinaryOp::And, same)
    }

    fn is_zero(&mut self, x: &Word) -> ExprId {
        let zero = self.number(0, self.width(x));
        self.equal(x, &zero)
    }

    fn sign(&mut self, x: &Word) -> ExprId {
        let width = self.width(x);
        self.bits(x, width - 1, 1)
    }

    pub(super) fn choose(&mut self, condition: ExprId, yes: &Word, no: &Word) -> Word {
        let condition = if yes.len() > 1 { self.hold(condition) } else { condition };
        yes.iter().zip(no).map(|(yes, no)| self.builder.choose(condition, *yes, *no)).collect()
    }

    fn extended(&mut self, x: &Word, width: u32, signed: bool) -> Word {
        if width <= WIDEST {
            return vec![self.builder.widened(x[0], width, signed)];
        }
        let own = self.width(x);
        let fill = match signed {
            true => {
                let sign = self.sign(x);
                self.hold(sign)
            }
            false => self.builder.constant(0, 1),
        };
        let missing = width - own;
        let above: Word = parts(missing).into_iter().map(|part| self.builder.widened(fill, part, true)).collect();
        self.joined(&above, x)
    }

    fn less(&mut self, x: &Word, y: &Word, signed: bool, or_equal: bool) -> ExprId {
        use BinaryOp::{SLe, SLt, ULe, ULt};
        if let ([x], [y]) = (&x[..], &y[..]) {
            let op = match (signed, or_equal) {
                (false, false) => ULt,
                (false, true) => ULe,
                (true, false) => SLt,
                (true, true) => SLe,
            };
            return self.builder.binary(op, *x, *y);
        }
        let (x, y) = (self.held(x.clone()), self.held(y.clone()));
        let mut below = self.builder.constant(u128::from(or_equal), 1);
        for at in 0..x.len() {
            let op = if signed && at + 1 == x.len() { SLt } else { ULt };
            let less = self.builder.binary(op, x[at], y[at]);
            let same = self.builder.binary(BinaryOp::Eq, x[at], y[at]);
            let kept = self.builder.binary(BinaryOp::And, same, below);
            below = self.builder.binary(BinaryOp::Or, less, kept);
        }
        below
    }

    /// The sum and a carry, with a carry.
    fn sum(&mut self, x: &Word, y: &Word, carry: ExprId) -> (Word, ExprId) {
        let (mut carry, mut sum) = (carry, Word::new());
        for (x, y) in x.iter().zip(y) {
            let width = self.builder.width(*x);
            if width >= WIDEST {
                let (x, y) = (vec![*x], vec![*y]);
                let halves = |this: &mut Self, of: &Word| vec![this.bits(of, 0, PART), this.bits(of, PART, PART)];
                let (x, y) = (halves(self, &x), halves(self, &y));
                let (both, out) = self.sum(&x, &y, carry);
                sum.push(self.builder.joined(both[1], both[0]));
                carry = out;
                continue;
            }
            let wide = |this: &mut Self, e| this.builder.widened(e, width + 1, false);
            let (x, y, more) = (wide(self, *x), wide(self, *y), wide(self, carry));
            let both = self.builder.binary(BinaryOp::Add, x, y);
            let all = self.builder.binary(BinaryOp::Add, both, more);
            let all = self.hold(all);
            sum.push(self.builder.low(all, width));
            carry = self.builder.part(all, width, 1);
        }
        (sum, carry)
    }

    pub(super) fn add(&mut self, x: &Word, y: &Word) -> Word {
        if x.len() == 1 {
            return self.each(BinaryOp::Add, x, y);
        }
        let none = self.builder.constant(0, 1);
        self.sum(x, y, none).0
    }

    fn sub(&mut self, x: &Word, y: &Word) -> Word {
        if x.len() == 1 {
            return self.each(BinaryOp::Sub, x, y);
        }
        let (flipped, one) = (self.not(y), self.builder.constant(1, 1));
        self.sum(x, &flipped, one).0
    }

    fn negated(&mut self, x: &Word) -> Word {
        if let [x] = &x[..] {
            return vec![self.builder.unary(UnaryOp::Neg, *x)];
        }
        let zero = self.number(0, self.width(x));
        self.sub(&zero, x)
    }

    fn mul(&mut self, x: &Word, y: &Word) -> Word {
        if x.len() == 1 {
            return self.each(BinaryOp::Mul, x, y);
        }
        let width = self.width(x);
        let (x, y) = (self.held(x.clone()), self.held(y.clone()));
        let mut total = self.number(0, width);
        for (i, x) in x.iter().enumerate() {
            for (j, y) in y.iter().enumerate().take(parts(width).len() - i) {
                let at = (i + j) as u32 * PART;
                let (x, y) = (self.builder.widened(*x, WIDEST, false), self.builder.widened(*y, WIDEST, false));
                let product = self.builder.binary(BinaryOp::Mul, x, y);
                let product = vec![self.hold(product)];
                let room = width - at;
                let product = match room < WIDEST {
                    true => self.slice(&product, 0, room),
                    false => self.extended(&product, room, false),
                };
                let placed = match at {
                    0 => product,
                    _ => {
                        let below = self.number(0, at);
                        self.joined(&product, &below)
                    }
                };
                total = self.add(&total, &placed);
            }
        }
        total
    }

    /// Quotient and remainder, bit by bit from the top. By zero: all ones, and the dividend.
    fn divided(&mut self, x: &Word, y: &Word) -> (Word, Word) {
        if x.len() == 1 {
            return (self.each(BinaryOp::UDiv, x, y), self.each(BinaryOp::URem, x, y));
        }
        let width = self.width(x);
        let (x, y) = (self.held(x.clone()), self.held(y.clone()));
        let wide = self.extended(&y, width + 1, false);
        let mut rest = self.number(0, width + 1);
        let mut quotient = Vec::new();
        for bit in (0..width).rev() {
            let (next, kept) = (self.bits(&x, bit, 1), self.slice(&rest, 0, width));
            rest = self.joined(&kept, &vec![next]);
            rest = self.held(rest);
            let fits = self.less(&wide, &rest, false, true);
            let fits = self.hold(fits);
            let smaller = self.sub(&rest, &wide);
            let left = self.choose(fits, &smaller, &rest);
            rest = self.held(left);
            quotient.push(fits);
        }
        quotient.reverse();
        let mut of = Word::new();
        for own in quotient.chunks(PART as usize) {
            let first = own[0];
            let joined = own[1..].iter().fold(first, |below, bit| self.builder.joined(*bit, below));
            of.push(joined);
        }
        let rest = self.slice(&rest, 0, width);
        (of, rest)
    }

    fn magnitude(&mut self, x: &Word) -> (Word, ExprId) {
        let x = self.held(x.clone());
        let sign = self.sign(&x);
        let sign = self.hold(sign);
        let negated = self.negated(&x);
        let positive = self.choose(sign, &negated, &x);
        (self.held(positive), sign)
    }

    fn with_sign(&mut self, sign: ExprId, x: Word) -> Word {
        let x = self.held(x);
        let negated = self.negated(&x);
        self.choose(sign, &negated, &x)
    }

    /// Division of signed words: toward zero, the remainder with the sign of the dividend.
    fn divided_signed(&mut self, x: &Word, y: &Word) -> (Word, Word) {
        if x.len() == 1 {
            return (self.each(BinaryOp::SDiv, x, y), self.each(BinaryOp::SRem, x, y));
        }
        let ((x, below), (y, other)) = (self.magnitude(x), self.magnitude(y));
        let (quotient, rest) = self.divided(&x, &y);
        let differ = self.builder.binary(BinaryOp::Xor, below, other);
        let differ = self.hold(differ);
        (self.with_sign(differ, quotient), self.with_sign(below, rest))
    }

    /// The remainder with the sign of the divisor.
    fn modulo(&mut self, x: &Word, y: &Word) -> Word {
        let (x, y) = (self.held(x.clone()), self.held(y.clone()));
        let (_, rest) = self.divided_signed(&x, &y);
        let rest = self.held(rest);
        let (of_rest, of_divisor) = (self.sign(&rest), self.sign(&y));
        let differ = self.builder.binary(BinaryOp::Ne, of_rest, of_divisor);
        let none = self.is_zero(&rest);
        let some = self.builder.unary(UnaryOp::Not, none);
        let moved = self.builder.binary(BinaryOp::And, differ, some);
        // By zero the dividend is left, whatever its sign: adding zero changes nothing.
        let sum = self.add(&rest, &y);
        self.choose(moved, &sum, &rest)
    }

    fn shifted(&mut self, op: Operator, x: &Word, by: &Word) -> Word {
        let single = match op {
            Operator::Sll => BinaryOp::Shl,
            Operator::Srl => BinaryOp::LShr,
            _ => BinaryOp::AShr,
        };
        if x.len() == 1 {
            return self.each(single, x, by);
        }
        let width = self.width(x);
        let by = self.held(by.clone());
        let fill = match op {
            Operator::Sra => {
                let sign = self.sign(x);
                self.hold(sign)
            }
            _ => self.builder.constant(0, 1),
        };
        let mut at = x.clone();
        for step in 0..u32::BITS - (width - 1).leading_zeros() {
            at = self.held(at);
            let moved = self.moved(&at, 1 << step, op == Operator::Sll, fill);
            let wanted = self.bits(&by, step, 1);
            at = self.choose(wanted, &moved, &at);
        }
        let limit = self.number(u64::from(width), width);
        let inside = self.less(&by, &limit, false, false);
        let all: Word = parts(width).into_iter().map(|part| self.builder.widened(fill, part, true)).collect();
        self.choose(inside, &at, &all)
    }

    /// Moved by so many bits; a bit fills what is left free.
    fn moved(&mut self, x: &Word, by: u32, up: bool, fill: ExprId) -> Word {
        let width = self.width(x);
        if by >= width {
            return parts(width).into_iter().map(|part| self.builder.widened(fill, part, true)).collect();
        }
        let free: Word = parts(by).into_iter().map(|part| self.builder.widened(fill, part, true)).collect();
        match up {
            true => {
                let kept = self.slice(x, 0, width - by);
                self.joined(&kept, &free)
            }
            false => {
                let kept = self.slice(x, by, width - by);
                self.joined(&free, &kept)
            }
        }
    }

    /// Turned by a number of places, which counts modulo the width.
    fn turned(&mut self, x: &Word, by: &Word, up: bool) -> Word {
        let width = self.width(x);
        let (x, by) = (self.held(x.clone()), self.held(by.clone()));
        let limit = self.number(u64::from(width), width);
        let (_, by) = self.divided(&by, &limit);
        let by = self.held(by);
        let back = self.sub(&limit, &by);
        let back = self.held(back);
        let (ahead, behind) = if up { (Operator::Sll, Operator::Srl) } else { (Operator::Srl, Operator::Sll) };
        let one = self.shifted(ahead, &x, &by);
        let other = self.shifted(behind, &x, &back);
        let none = self.is_zero(&by);
        let both = self.each(BinaryOp::Or, &one, &other);
        self.choose(none, &x, &both)
    }

    /// Does signed or unsigned arithmetic leave the width?
    fn overflows(&mut self, op: Operator, x: &Word, y: &Word) -> ExprId {
        let (x, y) = (self.held(x.clone()), self.held(y.clone()));
        let width = self.width(&x);
        let signed = matches!(op, Operator::Saddo | Operator::Ssubo | Operator::Smulo);
        let wider = match op {
            Operator::Smulo | Operator::Umulo => 2 * width,
            _ => width + 1,
        };
        let (wide_x, wide_y) = (self.extended(&x, wider, signed), self.extended(&y, wider, signed));
        let exact = match op {
            Operator::Saddo | Operator::Uaddo => self.add(&wide_x, &wide_y),
            Operator::Ssubo | Operator::Usubo => self.sub(&wide_x, &wide_y),
            _ => self.mul(&wide_x, &wide_y),
        };
        let exact = self.held(exact);
        let kept = self.slice(&exact, 0, width);
        let back = self.extended(&kept, wider, signed);
        let same = self.equal(&exact, &back);
        self.builder.unary(UnaryOp::Not, same)
    }

    /// Is it the least number by minus one?
    fn division_overflows(&mut self, x: &Word, y: &Word) -> ExprId {
        let width = self.width(x);
        let least: Bits = (0..width).map(|bit| bit + 1 == width).collect();
        let (least, minus) = (self.constant(&least), self.constant(&vec![true; width as usize]));
        let (first, second) = (self.equal(x, &least), self.equal(y, &minus));
        self.builder.binary(BinaryOp::And, first, second)
    }

    fn parity(&mut self, x: &Word) -> ExprId {
        let folded = x.iter().map(|part| {
            let mut at = *part;
            let mut width = self.builder.width(at).next_power_of_two();
            at = self.builder.widened(at, width, false);
            while width > 1 {
                at = self.builder.held(at, self.span);
                width /= 2;
                let (high, low) = (self.builder.part(at, width, width), self.builder.low(at, width));
                at = self.builder.binary(BinaryOp::Xor, high, low);
            }
            at
        });
        let folded: Vec<ExprId> = folded.collect();
        self.all(BinaryOp::Xor, folded)
    }

    /// What an operator on words gives; memories are not for here.
    pub(super) fn computed(&mut self, op: Operator, operands: &[Word], width: u32) -> Word {
        use Operator as O;
        let is_row = width > WIDEST || operands.iter().any(|word| word.len() > 1);
        let operands: Vec<Word> = match is_row {
            true => operands.iter().map(|word| self.held(word.clone())).collect(),
            false => operands.to_vec(),
        };
        let x = &operands[0];
        let y = operands.get(1).unwrap_or(x);
        match op {
            O::Not => self.not(x),
            O::Inc | O::Dec => {
                let one = self.number(1, width);
                if op == O::Inc { self.add(x, &one) } else { self.sub(x, &one) }
            }
            O::Neg => self.negated(x),
            O::Sext | O::Uext => self.extended(x, width, op == O::Sext),
            O::Slice(from) => self.slice(x, from, width),
            O::And => self.each(BinaryOp::And, x, y),
            O::Or => self.each(BinaryOp::Or, x, y),
            O::Xor => self.each(BinaryOp::Xor, x, y),
            O::Nand | O::Nor | O::Xnor => {
                let plain = [(O::Nand, BinaryOp::And), (O::Nor, BinaryOp::Or), (O::Xnor, BinaryOp::Xor)];
                let plain = plain.iter().find(|(name, _)| *name == op).map_or(BinaryOp::Xor, |(_, plain)| *plain);
                let joined = self.each(plain, x, y);
                self.not(&joined)
            }
            O::Rol | O::Ror => self.turned(x, y, op == O::Rol),
            O::Sll | O::Srl | O::Sra => self.shifted(op, x, y),
            O::Add => self.add(x, y),
            O::Sub => self.sub(x, y),
            O::Mul => self.mul(x, y),
            O::Udiv => self.divided(x, y).0,
            O::Urem => self.divided(x, y).1,
            O::Sdiv => self.divided_signed(x, y).0,
            O::Srem => self.divided_signed(x, y).1,
            O::Smod => self.modulo(x, y),
            O::Concat => self.joined(x, y),
            O::Ite => self.choose(x[0], y, &operands[2]),
            _ => vec![self.asked(op, x, y)],
        }
    }

    /// Operators that give a bit.
    fn asked(&mut self, op: Operator, x: &Word, y: &Word) -> ExprId {
        use Operator as O;
        match op {
            O::Redand => {
                let ones = self.constant(&vec![true; self.width(x) as usize]);
                self.equal(x, &ones)
            }
            O::Redor => {
                let none = self.is_zero(x);
                self.builder.unary(UnaryOp::Not, none)
            }
            O::Redxor => self.parity(x),
            O::Iff | O::Eq => self.equal(x, y),
            O::Neq => {
                let same = self.equal(x, y);
                self.builder.unary(UnaryOp::Not, same)
            }
            O::Implies => {
                let not = self.builder.unary(UnaryOp::Not, x[0]);
                self.builder.binary(BinaryOp::Or, not, y[0])
            }
            O::Ult => self.less(x, y, false, false),
            O::Ulte => self.less(x, y, false, true),
            O::Ugt => self.less(y, x, false, false),
            O::Ugte => self.less(y, x, false, true),
            O::Slt => self.less(x, y, true, false),
            O::Slte => self.less(x, y, true, true),
            O::Sgt => self.less(y, x, true, false),
            O::Sgte => self.less(y, x, true, true),
            O::Sdivo => self.division_overflows(x, y),
            _ => self.overflows(op, x, y),
        }
    }
}
