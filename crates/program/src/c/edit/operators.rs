//! Another operator, a `!` or `-` more or less, arms swapped.

use super::survey::{Spot, Survey, Use};
use super::{Drafts, Family, TextEdit};
use crate::c::lower::sign;
use crate::c::tree::{Binary, Expr, ExprId, ExprKind, Tree, Unary};
use crate::program::Type;
use crate::source::Span;

const RELATIONS: &[Binary] =
    &[Binary::Less, Binary::LessEqual, Binary::Greater, Binary::GreaterEqual, Binary::Equal, Binary::NotEqual];
const SUMS: &[Binary] = &[Binary::Add, Binary::Subtract];
const PRODUCTS: &[Binary] = &[Binary::Multiply, Binary::Divide, Binary::Remainder];
const BITS: &[Binary] = &[Binary::And, Binary::Or, Binary::Xor];
const SHIFTS: &[Binary] = &[Binary::ShiftLeft, Binary::ShiftRight];

/// Operators that may have been meant instead, those that bind alike first; the flag says that they do.
fn others(op: Binary) -> Vec<(Binary, bool)> {
    let groups: &[&[Binary]] = match op {
        _ if RELATIONS.contains(&op) => &[RELATIONS],
        _ if SUMS.contains(&op) => &[SUMS, PRODUCTS, BITS],
        _ if PRODUCTS.contains(&op) => &[PRODUCTS, SUMS, SHIFTS],
        _ if BITS.contains(&op) => &[BITS, SHIFTS, SUMS],
        _ => &[SHIFTS, BITS, PRODUCTS],
    };
    let binds_alike = |other: &Binary| !BITS.contains(&op) && groups[0].contains(other);
    let all = groups.iter().flat_map(|group| group.iter()).filter(|other| **other != op);
    all.map(|other| (*other, binds_alike(other))).collect()
}

pub(super) fn propose(drafts: &mut Drafts) {
    for spot in drafts.spots() {
        match drafts.tree.expr(spot.expr).kind {
            ExprKind::Binary(op, x, y) => binary(drafts, spot, op, (x, y)),
            ExprKind::LogicalAnd(x, y) => logical(drafts, spot, ("&&", "||"), (x, y)),
            ExprKind::LogicalOr(x, y) => logical(drafts, spot, ("||", "&&"), (x, y)),
            ExprKind::CompoundAssign { op, .. } => compound(drafts, spot, op),
            ExprKind::Step { .. } => step(drafts, spot),
            ExprKind::Assign { target, value } if spot.used == Use::Effect && drafts.tests => {
                accumulated(drafts, spot, (target, value));
            }
            ExprKind::Assign { target, value } if spot.used == Use::Truth => compared(drafts, spot, (target, value)),
            ExprKind::Conditional { then: Some(then), otherwise, .. } => swap_arms(drafts, spot, then, otherwise),
            ExprKind::Unary(Unary::Minus, x) => drop_sign(drafts, spot, x),
            // As a value it is 0 or 1, so that without the sign it may be another number.
            ExprKind::LogicalNot(x)
                if spot.used == Use::Truth || drafts.tree.expr(x).ty == drafts.tree.expr(spot.expr).ty =>
            {
                drop_sign(drafts, spot, x);
            }
            _ => {}
        }
        if spot.used == Use::Truth {
            negate(drafts, spot);
        }
    }
}

/// `a = b` as `a == b`, where only the truth of it is used.
fn compared(drafts: &mut Drafts, spot: &Spot, (target, value): (ExprId, ExprId)) {
    let survey = drafts.survey;
    let (Some(at), Some(int)) = (survey.operator(target, value, "="), survey.int()) else { return };
    let (expr, ty) = (survey.tree.expr(spot.expr), survey.tree.expr(target).ty);
    let mut draft = drafts.draft();
    let place = draft.value(ExprKind::Load(target), ty, survey.span(target));
    let is_equal = Expr { kind: ExprKind::Binary(Binary::Equal, place, value), ty: int, ..expr.clone() };
    draft.change.exprs.push((spot.expr, is_equal));
    drafts.push(Family::Operator, spot.function, TextEdit { span: at, new: "==".to_owned() }, draft.done());
}

/// `a = b` as `a += b` and the like.
fn accumulated(drafts: &mut Drafts, spot: &Spot, (target, value): (ExprId, ExprId)) {
    let survey = drafts.survey;
    let ty = survey.tree.expr(target).ty;
    let is_number = survey.integer(ty).is_some() || matches!(survey.tree.ty(ty), Type::Float { .. });
    let Some(at) = survey.operator(target, value, "=").filter(|_| is_number) else { return };
    for (op, new) in [(Binary::Add, "+="), (Binary::Subtract, "-="), (Binary::Multiply, "*=")] {
        let mut draft = drafts.draft();
        draft.put(spot.expr, ExprKind::CompoundAssign { op, computation: ty, target, value });
        let text = TextEdit { span: at, new: new.to_owned() };
        drafts.push(Family::Operator, spot.function, text, draft.done());
    }
}

