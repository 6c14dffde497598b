//! Two runs side by side: which step of one stands beside which step of the other.
//!
//! Call by call: the steps of a call itself are aligned first, then those of the calls that stand beside each other. Where
//! the runs part, they meet again at the nearest statement that both come to, so that a turn of a loop stands beside the
//! same turn. A longest common subsequence would have more rows in common, but it pairs the turns of a loop by how alike
//! they are. Linear in the length of the runs, but for a logarithm.

use std::collections::BTreeMap;
use std::ops::Range;

/// Rows in a row: steps of both runs, then steps of the failing one alone, then of the passing one alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stretch {
    /// Rows with a step of either run.
    pub both: usize,
    /// Rows of the failing run alone.
    pub failing: usize,
    /// Rows of the passing run alone.
    pub passing: usize,
}

/// A step: the number of its statement, and the number of calls under way.
pub type Step = (u32, u32);

/// The rows.
pub fn align(failing: &[Step], passing: &[Step]) -> Vec<Stretch> {
    let mut rows = Rows::default();
    calls(failing, passing, &mut rows);
    if rows.last != Stretch::default() {
        rows.done.push(rows.last);
    }
    rows.done
}

/// A step of a call and, behind it, those of the call that it makes. Without a step of its own: what was under way before.
struct Item {
    statement: Option<u32>,
    all: Range<usize>,
}

/// Aligns two calls, or what is left of them.
fn calls(failing: &[Step], passing: &[Step], rows: &mut Rows) {
    let (first, second) = (items(failing), items(passing));
    let mut places: BTreeMap<Option<u32>, Vec<usize>> = BTreeMap::new();
    for (at, item) in second.iter().enumerate() {
        places.entry(item.statement).or_default().push(at);
    }
    let next = |statement: Option<u32>, from: usize| {
        let places = places.get(&statement)?;
        places.get(places.partition_point(|at| *at < from)).copied()
    };
    let (mut i, mut j) = (0, 0);
    while i < first.len() || j < second.len() {
        let mut nearest: Option<(usize, usize)> = None;
        for x in 0..first.len() - i {
            if nearest.is_some_and(|(x_best, y_best)| x >= x_best + y_best) {
                break;
            }
            if let Some(at) = next(first[i + x].statement, j)
                && nearest.is_none_or(|(x_best, y_best)| x + (at - j) < x_best + y_best)
            {
                nearest = Some((x, at - j));
            }
        }
        let (x, y) = nearest.unwrap_or((first.len() - i, second.len() - j));
        rows.last.failing += first[i..i + x].iter().map(|item| item.all.len()).sum::<usize>();
        rows.last.passing += second[j..j + y].iter().map(|item| item.all.len()).sum::<usize>();
        (i, j) = (i + x, j + y);
        if nearest.is_some() {
            let [mut old, mut new] = [first[i].all.clone(), second[j].all.clone()];
            if first[i].statement.is_some() {
                rows.both();
                (old.start, new.start) = (old.start + 1, new.start + 1);
            }
            calls(&failing[old], &passing[new], rows);
            (i, j) = (i + 1, j + 1);
        }
    }
}

fn items(steps: &[Step]) -> Vec<Item> {
    let own = steps.iter().map(|(_, depth)| *depth).min().unwrap_or(0);
    let mut items: Vec<Item> = Vec::new();
    for (at, (statement, depth)) in steps.iter().enumerate() {
        match items.last_mut() {
            Some(last) if *depth > own => last.all.end = at + 1,
            _ => items.push(Item { statement: (*depth == own).then_some(*statement), all: at..at + 1 }),
        }
    }
    items
}

/// Rows so far.
#[derive(Default)]
struct Rows {
    done: Vec<Stretch>,
    last: Stretch,
}

impl Rows {
    fn both(&mut self) {
        if self.last.failing + self.last.passing > 0 {
            self.done.push(std::mem::take(&mut self.last));
        }
        self.last.both += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs of steps that stand beside each other, and how many steps there are.
    fn pairs(stretches: &[Stretch]) -> (Vec<(usize, usize)>, usize, usize) {
        let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
        for stretch in stretches {
            pairs.extend((0..stretch.both).map(|n| (i + n, j + n)));
            i += stretch.both + stretch.failing;
            j += stretch.both + stretch.passing;
        }
        (pairs, i, j)
    }

    /// Letters are statements; those in parentheses are in a call of the one before.
    fn run(text: &str) -> Vec<Step> {
        let (mut depth, mut steps) = (1, Vec::new());
        for letter in text.chars() {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => steps.push((u32::from(letter) + 1000 * depth, depth)),
            }
        }
        steps
    }

    fn beside(failing: &str, passing: &str) -> Vec<(usize, usize)> {
        pairs(&align(&run(failing), &run(passing))).0
    }

    #[test]
    fn a_turn_of_a_loop_stands_beside_the_same_turn() {
        // i: head, c: condition, t and u: its branch, e: the other one, a: what both do.
        let expected = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (9, 8)];
        assert_eq!(beside("ictua ictua".replace(' ', "").as_str(), "ictuaiceaictua"), expected);
    }

    #[test]
    fn calls_are_aligned_inside_and_skipped_as_a_whole() {
        assert_eq!(beside("a(xy)b", "a(xzy)b"), [(0, 0), (1, 1), (2, 3), (3, 4)]);
        assert_eq!(beside("a(xy)b", "b"), [(3, 0)], "x and y belong to a call that is not there");
        assert_eq!(beside("f(xb)b", "b"), [(3, 0)], "the b of the call is another");
    }

    #[test]
    fn every_step_has_its_row_and_only_equal_statements_stand_beside_each_other() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = |below: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 20) % below
        };
        for round in 0..400 {
            let mut random = || (0..round % 23).map(|_| (next(4) as u32, next(3) as u32)).collect::<Vec<Step>>();
            let (a, b) = (random(), random());
            let (pairs, i, j) = pairs(&align(&a, &b));
            assert_eq!((i, j), (a.len(), b.len()));
            assert!(pairs.iter().all(|(i, j)| a[*i].0 == b[*j].0), "{a:?} {b:?}");
            assert_eq!(
                align(&a, &a),
                if a.is_empty() { vec![] } else { vec![Stretch { both: a.len(), failing: 0, passing: 0 }] }
            );
        }
    }

    #[test]
    fn long_runs_meet_again_after_they_part() {
        let step = |n: u32| (n % 1000, 1);
        let common: Vec<Step> = (0..200_000).map(step).collect();
        let mut other = common[..70_000].to_vec();
        other.extend((0..5000).map(|n| (5000 + n, 1)));
        other.extend(&common[70_000..]);
        let (pairs, ..) = pairs(&align(&common, &other));
        assert_eq!(pairs.len(), common.len());
        assert_eq!(pairs[199_999], (199_999, 204_999));
        assert_eq!(align(&common, &[]), [Stretch { both: 0, failing: 200_000, passing: 0 }]);
    }
}
