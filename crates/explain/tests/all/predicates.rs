//! The oracle of `explain --state predicates`: every execution of small programs is looked at, the predicates are read
//! back from their text, and the nearest passing run must be as near as the nearest of all; every execution must be one
//! of the abstract program's, and a step of the abstract program one that some data takes.
//!
//! Random programs, and programs written by hand. `NEARMISS_PROGRAMS=5000` runs more.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::common::OneFile;
use crate::common::random::{self, Dice, Generator};
use crate::enumeration::Space;
use nearmiss_explain::bounds::Bounds;
use nearmiss_explain::check::CheckOptions;
use nearmiss_explain::equation::{Equation, StepKind};
use nearmiss_explain::execution::Execution;
use nearmiss_explain::explain::{ExplainOptions, Preconditions, Wanted, explain};
use nearmiss_explain::explanation::Hypotheses;
use nearmiss_explain::explanation::{Contrast, Description, Metric, PredicateOrigin, State};
use nearmiss_explain::method::predicate::abstraction::Abstraction;
use nearmiss_explain::method::predicate::{Predicate, Tracked, within};
use nearmiss_explain::symex::{self, Moment};
use nearmiss_logic::eval::Assignment;
use nearmiss_logic::sat::Outcome;
use nearmiss_logic::stop::Stop;
use nearmiss_logic::term::Term;
use nearmiss_program::c::Options;
use nearmiss_program::c::predicate::{self, TypedCondition};
use nearmiss_program::interp::{Interpreter, Limits};
use nearmiss_program::program::watched::Watched;
use nearmiss_program::program::{FunctionId, Program};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{Sources, Span};

/// Conditions in C, each over the variables of a function or of globals, as conditions of the program.
fn read_back(program: &mut Program, text: &str, conditions: &[(Option<String>, String)]) -> Option<Vec<Watched>> {
    let typed: Vec<TypedCondition> = conditions
        .iter()
        .map(|(function, condition)| {
            let function = function.clone().unwrap_or_else(|| "main".to_owned());
            TypedCondition::new("--predicate", &format!("{function}: {condition}"))
        })
        .collect();
    let (files, loader) = ([random::FILE.to_owned()], OneFile { name: random::FILE, bytes: text.as_bytes() });
    predicate::add(program, &typed, &files, &Options::default(), &loader, &mut Sources::new()).ok()
}

fn never() -> Stop {
    Stop::default()
}

fn options(given: Inputs, fixed: Option<u32>, metric: Metric) -> ExplainOptions {
    ExplainOptions {
        check: CheckOptions { unwind: fixed, ..CheckOptions::default() },
        given: Some(given),
        metric,
        state: State::Predicates,
        preconditions: Preconditions::Free,
        hypotheses: Hypotheses::None,
        within_bound: Wanted::Yes,
        ..ExplainOptions::default()
    }
}

fn contrast(program: &Program, sources: &Sources, options: &ExplainOptions, what: &str) -> Contrast {
    let found = explain(program, sources, options, &mut |_| {}).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
    found.contrast.unwrap_or_else(|| panic!("nothing was explained\n{what}"))
}

/// An execution of one equation in another of the same program.
fn carried(from: &Execution, to: &Equation) -> Execution {
    let mut assignment = Assignment::new();
    for (variable, value) in to.variables.iter().zip(&from.values) {
        if variable.definition.is_none() {
            assignment.set(variable.symbol, *value);
        }
    }
    Execution::of_assignment(to, &assignment)
}

/// Is a moment between the return of a function and the assignment of what it returned?
fn is_in_between(equation: &Equation, moments: &[Moment], moment: &Moment) -> bool {
    let inside = |previous: &u32| moments[*previous as usize].running > moment.running;
    matches!(equation.steps[moment.step].kind, StepKind::Assign { .. })
        && !moment.previous.is_empty()
        && moment.previous.iter().all(inside)
}

/// A truth that a distance counts: of which predicate, the term, and the moments at which it is looked at.
pub struct Truth {
    predicate: usize,
    term: Term,
    looks: Vec<usize>,
}

