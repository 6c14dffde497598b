//! What is declared too narrow, or with the wrong sign: another type of a variable, parameter, field, result or `typedef`; an
//! array with one element more.
//!
//! Types of everything that is computed with it change as well, so these are changes of the text, to be read again. Inputs keep
//! their types, and so does what trusted functions declare.

use super::ground::{Ground, Where};
use super::words::{Kind, Word};
use super::{Drafts, Family, TextEdit};
use crate::c::tree::StorageDuration;
use crate::source::Span;

/// Words that are types, or parts of some.
const PARTS: &[&str] = &["unsigned", "signed", "char", "short", "int", "long", "float", "_Bool", "bool"];
/// Types by name with those that may have been meant, the likeliest first.
const OTHERS: &[(&str, &[&str])] = &[
    ("char", &["int", "unsigned char", "signed char"]),
    ("signed char", &["int", "unsigned char", "short"]),
    ("unsigned char", &["int", "unsigned", "signed char", "unsigned short"]),
    ("short", &["int", "unsigned short"]),
    ("short int", &["int", "unsigned short"]),
    ("unsigned short", &["int", "unsigned", "short"]),
    ("int", &["long", "unsigned"]),
    ("unsigned", &["int", "unsigned long"]),
    ("unsigned int", &["int", "unsigned long"]),
    ("long", &["unsigned long"]),
    ("unsigned long", &["long"]),
    ("long long", &["unsigned long long"]),
    ("unsigned long long", &["long long"]),
    ("_Bool", &["int"]),
    ("bool", &["int"]),
    ("float", &["double"]),
    ("int8_t", &["int16_t", "uint8_t", "int32_t"]),
    ("uint8_t", &["uint16_t", "uint32_t", "int8_t"]),
    ("int16_t", &["int32_t", "uint16_t"]),
    ("uint16_t", &["uint32_t", "int16_t"]),
    ("int32_t", &["int64_t", "uint32_t"]),
    ("uint32_t", &["uint64_t", "int32_t"]),
    ("int64_t", &["uint64_t"]),
    ("uint64_t", &["int64_t"]),
];

pub(super) fn propose(drafts: &mut Drafts, ground: &Ground) {
    for file in &ground.words.files {
        let (mut at, mut open) = (0, 0);
        while at < file.len() {
            match file[at].text {
                "(" => open += 1,
                ")" => open -= 1,
                _ => {}
            }
            let long = type_words(&file[at..]);
            if long > 0 {
                one(drafts, ground, file, (at, at + long), open);
            }
            at += long.max(1);
        }
    }
}

/// How many words at the start are the name of a type.
fn type_words(words: &[Word]) -> usize {
    let parts = words.iter().take_while(|word| PARTS.contains(&word.text)).count();
    match words.first() {
        Some(first) if parts == 0 && OTHERS.iter().any(|(name, _)| *name == first.text) => 1,
        _ => parts,
    }
}

/// Other types for one that is written, if it declares something.
fn one(drafts: &mut Drafts, ground: &Ground, file: &[Word], (from, to): (usize, usize), open: i32) {
    let name = file[from..to].iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let Some((_, others)) = OTHERS.iter().find(|(own, _)| *own == name) else { return };
    let Some(Declaration { uses, shared }) = declaration(ground, file, (from, to), open) else { return };
    let span = Span::new(file[from].span.file, file[from].span.start, file[to - 1].span.end);
    for (at, other) in others.iter().enumerate() {
        let text = TextEdit { span, new: (*other).to_owned() };
        drafts.push_text(Family::Type, text, 2 + at as u32, uses.clone(), shared.clone());
    }
}

/// What a type declares.
struct Declaration {
    uses: Vec<Span>,
    /// The name of a type that is used elsewhere.
    shared: Option<String>,
}

fn declaration(ground: &Ground, file: &[Word], (from, to): (usize, usize), open: i32) -> Option<Declaration> {
    let before = from.checked_sub(1).map(|at| file[at].text);
    let named = file.get(to).filter(|word| word.kind == Kind::Name)?;
    let after = file.get(to + 1).map_or("", |word| word.text);
    let place = ground.place(named.span);
    let end = end(file, to);
    let within = Span::new(named.span.file, file[from].span.start, end);
    // Inputs keep their types; what the entry function leaves open is one.
    let may_change = |object| {
        let of = ground.survey.tree.object(object);
        !ground.survey.is_input(object) && (place != Where::Entry || of.init.is_some())
    };
    if !ground.declared(within).all(may_change) {
        return None;
    }
    let own = |number: u32| ground.within(number, named.text);
    let begins =
        matches!(before, None | Some(";" | "{" | "}" | "(" | "," | "const" | "static" | "volatile" | "inline"));
    match place {
        Where::Off => None,
        Where::Head(number) if after == "(" => {
            // The result: it matters where the function returns.
            let is_it = ground.survey.tree.functions[number as usize].span.start == named.span.start;
            is_it.then(|| Declaration { uses: ground.within(number, "return"), shared: None })
        }
        Where::Head(number) => Some(Declaration { uses: own(number), shared: None }),
        Where::Body(number) => (begins && after != "(").then(|| Declaration { uses: own(number), shared: None }),
        Where::Entry => {
            let objects: Vec<_> = ground.declared(within).collect();
            let is_local = !objects.is_empty()
                && objects
                    .iter()
                    .all(|object| ground.survey.tree.object(*object).storage == StorageDuration::Automatic);
            let uses = ground.words.named(named.text).to_vec();
            (begins && is_local && after != "(").then_some(Declaration { uses, shared: None })
        }
        // What is defined in another file would have to change there, too.
        Where::Outside if open > 0 || after == "(" || before == Some("extern") => None,
        Where::Outside => {
            let is_type = before == Some("typedef");
            let all = ground.words.named(named.text).iter().copied().filter(|at| *at != named.span);
            Some(Declaration { uses: all.collect(), shared: is_type.then(|| named.text.to_owned()) })
        }
    }
}

/// Where a declaration ends: that of a parameter at its comma.
fn end(file: &[Word], from: usize) -> u32 {
    let mut depth = 0;
    for word in &file[from..] {
        match word.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return word.span.start,
            ")" | "]" | "}" => depth -= 1,
            ";" if depth == 0 => return word.span.start,
            _ => {}
        }
    }
    file.last().map_or(0, |word| word.span.end)
}

/// One element more.
pub(super) fn longer(drafts: &mut Drafts, ground: &Ground) {
    for file in &ground.words.files {
        for (at, word) in file.iter().enumerate() {
            let is_array = file.get(at + 1).is_some_and(|next| next.text == "[");
            let is_name = is_array && word.kind == Kind::Name;
            let Some(object) = is_name.then(|| ground.declared(word.span).next()).flatten() else { continue };
            let place = ground.place(word.span);
            let of = ground.survey.tree.object(object);
            let is_open = place == Where::Entry && of.init.is_none() || ground.survey.is_input(object);
            let Some(close) = file[at..].iter().position(|word| word.text == "]").map(|close| close + at) else {
                continue;
            };
            if matches!(place, Where::Off | Where::Head(_)) || is_open || close < at + 3 {
                continue;
            }
            let (first, last) = (file[at + 2].span, file[close - 1].span);
            let span = Span::new(first.file, first.start, last.end);
            let old = ground.survey.sources.text(span);
            let new = match super::constants::literal(old) {
                Some(number) => super::constants::spelled(number + 1, old),
                None => format!("{old} + 1"),
            };
            let uses = ground.words.named(&of.name).to_vec();
            drafts.push_text(Family::Type, TextEdit { span, new }, 3, uses, None);
        }
    }
}
