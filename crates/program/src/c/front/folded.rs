//! Constants where `int` has 16 bits.
//!
//! The front-end crates compute enumerators, bounds, `case` labels and static assertions in their `int` of 32 bits and keep
//! the number alone. Here they are computed once more by the rules of the machine; where that gives another number, it is an
//! error at its place. What objects with static storage start with is taken from here.

use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, Eval, ExprId, ExprKind};
use rucc_types::{IntKind, TypeId, TypeKind, integer_info};

use super::link::Walk;
use super::unit::Unit;
use crate::c::promote::Shape;
use crate::source::Diagnostic;

impl Walk<'_> {
    /// The number that an expression is on a machine with a small `int`, none on others and where it is no constant.
    pub(super) fn small_constant(&self, id: ExprId) -> Option<i128> {
        self.unit.model.has_small_int().then(|| value(self.unit, id))?.map(|(_, value)| value)
    }

    /// Errors for constants that the front-end crates computed and that are other numbers here.
    pub(super) fn compare_constants(&mut self) {
        let unit = self.unit;
        if !unit.model.has_small_int() {
            return;
        }
        let count = unit.tast.counts().exprs;
        let mut inner = vec![false; count];
        let ids = || (0..count).map(ExprId::from_usize);
        for id in ids() {
            for operand in operands(&unit.tast[id].kind) {
                // What is in the tree is computed there.
                inner[if self.seen.contains(&operand) { id } else { operand }.index()] = true;
            }
        }
        for id in ids().filter(|id| !self.seen.contains(id) && is_narrowed(unit, *id)) {
            let span = unit.tast.expr_span(id);
            let what = "not supported: sizeof a bit-field or an enumerator of more than 16 bits on this machine";
            self.linker.errors.push(Diagnostic::error(unit.span(span), what));
        }
        for id in ids().filter(|id| !inner[id.index()] && !self.seen.contains(id)) {
            let span = unit.tast.expr_span(id);
            // What `sizeof` measures has no width in the text (`small`), and is not evaluated.
            let computed = !operands(&unit.tast[id].kind).is_empty() && !unit.is_system(span) && span.lo != span.hi;
            let Some((_, ours)) = computed.then(|| value(unit, id)).flatten() else { continue };
            let theirs = Eval::new(&unit.tast, &unit.types, &unit.target, &unit.names).integer(id);
            if theirs.is_ok_and(|theirs| theirs != ours) {
                let what =
                    "not supported: a constant whose computation does not fit the 16 bits of int on this machine";
                self.linker.errors.push(Diagnostic::error(unit.span(span), what));
            }
        }
    }
}

/// Whether a bit-field that is wider than `int` is promoted to it, or an enumerator beyond it is one, where `sizeof` asks.
fn is_narrowed(unit: &Unit, id: ExprId) -> bool {
    let span = unit.tast.expr_span(id);
    if unit.is_system(span) || span.lo != span.hi {
        return false;
    }
    if let ExprKind::Const(_) = unit.tast[id].kind {
        let is_wide = shape(unit, unit.tast[id].ty).is_some_and(Shape::is_wide_int);
        return is_wide && value(unit, id).is_some_and(|(shape, _)| shape.bits > 16);
    }
    let ExprKind::Convert { kind: Conversion::Arithmetic, mut operand } = unit.tast[id].kind else { return false };
    if !shape(unit, unit.tast[id].ty).is_some_and(Shape::is_wide_int) {
        return false;
    }
    loop {
        operand = match unit.tast[operand].kind {
            ExprKind::Convert { operand, .. } => operand,
            ExprKind::Comma { rhs, .. } => rhs,
            ExprKind::Assign { lhs, .. } => lhs,
            ExprKind::Unary { operand, .. } => operand,
            ExprKind::Member { base, field } => {
                let TypeKind::Record(record) = unit.types.kind(unit.types.canonical(unit.tast[base].ty)) else {
                    return false;
                };
                let field = unit.types.record_info(record).fields.get(field as usize);
                return field.and_then(|field| field.bits).is_some_and(|bits| bits > 16);
            }
            _ => return false,
        };
    }
}

/// The operands of what is computed.
fn operands(kind: &ExprKind) -> Vec<ExprId> {
    match *kind {
        ExprKind::Unary { operand, .. } | ExprKind::Cast(operand) | ExprKind::Convert { operand, .. } => vec![operand],
        ExprKind::Binary { lhs, rhs, .. } | ExprKind::Comma { lhs, rhs } => vec![lhs, rhs],
        ExprKind::Cond { cond, then, otherwise } => vec![cond, then, otherwise],
        _ => Vec::new(),
    }
}

