//! The oracle of "avoiding the check is not explaining it": random programs with a claim under conditions, of which the
//! generator knows when it applies. With that written into the program as an assumption, every execution is looked at.
//!
//! If some passing run comes to the claim under the same conditions and satisfies it, the explanation is the nearest of
//! these, and it does not avoid the check. Otherwise, if there are passing runs, the explanation says that it avoids it.
//! `NEARMISS_PROGRAMS=5000` runs more programs.

use std::collections::BTreeSet;

use crate::common::random::{self, Dice};
use crate::enumeration::Space;
use nearmiss_explain::equation::StepKind;
use nearmiss_explain::execution::Execution;
use nearmiss_explain::explain::{ExplainOptions, Wanted, explain};
use nearmiss_explain::explanation::{Contrast, Hypotheses, Metric};
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::AssumptionOrigin;
use nearmiss_program::run::{Inputs, Outcome};

const HEAD: &str = "#include <assert.h>
void reach_error(void);
struct few { unsigned a : 2; int b : 2; int c : 3; };
static int twice(int v) { return v + v; }
static int back(int v) { return -v; }
static int same(int v) { return v; }
static int enabled(int v) { if (v > 1) return 1; return 0; }
static void must(int c) { if (!c) reach_error(); }
int main(void) {
    struct few u;
    int (*ops[4])(int) = {twice, same, back, same};
";

fn pick<'a>(dice: &mut Dice, of: &[&'a str]) -> &'a str {
    of[dice.index(of.len())]
}

/// A condition over inputs.
fn test(dice: &mut Dice) -> String {
    let number = dice.below(4) as i64;
    match dice.below(4) {
        0 => format!("u.a == {number}"),
        1 => format!("u.a > {}", number.min(2)),
        2 => format!("u.b {} {}", pick(dice, &["<", ">=", "!="]), number - 2),
        _ => format!("u.a + u.b {} {number}", pick(dice, &["<", ">", "=="])),
    }
}

/// A condition over inputs that only its place in the claim tells from what must hold, and its opposite.
fn antecedent(dice: &mut Dice) -> (String, String) {
    let denied = |condition: &str| (condition.to_owned(), format!("!({condition})"));
    match dice.below(7) {
        0 => ("(u.a & 1) != 0".to_owned(), "(u.a & 1) == 0".to_owned()),
        1 => ("(u.a & 2) != 0".to_owned(), "!(u.a & 2)".to_owned()),
        2 => ("(u.a & 3) != 0".to_owned(), "(u.a & 3) == 0".to_owned()),
        3 => denied("u.a + u.b > 1"),
        4 => denied("(int)u.a < u.b + 2"),
        5 => denied("u.a > 0 && u.b < 1"),
        _ => ("u.b == (int)u.a - 2".to_owned(), "u.b != (int)u.a - 2".to_owned()),
    }
}

/// How `on` gets its value, and when the claim applies.
fn switch(dice: &mut Dice) -> (String, &'static str) {
    let (first, second) = (test(dice), test(dice));
    match dice.below(8) {
        0 => (format!("int on = 0; if ({first}) on = 1;"), "on"),
        1 => (format!("int on = 1; if ({first}) on = 0;"), "on"),
        2 => (format!("int on = 0; if ({first}) {{ if ({second}) on = 1; }}"), "on"),
        3 => (format!("int on = 0; if ({first}) on = 1; else if ({second}) on = 2;"), "on"),
        4 => ("int on = enabled(u.a);".to_owned(), "on"),
        5 => (format!("_Bool on = {first};"), "on"),
        6 => (
            format!("int on = 0; switch (u.a) {{ case 1: on = 1; break; case 2: if ({second}) on = 3; break; }}"),
            "on",
        ),
        _ => (format!("int on = 1; if ({first}) on = 2; else if ({second}) on = 3;"), "on == 2"),
    }
}

