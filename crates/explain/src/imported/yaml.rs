//! The little of YAML that witnesses use: nested mappings and lists by indentation, `[…]` and `{…}`, plain and quoted
//! scalars, comments.
//!
//! No anchors, tags or references, so nothing grows beyond the file. Nesting is bounded by [`DEEPEST`].

use nearmiss_trace::read::error::{Place, ReadError};

/// Deeper values are an error.
const DEEPEST: usize = 40;
/// So many values are read.
const MOST: usize = 2_000_000;

/// A value and where it starts.
#[derive(Clone, Debug)]
pub(super) struct Yaml {
    pub(super) at: Place,
    pub(super) kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Scalar(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Yaml> {
        match &self.kind {
            Kind::Map(pairs) => pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list; something else is a list of itself.
    pub(super) fn items(&self) -> &[Yaml] {
        match &self.kind {
            Kind::List(items) => items,
            _ => std::slice::from_ref(self),
        }
    }
}

/// A line that says something.
struct Line<'a> {
    indent: usize,
    text: &'a str,
    number: u64,
}

/// Reads a document; of several, those after the first are passed over.
pub(super) fn read(text: &str) -> Result<Yaml, ReadError> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let said = without_comment(line).trim_end();
        let trimmed = said.trim_start();
        if trimmed.is_empty() || trimmed.starts_with('%') || (trimmed == "---" && lines.is_empty()) {
            continue;
        }
        if trimmed == "---" || trimmed == "..." {
            break;
        }
        if said[..said.len() - trimmed.len()].contains('\t') {
            let error = ReadError::new("this is not YAML: a tab at the start of a line");
            return Err(error.at(Place { line: number, column: 1 }));
        }
        lines.push(Line { indent: said.len() - trimmed.len(), text: trimmed, number });
    }
    let mut reader = Reader { lines, next: 0, values: 0 };
    let value = reader.block(0, 0)?;
    match reader.lines.get(reader.next) {
        None => Ok(value),
        Some(line) => Err(reader.error(line, "this is not YAML: the line belongs to nothing before it")),
    }
}

/// A line up to the `#` that starts a comment.
fn without_comment(line: &str) -> &str {
    let (mut quote, mut before) = (None, b' ');
    for (at, byte) in line.bytes().enumerate() {
        match (byte, quote) {
            (b'#', None) if before == b' ' || before == b'\t' => return &line[..at],
            (b'"' | b'\'', None) if matches!(before, b' ' | b'[' | b'{' | b',' | b':') => quote = Some(byte),
            (byte, Some(mark)) if byte == mark && before != b'\\' => quote = None,
            _ => {}
        }
        before = byte;
    }
    line
}

