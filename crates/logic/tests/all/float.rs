//! Floating point against the machine's own: random bit patterns, rich in special values and near ties.

use crate::common::{Rng, mask};
use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::float::{self, Format, Rounding, Toward};
use nearmiss_logic::known;
use nearmiss_logic::machine::Function;
use nearmiss_logic::sat::Outcome;
use nearmiss_logic::term::{Term, Terms};

const F32: Format = Format::BINARY32;
const F64: Format = Format::BINARY64;

/// A bit pattern of the format: zeros, infinities, NaN, extremes, small integers, close exponents, anything.
fn pattern(rng: &mut Rng, format: Format) -> u128 {
    let stored = format.significand - 1;
    let infinity = ((1u128 << format.exponent) - 1) << stored;
    let random = (u128::from(rng.next()) << 64 | u128::from(rng.next())) & mask(format.width());
    let sign = random & 1 << (format.width() - 1);
    let bias = (1u128 << (format.exponent - 1)) - 1;
    // Few bits set at either end of the fraction make ties and carries likely.
    let fraction = match rng.below(5) {
        0 => 0,
        1 => mask(stored) - (random & 3),
        2 => random & 7,
        3 => mask(stored) & (random << rng.below(stored as usize)),
        _ => random & mask(stored),
    };
    let size = match rng.below(12) {
        0 => 0,
        1 => infinity,
        2 => infinity | random & mask(stored) | 1,
        3 => fraction,
        4 => 1 << stored | fraction,
        5 => infinity - 1 - (random & 3),
        6 => (bias + random % 4) << stored | fraction,
        7 => (bias + u128::from(stored) - 2 + random % 5) << stored | fraction,
        8 => (bias / 2 + random % 3) << stored | fraction,
        9 => (bias + 28 + random % 40) << stored | fraction,
        _ => random & (mask(format.width() - 1)),
    };
    let size = if size > infinity { infinity | 1 << (stored - 1) } else { size };
    sign | size
}

struct Bench {
    terms: Terms,
    x: Term,
    y: Term,
}

impl Bench {
    fn new(width: u32) -> Bench {
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh("x", width), terms.fresh("y", width));
        Bench { terms, x, y }
    }

    fn values(&self, a: u128, b: u128, outputs: &[Term]) -> Vec<u128> {
        let mut assignment = Assignment::new();
        assignment.set(self.x, a);
        assignment.set(self.y, b);
        let mut evaluator = Evaluator::new(&self.terms, &assignment);
        outputs.iter().map(|&output| evaluator.value(output)).collect()
    }
}

macro_rules! against_the_machine {
    ($name:ident, $float:ty, $bits:ty, $format:expr, $seed:expr, $count:expr) => {
        #[test]
        fn $name() {
            let mut bench = Bench::new($format.width());
            let (x, y) = (bench.x, bench.y);
            let t = &mut bench.terms;
            let floats = [
                float::add(t, $format, Rounding::NEAREST, x, y),
                float::sub(t, $format, Rounding::NEAREST, x, y),
                float::mul(t, $format, Rounding::NEAREST, x, y),
                float::div(t, $format, Rounding::NEAREST, x, y),
                float::sqrt(t, $format, Rounding::NEAREST, x),
                float::neg(t, $format, x),
                float::abs(t, $format, x),
                float::to_integral(t, $format, Rounding::Fixed(Toward::Below), x),
                float::to_integral(t, $format, Rounding::Fixed(Toward::Above), x),
                float::to_integral(t, $format, Rounding::Fixed(Toward::Zero), x),
                float::to_integral(t, $format, Rounding::Fixed(Toward::HalfAway), x),
                float::to_integral(t, $format, Rounding::Fixed(Toward::HalfEven), x),
            ];
            let tests = [
                float::eq(t, $format, x, y),
                float::lt(t, $format, x, y),
                float::le(t, $format, x, y),
                float::is_nan(t, $format, x),
                float::is_infinite(t, $format, x),
                float::is_zero(t, $format, x),
                float::is_normal(t, $format, x),
                float::is_finite(t, $format, x),
            ];
            let mut rng = Rng($seed);
            let mut last = 0;
            for _ in 0..$count {
                let a = pattern(&mut rng, $format);
                // Relatives of the same operand: equal, opposite, one apart.
                let b = match rng.below(8) {
                    0 => a,
                    1 => a ^ 1 << ($format.width() - 1),
                    2 => a ^ 1,
                    3 => last,
                    _ => pattern(&mut rng, $format),
                };
                last = a;
                let (fa, fb) = (<$float>::from_bits(a as $bits), <$float>::from_bits(b as $bits));
                let integral = [fa.floor(), fa.ceil(), fa.trunc(), fa.round(), fa.round_ties_even()];
                let computed = [fa + fb, fa - fb, fa * fb, fa / fb, fa.sqrt(), -fa, fa.abs()];
                let expected = computed.into_iter().chain(integral);
                for (i, (value, expected)) in bench.values(a, b, &floats).into_iter().zip(expected).enumerate() {
                    let value = <$float>::from_bits(value as $bits);
                    assert!(
                        value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan(),
                        "operation {i} on {fa:e} ({a:#x}) and {fb:e} ({b:#x}): {value:e}, not {expected:e}"
                    );
                }
                let expected = [
                    fa == fb,
                    fa < fb,
                    fa <= fb,
                    fa.is_nan(),
                    fa.is_infinite(),
                    fa == 0.0,
                    fa.is_normal(),
                    fa.is_finite(),
                ];
                assert_eq!(bench.values(a, b, &tests), expected.map(u128::from), "{fa:e} {fb:e}");
            }
        }
    };
}

