//! The causes in a terminal: per formula a sentence, and a small table of the cycles that matter with a dot at each cause.
//!
//! Columns are cycles. Only those with a dot and one on each side are shown; columns that are alike are drawn as one, and what
//! does not fit the line goes on below.

use std::collections::HashMap;

use nearmiss_trace::report::{Judged, TraceCause, TraceFailure, TraceReport, TraceVerdict};
use nearmiss_trace::wave::{Kind, Wave};

use super::sentence;
use crate::Paint;
use crate::layout::{LINE, fill, one_line, pad, width};

/// Tables of more lines are cut: nobody reads on.
const MOST_BLOCKS: usize = 6;
/// Failures beyond the first that get a line each.
const LISTED: usize = 20;

/// The whole answer, with its end of line.
pub fn render(report: &TraceReport, paint: Paint) -> String {
    let mut out = String::new();
    for (index, judged) in report.formulas.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let verdict = match judged.verdict {
            TraceVerdict::Fails => paint.bad("FAILS"),
            TraceVerdict::Holds(_) => paint.good("HOLDS"),
            TraceVerdict::Undecided(_) => paint.unsure("UNDECIDED"),
            TraceVerdict::Covered(_) => paint.good("COVERED"),
            TraceVerdict::Uncovered(_) => paint.unsure("NOT COVERED"),
        };
        out += &format!("{verdict}  {}\n", paint.strong(&one_line(&judged.formula)));
        out += &format!("{}\n", fill(&sentence::summary(report, index).plain(), 0));
        if let Some(first) = judged.failures.first() {
            out += &format!("\n{}", table(report, judged, first, paint));
            out += &format!("\n{}\n", fill(&about(&report.wave, first), 0));
        }
        for (number, failure) in judged.failures.iter().enumerate().skip(1).take(LISTED) {
            let again = format!("Failure {} {}", number + 1, sentence::place(failure));
            out += &format!("{}\n", fill(&format!("{again}{}", sentence::because(failure).plain()), 2));
        }
        let unlisted = judged.failures.len().saturating_sub(LISTED + 1) + judged.more_failures;
        if unlisted > 0 {
            out += &format!("… and {unlisted} more; --format json lists up to 1000 of them.\n");
        }
    }
    for note in &report.notes {
        out += &format!("\n{}\n", fill(&format!("note: {note}"), 6));
    }
    out
}

/// What is known of the set, and which values decide alone.
fn about(wave: &Wave, failure: &TraceFailure) -> String {
    let mut text = sentence::exactness(failure).to_owned();
    let decisive = || failure.causes.iter().filter(|cause| cause.responsibility == Some(1));
    let alone = decisive().count();
    let named: Vec<String> =
        decisive().take(5).map(|cause| format!("`{}` at cycle {}", cause.atom.trim(), cause.time)).collect();
    let more = if alone > named.len() { format!(" and {} more", alone - named.len()) } else { String::new() };
    let named = format!("{}{more}", named.join(", "));
    // Another number may give the same answer, and `$rose(b)` has two values.
    let are_bits = decisive().all(|cause| is_one_bit(wave, cause));
    if failure.causes.iter().any(|cause| !cause.direct) {
        text += " Those marked ○ decide only after others have been changed.";
    }
    text += &match (alone, failure.causes.len()) {
        (0, _) if failure.causes.iter().any(|cause| cause.responsibility.is_none()) => String::new(),
        (0, 0) => String::new(),
        (0, _) => " None of them decides alone.".to_owned(),
        (1, 1) if are_bits => " Had it been different, the property would not have failed here.".to_owned(),
        (1, 1) => format!(" Had {named} come out otherwise, the property would not have failed here."),
        (alone, all) if alone == all && are_bits => {
            " Had any one of them been different, the property would not have failed here.".to_owned()
        }
        (alone, all) if alone == all => {
            format!(" Had any one of these come out otherwise, the property would not have failed here: {named}.")
        }
        _ if are_bits => format!(" Alone, a different value of any of these would have saved it: {named}."),
        _ => format!(" Alone, any of these would have saved it, had it come out otherwise: {named}."),
    };
    text
}

/// Whether a condition is about one bit: then it comes out otherwise whenever its value is another.
fn is_one_bit(wave: &Wave, cause: &TraceCause) -> bool {
    let [dot] = cause.dots.as_slice() else { return false };
    matches!(wave.signals[dot.signal].info.kind, Kind::Bits { width: 1, .. })
}

/// What stands beside a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    /// A cause whose falsehood leads straight to that of the formula.
    Direct,
    /// One that decides only after others have been changed.
    Indirect,
}

/// One column of the table: a cycle, or several that look the same.
struct Column {
    first: usize,
    last: usize,
    cells: Vec<(String, Mark)>,
}

impl Column {
    fn head(&self) -> String {
        if self.first == self.last { self.first.to_string() } else { format!("{}-{}", self.first, self.last) }
    }
}

