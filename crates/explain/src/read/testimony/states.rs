//! What ESBMC prints, and CBMC with `--trace` alone: a paragraph per state.
//!
//! ```text
//! State 3 file lock.c line 21 column 5 function main thread 0
//! ----------------------------------------------------
//!   taken = 1 (00000000 00000000 00000000 00000001)
//! ```
//!
//! The words of the first line come in either tool's order. After `Violated property:` follow its place and its text. ESBMC
//! leaves out what it finds to be irrelevant, inputs included.

use std::io::Read;

use super::cbmc::{self, Data};
use super::{Facts, Failure, Format, Scene, Testimony};
use crate::read::scan::{LONGEST, Scanner};
use crate::read::trace::{Place, TraceError};

pub(super) fn read(input: impl Read) -> Result<Testimony, TraceError> {
    let mut lines = Lines { scan: Scanner::new(input)? };
    let (mut facts, mut failure, mut others) = (Facts::default(), None, 0);
    let (mut scene, mut states, mut last) = (None, 0, Place { line: 1, column: 1 });
    while let Some((line, at)) = lines.next()? {
        last = at;
        let words = line.trim();
        if is_state(words) {
            if failure.is_some() {
                // The states of another counterexample.
                others = others.max(1);
                scene = None;
                continue;
            }
            states += 1;
            scene = Some(place(words));
        } else if words.starts_with("Violated property") && failure.is_none() {
            failure = Some(violated(&mut lines, &mut facts, at)?);
            scene = None;
        } else if words.starts_with("VERIFICATION FAILED") || words.is_empty() {
            continue;
        } else if let (Some(scene), true) = (&scene, line.starts_with(' ')) {
            value(words, scene, at, &mut facts)?;
        }
    }
    if failure.is_none() {
        if states > 0 {
            let error = TraceError::new("the states end without a violated property").at(last);
            return Err(error.with_help("is the file cut off?"));
        }
        return Err(super::unknown());
    }
    let notes = Vec::new();
    Ok(Testimony { format: Format::States, facts: facts.list, failure, others, notes })
}

/// `State 3 file …`, and not a sentence that starts like that.
fn is_state(words: &str) -> bool {
    let mut words = words.split_ascii_whitespace();
    words.next() == Some("State") && words.next().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The pairs of words that say where.
fn place(words: &str) -> Scene {
    let words: Vec<&str> = words.split_ascii_whitespace().collect();
    let after = |key: &str| words.iter().position(|word| *word == key).and_then(|at| words.get(at + 1)).copied();
    let line = after("line").and_then(|line| line.parse().ok());
    Scene { file: after("file").map(str::to_owned), line, function: after("function").map(str::to_owned) }
}

/// What follows `Violated property:`.
fn violated<R: Read>(lines: &mut Lines<R>, facts: &mut Facts, at: Place) -> Result<Failure, TraceError> {
    let mut failure = Failure { id: None, text: None, file: None, line: None, at };
    let mut in_stack = false;
    for _ in 0..64 {
        let Some((line, at)) = lines.next()? else { break };
        let words = line.trim();
        if words.is_empty() {
            break;
        }
        if words.starts_with("file ") && failure.line.is_none() {
            let scene = place(words);
            failure.at = at;
            failure.line = scene.line;
            failure.file = scene.file.as_deref().map(|file| facts.name(file));
        } else if words.starts_with("Stack trace") {
            in_stack = true;
        } else if !in_stack && failure.text.is_none() {
            failure.text = Some(words.to_owned());
        }
    }
    Ok(failure)
}

/// `x = 5 (00000101)`, `x=5 (…)`, `a = { 1, 2 }`.
fn value(words: &str, scene: &Scene, at: Place, facts: &mut Facts) -> Result<(), TraceError> {
    let Some((left, right)) = words.split_once('=') else { return Ok(()) };
    let (left, right) = (left.trim(), right.trim());
    if left.is_empty() || left.contains(' ') {
        return Ok(());
    }
    let (text, bits) = match right.rsplit_once(" (").and_then(|(text, bits)| Some((text, bits.strip_suffix(')')?))) {
        Some((text, bits)) => (text, cbmc::bits(bits)),
        None => (right, None),
    };
    let data = match bits {
        Some((bits, width)) => Data::Scalar(bits, Some(width)),
        None => cbmc::data(text),
    };
    super::esbmc_json::told(&cbmc::place(left), &data, scene, at, facts)
}

/// A text line by line.
struct Lines<R> {
    scan: Scanner<R>,
}

impl<R: Read> Lines<R> {
    /// The next line and where it starts. Of a line that is too long the rest is passed over.
    fn next(&mut self) -> Result<Option<(String, Place)>, TraceError> {
        if self.scan.peek()?.is_none() {
            return Ok(None);
        }
        let (at, mut bytes) = (self.scan.place(), Vec::new());
        while let Some(byte) = self.scan.next()? {
            if byte == b'\n' {
                break;
            }
            if bytes.len() < LONGEST {
                bytes.push(byte);
            }
        }
        Ok(Some((String::from_utf8_lossy(&bytes).into_owned(), at)))
    }
}
