//! Another text that is printed: a line break more or less, a separator, a width or a precision, or the words of a line that is expected.
//!
//! Only where tests or another program say what must be printed: that text is where the words come from, or the formats of that program. A line that is expected is held against a format by its
//! numbers: `Sum = %d` becomes `Total: %d` where `Total: 17` is expected. The objects of all these literals join the tree when it is
//! read, where nobody uses them; an edit puts one in the place of another.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::scanned::SCANNERS;
use super::{Change, Draft, Drafts, Family, TextEdit, near, scanned};
use crate::c::tree::{Expr, ExprId, ExprKind, InitEntry, Object, ObjectId, ObjectKind, StmtId, StmtKind, Tree};
use crate::c::trial::Trials;
use crate::c::versions::Reference;
use crate::program::{Type, TypeId};
use crate::source::{Sources, Span};

/// Functions that print a literal, and which argument it is.
const PRINTERS: [(&str, usize); 4] = [("printf", 0), ("fprintf", 1), ("puts", 0), ("fputs", 0)];
/// Functions that print a character.
const PUTTERS: [&str; 3] = ["putchar", "putc", "fputc"];
/// So many lines that are expected are looked at.
const MOST_LINES: usize = 400;
/// So many texts are taken from these for one literal.
const MOST_GUIDED: usize = 4;
/// So many words may be printed before by something else.
const MOST_TAILS: usize = 8;
/// So many words may be printed behind by something else.
const MOST_ENDS: usize = 3;
/// So many other characters are printed for one.
const MOST_CHARACTERS: usize = 16;
/// Longer literals are left alone.
const LONGEST: usize = 200;
/// What may stand between two things that are printed.
const SEPARATORS: [&str; 5] = ["", " ", ", ", "\n", "\t"];

/// What is known of the tests, or of another program, that edits can use.
#[derive(Default)]
pub(super) struct Prepared {
    all: Vec<Instead>,
    line_end: Option<LineEnd>,
}

impl Prepared {
    /// What ends a line.
    pub(super) fn line_end(&self) -> Option<&LineEnd> {
        self.line_end.as_ref()
    }
}

/// `printf("\n");`, or what the program has for it.
pub(super) struct LineEnd {
    call: ExprId,
    text: &'static str,
}

impl LineEnd {
    /// It as C.
    pub(super) fn text(&self) -> &'static str {
        self.text
    }

    /// It as a statement.
    pub(super) fn statement(&self, draft: &mut Draft, span: Span) -> StmtId {
        draft.stmt(StmtKind::Expr(self.call), span)
    }

    /// As the program prints elsewhere.
    fn of(tree: &mut Tree, sources: &Sources) -> Option<LineEnd> {
        let calls = || (0..tree.exprs.len() as u32).map(ExprId);
        let named = |e: ExprId, name: &str| match &tree.expr(e).kind {
            ExprKind::Call { callee, arguments } if called(tree, *callee) == Some(name) => {
                Some((*callee, arguments.first().copied()?))
            }
            _ => None,
        };
        let users = |e: &ExprId| !sources.file(tree.expr(*e).span.file).system;
        let printf = calls().filter(users).find_map(|e| {
            let (callee, format) = named(e, "printf")?;
            let (use_of, object) = literal(tree, format)?;
            Some((e, callee, format, use_of, object))
        });
        if let Some((call, callee, format, use_of, object)) = printf {
            let span = tree.expr(call).span;
            let object = new_literal(tree, object, "\n", span);
            let argument = with_literal(tree, format, use_of, object);
            let kind = ExprKind::Call { callee, arguments: vec![argument] };
            let call = pushed(tree, Expr { kind, ..tree.expr(call).clone() });
            return Some(LineEnd { call, text: "printf(\"\\n\");" });
        }
        let (call, callee, character) = calls().filter(users).find_map(|e| {
            let (callee, character) = named(e, "putchar")?;
            Some((e, callee, character))
        })?;
        let end = Expr { kind: ExprKind::Const(u128::from(b'\n')), ..tree.expr(character).clone() };
        let arguments = vec![pushed(tree, end)];
        let call = pushed(tree, Expr { kind: ExprKind::Call { callee, arguments }, ..tree.expr(call).clone() });
        Some(LineEnd { call, text: "putchar('\\n');" })
    }
}

