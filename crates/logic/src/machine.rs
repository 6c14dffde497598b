//! Functions that the machine computes and C leaves to it: `sin`, `pow`, `fmod`, …
//!
//! No circuit says what they are. Their meaning is what the machine's own library gives for numbers, so a term of theirs
//! over constants is a constant, and an evaluator just asks. The solver starts with a free result and is told points of
//! the function as it comes to them: see `sat/points.rs`. What is known of all results (`known.rs`) is told before.
//!
//! One of them has no name in C: the text that `printf` makes of a number, character by character (`float_text.rs`).
//!
//! To add one: a line in the table, if Rust asks the machine's library for it (it has a `cbrt` of its own).

use crate::float_text;

/// A function of one number, or of two.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Function(u8);

struct Entry {
    name: &'static str,
    of: Of,
    facts: Facts,
}

/// What is known of every result.
#[derive(Copy, Clone)]
pub(crate) struct Facts {
    /// When it is a NaN.
    pub(crate) nan: NanFor,
    /// None but infinity is farther from zero than this.
    pub(crate) most: Most,
    /// Whether it is never below zero.
    pub(crate) positive: bool,
}

enum Of {
    One(fn(f32) -> f32, fn(f64) -> f64),
    Two(fn(f32, f32) -> f32, fn(f64, f64) -> f64),
}

#[derive(Copy, Clone, PartialEq)]
pub(crate) enum NanFor {
    /// The argument, or one of them, is a NaN.
    Nan,
    /// The argument is infinite or a NaN.
    NonFinite,
    /// The argument is beyond -1 or 1, or a NaN.
    BeyondOne,
    /// The argument is below zero, or a NaN.
    BelowZero,
    /// The first argument is infinite, the second is zero, or one of them is a NaN.
    Division,
    /// Nothing is said.
    Open,
}

#[derive(Copy, Clone)]
pub(crate) enum Most {
    Number(f32, f64),
    /// Of either argument: what remains of a division.
    Remains,
    Infinity,
}

const HALF_PI: Most = Most::Number(std::f32::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2);
const PI: Most = Most::Number(std::f32::consts::PI, std::f64::consts::PI);
const ONE: Most = Most::Number(1.0, 1.0);

const fn one(name: &'static str, single: fn(f32) -> f32, double: fn(f64) -> f64, nan: NanFor, most: Most) -> Entry {
    Entry { name, of: Of::One(single, double), facts: Facts { nan, most, positive: false } }
}

const fn two(
    name: &'static str,
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
    nan: NanFor,
    most: Most,
) -> Entry {
    Entry { name, of: Of::Two(single, double), facts: Facts { nan, most, positive: false } }
}

const fn positive(entry: Entry) -> Entry {
    Entry { facts: Facts { positive: true, ..entry.facts }, ..entry }
}

const TABLE: [Entry; 21] = [
    one("sin", f32::sin, f64::sin, NanFor::NonFinite, ONE),
    one("cos", f32::cos, f64::cos, NanFor::NonFinite, ONE),
    one("tan", f32::tan, f64::tan, NanFor::NonFinite, Most::Infinity),
    one("asin", f32::asin, f64::asin, NanFor::BeyondOne, HALF_PI),
    positive(one("acos", f32::acos, f64::acos, NanFor::BeyondOne, PI)),
    one("atan", f32::atan, f64::atan, NanFor::Nan, HALF_PI),
    one("sinh", f32::sinh, f64::sinh, NanFor::Nan, Most::Infinity),
    positive(one("cosh", f32::cosh, f64::cosh, NanFor::Nan, Most::Infinity)),
    one("tanh", f32::tanh, f64::tanh, NanFor::Nan, ONE),
    positive(one("exp", f32::exp, f64::exp, NanFor::Nan, Most::Infinity)),
    positive(one("exp2", f32::exp2, f64::exp2, NanFor::Nan, Most::Infinity)),
    one("expm1", f32::exp_m1, f64::exp_m1, NanFor::Nan, Most::Infinity),
    one("log", f32::ln, f64::ln, NanFor::BelowZero, Most::Infinity),
    one("log2", f32::log2, f64::log2, NanFor::BelowZero, Most::Infinity),
    one("log10", f32::log10, f64::log10, NanFor::BelowZero, Most::Infinity),
    one("log1p", f32::ln_1p, f64::ln_1p, NanFor::Open, Most::Infinity),
    two("atan2", f32::atan2, f64::atan2, NanFor::Nan, PI),
    two("pow", f32::powf, f64::powf, NanFor::Open, Most::Infinity),
    positive(two("hypot", f32::hypot, f64::hypot, NanFor::Open, Most::Infinity)),
    two("fmod", |a, b| a % b, |a, b| a % b, NanFor::Division, Most::Remains),
    // Models of the library alone ask for it.
    positive(two(
        "__nearmiss_text_of_float",
        |a, b| float_text::character(f64::from(a), f64::from(b)) as f32,
        float_text::character,
        NanFor::Open,
        Most::Infinity,
    )),
];

impl Function {
    /// The function that C calls so, for `double`.
    pub fn named(name: &str) -> Option<Function> {
        TABLE.iter().position(|entry| entry.name == name).map(|at| Function(at as u8))
    }

    /// The name in C, for `double`.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// How many arguments it takes: one or two.
    pub fn arity(self) -> usize {
        match self.entry().of {
            Of::One(..) => 1,
            Of::Two(..) => 2,
        }
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Function> {
        (0..TABLE.len() as u8).map(Function)
    }

    /// What is known of every result.
    pub(crate) fn facts(self) -> Facts {
        self.entry().facts
    }

    fn entry(self) -> &'static Entry {
        &TABLE[usize::from(self.0)]
    }

    /// What the machine gives for the bits of its arguments, each of `width` bits (32 or 64). A function of one number
    /// does not look at the second. A NaN is the positive quiet one.
    pub fn value(self, width: u32, a: u128, b: u128) -> u128 {
        if width == 32 {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let value = match self.entry().of {
                Of::One(single, _) => single(a),
                Of::Two(single, _) => single(a, b),
            };
            return u128::from(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() });
        }
        let (a, b) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
        let value = match self.entry().of {
            Of::One(_, double) => double(a),
            Of::Two(_, double) => double(a, b),
        };
        u128::from(if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() })
    }

    /// Arguments that programs are often about; what the solver is told of first.
    pub(crate) fn seeds(self, width: u32) -> Vec<(u128, u128)> {
        let bits = |x: f64| if width == 32 { u128::from((x as f32).to_bits()) } else { u128::from(x.to_bits()) };
        if self.arity() == 1 {
            let sizes = [0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0, 100.0, 1000.0, 1e10, f64::INFINITY];
            return sizes.iter().flat_map(|&x| [(bits(x), bits(x)), (bits(-x), bits(-x))]).collect();
        }
        let sizes = [0.0, 1.0, -1.0, 2.0, 3.0, 0.5, 10.0];
        sizes.iter().flat_map(|&x| sizes.iter().map(move |&y| (bits(x), bits(y)))).collect()
    }
}
