//! A conjunct, a term, a statement or a guard is left out.

use super::survey::{Place, Spot, Use};
use super::{Drafts, Family, TextEdit};
use crate::c::tree::{Binary, ExprId, ExprKind, StmtId, StmtKind};
use crate::source::Span;

pub(super) fn propose(drafts: &mut Drafts) {
    let survey = drafts.survey;
    for spot in drafts.spots() {
        match survey.tree.expr(spot.expr).kind {
            ExprKind::LogicalAnd(x, y) | ExprKind::LogicalOr(x, y) => {
                // What is left is 0 or 1 only if it is compared.
                let fits = |side: ExprId| spot.used == Use::Truth || is_truth(drafts, side);
                for side in [x, y].into_iter().filter(|side| fits(*side)).collect::<Vec<_>>() {
                    keep(drafts, spot, side);
                }
            }
            ExprKind::Binary(
                Binary::Add
                | Binary::Subtract
                | Binary::Multiply
                | Binary::Divide
                | Binary::And
                | Binary::Or
                | Binary::Xor
                | Binary::ShiftLeft
                | Binary::ShiftRight
                | Binary::Remainder,
                x,
                y,
            ) => {
                for side in [x, y] {
                    if survey.tree.expr(side).ty == survey.tree.expr(spot.expr).ty {
                        keep(drafts, spot, side);
                    }
                }
            }
            // A cast whose value is widened again to what it was cast from.
            ExprKind::Convert { operand, explicit: false } => {
                if let ExprKind::Convert { operand: inner, explicit: true } = survey.tree.expr(operand).kind
                    && survey.tree.expr(inner).ty == survey.tree.expr(spot.expr).ty
                {
                    keep(drafts, spot, inner);
                }
            }
            ExprKind::Conditional { then: Some(then), otherwise, .. } => {
                keep(drafts, spot, then);
                keep(drafts, spot, otherwise);
            }
            _ => {}
        }
    }
    for place in drafts.places() {
        statement(drafts, place);
    }
}

fn is_truth(drafts: &Drafts, e: ExprId) -> bool {
    match drafts.tree.expr(e).kind {
        ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::LogicalNot(_) => true,
        ExprKind::Binary(op, ..) => matches!(
            op,
            Binary::Less
                | Binary::LessEqual
                | Binary::Greater
                | Binary::GreaterEqual
                | Binary::Equal
                | Binary::NotEqual
        ),
        _ => false,
    }
}

/// Only one of the parts of an expression.
fn keep(drafts: &mut Drafts, spot: &Spot, part: ExprId) {
    let survey = drafts.survey;
    let Some(text) = survey.text(part) else { return };
    let span = survey.span(spot.expr);
    if survey.span(part) == span || !span.contains(survey.span(part)) {
        return;
    }
    let mut draft = drafts.draft();
    draft.put_expr(spot.expr, part);
    let new = match survey.operand(part) {
        Some(whole) if whole != text => survey.fitting(span, text.to_owned()),
        _ => text.to_owned(),
    };
    drafts.push(Family::LeftOut, spot.function, TextEdit { span, new }, draft.done());
}

fn statement(drafts: &mut Drafts, place: &Place) {
    let survey = drafts.survey;
    let stmt = survey.tree.stmt(place.stmt);
    let span = stmt.span;
    match &stmt.kind {
        StmtKind::Expr(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) => {
            let mut draft = drafts.draft();
            draft.put_stmt(place.stmt, StmtKind::Empty);
            let text = survey.sources.text(span);
            let new = if text.ends_with(';') { ";" } else { "" };
            drafts.push(Family::LeftOut, place.function, TextEdit { span, new: new.to_owned() }, draft.done());
        }
        StmtKind::If { condition, then, otherwise } => {
            dangling(drafts, place, (*condition, *then, *otherwise));
            for part in [Some(*then), *otherwise].into_iter().flatten() {
                let inner = survey.tree.stmt(part);
                let text = survey.sources.text(inner.span);
                if text.is_empty() || !span.contains(inner.span) {
                    continue;
                }
                let mut draft = drafts.draft();
                draft.put_stmt(place.stmt, inner.kind.clone());
                let new = text.to_owned();
                drafts.push(Family::LeftOut, place.function, TextEdit { span, new }, draft.done());
            }
            if let Some(part) = otherwise {
                let (condition, then) = (*condition, *then);
                let mut draft = drafts.draft();
                draft.put_stmt(place.stmt, StmtKind::If { condition, then, otherwise: None });
                let end = survey.tree.stmt(then).span.end;
                let gone = Span::new(span.file, end, survey.tree.stmt(*part).span.end);
                if survey.sources.text(gone).trim_start().starts_with("else") {
                    let text = TextEdit { span: gone, new: String::new() };
                    drafts.push(Family::LeftOut, place.function, text, draft.done());
                }
            }
        }
        _ => {}
    }
}

/// Of `if (a) if (b) x; else y;` what is left without `if (b)`: the `else` then belongs to the other condition.
fn dangling(drafts: &mut Drafts, place: &Place, (condition, then, otherwise): (ExprId, StmtId, Option<StmtId>)) {
    let tree = drafts.tree;
    if let (StmtKind::If { then: inner, otherwise: captured @ Some(_), .. }, None) = (&tree.stmt(then).kind, otherwise)
    {
        let (span, kept) = (tree.stmt(then).span, tree.stmt(*inner).span);
        let gone = Span::new(span.file, span.start, kept.start);
        if drafts.survey.sources.text(gone).starts_with("if") && span.contains(kept) {
            let mut draft = drafts.draft();
            draft.put_stmt(place.stmt, StmtKind::If { condition, then: *inner, otherwise: *captured });
            let text = TextEdit { span: gone, new: String::new() };
            drafts.push(Family::LeftOut, place.function, text, draft.done());
        }
    }
}
