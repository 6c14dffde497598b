//! Traces and temporal formulas: bytes and text in, the values that make a formula false out.
//!
//! [`read`] turns a waveform or a model checker's trace into a [`wave`], [`ltl`] a formula in LTL, PSL or SVA into a small
//! core, [`ltl_eval`] says where each part of it holds, and [`causes`] which values make it false: found by [`search`],
//! judged again by [`recheck`], told as a [`report`]. Nothing here knows programs, prints, or opens a file.

pub mod bits;
pub mod causes;
pub mod failure;
pub mod ltl;
pub mod ltl_eval;
pub mod read;
pub mod recheck;
pub mod report;
pub mod search;
pub mod wave;
