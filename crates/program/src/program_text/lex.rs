//! Lines, tokens and a cursor over them: the lower half of the reader of programs.

use std::fmt;

use crate::program::Origin;
use crate::source::{FileId, Span};

/// How deep expressions may nest, and types may contain types.
pub(super) const MAX_DEPTH: u32 = 500;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// What was expected.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

pub(super) type Result<T> = std::result::Result<T, ParseError>;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A label, a keyword or a number.
    Word(String),
    /// `%x`.
    Local(String),
    /// `$g`.
    Global(String),
    /// `.f`.
    Field(String),
    /// `.#2`.
    FieldNumber(u32),
    Text(String),
    Span(Span),
    Sign(char),
    /// `:=`.
    Becomes,
}

pub(super) struct Line {
    pub(super) number: u32,
    end: u32,
    pub(super) tokens: Vec<(Token, u32)>,
}

pub(super) fn split(text: &str) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index as u32 + 1;
        let tokens = tokens(line).map_err(|(column, message)| ParseError { line: number, column, message })?;
        lines.push(Line { number, end: line.len() as u32 + 1, tokens });
    }
    lines.retain(|line| !line.tokens.is_empty());
    Ok(lines)
}

fn tokens(line: &str) -> std::result::Result<Vec<(Token, u32)>, (u32, String)> {
    let bytes = line.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let name_end = |from: usize, also: &str| {
        let part = |b: &u8| b.is_ascii_alphanumeric() || b"_$~".contains(b) || also.as_bytes().contains(b);
        bytes[from..].iter().position(|b| !part(b)).map_or(bytes.len(), |length| from + length)
    };
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let column = start as u32 + 1;
        let token = match byte {
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b';' => break,
            b'"' => {
                let (text, end) = string(line, at + 1).ok_or((column, "unfinished string".to_owned()))?;
                at = end;
                Token::Text(text)
            }
            b'@' => {
                let end = name_end(at + 1, ":-.");
                at = end;
                Token::Span(span(&line[start + 1..end]).ok_or((column, "expected @file:start-end".to_owned()))?)
            }
            b'%' | b'$' => {
                at = name_end(at + 1, "");
                let name = line[start + 1..at].to_owned();
                if name.is_empty() {
                    return Err((column, "expected a name".to_owned()));
                }
                if byte == b'%' { Token::Local(name) } else { Token::Global(name) }
            }
            b'.' if bytes.get(at + 1) == Some(&b'#') => {
                at = name_end(at + 2, "");
                let number = line[start + 2..at].parse().map_err(|_| (column, "expected a number".to_owned()))?;
                Token::FieldNumber(number)
            }
            b'.' => {
                at = name_end(at + 1, "");
                Token::Field(line[start + 1..at].to_owned())
            }
            b':' if bytes.get(at + 1) == Some(&b'=') => {
                at += 2;
                Token::Becomes
            }
            b'-' | b'_' => {
                at = name_end(at + 1, ".-@");
                Token::Word(line[start..at].to_owned())
            }
            byte if byte.is_ascii_alphanumeric() => {
                at = name_end(at, ".-@");
                Token::Word(line[start..at].to_owned())
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'=' | b':' | b'/' | b'*' | b'&' => {
                at += 1;
                Token::Sign(byte as char)
            }
            _ => {
                let what = line.get(at..).and_then(|rest| rest.chars().next()).unwrap_or('?');
                return Err((column, format!("unexpected {what:?}")));
            }
        };
        tokens.push((token, column));
    }
    Ok(tokens)
}

/// The rest of a string and where it ends.
fn string(line: &str, from: usize) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut chars = line[from..].char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((text, from + at + 1)),
            '\\' => match chars.next()?.1 {
                'n' => text.push('\n'),
                'u' => {
                    chars.next().filter(|(_, c)| *c == '{')?;
                    let digits: String = chars.by_ref().map(|(_, c)| c).take_while(|c| *c != '}').collect();
                    text.push(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)?);
                }
                c => text.push(c),
            },
            c => text.push(c),
        }
    }
    None
}

