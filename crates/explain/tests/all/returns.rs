//! The oracle of `explain --state predicates --metric align`: truth values that are assigned and returned, and returns that a formula asks
//! about. Small programs without loops are written at random and executed on all inputs; what the interpreter sees of the
//! predicates, which are read back from their text, is aligned by plain dynamic programming. The nearest passing run must be as near
//! as the nearest of all, and where nothing but the claim differs, that must be said.
//!
//! `NEARMISS_PROGRAMS=5000` runs more.

use crate::common::OneFile;
use crate::common::random::{self, Dice};
use nearmiss_explain::explain::{ExplainOptions, Preconditions, Wanted, explain};
use nearmiss_explain::explanation::Hypotheses;
use nearmiss_explain::explanation::{Contrast, DeltaKind, Metric, State};
use nearmiss_logic::width::sign_extend;
use nearmiss_program::c::formula::{self, Action};
use nearmiss_program::c::predicate::{self, TypedCondition};
use nearmiss_program::c::{self, Options};
use nearmiss_program::interp::{Interpreter, Limits};
use nearmiss_program::program::temporal::Meaning;
use nearmiss_program::program::watched::Watched;
use nearmiss_program::program::{ClaimKind, FunctionId, Program, TypeId};
use nearmiss_program::run::{Inputs, Outcome, RunStepKind};
use nearmiss_program::source::{Sources, Span};
use nearmiss_trace::ltl;
use std::collections::BTreeSet;

const FILE: &str = "returns.c";
/// Price of a predicate, of an action, and of a step that only one run takes.
const PRICES: [u64; 3] = [1, 1, 3];
/// Inputs of a program, of two bits each.
const INPUTS: u32 = 3;

/// Writes programs: truth values that are assigned, returned and asked for.
struct Writer<'a> {
    dice: &'a mut Dice,
}

impl Writer<'_> {
    fn pick(&mut self, of: &[&str]) -> String {
        of[self.dice.below(of.len() as u64) as usize].to_owned()
    }

    fn atom(&mut self, names: &[&str]) -> String {
        let (left, op) = (self.pick(names), self.pick(&["<", ">", "==", "!=", "<=", ">="]));
        let right = if self.dice.below(2) == 0 { self.pick(names) } else { self.dice.below(4).to_string() };
        format!("{left} {op} {right}")
    }

    fn truth(&mut self, names: &[&str], depth: u32) -> String {
        match self.dice.below(if depth == 0 { 1 } else { 4 }) {
            0 => self.atom(names),
            1 => format!("({} && {})", self.truth(names, depth - 1), self.truth(names, depth - 1)),
            2 => format!("({} || {})", self.truth(names, depth - 1), self.truth(names, depth - 1)),
            _ => format!("!({})", self.truth(names, depth - 1)),
        }
    }

    /// The program, and its formula if it has one.
    fn program(&mut self) -> (String, Option<&'static str>) {
        let (locals, outside) = (["p", "q", "ok", "level"], ["x", "y", "z"]);
        let assigned = self.truth(&locals[..2], 2);
        let decided = self.truth(&locals[..3], 1);
        let (first, second) = (self.pick(&["1", "2", "ok", "q"]), self.pick(&["-1", "0", "!ok", "p - 2"]));
        let middle = match self.dice.below(4) {
            0 => format!("    level = {};\n", self.truth(&locals, 1)),
            1 => format!("    if ({}) level = p;\n", self.atom(&locals)),
            _ => String::new(),
        };
        let (one, other) = (self.pick(&outside), self.pick(&outside));
        let again = match self.dice.below(3) {
            0 => format!("    if ({}) r = f({}, r);\n", self.atom(&outside), self.pick(&outside)),
            1 => format!("    int flag = {};\n    if (flag) g();\n", self.truth(&["x", "r", "z"], 1)),
            _ => "    g();\n".to_owned(),
        };
        let formulas = [
            "F(f.return == 1)",
            "G(f.return != -1)",
            "G(f -> F(g | f.return == -1))",
            "G(f.return > 0 -> F g)",
            "F(f.return < 0) | F(main.return == 2)",
            "G(f.return == 1 -> level >= 1)",
        ];
        let formula = (self.dice.below(3) != 0).then(|| formulas[self.dice.below(formulas.len() as u64) as usize]);
        let claim = match formula {
            Some(_) => String::new(),
            None => format!("    int good = {};\n    assert(good);\n", self.truth(&["r", "level", "y"], 1)),
        };
        let text = format!(
            "#include <assert.h>\nunsigned char nondet_uchar(void);\nstatic int level;\nstatic void g(void) {{}}\n\
             static int f(int p, int q)\n{{\n    int ok = {assigned};\n{middle}    if ({decided})\n        return {first};\n    return {second};\n}}\n\
             int main(void)\n{{\n    level = 0;\n    int x = nondet_uchar() & 3, y = nondet_uchar() & 3, z = nondet_uchar() & 3;\n\
             \x20   int r = f({one}, {other});\n{again}{claim}    return r;\n}}\n"
        );
        (text, formula)
    }
}

