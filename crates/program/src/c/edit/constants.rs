//! Another constant: one more, one less, zero, the opposite, double, half, or one that the program has elsewhere; for a constant index also a
//! variable.

use std::collections::{BTreeMap, BTreeSet};

use super::survey::{Spot, Survey, Use};
use super::{Drafts, Family, TextEdit};
use crate::c::tree::{Binary, ExprId, ExprKind, ObjectId, StmtKind, Unary};
use crate::program::{Type, TypeId};
use crate::source::Span;
use nearmiss_logic::width::{low_bits, sign_extend};

/// So many constants of the program are tried in the place of one.
const MOST_OTHERS: usize = 24;

/// A constant that the text has.
pub(super) struct Written {
    pub(super) ty: TypeId,
    pub(super) value: i128,
    pub(super) text: String,
}

pub(super) fn propose(drafts: &mut Drafts) {
    let survey = drafts.survey;
    let pool = pool(survey);
    for spot in drafts.spots() {
        truth(drafts, spot);
        let Some(own) = written(survey, spot) else { continue };
        let Some((bits, signed)) = survey.integer(own.ty) else { continue };
        let number_text = |value: i128| {
            let fits = if signed { sign_extend(value as u128 & low_bits(bits), bits) } else { value };
            (fits == value && (signed || value >= 0)).then(|| spelled(value, &own.text))
        };
        let v = own.value;
        let mut wanted: Vec<(i128, String)> = Vec::new();
        for value in [v + 1, v - 1, 0, 1, -v, v * 2, v / 2, v + 2, v - 2, v * 10, v / 10, -1] {
            wanted.extend(number_text(value).map(|text| (value, text)));
        }
        // A name for a name, a number for a number, and then the others.
        let is_name = is_name(&own.text);
        let mut others: Vec<&Written> = pool.iter().filter(|other| other.value != v).collect();
        others.sort_by_key(|other| (is_name != self::is_name(&other.text), (other.value - v).unsigned_abs()));
        for other in others.into_iter().take(MOST_OTHERS) {
            let fits = signed || other.value >= 0;
            let fits = fits && (bits >= 127 || other.value.unsigned_abs() < 1 << (bits - u32::from(signed)));
            wanted.extend(fits.then(|| (other.value, other.text.clone())));
        }
        let span = survey.span(spot.expr);
        let mut numbers = BTreeSet::new();
        for (value, new) in wanted {
            // A number is the same one in another notation.
            if value == v || !self::is_name(&new) && !numbers.insert(value) {
                continue;
            }
            let mut draft = drafts.draft();
            draft.put(spot.expr, ExprKind::Const(value as u128 & low_bits(bits)));
            let new = if new.starts_with('-') { survey.fitting(span, new) } else { new };
            drafts.push(Family::Constant, spot.function, TextEdit { span, new }, draft.done());
        }
    }
    cases(drafts, &pool);
    indices(drafts);
}

/// `true` for `false`, and `1` for `0`, where it is a `_Bool`.
fn truth(drafts: &mut Drafts, spot: &Spot) {
    let survey = drafts.survey;
    let expr = survey.tree.expr(spot.expr);
    if *survey.tree.ty(expr.ty) != Type::Bool {
        return;
    }
    let (value, new) = match survey.text(spot.expr) {
        Some("true") => (0, "false"),
        Some("false") => (1, "true"),
        Some("1") => (0, "0"),
        Some("0") => (1, "1"),
        _ => return,
    };
    let mut draft = drafts.draft();
    draft.put(spot.expr, ExprKind::Const(value));
    let text = TextEdit { span: survey.span(spot.expr), new: new.to_owned() };
    drafts.push(Family::Constant, spot.function, text, draft.done());
}

/// Whether it is a sum, or the like.
fn is_computed(survey: &Survey, e: ExprId) -> bool {
    match survey.tree.expr(e).kind {
        ExprKind::Binary(..) => survey.text(e).is_some(),
        ExprKind::Convert { operand, explicit: false } => is_computed(survey, operand),
        _ => false,
    }
}

/// `a[i]` for `a[0]`, where tests are given for `a[i - 1]` as well.
fn indices(drafts: &mut Drafts) {
    let (survey, tree) = (drafts.survey, drafts.survey.tree);
    for spot in drafts.spots() {
        let index = match tree.expr(spot.expr).kind {
            ExprKind::Element { index, .. } | ExprKind::PointerAdd { index, .. } => index,
            _ => continue,
        };
        let own = Spot { expr: index, used: Use::Value, ..*spot };
        let is_computed = drafts.tests && is_computed(survey, index);
        if written(survey, &own).is_none() && !is_computed {
            continue;
        }
        let (span, ty) = (survey.span(index), tree.expr(index).ty);
        let is_number = |object: &&ObjectId| survey.integer(tree.object(**object).ty).is_some();
        let variables: Vec<ObjectId> = survey.in_scope(spot.scope).iter().filter(is_number).copied().collect();
        // The nearest last.
        for object in variables.into_iter().rev().take(MOST_OTHERS) {
            let of = tree.object(object);
            let mut draft = drafts.draft();
            let place = draft.value(ExprKind::Object(object), of.ty, span);
            if of.ty == ty {
                draft.put(index, ExprKind::Load(place));
            } else {
                let operand = draft.value(ExprKind::Load(place), of.ty, span);
                draft.put(index, ExprKind::Convert { operand, explicit: false });
            }
            drafts.push(Family::Constant, spot.function, TextEdit { span, new: of.name.clone() }, draft.done());
        }
    }
}

