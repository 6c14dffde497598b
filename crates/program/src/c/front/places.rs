//! Where tokens of macros stand: in the text a person wrote.
//!
//! The preprocessor knows for every token where it is spelled and which use of a macro in the text it came out of. A
//! token that stands in the arguments of that use keeps its own place. One that comes from the body of a macro has no
//! place of its own and gets the whole use, `CHECK(a, b)`; if the macro is used inside the arguments of another, as
//! `LIMIT` in `assert(x < LIMIT)`, the inner use. Which of the uses it is, is not recorded, so it is inferred from the
//! macro whose body spells the token. A node that takes parts of several arguments belongs to the whole use, too.

use std::collections::{HashMap, HashSet};

use rucc_base::{Interner, Symbol};
use rucc_diag::{SourceMap, Span};
use rucc_lex::{PpToken, PpTokenKind, Punct};
use rucc_pp::{Preprocessor, Tok};

/// How many macros are followed to find out which one spells a token.
const FOLLOWED: usize = 200;

/// A use of a macro in the text.
struct Use {
    name: Symbol,
    /// From its name to the parenthesis that closes its arguments.
    whole: Span,
    arguments: Vec<Span>,
}

/// The uses of macros in a unit: those that stand alone, each with those inside its arguments.
#[derive(Default)]
pub(super) struct Uses {
    outer: Vec<(Use, Vec<Use>)>,
    /// Those that stand for more than an expression.
    pub(super) statements: HashSet<Span>,
}

/// Words that no expression has.
const STATEMENTS: [&str; 10] = ["if", "else", "while", "do", "for", "switch", "case", "default", "return", "goto"];

impl Uses {
    /// The place of a node: the whole use if it takes parts of several arguments.
    pub(super) fn widen(&self, mut span: Span) -> Span {
        let before = |position| self.outer.partition_point(|(outer, _)| outer.whole.lo <= position);
        // The uses that one of the two ends may stand in.
        for index in [before(span.lo), before(span.hi)].into_iter().filter_map(|index| index.checked_sub(1)) {
            let (outer, inner) = &self.outer[index];
            // Inner ones first: what they widen may be within one argument of an outer one. Later ones are further in.
            for around in inner.iter().rev().chain([outer]) {
                let inside = encloses(around.whole, span);
                let apart = span.hi <= around.whole.lo || around.whole.hi <= span.lo;
                let in_argument = around.arguments.iter().any(|argument| encloses(*argument, span));
                if !apart && !in_argument && (inside || !encloses(span, around.whole)) {
                    span = span.to(around.whole);
                }
            }
        }
        span
    }
}

fn encloses(outer: Span, inner: Span) -> bool {
    outer.lo <= inner.lo && inner.hi <= outer.hi
}

/// What placing needs to look things up.
struct Placer<'a> {
    map: &'a SourceMap,
    pp: &'a Preprocessor,
    names: &'a Interner,
    /// Where the bodies of macros are spelled, sorted.
    bodies: Vec<(Span, Symbol)>,
    reached: HashMap<(Symbol, Symbol), bool>,
}

