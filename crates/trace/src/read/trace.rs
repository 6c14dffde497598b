//! Where to start: a trace is opened by its content, whatever the file is called, and loaded signal by signal.
//!
//! [`open`] looks at the first bytes, picks the reader of the format, and has names and kinds read; [`Trace::load`] has the values
//! read of the signals that somebody wants, and cut into cycles (`cycles.rs`). A waveform (VCD, FST, GHW) may be much larger than
//! memory should be, hence only what is wanted is kept; the other formats are text of a size that a model checker prints, and
//! are read at once.

use std::fmt;
use std::io::{Read, SeekFrom};

use super::cycles::{self, Recording};
pub use super::cycles::{Edge, Level, Sampling};
use super::error::{Place, ReadError};
use super::table::Table;
use super::{AnyInput, Input};
use super::{csv, itf, nusmv, nusmv_xml, vcd, waveform};
use crate::wave::{SignalInfo, Wave};

/// How a trace is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Value change dump (IEEE 1364).
    Vcd,
    /// GTKWave's compressed format.
    Fst,
    /// GHDL's format.
    Ghw,
    /// What NuSMV and nuXmv print.
    NusmvText,
    /// What they write as XML.
    NusmvXml,
    /// The JSON of Apalache and Quint.
    Itf,
    /// A header of names and a row per cycle.
    Csv,
}

impl Format {
    /// Does it record changes over time, so that a clock says what a cycle is? The rows of the others are cycles.
    pub fn is_waveform(self) -> bool {
        matches!(self, Format::Vcd | Format::Fst | Format::Ghw)
    }
}

/// A trace whose names are known; values are loaded when they are asked for.
pub struct Trace {
    format: Format,
    signals: Vec<SignalInfo>,
    source: Source,
}

enum Source {
    Vcd(vcd::Vcd),
    Waveform(Box<waveform::Waveform>),
    Table(Table),
}

/// Finds out the format and reads names and kinds of all signals.
pub fn open<R: Input + 'static>(input: R) -> Result<Trace, ReadError> {
    let mut input: AnyInput = Box::new(input);
    match recognise(&mut input)? {
        Format::Vcd => {
            let (vcd, signals) = vcd::open(input)?;
            Ok(Trace { format: Format::Vcd, signals, source: Source::Vcd(vcd) })
        }
        format @ (Format::Fst | Format::Ghw) => {
            let (waveform, signals) = waveform::open(input)?;
            Ok(Trace { format, signals, source: Source::Waveform(Box::new(waveform)) })
        }
        format => {
            let text = text(input)?;
            let (table, signals) = match format {
                Format::NusmvText => nusmv::read(&text)?,
                Format::NusmvXml => nusmv_xml::read(&text)?,
                Format::Itf => itf::read(&text)?,
                _ => csv::read(&text)?,
            }
            .finish();
            Ok(Trace { format, signals, source: Source::Table(table) })
        }
    }
}

impl Trace {
    /// How it is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// All signals, in the order of the file. Names that stand for the same signal are all here.
    pub fn signals(&self) -> &[SignalInfo] {
        &self.signals
    }

    /// How many more traces the file holds; the first is the one that was read.
    pub fn others(&self) -> usize {
        match &self.source {
            Source::Table(table) => table.others,
            Source::Vcd(_) | Source::Waveform(_) => 0,
        }
    }

    /// What a reader should know of how the trace was read, a sentence each.
    pub fn notes(&self) -> &[String] {
        match &self.source {
            Source::Table(table) => &table.notes,
            Source::Vcd(_) | Source::Waveform(_) => &[],
        }
    }

    /// The values of some signals (and of no others), in the order in which they are asked for. `wanted` and what
    /// `sampling` names are positions in [`Trace::signals`]; others make it panic.
    pub fn load(&mut self, wanted: &[usize], sampling: &Sampling) -> Result<Wave, ReadError> {
        let mut needed = wanted.to_vec();
        needed.extend(sampling.clock.map(|(signal, _)| signal));
        needed.extend(sampling.reset.map(|(signal, _)| signal));
        let recording: Recording = match &mut self.source {
            Source::Vcd(vcd) => vcd.record(&needed)?,
            Source::Waveform(waveform) => waveform.record(&needed, &self.signals)?,
            Source::Table(table) => table.record(&needed, &self.signals)?,
        };
        cycles::wave(recording, &self.signals, wanted, sampling)
    }
}

/// So many bytes are looked at to tell formats apart.
const GLANCE: u64 = 1 << 16;

/// The format that the content has.
fn recognise(input: &mut AnyInput) -> Result<Format, ReadError> {
    let mut start = Vec::new();
    input.take(GLANCE).read_to_end(&mut start).map_err(|error| ReadError::unreadable(&error))?;
    input.seek(SeekFrom::Start(0)).map_err(|error| ReadError::unreadable(&error))?;
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start).trim_ascii_start();
    let has = |what: &[u8]| text.windows(what.len()).any(|window| window == what);
    // A header block of 329 bytes, or a compressed file of such blocks.
    if start.starts_with(&[0, 0, 0, 0, 0, 0, 0, 1, 73]) || start.first() == Some(&254) {
        return Ok(Format::Fst);
    }
    if start.starts_with(b"GHDLwave") {
        return Ok(Format::Ghw);
    }
    match text.first() {
        None => Err(ReadError::new("the file is empty").with_help("was the simulation or the model checker stopped?")),
        Some(b'$') => Ok(Format::Vcd),
        Some(b'{') => Ok(Format::Itf),
        Some(b'<') => Ok(Format::NusmvXml),
        Some(_) if text.contains(&0) => Err(unknown()),
        Some(_) if nusmv::resembles(text) => Ok(Format::NusmvText),
        Some(_) if has(b"\n") || has(b",") => Ok(Format::Csv),
        Some(_) => Err(unknown()),
    }
}

fn unknown() -> ReadError {
    ReadError::new("this is no trace of a format that is known").with_help(
        "traces are VCD, FST, GHW, counterexamples of NuSMV or nuXmv (text or XML), ITF, or CSV with a header",
    )
}

/// The whole of a text.
fn text(mut input: AnyInput) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(|error| ReadError::unreadable(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        ReadError::new("this is not UTF-8").at(Place::of(error.as_bytes(), valid)).with_help("save the file as UTF-8")
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Vcd => "VCD",
            Format::Fst => "FST",
            Format::Ghw => "GHW",
            Format::NusmvText => "NuSMV text",
            Format::NusmvXml => "NuSMV XML",
            Format::Itf => "ITF",
            Format::Csv => "CSV",
        })
    }
}
