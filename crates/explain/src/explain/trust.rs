//! Functions that are never suspects are named by patterns, as in a shell.

/// Does a name match a pattern with `*` (anything) and `?` (one character)?
pub fn matches_pattern(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*' {
            (p, n) = (p + 1, n + 1);
        } else if p < pattern.len() && pattern[p] == '*' {
            star = Some((p, n));
            p += 1;
        } else if let Some((at, from)) = star {
            (p, n) = (at + 1, from + 1);
            star = Some((at, from + 1));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches_pattern;

    #[test]
    fn patterns_match_as_in_a_shell() {
        assert!(matches_pattern("ref_*", "ref_advise"));
        assert!(matches_pattern("*", ""));
        assert!(matches_pattern("a?c*e", "abcdde"));
        assert!(!matches_pattern("ref_*", "advise"));
        assert!(!matches_pattern("a?c", "ac"));
        assert!(matches_pattern("*a*b", "xaxbxb"));
    }
}
