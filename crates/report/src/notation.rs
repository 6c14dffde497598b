//! Which variables the program itself treats as hexadecimal: values are shown the way their author thinks of them.
//!
//! A variable or member is hexadecimal where the text combines it by a bit operation, compares it or sets it with a
//! hexadecimal literal: `flags & 0x80`, `word == 0xff`, `mask = 0xf0 | x`, `case 0x10:` of a `switch` on it, an
//! initialiser. A macro whose definition holds such a literal counts as one. This looks at words and not at types: it
//! decides how a number is written and nothing else. Members are the same in the whole program, other names within
//! their function, or everywhere if they are global.

use std::collections::BTreeSet;

use nearmiss_program::program::Program;
use nearmiss_program::source::{FileId, Sources, Span};

/// What is hexadecimal.
#[derive(Default)]
pub struct Notation {
    members: BTreeSet<String>,
    globals: BTreeSet<String>,
    /// A function's body, from the end of what stands before it, and the names in it.
    functions: Vec<(FileId, std::ops::Range<u32>, BTreeSet<String>)>,
}

/// Operators that show that both sides are bits, or the same kind of number.
const TELLING: [&str; 15] = ["&", "|", "^", "==", "!=", "<", ">", "<=", ">=", "=", "&=", "|=", "^=", "+=", "-="];
/// What may stand between a literal and the `=` of the variable that is set to it.
const BITWISE: [&str; 8] = ["&", "|", "^", "~", "<<", ">>", "(", ")"];

struct Token<'a> {
    text: &'a str,
    at: usize,
}

impl Notation {
    /// Reads the user's files.
    pub fn of(sources: &Sources, program: &Program) -> Notation {
        let mut notation = Notation::default();
        let users = || sources.files().filter(|(_, file)| !file.system);
        let mut macros = BTreeSet::new();
        for (_, file) in users() {
            for line in file.text.lines().filter_map(|line| line.trim_start().strip_prefix('#')) {
                let words = tokens(line);
                if words.first().is_some_and(|word| word.text == "define")
                    && words.iter().skip(2).any(|word| is_literal(word.text))
                {
                    macros.insert(words[1].text.to_owned());
                }
            }
        }
        for (id, file) in users() {
            let text = without_directives(&file.text);
            notation.read(id, &tokens(&text), &macros, program);
        }
        notation
    }

    /// Is the variable or member of this name, as a trace names it (`a[2].flags`), hexadecimal at this place?
    pub(crate) fn is_hexadecimal(&self, name: &str, place: Span) -> bool {
        let mut bare = String::new();
        let mut depth = 0;
        for c in name.chars() {
            depth += i32::from(c == '[');
            if depth == 0 {
                bare.push(c);
            }
            depth -= i32::from(c == ']');
        }
        let last = bare.rsplit(['.', '>']).next().unwrap_or_default();
        if last.len() < bare.len() && bare.contains(['.', '>']) {
            return self.members.contains(last);
        }
        let word = last.trim_matches(['*', '(', ')']);
        let here = |(file, range, names): &(FileId, std::ops::Range<u32>, BTreeSet<String>)| {
            *file == place.file && range.contains(&place.start) && names.contains(word)
        };
        self.globals.contains(word) || self.functions.iter().any(here)
    }

    fn read(&mut self, file: FileId, tokens: &[Token], macros: &BTreeSet<String>, program: &Program) {
        let mut depth = 0;
        let mut first = 0;
        for i in 0..tokens.len() {
            match tokens[i].text {
                "{" => depth += 1,
                "}" => depth -= 1,
                ";" if depth == 0 => {}
                _ => continue,
            }
            if depth > 0 {
                continue;
            }
            let mut found = BTreeSet::new();
            for at in first..=i {
                if is_literal(tokens[at].text) || macros.contains(tokens[at].text) {
                    self.beside(&tokens[first..=i], at - first, &mut found);
                }
            }
            let is_global = |name: &String| program.globals.iter().any(|global| global.name == *name);
            let (global, local): (BTreeSet<_>, BTreeSet<_>) = found.into_iter().partition(is_global);
            self.globals.extend(global);
            if !local.is_empty() {
                self.functions.push((file, tokens[first].at as u32..tokens[i].at as u32 + 1, local));
            }
            first = i + 1;
        }
    }

