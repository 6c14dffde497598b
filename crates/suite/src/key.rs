//! What tells one question from another: hashes of contents.

use std::fmt::Write;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

use crate::task::Task;

/// What a result was made with; another word here makes all results old.
const FORM: &str = "nearmiss suite, results of form 1";

/// The hash of some bytes, as text.
pub fn digest(bytes: &[u8]) -> String {
    text(Sha256::digest(bytes).as_slice())
}

/// The hash of what comes from a reader, however long it is.
///
/// # Errors
///
/// What the reader says.
pub fn digest_of(mut from: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(text(hash.finalize().as_slice())),
            length => hash.update(&buffer[..length]),
        }
    }
}

fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The name of a task's result: which tool, which command lines, and the contents of all files that these name. What is
/// included is not known before a run, so the result itself says that.
pub fn of(tool: &str, surroundings: &[String], task: &Task, named: &[(String, Option<String>)]) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: &str| {
        // With its length, so that no two lists look alike.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    };
    add(FORM);
    add(tool);
    let none = Vec::new();
    for list in [surroundings, &task.argv, task.focus.as_ref().unwrap_or(&none), &task.open] {
        add(&list.len().to_string());
        list.iter().for_each(|part| add(part));
    }
    for (name, contents) in named {
        add(name);
        add(contents.as_deref().unwrap_or("nothing"));
    }
    text(hash.finalize().as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Command, Expected};

    #[test]
    fn everything_that_matters_is_in_the_key_and_nothing_else() {
        let task = |argv: &[&str], name: &str| Task {
            name: name.to_owned(),
            command: Command::Check,
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            files: Vec::new(),
            crash: None,
            focus: None,
            expected: Expected::Any,
            open: Vec::new(),
        };
        let named = |hash: &str| vec![("a.c".to_owned(), Some(hash.to_owned()))];
        let one = of("t", &[], &task(&["check", "a.c"], "x"), &named("1"));
        assert_eq!(one, of("t", &[], &task(&["check", "a.c"], "y"), &named("1")));
        let others = [
            of("u", &[], &task(&["check", "a.c"], "x"), &named("1")),
            of("t", &["cc".to_owned()], &task(&["check", "a.c"], "x"), &named("1")),
            of("t", &[], &task(&["checka", ".c"], "x"), &named("1")),
            of("t", &[], &task(&["check", "a.c"], "x"), &named("2")),
            of("t", &[], &task(&["check", "a.c"], "x"), &[("a.c".to_owned(), None)]),
        ];
        assert!(others.iter().all(|other| *other != one));
        assert_eq!(digest(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
