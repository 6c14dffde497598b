//! Where text goes: answers to standard output or a file, and what is wrong to standard error.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Context, Result};
use nearmiss_program::source::{Diagnostic, Severity, Sources};
use nearmiss_report::Paint;
use nearmiss_report::view::Detail;

use crate::args::output::Color;
use crate::listener::Listener;
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
    /// Who listens.
    pub listener: Listener,
}

impl Output {
    /// Writes an answer.
    pub fn write(&self, text: &str) -> Result<()> {
        if let Some(path) = self.path.as_deref().filter(|path| *path != "-") {
            self.listener.keep(|told| told.printed += text);
            return fs::write(path, text).with_context(|| format!("{path} cannot be written"));
        }
        self.listener.print(text)
    }

    /// Whether the answer goes into this file, by whatever name.
    pub fn overwrites(&self, file: &Path) -> bool {
        self.path.as_ref().is_some_and(|path| is_same_file(Path::new(path), file))
    }

    /// Whether an answer is coloured.
    pub fn paint(&self) -> Paint {
        choose(self.color, if self.path.is_some() { Stream::File } else { self.to(Stream::Output) })
    }

    /// Prints errors and, unless quiet, warnings to standard error.
    pub fn complain(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        let paint = choose(self.color, self.to(Stream::Error));
        for diagnostic in diagnostics {
            if diagnostic.severity == Severity::Error || self.detail > Detail::Quiet {
                let text = nearmiss_report::diagnostic::render(diagnostic, sources, paint);
                self.listener.complain(&format!("{text}\n"));
            }
        }
    }

    /// What a program keeps has no colours by itself.
    fn to(&self, stream: Stream) -> Stream {
        match self.listener {
            Listener::Process => stream,
            Listener::Library(_) => Stream::File,
        }
    }
}

/// Whether two names are of one file, which is there.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let identity =
        |path: &Path| fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|data| (data.dev(), data.ino()));
    identity(one).is_some_and(|one| Some(one) == identity(other))
}

/// Writes to standard output: for what only a process does.
pub fn print(text: &str) -> Result<()> {
    Listener::Process.print(text)
}

/// Writes a line to standard error: for what only a process does.
pub fn complain(line: &str) {
    Listener::Process.complain(line);
}
