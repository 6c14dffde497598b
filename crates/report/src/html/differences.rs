//! The differences between two runs: each as a row of a table, and at which step of the runs side by side it shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use nearmiss_explain::explanation::{Contrast, Delta, DeltaKind, Executed, Nearest};
use nearmiss_program::source::Span;
use serde_json::{Value as Json, json};

use super::super::Report;
use super::super::contrast::{condition, describe};
use super::super::json::contrast::kind;
use super::super::layout::shorten;
use super::super::page::escape;
use super::align::Stretch;
use super::steps::{Shown, bits};

/// So many differences are rows of the table; the steps show them all.
const TABLE: usize = 300;
/// A condition is cut off here.
const LONGEST: usize = 80;

/// The differences that a person can see, in order of execution, and whether each matters.
pub fn visible<'a>(contrast: &'a Contrast, nearest: &'a Nearest, report: &Report) -> Vec<(&'a Delta, bool)> {
    let slice = contrast.slice.as_ref().map_or(&[][..], |slice| &slice.deltas);
    let mattering: BTreeSet<&str> = slice.iter().map(|delta| delta.name.as_str()).collect();
    let known: BTreeSet<&str> = nearest.deltas.iter().map(|delta| delta.name.as_str()).collect();
    // A slice of one step may be of another passing run.
    let others = slice.iter().filter(|delta| !known.contains(delta.name.as_str()));
    let all = nearest.deltas.iter().chain(others).filter(|delta| describe::is_visible(delta, report));
    all.map(|delta| (delta, mattering.contains(delta.name.as_str()))).collect()
}

/// The two runs side by side.
pub struct Pairs<'a> {
    failing: &'a [Shown<'a>],
    passing: &'a [Shown<'a>],
    rows: Vec<(Option<usize>, Option<usize>)>,
    /// The rows of a piece of text.
    of_span: BTreeMap<Span, Vec<usize>>,
}

impl<'a> Pairs<'a> {
    /// The rows of two runs.
    pub fn new(failing: &'a [Shown<'a>], passing: &'a [Shown<'a>], stretches: &[Stretch]) -> Pairs<'a> {
        let (mut i, mut j, mut rows) = (0, 0, Vec::new());
        for stretch in stretches {
            rows.extend((0..stretch.both).map(|n| (Some(i + n), Some(j + n))));
            (i, j) = (i + stretch.both, j + stretch.both);
            rows.extend((0..stretch.failing).map(|n| (Some(i + n), None)));
            rows.extend((0..stretch.passing).map(|n| (None, Some(j + n))));
            (i, j) = (i + stretch.failing, j + stretch.passing);
        }
        let mut of_span: BTreeMap<Span, Vec<usize>> = BTreeMap::new();
        for (row, (i, j)) in rows.iter().enumerate() {
            let span = i.map(|i| failing[i].step.span).or(j.map(|j| passing[j].step.span));
            if let Some(span) = span {
                of_span.entry(span).or_default().push(row);
            }
        }
        Pairs { failing, passing, rows, of_span }
    }

    /// The row at which each difference shows: that of its statement with its values, the first that no difference of
    /// the same variable has before it. None where the runs have no step for it.
    pub fn places(&self, deltas: &[(&Delta, bool)]) -> Vec<Option<usize>> {
        let mut used: BTreeMap<(Span, &str), usize> = BTreeMap::new();
        let mut places = Vec::new();
        for (delta, _) in deltas {
            let rows = self.of_span.get(&delta.span).or_else(|| self.of_span.get(&delta.passing_span?));
            let Some(rows) = rows else {
                places.push(None);
                continue;
            };
            let from = used.get(&(delta.span, delta.variable.as_str())).copied().unwrap_or(0);
            let first = |least: u32, from: usize| {
                let at = rows[from..].iter().position(|row| self.fits(*row, delta) >= least);
                at.map(|at| from + at)
            };
            let found = [4, 3, 2, 1, 0].into_iter().find_map(|least| first(least, from).or_else(|| first(least, 0)));
            if let Some(at) = found {
                used.insert((delta.span, delta.variable.as_str()), (at + 1).min(rows.len() - 1));
            }
            places.push(found.map(|at| rows[at]));
        }
        places
    }

    /// How well a row shows a difference, up to 4.
    fn fits(&self, row: usize, delta: &Delta) -> u32 {
        let (i, j) = self.rows[row];
        let [old, new] = [i.map(|i| &self.failing[i]), j.map(|j| &self.passing[j])];
        let has = |shown: Option<&Shown>, value| shown.is_some_and(|shown| bits(&shown.step) == Some(value));
        let differs = old.map(|old| &old.text) != new.map(|new| &new.text);
        let [in_failing, in_passing] = runs(delta);
        let failing = has(old, delta.failing) || (!in_failing && old.is_none());
        let passing = has(new, delta.passing) || (!in_passing && new.is_none());
        2 * u32::from(differs) + u32::from(failing) + u32::from(passing)
    }
}

