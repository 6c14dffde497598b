//! Both runs of a model of hardware as one waveform, with marks where they differ: what is dumped and what viewers show.
//!
//! Values come from the model itself, which is simulated once more on the inputs of each run. Named signals are shown, and of
//! memories the places that one of the runs speaks of.

pub mod gtkw;
pub mod surfer;
pub mod witness;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use nearmiss_program::hardware::Hardware;
use nearmiss_program::hardware::model::{Bits as Word, Kind as Source, NodeId, Sort};
use nearmiss_program::hardware::simulate::{self, Stimulus};
use nearmiss_program::program::{ClaimId, ClaimKind};
use nearmiss_trace::bits::Bits;
use nearmiss_trace::wave::{BitVector, Kind, Radix, Signal, SignalInfo, Value, Values, Wave};

use crate::Report;
use crate::causes::vcd;

/// So much time a cycle takes.
const CYCLE: u64 = 10;
/// So many places of a memory are shown.
const MOST_PLACES: usize = 256;

/// The runs of an answer, cycle by cycle.
pub struct Waves {
    /// All signals: `failing.…`, `passing.…` and `marks.…`.
    pub wave: Wave,
    /// The signals of the model, in order.
    pub lanes: Vec<Lane>,
    /// The claim that is violated, in the last cycle.
    pub claim: String,
}

/// A signal of the model.
pub struct Lane {
    /// Its name.
    pub name: String,
    /// Its values in the failing run: an index into the wave.
    pub failing: usize,
    /// In the passing run, if there is one.
    pub passing: Option<usize>,
    /// Where these differ.
    pub differs: Bits,
}

impl Lane {
    /// The cycles in which it differs.
    pub fn cycles(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.differs.len()).filter(|cycle| self.differs.get(*cycle))
    }
}

/// A run, simulated.
pub struct Simulated<'r> {
    /// The model and its program.
    pub hardware: &'r Hardware,
    /// The claim that it violates in its last cycle.
    pub claim: ClaimId,
    /// What comes from outside.
    pub stimulus: Stimulus,
    wave: simulate::Wave,
}

/// The failing run of a model; nothing, if none is known, or the answer is about no model.
pub fn failing<'r>(report: &Report<'r>) -> Option<Simulated<'r>> {
    let hardware = report.program.hardware.as_deref()?;
    let violated = &report.explanation.claims[report.explanation.property?].id;
    let claim = ClaimId(report.program.claims.iter().position(|claim| claim.id == *violated)? as u32);
    let inputs = &report.explanation.counterexample.as_ref()?.inputs;
    let is_formula = report.program.claims[claim.index()].kind == ClaimKind::Temporal;
    let (stimulus, wave) = match is_formula {
        false => hardware.violation(inputs, claim)?,
        true => {
            let stimulus = hardware.repeated(inputs, hardware.cycles(report.program, inputs));
            let wave = simulate::simulate(&hardware.model, &stimulus);
            (stimulus, wave)
        }
    };
    Some(Simulated { hardware, claim, stimulus, wave })
}

/// Both runs, or the failing one alone.
pub fn of(report: &Report) -> Option<Waves> {
    let failing = failing(report)?;
    let cycles = failing.stimulus.cycles.len();
    let nearest = report.explanation.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref());
    let passing = nearest.map(|nearest| {
        let stimulus = failing.hardware.repeated(&nearest.inputs, cycles);
        simulate::simulate(&failing.hardware.model, &stimulus)
    });
    let mut waves = Waves {
        wave: Wave { cycles, times: (0..cycles as u64).map(|cycle| cycle * CYCLE).collect(), ..Wave::default() },
        lanes: Vec::new(),
        claim: report.program.claims[failing.claim.index()].id.clone(),
    };
    let both = [Some(&failing.wave), passing.as_ref()];
    for (name, shown) in shown(failing.hardware, &both) {
        waves.lane(&name, both.map(|run| Some(run?.rows(shown))));
    }
    waves.marks(passing.is_some());
    Some(waves)
}

/// What a signal shows.
#[derive(Clone, Copy)]
enum Shown {
    Word(NodeId),
    Place(NodeId, u64),
}

trait Rows {
    /// A value for each cycle.
    fn rows(&self, shown: Shown) -> Vec<&Word>;
}

impl Rows for simulate::Wave {
    fn rows(&self, shown: Shown) -> Vec<&Word> {
        match shown {
            Shown::Word(id) => self.cycles.iter().map(|cycle| &cycle[id]).collect(),
            Shown::Place(id, address) => self.memories.iter().map(|memories| memories[&id].at(address)).collect(),
        }
    }
}

