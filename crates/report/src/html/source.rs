//! The source with what every line did in the margin, as plain HTML: it needs no scripts, and it prints.
//!
//! A row has classes for what is known of its line (`f`, `p`: executed by the failing and the passing run; `d`: a
//! difference; `s`: one that matters; `k`: kept; `c`: the claim; `h`: the head of a function that was executed). Whether
//! they show is up to the style, and so to the toggles of the page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use nearmiss_program::program::Author;
use nearmiss_program::run::{RunStep, RunStepKind};
use nearmiss_program::source::{FileId, Span};

use super::super::contrast::describe;
use super::super::layout::{moment, shorten};
use super::super::page::escape;
use super::super::{Report, contrast};
use super::steps::Shown;

/// So many things that a line did are shown; the others are counted.
const MOST_PARTS: usize = 5;
/// A statement that sets more variables than this shows the last one.
const MOST_NAMES: usize = 3;
/// So many values are listed one by one.
const MOST_LISTED: usize = 3;
/// So many values are in the tip of one that is shown.
const MOST_VALUES: usize = 40;
/// A condition beside its outcome is cut off here.
const LONGEST_CONDITION: usize = 28;

/// A line of a file; lines count from 1.
pub type Line = (FileId, u32);

/// What one run did in a line, statement by statement.
type Cell = Vec<Part>;

/// What one statement did, each time.
struct Part {
    span: Span,
    is_branch: bool,
    /// Whether its line does not say which condition is meant.
    is_hidden: bool,
    texts: Vec<String>,
}

/// What is known of lines.
#[derive(Default)]
pub struct Margin {
    failing: BTreeMap<Line, Cell>,
    passing: BTreeMap<Line, Cell>,
    /// Whether there is a passing run at all.
    has_passing: bool,
    classes: BTreeMap<Line, BTreeSet<char>>,
    ranks: BTreeMap<Line, usize>,
    /// Instead of what runs did: one text per line.
    outcomes: Option<BTreeMap<Line, String>>,
}

impl Margin {
    /// Says something of the line of a span.
    pub fn mark(&mut self, class: char, span: Span, report: &Report) {
        self.classes.entry(line(span, report)).or_default().insert(class);
    }

    /// The place of a line among suspects; the first counts.
    pub fn rank(&mut self, rank: usize, span: Span, report: &Report) {
        self.ranks.entry(line(span, report)).or_insert(rank);
    }

    /// What the failing run did.
    pub fn failing(&mut self, steps: &[Shown], report: &Report) {
        self.failing = self.executed('f', steps, report);
    }

    /// What the passing run did.
    pub fn passing(&mut self, steps: &[Shown], report: &Report) {
        self.has_passing = true;
        self.passing = self.executed('p', steps, report);
    }

    /// The values that the violated claim is about, of either run.
    pub fn claim(&mut self, span: Span, [failing, passing]: [Vec<(String, String)>; 2], report: &Report) {
        let at = line(span, report);
        for (cells, values) in [(&mut self.failing, failing), (&mut self.passing, passing)] {
            for (n, (name, value)) in values.into_iter().enumerate() {
                let texts = vec![format!("{name} = {value}")];
                // A span of its own for each: they are told apart, and compared with the same of the other run.
                let span = Span { start: span.end + n as u32, end: span.end + n as u32, ..span };
                cells.entry(at).or_default().push(Part { span, is_branch: false, is_hidden: false, texts });
            }
        }
    }

    /// One text per line instead of what a run did there.
    pub fn outcomes(&mut self, outcomes: BTreeMap<Line, String>) {
        self.outcomes = Some(outcomes);
    }

