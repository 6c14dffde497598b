//! When to stop: the time given, the memory given, Ctrl-C.
//!
//! All three set one flag that the long work looks at; it then returns what is known. A watcher thread measures the
//! memory (from `/proc`, hence on Linux only; elsewhere there is no limit). Should the work not come to an end soon
//! after it was told to, the watcher ends the process with the exit code for "undecided". A second Ctrl-C does so at
//! once.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use nearmiss_logic::stop::Stop;

use crate::exit::Exit;

/// How often memory and time are looked at.
const TICK: Duration = Duration::from_millis(20);

/// For what comes after the search.
const SECOND: Duration = Duration::from_secs(1);

/// Why the work was told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time is over.
    Time,
    /// Too much memory.
    Memory,
    /// Ctrl-C, or a signal to terminate.
    Interrupt,
}

/// The flag, and who set it.
#[derive(Clone)]
pub struct Limits {
    /// What the work looks at.
    pub stop: Stop,
    flag: Arc<AtomicBool>,
    reason: Arc<AtomicU8>,
    /// Taken by whoever speaks last: the answer or the watcher.
    last_word: Arc<AtomicBool>,
    phase: Arc<Mutex<String>>,
    timeout: Option<Duration>,
}

impl Limits {
    /// Starts to watch. `give_up` is called, in place of an answer, when the work does not stop in time; it must end
    /// the process.
    pub fn watch(
        timeout: Option<Duration>,
        memory: Option<u64>,
        give_up: impl Fn(Reason, &str) + Send + Sync + 'static,
    ) -> Limits {
        let flag = Arc::new(AtomicBool::new(false));
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        let limits = Limits {
            stop: Stop { flag: Some(Arc::clone(&flag)), deadline },
            flag,
            reason: Arc::new(AtomicU8::new(0)),
            last_word: Arc::new(AtomicBool::new(false)),
            phase: Arc::new(Mutex::new("reading".to_owned())),
            timeout,
        };
        let give_up = Arc::new(give_up);
        let interrupted = (limits.clone(), Arc::clone(&give_up));
        // Without a handler Ctrl-C ends the process, which is not worth an error.
        let _ = ctrlc::set_handler(move || {
            let (limits, give_up) = &interrupted;
            if limits.reason() == Some(Reason::Interrupt) {
                if limits.take_last_word() {
                    give_up(Reason::Interrupt, &limits.phase());
                }
                Exit::Undecided.leave();
            }
            limits.tell(Reason::Interrupt);
        });
        if limits.stop.deadline.is_some() || memory.is_some() {
            let watched = limits.clone();
            let grace = timeout.map_or(Duration::ZERO, |t| t / 5).max(Duration::from_secs(5));
            thread::spawn(move || watched.look(memory, grace, &*give_up));
        }
        limits
    }

    /// Why the work was told to stop, if it was.
    pub fn reason(&self) -> Option<Reason> {
        match self.reason.load(Ordering::SeqCst) {
            1 => Some(Reason::Time),
            2 => Some(Reason::Memory),
            3 => Some(Reason::Interrupt),
            // The work may have seen that the time was over before the watcher did.
            _ if self.stop.deadline.is_some_and(|deadline| Instant::now() >= deadline) => Some(Reason::Time),
            _ => None,
        }
    }

    /// When to stop what comes after the search: at Ctrl-C, or a second after the time is over (a twentieth of it, if that is more).
    pub fn last_moment(&self) -> Stop {
        let more = self.timeout.map_or(SECOND, |timeout| (timeout / 20).max(SECOND));
        match self.reason() {
            Some(_) => Stop::at(Instant::now() + more),
            None => Stop { deadline: self.stop.deadline.map(|deadline| deadline + more), ..self.stop.clone() },
        }
    }

    /// Says what is being done, for the message of the watcher.
    pub fn enter(&self, phase: &str) {
        if let Ok(mut current) = self.phase.lock() {
            phase.clone_into(&mut current);
        }
    }

    /// Called when there is an answer: from here on the watcher keeps quiet. Does not return if it has spoken already.
    pub fn settle(&self) {
        if !self.take_last_word() {
            loop {
                thread::park();
            }
        }
    }

    /// True once, for the thread that may print the answer.
    fn take_last_word(&self) -> bool {
        !self.last_word.swap(true, Ordering::SeqCst)
    }

    fn phase(&self) -> String {
        self.phase.lock().map(|phase| phase.clone()).unwrap_or_default()
    }

    fn tell(&self, reason: Reason) {
        let code = match reason {
            Reason::Time => 1,
            Reason::Memory => 2,
            Reason::Interrupt => 3,
        };
        // The first reason is the reason.
        let _ = self.reason.compare_exchange(0, code, Ordering::SeqCst, Ordering::SeqCst);
        self.flag.store(true, Ordering::SeqCst);
    }

    fn look(&self, memory: Option<u64>, grace: Duration, give_up: &dyn Fn(Reason, &str)) {
        loop {
            thread::sleep(TICK);
            let late = self.stop.deadline.and_then(|deadline| Instant::now().checked_duration_since(deadline));
            if late.is_some() {
                self.tell(Reason::Time);
            }
            let used = memory.and(resident_bytes()).unwrap_or(0);
            let excess = memory.is_some_and(|limit| used > limit);
            if excess {
                self.tell(Reason::Memory);
            }
            let far_too_late = late.is_some_and(|late| late > grace);
            let far_too_much = memory.is_some_and(|limit| used > limit.saturating_add(limit / 4 + (64 << 20)));
            if (far_too_late || far_too_much) && self.take_last_word() {
                give_up(self.reason().unwrap_or(Reason::Time), &self.phase());
            }
        }
    }
}

/// Memory in use, where the system tells.
fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
