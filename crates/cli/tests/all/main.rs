//! Tests of the command line as its users meet it: bad input, pages in a browser, emitted files, and the house rules.

mod browser;
mod emitted;
mod pages;
mod robustness;
mod sarif;
mod tidy;
