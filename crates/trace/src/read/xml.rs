//! The little of XML that traces and witnesses use: elements, attributes, texts, comments, and the predefined and numeric
//! entities.
//!
//! Anything that a document could use to make itself larger than its file is an error. Nothing is kept but the names of
//! the elements that are open, at most so many of them (`DEEPEST`).

use std::io::Read;

use super::error::{Place, ReadError};
use super::scan::Scanner;

/// Deeper elements are an error.
const DEEPEST: usize = 64;

/// One step through a document.
pub enum Piece {
    /// An element starts.
    Open(Element),
    /// An element of this name ends.
    Close(String),
    /// A text between elements.
    Text(String),
}

/// The start of an element.
pub struct Element {
    /// Its name.
    pub name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    /// The value of an attribute.
    pub fn attribute(&self, wanted: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
    }
}

/// A document that is being read.
pub struct Reader<R> {
    scan: Scanner<R>,
    open: Vec<String>,
    /// An element that closed itself.
    pending: bool,
    /// Where the last piece starts.
    start: Place,
}

impl<R: Read> Reader<R> {
    /// Nothing has been read yet.
    pub fn new(input: R) -> Result<Reader<R>, ReadError> {
        let scan = Scanner::new(input)?;
        let start = scan.place();
        Ok(Reader { scan, open: Vec::new(), pending: false, start })
    }

    /// An error after the last piece.
    pub fn error(&self, message: impl Into<String>) -> ReadError {
        self.scan.error(message)
    }

    /// Where the last piece ends.
    pub fn place(&self) -> Place {
        self.scan.place()
    }

    /// Where the last piece starts.
    pub fn start(&self) -> Place {
        self.start
    }

    /// The innermost element that is open.
    pub fn inside(&self) -> Option<&str> {
        self.open.last().map(String::as_str)
    }

    /// The next opening, closing or text; `None` at the end.
    pub fn piece(&mut self) -> Result<Option<Piece>, ReadError> {
        if std::mem::take(&mut self.pending) {
            return Ok(self.open.pop().map(Piece::Close));
        }
        loop {
            self.start = self.scan.place();
            match self.scan.peek()? {
                None => {
                    return match self.open.last() {
                        Some(name) => {
                            Err(self.error(format!("`<{name}>` is not closed")).with_help("is the file cut off?"))
                        }
                        None => Ok(None),
                    };
                }
                Some(b'<') => {
                    let start = self.scan.place();
                    self.scan.next_byte()?;
                    match self.scan.peek()? {
                        Some(b'!') => self.comment(start)?,
                        Some(b'?') => self.skip(b"?>")?,
                        Some(b'/') => {
                            self.scan.next_byte()?;
                            return self.closing().map(Some);
                        }
                        _ => return self.opening().map(Some),
                    }
                }
                Some(_) => return self.text(|byte| byte == b'<').map(|text| Some(Piece::Text(text))),
            }
        }
    }

    fn comment(&mut self, start: Place) -> Result<(), ReadError> {
        for expected in b"!--" {
            if self.scan.peek()? != Some(*expected) {
                let error = ReadError::new("declarations in XML are not read").at(start);
                return Err(error.with_help("remove `<!…>` from the file"));
            }
            self.scan.next_byte()?;
        }
        self.skip(b"-->")
    }

    /// Skips to the end of what ends with `end`.
    fn skip(&mut self, end: &[u8]) -> Result<(), ReadError> {
        let mut last = Vec::with_capacity(end.len());
        while let Some(byte) = self.scan.next_byte()? {
            if last.len() == end.len() {
                last.remove(0);
            }
            last.push(byte);
            if last == end {
                return Ok(());
            }
        }
        Err(self.error(format!("the end `{}` is missing", String::from_utf8_lossy(end))))
    }

    fn name(&mut self) -> Result<String, ReadError> {
        let mut name = Vec::new();
        while let Some(byte) = self.scan.peek()? {
            if byte.is_ascii_whitespace() || matches!(byte, b'=' | b'>' | b'<' | b'/' | b'"' | b'\'' | b'&') {
                break;
            }
            self.scan.keep(&mut name, byte)?;
            self.scan.next_byte()?;
        }
        if name.is_empty() {
            return Err(self.error("a name is missing"));
        }
        self.scan.text(name)
    }

    fn expect(&mut self, what: u8) -> Result<(), ReadError> {
        if self.scan.peek()? != Some(what) {
            return Err(self.error(format!("`{}` is missing", what as char)));
        }
        self.scan.next_byte().map(|_| ())
    }

    fn closing(&mut self) -> Result<Piece, ReadError> {
        let name = self.name()?;
        self.scan.space()?;
        self.expect(b'>')?;
        if self.open.pop().as_ref() != Some(&name) {
            return Err(self.error(format!("`</{name}>` closes nothing that is open")));
        }
        Ok(Piece::Close(name))
    }

    /// The rest of an opening after its `<`.
    fn opening(&mut self) -> Result<Piece, ReadError> {
        let name = self.name()?;
        let mut attributes = Vec::new();
        loop {
            self.scan.space()?;
            match self.scan.peek()? {
                Some(b'/') => {
                    self.scan.next_byte()?;
                    self.expect(b'>')?;
                    self.pending = true;
                    break;
                }
                Some(b'>') => {
                    self.scan.next_byte()?;
                    break;
                }
                _ if attributes.len() >= DEEPEST => return Err(self.error("an element has too many attributes")),
                _ => {}
            }
            let attribute = self.name()?;
            self.scan.space()?;
            self.expect(b'=')?;
            self.scan.space()?;
            let quote = if self.scan.peek()? == Some(b'\'') { b'\'' } else { b'"' };
            self.expect(quote)?;
            let value = self.text(|byte| byte == quote)?;
            if self.scan.next_byte()?.is_none() {
                return Err(self.error("a value has no end"));
            }
            attributes.push((attribute, value));
        }
        if self.open.len() >= DEEPEST {
            return Err(self.error("elements are nested too deeply"));
        }
        self.open.push(name.clone());
        Ok(Piece::Open(Element { name, attributes }))
    }

    /// A text without its entities, up to a byte.
    fn text(&mut self, stops: impl Fn(u8) -> bool) -> Result<String, ReadError> {
        let mut text = Vec::new();
        while let Some(byte) = self.scan.peek()? {
            if stops(byte) {
                break;
            }
            if byte == b'&' {
                let character = self.entity()?;
                for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                    self.scan.keep(&mut text, byte)?;
                }
            } else {
                self.scan.keep(&mut text, byte)?;
                self.scan.next_byte()?;
            }
        }
        self.scan.text(text)
    }

    fn entity(&mut self) -> Result<char, ReadError> {
        let start = self.scan.place();
        self.scan.next_byte()?;
        let mut name = Vec::new();
        while let Some(byte) = self.scan.peek()? {
            if !(byte.is_ascii_alphanumeric() || byte == b'#') || name.len() >= 20 {
                break;
            }
            name.push(byte);
            self.scan.next_byte()?;
        }
        let name = String::from_utf8_lossy(&name).into_owned();
        let code = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        let character = match name.as_str() {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => match (name.strip_prefix("#x"), name.strip_prefix('#')) {
                (Some(digits), _) => code(digits, 16),
                (None, Some(digits)) => code(digits, 10),
                (None, None) => None,
            },
        };
        match character.filter(|_| matches!(self.scan.peek(), Ok(Some(b';')))) {
            Some(character) => self.scan.next_byte().map(|_| character),
            None => Err(ReadError::new(format!("`&{name};` is not an entity that is read")).at(start)),
        }
    }
}
