//! The failing run that the user gives (`--counterexample`), ours or another checker's.

use std::fs::File;
use std::io::{BufReader, Seek};

use nearmiss_explain::check::{CheckError, CheckOptions};
use nearmiss_explain::given::disagreement::Disagreement;
use nearmiss_explain::given::rebuild::{self, Refusal};
use nearmiss_explain::given::{self, Given};
use nearmiss_explain::imported::{self, Format};
use nearmiss_explain::imported::{inputs, stimulus};
use nearmiss_program::disk::at_most;
use nearmiss_program::program::Program;
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{Diagnostic, Severity, Sources, Span};
use nearmiss_trace::read::error::{Place, ReadError};
use nearmiss_trace::read::trace::Edge;

use crate::loader;
use crate::reading::ReadProgram;
use crate::work::Work;

/// No file with a run of a model of hardware is larger.
const LARGEST_OF_MODELS: u64 = 1 << 30;

/// A run that was given, or none.
#[derive(Default)]
pub struct Wanted {
    /// Its inputs, if it was.
    pub inputs: Option<Inputs>,
    /// The claims that count.
    pub properties: Vec<String>,
    /// What a reader should know.
    pub notes: Vec<Diagnostic>,
}

/// The run in a file, if one is named.
pub fn run_of(
    work: &Work,
    (path, clock): (Option<&str>, Option<&(String, Edge)>),
    read: &mut ReadProgram,
    options: &CheckOptions,
) -> Result<Wanted, CheckError> {
    let Some(path) = path else {
        return Ok(Wanted { properties: options.properties.clone(), ..Wanted::default() });
    };
    work.progress.say("reading the counterexample");
    let GivenRun { inputs, properties, notes } = run(path, clock, &mut read.program, options)?;
    Ok(Wanted { inputs: Some(inputs), properties, notes })
}

/// A run that was given.
struct GivenRun {
    /// Its inputs.
    inputs: Inputs,
    /// The claims that count in it (`--property`).
    properties: Vec<String>,
    /// What a reader should know.
    notes: Vec<Diagnostic>,
}

/// Reads the file and makes inputs of it.
fn run(
    path: &str,
    clock: Option<&(String, Edge)>,
    read: &mut nearmiss_explain::Program,
    options: &CheckOptions,
) -> Result<GivenRun, CheckError> {
    let (program, sources) = read.parts();
    let file = loader::rewindable(path)
        .map_err(|error| CheckError::Input(vec![plain(format!("cannot read {path}: {error}"))]))?;
    let is_small = file.metadata().is_ok_and(|metadata| metadata.len() <= inputs::LARGEST as u64);
    let mut file = BufReader::new(file);
    let complain = |error: ReadError, file: &mut BufReader<File>, sources: &mut Sources| {
        let diagnostic = located(path, error.at, error.message, file, sources);
        let help = error.help;
        CheckError::Input(vec![Diagnostic { help, ..diagnostic }])
    };
    if let Some(hardware) = &program.hardware {
        let bytes = (file.rewind()).and_then(|()| at_most(&mut file, LARGEST_OF_MODELS));
        let bytes = bytes.map_err(|error| CheckError::Input(vec![plain(format!("cannot read {path}: {error}"))]))?;
        if stimulus::is_run(&bytes) {
            let told =
                stimulus::read(bytes, &hardware.model, clock).map_err(|error| complain(error, &mut file, sources))?;
            let inputs = given::hardware::inputs(program, told.stimulus, &options.properties)?;
            let note = |message| Diagnostic { severity: Severity::Note, ..plain(message) };
            let notes = told.notes.into_iter().map(note).collect();
            return Ok(GivenRun { inputs, properties: options.properties.clone(), notes });
        }
    }
    let format = imported::recognise(&mut file).map_err(|error| complain(error, &mut file, sources))?;
    if format == Format::Own && is_small {
        return own(path, file, program, sources, options);
    }
    // A program that never ends has a formula of ours, which no user gave.
    if program.temporal.as_ref().is_some_and(|formula| !formula.only_closes) {
        let message = format!("this {format} tells of a violated claim of the program, and nothing of the formula");
        let help = "with --formula, give the inputs of the run as JSON: [{\"name\": \"x\", \"value\": \"1\"}, …]";
        let diagnostic = located(path, Some(Place { line: 1, column: 1 }), message, &mut file, sources);
        return Err(CheckError::Input(vec![diagnostic.with_help(help)]));
    }
    let imported_run =
        imported::read(&mut file, format, &options.properties).map_err(|error| complain(error, &mut file, sources))?;
    match rebuild::rebuild(program, sources, &imported_run, options) {
        Ok(rebuilt) => {
            let note = |message| Diagnostic { severity: Severity::Note, ..plain(message) };
            let notes = rebuilt.notes.into_iter().map(note).collect();
            Ok(GivenRun { inputs: rebuilt.inputs, properties: rebuilt.properties, notes })
        }
        Err(Refusal::Disagreement(Disagreement { at, message, help })) => {
            let diagnostic = located(path, at, message, &mut file, sources);
            Err(CheckError::Input(vec![diagnostic.with_help(help)]))
        }
        Err(Refusal::Other(error)) => Err(error),
    }
}

/// A run as we write it.
fn own(
    path: &str,
    mut file: BufReader<File>,
    program: &Program,
    sources: &mut Sources,
    options: &CheckOptions,
) -> Result<GivenRun, CheckError> {
    let complain = |message: String| CheckError::Input(vec![plain(message)]);
    let bytes = (file.rewind())
        .and_then(|()| at_most(file, inputs::LARGEST as u64))
        .map_err(|error| complain(format!("cannot read {path}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| complain(format!("{path} is not a text file: it is not UTF-8")))?;
    let file = sources.add(path, text.as_str(), false);
    let entries = inputs::read(&text).map_err(|error| {
        let span = Span::new(file, error.at, error.at);
        CheckError::Input(vec![Diagnostic::error(span, error.message).with_help(error.help)])
    })?;
    let given = Given { entries: &entries, file, properties: &options.properties };
    let inputs = given::inputs(program, sources, &given)?;
    Ok(GivenRun { inputs, properties: options.properties.clone(), notes: Vec::new() })
}

fn plain(message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Error, message, span: None, help: None }
}

/// An error at a place of a file that is too large to be kept: only that line becomes a source, under its own number.
fn located(
    path: &str,
    at: Option<Place>,
    message: String,
    file: &mut BufReader<File>,
    sources: &mut Sources,
) -> Diagnostic {
    let Some(at) = at else { return plain(format!("{path}: {message}")) };
    let line = imported::line(file, at.line).filter(|line| at.column as usize <= line.len() + 1);
    let (Some(line), Ok(number)) = (line, u32::try_from(at.line)) else {
        return plain(format!("{path}:{at}: {message}"));
    };
    let marker = format!("# {number} \"{path}\"\n");
    let mut column = at.column as usize - 1;
    while !line.is_char_boundary(column) {
        column -= 1;
    }
    let start = (marker.len() + column) as u32;
    let id = sources.add(path, marker + &line, false);
    Diagnostic::error(Span::new(id, start, start), message)
}