fn binary(drafts: &mut Drafts, spot: &Spot, op: Binary, (x, y): (ExprId, ExprId)) {
    let survey = drafts.survey;
    let Some(at) = survey.operator(x, y, sign(op)) else { return };
    let is_integer = survey.integer(survey.tree.expr(x).ty).is_some();
    let never_less = is_natural(survey, x) && is_zero(survey.tree, y);
    for (other, binds_alike) in others(op) {
        let needs_integers = matches!(other, Binary::Remainder) || BITS.contains(&other) || SHIFTS.contains(&other);
        // `i * 1` is written `i`, which is what leaving out gives.
        let is_left_out = is_neutral(survey.tree, other, y) && survey.tree.expr(x).ty == survey.tree.expr(spot.expr).ty;
        if needs_integers && !is_integer || is_left_out {
            continue;
        }
        let text = match binds_alike {
            true => TextEdit { span: at, new: sign(other).to_owned() },
            false => {
                let (Some(left), Some(right)) = (survey.operand(x), survey.operand(y)) else { continue };
                let span = survey.span(spot.expr);
                let new = survey.fitting(span, format!("{left} {} {right}", sign(other)));
                TextEdit { span, new }
            }
        };
        let mut draft = drafts.draft();
        draft.put(spot.expr, ExprKind::Binary(other, x, y));
        let local = match difference(op, other, never_less).filter(|_| is_integer) {
            Some(Difference::Never) => continue,
            Some(Difference::Always) => Some(String::new()),
            Some(Difference::Where(between)) => survey
                .operand(x)
                .zip(survey.operand(y))
                .map(|(left, right)| format!("{left} {} {right}", sign(between))),
            None => None,
        };
        drafts.push_local(Family::Operator, spot.function, text, draft.done(), local);
    }
}

/// Does an operator with this on its right give what is on its left?
fn is_neutral(tree: &Tree, op: Binary, right: ExprId) -> bool {
    let neutral = match op {
        Binary::Multiply | Binary::Divide => 1,
        Binary::Add | Binary::Subtract | Binary::Or | Binary::Xor | Binary::ShiftLeft | Binary::ShiftRight => 0,
        _ => return false,
    };
    matches!(tree.expr(right).kind, ExprKind::Const(value) if value == neutral)
}

/// Where one of two relations holds and the other does not.
#[derive(PartialEq, Eq, Debug)]
enum Difference {
    Never,
    Always,
    Where(Binary),
}

/// Where two relations differ, of numbers of which the left one may never be less; none if it is always, whatever they are.
fn difference(one: Binary, other: Binary, never_less: bool) -> Option<Difference> {
    let orders = |op: Binary| match op {
        Binary::Less => Some(0b100),
        Binary::LessEqual => Some(0b110),
        Binary::Equal => Some(0b010),
        Binary::GreaterEqual => Some(0b011),
        Binary::Greater => Some(0b001),
        Binary::NotEqual => Some(0b101),
        _ => None,
    };
    let between = orders(one)? ^ orders(other)?;
    match (between & 0b011, never_less) {
        (0b000, true) => Some(Difference::Never),
        (0b001, true) => Some(Difference::Where(Binary::NotEqual)),
        (0b010, true) => Some(Difference::Where(Binary::Equal)),
        (_, true) => Some(Difference::Always),
        (_, false) => RELATIONS.iter().copied().find(|op| orders(*op) == Some(between)).map(Difference::Where),
    }
}

fn is_zero(tree: &Tree, e: ExprId) -> bool {
    match tree.expr(e).kind {
        ExprKind::Const(value) => value == 0,
        ExprKind::Convert { operand, .. } => is_zero(tree, operand),
        _ => false,
    }
}

/// Is a number never negative, whatever it is: of an unsigned type, or promoted from one?
fn is_natural(survey: &Survey, e: ExprId) -> bool {
    let own = survey.integer(survey.tree.expr(e).ty);
    match survey.tree.expr(e).kind {
        _ if own.is_some_and(|(_, signed)| !signed) => true,
        ExprKind::Convert { operand, .. } => {
            let narrow = survey.integer(survey.tree.expr(operand).ty);
            let is_wider = |(bits, signed): (u32, bool)| !signed && own.is_some_and(|(own, _)| own > bits);
            narrow.is_some_and(is_wider)
        }
        _ => false,
    }
}

fn logical(drafts: &mut Drafts, spot: &Spot, (old, new): (&str, &str), (x, y): (ExprId, ExprId)) {
    let survey = drafts.survey;
    if survey.operator(x, y, old).is_none() {
        return;
    }
    let (Some(left), Some(right)) = (survey.operand(x), survey.operand(y)) else { return };
    let span = survey.span(spot.expr);
    let mut draft = drafts.draft();
    draft.put(spot.expr, if new == "&&" { ExprKind::LogicalAnd(x, y) } else { ExprKind::LogicalOr(x, y) });
    let new = survey.fitting(span, format!("{left} {new} {right}"));
    drafts.push(Family::Operator, spot.function, TextEdit { span, new }, draft.done());
}

