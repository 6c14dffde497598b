//! The word of a run, for a temporal formula: what holds at each position, and whether the run closes into a loop.
//!
//! A run that is said to close is believed only if all that lives when it does so is, bit by bit, what it was at the earlier arrival: the calls under
//! way, their locals as far as they may be read, and every object. Then the evaluator of formulas judges the word.

use super::{Machine, Slot, Step};
use crate::interp::memory::Object;
use crate::interp::{InputSource, Recording};
use crate::loops::{self, LoopHead, LoopInfo};
use crate::moments::{self, FirstValues};
use crate::program::temporal::{Happens, Meaning, Temporal};
use crate::program::watched::Watched;
use crate::program::{Author, Base, BlockId, FunctionId, PlaceId};
use crate::run::{Outcome, Position, RunStep, RunStepKind, Sight, Word};
use crate::source::Span;
use nearmiss_logic::width::{low_bits, sign_extend};

/// What is taken down during a run.
#[derive(Default)]
pub(super) struct Recorder {
    /// Per position where it is and, per signal, whether it is true; none where that cannot be asked.
    seen: Vec<(Span, Vec<Option<bool>>)>,
    /// Position and step from which on the run repeats itself.
    repeats: Option<(usize, usize)>,
    /// Arrivals at heads of the user's loops so far.
    arrivals: u32,
    /// Where the loop starts that the run closes into, once it has been there.
    start: Option<Snapshot>,
    loops: Vec<(FunctionId, LoopInfo)>,
    /// Which of the formula's variables have been given a value.
    given: Vec<bool>,
}

/// Everything that a run can depend on from now on.
struct Snapshot {
    /// The first position after it, and the first step.
    position: usize,
    step: usize,
    frames: Vec<(FunctionId, BlockId, usize)>,
    /// Per slot what it holds; none where nobody will read it.
    slots: Vec<Held>,
    objects: Vec<Object>,
    given: Vec<bool>,
}

#[derive(PartialEq)]
enum Held {
    Nothing,
    Value(u128),
    Private(Option<Object>),
    Object(u64),
}

impl Machine<'_, '_> {
    /// Something happens that a formula may speak about.
    pub(super) fn position(&mut self, happens: Happens<u128>, span: Span) {
        let program = self.program;
        let Some(temporal) = program.temporal.as_ref().filter(|_| self.word.is_some()) else { return };
        if !temporal.counts(&happens) {
            return;
        }
        let truth = temporal.signals.iter().map(|signal| match (&signal.meaning, happens) {
            (Meaning::Call(them), Happens::Call(function)) => Some(them.contains(&function)),
            (Meaning::Return(them, None), Happens::Return(function, _)) => Some(them.contains(&function)),
            (Meaning::Return(them, Some((how, number))), Happens::Return(function, Some(value))) => {
                let ty = program.function(function).returns;
                let bits = program.size_bits(ty).min(128) as u32;
                let value =
                    if program.is_signed(ty) { sign_extend(value, bits) } else { (value & low_bits(bits)) as i128 };
                Some(them.contains(&function) && how.holds(value, *number))
            }
            (Meaning::Condition(watched), _) => self.condition(watched),
            _ => Some(false),
        });
        let truth = truth.collect();
        if let Some(recorder) = &mut self.word {
            recorder.seen.push((span, truth));
        }
    }

    /// The truth of a condition over the entry function's first activation; none while that does not have what it is over.
    fn condition(&mut self, watched: &Watched) -> Option<bool> {
        let entry = self.frames.get(1).filter(|frame| frame.function == self.program.entry);
        if watched.function.is_some() && entry.is_none() {
            return None;
        }
        let base = std::mem::replace(&mut self.base, entry.map_or(0, |frame| frame.base));
        // What the formula reads is not set in vain, but no statement reads it.
        let trace = self.uses.trace.take();
        let can_be_asked = self.is_given(watched) && self.is_alive(watched);
        let truth = can_be_asked.then(|| self.eval(watched.condition) & 1 == 1);
        (self.base, self.uses.trace) = (base, trace);
        truth
    }

