//! The lines in which two texts differ.
//!
//! Myers, "An O(ND) difference algorithm and its variations", 1986: the fewest lines that go and come. Cost is the number of lines times that
//! of differences; texts that differ in very many lines count as one difference. Where lines that came stand beside lines that went, those of
//! nearly the same words are differences of their own: two changes on lines that follow each other are two.

use std::ops::Range;

use nearmiss_program::c::versions::without_comments;

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
    hunks.into_iter().flat_map(|hunk| split(old, new, hunk)).collect()
}

/// So many lines of a hunk are compared with each other.
const MOST_COMPARED: usize = 60;

/// A hunk, where lines of nearly the same words are hunks of their own.
fn split(old: &[&str], new: &[&str], hunk: Hunk) -> Vec<Hunk> {
    let (a, b) = (&old[hunk.old.clone()], &new[hunk.new.clone()]);
    if a.len().max(b.len()) < 2 || a.is_empty() || b.is_empty() || a.len().max(b.len()) > MOST_COMPARED {
        return vec![hunk];
    }
    let (start, other) = (hunk.old.start, hunk.new.start);
    let moved = |(from, to): (Range<usize>, Range<usize>)| Hunk {
        old: from.start + start..from.end + start,
        new: to.start + other..to.end + other,
    };
    between(
        &alike(a, b, &|one, other| likeness(one, other).filter(|likeness| *likeness >= NEARLY_THE_SAME)),
        a.len(),
        b.len(),
    )
    .into_iter()
    .map(moved)
    .collect()
}

