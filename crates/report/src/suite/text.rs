//! The answer of `suite` for a person at a terminal: what did not come out as expected, and which crash files are one bug.

use std::fmt::Write;

use nearmiss_suite::row::{Bug, Row, Summary};
use nearmiss_suite::task::{Expected, Verdict};

use super::{again, expectation, instead, rows_of, tally};
use crate::layout::{count, fill};
use crate::paint::Paint;

/// So many names of crash files are told of each bug.
const NAMES: usize = 4;

/// The text.
pub fn render(summary: &Summary, paint: Paint) -> String {
    let mut text = String::new();
    for row in &summary.rows {
        // What is said of a bug is said once.
        let Some(expected) = instead(row).filter(|_| row.bug.is_none()) else { continue };
        let _ = writeln!(text, "{}  {}", word(row, paint), plain(&row.task.name));
        // That a task should hold is what one takes for granted.
        let expected = match row.task.expected {
            Expected::This(Verdict::Holds) => String::new(),
            _ => format!(" Expected: {expected}."),
        };
        let said = format!("    {}{expected}", ended(&plain(row.sentence())));
        let _ = writeln!(text, "{}", fill(&said, 4));
        let _ = writeln!(text, "    {}", plain(&again(row)));
    }
    if !summary.bugs.is_empty() {
        let files: usize = summary.bugs.iter().map(|bug| bug.tasks.len()).sum();
        let told = match (files, summary.bugs.len()) {
            (1, _) => "1 crash file fails:".to_owned(),
            (files, bugs) => format!("{files} crash files fail because of {}:", count(bugs, "bug")),
        };
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}{told}");
        for one in &summary.bugs {
            text += &bug(summary, one);
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let _ = writeln!(text, "{}", fill(&format!("{}. {}", tally(summary), expectation(summary)), 0));
    text
}

/// A line for a task as soon as it is done.
pub fn line(row: &Row, paint: Paint) -> String {
    let sentence = plain(row.sentence());
    let told = format!("{}: {sentence}", plain(&row.task.name));
    format!("{}{} {told}", word(row, paint), " ".repeat(9 - row.word().len().min(9)))
}

/// The word for what came out, in its colour.
fn word(row: &Row, paint: Paint) -> String {
    let word = row.word().to_uppercase();
    match row.verdict() {
        _ if row.as_expected() && row.verdict() == Some(Verdict::Fails) => paint.faint(&word),
        Some(Verdict::Holds) => paint.good(&word),
        Some(Verdict::Fails) => paint.bad(&word),
        _ => paint.unsure(&word),
    }
}

/// What comes from names and programs, without anything that a terminal obeys.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// With a full stop.
fn ended(sentence: &str) -> String {
    let sentence = if sentence.is_empty() { "nothing is said of it" } else { sentence };
    if sentence.ends_with(['.', '!', '?', '…']) { sentence.to_owned() } else { format!("{sentence}.") }
}

fn bug(summary: &Summary, bug: &Bug) -> String {
    let rows: Vec<_> = rows_of(summary, bug).collect();
    let Some(found) = rows.first().and_then(|row| row.found.as_ref()) else { return String::new() };
    let names: Vec<String> = rows.iter().take(NAMES).map(|row| plain(&row.task.name)).collect();
    let more = rows.len().saturating_sub(NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let mut told = vec![ended(&plain(&found.sentence))];
    told.extend(found.condition.as_ref().map(|condition| format!("It fails when {condition}.")));
    let lines: Vec<&str> = found.suspects.iter().take(3).map(String::as_str).collect();
    if !lines.is_empty() {
        told.push(format!("Look first at {}.", lines.join(", ")));
    }
    let mut text = String::new();
    let _ = writeln!(text, "{}", fill(&plain(&format!("  {}. {}", bug.number, told.join(" "))), 5));
    let _ = writeln!(text, "{}", fill(&format!("     {}{more}", names.join(", ")), 5));
    if let Some(row) = rows.first() {
        let _ = writeln!(text, "     {}", plain(&again(row)));
    }
    text
}
