//! A crash file from the disk, and what was printed of it; and inputs that are written.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use nearmiss_program::c::crash::{Crash, Feed, Way};
use nearmiss_program::disk::at_most;
use nearmiss_program::source::{Diagnostic, Severity};

use crate::output::is_same_file;

/// Which file, and how the program gets it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrashGiven {
    /// The file.
    pub file: String,
    /// Arguments of `main`.
    pub arguments: Vec<String>,
    /// Where it finds the bytes.
    pub way: Way,
    /// What a sanitizer printed.
    pub sanitizer: Option<String>,
    /// Where an input is to be written.
    pub emit_input: Option<String>,
}

/// The largest crash file.
const LARGEST: u64 = 16 << 20;
/// A program may be fed so many bytes more than the file has.
pub const MORE: usize = 16;

/// Reads the file. The error says why it cannot be read.
pub fn read(given: &CrashGiven) -> Result<Crash, Diagnostic> {
    let bytes = bytes(&given.file, LARGEST)?;
    let most = bytes.len() + MORE;
    let (bytes, feed) = (bytes.into(), Feed::Whole { most });
    Ok(Crash { bytes, arguments: given.arguments.clone(), way: given.way, feed })
}

/// The bytes of a file of no more than so many.
pub fn bytes(name: &str, largest: u64) -> Result<Vec<u8>, Diagnostic> {
    File::open(name)
        .and_then(|file| at_most(file, largest))
        .map_err(|error| plain(format!("cannot read {name}: {error}")))
}

/// Writes an input, all or nothing, and says so. The error says why it is not written.
pub fn emit(path: &str, bytes: &[u8], read: &[&String]) -> Result<String, Diagnostic> {
    let target = Path::new(path);
    if let Some(file) = read.iter().find(|file| is_same_file(target, Path::new(file))) {
        return Err(plain(format!("--emit-input would overwrite {file}, which is read")));
    }
    let cannot = |error: std::io::Error| plain(format!("--emit-input: {path} cannot be written: {error}"));
    let folder = target.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".nearmiss-").tempfile_in(folder).map_err(cannot)?;
    file.write_all(bytes).map_err(cannot)?;
    let kept = file.into_temp_path();
    // As other new files are.
    let _ =
        File::open(&kept).and_then(|file| file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644)));
    fs::rename(&kept, target).map_err(cannot)?;
    Ok(format!(
        "{path} was written ({})",
        if bytes.len() == 1 { "1 byte".to_owned() } else { format!("{} bytes", bytes.len()) }
    ))
}

fn plain(message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Error, message, span: None, help: None }
}
