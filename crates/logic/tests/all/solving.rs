//! The way from terms to models: random graphs of terms, arrays, definitions, cores, interrupts and depth.

use crate::common::{BINARY, Rng, apply_binary, mask};
use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::{ArrayValue, Assignment, Evaluator};
use nearmiss_logic::sat::{Lit, Outcome, Solver};
use nearmiss_logic::stop::Stop;
use nearmiss_logic::term::{Term, Terms};
use nearmiss_logic::text::{parse, parse_dag, print_dag};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A random graph of terms over a few variables, from a seed.
fn random_terms(terms: &mut Terms, seed: u64, size: usize) -> Vec<Term> {
    let mut rng = Rng(seed);
    let mut pool: Vec<Term> = Vec::new();
    for width in [1, 1, 4, 8, 8, 12] {
        pool.push(terms.fresh("v", width));
    }
    let array = terms.fresh_array("m", 4, 8);
    let zero = terms.constant(8, 0);
    let mut arrays = vec![array, terms.const_array(4, zero)];
    for _ in 0..size {
        let a = pool[rng.below(pool.len())];
        let width = terms.width(a);
        let same: Vec<Term> = pool.iter().copied().filter(|&t| terms.width(t) == width).collect();
        let b = if rng.below(4) == 0 { terms.constant(width, rng.word(width)) } else { same[rng.below(same.len())] };
        let bools: Vec<Term> = pool.iter().copied().filter(|&t| terms.width(t) == 1).collect();
        let c = bools[rng.below(bools.len())];
        let new = match rng.below(14) {
            0 => terms.ite(c, a, b),
            1 => terms.not(a),
            2 => terms.neg(a),
            3 => {
                let lo = rng.below(width as usize) as u32;
                let hi = lo + rng.below((width - lo) as usize) as u32;
                terms.extract(a, hi, lo)
            }
            4 if width < 12 => terms.zext(a, 12),
            5 if width < 12 => terms.sext(a, 12),
            6 if width <= 6 => terms.concat(a, b),
            7 => {
                let index = terms.resize_unsigned(a, 4);
                terms.select(arrays[rng.below(arrays.len())], index)
            }
            8 => {
                let (index, value) = (terms.resize_signed(a, 4), terms.resize_signed(b, 8));
                let array = arrays[rng.below(arrays.len())];
                arrays.push(terms.store(array, index, value));
                continue;
            }
            9 => {
                let (yes, no) = (arrays[rng.below(arrays.len())], arrays[rng.below(arrays.len())]);
                arrays.push(terms.ite(c, yes, no));
                continue;
            }
            _ => apply_binary(terms, BINARY[rng.below(BINARY.len())], a, b),
        };
        pool.push(new);
    }
    pool
}

