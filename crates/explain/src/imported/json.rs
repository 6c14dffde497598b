//! JSON as a stream: what is wanted is taken out, the rest is passed over without being kept.
//!
//! A reader walks down to the arrays whose elements it wants, and takes each element as a value of its own. Nesting is
//! counted, never recursed into: a gigabyte of brackets is an error at the first that is too deep.

use std::io::Read;

use serde_json::Value;

use nearmiss_trace::read::error::{Place, ReadError};
use nearmiss_trace::read::scan::Scanner;

/// Deeper values are an error.
const DEEPEST: usize = 100;
/// A value of more bytes is not taken out.
const LARGEST: usize = 64 << 20;

/// A text that is being read.
pub(super) struct Json<R> {
    scan: Scanner<R>,
    bytes: Vec<u8>,
}

impl<R: Read> Json<R> {
    pub(super) fn new(input: R) -> Result<Json<R>, ReadError> {
        Ok(Json { scan: Scanner::new(input)?, bytes: Vec::new() })
    }

    /// Where it is.
    pub(super) fn place(&self) -> Place {
        self.scan.place()
    }

    pub(super) fn error(&self, message: impl Into<String>) -> ReadError {
        self.scan.error(message)
    }

    /// The first byte of what comes next.
    pub(super) fn peek(&mut self) -> Result<u8, ReadError> {
        self.scan.space()?;
        self.scan.peek()?.ok_or_else(|| self.scan.cut_off("a value"))
    }

    /// Passes a byte that must be there.
    fn expect(&mut self, wanted: u8) -> Result<(), ReadError> {
        match self.peek()? {
            byte if byte == wanted => self.scan.next_byte().map(|_| ()),
            byte => Err(self.error(format!("this is not JSON: `{}` where `{}` belongs", shown(byte), wanted as char))),
        }
    }

    /// Calls `each` at the start of every element of the array that is next. It must take or pass the element.
    pub(super) fn array(&mut self, mut each: impl FnMut(&mut Self) -> Result<(), ReadError>) -> Result<(), ReadError> {
        self.expect(b'[')?;
        if self.peek()? == b']' {
            return self.expect(b']');
        }
        loop {
            self.peek()?;
            each(self)?;
            if self.peek()? != b',' {
                return self.expect(b']');
            }
            self.expect(b',')?;
        }
    }

    /// Calls `each` at the value of every key of the object that is next. It must take or pass the value.
    pub(super) fn object(
        &mut self,
        mut each: impl FnMut(&mut Self, &str) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.expect(b'{')?;
        if self.peek()? == b'}' {
            return self.expect(b'}');
        }
        loop {
            if self.peek()? != b'"' {
                return self.expect(b'"');
            }
            let key = self.take()?;
            self.expect(b':')?;
            self.peek()?;
            each(self, key.as_str().unwrap_or_default())?;
            if self.peek()? != b',' {
                return self.expect(b'}');
            }
            self.expect(b',')?;
        }
    }

    /// Nothing may follow.
    pub(super) fn end(&mut self) -> Result<(), ReadError> {
        self.scan.space()?;
        match self.scan.peek()? {
            None => Ok(()),
            Some(_) => Err(self.error("something follows the end of the JSON")),
        }
    }

    /// Takes the value that is next.
    pub(super) fn take(&mut self) -> Result<Value, ReadError> {
        self.take_if(|_| true).map(Option::unwrap_or_default)
    }

    /// Takes the value that is next if its text is wanted; otherwise it is passed.
    pub(super) fn take_if(&mut self, wanted: impl Fn(&[u8]) -> bool) -> Result<Option<Value>, ReadError> {
        self.peek()?;
        let start = self.place();
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        self.walk(Some(&mut bytes))?;
        if !wanted(&bytes) {
            self.bytes = bytes;
            return Ok(None);
        }
        let value = serde_json::from_slice(&bytes).map_err(|error| {
            let text = error.to_string();
            let message = text.split(" at line ").next().unwrap_or_default();
            let (line, column) = (error.line().max(1) as u64, error.column().max(1) as u64);
            let column = if line == 1 { start.column + column - 1 } else { column };
            ReadError::new(format!("this is not JSON: {message}")).at(Place { line: start.line + line - 1, column })
        });
        self.bytes = bytes;
        value.map(Some)
    }

    /// Passes over the value that is next.
    pub(super) fn skip(&mut self) -> Result<(), ReadError> {
        self.peek()?;
        self.walk(None)
    }

