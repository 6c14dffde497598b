//! Which assignments of a run matter to a reader: those whose value somebody reads, and that change something.
//!
//! For every byte that a shown step has set, its number is kept until the byte is set again; whoever reads the byte marks
//! the step. A step that nobody has marked by the end of the run is idle, and so is one that assigns what is there
//! already. In doubt a step matters: where it sets part of a byte (a bit-field), or bytes far into a large object.

use std::collections::BTreeSet;

use crate::interp::memory::Space;
use crate::interp::trace::Trace;

/// Bytes of an object beyond this are not followed.
const FOLLOWED: u64 = 1 << 16;
/// Objects beyond this many are not followed.
const MOST_OBJECTS: usize = 1 << 16;

/// What is known of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// Its value was read, or it is no assignment.
    Matters,
    /// Nobody has read its value yet.
    Unread,
    /// It assigned what was there.
    Unchanged,
}

/// The steps and the bytes that they set.
#[derive(Default)]
pub(in crate::interp) struct Uses {
    steps: Vec<Use>,
    /// For each byte the step that set it, from 1; 0 for none. Of slots, private objects and objects by number.
    writers: [Vec<Vec<u32>>; 3],
    /// The steps that say what undefined objects hold at first: nobody assigned that.
    contents: BTreeSet<u32>,
    /// Who sets what whom reads, if asked for.
    pub(in crate::interp) trace: Option<Box<Trace>>,
}

impl Uses {
    /// Somebody reads these bits.
    #[inline]
    pub(super) fn read(&mut self, space: Space, offset: u64, bits: u64) {
        if let Some(trace) = &mut self.trace {
            trace.read(space, offset, bits);
        }
        let (kind, number) = space.home();
        let Some(writers) = self.writers[kind].get(number) else { return };
        let (first, last) =
            (bytes(offset).min(writers.len()), bytes(offset.saturating_add(bits + 7)).min(writers.len()));
        for writer in &writers[first..last] {
            if let Some(step) = self.steps.get_mut((*writer as usize).wrapping_sub(1)) {
                *step = Use::Matters;
            }
        }
    }

    /// These bits are set by nobody who is shown.
    #[inline]
    pub(super) fn overwrite(&mut self, space: Space, offset: u64, bits: u64) {
        if let Some(trace) = &mut self.trace {
            trace.write(space, offset, bits);
        }
        let (kind, number) = space.home();
        let Some(writers) = self.writers[kind].get_mut(number) else { return };
        if whole(offset, bits) {
            let (first, last) =
                (bytes(offset).min(writers.len()), bytes(offset.saturating_add(bits)).min(writers.len()));
            writers[first..last].fill(0);
        }
    }

    /// The step of this number sets these bits.
    pub(super) fn assign(&mut self, step: usize, space: Space, offset: u64, bits: u64) {
        let (kind, number) = space.home();
        if !whole(offset, bits) || offset.saturating_add(bits) / 8 > FOLLOWED || number >= MOST_OBJECTS {
            return;
        }
        let homes = &mut self.writers[kind];
        if homes.len() <= number {
            homes.resize(number + 1, Vec::new());
        }
        let (first, last) = (bytes(offset), bytes(offset + bits));
        if homes[number].len() < last {
            homes[number].resize(last, 0);
        }
        homes[number][first..last].fill(step as u32 + 1);
        self.note(step, Use::Unread);
    }

    /// The step of this number says what these bits are at first.
    pub(super) fn hold(&mut self, step: usize, space: Space, offset: u64, bits: u64) {
        self.assign(step, space, offset, bits);
        self.contents.insert(step as u32 + 1);
    }

    /// Did shown steps assign all of these bits?
    pub(super) fn is_set(&self, space: Space, offset: u64, bits: u64) -> bool {
        let (kind, number) = space.home();
        let set = self.writers[kind].get(number).and_then(|writers| {
            whole(offset, bits).then(|| writers.get(bytes(offset)..bytes(offset.saturating_add(bits))))?
        });
        set.is_some_and(|writers| writers.iter().all(|writer| *writer != 0 && !self.contents.contains(writer)))
    }

    /// The step of this number assigned what was there.
    pub(super) fn unchanged(&mut self, step: usize) {
        self.note(step, Use::Unchanged);
    }

    /// Something new lives there.
    pub(super) fn forget(&mut self, space: Space) {
        let (kind, number) = space.home();
        if let Some(writers) = self.writers[kind].get_mut(number) {
            writers.clear();
        }
    }

    pub(in crate::interp) fn is_idle(&self, step: usize) -> bool {
        self.steps.get(step).is_some_and(|use_of_it| *use_of_it != Use::Matters)
    }

    fn note(&mut self, step: usize, what: Use) {
        if self.steps.len() <= step {
            self.steps.resize(step + 1, Use::Matters);
        }
        self.steps[step] = what;
    }
}

fn whole(offset: u64, bits: u64) -> bool {
    offset.is_multiple_of(8) && bits.is_multiple_of(8)
}

fn bytes(bits: u64) -> usize {
    (bits / 8) as usize
}
