//! The oracle of `explain --metric align`: every passing execution of small programs is aligned with the failing one by
//! plain dynamic programming, and the nearest must be as near as what the optimiser finds.
//!
//! Random programs of two kinds, and programs written by hand. `NEARMISS_PROGRAMS=5000` runs more.

use crate::common::random::{self, Dice, Generator};
use crate::common::scattered::Scattered;
use crate::enumeration::Space;
use nearmiss_explain::bounds::Bounds;
use nearmiss_explain::check::CheckOptions;
use nearmiss_explain::equation::{ClaimRef, Equation, Share, Step, StepKind};
use nearmiss_explain::execution::Execution;
use nearmiss_explain::explain::{ExplainOptions, Preconditions, Wanted, explain};
use nearmiss_explain::explanation::Hypotheses;
use nearmiss_explain::explanation::{Contrast, DeltaKind, Executed, Metric, Nearest};
use nearmiss_explain::symex;
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::{ClaimId, ClaimKind, FunctionId, Origin, Program, TypeId};
use nearmiss_program::run::{Inputs, Outcome};
use nearmiss_program::source::{Sources, Span};

pub const PRICES: [[u64; 3]; 3] = [[1, 1, 3], [1, 1, 1], [2, 5, 1]];

/// A step as it is compared: where, which value, and whether it violates a claim.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    place: (Span, FunctionId, char, Option<TypeId>, Share),
    value: u128,
    fails: bool,
}

/// The steps of an execution that are compared with those of a run that violates the claim of step `claim`.
pub fn seen(
    program: &Program,
    equation: &Equation,
    claim: usize,
    failing: &Execution,
    execution: &Execution,
) -> Vec<Seen> {
    let StepKind::Claim { claim: ClaimRef::Program(violated), .. } = equation.steps[claim].kind else {
        panic!("no claim of the program")
    };
    // A claim in parts holds once the last does.
    let is_its_last = |step: &Step| match step.kind {
        StepKind::Claim { claim: ClaimRef::Program(id), part, .. } => id == violated && !part,
        StepKind::Held { claim: id } => id == violated,
        _ => false,
    };
    let last = (claim..equation.steps.len()).find(|at| is_its_last(&equation.steps[*at])).unwrap_or(claim);
    let claim = last;
    let is_end = match equation.steps[claim].kind {
        StepKind::Claim { condition, .. } => equation.terms.is_false(condition),
        _ => false,
    };
    let counts = |id: ClaimId| id == violated || program.claims[id.index()].kind == ClaimKind::Assertion;
    let (mut here, mut there) = (execution.evaluator(equation), failing.evaluator(equation));
    let mut found = Vec::new();
    for (index, step) in equation.steps.iter().enumerate() {
        let mut fails = false;
        let mut share = Share::Whole;
        let (kind, ty, value) = match &step.kind {
            StepKind::Call { value, site, .. } => ('i', Some(program.sites[site.index()].ty), here.value(*value)),
            StepKind::Assign { value, ty, origin: Origin::Written, share: of, .. } => {
                share = *of;
                ('a', Some(*ty), here.value(*value))
            }
            StepKind::Return { value, ty, .. } => ('r', Some(*ty), here.value(*value)),
            StepKind::Guard { condition, .. } => ('b', None, here.value(*condition)),
            StepKind::Branch { taken } => ('b', None, u128::from(*taken)),
            StepKind::Held { claim } if counts(*claim) => ('c', None, 0),
            StepKind::Claim { claim: ClaimRef::Program(id), condition, part } if counts(*id) => {
                fails = !here.holds(*condition);
                // Of a claim in parts it is told once that it holds.
                if *part && !fails {
                    continue;
                }
                ('c', None, 0)
            }
            _ => continue,
        };
        // After the failure, a step that the failing run would take as well is where the comparison ends.
        let is_over = index > claim && (is_end || execution.executed[claim] || there.holds(step.guard));
        if is_over && execution.executed[index] {
            break;
        }
        if execution.executed[index] {
            found.push(Seen { place: (step.span, step.function, kind, ty, share), value, fails });
        }
    }
    found
}

/// The cheapest way to make one sequence the other.
pub fn cost(a: &[Seen], b: &[Seen], [value, action, step]: [u64; 3]) -> u64 {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let mut least = if (i, j) == (0, 0) { 0 } else { u64::MAX };
            if i > 0 {
                least = least.min(table[i - 1][j] + step);
            }
            if j > 0 {
                least = least.min(table[i][j - 1] + step);
            }
            if i > 0 && j > 0 && a[i - 1].place == b[j - 1].place {
                let (one, other) = (&a[i - 1], &b[j - 1]);
                let price = u64::from(one.value != other.value) * value + u64::from(one.fails != other.fails) * action;
                least = least.min(table[i - 1][j - 1] + price);
            }
            table[i][j] = least;
        }
    }
    table[a.len()][b.len()]
}

