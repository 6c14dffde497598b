//! How long it takes to load a trace: by the `wellen` crate alone, or by our own reader. What `bench/traces` measures.
//!
//! Usage: `traces wellen|ours FILE COUNT [CLOCK]`. Loads the first COUNT signals, and prints the seconds, the number of
//! cycles and the peak of memory in megabytes. `traces show FILE [CLOCK [RESET]]` prints all signals.

use std::env;
use std::fs::File;
use std::io::BufReader;
use std::time::Instant;

use nearmiss_explain::read::trace::{self, Edge, Level, Sampling};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [what, file, rest @ ..] = &arguments[..] else {
        eprintln!("usage: traces wellen|ours FILE COUNT [CLOCK], or traces show FILE [CLOCK [RESET]]");
        std::process::exit(1);
    };
    let count: usize = rest.first().and_then(|count| count.parse().ok()).unwrap_or(10);
    let start = Instant::now();
    let cycles = match what.as_str() {
        "wellen" => wellen(file, count),
        "ours" => ours(file, count, rest.get(1).map(String::as_str)),
        _ => return show(file, rest.first().map(String::as_str), rest.get(1).map(String::as_str)),
    };
    println!("{:.3} {cycles} {}", start.elapsed().as_secs_f64(), peak());
}

/// The peak of memory so far, in megabytes; 0 where the system does not tell.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Names, changes and signals, with all threads, from a mapped file.
fn wellen(file: &str, count: usize) -> usize {
    let mut wave = wellen::simple::read(file).expect("a waveform");
    let refs: Vec<_> = wave.hierarchy().all_vars().take(count).map(|var| wave.hierarchy()[var].signal_ref()).collect();
    wave.load_signals_multi_threaded(&refs);
    assert!(refs.iter().all(|signal| wave.get_signal(*signal).is_some()));
    wave.time_table().len()
}

fn open(file: &str) -> trace::Trace {
    let input = BufReader::with_capacity(1 << 18, File::open(file).expect("a file"));
    trace::open(input).unwrap_or_else(|error| {
        eprintln!("{file}: {error}\n{}", error.help.clone().unwrap_or_default());
        std::process::exit(2);
    })
}

fn ours(file: &str, count: usize, clock: Option<&str>) -> usize {
    let mut trace = open(file);
    let clock = clock.and_then(|name| trace.signals().iter().position(|signal| signal.name == name));
    let wanted: Vec<usize> = (0..count.min(trace.signals().len())).collect();
    let sampling = Sampling { clock: clock.map(|signal| (signal, Edge::Rising)), ..Sampling::default() };
    let wave = trace.load(&wanted, &sampling).expect("a trace");
    assert_eq!(wave.signals.len(), wanted.len());
    wave.cycles
}

fn show(file: &str, clock: Option<&str>, reset: Option<&str>) {
    let mut trace = open(file);
    let find = |name: &str| trace.signals().iter().position(|signal| signal.name == name).expect("a signal");
    let (clock, reset) = (clock.map(find).map(|s| (s, Edge::Rising)), reset.map(find).map(|s| (s, Level::High)));
    let all: Vec<usize> = (0..trace.signals().len()).collect();
    let loaded = trace.load(&all, &Sampling { clock, reset, loop_start: None });
    let wave = loaded.unwrap_or_else(|error| panic!("{error}"));
    let times = &wave.times[..wave.times.len().min(20)];
    println!(
        "{}, {} cycles, loop {:?}, unit {:?}, times {times:?}",
        trace.format(),
        wave.cycles,
        wave.loop_start,
        wave.unit
    );
    for signal in &wave.signals {
        let values: Vec<String> = (0..wave.cycles.min(20)).map(|cycle| signal.at(cycle).to_string()).collect();
        let names: Vec<&str> = signal.info.enumerators.iter().map(|e| e.name.as_str()).take(10).collect();
        println!("{} {:?} {names:?}: {}", signal.info.name, signal.info.kind, values.join(" "));
    }
}
