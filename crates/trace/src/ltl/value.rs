//! Four-valued arithmetic on bit vectors, as Verilog has it.
//!
//! A bit is 0, 1, unknown (`x`) or not driven (`z`); operators see `z` as `x`. Bitwise operators and reductions work out what is
//! certain (`0 & x` is 0), arithmetic does not: one unknown bit makes all of the result unknown. `==` is false where two known
//! bits differ, `<` is unknown as soon as any bit is. Operands are extended to a common width before they meet, with
//! their sign if both are signed. Whole numbers without a width that leave 128 bits, and quotients by zero, are unknown.

use smallvec::SmallVec;

use super::lex::filled;
use super::syntax::Binary;
use crate::wave::{BitVector, Value};

/// All bits unknown.
pub(super) fn unknown(width: u32) -> BitVector {
    filled('x', width)
}

/// True, false or unknown as one bit.
pub(super) fn from_truth(truth: Option<bool>) -> BitVector {
    BitVector::bit(truth.unwrap_or(true), truth.is_none())
}

fn mask(width: u32) -> u64 {
    if width.is_multiple_of(64) { u64::MAX } else { (1 << (width % 64)) - 1 }
}

fn words(width: u32) -> usize {
    (width as usize).div_ceil(64).max(1)
}

/// Clears what lies beyond the width.
fn trimmed(mut bits: BitVector) -> BitVector {
    let last = words(bits.width) - 1;
    let mask = if bits.width == 0 { 0 } else { mask(bits.width) };
    bits.value[last] &= mask;
    bits.unknown[last] &= mask;
    bits
}

/// Value and unknown of one bit; bits beyond the width are 0.
pub(super) fn bit(bits: &BitVector, at: u32) -> (bool, bool) {
    if at >= bits.width {
        return (false, false);
    }
    let (word, shift) = ((at / 64) as usize, at % 64);
    (bits.value[word] >> shift & 1 == 1, bits.unknown[word] >> shift & 1 == 1)
}

/// Wider or narrower.
pub(super) fn resized(bits: &BitVector, width: u32, signed: bool) -> BitVector {
    let count = words(width);
    let mut result = bits.clone();
    if width > bits.width && bits.width > 0 {
        let (value, unknown) = if signed { bit(bits, bits.width - 1) } else { (false, false) };
        let fill = |row: &mut SmallVec<[u64; 1]>, ones: bool| {
            let last = row.len() - 1;
            if ones {
                row[last] |= !mask(bits.width);
            }
            row.resize(count, if ones { u64::MAX } else { 0 });
        };
        fill(&mut result.value, value);
        fill(&mut result.unknown, unknown);
    } else {
        result.value.resize(count, 0);
        result.unknown.resize(count, 0);
    }
    result.width = width;
    trimmed(result)
}

/// Bits `low..low + width`; what lies outside is unknown.
pub(super) fn slice(bits: &BitVector, low: i64, width: u32) -> BitVector {
    if low >= 0 && low + i64::from(width) <= i64::from(bits.width) {
        let low = low as u32;
        let (first, shift) = ((low / 64) as usize, low % 64);
        let take = |row: &[u64]| {
            (0..words(width))
                .map(|i| {
                    let here = row.get(first + i).copied().unwrap_or(0) >> shift;
                    let above = row.get(first + i + 1).copied().unwrap_or(0);
                    if shift == 0 { here } else { here | above << (64 - shift) }
                })
                .collect()
        };
        return trimmed(BitVector { width, value: take(&bits.value), unknown: take(&bits.unknown) });
    }
    let mut result = unknown(width);
    for i in 0..width {
        if let Ok(at) = u32::try_from(low + i64::from(i))
            && at < bits.width
        {
            set(&mut result, i, bit(bits, at));
        }
    }
    result
}

fn set(bits: &mut BitVector, at: u32, (value, unknown): (bool, bool)) {
    let (word, mask) = ((at / 64) as usize, 1 << (at % 64));
    let put = |row: &mut u64, one: bool| *row = if one { *row | mask } else { *row & !mask };
    put(&mut bits.value[word], value);
    put(&mut bits.unknown[word], unknown);
}

/// `high` before `low`.
pub(super) fn join(high: &BitVector, low: &BitVector) -> BitVector {
    let mut result = resized(low, high.width + low.width, false);
    for i in 0..high.width {
        set(&mut result, low.width + i, bit(high, i));
    }
    result
}

/// Is it a number other than zero? Unknown if no bit is known to be 1 and some may be.
pub(super) fn truth(bits: &BitVector) -> Option<bool> {
    if bits.value.iter().zip(&bits.unknown).any(|(value, unknown)| value & !unknown != 0) {
        Some(true)
    } else if bits.has_unknown() {
        None
    } else {
        Some(false)
    }
}

