//! The disk, told from the folder of a suite.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use nearmiss_program::disk::at_most;
use nearmiss_suite::folder::{Folder, Kind};

/// No manifest and no header that is looked through is larger.
const LARGEST: u64 = 16 << 20;

/// A folder on the disk.
#[derive(Clone, Debug)]
pub struct OnDisk {
    /// Where it is.
    pub root: PathBuf,
}

impl OnDisk {
    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }
}

impl Folder for OnDisk {
    fn kind(&self, path: &str) -> Kind {
        match fs::metadata(self.path(path)) {
            Ok(data) if data.is_file() => Kind::File,
            Ok(data) if data.is_dir() => Kind::Folder,
            Ok(_) => Kind::Other,
            Err(_) => Kind::Nothing,
        }
    }

    fn entries(&self, folder: &str) -> io::Result<Vec<(String, bool)>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path(folder))? {
            let entry = entry?;
            // A name that is no text cannot stand in a manifest, nor in a report.
            if let Ok(name) = entry.file_name().into_string() {
                names.push((name, entry.file_type()?.is_dir()));
            }
        }
        names.sort();
        Ok(names)
    }

    fn text(&self, path: &str) -> io::Result<String> {
        let bytes = at_most(File::open(self.path(path))?, LARGEST)?;
        String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
    }
}

/// A folder told from where the user is: as a name that is put before others, empty if it is the same; absolute, if it is
/// not below.
pub fn told_from_here(folder: &Path) -> String {
    let here = std::env::current_dir().and_then(fs::canonicalize);
    let inside = here.ok().and_then(|here| folder.strip_prefix(here).ok().map(Path::to_path_buf));
    inside.unwrap_or_else(|| folder.to_path_buf()).display().to_string()
}
