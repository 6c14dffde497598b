//! Answers about a program, in the form that was asked for.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use nearmiss_program::source::Sources;
use nearmiss_report::view::{Detail, Format, Verb};
use nearmiss_report::witness::Origin;
use nearmiss_report::{Paint, Report, contrast, html, json, markdown, sarif, terminal, witness};
use serde_json::Value;

use crate::settings::Settings;

/// An answer as JSON, as a page and as text; the other forms are made of these.
pub struct Forms<J, H, T> {
    /// For a program.
    pub json: J,
    /// For a browser.
    pub html: H,
    /// For a person.
    pub text: T,
}

/// Writes the answer of `check` or `explain`.
pub fn write(settings: &Settings, report: &Report) -> Result<()> {
    let text = |detail, paint| match &report.explanation.contrast {
        Some(contrast) => contrast::render(contrast, report, detail, paint),
        None => terminal::render(report, detail, paint),
    };
    write_as(settings, report, Forms { json: || json::answer(report), html: || html::render(report), text })
}

/// Writes an answer whose forms are its own.
pub fn write_as<J, H, T>(settings: &Settings, report: &Report, forms: Forms<J, H, T>) -> Result<()>
where
    J: Fn() -> Value,
    H: Fn() -> String,
    T: Fn(Detail, Paint) -> String,
{
    let sentence = || {
        let told = match report.command {
            Verb::Check => terminal::sentence(report),
            _ => (forms.text)(Detail::Quiet, Paint::Plain),
        };
        let told = nearmiss_report::in_one_line(&told);
        told.strip_prefix("FAILS: ").map(str::to_owned).unwrap_or(told)
    };
    settings.output.write(&match settings.format {
        Format::Json => json::print(&(forms.json)()),
        Format::Html => (forms.html)(),
        Format::Sarif => sarif::render(&(forms.json)(), &sentence(), report.sources, here().as_deref()),
        Format::Markdown => markdown::render(&(forms.json)(), &sentence()),
        // A file without entries, where nothing fails.
        Format::Witness => as_witness(settings, report).unwrap_or_else(|| NO_WITNESS.to_owned()),
        Format::Text => (forms.text)(settings.output.detail, settings.output.paint()),
    })
}

/// The answer of somebody who was stopped before anything was known.
pub fn nothing_known(settings: &Settings, why: &str) -> String {
    let answer = || json::nothing_known(settings.command, why);
    match settings.format {
        Format::Json => json::print(&answer()),
        Format::Sarif => sarif::render(&answer(), why, &Sources::new(), here().as_deref()),
        Format::Markdown => markdown::render(&answer(), why),
        Format::Witness => NO_WITNESS.to_owned(),
        Format::Text => format!("UNDECIDED: {why}\n"),
        Format::Html => html::render_nothing_known(settings.command, why),
    }
}

/// A list of witnesses without any.
const NO_WITNESS: &str = "[]\n";

/// The failing run as a witness, with what it says of the files and the time.
fn as_witness(settings: &Settings, report: &Report) -> Option<String> {
    let bytes = |name: &String| (name.clone(), fs::read(name).unwrap_or_default());
    let files: Vec<(String, Vec<u8>)> = settings.files.iter().map(bytes).collect();
    let seconds = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    witness::render(report, &Origin { files: &files, seconds })
}

/// The folder that names of files are told from.
fn here() -> Option<PathBuf> {
    std::env::current_dir().ok()
}
