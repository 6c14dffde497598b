//! The oracle of causes: random programs over two inputs of three bits, every relation decided by executing all inputs.
//!
//! A relation is a cause iff the nearest passing run without it is nearer than every failing run without it, where a run is
//! without it that sets all of its values and of which it is false. Nothing of the search is used: executions are
//! evaluated, distances counted. `NEARMISS_PROGRAMS=5000` runs more programs.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nearmiss_explain::beside::Threads;
use nearmiss_explain::bounds::Bounds;
use nearmiss_explain::check::{self, CheckOptions};
use nearmiss_explain::compared::Counted;
use nearmiss_explain::equation::{ClaimRef, Equation, StepKind};
use nearmiss_explain::execution::Execution;
use nearmiss_explain::explain::{ExplainOptions, explain};
use nearmiss_explain::explanation::Hypotheses;
use nearmiss_explain::explanation::{Cause, Causes, Judgement, Metric, Minimised, SliceMethod};
use nearmiss_explain::method::cause::{self, Candidate, FoundCause, Runs, Verdict};
use nearmiss_explain::method::delta;
use nearmiss_explain::method::nearest::{Answer, MOST_CONFLICTS, Question, Search};
use nearmiss_explain::recheck::cause::Recheck;
use nearmiss_explain::symex;
use nearmiss_logic::stop::Stop;
use nearmiss_logic::term::Term;
use nearmiss_program::c::predicate::{self, TypedCondition};
use nearmiss_program::c::{Options, read};
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::{Claim, ClaimKind, Program};
use nearmiss_program::run::{Inputs, Outcome, RunStep, RunStepKind};
use nearmiss_program::source::Sources;

use crate::common::OneFile;
use crate::common::random::{self, Dice, Generator};
use crate::enumeration::{self, Member};

/// How an execution ends; none if it does not exist, or nothing is known of it.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Passes,
    Fails,
}

fn end(equation: &Equation, execution: &Execution) -> Option<End> {
    match execution.failed.map(|step| &equation.steps[step].kind) {
        None => Some(End::Passes),
        Some(StepKind::Claim { claim: ClaimRef::Program(_), .. }) => Some(End::Fails),
        Some(_) => None,
    }
}

fn distance(equation: &Equation, counted: &[Counted], a: &Execution, b: &Execution) -> u64 {
    let differs = |counted: &&Counted| {
        let Counted { variable, step, kind, taken, unchanged, .. } = **counted;
        enumeration::counts(equation, &Member { variable, step, kind, taken, unchanged }, a, b)
    };
    counted.iter().filter(differs).count() as u64
}