/// The most alike pairs of two lists, in order.
fn alike(a: &[&str], b: &[&str], likeness: &dyn Fn(&str, &str) -> Option<u32>) -> Vec<(usize, usize)> {
    // The best that can be had from i and j on.
    let mut best = vec![vec![0u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let both = likeness(a[i], b[j]).map_or(0, |likeness| likeness + best[i + 1][j + 1]);
            best[i][j] = both.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        match likeness(a[i], b[j]) {
            Some(likeness) if best[i][j] == likeness + best[i + 1][j + 1] => {
                pairs.push((i, j));
                (i, j) = (i + 1, j + 1);
            }
            _ if best[i][j] == best[i + 1][j] => i += 1,
            _ => j += 1,
        }
    }
    pairs
}

/// The pairs, and what stands between them.
fn between(pairs: &[(usize, usize)], most: usize, other: usize) -> Vec<(Range<usize>, Range<usize>)> {
    let (mut x, mut y, mut found) = (0, 0, Vec::new());
    for (i, j) in pairs {
        found.extend([(x..*i, y..*j), (*i..i + 1, *j..j + 1)]);
        (x, y) = (i + 1, j + 1);
    }
    found.push((x..most, y..other));
    found.retain(|(from, to)| !from.is_empty() || !to.is_empty());
    found
}

/// So many parts of a hunk are told apart.
const MOST_PARTS: usize = 8;

/// A hunk by statements: those that both sides have, but for layout, are in no part; where as many went as came they are pairs, otherwise each
/// goes or comes by itself. One part, where the hunk has no more or where they are very many.
pub fn parts(old: &[&str], new: &[&str], hunk: &Hunk) -> Vec<Hunk> {
    let whole = || vec![hunk.clone()];
    let (Some(a), Some(b)) = (statements(old, &hunk.old), statements(new, &hunk.new)) else { return whole() };
    let text = |lines: &[&str], range: &Range<usize>| -> String {
        lines[range.clone()].concat().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let one: Vec<String> = a.iter().map(|range| text(old, range)).collect();
    let other: Vec<String> = b.iter().map(|range| text(new, range)).collect();
    let refs = |texts: &'_ [String]| texts.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
    let (one_text, other_text) = (refs(&one), refs(&other));
    let (one, other): (Vec<&str>, Vec<&str>) = (one_text.lines().collect(), other_text.lines().collect());
    // Where a group of statements starts in its file; behind the last, where the hunk ends.
    let start = |groups: &[Range<usize>], at: usize, end: usize| groups.get(at).map_or(end, |group| group.start);
    let mut found = Vec::new();
    let mut take = |x: Range<usize>, y: Range<usize>| {
        let from = |at: usize| start(&a, at, hunk.old.end);
        let to = |at: usize| start(&b, at, hunk.new.end);
        let pairs: Vec<(usize, usize)> = match x.len() == y.len() {
            true => (0..x.len()).map(|at| (at, at)).collect(),
            false => alike(&one[x.clone()], &other[y.clone()], &likeness_of_statements),
        };
        for (i, j) in between(&pairs, x.len(), y.len()) {
            let (i, j) = (i.start + x.start..i.end + x.start, j.start + y.start..j.end + y.start);
            if i.len() == 1 && j.len() == 1 {
                found.push(Hunk { old: from(i.start)..from(i.end), new: to(j.start)..to(j.end) });
                continue;
            }
            let (here, there) = (to(j.start), from(i.end));
            found.extend(i.map(|at| Hunk { old: from(at)..from(at + 1), new: here..here }));
            found.extend(j.map(|at| Hunk { old: there..there, new: to(at)..to(at + 1) }));
        }
    };
    let (mut x, mut y) = (0, 0);
    for (i, j) in common(&one, &other) {
        take(x..i, y..j);
        (x, y) = (i + 1, j + 1);
    }
    take(x..a.len(), y..b.len());
    if found.len() > MOST_PARTS || found.is_empty() { whole() } else { found }
}

/// The statements of some lines, each with what belongs to it; none where they do not close what they open.
fn statements(lines: &[&str], range: &Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut start, mut depth) = (range.start, 0i32);
    for at in range.clone() {
        let line = without_comments(lines[at]);
        let line = line.trim();
        for letter in line.chars() {
            depth += i32::from("({[".contains(letter)) - i32::from(")}]".contains(letter));
            if depth < 0 {
                return None;
            }
        }
        let ends = line.ends_with([';', '}', ':']) || line.starts_with('#');
        if depth != 0 || !ends {
            continue;
        }
        match found.last_mut() {
            Some(last) if without_comments(&lines[start..=at].concat()).trim_start().starts_with("else") => {
                last.end = at + 1;
            }
            _ => found.push(start..at + 1),
        }
        start = at + 1;
    }
    match found.last_mut() {
        _ if depth != 0 => None,
        Some(last) => {
            let rest = lines[start..range.end].concat();
            last.end = if without_comments(&rest).trim().is_empty() { range.end } else { last.end };
            (last.end == range.end).then_some(found)
        }
        None => range.is_empty().then_some(found),
    }
}

/// How many of a hundred words lines share that are nearly the same, and statements of which one came for the other.
const NEARLY_THE_SAME: u32 = 70;
const CAME_FOR: u32 = 30;

/// How much two lines have in common, if they open and close as much.
fn likeness(one: &str, other: &str) -> Option<u32> {
    let opens = |line: &str| line.matches('{').count() as isize - line.matches('}').count() as isize;
    (opens(one) == opens(other)).then(|| common_words(one, other))
}

/// How much two statements have in common, where one may have come for the other.
fn likeness_of_statements(one: &str, other: &str) -> Option<u32> {
    Some(common_words(one, other)).filter(|likeness| *likeness >= CAME_FOR)
}

/// How many of a hundred words two texts share.
fn common_words(one: &str, other: &str) -> u32 {
    let words = |line: &str| -> Vec<String> {
        let split = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut words: Vec<String> = split.filter(|word| !word.is_empty()).map(str::to_owned).collect();
        words.sort();
        words
    };
    let (a, b) = (words(one), words(other));
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
    }
    (200 * common / (a.len() + b.len()).max(1)) as u32
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
    use super::{Hunk, hunks, parts};

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

    #[test]
    fn lines_of_nearly_the_same_words_are_apart() {
        let old = ["int x = a;\n", "for (;;)\n", "    x += b;\n", "if (month > 2 && leap)\n"];
        let new = ["int x = table[a];\n", "if (month >= 2 && leap)\n"];
        let hunk = |old, new| Hunk { old, new };
        assert_eq!(hunks(&old, &new), [hunk(0..1, 0..1), hunk(1..3, 1..1), hunk(3..4, 1..2)]);
    }

    #[test]
    fn a_hunk_has_its_statements() {
        let old = ["int a = 1;\n", "if (a)\n", "    b();\n", "c();\n"];
        let new = ["int a = 1;\n", "if (x) {\n", "    y();\n", "}\n", "z();\n"];
        let hunk = |old, new| Hunk { old, new };
        assert_eq!(parts(&old, &new, &hunk(1..4, 1..5)), [hunk(1..3, 1..4), hunk(3..4, 4..5)]);
        // Those that both have are in no part, whatever their layout.
        let laid = ["  c();\n", "d();\n"];
        assert_eq!(parts(&old, &laid, &hunk(3..4, 0..2)), [hunk(4..4, 1..2)]);
        let other = ["int a = 1;\n", "z();\n"];
        let gone = [hunk(1..3, 1..1), hunk(3..4, 1..1), hunk(4..4, 1..2)];
        assert_eq!(parts(&old, &other, &hunk(1..4, 1..2)), gone);
        // What closes something else is one part.
        let closing = ["}\n", "c();\n"];
        assert_eq!(parts(&closing, &old, &hunk(0..2, 1..4)), [hunk(0..2, 1..4)]);
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