/// Gives every token the place a person would point at.
pub(super) fn place_tokens(
    tokens: &[Tok],
    map: &SourceMap,
    pp: &Preprocessor,
    names: &Interner,
) -> (Vec<PpToken>, Uses) {
    let mut bodies: Vec<(Span, Symbol)> = Vec::new();
    for found in pp.macros().sorted() {
        if let (Some(first), Some(last)) = (found.body.first(), found.body.last()) {
            bodies.push((first.span.to(last.span), found.name));
        }
    }
    bodies.sort();
    let mut placer = Placer { map, pp, names, bodies, reached: HashMap::new() };
    let own = |token: &Tok| {
        token.expansion.is_dummy()
            || (token.span.lo >= token.expansion.hi
                && !token.span.is_dummy()
                && map.lookup_file(token.span.lo) == map.lookup_file(token.expansion.lo))
    };
    // A macro may stand for the name of one that takes arguments.
    let with_arguments: HashSet<u32> =
        tokens.iter().filter(|token| own(token)).map(|token| token.expansion.lo).collect();
    let mut found: HashMap<u32, (Use, Vec<Use>)> = HashMap::new();
    let mut statements = HashSet::new();
    let mut placed = Vec::with_capacity(tokens.len());
    for (index, token) in tokens.iter().enumerate() {
        let mut span = token.span;
        if !own(token) {
            let at = token.expansion;
            let (outer, inner) = found.entry(at.lo).or_insert_with(|| {
                let outer = placer.use_at(at, with_arguments.contains(&at.lo));
                let inner = placer.uses_inside(&outer);
                (outer, inner)
            });
            let neighbour = |tokens: &mut dyn Iterator<Item = &Tok>| {
                let same = tokens.take_while(|other| other.expansion.lo == at.lo);
                same.take(64).find(|other| own(other)).map(|other| other.span)
            };
            let before = neighbour(&mut tokens[..index].iter().rev());
            let after = neighbour(&mut tokens[index + 1..].iter());
            span = placer.inner_use(token.span, outer, inner, before, after).unwrap_or(outer.whole);
            let is_statement = match token.kind {
                PpTokenKind::Punct(punct) => matches!(punct, Punct::Semi | Punct::LBrace | Punct::RBrace),
                PpTokenKind::Ident => token.value.is_some_and(|name| STATEMENTS.contains(&names.resolve(name))),
                _ => false,
            };
            if is_statement {
                statements.insert(span);
            }
        }
        placed.push(PpToken { kind: token.kind, flags: token.flags, value: token.value, span });
    }
    let mut outer: Vec<(Use, Vec<Use>)> = found.into_values().collect();
    outer.sort_by_key(|(outer, _)| outer.whole.lo);
    (placed, Uses { outer, statements })
}

