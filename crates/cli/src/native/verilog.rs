//! Replay by the Verilog that a model was made from: Icarus Verilog simulates it with the inputs of both runs, and every signal that has a
//! name in the model must have the same value there in every cycle.
//!
//! Assertions are taken out of the text, since Icarus Verilog does not know all forms of them. A bench is written with an instance of the module for each run. In a cycle, first the inputs are set (before the first one also
//! registers that may start as anything), then all signals are sampled, then the clock has its edge. What Verilog calls unknown is not compared.
//! If a signal differs, the model may be older than the Verilog, so that this is no error of ours: the answer says it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

use nearmiss_program::hardware::Hardware;
use nearmiss_program::hardware::model::{Bits, Kind, NodeId, Sort};
use nearmiss_program::hardware::places;
use nearmiss_program::hardware::simulate::{Stimulus, Wave};
use nearmiss_report::replay::{Replay, Replays};
use nearmiss_trace::read::trace::{self, Edge, Sampling};
use nearmiss_trace::wave::Value;

use super::process::{self, Compiled, TIME};
use super::sandbox::Build;
use super::{Feed, Question};

/// The bench, and its instances.
const BENCH: &str = "nearmiss_bench";
const INSTANCES: [&str; 2] = ["nearmiss_failing", "nearmiss_passing"];
/// Longer runs are not simulated.
const MOST_CYCLES: usize = 10_000;

/// A run, and what the model does in it.
struct Simulated {
    stimulus: Stimulus,
    wave: Wave,
    instance: &'static str,
}

/// Simulates the Verilog that the model was made from, if it is there.
pub(super) fn replay(question: &Question, hardware: &Hardware) -> Replays {
    let files: Vec<(&str, &str)> = (question.sources.files())
        .filter(|(_, file)| [".v", ".sv"].iter().any(|ending| file.name.ends_with(ending)))
        .map(|(_, file)| (file.name.as_str(), file.text.as_str()))
        .collect();
    if files.is_empty() {
        return Replays::nobody_asked();
    }
    let skipped = |why: String| Replays {
        failing: Replay::Skipped(why.clone()),
        passing: if question.passing.is_some() { Replay::Skipped(why) } else { Replay::Skipped(String::new()) },
        fixes: Vec::new(),
    };
    let feeds = [question.failing, question.passing];
    let run = |(feed, instance): (Option<Feed>, &'static str)| {
        let feed = feed?;
        let cycles = feed_cycles(question, hardware, &feed);
        let stimulus = hardware.stimulus(feed.inputs, cycles);
        let wave = nearmiss_program::hardware::simulate::simulate(&hardware.model, &stimulus);
        Some(Simulated { stimulus, wave, instance })
    };
    let runs: Vec<Simulated> = feeds.into_iter().zip(INSTANCES).filter_map(run).collect();
    match simulate(question, hardware, &files, &runs) {
        Ok(found) => {
            let mut found = found.into_iter();
            let mut next = |feed: Option<Feed>| match feed {
                Some(_) => found.next().unwrap_or(Replay::Skipped(String::new())),
                None => Replay::Skipped(String::new()),
            };
            Replays { failing: next(feeds[0]), passing: next(feeds[1]), fixes: Vec::new() }
        }
        Err(why) => skipped(why),
    }
}

/// A passing run ends where the failing one does: by itself it would go on.
fn feed_cycles(question: &Question, hardware: &Hardware, feed: &Feed) -> usize {
    let inputs = match (feed.inputs.closing, question.failing) {
        (None, Some(failing)) => failing.inputs,
        _ => feed.inputs,
    };
    hardware.cycles(question.program, inputs)
}

