//! Looks at conditions along a run: before each step that is shown, the truth of every watched condition of the running
//! function.

use super::{Machine, Slot};
use crate::program::watched::{self, Watched};
use crate::program::{Author, Base};

/// What is looked at, and what was seen.
pub(super) struct Observer<'a> {
    watched: &'a [Watched],
    now: Vec<(usize, bool)>,
    /// For each recorded step.
    seen: Vec<Vec<(usize, bool)>>,
}

impl Observer<'_> {
    /// A step is recorded.
    pub(super) fn record(&mut self) {
        self.seen.push(self.now.clone());
    }
}

impl<'a> Machine<'a, '_> {
    /// Looks at these conditions from now on.
    pub(in crate::interp) fn watch(&mut self, watched: &'a [Watched]) {
        self.observer = Some(Box::new(Observer { watched, now: Vec::new(), seen: Vec::new() }));
    }

    /// For each recorded step the conditions that could be asked for just before it, with their truth.
    pub(in crate::interp) fn take_seen(&mut self) -> Vec<Vec<(usize, bool)>> {
        self.observer.take().map(|observer| observer.seen).unwrap_or_default()
    }

    /// Sees what holds before the next step. Conditions over what has not come to life are left out.
    pub(super) fn observe(&mut self) {
        let Some(mut observer) = self.observer.take() else { return };
        if let Some(function) = self.frames.last().map(|frame| frame.function)
            && self.program.function(function).author == Author::User
        {
            // Looking is not reading.
            let uses = std::mem::take(&mut self.uses);
            observer.now.clear();
            for (index, watched) in observer.watched.iter().enumerate() {
                let here = watched.function.is_none_or(|whose| whose == function);
                if here && self.is_alive(watched) {
                    observer.now.push((index, self.eval(watched.condition) & 1 == 1));
                }
            }
            self.uses = uses;
        }
        self.observer = Some(observer);
    }

    pub(super) fn is_alive(&self, watched: &Watched) -> bool {
        let places = watched::places(self.program, watched.condition);
        places.iter().all(|place| match self.program.place(*place).base {
            Base::Local(local) => !matches!(self.slots.get(self.base + local.index()), None | Some(Slot::Empty)),
            Base::Global(_) | Base::Deref(_) => true,
        })
    }
}
