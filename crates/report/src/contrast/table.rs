//! The source with the differing lines marked, and beside them what they did in either run.
//!
//! One block per function, in the order of the program; lines that tell nothing are left out. A difference that
//! matters is marked `>`, any other `|`, and `!` is the claim.

use std::collections::BTreeMap;

use nearmiss_explain::explanation::{Contrast, Delta, DeltaKind, Executed, Nearest};
use nearmiss_program::program::{Author, FunctionId};
use nearmiss_program::run::{RunStep, RunStepKind};
use nearmiss_program::source::{FileId, Span};

use super::super::layout::{LINE, count, ordinal, pad, shorten, width};
use super::super::{Paint, Report, trace};
use super::describe;
use crate::view::Detail;

/// So many differences of one line are shown.
const MOST_ROWS: usize = 4;
/// So many lines that only differ along are shown.
const MOST_LINES: usize = 30;
/// So many values are shown beside the claim.
const MOST_VALUES: usize = 4;
/// What one run did takes at most this many columns.
const WIDEST_CELL: usize = 28;
/// A gap of this many lines is filled rather than left out.
const SMALLEST_GAP: usize = 2;

/// What a run did that did not come here.
const ABSENT: &str = "not executed";

/// What a run did that has not left a loop where the other one does.
const GOES_ON: &str = "goes on";

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
    variable: String,
    /// The condition, where a line has more than one thing to tell.
    label: String,
    /// `3rd time`; empty where it is executed once.
    when: String,
    failing: String,
    passing: String,
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
}

/// The whole table.
pub fn render(contrast: &Contrast, nearest: &Nearest, report: &Report, detail: Detail, paint: Paint) -> Table {
    let mut blocks = blocks(contrast, nearest, report);
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
    layout.source = (blocks.iter())
        .flat_map(|((file, _), (_, lines))| {
            let texts = texts(report, *file);
            let indent = indentation(&texts, lines);
            lines.keys().map(move |line| width(texts.get(*line - 1).map_or("", |text| dedent(text, indent)).trim_end()))
        })
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
    let holds_others = rows().any(|row| row.mark == Mark::Differs);
    Table { text, holds_others }
}

/// Every visible difference at its line, and the claim.
fn blocks(contrast: &Contrast, nearest: &Nearest, report: &Report) -> Blocks {
    let mut blocks = Blocks::new();
    let slice = contrast.slice.as_ref().map_or(&[][..], |slice| &slice.deltas);
    let mut shown: Vec<&Delta> = nearest.deltas.iter().collect();
    // A slice of one step may be of another passing run.
    shown.extend(slice.iter().filter(|delta| !nearest.deltas.iter().any(|other| other.name == delta.name)));
    for delta in shown.into_iter().filter(|delta| describe::is_visible(delta, report)) {
        let matters = slice.iter().any(|other| other.name == delta.name);
        let delta = located(delta, nearest, report);
        let mut row = row(&delta, if matters { Mark::Matters } else { Mark::Differs }, report);
        if only_goes_on(&delta, nearest, report) {
            if !matters {
                continue;
            }
            for cell in [&mut row.failing, &mut row.passing].into_iter().filter(|cell| *cell == ABSENT) {
                GOES_ON.clone_into(cell);
            }
        }
        add(line(&mut blocks, delta.span, report), row);
    }
    number(&mut blocks, nearest, report);
    label(&mut blocks, report);
    claim(&mut blocks, nearest, report);
    blocks
}

/// A value at the place where paths meet is shown where it was assigned, if a run knows.
fn located(delta: &Delta, nearest: &Nearest, report: &Report) -> Delta {
    let failing = report.explanation.counterexample.as_ref().map_or(&[][..], |found| &found.run.steps);
    let passing = &nearest.run.steps[..];
    let gives = |step: &RunStep, bits: u128| match &step.kind {
        RunStepKind::Assign { value, .. } | RunStepKind::Input { value, .. } => *value == bits,
        RunStepKind::Return { value } => value.is_some_and(|(_, value)| value == bits),
        _ => false,
    };
    let here = |steps: &[RunStep], bits| steps.iter().any(|step| step.span == delta.span && gives(step, bits));
    if delta.kind != DeltaKind::Value || here(failing, delta.failing) || here(passing, delta.passing) {
        return delta.clone();
    }
    let assigned = |steps: &[RunStep], bits: u128| {
        let named = |step: &&RunStep| matches!(&step.kind, RunStepKind::Assign { name, .. } if *name == delta.variable);
        steps.iter().filter(named).rfind(|step| gives(step, bits)).map(|step| (step.span, step.function))
    };
    let (old, new) = (assigned(failing, delta.failing), assigned(passing, delta.passing));
    let Some((span, function)) = old.or(new) else { return delta.clone() };
    let passing_span = new.map(|(span, _)| span).filter(|other| *other != span);
    Delta { span, function, passing_span, ..delta.clone() }
}

