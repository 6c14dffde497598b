//! What the documents show is what the tool prints: every listing that starts with `$ nearmiss` is printed anew and compared
//! line by line. A line with nothing but `…` stands for lines that are left out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command and what it prints.
#[derive(Debug)]
struct Listing {
    line: usize,
    command: String,
    lines: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The listings of a document: indented by four, up to the next line that is not.
fn listings(text: &str) -> Vec<Listing> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        let Some(command) = line.strip_prefix("    $ nearmiss ") else { continue };
        let mut command = command.to_owned();
        while let Some(first) = command.strip_suffix('\\') {
            let (_, more) = lines.next().unwrap_or_else(|| panic!("line {number} goes on"));
            command = format!("{first}{}", more.trim_start());
        }
        let mut shown = Vec::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| line.starts_with("    ") || line.is_empty()) {
            shown.push(line.strip_prefix("    ").unwrap_or_default().to_owned());
        }
        while shown.last().is_some_and(String::is_empty) {
            shown.pop();
        }
        found.push(Listing { line: number + 1, command, lines: shown });
    }
    found
}

/// Do these lines match what is printed?
fn matches(shown: &[String], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "…" => (0..=printed.len()).any(|at| matches(rest, &printed[at..])),
        Some((first, rest)) => printed.first() == Some(&first.as_str()) && matches(rest, &printed[1..]),
    }
}

#[test]
fn what_the_documents_show_is_what_is_printed() {
    let root = root();
    let mut documents = vec![root.join("README.md")];
    for folder in ["docs", "docs/guide/src"] {
        let files = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        documents.extend(files.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    let mut compared = 0;
    for document in documents {
        for listing in listings(&fs::read_to_string(&document).unwrap()) {
            let mut shell = Command::new("sh");
            let command = format!("'{}' {}", env!("CARGO_BIN_EXE_nearmiss"), listing.command);
            let out = shell.current_dir(&root).args(["-c", &command]).output().unwrap();
            let printed = String::from_utf8(out.stdout).unwrap();
            let lines: Vec<&str> = printed.trim_end().lines().collect();
            let place = format!("{}:{}", document.display(), listing.line);
            assert!(matches(&listing.lines, &lines), "{place} shows\n{}\nand not\n{printed}", listing.lines.join("\n"));
            compared += 1;
        }
    }
    assert!(compared >= 4, "only {compared} listings");
}

#[test]
fn what_is_left_out_may_be_any_number_of_lines() {
    let shown = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    assert!(matches(&shown(&["a", "…"]), &["a", "b", "c"]));
    assert!(matches(&shown(&["a", "…", "c"]), &["a", "c"]));
    assert!(!matches(&shown(&["a", "…", "c"]), &["a", "c", "d"]));
    assert!(!matches(&shown(&["a"]), &["a", "b"]));
}
