//! From an answer to bytes: one file per form of output.
//!
//! Renderers read values and return text; they decide nothing and print nothing. They leave out times, so that the same
//! input gives the same bytes.

use nearmiss_explain::explanation::{Explanation, InputValue};
use nearmiss_explain::program::{Program, Type, TypeId};
use nearmiss_explain::source::Sources;

use crate::native::Replay;

pub mod diagnostic;
pub mod json;
pub mod listing;
mod paint;
pub mod terminal;
mod trace;

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

/// Bits as C would write the value.
fn value(program: &Program, ty: TypeId, bits: u128) -> String {
    match program.ty(ty) {
        Type::Pointer { .. } if bits == 0 => "NULL".to_owned(),
        Type::Integer { bits: width, signed: true, .. } => {
            let unused = 128 - width;
            (((bits << unused) as i128) >> unused).to_string()
        }
        _ => bits.to_string(),
    }
}

/// An input by name.
pub fn input(input: &InputValue, program: &Program) -> String {
    format!("{} = {}", input.name, value(program, input.ty, input.value))
}
