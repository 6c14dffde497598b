//! What CBMC adds to the grammar of C, written as C before the parser sees it.
//!
//! | text | becomes |
//! |---|---|
//! | `a ==> b`, weaker than the double bar and to the right | `(!(a) \|\| (b))` |
//! | `__CPROVER_forall { T i; e }`, `__CPROVER_exists` | `__nearmiss_forall(({ T i; e; }))`, which lowering expands |
//! | `__CPROVER_requires(e)` and other clauses of contracts | nothing, with a note |
//! | `__CPROVER_bitvector[8]` | `signed char`, and so on for the widths that C has |
//!
//! Tokens that are put in take the places of their neighbours, so that a node has the place that a person wrote it at.

use rucc_base::{Interner, Symbol};
use rucc_diag::Span;
use rucc_lex::{PpToken, PpTokenKind, Punct, TokenFlags};

use crate::c::checkers;

/// A place, and what is said of it.
type Remark = (Span, String);

/// Tokens, and what was left out.
type Translated = (Vec<PpToken>, Vec<Remark>);

/// The tokens of a unit in plain C, and the clauses of contracts that were left out.
pub(super) fn translate(tokens: Vec<PpToken>, names: &mut Interner) -> Result<Translated, Remark> {
    let (tokens, left_out) = without_contracts(tokens, names);
    if let Some(word) = tokens.iter().find(|token| name_of(token, names).is_some_and(checkers::is_misplaced)) {
        let name = name_of(word, names).unwrap_or_default();
        return Err((word.span, format!("not supported: {}", checkers::objection(name))));
    }
    let uses = |word: &str| names.find(word).is_some();
    let (bits, quantifies) = (uses("__CPROVER_bitvector"), uses("__CPROVER_forall") || uses("__CPROVER_exists"));
    let mut tokens = tokens;
    if bits {
        tokens = bit_vectors(&tokens, names)?;
    }
    if quantifies {
        tokens = quantifiers(&tokens, names);
    }
    if tokens.windows(2).any(is_implication) {
        let return_word = names.find("return");
        tokens = Implications { return_word }.rewrite(&mut tokens.as_slice());
    }
    Ok((tokens, left_out))
}

/// Leaves out `__CPROVER_requires(e)` and its kin.
fn without_contracts(tokens: Vec<PpToken>, names: &Interner) -> Translated {
    let starts = |at: usize| name_of(&tokens[at], names).is_some_and(checkers::is_clause);
    if !(0..tokens.len()).any(starts) {
        return (tokens, Vec::new());
    }
    let (mut kept, mut left_out, mut at) = (Vec::with_capacity(tokens.len()), Vec::new(), 0);
    while at < tokens.len() {
        if !starts(at) || !is(tokens.get(at + 1), Punct::LParen) {
            kept.push(tokens[at]);
            at += 1;
            continue;
        }
        let name = name_of(&tokens[at], names).unwrap_or_default();
        left_out.push((
            tokens[at].span,
            format!("{name} is neither checked nor assumed, as CBMC does without goto-instrument"),
        ));
        let mut depth = 0;
        at += 1;
        while at < tokens.len() {
            depth += i32::from(is(tokens.get(at), Punct::LParen)) - i32::from(is(tokens.get(at), Punct::RParen));
            at += 1;
            if depth == 0 {
                break;
            }
        }
    }
    (kept, left_out)
}

pub(super) fn name_of<'a>(token: &PpToken, names: &'a Interner) -> Option<&'a str> {
    token.value.filter(|_| token.kind == PpTokenKind::Ident).map(|symbol| names.resolve(symbol))
}

pub(super) fn is(token: Option<&PpToken>, punct: Punct) -> bool {
    token.is_some_and(|token| token.kind == PpTokenKind::Punct(punct))
}

/// A mark at the place of another token.
pub(super) fn mark(punct: Punct, at: &PpToken) -> PpToken {
    PpToken { kind: PpTokenKind::Punct(punct), flags: TokenFlags::EMPTY, value: None, span: at.span }
}

/// A word at the place of another token.
pub(super) fn word(text: &str, at: &PpToken, names: &mut Interner) -> PpToken {
    PpToken {
        kind: PpTokenKind::Ident,
        flags: TokenFlags::LEADING_SPACE,
        value: Some(names.intern(text)),
        span: at.span,
    }
}

/// `__CPROVER_bitvector[8]`, signed unless it is said otherwise. CBMC promotes it as the type of C that is as wide.
fn bit_vectors(tokens: &[PpToken], names: &mut Interner) -> Result<Vec<PpToken>, Remark> {
    let mut out: Vec<PpToken> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if name_of(token, names) != Some("__CPROVER_bitvector") {
            out.push(*token);
            at += 1;
            continue;
        }
        let width = tokens.get(at + 2).and_then(|width| width.value).map(|width| names.resolve(width));
        let bracketed = is(tokens.get(at + 1), Punct::LBracket) && is(tokens.get(at + 3), Punct::RBracket);
        let ty: &[&str] = match width.filter(|_| bracketed) {
            Some("8") => &["char"],
            Some("16") => &["short"],
            Some("32") if names.find("__nearmiss_int").is_some() => &["long"],
            Some("32") => &["int"],
            Some("64") => &["long", "long"],
            Some("128") => &["__int128"],
            _ => {
                let what = "not supported: __CPROVER_bitvector of another width than 8, 16, 32, 64 or 128";
                return Err((token.span, what.to_owned()));
            }
        };
        let signed = out
            .last()
            .and_then(|last| name_of(last, names))
            .is_some_and(|last| matches!(last, "signed" | "unsigned" | "__signed__" | "__signed"));
        if !signed {
            out.push(word("signed", token, names));
        }
        out.extend(ty.iter().map(|part| word(part, token, names)));
        at += 4;
    }
    Ok(out)
}

