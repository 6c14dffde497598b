//! FST and GHW, through the `wellen` crate: the only file that knows it.
//!
//! Both formats are compressed and indexed, so the crate reads the names first and then the signals that are wanted. Where
//! it meets a file that it did not expect, it panics; such panics become errors here.

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use wellen::viewers::{read_body, read_header};
use wellen::{
    BitVecRef, Hierarchy, LoadOptions, SignalEncoding, SignalRef, SignalSource, SignalValueRef, Time, TimescaleUnit,
    VarType, WellenError,
};

use super::AnyInput;
use super::cycles::{Recording, Track};
use super::error::ReadError;
use crate::wave::{BitVector, Enumerator, Kind, Radix, SignalInfo, Value};

/// An opened file.
pub(super) struct Waveform {
    hierarchy: Hierarchy,
    source: SignalSource,
    times: Vec<Time>,
    unit: Option<String>,
    /// Per variable, the signal behind it.
    signals: Vec<SignalRef>,
    /// Per variable, whether it is something that happens.
    events: Vec<bool>,
}

/// Reads names and times.
pub(super) fn open(mut input: AnyInput) -> Result<(Waveform, Vec<SignalInfo>), ReadError> {
    plausible(&mut input)?;
    let options = LoadOptions { multi_thread: true, remove_scopes_with_empty_name: true };
    guarded(|| {
        let header = read_header(input, &options).map_err(refused)?;
        let body = read_body(header.body, &header.hierarchy, None).map_err(refused)?;
        let hierarchy = header.hierarchy;
        let (infos, signals, events) = variables(&hierarchy);
        let unit = hierarchy.timescale().and_then(|scale| Some(format!("{}{}", scale.factor, unit(scale.unit)?)));
        if body.time_table.len() >= u32::MAX as usize {
            return Err(ReadError::new("there are more than 4 billion times"));
        }
        Ok((Waveform { hierarchy, source: body.source, times: body.time_table, unit, signals, events }, infos))
    })
}

/// Are the sizes that a file announces possible for its length? The crate sets memory aside by them, and a damaged one would
/// end the program.
fn plausible(input: &mut AnyInput) -> Result<(), ReadError> {
    let length = input.seek(SeekFrom::End(0)).map_err(|error| ReadError::unreadable(&error))?;
    let mut blocks = Blocks { input, length };
    let sound = match blocks.first_byte() {
        Some(b'G') => tables_are_sound(blocks.input, length),
        _ => blocks.sound().is_some(),
    };
    input.seek(SeekFrom::Start(0)).map_err(|error| ReadError::unreadable(&error))?;
    if sound { Ok(()) } else { Err(ReadError::new("the file is damaged or not complete").with_help(HELP)) }
}

/// So much of a GHW is looked through for its tables, which come first.
const TABLES: u64 = 16 << 20;

