//! From changes to cycles: what every reader gives, and the rows that become of it.
//!
//! A reader gives a [`Recording`]: steps (time stamps or rows, numbered from 0) and, per signal, a [`Track`] of the steps
//! at which it changes. Without a clock every step is a cycle and shows what the signals are after it. With a clock a
//! cycle is a step at which the clock has its edge, and shows what the signals were *before* that step, as assertions in
//! SystemVerilog sample: a register that changes at the edge shows its old value. One pass over the changes of a signal
//! does for either, in time linear in changes and cycles.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::error::ReadError;
use crate::bits::Bits;
use crate::wave::{BitVector, Kind, Signal, SignalInfo, Value, Values, Wave};

/// Which moments of a trace are its cycles, and what follows the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sampling {
    /// A cycle per edge of this signal, with the values just before it. Otherwise every time stamp (row) is a cycle.
    pub clock: Option<(usize, Edge)>,
    /// While this signal has this level, or is unknown, leading cycles are left out.
    pub reset: Option<(usize, Level)>,
    /// The last cycle is followed by this one, counted after sampling. It takes precedence over what the file says.
    pub loop_start: Option<usize>,
}

/// The edge of a clock that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// To 1, from 0 or from an unknown value.
    Rising,
    /// To 0, from 1 or from an unknown value.
    Falling,
}

/// The level at which a reset is active.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Active at 1.
    High,
    /// Active at 0.
    Low,
}

/// Some signals of a file, step by step.
#[derive(Default)]
pub(super) struct Recording {
    /// How many steps there are; fewer than 2³².
    pub steps: usize,
    /// The time of each step; empty if it is only its number.
    pub times: Vec<u64>,
    /// What one step of time is.
    pub unit: Option<String>,
    /// The last step is followed by this one.
    pub loop_start: Option<usize>,
    /// The changes.
    pub tracks: Vec<Track>,
    /// Which of them belongs to each signal that was asked for.
    pub track_of: Vec<usize>,
}

/// The changes of one signal. Steps never decrease; of several changes at a step the last one counts.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Track {
    /// A single bit: its value, plus 2 if it is unknown.
    Bit { at: Vec<u32>, code: Vec<u8> },
    /// Several bits: per change the words of the value and then those of what is unknown.
    Vector { width: u32, at: Vec<u32>, words: Vec<u64> },
    /// Something that happens rather than having a value.
    Event { at: Vec<u32> },
    /// Everything else, and what it is before the first change.
    Other { at: Vec<u32>, value: Vec<Value>, before: Value },
}

/// The code of an unknown bit.
pub(super) const X: u8 = 3;

impl Track {
    /// An empty one for signals of a kind.
    pub(super) fn new(kind: Kind) -> Track {
        let other = |before| Track::Other { at: Vec::new(), value: Vec::new(), before };
        match kind {
            Kind::Bits { width: 1, .. } => Track::Bit { at: Vec::new(), code: Vec::new() },
            Kind::Bits { width, .. } => Track::Vector { width, at: Vec::new(), words: Vec::new() },
            Kind::Integer => other(Value::Integer(0)),
            Kind::Real => other(Value::Real(0.0)),
            Kind::Text => other(Value::Text(Arc::from(""))),
        }
    }
}