/// `__CPROVER_forall { T i; e }`.
fn quantifiers(tokens: &[PpToken], names: &mut Interner) -> Vec<PpToken> {
    let mut out = Vec::with_capacity(tokens.len());
    // The brackets that are open, and whether they are those of a quantifier.
    let mut open = Vec::new();
    let mut begins = false;
    for (at, token) in tokens.iter().enumerate() {
        let quantifier = match name_of(token, names) {
            Some("__CPROVER_forall") => Some("__nearmiss_forall"),
            Some("__CPROVER_exists") => Some("__nearmiss_exists"),
            _ => None,
        };
        match (quantifier, token.kind) {
            (Some(name), _) if is(tokens.get(at + 1), Punct::LBrace) => {
                out.push(word(name, token, names));
                out.extend([mark(Punct::LParen, token), mark(Punct::LParen, token)]);
                begins = true;
            }
            (_, PpTokenKind::Punct(Punct::LBrace)) => {
                out.push(*token);
                open.push(std::mem::take(&mut begins));
            }
            (_, PpTokenKind::Punct(Punct::RBrace)) => {
                if open.pop() == Some(true) {
                    out.push(mark(Punct::Semi, token));
                    out.push(*token);
                    out.extend([mark(Punct::RParen, token), mark(Punct::RParen, token)]);
                } else {
                    out.push(*token);
                }
            }
            _ => out.push(*token),
        }
    }
    out
}

/// `==` and `>` in a row, which is never C.
fn is_implication(pair: &[PpToken]) -> bool {
    is(pair.first(), Punct::EqEq) && is(pair.get(1), Punct::Gt)
}

struct Implications {
    /// How `return` is spelled in this unit.
    return_word: Option<Symbol>,
}

impl Implications {
    /// Reads up to the bracket that closes what is open, or to the end, and gives back the same without `==>`.
    fn rewrite(&self, rest: &mut &[PpToken]) -> Vec<PpToken> {
        let mut out = Vec::new();
        // The operands of the chain of implications under way, and their operators.
        let mut operands: Vec<Vec<PpToken>> = vec![Vec::new()];
        let mut operators: Vec<PpToken> = Vec::new();
        while let Some((token, after)) = rest.split_first() {
            let PpTokenKind::Punct(punct) = token.kind else {
                operands.last_mut().expect("there is always one").push(*token);
                *rest = after;
                continue;
            };
            if is_implication(rest) {
                operators.push(*token);
                operands.push(Vec::new());
                *rest = &after[1..];
                continue;
            }
            match punct {
                Punct::RParen | Punct::RBracket | Punct::RBrace => break,
                Punct::LParen | Punct::LBracket | Punct::LBrace => {
                    *rest = after;
                    let inside = self.rewrite(rest);
                    let operand = operands.last_mut().expect("there is always one");
                    operand.push(*token);
                    operand.extend(inside);
                    if let Some((close, after)) = rest.split_first() {
                        operand.push(*close);
                        *rest = after;
                    }
                    // A block ends the statement that it belongs to.
                    if punct == Punct::LBrace && operators.is_empty() {
                        out.append(operand);
                    }
                }
                _ if ends_an_operand(punct) => {
                    out.extend(
                        self.chain(std::mem::replace(&mut operands, vec![Vec::new()]), &std::mem::take(&mut operators)),
                    );
                    out.push(*token);
                    *rest = after;
                }
                _ => {
                    operands.last_mut().expect("there is always one").push(*token);
                    *rest = after;
                }
            }
        }
        out.extend(self.chain(operands, &operators));
        out
    }

    /// `a ==> b ==> c` is `(!(a) || (!(b) || (c)))`.
    fn chain(&self, mut operands: Vec<Vec<PpToken>>, operators: &[PpToken]) -> Vec<PpToken> {
        let mut right = operands.pop().unwrap_or_default();
        for (left, operator) in operands.into_iter().zip(operators).rev() {
            // `return a ==> b`: the word is no part of the operand.
            let is_return = |token: &PpToken| token.value.is_some() && token.value == self.return_word;
            let mut before = left;
            let left = before.split_off(before.iter().rposition(is_return).map_or(0, |at| at + 1));
            let (first, last) = (*left.first().unwrap_or(operator), *right.last().unwrap_or(operator));
            let end = *left.last().unwrap_or(operator);
            let start = *right.first().unwrap_or(operator);
            let mut whole = before;
            whole.extend([mark(Punct::LParen, &first), mark(Punct::Bang, &first), mark(Punct::LParen, &first)]);
            whole.extend(left);
            whole.extend([mark(Punct::RParen, &end), mark(Punct::PipePipe, operator), mark(Punct::LParen, &start)]);
            whole.extend(right);
            whole.extend([mark(Punct::RParen, &last), mark(Punct::RParen, &last)]);
            right = whole;
        }
        right
    }
}

/// Whether a mark binds weaker than `==>`.
fn ends_an_operand(punct: Punct) -> bool {
    let text = punct.as_str();
    let assigns = text.ends_with('=') && !matches!(text, "==" | "!=" | "<=" | ">=");
    assigns || matches!(punct, Punct::Comma | Punct::Semi | Punct::Question | Punct::Colon | Punct::Hash)
}
