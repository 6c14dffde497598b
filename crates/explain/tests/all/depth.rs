//! The oracle of distances and depths: programs with loops whose passing runs need up to 20 turns more than the failing one.
//!
//! Every input is executed at several bounds. The distance of two runs must be the same at each of them, the run that is
//! explained the nearest of all, and with `--depth` the nearest of those that take no more turns than that. All this whatever
//! runs are compared by: in values or predicates, by single assignments or by alignment.
//! `NEARMISS_PROGRAMS=5000` runs more programs.

use std::collections::{BTreeMap, BTreeSet};

use crate::align;
use crate::common::random::{self, Dice};
use crate::enumeration::{self, Member};
use crate::predicates;
use nearmiss_explain::bounds::Bounds;
use nearmiss_explain::check::CheckOptions;
use nearmiss_explain::compared::Counted;
use nearmiss_explain::equation::{Bound, ClaimRef, Equation, StepKind};
use nearmiss_explain::execution::Execution;
use nearmiss_explain::explain::{ExplainOptions, Preconditions, explain};
use nearmiss_explain::explanation::{Contrast, Hypotheses, Metric, SliceMethod, State};
use nearmiss_explain::method::delta;
use nearmiss_explain::method::predicate::{Tracked, within};
use nearmiss_explain::symex;
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::watched::Watched;
use nearmiss_program::program::{ClaimId, FunctionId, Program};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{Sources, Span};

/// How often loops go round.
struct Size {
    /// The largest n.
    turns: u128,
    /// The bounds that distances are counted at; the last is enough for every run.
    bounds: [u32; 4],
    /// The largest number in a claim.
    number: u64,
}

/// Few turns show most of it, and many programs of them can be tried; every fortieth has many.
fn size(seed: u64) -> Size {
    match seed % 40 {
        0 => Size { turns: 24, bounds: [3, 7, 15, 28], number: 60 },
        _ => Size { turns: 6, bounds: [2, 3, 6, 9], number: 20 },
    }
}

/// A program over n, which is about how often a loop goes round, and k.
fn program(dice: &mut Dice, size: &Size) -> String {
    const PIECES: [&str; 9] = [
        "s = s + 3;",
        "s = s + k;",
        "if (i == k) t = t + 1;",
        "if (s > 40) break;",
        "for (int j = 0; j < k; j++) s = s + 1;",
        "if (i % 3 == k) { i++; continue; }",
        "t = down(k);",
        "{ int j = i; while (j < n && j < i + k) { j++; t++; } }",
        "if (t > 9) return 0;",
    ];
    const BEFORE: [&str; 5] = [
        "",
        "if (k) { int j = 0; while (j < n) { j = j + 4; t = t + 2; } s = t; }",
        "s = down(k);",
        "if (k == 1) s = n;",
        "for (int j = 0; j < n; j++) { if (j == 4) t = t + 2; }",
    ];
    const AFTER: [&str; 6] = [
        "",
        "if (k == 2) { while (t < n && t < 7) t++; }",
        "if (s > 9) t = s;",
        "for (int j = 0; j < t && j < 6; j++) s = s + k;",
        "for (int j = 0; j < n; j++) { if (j == 9) s = s + 1; }",
        "if (k) { for (int j = 0; j < n; j++) { if (j == 5) t = s; } }",
    ];
    const CLAIMS: [&str; 4] = ["s >= C", "s + t != C", "t < C || s < C", "s < C || s > C + 20"];
    let mut pick = |of: &[&str]| of[dice.below(of.len() as u64) as usize].to_owned();
    let (before, after, claim) = (pick(&BEFORE), pick(&AFTER), pick(&CLAIMS));
    let pieces = [pick(&PIECES), pick(&PIECES), pick(&PIECES)];
    let inside = dice.below(5) == 0;
    let number = 1 + dice.below(size.number);
    let body = pieces[..1 + dice.below(3) as usize].join("\n    ");
    let claim = format!("assert({});", claim.replace('C', &number.to_string()));
    let (first, last) = if inside { (claim.as_str(), "") } else { ("", claim.as_str()) };
    around(
        size,
        &format!(
            "{before}
  for (int i = 0; i < n; i++) {{
    {body}
    {first}
  }}
  {after}
  {last}"
        ),
    )
}

