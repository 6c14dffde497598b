//! Temporal properties of programs, by brute force: every run of small programs, finite or a lasso, is executed by the interpreter and judged
//! by the evaluator of formulas. The equation must have exactly these runs, and `check` and `explain` must find what follows.
//! The encoding of formulas alone is compared with their evaluation on random words.

use crate::common::OneFile;
use crate::common::random::Dice;
use crate::enumeration::Space;
use nearmiss_explain::check::{CheckOptions, check};
use nearmiss_explain::equation::{ClaimRef, StepKind};
use nearmiss_explain::execution::Execution;
use nearmiss_explain::explain::{ExplainOptions, Preconditions, Wanted, explain};
use nearmiss_explain::explanation::Hypotheses;
use nearmiss_explain::explanation::{Metric, Verdict};
use nearmiss_program::c::{self, Options, predicate};
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_trace::bits::{Bits, Truth};
use nearmiss_trace::ltl::{self, core::AtomId};

use nearmiss_explain::ltl_terms::{self, Positions};
use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::term::{Term, Terms};
use nearmiss_program::c::formula::{self, Action};
use nearmiss_program::program::Program;
use nearmiss_program::run::{Closing, Inputs, Outcome};
use nearmiss_program::source::Sources;
use nearmiss_trace::failure::{After, Verdict as Judged};
use nearmiss_trace::search::Question;
use nearmiss_trace::wave::{Kind, SignalInfo};

/// So many inputs of a run are tried.
const INPUTS: u32 = 5;
/// Heads of loops beside the outermost one that are come to before a run closes, at most.
const MORE_ARRIVALS: u32 = 6;

/// A program with a formula over its actions `a` and `b`.
pub fn program(text: &str, formula: &str) -> (Program, Sources) {
    let (files, mut sources) = (["a.c".to_owned()], Sources::new());
    let names = ["a", "b", "main"].map(str::to_owned);
    let options = Options { actions: names.to_vec(), ..Options::default() };
    let loader = OneFile { name: "a.c", bytes: text.as_bytes() };
    let read = c::read(&files, &options, &loader, &mut sources);
    let mut program = read.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let actions = names.map(|name| Action { function: name.clone(), atom: name });
    let formula = ltl::parse(formula).unwrap_or_else(|error| panic!("{error:?}\n{formula}"));
    let draft = formula::read(&program, &formula, &actions).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let typed = draft.conditions();
    let conditions = predicate::add(&mut program, &typed, &files, &options, &loader, &mut Sources::new());
    let conditions = conditions.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    formula::claim(&mut program, draft, conditions).expect("it can be encoded");
    (program, sources)
}

/// Writes programs: little state, one loop, actions on the way.
struct Writer<'a> {
    dice: &'a mut Dice,
    /// So many more inputs may be read in a round.
    inputs: u32,
}

