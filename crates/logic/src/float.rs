//! IEEE 754 arithmetic as bit-vector terms, for any [`Format`] and any [`Rounding`].
//!
//! A float is a bit-vector of the format's width in the interchange encoding, so loads, stores and unions need
//! nothing special. Arithmetic follows the textbook (Muller et al., *Handbook of Floating-Point Arithmetic*, chapter 8):
//! unpack to a sign, an exponent and a normalised significand; compute exactly, or with enough extra bits and a sticky
//! bit; round and pack in one place, `round`. Sums, comparisons and conversions cost O(w log w) gates, products,
//! quotients and roots O(w^2); `double` division is some ten thousand gates.
//!
//! Every operation that yields a NaN yields the same one, the positive quiet NaN without payload. Conversion of a
//! value out of range is undefined in C; [`to_signed`] and [`to_unsigned`] say what gcc does on x86-64 and do it.

use crate::term::{Term, Terms};

/// A binary interchange format: one sign bit, `exponent` bits, and a significand of `significand` bits of which the
/// first is not stored.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Format {
    /// Bits of the exponent field.
    pub exponent: u32,
    /// Bits of precision, the hidden one included.
    pub significand: u32,
}

impl Format {
    /// C's `float`.
    pub const BINARY32: Format = Format { exponent: 8, significand: 24 };
    /// C's `double`.
    pub const BINARY64: Format = Format { exponent: 11, significand: 53 };
    /// C's `long double` on x86, without the bit that [`from_extended`] leaves out.
    pub const EXTENDED: Format = Format { exponent: 15, significand: 64 };

    /// Bits in all.
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }

    /// Bits of the stored part of the significand.
    fn fraction(self) -> u32 {
        self.significand - 1
    }

    fn bias(self) -> i128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the smallest normal number.
    fn least_exponent(self) -> i128 {
        1 - self.bias()
    }

    /// Wide enough for the exponent of a product of subnormals, or of a 128-bit integer.
    fn working_exponent(self) -> u32 {
        (self.exponent + 3).max(10)
    }

    /// The encoding of positive infinity.
    pub(crate) fn infinity(self) -> u128 {
        ((1 << self.exponent) - 1) << self.fraction()
    }

    /// The encoding of 1.
    pub(crate) fn one(self) -> u128 {
        self.bias().cast_unsigned() << self.fraction()
    }

    /// The encoding of the NaN that operations yield.
    pub(crate) fn quiet_nan(self) -> u128 {
        self.infinity() | 1 << (self.fraction() - 1)
    }
}

/// Where a value between two others goes: two floats next to each other, or two integral values.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Toward {
    /// To the one below.
    Below,
    /// To the one above.
    Above,
    /// To the one nearer to zero.
    Zero,
    /// To the nearest; a half goes away from zero.
    HalfAway,
    /// To the nearest; a half goes to the even one.
    HalfEven,
}

/// How results that are no floats of the format are rounded.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// In every execution.
    Fixed(Toward),
    /// As a number says: 0 to nearest (even), 1 below, 2 above, 4 to nearest (away from zero), others toward zero.
    Chosen(Term),
}

impl Rounding {
    /// To nearest, ties to even.
    pub const NEAREST: Rounding = Rounding::Fixed(Toward::HalfEven);

    /// What holds in this mode; nothing is made of other modes where there is only one.
    fn select(self, terms: &mut Terms, mut of: impl FnMut(&mut Terms, Toward) -> Term) -> Term {
        let mode = match self {
            Rounding::Fixed(toward) => return of(terms, toward),
            Rounding::Chosen(mode) => mode,
        };
        let modes = [(0, Toward::HalfEven), (1, Toward::Below), (2, Toward::Above), (4, Toward::HalfAway)];
        if let Some(number) = terms.as_const(mode) {
            let toward = modes.iter().find(|(known, _)| *known == number).map_or(Toward::Zero, |(_, toward)| *toward);
            return of(terms, toward);
        }
        let zero = of(terms, Toward::Zero);
        modes.into_iter().fold(zero, |others, (number, toward)| {
            let number = terms.constant(terms.width(mode), number);
            let (is_it, value) = (terms.eq(mode, number), of(terms, toward));
            terms.ite(is_it, value, others)
        })
    }
}

