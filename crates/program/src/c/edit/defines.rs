//! Macros: another number or operator in a `#define`, missing parentheses, and one macro in the place of another.
//!
//! The tree has what becomes of a macro and not the macro, so these are changes of the text, to be read again; but where a macro is a
//! number, and each of its uses is one in the tree, these change. Macros that an assertion, an assumption, a trusted function or the entry
//! function uses are left alone.

use std::collections::{BTreeMap, HashMap};

use super::constants::{literal, spelled};
use super::ground::Ground;
use super::survey::is_untouchable;
use super::words::{Kind, Macro, Word};
use super::{Change, Drafts, Family, TextEdit};
use crate::c::tree::{Expr, ExprId, ExprKind};
use crate::source::Span;
use nearmiss_logic::width::low_bits;

/// So many numbers are tried in the place of one.
const MOST_NUMBERS: usize = 20;
/// Operators that may have been meant for each other.
const GROUPS: &[&[&str]] =
    &[&["<", "<=", ">", ">=", "==", "!="], &["&&", "||"], &["+", "-", "*", "/", "%"], &["&", "|", "^"], &["<<", ">>"]];

pub(super) fn propose<'t>(drafts: &mut Drafts<'t>, ground: &Ground<'t>) {
    for of in &ground.words.macros {
        let uses = ground.words.uses(of.name);
        let is_meant = |word: &Word| word.kind == Kind::Name && is_untouchable(word.text);
        let is_asked = ground.words.asked.contains(of.name) || of.body.iter().any(is_meant);
        if !uses.is_empty() && !is_asked && uses.iter().all(|at| ground.is_users(*at)) {
            let places = number_places(ground, of, &uses);
            let mut body = Body { drafts, ground, of, uses, places };
            body.number();
            body.operators();
            body.parameters();
            body.parentheses();
        }
    }
    others(drafts, ground);
}

/// A macro being edited.
struct Body<'d, 't, 'g> {
    drafts: &'d mut Drafts<'t>,
    ground: &'g Ground<'t>,
    of: &'g Macro<'t>,
    uses: Vec<Span>,
    /// The numbers that its uses are, with their functions, where each is one.
    places: Option<Vec<(u32, ExprId)>>,
}

/// The numbers of the tree that the uses of a macro are, with their functions; none where some use is not one, or not only one.
fn number_places(ground: &Ground, of: &Macro, uses: &[Span]) -> Option<Vec<(u32, ExprId)>> {
    let survey = ground.survey;
    let own = of.parameters.is_none().then(|| of.body.iter().filter(|word| !matches!(word.text, "(" | ")")))?;
    let own: Vec<&Word> = own.collect();
    let [word] = own[..] else { return None };
    let number = literal(word.text)?;
    let is_it = |e: ExprId| match (survey.integer(survey.tree.expr(e).ty), &survey.tree.expr(e).kind) {
        (Some((bits, _)), ExprKind::Const(value)) => *value == number as u128 & low_bits(bits),
        _ => false,
    };
    let mut places = Vec::new();
    for at in uses {
        let mut here = survey.spots.iter().filter(|spot| survey.span(spot.expr) == *at);
        let spot = here.next().filter(|spot| is_it(spot.expr) && spot.function != u32::MAX)?;
        if here.next().is_some() {
            return None;
        }
        places.push((spot.function, spot.expr));
    }
    Some(places)
}

