//! Runs as they happened: random programs with conditions that are cut short, functions that share names, loops, recursion,
//! pointers, results of several parts, and several statements in a line. The same program, compiled, says what it does
//! (`runs/telling.rs`). Every step that JSON has must be what the compiled program does, in the same order, and nothing may be
//! missing. Every row, cell, branch, line and round of every form must be what these steps did (`runs/forms.rs`). Of every
//! so many programs one is explained by the command, the others by the library that it stands on, most of them from some
//! failing run rather than the smallest.
//!
//! `NEARMISS_RUNS` is the number of programs, `NEARMISS_FROM` the first seed.

mod forms;
mod telling;

use std::fs;
use std::path::Path;
use std::process::Command;

use nearmiss_explain::explanation::{Hypotheses, Metric, State};
use nearmiss_explain::{Explaining, Program, Reading};
use nearmiss_program::run::Inputs;
use nearmiss_report::view::{Detail, Verb};
use nearmiss_report::witness::Origin;
use nearmiss_report::{Background, Paint, Report};
use serde_json::Value;

use forms::Forms;

/// One of so many programs is explained by the command.
const BY_COMMAND: u64 = 16;

/// One of so many programs is explained in predicates as well.
const IN_PREDICATES: u64 = 2;

/// Something that the compiled program did.
#[derive(Clone, PartialEq, Debug)]
enum Did {
    /// A variable was set: line, name, value.
    Set(u64, String, String),
    /// A condition came out: line, text without blanks and parentheses, truth.
    Ask(u64, String, bool),
    /// A part of a condition came out.
    Part(u64, String, bool),
    /// A function was called.
    Call(u64, String),
    /// A function returned, perhaps with a number.
    Return(u64, Option<String>),
    /// The claim was come to.
    Claim(u64, bool),
}

/// Conditions are told apart by their letters: where parentheses belong is a matter of taste.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !" ()".contains(*c)).collect()
}

/// What the compiled program does.
fn compiled(folder: &Path, inputs: &Value) -> Vec<Did> {
    let inputs = inputs.as_array().unwrap().iter().map(|input| input["value"].as_str().unwrap());
    let out = Command::new(folder.join("telling")).args(inputs).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let did = |line: &str| {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let at = words[1].parse().unwrap();
        match words[0] {
            "set" => Did::Set(at, words[2].to_owned(), words[3].trim_start_matches("= ").to_owned()),
            "ask" => Did::Ask(at, letters(words[3]), words[2] == "1"),
            "part" => Did::Part(at, letters(words[3]), words[2] == "1"),
            "call" => Did::Call(at, words[2].to_owned()),
            "return" => Did::Return(at, (words[2] != "-").then(|| words[2].to_owned())),
            _ => Did::Claim(at, words[2] == "1"),
        }
    };
    text.lines().map(did).collect()
}

/// The steps of an answer are what the compiled program did. Parts of conditions may be left out, nothing else.
fn steps_are_true(steps: &Value, does: &[Did], what: &str) {
    let text = |step: &Value, key: &str| step[key].as_str().unwrap_or_default().to_owned();
    let mut next = 0;
    for step in steps.as_array().unwrap() {
        let line = step["line"].as_u64().unwrap();
        let said = match step["kind"].as_str().unwrap() {
            "branch" if step["part_of"].is_null() => {
                Did::Ask(line, letters(&text(step, "text")), step["taken"] == true)
            }
            "branch" => Did::Part(line, letters(&text(step, "text")), step["taken"] == true),
            "assign" | "input" => Did::Set(line, text(step, "variable"), text(step, "value")),
            "call" => Did::Call(line, text(step, "callee")),
            "return" => Did::Return(line, step["value"].as_str().map(str::to_owned)),
            _ => Did::Claim(line, step["holds"] == true),
        };
        let is_said = |did: &Did| match (did, &said) {
            // Where pointers point to is not compared.
            (Did::Set(a, name, _), Did::Set(b, other, value)) if value.starts_with('&') => a == b && name == other,
            (Did::Part(a, name, is), Did::Ask(b, other, truth)) => (a, name, is) == (b, other, truth),
            _ => *did == said,
        };
        while matches!(does.get(next), Some(Did::Part(..))) && !is_said(&does[next]) {
            next += 1;
        }
        assert!(does.get(next).is_some_and(is_said), "{step} where the program did {:?}\n{what}", does.get(next));
        next += 1;
    }
    let rest = does[next..].iter().filter(|did| !matches!(did, Did::Part(..)));
    assert_eq!(rest.count(), 0, "nothing is left out: {:?}\n{what}", &does[next..]);
}

