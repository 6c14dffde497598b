//! The predicates that describe a failure, by function and line.

use std::collections::{BTreeMap, BTreeSet};

use nearmiss_explain::explanation::{Contrast, Described};
use nearmiss_program::program::FunctionId;

use super::super::layout::{count, fill, wrap};
use super::super::{Paint, Report};
use crate::view::Detail;

/// So many lines are named for a predicate.
const MOST_LINES: usize = 6;

/// All of them; nothing where runs are compared in values.
pub fn render(contrast: &Contrast, report: &Report, detail: Detail, paint: Paint) -> String {
    let Some(description) = &contrast.description else { return String::new() };
    let mut out = format!("{}\n", paint.strong("Predicates that describe the failure"));
    if description.predicates.is_empty() {
        out += "  none: the branches that are taken say it all.\n";
    } else {
        let mut by_function: BTreeMap<Option<FunctionId>, Vec<&Described>> = BTreeMap::new();
        for predicate in &description.predicates {
            by_function.entry(predicate.function).or_default().push(predicate);
        }
        for (function, predicates) in by_function {
            let whose = function.map_or("globals".to_owned(), |id| report.program.function(id).name.clone());
            let predicates: Vec<String> =
                predicates.iter().map(|predicate| in_words(predicate, report, detail)).collect();
            out += &wrap(&format!("  {whose}: "), &predicates, ";");
        }
    }
    let mut text = match description.refinements {
        0 => String::new(),
        number if description.predicates.is_empty() => format!("That took {}.", count(number, "refinement")),
        number => format!("They were found in {}.", count(number, "refinement")),
    };
    if description.spurious > 0 {
        let runs = count(description.spurious, "nearest passing run");
        text += &format!(" {runs} of the abstract program could not be taken by the program itself.");
    }
    for note in &description.notes {
        text += &format!(" Note: {note}.");
    }
    if let Some(reason) = &contrast.metric_reason {
        text += &format!(" Of the two metrics the better one is taken (--metric): {reason}.");
    }
    if !text.is_empty() {
        out += &format!("{}\n", fill(&format!("  {}", text.trim_start()), 2));
    }
    out
}

fn in_words(predicate: &Described, report: &Report, detail: Detail) -> String {
    let lines: BTreeSet<u32> = predicate.places.iter().map(|(_, span)| report.sources.position(*span).line).collect();
    let most = if detail >= Detail::Verbose { lines.len() } else { MOST_LINES };
    let mut named: Vec<String> = lines.iter().take(most).map(u32::to_string).collect();
    if lines.len() > most {
        named.push("…".to_owned());
    }
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!("{} ({word} {})", predicate.text, named.join(", "))
}
