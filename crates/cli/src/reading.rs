//! The program as the command line makes it: its files, and what is assumed, watched and claimed beyond them.

use std::time::Instant;

use nearmiss_program::c::assume;
use nearmiss_program::c::{Errors, predicate};
use nearmiss_program::program::watched::Watched;
use nearmiss_program::program::{Assumption, ClaimId, Program};
use nearmiss_program::source::Sources;

use crate::loader::Disk;
use crate::settings::{Settings, Task};
use crate::temporal;

/// A program as it was read.
pub struct Reading {
    /// The program.
    pub program: Program,
    /// Its text.
    pub sources: Sources,
    /// What the user assumes.
    pub assumptions: Vec<Assumption>,
    /// The claim that the condition of `--reach` is not reached.
    pub reached: Option<ClaimId>,
    /// Predicates of the user's.
    pub predicates: Vec<Watched>,
    /// Seconds that it took.
    pub seconds: f64,
}

/// Why a program cannot be read, and the text that this speaks of.
pub struct Unreadable {
    /// What is wrong.
    pub errors: Errors,
    /// The text.
    pub sources: Sources,
}

/// Reads the program.
pub fn read(settings: &Settings) -> Result<Reading, Unreadable> {
    let started = Instant::now();
    let disk = Disk::new(settings);
    let (reach, typed) = match &settings.task {
        Task::Focus(task) => (task.view.reach.as_ref(), &[][..]),
        Task::Explain(how) => (None, &how.predicates[..]),
        _ => (None, &[][..]),
    };
    let (files, c) = (&settings.files, &settings.c);
    let mut sources = Sources::new();
    let read = assume::read_reaching(files, c, &settings.assumed, reach, &disk, &mut sources);
    let read = read.and_then(|(mut program, assumptions, reached)| {
        let mut again = Sources::new();
        let predicates = predicate::add(&mut program, typed, files, c, &disk, &mut again);
        let predicates = predicates.inspect_err(|_| sources = again)?;
        temporal::claim(settings, &mut program, &disk, &mut sources)?;
        Ok((program, assumptions, reached, predicates))
    });
    match read {
        Ok((program, assumptions, reached, predicates)) => {
            let seconds = started.elapsed().as_secs_f64();
            Ok(Reading { program, sources, assumptions, reached, predicates, seconds })
        }
        Err(errors) => Err(Unreadable { errors, sources }),
    }
}