fn table(report: &TraceReport, judged: &Judged, failure: &TraceFailure, paint: Paint) -> String {
    let wave = &report.wave;
    let mut dots: HashMap<(usize, usize), Mark> = HashMap::new();
    let mut cycles: Vec<usize> = vec![failure.at];
    let any_direct = failure.causes.iter().any(|cause| cause.direct);
    for cause in &failure.causes {
        for dot in &cause.dots {
            let mark = dots.entry((dot.signal, dot.time)).or_insert(Mark::Indirect);
            if cause.direct {
                *mark = Mark::Direct;
            }
            // Those that decide only after others are shown where they stand in sight of the rest.
            if cause.direct || !any_direct {
                cycles.extend([dot.time.saturating_sub(1), dot.time, dot.time + 1]);
            }
        }
    }
    cycles.extend(failure.loop_start);
    cycles.retain(|cycle| *cycle < wave.cycles);
    cycles.sort_unstable();
    cycles.dedup();
    let cells = |cycle: usize| -> Vec<(String, Mark)> {
        let mark = |signal: usize| dots.get(&(signal, cycle)).copied().unwrap_or(Mark::None);
        let cell = |signal: &usize| (wave.signals[*signal].text_at(cycle), mark(*signal));
        judged.signals.iter().map(cell).collect()
    };
    let mut columns: Vec<Column> = Vec::new();
    for cycle in cycles {
        let cells = cells(cycle);
        match columns.last_mut() {
            Some(last) if last.last + 1 == cycle && last.cells == cells && Some(cycle) != failure.loop_start => {
                last.last = cycle;
            }
            _ => columns.push(Column { first: cycle, last: cycle, cells }),
        }
    }
    let names: Vec<&str> = judged.signals.iter().map(|signal| wave.signals[*signal].info.name.as_str()).collect();
    let margin = names.iter().map(|name| width(name)).max().unwrap_or(0).max(5) + 2;
    let mut out = String::new();
    let mut rest = &columns[..];
    let mut blocks = 0;
    while !rest.is_empty() {
        blocks += 1;
        if blocks > MOST_BLOCKS {
            let hidden: usize = rest.iter().map(|column| column.last - column.first + 1).sum();
            out += &format!("  … and {hidden} more cycles with causes beside them; --format html shows all\n");
            break;
        }
        let mut taken = 0;
        let mut used = margin + 2;
        let mut before: Option<usize> = None;
        for column in rest {
            let gap = before.is_some_and(|before| before + 1 != column.first);
            let more = wide(column, wave) + 2 + if gap { 2 } else { 0 };
            if taken > 0 && used + more > LINE {
                break;
            }
            (used, before, taken) = (used + more, Some(column.last), taken + 1);
        }
        out += &block(&rest[..taken], &names, margin, wave, paint);
        rest = &rest[taken..];
        if !rest.is_empty() {
            out.push('\n');
        }
    }
    out
}

/// The width of a column: of its head and of its values with their dots.
fn wide(column: &Column, wave: &Wave) -> usize {
    let cell = |(value, _): &(String, Mark)| width(value) + 1;
    let time = wave.unit.as_ref().and(wave.time(column.first)).map_or(0, |time| width(&time.to_string()));
    column.cells.iter().map(cell).max().unwrap_or(0).max(width(&column.head())).max(time)
}

fn block(columns: &[Column], names: &[&str], margin: usize, wave: &Wave, paint: Paint) -> String {
    let mut lines = vec![format!("  {}", pad(&paint.faint("cycle"), "cycle", margin))];
    lines.extend(names.iter().map(|name| format!("  {}", pad(name, name, margin))));
    let mut before: Option<usize> = None;
    for column in columns {
        if before.is_some_and(|before| before + 1 != column.first) {
            lines.iter_mut().for_each(|line| line.push_str("… "));
        }
        before = Some(column.last);
        let columns_wide = wide(column, wave);
        let head = column.head();
        lines[0] += &format!("{}  ", pad(&paint.faint(&head), &head, columns_wide));
        for (line, (value, mark)) in lines[1..].iter_mut().zip(&column.cells) {
            let (plain, painted) = match mark {
                Mark::None => (value.clone(), value.clone()),
                Mark::Direct => (format!("{value}●"), paint.bad(&format!("{value}●"))),
                Mark::Indirect => (format!("{value}○"), paint.unsure(&format!("{value}○"))),
            };
            *line += &format!("{}  ", pad(&painted, &plain, columns_wide));
        }
    }
    if let Some(unit) = wave.unit.as_ref().filter(|_| !wave.times.is_empty()) {
        let time = |column: &Column| wave.time(column.first).map(|time| time.to_string()).unwrap_or_default();
        let times: Vec<String> = columns.iter().map(time).collect();
        let label = format!("in {unit}");
        let mut line = format!("  {}", pad(&paint.faint(&label), &label, margin));
        let mut before: Option<usize> = None;
        for (column, time) in columns.iter().zip(&times) {
            if before.is_some_and(|before| before + 1 != column.first) {
                line.push_str("… ");
            }
            before = Some(column.last);
            line += &format!("{}  ", pad(&paint.faint(time), time, wide(column, wave)));
        }
        lines.insert(1, line);
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}
