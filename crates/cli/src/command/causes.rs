//! `nearmiss causes`: opens the trace, reads the formulas, loads what they name, asks why they are false, renders.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use nearmiss_explain::check::CheckError;
use nearmiss_explain::driven::{Driven, driven};
use nearmiss_program::disk::Disk;
use nearmiss_program::hardware::{self, Places};
use nearmiss_program::source::{Diagnostic, FileId, Severity, Sources};
use nearmiss_report::causes::{gtkw, html, json, listing, surfer, text, vcd, why};
use nearmiss_report::json as report_json;
use nearmiss_report::view::{Detail, Verb};
use nearmiss_trace::causes::{self, Asked, CausesOptions, Lanes};
use nearmiss_trace::ltl::{self, Bound, Formula, Reset};
use nearmiss_trace::read::error::ReadError;
use nearmiss_trace::read::trace::{self, Edge, Level, Sampling, Trace};
use nearmiss_trace::report::{Exactness, TraceReport};
use nearmiss_trace::wave::{SignalInfo, Wave};
use serde_json::json;

use crate::args::causes::CausesFormat;
use crate::exit::{Exit, Explained};
use crate::limits::{Limits, Reason, Signals};
use crate::listener::Listener;
use crate::progress::Progress;
use crate::settings::TraceSettings;
use crate::unanswered::{Unanswered, Wanted};
use crate::{limits, loader, stats};
use nearmiss_explain::located;

/// No file of formulas written by people is larger.
const LARGEST_FORMULAS: u64 = 16 << 20;

/// A formula, and where it was written.
struct Written {
    formula: Formula,
    file: FileId,
    /// Where its text starts in the file.
    offset: usize,
}

/// What the formulas speak about.
struct Loaded {
    /// Each formula with its names looked up.
    bound: Vec<Bound>,
    /// The signals that they name, each once.
    named: Vec<usize>,
    /// Their values.
    wave: Wave,
}

/// Open, read, load, explain, render. `Err` is a file that cannot be written.
pub fn run(settings: &TraceSettings) -> Result<Exit> {
    let mut sources = Sources::new();
    let is_object = matches!(settings.format, CausesFormat::Json | CausesFormat::Record);
    let wanted = if is_object { Wanted::Json } else { Wanted::Words };
    let asked = (Verb::Causes, wanted);
    answer(settings, &mut sources).or_else(|unanswered| unanswered.tell(&sources, &settings.output, asked))
}

fn answer(settings: &TraceSettings, sources: &mut Sources) -> Result<Exit, Unanswered> {
    let progress = Progress::start(&settings.output);
    let started = Instant::now();
    let mut formulas = read_formulas(settings, sources)?;
    progress.say("reading the trace");
    let mut trace = open(&settings.trace)?;
    if settings.show_signals {
        progress.clear();
        let object = || listing::json(trace.signals());
        settings.output.listener.keep(|told| told.json = Some(object()));
        settings.output.write(&match settings.format {
            CausesFormat::Json => object(),
            _ => listing::render(trace.signals(), &settings.trace),
        })?;
        return Ok(Exit::Holds);
    }
    if !trace.format().is_waveform() && matches!(settings.format, CausesFormat::Gtkw | CausesFormat::Surfer) {
        let message = format!("waveform viewers do not open a trace like {} ({})", settings.trace, trace.format());
        let help = "--format vcd writes one that they open, with the marks in it".to_owned();
        return Err(plain(message, Some(help)).into());
    }
    if let Some(scope) = &settings.scope {
        enter(scope, &mut formulas, trace.signals())?;
    }
    let sampling = sampling(settings, &formulas, &trace, sources)?;
    progress.say("loading signals");
    let loaded = load(settings, &formulas, &mut trace, &sampling)?;
    let model = match &settings.model {
        Some(path) => Some(drivers(settings, path, &mut trace, &sampling, sources)?),
        None => None,
    };
    let reading = started.elapsed().as_secs_f64();
    progress.say("looking for causes");
    let limits = watch(settings);
    let explained = explain(settings, &formulas, loaded, &limits);
    let stopped_by = limits.reason();
    limits.settle();
    progress.clear();
    let mut report = explained.map_err(CheckError::Internal)?;
    if settings.stats {
        let phases = [("reading", reading)].into_iter().chain(report.seconds.iter().copied());
        let counts = [("cycles", report.wave.cycles as u64), ("signals", report.wave.signals.len() as u64)];
        settings.output.listener.measure(&stats::line(phases, counts));
    }
    if settings.output.detail > Detail::Quiet {
        let more = notes(settings, &trace, &sampling, &report, stopped_by);
        report.notes.extend(more);
    }
    let beside = model.as_ref().map(|(driven, places)| why::Beside { driven, places, sources });
    let why = || beside.as_ref().map(|beside| why::json(&report, beside));
    settings.output.listener.keep(|told| {
        told.json = Some(json::render(&report, why()));
        told.page = Some(html::render(&report, &settings.trace));
    });
    settings.output.write(&show(settings, &report, beside.as_ref()))?;
    let explained = if stopped_by == Some(Reason::Interrupt) { Explained::InPart } else { Explained::Whole };
    Ok(Exit::of_trace(&report, explained))
}

