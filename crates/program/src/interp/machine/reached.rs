//! How often each block of the user's functions is entered.

use super::super::Recording;
use crate::program::{Author, BlockId, FunctionId, Program};

/// Counts by function, for those that were entered; nothing where nobody wants to know.
#[derive(Default)]
pub(in crate::interp) struct Reached(Vec<Vec<u32>>);

impl Reached {
    pub(super) fn of(program: &Program, recording: Recording) -> Reached {
        match recording {
            Recording::Reached | Recording::Deeds => Reached(vec![Vec::new(); program.functions.len()]),
            Recording::Steps | Recording::Outcome => Reached::default(),
        }
    }

    #[inline]
    pub(super) fn enters(&mut self, program: &Program, function: FunctionId, block: BlockId) {
        let Some(counts) = self.0.get_mut(function.index()) else { return };
        if counts.is_empty() {
            let of = program.function(function);
            // Library functions have no counts, and a length that says so.
            let blocks = if of.author == Author::User { of.blocks.len() } else { 0 };
            counts.resize(blocks, 0);
        }
        if let Some(count) = counts.get_mut(block.index()) {
            *count = count.saturating_add(1);
        }
    }

    /// The functions that were entered, with their counts.
    pub(in crate::interp) fn taken(self) -> Vec<(FunctionId, Vec<u32>)> {
        let all = self.0.into_iter().enumerate().filter(|(_, counts)| !counts.is_empty());
        all.map(|(at, counts)| (FunctionId(at as u32), counts)).collect()
    }
}
