//! A variable starts with the first element where it starts with a number: `best = a[0]` for `best = 0`, if it is set to `a[i]` elsewhere. Only where tests
//! are given.

use std::collections::HashMap;

use super::survey::{Spot, Survey};
use super::{Draft, Drafts, Family, TextEdit};
use crate::c::tree::{ExprId, ExprKind, ObjectId};
use crate::source::Span;

pub(super) fn propose(drafts: &mut Drafts) {
    let survey = drafts.survey;
    let starts = starts(survey);
    for spot in drafts.spots() {
        let Some(object) = starts.get(&spot.expr) else { continue };
        for other in survey.spots.iter().filter(|other| other.function == spot.function) {
            let ExprKind::Assign { target, value } = survey.tree.expr(other.expr).kind else { continue };
            let is_it = matches!(survey.tree.expr(target).kind, ExprKind::Object(own) if own == *object);
            if is_it && survey.tree.expr(value).ty == survey.tree.expr(spot.expr).ty {
                elements(drafts, spot, value);
            }
        }
    }
}

/// The constants that variables are set to, each with the variable.
fn starts(survey: &Survey) -> HashMap<ExprId, ObjectId> {
    let tree = survey.tree;
    let mut found = HashMap::new();
    for (number, object) in (0..).zip(&tree.objects) {
        if let Some([entry]) = object.init.as_deref() {
            found.insert(entry.value, ObjectId(number));
        }
    }
    for expr in &tree.exprs {
        if let ExprKind::Assign { target, value } = expr.kind
            && let ExprKind::Object(object) = tree.expr(target).kind
        {
            found.insert(value, object);
        }
    }
    found.retain(|value, _| is_number(survey, *value));
    found
}

fn is_number(survey: &Survey, e: ExprId) -> bool {
    match survey.tree.expr(e).kind {
        ExprKind::Const(_) => survey.text(e).is_some(),
        ExprKind::Convert { operand, .. } => is_number(survey, operand),
        _ => false,
    }
}

/// A value with some of its indices 0, in the place of a constant.
fn elements(drafts: &mut Drafts, spot: &Spot, value: ExprId) {
    let survey = drafts.survey;
    let mut indices = Vec::new();
    find(survey, value, &mut indices);
    let (Some(text), of) = (survey.text(value), survey.span(value)) else { return };
    let mut wanted: Vec<Vec<ExprId>> = indices.iter().map(|index| vec![*index]).collect();
    if indices.len() > 1 {
        wanted.push(indices.clone());
    }
    let scope = survey.in_scope(spot.scope);
    for zeros in wanted {
        let mut reads = Vec::new();
        let is_known = read(survey, value, &zeros, &mut reads) && reads.iter().all(|object| scope.contains(object));
        let mut spans: Vec<Span> = zeros.iter().map(|index| survey.span(*index)).collect();
        spans.sort_by_key(|span| std::cmp::Reverse(span.start));
        if !is_known || !spans.iter().all(|span| of.contains(*span)) {
            continue;
        }
        let mut new = text.to_owned();
        for span in spans {
            new.replace_range((span.start - of.start) as usize..(span.end - of.start) as usize, "0");
        }
        let mut draft = drafts.draft();
        let copy = copied(&mut draft, survey, value, &zeros);
        let copy = draft.change.added_exprs[copy.0 as usize - survey.tree.exprs.len()].clone();
        draft.change.exprs.push((spot.expr, copy));
        let span = survey.span(spot.expr);
        let before = drafts.edits.len();
        drafts.push(Family::Constant, spot.function, TextEdit { span, new }, draft.done());
        if let Some(edit) = drafts.edits.get_mut(before) {
            edit.cost = 2;
        }
    }
}

/// The indices in a value that are no constants.
fn find(survey: &Survey, e: ExprId, found: &mut Vec<ExprId>) {
    let kind = &survey.tree.expr(e).kind;
    if let ExprKind::Element { index, .. } | ExprKind::PointerAdd { index, .. } = kind
        && survey.text(*index).is_some()
        && !is_number(survey, *index)
    {
        found.push(*index);
    }
    kind.operands().into_iter().for_each(|operand| find(survey, operand, found));
}

/// The variables that a value reads, some indices aside; false if it does more than reading.
fn read(survey: &Survey, e: ExprId, zeros: &[ExprId], found: &mut Vec<ObjectId>) -> bool {
    if zeros.contains(&e) {
        return true;
    }
    match &survey.tree.expr(e).kind {
        ExprKind::Object(object) => found.push(*object),
        ExprKind::Call { .. } | ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } | ExprKind::Step { .. } => {
            return false;
        }
        kind => return kind.operands().into_iter().all(|operand| read(survey, operand, zeros, found)),
    }
    true
}

fn copied(draft: &mut Draft, survey: &Survey, e: ExprId, zeros: &[ExprId]) -> ExprId {
    let mut expr = survey.tree.expr(e).clone();
    match zeros.contains(&e) {
        true => expr.kind = ExprKind::Const(0),
        false => expr.kind.map_operands(&mut |operand| copied(draft, survey, operand, zeros)),
    }
    draft.expr(expr)
}