/// What is computed, and what must hold of it.
fn computation(dice: &mut Dice) -> (String, String) {
    let (first, number) = (test(dice), dice.below(5) as i64 - 1);
    let compared = pick(dice, &["<=", ">", "<"]);
    match dice.below(5) {
        0 => (format!("int y = u.c; if ({first}) y = {};", dice.below(5)), format!("y {compared} {number}")),
        1 => ("int y = ops[u.a](u.c);".to_owned(), format!("y {compared} {number}")),
        2 => (
            format!("int y = 0; for (int i = 0; i < (int)u.a; i++) y += u.c; if ({first}) y++;"),
            format!("y {compared} {number}"),
        ),
        3 => (format!("int y = u.c; if ({first}) y = -y; else y = y + 1;"), format!("y + u.b {compared} {number}")),
        _ => ("int y = u.c;".to_owned(), format!("y {compared} {number}")),
    }
}

/// The claim, and when it applies.
fn claim(dice: &mut Dice, on: &str, off: &str, holds: &str) -> (String, String) {
    let more = test(dice);
    let both = format!("{on} && {more}");
    match dice.below(11) {
        0 => (format!("assert({off} || {holds});"), on.to_owned()),
        1 => (format!("assert(!(({on}) && !({holds})));"), on.to_owned()),
        2 => (format!("assert(({on}) ? {holds} : 1);"), on.to_owned()),
        3 => (format!("if ({on}) assert({holds});"), on.to_owned()),
        4 => (format!("if ({on}) {{ if ({more}) assert({holds}); }}"), both),
        5 => (format!("if ({off}) return 0; assert({holds});"), on.to_owned()),
        6 => (format!("assert({holds} || {off});"), on.to_owned()),
        7 => (format!("if ({on}) must({holds});"), on.to_owned()),
        8 => (format!("must({off} || {holds});"), on.to_owned()),
        9 => (format!("if ({on}) {{ if (!({holds})) reach_error(); }}"), on.to_owned()),
        _ => (format!("if ({on} && {more}) assert({holds});"), both),
    }
}

/// A program with `KEEP;` where the assumption goes, and the assumption.
fn program(seed: u64) -> (String, String) {
    let mut dice = Dice::new(seed);
    let (computation, holds) = computation(&mut dice);
    let (switch, on, off) = match dice.below(3) {
        0 => {
            let (on, off) = antecedent(&mut dice);
            (String::new(), on, off)
        }
        _ => {
            let (switch, on) = switch(&mut dice);
            let off = if on == "on" { "!on".to_owned() } else { format!("!({on})") };
            (switch, on.to_owned(), off)
        }
    };
    let (claim, applies) = claim(&mut dice, &on, &off, &holds);
    let mut parts = [switch, computation];
    if dice.below(2) == 0 {
        parts.reverse();
    }
    let body = format!("    {}\n    {}\n    KEEP;\n    {claim}\n", parts[0], parts[1]);
    (format!("{HEAD}{body}    return 0;\n}}\n"), applies)
}

#[derive(Default, Debug)]
struct Tally {
    reached: u64,
    avoided: u64,
    always_fail: u64,
    with_entrances: u64,
    told: u64,
    kept: u64,
}

/// What is said to decide whether the check applies does: no run that has it otherwise comes to the check. How many conditions
/// were looked at.
pub fn kept_decides(space: &Space, contrast: &Contrast, failing: &Inputs, what: &str) -> u64 {
    let steps = &space.equation.steps;
    let failing = Execution::of(&space.equation, failing);
    let Some(StepKind::Claim { claim, .. }) = failing.failed.map(|step| &steps[step].kind) else { return 0 };
    let is_claim = |step: usize| matches!(&steps[step].kind, StepKind::Claim { claim: own, .. } if own == claim);
    let mut looked_at = 0;
    for (kept, when) in contrast.assumptions.iter().zip(&contrast.kept_when) {
        let is_branch = |step: &usize| steps[*step].span == kept.span;
        let truths = |run: &Execution| -> BTreeSet<bool> {
            let executed = (0..steps.len()).filter(|step| run.executed[*step]).filter(is_branch);
            let truth = |step: usize| match steps[step].kind {
                StepKind::Guard { condition, .. } => Some(run.meets(&space.equation, condition)),
                StepKind::Branch { taken } => Some(taken),
                _ => None,
            };
            executed.filter_map(truth).collect()
        };
        let own = truths(&failing);
        if kept.origin != AssumptionOrigin::Precondition || own.len() != 1 || !when.times.is_empty() {
            continue;
        }
        let others: Vec<&Execution> =
            space.passing.iter().chain(&space.failing).filter(|run| !truths(run).is_subset(&own)).collect();
        looked_at += u64::from(!others.is_empty());
        let comes_there = |run: &&Execution| (0..steps.len()).any(|step| run.executed[step] && is_claim(step));
        // What may be a part like the others is only guessed.
        let is_passed_by = when.one_of_ways || when.guessed || !others.iter().any(comes_there);
        assert!(is_passed_by, "the check is come to without `{}`\n{what}", kept.text);
    }
    looked_at
}

