//! A save file for GTKWave: both runs, a signal of the one above that of the other, those that differ in a colour, with a
//! marker for each cycle in which something differs and one where the claim is violated.

use super::{Lane, Waves};
use crate::causes::gtkw::{LETTERS, comment, head, line, window};

/// The save file for a dump.
pub fn render(waves: &Waves, command: &str, dump: &str) -> String {
    let by_cycle = waves.by_cycle();
    let last = waves.wave.cycles.saturating_sub(1);
    // The last cycle has a letter in any case.
    let mut lettered: Vec<usize> = by_cycle.keys().copied().filter(|cycle| *cycle != last).take(LETTERS - 1).collect();
    lettered.push(last);
    let times: Vec<u64> = lettered.iter().map(|cycle| waves.time(*cycle)).collect();
    let mut text = head(command, dump, window(&waves.wave, &times), Some(waves.time(last)), &times);
    comment(&mut text, &format!("{} is violated in cycle {last}", waves.claim));
    for signal in waves.wave.signals.iter().filter(|signal| signal.info.name.starts_with("marks.")) {
        line(&mut text, signal, false);
    }
    let (differ, same): (Vec<&Lane>, Vec<&Lane>) = waves.lanes.iter().partition(|lane| lane.cycles().next().is_some());
    for (title, lanes) in [("Different in the passing run", &differ), ("The same in both runs", &same)] {
        if lanes.is_empty() || waves.lanes.iter().all(|lane| lane.passing.is_none()) {
            continue;
        }
        comment(&mut text, title);
        for lane in lanes.iter() {
            pair(&mut text, waves, lane);
        }
    }
    if waves.lanes.iter().all(|lane| lane.passing.is_none()) {
        waves.lanes.iter().for_each(|lane| pair(&mut text, waves, lane));
    }
    for (at, cycle) in lettered.iter().enumerate() {
        let letter = (b'A' + at as u8) as char;
        for lane in by_cycle.get(cycle).into_iter().flatten() {
            comment(&mut text, &format!("{letter} cycle {cycle}: {}", waves.told(lane, *cycle)));
        }
    }
    text
}

fn pair(text: &mut String, waves: &Waves, lane: &Lane) {
    let differs = lane.cycles().next().is_some();
    for signal in [Some(lane.failing), lane.passing].into_iter().flatten() {
        line(text, &waves.wave.signals[signal], differs);
    }
}
