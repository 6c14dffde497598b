//! The words of the user's files, as the text has them: what stands in a `#define` or in a declaration is in no tree.

use std::collections::{HashMap, HashSet};

use crate::source::{FileId, Sources, Span};

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Name,
    Number,
    /// A string or a character.
    Literal,
    /// An operator or another sign.
    Sign,
}

/// A word and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word<'s> {
    pub(super) kind: Kind,
    pub(super) text: &'s str,
    pub(super) span: Span,
}

/// What a `#define` says.
pub(super) struct Macro<'s> {
    pub(super) name: &'s str,
    /// None where it takes no arguments.
    pub(super) parameters: Option<Vec<&'s str>>,
    pub(super) body: Vec<Word<'s>>,
}

/// All words of all files of the user's.
pub(super) struct Words<'s> {
    /// Those outside of directives, file by file.
    pub(super) files: Vec<Vec<Word<'s>>>,
    /// Macros that are defined once.
    pub(super) macros: Vec<Macro<'s>>,
    /// Names that a condition of the preprocessor has.
    pub(super) asked: HashSet<&'s str>,
    /// Where each name stands, outside of directives.
    named: HashMap<&'s str, Vec<Span>>,
}

/// Signs of more than one character, the long ones first.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "##",
];

impl<'s> Words<'s> {
    pub(super) fn of(sources: &'s Sources) -> Words<'s> {
        let (named, asked) = (HashMap::new(), HashSet::new());
        let mut found = Words { files: Vec::new(), macros: Vec::new(), asked, named };
        let users = sources.files().filter(|(_, file)| !file.system && !file.name.starts_with('<'));
        for (id, file) in users {
            let words = found.file(id, &file.text);
            for word in words.iter().filter(|word| word.kind == Kind::Name) {
                found.named.entry(word.text).or_default().push(word.span);
            }
            found.files.push(words);
        }
        let mut times: HashMap<&str, usize> = HashMap::new();
        for of in &found.macros {
            *times.entry(of.name).or_default() += 1;
        }
        // A header of the system may define it, too, but then the program is none.
        found.macros.retain(|of| times[of.name] == 1);
        found
    }

    /// The places where a macro is used, by itself or in another one that is.
    pub(super) fn uses(&self, name: &str) -> Vec<Span> {
        let mut names = vec![name];
        let mut at = 0;
        while at < names.len() {
            let users = self.macros.iter().filter(|of| of.body.iter().any(|word| word.text == names[at]));
            let new: Vec<&str> = users.map(|of| of.name).filter(|name| !names.contains(name)).collect();
            names.extend(new);
            at += 1;
        }
        let mut found: Vec<Span> = names.into_iter().flat_map(|name| self.named(name)).copied().collect();
        found.sort();
        found
    }

    /// The places of a name, outside of directives.
    pub(super) fn named(&self, name: &str) -> &[Span] {
        self.named.get(name).map_or(&[], Vec::as_slice)
    }

    fn file(&mut self, file: FileId, text: &'s str) -> Vec<Word<'s>> {
        let (mut words, mut at, mut fresh) = (Vec::new(), 0, true);
        while at < text.len() {
            let rest = &text[at..];
            if fresh && rest.starts_with('#') {
                let end = at + directive(rest);
                self.directive(file, text, at + 1, end);
                at = end;
                continue;
            }
            if rest.starts_with('\n') {
                fresh = true;
            } else if !rest.starts_with(char::is_whitespace) && comment(rest).is_none() {
                fresh = false;
            }
            at = next(file, text, at, &mut words);
        }
        words
    }

    /// What stands between `#` and the end of its line.
    fn directive(&mut self, file: FileId, text: &'s str, start: usize, end: usize) {
        let (mut words, mut at) = (Vec::new(), start);
        while at < end {
            at = next(file, &text[..end], at, &mut words);
        }
        let [first, rest @ ..] = &words[..] else { return };
        let ([name, rest @ ..], "define") = (rest, first.text) else {
            if matches!(first.text, "if" | "elif" | "ifdef" | "ifndef" | "undef") {
                self.asked.extend(rest.iter().filter(|word| word.kind == Kind::Name).map(|word| word.text));
            }
            return;
        };
        let opens = rest.first().is_some_and(|word| word.text == "(" && word.span.start == name.span.end);
        let close = rest.iter().position(|word| word.text == ")").filter(|_| opens);
        let parameters = close.map(|close| {
            let names = rest[..close].iter().filter(|word| word.kind == Kind::Name || word.text == "...");
            names.map(|word| word.text).collect()
        });
        let body = rest[close.map_or(0, |close| close + 1)..].to_vec();
        self.macros.push(Macro { name: name.text, parameters, body });
    }
}

/// The length of a directive: up to the end of a line that does not go on.
fn directive(text: &str) -> usize {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        match rest.as_bytes()[0] {
            b'\n' => return at,
            b'\\' if rest[1..].starts_with('\n') || rest[1..].starts_with("\r\n") => {
                at += rest.find('\n').map_or(1, |end| end + 1);
            }
            _ => at += comment(rest).unwrap_or_else(|| rest.chars().next().map_or(1, char::len_utf8)),
        }
    }
    text.len()
}

/// The length of a comment.
fn comment(text: &str) -> Option<usize> {
    match text.get(..2) {
        Some("/*") => Some(text[2..].find("*/").map_or(text.len(), |end| end + 4)),
        Some("//") => Some(text.find('\n').unwrap_or(text.len())),
        _ => None,
    }
}

/// Takes the word at a place, if there is one, and says where the next one may be.
fn next<'s>(file: FileId, text: &'s str, at: usize, words: &mut Vec<Word<'s>>) -> usize {
    let rest = &text[at..];
    let first = rest.chars().next().unwrap_or(' ');
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.' && first.is_ascii_digit();
    let (kind, length) = match first {
        _ if comment(rest).is_some() => return at + comment(rest).unwrap_or(1),
        '\\' => return at + 1,
        c if c.is_whitespace() => return at + c.len_utf8(),
        c if c.is_ascii_digit() => (Kind::Number, rest.find(|c| !is_part(c)).unwrap_or(rest.len())),
        c if c.is_ascii_alphabetic() || c == '_' => (Kind::Name, rest.find(|c| !is_part(c)).unwrap_or(rest.len())),
        '"' | '\'' => (Kind::Literal, literal(rest)),
        c => {
            let long = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (Kind::Sign, long.map_or(c.len_utf8(), |sign| sign.len()))
        }
    };
    let span = Span::new(file, at as u32, (at + length) as u32);
    words.push(Word { kind, text: &rest[..length], span });
    at + length
}

