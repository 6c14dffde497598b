//! Names that are nearly right, for "did you mean".

/// Whether one letter more, less, other, or two swapped make the difference.
pub fn is_one_edit(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[common..], &b[common..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    (a.len() <= 1 && b.len() <= 1) || (a.len() == 2 && b.len() == 2 && a[0] == b[1] && a[1] == b[0])
}

/// Help for somebody who meant one of these: the same in other letters, one letter apart, or with more or less around it.
pub fn near<'a>(known: impl Iterator<Item = &'a str>, name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let rank = |other: &str| {
        let other = other.to_lowercase();
        if other == lower {
            Some(0)
        } else if is_one_edit(&other, &lower) {
            Some(1)
        } else {
            (other.contains(&lower) || lower.contains(&other)).then_some(2)
        }
    };
    let (_, other) = known.filter_map(|other| rank(other).map(|rank| (rank, other))).min()?;
    Some(format!("did you mean `{other}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_are_recognised() {
        assert!(is_one_edit("first", "frist") && is_one_edit("first", "firs") && is_one_edit("first", "fizst"));
        assert!(!is_one_edit("first", "second") && !is_one_edit("abc", "acbd"));
    }

    #[test]
    fn the_nearest_name_is_the_most_alike() {
        let help = |name: &str| near(["main", "lock", "unlock", "Unlock_all"].into_iter(), name);
        assert_eq!(help("unlok").as_deref(), Some("did you mean `unlock`?"));
        assert_eq!(help("LOCK").as_deref(), Some("did you mean `lock`?"));
        assert_eq!(help("unlock_al").as_deref(), Some("did you mean `Unlock_all`?"));
    }
}
