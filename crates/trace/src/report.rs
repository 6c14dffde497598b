//! What was found out about formulas on a trace: what every renderer of `nearmiss causes` reads.

use crate::bits::Bits;
use crate::wave::Wave;

/// A trace and what became of the formulas on it.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceReport {
    /// The signals that the formulas name.
    pub wave: Wave,
    /// Per formula, in the order given.
    pub formulas: Vec<Judged>,
    /// What else there is to know, a sentence each.
    pub notes: Vec<String>,
    /// Where the time went, in seconds: a phase comes once per formula.
    pub seconds: Vec<(&'static str, f64)>,
}

/// One formula on the trace.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// As the user wrote it.
    pub formula: String,
    /// The name that the user gave it (`name: formula`), if any.
    pub name: Option<String>,
    /// What became of it.
    pub verdict: TraceVerdict,
    /// The failures that were asked for, first one first; empty unless it fails.
    pub failures: Vec<TraceFailure>,
    /// How many more there are that are not listed.
    pub more_failures: usize,
    /// Its parts, outermost first, and where each is false.
    pub lanes: Vec<Lane>,
    /// The signals that it names: indices into the wave.
    pub signals: Vec<usize>,
}

/// What became of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceVerdict {
    /// It is false, whatever would come after.
    Fails,
    /// It is true on this trace; the reason why it could not fail, as a sentence.
    Holds(String),
    /// The trace ends too early; what would decide it, as a sentence.
    Undecided(String),
    /// A `cover` that comes about; when, as a sentence.
    Covered(String),
    /// A `cover` that does not come about on this trace; why that is known, as a sentence.
    Uncovered(String),
}

/// What is known of the set of causes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exactness {
    /// These are the causes, all of them and no others.
    Exact,
    /// The same, as far as local variables keep values that the trace has; others were not tried.
    ExactOnValues,
    /// All causes are among these; some may be none.
    Superset,
    /// Some causes may be missing, and some of these may be none.
    Approximate,
}

/// One failure of a formula.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceFailure {
    /// Where the obligation began that fails: 0, or for `always` the cycle at which its body fails.
    pub start: usize,
    /// The cycle (row) from which on it is certain.
    pub at: usize,
    /// In which round of the loop that cycle is; 0 before the loop is entered a second time.
    pub round: usize,
    /// Where the loop starts, if the formula is false only because the loop is repeated for ever.
    pub loop_start: Option<usize>,
    /// What is known of the causes.
    pub exactness: Exactness,
    /// The causes, by time, then by the place of the atom in the formula.
    pub causes: Vec<TraceCause>,
}

/// One value, or one relation of values, that makes the formula false.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceCause {
    /// The atom, as the user wrote it.
    pub atom: String,
    /// The cycle (row) at which it is asked for.
    pub time: usize,
    /// Is it known to be true or false there? `None` is an unknown value.
    pub truth: Option<bool>,
    /// The signals inside it, each with the cycle at which it is read: where the dots go.
    pub dots: Vec<Dot>,
    /// Is it known to be a cause?
    pub exact: bool,
    /// Does its falsehood lead straight to that of the formula? Otherwise it decides only after others have been changed.
    pub direct: bool,
    /// 1 + the fewest other values that have to be different for this one to decide: responsibility is one over this. `None`: not known.
    pub responsibility: Option<u32>,
    /// Those other values: the atom and the cycle. Empty if this one alone decides.
    pub others: Vec<(String, usize)>,
}

/// A red dot on the trace, as in the paper of Beer, Ben-David, Chockler, Orni and Trefler (*Explaining counterexamples using
/// causality*, CAV 2009): the value of a signal at a cycle, of which a cause is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dot {
    /// The signal: an index into the wave.
    pub signal: usize,
    /// The cycle (row).
    pub time: usize,
    /// Its value there, as text.
    pub value: String,
}

/// A part of a formula, and where it is false.
#[derive(Clone, PartialEq, Debug)]
pub struct Lane {
    /// The part as the user wrote it.
    pub text: String,
    /// Bytes of the formula that it takes.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// The lane of the smallest part around it.
    pub parent: Option<usize>,
    /// Per cycle: is it false there, as far as the trace goes?
    pub fails: Bits,
    /// Per cycle: does its falsehood there have a part in the first failure?
    pub matters: Bits,
}
