//! The source with the differing lines marked, and beside them what they did in either run.
//!
//! One block per function, in the order of the program; lines that tell nothing are left out. A difference that
//! matters is marked `>`, any other `|`, and `!` is the claim.

use std::collections::BTreeMap;

use nearmiss_explain::explanation::Nearest;
use nearmiss_program::program::{Author, FunctionId};
use nearmiss_program::run::{RunStep, RunStepKind};
use nearmiss_program::source::{FileId, Span};

use super::super::layout::{LINE, count, moment, ordinal, pad, shorten, width};
use super::super::{Paint, Report, trace};
use super::describe;
use crate::pair::{Difference, Pair, Told, same_claim};
use crate::view::Detail;

/// So many differences of one line are shown.
const MOST_ROWS: usize = 4;
/// So many lines that only differ along are shown.
const MOST_LINES: usize = 30;
/// So many values are shown beside the claim.
const MOST_VALUES: usize = 6;
/// What one run did takes at most this many columns.
const WIDEST_CELL: usize = 28;
/// A gap of this many lines is filled rather than left out.
const SMALLEST_GAP: usize = 2;

/// How much a line has to do with the failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// It differs along with others.
    Differs,
    /// It differs, and that matters.
    Matters,
    /// It is the claim.
    Claim,
}

/// One difference: what a line did in either run.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    mark: Mark,
    span: Span,
    /// Whether it is a condition.
    condition: Option<Condition>,
    /// Whether only the place that is written to differs.
    elsewhere: bool,
    /// The condition, where a line has more than one thing to tell.
    label: String,
    /// `3rd time`; `3rd/2nd time` where it is the 2nd in the passing run; empty where it is executed once.
    when: String,
    failing: String,
    passing: String,
}

/// Whether a line says which condition is meant ([`describe::is_hidden`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Condition {
    Plain,
    Hidden,
}

/// The rows of a block by physical line.
type Lines = BTreeMap<usize, Vec<Row>>;
/// Blocks by file and start of the function.
type Blocks = BTreeMap<(FileId, u32), (FunctionId, Lines)>;

/// The source beside both runs.
pub struct Table {
    /// The lines.
    pub text: String,
    /// Whether some of them differ only along with others.
    pub holds_others: bool,
    /// Whether some only write to another place.
    pub writes_elsewhere: bool,
    /// How many matter.
    pub mattering: usize,
    /// Whether some are told with a time of either run.
    pub two_times: bool,
}

/// The whole table.
pub fn render(nearest: &Nearest, report: &Report, detail: Detail, paint: Paint) -> Table {
    let mut blocks = blocks(nearest, report);
    let left_out = if detail >= Detail::Verbose { 0 } else { limit(&mut blocks) };
    let rows = || blocks.values().flat_map(|(_, lines)| lines.values().flatten());
    let widest = |cell: fn(&Row) -> &String| rows().map(|row| width(cell(row))).max().unwrap_or(0);
    let mut layout = Layout {
        report,
        paint,
        detail,
        number: 1,
        source: 0,
        when: widest(|row| &row.when),
        failing: widest(|row| &row.failing).clamp("failing".len(), WIDEST_CELL),
        passing: widest(|row| &row.passing).clamp("passing".len(), WIDEST_CELL),
    };
    layout.number = (blocks.iter())
        .filter_map(|((file, _), (_, lines))| lines.keys().last().map(|line| layout.line_number(*file, *line)))
        .map(|line| line.to_string().len())
        .max()
        .unwrap_or(1);
    let room = layout.room();
    let labels = rows().map(|row| if row.label.is_empty() { 0 } else { width(&row.label) + 2 });
    layout.source = (blocks.iter())
        .flat_map(|((file, _), (_, lines))| {
            let texts = texts(report, *file);
            let indent = indentation(&texts, lines);
            lines.keys().map(move |line| width(texts.get(*line - 1).map_or("", |text| dedent(text, indent)).trim_end()))
        })
        .chain(labels)
        .filter(|width| *width <= room)
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    let mut named = None;
    for ((file, _), (function, lines)) in &blocks {
        if named != Some(*file) {
            text += &layout.title(*file, named.is_none());
            named = Some(*file);
        }
        text += &layout.block(*file, *function, lines);
    }
    if left_out > 0 {
        text += &format!("  and {} with differences (-v shows them)\n", count(left_out, "more line"));
    }
    // A line has the mark of the row that matters most.
    let lines = || blocks.values().flat_map(|(_, lines)| lines.values());
    let is_other = |rows: &Vec<Row>| rows.iter().all(|row| row.mark == Mark::Differs);
    let holds_others = lines().any(|rows| is_other(rows) && rows.iter().any(|row| !row.elsewhere));
    let writes_elsewhere = lines().any(|rows| is_other(rows) && rows.iter().any(|row| row.elsewhere));
    let mattering = rows().filter(|row| row.mark == Mark::Matters).count();
    let two_times = rows().any(|row| row.when.contains('/'));
    Table { text, holds_others, writes_elsewhere, mattering, two_times }
}

