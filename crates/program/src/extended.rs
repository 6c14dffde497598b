//! C's `long double` on x86: the 80-bit numbers of the x87, as functions on their bits.
//!
//! A number has a sign, 15 bits of exponent and 64 of significand, of which the first, unlike in other formats, is stored.
//! It lies in the low 80 bits of 96 or 128; what lies above is padding, and 0 in every result. Results are those of the
//! exact ones nearest to them, ties to even: each is computed with a significand of 128 bits, of which the last says
//! whether anything was lost, and rounded in one place, [`round`]. What the machine takes for no number, because the
//! first bit of the significand is missing, is a NaN here, and a NaN that an operation makes is the quiet positive one.

use std::cmp::Ordering;

use nearmiss_logic::width::low_bits;

use crate::program::Toward;

/// Is a float of this width such a number?
pub fn is_extended(width: u32) -> bool {
    width > 64
}

/// The place of the sign bit in a float of this width.
pub fn sign_bit(width: u32) -> u32 {
    if is_extended(width) { 79 } else { width - 1 }
}

const BIAS: i32 = 16383;
/// The exponent of the smallest normal number.
const LEAST: i32 = 1 - BIAS;
/// The field of the exponent of infinities and NaNs.
const FULL: i32 = 0x7fff;
/// The first bit of a significand.
const TOP: u64 = 1 << 63;
const NAN: u128 = (0x7fff << 64) | (0b11 << 62);

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Nan,
    Infinite,
    Zero,
    Finite,
}

/// A number taken apart: the significand, read as 1.xxx, times two to the exponent.
#[derive(Clone, Copy)]
struct Number {
    kind: Kind,
    negative: bool,
    exponent: i32,
    /// Its first bit is set, if the number is finite and not zero.
    significand: u64,
}

fn decode(bits: u128) -> Number {
    let (negative, field, significand) = (bits >> 79 & 1 == 1, (bits >> 64) as i32 & FULL, bits as u64);
    let number = |kind, exponent, significand| Number { kind, negative, exponent, significand };
    match (field, significand) {
        (0, 0) => number(Kind::Zero, 0, 0),
        (0, _) => {
            let shift = significand.leading_zeros();
            number(Kind::Finite, LEAST - shift as i32, significand << shift)
        }
        _ if significand & TOP == 0 => number(Kind::Nan, 0, 0),
        (FULL, TOP) => number(Kind::Infinite, 0, 0),
        (FULL, _) => number(Kind::Nan, 0, 0),
        _ => number(Kind::Finite, field - BIAS, significand),
    }
}

fn encode(negative: bool, field: i32, significand: u64) -> u128 {
    u128::from(negative) << 79 | (field as u128) << 64 | u128::from(significand)
}

fn zero(negative: bool) -> u128 {
    encode(negative, 0, 0)
}

fn infinity(negative: bool) -> u128 {
    encode(negative, FULL, TOP)
}

/// Shifted down, the last bit set if any one bit was lost.
fn shift_down(word: u128, by: i32) -> u128 {
    match by {
        0 => word,
        1..=127 => word >> by | u128::from(word << (128 - by) != 0),
        _ => u128::from(word != 0),
    }
}

/// The number nearest to a significand of 128 bits, not 0, whose first bit stands for two to the exponent.
fn round(negative: bool, exponent: i32, word: u128) -> u128 {
    let shift = word.leading_zeros();
    let (exponent, word) = (exponent - shift as i32, word << shift);
    let (mut field, word) = match exponent < LEAST {
        true => (0, shift_down(word, LEAST - exponent)),
        false => (exponent + BIAS, word),
    };
    let (kept, rest) = ((word >> 64) as u64, word as u64);
    let up = rest > TOP || rest == TOP && kept & 1 == 1;
    let (mut significand, carry) = kept.overflowing_add(u64::from(up));
    if carry {
        significand = TOP;
        field += 1;
    } else if field == 0 && significand & TOP != 0 {
        field = 1;
    }
    if field >= FULL { infinity(negative) } else { encode(negative, field, significand) }
}

/// The same number as operations yield it, without what lies above it.
fn canonical(a: u128) -> u128 {
    let number = decode(a);
    match number.kind {
        Kind::Nan => NAN,
        Kind::Infinite => infinity(number.negative),
        Kind::Zero => zero(number.negative),
        Kind::Finite => round(number.negative, number.exponent, u128::from(number.significand) << 64),
    }
}

