//! Executes statements: frames and calls.
//!
//! Calls of the program are frames in a vector, never calls of ours, so that no recursion of the program's reaches our
//! own stack. Start reading at `Machine::go`.
//!
//! The files below this one are parts of the machine: `evaluate` computes expressions and finds places, `objects` makes
//! and ends what lives in memory, `record` decides which steps a run shows and `uses` which of them matter, `observe`
//! looks at watched conditions, `reached` counts how often blocks are entered, and `formula` takes down the word that a temporal formula is judged on.

mod evaluate;
mod formula;
mod objects;
mod observe;
mod reached;
mod record;
mod uses;

use formula::Recorder;
use observe::Observer;
use reached::Reached;
use uses::Uses;

use super::memory::{Kind, Memory, Space, Store, in_row, within};
use super::trace::TraceKind;
use super::{Deed, InputSource, Interpreter, Limits, Recording};
use crate::location::{Part, Test};
use crate::program::temporal::{self, Happens};
use crate::program::{
    Author, BlockId, BranchRole, ExprId, FunctionId, GlobalInit, LocalId, Operand, Origin, PlaceId, Program, SiteId,
    SiteKind, Statement, StatementKind, StaticObject, Terminator, Type,
};
use crate::run::{Condition, Outcome, RunStep, RunStepKind};
use crate::source::Span;
use nearmiss_logic::width::low_bits;

/// How many steps pass between two looks at memory and the stop flag.
const CHECK_EVERY: u64 = 1024;
/// Bytes that one step of `CopyBytes` moves.
const CHUNK: usize = 4096;

/// What a part of the run gives, or how the run ends there.
type Step<T> = Result<T, Outcome>;

/// Where a local lives.
#[derive(Clone, Copy)]
enum Slot {
    /// Not at all yet.
    Empty,
    /// Up to 16 bytes that no pointer can reach.
    Value(u128),
    /// More bytes that no pointer can reach: a number in [`Machine::private`].
    Private(u64),
    /// The number of an object.
    Object(u64),
}

/// A value on its way in or out of a function.
enum Passed {
    Scalar(u128),
    /// Contents and size in bytes.
    Object(Store, u64),
}

/// An activation of a function.
struct Frame {
    function: FunctionId,
    /// First slot.
    base: usize,
    block: BlockId,
    /// Next statement of the block.
    index: usize,
    /// Where the caller wants the result.
    target: Option<PlaceId>,
    /// What dies when the function returns, besides its locals.
    stack: Vec<u64>,
}

pub(super) struct Machine<'a, 'f> {
    program: &'a Program,
    code: &'a Interpreter<'a>,
    inputs: InputSource<'f>,
    limits: &'a Limits,
    recording: Recording,
    pub(super) recorded: Vec<RunStep>,
    /// Which of them matter; kept only where steps are recorded.
    pub(super) uses: Uses,
    pub(super) memory: Memory,
    /// Was a `_Bool` read that is neither 0 nor 1?
    pub(super) odd_truth: bool,
    /// Was something done that C says nothing of?
    pub(super) strayed: bool,
    /// Per claim, whether the run came to it.
    pub(super) come: Vec<bool>,
    /// What was set and returned, where only that is wanted.
    pub(super) deeds: Vec<Deed>,
    /// How often blocks were entered, where that is wanted.
    pub(super) reached: Reached,
    private: Memory,
    /// Numbers in `private` that can be used again.
    unused: Vec<u64>,
    slots: Vec<Slot>,
    /// First slot of the running activation.
    base: usize,
    frames: Vec<Frame>,
    /// How many objects each site has made.
    created: Vec<u32>,
    /// The steps that gave the last undefined object its contents: step, place in bits, number of bits.
    fresh: Vec<(usize, u64, u64)>,
    pub(super) next_call: usize,
    pub(super) steps: u64,
    /// The step at which to look at the limits again.
    next_check: u64,
    /// No number is left for another object.
    out_of_numbers: bool,
    pub(super) returned: Option<u128>,
    /// What a formula will be judged on, if there is one.
    word: Option<Recorder>,
    /// Conditions to look at, if asked for.
    observer: Option<Box<Observer<'a>>>,
}

