//! Bounded symbolic execution: a program and bounds become an equation.
//!
//! All paths are executed together. At a branch whose condition is not constant the path forks; where paths meet again
//! they are joined, and what differs becomes a phi (`symex/control.rs`). Calls are inlined (`symex/activation.rs`).
//! Constants are propagated, so that loops with constant bounds cost no branches.
//!
//! The cost is linear in the number of statements executed times the logarithm of the memory touched, symbolic indices
//! and pointers with many targets aside. Start reading at [`unwind`], then `Symex::function`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use nearmiss_logic::hash::FxBuild;
use nearmiss_logic::stop::{Interrupted, Stop};
use nearmiss_logic::term::{Term, Terms};

use crate::bounds::Bounds;
use crate::equation::{Bound, ClaimRef, Equation, Share, Step, StepKind, Storage, Target, Variable, VariableId};
use crate::flow::{EventKind, Flow};
use nearmiss_program::location::Part;
use nearmiss_program::loops::LoopInfo;
use nearmiss_program::program::watched::Watched;
use nearmiss_program::program::{
    Author, BlockId, FunctionId, GlobalId, GlobalInit, LocalId, Origin, PlaceId, Program, SiteId, Type, TypeId,
};
use nearmiss_program::run::Inputs;
use nearmiss_program::show;
use nearmiss_program::source::Span;

mod activation;
mod address;
mod aim;
mod alike;
mod control;
mod expr;
mod fed;
mod follow;
mod formula;
mod guard;
mod layer;
mod memory;
mod object;
mod observe;
mod pieces;
mod place;
mod pointer;
mod statement;
mod taken;
mod turn;
mod within;

use follow::Follow;
use formula::Word;
pub(crate) use formula::compares;
use guard::{Guard, Guards};
use layer::Layer;
use memory::{Cell, Cells, Choice, Content, Lifetime, Object, ObjectNumber, Undefined};
use observe::Observer;
pub use observe::{Moment, Seen};
use pieces::Pieces;
use place::Aggregate;
use pointer::ValueSet;

/// The most calls that may be under way: executing them takes our own stack.
pub const MOST_CALLS: u32 = 50_000;

/// Unwinds a program.
pub fn unwind(program: &Program, bounds: &Bounds, stop: &Stop) -> Result<Equation, Interrupted> {
    let begin = || {
        let mut symex = Symex::new(program, bounds, stop);
        symex.word = program.temporal.is_some().then(Word::default);
        symex
    };
    let ((), symex) = aim::settled(begin, |symex| symex.whole())?;
    Ok(symex.eq)
}

/// Unwinds a program for a verdict: claims that are settled by the numbers between which values lie hold there. Whoever takes a value for another
/// than the one that is computed must not rely on that.
pub fn unwind_settled(program: &Program, bounds: &Bounds, stop: &Stop) -> Result<Equation, Interrupted> {
    let begin = || {
        let mut symex = Symex::new(program, bounds, stop);
        symex.word = program.temporal.is_some().then(Word::default);
        symex.ranges = Some(within::Ranges::default());
        symex
    };
    let ((), symex) = aim::settled(begin, |symex| symex.whole())?;
    Ok(symex.eq)
}

/// Unwinds a program and follows who sets what whom reads.
pub fn unwind_with_flow(program: &Program, bounds: &Bounds, stop: &Stop) -> Result<(Equation, Flow), Interrupted> {
    let begin = || {
        let mut symex = Symex::new(program, bounds, stop);
        symex.follow = Some(Follow::new());
        symex
    };
    let ((), mut symex) = aim::settled(begin, Symex::followed)?;
    let flow = symex.follow.take().map(|follow| follow.flow).unwrap_or_default();
    Ok((symex.eq, flow))
}

