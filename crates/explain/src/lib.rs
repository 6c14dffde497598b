//! From text to explanation: the pipeline of nearmiss, in reading order.
//!
//! [`c`] turns C into a [`program`]; [`interp`] runs it on given inputs, [`symex`] on all of them at once, into an
//! [`equation`]. Nothing here prints, and files are read only through a loader that the caller gives.

pub mod bits;
pub mod c;
pub mod causes;
pub mod check;
pub mod dependence;
pub mod equation;
pub mod execution;
pub mod explain;
pub mod explanation;
pub mod flow;
pub mod focus;
pub mod given;
pub mod interp;
pub mod location;
pub mod loops;
pub mod ltl;
pub mod ltl_eval;
pub mod ltl_terms;
pub mod method;
pub mod program;
pub mod program_text;
pub mod read;
pub mod recheck;
pub mod run;
pub mod show;
pub mod source;
pub mod symex;
pub mod temporal;
pub mod trace_failure;
pub mod trace_report;
pub mod watched;
pub mod wave;
