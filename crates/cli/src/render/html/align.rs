//! Two runs side by side: which step of one stands beside which step of the other.
//!
//! A longest common subsequence of their statements, so that as many steps as possible stand beside the same statement
//! of the other run. Long runs are aligned window by window: what is common at the start is taken as it is, then the
//! longest common subsequence of the next few hundred steps decides on the first three quarters of them. That is exact
//! where what differs fits into a window, and linear in the length of the runs.

/// So many steps of either run are looked at together.
const WINDOW: usize = 800;

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

/// The rows, from statements by number.
pub fn align(failing: &[u32], passing: &[u32]) -> Vec<Stretch> {
    let mut rows = Rows::default();
    let (mut i, mut j) = (0, 0);
    loop {
        while i < failing.len() && j < passing.len() && failing[i] == passing[j] {
            rows.both();
            (i, j) = (i + 1, j + 1);
        }
        if i == failing.len() || j == passing.len() {
            break;
        }
        let ends = [failing.len().min(i + WINDOW), passing.len().min(j + WINDOW)];
        let (first, second) = (&failing[i..ends[0]], &passing[j..ends[1]]);
        let decided = |end: usize, all: usize| if end == all { WINDOW } else { WINDOW * 3 / 4 };
        let decided = [decided(ends[0], failing.len()), decided(ends[1], passing.len())];
        let (x, y) = window(first, second, decided, &mut rows);
        (i, j) = (i + x, j + y);
    }
    rows.last.failing += failing.len() - i;
    rows.last.passing += passing.len() - j;
    rows.finish()
}

/// Adds the rows of a window up to where one of the runs is decided; how many steps of either these are.
fn window(first: &[u32], second: &[u32], decided: [usize; 2], rows: &mut Rows) -> (usize, usize) {
    let width = second.len() + 1;
    // How many steps the rests from here on have in common.
    let mut common = vec![0u16; (first.len() + 1) * width];
    for x in (0..first.len()).rev() {
        for y in (0..second.len()).rev() {
            common[x * width + y] = match first[x] == second[y] {
                true => common[(x + 1) * width + y + 1] + 1,
                false => common[(x + 1) * width + y].max(common[x * width + y + 1]),
            };
        }
    }
    let (mut x, mut y) = (0, 0);
    while x < first.len().min(decided[0]) && y < second.len().min(decided[1]) {
        if first[x] == second[y] {
            rows.both();
            (x, y) = (x + 1, y + 1);
        } else if common[(x + 1) * width + y] >= common[x * width + y + 1] {
            rows.last.failing += 1;
            x += 1;
        } else {
            rows.last.passing += 1;
            y += 1;
        }
    }
    (x, y)
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

    fn finish(mut self) -> Vec<Stretch> {
        if self.last != Stretch::default() {
            self.done.push(self.last);
        }
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs of steps that stand beside each other.
    fn pairs(stretches: &[Stretch]) -> (Vec<(usize, usize)>, usize, usize) {
        let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
        for stretch in stretches {
            pairs.extend((0..stretch.both).map(|n| (i + n, j + n)));
            i += stretch.both + stretch.failing;
            j += stretch.both + stretch.passing;
        }
        (pairs, i, j)
    }

    /// The length of a longest common subsequence, by its definition.
    fn longest(a: &[u32], b: &[u32]) -> usize {
        match (a, b) {
            ([], _) | (_, []) => 0,
            ([x, a @ ..], [y, b @ ..]) if x == y => 1 + longest(a, b),
            _ => longest(&a[1..], b).max(longest(a, &b[1..])),
        }
    }

    fn numbers(seed: &mut u64, length: usize, kinds: u64) -> Vec<u32> {
        let mut next = || {
            *seed ^= *seed << 13;
            *seed ^= *seed >> 7;
            *seed ^= *seed << 17;
            (*seed >> 20) % kinds
        };
        (0..length).map(|_| next() as u32).collect()
    }

    #[test]
    fn short_runs_have_as_much_in_common_as_can_be() {
        let mut seed = 0x9e37_79b9_7f4a_7c15;
        for round in 0..300 {
            let a = numbers(&mut seed, round % 9, 3);
            let b = numbers(&mut seed, round % 8, 3);
            let (pairs, i, j) = pairs(&align(&a, &b));
            assert_eq!((i, j), (a.len(), b.len()), "every step has its row");
            assert!(pairs.iter().all(|(i, j)| a[*i] == b[*j]), "{a:?} {b:?}");
            assert_eq!(pairs.len(), longest(&a, &b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn long_runs_meet_again_after_they_part() {
        let mut seed = 7;
        let common = numbers(&mut seed, 60_000, 50);
        let mut other = common[..20_000].to_vec();
        other.extend(numbers(&mut seed, 300, 50));
        other.extend(&common[20_500..]);
        let (pairs, i, j) = pairs(&align(&common, &other));
        assert_eq!((i, j), (common.len(), other.len()));
        assert!(pairs.iter().all(|(i, j)| common[*i] == other[*j]));
        assert!(pairs.contains(&(0, 0)) && pairs.contains(&(59_999, other.len() - 1)));
        assert!(pairs.len() >= 59_500);
    }

    #[test]
    fn nothing_beside_something() {
        assert_eq!(align(&[], &[]), []);
        assert_eq!(align(&[1, 2], &[]), [Stretch { both: 0, failing: 2, passing: 0 }]);
        assert_eq!(align(&[1, 2], &[1, 3, 2]).len(), 2);
    }
}