/// Cuts a recording into cycles. It holds the signals of `wanted`, then the clock, then the reset.
pub(super) fn wave(
    recording: Recording,
    infos: &[SignalInfo],
    wanted: &[usize],
    sampling: &Sampling,
) -> Result<Wave, ReadError> {
    if recording.steps == 0 {
        return Err(ReadError::new("the trace has no cycle").with_help("nothing was recorded; was the run stopped?"));
    }
    let mut further = recording.track_of[wanted.len()..].iter().map(|track| &recording.tracks[*track]);
    let (mut seen, mut steps) = match sampling.clock {
        None => ((1..=recording.steps as u32).collect::<Vec<u32>>(), None),
        Some((signal, edge)) => {
            let name = &infos[signal].name;
            if recording.loop_start.is_some() {
                return Err(ReadError::new("a trace that says where it loops has no use for a clock")
                    .with_help("leave out the clock: every state is a cycle"));
            }
            let edges = edges(further.next(), edge).ok_or_else(|| wider(name, "clock"))?;
            if edges.is_empty() {
                let other = match edge {
                    Edge::Rising => "it has no rising edge; is it another signal, or the falling edge that counts?",
                    Edge::Falling => "it has no falling edge; is it another signal, or the rising edge that counts?",
                };
                return Err(ReadError::new(format!("the clock `{name}` never ticks")).with_help(other));
            }
            (edges.clone(), Some(edges))
        }
    };
    let mut dropped = 0;
    if let Some((signal, level)) = sampling.reset {
        let name = &infos[signal].name;
        dropped = in_reset(further.next(), &seen, level).ok_or_else(|| wider(name, "reset"))?;
        if dropped == seen.len() {
            let polarity = match level {
                Level::High => "is it active at 0?",
                Level::Low => "is it active at 1?",
            };
            return Err(ReadError::new(format!("`{name}` is in reset in all {dropped} cycles")).with_help(polarity));
        }
        // What is repeated for ever is not only the start.
        dropped = dropped.min(recording.loop_start.unwrap_or(dropped));
    }
    let floor = dropped.checked_sub(1).map_or(0, |last| seen[last]);
    seen.drain(..dropped);
    if let Some(steps) = &mut steps {
        steps.drain(..dropped);
    }
    let loop_start = sampling.loop_start.or(recording.loop_start.map(|start| start - dropped));
    if let Some(start) = loop_start.filter(|start| *start >= seen.len()) {
        let last = seen.len() - 1;
        return Err(ReadError::new(format!("the loop cannot start at cycle {start}"))
            .with_help(format!("cycles are numbered from 0 to {last}")));
    }
    let signals = wanted.iter().zip(&recording.track_of).map(|(signal, track)| {
        let info = infos[*signal].clone();
        let values = recording.tracks[*track].values(info.kind, &seen, floor);
        Signal { info, values }
    });
    let signals = signals.collect();
    let times = match steps {
        None if dropped == 0 => recording.times,
        None => seen.iter().map(|bound| time(&recording.times, bound - 1)).collect(),
        Some(steps) => steps.iter().map(|step| time(&recording.times, *step)).collect(),
    };
    Ok(Wave { cycles: seen.len(), loop_start, times, unit: recording.unit, signals })
}

fn wider(name: &str, role: &str) -> ReadError {
    ReadError::new(format!("`{name}` cannot be the {role}: it is not a single bit"))
        .with_help("name a signal of one bit")
}

fn time(times: &[u64], step: u32) -> u64 {
    times.get(step as usize).copied().unwrap_or(u64::from(step))
}

/// The steps at which a clock has its edge; `None` if it is no single bit. Only what it is at the end of a step counts,
/// and the first value that is recorded is no edge.
fn edges(clock: Option<&Track>, edge: Edge) -> Option<Vec<u32>> {
    let (at, code) = match clock? {
        Track::Bit { at, code } => (at, code),
        Track::Event { at } => {
            let mut at = at.clone();
            at.dedup();
            return Some(at);
        }
        Track::Vector { .. } | Track::Other { .. } => return None,
    };
    let level = match edge {
        Edge::Rising => 1,
        Edge::Falling => 0,
    };
    let (mut found, mut old) = (Vec::new(), None);
    for (i, step) in at.iter().enumerate() {
        if at.get(i + 1) == Some(step) {
            continue;
        }
        if code[i] == level && old.is_some_and(|old| old != level) {
            found.push(*step);
        }
        old = Some(code[i]);
    }
    Some(found)
}

/// How many cycles at the start are, or may be, in reset; `None` if the reset is no single bit.
fn in_reset(reset: Option<&Track>, seen: &[u32], level: Level) -> Option<usize> {
    let Some(Track::Bit { at, code }) = reset else { return None };
    let inactive = match level {
        Level::High => 0,
        Level::Low => 1,
    };
    let mut released = None;
    runs(at, seen, |change, cycles| {
        let inactive = change.is_some_and(|change| code[change] == inactive);
        released = released.or(inactive.then_some(cycles.start));
    });
    Some(released.unwrap_or(seen.len()))
}

