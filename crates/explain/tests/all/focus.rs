//! The oracle of focus sequences: every failing input of small programs is run and sliced by the interpreter.
//!
//! The set of sequences must be the one found that way; the condition of each must hold for the inputs of its own runs
//! and for no others; and so must its assumptions, among the inputs that meet what the program assumes. Programs of two
//! kinds, with inputs at the start and with inputs anywhere. `NEARMISS_PROGRAMS=5000` runs more.

use std::collections::BTreeSet;

use crate::common::procedures;
use crate::common::random::{self, Generator};
use crate::common::scattered::Scattered;
use nearmiss_explain::bounds::Bounds;
use nearmiss_explain::equation::{Equation, StepKind};
use nearmiss_explain::execution::Execution;
use nearmiss_explain::focus::{FocusOptions, Role, Summaries, focus};
use nearmiss_explain::focus_sequence::{Key, Sequence};
use nearmiss_explain::method::focus_sequences::assumption::{Assumptions, Prover};
use nearmiss_explain::method::focus_sequences::{Cap, FocusSequences, Rest, forward, reduce, sequences};
use nearmiss_explain::recheck;
use nearmiss_explain::symex;
use nearmiss_logic::eval::Assignment;
use nearmiss_logic::stop::Stop;
use nearmiss_logic::term::Node;
use nearmiss_program::interp::Limits;
use nearmiss_program::program::{ClaimId, ClaimKind, ExprKind, Program, StatementKind};
use nearmiss_program::run::Inputs;

/// Programs with more bits of input are left out.
const MOST_BITS: u32 = 9;

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    programs: u64,
    failing: u64,
    sequences: usize,
    most: usize,
    assumptions: usize,
    removed: usize,
    local: usize,
}

/// A run, and what the interpreter says of it.
struct Sample {
    execution: Execution,
    sequence: Option<(ClaimId, Key)>,
}

fn samples(program: &Program, equation: &Equation, inputs: &[Inputs]) -> Vec<Sample> {
    let sample = |inputs: &Inputs| Sample {
        execution: Execution::of(equation, inputs),
        sequence: recheck::focus_sequence::sequence(program, inputs, &Limits::default()),
    };
    inputs.iter().map(sample).collect()
}

fn compare(program: &Program, inputs: &[Inputs], what: &str, tally: &mut Tally) {
    let stop = Stop::default();
    let (mut equation, flow) = symex::unwind_with_flow(program, &Bounds::default(), &stop).expect("there is time");
    let samples = samples(program, &equation, inputs);
    let cap = Cap { most: usize::MAX, events: usize::MAX, counted: 0 };
    let found = sequences(program, &mut equation, &flow, &|_| true, cap, &stop);
    let FocusSequences { sequences, rest, calls, .. } = found.unwrap_or_else(|why| panic!("{why}\n{what}"));
    assert_eq!(rest, Rest::None, "{what}");
    let expected: BTreeSet<_> = samples.iter().filter_map(|sample| sample.sequence.clone()).collect();
    let listed: BTreeSet<_> = sequences.iter().map(|s| (s.claim, s.key.clone())).collect();
    assert_eq!(listed, expected, "{} inputs, {what}", inputs.len());
    assert!(calls as usize <= sequences.len() + 2, "{calls} questions for {} sequences\n{what}", sequences.len());
    let mut prover = Prover::new(&equation, &flow, &stop);
    let mut sets: Vec<Assumptions> = Vec::new();
    for sequence in &sequences {
        recheck::focus_sequence::check(program, sequence).unwrap_or_else(|why| panic!("{why}\n{what}"));
        let assumptions = prover.assumptions(program, &mut equation, sequence).expect("there is time");
        let assumptions = prover.where_nothing_fails_before(&mut equation, sequence, assumptions, &BTreeSet::new());
        let assumptions = assumptions.expect("there is time");
        let mut before = equation.held();
        before.retain(|(at, _)| *at < sequence.step && matches!(equation.steps[*at].kind, StepKind::Assume { .. }));
        for sample in &samples {
            let own = sample.sequence.as_ref() == Some(&(sequence.claim, sequence.key.clone()));
            let mut evaluator = sample.execution.evaluator(&equation);
            let condition = sequence.condition.iter().all(|term| evaluator.holds(*term));
            assert!(own || !condition, "the condition of {:?}\n{what}", sequence.key);
            if before.iter().all(|(_, held)| evaluator.holds(*held)) {
                let assumed = assumptions.all.iter().all(|assumption| evaluator.holds(assumption.term));
                assert_eq!(assumed, condition, "assumptions {:?} of {:?}\n{what}", assumptions.all, sequence.key);
            }
        }
        for assumption in &assumptions.all {
            let symbols = equation.terms.support(assumption.term);
            let is_input = |symbol| equation.variables.iter().any(|v| v.symbol == symbol && v.definition.is_none());
            assert!(symbols.into_iter().all(is_input), "{assumption:?} is not over inputs\n{what}");
        }
        tally.assumptions += assumptions.all.len();
        sets.push(assumptions);
    }
    // One run, one way: where the same statements are read in another order there are several ways with the same key.
    for sample in &samples {
        let mut evaluator = sample.execution.evaluator(&equation);
        let mut own = |sequence: &&Sequence| sequence.condition.iter().all(|term| evaluator.holds(*term));
        let ways = sequences.iter().filter(&mut own).count();
        assert_eq!(ways, usize::from(sample.sequence.is_some()), "ways of one run\n{what}");
    }
    is_reduced(program, &mut equation, &sequences, &sets, &mut prover, what, tally);
    tally.programs += 1;
    tally.failing += u64::from(!sequences.is_empty());
    tally.sequences += sequences.len();
    tally.most = tally.most.max(sequences.len());
}

