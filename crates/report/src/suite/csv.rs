//! The answer of `suite` as a table for spreadsheets: comma-separated values (RFC 4180), a line for each task.

use nearmiss_suite::row::{Row, Summary};

/// The columns.
const COLUMNS: [&str; 13] = [
    "name",
    "command",
    "verdict",
    "expected",
    "as_expected",
    "why",
    "property",
    "file",
    "line",
    "suspects",
    "condition",
    "bug",
    "sentence",
];

/// The table.
pub fn render(summary: &Summary) -> String {
    let mut text = COLUMNS.join(",") + "\r\n";
    for row in &summary.rows {
        let cells: Vec<String> = cells(row).iter().map(|cell| quoted(cell)).collect();
        text += &cells.join(",");
        text += "\r\n";
    }
    text
}

fn cells(row: &Row) -> [String; COLUMNS.len()] {
    let found = row.found.as_ref();
    let property = found.and_then(|found| found.property.as_ref());
    let text = |text: Option<&String>| text.cloned().unwrap_or_default();
    [
        row.task.name.clone(),
        row.task.command.name().to_owned(),
        row.word().to_owned(),
        row.task.expected.name().to_owned(),
        row.as_expected().to_string(),
        text(found.and_then(|found| found.why.as_ref())),
        text(property.map(|at| &at.id)),
        text(property.map(|at| &at.file)),
        property.map(|at| at.line.to_string()).unwrap_or_default(),
        found.map(|found| found.suspects.join(" ")).unwrap_or_default(),
        text(found.and_then(|found| found.condition.as_ref())),
        row.bug.map(|bug| bug.to_string()).unwrap_or_default(),
        row.sentence().to_owned(),
    ]
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}
