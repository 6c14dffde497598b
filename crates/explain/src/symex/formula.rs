//! What a formula speaks about, collected while a program is unwound, and the claim that the formula holds.
//!
//! Every position of every path is noted with its guard. Whenever a loop goes round, the path may end there: it *closes*
//! if the state is that of an earlier visit to the same head since the loop was entered, and then repeats for ever what
//! it did since. Whether it does, and with which visit, are free choices of the run: other rounds of the same state may
//! be other inputs, so the latest visit alone would lose runs. A cycle of a program's states goes through the head of the
//! outermost loop that it stays in, hence nothing else has to be compared. What is dead at the head does not count. An
//! object that is made anew in each round and is still reachable at the head has a new address each time; such a run
//! never closes.

use std::collections::HashMap;
use std::sync::Arc;

use imbl::ordmap::DiffItem;
use nearmiss_logic::term::{Term, Terms};

use super::control::{Round, Schedule, Visit};
use super::memory::{ALIVE, Cells, Content, INSTANCE, Lifetime, Object, ObjectNumber, SHADOW};
use super::{Frame, State, Symex};
use crate::equation::{ClaimRef, Step, StepKind};
use crate::ltl_terms::{self, Positions};
use nearmiss_program::moments::{self, FirstValues};
use nearmiss_program::program::temporal::{self, Comparison, Happens, Meaning};
use nearmiss_program::program::watched::{self, Watched};
use nearmiss_program::program::{Author, Base, BlockId, FunctionId, PlaceId, Type, TypeId};
use nearmiss_trace::ltl::Bound;
use nearmiss_trace::ltl::core::AtomId;

/// So many bits say whether a variable has been given a value.
const NOTE: u64 = 8;

/// Everything that a formula may be asked about.
#[derive(Default)]
pub(super) struct Word {
    /// Per position its guard and, per signal of the formula, the term that it can be asked for, and the term that it is true.
    positions: Vec<(Term, Vec<(Term, Term)>)>,
    /// For each way to close: the term that the run does, and the first position that it repeats.
    closings: Vec<(Term, usize)>,
    /// Which locals are alive at a head.
    live: HashMap<(FunctionId, BlockId), Arc<[bool]>>,
    /// The entry function's activation, while it is under way.
    entry: Option<Frame>,
    /// When the formula's variables have values: a byte each of an object of our own says so on every path.
    given: FirstValues,
    notes: ObjectNumber,
}

