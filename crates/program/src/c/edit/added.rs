//! A condition is added, made of conditions that the program has; a statement is guarded, or copied from elsewhere in its function.

use std::collections::HashSet;

use super::survey::{Place, Spot, Survey, Use};
use super::{Draft, Drafts, Family, TextEdit};
use crate::c::tree::{Binary, ExprId, ExprKind, ObjectId, StmtId, StmtKind};
use crate::program::{Type, TypeId};
use crate::source::Span;
use nearmiss_logic::width::low_bits;

/// So many conditions are asked before a statement.
const MOST_ASKED: usize = 12;

/// A condition that can be asked elsewhere.
struct Atom {
    expr: ExprId,
    /// As an operand.
    text: String,
    /// The opposite.
    negated: String,
    reads: Vec<ObjectId>,
    function: u32,
}

pub(super) fn propose(drafts: &mut Drafts) {
    let Some(int) = drafts.survey.int() else { return };
    let atoms = atoms(drafts.survey);
    for spot in drafts.spots().into_iter().filter(|spot| spot.used == Use::Truth) {
        for atom in atoms.iter().filter(|atom| is_askable(drafts.survey, atom, spot.scope)) {
            conditions(drafts, spot, atom, int);
        }
    }
    for place in drafts.places() {
        guards(drafts, place, &atoms, int);
    }
    copies(drafts);
    ways_out(drafts, &atoms, int);
    missing_returns(drafts);
    initial_values(drafts);
}

/// The parts of conditions that only read.
fn atoms(survey: &Survey) -> Vec<Atom> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for spot in survey.spots.iter().filter(|spot| spot.used == Use::Truth) {
        let kind = &survey.tree.expr(spot.expr).kind;
        if matches!(kind, ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::Const(_)) {
            continue;
        }
        let (Some(text), Some(reads)) = (survey.text(spot.expr), survey.reads(spot.expr)) else { continue };
        let operand = match kind {
            ExprKind::LogicalNot(_) => text.to_owned(),
            ExprKind::Binary(Binary::And | Binary::Or | Binary::Xor, ..) => format!("({text})"),
            _ => text.to_owned(),
        };
        let negated = match kind {
            ExprKind::LogicalNot(x) => survey.operand(*x).unwrap_or_else(|| format!("!({text})")),
            _ => survey.operand(spot.expr).map_or_else(|| format!("!({text})"), |operand| format!("!{operand}")),
        };
        if !reads.is_empty() && seen.insert((operand.clone(), spot.function)) {
            found.push(Atom { expr: spot.expr, text: operand, negated, reads, function: spot.function });
        }
    }
    found
}

fn is_askable(survey: &Survey, atom: &Atom, scope: usize) -> bool {
    let scope = survey.in_scope(scope);
    atom.reads.iter().all(|object| scope.contains(object))
}

/// `c && atom`, `c || atom`, and both with its opposite.
fn conditions(drafts: &mut Drafts, spot: &Spot, atom: &Atom, int: TypeId) {
    let survey = drafts.survey;
    // What asks for itself would be its own part.
    if survey.span(atom.expr).contains(survey.span(spot.expr)) {
        return;
    }
    let Some(own) = survey.text(spot.expr) else { return };
    let span = survey.span(spot.expr);
    let kind = &survey.tree.expr(spot.expr).kind;
    for (and, negate) in [(true, false), (true, true), (false, false), (false, true)] {
        let mut draft = drafts.draft();
        let inner = draft.moved(spot.expr);
        let other = match negate {
            true => draft.value(ExprKind::LogicalNot(atom.expr), int, span),
            false => atom.expr,
        };
        let mut outer = survey.tree.expr(spot.expr).clone();
        outer.ty = int;
        outer.kind = if and { ExprKind::LogicalAnd(inner, other) } else { ExprKind::LogicalOr(inner, other) };
        draft.change.exprs.push((spot.expr, outer));
        let binds_less = match and {
            true => matches!(kind, ExprKind::LogicalOr(..) | ExprKind::Conditional { .. } | ExprKind::Assign { .. }),
            false => matches!(kind, ExprKind::Conditional { .. } | ExprKind::Assign { .. }),
        };
        let left = if binds_less { format!("({own})") } else { own.to_owned() };
        let right = if negate { &atom.negated } else { &atom.text };
        let new = survey.fitting(span, format!("{left} {} {right}", if and { "&&" } else { "||" }));
        // `c && a` differs from `c` where `c` holds and `a` does not.
        let local = survey.operand(spot.expr).map(|own| {
            let opposite = if negate { &atom.text } else { &atom.negated };
            if and { format!("{own} && {opposite}") } else { format!("!{own} && {right}") }
        });
        drafts.push_local(Family::Added, spot.function, TextEdit { span, new }, draft.done(), local);
    }
}

