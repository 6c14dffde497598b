//! What the number of differences is made of, so that a reader can count it.
//!
//! The distance counts variables of the equation, a table has rows of the runs. Most differences are a row. The rest is told by
//! kind: values where paths meet have no step in a run, code that neither run executes has none either, and what a library
//! function does inside is not shown. A row may also differ without being counted: where the same value is written, but elsewhere,
//! where one run does not come, or where it returns what is known. So `distance` is always the sum of the parts.

use nearmiss_explain::explanation::{Delta, DeltaKind, Executed, Nearest};

use super::describe;
use crate::layout::{count, enumerate, fill};
use crate::pair::{Pair, is_visible};
use crate::report::Report;

/// The differences by where a reader finds them.
#[derive(Default)]
pub struct Tally<'a> {
    /// So many are marked rows.
    pub rows: usize,
    /// Marked rows that do not count.
    pub uncounted: usize,
    /// Rows of values that are known, where only one run returns them: these do not count either.
    pub returned: usize,
    /// Values where paths meet.
    pub meeting: Vec<&'a Delta>,
    /// In code that neither run executes.
    pub unexecuted: Vec<&'a Delta>,
    /// Inside functions of the library.
    pub inside: Vec<&'a Delta>,
    /// Executed, but the rows of its statement tell of other rounds.
    pub others: Vec<&'a Delta>,
}

impl<'a> Tally<'a> {
    /// Finds a row for every difference that has one. None where steps are aligned or predicates are compared: these count otherwise.
    pub fn of(nearest: &'a Nearest, report: &Report) -> Option<Tally<'a>> {
        let counts_otherwise = |delta: &Delta| delta.steps.is_some() || delta.kind == DeltaKind::Predicate;
        if nearest.weights.is_some() || nearest.deltas.iter().any(counts_otherwise) {
            return None;
        }
        let pair = Pair::of(report)?;
        let mut tally = Tally::default();
        let mut own = Vec::new();
        for delta in &nearest.deltas {
            match delta {
                _ if delta.executed == Executed::Neither => tally.unexecuted.push(delta),
                _ if !is_visible(delta, report) => tally.inside.push(delta),
                _ => own.push(delta),
            }
        }
        let mut free: Vec<usize> = pair.differences.iter().map(|difference| difference.row).collect();
        // A statement's own difference comes before what is left of it where paths meet, and a row with its values before any other.
        let fitting = own.iter().map(|delta| take(&mut free, |row| !delta.meets && pair.tells(row, delta))).collect();
        let mut left = unmatched(own, fitting);
        let named = left.iter().map(|delta| take(&mut free, |row| !delta.meets && pair.is_named(row, delta))).collect();
        left = unmatched(left, named);
        // What one run alone decides or sets may count only where paths meet.
        let met = left.iter().map(|delta| take(&mut free, |row| delta.meets && pair.tells(row, delta))).collect();
        left = unmatched(left, met);
        tally.rows = pair.differences.len() - free.len();
        let (returned, uncounted): (Vec<usize>, Vec<usize>) =
            free.into_iter().partition(|row| pair.returns_otherwise(*row));
        (tally.returned, tally.uncounted) = (returned.len(), uncounted.len());
        (tally.meeting, tally.others) = left.into_iter().partition(|delta| delta.meets);
        Some(tally)
    }

    /// How the number is made up; empty where every difference is a row, and every row a difference.
    pub fn sentence(&self) -> String {
        let parts = [
            (self.meeting.len(), "where paths meet"),
            (self.unexecuted.len(), "in code that neither run executes"),
            (self.inside.len(), "inside library functions"),
            (self.others.len(), "in rounds that the rows do not tell of"),
        ];
        let hidden: Vec<String> =
            parts.iter().filter(|(number, _)| *number > 0).map(|(number, place)| format!("{number} {place}")).collect();
        let mut text = String::new();
        if !hidden.is_empty() {
            let rows = if self.rows == 1 { "is a marked row" } else { "are marked rows" };
            text += &format!(" {} of them {rows}; without a row: {} (-v lists them).", self.rows, enumerate(&hidden));
        }
        for (number, why) in [
            (self.uncounted, "the same comes out, only in another place or in one run alone"),
            (self.returned, "what is returned there counts only where it is used"),
        ] {
            let rows = match number {
                0 => continue,
                1 => "marked row counts",
                _ => "marked rows count",
            };
            text += &format!(" {number} more {rows} nothing: {why}.");
        }
        text
    }

    /// The differences without a row, by kind.
    pub fn listed(&self, report: &Report) -> String {
        let mut out = String::new();
        for (deltas, title) in [
            (&self.meeting, "where paths meet"),
            (&self.unexecuted, "in code that neither run executes"),
            (&self.inside, "inside library functions"),
            (&self.others, "in rounds that the rows do not tell of"),
        ] {
            if !deltas.is_empty() {
                let told: Vec<String> = deltas.iter().map(|delta| told(delta, report).replace(' ', "\u{a0}")).collect();
                let text = format!("  {} {title}: {}", count(told.len(), "difference"), told.join("; "));
                out += &format!("{}\n", fill(&text, 4));
            }
        }
        out
    }
}

/// The first of some rows that suits; it is taken.
fn take(free: &mut Vec<usize>, suits: impl Fn(usize) -> bool) -> bool {
    let found = free.iter().position(|row| suits(*row));
    found.is_some_and(|at| {
        free.remove(at);
        true
    })
}

fn unmatched(deltas: Vec<&Delta>, matched: Vec<bool>) -> Vec<&Delta> {
    deltas.into_iter().zip(matched).filter(|(_, matched)| !matched).map(|(delta, _)| delta).collect()
}

/// `calls 3 / 2 (line 4)`. A run that does not come there has no value.
fn told(delta: &Delta, report: &Report) -> String {
    let at = describe::place(delta.span, report);
    let none = || "not executed".to_owned();
    let (name, failing, passing) = if delta.kind == DeltaKind::Guard {
        let condition = format!("`{}`", describe::condition(delta.span, report));
        (condition, (delta.failing != 0).to_string(), (delta.passing != 0).to_string())
    } else {
        let (failing, passing) = describe::values(delta, report);
        (delta.variable.clone(), failing, passing)
    };
    let (failing, passing) = match delta.executed {
        Executed::Failing => (failing, none()),
        Executed::Passing => (none(), passing),
        Executed::Both | Executed::Neither => (failing, passing),
    };
    format!("{name} {failing} / {passing} ({at})")
}
