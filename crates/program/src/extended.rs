//! Floats on their bits: C's `long double` on x86, and the other formats where they are not rounded to nearest.
//!
//! The 80-bit numbers of the x87 have a sign, 15 bits of exponent and 64 of significand, of which the first, unlike in other
//! formats, is stored. Such a number lies in the low 80 bits of 96 or 128; what lies above is padding, and 0 in every result.
//! Every result is computed with a significand of 128 bits, of which the last says whether anything was lost, and rounded in
//! one place, [`round`]. What the machine takes for no number, because the first bit of the significand is missing, is a
//! NaN here, and a NaN that an operation makes is the quiet positive one.

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

/// The width of `long double` without padding.
const EXTENDED: u32 = 80;
/// The first bit of a significand.
const TOP: u64 = 1 << 63;

/// How floats of a width are encoded.
#[derive(Clone, Copy)]
struct Format {
    width: u32,
    /// Bits of precision, the first included.
    precision: u32,
    /// The field of the exponent of infinities and NaNs.
    full: i32,
}

impl Format {
    fn of(width: u32) -> Format {
        let (width, precision, exponent) = match width {
            32 => (32, 24, 8),
            64 => (64, 53, 11),
            _ => (EXTENDED, 64, 15),
        };
        Format { width, precision, full: (1 << exponent) - 1 }
    }

    fn bias(self) -> i32 {
        self.full / 2
    }

    /// The exponent of the smallest normal number.
    fn least(self) -> i32 {
        1 - self.bias()
    }

    /// Bits of the significand that are stored.
    fn stored(self) -> u32 {
        if is_extended(self.width) { self.precision } else { self.precision - 1 }
    }

    /// Of a significand that ends at the last bit.
    fn encode(self, negative: bool, field: i32, significand: u64) -> u128 {
        let fraction = u128::from(significand) & low_bits(self.stored());
        u128::from(negative) << sign_bit(self.width) | (field as u128) << self.stored() | fraction
    }

    fn zero(self, negative: bool) -> u128 {
        self.encode(negative, 0, 0)
    }

    fn infinity(self, negative: bool) -> u128 {
        self.encode(negative, self.full, 1 << (self.precision - 1))
    }

    fn nan(self) -> u128 {
        self.encode(false, self.full, 0b11 << (self.precision - 2))
    }
}

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
    /// Its first bit is set, if the number is finite and not zero. That of a NaN is what is stored, or 0 where the first bit
    /// is missing there.
    significand: u64,
}

fn decode(width: u32, bits: u128) -> Number {
    let format = Format::of(width);
    let negative = bits >> sign_bit(width) & 1 == 1;
    let field = (bits >> format.stored()) as i32 & format.full;
    let fraction = (bits & low_bits(format.stored())) as u64;
    let first = 1 << (format.precision - 1);
    let significand = if is_extended(width) || field == 0 { fraction } else { fraction | first };
    let number = |kind, exponent, significand| Number { kind, negative, exponent, significand };
    match field {
        0 if significand == 0 => number(Kind::Zero, 0, 0),
        0 => {
            let shift = significand.leading_zeros();
            let missing = shift as i32 - (64 - format.precision as i32);
            number(Kind::Finite, format.least() - missing, significand << shift)
        }
        _ if significand & first == 0 => number(Kind::Nan, 0, 0),
        field if field == format.full && significand == first => number(Kind::Infinite, 0, 0),
        field if field == format.full => number(Kind::Nan, 0, significand << (64 - format.precision)),
        field => number(Kind::Finite, field - format.bias(), significand << (64 - format.precision)),
    }
}

/// Shifted down, the last bit set if any one bit was lost.
fn shift_down(word: u128, by: i32) -> u128 {
    match by {
        0 => word,
        1..=127 => word >> by | u128::from(word << (128 - by) != 0),
        _ => u128::from(word != 0),
    }
}

/// Does the size of a number grow by 1 in the last place? The rest begins with the bit for 1/2.
fn rounds_up(toward: Toward, negative: bool, kept: u64, rest: u128) -> bool {
    const HALF: u128 = 1 << 127;
    match toward {
        Toward::Zero => false,
        Toward::Below => negative && rest != 0,
        Toward::Above => !negative && rest != 0,
        Toward::HalfAway => rest >= HALF,
        Toward::HalfEven => rest > HALF || rest == HALF && kept & 1 == 1,
    }
}

