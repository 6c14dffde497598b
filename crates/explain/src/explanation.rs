//! What the tool has found out: the one value that every method adds to and every renderer reads.
//!
//! Plain data with spans and bits; how it looks in a terminal or as JSON is the renderers' business.

use crate::program::{ClaimKind, SiteId, TypeId};
use crate::run::{Inputs, Run};
use crate::source::{Diagnostic, Span};

/// Does the program fail?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Some claim is violated by the counterexample.
    Fails,
    /// No claim is violated, for every execution if `complete`, else up to the bound.
    Holds,
    /// Time or memory was over, or it was interrupted.
    Undecided,
}

/// What is known of one claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Some execution violates it and nothing before it.
    Fails,
    /// No execution up to the bound violates it.
    Holds,
    /// Not known.
    Undecided,
}

/// A claim of the program, or of the unwinding, and what is known of it.
#[derive(Clone, Debug)]
pub struct ClaimReport {
    /// `main.assertion.1`.
    pub id: String,
    /// What it is about.
    pub kind: ClaimKind,
    /// The condition in the user's words.
    pub text: String,
    /// Where.
    pub span: Span,
    /// In which function.
    pub function: String,
    /// What is known.
    pub status: Status,
}

/// How far a counterexample was made small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Minimised {
    /// As the solver gave it.
    None,
    /// Smaller, by a heuristic.
    Greedy,
    /// As small as can be, or as was found in the time given.
    Optimal,
}

/// An input of a counterexample, by name.
#[derive(Clone, PartialEq, Debug)]
pub struct InputValue {
    /// Where it arises; name, place and function are the site's.
    pub site: SiteId,
    /// The part of the site's object: `a[2]`; just the name for a scalar.
    pub name: String,
    /// Type of that part.
    pub ty: TypeId,
    /// Its bits.
    pub value: u128,
}

/// A failing execution.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What to feed to the program to see it fail.
    pub inputs: Inputs,
    /// The same by name, in order of execution.
    pub named: Vec<InputValue>,
    /// What then happens, as the interpreter saw it.
    pub run: Run,
    /// Number of executed statements: written assignments, branches, and the violated claim.
    pub length: u64,
    /// Sum of the magnitudes of executed inputs and written assignments of integer type.
    pub sum: u128,
    /// How far it was made small.
    pub minimised: Minimised,
    /// Whether that was proved to be the least.
    pub proved_minimal: bool,
    /// Where it was to be the least and that is not proved: what is known.
    pub lower_bound: Option<LowerBound>,
}

/// What no failing run is below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LowerBound {
    /// No run is shorter.
    pub length: u64,
    /// No run that is at most as long as the one shown has a smaller sum.
    pub sum: u128,
}

/// Times and sizes, for `--stats`. Never part of standard output.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Seconds per phase, in order.
    pub seconds: Vec<(&'static str, f64)>,
    /// Sizes: steps, terms, variables, clauses, solver calls, …
    pub counts: Vec<(&'static str, u64)>,
}

/// The answer of `check`, and the first part of that of `explain`.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Does it fail?
    pub verdict: Verdict,
    /// Is the unwinding proved sufficient?
    pub complete: bool,
    /// The largest number of times that any loop was unwound.
    pub unwind: u32,
    /// All claims in program order, unwinding claims at the end.
    pub claims: Vec<ClaimReport>,
    /// The claim that the counterexample violates: index into `claims`.
    pub property: Option<usize>,
    /// The failing run.
    pub counterexample: Option<Counterexample>,
    /// Things to know: functions without body, bounds on allocations, why it is undecided.
    pub notes: Vec<Diagnostic>,
    /// Times and sizes.
    pub stats: Stats,
}
