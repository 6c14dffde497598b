//! Terms, satisfiability and optimisation: what nearmiss knows about logic.
//!
//! Nothing here knows of programs, traces or files. A [`term::Terms`] arena holds hash-consed bit-vector and array
//! terms, floats among them ([`float`], and [`known`] for what only the machine's library computes, [`machine`]); [`eval`] gives them a meaning, [`text`] prints and reads them, [`bitblast`] turns them
//! into clauses for the solver behind [`sat`], and [`optimise`] asks that solver for the cheapest model. [`stop`] says when
//! long work has to end, and [`width`] is the arithmetic of numbers of so many bits.
//!
//! ```
//! use nearmiss_logic::bitblast::Blaster;
//! use nearmiss_logic::optimise::{Limits, Objective, minimise};
//! use nearmiss_logic::sat::Outcome;
//! use nearmiss_logic::term::Terms;
//!
//! // Which numbers of eight bits have the square 17?
//! let mut terms = Terms::new();
//! let x = terms.fresh("x", 8);
//! let square = terms.mul(x, x);
//! let wanted = terms.constant(8, 17);
//! let equation = terms.eq(square, wanted);
//!
//! let mut blaster = Blaster::new();
//! blaster.assert(&terms, equation);
//! assert_eq!(blaster.solver.solve(&[]), Outcome::Sat);
//!
//! // And which is the smallest of them?
//! let objective = Objective::Sum(vec![blaster.bits(&terms, x)]);
//! let optimum = minimise(&mut blaster.solver, &[], &objective, None, &Limits::default(), &mut |_, _| {});
//! assert!(optimum.proved && optimum.upper == 23);
//! ```

pub mod bitblast;
pub mod eval;
pub mod float;
mod float_text;
pub mod hash;
pub mod known;
pub mod machine;
pub mod optimise;
pub mod range;
pub mod sat;
pub mod stop;
pub mod term;
pub mod text;
pub mod width;
