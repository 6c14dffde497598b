//! Golden cases: every folder `cases/<command>/<name>/` is a test, called `<command>/<name>`.
//!
//! A folder holds input files and `args`, one line of arguments that is run in that folder. What comes out is compared
//! with `expected.txt` (standard output), `expected.code` (exit code), and, where they exist, `expected.stderr` and
//! `expected.json` (standard output of a second run with `--format json`). Cases of `focus` run once more without
//! summaries, which must not change what is told. Cases of `suite` run in a copy of their folder, since a suite keeps results.
//!
//! `cargo test --release --test cases explain/minmax` runs that case alone, part of a name runs all cases with it. With
//! `UPDATE=1` what came out is written instead; create an empty `expected.json` or `expected.stderr` to have it filled.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut cases: Vec<Case> = folders(&root).iter().flat_map(|command| folders(command)).map(Case::new).collect();
    assert!(!cases.is_empty(), "there are no cases in {}", root.display());
    // A whole name means that case alone, also where longer names start with it.
    if let Some(named) = cases.iter().position(|case| Some(&case.name) == arguments.filter.as_ref()) {
        cases = vec![cases.swap_remove(named)];
    }
    let update = std::env::var_os("UPDATE").is_some_and(|value| !value.is_empty() && value != "0");
    let aim = if update { Aim::Accept } else { Aim::Compare };
    let trials = cases.into_iter().flat_map(|case| trials(case, aim)).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The folders in a folder, by name.
fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// What is done with what comes out.
#[derive(Clone, Copy, PartialEq)]
enum Aim {
    /// It must be what is expected.
    Compare,
    /// It is expected from now on.
    Accept,
}

/// The tests of one case.
fn trials(case: Case, aim: Aim) -> Vec<Trial> {
    let mut trials = Vec::new();
    if case.name.starts_with("focus/") {
        let (name, case) = (format!("{} (without summaries)", case.name), case.clone());
        // While the expected outputs are written, there is nothing to compare with.
        let test = Trial::test(name, move || case.told_alike_without_summaries());
        trials.push(test.with_ignored_flag(aim == Aim::Accept));
    }
    let test = match aim {
        Aim::Compare => Case::compare,
        Aim::Accept => Case::accept,
    };
    trials.push(Trial::test(case.name.clone(), move || test(&case)));
    trials
}

/// A folder with arguments and with what they give.
#[derive(Clone)]
struct Case {
    name: String,
    folder: PathBuf,
}

impl Case {
    fn new(folder: PathBuf) -> Case {
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let command = folder.parent().map(name).unwrap_or_default();
        Case { name: format!("{command}/{}", name(&folder)), folder }
    }

    /// What came out is what is expected.
    fn compare(&self) -> Result<(), Failed> {
        let mut found = self.found()?;
        // Notes on standard error are compared only where somebody wants them to be.
        found.retain(|(file, _)| *file != "expected.stderr" || self.is_expected(file));
        let complaints = found.iter().filter_map(|(file, found)| self.complaint(file, found)).collect();
        self.report(complaints)
    }

    /// What came out is expected from now on.
    fn accept(&self) -> Result<(), Failed> {
        for (file, found) in self.found()? {
            if self.expected(file) != found {
                fs::write(self.folder.join(file), found)?;
            }
        }
        Ok(())
    }

    /// Every way to fail is told alike without summaries.
    fn told_alike_without_summaries(&self) -> Result<(), Failed> {
        let mut args = self.args()?;
        if !args.iter().any(|arg| arg == "--no-summaries") {
            args.insert(1, "--no-summaries".to_owned());
        }
        let mut complaints = Vec::new();
        for (format, file) in [("text", "expected.txt"), ("json", "expected.json")] {
            if self.is_expected(file) {
                complaints.extend(self.complaint(file, &self.printed(&args, format)));
            }
        }
        self.report(complaints)
    }

    fn args(&self) -> Result<Vec<String>, Failed> {
        let line = fs::read_to_string(self.folder.join("args"));
        let line = line.map_err(|error| format!("{}: {error}", self.folder.join("args").display()))?;
        Ok(words(&line))
    }

    /// What came out, by the file that it is expected in.
    fn found(&self) -> Result<Vec<(&'static str, String)>, Failed> {
        let args = self.args()?;
        let plain = run(&self.folder, &args);
        let code = format!("{}\n", plain.status.code().unwrap_or(-1));
        let [stdout, stderr] = [&plain.stdout, &plain.stderr].map(|bytes| text(bytes));
        let mut found = vec![("expected.txt", stdout), ("expected.code", code), ("expected.stderr", stderr)];
        if self.is_expected("expected.json") {
            found.push(("expected.json", self.printed(&args, "json")));
        }
        Ok(found)
    }

    /// The standard output in another format.
    fn printed(&self, args: &[String], format: &str) -> String {
        let mut args = args.to_vec();
        args.splice(1..1, ["--format".to_owned(), format.to_owned()]);
        text(&run(&self.folder, &args).stdout)
    }

    fn is_expected(&self, file: &str) -> bool {
        self.folder.join(file).exists()
    }

    fn expected(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap_or_default()
    }

    fn complaint(&self, file: &str, found: &str) -> Option<String> {
        let expected = self.expected(file);
        let path = self.folder.join(file);
        (expected != found).then(|| format!("{}\n{}", path.display(), difference(&expected, found)))
    }

    fn report(&self, complaints: Vec<String>) -> Result<(), Failed> {
        if complaints.is_empty() {
            return Ok(());
        }
        let hint = format!("UPDATE=1 cargo test --release --test cases {} accepts what came out", self.name);
        Err(format!("{}\n\n{hint}", complaints.join("\n\n")).into())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn run(folder: &Path, args: &[String]) -> Output {
    if args.first().is_some_and(|command| command == "suite") {
        let copy = tempfile::tempdir().expect("there is room");
        copied(folder, copy.path()).expect("a case can be copied");
        return run_in(copy.path(), args);
    }
    run_in(folder, args)
}

fn copied(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(from)? {
        let (path, target) = (entry?.path(), to);
        let target = target.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            fs::create_dir(&target)?;
            copied(&path, &target)?;
        } else {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

fn run_in(folder: &Path, args: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
    command.args(args).current_dir(folder).env_remove("CC").env_remove("NO_COLOR");
    command.output().expect("the tool starts")
}

/// Words of a line; quotes of either kind keep spaces.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for c in line.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Lines that differ, with two around them: `-` was expected, `+` came out.
fn difference(expected: &str, found: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    // common[i][j]: how many lines the rest of the two from i and j on have in common.
    let mut common = vec![vec![0u32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = match old[i] == new[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let mut lines: Vec<(char, &str)> = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            lines.push(('-', old[i]));
            i += 1;
        } else {
            lines.push(('+', new[j]));
            j += 1;
        }
    }
    let near = |at: usize| lines[at.saturating_sub(2)..(at + 3).min(lines.len())].iter().any(|(mark, _)| *mark != ' ');
    let shown = (0..lines.len()).filter(|at| near(*at)).map(|at| format!("  {} {}", lines[at].0, lines[at].1));
    shown.collect::<Vec<_>>().join("\n")
}