/// The program with these statements.
fn around(size: &Size, body: &str) -> String {
    let most = size.turns;
    format!(
        "#include <assert.h>
int nondet_int(void);
static int down(int d) {{ if (d <= 0) return 0; int r = down(d - 1); return r + 1; }}
int main(void) {{
  int n = nondet_int(), k = nondet_int();
  __CPROVER_assume(n >= 0 && n <= {most} && k >= 0 && k <= 2);
  int s = 0, t = k;
  {body}
  return 0;
}}
"
    )
}

fn inputs(n: u128, k: u128) -> Inputs {
    Inputs { calls: vec![n, k], ..Inputs::default() }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    Passes,
    Fails,
    /// It goes beyond the bound.
    Open,
}

/// All runs of a program at one bound.
struct Runs {
    equation: Equation,
    runs: Vec<(Inputs, Execution, End)>,
}

impl Runs {
    fn of(program: &Program, most: u128, bound: u32) -> Runs {
        Runs::within(program, most, &Bounds { fixed: Some(bound), ..Bounds::default() })
    }

    fn within(program: &Program, most: u128, bounds: &Bounds) -> Runs {
        let equation = symex::unwind(program, bounds, &Stop::default()).expect("nobody interrupts");
        let all = (0..=most).flat_map(|n| (0..3).map(move |k| inputs(n, k)));
        let run = |inputs: Inputs| {
            let execution = Execution::of(&equation, &inputs);
            let end = match execution.failed.map(|step| &equation.steps[step].kind) {
                None => End::Passes,
                Some(StepKind::Claim { claim: ClaimRef::Program(_), .. }) => End::Fails,
                Some(_) => End::Open,
            };
            (inputs, execution, end)
        };
        let runs = all.map(run).collect();
        Runs { equation, runs }
    }

    /// One of the runs that fail.
    fn some_failing(&self, dice: &mut Dice) -> Option<usize> {
        let failing: Vec<usize> = (0..self.runs.len()).filter(|run| self.runs[*run].2 == End::Fails).collect();
        (!failing.is_empty()).then(|| failing[dice.below(failing.len() as u64) as usize])
    }

    /// How far every run is from this one; nothing is known of those that go beyond the bound.
    fn distances(&self, from: usize) -> Vec<Option<u64>> {
        let (_, failing, _) = &self.runs[from];
        let Some(claim) = failing.failed.filter(|_| self.runs[from].2 == End::Fails) else {
            return vec![None; self.runs.len()];
        };
        let counted = delta::counted(&self.equation, claim, Metric::Ssa);
        let far = |run: &Execution| {
            let differs = |counted: &&Counted| {
                let Counted { variable, step, kind, taken, unchanged, .. } = **counted;
                enumeration::counts(&self.equation, &Member { variable, step, kind, taken, unchanged }, failing, run)
            };
            counted.iter().filter(differs).count() as u64
        };
        self.runs.iter().map(|(_, run, end)| (*end == End::Passes).then(|| far(run))).collect()
    }

    /// The most turns that a run takes of each loop, up to where it ends.
    fn turns(&self, run: &Execution) -> BTreeMap<Bound, u32> {
        let mut turns = BTreeMap::new();
        let mut evaluator = run.evaluator(&self.equation);
        for turn in self.equation.turns.iter().filter(|turn| run.failed.is_none_or(|end| turn.start <= end)) {
            if evaluator.holds(turn.guard) {
                let most = turns.entry(turn.of.clone()).or_insert(1);
                *most = turn.number.max(*most);
            }
        }
        turns
    }
}