/// `a + b`.
pub fn add(a: u128, b: u128) -> u128 {
    let (a, b) = (decode(a), decode(b));
    match (a.kind, b.kind) {
        (Kind::Nan, _) | (_, Kind::Nan) => return NAN,
        (Kind::Infinite, Kind::Infinite) if a.negative != b.negative => return NAN,
        (Kind::Infinite, _) => return infinity(a.negative),
        (_, Kind::Infinite) => return infinity(b.negative),
        (Kind::Zero, Kind::Zero) => return zero(a.negative && b.negative),
        (Kind::Zero, _) => return round(b.negative, b.exponent, u128::from(b.significand) << 64),
        (_, Kind::Zero) => return round(a.negative, a.exponent, u128::from(a.significand) << 64),
        (Kind::Finite, Kind::Finite) => {}
    }
    let (large, small) = if a.exponent >= b.exponent { (a, b) } else { (b, a) };
    // One bit of room for the carry.
    let wide = |number: Number| u128::from(number.significand) << 63;
    let (left, right) = (wide(large), shift_down(wide(small), large.exponent - small.exponent));
    if large.negative == small.negative {
        return round(large.negative, large.exponent + 1, left + right);
    }
    match left.cmp(&right) {
        Ordering::Equal => zero(false),
        Ordering::Greater => round(large.negative, large.exponent + 1, left - right),
        Ordering::Less => round(small.negative, large.exponent + 1, right - left),
    }
}

/// `a - b`.
pub fn sub(a: u128, b: u128) -> u128 {
    add(a, b ^ 1 << 79)
}

/// `a * b`.
pub fn mul(a: u128, b: u128) -> u128 {
    let (a, b) = (decode(a), decode(b));
    let negative = a.negative != b.negative;
    match (a.kind, b.kind) {
        (Kind::Nan, _) | (_, Kind::Nan) | (Kind::Infinite, Kind::Zero) | (Kind::Zero, Kind::Infinite) => NAN,
        (Kind::Infinite, _) | (_, Kind::Infinite) => infinity(negative),
        (Kind::Zero, _) | (_, Kind::Zero) => zero(negative),
        (Kind::Finite, Kind::Finite) => {
            let product = u128::from(a.significand) * u128::from(b.significand);
            round(negative, a.exponent + b.exponent + 1, product)
        }
    }
}

/// `a / b`.
pub fn div(a: u128, b: u128) -> u128 {
    let (a, b) = (decode(a), decode(b));
    let negative = a.negative != b.negative;
    match (a.kind, b.kind) {
        (Kind::Nan, _) | (_, Kind::Nan) | (Kind::Infinite, Kind::Infinite) | (Kind::Zero, Kind::Zero) => NAN,
        (Kind::Infinite, _) | (_, Kind::Zero) => infinity(negative),
        (Kind::Zero, _) | (_, Kind::Infinite) => zero(negative),
        (Kind::Finite, Kind::Finite) => {
            // The quotient lies between 1/2 and 2: 64 or 65 bits of it, and then 63 more.
            let (dividend, divisor) = (u128::from(a.significand) << 64, u128::from(b.significand));
            let rest = (dividend % divisor) << 63;
            let (first, more, lost) = (dividend / divisor, rest / divisor, rest % divisor != 0);
            round(negative, a.exponent - b.exponent, (first << 63) | more | u128::from(lost))
        }
    }
}

