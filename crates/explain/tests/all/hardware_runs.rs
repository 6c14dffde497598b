//! The oracle of explanations of models of hardware: random small models of which every run is simulated.
//!
//! Verdict and cycle of the failure, the distance of the nearest passing run, the size of the slice, and what is named as a cause must be what follows
//! from all runs by their definitions. Of models that must do something in the end, every cycle of states is looked at.
//! `NEARMISS_PROGRAMS=500` looks at more models.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::common::random::{self, Dice};
use crate::hardware::{ASKED, REDUCED, TWO, UNARY, Writer, hardware, read};
use nearmiss_explain::check::CheckOptions;
use nearmiss_explain::explain::{ExplainOptions, Preconditions, explain};
use nearmiss_explain::explanation::{Explanation, Minimised, SliceMethod, Verdict};
use nearmiss_explain::{Program, Reading};
use nearmiss_program::hardware::model::{Bits, Kind, Model, NodeId};
use nearmiss_program::hardware::simulate::{self, Changes, Stimulus, Wave};
use nearmiss_trace::bits::{Bits as Row, Truth};
use nearmiss_trace::ltl::core::End;
use nearmiss_trace::ltl_eval::{self, Components};

/// Runs of so many cycles are enumerated.
const CYCLES: usize = 3;

/// A bit that a run may choose: a node, in a cycle or at the start, and which of its bits.
type Choice = (NodeId, Option<usize>, u32);

/// Nodes with every operator over words of up to three bits; two registers and a bit that starts as anything.
struct Small {
    writer: Writer,
    bit: u32,
    two: u32,
    words: Vec<(u32, u32)>,
}

impl Small {
    fn new(dice: &mut Dice) -> Small {
        let mut writer = Writer::default();
        let (bit, two) = (writer.sort(1), writer.sort(2));
        let go = writer.line(&format!("input {bit} go"));
        let data = writer.line(&format!("input {two} data"));
        let (x, y) = (writer.line(&format!("state {two} x")), writer.line(&format!("state {two} y")));
        let any = writer.line(&format!("state {bit} any"));
        let first = writer.line(&format!("constd {two} {}", dice.below(4)));
        writer.line(&format!("init {two} {x} {first}"));
        writer.line(&format!("init {two} {y} {x}"));
        let words = vec![(go, 1), (data, 2), (x, 2), (y, 2), (any, 1), (first, 2)];
        let mut small = Small { writer, bit, two, words };
        for at in 0..4 {
            let name = if dice.below(4) > 0 { format!(" w{at}") } else { String::new() };
            small.operation(dice, &name);
        }
        let [next_x, next_y] = [small.of_width(2, dice), small.of_width(2, dice)];
        small.writer.line(&format!("next {two} {x} {next_x}"));
        small.writer.line(&format!("next {two} {y} {next_y}"));
        if dice.below(2) == 0 {
            let next = small.of_width(1, dice);
            small.writer.line(&format!("next {bit} {any} {next}"));
        }
        small
    }

    /// Some word of this width.
    fn of_width(&mut self, width: u32, dice: &mut Dice) -> u32 {
        let (line, own) = self.words[dice.below(self.words.len() as u64) as usize];
        crate::hardware::fitted(&mut self.writer, (line, own), width, dice)
    }

    fn operation(&mut self, dice: &mut Dice, name: &str) {
        let width = 1 + dice.below(3) as u32;
        let (x, y) = (self.of_width(width, dice), self.of_width(width, dice));
        let sort = self.writer.sort(width);
        let chosen = |of: &[&str], dice: &mut Dice| of[dice.below(of.len() as u64) as usize].to_owned();
        let (line, own) = match dice.below(6) {
            0 => (format!("{} {sort} {x}", chosen(&UNARY, dice)), width),
            1 => (format!("{} {} {x}", chosen(&REDUCED, dice), self.bit), 1),
            2 | 3 => (format!("{} {sort} {x} {y}", chosen(&TWO, dice)), width),
            4 => (format!("{} {} {x} {y}", chosen(&ASKED, dice), self.bit), 1),
            _ => {
                let condition = self.of_width(1, dice);
                (format!("ite {sort} {condition} {x} {y}"), width)
            }
        };
        let line = self.writer.line(&format!("{line}{name}"));
        self.words.push((line, own));
    }

