//! What a number is: a division of integers as one of floats (`sum / 3.0`, `(double)sum / n`), and the digit that a character stands for
//! (`c - '0'`). Only where tests are given.

use std::collections::HashSet;

use super::survey::{Spot, Survey, Use};
use super::{Draft, Drafts, Family, TextEdit};
use crate::c::tree::{Binary, ExprId, ExprKind};
use crate::program::{Type, TypeId};
use crate::source::Span;

pub(super) fn propose(drafts: &mut Drafts) {
    let survey = drafts.survey;
    let Some(double) = (survey.tree.types.iter()).position(|ty| matches!(ty, Type::Float { bits: 64, .. })) else {
        return digits(drafts);
    };
    let double = TypeId(double as u32);
    let mut seen = HashSet::new();
    for spot in drafts.spots() {
        match &survey.tree.expr(spot.expr).kind {
            ExprKind::Convert { operand, explicit: false } if is_float(survey, spot.expr) => {
                seen.insert(*operand);
                divided(drafts, spot, *operand, survey.tree.expr(spot.expr).ty);
            }
            ExprKind::Convert { operand, explicit: true } if is_float(survey, spot.expr) => {
                quotient(drafts, spot, *operand);
            }
            ExprKind::Call { arguments, .. } => {
                let is_variadic = survey.called(spot.expr).is_some_and(|called| survey.tree.function(called).variadic);
                for argument in arguments.iter().filter(|argument| is_variadic && seen.insert(**argument)) {
                    divided(drafts, &Spot { expr: *argument, used: Use::Value, ..*spot }, *argument, double);
                }
            }
            _ => {}
        }
    }
    digits(drafts);
}

fn is_float(survey: &Survey, e: ExprId) -> bool {
    matches!(survey.tree.ty(survey.tree.expr(e).ty), Type::Float { .. })
}

/// Where a value of integers, with a division in it, is computed in floats.
fn divided(drafts: &mut Drafts, spot: &Spot, value: ExprId, ty: TypeId) {
    let survey = drafts.survey;
    if survey.integer(survey.tree.expr(value).ty).is_none() {
        return;
    }
    let Some((quotient, constant)) = division(survey, value) else { return };
    let of = match survey.tree.ty(ty) {
        Type::Float { bits: 32, .. } => "float",
        Type::Float { bits: 64, .. } => "double",
        _ => return,
    };
    let start = survey.span(value);
    let mut wanted = vec![TextEdit { span: Span::new(start.file, start.start, start.start), new: format!("({of})") }];
    if let Some(constant) = constant {
        let at = survey.span(constant);
        wanted.push(TextEdit { span: Span::new(at.file, at.end, at.end), new: ".0".to_owned() });
    }
    let is_in_parentheses = survey.span(quotient).start != start.start;
    for text in wanted.into_iter().filter(|text| text.new.starts_with('.') || !is_in_parentheses) {
        let mut draft = drafts.draft();
        let Some(float) = in_floats(&mut draft, survey, value, ty) else { continue };
        let float = draft.change.added_exprs[float.0 as usize - survey.tree.exprs.len()].clone();
        draft.change.exprs.push((spot.expr, float));
        drafts.push(Family::Type, spot.function, text.clone(), draft.done());
        if let Some(edit) = drafts.edits.last_mut().filter(|edit| edit.text == text) {
            edit.cost = if text.new == ".0" { 1 } else { 2 };
        }
    }
}

