//! Unwinding with the inputs of one run: what they decide is constant, and only what is left open makes paths fork.
//!
//! The idea: of every term it is known what it is in that run, so that it is known whether the run comes to an input, and which value it finds
//! there. An input that the run does not come to is free. From where something is not followed on, inputs are free as well: whoever asks then says
//! what they are ([`crate::execution::Execution::of`]).

use nearmiss_logic::eval::{Assignment, Evaluator, Remembered};
use nearmiss_logic::term::Term;

use super::Symex;
use crate::equation::{CreationId, Offset, StepKind, VariableId};
use crate::execution::{Reader, Source};
use nearmiss_program::program::{Type, TypeId};
use nearmiss_program::run::Inputs;

/// The run that is fed.
pub(super) struct Fed<'p> {
    reader: Reader<'p>,
    /// What terms are in it.
    remembered: Remembered,
}

impl<'p> Fed<'p> {
    pub(super) fn new(inputs: &'p Inputs) -> Fed<'p> {
        Fed { reader: Reader::new(inputs), remembered: Remembered::default() }
    }
}

impl Symex<'_> {
    /// What the run finds at an input that is called for, if it comes there.
    pub(super) fn fed_call(&mut self, variable: VariableId) -> Option<u128> {
        self.fed_from(variable, &Source::Call { guard: self.here.guard }, self.here.guard)
    }

    /// What it finds in an object that starts undefined.
    pub(super) fn fed_content(
        &mut self,
        variable: VariableId,
        creation: CreationId,
        at: u64,
        bits: u32,
    ) -> Option<u128> {
        let guard = self.eq.creations[creation.0 as usize].guard;
        self.fed_from(variable, &Source::Content { creation, offset: Offset::constant(at), bits }, guard)
    }

    /// Is an input of this type followed? Which object a pointer points to is not.
    pub(super) fn is_fed(&mut self, ty: TypeId) -> bool {
        if matches!(self.program.ty(ty), Type::Pointer { .. }) {
            self.fed = None;
        }
        self.fed.is_some()
    }

    fn fed_from(&mut self, variable: VariableId, source: &Source, guard: Term) -> Option<u128> {
        let mut fed = self.fed.take()?;
        let nothing = Assignment::new();
        let mut evaluator = Evaluator::resume(&self.eq.terms, &nothing, std::mem::take(&mut fed.remembered));
        let symbol = self.eq.symbol(variable);
        let bits = fed.reader.read(&self.eq, source, &mut evaluator);
        let comes_there = evaluator.holds(guard);
        // A `_Bool` is one free bit.
        let bits = if self.eq.terms.width(symbol) == 1 { u128::from(bits != 0) } else { bits };
        evaluator.fix(symbol, bits);
        fed.remembered = evaluator.into_remembered();
        self.fed = Some(fed);
        comes_there.then_some(bits)
    }

    /// Takes note of what a variable is in the run.
    pub(super) fn fed_definition(&mut self, symbol: Term, definition: Term) {
        let Some(fed) = &mut self.fed else { return };
        let nothing = Assignment::new();
        let mut evaluator = Evaluator::resume(&self.eq.terms, &nothing, std::mem::take(&mut fed.remembered));
        let value = evaluator.value(definition);
        evaluator.fix(symbol, value);
        fed.remembered = evaluator.into_remembered();
    }

    /// Behind the end of the run nothing is fed.
    pub(super) fn fed_step(&mut self, kind: &StepKind) {
        let (StepKind::Assume { condition } | StepKind::Claim { condition, .. }) = kind else { return };
        let Some(fed) = &mut self.fed else { return };
        let nothing = Assignment::new();
        let mut evaluator = Evaluator::resume(&self.eq.terms, &nothing, std::mem::take(&mut fed.remembered));
        let ends = evaluator.holds(self.here.guard) && !evaluator.holds(*condition);
        fed.remembered = evaluator.into_remembered();
        if ends {
            self.fed = None;
        }
    }
}
