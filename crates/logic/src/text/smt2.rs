//! Writing SMT-LIB 2: a whole script in QF_ABV, for a second opinion from any SMT solver.
//!
//! Booleans stay bit-vectors of width 1, so predicates are wrapped in `ite`. One `define-fun` per operator keeps the
//! script linear in the number of shared terms. Functions of the machine are declared, and nothing is said of them.

use super::unique_name;
use crate::term::{Node, Sort, Term, Terms};
use std::fmt::Write;

/// A script that asks whether all the assertions (Booleans) can hold together.
pub fn smt2(terms: &Terms, assertions: &[Term]) -> String {
    let order = terms.post_order(assertions);
    let functions = functions(terms, &order);
    let mut out = format!("(set-logic {})\n", if functions.is_empty() { "QF_ABV" } else { "QF_AUFBV" });
    out += &functions;
    for term in order {
        let sort = sort(terms.sort(term));
        match terms.node(term) {
            Node::Const { .. } => {}
            Node::Var { .. } | Node::ArrayVar { .. } => {
                let _ = writeln!(out, "(declare-fun {} () {sort})", atom(terms, term));
            }
            node => {
                let _ = writeln!(out, "(define-fun {} () {sort} {})", atom(terms, term), body(terms, node, &sort));
            }
        }
    }
    for &assertion in assertions {
        let _ = writeln!(out, "(assert (= {} #b1))", atom(terms, assertion));
    }
    out.push_str("(check-sat)\n");
    out
}

/// The declarations of the functions of the machine, each once.
fn functions(terms: &Terms, order: &[Term]) -> String {
    let mut names = std::collections::BTreeSet::new();
    for &term in order {
        if let Node::Machine(function, ..) = terms.node(term) {
            names.insert((function.name(), terms.width(term)));
        }
    }
    let declare = |(name, width): (&str, u32)| {
        let word = sort(Sort::BitVec(width));
        format!("(declare-fun |{name}.{width}| ({word} {word}) {word})\n")
    };
    names.into_iter().map(declare).collect()
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

fn atom(terms: &Terms, term: Term) -> String {
    match terms.node(term) {
        Node::Const { width: 1, value } => format!("#b{value}"),
        Node::Const { width, value } => format!("(_ bv{value} {width})"),
        Node::Var { id, .. } | Node::ArrayVar { id, .. } => {
            let name = unique_name(terms, term);
            // SMT-LIB has no escapes inside |...|, so such names are told apart by their number.
            if name.contains(['|', '\\']) {
                format!("|{}!{id}|", terms.name(term).replace(['|', '\\'], "_"))
            } else {
                format!("|{name}|")
            }
        }
        _ => format!("%{}", term.index()),
    }
}

fn body(terms: &Terms, node: Node, sort: &str) -> String {
    let at = |term: Term| atom(terms, term);
    let unary = |name: &str, a: Term| format!("({name} {})", at(a));
    let binary = |name: &str, a: Term, b: Term| format!("({name} {} {})", at(a), at(b));
    let predicate = |name: &str, a: Term, b: Term| format!("(ite ({name} {} {}) #b1 #b0)", at(a), at(b));
    match node {
        Node::Const { .. } | Node::Var { .. } | Node::ArrayVar { .. } => String::new(),
        Node::ConstArray { element, .. } => format!("((as const {sort}) {})", at(element)),
        Node::Not(a) => unary("bvnot", a),
        Node::And(a, b) => binary("bvand", a, b),
        Node::Xor(a, b) => binary("bvxor", a, b),
        Node::Neg(a) => unary("bvneg", a),
        Node::Add(a, b) => binary("bvadd", a, b),
        Node::Mul(a, b) => binary("bvmul", a, b),
        Node::Udiv(a, b) => binary("bvudiv", a, b),
        Node::Urem(a, b) => binary("bvurem", a, b),
        Node::Sdiv(a, b) => binary("bvsdiv", a, b),
        Node::Srem(a, b) => binary("bvsrem", a, b),
        Node::Shl(a, b) => binary("bvshl", a, b),
        Node::Lshr(a, b) => binary("bvlshr", a, b),
        Node::Ashr(a, b) => binary("bvashr", a, b),
        Node::Eq(a, b) => predicate("=", a, b),
        Node::Ult(a, b) => predicate("bvult", a, b),
        Node::Slt(a, b) => predicate("bvslt", a, b),
        Node::Ite(c, a, b) => format!("(ite (= {} #b1) {} {})", at(c), at(a), at(b)),
        Node::Extract { term, hi, lo } => format!("((_ extract {hi} {lo}) {})", at(term)),
        Node::Concat(a, b) => binary("concat", a, b),
        Node::Zext { term, width } => format!("((_ zero_extend {}) {})", width - terms.width(term), at(term)),
        Node::Sext { term, width } => format!("((_ sign_extend {}) {})", width - terms.width(term), at(term)),
        Node::Select(a, i) => binary("select", a, i),
        Node::Machine(function, a, b) => binary(&format!("|{}.{}|", function.name(), terms.width(a)), a, b),
        Node::Store(a, i, v) => format!("(store {} {} {})", at(a), at(i), at(v)),
    }
}