fn compare(seed: u64, tally: &mut Tally) {
    let (text, applies) = program(seed);
    let original = text.replace("KEEP;", "");
    let assumed = text.replace("KEEP;", &format!("__CPROVER_assume({applies});"));
    let what = format!("seed {seed}\n{original}");
    let ((first, sources), (second, _)) = (random::read(&original, &what), random::read(&assumed, &what));
    let options =
        ExplainOptions { hypotheses: Hypotheses::None, within_bound: Wanted::Yes, ..ExplainOptions::default() };
    let explained = explain(&first, &sources, &options, &mut |_| {}).unwrap_or_else(|e| panic!("{e:?}\n{what}"));
    let Some(failing) = explained.counterexample else { return };
    let contrast = explained.contrast.unwrap_or_else(|| panic!("nothing was explained\n{what}"));
    let does_apply = |inputs: &Inputs| match interp::run(&second, inputs, &Limits::default()).outcome {
        Outcome::Finished => true,
        Outcome::Violated(_) => panic!("it passes\n{what}"),
        _ => false,
    };
    let Some(nearest) = &contrast.nearest else {
        let space = Space::of(&first, None, &what).expect("few executions");
        assert!(contrast.none_exists && space.passing.is_empty(), "there are passing runs\n{what}");
        tally.always_fail += 1;
        return;
    };
    assert_eq!(contrast.only_avoidance, !does_apply(&nearest.inputs), "avoids the check, {:?}\n{what}", nearest.inputs);
    if let Some(run) = &contrast.avoiding {
        assert!(!does_apply(&run.inputs) && run.distance < nearest.distance, "{run:?}\n{what}");
        tally.told += 1;
    }
    if let Some(space) = Space::of(&first, None, &what) {
        tally.kept += kept_decides(&space, &contrast, &failing.inputs, &what);
    }
    let space = Space::of(&second, None, &what).expect("few executions");
    let failing = Execution::of(&space.equation, &failing.inputs);
    let claim = failing.failed.unwrap_or_else(|| panic!("it fails\n{what}"));
    let members = space.members(claim, Metric::Ssa);
    let Some(expected) = space.nearest(&second, &members, &failing) else {
        assert!(contrast.only_avoidance, "nothing but avoidance\n{what}");
        tally.avoided += 1;
        return;
    };
    assert!(!contrast.only_avoidance, "there is a run that satisfies the claim: {:?}\n{what}", space.inputs(expected));
    if contrast.assumptions.iter().any(|kept| kept.origin == AssumptionOrigin::Entrance) {
        tally.with_entrances += 1;
        return;
    }
    let distance = space.differences(&members, &failing, expected).len() as u64;
    assert_eq!(nearest.distance, distance, "expected {:?}, {:?}\n{what}", space.inputs(expected), nearest.inputs);
    assert_eq!(nearest.inputs, space.inputs(expected), "the choice among several\n{what}");
    tally.reached += 1;
}

#[test]
fn explanations_reach_the_check() {
    random::with_stack(|| {
        let mut tally = Tally::default();
        for seed in random::seeds(random::wanted(60)) {
            compare(seed, &mut tally);
        }
        println!("{tally:?}");
        assert!(tally.reached > 20 && tally.avoided > 0 && tally.told > 5 && tally.kept > 5, "{tally:?}");
    });
}
