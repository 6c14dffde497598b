//! `--dump`: what the question to the solver is made of.

use nearmiss_explain::dump::{self, Dump};
use nearmiss_explain::explain;
use nearmiss_program::program_text;

use crate::args::output::DumpKind;
use crate::command::explain::options;
use crate::exit::Exit;
use crate::reading::ReadProgram;
use crate::settings::Contrasting;
use crate::unanswered::Unanswered;
use crate::work::Work;

/// Prints an inner form of a check or, as far as it has one of its own, of an explanation.
pub fn run(work: &Work, what: DumpKind, how: Option<&Contrasting>, read: &mut ReadProgram) -> Result<Exit, Unanswered> {
    let text = match (what, how) {
        (DumpKind::Program, _) => program_text::print(read.program.lowered(), Some(read.sources())),
        (DumpKind::Question(Dump::Wcnf), Some(how)) => {
            let (options, _) = options(work, how, read)?;
            explain::dump_nearest(read.program.lowered(), read.sources(), &options)?
        }
        (DumpKind::Question(what), _) => dump::dump(read.program.lowered(), &work.options(), what)?,
    };
    work.end();
    work.settings.output.write(&text)?;
    Ok(Exit::Holds)
}
