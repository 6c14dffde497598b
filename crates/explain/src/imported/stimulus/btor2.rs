//! Witnesses of BTOR2: `sat`, what is violated, then frames of states (`#0`) and inputs (`@0`), a number and its bits a line.
//!
//! Numbers count the states, and the inputs, in the order of the model's file, from 0.

use std::collections::HashSet;

use nearmiss_program::hardware::model::{Model, NodeId};
use nearmiss_trace::read::error::{Place, ReadError};

use super::{Run, Spoken, Told, missing};

pub(super) fn read(text: &str, model: &Model) -> Result<Told, ReadError> {
    let (inputs, states) = (model.inputs(), model.states());
    let (mut run, mut spoken_of) = (Run::new(model), HashSet::new());
    // What the lines below a mark speak of, and of which cycle.
    let mut frame: Option<(&[NodeId], usize)> = None;
    for (at, line) in (1..).map(|line| Place { line, column: 1 }).zip(text.lines()) {
        let line = line.split(';').next().unwrap_or_default().trim();
        let wrong = |what: &str| ReadError::new(format!("`{line}` is {what}")).at(at);
        match (line.chars().next(), line) {
            (None, _) | (Some('b' | 'j'), _) | (_, "sat") => {}
            (_, "unsat") => {
                return Err(ReadError::new("this says that nothing is violated").at(at));
            }
            (_, ".") => break,
            (Some(mark @ ('#' | '@')), _) => {
                let cycle: usize = line[1..].parse().map_err(|_| wrong("no number of a frame"))?;
                run.lasts(cycle.saturating_add(1))?;
                frame = Some((if mark == '#' { &states } else { &inputs }, cycle));
            }
            _ => {
                let (of, cycle) = frame.ok_or_else(|| wrong("in no frame"))?;
                let words: Vec<&str> = line.split_whitespace().collect();
                let id = words[0].parse().ok().and_then(|number: usize| of.get(number).copied());
                let id = id.ok_or_else(|| wrong("about something that the model does not have"))?;
                let (spoken, digits) = match words[1..] {
                    [address, digits, ..] if address.starts_with('[') => (place(id, address), digits),
                    [digits, ..] => (Some(Spoken::Word(id)), digits),
                    [] => return Err(wrong("without a value")),
                };
                let spoken = spoken.ok_or_else(|| wrong("without an address"))?;
                spoken_of.insert(id);
                run.digits(cycle, spoken, digits, at)?;
            }
        }
    }
    run.told(missing(model, &spoken_of).into_iter().collect())
}

fn place(id: NodeId, address: &str) -> Option<Spoken> {
    let digits = address.strip_prefix('[')?.strip_suffix(']')?;
    u64::from_str_radix(digits, 2).ok().map(|address| Spoken::Place(id, address))
}
