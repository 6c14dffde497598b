//! One execution of an equation: a value for every variable, found by evaluating, without any solver.
//!
//! What is computed here is what distances are counted on, so
//! the re-check uses it too.

use std::cell::RefCell;
use std::collections::HashMap;

use nearmiss_logic::eval::{Assignment, Evaluator, Remembered};
use nearmiss_logic::term::Term;
use nearmiss_logic::width::low_bits;

use crate::equation::{ClaimRef, CreationId, Equation, Offset, StepKind, VariableId};
use nearmiss_program::program::{ByteOrder, Program, SiteId};
use nearmiss_program::run::{Content, Inputs};

/// An execution.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The value of every variable, by its number.
    pub values: Vec<u128>,
    /// For every step whether it is executed: its guard holds, and no assumption or claim before it failed.
    pub executed: Vec<bool>,
    /// The first assumption or claim that fails: index of the step.
    pub failed: Option<usize>,
    assignment: Assignment,
    /// Values of terms that were asked for.
    remembered: RefCell<Remembered>,
}

impl Execution {
    /// The numbers that a run gives to the objects that pointers of the equation number otherwise.
    pub fn numbers_of_objects(&self, program: &Program, equation: &Equation) -> HashMap<u64, u64> {
        let mut evaluator = self.evaluator(equation);
        let born = equation.births.iter().filter(|birth| evaluator.holds(birth.guard));
        let numbered = born.zip(program.first_dynamic_object()..);
        numbered.filter_map(|(birth, own)| Some((birth.number?, own))).collect()
    }

    /// What the equation does on these inputs. Inputs that it does not come across are 0.
    pub fn of(equation: &Equation, inputs: &Inputs) -> Execution {
        let sources = sources(equation);
        let mut reader = Reader::new(inputs);
        Execution::with(equation, |variable, evaluator| {
            let Some(source) = sources.get(&variable) else { return 0 };
            let bits = reader.read(equation, source, evaluator);
            let bits = equation.from_run(variable, evaluator, bits);
            // A `_Bool` or a pointer is one free bit.
            if equation.terms.width(equation.symbol(variable)) == 1 { u128::from(bits != 0) } else { bits }
        })
    }

    /// What the equation does with these values of its inputs, those included that it does not come across.
    pub fn of_assignment(equation: &Equation, values: &Assignment) -> Execution {
        Execution::with(equation, |variable, _| values.get(equation.symbol(variable)))
    }

