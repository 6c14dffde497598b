//! Follows who sets what whom reads, while a program is executed symbolically: events and shadows.
//!
//! Every range of bits of every object has a *shadow*: a term whose value is the number of the event that set it. Shadows
//! live in the same persistent map as the cells, under numbers of objects of their own, so forks cost nothing here
//! either, and joins look only at what differs. Whoever reads takes down the shadow, whoever writes leaves its number.
//! The last branch on which a block depends is kept the same way, per activation. All of that happens only where it is
//! asked for ([`super::unwind_with_flow`]); it about doubles the cost.

use std::collections::HashMap;
use std::sync::Arc;

use imbl::ordmap::DiffItem;
use nearmiss_logic::term::Term;

use super::memory::{ALIVE, Cell, Cells, Content, Lifetime, ObjectNumber, SHADOW};
use super::place::Access;
use super::{Frame, State, Symex};
use crate::flow::{Event, EventKind, EventNumber, Flow, NUMBER_BITS};
use nearmiss_program::dependence::{self, Parent};
use nearmiss_program::location::{Location, Part, Test};
use nearmiss_program::program::{BlockId, ExprId, FunctionId};
use nearmiss_program::source::Span;

/// In the shadow of an activation's result: from here on, per block, the last branch on which it depends.
const DECIDERS: u64 = 1 << 62;

/// What is followed.
pub struct Follow {
    pub flow: Flow,
    /// The event that is being executed.
    current: EventNumber,
    /// Events that pass the arguments of the call that is about to be executed.
    pub arguments: Vec<EventNumber>,
    /// What the result of the last call was set by.
    pub result: Vec<Term>,
    /// The call of each activation, by the slot of its result.
    calls: HashMap<ObjectNumber, EventNumber>,
    /// For each function and block: the blocks that depend on its branch.
    decides: HashMap<FunctionId, Arc<Vec<Vec<u64>>>>,
    /// Where in the program the next event is.
    block: BlockId,
    index: u32,
}

impl Follow {
    /// Nothing has happened yet.
    pub fn new() -> Follow {
        Follow {
            flow: Flow::default(),
            current: 0,
            arguments: Vec::new(),
            result: Vec::new(),
            calls: HashMap::new(),
            decides: HashMap::new(),
            block: BlockId(0),
            index: 0,
        }
    }
}