fn config(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn models_evaluate_to_themselves(seed in any::<u64>(), size in 5usize..60) {
        let mut terms = Terms::new();
        let pool = random_terms(&mut terms, seed, size);
        let mut blaster = Blaster::new();
        for &term in &pool {
            blaster.bits(&terms, term);
        }
        // Ask for a random value of the last term: either a model that gives it, or a reason to trust the refusal.
        let goal = pool[pool.len() - 1];
        let wanted = Rng(seed).word(terms.width(goal));
        let bits = blaster.bits(&terms, goal);
        let assumptions: Vec<Lit> =
            bits.iter().enumerate().map(|(i, &bit)| bit.negate_if(wanted >> i & 1 == 0)).collect();
        let found = blaster.solver.solve(&assumptions);
        if found == Outcome::Unsat {
            prop_assert_eq!(blaster.solver.solve(&[]), Outcome::Sat, "circuits alone restrict nothing");
        }
        let assignment = blaster.assignment(&terms);
        let mut evaluator = Evaluator::new(&terms, &assignment);
        for &term in &pool {
            prop_assert_eq!(blaster.model_value(&terms, term), Some(evaluator.value(term)));
        }
        if found == Outcome::Sat {
            prop_assert_eq!(evaluator.value(goal), wanted);
        }
    }

    #[test]
    fn inputs_determine_the_model(seed in any::<u64>(), size in 5usize..40) {
        let mut terms = Terms::new();
        let pool = random_terms(&mut terms, seed, size);
        let mut rng = Rng(seed ^ 1);
        let mut assignment = Assignment::new();
        let mut blaster = Blaster::new();
        let mut assumptions = Vec::new();
        for variable in terms.variables().collect::<Vec<_>>() {
            if terms.name(variable) == "m" {
                // An array is fixed through its elements; here all of them.
                let mut value = ArrayValue::default();
                for index in 0..16 {
                    let element = rng.word(8);
                    value.elements.insert(index, element);
                    let (at, wanted) = (terms.constant(4, index), terms.constant(8, element));
                    let read = terms.select(variable, at);
                    let fixed = terms.eq(read, wanted);
                    assumptions.push(blaster.literal(&terms, fixed));
                }
                assignment.set_array(variable, value);
            } else {
                let value = rng.word(terms.width(variable));
                assignment.set(variable, value);
                let bits = blaster.bits(&terms, variable);
                assumptions.extend(bits.iter().enumerate().map(|(i, bit)| bit.negate_if(value >> i & 1 == 0)));
            }
        }
        for &term in &pool {
            blaster.bits(&terms, term);
        }
        prop_assert_eq!(blaster.solver.solve(&assumptions), Outcome::Sat);
        let mut evaluator = Evaluator::new(&terms, &assignment);
        for &term in &pool {
            prop_assert_eq!(blaster.model_value(&terms, term), Some(evaluator.value(term)));
        }
    }

    #[test]
    fn printing_and_parsing_are_inverse(seed in any::<u64>(), size in 1usize..120) {
        let mut terms = Terms::new();
        let pool = random_terms(&mut terms, seed, size);
        let text = print_dag(&terms, &pool);
        prop_assert_eq!(parse_dag(&mut terms, &text), Ok(pool.clone()));
        // In a fresh arena the text means the same, and prints the same.
        let mut other = Terms::new();
        let again = parse_dag(&mut other, &text).unwrap();
        prop_assert_eq!(again.len(), pool.len());
    }

    #[test]
    fn any_text_is_a_term_or_an_error(text in "[()|:; a-z0-9%=!\\n-]{0,60}") {
        let mut terms = Terms::new();
        let _ = parse(&mut terms, &text);
        let _ = parse_dag(&mut terms, &text);
        let _ = parse_dag(&mut terms, &format!("root {text}"));
    }

    #[test]
    fn substitution_commutes_with_evaluation(seed in any::<u64>(), size in 5usize..60) {
        let mut terms = Terms::new();
        let pool = random_terms(&mut terms, seed, size);
        let x = pool[3];
        let mut rng = Rng(seed);
        let candidates: Vec<Term> = pool.iter().copied().filter(|&t| terms.width(t) == 8 && t != x).collect();
        let by = candidates[rng.below(candidates.len())];
        let goal = pool[pool.len() - 1];
        let result = terms.substitute(goal, &HashMap::from([(x, by)]));
        let mut assignment = Assignment::new();
        for &variable in &pool[..6] {
            assignment.set(variable, rng.word(terms.width(variable)));
        }
        let value = Evaluator::new(&terms, &assignment).value(by);
        let mut replaced = assignment.clone();
        replaced.set(x, value);
        let expected = Evaluator::new(&terms, &replaced).value(goal);
        prop_assert_eq!(Evaluator::new(&terms, &assignment).value(result), expected);
    }

    #[test]
    fn asserting_is_assuming(seed in any::<u64>(), size in 10usize..60) {
        let mut terms = Terms::new();
        let pool = random_terms(&mut terms, seed, size);
        let bools: Vec<Term> = pool.iter().copied().filter(|&t| terms.width(t) == 1).rev().take(4).collect();
        let (mut asserting, mut assuming) = (Blaster::new(), Blaster::new());
        let goal = terms.and_all(&bools);
        asserting.assert(&terms, goal);
        let literals: Vec<Lit> = bools.iter().map(|&term| assuming.literal(&terms, term)).collect();
        let found = asserting.solver.solve(&[]);
        prop_assert_eq!(found, assuming.solver.solve(&literals));
        if found == Outcome::Sat {
            let assignment = asserting.assignment(&terms);
            prop_assert!(Evaluator::new(&terms, &assignment).holds(goal));
        } else {
            // The core is a subset of the assumptions, and unsatisfiable by itself.
            let core = assuming.solver.core();
            prop_assert!(core.iter().all(|lit| literals.contains(lit)));
            prop_assert_eq!(assuming.solver.solve(&core), Outcome::Unsat);
        }
    }
}

