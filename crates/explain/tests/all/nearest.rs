//! The oracle of `explain`: every execution of small programs is looked at, and the nearest passing run, the choice
//! among several, its slices and all routes must be what follows from the definitions.
//!
//! Two kinds of random programs, and programs written by hand for what these rarely hit. `NEARMISS_PROGRAMS=5000` runs
//! more.

use std::collections::BTreeSet;

use crate::common::random::{self, Dice, Generator};
use crate::common::scattered::Scattered;
use crate::enumeration::{Difference, Member, Slices, Space};
use crate::reach;
use nearmiss_explain::check::CheckOptions;
use nearmiss_explain::equation::VariableId;
use nearmiss_explain::execution::Execution;
use nearmiss_explain::explain::{ExplainOptions, Preconditions, Wanted, explain};
use nearmiss_explain::explanation::Hypotheses;
use nearmiss_explain::explanation::{Contrast, Delta, DeltaKind, Executed, Metric, Nearest, Slice, SliceMethod};
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::{Program, Type};
use nearmiss_program::run::{Inputs, Outcome, Run, RunStep, RunStepKind};
use nearmiss_program::source::Sources;

/// Slices listed at most.
const MOST_ROUTES: usize = 100;

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    programs: u64,
    too_large: u64,
    never_fail: u64,
    always_fail: u64,
    nearest: u64,
    slices: u64,
    one_step: u64,
    kept: u64,
}

/// A program, all its executions, and one that fails.
struct Trial<'a> {
    program: &'a Program,
    sources: &'a Sources,
    space: &'a Space,
    failing: &'a Execution,
    /// The failing run as it is given; one that is found if there is none.
    given: Option<&'a Inputs>,
    fixed: Option<u32>,
    what: &'a str,
}

