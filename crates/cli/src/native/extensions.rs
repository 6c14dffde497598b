//! What CBMC adds to the grammar of C, as C that a compiler takes: edits of the copied text.
//!
//! `a ==> b` becomes `(!(a) || (b))`, a quantifier a loop over the values that its variable takes, and
//! `__CPROVER_bitvector[8]` the type of C that is as wide. What macros say stays as it is; it then does not compile,
//! and the run counts as not replayed.

use std::cmp::Reverse;

use nearmiss_program::program::{Program, Quantified};

use super::text::{Edits, Token};

/// Edits the text of a file. Nothing else may have been edited before: what is put in comes first at its place.
pub fn rewrite(tokens: &[Token], is_here: impl Fn(&Quantified) -> bool, program: &Program, edits: &mut Edits) {
    let quantifiers: Vec<Parts> = tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| {
            let known = program.quantifiers.iter().find(|q| q.span.start as usize == token.start && is_here(q))?;
            parts(tokens, at, *known)
        })
        .collect();
    write(tokens, &quantifiers, edits);
}

fn write(tokens: &[Token], quantifiers: &[Parts], edits: &mut Edits) {
    let mut brackets = Brackets::default();
    quantifiers.iter().for_each(|parts| parts.write(&mut brackets, edits));
    for at in 0..tokens.len() {
        if is_implication(tokens, at) {
            implication(tokens, at, &mut brackets);
        }
    }
    brackets.write(edits);
    bit_vectors(tokens, edits);
}

/// Pairs of texts around parts of the program. Where several start or end at one place, the outer ones start first and end last; around the same
/// part the outer ones are said first.
#[derive(Default)]
struct Brackets {
    /// Start, end, how many bytes go, and the text.
    opening: Vec<(usize, usize, usize, String)>,
    /// End, start, and the text.
    closing: Vec<(usize, usize, String)>,
    /// Where `==>` stands.
    implications: Vec<usize>,
}

impl Brackets {
    fn around(&mut self, (start, end): (usize, usize), replaced: usize, open: String, close: String) {
        self.opening.push((start, end, replaced, open));
        self.closing.push((end, start, close));
    }

    fn write(mut self, edits: &mut Edits) {
        self.opening.sort_by_key(|(start, end, ..)| (*start, Reverse(*end)));
        self.closing.reverse();
        self.closing.sort_by_key(|(end, start, _)| (*end, Reverse(*start)));
        for (start, _, replaced, text) in &self.opening {
            match replaced {
                0 => edits.insert(*start, text),
                _ => edits.replace(*start, *replaced, text),
            }
        }
        self.closing.iter().for_each(|(end, _, text)| edits.insert(*end, text));
        self.implications.iter().for_each(|at| edits.replace(*at, 3, ") || ("));
    }
}

/// Where the parts of `__CPROVER_forall { T i; e }` are.
struct Parts {
    universal: bool,
    name: usize,
    length: usize,
    semicolon: usize,
    close: usize,
    values: Quantified,
}

fn parts(tokens: &[Token], at: usize, values: Quantified) -> Option<Parts> {
    let name = tokens[at];
    let universal = match name.text {
        "__CPROVER_forall" => true,
        "__CPROVER_exists" => false,
        _ => return None,
    };
    let semicolon = tokens[at..].iter().find(|token| token.text == ";")?.start;
    let close = tokens[end_of_brackets(tokens, at + 1)?].start;
    Some(Parts { universal, name: name.start, length: name.text.len(), semicolon, close, values })
}

impl Parts {
    fn write(&self, brackets: &mut Brackets, edits: &mut Edits) {
        let Quantified { first, last, .. } = self.values;
        let start = u8::from(self.universal);
        let head = format!(
            "__extension__({{ _Bool nearmiss__all = {start}; \
             for (__int128 nearmiss__v = {first}; nearmiss__v <= {last}; nearmiss__v++)"
        );
        brackets.around((self.name, self.close + 1), self.length, head, " nearmiss__all; })".to_owned());
        edits.insert(self.semicolon, " = nearmiss__v");
        let condition = if self.universal { " if (!(" } else { " if ((" };
        let found = format!(")) nearmiss__all = {}; ", 1 - start);
        brackets.around((self.semicolon + 1, self.close), 0, condition.to_owned(), found);
    }
}

