//! nearmiss: explains why a program or a trace fails.
//!
//! The command line says what is wanted ([`args`], [`settings`]), a command does it ([`command`]), and how that went
//! becomes the exit code ([`exit`]). Everything that touches the outside (terminals, other processes, signals, and files but
//! for those that a program is read from) is in this crate and nowhere else.
//!
//! It is a process ([`main`]) and a library: a [`Question`] is a command line whose answer is kept as a value, and
//! [`options`] says what may be typed. Both go the same way; who [listens](listener) is all that they differ in.

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
mod listener;
mod loader;
mod mistyped;
mod native;
mod notes;
mod output;
mod paint;
mod progress;
mod question;
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

use args::Cli;
use clap::Parser;
use exit::Exit;
use listener::Listener;
use settings::Job;

pub use args::listed::{Listed, Takes, options};
pub use listener::Told;
pub use native::sandbox::tool_is_at;
pub use question::Question;

/// Where the last panic happened, for the message.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// What the process does, from its command line to its exit code.
pub fn main() -> ExitCode {
    native::sandbox::enter_if_told();
    let exit = match job(std::env::args_os()) {
        Ok(job) => on_a_large_stack(&job),
        Err(error) => {
            // Help and version are errors to clap, but not to us; where printing fails nobody is listening.
            let _ = error.print();
            if error.use_stderr() { Exit::Usage } else { Exit::Holds }
        }
    };
    ExitCode::from(exit as u8)
}

/// Reads a command line. `Err` is what to tell instead: help was asked for, or the command line is wrong.
fn job(words: impl IntoIterator<Item = impl Into<std::ffi::OsString> + Clone>) -> Result<Job, clap::Error> {
    let parsed = Cli::try_parse_from(words).and_then(|cli| {
        let verb = cli.command.verb();
        settings::of(cli.command).map_err(|message| Cli::error(verb, &message))
    });
    parsed.map_err(|error| Cli::elsewhere(&error).unwrap_or(error))
}

/// Does the job. A panic is a bug of ours, and told as one.
fn on_a_large_stack(job: &Job) -> Exit {
    panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = PANIC.lock() {
            *last = Some(info.to_string());
        }
    }));
    match panic::catch_unwind(|| nearmiss_explain::on_a_large_stack(|| done(job, &Listener::Process))) {
        Ok(exit) => exit,
        Err(_) => {
            Listener::Process.internal_error(&PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default())
        }
    }
}

/// Does the job, and says what cannot be written.
fn done(job: &Job, listener: &Listener) -> Exit {
    command::run(job).unwrap_or_else(|error| {
        listener.complain(&format!("error: {error:#}"));
        Exit::Input
    })
}
