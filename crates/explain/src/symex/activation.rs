//! Calls under symbolic execution: a function is run where it is called, with slots of its own for its locals.

use nearmiss_logic::stop::Interrupted;

use super::memory::{Content, Lifetime, Object, ObjectNumber, SHADOW};
use super::{Frame, Here, MOST_CALLS, Passed, State, Symex};
use crate::equation::{Bound, Share, StepKind, Target};
use nearmiss_program::program::{Author, FunctionId, LocalId, Operand, Type};
use nearmiss_program::source::Span;

impl Symex<'_> {
    /// Runs a function to its return. None: no path returns.
    pub(super) fn function(
        &mut self,
        mut state: State,
        id: FunctionId,
        arguments: Vec<Passed>,
        call: Span,
        depth: u32,
    ) -> Result<Option<(State, Option<Passed>)>, Interrupted> {
        let function = self.program.function(id);
        if depth > 1 && self.opaque.contains(&id) {
            self.leave_anything(&mut state);
            let bits = self.program.size_bits(function.returns);
            let is_void = matches!(self.program.ty(function.returns), Type::Void);
            let value = (!is_void).then(|| Passed::Scalar(self.anything(bits)));
            return Ok(Some((state, value)));
        }
        let outer = self.active.entry(id).or_default();
        let times = outer.len() as u32 + 1;
        let constant = outer.first().is_none_or(|guard| *guard == state.guard);
        let name = &function.name;
        // A bound that is given counts how often it is come into from itself, as CBMC's does.
        let counted = if self.bounds.is_given(name) { times - 1 } else { times };
        if times > 1 && !self.bounds.allow(name, counted, if constant { 0 } else { times }) {
            self.here =
                Here { guard: self.guards.term(state.guard), span: call, function: id, depth, turn: state.turn };
            let condition = self.eq.terms.fals();
            self.hit(Bound::Recursion(name.clone()), condition);
            return Ok(None);
        }
        if depth > MOST_CALLS {
            self.here =
                Here { guard: self.guards.term(state.guard), span: call, function: id, depth, turn: state.turn };
            let condition = self.eq.terms.fals();
            self.hit(Bound::Depth, condition);
            return Ok(None);
        }
        self.eq.unwind = self.eq.unwind.max(times);
        self.active.get_mut(&id).expect("entered above").push(state.guard);
        let before = state.turn;
        let further = times > 1 && !constant;
        if further {
            state.turn = Some(self.new_turn(&state, Bound::Recursion(name.clone()), times, before, None));
        }
        let (turn, came) = (state.turn, state.came);
        let base = self.objects.len() as u32;
        let frame = Frame { function: id, base, depth, author: function.author };
        self.make_slots(&frame);
        self.follow_call(&frame);
        let passed_by = self.follow.as_mut().map(|follow| std::mem::take(&mut follow.arguments)).unwrap_or_default();
        for (index, argument) in arguments.into_iter().enumerate().take(function.parameters as usize) {
            self.here =
                Here { guard: self.guards.term(state.guard), span: call, function: id, depth, turn: state.turn };
            self.resume_event(passed_by.get(index).copied().unwrap_or(0));
            self.bind_parameter(&mut state, &frame, LocalId(index as u32), argument);
        }
        self.observe_call(&frame);
        self.word_of(&mut state, &frame);
        let returned = self.blocks(state, &frame)?;
        self.observe_return();
        self.active.get_mut(&id).expect("entered above").pop();
        Ok(returned.map(|mut state| {
            // What follows a further activation is done only by runs that make it.
            (state.turn, state.came) = (if further { turn } else { before }, came);
            let value = self.take_result(&mut state, &frame);
            self.follow_end(&frame);
            self.close(&mut state, &frame);
            (state, value)
        }))
    }

    fn make_slots(&mut self, frame: &Frame) {
        let function = self.program.function(frame.function);
        for index in 0..=function.locals.len() {
            let (name, ty, temporary) = match function.locals.get(index) {
                Some(local) => (self.local_name(frame.function, LocalId(index as u32)), local.ty, local.temporary),
                None => (function.name.as_str().into(), function.returns, true),
            };
            let size = self.eq.terms.constant(self.program.pointer.bits, 0);
            self.new_object(Object {
                name,
                ty: Some(ty),
                bits: self.program.size_bits(ty),
                size,
                initial: Content::Zero,
                lifetime: Lifetime::Activation,
                read_only: false,
                visible: !temporary && frame.author == Author::User,
                address: None,
                birth: None,
            });
        }
    }

    fn bind_parameter(&mut self, state: &mut State, frame: &Frame, local: LocalId, argument: Passed) {
        let declared = &self.program.function(frame.function).locals[local.index()];
        let object = self.local_object(state, frame, local);
        match argument {
            Passed::Scalar(value) => {
                let name = self.local_name(frame.function, local);
                // The entry function's parameters are inputs already: the start function calls it at depth 1, what compares it at 2.
                let of_entry = 1 + u32::from(self.program.reference.is_some());
                let value = match frame.author {
                    Author::User if frame.depth > of_entry && !declared.temporary => {
                        let condition = self.eq.terms.tru();
                        let target = Target { condition, object, constant: 0, parts: Vec::new() };
                        self.written((name, Share::Parameter(local)), declared.ty, value, [target].into())
                    }
                    _ => value,
                };
                let bits = u64::from(self.eq.terms.width(value));
                self.write_bits(&mut state.cells, object, 0, bits, Content::Term(value));
            }
            Passed::Aggregate(value) => {
                for (at, cell) in value {
                    self.write_bits(&mut state.cells, object, at, cell.bits, cell.content);
                }
            }
        }
    }

    /// What a function returns is put into the slot behind its locals.
    pub(super) fn put_result(&mut self, state: &mut State, frame: &Frame, value: Option<Operand>) {
        let function = self.program.function(frame.function);
        let slot = frame.base + function.locals.len() as u32;
        if !matches!(value, Some(Operand::Value(_))) {
            self.returns(state, frame, None);
        }
        match value {
            None => {}
            Some(Operand::Value(value)) => {
                let mut term = self.eval(state, frame, value);
                self.returns(state, frame, Some(term));
                if frame.author == Author::User {
                    let (ty, bits) = (function.returns, self.eq.terms.width(term));
                    let constant = self.eq.terms.as_const(term).is_some() && !self.is_open();
                    let name = || format!("{}()", function.name).into();
                    let variable = (!constant).then(|| self.new_variable(name(), ty, bits, Some(term)));
                    self.step(StepKind::Return { variable, ty, value: term });
                    term = variable.map_or(term, |variable| self.eq.symbol(variable));
                }
                let bits = u64::from(self.eq.terms.width(term));
                self.write_bits(&mut state.cells, slot, 0, bits, Content::Term(term));
            }
            Some(Operand::Object(place)) => {
                let accesses = self.resolve(state, frame, place);
                self.reads_place(&state.cells, &accesses, 0, self.program.place(place).bits);
                let value = self.read_aggregate(&state.cells, &accesses, self.program.place(place).ty);
                for (at, cell) in value {
                    self.write_bits(&mut state.cells, slot, at, cell.bits, cell.content);
                }
            }
        }
    }

    /// What a function has returned.
    fn take_result(&mut self, state: &mut State, frame: &Frame) -> Option<Passed> {
        let function = self.program.function(frame.function);
        let slot = frame.base + function.locals.len() as u32;
        let bits = self.program.size_bits(function.returns);
        if matches!(self.program.ty(function.returns), Type::Void) {
            return None;
        }
        if self.follow.is_some() {
            let setters = self.setters_at(&state.cells, slot, 0, bits);
            self.follow.iter_mut().for_each(|follow| follow.result = setters.clone());
        }
        Some(if self.program.is_scalar(function.returns) {
            Passed::Scalar(self.read_bits(&state.cells, slot, 0, bits as u32))
        } else {
            Passed::Aggregate(self.cells_of(&state.cells, slot, 0, bits))
        })
    }

    /// Ends the life of everything that an activation owns.
    fn close(&mut self, state: &mut State, frame: &Frame) {
        let last = frame.base + self.program.function(frame.function).locals.len() as u32;
        let owned = (frame.base, 0)..=(last, u64::MAX);
        let shadows = (frame.base | SHADOW, 0)..=(last | SHADOW, u64::MAX);
        let keys: Vec<_> = state.cells.range(owned).chain(state.cells.range(shadows)).map(|(k, c)| (*k, *c)).collect();
        for (key, cell) in keys {
            state.cells.remove(&key);
            if let Content::Instance(object) = cell.content {
                self.bury(state, object);
            }
        }
        // Objects on the stack that have no name (`alloca`) were made after the slots and carry the depth's lifetime.
        let own: Vec<ObjectNumber> = self.stack_objects_since(last);
        for object in own {
            if state.cells.range((object, 0)..=(object, u64::MAX)).next().is_some() {
                self.bury(state, object);
            }
        }
    }

    fn stack_objects_since(&self, last: ObjectNumber) -> Vec<ObjectNumber> {
        let first = last as usize + 1;
        let made = self.objects[first.min(self.objects.len())..].iter().enumerate();
        made.filter(|(_, o)| o.lifetime == Lifetime::Activation && o.ty.is_none() && o.address.is_some())
            .map(|(index, _)| (first + index) as u32)
            .collect()
    }
}