impl Trial<'_> {
    fn options(&self, metric: Metric, slice: SliceMethod) -> ExplainOptions {
        ExplainOptions {
            check: CheckOptions { unwind: self.fixed, ..CheckOptions::default() },
            given: self.given.cloned(),
            metric,
            slice,
            routes: Wanted::Yes,
            nearest_all: Wanted::Yes,
            preconditions: Preconditions::Free,
            hypotheses: Hypotheses::None,
            within_bound: Wanted::Yes,
            ..ExplainOptions::default()
        }
    }

    fn contrast(&self, options: &ExplainOptions) -> Contrast {
        let found = explain(self.program, self.sources, options, &mut |_| {});
        let found = found.unwrap_or_else(|error| panic!("{error:?}\n{}", self.what));
        found.contrast.unwrap_or_else(|| panic!("nothing was explained\n{}", self.what))
    }

    /// Everything that is explained of this run; the nearest passing run.
    fn agrees(&self, tally: &mut Tally) -> Option<Nearest> {
        let what = self.what;
        let outcome = interp::run(self.program, &self.space.inputs(self.failing), &Limits::default()).outcome;
        assert!(matches!(outcome, Outcome::Violated(_)), "{outcome:?}\n{what}");
        let claim = self.failing.failed.expect("a failing run");
        for metric in [Metric::Ssa, Metric::Slice] {
            let options = self.options(metric, SliceMethod::TwoPhase);
            let contrast = self.contrast(&options);
            if metric == Metric::Ssa {
                let again = self.contrast(&options);
                assert_eq!(format!("{contrast:?}"), format!("{again:?}"), "the same twice\n{what}");
            }
            let members = self.space.members(claim, metric);
            let Some(expected) = self.space.nearest(self.program, &members, self.failing) else {
                assert!(contrast.nearest.is_none() && contrast.none_exists, "every execution fails\n{what}");
                tally.always_fail += 1;
                return None;
            };
            let nearest = contrast.nearest.as_ref().unwrap_or_else(|| panic!("there are passing runs\n{what}"));
            self.is_nearest(nearest, &members, expected);
            tally.nearest += 1;
            let slice = contrast.slice.as_ref().unwrap_or_else(|| panic!("a slice was wanted\n{what}"));
            tally.slices += u64::from(self.is_smallest(slice, &members, expected));
        }
        let options = self.options(Metric::Ssa, SliceMethod::OneStep);
        let contrast = self.contrast(&ExplainOptions { nearest_all: Wanted::No, ..options });
        let members = self.space.members(claim, Metric::Ssa);
        let slice = contrast.slice.unwrap_or_else(|| panic!("a slice was wanted\n{what}"));
        if let Some(least) = self.space.one_step(&members, self.failing) {
            assert_eq!((slice.deltas.len(), slice.proved_minimal), (least, true), "one-step {slice:?}\n{what}");
            tally.one_step += 1;
        }
        let plain =
            ExplainOptions { preconditions: Preconditions::Kept, ..self.options(Metric::Ssa, SliceMethod::None) };
        let kept = self.contrast(&ExplainOptions { nearest_all: Wanted::No, routes: Wanted::No, ..plain });
        tally.kept += reach::kept_decides(self.space, &kept, &self.space.inputs(self.failing), what);
        contrast.nearest
    }

    /// A difference as people read it: bits of a bit-field are a number of its type.
    fn in_numbers(&self, difference: Difference) -> Difference {
        let equation = &self.space.equation;
        let mut all = (0..equation.variables.len()).map(|at| VariableId(at as u32));
        let Some(variable) = all.find(|id| equation.versioned_name(*id) == difference.name) else { return difference };
        let ty = equation.variables[variable.0 as usize].ty;
        let (bits, width) = (equation.terms.width(equation.symbol(variable)), self.program.size_bits(ty).min(128));
        let is_negative = |value: u128| value >> (bits - 1) & 1 == 1;
        let number = |value: u128| match self.program.is_signed(ty) && u64::from(bits) < width && is_negative(value) {
            true => value + ((1 << width) - (1 << bits)),
            false => value,
        };
        Difference { values: (number(difference.values.0), number(difference.values.1)), ..difference }
    }

    fn is_nearest(&self, nearest: &Nearest, members: &[Member], expected: &Execution) {
        let what = format!("{:?}, claim at step {:?}\n{}", nearest.metric, self.failing.failed, self.what);
        let differences = self.space.differences(members, self.failing, expected);
        let differences: Vec<Difference> = differences.into_iter().map(|of| self.in_numbers(of)).collect();
        let (inputs, failing) = (self.space.inputs(expected), self.space.inputs(self.failing));
        assert_eq!(
            nearest.distance,
            differences.len() as u64,
            "distance from {failing:?}, expected {inputs:?}; {what}"
        );
        let is_pointer = |delta: &Delta| matches!(self.program.ty(delta.ty), Type::Pointer { .. });
        let without_pointers = |mut differences: Vec<Difference>| {
            for (difference, delta) in
                differences.iter_mut().zip(&nearest.deltas).filter(|(_, delta)| is_pointer(delta))
            {
                assert_eq!(difference.name, delta.name, "the choice among several; {what}");
                difference.values = (0, 0);
            }
            differences
        };
        let found = without_pointers(seen(&nearest.deltas));
        assert_eq!(found, without_pointers(differences.clone()), "the choice among several; {what}");
        // A run numbers its objects in another way than the equation.
        let [failing_run, passing_run] =
            [&failing, &inputs].map(|of| interp::run(self.program, of, &Limits::default()));
        for delta in nearest.deltas.iter().filter(|delta| is_pointer(delta) && delta.kind == DeltaKind::Value) {
            let sides =
                [(&failing_run, delta.failing, Executed::Failing), (&passing_run, delta.passing, Executed::Passing)];
            for (run, pointer, own) in sides {
                let dynamic = self.program.pointer.decode(pointer).0 >= self.program.first_dynamic_object();
                let sets = |step: &RunStep| match &step.kind {
                    RunStepKind::Assign { value, .. } => *value == pointer,
                    RunStepKind::Return { value } => value.is_some_and(|(_, value)| value == pointer),
                    _ => false,
                };
                let is_executed = delta.executed == Executed::Both || delta.executed == own;
                assert!(!dynamic || !is_executed || run.steps.iter().any(sets), "{delta:?} is set; {what}");
            }
        }
        assert_eq!(nearest.inputs, inputs, "the choice among several, from {failing:?}; {what}");
        assert!(nearest.proved_minimal && nearest.lower_bound == nearest.distance, "{what}");
        assert_eq!(nearest.run.outcome, Outcome::Finished, "{what}");
        assert_eq!(interp::run(self.program, &nearest.inputs, &Limits::default()), nearest.run, "{what}");
        if let Some(all) = &nearest.all {
            let sets: BTreeSet<Vec<String>> = all.sets.iter().map(|set| names(set)).collect();
            let expected = self.space.all_nearest(members, self.failing);
            let fits = if all.complete { sets == expected } else { sets.is_subset(&expected) };
            assert!(fits && sets.len() == all.sets.len(), "all nearest: {sets:?}, expected {expected:?}; {what}");
            let own = differences.iter().filter(|difference| difference.executed != Executed::Neither);
            assert!(own.map(|own| &own.name).eq(names(&all.sets[0]).iter()), "the nearest run itself is first; {what}");
        }
    }

    /// Whether there was little enough to compare.
    fn is_smallest(&self, slice: &Slice, members: &[Member], passing: &Execution) -> bool {
        let what = self.what;
        let (size, expected) = match self.space.slices(members, self.failing, passing, usize::MAX) {
            Slices::Of(size, sets) => (size, sets),
            Slices::None => panic!("the passing run itself is a slice\n{what}"),
            Slices::TooMany => return false,
        };
        assert_eq!((slice.deltas.len(), slice.proved_minimal), (size, true), "{slice:?}\n{what}");
        let named = |set: &Vec<usize>| -> Vec<String> {
            set.iter().map(|&at| self.space.equation.versioned_name(members[at].variable)).collect()
        };
        let first = expected.iter().min().map(named).unwrap_or_default();
        assert_eq!(names(&slice.deltas), first, "the slice whose variables come first\n{what}");
        let routes = slice.routes.as_ref().unwrap_or_else(|| panic!("routes were wanted\n{what}"));
        let expected: BTreeSet<Vec<String>> = expected.iter().map(named).collect();
        let listed: BTreeSet<Vec<String>> = routes.sets.iter().map(|set| names(set)).collect();
        assert_eq!(listed.len(), routes.sets.len(), "a route is listed twice\n{what}");
        assert_eq!(routes.complete, expected.len() <= MOST_ROUTES, "{} routes\n{what}", expected.len());
        let fits = if routes.complete { listed == expected } else { listed.is_subset(&expected) };
        assert!(fits, "routes {listed:?}, expected {expected:?}\n{what}");
        true
    }
}

