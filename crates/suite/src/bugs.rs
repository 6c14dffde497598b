//! Which crash files tell of one bug: those of one target with the same suspected lines and the same condition under which
//! the program fails. Where neither is known, those that violate the same claim.

use std::collections::{BTreeMap, BTreeSet};

use crate::row::{Bug, Row};
use crate::task::Verdict;

/// What makes two failures one bug.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Cause<'a> {
    target: &'a [String],
    suspects: BTreeSet<&'a str>,
    condition: Option<&'a str>,
    /// Only looked at where nothing else is known.
    claim: Option<(&'a str, u64)>,
}

/// Groups the rows of crash files that fail, and tells each its bug.
pub fn group(rows: &mut [Row]) -> Vec<Bug> {
    let mut bugs: Vec<Bug> = Vec::new();
    let mut known = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        let Some(cause) = cause(row) else { continue };
        let number = *known.entry(cause).or_insert_with(|| {
            bugs.push(Bug { number: bugs.len() + 1, tasks: Vec::new() });
            bugs.len()
        });
        bugs[number - 1].tasks.push(place);
    }
    for bug in &bugs {
        for place in &bug.tasks {
            rows[*place].bug = Some(bug.number);
        }
    }
    bugs
}

fn cause(row: &Row) -> Option<Cause<'_>> {
    let found = row.found.as_ref().filter(|found| found.verdict == Verdict::Fails)?;
    row.task.crash.as_ref()?;
    let condition = found.condition.as_deref();
    let is_unknown = found.suspects.is_empty() && condition.is_none();
    Some(Cause {
        target: &row.task.files,
        suspects: found.suspects.iter().map(String::as_str).collect(),
        condition,
        claim: found.property.as_ref().filter(|_| is_unknown).map(|at| (at.file.as_str(), at.line)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Found, Property};
    use crate::task::{Command, Expected, Task};

    fn row(crash: Option<&str>, suspects: &[&str], condition: Option<&str>, line: u64) -> Row {
        let task = Task {
            name: String::new(),
            command: Command::Explain,
            argv: Vec::new(),
            files: vec!["t.c".to_owned()],
            crash: crash.map(str::to_owned),
            focus: None,
            expected: Expected::Any,
            open: Vec::new(),
        };
        let found = Found {
            verdict: Verdict::Fails,
            why: None,
            sentence: String::new(),
            seconds: 0.0,
            property: Some(Property { id: "p".to_owned(), file: "t.c".to_owned(), line }),
            suspects: suspects.iter().map(|line| (*line).to_owned()).collect(),
            condition: condition.map(str::to_owned),
        };
        Row { task, key: String::new(), found: Some(found), bug: None }
    }

    #[test]
    fn the_same_suspects_and_the_same_condition_are_one_bug() {
        let mut rows = vec![
            row(Some("1"), &["t.c:1", "t.c:2"], Some("n > 3"), 9),
            row(Some("2"), &["t.c:2", "t.c:1"], Some("n > 3"), 8),
            row(Some("3"), &["t.c:1", "t.c:2"], Some("n < 3"), 9),
            row(Some("4"), &["t.c:1"], Some("n > 3"), 9),
            row(Some("5"), &[], None, 9),
            row(Some("6"), &[], None, 9),
            row(Some("7"), &[], None, 8),
            row(None, &["t.c:1", "t.c:2"], Some("n > 3"), 9),
        ];
        let bugs = group(&mut rows);
        let numbers: Vec<Option<usize>> = rows.iter().map(|row| row.bug).collect();
        assert_eq!(numbers, [Some(1), Some(1), Some(2), Some(3), Some(4), Some(4), Some(5), None]);
        assert_eq!(bugs[0].tasks, [0, 1]);
    }
}