fn span(text: &str) -> Option<Span> {
    let (file, range) = text.split_once(':')?;
    let (start, end) = range.split_once('-')?;
    let (end, part) = end.split_once('.').unwrap_or((end, "0"));
    let part = part.parse().ok()?;
    Some(Span { part, ..Span::new(FileId(file.parse().ok()?), start.parse().ok()?, end.parse().ok()?) })
}

/// Where we are in a line.
pub(super) struct Cursor<'a> {
    line: &'a Line,
    pub(super) at: usize,
    /// How many expressions are being read around this token.
    pub(super) depth: u32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(line: &'a Line, at: usize) -> Cursor<'a> {
        Cursor { line, at, depth: 0 }
    }

    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.line.tokens.get(self.at).map(|(token, _)| token)
    }

    /// The token `ahead` of the next one.
    pub(super) fn line_token(&self, ahead: usize) -> Option<&'a Token> {
        self.line.tokens.get(self.at + ahead).map(|(token, _)| token)
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        let column = self.line.tokens.get(self.at).map_or(self.line.end, |(_, column)| *column);
        Err(ParseError { line: self.line.number, column, message: message.into() })
    }

    pub(super) fn word(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            _ => self.error(format!("expected {what}")),
        }
    }

    pub(super) fn keyword(&mut self, keyword: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(word)) if word == keyword);
        self.at += usize::from(found);
        found
    }

    pub(super) fn sign(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, sign: char) -> Result<()> {
        if self.sign(sign) { Ok(()) } else { self.error(format!("expected `{sign}`")) }
    }

    pub(super) fn text(&mut self) -> Result<String> {
        self.maybe_text().map_or_else(|| self.error("expected a string"), Ok)
    }

    pub(super) fn maybe_text(&mut self) -> Option<String> {
        match self.peek() {
            Some(Token::Text(text)) => {
                self.at += 1;
                Some(text.clone())
            }
            _ => None,
        }
    }

    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Result<T> {
        let word = self.word("a number")?;
        word.parse().or_else(|_| {
            self.at -= 1;
            self.error("this number does not fit here")
        })
    }

    pub(super) fn bits(&mut self) -> Result<u32> {
        let bits = self.number()?;
        if (1..=128).contains(&bits) {
            return Ok(bits);
        }
        self.at -= 1;
        self.error("a width is 1 to 128 bits")
    }

    pub(super) fn one_of<T: Copy>(&mut self, table: &[(&'static str, T)]) -> Result<T> {
        let found = match self.peek() {
            Some(Token::Word(word)) => table.iter().find(|(name, _)| name == word),
            _ => None,
        };
        self.at += usize::from(found.is_some());
        found.map_or_else(
            || {
                let words: Vec<&str> = table.iter().map(|(word, _)| *word).collect();
                self.error(format!("expected one of: {}", words.join(", ")))
            },
            |(_, thing)| Ok(*thing),
        )
    }

    pub(super) fn arrow(&mut self) -> Result<Origin> {
        if self.sign('=') {
            return Ok(Origin::Written);
        }
        if self.peek() == Some(&Token::Becomes) {
            self.at += 1;
            return Ok(Origin::Tool);
        }
        self.error("expected `=` or `:=`")
    }

    /// The end of a line: perhaps a span, then nothing.
    pub(super) fn span(&mut self) -> Result<Span> {
        match self.peek() {
            Some(Token::Span(span)) => {
                let span = *span;
                self.at += 1;
                Ok(span)
            }
            _ => self.error("expected @file:start-end"),
        }
    }

    pub(super) fn finish(&mut self) -> Result<Option<Span>> {
        let span = match self.peek() {
            Some(Token::Span(span)) => {
                self.at += 1;
                Some(*span)
            }
            _ => None,
        };
        if self.peek().is_some() { self.error("expected the end of the line") } else { Ok(span) }
    }

    pub(super) fn nest(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { self.error(format!("nested deeper than {MAX_DEPTH}")) } else { Ok(()) }
    }
}
