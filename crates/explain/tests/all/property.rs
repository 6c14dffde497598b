//! The oracle of `--property`: random programs with several assertions, of which one is asked for. The same program without
//! the text of the others says what is right: every execution of it is looked at.
//!
//! The verdict, the distance of the nearest passing run and its choice among several must be those of that program. Where
//! nothing is asked for, a claim is said to be violated only after another one just if no execution violates it first.
//! `NEARMISS_PROGRAMS=5000` runs more.

use crate::common::random::{self, Dice};
use crate::enumeration::Space;
use nearmiss_explain::check::{CheckOptions, check};
use nearmiss_explain::execution::Execution;
use nearmiss_explain::explain::{ExplainOptions, Preconditions, Wanted, explain};
use nearmiss_explain::explanation::{Hypotheses, Metric, Status, Verdict};
use nearmiss_program::program::{ClaimId, ClaimKind, Program};
use nearmiss_program::run::Outcome;

const VARIABLES: [&str; 5] = ["x", "y", "z", "u.a", "u.b"];

/// A comparison of two variables or of one with a number.
fn condition(dice: &mut Dice) -> String {
    let left = VARIABLES[dice.index(VARIABLES.len())];
    let right = match dice.below(3) {
        0 => VARIABLES[dice.index(VARIABLES.len())].to_owned(),
        _ => (dice.below(6) as i64 - 1).to_string(),
    };
    let operator = ["<", "<=", "==", "!=", ">"][dice.index(5)];
    format!("(int){left} {operator} (int){right}")
}

fn statement(dice: &mut Dice, depth: u32) -> String {
    let target = VARIABLES[dice.index(3)];
    match dice.below(if depth == 0 { 4 } else { 7 }) {
        0 => format!("{target} = {target} + {};", dice.below(4)),
        1 => format!("{target} = {} - {};", VARIABLES[dice.index(5)], VARIABLES[dice.index(5)]),
        2 => format!("{target} = (int){} ^ {};", VARIABLES[dice.index(5)], dice.below(4)),
        3 => "y = t[x & 3];".to_owned(),
        4 => format!("if ({}) {{ {} }}", condition(dice), statement(dice, depth - 1)),
        5 => format!("if ({}) {{ {} }} else {{ {} }}", condition(dice), statement(dice, 0), statement(dice, depth - 1)),
        _ => format!("for (int i = 0; i < (int)u.a; i++) {{ {} }}", statement(dice, 0)),
    }
}

/// A program with asserts in lines of their own: with all of them, and with the wanted one alone.
fn programs(seed: u64) -> (String, String, usize) {
    let mut dice = Dice::new(seed);
    let asserts = 2 + dice.index(2);
    let wanted = dice.index(asserts);
    let (mut all, mut one) = (String::new(), String::new());
    for number in 0..asserts {
        for _ in 0..1 + dice.below(3) {
            let line = format!("    {}\n", statement(&mut dice, 2));
            all += &line;
            one += &line;
        }
        let under = if dice.below(3) == 0 { format!("if ({}) ", condition(&mut dice)) } else { String::new() };
        let second = if dice.below(3) == 0 { format!(" || {}", condition(&mut dice)) } else { String::new() };
        let line = format!("    {under}assert({}{second});\n", condition(&mut dice));
        // The conditions stay: they are decisions of both programs.
        let without = if under.is_empty() { "    ;\n".to_owned() } else { format!("    {under};\n") };
        one += if number == wanted { &line } else { &without };
        all += &line;
    }
    let whole = |body: &str| {
        format!(
            "#include <assert.h>\nstruct few {{ unsigned a : 2; int b : 2; int c : 3; }};\nstatic int t[4] = {{3, 0, 1, 2}};\n\
             int main(void) {{\n    struct few u;\n    int x = u.c, y = u.b, z = 1;\n{body}    return 0;\n}}\n"
        )
    };
    (whole(&all), whole(&one), wanted)
}

#[derive(Default, Debug)]
struct Tally {
    fails: u64,
    holds: u64,
    never_pass: u64,
    only_after: u64,
}

