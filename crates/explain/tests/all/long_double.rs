//! `long double` as terms against the same on bits: random patterns, also such as no operation yields.
//!
//! The functions on bits are compared with the machine in `program/tests/c/long_doubles.c`.

use nearmiss_logic::float::{self, Format};
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

#[test]
fn terms_of_long_double_are_what_its_bits_say() {
    type OfTerms = fn(&mut Terms, Format, Term, Term) -> Term;
    type OfBits = fn(u128, u128) -> u128;
    let operators: [(OfTerms, OfBits); 4] = [
        (float::add, extended::add),
        (float::sub, extended::sub),
        (float::mul, extended::mul),
        (float::div, extended::div),
    ];
    let mut random = Random(88_172_645_463_325_252);
    for _ in 0..3_000 {
        let (a, b) = (random.pattern(), random.pattern());
        let mut terms = Terms::new();
        let [x, y] = [a, b].map(|bits| {
            let word = terms.constant(128, bits);
            float::from_extended(&mut terms, word)
        });
        for (of_terms, of_bits) in operators {
            let result = of_terms(&mut terms, EXTENDED, x, y);
            let result = float::to_extended(&mut terms, result, 128);
            assert_eq!(given(&terms, result), of_bits(a, b), "{a:#x} and {b:#x}");
        }
        let order = extended::compare(a, b);
        let (equal, less) = (float::eq(&mut terms, EXTENDED, x, y), float::lt(&mut terms, EXTENDED, x, y));
        assert_eq!(given(&terms, equal) == 1, order == Some(Ordering::Equal), "{a:#x} == {b:#x}");
        assert_eq!(given(&terms, less) == 1, order == Some(Ordering::Less), "{a:#x} < {b:#x}");
        let (nan, infinite) = (float::is_nan(&mut terms, EXTENDED, x), float::is_infinite(&mut terms, EXTENDED, x));
        assert_eq!(given(&terms, nan) == 1, extended::is_nan(a), "{a:#x}");
        assert_eq!(given(&terms, infinite) == 1, extended::is_infinite(a), "{a:#x}");
        conversions(&mut terms, a, x);
    }
}

fn conversions(terms: &mut Terms, a: u128, x: Term) {
    let (double, single) =
        (float::convert(terms, EXTENDED, Format::BINARY64, x), float::convert(terms, EXTENDED, Format::BINARY32, x));
    let (wide, narrow) = (extended::to_double(a), extended::to_float(a));
    assert!(given(terms, double) == u128::from(wide.to_bits()) || wide.is_nan(), "(double){a:#x}");
    assert!(given(terms, single) == u128::from(narrow.to_bits()) || narrow.is_nan(), "(float){a:#x}");
    let back = float::convert(terms, Format::BINARY64, EXTENDED, double);
    let back = float::to_extended(terms, back, 128);
    assert_eq!(given(terms, back), extended::from_double(wide), "(double){a:#x} widened");
    for (theirs, ours) in [
        (Toward::Below, float::Toward::Below),
        (Toward::Above, float::Toward::Above),
        (Toward::Zero, float::Toward::Zero),
        (Toward::HalfAway, float::Toward::HalfAway),
        (Toward::HalfEven, float::Toward::HalfEven),
    ] {
        let whole = float::to_integral(terms, EXTENDED, x, ours);
        let whole = float::to_extended(terms, whole, 128);
        assert_eq!(given(terms, whole), extended::round_to_whole(a, theirs), "{theirs:?} of {a:#x}");
    }
    for width in [32, 64, 128] {
        let integer = float::to_signed(terms, EXTENDED, x, width);
        let expected = extended::to_integer(a, width - 1, width).unwrap_or(1 << (width - 1));
        assert_eq!(given(terms, integer), expected, "{width} bits of {a:#x}");
        let number = terms.constant(width, a);
        let float = float::from_signed(terms, EXTENDED, number);
        let float = float::to_extended(terms, float, 128);
        let value = (a << (128 - width)) as i128 >> (128 - width);
        assert_eq!(given(terms, float), extended::from_integer(value < 0, value.unsigned_abs()), "{value}");
    }
}