fn pushed(tree: &mut Tree, expr: Expr) -> ExprId {
    tree.exprs.push(expr);
    ExprId(tree.exprs.len() as u32 - 1)
}

/// A copy of an argument with another literal in it.
fn with_literal(tree: &mut Tree, e: ExprId, use_of: ExprId, object: ObjectId) -> ExprId {
    let mut expr = tree.expr(e).clone();
    if e == use_of {
        expr = other_literal(tree, e, object);
    } else {
        let operands = expr.kind.operands();
        let first = operands.first().map(|first| (*first, with_literal(tree, *first, use_of, object)));
        expr.kind.map_operands(&mut |id| match first {
            Some((old, new)) if old == id => new,
            _ => id,
        });
    }
    pushed(tree, expr)
}

/// Another literal where one is used.
fn other_literal(tree: &Tree, e: ExprId, object: ObjectId) -> Expr {
    let old = tree.expr(e);
    match old.kind {
        ExprKind::ObjectAddress(..) => Expr { kind: ExprKind::ObjectAddress(object, 0), ..old.clone() },
        _ => Expr { kind: ExprKind::Object(object), ty: tree.object(object).ty, ..old.clone() },
    }
}

/// A literal or a character that may take the place of another.
struct Instead {
    /// The use of the literal in a call.
    expr: ExprId,
    /// What is there instead.
    other: Other,
    /// It as C.
    text: String,
    /// How unlikely it is.
    cost: u32,
}

#[derive(Clone, Copy)]
enum Other {
    Literal(ObjectId),
    Character(char),
}

/// What a literal is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Printed,
    Format,
    Scanned,
}

/// Adds to the tree what may be printed instead.
pub(super) fn prepare(tree: &mut Tree, sources: &Sources, trials: &Trials) -> Prepared {
    let mut lines: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for expected in trials.all.iter().filter_map(|trial| trial.expected.as_ref()) {
        for line in String::from_utf8_lossy(expected).lines() {
            if lines.len() < MOST_LINES && line.len() <= LONGEST && seen.insert(line.to_owned()) {
                lines.push(line.to_owned());
            }
        }
    }
    let mut found = Vec::new();
    for literal in plain_literals(tree, sources) {
        let others = alternatives(&literal.text, literal.purpose, &lines);
        instead(tree, &literal, others, &mut found);
    }
    characters(tree, sources, &lines, &mut found);
    Prepared { line_end: LineEnd::of(tree, sources), all: found }
}

/// The same where a program is compared with another: what that prints may be meant.
pub(super) fn prepare_from(reference: &Reference, tree: &mut Tree, sources: &Sources) -> Prepared {
    let file = |span: Span| span.file;
    let units = tree.functions.iter().filter(|of| of.body.is_some() && !of.system);
    let theirs: HashSet<_> = units.filter(|of| of.unit >= reference.unit).map(|of| file(of.span)).collect();
    let all = plain_literals(tree, sources).into_iter();
    let all = all.filter(|literal| literal.purpose != Purpose::Scanned);
    let (theirs, own): (Vec<Literal>, Vec<Literal>) =
        all.partition(|literal| theirs.contains(&file(tree.expr(literal.expr).span)));
    let mut found = Vec::new();
    for literal in own {
        let texts: Vec<String> =
            (theirs.iter().filter(|other| other.purpose == literal.purpose)).map(|other| other.text.clone()).collect();
        instead(tree, &literal, as_there(&literal.text, &texts), &mut found);
    }
    Prepared { line_end: None, all: found }
}