/// The signals by name: inputs, states, then what is computed.
fn shown(hardware: &Hardware, runs: &[Option<&simulate::Wave>]) -> Vec<(String, Shown)> {
    let model = &hardware.model;
    let rank = |id: &NodeId| match model.node(*id).kind {
        Source::Input => 0,
        Source::State { .. } => 1,
        _ => 2,
    };
    let mut ids: Vec<NodeId> = (0..model.nodes.len()).collect();
    ids.sort_by_key(rank);
    let (mut all, mut used) = (Vec::new(), HashSet::new());
    for id in ids {
        let node = model.node(id);
        let Some(name) = node.name.clone().filter(|name| used.insert(name.clone())) else { continue };
        match (node.sort, &node.kind) {
            (Sort::Word(_), Source::Constant(_)) => {}
            (Sort::Word(_), _) => all.push((name, Shown::Word(id))),
            (Sort::Array { .. }, Source::State { .. }) => {
                let memories = runs.iter().flatten().flat_map(|run| &run.memories);
                let places: BTreeSet<u64> =
                    memories.flat_map(|memories| memories[&id].places.keys().copied()).collect();
                let places = places.into_iter().take(MOST_PLACES);
                all.extend(places.map(|address| (format!("{name}({address})"), Shown::Place(id, address))));
            }
            (Sort::Array { .. }, _) => {}
        }
    }
    all
}

impl Waves {
    fn lane(&mut self, name: &str, [failing, passing]: [Option<Vec<&Word>>; 2]) {
        let Some(failing) = failing else { return };
        let differs = match &passing {
            Some(passing) => Bits::from_bools(failing.iter().zip(passing).map(|(failing, passing)| failing != passing)),
            None => Bits::filled(failing.len(), false),
        };
        let failing = self.signal(format!("failing.{name}"), &failing);
        let passing = passing.map(|passing| self.signal(format!("passing.{name}"), &passing));
        self.lanes.push(Lane { name: name.to_owned(), failing, passing, differs });
    }

    fn signal(&mut self, name: String, rows: &[&Word]) -> usize {
        let width = rows.first().map_or(1, |word| word.len()) as u32;
        let values = match width {
            1 => Values::Bit {
                value: Bits::from_bools(rows.iter().map(|word| word[0])),
                unknown: Bits::filled(rows.len(), false),
            },
            _ => changes(
                (0..rows.len()).filter(|at| *at == 0 || rows[*at] != rows[*at - 1]).map(|at| (at, vector(rows[at]))),
            ),
        };
        self.push(name, width, values)
    }

    fn push(&mut self, name: String, width: u32, values: Values) -> usize {
        let kind = Kind::Bits { width, signed: false, low: 0, descending: true };
        let info = SignalInfo { name, kind, enumerators: Vec::new(), wire: None, radix: Radix::default() };
        self.wave.signals.push(Signal { info, values });
        self.wave.signals.len() - 1
    }

    /// Which cycle it is, whether anything differs in it, and where the claim is violated. That the cycle is always another one
    /// makes every cycle a moment of the file.
    fn marks(&mut self, compared: bool) {
        let cycles = self.wave.cycles;
        let unknown = || Bits::filled(cycles, false);
        let numbers = (0..cycles).map(|cycle| (cycle, BitVector::number(32, cycle as u64)));
        self.push("marks.cycle".to_owned(), 32, changes(numbers));
        if compared {
            let value =
                Bits::from_bools((0..cycles).map(|cycle| self.lanes.iter().any(|lane| lane.differs.get(cycle))));
            self.push("marks.differs".to_owned(), 1, Values::Bit { value, unknown: unknown() });
        }
        let value = Bits::from_bools((1..=cycles).map(|cycle| cycle == cycles));
        self.push("marks.violated".to_owned(), 1, Values::Bit { value, unknown: unknown() });
    }

    /// The lanes that differ, by cycle.
    fn by_cycle(&self) -> BTreeMap<usize, Vec<&Lane>> {
        let mut cycles: BTreeMap<usize, Vec<&Lane>> = BTreeMap::new();
        for lane in &self.lanes {
            lane.cycles().for_each(|cycle| cycles.entry(cycle).or_default().push(lane));
        }
        cycles
    }

    /// What a lane shows in a cycle of both runs.
    fn told(&self, lane: &Lane, cycle: usize) -> String {
        let at = |signal: usize| self.wave.signals[signal].text_at(cycle);
        let passing = lane.passing.map_or(String::new(), |passing| format!(", {} in the passing run", at(passing)));
        format!("`{}` is {}{passing}", lane.name, at(lane.failing))
    }

    fn time(&self, cycle: usize) -> u64 {
        self.wave.time(cycle).unwrap_or(0)
    }

    /// As a value change dump.
    pub fn dump(&self, command: &str) -> String {
        vcd::of_wave(command, &self.wave)
    }
}

/// A dump without signals, where no run fails.
pub fn none(command: &str) -> String {
    vcd::of_wave(command, &Wave::default())
}

fn changes(changes: impl Iterator<Item = (usize, BitVector)>) -> Values {
    let (at, value) = changes.map(|(at, bits)| (at as u32, Value::Bits(bits))).unzip();
    Values::Changes { at, value }
}

fn vector(word: &Word) -> BitVector {
    let digits: String = word.iter().rev().map(|bit| if *bit { '1' } else { '0' }).collect();
    BitVector::parse(&digits).unwrap_or_else(|| BitVector::number(1, 0))
}