/// Unwinds a program in which what is computed at some places is not known, even where it is constant: every value, decision
/// and `free` there is a variable. Inputs are those of a run, as far as it comes to them, if one is given.
pub fn unwind_open(
    program: &Program,
    bounds: &Bounds,
    stop: &Stop,
    inputs: Option<&Inputs>,
    open: &dyn Fn(Span) -> bool,
) -> Option<Equation> {
    let begin = || {
        let mut symex = Symex::new(program, bounds, stop);
        symex.open = Some(open);
        symex.word = program.temporal.is_some().then(Word::default);
        symex.fed = inputs.filter(|_| program.temporal.is_none()).map(fed::Fed::new);
        symex
    };
    let ((), symex) = aim::settled(begin, |symex| symex.whole()).ok()?;
    Some(symex.eq)
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
    let mut state = State::at(symex.guards.root());
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
    let begin = || {
        let mut symex = Symex::new(program, bounds, stop);
        symex.observer = Some(Observer::new(watched));
        symex.word = program.temporal.is_some().then(Word::default);
        symex
    };
    let ((), mut symex) = aim::settled(begin, |symex| symex.whole())?;
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
    let state = State::at(symex.guards.root());
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
struct State {
    guard: Guard,
    cells: Cells,
    /// The looks that were last on it, if somebody looks.
    behind: Vec<u32>,
    /// The turn that it is in.
    turn: Option<u32>,
    /// The turn in which it arrived where it waits: the first, if several paths have met.
    came: Option<u32>,
    /// Which place it waits at, if paths of other turns have met there.
    chain: Option<u32>,
}

impl State {
    /// Where an unwinding begins.
    fn at(guard: Guard) -> State {
        State { guard, cells: Cells::new(), behind: Vec::new(), turn: None, came: None, chain: None }
    }
}

/// An activation of a function.
#[derive(Clone, Copy)]
struct Frame {
    function: FunctionId,
    /// The slot of its first local; slots of one activation are consecutive, the last is the returned value's.
    base: ObjectNumber,
    depth: u32,
    author: Author,
}

/// Where the unwinding is.
#[derive(Clone, Copy)]
struct Here {
    /// When it comes here.
    guard: Term,
    span: Span,
    function: FunctionId,
    /// So many calls are under way.
    depth: u32,
    turn: Option<u32>,
}

/// Of two paths that meet, the one that took fewer turns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    First,
    Second,
}

/// A join that turns make.
#[derive(Clone, Copy)]
struct Join {
    base: Base,
    /// Joins at the same place, one after another, have the same number.
    chain: u32,
}

/// A value handed to or from a function.
enum Passed {
    Scalar(Term),
    Aggregate(Aggregate),
}

/// The state of one unwinding.
struct Symex<'p> {
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
    layers: Vec<Arc<Layer>>,
    /// What was read through layers at which address.
    seen: HashMap<layer::Seen, Term>,
    definitions: HashMap<Term, Term>,
    value_sets: HashMap<Term, ValueSet, FxBuild>,
    pieces: Pieces,
    alignments: HashMap<Term, u32>,
    versions: HashMap<Arc<str>, u32>,
    local_names: HashMap<(FunctionId, LocalId), Arc<str>>,
    place_names: HashMap<(FunctionId, PlaceId), Arc<str>>,
    loops: Vec<Option<Arc<LoopInfo>>>,
    /// For each function under way: how often, and the guard at its outermost call.
    active: HashMap<FunctionId, Vec<Guard>>,
    /// Where we are, for steps that arise while evaluating.
    here: Here,
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
    /// Where constants are not taken for known, if asked for.
    open: Option<&'p dyn Fn(Span) -> bool>,
    /// For each turn: where the blocks of its loop are, if it is one of a loop.
    extents: Vec<Option<turn::Extent>>,
    /// What values are without the turns that they met values of, each with the term that they are that; the nearest first.
    without: HashMap<Term, Arc<[(Term, Term)]>>,
    /// Values of joins that turns make: the variable, and the number of the place.
    met: HashMap<Term, (VariableId, u32)>,
    /// The join under way, if turns make it.
    meeting: Option<Join>,
    chains: u32,
    /// What is known of inputs that are pointers, or read as such.
    unknown: aim::Unknown,
    /// Between which numbers values lie, if that is looked at.
    ranges: Option<within::Ranges>,
    /// What the last path condition says.
    taken: taken::Taken,
    /// Terms without variables that are defined.
    alike: HashMap<Term, Term, FxBuild>,
    /// The run whose inputs are fed, if it is followed.
    fed: Option<fed::Fed<'p>>,
}