fn read(text: &str, formula: Option<&str>) -> (Program, Sources) {
    let (files, mut sources) = ([FILE.to_owned()], Sources::new());
    let names = ["f", "g", "main"].map(str::to_owned);
    let actions = if formula.is_some() { names.to_vec() } else { Vec::new() };
    let options = Options { actions, ..Options::default() };
    let loader = OneFile { name: FILE, bytes: text.as_bytes() };
    let read = c::read(&files, &options, &loader, &mut sources);
    let mut program = read.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let Some(formula) = formula else { return (program, sources) };
    let actions = names.map(|name| Action { function: name.clone(), atom: name });
    let formula = ltl::parse(formula).unwrap_or_else(|error| panic!("{error:?}"));
    let draft = formula::read(&program, &formula, &actions).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let typed = draft.conditions();
    let conditions = predicate::add(&mut program, &typed, &files, &options, &loader, &mut Sources::new());
    let conditions = conditions.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    formula::claim(&mut program, draft, conditions).expect("it can be encoded");
    (program, sources)
}

/// The predicates of an answer, read back from their text; none if some cannot be.
fn read_back(program: &mut Program, text: &str, contrast: &Contrast) -> Option<Vec<Watched>> {
    let described = contrast.description.as_ref()?;
    let typed: Vec<TypedCondition> = (described.predicates.iter())
        .map(|predicate| {
            let function = predicate.function.map_or("main".to_owned(), |id| program.function(id).name.clone());
            TypedCondition::new("--predicate", &format!("{function}: {}", predicate.text))
        })
        .collect();
    let loader = OneFile { name: FILE, bytes: text.as_bytes() };
    predicate::add(program, &typed, &[FILE.to_owned()], &Options::default(), &loader, &mut Sources::new()).ok()
}

/// A step as it is compared.
struct Seen {
    place: (FunctionId, Span, u8, Option<TypeId>),
    fails: bool,
    /// What the formula asks of the value that is returned.
    answers: Vec<bool>,
    truths: Vec<bool>,
}

/// What is compared of a run: up to the violated claim, and in a passing run up to the same one.
fn seen(program: &Program, inputs: &Inputs, watched: &[Watched], places: &[BTreeSet<(FunctionId, Span)>]) -> Vec<Seen> {
    let (run, truths) = Interpreter::new(program).watch(inputs, &Limits::default(), watched);
    let mut found = Vec::new();
    let mut call = None;
    for (step, holds) in run.steps.iter().zip(&truths) {
        let (mut span, mut fails, mut answers) = (step.span, false, Vec::new());
        let (sort, ty) = match &step.kind {
            RunStepKind::Call { callee } => {
                call = Some(step.span);
                match program.temporal.as_ref().is_some_and(|temporal| temporal.is_called(*callee)) {
                    true => (5, None),
                    false => continue,
                }
            }
            RunStepKind::Input { site, .. } => (0, Some(program.sites[site.index()].ty)),
            RunStepKind::Assign { ty, .. } => {
                // Arguments are passed where the call stands.
                let own = program.function(step.function);
                if own.locals[..own.parameters as usize].iter().any(|local| local.span == step.span) {
                    span = call.unwrap_or(step.span);
                }
                (1, Some(*ty))
            }
            RunStepKind::Branch { .. } => (2, None),
            RunStepKind::Return { value: Some((ty, value)) } => {
                answers = asked(program, step.function, sign_extend(*value, program.size_bits(*ty) as u32));
                (3, Some(*ty))
            }
            RunStepKind::Return { value: None } => continue,
            RunStepKind::Claim { claim, held, .. } => {
                if !matches!(program.claims[claim.index()].kind, ClaimKind::Assertion | ClaimKind::Temporal) {
                    continue;
                }
                fails = !held;
                (4, None)
            }
        };
        let here = (step.function, span);
        let is_here = |number: &usize| {
            places[*number].contains(&here) && watched[*number].function.is_none_or(|owner| owner == step.function)
        };
        let truth = |number: usize| holds.iter().any(|(at, holds)| *at == number && *holds);
        let truths = (0..watched.len()).filter(is_here).map(truth).collect();
        found.push(Seen { place: (step.function, span, sort, ty), fails, answers, truths });
        if sort == 4 {
            break;
        }
    }
    found
}

/// Each question of the formula about what a function returns, answered once.
fn asked(program: &Program, function: FunctionId, value: i128) -> Vec<bool> {
    let mut questions = Vec::new();
    for signal in program.temporal.iter().flat_map(|temporal| &temporal.signals) {
        if let Meaning::Return(them, Some(question)) = &signal.meaning
            && them.contains(&function)
            && !questions.contains(question)
        {
            questions.push(*question);
        }
    }
    questions.into_iter().map(|(how, number)| how.holds(value, number)).collect()
}

