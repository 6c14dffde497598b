//! Looks at conditions along the way ([`super::unwind_watching`]): before each step of the user's, the term of every
//! watched condition in every activation under way.
//!
//! Looking changes nothing. A condition is left out where something that it reads has not come to life, or is an input
//! that nobody has read yet: to read it here would make it one.

use std::collections::HashMap;

use nearmiss_logic::term::Term;

use super::address;
use super::memory::{Cell, Cells, Content, INSTANCE, ObjectNumber};
use super::place::Access;
use super::{Frame, State, Symex};
use crate::equation::{Step, StepKind};
use nearmiss_program::program::watched::{self, Watched};
use nearmiss_program::program::{Author, Base, PlaceId};

/// What is seen just before a step of the user's.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The first step of the equation that comes after it. Steps up to the next moment belong to this one.
    pub step: usize,
    /// It comes about iff this is 1.
    pub guard: Term,
    /// The activation that runs.
    pub running: u32,
    /// The moments that may come right before it, by their numbers: where paths have met there are several.
    pub previous: Vec<u32>,
    /// The conditions.
    pub seen: Vec<Seen>,
}

/// The truth of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Which of those that are watched.
    pub watched: usize,
    /// In which activation, by a number that no other activation of the unwinding has; 0 for one over globals alone.
    pub activation: u32,
    /// One bit.
    pub term: Term,
    /// One bit: everything that it reads is there, indices are inside their arrays. Where it is 0, the condition has no truth.
    pub within: Term,
}

/// What is looked at, and what was seen.
pub struct Observer<'p> {
    watched: &'p [Watched],
    /// The activations under way.
    frames: Vec<Frame>,
    /// Every look with those that may come right before it.
    looks: Vec<Vec<u32>>,
    /// What was seen, and at which observer. A look without a step before the next one saw nothing.
    moments: Vec<(u32, Moment)>,
}

impl<'p> Observer<'p> {
    /// Nothing has been seen yet.
    pub fn new(watched: &'p [Watched]) -> Observer<'p> {
        Observer { watched, frames: Vec::new(), looks: Vec::new(), moments: Vec::new() }
    }

    /// What was seen before steps of the user's. Where values meet is none, and the end is none.
    pub fn moments(self, steps: &[Step]) -> Vec<Moment> {
        let mut moments = self.moments;
        let is_step =
            |moment: &Moment| steps.get(moment.step).is_some_and(|step| !matches!(step.kind, StepKind::Phi { .. }));
        moments.retain(|(_, moment)| is_step(moment));
        let numbers: HashMap<u32, u32> = (0..).zip(&moments).map(|(number, (look, _))| (*look, number)).collect();
        // What each look is in terms of moments: itself, or what came before it.
        let mut meant: Vec<Vec<u32>> = Vec::with_capacity(self.looks.len());
        let mut previous: HashMap<u32, Vec<u32>> = HashMap::new();
        for (look, before) in (0..).zip(&self.looks) {
            let before = before.iter().fold(Vec::new(), |found, look| either(found, &meant[*look as usize]));
            match numbers.get(&look) {
                Some(number) => {
                    previous.insert(*number, before);
                    meant.push(vec![*number]);
                }
                None => meant.push(before),
            }
        }
        let numbered = (0..).zip(moments);
        let with_previous = numbered.map(|(number, (_, moment))| {
            let previous = previous.remove(&number).unwrap_or_default();
            Moment { previous, ..moment }
        });
        with_previous.collect()
    }
}

/// What is in one of two ascending lists.
pub fn either(mut a: Vec<u32>, b: &[u32]) -> Vec<u32> {
    if a != b {
        a.extend(b);
        a.sort_unstable();
        a.dedup();
    }
    a
}

impl Symex<'_> {
    /// An activation starts.
    pub(super) fn observe_call(&mut self, frame: &Frame) {
        self.observer.iter_mut().for_each(|observer| observer.frames.push(*frame));
    }

    /// An activation ends.
    pub(super) fn observe_return(&mut self) {
        self.observer.iter_mut().for_each(|observer| {
            observer.frames.pop();
        });
    }

