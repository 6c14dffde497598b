//! The program as the command line makes it, and how long that took.

use std::sync::Arc;
use std::time::Instant;

use nearmiss_explain::{Program, Reading, Unreadable};
use nearmiss_program::c::console::{Console, Stdin};
use nearmiss_program::c::crash::Crash;
use nearmiss_program::source::{Diagnostic, Sources};

use crate::crash_given;
use crate::loader::Disk;
use crate::settings::{Settings, StdinGiven};
use crate::tests_given;

/// The largest text that two programs are given to read.
const LARGEST_STDIN: u64 = 1 << 20;

/// A program as it was read.
pub struct ReadProgram {
    /// The program, with its text.
    pub program: Program,
    /// Seconds that it took.
    pub seconds: f64,
}

impl ReadProgram {
    /// Its text.
    pub fn sources(&self) -> &Sources {
        self.program.sources()
    }
}

/// Reads the program.
pub fn read(settings: &Settings) -> Result<ReadProgram, Unreadable> {
    let started = Instant::now();
    let mut reading = settings.reading.clone();
    if let Some(given) = &settings.tests {
        let trials = tests_given::read(given).map_err(|errors| Unreadable { errors, sources: Sources::new() })?;
        reading.c.trials = Some(Arc::new(trials));
    }
    if let Some(given) = &settings.stdin {
        let console = console(given).map_err(|error| Unreadable { errors: vec![error], sources: Sources::new() })?;
        reading.c = reading.c.with_console(console);
    }
    if let Some(given) = &settings.crash {
        let crash = crash_given::read(given);
        let crash = crash.map_err(|error| Unreadable { errors: vec![error], sources: Sources::new() })?;
        reading.c = reading.c.fed(crash);
    }
    read_as(settings, &reading, started)
}

/// What both programs read that are compared.
fn console(given: &StdinGiven) -> Result<Console, Diagnostic> {
    let input = match given {
        StdinGiven::Any(size) => Stdin::Any(*size),
        StdinGiven::File(file) => Stdin::Given(crash_given::bytes(file, LARGEST_STDIN)?.into()),
    };
    Ok(Console { input, reference: None })
}

/// Reads the program once more, fed otherwise.
pub fn read_fed(settings: &Settings, read: &ReadProgram, crash: Crash) -> Result<ReadProgram, Unreadable> {
    let mut reading = read.program.reading().clone();
    let program = read.program.lowered();
    reading.c = reading.c.fed(crash);
    reading.c.entry = program.function(program.entry).name.clone();
    read_as(settings, &reading, Instant::now())
}

fn read_as(settings: &Settings, reading: &Reading, started: Instant) -> Result<ReadProgram, Unreadable> {
    let disk = Disk::new(settings);
    let program = match &settings.reference {
        Some(reference) => {
            let files = &settings.files[..settings.files.len() - 1];
            Program::from_versions(files, reference, reading, &disk)
        }
        None => Program::from_loader(&settings.files, reading, &disk),
    };
    let program = program.map_err(first_cause)?;
    Ok(ReadProgram { program, seconds: started.elapsed().as_secs_f64() })
}

/// Where the parser gave up on brackets, what it says of the rest is not true.
fn first_cause(mut unreadable: Unreadable) -> Unreadable {
    let given_up = |error: &Diagnostic| error.message.starts_with("brackets nested more deeply");
    if let Some(at) = unreadable.errors.iter().position(given_up) {
        unreadable.errors.truncate(at + 1);
    }
    unreadable
}
