//! Tests of the logic from outside: terms against their meaning, the solvers against each other, minima against brute force.

mod common;
mod float;
mod operators;
mod optimise;
mod plain;
mod solving;
mod text;