/// Names of formulas are those of a scope, where it has them.
fn enter(scope: &str, formulas: &mut [Written], signals: &[SignalInfo]) -> Result<(), Diagnostic> {
    let (start, inside) = (format!("{scope}."), format!(".{scope}."));
    if !signals.iter().any(|signal| signal.name.starts_with(&start) || signal.name.contains(&inside)) {
        let help = "--show-signals lists the signals with their scopes".to_owned();
        return Err(plain(format!("the trace has no scope `{scope}`"), Some(help)));
    }
    formulas.iter_mut().for_each(|written| ltl::within_scope(&mut written.formula, scope, signals));
    Ok(())
}

/// Looks up the names in the formulas and loads the signals.
fn load(
    settings: &TraceSettings,
    formulas: &[Written],
    trace: &mut Trace,
    sampling: &Sampling,
) -> Result<Loaded, Diagnostic> {
    let reset = sampling.reset.map(|(signal, level)| Reset { signal, active_low: level == Level::Low });
    let mut bound: Vec<Bound> = Vec::new();
    for written in formulas {
        let guessed = ltl::local::guessed(&written.formula, trace.signals());
        let result = guessed.and_then(|formula| ltl::bind(&formula, trace.signals(), reset.as_ref()));
        bound.push(result.map_err(|error| located(error, written.file, written.offset))?);
    }
    let mut named: Vec<usize> = Vec::new();
    for signal in bound.iter().flat_map(|bound| &bound.signals) {
        if !named.contains(signal) {
            named.push(*signal);
        }
    }
    let wave = trace.load(&named, sampling).map_err(|error| complaint(&settings.trace, error))?;
    // What local variables can be is known only now.
    for (written, bound) in formulas.iter().zip(&mut bound).filter(|(written, _)| written.formula.tree.keeps_values()) {
        let formula = ltl::local::on_trace(&written.formula, trace.signals(), &wave, &named);
        let result = formula.and_then(|formula| ltl::bind(&formula, trace.signals(), reset.as_ref()));
        *bound = result.map_err(|error| located(error, written.file, written.offset))?;
    }
    Ok(Loaded { bound, named, wave })
}

/// What the model of the design does along the trace, and where its names stand.
fn drivers(
    settings: &TraceSettings,
    path: &str,
    trace: &mut Trace,
    sampling: &Sampling,
    sources: &mut Sources,
) -> Result<(Driven, Places), Unanswered> {
    let (model, id) = hardware::read_model(path, &Disk, sources).map_err(CheckError::Input)?;
    let places = Places::read(&model, id, sources, &Disk);
    let driven = driven(&model, trace, sampling, settings.scope.as_deref());
    Ok((driven.map_err(|error| complaint(&settings.trace, error))?, places))
}

/// Starts the clock. Should the search not stop in time, the process ends.
fn watch(settings: &TraceSettings) -> Limits {
    let (output, format) = (settings.output.clone(), settings.format);
    let signals = Signals::of(format == CausesFormat::Record);
    let (memory, listener) = (limits::usual_memory(), &settings.output.listener);
    let limits = Limits::watch(settings.timeout, memory, (signals, listener), move |reason, phase| {
        let why = match reason {
            Reason::Time => "the time was over (--timeout)",
            Reason::Memory => "half of the machine's memory was used up",
            Reason::Interrupt => "it was interrupted",
        };
        let told = format!("{why} while {phase}; there is no answer yet, and --fast needs far less time");
        let answer = || json::nothing_known(&told);
        output.listener.keep(|kept| kept.json = Some(report_json::print(&answer())));
        let text = format!("UNDECIDED: {told}\n");
        let text = match format {
            CausesFormat::Json => report_json::print(&answer()),
            CausesFormat::Record => {
                let stopped = if reason == Reason::Time { "time" } else { "memory" };
                let record = json!({"sentence": told, "text": text, "stopped": stopped, "answer": answer()});
                report_json::print(&record)
            }
            _ => text,
        };
        // Nothing can be done about a failure here.
        let _ = output.write(&text);
        output.listener.leave(Exit::Undecided);
    });
    limits.enter("looking for causes");
    limits
}

