//! A formula's failure on a trace and its causes as plain values: what `search` finds and `recheck` judges again.

use crate::ltl::core::{AtomId, End, NodeId};

/// What comes after the rows of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// Nobody knows.
    Anything,
    /// Nothing: the trace is a whole run.
    Nothing,
    /// This row again, for ever.
    Row(usize),
}

/// What became of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is false.
    Fails(Failure),
    /// It is true, as far as the trace goes.
    Holds,
    /// It waits for something beyond the end of the trace.
    Undecided,
}

/// A failure: these parts are false on this many positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The parts and where they are asked for; each is false.
    pub roots: Vec<(NodeId, usize)>,
    /// The positions that were looked at: with a loop, more than there are rows.
    pub positions: usize,
    /// What comes after them.
    pub end: End,
}

/// An atom at a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Pair {
    /// The row.
    pub row: usize,
    /// The atom.
    pub atom: AtomId,
}

/// A pair with another value than on the trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Flip {
    /// The pair.
    pub pair: Pair,
    /// The value that it is given.
    pub to: bool,
}

/// A cause, or what may be one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cause {
    /// Which pair.
    pub pair: Pair,
    /// Is it known to be one?
    pub exact: bool,
    /// Does a path of false parts lead from it to the formula? Otherwise it decides only after other flips have brought it into play.
    pub direct: bool,
    /// The size of the smallest set of other flips under which this one decides, if that is known.
    pub others: Option<usize>,
    /// Such a set and the value that this one is given, if it is known and not long.
    pub witness: Option<(Vec<Flip>, bool)>,
}
