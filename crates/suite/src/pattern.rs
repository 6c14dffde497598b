//! Patterns of file names: `*` and `?` within a name, `**` across folders. Names that start with a dot are only matched by
//! patterns that do, so that what a suite keeps (`.nearmiss`) and what version control keeps are not tasks.

use std::io;

use crate::folder::{Folder, Kind};

/// Nothing is looked for deeper.
const DEEPEST: usize = 64;

/// Is it more than a name?
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Whether a name, without slashes, is one of those that a pattern stands for.
pub fn matches(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    is_like(pattern, name)
}

/// The same without a rule for dots: of names that are no files.
pub fn is_like(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // The last star, and how much of the name it has taken.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    (p, n) = (at + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// The files that a pattern stands for, by name, each once.
///
/// # Errors
///
/// A folder that cannot be read.
pub fn expand(pattern: &str, folder: &dyn Folder) -> Result<Vec<String>, (String, io::Error)> {
    let (start, rest) = match pattern.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", pattern),
    };
    let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    let mut found = Vec::new();
    walk(start, &parts, folder, 0, &mut found)?;
    found.sort();
    found.dedup();
    Ok(found)
}

/// All files below a folder with one of these endings, by name.
///
/// # Errors
///
/// A folder that cannot be read.
pub fn below(path: &str, endings: &[&str], folder: &dyn Folder) -> Result<Vec<String>, (String, io::Error)> {
    let mut found = Vec::new();
    for ending in endings {
        found.extend(expand(&join(path, &format!("**/*{ending}")), folder)?);
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// A name in a folder.
pub fn join(folder: &str, name: &str) -> String {
    match folder {
        "" | "." => name.to_owned(),
        _ if name.starts_with('/') => name.to_owned(),
        _ if folder.ends_with('/') => format!("{folder}{name}"),
        _ => format!("{folder}/{name}"),
    }
}

/// The folder of a file; empty where it is the one that names are told from.
pub fn folder_of(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) => "/",
        Some(at) => &path[..at],
        None => "",
    }
}

fn walk(
    base: &str,
    parts: &[&str],
    folder: &dyn Folder,
    depth: usize,
    found: &mut Vec<String>,
) -> Result<(), (String, io::Error)> {
    let Some((part, rest)) = parts.split_first() else {
        if folder.kind(base) == Kind::File {
            found.push(base.to_owned());
        }
        return Ok(());
    };
    if !is_pattern(part) {
        let next = join(base, part);
        // What is not there stands for nothing.
        return if folder.kind(&next) == Kind::Nothing { Ok(()) } else { walk(&next, rest, folder, depth, found) };
    }
    if *part == "**" {
        walk(base, rest, folder, depth, found)?;
    }
    if folder.kind(base) != Kind::Folder {
        return Ok(());
    }
    for (name, is_folder) in folder.entries(base).map_err(|error| (base.to_owned(), error))? {
        let next = join(base, &name);
        if *part == "**" {
            if is_folder && !name.starts_with('.') && depth < DEEPEST {
                walk(&next, parts, folder, depth + 1, found)?;
            }
        } else if matches(part, &name) {
            walk(&next, rest, folder, depth, found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Listed;

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, name, is) in [
            ("*.c", "a.c", true),
            ("*.c", ".c", false),
            ("*.c", "a.cc", false),
            ("a?c", "abc", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("*", "", true),
            ("?", "", false),
            (".*", ".git", true),
        ] {
            assert_eq!(matches(pattern, name), is, "{pattern} {name}");
        }
    }

    #[test]
    fn patterns_stand_for_files_by_name() {
        let disk = Listed::of(&["b.c", "a.c", "x/c.c", "x/y/d.c", "x/.h/e.c", "x/y/f.h", "z.c/g.c"]);
        let expand = |pattern| expand(pattern, &disk).expect("reads");
        assert_eq!(expand("*.c"), ["a.c", "b.c"]);
        assert_eq!(expand("**/*.c"), ["a.c", "b.c", "x/c.c", "x/y/d.c", "z.c/g.c"]);
        assert_eq!(expand("x/**/*.c"), ["x/c.c", "x/y/d.c"]);
        assert_eq!(expand("**/**/d.c"), ["x/y/d.c"]);
        assert_eq!(expand("x/*/*"), ["x/y/d.c", "x/y/f.h"]);
        assert_eq!(expand("./x/c.c"), ["x/c.c"]);
        assert!(expand("nowhere/*.c").is_empty());
        assert_eq!(below("x", &[".c", ".h"], &disk).expect("reads"), ["x/c.c", "x/y/d.c", "x/y/f.h"]);
    }
}
