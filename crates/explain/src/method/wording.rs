//! Conditions as C writes them, for terms that are simple enough: comparisons of variables, sums and constants.

use std::collections::HashMap;

use nearmiss_logic::term::{Node, Term};

use crate::equation::Equation;

/// Deeper terms are not for people.
const DEEPEST: u32 = 6;

/// Puts terms of one equation into words.
pub struct Wording<'a> {
    equation: &'a Equation,
    names: HashMap<Term, &'a str>,
}

impl<'a> Wording<'a> {
    /// For an equation.
    pub fn of(equation: &'a Equation) -> Wording<'a> {
        let names = equation.variables.iter().map(|variable| (variable.symbol, &*variable.name)).collect();
        Wording { equation, names }
    }

    /// A condition: `own < other`, `!(a == b)` becomes `a != b`.
    pub fn condition(&self, term: Term) -> Option<String> {
        self.truth(term, true, DEEPEST)
    }

    fn truth(&self, term: Term, positive: bool, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let terms = &self.equation.terms;
        let compare = |a: Term, b: Term, yes: &str, no: &str, signed: bool| {
            let (a, b) = (self.value(a, signed, depth)?, self.value(b, signed, depth)?);
            // Constants stand on the right.
            let swapped = a.parse::<i128>().is_ok();
            let operator = if positive { yes } else { no };
            let mirrored = match operator {
                "<" => ">",
                "<=" => ">=",
                ">" => "<",
                ">=" => "<=",
                same => same,
            };
            Some(if swapped { format!("{b} {mirrored} {a}") } else { format!("{a} {operator} {b}") })
        };
        match terms.node(term) {
            Node::Not(inner) => self.truth(inner, !positive, depth),
            Node::Eq(a, b) => compare(a, b, "==", "!=", true),
            Node::Slt(a, b) => compare(a, b, "<", ">=", true),
            Node::Ult(a, b) => compare(a, b, "<", ">=", false),
            Node::And(a, b) => {
                let (a, b) = (self.truth(a, positive, depth)?, self.truth(b, positive, depth)?);
                Some(format!("({a} {} {b})", if positive { "&&" } else { "||" }))
            }
            Node::Extract { term: inner, hi, lo } if hi == lo && hi + 1 == terms.width(inner) => {
                let value = self.value(inner, true, depth)?;
                Some(format!("{value} {} 0", if positive { "<" } else { ">=" }))
            }
            Node::Var { .. } => {
                let name = self.names.get(&term).filter(|name| !name.starts_with('\\'))?;
                Some(if positive { (*name).to_owned() } else { format!("!{name}") })
            }
            _ => None,
        }
    }

    fn value(&self, term: Term, signed: bool, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let terms = &self.equation.terms;
        if let Some(value) = terms.as_const(term) {
            let shift = 128 - terms.width(term);
            return Some(if signed { ((value << shift) as i128 >> shift).to_string() } else { value.to_string() });
        }
        match terms.node(term) {
            Node::Var { .. } => self.names.get(&term).filter(|name| !name.starts_with('\\')).map(|n| (*n).to_owned()),
            Node::Zext { term, .. } | Node::Sext { term, .. } => self.value(term, signed, depth),
            Node::Add(a, b) => {
                let (a, b) = (self.value(a, signed, depth)?, self.value(b, signed, depth)?);
                Some(if a.parse::<i128>().is_ok() { format!("{b} + {a}") } else { format!("{a} + {b}") })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use nearmiss_logic::term::Terms;

    use super::*;
    use crate::equation::Variable;
    use crate::program::TypeId;

    #[test]
    fn comparisons_are_written_with_the_constant_on_the_right() {
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh("x#0", 8), terms.fresh("y#3", 8));
        let five = terms.constant(8, 5);
        let minus = terms.constant(8, 255);
        let equal = terms.eq(five, x);
        let different = terms.not(equal);
        let less = terms.slt(minus, y);
        let bound = terms.slt(y, x);
        let not_less = terms.not(bound);
        let variable =
            |name: &str, symbol| Variable { name: name.into(), version: 0, ty: TypeId(0), symbol, definition: None };
        let equation = Equation {
            terms,
            variables: vec![variable("x", x), variable("y", y)],
            steps: Vec::new(),
            creations: Vec::new(),
            bounds_hit: Vec::new(),
            unsupported: Vec::new(),
            unwind: 1,
        };
        let wording = Wording::of(&equation);
        assert_eq!(wording.condition(equal).as_deref(), Some("x == 5"));
        assert_eq!(wording.condition(different).as_deref(), Some("x != 5"));
        assert_eq!(wording.condition(less).as_deref(), Some("y >= 0"));
        assert_eq!(wording.condition(not_less).as_deref(), Some("y >= x"));
    }
}