fn contrast((program, sources): &(Program, Sources), options: ExplainOptions, what: &str) -> Contrast {
    let options = ExplainOptions {
        preconditions: Preconditions::Free,
        hypotheses: Hypotheses::None,
        slice: SliceMethod::None,
        ..options
    };
    let found = explain(program, sources, &options, &mut |_| {}).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
    found.contrast.unwrap_or_else(|| panic!("nothing was explained\n{what}"))
}

/// All runs, a failing one, and how far the others are from it: as far at every bound.
fn at_all_bounds(
    program: &Program,
    size: &Size,
    what: &str,
    dice: &mut Dice,
) -> Option<(Runs, usize, Vec<Option<u64>>)> {
    let mut at: Vec<Runs> = size.bounds.iter().map(|bound| Runs::of(program, size.turns, *bound)).collect();
    let whole = at.last().expect("some bounds");
    assert!(whole.runs.iter().all(|(.., end)| *end != End::Open), "the last bound suffices\n{what}");
    let from = whole.some_failing(dice)?;
    let distances = whole.distances(from);
    for (bound, runs) in size.bounds.iter().zip(&at) {
        for (run, (here, there)) in runs.distances(from).into_iter().zip(&distances).enumerate() {
            let calls = &whole.runs[run].0.calls;
            assert!(
                here.is_none() || here == *there,
                "{here:?} at bound {bound}, {there:?}: {calls:?}, {from}, {what}"
            );
        }
    }
    Some((at.pop().expect("some bounds"), from, distances))
}

/// The same where a loop is the first to set what is read behind it. What it holds before is an input, so that nothing is said of
/// the least distance.
fn compare_unset(text: &str, size: &Size, what: &str, dice: &mut Dice) -> bool {
    let text = text.replace(
        "  for (int i = 0; i < n; i++) {\n",
        "  int u[2]; for (int i = 0; i < n; i++) { u[1] = s + i; u[0] = t;\n",
    );
    let (all, claim) = text.rsplit_once("  }\n").expect("a loop");
    let text = format!("{all}  }}\n  if (n > 0) {{ s = s + u[1]; t = u[0]; }}\n{claim}");
    let (program, _) = random::read(&text, what);
    at_all_bounds(&program, size, &format!("{what}\n{text}"), dice).is_some()
}

/// Whether there was something to compare.
fn compare(text: &str, size: &Size, what: &str, dice: &mut Dice) -> bool {
    let read = random::read(text, what);
    let Some((whole, from, distances)) = at_all_bounds(&read.0, size, &format!("{what}\n{text}"), dice) else {
        return false;
    };
    let given = &whole.runs[from].0;
    let what = format!("{what}, from {:?}\n{text}", given.calls);
    let least = distances.iter().flatten().min().copied();
    // A bound for all loops makes nested ones large.
    let unwind = (dice.below(4) == 0).then_some(size.bounds[3]);
    let check = CheckOptions { unwind, ..CheckOptions::default() };
    let found = contrast(&read, ExplainOptions { check, given: Some(given.clone()), ..Default::default() }, &what);
    let nearest = found.nearest.as_ref();
    assert_eq!(nearest.map(|nearest| nearest.distance), least, "unwound {unwind:?}, {what}");
    assert!(nearest.is_none_or(|nearest| nearest.proved_minimal), "unwound {unwind:?}, {what}");
    assert_eq!(found.none_exists, least.is_none(), "unwound {unwind:?}, {what}");
    let depth = [0, dice.below(12) as u32][dice.below(2) as usize];
    let least = self::least(&whole, &distances, from, Some(depth));
    let options = ExplainOptions { given: Some(given.clone()), depth: Some(depth), ..Default::default() };
    let found = contrast(&read, options, &what);
    let nearest = found.nearest.map(|nearest| nearest.distance);
    assert_eq!((nearest, found.none_exists), (least, least.is_none()), "depth {depth}, {what}");
    true
}

