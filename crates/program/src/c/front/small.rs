//! Text for a machine whose `int` has 16 bits, as text for one whose `short` has them.
//!
//! The front-end crates have an `int` of 32 bits. So every type that is written becomes one that has the right width and
//! alignment there, a name that `small.h` declares, and every literal says its type on the machine. What is left with 32 bits
//! are promotions, comparisons, enumerators and sizes, which [`promote`](crate::c::promote) gives 16.
//!
//! | text | becomes |
//! |---|---|
//! | `int`, `short`, `signed` | `__nearmiss_int`, a `short`; `unsigned` and both kinds of `long` likewise |
//! | `40000`, `0x8000` | `40000L`, `0x8000u` |
//! | `enum { A }` | `enum { A, __nearmiss_wide1 = 256 }`, where enumerations are as small as they can be |
//! | `sizeof(x)` | 2 if `x` is a promoted number |
//! | `double` on AVR | `float` |

use std::collections::HashSet;

use rucc_base::Interner;
use rucc_diag::{SourceMap, Span};
use rucc_lex::{PpToken, PpTokenKind, Punct, TokenFlags};
use rucc_target::TargetInfo;

use super::extensions::{is, mark, name_of, word};
use crate::c::DataModel;
use crate::source::Diagnostic;

/// Names of our own for types begin so; behind it stands what C calls them.
const OURS: &str = "__nearmiss_";
/// What stands there; none begins with one before it.
const TYPES: [&str; 7] = ["unsigned_long_long", "unsigned_long", "long_long", "unsigned", "long", "int", "float"];
/// Names of enumerators that only make an enumeration 16 bits wide begin so.
pub(super) const WIDENS: &str = "__nearmiss_wide";

/// To how many bytes anything is aligned at most.
pub(super) fn alignment(model: DataModel) -> Option<u64> {
    match model {
        DataModel::Avr => Some(1),
        DataModel::Msp430 => Some(2),
        _ => None,
    }
}

/// What a unit sees before its text.
pub(super) fn declarations(model: DataModel) -> String {
    if !model.has_small_int() {
        return String::new();
    }
    let aligned = alignment(model).map(|bytes| format!("__attribute__((aligned({bytes})))")).unwrap_or_default();
    include_str!("small.h").replace("ALIGNED", &aligned)
}

/// The machine as far as the front-end crates can say it, made of a 32-bit one.
pub(super) fn describe(target: &mut TargetInfo, model: DataModel) {
    if !model.has_small_int() {
        return;
    }
    let aligned = |natural: u64| alignment(model).unwrap_or(natural).min(natural);
    let pointer = if model == DataModel::Lp32 { 4 } else { 2 };
    target.pointer_width = 8 * pointer as u32;
    target.char_is_signed = model != DataModel::Msp430;
    target.long_double_width = 64;
    target.long_double_format = target.scalars.double.format;
    let scalars = &mut target.scalars;
    (scalars.pointer_size, scalars.pointer_align) = (pointer, aligned(pointer));
    scalars.pointer_int_is_long = pointer == 4;
    scalars.long_long_align = aligned(8);
    scalars.double.align = aligned(8);
    scalars.long_double = scalars.double;
    scalars.char_is_signed = target.char_is_signed;
}

/// The name of a type of ours as C has it, in a message of the front-end crates.
pub(super) fn spelled(message: &str) -> String {
    let mut text = message.to_owned();
    for name in TYPES {
        text = text.replace(&format!("{OURS}{name}"), &name.replace('_', " "));
    }
    text
}

/// Whether a warning of the front-end crates is about widths, which they have from another machine.
pub(super) fn is_of_wide_int(message: &str, model: DataModel) -> bool {
    let about = ["conversion", "overflow", "promoted", "format", "%", "shift", "comparison", "range", "short", "value"];
    model.has_small_int() && about.iter().any(|word| message.contains(word))
}

/// An error that may come of constants that the front-end crates compute in 32 bits: it says so.
pub(super) fn as_computed(mut error: Diagnostic, model: DataModel) -> Diagnostic {
    let about =
        ["static assertion", "size of array", "maximum object size", "array bounds", "exceeds its type", "width of"];
    if model.has_small_int() && about.iter().any(|words| error.message.contains(words)) {
        error.message += ", where constants are computed in 32 bits";
        error.help =
            Some("with an int of 16 bits, as on this machine, it may be right: that is not known here".to_owned());
    }
    error
}

