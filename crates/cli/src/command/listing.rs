//! `--show-properties` and `--show-loops`: what can be named on the command line.

use nearmiss_report::listing;
use nearmiss_report::view::Format;

use crate::exit::Exit;
use crate::reading::ReadProgram;
use crate::unanswered::Unanswered;
use crate::work::Work;

/// Lists the claims.
pub fn properties(work: &Work, read: &ReadProgram) -> Result<Exit, Unanswered> {
    let command = work.settings.command;
    write(work, |format| listing::properties(read.program.lowered(), read.sources(), command, format))
}

/// Lists the loops.
pub fn loops(work: &Work, read: &ReadProgram) -> Result<Exit, Unanswered> {
    let command = work.settings.command;
    write(work, |format| listing::loops(read.program.lowered(), read.sources(), command, format))
}

fn write(work: &Work, list: impl Fn(Format) -> String) -> Result<Exit, Unanswered> {
    work.end();
    work.settings.output.listener.keep(|told| told.json = Some(list(Format::Json)));
    work.settings.output.write(&list(work.settings.format))?;
    Ok(Exit::Holds)
}
