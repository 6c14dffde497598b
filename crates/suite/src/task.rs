//! One task: a command line, what is expected of it, and its line in a plan.

use serde_json::{Value, json};

/// The name of the form of all answers in JSON.
pub const SCHEMA: &str = "nearmiss/1";

/// The command of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Command {
    Check,
    Explain,
    Focus,
    Fix,
    Causes,
}

impl Command {
    /// The words for them.
    pub const WORDS: &'static [(&'static str, Command)] = &[
        ("check", Command::Check),
        ("explain", Command::Explain),
        ("focus", Command::Focus),
        ("fix", Command::Fix),
        ("causes", Command::Causes),
    ];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        word(Command::WORDS, self)
    }
}

/// What came out of a task.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Every claim holds.
    Holds,
    /// A claim is violated.
    Fails,
    /// There was not enough of something.
    Undecided,
    /// There is no answer: the input cannot be read, or the tool did not come to an end.
    Error,
}

impl Verdict {
    /// The words for them.
    pub const WORDS: &'static [(&'static str, Verdict)] = &[
        ("holds", Verdict::Holds),
        ("fails", Verdict::Fails),
        ("undecided", Verdict::Undecided),
        ("error", Verdict::Error),
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        word(Verdict::WORDS, self)
    }
}

/// What is expected of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// This.
    This(Verdict),
    /// Whatever comes out.
    Any,
}

impl Expected {
    /// The words for them.
    pub const WORDS: &'static [(&'static str, Expected)] = &[
        ("holds", Expected::This(Verdict::Holds)),
        ("fails", Expected::This(Verdict::Fails)),
        ("undecided", Expected::This(Verdict::Undecided)),
        ("error", Expected::This(Verdict::Error)),
        ("any", Expected::Any),
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        word(Expected::WORDS, self)
    }
}

/// What a word stands for.
pub fn find<T: Copy>(words: &[(&str, T)], typed: &str) -> Option<T> {
    words.iter().find(|(word, _)| *word == typed).map(|(_, meaning)| *meaning)
}

fn word<T: PartialEq>(words: &[(&'static str, T)], value: T) -> &'static str {
    words.iter().find(|(_, other)| *other == value).map_or("", |(word, _)| *word)
}

/// One task of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// What it is called, and no other is.
    pub name: String,
    /// Its command.
    pub command: Command,
    /// What is typed behind the name of the tool; names of files are told from the folder of the suite.
    pub argv: Vec<String>,
    /// The files that were named; what they include is only known after a run.
    pub files: Vec<String>,
    /// The crash file that the program is fed.
    pub crash: Option<String>,
    /// What is typed to get the condition under which it fails, where failures are grouped by cause.
    pub focus: Option<Vec<String>>,
    /// What should come out.
    pub expected: Expected,
    /// Kinds of claims whose violation decides nothing: more is checked than is asked for.
    pub open: Vec<String>,
}

impl Task {
    /// The keys of a line of a plan that say what is to be done; whoever plans adds the others.
    pub fn json(&self) -> Value {
        json!({
            "name": self.name,
            "command": self.command.name(),
            "argv": self.argv,
            "files": self.files,
            "crash": self.crash,
            "focus": self.focus,
            "expected": self.expected.name(),
            "open": self.open,
        })
    }

    /// Reads them. The error names the key that is wrong.
    pub fn of_json(line: &Value) -> Result<Task, String> {
        let wrong = |key: &str| format!("`{key}` of the line is missing or wrong");
        let text = |key: &str| line[key].as_str().map(str::to_owned).ok_or_else(|| wrong(key));
        let list = |key: &str| strings(&line[key]).ok_or_else(|| wrong(key));
        let optional = |key: &str| if line[key].is_null() { Ok(None) } else { text(key).map(Some) };
        let command = find(Command::WORDS, &text("command")?).ok_or_else(|| wrong("command"))?;
        let argv = list("argv")?;
        if argv.first().map(String::as_str) != Some(command.name()) {
            return Err(wrong("argv"));
        }
        Ok(Task {
            name: text("name")?,
            command,
            argv,
            files: list("files")?,
            crash: optional("crash")?,
            focus: if line["focus"].is_null() { None } else { Some(list("focus")?) },
            expected: find(Expected::WORDS, &text("expected")?).ok_or_else(|| wrong("expected"))?,
            open: list("open")?,
        })
    }

    /// As a person types it in the folder of the suite.
    pub fn typed(&self) -> String {
        let words: Vec<String> = self.argv.iter().map(|word| crate::words::quoted(word)).collect();
        format!("nearmiss {}", words.join(" "))
    }
}

/// A list of texts.
pub fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_plan_reads_back() {
        let task = Task {
            name: "a".to_owned(),
            command: Command::Explain,
            argv: vec!["explain".to_owned(), "a b.c".to_owned()],
            files: vec!["a b.c".to_owned()],
            crash: Some("crash".to_owned()),
            focus: Some(vec!["focus".to_owned()]),
            expected: Expected::Any,
            open: vec!["memory-leak".to_owned()],
        };
        assert_eq!(Task::of_json(&task.json()), Ok(task.clone()));
        assert_eq!(task.typed(), "nearmiss explain 'a b.c'");
        let mut line = task.json();
        line["argv"] = json!(["rm", "-rf"]);
        assert_eq!(Task::of_json(&line), Err("`argv` of the line is missing or wrong".to_owned()));
    }
}
