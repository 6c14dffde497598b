//! Fixes that pass all tests and still are not the same program: other inputs, made of those of the tests, are executed with the first fix and
//! with each other one, and the first with which they print something else is told. Nobody knows which of them is right there: a test
//! would tell.
//!
//! (That plausible patches overfit the tests, and that inputs which set them apart show it: Xin and Reiss, "Identifying test-suite-overfitted
//! patches through test case generation", 2017.)

use std::collections::HashSet;
use std::sync::Arc;

use nearmiss_logic::stop::Stop;
use nearmiss_program::c::edit::TextEdit;
use nearmiss_program::c::trial::{self, Compare, Trial, Trials};
use nearmiss_program::interp::Interpreter;
use nearmiss_program::program::GlobalId;
use nearmiss_program::run::Outcome;

use super::text::Edited;
use crate::explanation::{Apart, Fixes};
use crate::reading::{self, Program};
use crate::trials::fed;

/// So many fixes are compared with the first one.
const MOST_FIXES: usize = 6;
/// So many inputs are made, of so many tests, so many numbers of each.
const MOST_INPUTS: usize = 60;
const MOST_TESTS: usize = 10;
const MOST_NUMBERS: usize = 6;
/// Inputs of more bytes say nothing to a reader.
const LONGEST: usize = 80;
/// So many steps may all inputs take, and one of them.
const MOST_STEPS: u64 = 4_000_000;
const MOST_OF_ONE: u64 = 200_000;

/// What a run prints, where it comes to its end without a violated check.
type Printed = Option<Vec<u8>>;

/// Says of fixes how they can be told from the first one.
pub(super) fn tell(program: &Program, found: &mut Fixes, stop: &Stop) {
    let (Some(trials), [first, others @ ..]) = (program.trials(), &mut found.found[..]) else { return };
    if others.is_empty() {
        return;
    }
    let all = inputs(&trials.all);
    let Some(of_first) = printed(program, &first.edits, &all, stop) else { return };
    for fix in others.iter_mut().take(MOST_FIXES) {
        let Some(own) = printed(program, &fix.edits, &all, stop) else { continue };
        let pairs = own.into_iter().zip(&of_first);
        let differs = |(trial, (own, first)): (&Trial, (Printed, &Printed))| {
            let (printed, of_first) = (own?, first.clone()?);
            let like = (!trial.arguments.is_empty()).then(|| trial.name.clone());
            let is_same = trials.compare.is_same(&of_first, &printed);
            (!is_same).then(|| Apart { input: trial.input.clone(), like, printed, of_first })
        };
        fix.apart = all.iter().zip(pairs).find_map(differs);
    }
}

/// What a program with a fix prints for each input.
fn printed(program: &Program, edits: &[TextEdit], all: &[Trial], stop: &Stop) -> Option<Vec<Printed>> {
    let mut reading = program.origin().reading.clone();
    reading.c.trials = Some(Arc::new(Trials { all: all.to_vec(), compare: Compare::Exact }));
    let loader = Edited::of(&program.sources, edits);
    let edited = reading::read(&program.origin().files, &reading, &loader).ok()?.program;
    let comparing = edited.globals.iter().position(|global| global.name == trial::COMPARING)?;
    let mut interpreter = Interpreter::new(&edited);
    interpreter.start_with(GlobalId(comparing as u32), 0);
    let mut left = MOST_STEPS;
    let one = |number: usize| {
        if left == 0 || stop.requested() {
            return None;
        }
        let (_, done) = fed(&interpreter, number, MOST_OF_ONE.min(left), stop);
        left = left.saturating_sub(done.steps);
        if done.run.outcome != Outcome::Finished {
            return None;
        }
        let size = done.global(&edited, trial::PRINTED_SIZE).unwrap_or(0) as u64;
        done.global_bytes(&edited, trial::PRINTED, size)
    };
    Some((0..all.len()).map(one).collect())
}

/// Inputs beside those of the tests, those of short tests first: with another number, the last one first, or with a line less.
fn inputs(tests: &[Trial]) -> Vec<Trial> {
    let mut tests: Vec<&Trial> = tests.iter().filter(|test| test.input.len() <= LONGEST).collect();
    tests.sort_by_key(|test| test.input.len());
    let mut known: HashSet<(Vec<u8>, Vec<String>)> =
        tests.iter().map(|test| (test.input.clone(), test.arguments.clone())).collect();
    let mut all = Vec::new();
    for test in tests.into_iter().take(MOST_TESTS) {
        for input in beside(&test.input) {
            if all.len() < MOST_INPUTS && known.insert((input.clone(), test.arguments.clone())) {
                let (name, arguments) = (test.name.clone(), test.arguments.clone());
                all.push(Trial { name, input, arguments, expected: None, status: None });
            }
        }
    }
    all
}

/// Inputs beside one.
fn beside(input: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (start, end) in numbers(input).into_iter().rev().take(MOST_NUMBERS) {
        let digits = String::from_utf8_lossy(&input[start..end]);
        let Ok(number) = digits.parse::<i64>() else { continue };
        for other in [number + 1, number - 1, number * 2, 0, -number] {
            all.push([&input[..start], other.to_string().as_bytes(), &input[end..]].concat());
        }
    }
    let body = input.strip_suffix(b"\n").unwrap_or(input);
    if let Some(last) = body.iter().rposition(|byte| *byte == b'\n') {
        all.push(input[..=last].to_vec());
    }
    let letters = input.iter().enumerate().filter(|(_, byte)| byte.is_ascii_alphabetic()).take(MOST_NUMBERS);
    for (at, letter) in letters {
        for other in [letter ^ 32, if *letter == b'z' { b'a' } else { letter + 1 }] {
            all.push([&input[..at], &[other], &input[at + 1..]].concat());
        }
    }
    all
}

/// Where numbers stand.
fn numbers(input: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < input.len() {
        let digits = input[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            at += 1;
            continue;
        }
        let start = if at > 0 && input[at - 1] == b'-' { at - 1 } else { at };
        found.push((start, at + digits));
        at += digits;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{beside, inputs};
    use nearmiss_program::c::trial::Trial;

    fn texts(all: Vec<Vec<u8>>) -> Vec<String> {
        all.into_iter().map(|text| String::from_utf8(text).expect("it is text")).collect()
    }

    #[test]
    fn the_last_number_is_another_one_first() {
        let all = texts(beside(b"2\n-5\n"));
        assert_eq!(all[..5], ["2\n-4\n", "2\n-6\n", "2\n-10\n", "2\n0\n", "2\n5\n"]);
        assert!(all.contains(&"3\n-5\n".to_owned()) && all.contains(&"2\n".to_owned()));
        assert_eq!(texts(beside(b"az")), ["Az", "bz", "aZ", "aa"]);
    }

    #[test]
    fn no_input_is_that_of_a_test() {
        let test = |input: &[u8]| Trial { input: input.to_vec(), ..Trial::default() };
        let all = inputs(&[test(b"1"), test(b"2")]);
        assert_eq!(texts(all.into_iter().map(|trial| trial.input).collect()), ["0", "-1", "3", "4", "-2"]);
    }
}