/// Are all bits 1?
pub(super) fn reduce_and(bits: &BitVector) -> Option<bool> {
    truth(&complement(bits)).map(|any| !any)
}

/// Is the number of ones odd?
pub(super) fn reduce_xor(bits: &BitVector) -> Option<bool> {
    (!bits.has_unknown()).then(|| bits.value.iter().map(|word| word.count_ones()).sum::<u32>() % 2 == 1)
}

/// Bits that are known to be 1.
pub(super) fn count_ones(bits: &BitVector) -> u32 {
    bits.value.iter().zip(&bits.unknown).map(|(value, unknown)| (value & !unknown).count_ones()).sum()
}

/// Every bit turned round.
pub(super) fn complement(bits: &BitVector) -> BitVector {
    let value = bits.value.iter().zip(&bits.unknown).map(|(value, unknown)| !value | unknown).collect();
    trimmed(BitVector { width: bits.width, value, unknown: bits.unknown.clone() })
}

/// Bit-by-bit operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bitwise {
    /// Both.
    And,
    /// Either.
    Or,
    /// One but not the other.
    Xor,
}

/// Bit by bit, of equal widths.
pub(super) fn bitwise(op: Bitwise, left: &BitVector, right: &BitVector) -> BitVector {
    let mut result = left.clone();
    for i in 0..result.value.len() {
        let (a, b) = (left.value[i], right.value[i]);
        let (ua, ub) = (left.unknown[i], right.unknown[i]);
        let (one_a, one_b, zero_a, zero_b) = (a & !ua, b & !ub, !a & !ua, !b & !ub);
        let (one, zero) = match op {
            Bitwise::And => (one_a & one_b, zero_a | zero_b),
            Bitwise::Or => (one_a | one_b, zero_a & zero_b),
            Bitwise::Xor => (one_a & zero_b | zero_a & one_b, one_a & one_b | zero_a & zero_b),
        };
        result.unknown[i] = !(one | zero);
        result.value[i] = one | result.unknown[i];
    }
    trimmed(result)
}

/// `==`: of any widths, the narrower one extended.
pub(super) fn equal(left: &BitVector, right: &BitVector, signed: bool) -> Option<bool> {
    if signed && left.width != right.width {
        let width = left.width.max(right.width);
        return equal(&resized(left, width, true), &resized(right, width, true), false);
    }
    let mut certain = true;
    for i in 0..left.value.len().max(right.value.len()) {
        let word = |row: &[u64]| row.get(i).copied().unwrap_or(0);
        let open = word(&left.unknown) | word(&right.unknown);
        if (word(&left.value) ^ word(&right.value)) & !open != 0 {
            return Some(false);
        }
        certain &= open == 0;
    }
    certain.then_some(true)
}

/// `===`: unknown bits are equal to unknown bits.
pub(super) fn same(left: &BitVector, right: &BitVector, signed: bool) -> bool {
    let width = left.width.max(right.width);
    resized(left, width, signed) == resized(right, width, signed)
}

/// `<`.
pub(super) fn less(left: &BitVector, right: &BitVector, signed: bool) -> Option<bool> {
    if left.has_unknown() || right.has_unknown() {
        return None;
    }
    if signed {
        let width = left.width.max(right.width);
        let (left, right) = (resized(left, width, true), resized(right, width, true));
        let negative = |bits: &BitVector| bit(bits, width - 1).0;
        if negative(&left) != negative(&right) {
            return Some(negative(&left));
        }
        return less(&left, &right, false);
    }
    for i in (0..left.value.len().max(right.value.len())).rev() {
        let word = |row: &[u64]| row.get(i).copied().unwrap_or(0);
        let (a, b) = (word(&left.value), word(&right.value));
        if a != b {
            return Some(a < b);
        }
    }
    Some(false)
}

/// A whole number, where all bits are known and it fits.
pub(super) fn to_integer(bits: &BitVector, signed: bool) -> Option<i128> {
    if bits.has_unknown() {
        return None;
    }
    if bits.width > 128 {
        let narrow = resized(bits, 128, signed);
        return (resized(&narrow, bits.width, signed) == *bits).then(|| to_integer(&narrow, signed)).flatten();
    }
    let wide = resized(bits, 128, signed);
    let number = u128::from(wide.value[0]) | u128::from(wide.value[1]) << 64;
    if signed { Some(number as i128) } else { i128::try_from(number).ok() }
}

