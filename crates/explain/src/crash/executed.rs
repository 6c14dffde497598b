//! An input beside a large crash file that passes, found by execution alone: one byte is changed at a time, to every other value, or two
//! bytes by the same amount, as a sum over bytes asks for.
//!
//! Cost: 255 executions for each byte, the nearest to the failure first, up to a fixed number of executed statements. What was tried
//! with every value is known not to pass; of the rest nothing is said.

use super::{Did, Runner};
use nearmiss_program::program::ClaimId;

/// So many statements are executed for single bytes, and so many for pairs.
const MOST_STEPS: u64 = 200_000_000;
const MOST_STEPS_OF_PAIRS: u64 = 200_000_000;
/// Of so many bytes pairs are tried.
const MOST_IN_PAIRS: usize = 8;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Executed {
    /// An input that passes; if there are some, one that comes to the claim.
    pub passing: Option<Vec<u8>>,
    /// Whether it comes to the claim.
    pub comes: bool,
    /// So many bytes were tried with every value.
    pub whole: usize,
    /// How many inputs were executed.
    pub tried: usize,
}

/// Looks for an input that passes, by changes of bytes at these places, in this order.
pub fn passing(runner: &Runner, bytes: &[u8], claim: ClaimId, places: &[usize]) -> Executed {
    let mut search = Search { runner, claim, found: Executed::default() };
    let from = runner.steps();
    for at in places {
        for change in changes() {
            if runner.steps() - from > MOST_STEPS || runner.is_late() {
                return search.pairs(bytes, places);
            }
            if search.tries(bytes, &[(*at, change)]) {
                return search.found;
            }
        }
        search.found.whole += 1;
    }
    search.pairs(bytes, places)
}

/// What is added to a byte: little first, every other value once.
fn changes() -> impl Iterator<Item = u8> {
    (1..=127u8).flat_map(|by| [by, by.wrapping_neg()]).chain([128])
}

struct Search<'a, 'p> {
    runner: &'a Runner<'p>,
    claim: ClaimId,
    found: Executed,
}

impl Search<'_, '_> {
    /// Executes the bytes with these changes; whether that passes and comes to the claim.
    fn tries(&mut self, bytes: &[u8], changes: &[(usize, u8)]) -> bool {
        let mut changed = bytes.to_vec();
        for (at, by) in changes {
            changed[*at] = changed[*at].wrapping_add(*by);
        }
        self.found.tried += 1;
        let (did, comes) = self.runner.run_to(&changed, self.claim);
        if did == Did::Passes && (comes || self.found.passing.is_none()) {
            (self.found.passing, self.found.comes) = (Some(changed), comes);
        }
        self.found.comes
    }

    /// Where no single byte does it: a byte more and another one as much more, or less.
    fn pairs(mut self, bytes: &[u8], places: &[usize]) -> Executed {
        let from = self.runner.steps();
        let places = &places[..places.len().min(MOST_IN_PAIRS)];
        for power in [3, 4, 2, 5, 1, 6, 0] {
            for (number, one) in places.iter().enumerate() {
                for other in &places[..number] {
                    let by = 1u8 << power;
                    let minus = by.wrapping_neg();
                    for [first, second] in [[by, by], [minus, minus], [by, minus], [minus, by]] {
                        if self.runner.steps() - from > MOST_STEPS_OF_PAIRS || self.runner.is_late() {
                            return self.found;
                        }
                        if self.tries(bytes, &[(*one, first), (*other, second)]) {
                            return self.found;
                        }
                    }
                }
            }
        }
        self.found
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_other_value_comes_once() {
        let mut all: Vec<u8> = super::changes().collect();
        all.sort_unstable();
        assert_eq!(all, (1..=255).collect::<Vec<u8>>());
    }
}
