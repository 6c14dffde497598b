//! One process of this tool for a task: started, read, and ended with all that it has started.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use nearmiss_suite::result::Ended;
use rustix::process::{Pid, Signal, kill_process_group, set_parent_process_death_signal};

/// No answer that a suite keeps is larger.
const LARGEST: usize = 256 << 20;
/// So much of what is said on standard error is kept: its end.
const KEPT: usize = 64 << 10;
/// How often it is looked whether to stop.
const TICK: Duration = Duration::from_millis(20);

/// For a task: it ends with the process that has started it, however that ends.
pub fn end_with_the_suite() {
    // Where the system cannot do that, it goes on to its own end.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

/// What to start, and how long to wait for it.
pub struct Started<'a> {
    /// The tool.
    pub tool: &'a Path,
    /// What is typed behind its name.
    pub argv: &'a [String],
    /// Where it runs.
    pub folder: &'a Path,
    /// A folder for what it needs meanwhile.
    pub scratch: &'a Path,
    /// When it is ended, if it has not ended by itself.
    pub patience: Option<Duration>,
}

/// Runs it. None: it was told to stop.
pub fn run(started: &Started, stop: &AtomicBool) -> io::Result<Option<Ended>> {
    let mut command = Command::new(started.tool);
    command.args(started.argv).current_dir(started.folder).env("TMPDIR", started.scratch);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own: Ctrl-C is for the suite, which then ends its tasks.
    let mut child = command.process_group(0).spawn()?;
    let deadline = started.patience.map(|patience| Instant::now() + patience);
    let printed = read(child.stdout.take(), Keep::Start(LARGEST));
    let said = read(child.stderr.take(), Keep::End(KEPT));
    let mut ended = Ended::default();
    let mut output = None;
    while output.is_none() {
        match printed.recv_timeout(TICK) {
            Ok(bytes) => output = Some(bytes),
            Err(RecvTimeoutError::Disconnected) => output = Some(Vec::new()),
            Err(RecvTimeoutError::Timeout) => {
                ended.is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
                if stop.load(Ordering::SeqCst) || ended.is_late {
                    end(&mut child)?;
                    if !ended.is_late {
                        return Ok(None);
                    }
                    // What it has started may hold the pipe open.
                    output = Some(printed.recv_timeout(Duration::from_secs(1)).unwrap_or_default());
                }
            }
        }
    }
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            ended.is_late = true;
            end(&mut child)?;
        }
        thread::sleep(Duration::from_micros(200));
    };
    ended.printed = output.unwrap_or_default();
    ended.is_cut = ended.printed.len() > LARGEST;
    ended.said = String::from_utf8_lossy(&said.recv_timeout(Duration::from_secs(1)).unwrap_or_default()).into_owned();
    (ended.exit, ended.signal) = (status.code(), status.signal());
    Ok(Some(ended))
}

/// Ends it and its group, and waits for it.
fn end(child: &mut Child) -> io::Result<()> {
    // It may just have ended by itself.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    child.wait().map(drop)
}

/// What is kept of what is read.
#[derive(Clone, Copy)]
enum Keep {
    /// The start, and a byte more where there is more.
    Start(usize),
    /// The end.
    End(usize),
}

/// Reads everything on a thread of its own; who has waited long enough need not wait for it.
fn read(from: Option<impl Read + Send + 'static>, keep: Keep) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut kept = VecDeque::new();
        let mut buffer = vec![0; 64 << 10];
        if let Some(mut from) = from {
            while let Ok(length) = from.read(&mut buffer)
                && length > 0
            {
                match keep {
                    Keep::Start(most) => {
                        let room = (most + 1).saturating_sub(kept.len());
                        kept.extend(&buffer[..length.min(room)]);
                    }
                    Keep::End(most) => {
                        kept.extend(&buffer[..length]);
                        let excess = kept.len().saturating_sub(most);
                        kept.drain(..excess);
                    }
                }
            }
        }
        // Nobody may be waiting any more.
        let _ = sender.send(kept.into());
    });
    receiver
}
