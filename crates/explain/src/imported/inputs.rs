//! A run as JSON: the inputs that make a program take it.
//!
//! What is read is our own output (`nearmiss check --format json`, where they are in `counterexample.inputs`), or an
//! object with a key `inputs`, or just the array of them. An entry has a `name` and a `value` (text or a number, in C
//! notation), and may say more to be matched by: `file`, `line`, `function`, and `occurrence`, which counts the objects
//! that one declaration or allocation made.
//!
//! Everything is borrowed from the text until it is known to be an entry, so that what is read takes no more memory
//! than the text does.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde_json::value::RawValue;

/// Text of more bytes is not read: no run that a person wants explained has as many inputs.
pub const LARGEST: usize = 64 << 20;
/// So many entries are read.
const MOST_ENTRIES: usize = 1_000_000;

/// An input and its value, as they are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name: `n`, `a[2].x`, `nondet_int()`.
    pub name: String,
    /// Its value in C notation: `-1`, `0x1F`, `'a'`, `NULL`.
    pub value: String,
    /// The file it is read in.
    pub file: Option<String>,
    /// The line it is read in.
    pub line: Option<u32>,
    /// The function it is read in.
    pub function: Option<String>,
    /// The object it is a part of, of those that its declaration or allocation made; from 1.
    pub occurrence: Option<u32>,
    /// First byte of the entry.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
}

/// Why a text is no run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What is wrong, in one line.
    pub message: String,
    /// Where: a byte of the text.
    pub at: u32,
    /// What to do.
    pub help: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.at, self.message)
    }
}

impl std::error::Error for Error {}

type Object<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

/// Reads the inputs of a run, in the order in which they are given.
pub fn read(text: &str) -> Result<Vec<Entry>, Error> {
    let reader = Reader { text };
    if text.len() > LARGEST {
        return Err(reader.error(0, format!("it is larger than {} MB", LARGEST >> 20)));
    }
    let whole: &RawValue = serde_json::from_str(text).map_err(|error| reader.broken(&error))?;
    let list = if whole.get().starts_with('[') { whole } else { reader.inputs(whole)? };
    let items: Vec<&RawValue> = serde_json::from_str(list.get())
        .map_err(|_| reader.error(reader.offset(list.get()), "`inputs` is not an array".to_owned()))?;
    if items.len() > MOST_ENTRIES {
        return Err(reader.error(reader.offset(list.get()), format!("there are more than {MOST_ENTRIES} inputs")));
    }
    items.iter().enumerate().map(|(index, item)| reader.entry(index + 1, item)).collect()
}

struct Reader<'a> {
    text: &'a str,
}

