//! A line of flags as a shell reads it: words between blanks, quotes keep blanks, a backslash keeps what follows.

/// The words of a line. The error says what is wrong with its quotes.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let kept = characters.next().ok_or("a backslash at the end keeps nothing")?;
                word.get_or_insert_default().push(kept);
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!("the quote {open} is not closed"));
    }
    words.extend(word);
    Ok(words)
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%^".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_keep_blanks() {
        let split = |line| split(line).expect("reads");
        assert_eq!(split(r#" -D 'A=1 2' "b"c \ d "#), ["-D", "A=1 2", "bc", " d"]);
        assert_eq!(split("''"), [""]);
        assert!(super::split("'a").is_err() && super::split("a\\").is_err());
    }

    #[test]
    fn what_is_quoted_is_one_word_again() {
        for word in ["a", "a b", "it's", "", "G(a -> F b)"] {
            assert_eq!(split(&quoted(word)).expect("reads"), [word]);
        }
    }
}