/// A float taken apart. The exponent and the significand mean something only for finite non-zero values: the value is
/// the significand, read as 1.xxx, times two to the exponent.
struct Unpacked {
    nan: Term,
    infinite: Term,
    zero: Term,
    sign: Term,
    exponent: Term,
    significand: Term,
}

fn number(terms: &mut Terms, width: u32, value: i128) -> Term {
    terms.constant(width, value.cast_unsigned())
}

fn field(terms: &mut Terms, format: Format, a: Term) -> Term {
    terms.extract(a, format.width() - 2, format.fraction())
}

fn fraction(terms: &mut Terms, format: Format, a: Term) -> Term {
    terms.extract(a, format.fraction() - 1, 0)
}

/// Everything but the sign; as an integer it is ordered like the absolute values.
fn magnitude(terms: &mut Terms, format: Format, a: Term) -> Term {
    terms.extract(a, format.width() - 2, 0)
}

fn is_zero_word(terms: &mut Terms, a: Term) -> Term {
    let nonzero = terms.is_nonzero(a);
    terms.not(nonzero)
}

fn signed(terms: &mut Terms, sign: Term, magnitude: Term) -> Term {
    terms.concat(sign, magnitude)
}

/// The significand with its hidden bit, and the exponent field, where subnormals share that of the least normal.
fn parts(terms: &mut Terms, format: Format, a: Term) -> (Term, Term) {
    let field = field(terms, format, a);
    let normal = terms.is_nonzero(field);
    let fraction = fraction(terms, format, a);
    let significand = terms.concat(normal, fraction);
    let one = terms.constant(format.exponent, 1);
    let exponent = terms.ite(normal, field, one);
    (significand, exponent)
}

fn unpack(terms: &mut Terms, format: Format, a: Term) -> Unpacked {
    let (significand, exponent) = parts(terms, format, a);
    let (significand, shift) = normalise(terms, significand);
    let width = format.working_exponent();
    let exponent = terms.zext(exponent, width);
    let shift = terms.resize_unsigned(shift, width);
    let bias = number(terms, width, format.bias());
    let exponent = terms.sub(exponent, bias);
    let exponent = terms.sub(exponent, shift);
    Unpacked {
        nan: is_nan(terms, format, a),
        infinite: is_infinite(terms, format, a),
        zero: is_zero(terms, format, a),
        sign: terms.sign_bit(a),
        exponent,
        significand,
    }
}

/// The word shifted up until its top bit is set (unless it is zero), and by how much.
fn normalise(terms: &mut Terms, word: Term) -> (Term, Term) {
    let width = terms.width(word);
    let (mut word, mut shift) = (word, None);
    let stages = u32::BITS - (width - 1).leading_zeros();
    for stage in (0..stages).rev() {
        let distance = 1 << stage;
        let top = terms.extract(word, width - 1, width - distance);
        let empty = is_zero_word(terms, top);
        let by = terms.constant(width, u128::from(distance));
        let shifted = terms.shl(word, by);
        word = terms.ite(empty, shifted, word);
        shift = Some(match shift {
            Some(above) => terms.concat(above, empty),
            None => empty,
        });
    }
    let shift = shift.unwrap_or_else(|| terms.fals());
    (word, shift)
}

/// The word shifted down, its last bit set if any one bit was lost: enough to round correctly later.
fn shift_down_sticky(terms: &mut Terms, word: Term, by: Term) -> Term {
    let width = terms.width(word);
    let (mut word, mut lost) = (word, terms.fals());
    for stage in 0..terms.width(by) {
        let selected = terms.extract(by, stage, stage);
        let (shifted, dropped) = if stage < 7 && 1 << stage < width {
            let distance = 1 << stage;
            let below = terms.extract(word, distance - 1, 0);
            let by = terms.constant(width, u128::from(distance));
            (terms.lshr(word, by), below)
        } else {
            (terms.constant(width, 0), word)
        };
        let dropped = terms.is_nonzero(dropped);
        let dropped = terms.and(selected, dropped);
        lost = terms.or(lost, dropped);
        word = terms.ite(selected, shifted, word);
    }
    let lost = terms.zext(lost, width);
    terms.or(word, lost)
}

