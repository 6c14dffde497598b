//! Executes statements: frames, calls, and objects that come and go.
//!
//! Calls of the program are frames in a vector, never calls of ours, so that no recursion of the program's reaches our
//! own stack.

use super::formula::Recorder;
use super::memory::{Kind, Memory, Store};
use super::observe::Observer;
use super::trace::TraceKind;
use super::uses::Uses;
use super::{Feed, Interpreter, Limits, Recording};
use crate::location::{Part, Test};
use crate::program::temporal::{self, Happens};
use crate::program::{
    Author, BlockId, BranchRole, ExprId, FunctionId, GlobalInit, LocalId, Operand, Origin, PlaceId, Program, SiteId,
    Statement, StatementKind, StaticObject, Storage, Terminator, Type,
};
use crate::run::{Outcome, RunStep, RunStepKind};
use crate::source::Span;
use nearmiss_logic::width::low_bits;

/// How many steps pass between two looks at memory and the stop flag.
const CHECK_EVERY: u64 = 1024;
/// Bytes that one step of `CopyBytes` moves.
const CHUNK: usize = 4096;

/// What a part of the run gives, or how the run ends there.
pub(super) type Step<T> = Result<T, Outcome>;

/// Where a local lives.
#[derive(Clone, Copy)]
pub(super) enum Slot {
    /// Not at all yet.
    Empty,
    /// Up to 16 bytes that no pointer can reach.
    Value(u128),
    /// More bytes that no pointer can reach: a number in [`Machine::private`].
    Private(u64),
    /// The number of an object.
    Object(u64),
}

/// Where bits are.
#[derive(Clone, Copy)]
pub(super) enum Space {
    /// A slot, with the size of its local in bytes.
    Slot(usize, u64),
    Private(u64),
    Object(u64),
}

/// A value on its way in or out of a function.
pub(super) enum Passed {
    Scalar(u128),
    /// Contents and size in bytes.
    Object(Store, u64),
}

/// An activation of a function.
pub(super) struct Frame {
    pub(super) function: FunctionId,
    /// First slot.
    pub(super) base: usize,
    pub(super) block: BlockId,
    /// Next statement of the block.
    pub(super) index: usize,
    /// Where the caller wants the result.
    target: Option<PlaceId>,
    /// What dies when the function returns, besides its locals.
    stack: Vec<u64>,
}

pub(super) struct Machine<'a, 'f> {
    pub(super) program: &'a Program,
    pub(super) code: &'a Interpreter<'a>,
    pub(super) feed: Feed<'f>,
    limits: &'a Limits,
    pub(super) recording: Recording,
    pub(super) recorded: Vec<RunStep>,
    /// Which of them matter; kept only where steps are recorded.
    pub(super) uses: Uses,
    pub(super) memory: Memory,
    pub(super) private: Memory,
    /// Numbers in `private` that can be used again.
    unused: Vec<u64>,
    pub(super) slots: Vec<Slot>,
    /// First slot of the running activation.
    pub(super) base: usize,
    pub(super) frames: Vec<Frame>,
    /// How many objects each site has made.
    created: Vec<u32>,
    next_call: usize,
    pub(super) steps: u64,
    /// The step at which to look at the limits again.
    next_check: u64,
    /// No number is left for another object.
    out_of_numbers: bool,
    pub(super) returned: Option<u128>,
    /// What a formula will be judged on, if there is one.
    pub(super) word: Option<Recorder>,
    /// Conditions to look at, if asked for.
    pub(super) observer: Option<Box<Observer<'a>>>,
}

impl<'a, 'f> Machine<'a, 'f> {
    pub(super) fn new(
        code: &'a Interpreter<'a>,
        feed: Feed<'f>,
        limits: &'a Limits,
        recording: Recording,
    ) -> Machine<'a, 'f> {
        Machine {
            program: code.program,
            code,
            feed,
            limits,
            recording,
            recorded: Vec::new(),
            uses: Uses::default(),
            memory: Memory::default(),
            private: Memory::default(),
            unused: Vec::new(),
            slots: Vec::new(),
            base: 0,
            frames: Vec::new(),
            created: vec![0; code.program.sites.len()],
            next_call: 0,
            steps: 0,
            next_check: 0,
            out_of_numbers: false,
            returned: None,
            word: code.program.temporal.is_some().then(|| Recorder::new(&code.given)),
            observer: None,
        }
    }

