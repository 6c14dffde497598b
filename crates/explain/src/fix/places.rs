//! Where a fix would have to be: the lines of which other values save every failing run that is known.

use std::collections::BTreeMap;

use nearmiss_program::c::edit::Edit;
use nearmiss_program::program::{self, Author, Terminator};
use nearmiss_program::source::{Sources, Span};

use super::runs::Runs;
use super::{FixOptions, line};
use crate::explain::matches_pattern;
use crate::explanation::Diagnoses;
use crate::method::diagnosis::{Asked, Opened};
use crate::method::rescue::Line;

/// So many terms are made for all runs.
const MOST_TERMS: usize = 150_000;

/// The failing runs with every line open that may be edited.
pub(super) struct Places {
    opened: Opened,
    /// Some text on each of the lines.
    lines: BTreeMap<Line, Span>,
    /// All that is done on them.
    spans: Vec<Span>,
}

impl Places {
    pub(super) fn of(program: &program::Program, sources: &Sources, runs: &Runs, options: &FixOptions) -> Places {
        let spans = spans(program, sources, options);
        let mut lines = BTreeMap::new();
        for span in &spans {
            lines.entry(line(sources, *span)).or_insert(*span);
        }
        let asked: Vec<Line> = lines.keys().copied().collect();
        let inputs: Vec<_> = runs.failing().into_iter().map(|index| runs.inputs(index).clone()).collect();
        let narrowed = runs.named.narrowed(program);
        let opened = Opened::of(&Asked {
            program: narrowed.as_ref().unwrap_or(program),
            sources,
            runs: &inputs,
            lines: &asked,
            bounds: &options.check.initial_bounds(),
            come: &runs.must_come(program),
            most_terms: MOST_TERMS,
            stop: &options.check.stop,
        });
        Places { opened, lines, spans }
    }

    /// The line whose values an edit changes, where it changes nothing else.
    pub(super) fn of_edit(&self, edit: &Edit, sources: &Sources) -> Option<Line> {
        let whole = edit.whole?;
        let around = self.spans.iter().filter(|span| span.contains(whole));
        if let Some(smallest) = around.min_by_key(|span| span.end - span.start) {
            return Some(line(sources, *smallest));
        }
        // Each part of a condition is decided on its own.
        let mut parts = self.spans.iter().filter(|span| whole.contains(**span)).map(|span| line(sources, *span));
        let first = parts.next()?;
        parts.all(|other| other == first).then_some(first)
    }

    /// Whether other values on these lines may save every failing run: false only where that is known.
    pub(super) fn may_save(&mut self, lines: &[Line]) -> bool {
        self.opened.may_save(lines)
    }

    /// The smallest sets of lines of which other values save every failing run.
    pub(super) fn diagnoses(&mut self) -> Diagnoses {
        let found = self.opened.smallest();
        let spans = |set: &Vec<Line>| set.iter().map(|line| self.lines[line]).collect();
        let sets = found.sets.iter().map(spans).collect();
        let (runs, of) = (self.opened.len(), self.opened.of);
        Diagnoses { sets, runs, of, complete: found.complete && runs == of }
    }
}

/// What is done in functions that may be edited.
fn spans(program: &program::Program, sources: &Sources, options: &FixOptions) -> Vec<Span> {
    let mut spans = Vec::new();
    for function in program.functions.iter().filter(|function| function.author == Author::User) {
        if options.trust.iter().any(|pattern| matches_pattern(pattern, &function.name)) {
            continue;
        }
        for block in &function.blocks {
            let end = match &block.end {
                Terminator::Branch { span, .. } | Terminator::Return { span, .. } => Some(*span),
                Terminator::Goto(_) | Terminator::Stop => None,
            };
            for span in block.statements.iter().map(|statement| statement.span).chain(end) {
                let position = sources.position(span);
                let is_there = |(file, line): &(String, u32)| position.line == *line && position.file == *file;
                if options.at.is_empty() || options.at.iter().any(is_there) {
                    spans.push(span);
                }
            }
        }
    }
    spans
}