/// The float for `significand` (1.xxx, normalised, its last bit possibly sticky) times two to the signed
/// `exponent`, rounded. At least two bits beyond the precision are needed.
fn round(terms: &mut Terms, format: Format, rounding: Rounding, sign: Term, exponent: Term, significand: Term) -> Term {
    let width = terms.width(exponent);
    let precision = format.significand;
    // Below the normal range, the significand moves down to where the least exponent wants it.
    let least = number(terms, width, format.least_exponent());
    let subnormal = terms.slt(exponent, least);
    let missing = terms.sub(least, exponent);
    let zero = terms.constant(width, 0);
    let missing = terms.ite(subnormal, missing, zero);
    let moved = shift_down_sticky(terms, significand, missing);
    let full = terms.width(moved);
    let kept = terms.extract(moved, full - 1, full - precision);
    let guard = terms.extract(moved, full - precision - 1, full - precision - 1);
    let below = terms.extract(moved, full - precision - 2, 0);
    let rest = terms.extract(moved, full - precision - 1, 0);
    let odd = terms.extract(kept, 0, 0);
    let up = rounding.select(terms, |terms, toward| rounds_up(terms, toward, sign, [rest, guard, below, odd]));
    // The carry out of the fraction runs into the exponent field, which is just what it should do, up to infinity.
    let bias = number(terms, width, format.bias());
    let biased = terms.add(exponent, bias);
    let biased = terms.extract(biased, format.exponent - 1, 0);
    let no_field = terms.constant(format.exponent, 0);
    let field = terms.ite(subnormal, no_field, biased);
    let fraction = terms.extract(kept, precision - 2, 0);
    let packed = terms.concat(field, fraction);
    let up = terms.zext(up, format.width() - 1);
    let packed = terms.add(packed, up);
    let greatest = number(terms, width, format.bias());
    let overflow = terms.sgt(exponent, greatest);
    let infinity = terms.constant(format.width() - 1, format.infinity());
    let largest = terms.constant(format.width() - 1, format.infinity() - 1);
    let leaves = rounding.select(terms, |terms, toward| grows(terms, toward, sign));
    let beyond = terms.ite(leaves, infinity, largest);
    let packed = terms.ite(overflow, beyond, packed);
    signed(terms, sign, packed)
}

/// The word with zeros below, at least `width` bits in all.
fn pad_below(terms: &mut Terms, word: Term, width: u32) -> Term {
    let from = terms.width(word);
    if from >= width {
        return word;
    }
    let zeros = terms.constant(width - from, 0);
    terms.concat(word, zeros)
}

/// `nan`, else `infinite` with that sign, else `zero` with that sign, else the value.
struct Special {
    nan: Term,
    infinite: Term,
    zero: Term,
    sign: Term,
}

fn select_special(terms: &mut Terms, format: Format, special: Special, value: Term) -> Term {
    let infinity = terms.constant(format.width() - 1, format.infinity());
    let infinity = signed(terms, special.sign, infinity);
    let zero = terms.constant(format.width() - 1, 0);
    let zero = signed(terms, special.sign, zero);
    let nan = terms.constant(format.width(), format.quiet_nan());
    let value = terms.ite(special.zero, zero, value);
    let value = terms.ite(special.infinite, infinity, value);
    terms.ite(special.nan, nan, value)
}

/// The low 80 bits of a word as the machine stores a `long double`, in the encoding that other formats have: without the
/// first bit of the significand. Where that bit is missing, the machine takes it for no number; where it stands with an
/// exponent of 0, for one with the exponent 1.
pub fn from_extended(terms: &mut Terms, word: Term) -> Term {
    let (sign, field) = (terms.extract(word, 79, 79), terms.extract(word, 78, 64));
    let (first, fraction) = (terms.extract(word, 63, 63), terms.extract(word, 62, 0));
    let normal = terms.is_nonzero(field);
    let low = terms.zext(first, 15);
    let field = terms.ite(normal, field, low);
    let magnitude = terms.concat(field, fraction);
    let value = signed(terms, sign, magnitude);
    let missing = terms.not(first);
    let invalid = terms.and(normal, missing);
    let nan = terms.constant(79, Format::EXTENDED.quiet_nan());
    terms.ite(invalid, nan, value)
}

/// The same the other way round, with zeros above.
pub fn to_extended(terms: &mut Terms, value: Term, width: u32) -> Term {
    let (head, fraction) = (terms.extract(value, 78, 63), terms.extract(value, 62, 0));
    let field = terms.extract(value, 77, 63);
    let first = terms.is_nonzero(field);
    let significand = terms.concat(first, fraction);
    let word = terms.concat(head, significand);
    terms.zext(word, width)
}