impl Placer<'_> {
    /// The text of the file that a position is in, and where that file starts.
    fn file_text(&self, position: u32) -> Option<(&[u8], u32)> {
        let file = self.map.file(self.map.lookup_file(position)?);
        Some((file.bytes(), file.start))
    }

    /// The use whose name stands at a place.
    fn use_at(&self, name: Span, with_arguments: bool) -> Use {
        let nothing =
            Use { name: self.symbol(name).unwrap_or_else(|| self.any_name()), whole: name, arguments: vec![] };
        let Some((bytes, start)) = self.file_text(name.lo) else { return nothing };
        let found = self.symbol(name).and_then(|symbol| self.pp.macros().lookup(symbol));
        if !with_arguments && !found.is_some_and(|found| found.function_like) {
            return nothing;
        }
        match arguments(bytes, (name.hi - start) as usize) {
            Some((end, pieces)) => Use {
                whole: Span::new(name.lo, start + end as u32),
                arguments: pieces
                    .iter()
                    .map(|(from, to)| Span::new(start + *from as u32, start + *to as u32))
                    .collect(),
                ..nothing
            },
            None => nothing,
        }
    }

    /// The uses that stand in the arguments of another, from left to right.
    fn uses_inside(&self, outer: &Use) -> Vec<Use> {
        let Some((bytes, start)) = self.file_text(outer.whole.lo) else { return Vec::new() };
        let mut uses = Vec::new();
        for argument in &outer.arguments {
            let (mut at, end) = ((argument.lo - start) as usize, (argument.hi - start) as usize);
            while at < end {
                if is_word(bytes[at]) {
                    let length = bytes[at..end].iter().take_while(|byte| is_word(**byte)).count();
                    let name = Span::new(start + at as u32, start + (at + length) as u32);
                    let found = self.symbol(name).and_then(|symbol| self.pp.macros().lookup(symbol));
                    if found.is_some() {
                        uses.push(self.use_at(name, false));
                    }
                    at += length;
                } else {
                    at = past(bytes, at);
                }
            }
        }
        uses
    }

    /// Which use inside the arguments a token of some body comes from, if it is one.
    fn inner_use(
        &mut self,
        spelled: Span,
        outer: &Use,
        inner: &[Use],
        before: Option<Span>,
        after: Option<Span>,
    ) -> Option<Span> {
        if inner.is_empty() {
            return None;
        }
        let index = self.bodies.partition_point(|(body, _)| body.lo <= spelled.lo).checked_sub(1)?;
        let (body, owner) = self.bodies[index];
        if !encloses(body, spelled) || owner == outer.name {
            return None;
        }
        let candidates: Vec<Span> = inner
            .iter()
            .filter(|candidate| self.reaches(candidate.name, owner))
            .map(|candidate| candidate.whole)
            .collect();
        let around = |span: Option<Span>| {
            candidates.iter().rev().find(|candidate| span.is_some_and(|span| encloses(**candidate, span)))
        };
        let next = || candidates.iter().find(|candidate| before.is_none_or(|before| candidate.lo >= before.hi));
        around(before).or_else(|| around(after)).or_else(next).or(candidates.first()).copied()
    }

    /// Whether the expansion of a macro may contain what another's body spells.
    fn reaches(&mut self, from: Symbol, to: Symbol) -> bool {
        if let Some(known) = self.reached.get(&(from, to)) {
            return *known;
        }
        let (mut seen, mut open) = (HashSet::from([from]), vec![from]);
        while let Some(name) = open.pop() {
            let Some(found) = self.pp.macros().lookup(name) else { continue };
            for token in found.body.iter().filter(|token| token.kind == PpTokenKind::Ident) {
                if let Some(name) = token.value
                    && seen.len() < FOLLOWED
                    && self.pp.macros().is_defined(name)
                    && seen.insert(name)
                {
                    open.push(name);
                }
            }
        }
        self.reached.insert((from, to), seen.contains(&to));
        seen.contains(&to)
    }

    fn symbol(&self, name: Span) -> Option<Symbol> {
        let (bytes, start) = self.file_text(name.lo)?;
        let text = bytes.get((name.lo - start) as usize..(name.hi - start) as usize)?;
        self.names.find(std::str::from_utf8(text).ok()?)
    }

    /// Some symbol, for a use whose name cannot be read.
    fn any_name(&self) -> Symbol {
        self.bodies.first().map_or_else(|| self.names.find("int").expect("keywords are interned first"), |body| body.1)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Where a comment, a literal or a single byte ends.
fn past(bytes: &[u8], at: usize) -> usize {
    match (bytes[at], bytes.get(at + 1)) {
        (b'/', Some(b'*')) => {
            let rest = &bytes[at + 2..];
            at + 2 + rest.windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |end| end + 2)
        }
        (b'/', Some(b'/')) => at + bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - at),
        (quote @ (b'"' | b'\''), _) => {
            let mut end = at + 1;
            while bytes.get(end).is_some_and(|byte| *byte != quote && *byte != b'\n') {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            (end + 1).min(bytes.len())
        }
        _ => at + 1,
    }
}

/// The arguments behind a macro's name: where the closing parenthesis ends, and the ranges between commas.
fn arguments(bytes: &[u8], mut at: usize) -> Option<(usize, Vec<(usize, usize)>)> {
    while bytes.get(at).is_some_and(|byte| *byte != b'(') {
        let comment = bytes[at] == b'/' && matches!(bytes.get(at + 1), Some(b'/' | b'*'));
        if !comment && !bytes[at].is_ascii_whitespace() && bytes[at] != b'\\' {
            return None;
        }
        at = past(bytes, at);
    }
    let mut pieces = Vec::new();
    let (mut from, mut depth) = (at + 1, 0usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b',' if depth == 1 => {
                pieces.push((from, at));
                from = at + 1;
            }
            b')' if depth == 1 => {
                pieces.push((from, at));
                return Some((at + 1, pieces));
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = past(bytes, at);
    }
    None
}
