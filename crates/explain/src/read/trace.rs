//! Traces: opened by content, whatever the file is called, and loaded signal by signal.
//!
//! [`open`] looks at the first bytes and reads names and kinds; [`Trace::load`] reads the values of the signals that
//! somebody wants, cut into cycles as [`Sampling`] says. A waveform (VCD, FST, GHW) may be much larger than memory should
//! be, hence only what is wanted is kept; the other formats are text of a size that a model checker prints, and are read
//! at once. Files are the caller's business: this takes anything that can be read and rewound.

use std::fmt;
use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::cycles::{self, Recording};
use super::table::Table;
use super::{csv, itf, nusmv, nusmv_xml, vcd, waveform};
use crate::wave::{SignalInfo, Wave};

/// What a trace can be read from.
pub trait Input: BufRead + Seek + Send + Sync {}

impl<R: BufRead + Seek + Send + Sync> Input for R {}

/// An opened input of whatever type.
pub(super) type AnyInput = Box<dyn Input>;

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

/// Which moments of a trace are its cycles, and what follows the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sampling {
    /// A cycle per edge of this signal, with the values just before it. Otherwise every time stamp (row) is a cycle.
    pub clock: Option<(usize, Edge)>,
    /// While this signal has this level, or is unknown, leading cycles are left out.
    pub reset: Option<(usize, Level)>,
    /// The last cycle is followed by this one, counted after sampling. It takes precedence over what the file says.
    pub loop_start: Option<usize>,
}

/// The edge of a clock that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// To 1, from 0 or from an unknown value.
    Rising,
    /// To 0, from 1 or from an unknown value.
    Falling,
}

/// The level at which a reset is active.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Active at 1.
    High,
    /// Active at 0.
    Low,
}

/// A line and a column of a text, both from 1; columns count bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The column.
    pub column: u64,
}

/// Why a trace cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceError {
    /// Where in a text.
    pub at: Option<Place>,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Finds out the format and reads names and kinds of all signals.
pub fn open<R: Input + 'static>(input: R) -> Result<Trace, TraceError> {
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
    pub fn load(&mut self, wanted: &[usize], sampling: &Sampling) -> Result<Wave, TraceError> {
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
fn recognise(input: &mut AnyInput) -> Result<Format, TraceError> {
    let mut start = Vec::new();
    input.take(GLANCE).read_to_end(&mut start).map_err(|error| TraceError::unreadable(&error))?;
    input.seek(SeekFrom::Start(0)).map_err(|error| TraceError::unreadable(&error))?;
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
        None => Err(TraceError::new("the file is empty").with_help("was the simulation or the model checker stopped?")),
        Some(b'$') => Ok(Format::Vcd),
        Some(b'{') => Ok(Format::Itf),
        Some(b'<') => Ok(Format::NusmvXml),
        Some(_) if text.contains(&0) => Err(unknown()),
        Some(_) if nusmv::resembles(text) => Ok(Format::NusmvText),
        Some(_) if has(b"\n") || has(b",") => Ok(Format::Csv),
        Some(_) => Err(unknown()),
    }
}

fn unknown() -> TraceError {
    TraceError::new("this is no trace of a format that is known").with_help(
        "traces are VCD, FST, GHW, counterexamples of NuSMV or nuXmv (text or XML), ITF, or CSV with a header",
    )
}

/// The whole of a text.
fn text(mut input: AnyInput) -> Result<String, TraceError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(|error| TraceError::unreadable(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        TraceError::new("this is not UTF-8").at(Place::of(error.as_bytes(), valid)).with_help("save the file as UTF-8")
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// A message that quotes a file may be as long as the file; nobody reads more of it than this.
pub(crate) fn shortened(message: String) -> String {
    const LONGEST: usize = 400;
    match message.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}

impl Place {
    /// Where a byte of a text is.
    pub(super) fn of(text: &[u8], offset: usize) -> Place {
        let before = &text[..offset.min(text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() as u64 + 1;
        Place { line, column }
    }
}

impl TraceError {
    /// About the whole.
    pub(super) fn new(message: impl Into<String>) -> TraceError {
        TraceError { at: None, message: shortened(message.into()), help: None }
    }

    pub(super) fn unreadable(error: &io::Error) -> TraceError {
        TraceError::new(format!("the file cannot be read: {error}"))
    }

    /// The same at a place.
    pub(super) fn at(self, place: Place) -> TraceError {
        TraceError { at: Some(place), ..self }
    }

    /// The same with advice.
    pub(super) fn with_help(self, help: impl Into<String>) -> TraceError {
        TraceError { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for TraceError {}

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
