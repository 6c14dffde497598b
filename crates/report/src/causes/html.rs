//! One page that shows the causes as red dots on a waveform, as the paper does (section 4), for a person with a browser.
//!
//! The page is one file without anything from elsewhere. What is said about the failure (sentences, the table of causes) is
//! plain HTML, for screen readers, for paper and for browsers without scripts; the waveform is a canvas that scripts draw
//! from the values that `pack` made small.

use std::fmt::Write;

use nearmiss_trace::report::{Judged, TraceCause, TraceFailure, TraceReport, TraceVerdict};
use nearmiss_trace::wave::{Kind, Signal, Values};
use serde_json::{Value as Json, json};

use super::super::page::{self, Document, escape, thousands};
use super::sentence::{self, Phrase};
use super::{pack, value};

/// In the order in which they use each other.
const SCRIPTS: [&str; 5] = [
    include_str!("data.js"),
    include_str!("view.js"),
    include_str!("draw.js"),
    include_str!("rows.js"),
    include_str!("page.js"),
];

/// So many causes of a failure are rows of its table; the waveform shows them all.
const TABLE: usize = 500;

/// So many failures of a formula are on the page; the others are counted.
const FAILURES: usize = 100;

/// So many causes of a failure are on the page at all.
const CAUSES: usize = 20_000;

/// The page.
pub fn render(report: &TraceReport, title: &str) -> String {
    let mut body = String::new();
    if report.formulas.len() > 1 {
        body.push_str(&contents(report));
    }
    for index in 0..report.formulas.len() {
        body.push_str(&verdict(report, index));
    }
    body.push_str(VIEWER);
    for (index, judged) in report.formulas.iter().enumerate() {
        for (which, failure) in judged.failures.iter().take(FAILURES).enumerate() {
            body.push_str(&table(report, [index, which], failure));
        }
    }
    body.push_str(&page::notes(&report.notes));
    page::document(&Document {
        title,
        style: include_str!("page.css"),
        body: &body,
        size: &size(report),
        data: &data(report),
        scripts: &SCRIPTS,
    })
}

/// What never changes: the buttons, the place of the waveform, the legend.
const VIEWER: &str = r#"<section class="viewer" id="viewer" aria-label="Waveform">
<div class="tools" role="toolbar" aria-label="View">
<button type="button" data-do="previous" title="Previous cause (p)">◂ Cause</button>
<button type="button" data-do="next" title="Next cause (n)">Cause ▸</button>
<button type="button" data-do="failure" title="Go to the failure (g)">Failure</button>
<span class="gap"></span>
<button type="button" data-do="out" title="Zoom out (-)" aria-label="Zoom out">−</button>
<button type="button" data-do="in" title="Zoom in (+)" aria-label="Zoom in">+</button>
<button type="button" data-do="fit" title="The whole trace (f)">Fit</button>
<button type="button" data-do="only" aria-pressed="false" title="Only signals with causes (c)">Only causes</button>
<button type="button" data-do="hex" aria-pressed="false" title="Numbers in hexadecimal (h)">Hex</button>
<output id="window" class="window"></output>
</div>
<canvas id="overview" class="overview" aria-hidden="true"></canvas>
<div class="scroller" id="scroller">
<div class="stage" id="stage">
<div class="names" id="names" role="group" aria-label="Signals and parts of the property, with their values at the cursor"><div class="corner"><span>Signal</span><span id="at" class="value"></span></div><div class="list" id="list"></div></div>
<canvas id="wave" tabindex="0" role="application" aria-roledescription="waveform" aria-label="Waveform with the causes of the failure. Press n or p to go through the causes, arrow keys to move, plus and minus to zoom, comma and full stop to move the cursor." aria-describedby="said"></canvas>
</div>
<div id="spacer"></div>
</div>
<div id="tip" class="tip" role="tooltip" hidden></div>
<p id="said" class="quiet" aria-live="polite"></p>
<div class="legend" aria-label="Legend">
<span><i class="key dot"></i>cause</span>
<span id="key-maybe" hidden><i class="key ring"></i>perhaps a cause</span>
<span id="key-indirect" hidden><i class="key ring"></i>decides only after others are changed</span>
<span><i class="key fails"></i>part is false</span>
<span><i class="key matters"></i>its value there matters to the failure</span>
<span><i class="key unknown"></i>unknown (x)</span>
<span id="key-loop" hidden><i class="key loop"></i>repeated for ever</span>
<span class="keys"><kbd>n</kbd><kbd>p</kbd> causes <kbd>g</kbd> failure <kbd>f</kbd> fit <kbd>+</kbd><kbd>−</kbd> zoom <kbd>←</kbd><kbd>→</kbd> move <kbd>,</kbd><kbd>.</kbd> cursor <kbd>↑</kbd><kbd>↓</kbd> row <kbd>Enter</kbd> fold</span>
</div>
</section>
"#;

fn size(report: &TraceReport) -> String {
    let wave = &report.wave;
    let many = |n: usize, noun: &str| format!("{} {noun}{}", thousands(n), if n == 1 { "" } else { "s" });
    let mut size = format!("{}, {}", many(wave.cycles, "cycle"), many(wave.signals.len(), "signal"));
    if let Some(start) = wave.loop_start {
        let _ = write!(size, ", the last cycle is followed by cycle {start}");
    }
    size
}

