//! Texts for the preprocessor: the user's files through the [`Loader`], and headers of our own.
//!
//! The preprocessor runs on another thread and wants something that can be shared between threads, which a loader need
//! not be. So the loader stays where it is: a [`FileClient`] asks for a path and waits, [`FileServer::serve`] looks it up.
//! Our own headers are declarations and macros only, in a folder no real one can be named like, searched before the
//! system's folders: what a program means must not depend on the machine it is checked on.

use std::collections::HashMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use rucc_diag::SourceBytes;
use rucc_session::{FileSystem, SearchPath, path_key};

use super::plain_error;
use crate::c::{Errors, Loader, Options};
use crate::source::{Diagnostic, FileId, Sources, Span};

/// The folder our headers appear to be in.
pub(super) const OURS: &str = "<nearmiss>";
/// The folder our `assert.h` appears to be in where the rest is the system's.
const OUR_ASSERT: &str = "<nearmiss assert>";
/// The folder the front end's own headers appear to be in.
const FREESTANDING: &str = "<builtin>";

macro_rules! headers {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("headers/", $name)))),*] };
}

/// Our headers.
const HEADERS: &[(&str, &str)] = headers![
    // The first one stays ours in any case.
    "assert.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "inttypes.h",
    "math.h",
    "memory.h",
    "malloc.h",
    "pthread.h",
    "setjmp.h",
    "signal.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "sys/types.h",
    "time.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
    "limits.h",
    "stdint.h",
];

/// Is there a header of ours by this name?
pub(super) fn is_own(header: &str) -> bool {
    HEADERS.iter().any(|(name, _)| *name == header)
}

/// Our headers, by name.
#[cfg(test)]
pub(super) fn own() -> &'static [(&'static str, &'static str)] {
    HEADERS
}

type Reply = io::Result<SourceBytes>;

/// The side that asks for files.
pub(super) struct FileClient {
    line: Mutex<(Sender<PathBuf>, Receiver<Reply>)>,
    read: Mutex<HashMap<PathBuf, SourceBytes>>,
}

/// The side that holds the loader.
pub(super) struct FileServer {
    requests: Receiver<PathBuf>,
    replies: Sender<Reply>,
}

/// Both sides.
pub(super) fn file_service() -> (FileClient, FileServer) {
    let (ask, requests) = channel();
    let (replies, answers) = channel();
    (FileClient { line: Mutex::new((ask, answers)), read: Mutex::default() }, FileServer { requests, replies })
}

impl FileServer {
    /// Answers until the client is gone.
    pub(super) fn serve(&self, loader: &dyn Loader) {
        while let Ok(path) = self.requests.recv() {
            let reply = if loader.exists(&path) {
                loader.load(&path).map(|bytes| SourceBytes::new(as_text(bytes).into_bytes()))
            } else {
                Err(io::Error::new(io::ErrorKind::NotFound, "no such file"))
            };
            if self.replies.send(reply).is_err() {
                return;
            }
        }
    }
}

impl FileClient {
    /// Reads a file that the user named and registers it.
    pub(super) fn source(&self, name: &str, sources: &mut Sources) -> Result<FileId, Errors> {
        let bytes = self
            .read(Path::new(name))
            .map_err(|reason| vec![plain_error(format!("cannot read {name}: {}", reason_text(&reason)))])?;
        if bytes.as_slice().contains(&0) {
            return Err(vec![plain_error(format!("{name} is not a text file: it contains a NUL byte"))]);
        }
        if bytes.as_slice().len() >= u32::MAX as usize / 4 {
            return Err(vec![plain_error(format!("{name} is too large"))]);
        }
        Ok(sources.add(name, String::from_utf8_lossy(bytes.as_slice()), false))
    }

    /// Gives a file another text from now on.
    pub(super) fn put(&self, name: &str, text: &str) {
        if let Ok(mut read) = self.read.lock() {
            read.insert(path_key(Path::new(name)), SourceBytes::new(text.as_bytes().to_vec()));
        }
    }

    fn ask(&self, path: &Path) -> Reply {
        let gone = || io::Error::other("the reader is gone");
        let line = self.line.lock().map_err(|_| gone())?;
        line.0.send(path.to_owned()).map_err(|_| gone())?;
        line.1.recv().map_err(|_| gone())?
    }
}

impl std::fmt::Debug for FileClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FileClient")
    }
}

impl FileSystem for FileClient {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        let path = path_key(path);
        let ours = path.strip_prefix(OURS).ok();
        let only_assert = path.strip_prefix(OUR_ASSERT).ok();
        if let Some(inside) = ours.or(only_assert) {
            let headers = if ours.is_some() { HEADERS } else { &HEADERS[..1] };
            let found = headers.iter().find(|(name, _)| Path::new(name) == inside);
            return found
                .map(|(_, text)| SourceBytes::new(*text))
                .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "not one of ours"));
        }
        let known = self.read.lock().ok().and_then(|read| read.get(&path).cloned());
        if let Some(bytes) = known {
            return Ok(bytes);
        }
        let bytes = self.ask(&path)?;
        if let Ok(mut read) = self.read.lock() {
            read.insert(path, bytes.clone());
        }
        Ok(bytes)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        let mut plain = PathBuf::new();
        for part in path_key(path).components() {
            match part {
                Component::ParentDir if plain.file_name().is_some_and(|name| name != "..") => {
                    plain.pop();
                }
                part => plain.push(part),
            }
        }
        plain
    }
}

/// Whose version of a standard header is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Headers {
    /// Ours, so that a program means the same on every machine.
    Ours,
    /// The system's, but for `assert.h`: for programs that use more of the system than we declare.
    System,
}

/// Where headers are looked for: `-I`, ours, the front end's, the system's.
pub(super) fn search_path(options: &Options, headers: Headers) -> SearchPath {
    let mut search = SearchPath::new();
    for folder in &options.include {
        search.push_bracket(folder);
    }
    search.push_system(match headers {
        Headers::Ours => OURS,
        Headers::System => OUR_ASSERT,
    });
    search.push_system(FREESTANDING);
    for folder in &options.system_include {
        search.push_system(folder);
    }
    search.remove_duplicates();
    search
}

/// Text of bytes that should be UTF-8; what is not is taken as Latin-1.
fn as_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|bad| bad.as_bytes().iter().map(|byte| char::from(*byte)).collect())
}

fn reason_text(reason: &io::Error) -> String {
    match reason.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => reason.to_string(),
    }
}

/// A missing header deserves better advice than the list of folders.
pub(super) fn missing_header(message: &str, span: Span) -> Option<Diagnostic> {
    let name = message.strip_prefix('`')?.strip_suffix("` file not found")?;
    let error = Diagnostic::error(span, format!("header {name} not found"));
    Some(error.with_help("give the folder that holds it with -I"))
}
