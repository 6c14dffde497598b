//! Tests of programs from outside: what is read, what it is lowered to, and what the interpreter does, against `cc`.

mod common;
mod dependence;
mod front;
mod lower;
mod run_c;
mod seen;
mod streams;
