//! nearmiss: explains why a program or a trace fails.
//!
//! The command line says what is wanted ([`args`], [`settings`]), a command does it ([`command`]), and how that went
//! becomes the exit code ([`exit`]). Everything that touches the outside (terminals, other processes, signals, and files but
//! for those that a program is read from) is in this crate and nowhere else.

mod answer;
mod apply;
mod args;
mod command;
mod crash_given;
mod exit;
mod fixed;
mod form;
mod given;
mod limits;
mod loader;
mod mistyped;
mod native;
mod notes;
mod output;
mod paint;
mod progress;
mod reading;
mod replay;
mod settings;
mod stats;
mod suite;
mod tests_given;
mod unanswered;
mod work;

use std::panic;
use std::process::ExitCode;
use std::sync::Mutex;

use clap::Parser;

use args::Cli;
use exit::Exit;
use output::{complain, internal_error};
use settings::Job;

/// Where the last panic happened, for the message.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

fn main() -> ExitCode {
    native::sandbox::enter_if_told();
    ExitCode::from(job().map_or_else(|exit| exit, on_a_large_stack) as u8)
}

/// Reads the command line. `Err` is how to end: help was asked for, or the command line is wrong.
fn job() -> Result<Job, Exit> {
    let parsed = Cli::try_parse().and_then(|cli| {
        let verb = cli.command.verb();
        settings::of(cli.command).map_err(|message| Cli::error(verb, &message))
    });
    parsed.map_err(|error| {
        let error = Cli::elsewhere(&error).unwrap_or(error);
        // Help and version are errors to clap, but not to us; where printing fails nobody is listening.
        let _ = error.print();
        if error.use_stderr() { Exit::Usage } else { Exit::Holds }
    })
}

/// Does the job. A panic is a bug of ours, and told as one.
fn on_a_large_stack(job: Job) -> Exit {
    panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = PANIC.lock() {
            *last = Some(info.to_string());
        }
    }));
    match panic::catch_unwind(|| nearmiss_explain::on_a_large_stack(|| command::run(&job))) {
        Ok(Ok(exit)) => exit,
        Ok(Err(error)) => {
            complain(&format!("error: {error:#}"));
            Exit::Input
        }
        Err(_) => internal_error(&PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default()),
    }
}
