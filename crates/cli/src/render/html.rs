//! One page that answers `check`, `explain` or `focus`, for a person with a browser and ten minutes.
//!
//! From the top: the sentence with which the report in a terminal starts; inputs, causes and suspects; the source with what
//! both runs did in the margin; the runs step by step; how far all that can be trusted. What is said is plain HTML, for
//! screen readers, for paper and for browsers without scripts. Scripts fold the source, walk through the steps, which they
//! read from [`steps`] aligned by [`align`], and show or hide what is marked.

use std::fmt::Write;

use nearmiss_explain::explanation::{Causes, Contrast, Delta, Listing, Nearest, Status, Suspect, Verdict};
use nearmiss_explain::focus::Focus;
use nearmiss_explain::run::{RunStep, RunStepKind};
use serde_json::{Value as Json, json};

use super::layout::{count, one_line, shorten, statement};
use super::page::{self, Document, escape, thousands};
use super::{Paint, Report, contrast, focus, json, terminal, trace};
use crate::settings::{Detail, FocusTask, Verb};

mod align;
mod differences;
mod source;
mod steps;
mod ways;

use contrast::{sentence, words};
use source::Margin;
use steps::Tables;

/// In the order in which they use each other.
const SCRIPTS: [&str; 4] = [
    include_str!("html/steps.js"),
    include_str!("html/source.js"),
    include_str!("html/stepper.js"),
    include_str!("html/page.js"),
];

/// So many inputs, suspects, causes and ways out are on the page; the others are counted.
const MOST: usize = 60;
/// So many relations that follow from a cause are told.
const MOST_IMPLIED: usize = 4;
/// Source text in a list is cut off here.
const LONGEST: usize = 60;

/// The page of `check` and of `explain`.
pub fn render(report: &Report) -> String {
    let explanation = report.explanation;
    let contrast = explanation.contrast.as_ref();
    let sentence = match contrast {
        Some(contrast) => sentence::render(contrast, report, Paint::Plain),
        None => first_paragraph(&terminal::render(report, Detail::Quiet, Paint::Plain)),
    };
    let mut tables = Tables::new(report.sources, report.program);
    let mut margin = Margin::default();
    let mut data = json!({"levels": LEVELS});
    let nearest = contrast.and_then(|contrast| contrast.nearest.as_ref());
    let mut body = verdict(&sentence);
    let mut toggles = Vec::new();
    let mut cards = inputs(nearest, report);
    let mut evidence = String::new();
    if let Some(counterexample) = &explanation.counterexample {
        let failing = tables.steps(&counterexample.run, report.failing);
        margin.failing(&failing, report);
        data["failing"] = steps::json(&failing);
        let mut values = [trace::values_in(claim_text(report), &counterexample.run.steps, report.failing), Vec::new()];
        if let (Some(contrast), Some(nearest)) = (contrast, nearest) {
            let passing = tables.steps(&nearest.run, report.passing);
            margin.passing(&passing, report);
            data["passing"] = steps::json(&passing);
            let [first, second] =
                [&failing, &passing].map(|run| run.iter().map(|s| (s.statement, s.depth)).collect::<Vec<_>>());
            let stretches = align::align(&first, &second);
            data["rows"] = stretches.iter().flat_map(|s| [s.both, s.failing, s.passing]).collect();
            let deltas = differences::visible(contrast, nearest, report);
            let places = differences::Pairs::new(&failing, &passing, &stretches).places(&deltas);
            data["differences"] = differences::json(&deltas, &places);
            mark(&deltas, &mut margin, report);
            values[1] = same_claim(&counterexample.run.steps, &nearest.run.steps)
                .map(|at| trace::values_in(claim_text(report), &nearest.run.steps[..=at], report.passing))
                .unwrap_or_default();
            evidence = differences::table(&deltas, report);
            toggles.push(("differences", "Differences", true));
            toggles.extend(contrast.slice.is_some().then_some(("slice", "What matters", true)));
        } else {
            data["levels"] = json!([LEVELS[0], "", "", LEVELS[3]]);
        }
        if let Some(claim) = explanation.property.map(|i| &explanation.claims[i]) {
            margin.mark('c', claim.span, report);
            margin.claim(claim.span, values, report);
        }
    }
    if let Some(contrast) = contrast {
        let ways = ways_out(contrast, report, &mut tables);
        toggles.extend((!ways.lines.is_empty()).then_some(("route", "Way out", false)));
        data["routes"] = json!(ways.lines);
        let causes = contrast.causes.as_ref().filter(|causes| !causes.shown.is_empty());
        toggles.extend(causes.map(|_| ("cause", "Causes", false)));
        data["causes"] = causes.map_or_else(
            || json!([]),
            |causes| causes.shown.iter().take(MOST).map(|cause| json!(cause.variables)).collect(),
        );
        toggles.extend((!contrast.suspects.is_empty()).then_some(("suspects", "Suspects", true)));
        for (index, suspect) in contrast.suspects.iter().enumerate() {
            margin.rank(index + 1, suspect.span, report);
        }
        toggles.extend((!contrast.assumptions.is_empty()).then_some(("kept", "Kept", false)));
        for assumption in &contrast.assumptions {
            margin.mark('k', assumption.span, report);
        }
        cards += &causes.map(self::causes).unwrap_or_default();
        cards += &suspects(&contrast.suspects, report, &mut tables);
        cards += &ways.html;
    }
    let _ = writeln!(body, "<div class=\"cards\">\n{cards}</div>");
    body += &workspace(&toggles, nearest.is_some(), &margin, &tables, report);
    body += &evidence;
    body += &closing(&trust(report));
    finish(body, data, &tables, report)
}

