//! What a report says of a task in a line: the task, and the small part of its result. Large parts stay on the disk.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::task::{Expected, SCHEMA, Task, Verdict, find};

/// The place of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Its line.
    pub line: u64,
}

/// The small part of a result.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// What came out.
    pub verdict: Verdict,
    /// Why there is no verdict, in a word.
    pub why: Option<String>,
    /// What is said of it, in a line.
    pub sentence: String,
    /// How long it took.
    pub seconds: f64,
    /// The claim that was looked at.
    pub property: Option<Property>,
    /// Suspected lines.
    pub suspects: Vec<String>,
    /// When it fails.
    pub condition: Option<String>,
}

/// A bug, and the tasks that tell of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bug {
    /// From 1, in the order of the first task of each.
    pub number: usize,
    /// Their places in the suite.
    pub tasks: Vec<usize>,
}

/// A task and what was found; nothing, if it has not been done.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The task.
    pub task: Task,
    /// The name of its result.
    pub key: String,
    /// What was found.
    pub found: Option<Found>,
    /// Of which bug it tells, from 1.
    pub bug: Option<usize>,
}

/// A result of which the small parts are looked at, and the others skipped.
pub struct Stored<'a> {
    parts: BTreeMap<String, &'a RawValue>,
}

impl<'a> Stored<'a> {
    /// A result as it is stored; none if it is damaged, or another one's.
    pub fn of(text: &'a str, key: &str) -> Option<Stored<'a>> {
        let stored = Stored { parts: serde_json::from_str(text).ok()? };
        (stored.value("schema") == SCHEMA && stored.value("key") == key).then_some(stored)
    }

    /// One part of it.
    pub fn value(&self, part: &str) -> Value {
        self.parts.get(part).and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }

    /// The files that were read, with the hash of each; none where it was not there.
    pub fn read(&self) -> Option<BTreeMap<String, Option<String>>> {
        serde_json::from_str(self.parts.get("read")?.get()).ok()
    }

    /// The small part of it.
    pub fn found(&self) -> Option<Found> {
        let text = |part: &str| self.value(part).as_str().map(str::to_owned);
        let property = self.value("property");
        let place = |property: &Value| {
            Some(Property {
                id: property["id"].as_str()?.to_owned(),
                file: property["file"].as_str()?.to_owned(),
                line: property["line"].as_u64()?,
            })
        };
        Some(Found {
            verdict: find(Verdict::WORDS, &text("verdict")?)?,
            why: text("why"),
            sentence: text("sentence")?,
            seconds: self.value("seconds").as_f64()?,
            property: place(&property),
            suspects: crate::task::strings(&self.value("suspects"))?,
            condition: text("condition"),
        })
    }
}

impl Row {
    /// Did it come out as expected?
    pub fn as_expected(&self) -> bool {
        match (&self.found, self.task.expected) {
            (None, _) => false,
            (Some(_), Expected::Any) => true,
            (Some(found), Expected::This(verdict)) => found.verdict == verdict,
        }
    }

    /// What came out.
    pub fn verdict(&self) -> Option<Verdict> {
        self.found.as_ref().map(|found| found.verdict)
    }

    /// The word for what came out.
    pub fn word(&self) -> &'static str {
        self.verdict().map_or("missing", Verdict::name)
    }

    /// What is said of it, in a line.
    pub fn sentence(&self) -> &str {
        self.found.as_ref().map_or("it has not been done", |found| found.sentence.as_str())
    }

