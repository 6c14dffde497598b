//! One SARIF log of all tasks, with one run: code-scanning views take no more than one of each tool. Rules are shared, names
//! of files are told from where the user is, a bug of many crash files is one result, and what was expected to fail is
//! there, but suppressed.

use std::collections::BTreeMap;

use nearmiss_suite::row::{Row, Summary};
use nearmiss_suite::task::Verdict;
use serde_json::{Value, json};

use super::rows_of;
use crate::sarif::uri;

/// What has been merged so far: only the rules, and whether there was a result.
pub struct Merged<'a> {
    /// The folder in which tasks run, told from where the user is; empty if that is the same.
    folder: &'a str,
    rules: Vec<Value>,
    places: BTreeMap<String, usize>,
    has_results: bool,
}

impl<'a> Merged<'a> {
    /// Nothing yet.
    pub fn new(folder: &'a str) -> Merged<'a> {
        Merged { folder, rules: Vec::new(), places: BTreeMap::new(), has_results: false }
    }

    /// What stands before the first result.
    pub fn open(&self) -> String {
        let schema = "https://json.schemastore.org/sarif-2.1.0.json";
        format!("{{\"$schema\":\"{schema}\",\"version\":\"2.1.0\",\"runs\":[{{\"results\":[")
    }

    /// The results of a task, given its own log.
    pub fn add(&mut self, summary: &Summary, place: usize, mut log: Value) -> String {
        let row = &summary.rows[place];
        let bug = row.bug.and_then(|number| summary.bugs.get(number - 1));
        if bug.is_some_and(|bug| bug.tasks.first() != Some(&place)) {
            return String::new();
        }
        let mut part = |path: &str| match log.pointer_mut(path).map(Value::take) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        };
        let (own, mut results) = (part("/runs/0/tool/driver/rules"), part("/runs/0/results"));
        if results.is_empty() {
            results.extend(self.plain(row));
        }
        let mut text = String::new();
        for result in &mut results {
            let id = result["ruleId"].as_str().unwrap_or("claim").to_owned();
            let rule = own.iter().find(|rule| rule["id"] == id.as_str());
            result["ruleIndex"] = json!(self.rule(&id, rule));
            self.place(result);
            let mut properties = json!({"task": row.task.name});
            if let Some(bug) = bug {
                properties["crash_files"] = rows_of(summary, bug).map(|row| json!(row.task.crash)).collect();
            }
            result["properties"] = properties;
            if row.as_expected() {
                result["suppressions"] = json!([{"kind": "external", "justification": "it is expected to fail"}]);
            }
            text += if std::mem::replace(&mut self.has_results, true) { ",\n" } else { "\n" };
            text += &result.to_string();
        }
        text
    }

    /// What stands behind the last result: who is speaking, and what has no answer.
    pub fn close(&self, summary: &Summary) -> String {
        let unanswered = summary
            .rows
            .iter()
            .filter(|row| !row.as_expected() && !matches!(row.verdict(), Some(Verdict::Holds | Verdict::Fails)));
        let notifications: Vec<Value> = unanswered
            .map(|row| {
                let mut told = json!({
                    "level": if row.verdict() == Some(Verdict::Error) { "error" } else { "warning" },
                    "message": {"text": format!("{}: {}: {}", row.task.name, row.word(), row.sentence())},
                });
                if let Some(location) = self.location(row) {
                    told["locations"] = json!([location]);
                }
                told
            })
            .collect();
        let version = env!("CARGO_PKG_VERSION");
        let driver = json!({"name": "nearmiss", "version": version, "semanticVersion": version, "rules": self.rules});
        let successful = summary.rows.iter().all(|row| row.found.is_some());
        let invocations = json!([{"executionSuccessful": successful, "toolExecutionNotifications": notifications}]);
        format!(
            "\n],\"columnKind\":\"unicodeCodePoints\",\"invocations\":{invocations},\"tool\":{{\"driver\":{driver}}}}}]}}\n"
        )
    }

    /// A result where a task has no log of its own: what fails on a trace or a test, and what should fail and does not.
    fn plain(&self, row: &Row) -> Option<Value> {
        let message = match row.verdict() {
            Some(Verdict::Fails) => row.sentence().to_owned(),
            Some(Verdict::Holds) if !row.as_expected() => format!("Expected to fail, but: {}", row.sentence()),
            _ => return None,
        };
        let id = if row.verdict() == Some(Verdict::Fails) { "fails" } else { "unexpected" };
        Some(json!({
            "ruleId": id,
            "level": "error",
            "message": {"text": message},
            "locations": [self.location(row)?],
            "partialFingerprints": {"primaryLocationLineHash": row.task.name, "nearmiss/v1": row.task.name},
        }))
    }

    fn location(&self, row: &Row) -> Option<Value> {
        let found = row.found.as_ref().and_then(|found| found.property.as_ref());
        let (file, line) = match found {
            Some(property) => (&property.file, property.line.max(1)),
            None => (row.task.files.first()?, 1),
        };
        let artifact = json!({"uri": self.told_from_here(&uri(file, None))});
        Some(json!({"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line}}}))
    }

    /// The place of a rule in the list of all.
    fn rule(&mut self, id: &str, rule: Option<&Value>) -> usize {
        if let Some(place) = self.places.get(id) {
            return *place;
        }
        let told = match id {
            "unexpected" => "Something that is expected to fail does not",
            _ => "A property of a trace or a test does not hold",
        };
        let plain = || json!({"id": id, "name": id, "shortDescription": {"text": told}});
        self.rules.push(rule.cloned().unwrap_or_else(plain));
        self.places.insert(id.to_owned(), self.rules.len() - 1);
        self.rules.len() - 1
    }

    /// Tells all names of files in a result from where the user is.
    fn place(&self, value: &mut Value) {
        match value {
            Value::Object(entries) => {
                for (key, inner) in entries.iter_mut() {
                    let uri = inner.get("uri").and_then(Value::as_str).filter(|_| key == "artifactLocation");
                    match uri.map(|uri| self.told_from_here(uri)) {
                        Some(uri) => inner["uri"] = json!(uri),
                        None => self.place(inner),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.place(item)),
            _ => {}
        }
    }

    fn told_from_here(&self, uri: &str) -> String {
        if self.folder.is_empty() || uri.starts_with('/') || uri.contains("://") {
            return uri.to_owned();
        }
        let folder = crate::sarif::uri(self.folder, None);
        nearmiss_suite::includes::plain(&format!("{folder}/{uri}")).replacen("file:/", "file:///", 1)
    }
}