/// How far every run is from one at some bound, by alignment of their steps. What is compared ends where the failing run would
/// go on as the other does, so the bound must let it go on to its end.
fn by_alignment(program: &Program, most: u128, bound: u32, given: &Inputs, claim: ClaimId) -> Vec<Option<u64>> {
    let bounds = Bounds { fixed: Some(bound), shown: Some(claim), ..Bounds::default() };
    let all = Runs::within(program, most, &bounds);
    let failing = Execution::of(&all.equation, given);
    let is_claim = |step: &usize| matches!(&all.equation.steps[*step].kind, StepKind::Claim { claim: ClaimRef::Program(id), .. } if *id == claim);
    let Some(violated) = failing.failed.filter(is_claim) else { return vec![None; all.runs.len()] };
    let goes_on =
        Execution::of(&all.equation, given).passing_over(&all.equation, |claim| matches!(claim, ClaimRef::Program(_)));
    if goes_on.failed.is_some() {
        return vec![None; all.runs.len()];
    }
    let steps = align::seen(program, &all.equation, violated, &failing, &failing);
    let far = |run: &Execution| {
        align::cost(&steps, &align::seen(program, &all.equation, violated, &failing, run), align::PRICES[0])
    };
    all.runs.iter().map(|(_, run, end)| (*end == End::Passes).then(|| far(run))).collect()
}

/// The same in the predicates of an explanation.
fn in_predicates(
    (program, watched): &(Program, Vec<Watched>),
    places: &[BTreeSet<(FunctionId, Span)>],
    (most, bound): (u128, u32),
    given: &Inputs,
) -> Vec<Option<u64>> {
    let bounds = Bounds { fixed: Some(bound), ..Bounds::default() };
    let unwound = symex::unwind_watching(program, &bounds, &Stop::default(), watched);
    let (mut equation, moments) = unwound.expect("nobody interrupts");
    let moments = within::told(program, &mut equation, moments, &Stop::default());
    let all = Runs::within(program, most, &bounds);
    let failing = Execution::of(&equation, given);
    let is_claim =
        |step: &usize| matches!(equation.steps[*step].kind, StepKind::Claim { claim: ClaimRef::Program(_), .. });
    let Some(claim) = failing.failed.filter(is_claim) else { return vec![None; all.runs.len()] };
    let truths = predicates::truths(&equation, &moments, places, claim);
    let mut far = |inputs: &Inputs| {
        let run = Execution::of(&equation, inputs);
        predicates::distance(&mut equation, claim, &truths, [&failing, &run])
    };
    let far: Vec<Option<u64>> =
        all.runs.iter().map(|(inputs, _, end)| (*end == End::Passes).then(|| far(inputs))).collect();
    let tracked = predicates::tracked(watched, places);
    let tracked = Tracked::new(program, &mut equation, &moments, &tracked, (&failing, claim));
    let counted = tracked.counted(&equation, claim);
    let failing = Execution::of(&equation, given);
    for ((inputs, ..), far) in all.runs.iter().zip(&far) {
        let run = Execution::of(&equation, inputs);
        let differ = counted.iter().filter(|counted| delta::is_different(&equation, counted, [&failing, &run]));
        let count = differ.count() as u64;
        assert!(
            far.is_none_or(|far| far == count),
            "{count} differ, not {far:?}, at bound {bound}: {:?}",
            inputs.calls
        );
    }
    far
}

