//! Bounded symbolic execution: a program and bounds become an equation.
//!
//! All paths are executed together. At a branch whose condition is not constant the path forks; where paths meet again
//! they are joined, and what differs becomes a phi. Blocks run in a weak topological order ([`nearmiss_program::loops`]): a loop's next
//! iteration starts when nothing of this one is left, and what it exits to runs when the loop is done, so every join
//! happens once. Calls are inlined. Constants are propagated, so that loops with constant bounds cost no branches.
//!
//! The cost is linear in the number of statements executed times the logarithm of the memory touched, symbolic indices
//! and pointers with many targets aside. Start reading at [`unwind`], then [`Symex::function`].

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use nearmiss_logic::stop::{Interrupted, Stop};
use nearmiss_logic::term::{Term, Terms};

use crate::bounds::Bounds;
use crate::equation::{
    Birth, Bound, ClaimRef, Creation, CreationId, Equation, Step, StepKind, Storage, Target, Variable, VariableId,
};
use crate::flow::{EventKind, Flow};
use nearmiss_program::location::Part;
use nearmiss_program::loops::{self, LoopInfo};
use nearmiss_program::program::temporal::{self, Happens};
use nearmiss_program::program::watched::Watched;
use nearmiss_program::program::{
    Author, BlockId, BranchRole, FunctionId, GlobalId, GlobalInit, LocalId, Operand, Origin, PlaceId, Program, SiteId,
    Terminator, Type, TypeId,
};
use nearmiss_program::source::Span;

mod expr;
mod follow;
mod formula;
mod guard;
mod memory;
mod observe;
mod place;
mod pointer;
mod statement;

use follow::{Follow, SHADOW};
use formula::{Visit, Word};
use guard::{Guard, Guards};
use memory::{Cell, Cells, Choice, Content, INSTANCE, Lifetime, Object, ObjectNumber, Undefined};
use observe::Observer;
pub use observe::{Moment, Seen};
use place::Aggregate;
use pointer::ValueSet;

/// The most calls that may be under way: executing them takes our own stack.
pub const MOST_CALLS: u32 = 50_000;

/// Unwinds a program.
pub fn unwind(program: &Program, bounds: &Bounds, stop: &Stop) -> Result<Equation, Interrupted> {
    let mut symex = Symex::new(program, bounds, stop);
    symex.word = program.temporal.is_some().then(Word::default);
    let guard = symex.guards.root();
    let state = State { guard, cells: Cells::new(), behind: Vec::new() };
    let start = program.start;
    symex.function(state, start, Vec::new(), program.function(start).span, 0)?;
    symex.claim_formula();
    Ok(symex.eq)
}

/// Unwinds a program and follows who sets what whom reads.
pub fn unwind_with_flow(program: &Program, bounds: &Bounds, stop: &Stop) -> Result<(Equation, Flow), Interrupted> {
    let mut symex = Symex::new(program, bounds, stop);
    symex.follow = Some(Follow::new());
    let mut state = State { guard: symex.guards.root(), cells: Cells::new(), behind: Vec::new() };
    let start = program.start;
    let span = program.function(start).span;
    let frame = Frame { function: start, base: u32::MAX / 4, depth: 0, author: Author::Harness };
    // Number 0: what was there before the run.
    symex.event(&state, &frame, Part::Whole, span, EventKind::Effect);
    for (index, global) in program.globals.iter().enumerate().filter(|(_, global)| global.initialised) {
        symex.next_event(BlockId(0), index);
        symex.event(&state, &frame, Part::Initialiser, global.span, EventKind::Effect);
        let object = symex.global_object(GlobalId(index as u32));
        symex.follow_write(&mut state.cells, object, 0, global.size * 8);
    }
    symex.resume_event(0);
    symex.function(state, start, Vec::new(), span, 0)?;
    let flow = symex.follow.take().map(|follow| follow.flow).unwrap_or_default();
    Ok((symex.eq, flow))
}