/// Is it a NaN?
pub fn is_nan(terms: &mut Terms, format: Format, a: Term) -> Term {
    let magnitude = magnitude(terms, format, a);
    let infinity = terms.constant(format.width() - 1, format.infinity());
    terms.ugt(magnitude, infinity)
}

/// Is it an infinity, of either sign?
pub fn is_infinite(terms: &mut Terms, format: Format, a: Term) -> Term {
    let magnitude = magnitude(terms, format, a);
    let infinity = terms.constant(format.width() - 1, format.infinity());
    terms.eq(magnitude, infinity)
}

/// Is it a zero, of either sign?
pub fn is_zero(terms: &mut Terms, format: Format, a: Term) -> Term {
    let magnitude = magnitude(terms, format, a);
    is_zero_word(terms, magnitude)
}

/// Is it a normal number: neither zero, subnormal, infinite nor NaN?
pub fn is_normal(terms: &mut Terms, format: Format, a: Term) -> Term {
    let field = field(terms, format, a);
    let ones = terms.constant(format.exponent, u128::MAX);
    let (low, high) = (terms.is_nonzero(field), terms.ne(field, ones));
    terms.and(low, high)
}

/// Is it neither infinite nor NaN?
pub fn is_finite(terms: &mut Terms, format: Format, a: Term) -> Term {
    let field = field(terms, format, a);
    let ones = terms.constant(format.exponent, u128::MAX);
    terms.ne(field, ones)
}

/// The value with its sign flipped, NaN included.
pub fn neg(terms: &mut Terms, format: Format, a: Term) -> Term {
    let sign = terms.sign_bit(a);
    let sign = terms.not(sign);
    let magnitude = magnitude(terms, format, a);
    signed(terms, sign, magnitude)
}

/// The value with a positive sign, NaN included.
pub fn abs(terms: &mut Terms, format: Format, a: Term) -> Term {
    let magnitude = magnitude(terms, format, a);
    terms.zext(magnitude, format.width())
}

fn unordered(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let (a, b) = (is_nan(terms, format, a), is_nan(terms, format, b));
    terms.or(a, b)
}

/// `a == b`: a NaN equals nothing, the two zeros are equal.
pub fn eq(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let unordered = unordered(terms, format, a, b);
    let ordered = terms.not(unordered);
    let same = terms.eq(a, b);
    let (zero_a, zero_b) = (is_zero(terms, format, a), is_zero(terms, format, b));
    let zeros = terms.and(zero_a, zero_b);
    let equal = terms.or(same, zeros);
    terms.and(ordered, equal)
}

/// `a < b`; false if either is a NaN.
pub fn lt(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let unordered = unordered(terms, format, a, b);
    let ordered = terms.not(unordered);
    let (sign_a, sign_b) = (terms.sign_bit(a), terms.sign_bit(b));
    let (size_a, size_b) = (magnitude(terms, format, a), magnitude(terms, format, b));
    let (smaller, larger) = (terms.ult(size_a, size_b), terms.ult(size_b, size_a));
    let (nonzero_a, nonzero_b) = (terms.is_nonzero(size_a), terms.is_nonzero(size_b));
    let not_zeros = terms.or(nonzero_a, nonzero_b);
    // Both negative: the larger magnitude is less. Signs differ: the negative one is less, unless both are zeros.
    let negative_a = terms.ite(sign_b, larger, not_zeros);
    let plus_b = terms.not(sign_b);
    let positive_a = terms.and(plus_b, smaller);
    let less = terms.ite(sign_a, negative_a, positive_a);
    terms.and(ordered, less)
}

/// `a <= b`; false if either is a NaN.
pub fn le(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let (less, equal) = (lt(terms, format, a, b), eq(terms, format, a, b));
    terms.or(less, equal)
}