/// Every difference at its line, and the claim.
fn blocks(nearest: &Nearest, report: &Report) -> Blocks {
    let mut blocks = Blocks::new();
    if let Some(pair) = Pair::of(report) {
        let inputs = describe::Groups::of(Some(nearest), report);
        for difference in &pair.differences {
            let Some(told) = pair.steps(difference.row).into_iter().flatten().next() else { continue };
            let span = told.step.span;
            let mut row = row(difference, &pair, told, report);
            number(&mut row, told, &inputs, report);
            line(&mut blocks, span, report).push(row);
        }
    }
    label(&mut blocks, report);
    claim(&mut blocks, nearest, report);
    blocks
}

/// The rows of the line where a span starts.
fn line<'b>(blocks: &'b mut Blocks, span: Span, report: &Report) -> &'b mut Vec<Row> {
    let program = report.program;
    let defined = (0..).map(FunctionId).zip(&program.functions).filter(|(_, function)| {
        let (file, start) = (function.span.file, function.span.start);
        function.author == Author::User && !function.blocks.is_empty() && file == span.file && start <= span.start
    });
    // What is before all functions is shown with the entry.
    let function = defined.max_by_key(|(_, function)| function.span.start).map_or(program.entry, |(id, _)| id);
    let start = program.function(function).span.start;
    let (_, lines) = blocks.entry((span.file, start)).or_insert_with(|| (function, Lines::new()));
    lines.entry(report.sources.physical_line(span.file, span.start) as usize).or_default()
}

/// What both runs did in a row, and which time it was where there are several.
fn row(difference: &Difference, pair: &Pair, told: &Told, report: &Report) -> Row {
    let mark = if difference.matters { Mark::Matters } else { Mark::Differs };
    let [failing, passing] = pair.cells(difference.row);
    let times = pair.steps(difference.row).map(|step| step.map(|told| told.time));
    let when = match times {
        _ if pair.totals(told).into_iter().max() <= Some(1) => String::new(),
        [Some(failing), Some(passing)] if failing != passing && report.program.hardware.is_none() => {
            format!("{}/{} time", ordinal(failing), ordinal(passing))
        }
        _ => moment(report.program, described(&told.step.kind), told.time),
    };
    let condition = match told.step.kind {
        RunStepKind::Branch { .. } if describe::is_hidden(&told.step, report) => Some(Condition::Hidden),
        RunStepKind::Branch { .. } => Some(Condition::Plain),
        _ => None,
    };
    let (span, elsewhere) = (told.step.span, difference.elsewhere);
    Row { mark, span, condition, elsewhere, label: String::new(), when, failing, passing }
}