/// One program, by brute force and by the search: how many relations, and how many causes. None if nothing fails, or
/// nothing passes.
fn compare(seed: u64, text: &str) -> Option<(usize, usize)> {
    let (program, _) = random::read(text, &format!("seed {seed}"));
    // Some failing run, not the smallest: that makes for more variety, and takes less time.
    let options = CheckOptions { minimise: Minimised::None, ..CheckOptions::default() };
    let found = check::check(&program, &options, &mut |_| {}).expect("it can be checked");
    let inputs = found.counterexample?.inputs;
    let mut equation = symex::unwind(&program, &Bounds::default(), &Stop::default()).ok()?;
    if equation.variables.iter().filter(|variable| variable.definition.is_none()).count() != 2 {
        return None;
    }
    let failing = Execution::of(&equation, &inputs);
    let claim = failing.failed?;
    let metric = if seed.is_multiple_of(3) { Metric::Slice } else { Metric::Ssa };
    let counted = delta::counted(&equation, claim, metric);
    let mut executions = Vec::new();
    for calls in (0..64).map(|n| vec![n / 8, n % 8]) {
        let execution = Execution::of(&equation, &Inputs { calls, ..Inputs::default() });
        if let Some(end) = end(&equation, &execution) {
            executions.push((end, distance(&equation, &counted, &failing, &execution), execution));
        }
    }
    let passing = executions.iter().filter(|(end, ..)| *end == End::Passes).min_by_key(|(_, far, _)| *far);
    let passing = passing?.2.clone();
    let runs = Runs {
        program: &program,
        failing: &failing,
        passing: &passing,
        counted: &counted,
        claim,
        least: 0,
        line: &|span| span.start,
    };
    let hypotheses = [Hypotheses::Source, Hypotheses::All, Hypotheses::Inputs, Hypotheses::Source][seed as usize % 4];
    let relations = cause::candidates(&runs, &mut equation, hypotheses).relations;
    let verdicts = cause::decide(&runs, &mut equation, &relations, &Stop::default());
    let mut evaluators: Vec<_> =
        executions.iter().map(|(end, far, execution)| (*end, *far, execution.evaluator(&equation))).collect();
    let (mut causes, mut far) = (0, 0);
    let limit = cause::farthest(distance(&equation, &counted, &failing, &passing));
    let set = set_by(&program, &inputs);
    for (relation, verdict) in relations.iter().zip(&verdicts) {
        let unset = relation.variables.iter().find(|name| is_plain(name) && !set.contains(*name));
        assert!(unset.is_none(), "seed {seed}: {} of {unset:?}, which is never set\n{text}", relation.text);
        assert!(failing.evaluator(&equation).holds(relation.relation.term), "seed {seed}: {}\n{text}", relation.text);
        let mut least = |wanted: End| {
            let without = evaluators.iter_mut().zip(&executions).filter(|((end, ..), _)| *end == wanted);
            let without = without.filter_map(|((_, far, values), (_, _, run))| {
                (sets(&equation, run, relation) && !values.holds(relation.relation.term)).then_some(*far)
            });
            without.min().unwrap_or(u64::MAX)
        };
        let (passes, fails) = (least(End::Passes), least(End::Fails));
        let expected = if passes < fails { Verdict::Cause { distance: passes } } else { Verdict::NoCause };
        assert_eq!(*verdict, expected, "seed {seed}: {} ({passes}, {fails})\n{text}", relation.text);
        let near = passes <= limit;
        causes += usize::from(passes < fails && near);
        far += usize::from(!near);
    }
    drop(evaluators);
    let is_far = |verdict: &Verdict| matches!(verdict, Verdict::Cause { distance } if *distance > limit);
    let near = |verdict: Verdict| if is_far(&verdict) { Verdict::Far } else { verdict };
    let verdicts: Vec<Verdict> = verdicts.into_iter().map(near).collect();
    if !seed.is_multiple_of(2) {
        return Some((relations.len(), causes));
    }
    let all: Vec<&Execution> = executions.iter().map(|(_, _, execution)| execution).collect();
    let reaching: Vec<&Execution> = all.iter().copied().filter(|execution| execution.executed[claim]).collect();
    let StepKind::Claim { claim: ClaimRef::Program(violated), .. } = equation.steps[claim].kind else {
        panic!("seed {seed}: a claim of the program fails\n{text}")
    };
    let violated = &program.claims[violated.index()];
    let shown = standing(&runs, &mut equation, hypotheses, &Stop::default())
        .unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
    assert!(shown.complete || relations.len() >= 2_000, "seed {seed}: not complete\n{text}");
    assert_eq!((shown.candidates, shown.found), (relations.len(), causes), "seed {seed}\n{text}");
    // Those that a failing run lacks that is as near are no causes, however far it is.
    assert!(shown.far <= far, "seed {seed}: {} of {far} are far\n{text}", shown.far);
    assert_eq!(shown.shown.is_empty(), causes == 0, "seed {seed}: some cause is shown\n{text}");
    no_claim_again(&shown, &relations, &verdicts, violated).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
    for cause in &shown.shown {
        carries(cause, &relations, &verdicts, &equation, [&reaching, &all])
            .unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
    }
    Some((relations.len(), causes))
}

/// Does a run set all values that a relation speaks of?
fn sets(equation: &Equation, run: &Execution, relation: &Candidate) -> bool {
    let is_set = |(step, condition): &(usize, Term)| run.executed[*step] && run.meets(equation, *condition);
    relation.relation.set_at.iter().all(|places| places.iter().any(is_set))
}

/// The variables that the interpreter sees set in a run.
fn set_by(program: &Program, inputs: &Inputs) -> HashSet<String> {
    let run = interp::run(program, inputs, &Limits::default());
    let names = run.steps.into_iter().filter_map(|step| match step.kind {
        RunStepKind::Input { name, .. } | RunStepKind::Assign { name, .. } => Some(name),
        _ => None,
    });
    // A global is there from the start.
    names.chain(program.globals.iter().map(|global| global.name.clone())).collect()
}

fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Is it a cause, and does what it is said to imply follow from it in every run that comes to the claim? Where none of
/// these is without it, in every run.
fn carries(
    cause: &Cause,
    relations: &[Candidate],
    verdicts: &[Verdict],
    equation: &Equation,
    [reaching, all]: [&[&Execution]; 2],
) -> Result<(), String> {
    let find = |text: &str| relations.iter().position(|relation| relation.text == text).ok_or("not a relation");
    let shown = find(&cause.text)?;
    let lacks = |run: &&Execution| {
        sets(equation, run, &relations[shown]) && !run.meets(equation, relations[shown].relation.term)
    };
    let among = if reaching.iter().any(lacks) { reaching } else { all };
    for other in &cause.implies {
        let other = find(other)?;
        if ![shown, other].iter().all(|&at| matches!(verdicts[at], Verdict::Cause { .. })) {
            return Err(format!("{} or {} is no cause", relations[shown].text, relations[other].text));
        }
        for execution in among {
            let mut evaluator = execution.evaluator(equation);
            let mut has = |at: usize| {
                sets(equation, execution, &relations[at]).then(|| evaluator.holds(relations[at].relation.term))
            };
            if (has(shown), has(other)) == (Some(true), Some(false)) {
                return Err(format!("{} does not follow from {}", relations[other].text, cause.text));
            }
        }
    }
    Ok(())
}

