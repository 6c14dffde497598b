//! Answers about a program, in the form that was asked for.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nearmiss_explain::Why;
use nearmiss_program::source::{Diagnostic, Severity, Sources};
use nearmiss_report::view::Format;
use nearmiss_report::witness::Origin;
use nearmiss_report::{Background, Report, html, json, markdown, sarif, waves, witness};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::limits::Reason;
use crate::loader;
use crate::settings::Settings;

/// Writes an answer.
pub fn write(settings: &Settings, report: &Report) -> Result<()> {
    // A program that has asked looks at both, whatever it prints.
    settings.output.listener.keep(|told| {
        told.json = Some(report.json());
        told.page = report.explanation.tests.is_none().then(|| report.html());
    });
    settings.output.write(&match settings.format {
        Format::Json => report.json(),
        Format::Html => report.html(),
        Format::Sarif => report.sarif(here().as_deref()),
        Format::Markdown => report.markdown(),
        Format::Witness => as_witness(settings, report),
        Format::Patch => report.patch(here().as_deref()),
        Format::Vcd => dump(report),
        Format::Gtkw | Format::Surfer => beside_a_dump(settings, report)?,
        Format::Text => report.text(settings.output.detail, settings.output.paint()),
        Format::Record => json::print(&record(settings, report)),
    })
}

/// What a suite keeps, with a word for why there is not more of it.
fn record(settings: &Settings, report: &Report) -> Value {
    let mut record = report.record(here().as_deref());
    let is_noted = |reason: &Reason| report.notes.contains(&reason.told(settings.timeout, settings.memory));
    let stopped = [(Reason::Time, "time"), (Reason::Memory, "memory")].into_iter().find(|(reason, _)| is_noted(reason));
    record["stopped"] = json!(stopped.map(|(_, word)| word));
    record["read"] = loader::recorded();
    record
}

/// Writes the answer of somebody who was stopped before anything was known.
pub fn write_nothing_known(settings: &Settings, reason: Reason, why: &str) -> Result<()> {
    settings.output.listener.keep(|told| {
        told.json = Some(json::print(&json::nothing_known(settings.command, why)));
        told.page = Some(html::render_nothing_known(settings.command, why));
    });
    settings.output.write(&nothing_known(settings, reason, why))
}

fn nothing_known(settings: &Settings, reason: Reason, why: &str) -> String {
    let answer = || json::nothing_known(settings.command, why);
    match settings.format {
        Format::Json => json::print(&answer()),
        Format::Sarif => sarif::render(&answer(), why, &Sources::new(), here().as_deref()),
        Format::Markdown => markdown::render(&answer(), why),
        Format::Witness => witness::NONE.to_owned(),
        Format::Patch | Format::Gtkw | Format::Surfer => String::new(),
        Format::Vcd => waves::none(settings.command.name()),
        Format::Text => format!("UNDECIDED: {why}\n"),
        Format::Html => html::render_nothing_known(settings.command, why),
        Format::Record => {
            let stopped = match reason {
                Reason::Time => "time",
                Reason::Memory => "memory",
                Reason::Interrupt => "interrupt",
            };
            let text = format!("UNDECIDED: {why}\n");
            let record = json!({"sentence": why, "text": text, "sarif": null, "stopped": stopped, "answer": answer()});
            json::print(&record)
        }
    }
}

/// Both runs of a model as a value change dump, without signals where no run fails.
fn dump(report: &Report) -> String {
    let command = report.command.name();
    report.waves().map_or_else(|| waves::none(command), |waves| waves.dump(command))
}

/// What a viewer is to show of a dump that is written beside it; nothing where no run fails.
fn beside_a_dump(settings: &Settings, report: &Report) -> Result<String> {
    let Some(waves) = report.waves() else { return Ok(String::new()) };
    let (command, path) = (report.command.name(), settings.output.path.as_deref().unwrap_or_default());
    let beside = Path::new(path).with_extension("vcd");
    fs::write(&beside, waves.dump(command)).with_context(|| format!("{} cannot be written", beside.display()))?;
    let beside = beside.to_string_lossy();
    Ok(match settings.format {
        Format::Gtkw => waves::gtkw::render(&waves, command, &beside),
        _ => waves::surfer::render(&waves, &beside),
    })
}

/// Writes the failing run of a model as a witness, if that is wanted (`--emit-witness`), and says what came of it.
pub fn emitted(settings: &Settings, why: &Why) -> Result<Option<String>, Diagnostic> {
    let Some((path, form)) = &settings.emit_witness else { return Ok(None) };
    let background = Background::of_why(why);
    let report = Report::of_why(settings.command, why, &background);
    let Some(run) = waves::failing(&report) else {
        return Ok(Some("--emit-witness: nothing was written, because no run fails".to_owned()));
    };
    let text = waves::witness::render(&run, *form);
    let written =
        text.and_then(|text| fs::write(path, text).map_err(|error| format!("{path} cannot be written: {error}")));
    match written {
        Ok(()) => Ok(Some(format!("{path} was written: the failing run as a witness"))),
        Err(why) => {
            let message = format!("--emit-witness: {why}");
            Err(Diagnostic { severity: Severity::Error, message, span: None, help: None })
        }
    }
}

/// The failing run as a witness, with what it says of the files and the time.
/// Where a witness cannot say what fails, the form that was asked for is the wrong one.
fn as_witness(settings: &Settings, report: &Report) -> String {
    let bytes = |name: &String| (name.clone(), fs::read(name).unwrap_or_default());
    let files: Vec<(String, Vec<u8>)> = settings.files.iter().map(bytes).collect();
    let seconds = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    report.witness(&Origin { files: &files, seconds }).unwrap_or_else(|why| {
        settings.output.listener.complain(&format!("error: {why}"));
        settings.output.listener.leave(Exit::Usage)
    })
}

/// The folder that names of files are told from.
fn here() -> Option<PathBuf> {
    std::env::current_dir().ok()
}