struct Reader<'a> {
    lines: Vec<Line<'a>>,
    next: usize,
    values: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, line: &Line, message: &str) -> ReadError {
        ReadError::new(message).at(Place { line: line.number, column: line.indent as u64 + 1 })
    }

    fn count(&mut self, at: Place, depth: usize) -> Result<(), ReadError> {
        self.values += 1;
        if depth > DEEPEST {
            return Err(ReadError::new("values are nested too deeply").at(at));
        }
        if self.values > MOST {
            return Err(ReadError::new(format!("more than {MOST} values")).at(at));
        }
        Ok(())
    }

    /// The value that the next lines hold, as far as they are indented at least so much. Depth is bounded.
    fn block(&mut self, indent: usize, depth: usize) -> Result<Yaml, ReadError> {
        let Some(line) = self.lines.get(self.next).filter(|line| line.indent >= indent) else {
            let line = self.next.checked_sub(1).and_then(|last| self.lines.get(last)).map_or(1, |line| line.number);
            return Ok(Yaml { at: Place { line, column: 1 }, kind: Kind::Scalar(String::new()) });
        };
        let (own, text, number) = (line.indent, line.text, line.number);
        let at = Place { line: number, column: own as u64 + 1 };
        self.count(at, depth)?;
        if text == "-" || text.starts_with("- ") {
            let mut items = Vec::new();
            while let Some(line) = self.lines.get(self.next).filter(|line| line.indent == own)
                && (line.text == "-" || line.text.starts_with("- "))
            {
                let rest = line.text[1..].trim_start();
                if rest.is_empty() {
                    self.next += 1;
                    items.push(self.block(own + 1, depth + 1)?);
                } else {
                    // What follows the dash is a block of its own, indented by where it starts.
                    let inner = own + line.text.len() - rest.len();
                    self.lines[self.next] = Line { indent: inner, text: rest, number: line.number };
                    items.push(self.block(inner, depth + 1)?);
                }
            }
            return Ok(Yaml { at, kind: Kind::List(items) });
        }
        if key(text).is_none() {
            return self.scalar(own, depth);
        }
        let mut pairs = Vec::new();
        while let Some(line) = self.lines.get(self.next).filter(|line| line.indent == own) {
            let Some((name, rest)) = key(line.text) else { break };
            let at = Place { line: line.number, column: (own + line.text.len() - rest.len()) as u64 + 1 };
            let name = unquoted(name);
            if rest.is_empty() || matches!(rest, "|" | ">" | "|-" | ">-") {
                self.next += 1;
                // The dashes of a list may stand right below its key.
                let list =
                    self.lines.get(self.next).is_some_and(|line| line.indent == own && line.text.starts_with('-'));
                let value = if list { self.block(own, depth + 1)? } else { self.block(own + 1, depth + 1)? };
                pairs.push((name, value));
            } else {
                self.lines[self.next] = Line { indent: own + 1, text: rest, number: line.number };
                let mut value = self.scalar(own + 1, depth + 1)?;
                value.at = at;
                pairs.push((name, value));
            }
        }
        Ok(Yaml { at, kind: Kind::Map(pairs) })
    }

    /// A scalar or a value in brackets; it may go on in lines that are indented as much.
    fn scalar(&mut self, indent: usize, depth: usize) -> Result<Yaml, ReadError> {
        let Some(Line { indent: own, text: first, number }) = self.lines.get(self.next) else {
            return Ok(Yaml { at: Place { line: 1, column: 1 }, kind: Kind::Scalar(String::new()) });
        };
        let at = Place { line: *number, column: *own as u64 + 1 };
        let mut text = (*first).to_owned();
        self.count(at, depth)?;
        self.next += 1;
        let brackets = text.starts_with(['[', '{']);
        let mut nesting = Nesting::default();
        nesting.add(&text);
        while let Some(line) = self.lines.get(self.next)
            && (if brackets { nesting.depth > 0 } else { line.indent >= indent })
        {
            text.push(' ');
            text.push_str(line.text);
            nesting.add(line.text);
            self.next += 1;
        }
        if brackets {
            let mut flow = Flow { text: &text, at: 0, place: at };
            let value = flow.value(self, depth)?;
            return Ok(value);
        }
        Ok(Yaml { at, kind: Kind::Scalar(unquoted(&text)) })
    }
}

/// How many brackets are open.
#[derive(Default)]
struct Nesting {
    depth: i64,
    quote: Option<u8>,
}

impl Nesting {
    fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            match (byte, self.quote) {
                (byte, Some(mark)) if byte == mark => self.quote = None,
                (_, Some(_)) => {}
                (b'"' | b'\'', None) => self.quote = Some(byte),
                (b'[' | b'{', None) => self.depth += 1,
                (b']' | b'}', None) => self.depth -= 1,
                _ => {}
            }
        }
    }
}

/// `key: rest` taken apart.
fn key(text: &str) -> Option<(&str, &str)> {
    if let Some(quote) = text.chars().next().filter(|first| matches!(first, '"' | '\'')) {
        let end = text[1..].find(quote)? + 2;
        let rest = text[end..].trim_start().strip_prefix(':')?;
        return Some((&text[..end], rest.trim_start()));
    }
    if text.starts_with(['[', '{']) {
        return None;
    }
    let at = text.find(": ").or_else(|| text.ends_with(':').then(|| text.len() - 1))?;
    Some((text[..at].trim_end(), text[at + 1..].trim_start()))
}