impl<'p> Symex<'p> {
    fn new(program: &'p Program, bounds: &'p Bounds, stop: &'p Stop) -> Symex<'p> {
        let terms = Terms::new();
        let guards = Guards::new(&terms);
        let (guard, span) = (terms.tru(), program.function(program.start).span);
        let here = Here { guard, span, function: program.start, depth: 0, turn: None };
        let eq = Equation { order: program.order, ..Equation::of(terms) };
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
            layers: Vec::new(),
            seen: HashMap::new(),
            definitions: HashMap::new(),
            value_sets: HashMap::default(),
            pieces: Pieces::default(),
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
            open: None,
            extents: Vec::new(),
            without: HashMap::new(),
            met: HashMap::new(),
            meeting: None,
            chains: 0,
            unknown: aim::Unknown::default(),
            ranges: None,
            taken: taken::Taken::default(),
            alike: HashMap::default(),
            fed: None,
        };
        for (index, global) in program.globals.iter().enumerate() {
            let id = GlobalId(index as u32);
            let initial = match global.init {
                GlobalInit::Known(_) => Content::Initial(id, 0),
                GlobalInit::Unknown(site) => {
                    symex.new_undefined(site, &global.name, Some(global.ty), global.size * 8, global.span)
                }
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

    /// The whole program, and what its formula claims.
    fn whole(&mut self) -> Result<(), Interrupted> {
        let state = State::at(self.guards.root());
        let start = self.program.start;
        self.function(state, start, Vec::new(), self.program.function(start).span, 0)?;
        self.claim_formula();
        Ok(())
    }

    /// The whole program, followed from its initialisers on.
    fn followed(&mut self) -> Result<(), Interrupted> {
        let program = self.program;
        let mut state = State::at(self.guards.root());
        let start = program.start;
        let span = program.function(start).span;
        let frame = Frame { function: start, base: u32::MAX / 4, depth: 0, author: Author::Harness };
        // Number 0: what was there before the run.
        self.event(&state, &frame, Part::Whole, span, EventKind::Effect);
        for (index, global) in program.globals.iter().enumerate().filter(|(_, global)| global.initialised) {
            self.next_event(BlockId(0), index);
            self.event(&state, &frame, Part::Initialiser, global.span, EventKind::Effect);
            let object = self.global_object(GlobalId(index as u32));
            self.follow_write(&mut state.cells, object, 0, global.size * 8);
        }
        self.resume_event(0);
        self.function(state, start, Vec::new(), span, 0)?;
        Ok(())
    }

    fn local_name(&mut self, function: FunctionId, local: LocalId) -> Arc<str> {
        let program = self.program;
        let name = || program.function(function).locals[local.index()].name.as_str().into();
        self.local_names.entry((function, local)).or_insert_with(name).clone()
    }

    fn new_variable(&mut self, name: Arc<str>, ty: TypeId, bits: u32, definition: Option<Term>) -> VariableId {
        let version = self.versions.entry(name.clone()).or_insert(0);
        let symbol = self.eq.terms.fresh(&format!("{name}#{version}"), bits);
        let variable = Variable { name, version: *version, ty, symbol, definition };
        *version += 1;
        self.eq.variables.push(variable);
        if let Some(definition) = definition {
            self.definitions.insert(symbol, definition);
            self.fed_definition(symbol, definition);
        }
        VariableId(self.eq.variables.len() as u32 - 1)
    }

    /// What a variable is defined as.
    fn definition(&self, symbol: Term) -> Option<Term> {
        self.definitions.get(&symbol).copied()
    }

    /// An input: its variable, and the bits that the program gets.
    fn free_variable(&mut self, name: Arc<str>, ty: TypeId, bits: u32, site: SiteId) -> (VariableId, Term) {
        match self.program.ty(ty) {
            Type::Bool if bits > 1 => {
                let variable = self.new_variable(name, ty, 1, None);
                (variable, self.eq.terms.zext(self.eq.symbol(variable), bits))
            }
            Type::Pointer { .. } => {
                if let Some(aimed) = self.aimed_pointer(&name, ty, site) {
                    return aimed;
                }
                let invalid = self.program.pointer.encode(nearmiss_program::program::INVALID_OBJECT, 0);
                let invalid = self.eq.terms.constant(bits, invalid);
                let (variable, value) = self.free_pointer(name, ty, invalid);
                self.note_pointer(value, site);
                (variable, value)
            }
            _ => {
                let variable = self.new_variable(name, ty, bits, None);
                let symbol = self.eq.symbol(variable);
                if bits >= 8 {
                    self.note_number(symbol, site);
                }
                (variable, symbol)
            }
        }
    }

    /// An input that is NULL or this pointer.
    fn free_pointer(&mut self, name: Arc<str>, ty: TypeId, other: Term) -> (VariableId, Term) {
        let variable = self.new_variable(name, ty, 1, None);
        let null = self.eq.terms.constant(self.eq.terms.width(other), 0);
        (variable, self.eq.terms.ite(self.eq.symbol(variable), other, null))
    }

    /// Some bits of a cell as a term.
    fn part_of_cell(&mut self, cell: Cell, skip: u64, bits: u32) -> Term {
        let mut cells = Cells::new();
        let scratch = self.globals.len() as u32;
        cells.insert((scratch, 0), cell);
        self.read_bits(&cells, scratch, skip, bits)
    }

    /// A path is at this text of an activation.
    fn stand_at(&mut self, state: &State, frame: &Frame, span: Span) {
        let guard = self.guards.term(state.guard);
        self.here = Here { guard, span, function: frame.function, depth: frame.depth, turn: state.turn };
    }

    /// Writes down a step, here.
    fn step(&mut self, kind: StepKind) {
        let Here { guard, span, function, depth, turn } = self.here;
        let tally = self.tally(turn, guard, &kind);
        self.fed_step(&kind);
        self.eq.steps.push(Step { guard, span, function, depth, turn, tally, kind });
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
            Some(leaf) => (show::path_name(&named.name, &leaf.path).into(), leaf.ty),
            None => (named.name.clone(), self.program.bytes_type(u64::from(self.eq.terms.width(value)))),
        };
        let variable = self.new_variable(name, ty, self.eq.terms.width(value), Some(value));
        let symbol = self.eq.symbol(variable);
        self.note_meeting(variable, [chooser, yes, no]);
        self.step(StepKind::Phi { variable, object, at, storage });
        symbol
    }

    fn reach_unsupported(&mut self, what: String) {
        let entry = (what, self.here.span);
        let known = self.eq.unsupported.iter().position(|u| *u == entry);
        let index = known.unwrap_or_else(|| {
            self.eq.unsupported.push(entry);
            self.eq.unsupported.len() - 1
        });
        let condition = self.eq.terms.fals();
        self.step(StepKind::Claim { claim: ClaimRef::Unsupported(index as u32), condition, part: false });
    }

    fn hit(&mut self, bound: Bound, condition: Term) {
        let known = self.eq.bounds_hit.iter().position(|(b, ..)| *b == bound);
        let index = known.unwrap_or_else(|| {
            self.eq.bounds_hit.push((bound, self.here.span, self.here.function));
            self.eq.bounds_hit.len() - 1
        });
        self.step(StepKind::Claim { claim: ClaimRef::Unwinding(index as u32), condition, part: false });
    }

    fn tick(&mut self) -> Result<(), Interrupted> {
        self.ticks = self.ticks.wrapping_add(1);
        let is_large = self.eq.steps.len() > self.bounds.most_steps || self.eq.terms.len() > self.bounds.most_terms;
        let is_over = is_large || (self.ticks.is_multiple_of(256) && self.stop.requested());
        if is_over { Err(Interrupted) } else { Ok(()) }
    }

    /// An assignment that a person wrote: a step, and a variable unless the value is constant.
    fn written(&mut self, (name, share): (Arc<str>, Share), ty: TypeId, value: Term, targets: Arc<[Target]>) -> Term {
        let constant = self.eq.terms.as_const(value).is_some() && !self.is_open();
        let variable =
            (!constant).then(|| self.new_variable(name.clone(), ty, self.eq.terms.width(value), Some(value)));
        self.step(StepKind::Assign { variable, name, ty, value, origin: Origin::Written, targets, share });
        variable.map_or(value, |variable| self.eq.symbol(variable))
    }

    /// Are constants not taken for known here?
    fn is_open(&self) -> bool {
        self.open.is_some_and(|open| open(self.here.span))
    }

    /// A truth that is not taken for known here.
    fn opened(&mut self, name: &str, truth: Term) -> (VariableId, TypeId) {
        let ty = self.program.types.iter().position(|ty| *ty == Type::Bool).unwrap_or(0);
        let ty = TypeId(ty as u32);
        (self.new_variable(name.into(), ty, 1, Some(truth)), ty)
    }

    fn join(&mut self, a: State, b: State) -> State {
        let base = turn::base(&a, &b);
        let behind = observe::either(a.behind, &b.behind);
        let chooser = match base {
            None => self.guards.chooser(&mut self.eq.terms, a.guard, b.guard),
            // On paths of neither, the value is the one without the turns.
            Some(Base::First) => self.eq.terms.not(self.guards.term(b.guard)),
            Some(Base::Second) => self.guards.term(a.guard),
        };
        let guard = self.guards.join(&mut self.eq.terms, a.guard, b.guard);
        let (turn, came) = (self.common_turn(a.turn, b.turn), a.came.min(b.came));
        (self.here.guard, self.here.turn) = (self.guards.term(guard), turn);
        let chain = base.map(|_| {
            self.chains += 1;
            a.chain.or(b.chain).unwrap_or(self.chains)
        });
        self.meeting = base.zip(chain).map(|(base, chain)| Join { base, chain });
        let cells = self.join_cells(chooser, &a.cells, &b.cells);
        self.meeting = None;
        State { guard, cells, behind, turn, came, chain: chain.or(a.chain) }
    }
}
