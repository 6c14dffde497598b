//! A fix written into the user's files: `--apply`, and what a patch needs to be one of these files.
//!
//! What is written was read: a file that is not that any more is left alone. New text goes into a file of its own beside
//! the old one, gets its permissions, and takes its place; so there is the old file or the new one, and nothing between.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use nearmiss_program::c::assume;
use nearmiss_program::c::edit::TextEdit;
use nearmiss_program::source::Sources;
use nearmiss_report::fixes::diff::changed;
use tempfile::NamedTempFile;

use crate::settings::STANDARD_INPUT;

/// How the bytes of a file were read as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Encoding {
    Utf8,
    /// Whatever is no UTF-8: a character for each byte.
    Latin1,
}

/// A file that can be changed.
struct Change {
    name: String,
    path: PathBuf,
    encoding: Encoding,
    before: String,
    after: String,
}

/// Says why no patch can be made of edits, if so.
pub fn obstacle(sources: &Sources, edits: &[TextEdit]) -> Option<String> {
    match changes(sources, edits) {
        Ok(changes) => {
            let is_above =
                |change: &&Change| Path::new(&change.name).components().any(|part| part == Component::ParentDir);
            if let Some(Change { name, .. }) = changes.iter().find(is_above) {
                return Some(format!(
                    "{name} may not be below this folder, and patch and git go nowhere else; start in a folder above it"
                ));
            }
            let odd = changes.iter().find(|change| change.encoding != Encoding::Utf8)?;
            Some(format!("{} is not in UTF-8, and a patch of it would not be; --apply keeps its bytes", odd.name))
        }
        Err(why) => Some(why),
    }
}

/// Makes edits, and says in which files. `Err` says why none was changed.
pub fn write(sources: &Sources, edits: &[TextEdit]) -> Result<Vec<String>, String> {
    let changes = changes(sources, edits)?;
    let mut ready = Vec::new();
    for change in &changes {
        let new =
            prepared(change, &change.after).map_err(|error| format!("{} cannot be written: {error}", change.name))?;
        ready.push((change, new));
    }
    for (number, (change, new)) in ready.into_iter().enumerate() {
        if let Err(error) = new.persist(&change.path) {
            let why = format!("{} cannot be written: {}", change.name, error.error);
            return Err(taken_back(&changes[..number], &why));
        }
    }
    Ok(changes.into_iter().map(|change| change.name).collect())
}

/// All or nothing: files that were changed already get their old text. Says what became of it.
fn taken_back(done: &[Change], why: &str) -> String {
    let back = |change: &Change| {
        let old = prepared(change, &change.before).and_then(|old| Ok(old.persist(&change.path)?));
        old.err().map(|error| format!("; {} could not be put back: {error}", change.name))
    };
    format!("{why}{}", done.iter().filter_map(back).collect::<String>())
}

/// A text of the file in a file beside it.
fn prepared(change: &Change, text: &str) -> std::io::Result<NamedTempFile> {
    // Who may not write the file may still write its folder.
    OpenOptions::new().write(true).open(&change.path)?;
    let folder = change.path.parent().unwrap_or(Path::new("."));
    let mut new = tempfile::Builder::new().prefix(".nearmiss-").tempfile_in(folder)?;
    new.write_all(&encoded(text, change.encoding))?;
    new.as_file().set_permissions(fs::metadata(&change.path)?.permissions())?;
    File::sync_all(new.as_file())?;
    Ok(new)
}

/// What is to be written where.
fn changes(sources: &Sources, edits: &[TextEdit]) -> Result<Vec<Change>, String> {
    let mut changes = Vec::new();
    for changed in changed(sources, edits) {
        let file = sources.file(changed.file);
        let name = file.name.clone();
        if name == STANDARD_INPUT {
            return Err("the program came through standard input, and there is no file to change".to_owned());
        }
        if file.system {
            return Err(format!("{name} is a header of the system, and is left alone"));
        }
        let unreadable = |error: std::io::Error| format!("{name} cannot be read any more: {error}");
        // A link stays one.
        let path = fs::canonicalize(&name).map_err(unreadable)?;
        let (now, encoding) = decoded(fs::read(&path).map_err(unreadable)?);
        if now != changed.before {
            return Err(format!("{name} is not what was read any more; nothing was changed"));
        }
        if !assume::harmless_headers(&changed.after).is_empty() {
            return Err(format!("the change of {name} holds what --assume put there; leave --assume out"));
        }
        changes.push(Change { name, path, encoding, before: changed.before, after: changed.after });
    }
    Ok(changes)
}