/// Definition 3 of the paper, and that neighbourhoods are parts of their sequences.
fn is_reduced(
    program: &Program,
    equation: &mut Equation,
    sequences: &[Sequence],
    sets: &[Assumptions],
    prover: &mut Prover<'_>,
    what: &str,
    tally: &mut Tally,
) {
    let all: Vec<_> = sets.iter().map(Assumptions::own).collect();
    let statements: Vec<_> = sequences.iter().map(|sequence| sequence.key.statements.clone()).collect();
    let claims: Vec<_> = sequences.iter().map(|sequence| sequence.claim).collect();
    let reduced = reduce::reduce(equation, &all, &statements, &claims);
    let live: Vec<usize> = (0..all.len()).filter(|at| reduced.same_as[*at].is_none()).collect();
    let terms = |at: usize| -> BTreeSet<_> {
        reduced.remaining[at].iter().map(|index| (all[at][*index].place, all[at][*index].term)).collect()
    };
    let negation = |equation: &Equation, term| match equation.terms.node(term) {
        Node::Not(inner) => Some(inner),
        _ => None,
    };
    for &a in &live {
        for &b in live.iter().filter(|b| **b > a) {
            assert!(statements[a] != statements[b] || terms(a) != terms(b), "two ways are the same\n{what}");
        }
        let rivals: Vec<usize> = live.iter().copied().filter(|at| claims[*at] == claims[a]).collect();
        for (place, term) in terms(a) {
            let opposite = |at: &&usize| {
                terms(**at).iter().any(|(other, t)| {
                    *other == place && (negation(equation, *t) == Some(term) || negation(equation, term) == Some(*t))
                })
            };
            let owners = rivals.iter().filter(|at| terms(**at).contains(&(place, term))).count();
            let opposites: Vec<_> = rivals.iter().filter(opposite).collect();
            assert!(owners != 1 || opposites.len() != 1 || *opposites[0] == a, "a pair is left\n{what}");
        }
        let remaining: Vec<_> = reduced.remaining[a].iter().map(|index| &all[a][*index]).collect();
        let nest = reduce::neighbourhood(program, prover, equation, &sequences[a], &sets[a].decisions, &remaining);
        assert!(!nest.is_empty() && nest.iter().all(|event| sequences[a].events.contains(event)), "{what}");
        tally.local += usize::from(nest.len() < sequences[a].events.len());
        tally.removed += all[a].len() - remaining.len();
    }
}

#[test]
fn sequences_of_random_programs_are_those_of_all_failing_inputs() {
    let programs = random::wanted(50);
    random::with_stack(move || {
        let mut tally = Tally::default();
        let inputs: Vec<Inputs> = (0..8u128)
            .flat_map(|a| (0..8u128).map(move |b| Inputs { calls: vec![a, b], ..Inputs::default() }))
            .collect();
        for seed in random::seeds(programs) {
            let text = Generator::program(seed);
            let what = format!("seed {seed}\n{text}");
            let (program, _) = random::read(&text, &what);
            compare(&program, &inputs, &what, &mut tally);
        }
        println!("{tally:?}");
        let enough = tally.failing > programs / 4 && tally.most > 3 && tally.removed > 0 && tally.local > 0;
        assert!(enough, "a poor sample: {tally:?}");
    });
}

