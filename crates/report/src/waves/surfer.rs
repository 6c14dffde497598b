//! A command file for Surfer: both runs, a signal of the one above that of the other, those that differ first, with a marker
//! for each cycle in which something differs and one where the claim is violated.

use std::fmt::Write;

use super::Waves;
use crate::causes::surfer::{MARKERS, head, word};

/// The commands for a dump.
pub fn render(waves: &Waves, dump: &str) -> String {
    let mut text = head(dump);
    for signal in waves.wave.signals.iter().filter(|signal| signal.info.name.starts_with("marks.")) {
        let _ = writeln!(text, "variable_add {}", word(&signal.info.name));
    }
    let differs = |wanted: bool| waves.lanes.iter().filter(move |lane| lane.cycles().next().is_some() == wanted);
    for (title, wanted) in [("different", true), ("the same", false)] {
        if differs(wanted).next().is_some() && waves.lanes.iter().any(|lane| lane.passing.is_some()) {
            let _ = writeln!(text, "divider_add {}", word(title));
        }
        for lane in differs(wanted) {
            for signal in [Some(lane.failing), lane.passing].into_iter().flatten() {
                let _ = writeln!(text, "variable_add {}", word(&waves.wave.signals[signal].info.name));
            }
        }
    }
    let last = waves.wave.cycles.saturating_sub(1);
    let by_cycle = waves.by_cycle();
    for (cycle, lanes) in by_cycle.iter().filter(|(cycle, _)| **cycle != last).take(MARKERS) {
        let names = lanes.iter().map(|lane| lane.name.as_str()).take(3).collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "marker_set {} {}", word(&format!("{names} at {cycle}")), waves.time(*cycle));
    }
    let violated = word(&format!("{} violated", waves.claim));
    let _ = writeln!(text, "marker_set {violated} {0}\ncursor_set {0}", waves.time(last));
    text
}
