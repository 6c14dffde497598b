//! The oracle of programs that never end: every run of small reactive programs, by brute force.
//!
//! Inputs and ways to close, or to stop at the bound, are enumerated and executed by the interpreter. The equation must agree
//! on each, and the run that is explained must be the nearest of those that pass. A run that closes violates nothing when
//! the program itself, which knows nothing of closing, is fed what it repeats. `NEARMISS_PROGRAMS=500` runs more programs.

use crate::common::random::{self, Dice};
use crate::enumeration::{self, Member};
use nearmiss_explain::bounds::Bounds;
use nearmiss_explain::check::CheckOptions;
use nearmiss_explain::compared::Counted;
use nearmiss_explain::equation::{ClaimRef, StepKind};
use nearmiss_explain::execution::Execution;
use nearmiss_explain::explain::{ExplainOptions, Preconditions, explain};
use nearmiss_explain::explanation::{Contrast, Hypotheses, Metric, SliceMethod};
use nearmiss_explain::method::delta;
use nearmiss_explain::symex;
use nearmiss_logic::stop::Stop;
use nearmiss_program::c::formula;
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::Program;
use nearmiss_program::run::{Closing, Inputs, Outcome};
use nearmiss_program::source::Sources;

/// So often is the head of the loop evaluated at most.
const BOUND: u32 = 4;
/// An input is less than this.
const VALUES: u128 = 3;

fn program(dice: &mut Dice) -> String {
    const PIECES: [&str; 9] = [
        "x = (x + in) % 4;",
        "if (in == 2) y = x;",
        "if (x > 2) x = 0;",
        "if (in == 1 && y > 0) y--;",
        "x = y + in;",
        "if (y != x) y = in; else x++;",
        "y = turned(x, in);",
        "seen[in] = 1; if (seen[0] && seen[1]) y++;",
        "t++; if (in) x++;",
    ];
    const CLAIMS: [&str; 4] = ["x != C", "x + y < C", "y <= C || x == 0", "y != C || in == 0"];
    let mut pick = |of: &[&str]| of[dice.below(of.len() as u64) as usize].to_owned();
    let (pieces, claim) = ([pick(&PIECES), pick(&PIECES), pick(&PIECES)], pick(&CLAIMS));
    let pieces = pieces[..1 + dice.below(3) as usize].join("\n    ");
    let claim = claim.replace('C', &dice.below(4).to_string());
    format!(
        "#include <assert.h>
int nondet_int(void);
static int turned(int a, int b) {{ static int last; int old = last; last = a & 1; return old + b; }}
int main(void) {{
  int x = 0, y = 0, seen[3] = {{0}}; unsigned t = 0;
  while (1) {{
    int in = nondet_int();
    __CPROVER_assume(in >= 0 && in < {VALUES});
    {pieces}
    assert({claim});
  }}
}}
"
    )
}

fn contrast((program, sources): &(Program, Sources), check: CheckOptions, given: &Inputs, what: &str) -> Contrast {
    let options = ExplainOptions {
        check,
        given: Some(given.clone()),
        preconditions: Preconditions::Free,
        hypotheses: Hypotheses::None,
        slice: SliceMethod::None,
        ..ExplainOptions::default()
    };
    let found = explain(program, sources, &options, &mut |_| {}).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
    found.contrast.unwrap_or_else(|| panic!("nothing was explained\n{what}"))
}

/// Does the program itself go on without failing if it is fed for long what a run repeats?
fn goes_on(program: &Program, run: &Inputs, closing: Closing) -> bool {
    let [start, end] = [closing.back, closing.at].map(|arrival| arrival as usize);
    let mut calls = run.calls.clone();
    calls.resize(end, 0);
    let round = calls[start..].to_vec();
    (0..1_000).for_each(|_| calls.extend_from_slice(&round));
    let limits = Limits { steps: 2_000, ..Limits::default() };
    let inputs = Inputs { calls, ..Inputs::default() };
    Interpreter::new(program).execute(&inputs, &limits, Recording::Outcome).run.outcome == Outcome::Exhausted
}

#[derive(Default, Debug)]
struct Tally {
    failing: u64,
    closing: u64,
    stopping: u64,
    never: u64,
}