/// What another program prints, by formats that take the same arguments: the nearest ones.
fn as_there(own: &str, texts: &[String]) -> Vec<(String, u32)> {
    let letters = |text: &str| -> Vec<char> {
        let letter = |piece: &Piece| match piece {
            Piece::Conversion(conversion) => conversion.chars().last(),
            Piece::Text(_) => None,
        };
        pieces(text).iter().filter_map(letter).collect()
    };
    let fits = |text: &&String| *text != own && letters(text) == letters(own);
    let mut found: Vec<(usize, &String)> = texts.iter().filter(fits).map(|text| (distance(own, text), text)).collect();
    found.sort();
    found.dedup();
    found.into_iter().take(MOST_GUIDED).map(|(away, text)| (text.clone(), 1 + away as u32 / 4)).collect()
}

/// A literal of the text, as people write it.
struct Literal {
    expr: ExprId,
    object: ObjectId,
    purpose: Purpose,
    text: String,
}

fn plain_literals(tree: &Tree, sources: &Sources) -> Vec<Literal> {
    let plain = |(expr, object, purpose)| {
        let text = String::from_utf8(bytes_of(tree, object)?).ok()?;
        let is_plain = sources.text(tree.expr(expr).span) == spelled(&text) && text.len() <= LONGEST;
        is_plain.then_some(Literal { expr, object, purpose, text })
    };
    literals(tree).into_iter().filter_map(plain).collect()
}

/// Adds other texts for a literal.
fn instead(tree: &mut Tree, literal: &Literal, others: Vec<(String, u32)>, found: &mut Vec<Instead>) {
    let (expr, span) = (literal.expr, tree.expr(literal.expr).span);
    for (text, cost) in others {
        let other = Other::Literal(new_literal(tree, literal.object, &text, span));
        found.push(Instead { expr, other, text: spelled(&text), cost });
    }
}

/// Another character that is printed alone, of those that are expected.
fn characters(tree: &Tree, sources: &Sources, lines: &[String], found: &mut Vec<Instead>) {
    let mut wanted: BTreeMap<char, usize> = BTreeMap::new();
    for c in lines.iter().flat_map(|line| line.chars()).filter(|c| c.is_ascii() && !c.is_ascii_digit()) {
        *wanted.entry(c).or_default() += 1;
    }
    let mut wanted: Vec<(char, usize)> = wanted.into_iter().chain([('\n', lines.len())]).collect();
    wanted.sort_by_key(|(c, count)| (Reverse(*count), *c));
    for expr in &tree.exprs {
        let ExprKind::Call { callee, arguments } = &expr.kind else { continue };
        let is_putter = called(tree, *callee).is_some_and(|name| PUTTERS.contains(&name));
        let Some(first) = arguments.first().filter(|_| is_putter) else { continue };
        let own = sources.text(tree.expr(*first).span);
        if !matches!(tree.expr(*first).kind, ExprKind::Const(_)) || !own.starts_with('\'') {
            continue;
        }
        for (c, _) in wanted.iter().take(MOST_CHARACTERS) {
            let text = match c {
                '\n' => "'\\n'".to_owned(),
                '\t' => "'\\t'".to_owned(),
                '\'' | '\\' => format!("'\\{c}'"),
                c if c.is_control() => continue,
                c => format!("'{c}'"),
            };
            if text != own {
                found.push(Instead { expr: *first, other: Other::Character(*c), text, cost: 2 });
            }
        }
    }
}

