//! Why a command ends without an answer.

use anyhow::Result;
use nearmiss_explain::check::CheckError;
use nearmiss_program::source::{Diagnostic, Sources};
use nearmiss_report::view::Verb;

use crate::exit::Exit;
use crate::output::{Output, internal_error};

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
    /// answer to a command.
    pub fn tell(self, sources: &Sources, output: &Output, json: Option<Verb>) -> Result<Exit> {
        let (errors, exit) = match self {
            Unanswered::None(CheckError::Input(errors)) => (errors, Exit::Input),
            Unanswered::Mistyped(error) => (vec![error], Exit::Usage),
            Unanswered::None(CheckError::Internal(what)) => return Ok(internal_error(&what)),
            Unanswered::Unwritable(error) => return Err(error),
            Unanswered::Said(exit) => return Ok(exit),
        };
        output.complain(&errors, sources);
        if let Some(command) = json {
            output.write(&nearmiss_report::json::render_errors(command, &errors, sources))?;
        }
        Ok(exit)
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