/// Calls back per run of cycles that see the same change, or none yet. Cycle `i` sees the changes at steps below `seen[i]`.
fn runs(at: &[u32], seen: &[u32], mut run: impl FnMut(Option<usize>, Range<usize>)) {
    let (mut from, mut cycle, mut last) = (0, 0, None);
    for (change, step) in at.iter().enumerate() {
        while cycle < seen.len() && seen[cycle] <= *step {
            cycle += 1;
        }
        if cycle > from {
            run(last, from..cycle);
            from = cycle;
        }
        last = Some(change);
    }
    if from < seen.len() {
        run(last, from..seen.len());
    }
}

impl Track {
    /// What cycles see of it; an event before `floor` belongs to no cycle.
    fn values(&self, kind: Kind, seen: &[u32], floor: u32) -> Values {
        match self {
            Track::Bit { at, code } => {
                let (mut value, mut unknown) = (Bits::filled(seen.len(), false), Bits::filled(seen.len(), false));
                runs(at, seen, |change, cycles| {
                    let code = change.map_or(X, |change| code[change]);
                    if code & 1 != 0 {
                        value.set_range(cycles.start, cycles.end);
                    }
                    if code & 2 != 0 {
                        unknown.set_range(cycles.start, cycles.end);
                    }
                });
                Values::Bit { value, unknown }
            }
            Track::Event { at } => {
                let mut value = Bits::filled(seen.len(), false);
                let mut cycle = 0;
                for step in at.iter().filter(|step| **step >= floor) {
                    while cycle < seen.len() && seen[cycle] <= *step {
                        cycle += 1;
                    }
                    if cycle < seen.len() {
                        value.set(cycle, true);
                    }
                }
                Values::Bit { value, unknown: Bits::filled(seen.len(), false) }
            }
            Track::Vector { width, at, words } => {
                let half = (*width as usize).div_ceil(64).max(1);
                let unknown = unknown(*width);
                let mut shown: Option<&[u64]> = None;
                let mut changes = Changes::default();
                runs(at, seen, |change, cycles| {
                    let words = change.map_or(&unknown[..], |change| &words[change * 2 * half..][..2 * half]);
                    if shown != Some(words) {
                        shown = Some(words);
                        let (value, unknown) = words.split_at(half);
                        let (value, unknown) = (SmallVec::from_slice(value), SmallVec::from_slice(unknown));
                        changes.push(cycles.start, Value::Bits(BitVector { width: *width, value, unknown }));
                    }
                });
                changes.values()
            }
            Track::Other { at, value, before } => {
                debug_assert!(!matches!(kind, Kind::Bits { .. }));
                let mut changes = Changes::default();
                runs(at, seen, |change, cycles| {
                    let value = change.map_or(before, |change| &value[change]);
                    if changes.value.last() != Some(value) {
                        changes.push(cycles.start, value.clone());
                    }
                });
                changes.values()
            }
        }
    }
}

/// The words of a vector of which nothing is known.
pub(super) fn unknown(width: u32) -> Vec<u64> {
    let half = (width as usize).div_ceil(64).max(1);
    let mut words = vec![u64::MAX; half];
    words[half - 1] = match width % 64 {
        0 if width > 0 => u64::MAX,
        rest => (1 << rest) - 1,
    };
    words.repeat(2)
}

#[derive(Default)]
struct Changes {
    at: Vec<u32>,
    value: Vec<Value>,
}

impl Changes {
    fn push(&mut self, cycle: usize, value: Value) {
        self.at.push(cycle as u32);
        self.value.push(value);
    }

