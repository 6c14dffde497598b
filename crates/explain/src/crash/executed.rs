//! An input beside a large crash file that passes, found by execution alone: one byte is changed at a time, to every other value, or two
//! bytes by the same amount, as a sum over bytes asks for.
//!
//! Cost: 255 executions for each byte, the nearest to the failure first, up to a fixed number of executed statements. What was tried
//! with every value is known not to pass; of the rest nothing is said.

use super::{Did, Runner};
use nearmiss_program::program::ClaimId;

/// So many statements are executed.
const MOST_STEPS: u64 = 25_000_000;
/// Of so many bytes pairs are tried.
const MOST_IN_PAIRS: usize = 8;
/// Where every value of fewer bytes than this is too much work, each gets few values, and pairs come first.
const LEAST_WHOLE: u64 = 8;
/// So many bytes get a few values then.
const FEW: usize = 1;

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
    let from = runner.steps();
    let mut search = Search { runner, claim, from, found: Executed::default() };
    search.tries(bytes, &[]);
    let cost = (runner.steps() - from).max(1);
    let is_cheap = MOST_STEPS / cost >= LEAST_WHOLE * 255;
    let done = match is_cheap {
        true => search.singles(bytes, places) || search.pairs(bytes, places),
        false => search.few(bytes, places) || search.pairs(bytes, places) || search.singles(bytes, places),
    };
    search.found.comes |= done;
    search.found
}

/// What is added to a byte: little first, every other value once.
fn changes() -> impl Iterator<Item = u8> {
    (1..=127u8).flat_map(|by| [by, by.wrapping_neg()]).chain([128])
}

struct Search<'a, 'p> {
    runner: &'a Runner<'p>,
    claim: ClaimId,
    from: u64,
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

    fn is_over(&self) -> bool {
        self.runner.steps() - self.from > MOST_STEPS || self.runner.is_late()
    }

    /// Every other value of one byte after the other.
    fn singles(&mut self, bytes: &[u8], places: &[usize]) -> bool {
        for at in places {
            for change in changes() {
                if self.is_over() {
                    return false;
                }
                if self.tries(bytes, &[(*at, change)]) {
                    return true;
                }
            }
            self.found.whole += 1;
        }
        false
    }

    /// A few values of a few bytes.
    fn few(&mut self, bytes: &[u8], places: &[usize]) -> bool {
        let changes = || (0..8).flat_map(|power| [1u8 << power, (1u8 << power).wrapping_neg()]);
        let singles = places.iter().take(FEW).flat_map(|at| changes().map(move |change| (*at, change)));
        for single in singles {
            if self.is_over() || self.tries(bytes, &[single]) {
                return self.found.comes;
            }
        }
        false
    }

    /// A byte more and another one as much more, or less.
    fn pairs(&mut self, bytes: &[u8], places: &[usize]) -> bool {
        let places = &places[..places.len().min(MOST_IN_PAIRS)];
        for (number, one) in places.iter().enumerate() {
            for power in [3, 4, 5, 2, 1, 6, 0] {
                for other in &places[number + 1..] {
                    let by = 1u8 << power;
                    let minus = by.wrapping_neg();
                    for [first, second] in [[minus, minus], [by, by], [minus, by], [by, minus]] {
                        if self.is_over() {
                            return false;
                        }
                        if self.tries(bytes, &[(*one, first), (*other, second)]) {
                            return true;
                        }
                    }
                }
            }
        }
        false
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