impl<'a, 'f> Machine<'a, 'f> {
    /// Where the run is in the user's text: the statement under work in the innermost of the user's functions.
    pub(super) fn place(&self) -> Option<(Span, FunctionId)> {
        let of_user = |frame: &&Frame| self.program.function(frame.function).author == Author::User;
        let frame = self.frames.iter().rev().find(of_user)?;
        let block = &self.program.function(frame.function).blocks[frame.block.index()];
        let at = frame.index.saturating_sub(1);
        block.statements.get(at).map(|statement| (statement.span, frame.function))
    }

    /// Where the activations stand: the next statement of each.
    pub(super) fn standing(&self) -> Vec<(FunctionId, BlockId, usize)> {
        self.frames.iter().map(|frame| (frame.function, frame.block, frame.index)).collect()
    }

    /// The running activation is ended by the statement before this one.
    #[cold]
    fn stands_at(&mut self, block: BlockId, index: usize) {
        if let Some(frame) = self.frames.last_mut() {
            (frame.block, frame.index) = (block, index);
        }
    }

    pub(super) fn new(
        code: &'a Interpreter<'a>,
        inputs: InputSource<'f>,
        limits: &'a Limits,
        recording: Recording,
    ) -> Machine<'a, 'f> {
        Machine {
            program: code.program,
            code,
            inputs,
            limits,
            recording,
            recorded: Vec::new(),
            uses: Uses::default(),
            memory: Memory::default(),
            odd_truth: false,
            strayed: false,
            come: vec![false; code.program.claims.len()],
            deeds: Vec::new(),
            reached: Reached::of(code.program, recording),
            private: Memory::default(),
            unused: Vec::new(),
            slots: Vec::new(),
            base: 0,
            frames: Vec::new(),
            created: vec![0; code.program.sites.len()],
            fresh: Vec::new(),
            next_call: 0,
            steps: 0,
            next_check: 0,
            out_of_numbers: false,
            returned: None,
            word: code.program.temporal.is_some().then(|| Recorder::new(&code.given)),
            observer: None,
        }
    }

    /// Runs the program to its end, or to whatever ends it.
    pub(super) fn run(&mut self) -> Outcome {
        match self.start().and_then(|()| self.go()) {
            Ok(()) => Outcome::Finished,
            Err(outcome) => outcome,
        }
    }