/// Unwinds one function on its own, whatever is passed to it and left in globals. Calls of the opaque functions, itself
/// perhaps, may leave anything and return anything. It must not use pointers.
pub fn unwind_alone(
    program: &Program,
    function: FunctionId,
    opaque: &HashSet<FunctionId>,
    bounds: &Bounds,
    stop: &Stop,
) -> Result<Equation, Interrupted> {
    let mut symex = Symex::new(program, bounds, stop);
    symex.opaque = opaque.clone();
    let mut state = State { guard: symex.guards.root(), cells: Cells::new(), behind: Vec::new() };
    symex.leave_anything(&mut state);
    let parameters = &program.function(function).locals[..program.function(function).parameters as usize];
    let arguments = parameters.iter().map(|parameter| Passed::Scalar(symex.anything(program.size_bits(parameter.ty))));
    let arguments = arguments.collect();
    symex.function(state, function, arguments, program.function(function).span, 1)?;
    Ok(symex.eq)
}

/// Unwinds a program and looks at conditions before every step of the user's. The equation is the same as without.
pub fn unwind_watching(
    program: &Program,
    bounds: &Bounds,
    stop: &Stop,
    watched: &[Watched],
) -> Result<(Equation, Vec<Moment>), Interrupted> {
    let mut symex = Symex::new(program, bounds, stop);
    symex.observer = Some(Observer::new(watched));
    symex.word = program.temporal.is_some().then(Word::default);
    let state = State { guard: symex.guards.root(), cells: Cells::new(), behind: Vec::new() };
    symex.function(state, program.start, Vec::new(), program.function(program.start).span, 0)?;
    symex.claim_formula();
    let moments = symex.observer.take().map(|observer| observer.moments(&symex.eq.steps)).unwrap_or_default();
    Ok((symex.eq, moments))
}

/// Unwinds a program and reads what the first bits of a global are when it has come to its end, if that is constant and
/// nothing is violated, assumed or unsupported on the way: how a program without inputs is compared with its native run.
pub fn final_value(
    program: &Program,
    bounds: &Bounds,
    stop: &Stop,
    global: GlobalId,
    bits: u32,
) -> Result<Option<u128>, Interrupted> {
    let mut symex = Symex::new(program, bounds, stop);
    let state = State { guard: symex.guards.root(), cells: Cells::new(), behind: Vec::new() };
    symex.keep_end = true;
    symex.function(state, program.start, Vec::new(), program.function(program.start).span, 0)?;
    let demands = symex.eq.steps.iter().any(|s| matches!(s.kind, StepKind::Claim { .. } | StepKind::Assume { .. }));
    let (Some(end), false) = (symex.end.take(), demands) else { return Ok(None) };
    let object = symex.global_object(global);
    let value = symex.read_bits(&end.cells, object, 0, bits);
    Ok(symex.eq.terms.as_const(value))
}

/// One path, or several that have met.
#[derive(Clone)]
pub struct State {
    guard: Guard,
    cells: Cells,
    /// The looks that were last on it, if somebody looks.
    behind: Vec<u32>,
}

/// An activation of a function.
#[derive(Clone, Copy)]
pub struct Frame {
    function: FunctionId,
    /// The slot of its first local; slots of one activation are consecutive, the last is the returned value's.
    base: ObjectNumber,
    depth: u32,
    author: Author,
}

/// A value handed to or from a function.
enum Passed {
    Scalar(Term),
    Aggregate(Aggregate),
}

