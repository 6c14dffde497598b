//! The ways in which a program fails, as a list, and what each does to the source when it is chosen.

use std::collections::BTreeMap;
use std::fmt::Write;

use nearmiss_explain::focus::{Focus, Role, Way};
use serde_json::{Value as Json, json};

use super::super::page::escape;
use super::super::{Report, ways_text};
use super::source::{Line, Margin, line};
use super::steps::{self, Tables};
use crate::view::WaysView;

/// So many steps of all ways together are on the page; a way beyond shows its sequence alone.
const MOST_STEPS: usize = 50_000;

/// So many inputs of an example are named.
const MOST_INPUTS: usize = 10;

/// What scripts read: of every way its statements (file, line, text, function, outcome, role, neighbourhood) and the steps
/// of its run.
pub fn json(ways: &[&Way], report: &Report, task: &WaysView, tables: &mut Tables) -> Json {
    let mut left = MOST_STEPS;
    let mut all = Vec::new();
    for way in ways {
        let rows: Vec<Json> = (way.statements.iter())
            .map(|row| {
                let (file, line) = tables.line(row.span).map_or((-1, 0), |(file, line)| (file as i64, line));
                let text = tables.text(&ways_text::source(row, report, task));
                let function = row.function.map_or("", |function| &report.program.function(function).name);
                let function = tables.text(function);
                let outcome = tables.text(ways_text::outcome(row, report, task));
                let role = match row.role {
                    Role::Focus => 0,
                    Role::Apart => 1,
                    Role::Claim => 2,
                };
                json!([file, line, text, function, outcome, role, u8::from(row.nest)])
            })
            .collect();
        let run = tables.steps(&way.run, report.failing);
        let fits = run.len() <= left;
        left = left.saturating_sub(run.len());
        let local = u8::from(ways_text::is_local(&way.statements));
        all.push(json!({"rows": rows, "run": fits.then(|| steps::json(&run)), "local": local}));
    }
    json!(all)
}

/// The list.
pub fn list(ways: &[&Way], found: &Focus, report: &Report, task: &WaysView) -> String {
    let mut html = String::from(
        "<section class=\"card ways\">\n<h2>Ways to fail</h2>\n<ol class=\"choices\" data-choice=\"way\">\n",
    );
    for (index, way) in ways.iter().enumerate() {
        let (number, when, others) = ways_text::heading(way, ways, found, task);
        let claim = ways_text::violated(way, found, report);
        let _ = writeln!(
            html,
            "<li><button type=\"button\" data-way=\"{index}\" aria-pressed=\"{}\"><b>{number}</b> <span>{}{}{}{}</span></button></li>",
            index == 0,
            super::markup(&when),
            example(way, report),
            others.iter().map(|text| format!("<small>{}</small>", super::markup(text))).collect::<String>(),
            claim.map(|text| format!("<small>{}</small>", super::markup(&text))).unwrap_or_default()
        );
    }
    html.push_str("</ol>\n</section>\n");
    html
}

/// Inputs with which it happens.
fn example(way: &Way, report: &Report) -> String {
    let mut told: Vec<String> = (way.named.iter().take(MOST_INPUTS))
        .map(|input| format!("{} = {}", input.name, report.failing.value_for_people(input.ty, input.value)))
        .collect();
    if told.is_empty() {
        return String::new();
    }
    if way.named.len() > MOST_INPUTS {
        told.push(format!("and {} more", way.named.len() - MOST_INPUTS));
    }
    format!("<small>for example with {}</small>", escape(&told.join(", ")))
}

/// The first way on the source, for a page without scripts.
pub fn project(way: &Way, report: &Report, task: &WaysView, margin: &mut Margin) {
    let mut outcomes: BTreeMap<Line, String> = BTreeMap::new();
    for row in way.statements.iter().filter(|row| !report.sources.file(row.span.file).system) {
        margin.mark('q', row.span, report);
        let told = ways_text::outcome(row, report, task);
        let cell = outcomes.entry(line(row.span, report)).or_default();
        if !told.is_empty() && !cell.ends_with(told) {
            let join = if cell.is_empty() { "" } else { ", " };
            let _ = write!(cell, "{join}{told}");
        }
    }
    margin.outcomes(outcomes);
}
