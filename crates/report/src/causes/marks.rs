//! The cycles that a waveform viewer should mark: where a formula fails, and where the values are that make it fail.

use std::collections::BTreeMap;

use nearmiss_trace::report::TraceReport;

use super::sentence;

/// A cycle that matters, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The cycle.
    pub cycle: usize,
    /// Its time in the file.
    pub time: u64,
    /// What there is to say of it, a line each.
    pub lines: Vec<String>,
}

/// The time of a cycle in the file: its number where the file has no times.
pub fn time(report: &TraceReport, cycle: usize) -> u64 {
    report.wave.time(cycle).unwrap_or(cycle as u64)
}

/// The marks of one formula's first failure, by time.
pub fn of(report: &TraceReport, index: usize) -> Vec<Mark> {
    let Some(failure) = report.formulas[index].failures.first() else { return Vec::new() };
    let mut lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for cause in &failure.causes {
        lines.entry(cause.time).or_default().push(sentence::reason(cause).plain());
    }
    lines.entry(failure.at).or_default().push(format!("{} fails here", sentence::title(report, index)));
    lines.into_iter().map(|(cycle, lines)| Mark { cycle, time: time(report, cycle), lines }).collect()
}

/// Where the first formula that fails does so.
pub fn failure(report: &TraceReport) -> Option<usize> {
    report.formulas.iter().find_map(|judged| judged.failures.first()).map(|failure| failure.at)
}
