//! What is being done, on standard error while it is being done, if somebody is there to see it.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use nearmiss_report::view::Detail;

use crate::listener::Listener;
use crate::output::{Output, complain};

/// A line that moves, or nothing.
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts, if standard error is a terminal, and ours, and nobody asked for quiet.
    pub fn start(output: &Output) -> Progress {
        let is_ours = matches!(output.listener, Listener::Process);
        if output.detail == Detail::Quiet || !is_ours || !std::io::stderr().is_terminal() {
            return Progress { bar: None };
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Progress { bar: Some(bar) }
    }

    /// Says what is being done.
    pub fn say(&self, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(what.to_owned());
        }
    }

    /// Says what stays to be read, above the line.
    pub fn tell(&self, what: &str) {
        match &self.bar {
            Some(bar) => bar.println(what),
            None => complain(what),
        }
    }

    /// Takes the line away, so that the answer stands alone.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