    /// With a claim, and perhaps something that is taken for granted.
    fn claiming(mut self, dice: &mut Dice) -> String {
        let (left, right) = (self.of_width(2, dice), self.of_width(1, dice));
        let limit = self.writer.line(&format!("constd {} {}", self.two, dice.below(4)));
        let equal = self.writer.line(&format!("eq {} {left} {limit}", self.bit));
        let bad = self.writer.line(&format!("and {} {equal} {right}", self.bit));
        if dice.below(3) == 0 {
            let (one, other) = (self.of_width(1, dice), self.of_width(1, dice));
            let allowed = self.writer.line(&format!("or {} {one} -{other}", self.bit));
            self.writer.line(&format!("constraint {allowed}"));
        }
        self.writer.line(&format!("bad {bad}"));
        self.writer.text
    }
}

/// What a run of so many cycles may choose, of all that matters.
fn choices(model: &Model, cycles: usize) -> Vec<Choice> {
    let needed = model.needed();
    let mut choices: Vec<Choice> = Vec::new();
    for (id, node) in model.nodes.iter().enumerate().filter(|(id, _)| needed[*id]) {
        let bits = 0..node.sort.width();
        match node.kind {
            Kind::Input => choices.extend((0..cycles).flat_map(|at| bits.clone().map(move |bit| (id, Some(at), bit)))),
            Kind::State { init, next, .. } => {
                if init.is_none() {
                    choices.extend(bits.clone().map(|bit| (id, None, bit)));
                }
                if next.is_none() {
                    let cycles = cycles.saturating_sub(1);
                    choices.extend((0..cycles).flat_map(|at| bits.clone().map(move |bit| (id, Some(at), bit))));
                }
            }
            _ => {}
        }
    }
    choices
}

/// Every run of so many cycles.
fn runs(model: &Model, cycles: usize) -> Vec<(Stimulus, Wave)> {
    let choices = choices(model, cycles);
    assert!(choices.len() <= 14, "{} bits are too many", choices.len());
    let run = |number: u32| {
        let mut stimulus = Stimulus { cycles: vec![HashMap::new(); cycles], ..Stimulus::default() };
        for (at, (id, cycle, bit)) in choices.iter().enumerate() {
            let into = match cycle {
                Some(cycle) => &mut stimulus.cycles[*cycle],
                None => &mut stimulus.started,
            };
            let word = into.entry(*id).or_insert_with(|| vec![false; model.width(*id) as usize]);
            word[*bit as usize] = number >> at & 1 == 1;
        }
        let wave = simulate::simulate(model, &stimulus);
        (stimulus, wave)
    };
    (0..1u32 << choices.len()).map(run).collect()
}

/// The words with names that count in a run of so many cycles. What a register starts as is no step, unless it may be anything.
fn counted(model: &Model, cycles: usize) -> Vec<(NodeId, usize)> {
    let needed = model.needed();
    let counts = |id: &NodeId, cycle: usize| match model.node(*id).kind {
        Kind::State { init, .. } => cycle > 0 || init.is_none(),
        _ => true,
    };
    let named =
        (0..model.nodes.len()).filter(|id| needed[*id] && model.node(*id).name.is_some() && model.width(*id) > 0);
    named.flat_map(|id| (0..cycles).filter(move |cycle| counts(&id, *cycle)).map(move |cycle| (id, cycle))).collect()
}

fn distance(counted: &[(NodeId, usize)], one: &Wave, other: &Wave) -> u64 {
    counted.iter().filter(|(id, cycle)| one.cycles[*cycle][*id] != other.cycles[*cycle][*id]).count() as u64
}

fn fails_at(wave: &Wave) -> Option<usize> {
    wave.bad.iter().position(|bad| bad.contains(&true))
}

fn check(program: &Program, text: &str) -> Explanation {
    let (unwind, minimise) = (Some(CYCLES as u32), Minimised::Optimal);
    let options = CheckOptions { unwind, minimise, ..CheckOptions::default() };
    let why = program.check(&options).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    why.explanation().clone()
}

