//! A command file for the waveform viewer Surfer (`surfer --command-file FILE`): loads the trace, adds the signals of the
//! formulas under a divider each, and sets markers where the failure and its causes are.
//!
//! Names in commands are single words, hence underscores. Only commands that Surfer documents, or that its reader of
//! commands has had since markers exist, are used: `load_file`, `divider_add`, `variable_add`, `marker_set`, `cursor_set`.

use std::collections::BTreeMap;
use std::fmt::Write;

use nearmiss_trace::report::TraceReport;

use super::{marks, sentence};

/// The viewer has 255 markers.
pub(crate) const MARKERS: usize = 250;

/// The commands for a trace.
pub fn render(report: &TraceReport, trace_path: &str) -> String {
    let mut text = head(trace_path);
    let mut markers: BTreeMap<u64, String> = BTreeMap::new();
    for (index, judged) in report.formulas.iter().enumerate() {
        let title = sentence::title(report, index);
        let _ = writeln!(text, "divider_add {}", word(&format!("{title} {}", sentence::verdict(&judged.verdict))));
        for signal in &judged.signals {
            if let Some(signal) = report.wave.signals.get(*signal) {
                let _ = writeln!(text, "variable_add {}", word(&signal.info.name));
            }
        }
        let Some(failure) = judged.failures.first() else { continue };
        markers.insert(marks::time(report, failure.at), word(&format!("{title} fails at {}", failure.at)));
        for cause in &failure.causes {
            let name = word(&format!("{} at {}", cause.atom, cause.time));
            markers.entry(marks::time(report, cause.time)).or_insert(name);
        }
    }
    for (time, name) in markers.iter().take(MARKERS) {
        let _ = writeln!(text, "marker_set {name} {time}");
    }
    if let Some(cycle) = marks::failure(report) {
        let _ = writeln!(text, "cursor_set {}", marks::time(report, cycle));
    }
    text
}

/// Loads the trace.
pub(crate) fn head(path: &str) -> String {
    if path.contains(char::is_whitespace) { String::new() } else { format!("load_file {path}\n") }
}

/// One word.
pub(crate) fn word(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn signals_and_markers() {
        let expected = "\
load_file run.vcd
divider_add ok_fails
variable_add top.req
variable_add top.dut.count
divider_add Property_2_holds
variable_add top.state
variable_add top.level
variable_add top.mode
variable_add top.loops
marker_set ok_fails_at_2 25
cursor_set 25
";
        assert_eq!(render(&sample::report(), "run.vcd"), expected);
    }

    #[test]
    fn causes_at_other_cycles_have_markers_of_their_own() {
        let mut report = sample::report();
        report.formulas[0].failures[0].causes[1].time = 1;
        let text = render(&report, "a file.vcd");
        assert!(!text.contains("load_file"), "names with spaces are not words");
        assert!(text.contains("marker_set count_!=_3_at_1 15\nmarker_set ok_fails_at_2 25\n"), "{text}");
    }
}
