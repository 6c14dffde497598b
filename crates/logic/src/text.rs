//! Terms as text, both ways, so that a test is a pair of strings and a bug report is a text file.
//!
//! An expression is an s-expression named after the constructors: `(add x 3:32)`, `(ite (ult x y) x y)`. Constants are
//! `value:width` (decimal, `0x` hexadecimal, or negative decimal), or `true` and `false`. A variable is its name,
//! `|quoted|` if it is no plain identifier, and `name!id` if another variable had the name first; `x:32` introduces
//! `x` where it is not known, `m:32:8` an array. Numbers of an operator come first: `(extract 7 0 x)`, `(zext 64 x)`,
//! `(sext 64 x)`, `(const_array 32 0:8)`. Comments run from `;` to the end of the line.
//!
//! [`print()`] writes the tree, which is readable but exponential where terms are shared. [`print_dag`] stays linear:
//! `var` and `array` lines, one `%3 = (add %1 %2)` line per operator, and `root` lines. [`smt2()`] writes a script for
//! any SMT-LIB solver, linear too. Reading ([`parse`], [`parse_dag`]) and writing use explicit stacks: depth is
//! no danger, and any input gives a term or a located [`ParseError`].

mod parse;
mod smt2;

pub use parse::{ParseError, parse, parse_dag};
pub use smt2::smt2;

use crate::term::{Node, Operands, Sort, Term, Terms};
use std::collections::HashMap;
use std::fmt::Write;

/// A term as it is written: derived operators in place of their normal forms.
pub(crate) struct View {
    /// The operator.
    pub(crate) operator: &'static str,
    /// The numbers before the operands.
    pub(crate) numbers: Vec<u32>,
    /// The operands.
    pub(crate) operands: Operands,
}

fn plain(operator: &'static str, operands: &[Term]) -> View {
    View { operator, numbers: Vec::new(), operands: Operands::new(operands) }
}

/// How to write an operator; `None` for constants and variables.
fn view(terms: &Terms, term: Term) -> Option<View> {
    Some(match terms.node(term) {
        Node::Const { .. } | Node::Var { .. } | Node::ArrayVar { .. } => return None,
        Node::Not(inner) => match terms.node(inner) {
            Node::And(a, b) => match (terms.node(a), terms.node(b)) {
                (Node::Not(a), Node::Not(b)) => plain("or", &[a, b]),
                (Node::Not(a), _) => plain("implies", &[b, a]),
                (_, Node::Not(b)) => plain("implies", &[a, b]),
                _ => plain("not", &[inner]),
            },
            Node::Xor(a, b) => plain("iff", &[a, b]),
            Node::Eq(a, b) => plain("ne", &[a, b]),
            Node::Ult(a, b) => plain("ule", &[b, a]),
            Node::Slt(a, b) => plain("sle", &[b, a]),
            _ => plain("not", &[inner]),
        },
        Node::Add(a, b) => match (terms.node(a), terms.node(b)) {
            (_, Node::Neg(b)) => plain("sub", &[a, b]),
            (Node::Neg(a), _) => plain("sub", &[b, a]),
            _ => plain("add", &[a, b]),
        },
        Node::And(a, b) => plain("and", &[a, b]),
        Node::Xor(a, b) => plain("xor", &[a, b]),
        Node::Neg(a) => plain("neg", &[a]),
        Node::Mul(a, b) => plain("mul", &[a, b]),
        Node::Udiv(a, b) => plain("udiv", &[a, b]),
        Node::Urem(a, b) => plain("urem", &[a, b]),
        Node::Sdiv(a, b) => plain("sdiv", &[a, b]),
        Node::Srem(a, b) => plain("srem", &[a, b]),
        Node::Shl(a, b) => plain("shl", &[a, b]),
        Node::Lshr(a, b) => plain("lshr", &[a, b]),
        Node::Ashr(a, b) => plain("ashr", &[a, b]),
        Node::Eq(a, b) => plain("eq", &[a, b]),
        Node::Ult(a, b) => plain("ult", &[a, b]),
        Node::Slt(a, b) => plain("slt", &[a, b]),
        Node::Ite(a, b, c) => plain("ite", &[a, b, c]),
        Node::Concat(a, b) => plain("concat", &[a, b]),
        Node::Select(a, b) => plain("select", &[a, b]),
        Node::Store(a, b, c) => plain("store", &[a, b, c]),
        Node::Extract { term, hi, lo } => View { numbers: vec![hi, lo], ..plain("extract", &[term]) },
        Node::Zext { term, width } => View { numbers: vec![width], ..plain("zext", &[term]) },
        Node::Sext { term, width } => View { numbers: vec![width], ..plain("sext", &[term]) },
        Node::Machine(function, a, b) => plain(function.name(), &[a, b][..function.arity()]),
        Node::ConstArray { index, element } => View { numbers: vec![index], ..plain("const_array", &[element]) },
    })
}

