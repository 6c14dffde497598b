//! Both runs of a model of hardware on its page: a signal of the failing run above that of the passing one, what differs marked.
//!
//! Drawn here and not by scripts, so that it is there on paper and without them. Values are texts of the drawing; the tables of
//! the page say the same in words.

use std::fmt::Write;

use nearmiss_trace::wave::{Kind, Signal};

use super::escape;
use crate::causes::value;
use crate::waves::{Lane, Waves};

/// How the section looks.
pub const STYLE: &str = include_str!("waves.css");

/// Height of a line of values.
const ROW: usize = 22;
/// Height of the numbers of cycles.
const RULER: usize = 20;
/// Width of a digit.
const DIGIT: usize = 7;
/// Widths that a cycle has.
const CELL: (usize, usize) = (34, 110);
/// So many cycles are drawn, the last ones.
const MOST_CYCLES: usize = 400;
/// So many signals are drawn.
const MOST_LANES: usize = 200;

/// The section; nothing where there is nothing to draw.
pub fn section(waves: &Waves) -> String {
    if waves.lanes.is_empty() || waves.wave.cycles == 0 {
        return String::new();
    }
    let compared = waves.lanes.iter().any(|lane| lane.passing.is_some());
    let drawing = Drawing::of(waves);
    let (differ, same): (Vec<&Lane>, Vec<&Lane>) = waves.lanes.iter().partition(|lane| lane.cycles().next().is_some());
    let mut html =
        String::from("<section class=\"waves\" id=\"waves\" aria-label=\"Waveforms\">\n<h2>Waveforms</h2>\n");
    let legend = match compared {
        true => {
            "<em class=\"bad\">━</em> failing run, <em class=\"good\">━</em> passing run; what differs is shaded. The claim is violated \
             in the last cycle of the failing run."
        }
        false => "The claim is violated in the last cycle.",
    };
    let _ = writeln!(html, "<p class=\"legend\">{legend}{}</p>", drawing.left_out());
    if !differ.is_empty() {
        html += &drawing.block(&differ, true);
    }
    match (compared, same.is_empty()) {
        (_, true) => {}
        (false, _) => html += &drawing.block(&same, false),
        (true, false) => {
            let _ = writeln!(html, "<details><summary>The same in both runs: {}</summary>", same.len());
            html += &drawing.block(&same, false);
            html += "</details>\n";
        }
    }
    html + "</section>\n"
}

struct Drawing<'w> {
    waves: &'w Waves,
    /// The first cycle that is drawn.
    from: usize,
    /// Width of a cycle.
    cell: usize,
}