/// Distances in predicates that nobody looked for, each tracked at some places. Whether there was something to compare.
fn compare_in_any(text: &str, size: &Size, what: &str, dice: &mut Dice) -> bool {
    const CONDITIONS: [&str; 9] =
        ["s + t == C", "s < t", "t > C", "s == n + k", "n > C", "t == n", "s >= C", "t == k", "s + k == t + n"];
    let read = random::read(text, what);
    let (most, bounds) = (size.turns, &size.bounds);
    let whole = Runs::of(&read.0, most, bounds[3]);
    let Some(from) = whole.some_failing(dice) else { return false };
    let given = &whole.runs[from].0;
    let mut condition = || {
        let condition = CONDITIONS[dice.below(CONDITIONS.len() as u64) as usize];
        (None, condition.replace('C', &dice.below(12).to_string()))
    };
    let conditions: Vec<(Option<String>, String)> = (0..4).map(|_| condition()).collect();
    let what = format!("{what}, from {:?}, in {conditions:?}\n{text}", given.calls);
    let watched = predicates::of_conditions(&read.0, text, &conditions).unwrap_or_else(|| panic!("{what}"));
    let steps = whole.equation.steps.iter().map(|step| (step.function, step.span));
    let all: BTreeSet<(FunctionId, Span)> = steps.collect();
    let mut places = || match dice.below(3) {
        0 => all.clone(),
        _ => all.iter().filter(|_| dice.below(3) == 0).copied().collect(),
    };
    let places: Vec<BTreeSet<(FunctionId, Span)>> = conditions.iter().map(|_| places()).collect();
    let at: Vec<_> = bounds.iter().map(|bound| in_predicates(&watched, &places, (most, *bound), given)).collect();
    do_not_depend_on_the_bound(bounds, &at, &whole, &what);
    true
}

/// Programs in which bounds once showed in distances, each with what runs are compared by, before which text, and from which run: `t` meets other
/// values in a later loop than `s` does, and only from its seventh turn on; what is looked at when calls return, the innermost first.
const WRITTEN: [(&str, &str, &str, [u128; 2]); 2] = [
    (
        "for (int i = 0; i < n; i++) { if (i == k) t = t + 1; s = s + 3; }
  if (k) { for (int j = 0; j < n; j++) { if (j == 5) t = s; } }
  assert(s + t != 16);",
        "s + t == 16",
        "",
        [5, 0],
    ),
    (
        "s = down(k);
  for (int i = 0; i < n; i++) s = s + 4;
  assert(s < 9);",
        "s + k == t + n",
        "return r",
        [2, 2],
    ),
];

#[test]
fn in_predicates_of_written_programs() {
    for (body, condition, before, given) in WRITTEN {
        let (size, given) = (size(1), inputs(given[0], given[1]));
        let text = around(&size, body);
        let (read, what) = (random::read(&text, "written"), format!("from {:?}\n{text}", given.calls));
        let whole = Runs::of(&read.0, size.turns, size.bounds[3]);
        let conditions = [(None, condition.to_owned())];
        let watched = predicates::of_conditions(&read.0, &text, &conditions).unwrap_or_else(|| panic!("{what}"));
        let steps = whole.equation.steps.iter().filter(|step| text[step.span.start as usize..].starts_with(before));
        let places = [steps.map(|step| (step.function, step.span)).collect()];
        let at = size.bounds.map(|bound| in_predicates(&watched, &places, (size.turns, bound), &given));
        assert!(at[2].iter().flatten().count() > 2, "{what}");
        do_not_depend_on_the_bound(&size.bounds, &at, &whole, &what);
    }
}

/// Each of these distances must be the one that is there at the last of the bounds, or be unknown.
fn do_not_depend_on_the_bound(bounds: &[u32], at: &[Vec<Option<u64>>], whole: &Runs, what: &str) {
    let distances = at.last().expect("some bounds");
    for (bound, at) in bounds.iter().zip(at) {
        for (run, (here, there)) in at.iter().zip(distances).enumerate() {
            let calls = &whole.runs[run].0.calls;
            assert!(here.is_none() || here == there, "{here:?} at bound {bound}, {there:?}: {calls:?}, {what}");
        }
    }
}

