//! Which of the text may be edited as text: where functions begin and end, and what asks, assumes or is trusted.

use super::survey::Survey;
use super::words::{Kind, Words};
use crate::c::tree::{ExprKind, ObjectId};
use crate::source::Span;
use nearmiss_logic::width::sign_extend;

/// Where a word stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Where {
    /// Nothing is edited there.
    Off,
    /// In the entry function.
    Entry,
    /// In the head of a function, before its body.
    Head(u32),
    /// In the body of a function.
    Body(u32),
    /// In none.
    Outside,
}

/// The words, and where they stand.
pub(super) struct Ground<'t> {
    pub(super) survey: &'t Survey<'t>,
    pub(super) words: Words<'t>,
    /// The integers of the text.
    pub(super) numbers: Vec<i128>,
    functions: Vec<Extent>,
}

/// A function with a body in the text.
struct Extent {
    number: u32,
    /// From the first word of its head to the brace that closes its body.
    whole: Span,
    /// Where its body begins.
    body: u32,
    is_entry: bool,
    is_off: bool,
}

impl<'t> Ground<'t> {
    pub(super) fn of(survey: &'t Survey<'t>, entry: &str) -> Ground<'t> {
        let words = Words::of(survey.sources);
        let mut functions = Vec::new();
        for (number, function) in (0..).zip(&survey.tree.functions) {
            if function.body.is_none() || function.system {
                continue;
            }
            let (file, end) = (function.span.file, function.end.end);
            let own = words.files.iter().find(|words| words.first().is_some_and(|word| word.span.file == file));
            let at = own.and_then(|own| own.iter().position(|word| word.span.start == function.span.start));
            let (is_entry, is_off) = (function.name == entry, !survey.is_editable(number));
            functions.push(match (own, at) {
                (Some(own), Some(at)) => {
                    let before = own[..at].iter().rposition(|word| matches!(word.text, ";" | "}"));
                    let begin = own[before.map_or(0, |before| before + 1)].span.start;
                    let body = own[at..].iter().find(|word| word.text == "{").map_or(end, |word| word.span.start);
                    Extent { number, whole: Span::new(file, begin, end), body, is_entry, is_off }
                }
                // A macro makes it.
                _ => {
                    let whole = Span::new(file, function.span.start.min(end), end);
                    Extent { number, whole, body: whole.start, is_entry, is_off: true }
                }
            });
        }
        let mut ground = Ground { survey, words, numbers: Vec::new(), functions };
        ground.numbers = ground.find_numbers();
        ground
    }

    /// Where a word stands.
    pub(super) fn place(&self, at: Span) -> Where {
        if self.survey.asked.iter().any(|asked| asked.contains(at)) {
            return Where::Off;
        }
        let Some(function) = self.functions.iter().find(|function| function.whole.contains(at)) else {
            return Where::Outside;
        };
        match function {
            Extent { is_off: true, .. } => Where::Off,
            Extent { is_entry: true, .. } => Where::Entry,
            Extent { number, body, .. } if at.start < *body => Where::Head(*number),
            Extent { number, .. } => Where::Body(*number),
        }
    }

    /// Is it the user's, and neither trusted nor a part of the harness?
    pub(super) fn is_users(&self, at: Span) -> bool {
        !matches!(self.place(at), Where::Off | Where::Entry)
    }

    /// The places of a name in a function, head and body.
    pub(super) fn within(&self, number: u32, name: &str) -> Vec<Span> {
        let whole = self.functions.iter().find(|function| function.number == number).map(|function| function.whole);
        let all = self.words.named(name).iter().copied();
        all.filter(|at| whole.is_some_and(|whole| whole.contains(*at))).collect()
    }

    /// The variables that are declared in a text.
    pub(super) fn declared(&self, within: Span) -> impl Iterator<Item = ObjectId> {
        let objects = (0..).map(ObjectId).zip(&self.survey.tree.objects);
        objects.filter(move |(_, object)| within.contains(object.span) && !object.name.is_empty()).map(|(id, _)| id)
    }

    fn find_numbers(&self) -> Vec<i128> {
        let tree = self.survey.tree;
        let users = tree.exprs.iter().filter(|expr| !self.survey.sources.file(expr.span.file).system);
        let constants = users.filter_map(|expr| match (&expr.kind, self.survey.integer(expr.ty)) {
            (ExprKind::Const(value), Some((bits, true))) => Some(sign_extend(*value, bits)),
            (ExprKind::Const(value), Some((_, false))) => i128::try_from(*value).ok(),
            _ => None,
        });
        let bodies = self.words.macros.iter().flat_map(|of| &of.body).filter(|word| word.kind == Kind::Number);
        let mut found: Vec<i128> =
            constants.chain(bodies.filter_map(|word| super::constants::literal(word.text))).collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|number| number.unsigned_abs() <= u128::from(u32::MAX));
        found
    }
}
