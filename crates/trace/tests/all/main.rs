//! Tests of traces from outside: every format against the others, causes against enumeration of flips.

mod aliases;
mod causes;
mod sva_annex;
mod traces;