/// `a + b`.
pub fn add(terms: &mut Terms, format: Format, rounding: Rounding, a: Term, b: Term) -> Term {
    let (size_a, size_b) = (magnitude(terms, format, a), magnitude(terms, format, b));
    let swap = terms.ult(size_a, size_b);
    let (big, small) = (terms.ite(swap, b, a), terms.ite(swap, a, b));
    let (big_sign, small_sign) = (terms.sign_bit(big), terms.sign_bit(small));
    let ((big_significand, big_exponent), (small_significand, small_exponent)) =
        (parts(terms, format, big), parts(terms, format, small));
    let distance = terms.sub(big_exponent, small_exponent);
    // Three bits below (guard, round, sticky) are enough, and one above for the carry.
    let wide = format.significand + 3;
    let (big_word, small_word) = (pad_below(terms, big_significand, wide), pad_below(terms, small_significand, wide));
    let small_word = shift_down_sticky(terms, small_word, distance);
    let (big_word, small_word) = (terms.zext(big_word, wide + 1), terms.zext(small_word, wide + 1));
    let differ = terms.xor(big_sign, small_sign);
    let negated = terms.neg(small_word);
    let small_word = terms.ite(differ, negated, small_word);
    let sum = terms.add(big_word, small_word);
    let cancelled = is_zero_word(terms, sum);
    let (sum, shift) = normalise(terms, sum);
    let width = format.working_exponent();
    let exponent = terms.zext(big_exponent, width);
    let shift = terms.resize_unsigned(shift, width);
    // Unbias, and one more for the carry bit on top.
    let offset = number(terms, width, format.bias() - 1);
    let exponent = terms.sub(exponent, offset);
    let exponent = terms.sub(exponent, shift);
    let value = round(terms, format, rounding, big_sign, exponent, sum);
    let big_infinite = is_infinite(terms, format, big);
    let small_infinite = is_infinite(terms, format, small);
    let unordered = unordered(terms, format, a, b);
    let clash = terms.and(small_infinite, differ);
    let nan = terms.or(unordered, clash);
    // x + -x is +0, but -0 where that rounds below; -0 + -0 is -0.
    let (sign_a, sign_b) = (terms.sign_bit(a), terms.sign_bit(b));
    let zero_sign = rounding.select(terms, |terms, toward| match toward {
        Toward::Below => terms.or(sign_a, sign_b),
        _ => terms.and(sign_a, sign_b),
    });
    let sign = terms.ite(big_infinite, big_sign, zero_sign);
    select_special(terms, format, Special { nan, infinite: big_infinite, zero: cancelled, sign }, value)
}

/// `a - b`.
pub fn sub(terms: &mut Terms, format: Format, rounding: Rounding, a: Term, b: Term) -> Term {
    let b = neg(terms, format, b);
    add(terms, format, rounding, a, b)
}

/// `a * b`.
pub fn mul(terms: &mut Terms, format: Format, rounding: Rounding, a: Term, b: Term) -> Term {
    let (a, b) = (unpack(terms, format, a), unpack(terms, format, b));
    let wide = 2 * format.significand;
    let (left, right) = (terms.zext(a.significand, wide), terms.zext(b.significand, wide));
    // Between 1 and 4: the top bit is one of the first two.
    let product = terms.mul(left, right);
    let large = terms.sign_bit(product);
    let one = terms.constant(wide, 1);
    let shifted = terms.shl(product, one);
    let product = terms.ite(large, product, shifted);
    let exponent = terms.add(a.exponent, b.exponent);
    let carry = terms.zext(large, format.working_exponent());
    let exponent = terms.add(exponent, carry);
    let sign = terms.xor(a.sign, b.sign);
    let value = round(terms, format, rounding, sign, exponent, product);
    let infinite = terms.or(a.infinite, b.infinite);
    let zero = terms.or(a.zero, b.zero);
    let undefined = terms.and(infinite, zero);
    let nan = terms.or_all(&[a.nan, b.nan, undefined]);
    select_special(terms, format, Special { nan, infinite, zero, sign }, value)
}

