//! A computation in a wider type: `(long)a * b` for `a * b`.

use super::{Drafts, Family, TextEdit};
use crate::c::lower::sign;
use crate::c::tree::{Binary, ExprKind};
use crate::program::{Type, TypeId};

/// Types that a cast may name.
const WIDER: &[&str] = &["unsigned int", "long", "unsigned long", "long long", "unsigned long long"];

pub(super) fn propose(drafts: &mut Drafts) {
    let survey = drafts.survey;
    let wider: Vec<(TypeId, u32, &str)> = (0..)
        .zip(&survey.tree.types)
        .filter_map(|(number, ty)| match ty {
            Type::Integer { name, bits, .. } => {
                WIDER.iter().find(|word| *word == name).map(|word| (TypeId(number), *bits, *word))
            }
            _ => None,
        })
        .collect();
    for spot in drafts.spots() {
        let expr = survey.tree.expr(spot.expr);
        let ExprKind::Binary(op, x, y) = expr.kind else { continue };
        let may_overflow = matches!(op, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::ShiftLeft);
        let Some((own, _)) = survey.integer(expr.ty).filter(|_| may_overflow) else { continue };
        let is_written = survey.operator(x, y, sign(op)).is_some();
        let Some(left) = survey.operand(x).filter(|_| is_written) else { continue };
        for (ty, bits, name) in &wider {
            if *bits < own || *ty == expr.ty {
                continue;
            }
            let span = survey.span(x);
            let mut draft = drafts.draft();
            let wide = draft.value(ExprKind::Convert { operand: x, explicit: true }, *ty, span);
            let other = match op {
                Binary::ShiftLeft => y,
                _ => draft.value(ExprKind::Convert { operand: y, explicit: false }, *ty, survey.span(y)),
            };
            let sum = draft.value(ExprKind::Binary(op, wide, other), *ty, survey.span(spot.expr));
            draft.put(spot.expr, ExprKind::Convert { operand: sum, explicit: false });
            let text = TextEdit { span, new: format!("({name}){left}") };
            drafts.push(Family::Type, spot.function, text, draft.done());
        }
    }
}
