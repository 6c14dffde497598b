//! Of a model of hardware: which wires and registers would have saved the failing run, with its own inputs.

use nearmiss_explain::explanation::{SameInputs, Saving};
use nearmiss_program::hardware::model::{Kind, Model, NodeId};
use nearmiss_program::program::{Base, StatementKind};
use nearmiss_program::source::Span;
use serde_json::{Value, json};

use super::layout::{fill, one_line, pad, shorten, statement};
use super::{Paint, Report, cycles};
use crate::view::Detail;

/// So many signals are told, and so many of their values.
const MOST_SIGNALS: usize = 12;
const MOST_VALUES: usize = 2;
/// A line of the source is cut off here.
const LONGEST: usize = 48;

/// For a person: a line for each signal.
pub(crate) fn render(report: &Report, detail: Detail, paint: Paint) -> String {
    let (Some(found), Some(hardware)) = (&report.explanation.same_inputs, &report.program.hardware) else {
        return String::new();
    };
    let model = &*hardware.model;
    let some_left = if found.complete { "" } else { " Not every value was tried." };
    if found.savings.is_empty() {
        let text = format!(
            "With the same inputs, no other value of a single wire or register in one cycle saves it.{some_left}"
        );
        return format!("{}\n", fill(&text, 0));
    }
    let mut out = format!("{}\n", paint.strong("With the same inputs it passes if one value were another"));
    let signals = signals(found);
    let most = if detail >= Detail::Verbose { usize::MAX } else { MOST_SIGNALS };
    let names = signals.iter().take(most).map(|(id, _)| model.node(*id).name.clone().unwrap_or_default());
    let names: Vec<String> = names.collect();
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, (id, savings)) in names.iter().zip(&signals) {
        let at = place(model, *id, report);
        let position = report.sources.position(at);
        let line = shorten(&statement(report.sources.line_text(at)), LONGEST);
        out += &format!("  {}   {}\n", pad(name, name, wide), values(savings));
        out += &format!("  {}   {}:{}  {}\n", " ".repeat(wide), position.file, position.line, one_line(&line));
    }
    if signals.len() > most {
        out += &format!("  … and {} more signals (-v)\n", signals.len() - most);
    }
    let about = format!("Each alone, in that cycle; what follows from it was simulated.{some_left}");
    out + &format!("{}\n", fill(&about, 2))
}

/// What a signal would have to be, and in which of its cycles.
fn values(savings: &[&Saving]) -> String {
    let mut pairs: Vec<(String, Vec<usize>)> = Vec::new();
    for saving in savings.iter().rev() {
        let [passing, failing] = [&saving.passing, &saving.failing].map(cycles::value);
        let pair = format!("{passing} instead of {failing}");
        match pairs.iter_mut().find(|(known, _)| *known == pair) {
            Some((_, cycles)) => cycles.insert(0, saving.cycle),
            None => pairs.push((pair, vec![saving.cycle])),
        }
    }
    let each = pairs.iter().take(MOST_VALUES).map(|(pair, at)| match &at[..] {
        [only] => format!("{pair} in cycle {only}"),
        several => format!("{pair} in one of {}", cycles::range(several)),
    });
    let each: Vec<String> = each.collect();
    let more = pairs.len().saturating_sub(MOST_VALUES);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}{more}", each.join(", "))
}

/// By signal, in the order of the latest cycle in which it saves the run.
fn signals(found: &SameInputs) -> Vec<(NodeId, Vec<&Saving>)> {
    let mut signals: Vec<(NodeId, Vec<&Saving>)> = Vec::new();
    for saving in &found.savings {
        match signals.iter_mut().find(|(id, _)| *id == saving.node) {
            Some((_, savings)) => savings.push(saving),
            None => signals.push((saving.node, vec![saving])),
        }
    }
    signals.sort_by_key(|(id, savings)| (std::cmp::Reverse(savings.last().map(|saving| saving.cycle)), *id));
    signals
}

/// Where it is computed, as the program has it.
fn place(model: &Model, id: NodeId, report: &Report) -> Span {
    let node = model.node(id);
    let program = report.program;
    let function = program.function(program.entry);
    // A register is computed where it is assigned last: behind its first value.
    let mut spans = function.blocks.iter().flat_map(|block| &block.statements).filter_map(|statement| {
        let StatementKind::Assign { target, .. } = &statement.kind else { return None };
        let Base::Local(local) = program.place(*target).base else { return None };
        let name = &function.locals[local.index()].name;
        let own = node.name.as_deref().is_some_and(|own| name == own || name.starts_with(&format!("{own}[")));
        own.then_some(statement.span)
    });
    match node.kind {
        Kind::State { .. } => spans.next_back(),
        _ => spans.next(),
    }
    .unwrap_or(node.span)
}

/// For programs.
pub(crate) fn json(report: &Report) -> Option<Value> {
    let (found, hardware) = (report.explanation.same_inputs.as_ref()?, report.program.hardware.as_ref()?);
    let savings: Vec<Value> = (found.savings.iter())
        .map(|saving| {
            let at = report.sources.position(place(&hardware.model, saving.node, report));
            json!({
                "signal": hardware.model.node(saving.node).name,
                "cycle": saving.cycle,
                "failing": cycles::value(&saving.failing),
                "passing": cycles::value(&saving.passing),
                "file": at.file,
                "line": at.line,
            })
        })
        .collect();
    Some(json!({"savings": savings, "complete": found.complete}))
}