    /// The names that a literal stands beside.
    fn beside(&mut self, tokens: &[Token], literal: usize, found: &mut BTreeSet<String>) {
        let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
        // To the left: `x & 0xff`, `(x >> 8) & 0xff`, `x & ~(0xff)`, `case 0xff`.
        let mut at = literal;
        while at > 0 && ["(", "~", "-", "{"].contains(&text(at - 1)) {
            at -= 1;
        }
        if at > 1 && TELLING.contains(&text(at - 1)) {
            let mut end = at - 1;
            // A declared array: `int a[2] = {0x10}`.
            while end > 1 && text(end - 1) == "]" {
                end = opening(tokens, end - 1, "[", "]");
            }
            self.operand_before(tokens, end, found);
        }
        if at > 0 && text(at - 1) == "case" {
            let switch = (0..at).rev().find(|i| text(*i) == "switch");
            if let Some(switch) = switch {
                self.names_within(tokens, switch + 1, found);
            }
        }
        // To the right: `0xff & x`, `0x10 == (x)`.
        let mut at = literal + 1;
        while text(at) == ")" {
            at += 1;
        }
        if TELLING.contains(&text(at)) {
            self.names_within(tokens, at + 1, found);
        }
        // What is set: `y = x & 0xff`, `int a[] = {1, 0x10}`.
        let mut at = literal;
        while at > 0 && (BITWISE.contains(&text(at - 1)) || is_word(text(at - 1)) || is_member(text(at - 1))) {
            at -= 1;
        }
        if text(at.wrapping_sub(1)) == "," {
            while at > 0 && !["{", ";", "=", "("].contains(&text(at - 1)) {
                at -= 1;
            }
            at = if text(at.wrapping_sub(1)) == "{" { at - 1 } else { 0 };
        } else if text(at.wrapping_sub(1)) == "{" {
            at -= 1;
        }
        if at > 1 && ["=", "&=", "|=", "^="].contains(&text(at - 1)) {
            let mut end = at - 1;
            while end > 1 && text(end - 1) == "]" {
                end = opening(tokens, end - 1, "[", "]");
            }
            self.operand_before(tokens, end, found);
        }
    }

    /// The name that ends before `end`, or the names in the parentheses that do.
    fn operand_before(&mut self, tokens: &[Token], end: usize, found: &mut BTreeSet<String>) {
        let last = end - 1;
        match tokens[last].text {
            ")" => {
                let open = opening(tokens, last, "(", ")");
                self.names_within(tokens, open, found);
            }
            "]" => {
                let open = opening(tokens, last, "[", "]");
                if open > 0 {
                    self.operand_before(tokens, open, found);
                }
            }
            word if is_word(word) => self.add(tokens, last, found),
            // The distance of a shift: `x >> 8 & 0xff`.
            _ if last > 1 && ["<<", ">>"].contains(&tokens[last - 1].text) => {
                self.operand_before(tokens, last - 1, found);
            }
            _ => {}
        }
    }

    /// The name that starts at `from`, or those in the parentheses that do; called functions are none.
    fn names_within(&mut self, tokens: &[Token], from: usize, found: &mut BTreeSet<String>) {
        let mut depth = 0;
        for at in from..tokens.len() {
            let text = tokens[at].text;
            depth += i32::from(text == "(") - i32::from(text == ")");
            let next = tokens.get(at + 1).map_or("", |token| token.text);
            if is_word(text) && next != "(" && !is_member(next) {
                self.add(tokens, at, found);
            }
            let goes_on = is_word(text) && is_member(next) || is_member(text);
            if depth < 0 || (depth == 0 && !goes_on && text != "~" && text != "*") || [";", "{"].contains(&text) {
                return;
            }
        }
    }

    fn add(&mut self, tokens: &[Token], at: usize, found: &mut BTreeSet<String>) {
        let name = tokens[at].text.to_owned();
        if at > 0 && is_member(tokens[at - 1].text) {
            self.members.insert(name);
        } else {
            found.insert(name);
        }
    }
}

