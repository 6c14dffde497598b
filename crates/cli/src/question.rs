//! A command line whose answer is kept as a value: what a program that uses this crate as a library works with.
//!
//! ```
//! use std::time::Duration;
//!
//! let question = nearmiss_cli::Question::ask(["explain", "../../examples/minmax.c", "--no-native"]);
//! let told = question.wait(Duration::from_secs(60)).expect("it takes less than a second");
//! assert_eq!(told.exit, 10);
//! assert!(told.printed.starts_with("FAILS: `low <= high`"));
//! ```

use std::any::Any;
use std::panic;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::exit::Exit;
use crate::listener::{Abandoned, Heard, Listener, Told};
use crate::{done, job};

/// A question that is being worked on, on threads of its own. Dropped, it is interrupted.
#[derive(Debug)]
pub struct Question {
    heard: Arc<Heard>,
}

impl Question {
    /// Asks what the words of a command line ask, the name of the tool left out.
    pub fn ask<W: Into<String>>(words: impl IntoIterator<Item = W>) -> Question {
        let heard = Arc::new(Heard::default());
        let words: Vec<String> = ["nearmiss".to_owned()].into_iter().chain(words.into_iter().map(Into::into)).collect();
        let listener = Listener::Library(Arc::clone(&heard));
        let asked = thread::Builder::new().name("nearmiss".to_owned()).spawn(move || answer(words, &listener));
        if let Err(error) = asked {
            let listener = Listener::Library(Arc::clone(&heard));
            listener.complain(&format!("error: there is no thread for it: {error}"));
            heard.end(Exit::Undecided);
        }
        Question { heard }
    }

    /// The answer, if it is there within this time.
    pub fn wait(&self, time: Duration) -> Option<Told> {
        self.heard.wait(time)
    }

    /// Does what Ctrl-C does: the work comes to its end and tells what is known by then.
    pub fn interrupt(&self) {
        self.heard.interrupt();
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        self.interrupt();
    }
}

/// Does what is asked and tells how it ended.
fn answer(words: Vec<String>, listener: &Listener) {
    let Listener::Library(heard) = listener else { return };
    let ended = panic::catch_unwind(|| match job(words) {
        Ok(mut job) => {
            job.heard_by(listener);
            nearmiss_explain::on_a_large_stack(|| done(&job, listener))
        }
        Err(error) => {
            let is_error = error.use_stderr();
            match is_error {
                true => listener.complain(&error.to_string()),
                false => drop(listener.print(&error.to_string())),
            }
            if is_error { Exit::Usage } else { Exit::Holds }
        }
    });
    heard.end(match ended {
        Ok(exit) => exit,
        // It ended before.
        Err(why) if why.is::<Abandoned>() => Exit::Undecided,
        Err(why) => listener.internal_error(&message(&*why)),
    });
}

/// What a panic says.
fn message(why: &(dyn Any + Send)) -> String {
    let text = why.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| why.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
}
