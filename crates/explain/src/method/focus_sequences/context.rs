//! A condition as it can be said where others hold: what these decide is put in, what they keep from overflowing is compared
//! as a whole, and what chooses between values is told as cases.
//!
//! Every step is proved by the solver: under the other conditions the new text says the same as the old one, for all inputs.
//! `max(a, b) < c`, which a program writes as `(a > b ? a : b) < c`, is `a < c` and `b < c`; where neither case alone, nor both, nor
//! either say the same, each stands beside what chooses it.

use std::collections::HashMap;

use nearmiss_logic::hash::FxBuild;
use nearmiss_logic::sat::Lit;
use nearmiss_logic::term::{Node, Sort, Term};

use super::assumption::Prover;
use crate::equation::Equation;
use crate::focus_sequence::Sequence;

/// Larger terms are not simplified for readers.
const MOST_NODES: usize = 300;

impl Prover<'_> {
    /// A condition that says the same where others hold: what these decide is put in, and what they keep from overflowing is
    /// compared as a whole.
    pub fn in_context(&mut self, equation: &mut Equation, sequence: &Sequence, from: &[Lit], term: Term) -> Term {
        let nodes = equation.terms.post_order(&[term]);
        if nodes.len() > MOST_NODES {
            return term;
        }
        let mut done: HashMap<Term, Term, FxBuild> = HashMap::default();
        for at in nodes {
            let operands: Vec<Term> = equation.terms.node(at).operands().iter().map(|operand| done[operand]).collect();
            let mut new = if operands.is_empty() { at } else { equation.terms.with_operands(at, &operands) };
            let is_asked = match equation.terms.sort(new) {
                Sort::BitVec(bits) => bits == 1 || equation.terms.is_variable(new),
                Sort::Array { .. } => false,
            };
            if at != term && is_asked && equation.terms.as_const(new).is_none() {
                let value = sequence.execution.value_of(equation, new);
                let constant = equation.terms.constant(equation.terms.width(new), value);
                let is_so = equation.terms.eq(new, constant);
                let literal = self.literal(equation, is_so);
                if self.follows(from, literal) {
                    new = constant;
                }
            }
            new = self.compared_whole(equation, sequence, from, new);
            done.insert(at, new);
        }
        done[&term]
    }

    /// `(x & 0x7fffffff) == 5`, which is left of `2 * x == 10`, is `x == 5` where others keep `x` small.
    fn compared_whole(&mut self, equation: &mut Equation, sequence: &Sequence, from: &[Lit], term: Term) -> Term {
        let Node::Eq(a, b) = equation.terms.node(term) else { return term };
        let (part, constant) = if equation.terms.as_const(a).is_some() { (b, a) } else { (a, b) };
        let (Node::Extract { term: whole, lo: 0, .. }, Some(_)) =
            (equation.terms.node(part), equation.terms.as_const(constant))
        else {
            return term;
        };
        let bits = equation.terms.width(whole);
        for signed in [true, false] {
            let wide = match signed {
                true => equation.terms.sext(constant, bits),
                false => equation.terms.zext(constant, bits),
            };
            let other = equation.terms.eq(whole, wide);
            if sequence.execution.meets(equation, other) != sequence.execution.meets(equation, term) {
                continue;
            }
            let same = equation.terms.iff(term, other);
            let same = self.literal(equation, same);
            if self.follows(from, same) {
                return other;
            }
        }
        term
    }

    /// The same without choices between values; none if there are more than `choices`.
    pub fn in_cases(
        &mut self,
        equation: &mut Equation,
        sequence: &Sequence,
        from: &[Lit],
        term: Term,
        choices: u32,
    ) -> Option<Term> {
        let Some((choice, condition, sides)) = innermost_choice(equation, term) else { return Some(term) };
        let choices = choices.checked_sub(1)?;
        let not = equation.terms.not(condition);
        let mut cases = Vec::new();
        for (chooser, side) in [condition, not].into_iter().zip(sides) {
            let mut under = from.to_vec();
            under.push(self.literal(equation, chooser));
            let case = equation.terms.substitute(term, &HashMap::from([(choice, side)]));
            let literal = self.literal(equation, case);
            let case = if self.follows(&under, literal) {
                equation.terms.tru()
            } else if self.follows(&under, !literal) {
                equation.terms.fals()
            } else {
                let case = self.in_context(equation, sequence, &under, case);
                self.in_cases(equation, sequence, &under, case, choices)?
            };
            cases.push((chooser, case));
        }
        let [(first, a), (second, b)] = cases[..] else { return None };
        let terms = &mut equation.terms;
        let chosen = [terms.and(first, a), terms.and(second, b)];
        let simple = [a, b, terms.and(a, b), terms.or(a, b), chosen[0], chosen[1]];
        let all = terms.or(chosen[0], chosen[1]);
        for candidate in simple {
            // What holds in the run holds in it however it is said.
            if equation.terms.as_const(candidate).is_some()
                || sequence.execution.meets(equation, candidate) != sequence.execution.meets(equation, term)
            {
                continue;
            }
            let same = equation.terms.iff(term, candidate);
            let same = self.literal(equation, same);
            if self.follows(from, same) {
                return Some(candidate);
            }
        }
        Some(all)
    }
}

/// A choice between values that has no other inside: the term, what chooses, and both values.
fn innermost_choice(equation: &Equation, term: Term) -> Option<(Term, Term, [Term; 2])> {
    equation.terms.post_order(&[term]).into_iter().find_map(|at| match equation.terms.node(at) {
        Node::Ite(condition, yes, no) => Some((at, condition, [yes, no])),
        _ => None,
    })
}
