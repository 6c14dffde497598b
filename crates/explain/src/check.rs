//! Does the program fail? Unwinds, solves, and grows the bound until there is an answer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::explanation::Explanation;
use crate::program::Program;
use crate::source::Diagnostic;

/// How far to look, and for what.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// A fixed bound for every loop and recursion (`--unwind`); none: the bound grows by itself.
    pub unwind: Option<u32>,
    /// Bounds for single loops (`--unwindset main.0:5`).
    pub unwindset: Vec<(String, u32)>,
    /// Whether to claim that the bound suffices (`--unwinding-assertions`, on by default when a bound is given).
    pub unwinding_claims: bool,
    /// Look only at these claims (`--property`).
    pub properties: Vec<String>,
    /// Set to stop as soon as possible with what is known.
    pub stop: Arc<AtomicBool>,
    /// When to stop by ourselves.
    pub deadline: Option<Instant>,
}

/// What `--dump` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dump {
    /// The equation as text.
    Equation,
    /// The question to the solver in DIMACS.
    Cnf,
    /// The question to the solver in SMT-LIB 2.
    Smt2,
}

/// Where a long check has got to.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What is being done: `unwinding`, `solving`, `replaying`.
    pub phase: &'static str,
    /// The bound so far.
    pub unwind: u32,
    /// Steps of the equation so far.
    pub steps: u64,
}

/// Checks every claim. `Err` is an error of the input (an unsupported construct that an execution reaches).
pub fn check(
    _program: &Program,
    _options: &CheckOptions,
    _progress: &mut dyn FnMut(Progress),
) -> Result<Explanation, Vec<Diagnostic>> {
    Err(Vec::new())
}

/// The equation at the bound of the options (1 where none is given) in one of its text forms.
pub fn dump(_program: &Program, _options: &CheckOptions, _what: Dump) -> Result<String, Vec<Diagnostic>> {
    Err(Vec::new())
}
