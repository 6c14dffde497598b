//! The edited text, and whether it says what the edited tree does.

use std::io;
use std::path::Path;

use nearmiss_program::c::Loader;
use nearmiss_program::c::edit::TextEdit;
use nearmiss_program::disk::Disk;
use nearmiss_program::program;
use nearmiss_program::program_text;
use nearmiss_program::source::{FileId, Sources};

use crate::reading::{self, Program};

/// The files as they were read, some of them edited.
pub struct Edited<'a> {
    sources: &'a Sources,
    texts: Vec<(FileId, String)>,
}

impl<'a> Edited<'a> {
    /// All as they were.
    pub fn unchanged(sources: &'a Sources) -> Edited<'a> {
        Edited { sources, texts: Vec::new() }
    }

    /// With some edits made.
    pub fn of(sources: &'a Sources, edits: &[TextEdit]) -> Edited<'a> {
        let mut files: Vec<FileId> = edits.iter().map(|edit| edit.span.file).collect();
        files.sort();
        files.dedup();
        let texts = files.into_iter().map(|file| (file, edited_text(&sources.file(file).text, file, edits))).collect();
        Edited { sources, texts }
    }
}

impl Loader for Edited<'_> {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        let is_it = |name: &str| Path::new(name) == path;
        if let Some((_, text)) = self.texts.iter().find(|(file, _)| is_it(&self.sources.file(*file).name)) {
            return Ok(text.clone().into_bytes());
        }
        let known = self.sources.files().find(|(_, file)| is_it(&file.name) && !file.system);
        known.map_or_else(|| Disk.load(path), |(_, file)| Ok(file.text.clone().into_bytes()))
    }

    fn exists(&self, path: &Path) -> bool {
        self.sources.files().any(|(_, file)| Path::new(&file.name) == path) || Disk.exists(path)
    }
}

/// A file with its edits made.
pub fn edited_text(text: &str, file: FileId, edits: &[TextEdit]) -> String {
    let mut own: Vec<&TextEdit> = edits.iter().filter(|edit| edit.span.file == file).collect();
    own.sort_by_key(|edit| edit.span.start);
    let (mut out, mut at) = (String::new(), 0);
    for edit in own {
        out.push_str(&text[at..edit.span.start as usize]);
        out.push_str(&edit.new);
        at = edit.span.end as usize;
    }
    out + &text[at..]
}

/// The program that the edited text is, if it is one.
pub(super) fn reread(program: &Program, edits: &[TextEdit]) -> Option<program::Program> {
    let loader = Edited::of(&program.sources, edits);
    let origin = program.origin();
    reading::read(&origin.files, &origin.reading, &loader).ok().map(|read| read.program)
}

/// Do two programs do the same, statement for statement?
pub(super) fn is_same(one: &program::Program, other: &program::Program) -> bool {
    meaning(one) == meaning(other)
}

/// A program without places in the text, and without what its claims are called: they quote it.
fn meaning(program: &program::Program) -> String {
    let mut bare = program.clone();
    for claim in &mut bare.claims {
        claim.text.clear();
        claim.id = String::new();
    }
    let text = program_text::print(&bare, None);
    text.lines().map(|line| line.split(" @").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}