impl Body<'_, '_, '_> {
    fn push(&mut self, family: Family, span: Span, new: String, cost: u32) {
        self.push_changes(family, span, new, (cost, Vec::new()));
    }

    fn push_changes(&mut self, family: Family, span: Span, new: String, (cost, changes): (u32, Vec<(u32, Change)>)) {
        let text = TextEdit { span, new };
        let known = self.drafts.edits.len();
        self.drafts.push_text(family, text, cost, self.uses.clone(), Some(self.of.name.to_owned()));
        // What the tree says of it need not be read.
        if let Some(edit) = self.drafts.edits.get_mut(known) {
            edit.changes = changes;
        }
    }

    /// Other numbers: all kinds of them where the macro is one, those beside it elsewhere.
    fn number(&mut self) {
        let inner: Vec<&Word> = self.of.body.iter().filter(|word| !matches!(word.text, "(" | ")" | "-")).collect();
        let is_constant = inner.len() == 1 && self.of.parameters.is_none();
        for (at, word) in self.of.body.iter().enumerate().filter(|(_, word)| word.kind == Kind::Number) {
            let Some(size) = literal(word.text) else { continue };
            let is_negative = is_constant && at > 0 && self.of.body[at - 1].text == "-";
            let span = match is_negative {
                true => Span::new(word.span.file, self.of.body[at - 1].span.start, word.span.end),
                false => word.span,
            };
            let v = if is_negative { -size } else { size };
            let mut wanted = vec![v + 1, v - 1];
            if is_constant {
                let mut others = self.ground.numbers.clone();
                others.sort_by_key(|other| (other - v).unsigned_abs());
                // A mask of one bit more is among them.
                wanted.extend([0, v * 2, v * 2 + 1, v / 2, -v, v * 10, v / 10]);
                wanted.extend(others.into_iter().take(MOST_NUMBERS));
            } else {
                wanted.push(0);
            }
            for (at, value) in wanted.into_iter().enumerate().filter(|(_, value)| *value != v) {
                if value < 0 && !is_constant {
                    continue;
                }
                let new = spelled(value, word.text);
                let is_bare = self.of.body.len() == 1;
                let new = if value < 0 && is_bare { format!("({new})") } else { new };
                let changes = self.changes(value);
                self.push_changes(Family::Constant, span, new, (2 + at as u32 / 4, changes));
            }
        }
    }

    /// What another number changes in the tree, if that says it all.
    fn changes(&self, value: i128) -> Vec<(u32, Change)> {
        let survey = self.ground.survey;
        let mut changes: BTreeMap<u32, Change> = BTreeMap::new();
        for (function, e) in self.places.iter().flatten() {
            let expr = survey.tree.expr(*e);
            // A number of another size has another type.
            let fits = |(bits, signed): (u32, bool)| {
                let most = 1i128 << (bits.min(100) - u32::from(signed));
                bits >= 32 && value < most && (signed && value >= -most || value >= 0)
            };
            let Some((bits, _)) = survey.integer(expr.ty).filter(|ty| fits(*ty)) else { return Vec::new() };
            let expr = Expr { kind: ExprKind::Const(value as u128 & low_bits(bits)), ..expr.clone() };
            changes.entry(*function).or_default().exprs.push((*e, expr));
        }
        changes.into_iter().collect()
    }

    fn operators(&mut self) {
        for (at, word) in self.of.body.iter().enumerate().filter(|(_, word)| word.kind == Kind::Sign) {
            let before = at.checked_sub(1).map(|at| &self.of.body[at]);
            let is_binary = before.is_some_and(|word| word.kind != Kind::Sign || matches!(word.text, ")" | "]"));
            if word.text == "!" {
                self.push(Family::Operator, word.span, String::new(), 3);
            }
            let group = GROUPS.iter().find(|group| group.contains(&word.text)).filter(|_| is_binary);
            for other in group.into_iter().flat_map(|group| group.iter()).filter(|other| **other != word.text) {
                let cost = if other.contains(word.text) || word.text.contains(other) { 1 } else { 2 };
                self.push(Family::Operator, word.span, (*other).to_owned(), cost);
            }
        }
    }

    /// One argument for another.
    fn parameters(&mut self) {
        let Some(parameters) = &self.of.parameters else { return };
        for word in self.of.body.iter().filter(|word| parameters.contains(&word.text)) {
            for other in parameters.iter().filter(|other| **other != word.text && **other != "...") {
                self.push(Family::Name, word.span, (*other).to_owned(), 3);
            }
        }
    }

    /// `((a) + (b))` for `a + b`.
    fn parentheses(&mut self) {
        let (Some(first), Some(last)) = (self.of.body.first(), self.of.body.last()) else { return };
        let is_expression = self.of.body.iter().all(|word| !matches!(word.text, ";" | "{" | "}" | "#" | "##" | "="));
        if !is_expression || self.of.body.len() < 2 {
            return;
        }
        let sources = self.drafts.survey.sources;
        let parameters = self.of.parameters.clone().unwrap_or_default();
        let (mut new, mut at) = (String::new(), first.span.start);
        for (index, word) in self.of.body.iter().enumerate() {
            let [before, after] =
                [index.wrapping_sub(1), index + 1].map(|at| self.of.body.get(at).map(|word| word.text));
            let is_bare = parameters.contains(&word.text) && (before, after) != (Some("("), Some(")"));
            new += sources.text(Span::new(first.span.file, at, word.span.start));
            new += &if is_bare { format!("({})", word.text) } else { word.text.to_owned() };
            at = word.span.end;
        }
        let new = if is_enclosed(&self.of.body) { new } else { format!("({new})") };
        self.push(Family::Operator, Span::new(first.span.file, first.span.start, last.span.end), new, 2);
    }
}

/// Is it all within one pair of parentheses?
fn is_enclosed(body: &[Word]) -> bool {
    let mut depth = 0;
    for (at, word) in body.iter().enumerate() {
        match word.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1 == body.len();
        }
    }
    false
}

/// Another macro where one is used, that takes as many arguments.
fn others(drafts: &mut Drafts, ground: &Ground) {
    let count = |of: &Macro| of.parameters.as_ref().map(Vec::len);
    let is_plain =
        |of: &&Macro| !of.body.is_empty() && !of.body.iter().any(|word| matches!(word.text, ";" | "{" | "}"));
    let all: Vec<&Macro> = ground.words.macros.iter().filter(is_plain).collect();
    let names = ground.words.files.iter().flatten().filter(|word| word.kind == Kind::Name);
    let by_name: HashMap<&str, &Macro> = all.iter().map(|of| (of.name, *of)).collect();
    for word in names {
        let Some(own) = by_name.get(word.text).filter(|_| ground.is_users(word.span)) else { continue };
        for other in all.iter().filter(|other| other.name != own.name && count(other) == count(own)) {
            let text = TextEdit { span: word.span, new: other.name.to_owned() };
            drafts.push_text(Family::Name, text, 3, vec![word.span], None);
        }
    }
}
