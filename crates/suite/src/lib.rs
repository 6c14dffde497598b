//! Many tasks at once: what a manifest says, which tasks come of it, what is kept of each, and which failures are one bug.
//!
//! From bytes to plain values, and nothing else: [`manifest`] and [`definition`] are read (YAML, by [`yaml`]), [`plan`] makes
//! tasks of them, [`result`] is what is kept of one, [`row`] what a report says of it, [`bugs`] groups them. The disk is
//! seen through [`Folder`](folder::Folder), which the caller gives; processes, clocks and files are the command line's.

pub mod bugs;
pub mod complaint;
pub mod definition;
pub mod folder;
pub mod includes;
pub mod key;
pub mod manifest;
pub mod pattern;
pub mod plan;
pub mod result;
pub mod row;
pub mod task;
mod words;
pub mod yaml;

#[cfg(test)]
mod garbage;