/// The length of a string or character.
fn literal(text: &str) -> usize {
    let (quote, mut at) = (text.as_bytes()[0], 1);
    while let Some(byte) = text.as_bytes().get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte == quote || *byte == b'\n' {
            break;
        }
    }
    // Not within a character of several bytes.
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_and_their_uses_are_found() {
        let mut sources = Sources::new();
        let text = "#define LOW (-3) /* # */\n#define BOTH(a, b) \\\n  ((a) && b < LOW)\n# if HIGH\n#endif\n\
                    int f(int x) { return \"LOW\"[0] + LOW; } // LOW\nint g(void) { return BOTH(1, 2); }\n";
        sources.add("a.c", text, false);
        let words = Words::of(&sources);
        let told: Vec<(&str, Option<usize>, String)> = words
            .macros
            .iter()
            .map(|of| {
                let body: Vec<&str> = of.body.iter().map(|word| word.text).collect();
                (of.name, of.parameters.as_ref().map(Vec::len), body.join(" "))
            })
            .collect();
        let both = ("BOTH", Some(2), "( ( a ) && b < LOW )".to_owned());
        assert_eq!(told, [("LOW", None, "( - 3 )".to_owned()), both]);
        let lines: Vec<u32> =
            words.uses("LOW").iter().map(|span| sources.physical_line(span.file, span.start)).collect();
        assert_eq!(lines, [6, 7]);
        assert!(words.asked.contains("HIGH"));
    }
}