/// `(double)(a / b)` as `(double)a / b`.
fn quotient(drafts: &mut Drafts, spot: &Spot, value: ExprId) {
    let survey = drafts.survey;
    let ExprKind::Binary(Binary::Divide, x, y) = survey.tree.expr(value).kind else { return };
    let (Some(own), Some(a), Some(b)) = (survey.text(spot.expr), survey.operand(x), survey.operand(y)) else { return };
    let Some(end) = own.find(')').filter(|_| survey.integer(survey.tree.expr(value).ty).is_some()) else { return };
    let (ty, span) = (survey.tree.expr(spot.expr).ty, survey.span(spot.expr));
    let mut draft = drafts.draft();
    let left = draft.value(ExprKind::Convert { operand: x, explicit: true }, ty, span);
    let right = draft.value(ExprKind::Convert { operand: y, explicit: false }, ty, span);
    draft.put(spot.expr, ExprKind::Binary(Binary::Divide, left, right));
    let new = survey.fitting(span, format!("{}{a} / {b}", &own[..=end]));
    drafts.push(Family::Type, spot.function, TextEdit { span, new }, draft.done());
}

/// The division in a value, leftmost in its sums and products, and what it is divided by, if that is a number.
fn division(survey: &Survey, e: ExprId) -> Option<(ExprId, Option<ExprId>)> {
    match survey.tree.expr(e).kind {
        ExprKind::Binary(Binary::Divide, _, y) => {
            let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit());
            Some((e, survey.text(y).is_some_and(is_number).then_some(y)))
        }
        ExprKind::Binary(Binary::Multiply, x, _) => division(survey, x),
        _ => None,
    }
}

/// The same computed in floats, from the left on.
fn in_floats(draft: &mut Draft, survey: &Survey, e: ExprId, ty: TypeId) -> Option<ExprId> {
    let (expr, span) = (survey.tree.expr(e), survey.span(e));
    let kind = match expr.kind {
        ExprKind::Binary(op @ (Binary::Divide | Binary::Multiply), x, y) => {
            // What stands in parentheses is computed in integers.
            let left = match survey.span(x).start == span.start {
                true => in_floats(draft, survey, x, ty)?,
                false => draft.value(ExprKind::Convert { operand: x, explicit: true }, ty, survey.span(x)),
            };
            let right = draft.value(ExprKind::Convert { operand: y, explicit: false }, ty, survey.span(y));
            ExprKind::Binary(op, left, right)
        }
        _ => ExprKind::Convert { operand: e, explicit: true },
    };
    Some(draft.value(kind, ty, span))
}

/// `c - '0'` for a character as a number, and `d + '0'` for a digit that is printed.
fn digits(drafts: &mut Drafts) {
    let survey = drafts.survey;
    let Some(int) = survey.int() else { return };
    for spot in drafts.spots().into_iter().filter(|spot| spot.used == Use::Value) {
        let ExprKind::Convert { operand, explicit: false } = survey.tree.expr(spot.expr).kind else { continue };
        let to = survey.tree.expr(spot.expr).ty;
        let (Some((wide, _)), Some((narrow, _))) = (survey.integer(to), survey.integer(survey.tree.expr(operand).ty))
        else {
            continue;
        };
        let is_place = matches!(survey.tree.expr(operand).kind, ExprKind::Load(_));
        let signs: &[(Binary, &str, &[char])] = match (narrow, wide) {
            (8, 32..) if is_place => &[(Binary::Subtract, "-", &['0', 'a', 'A'])],
            (32.., 8) => &[(Binary::Add, "+", &['0', 'a', 'A'])],
            _ => continue,
        };
        let Some(text) = survey.operand(operand) else { continue };
        let span = survey.span(spot.expr);
        for (op, sign, characters) in signs {
            for character in *characters {
                let mut draft = drafts.draft();
                let own = match narrow {
                    8 => draft.moved(spot.expr),
                    _ => operand,
                };
                let at = draft.value(ExprKind::Const(*character as u128), int, span);
                let sum = ExprKind::Binary(*op, own, at);
                match narrow {
                    8 => draft.put(spot.expr, sum),
                    _ => {
                        let sum = draft.value(sum, survey.tree.expr(operand).ty, span);
                        draft.put(spot.expr, ExprKind::Convert { operand: sum, explicit: false });
                    }
                }
                let new = survey.fitting(span, format!("{text} {sign} '{character}'"));
                drafts.push(Family::Name, spot.function, TextEdit { span, new }, draft.done());
            }
        }
    }
}
