//! The oracle of models of hardware: random models in BTOR2, every run of the small ones.
//!
//! Words of every width and every operator: what the program does is what the model does when it is simulated bit by bit.
//! Small models: all stimuli of some cycles are simulated; the verdict, the cycle of the failure, the distance of the
//! nearest passing run and its length must be theirs. `NEARMISS_PROGRAMS=500` runs more models.

use std::fmt::Write as _;

use crate::common::random::{self, Dice};
use nearmiss_explain::check::CheckOptions;
use nearmiss_explain::explain::{ExplainOptions, Preconditions, explain};
use nearmiss_explain::explanation::{Hypotheses, Minimised, SliceMethod, Verdict};
use nearmiss_explain::{Program, Reading};
use nearmiss_program::hardware::Hardware;
use nearmiss_program::hardware::model::{Bits, Kind, Model, NodeId};
use nearmiss_program::hardware::simulate::{self, Stimulus, Wave};
use nearmiss_program::interp::{Limits, run};
use nearmiss_program::run::{Inputs, Outcome};

/// A model as text, line by line.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) text: String,
    last: u32,
    sorts: Vec<(u32, u32)>,
}

impl Writer {
    pub(crate) fn line(&mut self, what: &str) -> u32 {
        self.last += 1;
        let _ = writeln!(self.text, "{} {what}", self.last);
        self.last
    }

    pub(crate) fn sort(&mut self, width: u32) -> u32 {
        match self.sorts.iter().find(|(known, _)| *known == width) {
            Some((_, line)) => *line,
            None => {
                let line = self.line(&format!("sort bitvec {width}"));
                self.sorts.push((width, line));
                line
            }
        }
    }
}

pub(crate) const UNARY: [&str; 4] = ["not", "inc", "dec", "neg"];
pub(crate) const REDUCED: [&str; 3] = ["redand", "redor", "redxor"];
pub(crate) const TWO: [&str; 19] = [
    "and", "nand", "nor", "or", "xnor", "xor", "rol", "ror", "sll", "sra", "srl", "add", "mul", "sdiv", "udiv", "smod",
    "srem", "urem", "sub",
];
pub(crate) const ASKED: [&str; 17] = [
    "eq", "neq", "sgt", "ugt", "sgte", "ugte", "slt", "ult", "slte", "ulte", "saddo", "uaddo", "sdivo", "smulo",
    "umulo", "ssubo", "usubo",
];

/// A word as a sum of words of this width: from others of any width.
pub(crate) fn fitted(writer: &mut Writer, (line, width): (u32, u32), wanted: u32, dice: &mut Dice) -> u32 {
    if width == wanted {
        return line;
    }
    let sort = writer.sort(wanted);
    if width > wanted {
        let low = dice.below(u64::from(width - wanted) + 1) as u32;
        return writer.line(&format!("slice {sort} {line} {} {low}", low + wanted - 1));
    }
    let how = ["uext", "sext"][dice.below(2) as usize];
    writer.line(&format!("{how} {sort} {line} {}", wanted - width))
}

