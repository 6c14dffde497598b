//! A score, as a sentence and as JSON.

use nearmiss_explain::method::score::Score;
use nearmiss_program::dependence::Line;
use serde_json::{Value, json};

use super::layout::count;
use crate::schema::{SCHEMA, print};
use crate::view::{Format, word};

/// A part of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The ranked lines.
    Suspects,
    /// The differences that matter.
    Slice,
    /// The differences from the nearest passing run that either run executes.
    Nearest,
    /// The lines of the failing run.
    Counterexample,
}

impl Part {
    /// The words for them, on the command line and in answers.
    pub const WORDS: &'static [(&'static str, Part)] = &[
        ("suspects", Part::Suspects),
        ("slice", Part::Slice),
        ("nearest", Part::Nearest),
        ("counterexample", Part::Counterexample),
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        word(Part::WORDS, self)
    }
}

/// What was scored, and how.
pub struct Scored {
    /// The score.
    pub score: Score,
    /// The part of the report that was scored.
    pub over: Part,
    /// Number of lines in the graph.
    pub nodes: usize,
    /// Number of reported lines that are in the graph.
    pub reported: usize,
    /// Number of lines of the failing run that are in the graph.
    pub executed: usize,
    /// Reported lines that are not.
    pub ignored: Vec<Line>,
    /// The faulty lines.
    pub faults: Vec<Line>,
}

/// The answer, with its end of line.
pub fn render(scored: &Scored, format: Format) -> String {
    match format {
        Format::Json => as_json(scored),
        _ => as_text(scored),
    }
}

fn as_text(scored: &Scored) -> String {
    let score = &scored.score;
    let start = format!("{} ({})", count(scored.reported, "reported line"), scored.over.name());
    let (read, nodes) = (score.read, scored.nodes);
    let story = match score.steps {
        _ if scored.reported == 0 => "nothing was reported".to_owned(),
        Some(0) => format!("the fault is among the {start}, of {nodes} in all"),
        Some(steps) => format!(
            "a reader who starts from the {start} and follows dependences meets the fault after reading {read} of {nodes} \
             lines ({})",
            count(steps, "step")
        ),
        None => format!(
            "a reader who starts from the {start} and follows dependences never meets the fault, though {read} of {nodes} \
             lines are read"
        ),
    };
    let mut text = format!("{:.2}: {story}\n", score.of_program);
    if let Some(of_run) = score.of_run {
        let lines = count(scored.executed, "line");
        text += &format!("{of_run:.2}: the same against the {lines} that the failing run executes\n");
    }
    text
}

fn as_json(scored: &Scored) -> String {
    let score = &scored.score;
    let lines = |lines: &[Line]| {
        let lines = lines.iter().map(|line| json!({"file": line.file, "line": line.line}));
        lines.collect::<Vec<Value>>()
    };
    // Four digits are more than a score means.
    let rounded = |share: f64| (share * 1e4).round() / 1e4;
    print(&json!({
        "schema": SCHEMA,
        "command": "score",
        "score": rounded(score.of_program),
        "score_against_counterexample": score.of_run.map(rounded),
        "pdg_nodes": scored.nodes,
        "layers": score.steps,
        "over": scored.over.name(),
        "reported_lines": scored.reported,
        "read_lines": score.read,
        "counterexample_lines": scored.executed,
        "faults": lines(&scored.faults),
        "ignored_lines": lines(&scored.ignored),
    }))
}