impl<'a> Reader<'a> {
    /// The inputs of an answer of ours, or of an object that holds nothing else.
    fn inputs(&self, whole: &'a RawValue) -> Result<&'a RawValue, Error> {
        let object: Object = self.object(whole, "a run is an object or an array".to_owned())?;
        if let Some(inputs) = object.get("inputs") {
            return Ok(inputs);
        }
        let found = match object.get("counterexample") {
            Some(found) if found.get() == "null" => {
                return Err(self.error(self.offset(found.get()), "this answer holds no failing run".to_owned()));
            }
            Some(found) => found,
            None => return Err(self.error(0, "there is no key `inputs` or `counterexample`".to_owned())),
        };
        let inner: Object = self.object(found, "`counterexample` is not an object".to_owned())?;
        let inputs = inner.get("inputs").copied();
        inputs.ok_or_else(|| self.error(self.offset(found.get()), "the counterexample has no key `inputs`".to_owned()))
    }

    fn entry(&self, number: usize, item: &'a RawValue) -> Result<Entry, Error> {
        let start = self.offset(item.get());
        let fail = |what: &str| self.error(start, format!("entry {number}: {what}"));
        let object: Object = self.object(item, format!("entry {number} is not an object"))?;
        let text = |key: &str| match object.get(key) {
            None => Ok(None),
            Some(raw) if raw.get() == "null" => Ok(None),
            Some(raw) => {
                serde_json::from_str::<String>(raw.get()).map(Some).map_err(|_| fail(&format!("`{key}` is not a text")))
            }
        };
        let number_of = |key: &str| match object.get(key) {
            None => Ok(None),
            Some(raw) if raw.get() == "null" => Ok(None),
            Some(raw) => serde_json::from_str::<u32>(raw.get())
                .map(Some)
                .map_err(|_| fail(&format!("`{key}` is not a number from 0 on"))),
        };
        let name = text("name")?.filter(|name| !name.is_empty()).ok_or_else(|| fail("it has no `name`"))?;
        let value = match object.get("value").map(|raw| raw.get()) {
            None | Some("null") => return Err(fail("it has no `value`")),
            Some(raw) if raw.starts_with(['[', '{']) => return Err(fail("the `value` is neither a text nor a number")),
            Some(raw) if raw.starts_with('"') => text("value")?.unwrap_or_default(),
            // A number as it is written: it may be larger than what JSON readers take.
            Some(raw) => raw.to_owned(),
        };
        Ok(Entry {
            name,
            value,
            file: text("file")?,
            line: number_of("line")?,
            function: text("function")?,
            occurrence: number_of("occurrence")?,
            start,
            end: start + item.get().len() as u32,
        })
    }

    fn object(&self, raw: &'a RawValue, complaint: String) -> Result<Object<'a>, Error> {
        serde_json::from_str(raw.get()).map_err(|_| self.error(self.offset(raw.get()), complaint))
    }

    /// Where a part of the text starts in it.
    fn offset(&self, part: &str) -> u32 {
        (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize).min(self.text.len()) as u32
    }

    fn error(&self, at: u32, message: String) -> Error {
        let help = "give what `nearmiss check --format json` prints, or [{\"name\": \"x\", \"value\": \"1\"}, …]";
        Error { message, at, help: help.to_owned() }
    }

    /// A syntax error; the parser counts lines and columns from 1.
    fn broken(&self, error: &serde_json::Error) -> Error {
        let before: usize = self.text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let at = (before + error.column().saturating_sub(1)).min(self.text.len());
        let at = (0..=at).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        self.error(at as u32, format!("this is not JSON: {message}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(String, String)> {
        read(text).expect(text).into_iter().map(|entry| (entry.name, entry.value)).collect()
    }

    #[test]
    fn an_array_an_object_and_a_whole_answer_are_read() {
        let list = r#"[{"name": "a", "value": "-1"}, {"name": "b[2].x", "value": 0, "line": 3}]"#;
        let expected = [("a".to_owned(), "-1".to_owned()), ("b[2].x".to_owned(), "0".to_owned())];
        assert_eq!(names(list), expected);
        assert_eq!(names(&format!(r#"{{"inputs": {list}, "more": [1]}}"#)), expected);
        assert_eq!(names(&format!(r#"{{"verdict": "fails", "counterexample": {{"inputs": {list}}}}}"#)), expected);
        let last = read(list).unwrap().pop().unwrap();
        let written = &list[last.start as usize..last.end as usize];
        assert_eq!((last.line, written), (Some(3), r#"{"name": "b[2].x", "value": 0, "line": 3}"#));
    }

    #[test]
    fn large_numbers_keep_their_digits() {
        assert_eq!(names(r#"[{"name": "a", "value": 340282366920938463463374607431768211455}]"#)[0].1.len(), 39);
        assert_eq!(names(r#"[{"name": "a", "value": true}]"#)[0].1, "true");
    }

    #[test]
    fn errors_say_where() {
        let at = |text: &str| read(text).map_err(|error| (error.at, error.message)).unwrap_err();
        assert_eq!(at("[{\"name\": \"a\",\n  }]").0, 17);
        assert_eq!(at(r#"[ {"value": 1}]"#), (2, "entry 1: it has no `name`".to_owned()));
        assert_eq!(at(r#"[{"name": "a", "value": [1]}]"#).1, "entry 1: the `value` is neither a text nor a number");
        assert_eq!(at(r#"{"verdict": "holds", "counterexample": null}"#).1, "this answer holds no failing run");
        assert_eq!(at("3").1, "a run is an object or an array");
        assert_eq!(at("{}").1, "there is no key `inputs` or `counterexample`");
        assert_eq!(at(r#"{"inputs": 3}"#).1, "`inputs` is not an array");
        assert!(at("").1.starts_with("this is not JSON"));
        assert!(at(&"[".repeat(100_000)).1.starts_with("this is not JSON"));
    }
}