/// The page of `focus`.
pub fn render_focus(found: &Focus, report: &Report, task: &FocusTask) -> String {
    let fails = found.explanation.verdict == Verdict::Fails && !found.ways.is_empty();
    let mut tables = Tables::new(report.sources, report.program);
    let mut margin = Margin::default();
    if !fails {
        let sentence = first_paragraph(&focus::render(found, report, task, Detail::Quiet, Paint::Plain));
        let body = verdict(&sentence) + &closing(&terminal::claims(report, Detail::Normal, Paint::Plain));
        return finish(body, json!({"levels": LEVELS}), &tables, report);
    }
    let shown = focus::shown(found, task.level);
    let mut body = verdict(&focus::headline(found, report, task, Paint::Plain));
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
    body += &closing(&focus::closing(found, report, task, &shown));
    let levels = ["Sentence", "Neighbourhood", "Sequence", "Full trace"];
    finish(body, json!({"levels": levels, "ways": ways}), &tables, report)
}

/// The page where not even the claims are known: time was over while the program was read.
pub fn render_nothing_known(command: Verb, why: &str) -> String {
    let body = verdict(&format!("UNDECIDED: {why}"));
    page::document(&Document {
        title: &format!("nearmiss {}", command.name()),
        style: include_str!("html/page.css"),
        body: &body,
        size: "",
        data: &json!({"levels": LEVELS}),
        scripts: &SCRIPTS,
    })
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
    let file = report.sources.files().map(|(_, file)| file).find(|file| !file.system);
    let title = format!("nearmiss {} {}", report.command.name(), file.map_or("", |file| &file.name));
    let steps = report.explanation.counterexample.as_ref().map_or(0, |found| found.run.steps.len());
    let size = if steps > 0 { format!("{} steps to the failure", thousands(steps)) } else { String::new() };
    page::document(&Document {
        title: &title,
        style: include_str!("html/page.css"),
        body: &body,
        size: &size,
        data: &data,
        scripts: &SCRIPTS,
    })
}

fn claim_text<'a>(report: &'a Report) -> &'a str {
    report.explanation.property.map_or("", |i| report.explanation.claims[i].text.as_str())
}

/// Where the passing run comes to the violated claim for the same time.
fn same_claim(failing: &[RunStep], passing: &[RunStep]) -> Option<usize> {
    let RunStepKind::Claim { claim: violated, .. } = &failing.last()?.kind else { return None };
    let is_claim = |step: &RunStep| matches!(&step.kind, RunStepKind::Claim { claim, .. } if claim == violated);
    let times = failing.iter().filter(|step| is_claim(step)).count();
    passing.iter().enumerate().filter(|(_, step)| is_claim(step)).nth(times - 1).map(|(at, _)| at)
}

