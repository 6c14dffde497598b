//! What is wrong with a manifest, and where.

use std::fmt;

/// A place in a text: line and column, both from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// What is wrong, at a place of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// Where.
    pub at: Place,
    /// What.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Wrong {
    /// Something wrong.
    pub fn new(at: Place, message: impl Into<String>) -> Wrong {
        Wrong { at, message: message.into(), help: None }
    }

    /// With what to do.
    pub fn with_help(self, help: impl Into<Option<String>>) -> Wrong {
        Wrong { help: help.into(), ..self }
    }

    /// In a file.
    pub fn within(self, file: &str) -> Complaint {
        Complaint { file: file.to_owned(), wrong: self }
    }
}

/// What is wrong, at a place of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// The file, told from where the user is.
    pub file: String,
    /// What is wrong in it.
    pub wrong: Wrong,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Complaint { file, wrong: Wrong { at, message, help } } = self;
        write!(f, "{file}:{}:{}: error: {message}", at.line, at.column)?;
        match help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}
