//! A save file for GTKWave: opens the user's trace with the signals of the formulas, markers where the failure and its
//! causes are, and the reasons as comments.
//!
//! The form has no specification but the viewer's own reader. A line `@` is a set of flags, in hexadecimal, for the lines
//! below it; a line `-` is a comment (flag 200), any other is a signal with the range of its bits. A line `*` holds the zoom
//! as a power of two, the primary marker and the markers A to Z, -1 where there is none.

use std::collections::BTreeSet;
use std::fmt::Write;

use nearmiss_trace::report::{Judged, TraceReport};
use nearmiss_trace::wave::{Kind, Signal, Wave};

use super::marks::{self, Mark};
use super::{sentence, value};

/// The viewer has as many named markers as there are letters.
pub(crate) const LETTERS: usize = 26;

/// The wave's width in pixels that the first view is made for.
const WIDTH: f64 = 650.0;

/// The zoom says how much time so many pixels show: two to the power of its negation.
const FRAME: f64 = 200.0;

/// The save file for a trace.
pub fn render(report: &TraceReport, trace_path: &str) -> String {
    let marks: Vec<Vec<Mark>> = (0..report.formulas.len()).map(|index| marks::of(report, index)).collect();
    let letters = letters(&marks);
    let primary = marks::failure(report).map(|cycle| marks::time(report, cycle));
    let named: Vec<u64> = letters.iter().map(|cycle| marks::time(report, *cycle)).collect();
    let times: Vec<u64> = marks.iter().flatten().map(|mark| mark.time).collect();
    let mut text = head("causes", trace_path, window(&report.wave, &times), primary, &named);
    for (index, judged) in report.formulas.iter().enumerate() {
        let word = sentence::verdict(&judged.verdict);
        comment(&mut text, &format!("{} {word}: {}", sentence::title(report, index), judged.formula));
        signals(&mut text, report, judged);
        for mark in &marks[index] {
            let letter = letters.iter().position(|cycle| *cycle == mark.cycle);
            let letter = letter.map_or(String::new(), |i| format!("{} ", (b'A' + i as u8) as char));
            for line in &mark.lines {
                comment(&mut text, &format!("{letter}{line}"));
            }
        }
    }
    text
}

/// What comes before the signals: the trace, the view of it, the primary marker and those with letters.
pub(crate) fn head(
    command: &str,
    path: &str,
    (start, zoom): (u64, f64),
    primary: Option<u64>,
    named: &[u64],
) -> String {
    let mut text = format!("[*]\n[*] nearmiss {command}\n[*]\n");
    let _ = writeln!(text, "[dumpfile] \"{}\"", one_line(path));
    let _ = writeln!(text, "[timestart] {start}\n[size] 1200 700\n[pos] -1 -1");
    let marker = |time: Option<u64>| time.map_or_else(|| "-1".to_owned(), |time| time.to_string());
    let named = (0..LETTERS).map(|i| marker(named.get(i).copied()));
    let _ = writeln!(text, "*{zoom:.6} {} {}", marker(primary), named.collect::<Vec<_>>().join(" "));
    text.push_str("[signals_width] 380\n[sst_expanded] 0\n");
    text
}

/// The cycles that get a letter, by time: the failures first, so that they have one in any case.
fn letters(marks: &[Vec<Mark>]) -> Vec<usize> {
    let last = marks.iter().filter_map(|marks| marks.last()).map(|mark| mark.cycle);
    let mut chosen: BTreeSet<usize> = last.take(LETTERS).collect();
    for mark in marks.iter().flatten() {
        if chosen.len() < LETTERS {
            chosen.insert(mark.cycle);
        }
    }
    chosen.into_iter().collect()
}

