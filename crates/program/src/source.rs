//! Where text came from: files, spans into them, and diagnostics that point at them.
//!
//! A [`Span`] is a byte range of a file the user gave us (or a header that it includes). What a person is shown is a
//! [`Position`]: line markers (`# 12 "orig.c"`) in a file move the positions after them, as a compiler would.

use std::collections::BTreeMap;
use std::fmt;

/// One file in [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A byte range of one file. `start == end` is a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Of what the body of a macro has at the place where the macro is used: which of these, from 1. 0 is all of it.
    pub part: u16,
}

impl Span {
    /// These bytes.
    pub const fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end, part: 0 }
    }

    /// Does another span lie inside this one?
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

/// A line and column as a person counts them, both from 1, under the name that line markers give the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// Name of the file, as given or as a line marker says.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// `# 12 "orig.c"`: from the line after `line` on, the text is that of `file` at `presumed`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct LineMarker {
    /// Physical line of the marker, from 1.
    line: u32,
    /// Name that the marker gives.
    file: String,
    /// Number that the marker gives to the next line.
    presumed: u32,
}

/// One file: its name, its text, and where its lines start.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name under which the user knows it.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// Whether it is a header of the system or of ours rather than the user's own.
    pub system: bool,
    markers: Vec<LineMarker>,
    line_starts: Vec<u32>,
}

impl SourceFile {
    fn of(name: String, text: String, system: bool) -> SourceFile {
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        let markers = text
            .split('\n')
            .enumerate()
            .filter_map(|(i, line)| parse_line_marker(line).map(|(presumed, file)| (i as u32 + 1, presumed, file)))
            .map(|(line, presumed, file)| LineMarker { line, presumed, file: file.unwrap_or_default() })
            .collect();
        SourceFile { name, text, system, markers, line_starts }
    }
}

/// Spans of more bytes are not looked into for parentheses.
const LONGEST_BALANCED: usize = 4096;

/// All files of one run of the tool.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    conditions: BTreeMap<Span, String>,
}

impl Sources {
    /// No files yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Adds a file and finds its lines and line markers.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>, system: bool) -> FileId {
        self.files.push(SourceFile::of(name.into(), text.into(), system));
        FileId(self.files.len() as u32 - 1)
    }

    /// Gives a file another text.
    pub fn replace(&mut self, id: FileId, text: String) {
        let SourceFile { name, system, .. } = self.file(id).clone();
        self.files[id.0 as usize] = SourceFile::of(name, text, system);
    }

    /// The file behind an id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// Every file with its id.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Says what is decided at places whose text does not say it.
    pub fn name_conditions(&mut self, conditions: Vec<(Span, String)>) {
        self.conditions.extend(conditions);
    }

    /// Whether the text of a place does not say what is decided there.
    pub fn hides_condition(&self, span: Span) -> bool {
        self.conditions.contains_key(&span)
    }

    /// The condition that is decided at a place: its text, on one line. Of what is decided in the body of a macro, what that is.
    pub fn condition(&self, span: Span) -> String {
        let known = self.conditions.get(&span).map(String::as_str);
        let text = known.unwrap_or_else(|| self.text(self.balanced(span)));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The span with the parentheses and brackets that it opens closed, and those that it closes opened, as far as they
    /// stand right beside it. Long spans are left alone: nobody reads their text.
    pub fn balanced(&self, span: Span) -> Span {
        let text = self.file(span.file).text.as_bytes();
        let (mut start, mut end) = (span.start as usize, span.end as usize);
        if end > text.len() || end - start.min(end) > LONGEST_BALANCED {
            return span;
        }
        let (mut open, mut unopened, mut quote) = (0, 0, None);
        let mut at = start;
        while at < end {
            match (text[at], quote) {
                (b'\\', Some(_)) => at += 1,
                (byte, Some(mark)) if byte == mark => quote = None,
                (b'"' | b'\'', None) => quote = Some(text[at]),
                (b'(' | b'[', None) => open += 1,
                (b')' | b']', None) if open > 0 => open -= 1,
                (b')' | b']', None) => unopened += 1,
                _ => {}
            }
            at += 1;
        }
        while open > 0 {
            let next = end + text[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if !matches!(text.get(next), Some(b')' | b']')) {
                return span;
            }
            (end, open) = (next + 1, open - 1);
        }
        while unopened > 0 {
            let before = start - text[..start].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
            if before == 0 || !matches!(text[before - 1], b'(' | b'[') {
                return span;
            }
            (start, unopened) = (before - 1, unopened - 1);
        }
        Span { start: start as u32, end: end as u32, ..span }
    }

    /// Physical line of a byte, from 1.
    pub fn physical_line(&self, file: FileId, offset: u32) -> u32 {
        self.file(file).line_starts.partition_point(|start| *start <= offset) as u32
    }

    /// Where a span starts, as a person would say it.
    pub fn position(&self, span: Span) -> Position {
        let file = self.file(span.file);
        let line = self.physical_line(span.file, span.start);
        let column = span.start - file.line_starts[line as usize - 1] + 1;
        let before = file.markers.partition_point(|m| m.line < line);
        match before.checked_sub(1).map(|i| &file.markers[i]) {
            None => Position { file: file.name.clone(), line, column },
            Some(marker) => {
                let named = file.markers[..before].iter().rev().find(|m| !m.file.is_empty());
                Position {
                    file: named.map_or_else(|| file.name.clone(), |m| m.file.clone()),
                    line: marker.presumed.saturating_add(line - marker.line - 1),
                    column,
                }
            }
        }
    }

    /// The whole physical line on which a span starts, without its end of line.
    pub fn line_text(&self, span: Span) -> &str {
        let file = self.file(span.file);
        let line = self.physical_line(span.file, span.start) as usize;
        let start = file.line_starts[line - 1] as usize;
        let end = file.line_starts.get(line).map_or(file.text.len(), |next| *next as usize);
        file.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

/// `# 12 "f.c"` and `#line 12 "f.c"`: the number and, where given, the name.
fn parse_line_marker(line: &str) -> Option<(u32, Option<String>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    let name = rest[digits..].trim_start().strip_prefix('"').map(literal);
    Some((number, name))
}

/// The characters of a string literal, up to the quote that ends it.
fn literal(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'"', _) => break,
            (b'\\', [b'0'..=b'7', ..]) => {
                let digits = after.iter().take(3).take_while(|digit| (b'0'..=b'7').contains(digit)).count();
                let value = after[..digits].iter().fold(0u32, |value, digit| value * 8 + u32::from(digit - b'0'));
                bytes.push(value as u8);
                rest = &after[digits..];
            }
            (b'\\', [b'x', digit, ..]) if digit.is_ascii_hexdigit() => {
                let digits = after[1..].iter().map_while(|digit| char::from(*digit).to_digit(16));
                let (count, value) = digits.fold((1, 0u32), |(count, value), digit| (count + 1, value << 4 | digit));
                bytes.push(value as u8);
                rest = &after[count..];
            }
            (b'\\', [escaped, after @ ..]) => {
                bytes.push(match escaped {
                    b'a' => 0x07,
                    b'b' => 0x08,
                    b'e' => 0x1b,
                    b'f' => 0x0c,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'v' => 0x0b,
                    other => *other,
                });
                rest = after;
            }
            (other, _) => bytes.push(*other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input is used, but perhaps not as meant.
    Warning,
    /// Something to know.
    Note,
}

/// A message about the input, with the place it speaks of and, where we know, what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// Where, if it is about a place.
    pub span: Option<Span>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, message: message.into(), span: Some(span), help: None }
    }

    /// The same with advice.
    pub fn with_help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }

    /// The same as a warning or a note.
    pub fn at(self, severity: Severity) -> Diagnostic {
        Diagnostic { severity, ..self }
    }
}

