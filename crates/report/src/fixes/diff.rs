//! What edits change, in whole lines: of each file the lines that go and those that come.

use std::path::Path;

use nearmiss_explain::fix::edited_text;
use nearmiss_program::c::edit::TextEdit;
use nearmiss_program::source::{FileId, Sources};

use super::original::Original;

/// So many lines stand around what a patch changes.
const CONTEXT: usize = 3;

/// Lines that go, and what comes instead; with their ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hunk {
    /// The first of them, from 0, in the file as its owner has it.
    pub first: usize,
    /// Its number as a person would say it: line markers move it.
    pub line: u32,
    /// What goes.
    pub old: Vec<String>,
    /// What comes.
    pub new: Vec<String>,
}

/// A file that is changed.
pub struct Changed {
    /// Which one.
    pub file: FileId,
    /// Its text before.
    pub before: String,
    /// Its text after.
    pub after: String,
    /// The lines that differ, in order.
    pub hunks: Vec<Hunk>,
}

/// The files that edits change, in the order of the edits.
pub fn changed(sources: &Sources, edits: &[TextEdit]) -> Vec<Changed> {
    let mut files: Vec<FileId> = Vec::new();
    for edit in edits {
        if !files.contains(&edit.span.file) {
            files.push(edit.span.file);
        }
    }
    files.into_iter().map(|file| changed_file(sources, file, edits)).collect()
}

fn changed_file(sources: &Sources, file: FileId, edits: &[TextEdit]) -> Changed {
    let original = Original::of(sources, file);
    let own = original.edits(edits);
    // Some place, counted both ways.
    let known = edits.iter().find(|edit| edit.span.file == file);
    let known = known.map(|edit| (sources.position(edit.span).line as usize, original.offset(edit.span.start)));
    let before = original.text;
    let after = edited_text(&before, file, &own);
    let line_of = |at: u32| before[..at as usize].matches('\n').count();
    let starts: Vec<usize> =
        std::iter::once(0).chain(before.match_indices('\n').map(|(at, _)| at + 1)).chain([before.len()]).collect();
    // Edits on lines that meet are told together.
    let mut groups: Vec<(usize, usize, Vec<TextEdit>)> = Vec::new();
    for edit in own {
        let (first, last) = (line_of(edit.span.start), line_of(edit.span.end));
        match groups.last_mut() {
            Some((_, end, group)) if first <= *end => {
                *end = last.max(*end);
                group.push(edit);
            }
            _ => groups.push((first, last, vec![edit])),
        }
    }
    let (line, at) = known.map_or((1, 0), |(line, at)| (line, line_of(at as u32)));
    let hunks = groups.into_iter().map(|(first, last, group)| {
        let (start, end) = (starts[first], starts[(last + 1).min(starts.len() - 1)]);
        let shifted: Vec<TextEdit> = group
            .iter()
            .map(|edit| {
                let mut edit = edit.clone();
                edit.span.start -= start as u32;
                edit.span.end -= start as u32;
                edit
            })
            .collect();
        let old = &before[start..end];
        let mut hunk = trimmed(first, old, &edited_text(old, file, &shifted));
        hunk.line = (line + hunk.first).saturating_sub(at) as u32;
        hunk
    });
    let hunks = hunks.collect();
    Changed { file, before, after, hunks }
}

/// The lines of a text, with their ends.
fn lines(text: &str) -> Vec<String> {
    text.split_inclusive('\n').map(str::to_owned).collect()
}

/// Leaves out lines that stay at either end.
fn trimmed(first: usize, old: &str, new: &str) -> Hunk {
    let (mut old, mut new) = (lines(old), lines(new));
    while old.last().is_some() && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    Hunk { first: first + same, line: 0, old: old.split_off(same), new: new.split_off(same) }
}

/// A line without its end.
pub fn bare(line: &str) -> &str {
    line.trim_end_matches(['\n', '\r'])
}

/// A unified diff, as `patch -p1` and `git apply` take it in the folder `here`.
pub fn patch(sources: &Sources, edits: &[TextEdit], here: Option<&Path>) -> String {
    let told = changed(sources, edits).into_iter().map(|changed| {
        let name = relative(&sources.file(changed.file).name, here);
        let (old, new) = (label("a", name), label("b", name));
        let text = lines(&changed.before);
        let (mut out, mut moved) = (format!("--- {old}\n+++ {new}\n"), 0isize);
        let mut rest = &changed.hunks[..];
        while !rest.is_empty() {
            // What lies so close that its surroundings meet is one piece.
            let meets = |pair: &[Hunk]| pair[1].first <= pair[0].first + pair[0].old.len() + 2 * CONTEXT;
            let together = 1 + rest.windows(2).take_while(|pair| meets(pair)).count();
            let (piece, others) = rest.split_at(together);
            rest = others;
            out += &unified(piece, &text, &mut moved);
        }
        out
    });
    told.collect()
}