/// The tokens of a unit, translated, or what cannot be.
pub(super) fn translate(
    tokens: Vec<PpToken>,
    model: DataModel,
    map: &SourceMap,
    names: &mut Interner,
) -> Result<Vec<PpToken>, (Span, String)> {
    if !model.has_small_int() {
        return Ok(tokens);
    }
    let typed = Types { model, map }.rewrite(&tokens, names)?;
    let mut typed = enumerations(&typed, names)?;
    if model == DataModel::Avr {
        typed = unaligned_members(&typed, names);
    }
    sizes(&typed, names)
}

/// Words for types, and literals.
struct Types<'a> {
    model: DataModel,
    map: &'a SourceMap,
}

impl Types<'_> {
    fn rewrite(&self, tokens: &[PpToken], names: &mut Interner) -> Result<Vec<PpToken>, (Span, String)> {
        let mut out = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let text = token.value.map(|value| names.resolve(value).to_owned()).unwrap_or_default();
            match token.kind {
                PpTokenKind::Ident if is_base(&text) => {
                    at = self.specifiers(tokens, at, names, &mut out)?;
                    continue;
                }
                PpTokenKind::Ident if text == "_Generic" => {
                    let what = "not supported: _Generic on this machine, where int and short are one type to us";
                    return Err((token.span, what.to_owned()));
                }
                PpTokenKind::Number => {
                    let number = self.literal(&text, token)?;
                    out.push(PpToken { value: Some(names.intern(&number)), ..*token });
                }
                PpTokenKind::CharConst if has_several(&text) => {
                    return Err((
                        token.span,
                        "not supported: several characters in one constant on this machine".to_owned(),
                    ));
                }
                PpTokenKind::CharConst | PpTokenKind::StringLit if text.starts_with(['L', 'u', 'U']) => {
                    return Err((token.span, "not supported: wide characters on this machine".to_owned()));
                }
                _ => out.push(*token),
            }
            at += 1;
        }
        Ok(out)
    }

    /// The specifiers of one type, from the first of them on: a name of ours for all of them. Where they end.
    fn specifiers(
        &self,
        tokens: &[PpToken],
        start: usize,
        names: &mut Interner,
        out: &mut Vec<PpToken>,
    ) -> Result<usize, (Span, String)> {
        let mut end = start;
        let (mut bases, mut others) = (Vec::new(), Vec::new());
        while let Some(text) = tokens.get(end).and_then(|token| name_of(token, names)) {
            if is_base(text) {
                bases.push((text.to_owned(), tokens[end]));
            } else if QUALIFIERS.contains(&text) {
                others.push(tokens[end]);
            } else {
                break;
            }
            end += 1;
        }
        let next = tokens.get(end).and_then(|token| name_of(token, names));
        // Our own names are declared by what they stand for.
        let declares = next.and_then(|name| name.strip_prefix(OURS)).is_some_and(|name| TYPES.contains(&name));
        let is_system = self.map.is_system(tokens[start].span.lo);
        let words: Vec<&str> = bases.iter().map(|(text, _)| text.as_str()).collect();
        let first = tokens[start].span;
        match if declares && is_system { None } else { self.type_of(&words, is_system) } {
            Some(Err(what)) => return Err((first, what.to_owned())),
            Some(Ok(name)) => out.push(word(&format!("{OURS}{name}"), &tokens[start], names)),
            None => out.extend(bases.iter().map(|(_, token)| *token)),
        }
        out.extend(others);
        Ok(end)
    }

    /// What a type is called by us, if it is not left as it is.
    fn type_of(&self, words: &[&str], is_system: bool) -> Option<Result<String, &'static str>> {
        let has = |word: &str| words.contains(&word);
        let is_avr = self.model == DataModel::Avr;
        if has("double") {
            // The models of the library compute as they do anywhere.
            return (is_avr && !is_system).then(|| match has("long") {
                true => Err("not supported: long double on AVR, whose width is not the same in every avr-gcc"),
                false => Ok("float".to_owned()),
            });
        }
        if has("float") {
            return Some(Ok("float".to_owned()));
        }
        if ["char", "__int128", "__int128_t", "_Complex", "__complex__"].into_iter().any(has) {
            return None;
        }
        let width = ["int", "long", "long_long"][words.iter().filter(|word| **word == "long").count().min(2)];
        Some(Ok(match (has("unsigned"), width) {
            (false, width) => width.to_owned(),
            (true, "int") => "unsigned".to_owned(),
            (true, width) => format!("unsigned_{width}"),
        }))
    }

    /// A literal with the suffix that says its type on the machine.
    fn literal(&self, text: &str, token: &PpToken) -> Result<String, (Span, String)> {
        let low = text.to_ascii_lowercase();
        let radix = match low.as_bytes() {
            [b'0', b'x', ..] => 16,
            [b'0', b'b', ..] => 2,
            [b'0', _, ..] => 8,
            _ => 10,
        };
        let is_float = low.contains('.') || (radix == 16 && low.contains('p')) || (radix != 16 && low.contains('e'));
        if is_float {
            let plain = self.model == DataModel::Avr && !self.map.is_system(token.span.lo);
            return match low.chars().last() {
                Some('l') if plain => Err((token.span, "not supported: long double on AVR".to_owned())),
                Some(last) if plain && last != 'f' => Ok(format!("{text}f")),
                _ => Ok(text.to_owned()),
            };
        }
        let digits = low.trim_end_matches(['u', 'l']);
        let suffix = &low[digits.len()..];
        let body = digits.trim_start_matches("0x").trim_start_matches("0b").replace('\'', "");
        let Ok(value) = u128::from_str_radix(&body, radix) else { return Ok(text.to_owned()) };
        let fits = |bits: u32| value < 1 << bits;
        let longer = match suffix {
            "" if fits(15) => "",
            "" if radix != 10 && fits(16) => "u",
            "" if fits(31) => "L",
            "" if radix != 10 && fits(32) => "UL",
            "" => "LL",
            "u" if fits(16) => "u",
            "u" if fits(32) => "UL",
            "u" => "ULL",
            _ => return Ok(text.to_owned()),
        };
        Ok(format!("{}{longer}", &text[..digits.len()]))
    }
}

