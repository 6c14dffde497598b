//! Rows of bits moved and spread, 64 positions at a time: what temporal operators do to the rows of their children.

use crate::bits::Bits;

/// Row `r` with `r[i] = row[i + by]`; beyond the end of the row it is `fill`.
pub(super) fn down(row: &Bits, by: usize, fill: bool) -> Bits {
    let len = row.len();
    if by >= len {
        return Bits::filled(len, fill);
    }
    let (words, bits) = (by / 64, by % 64);
    let from = row.words();
    let mut to = Vec::with_capacity(from.len());
    for i in 0..from.len() {
        let low = from.get(i + words).copied().unwrap_or(0) >> bits;
        let high = if bits == 0 { 0 } else { from.get(i + words + 1).copied().unwrap_or(0) << (64 - bits) };
        to.push(low | high);
    }
    let mut moved = Bits::from_words(to, len);
    if fill {
        moved.set_range(len - by, len);
    }
    moved
}

/// Row `r` with `r[i] = row[i - by]`; before the start of the row it is `fill`.
pub(super) fn up(row: &Bits, by: usize, fill: bool) -> Bits {
    let len = row.len();
    if by >= len {
        return Bits::filled(len, fill);
    }
    let (words, bits) = (by / 64, by % 64);
    let from = row.words();
    let mut to = vec![0; from.len()];
    for i in words..from.len() {
        let high = from[i - words] << bits;
        let low = if bits == 0 || i == words { 0 } else { from[i - words - 1] >> (64 - bits) };
        to[i] = high | low;
    }
    let mut moved = Bits::from_words(to, len);
    if fill {
        moved.set_range(0, by);
    }
    moved
}

/// Row `r` with `r[i] = row[i + by]` on a lasso, whose last position is followed by `start`.
pub(super) fn around(row: &Bits, by: usize, start: usize) -> Bits {
    let len = row.len();
    let mut moved = down(row, by, false);
    for i in len.saturating_sub(by)..len {
        if row.get(start + (i + by - len) % (len - start)) {
            moved.set(i, true);
        }
    }
    moved
}

/// Row `r` with `r[i] = goal[i] | (hold[i] & r[i + 1])`, where beyond the end it is `beyond`.
pub(super) fn spread_down(hold: &Bits, goal: &Bits, beyond: bool) -> Bits {
    let len = goal.len();
    let mut spread = goal.clone();
    let mut carry = beyond;
    for (i, word) in spread.words_mut().iter_mut().enumerate().rev() {
        let mut chain = hold.words()[i];
        if (i + 1) * 64 > len {
            // What comes from beyond passes through the unused bits of the last word.
            chain |= u64::MAX << (len % 64);
        }
        let mut reached = *word;
        for step in [1, 2, 4, 8, 16, 32] {
            reached |= chain & (reached >> step);
            chain &= (chain >> step) | (u64::MAX << (64 - step));
        }
        if carry {
            reached |= chain;
        }
        *word = reached;
        carry = reached & 1 == 1;
    }
    spread.trim();
    spread
}

/// Row `r` with `r[i] = goal[i] | (hold[i] & r[i - 1])`, where before the start it is `before`.
pub(super) fn spread_up(hold: &Bits, goal: &Bits, before: bool) -> Bits {
    let mut spread = goal.clone();
    let mut carry = before;
    for (i, word) in spread.words_mut().iter_mut().enumerate() {
        let mut chain = hold.words()[i];
        let mut reached = *word;
        for step in [1, 2, 4, 8, 16, 32] {
            reached |= chain & (reached << step);
            chain &= (chain << step) | (u64::MAX >> (64 - step));
        }
        if carry {
            reached |= chain;
        }
        *word = reached;
        carry = reached >> 63 == 1;
    }
    spread.trim();
    spread
}

/// Combines `row[i + from] … row[i + to]` (each moved by `shift`) with `join`, in logarithmically many steps.
pub(super) fn window(
    row: &Bits,
    from: usize,
    to: usize,
    shift: impl Fn(&Bits, usize) -> Bits,
    join: impl Fn(&mut Bits, &Bits),
) -> Bits {
    let width = to - from + 1;
    let mut joined = row.clone();
    let mut covered = 1;
    while covered < width {
        let step = covered.min(width - covered);
        let moved = shift(&joined, step);
        join(&mut joined, &moved);
        covered += step;
    }
    if from == 0 { joined } else { shift(&joined, from) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row() -> impl Strategy<Value = (Bits, Bits)> {
        proptest::collection::vec((any::<bool>(), any::<bool>()), 1..200).prop_map(|pairs| {
            let (a, b): (Vec<bool>, Vec<bool>) = pairs.into_iter().unzip();
            (Bits::from_bools(a), Bits::from_bools(b))
        })
    }

    proptest! {
        #[test]
        fn rows_move_and_spread_as_defined(
            (hold, goal) in row(), by in 0usize..150, edge in any::<bool>(), start in 0usize..200, wide in 0usize..90,
        ) {
            let len = goal.len();
            let start = start % len;
            let (moved_down, moved_up, moved_around) = (down(&goal, by, edge), up(&goal, by, edge), around(&goal, by, start));
            let (spread_back, spread_on) = (spread_down(&hold, &goal, edge), spread_up(&hold, &goal, edge));
            let joined = window(&goal, by, by + wide, |row, by| down(row, by, edge), |row, moved| row.or_with(moved));
            for i in 0..len {
                prop_assert_eq!(moved_down.get(i), if i + by < len { goal.get(i + by) } else { edge });
                prop_assert_eq!(moved_up.get(i), if i >= by { goal.get(i - by) } else { edge });
                let target = (0..by).fold(i, |at, _| if at + 1 == len { start } else { at + 1 });
                prop_assert_eq!(moved_around.get(i), goal.get(target));
                let after = if i + 1 < len { spread_back.get(i + 1) } else { edge };
                prop_assert_eq!(spread_back.get(i), goal.get(i) || (hold.get(i) && after));
                let before = if i > 0 { spread_on.get(i - 1) } else { edge };
                prop_assert_eq!(spread_on.get(i), goal.get(i) || (hold.get(i) && before));
                let any = (i + by..=i + by + wide).any(|at| if at < len { goal.get(at) } else { edge });
                prop_assert_eq!(joined.get(i), any);
            }
        }
    }
}