/// `if (atom) statement`.
fn guards(drafts: &mut Drafts, place: &Place, atoms: &[Atom], int: TypeId) {
    let survey = drafts.survey;
    let stmt = survey.tree.stmt(place.stmt);
    let text = survey.sources.text(stmt.span);
    let may_be_guarded =
        matches!(stmt.kind, StmtKind::Expr(_) | StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue);
    if !may_be_guarded || !text.ends_with(';') || matches!(stmt.kind, StmtKind::Return(Some(_))) {
        return;
    }
    for atom in atoms.iter().filter(|atom| atom.function == place.function && is_askable(survey, atom, place.scope)) {
        for negate in [false, true] {
            let mut draft = drafts.draft();
            let then = draft.stmt(stmt.kind.clone(), stmt.span);
            let condition = match negate {
                true => draft.value(ExprKind::LogicalNot(atom.expr), int, stmt.span),
                false => atom.expr,
            };
            draft.put_stmt(place.stmt, StmtKind::If { condition, then, otherwise: None });
            let asked = if negate { &atom.negated } else { &atom.text };
            let new = format!("if ({asked}) {text}");
            drafts.push(Family::Added, place.function, TextEdit { span: stmt.span, new }, draft.done());
        }
    }
}

/// A statement that the function has elsewhere, before or behind another one.
fn copies(drafts: &mut Drafts) {
    let survey = drafts.survey;
    let mut simple: Vec<(&Place, &str, Vec<ObjectId>)> = Vec::new();
    let mut seen = HashSet::new();
    for place in &survey.places {
        let stmt = survey.tree.stmt(place.stmt);
        let text = survey.sources.text(stmt.span);
        let Some(used) = used(survey, place.stmt) else { continue };
        if text.ends_with(';') && seen.insert((text, place.function)) {
            simple.push((place, text, used));
        }
    }
    for place in drafts.places().into_iter().filter(|place| place.block.is_some()) {
        let stmt = survey.tree.stmt(place.stmt);
        let at = stmt.span;
        if survey.sources.text(at).is_empty() || matches!(stmt.kind, StmtKind::Declare(_)) {
            continue;
        }
        for (from, text, used) in simple.iter().filter(|(from, ..)| from.function == place.function) {
            let kind = &survey.tree.stmt(from.stmt).kind;
            let leaves = matches!(kind, StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue);
            let scope = survey.in_scope(place.scope);
            let fits = used.iter().all(|object| scope.contains(object));
            let is_loop_word = matches!(kind, StmtKind::Break | StmtKind::Continue) && !place.breakable;
            if from.stmt == place.stmt || !fits || is_loop_word {
                continue;
            }
            let side = if leaves { Side::Behind } else { Side::Both };
            insert(drafts, place, from.stmt, text, side);
        }
        if place.breakable && !matches!(stmt.kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)) {
            let mut draft = drafts.draft();
            let own = draft.stmt(stmt.kind.clone(), at);
            let leave = draft.stmt(StmtKind::Break, at);
            draft.put_stmt(place.stmt, StmtKind::Block(vec![own, leave]));
            let text = TextEdit { span: Span::new(at.file, at.end, at.end), new: behind(survey, place.stmt, "break;") };
            drafts.push(Family::Added, place.function, text, draft.done());
        }
    }
}

/// How a statement is written behind another one: behind the last line of an `if` it would look like a part of it.
fn behind(survey: &Survey, stmt: StmtId, text: &str) -> String {
    let stmt = survey.tree.stmt(stmt);
    let is_marked = matches!(
        stmt.kind,
        StmtKind::Label(..) | StmtKind::ErrorLabel(..) | StmtKind::Case { .. } | StmtKind::Default(_)
    );
    if is_marked || stmt.kind.parts().is_empty() {
        return format!(" {text}");
    }
    let before = &survey.sources.file(stmt.span.file).text[..stmt.span.start as usize];
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    format!("\n{}{text}", &line[..line.len() - line.trim_start().len()])
}

/// Where a copy goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Behind,
    /// Also before.
    Both,
}

