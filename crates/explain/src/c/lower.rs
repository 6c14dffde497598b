//! From the typed tree to the program: order of effects, claims, the library.

use crate::c::tree::Tree;
use crate::c::{Errors, Options};
use crate::program::Program;
use crate::source::Sources;

/// Makes the program.
pub fn lower(_tree: &Tree, _options: &Options, _sources: &Sources) -> Result<Program, Errors> {
    Err(Vec::new())
}