#[test]
fn every_relation_is_decided_as_by_executing_all_inputs() {
    let programs = random::wanted(60);
    let seeds: Vec<u64> = random::seeds(programs).collect();
    let compared: Vec<(usize, usize)> =
        crate::common::in_parallel(&seeds, |seed| compare(*seed, &Generator::program(*seed)))
            .into_iter()
            .flatten()
            .collect();
    let relations: usize = compared.iter().map(|(relations, _)| relations).sum();
    let causes: usize = compared.iter().map(|(_, causes)| causes).sum();
    assert!(compared.len() as u64 > programs / 10, "only {} programs fail and pass", compared.len());
    assert!(causes > compared.len() && relations > 3 * causes / 2, "{causes} of {relations}: a poor sample");
}

/// A cause over nothing but what the claim reads says the claim again: it is shown only where there is no other.
fn no_claim_again(
    causes: &Causes,
    relations: &[Candidate],
    verdicts: &[Verdict],
    violated: &Claim,
) -> Result<(), String> {
    if violated.kind != ClaimKind::Assertion {
        return Ok(());
    }
    let claim = &violated.text;
    // What decides which value is taken, and what goes into a function, is not what is claimed.
    let calls = |(at, _): (usize, &str)| claim[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    if claim.contains('?') || claim.match_indices('(').any(calls) {
        return Ok(());
    }
    let words = |text: &str| -> Vec<String> {
        let is_name = |word: &&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(is_name);
        words.map(str::to_owned).collect()
    };
    let claimed = words(claim);
    // A name with a place is another value.
    let says_again = |relation: &Candidate| {
        !relation.ease.is_of_inputs() && words(&relation.text).iter().all(|word| claimed.contains(word))
    };
    let is_cause = |at: &usize| matches!(verdicts[*at], Verdict::Cause { .. });
    let other = (0..relations.len()).filter(is_cause).find(|at| !says_again(&relations[*at]));
    for cause in &causes.shown {
        let relation = relations.iter().find(|relation| relation.text == cause.text).ok_or("not a relation")?;
        if let Some(other) = other
            && says_again(relation)
        {
            return Err(format!("{} says the claim again, beside {}", cause.text, relations[other].text));
        }
    }
    Ok(())
}

/// Small programs in which runs leave early, go other ways, and call functions with names of their own.
fn leaving(seed: u64) -> String {
    const PIECES: [&str; 10] = [
        "while (y) { int t = x; x = y - 1; y = 0; if (t < x) y = t; }",
        "if (x < y) x = y - 1;",
        "for (k = 0; k < 3; k++) { if (x > N) return 0; y = y + x; }",
        "y = fib(b & 3);",
        "x = touch(x);",
        "if (a > N) return 0;",
        "if (y > N) { int z = x - y; if (z < 2) y = z; }",
        "while (k < x && k < 4) { k++; if (y == N) break; }",
        "if (b == N) { x = x + 1; k = x; } else { y = y + 1; }",
        "if (touch(y) > N) { y = y - 1; } else if (x > 2) { return 0; }",
    ];
    const CLAIMS: [&str; 4] = ["x < N", "y != N", "x + y < N", "x >= y || k > 2"];
    let mut dice = Dice::new(seed);
    let mut pick = |of: &[&str]| {
        let text = of[dice.index(of.len())];
        text.replace('N', &(1 + dice.below(7)).to_string())
    };
    let pieces: Vec<String> = (0..3).map(|_| pick(&PIECES)).collect();
    let claim = pick(&CLAIMS);
    format!(
        "#include <assert.h>
unsigned char nondet_uchar(void);
static int calls;
static int fib(int n) {{ if (n < 2) return n; return fib(n - 1) + fib(n - 2); }}
static int touch(int v) {{ if (v > calls + 3) return v; calls = calls + 1; return v + 1; }}
int main(void) {{
    unsigned char a = nondet_uchar(), b = nondet_uchar();
    __CPROVER_assume(a < 8 && b < 8);
    int x = a, y = b, k = 0;
    {}
    ASK
    assert({claim});
    return 0;
}}
",
        pieces.join("\n    ")
    )
}

#[test]
fn runs_that_leave_early_are_not_without_a_relation() {
    let programs = random::wanted(30);
    let seeds: Vec<u64> = random::seeds(programs).collect();
    let compared: Vec<(usize, usize)> =
        crate::common::in_parallel(&seeds, |seed| compare(2 * seed, &leaving(*seed).replace("ASK", "")))
            .into_iter()
            .flatten()
            .collect();
    assert!(compared.len() as u64 > programs / 4, "only {} programs fail and pass", compared.len());
}

/// What came of a hypothesis, as it must be said.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Expected {
    Cause(u64),
    StillFails(u64),
    DoesNotHold,
    Invariant,
}

