//! Traces of every format of ours, and dumps: read or refused; what was read has as many values as it says.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use nearmiss_trace::read::trace::{self, Edge, Format, Level, Sampling};

fuzz_target!(|bytes: &[u8]| {
    // Those of the `wellen` crate are not ours; its panics are caught, its allocations are not.
    if bytes.first().is_some_and(|first| *first == 0 || *first == 254) || bytes.starts_with(b"GHDLwave") {
        return;
    }
    let mut trace = match trace::open(Cursor::new(bytes.to_vec())) {
        Ok(trace) => trace,
        Err(error) => {
            assert!(!error.message.is_empty());
            return;
        }
    };
    assert!(!matches!(trace.format(), Format::Fst | Format::Ghw));
    let all: Vec<usize> = (0..trace.signals().len().min(50)).collect();
    let first = (!all.is_empty()).then_some(0);
    let clocked = Sampling { clock: first.map(|signal| (signal, Edge::Rising)), ..Sampling::default() };
    let released = Sampling { reset: first.map(|signal| (signal, Level::High)), ..Sampling::default() };
    for sampling in [Sampling::default(), clocked, released] {
        let Ok(wave) = trace.load(&all, &sampling) else { continue };
        assert!(wave.cycles > 0 && wave.signals.len() == all.len());
        assert!(wave.loop_start.is_none_or(|start| start < wave.cycles));
        for signal in &wave.signals {
            let _ = (signal.at(0).to_string(), signal.at(wave.cycles - 1).to_string());
        }
    }
});