#[test]
fn definitions_share_literals_and_cost_nothing_until_needed() {
    let mut terms = Terms::new();
    let mut blaster = Blaster::new();
    let x = terms.fresh("x", 32);
    let seven = terms.constant(32, 7);
    let (product, sum) = (terms.mul(x, x), terms.add(x, seven));
    let (y, z, w) = (terms.fresh("y", 32), terms.fresh("z", 32), terms.fresh("w", 32));
    blaster.define(&terms, y, product);
    blaster.define(&terms, z, sum);
    let more = terms.add(y, z);
    blaster.define(&terms, w, more);
    assert_eq!(blaster.solver.stats().clauses, 0);
    let ten = terms.constant(32, 10);
    let goal = terms.eq(z, ten);
    blaster.assert(&terms, goal);
    assert_eq!(blaster.solver.solve(&[]), Outcome::Sat);
    assert_eq!(blaster.bits(&terms, z), blaster.bits(&terms, sum));
    assert!(!blaster.is_blasted(y));
    // The model speaks of definitions that were never translated, too.
    let assignment = blaster.assignment(&terms);
    assert_eq!([x, y, z, w].map(|v| assignment.get(v)), [3, 9, 10, 19]);
}

#[test]
fn definitions_of_translated_variables_become_equalities() {
    let mut terms = Terms::new();
    let mut blaster = Blaster::new();
    let (x, y) = (terms.fresh("x", 8), terms.fresh("y", 8));
    let (a, b) = (terms.fresh_array("a", 8, 8), terms.fresh_array("b", 8, 8));
    let five = terms.constant(8, 5);
    let read = terms.select(a, x);
    let goal = terms.eq(read, y);
    blaster.assert(&terms, goal);
    let sum = terms.add(x, five);
    blaster.define(&terms, y, sum);
    let stored = terms.store(b, five, five);
    blaster.define(&terms, a, stored);
    let fixed = terms.eq(x, five);
    let fixed = blaster.literal(&terms, fixed);
    assert_eq!(blaster.solver.solve(&[fixed]), Outcome::Unsat);
    assert_eq!(blaster.solver.core(), vec![fixed]);
    assert_eq!(blaster.solver.solve(&[]), Outcome::Sat);
    let assignment = blaster.assignment(&terms);
    let mut evaluator = Evaluator::new(&terms, &assignment);
    assert!(evaluator.holds(goal));
    assert_eq!(evaluator.value(y), evaluator.value(sum));
}

#[test]
fn literals_of_wide_constants_never_reach_the_solver() {
    let mut terms = Terms::new();
    let mut blaster = Blaster::new();
    let k = terms.constant(128, mask(128) / 3);
    assert!(blaster.bits(&terms, k).iter().all(|bit| bit.is_constant()));
    assert_eq!(blaster.solver.stats().variables, 0);
    assert_eq!(blaster.solver.solve(&[Lit::TRUE]), Outcome::Sat);
    assert_eq!(blaster.solver.solve(&[Lit::TRUE, Lit::FALSE]), Outcome::Unsat);
    assert_eq!(blaster.solver.core(), vec![Lit::FALSE]);
    blaster.assert(&terms, terms.fals());
    assert_eq!(blaster.solver.solve(&[]), Outcome::Unsat);
    assert_eq!(blaster.solver.core(), vec![]);
}

/// More pigeons than holes: far beyond what the tests would wait for.
fn hard_problem() -> Solver {
    let (pigeons, holes) = (14, 13);
    let mut solver = Solver::new();
    let place: Vec<Vec<Lit>> = (0..pigeons).map(|_| (0..holes).map(|_| solver.new_var()).collect()).collect();
    for row in &place {
        solver.add_clause(row);
    }
    for (i, first) in place.iter().enumerate() {
        for second in &place[..i] {
            for (&here, &there) in first.iter().zip(second) {
                solver.add_clause(&[!here, !there]);
            }
        }
    }
    solver
}

#[test]
fn conflict_limit_interrupts_and_can_be_lifted() {
    let mut solver = hard_problem();
    solver.set_conflict_limit(Some(100));
    assert_eq!(solver.solve(&[]), Outcome::Interrupted);
    let first = solver.stats().conflicts;
    assert!((100..5000).contains(&first), "{first}");
    assert_eq!(solver.solve(&[]), Outcome::Interrupted);
    // The effort is the same every time.
    let mut twin = hard_problem();
    twin.set_conflict_limit(Some(100));
    assert_eq!(twin.solve(&[]), Outcome::Interrupted);
    assert_eq!(twin.stats().conflicts, first);
}

#[test]
fn deadline_interrupts() {
    let mut solver = hard_problem();
    solver.set_stop(Stop::at(Instant::now() + Duration::from_millis(50)));
    assert_eq!(solver.solve(&[]), Outcome::Interrupted);
    solver.set_stop(Stop::at(Instant::now()));
    assert_eq!(solver.solve(&[]), Outcome::Interrupted);
}

