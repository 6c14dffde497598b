//! The steps of runs as numbers: a page of a hundred thousand of them stays small, and scripts read them at once.
//!
//! Every text and every statement is there once; a step is the number of its statement and that of what it did. The
//! steps are those that JSON has: what happens inside the library is left out, but not that it is called.

use std::borrow::Cow;
use std::collections::BTreeMap;

use nearmiss_program::program::{Author, FunctionId, Program};
use nearmiss_program::run::{Run, RunStep, RunStepKind};
use nearmiss_program::source::{FileId, Sources, Span};
use serde_json::{Value as Json, json};

use super::super::layout::{one_line, shorten};
use super::super::{Side, calls, pair};

/// The text of a statement is cut off here.
const LONGEST_TEXT: usize = 120;

/// Texts and statements that steps refer to, and the files that they are in.
pub struct Tables<'a> {
    sources: &'a Sources,
    program: &'a Program,
    texts: Interned<String>,
    statements: Interned<(Kind, Span, FunctionId, u32)>,
    /// What the page says of each statement.
    rows: Vec<Json>,
    /// Files with lines on the page, in order of appearance.
    files: Vec<FileId>,
}

/// Things by number, each once.
struct Interned<T> {
    numbers: BTreeMap<T, u32>,
}

impl<T: Ord> Interned<T> {
    fn number(&mut self, thing: T) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(thing).or_insert(next)
    }
}

/// What a step is; scripts know these by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Assign,
    Branch,
    Call,
    Return,
    Claim,
    Input,
}

/// A step that is shown.
pub struct Shown<'r> {
    /// The step.
    pub step: Cow<'r, RunStep>,
    /// Number of its statement.
    pub statement: u32,
    /// What it did, in words.
    pub text: String,
    /// The number of that text.
    pub value: u32,
}

impl<'a> Tables<'a> {
    /// Nothing yet.
    pub fn new(sources: &'a Sources, program: &'a Program) -> Tables<'a> {
        let mut texts = Interned { numbers: BTreeMap::new() };
        texts.number(String::new());
        let statements = Interned { numbers: BTreeMap::new() };
        Tables { sources, program, texts, statements, rows: Vec::new(), files: Vec::new() }
    }

    /// The number of a text.
    pub fn text(&mut self, text: &str) -> u32 {
        self.texts.number(text.to_owned())
    }

    /// File and line where a span starts, both by number; none in a file that is not the user's.
    pub fn line(&mut self, span: Span) -> Option<(usize, u32)> {
        if self.sources.file(span.file).system {
            return None;
        }
        let known = self.files.iter().position(|file| *file == span.file);
        let file = known.unwrap_or_else(|| {
            self.files.push(span.file);
            self.files.len() - 1
        });
        Some((file, self.sources.physical_line(span.file, span.start)))
    }

    /// The files that have lines on the page.
    pub fn files(&self) -> &[FileId] {
        &self.files
    }

    /// The steps of a run that are shown.
    pub fn steps<'r>(&mut self, run: &'r Run, side: Side) -> Vec<Shown<'r>> {
        calls::told(run, self.program).into_iter().filter_map(|step| self.step(step, side)).collect()
    }

    fn step<'r>(&mut self, step: Cow<'r, RunStep>, side: Side) -> Option<Shown<'r>> {
        let (kind, text) = (kind(&step), pair::what(&step, side)?);
        let value = self.text(&text);
        // What is made for the entry function belongs to it.
        let (function, depth) = match self.program.function(step.function).author {
            Author::Harness => (self.program.entry, step.depth + 1),
            _ => (step.function, step.depth),
        };
        let statement = self.statements.number((kind, step.span, function, depth));
        if statement as usize == self.rows.len() {
            let row = self.statement(&step, kind, function, depth);
            self.rows.push(row);
        }
        Some(Shown { step, statement, text, value })
    }

    /// What the page says of a statement: kind, file, line, depth of calls, function, text, whether what it sets lives
    /// longer than the call.
    fn statement(&mut self, step: &RunStep, kind: Kind, function: FunctionId, depth: u32) -> Json {
        let text = match kind {
            Kind::Return if self.sources.text(step.span) == "}" => "return".to_owned(),
            Kind::Branch => self.sources.condition(step.span),
            _ => one_line(self.sources.text(self.sources.balanced(step.span))),
        };
        let text = self.text(&shorten(&text, LONGEST_TEXT));
        let (file, line) = self.line(step.span).map_or((-1, 0), |(file, line)| (file as i64, line));
        let called = self.program.function(function);
        let outlives = match &step.kind {
            RunStepKind::Assign { name, .. } | RunStepKind::Input { name, .. } => {
                let root = name.trim_start_matches(['*', '(', '&']).split(['.', '[', '-', ')']).next().unwrap_or(name);
                !called.locals.iter().any(|local| local.name == root)
            }
            _ => false,
        };
        let function = self.text(&called.name);
        json!([kind as u8, file, line, depth, function, text, u8::from(outlives)])
    }

    /// What scripts read of the tables.
    pub fn json(&self) -> [Json; 2] {
        let mut texts = vec![""; self.texts.numbers.len()];
        for (text, number) in &self.texts.numbers {
            texts[*number as usize] = text;
        }
        [json!(texts), json!(self.rows)]
    }
}

/// A run as scripts read it: statement and value in turns.
pub fn json(steps: &[Shown]) -> Json {
    steps.iter().flat_map(|shown| [shown.statement, shown.value]).collect()
}

fn kind(step: &RunStep) -> Kind {
    match &step.kind {
        RunStepKind::Assign { .. } => Kind::Assign,
        RunStepKind::Branch { .. } => Kind::Branch,
        RunStepKind::Call { .. } => Kind::Call,
        RunStepKind::Return { .. } => Kind::Return,
        RunStepKind::Claim { .. } => Kind::Claim,
        RunStepKind::Input { .. } => Kind::Input,
    }
}