/// The least distance of the runs that take at most so many turns more than one of them; none: of all.
fn least(whole: &Runs, distances: &[Option<u64>], from: usize, depth: Option<u32>) -> Option<u64> {
    let own = whole.turns(&whole.runs[from].1);
    let fits = |run: usize| {
        let most = |of: &Bound| depth.map_or(u32::MAX, |depth| own.get(of).copied().unwrap_or(1) + depth);
        whole.turns(&whole.runs[run].1).iter().all(|(of, turns)| *turns <= most(of))
    };
    distances.iter().enumerate().filter(|(run, _)| fits(*run)).filter_map(|(_, far)| *far).min()
}

/// The same for one of the other ways to compare runs. Whether there was something to compare.
fn compare_otherwise(text: &str, size: &Size, what: &str, dice: &mut Dice) -> bool {
    let read = random::read(text, what);
    let (most, bounds) = (size.turns, &size.bounds);
    let whole = Runs::of(&read.0, most, bounds[3]);
    let Some(from) = whole.some_failing(dice) else { return false };
    let given = &whole.runs[from].0;
    let (metric, state) = [(Metric::Align, State::Values), (Metric::Ssa, State::Predicates)][dice.below(2) as usize];
    let depth = [None, Some(dice.below(12) as u32)][dice.below(2) as usize];
    let what = format!("{what}, from {:?}, {metric:?} {state:?}, depth {depth:?}\n{text}", given.calls);
    let found = contrast(
        &read,
        ExplainOptions { given: Some(given.clone()), metric, state, depth, ..Default::default() },
        &what,
    );
    let Some(StepKind::Claim { claim: ClaimRef::Program(claim), .. }) =
        whole.runs[from].1.failed.map(|step| &whole.equation.steps[step].kind)
    else {
        panic!("it fails\n{what}")
    };
    let at: Vec<Vec<Option<u64>>> = match state {
        State::Values => bounds.iter().map(|bound| by_alignment(&read.0, most, *bound, given, *claim)).collect(),
        State::Predicates => {
            let description = found.description.as_ref().unwrap_or_else(|| panic!("predicates were asked for\n{what}"));
            let Some(watched) = predicates::watched(&read.0, text, description) else { return false };
            let places = description.predicates.iter().map(|predicate| predicate.places.iter().copied().collect());
            let places: Vec<BTreeSet<(FunctionId, Span)>> = places.collect();
            bounds.iter().map(|bound| in_predicates(&watched, &places, (most, *bound), given)).collect()
        }
    };
    do_not_depend_on_the_bound(bounds, &at, &whole, &what);
    let distances = at.last().expect("some bounds");
    let least = least(&whole, distances, from, depth);
    let nearest = found.nearest.as_ref();
    // An alignment may take more effort than is spent on it: then no minimum is claimed.
    match (nearest, least) {
        (Some(nearest), Some(least)) if !nearest.proved_minimal => {
            assert!(nearest.lower_bound <= least && least <= nearest.distance, "{least} is the least, {what}");
        }
        _ => assert_eq!(nearest.map(|nearest| nearest.distance), least, "{what}"),
    }
    assert_eq!(found.none_exists, least.is_none(), "{what}");
    true
}

#[test]
fn in_whatever_predicates() {
    over_programs(40, compare_in_any);
}

#[test]
fn whatever_runs_are_compared_by() {
    over_programs(6, compare_otherwise);
}

#[test]
fn whoever_sets_a_value_first() {
    over_programs(40, compare_unset);
}

#[test]
fn distances_do_not_depend_on_the_bound() {
    over_programs(12, compare);
}

fn over_programs(otherwise: u64, compare: fn(&str, &Size, &str, &mut Dice) -> bool) {
    let programs = random::wanted(otherwise);
    random::with_stack(move || {
        let mut compared = 0;
        for seed in random::seeds(programs) {
            let (mut dice, size) = (Dice::new(seed), size(seed));
            let text = program(&mut dice, &size);
            compared += u64::from(compare(&text, &size, &format!("depth {seed}"), &mut dice));
        }
        println!("{compared} of {programs} programs fail");
        assert!(compared >= programs / 3, "a poor sample: {compared} of {programs}");
    });
}
