//! Work on another core, beside what goes on here.
//!
//! What is told never depends on it: work that may be done beside other work shares nothing with it but what neither
//! changes, so one thread that does one after the other comes to the same answers.

use std::panic;
use std::thread;

use crate::stack;

/// Whether there may be other threads: one is none, and more than one are as many as there is to do at once, at most five.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads(pub usize);

impl Default for Threads {
    /// As many as there are cores.
    fn default() -> Threads {
        Threads(thread::available_parallelism().map_or(1, usize::from))
    }
}

impl Threads {
    /// Is there another one to do something beside?
    pub fn are_many(self) -> bool {
        self.0 > 1
    }

    /// Two pieces of work, at the same time if there are threads for it.
    pub fn both<A: Send, B>(self, beside: impl FnOnce() -> A + Send, here: impl FnOnce() -> B) -> (A, B) {
        if !self.are_many() {
            let done = beside();
            return (done, here());
        }
        thread::scope(|scope| {
            let worker = scope.spawn(|| stack::on_a_large_stack(beside));
            let here = here();
            (joined(worker.join()), here)
        })
    }
}

/// The result of work that goes on beside, or that is done when the result is wanted.
pub enum Later<T> {
    /// It goes on.
    Running(thread::JoinHandle<T>),
    /// Nobody has begun.
    Waiting(Box<dyn FnOnce() -> T + Send>),
}

impl<T: Send + 'static> Later<T> {
    /// Begins, if there is a thread for it.
    pub fn begin(threads: Threads, work: impl FnOnce() -> T + Send + 'static) -> Later<T> {
        if threads.are_many() { Later::Running(thread::spawn(work)) } else { Later::Waiting(Box::new(work)) }
    }

    /// The result, when it is there.
    pub fn wait(self) -> T {
        match self {
            Later::Running(worker) => joined(worker.join()),
            Later::Waiting(work) => work(),
        }
    }
}

/// A panic goes on in the one who waits.
fn joined<T>(result: thread::Result<T>) -> T {
    result.unwrap_or_else(|panicked| panic::resume_unwind(panicked))
}