/// What is said not to be reached by the passing run, it never comes to; how often it comes to the claim is how often it does.
fn reached_is_true(table: &str, passing: &[Did], what: &str) {
    let sentence = table.split_whitespace().collect::<Vec<_>>().join(" ");
    for (end, _) in sentence.match_indices(") is not reached") {
        let (before, line) = sentence[..end].rsplit_once(" (line ").unwrap();
        let condition = letters(before.trim_end_matches('`').rsplit('`').next().unwrap());
        let line: u64 = line.parse().unwrap();
        let is_asked = |did: &Did| matches!(did, Did::Ask(at, text, _) if *at == line && *text == condition);
        assert!(!passing.iter().any(is_asked), "`{condition}` is reached\n{table}{what}");
    }
    for row in table.lines().filter(|line| line.starts_with("! ")) {
        let Some(line) = row[2..].split(" | ").next().and_then(|number| number.trim().parse::<u64>().ok()) else {
            continue;
        };
        let times = passing.iter().filter(|did| matches!(did, Did::Claim(at, _) if *at == line)).count();
        let said = match row.rsplit_once("holds, only ") {
            Some((_, "once")) => Some(1),
            Some((_, times)) => Some(times.trim_end_matches(" times").parse().unwrap()),
            None => row.ends_with("not reached").then_some(0),
        };
        assert!(said.is_none_or(|said: usize| said == times), "{times} times\n{table}{what}");
    }
}

/// What the command says.
fn by_command(folder: &Path, metric: Metric) -> Forms {
    let form = |arguments: &[&str]| {
        let metric = match metric {
            Metric::Ssa => "ssa",
            Metric::Slice => "slice",
            Metric::Align => "align",
            Metric::Bytes => "bytes",
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
        command.current_dir(folder).args(["explain", "--no-native", "--metric", metric]);
        String::from_utf8(command.args(arguments).arg("plain.c").output().unwrap().stdout).unwrap()
    };
    Forms {
        json: form(&["--format", "json"]),
        verbose: form(&["-v"]),
        markdown: form(&["--format", "markdown"]),
        sarif: form(&["--format", "sarif"]),
        html: form(&["--format", "html"]),
        witness: form(&["--format", "witness"]),
    }
}

/// What the library says of the smallest failing run, or of the one with these inputs.
fn by_library(text: &str, metric: Metric, given: Option<Inputs>) -> Forms {
    // Causes are judged elsewhere, and take long.
    let options = Explaining { metric, given, hypotheses: Hypotheses::None, ..Explaining::default() };
    let program = Program::from_text("plain.c", text, &Reading::default()).unwrap();
    let why = program.explain(&options).unwrap();
    let background = Background::of_why(&why);
    let report = Report::of_why(Verb::Explain, &why, &background);
    let files = [("plain.c".to_owned(), text.as_bytes().to_vec())];
    Forms {
        json: report.json(),
        verbose: report.text(Detail::Verbose, Paint::Plain),
        markdown: report.markdown(),
        sarif: report.sarif(None),
        html: report.html(),
        witness: report.witness(&Origin { files: &files, seconds: 0 }).unwrap_or_default(),
    }
}

/// Where a predicate is said to come out otherwise, the passing run sets what it speaks of, or a call or return does.
fn predicate_is_true(folder: &Path, text: &str, metric: Metric, given: Option<Inputs>, what: &str) {
    let options =
        Explaining { metric, given, state: State::Predicates, hypotheses: Hypotheses::None, ..Explaining::default() };
    let program = Program::from_text("plain.c", text, &Reading::default()).unwrap();
    let why = program.explain(&options).unwrap_or_else(|error| panic!("{error:?} in predicates, {what}"));
    let background = Background::of_why(&why);
    let report = Report::of_why(Verb::Explain, &why, &background);
    let answer: Value = serde_json::from_str(&report.json()).unwrap();
    let told = report.text(Detail::Normal, Paint::Plain);
    let sentence = told.split("\n\n").next().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    let then = sentence.split_once(": then ").map_or("", |(_, then)| then);
    let last = then.rsplit_once(", and ").map_or(then, |(_, last)| last);
    let Some((predicate, line)) = last.trim_end_matches(").").rsplit_once(" (line ") else { return };
    let (Ok(line), false) = (line.parse::<u64>(), predicate.contains('`')) else { return };
    let names: Vec<&str> = predicate.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let is_about =
        |name: &str| name.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| names.contains(&part));
    let sets = |did: &Did| match did {
        Did::Set(at, name, _) => *at == line && (is_about(name) || name.starts_with('*')),
        Did::Call(at, _) | Did::Return(at, _) => *at == line,
        _ => false,
    };
    let does = compiled(folder, &answer["nearest"]["inputs"]);
    assert!(does.iter().any(sets), "`{predicate}` is not set in line {line}\n{told}\n{what}");
}