/// The assertions of a program, in order.
fn assertions(program: &Program) -> Vec<ClaimId> {
    let claims = program.claims.iter().enumerate().filter(|(_, claim)| claim.kind == ClaimKind::Assertion);
    claims.map(|(index, _)| ClaimId(index as u32)).collect()
}

fn compare(seed: u64, tally: &mut Tally) {
    let (all, one, wanted) = programs(seed);
    let what = format!("seed {seed}, assertion {}\n{all}", wanted + 1);
    let ((program, sources), (alone, _)) = (random::read(&all, &what), random::read(&one, &what));
    let claim = assertions(&program)[wanted];
    let own = assertions(&alone)[0];
    let (Some(space), Some(whole)) = (Space::of(&alone, None, &what), Space::of(&program, None, &what)) else { return };
    let violates = |space: &Space, program: &Program, run: &Execution, claim: ClaimId| {
        let limits = nearmiss_program::interp::Limits::default();
        let outcome = nearmiss_program::interp::run(program, &space.inputs(run), &limits).outcome;
        outcome == Outcome::Violated(claim)
    };
    let options = ExplainOptions {
        check: CheckOptions { properties: vec![program.claims[claim.index()].id.clone()], ..CheckOptions::default() },
        metric: Metric::Ssa,
        preconditions: Preconditions::Free,
        hypotheses: Hypotheses::None,
        within_bound: Wanted::Yes,
        ..ExplainOptions::default()
    };
    let found = explain(&program, &sources, &options, &mut |_| {}).unwrap_or_else(|e| panic!("{e:?}\n{what}"));
    let fails = space.failing.iter().any(|run| violates(&space, &alone, run, own));
    let first = whole.failing.iter().any(|run| violates(&whole, &program, run, claim));
    let report =
        found.claims.iter().find(|report| report.id == program.claims[claim.index()].id).expect("it is told of");
    assert_eq!(report.status == Status::Fails, fails, "{report:?}\n{what}");
    if !fails {
        assert_ne!(found.verdict, Verdict::Fails, "{what}");
        tally.holds += 1;
        return;
    }
    let plain = check(&program, &CheckOptions::default(), &mut |_| {}).unwrap_or_else(|e| panic!("{e:?}\n{what}"));
    let among_all = plain.claims.iter().find(|among| among.id == report.id).expect("it is told of");
    // What lies behind an assertion that always fails is not looked at.
    let is_behind = among_all.after.is_some() || among_all.unless.is_some();
    assert_eq!(is_behind, !first, "{among_all:?}\n{what}");
    assert!(is_behind || among_all.status == Status::Fails, "{among_all:?}\n{what}");
    tally.only_after += u64::from(!first);
    tally.fails += 1;
    let inputs = found.counterexample.expect("it fails").inputs;
    let failing = Execution::of(&space.equation, &inputs);
    assert!(violates(&space, &alone, &failing, own), "the failing run\n{what}");
    let contrast = found.contrast.unwrap_or_else(|| panic!("nothing was explained\n{what}"));
    let members = space.members(failing.failed.expect("it fails"), Metric::Ssa);
    let Some(expected) = space.nearest(&alone, &members, &failing) else {
        assert!(contrast.nearest.is_none() && contrast.none_exists, "every execution fails\n{what}");
        tally.never_pass += 1;
        return;
    };
    let nearest = contrast.nearest.unwrap_or_else(|| panic!("there are passing runs\n{what}"));
    let distance = space.differences(&members, &failing, expected).len() as u64;
    assert_eq!((nearest.distance, nearest.proved_minimal), (distance, true), "{:?}\n{what}", space.inputs(expected));
    assert_eq!(nearest.inputs, space.inputs(expected), "the choice among several\n{what}");
}

#[test]
fn other_assertions_have_no_say() {
    random::with_stack(|| {
        let mut tally = Tally::default();
        for seed in random::seeds(random::wanted(60)) {
            compare(seed, &mut tally);
        }
        println!("{tally:?}");
        assert!(tally.fails > 10 && tally.holds > 0 && tally.only_after > 0, "{tally:?}");
    });
}
