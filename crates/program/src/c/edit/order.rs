//! Two things the other way round: neighbouring statements, and the indices of `a[i][j]`; an `if` that becomes the `else` of the one before. Only
//! where tests are given.

use super::survey::{Place, Spot};
use super::{Drafts, Family, TextEdit};
use crate::c::tree::{ExprId, ExprKind, StmtId, StmtKind};
use crate::source::Span;

/// Longer statements stay where they are.
const LONGEST: u32 = 300;

pub(super) fn propose(drafts: &mut Drafts) {
    for place in drafts.places() {
        if let Some(next) = next(drafts, place) {
            swapped_statements(drafts, place, next);
            another_case(drafts, place, next);
        }
    }
    for spot in drafts.spots() {
        swapped_indices(drafts, spot);
    }
}

/// The statement that follows in the same block.
fn next(drafts: &Drafts, place: &Place) -> Option<StmtId> {
    let StmtKind::Block(parts) = &drafts.tree.stmt(place.block?).kind else { return None };
    let at = parts.iter().position(|part| *part == place.stmt)?;
    let next = *parts.get(at + 1)?;
    drafts.survey.places.iter().any(|other| other.stmt == next).then_some(next)
}

fn swapped_statements(drafts: &mut Drafts, place: &Place, next: StmtId) {
    let (tree, sources) = (drafts.tree, drafts.survey.sources);
    let (one, two) = (tree.stmt(place.stmt), tree.stmt(next));
    let (first, second) = (one.span, two.span);
    let moves = |kind: &StmtKind| {
        matches!(
            kind,
            StmtKind::Expr(_)
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
        )
    };
    let is_short = first.file == second.file && first.end <= second.start && second.end - first.start <= LONGEST;
    // Two loops are rarely meant the other way round.
    let is_simple = matches!(one.kind, StmtKind::Expr(_)) || matches!(two.kind, StmtKind::Expr(_));
    if !moves(&one.kind) || !moves(&two.kind) || !is_short || !is_simple {
        return;
    }
    let (a, b) = (sources.text(first), sources.text(second));
    let is_whole = |text: &str| text.ends_with([';', '}']);
    let between = sources.text(Span::new(first.file, first.end, second.start));
    if !is_whole(a) || !is_whole(b) || !between.trim().is_empty() {
        return;
    }
    let mut draft = drafts.draft();
    draft.change.stmts.extend([(place.stmt, two.clone()), (next, one.clone())]);
    let text = TextEdit { span: Span::new(first.file, first.start, second.end), new: format!("{b}{between}{a}") };
    drafts.push(Family::Order, place.function, text, draft.done());
}

/// `if (a) … if (b) …` as `if (a) … else if (b) …`.
fn another_case(drafts: &mut Drafts, place: &Place, next: StmtId) {
    let tree = drafts.tree;
    let mut last = place.stmt;
    while let StmtKind::If { otherwise: Some(otherwise), .. } = tree.stmt(last).kind {
        last = otherwise;
    }
    let second = tree.stmt(next);
    let (StmtKind::If { condition, then, otherwise: None }, StmtKind::If { .. }) =
        (&tree.stmt(last).kind, &second.kind)
    else {
        return;
    };
    let mut draft = drafts.draft();
    let moved = draft.stmt(second.kind.clone(), second.span);
    draft.put_stmt(last, StmtKind::If { condition: *condition, then: *then, otherwise: Some(moved) });
    draft.put_stmt(next, StmtKind::Empty);
    let at = second.span;
    let text = TextEdit { span: Span::new(at.file, at.start, at.start), new: "else ".to_owned() };
    drafts.push(Family::Added, place.function, text, draft.done());
    if let Some(edit) = drafts.edits.last_mut().filter(|edit| edit.text.new == "else ") {
        edit.cost = 2;
    }
}

/// `a[i][j]` as `a[j][i]`.
fn swapped_indices(drafts: &mut Drafts, spot: &Spot) {
    let survey = drafts.survey;
    let Some((rest, second)) = index(drafts, spot.expr) else { return };
    let Some((_, first)) = index(drafts, rest) else { return };
    let (Some(a), Some(b)) = (survey.text(first), survey.text(second)) else { return };
    let (start, end) = (survey.span(first), survey.span(second));
    if start.file != end.file || start.end > end.start {
        return;
    }
    let between = survey.sources.text(Span::new(start.file, start.end, end.start));
    let mut draft = drafts.draft();
    draft.put_expr(first, second);
    draft.put_expr(second, first);
    let text = TextEdit { span: Span::new(start.file, start.start, end.end), new: format!("{b}{between}{a}") };
    drafts.push(Family::Order, spot.function, text, draft.done());
}

/// What is indexed, and the index.
fn index(drafts: &Drafts, e: ExprId) -> Option<(ExprId, ExprId)> {
    match drafts.tree.expr(e).kind {
        ExprKind::Element { array, index } => Some((array, index)),
        ExprKind::PointerAdd { pointer, index, subtract: false } => Some((pointer, index)),
        ExprKind::Deref(x) | ExprKind::Load(x) | ExprKind::AddressOf(x) => index(drafts, x),
        ExprKind::Convert { operand, explicit: false } => index(drafts, operand),
        _ => None,
    }
}