/// The name of what a step sets.
fn described(kind: &RunStepKind) -> &str {
    match kind {
        RunStepKind::Input { name, .. } | RunStepKind::Assign { name, .. } => name,
        _ => "",
    }
}

/// Of several inputs of one name in a line it is told which one a row is about, as the sentence has it: `nondet_int() (2nd)`.
fn number(row: &mut Row, told: &Told, inputs: &describe::Groups, report: &Report) {
    let RunStepKind::Input { site, name, .. } = &told.step.kind else { return };
    let mut groups = inputs.failing.iter().chain(&inputs.passing);
    let Some(group) = groups.find(|group| group.key == (*site, name.as_str())) else { return };
    let line = format!(" in {}", describe::place(told.step.span, report));
    let short = group.name.replacen(&line, "", 1);
    if short != *name {
        row.label = short;
    }
}

/// A condition is named, unless its line asks for and tells nothing else.
fn label(blocks: &mut Blocks, report: &Report) {
    for rows in blocks.values_mut().flat_map(|(_, lines)| lines.values_mut()) {
        let first = rows.first().map(|row| (row.span, row.condition));
        let alone = rows.iter().all(|row| first == Some((row.span, row.condition)));
        let is_named = |row: &&mut Row| row.condition.is_some_and(|kind| !alone || kind == Condition::Hidden);
        for row in rows.iter_mut().filter(is_named) {
            row.label = describe::condition(row.span, report);
        }
    }
}

/// The line of the claim, with the values it is about.
fn claim(blocks: &mut Blocks, nearest: &Nearest, report: &Report) {
    let explanation = report.explanation;
    let (Some(claim), Some(counterexample)) = (explanation.property, &explanation.counterexample) else { return };
    let claim = &explanation.claims[claim];
    let Some(last) = counterexample.run.steps.last() else { return };
    let RunStepKind::Claim { claim: violated, .. } = &last.kind else { return };
    if report.sources.file(claim.span.file).system {
        return;
    }
    // What a library function is about goes by names of its own.
    let is_own = report.program.function(last.function).author != Author::Library;
    let is_claim = |step: &RunStep| matches!(&step.kind, RunStepKind::Claim { claim, .. } if claim == violated);
    // The time that fails is compared with the same time of the passing run.
    let times = counterexample.run.steps.iter().filter(|step| is_claim(step)).count();
    let reached = same_claim(&counterexample.run.steps, &nearest.run.steps);
    let passing_values = reached.map(|at| trace::values_in(claim, &nearest.run.steps[..=at], report.passing));
    let failing_values = trace::values_in(claim, &counterexample.run.steps, report.failing);
    let rows = line(blocks, claim.span, report);
    let row = |failing: String, passing: String| Row {
        mark: Mark::Claim,
        span: claim.span,
        condition: None,
        elsewhere: false,
        label: String::new(),
        when: String::new(),
        failing,
        passing,
    };
    let earlier = nearest.run.steps.iter().filter(|step| is_claim(step)).count();
    let outcome = match (reached, earlier) {
        (Some(_), _) => "holds".to_owned(),
        (None, 0) => "not reached".to_owned(),
        (None, 1) => "holds, only once".to_owned(),
        (None, earlier) => format!("holds, only {earlier} times"),
    };
    rows.insert(0, row("violated".to_owned(), outcome));
    if times > 1 {
        rows[0].when = moment(report.program, "", times);
    }
    let Some(passing_values) = passing_values.filter(|_| is_own) else { return };
    let beside = failing_values.into_iter().filter_map(|(name, value)| {
        let (_, other) = passing_values.iter().find(|(other, _)| *other == name)?;
        Some((format!("{name} = {value}"), format!("{name} = {other}")))
    });
    for (failing, passing) in telling(beside.collect()) {
        if !rows.iter().any(|row| row.failing == failing) {
            rows.push(row(failing, passing));
        }
    }
}

