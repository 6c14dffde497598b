//! The index page of a suite: all tasks in a table, bugs of crash files, and below them every explanation, folded.
//!
//! It is one file without anything from elsewhere. Explanations are the texts that the commands print, so that the page of a
//! thousand tasks still opens; each has the command line that tells more.

use std::fmt::Write;

use nearmiss_suite::row::{Bug, Row, Summary};
use serde_json::Value;

use super::{again, expectation, instead, rows_of, tally};
use crate::page::{self, Document, escape};

const SCRIPTS: [&str; 1] = [include_str!("index.js")];

/// Everything before the explanations.
pub fn open(summary: &Summary, title: &str) -> String {
    let mut body = String::new();
    let whole = summary.whole().name();
    let _ = writeln!(
        body,
        "<section class=\"verdict\">\n<p class=\"sentence\"><span class=\"badge {whole}\">{}</span> {}. {}</p>\n</section>",
        whole.to_uppercase(),
        escape(&tally(summary)),
        escape(&expectation(summary))
    );
    if !summary.bugs.is_empty() {
        body += &bugs(summary);
    }
    body += &table(summary);
    body += "<section class=\"explanations\">\n<h2>Explanations</h2>\n";
    page::open(&document(title, &body))
}

/// The explanation of a task.
pub fn section(place: usize, row: &Row, text: &str) -> String {
    let mut section = String::new();
    let _ = writeln!(
        section,
        "<details id=\"t{place}\"{}>\n<summary>{} {}</summary>",
        classes(row),
        badge(row),
        escape(&row.task.name)
    );
    if let Some(expected) = instead(row) {
        let _ = writeln!(section, "<p>Expected: {expected}.</p>");
    }
    let _ = writeln!(section, "<p class=\"command\"><code>{}</code></p>", escape(&again(row)));
    let text = if text.is_empty() { row.sentence() } else { text };
    let _ = writeln!(section, "<pre>{}</pre>\n</details>", escape(text));
    section
}

/// Everything behind the explanations.
pub fn close() -> String {
    format!("</section>\n{}", page::close(&document("", "")))
}

fn document<'a>(title: &'a str, body: &'a str) -> Document<'a> {
    Document { title, style: include_str!("index.css"), body, size: "", data: &Value::Null, scripts: &SCRIPTS }
}

fn badge(row: &Row) -> String {
    format!("<span class=\"badge {0}\">{1}</span>", row.word(), row.word().to_uppercase())
}

/// By which a row and its explanation are shown or hidden.
fn classes(row: &Row) -> String {
    let other = if row.as_expected() { "" } else { " other" };
    format!(" class=\"task {}{other}\"", row.word())
}

fn bugs(summary: &Summary) -> String {
    let mut table = String::from(
        "<section class=\"bugs\">\n<h2>Bugs behind crash files</h2>\n<div class=\"wide\"><table>\n\
         <thead><tr><th>Bug</th><th>Violated</th><th>It fails when</th><th>Look first at</th><th>Crash files</th></tr></thead>\n<tbody>\n",
    );
    for one in &summary.bugs {
        table += &bug(summary, one);
    }
    table + "</tbody></table></div>\n</section>\n"
}

fn bug(summary: &Summary, bug: &Bug) -> String {
    let found = rows_of(summary, bug).next().and_then(|row| row.found.as_ref());
    let property = found.and_then(|found| found.property.as_ref());
    let property = property.map(|at| format!("{} ({}:{})", at.id, at.file, at.line)).unwrap_or_default();
    let condition = found.and_then(|found| found.condition.clone()).unwrap_or_default();
    let lines = found.map(|found| found.suspects.iter().take(3).cloned().collect::<Vec<_>>().join(", "));
    let files: Vec<String> = (bug.tasks.iter())
        .map(|place| format!("<a href=\"#t{place}\">{}</a>", escape(&summary.rows[*place].task.name)))
        .collect();
    format!(
        "<tr><td class=\"number\">{}</td><td>{}</td><td><code>{}</code></td><td><code>{}</code></td><td>{}</td></tr>\n",
        bug.number,
        escape(&property),
        escape(&condition),
        escape(&lines.unwrap_or_default()),
        files.join(", ")
    )
}

fn table(summary: &Summary) -> String {
    let mut table = String::from(
        "<section class=\"tasks\">\n<h2>Tasks</h2>\n<div class=\"tools\" role=\"toolbar\" aria-label=\"Which tasks\">\n\
         <button type=\"button\" data-show=\"\" aria-pressed=\"true\">All</button>\n\
         <button type=\"button\" data-show=\"other\" aria-pressed=\"false\">Not as expected</button>\n\
         <button type=\"button\" data-show=\"fails\" aria-pressed=\"false\">Fail</button>\n\
         <button type=\"button\" data-show=\"undecided\" aria-pressed=\"false\">Undecided</button>\n\
         <button type=\"button\" data-show=\"error\" aria-pressed=\"false\">No answer</button>\n\
         <label>Name <input type=\"search\" id=\"wanted\"></label>\n\
         <button type=\"button\" id=\"unfold\" aria-pressed=\"false\">Unfold explanations</button>\n</div>\n\
         <div class=\"wide\"><table>\n<thead><tr><th>Task</th><th>Result</th><th>Expected</th><th>What is said</th>\
         <th>Look first at</th></tr></thead>\n<tbody>\n",
    );
    for (place, row) in summary.rows.iter().enumerate() {
        let first = row.found.as_ref().and_then(|found| found.suspects.first());
        let _ = writeln!(
            table,
            "<tr{}><td><a href=\"#t{place}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td></tr>",
            classes(row),
            escape(&row.task.name),
            badge(row),
            row.task.expected.name(),
            escape(row.sentence()),
            escape(first.map_or("", String::as_str))
        );
    }
    table + "</tbody></table></div>\n</section>\n"
}
