//! Workers: each takes a task, does it, stores its result, and takes the next. The results do not stay in memory.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use nearmiss_suite::row::{Found, Stored};
use nearmiss_suite::task::Task;

use super::perform::Workplace;
use super::store::Store;

/// What became of a task.
pub struct Done {
    /// Its place among those that are to be done.
    pub place: usize,
    /// Under which name its result is kept.
    pub key: String,
    /// The small part of its result; or why there is none.
    pub found: Result<Found, String>,
    /// Why its result is not kept.
    pub unsaved: Option<String>,
}

/// Does all tasks, so many at once, and tells of each as soon as it is done. Ends early if it is told to.
pub fn run(
    tasks: &[&Task],
    workplace: &Workplace,
    store: &Store,
    (jobs, stop): (usize, &AtomicBool),
    tell: &mut dyn FnMut(Done),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs.min(tasks.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while !stop.load(Ordering::SeqCst) {
                    let place = next.fetch_add(1, Ordering::SeqCst);
                    let Some(task) = tasks.get(place) else { return };
                    let Some(done) = done(place, task, workplace, store, stop) else { return };
                    if sender.send(done).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for done in receiver {
            tell(done);
        }
    });
}

/// Does a task. None: it was told to stop.
fn done(place: usize, task: &Task, workplace: &Workplace, store: &Store, stop: &AtomicBool) -> Option<Done> {
    let result = match workplace.perform(task, stop) {
        Ok(result) => result?,
        Err(error) => {
            let why = format!("it cannot be started: {error}");
            return Some(Done { place, key: String::new(), found: Err(why), unsaved: None });
        }
    };
    let key = result["key"].as_str().unwrap_or_default().to_owned();
    let unsaved = store.save(&key, &result).err().map(|error| error.to_string());
    // As it is read back.
    let text = result.to_string();
    let found = Stored::of(&text, &key).and_then(|stored| stored.found());
    let found = found.ok_or_else(|| "its result cannot be read back".to_owned());
    Some(Done { place, key, found, unsaved })
}
