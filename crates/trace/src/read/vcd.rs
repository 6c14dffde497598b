//! Value change dumps (IEEE 1364, clause 18): the header at once, the changes of wanted signals as they stream by.
//!
//! Files of this format are large and mostly about signals that nobody asks for. So the body is never kept: it goes
//! through one buffer, and a change costs a look at a table of identifiers unless its signal is wanted. That is several
//! times as fast as a reader that stores everything, needs memory only for what is wanted, and knows the place of an
//! error. Read leniently where tools differ: single bits written as vectors, identifiers that were never declared, times
//! with a fraction of zero, enumerations as GTKWave's attributes.

use std::collections::HashMap;
use std::io::{self, BufRead, SeekFrom};
use std::sync::Arc;

use super::AnyInput;
use super::cycles::{Recording, Track};
use super::error::{Place, ReadError};
use crate::wave::{BitVector, Enumerator, Kind, Radix, SignalInfo, Value};

/// An opened dump.
pub(super) struct Vcd {
    input: AnyInput,
    /// Where the changes start.
    body: u64,
    unit: Option<String>,
    /// Per variable, the signal behind it.
    signal_of: Vec<u32>,
    signals: Vec<Declared>,
}

/// A signal: what variables are names of.
struct Declared {
    identifier: Box<[u8]>,
    kind: Kind,
    event: bool,
}

/// Words of the header that are longer end it: a file that goes on like this is none of these.
const LONGEST_WORD: usize = 1 << 20;

/// Reads the header.
pub(super) fn open(input: AnyInput) -> Result<(Vcd, Vec<SignalInfo>), ReadError> {
    let mut words = Words { input, offset: 0, start: 0, word: Vec::new() };
    let mut header = Header::default();
    match header.read(&mut words) {
        Ok(unit) => {
            let Header { variables, signals, signal_of, .. } = header;
            Ok((Vcd { input: words.input, body: words.offset, unit, signal_of, signals }, variables))
        }
        Err(HeaderFault::Input(error)) => Err(ReadError::unreadable(&error)),
        Err(HeaderFault::Text(message)) => Err(located(&mut words.input, words.start, message)
            .with_help("a VCD starts with declarations that `$enddefinitions $end` ends; is the file cut off?")),
    }
}

/// Why the header cannot be read: the input, or what it says.
enum HeaderFault {
    Input(io::Error),
    Text(String),
}

impl From<io::Error> for HeaderFault {
    fn from(error: io::Error) -> HeaderFault {
        HeaderFault::Input(error)
    }
}