/// The text of a scalar without its quotes.
fn unquoted(text: &str) -> String {
    let text = text.trim();
    if let Some(inside) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return inside.replace("''", "'");
    }
    let Some(inside) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return text.to_owned() };
    let mut plain = String::new();
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some(other) => plain.push(other),
                None => {}
            },
            c => plain.push(c),
        }
    }
    plain
}

/// A value in brackets.
struct Flow<'a> {
    text: &'a str,
    at: usize,
    place: Place,
}

impl Flow<'_> {
    fn error(&self, message: &str) -> ReadError {
        ReadError::new(message).at(self.place)
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text.as_bytes().get(self.at).copied()
    }

    /// The value that is next. Depth is bounded.
    fn value(&mut self, reader: &mut Reader, depth: usize) -> Result<Yaml, ReadError> {
        reader.count(self.place, depth)?;
        let kind = match self.peek() {
            Some(open @ (b'[' | b'{')) => {
                let close = if open == b'[' { b']' } else { b'}' };
                self.at += 1;
                let (mut items, mut pairs) = (Vec::new(), Vec::new());
                loop {
                    match self.peek() {
                        None => return Err(self.error("this is not YAML: a bracket is not closed")),
                        Some(b',') => self.at += 1,
                        Some(byte) if byte == close => {
                            self.at += 1;
                            break;
                        }
                        Some(b']' | b'}') => return Err(self.error("this is not YAML: a bracket closes another")),
                        Some(_) if open == b'[' => items.push(self.value(reader, depth + 1)?),
                        Some(_) => {
                            let name = self.word(true);
                            if self.peek() == Some(b':') {
                                self.at += 1;
                            }
                            pairs.push((unquoted(&name), self.value(reader, depth + 1)?));
                        }
                    }
                }
                if open == b'[' { Kind::List(items) } else { Kind::Map(pairs) }
            }
            _ => Kind::Scalar(unquoted(&self.word(false))),
        };
        Ok(Yaml { at: self.place, kind })
    }

    /// Up to what ends a scalar; always at least one byte, if there is one.
    fn word(&mut self, is_key: bool) -> String {
        let rest = &self.text[self.at..];
        let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''));
        let length = match quote {
            Some(quote) => rest[1..].find(quote).map_or(rest.len(), |end| end + 2),
            None => rest.find(|c| matches!(c, ',' | ']' | '}') || (is_key && c == ':')).unwrap_or(rest.len()),
        };
        self.at += length;
        rest[..length].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Yaml) -> String {
        match &value.kind {
            Kind::Scalar(text) => text.clone(),
            Kind::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
            Kind::Map(pairs) => {
                let pairs = pairs.iter().map(|(name, value)| format!("{name}: {}", shown(value)));
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
        }
    }

    #[test]
    fn blocks_and_brackets() {
        let text = "---\n- a: 1 # one\n  b:\n  - x\n  - 'y: z'\n  c: {d: \"e # f\", g: [1, 2]}\n-\n  h:\n    i: j\n    k: >-\n      l\n      m\n";
        assert_eq!(
            shown(&read(text).unwrap()),
            "[{a: 1, b: [x, y: z], c: {d: e # f, g: [1, 2]}}, {h: {i: j, k: l m}}]"
        );
        let value = read("a:\n  b: \"\\\\result == 5\"\n").unwrap();
        let inner = value.get("a").and_then(|a| a.get("b")).unwrap();
        assert_eq!((inner.text(), inner.at), (Some("\\result == 5"), Place { line: 2, column: 6 }));
    }

    #[test]
    fn errors_say_where() {
        let problem = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(problem("a: [1, 2\n"), "1:2: this is not YAML: a bracket is not closed");
        assert_eq!(problem("a: 1\n\tb: 2\n"), "2:1: this is not YAML: a tab at the start of a line");
        assert_eq!(problem("- a\nb: 1\n"), "2:1: this is not YAML: the line belongs to nothing before it");
        let deep: String = (0..1000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        assert!(problem(&deep).ends_with("values are nested too deeply"));
        assert!(problem(&"[".repeat(1_000_000)).ends_with("values are nested too deeply"));
        assert!(problem(&"- ".repeat(1_000_000)).ends_with("values are nested too deeply"));
    }
}