/// The lowest bits of a whole number.
pub(super) fn from_integer(number: i128, width: u32) -> BitVector {
    let low = BitVector {
        width: 128,
        value: SmallVec::from_vec(vec![number as u64, (number >> 64) as u64]),
        unknown: SmallVec::from_elem(0, 2),
    };
    resized(&low, width, true)
}

/// Arithmetic and shifts; for arithmetic both have the same width, and so has the result.
pub(super) fn arithmetic(op: Binary, left: &BitVector, right: &BitVector, signed: bool) -> BitVector {
    let width = left.width;
    if right.has_unknown() || left.has_unknown() && !is_shift(op) {
        return unknown(width);
    }
    match op {
        Binary::Add => add(left, right, 0),
        Binary::Subtract => add(left, &complement(right), 1),
        Binary::Multiply => multiply(left, right),
        Binary::Power => power(left, right, signed),
        Binary::Divide | Binary::Remainder => {
            let (Some(a), Some(b)) = (to_integer(left, signed), to_integer(right, signed)) else {
                return unknown(width);
            };
            let result = if op == Binary::Divide { a.checked_div(b) } else { a.checked_rem(b) };
            result.map_or_else(|| unknown(width), |result| from_integer(result, width))
        }
        _ => shift(op, left, right, signed),
    }
}

/// Is it a shift? Its right operand has a width of its own.
pub(super) fn is_shift(op: Binary) -> bool {
    matches!(op, Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned)
}

fn shift(op: Binary, left: &BitVector, right: &BitVector, signed: bool) -> BitVector {
    let width = left.width;
    let by = right.to_u64().unwrap_or(u64::MAX).min(u64::from(width)) as u32;
    let arithmetic = op == Binary::ShiftRightSigned && signed;
    let fill = if arithmetic && width > 0 { bit(left, width - 1) } else { (false, false) };
    let mut result = BitVector::number(width, 0);
    for i in 0..width {
        let from = match op {
            Binary::ShiftLeft => i.checked_sub(by),
            _ => i.checked_add(by).filter(|from| *from < width),
        };
        let outside = if op == Binary::ShiftLeft { (false, false) } else { fill };
        set(&mut result, i, from.map_or(outside, |from| bit(left, from)));
    }
    result
}

fn add(left: &BitVector, right: &BitVector, mut carry: u64) -> BitVector {
    let mut result = left.clone();
    for (i, word) in result.value.iter_mut().enumerate() {
        let (sum, first) = word.overflowing_add(right.value[i]);
        let (sum, second) = sum.overflowing_add(carry);
        *word = sum;
        carry = u64::from(first) + u64::from(second);
    }
    trimmed(result)
}

fn multiply(left: &BitVector, right: &BitVector) -> BitVector {
    let mut result = BitVector::number(left.width, 0);
    let count = result.value.len();
    for i in 0..count {
        let mut carry = 0u128;
        for j in 0..count - i {
            let product = u128::from(left.value[i]) * u128::from(right.value[j]);
            let sum = u128::from(result.value[i + j]) + product + carry;
            result.value[i + j] = sum as u64;
            carry = sum >> 64;
        }
    }
    trimmed(result)
}

fn power(left: &BitVector, right: &BitVector, signed: bool) -> BitVector {
    let width = left.width;
    if signed && width > 0 && bit(right, right.width - 1).0 {
        // A fraction, cut off: only 1 and -1 have whole inverses.
        let odd = bit(right, 0).0;
        return match to_integer(left, true) {
            Some(0) => unknown(width),
            Some(1) => from_integer(1, width),
            Some(-1) => from_integer(if odd { -1 } else { 1 }, width),
            _ => from_integer(0, width),
        };
    }
    let (mut result, mut square) = (from_integer(1, width), left.clone());
    let highest = (0..right.width).rev().find(|at| bit(right, *at).0);
    for at in 0..highest.map_or(0, |at| at + 1) {
        if bit(right, at).0 {
            result = multiply(&result, &square);
        }
        square = multiply(&square, &square);
    }
    result
}

