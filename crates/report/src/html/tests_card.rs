//! Tests on the page: a card with those that fail, and what the first of them did in the margin of the source and step by step.

use std::fmt::Write;

use nearmiss_explain::explanation::{TestRun, Tests};
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::Author;
use nearmiss_program::run::{Outcome, Run, RunStepKind};

use super::super::Report;
use super::super::layout::count;
use super::super::page::escape;
use super::super::tests::Told;
use super::steps::Tables;

/// So many failing tests are on the page.
const MOST: usize = 40;
/// A test of more steps is not walked through.
const MOST_STEPS: u64 = 200_000;

/// The tests that fail, each with what is wrong first.
pub fn card(tests: &Tests, report: &Report, tables: &mut Tables) -> String {
    let failing: Vec<&TestRun> = tests.all.iter().filter(|test| test.wrong.is_some()).collect();
    if failing.is_empty() {
        return String::new();
    }
    let mut html = format!("<section class=\"card fixes\">\n<h2>Failing tests <small>{}</small></h2>\n", failing.len());
    for test in failing.iter().take(MOST) {
        let Some(told) = Told::of(test, tests.compare, report) else { continue };
        let _ = writeln!(html, "<h3>Test {} <small>{}</small></h3>", escape(&test.name), escape(&told.what));
        if let Some(both) = &told.compares {
            let (expected, printed) = (escape(&both.expected), escape(&both.printed));
            let _ = writeln!(
                html,
                "<pre class=\"diff\"><ins>expected | {expected}</ins>\n<del>printed  | {printed}</del>\n</pre>"
            );
        }
        let place = test.at.and_then(|(span, _)| tables.line(span));
        if let (Some((at, text)), Some((file, line))) = (&told.at, place) {
            let place = format!("{}:{}", at.file, at.line);
            let _ = writeln!(
                html,
                "<ul class=\"choices\"><li><button type=\"button\" data-line=\"{file}:{line}\"><span><code>{}</code>\
                 <small>{}</small></span></button></li></ul>",
                escape(text),
                escape(&place)
            );
        }
        for (name, span) in &test.unset {
            let at = report.sources.position(*span);
            let _ = writeln!(
                html,
                "<p>it depends on <code>{}</code> ({}:{}), which was not set</p>",
                escape(name),
                escape(&at.file),
                at.line
            );
        }
    }
    if failing.len() > MOST {
        let _ = writeln!(html, "<p>and {}</p>", count(failing.len() - MOST, "more failing test"));
    }
    html + "</section>\n"
}

/// The run of the first test that fails, if it is short enough to be walked through.
pub fn first_run<'t>(tests: &'t Tests, report: &Report) -> Option<(&'t TestRun, Run)> {
    let test = tests.all.iter().find(|test| test.wrong.is_some())?;
    let limits = Limits { steps: MOST_STEPS, ..Limits::default() };
    let mut run = interp::run(report.program, &test.inputs, &limits);
    if run.outcome == Outcome::Exhausted {
        return None;
    }
    // Which test it is was decided by nobody's program.
    let is_ours = |function| report.program.function(function).author == Author::Harness;
    run.steps.retain(|step| !(is_ours(step.function) && matches!(step.kind, RunStepKind::Input { .. })));
    Some((test, run))
}
