//! A trace beside the model of what it is a trace of: the model does in each cycle what the trace says that comes from outside.
//!
//! The model starts with what the trace says of its registers, so that a trace may begin anywhere. Signals of both are compared in every
//! cycle; from the first on in which one differs nothing is said.

use std::collections::HashMap;

use nearmiss_program::hardware::model::{Bits, Kind, Model, NodeId, Sort};
use nearmiss_program::hardware::simulate::{self, Stimulus, Wave};
use nearmiss_trace::ltl;
use nearmiss_trace::read::error::ReadError;
use nearmiss_trace::read::trace::{Sampling, Trace};
use nearmiss_trace::wave::{BitVector, SignalInfo, Value, Wave as Traced};

/// So many places of a memory are looked for.
const MOST_PLACES: u64 = 1 << 12;

/// What the model does along a trace.
pub struct Driven {
    /// The model, whose registers start as the trace says.
    pub model: Model,
    /// What it does, as far as the trace does the same.
    pub wave: Wave,
    /// The cycle of the trace that is its first.
    pub first: usize,
    /// Which node a signal of the trace is, by its full name.
    pub nodes: HashMap<String, NodeId>,
    /// Where the two differ first.
    pub differs: Option<Difference>,
}

/// Where a model and a trace differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The signal.
    pub name: String,
    /// The cycle of the trace.
    pub cycle: usize,
    /// What the trace says.
    pub traced: String,
    /// What the model does.
    pub simulated: String,
}

/// Simulates the model along a trace. Names are looked up below the scope first.
///
/// # Errors
///
/// The trace cannot be read, or has no input of the model.
pub fn driven(model: &Model, trace: &mut Trace, sampling: &Sampling, scope: Option<&str>) -> Result<Driven, ReadError> {
    let mut words: Vec<(NodeId, usize)> = Vec::new();
    let mut places: Vec<(NodeId, u64, usize)> = Vec::new();
    let names = Names { signals: trace.signals(), top: &model.name, scope };
    for (id, node) in model.nodes.iter().enumerate() {
        let Some(name) = &node.name else { continue };
        match node.sort {
            Sort::Word(width) => words.extend(names.find(name, width).map(|signal| (id, signal))),
            Sort::Array { index, element } => {
                let forms = |address| [format!("{name}({address})"), format!("{name}[{address}]")];
                places.extend((0..MOST_PLACES.min(1 << index.min(63))).filter_map(|address| {
                    let found = forms(address).iter().find_map(|form| names.exactly(form, element));
                    found.map(|signal| (id, address, signal))
                }));
            }
        }
    }
    let is_input = |id: &NodeId| model.node(*id).kind == Kind::Input;
    if !words.iter().any(|(id, _)| is_input(id)) {
        let error = ReadError::new("no signal of the trace has the name of an input of the model");
        return Err(error.with_help("is it a trace of this design? --scope says where in the trace it is"));
    }
    let nodes = words.iter().map(|(id, signal)| (trace.signals()[*signal].name.clone(), *id)).collect();
    let wanted: Vec<usize> =
        words.iter().map(|(_, signal)| *signal).chain(places.iter().map(|place| place.2)).collect();
    let traced = trace.load(&wanted, sampling)?;
    let at = |signal: usize, cycle: usize| match traced.signals[signal].at(cycle) {
        Value::Bits(bits) => Some(bits),
        _ => None,
    };
    // Before anything comes from outside nothing is known.
    let is_told = |cycle: &usize| {
        words
            .iter()
            .enumerate()
            .any(|(place, (id, _))| is_input(id) && at(place, *cycle).is_some_and(|bits| is_known(&bits)))
    };
    let first = (0..traced.cycles).find(is_told).unwrap_or(0);
    let mut model = model.clone();
    let mut stimulus = Stimulus::default();
    for (place, (id, _)) in words.iter().enumerate() {
        let known = at(place, first).filter(is_known);
        if let (Kind::State { init, .. }, Some(bits)) = (&mut model.nodes[*id].kind, known) {
            *init = None;
            stimulus.started.insert(*id, row(&bits));
        }
    }
    for (place, (id, address, _)) in places.iter().enumerate() {
        if let (Kind::State { init, .. }, Some(bits)) = (&mut model.nodes[*id].kind, at(words.len() + place, first)) {
            *init = None;
            stimulus.memories.entry(*id).or_default().insert(*address, row(&bits));
        }
    }
    for cycle in first..traced.cycles {
        let mut inputs: HashMap<NodeId, Bits> = HashMap::new();
        for (place, (id, _)) in words.iter().enumerate() {
            // What a register without a next value becomes is known one cycle later.
            let from = match model.nodes[*id].kind {
                Kind::Input => cycle,
                Kind::State { next: None, .. } if cycle + 1 < traced.cycles => cycle + 1,
                _ => continue,
            };
            inputs.extend(at(place, from).map(|bits| (*id, row(&bits))));
        }
        stimulus.cycles.push(inputs);
    }
    let mut wave = simulate::simulate(&model, &stimulus);
    let differs = difference(&model, &wave, (&traced, first), &words);
    if let Some(differs) = &differs {
        wave.cut(differs.cycle - first);
    }
    Ok(Driven { model, wave, first, nodes, differs })
}