fn contrast(program: &Program, sources: &Sources, options: &ExplainOptions, what: &str) -> Contrast {
    let found = explain(program, sources, options, &mut |_| {}).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
    found.contrast.unwrap_or_else(|| panic!("nothing was explained\n{what}"))
}

fn options(given: Option<Inputs>, fixed: Option<u32>, weights: Option<[u64; 3]>) -> ExplainOptions {
    ExplainOptions {
        check: CheckOptions { unwind: fixed, ..CheckOptions::default() },
        given,
        metric: Metric::Align,
        weights,
        preconditions: Preconditions::Free,
        hypotheses: Hypotheses::None,
        within_bound: Wanted::Yes,
        ..ExplainOptions::default()
    }
}

/// The prices of the differences that are told are the distance.
fn adds_up(nearest: &Nearest, [value, action, step]: [u64; 3], what: &str) {
    let price = |kind: DeltaKind| match kind {
        DeltaKind::Control => step,
        DeltaKind::Action => action,
        _ => value,
    };
    let sum: u64 = nearest.deltas.iter().map(|delta| price(delta.kind)).sum();
    assert_eq!(sum, nearest.distance, "{:?}\n{what}", nearest.deltas);
}

/// Compares a failing run of a program; whether there is a passing one.
fn compare(text: &str, what: &str, fixed: Option<u32>, dice: &mut Dice) -> Option<bool> {
    let (program, sources) = random::read(text, what);
    let what = format!("{what}, unwound {fixed:?}\n{text}");
    let space = Space::of(&program, fixed, &what)?;
    if space.failing.is_empty() {
        return None;
    }
    let given = space.inputs(&space.failing[dice.below(space.failing.len() as u64) as usize]);
    let found = explain(&program, &sources, &options(Some(given.clone()), fixed, None), &mut |_| {});
    let found = found.unwrap_or_else(|error| panic!("{error:?}\n{what}"));
    let (shown, property) = (found.counterexample.expect("it was given"), found.property.expect("it fails"));
    let bounds = Bounds { fixed, shown: Some(ClaimId(property as u32)), ..Bounds::default() };
    let stop = Stop::default();
    let equation = symex::unwind(&program, &bounds, &stop).expect("nobody interrupts");
    let failing = Execution::of(&equation, &shown.inputs);
    let claim = failing.failed.unwrap_or_else(|| panic!("it does not fail\n{what}"));
    let steps = seen(&program, &equation, claim, &failing, &failing);
    assert!(steps.last().is_some_and(|last| last.fails), "{steps:?}\n{what}");
    let passing = space.passing.iter().map(|passing| Execution::of(&equation, &space.inputs(passing)));
    let others: Vec<Vec<Seen>> = passing.map(|run| seen(&program, &equation, claim, &failing, &run)).collect();
    for prices in PRICES {
        let weights = (prices != PRICES[0]).then_some(prices);
        let contrast = contrast(&program, &sources, &options(Some(given.clone()), fixed, weights), &what);
        let least = others.iter().map(|other| cost(&steps, other, prices)).min();
        let nearest = contrast.nearest.as_ref();
        assert_eq!(nearest.map(|nearest| nearest.distance), least, "{prices:?}\n{what}");
        let Some(nearest) = nearest else {
            assert!(contrast.none_exists, "{what}");
            return Some(false);
        };
        assert!(nearest.proved_minimal && nearest.lower_bound == nearest.distance, "{what}");
        assert_eq!(nearest.run.outcome, Outcome::Finished, "{what}");
        let own = seen(&program, &equation, claim, &failing, &Execution::of(&equation, &nearest.inputs));
        assert_eq!(Some(cost(&steps, &own, prices)), least, "the run itself, {prices:?}\n{what}");
        adds_up(nearest, prices, &what);
        let slice = contrast.slice.as_ref().unwrap_or_else(|| panic!("a slice was wanted\n{what}"));
        assert!(slice.proved_minimal && slice.deltas.iter().all(|delta| nearest.deltas.contains(delta)), "{what}");
    }
    Some(true)
}

#[test]
fn the_nearest_aligned_run_is_that_of_all_executions() {
    let programs = random::wanted(40);
    random::with_stack(move || {
        let (mut passing, mut none) = (0, 0);
        for seed in random::seeds(programs) {
            let mut dice = Dice::new(seed);
            let fixed = (dice.below(3) == 0).then(|| 2 + dice.below(3) as u32);
            let (text, what) = match seed % 2 {
                0 => (Generator::program(seed), format!("seed {seed}")),
                _ => (Scattered::program(seed), format!("scattered {seed}")),
            };
            match compare(&text, &what, fixed, &mut dice) {
                Some(true) => passing += 1,
                Some(false) => none += 1,
                None => {}
            }
        }
        println!("{passing} compared, {none} without a passing run");
        assert!(passing > programs / 5, "a poor sample: {passing}");
    });
}

