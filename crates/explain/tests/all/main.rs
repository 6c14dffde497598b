//! Tests of explanations from outside: every method against brute force over small programs, every reader against garbage.

mod align;
mod brute_force;
mod causes;
mod checkers;
#[path = "../../../program/tests/all/common/mod.rs"]
mod common;
mod conditions;
mod crash;
mod csmith;
mod depth;
mod enumeration;
mod fix;
mod focus;
mod forever;
mod garbage;
mod hard;
mod imported;
mod language;
mod layers;
mod library;
mod long_double;
mod nearest;
mod preconditions;
mod predicates;
mod preferences;
mod property;
mod reach;
mod returns;
mod small_int;
mod temporal;
mod threads;
mod unknown_pointers;
mod versions;
mod vocabulary;
mod volatile;
mod watched;
