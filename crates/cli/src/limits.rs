//! When to stop: the time given, the memory given, Ctrl-C.
//!
//! All three set one flag that the long work looks at; it then returns what is known. A watcher thread measures the
//! memory (from `/proc`, hence on Linux only; elsewhere there is no limit). Some work never looks at the flag: the front
//! end, a single step on a very large object. Should it not come to an end within a second after it was told to, or a
//! twentieth of the time given, the watcher ends the process with the exit code for "undecided". Where a failing run is
//! known, it waits longer, since what was found out is then being told. A second Ctrl-C ends the process at once; two
//! signals in one blow are one, as `timeout` sends them to its child and to the group of it. The work is told to stop a
//! little before the memory is used up, and is ended a little after that.
//!
//! Who asks by the library has no process that may end: there the work is told that somebody else has spoken, ends where it stands as soon
//! as it comes to its answer, and signals are left to the program.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use nearmiss_logic::stop::Stop;

use crate::exit::Exit;
use crate::listener::Listener;

/// How often memory and time are looked at.
const TICK: Duration = Duration::from_millis(10);

/// How long work may go on after it was told to stop, at least.
const SECOND: Duration = Duration::from_secs(1);

/// How long telling what is known may take, at least.
const TELLING: Duration = Duration::from_secs(5);

/// Signals that come within this time are one. Nobody presses Ctrl-C as fast.
const BLOW: Duration = Duration::from_millis(100);

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

impl Reason {
    /// In words, given the limits.
    pub fn told(self, timeout: Option<Duration>, memory: Option<u64>) -> String {
        match self {
            Reason::Time => {
                let seconds = timeout.unwrap_or_default().as_secs_f64();
                format!("the time of {seconds} s was over (--timeout)")
            }
            Reason::Memory => {
                format!("the memory of {} MB was used up (--memory)", memory.unwrap_or_default() >> 20)
            }
            Reason::Interrupt => "it was interrupted".to_owned(),
        }
    }
}

/// What becomes of a signal to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signals {
    /// The work is told to stop, and what is known is told.
    Stop,
    /// The process ends at once: a task of a suite, which is done again.
    End,
}

impl Signals {
    /// Of a task of a suite, or of anything else.
    pub fn of(is_task: bool) -> Signals {
        if is_task { Signals::End } else { Signals::Stop }
    }
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
    /// When the work was told to stop.
    told: Arc<OnceLock<Instant>>,
    /// When the first signal came.
    interrupted: Arc<OnceLock<Instant>>,
    /// How long it may go on after the time is over.
    grace: Duration,
    /// Whether a failing run is known.
    fails: Arc<AtomicBool>,
    listener: Listener,
}

impl Limits {
    /// Starts to watch. `give_up` is called, in place of an answer, when the work does not stop in time; it must end
    /// the process, or the work by unwinding.
    pub fn watch(
        timeout: Option<Duration>,
        memory: Option<u64>,
        (signals, listener): (Signals, &Listener),
        give_up: impl Fn(Reason, &str) + Send + Sync + 'static,
    ) -> Limits {
        let flag = Arc::new(AtomicBool::new(false));
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        let limits = Limits {
            stop: Stop::new(Some(Arc::clone(&flag)), deadline),
            flag,
            reason: Arc::new(AtomicU8::new(0)),
            last_word: Arc::new(AtomicBool::new(false)),
            phase: Arc::new(Mutex::new("reading".to_owned())),
            told: Arc::new(OnceLock::new()),
            interrupted: Arc::new(OnceLock::new()),
            grace: timeout.map_or(SECOND, |timeout| (timeout / 20).max(SECOND)),
            fails: Arc::new(AtomicBool::new(false)),
            listener: listener.clone(),
        };
        let give_up = Arc::new(give_up);
        if signals == Signals::Stop && matches!(listener, Listener::Process) {
            limits.handle_signals(Arc::clone(&give_up));
        }
        let watched = limits.clone();
        thread::spawn(move || watched.look(memory, &*give_up));
        limits
    }

