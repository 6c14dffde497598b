//! A question about a program while it is worked on: what was asked, when to stop, and what is being done.

use std::sync::atomic::{AtomicBool, Ordering};

use nearmiss_explain::check::{self, CheckOptions};

use nearmiss_logic::stop::Stop;
use nearmiss_report::view::Format;

use crate::exit::Exit;
use crate::form;
use crate::limits::{Limits, Reason, Signals};
use crate::progress::Progress;
use crate::settings::Settings;

/// What is done once a failing run is known.
const AFTER_A_FAILURE: [&str; 6] = [
    "minimising",
    "looking for the nearest passing run",
    "looking for causes",
    "looking for predicates",
    "looking for every way to fail",
    FIXING,
];

/// What is done while edits are tried.
const FIXING: &str = "looking for fixes";

/// A question while it is worked on.
pub struct Work<'a> {
    /// What was asked.
    pub settings: &'a Settings,
    /// What is being done, for a person who waits.
    pub progress: Progress,
    limits: Limits,
    is_settled: AtomicBool,
}

impl<'a> Work<'a> {
    /// Starts the clock. Should the work not stop in time, the process ends with what little is then known.
    pub fn start(settings: &'a Settings) -> Work<'a> {
        let signals = Signals::of(settings.format == Format::Record);
        let listener = &settings.output.listener;
        let limits = Limits::watch(settings.timeout, settings.memory, (signals, listener), {
            let settings = settings.clone();
            move |reason, phase| {
                let known = if AFTER_A_FAILURE.contains(&phase) {
                    "a claim is violated, but there was no time to show how"
                } else {
                    "there is no answer yet"
                };
                let why = format!("{} while {phase}; {known}", stopped(&settings, reason));
                // Nothing can be done about a failure here.
                let _ = form::write_nothing_known(&settings, reason, &why);
                settings.output.listener.leave(Exit::Undecided);
            }
        });
        Work { settings, progress: Progress::start(&settings.output), limits, is_settled: AtomicBool::new(false) }
    }

    /// What to check, and when to stop.
    pub fn options(&self) -> CheckOptions {
        CheckOptions { stop: self.limits.stop.clone(), ..self.settings.check.clone() }
    }

    /// When to stop once there is an answer: a little time is left to confirm it.
    pub fn last_moment(&self) -> Stop {
        self.limits.last_moment()
    }

    /// Passes on how far the search is.
    pub fn watch(&self) -> impl FnMut(check::Progress) + Send + '_ {
        |now| {
            self.limits.enter(now.phase);
            if AFTER_A_FAILURE.contains(&now.phase) {
                self.limits.know_failure();
            }
            self.progress.say(&format!("{}, loops up to {}, {} steps", now.phase, now.unwind, now.steps));
        }
    }

    /// Says that edits are tried: a failing run is known.
    pub fn fixing(&self) {
        self.limits.enter(FIXING);
        self.limits.know_failure();
        self.progress.say(FIXING);
    }

    /// Called when the search is over, with an answer or without: from here on it is too late to stop. Says why it was
    /// stopped, if it was.
    pub fn settle(&self) -> Option<Reason> {
        let reason = self.limits.reason();
        if !self.is_settled.swap(true, Ordering::SeqCst) {
            self.limits.settle();
        }
        reason
    }

    /// Called before something is printed and nothing more is to be done.
    pub fn end(&self) {
        self.settle();
        self.progress.clear();
    }
}

/// Why the search stopped.
pub fn stopped(settings: &Settings, reason: Reason) -> String {
    reason.told(settings.timeout, settings.memory)
}