impl Truth {
    /// Do both runs take a turn in which it is looked at, or is it looked at outside of turns?
    fn is_in_both(&self, equation: &Equation, runs: [&Execution; 2]) -> bool {
        let turn = |step: &usize| equation.steps[*step].turn.map(|turn| equation.turns[turn as usize].guard);
        let both = |taken: Term| runs.iter().all(|run| run.meets(equation, taken));
        self.looks.iter().any(|step| turn(step).is_none_or(both))
    }
}

/// The truths that a distance counts.
pub fn truths(
    equation: &Equation,
    moments: &[Moment],
    places: &[BTreeSet<(FunctionId, Span)>],
    claim: usize,
) -> Vec<Truth> {
    let mut found: Vec<Truth> = Vec::new();
    for moment in moments.iter().filter(|moment| moment.step <= claim) {
        let step = &equation.steps[moment.step];
        for seen in &moment.seen {
            let tracked = places[seen.watched].contains(&(step.function, step.span));
            let is_constant = equation.terms.as_const(seen.term).is_some();
            if !tracked || is_constant || is_in_between(equation, moments, moment) {
                continue;
            }
            let look = moment.step;
            match found.iter_mut().find(|truth| (truth.predicate, truth.term) == (seen.watched, seen.term)) {
                Some(truth) => truth.looks.push(look),
                None => found.push(Truth { predicate: seen.watched, term: seen.term, looks: vec![look] }),
            }
        }
    }
    found
}

/// Is this truth, in both runs, one over values from before turns that counts itself? Any of the values may be the one from before.
fn same_as_before(equation: &mut Equation, truths: &[Truth], truth: &Truth, runs: [&Execution; 2]) -> bool {
    let by_symbol = equation.variables_by_symbol();
    let met: Vec<_> = (equation.terms.support(truth.term).into_iter())
        .filter_map(|symbol| Some((symbol, equation.meetings.get(by_symbol.get(&symbol)?)?.bases.clone())))
        .collect();
    let mut choices: Vec<HashMap<Term, Term>> = vec![HashMap::new()];
    for (symbol, bases) in &met {
        let in_both = |same: Term| runs.iter().all(|run| run.meets(equation, same));
        let possible: Vec<Term> = bases.iter().filter(|(_, same)| in_both(*same)).map(|(before, _)| *before).collect();
        let longer = |chosen: &HashMap<Term, Term>| {
            let with = |before: &Term| chosen.iter().map(|(of, is)| (*of, *is)).chain([(*symbol, *before)]).collect();
            possible.iter().map(with).collect::<Vec<HashMap<Term, Term>>>()
        };
        let more: Vec<HashMap<Term, Term>> = choices.iter().flat_map(longer).collect();
        choices.extend(more);
    }
    choices.iter().any(|chosen| {
        let before = equation.terms.substitute(truth.term, chosen);
        let base = truths.iter().find(|other| (other.predicate, other.term) == (truth.predicate, before));
        base.is_some_and(|base| base.term != truth.term && base.is_in_both(equation, runs))
    })
}

/// How far two runs are apart in branches and truths.
pub fn distance(equation: &mut Equation, claim: usize, truths: &[Truth], [a, b]: [&Execution; 2]) -> u64 {
    let mut distance = 0;
    let counts = |takes: [bool; 2], differs: bool, alone: [bool; 2]| match takes {
        [true, true] => differs,
        [false, false] => false,
        [true, false] => alone[0],
        [false, true] => alone[1],
    };
    for step in &equation.steps[..claim] {
        if let StepKind::Guard { variable, .. } = step.kind {
            let both = |term: Term| [a.meets(equation, term), b.meets(equation, term)];
            let takes = step.turn.map_or([true, true], |turn| both(equation.turns[turn as usize].guard));
            distance += u64::from(counts(takes, a.value(variable) != b.value(variable), both(step.guard)));
        }
    }
    for truth in truths {
        let differs = a.meets(equation, truth.term) != b.meets(equation, truth.term);
        let counts = differs && truth.is_in_both(equation, [a, b]) && !same_as_before(equation, truths, truth, [a, b]);
        distance += u64::from(counts);
    }
    distance
}

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    compared: u64,
    with_predicates: u64,
    abstract_runs: u64,
    not_read_back: u64,
}

