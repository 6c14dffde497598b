//! Temporal formulas: how users write them, and the small core that everything else works on.
//!
//! [`parse`] reads LTL, PSL and SVA into one tree; [`bind`](bind::bind) looks names up among the signals of a trace and brings the
//! formula to its [`core`]; [`truth`](truth::truth) says where an atom holds.

pub mod bind;
pub mod core;
pub mod expression;
pub mod local;
pub mod statement;
pub mod syntax;
pub mod truth;
pub mod unit_steps;

mod arena;
mod error;
mod lex;
mod names;
mod parse;
mod radix;
mod room;
mod translate;
mod typing;
mod value;

#[cfg(test)]
mod core_text;
#[cfg(test)]
mod formula_tests;
#[cfg(test)]
mod sequence_tests;
#[cfg(test)]
mod tests;

use std::fmt;

pub use bind::{Bound, Reset, Saving, bind};
pub use error::FormulaError;
pub use expression::{Atom, Expression, Read};
pub use names::{find_signal, within_scope};
pub use radix::radix;
pub use statement::{parse, parse_file};
pub use translate::Part;
pub use truth::truth;
pub use value::Bitwise;

use syntax::Tree;

/// A formula as it was written.
#[derive(Clone, PartialEq, Debug)]
pub struct Formula {
    /// The name that the user gave it.
    pub name: Option<String>,
    /// Its text, without name and keyword.
    pub text: String,
    /// What is asked about it.
    pub asks: Asks,
    /// The clock it is sampled with, if it says so.
    pub clock: Option<Clock>,
    /// What it says; ranges are bytes of the text. An `always` that is only implied has the range of the whole text, as its
    /// operand has.
    pub tree: Tree,
}

/// What is asked about a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asks {
    /// Is it true?
    Truth,
    /// `cover`: does what was written ever come about? The tree then says that it never does.
    Cover,
}

/// When a trace is sampled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The signal.
    pub signal: String,
    /// At its falling edge?
    pub negedge: bool,
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Clock { signal, negedge }) = &self.clock {
            write!(f, "@({} `{signal}`) ", if *negedge { "negedge" } else { "posedge" })?;
        }
        f.write_str(&room::with_room(self.tree.height, || self.tree.to_string()))
    }
}