/// Where the bracket was opened that is closed at `close`.
fn opening(tokens: &[Token], close: usize, open: &str, shut: &str) -> usize {
    let mut depth = 0;
    for at in (0..=close).rev() {
        depth += i32::from(tokens[at].text == shut) - i32::from(tokens[at].text == open);
        if depth == 0 {
            return at;
        }
    }
    0
}

fn is_literal(word: &str) -> bool {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    digits.is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_hexdigit()) && !digits.contains(['p', 'P']))
}

fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn is_member(word: &str) -> bool {
    word == "." || word == "->"
}

/// The text with preprocessing lines blanked out; every other byte stays where it is.
fn without_directives(text: &str) -> String {
    let blank = |line: &str| {
        if line.trim_start().starts_with('#') { " ".repeat(line.len() - 1) + "\n" } else { line.to_owned() }
    };
    text.split_inclusive('\n').map(blank).collect()
}

/// Words, numbers and operators; comments, strings and characters are skipped.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let length = match rest[0] {
            b'/' if rest.starts_with(b"//") => rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with(b"/*") => {
                rest.windows(2).skip(2).position(|w| w == b"*/").map_or(rest.len(), |end| end + 4)
            }
            quote @ (b'"' | b'\'') => {
                let mut end = 1;
                while end < rest.len() && rest[end] != quote && rest[end] != b'\n' {
                    end += 1 + usize::from(rest[end] == b'\\');
                }
                (end + 1).min(rest.len())
            }
            byte if byte.is_ascii_whitespace() || !byte.is_ascii() => 1,
            byte => {
                let length = if word(byte) {
                    rest.iter().position(|b| !word(*b)).unwrap_or(rest.len())
                } else {
                    let long = [
                        "<<=", ">>=", "->", "<<", ">>", "==", "!=", "<=", ">=", "&&", "||", "&=", "|=", "^=", "+=",
                        "-=",
                    ];
                    long.iter().find(|op| rest.starts_with(op.as_bytes())).map_or(1, |op| op.len())
                };
                tokens.push(Token { text: &text[at..at + length], at });
                length
            }
        };
        at += length;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hexadecimal(text: &str) -> Vec<String> {
        let mut notation = Notation::default();
        let mut found = BTreeSet::new();
        let words = tokens(text);
        for at in (0..words.len()).filter(|at| is_literal(words[*at].text)) {
            notation.beside(&words, at, &mut found);
        }
        found.extend(notation.members.into_iter().map(|member| format!(".{member}")));
        found.into_iter().collect()
    }

    #[test]
    fn names_beside_hexadecimal_literals_are_found() {
        assert_eq!(hexadecimal("y = x & 0xff; z = 255;"), ["x", "y"]);
        assert_eq!(hexadecimal("if ((w >> 8 & 0xFFu) == b) return f(n);"), ["b", "w"]);
        assert_eq!(hexadecimal("p->flags |= 0x10; a[i].mode = ~0x3;"), [".flags", ".mode"]);
        assert_eq!(hexadecimal("switch (code) { case 1: case 0x20: break; }"), ["code"]);
        assert_eq!(hexadecimal("unsigned table[2] = { 1, 0x20 };"), ["table"]);
        assert_eq!(hexadecimal("sum = sum + f(0x10, k); 'a' == \"x & 0xff\" /* y & 0xff */;"), Vec::<String>::new());
    }

    #[test]
    fn names_of_traces_are_looked_up_by_their_last_part() {
        let span = Span::new(FileId(0), 5, 6);
        let mut notation = Notation::default();
        notation.members.insert("flags".to_owned());
        notation.functions.push((FileId(0), 0..9, BTreeSet::from(["x".to_owned(), "p".to_owned()])));
        for name in ["x", "x[3]", "*p", "p[1]", "a[x].flags", "q->flags"] {
            assert!(notation.is_hexadecimal(name, span), "{name}");
        }
        for name in ["y", "q->x", "flags", "a[x]"] {
            assert!(!notation.is_hexadecimal(name, span), "{name}");
        }
        assert!(!notation.is_hexadecimal("x", Span { start: 20, end: 20, ..span }));
    }
}
