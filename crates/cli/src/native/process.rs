//! Compiling and running under limits.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A compiler or a program that takes longer is stopped.
pub const TIME: Duration = Duration::from_secs(10);
/// A program that goes on for ever and reads nothing is watched for so long.
pub const TIME_OF_SILENCE: Duration = Duration::from_secs(1);
/// Memory of the program in kilobytes. Sanitizers reserve terabytes, hence run without this limit.
const MEMORY: u64 = 4 << 20;
/// Its stack in kilobytes, where the system grants so much: the interpreter's is not small either.
const STACK: u64 = 1 << 20;
/// So much of what it prints is kept: its end.
const KEPT: usize = 256 << 10;

/// Whether the program carries sanitizers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// As it is.
    Plain,
    /// With sanitizers.
    Sanitized,
}

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    /// Its status; none if the time was over.
    pub status: Option<ExitStatus>,
    /// The end of what it printed to standard error.
    pub messages: String,
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

/// Runs a compiled program in a folder of its own; it is told which of the runs that it holds is wanted.
pub fn run(program: &Path, folder: &Path, build: Build, number: usize, time: Duration) -> io::Result<Ended> {
    let mut command = limited(program, folder, build);
    command.env(super::harness::RUN, number.to_string());
    finish_within(command, time)
}

/// Runs a compiled program in a folder; also the end of what it prints to standard output.
pub fn run_and_read(program: &Path, folder: &Path, build: Build) -> io::Result<(Ended, String)> {
    let mut child =
        limited(program, folder, build).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let stdout = child.stdout.take();
    let printed = thread::spawn(move || stdout.map(tail).unwrap_or_default());
    let status = wait(&mut child, TIME)?;
    let printed = printed.join().unwrap_or_default();
    Ok((Ended { status, messages: String::new() }, printed))
}

/// A compiled program that cannot take too much.
fn limited(program: &Path, folder: &Path, build: Build) -> Command {
    let memory = match build {
        Build::Plain => format!("ulimit -v {MEMORY};"),
        Build::Sanitized => String::new(),
    };
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("ulimit -c 0; ulimit -f 200000; ulimit -s {STACK} 2>/dev/null; {memory} exec \"$0\""))
        .arg(program);
    command.current_dir(folder);
    // Memory that the run does not say anything of is zero.
    command.env("MALLOC_PERTURB_", "255");
    command.env(
        "ASAN_OPTIONS",
        "detect_leaks=0:detect_stack_use_after_return=1:malloc_fill_byte=0:max_malloc_fill_size=1073741824:\
         allocator_may_return_null=1:color=never:symbolize=1",
    );
    command.env("UBSAN_OPTIONS", "color=never:print_stacktrace=0");
    command
}

/// Waits for a process, for as long as is reasonable.
pub fn finish(command: Command) -> io::Result<Ended> {
    finish_within(command, TIME)
}

fn finish_within(mut command: Command, time: Duration) -> io::Result<Ended> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let stderr = child.stderr.take();
    let messages = thread::spawn(move || stderr.map(tail).unwrap_or_default());
    let status = wait(&mut child, time)?;
    let messages = messages.join().unwrap_or_default();
    Ok(Ended { status, messages })
}

fn wait(child: &mut Child, time: Duration) -> io::Result<Option<ExitStatus>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() > time {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

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