    fn executed(&mut self, class: char, steps: &[Shown], report: &Report) -> BTreeMap<Line, Cell> {
        let mut cells: BTreeMap<Line, Cell> = BTreeMap::new();
        // A line of the library's text is not there, and one of the system's is not shown.
        for shown in steps.iter().filter(|shown| !report.sources.file(shown.step.span.file).system) {
            self.mark(class, shown.step.span, report);
            let function = report.program.function(shown.step.function);
            if function.author == Author::User {
                self.mark('h', function.span, report);
            }
            if !shown.text.is_empty() {
                let cell = cells.entry(line(shown.step.span, report)).or_default();
                add(cell, &shown.step, &shown.text, report);
            }
        }
        cells
    }

    /// The files as tables.
    pub fn html(&self, files: &[FileId], report: &Report) -> String {
        let mut html = String::new();
        for (number, file) in files.iter().enumerate() {
            let source = report.sources.file(*file);
            let _ = writeln!(
                html,
                "<section class=\"file\">\n<table class=\"code\" data-file=\"{number}\">\n{}<tbody>",
                self.head(&source.name)
            );
            let mut start = 0;
            for (index, text) in source.text.split_inclusive('\n').enumerate() {
                let span = Span::new(*file, start, start);
                html.push_str(&self.row(index as u32 + 1, span, text.trim_end_matches(['\n', '\r']), report));
                start += text.len() as u32;
            }
            html.push_str("</tbody>\n</table>\n</section>\n");
        }
        html
    }

    /// The columns: mark, executed by which run, rank, number, text, and what was done.
    fn head(&self, file: &str) -> String {
        let titles: &[(&str, &str)] = match (self.outcomes.is_some(), self.has_passing) {
            (true, _) => &[("", "outcome")],
            (false, true) => &[("bad", "failing"), ("good", "passing")],
            (false, false) => &[("bad", "failing")],
        };
        let ranks = if self.ranks.is_empty() { "" } else { " class=\"ranks\"" };
        let mut html =
            format!("<colgroup><col><col><col{ranks}><col><col>{}</colgroup>\n", "<col>".repeat(titles.len()));
        let _ = write!(html, "<thead><tr><th colspan=\"5\" scope=\"col\">{}", escape(file));
        for (class, title) in titles {
            let _ = write!(html, "<th scope=\"col\" class=\"{class}\">{title}");
        }
        html + "</thead>\n"
    }

    /// One line. End tags of cells and rows may be left out.
    fn row(&self, number: u32, span: Span, text: &str, report: &Report) -> String {
        let at = (span.file, number);
        let classes: Vec<String> = self.classes.get(&at).into_iter().flatten().map(char::to_string).collect();
        let class = if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) };
        let rank = self.ranks.get(&at).map(|rank| format!("<b>{rank}</b>")).unwrap_or_default();
        let shown = report.sources.position(span).line;
        let values = match &self.outcomes {
            Some(outcomes) => format!("<td>{}", escape(outcomes.get(&at).map_or("", String::as_str))),
            None => {
                let [failing, passing] = [&self.failing, &self.passing].map(|cells| cells.get(&at));
                let scale = match self.classes.get(&at).is_some_and(|classes| classes.contains(&'d')) {
                    _ if !self.has_passing => Scale::Nothing,
                    true => Scale::Everything,
                    false => Scale::Last,
                };
                let mut values = format!("<td>{}", cell(failing, passing, scale, report));
                if self.has_passing {
                    let _ = write!(values, "<td>{}", cell(passing, failing, scale, report));
                }
                values
            }
        };
        let runs = if self.has_passing { "<i></i><i></i>" } else { "<i></i>" };
        let text = escape(text);
        format!("<tr{class}><td><td>{runs}<td>{rank}<th>{shown}<td>{text}{values}\n")
    }
}

/// The line on which a span starts.
pub fn line(span: Span, report: &Report) -> Line {
    (span.file, report.sources.physical_line(span.file, span.start))
}

fn add(cell: &mut Cell, step: &RunStep, told: &str, report: &Report) {
    let is_branch = matches!(step.kind, RunStepKind::Branch { .. });
    match cell.iter_mut().find(|part| part.span == step.span && part.is_branch == is_branch) {
        Some(part) => part.texts.push(told.to_owned()),
        None => {
            let (is_hidden, texts) = (describe::is_hidden(step, report), vec![told.to_owned()]);
            cell.push(Part { span: step.span, is_branch, is_hidden, texts });
        }
    }
}

