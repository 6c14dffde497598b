//! Where a counterexample says what the program does not do.

use std::error::Error;
use std::fmt;

use nearmiss_trace::read::error::Place;

/// What the counterexample says and the program does not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// Where in the file.
    pub at: Option<Place>,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "{at}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Error for Disagreement {}

/// What to do where a counterexample is not one of the program.
pub(super) const OTHER_PROGRAM: &str = "was it made for this program, with the same -D, -I, --function and --32 or --64, \
                                        and has the program not changed since?";

/// Whether a file of the counterexample is one of the program, which may be read from another folder.
pub(super) fn same_file(told: Option<&str>, own: &str) -> bool {
    let base = |path: &'_ str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
    told.is_none_or(|told| base(told) == base(own))
}
