//! Who sets what whom reads, in one run: the dynamic slicer of the interpreter.
//!
//! For every range of bits of every object the number of the event (an executed statement) is kept that set it last; an
//! event takes down the numbers of whatever it reads, and the branch or call that decided that it happens. A slice is
//! then what can be reached. This is the judge of slices that somebody claims to have computed; it costs a few map
//! lookups per access and is only done where it is asked for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::memory::Space;
use crate::dependence::{self, Parent};
use crate::location::{Location, Part};
use crate::program::{BlockId, ClaimId, FunctionId, Program};
use crate::source::Span;

/// What happened, by number; the first is what was there before the run.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Events in order.
    pub events: Vec<TraceEvent>,
    current: u32,
    setters: HashMap<(usize, usize), BTreeMap<u64, (u64, u32)>>,
    deaths: HashMap<u64, u32>,
    frames: Vec<Activation>,
    parents: HashMap<FunctionId, Vec<Vec<Parent>>>,
    arguments: Vec<u32>,
}

/// An executed statement.
#[derive(Clone, Debug)]
pub struct TraceEvent {
    /// Where it stands.
    pub location: Location,
    /// The text it comes from.
    pub span: Span,
    /// What it is.
    pub kind: TraceKind,
    /// Numbers of the events that set what it reads.
    pub reads: BTreeSet<u32>,
    /// Number of the event that decided that it happens.
    pub control: u32,
}

/// What an executed statement is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceKind {
    /// Something is set, or comes to life, or dies.
    Effect,
    /// A function is entered.
    Call,
    /// A function is left.
    Return,
    /// A decision, how it came out, and the atoms of its condition that C looks at, by their place in it.
    Branch(bool, Vec<(u32, bool)>),
    /// A claim, and the atoms of its condition that C looks at, by their place in it.
    Claim(ClaimId, Vec<(u32, bool)>),
}

#[derive(Clone, Debug)]
struct Activation {
    function: FunctionId,
    call: u32,
    /// The last branch on which a block depends.
    deciders: HashMap<usize, u32>,
    /// The event that returned.
    returned: u32,
}

impl Trace {
    /// The events on which an event depends, itself included, in order; with the returns that these decide about.
    pub fn slice(&self, of: u32) -> Vec<u32> {
        let mut found = BTreeSet::new();
        let mut open = vec![of];
        while let Some(number) = open.pop() {
            if number != 0 && found.insert(number) {
                let event = &self.events[number as usize];
                open.extend(event.reads.iter().copied().chain([event.control]));
            }
        }
        let returns = (0..of).filter(|number| {
            let event = &self.events[*number as usize];
            event.kind == TraceKind::Return && found.contains(&event.control)
        });
        let returns: Vec<u32> = returns.collect();
        found.extend(returns);
        found.into_iter().collect()
    }

    pub(super) fn event(&mut self, block: BlockId, index: usize, part: Part, span: Span, kind: TraceKind) {
        let (function, control) = match self.frames.last() {
            Some(frame) => (frame.function, frame.deciders.get(&block.index()).copied().unwrap_or(frame.call)),
            None => (FunctionId(0), 0),
        };
        self.current = self.events.len() as u32;
        let location = Location { function, block, index: index as u32, part };
        self.events.push(TraceEvent { location, span, kind, reads: BTreeSet::new(), control });
        match part {
            Part::Argument(0) => self.arguments = vec![self.current],
            Part::Argument(_) => self.arguments.push(self.current),
            Part::Initialiser | Part::Whole | Part::Result => {}
        }
    }

    pub(super) fn is_event(&mut self, kind: TraceKind) {
        self.events[self.current as usize].kind = kind;
    }

    pub(super) fn enter(&mut self, function: FunctionId) {
        let call = self.current;
        self.frames.push(Activation { function, call, deciders: HashMap::new(), returned: 0 });
    }

    /// A parameter of the call is set.
    pub(super) fn binds(&mut self, parameter: usize) {
        self.current = self.arguments.get(parameter).copied().unwrap_or(0);
    }

    /// All parameters are set.
    pub(super) fn bound(&mut self) {
        self.arguments.clear();
    }

    /// What dies from now on dies by the end of the call; `value`: the return sets a result.
    pub(super) fn ends(&mut self, value: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.returned = if value { self.current } else { 0 };
            self.current = frame.call;
        }
    }

    /// Back in the caller, at the statement that called.
    pub(super) fn leave(&mut self, block: BlockId, index: usize, span: Span) {
        let Some(frame) = self.frames.pop() else { return };
        self.event(block, index, Part::Result, span, TraceKind::Effect);
        if frame.returned != 0 {
            self.events[self.current as usize].reads.insert(frame.returned);
        }
    }

    /// The branch at the end of a block was decided by the current event.
    pub(super) fn decides(&mut self, program: &Program, block: BlockId) {
        let current = self.current;
        let Some(frame) = self.frames.last_mut() else { return };
        let id = frame.function;
        let parents = self.parents.entry(id).or_insert_with(|| dependence::parents(program, id));
        for (decided, parents) in parents.iter().enumerate() {
            if parents.contains(&Parent::Block(block.index())) {
                frame.deciders.insert(decided, current);
            }
        }
    }

    pub(super) fn read(&mut self, space: Space, offset: u64, bits: u64) {
        let end = offset.saturating_add(bits);
        let Some(setters) = self.setters.get(&space.home()) else { return };
        let Some(event) = self.events.get_mut(self.current as usize) else { return };
        let first = setters.range(..=offset).next_back().map_or(offset, |(start, _)| *start);
        for (_, (_, setter)) in setters.range(first..end).filter(|(_, (to, _))| *to > offset) {
            if *setter != 0 {
                event.reads.insert(*setter);
            }
        }
    }

    pub(super) fn write(&mut self, space: Space, offset: u64, bits: u64) {
        if bits == 0 {
            return;
        }
        let end = offset.saturating_add(bits);
        let setters = self.setters.entry(space.home()).or_default();
        let first = setters.range(..=offset).next_back().map_or(offset, |(start, _)| *start);
        let overlapping: Vec<_> = setters.range(first..end).map(|(from, (to, by))| (*from, *to, *by)).collect();
        for (from, to, by) in overlapping.into_iter().filter(|(_, to, _)| *to > offset) {
            setters.remove(&from);
            if from < offset {
                setters.insert(from, (offset, by));
            }
            if to > end {
                setters.insert(end, (to, by));
            }
        }
        setters.insert(offset, (end, self.current));
    }

    /// Something new lives there, set by the current event.
    pub(super) fn born(&mut self, space: Space, bits: u64) {
        self.setters.remove(&space.home());
        self.write(space, 0, bits);
    }

    pub(super) fn dies(&mut self, object: u64) {
        self.deaths.insert(object, self.current);
    }

    pub(super) fn reads_life(&mut self, object: u64) {
        if let (Some(death), Some(event)) = (self.deaths.get(&object), self.events.get_mut(self.current as usize)) {
            event.reads.insert(*death);
        }
    }
}