/// Compares a failing run of a program with all passing ones.
fn compare(text: &str, what: &str, fixed: Option<u32>, dice: &mut Dice, tally: &mut Tally) {
    let (program, sources) = random::read(text, what);
    let what = format!("{what}, unwound {fixed:?}\n{text}");
    let Some(space) = Space::of(&program, fixed, &what) else { return };
    if space.failing.is_empty() {
        return;
    }
    let given = space.inputs(&space.failing[dice.below(space.failing.len() as u64) as usize]);
    let contrast = contrast(&program, &sources, &options(given.clone(), fixed, Metric::Ssa), &what);
    let Some(description) = &contrast.description else { panic!("predicates were asked for\n{what}") };
    let Some(nearest) = &contrast.nearest else {
        assert!(contrast.none_exists && space.passing.is_empty(), "there are passing runs\n{what}");
        return;
    };
    assert_eq!(nearest.deltas.len() as u64, nearest.distance, "{what}");
    assert!(nearest.proved_minimal, "{what}");
    let Some((own, watched)) = watched(&program, text, description) else {
        tally.not_read_back += 1;
        return;
    };
    let places: Vec<BTreeSet<(FunctionId, Span)>> =
        description.predicates.iter().map(|predicate| predicate.places.iter().copied().collect()).collect();
    let bounds = Bounds { fixed, ..Bounds::default() };
    let (mut equation, moments) = symex::unwind_watching(&own, &bounds, &never(), &watched).expect("nobody interrupts");
    let moments = within::told(&own, &mut equation, moments, &never());
    let failing = Execution::of(&equation, &given);
    let claim = failing.failed.expect("it fails");
    assert_eq!(equation.variables.len(), space.equation.variables.len(), "to look changes nothing\n{what}");
    let truths = truths(&equation, &moments, &places, claim);
    let passing: Vec<Execution> = space.passing.iter().map(|passing| carried(passing, &equation)).collect();
    let nearest_of_all = passing.iter().map(|to| distance(&mut equation, claim, &truths, [&failing, to])).min();
    assert_eq!(Some(nearest.distance), nearest_of_all, "{:?}\n{what}", description.predicates);
    tally.compared += 1;
    tally.with_predicates += u64::from(!truths.is_empty());
    let predicates = tracked(&watched, &places);
    for execution in passing.iter().take(6).chain([&failing]) {
        // Before the predicates become variables.
        is_abstract_run(&own, &mut equation, &moments, &predicates, claim, execution, &what);
        tally.abstract_runs += 1;
    }
}

/// Conditions, each tracked at its places.
pub fn tracked(watched: &[Watched], places: &[BTreeSet<(FunctionId, Span)>]) -> Vec<Predicate> {
    let predicate = |(watched, places): (&Watched, &BTreeSet<(FunctionId, Span)>)| Predicate {
        watched: watched.clone(),
        opposite: String::new(),
        origin: PredicateOrigin::User,
        places: places.clone(),
    };
    watched.iter().zip(places).map(predicate).collect()
}

/// The predicates of an explanation, as conditions of a program of their own.
pub fn watched(program: &Program, text: &str, description: &Description) -> Option<(Program, Vec<Watched>)> {
    let name = |id: Option<FunctionId>| id.map(|id| program.function(id).name.clone());
    let predicates = description.predicates.iter();
    let conditions: Vec<_> = predicates.map(|predicate| (name(predicate.function), predicate.text.clone())).collect();
    of_conditions(program, text, &conditions)
}

/// Conditions in C, each over the variables of a function or of globals, with a program of their own.
pub fn of_conditions(
    program: &Program,
    text: &str,
    conditions: &[(Option<String>, String)],
) -> Option<(Program, Vec<Watched>)> {
    let mut own = program.clone();
    let watched = read_back(&mut own, text, conditions)?;
    Some((own, watched))
}