fn names(deltas: &[Delta]) -> Vec<String> {
    deltas.iter().map(|delta| delta.name.clone()).collect()
}

fn seen(deltas: &[Delta]) -> Vec<Difference> {
    let difference = |delta: &Delta| Difference {
        kind: delta.kind,
        name: delta.name.clone(),
        values: (delta.failing, delta.passing),
        executed: delta.executed,
    };
    deltas.iter().map(difference).collect()
}

/// Compares what is explained of some failing runs of a program.
fn compare(text: &str, what: &str, fixed: Option<u32>, dice: &mut Dice, tally: &mut Tally) {
    let (program, sources) = random::read(text, what);
    let what = format!("{what}, unwound {fixed:?}\n{text}");
    tally.programs += 1;
    let Some(space) = Space::of(&program, fixed, &what) else {
        tally.too_large += 1;
        return;
    };
    if space.failing.is_empty() {
        tally.never_fail += 1;
        return;
    }
    let given = space.inputs(&space.failing[dice.below(space.failing.len() as u64) as usize]);
    let options = CheckOptions { unwind: fixed, ..CheckOptions::default() };
    let options = ExplainOptions { check: options, given: Some(given.clone()), ..ExplainOptions::default() };
    let found = explain(&program, &sources, &options, &mut |_| {}).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
    let shown = found.counterexample.unwrap_or_else(|| panic!("a failing run was given\n{what}"));
    // What the run never looks at is 0 in what is explained, whatever was given.
    let did = |run: Run| run.steps.into_iter().filter(|step| !matches!(step.kind, RunStepKind::Input { .. }));
    assert!(did(shown.run).eq(did(interp::run(&program, &given, &Limits::default()))), "{what}");
    let failing = Execution::of(&space.equation, &shown.inputs);
    let (given, kept) = (Some(&given), found.contrast.and_then(|contrast| contrast.nearest));
    let trial =
        Trial { program: &program, sources: &sources, space: &space, failing: &failing, given, fixed, what: &what };
    let free = trial.agrees(tally);
    // To leave preconditions as they are can only cost.
    let distance = |nearest: &Nearest| nearest.distance;
    assert!(kept.as_ref().map(distance) >= free.as_ref().map(distance), "{kept:?}, but {free:?}\n{what}");
}