/// All inputs of a program; none if there are too many.
fn all_inputs(program: &Program) -> Option<Vec<Inputs>> {
    let stop = Stop::default();
    let equation = symex::unwind(program, &Bounds::default(), &stop).expect("there is time");
    let free = equation.variables.iter().filter(|variable| variable.definition.is_none());
    let widths: Vec<_> = free.map(|variable| (variable.symbol, equation.terms.width(variable.symbol))).collect();
    let bits = widths.iter().map(|(_, width)| width).sum::<u32>();
    let inputs = |number: u128| {
        let (mut assignment, mut rest) = (Assignment::new(), number);
        for (symbol, width) in &widths {
            assignment.set(*symbol, rest & ((1 << width) - 1));
            rest >>= width;
        }
        equation.inputs(&mut Execution::of_assignment(&equation, &assignment).evaluator(&equation))
    };
    (bits <= MOST_BITS).then(|| (0..1 << bits).map(inputs).collect())
}

#[test]
fn sequences_are_right_wherever_inputs_arise() {
    let programs = random::wanted(100);
    random::with_stack(move || {
        let mut tally = Tally::default();
        for seed in random::seeds(programs) {
            let text = Scattered::program(seed);
            let what = format!("seed {seed}\n{text}");
            let (program, _) = random::read(&text, &what);
            if let Some(inputs) = all_inputs(&program) {
                compare(&program, &inputs, &what, &mut tally);
            }
        }
        println!("{tally:?}");
        assert!(tally.failing > programs / 4 && tally.most > 3, "a poor sample: {tally:?}");
    });
}

/// All that is told of a program.
fn answer(text: &str, summaries: Summaries) -> (String, usize) {
    let (program, sources) = random::read(text, text);
    let options = FocusOptions { summaries, ..FocusOptions::default() };
    let found = match focus(&program, &sources, &options, &mut |_| {}) {
        Ok(found) => found,
        Err(error) => panic!("{error:?}\n{text}"),
    };
    let known = &found.explanation;
    let claims: Vec<_> = known.claims.iter().map(|claim| (&claim.id, claim.status)).collect();
    let said = (claims, known.unwind, known.complete, &known.counterexample, &found.ways, found.rest, &found.unlooked);
    (format!("{said:#?}"), found.ways.len())
}

#[test]
fn summaries_of_procedures_change_no_answer() {
    let programs = random::wanted(60);
    random::with_stack(move || {
        let (mut failing, mut summarised) = (0, 0);
        let texts = random::seeds(programs).map(procedures::program);
        for text in texts.chain((0..programs / 4).map(Generator::program)) {
            let ((with, ways), (without, _)) = (answer(&text, Summaries::Use), answer(&text, Summaries::None));
            assert_eq!(with, without, "{text}");
            failing += usize::from(ways > 0);
            let stop = Stop::default();
            let (program, _) = random::read(&text, &text);
            summarised += usize::from(forward::summary(&program, &Bounds::default(), &stop).is_some());
        }
        println!("{failing} fail, {summarised} have summaries");
        assert!(failing > 15 && summarised > 15, "a poor sample: {failing} fail, {summarised} have summaries");
    });
}

/// The claims that procedures keep by themselves.
fn kept(text: &str) -> Vec<String> {
    let (program, _) = random::read(text, text);
    let stop = Stop::default();
    let Some(summary) = forward::summary(&program, &Bounds::default(), &stop) else { return Vec::new() };
    let statements = summary.functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.statements);
    let claims = statements.filter_map(|statement| match &statement.kind {
        StatementKind::Claim { claim, condition, .. } if summary.expr(*condition).kind == ExprKind::Const(1) => {
            Some(summary.claims[claim.index()].id.clone())
        }
        _ => None,
    });
    claims.collect()
}

#[test]
fn claims_that_no_call_can_violate_are_proved_once() {
    let text = "#include <assert.h>
        static unsigned table[4], total;
        static unsigned inside(unsigned n) { unsigned at = n % 4; return table[at]; }
        static unsigned anywhere(unsigned n) { return table[n]; }
        static unsigned once(unsigned n) { unsigned at = n % 4; return table[at]; }
        static unsigned down(unsigned n) {
            unsigned at = n % 4;
            total += table[at];
            return n == 0 ? 0 : down(n - 1);
        }
        static unsigned trusting(unsigned n) {
            unsigned m = down(n), at = m % 4;
            assert(total == 0 || m == 0);
            return table[at];
        }
        int main(unsigned n) {
            unsigned x = inside(n) + inside(n + 1) + anywhere(n & 3) + anywhere(1) + once(n);
            assert(x == 0);
            return (int)(down(n & 1) + trusting(1) + trusting(n & 1));
        }";
    assert_eq!(kept(text), ["inside.array_bounds.1", "down.array_bounds.1", "trusting.array_bounds.1"]);
    assert_eq!(answer(text, Summaries::Use), answer(text, Summaries::None));
}

