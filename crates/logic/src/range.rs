//! Between which numbers a term lies: a least and a greatest value, read with and without a sign.
//!
//! The idea: of each operator it is known what it makes of such bounds, so that one pass over the terms settles many comparisons, above all
//! those that ask whether a sum leaves its type or an index its array. What is said is true of every value; it need not be the best that is true.

use crate::term::{Node, Term};
use crate::width::{low_bits, sign_extend};

/// Bounds of a bit-vector, both of which hold.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Range {
    width: u32,
    /// Without a sign.
    low: u128,
    high: u128,
    /// With one.
    least: i128,
    most: i128,
}

impl Range {
    /// Anything.
    pub fn any(width: u32) -> Range {
        let (least, most) = signed_ends(width);
        Range { width, low: 0, high: low_bits(width), least, most }
    }

    /// One value.
    pub fn exactly(width: u32, value: u128) -> Range {
        let (value, signed) = (value & low_bits(width), sign_extend(value, width));
        Range { width, low: value, high: value, least: signed, most: signed }
    }

    /// The values between two, without a sign.
    pub fn unsigned(width: u32, low: u128, high: u128) -> Range {
        let any = Range::any(width);
        Range { low, high: high.min(any.high), ..any }.agreed()
    }

    /// The values between two, with a sign.
    pub fn signed(width: u32, least: i128, most: i128) -> Range {
        let any = Range::any(width);
        Range { least: least.max(any.least), most: most.min(any.most), ..any }.agreed()
    }

    /// The only value, if there is but one.
    pub fn value(self) -> Option<u128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Is a sum of two such numbers one of the same width, with a sign or without one?
    pub fn sum_fits(self, other: Range, signed: bool) -> bool {
        let (least, most) = signed_ends(self.width);
        match signed {
            true => {
                let low = self.least.checked_add(other.least);
                let high = self.most.checked_add(other.most);
                low.is_some_and(|sum| sum >= least) && high.is_some_and(|sum| sum <= most)
            }
            false => self.high.checked_add(other.high).is_some_and(|sum| sum <= low_bits(self.width)),
        }
    }

    /// The same of a difference with a sign.
    pub fn difference_fits(self, other: Range) -> bool {
        let (least, most) = signed_ends(self.width);
        let (low, high) = (self.least.checked_sub(other.most), self.most.checked_sub(other.least));
        low.is_some_and(|least_of| least_of >= least) && high.is_some_and(|most_of| most_of <= most)
    }

    /// The same of a product.
    pub fn product_fits(self, other: Range, signed: bool) -> bool {
        let (least, most) = signed_ends(self.width);
        match signed {
            true => self.corners(other, i128::checked_mul).is_some_and(|(low, high)| low >= least && high <= most),
            false => self.high.checked_mul(other.high).is_some_and(|product| product <= low_bits(self.width)),
        }
    }

    /// What lies in both. Where nothing does, the first as it is.
    pub fn meet(self, other: Range) -> Range {
        let both = Range {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            least: self.least.max(other.least),
            most: self.most.min(other.most),
            ..self
        };
        if both.is_empty() { self } else { both.agreed() }
    }

    /// What lies in either.
    pub fn join(self, other: Range) -> Range {
        Range {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            ..self
        }
    }

    /// Of two numbers of which the first is less, or not greater: where each lies.
    pub fn ordered(self, other: Range, strictly: bool, signed: bool) -> (Range, Range) {
        let step = u128::from(strictly);
        let (mut a, mut b) = (Range::any(self.width), Range::any(self.width));
        if signed {
            (a.most, b.least) = (other.most.saturating_sub(step as i128), self.least.saturating_add(step as i128));
        } else {
            (a.high, b.low) = (other.high.saturating_sub(step), self.low.saturating_add(step));
        }
        (self.meet(a), other.meet(b))
    }

    /// Without a value at one of its ends.
    pub fn without(self, value: Range) -> Range {
        let Some(value) = value.value() else { return self };
        let signed = sign_extend(value, self.width);
        let mut rest = self;
        if self.low == value {
            rest.low = rest.low.saturating_add(1);
        }
        if self.high == value {
            rest.high = rest.high.saturating_sub(1);
        }
        if self.least == signed {
            rest.least = rest.least.saturating_add(1);
        }
        if self.most == signed {
            rest.most = rest.most.saturating_sub(1);
        }
        if rest.is_empty() { self } else { rest.agreed() }
    }

    /// Where a number lies that this is when it is extended: by zeros, or by its sign.
    pub fn cut(self, width: u32, signed: bool) -> Range {
        match signed {
            true => Range::any(width).meet(Range { least: self.least, most: self.most, ..Range::any(width) }),
            false => Range::any(width).meet(Range { low: self.low, high: self.high, ..Range::any(width) }),
        }
    }

