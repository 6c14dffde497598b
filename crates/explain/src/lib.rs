//! Why a program fails: the failing run beside the nearest passing one, and what that tells.
//!
//! Start with [`Program`]: it reads C and answers questions.
//!
//! ```no_run
//! use nearmiss_explain::{Explaining, Program, Reading};
//!
//! let program = Program::from_c(["a.c"], &Reading::default())?;
//! let why = program.explain(&Explaining::default())?;
//! for suspect in why.suspects().take(3) {
//!     println!("{}: {}", suspect.position, suspect.text);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Program::check`] stops at the failing run, [`Program::focus`] lists every way to fail. An answer is plain data
//! ([`explanation`]); `nearmiss-report` turns it into text, JSON or a page. Callers need no large stack and no set-up (each
//! question reserves 1 GiB of addresses for its own, or what the system gives); answers to the same question are the same, and questions can be asked from several threads at once.
//!
//! Behind it is a pipeline of plain values. [`symex`] runs a program on all inputs at once, into an [`equation`]; [`check`]
//! asks the solver whether it fails, [`explain`] puts the failing run beside the nearest passing one, [`focus`] lists every
//! way to fail. The techniques are in [`method`], a file each; what they find is judged again by [`recheck`]. Failing runs
//! that somebody else found are read by [`imported`] and rebuilt by [`given`].

mod answer;
pub mod beside;
pub mod bounds;
mod chance;
pub mod check;
pub mod compared;
pub mod crash;
pub mod driven;
pub mod dump;
pub mod equation;
pub mod execution;
pub mod explain;
pub mod explanation;
pub mod fix;
pub mod flow;
pub mod focus;
pub mod focus_sequence;
pub mod given;
pub mod imported;
pub mod ltl_terms;
pub mod method;
pub mod printed;
mod reading;
pub mod recheck;
pub mod stack;
pub mod symex;
mod texts;
mod trials;
pub mod versions;

pub use answer::{Asked, Named, SuspectLine, Ways, Why};
pub use check::{CheckError, CheckOptions as Checking};
pub use explain::ExplainOptions as Explaining;
pub use explanation::Verdict;
pub use fix::FixOptions as Fixing;
pub use focus::FocusOptions as Focusing;
pub use nearmiss_logic::stop::Stop;
pub use nearmiss_program::c::assume::Assumed;
pub use nearmiss_program::c::formula::Action;
pub use nearmiss_program::c::predicate::TypedCondition;
pub use nearmiss_program::c::{Loader, Options};
pub use nearmiss_program::source::Position;
pub use reading::{Program, Reading, Unreadable, located};
pub use stack::on_a_large_stack;
