//! A smaller crash file: fewer bytes, then printable ones, that violate the same claim at the same place (Zeller and Hildebrandt,
//! "Simplifying and isolating failure-inducing input", 2002).
//!
//! Chunks are removed, from halves down to single bytes, until no single byte can go; then each byte is made readable. Every
//! candidate is executed by the interpreter, so what is told violates the claim. That it is the smallest is another question.
//! Cost: one execution for each candidate, up to a fixed number of executed statements.

use super::{Did, Runner};
use nearmiss_program::program::ClaimId;

/// So many statements are executed.
const MOST_STEPS: u64 = 400_000_000;
/// So many candidates are.
const MOST_RUNS: u64 = 60_000;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Smaller {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// How many candidates were executed.
    pub tried: u64,
    /// Whether no single byte can be removed.
    pub is_settled: bool,
}

/// Makes bytes that violate this claim fewer, and readable.
pub fn smaller(runner: &Runner, bytes: &[u8], claim: ClaimId) -> Smaller {
    let mut search = Search { runner, claim, tried: 0, from: runner.steps() };
    let mut best = bytes.to_vec();
    let is_settled = search.removed(&mut best);
    search.readable(&mut best);
    Smaller { bytes: best, tried: search.tried, is_settled }
}

struct Search<'a, 'p> {
    runner: &'a Runner<'p>,
    claim: ClaimId,
    tried: u64,
    from: u64,
}

impl Search<'_, '_> {
    fn fails(&mut self, bytes: &[u8]) -> bool {
        self.tried += 1;
        self.runner.run(bytes) == Did::Violates(self.claim)
    }

    fn is_over(&self) -> bool {
        self.tried >= MOST_RUNS || self.runner.steps() - self.from > MOST_STEPS || self.runner.is_late()
    }

    /// Removes chunks; whether it came to where no single byte can go.
    fn removed(&mut self, best: &mut Vec<u8>) -> bool {
        if best.is_empty() {
            return true;
        }
        // What is cut off at the end is tried first: most of a large file is behind what matters.
        let (mut fails_with, mut passes_with) = (best.len(), None);
        while fails_with > passes_with.map_or(0, |passes: usize| passes + 1) && !self.is_over() {
            let middle = passes_with.map_or(0, |passes: usize| (passes + fails_with) / 2);
            if self.fails(&best[..middle]) { fails_with = middle } else { passes_with = Some(middle) }
        }
        best.truncate(fails_with);
        let mut size = best.len().div_ceil(2).max(1);
        loop {
            let (mut at, mut any) = (0, false);
            while at < best.len() {
                if self.is_over() {
                    return false;
                }
                let end = (at + size).min(best.len());
                let candidate = [&best[..at], &best[end..]].concat();
                if self.fails(&candidate) {
                    *best = candidate;
                    any = true;
                } else {
                    at = end;
                }
            }
            match (any, size) {
                (false, 1) => return true,
                (true, 1) => {}
                _ => size = size.div_ceil(2).min(best.len().max(1)),
            }
            if best.is_empty() {
                return true;
            }
        }
    }

    /// Makes bytes zeros as a digit, or another readable character.
    fn readable(&mut self, best: &mut [u8]) {
        for at in 0..best.len() {
            let old = best[at];
            let others = (b' '..=b'~').filter(|_| !(b' '..=b'~').contains(&old));
            for new in [b'0', b'A'].into_iter().chain(others).filter(|new| *new != old) {
                if old == b'0' || self.is_over() {
                    break;
                }
                best[at] = new;
                if self.fails(best) {
                    break;
                }
                best[at] = old;
            }
        }
    }
}
