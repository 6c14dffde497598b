//! Compiling and running under limits.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nearmiss_logic::stop::Stop;
use rustix::process::{Pid, Signal, kill_process_group};

use super::sandbox::{Build, Sandbox};

/// A compiler or a program that takes longer is stopped.
pub const TIME: Duration = Duration::from_secs(10);
/// A program that goes on for ever and reads nothing is watched for so long.
pub const TIME_OF_SILENCE: Duration = Duration::from_secs(1);
/// A test that takes longer is stopped.
pub const TIME_OF_TEST: Duration = Duration::from_secs(2);
/// So much of what it prints is kept: its end.
const KEPT: usize = 256 << 10;

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    /// Its status; or why nobody waited for it.
    pub status: Result<ExitStatus, Late>,
    /// The end of what it printed to standard error.
    pub messages: String,
}

/// Why a process was ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Late {
    /// It took longer than such a process may.
    TooSlow,
    /// Nobody has time for it: the time given is over, or it was interrupted.
    Stopped,
}

impl Late {
    /// In words: why this one was ended.
    pub fn of(self, who: &str) -> String {
        match self {
            Late::TooSlow => format!("{who} did not end within {} s", TIME.as_secs()),
            Late::Stopped => format!("there was no time left for {who}"),
        }
    }
}

impl fmt::Display for Late {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.of("it"))
    }
}

/// The compiler to use: what `CC` says, or `cc`. `CC` may hold arguments.
pub fn compiler() -> Command {
    let words = std::env::var("CC").unwrap_or_default();
    let mut words = words.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words);
    // Messages are looked into, hence must not be translated.
    command.env("LC_ALL", "C");
    command
}

/// A compiled program, and how it is to run.
#[derive(Clone, Copy)]
pub struct Compiled<'a> {
    /// Where it is.
    pub program: &'a Path,
    /// What it may do.
    pub sandbox: Sandbox,
    /// What it may take.
    pub build: Build,
    /// When nobody waits for it any longer.
    pub stop: &'a Stop,
}

impl Compiled<'_> {
    /// Runs it in a folder of its own; it is told which of the runs that it holds is wanted.
    pub fn run(
        &self,
        folder: &Path,
        number: usize,
        (input, arguments): (&[u8], &[String]),
        time: Duration,
    ) -> io::Result<Ended> {
        let mut command = self.command(folder)?;
        command.env(super::harness::RUN, number.to_string());
        command.args(arguments);
        if input.is_empty() {
            return finish_within(command, time, self.stop);
        }
        let mut file = tempfile::tempfile()?;
        file.write_all(input)?;
        file.rewind()?;
        finish_fed(command, file.into(), time, self.stop)
    }

    /// Runs it in a folder of its own; also the end of what it prints to standard output.
    pub fn run_and_read(&self) -> io::Result<(Ended, String)> {
        let folder = tempfile::Builder::new().prefix("nearmiss-").tempdir()?;
        let mut command = self.command(folder.path())?;
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let stdout = child.stdout.take();
        let printed = thread::spawn(move || stdout.map(tail).unwrap_or_default());
        let status = wait(&mut child, TIME, self.stop)?;
        let printed = printed.join().unwrap_or_default();
        Ok((Ended { status, messages: String::new() }, printed))
    }

    /// Runs it in a folder of its own with some text on standard input; also the beginning of what it prints to standard output.
    pub fn run_on(&self, folder: &Path, input: &[u8], arguments: &[String]) -> io::Result<(Ended, Vec<u8>)> {
        let mut file = tempfile::tempfile()?;
        file.write_all(input)?;
        file.rewind()?;
        let mut command = self.command(folder)?;
        command.args(arguments).stdin(file).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let stdout = child.stdout.take();
        let printed = thread::spawn(move || stdout.map(head).unwrap_or_default());
        let status = wait(&mut child, TIME_OF_TEST, self.stop)?;
        Ok((Ended { status, messages: String::new() }, printed.join().unwrap_or_default()))
    }

    fn command(&self, folder: &Path) -> io::Result<Command> {
        let mut command = self.sandbox.command(self.program, folder, self.build)?;
        command.stdin(Stdio::null()).process_group(0);
        // Nothing of the user's surroundings is told to it.
        command.env_clear();
        // Memory that the run does not say anything of is zero.
        command.env("MALLOC_PERTURB_", "255");
        command.env(
            "ASAN_OPTIONS",
            "detect_leaks=0:detect_stack_use_after_return=1:malloc_fill_byte=0:max_malloc_fill_size=1073741824:\
             allocator_may_return_null=1:color=never:symbolize=1",
        );
        command.env("UBSAN_OPTIONS", "color=never:print_stacktrace=0");
        Ok(command)
    }
}

/// Waits for a compiler, for as long as is reasonable.
pub fn finish(command: Command, stop: &Stop) -> io::Result<Ended> {
    finish_within(command, TIME, stop)
}

fn finish_within(command: Command, time: Duration, stop: &Stop) -> io::Result<Ended> {
    finish_fed(command, Stdio::null(), time, stop)
}

fn finish_fed(mut command: Command, input: Stdio, time: Duration, stop: &Stop) -> io::Result<Ended> {
    command.stdin(input).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    let stderr = child.stderr.take();
    let messages = thread::spawn(move || stderr.map(tail).unwrap_or_default());
    let status = wait(&mut child, time, stop)?;
    let messages = messages.join().unwrap_or_default();
    Ok(Ended { status, messages })
}

/// Waits for a process that leads a group. Whoever takes too long ends with all that it has started.
fn wait(child: &mut Child, time: Duration, stop: &Stop) -> io::Result<Result<ExitStatus, Late>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ok(status));
        }
        let is_stopped = stop.requested();
        if started.elapsed() > time || is_stopped {
            // It may just have ended by itself.
            let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
            child.wait()?;
            return Ok(Err(if is_stopped { Late::Stopped } else { Late::TooSlow }));
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Reads everything and keeps the beginning.
fn head(mut from: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut buffer = [0; 8192];
    while let Ok(length) = from.read(&mut buffer) {
        if length == 0 {
            break;
        }
        kept.extend(&buffer[..length.min(LARGEST_OUTPUT.saturating_sub(kept.len()))]);
    }
    kept
}

/// So much of what a test prints is kept.
const LARGEST_OUTPUT: usize = 64 << 20;

/// Reads everything and keeps the end.
fn tail(mut from: impl Read) -> String {
    let mut kept = VecDeque::new();
    let mut buffer = [0; 8192];
    while let Ok(length) = from.read(&mut buffer) {
        if length == 0 {
            break;
        }
        kept.extend(&buffer[..length]);
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }
    String::from_utf8_lossy(kept.make_contiguous()).into_owned()
}