/// Some failing run of the compiled program.
fn some_failing(folder: &Path, seed: u64) -> Option<Inputs> {
    let mut all = (0..16).map(|number| (number + seed / 5) % 16).map(|number| [number / 4, number % 4]);
    let fails = |values: &[u64; 2]| {
        let inputs = values.map(|value| serde_json::json!({ "value": value.to_string() }));
        matches!(compiled(folder, &inputs.to_vec().into()).last(), Some(Did::Claim(_, false)))
    };
    let found = all.find(fails)?;
    Some(Inputs { calls: found.map(u128::from).to_vec(), ..Inputs::default() })
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Compares a program; says whether it fails and passes.
fn compare(seed: u64) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let texts = telling::program(seed);
    let text = texts.telling.replace("int main(void)", "int told(void)") + &telling::behind();
    fs::write(folder.join("plain.c"), &texts.plain).unwrap();
    fs::write(folder.join("telling.c"), text).unwrap();
    let built = Command::new("cc").current_dir(folder).args(["-w", "-o", "telling", "telling.c"]).status().unwrap();
    assert!(built.success(), "{}", texts.telling);
    // Not every program is compared in every way. Alignments take long.
    let metric = match seed % 16 {
        3 | 7 => Metric::Align,
        number if number % 4 == 2 => Metric::Slice,
        _ => Metric::Ssa,
    };
    let forms = match seed % BY_COMMAND {
        5 => by_command(folder, metric),
        0..5 => by_library(&texts.plain, metric, None),
        _ => match some_failing(folder, seed) {
            Some(given) => by_library(&texts.plain, metric, Some(given)),
            None => return false,
        },
    };
    let answer: Value = serde_json::from_str(&forms.json).unwrap();
    if answer["verdict"] != "fails" || !answer["nearest"].is_object() {
        return false;
    }
    let what = format!("seed {seed} {metric:?}\n{}", texts.plain);
    let does = |run: &str| compiled(folder, &answer[run]["inputs"]);
    for run in ["counterexample", "nearest"] {
        steps_are_true(&answer[run]["steps"], &does(run), &format!("{run}, {what}"));
    }
    forms::compare(&answer, &forms, &texts.plain, &what);
    reached_is_true(&forms.verbose, &does("nearest"), &what);
    if seed.is_multiple_of(IN_PREDICATES) {
        predicate_is_true(folder, &texts.plain, metric, some_failing(folder, seed), &what);
    }
    true
}

#[test]
fn every_form_tells_what_the_compiled_program_does() {
    let (programs, first) = (number("NEARMISS_RUNS", 12), number("NEARMISS_FROM", 1));
    let compared = (first..first + programs).filter(|seed| compare(*seed)).count() as u64;
    println!("{compared} of {programs} programs were compared");
    assert!(compared * 4 >= programs, "only {compared} of {programs} programs fail and pass");
}
