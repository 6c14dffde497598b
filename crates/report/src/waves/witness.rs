//! The failing run of a model as a witness that other tools read: BTOR2's, Yosys's or AIGER's own form.
//!
//! All three say what comes from outside and nothing of what follows: states as they start, where they may start as
//! anything, then the inputs of every cycle.

use std::collections::HashMap;
use std::fmt::Write;

use nearmiss_program::hardware::model::{Bits, Kind, Model, NodeId, Sort};
use serde_json::{Value, json};

use super::Simulated;

/// A form of witnesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `.wit`.
    Btor2,
    /// `.yw`.
    Yosys,
    /// `.aiw`.
    Aiger,
}

impl Form {
    /// The form that the name of a file asks for.
    pub fn of_file(name: &str) -> Option<Form> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "wit" => Some(Form::Btor2),
            "yw" => Some(Form::Yosys),
            "aiw" => Some(Form::Aiger),
            _ => None,
        }
    }
}

/// The witness. The error says why the form has no words for the run.
///
/// # Errors
///
/// The form names signals, and one has no name; or it knows bits only, and there are words.
pub fn render(run: &Simulated, form: Form) -> Result<String, String> {
    if label(run).is_none() {
        return Err("a formula is no part of the model, and a witness has no name for it".to_owned());
    }
    match form {
        Form::Btor2 => Ok(btor2(run)),
        Form::Yosys => yosys(run),
        Form::Aiger => aiger(run),
    }
}

/// What is violated, as the model numbers it.
fn label(run: &Simulated) -> Option<String> {
    let (model, claim) = (&*run.hardware.model, run.claim.index());
    match claim < model.bad.len() {
        true => Some(format!("b{claim}")),
        // All of them are one claim.
        false => (model.justice.len() == 1).then(|| "j0".to_owned()),
    }
}

fn digits(bits: Option<&Bits>, width: u32) -> String {
    let bit = |at: u32| bits.is_some_and(|bits| bits[at as usize]);
    (0..width).rev().map(|at| if bit(at) { '1' } else { '0' }).collect()
}

/// Numbers count inputs and states in the order of the file.
fn btor2(run: &Simulated) -> String {
    let (model, stimulus) = (&*run.hardware.model, &run.stimulus);
    let mut out = format!("sat\n{}\n", label(run).unwrap_or_default());
    let name = |id: NodeId, frame: &str| {
        let name = model.node(id).name.as_ref().filter(|name| !name.contains(char::is_whitespace));
        name.map_or(String::new(), |name| format!(" {name}{frame}"))
    };
    let states = model.states();
    // Where a compiler gives names, an input without one is a don't-care, and yosys does not read lines about it.
    let are_named = model.inputs().into_iter().any(|id| model.node(id).name.is_some());
    let is_said = |id: NodeId, inputs: &HashMap<NodeId, Bits>| {
        !are_named || model.node(id).name.is_some() || inputs.get(&id).is_some_and(|bits| bits.contains(&true))
    };
    for (cycle, inputs) in stimulus.cycles.iter().enumerate() {
        let mut said = String::new();
        for (number, id) in states.iter().enumerate() {
            let (width, frame) = (model.width(*id), format!("#{cycle}"));
            let Kind::State { init, next } = &model.node(*id).kind else { continue };
            let bits = match cycle.checked_sub(1) {
                None if init.is_none() => stimulus.started.get(id),
                Some(before) if next.is_none() => stimulus.cycles[before].get(id),
                _ => continue,
            };
            let Sort::Array { index, .. } = model.node(*id).sort else {
                let _ = writeln!(said, "{number} {}{}", digits(bits, width), name(*id, &frame));
                continue;
            };
            for (address, word) in stimulus.memories.get(id).into_iter().flatten().filter(|_| cycle == 0) {
                let address = format!("{address:0>width$b}", width = index as usize);
                let _ = writeln!(
                    said,
                    "{number} [{address}] {}{}",
                    digits(Some(word), word.len() as u32),
                    name(*id, &frame)
                );
            }
        }
        if cycle == 0 || !said.is_empty() {
            let _ = write!(out, "#{cycle}\n{said}");
        }
        let _ = writeln!(out, "@{cycle}");
        for (number, id) in model.inputs().into_iter().enumerate().filter(|(_, id)| is_said(*id, inputs)) {
            let bits = digits(inputs.get(&id), model.width(id));
            let _ = writeln!(out, "{number} {bits}{}", name(id, &format!("@{cycle}")));
        }
    }
    out + ".\n"
}

