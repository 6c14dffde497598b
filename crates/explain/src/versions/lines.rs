//! The lines in which two texts differ.
//!
//! Myers, "An O(ND) difference algorithm and its variations", 1986: the fewest lines that go and come. Cost is the number of lines times that
//! of differences; texts that differ in very many lines count as one difference.

use std::ops::Range;

/// So many lines may go and come before all that differs is one.
const MOST: usize = 2_000;

/// Lines of the old text that go, and lines of the new one that came instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hunk {
    /// Which lines went, from 0.
    pub old: Range<usize>,
    /// Which lines came.
    pub new: Range<usize>,
}

/// Where two texts differ, in order; between any two there is a line that both have.
pub fn hunks(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let same_start = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (old_rest, new_rest) = (&old[same_start..], &new[same_start..]);
    let same_end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(one, other)| one == other).count();
    let (a, b) = (&old_rest[..old_rest.len() - same_end], &new_rest[..new_rest.len() - same_end]);
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut x, mut y) = (0, 0);
    let mut take = |old: Range<usize>, new: Range<usize>| {
        if old.is_empty() && new.is_empty() {
            return;
        }
        let moved = |range: Range<usize>| range.start + same_start..range.end + same_start;
        hunks.push(Hunk { old: moved(old), new: moved(new) });
    };
    for (i, j) in common(a, b) {
        take(x..i, y..j);
        (x, y) = (i + 1, j + 1);
    }
    take(x..a.len(), y..b.len());
    hunks
}

/// Pairs of lines that stay, as many as there can be.
fn common(a: &[&str], b: &[&str]) -> Vec<(usize, usize)> {
    let most = (a.len() + b.len()).min(MOST);
    let offset = most + 1;
    let mut ends = vec![0usize; 2 * most + 3];
    let mut before: Vec<Vec<usize>> = Vec::new();
    for distance in 0..=most {
        before.push(ends.clone());
        let d = distance as isize;
        for k in (-d..=d).step_by(2) {
            let at = (offset as isize + k) as usize;
            let down = k == -d || k != d && ends[at - 1] < ends[at + 1];
            let mut x = if down { ends[at + 1] } else { ends[at - 1] + 1 };
            let mut y = (x as isize - k) as usize;
            while x < a.len() && y < b.len() && a[x] == b[y] {
                (x, y) = (x + 1, y + 1);
            }
            ends[at] = x;
            if x >= a.len() && y >= b.len() {
                return traced(&before, (a.len(), b.len()), offset);
            }
        }
    }
    Vec::new()
}

/// The lines that stay, followed back from the end.
fn traced(before: &[Vec<usize>], (mut x, mut y): (usize, usize), offset: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (distance, ends) in before.iter().enumerate().rev() {
        let (d, k) = (distance as isize, x as isize - y as isize);
        let at = (offset as isize + k) as usize;
        let down = k == -d || k != d && ends[at - 1] < ends[at + 1];
        let from = if down { k + 1 } else { k - 1 };
        let (start_x, start_y) = match distance {
            0 => (0, 0),
            _ => {
                let x = ends[(offset as isize + from) as usize];
                (x, (x as isize - from) as usize)
            }
        };
        let (after_x, after_y) = match (distance, down) {
            (0, _) => (0, 0),
            (_, true) => (start_x, start_y + 1),
            (_, false) => (start_x + 1, start_y),
        };
        while x > after_x && y > after_y {
            (x, y) = (x - 1, y - 1);
            pairs.push((x, y));
        }
        (x, y) = (start_x, start_y);
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::{Hunk, hunks};

    fn all(old: &str, new: &str) -> Vec<Hunk> {
        let lines = |text: &str| -> Vec<String> { text.chars().map(String::from).collect() };
        let (old, new) = (lines(old), lines(new));
        let refs = |lines: &[String]| lines.iter().map(|line| line.to_owned()).collect::<Vec<_>>();
        let (old, new) = (refs(&old), refs(&new));
        hunks(&old.iter().map(String::as_str).collect::<Vec<_>>(), &new.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn the_fewest_lines_differ() {
        assert_eq!(all("abc", "abc"), []);
        assert_eq!(all("abc", "axc"), [Hunk { old: 1..2, new: 1..2 }]);
        assert_eq!(all("abcd", "acd"), [Hunk { old: 1..2, new: 1..1 }]);
        assert_eq!(all("", "ab"), [Hunk { old: 0..0, new: 0..2 }]);
        assert_eq!(all("abcabba", "cbabac").iter().map(|h| h.old.len() + h.new.len()).sum::<usize>(), 5);
    }

    /// Whatever the texts are, undoing all hunks makes the old text of the new one.
    #[test]
    fn hunks_lead_back() {
        let mut seed = 7u32;
        let mut text = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let length = (seed >> 28) as usize;
            (0..length).map(|at| char::from(b'a' + (seed >> (at % 8 * 3 + 2) & 3) as u8)).collect::<String>()
        };
        for _ in 0..500 {
            let (old, new) = (text(), text());
            let mut back: Vec<char> = new.chars().collect();
            for hunk in all(&old, &new).iter().rev() {
                let own: Vec<char> = old.chars().skip(hunk.old.start).take(hunk.old.len()).collect();
                back.splice(hunk.new.clone(), own);
            }
            assert_eq!(back.into_iter().collect::<String>(), old, "{old} {new}");
        }
    }
}