/// The size of the smallest set of differences that, taken over into the failing run, make it pass.
fn smallest_slice(model: &Model, (own, failing): (&Stimulus, &Wave), passing: (&Stimulus, &Wave)) -> Option<usize> {
    let counted = counted(model, failing.cycles.len());
    let (differ, same): (Vec<_>, Vec<_>) =
        counted.into_iter().partition(|(id, cycle)| failing.cycles[*cycle][*id] != passing.1.cycles[*cycle][*id]);
    let sets = 0..1u32 << differ.len();
    let works = |set: &u32| {
        let mut changes: Changes = same.iter().map(|at| (*at, failing.cycles[at.1][at.0].clone())).collect();
        let mut taken = BTreeSet::new();
        for (place, at) in differ.iter().enumerate() {
            let from = if set >> place & 1 == 1 { passing.1 } else { failing };
            changes.insert(*at, from.cycles[at.1][at.0].clone());
            if set >> place & 1 == 1 {
                taken.insert(*at);
            }
        }
        let (wave, forced) = simulate::simulate_changed(model, own, &changes);
        let follows = |at: &(NodeId, usize)| {
            let free = match model.node(at.0).kind {
                Kind::Input => true,
                Kind::State { init: None, .. } if at.1 == 0 => true,
                Kind::State { next: None, .. } => true,
                _ => false,
            };
            !taken.contains(at) || free
        };
        wave.excluded.is_none() && fails_at(&wave).is_none() && forced.iter().all(follows)
    };
    sets.filter(works).map(|set| set.count_ones() as usize).min()
}

/// `x (cycle 2)`, or a number; in a run of a single cycle also `x`.
fn operand(text: &str, model: &Model, wave: &Wave) -> Option<u64> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (name, cycle) = match text.strip_suffix(')').and_then(|text| text.split_once(" (cycle ")) {
        Some(found) => found,
        None => (text, "0"),
    };
    if name == text && wave.cycles.len() > 1 {
        return None;
    }
    let id = (0..model.nodes.len()).find(|id| model.node(*id).name.as_deref() == Some(name))?;
    let bits: &Bits = wave.cycles.get(cycle.parse::<usize>().ok()?)?.get(id)?;
    Some(bits.iter().rev().fold(0, |value, bit| value << 1 | u64::from(*bit)))
}

/// Does a relation hold in a run? Nothing where it is written in another way.
fn relation(text: &str, model: &Model, wave: &Wave) -> Option<bool> {
    let operators = [" <= ", " >= ", " != ", " == ", " < ", " > "];
    let operator = operators.iter().find(|operator| text.contains(**operator))?;
    let (left, right) = text.split_once(operator)?;
    let (left, right) = (operand(left, model, wave)?, operand(right, model, wave)?);
    Some(match operator.trim() {
        "<=" => left <= right,
        ">=" => left >= right,
        "!=" => left != right,
        "==" => left == right,
        "<" => left < right,
        _ => left > right,
    })
}

