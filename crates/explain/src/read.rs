//! Readers of files that are not programs: bytes in, plain values out, errors with places.
//!
//! [`inputs`] reads the run of a program, [`trace`] the signals of a piece of hardware or of a model. Of the latter, the
//! readers of each format stand in a file of their own: [`vcd`] and [`waveform`] read only the signals that are asked
//! for, the others fill a [`table`], and [`cycles`] makes rows of what they give.

mod csv;
mod cycles;
pub mod inputs;
mod itf;
mod nusmv;
mod nusmv_xml;
mod table;
pub mod trace;
mod vcd;
mod waveform;
