//! Stack enough for formulas that are nested deep.
//!
//! Parser and translation follow the nesting of a formula. A thread of the caller may have little stack, so what is deep is
//! worked on in one of our own. Cost: a thread for each text of more than a line or so.

use std::thread;

/// Levels that fit the smallest stack that threads usually have.
const SHALLOW: u32 = 60;
/// What the deepest formula needs, several times over.
const STACK: usize = 128 << 20;

/// Does work on something of so many levels, or fewer.
pub(super) fn with_room<T: Send>(levels: u32, work: impl Fn() -> T + Send + Sync) -> T {
    if levels <= SHALLOW {
        return work();
    }
    thread::scope(|scope| match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &work) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        // No thread is to be had: what is here has to do.
        Err(_) => work(),
    })
}
