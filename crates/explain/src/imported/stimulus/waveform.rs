//! Waveforms: the values of inputs in each cycle, and of states in the first, by name.
//!
//! In one that we wrote they are in the scope `failing`; elsewhere in that of the module, or wherever the name is alone. With a
//! clock, what comes after its last edge is a cycle too: there a simulator stops that has seen an assertion fail. An edge before
//! any input has a value is none.

use std::collections::{HashMap, HashSet};
use std::io::Cursor;

use nearmiss_program::hardware::model::{Kind, Model, NodeId, Sort};
use nearmiss_trace::ltl;
use nearmiss_trace::read::error::ReadError;
use nearmiss_trace::read::trace::{self, Edge, Sampling};
use nearmiss_trace::wave::{SignalInfo, Value, Wave};

use super::{Run, Spoken, Told, missing};

/// So many places of a memory are looked for.
const MOST_PLACES: u64 = 1 << 12;

pub(super) fn read(bytes: Vec<u8>, model: &Model, clock: Option<&(String, Edge)>) -> Result<Told, ReadError> {
    let is_dump = bytes.trim_ascii_start().starts_with(b"$") || std::str::from_utf8(&bytes).is_err();
    let mut trace = trace::open(Cursor::new(bytes)).map_err(|error| match is_dump {
        true => error,
        false => ReadError::new("this is no run of a model that is known").with_help(
            "it may be a witness of BTOR2 (.wit), Yosys (.yw) or AIGER (.aiw), a waveform (VCD, FST, GHW), or JSON of our own",
        ),
    })?;
    let signals = trace.signals();
    let mut known = Known { signals, exact: HashMap::new(), top: &model.name };
    for (at, signal) in signals.iter().enumerate() {
        known.exact.entry(&signal.name).or_insert(at);
    }
    let mut found: Vec<(Spoken, usize)> = Vec::new();
    for id in model.inputs().into_iter().chain(model.states()) {
        found.extend(known.spoken(model, id));
    }
    let spoken_of: HashSet<NodeId> = found.iter().map(|(Spoken::Word(id) | Spoken::Place(id, _), _)| *id).collect();
    if !model.inputs().iter().any(|id| spoken_of.contains(id)) {
        let error = ReadError::new("no signal of it has the name of an input of the model");
        return Err(
            error.with_help("is it a run of this model? `nearmiss causes FILE --show-signals` lists its signals")
        );
    }
    let clock = match clock {
        Some((name, edge)) => {
            let signal = known.exactly(name).map_or_else(|| ltl::find_signal(name, signals), Ok);
            let signal = signal.map_err(|error| ReadError::new(format!("--clock: {}", error.message)))?;
            Some((signal, *edge))
        }
        None => None,
    };
    let mut notes: Vec<String> = missing(model, &spoken_of).into_iter().collect();
    let is_ours = signals.iter().any(|signal| signal.name.starts_with("failing."));
    if trace.format().is_waveform() && clock.is_none() && !is_ours {
        notes.push(
            "every time stamp of the file counts as a cycle; with --clock SIG each rising edge of a signal is one"
                .to_owned(),
        );
    }
    let wanted: Vec<usize> = found.iter().map(|(_, signal)| *signal).collect();
    let wave = trace.load(&wanted, &Sampling { clock, ..Sampling::default() })?;
    let inputs: Vec<usize> = (0..found.len()).filter(|at| is_input(model, found[*at].0)).collect();
    let is_known = |cycle: &usize| inputs.iter().any(|at| is_known(&wave.signals[*at].at(*cycle)));
    let first = if clock.is_some() { (0..wave.cycles).find(is_known).unwrap_or(0) } else { 0 };
    let mut run = Run::new(model);
    run.lasts(wave.cycles - first)?;
    for cycle in first..wave.cycles {
        take(&mut run, &found, &wave, [cycle, cycle - first]);
    }
    if clock.is_some() {
        let all = trace.load(&wanted, &Sampling::default())?;
        run.lasts(wave.cycles - first + 1)?;
        take(&mut run, &found, &all, [all.cycles - 1, wave.cycles - first]);
    }
    run.told(notes)
}

fn is_input(model: &Model, of: Spoken) -> bool {
    matches!(of, Spoken::Word(id) if model.node(id).kind == Kind::Input)
}

/// Is any bit of it known?
fn is_known(value: &Value) -> bool {
    match value {
        Value::Bits(bits) => bits.unknown.iter().map(|word| word.count_ones()).sum::<u32>() < bits.width,
        _ => true,
    }
}

/// What a cycle of a waveform says of one of the run.
fn take(run: &mut Run<'_>, found: &[(Spoken, usize)], wave: &Wave, [from, to]: [usize; 2]) {
    for ((of, _), signal) in found.iter().zip(&wave.signals) {
        let Value::Bits(bits) = signal.at(from) else { continue };
        for bit in 0..bits.width.min(run.width(*of)) {
            let (word, at) = ((bit / 64) as usize, bit % 64);
            if (bits.value[word] & !bits.unknown[word]) >> at & 1 == 1 {
                run.set(to, *of, bit);
            }
        }
    }
}

/// The signals of the file.
struct Known<'a> {
    signals: &'a [SignalInfo],
    exact: HashMap<&'a str, usize>,
    /// What the model is called.
    top: &'a str,
}

impl Known<'_> {
    /// The signals that say something of an input or a state.
    fn spoken(&self, model: &Model, id: NodeId) -> Vec<(Spoken, usize)> {
        let node = model.node(id);
        let Some(name) = &node.name else { return Vec::new() };
        let Sort::Array { index, .. } = node.sort else {
            let needs =
                matches!(node.kind, Kind::Input | Kind::State { init: None, .. } | Kind::State { next: None, .. });
            let signal = needs.then(|| self.exactly(name).or_else(|| ltl::find_signal(name, self.signals).ok()));
            return signal.flatten().map(|signal| (Spoken::Word(id), signal)).into_iter().collect();
        };
        let places = (0..MOST_PLACES.min(1 << index.min(63))).filter_map(|address| {
            let forms = [format!("{name}({address})"), format!("{name}[{address}]"), format!("{name}<{address}>")];
            let signal = forms.iter().find_map(|form| self.exactly(form))?;
            Some((Spoken::Place(id, address), signal))
        });
        places.collect()
    }

    fn exactly(&self, name: &str) -> Option<usize> {
        let names = [format!("failing.{name}"), format!("{}.{name}", self.top), name.to_owned()];
        names.iter().find_map(|name| self.exact.get(name.as_str()).copied())
    }
}