/// Whether a character constant is made of more than one byte.
fn has_several(text: &str) -> bool {
    let body = text.trim_matches('\'').trim_start_matches('\\');
    let digits = |radix: u32| body.trim_start_matches('x').chars().all(|letter| letter.is_digit(radix));
    body.len() > 1 && !(text.starts_with("'\\") && (digits(8) || body.starts_with('x') && digits(16)))
}

/// Words that name types of numbers.
fn is_base(word: &str) -> bool {
    matches!(
        word,
        "int" | "short" | "long" | "signed" | "unsigned" | "__signed__" | "__signed" | "char" | "float" | "double"
    ) || matches!(word, "__int128" | "_Complex" | "__complex__")
}

/// Words that may stand between them.
const QUALIFIERS: &[&str] = &[
    "const",
    "__const",
    "__const__",
    "volatile",
    "__volatile__",
    "__volatile",
    "static",
    "extern",
    "register",
    "typedef",
    "inline",
    "__inline",
    "__inline__",
    "_Noreturn",
    "_Atomic",
    "_Thread_local",
    "__thread",
    "__extension__",
    "constexpr",
];

/// One more enumerator for every list of them: without it 8 bits may do, which no `int` has.
fn enumerations(tokens: &[PpToken], names: &mut Interner) -> Result<Vec<PpToken>, (Span, String)> {
    let mut out: Vec<PpToken> = Vec::with_capacity(tokens.len());
    // Where the braces that are open stand, if they are those of an enumeration.
    let mut open: Vec<Option<usize>> = Vec::new();
    let (begins, mut count) = (bodies(tokens, &["enum"], names), 0);
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            PpTokenKind::Punct(Punct::LBrace) => open.push(begins.contains(&at).then_some(out.len())),
            PpTokenKind::Punct(Punct::RBrace) => {
                if let Some(Some(start)) = open.pop() {
                    if is_mixed(&out[start..], names) {
                        let what = "not supported: an enumeration that may have negative values and values beyond int on this machine";
                        return Err((out[start].span, what.to_owned()));
                    }
                    count += 1;
                    if !is(out.last(), Punct::Comma) {
                        out.push(mark(Punct::Comma, token));
                    }
                    out.push(word(&format!("{WIDENS}{count}"), token, names));
                    out.push(mark(Punct::Eq, token));
                    out.push(number("256", token, names));
                }
            }
            _ => {}
        }
        out.push(*token);
    }
    Ok(out)
}