/// One hypothesis about a program, judged, and by executing all inputs: of the program itself, and of the same with an
/// assumption where the hypothesis is looked at.
fn ask(seed: u64) -> Option<Expected> {
    const ASKED: [&str; 7] = ["x < y", "k < 3", "y > N", "a < b", "calls == 0", "x == y", "k == 0 && x > N"];
    let text = leaving(seed);
    let mut dice = Dice::new(seed ^ 0x5eed);
    let asked = ASKED[dice.index(ASKED.len())].replace('N', &dice.below(6).to_string());
    let (plain, what) = (text.replace("ASK", ""), format!("seed {seed}, {asked}\n{text}"));
    let with = |assumed: &str| random::read(&text.replace("ASK", &format!("__CPROVER_assume({assumed});")), &what).0;
    let (without_it, not_there) = (with(&format!("!({asked})")), with("0"));
    let (mut program, mut sources) = random::read(&plain, &what);
    let typed = [TypedCondition::new("--cause", &format!("main: {asked}"))];
    let (files, loader) = ([random::FILE.to_owned()], OneFile { name: random::FILE, bytes: plain.as_bytes() });
    let asked = predicate::add(&mut program, &typed, &files, &Options::default(), &loader, &mut sources);
    let options = ExplainOptions {
        check: CheckOptions { minimise: Minimised::None, unwind: Some(9), ..CheckOptions::default() },
        hypotheses: Hypotheses::None,
        slice: SliceMethod::None,
        // What is the same in all runs is no condition.
        asked: asked.ok()?,
        ..ExplainOptions::default()
    };
    let explained = explain(&program, &sources, &options, &mut |_| {}).unwrap_or_else(|e| panic!("{e:?}\n{what}"));
    let given = explained.counterexample?.inputs;
    let judgement = explained.contrast?.asked.remove(0).judgement;
    let said = match judgement {
        Judgement::Cause(run) => Expected::Cause(run.distance),
        Judgement::StillFails(run) => Expected::StillFails(run.distance),
        Judgement::DoesNotHold => Expected::DoesNotHold,
        Judgement::Invariant { .. } => Expected::Invariant,
        other => panic!("{other:?}\n{what}"),
    };
    let outcome = |program: &Program, inputs: &Inputs| interp::run(program, inputs, &Limits::default()).outcome;
    let bounds = Bounds { fixed: Some(9), ..Bounds::default() };
    let equation = symex::unwind(&program, &bounds, &Stop::default()).ok()?;
    let failing = Execution::of(&equation, &given);
    let counted = delta::counted(&equation, failing.failed?, Metric::Ssa);
    let [mut passes, mut fails] = [u64::MAX; 2];
    for calls in (0..64).map(|n| vec![n / 8, n % 8]) {
        let inputs = Inputs { calls, ..Inputs::default() };
        let comes_there = outcome(&not_there, &inputs) == Outcome::Excluded;
        if comes_there && outcome(&without_it, &inputs) != Outcome::Excluded {
            let run = Execution::of(&equation, &inputs);
            let far = distance(&equation, &counted, &failing, &run);
            match outcome(&program, &inputs) {
                Outcome::Finished => passes = passes.min(far),
                Outcome::Violated(_) => fails = fails.min(far),
                other => panic!("{other:?}\n{what}"),
            }
        }
    }
    let expected = match outcome(&without_it, &given) {
        Outcome::Excluded if passes < fails => Expected::Cause(passes),
        Outcome::Excluded if fails < u64::MAX => Expected::StillFails(fails),
        Outcome::Excluded => Expected::Invariant,
        _ => Expected::DoesNotHold,
    };
    assert_eq!(said, expected, "from {:?}, {what}", given.calls);
    Some(said)
}

#[test]
fn what_is_asked_is_judged_as_by_executing_all_inputs() {
    let programs = random::wanted(40);
    let seeds: Vec<u64> = random::seeds(programs).collect();
    let judged: Vec<Expected> = crate::common::in_parallel(&seeds, |seed| ask(*seed)).into_iter().flatten().collect();
    let number = |wanted: fn(&Expected) -> bool| judged.iter().filter(|said| wanted(said)).count() as u64;
    let causes = number(|said| matches!(said, Expected::Cause(_)));
    let none = number(|said| matches!(said, Expected::StillFails(_)));
    println!("{causes} causes, {none} still fail, of {}", judged.len());
    assert!(causes > programs / 25 && none > programs / 20, "a poor sample: {causes}, {none}");
}