/// The number of this width for a significand of 128 bits, not 0, whose first bit stands for two to the exponent.
fn round(width: u32, toward: Toward, negative: bool, exponent: i32, word: u128) -> u128 {
    let format = Format::of(width);
    let shift = word.leading_zeros();
    let (exponent, word) = (exponent - shift as i32, word << shift);
    let (mut field, word) = match exponent < format.least() {
        true => (0, shift_down(word, format.least() - exponent)),
        false => (exponent + format.bias(), word),
    };
    let (kept, rest) = ((word >> (128 - format.precision)) as u64, word << format.precision);
    let mut significand = u128::from(kept) + u128::from(rounds_up(toward, negative, kept, rest));
    if significand >> format.precision != 0 {
        significand >>= 1;
        field += 1;
    } else if field == 0 && significand >> (format.precision - 1) != 0 {
        field = 1;
    }
    let significand = significand as u64;
    match toward {
        _ if field < format.full => format.encode(negative, field, significand),
        Toward::HalfEven | Toward::HalfAway => format.infinity(negative),
        Toward::Below if negative => format.infinity(negative),
        Toward::Above if !negative => format.infinity(negative),
        Toward::Below | Toward::Above | Toward::Zero => format.encode(negative, format.full - 1, u64::MAX),
    }
}

/// The same number in a format, as operations yield it, without what lies above it.
fn rounded(width: u32, toward: Toward, number: Number) -> u128 {
    let format = Format::of(width);
    match number.kind {
        Kind::Nan => format.nan(),
        Kind::Infinite => format.infinity(number.negative),
        Kind::Zero => format.zero(number.negative),
        Kind::Finite => round(width, toward, number.negative, number.exponent, u128::from(number.significand) << 64),
    }
}

/// `a + b`.
pub fn add(width: u32, toward: Toward, a: u128, b: u128) -> u128 {
    let format = Format::of(width);
    let (a, b) = (decode(width, a), decode(width, b));
    let below = toward == Toward::Below;
    match (a.kind, b.kind) {
        (Kind::Nan, _) | (_, Kind::Nan) => return format.nan(),
        (Kind::Infinite, Kind::Infinite) if a.negative != b.negative => return format.nan(),
        (Kind::Zero, Kind::Zero) if a.negative != b.negative => return format.zero(below),
        (Kind::Infinite, _) | (_, Kind::Zero) => return rounded(width, toward, a),
        (_, Kind::Infinite) | (Kind::Zero, _) => return rounded(width, toward, b),
        (Kind::Finite, Kind::Finite) => {}
    }
    let (large, small) = if a.exponent >= b.exponent { (a, b) } else { (b, a) };
    // One bit of room for the carry.
    let wide = |number: Number| u128::from(number.significand) << 63;
    let (left, right) = (wide(large), shift_down(wide(small), large.exponent - small.exponent));
    let round = |negative, word| round(width, toward, negative, large.exponent + 1, word);
    if large.negative == small.negative {
        return round(large.negative, left + right);
    }
    match left.cmp(&right) {
        Ordering::Equal => format.zero(below),
        Ordering::Greater => round(large.negative, left - right),
        Ordering::Less => round(small.negative, right - left),
    }
}

/// `a - b`.
pub fn sub(width: u32, toward: Toward, a: u128, b: u128) -> u128 {
    add(width, toward, a, b ^ 1 << sign_bit(width))
}

/// `a * b`.
pub fn mul(width: u32, toward: Toward, a: u128, b: u128) -> u128 {
    let format = Format::of(width);
    let (a, b) = (decode(width, a), decode(width, b));
    let negative = a.negative != b.negative;
    match (a.kind, b.kind) {
        (Kind::Nan, _) | (_, Kind::Nan) | (Kind::Infinite, Kind::Zero) | (Kind::Zero, Kind::Infinite) => format.nan(),
        (Kind::Infinite, _) | (_, Kind::Infinite) => format.infinity(negative),
        (Kind::Zero, _) | (_, Kind::Zero) => format.zero(negative),
        (Kind::Finite, Kind::Finite) => {
            let product = u128::from(a.significand) * u128::from(b.significand);
            round(width, toward, negative, a.exponent + b.exponent + 1, product)
        }
    }
}

/// `a / b`.
pub fn div(width: u32, toward: Toward, a: u128, b: u128) -> u128 {
    let format = Format::of(width);
    let (a, b) = (decode(width, a), decode(width, b));
    let negative = a.negative != b.negative;
    match (a.kind, b.kind) {
        (Kind::Nan, _) | (_, Kind::Nan) | (Kind::Infinite, Kind::Infinite) | (Kind::Zero, Kind::Zero) => format.nan(),
        (Kind::Infinite, _) | (_, Kind::Zero) => format.infinity(negative),
        (Kind::Zero, _) | (_, Kind::Infinite) => format.zero(negative),
        (Kind::Finite, Kind::Finite) => {
            // The quotient lies between 1/2 and 2: 64 or 65 bits of it, and then 63 more.
            let (dividend, divisor) = (u128::from(a.significand) << 64, u128::from(b.significand));
            let rest = (dividend % divisor) << 63;
            let (first, more, lost) = (dividend / divisor, rest / divisor, rest % divisor != 0);
            round(width, toward, negative, a.exponent - b.exponent, (first << 63) | more | u128::from(lost))
        }
    }
}