/// Terms that there was no time to encode have literals that mean nothing, so nothing is answered any more.
#[test]
fn what_was_not_encoded_in_time_is_never_answered() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", 8), terms.fresh("y", 8));
    let long = (0..1_000).fold(x, |sum, step| {
        let product = terms.mul(sum, y);
        let step = terms.constant(8, step % 251);
        terms.add(product, step)
    });
    let differs = terms.eq(long, x);
    let mut blaster = Blaster::new();
    blaster.solver.set_stop(Stop::at(Instant::now()));
    let literal = blaster.literal(&terms, differs);
    blaster.solver.set_stop(Stop::default());
    assert_eq!(blaster.solver.solve(&[literal]), Outcome::Interrupted);
    assert_eq!(blaster.solver.solve(&[]), Outcome::Interrupted);
    let mut patient = Blaster::new();
    let literal = patient.literal(&terms, differs);
    assert_ne!(patient.solver.solve(&[literal]), Outcome::Interrupted);
}

#[test]
fn another_thread_can_stop_the_search() {
    let mut solver = hard_problem();
    let stop = Arc::new(AtomicBool::new(false));
    solver.set_stop(Stop::when(Arc::clone(&stop)));
    let raise = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(solver.solve(&[]), Outcome::Interrupted);
    raise.join().unwrap();
}

#[test]
fn the_model_stays_readable_while_clauses_are_added() {
    let mut solver = Solver::new();
    solver.record_clauses();
    let (a, b) = (solver.new_var(), solver.new_var());
    solver.set_phase(!b);
    solver.add_clause(&[a, b]);
    solver.add_clause(&[!a, Lit::FALSE]);
    solver.add_clause(&[Lit::TRUE, a]);
    assert_eq!(solver.solve(&[]), Outcome::Sat);
    let c = solver.new_var();
    solver.add_clause(&[!b, c]);
    assert!(!solver.value(a) && solver.value(!a) && solver.value(b) && !solver.value(c));
    assert_eq!(solver.to_dimacs(&[c]).unwrap(), "p cnf 3 4\n1 2 0\n-1 0\n-2 3 0\n3 0\n");
    assert_eq!(solver.solve(&[!c]), Outcome::Unsat);
    assert_eq!(solver.core(), vec![!c]);
}

#[test]
fn depth_is_no_danger() {
    let depth = 200_000;
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", 4), terms.fresh("y", 4));
    let array = terms.fresh_array("m", 4, 4);
    let (mut sum, mut memory) = (x, array);
    for i in 0..depth {
        let odd = terms.constant(4, i as u128 * 2 + 1);
        let step = terms.xor(sum, odd);
        sum = terms.add(step, y);
        if i % 100 == 0 {
            memory = terms.store(memory, sum, step);
        }
    }
    let read = terms.select(memory, y);
    let mut assignment = Assignment::new();
    assignment.set(x, 3);
    assignment.set(y, 5);
    let expected = (0..depth).fold(3u128, |sum, i| ((sum ^ (i as u128 * 2 + 1) & 15) + 5) & 15);
    let mut evaluator = Evaluator::new(&terms, &assignment);
    assert_eq!(evaluator.value(sum), expected);
    evaluator.value(read);
    let replaced = terms.substitute(sum, &HashMap::from([(y, x)]));
    assert_ne!(replaced, sum);
    assert_eq!(terms.support(replaced), vec![x]);
    let mut blaster = Blaster::new();
    blaster.bits(&terms, sum);
    blaster.bits(&terms, read);
    let mut any = terms.fals();
    for i in 0..depth {
        let bit = terms.fresh("b", 1);
        any = if i % 2 == 0 { terms.or(any, bit) } else { terms.and(any, bit) };
    }
    blaster.assert(&terms, any);
    let text = print_dag(&terms, &[sum, read, any]);
    assert_eq!(parse_dag(&mut terms, &text), Ok(vec![sum, read, any]));
}

#[test]
fn forgotten_terms_leave_nothing_behind() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", 16);
    let kept = terms.add(x, x);
    let before = terms.len();
    // More than the table has room for at first.
    for round in 0..3 {
        let mut sum = x;
        for i in 0..2_000 {
            let other = terms.fresh("y", 16);
            let number = terms.constant(16, i * 7 + round);
            let product = terms.mul(other, number);
            sum = terms.add(sum, product);
        }
        assert!(terms.len() > before + 4_000);
        terms.forget_from(before);
        assert_eq!((terms.len(), terms.variables().len()), (before, 1));
        assert_eq!(terms.add(x, x), kept);
    }
    let y = terms.fresh("y", 16);
    assert_eq!((terms.name(y), terms.len()), ("y", before + 1));
    let sum = terms.add(x, y);
    let text = print_dag(&terms, &[sum]);
    assert_eq!(parse_dag(&mut terms, &text), Ok(vec![sum]));
}