impl Writer<'_> {
    fn program(&mut self) -> String {
        let (before, inside, after) = (self.block(1, false), self.block(2, true), self.block(1, false));
        let condition = ["1", "1", "s", "!t", "nondet_bool()"][self.dice.below(5) as usize];
        // What comes after the loop must be reachable: a program without it has no variables there.
        let inside = if condition == "1" { format!("        if (s && t && n) break;\n{inside}") } else { inside };
        let first = ["5", "b()", "count(1) + 5", "b() + count(1)", "s ? b() : 3"][self.dice.below(5) as usize];
        format!(
            "_Bool nondet_bool(void);\nvoid a(void);\nint b(void) {{ return 1; }}\nstatic _Bool s, t;\n\
             static unsigned char box[2];\nstatic void step(void) {{ s = !t; }}\n\
             static void turn(unsigned char *p) {{ unsigned char old = *p; *p = 1 - old; }}\n\
             static int count(int most) {{ int i, sum = 0; for (i = 0; i < most; i++) {{ sum += i; if (t) a(); }} return sum; }}\n\
             int main(void)\n{{\n    unsigned char n = 0;\n    int late;\n    t = s;\n{before}    int r = {first};\n\
             \x20   while ({condition}) {{\n{inside}    }}\n{after}    int end = count(1);\n    return n + 0 * (r + end);\n}}\n"
        )
    }

    fn block(&mut self, depth: u32, in_loop: bool) -> String {
        (0..1 + self.dice.below(3)).map(|_| self.statement(depth, in_loop)).collect()
    }

    fn condition(&mut self) -> &'static str {
        match self.dice.below(5) {
            0..=2 if self.inputs > 0 => {
                self.inputs -= 1;
                "nondet_bool()"
            }
            0 => "t",
            1 => "n == 1",
            2 => "s",
            3 => "!t",
            _ => "s != t",
        }
    }

    fn statement(&mut self, depth: u32, in_loop: bool) -> String {
        match self.dice.below(22) {
            0 | 1 => "        a();\n".to_owned(),
            2 | 3 => "        b();\n".to_owned(),
            4 => format!("        s = {};\n", self.condition()),
            5 => format!("        t = {};\n", self.condition()),
            6 => "        n = 1 - n;\n".to_owned(),
            7 if in_loop => format!("        if ({}) break;\n", self.condition()),
            8 => "        step();\n".to_owned(),
            9 => "        turn(&n);\n".to_owned(),
            10 => "        box[s] = n;\n        n = box[t];\n".to_owned(),
            11 => "        { unsigned char m = n; turn(&m); n = m; }\n".to_owned(),
            12 if self.inputs > 0 => {
                self.inputs -= 1;
                "        while (nondet_bool()) a();\n".to_owned()
            }
            13 => "        late = b();\n".to_owned(),
            14 => "        n = (unsigned char) (count(1) & 1);\n".to_owned(),
            15 if in_loop => "        for (int k = 0; k < 1; k++) { if (s) b(); else t = !t; }\n".to_owned(),
            16 if !in_loop => format!("        if ({}) return 1;\n", self.condition()),
            _ if depth == 0 => "        t = !t;\n".to_owned(),
            _ => {
                let condition = self.condition();
                let (yes, no) = (self.block(depth - 1, in_loop), self.block(depth - 1, in_loop));
                format!("        if ({condition}) {{\n{yes}        }} else {{\n{no}        }}\n")
            }
        }
    }
}

const FORMULAS: [&str; 24] = [
    "G(a -> F b)",
    "F a",
    "G F a",
    "F G !a",
    "a W b",
    "!b U a",
    "G(a -> X !b)",
    "G(b -> O a)",
    "G(b -> Y Y !a)",
    "G(a -> F[0:6] b)",
    "G(a -> H[1:4] !b)",
    "G F a & G F b",
    "G({a; !a[*]; b} |-> F a)",
    "G(s -> F a)",
    "G F (n == 1)",
    "G(b.return -> F s)",
    "F(main.return == 1) | G F b",
    "G(a -> (s S b))",
    "G(r == 5)",
    "G(late == 1 | s)",
    "F(end == 0)",
    "G(n == 0 -> F(late == 1))",
    "G(r >= late -> F a)",
    "G(end == 0 & r != 3)",
];

/// Every run within the bound that the interpreter finds, told by its inputs.
fn runs(program: &Program, bound: u32) -> Vec<(Inputs, Outcome)> {
    let interpreter = Interpreter::new(program);
    let limits = Limits { steps: 400, ..Limits::default() };
    let mut closings = vec![None];
    closings.extend((1..=bound + MORE_ARRIVALS).flat_map(|at| (0..at).map(move |back| Some(Closing { at, back }))));
    let mut runs = Vec::new();
    for bits in 0..1u128 << INPUTS {
        for closing in &closings {
            let calls = (0..INPUTS).map(|i| bits >> i & 1).collect();
            let inputs = Inputs { calls, closing: *closing, ..Inputs::default() };
            let outcome = interpreter.execute(&inputs, &limits, Recording::Outcome).run.outcome;
            if matches!(outcome, Outcome::Finished | Outcome::Violated(_)) {
                runs.push((inputs, outcome));
            }
        }
    }
    runs
}

