//! The answer of `suite` for test runners (JUnit XML): a task is a test case. It passes if it came out as expected; it
//! failed if it certainly did not, and it is an error if there is no answer. Here are the times that tasks took.

use std::fmt::Write;

use nearmiss_suite::row::{Row, Summary};
use nearmiss_suite::task::Verdict;

use super::instead;

/// What stands behind the last case.
pub const CLOSE: &str = "  </testsuite>\n</testsuites>\n";

/// What becomes of a task here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failure,
    Error,
    Skipped,
}

fn outcome(row: &Row) -> Outcome {
    match row.verdict() {
        None => Outcome::Skipped,
        Some(_) if row.as_expected() => Outcome::Passed,
        Some(Verdict::Holds | Verdict::Fails) => Outcome::Failure,
        Some(_) => Outcome::Error,
    }
}

/// What stands before the first case.
pub fn open(summary: &Summary) -> String {
    let count = |wanted| summary.rows.iter().filter(|row| outcome(row) == wanted).count();
    let seconds: f64 = summary.rows.iter().filter_map(|row| row.found.as_ref()).map(|found| found.seconds).sum();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{seconds:.3}\"",
        summary.rows.len(),
        count(Outcome::Failure),
        count(Outcome::Error),
        count(Outcome::Skipped)
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"nearmiss\" {counts}>\n  \
         <testsuite name=\"nearmiss\" {counts}>\n"
    )
}

/// A case, with the whole text of its explanation where it is of use.
pub fn case(row: &Row, text: &str) -> String {
    let seconds = row.found.as_ref().map_or(0.0, |found| found.seconds);
    let mut case = format!(
        "    <testcase classname=\"nearmiss.{}\" name=\"{}\" time=\"{seconds:.3}\"",
        row.task.command.name(),
        escape(&row.task.name)
    );
    if let Some(file) = row.task.files.first() {
        let _ = write!(case, " file=\"{}\"", escape(file));
    }
    let (tag, kind) = match outcome(row) {
        Outcome::Passed => return case + "/>\n",
        Outcome::Skipped => return case + ">\n      <skipped message=\"it has not been done\"/>\n    </testcase>\n",
        Outcome::Failure => ("failure", row.word()),
        Outcome::Error => ("error", row.word()),
    };
    let expected = instead(row).unwrap_or_default();
    let message = format!("{} Expected: {expected}.", row.sentence());
    let _ = write!(
        case,
        ">\n      <{tag} type=\"{kind}\" message=\"{}\">{}</{tag}>\n    </testcase>\n",
        escape(&message),
        escape(text)
    );
    case
}

/// Text in elements and attributes; XML has no way to write most control characters.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(c),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}
