//! The program as the command line makes it, and how long that took.

use std::time::Instant;

use nearmiss_explain::{Program, Unreadable};
use nearmiss_program::source::Sources;

use crate::loader::Disk;
use crate::settings::Settings;

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
    let program = Program::from_loader(&settings.files, &settings.reading, &Disk::new(settings))?;
    Ok(ReadProgram { program, seconds: started.elapsed().as_secs_f64() })
}
