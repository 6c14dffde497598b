//! Runs a program on given inputs.