/// Small programs whose loop goes round as often as an input says, with what is claimed of them in the end: a formula, or
/// an assertion.
fn looping(seed: u64) -> (String, Option<&'static str>) {
    const PIECES: [&str; 15] = [
        "a();",
        "if (e == N) continue;",
        "if (e > N) b();",
        "s = s + e;",
        "if (s > N) b();",
        "if (e != N) t = e;",
        "if (t == N) s++;",
        "if (i == N) a(); else b();",
        "switch (e) { case 0: t = N; case 1: s = s + N; break; default: b(); }",
        "switch (s) { default: t = t + e; break; case N: a(); }",
        "if (AMONG(e, N)) t = t + 1;",
        "t = more(e);",
        "last[N] = s; s = e, t = last[1], s += t;",
        "last[1] = n; t = last[N];",
        "s = less(t, N);",
    ];
    const FORMULAS: [&str; 4] = ["G(a -> F b)", "F b", "G(!b)", "G(a -> X b)"];
    let mut dice = Dice::new(seed);
    let mut pick = |of: &[&str]| of[dice.index(of.len())].replace('N', &dice.below(3).to_string());
    let pieces: Vec<String> = (0..4).map(|_| pick(&PIECES)).collect();
    let tail = pick(&["", "n = last[1];", "last[0] = n, n = s;", "last[N] = n; n = t, s += n;"]);
    let (head, claim) = (pick(&["n > i", "n-- > 0", "i++ < n", "i != n"]), pick(&["s <= N", "t != N", "s != t"]));
    let (formula, claim) = match seed.is_multiple_of(3) {
        false => (Some(FORMULAS[dice.index(FORMULAS.len())]), String::new()),
        true => (None, format!("assert({claim});")),
    };
    let last = if head.contains("++") || head.contains("--") { "" } else { "i++;" };
    let text = format!(
        "#include <assert.h>
int nondet_int(void);
void a(void) {{ }}
int b(void) {{ return 1; }}
int last[3];
#define AMONG(v, n) ((v) > 0 && (v) <= (n))
int more(int v) {{ static int k; k = k + v; return k; }}
int less(int v, int w) {{ static int k; if (v > w) k = k - 1; return k; }}
int main(void) {{
    int n = nondet_int(), s = 0, t = 0, i = 0;
    __CPROVER_assume(n >= 0 && n <= 2);
    for (; {head}; {}) {{
        int e = nondet_int();
        __CPROVER_assume(e >= 0 && e <= 2);
        {}
    }}
    {tail}
    {claim}
    return 0;
}}
",
        last.trim_end_matches(';'),
        pieces.join("\n        ")
    );
    (text, formula)
}

/// What a relation says of a run: whether it is true whichever of their values its variables have, and whether it is false so.
fn said_of(run: &[(String, i64)], relation: &str) -> Option<(bool, bool)> {
    let operator =
        ["==", "!=", "<", "<=", ">", ">="].into_iter().find(|sign| relation.contains(&format!(" {sign} ")))?;
    let (left, right) = relation.split_once(&format!(" {operator} "))?;
    // `e`, `e in line 9`, but not `e + 1`, nor `e in line 9 (2nd)`, which a run may not have.
    let values = |side: &str| -> Vec<i64> {
        let (name, place) = side.split_once(' ').unwrap_or((side, "in"));
        let is_one = ["in", "read"].iter().any(|start| place.starts_with(start)) && !place.contains('(');
        match name.parse() {
            Ok(number) => vec![number],
            Err(_) => run.iter().filter(|(other, _)| is_one && other == name).map(|(_, value)| *value).collect(),
        }
    };
    let (left, right) = (values(left), values(right));
    let truths: Vec<bool> = (left.iter())
        .flat_map(|a| right.iter().map(move |b| (a, b)))
        .map(|(a, b)| match operator {
            "==" => a == b,
            "!=" => a != b,
            "<" => a < b,
            "<=" => a <= b,
            ">" => a > b,
            _ => a >= b,
        })
        .collect();
    (!truths.is_empty()).then(|| (truths.iter().all(|truth| *truth), truths.iter().all(|truth| !truth)))
}

/// The values that a run sets, in order.
fn values_set<'a>(steps: impl Iterator<Item = &'a RunStep>) -> Vec<(String, i64)> {
    let set = |step: &RunStep| match &step.kind {
        RunStepKind::Input { name, value, .. } | RunStepKind::Assign { name, value, .. } => {
            Some((name.to_string(), i64::from(*value as u32 as i32)))
        }
        _ => None,
    };
    steps.filter_map(set).collect()
}

