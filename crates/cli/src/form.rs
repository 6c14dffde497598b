//! Answers about a program, in the form that was asked for.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use nearmiss_program::source::Sources;
use nearmiss_report::view::Format;
use nearmiss_report::witness::Origin;
use nearmiss_report::{Report, html, json, markdown, sarif, witness};

use crate::exit::Exit;
use crate::output::complain;
use crate::settings::Settings;

/// Writes an answer.
pub fn write(settings: &Settings, report: &Report) -> Result<()> {
    settings.output.write(&match settings.format {
        Format::Json => report.json(),
        Format::Html => report.html(),
        Format::Sarif => report.sarif(here().as_deref()),
        Format::Markdown => report.markdown(),
        Format::Witness => as_witness(settings, report),
        Format::Patch => report.patch(here().as_deref()),
        Format::Text => report.text(settings.output.detail, settings.output.paint()),
    })
}

/// The answer of somebody who was stopped before anything was known.
pub fn nothing_known(settings: &Settings, why: &str) -> String {
    let answer = || json::nothing_known(settings.command, why);
    match settings.format {
        Format::Json => json::print(&answer()),
        Format::Sarif => sarif::render(&answer(), why, &Sources::new(), here().as_deref()),
        Format::Markdown => markdown::render(&answer(), why),
        Format::Witness => witness::NONE.to_owned(),
        Format::Patch => String::new(),
        Format::Text => format!("UNDECIDED: {why}\n"),
        Format::Html => html::render_nothing_known(settings.command, why),
    }
}

/// The failing run as a witness, with what it says of the files and the time.
/// Where a witness cannot say what fails, the form that was asked for is the wrong one.
fn as_witness(settings: &Settings, report: &Report) -> String {
    let bytes = |name: &String| (name.clone(), fs::read(name).unwrap_or_default());
    let files: Vec<(String, Vec<u8>)> = settings.files.iter().map(bytes).collect();
    let seconds = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    report.witness(&Origin { files: &files, seconds }).unwrap_or_else(|why| {
        complain(&format!("error: {why}"));
        Exit::Usage.leave()
    })
}

/// The folder that names of files are told from.
fn here() -> Option<PathBuf> {
    std::env::current_dir().ok()
}