fn mark(deltas: &[(&Delta, bool)], margin: &mut Margin, report: &Report) {
    for (delta, matters) in deltas {
        margin.mark('d', delta.span, report);
        if *matters {
            margin.mark('s', delta.span, report);
        }
    }
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

/// The inputs of both runs beside each other.
fn inputs(nearest: Option<&Nearest>, report: &Report) -> String {
    let mut rows = words::Groups::of(nearest, report).beside();
    rows.sort_by_key(|row| row.failing == row.passing);
    if rows.is_empty() {
        return String::new();
    }
    let two = nearest.is_some();
    let mut html = String::from("<section class=\"card\">\n<h2>Inputs</h2>\n<table class=\"inputs\">\n<thead><tr><th>");
    html += "<th scope=\"col\" class=\"bad\">failing";
    html += if two { "<th scope=\"col\" class=\"good\">passing</thead>\n" } else { "</thead>\n" };
    for row in rows.iter().take(MOST) {
        let differs = two && row.failing != row.passing;
        let class = if differs { " class=\"x\"" } else { "" };
        let cell = |values: &Option<String>| match values {
            Some(values) => format!("<td><code>{}</code>", escape(values)),
            None => "<td class=\"none\">not read".to_owned(),
        };
        let _ = write!(html, "<tr{class}><th scope=\"row\"><code>{}</code>{}", escape(&row.name), cell(&row.failing));
        html += &if two { cell(&row.passing) } else { String::new() };
        html.push('\n');
    }
    html += "</table>\n";
    if rows.len() > MOST {
        let _ = writeln!(html, "<p>and {}</p>", count(rows.len() - MOST, "more input"));
    }
    html + "</section>\n"
}

fn causes(causes: &Causes) -> String {
    let mut html = String::from(
        "<section class=\"card\">\n<h2>It fails because</h2>\n<ul class=\"choices\" data-choice=\"cause\">\n",
    );
    for (index, cause) in causes.shown.iter().take(MOST).enumerate() {
        let implied = match cause.implies.is_empty() {
            true => String::new(),
            false => {
                let all = cause.implies.join(", ");
                let told = match cause.implies.len().saturating_sub(MOST_IMPLIED) {
                    0 => all.clone(),
                    more => format!("{} and {more} more", cause.implies[..MOST_IMPLIED].join(", ")),
                };
                format!("<small title=\"{}\">and so {}</small>", escape(&all), escape(&told))
            }
        };
        let _ = writeln!(
            html,
            "<li><button type=\"button\" data-cause=\"{index}\" aria-pressed=\"false\"><span><code>{}</code>{implied}</span>\
             </button></li>",
            escape(&cause.text)
        );
    }
    let _ = writeln!(
        html,
        "</ul>\n<p>True in the failing run; where it is false, the nearest runs pass ({} of {} relations are like that).</p>",
        causes.found, causes.candidates
    );
    html + "</section>\n"
}

fn suspects(suspects: &[Suspect], report: &Report, tables: &mut Tables) -> String {
    if suspects.is_empty() {
        return String::new();
    }
    let mut html = String::from("<section class=\"card\">\n<h2>Look here first</h2>\n<ol class=\"choices\">\n");
    for (index, suspect) in suspects.iter().take(MOST).enumerate() {
        let why: Vec<String> = suspect.because.iter().map(contrast::reason).collect();
        let (file, line) = tables.line(suspect.span).unwrap_or((0, 0));
        let _ = writeln!(
            html,
            "<li><button type=\"button\" data-line=\"{file}:{line}\"><b>{}</b> <span><code>{}</code><small>{}: {}</small></span>\
             </button></li>",
            index + 1,
            escape(&shorten(&statement(report.sources.line_text(suspect.span)), LONGEST)),
            escape(&words::place(suspect.span, report)),
            escape(&why.join("; "))
        );
    }
    html += "</ol>\n";
    if suspects.len() > MOST {
        let _ = writeln!(html, "<p>and {}</p>", count(suspects.len() - MOST, "more line"));
    }
    html + "</section>\n"
}

/// Ways out of the failure as a card, and the lines of each.
struct WaysOut {
    html: String,
    lines: Vec<Vec<(usize, u32)>>,
}

/// With `--routes` every smallest way out, with `--nearest-all` every passing run that is as near.
fn ways_out(contrast: &Contrast, report: &Report, tables: &mut Tables) -> WaysOut {
    let mut ways = WaysOut { html: String::new(), lines: Vec::new() };
    let routes = contrast.slice.as_ref().and_then(|slice| slice.routes.as_ref());
    let all = contrast.nearest.as_ref().and_then(|nearest| nearest.all.as_ref());
    for (title, listing) in [("Smallest ways to make it pass", routes), ("Passing runs as near", all)] {
        let Some(listing) = listing else { continue };
        ways.html += &sets(title, listing, &mut ways.lines, report, tables);
    }
    ways
}

fn sets(
    title: &str,
    listing: &Listing,
    lines: &mut Vec<Vec<(usize, u32)>>,
    report: &Report,
    tables: &mut Tables,
) -> String {
    let known = if listing.complete { "all there are" } else { "there may be more" };
    let mut html = format!(
        "<section class=\"card\">\n<h2>{title} <small>{}, {known}</small></h2>\n<ol class=\"choices\" data-choice=\"route\">\n",
        listing.sets.len()
    );
    for (index, set) in listing.sets.iter().take(MOST).enumerate() {
        let visible: Vec<&Delta> = set.iter().filter(|delta| words::is_visible(delta, report)).collect();
        let mut told: Vec<String> = visible.iter().map(|delta| words::in_passing_run(delta, report)).collect();
        told.dedup();
        let _ = writeln!(
            html,
            "<li><button type=\"button\" data-route=\"{}\" aria-pressed=\"false\"><b>{}</b> <span>{}</span></button></li>",
            lines.len(),
            index + 1,
            markup(&told.join("; "))
        );
        let mut own: Vec<(usize, u32)> = visible.iter().filter_map(|delta| tables.line(delta.span)).collect();
        own.sort_unstable();
        own.dedup();
        lines.push(own);
    }
    html += "</ol>\n";
    if listing.sets.len() > MOST {
        let _ = writeln!(html, "<p>and {} more</p>", listing.sets.len() - MOST);
    }
    html + "</section>\n"
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
            write!(buttons, "<button type=\"button\" data-toggle=\"{name}\" aria-pressed=\"{on}\">{title}</button>\n");
    }
    let runs = if two { "two" } else { "one" };
    format!(
        "<div class=\"tools\" id=\"tools\" role=\"toolbar\" aria-label=\"What is shown\">\n\
         <span class=\"segments\" id=\"levels\" role=\"group\" aria-label=\"Level of detail\"></span>\n\
         <span class=\"toggles\" role=\"group\" aria-label=\"What is marked\">{buttons}</span>\n</div>\n\
         <div class=\"workspace {runs}{}\" id=\"workspace\">\n<div class=\"listing\" id=\"listing\">\n{}</div>\n{STEPPER}</div>\n",
        on.concat(),
        margin.html(tables.files(), report)
    )
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
<div class="steps" id="steps" tabindex="0" role="listbox" aria-label="Steps. Press j and k to go from step to step, n and p from difference to difference, Home and End to the ends." aria-describedby="said"><div id="steps-room"></div></div>
<div class="variables" id="variables" aria-label="Variables at this step"></div>
<p id="said" class="quiet" aria-live="polite"></p>
<p class="keys"><kbd>j</kbd><kbd>k</kbd> step <kbd>n</kbd><kbd>p</kbd> difference <kbd>Home</kbd><kbd>End</kbd> ends <kbd>1</kbd>–<kbd>4</kbd> level of detail</p>
</aside>
"#;

/// How far the answer can be trusted, as the report in a terminal says it.
fn trust(report: &Report) -> String {
    let explanation = report.explanation;
    let mut text = match &explanation.contrast {
        Some(found) => {
            let sure = match &found.nearest {
                Some(nearest) => contrast::trust(nearest, found, report),
                None => terminal::replayed(report).to_owned(),
            };
            contrast::assumptions(&found.assumptions, report) + &sure
        }
        None => explanation.counterexample.as_ref().map_or_else(String::new, |found| {
            format!("{}{}", terminal::replayed(report), terminal::smallness(found, explanation.complete))
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
    if claims.is_empty() {
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
