//! Options that take one of a few words. One table says which words there are and what each means; shells, the parser
//! and the error for another word all read it.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

/// The words that an option takes, with what they mean, in the order in which they are told.
pub type Words<T> = &'static [(&'static str, T)];

/// A parser of one of some words.
pub fn one_of<T>(words: Words<T>) -> OneOf<T> {
    OneOf { words }
}

/// What a word means. `Err` names all that there are.
pub fn find<T: Copy>(words: Words<T>, typed: &str) -> Result<T, String> {
    let found = words.iter().find(|(word, _)| *word == typed);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| format!("use {}", alternatives(words)))
}

/// `a, b or c`.
fn alternatives<T>(words: Words<T>) -> String {
    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    match words.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        few => few.concat(),
    }
}

/// See [`one_of`].
#[derive(Clone)]
pub struct OneOf<T: 'static> {
    words: Words<T>,
}

impl<T: Copy + Send + Sync + 'static> TypedValueParser for OneOf<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let words = self.words;
        (move |typed: &str| find(words, typed)).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.words.iter().map(|(word, _)| PossibleValue::new(*word))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_word_is_answered_with_all_that_there_are() {
        const WORDS: Words<u8> = &[("one", 1), ("two", 2), ("three", 3)];
        assert_eq!(find(WORDS, "two"), Ok(2));
        assert_eq!(find(WORDS, "four"), Err("use one, two or three".to_owned()));
        assert_eq!(find(&WORDS[..2], "three"), Err("use one or two".to_owned()));
    }
}