/// Asks why the formulas are false. `Err` is a bug of ours.
fn explain(
    settings: &TraceSettings,
    formulas: &[Written],
    loaded: Loaded,
    limits: &Limits,
) -> Result<TraceReport, String> {
    let Loaded { bound, named, wave } = loaded;
    let asked: Vec<Asked> = (formulas.iter().zip(&bound))
        .map(|(written, bound)| {
            let place = |signal: &usize| named.iter().position(|other| other == signal).expect("it was asked for");
            Asked { formula: &written.formula, bound, signals: bound.signals.iter().map(place).collect() }
        })
        .collect();
    let options = CausesOptions {
        mode: settings.mode,
        failures: settings.failures,
        complete: settings.complete,
        aborts: settings.aborts,
        lanes: if is_page_wanted(settings) { Lanes::Wanted } else { Lanes::Unwanted },
        stop: limits.stop.clone(),
    };
    causes::explain(wave, &asked, &options)
}

/// A program that has asked gets the page as well.
fn is_page_wanted(settings: &TraceSettings) -> bool {
    settings.format == CausesFormat::Html || matches!(settings.output.listener, Listener::Library(_))
}

fn show(settings: &TraceSettings, report: &TraceReport, beside: Option<&why::Beside<'_>>) -> String {
    match settings.format {
        CausesFormat::Text => {
            let paint = settings.output.paint();
            let why = beside.map(|beside| why::text(report, beside, paint)).unwrap_or_default();
            text::render(report, paint) + &why
        }
        CausesFormat::Json => json::render(report, beside.map(|beside| why::json(report, beside))),
        CausesFormat::Html => html::render(report, &settings.trace),
        CausesFormat::Gtkw => gtkw::render(report, &settings.trace),
        CausesFormat::Surfer => surfer::render(report, &settings.trace),
        CausesFormat::Vcd => vcd::render(report),
        CausesFormat::Record => {
            report_json::print(&json::record(report, beside.map(|beside| why::json(report, beside))))
        }
    }
}

/// What to know beyond the answer.
fn notes(
    settings: &TraceSettings,
    trace: &Trace,
    sampling: &Sampling,
    report: &TraceReport,
    stopped_by: Option<Reason>,
) -> Vec<String> {
    let mut notes = trace.notes().to_vec();
    if trace.format().is_waveform() && sampling.clock.is_none() && report.wave.cycles > 1 {
        notes.push(
            "every time stamp of the file counts as a cycle; with --clock SIG each rising edge of a signal is one"
                .to_owned(),
        );
    }
    match stopped_by {
        Some(Reason::Time) => {
            notes.push("the time was over (--timeout); what is not exact is from the fast method".to_owned())
        }
        Some(Reason::Memory) => {
            notes.push("half of the machine's memory was used up; what is not exact is from the fast method".to_owned())
        }
        Some(Reason::Interrupt) => {
            notes.push("it was interrupted; what is not exact is from the fast method".to_owned())
        }
        None => {
            let inexact = report.formulas.iter().flat_map(|judged| &judged.failures);
            let inexact = inexact
                .filter(|failure| matches!(failure.exactness, Exactness::Superset | Exactness::Approximate))
                .count();
            if inexact > 0 && settings.mode == nearmiss_trace::search::Mode::Budget {
                notes.push("the exact method would have taken long; --exact insists on it".to_owned());
            }
        }
    }
    notes
}