pub(super) fn propose(drafts: &mut Drafts, prepared: &Prepared) {
    let tree = drafts.tree;
    for Instead { expr, other, text, cost } in &prepared.all {
        let old = tree.expr(*expr);
        let within = |function: &crate::c::tree::Function| {
            let whole = Span::new(function.span.file, function.span.start, function.end.end);
            function.body.is_some() && !function.system && whole.contains(old.span)
        };
        let Some(function) = tree.functions.iter().position(within) else { continue };
        if !drafts.survey.is_editable(function as u32) {
            continue;
        }
        let new = match other {
            Other::Literal(object) => other_literal(tree, *expr, *object),
            Other::Character(c) => Expr { kind: ExprKind::Const(*c as u128), ..old.clone() },
        };
        let change = Change { exprs: vec![(*expr, new)], ..Change::default() };
        let before = drafts.edits.len();
        drafts.push(Family::Printed, function as u32, TextEdit { span: old.span, new: text.clone() }, change);
        if let Some(edit) = drafts.edits.get_mut(before) {
            edit.cost = *cost;
            // It is no value that a condition could speak of.
            (edit.whole, edit.turns) = (None, None);
        }
    }
}

/// The literals that are printed or say what is read.
fn literals(tree: &Tree) -> Vec<(ExprId, ObjectId, Purpose)> {
    let mut found = Vec::new();
    for expr in &tree.exprs {
        let ExprKind::Call { callee, arguments } = &expr.kind else { continue };
        let Some(name) = called(tree, *callee) else { continue };
        let printer = PRINTERS.iter().chain(&SCANNERS).find(|(printer, _)| *printer == name);
        let argument = printer.and_then(|(_, at)| arguments.get(*at));
        if let Some((use_of, object)) = argument.and_then(|argument| literal(tree, *argument)) {
            let purpose = match () {
                () if name.contains("printf") => Purpose::Format,
                () if name.contains("scanf") => Purpose::Scanned,
                () => Purpose::Printed,
            };
            found.push((use_of, object, purpose));
        }
    }
    found
}

fn called(tree: &Tree, callee: ExprId) -> Option<&str> {
    match tree.expr(callee).kind {
        ExprKind::FunctionAddress(function) => Some(&tree.function(function).name),
        ExprKind::Deref(inner) | ExprKind::AddressOf(inner) => called(tree, inner),
        ExprKind::Convert { operand, .. } => called(tree, operand),
        _ => None,
    }
}

/// The use of a literal that a pointer expression is.
fn literal(tree: &Tree, e: ExprId) -> Option<(ExprId, ObjectId)> {
    match tree.expr(e).kind {
        ExprKind::AddressOf(inner) | ExprKind::Convert { operand: inner, .. } | ExprKind::Load(inner) => {
            literal(tree, inner)
        }
        ExprKind::Element { array, .. } => literal(tree, array),
        ExprKind::Object(object) | ExprKind::ObjectAddress(object, 0) => {
            (tree.object(object).kind == ObjectKind::StringLiteral).then_some((e, object))
        }
        _ => None,
    }
}

/// What a literal of characters holds, without the zero at its end.
fn bytes_of(tree: &Tree, object: ObjectId) -> Option<Vec<u8>> {
    let of = tree.object(object);
    let mut bytes = vec![0; of.size as usize];
    for entry in of.init.as_ref()? {
        let ExprKind::Const(value) = tree.expr(entry.value).kind else { return None };
        if entry.bits != 8 {
            return None;
        }
        *bytes.get_mut(entry.bit_offset as usize / 8)? = value as u8;
    }
    (bytes.pop() == Some(0) && !bytes.contains(&0)).then_some(bytes)
}

fn new_literal(tree: &mut Tree, like: ObjectId, text: &str, span: Span) -> ObjectId {
    let Type::Array { of, .. } = tree.types[tree.object(like).ty.0 as usize] else { return like };
    let ty = Type::Array { of, length: text.len() as u64 + 1 };
    let known = tree.types.iter().position(|other| *other == ty);
    let ty = TypeId(known.unwrap_or_else(|| {
        tree.types.push(ty);
        tree.types.len() - 1
    }) as u32);
    let mut init = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        let value = ExprId(tree.exprs.len() as u32);
        tree.exprs.push(Expr { kind: ExprKind::Const(u128::from(byte)), ty: of, span, volatile: false, align: 1 });
        init.push(InitEntry { bit_offset: at as u64 * 8, bits: 8, value });
    }
    let object = ObjectId(tree.objects.len() as u32);
    tree.objects.push(Object { ty, size: text.len() as u64 + 1, init: Some(init), span, ..tree.object(like).clone() });
    object
}

