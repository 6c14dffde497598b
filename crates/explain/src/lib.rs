//! Why a program fails: the pipeline from a program to an explanation, in reading order.
//!
//! [`symex`] runs a program on all inputs at once, into an [`equation`]; [`check`] asks the solver whether it fails,
//! [`explain`] puts the failing run beside the nearest passing one, [`focus`] lists every way to fail. The techniques are
//! in [`method`], a file each; what they find is judged again by [`recheck`].

pub mod bounds;
pub mod check;
pub mod compared;
pub mod dump;
pub mod equation;
pub mod execution;
pub mod explain;
pub mod explanation;
pub mod flow;
pub mod focus;
pub mod focus_sequence;
pub mod given;
pub mod imported;
pub mod ltl_terms;
pub mod method;
pub mod recheck;
pub mod symex;