/// A copy of a statement beside one of a block.
pub(super) fn insert(drafts: &mut Drafts, place: &Place, copied: StmtId, text: &str, side: Side) {
    let survey = drafts.survey;
    let stmt = survey.tree.stmt(place.stmt);
    let at = stmt.span;
    for before in [true, false] {
        // What comes behind something that leaves is never reached.
        let own_leaves =
            matches!(stmt.kind, StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_));
        if before && side == Side::Behind || !before && own_leaves {
            continue;
        }
        let mut draft = drafts.draft();
        let own = draft.stmt(stmt.kind.clone(), at);
        let copy = draft.stmt(survey.tree.stmt(copied).kind.clone(), survey.tree.stmt(copied).span);
        draft.put_stmt(place.stmt, StmtKind::Block(if before { vec![copy, own] } else { vec![own, copy] }));
        let (span, new) = match before {
            true => (Span::new(at.file, at.start, at.start), format!("{text} ")),
            false => (Span::new(at.file, at.end, at.end), behind(survey, place.stmt, text)),
        };
        drafts.push(Family::Added, place.function, TextEdit { span, new }, draft.done());
    }
}

/// The variables that a simple statement names; none if it is no simple one.
pub(super) fn used(survey: &Survey, s: StmtId) -> Option<Vec<ObjectId>> {
    let kind = &survey.tree.stmt(s).kind;
    match kind {
        StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) => Some(Vec::new()),
        StmtKind::Expr(e) | StmtKind::Return(Some(e)) => named(survey, *e),
        _ => None,
    }
}

pub(super) fn named(survey: &Survey, e: ExprId) -> Option<Vec<ObjectId>> {
    match &survey.tree.expr(e).kind {
        ExprKind::Object(object) => Some(vec![*object]),
        ExprKind::StatementExpr(_) | ExprKind::Unsupported(_) | ExprKind::Builtin(..) => None,
        kind => {
            let mut found = Vec::new();
            for operand in kind.operands() {
                found.extend(named(survey, operand)?);
            }
            Some(found)
        }
    }
}