/// A literal as people write it.
fn spelled(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            c if c.is_control() => out += &format!("\\{:03o}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    /// `%-5.2lf` without what is no number: flags, width, precision, length and letter.
    Conversion(String),
}

fn pieces(format: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = format;
    while let Some(c) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix("%%") {
            text += "%%";
            rest = behind;
            continue;
        }
        let length = match c {
            '%' => rest[1..].find(|c: char| c.is_ascii_alphabetic() && !"hlqjzt".contains(c)),
            _ => None,
        };
        match length {
            Some(length) => {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(Piece::Conversion(rest[..length + 2].to_owned()));
                rest = &rest[length + 2..];
            }
            None => {
                text.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    pieces
}

fn joined(pieces: &[Piece]) -> String {
    let part = |piece: &Piece| match piece {
        Piece::Text(text) | Piece::Conversion(text) => text.clone(),
    };
    pieces.iter().map(part).collect()
}

/// What may be meant by a literal, each once, with how unlikely that is.
fn alternatives(own: &str, purpose: Purpose, lines: &[String]) -> Vec<(String, u32)> {
    let is_format = purpose == Purpose::Format;
    let mut all: Vec<(String, u32)> = Vec::new();
    let mut add = |text: String, cost: u32| {
        if text != own && !text.contains('\0') && !all.iter().any(|(other, _)| *other == text) {
            all.push((text, cost));
        }
    };
    if purpose == Purpose::Scanned {
        scanned::alternatives(own).into_iter().for_each(|(text, cost)| add(text, cost));
        return all;
    }
    guided(own, is_format, lines, &mut add);
    let parts = if is_format { pieces(own) } else { vec![Piece::Text(own.to_owned())] };
    for (at, piece) in parts.iter().enumerate() {
        let Piece::Text(text) = piece else { continue };
        let core = text.trim_matches('\n');
        let (before, after) = text.split_once(core).unwrap_or_default();
        if core.is_empty() || core.contains('\n') {
            continue;
        }
        let plain = if is_format { core.replace("%%", "%") } else { core.to_owned() };
        for (away, near) in near::near(&plain, lines) {
            let near = if is_format { near.replace('%', "%%") } else { near };
            let mut parts = parts.clone();
            parts[at] = Piece::Text(format!("{before}{near}{after}"));
            add(joined(&parts), 1 + away as u32 / 2);
        }
    }
    // What comes last.
    let body = own.trim_end_matches([' ', '\n', '\t', ',']);
    match own.strip_suffix('\n') {
        Some(without) => {
            add(without.to_owned(), 1);
            add(format!("{own}\n"), 3);
            add(format!("{} \n", without), 4);
        }
        None => add(format!("{own}\n"), 1),
    }
    for separator in SEPARATORS {
        add(format!("{body}{separator}"), 2);
    }
    add(format!("\n{own}"), 4);
    add(format!(" {own}"), 4);
    add(own.trim_start().to_owned(), 3);
    if !is_format {
        return all;
    }
    for (at, piece) in parts.iter().enumerate() {
        let Piece::Conversion(conversion) = piece else { continue };
        let is_again = parts[at + 1..].contains(piece);
        let is_first = !parts[..at].contains(piece);
        for (text, cost) in conversions(conversion) {
            let text = Piece::Conversion(text);
            // All that are alike, or one.
            if is_again && is_first {
                let with = |other: &Piece| if other == piece { text.clone() } else { other.clone() };
                add(joined(&parts.iter().map(with).collect::<Vec<_>>()), cost);
            }
            let mut parts = parts.clone();
            parts[at] = text;
            add(joined(&parts), cost);
        }
    }
    all
}

/// Other ways to write the same value.
fn conversions(own: &str) -> Vec<(String, u32)> {
    let letter = own.chars().last().unwrap_or('d');
    let modifier: String = own.chars().filter(|c| "hlqjzt".contains(*c)).collect();
    let middle = &own[1..own.len() - 1 - modifier.len()];
    let flags: String = middle.chars().take_while(|c| "-+ #0".contains(*c)).collect();
    let (width, precision) = match middle[flags.len()..].split_once('.') {
        Some((width, precision)) => (width.to_owned(), Some(precision.to_owned())),
        None => (middle[flags.len()..].to_owned(), None),
    };
    let made = |flags: &str, width: &str, precision: Option<&str>, letter: char| {
        let precision = precision.map_or(String::new(), |precision| format!(".{precision}"));
        format!("%{flags}{width}{precision}{modifier}{letter}")
    };
    let mut all = Vec::new();
    // What is printed is wider or narrower than is said.
    let sizes: &[&str] = match letter {
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' => &["", "l", "ll", "h"],
        _ => &[],
    };
    let own_precision = precision.as_ref().map_or(String::new(), |precision| format!(".{precision}"));
    let sized = |size: &&str| (format!("%{flags}{width}{own_precision}{size}{letter}"), 2);
    all.extend(sizes.iter().filter(|size| **size != modifier).map(sized));
    let precise = precision.as_deref();
    if "feg".contains(letter) {
        for other in ["0", "1", "2", "3", "4", "5", "6"] {
            all.push((made(&flags, &width, Some(other), letter), 2));
        }
        all.push((made(&flags, &width, None, letter), 2));
        for other in ['f', 'g', 'e'] {
            all.push((made(&flags, &width, precise, other), 3));
        }
    }
    if !width.is_empty() || !flags.is_empty() {
        all.push((made("", "", precise, letter), 2));
        all.push((made(&flags, "", precise, letter), 3));
        all.push((made("", &width, precise, letter), 3));
    }
    for other in ["2", "3", "4", "5", "6", "8", "10"] {
        all.push((made(&flags, other, precise, letter), 3));
        if "diuxX".contains(letter) && other.len() == 1 {
            all.push((made("0", other, precise, letter), 3));
        }
    }
    if !width.is_empty() {
        all.push((made("-", &width, precise, letter), 3));
        all.push((made("0", &width, precise, letter), 3));
    }
    let others: &[char] = match letter {
        'd' | 'i' => &['c', 'u', 'x', 'X'],
        'u' => &['d', 'x', 'X', 'o'],
        'x' => &['X', 'd', 'o'],
        'X' => &['x', 'd'],
        'o' => &['x', 'd'],
        'c' => &['d'],
        _ => &[],
    };
    all.extend(others.iter().map(|other| (made(&flags, &width, precise, *other), 3)));
    all
}

/// A word of a line: text, or a number.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Text(String),
    Number(String),
}

/// Texts and numbers by turns, a text first and last.
fn tokens(line: &str) -> Vec<Token> {
    let mut all = vec![Token::Text(String::new())];
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let is_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        let signed = bytes[at] == b'-' && is_digit(at + 1) && !is_word;
        if !is_word && (is_digit(at) || signed) {
            let mut end = at + 1;
            while is_digit(end) || (bytes.get(end) == Some(&b'.') && is_digit(end + 1)) {
                end += 1;
            }
            all.push(Token::Number(line[at..end].to_owned()));
            all.push(Token::Text(String::new()));
            at = end;
            continue;
        }
        let c = line[at..].chars().next().unwrap_or(' ');
        if let Some(Token::Text(text)) = all.last_mut() {
            text.push(c);
        }
        at += c.len_utf8();
    }
    all
}

/// What the lines that are expected say instead.
fn guided(own: &str, is_format: bool, lines: &[String], add: &mut impl FnMut(String, u32)) {
    let (core, end) = match own.strip_suffix('\n') {
        Some(core) => (core, "\n"),
        None => (own, ""),
    };
    if core.contains('\n') || core.trim().is_empty() {
        return;
    }
    let parts = if is_format { pieces(core) } else { vec![Piece::Text(core.to_owned())] };
    let own_conversions: Vec<&String> = (parts.iter())
        .filter_map(|piece| match piece {
            Piece::Conversion(conversion) => Some(conversion),
            Piece::Text(_) => None,
        })
        .collect();
    if own_conversions.iter().any(|conversion| !conversion.ends_with(['d', 'i', 'u', 'f', 'g', 'e'])) {
        return words(core, &parts, lines, end, add);
    }
    let wanted = own_conversions.len();
    let mut found: Vec<(usize, String)> = Vec::new();
    for line in lines.iter().flat_map(|line| tails(line)) {
        let tokens = tokens(line);
        let numbers = tokens.len() / 2;
        for first in 0..=numbers.saturating_sub(wanted) {
            if first + wanted > numbers {
                break;
            }
            let part = &tokens[2 * first..=2 * (first + wanted)];
            for text in held_against(part, &own_conversions, is_format, end.is_empty()) {
                if !text.trim().is_empty() && !found.iter().any(|(_, other)| *other == text) {
                    found.push((distance(core, &text), text));
                }
            }
        }
    }
    let most = (core.chars().count() * 2 / 3).max(4);
    found.sort();
    for (away, text) in found.into_iter().filter(|(away, _)| *away > 0 && *away <= most).take(MOST_GUIDED) {
        add(text + end, 1 + away as u32 / 4);
    }
}

/// The formats that print a part of a line: with and without the text at its ends, and where more of the line may be printed by something else, up to
/// each of its last words.
fn held_against(part: &[Token], conversions: &[&String], is_format: bool, goes_on: bool) -> Vec<String> {
    let escaped = |text: &str| if is_format { text.replace('%', "%%") } else { text.to_owned() };
    let mut all = Vec::new();
    for (before, after) in [(true, true), (true, false), (false, true)] {
        let mut text = String::new();
        for (at, token) in part.iter().enumerate() {
            match token {
                Token::Text(_) if at == 0 && !before => {}
                Token::Text(words) if at > 0 && at + 1 == part.len() => {
                    let ends = words.match_indices(' ').map(|(at, _)| at + 1).take(MOST_ENDS);
                    let ends = ends.filter(|at| after && goes_on && *at < words.len());
                    all.extend(ends.map(|at| text.clone() + &escaped(&words[..at])));
                    text += &if after { escaped(words) } else { String::new() };
                }
                Token::Text(words) => text += &escaped(words),
                Token::Number(number) => text += &as_written(conversions[at / 2], number),
            }
        }
        all.push(text);
    }
    all
}

/// A line and what is left of it behind its first words: something else may have printed these.
fn tails(line: &str) -> impl Iterator<Item = &str> {
    let starts = line.match_indices(' ').map(|(at, _)| at + 1).filter(|at| line[*at..].trim_start() == &line[*at..]);
    [0].into_iter().chain(starts.take(MOST_TAILS)).map(|at| &line[at..])
}

/// The same where words are printed as well: only the text before the first conversion and behind the last is looked for.
fn words(core: &str, parts: &[Piece], lines: &[String], end: &str, add: &mut impl FnMut(String, u32)) {
    let mut found: Vec<(usize, String)> = Vec::new();
    for line in lines {
        if let Some(Piece::Text(first)) = parts.first() {
            // As many words as there are.
            let count = first.split_whitespace().count();
            let mut at = 0;
            for word in line.split_whitespace().take(count) {
                at = line[at..].find(word).map_or(at, |found| at + found + word.len());
            }
            let spaces = line[at..].len() - line[at..].trim_start().len();
            let text = line[..at + spaces].replace('%', "%%") + &joined(&parts[1..]);
            found.push((distance(core, &text), text));
        }
        if let (Some(Piece::Text(last)), true) = (parts.last(), parts.len() > 1) {
            let tail: String =
                line.chars().rev().take(last.chars().count()).collect::<Vec<_>>().into_iter().rev().collect();
            let text = joined(&parts[..parts.len() - 1]) + &tail.replace('%', "%%");
            found.push((distance(core, &text), text));
        }
    }
    found.sort();
    found.dedup();
    for (away, text) in found.into_iter().filter(|(away, _)| (1..=6).contains(away)).take(MOST_GUIDED) {
        add(text + end, 2 + away as u32 / 2);
    }
}

/// A conversion that writes as many digits as a number has.
fn as_written(own: &str, number: &str) -> String {
    let digits = number.split_once('.').map(|(_, digits)| digits.len());
    let is_float = own.ends_with(['f', 'e', 'g']);
    match digits {
        Some(digits) if is_float && own.ends_with('f') => {
            let modifier = if own.contains('l') { "l" } else { "" };
            format!("%.{digits}{modifier}f")
        }
        _ => own.to_owned(),
    }
}

/// How many characters must change (Levenshtein).
fn distance(one: &str, two: &str) -> usize {
    let two: Vec<char> = two.chars().collect();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in two.iter().enumerate() {
            let change = corner + usize::from(a != *b);
            corner = row[j + 1];
            row[j + 1] = change.min(corner + 1).min(row[j] + 1);
        }
    }
    row[two.len()]
}