/// `case 3:` with another number.
fn cases(drafts: &mut Drafts, pool: &[Written]) {
    let survey = drafts.survey;
    for place in drafts.places() {
        let StmtKind::Case { low, high, body } = survey.tree.stmt(place.stmt).kind else { continue };
        let span = survey.tree.stmt(place.stmt).span;
        let text = survey.sources.text(span);
        let Some(rest) = text.strip_prefix("case").filter(|_| low == high) else { continue };
        let Some((label, _)) = rest.split_once(':') else { continue };
        let start = span.start + (4 + label.len() - label.trim_start().len()) as u32;
        let label = label.trim();
        let at = Span::new(span.file, start, start + label.len() as u32);
        let mut wanted: Vec<(i128, String)> = Vec::new();
        if !is_name(label) {
            wanted.extend([low + 1, low - 1].map(|value| (value, value.to_string())));
        }
        wanted.extend(
            pool.iter()
                .filter(|other| is_name(&other.text) == is_name(label))
                .map(|other| (other.value, other.text.clone())),
        );
        for (value, new) in wanted.into_iter().take(MOST_OTHERS) {
            if value == low {
                continue;
            }
            let mut draft = drafts.draft();
            draft.put_stmt(place.stmt, StmtKind::Case { low: value, high: value, body });
            drafts.push(Family::Constant, place.function, TextEdit { span: at, new }, draft.done());
        }
    }
}

/// The constants of the text, each name and number once.
pub(super) fn pool(survey: &Survey) -> Vec<Written> {
    let mut found: BTreeMap<String, Written> = BTreeMap::new();
    let all = (0..survey.tree.exprs.len() as u32).map(ExprId);
    let all = all.filter(|e| !survey.sources.file(survey.span(*e).file).system);
    for expr in all {
        let spot = Spot { expr, used: Use::Value, function: 0, scope: 0 };
        if let Some(written) = written(survey, &spot) {
            found.entry(written.text.clone()).or_insert(written);
        }
    }
    found.into_values().collect()
}

/// The constant that an expression is, as a number or as a name of one.
fn written(survey: &Survey, spot: &Spot) -> Option<Written> {
    let expr = survey.tree.expr(spot.expr);
    survey.integer(expr.ty)?;
    let text = survey.text(spot.expr)?;
    let value = number(survey, spot.expr)?;
    let is_number = literal(text).is_some_and(|number| number == value);
    (is_number || is_sum(text) || is_name(text) && text != "NULL").then(|| Written {
        ty: expr.ty,
        value,
        text: text.to_owned(),
    })
}

/// The number that an expression of constants is: macros may compute.
fn number(survey: &Survey, e: ExprId) -> Option<i128> {
    let expr = survey.tree.expr(e);
    let (bits, signed) = survey.integer(expr.ty)?;
    let value = match expr.kind {
        ExprKind::Const(value) => i128::try_from(value).ok()?,
        ExprKind::Unary(Unary::Minus, x) => number(survey, x)?.checked_neg()?,
        ExprKind::Convert { operand, .. } => number(survey, operand)?,
        ExprKind::Binary(Binary::Add, x, y) => number(survey, x)?.checked_add(number(survey, y)?)?,
        ExprKind::Binary(Binary::Subtract, x, y) => number(survey, x)?.checked_sub(number(survey, y)?)?,
        _ => return None,
    };
    let cut = value as u128 & low_bits(bits);
    Some(if signed { sign_extend(cut, bits) } else { i128::try_from(cut).ok()? })
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Is it `2 + 1` or the like?
fn is_sum(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '+' | '-' | '*' | '/' | '(' | ')'))
}

/// The number that a literal is, signs and suffixes included.
pub(super) fn literal(text: &str) -> Option<i128> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest.trim_start()));
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.get(..2) {
        Some("0x" | "0X") => i128::from_str_radix(&digits[2..], 16).ok()?,
        _ if digits.len() > 1 && digits.starts_with('0') => i128::from_str_radix(&digits[1..], 8).ok()?,
        _ => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

/// A number in the notation of another.
pub(super) fn spelled(value: i128, like: &str) -> String {
    let suffix = &like[like.trim_end_matches(['u', 'U', 'l', 'L']).len()..];
    let suffix = if is_name(like) || like.starts_with("0x") && suffix.is_empty() { "" } else { suffix };
    match like.starts_with("0x") && value >= 0 {
        true => format!("0x{value:x}{suffix}"),
        false => format!("{value}{suffix}"),
    }
}