/// The message and what to do about it; the place needs [`Sources`].
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.help {
            Some(help) => write!(f, "{}; {help}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Diagnostic {}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_line_markers_are_string_literals() {
        let marker = parse_line_marker(r#"#line 7 "a\x41\"b\\c\101\t.c" 3"#);
        assert_eq!(marker, Some((7, Some("aA\"b\\cA\t.c".to_owned()))));
        assert_eq!(parse_line_marker(r#"# 2 "\xg""#), Some((2, Some("xg".to_owned()))));
    }

    /// `#line 4294967295` made the line after the next one overflow.
    #[test]
    fn line_numbers_stop_at_the_largest() {
        let mut sources = Sources::new();
        let id = sources.add("a.c", "#line 4294967295\n\nint a;\n", false);
        let position = sources.position(Span::new(id, 18, 19));
        assert_eq!((position.line, position.column), (u32::MAX, 1));
    }

    #[test]
    fn a_span_is_balanced_with_the_parentheses_beside_it() {
        let mut sources = Sources::new();
        let text = "assert(!(a && b)); x = ((a + b) * f('(')) + 1;";
        let id = sources.add("p.c", text, false);
        let balanced = |part: &str| {
            let start = text.find(part).unwrap() as u32;
            sources.text(sources.balanced(Span::new(id, start, start + part.len() as u32)))
        };
        assert_eq!(balanced("!(a && b"), "!(a && b)");
        assert_eq!(balanced("a + b) * f('(')"), "(a + b) * f('(')");
        assert_eq!(balanced("a && b"), "a && b");
        assert_eq!(balanced("x = ((a"), "x = ((a", "what stands beside does not close it");
    }

    #[test]
    fn line_markers_move_the_lines_after_them() {
        let mut sources = Sources::new();
        let id = sources.add("pre.i", "int a;\n# 7 \"orig.c\" 1\nint b;\nint c;\n", false);
        let at = |start| sources.position(Span::new(id, start, start + 1));
        assert_eq!(at(0).to_string(), "pre.i:1:1");
        assert_eq!(at(22).to_string(), "orig.c:7:1");
        assert_eq!(at(33).to_string(), "orig.c:8:5");
    }
}
