//! Which tasks what was changed can matter to. Of a task that was done before it is known what it has read. Of others the
//! includes are followed in the text: without the preprocessor, so every `#include` counts, whatever stands around it.

use std::collections::BTreeSet;

use crate::folder::Folder;
use crate::pattern::{folder_of, join};
use crate::task::Task;

/// Nobody includes more.
const MOST: usize = 10_000;

/// A name without `.`, `..` and doubled slashes, as far as these can be left out.
pub fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let is_absolute = path.starts_with('/');
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if is_absolute => {}
            part => parts.push(part),
        }
    }
    let plain = parts.join("/");
    if is_absolute { format!("/{plain}") } else { plain }
}

/// The files of a task and all that these may include, as far as they are found.
pub fn of(task: &Task, folder: &dyn Folder) -> BTreeSet<String> {
    let searched = searched(&task.argv);
    let mut found = BTreeSet::new();
    let mut open: Vec<String> = task.files.iter().chain(&task.crash).map(|file| plain(file)).collect();
    while let Some(file) = open.pop() {
        if found.len() > MOST || !found.insert(file.clone()) {
            continue;
        }
        let Ok(text) = folder.text(&file) else { continue };
        for name in included(&text) {
            let places = [folder_of(&file)].into_iter().chain(searched.iter().map(String::as_str));
            open.extend(places.map(|place| plain(&join(place, name))));
        }
    }
    found
}

/// The folders that are searched for headers.
fn searched(argv: &[String]) -> Vec<String> {
    let mut folders = Vec::new();
    let mut words = argv.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix("-I") {
            Some("") => folders.extend(words.next().cloned()),
            Some(glued) => folders.push(glued.to_owned()),
            None => {}
        }
    }
    folders
}

/// The names behind `#include`.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let close = match rest.chars().next()? {
            '"' => '"',
            '<' => '>',
            _ => return None,
        };
        rest[1..].split_once(close).map(|(name, _)| name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Listed;
    use crate::task::{Command, Expected};

    #[test]
    fn names_are_made_plain() {
        for (path, is) in [("a/./b//c", "a/b/c"), ("a/../b", "b"), ("../a", "../a"), ("/../a", "/a"), ("./a", "a")] {
            assert_eq!(plain(path), is);
        }
    }

    #[test]
    fn includes_are_followed() {
        let disk = Listed::default()
            .with("src/a.c", "#include \"b.h\"\n  #  include <c.h>\n// #include\n")
            .with("src/b.h", "#include \"../d.h\"")
            .with("inc/c.h", "#include \"c.h\"")
            .with("d.h", "");
        let task = Task {
            name: String::new(),
            command: Command::Check,
            argv: ["check", "src/a.c", "-I", "inc"].map(str::to_owned).to_vec(),
            files: vec!["./src/a.c".to_owned()],
            crash: None,
            focus: None,
            expected: Expected::Any,
            open: Vec::new(),
        };
        let found = of(&task, &disk);
        for file in ["src/a.c", "src/b.h", "inc/c.h", "d.h"] {
            assert!(found.contains(file), "{file}: {found:?}");
        }
        assert!(!found.contains("inc/d.h"));
    }
}