#[test]
fn every_run_is_judged_as_it_is_executed() {
    let (mut failing, mut lassos, mut compared, mut none) = (0, 0, 0, 0);
    for seed in crate::common::random::seeds(crate::common::random::wanted(72)) {
        let mut dice = Dice::new(seed);
        // How often the head of the loop is evaluated at most.
        let bound = 2 + (seed % 3 / 2) as u32;
        let text = Writer { dice: &mut dice, inputs: 5 - bound }.program();
        let formula = FORMULAS[(seed % FORMULAS.len() as u64) as usize];
        let what = format!("seed {seed}: {formula}\n{text}");
        let (program, sources) = program(&text, formula);
        let claim = program.temporal.as_ref().expect("it was claimed").claim;
        // The interpreter agrees on every execution of the equation …
        let Some(space) = Space::of(&program, Some(bound), &what) else { continue };
        // … and the equation has every run of the interpreter.
        let mut fails = false;
        for (inputs, outcome) in runs(&program, bound) {
            let execution = Execution::of(&space.equation, &inputs);
            let failed = execution.failed.map(|step| &space.equation.steps[step].kind);
            let expected = match failed {
                None => Outcome::Finished,
                Some(StepKind::Claim { claim: ClaimRef::Program(claim), .. }) => Outcome::Violated(*claim),
                // More rounds than are unwound; a run that closes early has no more.
                Some(StepKind::Claim { claim: ClaimRef::Unwinding(_), .. })
                    if inputs.closing.is_none_or(|closing| closing.at > bound) =>
                {
                    continue;
                }
                Some(_) => panic!("{inputs:?} is not a run of the equation\n{what}"),
            };
            assert_eq!(outcome, expected, "{inputs:?}\n{what}");
            assert_eq!(space.inputs(&execution).closing, inputs.closing, "{inputs:?}\n{what}");
            fails |= outcome == Outcome::Violated(claim);
            lassos += u64::from(inputs.closing.is_some());
        }
        let options = CheckOptions { unwind: Some(bound), ..CheckOptions::default() };
        let found = check(&program, &options, &mut |_| {}).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
        let closing = found.counterexample.and_then(|failing| failing.inputs.closing);
        let is_listed = closing.is_none_or(|closing| closing.at <= bound + MORE_ARRIVALS);
        assert!(fails == (found.verdict == Verdict::Fails) || !(fails || is_listed), "{what}");
        let Some(run) = space.failing.iter().find(|run| run.failed == Some(space.equation.steps.len() - 1)) else {
            continue;
        };
        failing += 1;
        let options = ExplainOptions {
            check: options,
            given: Some(space.inputs(run)),
            preconditions: Preconditions::Free,
            hypotheses: Hypotheses::None,
            within_bound: Wanted::Yes,
            ..ExplainOptions::default()
        };
        let explained = explain(&program, &sources, &options, &mut |_| {});
        let explained = explained.unwrap_or_else(|error| panic!("{error:?}\n{what}"));
        let contrast = explained.contrast.unwrap_or_else(|| panic!("nothing was explained\n{what}"));
        let members = space.members(run.failed.expect("it fails"), Metric::Ssa);
        match space.nearest(&program, &members, run) {
            Some(expected) => {
                let nearest = contrast.nearest.unwrap_or_else(|| panic!("there are passing runs\n{what}"));
                let distance = space.differences(&members, run, expected).len() as u64;
                assert_eq!((nearest.distance, nearest.proved_minimal), (distance, true), "{what}");
                compared += 1;
            }
            None => {
                assert!(contrast.none_exists, "{what}");
                none += 1;
            }
        }
    }
    assert!(failing > 20 && lassos > 1000 && compared > 12 && none > 5, "{failing} {lassos} {compared} {none}");
}

/// A random formula over `a`, `b` and `c`.
fn formula(dice: &mut Dice, depth: u32) -> String {
    let atom = ["a", "b", "c", "!a", "!b", "!c"];
    if depth == 0 {
        return atom[dice.below(6) as usize].to_owned();
    }
    let (left, right) = (formula(dice, depth - 1), formula(dice, depth - 1));
    match dice.below(24) {
        0 => format!("({left} & {right})"),
        1 => format!("({left} | {right})"),
        2 => format!("!({left})"),
        3 => format!("({left} -> {right})"),
        4 => format!("X({left})"),
        5 => format!("F({left})"),
        6 => format!("G({left})"),
        7 | 8 => format!("({left} U {right})"),
        9 => format!("({left} W {right})"),
        10 => format!("({left} R {right})"),
        11 => format!("({left} M {right})"),
        12 => format!("Y({left})"),
        13 => format!("O({left})"),
        14 => format!("H({left})"),
        15 | 16 => format!("({left} S {right})"),
        17 => format!("F[{}:{}]({left})", dice.below(3), 3 + dice.below(3)),
        18 => format!("G[1:{}]({left})", 1 + dice.below(4)),
        19 => format!("O[{}:3]({left})", dice.below(3)),
        20 => format!("({{a; b[*]; c}} |-> {left})"),
        21 => format!("G({{a; {{b; c}}[*]; !b}} |=> {right})"),
        22 => format!("({left} T {right})"),
        _ => format!("X[3]({left})"),
    }
}

