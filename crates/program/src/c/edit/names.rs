//! Another variable, field or function of the same type; what a function without parameters answers, in the place of a value; arguments
//! swapped; one more or one less than a value.

use super::survey::{Spot, Survey, Use};
use super::truths::Truths;
use super::{Drafts, Family, TextEdit};
use crate::c::tree::{Binary, ExprId, ExprKind, FunctionId};
use crate::program::Type;
use crate::source::Span;

pub(super) fn propose(drafts: &mut Drafts) {
    let survey = drafts.survey;
    let truths = Truths::of(survey.tree);
    for spot in drafts.spots() {
        match &survey.tree.expr(spot.expr).kind {
            ExprKind::Object(_) => variables(drafts, spot),
            ExprKind::Load(x) => {
                if let ExprKind::Object(_) = survey.tree.expr(*x).kind
                    && survey.text(spot.expr).is_some()
                {
                    variables(drafts, &Spot { expr: *x, ..*spot });
                }
            }
            ExprKind::Member { .. } => fields(drafts, spot),
            ExprKind::Call { .. } => {
                functions(drafts, spot);
                arguments(drafts, spot);
            }
            _ => {}
        }
        if spot.used == Use::Value {
            one_off(drafts, spot);
        }
        if matches!(survey.tree.expr(spot.expr).kind, ExprKind::Load(_) | ExprKind::Binary(..)) {
            answers(drafts, spot, &truths);
        }
    }
}

fn variables(drafts: &mut Drafts, spot: &Spot) {
    let survey = drafts.survey;
    let ExprKind::Object(object) = survey.tree.expr(spot.expr).kind else { return };
    let span = survey.span(spot.expr);
    let of = survey.tree.object(object);
    if survey.sources.text(span) != of.name {
        return;
    }
    let other_side = survey.other_side(spot.expr);
    for other in survey.in_scope(spot.scope) {
        let candidate = survey.tree.object(*other);
        let is_set = spot.used == Use::Target && (candidate.read_only || !survey.may_be_set(*other));
        if *other == object
            || other_side == Some(*other)
            || candidate.ty != of.ty
            || candidate.name.is_empty()
            || is_set
        {
            continue;
        }
        let mut draft = drafts.draft();
        draft.put(spot.expr, ExprKind::Object(*other));
        let text = TextEdit { span, new: candidate.name.clone() };
        drafts.push(Family::Name, spot.function, text, draft.done());
    }
}

fn fields(drafts: &mut Drafts, spot: &Spot) {
    let survey = drafts.survey;
    let ExprKind::Member { base, field } = survey.tree.expr(spot.expr).kind else { return };
    let Type::Record { fields, .. } = survey.tree.ty(survey.tree.expr(base).ty) else { return };
    let name = &fields[field as usize].name;
    let span = survey.span(spot.expr);
    if name.is_empty() || !survey.sources.text(span).ends_with(name.as_str()) {
        return;
    }
    let at = Span::new(span.file, span.end - name.len() as u32, span.end);
    for (number, other) in (0..).zip(fields) {
        if number == field || other.ty != fields[field as usize].ty || other.name.is_empty() {
            continue;
        }
        let mut draft = drafts.draft();
        draft.put(spot.expr, ExprKind::Member { base, field: number });
        let text = TextEdit { span: at, new: other.name.clone() };
        drafts.push(Family::Name, spot.function, text, draft.done());
    }
}

fn functions(drafts: &mut Drafts, spot: &Spot) {
    let survey = drafts.survey;
    let (ExprKind::Call { callee, .. }, Some(function)) = (&survey.tree.expr(spot.expr).kind, survey.called(spot.expr))
    else {
        return;
    };
    let of = survey.tree.function(function);
    let span = survey.span(*callee);
    if survey.sources.text(span) != of.name {
        return;
    }
    for (number, other) in (0..).zip(&survey.tree.functions) {
        let is_other = number != function.0 && !other.system && other.body.is_some();
        // One that is defined further down may not be declared here.
        let is_before = other.span.file != span.file || other.span.start < span.start;
        if !is_other || !is_before || other.ty != of.ty || number == spot.function {
            continue;
        }
        let mut draft = drafts.draft();
        draft.put(*callee, ExprKind::FunctionAddress(FunctionId(number)));
        let text = TextEdit { span, new: other.name.clone() };
        drafts.push(Family::Name, spot.function, text, draft.done());
    }
}

