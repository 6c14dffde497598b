//! What `scanf` is given: `&` before a variable, and another format: white space that is skipped before a character, a whole line for a word,
//! another length or letter. Only where tests are given.

use super::survey::Spot;
use super::{Drafts, Family, TextEdit};
use crate::c::tree::{ExprKind, FunctionId};

/// Functions that read by a format, and which argument it is.
pub(super) const SCANNERS: [(&str, usize); 3] = [("scanf", 0), ("fscanf", 1), ("sscanf", 1)];

pub(super) fn propose(drafts: &mut Drafts) {
    let survey = drafts.survey;
    for spot in drafts.spots() {
        let (ExprKind::Call { arguments, .. }, Some(FunctionId(number))) =
            (&survey.tree.expr(spot.expr).kind, survey.called(spot.expr))
        else {
            continue;
        };
        let name = &survey.tree.functions[number as usize].name;
        let Some((_, format)) = SCANNERS.iter().find(|(scanner, _)| scanner == name) else { continue };
        for argument in arguments.iter().skip(format + 1) {
            address(drafts, &Spot { expr: *argument, ..*spot });
        }
    }
}

/// `&x` for `x`.
fn address(drafts: &mut Drafts, spot: &Spot) {
    let survey = drafts.survey;
    let mut value = spot.expr;
    while let ExprKind::Convert { operand, explicit: false } = survey.tree.expr(value).kind {
        value = operand;
    }
    let ExprKind::Load(place) = survey.tree.expr(value).kind else { return };
    let ty = survey.tree.expr(place).ty;
    let pointer = survey.pointer_to(ty);
    let (Some(text), true) = (survey.operand(value), pointer != ty) else { return };
    let span = survey.span(spot.expr);
    let mut draft = drafts.draft();
    let address = draft.value(ExprKind::AddressOf(place), pointer, span);
    let address = draft.change.added_exprs[address.0 as usize - survey.tree.exprs.len()].clone();
    draft.change.exprs.push((spot.expr, address));
    let before = drafts.edits.len();
    drafts.push(Family::Name, spot.function, TextEdit { span, new: format!("&{text}") }, draft.done());
    if let Some(edit) = drafts.edits.get_mut(before) {
        edit.cost = 1;
    }
}

/// What may be meant by a format, with how unlikely it is.
pub(super) fn alternatives(own: &str) -> Vec<(String, u32)> {
    let mut all = Vec::new();
    for letter in ["%c", "%["] {
        for (at, _) in own.match_indices(letter) {
            let mut text = own.to_owned();
            match own[..at].ends_with(' ') {
                true => text.replace_range(at - 1..at, ""),
                false => text.insert(at, ' '),
            }
            all.push((text, 1));
        }
    }
    all.push((own.trim_end().to_owned(), 1));
    all.push((format!(" {own}"), 2));
    // The width before a letter stays.
    for (old, new) in [
        ("s", "[^\\n]"),
        ("s", " [^\\n]"),
        ("d", "lf"),
        ("d", "f"),
        ("f", "lf"),
        ("lf", "f"),
        ("d", "ld"),
        ("d", "hd"),
        ("ld", "d"),
        ("i", "d"),
        ("d", "x"),
        ("d", "lld"),
    ] {
        for (at, conversion) in conversions(own) {
            let digits = conversion.trim_start_matches('%').trim_end_matches(|c: char| !c.is_ascii_digit());
            let (space, letter) = new.strip_prefix(' ').map_or(("", new), |letter| (" ", letter));
            if conversion[1 + digits.len()..] != *old {
                continue;
            }
            let letter = letter.replace("\\n", "\n");
            let mut text = own.to_owned();
            text.replace_range(at..at + conversion.len(), &format!("{space}%{digits}{letter}"));
            all.push((text, 2));
        }
    }
    for (old, new) in [(",", " "), (" ", ","), (", ", ","), (":", " "), (" ", ":"), ("/", " ")] {
        if own.contains(old) {
            all.push((own.replace(old, new), 3));
        }
    }
    all
}

/// The conversions of a format, each with where it starts.
fn conversions(format: &str) -> Vec<(usize, &str)> {
    let is_end = |c: char| c.is_ascii_alphabetic() && !"hlqjzt".contains(c) || c == '[' || c == '%';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = format[at..].find('%').map(|start| at + start) {
        let Some(end) = format[start + 1..].find(is_end).map(|end| start + end + 2) else { break };
        found.push((start, &format[start..end]));
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::alternatives;

    #[test]
    fn formats_that_are_meant() {
        let has = |own: &str, wanted: &str| alternatives(own).iter().any(|(text, _)| text == wanted);
        assert!(has("%c", " %c") && has("%d %c", "%d%c") && has("%59s", "%59[^\n]"));
        assert!(has("%d", "%lf") && has("%lf", "%f") && has("%d\n", "%d") && has("%d,%d", "%d %d"));
    }
}
