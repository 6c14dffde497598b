//! The answer of `suite` as one object.

use nearmiss_suite::row::{Row, Summary};
use nearmiss_suite::task::Verdict;
use serde_json::{Value, json};

use super::rows_of;
use crate::schema::{SCHEMA, print};

/// The object, with its end of line.
pub fn render(summary: &Summary) -> String {
    let bugs: Vec<Value> = (summary.bugs.iter())
        .map(|bug| {
            let found = rows_of(summary, bug).next().and_then(|row| row.found.as_ref());
            json!({
                "bug": bug.number,
                "tasks": rows_of(summary, bug).map(|row| row.task.name.clone()).collect::<Vec<_>>(),
                "suspects": found.map(|found| found.suspects.clone()).unwrap_or_default(),
                "condition": found.and_then(|found| found.condition.clone()),
                "sentence": found.map(|found| found.sentence.clone()),
            })
        })
        .collect();
    print(&json!({
        "schema": SCHEMA,
        "command": "suite",
        "verdict": summary.whole().name(),
        "counts": {
            "tasks": summary.rows.len(),
            "as_expected": summary.as_expected(),
            "holds": summary.count(Some(Verdict::Holds)),
            "fails": summary.count(Some(Verdict::Fails)),
            "undecided": summary.count(Some(Verdict::Undecided)),
            "error": summary.count(Some(Verdict::Error)),
            "missing": summary.count(None),
        },
        "tasks": summary.rows.iter().map(Row::json).collect::<Vec<_>>(),
        "bugs": bugs,
    }))
}
