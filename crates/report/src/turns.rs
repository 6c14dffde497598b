//! Turns of loops in the statements of a way: the same lines again and again are told once, and ways that differ only in
//! how often or in which order they go through them, or in turns in which nothing happens, are told together.
//!
//! A block of lines that stands there several times in a row is *folded*. The *shape* of a way is the set of its statements without
//! idle turns (those of which all statements are in every turn of that loop). Cost: quadratic in the lines of a way, at most.

use std::collections::BTreeSet;
use std::ops::Range;

use nearmiss_explain::focus::{Focus, FocusStatement, Role, Way};

/// Longer blocks are not looked for.
const LONGEST_BLOCK: usize = 40;

/// Lines, and how often they stand there in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The first time.
    pub lines: Range<usize>,
    /// How often.
    pub times: usize,
}

/// Lines in blocks: at each place the one that stands for most lines, and of those the shortest.
pub fn folded<T: PartialEq>(lines: &[T]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let longest = LONGEST_BLOCK.min((lines.len() - at) / 2);
        let times = |length: usize| {
            let first = &lines[at..at + length];
            lines[at..].chunks_exact(length).take_while(|next| *next == first).count()
        };
        let best = (1..=longest).map(|length| (length, times(length))).filter(|(_, times)| *times > 1);
        let best = best.max_by_key(|(length, times)| (length * times, std::cmp::Reverse(*length)));
        let (length, times) = best.unwrap_or((1, 1));
        blocks.push(Block { lines: at..at + length, times });
        at += length * times;
    }
    blocks
}

type Line = (u32, u32, u32, Option<bool>);

/// The lines that a way goes through but for idle turns, however often and in whatever order.
fn shape(statements: &[FocusStatement]) -> BTreeSet<Line> {
    let own = statements.iter().filter(|row| row.role == Role::Focus);
    let mut lines: Vec<Line> = own.map(|row| (row.span.file.0, row.span.start, row.span.end, row.outcome)).collect();
    let heads: BTreeSet<Line> = lines.iter().filter(|line| line.3 == Some(true)).copied().collect();
    for head in heads {
        lines = without_idle_turns(lines, head);
    }
    lines.into_iter().collect()
}

/// Leaves out the turns from one time at the head of a loop to the next in which there is only what is in all of them.
fn without_idle_turns(lines: Vec<Line>, head: Line) -> Vec<Line> {
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at] == head).collect();
    let turns: Vec<BTreeSet<Line>> =
        starts.windows(2).map(|pair| lines[pair[0]..pair[1]].iter().copied().collect()).collect();
    let Some(always) = turns.iter().cloned().reduce(|all, turn| all.intersection(&turn).copied().collect()) else {
        return lines;
    };
    let last: BTreeSet<Line> = starts.last().map(|at| lines[*at..].iter().copied().collect()).unwrap_or_default();
    // Where all turns are the same, they are what happens, unless that is more in the last, which has no step to the next.
    let are_same = turns.iter().all(|turn| *turn == always);
    if are_same && (always.difference(&last).count() > 1 || last.is_subset(&always)) {
        return lines;
    }
    let mut kept: Vec<Line> = lines[..starts[0]].to_vec();
    for (pair, turn) in starts.windows(2).zip(&turns) {
        if *turn != always {
            kept.extend_from_slice(&lines[pair[0]..pair[1]]);
        }
    }
    kept.extend_from_slice(&lines[starts[starts.len() - 1]..]);
    kept
}

/// For each way the first before it of the same shape that violates the same claim, by its place.
pub fn alike(ways: &[&Way]) -> Vec<Option<usize>> {
    let shapes: Vec<(usize, BTreeSet<Line>)> = ways.iter().map(|way| (way.claim, shape(&way.statements))).collect();
    (0..ways.len()).map(|at| (0..at).find(|first| shapes[*first] == shapes[at])).collect()
}

/// How many ways there are when those that are alike, or the same once they are reduced, count once.
pub fn kinds(found: &Focus) -> usize {
    let ways: Vec<&Way> = found.ways.iter().filter(|way| way.same_as.is_none()).collect();
    alike(&ways).iter().filter(|first| first.is_none()).count()
}

/// Conditions of several ways, those that differ only in a value as one: `when a == 1, 4 or 7`.
pub fn together(conditions: &[String]) -> Vec<String> {
    let mut said: Vec<(Option<String>, Vec<String>)> = Vec::new();
    for condition in conditions {
        let head = condition.rsplit_once(" == ").or_else(|| condition.rsplit_once("\u{a0}==\u{a0}"));
        let head = head.filter(|(_, value)| !value.contains([' ', '\u{a0}', '(']));
        match (head, said.last_mut()) {
            (Some((start, value)), Some((Some(last), values))) if *last == start => values.push(value.to_owned()),
            (head, _) => said.push((head.map(|(start, _)| start.to_owned()), vec![condition.clone()])),
        }
    }
    let told = |values: Vec<String>| match values.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => values.concat(),
    };
    said.into_iter().map(|(_, values)| told(values)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_stand_several_times_in_a_row_are_told_once() {
        let blocks = |text: &str| {
            let lines: Vec<char> = text.chars().collect();
            let told = |block: Block| format!("{}{}", &text[block.lines], block.times);
            folded(&lines).into_iter().map(told).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(blocks("xababababy"), "x1 ab4 y1");
        assert_eq!(blocks("aaaa"), "a4");
        assert_eq!(blocks("abcab"), "a1 b1 c1 a1 b1");
        assert_eq!(blocks(""), "");
    }

    #[test]
    fn turns_in_which_nothing_happens_are_left_out() {
        let line = |letter: char| (0, letter as u32, letter as u32, (letter == 'h').then_some(true));
        let kept = |text: &str| without_idle_turns(text.chars().map(line).collect(), line('h'));
        let lines = |text: &str| text.chars().map(line).collect::<Vec<Line>>();
        assert_eq!(kept("xhwihihwihw"), lines("xhwihwihw"));
        assert_eq!(kept("xhihihw"), lines("xhw"));
        assert_eq!(kept("xhwihwihw"), lines("xhwihwihw"));
        assert_eq!(kept("xhwihwihv"), lines("xhwihwihv"));
        assert_eq!(kept("xy"), lines("xy"));
    }

    #[test]
    fn values_of_one_input_stand_in_a_row() {
        let said = ["when a == 1", "when a == 4", "when a == 6", "when b, a == 4", "when a > 5"].map(str::to_owned);
        assert_eq!(together(&said), ["when a == 1, 4 or 6", "when b, a == 4", "when a > 5"]);
    }
}
