//! Readers of traces: bytes in, the signals of a piece of hardware or of a model out, errors with places.
//!
//! Start at [`trace`]: it recognises the format and loads the signals that somebody wants. Each format has a file of its own:
//! `vcd` and `waveform` (FST, GHW) read only the signals that are asked for; `nusmv`, `nusmv_xml`, `itf` and `csv` fill a
//! `table`. `cycles` makes rows of what any of them gives. [`scan`] and [`xml`] read texts as streams, within limits; readers of
//! other files stand on them, too. Every reader fails with the one [`ReadError`](error::ReadError).

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