/// A variable of `main` without a place is what it is where the claim fails: of these a relation is true there.
fn holds_at_the_claim(run: &[(String, i64)], relation: &str, text: &str) {
    let last: Vec<(String, i64)> =
        ["n", "s", "t", "i"].iter().filter_map(|name| run.iter().rfind(|(other, _)| other == name).cloned()).collect();
    let is_plain = |side: &str| side.parse::<i64>().is_ok() || last.iter().any(|(name, _)| name == side);
    if relation.split([' ', '<', '>', '=', '!']).filter(|side| !side.is_empty()).all(is_plain) {
        let said = said_of(&last, relation);
        assert!(!matches!(said, Some((_, true))), "{relation} of {last:?}, the last of {run:?}\n{text}");
    }
}

/// What is said to follow, in all runs of a program, however often they go round: how often something is.
fn follows_in_all_runs(seed: u64) -> usize {
    let (text, formula) = looping(seed);
    let (program, sources) = match formula {
        Some(formula) => crate::temporal::program(&text, formula),
        None => random::read(&text, &format!("seed {seed}")),
    };
    // A bound that some runs go beyond.
    let check = CheckOptions { unwind: (seed % 2 == 1).then_some(2), ..CheckOptions::default() };
    let options = ExplainOptions { slice: SliceMethod::None, check, ..ExplainOptions::default() };
    let explained = explain(&program, &sources, &options, &mut |_| {}).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let Some(causes) = explained.contrast.and_then(|contrast| contrast.causes) else { return 0 };
    if formula.is_none() {
        let failing = explained.counterexample.expect("it fails").run;
        let said = causes.shown.iter().flat_map(|cause| std::iter::once(&cause.text).chain(&cause.implies));
        said.for_each(|relation| holds_at_the_claim(&values_set(failing.steps.iter()), relation, &text));
    }
    let mut runs = Vec::new();
    for calls in (0..27).map(|n| vec![n / 9, n / 3 % 3, n % 3]) {
        let run = interp::run(&program, &Inputs { calls, ..Inputs::default() }, &Limits::default());
        runs.push(values_set(run.steps.iter()));
    }
    let implied = |cause: &Cause| cause.implies.iter().map(|other| (cause.text.clone(), other.clone())).collect();
    let pairs: Vec<(String, String)> = causes.shown.iter().flat_map(|cause| -> Vec<_> { implied(cause) }).collect();
    for (cause, other) in &pairs {
        for run in &runs {
            let both = (said_of(run, cause), said_of(run, other));
            assert!(
                !matches!(both, (Some((true, _)), Some((_, true)))),
                "seed {seed}, {formula:?}: {cause} and so {other}, but {run:?}\n{text}"
            );
        }
    }
    pairs.len()
}

#[test]
fn what_follows_does_so_however_often_loops_go_round() {
    let programs = random::wanted(60);
    let seeds: Vec<u64> = random::seeds(programs).collect();
    let pairs: Vec<usize> = crate::common::in_parallel(&seeds, |seed| follows_in_all_runs(*seed));
    let telling = pairs.iter().filter(|pairs| **pairs > 0).count() as u64;
    assert!(telling > programs / 5, "only {telling} programs say that something follows");
}

/// Small programs that compute in types that are narrower than `int`, and in unsigned ones.
fn narrowing(seed: u64) -> String {
    const TYPES: [&str; 6] = ["unsigned char", "signed char", "unsigned short", "short", "unsigned", "int"];
    const CONDITIONS: [&str; 8] = [
        "(T)(X - Y) > N",
        "(T)(X + N) < M",
        "(T)X < 0 + N",
        "(T)(X * N) == (T)Y",
        "(T)(X + Y) != N",
        "(T)X >= (T)Y",
        "(T)(X - N) <= (T)(Y + M)",
        "is_newer(X, Y)",
    ];
    let mut dice = Dice::new(seed);
    let types: Vec<&str> = (0..3).map(|_| TYPES[dice.index(4)]).collect();
    let conditions: Vec<String> = (0..3)
        .map(|_| {
            let condition = CONDITIONS[dice.index(CONDITIONS.len())].to_owned();
            let condition = condition.replace('T', TYPES[dice.index(TYPES.len())]);
            let condition = condition.replace('X', ["a", "b", "c"][dice.index(3)]);
            let condition = condition.replace('Y', ["a", "b", "c"][dice.index(3)]);
            condition.replace('N', &(dice.below(260)).to_string()).replace('M', &(dice.below(20)).to_string())
        })
        .collect();
    let name = |ty: &str| format!("nondet_{}", ty.replace(' ', "_"));
    let declarations: Vec<String> = TYPES.iter().map(|ty| format!("{ty} {}(void);", name(ty))).collect();
    let inputs: Vec<String> =
        types.iter().zip(["a", "b", "c"]).map(|(ty, at)| format!("    {ty} {at} = {}();", name(ty))).collect();
    let counted: Vec<String> = conditions.iter().map(|condition| format!("    if ({condition}) r++;")).collect();
    format!(
        "#include <assert.h>
{}
static int is_newer(unsigned short s, unsigned short t) {{ return (short)(s - t) > 0; }}
int main(void) {{
{}
    int r = 0;
{}
    ASK
    assert(r < {});
    return 0;
}}
",
        declarations.join("\n"),
        inputs.join("\n"),
        counted.join("\n"),
        2 + dice.below(2)
    )
}

