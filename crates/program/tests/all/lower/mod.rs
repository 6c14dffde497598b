//! C in, program out: what runs, what is claimed, and what the blocks look like.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use nearmiss_program::c::{self, Checks, Errors, Loader, Options};
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::Program;
use nearmiss_program::program_text;
use nearmiss_program::run::{Inputs, Outcome};
use nearmiss_program::source::Sources;

mod claims;
mod shapes;
mod start;

/// Files that are not on any disk.
struct Map(HashMap<PathBuf, String>);

impl Loader for Map {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let text = self.0.get(path).ok_or(std::io::ErrorKind::NotFound)?;
        Ok(text.clone().into_bytes())
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }
}

fn try_read(text: &str, options: &Options) -> Result<(Program, Sources), Errors> {
    let loader = Map([(PathBuf::from("a.c"), text.to_owned())].into());
    let mut sources = Sources::new();
    let program = c::read(&["a.c".to_owned()], options, &loader, &mut sources)?;
    Ok((program, sources))
}

fn read_with(text: &str, options: &Options) -> (Program, Sources) {
    try_read(text, options).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn read(text: &str) -> (Program, Sources) {
    read_with(text, &Options::default())
}

/// How the program ends when every input is 0: `finished`, or the claim that is violated and its words.
fn outcome_with(text: &str, options: &Options, inputs: &[u128]) -> String {
    let (program, _) = read_with(text, options);
    let inputs = Inputs { calls: inputs.to_vec(), ..Inputs::default() };
    match interp::run(&program, &inputs, &Limits::default()).outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::Violated(claim) => {
            let claim = &program.claims[claim.index()];
            format!("{}: {}", claim.id, claim.text)
        }
        other => format!("{other:?}"),
    }
}

fn outcome(text: &str) -> String {
    outcome_with(text, &Options::default(), &[])
}

/// No automatic claims, so that blocks show nothing but the program.
fn unchecked() -> Options {
    let checks = Checks {
        bounds: false,
        pointer: false,
        div_by_zero: false,
        signed_overflow: false,
        undefined_shift: false,
        ..Checks::default()
    };
    Options { checks, ..Options::default() }
}

/// The blocks of a function as text, without places in the text; the last function of that name.
fn blocks(program: &Program, function: &str) -> String {
    let text = program_text::print(program, None);
    let mut shown = String::new();
    let mut inside = false;
    for line in text.lines() {
        let line = line.split(" @").next().unwrap_or(line);
        if let Some(rest) = line.strip_prefix("function ") {
            let name = rest.split([' ', '~']).next().unwrap_or(rest);
            inside = name == function;
            shown = if inside { String::new() } else { shown };
        } else if inside && line != "end" && !line.starts_with("  local") {
            shown += line.trim();
            shown.push('\n');
        }
        inside &= line != "end";
    }
    shown
}

/// The blocks of `f`, which gets its inputs as parameters, without automatic claims.
fn shape(text: &str) -> String {
    let options = Options { entry: "f".to_owned(), ..unchecked() };
    blocks(&read_with(text, &options).0, "f")
}

/// The lines of a text without their indentation.
fn lines(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn programs_that_check_themselves_run_to_their_end() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower/runs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 5);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(outcome(&text), "finished", "{}", file.display());
        assert_eq!(outcome_with(&text, &unchecked(), &[]), "finished", "{}", file.display());
    }
}