    /// Makes what exists before the run and enters the start function.
    fn start(&mut self) -> Step<()> {
        let program = self.program;
        self.event(BlockId(0), 0, Part::Whole, program.function(program.start).span);
        self.enter(program.start, None, Vec::new())?;
        self.memory.expect(program.first_dynamic_object());
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
            let mut store = match &global.init {
                GlobalInit::Unknown(site) => self.undefined(*site, global.size),
                GlobalInit::Known(pieces) => {
                    let mut store = Store::zero(global.size);
                    for piece in pieces {
                        if within(piece.bit_offset, u64::from(piece.bits), global.size) {
                            let row = in_row(program.order, piece.value, piece.bits);
                            store.write(piece.bit_offset, piece.bits, row);
                        }
                    }
                    store
                }
            };
            if let Some((_, value)) = self.code.starts.filter(|(other, _)| *other == id) {
                let bits = (global.size * 8).min(128) as u32;
                store.write(0, bits, in_row(program.order, value & low_bits(bits), bits));
            }
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
    fn go(&mut self) -> Step<()> {
        let program = self.program;
        while let Some(frame) = self.frames.last() {
            let (function, mut block, mut index) = (frame.function, frame.block, frame.index);
            let blocks = &program.function(function).blocks;
            'blocks: loop {
                let code = &blocks[block.index()];
                if index == 0 {
                    self.reached.enters(program, function, block);
                }
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
                    if let Err(outcome) = self.statement(statement) {
                        self.stands_at(block, index);
                        return Err(outcome);
                    }
                    self.passes(block, index - 1);
                    if self.word.is_some()
                        && let Some(happens) =
                            temporal::position_of(program, program.function(function), &statement.kind)
                    {
                        self.position(happens, statement.span);
                    }
                }
                self.count()?;
                self.observe();
                self.passes(block, code.statements.len());
                index = 0;
                let from = block;
                match &code.end {
                    Terminator::Goto(to) => block = *to,
                    Terminator::Branch { condition, then, otherwise, span, role, decision } => {
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
                            let truth = if taken { decision.then } else { decision.otherwise };
                            let of = Condition { span: decision.span, asker: decision.asker, truth };
                            self.record(RunStepKind::Branch { taken, of }, *span);
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
                        self.stands_at(from, code.statements.len() + 1);
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
                if *origin == Origin::Written {
                    self.did((self.program.place(*target).ty, value), Some(*target), statement.span);
                }
                if *origin == Origin::Written && self.shows() {
                    self.assign_written(*target, value, statement.span);
                } else {
                    self.store(*target, value);
                }
            }
            StatementKind::Copy { target, source, origin } => {
                let copied = self.read_object(*source);
                self.write_object(*target, &copied);
                self.copied(*target, &copied, *origin, statement.span);
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
            StatementKind::Input { target, site, object } => self.input(*target, *site, *object, statement),
            StatementKind::Call { .. } => {}
            StatementKind::Assume { condition } => {
                if self.eval(*condition) & 1 == 0 {
                    return Err(Outcome::Excluded);
                }
            }
            StatementKind::Claim { claim, condition, part } => {
                let held = self.eval(*condition) & 1 == 1;
                self.come[claim.index()] = true;
                let atoms = self.atoms(*condition);
                if let Some(trace) = &mut self.uses.trace {
                    trace.is_event(TraceKind::Claim(*claim, atoms));
                }
                let seen = self.seen(*claim);
                if !held || !part {
                    self.record(RunStepKind::Claim { claim: *claim, held, seen }, statement.span);
                }
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
                if matches!(self.memory.live(object).map(|object| object.kind), Some(Kind::Heap(..) | Kind::Stack(..)))
                {
                    self.kill_object(object);
                }
            }
            StatementKind::CopyBytes { target, source, size } => {
                let (target, source, size) = (self.eval(*target), self.eval(*source), self.eval(*size));
                self.copy_bytes(target, source, size as u64)?;
                self.copied_bytes(target, size as u64, statement.span);
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
        let instead = self.code.instead.iter().find(|(called, _)| *called == callee);
        let entered = instead.map_or(callee, |(_, entered)| *entered);
        self.enter(entered, target, passed)
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
                let bits = (size * 8).min(128) as u32;
                let row = in_row(self.program.order, value, bits);
                if numbered || size > 16 {
                    let mut store = Store::zero(size);
                    store.write(0, bits, row);
                    self.place_local(local, store);
                } else {
                    let slot = self.base + local.index();
                    self.uses.forget(Space::Slot(slot, size));
                    self.born(Space::Slot(slot, size), size * 8);
                    self.slots[slot] = Slot::Value(row);
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
            scalar.iter().for_each(|value| self.did((function.returns, *value), None, span));
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

    fn input(&mut self, target: PlaceId, site: SiteId, object: Option<ExprId>, statement: &Statement) {
        let place = self.program.place(target);
        if !self.program.is_scalar(place.ty) {
            let size = place.bits / 8;
            let store = self.undefined(site, size);
            self.write_object(target, &Passed::Object(store, size));
            return;
        }
        let given = match &mut self.inputs {
            InputSource::Inputs(inputs) => inputs.calls.get(self.next_call).copied().unwrap_or(0),
            InputSource::Oracle(oracle) => oracle.value(site, place.ty),
        };
        self.next_call += 1;
        self.strayed |= self.program.sites[site.index()].kind == SiteKind::Unsaid;
        let value = match self.program.ty(place.ty) {
            Type::Pointer { .. } if given == 0 => 0,
            Type::Pointer { .. } => match object {
                Some(object) => self.eval(object),
                None => given & low_bits(self.program.pointer.bits),
            },
            Type::Bool => given & 1,
            _ => given & low_bits(place.bits.min(128) as u32),
        };
        self.store(target, value);
        self.record_input(target, site, value, statement.span);
    }
}

/// Copies the first bytes of a store.
fn copy_store(from: &Store, to: &mut Store, size: u64) {
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
