//! Conditions as C writes them, for terms that are simple enough: comparisons of what arithmetic makes of variables and
//! constants.

use std::collections::HashMap;

use nearmiss_logic::term::{Node, Term};

use crate::equation::{Equation, Variable};
use crate::program::Program;

/// Deeper terms are not for people.
const DEEPEST: u32 = 6;

/// Puts terms of one equation into words.
pub struct Wording<'a> {
    program: &'a Program,
    equation: &'a Equation,
    variables: HashMap<Term, &'a Variable>,
    /// What variables are called, where that is not their name, and which come first.
    names: HashMap<Term, (u32, String)>,
    deepest: u32,
}

impl<'a> Wording<'a> {
    /// For an equation.
    pub fn of(program: &'a Program, equation: &'a Equation) -> Wording<'a> {
        let variables = equation.variables.iter().map(|variable| (variable.symbol, variable)).collect();
        Wording { program, equation, variables, names: HashMap::new(), deepest: DEEPEST }
    }

    /// The same, with places in an order and names for some variables, and deeper terms.
    pub fn with_names(self, names: HashMap<Term, (u32, String)>) -> Wording<'a> {
        Wording { names, deepest: 2 * DEEPEST, ..self }
    }

    /// The name of a variable of the program's.
    fn name(&self, symbol: Term) -> Option<&str> {
        if let Some((_, name)) = self.names.get(&symbol) {
            return Some(name);
        }
        self.variables.get(&symbol).map(|variable| &*variable.name).filter(|name| !name.starts_with('\\'))
    }

    /// Are numbers that are compared with this one signed?
    fn is_signed(&self, term: Term) -> bool {
        let inputs = self.equation.terms.post_order(&[term]);
        inputs.iter().filter_map(|term| self.variables.get(term)).all(|variable| self.program.is_signed(variable.ty))
    }

    /// A condition: `own < other`, `!(a == b)` becomes `a != b`.
    pub fn condition(&self, term: Term) -> Option<String> {
        self.truth(term, true, self.deepest)
    }

    fn truth(&self, term: Term, positive: bool, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let terms = &self.equation.terms;
        let compare = |a: Term, b: Term, yes: &str, no: &str, signed: bool| {
            let (x, y) = (a, b);
            let (a, b) = (self.value(a, signed, depth)?, self.value(b, signed, depth)?);
            // Constants stand on the right, and of variables those that come later.
            let place = |term: Term| self.names.get(&term).map(|(place, _)| *place);
            let later = matches!((place(x), place(y)), (Some(x), Some(y)) if x > y);
            let swapped = a.parse::<i128>().is_ok() || later;
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
            Node::Eq(a, b) => compare(a, b, "==", "!=", self.is_signed(a) && self.is_signed(b)),
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
                let name = self.name(term)?;
                Some(if positive { name.to_owned() } else { format!("!{name}") })
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
            Node::Var { .. } => self.name(term).map(str::to_owned),
            Node::Zext { term, .. } | Node::Sext { term, .. } => self.value(term, signed, depth),
            Node::Add(a, b) => {
                // Constants last, what is taken away after what it is taken from.
                let (a, b) =
                    if terms.as_const(a).is_some() || matches!(terms.node(a), Node::Neg(_)) { (b, a) } else { (a, b) };
                let left = self.value(a, signed, depth)?;
                if let Node::Neg(b) = terms.node(b) {
                    return Some(format!("{left} - {}", self.operand(b, signed, depth)?));
                }
                let right = self.value(b, signed || terms.as_const(b).is_some(), depth)?;
                Some(match right.strip_prefix('-') {
                    Some(right) => format!("{left} - {right}"),
                    None => format!("{left} + {right}"),
                })
            }
            Node::Neg(a) => Some(format!("-{}", self.operand(a, signed, depth)?)),
            Node::Mul(a, b) => self.between(a, "*", b, signed, depth),
            Node::Udiv(a, b) => self.between(a, "/", b, false, depth),
            Node::Sdiv(a, b) => self.between(a, "/", b, true, depth),
            Node::Urem(a, b) => self.between(a, "%", b, false, depth),
            Node::Srem(a, b) => self.between(a, "%", b, true, depth),
            Node::And(a, b) => self.between(a, "&", b, false, depth),
            Node::Xor(a, b) => self.between(a, "^", b, false, depth),
            Node::Shl(a, b) => self.between(a, "<<", b, signed, depth),
            Node::Lshr(a, b) => self.between(a, ">>", b, false, depth),
            Node::Ashr(a, b) => self.between(a, ">>", b, true, depth),
            Node::Not(a) => Some(format!("~{}", self.operand(a, signed, depth)?)),
            Node::Ite(condition, yes, no) => {
                let condition = self.truth(condition, true, depth)?;
                let (yes, no) = (self.operand(yes, signed, depth)?, self.operand(no, signed, depth)?);
                Some(format!("({condition} ? {yes} : {no})"))
            }
            _ => None,
        }
    }

    fn between(&self, a: Term, operator: &str, b: Term, signed: bool, depth: u32) -> Option<String> {
        let commutes = matches!(operator, "*" | "&" | "^");
        let (a, b) = if commutes && self.equation.terms.as_const(a).is_some() { (b, a) } else { (a, b) };
        Some(format!("{} {operator} {}", self.operand(a, signed, depth)?, self.operand(b, signed, depth)?))
    }

    /// A value that stands beside an operator.
    fn operand(&self, term: Term, signed: bool, depth: u32) -> Option<String> {
        let value = self.value(term, signed, depth)?;
        let is_whole = !value.contains(' ') || value.starts_with('(');
        Some(if is_whole { value } else { format!("({value})") })
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use super::*;
    use crate::c::{self, Loader, Options};
    use crate::equation::StepKind;
    use crate::source::Sources;
    use crate::symex::{self, Bounds, Watch};

    struct Text(&'static str);

    impl Loader for Text {
        fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
            if self.exists(path) { Ok(self.0.into()) } else { Err(io::ErrorKind::NotFound.into()) }
        }

        fn exists(&self, path: &Path) -> bool {
            path == Path::new("t.c")
        }
    }

    #[test]
    fn conditions_read_as_they_were_written() {
        let text = "void __CPROVER_assume(int);
            struct { unsigned a : 2; } u;
            int main(int x, int y, unsigned char b) {
                int z; struct { unsigned a : 2; } v;
                __CPROVER_assume(x == 5); __CPROVER_assume(y > -1); __CPROVER_assume(!(y < x));
                __CPROVER_assume(v.a == 3); __CPROVER_assume(b != 200); __CPROVER_assume(z + 2 <= y);
            }";
        let mut sources = Sources::new();
        let program = c::read(&["t.c".to_owned()], &Options::default(), &Text(text), &mut sources).expect("it is C");
        let watch = Watch { stop: Default::default(), deadline: None };
        let equation = symex::unwind(&program, &Bounds::default(), &watch).expect("there is time");
        let wording = Wording::of(&program, &equation);
        let assumed = equation.steps.iter().filter_map(|step| match step.kind {
            StepKind::Assume { condition } => Some(wording.condition(condition).unwrap_or_default()),
            _ => None,
        });
        let expected = ["x == 5", "y >= 0", "y >= x", "v.a == 3", "b != 200", "y >= z + 2"];
        assert_eq!(assumed.collect::<Vec<_>>(), expected);
    }
}
