//! What is refused before the parser sees it.
//!
//! The parser bounds the nesting of brackets, but it and the checker recurse along operators, labels and pointers too,
//! and take quadratic time for some lists. Stack and time are bounded here by counting tokens: how many belong to the
//! statements, declarations and initialisers that are open at once. No person writes what is refused.

use rucc_diag::Span;
use rucc_lex::{PpToken, PpTokenKind, Punct};

use rucc_base::Interner;

/// Tokens of one statement or of one element of an initialiser.
const TOKENS: usize = 200_000;
/// Commas that may be operators, in one statement.
const COMMAS: usize = 500_000;
/// `else`s of one file, which may be one chain.
const ELSES: usize = 500_000;
/// Dimensions of an array, stars of a pointer, attributes of a declaration.
const LIST: usize = 1_000;
/// Bytes of one line that the preprocessor evaluates.
const DIRECTIVE: usize = 500_000;

/// What is open at one level of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    initialiser: bool,
    braces: bool,
    tokens: usize,
    commas: usize,
}

/// The first place where a unit is too much, and why.
pub(super) fn excess(tokens: &[PpToken], names: &Interner) -> Option<(Span, String)> {
    let word = |text| names.find(text);
    let (word_else, attribute, gnu_attribute) = (word("else"), word("__attribute"), word("__attribute__"));
    let mut levels = vec![Level { braces: true, ..Level::default() }];
    let (mut total, mut elses, mut dimensions, mut attributes) = (0, 0, 0, 0);
    let mut previous = None;
    for token in tokens {
        let punct = if let PpTokenKind::Punct(punct) = token.kind { Some(punct) } else { None };
        let top = levels.len() - 1;
        let level = &mut levels[top];
        level.tokens += 1;
        total += 1;
        if token.value.is_some() && token.kind == PpTokenKind::Ident {
            elses += usize::from(token.value == word_else);
            attributes += usize::from(token.value == attribute || token.value == gnu_attribute);
        }
        dimensions += usize::from(punct == Some(Punct::Star) && previous == punct);
        match punct.map(Punct::as_str) {
            Some("(" | "[") => {
                dimensions += usize::from(punct == Some(Punct::LBracket) && previous == Some(Punct::RBracket));
                levels.push(Level::default());
            }
            Some("{") => {
                let initialiser = match previous.map(Punct::as_str) {
                    Some("=") => true,
                    Some("{" | ",") => level.initialiser,
                    _ => false,
                };
                levels.push(Level { initialiser, braces: true, ..Level::default() });
            }
            Some(")" | "]" | "}") if top > 0 => {
                total -= levels[top].tokens;
                levels.pop();
                if punct == Some(Punct::RBrace)
                    && let Some(level) = levels.last_mut()
                    && level.braces
                    && !level.initialiser
                {
                    total -= level.tokens;
                    (level.tokens, level.commas, dimensions, attributes) = (0, 0, 0, 0);
                }
            }
            Some(";") => {
                total -= level.tokens;
                (level.tokens, level.commas, dimensions, attributes) = (0, 0, 0, 0);
            }
            Some(",") => {
                level.commas += 1;
                if level.braces {
                    total -= level.tokens;
                    level.tokens = 0;
                }
                if level.commas > COMMAS && !level.initialiser {
                    return Some((token.span, "more commas in one statement than can be read".to_owned()));
                }
            }
            _ => {}
        }
        previous = punct;
        if total > TOKENS {
            return Some((token.span, format!("one statement has more than {TOKENS} tokens")));
        }
        if elses > ELSES {
            return Some((token.span, format!("more than {ELSES} alternatives")));
        }
        if dimensions > LIST || attributes > LIST {
            return Some((token.span, format!("more than {LIST} dimensions, stars or attributes in one declaration")));
        }
    }
    None
}

/// The first directive that is too long to be evaluated, as its place in the text.
pub(super) fn long_directive(text: &str) -> Option<(u32, u32)> {
    let mut start = 0;
    let mut continued = 0;
    for line in text.split_inclusive('\n') {
        if continued + line.len() > DIRECTIVE && text[start - continued..].trim_start().starts_with('#') {
            let directive = text[start - continued..].trim_start().trim_start_matches('#').trim_start();
            if directive.starts_with("if") || directive.starts_with("elif") {
                return Some((start as u32, start as u32));
            }
        }
        let whole = line.trim_end_matches(['\n', '\r']);
        continued = if whole.ends_with('\\') { continued + line.len() } else { 0 };
        start += line.len();
    }
    None
}