impl Drawing<'_> {
    fn of(waves: &Waves) -> Drawing<'_> {
        let from = waves.wave.cycles.saturating_sub(MOST_CYCLES);
        let is_bit = |signal: &&Signal| !matches!(signal.info.kind, Kind::Bits { width: 1, .. });
        let words = waves.wave.signals.iter().filter(|signal| !signal.info.name.starts_with("marks.")).filter(is_bit);
        let texts = words.flat_map(|signal| value::changes(signal).map(|(_, value)| signal.info.text(&value).len()));
        let widest = texts.max().unwrap_or(1);
        Drawing { waves, from, cell: (widest * DIGIT + 14).clamp(CELL.0, CELL.1) }
    }

    fn cycles(&self) -> usize {
        self.waves.wave.cycles - self.from
    }

    /// What is not drawn, as a sentence.
    fn left_out(&self) -> String {
        let mut told = String::new();
        if self.from > 0 {
            let _ = write!(told, " Cycles before {} are not drawn; --format vcd has them.", self.from);
        }
        if self.waves.lanes.len() > MOST_LANES {
            let _ = write!(told, " Of each list {MOST_LANES} signals are drawn; --format vcd has all.");
        }
        told
    }

    /// Names at the left, which stay, and the waves, which scroll.
    fn block(&self, lanes: &[&Lane], both: bool) -> String {
        let lanes = &lanes[..lanes.len().min(MOST_LANES)];
        let height = if both { 2 * ROW } else { ROW };
        let (width, whole) = (self.cycles() * self.cell, RULER + lanes.len() * (height + 6));
        let mut names = format!("<div class=\"wave-names\"><div style=\"height:{RULER}px\">cycle</div>");
        let label = if both { "Signals that differ" } else { "Signals" };
        let mut svg = format!(
            "<svg role=\"img\" aria-label=\"{label}, cycle by cycle\" width=\"{}\" height=\"{whole}\" viewBox=\"-1 0 {} {whole}\">",
            width + 2,
            width + 2
        );
        let last = (self.cycles() - 1) * self.cell;
        let _ = write!(svg, "<rect class=\"end\" x=\"{last}\" y=\"0\" width=\"{}\" height=\"{whole}\"/>", self.cell);
        for cycle in 0..self.cycles() {
            let (left, middle) = (cycle * self.cell, cycle * self.cell + self.cell / 2);
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{left} {RULER}V{whole}\"/><text x=\"{middle}\" y=\"14\">{}</text>",
                cycle + self.from
            );
        }
        for (at, lane) in lanes.iter().enumerate() {
            let _ = write!(names, "<div style=\"height:{height}px\"><code>{}</code></div>", escape(&lane.name));
            let top = RULER + at * (height + 6) + 3;
            svg += &self.lane(lane, top, both);
        }
        format!(
            "<div class=\"wave-block\">{names}</div><div class=\"wave-scroll\" role=\"group\" aria-label=\"{label}\" tabindex=\"0\">{svg}</svg></div></div>\n"
        )
    }

    fn lane(&self, lane: &Lane, top: usize, both: bool) -> String {
        let mut svg = String::new();
        if both {
            for cycle in lane.cycles().filter(|cycle| *cycle >= self.from) {
                let (left, height) = ((cycle - self.from) * self.cell, 2 * ROW);
                let _ = write!(
                    svg,
                    "<rect class=\"differs\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{height}\"/>",
                    self.cell
                );
            }
        }
        let runs = [("failing", Some(lane.failing)), ("passing", lane.passing.filter(|_| both))];
        for (row, (run, signal)) in runs.into_iter().enumerate() {
            let Some(signal) = signal.map(|signal| &self.waves.wave.signals[signal]) else { continue };
            // Of a signal that is the same in both runs no run is meant.
            let run = if both { run } else { "same" };
            let drawn = match signal.info.kind {
                Kind::Bits { width: 1, .. } => self.bit(signal, top + row * ROW),
                _ => self.word(signal, top + row * ROW),
            };
            let _ = write!(svg, "<g class=\"{run}\">{drawn}</g>");
        }
        svg
    }

    /// Where a signal stays the same: from, to, and the value, as far as it is drawn.
    fn stretches(&self, signal: &Signal) -> Vec<(usize, usize, String)> {
        let changes: Vec<(usize, String)> =
            value::changes(signal).map(|(cycle, value)| (cycle, signal.info.text(&value))).collect();
        let ends = changes.iter().skip(1).map(|(cycle, _)| *cycle).chain([self.waves.wave.cycles]);
        let all = changes.iter().zip(ends).filter(|(_, end)| *end > self.from);
        let x = |cycle: usize| cycle.saturating_sub(self.from) * self.cell;
        all.map(|((start, text), end)| (x(*start), x(end), text.clone())).collect()
    }

    fn bit(&self, signal: &Signal, top: usize) -> String {
        let mut path = String::new();
        for (start, end, value) in self.stretches(signal) {
            let y = if value == "1" { top + 4 } else { top + ROW - 4 };
            let _ = match path.is_empty() {
                true => write!(path, "M{start} {y}H{end}"),
                false => write!(path, "V{y}H{end}"),
            };
        }
        format!("<path d=\"{path}\"/>")
    }

    fn word(&self, signal: &Signal, top: usize) -> String {
        let (high, middle, low) = (top + 3, top + ROW / 2, top + ROW - 3);
        let mut svg = String::new();
        for (start, end, value) in self.stretches(signal) {
            let (left, right) = (start + 3, end - 3);
            let room = (end - start).saturating_sub(8) / DIGIT;
            let text = if value.len() <= room {
                value.clone()
            } else {
                value.chars().take(room.saturating_sub(1)).chain(['…']).collect()
            };
            let _ = write!(
                svg,
                "<path d=\"M{start} {middle}L{left} {high}H{right}L{end} {middle}L{right} {low}H{left}Z\"><title>{0}</title></path>\
                 <text x=\"{1}\" y=\"{2}\">{3}</text>",
                escape(&value),
                (start + end) / 2,
                middle + 4,
                escape(&text)
            );
        }
        svg
    }
}
