//! One task: its process, and where failures are grouped a second one that asks under which condition it fails. What ends it
//! from outside is no result, so it is done again; what it does to itself is one.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use nearmiss_suite::result::{self, Ended};
use nearmiss_suite::task::{Command, Task};
use serde_json::Value;

use super::contents::Contents;
use super::process::{self, Started};
use crate::settings::suite::time_of;

/// How often a task is begun whose files change meanwhile.
const MOST_TRIES: usize = 3;
/// How often a process is started that is killed from outside.
const MOST_KILLED: usize = 8;

/// Where tasks are done, and with what.
pub struct Workplace {
    /// The tool: this one.
    pub tool: PathBuf,
    /// Its hash.
    pub version: String,
    /// The folder of the suite.
    pub folder: PathBuf,
    /// Threads for each task.
    pub threads: u16,
    /// Megabytes for a task that says nothing of its memory.
    pub memory: Option<u64>,
}

impl Workplace {
    /// Does a task. None: it was told to stop. The result says under which key it is kept.
    pub fn perform(&self, task: &Task, stop: &AtomicBool) -> io::Result<Option<Value>> {
        let mut key = self.key(task);
        let mut tries = 0;
        loop {
            tries += 1;
            let started = Instant::now();
            let Some(ended) = self.insisted(&task.argv, stop)? else { return Ok(None) };
            // Only of what fails one asks when.
            let focus = match &task.focus {
                Some(argv) if ended.exit == Some(10) => match self.insisted(argv, stop)? {
                    Some(ended) => Some(ended),
                    None => return Ok(None),
                },
                _ => None,
            };
            let after = self.key(task);
            if after == key || tries == MOST_TRIES {
                let seconds = started.elapsed().as_secs_f64();
                return Ok(Some(result::of(task, &key, &ended, focus.as_ref(), seconds)));
            }
            key = after;
        }
    }

    /// The key of a task, with the files as they are now.
    fn key(&self, task: &Task) -> String {
        Contents::default().key(&self.version, &self.folder, task)
    }

    /// Runs a command line, and again if somebody kills it.
    fn insisted(&self, argv: &[String], stop: &AtomicBool) -> io::Result<Option<Ended>> {
        let scratch = tempfile::Builder::new().prefix("nearmiss-").tempdir()?;
        let argv_of_task = self.argv(argv);
        let started = Started {
            tool: &self.tool,
            argv: &argv_of_task,
            folder: &self.folder,
            scratch: scratch.path(),
            patience: time_of(argv).map(patience),
        };
        let mut tries = 1;
        loop {
            let ended = process::run(&started, stop)?;
            match &ended {
                Some(last) if last.is_killed() && tries < MOST_KILLED => tries += 1,
                _ => return Ok(ended),
            }
        }
    }

    /// What is added stands first: what the task says of the same counts more.
    fn argv(&self, argv: &[String]) -> Vec<String> {
        let Some((command, rest)) = argv.split_first() else { return Vec::new() };
        let mut all = vec![command.clone(), "--record".to_owned()];
        if command != Command::Causes.name() {
            all.push(format!("--threads={}", self.threads));
            all.extend(self.memory.map(|memory| format!("--memory={memory}")));
        }
        all.extend_from_slice(rest);
        all
    }
}

/// A task ends by itself when its time is over, and has a little more to say what it knows. Behind that it hangs.
fn patience(time: Duration) -> Duration {
    time + (time / 2).max(Duration::from_secs(10))
}
