//! Every operator against plain arithmetic: the constructors' rewriting on all inputs at small widths, the bit-blaster
//! by solver queries. The reference here is written a third time, on i128 and bit loops, so that a shared mistake
//! would have to be made thrice.

use crate::common::{BINARY, Rng, UNARY, apply_binary, apply_unary, mask, reference_binary, reference_unary};
use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::sat::Outcome;
use nearmiss_logic::term::{Term, Terms};

#[test]
fn evaluation_agrees_with_the_reference_on_all_small_inputs() {
    for width in 1..=5 {
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh("x", width), terms.fresh("y", width));
        let unary: Vec<Term> = UNARY.iter().map(|op| apply_unary(&mut terms, op, x)).collect();
        let binary: Vec<Term> = BINARY.iter().map(|op| apply_binary(&mut terms, op, x, y)).collect();
        for a in 0..1u128 << width {
            for b in 0..1u128 << width {
                let mut assignment = Assignment::new();
                assignment.set(x, a);
                assignment.set(y, b);
                let mut evaluator = Evaluator::new(&terms, &assignment);
                for (op, &term) in UNARY.iter().zip(&unary) {
                    assert_eq!(evaluator.value(term), reference_unary(op, a, width), "{op} {a}:{width}");
                }
                for (op, &term) in BINARY.iter().zip(&binary) {
                    assert_eq!(evaluator.value(term), reference_binary(op, a, b, width), "{op} {a} {b}:{width}");
                }
            }
        }
    }
}

/// The rules fire on constants, on extensions, on sums with constants, on choices between constants, and on shared
/// operands; put every pair of such shapes under every operator and compare on all inputs.
#[test]
fn rewriting_preserves_meaning_on_all_pairs_of_shapes() {
    for width in 2..=4 {
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh("x", width), terms.fresh("y", width));
        let c = terms.fresh("c", 1);
        let mut shapes = vec![x, y];
        for value in 0..1 << width {
            shapes.push(terms.constant(width, value));
        }
        let (one, three) = (terms.constant(width, 1), terms.constant(width, 3));
        let narrow = terms.extract(x, width - 2, 0);
        let low = terms.extract(y, 0, 0);
        let high = terms.extract(x, width - 1, 1);
        shapes.extend([
            terms.not(x),
            terms.neg(x),
            terms.neg(y),
            terms.add(x, one),
            terms.add(x, three),
            terms.add(x, y),
            terms.sub(x, y),
            terms.sub(y, x),
            terms.and(x, y),
            terms.or(x, y),
            terms.xor(x, y),
            terms.xor(x, three),
            terms.and(x, three),
            terms.mul(x, three),
            terms.mul(x, y),
            terms.zext(narrow, width),
            terms.sext(narrow, width),
            terms.zext(low, width),
            terms.sext(low, width),
            terms.ite(c, one, three),
            terms.ite(c, x, y),
            terms.ite(c, x, three),
            terms.concat(low, narrow),
            terms.concat(high, low),
            terms.shl(x, y),
            terms.urem(x, three),
        ]);
        shapes.sort_unstable();
        shapes.dedup();
        let mut all = Vec::new();
        for &a in &shapes {
            for &b in &shapes {
                for op in BINARY {
                    all.push((op, a, b, apply_binary(&mut terms, op, a, b)));
                }
            }
            for op in UNARY {
                all.push((op, a, a, apply_unary(&mut terms, op, a)));
            }
        }
        for a in 0..1u128 << width {
            for b in 0..1u128 << width {
                for choice in 0..2 {
                    let mut assignment = Assignment::new();
                    assignment.set(x, a);
                    assignment.set(y, b);
                    assignment.set(c, choice);
                    let mut evaluator = Evaluator::new(&terms, &assignment);
                    for &(op, left, right, result) in &all {
                        let (left, right) = (evaluator.value(left), evaluator.value(right));
                        let expected = if UNARY.contains(op) {
                            reference_unary(op, left, width)
                        } else {
                            reference_binary(op, left, right, width)
                        };
                        let node = terms.node(result);
                        assert_eq!(evaluator.value(result), expected, "{op} {left} {right}:{width} as {node:?}");
                    }
                }
            }
        }
    }
}

