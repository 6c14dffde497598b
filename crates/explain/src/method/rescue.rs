//! The lines on which a failure depends in the failing run, and whether another value on one of them would have saved it.
//!
//! An equation knows only what depends on inputs: a condition that is constant in each turn of a loop, an initial value, a
//! `free` are no variables of it. So the lines come from the run itself, by the interpreter's dynamic slice (Korel and Laski,
//! "Dynamic program slicing", 1988), and for a few lines at a time the program is unwound once more with the inputs of that run and
//! all that these lines compute left open ([`symex::unwind_open`]). For each of them the question is then that of `repair.rs`. Where they
//! open too much together, they are left open one by one. Cost: a short unwinding for every few lines, and one for each that opens much.

use std::collections::{BTreeMap, HashMap};

use super::repair;
use crate::bounds::Bounds;
use crate::equation::{ClaimRef, StepKind};
use crate::execution::Execution;
use crate::symex;
use nearmiss_logic::stop::Stop;
use nearmiss_program::interp::{Interpreter, Limits};
use nearmiss_program::program::{Author, ClaimId, FunctionId, Program, StatementKind, Type};
use nearmiss_program::run::{Inputs, Outcome};
use nearmiss_program::source::{FileId, Sources, Span};

/// So many steps are made for all lines, and so many in one unwinding.
const MOST_STEPS: usize = 80_000;
const MOST_OF_ONE: usize = 20_000;
/// So many terms for all lines, for one, and for one unwinding as long as there are other lines.
const MOST_TERMS: usize = 80_000;
const MOST_TERMS_OF_ONE: usize = 10_000;
const FEW_TERMS: usize = 3_000;
/// So many lines are left open together. With many, hardly anything is constant, and each question is about all that is not.
const MOST_TOGETHER: usize = 4;
/// Runs of more statements are not sliced.
const MOST_EXECUTED: u64 = 200_000;

/// A line of the program.
pub type Line = (FileId, u32);

/// What the failing run did on a line on which its failure depends.
#[derive(Clone, Copy, Debug)]
pub struct Did {
    /// Some text on it.
    pub span: Span,
    /// In which function.
    pub function: FunctionId,
    /// Whether the claim fails because something was freed there.
    pub freed: bool,
}

/// The lines on which a violated claim depends in a run, with its own.
pub fn lines(program: &Program, sources: &Sources, inputs: &Inputs, claim: ClaimId) -> BTreeMap<Line, Did> {
    let limits = Limits { steps: MOST_EXECUTED, ..Limits::default() };
    let (outcome, trace) = Interpreter::new(program).follow(inputs, &limits);
    let mut lines = BTreeMap::new();
    let last = match outcome {
        Outcome::Violated(violated) if violated == claim => trace.events.len() - 1,
        _ => return lines,
    };
    let frees = |number: &u32| {
        let at = trace.events[*number as usize].location;
        let block = program.function(at.function).blocks.get(at.block.index());
        let statement = block.and_then(|block| block.statements.get(at.index as usize));
        statement.is_some_and(|statement| matches!(statement.kind, StatementKind::Free { .. }))
    };
    let line = |span: Span| (span.file, sources.physical_line(span.file, span.start));
    let freed: Vec<Line> = (trace.events[last].reads.iter().filter(|number| frees(number)))
        .map(|number| line(trace.events[*number as usize].span))
        .collect();
    for number in trace.slice(last as u32) {
        let event = &trace.events[number as usize];
        let function = event.location.function;
        if program.function(function).author == Author::User {
            let at = line(event.span);
            lines.entry(at).or_insert(Did { span: event.span, function, freed: freed.contains(&at) });
        }
    }
    lines
}

/// What is left to be spent on all lines.
struct Effort {
    steps: usize,
    terms: usize,
}

/// What is found out about a line.
#[derive(Clone)]
struct Answer {
    /// Other values there make the failing run pass.
    saved: bool,
    /// One of them may be a pointer.
    pointer: bool,
}

/// The failing run whose lines are asked about.
pub struct Rescue<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its text.
    pub sources: &'a Sources,
    /// What the failing run is fed.
    pub inputs: &'a Inputs,
    /// What it violates.
    pub claim: ClaimId,
    /// How far loops go.
    pub bounds: &'a Bounds,
    /// How often the failing run goes round a loop at most.
    pub unwind: u32,
    /// When to stop.
    pub stop: &'a Stop,
}