/// The same on whole numbers without a width and on fractions; `None` is unknown.
pub(super) fn number_arithmetic(op: Binary, left: &Value, right: &Value) -> Option<Value> {
    if let (Value::Real(a), Value::Real(b)) = (left, right) {
        return Some(Value::Real(match op {
            Binary::Add => a + b,
            Binary::Subtract => a - b,
            Binary::Multiply => a * b,
            Binary::Divide => a / b,
            Binary::Remainder => a % b,
            Binary::Power => a.powf(*b),
            _ => return None,
        }))
        .filter(|value| !matches!(value, Value::Real(number) if number.is_nan()));
    }
    let (Value::Integer(a), Value::Integer(b)) = (left, right) else { return None };
    let by = || u32::try_from(*b).ok();
    match op {
        Binary::Add => a.checked_add(*b),
        Binary::Subtract => a.checked_sub(*b),
        Binary::Multiply => a.checked_mul(*b),
        Binary::Divide => a.checked_div(*b),
        Binary::Remainder => a.checked_rem(*b),
        Binary::Power => by().and_then(|by| a.checked_pow(by)),
        Binary::ShiftLeft => by().filter(|by| *by < 127).and_then(|by| a.checked_mul(1 << by)),
        Binary::ShiftRight | Binary::ShiftRightSigned => by().map(|by| a >> by.min(127)),
        _ => None,
    }
    .map(Value::Integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str) -> BitVector {
        BitVector::parse(text).unwrap()
    }

    #[test]
    fn what_is_certain_is_not_unknown() {
        assert_eq!(bitwise(Bitwise::And, &bits("01xz"), &bits("xx0x")), bits("0x0x"));
        assert_eq!(bitwise(Bitwise::Or, &bits("01xz"), &bits("xx1x")), bits("x11x"));
        assert_eq!(bitwise(Bitwise::Xor, &bits("01x1"), &bits("11x0")), bits("10x1"));
        assert_eq!(complement(&bits("01xz")), bits("10xx"));
        assert_eq!((truth(&bits("x1")), truth(&bits("x0")), truth(&bits("00"))), (Some(true), None, Some(false)));
        assert_eq!(
            (reduce_and(&bits("x0")), reduce_and(&bits("x1")), reduce_and(&bits("11"))),
            (Some(false), None, Some(true))
        );
        assert_eq!((reduce_xor(&bits("0111")), reduce_xor(&bits("01x1"))), (Some(true), None));
    }

    #[test]
    fn comparisons() {
        assert_eq!(equal(&bits("1x0"), &bits("0x0"), false), Some(false));
        assert_eq!(equal(&bits("1x0"), &bits("110"), false), None);
        assert_eq!(equal(&bits("11"), &bits("1111"), true), Some(true));
        assert_eq!(equal(&bits("11"), &bits("1111"), false), Some(false));
        assert!(same(&bits("1x"), &bits("1x"), false) && !same(&bits("1x"), &bits("1z"), false));
        assert_eq!(less(&bits("111"), &bits("001"), true), Some(true));
        assert_eq!(less(&bits("111"), &bits("001"), false), Some(false));
        assert_eq!(less(&bits("x"), &bits("1"), false), None);
    }

    #[test]
    fn arithmetic_as_whole_numbers_do() {
        let ops = [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Remainder, Binary::Power];
        let numbers = [0i128, 1, -1, 2, 3, 7, -5, 100, 1 << 60, (1 << 62) + 12345, -(1 << 50)];
        for width in [4, 63, 64, 65, 100, 128] {
            for (a, b, op) in numbers.iter().flat_map(|a| numbers.iter().flat_map(move |b| ops.map(|op| (*a, *b, op))))
            {
                let (left, right) = (from_integer(a, width), from_integer(b, width));
                let (a, b) = (to_integer(&left, true).unwrap(), to_integer(&right, true).unwrap());
                let expected = match op {
                    Binary::Add => a.checked_add(b),
                    Binary::Subtract => a.checked_sub(b),
                    Binary::Multiply => a.checked_mul(b),
                    Binary::Divide => a.checked_div(b),
                    Binary::Remainder => a.checked_rem(b),
                    _ => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
                };
                let Some(expected) = expected else { continue };
                let found = arithmetic(op, &left, &right, true);
                assert_eq!(found, from_integer(expected, width), "{a} {op} {b} in {width} bits");
            }
        }
        assert_eq!(arithmetic(Binary::Add, &bits("1x"), &bits("01"), false), bits("xx"));
        assert_eq!(arithmetic(Binary::Divide, &bits("11"), &bits("00"), false), bits("xx"));
        assert_eq!(arithmetic(Binary::ShiftRightSigned, &bits("1x00"), &bits("01"), true), bits("11x0"));
        assert_eq!(arithmetic(Binary::ShiftLeft, &bits("1x01"), &bits("11"), false), bits("1000"));
    }

    #[test]
    fn slices_across_words() {
        let wide = join(&bits("101"), &filled('0', 62));
        assert_eq!((wide.width, slice(&wide, 61, 4)), (65, bits("1010")));
        assert_eq!(slice(&wide, 63, 4), bits("xx10"));
        assert_eq!(slice(&wide, -1, 2), bits("0x"));
        assert_eq!(resized(&bits("1x"), 70, true), join(&filled('1', 69), &bits("x")));
    }
}