/// The bracket that closes the one at an index.
fn end_of_brackets(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    (open..tokens.len()).find(|at| {
        match tokens[*at].text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// `=`, `=` and `>` without anything between them.
fn is_implication(tokens: &[Token], at: usize) -> bool {
    let Some([a, b, c]) = tokens.get(at..at + 3) else { return false };
    a.text == "=" && b.text == "=" && c.text == ">" && b.start == a.start + 1 && c.start == b.start + 1
}

/// Writes one `==>`, whose right side may have more of them.
fn implication(tokens: &[Token], at: usize, brackets: &mut Brackets) {
    let start = operand_start(tokens, at);
    let end = operand_end(tokens, at + 3);
    let (Some(first), Some(last)) = (tokens.get(start), end.checked_sub(1).and_then(|last| tokens.get(last))) else {
        return;
    };
    let whole = (first.start, last.start + last.text.len());
    brackets.around(whole, 0, "(!(".to_owned(), "))".to_owned());
    brackets.implications.push(tokens[at].start);
}

/// The index at which the left operand of the operator at `at` starts.
fn operand_start(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for index in (0..at).rev() {
        match tokens[index].text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth == 0 => return index + 1,
            "(" | "[" | "{" => depth -= 1,
            "," | ";" | "?" | ":" | "return" if depth == 0 => return index + 1,
            ">" if depth == 0 && index >= 2 && is_implication(tokens, index - 2) => return index + 1,
            "=" if depth == 0 && is_assignment(tokens, index) => return index + 1,
            _ => {}
        }
    }
    0
}

/// One past the last token of the right operand that starts at `at`.
fn operand_end(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return index,
            ")" | "]" | "}" => depth -= 1,
            "," | ";" | "?" | ":" if depth == 0 => return index,
            _ => {}
        }
    }
    tokens.len()
}

/// Whether the `=` at an index is no part of a comparison.
fn is_assignment(tokens: &[Token], at: usize) -> bool {
    let start = tokens[at].start;
    let before = at.checked_sub(1).map(|at| tokens[at]).filter(|token| token.start + 1 == start);
    let after = tokens.get(at + 1).filter(|token| token.start == start + 1);
    after.is_none_or(|token| token.text != "=")
        && before.is_none_or(|token| !["=", "!", "<", ">"].contains(&token.text))
}

fn bit_vectors(tokens: &[Token], edits: &mut Edits) {
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.text == "__CPROVER_bitvector") {
        let Some([_, width, close]) = tokens.get(at + 1..at + 4) else { continue };
        let ty = match width.text {
            "8" => "char",
            "16" => "short",
            "32" => "int",
            "64" => "long long",
            "128" => "__int128",
            _ => continue,
        };
        let said = at.checked_sub(1).is_some_and(|at| ["signed", "unsigned"].contains(&tokens[at].text));
        let ty = if said { ty.to_owned() } else { format!("signed {ty}") };
        edits.replace(token.start, close.start + 1 - token.start, &ty);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::text;
    use nearmiss_program::source::{FileId, Span};

    fn rewritten(text: &str) -> String {
        let mut edits = Edits::default();
        write(&text::tokens(text), &[], &mut edits);
        edits.apply(text)
    }

    #[test]
    fn implications_are_written_in_c() {
        assert_eq!(rewritten("f(a || b ==> c);"), "f((!(a || b ) || ( c)));");
        assert_eq!(rewritten("x = a ==> b ==> c;"), "x = (!(a ) || ( (!(b ) || ( c))));");
        assert_eq!(rewritten("return a <= b ==> c;"), "return (!(a <= b ) || ( c));");
        assert_eq!(rewritten("p ? a ==> b : c"), "p ? (!(a ) || ( b)) : c");
    }

    #[test]
    fn bit_vectors_become_types() {
        assert_eq!(rewritten("unsigned __CPROVER_bitvector[8] x;"), "unsigned char x;");
        assert_eq!(rewritten("__CPROVER_bitvector[64] x;"), "signed long long x;");
    }

    #[test]
    fn quantifiers_become_loops() {
        let text = "__CPROVER_forall{int i;i<2==>a[i]}";
        assert_eq!(
            quantified(text),
            "__extension__({ _Bool nearmiss__all = 1; for (__int128 nearmiss__v = 0; nearmiss__v <= 1; nearmiss__v++)\
             {int i = nearmiss__v; if (!((!(i<2) || (a[i])))) nearmiss__all = 0; } nearmiss__all; })"
        );
    }

    #[test]
    fn what_is_inside_ends_first() {
        let [open, found, close] = ["({ … ", ")) nearmiss__all = 0; } ", "nearmiss__all; })"];
        let head =
            "__extension__({ _Bool nearmiss__all = 1; for (__int128 nearmiss__v = 0; nearmiss__v <= 1; nearmiss__v++)";
        let written = quantified("__CPROVER_forall{int i;i<2==>__CPROVER_forall{int j;a[i]==>a[j]}}");
        let inner = format!("{open}{{int j = nearmiss__v; if (!((!(a[i]) || (a[j])){found}{close}");
        let outer = format!("{open}{{int i = nearmiss__v; if (!((!(i<2) || ({inner})){found}{close}");
        assert_eq!(written.replace(head, open), outer);
        let written = quantified("__CPROVER_forall{int i;a[i]}==>b");
        let condition = format!("{open}{{int i = nearmiss__v; if (!(a[i]{found}{close}");
        assert_eq!(written.replace(head, open), format!("(!({condition}) || (b))"));
    }

    /// A text whose quantifiers take the values 0 and 1.
    fn quantified(text: &str) -> String {
        let values = Quantified { span: Span::new(FileId(0), 0, 0), first: 0, last: 1 };
        let tokens = text::tokens(text);
        let quantifiers: Vec<Parts> = (0..tokens.len()).filter_map(|at| parts(&tokens, at, values)).collect();
        let mut edits = Edits::default();
        write(&tokens, &quantifiers, &mut edits);
        edits.apply(text)
    }
}