fn compound(drafts: &mut Drafts, spot: &Spot, op: Binary) {
    let survey = drafts.survey;
    let ExprKind::CompoundAssign { computation, target, value, .. } = survey.tree.expr(spot.expr).kind else { return };
    let Some(at) = survey.operator(target, value, &format!("{}=", sign(op))) else { return };
    let is_integer = survey.integer(computation).is_some();
    let plain = others(op).into_iter().map(|(other, _)| other).filter(|other| is_integer || SUMS.contains(other));
    for other in plain.collect::<Vec<_>>() {
        let mut draft = drafts.draft();
        draft.put(spot.expr, ExprKind::CompoundAssign { op: other, computation, target, value });
        let text = TextEdit { span: at, new: format!("{}=", sign(other)) };
        drafts.push(Family::Operator, spot.function, text, draft.done());
    }
    let mut draft = drafts.draft();
    // The target's type is the computation's, or nothing is said here.
    if survey.tree.expr(target).ty == computation {
        draft.put(spot.expr, ExprKind::Assign { target, value });
        drafts.push(Family::Operator, spot.function, TextEdit { span: at, new: "=".to_owned() }, draft.done());
    }
}

fn step(drafts: &mut Drafts, spot: &Spot) {
    let survey = drafts.survey;
    let ExprKind::Step { target, amount, subtract, old_value } = survey.tree.expr(spot.expr).kind else { return };
    let span = survey.span(spot.expr);
    let text = survey.sources.text(span);
    let (Some(name), sign, other) =
        (survey.text(target), if subtract { "--" } else { "++" }, if subtract { "++" } else { "--" })
    else {
        return;
    };
    let is_written = match old_value {
        true => text.strip_prefix(name).is_some_and(|rest| rest.trim() == sign),
        false => text.strip_suffix(name).is_some_and(|rest| rest.trim() == sign) || text.ends_with(sign),
    };
    if !is_written {
        return;
    }
    let mut draft = drafts.draft();
    draft.put(spot.expr, ExprKind::Step { target, amount, subtract: !subtract, old_value });
    let edit = TextEdit { span, new: text.replace(sign, other) };
    drafts.push(Family::Operator, spot.function, edit, draft.done());
    if spot.used == Use::Value || spot.used == Use::Truth {
        let new = if old_value { format!("{sign}{name}") } else { format!("{name}{sign}") };
        let mut draft = drafts.draft();
        draft.put(spot.expr, ExprKind::Step { target, amount, subtract, old_value: !old_value });
        drafts.push(Family::Operator, spot.function, TextEdit { span, new }, draft.done());
    }
}

fn swap_arms(drafts: &mut Drafts, spot: &Spot, then: ExprId, otherwise: ExprId) {
    let survey = drafts.survey;
    let ExprKind::Conditional { condition, .. } = survey.tree.expr(spot.expr).kind else { return };
    let (Some(first), Some(second)) = (survey.text(then), survey.text(otherwise)) else { return };
    let (start, end) = (survey.span(then), survey.span(otherwise));
    if survey.operator(then, otherwise, ":").is_none() {
        return;
    }
    let between = survey.sources.text(Span::new(start.file, start.end, end.start));
    let span = Span::new(start.file, start.start, end.end);
    let mut draft = drafts.draft();
    draft.put(spot.expr, ExprKind::Conditional { condition, then: Some(otherwise), otherwise: then });
    let new = format!("{second}{between}{first}");
    drafts.push(Family::Operator, spot.function, TextEdit { span, new }, draft.done());
}

/// `!x` or `-x` without its sign.
fn drop_sign(drafts: &mut Drafts, spot: &Spot, x: ExprId) {
    let survey = drafts.survey;
    let (span, inner) = (survey.span(spot.expr), survey.span(x));
    let sign = survey.sources.text(Span::new(span.file, span.start, inner.start.max(span.start)));
    let is_sign = matches!(sign.trim().trim_end_matches(['(', ' ']), "!" | "-");
    if survey.text(x).is_none() || !is_sign || inner.end > span.end {
        return;
    }
    let mut draft = drafts.draft();
    draft.put_expr(spot.expr, x);
    let new = survey.sources.text(span)[1..].trim_start().to_owned();
    drafts.push(Family::Operator, spot.function, TextEdit { span, new }, draft.done());
}

fn negate(drafts: &mut Drafts, spot: &Spot) {
    let survey = drafts.survey;
    let expr = survey.tree.expr(spot.expr);
    // What is compared has an opposite already, and `!!x` is none.
    if matches!(expr.kind, ExprKind::Binary(op, ..) if RELATIONS.contains(&op)) {
        return;
    }
    let (Some(text), Some(int)) = (survey.operand(spot.expr), survey.int()) else { return };
    if matches!(expr.kind, ExprKind::LogicalNot(_)) {
        return;
    }
    let span = survey.span(spot.expr);
    let mut draft = drafts.draft();
    let inner = draft.moved(spot.expr);
    let mut outer = expr.clone();
    (outer.kind, outer.ty) = (ExprKind::LogicalNot(inner), int);
    draft.change.exprs.push((spot.expr, outer));
    drafts.push(Family::Operator, spot.function, TextEdit { span, new: format!("!{text}") }, draft.done());
}
