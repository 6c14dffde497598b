//! The fixes as a card: each with its lines and what was proved of it.

use std::fmt::Write;

use nearmiss_explain::explanation::Fixes;

use super::super::Report;
use super::super::fixes::diff::bare;
use super::super::fixes::{compiled, diagnoses, facts, hunks_in_place, place, tried};
use super::super::page::escape;
use super::markup;

/// All of them, and what was tried.
pub fn card(found: &Fixes, report: &Report) -> String {
    let mut html = format!("<section class=\"card fixes\">\n<h2>Fixes <small>{}</small></h2>\n", found.found.len());
    for (index, fix) in found.found.iter().enumerate() {
        let _ = writeln!(html, "<h3>Fix {} <small>{}</small></h3>", index + 1, escape(&place(&fix.edits, report)));
        html += "<pre class=\"diff\">";
        for (above, hunk) in hunks_in_place(&fix.edits, report) {
            above.iter().for_each(|line| html += &format!("  {}\n", escape(bare(line))));
            hunk.old.iter().for_each(|line| html += &format!("<del>- {}</del>\n", escape(bare(line))));
            hunk.new.iter().for_each(|line| html += &format!("<ins>+ {}</ins>\n", escape(bare(line))));
        }
        html += "</pre>\n<ul>\n";
        facts(fix, found, report).iter().for_each(|fact| html += &format!("<li>{}</li>\n", markup(fact)));
        html += "</ul>\n";
    }
    let _ = writeln!(html, "<p>{}</p>", markup(&tried(found)));
    if let Some(told) = diagnoses::told(found, report) {
        let _ = writeln!(html, "<p>{}</p>", escape(&told));
    }
    let compiled = compiled(report);
    if !compiled.is_empty() {
        let _ = writeln!(html, "<p>{}</p>", escape(compiled.trim_end()));
    }
    html + "</section>\n"
}
