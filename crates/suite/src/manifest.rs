//! A manifest as it is written: what tasks share, and entries that stand for one or many of them.
//!
//! Nothing of the disk is looked at here; [`plan`](crate::plan) does that. All that is wrong is told at once.

use nearmiss_program::spelling;

use crate::complaint::{Place, Wrong};
use crate::task::{self, Command, Expected};
use crate::words;
use crate::yaml::{self, Key, Node, Value};

/// Something that was written, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written<T = String> {
    /// Where.
    pub at: Place,
    /// What.
    pub is: T,
}

/// What may be said of one task and of all.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Shared {
    /// The command.
    pub command: Option<Written<Command>>,
    /// Flags, as words.
    pub flags: Option<Written<Vec<String>>>,
    /// What should come out.
    pub expected: Option<Expected>,
    /// Seconds.
    pub timeout: Option<Written>,
    /// Megabytes.
    pub memory: Option<Written>,
}

/// What an entry stands for. Names of files may be patterns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// One task about all these files.
    Program(Vec<Written>),
    /// A task for each of the first, together with the others.
    Harnesses(Vec<Written>, Vec<Written>),
    /// Task definitions of SV-COMP.
    Definitions(Vec<Written>),
    /// A task for each of the first, fed to the program of the others.
    Crashes(Vec<Written>, Vec<Written>),
    /// Whatever it is.
    Short(Written),
}

/// An entry of the list of tasks.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Where it starts.
    pub at: Place,
    /// What it is called.
    pub name: Option<Written>,
    /// What it stands for.
    pub what: What,
    /// What is said of its tasks.
    pub shared: Shared,
}

/// A manifest.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Manifest {
    /// What is said of all tasks.
    pub defaults: Shared,
    /// The tasks.
    pub entries: Vec<Entry>,
}

const TOP: [&str; 2] = ["defaults", "tasks"];
const SHARED: [&str; 5] = ["command", "flags", "expected", "timeout", "memory"];
/// Keys that say what an entry stands for; `files` goes with each of the others but `definitions`.
const KINDS: [&str; 4] = ["files", "harnesses", "definitions", "crashes"];

/// Reads a manifest.
///
/// # Errors
///
/// All that is wrong, in the order of the text.
pub fn read(text: &str) -> Result<Manifest, Vec<Wrong>> {
    of(&yaml::read(text)?)
}

/// Reads a manifest from its tree.
///
/// # Errors
///
/// All that is wrong, in the order of the text.
pub fn of(node: &Node) -> Result<Manifest, Vec<Wrong>> {
    let mut reader = Reader::default();
    let manifest = reader.manifest(node);
    reader.wrong.sort_by_key(|wrong| wrong.at);
    if reader.wrong.is_empty() { Ok(manifest) } else { Err(reader.wrong) }
}

/// Is this tree a task definition of SV-COMP instead?
pub fn is_definition(node: &Node) -> bool {
    matches!(&node.value, Value::Map(entries) if entries.iter().any(|(key, _)| key.text == "format_version"))
}

#[derive(Default)]
struct Reader {
    wrong: Vec<Wrong>,
}

impl Reader {
    fn manifest(&mut self, node: &Node) -> Manifest {
        let mut manifest = Manifest::default();
        let Value::Map(entries) = &node.value else {
            let help = "write `tasks:` and below it `- files: a.c` for each task".to_owned();
            self.wrong.push(Wrong::new(node.at, "a manifest is a list of tasks under `tasks`").with_help(help));
            return manifest;
        };
        let mut has_tasks = false;
        for (key, value) in entries {
            match key.text.as_str() {
                "defaults" => manifest.defaults = self.defaults(value),
                "tasks" => {
                    has_tasks = true;
                    manifest.entries = self.entries(value);
                }
                _ => self.unknown(key, &TOP, "of a manifest"),
            }
        }
        if !has_tasks {
            self.wrong.push(Wrong::new(node.at, "there are no `tasks`"));
        }
        manifest
    }

