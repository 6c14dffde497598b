//! What stands between the sentence and the source: inputs, causes, suspects and ways out, a card each.

use std::fmt::Write;

use nearmiss_explain::explanation::{Causes, Contrast, Delta, Listing, Nearest, Suspect};

use super::super::Report;
use super::super::contrast::{describe, meaning};
use super::super::layout::{count, shorten, statement};
use super::super::page::escape;
use super::super::reasons::Reasons;
use super::markup;
use super::steps::Tables;

/// So many inputs, suspects, causes and ways out are on the page; the others are counted.
pub const MOST: usize = 60;
/// So many relations that follow from a cause are told.
const MOST_IMPLIED: usize = 4;
/// Source text in a list is cut off here.
const LONGEST: usize = 60;

/// The inputs of both runs beside each other.
pub fn inputs(nearest: Option<&Nearest>, report: &Report) -> String {
    let mut rows = describe::Groups::of(nearest, report).beside();
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

/// The relations that cause the failure; each is a button that marks its variables.
pub fn causes(causes: &Causes, contrast: &Contrast) -> String {
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
        "</ul>\n<p>{} Of {} relations between variables and constants that were tried, {} {} like that.</p>",
        escape(&meaning(causes, contrast)),
        causes.candidates,
        causes.found,
        if causes.found == 1 { "is" } else { "are" }
    );
    html + "</section>\n"
}

/// The lines to look at first; each is a button that leads there.
pub fn suspects(suspects: &[Suspect], report: &Report, tables: &mut Tables) -> String {
    if suspects.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<section class=\"card\">\n<h2>Look here first <small>{}</small></h2>\n<ol class=\"choices\">\n",
        count(suspects.len(), "line")
    );
    let reasons = Reasons::of(report);
    for (index, suspect) in suspects.iter().take(MOST).enumerate() {
        let why = reasons.words(suspect);
        let (file, line) = tables.line(suspect.span).unwrap_or((0, 0));
        let _ = writeln!(
            html,
            "<li><button type=\"button\" data-line=\"{file}:{line}\"><b>{}</b> <span><code>{}</code><small>{}: {}</small></span>\
             </button></li>",
            index + 1,
            escape(&shorten(&statement(report.sources.line_text(suspect.span)), LONGEST)),
            escape(&describe::place(suspect.span, report)),
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
pub struct WaysOut {
    /// The card.
    pub html: String,
    /// File and line, both by number.
    pub lines: Vec<Vec<(usize, u32)>>,
}

/// With `--routes` every smallest way out, with `--nearest-all` every passing run that is as near.
pub fn ways_out(contrast: &Contrast, report: &Report, tables: &mut Tables) -> WaysOut {
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
        let visible: Vec<&Delta> = set.iter().filter(|delta| describe::is_visible(delta, report)).collect();
        let mut told: Vec<String> = visible.iter().map(|delta| describe::in_passing_run(delta, report)).collect();
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