/// The order of two numbers; none if one is a NaN.
pub fn compare(a: u128, b: u128) -> Option<Ordering> {
    let rank = |number: Number| {
        let size = match number.kind {
            Kind::Nan => return None,
            Kind::Zero => (0, 0, 0),
            Kind::Finite => (1, number.exponent, number.significand),
            Kind::Infinite => (2, 0, 0),
        };
        Some((number.negative && size.0 > 0, size))
    };
    let ((below, a), (under, b)) = (rank(decode(a))?, rank(decode(b))?);
    Some(match (below, under) {
        (false, false) => a.cmp(&b),
        (true, true) => b.cmp(&a),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

/// Is it no number?
pub fn is_nan(a: u128) -> bool {
    decode(a).kind == Kind::Nan
}

/// Is it one of the infinities?
pub fn is_infinite(a: u128) -> bool {
    decode(a).kind == Kind::Infinite
}

/// The whole number next to it.
pub fn round_to_whole(a: u128, toward: Toward) -> u128 {
    let number = decode(a);
    if number.kind != Kind::Finite || number.exponent >= 63 {
        return canonical(a);
    }
    // The fraction in the low 64 bits, and as 1/2 and what is beyond it.
    let word = shift_down(u128::from(number.significand) << 64, 63 - number.exponent);
    let (whole, fraction) = ((word >> 64) as u64, word as u64);
    let up = match toward {
        Toward::Zero => false,
        Toward::Below => number.negative && fraction != 0,
        Toward::Above => !number.negative && fraction != 0,
        Toward::HalfAway => fraction >= TOP,
        Toward::HalfEven => fraction > TOP || fraction == TOP && whole & 1 == 1,
    };
    match u128::from(whole) + u128::from(up) {
        0 => zero(number.negative),
        whole => round(number.negative, 127, whole),
    }
}

/// The number nearest to an integer.
pub fn from_integer(negative: bool, size: u128) -> u128 {
    if size == 0 { 0 } else { round(negative, 127, size) }
}

/// The low `keep` bits of a number cut to an integer, where that lies within -2^limit to 2^limit - 1.
pub fn to_integer(a: u128, limit: u32, keep: u32) -> Option<u128> {
    let number = decode(a);
    let size = match number.kind {
        Kind::Nan | Kind::Infinite => return None,
        Kind::Zero => 0,
        Kind::Finite if number.exponent < 0 => 0,
        Kind::Finite => {
            let (exponent, significand) = (number.exponent as u32, u128::from(number.significand));
            let is_power = match exponent {
                0..=63 => significand >> (63 - exponent) == 1 << exponent,
                _ => number.significand == TOP,
            };
            if exponent > limit || exponent == limit && !(number.negative && is_power) {
                return None;
            }
            match exponent {
                0..=63 => significand >> (63 - exponent),
                _ => significand.checked_shl(exponent - 63).unwrap_or(0),
            }
        }
    };
    Some(if number.negative { size.wrapping_neg() } else { size } & low_bits(keep))
}

/// A `double` (or a `float`, which is one, too): exact.
pub fn from_double(value: f64) -> u128 {
    let negative = value.is_sign_negative();
    if value.is_nan() {
        return NAN;
    }
    if value.is_infinite() {
        return infinity(negative);
    }
    if value == 0.0 {
        return zero(negative);
    }
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
    let (significand, exponent) = if field == 0 { (fraction, -1022) } else { (fraction | 1 << 52, field - 1023) };
    // The first of 53 bits stands for two to the exponent.
    round(negative, exponent + 75, u128::from(significand))
}

/// The `double` nearest to it.
pub fn to_double(a: u128) -> f64 {
    narrow(a, 53, -1022)
}

/// The `float` nearest to it.
pub fn to_float(a: u128) -> f32 {
    narrow(a, 24, -126) as f32
}

/// Rounded to so many bits, with this least exponent of normal numbers: exact as a `double`, or too large for it.
fn narrow(a: u128, precision: i32, least: i32) -> f64 {
    let number = decode(a);
    let sign = if number.negative { -1.0 } else { 1.0 };
    match number.kind {
        Kind::Nan => return f64::NAN,
        Kind::Infinite => return sign * f64::INFINITY,
        Kind::Zero => return sign * 0.0,
        Kind::Finite if number.exponent > 1023 => return sign * f64::INFINITY,
        Kind::Finite => {}
    }
    // The last bit that is kept stands for two to this.
    let last = number.exponent.max(least) - (precision - 1);
    let word = shift_down(u128::from(number.significand) << 64, 63 - (number.exponent - last));
    let (kept, rest) = ((word >> 64) as u64, word as u64);
    let up = rest > TOP || rest == TOP && kept & 1 == 1;
    let power = match last {
        -1022.. => f64::from_bits(((last + 1023) as u64) << 52),
        _ => f64::from_bits(1 << (last + 1074)),
    };
    sign * (kept + u64::from(up)) as f64 * power
}

/// In C notation: as the `double` that it is, or hexadecimal, which is exact.
pub fn show(a: u128) -> Option<String> {
    let number = decode(a);
    let narrow = to_double(a);
    if number.kind != Kind::Finite || compare(from_double(narrow), a) == Some(Ordering::Equal) {
        return None;
    }
    let fraction = format!("{:016x}", number.significand << 1);
    let sign = if number.negative { "-" } else { "" };
    Some(format!("{sign}0x1.{}p{:+}", fraction.trim_end_matches('0'), number.exponent))
}