/// An execution, told in predicates and branches, must be a run of the abstract program; the interpreter must see the same.
fn is_abstract_run(
    program: &Program,
    equation: &mut Equation,
    moments: &[Moment],
    predicates: &[Predicate],
    claim: usize,
    execution: &Execution,
    what: &str,
) {
    let variables = equation.variables.len();
    let tracked = Tracked::new(program, equation, moments, predicates, (execution, claim));
    equation.variables.truncate(variables);
    let mut abstraction = Abstraction::new(equation, &tracked.points, &tracked.truths, &[], &never());
    let mut assumed = Vec::new();
    for index in 0..equation.steps.len() {
        if let StepKind::Guard { variable, .. } = equation.steps[index].kind {
            let literal = abstraction.blaster.literal(&equation.terms, equation.symbol(variable));
            assumed.push(literal.negate_if(execution.value(variable) == 0));
        }
    }
    let values: Vec<bool> = {
        let mut evaluator = execution.evaluator(equation);
        tracked.truths.iter().map(|truth| evaluator.holds(truth.term)).collect()
    };
    for (truth, value) in values.iter().enumerate() {
        assumed.push(abstraction.literal(equation, truth).negate_if(!value));
    }
    for (step, literal) in abstraction.held.clone() {
        let fails = execution.failed == Some(step);
        if execution.failed.is_none_or(|failed| step <= failed) {
            assumed.push(literal.negate_if(fails));
        }
    }
    assert_eq!(abstraction.blaster.solver.solve(&assumed), Outcome::Sat, "no run of the abstract program\n{what}");
    let watched: Vec<Watched> = predicates.iter().map(|predicate| predicate.watched.clone()).collect();
    let inputs = equation.inputs(&mut execution.evaluator(equation));
    let expected = tracked.seen(equation, execution);
    nearmiss_explain::recheck::predicate::truths(program, &inputs, &watched, &expected)
        .unwrap_or_else(|error| panic!("{error}\n{what}"));
}

#[test]
fn the_nearest_run_in_predicates_is_the_nearest_of_all() {
    random::with_stack(|| {
        let mut tally = Tally::default();
        let mut dice = Dice::new(7);
        for seed in random::seeds(random::wanted(30)) {
            compare(&Generator::program(seed), &format!("seed {seed}"), Some(3), &mut dice, &mut tally);
        }
        for seed in random::seeds(random::wanted(12)) {
            compare(&calling(&mut Dice::new(seed)), &format!("calling {seed}"), Some(4), &mut dice, &mut tally);
        }
        let before = tally.compared;
        for (number, text) in WRITTEN.iter().enumerate() {
            for _ in 0..3 {
                compare(&limited(text), &format!("written {number}"), Some(3), &mut dice, &mut tally);
            }
        }
        // Not every predicate can be read back.
        assert!(tally.compared - before >= 2 * WRITTEN.len() as u64, "written programs are compared: {tally:?}");
        assert!(tally.compared >= 12 && tally.with_predicates >= 6 && tally.abstract_runs >= 40, "{tally:?}");
    });
}

/// The interpreter counts every alignment again, and must come to the same.
#[test]
fn an_alignment_in_predicates_is_counted_again() {
    random::with_stack(|| {
        let mut dice = Dice::new(8);
        let written = WRITTEN.iter().enumerate().map(|(number, text)| (format!("written {number}"), limited(text)));
        let calling = random::seeds(random::wanted(20)).map(|s| (format!("calling {s}"), calling(&mut Dice::new(s))));
        let mut counted = 0;
        for (what, text) in written.chain(calling) {
            let (program, sources) = random::read(&text, &what);
            let Some(space) = Space::of(&program, Some(4), &what).filter(|space| !space.failing.is_empty()) else {
                continue;
            };
            let given = space.inputs(&space.failing[dice.below(space.failing.len() as u64) as usize]);
            let options = options(given, Some(4), Metric::Align);
            let found = contrast(&program, &sources, &options, &format!("{what}\n{text}"));
            counted += u64::from(found.nearest.is_some());
        }
        assert!(counted >= 6, "{counted} alignments were counted");
    });
}

