//! How long it takes to load a trace: by the `wellen` crate alone, or by our own reader. What `bench/traces` measures.
//!
//! Usage: `traces wellen|ours FILE COUNT [CLOCK]`. Loads the first COUNT signals, and prints the seconds, the number of
//! cycles and the peak of memory in megabytes.

use std::env;
use std::fs::File;
use std::io::BufReader;
use std::time::Instant;

use nearmiss_trace::read::trace::{self, Edge, Sampling};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (what, file, count, clock) = match &arguments[..] {
        [what, file, count] => (what, file, count, None),
        [what, file, count, clock] => (what, file, count, Some(clock.as_str())),
        _ => panic!("usage: traces wellen|ours FILE COUNT [CLOCK]"),
    };
    let count: usize = count.parse().expect("a number of signals");
    let start = Instant::now();
    let cycles = match what.as_str() {
        "wellen" => wellen(file, count),
        _ => ours(file, count, clock),
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

/// Our own reader, only the signals that are wanted.
fn ours(file: &str, count: usize, clock: Option<&str>) -> usize {
    let input = BufReader::with_capacity(1 << 18, File::open(file).expect("a file"));
    let mut trace = trace::open(input).expect("a trace");
    let clock = clock.and_then(|name| trace.signals().iter().position(|signal| signal.name == name));
    let wanted: Vec<usize> = (0..count.min(trace.signals().len())).collect();
    let sampling = Sampling { clock: clock.map(|signal| (signal, Edge::Rising)), ..Sampling::default() };
    let wave = trace.load(&wanted, &sampling).expect("a trace");
    assert_eq!(wave.signals.len(), wanted.len());
    wave.cycles
}