    fn unknown(&mut self, key: &Key, known: &[&str], of: &str) {
        let near = spelling::near(known.iter().copied(), &key.text);
        let help = near.unwrap_or_else(|| format!("known are {}", known.join(", ")));
        self.wrong.push(Wrong::new(key.at, format!("`{}` is no key {of}", key.text)).with_help(help));
    }

    fn defaults(&mut self, node: &Node) -> Shared {
        let mut shared = Shared::default();
        match &node.value {
            Value::Nothing => {}
            Value::Map(entries) => {
                for (key, value) in entries {
                    if !self.shared(&mut shared, key, value) {
                        self.unknown(key, &SHARED, "of `defaults`");
                    }
                }
            }
            _ => self.wrong.push(Wrong::new(node.at, "`defaults` are keys with values, such as `command: check`")),
        }
        shared
    }

    fn entries(&mut self, node: &Node) -> Vec<Entry> {
        match &node.value {
            Value::List(items) if !items.is_empty() => items.iter().filter_map(|item| self.entry(item)).collect(),
            Value::List(_) | Value::Nothing => {
                self.wrong.push(Wrong::new(node.at, "the list of `tasks` is empty"));
                Vec::new()
            }
            _ => {
                let help = "each task starts with `-`".to_owned();
                self.wrong.push(Wrong::new(node.at, "`tasks` is no list").with_help(help));
                Vec::new()
            }
        }
    }

    fn entry(&mut self, node: &Node) -> Option<Entry> {
        let entries = match &node.value {
            Value::Map(entries) => entries,
            Value::Text(text) if !text.is_empty() => {
                let what = What::Short(Written { at: node.at, is: text.clone() });
                return Some(Entry { at: node.at, name: None, what, shared: Shared::default() });
            }
            _ => {
                let help = "for example `- files: a.c`".to_owned();
                self.wrong.push(Wrong::new(node.at, "a task is a file, or keys with values").with_help(help));
                return None;
            }
        };
        let mut shared = Shared::default();
        let mut name = None;
        let mut kinds: Vec<(&Key, Vec<Written>)> = Vec::new();
        for (key, value) in entries {
            if key.text == "name" {
                name = self.text(key, value).filter(|name| self.is_a_name(name));
            } else if KINDS.contains(&key.text.as_str()) {
                kinds.push((key, self.paths(key, value)));
            } else if !self.shared(&mut shared, key, value) {
                let known: Vec<&str> = ["name"].into_iter().chain(KINDS).chain(SHARED).collect();
                self.unknown(key, &known, "of a task");
            }
        }
        let what = self.what(node.at, kinds)?;
        Some(Entry { at: node.at, name, what, shared })
    }

    fn is_a_name(&mut self, name: &Written) -> bool {
        let is = !name.is.trim().is_empty() && !name.is.contains(char::is_control) && name.is.chars().count() <= 200;
        if !is {
            self.wrong.push(Wrong::new(name.at, "a name is one line of up to 200 characters"));
        }
        is
    }

    /// What an entry stands for, of the keys that say so.
    fn what(&mut self, at: Place, kinds: Vec<(&Key, Vec<Written>)>) -> Option<What> {
        let (mut files, mut special) = (None, None);
        for (key, paths) in kinds {
            if key.text == "files" {
                files = Some(paths);
            } else if let Some((first, _)) = special.replace((key, paths)) {
                let message = format!("`{}` and `{}` do not go together", first.text, key.text);
                let help = "make two entries of them".to_owned();
                self.wrong.push(Wrong::new(key.at, message).with_help(help));
            }
        }
        match (special, files) {
            (None, Some(files)) => Some(What::Program(files)),
            (None, None) => {
                let help = "name `files`, or `harnesses`, `definitions` or `crashes`".to_owned();
                self.wrong.push(Wrong::new(at, "this task has no files").with_help(help));
                None
            }
            (Some((key, paths)), files) => match (key.text.as_str(), files) {
                ("harnesses", files) => Some(What::Harnesses(paths, files.unwrap_or_default())),
                ("crashes", Some(files)) => Some(What::Crashes(paths, files)),
                ("crashes", None) => {
                    let help = "name the target in `files`".to_owned();
                    self.wrong.push(Wrong::new(key.at, "crash files of which program?").with_help(help));
                    None
                }
                (_, None) => Some(What::Definitions(paths)),
                (_, Some(_)) => {
                    self.wrong.push(Wrong::new(key.at, "`definitions` name their files; leave out `files`"));
                    None
                }
            },
        }
    }

