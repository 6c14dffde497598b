//! Options that take one of a few words: what is said of another word is up to the option, and shells know the words.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

/// Reads one of some words.
pub type Read<T> = fn(&str) -> Result<T, String>;

/// A parser of one of some words.
pub fn words<T>(words: &'static [&'static str], read: Read<T>) -> Words<T> {
    Words { words, read }
}

/// See [`words`].
#[derive(Clone)]
pub struct Words<T> {
    words: &'static [&'static str],
    read: Read<T>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Words<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        self.read.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.words.iter().map(|word| PossibleValue::new(*word))))
    }
}