/// One piece of a unified diff.
fn unified(piece: &[Hunk], text: &[String], moved: &mut isize) -> String {
    let (Some(head), Some(tail)) = (piece.first(), piece.last()) else { return String::new() };
    let from = head.first.saturating_sub(CONTEXT);
    let to = (tail.first + tail.old.len() + CONTEXT).min(text.len());
    let mut body = String::new();
    let mut at = from;
    let (mut removed, mut added) = (0, 0);
    for hunk in piece {
        text[at..hunk.first].iter().for_each(|line| body += &told(' ', line));
        hunk.old.iter().for_each(|line| body += &told('-', line));
        hunk.new.iter().for_each(|line| body += &told('+', line));
        at = hunk.first + hunk.old.len();
        removed += hunk.old.len();
        added += hunk.new.len();
    }
    text[at..to].iter().for_each(|line| body += &told(' ', line));
    let (before, after) = (to - from, to - from - removed + added);
    // Where there are no lines, the line before them is named.
    let number = |first: usize, count: usize| if count == 0 { first } else { first + 1 };
    let start = from.saturating_add_signed(*moved);
    *moved += added as isize - removed as isize;
    format!("@@ -{},{before} +{},{after} @@\n{body}", number(from, before), number(start, after))
}

/// A line of a unified diff.
fn told(mark: char, line: &str) -> String {
    match line.ends_with('\n') {
        true => format!("{mark}{line}"),
        false => format!("{mark}{line}\n\\ No newline at end of file\n"),
    }
}

/// The name of a file from a folder that it is in, else as it is.
pub fn relative<'a>(name: &'a str, here: Option<&Path>) -> &'a str {
    here.and_then(|here| Path::new(name).strip_prefix(here).ok()).and_then(Path::to_str).unwrap_or(name)
}

/// The name of a file in a diff. A tab ends a name with blanks; one with quotes or control characters is a string.
fn label(side: &str, name: &str) -> String {
    let name = name.strip_prefix("./").unwrap_or(name).trim_start_matches('/');
    let is_odd = |letter: char| letter == '"' || letter == '\\' || letter.is_control();
    if name.contains(is_odd) {
        let quoted: String = (name.bytes())
            .map(|byte| match byte {
                b'"' | b'\\' => format!("\\{}", char::from(byte)),
                b' '..=b'~' => char::from(byte).to_string(),
                byte => format!("\\{byte:03o}"),
            })
            .collect();
        return format!("\"{side}/{quoted}\"");
    }
    format!("{side}/{name}{}", if name.contains(' ') { "\t" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearmiss_program::source::Span;

    fn with(name: &str, text: &str, edits: &[(&str, &str)]) -> (Sources, Vec<TextEdit>) {
        let mut sources = Sources::new();
        let file = sources.add(name, text, false);
        let edits = edits.iter().map(|(old, new)| {
            let start = text.find(old).expect("it is there") as u32;
            TextEdit { span: Span::new(file, start, start + old.len() as u32), new: (*new).to_owned() }
        });
        let edits = edits.collect();
        (sources, edits)
    }

    #[test]
    fn a_patch_has_three_lines_around_it() {
        let (sources, edits) = with("d/a.c", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", &[("five", "5")]);
        let expected = "--- a/d/a.c\n+++ b/d/a.c\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-five\n+5\n 6\n 7\n 8\n";
        assert_eq!(patch(&sources, &edits, None), expected);
    }

    #[test]
    fn ends_of_lines_stay_as_they_are() {
        let (sources, edits) = with("./a.c", "one\r\ntwo", &[("two", "2")]);
        let told = "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n one\r\n-two\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n";
        assert_eq!(patch(&sources, &edits, None), told);
    }

    #[test]
    fn edits_far_apart_are_pieces_of_their_own() {
        let text: String = (1..=20).map(|number| format!("line {number};\n")).collect();
        let (sources, edits) = with("a b.c", &text, &[("line 2;", "a;\nb;"), ("line 18;", "c;")]);
        let told = patch(&sources, &edits, None);
        assert!(told.starts_with("--- a/a b.c\t\n+++ b/a b.c\t\n@@ -1,5 +1,6 @@\n"), "{told}");
        assert!(told.contains("@@ -15,6 +16,6 @@\n"), "{told}");
        let (sources, edits) = with("a.c", &text, &[("line 2;", "a;"), ("line 8;", "c;")]);
        assert_eq!(patch(&sources, &edits, None).matches("@@ -").count(), 1);
    }

    #[test]
    fn names_are_told_from_where_the_patch_is_made() {
        let (sources, edits) = with("/home/d/a.c", "1;\n", &[("1", "2")]);
        let first = |here| patch(&sources, &edits, here).lines().next().map(str::to_owned);
        assert_eq!(first(Some(Path::new("/home"))).as_deref(), Some("--- a/d/a.c"));
        assert_eq!(first(None).as_deref(), Some("--- a/home/d/a.c"));
    }

    #[test]
    fn lines_that_stay_are_not_told() {
        let (sources, edits) = with("a.c", "#line 11 \"b.c\"\na;\nb;\n", &[("a;", "a;\nnew;")]);
        let changed = changed(&sources, &edits);
        assert_eq!(changed[0].after, "#line 11 \"b.c\"\na;\nnew;\nb;\n");
        let hunk = Hunk { first: 2, line: 12, old: Vec::new(), new: vec!["new;\n".to_owned()] };
        assert_eq!(changed[0].hunks, [hunk]);
    }
}
