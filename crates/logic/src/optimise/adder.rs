//! Adding prices in binary: one bucket of literals for each power of two, emptied by full and half adders.
//!
//! A literal of weight w sits in the bucket of every bit set in w. From the least significant bucket up, three literals
//! become one of the same weight and a carry of the next (Eén and Sörensson, *Translating pseudo-Boolean constraints
//! into SAT*, JSAT 2006, section 5.2, in the order of Wallace's tree); what remains in each bucket is a bit of the sum.
//! Linear: at most one full adder for each bit set in the weights, fourteen clauses each.

use crate::sat::{Lit, Solver};
use std::collections::VecDeque;

/// The bits of the sum, least significant first.
pub(super) fn sum(solver: &mut Solver, weights: &[(Lit, u128)]) -> Vec<Lit> {
    let mut buckets: Vec<VecDeque<Lit>> = Vec::new();
    for &(lit, weight) in weights {
        for i in (0..128).filter(|i| weight >> i & 1 == 1) {
            if buckets.len() <= i {
                buckets.resize(i + 1, VecDeque::new());
            }
            buckets[i].push_back(lit);
        }
    }
    let mut bits = Vec::new();
    let mut i = 0;
    while i < buckets.len() {
        if buckets.len() == i + 1 && buckets[i].len() > 1 {
            buckets.push(VecDeque::new());
        }
        // First in, first out: the tree stays shallow.
        while let Some(a) = buckets[i].pop_front() {
            let Some(b) = buckets[i].pop_front() else {
                bits.push(a);
                break;
            };
            let (sum, carry) = match buckets[i].pop_front() {
                Some(c) => (parity(solver, &[a, b, c]), majority(solver, a, b, c)),
                None => (parity(solver, &[a, b]), conjunction(solver, a, b)),
            };
            buckets[i].push_back(sum);
            buckets[i + 1].push_back(carry);
        }
        if bits.len() == i {
            bits.push(Lit::FALSE);
        }
        i += 1;
    }
    bits
}

/// A literal that, assumed, keeps a binary number at most at a bound. Only this direction is defined.
pub(super) fn at_most(solver: &mut Solver, bits: &[Lit], bound: u128) -> Lit {
    let holds = solver.new_var();
    // Wherever the bound has a 0, the number has one too, or a 0 above where the bound has a 1.
    let mut clause = vec![!holds];
    for (i, &bit) in bits.iter().enumerate().rev() {
        if i < 128 && bound >> i & 1 == 1 {
            clause.push(!bit);
        } else {
            clause.push(!bit);
            solver.add_clause(&clause);
            clause.pop();
        }
    }
    holds
}

fn parity(solver: &mut Solver, inputs: &[Lit]) -> Lit {
    let output = solver.new_var();
    for values in 0..1u32 << inputs.len() {
        // The clause that forbids these inputs with the wrong output.
        let mut clause: Vec<Lit> =
            inputs.iter().enumerate().map(|(i, lit)| lit.negate_if(values >> i & 1 == 1)).collect();
        clause.push(output.negate_if(values.count_ones() % 2 == 0));
        solver.add_clause(&clause);
    }
    output
}

fn majority(solver: &mut Solver, a: Lit, b: Lit, c: Lit) -> Lit {
    let output = solver.new_var();
    for (x, y) in [(a, b), (a, c), (b, c)] {
        solver.add_clause(&[!x, !y, output]);
        solver.add_clause(&[x, y, !output]);
    }
    output
}

fn conjunction(solver: &mut Solver, a: Lit, b: Lit) -> Lit {
    let output = solver.new_var();
    solver.add_clause(&[!a, !b, output]);
    solver.add_clause(&[a, !output]);
    solver.add_clause(&[b, !output]);
    output
}
