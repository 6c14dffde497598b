//! Attributes and pragmas that change what a program means in a way that we do not model: refused, where they stand.
//!
//! The front-end crates take `packed`, `aligned`, `mode`, `transparent_union`, `noreturn`, `cleanup` and others that change types and calls into
//! what they hand us. Most of the rest is about warnings, speed or the object file. What is left are those below: a second name for something, code that
//! runs by itself, values in a foreign byte order or at places that a linker chooses. Reading past one of them would make a verdict false.

use rucc_base::{Interner, Symbol};
use rucc_diag::Span;
use rucc_lex::{PpToken, PpTokenKind, Punct};

/// Names of attributes, without underscores around them, and what they do.
const REFUSED: &[(&str, &str)] = &[
    ("alias", "makes one name stand for another definition"),
    ("weakref", "makes one name stand for another definition"),
    ("ifunc", "lets a function be chosen when the program starts"),
    ("target_clones", "lets a function be chosen when the program starts"),
    ("constructor", "runs a function before main"),
    ("destructor", "runs a function after main"),
    ("init_priority", "runs code before main"),
    ("scalar_storage_order", "stores numbers in another byte order"),
    ("ms_struct", "lays out bit-fields in another way"),
    ("naked", "leaves a function without its frame"),
    ("returns_twice", "lets a call return twice"),
    ("noinit", "leaves a variable without its first value"),
    ("persistent", "lets a variable keep its value from one run to the next"),
    ("address", "places a variable at a fixed address"),
    ("io", "places a variable at a fixed address"),
    ("io_low", "places a variable at a fixed address"),
    ("address_space", "places a variable in another memory"),
    ("progmem", "places a variable in another memory"),
];

/// The same for pragmas.
const REFUSED_PRAGMAS: &[(&str, &str)] = &[
    ("scalar_storage_order", "stores numbers in another byte order"),
    ("weak", "lets a name be undefined or stand for another definition"),
    ("redefine_extname", "makes one name stand for another definition"),
    ("ms_struct", "lays out bit-fields in another way"),
];

/// Each attribute and pragma of a unit that is refused: where it stands, and why.
pub(super) fn refused(tokens: &[PpToken], names: &Interner) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let is = |at: usize, punct: Punct| tokens.get(at).is_some_and(|token| token.kind == PpTokenKind::Punct(punct));
    for at in 0..tokens.len() {
        let word = name_of(&tokens[at], names);
        if matches!(word, Some("__attribute__" | "__attribute"))
            && is(at + 1, Punct::LParen)
            && is(at + 2, Punct::LParen)
        {
            listed(&tokens[at + 3..], names, &mut found);
        } else if is(at, Punct::LBracket) && is(at + 1, Punct::LBracket) {
            listed(&tokens[at + 2..], names, &mut found);
        } else if word == Some("pragma") && at > 0 && is(at - 1, Punct::Hash) {
            let next = tokens.get(at + 1);
            let name = next.and_then(|token| name_of(token, names));
            let known = REFUSED_PRAGMAS.iter().find(|(refused, _)| name == Some(refused));
            if let (Some((name, does)), Some(token)) = (known, next) {
                found.push((token.span, format!("not supported: the pragma {name}, which {does}")));
            }
        }
    }
    found
}

/// The names in one list of attributes, which starts here: those that no bracket of the list is around.
fn listed(tokens: &[PpToken], names: &Interner, found: &mut Vec<(Span, String)>) {
    let mut depth = 0;
    for token in tokens {
        match token.kind {
            PpTokenKind::Punct(Punct::LParen | Punct::LBracket) => depth += 1,
            PpTokenKind::Punct(Punct::RParen | Punct::RBracket) if depth == 0 => return,
            PpTokenKind::Punct(Punct::RParen | Punct::RBracket) => depth -= 1,
            _ if depth > 0 => {}
            _ => {
                let name = name_of(token, names).map(|name| name.trim_matches('_'));
                if let Some((name, does)) = REFUSED.iter().find(|(refused, _)| name == Some(refused)) {
                    found.push((token.span, format!("not supported: the attribute {name}, which {does}")));
                }
            }
        }
    }
}

fn name_of<'a>(token: &PpToken, names: &'a Interner) -> Option<&'a str> {
    let symbol: Option<Symbol> = token.value.filter(|_| token.kind == PpTokenKind::Ident);
    symbol.map(|symbol| names.resolve(symbol))
}
