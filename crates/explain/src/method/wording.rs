//! Conditions as C writes them, for terms that are simple enough: comparisons of what arithmetic makes of variables and
//! constants.

use std::collections::HashMap;

use nearmiss_logic::term::{Node, Term, Terms};

use crate::equation::Equation;
use crate::program::{Program, TypeId};
use crate::show;

/// Deeper terms are not for people.
const DEEPEST: u32 = 6;

/// Puts terms into words.
pub struct Wording<'a> {
    program: &'a Program,
    terms: &'a Terms,
    /// The name and the type of each symbol.
    variables: HashMap<Term, (&'a str, TypeId)>,
    /// What variables are called, where that is not their name, and which come first.
    names: HashMap<Term, (u32, String)>,
    deepest: u32,
}

impl<'a> Wording<'a> {
    /// For an equation.
    pub fn of(program: &'a Program, equation: &'a Equation) -> Wording<'a> {
        let variables = equation.variables.iter();
        let variables = variables.map(|variable| (variable.symbol, (&*variable.name, variable.ty))).collect();
        Wording { program, terms: &equation.terms, variables, names: HashMap::new(), deepest: DEEPEST }
    }

    /// For terms over other symbols, each with its name and its type.
    pub fn over(
        program: &'a Program,
        terms: &'a Terms,
        symbols: impl Iterator<Item = (Term, (&'a str, TypeId))>,
    ) -> Wording<'a> {
        Wording { program, terms, variables: symbols.collect(), names: HashMap::new(), deepest: 2 * DEEPEST }
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
        self.variables.get(&symbol).map(|(name, _)| *name).filter(|name| !name.starts_with('\\'))
    }

    /// Are numbers that are compared with this one signed?
    fn is_signed(&self, term: Term) -> bool {
        let inputs = self.terms.post_order(&[term]);
        inputs.iter().filter_map(|term| self.variables.get(term)).all(|(_, ty)| self.program.is_signed(*ty))
    }

    /// A condition: `own < other`, `!(a == b)` becomes `a != b`.
    pub fn condition(&self, term: Term) -> Option<String> {
        self.truth(term, true, self.deepest)
    }

    /// What holds where a condition does not: `own >= other`.
    pub fn opposite(&self, term: Term) -> Option<String> {
        self.truth(term, false, self.deepest)
    }

    fn truth(&self, term: Term, positive: bool, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let terms = self.terms;
        let compare = |a: Term, b: Term, yes: &str, no: &str, signed: bool| {
            let (x, y) = (a, b);
            let (a, b) = (self.compared(a, signed, depth)?, self.compared(b, signed, depth)?);
            let (a, b) = match yes {
                "<" => self.same_sign((x, a), (y, b), signed)?,
                _ => (a, b),
            };
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
                let value = self.read_as(inner, self.compared(inner, true, depth)?, true)?;
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
        let terms = self.terms;
        if let Some(value) = terms.as_const(term) {
            let shift = 128 - terms.width(term);
            return Some(if signed { ((value << shift) as i128 >> shift).to_string() } else { value.to_string() });
        }
        match terms.node(term) {
            Node::Var { .. } => self.name(term).map(str::to_owned),
            Node::Zext { term, .. } => self.read_as(term, self.value(term, signed, depth)?, false),
            Node::Sext { term, .. } => self.read_as(term, self.value(term, signed, depth)?, true),
            Node::Add(a, b) => {
                // Constants last, what is taken away after what it is taken from.
                let (a, b) =
                    if terms.as_const(a).is_some() || matches!(terms.node(a), Node::Neg(_)) { (b, a) } else { (a, b) };
                let left = self.compared(a, signed, depth)?;
                if let Node::Neg(b) = terms.node(b) {
                    return Some(format!("{left} - {}", self.operand(b, signed, depth)?));
                }
                let right = self.compared(b, signed || terms.as_const(b).is_some(), depth)?;
                Some(match right.strip_prefix('-') {
                    Some(right) => format!("{left} - {right}"),
                    None => format!("{left} + {right}"),
                })
            }
            Node::Neg(a) => Some(format!("-{}", self.operand(a, signed, depth)?)),
            Node::Mul(a, b) => self.between(a, "*", b, signed, depth),
            Node::Udiv(a, b) => self.divided(a, "/", b, false, depth),
            Node::Sdiv(a, b) => self.divided(a, "/", b, true, depth),
            Node::Urem(a, b) => self.divided(a, "%", b, false, depth),
            Node::Srem(a, b) => self.divided(a, "%", b, true, depth),
            Node::And(a, b) => self.between(a, "&", b, false, depth),
            Node::Xor(a, b) => self.between(a, "^", b, false, depth),
            Node::Shl(a, b) => self.between(a, "<<", b, signed, depth),
            Node::Lshr(a, b) => self.shifted_right(a, b, false, depth),
            Node::Ashr(a, b) => self.shifted_right(a, b, true, depth),
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
        let (a, b) = if commutes && self.terms.as_const(a).is_some() { (b, a) } else { (a, b) };
        Some(format!("{} {operator} {}", self.operand(a, signed, depth)?, self.operand(b, signed, depth)?))
    }

    /// A value that stands beside an operator.
    fn operand(&self, term: Term, signed: bool, depth: u32) -> Option<String> {
        Some(whole(self.value(term, signed, depth)?))
    }

    /// A value that is compared or added: C binds bits less tightly than a reader thinks.
    fn compared(&self, term: Term, signed: bool, depth: u32) -> Option<String> {
        let value = self.value(term, signed, depth)?;
        let is_of_bits = [" & ", " ^ ", " << ", " >> "].iter().any(|operator| stands_open(&value, operator));
        Some(if is_of_bits { whole(value) } else { value })
    }

    fn divided(&self, a: Term, operator: &str, b: Term, signed: bool, depth: u32) -> Option<String> {
        let (x, y) = (self.operand(a, signed, depth)?, self.operand(b, signed, depth)?);
        let (x, y) = self.same_sign((a, x), (b, y), signed)?;
        Some(format!("{x} {operator} {y}"))
    }

    fn shifted_right(&self, a: Term, b: Term, signed: bool, depth: u32) -> Option<String> {
        let value = self.read_as(a, self.operand(a, signed, depth)?, signed)?;
        Some(format!("{value} >> {}", self.operand(b, false, depth)?))
    }

    /// Both sides of an operator that tells signed numbers from unsigned ones, with casts where C would take the other.
    fn same_sign(&self, (x, a): (Term, String), (y, b): (Term, String), signed: bool) -> Option<(String, String)> {
        // One unsigned side makes the other unsigned.
        let is_converted = |term: Term| self.terms.width(term) >= 32 && self.reads(term) == Some(false);
        if !signed && (is_converted(x) || is_converted(y)) {
            return Some((a, b));
        }
        Some((self.read_as(x, a, signed)?, self.read_as(y, b, signed)?))
    }

    /// The text of a value, with a cast if C would not read its top bit so.
    fn read_as(&self, term: Term, text: String, signed: bool) -> Option<String> {
        if self.reads(term).is_none_or(|reads| reads == signed) {
            return Some(text);
        }
        let ty = show::integer_type(self.terms.width(term), signed)?;
        Some(format!("({ty}){}", whole(text)))
    }

    /// Does C take a value, as it is written here, for signed? None if that makes no difference.
    fn reads(&self, term: Term) -> Option<bool> {
        let terms = self.terms;
        let either = |a: Term, b: Term| match (self.reads(a), self.reads(b)) {
            (Some(a), Some(b)) => Some(a && b),
            (a, b) => a.or(b),
        };
        match terms.node(term) {
            Node::Var { .. } => self.variables.get(&term).map(|(_, ty)| self.program.is_signed(*ty)),
            Node::Sext { .. } | Node::Sdiv(..) | Node::Srem(..) | Node::Ashr(..) => Some(true),
            Node::Udiv(..) | Node::Urem(..) | Node::Lshr(..) => Some(false),
            Node::Add(a, b) | Node::Mul(a, b) | Node::And(a, b) | Node::Xor(a, b) | Node::Ite(_, a, b) => either(a, b),
            Node::Neg(a) | Node::Not(a) | Node::Shl(a, _) => self.reads(a),
            _ => None,
        }
    }
}

/// A text that can stand beside any operator.
fn whole(text: String) -> String {
    if stands_open(&text, " ") { format!("({text})") } else { text }
}

/// Does something stand in a text outside of parentheses and brackets?
fn stands_open(text: &str, what: &str) -> bool {
    let mut depth = 0;
    text.char_indices().any(|(at, letter)| {
        depth += i32::from(matches!(letter, '(' | '[')) - i32::from(matches!(letter, ')' | ']'));
        depth == 0 && text[at..].starts_with(what)
    })
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
        let expected = ["x == 5", "y >= 0", "y >= x", "v.a == 3", "b != 200", "y >= z + 2"];
        assert_eq!(assumed(text), expected);
    }
    #[test]
    fn operators_on_bits_stand_in_parentheses() {
        let text = "void __CPROVER_assume(int);
            int main(int x, int y, unsigned u) {
                __CPROVER_assume((x & 5) <= 0); __CPROVER_assume((x ^ 3) < y); __CPROVER_assume((x & 6) + y == 4);
                __CPROVER_assume(((u & 12) ^ 3) < 9);
            }";
        let expected = ["(x & 5) <= 0", "(x ^ 3) < y", "y + (x & 6) == 4", "((u & 12) ^ 3) < 9"];
        assert_eq!(assumed(text), expected);
    }

    #[test]
    fn numbers_are_cast_where_c_would_take_their_sign_otherwise() {
        let text = "void __CPROVER_assume(int);
            int main(int x, unsigned u, unsigned char b) {
                __CPROVER_assume((int)u < 7); __CPROVER_assume((unsigned)x < 7); __CPROVER_assume(b < 7);
                __CPROVER_assume(x < u); __CPROVER_assume((signed char)b < 7); __CPROVER_assume(u / 3 < 7);
            }";
        let expected = ["(int)u < 7", "(unsigned)x < 7", "b < 7", "x < u", "(signed char)b < 7", "u / 3 < 7"];
        assert_eq!(assumed(text), expected);
    }

    fn assumed(text: &'static str) -> Vec<String> {
        let mut sources = Sources::new();
        let program = c::read(&["t.c".to_owned()], &Options::default(), &Text(text), &mut sources).expect("it is C");
        let watch = Watch { stop: Default::default(), deadline: None };
        let equation = symex::unwind(&program, &Bounds::default(), &watch).expect("there is time");
        let wording = Wording::of(&program, &equation);
        let conditions = equation.steps.iter().filter_map(|step| match step.kind {
            StepKind::Assume { condition } => Some(wording.condition(condition).unwrap_or_default()),
            _ => None,
        });
        conditions.collect()
    }
}