impl Symex<'_> {
    /// Something happens that a formula may speak about.
    pub(super) fn position(&mut self, state: &mut State, happens: Happens<Term>) {
        let Some(temporal) = self.program.temporal.clone().filter(|_| self.word.is_some()) else { return };
        if !temporal.counts(&happens) {
            return;
        }
        let truth = temporal.signals.iter().map(|signal| self.is_true(state, &signal.meaning, happens)).collect();
        let guard = self.here.guard;
        if let Some(word) = &mut self.word {
            word.positions.push((guard, truth));
        }
    }

    /// A function returns.
    pub(super) fn returns(&mut self, state: &mut State, frame: &Frame, value: Option<Term>) {
        if self.program.temporal.as_ref().is_some_and(|temporal| temporal.is_returned(self.program, frame.function)) {
            self.position(state, Happens::Return(frame.function, value));
        }
    }

    /// An activation starts: the first one of the entry function is the one that conditions are over.
    pub(super) fn word_of(&mut self, state: &mut State, frame: &Frame) {
        let is_first = frame.depth == 1 && frame.function == self.program.entry;
        let (Some(temporal), true, true) = (&self.program.temporal, self.word.is_some(), is_first) else { return };
        let given = moments::first_values(temporal, self.program);
        let size = self.eq.terms.constant(self.program.pointer.bits, given.locals.len() as u128);
        let notes = self.new_object(Object {
            name: "given".into(),
            ty: None,
            bits: given.locals.len() as u64 * NOTE,
            size,
            initial: Content::Zero,
            lifetime: Lifetime::Static,
            read_only: false,
            visible: false,
            address: None,
            birth: None,
        });
        for (number, _) in given.from_the_start.iter().enumerate().filter(|(_, is_given)| **is_given) {
            self.note(state, notes, number, true);
        }
        self.word.iter_mut().for_each(|word| word.entry = Some(*frame));
        self.word.iter_mut().for_each(|word| (word.given, word.notes) = (given.clone(), notes));
    }

    fn note(&mut self, state: &mut State, notes: ObjectNumber, number: usize, is_given: bool) {
        let value = self.eq.terms.constant(NOTE as u32, u128::from(is_given));
        self.put_bits(&mut state.cells, notes, number as u64 * NOTE, NOTE, Content::Term(value));
    }

    /// The word, if this is the activation that conditions are over.
    fn word_of_entry(&self, frame: &Frame) -> Option<&Word> {
        self.word.as_ref().filter(|word| word.entry.is_some_and(|entry| entry.base == frame.base))
    }

    /// A statement of a block is done, or its end is about to come.
    pub(super) fn passes(&mut self, state: &mut State, frame: &Frame, block: BlockId, index: usize) {
        let Some(word) = self.word_of_entry(frame) else { return };
        let (notes, changes) = (word.notes, word.given.changes(block, index).to_vec());
        changes.into_iter().for_each(|(number, is_given)| self.note(state, notes, number, is_given));
    }

    /// A variable takes the result of a call.
    pub(super) fn takes(&mut self, state: &mut State, frame: &Frame, target: PlaceId) {
        let Base::Local(local) = self.program.place(target).base else { return };
        let found = self.word_of_entry(frame).map(|word| (word.notes, word.given.locals.binary_search(&local)));
        if let Some((notes, Ok(number))) = found {
            self.note(state, notes, number, true);
        }
    }

    /// The terms that a signal can be asked for, and that it is true: a condition over what has no value cannot.
    fn is_true(&mut self, state: &mut State, meaning: &Meaning, happens: Happens<Term>) -> (Term, Term) {
        let constant = match (meaning, happens) {
            (Meaning::Call(them), Happens::Call(function)) => them.contains(&function),
            (Meaning::Return(them, None), Happens::Return(function, _)) => them.contains(&function),
            (Meaning::Return(them, Some((how, number))), Happens::Return(function, Some(value)))
                if them.contains(&function) =>
            {
                let is_signed = self.program.is_signed(self.program.function(function).returns);
                let compares = compares(&mut self.eq.terms, *how, is_signed, value, *number);
                return (self.eq.terms.tru(), compares);
            }
            (Meaning::Condition(watched), _) => return self.condition(state, watched),
            _ => false,
        };
        (self.eq.terms.tru(), if constant { self.eq.terms.tru() } else { self.eq.terms.fals() })
    }

    fn condition(&mut self, state: &mut State, watched: &Watched) -> (Term, Term) {
        let never = self.eq.terms.fals();
        let Some((frame, word)) = self.word.as_ref().and_then(|word| Some((word.entry?, word))) else {
            return (never, never);
        };
        let (notes, numbers) = (word.notes, word.given.of(self.program, watched));
        let lives = |place: PlaceId| match self.program.place(place).base {
            Base::Local(local) => {
                let slot = frame.base + local.0;
                state.cells.range((slot, 0)..=(slot, ALIVE)).next().is_some()
            }
            Base::Global(_) | Base::Deref(_) => true,
        };
        let all = watched::places(self.program, watched.condition).into_iter().all(lives);
        let mut given = if all { self.eq.terms.tru() } else { never };
        for number in numbers {
            let note = self.read_bits(&state.cells, notes, number as u64 * NOTE, NOTE as u32);
            let nothing = self.eq.terms.constant(NOTE as u32, 0);
            let has_value = self.eq.terms.ne(note, nothing);
            given = self.eq.terms.and(given, has_value);
        }
        // What cannot be asked for is not read: that would make it an input.
        if self.eq.terms.is_false(given) {
            return (never, never);
        }
        (given, self.eval(state, &frame, watched.condition))
    }

    /// A loop is entered: the first visit to its head.
    pub(super) fn enter_loop(&mut self, run: &mut Schedule<'_>, head: u32, frame: &Frame, state: &State) {
        if frame.author != Author::User {
            return;
        }
        let round = run.rounds.entry(head).or_insert_with(|| Round::new(state));
        if round.total > 1 {
            return;
        }
        self.eq.arrivals.push(self.guards.term(state.guard));
        let arrival = self.eq.arrivals.len() as u32 - 1;
        let position = self.word.as_ref().map_or(0, |word| word.positions.len());
        let objects = self.objects.len();
        round.visits = vec![Visit { arrival, cells: state.cells.clone(), position, objects }];
    }

    /// A loop goes round; what is left of the state did not close.
    pub(super) fn go_round(&mut self, run: &mut Schedule<'_>, head: u32, frame: &Frame, mut state: State) -> State {
        let block = run.info.order[head as usize];
        let Some(round) = run.rounds.get_mut(&head).filter(|_| frame.author == Author::User) else { return state };
        let temporal = self.program.temporal.clone();
        if temporal.as_ref().is_some_and(|temporal| !temporal.lets_close()) {
            return state;
        }
        let span = run.info.head(block).map_or(self.here.span, |head| head.span);
        self.stand_at(&state, frame, span);
        self.position(&mut state, Happens::Step);
        self.eq.arrivals.push(self.here.guard);
        let arrival = self.eq.arrivals.len() as u32 - 1;
        for visit in round.visits.iter().rev() {
            let equal = self.same_state(frame, block, &visit.cells, &state.cells);
            if self.eq.terms.is_false(equal) {
                let allocated = self.objects[visit.objects..].iter().any(|object| object.lifetime == Lifetime::Heap);
                if allocated && !self.eq.renewed.contains(&span) {
                    self.eq.renewed.push(span);
                }
                continue;
            }
            let ty = self.program.types.iter().position(|ty| *ty == Type::Bool).unwrap_or(0);
            let variable = self.new_variable("\\closing".into(), TypeId(ty as u32), 1, None);
            self.step(StepKind::Close { variable, equal, at: arrival, back: visit.arrival });
            let wanted = self.eq.terms.and(self.eq.symbol(variable), equal);
            let closed = self.eq.terms.and(self.here.guard, wanted);
            let (_, open) = self.guards.branch(&mut self.eq.terms, state.guard, closed);
            self.word.iter_mut().for_each(|word| word.closings.push((closed, visit.position)));
            state.guard = open;
            self.here.guard = self.guards.term(open);
        }
        let position = self.word.as_ref().map_or(0, |word| word.positions.len());
        let objects = self.objects.len();
        round.visits.push(Visit { arrival, cells: state.cells.clone(), position, objects });
        // The beginning of a run of a model is judged wherever one looks.
        if temporal.is_some_and(|temporal| temporal.cycles.is_some() && temporal.judges_beginnings()) {
            self.may_stop(arrival, &mut state);
        }
        state
    }

    /// A loop that never ends has come to the bound that the user gave: a run of which nothing is claimed but what its steps
    /// claim may end there. What comes next is about the others.
    pub(super) fn stop_at_horizon(&mut self, run: &Schedule<'_>, head: u32, state: &State) {
        let only_closes = self.program.temporal.as_ref().is_some_and(|temporal| temporal.only_closes);
        let info = run.info.head(run.info.order[head as usize]);
        let is_horizon = info.is_some_and(|info| info.endless && self.bounds.is_given(&info.id));
        let visit = run.rounds.get(&head).and_then(|round| round.visits.last());
        let Some(arrival) = visit.map(|visit| visit.arrival).filter(|_| only_closes && is_horizon) else {
            return;
        };
        self.may_stop(arrival, &mut state.clone());
    }

    /// A run may end here, though it would go on.
    fn may_stop(&mut self, arrival: u32, state: &mut State) {
        let ty = self.program.types.iter().position(|ty| *ty == Type::Bool).unwrap_or(0);
        let variable = self.new_variable("\\closing".into(), TypeId(ty as u32), 1, None);
        let equal = self.eq.terms.tru();
        self.step(StepKind::Close { variable, equal, at: arrival, back: arrival });
        let stops = self.eq.terms.and(self.here.guard, self.eq.symbol(variable));
        let (_, open) = self.guards.branch(&mut self.eq.terms, state.guard, stops);
        state.guard = open;
        self.here.guard = self.guards.term(open);
    }

    /// The term that two memories are the same at the head of a loop, as far as anybody can tell.
    fn same_state(&mut self, frame: &Frame, block: BlockId, then: &Cells, now: &Cells) -> Term {
        let live = self.live_at(frame.function, block);
        let own = frame.base..frame.base + self.program.function(frame.function).locals.len() as u32 + 1;
        let differ: Vec<(ObjectNumber, u64, u64)> = (then.diff(now))
            .map(|item| match item {
                DiffItem::Update { old: (key, old), new: (_, new) } => (key.0, key.1, old.bits.max(new.bits)),
                DiffItem::Add(key, cell) | DiffItem::Remove(key, cell) => (key.0, key.1, cell.bits),
            })
            .collect();
        let mut same = self.eq.terms.tru();
        for (object, at, bits) in differ {
            let dead_local =
                own.contains(&object) && !live.get((object - own.start) as usize).copied().unwrap_or(false);
            if object & SHADOW != 0 || dead_local {
                continue;
            }
            let equal = if at == INSTANCE {
                self.eq.terms.fals()
            } else if at == ALIVE {
                let (old, new) = (self.lives(then, object), self.lives(now, object));
                self.eq.terms.eq(old, new)
            } else {
                self.same_bits(then, now, object, at, bits)
            };
            same = self.eq.terms.and(same, equal);
            if self.eq.terms.is_false(same) {
                break;
            }
        }
        same
    }

    /// One bit: does the object exist and live? One that is not there yet does not.
    fn lives(&mut self, cells: &Cells, object: ObjectNumber) -> Term {
        let is_static = self.objects[object as usize].lifetime == Lifetime::Static;
        if !is_static && cells.range((object, 0)..=(object, ALIVE)).next().is_none() {
            return self.eq.terms.fals();
        }
        self.alive(cells, object)
    }

    /// The term that some bits of an object are the same, or that it lives in neither memory. Contents that nobody has looked at yet are the same
    /// only if they are the very same.
    fn same_bits(&mut self, then: &Cells, now: &Cells, object: ObjectNumber, at: u64, bits: u64) -> Term {
        let (old_lives, new_lives) = (self.lives(then, object), self.lives(now, object));
        let lives = self.eq.terms.or(old_lives, new_lives);
        let none = self.eq.terms.not(lives);
        let both = self.eq.terms.eq(old_lives, new_lives);
        if self.eq.terms.is_true(none) || self.eq.terms.is_false(both) {
            return both;
        }
        let mut same = both;
        let end = at + bits;
        let mut position = at;
        while position < end {
            let left = end - position;
            let (old, new) = (self.cells_of(then, object, position, left), self.cells_of(now, object, position, left));
            let (Some((_, old)), Some((_, new))) = (old.first(), new.first()) else { break };
            let lazy = |content: Content| matches!(content, Content::Undefined(..) | Content::Choice(..));
            let length = old.bits.min(new.bits);
            if lazy(old.content) || lazy(new.content) {
                if old.content != new.content {
                    return none;
                }
                position += length;
                continue;
            }
            let length = length.min(64);
            let old = self.part_of_cell(*old, 0, length as u32);
            let new = self.part_of_cell(*new, 0, length as u32);
            let equal = self.eq.terms.eq(old, new);
            same = self.eq.terms.and(same, equal);
            position += length;
        }
        self.eq.terms.or(none, same)
    }

    fn live_at(&mut self, function: FunctionId, block: BlockId) -> Arc<[bool]> {
        let known = self.word.as_ref().and_then(|word| word.live.get(&(function, block)));
        if let Some(live) = known {
            return live.clone();
        }
        let live =
            self.program.temporal.as_ref().map(|temporal| moments::live_at(temporal, self.program, function, block));
        let live: Arc<[bool]> = live.unwrap_or_default().into();
        if let Some(word) = &mut self.word {
            word.live.insert((function, block), live.clone());
        }
        live
    }

    /// After all paths: the claim that the formula holds on those that come to an end or close.
    pub(super) fn claim_formula(&mut self) {
        let (Some(temporal), Some(word)) = (self.program.temporal.clone(), self.word.take()) else { return };
        if temporal.only_closes {
            return;
        }
        let terms = &mut self.eq.terms;
        let mut repeated = Vec::with_capacity(word.positions.len());
        let mut so_far = terms.fals();
        let mut closed = terms.fals();
        for at in 0..word.positions.len() {
            for (closes, _) in word.closings.iter().filter(|(_, first)| *first == at) {
                so_far = terms.or(so_far, *closes);
                closed = terms.or(closed, *closes);
            }
            repeated.push(so_far);
        }
        let signals: Vec<Vec<Term>> = (0..temporal.signals.len())
            .map(|signal| filled(terms, &word.positions, signal, temporal.missing(signal)))
            .collect();
        let atoms = |bound: &Bound| {
            let signal = |atom: u32| signals[temporal::signal_of(bound, AtomId(atom))].clone();
            (0..bound.core.atoms as u32).map(signal).collect()
        };
        let guards = word.positions.iter().map(|(guard, _)| *guard).collect();
        let open = temporal.cycles.is_some();
        let mut positions = Positions { guards, atoms: atoms(&temporal.bound), repeated, closed, open };
        let condition = ltl_terms::holds(terms, &temporal.bound.core, &positions);
        // Whoever made the property has seen to it that it can be encoded.
        let condition = condition.unwrap_or_else(|| terms.fals());
        if let Some(trigger) = &temporal.trigger {
            positions.atoms = atoms(&trigger.bound);
            self.eq.trigger = ltl_terms::holds(terms, &trigger.bound.core, &positions);
        }
        let claim = &self.program.claims[temporal.claim.index()];
        let kind = StepKind::Claim { claim: ClaimRef::Program(temporal.claim), condition, part: false };
        let (guard, function) = (self.eq.terms.tru(), self.program.entry);
        self.eq.steps.push(Step { guard, span: claim.span, function, depth: 1, turn: None, tally: None, kind });
    }
}

