//! The disk as a plan sees it: names told from the folder of the manifest.

use std::collections::BTreeMap;
use std::io;

/// What stands under a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file that can be read as often as one likes.
    File,
    /// A folder.
    Folder,
    /// A pipe, a device: it would be read by one task only, or for ever.
    Other,
    /// Nothing that this user may look at.
    Nothing,
}

/// Names and texts; told from one folder. The empty name is that folder.
pub trait Folder {
    /// What stands under a name.
    fn kind(&self, path: &str) -> Kind;

    /// The names in a folder, in their order, and whether each is a folder (a link to one is none, so that no walk goes
    /// round in a circle).
    ///
    /// # Errors
    ///
    /// What the system says.
    fn entries(&self, folder: &str) -> io::Result<Vec<(String, bool)>>;

    /// The text of a file.
    ///
    /// # Errors
    ///
    /// What the system says, or that it is no text or very large.
    fn text(&self, path: &str) -> io::Result<String>;
}

/// A disk that is a list: for tests, and for who has no disk.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    files: BTreeMap<String, String>,
}

impl Listed {
    /// Empty files of these names.
    pub fn of(names: &[&str]) -> Listed {
        Listed { files: names.iter().map(|name| ((*name).to_owned(), String::new())).collect() }
    }

    /// With a file of this text.
    pub fn with(mut self, name: &str, text: &str) -> Listed {
        self.files.insert(name.to_owned(), text.to_owned());
        self
    }
}

/// Without `./` before it.
fn plain(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path).trim_end_matches('/')
}

impl Folder for Listed {
    fn kind(&self, path: &str) -> Kind {
        let path = plain(path);
        let inside = |name: &String| path.is_empty() || path == "." || name.starts_with(&format!("{path}/"));
        match self.files.contains_key(path) {
            true => Kind::File,
            false if self.files.keys().any(inside) => Kind::Folder,
            false => Kind::Nothing,
        }
    }

    fn entries(&self, folder: &str) -> io::Result<Vec<(String, bool)>> {
        let folder = plain(folder);
        let start = if folder.is_empty() || folder == "." { String::new() } else { format!("{folder}/") };
        let inside = self.files.keys().filter_map(|name| name.strip_prefix(&start));
        let mut names: Vec<(String, bool)> = inside
            .map(|rest| match rest.split_once('/') {
                Some((first, _)) => (first.to_owned(), true),
                None => (rest.to_owned(), false),
            })
            .collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    fn text(&self, path: &str) -> io::Result<String> {
        self.files.get(plain(path)).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}
