//! Terms as text: any text is read or refused, and what was read and printed again means the same.
//!
//! The meaning is compared under one assignment that depends on the names only, since reading in a fresh arena may
//! number, and so order, the operands differently.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearmiss_logic::eval::{ArrayValue, Assignment, Evaluator};
use nearmiss_logic::term::{Sort, Term, Terms};
use nearmiss_logic::text::{parse, parse_dag, print_dag, smt2};

fuzz_target!(|text: &str| {
    let mut terms = Terms::new();
    let roots = match parse(&mut terms, text) {
        Ok(term) => vec![term],
        Err(_) => {
            terms = Terms::new();
            let Ok(roots) = parse_dag(&mut terms, text) else { return };
            roots
        }
    };
    let printed = print_dag(&terms, &roots);
    let _ = smt2(&terms, &roots);
    assert_eq!(parse_dag(&mut terms, &printed).as_ref(), Ok(&roots), "in the same arena:\n{printed}");

    let mut again = Terms::new();
    let read = parse_dag(&mut again, &printed).unwrap_or_else(|error| panic!("{error} in\n{printed}"));
    assert_eq!(meaning(&terms, &roots), meaning(&again, &read), "{printed}");
});

/// The values of the roots, those of arrays at index 0.
fn meaning(terms: &Terms, roots: &[Term]) -> Vec<u128> {
    let mut assignment = Assignment::new();
    for variable in terms.variables() {
        let value = terms.name(variable).bytes().fold(0x9e37_79b9_7f4a_7c15_u128, |sum, byte| {
            (sum ^ u128::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(37)
        });
        match terms.sort(variable) {
            Sort::BitVec(width) => assignment.set(variable, value & low(width)),
            Sort::Array { element, .. } => {
                assignment.set_array(variable, ArrayValue { default: value & low(element), ..ArrayValue::default() });
            }
        }
    }
    let mut evaluator = Evaluator::new(terms, &assignment);
    let value = |&root: &Term| match terms.sort(root) {
        Sort::BitVec(_) => evaluator.value(root),
        Sort::Array { .. } => evaluator.element(root, 0),
    };
    roots.iter().map(value).collect()
}

fn low(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}