    fn values(self) -> Values {
        Values::Changes { at: self.at, value: self.value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bit(changes: &[(u32, u8)]) -> Track {
        Track::Bit { at: changes.iter().map(|c| c.0).collect(), code: changes.iter().map(|c| c.1).collect() }
    }

    fn info(name: &str, kind: Kind) -> SignalInfo {
        SignalInfo { name: name.to_owned(), kind, enumerators: Vec::new(), wire: None, radix: Default::default() }
    }

    const BIT: Kind = Kind::Bits { width: 1, signed: false, low: 0, descending: true };

    /// Signals 0 and 1 are a clock and data, 2 is a reset.
    fn sample(steps: usize, tracks: Vec<Track>, sampling: &Sampling) -> Result<Wave, ReadError> {
        let infos = [info("clk", BIT), info("d", BIT), info("rst", BIT)];
        let mut track_of = vec![0, 1];
        track_of.extend(sampling.clock.map(|(signal, _)| signal));
        track_of.extend(sampling.reset.map(|(signal, _)| signal));
        let times = (0..steps as u64).map(|step| step * 10).collect();
        let recording = Recording { steps, times, unit: None, loop_start: None, tracks, track_of };
        wave(recording, &infos, &[0, 1], sampling)
    }

    fn shown(wave: &Wave, signal: usize) -> String {
        (0..wave.cycles).map(|cycle| wave.signals[signal].at(cycle).to_string()).collect()
    }

    const RISING: Sampling = Sampling { clock: Some((0, Edge::Rising)), reset: None, loop_start: None };

    #[test]
    fn without_a_clock_every_step_is_a_cycle() {
        let wave =
            sample(4, vec![bit(&[(0, 0), (2, 1)]), bit(&[(1, 1), (1, 0), (3, 2)])], &Sampling::default()).unwrap();
        assert_eq!((shown(&wave, 0), shown(&wave, 1)), ("0011".to_owned(), "x00z".to_owned()));
        assert_eq!(wave.times, [0, 10, 20, 30]);
    }

    #[test]
    fn a_register_that_changes_at_the_edge_shows_its_old_value() {
        let clock = bit(&[(0, 1), (1, 0), (2, 1), (3, 0), (4, 1)]);
        let wave = sample(5, vec![clock, bit(&[(0, 0), (2, 1), (4, 0)])], &RISING).unwrap();
        assert_eq!(shown(&wave, 1), "01");
        assert_eq!(wave.times, [20, 40]);
    }

    #[test]
    fn unknown_to_one_rises_and_zero_to_unknown_does_not() {
        let clock = bit(&[(0, X), (1, 1), (2, 0), (3, X), (4, 0), (5, 1), (5, 0)]);
        let wave = sample(6, vec![clock.clone(), bit(&[])], &RISING).unwrap();
        assert_eq!(wave.times, [10], "what goes up and down within a step is no edge either");
        let falling = Sampling { clock: Some((0, Edge::Falling)), ..RISING };
        assert_eq!(sample(6, vec![clock, bit(&[])], &falling).unwrap().times, [20, 40]);
    }

    #[test]
    fn leading_cycles_in_reset_are_left_out_and_later_ones_stay() {
        let reset = bit(&[(1, 1), (3, 0), (4, 1)]);
        let data = Track::Event { at: vec![0, 2, 3, 5] };
        let sampling = Sampling { reset: Some((2, Level::High)), ..Sampling::default() };
        let wave = sample(6, vec![bit(&[(0, 0)]), data.clone(), reset.clone()], &sampling).unwrap();
        assert_eq!((shown(&wave, 1), wave.times), ("101".to_owned(), vec![30, 40, 50]));
        let never = Sampling { reset: Some((2, Level::Low)), ..sampling };
        let error = sample(4, vec![bit(&[]), data, bit(&[(0, 0)])], &never).unwrap_err();
        assert_eq!(error.message, "`rst` is in reset in all 4 cycles");
    }

    #[test]
    fn a_clock_that_never_ticks_and_a_loop_beyond_the_end_are_errors() {
        let error = sample(2, vec![bit(&[(0, 1)]), bit(&[])], &RISING).unwrap_err();
        assert_eq!(error.message, "the clock `clk` never ticks");
        let far = Sampling { loop_start: Some(2), ..Sampling::default() };
        let error = sample(2, vec![bit(&[(0, 1)]), bit(&[])], &far).unwrap_err();
        assert_eq!(error.message, "the loop cannot start at cycle 2");
        assert_eq!(sample(0, vec![bit(&[]), bit(&[])], &far).unwrap_err().message, "the trace has no cycle");
    }

    #[test]
    fn an_event_belongs_to_the_cycle_whose_edge_comes_next() {
        let clock = bit(&[(0, 0), (1, 1), (2, 0), (4, 1), (5, 0), (6, 1)]);
        let wave = sample(7, vec![clock, Track::Event { at: vec![1, 3, 6] }], &RISING).unwrap();
        assert_eq!(shown(&wave, 1), "010");
    }

    #[test]
    fn unknown_vectors_have_no_bits_beyond_their_width() {
        assert_eq!(unknown(3), [7, 7]);
        assert_eq!(unknown(64), [u64::MAX; 2]);
        assert_eq!(unknown(65), [u64::MAX, 1, u64::MAX, 1]);
    }
}
