//! Readers of files that are not programs: bytes in, plain values out, errors with places.
//!
//! [`inputs`] reads the run of a program as we write it, [`testimony`] as other checkers do; [`trace`] reads the signals of
//! a piece of hardware or of a model. Of the latter, the
//! readers of each format stand in a file of their own: [`vcd`] and [`waveform`] read only the signals that are asked
//! for, the others fill a [`table`], and [`cycles`] makes rows of what they give. [`json`], [`xml`] and [`yaml`] are read
//! as streams over [`scan`], or within limits.

mod csv;
mod cycles;
pub mod error;
mod itf;
mod nusmv;
mod nusmv_xml;
pub mod scan;
mod table;
pub mod trace;
mod vcd;
mod waveform;
pub mod xml;

use std::io::{BufRead, Seek};

/// What can be read: files are the caller's business.
pub trait Input: BufRead + Seek + Send + Sync {}

impl<R: BufRead + Seek + Send + Sync> Input for R {}

/// An opened input of whatever type.
type AnyInput = Box<dyn Input>;
