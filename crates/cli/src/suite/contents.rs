//! The contents of files, as hashes: each file is read once. What changes while a suite runs is seen by whoever asks anew.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use nearmiss_suite::key;
use nearmiss_suite::task::Task;
use xxhash_rust::xxh3::Xxh3;

/// Hashes by path; none where no file is.
#[derive(Default)]
pub struct Contents {
    known: Mutex<BTreeMap<PathBuf, Option<String>>>,
}

impl Contents {
    /// The hash of a file.
    pub fn hash(&self, path: &Path) -> Option<String> {
        if let Ok(known) = self.known.lock()
            && let Some(hash) = known.get(path)
        {
            return hash.clone();
        }
        // A pipe would wait for somebody to write.
        let is_file = fs::metadata(path).is_ok_and(|data| data.is_file());
        let hash = if is_file { File::open(path).and_then(key::digest_of).ok() } else { None };
        if let Ok(mut known) = self.known.lock() {
            known.insert(path.to_path_buf(), hash.clone());
        }
        hash
    }

    /// The key of a task that runs in a folder.
    pub fn key(&self, tool: &str, folder: &Path, task: &Task) -> String {
        let surroundings = [std::env::var("CC").unwrap_or_default()];
        let mut named: Vec<(String, Option<String>)> = Vec::new();
        let words = task.argv.iter().chain(task.focus.iter().flatten());
        let mut is_folder = false;
        for word in words {
            // `--crash FILE`, `--crash=FILE`: whatever is the name of a file is read, for all that is known.
            let (flag, value) = word.split_once('=').filter(|(flag, _)| flag.starts_with("--")).unwrap_or(("", word));
            if is_folder || flag == "--tests" {
                named.extend(self.below(folder, value));
            } else if let Some(hash) = self.hash(&folder.join(value)) {
                named.push((value.to_owned(), Some(hash)));
            }
            is_folder = word == "--tests";
        }
        named.sort();
        named.dedup();
        key::of(tool, &surroundings, task, &named)
    }

    /// The files of tests: in a folder, and in its folders.
    fn below(&self, root: &Path, folder: &str) -> Vec<(String, Option<String>)> {
        let names = |folder: &Path| -> io::Result<Vec<PathBuf>> {
            fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect()
        };
        let first = names(&root.join(folder)).unwrap_or_default();
        let second: Vec<PathBuf> = first.iter().flat_map(|path| names(path).unwrap_or_default()).collect();
        let told = |path: &PathBuf| path.strip_prefix(root).unwrap_or(path).display().to_string();
        first.iter().chain(&second).map(|path| (told(path), self.hash(path))).collect()
    }
}

/// The hash of this tool itself: another build may answer otherwise. It is large, and hashed whenever a task is done
/// elsewhere, so this is a hash that is quick, and no proof against forgery.
pub fn of_tool(tool: &Path) -> io::Result<String> {
    let mut file = File::open(tool)?;
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(format!("{}-{:032x}", env!("CARGO_PKG_VERSION"), hash.digest128())),
            length => hash.update(&buffer[..length]),
        }
    }
}