    /// The free variables are asked for in order.
    fn with(equation: &Equation, mut free: impl FnMut(VariableId, &mut Evaluator<'_>) -> u128) -> Execution {
        let start = Assignment::new();
        let mut evaluator = Evaluator::new(&equation.terms, &start);
        let mut values = Vec::with_capacity(equation.variables.len());
        for (index, variable) in equation.variables.iter().enumerate() {
            let value = match variable.definition {
                Some(definition) => evaluator.value(definition),
                None => free(VariableId(index as u32), &mut evaluator),
            };
            evaluator.fix(variable.symbol, value);
            values.push(value);
        }
        let mut assignment = Assignment::new();
        for (variable, value) in equation.variables.iter().zip(&values) {
            assignment.set(variable.symbol, *value);
        }
        let remembered = RefCell::default();
        let nothing = Execution { values, executed: Vec::new(), failed: None, assignment, remembered };
        nothing.passing_over(equation, |_| false)
    }

    /// The same execution, in which some claims are of no account.
    pub fn passing_over(mut self, equation: &Equation, ignored: impl Fn(ClaimRef) -> bool) -> Execution {
        let mut executed = Vec::with_capacity(equation.steps.len());
        let mut failed = None;
        let mut evaluator = self.evaluator(equation);
        for (index, step) in equation.steps.iter().enumerate() {
            let reached = failed.is_none() && evaluator.holds(step.guard);
            executed.push(reached);
            let condition = match step.kind {
                StepKind::Assume { condition } => condition,
                StepKind::Claim { claim, condition, .. } if !ignored(claim) => condition,
                _ => continue,
            };
            if reached && !evaluator.holds(condition) {
                failed = Some(index);
            }
        }
        (self.executed, self.failed) = (executed, failed);
        self
    }

    /// The value of a variable.
    pub fn value(&self, variable: VariableId) -> u128 {
        self.values[variable.0 as usize]
    }

    /// The value of another term in this execution. It is remembered, also when terms are added to the equation: who asks
    /// for many terms, one at a time, asks here.
    pub fn value_of(&self, equation: &Equation, term: Term) -> u128 {
        let mut evaluator = Evaluator::resume(&equation.terms, &self.assignment, self.remembered.take());
        let value = evaluator.value(term);
        self.remembered.replace(evaluator.into_remembered());
        value
    }

    /// Does a term hold in this execution? Remembered, too.
    pub fn meets(&self, equation: &Equation, term: Term) -> bool {
        self.value_of(equation, term) == 1
    }

    /// Evaluates other terms in this execution.
    pub(crate) fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// Evaluates terms in this execution.
    pub fn evaluator<'a>(&'a self, equation: &'a Equation) -> Evaluator<'a> {
        Evaluator::new(&equation.terms, &self.assignment)
    }
}

/// Where the value of a free variable comes from.
pub(crate) enum Source {
    Call { guard: Term },
    Content { creation: CreationId, offset: Offset, bits: u32 },
    Close { guard: Term, arrivals: [u32; 2] },
}

fn sources(equation: &Equation) -> HashMap<VariableId, Source> {
    let mut sources = HashMap::new();
    for step in &equation.steps {
        match step.kind {
            StepKind::Call { variable, .. } => {
                sources.insert(variable, Source::Call { guard: step.guard });
            }
            StepKind::Content { variable, value, creation, offset, .. } => {
                let bits = equation.terms.width(value);
                sources.insert(variable, Source::Content { creation, offset, bits });
            }
            StepKind::Close { variable, at, back, .. } => {
                sources.insert(variable, Source::Close { guard: step.guard, arrivals: [at, back] });
            }
            _ => {}
        }
    }
    sources
}

/// Hands out inputs in the order in which the variables ask for them.
pub(crate) struct Reader<'a> {
    inputs: &'a Inputs,
    calls: std::slice::Iter<'a, u128>,
    /// So many creations have their key.
    creations: usize,
    keys: Vec<Option<(SiteId, u32)>>,
    counts: HashMap<SiteId, u32>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(inputs: &'a Inputs) -> Reader<'a> {
        Reader { inputs, calls: inputs.calls.iter(), creations: 0, keys: Vec::new(), counts: HashMap::new() }
    }

    pub(crate) fn read(&mut self, equation: &Equation, source: &Source, evaluator: &mut Evaluator<'_>) -> u128 {
        match *source {
            Source::Call { guard } if evaluator.holds(guard) => self.calls.next().copied().unwrap_or(0),
            Source::Call { .. } => 0,
            Source::Close { guard, arrivals } => {
                let chosen = equation.is_chosen(arrivals, self.inputs, |arrival| evaluator.holds(*arrival));
                u128::from(chosen && evaluator.holds(guard))
            }
            Source::Content { creation, offset, bits } => {
                // Objects are created before anything of them is read, in the order of their numbers.
                while self.creations <= creation.0 as usize {
                    let made = &equation.creations[self.creations];
                    self.keys.push(evaluator.holds(made.guard).then(|| {
                        let count = self.counts.entry(made.site).or_insert(0);
                        *count += 1;
                        (made.site, *count - 1)
                    }));
                    self.creations += 1;
                }
                let pieces = self.keys[creation.0 as usize].and_then(|key| self.inputs.contents.get(&key));
                pieces.map_or(0, |pieces| part(equation.order, pieces, offset.bits(evaluator), bits))
            }
        }
    }
}

/// Some bits of contents that are given in pieces; what no piece covers is 0.
fn part(order: ByteOrder, pieces: &[Content], bit_offset: u64, bits: u32) -> u128 {
    let (from, to) = (bit_offset, bit_offset + u64::from(bits));
    let mut value = 0;
    for piece in pieces {
        let (start, end) = (piece.bit_offset.max(from), (piece.bit_offset + u64::from(piece.bits)).min(to));
        if start < end {
            let (skipped, below) = match order {
                ByteOrder::Little => (start - piece.bit_offset, start - from),
                ByteOrder::Big => (piece.bit_offset + u64::from(piece.bits) - end, to - end),
            };
            value |= ((piece.value >> skipped) & low_bits((end - start).min(128) as u32)) << below;
        }
    }
    value
}
