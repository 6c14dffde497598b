//! Why the values that make a formula false are what they are, by the model of the design: a tree per dot, back to inputs.
//!
//! A value that stays is one line with its cycles, and what was told once is not told again.

use std::collections::{BTreeMap, HashSet};

use nearmiss_explain::driven::Driven;
use nearmiss_program::hardware::Places;
use nearmiss_program::hardware::model::Kind;
use nearmiss_program::hardware::why::{self, Moment, Reason, Source, Told};
use nearmiss_program::source::{Sources, Span};
use nearmiss_trace::report::TraceReport;
use serde_json::{Value, json};

use crate::Paint;
use crate::cycles;
use crate::layout::{fill, one_line, pad, shorten, statement};

/// So many reasons are looked for.
const MOST_REASONS: usize = 20_000;
/// How much is told.
struct Most {
    dots: usize,
    lines: usize,
    depth: usize,
}

const SHORT: Most = Most { dots: 4, lines: 24, depth: 8 };
const ALL: Most = Most { dots: 64, lines: usize::MAX, depth: usize::MAX };
/// A line of the source is cut off here.
const LONGEST: usize = 56;

/// The model beside a trace, and where its names stand.
pub struct Beside<'a> {
    /// What the model does.
    pub driven: &'a Driven,
    /// Where its names stand.
    pub places: &'a Places,
    /// The files.
    pub sources: &'a Sources,
}

/// One line of a tree.
struct Line {
    depth: usize,
    name: String,
    value: String,
    cycles: Vec<usize>,
    span: Option<Span>,
    from: Source,
    above: bool,
}

/// The trees below the dots of the first failure of each formula, and how many lines each has beyond those.
fn trees(report: &TraceReport, beside: &Beside<'_>, most: Most) -> (Vec<(Vec<Line>, usize)>, usize) {
    let Driven { model, wave, first, nodes, .. } = beside.driven;
    let mut roots: Vec<Moment> = Vec::new();
    let mut left_out = 0;
    for failure in report.formulas.iter().filter_map(|judged| judged.failures.first()) {
        let mut dots: Vec<_> =
            failure.causes.iter().filter(|cause| cause.direct).flat_map(|cause| &cause.dots).collect();
        // The last is the nearest to the failure.
        dots.sort_by_key(|dot| std::cmp::Reverse(dot.time));
        for dot in dots {
            let node = nodes.get(&report.wave.signals[dot.signal].info.name);
            let Some((node, cycle)) = node.zip(dot.time.checked_sub(*first)) else { continue };
            let root = Moment { node: *node, address: None, cycle };
            if cycle >= wave.cycles.len() || roots.contains(&root) {
                continue;
            }
            match roots.len() < most.dots {
                true => roots.push(root),
                false => left_out += 1,
            }
        }
    }
    let reasons = why::reasons(model, wave, &roots, MOST_REASONS);
    let mut said = HashSet::new();
    let mut trees = Vec::new();
    for root in roots {
        let told = why::tree(&reasons, root, &mut said);
        let all = told.len();
        let shown: Vec<Line> = (told.into_iter().filter(|told| told.depth <= most.depth).take(most.lines))
            .map(|told| line(told, &reasons, beside))
            .collect();
        let more = all - shown.len();
        trees.push((shown, more));
    }
    (trees, left_out)
}

fn line(told: Told, reasons: &BTreeMap<Moment, Reason>, beside: &Beside<'_>) -> Line {
    let Driven { model, first, .. } = beside.driven;
    let node = model.node(told.moment.node);
    let name = node.name.clone().unwrap_or_else(|| format!("node{}", node.number));
    let name = told.moment.address.map_or(name.clone(), |address| format!("{name}[{address}]"));
    let span = match (&node.kind, told.from) {
        (Kind::State { .. }, Source::Computed) => Some(beside.places.of_next(told.moment.node, model)),
        (Kind::Operation(..), _) => Some(beside.places.of_node(node)),
        _ => None,
    };
    let value = reasons.get(&told.moment).map(|reason| cycles::value(&reason.value)).unwrap_or_default();
    let at = told.cycles.iter().map(|cycle| cycle + first).collect();
    Line { depth: told.depth, name, value, cycles: at, span, from: told.from, above: told.above }
}

fn ending(line: &Line) -> &'static str {
    match (line.above, line.from) {
        (true, _) => "see above",
        (_, Source::Input) => "input",
        (_, Source::Start) => "from the start",
        (_, Source::Computed) => "",
    }
}

/// What differs between the model and the trace, in a sentence.
fn difference(beside: &Beside<'_>) -> Option<String> {
    let differs = beside.driven.differs.as_ref()?;
    Some(format!(
        "in cycle {} `{}` is {} in the trace and {} by the model, so nothing is said of that cycle and later ones: is the trace \
         one of this design, as it is now?",
        differs.cycle, differs.name, differs.traced, differs.simulated
    ))
}

/// For a terminal.
pub fn text(report: &TraceReport, beside: &Beside<'_>, paint: Paint) -> String {
    let mut out = String::new();
    let (trees, left_out) = trees(report, beside, SHORT);
    if !trees.is_empty() {
        out += &format!("\n{}\n", paint.strong("Where that comes from, by the model"));
    }
    for (lines, more) in &trees {
        let told: Vec<String> = lines
            .iter()
            .map(|line| {
                let indent = "  ".repeat(line.depth + 1);
                format!("{indent}{} = {} ({})", line.name, line.value, cycles::range(&line.cycles))
            })
            .collect();
        let wide = told.iter().map(|told| told.chars().count()).max().unwrap_or(0);
        for (line, told) in lines.iter().zip(&told) {
            let place = line.span.filter(|_| !line.above).map(|span| {
                let at = beside.sources.position(span);
                let text = shorten(&statement(beside.sources.line_text(span)), LONGEST);
                format!("{}:{}  {}", at.file, at.line, one_line(&text))
            });
            let rest = [ending(line).to_owned(), place.unwrap_or_default()];
            let rest: Vec<&str> = rest.iter().map(String::as_str).filter(|rest| !rest.is_empty()).collect();
            out += &format!("{}   {}", pad(told, told, wide), rest.join("  "));
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
        if *more > 0 {
            out += &format!("    … and {more} more (--format json has all of them)\n");
        }
    }
    if left_out > 0 {
        out += &format!("  {left_out} more dots are left out.\n");
    }
    if !trees.is_empty() {
        let about = "Each value follows from those indented below it, whatever all other signals are.";
        out += &format!("{}\n", fill(about, 0));
    }
    if let Some(differs) = difference(beside) {
        out += &format!("\n{}\n", fill(&format!("note: {differs}"), 6));
    }
    out
}

/// For programs: the trees, each as a list of lines with their depths.
pub fn json(report: &TraceReport, beside: &Beside<'_>) -> Value {
    let (trees, left_out) = trees(report, beside, ALL);
    let line = |line: &Line| {
        let at = line.span.map(|span| beside.sources.position(span));
        json!({
            "depth": line.depth,
            "signal": line.name,
            "value": line.value,
            "cycles": line.cycles,
            "from": match line.from {
                Source::Input => "input",
                Source::Start => "start",
                Source::Computed => "computed",
            },
            "told_above": line.above,
            "file": at.as_ref().map(|at| at.file.clone()),
            "line": at.as_ref().map(|at| at.line),
        })
    };
    let trees: Vec<Value> = trees
        .iter()
        .map(|(lines, more)| json!({"lines": lines.iter().map(line).collect::<Vec<_>>(), "more": more}))
        .collect();
    json!({"trees": trees, "more_dots": left_out, "differs": difference(beside)})
}
