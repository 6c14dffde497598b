//! Runs of models of hardware that others have found: what comes from outside in each cycle, by name or by number.
//!
//! Model checkers write witnesses (`btor2`, `yosys`, `aiger`), simulators write waveforms (`waveform`). Whatever a file says
//! of what follows from that is not looked at: the model is simulated. What it says nothing of is 0.

mod aiger;
mod btor2;
mod waveform;
mod yosys;

use std::collections::{HashMap, HashSet};

use nearmiss_program::hardware::LONGEST;
use nearmiss_program::hardware::model::{Bits, Kind, Model, NodeId, Sort};
use nearmiss_program::hardware::simulate::Stimulus;
use nearmiss_trace::read::error::{Place, ReadError};
use nearmiss_trace::read::trace::Edge;

/// So many names are listed in a note.
const MOST_NAMES: usize = 8;

/// What a file tells.
#[derive(Debug)]
pub struct Told {
    /// What comes from outside.
    pub stimulus: Stimulus,
    /// What a reader should know, a sentence each.
    pub notes: Vec<String>,
}

/// Is it such a run? The other thing that it may be is JSON of our own.
pub fn is_run(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    let named = b"Yosys Witness Trace";
    !start.starts_with(b"[") && !start.starts_with(b"{")
        || start.windows(named.len()).take(1 << 16).any(|part| part == named)
}

/// Reads a run of a model, recognised by its content. Of a waveform, the clock says what a cycle is: an edge of this signal; without
/// one every time stamp is.
///
/// # Errors
///
/// What is wrong with the file, and where.
pub fn read(bytes: Vec<u8>, model: &Model, clock: Option<&(String, Edge)>) -> Result<Told, ReadError> {
    let text = std::str::from_utf8(&bytes).unwrap_or_default();
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let is_json = first.starts_with('{');
    let is_witness = is_json || ["sat", "unsat"].contains(&first) || first.starts_with(['#', '@']);
    let is_bits = !first.is_empty() && first.len() < 3 && first.bytes().all(|byte| matches!(byte, b'0'..=b'2'));
    if bytes.is_empty() {
        return Err(ReadError::new("the file is empty").with_help("did the checker find a counterexample?"));
    }
    if clock.is_some() && (is_witness || is_bits) {
        return Err(ReadError::new("--clock is for waveforms; a step of a witness is a cycle"));
    }
    match () {
        () if is_json => yosys::read(text, model),
        () if is_witness => btor2::read(text, model),
        () if is_bits => aiger::read(text, model),
        () => waveform::read(bytes, model, clock),
    }
}

/// Something of a model that a file may speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spoken {
    /// An input or a state.
    Word(NodeId),
    /// A place of a memory.
    Place(NodeId, u64),
}

/// What a file says, on its way.
struct Run<'m> {
    model: &'m Model,
    stimulus: Stimulus,
}

impl Run<'_> {
    fn new(model: &Model) -> Run<'_> {
        Run { model, stimulus: Stimulus::default() }
    }

    /// How wide what is spoken of is.
    fn width(&self, of: Spoken) -> u32 {
        match (
            of,
            self.model
                .node(match of {
                    Spoken::Word(id) | Spoken::Place(id, _) => id,
                })
                .sort,
        ) {
            (Spoken::Place(..), Sort::Array { element, .. }) => element,
            (_, sort) => sort.width(),
        }
    }

    /// There are so many cycles, at least.
    fn lasts(&mut self, cycles: usize) -> Result<(), ReadError> {
        if cycles > LONGEST {
            return Err(ReadError::new(format!("it has more than {LONGEST} cycles")));
        }
        if cycles > self.stimulus.cycles.len() {
            self.stimulus.cycles.resize(cycles, HashMap::new());
        }
        Ok(())
    }

    /// A bit is 1 in a cycle that is there. What a state is later than at the start follows, but where it may become anything.
    fn set(&mut self, cycle: usize, of: Spoken, bit: u32) {
        let width = self.width(of);
        let bits: &mut Bits = match of {
            Spoken::Place(id, address) if cycle == 0 => {
                let places = self.stimulus.memories.entry(id).or_default();
                places.entry(address).or_insert_with(|| vec![false; width as usize])
            }
            Spoken::Place(..) => return,
            Spoken::Word(id) => {
                let into = match &self.model.node(id).kind {
                    Kind::Input => &mut self.stimulus.cycles[cycle],
                    Kind::State { .. } if cycle == 0 => &mut self.stimulus.started,
                    Kind::State { next: None, .. } => &mut self.stimulus.cycles[cycle - 1],
                    _ => return,
                };
                into.entry(id).or_insert_with(|| vec![false; width as usize])
            }
        };
        if bit < width {
            bits[bit as usize] = true;
        }
    }

    /// Bits as digits, the highest first. Those that are not known are 0.
    fn digits(&mut self, cycle: usize, of: Spoken, digits: &str, at: Place) -> Result<(), ReadError> {
        let wide = digits.len();
        if wide != self.width(of) as usize || !digits.bytes().all(|digit| b"01xXzZ?".contains(&digit)) {
            let message = format!("`{digits}` is not {} bits", self.width(of));
            let help = "is this a run of the model as it is now?";
            return Err(ReadError::new(message).at(at).with_help(help));
        }
        for (bit, digit) in digits.bytes().rev().enumerate() {
            if digit == b'1' {
                self.set(cycle, of, bit as u32);
            }
        }
        Ok(())
    }

    fn told(self, notes: Vec<String>) -> Result<Told, ReadError> {
        if self.stimulus.cycles.is_empty() {
            let error = ReadError::new("it has no cycle");
            return Err(error.with_help("did the checker find a counterexample?"));
        }
        Ok(Told { stimulus: self.stimulus, notes })
    }
}

/// What comes from outside, by name.
struct Names(HashMap<String, NodeId>);

impl Names {
    fn new(model: &Model) -> Names {
        let all = model.inputs().into_iter().chain(model.states());
        Names(all.filter_map(|id| Some((model.node(id).name.clone()?, id))).collect())
    }

    /// What a path of names is, be it a place of a memory: `mem`, `[3]`.
    fn find(&self, model: &Model, path: &[String]) -> Option<Spoken> {
        if let Some(id) = self.0.get(&path.join(".")) {
            return Some(Spoken::Word(*id)).filter(|_| model.width(*id) > 0);
        }
        let (last, before) = path.split_last()?;
        let address = last.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
        let id = *self.0.get(&before.join("."))?;
        (model.width(id) == 0).then_some(Spoken::Place(id, address))
    }
}

/// What the file says nothing of, of all that can matter.
fn missing(model: &Model, spoken_of: &HashSet<NodeId>) -> Option<String> {
    let needed = model.needed();
    let inputs = model.inputs().into_iter().filter(|id| needed[*id] && !spoken_of.contains(id));
    // What has no name is a don't-care that no tool names.
    let names = inputs.filter_map(|id| model.node(id).name.as_ref().map(|name| format!("`{name}`")));
    let names: Vec<String> = names.collect();
    let more = names.len().saturating_sub(MOST_NAMES);
    let listed = names.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
    match (names.len(), more) {
        (0, _) => None,
        (_, 0) => Some(format!("the given run says nothing of {listed}: 0 is taken for that")),
        _ => Some(format!("the given run says nothing of {listed} and {more} more inputs: 0 is taken for that")),
    }
}

#[cfg(test)]
mod tests;
