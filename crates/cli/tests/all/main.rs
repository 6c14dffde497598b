//! Tests of the command line as its users meet it: bad input, pages in a browser, emitted files, and the house rules.

mod browser;
mod driver;
mod emitted;
mod fixes;
mod limits;
mod listings;
mod models;
mod pages;
mod robustness;
mod runs;
mod sandbox;
mod sarif;
#[path = "../../../program/tests/all/common/skip.rs"]
mod skip;
mod suite;
mod threads;
mod tidy;
mod waves;
