//! Traces and temporal formulas: bytes and text in, the values that make a formula false out.
//!
//! [`read`] turns a waveform or a model checker's trace into a [`wave`], and [`ltl`] a formula in LTL, PSL or SVA into a small
//! core. [`causes`] puts both together: [`search`] judges the formula (by [`ltl_eval`], which says where each of its parts
//! holds) and finds the values that make it false as a [`failure`], [`recheck`] judges them again by other means, and what
//! comes out is a [`report`]. Nothing here knows programs, prints, or opens a file; only [`search`] asks the solver.
//!
//! ```
//! use nearmiss_trace::causes::{Asked, CausesOptions, explain};
//! use nearmiss_trace::ltl::{bind, parse};
//! use nearmiss_trace::read::trace::{Sampling, open};
//!
//! let mut trace = open(std::io::Cursor::new("req,ack\n0,0\n1,0\n0,0\n0,1\n"))?;
//! let formula = parse("G (req -> X ack)")?;
//! // Names are looked up first: only the signals that the formula names are loaded.
//! let bound = bind(&formula, trace.signals(), None)?;
//! let wave = trace.load(&bound.signals, &Sampling::default())?;
//! let signals = (0..wave.signals.len()).collect();
//! let asked = Asked { formula: &formula, bound: &bound, signals };
//! let report = explain(wave, &[asked], &CausesOptions::default())?;
//! let causes = report.formulas[0].failures[0].causes.iter();
//! let causes: Vec<String> = causes.map(|cause| format!("{} at cycle {}", cause.atom, cause.time)).collect();
//! println!("{}", causes.join(", "));
//! assert_eq!(causes, ["req at cycle 1", "ack at cycle 2"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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

pub use nearmiss_logic::stop::Stop;
