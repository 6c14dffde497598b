//! A function of the machine as a term, with what is known of all its results.

use crate::float::{self, Format};
use crate::machine::{Function, Most, NanFor};
use crate::term::{Term, Terms};

/// The result for all arguments as a term: free but for the points that the solver is told, and for what is known of every
/// result. What is known only changes results that the machine never gives.
pub fn known(function: Function, terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let free = terms.machine(function, a, b);
    if terms.as_const(free).is_some() {
        return free;
    }
    let facts = function.facts();
    let nan = is_nan(facts.nan, terms, format, a, b);
    let least = terms.fals();
    let sign = match facts.most {
        Most::Remains => terms.sign_bit(a),
        _ if facts.positive => least,
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
    let magnitude = match facts.most {
        _ if facts.nan == NanFor::Open => magnitude,
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

fn is_nan(nan: NanFor, terms: &mut Terms, format: Format, a: Term, b: Term) -> Option<Term> {
    let (of_a, of_b) = (float::is_nan(terms, format, a), float::is_nan(terms, format, b));
    let either = terms.or(of_a, of_b);
    let width = format.width();
    let zero = terms.constant(width, 0);
    Some(match nan {
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
                let term = known(function, &mut terms, format, a, b);
                let seeds: Vec<_> = Function::all().flat_map(|f| f.seeds(width)).collect();
                let wild = (0..2000).map(|_| (u128::from(random()), u128::from(random())));
                for (x, y) in seeds.into_iter().chain(wild) {
                    let cut = if width == 32 { u128::from(u32::MAX) } else { u128::from(u64::MAX) };
                    let (x, y) = (x & cut, if function.arity() == 1 { x } else { y } & cut);
                    let mut assignment = Assignment::new();
                    assignment.set(a, x);
                    assignment.set(b, y);
                    let value = Evaluator::new(&terms, &assignment).value(term);
                    assert_eq!(value, function.value(width, x, y), "{} of {x:#x}, {y:#x}", function.name());
                }
            }
        }
    }
}