    /// Takes down what is seen before the next step, if that is one of the user's.
    pub(super) fn observe(&mut self, state: &mut State) {
        let Some(mut observer) = self.observer.take() else { return };
        if let Some(running) = observer.frames.last().filter(|frame| frame.author == Author::User) {
            let mut seen = Vec::new();
            for (index, watched) in observer.watched.iter().enumerate() {
                match watched.function {
                    None => seen.extend(self.seen(state, running, 0, index, watched)),
                    Some(function) => {
                        for frame in observer.frames.iter().filter(|frame| frame.function == function) {
                            seen.extend(self.seen(state, frame, frame.base, index, watched));
                        }
                    }
                }
            }
            let (step, guard) = (self.eq.steps.len(), self.guards.term(state.guard));
            let moment = Moment { step, guard, running: running.base, previous: Vec::new(), seen };
            let number = observer.looks.len() as u32;
            observer.looks.push(std::mem::replace(&mut state.behind, vec![number]));
            // A statement that makes no step is none to the user.
            match observer.moments.last_mut().filter(|(_, last)| last.step == step) {
                Some(last) => *last = (number, moment),
                None => observer.moments.push((number, moment)),
            }
        }
        self.observer = Some(observer);
    }

    fn seen(
        &mut self,
        state: &mut State,
        frame: &Frame,
        activation: u32,
        index: usize,
        watched: &Watched,
    ) -> Option<Seen> {
        let places = watched::places(self.program, watched.condition);
        // From the inside out: where a place is may depend on others.
        let mut within = self.eq.terms.tru();
        for place in places.iter().rev() {
            let there = self.settled(state, frame, *place)?;
            within = self.eq.terms.and(within, there);
        }
        let term = self.silently(true, |this| this.eval(state, frame, watched.condition));
        Some(Seen { watched: index, activation, term, within })
    }

    /// If a place can be read without anything new coming to life: the term that it is there.
    fn settled(&mut self, state: &mut State, frame: &Frame, place: PlaceId) -> Option<Term> {
        let described = self.program.place(place);
        if let Base::Local(local) = described.base {
            let slot = frame.base + local.0;
            let address_taken = self.program.function(frame.function).locals[local.index()].address_taken;
            let alive = match address_taken {
                true => state.cells.contains_key(&(slot, INSTANCE)),
                false => state.cells.range((slot, 0)..(slot, INSTANCE)).next().is_some(),
            };
            if !alive {
                return None;
            }
        }
        let accesses = self.resolve(state, frame, place);
        let known = !accesses.is_empty()
            && accesses.iter().all(|access| match access.parts.is_empty() {
                true => self.is_known(&state.cells, access.object, access.constant, described.bits),
                // Any element may be meant.
                false => self.is_known(&state.cells, access.object, 0, self.objects[access.object as usize].bits),
            });
        known.then(|| {
            let none = self.eq.terms.fals();
            accesses.iter().fold(none, |found, access| {
                let here = self.within(access, described.bits);
                self.eq.terms.or(found, here)
            })
        })
    }

    /// One bit: so many bits are where an access finds them, inside of its object.
    fn within(&mut self, access: &Access, bits: u64) -> Term {
        let room = self.objects[access.object as usize].bits;
        let Some(room) = room.checked_sub(access.constant).and_then(|room| room.checked_sub(bits)) else {
            return self.eq.terms.fals();
        };
        let mut within = access.condition;
        let longest: u64 =
            access.parts.iter().map(|part| part.count.saturating_sub(1).saturating_mul(part.stride)).sum();
        for part in &access.parts {
            // Of a single part the last elements may not fit as a whole.
            let count = match access.parts.len() {
                1 => part.count.min(room / part.stride.max(1) + 1),
                _ if longest > room => return self.eq.terms.fals(),
                _ => part.count,
            };
            let below = address::below(&mut self.eq.terms, part.index, count);
            within = self.eq.terms.and(within, below);
        }
        within
    }

    /// Has everything there been written, or read before?
    pub(super) fn is_known(&self, cells: &Cells, object: ObjectNumber, at: u64, bits: u64) -> bool {
        let Some(end) = at.checked_add(bits).filter(|end| *end <= self.objects[object as usize].bits) else {
            return false;
        };
        let mut position = at;
        while position < end {
            let (start, Cell { bits: width, content }) = self.cell_at(cells, object, position);
            let next = (start + width).min(end);
            let skip = position - start;
            let known = match content {
                Content::Undefined(id, from) => self.undefined[id as usize].has(from + skip, next - position),
                Content::Choice(id, from) => self.choices[id as usize].has(from + skip, next - position),
                Content::Layer(id, _) => self.is_layer_known(id),
                _ => true,
            };
            if !known {
                return false;
            }
            position = next;
        }
        true
    }
}
