//! `long double` as terms against the same on bits: random patterns, also such as no operation yields.
//!
//! The functions on bits are compared with the machine in `program/tests/c/long_doubles.c`.

use nearmiss_logic::float::{self, Format, Rounding};
use nearmiss_logic::term::{Term, Terms};
use nearmiss_program::extended;
use nearmiss_program::program::Toward;
use std::cmp::Ordering;

const EXTENDED: Format = Format::EXTENDED;

/// Numbers that look random (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// 128 bits, of which 80 count.
    fn pattern(&mut self) -> u128 {
        let (random, mut significand) = (self.next(), self.next());
        let exponent = match random % 16 {
            0 => 0,
            1 => 0x7fff,
            2 => 0x7ffe,
            3 => 1,
            4 => random >> 40,
            // The ends of float and of double.
            8 => {
                [16383 - 150, 16383 - 126, 16383 + 127, 16383 - 1074, 16383 - 1022, 16383 + 1023]
                    [(random >> 8) as usize % 6]
                    + (random >> 16) % 4
                    - 2
            }
            5..8 => 16383 + (random >> 8) % 140 - 70,
            _ => 16383 + (random >> 8) % 8 - 4,
        };
        if random >> 16 & 1 == 1 {
            significand &= u64::MAX << (random >> 20 & 63);
        }
        if random >> 17 & 3 == 0 {
            significand = random >> 50 & 3;
        }
        if random >> 19 & 7 != 0 {
            significand |= 1 << 63;
        }
        let above = u128::from(self.next()) << 80;
        above | u128::from(exponent & 0x7fff | (random >> 33 & 1) << 15) << 64 | u128::from(significand)
    }
}

/// What the terms give for constants.
fn given(terms: &Terms, result: Term) -> u128 {
    terms.as_const(result).expect("constants are folded")
}

/// Where results go, as both sides call it.
const DIRECTIONS: [(Toward, float::Toward); 5] = [
    (Toward::Below, float::Toward::Below),
    (Toward::Above, float::Toward::Above),
    (Toward::Zero, float::Toward::Zero),
    (Toward::HalfAway, float::Toward::HalfAway),
    (Toward::HalfEven, float::Toward::HalfEven),
];

/// Opened to terms, and the result closed again.
fn word(terms: &mut Terms, width: u32, bits: u128) -> Term {
    let word = terms.constant(width, bits);
    if width == 128 { float::from_extended(terms, word) } else { word }
}

fn closed(terms: &mut Terms, width: u32, result: Term) -> u128 {
    let result = if width == 128 { float::to_extended(terms, result, 128) } else { result };
    given(terms, result)
}

#[test]
fn terms_are_what_bits_say_in_every_mode() {
    type OfTerms = fn(&mut Terms, Format, Rounding, Term, Term) -> Term;
    type OfBits = fn(u32, Toward, u128, u128) -> u128;
    let operators: [(OfTerms, OfBits); 5] = [
        (float::add, extended::add),
        (float::sub, extended::sub),
        (float::mul, extended::mul),
        (float::div, extended::div),
        (
            |terms, format, rounding, a, _| float::sqrt(terms, format, rounding, a),
            |width, toward, a, _| extended::sqrt(width, toward, a),
        ),
    ];
    let mut random = Random(88_172_645_463_325_252);
    for round in 0..1_200 {
        let (theirs, ours) = DIRECTIONS[round % 5];
        let rounding = Rounding::Fixed(ours);
        let (wide_a, wide_b) = (random.pattern(), random.pattern());
        for (width, format) in [(128, EXTENDED), (64, Format::BINARY64), (32, Format::BINARY32)] {
            // Those of other widths, from near their ends, too.
            let near = |bits| extended::convert(128, width, Toward::Zero, bits);
            let (a, b) = if width == 128 { (wide_a, wide_b) } else { (near(wide_a), near(wide_b)) };
            let mut terms = Terms::new();
            let (x, y) = (word(&mut terms, width, a), word(&mut terms, width, b));
            for (of_terms, of_bits) in operators {
                let result = of_terms(&mut terms, format, rounding, x, y);
                let result = closed(&mut terms, width, result);
                assert_eq!(result, of_bits(width, theirs, a, b), "{theirs:?} of {a:#x} and {b:#x}");
            }
            for (to, target) in [(128, EXTENDED), (64, Format::BINARY64), (32, Format::BINARY32)] {
                let result = float::convert(&mut terms, format, target, rounding, x);
                let result = closed(&mut terms, to, result);
                assert_eq!(result, extended::convert(width, to, theirs, a), "{theirs:?}: {a:#x} from {width} to {to}");
            }
            for integer in [32, 64, 128] {
                let number = terms.constant(integer, a);
                let result = float::from_signed(&mut terms, format, rounding, number);
                let result = closed(&mut terms, width, result);
                let value = (a << (128 - integer)) as i128 >> (128 - integer);
                let expected = extended::from_integer(width, theirs, value < 0, value.unsigned_abs());
                assert_eq!(result, expected, "{theirs:?}: {value} as {width} bits");
            }
        }
    }
}

