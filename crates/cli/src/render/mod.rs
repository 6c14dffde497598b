//! From an answer to bytes: one file per form of output.
//!
//! Renderers read values and return text; they decide nothing and print nothing. They leave out times, so that the same
//! input gives the same bytes.

use nearmiss_explain::explanation::Explanation;
use nearmiss_explain::program::{Program, TypeId};
use nearmiss_explain::show;
use nearmiss_explain::source::{Sources, Span};

use crate::names::Names;
use crate::native::Replay;

pub mod diagnostic;
pub mod json;
pub mod listing;
mod notation;
mod paint;
pub mod terminal;
mod trace;

pub use notation::Notation;
pub use paint::{Paint, Stream};

/// An answer with everything that is needed to show it.
pub struct Report<'a> {
    /// The files.
    pub sources: &'a Sources,
    /// The program.
    pub program: &'a Program,
    /// What was found out.
    pub explanation: &'a Explanation,
    /// Whether the compiled program fails in the same way.
    pub replay: &'a Replay,
    /// Names of the objects that the failing run creates.
    pub names: &'a Names,
    /// Which variables are shown as hexadecimal numbers.
    pub notation: Notation,
    /// Whether only some claims were asked for (`--property`).
    pub passes_over_claims: bool,
    /// Things to know beyond those of the explanation: why it stopped.
    pub notes: Vec<String>,
}

/// The text on one line, with single spaces.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `1 claim`, `2 claims`.
fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

impl Report<'_> {
    /// A value in C notation.
    fn value(&self, ty: TypeId, bits: u128) -> String {
        show::value_with(self.program, ty, bits, &|object| self.names.get(&object).cloned())
    }

    /// A value as a person likes it.
    fn value_for_people(&self, ty: TypeId, bits: u128) -> String {
        show::value_for_people(self.program, ty, bits, &|object| self.names.get(&object).cloned())
    }

    /// The value of a variable as a person likes it: as the program writes such values.
    fn value_of(&self, name: &str, place: Span, ty: TypeId, bits: u128) -> String {
        match self.notation.is_hexadecimal(name, place) {
            true => show::hexadecimal(self.program, ty, bits),
            false => None,
        }
        .unwrap_or_else(|| self.value_for_people(ty, bits))
    }
}
