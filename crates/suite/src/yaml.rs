//! YAML as a tree with places: text, lists, and keys with values. The only place that knows the crate that parses.
//!
//! Manifests need little of YAML. What means more than it shows is refused: aliases (a few lines of which can stand for
//! gigabytes), tags, keys that are no text, a second document. Everything that is wrong is told at once, but for errors of
//! the syntax: behind the first of these nothing can be trusted.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use crate::complaint::{Place, Wrong};

/// A value and where it starts.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Where it starts.
    pub at: Place,
    /// What it is.
    pub value: Value,
}

/// What a value is.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Nothing was written.
    Nothing,
    /// A word, a number, a text: as it is written, without quotes.
    Text(String),
    /// One after the other.
    List(Vec<Node>),
    /// Keys with values, as they are written.
    Map(Vec<(Key, Node)>),
}

/// A key and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Key {
    /// Where it starts.
    pub at: Place,
    /// What it says.
    pub text: String,
}

/// Nothing that a person writes is deeper.
const DEEPEST: usize = 64;

/// What is open while events come.
enum Open {
    List(Place, Vec<Node>),
    Map { at: Place, entries: Vec<(Key, Node)>, key: Option<Key>, known: BTreeMap<String, Place> },
}

/// Reads a text. A text of nothing but comments is [`Value::Nothing`].
///
/// # Errors
///
/// All that is wrong, in the order of the text.
pub fn read(text: &str) -> Result<Node, Vec<Wrong>> {
    let mut reader = Reader::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut events = Parser::new_from_str(text);
    while let Some(event) = events.next_event() {
        match event {
            Ok((Event::StreamEnd, _)) => break,
            Ok((event, span)) => {
                if reader.take(event, span).is_none() {
                    break;
                }
            }
            Err(error) => {
                let marker = error.marker();
                reader.wrong.push(Wrong::new(place(marker.line(), marker.col()), syntax(error.info())));
                break;
            }
        }
    }
    if !reader.wrong.is_empty() {
        return Err(reader.wrong);
    }
    Ok(reader.root.unwrap_or(Node { at: place(1, 0), value: Value::Nothing }))
}

fn place(line: usize, column: usize) -> Place {
    Place { line: line.max(1), column: column + 1 }
}

/// What the parser says, in a sentence that says what language this is.
fn syntax(info: &str) -> String {
    format!("this is not YAML: {info}")
}

#[derive(Default)]
struct Reader {
    open: Vec<Open>,
    root: Option<Node>,
    wrong: Vec<Wrong>,
    /// Anchors may stand there; only what refers to them is refused.
    documents: usize,
}

impl Reader {
    /// Takes an event; nothing is left to be done if there is none.
    fn take(&mut self, event: Event, span: Span) -> Option<()> {
        let at = place(span.start.line(), span.start.col());
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    self.wrong.push(Wrong::new(at, "a second document starts here; there can be one in a file"));
                    return None;
                }
            }
            Event::Alias(_) => {
                let help = "write it out; what tasks share can stand in `defaults`".to_owned();
                self.wrong.push(Wrong::new(at, "aliases (`*name`) are not read").with_help(help));
                self.add(Node { at, value: Value::Nothing });
            }
            Event::Scalar(text, style, _, tag) => {
                self.tagged(at, tag.is_some());
                let is_nothing = style == ScalarStyle::Plain && matches!(&*text, "" | "~" | "null");
                let value = if is_nothing { Value::Nothing } else { Value::Text(text.into_owned()) };
                self.add(Node { at, value });
            }
            Event::SequenceStart(_, tag) => {
                self.tagged(at, tag.is_some());
                return self.push(at, Open::List(at, Vec::new()));
            }
            Event::MappingStart(_, tag) => {
                self.tagged(at, tag.is_some());
                return self.push(at, Open::Map { at, entries: Vec::new(), key: None, known: BTreeMap::new() });
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(at, items)) => self.add(Node { at, value: Value::List(items) }),
                Some(Open::Map { at, entries, .. }) => self.add(Node { at, value: Value::Map(entries) }),
                None => {}
            },
        }
        Some(())
    }

    fn tagged(&mut self, at: Place, is_tagged: bool) {
        if is_tagged {
            self.wrong.push(Wrong::new(at, "tags (`!name`) mean nothing here"));
        }
    }

    fn push(&mut self, at: Place, open: Open) -> Option<()> {
        if self.open.len() >= DEEPEST {
            self.wrong.push(Wrong::new(at, format!("this is nested more than {DEEPEST} deep")));
            return None;
        }
        self.open.push(open);
        Some(())
    }

    /// Puts a value where one is expected: a key, what a key has, an item, or the whole.
    fn add(&mut self, node: Node) {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Map { entries, key, known, .. }) => match key.take() {
                Some(key) => entries.push((key, node)),
                None => {
                    let at = node.at;
                    let text = match node.value {
                        Value::Text(text) => text,
                        _ => {
                            self.wrong.push(Wrong::new(at, "a key must be a word"));
                            String::new()
                        }
                    };
                    if let Some(first) = known.insert(text.clone(), at) {
                        let message = format!("`{text}` is there twice; the first is in line {}", first.line);
                        self.wrong.push(Wrong::new(at, message));
                    }
                    *key = Some(Key { at, text });
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> Vec<String> {
        let all = read(text).expect_err(text);
        all.into_iter().map(|wrong| format!("{}:{}: {}", wrong.at.line, wrong.at.column, wrong.message)).collect()
    }

    #[test]
    fn values_have_places() {
        let node = read("a: 1\nb:\n  - x\n  - 'y z'\n").expect("reads");
        let Value::Map(entries) = node.value else { panic!("no map") };
        assert_eq!(entries[0].1, Node { at: Place { line: 1, column: 4 }, value: Value::Text("1".to_owned()) });
        assert_eq!(entries[1].0.at, Place { line: 2, column: 1 });
        let Value::List(items) = &entries[1].1.value else { panic!("no list") };
        assert_eq!(items[1], Node { at: Place { line: 4, column: 5 }, value: Value::Text("y z".to_owned()) });
    }

    #[test]
    fn an_empty_text_is_nothing() {
        for text in ["", "# a comment\n", "---\n", "~\n"] {
            assert_eq!(read(text).expect(text).value, Value::Nothing, "{text:?}");
        }
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        assert_eq!(
            wrong("a: &x 1\na: 2\nb: *x\n? [1]\n: 2\n"),
            [
                "2:1: `a` is there twice; the first is in line 1",
                "3:4: aliases (`*name`) are not read",
                "4:3: a key must be a word"
            ]
        );
        assert_eq!(wrong("--- a\n--- b\n").len(), 1);
    }

    #[test]
    fn a_syntax_error_has_a_line() {
        let told = wrong("a: 1\nb: [1, 2\nc: 3\n");
        assert!(told.len() == 1 && told[0].contains("this is not YAML"), "{told:?}");
    }

    #[test]
    fn nothing_is_too_deep_for_the_stack() {
        let told = wrong(&"[".repeat(100_000));
        assert!(told.len() == 1 && (told[0].contains("nested") || told[0].contains("recursion")), "{told:?}");
    }
}
