//! What other checkers tell of a failing run: their counterexamples, recognised by content and read as a stream.
//!
//! Whatever the format, what matters becomes a list of [`Fact`]s in the order in which they happened: a variable got a
//! value, a call gave one, a branch was taken, a condition held. Everything else (steps within the checker's own library,
//! declarations that are overwritten at once) is passed over while reading, so that memory is bounded by what matters.
//! What a value means depends on types, which only the program knows: values stay texts in C notation, and those that the
//! checker writes as bits are binary. Formats are described for users in `docs/counterexamples.md`.

mod cbmc;
mod cbmc_json;
mod cbmc_xml;
mod condition;
mod esbmc_json;
pub mod inputs;
mod json;
mod kani;
pub mod sanitizer;
mod states;
pub mod stimulus;
mod witness_graphml;
mod witness_yaml;
mod yaml;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::{Read, SeekFrom};
use std::sync::Arc;

use crate::imported::cbmc::Data;
use crate::imported::json::Json;
use nearmiss_program::run::Content;
use nearmiss_trace::read::Input;
use nearmiss_trace::read::error::{Place, ReadError};

pub use condition::{Comparison, Operator};

/// So many facts are kept.
const MOST: usize = 2_000_000;
/// So many bytes are looked at to tell formats apart.
const GLANCE: u64 = 1 << 16;
/// A longer line of the file is not shown.
const LONGEST_LINE: usize = 1000;

/// How a counterexample is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Ours ([`inputs`]).
    Own,
    /// `cbmc --json-ui --trace`.
    CbmcJson,
    /// `cbmc --xml-ui --trace`.
    CbmcXml,
    /// What ESBMC prints, and CBMC with `--trace` alone.
    States,
    /// `esbmc --generate-json-report`.
    EsbmcJson,
    /// A test of `kani --concrete-playback=print`.
    Kani,
    /// An SV-COMP witness, format 2.
    WitnessYaml,
    /// An SV-COMP witness, format 1.
    WitnessGraphml,
}

impl Format {
    /// Does it tell every input that matters? Otherwise what is missing is looked for.
    pub fn is_complete(self) -> bool {
        matches!(self, Format::Own | Format::CbmcJson | Format::CbmcXml | Format::Kani)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Own => "run of nearmiss",
            Format::CbmcJson => "JSON trace of CBMC",
            Format::CbmcXml => "XML trace of CBMC",
            Format::States => "list of states of ESBMC or CBMC",
            Format::EsbmcJson => "JSON report of ESBMC",
            Format::Kani => "concrete playback of Kani",
            Format::WitnessYaml => "violation witness in YAML",
            Format::WitnessGraphml => "violation witness in GraphML",
        })
    }
}

/// Something that happened in the failing run.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// What.
    pub what: What,
    /// In which file of the program.
    pub file: Option<Arc<str>>,
    /// In which line of it.
    pub line: Option<u32>,
    /// In which function.
    pub function: Option<Arc<str>>,
    /// Where the file says so.
    pub at: Place,
}

/// What happened.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// A variable, or a scalar part of one (`a[2]`, `p.x`), got a value in this line.
    Value(Arc<str>, Box<str>),
    /// A variable or a parameter of the entry function had this value before anything ran. `&x` points to `x`.
    Start(Arc<str>, Box<str>),
    /// A call in this line gave a value; the function, if it is told.
    Result(Option<Arc<str>>, Box<str>),
    /// A struct, a union or an array was given a value as a whole in this line.
    Object(Object),
    /// The next input had these bits.
    Next(Content),
    /// The next memory from `malloc` started with these contents.
    Memory(Vec<Content>),
    /// A branch in this line was taken, or was not.
    Branch(bool),
    /// A function was entered.
    Enter(Arc<str>),
    /// All of these held; `\result` is what a call in this line gave.
    Held(Vec<Comparison>, When),
}

/// A value of several scalars.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// The variable that has it.
    pub name: Arc<str>,
    /// The function, where it is the result of a call; the name is then the checker's own.
    pub callee: Option<Arc<str>>,
    /// Values by the way to them, `.x` or `[1].y`; of a union as many members as are told.
    pub parts: BTreeMap<Box<str>, Box<str>>,
}

/// When a condition held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Before the statement in that line was executed.
    Before,
    /// After it was.
    After,
}

/// The claim that was violated, as far as the checker says.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// Its identifier.
    pub id: Option<String>,
    /// What it says.
    pub text: Option<String>,
    /// The file it stands in.
    pub file: Option<Arc<str>>,
    /// The line it stands in.
    pub line: Option<u32>,
    /// Where the file says so.
    pub at: Place,
}

