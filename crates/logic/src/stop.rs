//! When long work has to end: the one vocabulary for stopping, from the command line down to the solver.
//!
//! Work that was stopped says so and returns what is known by then. What is *told* never depends on this: efforts are counted
//! (conflicts, steps), and only the end of all time is a moment.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The reasons from outside to stop. The default is never.
#[derive(Clone, Default, Debug)]
pub struct Stop {
    /// Stop as soon as this is raised, by any thread.
    pub flag: Option<Arc<AtomicBool>>,
    /// Stop at this moment.
    pub deadline: Option<Instant>,
}

impl Stop {
    /// Stop at this moment.
    pub fn at(deadline: Instant) -> Stop {
        Stop { flag: None, deadline: Some(deadline) }
    }

    /// Stop as soon as this is raised, by any thread.
    pub fn when(flag: Arc<AtomicBool>) -> Stop {
        Stop { flag: Some(flag), deadline: None }
    }

    /// Is it time to stop?
    pub fn requested(&self) -> bool {
        self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// These reasons and, where there are none of a kind, those of another.
    pub fn or(self, other: Stop) -> Stop {
        Stop { flag: self.flag.or(other.flag), deadline: self.deadline.or(other.deadline) }
    }
}

/// Work that ended because it was told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it was told to stop")
    }
}

impl Error for Interrupted {}