    fn is_given(&self, watched: &Watched) -> bool {
        let given = self.word.as_ref().map_or(&[][..], |recorder| &recorder.given);
        let numbers = self.code.given.of(self.program, watched);
        numbers.iter().all(|number| given.get(*number).copied().unwrap_or(false))
    }

    /// Is the activation that runs the one that conditions are over?
    fn is_entry(&self) -> bool {
        self.frames.len() == 2 && self.frames.last().is_some_and(|frame| frame.function == self.program.entry)
    }

    /// A statement of a block is done, or its end is about to come.
    pub(super) fn passes(&mut self, block: BlockId, index: usize) {
        if self.word.is_none() || !self.is_entry() {
            return;
        }
        let changes = self.code.given.changes(block, index);
        if let Some(recorder) = &mut self.word {
            changes.iter().for_each(|(number, is_given)| recorder.given[*number] = *is_given);
        }
    }

    /// A variable takes the result of a call.
    pub(super) fn takes(&mut self, target: PlaceId) {
        let Base::Local(local) = self.program.place(target).base else { return };
        if let (true, Ok(number)) = (self.is_entry(), self.code.given.locals.binary_search(&local))
            && let Some(recorder) = &mut self.word
        {
            recorder.given[number] = true;
        }
    }

    /// Control comes to a block. If it is the head of a loop, the run may close there: then it ends.
    pub(super) fn arrive(&mut self, from: Option<BlockId>, to: BlockId) -> Step<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let (program, function) = (self.program, frame.function);
        let (Some(recorder), Author::User) = (&mut self.word, program.function(function).author) else { return Ok(()) };
        let known = recorder.loops.iter().position(|(of, _)| *of == function);
        let known = known.unwrap_or_else(|| {
            recorder.loops.push((function, loops::analyse(program, function)));
            recorder.loops.len() - 1
        });
        let info = &recorder.loops[known].1;
        let Some(LoopHead { span, .. }) = info.head(to).cloned() else { return Ok(()) };
        let again = from.is_some_and(|from| info.position[to.index()] <= info.position[from.index()]);
        let arrival = recorder.arrivals;
        recorder.arrivals += 1;
        if again {
            self.position(Happens::Step, span);
        }
        let closing = match &self.inputs {
            InputSource::Inputs(inputs) => inputs.closing,
            InputSource::Oracle(_) => None,
        };
        let Some(closing) = closing else { return Ok(()) };
        if arrival == closing.back {
            let start = self.snapshot(to);
            if let Some(recorder) = &mut self.word {
                recorder.start = Some(start);
            }
        }
        if arrival < closing.at {
            return Ok(());
        }
        if closing.is_horizon() {
            return Err(Outcome::Finished);
        }
        let now = self.snapshot(to);
        let start = self.word.as_mut().and_then(|recorder| recorder.start.take());
        let start = start.filter(|start| start.is_same(&now)).ok_or(Outcome::Excluded)?;
        if let Some(recorder) = &mut self.word {
            recorder.repeats = Some((start.position, start.step));
        }
        Err(Outcome::Finished)
    }

    fn snapshot(&self, head: BlockId) -> Snapshot {
        let mut frames: Vec<_> = self.frames.iter().map(|frame| (frame.function, frame.block, frame.index)).collect();
        let mut live = Vec::new();
        if let Some((function, block, index)) = frames.last_mut() {
            (*block, *index) = (head, 0);
            let temporal = self.program.temporal.as_ref();
            live =
                temporal.map(|temporal| moments::live_at(temporal, self.program, *function, head)).unwrap_or_default();
        }
        let held = |(number, slot): (usize, &Slot)| match slot {
            _ if number.checked_sub(self.base).is_some_and(|local| !live[local]) => Held::Nothing,
            Slot::Empty => Held::Nothing,
            Slot::Value(value) => Held::Value(*value),
            Slot::Private(number) => Held::Private(self.private.objects.get(*number as usize).cloned()),
            Slot::Object(number) => Held::Object(*number),
        };
        Snapshot {
            step: self.recorded.len(),
            position: self.word.as_ref().map_or(0, |recorder| recorder.seen.len()),
            frames,
            slots: self.slots.iter().enumerate().map(held).collect(),
            objects: self.memory.objects.clone(),
            given: self.word.as_ref().map(|recorder| recorder.given.clone()).unwrap_or_default(),
        }
    }

    /// How a run that came to its end, or closed, ends by the formula; and its word.
    pub(in crate::interp) fn judge(&mut self, outcome: Outcome) -> (Outcome, Option<Word>) {
        let (Some(recorder), Some(temporal)) = (self.word.take(), &self.program.temporal) else {
            return (outcome, None);
        };
        let arrivals = recorder.arrivals;
        let word = recorder.word(temporal);
        if outcome != Outcome::Finished {
            return (outcome, Some(word));
        }
        let wanted = match &self.inputs {
            InputSource::Inputs(inputs) => inputs.closing,
            InputSource::Oracle(_) => None,
        };
        let is_as_wanted = match wanted {
            // A formula is about whole runs.
            Some(closing) if closing.is_horizon() => temporal.judges_beginnings() && arrivals == closing.at + 1,
            Some(_) if !temporal.lets_close() => false,
            _ => wanted.is_some() == word.loop_start.is_some(),
        };
        if !is_as_wanted {
            return (Outcome::Excluded, Some(word));
        }
        let held = moments::holds(temporal, &word);
        // What is set in the loop may be read in its next round.
        if let Some(from) = word.repeats_from {
            self.recorded.iter_mut().skip(from).for_each(|step| step.idle = false);
        }
        if temporal.only_closes {
            return (outcome, Some(word));
        }
        let claim = temporal.claim;
        if self.recording == Recording::Steps {
            let (span, function) = (self.program.claims[claim.index()].span, self.program.entry);
            let kind = RunStepKind::Claim { claim, held, seen: Sight::default() };
            self.recorded.push(RunStep { kind, span, function, depth: 1, idle: false });
        }
        (if held { outcome } else { Outcome::Violated(claim) }, Some(word))
    }
}