/// `a / b`.
pub fn div(terms: &mut Terms, format: Format, rounding: Rounding, a: Term, b: Term) -> Term {
    let (a, b) = (unpack(terms, format, a), unpack(terms, format, b));
    // Long division of the significands, a bit at a time: the quotient lies between 1/2 and 2.
    let width = format.significand + 1;
    let divisor = terms.zext(b.significand, width);
    let mut remainder = terms.zext(a.significand, width);
    let one = terms.constant(width, 1);
    let mut quotient = None;
    for _ in 0..format.significand + 2 {
        let fits = terms.uge(remainder, divisor);
        let reduced = terms.sub(remainder, divisor);
        remainder = terms.ite(fits, reduced, remainder);
        remainder = terms.shl(remainder, one);
        quotient = Some(match quotient {
            Some(above) => terms.concat(above, fits),
            None => fits,
        });
    }
    let quotient = quotient.unwrap_or_else(|| terms.fals());
    let inexact = terms.is_nonzero(remainder);
    let quotient = terms.concat(quotient, inexact);
    let large = terms.sign_bit(quotient);
    let one = terms.constant(terms.width(quotient), 1);
    let shifted = terms.shl(quotient, one);
    let quotient = terms.ite(large, quotient, shifted);
    let small = terms.not(large);
    let borrow = terms.zext(small, format.working_exponent());
    let exponent = terms.sub(a.exponent, b.exponent);
    let exponent = terms.sub(exponent, borrow);
    let sign = terms.xor(a.sign, b.sign);
    let value = round(terms, format, rounding, sign, exponent, quotient);
    let (infinities, zeros) = (terms.and(a.infinite, b.infinite), terms.and(a.zero, b.zero));
    let nan = terms.or_all(&[a.nan, b.nan, infinities, zeros]);
    let infinite = terms.or(a.infinite, b.zero);
    let zero = terms.or(a.zero, b.infinite);
    select_special(terms, format, Special { nan, infinite, zero, sign }, value)
}

/// The square root; NaN for values below zero, and -0 for -0.
pub fn sqrt(terms: &mut Terms, format: Format, rounding: Rounding, a: Term) -> Term {
    let a = unpack(terms, format, a);
    // An even exponent halves exactly; an odd one lends a factor of two, leaving a radicand between 1 and 4.
    let odd = terms.extract(a.exponent, 0, 0);
    let plain = terms.zext(a.significand, format.significand + 1);
    let one = terms.constant(format.significand + 1, 1);
    let doubled = terms.shl(plain, one);
    let radicand = terms.ite(odd, doubled, plain);
    let shift = terms.constant(format.working_exponent(), 1);
    let exponent = terms.ashr(a.exponent, shift);
    // Two bits of the radicand give one of the root, as by hand.
    let digits = format.significand + 2;
    let width = digits + 2;
    let zeros = terms.constant(2, 0);
    let (mut remainder, mut root) = (terms.constant(width, 0), terms.constant(width, 0));
    let given = terms.width(radicand);
    for digit in 0..digits {
        let next = if 2 * digit + 1 < given {
            terms.extract(radicand, given - 1 - 2 * digit, given - 2 - 2 * digit)
        } else if 2 * digit < given {
            let last = terms.extract(radicand, 0, 0);
            terms.concat(last, terms.fals())
        } else {
            zeros
        };
        let low = terms.extract(remainder, width - 3, 0);
        remainder = terms.concat(low, next);
        let low = terms.extract(root, width - 3, 0);
        let one = terms.constant(2, 1);
        let trial = terms.concat(low, one);
        let fits = terms.uge(remainder, trial);
        let reduced = terms.sub(remainder, trial);
        remainder = terms.ite(fits, reduced, remainder);
        let low = terms.extract(root, width - 2, 0);
        root = terms.concat(low, fits);
    }
    let inexact = terms.is_nonzero(remainder);
    let root = terms.extract(root, digits - 1, 0);
    let root = terms.concat(root, inexact);
    let value = round(terms, format, rounding, terms.fals(), exponent, root);
    let nonzero = terms.not(a.zero);
    let negative = terms.and(a.sign, nonzero);
    let nan = terms.or(a.nan, negative);
    select_special(terms, format, Special { nan, infinite: a.infinite, zero: a.zero, sign: a.sign }, value)
}