/// The square root.
pub fn sqrt(width: u32, toward: Toward, a: u128) -> u128 {
    let number = decode(width, a);
    match number.kind {
        Kind::Zero | Kind::Nan => return rounded(width, toward, number),
        _ if number.negative => return Format::of(width).nan(),
        Kind::Infinite => return rounded(width, toward, number),
        Kind::Finite => {}
    }
    // A radicand between 1 and 4, two bits before its point; as by hand, each further pair of bits gives one of the root.
    let odd = number.exponent & 1;
    let mut radicand = u128::from(number.significand) << (63 + odd);
    let (mut root, mut remainder) = (0u128, 0u128);
    for _ in 0..67 {
        remainder = remainder << 2 | radicand >> 126;
        radicand <<= 2;
        let trial = root << 2 | 1;
        let fits = remainder >= trial;
        remainder -= if fits { trial } else { 0 };
        root = root << 1 | u128::from(fits);
    }
    let word = root << 61 | u128::from(remainder != 0);
    round(width, toward, false, (number.exponent - odd) / 2, word)
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
    let ((below, a), (under, b)) = (rank(decode(EXTENDED, a))?, rank(decode(EXTENDED, b))?);
    Some(match (below, under) {
        (false, false) => a.cmp(&b),
        (true, true) => b.cmp(&a),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

/// Is it no number?
pub fn is_nan(a: u128) -> bool {
    decode(EXTENDED, a).kind == Kind::Nan
}

/// Is it one of the infinities?
pub fn is_infinite(a: u128) -> bool {
    decode(EXTENDED, a).kind == Kind::Infinite
}

/// The whole number next to it.
pub fn round_to_whole(a: u128, toward: Toward) -> u128 {
    let number = decode(EXTENDED, a);
    if number.kind != Kind::Finite || number.exponent >= 63 {
        return rounded(EXTENDED, toward, number);
    }
    // The fraction in the low 64 bits, and as 1/2 and what is beyond it.
    let word = shift_down(u128::from(number.significand) << 64, 63 - number.exponent);
    let (whole, fraction) = ((word >> 64) as u64, word << 64);
    match u128::from(whole) + u128::from(rounds_up(toward, number.negative, whole, fraction)) {
        0 => Format::of(EXTENDED).zero(number.negative),
        whole => round(EXTENDED, toward, number.negative, 127, whole),
    }
}

/// The number of a width for an integer.
pub fn from_integer(width: u32, toward: Toward, negative: bool, size: u128) -> u128 {
    if size == 0 { 0 } else { round(width, toward, negative, 127, size) }
}

/// A float as one of another width. A NaN keeps its sign and as much of its fraction as there is room for, and is quiet.
pub fn convert(from: u32, to: u32, toward: Toward, a: u128) -> u128 {
    let number = decode(from, a);
    if number.kind != Kind::Nan || number.significand == 0 {
        return rounded(to, toward, number);
    }
    let (format, quiet) = (Format::of(to), number.significand | TOP >> 1);
    format.encode(number.negative, format.full, quiet >> (64 - format.precision))
}

/// The low `keep` bits of a number cut to an integer, where that lies within -2^limit to 2^limit - 1.
pub fn to_integer(a: u128, limit: u32, keep: u32) -> Option<u128> {
    let number = decode(EXTENDED, a);
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
    convert(64, EXTENDED, Toward::HalfEven, u128::from(value.to_bits()))
}

/// The `double` nearest to it.
pub fn to_double(a: u128) -> f64 {
    f64::from_bits(convert(EXTENDED, 64, Toward::HalfEven, a) as u64)
}

/// In C notation: as the `double` that it is, or hexadecimal, which is exact.
pub fn show(a: u128) -> Option<String> {
    let number = decode(EXTENDED, a);
    let narrow = to_double(a);
    if number.kind != Kind::Finite || compare(from_double(narrow), a) == Some(Ordering::Equal) {
        return None;
    }
    let fraction = format!("{:016x}", number.significand << 1);
    let sign = if number.negative { "-" } else { "" };
    Some(format!("{sign}0x1.{}p{:+}", fraction.trim_end_matches('0'), number.exponent))
}