/// Choices, slices and extensions of each other, on all inputs.
#[test]
fn choices_and_slices_of_shapes_keep_their_meaning() {
    let width = 3;
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", width), terms.fresh("y", width));
    let (c, d) = (terms.fresh("c", 1), terms.fresh("d", 1));
    let (k, l) = (terms.constant(width, 5), terms.constant(width, 2));
    let (not_x, not_c) = (terms.not(x), terms.not(c));
    let both = terms.and(c, d);
    let mut arms = vec![x, y, k, l, not_x];
    for (a, b) in [(x, y), (y, x), (k, l), (x, k), (l, y)] {
        arms.extend([terms.ite(c, a, b), terms.ite(d, a, b), terms.ite(both, a, b)]);
    }
    let mut cases: Vec<(Term, Term, Term, Term)> = Vec::new();
    for condition in [c, d, not_c, both] {
        for &a in &arms {
            for &b in &arms {
                cases.push((condition, a, b, terms.ite(condition, a, b)));
            }
        }
    }
    let bools = [c, d, not_c, both, terms.tru(), terms.fals()];
    for condition in bools {
        for a in bools {
            for b in bools {
                cases.push((condition, a, b, terms.ite(condition, a, b)));
            }
        }
    }
    // Pieces glued together, in every order, then cut again.
    let mut pieces = Vec::new();
    for word in [x, y, k, arms[5], arms[8]] {
        for lo in 0..width {
            for hi in lo..width {
                pieces.push((word, hi, lo, terms.extract(word, hi, lo)));
            }
        }
    }
    let mut glued = Vec::new();
    for &(.., a) in &pieces {
        for &(.., b) in &pieces {
            let joined = terms.concat(a, b);
            let top = terms.width(joined) - 1;
            let cut = if top > 1 { terms.extract(joined, top - 1, 1) } else { joined };
            let wide = terms.sext(joined, 9);
            let slice = terms.extract(wide, 7, top.min(6));
            glued.push((a, b, joined, cut, slice));
        }
    }
    for a in 0..1u128 << width {
        for b in 0..1u128 << width {
            for choices in 0..4 {
                let mut assignment = Assignment::new();
                for (variable, value) in [(x, a), (y, b), (c, choices & 1), (d, choices >> 1)] {
                    assignment.set(variable, value);
                }
                let mut evaluator = Evaluator::new(&terms, &assignment);
                for &(condition, yes, no, result) in &cases {
                    let chosen = if evaluator.holds(condition) { yes } else { no };
                    assert_eq!(evaluator.value(result), evaluator.value(chosen));
                }
                for &(word, hi, lo, piece) in &pieces {
                    assert_eq!(evaluator.value(piece), evaluator.value(word) >> lo & mask(hi - lo + 1));
                }
                for &(high, low, joined, cut, slice) in &glued {
                    let width = terms.width(joined);
                    let value = evaluator.value(high) << terms.width(low) | evaluator.value(low);
                    assert_eq!(evaluator.value(joined), value);
                    let expected = if width > 2 { value >> 1 & mask(width - 2) } else { value };
                    assert_eq!(evaluator.value(cut), expected);
                    let wide = if value >> (width - 1) == 1 { value | mask(9) << width } else { value } & mask(9);
                    let lo = (width - 1).min(6);
                    assert_eq!(evaluator.value(slice), wide >> lo & mask(8 - lo));
                }
            }
        }
    }
}

/// Fix the inputs by assumptions and read the outputs: all values at small widths.
#[test]
fn blasting_agrees_with_evaluation_on_all_small_inputs() {
    for width in 1..=4 {
        check_blasting(width, (0..1u128 << width).flat_map(|a| (0..1u128 << width).map(move |b| (a, b))));
    }
}

#[test]
fn blasting_agrees_with_evaluation_on_random_wide_inputs() {
    let mut rng = Rng(7);
    for (width, count) in [(7, 40), (8, 40), (16, 30), (32, 20), (33, 10), (64, 6), (128, 3)] {
        let inputs: Vec<(u128, u128)> = (0..count).map(|_| (rng.word(width), rng.word(width))).collect();
        check_blasting(width, inputs.into_iter());
    }
}