/// Of too many values under a claim those that differ are kept first.
fn telling(values: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|at| values[*at].0 == values[*at].1);
    order.truncate(MOST_VALUES);
    order.sort_unstable();
    order.into_iter().map(|at| values[at].clone()).collect()
}

/// Takes out lines that only differ along, where there are too many; how many.
fn limit(blocks: &mut Blocks) -> usize {
    let mut kept = 0;
    let mut left_out = 0;
    for (_, lines) in blocks.values_mut() {
        lines.retain(|_, rows| {
            if rows.iter().any(|row| row.mark != Mark::Differs) {
                return true;
            }
            kept += 1;
            left_out += usize::from(kept > MOST_LINES);
            kept <= MOST_LINES
        });
    }
    blocks.retain(|_, (_, lines)| !lines.is_empty());
    left_out
}

/// The lines of a file.
fn texts<'a>(report: &'a Report, file: FileId) -> Vec<&'a str> {
    report.sources.file(file).text.lines().collect()
}

/// How far all of these lines are indented.
fn indentation(texts: &[&str], lines: &Lines) -> usize {
    let texts = lines.keys().filter_map(|line| texts.get(*line - 1)).filter(|text| !text.trim().is_empty());
    texts.map(|text| text.len() - text.trim_start().len()).min().unwrap_or(0)
}

/// A line without the indentation that all have.
fn dedent(text: &str, indent: usize) -> &str {
    let own = text.len() - text.trim_start().len();
    &text[indent.min(own)..]
}

/// The widths of the columns.
struct Layout<'a> {
    report: &'a Report<'a>,
    paint: Paint,
    detail: Detail,
    number: usize,
    source: usize,
    when: usize,
    failing: usize,
    passing: usize,
}

