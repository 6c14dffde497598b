//! Gates over literals: constants fold, equal gates are shared, the rest is a fresh variable and its clauses.
//!
//! Each gate normalises the signs and the order of its inputs first, so that De Morgan twins and negated exclusive
//! ors are found in the table. Clauses define the output in both directions.

use super::Blaster;
use crate::hash::FxBuild;
use crate::sat::Lit;
use std::collections::HashMap;

/// The gates made so far, by their normalised inputs.
#[derive(Default)]
pub(super) struct Gates {
    ands: HashMap<(Lit, Lit), Lit, FxBuild>,
    xors: HashMap<(Lit, Lit), Lit, FxBuild>,
    choices: HashMap<(Lit, Lit, Lit), Lit, FxBuild>,
    parities: HashMap<(Lit, Lit, Lit), Lit, FxBuild>,
    majorities: HashMap<(Lit, Lit, Lit), Lit, FxBuild>,
    wide_ands: HashMap<Box<[Lit]>, Lit, FxBuild>,
}

fn sorted<const N: usize>(mut lits: [Lit; N]) -> [Lit; N] {
    lits.sort_unstable();
    lits
}

/// The literals made positive, and whether an odd number was negative.
fn unsigned<const N: usize>(lits: [Lit; N]) -> ([Lit; N], bool) {
    let odd = lits.iter().filter(|lit| !lit.is_positive()).count() % 2 == 1;
    (lits.map(|lit| lit.negate_if(!lit.is_positive())), odd)
}