/// The state of one unwinding.
pub struct Symex<'p> {
    program: &'p Program,
    bounds: &'p Bounds,
    stop: &'p Stop,
    eq: Equation,
    guards: Guards,
    objects: Vec<Object>,
    globals: Vec<ObjectNumber>,
    by_address: HashMap<u64, ObjectNumber>,
    next_address: u64,
    undefined: Vec<Undefined>,
    choices: Vec<Choice>,
    definitions: HashMap<Term, Term>,
    value_sets: HashMap<Term, ValueSet>,
    alignments: HashMap<Term, u32>,
    versions: HashMap<Rc<str>, u32>,
    local_names: HashMap<(FunctionId, LocalId), Rc<str>>,
    place_names: HashMap<(FunctionId, PlaceId), Rc<str>>,
    loops: Vec<Option<Rc<LoopInfo>>>,
    /// For each function under way: how often, and the guard at its outermost call.
    active: HashMap<FunctionId, Vec<Guard>>,
    /// Where we are, for steps that arise while evaluating.
    here: (Term, Span, FunctionId, u32),
    ticks: u32,
    /// Where all paths stand that came to the end of the program, if asked for.
    end: Option<State>,
    keep_end: bool,
    /// Who sets what whom reads, if asked for.
    follow: Option<Follow>,
    /// What a formula speaks about, if there is one.
    word: Option<Word>,
    /// Functions of which nothing is known when they are called.
    opaque: HashSet<FunctionId>,
    /// Conditions to look at, if asked for.
    observer: Option<Observer<'p>>,
}

