//! Golden cases: every folder `cases/<command>/<name>/` is a test.
//!
//! A folder holds input files and `args`, one line of arguments that is run in that folder. What comes out is compared
//! with `expected.txt` (standard output), `expected.code` (exit code), and, where they exist, `expected.stderr` and
//! `expected.json` (standard output of a second run with `--format json`). `UPDATE=1 cargo test --test cases` writes
//! what came out instead; create an empty `expected.json` or `expected.stderr` to have it filled.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn every_case_gives_what_is_expected() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut cases: Vec<PathBuf> = folders(&root).iter().flat_map(|command| folders(command)).collect();
    cases.sort();
    assert!(!cases.is_empty(), "there are no cases in {}", root.display());
    let update = std::env::var_os("UPDATE").is_some_and(|value| !value.is_empty() && value != "0");
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let complaints = check(case, update);
                    failures.lock().unwrap().extend(complaints);
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let hint = "UPDATE=1 cargo test --release --test cases accepts what came out";
    assert!(failures.is_empty(), "{}\n\n{} complaints; {hint}", failures.join("\n\n"), failures.len());
}

#[test]
fn every_way_to_fail_is_told_alike_without_summaries() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/focus");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for case in folders(&root) {
        let mut args = words(&fs::read_to_string(case.join("args")).unwrap());
        if !args.iter().any(|arg| arg == "--no-summaries") {
            args.insert(1, "--no-summaries".to_owned());
        }
        for (format, name) in [("text", "expected.txt"), ("json", "expected.json")] {
            if let Ok(expected) = fs::read_to_string(case.join(name)) {
                let mut args = args.clone();
                args.splice(1..1, ["--format".to_owned(), format.to_owned()]);
                let found = text(&run(&case, &args).stdout);
                assert!(found == expected, "{}: {}", case.display(), difference(&expected, &found));
            }
        }
    }
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.is_dir()).collect()
}

/// Runs one case; complaints are texts for people.
fn check(case: &Path, update: bool) -> Vec<String> {
    let Ok(line) = fs::read_to_string(case.join("args")) else {
        return vec![format!("{}: there is no file `args`", case.display())];
    };
    let mut args = words(&line);
    let mut complaints = Vec::new();
    let plain = run(case, &args);
    let code = format!("{}\n", plain.status.code().unwrap_or(-1));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut found = vec![("expected.txt", text(&plain.stdout)), ("expected.code", code)];
    let exists = |name: &str| case.join(name).exists();
    if exists("expected.stderr") || (update && !plain.stderr.is_empty()) {
        found.push(("expected.stderr", text(&plain.stderr)));
    }
    if exists("expected.json") {
        args.splice(1..1, ["--format".to_owned(), "json".to_owned()]);
        found.push(("expected.json", text(&run(case, &args).stdout)));
    }
    for (name, found) in found {
        let path = case.join(name);
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if expected == found {
            continue;
        }
        if update {
            fs::write(&path, found).unwrap();
        } else {
            complaints.push(format!("{}\n{}", path.display(), difference(&expected, &found)));
        }
    }
    complaints
}

fn run(folder: &Path, args: &[String]) -> Output {
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