/// What comes of each run; or why nothing does.
fn simulate(
    question: &Question,
    hardware: &Hardware,
    files: &[(&str, &str)],
    runs: &[Simulated],
) -> Result<Vec<Replay>, String> {
    if runs.iter().any(|run| run.wave.cycles.len() > MOST_CYCLES) {
        return Err(format!("more than {MOST_CYCLES} cycles are not simulated"));
    }
    let clocks = clocks(hardware, files)?;
    let bench = bench(hardware, &clocks, runs);
    let broken = |error: io::Error| format!("it could not be run ({error})");
    let folder = tempfile::Builder::new().prefix("nearmiss-").tempdir().map_err(broken)?;
    fs::write(folder.path().join("bench.v"), bench).map_err(broken)?;
    let mut copies = Vec::new();
    for (number, (_, text)) in files.iter().enumerate() {
        let copy = folder.path().join(format!("design{number}.v"));
        fs::write(&copy, places::without_assertions(text)).map_err(broken)?;
        copies.push(copy);
    }
    // Words of SystemVerilog are names in Verilog.
    let newer = compile(question, files, folder.path(), (&copies, "-g2012"));
    newer.or_else(|why| compile(question, files, folder.path(), (&copies, "-g2005")).map_err(|_| why))?;
    let vvp = which("vvp").ok_or("vvp is not installed (package iverilog)")?;
    let simulator = Compiled { program: &vvp, sandbox: question.sandbox(), build: Build::Plain, stop: question.stop };
    let arguments = ["-n".to_owned(), "bench.vvp".to_owned()];
    let ended = simulator.run(folder.path(), 0, (&[], &arguments), TIME).map_err(broken)?;
    match ended.status {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("vvp ended with {status}: {}", ended.messages.lines().next().unwrap_or(""))),
        Err(late) => return Err(late.of("vvp")),
    }
    compare(hardware, folder.path(), runs)
}

/// Compiles the bench with the design, in one of the languages.
fn compile(
    question: &Question,
    files: &[(&str, &str)],
    folder: &Path,
    (copies, language): (&[PathBuf], &str),
) -> Result<(), String> {
    let mut compiler = Command::new("iverilog");
    compiler.args([language, "-DFORMAL", "-s", BENCH, "-o"]).arg(folder.join("bench.vvp"));
    compiler.env("LC_ALL", "C");
    let c = &question.settings.reading.c;
    compiler.args(c.define.iter().map(|name| format!("-D{name}")));
    compiler.args(c.include.iter().map(|folder| format!("-I{folder}")));
    let folders: BTreeSet<PathBuf> =
        files.iter().filter_map(|(name, _)| Path::new(name).parent().map(Path::to_path_buf)).collect();
    folders.iter().filter(|folder| !folder.as_os_str().is_empty()).for_each(|folder| {
        compiler.arg("-I").arg(folder);
    });
    compiler.arg(folder.join("bench.v")).args(copies);
    let compiled = match process::finish(compiler, question.stop) {
        Ok(compiled) => compiled,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err("iverilog is not installed (package iverilog)".to_owned());
        }
        Err(error) => return Err(format!("it could not be run ({error})")),
    };
    match compiled.status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => {
            let first = compiled.messages.lines().next().unwrap_or("it says nothing");
            let mut told = first.replace(&format!("{}/", folder.display()), "");
            for (number, (name, _)) in files.iter().enumerate() {
                told = told.replace(&format!("design{number}.v"), name);
            }
            Err(format!("it does not take the files: {told}"))
        }
        Err(late) => Err(late.of("iverilog")),
    }
}