/// The time at the left edge, and the zoom at which all marks are in sight.
pub(crate) fn window(wave: &Wave, marks: &[u64]) -> (u64, f64) {
    let last = wave.cycles.saturating_sub(1);
    let end = wave.time(last).unwrap_or(last as u64);
    let (first, last) = (marks.iter().min().copied().unwrap_or(0), marks.iter().max().copied().unwrap_or(end));
    let cycle = end / wave.cycles.max(1) as u64 + 1;
    let margin = (last - first) / 10 + 2 * cycle;
    let (left, right) = (first.saturating_sub(margin), last + margin);
    let ticks = (right - left) as f64 / WIDTH * FRAME;
    (left, -ticks.max(1.0).log2())
}

fn signals(text: &mut String, report: &TraceReport, judged: &Judged) {
    let causes = judged.failures.first().map_or(&[][..], |failure| &failure.causes);
    let caused: BTreeSet<usize> = causes.iter().flat_map(|cause| cause.dots.iter().map(|dot| dot.signal)).collect();
    for index in &judged.signals {
        let Some(signal) = report.wave.signals.get(*index) else { continue };
        line(text, signal, caused.contains(index));
    }
}

/// A signal, perhaps in a colour. Orange: red is what the viewer paints unknown values with.
pub(crate) fn line(text: &mut String, signal: &Signal, coloured: bool) {
    let _ = writeln!(text, "@{}", flags(signal.info.kind));
    if coloured {
        text.push_str("[color] 2\n");
    }
    let _ = writeln!(text, "{}{}", one_line(&signal.info.name), value::range(signal.info.kind).unwrap_or_default());
}

/// How values are shown: right-justified (20) and binary (8), decimal (4), signed (400) or hexadecimal (2).
fn flags(kind: Kind) -> &'static str {
    match kind {
        Kind::Bits { width: 0..=1, .. } => "28",
        Kind::Bits { width: 2..=64, signed: true, .. } | Kind::Integer => "420",
        Kind::Bits { width: 2..=64, .. } => "24",
        Kind::Bits { .. } => "22",
        Kind::Real | Kind::Text => "20",
    }
}

pub(crate) fn comment(text: &mut String, line: &str) {
    let _ = writeln!(text, "@200\n-{}", one_line(line));
}

/// On one line, as every entry must be.
fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use nearmiss_trace::report::TraceCause;

    use super::super::sample;
    use super::*;

    #[test]
    fn signals_markers_and_reasons() {
        let expected = "\
[*]
[*] nearmiss causes
[*]
[dumpfile] \"run 1.vcd\"
[timestart] 3
[size] 1200 700
[pos] -1 -1
*-3.758992 25 25 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
[signals_width] 380
[sst_expanded] 0
@200
-ok fails: G(req -> count != 3)
@28
[color] 2
top.req
@24
[color] 2
top.dut.count[7:0]
@200
-A `req` is 1 at cycle 2; it alone decides
@200
-A `count != 3` is false at cycle 2; it alone decides
@200
-A ok fails here
@200
-Property 2 holds: F state == IDLE | mode
@420
top.state[7:4]
@20
top.level
@20
top.mode
@420
top.loops
";
        assert_eq!(render(&sample::report(), "run 1.vcd"), expected);
    }

    #[test]
    fn failures_have_a_letter_even_among_many_causes() {
        let mut report = sample::report();
        report.wave.times.clear();
        let failure = &mut report.formulas[0].failures[0];
        let cause = failure.causes[0].clone();
        failure.causes = (0..100).map(|time| TraceCause { time, ..cause.clone() }).collect();
        failure.at = 100;
        let text = render(&report, "x.vcd");
        let line = text.lines().find(|line| line.starts_with('*')).expect("there is a line of markers");
        assert_eq!(line.split(' ').count(), 28);
        assert!(line.ends_with(" 23 24 100"), "{line}");
        assert!(text.contains("-Z ok fails here"));
    }

    #[test]
    fn nothing_breaks_out_of_its_line() {
        let mut report = sample::report();
        report.formulas[0].name = Some("evil\n[dumpfile] \"other\"".into());
        let text = render(&report, "a\nb.vcd");
        assert!(!text.lines().any(|line| line.starts_with("[dumpfile] \"other")));
    }
}
