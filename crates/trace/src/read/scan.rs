//! A text of any length, byte by byte, with places: what streaming readers stand on, of XML here and of other texts elsewhere.
//!
//! Only a block of the text is in memory. What a reader keeps has a limit ([`LONGEST`]), so that no file, however made,
//! takes more memory than what is wanted of it.

use std::io::Read;

use super::error::{Place, ReadError};

/// Bytes that are read at once.
const BLOCK: usize = 1 << 16;
/// A single text (a name, a value) of more bytes is not kept.
pub const LONGEST: usize = 1 << 20;

/// A place in a text that is being read.
pub struct Scanner<R> {
    input: R,
    block: Vec<u8>,
    next: usize,
    line: u64,
    column: u64,
}

impl<R: Read> Scanner<R> {
    /// At the start; the mark that some programs put before UTF-8 is passed over.
    pub fn new(input: R) -> Result<Scanner<R>, ReadError> {
        let mut scanner = Scanner { input, block: Vec::new(), next: 0, line: 1, column: 1 };
        scanner.fill()?;
        if scanner.block.starts_with(b"\xef\xbb\xbf") {
            scanner.next = 3;
        }
        Ok(scanner)
    }

    /// Reads the next block; at the end there is none.
    fn fill(&mut self) -> Result<(), ReadError> {
        self.block.clear();
        self.next = 0;
        let read = self.input.by_ref().take(BLOCK as u64).read_to_end(&mut self.block);
        read.map(|_| ()).map_err(|error| ReadError::unreadable(&error))
    }

    /// The next byte, which stays.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        if self.next == self.block.len() && !self.block.is_empty() {
            self.fill()?;
        }
        Ok(self.block.get(self.next).copied())
    }

    /// The next byte, which is passed.
    #[inline]
    pub fn next_byte(&mut self) -> Result<Option<u8>, ReadError> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.next += 1;
            self.column += 1;
            if byte == b'\n' {
                self.line += 1;
                self.column = 1;
            }
        }
        Ok(byte)
    }

    /// Some of what comes next; nothing at the end.
    pub fn block(&mut self) -> Result<&[u8], ReadError> {
        self.peek()?;
        Ok(&self.block[self.next..])
    }

    /// Passes so many bytes of the block.
    pub fn pass(&mut self, bytes: usize) {
        let passed = &self.block[self.next..self.next + bytes];
        match passed.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => {
                self.line += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
                self.column = (passed.len() - last) as u64;
            }
            None => self.column += bytes as u64,
        }
        self.next += bytes;
    }

    /// Passes white space.
    pub fn space(&mut self) -> Result<(), ReadError> {
        while self.peek()?.is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.next_byte()?;
        }
        Ok(())
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        Place { line: self.line, column: self.column }
    }

    /// An error here.
    pub fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError::new(message).at(self.place())
    }

    /// The error that the text ends too early.
    pub fn cut_off(&self, what: &str) -> ReadError {
        self.error(format!("the file ends within {what}")).with_help("is it cut off?")
    }

    /// Adds a byte to what is kept.
    #[inline]
    pub fn keep(&self, bytes: &mut Vec<u8>, byte: u8) -> Result<(), ReadError> {
        if bytes.len() >= LONGEST {
            return Err(self.error(format!("a text of more than {} MB", LONGEST >> 20)));
        }
        bytes.push(byte);
        Ok(())
    }

    /// Bytes that were kept as a text.
    pub fn text(&self, bytes: Vec<u8>) -> Result<String, ReadError> {
        String::from_utf8(bytes).map_err(|_| self.error("this is not UTF-8").with_help("save the file as UTF-8"))
    }
}
