//! The oracle of the verdict: random programs over inputs of three bits, executed on every input by the interpreter.
//!
//! Whatever claim some input violates first must be reported as failing, no automatic claim may be reported that no
//! input violates, and the unwinding must be found sufficient. The counterexample must be as short as any, and its values
//! as small as any of that length. A claim that is said to hold is not violated either when executions go on past
//! the other claims; one that is said to hold unless another is violated first has such a run. `NEARMISS_PROGRAMS=5000` runs more programs.

use std::collections::BTreeSet;

use crate::common::indices::Indices;
use crate::common::pieces::Pieces;
use crate::common::random::{self, Generator};
use nearmiss_explain::check::{self, CheckOptions};
use nearmiss_explain::explanation::{Counterexample, Explanation, Status, Verdict};
use nearmiss_program::c::Options;
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::{ClaimKind, ExprKind, Program, StatementKind, Type};
use nearmiss_program::run::{Inputs, Outcome, Run, RunStep, RunStepKind};

/// Every run that violates a claim, with the number of the claim that it violates first.
fn failing_runs(program: &Program) -> Vec<(usize, Run)> {
    let mut failing = Vec::new();
    for a in 0..8 {
        for b in 0..8 {
            let inputs = Inputs { calls: vec![a, b], ..Inputs::default() };
            let run = interp::run(program, &inputs, &Limits::default());
            match run.outcome {
                Outcome::Violated(claim) => failing.push((claim.index(), run)),
                Outcome::Finished | Outcome::Excluded | Outcome::Exhausted => {}
                other => panic!("a program of this kind cannot end with {other:?}"),
            }
        }
    }
    failing
}

/// The program with one of its claims only: executions go on past all others.
fn alone(program: &Program, claim: usize) -> Program {
    let mut program = program.clone();
    for block in program.functions.iter_mut().flat_map(|function| &mut function.blocks) {
        block.statements.retain(|statement| match &statement.kind {
            StatementKind::Claim { claim: other, .. } => other.index() == claim,
            _ => true,
        });
    }
    program
}

/// Does some run come to a claim? Found out by asking for what never holds there.
fn is_come_to(program: &Program, claim: usize) -> bool {
    let mut program = alone(program, claim);
    let of = |kind: &StatementKind| match kind {
        StatementKind::Claim { condition, .. } => Some(*condition),
        _ => None,
    };
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let conditions: Vec<_> = blocks.flat_map(|block| &block.statements).filter_map(|s| of(&s.kind)).collect();
    for condition in conditions {
        program.exprs[condition.index()].kind = ExprKind::Const(0);
    }
    !failing_runs(&program).is_empty()
}

/// What is said to hold vacuously is come to by no run.
fn are_vacuous(program: &Program, found: &Explanation) -> Result<(), String> {
    match found.vacuous.iter().find(|claim| is_come_to(program, **claim)) {
        Some(claim) => Err(format!("{} is come to", program.claims[*claim].id)),
        None => Ok(()),
    }
}

/// Asked for one claim alone: it holds without more ado only if it holds past all other claims, and it does not fail where
/// no run violates it.
fn holds_alone(program: &Program, id: &str) -> Result<(), String> {
    let options = CheckOptions { properties: vec![id.to_owned()], ..CheckOptions::default() };
    let found = check::check(program, &options, &mut |_| {}).map_err(|error| format!("{error:?}"))?;
    let index = program.claims.iter().position(|claim| claim.id == id).ok_or("a claim of it")?;
    let violated = !failing_runs(&alone(program, index)).is_empty();
    are_vacuous(program, &found)?;
    match found.verdict {
        Verdict::Holds if violated => Err(format!("{id} holds, but it is violated after another claim")),
        Verdict::Fails if !violated => Err(format!("{id} fails, but no run violates it")),
        Verdict::Undecided if found.before.is_none() => Err(format!("{id} is undecided for no reason")),
        _ => Ok(()),
    }
}

/// Executed branches and assignments, and one for the claim.
fn length(run: &Run) -> u64 {
    let counts = |step: &&RunStep| matches!(step.kind, RunStepKind::Assign { .. } | RunStepKind::Branch { .. });
    run.steps.iter().filter(counts).count() as u64 + 1
}

/// The sum of |x| over integers that are assigned or inputs.
fn sum(program: &Program, run: &Run) -> u128 {
    let magnitude = |step: &RunStep| match step.kind {
        RunStepKind::Assign { ty, value, .. } | RunStepKind::Input { ty, value, .. } => match program.ty(ty) {
            Type::Integer { bits, signed: true, .. } if value >> (bits - 1) & 1 == 1 => (1 << bits) - value,
            Type::Integer { .. } => value,
            _ => 0,
        },
        _ => 0,
    };
    run.steps.iter().map(magnitude).sum()
}

/// No failing run is shorter than the one shown, and none of its length has smaller values.
fn is_smallest(program: &Program, shown: &Counterexample, failing: &[&Run]) -> Result<(), String> {
    let shortest = failing.iter().map(|run| length(run)).min();
    let as_short = failing.iter().filter(|run| Some(length(run)) == shortest);
    let least = as_short.map(|run| sum(program, run)).min();
    let told = (Some(shown.length), Some(shown.sum), shown.proved_minimal);
    if told == (shortest, least, true) { Ok(()) } else { Err(format!("{told:?}, but {shortest:?} and {least:?}")) }
}