#[test]
fn explanations_of_random_programs_are_those_of_all_executions() {
    let programs = random::wanted(25);
    random::with_stack(move || {
        let mut tally = Tally::default();
        for seed in random::seeds(programs) {
            let mut dice = Dice::new(seed);
            let fixed = (dice.below(3) == 0).then(|| 2 + dice.below(3) as u32);
            compare(&Generator::program(seed), &format!("seed {seed}"), fixed, &mut dice, &mut tally);
        }
        println!("{tally:?}");
        assert!(tally.slices > programs / 4 && tally.one_step > programs / 8, "a poor sample: {tally:?}");
    });
}

#[test]
fn explanations_are_right_wherever_inputs_arise() {
    let programs = random::wanted(60);
    random::with_stack(move || {
        let mut tally = Tally::default();
        for seed in random::seeds(programs) {
            let mut dice = Dice::new(seed);
            let fixed = (dice.below(3) == 0).then(|| 2 + dice.below(3) as u32);
            compare(&Scattered::program(seed), &format!("scattered {seed}"), fixed, &mut dice, &mut tally);
        }
        println!("{tally:?}");
        assert!(tally.slices > programs / 4 && tally.one_step > programs / 8, "a poor sample: {tally:?}");
    });
}

/// Explains the failing run that is found, compares, and insists on a distance that was counted by hand.
fn by_hand(name: &str, body: &str, distance: u64) {
    let text = format!("{HEAD}{body}\n");
    let (program, sources) = random::read(&text, name);
    let options =
        ExplainOptions { preconditions: Preconditions::Free, within_bound: Wanted::Yes, ..ExplainOptions::default() };
    let found = explain(&program, &sources, &options, &mut |_| {}).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let inputs = found.counterexample.unwrap_or_else(|| panic!("{name} fails")).inputs;
    let nearest = found.contrast.and_then(|contrast| contrast.nearest).unwrap_or_else(|| panic!("{name} can pass"));
    assert_eq!(nearest.distance, distance, "{name}: {:?}", names(&nearest.deltas));
    let space = Space::of(&program, None, name).unwrap_or_else(|| panic!("{name} has too many executions"));
    let failing = Execution::of(&space.equation, &inputs);
    let trial = Trial {
        program: &program,
        sources: &sources,
        space: &space,
        failing: &failing,
        given: None,
        fixed: None,
        what: name,
    };
    trial.agrees(&mut Tally::default());
    let mut dice = Dice::new(1);
    for fixed in [None, Some(2), Some(3)] {
        compare(&text, name, fixed, &mut dice, &mut Tally::default());
    }
}

const HEAD: &str = "#include <assert.h>
#include <stdlib.h>
_Bool nondet_bool(void);
unsigned char nondet_uchar(void);
struct few { unsigned a : 2; int b : 2; int c : 3; };
static int largest(int v, int w) { if (v > w) return v; return w; }
static int down(unsigned n) { if (n == 0) return 0; return 1 + down(n - 1); }
static void put(int *to, int what) { *to = what; }
";

