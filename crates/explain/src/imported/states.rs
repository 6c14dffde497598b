//! What ESBMC prints, and CBMC with `--trace` alone: a paragraph per state.
//!
//! ```text
//! State 3 file lock.c line 21 column 5 function main thread 0
//! ----------------------------------------------------
//!   taken = 1 (00000000 00000000 00000000 00000001)
//! ```
//!
//! The words of the first line come in either tool's order. After `Violated property:` follow its place and its text. ESBMC
//! leaves out what it finds to be irrelevant, inputs included. Where CBMC tells of several properties, `Trace for` and the
//! identifier stand before each.

use std::io::Read;

use super::cbmc::{self, Data};
use super::{Facts, Failure, Format, ImportedRun, Scene};
use nearmiss_trace::read::error::{Place, ReadError};
use nearmiss_trace::read::scan::{LONGEST, Scanner};

pub(super) fn read(input: impl Read, properties: &[String]) -> Result<ImportedRun, ReadError> {
    let mut lines = Lines { scan: Scanner::new(input)? };
    let (mut found, mut others, mut is_over) = (Found::default(), 0, false);
    let (mut told, mut scene, mut verdict, mut last) = (Section::default(), None, None, Place { line: 1, column: 1 });
    while let Some((line, at)) = lines.next()? {
        last = at;
        let words = line.trim();
        if let Some(id) = words.strip_prefix("Trace for ") {
            let id = Some(id.trim_end_matches(':').to_owned());
            found.add(std::mem::replace(&mut told, Section { id, ..Section::default() }), properties);
            is_over = false;
        } else if is_over {
            // The states of another counterexample.
            others = others.max(usize::from(is_state(words)));
        } else if is_state(words) {
            told.states += 1;
            // Outside of functions variables are initialised, before anything runs.
            let there = place(words);
            let is_in_function = there.function.as_deref().is_some_and(|name| !name.starts_with("__CPROVER"));
            scene = Some(Scene { line: there.line.filter(|_| is_in_function), ..there });
        } else if words.starts_with("Violated property") {
            let mut failure = violated(&mut lines, &mut told.facts, at)?;
            failure.id = told.id.clone();
            // The run of a named property goes on to that; what has no body fails nothing here.
            is_over = told.id.is_none() && !failure.is_missing_body();
            told.failure = Some(failure);
            if is_over {
                found.add(std::mem::take(&mut told), properties);
            }
            scene = None;
        } else if words.starts_with("VERIFICATION ") || words.starts_with("CBMC ") || words.starts_with("ESBMC ") {
            verdict = Some(verdict == Some(true) || words.contains("SUCCESSFUL"));
        } else if let (Some(scene), true) = (&scene, line.starts_with(' ') && !words.is_empty()) {
            let words = lines.whole(words.to_owned())?;
            value(&words, scene, at, &mut told.facts)?;
        }
    }
    let states = told.states;
    found.add(told, properties);
    let Some((_, ended)) = found.best else {
        if states > 0 {
            let error = ReadError::new("the states end without a violated property").at(last);
            return Err(error.with_help("is the file cut off?"));
        }
        let none = ReadError::new("this output of a checker holds no counterexample");
        return Err(match verdict {
            Some(true) => none.with_help("the checker says that the program holds"),
            Some(false) => none.with_help("was it told to print it (--trace)?"),
            None => super::unknown(),
        });
    };
    let (facts, failure) = (ended.facts.list, ended.failure);
    Ok(ImportedRun {
        format: Format::States,
        facts,
        failure,
        others: others.max(found.traces - 1),
        notes: Vec::new(),
        is_sure: true,
    })
}

/// The counterexamples so far.
#[derive(Default)]
struct Found {
    best: Option<(u32, Section)>,
    traces: usize,
}

impl Found {
    /// One more, if it came to its end.
    fn add(&mut self, told: Section, properties: &[String]) {
        let Some(failure) = &told.failure else { return };
        let rank = told.rank(failure, properties);
        self.traces += 1;
        if self.best.as_ref().is_none_or(|(other, _)| rank < *other) {
            self.best = Some((rank, told));
        }
    }
}

/// One counterexample of several.
#[derive(Default)]
struct Section {
    id: Option<String>,
    facts: Facts,
    states: usize,
    failure: Option<Failure>,
}

impl Section {
    /// How much it is what is wanted. Where no identifier is told, words say that it is about a bound.
    fn rank(&self, failure: &Failure, properties: &[String]) -> u32 {
        let is_bound = failure.text.as_deref().is_some_and(|text| text.contains("unwinding assertion"));
        let is_bound = is_bound || failure.is_missing_body();
        match &self.id {
            Some(id) => cbmc::rank(id, properties),
            None => 1 + u32::from(is_bound),
        }
    }
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
fn violated<R: Read>(lines: &mut Lines<R>, facts: &mut Facts, at: Place) -> Result<Failure, ReadError> {
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
fn value(words: &str, scene: &Scene, at: Place, facts: &mut Facts) -> Result<(), ReadError> {
    let Some((left, right)) = words.split_once('=') else { return Ok(()) };
    let (left, right) = (left.trim(), right.trim());
    // What happens in the checker's own library is not the program's.
    if left.is_empty() || left.contains(' ') || scene.file.as_deref().is_some_and(|file| file.starts_with('<')) {
        return Ok(());
    }
    let (text, bits) = match right.rsplit_once(" (").and_then(|(text, bits)| Some((text, bits.strip_suffix(')')?))) {
        Some((text, bits)) => (text, cbmc::bits(bits)),
        None => (right, None),
    };
    let data = match bits {
        // All bits of a union are no scalar.
        Some((bits, width)) if !text.starts_with('{') => Data::Scalar(bits, Some(width)),
        _ => cbmc::data(text),
    };
    super::esbmc_json::told(&cbmc::place(left), &data, scene, at, facts)
}

/// A text line by line.
struct Lines<R> {
    scan: Scanner<R>,
}

impl<R: Read> Lines<R> {
    /// A value with the lines that it goes on in: long ones are broken within their braces.
    fn whole(&mut self, mut words: String) -> Result<String, ReadError> {
        while words.matches('{').count() > words.matches('}').count() && words.len() < LONGEST {
            match self.next()? {
                Some((line, _)) if !line.trim().is_empty() => words += &format!(" {}", line.trim()),
                _ => break,
            }
        }
        Ok(words)
    }

    /// The next line and where it starts. Of a line that is too long the rest is passed over.
    fn next(&mut self) -> Result<Option<(String, Place)>, ReadError> {
        if self.scan.peek()?.is_none() {
            return Ok(None);
        }
        let (at, mut bytes) = (self.scan.place(), Vec::new());
        while let Some(byte) = self.scan.next_byte()? {
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
