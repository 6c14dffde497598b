//! The answer of `suite`: a text, one object, a table, an index page, merged SARIF, and a report for test runners.
//!
//! Rows are small and all at hand; what is large of a result (its text, its SARIF) is handed in task by task, and written at
//! once by the caller. So nothing grows with the number of tasks but the rows. Times stand in JUnit alone, which has a
//! place for them: everything else is the same whenever and wherever the tasks were done.

pub mod csv;
pub mod json;
pub mod junit;
pub mod page;
pub mod sarif;
pub mod text;

use nearmiss_suite::row::{Bug, Row, Summary};
use nearmiss_suite::task::{Expected, Verdict};

use crate::layout::count;

/// How many of which, in a sentence.
fn tally(summary: &Summary) -> String {
    let of = |verdict| summary.count(verdict);
    let each = [
        (of(Some(Verdict::Holds)), "holds", "hold"),
        (of(Some(Verdict::Fails)), "fails", "fail"),
        (of(Some(Verdict::Undecided)), "is undecided", "are undecided"),
        (of(Some(Verdict::Error)), "has no answer", "have no answer"),
        (of(None), "has not been done", "have not been done"),
    ];
    let told: Vec<String> = (each.into_iter())
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| format!("{number} {}", if number == 1 { one } else { many }))
        .collect();
    let total = count(summary.rows.len(), "task");
    if told.is_empty() { total } else { format!("{total}: {}", told.join(", ")) }
}

/// Whether all came out as expected, in a sentence.
fn expectation(summary: &Summary) -> String {
    match summary.rows.len() - summary.as_expected() {
        0 => "All came out as expected.".to_owned(),
        others => format!("{} of {} did not come out as expected.", others, summary.rows.len()),
    }
}

/// What was expected of a task that came out otherwise; nothing of others.
fn instead(row: &Row) -> Option<&'static str> {
    match row.task.expected {
        _ if row.as_expected() => None,
        Expected::Any => Some("an answer"),
        Expected::This(Verdict::Holds) => Some("it holds"),
        Expected::This(Verdict::Fails) => Some("it fails"),
        Expected::This(Verdict::Undecided) => Some("it is undecided"),
        Expected::This(Verdict::Error) => Some("it has no answer"),
    }
}

/// The rows of a bug.
fn rows_of<'a>(summary: &'a Summary, bug: &Bug) -> impl Iterator<Item = &'a Row> {
    bug.tasks.iter().map(|place| &summary.rows[*place])
}

/// The command that tells of a task again.
fn again(row: &Row) -> String {
    row.task.typed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearmiss_suite::row::{Found, Property};
    use nearmiss_suite::task::{Command, Task};
    use serde_json::{Value, json};

    fn row(name: &str, verdict: Option<Verdict>, crash: Option<&str>) -> Row {
        let found = verdict.map(|verdict| Found {
            verdict,
            why: None,
            sentence: "said \"<&>\", with\u{1}".to_owned(),
            seconds: 0.25,
            property: Some(Property { id: "main.assertion.1".to_owned(), file: "a.c".to_owned(), line: 3 }),
            suspects: vec!["a.c:2".to_owned()],
            condition: Some("n > 3".to_owned()),
        });
        let task = Task {
            name: name.to_owned(),
            command: Command::Check,
            argv: vec!["check".to_owned(), "a.c".to_owned()],
            files: vec!["a.c".to_owned()],
            crash: crash.map(str::to_owned),
            focus: None,
            expected: Expected::This(Verdict::Holds),
            open: Vec::new(),
        };
        Row { task, key: "k".to_owned(), found, bug: None }
    }

    fn summary() -> Summary {
        let mut rows = vec![
            row("</script>&", Some(Verdict::Fails), Some("1")),
            row("two", Some(Verdict::Fails), Some("2")),
            row("three", Some(Verdict::Holds), None),
            row("four", None, None),
            row("five", Some(Verdict::Error), None),
        ];
        let bugs = nearmiss_suite::bugs::group(&mut rows);
        Summary { rows, bugs }
    }

    #[test]
    fn the_tally_counts() {
        let summary = summary();
        assert_eq!(tally(&summary), "5 tasks: 1 holds, 2 fail, 1 has no answer, 1 has not been done");
        assert_eq!(expectation(&summary), "4 of 5 did not come out as expected.");
    }

    #[test]
    fn names_from_the_input_are_never_markup() {
        let summary = summary();
        let row = &summary.rows[0];
        let page = page::open(&summary, "t") + &page::section(0, row, "</pre><script>") + &page::close();
        assert!(
            !page.contains("</pre><script>") && !page.contains("<script>&") && page.contains("&lt;/script&gt;&amp;")
        );
        let cases = junit::open(&summary) + &junit::case(row, "]]>\u{1}") + junit::CLOSE;
        assert!(cases.contains("name=\"&lt;/script&gt;&amp;\"") && !cases.contains('\u{1}'));
        let csv = csv::render(&summary);
        assert!(csv.contains("\"said \"\"<&>\"\", with\u{1}\""), "{csv}");
    }

    #[test]
    fn merged_results_share_their_rules_and_a_bug_is_told_once() {
        let log = |rules: &[&str]| {
            let results: Vec<Value> = (0..rules.len())
                .map(|i| {
                    json!({"ruleId": rules[i], "ruleIndex": i, "message": {"text": "m"},
                    "locations": [{"physicalLocation": {"artifactLocation": {"uri": "x/a.c"}}}]})
                })
                .collect();
            let rules: Vec<Value> = rules.iter().map(|id| json!({"id": id})).collect();
            json!({"runs": [{"tool": {"driver": {"rules": rules}}, "results": results}]})
        };
        let mut summary = summary();
        summary.rows[1].bug = None;
        let mut merged = sarif::Merged::new("ci");
        let mut text = merged.open();
        text += &merged.add(&summary, 0, log(&["overflow", "free"]));
        text += &merged.add(&summary, 1, log(&["free"]));
        text += &merged.close(&summary);
        let whole: Value = serde_json::from_str(&text).expect("it is JSON");
        let run = &whole["runs"][0];
        let rules: Vec<&Value> =
            run["tool"]["driver"]["rules"].as_array().expect("rules").iter().map(|r| &r["id"]).collect();
        assert_eq!(rules, ["overflow", "free"]);
        let indices: Vec<&Value> =
            run["results"].as_array().expect("results").iter().map(|r| &r["ruleIndex"]).collect();
        assert_eq!(indices, [0, 1, 1]);
        assert_eq!(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "ci/x/a.c");
        let mut merged = sarif::Merged::new("");
        merged.open();
        summary.rows[1].bug = Some(1);
        assert!(
            !merged.add(&summary, 0, log(&["free"])).is_empty() && merged.add(&summary, 1, log(&["free"])).is_empty()
        );
    }
}