#[test]
fn the_verdict_is_that_of_all_inputs() {
    judge(random::wanted(120), Generator::program, CheckOptions::default);
}

#[test]
fn the_verdict_on_indices_is_that_of_all_inputs() {
    judge(random::wanted(120), Indices::program, CheckOptions::default);
}

#[test]
fn the_verdict_on_pointers_in_pieces_is_that_of_all_inputs() {
    judge(random::wanted(120), Pieces::program, CheckOptions::default);
}

/// What C defines may be checked, too: executions go on behind it.
#[test]
fn the_verdict_with_checks_of_what_c_defines_is_that_of_all_inputs() {
    let mut reading = Options::default();
    (reading.checks.unsigned_overflow, reading.checks.conversion) = (true, true);
    judge_as(&reading, random::wanted(80), Indices::program, CheckOptions::default);
}

/// Does a program read or write through a pointer to bytes at a distance of 64 bits minus a constant, as `s[n - 1]` does?
fn steps_back_from_a_distance(text: &str) -> bool {
    let is_distance = |inside: &str| {
        let words = inside.split(|c: char| !c.is_alphanumeric());
        words.clone().any(|word| ["n", "m", "k", "d"].contains(&word))
            && [" - 1", " - 2", " - 3"].iter().any(|back| inside.ends_with(back))
    };
    text.match_indices('[').any(|(at, _)| {
        let is_byte = ["s", "end", "start", "bytes"].iter().any(|pointer| {
            let before = text[..at].strip_suffix(pointer);
            before.is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric()))
        });
        is_byte && text[at + 1..].split(']').next().is_some_and(is_distance)
    })
}

/// csmith never indexes a pointer, so only these programs meet what once was an internal error.
#[test]
fn programs_about_indices_step_back_from_64_bit_distances() {
    let met: Vec<u64> = (0..300).filter(|seed| steps_back_from_a_distance(&Indices::program(*seed))).collect();
    println!("{} of 300: {met:?}", met.len());
    assert!(met.len() >= 30, "only {} of 300 programs", met.len());
}

/// Checks programs and compares what is said with all runs of each.
pub fn judge(programs: u64, write: fn(u64) -> String, options: fn() -> CheckOptions) {
    judge_as(&Options::default(), programs, write, options);
}

fn judge_as(reading: &Options, programs: u64, write: fn(u64) -> String, options: fn() -> CheckOptions) {
    let reading = reading.clone();
    random::with_stack(move || {
        let (mut failing, mut passing) = (0, 0);
        for seed in random::seeds(programs) {
            let text = write(seed);
            let (program, _) = random::read_with(&text, &reading, &format!("seed {seed}"));
            let runs = failing_runs(&program);
            let expected: BTreeSet<usize> = runs.iter().map(|(claim, _)| *claim).collect();
            let found = check::check(&program, &options(), &mut |_| {})
                .unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
            let verdict = if expected.is_empty() { Verdict::Holds } else { Verdict::Fails };
            assert_eq!(found.verdict, verdict, "seed {seed}; violated {expected:?}\n{text}");
            for (index, claim) in found.claims.iter().enumerate() {
                let fails = claim.status == Status::Fails;
                let first = expected.contains(&index);
                assert!(fails || !first, "seed {seed}: {} fails, said {:?}\n{text}", claim.id, claim.status);
                let automatic = !claim.kind.goes_on();
                assert!(first || !fails || !automatic, "seed {seed}: {} never fails\n{text}", claim.id);
            }
            for (index, claim) in
                found.claims.iter().enumerate().filter(|(_, claim)| claim.kind != ClaimKind::Unwinding)
            {
                if let Some(other) = claim.unless {
                    let known = claim.status == Status::Undecided && expected.contains(&other);
                    assert!(known, "seed {seed}: no run violates {} first\n{text}", found.claims[other].id);
                }
                let holds = claim.status == Status::Holds;
                let later = holds && !expected.is_empty() && !failing_runs(&alone(&program, index)).is_empty();
                assert!(!later, "seed {seed}: {} is violated after another claim\n{text}", claim.id);
            }
            are_vacuous(&program, &found).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            if let Some(asked) = found.claims.iter().rfind(|claim| claim.kind == ClaimKind::Assertion) {
                holds_alone(&program, &asked.id).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            }
            if let (Some(shown), Some(property)) = (&found.counterexample, found.property) {
                let failing: Vec<&Run> = runs.iter().filter(|(claim, _)| *claim == property).map(|(_, r)| r).collect();
                is_smallest(&program, shown, &failing).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            }
            if expected.is_empty() {
                assert!(found.complete, "seed {seed}: all loops are short\n{text}");
                passing += 1;
            } else {
                failing += 1;
            }
        }
        assert!(failing > programs / 10 && passing > programs / 40, "{failing} fail, {passing} pass: a poor sample");
    });
}

#[test]
fn contents_that_are_read_after_the_violated_claim_do_not_count() {
    let text = "#include <assert.h>\nint main(void) { unsigned a, b; assert(a != 0); assert(b != 0); return 0; }\n";
    let (program, _) = random::read(text, "two undefined variables");
    let found = check::check(&program, &CheckOptions::default(), &mut |_| {}).expect("no internal error");
    let shown = found.counterexample.expect("a failing run");
    assert_eq!((shown.length, shown.sum, shown.proved_minimal), (1, 0, true));
}
