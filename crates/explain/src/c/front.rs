//! The only file that knows the front-end crates.

use crate::c::tree::Tree;
use crate::c::{Errors, Loader, Options};
use crate::source::Sources;

/// Preprocesses, parses and checks every file, and links them into one tree.
pub fn read(
    _files: &[String],
    _options: &Options,
    _loader: &dyn Loader,
    _sources: &mut Sources,
) -> Result<Tree, Errors> {
    Err(Vec::new())
}