/// Every operator over words of these widths; each result is looked at by a `bad` bit.
fn arithmetic(dice: &mut Dice, widths: &[u32]) -> String {
    let mut writer = Writer::default();
    let bit = writer.sort(1);
    let mut words: Vec<(u32, u32)> = Vec::new();
    for at in 0..3 {
        let width = widths[dice.below(widths.len() as u64) as usize];
        let sort = writer.sort(width);
        words.push((writer.line(&format!("input {sort} in{at}")), width));
        let state = writer.line(&format!("state {sort} kept{at}"));
        words.push((state, width));
    }
    for at in 0..8 {
        let width = widths[dice.below(widths.len() as u64) as usize];
        let pick = |writer: &mut Writer, dice: &mut Dice| {
            let word = words[dice.below(words.len() as u64) as usize];
            fitted(writer, word, width, dice)
        };
        let (x, y) = (pick(&mut writer, dice), pick(&mut writer, dice));
        let sort = writer.sort(width);
        let mut chosen = |of: &[&str]| of[dice.below(of.len() as u64) as usize].to_owned();
        let name = if at % 3 == 0 { format!(" value{at}") } else { String::new() };
        let (line, own) = match at % 5 {
            0 => (format!("{} {sort} {x}", chosen(&UNARY)), width),
            1 => (format!("{} {bit} {x}", chosen(&REDUCED)), 1),
            2 | 3 => (format!("{} {sort} {x} {y}", chosen(&TWO)), width),
            _ => (format!("{} {bit} {x} {y}", chosen(&ASKED)), 1),
        };
        let line = writer.line(&format!("{line}{name}"));
        words.push((line, own));
    }
    let (first, second) = (words[words.len() - 1], words[words.len() - 2]);
    let joined = writer.sort(first.1 + second.1);
    let joined = writer.line(&format!("concat {joined} {} {}", first.0, second.0));
    let low = writer.line(&format!("slice {bit} {joined} 0 0"));
    let odd = writer.line(&format!("redxor {bit} {joined}"));
    let chosen = writer.line(&format!("ite {bit} {low} {odd} -{odd}"));
    writer.line(&format!("bad {chosen}"));
    for (at, kept) in [1usize, 3, 5].into_iter().enumerate() {
        let (state, width) = words[kept];
        let (last, more) = (words[words.len() - 1 - at], writer.sort(width));
        let value = fitted(&mut writer, last, width, dice);
        writer.line(&format!("next {more} {state} {value}"));
    }
    writer.text
}

