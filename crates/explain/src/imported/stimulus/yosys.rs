//! Witnesses of Yosys (`.yw`): JSON with signals by name, and for each step their bits in a row, the last bit first.

use std::collections::HashSet;

use nearmiss_program::hardware::model::Model;
use nearmiss_trace::read::error::{Place, ReadError};
use serde_json::Value;

use super::{Names, Run, Spoken, Told, missing};

/// So many bits a step may have.
const MOST_BITS: u64 = 1 << 24;

pub(super) fn read(text: &str, model: &Model) -> Result<Told, ReadError> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let at = Place { line: error.line() as u64, column: error.column().max(1) as u64 };
        ReadError::new(format!("this is no JSON: {error}")).at(at)
    })?;
    let lacks = |what: &str| ReadError::new(format!("this is no Yosys witness: it has no {what}"));
    let list = |key: &str| value[key].as_array().ok_or_else(|| lacks(key));
    let (names, mut run, mut spoken_of) = (Names::new(model), Run::new(model), HashSet::new());
    let mut bits: Vec<Option<(Spoken, u32)>> = Vec::new();
    for signal in list("signals")? {
        let path = signal["path"].as_array().ok_or_else(|| lacks("path"))?;
        let path: Vec<String> =
            path.iter().map(|part| part.as_str().unwrap_or_default().trim_start_matches('\\').to_owned()).collect();
        let (width, offset) = (signal["width"].as_u64().unwrap_or(0), signal["offset"].as_u64().unwrap_or(0));
        if width.saturating_add(offset) > MOST_BITS || bits.len() as u64 > MOST_BITS {
            return Err(ReadError::new(format!("it has steps of more than {MOST_BITS} bits")));
        }
        let found = names.find(model, &path);
        if let Some(Spoken::Word(id) | Spoken::Place(id, _)) = found {
            spoken_of.insert(id);
        }
        bits.extend((offset..offset + width).map(|bit| found.map(|found| (found, bit as u32))));
    }
    for (cycle, step) in list("steps")?.iter().enumerate() {
        let digits = step["bits"].as_str().ok_or_else(|| lacks("bits"))?;
        run.lasts(cycle + 1)?;
        if digits.len() > bits.len() {
            let message = format!("step {cycle} has {} bits, and the signals have {}", digits.len(), bits.len());
            return Err(ReadError::new(message));
        }
        for (digit, of) in digits.bytes().rev().zip(&bits) {
            if let (b'1', Some((of, bit))) = (digit, of) {
                run.set(cycle, *of, *bit);
            }
        }
    }
    run.told(missing(model, &spoken_of).into_iter().collect())
}
