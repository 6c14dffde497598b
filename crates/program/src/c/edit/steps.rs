//! Statements that a loop lacks: the step of a variable that its condition asks for, a variable that is set anew in every turn, the end of a
//! line that it prints. Only where tests are given: they say that it ends, and what it prints.

use super::printed::LineEnd;
use super::survey::Place;
use super::{Draft, Drafts, Family, TextEdit};
use crate::c::tree::{Expr, ExprId, ExprKind, ObjectId, StmtId, StmtKind};
use crate::program::Type;
use crate::source::Span;

pub(super) fn propose(drafts: &mut Drafts, line_end: Option<&LineEnd>) {
    for place in drafts.places() {
        let (condition, body) = match drafts.tree.stmt(place.stmt).kind {
            StmtKind::While { condition, body } | StmtKind::DoWhile { condition, body } => (Some(condition), body),
            StmtKind::For { condition, body, .. } => (condition, body),
            _ => continue,
        };
        if let Some(line_end) = line_end.filter(|_| place.block.is_some()) {
            let mut draft = drafts.draft();
            let own = draft.stmt(drafts.tree.stmt(place.stmt).kind.clone(), drafts.tree.stmt(place.stmt).span);
            let end = line_end.statement(&mut draft, drafts.tree.stmt(place.stmt).span);
            draft.put_stmt(place.stmt, StmtKind::Block(vec![own, end]));
            let at = drafts.tree.stmt(place.stmt).span;
            let at = Span::new(at.file, at.end, at.end);
            let text = TextEdit { span: at, new: format!("\n{}{}", indent(drafts, place.stmt), line_end.text()) };
            push(drafts, place, text, draft, 3);
        }
        let StmtKind::Block(parts) = &drafts.tree.stmt(body).kind else { continue };
        let (Some(first), Some(last)) = (parts.first().copied(), parts.last().copied()) else { continue };
        if let Some(condition) = condition {
            stepped(drafts, place, condition, (body, last));
        }
        set_anew(drafts, place, (body, first));
        if let Some(line_end) = line_end {
            let mut draft = drafts.draft();
            let end = line_end.statement(&mut draft, drafts.tree.stmt(last).span);
            behind(drafts, place, (body, last), draft, end, line_end.text());
        }
    }
}

/// `x++;` and `x--;` at the end of a body.
fn stepped(drafts: &mut Drafts, place: &Place, condition: ExprId, (body, last): (StmtId, StmtId)) {
    let survey = drafts.survey;
    let Some(int) = survey.int() else { return };
    for object in survey.reads(condition).unwrap_or_default() {
        let of = survey.tree.object(object);
        if survey.integer(of.ty).is_none() || of.read_only {
            continue;
        }
        for (subtract, sign) in [(true, "--"), (false, "++")] {
            let mut draft = drafts.draft();
            let span = survey.tree.stmt(last).span;
            let target = draft.expr(variable(object, drafts, span));
            let amount = draft.value(ExprKind::Const(1), int, span);
            let step = draft.value(ExprKind::Step { target, amount, subtract, old_value: true }, of.ty, span);
            let step = draft.stmt(StmtKind::Expr(step), span);
            behind(drafts, place, (body, last), draft, step, &format!("{}{sign};", of.name));
        }
    }
}

/// `x = 0;` at the start of a body, where `x` starts with a number before the loop.
fn set_anew(drafts: &mut Drafts, place: &Place, (body, first): (StmtId, StmtId)) {
    let survey = drafts.survey;
    let span = survey.tree.stmt(first).span;
    let within = survey.tree.stmt(body).span;
    for object in survey.in_scope(place.scope).to_vec() {
        let of = survey.tree.object(object);
        let is_number = matches!(survey.tree.ty(of.ty), Type::Integer { .. } | Type::Float { .. } | Type::Bool);
        if !is_number || of.read_only || !is_set_within(drafts, object, within) {
            continue;
        }
        for (value, text) in starts(drafts, object) {
            let mut draft = drafts.draft();
            let target = draft.expr(variable(object, drafts, span));
            let set = draft.value(ExprKind::Assign { target, value }, of.ty, span);
            let set = draft.stmt(StmtKind::Expr(set), span);
            let own = draft.stmt(survey.tree.stmt(first).kind.clone(), span);
            draft.put_stmt(first, StmtKind::Block(vec![set, own]));
            if matches!(survey.tree.stmt(first).kind, StmtKind::Declare(_)) {
                continue;
            }
            let new = format!("{} = {text};\n{}", of.name, indent(drafts, first));
            let text = TextEdit { span: Span::new(span.file, span.start, span.start), new };
            push(drafts, place, text, draft, 3);
        }
    }
}

/// The constants that a variable starts with, where it is declared or set.
fn starts(drafts: &Drafts, object: ObjectId) -> Vec<(ExprId, String)> {
    let (survey, tree) = (drafts.survey, drafts.tree);
    let mut found: Vec<(ExprId, String)> = Vec::new();
    let declared = tree.object(object).init.iter().flatten().map(|entry| entry.value);
    let set = tree.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Assign { target, value } => match tree.expr(target).kind {
            ExprKind::Object(own) if own == object => Some(value),
            _ => None,
        },
        _ => None,
    });
    for value in declared.chain(set) {
        let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok();
        let Some(text) = survey.text(value).filter(|text| is_number(text)) else { continue };
        if found.iter().all(|(_, other)| other != text) {
            found.push((value, text.to_owned()));
        }
    }
    found
}

/// Whether a variable is set in a part of the text.
fn is_set_within(drafts: &Drafts, object: ObjectId, within: Span) -> bool {
    drafts.tree.exprs.iter().any(|expr| match expr.kind {
        ExprKind::Assign { target, .. } | ExprKind::CompoundAssign { target, .. } | ExprKind::Step { target, .. } => {
            matches!(drafts.tree.expr(target).kind, ExprKind::Object(own) if own == object)
                && within.contains(expr.span)
        }
        _ => false,
    })
}

fn variable(object: ObjectId, drafts: &Drafts, span: Span) -> Expr {
    Expr { kind: ExprKind::Object(object), ty: drafts.tree.object(object).ty, span, volatile: false, align: 1 }
}

/// A statement behind the last one of a body.
fn behind(
    drafts: &mut Drafts,
    place: &Place,
    (body, last): (StmtId, StmtId),
    mut draft: Draft,
    added: StmtId,
    text: &str,
) {
    let tree = drafts.tree;
    let StmtKind::Block(parts) = &tree.stmt(body).kind else { return };
    let leaves =
        matches!(tree.stmt(last).kind, StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_));
    if leaves || drafts.survey.sources.text(tree.stmt(last).span).is_empty() {
        return;
    }
    let mut parts = parts.clone();
    parts.push(added);
    draft.put_stmt(body, StmtKind::Block(parts));
    let at = tree.stmt(last).span;
    let new = format!("\n{}{text}", indent(drafts, last));
    push(drafts, place, TextEdit { span: Span::new(at.file, at.end, at.end), new }, draft, 3);
}

/// The white space before a statement in its line.
fn indent(drafts: &Drafts, stmt: StmtId) -> String {
    let span = drafts.tree.stmt(stmt).span;
    let before = &drafts.survey.sources.file(span.file).text[..span.start as usize];
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    line[..line.len() - line.trim_start().len()].to_owned()
}

fn push(drafts: &mut Drafts, place: &Place, text: TextEdit, draft: Draft, cost: u32) {
    let before = drafts.edits.len();
    drafts.push(Family::Added, place.function, text, draft.done());
    if let Some(edit) = drafts.edits.get_mut(before) {
        edit.cost = cost;
    }
}