    /// Where a number lies that this is when so much is added to it.
    pub fn less(self, by: u128) -> Range {
        difference(self, Range::exactly(self.width, by))
    }

    fn is_empty(self) -> bool {
        self.low > self.high || self.least > self.most
    }

    /// What one reading says is said by the other as well.
    fn agreed(mut self) -> Range {
        if self.is_empty() {
            return self;
        }
        let modulus = |value: i128| value as u128 & low_bits(self.width);
        if self.least >= 0 || self.most < 0 {
            self.low = self.low.max(modulus(self.least));
            self.high = self.high.min(modulus(self.most));
        }
        let half = low_bits(self.width) >> 1;
        if self.high <= half || self.low > half {
            self.least = self.least.max(sign_extend(self.low, self.width));
            self.most = self.most.min(sign_extend(self.high, self.width));
        }
        self
    }

    /// The least and the greatest of an operation that grows or falls steadily in both numbers.
    fn corners(self, other: Range, by: fn(i128, i128) -> Option<i128>) -> Option<(i128, i128)> {
        let ends = [
            by(self.least, other.least)?,
            by(self.least, other.most)?,
            by(self.most, other.least)?,
            by(self.most, other.most)?,
        ];
        Some((ends.into_iter().min()?, ends.into_iter().max()?))
    }

    fn truth(value: bool) -> Range {
        Range::exactly(1, u128::from(value))
    }
}

/// The least and the greatest number of so many bits with a sign.
fn signed_ends(width: u32) -> (i128, i128) {
    (i128::MIN >> (128 - width), i128::MAX >> (128 - width))
}

/// Where the value of an operator lies whose operands lie there. Of elements of arrays nothing is known.
pub fn of_node(node: &Node, width: u32, of: &dyn Fn(Term) -> Range) -> Range {
    let any = Range::any(width);
    match *node {
        Node::Const { value, .. } => Range::exactly(width, value),
        Node::Not(a) => {
            let a = of(a);
            let ones = low_bits(width);
            Range { width, low: ones - a.high, high: ones - a.low, least: !a.most, most: !a.least }
        }
        Node::And(a, b) => both(of(a), of(b)),
        Node::Xor(a, b) => match (of(a), of(b)) {
            (a, b) if a.value().is_some() && b.value().is_some() => Range::exactly(width, a.low ^ b.low),
            (a, b) => Range::unsigned(width, 0, up_to_ones(a.high | b.high)),
        },
        Node::Neg(a) => difference(Range::exactly(width, 0), of(a)),
        Node::Add(a, b) => sum(of(a), of(b)),
        Node::Mul(a, b) if a == b => square(of(a)),
        Node::Mul(a, b) => product(of(a), of(b)),
        Node::Udiv(a, b) => match (of(a), of(b)) {
            (a, b) if b.low > 0 => Range::unsigned(width, a.low / b.high, a.high / b.low),
            _ => any,
        },
        Node::Urem(a, b) => match (of(a), of(b)) {
            (a, b) if a.high < b.low => a,
            (a, b) if b.low > 0 => Range::unsigned(width, 0, a.high.min(b.high - 1)),
            (a, _) => Range::unsigned(width, 0, a.high),
        },
        Node::Sdiv(a, b) => match (of(a), of(b)) {
            (a, b) if b.least > 0 || b.most < 0 => match a.corners(b, i128::checked_div) {
                Some((low, high)) if high <= signed_ends(width).1 => Range::signed(width, low, high),
                _ => any,
            },
            _ => any,
        },
        Node::Srem(a, b) => signed_remainder(of(a), of(b)),
        Node::Shl(a, b) => match of(b).value() {
            Some(by) if by < u128::from(width) && by < 127 => product(of(a), Range::exactly(width, 1 << by)),
            _ => any,
        },
        Node::Lshr(a, b) => {
            let (a, b) = (of(a), of(b));
            let (shift_most, shift_least) = (b.high.min(127) as u32, b.low.min(127) as u32);
            let low = if b.high >= u128::from(width) { 0 } else { a.low >> shift_most };
            Range::unsigned(width, low, if b.low >= u128::from(width) { 0 } else { a.high >> shift_least })
        }
        Node::Ashr(a, b) => {
            let (a, b) = (of(a), of(b));
            let shifts = [b.low.min(127) as u32, b.high.min(127) as u32];
            let ends = shifts.map(|by| [a.least >> by, a.most >> by]);
            Range::signed(width, ends[0][0].min(ends[1][0]), ends[0][1].max(ends[1][1]))
        }
        Node::Eq(a, b) => match (of(a), of(b)) {
            (a, b) if a.value().is_some() && a.value() == b.value() => Range::truth(true),
            (a, b) if a.high < b.low || b.high < a.low || a.most < b.least || b.most < a.least => Range::truth(false),
            _ => any,
        },
        Node::Ult(a, b) => match (of(a), of(b)) {
            (a, b) if a.high < b.low => Range::truth(true),
            (a, b) if a.low >= b.high => Range::truth(false),
            _ => any,
        },
        Node::Slt(a, b) => match (of(a), of(b)) {
            (a, b) if a.most < b.least => Range::truth(true),
            (a, b) if a.least >= b.most => Range::truth(false),
            _ => any,
        },
        Node::Ite(condition, a, b) => match of(condition).value() {
            Some(0) => of(b),
            Some(_) => of(a),
            None => of(a).join(of(b)),
        },
        Node::Extract { term, lo, .. } => extract(of(term), width, lo),
        Node::Concat(a, b) => {
            let (a, b) = (of(a), of(b));
            Range::unsigned(width, a.low << b.width | b.low, a.high << b.width | b.high)
        }
        Node::Zext { term, .. } => Range::unsigned(width, of(term).low, of(term).high),
        Node::Sext { term, .. } => Range::signed(width, of(term).least, of(term).most),
        Node::Var { .. }
        | Node::ArrayVar { .. }
        | Node::ConstArray { .. }
        | Node::Select(..)
        | Node::Store(..)
        | Node::Machine(..) => any,
    }
}

