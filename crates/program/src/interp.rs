//! Runs a program on given inputs: the judge of every failing and passing run that anybody claims to have found.
//!
//! The interpreter follows `program.rs` to the letter. How it executes statements, expressions and memory shares no code
//! with symbolic execution. What the text of a program leaves open, it settles so:
//!
//! * A local comes to life when it is declared; one that is touched without (a `goto` jumped over it) at its first
//!   touch, and a temporary then starts as 0. A second `Declare` makes a new object and ends the old one's life.
//! * Contents that start undefined are those that [`Inputs::contents`] lists, and 0 elsewhere. Locals, allocations,
//!   `extern` objects and inputs of record type are counted per site in the order in which they come up.
//! * An input of pointer type is NULL or the invalid pointer. One of record type takes its bits from
//!   [`Inputs::contents`] as well, and none from [`Inputs::calls`].
//! * The target of a call is located after the call returns.
//! * Where a claim is switched off, reading outside live objects gives 0, and writing there does nothing. Read-only
//!   objects can be written.
//! * Only locals whose address is taken get the number of an object, in order of creation, as allocations do.
//!
//! `machine` executes statements on the objects that `memory` keeps, `operators` works on bits, and [`trace`] follows who
//! sets what whom reads. Start reading at `Machine::go` in `machine`.

mod machine;
mod memory;
mod operators;
pub mod trace;

use machine::Machine;
use memory::{Kind, Memory, within};
use trace::Trace;

use nearmiss_logic::stop::Stop;

use crate::moments::{self, FirstValues};
use crate::program::watched::Watched;
use crate::program::{
    Base, BlockId, ExprId, ExprKind, FunctionId, GlobalId, PlaceId, Program, Projection, Site, SiteId, Type, TypeId,
};
use crate::run::{Content, Inputs, Outcome, Run};
use crate::source::Span;
use nearmiss_logic::width::sign_extend;

/// How much a run may take before it counts as [`Outcome::Exhausted`].
#[derive(Clone, Debug)]
pub struct Limits {
    /// Statements and ends of blocks.
    pub steps: u64,
    /// Calls under way.
    pub depth: u32,
    /// Bytes of the objects of the program and of the steps that are recorded.
    pub memory: u64,
    /// Reasons from outside to end the run early.
    pub stop: Stop,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 100_000_000, depth: 10_000, memory: 1 << 30, stop: Stop::default() }
    }
}

/// Whether to keep what happened or only how it ended, which is faster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recording {
    /// Every step that a person wants to see.
    Steps,
    /// None.
    Outcome,
    /// None, but how often each block of the user's functions is entered.
    Reached,
    /// None, but which numbers the user's functions set and return, without names, and how often each of their blocks is entered.
    Deeds,
}

/// A number that a function of the user's set or returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deed {
    /// The function.
    pub function: FunctionId,
    /// Where.
    pub span: Span,
    /// Its bits, those of an integer with a sign extended.
    pub value: u128,
    /// Whether it is nothing to the outermost function of the user's: set in a variable of another activation's own, or returned to another.
    pub own: bool,
}

/// Somebody who is asked for every input when it arises.
pub trait Oracle {
    /// The value of an input statement of this site, as bits of this type.
    fn value(&mut self, site: SiteId, ty: TypeId) -> u128;
    /// The undefined contents of an object of this site, before which this many others were made there.
    fn contents(&mut self, site: SiteId, earlier: u32) -> Vec<Content>;
}

/// Where inputs come from.
enum InputSource<'a> {
    /// They are known.
    Inputs(&'a Inputs),
    /// Somebody is asked.
    Oracle(&'a mut dyn Oracle),
}

/// Runs a program from its start.
pub fn run(program: &Program, inputs: &Inputs, limits: &Limits) -> Run {
    Interpreter::new(program).execute(inputs, limits, Recording::Steps).run
}

/// Runs a program without recording steps and reads the first 16 bytes that the named global then holds.
pub fn run_and_read(program: &Program, inputs: &Inputs, limits: &Limits, global: &str) -> (Run, Option<u128>) {
    let execution = Interpreter::new(program).execute(inputs, limits, Recording::Outcome);
    let value = execution.global(program, global);
    (execution.run, value)
}

/// A program prepared for running, any number of times.
pub struct Interpreter<'p> {
    program: &'p Program,
    places: Vec<Flat>,
    layouts: Vec<Layout>,
    /// When the variables of a formula have values.
    given: FirstValues,
    /// Where the first is called, the second is entered.
    instead: Vec<(FunctionId, FunctionId)>,
    /// A global that starts with another number.
    starts: Option<(GlobalId, u128)>,
}

