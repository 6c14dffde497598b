//! For each literal the clauses to visit when it becomes false. All lists are in one store; one that outgrows its place moves to the end.

use std::ops::Range;

#[derive(Copy, Clone, Default)]
pub(super) struct Watch {
    clause: u32,
    /// A literal of the clause: while it is true there is nothing to do. Of a clause of two, the other one.
    pub(super) blocker: u32,
}

const BINARY: u32 = 1 << 31;

impl Watch {
    pub(super) fn new(clause: u32, blocker: u32, binary: bool) -> Watch {
        Watch { clause: if binary { clause | BINARY } else { clause }, blocker }
    }

    pub(super) fn clause(self) -> u32 {
        self.clause & !BINARY
    }

    pub(super) fn is_binary(self) -> bool {
        self.clause & BINARY != 0
    }
}

#[derive(Copy, Clone, Default)]
struct List {
    start: u32,
    length: u32,
    room: u32,
}

#[derive(Clone, Default)]
pub(super) struct Watches {
    lists: Vec<List>,
    store: Vec<Watch>,
}

impl Watches {
    pub(super) fn make_lists(&mut self, count: usize) {
        self.lists.resize(count, List::default());
    }

    /// Make room for so many in each list, and a few more.
    pub(super) fn reserve(&mut self, counts: &[u32]) {
        let mut start = 0;
        for (list, &count) in self.lists.iter_mut().zip(counts) {
            let room = if count == 0 { 0 } else { count + 2 };
            *list = List { start, length: 0, room };
            start += room;
        }
        self.store = vec![Watch::default(); start as usize];
    }

    pub(super) fn push(&mut self, lit: u32, watch: Watch) {
        let list = &mut self.lists[lit as usize];
        if list.length == list.room {
            let old = list.start as usize..(list.start + list.length) as usize;
            list.start = self.store.len() as u32;
            list.room = 2 * list.room + 4;
            self.store.extend_from_within(old);
            self.store.resize((list.start + list.room) as usize, Watch::default());
        }
        self.store[(list.start + list.length) as usize] = watch;
        list.length += 1;
    }

    /// Where the list of a literal is.
    #[inline]
    pub(super) fn range(&self, lit: u32) -> Range<usize> {
        let list = self.lists[lit as usize];
        list.start as usize..(list.start + list.length) as usize
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Watch {
        self.store[at]
    }

    #[inline]
    pub(super) fn set(&mut self, at: usize, watch: Watch) {
        self.store[at] = watch;
    }

    /// Take out of a list what is from `kept` on and before `next`.
    pub(super) fn close_gap(&mut self, lit: u32, kept: usize, next: usize) {
        if kept == next {
            return;
        }
        let end = self.range(lit).end;
        self.store.copy_within(next..end, kept);
        self.lists[lit as usize].length -= (next - kept) as u32;
    }

    pub(super) fn retain(&mut self, wanted: impl Fn(Watch) -> bool) {
        for list in &mut self.lists {
            let start = list.start as usize;
            let mut kept = start;
            for at in start..start + list.length as usize {
                let watch = self.store[at];
                if wanted(watch) {
                    self.store[kept] = watch;
                    kept += 1;
                }
            }
            list.length = (kept - start) as u32;
        }
    }
}