#[test]
fn the_encoding_is_the_evaluation() {
    let (mut lassos, mut holds) = (0, 0);
    for seed in 0..3_000 {
        let mut dice = Dice::new(seed);
        let depth = 1 + dice.below(3) as u32;
        let text = formula(&mut dice, depth);
        let written = ltl::parse(&text).unwrap_or_else(|error| panic!("{error:?}: {text}"));
        let info = |name: &str| SignalInfo {
            name: name.to_owned(),
            kind: Kind::Bits { width: 1, low: 0, descending: true, signed: false },
            enumerators: Vec::new(),
            wire: None,
            radix: Default::default(),
        };
        let bound = ltl::bind(&written, &["a", "b", "c"].map(info), None).unwrap_or_else(|e| panic!("{e:?}: {text}"));
        let count = 1 + dice.below(6) as usize;
        let mut flip = || dice.below(2) == 1;
        let guards: Vec<bool> = (0..count).map(|_| flip() || flip()).collect();
        let values: Vec<Vec<bool>> = (0..3).map(|_| (0..count).map(|_| flip()).collect()).collect();
        let closes = flip();
        let start = dice.below(count as u64) as usize;
        let closes = closes && guards[start..].contains(&true);
        let executed: Vec<usize> = (0..count).filter(|at| guards[*at]).collect();
        if executed.is_empty() {
            continue;
        }
        // The word that is executed, evaluated.
        let signal = |atom: AtomId| bound.signals[bound.atoms[atom.0 as usize].reads[0].signal];
        let truth = |atom: u32| {
            let yes = Bits::from_bools(executed.iter().map(|at| values[signal(AtomId(atom))][*at]));
            Truth { no: yes.not(), yes }
        };
        let word: Vec<Truth> = (0..bound.core.atoms as u32).map(truth).collect();
        // The beginning of a run that goes on.
        let open = !closes && dice.below(2) == 0;
        let after = match (closes, open) {
            (true, _) => After::Row(executed.iter().filter(|at| **at < start).count()),
            (false, true) => After::Anything,
            (false, false) => After::Nothing,
        };
        let judged = Question::new(&bound.core, &word, executed.len(), after).judge();
        let expected = if open { !matches!(judged, Judged::Fails(_)) } else { judged == Judged::Holds };
        // The same as a term, with everything free.
        let mut terms = Terms::new();
        let mut assignment = Assignment::new();
        let mut free = |terms: &mut Terms, value: bool| -> Term {
            let symbol = terms.fresh("v", 1);
            assignment.set(symbol, u128::from(value));
            symbol
        };
        let positions = Positions {
            guards: guards.iter().map(|guard| free(&mut terms, *guard)).collect(),
            atoms: (0..bound.core.atoms as u32)
                .map(|atom| values[signal(AtomId(atom))].iter().map(|value| free(&mut terms, *value)).collect())
                .collect(),
            repeated: (0..count).map(|at| free(&mut terms, closes && at >= start)).collect(),
            closed: free(&mut terms, closes),
            open,
        };
        let term = ltl_terms::holds(&mut terms, &bound.core, &positions).expect("bounds are small");
        let found = Evaluator::new(&terms, &assignment).value(term) == 1;
        assert_eq!(
            found, expected,
            "seed {seed}: {text}\nguards {guards:?}\nvalues {values:?}\nstart {start} {closes}"
        );
        lassos += u64::from(closes);
        holds += u64::from(expected);
    }
    assert!(lassos > 800 && holds > 700, "{lassos} {holds}");
}