/// `f()` for a variable or a term.
fn answers(drafts: &mut Drafts, spot: &Spot, truths: &Truths) {
    let survey = drafts.survey;
    let (tree, ty, span) = (survey.tree, survey.tree.expr(spot.expr).ty, survey.span(spot.expr));
    if !matches!(spot.used, Use::Value | Use::Truth) || survey.integer(ty).is_none() || survey.text(spot.expr).is_none()
    {
        return;
    }
    let is_truth = spot.used == Use::Truth || truths.is_truth(spot.expr);
    for (number, other) in (0..).zip(&tree.functions) {
        let function = FunctionId(number);
        let asks_nothing = other.parameter_types.is_empty() && !other.variadic && survey.is_pure_function(function);
        let is_before = other.span.file == span.file && other.span.start < span.start;
        let is_another = survey.is_editable(number) && number != spot.function && is_before;
        if !asks_nothing || !is_another || other.returns != ty || truths.answers(function) != is_truth {
            continue;
        }
        let mut draft = drafts.draft();
        let callee = draft.value(ExprKind::FunctionAddress(function), survey.pointer_to(other.ty), span);
        draft.put(spot.expr, ExprKind::Call { callee, arguments: Vec::new() });
        drafts.push(Family::Name, spot.function, TextEdit { span, new: format!("{}()", other.name) }, draft.done());
    }
}

/// Functions that write to what their first argument points to.
const WRITING: &[&str] = &["memcpy", "memmove", "strcpy", "strncpy", "strcat", "strncat"];

/// `f(a, b)` as `f(b, a)`.
fn arguments(drafts: &mut Drafts, spot: &Spot) {
    let survey = drafts.survey;
    let ExprKind::Call { callee, arguments } = &survey.tree.expr(spot.expr).kind else { return };
    for (i, first) in arguments.iter().enumerate() {
        for (j, second) in arguments.iter().enumerate().skip(i + 1) {
            let (Some(a), Some(b)) = (survey.text(*first), survey.text(*second)) else { continue };
            let (start, end) = (survey.span(*first), survey.span(*second));
            if survey.tree.expr(*first).ty != survey.tree.expr(*second).ty || start.end > end.start {
                continue;
            }
            // What is written to comes first; what may not be written to cannot stand there.
            let writes = i == 0 && survey.text(*callee).is_some_and(|name| WRITING.contains(&name));
            if writes && survey.is_of_const(*second) {
                continue;
            }
            let between = survey.sources.text(Span::new(start.file, start.end, end.start));
            let mut swapped = arguments.clone();
            swapped.swap(i, j);
            let mut draft = drafts.draft();
            draft.put(spot.expr, ExprKind::Call { callee: *callee, arguments: swapped });
            let text = TextEdit { span: Span::new(start.file, start.start, end.end), new: format!("{b}{between}{a}") };
            drafts.push(Family::Name, spot.function, text, draft.done());
        }
    }
}

/// `x + 1` and `x - 1`, where `x` is a variable, an element, a field or a call.
fn one_off(drafts: &mut Drafts, spot: &Spot) {
    let survey = drafts.survey;
    let expr = survey.tree.expr(spot.expr);
    let is_value =
        matches!(expr.kind, ExprKind::Load(_) | ExprKind::Call { .. } | ExprKind::Convert { explicit: false, .. })
            && is_one_value(survey, spot.expr);
    let Some((bits, _)) = survey.integer(expr.ty).filter(|_| is_value) else { return };
    let int = survey.int().and_then(|int| survey.integer(int)).map_or(32, |(bits, _)| bits);
    let Some(text) = survey.operand(spot.expr).filter(|_| bits >= int) else { return };
    let span = survey.span(spot.expr);
    for (op, sign) in [(Binary::Add, "+"), (Binary::Subtract, "-")] {
        let mut draft = drafts.draft();
        let inner = draft.moved(spot.expr);
        let one = draft.value(ExprKind::Const(1), expr.ty, span);
        draft.put(spot.expr, ExprKind::Binary(op, inner, one));
        let new = survey.fitting(span, format!("{text} {sign} 1"));
        drafts.push(Family::Name, spot.function, TextEdit { span, new }, draft.done());
    }
}

fn is_one_value(survey: &Survey, e: ExprId) -> bool {
    match survey.tree.expr(e).kind {
        ExprKind::Load(_) | ExprKind::Call { .. } => true,
        ExprKind::Convert { operand, explicit: false } => is_one_value(survey, operand),
        _ => false,
    }
}
