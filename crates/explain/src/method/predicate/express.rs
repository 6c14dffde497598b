//! Terms over named scalars as expressions of the program and as C.

use nearmiss_logic::term::{Node, Term, Terms};

use super::vocabulary::{Named, Symbols, add_expr};
use crate::method::wording::Wording;
use nearmiss_program::program::watched::{self, Watched};
use nearmiss_program::program::{
    BinaryOp, Conversion, Expr, ExprId, ExprKind, PlaceId, Program, Type, TypeId, UnaryOp,
};

/// A predicate with more operators is not for people.
const MOST_OPERATORS: usize = 12;

/// What a condition says where it holds and where it does not; none if it is too long for people, or nothing that a
/// person would write.
pub fn texts(
    program: &Program,
    terms: &Terms,
    named: &[Named],
    symbols: &Symbols,
    condition: Term,
) -> Option<(String, String)> {
    let order = terms.post_order(&[condition]);
    let operators = order.iter().filter(|term| !terms.node(**term).operands().is_empty()).count();
    let compares_addresses = order.iter().any(|term| match terms.node(*term) {
        Node::Eq(a, b) | Node::Ult(a, b) | Node::Slt(a, b) => {
            // Also what is computed of a pointer: the numbers of objects are ours.
            let of_pointer = |term: Term| {
                let mut numbers = terms.post_order(&[term]).into_iter().filter_map(|term| symbols.number.get(&term));
                numbers.any(|number| matches!(program.ty(named[*number].ty), Type::Pointer { .. }))
            };
            let is_address = |term: Term| terms.as_const(term).is_some_and(|value| value != 0);
            of_pointer(a) && is_address(b) || of_pointer(b) && is_address(a)
        }
        _ => false,
    });
    if operators > MOST_OPERATORS || compares_addresses {
        return None;
    }
    let words = named.iter().zip(&symbols.all).map(|(named, symbol)| (*symbol, (named.text.as_str(), named.ty)));
    let wording = Wording::over(program, terms, words);
    Some((wording.condition(condition)?, wording.opposite(condition)?))
}

/// What holds where a condition in the user's words does not: the other comparison, where it is just one.
pub fn opposite_text(program: &Program, watched: &Watched) -> String {
    let text = watched.text.as_str();
    let negated = format!("!({text})");
    // Of numbers that may be none at all, neither `<` nor `>=` need hold.
    let is_float = |place: PlaceId| matches!(program.ty(program.place(place).ty), Type::Float { .. });
    let is_fraction = |two: &[u8]| two.contains(&b'.') && two.iter().any(u8::is_ascii_digit);
    let may_be_float = text.as_bytes().windows(2).any(is_fraction)
        || ["float", "double"].iter().any(|ty| text.contains(ty))
        || watched::places(program, watched.condition).into_iter().any(is_float);
    let signs = [("==", "!="), ("!=", "=="), ("<=", ">"), (">=", "<"), ("<", ">="), (">", "<=")];
    let Some(at) = text.find(['=', '<', '>', '!']) else { return negated };
    let Some((sign, other)) = signs.iter().find(|(sign, _)| text[at..].starts_with(sign)) else { return negated };
    let (left, right) = (&text[..at], &text[at + sign.len()..]);
    let is_plain = |side: &str| {
        !side.trim().is_empty() && !side.contains(['=', '<', '>', '!', '&', '|', '^', '?', ',', '(', '\'', '"'])
    };
    match is_plain(left) && is_plain(right) && (!may_be_float || matches!(*sign, "==" | "!=")) {
        true => format!("{left}{other}{right}"),
        false => negated,
    }
}

/// The expression that computes a term, added to the program; none if there is an operator that programs do not have.
pub fn expression(
    program: &mut Program,
    terms: &Terms,
    named: &[Named],
    symbols: &Symbols,
    condition: Term,
) -> Option<ExprId> {
    let any = program.types.iter().position(|ty| matches!(ty, Type::Integer { .. })).unwrap_or(0);
    let ty = TypeId(any as u32);
    let mut made: std::collections::HashMap<Term, ExprId> = std::collections::HashMap::new();
    for term in terms.post_order(&[condition]) {
        let bits = terms.width(term);
        let of = |term: Term| made[&term];
        let binary = |op: BinaryOp, a: Term, b: Term| ExprKind::Binary(op, of(a), of(b));
        let kind = match terms.node(term) {
            _ if terms.as_const(term).is_some() => ExprKind::Const(terms.as_const(term)?),
            Node::Var { .. } => {
                made.insert(term, named[*symbols.number.get(&term)?].load);
                continue;
            }
            Node::Not(a) => ExprKind::Unary(UnaryOp::Not, of(a)),
            Node::Neg(a) => ExprKind::Unary(UnaryOp::Neg, of(a)),
            Node::And(a, b) => binary(BinaryOp::And, a, b),
            Node::Xor(a, b) => binary(BinaryOp::Xor, a, b),
            Node::Add(a, b) => binary(BinaryOp::Add, a, b),
            Node::Mul(a, b) => binary(BinaryOp::Mul, a, b),
            Node::Udiv(a, b) => binary(BinaryOp::UDiv, a, b),
            Node::Urem(a, b) => binary(BinaryOp::URem, a, b),
            Node::Sdiv(a, b) => binary(BinaryOp::SDiv, a, b),
            Node::Srem(a, b) => binary(BinaryOp::SRem, a, b),
            Node::Shl(a, b) => binary(BinaryOp::Shl, a, b),
            Node::Lshr(a, b) => binary(BinaryOp::LShr, a, b),
            Node::Ashr(a, b) => binary(BinaryOp::AShr, a, b),
            Node::Eq(a, b) => binary(BinaryOp::Eq, a, b),
            Node::Ult(a, b) => binary(BinaryOp::ULt, a, b),
            Node::Slt(a, b) => binary(BinaryOp::SLt, a, b),
            Node::Machine(function, a, _) if function.arity() == 1 => {
                ExprKind::Unary(UnaryOp::Machine(function), of(a))
            }
            Node::Machine(function, a, b) => binary(BinaryOp::Machine(function), a, b),
            Node::Ite(condition, yes, no) => ExprKind::Ite(of(condition), of(yes), of(no)),
            Node::Zext { term: a, .. } => ExprKind::Convert(Conversion::ZeroExtend, of(a)),
            Node::Sext { term: a, .. } => ExprKind::Convert(Conversion::SignExtend, of(a)),
            Node::Extract { term: a, lo, .. } => {
                let width = terms.width(a);
                let by = add_expr(program, Expr { kind: ExprKind::Const(u128::from(lo)), bits: width, ty });
                let shifted = Expr { kind: ExprKind::Binary(BinaryOp::LShr, of(a), by), bits: width, ty };
                let low = if lo == 0 { of(a) } else { add_expr(program, shifted) };
                ExprKind::Convert(Conversion::Truncate, low)
            }
            _ => return None,
        };
        made.insert(term, add_expr(program, Expr { kind, bits, ty }));
    }
    made.get(&condition).copied()
}
