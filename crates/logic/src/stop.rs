//! When long work has to end: the one vocabulary for stopping, from the command line down to the solver.
//!
//! Work that was stopped says so and returns what is known by then. What is *told* never depends on this: efforts are counted
//! (conflicts, steps), and only the end of all time is a moment. Effort that several questions share is counted here.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Instant;

/// The reasons from outside to stop. The default is never.
#[derive(Clone, Default, Debug)]
pub struct Stop {
    /// Stop as soon as this is raised, by any thread.
    pub flag: Option<Arc<AtomicBool>>,
    /// Stop at this moment.
    pub deadline: Option<Instant>,
    /// Conflicts that are left, for all who were given a clone of this.
    conflicts: Option<Arc<AtomicU64>>,
    /// Stop as soon as nobody wants the result any more.
    wanted: Option<Weak<()>>,
}

/// Held by who wants the result of work: where it is dropped, that may [stop](Stop::while_wanted).
#[derive(Debug)]
pub struct Wanted(#[expect(dead_code, reason = "that it is there is all that it says")] Arc<()>);

impl Stop {
    /// Stop when the flag is raised, and at this moment.
    pub fn new(flag: Option<Arc<AtomicBool>>, deadline: Option<Instant>) -> Stop {
        Stop { flag, deadline, ..Stop::default() }
    }

    /// Stop at this moment.
    pub fn at(deadline: Instant) -> Stop {
        Stop { deadline: Some(deadline), ..Stop::default() }
    }

    /// Stop as soon as this is raised, by any thread.
    pub fn when(flag: Arc<AtomicBool>) -> Stop {
        Stop { flag: Some(flag), ..Stop::default() }
    }

    /// Is it time to stop?
    pub fn requested(&self) -> bool {
        self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.conflicts_left() == Some(0)
            || self.wanted.as_ref().is_some_and(|wanted| wanted.strong_count() == 0)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The same reasons, and so many conflicts in all questions that are asked with clones of the result. Among many clauses one counts for
    /// several.
    pub fn within(&self, conflicts: u64) -> Stop {
        Stop { conflicts: Some(Arc::new(AtomicU64::new(conflicts))), ..self.clone() }
    }

    /// The same reasons, and that what is returned beside is dropped: nobody waits for the result then.
    pub fn while_wanted(&self) -> (Stop, Wanted) {
        let wanted = Arc::new(());
        (Stop { wanted: Some(Arc::downgrade(&wanted)), ..self.clone() }, Wanted(wanted))
    }

    /// Whether there is any reason to stop before the work is done, effort aside.
    pub(crate) fn may_come(&self) -> bool {
        self.flag.is_some() || self.deadline.is_some() || self.wanted.is_some()
    }

    /// The same reasons, but only half of the time that is left.
    pub fn halfway(&self) -> Stop {
        let half = self.deadline.map(|deadline| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now) / 2
        });
        Stop { deadline: half, ..self.clone() }
    }

    /// How many conflicts are left, where they are counted.
    pub(crate) fn conflicts_left(&self) -> Option<u64> {
        self.conflicts.as_ref().map(|left| left.load(Ordering::Relaxed))
    }

    /// So many of them are used up.
    pub(crate) fn spend(&self, conflicts: u64) {
        if let (Some(left), Some(before)) = (&self.conflicts, self.conflicts_left()) {
            left.store(before.saturating_sub(conflicts), Ordering::Relaxed);
        }
    }

    /// These reasons and, where there are none of a kind, those of another.
    pub fn or(self, other: Stop) -> Stop {
        Stop {
            flag: self.flag.or(other.flag),
            deadline: self.deadline.or(other.deadline),
            conflicts: self.conflicts.or(other.conflicts),
            wanted: self.wanted.or(other.wanted),
        }
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

#[cfg(test)]
mod tests {
    use super::Stop;

    #[test]
    fn work_stops_where_nobody_wants_it_any_more() {
        let (stop, wanted) = Stop::default().while_wanted();
        let beside = stop.clone().or(Stop::default()).within(10);
        assert!(stop.may_come() && !stop.requested() && !beside.requested());
        drop(wanted);
        assert!(stop.requested() && beside.requested() && !Stop::default().requested());
    }
}