#[test]
fn small_models_are_explained_as_all_their_runs_say() {
    let (mut compared, mut sliced, mut caused, mut deep) = (0, 0, 0, 0);
    for seed in random::seeds(random::wanted(100)) {
        let mut dice = Dice::new(7_000 + seed);
        let text = Small::new(&mut dice).claiming(&mut dice);
        let program = read(&text);
        let hardware = hardware(&program);
        let model = &hardware.model;
        if choices(model, CYCLES).len() > 11 {
            continue;
        }
        let first = runs(model, CYCLES).iter().filter_map(|(_, wave)| fails_at(wave)).min();
        let answer = check(&program, &text);
        let found = answer.counterexample.as_ref();
        let depth = found.map(|found| hardware.cycles(program.lowered(), &found.inputs) - 1);
        assert_eq!(depth, first, "seed {seed}\n{text}");
        let (Some(first), Some(found)) = (first, found) else { continue };
        deep += u32::from(first > 0);
        let options = ExplainOptions {
            check: CheckOptions { unwind: Some(CYCLES as u32 + 1), ..CheckOptions::default() },
            given: Some(found.inputs.clone()),
            preconditions: Preconditions::Free,
            slice: SliceMethod::TwoPhase,
            ..ExplainOptions::default()
        };
        let told = explain(program.lowered(), program.sources(), &options, &mut |_| {});
        let told = told.unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
        let cycles = first + 1;
        let own = hardware.stimulus(&found.inputs, cycles);
        let failing = simulate::simulate(model, &own);
        let (all, counted) = (runs(model, cycles), counted(model, cycles));
        let whole = |wave: &&Wave| wave.excluded.is_none();
        let whole: Vec<&Wave> = all.iter().map(|(_, wave)| wave).filter(whole).collect();
        let passing = whole.iter().filter(|wave| fails_at(wave).is_none());
        let least = passing.map(|wave| distance(&counted, &failing, wave)).min();
        let contrast = told.contrast.as_ref().expect("it was compared");
        let nearest = contrast.nearest.as_ref();
        assert_eq!(nearest.is_some(), least.is_some(), "seed {seed}\n{text}");
        let (Some(nearest), Some(least)) = (nearest, least) else { continue };
        let is_counted = model.nodes.iter().zip(model.needed()).any(|(node, needed)| {
            needed && node.name.is_some() && !matches!(node.kind, Kind::Input | Kind::Constant(_))
        });
        // Where nothing with a name is computed, the bad bit itself is counted.
        if !is_counted {
            continue;
        }
        compared += 1;
        assert_eq!(nearest.distance, least, "seed {seed}\n{text}");
        let theirs = hardware.stimulus(&nearest.inputs, cycles);
        let other = simulate::simulate(model, &theirs);
        assert_eq!(distance(&counted, &failing, &other), least, "seed {seed}\n{text}");
        if let Some(slice) = contrast.slice.as_ref().filter(|_| least <= 12) {
            sliced += 1;
            let smallest = smallest_slice(model, (&own, &failing), (&theirs, &other));
            assert_eq!(Some(slice.deltas.len()), smallest, "seed {seed}: {:?}\n{text}", slice.deltas);
        }
        for cause in contrast.causes.iter().flat_map(|causes| &causes.shown) {
            if relation(&cause.text, model, &failing).is_none() {
                continue;
            }
            caused += 1;
            let without: Vec<&&Wave> =
                whole.iter().filter(|wave| relation(&cause.text, model, wave) == Some(false)).collect();
            let near = without.iter().map(|wave| distance(&counted, &failing, wave)).min();
            assert_eq!(relation(&cause.text, model, &failing), Some(true), "seed {seed}: {}\n{text}", cause.text);
            let spoiled =
                without.iter().any(|wave| Some(distance(&counted, &failing, wave)) == near && fails_at(wave).is_some());
            assert!(near.is_some() && !spoiled, "seed {seed}: {} is no cause\n{text}", cause.text);
        }
    }
    let enough = compared >= 10 && sliced >= 5 && caused >= 5 && deep >= 3;
    assert!(enough, "{compared} distances, {sliced} slices, {caused} causes, {deep} deep failures are too few");
}

/// Whole memories are compared as they are when the model is simulated.
#[test]
fn memories_are_compared_word_by_word() {
    let text = "\
1 sort bitvec 1
2 sort bitvec 2
3 sort array 2 2
4 input 2 place
5 input 2 word
6 input 1 second
7 zero 2
8 state 3 one
9 state 3 other
10 init 3 8 7
11 init 3 9 7
12 write 3 8 4 5
13 ite 3 6 8 12
14 write 3 9 4 5
15 ite 3 6 14 9
16 next 3 8 13
17 next 3 9 15
18 eq 1 8 9
19 state 1 differed
20 zero 1
21 init 1 19 20
22 or 1 19 -18
23 next 1 19 22
24 and 1 18 19 bad_now
25 bad 24
";
    let program = read(text);
    let options = CheckOptions { unwind: Some(2), ..CheckOptions::default() };
    let why = program.check(&options).expect("it can be checked");
    assert_eq!(why.verdict(), Verdict::Undecided, "it takes more cycles");
    // One word is written into one of them, then the same into the other.
    let answer = check(&program, text);
    let found = answer.counterexample.as_ref().expect("both are the same again");
    assert_eq!(hardware(&program).cycles(program.lowered(), &found.inputs), 3);
}

