//! Where text goes: answers to standard output or a file, and what is wrong to standard error.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Context, Result};
use nearmiss_program::source::{Diagnostic, Severity, Sources};
use nearmiss_report::Paint;
use nearmiss_report::view::Detail;

use crate::args::output::Color;
use crate::exit::Exit;
use crate::paint::{Stream, choose};

/// Where text goes, and how much of it.
#[derive(Clone, Debug)]
pub struct Output {
    /// The file for the answer; standard output if none is named, or `-`.
    pub path: Option<String>,
    /// How much is said.
    pub detail: Detail,
    /// When to colour.
    pub color: Color,
}

impl Output {
    /// Writes an answer.
    pub fn write(&self, text: &str) -> Result<()> {
        if let Some(path) = self.path.as_deref().filter(|path| *path != "-") {
            return fs::write(path, text).with_context(|| format!("{path} cannot be written"));
        }
        print(text)
    }

    /// Whether the answer goes into this file, by whatever name.
    pub fn overwrites(&self, file: &Path) -> bool {
        self.path.as_ref().is_some_and(|path| is_same_file(Path::new(path), file))
    }

    /// Whether an answer is coloured.
    pub fn paint(&self) -> Paint {
        choose(self.color, if self.path.is_some() { Stream::File } else { Stream::Output })
    }

    /// Prints errors and, unless quiet, warnings to standard error.
    pub fn complain(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        let paint = choose(self.color, Stream::Error);
        for diagnostic in diagnostics {
            if diagnostic.severity == Severity::Error || self.detail > Detail::Quiet {
                complain(&format!("{}\n", nearmiss_report::diagnostic::render(diagnostic, sources, paint)));
            }
        }
    }
}

/// Whether two names are of one file, which is there.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let identity =
        |path: &Path| fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|data| (data.dev(), data.ino()));
    identity(one).is_some_and(|one| Some(one) == identity(other))
}

/// Writes to standard output. A reader who has gone away is no error.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("standard output cannot be written")
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error. A reader who has gone away is no error.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Says that something went wrong that never should, and how the process then ends.
pub fn internal_error(what: &str) -> Exit {
    complain(&format!(
        "internal error: {what}\n\n\
         This is a bug in nearmiss {}, not in your program.\n\
         Please report it with this message, the command line and the files that it names;\n\
         `--no-native` skips the run of the compiled program.",
        env!("CARGO_PKG_VERSION")
    ));
    Exit::Internal
}