impl Layout<'_> {
    /// Columns for the source.
    fn room(&self) -> usize {
        LINE.saturating_sub(self.lead() + self.cells())
    }

    /// Columns of mark and number.
    fn lead(&self) -> usize {
        2 + self.number + 3
    }

    /// Columns of everything behind the source.
    fn cells(&self) -> usize {
        let when = if self.when > 0 { self.when + 2 } else { 0 };
        3 + when + self.failing + 3 + self.passing
    }

    fn line_number(&self, file: FileId, line: usize) -> u32 {
        let start: usize = texts_before(&self.report.sources.file(file).text, line);
        self.report.sources.position(Span::new(file, start as u32, start as u32)).line
    }

    /// The name of the file, and the titles of the columns.
    fn title(&self, file: FileId, columns: bool) -> String {
        let name = &self.report.sources.file(file).name;
        let room = self.lead() + self.source;
        let mut out = self.paint.strong(name);
        if columns {
            let gap = " ".repeat(3 + if self.when > 0 { self.when + 2 } else { 0 });
            out = if width(name) <= room { pad(&out, name, room) } else { format!("{out}\n{}", " ".repeat(room)) };
            let failing = pad(&self.paint.bad("failing"), "failing", self.failing);
            out += &format!("{gap}{failing}   {}", self.paint.good("passing"));
        }
        out + "\n"
    }

    fn block(&self, file: FileId, function: FunctionId, lines: &Lines) -> String {
        let texts = texts(self.report, file);
        let indent = indentation(&texts, lines);
        let name = &self.report.program.function(function).name;
        let mut out = format!("{} in {}\n", " ".repeat(2 + self.number), self.paint.strong(name));
        let mut before = None;
        for (line, rows) in lines {
            match before {
                Some(before) if line - before <= SMALLEST_GAP + 1 => {
                    for between in before + 1..*line {
                        out += &self.context(file, between, &texts, indent);
                    }
                }
                _ => out += &format!("{}...\n", " ".repeat(2 + self.number.saturating_sub(1))),
            }
            before = Some(*line);
            out += &self.marked(file, *line, rows, dedent(texts.get(line - 1).unwrap_or(&""), indent));
        }
        out
    }

    /// A line without differences; none of ours.
    fn context(&self, file: FileId, line: usize, texts: &[&str], indent: usize) -> String {
        let text = dedent(texts.get(line - 1).unwrap_or(&""), indent);
        if text.trim_start().starts_with('#') {
            return String::new();
        }
        let number = self.line_number(file, line);
        let text = shorten(&printable(text), LINE - self.lead());
        let row = format!("  {number:>width$} | {}", self.paint.faint(&text), width = self.number);
        format!("{}\n", row.trim_end())
    }

    /// A line with its differences beside it, or under it where it is too long.
    fn marked(&self, file: FileId, line: usize, rows: &[Row], text: &str) -> String {
        let mark = rows.iter().map(|row| row.mark).max().unwrap_or(Mark::Differs);
        let sign = match mark {
            Mark::Differs => "|".to_owned(),
            Mark::Matters => self.paint.strong(">"),
            Mark::Claim => self.paint.bad("!"),
        };
        let number = self.line_number(file, line);
        let text = shorten(&printable(text.trim_end()), LINE - self.lead());
        let strong = if mark == Mark::Differs { text.clone() } else { self.paint.strong(&text) };
        let mut out = format!("{sign} {number:>width$} | ", width = self.number);
        let lead = format!("{} | ", " ".repeat(2 + self.number));
        // What does not fit before the cells stands above them.
        let under = |label: &str| {
            let label = if label.is_empty() { String::new() } else { format!("  {label}") };
            let label = shorten(&label, LINE - self.lead());
            let faint = self.paint.faint(&label);
            match width(&label) <= self.source {
                true => format!("{lead}{}", pad(&faint, &label, self.source)),
                false => format!("{lead}{faint}\n{lead}{}", " ".repeat(self.source)),
            }
        };
        let beside = width(&text) <= self.source && rows.first().is_none_or(|row| row.label.is_empty());
        out += &if beside { pad(&strong, &text, self.source) } else { format!("{strong}\n") };
        let (shown, left_out) = self.shown(rows);
        for (at, row) in shown.into_iter().enumerate() {
            if at > 0 || !beside {
                out += &under(&row.label);
            }
            out += &self.row(row);
            out.push('\n');
        }
        if left_out > 0 {
            out += &format!("{}   and {left_out} more (-v shows them)\n", under(""));
        }
        out
    }

    /// Of too many differences in a line the first, and how many are left out. What is told of the claim is always there.
    fn shown<'r>(&self, rows: &'r [Row]) -> (Vec<&'r Row>, usize) {
        let others = rows.iter().filter(|row| row.mark != Mark::Claim).count();
        let most = if self.detail >= Detail::Verbose || others <= MOST_ROWS + 1 { others } else { MOST_ROWS };
        let mut told = 0;
        let is_shown = |row: &&Row| {
            told += usize::from(row.mark != Mark::Claim);
            row.mark == Mark::Claim || told <= most
        };
        (rows.iter().filter(is_shown).collect(), others - most)
    }

    fn row(&self, row: &Row) -> String {
        let when = if self.when > 0 { format!("{:width$}  ", row.when, width = self.when) } else { String::new() };
        let failing = shorten(&row.failing, self.failing);
        let passing = shorten(&row.passing, self.passing);
        let quiet = |text: &str| text.starts_with("not ");
        let painted = if quiet(&failing) { self.paint.faint(&failing) } else { self.paint.bad(&failing) };
        let other = if quiet(&passing) { self.paint.faint(&passing) } else { self.paint.good(&passing) };
        format!("   {when}{}   {other}", pad(&painted, &failing, self.failing))
    }
}

/// Where a line starts, in bytes; lines count from 1.
fn texts_before(text: &str, line: usize) -> usize {
    text.split_inclusive('\n').take(line - 1).map(str::len).sum()
}

/// A line that a terminal can show; tabs are four spaces.
fn printable(text: &str) -> String {
    let text = text.replace('\t', "    ");
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
