//! Why a text is not a formula, or not one over the signals of a trace: what is wrong, where in the text, and what to do.

use std::fmt;
use std::ops::Range;

use super::syntax::Tree;

/// Why a text is not a formula, or not one over these signals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormulaError {
    /// Bytes of the text that was read; for [`bind`](super::bind()) of the formula's own text.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FormulaError {}

/// What is made of a formula, or why it cannot be.
pub(super) type Result<T> = std::result::Result<T, FormulaError>;

/// An error at a part of a formula.
pub(super) fn error<T>(tree: &Tree, message: impl Into<String>) -> Result<T> {
    Err(FormulaError { range: tree.range.clone(), message: message.into(), help: None })
}
