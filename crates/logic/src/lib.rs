//! Terms, satisfiability and optimisation: what nearmiss knows about logic.
//!
//! Nothing here knows of programs, traces or files. A [`term::Terms`] arena holds hash-consed bit-vector and array
//! terms; [`eval`] gives them a meaning, [`bitblast`] turns them into clauses for the solver behind [`sat`], and
//! [`optimise`] asks that solver for the cheapest model.

pub mod bitblast;
pub mod eval;
pub mod float;
pub mod optimise;
pub mod sat;
pub mod stop;
pub mod term;
pub mod text;
pub mod width;