pub(crate) fn read(text: &str) -> Program {
    Program::from_text("m.btor2", text, &Reading::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub(crate) fn hardware(program: &Program) -> &Hardware {
    program.lowered().hardware.as_deref().expect("a model")
}

/// Values that are often at an edge.
fn value(dice: &mut Dice) -> u128 {
    let any = (0..5).fold(0, |value, _| value << 31 | u128::from(dice.below(1 << 31)));
    [0, 1, u128::MAX, 1 << 63, 1 << 127, u128::from(dice.below(9)), any, any >> dice.below(120)][dice.below(8) as usize]
}

/// The program does what the model does, in every cycle up to the first in which it is violated.
fn agrees(text: &str, dice: &mut Dice) {
    let program = read(text);
    let hardware = hardware(&program);
    let lowered = hardware.ending(program.lowered(), 4);
    for _ in 0..4 {
        let inputs = Inputs { calls: (0..200).map(|_| value(dice)).collect(), ..Inputs::default() };
        let violated = match run(&lowered, &inputs, &Limits::default()).outcome {
            Outcome::Violated(claim) => Some(claim),
            Outcome::Finished => None,
            other => panic!("{other:?}\n{text}"),
        };
        if let Err(what) = hardware.confirm(&lowered, &inputs, violated) {
            panic!("{what}\n{inputs:?}\n{text}");
        }
    }
}

#[test]
fn programs_of_models_compute_what_models_do() {
    let widths: [&[u32]; 6] = [
        &[1, 2, 3],
        &[1, 7, 8, 9],
        &[31, 32, 33, 64],
        &[63, 65, 127, 128],
        &[129, 192, 200, 7],
        &[256, 512, 1024, 1023],
    ];
    for seed in random::seeds(random::wanted(60)) {
        let mut dice = Dice::new(seed);
        let text = arithmetic(&mut dice, widths[seed as usize % widths.len()]);
        agrees(&text, &mut dice);
    }
}

/// A small machine: two registers of two bits, a memory of two words, and a bit from outside.
fn machine(dice: &mut Dice) -> String {
    let mut writer = Writer::default();
    let (bit, two) = (writer.sort(1), writer.sort(2));
    let memory = writer.line(&format!("sort array {bit} {two}"));
    let input = writer.line(&format!("input {bit} in"));
    let zero = writer.line(&format!("zero {two}"));
    let (x, y) = (writer.line(&format!("state {two} x")), writer.line(&format!("state {two} y")));
    let held = writer.line(&format!("state {memory} held"));
    writer.line(&format!("init {two} {x} {zero}"));
    writer.line(&format!("init {two} {y} {zero}"));
    writer.line(&format!("init {memory} {held} {zero}"));
    let wide = writer.line(&format!("uext {two} {input} 1"));
    let one = writer.line(&format!("one {two}"));
    let low = writer.line(&format!("slice {bit} {x} 0 0"));
    let stored = writer.line(&format!("read {two} {held} {low}"));
    let mut words = vec![x, y, wide, one, stored];
    for at in 0..3 {
        let pick = |dice: &mut Dice| words[dice.below(words.len() as u64) as usize];
        let (a, b) = (pick(dice), pick(dice));
        let line = match dice.below(5) {
            0 => format!("add {two} {a} {b}"),
            1 => format!("xor {two} {a} {b}"),
            2 => format!("sub {two} {a} {b}"),
            3 => format!("ite {two} {input} {a} {b}"),
            _ => format!("or {two} {a} {b}"),
        };
        words.push(writer.line(&format!("{line} w{at}")));
    }
    let pick = |dice: &mut Dice| words[dice.below(words.len() as u64) as usize];
    let (next_x, next_y, word) = (pick(dice), pick(dice), pick(dice));
    writer.line(&format!("next {two} {x} {next_x}"));
    writer.line(&format!("next {two} {y} {next_y}"));
    let written = writer.line(&format!("write {memory} {held} {low} {word}"));
    let chosen = writer.line(&format!("ite {memory} {input} {written} {held}"));
    writer.line(&format!("next {memory} {held} {chosen}"));
    let limit = writer.line(&format!("constd {two} {}", dice.below(4)));
    let (left, right) = (pick(dice), pick(dice));
    let equal = writer.line(&format!("eq {bit} {left} {limit}"));
    let more = writer.line(&format!("ugte {bit} {right} {one}"));
    let bad = writer.line(&format!("and {bit} {equal} {more}"));
    if dice.below(3) == 0 {
        let allowed = writer.line(&format!("neq {bit} {wide} {y}"));
        writer.line(&format!("constraint {allowed}"));
    }
    writer.line(&format!("bad {bad}"));
    writer.text
}

fn bit(model: &Model) -> NodeId {
    model.inputs()[0]
}

/// The run of these bits.
fn wave(model: &Model, bits: u32, cycles: usize) -> Wave {
    let cycle = |at: usize| [(bit(model), vec![bits >> at & 1 == 1])].into_iter().collect();
    simulate::simulate(model, &Stimulus { cycles: (0..cycles).map(cycle).collect(), ..Stimulus::default() })
}

/// In how many values two runs of as many cycles differ: inputs, named words, and what registers become, but in the last cycle.
fn distance(model: &Model, one: &Wave, other: &Wave) -> u64 {
    let cycles = one.cycles.len();
    let words = model.nodes.iter().zip(model.needed()).filter(|(node, needed)| *needed && node.sort.width() > 0);
    let mut named = words.filter(|(node, _)| node.name.is_some() && node.kind != Kind::Input);
    // Where nothing else is counted the bad bit is, which differs in the last cycle.
    let mut distance = u64::from(named.next().is_none());
    for at in 0..cycles {
        for (id, node) in model.nodes.iter().enumerate() {
            let counts = match node.kind {
                // What a register is in the first cycle is set before.
                Kind::State { .. } => node.sort.width() > 0 && at > 0,
                _ => node.name.is_some(),
            };
            let values = |wave: &Wave| -> Bits { wave.cycles[at][id].clone() };
            distance += u64::from(counts && model.needed()[id] && values(one) != values(other));
        }
    }
    distance
}

const CYCLES: usize = 4;

#[test]
fn small_models_fail_when_and_where_enumeration_says() {
    let (mut failing, mut compared) = (0, 0);
    for seed in random::seeds(random::wanted(40)) {
        let text = machine(&mut Dice::new(1000 + seed));
        let program = read(&text);
        let hardware = hardware(&program);
        let model = &hardware.model;
        let runs: Vec<Wave> = (0..1 << CYCLES).map(|bits| wave(model, bits, CYCLES)).collect();
        // A run counts up to the cycle in which a constraint is broken.
        let fails_at = |wave: &Wave| wave.bad.iter().position(|bad| bad[0]);
        let first = runs.iter().filter_map(fails_at).min();
        let (unwind, minimise) = (Some(CYCLES as u32 + 1), Minimised::Optimal);
        let options = CheckOptions { unwind, minimise, ..CheckOptions::default() };
        let why = program.check(&options).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let found = why.explanation().counterexample.as_ref();
        let depth = found.map(|found| hardware.cycles(program.lowered(), &found.inputs) - 1);
        // One turn more than the cycles that were enumerated may have been looked at.
        match (first, depth) {
            (Some(first), Some(depth)) => assert_eq!(depth, first, "{text}"),
            (Some(_), None) => panic!("a failure was missed\n{text}"),
            (None, Some(depth)) => assert!(depth >= CYCLES, "no run fails in cycle {depth}\n{text}"),
            (None, None) => assert_ne!(why.verdict(), Verdict::Fails),
        }
        let (Some(first), Some(found)) = (first, found) else { continue };
        failing += 1;
        // The registers' own changes are enumerated; memories are left to the recheck.
        if text.contains("constraint") || first == 0 {
            continue;
        }
        let options = ExplainOptions {
            check: options,
            given: Some(found.inputs.clone()),
            preconditions: Preconditions::Free,
            hypotheses: Hypotheses::None,
            slice: SliceMethod::None,
            ..ExplainOptions::default()
        };
        let told = explain(program.lowered(), program.sources(), &options, &mut |_| {});
        let told = told.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let nearest = told.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref());
        let bits = found.inputs.calls.iter().take(first + 1).enumerate();
        let bits = bits.fold(0u32, |bits, (at, value)| bits | (*value as u32 & 1) << at);
        let own = wave(model, bits, first + 1);
        let passing = (0..1u32 << (first + 1)).map(|bits| wave(model, bits, first + 1));
        let passing = passing.filter(|wave| wave.bad.iter().all(|bad| !bad[0]));
        let least = passing.map(|wave| distance(model, &own, &wave)).min();
        let without_memory = least.is_none() || !model.needed()[model.states()[2]];
        assert_eq!(nearest.is_some(), least.is_some(), "{text}");
        if let (Some(nearest), Some(least), true) = (nearest, least, without_memory) {
            compared += 1;
            assert_eq!(nearest.distance, least, "{text}");
        }
    }
    assert!(failing > 5 && compared > 1, "too few models fail: {failing}, {compared}");
}

/// Damaged models are read or refused with a reason, and what is read can be executed.
#[test]
fn damaged_models_are_refused_or_run() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hardware/");
    let fifo = std::fs::read_to_string(format!("{root}fifo.btor2")).expect("the example");
    let gates = "aag 5 1 2 0 2 1\n2\n4 3 0\n6 10 0\n6\n8 2 4\n10 9 5\ni0 turn\nb0 never\n";
    let mut read = 0;
    for seed in random::seeds(random::wanted(300)) {
        let mut dice = Dice::new(seed);
        let original = if seed % 3 == 0 { gates } else { &fifo };
        let mut lines: Vec<String> = original.lines().map(str::to_owned).collect();
        for _ in 0..=dice.below(3) {
            let at = dice.below(lines.len() as u64) as usize;
            let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let word = dice.below(words.len() as u64) as usize;
            match dice.below(4) {
                0 => words[word] = dice.below(100).to_string(),
                1 => {
                    words[word] = ["-1", "18446744073709551615", "", "x", "9999999999999999999999"]
                        [dice.below(5) as usize]
                        .to_owned()
                }
                2 => drop(words.remove(word)),
                _ => words.push(dice.below(100).to_string()),
            }
            lines[at] = words.join(" ");
        }
        let text = lines.join("\n");
        match Program::from_text("m.btor2", &text, &Reading::default()) {
            Ok(program) => {
                read += 1;
                let lowered = hardware(&program).ending(program.lowered(), 3);
                let inputs = Inputs { calls: (0..100).map(|_| value(&mut dice)).collect(), ..Inputs::default() };
                let violated = match run(&lowered, &inputs, &Limits::default()).outcome {
                    Outcome::Violated(claim) => Some(claim),
                    Outcome::Finished => None,
                    _ => continue,
                };
                hardware(&program).confirm(&lowered, &inputs, violated).unwrap_or_else(|what| panic!("{what}\n{text}"));
            }
            Err(error) => assert!(!error.errors.is_empty(), "refused without a reason:\n{text}"),
        }
    }
    assert!(read > 10, "{read}");
}