/// Functions that are called several times and count, at first from what is known; ways out in between; elements that
/// are set one by one, or in some runs alone.
fn calling(dice: &mut Dice) -> String {
    const PIECES: [&str; 12] = [
        "if (take(a)) goto out;",
        "if (take(b)) goto rel;",
        "take(b);",
        "drop();",
        "if (b > C) goto rel;",
        "up += b;",
        "if (a > C) u = b;",
        "for (int i = 0; i < 2; i++) t[i] = i ? a : b;",
        "for (int i = 0; i < 2; i++) { t[i] = i * b; drop(); }",
        "if (a == C) { t[0] = b; take(a); }",
        "for (int i = 0; i < C; i++) { int v; if (b > i) v = a; else v = i; up += v; }",
        "{ struct pair { int one, two; } p = {a, C}, q = p; dn += q.one; up += q.two; }",
    ];
    const CLAIMS: [&str; 4] = ["up == dn", "up <= dn + C", "t[0] <= t[1]", "u <= C || up != dn"];
    let mut pick = |of: &[&str]| {
        let text = of[dice.below(of.len() as u64) as usize];
        text.replace('C', &dice.below(4).to_string())
    };
    let (limit, claim) = (pick(&["C"]), pick(&CLAIMS));
    let body: Vec<String> = (0..5).map(|_| pick(&PIECES)).collect();
    let (set, body) = (pick(&["u = b;", "u = up;"]), body.join("\n    "));
    format!(
        "#include <assert.h>
unsigned char nondet_uchar(void);
static int up, dn;
static int take(int ok) {{ if (ok < {limit}) return -1; up++; return 0; }}
static void drop(void) {{ dn++; }}
int main(void) {{
    int u, t[2];
    unsigned char first = nondet_uchar(), second = nondet_uchar();
    __CPROVER_assume(first < 4 && second < 4);
    int a = first, b = second;
    {body}
rel:
    drop();
out:
    {set}
    for (int i = 0; i < 2; i++) t[i] = i ? a : u;
    assert({claim});
}}"
    )
}

/// The program with inputs that can be enumerated: they are assumed to be small rather than made so.
fn limited(text: &str) -> String {
    const BELOW: &str =
        "static int below(int n) { unsigned char x = nondet_uchar(); __CPROVER_assume(x < n); return x; }";
    let text = text.replace("nondet_uchar() & 7", "below(8)").replace("nondet_uchar() & 3", "below(4)");
    text.replace("int main(void)", &format!("{BELOW}\n     int main(void)"))
}

/// In the last two a claim is known to hold in the first call alone, and a predicate speaks of elements before they are set.
const WRITTEN: [&str; 7] = [
    "#include <assert.h>
     unsigned char nondet_uchar(void); void __CPROVER_assume(int);
     int main(void) {
         int a = nondet_uchar() & 7, b = nondet_uchar() & 7, low = a, high = a;
         if (b > high) high = b;
         if (b < low) high = b;
         assert(low <= high);
     }",
    "#include <assert.h>
     unsigned char nondet_uchar(void);
     static int best;
     static int larger(int x, int y) { if (x > y) return x; return y; }
     int main(void) {
         int a = nondet_uchar() & 7, b = nondet_uchar() & 7;
         best = larger(a, b);
         if (best > 5) best = a;
         assert(best >= b);
     }",
    "#include <assert.h>
     unsigned char nondet_uchar(void);
     int main(void) {
         int n = nondet_uchar() & 3, k = nondet_uchar() & 3, sum = 0;
         for (int i = 0; i < n; i++) sum += k;
         assert(sum < 4);
     }",
    "#include <assert.h>
     unsigned char nondet_uchar(void);
     struct account { int balance, limit; };
     int main(void) {
         struct account own = {nondet_uchar() & 7, 3};
         int taken = nondet_uchar() & 7;
         if (taken <= own.balance + own.limit) own.balance -= taken;
         assert(own.balance >= 0);
     }",
    "#include <assert.h>
     unsigned char nondet_uchar(void);
     static int up, dn;
     static int take(int ok) { if (!ok) return -1; up++; return 0; }
     static void drop(void) { dn++; }
     int main(void) {
         int a = nondet_uchar() & 3, b = nondet_uchar() & 3;
         if (take(a)) goto out;
         if (take(b)) goto rel;
         if (b > 2) goto rel;
         drop();
     rel:
         drop();
     out:
         assert(up == dn);
     }",
    "#include <assert.h>
     unsigned char nondet_uchar(void);
     int main(void) {
         int a[3];
         for (int i = 0; i < 3; i++) a[i] = nondet_uchar() & 3;
         if (a[0] > a[1]) { int t = a[0]; a[0] = a[1]; a[1] = t; }
         assert(a[0] <= a[1] && a[1] <= a[2]);
     }",
    // An element that is not there in every run.
    "#include <assert.h>
     unsigned char nondet_uchar(void);
     static int next[3] = {1, 2, -1};
     int main(void) {
         int k = (nondet_uchar() & 3) - 1, most = 0;
         next[nondet_uchar() & 1] = 2;
         if (k >= 0 && next[k] > 1) k = next[k];
         if (k >= 0) most = next[k] + k;
         assert(most < 4 && k != 1);
     }",
];