/// The value rounded to an integral one, with its sign.
///
/// The magnitude read as an integer has the bits behind the point at its end. Without them it is the integral magnitude below; a unit
/// of the last place before the point added, and it is the one above: the carry into the exponent does the right thing.
pub fn to_integral(terms: &mut Terms, format: Format, rounding: Rounding, a: Term) -> Term {
    let (sign, size) = (terms.sign_bit(a), magnitude(terms, format, a));
    let width = format.width() - 1;
    let (one, zero) = (terms.constant(width, 1), terms.constant(width, 0));
    let field = field(terms, format, a);
    let field = terms.zext(field, width);
    // So many bits are behind the point, where there are some and one is before it.
    let point = number(terms, width, format.bias() + i128::from(format.fraction()));
    let behind = terms.sub(point, field);
    let unit = terms.shl(one, behind);
    let mask = terms.sub(unit, one);
    let half = terms.lshr(unit, one);
    let rest = terms.and(size, mask);
    let kept = terms.sub(size, rest);
    let up = {
        let (bit, odd) = (terms.and(size, half), terms.and(size, unit));
        let below = terms.xor(rest, bit);
        rounding.select(terms, |terms, toward| rounds_up(terms, toward, sign, [rest, bit, below, odd]))
    };
    let raised = terms.add(kept, unit);
    let middle = terms.ite(up, raised, kept);
    // Below one there is nothing before the point.
    let one_size = terms.constant(width, format.one());
    let half_size = number(terms, width, (format.bias() - 1) << format.fraction());
    let up = {
        let halves = terms.uge(size, half_size);
        let more = terms.ult(half_size, size);
        let (bit, below) = (terms.zext(halves, width), terms.zext(more, width));
        rounding.select(terms, |terms, toward| rounds_up(terms, toward, sign, [size, bit, below, zero]))
    };
    let small = terms.ite(up, one_size, zero);
    let is_small = terms.ult(size, one_size);
    let is_integral = terms.uge(field, point);
    let value = terms.ite(is_small, small, middle);
    let value = terms.ite(is_integral, size, value);
    let value = signed(terms, sign, value);
    let (nan, quiet) = (is_nan(terms, format, a), terms.constant(format.width(), format.quiet_nan()));
    terms.ite(nan, quiet, value)
}

/// Does the magnitude grow? By what is behind the point: all of it, the half, what is below the half; and whether the last bit
/// before the point is odd. Each is a word that counts if it is not 0.
fn rounds_up(terms: &mut Terms, toward: Toward, sign: Term, words: [Term; 4]) -> Term {
    let [rest, half, below, odd] = words.map(|word| terms.is_nonzero(word));
    match toward {
        Toward::Below => terms.and(sign, rest),
        Toward::Above => {
            let plus = terms.not(sign);
            terms.and(plus, rest)
        }
        Toward::Zero => terms.fals(),
        Toward::HalfAway => half,
        Toward::HalfEven => {
            let decided = terms.or(below, odd);
            terms.and(half, decided)
        }
    }
}

/// Does what is too large become infinite, and not the largest number?
fn grows(terms: &mut Terms, toward: Toward, sign: Term) -> Term {
    match toward {
        Toward::Below => sign,
        Toward::Above => terms.not(sign),
        Toward::Zero => terms.fals(),
        Toward::HalfAway | Toward::HalfEven => terms.tru(),
    }
}

/// The float for a two's-complement integer.
pub fn from_signed(terms: &mut Terms, format: Format, rounding: Rounding, a: Term) -> Term {
    let sign = terms.sign_bit(a);
    let negated = terms.neg(a);
    let size = terms.ite(sign, negated, a);
    from_magnitude(terms, format, rounding, sign, size)
}

/// The float for an unsigned integer.
pub fn from_unsigned(terms: &mut Terms, format: Format, rounding: Rounding, a: Term) -> Term {
    from_magnitude(terms, format, rounding, terms.fals(), a)
}

fn from_magnitude(terms: &mut Terms, format: Format, rounding: Rounding, sign: Term, size: Term) -> Term {
    let width = format.working_exponent();
    let top = i128::from(terms.width(size)) - 1;
    let zero = is_zero_word(terms, size);
    let (significand, shift) = normalise(terms, size);
    let significand = pad_below(terms, significand, format.significand + 2);
    let shift = terms.resize_unsigned(shift, width);
    let top = number(terms, width, top);
    let exponent = terms.sub(top, shift);
    let value = round(terms, format, rounding, sign, exponent, significand);
    let positive_zero = terms.constant(format.width(), 0);
    terms.ite(zero, positive_zero, value)
}

/// The absolute value cut to an integer modulo two to `width`, and the number taken apart.
fn truncate(terms: &mut Terms, format: Format, a: Term, width: u32) -> (Term, Unpacked) {
    let a = unpack(terms, format, a);
    let exponent_width = format.working_exponent();
    let register = width.max(format.significand).max(exponent_width);
    let point = number(terms, exponent_width, i128::from(format.significand) - 1);
    let zero = terms.constant(exponent_width, 0);
    let up = terms.sub(a.exponent, point);
    let down = terms.neg(up);
    let moves_up = terms.slt(zero, up);
    let word = terms.zext(a.significand, register);
    let (up, down) = (terms.zext(up, register), terms.zext(down, register));
    let (raised, lowered) = (terms.shl(word, up), terms.lshr(word, down));
    let word = terms.ite(moves_up, raised, lowered);
    // Below one, whatever the shifts made of a far too small exponent; zeros have no meaningful exponent.
    let fraction = terms.sign_bit(a.exponent);
    let nothing = terms.or(fraction, a.zero);
    let none = terms.constant(register, 0);
    let word = terms.ite(nothing, none, word);
    (terms.resize_unsigned(word, width), a)
}

