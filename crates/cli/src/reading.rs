//! The program as the command line makes it, and how long that took.

use std::sync::Arc;
use std::time::Instant;

use nearmiss_explain::{Program, Unreadable};
use nearmiss_program::source::{Diagnostic, Sources};

use crate::loader::Disk;
use crate::settings::Settings;
use crate::tests_given;

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
    let disk = Disk::new(settings);
    let program = match &settings.reference {
        Some(reference) => {
            let files = &settings.files[..settings.files.len() - 1];
            Program::from_versions(files, reference, &reading, &disk)
        }
        None => Program::from_loader(&settings.files, &reading, &disk),
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
