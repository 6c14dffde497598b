//! A stack large enough for everything here: deeply nested programs are read, executed and printed by recursion.

use std::panic;
use std::thread;

/// The memory is only reserved until it is used.
const SIZE: usize = 1 << 30;

/// Does the work on a thread of its own with a large stack, and waits for it. A panic goes on in the caller.
pub(crate) fn large<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(SIZE).spawn_scoped(scope, work);
        match worker.expect("the system gives threads").join() {
            Ok(result) => result,
            Err(panicked) => panic::resume_unwind(panicked),
        }
    })
}