/// The formulas of the command line, then those of files.
fn read_formulas(settings: &TraceSettings, sources: &mut Sources) -> Result<Vec<Written>, Diagnostic> {
    let mut all = Vec::new();
    for text in &settings.formulas {
        let file = sources.add("--formula", text.as_str(), false);
        let formulas = ltl::parse_file(text).map_err(|error| located(error, file, 0))?;
        add(&mut all, formulas, file, text);
    }
    for path in &settings.formula_files {
        let text = loader::bytes(Path::new(path), LARGEST_FORMULAS)
            .and_then(|bytes| String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8")))
            .map_err(|error| plain(format!("cannot read {path}: {error}"), None))?;
        let file = sources.add(path, text.as_str(), false);
        let formulas = ltl::parse_file(&text).map_err(|error| located(error, file, 0))?;
        if formulas.is_empty() {
            return Err(plain(format!("{path} holds no formula"), None));
        }
        add(&mut all, formulas, file, &text);
    }
    if all.is_empty() && !settings.show_signals {
        return Err(plain(
            "the formula is empty".to_owned(),
            Some("write for example --formula 'G(req -> F ack)'".to_owned()),
        ));
    }
    Ok(all)
}

fn add(all: &mut Vec<Written>, formulas: Vec<Formula>, file: FileId, text: &str) {
    let mut from = 0;
    for formula in formulas {
        // Formulas stand in the file in this order, word for word.
        let offset = text[from..].find(formula.text.as_str()).map_or(0, |at| from + at);
        from = offset + formula.text.len();
        all.push(Written { formula, file, offset });
    }
}

/// The file, recognised by its content.
fn open(path: &str) -> Result<Trace, Diagnostic> {
    let unreadable = |error: io::Error| plain(format!("cannot read {path}: {error}"), None);
    if path == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(unreadable)?;
        return trace::open(Cursor::new(bytes)).map_err(|error| complaint("standard input", error));
    }
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(plain(format!("cannot read {path}: it is a folder"), None));
    }
    trace::open(BufReader::with_capacity(1 << 20, file)).map_err(|error| complaint(path, error))
}

/// Which moments are cycles: what the command line says, else what the formulas say.
fn sampling(
    settings: &TraceSettings,
    formulas: &[Written],
    trace: &Trace,
    sources: &mut Sources,
) -> Result<Sampling, Diagnostic> {
    let signals: &[SignalInfo] = trace.signals();
    let mut find = |flag: &str, name: &str| {
        if let Some(scope) = &settings.scope
            && let Ok(signal) = ltl::find_signal(&format!("{scope}.{name}"), signals)
        {
            return Ok(signal);
        }
        ltl::find_signal(name, signals).map_err(|error| located(error, sources.add(flag, name, false), 0))
    };
    let mut clock = match &settings.clock {
        Some((name, edge)) => Some((find("--clock", name)?, *edge)),
        None => None,
    };
    let reset = match &settings.reset {
        Some((name, level)) => Some((find("--reset", name)?, *level)),
        None => None,
    };
    for written in formulas {
        let Some(own) = &written.formula.clock else { continue };
        let edge = if own.negedge { Edge::Falling } else { Edge::Rising };
        // A trace whose rows are cycles already needs no clock.
        if !trace.format().is_waveform() && ltl::find_signal(&own.signal, signals).is_err() {
            continue;
        }
        let signal = find("the clock of a formula", &own.signal)?;
        match clock {
            Some(other) if other != (signal, edge) && !same_wire(signals, other, (signal, edge)) => {
                let name = |(signal, edge): (usize, Edge)| {
                    let edge = if edge == Edge::Rising { "rising" } else { "falling" };
                    format!("the {edge} edge of {}", signals[signal].name)
                };
                let message = format!("two clocks: {} and {}", name(other), name((signal, edge)));
                return Err(plain(message, Some("formulas of one run share a clock; run them one by one".to_owned())));
            }
            None => clock = Some((signal, edge)),
            Some(_) => {}
        }
    }
    Ok(Sampling { clock, reset, loop_start: settings.loop_start })
}

/// The same edge of the same signal under two names?
fn same_wire(signals: &[SignalInfo], a: (usize, Edge), b: (usize, Edge)) -> bool {
    a.1 == b.1 && signals[a.0].wire.is_some() && signals[a.0].wire == signals[b.0].wire
}

fn plain(message: String, help: Option<String>) -> Diagnostic {
    Diagnostic { severity: Severity::Error, message, span: None, help }
}

fn complaint(path: &str, error: ReadError) -> Diagnostic {
    let message = match error.at {
        Some(place) => format!("{path}:{place}: {}", error.message),
        None => format!("{path}: {}", error.message),
    };
    plain(message, error.help)
}