/// A constant with its type.
fn value(unit: &Unit, id: ExprId) -> Option<(Shape, i128)> {
    let node = unit.tast[id];
    match node.kind {
        ExprKind::Const(constant) => match unit.tast[constant] {
            Const::Int(value) => Some((shape(unit, node.ty)?.or_of_constant(value), value)),
            _ => None,
        },
        ExprKind::Cast(operand) => {
            let (_, value) = self::value(unit, operand)?;
            converted(unit, node.ty, value)
        }
        ExprKind::Convert { kind: Conversion::Bool, operand } => {
            Some((Shape::BOOL, i128::from(value(unit, operand)?.1 != 0)))
        }
        ExprKind::Convert { kind: Conversion::Arithmetic, operand } => {
            let (of, value) = value(unit, operand)?;
            if shape(unit, node.ty)?.is_wide_int() {
                return Some((of.promoted(), value));
            }
            converted(unit, node.ty, value)
        }
        ExprKind::Unary { op, operand } => unary(op, value(unit, bare(unit, operand))?),
        ExprKind::Binary { op, lhs, rhs } => {
            let (left, right) = (bare(unit, lhs), bare(unit, rhs));
            binary(op, value(unit, left)?, || value(unit, right))
        }
        ExprKind::Cond { cond, then, otherwise } => {
            let (left, right) = (value(unit, bare(unit, then))?, value(unit, bare(unit, otherwise))?);
            let common = left.0.promoted().common(right.0.promoted());
            let chosen = if value(unit, cond)?.1 != 0 { left } else { right };
            Some((common, common.wrap(chosen.1)))
        }
        _ => None,
    }
}

/// An operand of arithmetic without what was done to it for that.
fn bare(unit: &Unit, mut id: ExprId) -> ExprId {
    while let ExprKind::Convert { kind: Conversion::Arithmetic, operand } = unit.tast[id].kind
        && shape(unit, unit.tast[operand].ty).is_some()
    {
        id = operand;
    }
    id
}

/// A type of the unit; 32-bit `int` is one that must be computed anew.
fn shape(unit: &Unit, ty: TypeId) -> Option<Shape> {
    let info = integer_info(&unit.types, ty, &unit.target)?;
    let kind = unit.types.kind(unit.types.canonical(ty));
    let wide = matches!(kind, TypeKind::Int(IntKind::Int | IntKind::UInt));
    Some(if wide { Shape::wide_int(info.signed) } else { Shape::new(info.width, info.signed) })
}

fn converted(unit: &Unit, ty: TypeId, value: i128) -> Option<(Shape, i128)> {
    let to = shape(unit, ty).filter(|to| !to.is_wide_int())?;
    let is_bool = matches!(unit.types.kind(unit.types.canonical(ty)), TypeKind::Bool);
    Some((to, if is_bool { i128::from(value != 0) } else { to.wrap(value) }))
}

fn unary(op: UnaryOp, (of, value): (Shape, i128)) -> Option<(Shape, i128)> {
    let of = of.promoted();
    Some(match op {
        UnaryOp::Plus => (of, value),
        UnaryOp::Minus => (of, of.wrap(-value)),
        UnaryOp::BitNot => (of, of.wrap(!value)),
        UnaryOp::Not => (Shape::INT, i128::from(value == 0)),
        _ => return None,
    })
}

fn binary(op: BinaryOp, (a, x): (Shape, i128), right: impl FnOnce() -> Option<(Shape, i128)>) -> Option<(Shape, i128)> {
    let truth = |value: bool| Some((Shape::INT, i128::from(value)));
    match (op, x != 0) {
        (BinaryOp::LogAnd, false) => return truth(false),
        (BinaryOp::LogOr, true) => return truth(true),
        _ => {}
    }
    let (b, y) = right()?;
    let (a, b) = (a.promoted(), b.promoted());
    let common = a.common(b);
    if let BinaryOp::Shl | BinaryOp::Shr = op {
        // No number where C says none: what the front-end crates have is then another one.
        let by = u32::try_from(y).ok().filter(|by| *by < a.bits);
        let shifted = by.map(|by| if op == BinaryOp::Shl { x << by } else { x >> by });
        return Some((a, a.wrap(shifted.unwrap_or(i128::MIN >> 1))));
    }
    let (x, y) = (common.wrap(x), common.wrap(y));
    let result = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::Div => x.checked_div(y)?,
        BinaryOp::Rem => x.checked_rem(y)?,
        BinaryOp::BitAnd => x & y,
        BinaryOp::BitOr => x | y,
        BinaryOp::BitXor => x ^ y,
        BinaryOp::LogAnd | BinaryOp::LogOr => return truth(y != 0),
        BinaryOp::Lt => return truth(x < y),
        BinaryOp::Gt => return truth(x > y),
        BinaryOp::Le => return truth(x <= y),
        BinaryOp::Ge => return truth(x >= y),
        BinaryOp::Eq => return truth(x == y),
        BinaryOp::Ne => return truth(x != y),
        BinaryOp::Shl | BinaryOp::Shr => return None,
    };
    Some((common, common.wrap(result)))
}
