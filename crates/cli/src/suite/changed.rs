//! Which tasks read what has changed: by what they have read when they were done, and by the includes in their texts.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nearmiss_suite::includes::{self, plain};
use nearmiss_suite::row::Stored;
use nearmiss_suite::task::Task;

use super::disk::OnDisk;

/// Files that have changed, by absolute names without links in their folders.
pub struct Changed {
    files: BTreeSet<String>,
}

impl Changed {
    /// These files, told from where the user is.
    pub fn of(files: &[String]) -> Changed {
        Changed { files: files.iter().map(|file| absolute(Path::new(file))).collect() }
    }

    /// What git says has changed since a revision, committed or not, in the work tree of a folder. The error says why
    /// there is no answer.
    pub fn since(revision: &str, folder: &Path) -> Result<Changed, String> {
        if revision.starts_with('-') {
            return Err(format!("--since: `{revision}` is no revision"));
        }
        let top = git(folder, &["rev-parse", "--show-toplevel"])?;
        let top = PathBuf::from(String::from_utf8_lossy(&top).trim_end_matches('\n'));
        let changed = git(&top, &["diff", "--name-only", "--no-renames", "-z", revision, "--"])?;
        let new = git(&top, &["ls-files", "--others", "--exclude-standard", "-z"])?;
        let names = [changed, new].concat();
        let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        let files = names.map(|name| absolute(&top.join(String::from_utf8_lossy(name).as_ref())));
        Ok(Changed { files: files.collect() })
    }

    /// Both.
    pub fn and(mut self, other: Changed) -> Changed {
        self.files.extend(other.files);
        self
    }

    /// Is this one of them?
    pub fn has(&self, file: &Path) -> bool {
        self.files.contains(&absolute(file))
    }

    /// Does a task read one of them? `stored` is its result, perhaps an old one.
    pub fn matters_to(&self, task: &Task, stored: Option<&Stored>, disk: &OnDisk) -> bool {
        let is_changed = |name: &str| self.has(&disk.root.join(name));
        // Whatever is the name of a file, and files of tests below a folder.
        let names = |word: &str| word.split_once('=').map_or(word.to_owned(), |(_, value)| value.to_owned());
        let is_within = |folder: &str| {
            let start = absolute(&disk.root.join(folder)) + "/";
            self.files.iter().any(|file| file.starts_with(&start))
        };
        let mut words = task.argv.iter().skip(1).map(|word| names(word)).chain(task.files.iter().cloned());
        let mut tests = task.argv.windows(2).filter(|pair| pair[0] == "--tests").map(|pair| pair[1].as_str());
        let mut glued = task.argv.iter().filter_map(|word| word.strip_prefix("--tests="));
        words.any(|word| is_changed(&word))
            || tests.any(is_within)
            || glued.any(is_within)
            || stored.and_then(Stored::read).is_some_and(|read| read.keys().any(|file| is_changed(file)))
            || includes::of(task, disk).iter().any(|file| is_changed(file))
    }
}

/// The name by which a file is known: its folder without links, and itself as it is called. It need not be there.
fn absolute(file: &Path) -> String {
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
    let whole = PathBuf::from(plain(&whole.display().to_string()));
    let folder = whole.parent().and_then(|folder| fs::canonicalize(folder).ok());
    match (folder, whole.file_name()) {
        (Some(folder), Some(name)) => folder.join(name).display().to_string(),
        _ => whole.display().to_string(),
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let told = Command::new("git").arg("-C").arg(folder).args(arguments).stdin(Stdio::null()).output();
    let told = told.map_err(|error| format!("--since asks git, which cannot be started: {error}"))?;
    if told.status.success() {
        return Ok(told.stdout);
    }
    let why = String::from_utf8_lossy(&told.stderr);
    Err(format!("--since: git says: {}", why.lines().next().unwrap_or("nothing")))
}