against_the_machine!(binary32_arithmetic, f32, u32, F32, 32, 6000);
against_the_machine!(binary64_arithmetic, f64, u64, F64, 64, 4000);

#[test]
fn conversions_between_formats() {
    let (mut narrow, mut wide) = (Bench::new(32), Bench::new(64));
    let widened = float::convert(&mut narrow.terms, F32, F64, Rounding::NEAREST, narrow.x);
    let narrowed = float::convert(&mut wide.terms, F64, F32, Rounding::NEAREST, wide.x);
    let mut rng = Rng(3);
    for round in 0..6000 {
        let a = pattern(&mut rng, F32);
        let (value, expected) = (narrow.values(a, 0, &[widened])[0] as u64, f64::from(f32::from_bits(a as u32)));
        assert!(value == expected.to_bits() || f64::from_bits(value).is_nan() && expected.is_nan(), "{a:#x}");
        let mut a = pattern(&mut rng, F64);
        if round % 2 == 0 {
            // Near the narrow format's own values and the middles between them.
            let near = f64::from(f32::from_bits(pattern(&mut rng, F32) as u32)).to_bits();
            a = u128::from((near ^ u64::from(rng.below(2) == 0) << 28).wrapping_add(rng.next() % 3).wrapping_sub(1));
        }
        let (value, expected) = (wide.values(a, 0, &[narrowed])[0] as u32, f64::from_bits(a as u64) as f32);
        assert!(value == expected.to_bits() || f32::from_bits(value).is_nan() && expected.is_nan(), "{a:#x}");
    }
}

#[test]
fn conversions_from_integers() {
    let mut bench = Bench::new(64);
    let x = bench.x;
    let t = &mut bench.terms;
    let (narrow, byte) = (t.extract(x, 31, 0), t.extract(x, 7, 0));
    let outputs = [
        float::from_signed(t, F64, Rounding::NEAREST, x),
        float::from_unsigned(t, F64, Rounding::NEAREST, x),
        float::from_signed(t, F32, Rounding::NEAREST, x),
        float::from_unsigned(t, F32, Rounding::NEAREST, x),
        float::from_signed(t, F64, Rounding::NEAREST, narrow),
        float::from_unsigned(t, F32, Rounding::NEAREST, narrow),
        float::from_signed(t, F32, Rounding::NEAREST, byte),
    ];
    let mut rng = Rng(4);
    for _ in 0..4000 {
        let a = rng.word(64) as u64;
        let expected = [
            (a as i64 as f64).to_bits(),
            (a as f64).to_bits(),
            u64::from((a as i64 as f32).to_bits()),
            u64::from((a as f32).to_bits()),
            f64::from(a as i32).to_bits(),
            u64::from((a as u32 as f32).to_bits()),
            u64::from(f32::from(a as i8).to_bits()),
        ];
        assert_eq!(bench.values(u128::from(a), 0, &outputs), expected.map(u128::from), "{a:#x}");
    }
}

#[test]
fn conversions_to_integers() {
    let mut bench = Bench::new(64);
    let x = bench.x;
    let t = &mut bench.terms;
    let outputs = [
        float::to_signed(t, F64, x, 64),
        float::to_signed(t, F64, x, 32),
        float::to_signed(t, F64, x, 8),
        float::to_unsigned(t, F64, x, 64),
        float::to_unsigned(t, F64, x, 32),
        float::to_unsigned(t, F64, x, 16),
    ];
    /// What `cvttsd2si` gives: Rust's casts saturate instead.
    fn to_long(f: f64) -> i64 {
        if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&f) { f as i64 } else { i64::MIN }
    }
    fn to_int(f: f64) -> i32 {
        if f < 2_147_483_648.0 && f > -2_147_483_649.0 { f as i32 } else { i32::MIN }
    }
    let mut rng = Rng(5);
    for _ in 0..6000 {
        let a = pattern(&mut rng, F64);
        let f = f64::from_bits(a as u64);
        let to_unsigned_long = if f >= 18_446_744_073_709_551_616.0 {
            0
        } else if f >= 9_223_372_036_854_775_808.0 {
            f as u64
        } else {
            to_long(f) as u64
        };
        let expected = [
            to_long(f) as u64,
            u64::from(to_int(f) as u32),
            u64::from(to_int(f) as u8),
            to_unsigned_long,
            u64::from(to_long(f) as u32),
            u64::from(to_int(f) as u16),
        ];
        assert_eq!(bench.values(a, 0, &outputs), expected.map(u128::from), "{f:e} {a:#x}");
    }
    let mut bench = Bench::new(32);
    let x = bench.x;
    let outputs = [float::to_signed(&mut bench.terms, F32, x, 64), float::to_unsigned(&mut bench.terms, F32, x, 64)];
    for _ in 0..3000 {
        let a = pattern(&mut rng, F32);
        let f = f32::from_bits(a as u32);
        if f.is_finite() && (0.0..9_223_372_036_854_775_808.0).contains(&f) {
            assert_eq!(bench.values(a, 0, &outputs), [u128::from(f as u64); 2], "{f:e}");
        }
    }
}