/// The list of formulas.
fn contents(report: &TraceReport) -> String {
    let mut html = String::from("<nav class=\"contents\" aria-label=\"Properties\">\n<ol>\n");
    for (index, judged) in report.formulas.iter().enumerate() {
        let word = sentence::verdict(&judged.verdict);
        let place = match judged.failures.first() {
            Some(failure) => format!(" <span class=\"place\">cycle {}</span>", failure.at),
            None => String::new(),
        };
        let _ = writeln!(
            html,
            "<li><a href=\"#formula-{index}\" data-formula=\"{index}\"><span class=\"badge {word}\">{word}</span> \
             <strong>{}</strong>{place} <code>{}</code></a></li>",
            escape(&sentence::title(report, index)),
            escape(&judged.formula)
        );
    }
    html.push_str("</ol>\n</nav>\n");
    html
}

/// What became of one formula.
fn verdict(report: &TraceReport, index: usize) -> String {
    let judged = &report.formulas[index];
    let word = sentence::verdict(&judged.verdict);
    let mut html = format!(
        "<section class=\"verdict\" id=\"formula-{index}\" data-formula=\"{index}\">\n<h2><span class=\"badge {word}\">{word}\
         </span> {}</h2>\n<pre class=\"formula\"><code>{}</code></pre>\n<p class=\"summary\">{}</p>\n",
        escape(&sentence::title(report, index)),
        escape(&judged.formula),
        markup(&sentence::summary(report, index))
    );
    if judged.failures.len() > 1 {
        html.push_str("<p class=\"failures\" role=\"group\" aria-label=\"Failures\">Failures: ");
        for (which, failure) in judged.failures.iter().take(FAILURES).enumerate() {
            let since = match failure.start {
                0 => String::new(),
                start if start == failure.at => String::new(),
                start => format!(", from {start}"),
            };
            let _ = write!(
                html,
                "<button type=\"button\" data-formula=\"{index}\" data-failure=\"{which}\">cycle {}{since}</button> ",
                failure.at
            );
        }
        html.push_str("</p>\n");
    }
    if let Some(more) = sentence::more_failures(judged, FAILURES) {
        let _ = writeln!(html, "<p class=\"more\">{}</p>", escape(&more));
    }
    html.push_str("</section>\n");
    html
}

/// The causes of one failure, for those who do not see the waveform.
fn table(report: &TraceReport, [index, which]: [usize; 2], failure: &TraceFailure) -> String {
    if failure.causes.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<section class=\"causes\" data-formula=\"{index}\" data-failure=\"{which}\">\n<h2>Causes <small>{} fails {}</small></h2>\n\
         <p>{}</p>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\" class=\"number\">Cycle</th>{}<th scope=\"col\">\
         Signal</th><th scope=\"col\">Value</th><th scope=\"col\">Why</th></tr></thead>\n<tbody>\n",
        escape(&sentence::title(report, index)),
        escape(&sentence::place(failure)),
        sentence::exactness(failure),
        if report.wave.times.is_empty() { "" } else { "<th scope=\"col\" class=\"number\">Time</th>" },
    );
    for (i, cause) in failure.causes.iter().take(TABLE).enumerate() {
        html.push_str(&table_row(report, [index, which, i], cause));
    }
    html.push_str("</tbody>\n</table></div>\n");
    if failure.causes.len() > TABLE {
        let shown = failure.causes.len().min(CAUSES);
        let _ = writeln!(html, "<p>{} more causes are on the waveform.</p>", thousands(shown - TABLE));
    }
    if failure.causes.len() > CAUSES {
        let left_out = thousands(failure.causes.len() - CAUSES);
        let _ = writeln!(html, "<p>{left_out} causes are not on this page; JSON and VCD have them.</p>");
    }
    html.push_str("</section>\n");
    html
}

fn table_row(report: &TraceReport, [index, which, i]: [usize; 3], cause: &TraceCause) -> String {
    let mut html = String::from("<tr>");
    let list = |part: &dyn Fn(usize) -> String| (0..cause.dots.len()).map(part).collect::<Vec<_>>().join("<br>");
    let _ = write!(
        html,
        "<td class=\"number\"><a href=\"#viewer\" data-formula=\"{index}\" data-failure=\"{which}\" data-cause=\"{i}\" \
         aria-label=\"Show the cause at cycle {0} on the waveform\">{0}</a></td>",
        cause.time
    );
    if !report.wave.times.is_empty() {
        let time = value::time(&report.wave, cause.time).unwrap_or_default();
        let _ = write!(html, "<td class=\"number\">{}</td>", escape(&time));
    }
    let name = |dot: usize| match report.wave.signals.get(cause.dots[dot].signal) {
        Some(signal) => format!("<code>{}</code>", escape(&signal.info.name)),
        None => String::new(),
    };
    let shown = |dot: usize| {
        let dot = &cause.dots[dot];
        let elsewhere = if dot.time == cause.time { String::new() } else { format!(" at cycle {}", dot.time) };
        format!("<code>{}</code>{elsewhere}", escape(&dot.value))
    };
    let _ = writeln!(
        html,
        "<td>{}</td><td>{}</td><td>{}.</td></tr>",
        list(&name),
        list(&shown),
        markup(&sentence::reason(cause))
    );
    html
}