/// What `extended` gives for the formats of Rust, beside what Rust gives.
#[test]
fn bits_are_what_the_machine_says_of_nearest() {
    let mut random = Random(362_436_069);
    let nearest = Toward::HalfEven;
    for _ in 0..20_000 {
        let [a, b] = [(); 2].map(|()| extended::convert(128, 64, nearest, random.pattern()));
        let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
        let [p, q] = [a, b].map(|bits| extended::convert(64, 32, nearest, bits));
        let (v, w) = (f32::from_bits(p as u32), f32::from_bits(q as u32));
        assert!((x as f32).to_bits() == v.to_bits() || x.is_nan(), "(float){x:e}");
        for (ours, theirs) in [
            (extended::add(64, nearest, a, b), x + y),
            (extended::sub(64, nearest, a, b), x - y),
            (extended::mul(64, nearest, a, b), x * y),
            (extended::div(64, nearest, a, b), x / y),
            (extended::sqrt(64, nearest, a), x.sqrt()),
            (extended::from_integer(64, nearest, false, a), a as f64),
        ] {
            assert!(ours == u128::from(theirs.to_bits()) || theirs.is_nan(), "{x:e} and {y:e}: {theirs:e}");
        }
        for (ours, theirs) in [
            (extended::add(32, nearest, p, q), v + w),
            (extended::mul(32, nearest, p, q), v * w),
            (extended::div(32, nearest, p, q), v / w),
            (extended::sqrt(32, nearest, p), v.sqrt()),
            (extended::from_integer(32, nearest, false, a), a as f32),
        ] {
            assert!(ours == u128::from(theirs.to_bits()) || theirs.is_nan(), "{v:e} and {w:e}: {theirs:e}");
        }
    }
}

#[test]
fn terms_of_long_double_are_what_its_bits_say() {
    let mut random = Random(88_172_645_463_325_252);
    for _ in 0..3_000 {
        let (a, b) = (random.pattern(), random.pattern());
        let mut terms = Terms::new();
        let (x, y) = (word(&mut terms, 128, a), word(&mut terms, 128, b));
        let order = extended::compare(a, b);
        let (equal, less) = (float::eq(&mut terms, EXTENDED, x, y), float::lt(&mut terms, EXTENDED, x, y));
        assert_eq!(given(&terms, equal) == 1, order == Some(Ordering::Equal), "{a:#x} == {b:#x}");
        assert_eq!(given(&terms, less) == 1, order == Some(Ordering::Less), "{a:#x} < {b:#x}");
        let (nan, infinite) = (float::is_nan(&mut terms, EXTENDED, x), float::is_infinite(&mut terms, EXTENDED, x));
        assert_eq!(given(&terms, nan) == 1, extended::is_nan(a), "{a:#x}");
        assert_eq!(given(&terms, infinite) == 1, extended::is_infinite(a), "{a:#x}");
        wholes(&mut terms, a, x);
    }
}

fn wholes(terms: &mut Terms, a: u128, x: Term) {
    for (theirs, ours) in DIRECTIONS {
        let whole = float::to_integral(terms, EXTENDED, Rounding::Fixed(ours), x);
        let whole = float::to_extended(terms, whole, 128);
        assert_eq!(given(terms, whole), extended::round_to_whole(a, theirs), "{theirs:?} of {a:#x}");
    }
    for width in [32, 64, 128] {
        let integer = float::to_signed(terms, EXTENDED, x, width);
        let expected = extended::to_integer(a, width - 1, width).unwrap_or(1 << (width - 1));
        assert_eq!(given(terms, integer), expected, "{width} bits of {a:#x}");
    }
}