/// Texts, types and signals of a GHW: each takes a byte at least.
fn tables_are_sound(input: &mut AnyInput, length: u64) -> bool {
    let mut start = Vec::new();
    if input.seek(SeekFrom::Start(0)).is_err() || input.take(TABLES).read_to_end(&mut start).is_err() {
        return false;
    }
    let number = |at: usize| {
        let bytes: [u8; 4] = start.get(at..at + 4)?.try_into().ok()?;
        Some(if start[12] == 1 { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    };
    [(b"STR\0\0\0\0\0", 8), (b"TYP\0\0\0\0\0", 8), (b"HIE\0\0\0\0\0", 16)].iter().all(|(tag, offset)| {
        let at = start.windows(tag.len()).position(|window| window == *tag);
        at.is_none_or(|at| number(at + offset).is_some_and(|count| u64::from(count) <= length))
    })
}

/// What deflate can do at best.
const BEST_COMPRESSION: u64 = 1032;

/// The blocks of an FST: a byte for the type, eight for the length that follows, then the contents.
struct Blocks<'a> {
    input: &'a mut AnyInput,
    length: u64,
}

impl Blocks<'_> {
    fn bytes<const N: usize>(&mut self, at: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.input.seek(SeekFrom::Start(at)).ok()?;
        self.input.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    fn first_byte(&mut self) -> Option<u8> {
        self.bytes(0).map(|[first]: [u8; 1]| first)
    }

    fn number(&mut self, at: u64) -> Option<u64> {
        self.bytes(at).map(u64::from_be_bytes)
    }

    /// A number in groups of seven bits, and where it ends.
    fn short_number(&mut self, at: u64) -> Option<(u64, u64)> {
        let mut number = 0;
        for i in 0..10 {
            let [byte]: [u8; 1] = self.bytes(at + i)?;
            number |= u64::from(byte & 127).checked_shl(7 * i as u32)?;
            if byte < 128 {
                return Some((number, at + i + 1));
            }
        }
        None
    }

    /// A count or size of which each takes at least a bit of the compressed file.
    fn size(&self, size: u64) -> Option<u64> {
        (size <= self.length.saturating_mul(BEST_COMPRESSION)).then_some(size)
    }

    /// Looks at every block.
    fn sound(&mut self) -> Option<()> {
        let mut at = 0;
        while at < self.length {
            let [kind]: [u8; 1] = self.bytes(at)?;
            let section = self.number(at + 1)?;
            let end = at.checked_add(1)?.checked_add(section)?;
            let header = match kind {
                // A writer that did not come to its end left this.
                255 if section == 0 => return Some(()),
                255 => 8,
                0 => 329,
                1 | 5 | 8 => 8 + 24 + 24,
                3 => 24,
                4 | 6 | 7 | 254 => 16,
                _ => 9,
            };
            if section < header || end > self.length {
                return None;
            }
            match kind {
                0 => drop(self.number(at + 57).and_then(|signals| self.size(signals))?),
                1 | 5 | 8 => self.changes(at + 1, end)?,
                2 => drop(self.short_number(at + 9).filter(|(count, _)| *count <= section)?),
                3 => {
                    let (bytes, signals) = (self.number(at + 9)?, self.number(at + 17)?);
                    self.size(bytes).and(self.size(signals))?;
                }
                4 | 6 | 7 | 254 => drop(self.number(at + 9).and_then(|bytes| self.size(bytes))?),
                _ => {}
            }
            at = end;
        }
        Some(())
    }

    /// A block of changes: first values, changes, where they are, times.
    fn changes(&mut self, start: u64, end: u64) -> Option<()> {
        let (frame, next) = self.short_number(start + 32)?;
        let (compressed, next) = self.short_number(next)?;
        let (signals, next) = self.short_number(next)?;
        self.size(frame).and(self.size(signals))?;
        let (signals, _) = self.short_number(next.checked_add(compressed).filter(|next| *next < end)?)?;
        self.size(signals)?;
        let [times, compressed, count] = [24, 16, 8].map(|before| self.number(end - before));
        self.size(times?).and(self.size(count?))?;
        let chain = end.checked_sub(24 + 8)?.checked_sub(compressed?).filter(|chain| *chain > start)?;
        self.number(chain).filter(|bytes| *bytes <= chain - start).map(drop)
    }
}

const HELP: &str = "is the file complete? Simulators write the end of it when they stop";

fn refused(error: WellenError) -> ReadError {
    let message = match error {
        WellenError::FailedToLoad(_, message) => message,
        other => other.to_string(),
    };
    let message = message.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    ReadError::new(format!("the file cannot be read: {message}")).with_help(HELP)
}

/// A panic of the crate becomes an error.
fn guarded<T>(work: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        let text = text.and_then(|text| text.lines().next()).unwrap_or("it is not what its header says");
        Err(ReadError::new(format!("the file cannot be read: {text}")).with_help(HELP))
    })
}

fn unit(unit: TimescaleUnit) -> Option<&'static str> {
    Some(match unit {
        TimescaleUnit::ZeptoSeconds => "zs",
        TimescaleUnit::AttoSeconds => "as",
        TimescaleUnit::FemtoSeconds => "fs",
        TimescaleUnit::PicoSeconds => "ps",
        TimescaleUnit::NanoSeconds => "ns",
        TimescaleUnit::MicroSeconds => "us",
        TimescaleUnit::MilliSeconds => "ms",
        TimescaleUnit::Seconds => "s",
        TimescaleUnit::Unknown => return None,
    })
}

/// All variables; single bits of the same name are told apart by their numbers.
fn variables(hierarchy: &Hierarchy) -> (Vec<SignalInfo>, Vec<SignalRef>, Vec<bool>) {
    let all: Vec<_> = hierarchy.all_vars().map(|var| &hierarchy[var]).collect();
    // Elements of arrays come as scopes and names that are an index; the backslash of an escaped name is not part of it.
    let plain = |name: String| name.strip_prefix('\\').unwrap_or(&name).replace(".[", "[").replace(".\\", ".");
    let names: Vec<String> = all.iter().map(|var| plain(var.full_name(hierarchy))).collect();
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for name in &names {
        *uses.entry(name).or_default() += 1;
    }
    let infos = all.iter().zip(&names).map(|(var, name)| {
        let encoding = var.signal_encoding(hierarchy);
        let (first, last) = match (var.index(), encoding) {
            (Some(index), _) => (index.msb(), index.lsb()),
            (None, SignalEncoding::BitVector(width)) => (i64::from(width.max(1)) - 1, 0),
            (None, _) => (0, 0),
        };
        let signed = matches!(
            var.var_type(),
            VarType::Integer | VarType::Int | VarType::ShortInt | VarType::LongInt | VarType::Byte
        ) || var.vhdl_type_name(hierarchy).is_some_and(|name| {
            ["signed", "unresolved_signed", "u_signed"].iter().any(|signed| name.eq_ignore_ascii_case(signed))
        });
        let kind = match encoding {
            SignalEncoding::String => Kind::Text,
            SignalEncoding::Real => Kind::Real,
            SignalEncoding::BitVector(width) => {
                Kind::Bits { width: width.max(1), signed, low: first.min(last), descending: first >= last }
            }
        };
        let split = uses[name.as_str()] > 1 && first == last && var.index().is_some();
        let name = if split { format!("{name}[{first}]") } else { name.clone() };
        let table = var.enum_type(hierarchy).map(|(_, table)| table).unwrap_or_default();
        let enumerator =
            |(bits, name): (&str, &str)| Enumerator { name: name.to_owned(), bits: BitVector::parse(bits) };
        let wire = u32::try_from(var.signal_ref().index()).ok();
        SignalInfo { name, kind, enumerators: table.into_iter().map(enumerator).collect(), wire, radix: Radix::Decimal }
    });
    let infos = infos.collect();
    let signals = all.iter().map(|var| var.signal_ref()).collect();
    let events = all.iter().map(|var| var.signal_encoding(hierarchy) == SignalEncoding::BitVector(0)).collect();
    (infos, signals, events)
}