fn check_blasting(width: u32, inputs: impl Iterator<Item = (u128, u128)>) {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", width), terms.fresh("y", width));
    let mut outputs: Vec<Term> = UNARY.iter().map(|op| apply_unary(&mut terms, op, x)).collect();
    outputs.extend(BINARY.iter().map(|op| apply_binary(&mut terms, op, x, y)));
    let five = terms.constant(width, 0b1011_0111_0101);
    outputs.extend(BINARY.iter().map(|op| apply_binary(&mut terms, op, x, five)));
    let (wide_x, wide_y) = (terms.sext(x, (2 * width).min(128)), terms.sext(y, (2 * width).min(128)));
    outputs.push(terms.mul(wide_x, wide_y));
    let mut blaster = Blaster::new();
    for &output in &outputs {
        blaster.bits(&terms, output);
    }
    let (bits_x, bits_y) = (blaster.bits(&terms, x), blaster.bits(&terms, y));
    for (a, b) in inputs {
        let mut assumptions = Vec::new();
        for (bits, value) in [(&bits_x, a), (&bits_y, b)] {
            assumptions.extend(bits.iter().enumerate().map(|(i, &bit)| bit.negate_if(value >> i & 1 == 0)));
        }
        assert_eq!(blaster.solver.solve(&assumptions), Outcome::Sat);
        let assignment = blaster.assignment(&terms);
        assert_eq!((assignment.get(x), assignment.get(y)), (a, b));
        let mut evaluator = Evaluator::new(&terms, &assignment);
        for &output in &outputs {
            let node = terms.node(output);
            assert_eq!(blaster.model_value(&terms, output), Some(evaluator.value(output)), "{node:?} on {a} {b}");
        }
    }
}

/// Words that are sums of each other in many ways, some of which wrap round, compared and subtracted.
#[test]
fn sums_of_sums_keep_their_meaning() {
    let mut terms = Terms::new();
    let mut blaster = Blaster::new();
    let (x, y) = (terms.fresh("x", 3), terms.fresh("y", 3));
    let (wide_x, wide_y) = (terms.zext(x, 5), terms.zext(y, 5));
    let mut words = vec![wide_x, wide_y];
    let mut rng = Rng(11);
    for number in 0..24 {
        let left = words[rng.word(32) as usize % words.len()];
        let right = match rng.word(2) {
            0 => words[rng.word(32) as usize % words.len()],
            small => terms.constant(5, small),
        };
        let sum = terms.add(left, right);
        // Behind a name, so that nothing is folded before the circuits are made.
        let name = terms.fresh(&format!("sum{number}"), 5);
        blaster.define(&terms, name, sum);
        words.push(name);
    }
    let mut outputs = Vec::new();
    for &a in &words {
        for &b in &words {
            outputs.extend([terms.ult(a, b), terms.slt(a, b), terms.eq(a, b), terms.sub(a, b)]);
        }
    }
    for &output in &outputs {
        blaster.bits(&terms, output);
    }
    let bits: Vec<_> = [x, y].into_iter().flat_map(|input| blaster.bits(&terms, input)).collect();
    for value in 0..64 {
        let assumed: Vec<_> = bits.iter().enumerate().map(|(i, &bit)| bit.negate_if(value >> i & 1 == 0)).collect();
        assert_eq!(blaster.solver.solve(&assumed), Outcome::Sat);
        let assignment = blaster.assignment(&terms);
        let mut evaluator = Evaluator::new(&terms, &assignment);
        for &output in &outputs {
            let node = terms.node(output);
            assert_eq!(blaster.model_value(&terms, output), Some(evaluator.value(output)), "{node:?} on {value}");
        }
    }
}

/// A pointer that is counted up is below the end where its number is below the length, and the solver need not find that out.
#[test]
fn what_both_sides_have_in_common_is_left_out() {
    let mut terms = Terms::new();
    let mut blaster = Blaster::new();
    let (start, length) = (terms.fresh("start", 16), terms.fresh("length", 16));
    let (start, length) = (terms.zext(start, 64), terms.zext(length, 64));
    let end = terms.add(start, length);
    let one = terms.constant(64, 1);
    let mut pointer = start;
    for number in 1..=5 {
        let next = terms.add(pointer, one);
        pointer = terms.fresh(&format!("p{number}"), 64);
        blaster.define(&terms, pointer, next);
    }
    let name = terms.fresh("end", 64);
    blaster.define(&terms, name, end);
    let five = terms.constant(64, 5);
    let (walked, counted) = (terms.ult(pointer, name), terms.ult(five, length));
    assert_eq!(blaster.literal(&terms, walked), blaster.literal(&terms, counted));
}

/// The circuits are functions: no second output for one input.
#[test]
fn outputs_are_determined_by_inputs() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", 4), terms.fresh("y", 4));
    let (z, w) = (terms.fresh("z", 4), terms.fresh("w", 4));
    for op in BINARY {
        let (first, second) = (apply_binary(&mut terms, op, x, y), apply_binary(&mut terms, op, z, w));
        let mut blaster = Blaster::new();
        let (same_x, same_y) = (terms.eq(x, z), terms.eq(y, w));
        let different = terms.ne(first, second);
        for term in [same_x, same_y, different] {
            blaster.assert(&terms, term);
        }
        assert_eq!(blaster.solver.solve(&[]), Outcome::Unsat, "{op}");
    }
}