    /// Makes what exists before the run and enters the start function.
    pub(super) fn start(&mut self) -> Step<()> {
        let program = self.program;
        self.event(BlockId(0), 0, Part::Whole, program.function(program.start).span);
        self.enter(program.start, None, Vec::new())?;
        for number in 0..program.first_dynamic_object() {
            let (id, global) = match program.static_object(number) {
                Some(StaticObject::Global(id)) => (id, &program.globals[id.index()]),
                Some(StaticObject::Function(_)) => {
                    self.memory.create(0, Kind::Function, Store::zero(0));
                    continue;
                }
                None => {
                    self.memory.create(0, Kind::Nothing, Store::zero(0));
                    continue;
                }
            };
            let store = match &global.init {
                GlobalInit::Unknown(site) => self.undefined(*site, global.size),
                GlobalInit::Known(pieces) => {
                    let mut store = Store::zero(global.size);
                    for piece in pieces {
                        if super::within(piece.bit_offset, u64::from(piece.bits), global.size) {
                            store.write(piece.bit_offset, piece.bits, piece.value);
                        }
                    }
                    store
                }
            };
            self.memory.create(global.size, Kind::Global, store);
            if global.initialised {
                self.event(BlockId(0), id.index(), Part::Initialiser, global.span);
                self.born(Space::Object(number), global.size * 8);
            }
            if let Some(object) = self.memory.objects.last_mut() {
                object.read_only = global.read_only;
            }
        }
        Ok(())
    }