/// What the scripts read.
fn data(report: &TraceReport) -> Json {
    json!({
        "cycles": report.wave.cycles,
        "loop": report.wave.loop_start,
        "unit": report.wave.unit,
        "times": pack::times(&report.wave.times),
        "signals": report.wave.signals.iter().map(signal).collect::<Vec<_>>(),
        "formulas": report.formulas.iter().map(formula).collect::<Vec<_>>(),
    })
}

fn signal(signal: &Signal) -> Json {
    let kind = match (&signal.values, signal.info.kind) {
        (Values::Bit { .. }, _) => "bit",
        (_, Kind::Bits { .. }) => "bits",
        (_, Kind::Integer | Kind::Real) => "number",
        (_, Kind::Text) => "text",
    };
    let width = match signal.info.kind {
        Kind::Bits { width, .. } if width > 1 => Some(width),
        _ => None,
    };
    json!({
        "name": signal.info.name,
        "range": value::range(signal.info.kind),
        "width": width,
        "kind": kind,
        "values": pack::signal(signal),
    })
}

fn formula(judged: &Judged) -> Json {
    // Scripts count text in UTF-16 units, the report in bytes.
    let offset = |at: usize| judged.formula.get(..at).map(|before| before.encode_utf16().count());
    let lanes: Vec<Json> = judged
        .lanes
        .iter()
        .map(|lane| {
            json!({
                "text": lane.text,
                "start": offset(lane.start),
                "end": offset(lane.end),
                "parent": lane.parent,
                "fails": pack::row(&lane.fails, None),
                "matters": pack::row(&lane.matters, None),
            })
        })
        .collect();
    // A dot needs a row, whoever forgot to list its signal.
    let mut signals = judged.signals.clone();
    let causes = judged.failures.iter().take(FAILURES).flat_map(|failure| &failure.causes);
    for dot in causes.flat_map(|cause| &cause.dots) {
        if !signals.contains(&dot.signal) {
            signals.push(dot.signal);
        }
    }
    json!({
        "formula": judged.formula,
        "fails": judged.verdict == TraceVerdict::Fails,
        "signals": signals,
        "lanes": lanes,
        "failures": judged.failures.iter().take(FAILURES).map(failure).collect::<Vec<_>>(),
    })
}

fn failure(failure: &TraceFailure) -> Json {
    let causes: Vec<Json> = failure
        .causes
        .iter()
        .take(CAUSES)
        .map(|cause| {
            let dots: Vec<Json> = cause.dots.iter().map(|dot| json!([dot.signal, dot.time])).collect();
            json!({"time": cause.time, "exact": cause.exact, "direct": cause.direct, "why": sentence::reason(cause).0, "dots": dots})
        })
        .collect();
    json!({"start": failure.start, "at": failure.at, "loop": failure.loop_start, "causes": causes})
}

/// Phrase as HTML.
fn markup(words: &Phrase) -> String {
    let part = |(i, part): (usize, &String)| match i % 2 {
        1 => format!("<code>{}</code>", escape(part)),
        _ => escape(part),
    };
    words.0.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn sentences_and_tables_need_no_scripts() {
        let page = render(&sample::report(), "run.vcd");
        assert!(
            page.contains(
                "<p class=\"summary\"><code>ok</code> fails at cycle 2: <code>req</code> is 1 at cycle 2 and "
            )
        );
        assert!(
            page.contains("<td class=\"number\">25 ns</td><td><code>top.dut.count</code></td><td><code>3</code></td>")
        );
        assert!(page.contains("Property 2 holds on this trace (it is 0 at cycle 3)."));
        assert_eq!(page, render(&sample::report(), "run.vcd"), "the same bytes");
    }

    #[test]
    fn nothing_from_the_input_is_markup() {
        let evil = "</script><script>&\"'";
        let mut report = sample::report();
        report.notes.push(evil.into());
        report.wave.unit = Some(evil.into());
        report.formulas.iter_mut().for_each(|judged| {
            judged.name = Some(evil.into());
            judged.formula = evil.into();
        });
        report.formulas[0].lanes[0].text = evil.into();
        report.formulas[0].failures[0].causes[0].atom = evil.into();
        report.formulas[0].failures[0].causes[0].dots[0].value = evil.into();
        report.wave.signals[0].info.name = evil.into();
        let page = render(&report, evil);
        assert!(!page.contains(evil) && !page.contains("</script><script>&"));
        assert_eq!(page.matches("<script").count(), 2, "the data and the program");
        assert_eq!(page.matches("</script").count(), 2);
    }

    #[test]
    fn a_dot_has_a_row_in_any_case() {
        let mut report = sample::report();
        report.formulas[0].signals = vec![0];
        assert_eq!(data(&report)["formulas"][0]["signals"], json!([0, 1]));
    }
}
