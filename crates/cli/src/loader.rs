//! Files from the disk, for the front end.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use nearmiss_program::c::Loader;
use nearmiss_program::disk::{self, at_most};
use nearmiss_suite::key;
use serde_json::{Value, json};

use crate::settings::{STANDARD_INPUT, Settings};

/// So much of what comes through a pipe is kept.
const LARGEST_PIPE: u64 = 8 << 30;

/// What was read so far, with the hash of each file; none where it was looked for and not there.
static READ: Mutex<Option<BTreeMap<String, Option<String>>>> = Mutex::new(None);

/// From now on it is remembered which files are read: a suite must know on what an answer depends.
pub fn record() {
    if let Ok(mut read) = READ.lock() {
        *read = Some(BTreeMap::new());
    }
}

/// What has been read since then.
pub fn recorded() -> Value {
    let read = READ.lock().ok().and_then(|read| read.clone()).unwrap_or_default();
    json!(read)
}

fn note(path: &Path, bytes: Option<&[u8]>) {
    if let Ok(mut read) = READ.lock()
        && let Some(read) = &mut *read
    {
        // A file that changes while it is read has been what was read first.
        read.entry(path.display().to_string()).or_insert_with(|| bytes.map(key::digest));
    }
}

/// Reads the disk, and standard input once.
pub struct Disk {
    /// The files of the program, which get the forced headers in front.
    files: Vec<String>,
    force_include: Vec<String>,
    standard_input: OnceLock<Vec<u8>>,
}

impl Disk {
    /// A loader for these settings.
    pub fn new(settings: &Settings) -> Disk {
        Disk {
            files: settings.files.clone(),
            force_include: settings.force_include.clone(),
            standard_input: OnceLock::new(),
        }
    }

    fn plain(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path == Path::new(STANDARD_INPUT) {
            if let Some(bytes) = self.standard_input.get() {
                return Ok(bytes.clone());
            }
            let bytes = at_most(io::stdin().lock(), disk::LARGEST)?;
            return Ok(self.standard_input.get_or_init(|| bytes).clone());
        }
        let bytes = disk::Disk.load(path)?;
        note(path, Some(&bytes));
        Ok(bytes)
    }
}

impl Loader for Disk {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = self.plain(path)?;
        if self.force_include.is_empty() || !self.files.iter().any(|file| path == Path::new(file)) {
            return Ok(bytes);
        }
        // `#line` keeps positions those of the file.
        let mut text = String::new();
        for header in &self.force_include {
            text += &format!("#include \"{header}\"\n");
        }
        text += &format!("#line 1 {:?}\n", path.display().to_string());
        let mut text = text.into_bytes();
        text.extend(bytes);
        Ok(text)
    }

    fn exists(&self, path: &Path) -> bool {
        // A folder that was given as a file is there: loading it says what is wrong.
        let given = || self.files.iter().any(|file| path == Path::new(file)) && path.is_dir();
        let is_there = path == Path::new(STANDARD_INPUT) || disk::Disk.exists(path) || given();
        if !is_there {
            note(path, None);
        }
        is_there
    }
}

/// The bytes of a file that is not larger than that.
pub fn bytes(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    at_most(File::open(path)?, largest)
}

/// A file that can be read more than once: what comes through a pipe is kept in a file of its own.
pub fn rewindable(path: &str) -> io::Result<File> {
    let mut from: Box<dyn Read> = if path == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(path)?;
        if file.metadata()?.is_file() {
            return Ok(file);
        }
        Box::new(file)
    };
    let mut kept = tempfile::tempfile()?;
    if io::copy(&mut from.by_ref().take(LARGEST_PIPE + 1), &mut kept)? > LARGEST_PIPE {
        let message = format!("more than {} GB come through the pipe", LARGEST_PIPE >> 30);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(kept)
}
