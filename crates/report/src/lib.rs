//! From an answer to bytes: one file per form of output.
//!
//! Renderers read values and return text; they decide nothing and print nothing. They leave out times, so that the same
//! input gives the same bytes.

use nearmiss_explain::explanation::Explanation;
use nearmiss_program::program::{Program, TypeId};
use nearmiss_program::show;
use nearmiss_program::source::{Sources, Span};

use crate::names::Names;
use crate::replay::Replay;
use crate::view::Verb;

mod calls;
pub mod causes;
pub mod contrast;
pub mod diagnostic;
mod formula_moments;
pub mod html;
pub mod json;
mod layout;
pub mod listing;
pub mod markdown;
pub mod names;
mod notation;
mod page;
mod paint;
pub mod replay;
pub mod sarif;
mod schema;
pub mod score;
pub mod terminal;
mod trace;
pub mod view;
pub mod ways_text;
pub mod witness;

pub use layout::one_line as in_one_line;
pub use notation::Notation;
pub use paint::Paint;

/// An answer with everything that is needed to show it.
pub struct Report<'a> {
    /// The command that was typed.
    pub command: Verb,
    /// The files.
    pub sources: &'a Sources,
    /// The program.
    pub program: &'a Program,
    /// What was found out.
    pub explanation: &'a Explanation,
    /// The failing run.
    pub failing: Side<'a>,
    /// The passing run.
    pub passing: Side<'a>,
    /// Whether only some claims were asked for (`--property`).
    pub passes_over_claims: bool,
    /// Things to know beyond those of the explanation: why it stopped.
    pub notes: Vec<String>,
}

/// What is known of a run beyond the run.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The program.
    pub program: &'a Program,
    /// Whether the compiled program does the same.
    pub replay: &'a Replay,
    /// Names of the objects that the run creates.
    pub names: &'a Names,
    /// Which variables are shown as hexadecimal numbers.
    pub notation: &'a Notation,
}

impl Side<'_> {
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
