//! What is done beside it, done here too: an `if` that follows the same statement elsewhere in its function; the bit that one branch
//! sets, cleared in the other; and numbers that wrap round compared by their difference (`(int)(now - wake) >= 0`). What a driver forgets is
//! mostly what it does in another branch.

use super::added::{Side, insert, used};
use super::survey::{Place, Spot, Survey};
use super::{Drafts, Family, TextEdit};
use crate::c::lower::sign;
use crate::c::tree::{Binary, ExprId, ExprKind, ObjectId, Stmt, StmtId, StmtKind, Unary};
use crate::program::{Type, TypeId};

/// So many statements before are looked at for one that both places have.
const LOOKED_AT: usize = 3;
/// A longer `if` is not said twice.
const LONGEST: usize = 120;
/// How unlikely it is that one of these was meant: what is done elsewhere in the same way is easily forgotten.
const COST: u32 = 3;

pub(super) fn propose(drafts: &mut Drafts) {
    let before = drafts.edits.len();
    for place in drafts.places() {
        followed_elsewhere(drafts, place);
        taken_back(drafts, place);
    }
    for spot in drafts.spots() {
        by_difference(drafts, spot);
    }
    drafts.edits[before..].iter_mut().for_each(|edit| edit.cost = COST);
}

/// An `if` of one statement, behind a statement before which there is something that also stands before that `if`.
fn followed_elsewhere(drafts: &mut Drafts, place: &Place) {
    let survey = drafts.survey;
    if !matches!(survey.tree.stmt(place.stmt).kind, StmtKind::Expr(_)) {
        return;
    }
    let before = before(survey, place, true);
    for other in survey.places.iter().filter(|other| other.function == place.function && other.stmt != place.stmt) {
        let Some((text, objects)) = short_if(survey, other) else { continue };
        let scope = survey.in_scope(place.scope);
        let is_alike = || self::before(survey, other, false).iter().any(|text| before.contains(text));
        if objects.iter().all(|object| scope.contains(object)) && is_alike() {
            insert(drafts, place, other.stmt, text, Side::Behind);
        }
    }
}

/// The texts of the simple statements before a place in its block, and of its own.
fn before<'t>(survey: &Survey<'t>, place: &Place, own: bool) -> Vec<&'t str> {
    let Some(StmtKind::Block(parts)) = place.block.map(|block| &survey.tree.stmt(block).kind) else {
        return Vec::new();
    };
    let Some(at) = parts.iter().position(|part| *part == place.stmt) else { return Vec::new() };
    let near = parts[..at + usize::from(own)].iter().rev().take(LOOKED_AT).map(|part| unlabelled(survey, *part));
    let simple = near.filter(|stmt| matches!(stmt.kind, StmtKind::Expr(_)));
    simple.map(|stmt| survey.sources.text(stmt.span)).filter(|text| text.ends_with(';')).collect()
}

/// A statement without the cases and labels before it.
fn unlabelled<'t>(survey: &Survey<'t>, stmt: StmtId) -> &'t Stmt {
    let mut found = survey.tree.stmt(stmt);
    while let StmtKind::Case { .. } | StmtKind::Default(_) | StmtKind::Label(..) = found.kind
        && let [part] = found.kind.parts()[..]
    {
        found = survey.tree.stmt(part);
    }
    found
}

/// An `if` without `else` that does one thing, as one line, and the variables that it names.
fn short_if<'t>(survey: &Survey<'t>, place: &Place) -> Option<(&'t str, Vec<ObjectId>)> {
    let (condition, then) = plain_if(survey, place.stmt)?;
    let text = survey.sources.text(survey.tree.stmt(place.stmt).span);
    let is_short = text.ends_with(';') && text.len() <= LONGEST && !text.contains('\n');
    let mut objects = used(survey, then).filter(|_| is_short)?;
    objects.extend(survey.reads(condition)?);
    Some((text, objects))
}

/// The condition of an `if` without `else`, and the only statement that it guards.
fn plain_if(survey: &Survey, stmt: StmtId) -> Option<(ExprId, StmtId)> {
    let StmtKind::If { condition, then, otherwise: None } = survey.tree.stmt(stmt).kind else { return None };
    match &survey.tree.stmt(then).kind {
        StmtKind::Expr(_) => Some((condition, then)),
        StmtKind::Block(parts) => match parts[..] {
            [only] if matches!(survey.tree.stmt(only).kind, StmtKind::Expr(_)) => Some((condition, only)),
            _ => None,
        },
        _ => None,
    }
}