/// A place with the constant part of its path added up.
struct Flat {
    base: Base,
    /// In bits.
    offset: u64,
    /// Indices that are known at run time only, with the width of an element in bits.
    indices: Box<[(ExprId, u64)]>,
    bits: u64,
    /// A scalar at a fixed offset of a variable of at most 16 bytes.
    simple: bool,
    /// A `_Bool`.
    truth: bool,
}

/// What an activation of a function needs.
struct Layout {
    /// Size of each local in bytes.
    sizes: Box<[u64]>,
    /// Whether pointers can reach it.
    numbered: Box<[bool]>,
}

/// A run and what is left of it.
pub struct Execution {
    /// What happened.
    pub run: Run,
    /// The scalar that the entry function returned, if it came to that.
    pub returned: Option<u128>,
    /// How many statements and ends of blocks were executed.
    pub steps: u64,
    /// Did it read a `_Bool` whose byte is neither 0 nor 1? C says nothing of what happens then.
    pub odd_truth: bool,
    /// Per claim, whether the run came to it.
    pub come: Vec<bool>,
    /// How many of the values of inputs it took.
    pub taken: usize,
    /// With [`Recording::Deeds`], what was set and returned.
    pub deeds: Vec<Deed>,
    /// With [`Recording::Reached`] and [`Recording::Deeds`], how often each block of the user's functions was entered.
    pub reached: Vec<(FunctionId, Vec<u32>)>,
    /// Where its activations stood when it ended in the middle, the outermost first: the first statement that was not executed.
    pub standing: Vec<(FunctionId, BlockId, usize)>,
    /// Where it ended in the user's text, if it ended in the middle.
    pub ended_at: Option<(Span, FunctionId)>,
    memory: Memory,
}

impl Execution {
    /// The first 16 bytes of a global at the end of the run.
    pub fn global(&self, program: &Program, name: &str) -> Option<u128> {
        let index = program.globals.iter().position(|global| global.name == name)?;
        let object = self.memory.live(program.global_object(GlobalId(index as u32)))?;
        let bits = (object.size * 8).min(128) as u32;
        Some(memory::in_row(program.order, object.store.read(0, bits), bits))
    }

    /// The first bytes of a global at the end of the run, at most so many.
    pub fn global_bytes(&self, program: &Program, name: &str, most: u64) -> Option<Vec<u8>> {
        let index = program.globals.iter().position(|global| global.name == name)?;
        let object = self.memory.live(program.global_object(GlobalId(index as u32)))?;
        Some((0..object.size.min(most)).map(|at| object.store.read(at * 8, 8) as u8).collect())
    }

    /// The name of an object that the run created: that of the local, or that of the allocation's site, with `#2` for
    /// the second of a site and so on.
    pub fn object_name(&self, program: &Program, object: u64) -> Option<String> {
        created_object(program, &self.memory, object).map(|(name, _)| name)
    }
}

/// Name and type of an object that a run created; memory from `malloc` is a row of that type.
fn created_object(program: &Program, memory: &Memory, object: u64) -> Option<(String, TypeId)> {
    match memory.objects.get(usize::try_from(object).ok()?)?.kind {
        Kind::Local(function, local) => {
            let local = &program.function(function).locals[local.index()];
            Some((local.name.clone(), local.ty))
        }
        Kind::Heap(site, earlier) | Kind::Stack(site, earlier) => {
            let Site { name, ty, .. } = &program.sites[site.index()];
            let name = if earlier == 0 { name.clone() } else { format!("{name}#{}", earlier + 1) };
            Some((name, *ty))
        }
        Kind::Nothing | Kind::Function | Kind::Global => None,
    }
}