/// The least number of ones only that is not less.
fn up_to_ones(value: u128) -> u128 {
    if value == 0 { 0 } else { u128::MAX >> value.leading_zeros() }
}

fn both(a: Range, b: Range) -> Range {
    match (a.value(), b.value()) {
        (Some(a_value), Some(b_value)) => Range::exactly(a.width, a_value & b_value),
        // All ones change nothing.
        _ => {
            let ones = low_bits(a.width);
            let low = if b.low == ones {
                a.low
            } else if a.low == ones {
                b.low
            } else {
                0
            };
            Range::unsigned(a.width, low, a.high.min(b.high))
        }
    }
}

/// Bounds of a result without regard to the width, cut to it: either none of them wraps around, or all do, once.
fn wrapped(width: u32, low: Option<u128>, high: Option<u128>, least: Option<i128>, most: Option<i128>) -> Range {
    let (floor, top) = signed_ends(width);
    let mut range = Range::any(width);
    if let (Some(low), Some(high)) = (low, high) {
        let turns = |value: u128| if width >= 128 { 0 } else { value >> width };
        if turns(low) == turns(high) {
            (range.low, range.high) = (low & low_bits(width), high & low_bits(width));
        }
    }
    if let (Some(least), Some(most)) = (least, most)
        && least >= floor
        && most <= top
    {
        (range.least, range.most) = (least, most);
    }
    if range.is_empty() { Range::any(width) } else { range.agreed() }
}

fn sum(a: Range, b: Range) -> Range {
    let (low, high) = (a.low.checked_add(b.low), a.high.checked_add(b.high));
    wrapped(a.width, low, high, a.least.checked_add(b.least), a.most.checked_add(b.most))
}

fn difference(a: Range, b: Range) -> Range {
    // One turn further, so that nothing is below zero.
    let turn = if a.width >= 128 { None } else { Some(1u128 << a.width) };
    let less =
        |from: u128, by: u128| turn.and_then(|turn| from.checked_add(turn)).and_then(|from| from.checked_sub(by));
    let (least, most) = (a.least.checked_sub(b.most), a.most.checked_sub(b.least));
    wrapped(a.width, less(a.low, b.high), less(a.high, b.low), least, most)
}

fn product(a: Range, b: Range) -> Range {
    let signed = a.corners(b, i128::checked_mul);
    let (low, high) = (a.low.checked_mul(b.low), a.high.checked_mul(b.high));
    wrapped(a.width, low, high, signed.map(|ends| ends.0), signed.map(|ends| ends.1))
}

/// A number by itself is not below zero, unless that wraps around.
fn square(a: Range) -> Range {
    let all = product(a, a);
    let squares = (a.least.checked_mul(a.least), a.most.checked_mul(a.most));
    match squares {
        (Some(first), Some(second)) if first.max(second) <= signed_ends(a.width).1 => {
            all.meet(Range::signed(a.width, 0, first.max(second)))
        }
        _ => all,
    }
}

/// The remainder has the sign of what is divided, and is nearer to zero than either; by zero it is what is divided.
fn signed_remainder(a: Range, b: Range) -> Range {
    let by_zero = b.least <= 0 && b.most >= 0;
    let most_of_b = b.least.unsigned_abs().max(b.most.unsigned_abs());
    let bound = if by_zero { i128::MAX } else { i128::try_from(most_of_b - 1).unwrap_or(i128::MAX) };
    let least = if a.least < 0 { a.least.max(-bound) } else { 0 };
    let most = if a.most > 0 { a.most.min(bound) } else { 0 };
    Range::signed(a.width, least, most)
}

