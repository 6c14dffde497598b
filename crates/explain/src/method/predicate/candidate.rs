//! Candidates for predicates: weakest preconditions along a path (Chaki, Groce, Strichman, "Explaining abstract
//! counterexamples", section 1; the idea is Dijkstra's).
//!
//! Terms of the equation are over single assignments, so a condition means the same at every moment of a path. What
//! changes is how it can be said: a part that no variable in scope holds at a moment is replaced by what it was computed
//! from on that path, until everything is held by a variable, or an input is reached that none holds any more. Going
//! back over an assignment, a parameter or a returned value substitutes it; going forward keeps what is still there.

use std::collections::HashMap;

use nearmiss_logic::term::{Node, Term, Terms};

use super::vocabulary::Holders;
use crate::equation::Equation;
use crate::method::definitions::Definitions;

/// Terms deeper than this are not looked into.
const DEEPEST: u32 = 200;
/// So many terms are looked at for one condition.
const MOST_VISITS: u32 = 2_000;
/// A condition falls into so many atoms at most.
const MOST_ATOMS: usize = 24;

/// Says conditions at one moment of a path.
pub struct Sayer<'a> {
    equation: &'a mut Equation,
    definitions: &'a Definitions,
    /// Which way each branch goes, by the symbol of its guard.
    path: &'a HashMap<Term, bool>,
    holders: &'a Holders,
    known: HashMap<Term, Option<Term>>,
    visits: u32,
}

impl<'a> Sayer<'a> {
    /// At a moment where `holders` hold what they hold.
    pub fn new(
        equation: &'a mut Equation,
        definitions: &'a Definitions,
        path: &'a HashMap<Term, bool>,
        holders: &'a Holders,
    ) -> Sayer<'a> {
        Sayer { equation, definitions, path, holders, known: HashMap::new(), visits: 0 }
    }

    /// The atoms of a condition as it can be said here; none if it cannot.
    pub fn atoms(&mut self, condition: Term) -> Vec<Term> {
        self.visits = 0;
        let Some(said) = self.say(condition, DEEPEST) else { return Vec::new() };
        atoms(&mut self.equation.terms, said)
    }

    fn say(&mut self, term: Term, depth: u32) -> Option<Term> {
        if let Some(known) = self.known.get(&term) {
            return *known;
        }
        self.visits += 1;
        if self.visits > MOST_VISITS {
            return None;
        }
        let said = self.say_anew(term, depth.checked_sub(1)?);
        self.known.insert(term, said);
        said
    }

    fn say_anew(&mut self, term: Term, depth: u32) -> Option<Term> {
        if let Some(name) = self.holders.name(term) {
            return Some(name);
        }
        if self.equation.terms.as_const(term).is_some() {
            return Some(term);
        }
        if let Some(taken) = self.path.get(&term) {
            return Some(self.equation.terms.bool(*taken));
        }
        match self.equation.terms.node(term) {
            Node::Var { .. } => {
                let definition = self.definitions.definition(self.equation, term)?;
                self.say(definition, depth)
            }
            Node::Ite(condition, yes, no) => {
                let condition = self.say(condition, depth)?;
                // What is not chosen on this path need not be said.
                match self.equation.terms.as_const(condition) {
                    Some(0) => self.say(no, depth),
                    Some(_) => self.say(yes, depth),
                    None => {
                        let (yes, no) = (self.say(yes, depth)?, self.say(no, depth)?);
                        Some(self.equation.terms.ite(condition, yes, no))
                    }
                }
            }
            node => {
                let mut by = HashMap::new();
                for operand in node.operands().iter() {
                    by.insert(*operand, self.say(*operand, depth)?);
                }
                Some(self.equation.terms.substitute(term, &by))
            }
        }
    }
}

/// The comparisons and truth values that a condition is made of, each without a negation in front.
pub fn atoms(terms: &mut Terms, condition: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut todo = vec![condition];
    let mut seen = std::collections::HashSet::new();
    while let Some(term) = todo.pop() {
        if terms.as_const(term).is_some() || !seen.insert(term) || seen.len() > 8 * MOST_ATOMS {
            continue;
        }
        match terms.node(term) {
            Node::Not(a) => todo.push(a),
            Node::And(a, b) | Node::Xor(a, b) => todo.extend([b, a]),
            Node::Eq(a, b) if terms.width(a) == 1 => todo.extend([b, a]),
            Node::Ite(condition, yes, no) => todo.extend([no, yes, condition]),
            // A comparison of what depends on a choice: the choice, and both comparisons.
            _ => match choice_in(terms, term) {
                Some((choice, condition, yes, no)) => {
                    let [yes, no] = [yes, no].map(|way| terms.substitute(term, &HashMap::from([(choice, way)])));
                    todo.extend([no, yes, condition]);
                }
                None => found.push(term),
            },
        }
    }
    found.truncate(MOST_ATOMS);
    found
}

fn choice_in(terms: &Terms, term: Term) -> Option<(Term, Term, Term, Term)> {
    terms.post_order(&[term]).into_iter().find_map(|part| match terms.node(part) {
        Node::Ite(condition, yes, no) => Some((part, condition, yes, no)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_positive_and_choices_are_taken_apart() {
        let mut terms = Terms::new();
        let (x, y, c) = (terms.fresh("x", 8), terms.fresh("y", 8), terms.fresh("c", 1));
        let (above, below) = (terms.sgt(x, y), terms.slt(x, y));
        let not_below = terms.not(below);
        let both = terms.and(above, not_below);
        assert_eq!(atoms(&mut terms, both).len(), 2);
        let chosen = terms.ite(c, x, y);
        let zero = terms.constant(8, 0);
        let negative = terms.slt(chosen, zero);
        let (x_negative, y_negative) = (terms.slt(x, zero), terms.slt(y, zero));
        let mut found = atoms(&mut terms, negative);
        found.sort_unstable();
        let mut expected = vec![c, x_negative, y_negative];
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