#[test]
fn loops() {
    // Three rounds of 1 fail. Without the last: u.n, its condition, the condition of the turn after it, which only the
    // failing run comes to, and s and i after the loop.
    let body = "int main(void) { struct { unsigned n : 2; } u; int s = 0;
        for (unsigned i = 0; i < u.n; i++) s += 1; assert(s < 3); return 0; }";
    by_hand("a loop of constants", body, 5);
    let body = "int main(void) { struct few u; int s = 0;
        for (unsigned i = 0; i < u.a; i++) { s += u.b; if (s == 2) break; } assert(s < 2); return 0; }";
    // 1 + 1 fails. With u.a = 1: u.a, the condition of the second turn, `s == 2` in it, and s after the loop; i is 1 there
    // in both runs.
    by_hand("a loop with a way out", body, 4);
    let body = "int main(void) { struct few u; for (unsigned i = 0; i < 3; i++) assert(i != u.a); return 0; }";
    by_hand("a claim in a loop", body, 1);
    let body =
        "int main(void) { for (int i = 0; i < 3; i++) { _Bool b = nondet_bool(); if (b) assert(i != 1); } return 0; }";
    by_hand("an input in a loop", body, 2);
}

#[test]
fn calls() {
    let body = "int main(void) { struct few u; int m = largest(u.a, u.b); assert(m < 2); return 0; }";
    by_hand("a call", body, 4);
    // down(1) fails. With 0: u.a, n, `n == 0`; the activation that only the failing run makes: n, `n == 0`, the 0 that it
    // returns; and the return after it.
    by_hand("recursion", "int main(void) { struct few u; assert(down(u.a) != 1); return 0; }", 7);
    let body = "int main(void) { struct few u; int x = 0; put(&x, u.c); assert(x >= 0); return 0; }";
    by_hand("an argument by reference", body, 3);
}

#[test]
fn arrays_and_pointers() {
    let body = "int main(void) { struct few u; int t[4] = {0, 1, 2, 3}; t[u.a] = u.b; assert(t[2] != -1); return 0; }";
    by_hand("a symbolic index", body, 1);
    let body = "int main(void) { struct few u; int t[3] = {1, 2, 3}; assert(t[u.a] > 0); return 0; }";
    by_hand("out of bounds", body, 1);
    let body = "int main(void) { struct few u; int x = 1, y = 2, *p = &x; if (u.a) p = &y; *p = u.b;
        assert(x + y != 1); return 0; }";
    by_hand("a pointer to one of two", body, 2);
    let body = "int main(void) { int *p = malloc(4); unsigned char b = nondet_uchar(); __CPROVER_assume(b < 4);
        if (b == 1) free(p); if (b < 2) *p = 0; return 0; }";
    by_hand("a freed object", body, 2);
}

#[test]
fn branches() {
    let body = "int main(void) { struct few u; if (u.a < 2) return 0; assert(u.c != 1); return 0; }";
    by_hand("an early return", body, 1);
    let body = "int main(void) { struct few u; int x = 0; switch (u.a) { case 0: x = 1; case 1: x += 2; break; default: x = 5; }
        assert(x != 3); return 0; }";
    by_hand("a switch", body, 5);
    let body = "int main(void) { struct few u; int x = 1; if (u.a) { _Bool b = nondet_bool(); if (b) x = 0; } assert(!x); return 0; }";
    by_hand("an input in a branch that is not taken", body, 5);
}

#[test]
fn several_claims() {
    let body =
        "int main(void) { struct few u; int b = u.b; assert(u.a != 0); assert(u.a != 1); assert(b != 0); return 0; }";
    by_hand("a passing run passes all of them", body, 3);
    // Only the first claim is explained, but the passing run meets the assumption after it.
    let body = "int main(void) { struct few u; assert(u.a != 0); __CPROVER_assume(u.a > 1); return 0; }";
    by_hand("an assumption after the claim", body, 1);
    let body = "int main(void) { struct few u; assert(u.a != 0); _Bool late = nondet_bool(); assert(late); return 0; }";
    by_hand("an input after the claim", body, 1);
}

