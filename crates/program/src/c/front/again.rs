//! A program read again and again, each time with another change of one file.
//!
//! Most of the time of reading goes into our models of the library, and those are the same whatever the user's text says. So they are
//! compiled once, as is every unit that does not read the file that is changed.

use super::files::FileClient;
use super::link::Linker;
use super::unit::{self, Job, Unit};
use super::{guarded, linked, with_files};
use crate::c::tree::Tree;
use crate::c::{Errors, Loader, Options};
use crate::source::{FileId, Sources};

/// A file with another text.
pub struct Changed {
    /// The file.
    pub file: FileId,
    /// What it says now.
    pub text: String,
}

/// What somebody makes of the program with each of the changes made, if it is one then; no two are kept at a time. `sources` are those of
/// the program as it is, and files keep their numbers: a change that makes it read other files is not taken.
pub fn read_again<T: Send>(
    files: &[String],
    options: &Options,
    loader: &dyn Loader,
    sources: &Sources,
    library: &str,
    changes: &[Changed],
    mut each: impl FnMut(usize, Tree) -> Option<T> + Send,
) -> Vec<Option<T>> {
    let none = || changes.iter().map(|_| None).collect();
    if changes.is_empty() {
        return Vec::new();
    }
    let read = with_files(loader, |client| {
        let again = Again { options, client, sources, library };
        let units = again.units(files).ok()?;
        let made = changes.iter().enumerate().map(|(at, changed)| each(at, again.tree(&units, changed).ok()?));
        Some(made.collect())
    });
    read.ok().flatten().unwrap_or_else(none)
}

struct Again<'a> {
    options: &'a Options,
    client: &'a FileClient,
    sources: &'a Sources,
    library: &'a str,
}

impl Again<'_> {
    /// All units as they are, the library last.
    fn units(&self, files: &[String]) -> Result<Vec<Unit>, Errors> {
        let mut known = self.sources.clone();
        let mut units = Vec::new();
        for (index, name) in files.iter().map(String::as_str).chain([self.library]).enumerate() {
            let system = index == files.len();
            let found = self.sources.files().find(|(_, file)| file.name == name && file.system == system);
            let (file, _) = found.ok_or_else(Vec::new)?;
            units.push(self.unit(file, index as u32, system, &mut known)?);
        }
        Ok(units)
    }

    fn unit(&self, file: FileId, index: u32, system: bool, sources: &mut Sources) -> Result<Unit, Errors> {
        let job = Job { file, options: self.options, files: self.client, system, index };
        let unit = guarded(file, || unit::compile(&job, sources))?;
        match sources.files().count() == self.sources.files().count() {
            true => Ok(unit),
            false => Err(Vec::new()),
        }
    }

    fn tree(&self, units: &[Unit], changed: &Changed) -> Result<Tree, Errors> {
        let before = self.sources.file(changed.file);
        let mut sources = self.sources.clone();
        sources.replace(changed.file, changed.text.clone());
        self.client.put(&before.name, &changed.text);
        let mut linker = Linker::new(self.options);
        let mut outcome = Ok(());
        for unit in units {
            if unit.system {
                linker.fill(unit);
            } else if !unit.reads(changed.file) {
                linker.add(unit);
            } else if outcome.is_ok() {
                let new = self.unit(unit.file(), unit.index, false, &mut sources);
                outcome = new.map(|unit| linker.add(&unit));
            }
        }
        self.client.put(&before.name, &before.text);
        outcome?;
        linked(linker, Vec::new(), self.options, &sources, Some(self.library))
    }
}