impl Recorder {
    /// Nothing has happened yet.
    pub(super) fn new(given: &FirstValues) -> Recorder {
        Recorder { given: given.from_the_start.clone(), ..Recorder::default() }
    }

    /// Bytes that the word takes so far.
    pub(super) fn size(&self) -> u64 {
        let each = self.seen.first().map_or(0, |(_, truth)| size_of::<Span>() + 32 + truth.len());
        (self.seen.len() * each) as u64
    }

    /// Where a signal cannot be asked for, it is what it was last, or what it will be first.
    fn word(self, temporal: &Temporal) -> Word {
        let first = |signal: usize| {
            let mut asked = self.seen.iter().enumerate().filter_map(|(at, (_, truth))| Some((at, truth[signal]?)));
            asked.next().unwrap_or_else(|| (0, temporal.missing(signal)))
        };
        let (known_from, mut now): (Vec<usize>, Vec<bool>) = (0..temporal.signals.len()).map(first).unzip();
        let position = |(span, truth): (Span, Vec<Option<bool>>)| {
            now.iter_mut().zip(truth).for_each(|(now, truth)| *now = truth.unwrap_or(*now));
            Position { span, truth: now.clone() }
        };
        Word {
            positions: self.seen.into_iter().map(position).collect(),
            loop_start: self.repeats.map(|(position, _)| position),
            repeats_from: self.repeats.map(|(_, step)| step),
            known_from,
        }
    }
}

impl Snapshot {
    /// Objects that were made since must be gone; all else is as it was.
    fn is_same(&self, now: &Snapshot) -> bool {
        let (old, new) = now.objects.split_at(self.objects.len().min(now.objects.len()));
        self.frames == now.frames
            && self.slots == now.slots
            && self.given == now.given
            && self.objects.iter().zip(old).all(|(then, now)| then == now || !(then.alive || now.alive))
            && new.iter().all(|object| !object.alive)
    }
}