/// The cheapest way to make one sequence the other.
fn cost(a: &[Seen], b: &[Seen]) -> u64 {
    let [component, action, control] = PRICES;
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let mut least = if (i, j) == (0, 0) { 0 } else { u64::MAX };
            if i > 0 {
                least = least.min(table[i - 1][j] + control);
            }
            if j > 0 {
                least = least.min(table[i][j - 1] + control);
            }
            if i > 0 && j > 0 && a[i - 1].place == b[j - 1].place {
                let (one, other) = (&a[i - 1], &b[j - 1]);
                let truths = one.truths.iter().zip(&other.truths).filter(|(a, b)| a != b).count() as u64;
                let acts = u64::from((one.fails, &one.answers) != (other.fails, &other.answers));
                least = least.min(table[i - 1][j - 1] + truths * component + acts * action);
            }
            table[i][j] = least;
        }
    }
    table[a.len()][b.len()]
}

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    formulas: u64,
    assertions: u64,
    returns_differ: u64,
    unreadable: u64,
    none: u64,
}

fn compare(seed: u64, tally: &mut Tally) {
    let mut dice = Dice::new(seed);
    let (text, formula) = Writer { dice: &mut dice }.program();
    let what = format!("seed {seed}: {formula:?}\n{text}");
    let (program, sources) = read(&text, formula);
    let inputs = |bits: u32| {
        let calls = (0..INPUTS).map(|input| u128::from(bits >> (2 * input) & 3)).collect();
        Inputs { calls, ..Inputs::default() }
    };
    let (mut failing, mut passing) = (Vec::new(), Vec::new());
    for inputs in (0..1 << (2 * INPUTS)).map(inputs) {
        match nearmiss_program::interp::run(&program, &inputs, &Limits::default()).outcome {
            Outcome::Finished => passing.push(inputs),
            Outcome::Violated(_) => failing.push(inputs),
            other => panic!("{other:?}\n{what}"),
        }
    }
    if failing.is_empty() {
        return;
    }
    let given = failing.swap_remove(dice.below(failing.len() as u64) as usize);
    let options = ExplainOptions {
        given: Some(given.clone()),
        metric: Metric::Align,
        state: State::Predicates,
        weights: Some(PRICES),
        preconditions: Preconditions::Free,
        hypotheses: Hypotheses::None,
        within_bound: Wanted::Yes,
        ..ExplainOptions::default()
    };
    let found = explain(&program, &sources, &options, &mut |_| {}).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
    let contrast = found.contrast.unwrap_or_else(|| panic!("nothing was explained\n{what}"));
    let Some(nearest) = &contrast.nearest else {
        assert!(contrast.none_exists && passing.is_empty(), "there are passing runs\n{what}");
        tally.none += 1;
        return;
    };
    assert!(nearest.proved_minimal, "{what}");
    is_no_explanation_or_says_so(&contrast, &what);
    let mut own = program.clone();
    let Some(watched) = read_back(&mut own, &text, &contrast) else {
        tally.unreadable += 1;
        return;
    };
    let described = contrast.description.as_ref().expect("predicates were asked for");
    let places: Vec<BTreeSet<(FunctionId, Span)>> =
        described.predicates.iter().map(|predicate| predicate.places.iter().copied().collect()).collect();
    let ours = seen(&own, &given, &watched, &places);
    let least = passing.iter().map(|inputs| cost(&ours, &seen(&own, inputs, &watched, &places))).min();
    let predicates: Vec<&str> = described.predicates.iter().map(|predicate| predicate.text.as_str()).collect();
    assert_eq!(
        Some(nearest.distance),
        least,
        "{predicates:?}\nfailing {given:?}, passing {:?}\n{what}",
        nearest.inputs
    );
    let told = cost(&ours, &seen(&own, &nearest.inputs, &watched, &places));
    assert_eq!(told, nearest.distance, "the run itself, {predicates:?}\n{what}");
    let returns = |kind: DeltaKind| kind == DeltaKind::Action;
    tally.returns_differ += u64::from(nearest.deltas.iter().filter(|delta| returns(delta.kind)).count() > 1);
    *(if formula.is_some() { &mut tally.formulas } else { &mut tally.assertions }) += 1;
}

/// The violation alone explains nothing: something else differs, or it is said that nothing does.
fn is_no_explanation_or_says_so(contrast: &Contrast, what: &str) {
    let nearest = contrast.nearest.as_ref().expect("there is one");
    let is_violation = |kind: DeltaKind, texts: Option<&[String; 2]>| {
        kind == DeltaKind::Action && texts.is_none_or(|[was, _]| !was.starts_with("return"))
    };
    if nearest.deltas.iter().all(|delta| is_violation(delta.kind, delta.texts.as_ref())) {
        let notes = contrast.description.iter().flat_map(|description| &description.notes);
        assert!(notes.into_iter().any(|note| note.contains("nothing differs")), "{:?}\n{what}", nearest.deltas);
    }
}

#[test]
fn assigned_truths_and_returns_are_compared_as_they_are_executed() {
    random::with_stack(|| {
        let mut tally = Tally::default();
        let programs = random::wanted(60);
        for seed in random::seeds(programs) {
            compare(seed, &mut tally);
        }
        println!("{tally:?}");
        assert!(tally.formulas > programs / 6 && tally.assertions > programs / 20, "{tally:?}");
        assert!(tally.returns_differ > programs / 30 && tally.unreadable < programs / 3, "{tally:?}");
    });
}
