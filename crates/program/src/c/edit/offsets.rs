//! A side of a comparison less or more by what accesses of the same function add: `n > length - 2` where `data + 2` is read, and
//! `n > length - at` where `data[at]` is. A bound that forgets where it is counted from is the usual slip of parsers.

use std::collections::{BTreeMap, BTreeSet};

use super::survey::{Spot, Survey};
use super::{Change, Drafts, Family, TextEdit};
use crate::c::tree::{Binary, ExprId, ExprKind, ObjectId};

/// So many numbers, and so many variables, of a function are tried.
const MOST_NUMBERS: usize = 3;
const MOST_VARIABLES: usize = 3;
/// How unlikely it is that this was meant: to forget where a bound is counted from is easy.
const COST: u32 = 2;
/// A larger offset is not what a header takes.
const LARGEST: u128 = 64;

/// What accesses of a function add.
#[derive(Default)]
struct Offsets {
    numbers: BTreeSet<u128>,
    variables: BTreeSet<u32>,
}

pub(super) fn propose(drafts: &mut Drafts) {
    let survey = drafts.survey;
    let mut offsets: BTreeMap<u32, Offsets> = BTreeMap::new();
    for spot in drafts.spots() {
        if let Some(index) = index(survey, spot.expr) {
            note(survey, index, offsets.entry(spot.function).or_default());
        }
    }
    for spot in drafts.spots() {
        let ExprKind::Binary(op, one, other) = survey.tree.expr(spot.expr).kind else { continue };
        let Some(known) = offsets.get(&spot.function).filter(|_| op.is_relation()) else { continue };
        for side in [one, other] {
            shifted(drafts, &Spot { expr: side, ..*spot }, known);
        }
    }
}

/// What an access adds to where its object starts.
fn index(survey: &Survey, e: ExprId) -> Option<ExprId> {
    match survey.tree.expr(e).kind {
        ExprKind::PointerAdd { index, .. } | ExprKind::Element { index, .. } => Some(index),
        ExprKind::Deref(x) | ExprKind::Load(x) => index(survey, x),
        _ => None,
    }
}

/// The numbers above 1 and the variables in an index.
fn note(survey: &Survey, index: ExprId, offsets: &mut Offsets) {
    match survey.tree.expr(index).kind {
        ExprKind::Const(number) if (2..=LARGEST).contains(&number) => {
            offsets.numbers.insert(number);
        }
        ExprKind::Convert { operand, explicit: false } => note(survey, operand, offsets),
        ExprKind::Binary(Binary::Add | Binary::Subtract, one, other) => {
            note(survey, one, offsets);
            note(survey, other, offsets);
        }
        ExprKind::Load(place) | ExprKind::Step { target: place, .. } => {
            if let ExprKind::Object(object) = survey.tree.expr(place).kind {
                offsets.variables.insert(object.0);
            }
        }
        _ => {}
    }
}

/// A variable, less or more by each of these.
fn shifted(drafts: &mut Drafts, spot: &Spot, offsets: &Offsets) {
    let survey = drafts.survey;
    let (expr, span) = (survey.tree.expr(spot.expr), survey.span(spot.expr));
    let mut read = spot.expr;
    while let ExprKind::Convert { operand, explicit: false } = survey.tree.expr(read).kind {
        read = operand;
    }
    let ExprKind::Load(place) = survey.tree.expr(read).kind else { return };
    let (Some(_), Some(text)) = (survey.integer(expr.ty), survey.operand(spot.expr)) else { return };
    let own = match survey.tree.expr(place).kind {
        ExprKind::Object(object) => Some(object.0),
        _ => None,
    };
    for (op, sign) in [(Binary::Subtract, "-"), (Binary::Add, "+")] {
        for number in offsets.numbers.iter().take(MOST_NUMBERS) {
            let mut draft = drafts.draft();
            let inner = draft.moved(spot.expr);
            let amount = draft.value(ExprKind::Const(*number), expr.ty, span);
            draft.put(spot.expr, ExprKind::Binary(op, inner, amount));
            let new = format!("{text} {sign} {number}");
            push(drafts, spot, TextEdit { span, new }, draft.done());
        }
        // What is narrower than an `int` becomes one, as this side did.
        let is_promoted = |ty| {
            let (Some((bits, _)), Some(int)) = (survey.integer(ty), survey.int()) else { return false };
            expr.ty == int && survey.integer(int).is_some_and(|(of_int, _)| bits < of_int)
        };
        let is_fitting = |object: &&u32| {
            let ty = survey.tree.object(ObjectId(**object)).ty;
            Some(**object) != own && (ty == expr.ty || is_promoted(ty))
        };
        for object in offsets.variables.iter().filter(is_fitting).take(MOST_VARIABLES) {
            let object = ObjectId(*object);
            let of = survey.tree.object(object);
            if !survey.in_scope(spot.scope).contains(&object) {
                continue;
            }
            let mut draft = drafts.draft();
            let inner = draft.moved(spot.expr);
            let place = draft.value(ExprKind::Object(object), of.ty, span);
            let mut amount = draft.value(ExprKind::Load(place), of.ty, span);
            if of.ty != expr.ty {
                amount = draft.value(ExprKind::Convert { operand: amount, explicit: false }, expr.ty, span);
            }
            draft.put(spot.expr, ExprKind::Binary(op, inner, amount));
            let new = format!("{text} {sign} {}", of.name);
            push(drafts, spot, TextEdit { span, new }, draft.done());
        }
    }
}

fn push(drafts: &mut Drafts, spot: &Spot, text: TextEdit, change: Change) {
    let before = drafts.edits.len();
    drafts.push(Family::Name, spot.function, text, change);
    drafts.edits[before..].iter_mut().for_each(|edit| edit.cost = COST);
}
