//! Runs compared step by step: which step of one is which step of the other (Chaki, Groce, Strichman, "Explaining
//! abstract counterexamples", section 4).
//!
//! Steps may be aligned at the same location only, one to one and without crossing. An aligned pair pays for every
//! component in which it differs and for another action, a step that is aligned with none (the paper's definition 4.2
//! has the quantifier wrong) for being there at all. The distance of two runs is the cheapest of all alignments, by
//! dynamic programming: here for two runs that are given, in `joint.rs` for all runs at once.
//!
//! Cost: linear in the longer run times the number of steps that are not aligned. A cell of the table away from the
//! diagonal is paid for by unaligned steps, so a band around it suffices; it doubles until it does.

pub(crate) mod delta;
pub(crate) mod joint;
pub mod sequence;

use crate::explanation::Weights;

/// What a step does to the outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing that is not in its components.
    None,
    /// It violates its claim.
    AssertionFailure,
    /// A function returns that a formula speaks of: what is asked of its value, a bit per question.
    Returns(u64),
}

/// One executed step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Steps at the same location have the same number, and as many components.
    pub location: usize,
    /// What it does.
    pub action: Action,
    /// What is compared.
    pub components: Vec<u128>,
}

impl Taken {
    /// What it costs to align two steps of the same location.
    fn price(&self, other: &Taken, weights: &Weights) -> u64 {
        let differing = self.components.iter().zip(&other.components).filter(|(a, b)| a != b).count() as u64;
        differing * weights.component + u64::from(self.action != other.action) * weights.action
    }
}

/// Which steps of two runs belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alignment {
    /// Numbers of steps, ascending in both.
    pub pairs: Vec<(usize, usize)>,
    /// The price of everything that differs.
    pub cost: u64,
}

/// A cheapest alignment; of several the one that aligns early.
pub fn align(a: &[Taken], b: &[Taken], weights: &Weights) -> Alignment {
    let mut band = a.len().abs_diff(b.len()) + 8;
    loop {
        let table = Table::fill(a, b, weights, band);
        // Whatever leaves the band costs more than this.
        if table.cost(0, 0) <= band as u64 * weights.control || band >= a.len().max(b.len()) {
            return table.trace();
        }
        band *= 2;
    }
}

/// What the rest costs from each pair of positions on, near the diagonal.
struct Table<'a> {
    a: &'a [Taken],
    b: &'a [Taken],
    weights: &'a Weights,
    band: usize,
    costs: Vec<u64>,
}

impl<'a> Table<'a> {
    fn fill(a: &'a [Taken], b: &'a [Taken], weights: &'a Weights, band: usize) -> Table<'a> {
        let costs = vec![u64::MAX; (a.len() + 1) * (2 * band + 1)];
        let mut table = Table { a, b, weights, band, costs };
        for i in (0..=a.len()).rev() {
            for j in (i.saturating_sub(band)..=(i + band).min(b.len())).rev() {
                let cost = if (i, j) == (a.len(), b.len()) {
                    0
                } else {
                    let skipped = table.cost(i + 1, j).min(table.cost(i, j + 1)).saturating_add(weights.control);
                    skipped.min(table.aligned(i, j))
                };
                let at = i * (2 * band + 1) + j + band - i;
                table.costs[at] = cost;
            }
        }
        table
    }

    fn cost(&self, i: usize, j: usize) -> u64 {
        let inside = i <= self.a.len() && j <= self.b.len() && i.abs_diff(j) <= self.band;
        if inside { self.costs[i * (2 * self.band + 1) + j + self.band - i] } else { u64::MAX }
    }

    /// The cost from here on if these two are aligned.
    fn aligned(&self, i: usize, j: usize) -> u64 {
        match (self.a.get(i), self.b.get(j)) {
            (Some(one), Some(other)) if one.location == other.location => {
                self.cost(i + 1, j + 1).saturating_add(one.price(other, self.weights))
            }
            _ => u64::MAX,
        }
    }

    fn trace(&self) -> Alignment {
        let (mut i, mut j) = (0, 0);
        let mut pairs = Vec::new();
        while i < self.a.len() && j < self.b.len() {
            let cost = self.cost(i, j);
            if self.aligned(i, j) == cost {
                pairs.push((i, j));
                (i, j) = (i + 1, j + 1);
            } else if self.cost(i + 1, j).saturating_add(self.weights.control) == cost {
                i += 1;
            } else {
                j += 1;
            }
        }
        Alignment { pairs, cost: self.cost(0, 0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Vec<Taken> {
        let taken = |word: &str| {
            let (location, value) = word.split_at(1);
            let components = vec![value.trim_end_matches('!').parse().unwrap_or(0)];
            let action = if word.ends_with('!') { Action::AssertionFailure } else { Action::None };
            Taken { location: location.as_bytes()[0] as usize, action, components }
        };
        text.split_whitespace().map(taken).collect()
    }

    fn aligned(a: &str, b: &str) -> (Vec<(usize, usize)>, u64) {
        let found = align(&run(a), &run(b), &Weights::for_components(1));
        (found.pairs, found.cost)
    }

    #[test]
    fn a_deleted_step_is_paid_once() {
        assert_eq!(aligned("a1 b1 c1 d1!", "a1 c1 d1"), (vec![(0, 0), (2, 1), (3, 2)], 3 + 1));
    }

    #[test]
    fn of_equal_alignments_the_early_one_is_taken() {
        assert_eq!(aligned("a1 b1", "a1 b1 a1 b1"), (vec![(0, 0), (1, 1)], 6));
        assert_eq!(aligned("a1 a1", "a1"), (vec![(0, 0)], 3));
    }

    #[test]
    fn what_differs_is_aligned_all_the_same() {
        assert_eq!(aligned("a1 b1", "a2 b2"), (vec![(0, 0), (1, 1)], 2));
    }

    #[test]
    fn alignments_do_not_cross() {
        assert_eq!(aligned("a1 b1", "b1 a1").1, 6);
    }

    #[test]
    fn runs_without_steps() {
        assert_eq!(aligned("", ""), (vec![], 0));
        assert_eq!(aligned("a1 a1 a1", ""), (vec![], 9));
    }
}
