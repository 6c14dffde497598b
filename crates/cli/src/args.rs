//! The command line as it is typed: one file for each command, and for each group of flags that commands share.
//!
//! Names and meanings are CBMC's where it has them, so that a call of `cbmc` can be edited into one of `nearmiss`. What
//! the flags mean together is worked out in [`settings`](crate::settings); nothing else looks at these structures.

pub mod causes;
pub mod cbmc;
pub mod check;
mod choice;
pub mod crash;
pub mod explain;
pub mod fix;
pub mod focus;
pub mod limits;
pub mod listed;
pub mod output;
mod places;
pub mod preprocessor;
pub mod reference;
pub mod score;
pub mod suite;
pub mod temporal;
pub mod trials;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use nearmiss_report::view::Verb;

use causes::CausesArgs;
use check::CheckArgs;
use explain::ExplainArgs;
use fix::FixArgs;
use focus::FocusArgs;
use score::ScoreArgs;
use suite::SuiteArgs;

/// Explains why a program or a trace fails
#[derive(Parser, Debug)]
#[command(
    name = "nearmiss",
    version,
    after_help = "`nearmiss explain --help` shows all flags, examples and exit codes.",
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// An error of a command that the parser does not see, told as it tells its own.
    pub fn error(verb: Verb, message: &str) -> clap::Error {
        let mut tool = Cli::command();
        tool.build();
        let mut typed = tool.find_subcommand(verb.name()).cloned().unwrap_or_else(Cli::command);
        typed.error(clap::error::ErrorKind::ValueValidation, message)
    }

    /// What to say of an option that is one of other commands: better than the name of an option that looks like it.
    pub fn elsewhere(error: &clap::Error) -> Option<clap::Error> {
        use clap::error::{ContextKind, ContextValue, ErrorKind};
        let (ErrorKind::UnknownArgument, Some(ContextValue::String(typed))) =
            (error.kind(), error.get(ContextKind::InvalidArg))
        else {
            return None;
        };
        let name = typed.strip_prefix("--")?.split('=').next()?;
        let mut tool = Cli::command();
        if let Some(what) = cbmc::instead(name) {
            let message = format!("nearmiss does not know '--{name}' of CBMC: {what}");
            return Some(tool.error(ErrorKind::UnknownArgument, message));
        }
        let has = |command: &&clap::Command| command.get_arguments().any(|argument| argument.get_long() == Some(name));
        let owners: Vec<&str> = tool.get_subcommands().filter(has).map(clap::Command::get_name).collect();
        if owners.is_empty() {
            return None;
        }
        let message = format!("'--{name}' is an option of {}, not of this command", owners.join(", "));
        Some(tool.error(ErrorKind::UnknownArgument, message))
    }
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Does it fail? A verdict, and an execution that fails
    #[command(
        after_help = "`--help` shows examples and exit codes.",
        after_long_help = check::EXAMPLES,
        args_override_self = true
    )]
    Check(Box<CheckArgs>),

    /// Why does it fail? The failing execution beside the nearest one that passes
    #[command(
        after_help = "`--help` shows examples, how to read the answer, and exit codes.",
        after_long_help = explain::EXAMPLES,
        args_override_self = true
    )]
    Explain(Box<ExplainArgs>),

    /// Which change makes it right? Edits of the program, each proved
    #[command(
        after_help = "`--help` shows examples, how to read the answer, and exit codes.",
        after_long_help = fix::EXAMPLES,
        args_override_self = true,
        mut_arg("format", |format| format.value_parser(fix::formats()).help(fix::FORMAT_HELP))
    )]
    Fix(Box<FixArgs>),

    /// Which values on a trace make a formula false?
    #[command(
        after_help = "`--help` shows examples, how to read the answer, and exit codes.",
        after_long_help = causes::EXAMPLES,
        args_override_self = true
    )]
    Causes(Box<CausesArgs>),

    /// In which ways does it fail? Each as the statements it depends on and the inputs it happens for
    #[command(
        after_help = "`--help` shows examples, how to read the answer, and exit codes.",
        after_long_help = focus::EXAMPLES,
        args_override_self = true
    )]
    Focus(Box<FocusArgs>),

    /// How good was an explanation, given where the fault is?
    #[command(
        after_help = "`--help` shows examples and exit codes.",
        after_long_help = score::EXAMPLES,
        args_override_self = true
    )]
    Score(Box<ScoreArgs>),

    /// Many tasks at once: all that a manifest or a folder names, in parallel, each done again only if something changed
    #[command(
        after_help = "`--help` shows examples, how to write a manifest, and exit codes.",
        after_long_help = suite::EXAMPLES,
        args_override_self = true
    )]
    Suite(Box<SuiteArgs>),

    /// Print the completion script of a shell
    #[command(
        after_help = "For example:  nearmiss completions bash > ~/.local/share/bash-completion/completions/nearmiss"
    )]
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: Shell,
    },

    /// Print the manual page, or write one for each command into DIR
    #[command(after_help = "For example:  nearmiss man ~/.local/share/man/man1")]
    Man {
        /// Where to write the pages
        folder: Option<String>,
    },
}

/// Shells that can be told what may be typed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
    Elvish,
    Powershell,
}

impl Command {
    /// The word that was typed.
    pub fn verb(&self) -> Verb {
        match self {
            Command::Check(_) => Verb::Check,
            Command::Explain(_) => Verb::Explain,
            Command::Causes(_) => Verb::Causes,
            Command::Focus(_) => Verb::Focus,
            Command::Fix(_) => Verb::Fix,
            Command::Score(_) => Verb::Score,
            Command::Suite(_) => Verb::Suite,
            Command::Completions { .. } => Verb::Completions,
            Command::Man { .. } => Verb::Man,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