/// The first cycle in which a value that the trace knows is another one, and the first such signal in it.
fn difference(
    model: &Model,
    wave: &Wave,
    (traced, first): (&Traced, usize),
    words: &[(NodeId, usize)],
) -> Option<Difference> {
    for (cycle, values) in wave.cycles.iter().enumerate() {
        for (place, (id, _)) in words.iter().enumerate() {
            let Value::Bits(bits) = traced.signals[place].at(first + cycle) else { continue };
            let own = &values[*id];
            let is_other = |bit: u32| {
                let (word, at) = ((bit / 64) as usize, bit % 64);
                bits.unknown[word] >> at & 1 == 0 && (bits.value[word] >> at & 1 == 1) != own[bit as usize]
            };
            if (0..bits.width.min(own.len() as u32)).any(is_other) {
                let info = &traced.signals[place].info;
                return Some(Difference {
                    name: model.node(*id).name.clone().unwrap_or_default(),
                    cycle: first + cycle,
                    traced: info.text(&Value::Bits(bits.clone())),
                    simulated: info.text(&Value::Bits(vector(own))),
                });
            }
        }
    }
    None
}

/// Is every bit of it known?
fn is_known(bits: &BitVector) -> bool {
    !bits.has_unknown()
}

/// Bits that are not known are 0.
fn row(bits: &BitVector) -> Bits {
    let bit = |bit: u32| {
        let (word, at) = ((bit / 64) as usize, bit % 64);
        (bits.value[word] & !bits.unknown[word]) >> at & 1 == 1
    };
    (0..bits.width).map(bit).collect()
}

fn vector(row: &Bits) -> BitVector {
    let digits: String = row.iter().rev().map(|bit| if *bit { '1' } else { '0' }).collect();
    BitVector::parse(&digits).unwrap_or_else(|| BitVector::number(row.len() as u32, 0))
}

/// The signals of a trace.
struct Names<'a> {
    signals: &'a [SignalInfo],
    /// What the model is called.
    top: &'a str,
    scope: Option<&'a str>,
}

impl Names<'_> {
    /// The signal that a name of the model stands for, if it is as wide.
    fn find(&self, name: &str, width: u32) -> Option<usize> {
        let ending = || ltl::find_signal(name, self.signals).ok().filter(|signal| self.is_as_wide(*signal, width));
        self.exactly(name, width).or_else(ending)
    }

    fn exactly(&self, name: &str, width: u32) -> Option<usize> {
        let scoped = self.scope.map(|scope| format!("{scope}.{name}"));
        let names =
            scoped.into_iter().chain([format!("failing.{name}"), format!("{}.{name}", self.top), name.to_owned()]);
        let mut found = names.filter_map(|name| self.signals.iter().position(|signal| signal.name == name));
        found.find(|signal| self.is_as_wide(*signal, width))
    }

    fn is_as_wide(&self, signal: usize, width: u32) -> bool {
        use nearmiss_trace::wave::Kind as WaveKind;
        matches!(self.signals[signal].kind, WaveKind::Bits { width: own, .. } if own == width)
    }
}