fn extract(of: Range, width: u32, lo: u32) -> Range {
    let (low, high) = (of.low >> lo, of.high >> lo);
    let signed = (of.least >> lo, of.most >> lo);
    wrapped(width, Some(low), Some(high), Some(signed.0), Some(signed.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Assignment, Evaluator};
    use crate::term::Terms;

    fn contains(range: Range, value: u128) -> bool {
        let signed = sign_extend(value, range.width);
        (range.low..=range.high).contains(&value) && (range.least..=range.most).contains(&signed)
    }

    /// All pairs of four-bit numbers in all pairs of ranges of some ends, under every operator.
    #[test]
    fn every_result_lies_within() {
        let width = 4;
        let mut terms = Terms::new();
        let (a, b, c) = (terms.fresh("a", width), terms.fresh("b", width), terms.fresh("c", 1));
        let made = [
            terms.not(a),
            terms.and(a, b),
            terms.xor(a, b),
            terms.neg(a),
            terms.add(a, b),
            terms.mul(a, b),
            terms.mul(a, a),
            terms.udiv(a, b),
            terms.urem(a, b),
            terms.sdiv(a, b),
            terms.srem(a, b),
            terms.shl(a, b),
            terms.lshr(a, b),
            terms.ashr(a, b),
            terms.eq(a, b),
            terms.ult(a, b),
            terms.slt(a, b),
            terms.ite(c, a, b),
            terms.extract(a, 2, 0),
            terms.extract(a, 3, 1),
            terms.extract(a, 2, 1),
            terms.concat(a, b),
            terms.zext(a, 7),
            terms.sext(a, 7),
        ];
        let ranges: Vec<Range> = (0..16u128)
            .flat_map(|low| (low..16).map(move |high| Range::unsigned(width, low, high)))
            .chain((-8..8i128).flat_map(|low| (low..8).map(move |high| Range::signed(width, low, high))))
            .step_by(3)
            .collect();
        for of_a in &ranges {
            for of_b in &ranges {
                let of = |term: Term| {
                    if term == a {
                        *of_a
                    } else if term == b {
                        *of_b
                    } else {
                        Range::any(1)
                    }
                };
                let results: Vec<Range> =
                    made.iter().map(|&term| of_node(&terms.node(term), terms.width(term), &of)).collect();
                let pairs = (0..16).flat_map(|x| (0..16).map(move |y| (x, y)));
                for (x, y) in pairs.filter(|&(x, y)| contains(*of_a, x) && contains(*of_b, y)) {
                    check_pair((&terms, &made, &results), (a, b, c), (x, y), (*of_a, *of_b));
                }
            }
        }
    }

    fn check_pair(
        (terms, made, results): (&Terms, &[Term], &[Range]),
        (a, b, c): (Term, Term, Term),
        (x, y): (u128, u128),
        (of_a, of_b): (Range, Range),
    ) {
        for choice in 0..2 {
            let mut assignment = Assignment::new();
            assignment.set(a, x);
            assignment.set(b, y);
            assignment.set(c, choice);
            let mut evaluator = Evaluator::new(terms, &assignment);
            for (&term, &range) in made.iter().zip(results) {
                let value = evaluator.value(term);
                assert!(contains(range, value), "{:?}: {x}, {y} in {of_a:?}, {of_b:?} to {value}", terms.node(term));
            }
        }
        let (signed_x, signed_y) = (sign_extend(x, 4), sign_extend(y, 4));
        let fits = |value: i128| (-8..8).contains(&value);
        assert!(!of_a.sum_fits(of_b, true) || fits(signed_x + signed_y));
        assert!(!of_a.sum_fits(of_b, false) || x + y < 16);
        assert!(!of_a.difference_fits(of_b) || fits(signed_x - signed_y));
        assert!(!of_a.product_fits(of_b, true) || fits(signed_x * signed_y));
        assert!(!of_a.product_fits(of_b, false) || x * y < 16);
        for (strictly, signed) in [(false, false), (false, true), (true, false), (true, true)] {
            let before = match (strictly, signed) {
                (false, false) => x <= y,
                (true, false) => x < y,
                (false, true) => signed_x <= signed_y,
                (true, true) => signed_x < signed_y,
            };
            let (first, second) = of_a.ordered(of_b, strictly, signed);
            assert!(!before || contains(first, x) && contains(second, y));
        }
        assert!(x == y || contains(of_a.without(Range::exactly(4, y)), x));
        assert!(contains(of_a.join(of_b), x) && contains(of_a.join(of_b), y));
        assert!(!contains(of_b, x) || contains(of_a.meet(of_b), x));
    }
}