/// Whether a value is that behind a loop which only one run has left: the other one executes the statement in the same way, and
/// then more often.
fn only_goes_on(delta: &Delta, nearest: &Nearest, report: &Report) -> bool {
    let failing = report.explanation.counterexample.as_ref().map_or(&[][..], |found| &found.run.steps);
    let done = |steps| executions(steps, delta.span, &delta.variable);
    let (old, new) = (done(failing), done(&nearest.run.steps));
    match delta.executed {
        _ if delta.kind != DeltaKind::Value => false,
        Executed::Passing => !new.is_empty() && old.starts_with(&new),
        Executed::Failing => !old.is_empty() && new.starts_with(&old),
        Executed::Both | Executed::Neither => false,
    }
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

fn row(delta: &Delta, mark: Mark, report: &Report) -> Row {
    let (failing, passing) = describe::values(delta, report);
    let variable = &delta.variable;
    let told = |value: String, bits: u128, executed: bool| match delta.kind {
        DeltaKind::Guard if !executed => "not reached".to_owned(),
        DeltaKind::Guard => (bits != 0).to_string(),
        _ if !executed => ABSENT.to_owned(),
        DeltaKind::Value if describe::returning(variable).is_some() => format!("returns {value}"),
        _ => format!("{variable} = {value}"),
    };
    let in_failing = matches!(delta.executed, Executed::Both | Executed::Failing);
    let in_passing = matches!(delta.executed, Executed::Both | Executed::Passing);
    let failing = told(failing, delta.failing, in_failing);
    let mut passing = told(passing, delta.passing, in_passing);
    if let (Some(span), true) = (delta.passing_span, in_passing) {
        let longer = format!("{passing} ({})", describe::place_from(span, Some(delta.span.file), report));
        passing = if width(&longer) <= WIDEST_CELL { longer } else { passing };
    }
    let (label, when) = (String::new(), String::new());
    Row { mark, span: delta.span, variable: variable.clone(), label, when, failing, passing }
}

/// Adds a row, unless one is there that is the same difference: an assignment, and its value where paths meet; an
/// element by its index, and by the number that this is.
fn add(rows: &mut Vec<Row>, row: Row) {
    let is_condition = row.variable.starts_with('\\');
    let related = |old: &Row| old.variable == row.variable && (!is_condition || old.span == row.span);
    let same = |old: &Row| (old.failing == row.failing, old.passing == row.passing);
    let value = |cell: &str| cell.rsplit(" = ").next().unwrap_or_default().to_owned();
    let is_part = |name: &str| name.contains(['[', '.', '>']);
    let element = |old: &Row| {
        old.span == row.span
            && is_part(&old.variable)
            && is_part(&row.variable)
            && (value(&old.failing) == value(&row.failing) || old.failing == ABSENT)
            && (value(&old.passing) == value(&row.passing) || old.passing == ABSENT)
    };
    let tells_more = |old: &Row| match same(old) {
        (true, _) if old.passing == ABSENT => true,
        (_, true) if old.failing == ABSENT => true,
        _ => false,
    };
    let at = (rows.iter().rposition(|old| related(old) && same(old) == (true, true)))
        .or_else(|| rows.iter().rposition(|old| related(old) && tells_more(old)))
        .or_else(|| rows.iter().rposition(|old| !is_condition && element(old)));
    match at {
        Some(at) => rows[at] = Row { mark: rows[at].mark.max(row.mark), ..row },
        None => rows.push(row),
    }
}

/// Tells rows of the same statement apart by which time it was executed.
fn number(blocks: &mut Blocks, nearest: &Nearest, report: &Report) {
    let failing = report.explanation.counterexample.as_ref().map_or(&[][..], |found| &found.run.steps);
    for rows in blocks.values_mut().flat_map(|(_, lines)| lines.values_mut()) {
        let mut statements: Vec<(Span, String)> = rows.iter().map(|row| (row.span, row.variable.clone())).collect();
        statements.sort();
        statements.dedup();
        for (span, variable) in statements {
            let (old, new) = (executions(failing, span, &variable), executions(&nearest.run.steps, span, &variable));
            let times = old.len().max(new.len());
            let is_this = |row: &Row| row.span == span && row.variable == variable;
            if rows.iter().filter(|row| is_this(row)).count() > times.max(1) {
                prune(rows, &is_this);
            }
            let differing: Vec<usize> = (0..times).filter(|at| old.get(*at) != new.get(*at)).collect();
            if times < 2 || rows.iter().filter(|row| is_this(row)).count() != differing.len() {
                continue;
            }
            for (row, at) in rows.iter_mut().filter(|row| is_this(row)).zip(differing) {
                row.when = format!("{} time", ordinal(at + 1));
            }
        }
    }
}

/// Takes out rows that tell less than others: the same value at inner joins that one of the runs does not reach.
fn prune(rows: &mut Vec<Row>, is_this: &dyn Fn(&Row) -> bool) {
    let told: Vec<Row> = rows.iter().filter(|row| is_this(row)).cloned().collect();
    let tells_less = |row: &Row| {
        let same = |other: &Row| (row.failing == other.failing) != (row.passing == other.passing);
        (row.failing == ABSENT || row.passing == ABSENT) && told.iter().any(same)
    };
    rows.retain(|row| !is_this(row) || !tells_less(row));
}

/// Where a line has more to tell than one condition, each is named.
fn label(blocks: &mut Blocks, report: &Report) {
    for rows in blocks.values_mut().flat_map(|(_, lines)| lines.values_mut()) {
        let first = rows.first().map(|row| (row.span, row.variable.clone()));
        let alone =
            rows.iter().all(|row| first.as_ref().is_some_and(|first| *first == (row.span, row.variable.clone())));
        for row in rows.iter_mut().filter(|row| !alone && row.variable.starts_with('\\')) {
            row.label = describe::condition(row.span, report);
        }
    }
}

/// What a statement or condition did, each time.
fn executions(steps: &[RunStep], span: Span, variable: &str) -> Vec<u128> {
    let at_span = steps.iter().filter(|step| step.span == span);
    at_span
        .filter_map(|step| match &step.kind {
            RunStepKind::Assign { name, value, .. } | RunStepKind::Input { name, value, .. } => {
                (name == variable).then_some(*value)
            }
            RunStepKind::Branch { taken, .. } => variable.starts_with('\\').then_some(u128::from(*taken)),
            RunStepKind::Return { value } => describe::returning(variable).and(value.map(|(_, bits)| bits)),
            RunStepKind::Call { .. } | RunStepKind::Claim { .. } => None,
        })
        .collect()
}

/// The line of the claim, with the values it is about.
fn claim(blocks: &mut Blocks, nearest: &Nearest, report: &Report) {
    let explanation = report.explanation;
    let (Some(claim), Some(counterexample)) = (explanation.property, &explanation.counterexample) else { return };
    let claim = &explanation.claims[claim];
    let Some(last) = counterexample.run.steps.last() else { return };
    let RunStepKind::Claim { claim: violated, .. } = &last.kind else { return };
    if report.program.function(last.function).author == Author::Library || report.sources.file(claim.span.file).system {
        return;
    }
    let is_claim = |step: &RunStep| matches!(&step.kind, RunStepKind::Claim { claim, .. } if claim == violated);
    // The time that fails is compared with the same time of the passing run.
    let times = counterexample.run.steps.iter().filter(|step| is_claim(step)).count();
    let reached = nearest.run.steps.iter().enumerate().filter(|(_, step)| is_claim(step)).nth(times - 1);
    let reached = reached.map(|(at, _)| at);
    let passing_values = reached.map(|at| trace::values_in(claim, &nearest.run.steps[..=at], report.passing));
    let failing_values = trace::values_in(claim, &counterexample.run.steps, report.failing);
    let rows = line(blocks, claim.span, report);
    let row = |failing: String, passing: String| Row {
        mark: Mark::Claim,
        span: claim.span,
        variable: String::new(),
        label: String::new(),
        when: String::new(),
        failing,
        passing,
    };
    let outcome = if reached.is_some() { "holds" } else { "not reached" };
    rows.insert(0, row("violated".to_owned(), outcome.to_owned()));
    if times > 1 {
        rows[0].when = format!("{} time", ordinal(times));
    }
    let Some(passing_values) = passing_values else { return };
    for (name, value) in failing_values.into_iter().take(MOST_VALUES) {
        let other = passing_values.iter().find(|(other, _)| *other == name);
        let cell = format!("{name} = {value}");
        if let Some((_, other)) = other
            && !rows.iter().any(|row| row.failing == cell)
        {
            rows.push(row(cell, format!("{name} = {other}")));
        }
    }
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
        self.report.sources.position(Span { file, start: start as u32, end: start as u32 }).line
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
        let under = |label: &str| {
            let label = shorten(label, self.source.saturating_sub(2));
            let label = if label.is_empty() { label } else { format!("  {label}") };
            format!("{lead}{}", pad(&self.paint.faint(&label), &label, self.source))
        };
        let beside = width(&text) <= self.source && rows.first().is_none_or(|row| row.label.is_empty());
        out += &if beside { pad(&strong, &text, self.source) } else { format!("{strong}\n") };
        let most = if self.detail >= Detail::Verbose || rows.len() <= MOST_ROWS + 1 { rows.len() } else { MOST_ROWS };
        for (at, row) in rows.iter().take(most).enumerate() {
            if at > 0 || !beside {
                out += &under(&row.label);
            }
            out += &self.row(row);
            out.push('\n');
        }
        if rows.len() > most {
            out += &format!("{}   and {} more (-v shows them)\n", under(""), rows.len() - most);
        }
        out
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