/// A next state, and which of the fair things hold in the step to it.
type Edge = (Vec<Bits>, Vec<bool>);

/// The states that a model may be in after each, by what comes from outside.
struct Graph {
    /// Per state and choice, in order: the state that follows, and which of the asked bits are 1.
    edges: BTreeMap<Vec<Bits>, Vec<Edge>>,
}

/// All states that are reached.
fn graph(model: &Model, asked: &[NodeId]) -> Graph {
    let needed = model.needed();
    let states: Vec<NodeId> = model.states().into_iter().filter(|id| needed[*id]).collect();
    let inner = {
        let mut inner = model.clone();
        for id in &states {
            if let Kind::State { init, .. } = &mut inner.nodes[*id].kind {
                *init = None;
            }
        }
        inner
    };
    let of = |wave: &Wave, cycle: usize| states.iter().map(|id| wave.cycles[cycle][*id].clone()).collect::<Vec<Bits>>();
    let mut open: Vec<Vec<Bits>> = runs(model, 1).iter().map(|(_, wave)| of(wave, 0)).collect();
    let mut edges = BTreeMap::new();
    // What is chosen in one step: inputs, and what may become anything.
    let steps: Vec<Choice> = choices(&inner, 2).into_iter().filter(|(_, cycle, _)| *cycle == Some(0)).collect();
    while let Some(state) = open.pop() {
        if edges.contains_key(&state) {
            continue;
        }
        let mut out = Vec::new();
        for number in 0..1u32 << steps.len() {
            let mut stimulus = Stimulus { cycles: vec![HashMap::new(); 2], ..Stimulus::default() };
            stimulus.started = states.iter().copied().zip(state.iter().cloned()).collect();
            for (at, (id, _, bit)) in steps.iter().enumerate() {
                let word = stimulus.cycles[0].entry(*id).or_insert_with(|| vec![false; model.width(*id) as usize]);
                word[*bit as usize] = number >> at & 1 == 1;
            }
            let wave = simulate::simulate(&inner, &stimulus);
            if wave.excluded == Some(0) {
                continue;
            }
            let next = of(&wave, 1);
            open.push(next.clone());
            out.push((next, asked.iter().map(|id| wave.cycles[0][*id][0]).collect()));
        }
        edges.insert(state, out);
    }
    Graph { edges }
}

impl Graph {
    /// Is there a way round in which each of the asked bits is 1 at some time?
    fn has_all_again_and_again(&self) -> bool {
        let reach = |from: &Vec<Bits>| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(state) = open.pop() {
                for (next, _) in &self.edges[&state] {
                    if seen.insert(next.clone()) {
                        open.push(next.clone());
                    }
                }
            }
            seen
        };
        let reached: BTreeMap<&Vec<Bits>, BTreeSet<Vec<Bits>>> =
            self.edges.keys().map(|state| (state, reach(state))).collect();
        self.edges.keys().any(|state| {
            let is_round = |other: &Vec<Bits>| reached[state].contains(other) && reached[other].contains(state);
            if !is_round(state) {
                return false;
            }
            let inside = self.edges.iter().filter(|(from, _)| is_round(from));
            let inside: Vec<&Vec<bool>> =
                inside.flat_map(|(_, out)| out).filter(|(to, _)| is_round(to)).map(|(_, bits)| bits).collect();
            let count = inside.first().map_or(0, |bits| bits.len());
            (0..count).all(|bit| inside.iter().any(|bits| bits[bit]))
        })
    }
}