/// Bytes as the front end reads them.
fn decoded(bytes: Vec<u8>) -> (String, Encoding) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, Encoding::Utf8),
        Err(bad) => (bad.as_bytes().iter().map(|byte| char::from(*byte)).collect(), Encoding::Latin1),
    }
}

fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Latin1 => text.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?')).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearmiss_program::source::Span;

    fn edit_of(name: &str, read: &str, old: &str) -> (Sources, Vec<TextEdit>) {
        let mut sources = Sources::new();
        let file = sources.add(name, read, false);
        let start = read.find(old).expect("it is there") as u32;
        let span = Span::new(file, start, start + old.len() as u32);
        (sources, vec![TextEdit { span, new: "2".to_owned() }])
    }

    #[test]
    fn bytes_that_are_no_text_stay() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("a.c");
        fs::write(&path, b"/* \xe9 */ int a = 1;\r\n").expect("it can be written");
        let name = path.to_str().expect("it has a name");
        let (sources, edits) = edit_of(name, "/* \u{e9} */ int a = 1;\r\n", "1");
        assert!(obstacle(&sources, &edits).is_some_and(|why| why.contains("not in UTF-8")));
        assert_eq!(write(&sources, &edits), Ok(vec![name.to_owned()]));
        assert_eq!(fs::read(&path).expect("it is there"), b"/* \xe9 */ int a = 2;\r\n");
    }

    #[test]
    fn links_stay_links() {
        let folder = tempfile::tempdir().expect("there is room");
        let (path, link) = (folder.path().join("a.c"), folder.path().join("b.c"));
        fs::write(&path, "int a = 1;").expect("it can be written");
        std::os::unix::fs::symlink(&path, &link).expect("there are links");
        let (sources, edits) = edit_of(link.to_str().expect("it has a name"), "int a = 1;", "1");
        assert!(write(&sources, &edits).is_ok());
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "int a = 2;");
        assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 2);
    }

    #[test]
    fn two_files_are_changed_or_none() {
        let folder = tempfile::tempdir().expect("there is room");
        let (first, second) = (folder.path().join("a.c"), folder.path().join("b.c"));
        fs::write(&first, "int a = 1;").expect("it can be written");
        fs::write(&second, "int b = 1;").expect("it can be written");
        let [one, two] = [&first, &second].map(|path| path.to_str().expect("it has a name").to_owned());
        let mut sources = Sources::new();
        let files = [sources.add(&one, "int a = 1;", false), sources.add(&two, "int b = 1;", false)];
        let edits = files.map(|file| TextEdit { span: Span::new(file, 8, 9), new: "2".to_owned() });
        let texts = || [&first, &second].map(|path| fs::read_to_string(path).expect("it is there"));
        fs::write(&second, "int c = 1;").expect("it can be written");
        assert!(write(&sources, &edits).is_err_and(|why| why.contains("nothing was changed")));
        assert_eq!(texts(), ["int a = 1;", "int c = 1;"]);
        fs::write(&second, "int b = 1;").expect("it can be written");
        assert_eq!(write(&sources, &edits), Ok(vec![one, two]));
        assert_eq!(texts(), ["int a = 2;", "int b = 2;"]);
    }

    #[test]
    fn what_is_no_file_of_the_user_is_left_alone() {
        let (sources, edits) = edit_of(STANDARD_INPUT, "int a = 1;", "1");
        assert!(write(&sources, &edits).is_err_and(|why| why.contains("standard input")));
        let (sources, edits) = edit_of("nowhere/a.c", "int a = 1;", "1");
        assert!(write(&sources, &edits).is_err_and(|why| why.contains("cannot be read any more")));
    }
}