impl<'p> Symex<'p> {
    fn new(program: &'p Program, bounds: &'p Bounds, stop: &'p Stop) -> Symex<'p> {
        let terms = Terms::new();
        let guards = Guards::new(&terms);
        let here = (terms.tru(), program.function(program.start).span, program.start, 0);
        let eq = Equation {
            terms,
            variables: Vec::new(),
            steps: Vec::new(),
            creations: Vec::new(),
            births: Vec::new(),
            arrivals: Vec::new(),
            renewed: Vec::new(),
            trigger: None,
            bounds_hit: Vec::new(),
            unsupported: Vec::new(),
            unwind: 1,
        };
        let mut symex = Symex {
            program,
            bounds,
            stop,
            eq,
            guards,
            objects: Vec::new(),
            globals: Vec::new(),
            by_address: HashMap::new(),
            next_address: program.first_dynamic_object(),
            undefined: Vec::new(),
            choices: Vec::new(),
            definitions: HashMap::new(),
            value_sets: HashMap::new(),
            alignments: HashMap::new(),
            versions: HashMap::new(),
            local_names: HashMap::new(),
            place_names: HashMap::new(),
            loops: vec![None; program.functions.len()],
            active: HashMap::new(),
            here,
            ticks: 0,
            end: None,
            keep_end: false,
            follow: None,
            word: None,
            opaque: HashSet::new(),
            observer: None,
        };
        for (index, global) in program.globals.iter().enumerate() {
            let id = GlobalId(index as u32);
            let initial = match global.init {
                GlobalInit::Known(_) => Content::Initial(id, 0),
                GlobalInit::Unknown(site) => symex.new_undefined(site, &global.name, Some(global.ty), global.span),
            };
            let size = symex.eq.terms.constant(program.pointer.bits, u128::from(global.size));
            let object = symex.new_object(Object {
                name: global.name.as_str().into(),
                ty: Some(global.ty),
                bits: global.size * 8,
                size,
                initial,
                lifetime: Lifetime::Static,
                read_only: global.read_only,
                visible: true,
                address: Some(program.global_object(id)),
                birth: None,
            });
            symex.globals.push(object);
        }
        symex
    }

    // Objects and variables.

    fn new_object(&mut self, object: Object) -> ObjectNumber {
        self.objects.push(object);
        self.objects.len() as u32 - 1
    }

    /// An object that pointers may reach comes to life.
    fn new_birth(&mut self) -> u32 {
        self.eq.births.push(Birth { guard: self.here.0, number: None });
        self.eq.births.len() as u32 - 1
    }

    /// The object of a global.
    pub fn global_object(&self, global: GlobalId) -> ObjectNumber {
        self.globals[global.index()]
    }

    /// A pointer to the first byte of an object.
    pub fn object_address(&mut self, object: ObjectNumber) -> Term {
        let number = match self.objects[object as usize].address {
            Some(number) => number,
            None => {
                let number = self.next_address;
                self.next_address += 1;
                if number >= self.program.pointer.max_objects() {
                    self.reach_unsupported("more objects than pointers can tell apart".to_owned());
                }
                self.by_address.insert(number, object);
                self.objects[object as usize].address = Some(number);
                if let Some(birth) = self.objects[object as usize].birth {
                    self.eq.births[birth as usize].number = Some(number);
                }
                number
            }
        };
        let value = self.program.pointer.encode(number, 0);
        self.eq.terms.constant(self.program.pointer.bits, value)
    }

    fn new_undefined(&mut self, site: SiteId, name: &str, ty: Option<TypeId>, span: Span) -> Content {
        let (guard, _, function, depth) = self.here;
        self.eq.creations.push(Creation { site, guard });
        let creation = CreationId(self.eq.creations.len() as u32 - 1);
        self.undefined.push(Undefined::new(creation, name.into(), ty, span, function, depth));
        Content::Undefined(self.undefined.len() as u32 - 1, 0)
    }

    /// A local comes to life (again).
    fn declare(&mut self, state: &mut State, frame: &Frame, local: LocalId) {
        let declared = &self.program.function(frame.function).locals[local.index()];
        if declared.address_taken {
            self.instantiate(state, frame, local);
            return;
        }
        let slot = frame.base + local.0;
        let bits = self.program.size_bits(declared.ty);
        let content = self.new_undefined(declared.site, &declared.name, Some(declared.ty), declared.span);
        self.forget(&mut state.cells, slot);
        if bits > 0 {
            self.write_bits(&mut state.cells, slot, 0, bits, content);
        }
    }

    /// A new object for a local whose address is taken.
    fn instantiate(&mut self, state: &mut State, frame: &Frame, local: LocalId) -> ObjectNumber {
        let declared = &self.program.function(frame.function).locals[local.index()];
        self.end_instance(state, frame, local);
        let initial = self.new_undefined(declared.site, &declared.name, Some(declared.ty), declared.span);
        let bits = self.program.size_bits(declared.ty);
        let birth = self.new_birth();
        let size = self.eq.terms.constant(self.program.pointer.bits, u128::from(bits / 8));
        let object = self.new_object(Object {
            name: declared.name.as_str().into(),
            ty: Some(declared.ty),
            bits,
            size,
            initial,
            lifetime: Lifetime::Activation,
            read_only: false,
            visible: !declared.temporary && frame.author == Author::User,
            address: None,
            birth: Some(birth),
        });
        if bits > 0 {
            self.write_bits(&mut state.cells, object, 0, bits, initial);
        }
        let slot = frame.base + local.0;
        state.cells.insert((slot, INSTANCE), Cell { bits: 1, content: Content::Instance(object) });
        object
    }

    /// The life of a local's object ends, if it has one.
    fn end_instance(&mut self, state: &mut State, frame: &Frame, local: LocalId) {
        let slot = frame.base + local.0;
        if let Some(Cell { content: Content::Instance(old), .. }) = state.cells.remove(&(slot, INSTANCE)) {
            self.bury(state, old);
        }
    }

    fn bury(&mut self, state: &mut State, object: ObjectNumber) {
        self.forget(&mut state.cells, object);
        let always = self.eq.terms.tru();
        self.kill(&mut state.cells, object, always);
    }

    fn local_name(&mut self, function: FunctionId, local: LocalId) -> Rc<str> {
        let program = self.program;
        let name = || program.function(function).locals[local.index()].name.as_str().into();
        self.local_names.entry((function, local)).or_insert_with(name).clone()
    }

    fn new_variable(&mut self, name: Rc<str>, ty: TypeId, bits: u32, definition: Option<Term>) -> VariableId {
        let version = self.versions.entry(name.clone()).or_insert(0);
        let symbol = self.eq.terms.fresh(&format!("{name}#{version}"), bits);
        let variable = Variable { name, version: *version, ty, symbol, definition };
        *version += 1;
        self.eq.variables.push(variable);
        if let Some(definition) = definition {
            self.definitions.insert(symbol, definition);
        }
        VariableId(self.eq.variables.len() as u32 - 1)
    }

    /// What a variable is defined as.
    fn definition(&self, symbol: Term) -> Option<Term> {
        self.definitions.get(&symbol).copied()
    }

    /// An input: its variable, and the bits that the program gets.
    fn free_variable(&mut self, name: Rc<str>, ty: TypeId, bits: u32) -> (VariableId, Term) {
        match self.program.ty(ty) {
            Type::Bool if bits > 1 => {
                let variable = self.new_variable(name, ty, 1, None);
                (variable, self.eq.terms.zext(self.eq.symbol(variable), bits))
            }
            Type::Pointer { .. } => {
                let variable = self.new_variable(name, ty, 1, None);
                let null = self.eq.terms.constant(bits, 0);
                let invalid = self.program.pointer.encode(nearmiss_program::program::INVALID_OBJECT, 0);
                let invalid = self.eq.terms.constant(bits, invalid);
                (variable, self.eq.terms.ite(self.eq.symbol(variable), invalid, null))
            }
            _ => {
                let variable = self.new_variable(name, ty, bits, None);
                (variable, self.eq.symbol(variable))
            }
        }
    }

    /// An unsigned type of this width, for showing bytes that have no type.
    fn bytes_type(&self, bits: u32) -> TypeId {
        let of_width = |ty: &Type| matches!(ty, Type::Integer { bits: b, signed: false, .. } if *b == bits);
        let any = |ty: &Type| matches!(ty, Type::Integer { .. });
        let found = self.program.types.iter().position(of_width).or_else(|| self.program.types.iter().position(any));
        TypeId(found.unwrap_or(0) as u32)
    }

    /// Some bits of a cell as a term.
    fn part_of_cell(&mut self, cell: Cell, skip: u64, bits: u32) -> Term {
        let mut cells = Cells::new();
        let scratch = self.globals.len() as u32;
        cells.insert((scratch, 0), cell);
        self.read_bits(&cells, scratch, skip, bits)
    }

    // Steps.

    fn step(&mut self, kind: StepKind) {
        let (guard, span, function, depth) = self.here;
        self.eq.steps.push(Step { guard, span, function, depth, kind });
    }

    /// The value after a join: `chooser ? yes : no`, a variable if the object is one of the user's.
    fn phi(&mut self, chooser: Term, yes: Term, no: Term, object: ObjectNumber, at: u64) -> Term {
        let value = self.eq.terms.ite(chooser, yes, no);
        let named = &self.objects[object as usize];
        if !named.visible || self.eq.terms.as_const(value).is_some() || value == yes || value == no {
            return value;
        }
        let storage = if named.ty.is_some() { Storage::Variable } else { Storage::Memory };
        let leaf = named.ty.and_then(|ty| memory::leaf_at(self.program, ty, at));
        let (name, ty) = match leaf {
            Some(leaf) if leaf.path.is_empty() => (named.name.clone(), leaf.ty),
            Some(leaf) => (format!("{}{}", named.name, leaf.path).into(), leaf.ty),
            None => (named.name.clone(), self.bytes_type(self.eq.terms.width(value))),
        };
        let variable = self.new_variable(name, ty, self.eq.terms.width(value), Some(value));
        self.step(StepKind::Phi { variable, object, at, storage });
        self.eq.symbol(variable)
    }

    fn reach_unsupported(&mut self, what: String) {
        let entry = (what, self.here.1);
        let known = self.eq.unsupported.iter().position(|u| *u == entry);
        let index = known.unwrap_or_else(|| {
            self.eq.unsupported.push(entry);
            self.eq.unsupported.len() - 1
        });
        let condition = self.eq.terms.fals();
        self.step(StepKind::Claim { claim: ClaimRef::Unsupported(index as u32), condition });
    }

    fn hit(&mut self, bound: Bound, condition: Term) {
        let known = self.eq.bounds_hit.iter().position(|(b, ..)| *b == bound);
        let index = known.unwrap_or_else(|| {
            self.eq.bounds_hit.push((bound, self.here.1, self.here.2));
            self.eq.bounds_hit.len() - 1
        });
        self.step(StepKind::Claim { claim: ClaimRef::Unwinding(index as u32), condition });
    }

    fn tick(&mut self) -> Result<(), Interrupted> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(256) && self.stop.requested() { Err(Interrupted) } else { Ok(()) }
    }