/// Is a finite value's magnitude at least two to `power` (or is it infinite or NaN)?
fn reaches(terms: &mut Terms, format: Format, a: &Unpacked, power: u32) -> Term {
    let limit = number(terms, format.working_exponent(), i128::from(power));
    let large = terms.sge(a.exponent, limit);
    let finite = terms.not(a.zero);
    let large = terms.and(large, finite);
    terms.or_all(&[large, a.infinite, a.nan])
}

/// The value cut towards zero, as a two's-complement integer. Out of range, where C leaves it undefined, this is what
/// gcc's `cvttsd2si` gives on x86-64: the most negative `int` (up to 32 bits) or `long` (up to 64), cut to the width.
pub fn to_signed(terms: &mut Terms, format: Format, a: Term, width: u32) -> Term {
    let register = if width <= 32 { 32 } else { width.max(64) };
    let (size, a) = truncate(terms, format, a, register);
    let negated = terms.neg(size);
    let value = terms.ite(a.sign, negated, size);
    // The most negative value itself is out of range by this test, and comes out right all the same.
    let beyond = reaches(terms, format, &a, register - 1);
    let indefinite = terms.constant(register, 1 << (register - 1));
    let value = terms.ite(beyond, indefinite, value);
    terms.resize_signed(value, width)
}

/// The value cut towards zero, as an unsigned integer. Out of range, where C leaves it undefined, this is what gcc
/// gives on x86-64: below 64 bits, a signed conversion of twice the width (at least 32 bits), cut; at 64 bits, negative
/// values wrap, values too large give 0, and NaN gives 2^63.
pub fn to_unsigned(terms: &mut Terms, format: Format, a: Term, width: u32) -> Term {
    if width < 64 {
        let register = if width < 32 { 32 } else { 64 };
        let value = to_signed(terms, format, a, register);
        return terms.resize_signed(value, width);
    }
    let (size, a) = truncate(terms, format, a, width);
    let negated = terms.neg(size);
    let value = terms.ite(a.sign, negated, size);
    let indefinite = terms.constant(width, 1 << (width - 1));
    let too_large = reaches(terms, format, &a, width);
    let zero = terms.constant(width, 0);
    let value = terms.ite(too_large, zero, value);
    let too_small = reaches(terms, format, &a, width - 1);
    let too_small = terms.and(too_small, a.sign);
    let undefined = terms.or(too_small, a.nan);
    terms.ite(undefined, indefinite, value)
}

/// A NaN in another format: its sign and as much of its fraction as there is room for, made quiet.
fn convert_nan(terms: &mut Terms, from: Format, to: Format, a: Term) -> Term {
    let (sign, fraction) = (terms.extract(a, from.width() - 1, from.width() - 1), fraction(terms, from, a));
    let fraction = pad_below(terms, fraction, to.fraction());
    let width = terms.width(fraction);
    let fraction = terms.extract(fraction, width - 1, width - to.fraction());
    let (fraction, quiet) = (terms.zext(fraction, to.width() - 1), terms.constant(to.width() - 1, to.quiet_nan()));
    let magnitude = terms.or(fraction, quiet);
    signed(terms, sign, magnitude)
}

/// The value in another format.
pub fn convert(terms: &mut Terms, from: Format, to: Format, rounding: Rounding, a: Term) -> Term {
    let nan = convert_nan(terms, from, to, a);
    let a = unpack(terms, from, a);
    let width = from.working_exponent().max(to.working_exponent());
    let exponent = terms.sext(a.exponent, width);
    let significand = pad_below(terms, a.significand, to.significand + 2);
    let value = round(terms, to, rounding, a.sign, exponent, significand);
    let special = Special { nan: a.nan, infinite: a.infinite, zero: a.zero, sign: a.sign };
    let value = select_special(terms, to, special, value);
    terms.ite(a.nan, nan, value)
}
