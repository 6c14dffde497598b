//! Text that is printed and read where tests are given: random calls of `printf` and its kin (`streams/printing.rs`), of `scanf`, `strtol` and
//! theirs on random text (`streams/reading.rs`). The compiled program is the oracle, byte by byte.
//!
//! `NEARMISS_STREAMS` is the number of programs, each of some hundred calls; `NEARMISS_FROM` is the first seed. What C leaves undefined
//! is not compared: the model refuses it, and a test counts how often.

mod printing;
mod reading;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use nearmiss_program::c::trial::{COMPARING, Compare, PRINTED, PRINTED_SIZE, Trial, Trials};
use nearmiss_program::c::{Options, read};
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::{GlobalId, Program};
use nearmiss_program::run::{Inputs, Outcome};
use nearmiss_program::source::Sources;

use crate::common::random::{FILE, seeds};
use crate::common::{OneFile, in_parallel, output, scratch};

/// A program and what it is given, time after time.
struct Sample {
    text: String,
    /// Each with how many calls it makes.
    runs: Vec<(Trial, u32)>,
}

/// How many calls print or return the same, and how many come where nothing is said.
#[derive(Clone, Copy, Default)]
struct Count {
    same: u32,
    refused: u32,
}

/// So many programs are compared where nobody asks for more.
const PROGRAMS: u64 = 20;

fn programs() -> u64 {
    std::env::var("NEARMISS_STREAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(PROGRAMS)
}

/// The path of the compiled program. What the compiler knows of these functions is not asked for.
fn compiled(text: &str, name: &str) -> PathBuf {
    let folder = scratch("streams");
    let (source, binary) = (folder.join(format!("{name}.c")), folder.join(name));
    fs::write(&source, text).unwrap();
    output(Command::new("cc").args(["-w", "-O0", "-fno-builtin", "-o"]).arg(&binary).arg(&source).arg("-lm")).unwrap();
    binary
}

/// What the compiled program prints.
fn printed_natively(binary: &Path, trial: &Trial) -> Vec<u8> {
    let mut command = Command::new(binary);
    command.args(&trial.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that does not read all of it has ended by then.
    let _ = child.stdin.take().unwrap().write_all(&trial.input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.code() == Some(0), "{}: {:?}", binary.display(), output.status);
    output.stdout
}

/// What the model prints, and how the run ends.
fn printed_by_model(program: &Program, number: usize, compares: bool) -> (Vec<u8>, Outcome) {
    let mut interpreter = Interpreter::new(program);
    let comparing = program.globals.iter().position(|global| global.name == COMPARING).unwrap();
    interpreter.start_with(GlobalId(comparing as u32), compares.into());
    let inputs = Inputs { calls: vec![number as u128], ..Inputs::default() };
    let execution = interpreter.execute(&inputs, &Limits::default(), Recording::Outcome);
    let size = execution.global(program, PRINTED_SIZE).unwrap() as u64;
    let bytes = execution.global_bytes(program, PRINTED, size).unwrap_or_default();
    (bytes, execution.run.outcome.clone())
}

/// The lines in which two texts differ first.
fn difference(ours: &[u8], theirs: &[u8]) -> String {
    let shown = |line: Option<&[u8]>| line.map_or("nothing".to_owned(), |line| line.escape_ascii().to_string());
    let (mut one, mut two) = (ours.split(|byte| *byte == b'\n'), theirs.split(|byte| *byte == b'\n'));
    let mut number = 0;
    loop {
        number += 1;
        let (one, two) = (one.next(), two.next());
        if one != two || one.is_none() {
            return format!("line {number}: the model prints {}, the compiled program {}", shown(one), shown(two));
        }
    }
}

/// Compares a program with itself compiled.
fn compare(mut sample: Sample, name: &str) -> Result<Count, String> {
    if std::env::var_os("NEARMISS_SHOW").is_some() {
        println!("{}", sample.text);
    }
    let binary = compiled(&sample.text, name);
    for (trial, _) in &mut sample.runs {
        trial.expected = Some(printed_natively(&binary, trial));
    }
    let all: Vec<Trial> = sample.runs.iter().map(|(trial, _)| trial.clone()).collect();
    let trials = Trials { all, compare: Compare::Exact };
    let options = Options { trials: Some(Arc::new(trials)), ..Options::default() };
    let loader = OneFile { name: FILE, bytes: sample.text.as_bytes() };
    let program = read(&[FILE.to_owned()], &options, &loader, &mut Sources::new())
        .map_err(|errors| format!("{name} is not accepted: {errors:?}"))?;
    let mut count = Count::default();
    for (number, (trial, calls)) in sample.runs.iter().enumerate() {
        let expected = trial.expected.as_deref().unwrap_or_default();
        let what = || format!("{name} {:?} on \"{}\"", trial.arguments, trial.input.escape_ascii());
        let (printed, outcome) = printed_by_model(&program, number, false);
        let refused = match &outcome {
            Outcome::Finished => None,
            Outcome::Unsupported(what) => Some(what.clone()),
            Outcome::Violated(claim) => Some(program.claims[claim.index()].text.clone()),
            other => return Err(format!("{}: {other:?}", what())),
        };
        if let Some(why) = refused {
            if std::env::var_os("NEARMISS_SHOW").is_some() {
                println!("refused: {why}: {}", what());
            }
            // Up to there, they print the same.
            if !expected.starts_with(&printed) {
                return Err(format!("{}, refused: {}", what(), difference(&printed, expected)));
            }
            count.refused += calls;
            continue;
        }
        if printed != expected {
            return Err(format!("{}: {}", what(), difference(&printed, expected)));
        }
        let (_, outcome) = printed_by_model(&program, number, true);
        if outcome != Outcome::Finished {
            return Err(format!("{}: the same is printed, and not accepted: {outcome:?}", what()));
        }
        count.same += calls;
    }
    Ok(count)
}

/// Compares programs of all seeds.
fn compare_all(kind: &str, sample: impl Fn(u64) -> Sample + Sync) -> Count {
    let seeds: Vec<u64> = seeds(programs()).collect();
    let results = in_parallel(&seeds, |seed| compare(sample(*seed), &format!("{kind}{seed}")));
    let mut sum = Count::default();
    let mut wrong = Vec::new();
    for result in results {
        match result {
            Ok(count) => sum = Count { same: sum.same + count.same, refused: sum.refused + count.refused },
            Err(why) => wrong.push(why),
        }
    }
    println!("{kind}: {} calls agree, {} are refused", sum.same, sum.refused);
    assert!(wrong.is_empty(), "{} of {} programs differ\n{}", wrong.len(), seeds.len(), wrong.join("\n"));
    sum
}

#[test]
fn what_is_printed_is_what_the_compiled_program_prints() {
    let count = compare_all("printing", printing::sample);
    assert!(count.refused == 0, "{} calls are refused", count.refused);
}

#[test]
fn what_is_read_is_what_the_compiled_program_reads() {
    let count = compare_all("reading", reading::sample);
    assert!(count.refused * 5 < count.same, "{} calls are refused, {} are not", count.refused, count.same);
}
