//! The one error of every reader here: what is wrong, where in the text, and what to do about it.

use std::error::Error;
use std::fmt;
use std::io;

/// A line and a column of a text, both from 1; columns count bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The column.
    pub column: u64,
}

/// Why a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Where in a text.
    pub at: Option<Place>,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Place {
    /// Where a byte of a text is.
    pub fn of(text: &[u8], offset: usize) -> Place {
        let before = &text[..offset.min(text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() as u64 + 1;
        Place { line, column }
    }
}

impl ReadError {
    /// About the whole.
    pub fn new(message: impl Into<String>) -> ReadError {
        ReadError { at: None, message: shortened(message.into()), help: None }
    }

    /// The bytes could not be had.
    pub fn unreadable(error: &io::Error) -> ReadError {
        ReadError::new(format!("the file cannot be read: {error}"))
    }

    /// The same at a place.
    pub fn at(self, place: Place) -> ReadError {
        ReadError { at: Some(place), ..self }
    }

    /// The same with advice.
    pub fn with_help(self, help: impl Into<String>) -> ReadError {
        ReadError { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Error for ReadError {}

/// A message that quotes a file may be as long as the file; nobody reads more of it than this.
pub fn shortened(message: String) -> String {
    const LONGEST: usize = 400;
    match message.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}