#[cfg(test)]
mod tests {
    use super::{Purpose, alternatives, as_there, distance, pieces, tokens};

    fn lines(all: &[&str]) -> Vec<String> {
        all.iter().map(|line| (*line).to_owned()).collect()
    }

    fn has(own: &str, expected: &[&str], wanted: &str) -> bool {
        alternatives(own, Purpose::Format, &lines(expected)).iter().any(|(text, _)| text == wanted)
    }

    #[test]
    fn expected_lines_give_the_words_and_the_precision() {
        assert!(has("Sum = %d\n", &["Sum: 17"], "Sum: %d\n"));
        assert!(has("average %f\n", &["Average: 2.50"], "Average: %.2f\n"));
        assert!(has("The %d and %d", &["the 3 and the 4 are"], "the %d and the %d"));
        assert!(has("Hello %s!\n", &["hello Bob!"], "hello %s!\n"));
        assert!(has("x=%d", &["100%"], "x=%d\n"));
    }

    #[test]
    fn what_follows_in_a_line_may_be_printed_by_something_else() {
        assert!(has("%d: ", &["1 | # (1)"], "%d | ") && !has("%d:\n", &["1 | # (1)"], "%d | \n"));
    }

    #[test]
    fn formats_of_a_reference_print_as_many_values_of_the_same_kinds() {
        let theirs = lines(&["Sum = %d\n", "Mean = %.2f\n", "%s\n", "total: %5d\n"]);
        let all: Vec<String> = as_there("Sum: %d\n", &theirs).into_iter().map(|(text, _)| text).collect();
        assert_eq!(all, ["Sum = %d\n", "total: %5d\n"]);
    }

    #[test]
    fn layout_changes() {
        assert!(has("%d", &[], "%d ") && has("%d ", &[], "%d\n") && has("%5.2lf\n", &[], "%5.1lf\n"));
        assert!(has("%d:%d\n", &[], "%d:%02d\n") && has("%5d", &[], "%d"));
        assert!(has("%2d:%2d:%2d", &[], "%02d:%02d:%02d") && has("(%d,%d): ", &["(1, 2): here"], "(%d, %d): "));
    }

    #[test]
    fn formats_and_lines_are_taken_apart() {
        assert_eq!(pieces("a%%b%-5.2lfc").len(), 3);
        assert_eq!(tokens("x1 is -2.5").len(), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
