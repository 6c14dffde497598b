//! Tests from the disk: a folder with inputs and what must be printed, or one of each.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use nearmiss_program::c::trial::{Compare, Trial, Trials};
use nearmiss_program::source::{Diagnostic, Severity};

/// Where tests are.
#[derive(Clone, PartialEq, Debug)]
pub struct TestsGiven {
    /// The files.
    pub place: Place,
    /// How what is printed is compared.
    pub compare: Compare,
}

/// The files of tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A folder.
    Folder(String),
    /// Standard input, and what is expected.
    Single(Option<String>, Option<String>),
}

/// The largest file of a test.
const LARGEST: u64 = 16 << 20;
/// So many tests may be given.
const MOST: usize = 10_000;

/// Reads the tests. The error says what is wrong with them.
pub fn read(given: &TestsGiven) -> Result<Trials, Vec<Diagnostic>> {
    let all = match &given.place {
        Place::Folder(folder) => folder_of(folder)?,
        Place::Single(input, expected) => vec![single(input.as_deref(), expected.as_deref()).map_err(one)?],
    };
    Ok(Trials { all, compare: given.compare })
}

fn one(error: Diagnostic) -> Vec<Diagnostic> {
    vec![error]
}

fn error(message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Error, message, span: None, help: None }
}

fn single(input: Option<&str>, expected: Option<&str>) -> Result<Trial, Diagnostic> {
    let bytes = |path: Option<&str>| path.map(|path| bytes(Path::new(path))).transpose();
    let name = input.or(expected).unwrap_or_default();
    let name = Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let input = text(bytes(input)?.unwrap_or_default(), &name)?;
    Ok(Trial { name, input, expected: bytes(expected)?, ..Trial::default() })
}

/// What one test consists of.
#[derive(Default)]
struct Parts {
    input: Option<PathBuf>,
    expected: Option<PathBuf>,
    arguments: Option<PathBuf>,
    status: Option<PathBuf>,
}

impl Parts {
    /// The part that a file is, by the end of its name or by its name in a folder.
    fn part(&mut self, word: &str) -> Option<&mut Option<PathBuf>> {
        Some(match word {
            "in" | "input" => &mut self.input,
            "out" | "output" => &mut self.expected,
            "args" => &mut self.arguments,
            "code" => &mut self.status,
            _ => return None,
        })
    }
}

/// All tests of a folder, by name; where names are numbers, in their order.
fn folder_of(folder: &str) -> Result<Vec<Trial>, Vec<Diagnostic>> {
    let mut tests: BTreeMap<String, Parts> = BTreeMap::new();
    for path in entries(Path::new(folder)).map_err(one)? {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            for inner in entries(&path).map_err(one)? {
                let word = inner.file_name().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
                if let Some(part) = Parts::default().part(&word).and(tests.entry(name.clone()).or_default().part(&word))
                {
                    *part = Some(inner);
                }
            }
        } else if let Some((stem, word)) = name.rsplit_once('.')
            && Parts::default().part(word).is_some()
            && let Some(part) = tests.entry(stem.to_owned()).or_default().part(word)
        {
            *part = Some(path.clone());
        }
    }
    tests.retain(|_, parts| {
        parts.input.is_some() || parts.expected.is_some() || parts.arguments.is_some() || parts.status.is_some()
    });
    if tests.is_empty() {
        let help = "a test is NAME.in and NAME.out, or a folder NAME with input and output";
        return Err(vec![error(format!("there are no tests in {folder}")).with_help(help)]);
    }
    if tests.len() > MOST {
        return Err(vec![error(format!("there are more than {MOST} tests in {folder}"))]);
    }
    let mut errors = Vec::new();
    let mut all = Vec::new();
    for (name, parts) in tests {
        match trial(&name, &parts, folder) {
            Ok(trial) => all.push(trial),
            Err(error) => errors.push(error),
        }
    }
    all.sort_by_key(|trial| in_order(&trial.name));
    if errors.is_empty() { Ok(all) } else { Err(errors) }
}

fn trial(name: &str, parts: &Parts, folder: &str) -> Result<Trial, Diagnostic> {
    let known = parts.input.iter().chain(&parts.expected).chain(&parts.arguments).chain(&parts.status);
    let has_folder = known.into_iter().any(|path| path.extension().is_none());
    let missing = |what: &str, ending: &str, inside: &str| {
        let other = if has_folder { format!("{name}/{inside}") } else { format!("{name}.{ending}") };
        error(format!("test {name} in {folder} has no {what}: {other} is not there"))
            .with_help(format!("an empty {other} is one, too"))
    };
    let Some(expected) = &parts.expected else { return Err(missing("expected output", "out", "output")) };
    let Some(input) = &parts.input else { return Err(missing("input", "in", "input")) };
    let words = match &parts.arguments {
        Some(path) => arguments(&String::from_utf8_lossy(&text(bytes(path)?, name)?)),
        None => Vec::new(),
    };
    let status = match &parts.status {
        Some(path) => {
            let text = String::from_utf8_lossy(&bytes(path)?).trim().to_owned();
            let wrong = || error(format!("{}: an exit status from 0 to 255 is needed", path.display()));
            Some(text.parse().map_err(|_| wrong())?)
        }
        None => None,
    };
    let (input, expected) = (text(bytes(input)?, name)?, Some(bytes(expected)?));
    Ok(Trial { name: name.to_owned(), input, arguments: words, expected, status })
}

/// Words between white space; what stands between quotes is one.
pub fn arguments(text: &str) -> Vec<String> {
    let (mut all, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => all.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    all.extend(word);
    all
}

/// Numbers in names count as numbers: `2` comes before `10`.
fn in_order(name: &str) -> Vec<(bool, u64, String)> {
    let mut parts: Vec<(bool, u64, String)> = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let length = if digits > 0 { digits } else { rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len()) };
        let (part, after) = rest.split_at(length);
        parts.push((digits == 0, part.parse().unwrap_or(0), part.to_owned()));
        rest = after;
    }
    parts
}

/// Text on standard input, or of arguments.
fn text(bytes: Vec<u8>, name: &str) -> Result<Vec<u8>, Diagnostic> {
    if bytes.contains(&0) {
        return Err(error(format!("test {name} holds a zero byte, which is not supported in the input of tests")));
    }
    Ok(bytes)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let cannot = |why: std::io::Error| error(format!("cannot read {}: {why}", folder.display()));
    let entries = fs::read_dir(folder).map_err(cannot)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(cannot)?;
    paths.sort();
    Ok(paths)
}

fn bytes(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let cannot = |why: std::io::Error| error(format!("cannot read {}: {why}", path.display()));
    let size = fs::metadata(path).map_err(cannot)?.len();
    if size > LARGEST {
        return Err(error(format!("{} has more than {} MB", path.display(), LARGEST >> 20)));
    }
    fs::read(path).map_err(cannot)
}

#[cfg(test)]
mod tests {
    use super::{arguments, in_order};

    #[test]
    fn arguments_are_words_and_quotes() {
        assert_eq!(arguments(" -n 3 \"a b\" ''\n"), ["-n", "3", "a b", ""]);
    }

    #[test]
    fn numbers_count_in_names() {
        let mut names = ["t10", "t2", "a", "t1b"];
        names.sort_by_key(|name| in_order(name));
        assert_eq!(names, ["a", "t1b", "t2", "t10"]);
    }
}