const HEAD: &str = "#include <assert.h>
_Bool nondet_bool(void);
unsigned char nondet_uchar(void);
struct few { unsigned a : 2; int b : 2; int c : 3; };
";

/// What differs where the failing run that is found is explained, in order: kind, line, and where it is executed.
fn told(body: &str) -> (u64, Vec<(DeltaKind, u32, Executed)>) {
    let text = format!("{HEAD}{body}\n");
    let (program, sources) = random::read(&text, "by hand");
    let contrast = contrast(&program, &sources, &options(None, None, None), &text);
    let nearest = contrast.nearest.unwrap_or_else(|| panic!("it can pass\n{text}"));
    assert!(nearest.proved_minimal);
    adds_up(&nearest, PRICES[0], &text);
    for fixed in [None, Some(2), Some(3)] {
        compare(&text, "by hand", fixed, &mut Dice::new(1));
    }
    let before = HEAD.lines().count() as u32;
    let line = |span: Span| sources.position(span).line - before;
    (nearest.distance, nearest.deltas.iter().map(|delta| (delta.kind, line(delta.span), delta.executed)).collect())
}

#[test]
fn a_statement_that_should_not_be_executed() {
    let body = "int main(void) { struct few u; int x = 1;
        if (u.a)
            x = 0;
        assert(x); }";
    use {DeltaKind::*, Executed::*};
    assert_eq!(told(body), (5, vec![(Guard, 2, Both), (Control, 3, Failing), (Action, 4, Both)]));
}

#[test]
fn a_round_more_or_less() {
    let body = "int main(void) { struct few u; int s = 0;
        for (unsigned i = 0; i < u.a;
             i++)
            s += 1;
        assert(s < 3); }";
    use {DeltaKind::*, Executed::*};
    // The third round is left out: that its condition is evaluated once more, and its two statements.
    let expected = vec![(Control, 2, Failing), (Control, 4, Failing), (Control, 3, Failing), (Action, 5, Both)];
    assert_eq!(told(body), (10, expected));
}

#[test]
fn many_rounds_less() {
    // The nearest run is far away.
    let body = "void __CPROVER_assume(int); int main(void) { unsigned char n = nondet_uchar(); int s = 0;
        __CPROVER_assume(n <= 9 || n == 12);
        for (int i = 0; i < n; i++)
            s += 1;
        assert(s < 10); }";
    let text = format!("{HEAD}{body}\n");
    let (program, sources) = random::read(&text, "many rounds");
    let contrast = contrast(&program, &sources, &options(None, None, None), &text);
    let nearest = contrast.nearest.expect("it can pass");
    assert_eq!((nearest.distance, nearest.proved_minimal), (3 * 9 + 2, true));
    adds_up(&nearest, PRICES[0], &text);
}

#[test]
fn what_comes_after_the_failure_is_free() {
    let body = "int main(void) { struct few u; int x = 0;
        assert(u.a != 0);
        x = 1; x = 2; x = 3; return x; }";
    assert_eq!(told(body), (1, vec![(DeltaKind::Action, 2, Executed::Both)]));
    // A run that does not come to the claim pays for what it does instead, and no longer when the paths meet.
    let body = "int main(void) { _Bool b = nondet_bool(); struct few u; int x = 0;
        if (b) {
            assert(u.a + u.c > 9);
        } else {
            x = 2;
        }
        x = 3; return x; }";
    use {DeltaKind::*, Executed::*};
    let expected = vec![(Input, 1, Both), (Guard, 2, Both), (Control, 3, Failing), (Control, 5, Passing)];
    assert_eq!(told(body), (8, expected));
    // Where nobody gets beyond the claim, nothing comes after it.
    let body = "int main(void) { _Bool b = nondet_bool(); int x = 0;
        if (b)
            assert(0);
        x = 3; return x; }";
    assert_eq!(told(body), (5, vec![(Input, 1, Both), (Guard, 2, Both), (Control, 3, Failing)]));
}

#[test]
fn an_automatic_claim_is_a_step_where_it_is_violated() {
    let body = "int main(void) { struct few u; int t[3] = {1, 2, 3}; int s = 0;
        for (int i = 0; i < 2; i++)
            s += t[i + u.a];
        return s; }";
    let (distance, deltas) = told(body);
    assert!(deltas.contains(&(DeltaKind::Action, 3, Executed::Both)), "{distance} {deltas:?}");
}

#[test]
fn without_a_passing_run_there_is_none() {
    let text = format!("{HEAD}int main(void) {{ struct few u; assert(u.a > 3); return 0; }}\n");
    let (program, sources) = random::read(&text, "all fail");
    let contrast = contrast(&program, &sources, &options(None, None, None), &text);
    assert!(contrast.none_exists && contrast.nearest.is_none() && contrast.slice.is_none());
}