/// An error at a byte; lines are counted only now.
fn located(input: &mut AnyInput, offset: u64, message: String) -> ReadError {
    let error = ReadError::new(message);
    let Ok(_) = input.seek(SeekFrom::Start(0)) else { return error };
    let (mut line, mut column, mut left) = (1, 1, offset);
    while left > 0 {
        let Ok(buffer) = input.fill_buf() else { return error };
        let buffer = &buffer[..buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
        if buffer.is_empty() {
            break;
        }
        for byte in buffer {
            (line, column) = if *byte == b'\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        let length = buffer.len();
        left -= length as u64;
        input.consume(length);
    }
    error.at(Place { line, column })
}

/// Words between white space.
struct Words {
    input: AnyInput,
    offset: u64,
    /// Where the last word starts.
    start: u64,
    word: Vec<u8>,
}

impl Words {
    /// The next word; an empty one at the end.
    fn next(&mut self) -> Result<&[u8], HeaderFault> {
        self.word.clear();
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(&self.word);
            }
            let skipped = match self.word.is_empty() {
                true => buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count(),
                false => 0,
            };
            let part = buffer[skipped..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
            if self.word.is_empty() && part > 0 {
                self.start = self.offset + skipped as u64;
            }
            self.word.extend_from_slice(&buffer[skipped..skipped + part]);
            let done = skipped + part < buffer.len();
            self.input.consume(skipped + part);
            self.offset += (skipped + part) as u64;
            if done && !self.word.is_empty() {
                return Ok(&self.word);
            }
            if self.word.len() > LONGEST_WORD {
                return Err(HeaderFault::Text("a word of the header is longer than 1 MB".to_owned()));
            }
        }
    }

    /// The words up to `$end`.
    fn rest(&mut self) -> Result<Vec<String>, HeaderFault> {
        let mut words = Vec::new();
        loop {
            match self.next()? {
                b"" => return Err(HeaderFault::Text("the header ends in the middle of a declaration".to_owned())),
                b"$end" => return Ok(words),
                word => words.push(String::from_utf8_lossy(word).into_owned()),
            }
        }
    }
}

#[derive(Default)]
struct Header {
    scopes: Vec<String>,
    variables: Vec<SignalInfo>,
    signal_of: Vec<u32>,
    signals: Vec<Declared>,
    by_identifier: HashMap<Box<[u8]>, u32>,
    enumerations: HashMap<String, Vec<Enumerator>>,
    /// The enumeration of the next variable.
    pending: Option<String>,
}

impl Header {
    /// Reads all declarations; gives the unit of time.
    fn read(&mut self, words: &mut Words) -> Result<Option<String>, HeaderFault> {
        let mut unit = None;
        loop {
            match words.next()? {
                b"" => return Err(HeaderFault::Text("the header has no `$enddefinitions`".to_owned())),
                b"$enddefinitions" => {
                    words.rest()?;
                    return Ok(unit);
                }
                b"$timescale" => unit = Some(words.rest()?.concat()).filter(|unit| !unit.is_empty()),
                b"$scope" => {
                    let scope = words.rest()?;
                    self.scopes.push(scope.get(1..).unwrap_or_default().join(" "));
                }
                b"$upscope" => {
                    words.rest()?;
                    self.scopes.pop();
                }
                b"$var" => {
                    let declaration = words.rest()?;
                    self.variable(&declaration).map_err(HeaderFault::Text)?;
                }
                b"$attrbegin" => {
                    let attribute = words.rest()?;
                    self.attribute(&attribute);
                }
                word if word.starts_with(b"$") => drop(words.rest()?),
                word => {
                    return Err(HeaderFault::Text(format!("`{}` is no declaration", String::from_utf8_lossy(word))));
                }
            }
        }
    }

    /// `wire 8 ! data [7:0]`
    fn variable(&mut self, words: &[String]) -> Result<(), String> {
        let [kind, size, identifier, name @ ..] = words else {
            return Err("a variable has a type, a size, an identifier and a name".to_owned());
        };
        let width: u32 = size.parse().map_err(|_| format!("`{size}` is no number of bits"))?;
        if width > WIDEST {
            return Err(format!("{width} bits are more than can be read"));
        }
        // The backslash of an escaped name is not part of it.
        let name = name.concat();
        let (name, range) = split_range(name.strip_prefix('\\').unwrap_or(&name), width);
        let (high, low) = range.unwrap_or((i64::from(width) - 1, 0));
        let signed = matches!(kind.as_str(), "integer" | "int" | "shortint" | "longint" | "byte");
        let event = kind == "event";
        let bits = |width| Kind::Bits { width, signed, low: low.min(high), descending: high >= low };
        let declared = match kind.as_str() {
            "real" | "realtime" | "shortreal" | "real_parameter" => Kind::Real,
            "string" => Kind::Text,
            "event" => bits(1),
            _ => bits(width.max(1)),
        };
        let signal = match self.by_identifier.get(identifier.as_bytes()) {
            Some(signal) => *signal,
            None => {
                let identifier: Box<[u8]> = identifier.as_bytes().into();
                self.by_identifier.insert(identifier.clone(), self.signals.len() as u32);
                self.signals.push(Declared { identifier, kind: declared, event });
                self.signals.len() as u32 - 1
            }
        };
        // Another name of a signal may number its bits in another way, but not have more of them.
        let kind = match (self.signals[signal as usize].kind, declared) {
            (Kind::Bits { width: first, .. }, Kind::Bits { width: other, .. }) if first == other => declared,
            (first, _) => first,
        };
        let enumerators = self.pending.take().and_then(|handle| self.enumerations.get(&handle).cloned());
        let path = self.scopes.iter().chain([&name]).filter(|part| !part.is_empty()).map(String::as_str);
        let name = path.collect::<Vec<_>>().join(".");
        self.variables.push(SignalInfo {
            name,
            kind,
            enumerators: enumerators.unwrap_or_default(),
            wire: Some(signal),
            radix: Radix::Decimal,
        });
        self.signal_of.push(signal);
        Ok(())
    }

    /// `misc 07 state 2 idle busy 0 1 5` declares an enumeration, `misc 07 "" 5` says that the next variable has it.
    fn attribute(&mut self, words: &[String]) {
        let [misc, kind, name, rest @ ..] = words else { return };
        if misc != "misc" || kind != "07" {
            return;
        }
        match rest {
            [handle] if name == "\"\"" => self.pending = Some(handle.clone()),
            [count, entries @ .., handle] => {
                let Ok(count) = count.parse::<usize>() else { return };
                if Some(entries.len()) == count.checked_mul(2) {
                    let (names, values) = entries.split_at(count);
                    let pairs = names.iter().zip(values);
                    let enumerator = |(name, bits): (&String, &String)| Enumerator {
                        name: name.clone(),
                        bits: BitVector::parse(bits),
                    };
                    self.enumerations.insert(handle.clone(), pairs.map(enumerator).collect());
                }
            }
            _ => {}
        }
    }
}

/// The most bits that a variable can have.
const WIDEST: u32 = 1 << 20;

/// `data[7:0]` as its name and the numbers of the first and last bit, if they fit the size. `data[3]` keeps its name: it is
/// one of several variables.
pub(super) fn split_range(name: &str, width: u32) -> (String, Option<(i64, i64)>) {
    let range = || {
        let (start, inside) = name.strip_suffix(']')?.rsplit_once('[')?;
        let (high, low) = inside.split_once(':')?;
        let (high, low): (i64, i64) = (high.parse().ok()?, low.parse().ok()?);
        (high.checked_sub(low)?.checked_abs()?.checked_add(1)? == i64::from(width) && !start.is_empty())
            .then(|| (start.to_owned(), Some((high, low))))
    };
    range().unwrap_or_else(|| (name.to_owned(), None))
}

/// Wanted signals by identifier. Short identifiers, which nearly all are, lead straight into a table.
struct Wanted {
    /// Track plus 1, or 0, by the number that an identifier of at most four printable characters is.
    dense: Vec<u32>,
    others: HashMap<Box<[u8]>, u32>,
}

/// Numbers of identifiers beyond this are not in the table.
const DENSEST: usize = 1 << 22;

/// Identifiers as numbers to base 94 with digits from 1.
fn number(identifier: &[u8]) -> Option<usize> {
    let digit = |number: usize, byte: &u8| (33..127).contains(byte).then(|| number * 94 + usize::from(*byte - 32));
    (identifier.len() <= 4).then(|| identifier.iter().try_fold(0, digit)).flatten().filter(|number| *number < DENSEST)
}

impl Wanted {
    fn insert(&mut self, identifier: &[u8], track: usize) {
        match number(identifier) {
            Some(number) => {
                self.dense.resize(self.dense.len().max(number + 1), 0);
                self.dense[number] = track as u32 + 1;
            }
            None => drop(self.others.insert(identifier.into(), track as u32)),
        }
    }

    fn find(&self, identifier: &[u8]) -> Option<usize> {
        if let Some(number) = number(identifier) {
            return self.dense.get(number).and_then(|track| (*track as usize).checked_sub(1));
        }
        if self.others.is_empty() { None } else { self.others.get(identifier).map(|track| *track as usize) }
    }
}

/// What has been read of the body.
struct Body {
    wanted: Wanted,
    times: Vec<u64>,
    tracks: Vec<Track>,
    /// Inside `$comment`.
    comment: bool,
    /// Inside `$dumpvars` and its like, where all values are listed again and nothing happens.
    listing: bool,
}

/// A stop at a byte of the buffer.
struct Fault {
    at: usize,
    message: String,
}

/// The buffer; it grows if a single value is longer.
const BUFFER: usize = 1 << 18;
/// Values of more characters are not read.
const LONGEST_VALUE: usize = 1 << 26;

impl Vcd {
    /// Reads the changes of some variables, and all times.
    pub(super) fn record(&mut self, variables: &[usize]) -> Result<Recording, ReadError> {
        let mut track_of_signal: HashMap<u32, usize> = HashMap::new();
        let mut track_of = Vec::new();
        let wanted = Wanted { dense: Vec::new(), others: HashMap::new() };
        let mut body = Body { wanted, times: Vec::new(), tracks: Vec::new(), comment: false, listing: false };
        for variable in variables {
            let signal = self.signal_of[*variable];
            let track = *track_of_signal.entry(signal).or_insert_with(|| {
                let declared = &self.signals[signal as usize];
                body.wanted.insert(&declared.identifier, body.tracks.len());
                let track = Track::new(declared.kind);
                body.tracks.push(if declared.event { Track::Event { at: Vec::new() } } else { track });
                body.tracks.len() - 1
            });
            track_of.push(track);
        }
        self.stream(&mut body)?;
        let Body { times, tracks, .. } = body;
        Ok(Recording { steps: times.len(), times, unit: self.unit.clone(), loop_start: None, tracks, track_of })
    }

    fn stream(&mut self, body: &mut Body) -> Result<(), ReadError> {
        let unreadable = |error: io::Error| ReadError::unreadable(&error);
        self.input.seek(SeekFrom::Start(self.body)).map_err(unreadable)?;
        let (mut buffer, mut filled, mut offset) = (vec![0; BUFFER], 0, self.body);
        loop {
            let read = match self.input.read(&mut buffer[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other.map_err(unreadable)?,
            };
            filled += read;
            let used = match body.scan(&buffer[..filled], read == 0) {
                Ok(used) => used,
                Err(fault) => return Err(located(&mut self.input, offset + fault.at as u64, fault.message)),
            };
            if read == 0 {
                return Ok(());
            }
            buffer.copy_within(used..filled, 0);
            offset += used as u64;
            filled -= used;
            if filled == buffer.len() {
                if filled > LONGEST_VALUE {
                    return Err(located(&mut self.input, offset, "this value is too long".to_owned()));
                }
                buffer.resize(filled * 2, 0);
            }
        }
    }
}

/// The code of a bit by its character: value, plus 2 if it is unknown; 4 and more is no bit.
const CODE: [u8; 256] = {
    let mut codes = [4; 256];
    let known = *b"00lL11hHxXuUwW--zZ";
    let code = [0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2];
    let mut i = 0;
    while i < known.len() {
        codes[known[i] as usize] = code[i];
        i += 1;
    }
    codes
};

impl Body {
    /// Takes what is complete of the text; gives how much that is.
    fn scan(&mut self, text: &[u8], last: bool) -> Result<usize, Fault> {
        let end_of = |from: usize| {
            let length = text[from..].iter().position(|byte| *byte <= b' ').unwrap_or(text.len() - from);
            from + length
        };
        let start_of = |from: usize| {
            let length = text[from..].iter().position(|byte| *byte > b' ').unwrap_or(text.len() - from);
            from + length
        };
        let mut at = 0;
        loop {
            at = start_of(at);
            if at == text.len() {
                return Ok(at);
            }
            let end = end_of(at);
            if end == text.len() && !last {
                return Ok(at);
            }
            let fault = |message: String| Fault { at, message };
            let first = text[at];
            if self.comment {
                self.comment = text[at..end] != *b"$end";
                at = end;
            } else if first == b'#' {
                self.time(&text[at + 1..end]).map_err(fault)?;
                at = end;
            } else if CODE[usize::from(first)] < 4 && end > at + 1 {
                if let Some(track) = self.wanted.find(&text[at + 1..end]) {
                    self.change(track, &text[at..at + 1]).map_err(fault)?;
                }
                at = end;
            } else if matches!(first, b'b' | b'B' | b'r' | b'R' | b's' | b'S') || CODE[usize::from(first)] < 4 {
                let start = start_of(end);
                if start == text.len() {
                    let message = "the file ends in the middle of a change".to_owned();
                    return if last { Err(Fault { at, message }) } else { Ok(at) };
                }
                let identifier_end = end_of(start);
                if identifier_end == text.len() && !last {
                    return Ok(at);
                }
                if let Some(track) = self.wanted.find(&text[start..identifier_end]) {
                    self.change(track, &text[at..end]).map_err(fault)?;
                }
                at = identifier_end;
            } else if first == b'$' {
                self.comment = text[at..end] == *b"$comment";
                self.listing = text[at..end] != *b"$end" && !self.comment;
                at = end;
            } else {
                let word = String::from_utf8_lossy(&text[at..end.min(at + 40)]).into_owned();
                return Err(fault(format!("`{word}` is neither a time nor a change")));
            }
        }
    }

    /// A new time; the same one again is no new step.
    fn time(&mut self, digits: &[u8]) -> Result<(), String> {
        let wrong = || format!("`{}` is no time", String::from_utf8_lossy(digits));
        let text = std::str::from_utf8(digits).map_err(|_| wrong())?;
        let whole = text.split_once('.').filter(|(_, fraction)| fraction.bytes().all(|digit| digit == b'0'));
        let time: u64 = whole.map_or(text, |(whole, _)| whole).parse().map_err(|_| wrong())?;
        match self.times.last() {
            Some(last) if time < *last => Err(format!("time goes back from {last} to {time}")),
            Some(last) if time == *last => Ok(()),
            _ => self.step(time),
        }
    }

    fn step(&mut self, time: u64) -> Result<(), String> {
        self.times.push(time);
        if self.times.len() >= u32::MAX as usize {
            Err("there are more than 4 billion times".to_owned())
        } else {
            Ok(())
        }
    }

    /// A change of a wanted signal: `1`, `b0x1`, `r1.5` or `stext`.
    fn change(&mut self, track: usize, text: &[u8]) -> Result<(), String> {
        if self.times.is_empty() {
            self.step(0)?;
        }
        let step = self.times.len() as u32 - 1;
        let marked = matches!(text[0], b'b' | b'B' | b'r' | b'R' | b's' | b'S');
        let digits = if marked { &text[1..] } else { text };
        let wrong = || format!("`{}` is no value of this signal", String::from_utf8_lossy(&text[..text.len().min(80)]));
        match &mut self.tracks[track] {
            Track::Event { .. } if self.listing => {}
            Track::Event { at } => at.push(step),
            Track::Bit { at, code } => {
                // An empty vector is 0.
                let bit = CODE[usize::from(digits.last().copied().unwrap_or(b'0'))];
                if bit > 3 || !matches!(text[0], b'b' | b'B') && marked {
                    return Err(wrong());
                }
                at.push(step);
                code.push(bit);
            }
            Track::Vector { width, at, words } => {
                if !matches!(text[0], b'b' | b'B') && marked {
                    return Err(wrong());
                }
                vector(digits, *width, words).ok_or_else(wrong)?;
                at.push(step);
            }
            Track::Other { at, value, before } => {
                let text = String::from_utf8_lossy(digits);
                value.push(match before {
                    Value::Real(_) => Value::Real(text.parse().map_err(|_| wrong())?),
                    _ => Value::Text(Arc::from(unescaped(&text))),
                });
                at.push(step);
            }
        }
        Ok(())
    }
}

/// Appends the words of a vector. Short ones are extended: by 0, or by their first digit if that is unknown.
fn vector(digits: &[u8], width: u32, words: &mut Vec<u64>) -> Option<()> {
    let digits = if digits.len() > 2 { digits.strip_prefix(b"0b").unwrap_or(digits) } else { digits };
    let (width, half) = (width as usize, (width as usize).div_ceil(64));
    let first = CODE[usize::from(digits.first().copied().unwrap_or(b'0'))];
    let (excess, digits) = digits.split_at(digits.len().saturating_sub(width));
    if excess.iter().any(|digit| *digit != b'0') {
        return None;
    }
    let start = words.len();
    words.resize(start + 2 * half, 0);
    let added = &mut words[start..];
    for (word, digits) in digits.rchunks(64).enumerate() {
        let (mut value, mut unknown, mut bad) = (0, 0, 0);
        for digit in digits {
            let code = CODE[usize::from(*digit)];
            bad |= code;
            value = value << 1 | u64::from(code & 1);
            unknown = unknown << 1 | u64::from(code >> 1 & 1);
        }
        if bad > 3 {
            words.truncate(start);
            return None;
        }
        (added[word], added[half + word]) = (value, unknown);
    }
    if first > 1 {
        for bit in digits.len()..width {
            added[bit / 64] |= u64::from(first & 1) << (bit % 64);
            added[half + bit / 64] |= 1 << (bit % 64);
        }
    }
    Some(())
}

/// Texts cannot hold white space, so it comes as an escape: `\n`, `\040`, `\x20`.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        out.push_str(plain);
        let code = |from: usize, to: usize, radix| {
            let digits = escape.get(from..to).filter(|digits| digits.chars().all(|digit| digit.is_digit(radix)))?;
            u32::from_str_radix(digits, radix).ok().filter(|code| *code < 256).and_then(char::from_u32)
        };
        let simple = || {
            let known = "abfnrtv\"'\\?".find(escape.chars().next()?)?;
            "\u{7}\u{8}\u{c}\n\r\t\u{b}\"'\\?".chars().nth(known)
        };
        let octal = code(0, 3, 8).map(|code| (code, 3));
        let hexadecimal = || escape.strip_prefix('x').and_then(|_| code(1, 3, 16)).map(|code| (code, 3));
        match octal.or_else(hexadecimal).or_else(|| simple().map(|code| (code, 1))) {
            Some((code, length)) => {
                out.push(code);
                rest = &escape[length..];
            }
            None => {
                out.push('\\');
                rest = escape;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::trace::{self, Edge, Sampling, Trace};
    use super::*;

    fn opened(text: &str) -> Trace {
        trace::open(Cursor::new(text.as_bytes().to_vec())).unwrap()
    }

    /// All signals as lines of values.
    fn shown(text: &str, sampling: &Sampling) -> String {
        let mut trace = opened(text);
        let all: Vec<usize> = (0..trace.signals().len()).collect();
        let wave = trace.load(&all, sampling).unwrap();
        let line = |signal: &crate::wave::Signal| {
            let values: Vec<String> = (0..wave.cycles).map(|cycle| signal.at(cycle).to_string()).collect();
            format!("{}: {}\n", signal.info.name, values.join(" "))
        };
        wave.signals.iter().map(line).collect()
    }

    fn problem(text: &str) -> String {
        let read = trace::open(Cursor::new(text.as_bytes().to_vec())).and_then(|mut trace| {
            let all: Vec<usize> = (0..trace.signals().len()).collect();
            trace.load(&all, &Sampling::default())
        });
        read.unwrap_err().to_string()
    }

    const KINDS: &str = "$date today $end $timescale 10 ns $end
$scope module top $end
$var wire 1 ! clk $end
$var wire 8 \" data [7:0] $end
$var reg 4 # odd[0:3] $end
$var wire 1 % \\part[3] $end
$scope begin sub $end
$var integer 32 \" alias $end
$var wire 8 \" other[15:8] $end
$upscope $end
$var real 64 abcde r $end
$var string 1 s state $end
$var event 1 e go $end
$upscope $end
$comment anything $var goes $end
$enddefinitions $end
$dumpvars 0! bx \" b1 # 1% sidle s 1e $end
#5 1! b1010 \" r1.5 abcde 1e
$comment 1! $end #7 sa\\040b\\x2c s 0! bz0 \"
#7 h%
#9 1e z% b0 zzz 1e
";

    #[test]
    fn everything_a_dump_can_say() {
        let expected = "top.clk: 0 1 0 0\ntop.data: xxxxxxxx 10 zzzzzzz0 zzzzzzz0\ntop.odd: 1 1 1 1\ntop.part[3]: 1 1 1 z\n\
            top.sub.alias: xxxxxxxx 10 zzzzzzz0 zzzzzzz0\ntop.sub.other: xxxxxxxx 10 zzzzzzz0 zzzzzzz0\n\
            top.r: 0 1.5 1.5 1.5\ntop.state: idle idle a b, a b,\ntop.go: 0 1 0 1\n";
        assert_eq!(shown(KINDS, &Sampling::default()), expected);
        let trace = opened(KINDS);
        let kind = |i: usize| trace.signals()[i].kind;
        assert_eq!(kind(2), Kind::Bits { width: 4, signed: false, low: 0, descending: false });
        assert_eq!(kind(5), Kind::Bits { width: 8, signed: false, low: 8, descending: true });
        assert_eq!(kind(8), Kind::Bits { width: 1, signed: false, low: 0, descending: true });
        let wave = opened(KINDS).load(&[0], &Sampling::default()).unwrap();
        assert_eq!((wave.times, wave.unit.as_deref()), (vec![0, 5, 7, 9], Some("10ns")));
    }

    /// yosys-smtbmc writes single bits as vectors, and the state of a step at the time of the edge.
    #[test]
    fn a_step_of_smtbmc_is_a_cycle() {
        let text = "$timescale 1 ns $end $scope module m $end $var wire 1 n0 clk $end $var wire 2 n1 c $end
            $upscope $end $enddefinitions $end #0 b1 n0 b00 n1 #5 b0 n0 #10 b1 n0 b01 n1 #15 b0 n0 #20 b1 n0";
        let sampling = Sampling { clock: Some((0, Edge::Rising)), ..Sampling::default() };
        assert_eq!(shown(text, &sampling), "m.clk: 0 0\nm.c: 0 1\n");
    }

    #[test]
    fn enumerations_are_attributes() {
        let text = "$scope module m $end $attrbegin misc 07 state 2 idle busy 0 1 7 $end $attrbegin misc 07 \"\" 7 $end
            $var wire 1 ! s $end $var wire 1 \" t $end $upscope $end $enddefinitions $end #0 1!";
        let trace = opened(text);
        let names: Vec<_> = trace.signals()[0].enumerators.iter().map(|e| (&*e.name, e.bits.clone())).collect();
        assert_eq!(names, [("idle", BitVector::parse("0")), ("busy", BitVector::parse("1"))]);
        assert!(trace.signals()[1].enumerators.is_empty());
    }

    #[test]
    fn errors_have_places() {
        let header = "$var wire 2 ! a $end $enddefinitions $end\n";
        let body = |body: &str| problem(&format!("{header}{body}"));
        assert_eq!(body("#0 b11 !\n#5\n b12 !\n"), "4:2: `b12` is no value of this signal");
        assert_eq!(body("#0\nb111 !\n"), "3:1: `b111` is no value of this signal");
        assert_eq!(body("#5\n#4\n"), "3:1: time goes back from 5 to 4");
        assert_eq!(body("#5\nb01"), "3:1: the file ends in the middle of a change");
        assert_eq!(body("#5\n?"), "3:1: `?` is neither a time nor a change");
        assert_eq!(body(""), "the trace has no cycle");
        assert_eq!(problem("$var wire 1 ! a $end\n#0"), "2:1: `#0` is no declaration");
        assert_eq!(problem("$var wire x ! a $end\n"), "1:17: `x` is no number of bits");
        assert_eq!(problem("$var wire"), "1:6: the header ends in the middle of a declaration");
    }

    /// Values must not be lost or cut where the buffer ends.
    #[test]
    fn values_across_the_ends_of_buffers() {
        let mut text = "$var wire 70 !!!!!! wide $end $var wire 1 ! b $end $enddefinitions $end\n".to_owned();
        let values: Vec<u128> = (0..20_000).map(|i| i * 0x1234_5678_9abc_def1 % (1 << 70)).collect();
        for (time, value) in values.iter().enumerate() {
            text.push_str(&format!("#{time}\nb{value:b} !!!!!!\n{}!\n", time % 2));
        }
        let wave = opened(&text).load(&[0, 1], &Sampling::default()).unwrap();
        assert_eq!(wave.cycles, values.len());
        for (time, value) in values.iter().enumerate() {
            let Value::Bits(bits) = wave.signals[0].at(time) else { panic!() };
            assert_eq!(u128::from(bits.value[0]) | u128::from(bits.value[1]) << 64, *value);
            assert_eq!(wave.signals[1].at(time).to_string(), (time % 2).to_string());
        }
    }
}