/// Where a program of this name is.
fn which(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// A signal whose edges the Verilog waits for, and whether the falling one counts.
struct Clock {
    name: String,
    falling: bool,
}

/// The clocks: inputs that the model does not need and whose edges the Verilog waits for.
fn clocks(hardware: &Hardware, files: &[(&str, &str)]) -> Result<Vec<Clock>, String> {
    let (model, needed) = (&hardware.model, hardware.model.needed());
    let mut clocks: Vec<Clock> = Vec::new();
    let free = model.inputs().into_iter().filter(|id| !needed[*id] && model.width(*id) == 1);
    let free: Vec<String> = free.filter_map(|id| model.node(id).name.clone()).collect();
    for name in free.iter().cloned() {
        let edges: Vec<bool> = files.iter().flat_map(|(_, text)| places::edges(text, &name)).collect();
        match (edges.contains(&false), edges.contains(&true)) {
            (true, true) => return Err(format!("both edges of `{name}` are waited for")),
            (false, false) => {}
            (_, falling) => clocks.push(Clock { name, falling }),
        }
    }
    let keeps = model.states().into_iter().any(|id| matches!(model.node(id).kind, Kind::State { next: Some(_), .. }));
    // Inner modules may have another name for it.
    match &free[..] {
        _ if !clocks.is_empty() || !keeps => Ok(clocks),
        [only] => Ok(vec![Clock { name: only.clone(), falling: false }]),
        _ => Err("which of its inputs is the clock is not known".to_owned()),
    }
}

/// A name as Verilog has it: what is no plain word is escaped.
fn plain(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$')
}

fn number(bits: &Bits) -> String {
    let digits: String = bits.iter().rev().map(|bit| if *bit { '1' } else { '0' }).collect();
    format!("{}'b{digits}", bits.len())
}

/// A number for a person.
fn decimal(bits: &Bits) -> String {
    match bits.len() {
        0..=64 => bits.iter().rev().fold(0u64, |value, bit| value << 1 | u64::from(*bit)).to_string(),
        _ => number(bits),
    }
}

/// The inputs that are ports, by their names.
fn ports(hardware: &Hardware) -> Vec<(NodeId, String)> {
    let model = &hardware.model;
    let named = model.inputs().into_iter().filter_map(|id| Some((id, model.node(id).name.clone()?)));
    named.filter(|(_, name)| plain(name)).collect()
}

/// The text of the bench.
fn bench(hardware: &Hardware, clocks: &[Clock], runs: &[Simulated]) -> String {
    let (model, ports) = (&hardware.model, ports(hardware));
    let is_clock = |name: &str| clocks.iter().any(|clock| clock.name == name);
    let mut out = format!("`timescale 1ns/1ns\nmodule {BENCH};\n  reg sample = 0;\n  integer i;\n");
    for Simulated { instance, .. } in runs {
        for (id, name) in &ports {
            let _ = writeln!(out, "  reg [{}:0] {instance}_{name};", model.width(*id) - 1);
        }
        let connected: Vec<String> = ports.iter().map(|(_, name)| format!(".{name}({instance}_{name})")).collect();
        let _ = writeln!(out, "  {} {instance} ({});", model.name, connected.join(", "));
    }
    let _ = writeln!(out, "  initial begin\n    $dumpfile(\"wave.vcd\");\n    $dumpvars(0, {BENCH});");
    for Simulated { instance, .. } in runs {
        for Clock { name, falling } in clocks {
            let _ = writeln!(out, "    {instance}_{name} = {};", u8::from(*falling));
        }
    }
    out += "    #1;\n";
    let longest = runs.iter().map(|run| run.wave.cycles.len()).max().unwrap_or(0);
    for cycle in 0..longest {
        for Simulated { stimulus, instance, .. } in runs {
            if cycle == 0 {
                out += &start(hardware, stimulus, instance);
            }
            let Some(inputs) = stimulus.cycles.get(cycle) else { continue };
            for (id, name) in ports.iter().filter(|(_, name)| !is_clock(name)) {
                let bits = inputs.get(id).cloned().unwrap_or_else(|| vec![false; model.width(*id) as usize]);
                let _ = writeln!(out, "    {instance}_{name} = {};", number(&bits));
            }
        }
        out += "    #3 sample = 1;\n    #1 sample = 0;\n";
        for tick in [true, false] {
            for Simulated { instance, .. } in runs {
                for Clock { name, falling } in clocks {
                    let _ = writeln!(out, "    {instance}_{name} = {};", u8::from(tick != *falling));
                }
            }
            out += "    #3;\n";
        }
    }
    out + "    $finish;\n  end\nendmodule\n"
}

/// Registers and memories that may start as anything start as the run says.
fn start(hardware: &Hardware, stimulus: &Stimulus, instance: &str) -> String {
    let (model, mut out) = (&hardware.model, String::new());
    for id in model.states() {
        let node = model.node(id);
        let Kind::State { init: None, .. } = node.kind else { continue };
        let Some(name) = node.name.as_ref().filter(|name| name.split('.').all(plain)) else { continue };
        match node.sort {
            Sort::Word(width) => {
                let bits = stimulus.started.get(&id).cloned().unwrap_or_else(|| vec![false; width as usize]);
                let _ = writeln!(out, "    {instance}.{name} = {};", number(&bits));
            }
            Sort::Array { index, .. } if index <= 16 => {
                let _ = writeln!(out, "    for (i = 0; i < {}; i = i + 1) {instance}.{name}[i] = 0;", 1u64 << index);
                for (address, bits) in stimulus.memories.get(&id).into_iter().flatten() {
                    let _ = writeln!(out, "    i = {address}; {instance}.{name}[i] = {};", number(bits));
                }
            }
            Sort::Array { .. } => {}
        }
    }
    out
}

/// Whether each run has the values that the model has.
fn compare(hardware: &Hardware, folder: &Path, runs: &[Simulated]) -> Result<Vec<Replay>, String> {
    let unreadable = |what: String| format!("its waveform cannot be read ({what})");
    let file = File::open(folder.join("wave.vcd")).map_err(|error| unreadable(error.to_string()))?;
    let mut trace = trace::open(BufReader::new(file)).map_err(|error| unreadable(error.message))?;
    let place = |trace: &trace::Trace, name: &str| trace.signals().iter().position(|signal| signal.name == name);
    let clock = place(&trace, &format!("{BENCH}.sample")).ok_or_else(|| unreadable("no sample".to_owned()))?;
    let model = &hardware.model;
    let mut found = Vec::new();
    for Simulated { wave, instance, .. } in runs {
        let named = (0..model.nodes.len()).filter(|id| model.width(*id) > 0);
        let compared: Vec<(NodeId, usize)> = named
            .filter_map(|id| {
                let name = model.node(id).name.as_ref()?;
                place(&trace, &format!("{BENCH}.{instance}.{name}")).map(|signal| (id, signal))
            })
            .collect();
        let wanted: Vec<usize> = compared.iter().map(|(_, signal)| *signal).collect();
        let sampling = Sampling { clock: Some((clock, Edge::Rising)), ..Sampling::default() };
        let traced = trace.load(&wanted, &sampling).map_err(|error| unreadable(error.message))?;
        let clocks: BTreeSet<NodeId> = model.inputs().into_iter().filter(|id| !model.needed()[*id]).collect();
        let mut same = 0usize;
        let mut other = None;
        for (cycle, values) in wave.cycles.iter().enumerate().take(traced.cycles) {
            for (at, (id, _)) in compared.iter().enumerate().filter(|(_, (id, _))| !clocks.contains(id)) {
                let (Value::Bits(bits), own) = (traced.signals[at].at(cycle), &values[*id]) else { continue };
                let known = bits.width as usize == own.len() && !bits.has_unknown();
                let bit = |bit: usize| bits.value[bit / 64] >> (bit % 64) & 1 == 1;
                if known && (0..own.len()).any(|at| bit(at) != own[at]) && other.is_none() {
                    let name = model.node(*id).name.clone().unwrap_or_default();
                    let told = traced.signals[at].text_at(cycle);
                    let own = decimal(own);
                    other = Some(format!("in cycle {cycle} `{name}` is {told} there, and {own} in the model"));
                }
                same += usize::from(known);
            }
        }
        found.push(match other {
            _ if same == 0 => return Err("no signal of the model is known there".to_owned()),
            Some(other) => return Err(format!("{other}; was the Verilog changed after the model was made of it?")),
            None => Replay::Confirmed,
        });
    }
    Ok(found)
}
