//! Inputs of other lengths that pass: some bytes removed at one place, or inserted. All are executed; nothing is proved of what was not.

use super::{Did, Runner};

/// So many candidates are executed, and so many statements.
const MOST_RUNS: usize = 4_000;
const MOST_STEPS: u64 = 300_000_000;

/// What is done to a file, at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resize {
    /// So many bytes go.
    Removed {
        /// The first.
        at: usize,
        /// How many.
        count: usize,
    },
    /// These come.
    Inserted {
        /// Before which place.
        at: usize,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

impl Resize {
    /// How many bytes go or come.
    pub fn count(&self) -> usize {
        match self {
            Resize::Removed { count, .. } => *count,
            Resize::Inserted { bytes, .. } => bytes.len(),
        }
    }

    /// The file after that.
    pub fn applied(&self, file: &[u8]) -> Vec<u8> {
        match self {
            Resize::Removed { at, count } => [&file[..*at], &file[at + count..]].concat(),
            Resize::Inserted { at, bytes } => [&file[..*at], bytes, &file[*at..]].concat(),
        }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Resized {
    /// One with the fewest bytes removed or inserted of those that pass.
    pub found: Option<Resize>,
    /// How many were executed.
    pub tried: usize,
    /// With every smaller number of bytes all places were tried, for removals; and for insertions with some values.
    pub all_below: usize,
}

/// Looks for an input that passes with at most so many bytes removed or inserted.
pub fn resized(runner: &Runner, bytes: &[u8], most: usize) -> Resized {
    let from = runner.steps();
    let mut done = Resized::default();
    for count in 1..=most {
        let removed = (0..(bytes.len() + 1).saturating_sub(count)).rev().map(|at| Resize::Removed { at, count });
        let values = [b'0', 0, 255, b'A'];
        let inserted = (0..=bytes.len())
            .rev()
            .flat_map(|at| values.into_iter().map(move |value| Resize::Inserted { at, bytes: vec![value; count] }));
        for resize in removed.chain(inserted) {
            if done.tried >= MOST_RUNS || runner.steps() - from > MOST_STEPS || runner.is_late() {
                return done;
            }
            done.tried += 1;
            if runner.run(&resize.applied(bytes)) == Did::Passes {
                done.found = Some(resize);
                return done;
            }
        }
        done.all_below = count;
    }
    done
}