impl Symex<'_> {
    fn number(&mut self, number: EventNumber) -> Term {
        self.eq.terms.constant(NUMBER_BITS, u128::from(number))
    }

    fn result_slot(&self, frame: &Frame) -> ObjectNumber {
        frame.base + self.program.function(frame.function).locals.len() as u32
    }

    /// Where the next event stands.
    pub(super) fn next_event(&mut self, block: BlockId, index: usize) {
        if let Some(follow) = &mut self.follow {
            (follow.block, follow.index) = (block, index as u32);
        }
    }

    /// A new event is under way.
    pub(super) fn event(&mut self, state: &State, frame: &Frame, part: Part, span: Span, kind: EventKind) {
        if self.follow.is_none() {
            return;
        }
        let control = self.decider(state, frame);
        let guard = self.guards.term(state.guard);
        let Some(follow) = &mut self.follow else { return };
        let location = Location { function: frame.function, block: follow.block, index: follow.index, part };
        follow.current = follow.flow.events.len() as EventNumber;
        follow.flow.events.push(Event { location, span, guard, kind, reads: Vec::new(), control });
    }

    pub(super) fn current_event(&self) -> EventNumber {
        self.follow.as_ref().map_or(0, |follow| follow.current)
    }

    pub(super) fn resume_event(&mut self, number: EventNumber) {
        if let Some(follow) = &mut self.follow {
            follow.current = number;
        }
    }

    /// What kind of event this is turns out while it is executed.
    pub(super) fn is_event(&mut self, kind: EventKind) {
        if let Some(follow) = &mut self.follow {
            let current = follow.current as usize;
            follow.flow.events[current].kind = kind;
        }
    }

    fn decider(&mut self, state: &State, frame: &Frame) -> Term {
        let Some(follow) = &self.follow else { return self.eq.terms.tru() };
        let slot = self.result_slot(frame);
        match state.cells.get(&(slot | SHADOW, DECIDERS + u64::from(follow.block.0))) {
            Some(Cell { content: Content::Setter(term), .. }) => *term,
            _ => {
                let call = follow.calls.get(&slot).copied().unwrap_or(0);
                self.number(call)
            }
        }
    }

    /// An activation starts: what nothing in it decides is decided by this call.
    pub(super) fn follow_call(&mut self, frame: &Frame) {
        let slot = self.result_slot(frame);
        if let Some(follow) = &mut self.follow {
            follow.calls.insert(slot, follow.current);
        }
    }

    /// An activation ends: what dies with it dies by its call.
    pub(super) fn follow_end(&mut self, frame: &Frame) {
        let slot = self.result_slot(frame);
        if let Some(follow) = &mut self.follow {
            follow.current = follow.calls.get(&slot).copied().unwrap_or(0);
        }
    }

    /// The branch at the end of a block decides what depends on it.
    pub(super) fn follow_branch(&mut self, state: &mut State, frame: &Frame, block: BlockId) {
        let program = self.program;
        let slot = self.result_slot(frame);
        let Some(follow) = &mut self.follow else { return };
        let decides = follow.decides.entry(frame.function).or_insert_with(|| {
            let parents = dependence::parents(program, frame.function);
            let mut decides = vec![Vec::new(); parents.len()];
            for (block, parents) in parents.iter().enumerate() {
                for parent in parents {
                    if let Parent::Block(decider) = parent {
                        decides[*decider].push(block as u64);
                    }
                }
            }
            Arc::new(decides)
        });
        let (decides, current) = (Arc::clone(decides), follow.current);
        let number = self.number(current);
        for decided in &decides[block.index()] {
            let cell = Cell { bits: 1, content: Content::Setter(number) };
            state.cells.insert((slot | SHADOW, DECIDERS + decided), cell);
        }
    }

    /// The current event depends on what these events set.
    pub(super) fn reads(&mut self, setters: Vec<Term>) {
        let nothing = self.eq.terms.constant(NUMBER_BITS, 0);
        if let Some(follow) = &mut self.follow {
            let current = follow.current as usize;
            let reads = &mut follow.flow.events[current].reads;
            for setter in setters {
                if setter != nothing && !reads.contains(&setter) {
                    reads.push(setter);
                }
            }
        }
    }

    /// The current event reads some bits of a place.
    pub(super) fn reads_place(&mut self, cells: &Cells, accesses: &[Access], skip: u64, bits: u64) {
        if self.follow.is_some() {
            let setters = self.setters(cells, accesses, skip, bits);
            self.reads(setters);
        }
    }

    /// The same, where a condition holds.
    pub(super) fn reads_place_if(&mut self, when: Term, cells: &Cells, accesses: &[Access], skip: u64, bits: u64) {
        if self.follow.is_some() {
            let nothing = self.number(0);
            let setters = self.setters(cells, accesses, skip, bits);
            let setters = setters.into_iter().map(|setter| self.eq.terms.ite(when, setter, nothing)).collect();
            self.reads(setters);
        }
    }

    /// The current event reads bits of an object at a known offset.
    pub(super) fn setters_at(&mut self, cells: &Cells, object: ObjectNumber, at: u64, bits: u64) -> Vec<Term> {
        let end = at + bits;
        let mut position = at;
        let mut setters = Vec::new();
        while position < end {
            let (start, bits, setter) = self.shadow_at(cells, object, position);
            setters.push(setter);
            position = start + bits;
        }
        setters.dedup();
        setters
    }

    /// The current event asks whether the objects that a pointer may point to are alive.
    pub(super) fn reads_life(&mut self, cells: &Cells, objects: &[(Term, ObjectNumber)]) {
        if self.follow.is_none() {
            return;
        }
        let mut setter = self.number(0);
        for (condition, object) in objects {
            let of_this = self.life_shadow(cells, *object);
            setter = self.eq.terms.ite(*condition, of_this, setter);
        }
        self.reads(vec![setter]);
    }

    fn life_shadow(&mut self, cells: &Cells, object: ObjectNumber) -> Term {
        match cells.get(&(object | SHADOW, ALIVE)) {
            Some(Cell { content: Content::Setter(term), .. }) => *term,
            _ => self.number(0),
        }
    }

    /// The current event ends the life of an object where `when` is 1.
    pub(super) fn follow_kill(&mut self, cells: &mut Cells, object: ObjectNumber, when: Term) {
        if self.follow.is_some() {
            let (old, new) = (self.life_shadow(cells, object), self.number(self.current_event()));
            let content = Content::Setter(self.eq.terms.ite(when, new, old));
            cells.insert((object | SHADOW, ALIVE), Cell { bits: 1, content });
        }
    }

    /// The current event sets bits of an object.
    pub(super) fn follow_write(&mut self, cells: &mut Cells, object: ObjectNumber, at: u64, bits: u64) {
        if self.follow.is_some() {
            let number = self.number(self.current_event());
            self.put_bits(cells, object | SHADOW, at, bits, Content::Setter(number));
        }
    }

    /// What was just set was set only where `when` is 1: elsewhere the shadows are as before.
    pub(super) fn follow_unless(&mut self, before: &Cells, cells: &mut Cells, when: Term) {
        if self.follow.is_none() {
            return;
        }
        for (object, at, bits, new, old) in self.differing_shadows(cells, before) {
            let content = Content::Setter(self.eq.terms.ite(when, new, old));
            self.put_bits(cells, object | SHADOW, at, bits, content);
        }
    }

    /// Shadows after a join.
    pub(super) fn join_shadows(&mut self, chooser: Term, a: &Cells, b: &Cells, joined: &mut Cells) {
        for (object, at, bits, x, y) in self.differing_shadows(a, b) {
            let setter = self.eq.terms.ite(chooser, x, y);
            if at == ALIVE {
                joined.insert((object | SHADOW, at), Cell { bits, content: Content::Setter(setter) });
            } else {
                self.put_bits(joined, object | SHADOW, at, bits, Content::Setter(setter));
            }
        }
    }

    /// Where shadows differ: object, offset, width, and both.
    fn differing_shadows(&mut self, a: &Cells, b: &Cells) -> Vec<(ObjectNumber, u64, u64, Term, Term)> {
        let mut ranges: Vec<(ObjectNumber, u64, u64)> = Vec::new();
        for item in a.diff(b) {
            let (key, bits) = match item {
                DiffItem::Update { old: (key, x), new: (_, y) } => (key, x.bits.max(y.bits)),
                DiffItem::Add(key, cell) | DiffItem::Remove(key, cell) => (key, cell.bits),
            };
            if key.0 & SHADOW != 0 {
                ranges.push((key.0 & !SHADOW, key.1, key.1.saturating_add(bits)));
            }
        }
        ranges.sort_unstable();
        let mut found = Vec::new();
        let mut done = (0, 0);
        for (object, from, to) in ranges {
            if from == ALIVE {
                found.push((object, ALIVE, 1, self.life_shadow(a, object), self.life_shadow(b, object)));
                continue;
            }
            let mut position = if done.0 == object { from.max(done.1) } else { from };
            while position < to {
                let (start_a, bits_a, x) = self.shadow_at(a, object, position);
                let (start_b, bits_b, y) = self.shadow_at(b, object, position);
                let end = (start_a + bits_a).min(start_b + bits_b).min(to);
                // What exists on one side only cannot be reached from the other.
                let (in_a, in_b) = (self.is_shadowed(a, object), self.is_shadowed(b, object));
                let (x, y) = match (in_a, in_b) {
                    _ if position >= DECIDERS => (x, y),
                    (false, true) => (y, y),
                    (true, false) => (x, x),
                    _ => (x, y),
                };
                found.push((object, position, end - position, x, y));
                position = end;
            }
            if done.0 != object || to > done.1 {
                done = (object, to);
            }
        }
        found
    }

    fn is_shadowed(&self, cells: &Cells, object: ObjectNumber) -> bool {
        let is_static = self.objects.get(object as usize).is_some_and(|o| o.lifetime == Lifetime::Static);
        is_static || cells.range((object | SHADOW, 0)..(object | SHADOW, ALIVE)).next().is_some()
    }

    /// The shadow that covers a bit: where it starts, how far it goes, and the setter.
    fn shadow_at(&mut self, cells: &Cells, object: ObjectNumber, at: u64) -> (u64, u64, Term) {
        let shadow = object | SHADOW;
        let before = cells.range(..=(shadow, at)).next_back().filter(|((o, _), _)| *o == shadow);
        if let Some(((_, start), Cell { bits, content: Content::Setter(setter) })) = before
            && at < start + bits
        {
            return (*start, *bits, *setter);
        }
        let after = cells.range((shadow, at + 1)..(shadow, ALIVE)).next();
        let end = match after {
            _ if at >= DECIDERS => at + 1,
            Some(((_, start), _)) => *start,
            None => DECIDERS,
        };
        let nobody = match &self.follow {
            Some(follow) if at >= DECIDERS => follow.calls.get(&object).copied().unwrap_or(0),
            _ => 0,
        };
        (at, end - at, self.number(nobody))
    }

    /// What set some bits of a place: as many terms as there may be ranges with different setters.
    fn setters(&mut self, cells: &Cells, accesses: &[Access], skip: u64, bits: u64) -> Vec<Term> {
        let mut result: Option<Vec<Term>> = None;
        let nothing = vec![self.number(0)];
        for access in accesses {
            let at = access.constant.wrapping_add(skip);
            let here = self.setters_of_parts(cells, access.object, at, &access.parts, bits);
            result = Some(match result {
                None if accesses.len() == 1 => here,
                other => {
                    let other = other.unwrap_or_else(|| nothing.clone());
                    self.choose(access.condition, &here, &other)
                }
            });
        }
        result.unwrap_or_default()
    }

    fn setters_of_parts(
        &mut self,
        cells: &Cells,
        object: ObjectNumber,
        at: u64,
        parts: &[super::place::Part],
        bits: u64,
    ) -> Vec<Term> {
        let Some((part, rest)) = parts.split_first() else {
            let within = at.checked_add(bits).is_some_and(|end| end <= self.objects[object as usize].bits);
            return if within { self.setters_at(cells, object, at, bits) } else { Vec::new() };
        };
        if part.count > super::place::MOST_ELEMENTS {
            return Vec::new();
        }
        let offset = |k: u64| at.wrapping_add(k.wrapping_mul(part.stride));
        let mut values: Vec<Vec<Term>> =
            (0..part.count).map(|k| self.setters_of_parts(cells, object, offset(k), rest, bits)).collect();
        let mut bit = 0;
        while values.len() > 1 {
            let choose = self.eq.terms.extract(part.index, bit, bit);
            values = values
                .chunks(2)
                .map(|pair| match pair {
                    [even, odd] => self.choose(choose, odd, even),
                    _ => pair[0].clone(),
                })
                .collect();
            bit += 1;
        }
        values.pop().unwrap_or_default()
    }

    fn choose(&mut self, condition: Term, yes: &[Term], no: &[Term]) -> Vec<Term> {
        let nothing = self.number(0);
        let of = |side: &[Term], index: usize| side.get(index).copied().unwrap_or(nothing);
        (0..yes.len().max(no.len())).map(|index| self.eq.terms.ite(condition, of(yes, index), of(no, index))).collect()
    }

    /// Forgets arguments that were passed to a call that did not happen.
    pub(super) fn no_arguments(&mut self) {
        self.follow.iter_mut().for_each(|follow| follow.arguments.clear());
    }

    /// Takes down the events of a call's arguments, one by one; the caller evaluates the argument.
    pub(super) fn argument_event(&mut self, state: &State, frame: &Frame, index: u32, span: Span) {
        self.event(state, frame, Part::Argument(index), span, EventKind::Effect);
        if let Some(follow) = &mut self.follow {
            follow.arguments.push(follow.current);
        }
    }

    /// Where a call stands, to come back to.
    pub(super) fn here_event(&self) -> (BlockId, u32) {
        self.follow.as_ref().map_or((BlockId(0), 0), |follow| (follow.block, follow.index))
    }

    /// A call has returned: what follows is the assignment of its result.
    pub(super) fn come_back(&mut self, (block, index): (BlockId, u32), state: &State, frame: &Frame, span: Span) {
        self.next_event(block, index as usize);
        self.event(state, frame, Part::Result, span, EventKind::Effect);
        let result = self.follow.as_mut().map(|follow| std::mem::take(&mut follow.result)).unwrap_or_default();
        self.reads(result);
    }

    /// Splits the condition of a claim.
    pub(super) fn test_of(&mut self, state: &mut State, frame: &Frame, condition: ExprId) -> Test<Term> {
        let test = Test::of(self.program, condition);
        test.map(&mut |atom| self.eval(state, frame, atom))
    }
}