/// Relations between variables of `main` are C: taken as such, they hold where the claim fails. Says how many there are.
fn relations_are_c(seed: u64) -> usize {
    let text = narrowing(seed);
    let (program, sources) = random::read(&text.replace("ASK", ""), &format!("seed {seed}"));
    let options = ExplainOptions { slice: SliceMethod::None, ..ExplainOptions::default() };
    let explained = explain(&program, &sources, &options, &mut |_| {}).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let Some(causes) = explained.contrast.and_then(|contrast| contrast.causes) else { return 0 };
    let inputs = explained.counterexample.expect("it fails").inputs;
    let said = causes.shown.iter().flat_map(|cause| std::iter::once(&cause.text).chain(&cause.implies));
    let is_known = |word: &str| {
        ["a", "b", "c", "r", "unsigned", "signed", "char", "short", "int"].contains(&word)
            || word.parse::<i64>().is_ok()
    };
    let words = |relation: &str| {
        let words = relation.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let plain: Vec<&String> = said.filter(|relation| words(relation).iter().all(|word| is_known(word))).collect();
    for relation in &plain {
        let (program, _) =
            random::read(&text.replace("ASK", &format!("__CPROVER_assume({relation});")), &format!("seed {seed}"));
        let run = interp::run(&program, &inputs, &Limits::default());
        assert!(
            matches!(run.outcome, Outcome::Violated(_)),
            "seed {seed}: {relation} is not so for {inputs:?}\n{text}"
        );
    }
    plain.len()
}

#[test]
fn relations_mean_what_c_takes_them_for() {
    let programs = random::wanted(60);
    let seeds: Vec<u64> = random::seeds(programs).collect();
    let relations: Vec<usize> = crate::common::in_parallel(&seeds, |seed| relations_are_c(*seed));
    let telling = relations.iter().filter(|number| **number > 0).count() as u64;
    assert!(telling > programs / 4, "only {telling} programs have relations");
}

/// What is found for an example.
fn example(file: &str, defines: &[&str], entry: &str, hypotheses: Hypotheses) -> Causes {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    explained(&path, defines, entry, hypotheses, &Stop::default())
}

/// What is found for a program that is given as text.
fn of_text(name: &str, text: &str) -> Causes {
    let path = crate::common::scratch("causes").join(name);
    std::fs::write(&path, text).expect("the folder is there");
    explained(&path, &[], "main", Hypotheses::Source, &Stop::default())
}

fn explained(path: &Path, defines: &[&str], entry: &str, hypotheses: Hypotheses, limit: &Stop) -> Causes {
    let mut sources = Sources::new();
    let options = Options {
        define: defines.iter().map(|define| (*define).to_owned()).collect(),
        entry: entry.to_owned(),
        ..Options::default()
    };
    let program = read(&[path.display().to_string()], &options, &crate::common::Disk, &mut sources).expect("it is C");
    let found = check::check(&program, &CheckOptions::default(), &mut |_| {}).expect("it can be checked");
    let inputs = found.counterexample.expect("it fails").inputs;
    let Ok(mut equation) = symex::unwind(&program, &Bounds::default(), &Stop::default()) else {
        panic!("nobody interrupts")
    };
    let failing = Execution::of(&equation, &inputs);
    let claim = failing.failed.expect("it fails");
    let counted = delta::counted(&equation, claim, Metric::Ssa);
    let passing = nearest(&program, &mut equation, &failing, &counted);
    let line = |span| sources.position(span).line;
    let (program, failing, passing, counted) = (&program, &failing, &passing, &counted);
    let runs = Runs { program, failing, passing, counted, claim, least: 0, line: &line };
    standing(&runs, &mut equation, hypotheses, limit).expect("the causes stand")
}

/// The causes that are found, each checked again.
fn standing(runs: &Runs<'_>, equation: &mut Equation, hypotheses: Hypotheses, limit: &Stop) -> Result<Causes, String> {
    let found = cause::causes(runs, equation, hypotheses, limit);
    let mut causes = Causes {
        shown: Vec::new(),
        candidates: found.candidates,
        found: found.found,
        far: found.far,
        complete: found.complete,
        bounded: !equation.bounds_hit.is_empty(),
    };
    for FoundCause { relation, distance, passing, cause } in found.shown {
        let mut again = Recheck::of(equation, runs.failing, runs.counted, None, limit)?;
        match again.is_cause(&relation, &passing, distance)? {
            true => causes.shown.push(cause),
            false => causes.complete = false,
        }
    }
    Ok(causes)
}

fn nearest(program: &Program, equation: &mut Equation, failing: &Execution, counted: &[Counted]) -> Execution {
    let question = Question {
        program,
        equation,
        failing,
        counted,
        aligned: None,
        kept: Vec::new(),
        conflicts: MOST_CONFLICTS,
        proof: Some(Threads(1)),
        stop: &Stop::default(),
    };
    match Search::new(question).nearest(&mut |_, _| {}) {
        Answer::Found(found) => found.execution,
        _ => panic!("there is a passing run"),
    }
}

fn texts(causes: &Causes) -> Vec<&str> {
    causes.shown.iter().map(|cause| cause.text.as_str()).collect()
}

#[test]
fn the_sort_fails_because_of_its_inputs() {
    // The paper finds `c < a` and `c < b`, and 63 relations with values on the way that follow from such.
    let inputs = example("sort3.c", &[], "sort3", Hypotheses::Inputs);
    let expected = ["b at entry > c at entry", "a at entry > c at entry", "b at entry >= a at entry"];
    assert_eq!(texts(&inputs), expected);
    let all = example("sort3.c", &[], "sort3", Hypotheses::All);
    assert_eq!(texts(&all), expected);
    assert!(all.found > 30, "{}", all.found);
}

#[test]
fn the_advisory_fails_at_the_threshold() {
    let causes = example("tcas/tcas_fault1.c", &["P1B"], "main", Hypotheses::Source);
    assert_eq!(
        texts(&causes),
        ["down_separation == alim()", "own_altitude < other_altitude", "down_separation < biased_climb()"]
    );
    let causes = example("tcas/tcas_fault1.c", &["P3"], "main", Hypotheses::Source);
    assert_eq!(causes.shown[0].text, "down_separation == alim()");
    let causes = example("tcas/tcas_fault11.c", &["P4"], "main", Hypotheses::Source);
    assert_eq!(causes.shown[0].text, "own_altitude == other_altitude");
}

#[test]
fn a_constant_of_the_program_may_be_the_cause() {
    let causes = example("divide.c", &[], "main", Hypotheses::Source);
    assert_eq!(texts(&causes), ["occasion == 2"]);
}

#[test]
fn no_hypotheses_no_causes() {
    let causes = example("slice.c", &[], "main", Hypotheses::None);
    assert!(causes.complete && causes.shown.is_empty() && causes.candidates == 0);
}

#[test]
fn operands_without_a_name_are_written_as_in_the_text() {
    let causes = of_text(
        "table.c",
        "#include <assert.h>\n\
         int nondet_int(void);\n\
         int main(void) {\n\
             int limits[4] = {10, 20, 35, 70};\n\
             int speed = nondet_int(), zone = nondet_int(), warned = 0;\n\
             __CPROVER_assume(zone >= 0 && zone < 4);\n\
             if (speed > limits[zone]) warned = 1;\n\
             assert(warned || speed < 35);\n\
         }\n",
    );
    assert!(texts(&causes).contains(&"speed <= limits[zone]"), "{:?}", texts(&causes));
}

#[test]
fn values_of_one_name_are_told_apart() {
    let causes = of_text(
        "twice.c",
        "#include <assert.h>\n\
         int nondet_int(void);\n\
         int main(void) {\n\
             int x = nondet_int(), y = nondet_int();\n\
             if (x < y) x = y;\n\
             assert(x != 7);\n\
         }\n",
    );
    let read = causes.shown.iter().flat_map(|cause| std::iter::once(&cause.text).chain(&cause.implies));
    let speaks_of = |name: &str| read.clone().any(|text| text.starts_with(name));
    assert!(speaks_of("x in line 4"), "{:?}", causes.shown);
}

#[test]
fn when_time_is_over_only_what_is_decided_is_told() {
    let stopped = Stop::when(Arc::new(AtomicBool::new(true)));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/divide.c");
    let causes = explained(&path, &[], "main", Hypotheses::Source, &stopped);
    assert!(!causes.complete && causes.shown.is_empty() && causes.found == 0 && causes.candidates > 0);
}