/// Whether the failing and the passing run execute a difference.
fn runs(delta: &Delta) -> [bool; 2] {
    [
        matches!(delta.executed, Executed::Both | Executed::Failing),
        matches!(delta.executed, Executed::Both | Executed::Passing),
    ]
}

/// What scripts read: the row of each difference, and whether it matters.
pub fn json(deltas: &[(&Delta, bool)], places: &[Option<usize>]) -> Json {
    deltas.iter().zip(places).map(|((_, matters), place)| json!([place, u8::from(*matters)])).collect()
}

/// The differences one by one.
pub fn table(deltas: &[(&Delta, bool)], report: &Report) -> String {
    let mut html = format!(
        "<section class=\"differences\">\n<h2>Differences <small>{}</small></h2>\n<div class=\"wide\"><table>\n\
         <thead><tr><th scope=\"col\"><th scope=\"col\" class=\"number\">Line<th scope=\"col\">Kind<th scope=\"col\">What\
         <th scope=\"col\" class=\"bad\">failing<th scope=\"col\" class=\"good\">passing</thead>\n<tbody>\n",
        match deltas.len() {
            1 => "one value or decision".to_owned(),
            number => format!("{number} values and decisions"),
        }
    );
    for (number, (delta, matters)) in deltas.iter().take(TABLE).enumerate() {
        // What is no variable is told by its text.
        let what = match delta.variable.is_empty() || delta.variable.starts_with('\\') {
            true => shorten(&condition(delta.span, report), LONGEST),
            false => delta.variable.clone(),
        };
        let [failing, passing] = cells(delta, report);
        let _ = writeln!(
            html,
            "<tr><td>{}<td class=\"number\"><a href=\"#workspace\" data-difference=\"{number}\">{}</a><td>{}<td><code>{}</code>\
             <td><code>{}</code><td><code>{}</code>",
            if *matters { "<span class=\"matters\" title=\"matters\">&gt;</span>" } else { "" },
            escape(describe::place(delta.span, report).trim_start_matches("line ")),
            kind(delta.kind).replace("guard", "decision"),
            escape(&what),
            escape(&failing),
            escape(&passing)
        );
    }
    html.push_str("</tbody>\n</table></div>\n");
    if deltas.len() > TABLE {
        let _ = writeln!(html, "<p>{} more are among the steps.</p>", deltas.len() - TABLE);
    }
    html.push_str("</section>\n");
    html
}

/// What it is in either run.
fn cells(delta: &Delta, report: &Report) -> [String; 2] {
    let [in_failing, in_passing] = runs(delta);
    let (failing, passing) = match (&delta.texts, delta.kind) {
        (Some([failing, passing]), _) => (failing.clone(), passing.clone()),
        (None, DeltaKind::Guard) => ((delta.failing != 0).to_string(), (delta.passing != 0).to_string()),
        (None, _) => describe::values(delta, report),
    };
    let absent = if delta.kind == DeltaKind::Guard { "not reached" } else { "not executed" };
    let told = |value: String, executed: bool| if executed && !value.is_empty() { value } else { absent.to_owned() };
    [told(failing, in_failing), told(passing, in_passing)]
}