#[test]
fn undefined_contents() {
    by_hand("an uninitialised local", "int main(void) { _Bool b; assert(b); return 0; }", 1);
    let body = "int main(void) { for (int i = 0; i < 2; i++) { _Bool b; if (b) assert(i == 0); } return 0; }";
    by_hand("an uninitialised local in a loop", body, 2);
}

/// The inputs of the passing run for the smallest failing run.
fn passing_inputs(body: &str) -> Vec<u128> {
    let (program, sources) = random::read(&format!("{HEAD}{body}\n"), "by hand");
    let options =
        ExplainOptions { preconditions: Preconditions::Free, within_bound: Wanted::Yes, ..ExplainOptions::default() };
    let found = explain(&program, &sources, &options, &mut |_| {}).expect("an explanation");
    let nearest = found.contrast.and_then(|contrast| contrast.nearest).expect("a passing run");
    nearest.named.iter().map(|input| input.value).collect()
}

const MINUS_ONE: u128 = 0xFFFF_FFFF;

#[test]
fn of_runs_equally_near_one_is_chosen() {
    let main = |body: &str| format!("int main(void) {{ struct few u; {body} return 0; }}");
    // -1 and 1 are equally near to 0 and to the failing run; the smaller is taken.
    assert_eq!(passing_inputs(&main("assert(u.c != 0);")), [MINUS_ONE]);
    // Two inputs at distance 2, or one and an assignment.
    assert_eq!(passing_inputs(&main("int x = u.a; assert(x != 0 || (u.b != 0 && u.c != 0));")), [1, 0, 0]);
    // The smallest change.
    assert_eq!(passing_inputs(&main("assert(u.c > 1 || u.c < -2);")), [2]);
    // Of two inputs either can change; towards zero in order of inputs means that the second does.
    assert_eq!(passing_inputs(&main("assert(u.a != u.b);")), [0, MINUS_ONE]);
}

#[test]
fn of_all_nearest_runs_the_one_that_is_shown_is_listed_first() {
    let text = format!("{HEAD}int main(void) {{ struct few u; assert(u.a != u.b); return 0; }}\n");
    let (program, sources) = random::read(&text, "by hand");
    let options = ExplainOptions {
        preconditions: Preconditions::Free,
        nearest_all: Wanted::Yes,
        within_bound: Wanted::Yes,
        ..ExplainOptions::default()
    };
    let found = explain(&program, &sources, &options, &mut |_| {}).expect("an explanation");
    let nearest = found.contrast.and_then(|contrast| contrast.nearest).expect("a passing run");
    let sets: Vec<Vec<String>> = nearest.all.expect("wanted").sets.iter().map(|set| names(set)).collect();
    assert_eq!(
        (names(&nearest.deltas), sets),
        (vec!["u.b#0".to_owned()], vec![vec!["u.b#0".to_owned()], vec!["u.a#0".to_owned()]])
    );
}

#[test]
fn a_truth_value_that_changes_is_a_change_by_one() {
    // Either the flag or u.c changes alone, by 1; were the flag free it would win, although it comes first.
    let body = "int main(void) { _Bool flag = nondet_bool(); struct few u; assert(flag || u.c == 1); return 0; }";
    assert_eq!(passing_inputs(body), [0, 1]);
}

#[test]
fn without_a_passing_run_there_is_none() {
    let (program, sources) =
        random::read(&format!("{HEAD}int main(void) {{ struct few u; assert(u.a > 3); return 0; }}\n"), "all fail");
    let found = explain(&program, &sources, &ExplainOptions::default(), &mut |_| {}).expect("an explanation");
    let contrast = found.contrast.expect("a failing run is explained");
    assert!(contrast.none_exists && contrast.nearest.is_none() && contrast.slice.is_none());
}

#[test]
fn what_never_fails_is_not_explained() {
    let (program, sources) =
        random::read(&format!("{HEAD}int main(void) {{ struct few u; assert(u.a < 4); return 0; }}\n"), "none fails");
    let found = explain(&program, &sources, &ExplainOptions::default(), &mut |_| {}).expect("an explanation");
    assert!(found.contrast.is_none() && found.counterexample.is_none());
}
