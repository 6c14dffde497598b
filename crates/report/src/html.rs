//! One page that answers `check`, `explain`, `fix` or `focus`, for a person with a browser and ten minutes.
//!
//! From the top: the sentence with which the report in a terminal starts; inputs, causes and suspects; the source with what
//! both runs did in the margin; the runs step by step; how far all that can be trusted. What is said is plain HTML, for
//! screen readers, for paper and for browsers without scripts. Scripts fold the source, walk through the steps, which they
//! read from `steps` aligned by `align`, and show or hide what is marked.

use std::fmt::Write;

use nearmiss_explain::explanation::{Contrast, Status, Tests, Verdict};
use nearmiss_explain::focus::Focus;
use serde_json::{Value as Json, json};

use super::layout::{count, one_line};
use super::page::{self, Document, escape, thousands};
use super::pair::{Pair, same_claim};
use super::{Paint, Report, contrast, crash, json, terminal, tests as tested, trace, ways_text};
use crate::view::{Detail, Verb, WaysView};

mod cards;
mod differences;
mod fixes;
mod source;
mod steps;
mod tests_card;
mod waves;
mod ways;

use contrast::sentence;
use source::Margin;
use steps::Tables;

/// In the order in which they use each other.
const SCRIPTS: [&str; 4] = [
    include_str!("html/steps.js"),
    include_str!("html/source.js"),
    include_str!("html/stepper.js"),
    include_str!("html/page.js"),
];

/// The page of `check`, of `explain` and of `fix`.
pub fn render(report: &Report) -> String {
    let contrast = report.explanation.contrast.as_ref();
    let sentence = match (contrast, &report.explanation.tests) {
        (Some(contrast), _) => sentence::render(contrast, report, Paint::Plain),
        (None, Some(tests)) => tested::sentence(tests, report),
        (None, None) => terminal::sentence(report),
    };
    let nearest = contrast.and_then(|contrast| contrast.nearest.as_ref());
    let mut page = Parts::new(report);
    page.cards = cards::inputs(nearest, report);
    page.runs(report);
    if let Some(tests) = &report.explanation.tests {
        page.tests(tests, report);
    }
    if let Some(contrast) = contrast {
        page.evidence(contrast, report);
    }
    if let Some(found) = &report.explanation.fixes {
        page.cards += &fixes::card(found, report);
    }
    let mut body = verdict(&sentence);
    let dump = crash::section(report, Detail::Verbose, Paint::Plain);
    if !dump.is_empty() {
        let _ = writeln!(body, "<pre class=\"dump\">{}</pre>", escape(&dump));
    }
    let _ = writeln!(body, "<div class=\"cards\">\n{}</div>", page.cards);
    body += &report.waves().map(|drawn| waves::section(&drawn)).unwrap_or_default();
    body += &workspace(&page.toggles, nearest.is_some(), &page.margin, &page.tables, report);
    body += &page.differences;
    body += &closing(&trust(report));
    finish(body, page.data, &page.tables, report)
}

/// What a page is made of, as it comes together.
struct Parts<'a> {
    tables: Tables<'a>,
    margin: Margin,
    data: Json,
    /// What can be marked: name, title, whether it is at first.
    toggles: Vec<(&'static str, &'static str, bool)>,
    cards: String,
    differences: String,
}

