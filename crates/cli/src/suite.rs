//! A suite as it is done: the disk as plans see it, one process for each task, workers that take one after the other, and
//! results that are kept by their contents. What is planned, kept and told are values of other crates.

pub mod changed;
pub mod contents;
pub mod disk;
pub mod perform;
pub mod process;
pub mod reports;
pub mod store;
pub mod workers;