impl Failure {
    /// Whether all that is wrong is that a function has no body. Here its result may be anything, and nothing fails.
    pub fn is_missing_body(&self) -> bool {
        self.text.as_deref().is_some_and(|text| text.starts_with("no body for "))
    }
}

/// A counterexample.
#[derive(Clone, Debug)]
pub struct ImportedRun {
    /// How it is written.
    pub format: Format,
    /// What happened, in order.
    pub facts: Vec<Fact>,
    /// How it ended.
    pub failure: Option<Failure>,
    /// How many more counterexamples the file holds.
    pub others: usize,
    /// What was left out, a sentence each.
    pub notes: Vec<String>,
    /// Whether what it says beyond the inputs can be relied on.
    pub is_sure: bool,
}

/// The format that the content has; unlike a reader it does not mind what comes later.
pub fn recognise(input: &mut dyn Input) -> Result<Format, ReadError> {
    let mut start = Vec::new();
    rewind(input)?;
    input.take(GLANCE).read_to_end(&mut start).map_err(|error| ReadError::unreadable(&error))?;
    rewind(input)?;
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start).trim_ascii_start();
    let has = |what: &str| text.windows(what.len()).any(|window| window == what.as_bytes());
    if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
        let error = ReadError::new("this is UTF-16").at(Place { line: 1, column: 1 });
        return Err(error.with_help("save the file as UTF-8"));
    }
    match text.first() {
        None => Err(ReadError::new("the file is empty").with_help("did the checker find a counterexample?")),
        Some(b'<') if has("<cprover") => Ok(Format::CbmcXml),
        Some(b'<') if has("<graphml") => Ok(Format::WitnessGraphml),
        Some(b'<') => Err(unknown()),
        Some(b'[' | b'{') if ["\"messageText\"", "\"stepType\"", "\"cProverStatus\""].iter().any(|key| has(key)) => {
            Ok(Format::CbmcJson)
        }
        Some(b'[' | b'{') if has("\"program\"") && has("CBMC") => Ok(Format::CbmcJson),
        Some(b'[' | b'{') if has("\"steps\"") && has("\"step_number\"") => Ok(Format::EsbmcJson),
        Some(b'[' | b'{') => Ok(Format::Own),
        Some(_) if has("entry_type") || has("violation_sequence") => Ok(Format::WitnessYaml),
        Some(_) if has("concrete_vals") || has("concrete_playback") || has("vec![") => Ok(Format::Kani),
        Some(_) => Ok(Format::States),
    }
}

fn unknown() -> ReadError {
    ReadError::new("this is no counterexample of a format that is known").with_help(
        "counterexamples are our own JSON, CBMC's JSON or XML (--json-ui --trace), ESBMC's text or JSON report, \
         Kani's concrete playback, or SV-COMP witnesses (YAML or GraphML)",
    )
}

/// Reads a counterexample of another checker. Of several, the first is read that violates one of `properties`, or if
/// none are named, the first that violates a claim rather than a bound.
pub fn read(input: &mut dyn Input, format: Format, properties: &[String]) -> Result<ImportedRun, ReadError> {
    rewind(input)?;
    let imported_run = match format {
        Format::Own => {
            // This is the place of what is too large for `inputs`: what is wrong with it is found by a stream.
            let mut json = Json::new(input)?;
            json.skip()?;
            json.end()?;
            return Err(ReadError::new(format!("it is larger than {} MB", inputs::LARGEST >> 20)));
        }
        Format::CbmcJson => cbmc_json::read(input, properties),
        Format::CbmcXml => cbmc_xml::read(input, properties),
        Format::States => states::read(input, properties),
        Format::EsbmcJson => esbmc_json::read(input),
        Format::Kani => kani::read(input),
        Format::WitnessYaml => witness_yaml::read(input),
        Format::WitnessGraphml => witness_graphml::read(input),
    }?;
    if imported_run.facts.is_empty() && imported_run.failure.is_none() {
        let error = ReadError::new(format!("this {format} holds no counterexample"));
        return Err(error.with_help("did the checker find one, and was it told to print it (--trace)?"));
    }
    Ok(imported_run)
}