/// What stands out where runs do not do the same.
#[derive(Clone, Copy)]
enum Scale {
    /// There is but one run.
    Nothing,
    /// What is shown: the last time. In a line without a difference, how often it was executed is no news.
    Last,
    /// Every time.
    Everything,
}

/// What a run did in a line; what the other one did not do in the same way stands out.
fn cell(own: Option<&Cell>, other: Option<&Cell>, scale: Scale, report: &Report) -> String {
    let Some(own) = own else { return String::new() };
    let several = own.iter().filter(|part| part.is_branch).count() > 1;
    let mut parts = Vec::new();
    for part in own {
        let beside =
            other.into_iter().flatten().find(|other| other.span == part.span && other.is_branch == part.is_branch);
        let beside = beside.map(tellings).unwrap_or_default();
        let differs = |all: &[String]| match scale {
            Scale::Nothing => false,
            Scale::Last => beside.iter().all(|(_, other)| other.last() != all.last()),
            Scale::Everything => beside.iter().all(|(_, other)| other != all),
        };
        let label = match (several && part.is_branch) || part.is_hidden {
            true => format!("{}: ", shorten(&contrast::condition(part.span, report), LONGEST_CONDITION)),
            false => String::new(),
        };
        for (mut text, all) in tellings(part) {
            let differs = differs(&all);
            if let (true, Some((_, other))) = (differs, beside.iter().find(|(other, _)| *other == text)) {
                text += &first_difference(report, &all, other);
            }
            parts.push((differs, telling(&label, &text, &all, differs)));
        }
    }
    let left_out = parts.len().saturating_sub(MOST_PARTS);
    if left_out > 0 {
        parts.sort_by_key(|(differs, _)| !differs);
    }
    parts.truncate(MOST_PARTS);
    let mut html: String = parts.into_iter().map(|(_, html)| html).collect();
    if left_out > 0 {
        let _ = write!(html, "<div>and {left_out} more</div>");
    }
    html
}

/// Where few words are the same for both runs: the first time that is not.
fn first_difference(report: &Report, own: &[String], other: &[String]) -> String {
    let at = (0..own.len().max(other.len())).find(|at| own.get(*at) != other.get(*at));
    let told = |at: usize| own.get(at).map_or("not executed", String::as_str);
    let when = |at: usize| moment(report.program, told(at).split(' ').next().unwrap_or_default(), at + 1);
    at.map(|at| format!("; {}: {}", when(at), told(at))).unwrap_or_default()
}

/// What a statement did, in few words, each with everything that it stands for.
fn tellings(part: &Part) -> Vec<(String, Vec<String>)> {
    let name = |told: &String| told.split_once(" = ").map_or(String::new(), |(name, _)| name.to_owned());
    if part.is_branch {
        return vec![(tally(&part.texts), part.texts.clone())];
    }
    let mut by_name: Vec<(String, Vec<String>)> = Vec::new();
    for told in &part.texts {
        match by_name.iter_mut().find(|(known, _)| *known == name(told)) {
            Some((_, all)) => all.push(told.clone()),
            None => by_name.push((name(told), vec![told.clone()])),
        }
        if by_name.len() > MOST_NAMES {
            by_name = vec![(String::new(), part.texts.clone())];
            break;
        }
    }
    by_name.into_iter().map(|(name, all)| (listed(&name, &all), all)).collect()
}