    fn walk(&mut self, mut kept: Option<&mut Vec<u8>>) -> Result<(), ReadError> {
        let mut walk = Walk::default();
        loop {
            let block = self.scan.block()?;
            if block.is_empty() {
                return match walk {
                    Walk { started: true, quoted: false, .. } if walk.open.is_empty() => Ok(()),
                    Walk { quoted: true, .. } => Err(self.scan.cut_off("a text")),
                    _ => Err(self.scan.cut_off("a value")),
                };
            }
            let (used, end) = walk.over(block);
            if let Some(kept) = &mut kept {
                if kept.len() + used > LARGEST {
                    return Err(self.error(format!("a value of more than {} MB", LARGEST >> 20)));
                }
                kept.extend_from_slice(&block[..used]);
            }
            self.scan.pass(used);
            match end {
                End::NotYet => {}
                End::Here => return Ok(()),
                End::Wrong(message) => return Err(self.error(message)),
            }
        }
    }
}

/// The way over a value, however it is cut into blocks.
#[derive(Default)]
struct Walk {
    /// The brackets that are open.
    open: Vec<u8>,
    quoted: bool,
    escaped: bool,
    started: bool,
}

enum End {
    NotYet,
    Here,
    Wrong(String),
}

impl Walk {
    /// How many bytes of a block belong to the value, and whether it ends there.
    fn over(&mut self, block: &[u8]) -> (usize, End) {
        let mut at = 0;
        while let Some(&byte) = block.get(at) {
            if self.quoted {
                if std::mem::take(&mut self.escaped) {
                    at += 1;
                    continue;
                }
                let Some(plain) = block[at..].iter().position(|byte| matches!(byte, b'"' | b'\\')) else { break };
                at += plain + 1;
                self.escaped = block[at - 1] == b'\\';
                self.quoted = self.escaped;
                if !self.quoted && self.open.is_empty() {
                    return (at, End::Here);
                }
                continue;
            }
            let outermost = self.open.is_empty();
            match byte {
                // A bare word or number ends before what cannot be part of it.
                b',' | b':' | b']' | b'}' | b'"' | b' ' | b'\n' | b'\r' | b'\t' if outermost && self.started => {
                    return (at, End::Here);
                }
                b',' | b':' | b']' | b'}' if outermost => {
                    let message = format!("this is not JSON: `{}` where a value belongs", byte as char);
                    return (at, End::Wrong(message));
                }
                b'"' => self.quoted = true,
                b'[' | b'{' if self.open.len() >= DEEPEST => {
                    return (at, End::Wrong("values are nested too deeply".to_owned()));
                }
                b'[' | b'{' => self.open.push(byte),
                b']' | b'}' => {
                    if self.open.pop() != Some(if byte == b']' { b'[' } else { b'{' }) {
                        let message = format!("this is not JSON: `{}` closes something else", byte as char);
                        return (at, End::Wrong(message));
                    }
                    if self.open.is_empty() {
                        return (at + 1, End::Here);
                    }
                }
                _ => {}
            }
            self.started = true;
            at += 1;
        }
        (block.len(), End::NotYet)
    }
}

fn shown(byte: u8) -> char {
    if byte.is_ascii_graphic() { byte as char } else { '?' }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        let mut json = Json::new(text.as_bytes()).unwrap();
        json.take().and_then(|_| json.end()).unwrap_err().to_string()
    }

    #[test]
    fn values_are_taken_and_passed_over() {
        let mut json =
            Json::new(r#" {"a": [1, {"b": "]\"}"}], "c": [true, -2.5e3, "x"], "d": null} "#.as_bytes()).unwrap();
        let mut found = Vec::new();
        json.object(|json, key| match key {
            "c" => json.array(|json| json.take().map(|value| found.push(value.to_string()))),
            _ => json.skip(),
        })
        .unwrap();
        json.end().unwrap();
        assert_eq!(found, ["true", "-2500.0", "\"x\""]);
    }

    #[test]
    fn errors_say_where() {
        assert_eq!(problem("[1,\n 2"), "2:3: the file ends within a value");
        assert_eq!(problem("[1,\n \"a\\"), "2:5: the file ends within a text");
        assert_eq!(problem("[1,\n }"), "2:2: this is not JSON: `}` closes something else");
        assert_eq!(problem("[1] 2"), "1:5: something follows the end of the JSON");
        assert_eq!(problem("\n  {\"a\": tru}"), "2:12: this is not JSON: expected ident");
        assert_eq!(problem(&"[".repeat(1000)), "1:101: values are nested too deeply");
        assert_eq!(problem(""), "1:1: the file ends within a value");
    }
}
