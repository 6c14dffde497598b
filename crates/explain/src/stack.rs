//! A stack large enough for everything here: deeply nested programs are read, executed and printed by recursion.

use std::iter;
use std::panic;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The memory is only reserved until it is used.
const LARGEST: usize = 1 << 30;
/// With less than this the caller's own stack is as good.
const SMALLEST: usize = 8 << 20;

/// Does the work on a thread of its own with a stack of 1 GiB, or as much as the system gives, and waits for it. A panic
/// goes on in the caller.
pub fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let work = Mutex::new(Some(work));
    let once = || {
        let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        work.expect("only one thread comes to be")()
    };
    let sizes = iter::successors(Some(LARGEST), |size| (*size > SMALLEST).then_some(size / 2));
    thread::scope(|scope| {
        let mut workers =
            sizes.filter_map(|size| thread::Builder::new().stack_size(size).spawn_scoped(scope, once).ok());
        match workers.next().map(thread::ScopedJoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(panicked)) => panic::resume_unwind(panicked),
            None => once(),
        }
    })
}