/// Straight-line code: every combination of truths that the abstract program has is that of some data, and the other way
/// round.
#[test]
fn a_step_of_the_abstract_program_is_one_that_some_data_takes() {
    let text = "unsigned char nondet_uchar(void);
        int main(void) {
            unsigned char a = nondet_uchar();
            unsigned char b = nondet_uchar();
            unsigned char c = a + b;
            return c;
        }";
    let (mut program, _) = random::read(text, "sum");
    let conditions = ["a < b", "b < 3", "c < 4", "a < c"];
    let typed: Vec<(Option<String>, String)> = conditions.iter().map(|text| (None, (*text).to_owned())).collect();
    let watched = read_back(&mut program, text, &typed).expect("they are conditions");
    let unwound = symex::unwind_watching(&program, &Bounds::default(), &never(), &watched);
    let (mut equation, moments) = unwound.expect("nobody interrupts");
    let place = |moment: &Moment| (equation.steps[moment.step].function, equation.steps[moment.step].span);
    let places: BTreeSet<(FunctionId, Span)> = moments.iter().map(place).collect();
    let predicate = |watched: &Watched| Predicate {
        watched: watched.clone(),
        opposite: String::new(),
        origin: PredicateOrigin::User,
        places: places.clone(),
    };
    let predicates: Vec<Predicate> = watched.iter().map(predicate).collect();
    let steps = equation.steps.len();
    let some = Execution::of(&equation, &Inputs::default());
    let tracked = Tracked::new(&program, &mut equation, &moments, &predicates, (&some, steps - 1));
    let last = tracked.points.last().expect("there are moments").tracked.clone();
    assert_eq!(last.len(), 4, "all predicates are tracked at the end");
    let mut by_predicate = last.clone();
    by_predicate.sort_by_key(|truth| tracked.truths[*truth].predicate);
    let mut abstraction = Abstraction::new(&mut equation, &tracked.points, &tracked.truths, &[], &never());
    let literals: Vec<_> = by_predicate.iter().map(|truth| abstraction.literal(&equation, *truth)).collect();
    let mut found = HashSet::new();
    while abstraction.blaster.solver.solve(&[]) == Outcome::Sat {
        let model = abstraction.blaster.solver.model();
        let values: Vec<bool> = literals.iter().map(|literal| model.value(*literal)).collect();
        let block: Vec<_> = literals.iter().zip(&values).map(|(literal, value)| literal.negate_if(*value)).collect();
        abstraction.blaster.solver.add_clause(&block);
        assert!(found.insert(values), "each once");
    }
    // The step knows of a and b before it only what the predicates say: any data that agrees with them will do.
    let mut expected = HashSet::new();
    for a in 0..=255u8 {
        for b in 0..=255u8 {
            let c = a.wrapping_add(b);
            expected.insert(vec![a < b, b < 3, c < 4, a < c]);
        }
    }
    assert_eq!(found, expected);
}

/// Where predicates over variables cannot tell the runs apart, the program itself can.
#[test]
fn what_no_predicate_says_is_left_to_the_program() {
    let text = "#include <assert.h>
        unsigned char nondet_uchar(void);
        int main(void) {
            unsigned char a = nondet_uchar(), b = nondet_uchar();
            assert((unsigned char)(a * b) != 77);
        }";
    let (program, sources) = random::read(text, "product");
    let found = explain(
        &program,
        &sources,
        &ExplainOptions { state: State::Predicates, hypotheses: Hypotheses::None, ..ExplainOptions::default() },
        &mut |_| {},
    );
    let found = found.expect("no error");
    let contrast = found.contrast.expect("it fails");
    let nearest = contrast.nearest.expect("other products are other numbers");
    let run = Interpreter::new(&program).watch(&nearest.inputs, &Limits::default(), &[]).0;
    assert_eq!(run.outcome, nearmiss_program::run::Outcome::Finished);
}