/// The braces of what is defined with one of these words, but for enumerations that are as small as can be or say their width.
fn bodies(tokens: &[PpToken], words: &[&str], names: &Interner) -> HashSet<usize> {
    let name = |at: usize| tokens.get(at).and_then(|token| name_of(token, names));
    let mut found = HashSet::new();
    for start in 0..tokens.len() {
        if !name(start).is_some_and(|name| words.contains(&name)) {
            continue;
        }
        let (mut at, mut depth, mut packed) = (start + 1, 0, false);
        // A tag, and attributes in their parentheses.
        while name(at).is_some() || depth > 0 || is(tokens.get(at), Punct::LParen) {
            packed |= matches!(name(at), Some("packed" | "__packed__"));
            let before = at > start + 1 && is(tokens.get(at), Punct::LParen) && depth == 0;
            if before && !matches!(name(at - 1), Some("__attribute__" | "__attribute")) || at >= tokens.len() {
                break;
            }
            depth += i32::from(is(tokens.get(at), Punct::LParen)) - i32::from(is(tokens.get(at), Punct::RParen));
            at += 1;
        }
        if is(tokens.get(at), Punct::LBrace) && !(packed && words == ["enum"]) {
            found.insert(at);
        }
    }
    found
}

/// Whether an enumeration may have negative values and such as no `int` has, whose type depends on both.
fn is_mixed(body: &[PpToken], names: &Interner) -> bool {
    let has = |puncts: &[Punct]| body.iter().any(|token| puncts.iter().any(|punct| is(Some(token), *punct)));
    let is_long = |token: &PpToken| {
        let text = token.value.filter(|_| token.kind == PpTokenKind::Number).map(|value| names.resolve(value));
        text.is_some_and(|text| text.ends_with(['u', 'U', 'l', 'L']))
    };
    has(&[Punct::Minus, Punct::Tilde]) && (has(&[Punct::Shl]) || body.iter().any(is_long))
}

/// Members with `packed`: bit-fields lie without gaps on AVR, and enumerations have no name of ours that says how they are aligned.
fn unaligned_members(tokens: &[PpToken], names: &mut Interner) -> Vec<PpToken> {
    let mut out: Vec<PpToken> = Vec::with_capacity(tokens.len());
    // Brackets that are open, whether they are the braces of a record, and whether an assertion is under way.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let begins = bodies(tokens, &["struct", "union"], names);
    for (at, token) in tokens.iter().enumerate() {
        let asserts = matches!(name_of(token, names), Some("_Static_assert" | "static_assert"));
        match token.kind {
            PpTokenKind::Punct(Punct::LBrace) => open.push((begins.contains(&at), false)),
            _ if asserts => {
                if let Some((_, other)) = open.last_mut() {
                    *other = true;
                }
            }
            PpTokenKind::Punct(Punct::LParen | Punct::LBracket) => open.push((false, false)),
            PpTokenKind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket) => {
                open.pop();
            }
            PpTokenKind::Punct(Punct::Semi | Punct::Comma) => {
                if let Some((true, other)) = open.last_mut()
                    && !std::mem::take(other)
                    && !is(out.last(), Punct::Semi)
                    // A record without a name.
                    && !is(out.last(), Punct::RBrace)
                {
                    out.extend([word("__attribute__", token, names), mark(Punct::LParen, token)]);
                    out.extend([mark(Punct::LParen, token), word("packed", token, names)]);
                    out.extend([mark(Punct::RParen, token), mark(Punct::RParen, token)]);
                }
            }
            _ => {}
        }
        out.push(*token);
    }
    out
}

fn number(text: &str, at: &PpToken, names: &mut Interner) -> PpToken {
    PpToken {
        kind: PpTokenKind::Number,
        flags: TokenFlags::LEADING_SPACE,
        value: Some(names.intern(text)),
        span: at.span,
    }
}

