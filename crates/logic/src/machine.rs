//! Functions that the machine computes and C leaves to it: `sin`, `pow`, `fmod`, …
//!
//! No circuit says what they are. Their meaning is what the machine's own library gives for numbers, so a term of theirs
//! over constants is a constant, and an evaluator just asks. The solver starts with a free result and is told points of
//! the function as it comes to them: see `sat/points.rs`. What is known of all results ([`Function::known`]) is told before.
//!
//! To add one: a line in the table, if Rust asks the machine's library for it (it has a `cbrt` of its own).

use crate::float::{self, Format};
use crate::term::{Term, Terms};

/// A function of one number, or of two.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Function(u8);

struct Entry {
    name: &'static str,
    of: Of,
    /// When the result is a NaN.
    nan: NanFor,
    /// No result but infinity is farther from zero than this.
    most: Most,
    /// Whether a result is never below zero.
    positive: bool,
}

enum Of {
    One(fn(f32) -> f32, fn(f64) -> f64),
    Two(fn(f32, f32) -> f32, fn(f64, f64) -> f64),
}

#[derive(Copy, Clone, PartialEq)]
enum NanFor {
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
enum Most {
    Number(f32, f64),
    /// Of either argument: what remains of a division.
    Remains,
    Infinity,
}

const HALF_PI: Most = Most::Number(std::f32::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2);
const PI: Most = Most::Number(std::f32::consts::PI, std::f64::consts::PI);
const ONE: Most = Most::Number(1.0, 1.0);

const fn one(name: &'static str, single: fn(f32) -> f32, double: fn(f64) -> f64, nan: NanFor, most: Most) -> Entry {
    Entry { name, of: Of::One(single, double), nan, most, positive: false }
}

const fn two(
    name: &'static str,
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
    nan: NanFor,
    most: Most,
) -> Entry {
    Entry { name, of: Of::Two(single, double), nan, most, positive: false }
}

const fn positive(entry: Entry) -> Entry {
    Entry { positive: true, ..entry }
}

const TABLE: [Entry; 20] = [
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

    /// The result for all arguments as a term: free but for the points that the solver is told, and for what is known of every
    /// result. What is known only changes results that the machine never gives.
    pub fn known(self, terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
        let free = terms.machine(self, a, b);
        if terms.as_const(free).is_some() {
            return free;
        }
        let entry = self.entry();
        let nan = self.is_nan(terms, format, a, b);
        let least = terms.fals();
        let sign = match entry.most {
            Most::Remains => terms.sign_bit(a),
            _ if entry.positive => least,
            _ => terms.sign_bit(free),
        };
        let width = format.width();
        let infinity = terms.constant(width - 1, format.infinity());
        let size = |terms: &mut Terms, of: Term| terms.extract(of, width - 2, 0);
        let least_of = |terms: &mut Terms, x: Term, y: Term| {
            let less = terms.ult(x, y);
            terms.ite(less, x, y)
        };
        let magnitude = size(terms, free);
        let magnitude = match entry.most {
            _ if entry.nan == NanFor::Open => magnitude,
            Most::Number(single, double) => {
                let bits = if width == 32 { u128::from(single.to_bits()) } else { u128::from(double.to_bits()) };
                let most = terms.constant(width - 1, bits);
                least_of(terms, magnitude, most)
            }
            Most::Infinity => least_of(terms, magnitude, infinity),
            Most::Remains => {
                let (of_a, of_b) = (size(terms, a), size(terms, b));
                let within = terms.ult(of_a, of_b);
                let (less, nothing) = (terms.ult(magnitude, of_b), terms.constant(width - 1, 0));
                let cut = terms.ite(less, magnitude, nothing);
                terms.ite(within, of_a, cut)
            }
        };
        let value = terms.concat(sign, magnitude);
        let quiet = terms.constant(width, format.quiet_nan());
        match nan {
            Some(nan) => terms.ite(nan, quiet, value),
            None => value,
        }
    }

    fn is_nan(self, terms: &mut Terms, format: Format, a: Term, b: Term) -> Option<Term> {
        let (of_a, of_b) = (float::is_nan(terms, format, a), float::is_nan(terms, format, b));
        let either = terms.or(of_a, of_b);
        let width = format.width();
        let zero = terms.constant(width, 0);
        Some(match self.entry().nan {
            NanFor::Nan => either,
            NanFor::NonFinite => {
                let finite = float::is_finite(terms, format, a);
                terms.not(finite)
            }
            NanFor::BeyondOne => {
                let one = terms.constant(width, format.one());
                let size = float::abs(terms, format, a);
                let within = float::le(terms, format, size, one);
                terms.not(within)
            }
            NanFor::BelowZero => {
                let within = float::le(terms, format, zero, a);
                terms.not(within)
            }
            NanFor::Division => {
                let (infinite, nothing) = (float::is_infinite(terms, format, a), float::is_zero(terms, format, b));
                terms.or_all(&[either, infinite, nothing])
            }
            NanFor::Open => return None,
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Assignment, Evaluator};

    /// What is said of all results is true of those that the machine gives.
    #[test]
    fn what_is_known_changes_no_result() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for format in [Format::BINARY32, Format::BINARY64] {
            let width = format.width();
            for function in Function::all() {
                let mut terms = Terms::new();
                let (a, b) = (terms.fresh("a", width), terms.fresh("b", width));
                let known = function.known(&mut terms, format, a, b);
                let seeds: Vec<_> = Function::all().flat_map(|f| f.seeds(width)).collect();
                let wild = (0..2000).map(|_| (u128::from(random()), u128::from(random())));
                for (x, y) in seeds.into_iter().chain(wild) {
                    let cut = if width == 32 { u128::from(u32::MAX) } else { u128::from(u64::MAX) };
                    let (x, y) = (x & cut, if function.arity() == 1 { x } else { y } & cut);
                    let mut assignment = Assignment::new();
                    assignment.set(a, x);
                    assignment.set(b, y);
                    let value = Evaluator::new(&terms, &assignment).value(known);
                    assert_eq!(value, function.value(width, x, y), "{} of {x:#x}, {y:#x}", function.name());
                }
            }
        }
    }
}
