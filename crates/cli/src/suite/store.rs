//! Results on the disk: one file for each, written beside and renamed, so that there is a whole one or none.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use nearmiss_suite::row::Stored;
use serde_json::Value;
use tempfile::{Builder, NamedTempFile};

use super::contents::Contents;

/// How files are called that are being written.
const UNFINISHED: &str = ".unfinished-";

/// Whoever wrote these is not writing any more.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder of results.
#[derive(Clone, Debug)]
pub struct Store {
    /// Where it is.
    pub folder: PathBuf,
}

impl Store {
    /// Makes the folder, where it is not there, and tries to write into it.
    pub fn open(folder: &Path) -> io::Result<Store> {
        let tasks = folder.join("tasks");
        fs::create_dir_all(&tasks)?;
        let store = Store { folder: folder.to_path_buf() };
        // Version control has no use for what can be made again.
        if !folder.join(".gitignore").exists() {
            store.write(".gitignore", |out| out.write_all(b"*\n"))?;
        }
        drop(unfinished(&tasks)?);
        for entry in fs::read_dir(&tasks)?.flatten() {
            let is_left_over = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
            let age =
                entry.metadata().and_then(|data| data.modified()).map(|then| SystemTime::now().duration_since(then));
            if is_left_over && age.is_ok_and(|age| age.is_ok_and(|age| age > OLD)) {
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(store)
    }

    /// The folder as it is: nothing is made, and perhaps nothing is there.
    pub fn look(folder: &Path) -> Store {
        Store { folder: folder.to_path_buf() }
    }

    /// A result as it is stored.
    pub fn load(&self, key: &str) -> Option<String> {
        fs::read_to_string(self.path(key)).ok()
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join("tasks").join(format!("{key}.json"))
    }

    /// Stores a result.
    pub fn save(&self, key: &str, result: &Value) -> io::Result<()> {
        let tasks = self.folder.join("tasks");
        written(&tasks, &self.path(key), |out| writeln!(out, "{result}"))
    }

    /// Writes a file of this name, all or nothing.
    pub fn write(&self, name: &str, what: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        written(&self.folder, &self.folder.join(name), what)
    }

    /// A file that is written piece by piece; nobody sees it before it is done.
    pub fn begin(&self) -> io::Result<Unfinished> {
        Ok(Unfinished { file: BufWriter::new(unfinished(&self.folder)?) })
    }
}

/// A file in the making.
pub struct Unfinished {
    file: BufWriter<NamedTempFile>,
}

impl Unfinished {
    /// Adds some text.
    pub fn add(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes()).map_err(nameless)
    }

    /// Gives it its name.
    pub fn end(self, store: &Store, name: &str) -> io::Result<()> {
        let file = self.file.into_inner().map_err(|error| nameless(error.into_error()))?;
        named(file, &store.folder.join(name))
    }
}

fn unfinished(folder: &Path) -> io::Result<NamedTempFile> {
    Builder::new().prefix(UNFINISHED).tempfile_in(folder).map_err(nameless)
}

/// The error without the name of an unfinished file, which means nothing to anybody.
fn nameless(error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() { error } else { error.kind().into() }
}

fn written(folder: &Path, path: &Path, what: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(unfinished(folder)?);
    what(&mut out).map_err(nameless)?;
    named(out.into_inner().map_err(|error| nameless(error.into_error()))?, path)
}

fn named(file: NamedTempFile, path: &Path) -> io::Result<()> {
    // As other new files are: other people may look at them.
    let _ = File::set_permissions(file.as_file(), std::os::unix::fs::PermissionsExt::from_mode(0o644));
    file.persist(path).map(drop).map_err(|error| nameless(error.error))
}

/// What a result is looked up for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To do the task, unless that is done.
    Doing,
    /// To tell what was done.
    Telling,
}

/// Was everything that a result has read as it is now? Where it is not known what that was, the task is done again; until
/// then its result is told.
pub fn is_current(stored: &Stored, folder: &Path, contents: &Contents, purpose: Purpose) -> bool {
    let Some(read) = stored.read() else { return purpose == Purpose::Telling };
    read.iter().all(|(file, hash)| contents.hash(&folder.join(file)) == *hash)
}
