//! The order in which variables are guessed: a list in which what took part in a conflict moves to the front, and a place in it
//! before which nothing is open.

const NONE: u32 = 0;

#[derive(Clone, Default)]
pub(super) struct Queue {
    /// By variable. Variables count from 1, so 0 is none.
    places: Vec<Place>,
    front: u32,
    /// All before this, towards the front, have a value.
    start: u32,
    time: u64,
}

#[derive(Copy, Clone, Default)]
struct Place {
    before: u32,
    after: u32,
    /// When it came to the front; 0 if it is not in the list.
    time: u64,
}

impl Queue {
    pub(super) fn make_places(&mut self, count: usize) {
        self.places.resize(count, Place::default());
    }

    pub(super) fn contains(&self, variable: u32) -> bool {
        self.places[variable as usize].time > 0
    }

    /// When the variable came to the front.
    pub(super) fn time(&self, variable: u32) -> u64 {
        self.places[variable as usize].time
    }

    /// A new variable, or one that was taken out; it has no value.
    pub(super) fn push_front(&mut self, variable: u32) {
        self.time += 1;
        self.places[variable as usize] = Place { before: NONE, after: self.front, time: self.time };
        if self.front != NONE {
            self.places[self.front as usize].before = variable;
        }
        self.front = variable;
        self.start = variable;
    }

    /// Move a variable that has a value to the front.
    pub(super) fn bump(&mut self, variable: u32) {
        if !self.contains(variable) || self.front == variable {
            return;
        }
        self.remove(variable);
        let start = self.start;
        self.push_front(variable);
        self.start = start;
    }

    /// Take a variable out. If it is where the search for open ones would start, that moves towards the front.
    pub(super) fn remove(&mut self, variable: u32) {
        let Place { before, after, .. } = std::mem::take(&mut self.places[variable as usize]);
        if before == NONE {
            self.front = after;
        } else {
            self.places[before as usize].after = after;
        }
        if after != NONE {
            self.places[after as usize].before = before;
        }
        if self.start == variable {
            self.start = if before == NONE { after } else { before };
        }
    }

    /// A variable lost its value.
    pub(super) fn reopened(&mut self, variable: u32) {
        if self.places[variable as usize].time > self.places[self.start as usize].time {
            self.start = variable;
        }
    }

    /// The first variable that is open.
    pub(super) fn next(&mut self, open: impl Fn(u32) -> bool) -> Option<u32> {
        let mut variable = self.start;
        while variable != NONE {
            if open(variable) {
                self.start = variable;
                return Some(variable);
            }
            if self.places[variable as usize].after == NONE {
                self.start = variable;
            }
            variable = self.places[variable as usize].after;
        }
        None
    }
}