/// A name for a variable that no other variable of the arena has.
fn unique_name(terms: &Terms, variable: Term) -> String {
    let name = terms.name(variable);
    let reserved = name.contains('!') || name.starts_with('%') || name.is_empty();
    if terms.first_named(name) == Some(variable) && !reserved {
        return name.to_owned();
    }
    let (Node::Var { id, .. } | Node::ArrayVar { id, .. }) = terms.node(variable) else { return String::new() };
    format!("{name}!{id}")
}

/// The variable of this [`unique_name`].
fn variable_named(terms: &Terms, name: &str) -> Option<Term> {
    let Some((label, id)) = name.rsplit_once('!') else { return terms.first_named(name) };
    let variable = terms.variable(id.parse().ok()?)?;
    (terms.name(variable) == label).then_some(variable)
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || "_.$@".contains(c))
        && chars.all(|c| c.is_ascii_alphanumeric() || "_.$@!#[]".contains(c))
        && name != "true"
        && name != "false"
}

/// The name as an atom of the text.
fn quoted(name: &str) -> String {
    if is_identifier(name) {
        return name.to_owned();
    }
    let mut out = String::from("|");
    for c in name.chars() {
        if c == '|' || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('|');
    out
}

fn leaf(terms: &Terms, term: Term) -> String {
    match terms.node(term) {
        Node::Const { width: 1, value } => (value == 1).to_string(),
        Node::Const { width, value } => format!("{value}:{width}"),
        _ => quoted(&unique_name(terms, term)),
    }
}

/// The term as a tree. Shared parts are written out each time; for anything large use [`print_dag`].
pub fn print(terms: &Terms, term: Term) -> String {
    enum Item {
        Term(Term),
        Close,
    }
    let mut out = String::new();
    let mut stack = vec![Item::Term(term)];
    while let Some(item) = stack.pop() {
        let term = match item {
            Item::Close => {
                out.push(')');
                continue;
            }
            Item::Term(term) => term,
        };
        if !out.is_empty() {
            out.push(' ');
        }
        let Some(view) = view(terms, term) else {
            out.push_str(&leaf(terms, term));
            continue;
        };
        open(&mut out, &view);
        stack.push(Item::Close);
        stack.extend(view.operands.iter().rev().map(|&operand| Item::Term(operand)));
    }
    out
}

fn open(out: &mut String, view: &View) {
    out.push('(');
    out.push_str(view.operator);
    for number in &view.numbers {
        let _ = write!(out, " {number}");
    }
}

/// The terms below some roots as they are written, operands first, each once.
fn written_order(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    let mut order = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut stack: Vec<(Term, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    while let Some((term, done)) = stack.pop() {
        if done {
            order.push(term);
        } else if seen.insert(term) {
            stack.push((term, true));
            if let Some(view) = view(terms, term) {
                stack.extend(view.operands.iter().rev().map(|&operand| (operand, false)));
            }
        }
    }
    order
}

/// The terms with everything below them, one line per operator; linear in the number of shared terms.
pub fn print_dag(terms: &Terms, roots: &[Term]) -> String {
    let order = written_order(terms, roots);
    let mut out = String::new();
    let mut variables: Vec<Term> = order.iter().copied().filter(|&term| terms.is_variable(term)).collect();
    variables.sort_unstable();
    for variable in variables {
        let name = leaf(terms, variable);
        let _ = match terms.sort(variable) {
            Sort::BitVec(width) => writeln!(out, "var {name} {width}"),
            Sort::Array { index, element } => writeln!(out, "array {name} {index} {element}"),
        };
    }
    let mut labels: HashMap<Term, usize> = HashMap::new();
    let atom = |labels: &HashMap<Term, usize>, term: Term| match labels.get(&term) {
        Some(label) => format!("%{label}"),
        None => leaf(terms, term),
    };
    for term in order {
        let Some(view) = view(terms, term) else { continue };
        let _ = write!(out, "%{} = ", labels.len());
        open(&mut out, &view);
        for &operand in view.operands.iter() {
            let _ = write!(out, " {}", atom(&labels, operand));
        }
        out.push_str(")\n");
        labels.insert(term, labels.len());
    }
    for &root in roots {
        let _ = writeln!(out, "root {}", atom(&labels, root));
    }
    out
}
