//! Statements under symbolic execution: what each does to a path.

use nearmiss_logic::term::Term;

use super::layer::Source;
use super::memory::{Cell, Content, Lifetime, Object};
use super::pointer::{Referent, Target};
use super::{Frame, Passed, State, Symex, place};
use crate::equation::{Bound, ClaimRef, Share, StepKind};
use crate::flow::EventKind;
use nearmiss_logic::stop::Interrupted;
use nearmiss_program::location::Part;
use nearmiss_program::program::temporal::{self, Happens};
use nearmiss_program::program::{
    Author, ClaimId, ClaimKind, ExprId, FunctionId, Operand, Origin, PlaceId, SiteId, Statement, StatementKind,
    Storage, Type, TypeId,
};
use nearmiss_program::source::Span;

/// An object with more scalars than this is copied without a step for each.
const MOST_PARTS: usize = 16;
/// So many bytes that are copied or set are left open at most, where that is asked.
const MOST_OPEN_BYTES: u64 = 64;

/// The site of what is not said to come from any.
const NOWHERE: SiteId = SiteId(u32::MAX);

impl Symex<'_> {
    /// Executes one statement. None: no path gets beyond it.
    pub(super) fn statement(
        &mut self,
        mut state: State,
        frame: &Frame,
        statement: &Statement,
    ) -> Result<Option<State>, Interrupted> {
        if !matches!(statement.kind, StatementKind::Call { .. }) {
            self.event(&state, frame, Part::Whole, statement.span, EventKind::Effect);
        }
        match &statement.kind {
            StatementKind::Assign { target, value, origin } => {
                let value = self.eval(&mut state, frame, *value);
                let accesses = self.resolve(&mut state, frame, *target);
                let user = *origin == Origin::Written && frame.author == Author::User;
                let value = if user { self.written_whole(frame, *target, &accesses, value) } else { value };
                self.write_accesses(&mut state.cells, &accesses, 0, value);
            }
            StatementKind::Copy { target, source, origin } => {
                let from = self.resolve(&mut state, frame, *source);
                self.reads_place(&state.cells, &from, 0, self.program.place(*source).bits);
                let value = self.read_aggregate(&state.cells, &from, self.program.place(*source).ty);
                let to = self.resolve(&mut state, frame, *target);
                self.write_aggregate(&mut state.cells, &to, &value);
                if *origin == Origin::Written {
                    self.written_parts(&mut state, frame, *target, &to);
                }
            }
            StatementKind::Clear { target } => {
                let bits = self.program.place(*target).bits;
                let to = self.resolve(&mut state, frame, *target);
                self.write_aggregate(&mut state.cells, &to, &vec![(0, Cell { bits, content: Content::Zero })]);
            }
            StatementKind::Declare { local } => self.declare(&mut state, frame, *local),
            StatementKind::Kill { local } => self.end_instance(&mut state, frame, *local),
            StatementKind::Input { target, site, object } => self.input(&mut state, frame, *target, (*site, *object)),
            StatementKind::Call { target, function, arguments } => {
                return self.call(state, frame, statement.span, *target, *function, arguments);
            }
            StatementKind::Assume { condition } => {
                let condition = self.eval(&mut state, frame, *condition);
                if !self.eq.terms.is_true(condition) {
                    self.step(StepKind::Assume { condition });
                    self.narrow(condition);
                }
                if self.eq.terms.is_false(condition) {
                    return Ok(None);
                }
            }
            StatementKind::Claim { claim, condition, part } => {
                if !self.claim(&mut state, frame, *claim, *condition, *part) {
                    return Ok(None);
                }
            }
            StatementKind::Allocate { target, size, zeroed, storage, site } => {
                let size = self.eval(&mut state, frame, *size);
                let pointer = self.allocate(&mut state, size, *zeroed, *storage, *site, statement.span);
                let accesses = self.resolve(&mut state, frame, *target);
                self.write_accesses(&mut state.cells, &accesses, 0, pointer);
            }
            StatementKind::Free { pointer } => {
                let pointer = self.eval(&mut state, frame, *pointer);
                let targets = self.targets(pointer);
                self.free(&mut state, &targets);
            }
            StatementKind::CopyBytes { target, source, size } => {
                let target = self.eval(&mut state, frame, *target);
                let source = self.eval(&mut state, frame, *source);
                let size = self.eval(&mut state, frame, *size);
                self.copy_bytes(&mut state, target, source, size);
                self.open_bytes(&mut state, target, size);
            }
            StatementKind::SetBytes { target, value, size } => {
                let target = self.eval(&mut state, frame, *target);
                let value = self.eval(&mut state, frame, *value);
                let size = self.eval(&mut state, frame, *size);
                self.set_bytes(&mut state, target, value, size);
                self.open_bytes(&mut state, target, size);
            }
            StatementKind::Unsupported { what } => {
                self.reach_unsupported(what.clone());
                return Ok(None);
            }
        }
        Ok(Some(state))
    }

    /// What is behind a pointer dies. That arrays of variable length do is no decision.
    fn free(&mut self, state: &mut State, targets: &[Target]) {
        let objects = targets.iter().filter_map(|target| match target.referent {
            Referent::Object(object) => Some((target.condition, object)),
            Referent::Nothing { .. } => None,
        });
        let (heap, others): (Vec<_>, Vec<_>) =
            objects.partition(|(_, object)| self.objects[*object as usize].lifetime == Lifetime::Heap);
        let happens = if others.is_empty() { self.is_freed() } else { self.eq.terms.tru() };
        for (condition, object) in heap.into_iter().chain(others) {
            let condition = self.eq.terms.and(condition, happens);
            self.kill(&mut state.cells, object, condition);
        }
    }

    /// That something is freed: a decision where such are not taken for known.
    fn is_freed(&mut self) -> Term {
        let value = self.eq.terms.tru();
        if !self.is_open() {
            return value;
        }
        let (variable, ty) = self.opened("free", value);
        let (name, origin, targets) = ("free".into(), Origin::Tool, [].into());
        self.step(StepKind::Assign { variable: Some(variable), name, ty, value, origin, targets, share: Share::Whole });
        self.eq.symbol(variable)
    }

    /// Claims a condition. False if no path gets beyond it.
    fn claim(&mut self, state: &mut State, frame: &Frame, claim: ClaimId, condition: ExprId, part: bool) -> bool {
        let test = self.follow.is_some().then(|| self.test_of(state, frame, condition));
        let silent = !self.is_written(claim);
        self.has_settled();
        let condition = self.silently(silent, |this| this.eval(state, frame, condition));
        // What the bounds of values settle is still a claim: nothing is said of it behind the violation of another.
        let is_settled = self.has_settled();
        if !self.eq.terms.is_true(condition) || is_settled {
            let holds = self.always(condition) == Some(true) || self.holds_alike(claim, condition);
            let condition = if holds { self.eq.terms.tru() } else { condition };
            if let Some(test) = test {
                self.is_event(EventKind::Claim(self.eq.steps.len(), test));
            }
            self.step(StepKind::Claim { claim: ClaimRef::Program(claim), condition, part });
        } else if !part && (self.bounds.shown == Some(claim) || self.is_written(claim)) {
            self.step(StepKind::Held { claim });
        } else if silent {
            self.eq.settled.insert(claim);
        }
        let kind = self.program.claims[claim.index()].kind;
        !self.eq.terms.is_false(condition) || kind.has_path_behind()
    }

    fn is_written(&self, claim: ClaimId) -> bool {
        self.program.claims[claim.index()].kind == ClaimKind::Assertion
    }

    /// A person wrote a scalar.
    fn written_whole(&mut self, frame: &Frame, target: PlaceId, accesses: &[place::Access], value: Term) -> Term {
        let name = self.place_name(frame, target, accesses);
        self.written((name, Share::Whole), self.program.place(target).ty, value, place::targets(accesses, 0))
    }

    /// A person wrote a whole object: an assignment for each of its scalars, unless there are many.
    fn written_parts(&mut self, state: &mut State, frame: &Frame, target: PlaceId, accesses: &[place::Access]) {
        let place = self.program.place(target);
        if frame.author != Author::User || !self.is_visible(frame, place) {
            return;
        }
        let Some(scalars) = self.program.scalars(place.ty, MOST_PARTS) else { return };
        let name = self.place_name(frame, target, accesses);
        for (number, scalar) in scalars.into_iter().enumerate() {
            let value = self.read_accesses(&state.cells, accesses, scalar.bit_offset, scalar.bits as u32);
            let targets = place::targets(accesses, scalar.bit_offset);
            let value = self.written(
                (format!("{name}{}", scalar.path).into(), Share::Part(number as u32)),
                scalar.ty,
                value,
                targets,
            );
            self.write_accesses(&mut state.cells, accesses, scalar.bit_offset, value);
        }
    }

    fn input(&mut self, state: &mut State, frame: &Frame, target: PlaceId, of: (SiteId, Option<ExprId>)) {
        let (site, object) = of;
        let program = self.program;
        let described = &program.sites[site.index()];
        let place = program.place(target);
        let accesses = self.resolve(state, frame, target);
        if !program.is_scalar(place.ty) {
            let content = self.new_undefined(site, &described.name, Some(place.ty), place.bits, described.span);
            let value = vec![(0, Cell { bits: place.bits, content })];
            self.write_aggregate(&mut state.cells, &accesses, &value);
            return;
        }
        let name = described.name.as_str().into();
        let (variable, value) = match object {
            Some(object) => {
                let object = self.eval(state, frame, object);
                let (variable, value) = self.free_pointer(name, place.ty, object);
                // The object was made just before.
                let points = self.eq.symbol(variable);
                let is_there = self.eq.terms.and(self.here.guard, points);
                if let Some(creation) = self.eq.creations.last_mut() {
                    creation.pointed_at = Some(is_there);
                }
                (variable, value)
            }
            None => self.free_variable(name, place.ty, place.bits as u32, site),
        };
        let found = self.is_fed(place.ty).then(|| self.fed_call(variable)).flatten();
        let value = found.map_or(value, |bits| self.eq.terms.constant(place.bits as u32, bits));
        let is_known = match &accesses[..] {
            [access] => access.parts.is_empty() && self.eq.terms.is_true(access.condition),
            _ => false,
        };
        let is_named = is_known && !place.path.is_empty() && self.is_visible(frame, place);
        let stored = is_named.then(|| self.place_name(frame, target, &accesses));
        self.step(StepKind::Call { variable, value, site, stored });
        self.write_accesses(&mut state.cells, &accesses, 0, value);
    }

    fn call(
        &mut self,
        mut state: State,
        frame: &Frame,
        span: Span,
        target: Option<PlaceId>,
        function: FunctionId,
        arguments: &[Operand],
    ) -> Result<Option<State>, Interrupted> {
        let mut passed = Vec::with_capacity(arguments.len());
        self.no_arguments();
        for (index, argument) in arguments.iter().enumerate() {
            self.argument_event(&state, frame, index as u32, span);
            passed.push(match *argument {
                Operand::Value(value) => Passed::Scalar(self.eval(&mut state, frame, value)),
                Operand::Object(place) => {
                    let accesses = self.resolve(&mut state, frame, place);
                    self.reads_place(&state.cells, &accesses, 0, self.program.place(place).bits);
                    Passed::Aggregate(self.read_aggregate(&state.cells, &accesses, self.program.place(place).ty))
                }
            });
        }
        if self.program.temporal.as_ref().is_some_and(|temporal| temporal.is_called(function)) {
            self.position(&mut state, Happens::Call(function));
            self.step(StepKind::Act { function });
        }
        self.event(&state, frame, Part::Whole, span, EventKind::Call);
        let here = self.here_event();
        let Some((mut state, value)) = self.function(state, function, passed, span, frame.depth + 1)? else {
            return Ok(None);
        };
        self.come_back(here, &state, frame, span);
        self.stand_at(&state, frame, span);
        self.observe(&mut state);
        if let (Some(target), Some(value)) = (target, value) {
            let accesses = self.resolve(&mut state, frame, target);
            match value {
                Passed::Scalar(value) => {
                    let place = self.program.place(target);
                    let user = frame.author == Author::User && self.is_visible(frame, place);
                    let value = if user { self.written_whole(frame, target, &accesses, value) } else { value };
                    self.write_accesses(&mut state.cells, &accesses, 0, value);
                }
                Passed::Aggregate(value) => {
                    self.write_aggregate(&mut state.cells, &accesses, &value);
                    self.written_parts(&mut state, frame, target, &accesses);
                }
            }
            self.takes(&mut state, frame, target);
            if temporal::takes_result(self.program, self.program.function(frame.function), target) {
                self.position(&mut state, Happens::Step);
            }
        }
        Ok(Some(state))
    }

    /// Whatever a caller, or a function of which nothing is known, may put into globals.
    pub(super) fn leave_anything(&mut self, state: &mut State) {
        let program = self.program;
        for (index, global) in program.globals.iter().enumerate().filter(|(_, global)| !global.read_only) {
            let content = self.new_undefined(NOWHERE, &global.name, None, global.size * 8, global.span);
            self.write_bits(&mut state.cells, self.globals[index], 0, global.size * 8, content);
        }
    }

    /// Some number of that many bits.
    pub(super) fn anything(&mut self, bits: u64) -> Term {
        let ty = self.program.bytes_type(bits);
        let variable = self.new_variable("anything".into(), ty, bits as u32, None);
        self.eq.symbol(variable)
    }

    fn allocate(
        &mut self,
        state: &mut State,
        size: Term,
        zeroed: bool,
        storage: Storage,
        site: SiteId,
        span: Span,
    ) -> Term {
        let width = self.program.pointer.bits;
        let limit = self.program.pointer.max_object_size();
        let null = self.eq.terms.constant(width, 0);
        let bytes = match self.eq.terms.as_const(size) {
            Some(bytes) if bytes > u128::from(limit) => {
                self.refuses(span);
                return null;
            }
            Some(bytes) => bytes as u64,
            None => self.bounds.allocation.min(limit),
        };
        let most = self.eq.terms.constant(width, u128::from(bytes));
        let fits = self.eq.terms.ule(size, most);
        let is_open = !self.eq.terms.is_true(fits);
        if is_open && bytes < limit {
            self.hit(Bound::Allocation, fits);
        } else if is_open {
            self.refuses(span);
        }
        let name = self.program.sites[site.index()].name.clone();
        let content = match zeroed {
            true => Content::Zero,
            false => self.new_undefined(site, &name, None, bytes * 8, span),
        };
        let birth = self.new_birth();
        let object = self.new_object(Object {
            name: name.as_str().into(),
            ty: None,
            bits: bytes * 8,
            size,
            initial: content,
            lifetime: if storage == Storage::Heap { Lifetime::Heap } else { Lifetime::Activation },
            read_only: false,
            visible: true,
            address: None,
            birth: Some(birth),
        });
        if bytes > 0 {
            self.write_bits(&mut state.cells, object, 0, bytes * 8, content);
        }
        let address = self.object_address(object);
        if bytes < limit { address } else { self.eq.terms.ite(fits, address, null) }
    }

    /// An allocation here gives NULL where it is larger than any object.
    fn refuses(&mut self, span: Span) {
        if !self.eq.refused.contains(&span) {
            self.eq.refused.push(span);
        }
    }

    fn copy_bytes(&mut self, state: &mut State, target: Term, source: Term, size: Term) {
        let (from, to) = (self.pointer_accesses(source), self.pointer_accesses(target));
        let memory = Source::Memory(state.cells.clone(), from.clone());
        if self.set_block(state, &to, &memory, size) {
            return;
        }
        if let Some(bytes) = self.eq.terms.as_const(size) {
            self.reads_place(&state.cells, &from, 0, bytes as u64 * 8);
            let value = self.read_region(&state.cells, &from, bytes as u64 * 8);
            self.write_aggregate(&mut state.cells, &to, &value);
            return;
        }
        let longest = self.longest(&to).min(self.longest(&from));
        let old: Vec<Term> = (0..longest).map(|k| self.read_accesses(&state.cells, &from, k * 8, 8)).collect();
        for k in 0..longest {
            let reached = self.reaches(k, size);
            self.reads_place_if(reached, &state.cells, &from, k * 8, 8);
        }
        for (k, byte) in old.into_iter().enumerate() {
            self.set_byte_if(state, &to, k as u64, byte, size);
        }
    }

    fn set_bytes(&mut self, state: &mut State, target: Term, value: Term, size: Term) {
        let to = self.pointer_accesses(target);
        if self.set_block(state, &to, &Source::Byte(value), size) {
            return;
        }
        match (self.eq.terms.as_const(size), self.eq.terms.as_const(value)) {
            (Some(bytes), Some(0)) => {
                let zeros = Cell { bits: bytes as u64 * 8, content: Content::Zero };
                self.write_aggregate(&mut state.cells, &to, &vec![(0, zeros)]);
            }
            (Some(bytes), _) => {
                for k in 0..(bytes as u64).min(self.longest(&to)) {
                    self.write_accesses(&mut state.cells, &to, k * 8, value);
                }
            }
            (None, _) => {
                for k in 0..self.longest(&to) {
                    self.set_byte_if(state, &to, k, value, size);
                }
            }
        }
    }

    /// Where values are not taken for known: those of the bytes that were just written.
    fn open_bytes(&mut self, state: &mut State, target: Term, size: Term) {
        let byte = self.program.types.iter().position(|ty| matches!(ty, Type::Integer { bits: 8, .. }));
        let (true, Some(byte)) = (self.is_open(), byte) else { return };
        let (ty, to) = (TypeId(byte as u32), self.pointer_accesses(target));
        for k in 0..self.longest(&to).min(MOST_OPEN_BYTES) {
            let value = self.read_accesses(&state.cells, &to, k * 8, 8);
            let variable = self.new_variable("byte".into(), ty, 8, Some(value));
            let (name, origin, targets) = ("byte".into(), Origin::Tool, [].into());
            self.step(StepKind::Assign {
                variable: Some(variable),
                name,
                ty,
                value,
                origin,
                targets,
                share: Share::Whole,
            });
            let symbol = self.eq.symbol(variable);
            self.set_byte_if(state, &to, k, symbol, size);
        }
    }

    /// Writes byte `k` of a range if the range is that long.
    fn set_byte_if(&mut self, state: &mut State, to: &[place::Access], k: u64, byte: Term, size: Term) {
        let reached = self.reaches(k, size);
        let old = self.read_accesses(&state.cells, to, k * 8, 8);
        let new = self.eq.terms.ite(reached, byte, old);
        let before = state.cells.clone();
        self.write_accesses(&mut state.cells, to, k * 8, new);
        self.follow_unless(&before, &mut state.cells, reached);
    }

    /// One bit: is byte `k` within this size?
    fn reaches(&mut self, k: u64, size: Term) -> Term {
        let number = self.eq.terms.constant(self.eq.terms.width(size), u128::from(k));
        self.eq.terms.ult(number, size)
    }
}
