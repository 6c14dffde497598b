//! Small parts by trying every set of flips: faster than any solver, and a formula such as `G (a <-> b)` has one for every row.

use super::simulation::Simulation;
use super::{Answer, Repair, Status};
use crate::search::unfold::Circuit;

/// Parts with more pairs are not for this: each pair has two values to choose from, or three if it is unknown.
pub(super) const MOST_PAIRS: usize = 4;

/// Decides every pair, with the smallest sets there are.
pub(super) fn solve(part: &Circuit, simulation: &mut Simulation) -> Answer {
    let options: Vec<Vec<Option<bool>>> = (part.values.iter())
        .map(|value| {
            let others = [false, true].into_iter().filter(|to| *value != Some(*to));
            [None].into_iter().chain(others.map(Some)).collect()
        })
        .collect();
    let count: usize = options.iter().map(Vec::len).product();
    let choice = |number: usize| {
        let mut rest = number;
        let mut set = Vec::new();
        for (pair, options) in options.iter().enumerate() {
            set.extend(options[rest % options.len()].map(|to| (pair as u32, to)));
            rest /= options.len();
        }
        set
    };
    let truth: Vec<bool> = (0..count).map(|number| simulation.makes_true(&choice(number))).collect();
    let mut pairs = vec![Status::Innocent; part.pairs.len()];
    let mut repair = Repair::Never;
    for number in 0..count {
        let set = choice(number);
        if truth[number] {
            if !matches!(&repair, Repair::By { flips, .. } if flips.len() <= set.len()) {
                repair = Repair::By { flips: set, fewest: true };
            }
            continue;
        }
        let mut place = 1;
        for (pair, options) in options.iter().enumerate() {
            let untouched = number / place % options.len() == 0;
            for (i, to) in options.iter().enumerate().skip(1).filter(|_| untouched) {
                let smaller = match &pairs[pair] {
                    Status::Cause { least: Some(least), .. } => set.len() < *least,
                    _ => true,
                };
                if let (true, true, Some(to)) = (truth[number + i * place], smaller, to) {
                    pairs[pair] = Status::Cause { least: Some(set.len()), others: Some(set.clone()), to: *to };
                }
            }
            place *= options.len();
        }
    }
    Answer { pairs, repair }
}