    // Control.

    fn join(&mut self, a: State, b: State) -> State {
        let behind = observe::either(a.behind, &b.behind);
        let chooser = self.guards.chooser(&mut self.eq.terms, a.guard, b.guard);
        let guard = self.guards.join(&mut self.eq.terms, a.guard, b.guard);
        self.here.0 = self.guards.term(guard);
        State { guard, cells: self.join_cells(chooser, &a.cells, &b.cells), behind }
    }

    /// Runs a function to its return. None: no path returns.
    fn function(
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
        if times > 1 && !self.bounds.allow(name, times, if constant { 0 } else { times }) {
            self.here = (self.guards.term(state.guard), call, id, depth);
            let condition = self.eq.terms.fals();
            self.hit(Bound::Recursion(name.clone()), condition);
            return Ok(None);
        }
        if depth > MOST_CALLS {
            self.here = (self.guards.term(state.guard), call, id, depth);
            let condition = self.eq.terms.fals();
            self.hit(Bound::Depth, condition);
            return Ok(None);
        }
        self.eq.unwind = self.eq.unwind.max(times);
        self.active.get_mut(&id).expect("entered above").push(state.guard);
        let base = self.objects.len() as u32;
        let frame = Frame { function: id, base, depth, author: function.author };
        self.make_slots(&frame);
        self.follow_call(&frame);
        let passed_by = self.follow.as_mut().map(|follow| std::mem::take(&mut follow.arguments)).unwrap_or_default();
        for (index, argument) in arguments.into_iter().enumerate().take(function.parameters as usize) {
            self.here = (self.guards.term(state.guard), call, id, depth);
            self.resume_event(passed_by.get(index).copied().unwrap_or(0));
            self.bind_parameter(&mut state, &frame, LocalId(index as u32), argument);
        }
        self.observe_call(&frame);
        self.word_of(&mut state, &frame);
        let returned = self.blocks(state, &frame)?;
        self.observe_return();
        self.active.get_mut(&id).expect("entered above").pop();
        Ok(returned.map(|mut state| {
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
                // The entry function's parameters are inputs already: the start function calls it at depth 1.
                let value = match frame.author {
                    Author::User if frame.depth > 1 => {
                        let condition = self.eq.terms.tru();
                        let target = Target { condition, object, constant: 0, parts: Vec::new() };
                        self.written(name, declared.ty, value, [target].into())
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

    /// An assignment that a person wrote: a step, and a variable unless the value is constant.
    fn written(&mut self, name: Rc<str>, ty: TypeId, value: Term, targets: Rc<[Target]>) -> Term {
        let constant = self.eq.terms.as_const(value).is_some();
        let variable =
            (!constant).then(|| self.new_variable(name.clone(), ty, self.eq.terms.width(value), Some(value)));
        self.step(StepKind::Assign { variable, name, ty, value, origin: Origin::Written, targets });
        variable.map_or(value, |variable| self.eq.symbol(variable))
    }

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

    /// Runs the blocks of a function; the joined state of all returns.
    fn blocks(&mut self, state: State, frame: &Frame) -> Result<Option<State>, Interrupted> {
        let function = self.program.function(frame.function);
        let info = match &self.loops[frame.function.index()] {
            Some(info) => info.clone(),
            None => {
                let info = Rc::new(loops::analyse(self.program, frame.function));
                self.loops[frame.function.index()] = Some(info.clone());
                info
            }
        };
        let mut run =
            Schedule { info: &info, pending: BTreeMap::new(), again: BTreeMap::new(), rounds: HashMap::new() };
        let mut returned: Option<State> = None;
        run.pending.insert(info.position[0], state);
        while let Some((position, mut state)) = self.next_block(&mut run, frame) {
            self.tick()?;
            let id = info.order[position as usize];
            if self.word.is_some() && info.head(id).is_some() {
                self.enter_loop(&mut run, position, frame, &state);
            }
            let block = &function.blocks[id.index()];
            let mut alive = true;
            for (index, statement) in block.statements.iter().enumerate() {
                self.tick()?;
                self.next_event(id, index);
                self.here = (self.guards.term(state.guard), statement.span, frame.function, frame.depth);
                self.observe(&mut state);
                match self.statement(state, frame, statement)? {
                    Some(next) => {
                        state = next;
                        self.passes(&mut state, frame, id, index);
                        if self.word.is_some() && temporal::is_position(self.program, function, &statement.kind) {
                            self.position(&mut state, Happens::Step);
                        }
                    }
                    None => {
                        alive = false;
                        // The rest is not reached; the state is gone.
                        state = State { guard: self.guards.root(), cells: Cells::new(), behind: Vec::new() };
                        break;
                    }
                }
            }
            if !alive {
                continue;
            }
            self.next_event(id, block.statements.len());
            self.observe(&mut state);
            self.passes(&mut state, frame, id, block.statements.len());
            match &block.end {
                Terminator::Goto(to) => self.go(&mut run, position, *to, state),
                Terminator::Branch { condition, then, otherwise, span, role } => {
                    self.here = (self.guards.term(state.guard), *span, frame.function, frame.depth);
                    self.event(&state, frame, Part::Whole, *span, EventKind::Effect);
                    let test = self.follow.is_some().then(|| self.test_of(&mut state, frame, *condition));
                    let condition = self.eval(&mut state, frame, *condition);
                    if let Some(test) = test {
                        self.is_event(EventKind::Branch(condition, test));
                    }
                    self.follow_branch(&mut state, frame, id);
                    let constant = self.eq.terms.as_const(condition);
                    if is_shown(frame, *role) {
                        self.position(&mut state, Happens::Step);
                        if let Some(constant) = constant {
                            self.step(StepKind::Branch { taken: constant != 0 });
                        }
                    }
                    match constant {
                        Some(0) => self.go(&mut run, position, *otherwise, state),
                        Some(_) => self.go(&mut run, position, *then, state),
                        None => {
                            let (yes, no) = self.branch(state, frame, condition, *role);
                            self.go(&mut run, position, *then, yes);
                            self.go(&mut run, position, *otherwise, no);
                        }
                    }
                }
                Terminator::Return { value, span } => {
                    self.here = (self.guards.term(state.guard), *span, frame.function, frame.depth);
                    self.event(&state, frame, Part::Whole, *span, EventKind::Return);
                    self.put_result(&mut state, frame, *value);
                    returned = Some(match returned.take() {
                        None => state,
                        Some(other) => self.join(other, state),
                    });
                }
                Terminator::Stop if self.keep_end => {
                    self.end = Some(match self.end.take() {
                        None => state,
                        Some(other) => self.join(other, state),
                    });
                }
                Terminator::Stop => {
                    self.here.0 = self.guards.term(state.guard);
                    self.position(&mut state, Happens::Step);
                }
            }
        }
        Ok(returned)
    }

    fn put_result(&mut self, state: &mut State, frame: &Frame, value: Option<Operand>) {
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
                    let constant = self.eq.terms.as_const(term).is_some();
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

    fn branch(&mut self, state: State, frame: &Frame, condition: Term, role: BranchRole) -> (State, State) {
        let path = self.guards.term(state.guard);
        let taken = self.eq.terms.and(path, condition);
        let counts = is_shown(frame, role);
        let constant = self.eq.terms.as_const(taken);
        let taken = if let (Some(constant), true) = (constant, counts) {
            // Whenever it is reached, the path itself decides it.
            self.step(StepKind::Branch { taken: constant != 0 });
            taken
        } else if counts {
            let ty = self.program.types.iter().position(|ty| *ty == Type::Bool).unwrap_or(0);
            let variable = self.new_variable("\\guard".into(), TypeId(ty as u32), 1, Some(taken));
            self.step(StepKind::Guard { variable, condition, role });
            self.eq.symbol(variable)
        } else {
            taken
        };
        let (yes, no) = self.guards.branch(&mut self.eq.terms, state.guard, taken);
        (State { guard: yes, ..state.clone() }, State { guard: no, ..state })
    }

    /// The next block to run, with everything that arrived there. A loop goes around when nothing in it is left.
    fn next_block(&mut self, run: &mut Schedule<'_>, frame: &Frame) -> Option<(u32, State)> {
        loop {
            let first = run.pending.keys().next().copied().unwrap_or(u32::MAX);
            // Innermost first: the largest head whose loop has nothing pending.
            let ready = run.again.iter().rev().find(|(_, (end, _))| *end <= first).map(|(head, _)| *head);
            let Some(head) = ready else { break };
            let (_, mut state) = run.again.remove(&head).expect("found above");
            if self.word.is_some() {
                state = self.go_round(run, head, frame, state);
            }
            let round = run.rounds.entry(head).or_insert_with(|| Round::new(state.guard));
            round.total += 1;
            let block = run.info.order[head as usize];
            let info = run.info.head(block).expect("back edges go to heads");
            // An endless loop has no condition that could tell how often it goes around.
            if round.guard != state.guard || info.endless {
                round.symbolic += 1;
                round.guard = state.guard;
            }
            self.here = (self.guards.term(state.guard), info.span, self.here.2, self.here.3);
            if !self.bounds.allow(&info.id, round.total, round.symbolic) {
                let condition = self.eq.terms.fals();
                self.hit(Bound::Loop(info.id.clone()), condition);
                continue;
            }
            self.eq.unwind = self.eq.unwind.max(round.total);
            run.pending.insert(head, state);
        }
        run.pending.pop_first()
    }

    /// Sends a path to a block.
    fn go(&mut self, run: &mut Schedule<'_>, from: u32, to: BlockId, state: State) {
        let position = run.info.position[to.index()];
        if position <= from {
            let end = run.info.head(to).map_or(position + 1, |head| head.end);
            let state = match run.again.remove(&position) {
                None => state,
                Some((_, other)) => self.join(other, state),
            };
            run.again.insert(position, (end, state));
            return;
        }
        if run.info.head(to).is_some() && !run.pending.contains_key(&position) {
            run.rounds.insert(position, Round::new(state.guard));
        }
        let state = match run.pending.remove(&position) {
            None => state,
            Some(other) => self.join(other, state),
        };
        if let Some(round) = run.rounds.get_mut(&position) {
            round.guard = state.guard;
        }
        run.pending.insert(position, state);
    }
}

/// Is a branch one that a person sees?
fn is_shown(frame: &Frame, role: BranchRole) -> bool {
    frame.author == Author::User && role != BranchRole::Internal
}

/// What is to run next in one activation.
struct Schedule<'a> {
    info: &'a LoopInfo,
    /// By position in the order.
    pending: BTreeMap<u32, State>,
    /// By position of the head: the end of the loop, and what goes around.
    again: BTreeMap<u32, (u32, State)>,
    rounds: HashMap<u32, Round>,
}

/// How often a loop has gone around.
struct Round {
    total: u32,
    symbolic: u32,
    guard: Guard,
    /// Where it came by, if runs may close there.
    visits: Vec<Visit>,
}

impl Round {
    fn new(guard: Guard) -> Round {
        Round { total: 1, symbolic: 0, guard, visits: Vec::new() }
    }
}