/// `if (atom) return x;` before a statement, where the function returns `x` elsewhere.
fn ways_out(drafts: &mut Drafts, atoms: &[Atom], int: TypeId) {
    let survey = drafts.survey;
    let mut returned: Vec<(&Place, &str, Vec<ObjectId>)> = Vec::new();
    let mut seen = HashSet::new();
    for place in &survey.places {
        let stmt = survey.tree.stmt(place.stmt);
        let text = survey.sources.text(stmt.span);
        if let (StmtKind::Return(_), Some(used)) = (&stmt.kind, used(survey, place.stmt))
            && text.ends_with(';')
            && seen.insert((text, place.function))
        {
            returned.push((place, text, used));
        }
    }
    for place in drafts.places().into_iter().filter(|place| place.block.is_some()) {
        let stmt = survey.tree.stmt(place.stmt);
        let (at, scope) = (stmt.span, survey.in_scope(place.scope));
        let leaves = matches!(stmt.kind, StmtKind::Declare(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Empty);
        if survey.sources.text(at).is_empty() || leaves {
            continue;
        }
        let here = atoms.iter().filter(|atom| atom.function == place.function && is_askable(survey, atom, place.scope));
        for atom in here.take(MOST_ASKED) {
            for (from, text, used) in returned.iter().filter(|(from, ..)| from.function == place.function) {
                if from.stmt == place.stmt || !used.iter().all(|object| scope.contains(object)) {
                    continue;
                }
                for negate in [false, true] {
                    let mut draft = drafts.draft();
                    let own = draft.stmt(stmt.kind.clone(), at);
                    let then = draft.stmt(survey.tree.stmt(from.stmt).kind.clone(), survey.tree.stmt(from.stmt).span);
                    let condition = match negate {
                        true => draft.value(ExprKind::LogicalNot(atom.expr), int, at),
                        false => atom.expr,
                    };
                    let leave = draft.stmt(StmtKind::If { condition, then, otherwise: None }, at);
                    draft.put_stmt(place.stmt, StmtKind::Block(vec![leave, own]));
                    let asked = if negate { &atom.negated } else { &atom.text };
                    let text =
                        TextEdit { span: Span::new(at.file, at.start, at.start), new: format!("if ({asked}) {text} ") };
                    drafts.push(Family::Added, place.function, text, draft.done());
                }
            }
        }
    }
}

/// `return x;` at the end of a function that ends without.
fn missing_returns(drafts: &mut Drafts) {
    let (survey, tree) = (drafts.survey, drafts.survey.tree);
    let returns = |place: &&Place| matches!(tree.stmt(place.stmt).kind, StmtKind::Return(Some(_)));
    let returned: Vec<&Place> = survey.places.iter().filter(returns).collect();
    for place in drafts.places().into_iter().filter(|place| place.block.is_none()) {
        let function = &tree.functions[place.function as usize];
        let StmtKind::Block(parts) = &tree.stmt(place.stmt).kind else { continue };
        let is_body = function.body == Some(place.stmt) && survey.sources.text(function.end) == "}";
        let leaves = |kind: &StmtKind| matches!(kind, StmtKind::Return(_) | StmtKind::Goto(_));
        let ends = parts.last().is_none_or(|last| !leaves(&tree.stmt(*last).kind));
        let Some((bits, signed)) = survey.integer(function.returns).filter(|_| is_body && ends) else { continue };
        // The end of `main` returns 0.
        if function.name == "main" {
            continue;
        }
        let at = Span::new(function.end.file, function.end.start, function.end.start);
        let usual: [i128; 3] = [0, 1, -1];
        let fitting = usual.into_iter().filter(|value| *value >= 0 || signed);
        let mut wanted: Vec<(String, ExprId, Draft)> = Vec::new();
        for value in fitting {
            let mut draft = drafts.draft();
            let e = draft.value(ExprKind::Const(value as u128 & low_bits(bits)), function.returns, at);
            wanted.push((value.to_string(), e, draft));
        }
        for other in &returned {
            let StmtKind::Return(Some(e)) = tree.stmt(other.stmt).kind else { continue };
            let is_constant = named(survey, e).is_some_and(|named| named.is_empty());
            let fits = tree.expr(e).ty == function.returns && is_constant;
            if let Some(text) = survey.text(e).filter(|text| fits && wanted.iter().all(|(known, ..)| known != text)) {
                wanted.push((text.to_owned(), e, drafts.draft()));
            }
        }
        let declared = parts.iter().filter_map(|part| match &tree.stmt(*part).kind {
            StmtKind::Declare(objects) => Some(objects),
            _ => None,
        });
        for object in function.parameters.iter().chain(declared.flatten()).copied() {
            let of = tree.object(object);
            if of.ty == function.returns {
                let mut draft = drafts.draft();
                let variable = draft.value(ExprKind::Object(object), of.ty, at);
                let e = draft.value(ExprKind::Load(variable), of.ty, at);
                wanted.push((of.name.clone(), e, draft));
            }
        }
        for (text, e, mut draft) in wanted {
            let leave = draft.stmt(StmtKind::Return(Some(e)), at);
            let mut parts = parts.clone();
            parts.push(leave);
            draft.put_stmt(place.stmt, StmtKind::Block(parts));
            let new = format!("    return {text};\n");
            drafts.push(Family::Added, place.function, TextEdit { span: at, new }, draft.done());
        }
    }
}

/// `int n;` as `int n = 0;`, where tests are given also as `int n = 1;`.
fn initial_values(drafts: &mut Drafts) {
    let survey = drafts.survey;
    // What the entry function leaves open is an input, unless tests say what inputs are.
    let entry = if drafts.tests { "" } else { drafts.entry };
    let is_entry = |place: &Place| survey.tree.functions[place.function as usize].name == entry;
    for place in drafts.places().into_iter().filter(|place| !is_entry(place)) {
        let StmtKind::Declare(objects) = &survey.tree.stmt(place.stmt).kind else { continue };
        for id in objects {
            let object = survey.tree.object(*id);
            let is_scalar =
                matches!(survey.tree.ty(object.ty), Type::Integer { .. } | Type::Bool | Type::Pointer { .. });
            let is_scalar = is_scalar || drafts.tests && matches!(survey.tree.ty(object.ty), Type::Float { .. });
            if object.init.is_some() || !is_scalar || survey.sources.text(object.span) != object.name {
                continue;
            }
            let span = object.span;
            let has_one = drafts.tests && matches!(survey.tree.ty(object.ty), Type::Integer { .. });
            for value in 0..=u128::from(has_one) {
                let mut draft = drafts.draft();
                let target = draft.expr(crate::c::tree::Expr {
                    kind: ExprKind::Object(*id),
                    ty: object.ty,
                    span,
                    volatile: false,
                    align: 1,
                });
                let zero = draft.value(ExprKind::Const(value), object.ty, span);
                let set = draft.value(ExprKind::Assign { target, value: zero }, object.ty, span);
                let set = draft.stmt(StmtKind::Expr(set), span);
                let Some(block) = place.block else { continue };
                let StmtKind::Block(parts) = &survey.tree.stmt(block).kind else { continue };
                let mut parts = parts.clone();
                let Some(at) = parts.iter().position(|part| *part == place.stmt) else { continue };
                parts.insert(at + 1, set);
                draft.put_stmt(block, StmtKind::Block(parts));
                let text = TextEdit { span: Span::new(span.file, span.end, span.end), new: format!(" = {value}") };
                drafts.push(Family::Added, place.function, text, draft.done());
            }
        }
    }
}