/// A value beside a number: in its own bits where the number fits in, else in more than either needs.
pub(crate) fn compares(terms: &mut Terms, how: Comparison, is_signed: bool, value: Term, number: i128) -> Term {
    let width = terms.width(value);
    let fits = match is_signed {
        true => width == 128 || (-(1 << (width - 1))..1 << (width - 1)).contains(&number),
        false => width < 127 && (0..1 << width).contains(&number),
    };
    let wide = if fits { width } else { 128 };
    let value = if is_signed { terms.sext(value, wide) } else { terms.zext(value, wide) };
    let number = terms.constant(wide, number as u128 & (u128::MAX >> (128 - wide)));
    let mut below = |a: Term, b: Term| if is_signed || !fits { terms.slt(a, b) } else { terms.ult(a, b) };
    match how {
        Comparison::Equal => terms.eq(value, number),
        Comparison::Unequal => terms.ne(value, number),
        Comparison::Less => below(value, number),
        Comparison::Greater => below(number, value),
        Comparison::AtMost => {
            let above = below(number, value);
            terms.not(above)
        }
        Comparison::AtLeast => {
            let below = below(value, number);
            terms.not(below)
        }
    }
}

/// The truth of a signal at every position. Where it cannot be asked, it is what it was last, or what it will be first.
fn filled(terms: &mut Terms, positions: &[(Term, Vec<(Term, Term)>)], signal: usize, missing: bool) -> Vec<Term> {
    let never = if missing { terms.tru() } else { terms.fals() };
    let mut first = vec![never; positions.len() + 1];
    for (at, (guard, truth)) in positions.iter().enumerate().rev() {
        let (can_be_asked, truth) = truth[signal];
        let asked = terms.and(*guard, can_be_asked);
        first[at] = terms.ite(asked, truth, first[at + 1]);
    }
    let (mut known, mut last) = (terms.fals(), never);
    let mut row = Vec::with_capacity(positions.len());
    for (at, (guard, truth)) in positions.iter().enumerate() {
        let (can_be_asked, truth) = truth[signal];
        let otherwise = terms.ite(known, last, first[at]);
        row.push(terms.ite(can_be_asked, truth, otherwise));
        let asked = terms.and(*guard, can_be_asked);
        known = terms.or(known, asked);
        last = terms.ite(asked, truth, last);
    }
    row
}