/// The statements of a way, with outcomes, and what it assumes.
type Told = (Vec<(String, Option<bool>)>, Vec<String>);

/// What is told of a program, the best way first.
fn told(text: &str) -> Vec<Told> {
    let (program, sources) = random::read(text, text);
    let found = focus(&program, &sources, &FocusOptions::default(), &mut |_| {}).expect("no internal error");
    let ways = found.ways.iter().map(|way| {
        let own = way.statements.iter().filter(|row| row.role == Role::Focus);
        let own = own.map(|row| (sources.text(row.span).to_owned(), row.outcome)).collect();
        (own, way.assumptions.clone())
    });
    ways.collect()
}

#[test]
fn the_number_of_questions_is_that_of_the_ways_and_not_of_the_paths() {
    let noise: String = (0..20).map(|i| format!("if (nondet_bool()) noise += {i};\n")).collect();
    let text = format!(
        "#include <assert.h>
        _Bool nondet_bool(void);
        int main(int how) {{
            int noise = 0, level = 0;
            {noise}
            if (how == 3) level = 7; else if (how > 10) level = 8; else if (how < -5) level = 9 + how;
            assert(level < 7 && level > -100);
            return noise;
        }}"
    );
    let (program, _) = random::read(&text, &text);
    let stop = Stop::default();
    let (mut equation, flow) = symex::unwind_with_flow(&program, &Bounds::default(), &stop).expect("there is time");
    let is_written = |claim: ClaimId| program.claims[claim.index()].kind == ClaimKind::Assertion;
    let cap = Cap { most: 10, events: usize::MAX, counted: 10 };
    let found = sequences(&program, &mut equation, &flow, &is_written, cap, &stop).expect("no internal error");
    assert_eq!((found.sequences.len(), found.rest), (3, Rest::None));
    // One for each, one that there are no more, one by the second solver.
    assert_eq!(found.calls, 5);
    let few = Cap { most: 1, events: usize::MAX, counted: 1 };
    let found = sequences(&program, &mut equation, &flow, &is_written, few, &stop).expect("no internal error");
    assert_eq!((found.sequences.len(), found.rest), (1, Rest::AtLeast(1)));
}

#[test]
fn what_might_interfere_is_assumed_not_to() {
    let text = "#include <assert.h>
        int main(int q) { int x = 0; if (q) x = 7; assert(x > 5); return 0; }";
    assert_eq!(told(text), [(vec![("x = 0".to_owned(), None)], vec!["q == 0".to_owned()])]);
}

#[test]
fn dependence_goes_through_pointers_and_the_heap() {
    let text = "#include <assert.h>
        #include <stdlib.h>
        int main(int a, int b, _Bool other) {
            int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
            *p = 0; *q = 0;
            int *r = other ? p : q;
            *r = a;
            if (b > 3) *q = 5;
            assert(*p == 0);
            return 0;
        }";
    let ways = told(text);
    assert_eq!(ways.len(), 1, "{ways:?}");
    let statements: Vec<&str> = ways[0].0.iter().map(|(text, _)| text.as_str()).collect();
    assert!(statements.contains(&"*r = a") && !statements.contains(&"*q = 5"), "{statements:?}");
    assert_eq!(ways[0].1, ["other", "a != 0"]);
}

#[test]
fn one_value_of_an_input_is_an_equation_and_several_are_a_range() {
    let text = "#include <assert.h>
        int main(int layer, int x) {
            int limit[4];
            if (layer < 0 || layer > 3) return 0;
            limit[0] = 4; limit[1] = 5; limit[2] = 6; limit[3] = 7;
            if (x < 10) return 0;
            if (x > 20) return 0;
            assert(limit[layer] != 6);
            return 0;
        }";
    let ways = told(text);
    assert_eq!(ways.len(), 1, "{ways:?}");
    assert_eq!(ways[0].1, ["layer == 2", "10 <= x && x <= 20"]);
}