    /// Executes until something ends the run.
    pub(super) fn go(&mut self) -> Step<()> {
        let program = self.program;
        while let Some(frame) = self.frames.last() {
            let (function, mut block, mut index) = (frame.function, frame.block, frame.index);
            let blocks = &program.function(function).blocks;
            'blocks: loop {
                let code = &blocks[block.index()];
                while let Some(statement) = code.statements.get(index) {
                    self.count()?;
                    self.observe();
                    index += 1;
                    if let StatementKind::Call { target, function: callee, arguments } = &statement.kind {
                        if let Some(frame) = self.frames.last_mut() {
                            (frame.block, frame.index) = (block, index);
                        }
                        self.call(statement, *target, *callee, arguments)?;
                        break 'blocks;
                    }
                    self.event(block, index - 1, Part::Whole, statement.span);
                    self.statement(statement)?;
                    self.passes(block, index - 1);
                    if self.word.is_some()
                        && temporal::is_position(program, program.function(function), &statement.kind)
                    {
                        self.position(Happens::Step, statement.span);
                    }
                }
                self.count()?;
                self.observe();
                self.passes(block, code.statements.len());
                index = 0;
                let from = block;
                match &code.end {
                    Terminator::Goto(to) => block = *to,
                    Terminator::Branch { condition, then, otherwise, span, role } => {
                        self.event(block, code.statements.len(), Part::Whole, *span);
                        let taken = self.eval(*condition) & 1 == 1;
                        let atoms = self.atoms(*condition);
                        if let Some(trace) = &mut self.uses.trace {
                            trace.is_event(TraceKind::Branch(taken, atoms));
                            trace.decides(program, block);
                        }
                        block = if taken { *then } else { *otherwise };
                        if *role != BranchRole::Internal && program.function(function).author == Author::User {
                            self.position(Happens::Step, *span);
                        }
                        if *role != BranchRole::Internal && self.shows() {
                            self.record(RunStepKind::Branch { taken }, *span);
                        }
                    }
                    Terminator::Return { value, span } => {
                        self.event(block, code.statements.len(), Part::Whole, *span);
                        self.uses.trace.iter_mut().for_each(|trace| trace.is_event(TraceKind::Return));
                        self.leave(*value, *span);
                        break;
                    }
                    Terminator::Stop => {
                        self.position(Happens::Step, program.function(program.entry).span);
                        return Ok(());
                    }
                }
                if self.word.is_some() {
                    self.arrive(Some(from), block)?;
                }
            }
        }
        Ok(())
    }

    /// Takes a step, if that is still allowed.
    #[inline]
    fn count(&mut self) -> Step<()> {
        self.steps += 1;
        if self.steps >= self.next_check { self.check() } else { Ok(()) }
    }

    #[cold]
    fn check(&mut self) -> Step<()> {
        let stopped = self.limits.stop.requested();
        let recorded = (self.recorded.len() * size_of::<RunStep>()) as u64;
        let word = self.word.as_ref().map_or(0, Recorder::size);
        let used = self.memory.used.saturating_add(self.private.used).saturating_add(recorded + word);
        if stopped || used > self.limits.memory || self.out_of_numbers || self.steps > self.limits.steps {
            return Err(Outcome::Exhausted);
        }
        self.next_check = (self.steps + CHECK_EVERY).min(self.limits.steps.saturating_add(1));
        Ok(())
    }

    /// Makes the next step look at the limits: something large happened.
    fn check_soon(&mut self) {
        self.next_check = 0;
    }

    fn statement(&mut self, statement: &Statement) -> Step<()> {
        match &statement.kind {
            StatementKind::Assign { target, value, origin } => {
                let value = self.eval(*value);
                if *origin == Origin::Written && self.shows() {
                    self.assign_written(*target, value, statement.span);
                } else {
                    self.store(*target, value);
                }
            }
            StatementKind::Copy { target, source, origin } => {
                let copied = self.read_object(*source);
                self.write_object(*target, &copied);
                if *origin == Origin::Written && self.shows() {
                    self.record_copy(*target, statement.span);
                }
                self.check_soon();
            }
            StatementKind::Clear { target } => {
                let size = self.code.places[target.index()].bits / 8;
                let zero = Store::zero(size);
                self.write_object(*target, &Passed::Object(zero, size));
                self.check_soon();
            }
            StatementKind::Declare { local } => {
                self.kill_local(*local);
                self.create_local(*local);
                self.check_soon();
            }
            StatementKind::Kill { local } => self.kill_local(*local),
            StatementKind::Input { target, site } => self.input(*target, *site, statement),
            StatementKind::Call { .. } => {}
            StatementKind::Assume { condition } => {
                if self.eval(*condition) & 1 == 0 {
                    return Err(Outcome::Excluded);
                }
            }
            StatementKind::Claim { claim, condition } => {
                let held = self.eval(*condition) & 1 == 1;
                let atoms = self.atoms(*condition);
                if let Some(trace) = &mut self.uses.trace {
                    trace.is_event(TraceKind::Claim(*claim, atoms));
                }
                self.record(RunStepKind::Claim { claim: *claim, held }, statement.span);
                if !held {
                    return Err(Outcome::Violated(*claim));
                }
            }
            StatementKind::Allocate { target, size, zeroed, storage, site } => {
                let size = self.eval(*size);
                let pointer = self.allocate(size, *zeroed, *storage, *site);
                self.store(*target, pointer);
                self.check_soon();
            }
            StatementKind::Free { pointer } => {
                let (object, _) = self.program.pointer.decode(self.eval(*pointer));
                if matches!(self.memory.live(object).map(|object| object.kind), Some(Kind::Heap(..))) {
                    self.kill_object(object);
                }
            }
            StatementKind::CopyBytes { target, source, size } => {
                let (target, source, size) = (self.eval(*target), self.eval(*source), self.eval(*size));
                self.copy_bytes(target, source, size as u64)?;
            }
            StatementKind::SetBytes { target, value, size } => {
                let (target, value, size) = (self.eval(*target), self.eval(*value), self.eval(*size));
                self.set_bytes(target, value as u8, size as u64)?;
            }
            StatementKind::Unsupported { what } => return Err(Outcome::Unsupported(what.clone())),
        }
        Ok(())
    }

    fn call(
        &mut self,
        statement: &Statement,
        target: Option<PlaceId>,
        callee: FunctionId,
        arguments: &[Operand],
    ) -> Step<()> {
        let parameters = self.program.function(callee).parameters as usize;
        let (block, index) = self.frames.last().map_or((BlockId(0), 0), |frame| (frame.block, frame.index - 1));
        let mut passed = Vec::with_capacity(parameters);
        for (number, argument) in arguments.iter().enumerate() {
            self.event(block, index, Part::Argument(number as u32), statement.span);
            if number < parameters {
                passed.push(self.pass(*argument));
            }
        }
        if self.program.temporal.as_ref().is_some_and(|temporal| temporal.is_called(callee)) {
            self.position(Happens::Call(callee), statement.span);
        }
        self.event(block, index, Part::Whole, statement.span);
        self.uses.trace.iter_mut().for_each(|trace| trace.is_event(TraceKind::Call));
        if self.program.function(callee).author == Author::User {
            self.record(RunStepKind::Call { callee }, statement.span);
        }
        self.enter(callee, target, passed)
    }

    fn pass(&mut self, operand: Operand) -> Passed {
        match operand {
            Operand::Value(value) => Passed::Scalar(self.eval(value)),
            Operand::Object(place) => self.read_object(place),
        }
    }

    fn enter(&mut self, id: FunctionId, target: Option<PlaceId>, passed: Vec<Passed>) -> Step<()> {
        let function = self.program.function(id);
        if self.frames.len() as u64 > u64::from(self.limits.depth) {
            return Err(Outcome::Exhausted);
        }
        if function.blocks.is_empty() {
            return Err(Outcome::Unsupported(format!("call of `{}`, which has no body", function.name)));
        }
        self.base = self.slots.len();
        self.slots.resize(self.base + function.locals.len(), Slot::Empty);
        self.frames.push(Frame {
            function: id,
            base: self.base,
            block: BlockId(0),
            index: 0,
            target,
            stack: Vec::new(),
        });
        self.uses.trace.iter_mut().for_each(|trace| trace.enter(id));
        for (number, passed) in (0..).zip(passed) {
            self.uses.trace.iter_mut().for_each(|trace| trace.binds(number as usize));
            self.bind(LocalId(number), passed);
        }
        self.uses.trace.iter_mut().for_each(|trace| trace.bound());
        if self.word.is_some() { self.arrive(None, BlockId(0)) } else { Ok(()) }
    }

    /// A parameter comes to life with its argument.
    fn bind(&mut self, local: LocalId, passed: Passed) {
        let Some(frame) = self.frames.last() else { return };
        let layout = &self.code.layouts[frame.function.index()];
        let (size, numbered) = (layout.sizes[local.index()], layout.numbered[local.index()]);
        match passed {
            Passed::Scalar(value) => {
                if numbered || size > 16 {
                    let mut store = Store::zero(size);
                    store.write(0, (size * 8).min(128) as u32, value);
                    self.place_local(local, store);
                } else {
                    let slot = self.base + local.index();
                    self.uses.forget(Space::Slot(slot, size));
                    self.born(Space::Slot(slot, size), size * 8);
                    self.slots[slot] = Slot::Value(value);
                }
                if self.shows() {
                    self.record_parameter(local, value);
                }
            }
            Passed::Object(store, length) => {
                // The widths agree but in programs written by hand.
                let mut own = Store::zero(size);
                if length == size {
                    own = store;
                } else {
                    copy_store(&store, &mut own, length.min(size));
                }
                self.place_local(local, own);
            }
        }
    }

    fn leave(&mut self, value: Option<Operand>, span: Span) {
        let passed = value.map(|value| self.pass(value));
        let Some(frame) = self.frames.last() else { return };
        let (id, base) = (frame.function, frame.base);
        let function = self.program.function(id);
        let scalar = match passed {
            Some(Passed::Scalar(value)) => Some(value),
            _ => None,
        };
        if self.program.temporal.as_ref().is_some_and(|temporal| temporal.is_returned(self.program, id)) {
            self.position(Happens::Return(id, scalar), span);
        }
        if function.author == Author::User {
            let value = scalar.map(|value| (function.returns, value));
            self.record(RunStepKind::Return { value }, span);
        }
        self.uses.trace.iter_mut().for_each(|trace| trace.ends(value.is_some()));
        for number in 0..function.locals.len() as u32 {
            self.kill_local(LocalId(number));
        }
        let Some(frame) = self.frames.pop() else { return };
        for object in &frame.stack {
            self.kill_object(*object);
        }
        self.slots.truncate(base);
        let Some(caller) = self.frames.last() else { return };
        self.base = caller.base;
        self.observe();
        let Some(caller) = self.frames.last() else { return };
        if id == self.program.entry && caller.function == self.program.start {
            self.returned = scalar;
        }
        let caller_code = &self.program.function(caller.function).blocks[caller.block.index()];
        let (block, index, caller_function) = (caller.block, caller.index - 1, caller.function);
        let span = caller_code.statements[index].span;
        self.uses.trace.iter_mut().for_each(|trace| trace.leave(block, index, span));
        let (Some(target), Some(passed)) = (frame.target, passed) else { return self.passes(block, index) };
        match passed {
            Passed::Scalar(value) if self.shows() => self.assign_written(target, value, span),
            Passed::Scalar(value) => self.store(target, value),
            object => {
                self.write_object(target, &object);
                if self.shows() {
                    self.record_copy(target, span);
                }
            }
        }
        self.takes(target);
        if temporal::takes_result(self.program, self.program.function(caller_function), target) {
            self.position(Happens::Step, span);
        }
        self.passes(block, index);
    }

    /// A new object that pointers can reach.
    pub(super) fn new_object(&mut self, size: u64, kind: Kind, store: Store) -> u64 {
        if self.memory.objects.len() as u64 >= self.program.pointer.max_objects() {
            self.out_of_numbers = true;
            self.check_soon();
            return crate::program::INVALID_OBJECT;
        }
        self.memory.create(size, kind, store)
    }

    /// Puts a local's bits where its layout wants them.
    fn place_local(&mut self, local: LocalId, store: Store) {
        let Some(frame) = self.frames.last() else { return };
        let id = frame.function;
        let layout = &self.code.layouts[id.index()];
        let size = layout.sizes[local.index()];
        self.uses.forget(Space::Slot(self.base + local.index(), size));
        let slot = match store {
            store if layout.numbered[local.index()] => {
                Slot::Object(self.new_object(size, Kind::Local(id, local), store))
            }
            Store::Small(value) => Slot::Value(value),
            store => Slot::Private(self.new_private(size, store)),
        };
        self.slots[self.base + local.index()] = slot;
        let space = match slot {
            Slot::Object(number) => Space::Object(number),
            Slot::Private(number) => Space::Private(number),
            Slot::Value(_) | Slot::Empty => Space::Slot(self.base + local.index(), size),
        };
        self.born(space, size * 8);
    }

    /// Takes down an event, where that is asked for.
    fn event(&mut self, block: BlockId, index: usize, part: Part, span: Span) {
        if let Some(trace) = &mut self.uses.trace {
            trace.event(block, index, part, span, TraceKind::Effect);
        }
    }

    /// The atoms of a condition that C looks at, where that is asked for.
    fn atoms(&mut self, condition: ExprId) -> Vec<(u32, bool)> {
        if self.uses.trace.is_none() {
            return Vec::new();
        }
        let (_, atoms) = Test::of(self.program, condition).evaluate(&mut |atom| self.eval(atom) & 1 == 1);
        atoms.into_iter().map(|(place, _, truth)| (place, truth)).collect()
    }

    fn born(&mut self, space: Space, bits: u64) {
        self.uses.trace.iter_mut().for_each(|trace| trace.born(space, bits));
    }

    fn kill_object(&mut self, object: u64) {
        self.memory.kill(object);
        self.uses.trace.iter_mut().for_each(|trace| trace.dies(object));
    }

    fn new_private(&mut self, size: u64, store: Store) -> u64 {
        match self.unused.pop() {
            Some(number) => {
                self.uses.forget(Space::Private(number));
                self.private.revive(number, size, store);
                number
            }
            None => self.private.create(size, Kind::Global, store),
        }
    }

    pub(super) fn forget_private(&mut self, number: u64) {
        self.private.kill(number);
        self.unused.push(number);
    }

    /// A local comes to life with undefined contents, a temporary with zeros.
    pub(super) fn create_local(&mut self, local: LocalId) {
        let Some(frame) = self.frames.last() else { return };
        let size = self.code.layouts[frame.function.index()].sizes[local.index()];
        let declared = &self.program.function(frame.function).locals[local.index()];
        let store = if declared.temporary { Store::zero(size) } else { self.undefined(declared.site, size) };
        self.place_local(local, store);
    }

    fn kill_local(&mut self, local: LocalId) {
        match std::mem::replace(&mut self.slots[self.base + local.index()], Slot::Empty) {
            Slot::Empty | Slot::Value(_) => {}
            Slot::Private(number) => self.forget_private(number),
            Slot::Object(number) => self.kill_object(number),
        }
    }

    /// Contents for the next object of a site.
    fn undefined(&mut self, site: SiteId, size: u64) -> Store {
        let occurrence = self.created[site.index()];
        self.created[site.index()] = occurrence.saturating_add(1);
        let mut store = Store::zero(size);
        let contents = match &mut self.feed {
            Feed::Inputs(inputs) if inputs.contents.is_empty() => return store,
            Feed::Inputs(inputs) => inputs.contents.get(&(site, occurrence)).cloned().unwrap_or_default(),
            Feed::Oracle(oracle) => oracle.contents(site, occurrence),
        };
        for content in &contents {
            let bits = content.bits.min(128);
            if bits > 0 && super::within(content.bit_offset, u64::from(bits), size) {
                store.write(content.bit_offset, bits, content.value);
                self.record_content(site, content);
            }
        }
        store
    }

    fn input(&mut self, target: PlaceId, site: SiteId, statement: &Statement) {
        let place = self.program.place(target);
        if !self.program.is_scalar(place.ty) {
            let size = place.bits / 8;
            let store = self.undefined(site, size);
            self.write_object(target, &Passed::Object(store, size));
            return;
        }
        let given = match &mut self.feed {
            Feed::Inputs(inputs) => inputs.calls.get(self.next_call).copied().unwrap_or(0),
            Feed::Oracle(oracle) => oracle.value(site, place.ty),
        };
        self.next_call += 1;
        let value = match self.program.ty(place.ty) {
            Type::Pointer { .. } if given == 0 => 0,
            Type::Pointer { .. } => self.program.pointer.encode(crate::program::INVALID_OBJECT, 0),
            Type::Bool => given & 1,
            _ => given & low_bits(place.bits.min(128) as u32),
        };
        self.store(target, value);
        self.record_input(target, site, value, statement.span);
    }

    fn allocate(&mut self, size: u128, zeroed: bool, storage: Storage, site: SiteId) -> u128 {
        if size > u128::from(self.program.pointer.max_object_size()) {
            return 0;
        }
        let size = size as u64;
        let earlier = self.created[site.index()];
        let store = if zeroed {
            self.created[site.index()] = earlier.saturating_add(1);
            Store::zero(size)
        } else {
            self.undefined(site, size)
        };
        let number = match storage {
            Storage::Heap => self.new_object(size, Kind::Heap(site, earlier), store),
            Storage::Stack => {
                let number = self.new_object(size, Kind::Stack(site, earlier), store);
                if let Some(frame) = self.frames.last_mut() {
                    frame.stack.push(number);
                }
                number
            }
        };
        self.born(Space::Object(number), size.saturating_mul(8));
        self.program.pointer.encode(number, 0)
    }

    fn copy_bytes(&mut self, target: u128, source: u128, size: u64) -> Step<()> {
        let (to, to_offset) = self.program.pointer.decode(target);
        let (from, from_offset) = self.program.pointer.decode(source);
        let size = size.min(self.memory.left(to, to_offset));
        let mut buffer = [0; CHUNK];
        let mut done = 0;
        while done < size {
            let length = (size - done).min(CHUNK as u64);
            // From the back where the target lies behind the source, so that nothing is overwritten unread.
            let at = if to_offset > from_offset { size - done - length } else { done };
            let part = &mut buffer[..length as usize];
            self.memory.read_bytes(from, from_offset + at, part);
            self.memory.write_bytes(to, to_offset + at, part);
            self.uses.read(Space::Object(from), 8 * (from_offset + at), 8 * length);
            self.uses.overwrite(Space::Object(to), 8 * (to_offset + at), 8 * length);
            done += length;
            self.check_soon();
            self.count()?;
        }
        Ok(())
    }

    fn set_bytes(&mut self, target: u128, value: u8, size: u64) -> Step<()> {
        let (to, offset) = self.program.pointer.decode(target);
        let size = size.min(self.memory.left(to, offset));
        let buffer = [value; CHUNK];
        let mut done = 0;
        while done < size {
            let length = (size - done).min(CHUNK as u64);
            self.memory.write_bytes(to, offset + done, &buffer[..length as usize]);
            self.uses.overwrite(Space::Object(to), 8 * (offset + done), 8 * length);
            done += length;
            self.check_soon();
            self.count()?;
        }
        Ok(())
    }
}

/// Copies the first bytes of a store.
pub(super) fn copy_store(from: &Store, to: &mut Store, size: u64) {
    let mut buffer = [0; CHUNK];
    let mut done = 0;
    while done < size {
        let length = (size - done).min(CHUNK as u64);
        let part = &mut buffer[..length as usize];
        from.read_bytes(done, part);
        to.write_bytes(done, part);
        done += length;
    }
}