impl Rescue<'_> {
    /// For each line whether other values there make the failing run pass, as far as that is found out. Lines that open much are asked about last.
    pub fn saved(&self, lines: &[Line]) -> Vec<bool> {
        let mut left = Effort { steps: MOST_STEPS, terms: MOST_TERMS };
        let mut saved = vec![None; lines.len()];
        let places: Vec<usize> = (0..lines.len()).collect();
        let mut parts: Vec<&[usize]> = places.chunks(MOST_TOGETHER).rev().collect();
        while let Some(part) = parts.pop() {
            let those: Vec<Line> = part.iter().map(|at| lines[*at]).collect();
            match self.are_saved(&those, FEW_TERMS, &mut left) {
                Some(answers) => part.iter().zip(answers).for_each(|(at, answer)| saved[*at] = answer),
                None if part.len() > 1 => parts.extend(part.chunks(1).rev()),
                None => {}
            }
        }
        for (line, answer) in lines.iter().zip(&mut saved) {
            if answer.is_none() {
                *answer = self.are_saved(&[*line], MOST_TERMS_OF_ONE, &mut left).and_then(|answers| answers[0]);
            }
        }
        saved.into_iter().map(|answer| answer.unwrap_or(false)).collect()
    }

    /// The answers for lines that are left open together, if it takes no more than that. What a pointer may be instead is what it may be with
    /// other inputs.
    fn are_saved(&self, lines: &[Line], most_terms: usize, left: &mut Effort) -> Option<Vec<Option<bool>>> {
        let answers = self.answers(lines, Some(self.inputs), most_terms, left)?;
        let mut saved: Vec<Option<bool>> = answers.iter().map(|answer| Some(answer.saved)).collect();
        let unsaved = |at: &usize| !answers[*at].saved && answers[*at].pointer;
        let pointers: Vec<usize> = (0..lines.len()).filter(unsaved).collect();
        let those: Vec<Line> = pointers.iter().map(|at| lines[*at]).collect();
        let again = if those.is_empty() { None } else { self.answers(&those, None, most_terms, left) };
        for (place, at) in pointers.into_iter().enumerate() {
            saved[at] = again.as_ref().map(|again| again[place].saved);
        }
        Some(saved)
    }

    fn answers(
        &self,
        lines: &[Line],
        fed: Option<&Inputs>,
        most_terms: usize,
        left: &mut Effort,
    ) -> Option<Vec<Answer>> {
        let (most_steps, most_terms) = (left.steps.min(MOST_OF_ONE), left.terms.min(most_terms));
        if most_steps == 0 || most_terms == 0 {
            return None;
        }
        let groups_of: HashMap<Line, usize> = lines.iter().copied().zip(0..).collect();
        let line_of = |span: Span| (span.file, self.sources.physical_line(span.file, span.start));
        let open = |span: Span| groups_of.contains_key(&line_of(span));
        // Loops whose conditions are left open go on by conditions that are not constant.
        let symbolic = self.bounds.symbolic.max(self.unwind + 1);
        let bounds = Bounds { symbolic, most_steps, most_terms, ..self.bounds.clone() };
        let unwound = symex::unwind_open(self.program, &bounds, self.stop, fed, &open);
        let (steps, terms) = unwound
            .as_ref()
            .map_or((most_steps.min(most_terms), most_terms), |equation| (equation.steps.len(), equation.terms.len()));
        left.steps = left.steps.saturating_sub(steps);
        left.terms = left.terms.saturating_sub(terms);
        let mut equation = unwound?;
        let failing = Execution::of(&equation, self.inputs);
        let fails_there = failing.failed.is_some_and(|step| {
            matches!(equation.steps[step].kind, StepKind::Claim { claim: ClaimRef::Program(id), .. } if id == self.claim)
        });
        if !fails_there {
            return (lines.len() == 1).then(|| vec![Answer { saved: false, pointer: false }]);
        }
        let mut groups = vec![Vec::new(); lines.len()];
        let mut answers = vec![Answer { saved: false, pointer: false }; lines.len()];
        for (at, step) in equation.steps.iter().enumerate() {
            let is_pointer = match step.kind {
                StepKind::Assign { ty, .. } => matches!(self.program.ty(ty), Type::Pointer { .. }),
                StepKind::Return { .. } => true,
                StepKind::Guard { .. } => false,
                _ => continue,
            };
            if let Some(group) = groups_of.get(&line_of(step.span)) {
                groups[*group].push(at);
                answers[*group].pointer |= is_pointer;
            }
        }
        let repaired = repair::repairs(&mut equation, &failing, &groups, &[], self.stop);
        for ((answer, group), saved) in answers.iter_mut().zip(&groups).zip(repaired) {
            answer.saved = !group.is_empty() && saved == Some(true);
        }
        Some(answers)
    }
}