/// The values that came one after the other: all if they are few, or else the first ones and the last.
fn listed(name: &str, all: &[String]) -> String {
    let mut values = all.to_vec();
    values.dedup();
    let short = |told: &String| match told.strip_prefix(name).and_then(|rest| rest.strip_prefix(" = ")) {
        Some(value) if !name.is_empty() => value.to_owned(),
        _ => told.clone(),
    };
    match values.as_slice() {
        [] => String::new(),
        [one] if all.len() > 1 => format!("{one} ×{}", all.len()),
        [one] => one.clone(),
        [first, second] => format!("{first}, {}", short(second)),
        [first, rest @ ..] if rest.len() < MOST_LISTED => {
            std::iter::once(first.clone()).chain(rest.iter().map(short)).collect::<Vec<_>>().join(", ")
        }
        [first, second, .., last] => format!("{first}, {}, … {}", short(second), short(last)),
    }
}

/// How often a condition came out which way, the last way last.
fn tally(all: &[String]) -> String {
    let (last, mut kinds) = (all.last(), all.iter().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>());
    kinds.sort_by_key(|kind| Some(*kind) == last);
    let told = kinds.into_iter().map(|kind| {
        let times = all.iter().filter(|other| *other == kind).count();
        if times > 1 { format!("{kind} ×{times}") } else { kind.clone() }
    });
    told.collect::<Vec<_>>().join(", ")
}

fn telling(label: &str, text: &str, all: &[String], differs: bool) -> String {
    let class = if differs { " class=\"x\"" } else { "" };
    let title = match all.len() {
        0 | 1 => String::new(),
        n if n <= MOST_VALUES => format!(" title=\"{}\"", escape(&all.join(", "))),
        n => {
            let [first, last] = [&all[..MOST_VALUES / 2], &all[n - MOST_VALUES / 2..]].map(|some| some.join(", "));
            format!(" title=\"{} … {}\"", escape(&first), escape(&last))
        }
    };
    format!("<div{class}{title}>{}{}</div>", escape(label), escape(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(is_branch: bool, told: &[&str]) -> Part {
        let span = Span::new(FileId(0), 0, 1);
        Part { span, is_branch, is_hidden: false, texts: told.iter().map(|text| (*text).to_owned()).collect() }
    }

    fn texts(part: &Part) -> Vec<String> {
        tellings(part).into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn a_loop_shows_the_values_that_it_sets() {
        assert_eq!(texts(&part(false, &["i = 0"])), ["i = 0"]);
        assert_eq!(texts(&part(false, &["i = 0", "i = 0"])), ["i = 0 ×2"]);
        assert_eq!(texts(&part(false, &["i = 0", "i = 1", "i = 1", "i = 2"])), ["i = 0, 1, 2"]);
        assert_eq!(texts(&part(false, &["i = 0", "i = 1", "i = 2", "i = 3"])), ["i = 0, 1, … 3"]);
        assert_eq!(texts(&part(false, &["p.x = 1", "p.y = 2", "p.x = 3"])), ["p.x = 1, 3", "p.y = 2"]);
        let rows = ["a[0] = 1", "a[1] = 2", "a[2] = 3", "a[3] = 4"];
        assert_eq!(texts(&part(false, &rows)), ["a[0] = 1, a[1] = 2, … a[3] = 4"]);
        assert_eq!(texts(&part(false, &["returns 1", "returns 0"])), ["returns 1, returns 0"]);
    }

    #[test]
    fn conditions_are_counted_by_outcome() {
        assert_eq!(texts(&part(true, &["true", "true", "false"])), ["true ×2, false"]);
        assert_eq!(texts(&part(true, &["false", "false", "true"])), ["false ×2, true"]);
        assert_eq!(texts(&part(true, &["true"])), ["true"]);
    }

    #[test]
    fn values_are_text_in_their_tips_too() {
        let html = telling("", "s = \"<b>\" ×2", &["s = \"'&\"".to_owned(), "s = \"<b>\"".to_owned()], true);
        assert_eq!(
            html,
            "<div class=\"x\" title=\"s = &quot;&#39;&amp;&quot;, s = &quot;&lt;b&gt;&quot;\">s = &quot;&lt;b&gt;&quot; \
             ×2</div>"
        );
    }
}