impl<'a> Parts<'a> {
    fn new(report: &Report<'a>) -> Parts<'a> {
        Parts {
            tables: Tables::new(report.sources, report.program),
            margin: Margin::default(),
            data: json!({"levels": [LEVELS[0], "", "", LEVELS[3]]}),
            toggles: Vec::new(),
            cards: String::new(),
            differences: String::new(),
        }
    }

    /// The failing run, beside the passing one if there is one.
    fn runs(&mut self, report: &Report) {
        let explanation = report.explanation;
        let (Some(counterexample), Some(claim)) = (&explanation.counterexample, explanation.property) else { return };
        let claim = &explanation.claims[claim];
        let failing = self.tables.steps(&counterexample.run, report.failing);
        self.margin.failing(&failing, report);
        self.data["failing"] = steps::json(&failing);
        let mut values = [trace::values_in(claim, &counterexample.run.steps, report.failing), Vec::new()];
        if let Some(contrast) = &explanation.contrast
            && let Some(nearest) = &contrast.nearest
        {
            let passing = self.tables.steps(&nearest.run, report.passing);
            self.margin.passing(&passing, report);
            self.data["levels"] = json!(LEVELS);
            self.data["passing"] = steps::json(&passing);
            if let Some(pair) = Pair::of(report) {
                self.data["rows"] = pair.stretches.iter().flat_map(|s| [s.both, s.failing, s.passing]).collect();
                let listed = differences::listed(&pair, contrast, nearest, report);
                self.data["differences"] = differences::json(&listed);
                self.differences = differences::table(&listed, report);
                for difference in &listed {
                    self.margin.mark('d', difference.span, report);
                    if difference.matters {
                        self.margin.mark('s', difference.span, report);
                    }
                }
                // An alignment counts steps; what stands beside a line are the values of its rows.
                let is_of_values = contrast.description.is_none();
                for difference in pair.differences.iter().filter(|_| is_of_values) {
                    for step in pair.steps(difference.row).into_iter().flatten() {
                        self.margin.mark('d', step.step.span, report);
                    }
                }
            }
            self.toggles.push(("differences", "Differences", true));
            self.toggles.extend(contrast.slice.is_some().then_some(("slice", "What matters", true)));
            if let Some(at) = same_claim(&counterexample.run.steps, &nearest.run.steps) {
                values[1] = trace::values_in(claim, &nearest.run.steps[..=at], report.passing);
            }
        }
        self.margin.mark('c', claim.span, report);
        self.margin.claim(claim.span, values, report);
    }

    /// The tests that fail, the first of them step by step, and the suspects.
    fn tests(&mut self, tests: &Tests, report: &Report) {
        self.cards += &tests_card::card(tests, report, &mut self.tables);
        if let Some((test, run)) = tests_card::first_run(tests, report) {
            let steps = self.tables.steps(&run, report.failing);
            self.margin.failing(&steps, report);
            self.data["failing"] = steps::json(&steps);
            test.at.iter().for_each(|(span, _)| self.margin.mark('c', *span, report));
        }
        self.toggles.extend((!tests.suspects.is_empty()).then_some(("suspects", "Suspects", true)));
        for (index, suspect) in tests.suspects.iter().enumerate() {
            self.margin.rank(index + 1, suspect.span, report);
        }
        self.cards += &cards::suspects(&tests.suspects, report, &mut self.tables);
    }

    /// What follows from the differences.
    fn evidence(&mut self, contrast: &Contrast, report: &Report) {
        let ways = cards::ways_out(contrast, report, &mut self.tables);
        self.toggles.extend((!ways.lines.is_empty()).then_some(("route", "Way out", false)));
        self.data["routes"] = json!(ways.lines);
        let causes = contrast.causes.as_ref().filter(|causes| !causes.shown.is_empty());
        self.toggles.extend(causes.map(|_| ("cause", "Causes", false)));
        let variables = causes.iter().flat_map(|causes| &causes.shown).take(cards::MOST).map(|cause| &cause.variables);
        self.data["causes"] = json!(variables.collect::<Vec<_>>());
        self.toggles.extend((!contrast.suspects.is_empty()).then_some(("suspects", "Suspects", true)));
        for (index, suspect) in contrast.suspects.iter().enumerate() {
            self.margin.rank(index + 1, suspect.span, report);
        }
        self.toggles.extend((!contrast.assumptions.is_empty()).then_some(("kept", "Kept", false)));
        for assumption in &contrast.assumptions {
            self.margin.mark('k', assumption.span, report);
        }
        self.cards += &causes.map(|causes| cards::causes(causes, contrast)).unwrap_or_default();
        self.cards += &cards::suspects(&contrast.suspects, report, &mut self.tables);
        self.cards += &ways.html;
    }
}

/// The page of `focus`.
pub fn render_focus(found: &Focus, report: &Report, task: &WaysView) -> String {
    let fails = found.explanation.verdict == Verdict::Fails && !found.ways.is_empty();
    let mut tables = Tables::new(report.sources, report.program);
    let mut margin = Margin::default();
    if !fails {
        let sentence = first_paragraph(&ways_text::render(found, report, task, Detail::Quiet, Paint::Plain));
        let body = verdict(&sentence) + &closing(&terminal::claims(report, Detail::Normal, Paint::Plain));
        return finish(body, json!({}), &tables, report);
    }
    let shown = ways_text::shown(found, task.level);
    let mut body = verdict(&ways_text::headline(found, report, task, Paint::Plain));
    let ways = ways::json(&shown, report, task, &mut tables);
    if let Some(first) = shown.first() {
        ways::project(first, report, task, &mut margin);
    }
    for way in &shown {
        margin.mark('h', report.program.function(report.program.entry).span, report);
        for function in way.statements.iter().filter_map(|row| row.function) {
            margin.mark('h', report.program.function(function).span, report);
        }
    }
    let _ = writeln!(body, "<div class=\"cards\">\n{}</div>", ways::list(&shown, found, report, task));
    body += &workspace(&[], false, &margin, &tables, report);
    body += &closing(&ways_text::closing(found, report, task, &shown));
    let levels = ["Sentence", "Neighbourhood", "Sequence", "Full trace"];
    finish(body, json!({"levels": levels, "ways": ways}), &tables, report)
}

/// The page where not even the claims are known: time was over while the program was read.
pub fn render_nothing_known(command: Verb, why: &str) -> String {
    let body = verdict(&format!("UNDECIDED: {why}"));
    document(&format!("nearmiss {}", command.name()), &body, "", ("", &json!({})))
}

/// From one sentence to everything.
const LEVELS: [&str; 4] = ["Sentence", "What matters", "Differences", "Full trace"];

/// The page around what was said.
fn finish(mut body: String, mut data: Json, tables: &Tables, report: &Report) -> String {
    body += &claims(report);
    body += &page::notes(&json::notes(report));
    let [texts, statements] = tables.json();
    data["texts"] = texts;
    data["statements"] = statements;
    let files = report.sources.files().filter(|(_, file)| !file.system && !file.name.ends_with(".h"));
    let files: Vec<&str> = files.map(|(_, file)| file.name.as_str()).collect();
    let title = format!("nearmiss {} {}", report.command.name(), files.join(", "));
    // Two numbers per step.
    let size = match data["failing"].as_array().map_or(0, Vec::len) / 2 {
        0 => String::new(),
        steps if report.explanation.tests.is_some() => {
            format!("{} steps of the first failing test", thousands(steps))
        }
        steps => format!("{} steps to the failure", thousands(steps)),
    };
    let style = if report.program.hardware.is_some() { waves::STYLE } else { "" };
    document(&title, &body, &size, (style, &data))
}

fn document(title: &str, body: &str, size: &str, (more, data): (&str, &Json)) -> String {
    let style = [include_str!("html/page.css"), more].concat();
    page::document(&Document { title, style: &style, body, size, data, scripts: &SCRIPTS })
}

fn first_paragraph(text: &str) -> String {
    text.split("\n\n").next().unwrap_or(text).to_owned()
}

/// The sentence of the report in a terminal: its first word is the verdict.
fn verdict(sentence: &str) -> String {
    let sentence = one_line(sentence);
    let end = sentence.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(sentence.len());
    let (word, rest) = sentence.split_at(end);
    let word = word.to_lowercase();
    let kind = match word.as_str() {
        "reached" => "fails",
        "unreachable" => "holds",
        other => other,
    };
    let rest = rest.trim_start_matches(':').trim_start();
    format!(
        "<section class=\"verdict\">\n<p class=\"sentence\"><span class=\"badge {kind}\">{word}</span> {}</p>\n</section>\n",
        markup(rest)
    )
}

/// A sentence as HTML; what stands between backquotes is code.
fn markup(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // With an odd number of backquotes, some are part of what is told.
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let part = |(i, part): (usize, &&str)| match i % 2 {
        1 => format!("<code>{}</code>", escape(part)),
        _ => escape(part),
    };
    parts.iter().enumerate().map(part).collect()
}

/// The source beside the steps; nothing where nothing was executed.
fn workspace(toggles: &[(&str, &str, bool)], two: bool, margin: &Margin, tables: &Tables, report: &Report) -> String {
    if tables.files().is_empty() {
        return String::new();
    }
    let on: Vec<String> = toggles.iter().filter(|(.., on)| *on).map(|(name, ..)| format!(" show-{name}")).collect();
    let mut buttons = String::new();
    for (name, title, on) in toggles {
        let _ =
            writeln!(buttons, "<button type=\"button\" data-toggle=\"{name}\" aria-pressed=\"{on}\">{title}</button>");
    }
    let runs = if two { "two" } else { "one" };
    format!(
        "<div class=\"tools\" id=\"tools\" role=\"toolbar\" aria-label=\"What is shown\">\n\
         <span class=\"segments\" id=\"levels\" role=\"group\" aria-label=\"Level of detail\"></span>\n\
         <span class=\"toggles\" role=\"group\" aria-label=\"What is marked\">{buttons}</span>\n</div>\n\
         <div class=\"workspace {runs}{}\" id=\"workspace\">\n<div class=\"listing\" id=\"listing\">\n{}{}</div>\n{STEPPER}</div>\n",
        on.concat(),
        legend(toggles, two, report),
        margin.html(tables.files(), report)
    )
}

/// What the marks beside the source mean.
fn legend(toggles: &[(&str, &str, bool)], two: bool, report: &Report) -> String {
    let is_there = |name: &str| toggles.iter().any(|(toggle, ..)| *toggle == name);
    let runs = match two {
        _ if report.explanation.tests.is_some() => ("<i class=\"bad\"></i>", "executed by the first failing test"),
        true => ("<i class=\"bad\"></i><i class=\"good\"></i>", "executed by the failing, the passing run"),
        false => ("<i class=\"bad\"></i>", "executed"),
    };
    let marks = [
        (true, runs),
        (report.explanation.tests.is_some(), ("<b>!</b>", "the first thing that is wrong in the first failing test")),
        (is_there("slice"), ("<b>&gt;</b>", "matters: together they make it pass")),
        (is_there("differences"), ("<b>|</b>", "differs too")),
        (report.command == Verb::Focus, ("<b>*</b>", "neighbourhood of the error")),
        (report.command == Verb::Focus, ("<b>~</b>", "keeps something out")),
        (report.explanation.tests.is_none(), ("<b>!</b>", "the claim")),
    ];
    let told =
        marks.iter().filter(|(is_there, _)| *is_there).map(|(_, (mark, what))| format!("<span>{mark} {what}</span>\n"));
    format!("<p class=\"legend\">{}</p>\n", told.collect::<String>())
}

/// What never changes of the steps.
const STEPPER: &str = r#"<aside class="stepper" id="stepper" aria-label="Steps of the runs">
<div class="walk" role="toolbar" aria-label="Walk through the steps">
<button type="button" data-do="previous" title="Previous step (k)">◂ Step</button>
<button type="button" data-do="next" title="Next step (j)">Step ▸</button>
<button type="button" data-do="before" title="Previous difference (p)">◂ Difference</button>
<button type="button" data-do="after" title="Next difference (n)">Difference ▸</button>
<output id="where" class="where"></output>
</div>
<div class="steps-head" id="steps-head" aria-hidden="true"></div>
<div class="steps" id="steps" tabindex="0" role="listbox" aria-label="Steps. Press j and k to go from step to step, n and p from difference to difference, Home and End to the ends." aria-describedby="said"><div id="steps-room" role="presentation"></div></div>
<div class="variables" id="variables" aria-label="Variables at this step"></div>
<p id="said" class="quiet" aria-live="polite"></p>
<p class="keys"><kbd>j</kbd><kbd>k</kbd> step <kbd>n</kbd><kbd>p</kbd> difference <kbd>Home</kbd><kbd>End</kbd> ends <kbd>1</kbd>–<kbd>4</kbd> level of detail</p>
</aside>
"#;

/// How far the answer can be trusted, as the report in a terminal says it.
fn trust(report: &Report) -> String {
    let explanation = report.explanation;
    if let Some(tests) = &explanation.tests {
        return if tests.failing() > 0 { tested::replayed(report) } else { String::new() };
    }
    let mut text = match &explanation.contrast {
        Some(found) => {
            let sure = match &found.nearest {
                Some(nearest) => contrast::trust(nearest, found, report),
                None => terminal::replayed(report),
            };
            contrast::assumptions(found, report) + &sure
        }
        None => explanation.counterexample.as_ref().map_or_else(String::new, |found| {
            format!("{}{}", terminal::replayed(report), terminal::smallness(found, report))
        }),
    };
    text += &terminal::claims(report, Detail::Normal, Paint::Plain);
    text
}

/// Paragraphs whose lines were filled for a terminal: a line that is indented goes on.
fn closing(text: &str) -> String {
    let text = text.replace("\n  ", " ");
    let lines: Vec<String> =
        text.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("<p>{}</p>\n", markup(line))).collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("<section class=\"closing\">\n{}</section>\n", lines.concat())
    }
}

