//! `--show-properties` and `--show-loops`: what can be named on the command line.

use nearmiss_report::listing;

use crate::exit::Exit;
use crate::reading::ReadProgram;
use crate::unanswered::Unanswered;
use crate::work::Work;

/// Lists the claims.
pub fn properties(work: &Work, read: &ReadProgram) -> Result<Exit, Unanswered> {
    let settings = work.settings;
    write(work, &listing::properties(read.program.lowered(), read.sources(), settings.command, settings.format))
}

/// Lists the loops.
pub fn loops(work: &Work, read: &ReadProgram) -> Result<Exit, Unanswered> {
    let settings = work.settings;
    write(work, &listing::loops(read.program.lowered(), read.sources(), settings.command, settings.format))
}

fn write(work: &Work, text: &str) -> Result<Exit, Unanswered> {
    work.end();
    work.settings.output.write(text)?;
    Ok(Exit::Holds)
}