impl Blaster {
    /// Conjunction.
    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == Lit::FALSE || b == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if b == Lit::TRUE {
            return a;
        }
        let [a, b] = sorted([a, b]);
        if let Some(&out) = self.gates.ands.get(&(a, b)) {
            return out;
        }
        let out = self.solver.new_var();
        self.solver.add_clause(&[!out, a]);
        self.solver.add_clause(&[!out, b]);
        self.solver.add_clause(&[out, !a, !b]);
        self.gates.ands.insert((a, b), out);
        out
    }

    /// Disjunction.
    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Conjunction of any number of literals.
    pub(super) fn all(&mut self, mut lits: Vec<Lit>) -> Lit {
        // By variable, so that a literal and its negation are neighbours.
        lits.sort_unstable_by_key(|lit| (lit.variable(), lit.is_positive()));
        lits.dedup();
        if lits.contains(&Lit::FALSE) || lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        lits.retain(|&lit| lit != Lit::TRUE);
        match *lits {
            [] => return Lit::TRUE,
            [a] => return a,
            [a, b] => return self.and(a, b),
            _ => {}
        }
        if let Some(&out) = self.gates.wide_ands.get(&*lits) {
            return out;
        }
        let out = self.solver.new_var();
        for &lit in &lits {
            self.solver.add_clause(&[!out, lit]);
        }
        let key: Box<[Lit]> = lits.clone().into();
        for lit in &mut lits {
            *lit = !*lit;
        }
        lits.push(out);
        self.solver.add_clause(&lits);
        self.gates.wide_ands.insert(key, out);
        out
    }

    /// Disjunction of any number of literals.
    pub(super) fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.all(lits.into_iter().map(|lit| !lit).collect())
    }

    /// Exclusive or.
    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if a.is_constant() {
            return b.negate_if(a == Lit::TRUE);
        }
        if b.is_constant() {
            return a.negate_if(b == Lit::TRUE);
        }
        if a == b {
            return Lit::FALSE;
        }
        if a == !b {
            return Lit::TRUE;
        }
        let ([a, b], flip) = unsigned([a, b]);
        let [a, b] = sorted([a, b]);
        if let Some(&out) = self.gates.xors.get(&(a, b)) {
            return out.negate_if(flip);
        }
        let out = self.solver.new_var();
        self.solver.add_clause(&[!out, a, b]);
        self.solver.add_clause(&[!out, !a, !b]);
        self.solver.add_clause(&[out, !a, b]);
        self.solver.add_clause(&[out, a, !b]);
        self.gates.xors.insert((a, b), out);
        out.negate_if(flip)
    }

    /// `yes` if `condition`, else `no`.
    pub(super) fn mux(&mut self, condition: Lit, yes: Lit, no: Lit) -> Lit {
        if !condition.is_positive() {
            return self.mux(!condition, no, yes);
        }
        if condition == Lit::TRUE || yes == no {
            return yes;
        }
        if yes == !no {
            return self.xor(condition, no);
        }
        if yes == Lit::TRUE || yes == condition {
            return self.or(condition, no);
        }
        if yes == Lit::FALSE || yes == !condition {
            return self.and(!condition, no);
        }
        if no == Lit::TRUE || no == !condition {
            return self.or(!condition, yes);
        }
        if no == Lit::FALSE || no == condition {
            return self.and(condition, yes);
        }
        let flip = !yes.is_positive();
        let (yes, no) = (yes.negate_if(flip), no.negate_if(flip));
        if let Some(&out) = self.gates.choices.get(&(condition, yes, no)) {
            return out.negate_if(flip);
        }
        let out = self.solver.new_var();
        self.solver.add_clause(&[!condition, !yes, out]);
        self.solver.add_clause(&[!condition, yes, !out]);
        self.solver.add_clause(&[condition, !no, out]);
        self.solver.add_clause(&[condition, no, !out]);
        // Redundant, but they let equal arms decide the output before the condition is known.
        self.solver.add_clause(&[!yes, !no, out]);
        self.solver.add_clause(&[yes, no, !out]);
        self.gates.choices.insert((condition, yes, no), out);
        out.negate_if(flip)
    }

    /// The sum bit of a full adder: exclusive or of three.
    pub(super) fn parity(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        for (a, b, c) in [(a, b, c), (b, c, a), (c, a, b)] {
            if a.is_constant() || b == c || b == !c {
                let rest = self.xor(b, c);
                return self.xor(a, rest);
            }
        }
        let ([a, b, c], flip) = unsigned([a, b, c]);
        let [a, b, c] = sorted([a, b, c]);
        if let Some(&out) = self.gates.parities.get(&(a, b, c)) {
            return out.negate_if(flip);
        }
        let out = self.solver.new_var();
        for signs in 0..8 {
            let [a, b, c] = [a, b, c].map({
                let mut bit = 0;
                move |lit: Lit| {
                    bit += 1;
                    lit.negate_if(signs >> (bit - 1) & 1 == 1)
                }
            });
            // With an even number of inputs true, the output is false.
            let odd = i32::count_ones(signs) % 2 == 1;
            self.solver.add_clause(&[a, b, c, out.negate_if(!odd)]);
        }
        self.gates.parities.insert((a, b, c), out);
        out.negate_if(flip)
    }

    /// The carry bit of a full adder: at least two of three.
    pub(super) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        for (a, b, c) in [(a, b, c), (b, c, a), (c, a, b)] {
            if a == Lit::FALSE {
                return self.and(b, c);
            }
            if a == Lit::TRUE {
                return self.or(b, c);
            }
            if b == c {
                return b;
            }
            if b == !c {
                return a;
            }
        }
        let [a, b, c] = sorted([a, b, c]);
        // Majority is self-dual; keep the middle literal positive, so both forms meet.
        let flip = !b.is_positive();
        let [a, b, c] = sorted([a, b, c].map(|lit| lit.negate_if(flip)));
        if let Some(&out) = self.gates.majorities.get(&(a, b, c)) {
            return out.negate_if(flip);
        }
        let out = self.solver.new_var();
        for (a, b) in [(a, b), (a, c), (b, c)] {
            self.solver.add_clause(&[!a, !b, out]);
            self.solver.add_clause(&[a, b, !out]);
        }
        self.gates.majorities.insert((a, b, c), out);
        out.negate_if(flip)
    }
}