    /// At Ctrl-C stops the work, and at the second one the process.
    fn handle_signals(&self, give_up: Arc<impl Fn(Reason, &str) + Send + Sync + 'static>) {
        let limits = self.clone();
        // Without a handler Ctrl-C ends the process, which is not worth an error.
        let _ = ctrlc::set_handler(move || {
            if limits.is_second_signal(Instant::now()) {
                if limits.take_last_word() {
                    give_up(Reason::Interrupt, &limits.phase());
                }
                Exit::Undecided.leave();
            }
            limits.tell(Reason::Interrupt);
        });
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

    /// When to stop what comes after the search: at Ctrl-C, or a second after the work was told to stop (after the time
    /// given a twentieth of it, if that is more).
    pub fn last_moment(&self) -> Stop {
        let over = self.stop.deadline.filter(|deadline| Instant::now() >= *deadline);
        match self.told.get().copied().or(over) {
            Some(told) => Stop::at(told + self.grace()),
            None => Stop::new(self.stop.flag.clone(), self.stop.deadline.map(|deadline| deadline + self.grace)),
        }
    }

    /// How long work may go on after it was told to stop. Somebody who interrupts waits for the end of it.
    fn grace(&self) -> Duration {
        if self.reason() == Some(Reason::Time) { self.grace } else { SECOND }
    }

    /// Has there been a signal before this one, not in the same blow?
    fn is_second_signal(&self, now: Instant) -> bool {
        now.duration_since(*self.interrupted.get_or_init(|| now)) > BLOW
    }

    /// From now on a failing run is known.
    pub fn know_failure(&self) {
        self.fails.store(true, Ordering::SeqCst);
    }

    /// Is a failing run known?
    fn knows_failure(&self) -> bool {
        self.fails.load(Ordering::SeqCst)
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
            self.listener.keep_quiet();
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
        let _ = self.told.set(Instant::now());
        // The first reason is the reason.
        let _ = self.reason.compare_exchange(0, code, Ordering::SeqCst, Ordering::SeqCst);
        self.flag.store(true, Ordering::SeqCst);
    }

    fn look(&self, memory: Option<u64>, give_up: &dyn Fn(Reason, &str)) {
        while !self.listener.is_over() {
            thread::sleep(TICK);
            if self.listener.is_interrupted() {
                self.tell(Reason::Interrupt);
            }
            if self.stop.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.tell(Reason::Time);
            }
            let used = memory.and(resident_bytes()).unwrap_or(0);
            let margin = memory.unwrap_or(0) / 20;
            if memory.is_some_and(|limit| used > limit - margin) {
                self.tell(Reason::Memory);
            }
            let grace = if self.knows_failure() { TELLING.max(4 * self.grace()) } else { self.grace() };
            let far_too_late = self.told.get().is_some_and(|told| told.elapsed() > grace);
            let far_too_much = memory.is_some_and(|limit| used > limit.saturating_add(margin));
            if (far_too_late || far_too_much) && self.take_last_word() {
                let reason = if far_too_much { Reason::Memory } else { self.reason().unwrap_or(Reason::Time) };
                give_up(reason, &self.phase());
            }
        }
    }
}

/// The limit on memory where none is given: half of what the machine has, or of what this process may have of it.
pub fn usual_memory() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| kilobytes(&text, "MemTotal:"));
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    machine.into_iter().chain(group).min().map(|bytes| bytes / 2)
}

/// Memory in use, where the system tells.
fn resident_bytes() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// The bytes that a line of a text of the system tells of.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_memory_is_half_of_the_machines_at_most() {
        let text = fs::read_to_string("/proc/meminfo").expect("Linux");
        let machine = kilobytes(&text, "MemTotal:").expect("a line");
        assert!(usual_memory().is_some_and(|usual| 0 < usual && usual <= machine / 2));
        assert_eq!(kilobytes("VmRSS:\t  12 kB\n", "VmRSS:"), Some(12 << 10));
    }

    #[test]
    fn two_signals_in_one_blow_are_one() {
        let limits = Limits::watch(None, None, (Signals::Stop, &Listener::Process), |_, _| {});
        let first = Instant::now();
        assert!(!limits.is_second_signal(first) && !limits.is_second_signal(first + BLOW / 2));
        assert!(limits.is_second_signal(first + 2 * BLOW));
        limits.settle();
    }

    #[test]
    fn what_comes_after_the_search_ends_a_second_after_the_time() {
        let limits =
            Limits::watch(Some(Duration::from_secs(100)), None, (Signals::Stop, &Listener::Process), |_, _| {});
        let deadline = limits.stop.deadline.expect("a time was given");
        assert_eq!(limits.last_moment().deadline, Some(deadline + Duration::from_secs(5)));
        limits.tell(Reason::Interrupt);
        let last = limits.last_moment().deadline.expect("it was told to stop");
        assert!(last <= Instant::now() + SECOND && limits.reason() == Some(Reason::Interrupt));
        limits.settle();
    }
}