    /// For scripts.
    pub fn json(&self) -> Value {
        let Task { name, command, argv, files, crash, expected, .. } = &self.task;
        let found = self.found.as_ref();
        let property = found.and_then(|found| found.property.as_ref());
        json!({
            "name": name,
            "command": command.name(),
            "argv": argv,
            "files": files,
            "crash": crash,
            "expected": expected.name(),
            "verdict": self.word(),
            "as_expected": self.as_expected(),
            "why": found.and_then(|found| found.why.as_ref()),
            "sentence": self.sentence(),
            "property": property.map(|at| json!({"id": at.id, "file": at.file, "line": at.line})),
            "suspects": found.map(|found| found.suspects.as_slice()).unwrap_or_default(),
            "condition": found.and_then(|found| found.condition.as_ref()),
            "bug": self.bug,
            "key": self.key,
            "result": found.map(|_| format!("tasks/{}.json", self.key)),
        })
    }
}

/// What is said of a suite as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whole {
    /// Everything came out as expected.
    Holds,
    /// Something came out as it should not.
    Fails,
    /// Something has no answer.
    Undecided,
}

impl Whole {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Whole::Holds => "holds",
            Whole::Fails => "fails",
            Whole::Undecided => "undecided",
        }
    }
}

/// All rows, and what they have in common.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// In the order of the manifest.
    pub rows: Vec<Row>,
    /// Which failures are one bug.
    pub bugs: Vec<Bug>,
}

impl Summary {
    /// How many tasks came out as this.
    pub fn count(&self, verdict: Option<Verdict>) -> usize {
        self.rows.iter().filter(|row| row.verdict() == verdict).count()
    }

    /// How many came out as expected.
    pub fn as_expected(&self) -> usize {
        self.rows.iter().filter(|row| row.as_expected()).count()
    }

    /// What is said of it as a whole.
    pub fn whole(&self) -> Whole {
        let mut others = self.rows.iter().filter(|row| !row.as_expected()).map(Row::verdict).peekable();
        if others.peek().is_none() {
            return Whole::Holds;
        }
        let is_certain = |verdict| matches!(verdict, Some(Verdict::Holds | Verdict::Fails));
        if others.any(is_certain) { Whole::Fails } else { Whole::Undecided }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Command;

    fn row(expected: &str, verdict: &str) -> Row {
        let found = find(Verdict::WORDS, verdict).map(|verdict| Found {
            verdict,
            why: None,
            sentence: String::new(),
            seconds: 0.0,
            property: None,
            suspects: Vec::new(),
            condition: None,
        });
        let expected = find(Expected::WORDS, expected).expect("a word");
        let task = Task {
            name: String::new(),
            command: Command::Check,
            argv: Vec::new(),
            files: Vec::new(),
            crash: None,
            focus: None,
            expected,
            open: Vec::new(),
        };
        Row { task, key: String::new(), found, bug: None }
    }

    fn whole(rows: &[(&str, &str)]) -> Whole {
        let rows = rows.iter().map(|(expected, verdict)| row(expected, verdict)).collect();
        Summary { rows, bugs: Vec::new() }.whole()
    }

    #[test]
    fn a_suite_holds_if_everything_is_as_expected() {
        assert_eq!(whole(&[]), Whole::Holds);
        assert_eq!(whole(&[("holds", "holds"), ("fails", "fails"), ("any", "error")]), Whole::Holds);
        assert_eq!(whole(&[("fails", "holds"), ("holds", "undecided")]), Whole::Fails);
        assert_eq!(whole(&[("holds", "error")]), Whole::Undecided);
        assert_eq!(whole(&[("any", "missing")]), Whole::Undecided);
        assert_eq!(whole(&[("undecided", "fails")]), Whole::Fails);
    }

    #[test]
    fn damaged_results_are_none() {
        let text =
            r#"{"schema": "nearmiss/1", "key": "k", "verdict": "holds", "sentence": "", "seconds": 1, "suspects": []}"#;
        assert!(Stored::of(text, "k").and_then(|stored| stored.found()).is_some());
        assert!(Stored::of(text, "other").is_none());
        assert!(Stored::of(&text[..text.len() - 1], "k").is_none());
        assert!(Stored::of(r#"{"schema": "nearmiss/1", "key": "k"}"#, "k").and_then(|stored| stored.found()).is_none());
    }
}