    /// Takes a key that tasks and defaults have; false if it is none.
    fn shared(&mut self, shared: &mut Shared, key: &Key, value: &Node) -> bool {
        match key.text.as_str() {
            "command" => {
                shared.command = self.word(key, value, Command::WORDS).map(|is| Written { at: value.at, is });
            }
            "expected" => shared.expected = self.word(key, value, Expected::WORDS),
            "flags" => shared.flags = self.flags(key, value),
            "timeout" => {
                let is_time = |text: &str| text.parse().is_ok_and(|seconds: f64| (0.0..=1e9).contains(&seconds));
                shared.timeout = self.number(key, value, "seconds, such as 10 or 0.5; 0 is no limit", is_time);
            }
            "memory" => {
                let is_size = |text: &str| text.parse().is_ok_and(|megabytes: u64| megabytes > 0);
                shared.memory = self.number(key, value, "megabytes, such as 2000", is_size);
            }
            _ => return false,
        }
        true
    }

    fn number(&mut self, key: &Key, value: &Node, what: &str, is: impl Fn(&str) -> bool) -> Option<Written> {
        let text = self.text(key, value)?;
        if !is(&text.is) {
            self.wrong.push(Wrong::new(value.at, format!("`{}` is a number of {what}", key.text)));
            return None;
        }
        Some(text)
    }

