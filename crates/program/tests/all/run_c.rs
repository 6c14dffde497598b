//! C programs, run by the interpreter and by the machine: both must return the same.
//!
//! Each file in `tests/c` is one program. Its `main` returns a number into which it folds everything that it tries; we
//! compile it with `cc`, rename `main` so that a wrapper can print all 32 bits, and compare. A file that starts with
//! `// violated: kind` must instead violate a claim of that kind. Adding a test is dropping a file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{in_parallel, native, program};
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program_text;
use nearmiss_program::run::{Inputs, Outcome};

#[test]
fn the_interpreter_and_the_machine_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(files.len() >= 60, "only {} programs in {}", files.len(), folder.display());
    let filter = std::env::var("NEARMISS_CASE").unwrap_or_default();
    files.retain(|path| path.display().to_string().contains(&filter));
    let failures: Vec<String> = in_parallel(&files, |path| check(path))
        .into_iter()
        .zip(&files)
        .filter_map(|(result, path)| result.err().map(|why| format!("{}: {why}", path.display())))
        .collect();
    assert!(failures.is_empty(), "{} of {} fail\n{}", failures.len(), files.len(), failures.join("\n"));
}

fn check(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let program = program(path)?;
    let execution = Interpreter::new(&program).execute(&Inputs::default(), &Limits::default(), Recording::Steps);
    let outcome = execution.run.outcome.clone();
    // The program survives the way through its text.
    let printed = program_text::print(&program, None);
    let read = program_text::parse(&printed).map_err(|error| format!("its text: {error}"))?;
    if program_text::print(&read, None) != printed {
        return Err("its text prints differently again".to_owned());
    }
    let again = Interpreter::new(&read).execute(&Inputs::default(), &Limits::default(), Recording::Steps);
    if (&again.run, again.returned) != (&execution.run, execution.returned) {
        return Err("its text runs differently".to_owned());
    }
    let first = text.lines().next().unwrap_or_default();
    if let Some(kind) = first.strip_prefix("// violated: ") {
        return match outcome {
            Outcome::Violated(claim) if program.claims[claim.index()].kind.name() == kind => Ok(()),
            Outcome::Violated(claim) => Err(format!("violates {}", program.claims[claim.index()].id)),
            other => Err(format!("{other:?} where a claim should be violated")),
        };
    }
    match outcome {
        Outcome::Finished => {}
        Outcome::Violated(claim) => {
            let claim = &program.claims[claim.index()];
            return Err(format!("violates {}: {}", claim.id, claim.text));
        }
        other => return Err(format!("{other:?}")),
    }
    let ours = execution.returned.ok_or("main did not return")? as u32 as i32;
    let theirs = native(path)?;
    if ours == theirs { Ok(()) } else { Err(format!("returns {ours}, compiled it returns {theirs}")) }
}