fn compare(seed: u64, tally: &mut Tally) {
    let mut dice = Dice::new(seed);
    let text = program(&mut dice);
    let what = format!("forever {seed}\n{text}");
    let read = random::read(&text, &what);
    let mut closes = read.0.clone();
    formula::let_runs_close(&mut closes).expect("it asks for nothing");
    let bounds = Bounds { fixed: Some(BOUND), ..Bounds::default() };
    let equation = symex::unwind(&closes, &bounds, &Stop::default()).expect("nobody interrupts");
    let interpreter = Interpreter::new(&closes);
    let limits = Limits { steps: 400, ..Limits::default() };
    let mut ways = vec![None];
    ways.extend((1..=BOUND).flat_map(|at| (0..at).map(move |back| Some(Closing { at, back }))));
    ways.push(Some(Closing { at: BOUND, back: BOUND }));
    let (mut passing, mut failing) = (Vec::new(), Vec::new());
    for number in 0..VALUES.pow(BOUND) {
        let calls: Vec<u128> = (0..BOUND).map(|i| number / VALUES.pow(i) % VALUES).collect();
        for closing in &ways {
            let inputs = Inputs { calls: calls.clone(), closing: *closing, ..Inputs::default() };
            let outcome = interpreter.execute(&inputs, &limits, Recording::Outcome).run.outcome;
            let execution = Execution::of(&equation, &inputs);
            let passes = closing.is_some() && outcome == Outcome::Finished;
            assert_eq!(execution.failed.is_none(), passes, "{inputs:?}: {outcome:?}, {what}");
            match closing {
                None if matches!(outcome, Outcome::Violated(_)) => failing.push((inputs, execution)),
                Some(closing) if passes => {
                    assert!(closing.is_horizon() || goes_on(&read.0, &inputs, *closing), "{inputs:?}, {what}");
                    passing.push((*closing, execution));
                }
                _ => {}
            }
        }
    }
    // Those that fail within the bound.
    failing.retain(|(_, execution)| {
        let failed = execution.failed.map(|step| &equation.steps[step].kind);
        matches!(failed, Some(StepKind::Claim { claim: ClaimRef::Program(_), .. }))
    });
    if failing.is_empty() {
        return;
    }
    tally.failing += 1;
    let (given, from) = &failing[dice.index(failing.len())];
    let counted = delta::counted(&equation, from.failed.expect("it fails"), Metric::Ssa);
    let far = |to: &Execution| {
        let differs = |counted: &&Counted| {
            let Counted { variable, step, kind, taken, unchanged, .. } = **counted;
            enumeration::counts(&equation, &Member { variable, step, kind, taken, unchanged }, from, to)
        };
        counted.iter().filter(differs).count() as u64
    };
    let least = passing.iter().map(|(_, to)| far(to)).min();
    let of_loops = passing.iter().filter(|(closing, _)| !closing.is_horizon()).map(|(_, to)| far(to)).min();
    let what = format!("from {:?}, {what}", given.calls);
    let found = contrast(&read, CheckOptions { unwind: Some(BOUND), ..Default::default() }, given, &what);
    let nearest = found.nearest.as_ref();
    assert_eq!(nearest.map(|nearest| nearest.distance), least, "up to the bound, {what}");
    assert_eq!(found.none_exists, least.is_none(), "up to the bound, {what}");
    let closing = nearest.and_then(|nearest| nearest.inputs.closing);
    tally.stopping += u64::from(closing.is_some_and(Closing::is_horizon));
    // Without a bound that was asked for, only what repeats itself passes, perhaps after more rounds.
    let found = contrast(&read, CheckOptions { most_rounds: Some(BOUND), ..Default::default() }, given, &what);
    match found.nearest {
        None => {
            assert_eq!(of_loops, None, "for ever, {what}");
            tally.never += 1;
        }
        Some(nearest) => {
            let closing = nearest.inputs.closing.unwrap_or_else(|| panic!("it ends, {what}"));
            assert!(of_loops.is_none_or(|known| nearest.distance <= known), "{} for ever, {what}", nearest.distance);
            assert!(!closing.is_horizon() && goes_on(&read.0, &nearest.inputs, closing), "{what}");
            tally.closing += 1;
        }
    }
}

#[test]
fn runs_that_never_end_pass() {
    let programs = random::wanted(40);
    random::with_stack(move || {
        let mut tally = Tally::default();
        random::seeds(programs).for_each(|seed| compare(seed, &mut tally));
        println!("{tally:?}");
        assert!(tally.failing > programs / 3 && tally.closing > programs / 4, "a poor sample: {tally:?}");
    });
}