/// `if (c) x |= m;` with `else x &= ~m;`, and the other way round.
fn taken_back(drafts: &mut Drafts, place: &Place) {
    let (survey, tree) = (drafts.survey, drafts.tree);
    let Some((condition, then)) = plain_if(survey, place.stmt) else { return };
    let StmtKind::If { then: branch, .. } = tree.stmt(place.stmt).kind else { return };
    let StmtKind::Expr(e) = tree.stmt(then).kind else { return };
    let mut set = e;
    while let ExprKind::Convert { operand, explicit: false } = tree.expr(set).kind {
        set = operand;
    }
    let ExprKind::CompoundAssign { op, computation, target, value } = tree.expr(set).kind else { return };
    let (inverse, bits) = match op {
        Binary::Or => (Binary::And, unconverted(survey, value)),
        Binary::And => match tree.expr(unmasked(survey, value)).kind {
            ExprKind::Unary(Unary::Complement, bits) => (Binary::Or, unconverted(survey, bits)),
            _ => return,
        },
        _ => return,
    };
    let (Some(place_text), Some(bits_text)) = (survey.text(target), survey.operand(bits)) else { return };
    let (Some((of, _)), Some((computed, _))) = (survey.integer(tree.expr(bits).ty), survey.integer(computation)) else {
        return;
    };
    let int = survey.int().and_then(|int| survey.integer(int)).map_or(32, |(bits, _)| bits);
    let at = tree.stmt(place.stmt).span;
    let text = survey.sources.text(at);
    // The complement of what is wider than an `int` and narrower than the target leaves out the upper bits.
    if (of != computed && of >= int) || text.is_empty() {
        return;
    }
    let mut draft = drafts.draft();
    let span = survey.span(value);
    let mut other = bits;
    if tree.expr(bits).ty != computation {
        other = draft.value(ExprKind::Convert { operand: bits, explicit: false }, computation, span);
    }
    if inverse == Binary::And {
        other = draft.value(ExprKind::Unary(Unary::Complement, other), computation, span);
    }
    let kind = ExprKind::CompoundAssign { op: inverse, computation, target, value: other };
    let undone = draft.value(kind, tree.expr(set).ty, survey.span(set));
    let undone = draft.stmt(StmtKind::Expr(undone), tree.stmt(then).span);
    draft.put_stmt(place.stmt, StmtKind::If { condition, then: branch, otherwise: Some(undone) });
    let says = match inverse {
        Binary::And => format!("{place_text} &= ~{bits_text};"),
        _ => format!("{place_text} |= {bits_text};"),
    };
    let start = &survey.sources.file(at.file).text[..at.start as usize];
    let line = &start[start.rfind('\n').map_or(0, |end| end + 1)..];
    let indent = &line[..line.len() - line.trim_start().len()];
    let new = format!("{text}\n{indent}else\n{indent}    {says}");
    drafts.push(Family::Added, place.function, TextEdit { span: at, new }, draft.done());
}

/// Without conversions that nobody wrote.
fn unconverted(survey: &Survey, mut e: ExprId) -> ExprId {
    while let ExprKind::Convert { operand, explicit: false } = survey.tree.expr(e).kind {
        e = operand;
    }
    e
}

/// Without any conversions.
fn unmasked(survey: &Survey, mut e: ExprId) -> ExprId {
    while let ExprKind::Convert { operand, .. } = survey.tree.expr(e).kind {
        e = operand;
    }
    e
}

/// `a > b` of unsigned numbers that wrap round as `(int)(a - b) > 0`.
fn by_difference(drafts: &mut Drafts, spot: &Spot) {
    let (survey, tree) = (drafts.survey, drafts.tree);
    let ExprKind::Binary(op, x, y) = tree.expr(spot.expr).kind else { return };
    if !matches!(op, Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual) {
        return;
    }
    let (one, two) = (unconverted(survey, x), unconverted(survey, y));
    let is_number = |e: ExprId| matches!(tree.expr(e).kind, ExprKind::Const(_));
    let (Some((bits, false)), true) = (survey.integer(tree.expr(one).ty), tree.expr(one).ty == tree.expr(two).ty)
    else {
        return;
    };
    let (Some(left), Some(right)) = (survey.operand(x), survey.operand(y)) else { return };
    let (Some(int), Some((ty, word))) = (survey.int(), signed(survey, spot, bits)) else { return };
    if is_number(one) || is_number(two) || survey.operator(x, y, sign(op)).is_none() {
        return;
    }
    let span = survey.span(spot.expr);
    let mut draft = drafts.draft();
    let difference = draft.value(ExprKind::Binary(Binary::Subtract, x, y), tree.expr(x).ty, span);
    let mut difference = draft.value(ExprKind::Convert { operand: difference, explicit: true }, ty, span);
    let mut common = ty;
    if survey.integer(int).is_some_and(|(of_int, _)| bits < of_int) {
        difference = draft.value(ExprKind::Convert { operand: difference, explicit: false }, int, span);
        common = int;
    }
    let zero = draft.value(ExprKind::Const(0), common, span);
    draft.put(spot.expr, ExprKind::Binary(op, difference, zero));
    let new = survey.fitting(span, format!("({word})({left} - {right}) {} 0", sign(op)));
    drafts.push(Family::Type, spot.function, TextEdit { span, new }, draft.done());
}

/// The signed type of so many bits, by the name that fits the file.
fn signed(survey: &Survey, spot: &Spot, bits: u32) -> Option<(TypeId, String)> {
    let names = ["signed char", "short", "int", "long", "long long"];
    let number = |name: &str| {
        let is_it = |ty: &Type| matches!(ty, Type::Integer { name: own, bits: of, .. } if own == name && *of == bits);
        survey.tree.types.iter().position(is_it)
    };
    let (ty, name) = names.iter().find_map(|name| Some((TypeId(number(name)? as u32), *name)))?;
    let is_exact = survey.sources.file(survey.span(spot.expr).file).text.contains(&format!("uint{bits}_t"));
    Some((ty, if is_exact { format!("int{bits}_t") } else { name.to_owned() }))
}
