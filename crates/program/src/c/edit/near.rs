//! Texts near to one that is printed, which stand in lines that are expected: approximate matches (Sellers, "The theory and computation of evolutionary
//! distances: pattern recognition", 1980), one row of the table of distances for each character of the line.

use std::cmp::Reverse;

/// So many are told of one text.
const MOST: usize = 8;

/// The parts of lines that differ from a text in few characters: each with how many, and those of most lines first.
pub(super) fn near(text: &str, lines: &[String]) -> Vec<(usize, String)> {
    let wanted: Vec<char> = text.chars().collect();
    let most = if wanted.len() <= 3 { 1 } else { (wanted.len() / 3).max(2) };
    let has_digits = text.contains(|c: char| c.is_ascii_digit());
    let mut found: Vec<(usize, String, usize)> = Vec::new();
    for line in lines {
        let line: Vec<char> = line.chars().collect();
        // Of every part that ends here: how many characters differ, and where the best one starts.
        let mut column: Vec<(usize, usize)> = (0..=wanted.len()).map(|at| (at, 0)).collect();
        for (end, c) in line.iter().enumerate() {
            let mut corner = column[0];
            column[0] = (0, end + 1);
            for (at, own) in wanted.iter().enumerate() {
                let changed = (corner.0 + usize::from(own != c), corner.1);
                let added = (column[at + 1].0 + 1, column[at + 1].1);
                let missing = (column[at].0 + 1, column[at].1);
                corner = column[at + 1];
                column[at + 1] = changed.min(added).min(missing);
            }
            let (away, start) = column[wanted.len()];
            if away == 0 || away > most || start > end {
                continue;
            }
            let part: String = line[start..=end].iter().collect();
            if !has_digits && part.contains(|c: char| c.is_ascii_digit()) {
                continue;
            }
            match found.iter_mut().find(|(_, other, _)| *other == part) {
                Some(known) => known.2 += 1,
                None => found.push((away, part, 1)),
            }
        }
    }
    found.sort_by(|one, two| (one.0, Reverse(one.2), &one.1).cmp(&(two.0, Reverse(two.2), &two.1)));
    found.into_iter().take(MOST).map(|(away, part, _)| (away, part)).collect()
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn parts_of_lines_that_differ_in_few_characters() {
        let of = |text: &str, line: &str| -> Vec<String> {
            near(text, &[line.to_owned()]).into_iter().map(|(_, part)| part).collect()
        };
        assert!(of(",", "(1, 2): right").contains(&", ".to_owned()));
        assert!(of("Hello ", "Hello, Ann!").contains(&"Hello, ".to_owned()));
        assert!(of("You have 1 apples.", "You have 1 apple.").contains(&"You have 1 apple.".to_owned()));
        assert!(of("Sum", "Average").is_empty());
    }
}