/// A tiny format, all pairs of values, against f64 rounded by conversion: sums and products are exact in f64, and for
/// quotients rounding twice is harmless, as 53 bits are more than twice 4 and two.
#[test]
fn a_tiny_format_exhaustively() {
    let tiny = Format { exponent: 3, significand: 4 };
    let mut bench = Bench::new(7);
    let (x, y) = (bench.x, bench.y);
    let t = &mut bench.terms;
    let widened = float::convert(t, tiny, F64, Rounding::NEAREST, x);
    let outputs = [
        float::add(t, tiny, Rounding::NEAREST, x, y),
        float::mul(t, tiny, Rounding::NEAREST, x, y),
        float::div(t, tiny, Rounding::NEAREST, x, y),
    ];
    let value: Vec<f64> = (0..128).map(|a| f64::from_bits(bench.values(a, 0, &[widened])[0] as u64)).collect();
    let mut back = Bench::new(64);
    let narrowed = float::convert(&mut back.terms, F64, tiny, Rounding::NEAREST, back.x);
    for a in 0..128 {
        for b in 0..128 {
            let (fa, fb) = (value[a], value[b]);
            let results = bench.values(a as u128, b as u128, &outputs);
            for (result, exact) in results.into_iter().zip([fa + fb, fa * fb, fa / fb]) {
                let expected = back.values(u128::from(exact.to_bits()), 0, &[narrowed])[0];
                assert!(result == expected || exact.is_nan() && result & 0b11_1000 == 0b11_1000, "{fa} {fb}: {exact}");
            }
        }
    }
    assert_eq!(value[0b00_1000], 0.25);
    assert_eq!(value[0b00_0001], 0.03125);
    assert_eq!(value[0b11_0111], 15.0);
}

/// The solver finds a pair of floats, and the machine agrees.
#[test]
fn solving_for_floats() {
    let mut bench = Bench::new(32);
    let (x, y) = (bench.x, bench.y);
    let t = &mut bench.terms;
    let sum = float::add(t, F32, Rounding::NEAREST, x, y);
    let wanted = t.constant(32, u128::from(16_777_216f32.to_bits()));
    let (one, lower) = (t.constant(32, u128::from(1f32.to_bits())), t.constant(32, u128::from(2f32.to_bits())));
    let absorbed = float::eq(t, F32, sum, wanted);
    let (above, below) = (float::le(t, F32, one, y), float::lt(t, F32, y, lower));
    let same = float::eq(t, F32, x, wanted);
    let mut blaster = Blaster::new();
    for term in [absorbed, above, below, same] {
        blaster.assert(t, term);
    }
    assert_eq!(blaster.solver.solve(&[]), Outcome::Sat);
    let [a, b] = [x, y].map(|v| f32::from_bits(blaster.model_value(t, v).unwrap() as u32));
    assert_eq!(a + b, 16_777_216.0);
    assert!((1.0..2.0).contains(&b));
}

/// Points of the machine's functions are found by asking: the model is always true, and what never happens is refuted.
#[test]
fn functions_of_the_machine_are_solved_point_by_point() {
    let sine = Function::named("sin").unwrap();
    let mut terms = Terms::new();
    let x = terms.fresh("x", 64);
    let value = known::known(sine, &mut terms, F64, x, x);
    let number = |terms: &mut Terms, x: f64| terms.constant(64, u128::from(x.to_bits()));
    let (half, two) = (number(&mut terms, 0.5), number(&mut terms, 2.0));
    let large = float::lt(&mut terms, F64, half, value);
    let too_large = float::le(&mut terms, F64, two, value);
    let mut blaster = Blaster::new();
    let (large, too_large) = (blaster.literal(&terms, large), blaster.literal(&terms, too_large));
    assert_eq!(blaster.solver.solve(&[large]), Outcome::Sat);
    let found = f64::from_bits(blaster.assignment(&terms).get(x) as u64);
    assert!(found.sin() > 0.5, "sin({found}) is {}", found.sin());
    assert_eq!(blaster.solver.solve(&[too_large]), Outcome::Unsat);
    // A result that there may be somewhere, and nobody knows where: given up, and said of what.
    let odd = number(&mut terms, 0.123_456_789);
    let hit = float::eq(&mut terms, F64, value, odd);
    let hit = blaster.literal(&terms, hit);
    assert_eq!(blaster.solver.solve(&[hit]), Outcome::Interrupted);
    assert_eq!(blaster.solver.gave_up_on(), Some(sine));
    assert_eq!(blaster.solver.solve(&[large]), Outcome::Sat);
    assert_eq!(blaster.solver.gave_up_on(), None);
}