#[test]
fn what_comes_about_again_and_again_is_found() {
    let (mut found, mut none) = (0, 0);
    for seed in random::seeds(random::wanted(30)) {
        let mut dice = Dice::new(9_000 + seed);
        let mut small = Small::new(&mut dice);
        let bits: Vec<u32> = (0..2).map(|_| small.of_width(1, &mut dice)).collect();
        let fair = (dice.below(2) == 0).then(|| small.of_width(1, &mut dice));
        let (negated, other) = (dice.below(2) == 0, bits[1]);
        small.writer.line(&format!("justice 2 {} {}{other}", bits[0], if negated { "-" } else { "" }));
        if let Some(fair) = fair {
            small.writer.line(&format!("fair {fair}"));
        }
        let text = small.writer.text;
        let program = read(&text);
        let model = &hardware(&program).model;
        let asked: Vec<NodeId> =
            model.justice[0].nodes.iter().copied().chain(model.fair.iter().map(|fair| fair.node)).collect();
        let expected = graph(model, &asked).has_all_again_and_again();
        let options = CheckOptions { unwind: Some(14), ..CheckOptions::default() };
        let why = program.check(&options).unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
        assert_eq!(why.verdict() == Verdict::Fails, expected, "seed {seed}\n{text}");
        if let Some(run) = &why.explanation().counterexample {
            assert!(run.inputs.closing.is_some_and(|closing| !closing.is_horizon()), "seed {seed}\n{text}");
        }
        found += u32::from(expected);
        none += u32::from(!expected);
    }
    assert!(found >= 3 && none >= 3, "{found} {none}");
}

const FORMULAS: [&str; 10] = [
    "G (go -> X (x != 1))",
    "F (y == 2)",
    "G (x == 0 -> F (y == 1))",
    "G !(go & x == 3)",
    "(x < 2) W go",
    "G (go -> X[2] !any)",
    "G ((x == 1 & any) -> O go)",
    "X X (y <= x)",
    "G F go",
    "G (data[0] |=> x[1])",
];

/// Formulas that fail within some cycles whatever comes do so as soon as all beginnings say.
#[test]
fn formulas_fail_as_soon_as_all_beginnings_say() {
    let (mut early, mut holds) = (0, 0);
    for seed in random::seeds(random::wanted(30)) {
        let mut dice = Dice::new(11_000 + seed);
        let text = Small::new(&mut dice).claiming(&mut dice);
        // Nothing but the formula is asked.
        let bare: String =
            text.lines().filter(|line| !line.contains(" bad ")).map(|line| format!("{line}\n")).collect();
        let formula = FORMULAS[seed as usize % FORMULAS.len()];
        let reading = Reading { formula: Some(formula.to_owned()), ..Reading::default() };
        let program = Program::from_text("m.btor2", &bare, &reading).unwrap_or_else(|error| panic!("{error}\n{bare}"));
        let hardware = hardware(&program);
        let temporal = program.lowered().temporal.as_ref().expect("a formula");
        if choices(&hardware.model, CYCLES).len() > 12 {
            continue;
        }
        let core = &temporal.bound.core;
        let fails = |wave: &Wave, length: usize| {
            let atom = |atom: u32| {
                let node = hardware.model.watched[temporal.signal_of(nearmiss_trace::ltl::core::AtomId(atom))];
                let yes = Row::from_bools((0..length).map(|cycle| wave.cycles[cycle][node][0]));
                Truth { no: yes.not(), yes }
            };
            let atoms: Vec<Truth> = (0..core.atoms as u32).map(atom).collect();
            !ltl_eval::evaluate(core, &Components::of(core), &atoms, length, End::Open).of(core.root).get(0)
        };
        let first = |length: usize| {
            let all = runs(&hardware.model, length);
            all.iter().any(|(_, wave)| wave.excluded.is_none() && fails(wave, length))
        };
        let expected = (1..=CYCLES).find(|length| first(*length));
        let options = CheckOptions { unwind: Some(CYCLES as u32), ..CheckOptions::default() };
        let why = program.check(&options).unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{bare}"));
        let found = why.explanation().counterexample.as_ref();
        let cycles = found.map(|found| hardware.cycles(program.lowered(), &found.inputs));
        match (expected, found) {
            (Some(expected), Some(_)) => {
                early += 1;
                assert!(cycles <= Some(expected), "seed {seed}: {formula} fails after {expected} cycles\n{bare}");
            }
            (Some(_), None) => panic!("seed {seed}: {formula}: a failure was missed\n{bare}"),
            // A run that repeats itself may fail though no beginning does.
            (None, Some(found)) => {
                assert!(found.inputs.closing.is_some_and(|closing| !closing.is_horizon()), "seed {seed}\n{bare}");
            }
            (None, None) => holds += 1,
        }
    }
    assert!(early >= 5 && holds >= 3, "{early} {holds}");
}