impl Waveform {
    /// Reads the changes of some variables.
    pub(super) fn record(&mut self, variables: &[usize], infos: &[SignalInfo]) -> Result<Recording, ReadError> {
        if self.times.is_empty() {
            // Nothing can be loaded then; the crate would panic.
            return Ok(Recording::default());
        }
        let mut refs: Vec<SignalRef> = variables.iter().map(|variable| self.signals[*variable]).collect();
        refs.sort();
        refs.dedup();
        let mut tracks = Vec::new();
        let mut track_of_signal = HashMap::new();
        guarded(|| {
            for signal in self.source.load_signals(&refs, &self.hierarchy, true) {
                track_of_signal.insert(signal.signal_ref(), tracks.len());
                let Some(variable) = variables.iter().find(|v| self.signals[**v] == signal.signal_ref()) else {
                    continue;
                };
                let mut track = Track::new(infos[*variable].kind);
                if self.events[*variable] {
                    track = Track::Event { at: Vec::new() };
                }
                for (step, value) in signal.iter_changes() {
                    track.push(step, value);
                }
                tracks.push(track);
            }
            Ok(())
        })?;
        let track_of = variables.iter().map(|variable| track_of_signal.get(&self.signals[*variable]).copied());
        let track_of: Option<Vec<usize>> = track_of.collect();
        let track_of =
            track_of.ok_or_else(|| ReadError::new("the file lacks the values of a signal").with_help(HELP))?;
        let times = self.times.clone();
        Ok(Recording { steps: times.len(), times, unit: self.unit.clone(), loop_start: None, tracks, track_of })
    }
}

/// Codes of the nine values `0 1 x z h u w l -`: the value, plus 2 if it is unknown.
const CODES: [u8; 9] = [0, 1, 3, 2, 1, 3, 3, 0, 3];

fn code(bits: &BitVecRef<'_>, bit: u32) -> u8 {
    CODES.get(usize::from(u8::from(bits.get_bit(bit)))).copied().unwrap_or(3)
}

impl Track {
    fn push(&mut self, step: u32, new: SignalValueRef<'_>) {
        match (self, new) {
            (Track::Event { at }, _) => at.push(step),
            (Track::Bit { at, code: codes }, SignalValueRef::BitVec(bits)) if bits.width() > 0 => {
                at.push(step);
                codes.push(code(&bits, 0));
            }
            (Track::Vector { width, at, words }, SignalValueRef::BitVec(bits)) => {
                at.push(step);
                let (half, start) = ((*width as usize).div_ceil(64), words.len());
                words.resize(start + 2 * half, 0);
                let added = &mut words[start..];
                if let Some(bytes) = bits.be_bytes() {
                    for (i, byte) in bytes.iter().rev().enumerate().take(8 * half) {
                        added[i / 8] |= u64::from(*byte) << (8 * (i % 8));
                    }
                    if *width % 64 != 0 {
                        added[half - 1] &= (1 << (*width % 64)) - 1;
                    }
                    return;
                }
                for bit in 0..bits.width().min(*width) {
                    let (word, shift, code) = ((bit / 64) as usize, bit % 64, code(&bits, bit));
                    added[word] |= u64::from(code & 1) << shift;
                    added[half + word] |= u64::from(code >> 1) << shift;
                }
            }
            (Track::Other { at, value, .. }, SignalValueRef::Real(number)) => {
                at.push(step);
                value.push(Value::Real(number));
            }
            (Track::Other { at, value, .. }, SignalValueRef::String(text)) => {
                at.push(step);
                value.push(Value::Text(Arc::from(text)));
            }
            _ => {}
        }
    }
}
