//! Why a command ends without an answer.

use anyhow::Result;
use nearmiss_explain::check::CheckError;
use nearmiss_program::source::{Diagnostic, Sources};
use nearmiss_report::view::Verb;

use crate::exit::Exit;
use crate::output::Output;

/// Why a command ends without an answer.
pub enum Unanswered {
    /// There is none: the input is wrong, or we are.
    None(CheckError),
    /// There is none: a name on the command line is nobody's.
    Mistyped(Diagnostic),
    /// There is one, but it cannot be written.
    Unwritable(anyhow::Error),
    /// Why was already said.
    Said(Exit),
}

impl Unanswered {
    /// Says why, and how the process then ends. Who wants JSON gets errors of the input in this form as well, as the
    /// answer to the command.
    pub fn tell(self, sources: &Sources, output: &Output, (command, wanted): (Verb, Wanted)) -> Result<Exit> {
        let (errors, exit) = match self {
            Unanswered::None(CheckError::Input(errors)) => (errors, Exit::Input),
            Unanswered::Mistyped(error) => (vec![error], Exit::Usage),
            Unanswered::None(CheckError::Internal(what)) => return Ok(output.listener.internal_error(&what)),
            Unanswered::Unwritable(error) => return Err(error),
            Unanswered::Said(exit) => return Ok(exit),
        };
        output.complain(&errors, sources);
        tell_errors(&errors, sources, output, (command, wanted))?;
        Ok(exit)
    }
}

/// What the answer was to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// An object of JSON.
    Json,
    /// Anything else.
    Words,
}

/// Tells errors as an object, if that is wanted.
pub fn tell_errors(
    errors: &[Diagnostic],
    sources: &Sources,
    output: &Output,
    (command, wanted): (Verb, Wanted),
) -> Result<()> {
    let told = || nearmiss_report::json::render_errors(command, errors, sources);
    output.listener.keep(|kept| kept.errors = Some(told()));
    match wanted {
        Wanted::Json => output.write(&told()),
        Wanted::Words => Ok(()),
    }
}

impl From<CheckError> for Unanswered {
    fn from(error: CheckError) -> Unanswered {
        Unanswered::None(error)
    }
}

impl From<Diagnostic> for Unanswered {
    fn from(error: Diagnostic) -> Unanswered {
        Unanswered::None(CheckError::Input(vec![error]))
    }
}

impl From<anyhow::Error> for Unanswered {
    fn from(error: anyhow::Error) -> Unanswered {
        Unanswered::Unwritable(error)
    }
}