/// `sizeof` of an expression: promoted numbers have 4 bytes for the front-end crates.
fn sizes(tokens: &[PpToken], names: &mut Interner) -> Result<Vec<PpToken>, (Span, String)> {
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if !matches!(name_of(token, names), Some("sizeof" | "__sizeof__")) {
            out.push(*token);
            at += 1;
            continue;
        }
        let end = operand(tokens, at + 1, names)?;
        let measured = &tokens[at + 1..end];
        if measured.is_empty() {
            out.push(*token);
            at += 1;
            continue;
        }
        let inner = sizes(measured, names)?;
        let inside = if is(measured.first(), Punct::LParen) { &inner[1..inner.len() - 1] } else { &inner };
        // Nothing of it is evaluated: it stands where nothing else does (`folded`).
        let nowhere = Span { hi: token.span.lo, ..token.span };
        let inside: Vec<PpToken> = inside.iter().map(|token| PpToken { span: nowhere, ..*token }).collect();
        out.push(word("__builtin_choose_expr", token, names));
        out.push(mark(Punct::LParen, token));
        for (number, kind) in ["signed", "unsigned"].into_iter().enumerate() {
            if number > 0 {
                out.push(mark(Punct::PipePipe, token));
            }
            out.extend([word("__builtin_types_compatible_p", token, names), mark(Punct::LParen, token)]);
            out.extend([word("__typeof__", token, names), mark(Punct::LParen, token)]);
            out.extend(&inside);
            out.extend([mark(Punct::RParen, token), mark(Punct::Comma, token)]);
            out.extend([word(kind, token, names), word("int", token, names), mark(Punct::RParen, token)]);
        }
        out.push(mark(Punct::Comma, token));
        out.extend([word("sizeof", token, names), mark(Punct::LParen, token)]);
        out.extend([word("short", token, names), mark(Punct::RParen, token), mark(Punct::Comma, token), *token]);
        out.extend([mark(Punct::LParen, token)]);
        out.extend(&inside);
        out.extend([mark(Punct::RParen, token), mark(Punct::RParen, token)]);
        at = end;
    }
    Ok(out)
}

/// Where the operand of `sizeof` ends if it may be a promoted number; where it starts if it is none: a type that is written
/// out, or something that was declared with its type.
fn operand(tokens: &[PpToken], start: usize, names: &Interner) -> Result<usize, (Span, String)> {
    let Some(first) = tokens.get(start) else { return Ok(start) };
    let goes_on = |at: usize| {
        let postfix = [Punct::LBracket, Punct::LParen, Punct::Dot, Punct::Arrow, Punct::LBrace];
        postfix.into_iter().any(|punct| is(tokens.get(at), punct))
    };
    match first.kind {
        PpTokenKind::Number | PpTokenKind::CharConst => Ok(start + 1),
        PpTokenKind::Ident if matches!(name_of(first, names), Some("sizeof" | "_Alignof" | "__alignof__")) => {
            Err((first.span, "not supported: this operand of sizeof without parentheses on this machine".to_owned()))
        }
        PpTokenKind::Ident => Ok(if goes_on(start + 1) { start } else { start + 1 }),
        PpTokenKind::Punct(Punct::Plus | Punct::Minus | Punct::Tilde | Punct::Bang) => {
            Err((first.span, "not supported: this operand of sizeof without parentheses on this machine".to_owned()))
        }
        PpTokenKind::Punct(Punct::LParen) => {
            let mut depth = 0;
            let mut end = start;
            while end < tokens.len() {
                depth += i32::from(is(tokens.get(end), Punct::LParen)) - i32::from(is(tokens.get(end), Punct::RParen));
                end += 1;
                if depth == 0 {
                    break;
                }
            }
            let written = tokens.get(start + 1).and_then(|token| name_of(token, names)).is_some_and(|name| {
                matches!(name, "struct" | "union" | "enum" | "const" | "volatile" | "void" | "char" | "_Bool")
                    || name.starts_with(OURS)
            });
            Ok(if written || goes_on(end) { start } else { end })
        }
        _ => Ok(start),
    }
}