/// Everything has one bit: latches first, then a line of inputs for each cycle.
fn aiger(run: &Simulated) -> Result<String, String> {
    let (model, stimulus) = (&*run.hardware.model, &run.stimulus);
    let (inputs, states) = (model.inputs(), model.states());
    if inputs.iter().chain(&states).any(|id| model.width(*id) != 1) {
        return Err("a witness of AIGER (.aiw) knows single bits only; write a .wit or a .yw file".to_owned());
    }
    let row = |of: &[NodeId], values: &HashMap<NodeId, Bits>| -> String {
        of.iter().map(|id| digits(values.get(id), 1)).collect()
    };
    // Of latches that start with a number, that number.
    let started: String = states.iter().map(|id| if run.wave.cycles[0][*id][0] { '1' } else { '0' }).collect();
    let mut out = format!("1\n{}\n{started}\n", label(run).unwrap_or_default());
    for cycle in &stimulus.cycles {
        let _ = writeln!(out, "{}", row(&inputs, cycle));
    }
    Ok(out + ".\n")
}

/// A signal of a Yosys witness.
struct Named {
    path: Vec<String>,
    id: NodeId,
    width: u32,
    address: Option<u64>,
}

/// Signals by the names of their modules and their own; those that matter at the start only come last.
fn yosys(run: &Simulated) -> Result<String, String> {
    let (model, stimulus) = (&*run.hardware.model, &run.stimulus);
    let needed = model.needed();
    let unnamed = model.inputs().into_iter().chain(model.states()).find(|id| {
        let is_free = matches!(
            model.node(*id).kind,
            Kind::Input | Kind::State { init: None, .. } | Kind::State { next: None, .. }
        );
        let is_set = stimulus
            .cycles
            .iter()
            .chain([&stimulus.started])
            .any(|cycle| cycle.get(id).is_some_and(|bits| bits.contains(&true)));
        is_free && needed[*id] && is_set && model.node(*id).name.is_none()
    });
    if let Some(id) = unnamed {
        let number = model.node(id).number;
        return Err(format!(
            "a witness of Yosys (.yw) names signals, and node {number} has no name; write a .wit file"
        ));
    }
    let (always, first) = (inputs(model), starts(run));
    let entry = |named: &Named, init_only: bool| json!({"path": named.path, "width": named.width, "offset": 0, "init_only": init_only});
    let signals = always.iter().map(|named| entry(named, false)).chain(first.iter().map(|named| entry(named, true)));
    let signals: Vec<Value> = signals.collect();
    let steps = stimulus.cycles.iter().enumerate().map(|(cycle, inputs)| {
        let mut bits: Vec<String> = always.iter().map(|named| digits(inputs.get(&named.id), named.width)).collect();
        if cycle == 0 {
            bits.extend(first.iter().map(|named| {
                let word = match named.address {
                    Some(address) => stimulus.memories.get(&named.id).and_then(|places| places.get(&address)),
                    None => stimulus.started.get(&named.id),
                };
                digits(word, named.width)
            }));
        }
        bits.reverse();
        json!({"bits": bits.concat()})
    });
    let witness = json!({
        "format": "Yosys Witness Trace",
        "generator": concat!("nearmiss ", env!("CARGO_PKG_VERSION")),
        "clocks": clocks(model),
        "signals": signals,
        "steps": steps.collect::<Vec<_>>(),
    });
    Ok(format!("{witness:#}\n"))
}

fn path(name: &str) -> Vec<String> {
    name.split('.').map(|part| format!("\\{part}")).collect()
}

fn inputs(model: &Model) -> Vec<Named> {
    let named = |id: NodeId| {
        let name = model.node(id).name.as_ref()?;
        Some(Named { path: path(name), id, width: model.width(id), address: None })
    };
    let uses = model.uses();
    model.inputs().into_iter().filter(|id| !is_clock(model, &uses, *id)).filter_map(named).collect()
}

/// What states start as that may start as anything.
fn starts(run: &Simulated) -> Vec<Named> {
    let model = &run.hardware.model;
    let mut all = Vec::new();
    for id in model.states() {
        let node = model.node(id);
        let (Some(name), Kind::State { init: None, .. }) = (&node.name, &node.kind) else { continue };
        match node.sort {
            Sort::Word(width) => all.push(Named { path: path(name), id, width, address: None }),
            Sort::Array { element, .. } => {
                for address in run.stimulus.memories.get(&id).into_iter().flat_map(|places| places.keys()) {
                    let mut path = path(name);
                    path.push(format!("\\[{address}]"));
                    all.push(Named { path, id, width: element, address: Some(*address) });
                }
            }
        }
    }
    all
}

/// Models have no clocks: a step is a cycle. An input of one bit that nothing uses and that is called like one is taken for one.
fn is_clock(model: &Model, uses: &[u32], id: NodeId) -> bool {
    let name = model.node(id).name.as_deref().unwrap_or_default().to_ascii_lowercase();
    model.width(id) == 1 && uses[id] == 0 && (name.contains("clk") || name.contains("clock"))
}

fn clocks(model: &Model) -> Vec<Value> {
    let uses = model.uses();
    let clocks = model.inputs().into_iter().filter(|id| is_clock(model, &uses, *id));
    let names = clocks.filter_map(|id| model.node(id).name.as_ref());
    names.map(|name| json!({"path": path(name), "edge": "posedge", "offset": 0})).collect()
}