impl<'p> Interpreter<'p> {
    /// Prepares a program.
    pub fn new(program: &'p Program) -> Interpreter<'p> {
        let places = (0..program.places.len()).map(|index| flatten(program, PlaceId(index as u32))).collect();
        let mut layouts: Vec<Layout> = Vec::new();
        for function in &program.functions {
            let sizes = function.locals.iter().map(|local| program.size_bits(local.ty).div_ceil(8)).collect();
            let numbered = function.locals.iter().map(|local| local.address_taken).collect();
            layouts.push(Layout { sizes, numbered });
        }
        let given =
            program.temporal.as_ref().map(|temporal| moments::first_values(temporal, program)).unwrap_or_default();
        Interpreter { program, places, layouts, given, instead: Vec::new(), starts: None }
    }

    /// The program that it runs.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// From now on enters other functions where some are called, and no others.
    pub fn enter_instead(&mut self, instead: &[(FunctionId, FunctionId)]) {
        self.instead.clear();
        self.instead.extend_from_slice(instead);
    }

    /// From now on a global of at most 16 bytes starts with this.
    pub fn start_with(&mut self, global: GlobalId, value: u128) {
        self.starts = Some((global, value));
    }

    /// Runs the program from its start.
    pub fn execute(&self, inputs: &Inputs, limits: &Limits, recording: Recording) -> Execution {
        self.go(InputSource::Inputs(inputs), limits, recording)
    }

    /// Runs the program from its start and asks for every input when it arises.
    pub fn ask(&self, oracle: &mut dyn Oracle, limits: &Limits) -> Execution {
        self.go(InputSource::Oracle(oracle), limits, Recording::Outcome)
    }

    /// Runs the program from its start and follows who sets what whom reads.
    pub fn follow(&self, inputs: &Inputs, limits: &Limits) -> (Outcome, Trace) {
        let mut machine = Machine::new(self, InputSource::Inputs(inputs), limits, Recording::Outcome);
        machine.uses.trace = Some(Box::default());
        let outcome = machine.run();
        let trace = machine.uses.trace.take().map(|trace| *trace).unwrap_or_default();
        (outcome, trace)
    }

    /// Runs the program from its start and looks at conditions: for every step of the run, which of those of the running
    /// function hold just before it. Those over what has not come to life yet are left out.
    pub fn watch(&self, inputs: &Inputs, limits: &Limits, watched: &[Watched]) -> (Run, Vec<Vec<(usize, bool)>>) {
        let mut machine = Machine::new(self, InputSource::Inputs(inputs), limits, Recording::Steps);
        machine.watch(watched);
        let outcome = machine.run();
        let mut seen = machine.take_seen();
        let (outcome, word) = machine.judge(outcome);
        // Nothing is looked at for the judgement on a formula.
        seen.resize(machine.recorded.len(), Vec::new());
        let overwritten = machine.overwritten();
        (Run { steps: machine.recorded, outcome, word, overwritten, strayed: machine.strayed }, seen)
    }

    fn go(&self, inputs: InputSource<'_>, limits: &Limits, recording: Recording) -> Execution {
        let mut machine = Machine::new(self, inputs, limits, recording);
        let outcome = machine.run();
        for (number, step) in machine.recorded.iter_mut().enumerate() {
            step.idle = machine.uses.is_idle(number);
        }
        let (outcome, word) = machine.judge(outcome);
        let (overwritten, ended_at, standing) = (machine.overwritten(), machine.place(), machine.standing());
        Execution {
            run: Run { steps: machine.recorded, outcome, word, overwritten, strayed: machine.strayed },
            returned: machine.returned,
            steps: machine.steps,
            memory: machine.memory,
            odd_truth: machine.odd_truth,
            come: machine.come,
            ended_at,
            taken: machine.next_call,
            standing,
            reached: machine.reached.taken(),
            deeds: machine.deeds,
        }
    }
}

fn flatten(program: &Program, id: PlaceId) -> Flat {
    let place = program.place(id);
    let (mut ty, mut offset, mut indices) = (place.base_type, 0u64, Vec::new());
    for projection in &place.path {
        match (program.ty(ty), projection) {
            (Type::Record { fields, .. }, Projection::Field(number)) => {
                if let Some(field) = fields.get(*number as usize) {
                    offset = offset.wrapping_add(field.bit_offset);
                    ty = field.ty;
                }
            }
            (other, Projection::Index(index)) => {
                if let Type::Array { of, .. } = other {
                    ty = *of;
                }
                let stride = program.size_bits(ty);
                match program.expr(*index).kind {
                    ExprKind::Const(value) if program.expr(*index).bits <= 64 => {
                        let value = sign_extend(value, program.expr(*index).bits) as u64;
                        offset = offset.wrapping_add(value.wrapping_mul(stride));
                    }
                    _ => indices.push((*index, stride)),
                }
            }
            _ => {}
        }
    }
    let variable = program.size_bits(place.base_type);
    let simple = indices.is_empty() && variable <= 128 && place.bits > 0 && within(offset, place.bits, variable / 8);
    let truth = *program.ty(place.ty) == Type::Bool;
    Flat { base: place.base, offset, indices: indices.into_boxed_slice(), bits: place.bits, simple, truth }
}

#[cfg(test)]
mod tests;