    fn word<T: Copy>(&mut self, key: &Key, value: &Node, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(key, value)?;
        let found = task::find(words, &text.is);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let message = format!("`{}` is one of {}, not `{}`", key.text, known.join(", "), text.is);
            let help = spelling::near(known.into_iter(), &text.is);
            self.wrong.push(Wrong::new(value.at, message).with_help(help));
        }
        found
    }

    fn text(&mut self, key: &Key, value: &Node) -> Option<Written> {
        match &value.value {
            Value::Text(text) if !text.is_empty() => Some(Written { at: value.at, is: text.clone() }),
            _ => {
                self.wrong.push(Wrong::new(value.at, format!("`{}` is one word or line", key.text)));
                None
            }
        }
    }

    /// Names or patterns: one, or a list.
    fn paths(&mut self, key: &Key, value: &Node) -> Vec<Written> {
        let items = match &value.value {
            Value::List(items) => items.iter().collect(),
            Value::Nothing => Vec::new(),
            _ => vec![value],
        };
        if items.is_empty() {
            self.wrong.push(Wrong::new(key.at, format!("`{}` names nothing", key.text)));
        }
        let mut paths = Vec::new();
        for item in items {
            match &item.value {
                Value::Text(text) if text == "-" => {
                    self.wrong.push(Wrong::new(item.at, "standard input (`-`) can be read only once; name a file"));
                }
                Value::Text(text) if !text.is_empty() && !text.contains('\0') => {
                    paths.push(Written { at: item.at, is: text.clone() });
                }
                _ => self
                    .wrong
                    .push(Wrong::new(item.at, format!("`{}` is a file, a pattern, or a list of these", key.text))),
            }
        }
        paths
    }

    /// Flags: a line, or a list of words.
    fn flags(&mut self, key: &Key, value: &Node) -> Option<Written<Vec<String>>> {
        let is = match &value.value {
            Value::Nothing => Vec::new(),
            Value::Text(line) => match words::split(line) {
                Ok(words) => words,
                Err(why) => {
                    self.wrong.push(Wrong::new(value.at, why));
                    return None;
                }
            },
            Value::List(items) => {
                let mut words = Vec::new();
                for item in items {
                    match &item.value {
                        Value::Text(word) => words.push(word.clone()),
                        _ => self.wrong.push(Wrong::new(item.at, "a flag is one word; write `--unwind`, then `10`")),
                    }
                }
                words
            }
            Value::Map(_) => {
                let help = "write a line such as `--unwind 10`, or a list of words".to_owned();
                self.wrong.push(Wrong::new(key.at, "`flags` have no keys").with_help(help));
                return None;
            }
        };
        if is.iter().any(|word| word.contains('\0')) {
            self.wrong.push(Wrong::new(value.at, "a flag holds no zero byte"));
            return None;
        }
        Some(Written { at: value.at, is })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let wrong = read(text).expect_err(text);
        let told = |wrong: &Wrong| {
            let help = wrong.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            format!("{}: {}{help}", wrong.at.line, wrong.message)
        };
        wrong.iter().map(told).collect()
    }

    #[test]
    fn a_manifest_reads() {
        let text = "
defaults: {command: check, flags: --unwind 3, timeout: 2.5, memory: 100}
tasks:
  - a.c
  - {files: [b.c, 'c d.c'], name: b, flags: [--function, f], expected: fails}
  - {harnesses: p/*.c, files: lib.c}
  - {definitions: sv}
  - {crashes: crashes, files: t.c, command: explain}
";
        let manifest = read(text).expect("reads");
        assert_eq!(manifest.defaults.flags.expect("has flags").is, ["--unwind", "3"]);
        assert_eq!(manifest.entries.len(), 5);
        let Entry { name: Some(name), what: What::Program(files), shared, .. } = &manifest.entries[1] else {
            panic!("{:?}", manifest.entries[1])
        };
        assert_eq!((name.is.as_str(), files[1].is.as_str(), files[1].at.line), ("b", "c d.c", 5));
        assert_eq!(shared.expected, task::find(Expected::WORDS, "fails"));
        assert!(matches!(&manifest.entries[2].what, What::Harnesses(each, with) if each.len() == 1 && with.len() == 1));
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        let text = "
default: {}
tasks:
  - {file: a.c}
  - {files: a.c, comand: check}
  - {files: a.c, command: prove, expected: fail, timeout: long, memory: 0}
  - {harnesses: a, definitions: b}
  - {crashes: a}
  - {files: []}
  - {files: '-', name: ''}
  - [a, b]
  - {files: a.c, flags: \"'\"}
";
        assert_eq!(
            told(text),
            [
                "2: `default` is no key of a manifest (did you mean `defaults`?)",
                "4: this task has no files (name `files`, or `harnesses`, `definitions` or `crashes`)",
                "4: `file` is no key of a task (did you mean `files`?)",
                "5: `comand` is no key of a task (did you mean `command`?)",
                "6: `command` is one of check, explain, focus, fix, causes, not `prove`",
                "6: `expected` is one of holds, fails, undecided, error, any, not `fail` (did you mean `fails`?)",
                "6: `timeout` is a number of seconds, such as 10 or 0.5; 0 is no limit",
                "6: `memory` is a number of megabytes, such as 2000",
                "7: `harnesses` and `definitions` do not go together (make two entries of them)",
                "8: crash files of which program? (name the target in `files`)",
                "9: `files` names nothing",
                "10: standard input (`-`) can be read only once; name a file",
                "10: `name` is one word or line",
                "11: a task is a file, or keys with values (for example `- files: a.c`)",
                "12: the quote ' is not closed",
            ]
        );
    }

    #[test]
    fn a_manifest_without_tasks_is_none() {
        assert_eq!(told("defaults: {}"), ["1: there are no `tasks`"]);
        assert_eq!(told("tasks:"), ["1: the list of `tasks` is empty"]);
        assert_eq!(told("tasks: a.c"), ["1: `tasks` is no list (each task starts with `-`)"]);
        assert_eq!(told("").len(), 1);
        assert_eq!(told("just text").len(), 1);
    }
}
