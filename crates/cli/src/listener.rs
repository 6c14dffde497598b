//! Who listens. A process tells its standard output and standard error, and ends with a code. Who asks by the library gets the same
//! words as values, and only the work ends: nothing is printed, no signal is handled, and no process goes away.

use std::io::{self, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::exit::Exit;

/// Who listens.
#[derive(Clone, Default, Debug)]
pub enum Listener {
    /// Those before the terminal.
    #[default]
    Process,
    /// A program that has asked.
    Library(Arc<Heard>),
}

/// What a program that has asked gets to know.
#[derive(Default, Debug)]
pub struct Heard {
    state: Mutex<State>,
    is_over: Condvar,
    is_interrupted: AtomicBool,
}

#[derive(Default, Debug)]
struct State {
    told: Told,
    exit: Option<Exit>,
}

/// An answer as it is told.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Told {
    /// The exit code of the command.
    pub exit: u8,
    /// What the command prints to standard output.
    pub printed: String,
    /// What it says on standard error, error by error and warning by warning.
    pub complaints: Vec<String>,
    /// Errors of the input with their places, as an object of JSON.
    pub errors: Option<String>,
    /// The answer as an object of JSON, whatever form was asked for.
    pub json: Option<String>,
    /// The answer as a page.
    pub page: Option<String>,
    /// Times and sizes, as an object of JSON.
    pub stats: Option<String>,
}

/// Work that is left where it stands, since it was already said how it ends.
pub struct Abandoned;

impl Listener {
    /// Tells the answer. A reader who has gone away is no error.
    pub fn print(&self, text: &str) -> Result<()> {
        let Listener::Library(heard) = self else {
            let mut out = io::stdout().lock();
            return match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    Err(error).context("standard output cannot be written")
                }
                _ => Ok(()),
            };
        };
        heard.tell(|told| told.printed += text);
        Ok(())
    }

    /// Says what is wrong, a line or a few. A reader who has gone away is no error.
    pub fn complain(&self, what: &str) {
        match self {
            Listener::Process => drop(writeln!(io::stderr(), "{what}")),
            Listener::Library(heard) => heard.tell(|told| told.complaints.push(what.trim_end().to_owned())),
        }
    }

    /// Tells times and sizes.
    pub fn measure(&self, line: &str) {
        match self {
            Listener::Process => self.complain(line),
            Listener::Library(heard) => heard.tell(|told| told.stats = Some(line.to_owned())),
        }
    }

    /// Adds what a program wants to know whatever form was asked for.
    pub fn keep(&self, add: impl FnOnce(&mut Told)) {
        if let Listener::Library(heard) = self {
            heard.tell(add);
        }
    }

    /// Says that something went wrong that never should, and how it then ends.
    pub fn internal_error(&self, what: &str) -> Exit {
        self.complain(&format!(
            "internal error: {what}\n\n\
             This is a bug in nearmiss {}, not in your program.\n\
             Please report it with this message, the command line and the files that it names;\n\
             `--no-native` skips the run of the compiled program.",
            env!("CARGO_PKG_VERSION")
        ));
        Exit::Internal
    }

    /// Ends the process here and now, or this work.
    pub fn leave(&self, exit: Exit) -> ! {
        match self {
            Listener::Process => exit.leave(),
            Listener::Library(heard) => heard.end(exit),
        }
        panic::resume_unwind(Box::new(Abandoned))
    }

    /// For work that comes too late: somebody else has the last word, and the process ends at any moment.
    pub fn keep_quiet(&self) -> ! {
        match self {
            Listener::Process => loop {
                thread::park();
            },
            Listener::Library(_) => panic::resume_unwind(Box::new(Abandoned)),
        }
    }

    /// Was it interrupted, other than by a signal?
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Listener::Library(heard) if heard.is_interrupted.load(Ordering::SeqCst))
    }

    /// Is nobody waiting any more? While a process lives, somebody does.
    pub fn is_over(&self) -> bool {
        matches!(self, Listener::Library(heard) if heard.lock().exit.is_some())
    }
}

impl Heard {
    /// From now on nothing more is told.
    pub fn end(&self, exit: Exit) {
        let mut state = self.lock();
        if state.exit.is_none() {
            state.exit = Some(exit);
            state.told.exit = exit as u8;
        }
        drop(state);
        self.is_over.notify_all();
    }

    /// Tells the work to stop, as Ctrl-C does.
    pub fn interrupt(&self) {
        self.is_interrupted.store(true, Ordering::SeqCst);
    }

    /// What was told, if all of it is told within this time.
    pub fn wait(&self, time: Duration) -> Option<Told> {
        let waited = self.is_over.wait_timeout_while(self.lock(), time, |state| state.exit.is_none());
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.exit.map(|_| state.told.clone())
    }

    fn tell(&self, add: impl FnOnce(&mut Told)) {
        let mut state = self.lock();
        if state.exit.is_none() {
            add(&mut state.told);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_told_once_it_is_over() {
        let heard = Arc::new(Heard::default());
        let listener = Listener::Library(Arc::clone(&heard));
        listener.print("an answer\n").expect("it is kept");
        listener.complain("a warning\n");
        assert_eq!(heard.wait(Duration::ZERO), None);
        heard.end(Exit::Fails);
        listener.print("more\n").expect("it is passed over");
        heard.end(Exit::Holds);
        let told = heard.wait(Duration::ZERO).expect("it is over");
        assert_eq!((told.exit, &*told.printed, &*told.complaints), (10, "an answer\n", &["a warning".to_owned()][..]));
        assert!(listener.is_over() && !Listener::Process.is_over());
    }
}