/// The text of a line of a file, to be shown with an error; none if it is too long to be read by a person.
pub fn line(input: &mut dyn Input, number: u64) -> Option<String> {
    rewind(input).ok()?;
    let (mut line, mut text, mut block) = (1, Vec::new(), vec![0; 1 << 16]);
    loop {
        let length = input.read(&mut block).ok()?;
        for byte in &block[..length] {
            match byte {
                b'\n' if line == number => return String::from_utf8(text).ok(),
                b'\n' => line += 1,
                _ if line == number && text.len() >= LONGEST_LINE => return None,
                byte if line == number => text.push(*byte),
                _ => {}
            }
        }
        if length == 0 {
            return (line == number).then(|| String::from_utf8(text).ok()).flatten();
        }
    }
}

fn rewind(input: &mut dyn Input) -> Result<(), ReadError> {
    input.seek(SeekFrom::Start(0)).map(|_| ()).map_err(|error| ReadError::unreadable(&error))
}

/// Facts on their way; names that come again and again are kept once.
#[derive(Default)]
struct Facts {
    list: Vec<Fact>,
    names: HashSet<Arc<str>>,
    /// Scalars in the objects of the list.
    parts: usize,
}

impl Facts {
    fn name(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let name: Arc<str> = name.into();
        self.names.insert(name.clone());
        name
    }

    fn push(&mut self, what: What, scene: &Scene, at: Place) -> Result<(), ReadError> {
        if self.list.len() + self.parts >= MOST {
            let error = ReadError::new(format!("more than {MOST} steps of the counterexample matter")).at(at);
            return Err(error.with_help("ask the checker for a shorter one"));
        }
        let file = scene.file.as_deref().map(|file| self.name(file));
        let function = scene.function.as_deref().map(|function| self.name(function));
        self.list.push(Fact { what, file, line: scene.line, function, at });
        Ok(())
    }

    /// A name gets a value, which is told scalar by scalar: a fact for a scalar, and one for an object.
    fn tell(&mut self, name: &str, data: &Data, scene: &Scene, at: Place) -> Result<(), ReadError> {
        let (base, way) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
        let callee = cbmc::callee(base);
        if callee.is_none() && cbmc::is_own(name) {
            return Ok(());
        }
        let callee = callee.map(|callee| self.name(callee));
        let mut leaves = BTreeMap::new();
        data.leaves(String::new(), &mut leaves);
        if !way.is_empty() && self.is_told_again(name, &leaves, scene) {
            return Ok(());
        }
        let what = match (leaves.remove(""), callee) {
            (Some(value), None) => What::Value(self.name(name), value),
            (Some(value), Some(callee)) if way.is_empty() => What::Result(Some(callee), value),
            (Some(value), callee) => {
                let parts = BTreeMap::from([(way.into(), value)]);
                What::Object(Object { name: self.name(base), callee, parts })
            }
            (None, _) if leaves.is_empty() => return Ok(()),
            (None, Some(callee)) => {
                let parts = leaves.into_iter().map(|(more, value)| (format!("{way}{more}").into(), value)).collect();
                What::Object(Object { name: self.name(base), callee: Some(callee), parts })
            }
            (None, None) => What::Object(Object { name: self.name(name), callee: None, parts: leaves }),
        };
        if let What::Object(object) = &what {
            self.parts += object.parts.len();
        }
        self.push(what, scene, at)
    }

    /// After an object as a whole, checkers tell its parts, of a union those of every member: the same once more.
    fn is_told_again(&mut self, name: &str, leaves: &BTreeMap<Box<str>, Box<str>>, scene: &Scene) -> bool {
        let is_full = self.list.len() + self.parts >= MOST;
        let Some(Fact { what: What::Object(object), line, function, .. }) = self.list.last_mut() else { return false };
        let way = match name.strip_prefix(&*object.name) {
            Some(way) if way.starts_with(['.', '[']) => way,
            _ => return false,
        };
        let is_bits = |value: &str| value.starts_with("0b");
        let is_same = |more: &str, value: &str| {
            let told = object.parts.get(format!("{way}{more}").as_str());
            // Values of objects are often written without their bits.
            told.is_none_or(|told| **told == *value || is_bits(told) != is_bits(value))
        };
        let is_here = *line == scene.line && function.as_deref() == scene.function.as_deref();
        if is_full || !is_here || !leaves.iter().all(|(more, value)| is_same(more, value)) {
            return false;
        }
        for (more, value) in leaves {
            let told = object.parts.entry(format!("{way}{more}").into()).or_insert_with(|| {
                self.parts += 1;
                value.clone()
            });
            if is_bits(value) {
                told.clone_from(value);
            }
        }
        true
    }
}

/// Where in the program something happened.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Scene {
    file: Option<String>,
    line: Option<u32>,
    function: Option<String>,
}