/// Every claim with what is known of it.
fn claims(report: &Report) -> String {
    let claims = &report.explanation.claims;
    // A test says nothing of what other inputs do.
    if claims.is_empty() || report.explanation.tests.is_some() {
        return String::new();
    }
    let mut html = format!(
        "<details class=\"claims\">\n<summary>{}</summary>\n<div class=\"wide\"><table>\n",
        count(claims.len(), "claim")
    );
    for claim in claims {
        let word = match claim.status {
            Status::Fails => "fails",
            Status::Holds => "holds",
            Status::Undecided => "undecided",
        };
        let at = report.sources.position(claim.span);
        let _ = writeln!(
            html,
            "<tr><td><span class=\"badge {word}\">{word}</span><td><code>{}</code><td>{}:{}<td><code>{}</code>",
            escape(&claim.id),
            escape(&at.file),
            at.line,
            escape(&one_line(&claim.text))
        );
    }
    html + "</table></div>\n</details>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_is_the_verdict() {
        let html = verdict("FAILS: `a < b` (f.c:3) with s = \"<b>\".\n  It passes.\n");
        assert!(html.contains("<span class=\"badge fails\">fails</span> <code>a &lt; b</code> (f.c:3)"), "{html}");
        assert!(html.contains("s = &quot;&lt;b&gt;&quot;. It passes.</p>"), "{html}");
        assert!(verdict("HOLDS: all").contains("badge holds\">holds</span> all"));
        assert!(verdict("REACHED in 2 ways").contains("badge fails\">reached</span> in 2 ways"));
    }

    #[test]
    fn a_single_backquote_is_text() {
        assert_eq!(markup("s is \"`\""), "s is &quot;`&quot;");
        assert_eq!(markup("`<` holds"), "<code>&lt;</code> holds");
    }
}
