//! The differences between two runs: each as a row of a table, and at which step of the runs side by side it shows.

use std::fmt::Write;

use nearmiss_explain::explanation::{Contrast, Delta, DeltaKind, Nearest};
use nearmiss_program::run::RunStepKind;
use nearmiss_program::source::Span;
use serde_json::{Value as Json, json};

use super::super::Report;
use super::super::contrast::{condition, describe, text_of, written};
use super::super::json::contrast::kind;
use super::super::layout::{moment, ordinal, shorten};
use super::super::page::escape;
use super::super::pair::{Difference, Pair, executed, mattering, same};

/// So many differences are rows of the table; the steps show them all.
const TABLE: usize = 300;
/// A condition is cut off here.
const LONGEST: usize = 80;

/// A difference as the page shows it.
pub struct Listed {
    /// The row of the runs side by side at which it shows.
    pub row: Option<usize>,
    /// Whether it matters.
    pub matters: bool,
    /// Its statement.
    pub span: Span,
    kind: &'static str,
    what: String,
    cells: [String; 2],
}

/// The differences that a person can see, in order of execution. Where runs are compared in predicates, or by an alignment with
/// prices of its own, those of the explanation; else the rows that differ.
pub fn listed(pair: &Pair, contrast: &Contrast, nearest: &Nearest, report: &Report) -> Vec<Listed> {
    if nearest.deltas.iter().all(|delta| delta.steps.is_none()) {
        return pair.differences.iter().filter_map(|difference| of_row(difference, pair, report)).collect();
    }
    let slice = mattering(contrast, nearest);
    let visible = nearest.deltas.iter().filter(|delta| describe::is_visible(delta, report));
    let of_delta = |delta: &Delta| Listed {
        row: pair.row_of(delta),
        matters: slice.iter().any(|other| same(other, delta)),
        span: delta.span,
        kind: kind(delta.kind),
        // What is no variable is told by its text.
        what: match delta.variable.is_empty() || delta.variable.starts_with('\\') {
            true if delta.kind == DeltaKind::Guard => shorten(&condition(delta.span, report), LONGEST),
            true => shorten(&written(delta.span, report), LONGEST),
            false => delta.variable.clone(),
        },
        cells: cells(delta, report),
    };
    visible.map(of_delta).collect()
}

fn of_row(difference: &Difference, pair: &Pair, report: &Report) -> Option<Listed> {
    let told = pair.steps(difference.row).into_iter().flatten().next()?;
    let (kind, what) = match &told.step.kind {
        RunStepKind::Input { name, .. } => ("input", name.clone()),
        RunStepKind::Assign { name, .. } => ("value", name.clone()),
        RunStepKind::Return { .. } => ("value", format!("{}()", report.program.function(told.step.function).name)),
        _ => ("guard", shorten(&text_of(&told.step, report), LONGEST)),
    };
    let times = pair.steps(difference.row).map(|step| step.map(|told| told.time));
    let what = match times {
        _ if pair.totals(told).into_iter().max() <= Some(1) => what,
        [Some(failing), Some(passing)] if failing != passing && report.program.hardware.is_none() => {
            format!("{what}, {}/{} time", ordinal(failing), ordinal(passing))
        }
        _ => format!("{what}, {}", moment(report.program, &what, told.time)),
    };
    let cells = pair.cells(difference.row);
    Some(Listed { row: Some(difference.row), matters: difference.matters, span: told.step.span, kind, what, cells })
}

/// What scripts read: the row of each difference, and whether it matters.
pub fn json(listed: &[Listed]) -> Json {
    listed.iter().map(|listed| json!([listed.row, u8::from(listed.matters)])).collect()
}

/// The differences one by one.
pub fn table(listed: &[Listed], report: &Report) -> String {
    let mut html = format!(
        "<section class=\"differences\">\n<h2>Differences <small>{}</small></h2>\n<div class=\"wide\"><table>\n\
         <thead><tr><th scope=\"col\"><th scope=\"col\" class=\"number\">Line<th scope=\"col\">Kind<th scope=\"col\">What\
         <th scope=\"col\" class=\"bad\">failing<th scope=\"col\" class=\"good\">passing</thead>\n<tbody>\n",
        match listed.len() {
            1 => "one row".to_owned(),
            number => format!("{number} rows"),
        }
    );
    for (number, Listed { matters, span, kind, what, cells: [failing, passing], .. }) in
        listed.iter().take(TABLE).enumerate()
    {
        let _ = writeln!(
            html,
            "<tr><td>{}<td class=\"number\"><a href=\"#workspace\" data-difference=\"{number}\">{}</a><td>{}<td><code>{}</code>\
             <td><code>{}</code><td><code>{}</code>",
            if *matters { "<span class=\"matters\" title=\"matters\">&gt;</span>" } else { "" },
            escape(describe::place(*span, report).trim_start_matches("line ")),
            kind.replace("guard", "decision"),
            escape(what),
            escape(failing),
            escape(passing)
        );
    }
    html.push_str("</tbody>\n</table></div>\n");
    if listed.len() > TABLE {
        let _ = writeln!(html, "<p>{} more are among the steps.</p>", listed.len() - TABLE);
    }
    html.push_str("</section>\n");
    html
}

/// What it is in either run.
fn cells(delta: &Delta, report: &Report) -> [String; 2] {
    let [in_failing, in_passing] = executed(delta);
    let (failing, passing) = match (&delta.texts, delta.kind) {
        (Some([failing, passing]), _) => (failing.clone(), passing.clone()),
        (None, DeltaKind::Guard) => ((delta.failing != 0).to_string(), (delta.passing != 0).to_string()),
        (None, _) => describe::values(delta, report),
    };
    let told = |value: String, executed: bool, side| match executed && !value.is_empty() {
        true => value,
        false => describe::absent(delta, side, report).to_owned(),
    };
    [told(failing, in_failing, 0), told(passing, in_passing, 1)]
}
