//! The answer as JSON, schema `nearmiss/1`. Keys may be added, never renamed; values of C are strings in decimal.

use std::collections::{BTreeMap, BTreeSet};

use nearmiss_explain::explanation::{Counterexample, InputValue, LeftOpen, Minimised, Open, Status, Verdict};
use nearmiss_explain::focus::Focus;
use nearmiss_program::program::{Author, ClaimKind, SiteId};
use nearmiss_program::run::{Inputs, Run, RunStep, RunStepKind};
use nearmiss_program::source::{Diagnostic, Severity, Sources, Span};
use nearmiss_trace::report::TraceReport;
use serde_json::{Map, Value, json};

use super::layout::one_line;
use super::pair::Pair;
use super::reasons::Reasons;
use super::{Report, Side, same_inputs};
use crate::replay::Replay;
use crate::schema::SCHEMA;
use crate::view::{Verb, WaysView};

pub(crate) mod contrast;
mod fixes;
pub(crate) mod ways;

pub use crate::schema::print;

/// The whole answer as a value, from which other forms are made.
pub fn answer(report: &Report) -> Value {
    let explanation = report.explanation;
    let place = |span: Span| report.sources.position(span);
    let claims: Vec<Value> = explanation
        .claims
        .iter()
        .map(|claim| {
            let at = place(claim.span);
            let mut told = json!({"id": claim.id, "status": status(claim.status), "file": at.file, "line": at.line});
            if let Some(first) = claim.unless {
                told["unless"] = json!(explanation.claims[first].id);
            }
            if let Some(first) = claim.after {
                told["after"] = json!(explanation.claims[first].id);
            }
            told
        })
        .collect();
    let property = explanation.property.map(|i| &explanation.claims[i]).map(|claim| {
        let at = place(claim.span);
        json!({
            "id": claim.id,
            "kind": claim.kind.name(),
            "text": one_line(&claim.text),
            "file": at.file,
            "line": at.line,
            "function": claim.function,
        })
    });
    let found = explanation.counterexample.as_ref();
    let mut answer = object([
        ("schema", json!(SCHEMA)),
        ("command", json!(report.command.name())),
        ("verdict", json!(verdict(explanation.verdict))),
        ("complete", json!(explanation.complete)),
        ("bound", json!({"unwind": explanation.unwind})),
        ("claims", claims.into()),
        ("property", property.into()),
        ("counterexample", found.map(|found| counterexample(found, report)).into()),
        ("notes", json!(notes(report))),
    ]);
    if !report.program.arguments.is_empty() {
        answer["arguments"] = json!(report.program.arguments.trim_start());
    }
    if !explanation.left_open.is_empty() {
        answer["left_open"] = explanation.left_open.iter().map(|open| left_open(open, report)).collect();
    }
    if let Some(before) = &explanation.before {
        answer["before"] = json!({"inputs": values(before, report), "length": before.length});
    }
    if !explanation.vacuous.is_empty() {
        let ids: Vec<&String> = explanation.vacuous.iter().map(|at| &explanation.claims[*at].id).collect();
        answer["vacuous"] = json!(ids);
    }
    if let (Some(dots), Some(found)) = (&explanation.dots, &explanation.counterexample) {
        answer["failures"] = failures(dots, &found.run, report);
    }
    if let Some(same_inputs) = same_inputs::json(report) {
        answer["same_inputs"] = same_inputs;
    }
    if let Some(crash) = &explanation.crash {
        answer["crash"] = super::crash::json(crash, report);
    }
    if let Some(tests) = &explanation.tests {
        let reasons = Reasons::of(report);
        let suspects = tests.suspects.iter().enumerate();
        let suspects: Vec<Value> =
            suspects.map(|(index, found)| contrast::suspect(index + 1, found, &reasons, report)).collect();
        (answer["tests"], answer["suspects"]) = (super::tests::json(tests, report), suspects.into());
        answer["replayed"] = replayed(report.failing.replay);
    } else if let (Verb::Explain, Value::Object(answer)) = (report.command, &mut answer) {
        answer.extend(contrast::keys(explanation.contrast.as_ref(), report));
    }
    super::versions::add_json(&mut answer, report);
    if let (Some(found), Value::Object(answer)) = (&explanation.fixes, &mut answer) {
        answer.extend(fixes::keys(found, report));
    }
    answer
}

/// The inputs of a run that is not the one that is shown.
fn values(run: &Counterexample, report: &Report) -> Vec<Value> {
    let value = |input: &InputValue| {
        let at = report.sources.position(report.program.sites[input.site.index()].span);
        let value = nearmiss_program::show::value(report.program, input.ty, input.value);
        json!({"name": input.name, "value": value, "file": at.file, "line": at.line})
    };
    run.named.iter().map(value).collect()
}

/// An object. (`json!` would copy what is put into it.)
fn object<const KEYS: usize>(keys: [(&str, Value); KEYS]) -> Value {
    keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// What makes a formula false, as `causes` tells it; times are positions of the run's word, and each has its place in the text.
fn failures(dots: &TraceReport, run: &Run, report: &Report) -> Value {
    let mut failures = super::causes::json::failures(dots);
    let causes = failures.iter_mut().filter_map(|failure| failure["trace_causes"].as_array_mut()).flatten();
    for cause in causes {
        let time = cause["time"].as_u64().and_then(|time| usize::try_from(time).ok());
        if let Some(span) = time.and_then(|time| super::formula_moments::at(run, time)) {
            let at = report.sources.position(span);
            (cause["file"], cause["line"]) = (json!(at.file), json!(at.line));
        }
    }
    json!(failures)
}

/// The part of a run that it repeats for ever: the number of its first step, and where that stands. Null if it ends.
fn repeated(run: &Run, side: Side, sources: &Sources) -> Value {
    let Some(first) = run.repeats_from() else { return Value::Null };
    let before = run.steps[..first].iter().filter(|s| step(s, side, sources).is_some()).count();
    let shown = run.steps[first..].iter().find(|s| step(s, side, sources).is_some());
    let at = shown.map(|step| sources.position(step.span));
    json!({"step": before, "file": at.as_ref().map(|at| at.file.clone()), "line": at.as_ref().map(|at| at.line)})
}

/// The answer of `focus`.
pub fn answer_focus(found: &Focus, report: &Report, task: &WaysView) -> Value {
    let mut answer = answer(report);
    if let Value::Object(answer) = &mut answer {
        answer.extend(ways::keys(found, report, task));
    }
    answer
}

/// The answer where the input cannot be read.
pub fn render_errors(command: Verb, errors: &[Diagnostic], sources: &Sources) -> String {
    let errors: Vec<Value> = errors
        .iter()
        .filter(|error| error.severity == Severity::Error)
        .map(|error| {
            let at = error.span.map(|span| sources.position(span));
            json!({
                "message": error.message,
                "file": at.as_ref().map(|at| at.file.clone()),
                "line": at.as_ref().map(|at| at.line),
                "column": at.as_ref().map(|at| at.column),
                "help": error.help,
            })
        })
        .collect();
    print(&json!({"schema": SCHEMA, "command": command.name(), "verdict": "error", "errors": errors}))
}

/// The answer where not even the claims are known: time was over while the program was read.
pub fn nothing_known(command: Verb, note: &str) -> Value {
    json!({
        "schema": SCHEMA,
        "command": command.name(),
        "verdict": "undecided",
        "complete": false,
        "bound": {"unwind": 0},
        "claims": [],
        "property": null,
        "counterexample": null,
        "notes": [note],
    })
}

/// Inputs by name, in order of execution.
fn inputs(named: &[InputValue], given: &Inputs, side: Side, sources: &Sources) -> Vec<Value> {
    let mut occurrences = Occurrences { given, next: BTreeMap::new() };
    let mut cycles: BTreeMap<SiteId, u32> = BTreeMap::new();
    let inputs = named.iter().map(|input| {
        let site = &side.program.sites[input.site.index()];
        let at = sources.position(site.span);
        let mut object = json!({
            "name": input.name,
            "type": side.program.type_name(input.ty),
            "value": side.value(input.ty, input.value),
            "file": at.file,
            "line": at.line,
            "function": site.function,
        });
        if let Some(number) = occurrences.next(input.site).filter(|number| *number > 1) {
            object["occurrence"] = json!(number);
        }
        if side.program.hardware.is_some() {
            // An input of a model is taken once in each cycle, a first value once.
            let cycle = cycles.entry(input.site).or_insert(0);
            object["cycle"] = json!(*cycle);
            *cycle += 1;
        }
        object
    });
    inputs.collect()
}

/// Tells of which object of its site an input is a part: contents are in order of objects, site by site.
struct Occurrences<'a> {
    given: &'a Inputs,
    /// How many inputs of a site were told.
    next: BTreeMap<SiteId, usize>,
}

impl Occurrences<'_> {
    /// The number of the object, from 1; none for an input that is no part of an object.
    fn next(&mut self, site: SiteId) -> Option<u32> {
        let told = self.next.entry(site).or_default();
        let objects = self.given.contents.range((site, 0)..=(site, u32::MAX));
        let mut parts = objects.flat_map(|((_, earlier), parts)| parts.iter().map(move |_| earlier + 1));
        let number = parts.nth(*told);
        *told += 1;
        number
    }
}

/// The steps of a run; those that differ from the other run are marked.
fn steps(run: &Run, side: Side, sources: &Sources, differing: &BTreeSet<usize>) -> Vec<Value> {
    let told = super::calls::told(run, side.program);
    let mut steps: Vec<Value> = told.iter().filter_map(|s| step(s, side, sources)).collect();
    for at in differing {
        steps[*at]["differs"] = json!(true);
    }
    steps
}

/// Who has done what we say the program does.
fn replayed(replay: &Replay) -> Value {
    let native = match replay {
        Replay::Confirmed => Some(true),
        Replay::Refuted(_) => Some(false),
        Replay::Skipped(_) => None,
    };
    json!({"interpreter": true, "native": native})
}

fn counterexample(found: &Counterexample, report: &Report) -> Value {
    let minimised = match found.minimised {
        Minimised::None => "none",
        Minimised::Greedy => "greedy",
        Minimised::Optimal => "optimal",
    };
    let differing = Pair::of(report).map(|pair| pair.differing(0)).unwrap_or_default();
    let mut value = object([
        ("inputs", inputs(&found.named, &found.inputs, report.failing, report.sources).into()),
        ("steps", steps(&found.run, report.failing, report.sources, &differing).into()),
        ("length", json!(found.length)),
        ("sum", json!(found.sum.to_string())),
        ("minimised", json!(minimised)),
        ("proved_minimal", json!(found.proved_minimal)),
        ("replayed", replayed(report.failing.replay)),
    ]);
    if let Some(hardware) = &report.program.hardware {
        value["cycles"] = json!(hardware.cycles(report.program, &found.inputs));
        let closing = found.inputs.closing.filter(|closing| !closing.is_horizon());
        if let Some(closing) = closing {
            value["repeats_from_cycle"] = json!(closing.back);
        }
    }
    if report.program.temporal.is_some() {
        value["loop"] = repeated(&found.run, report.failing, report.sources);
    }
    if let (Some(bound), Value::Object(fields)) = (found.lower_bound, &mut value) {
        fields.insert("lower_bound".to_owned(), json!({"length": bound.length, "sum": bound.sum.to_string()}));
    }
    value
}

/// One step; none for what happens inside the library and for automatic claims that held.
fn step(step: &RunStep, side: Side, sources: &Sources) -> Option<Value> {
    let program = side.program;
    let function = program.function(step.function);
    let (kind, details) = match &step.kind {
        RunStepKind::Claim { claim, held, .. } => {
            let claim = &program.claims[claim.index()];
            if *held && (claim.kind != ClaimKind::Assertion || function.author != Author::User) {
                return None;
            }
            ("claim", vec![("text", json!(one_line(&claim.text))), ("claim", json!(claim.id)), ("holds", json!(held))])
        }
        RunStepKind::Input { name, ty, value: bits, .. } => {
            ("input", vec![("variable", json!(name)), ("value", json!(side.value(*ty, *bits)))])
        }
        _ if function.author != Author::User => return None,
        RunStepKind::Assign { name, ty, value: bits } => {
            ("assign", vec![("variable", json!(name)), ("value", json!(side.value(*ty, *bits)))])
        }
        RunStepKind::Branch { taken, of } => {
            let mut details = vec![("taken", json!(taken))];
            // Behind the last part that is evaluated comes the whole.
            let whole = super::calls::is_part(step).then(|| sources.condition(of.span));
            details.extend(whole.map(|whole| ("part_of", json!(whole))));
            ("branch", details)
        }
        RunStepKind::Call { callee } => {
            let mut details = vec![("callee", json!(program.function(*callee).name))];
            // Nothing of what it does is a step, nor that it returns.
            details.extend(super::calls::is_library(step, program).then(|| ("library", json!(true))));
            ("call", details)
        }
        RunStepKind::Return { value: returned } => {
            let returned = returned.map(|(ty, bits)| side.value(ty, bits));
            ("return", returned.map(|value| ("value", json!(value))).into_iter().collect())
        }
    };
    let at = sources.position(step.span);
    let mut object = Map::new();
    object.insert("kind".to_owned(), json!(kind));
    object.insert("file".to_owned(), json!(at.file));
    object.insert("line".to_owned(), json!(at.line));
    object.insert("function".to_owned(), json!(function.name));
    let text = match step.kind {
        RunStepKind::Branch { .. } => sources.condition(step.span),
        _ => one_line(sources.text(step.span)),
    };
    object.insert("text".to_owned(), json!(text));
    for (key, detail) in details {
        object.insert(key.to_owned(), detail);
    }
    Some(Value::Object(object))
}

/// Things to know, one sentence each.
pub(crate) fn notes(report: &Report) -> Vec<String> {
    let explanation = report.explanation;
    let absence = explanation.contrast.as_ref().and_then(|contrast| super::contrast::absence(contrast, report));
    let notes = explanation.notes.iter().map(|note| sentence(note, report.sources));
    notes.chain(absence).chain(report.notes.iter().cloned()).collect()
}

/// A note as one sentence with its place.
fn sentence(note: &Diagnostic, sources: &Sources) -> String {
    let place = note.span.map(|span| sources.position(span));
    let place = place.map(|at| format!("{}:{}: ", at.file, at.line)).unwrap_or_default();
    let help = note.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{place}{}{help}", note.message)
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fails => "fails",
        Verdict::Holds => "holds",
        Verdict::Undecided => "undecided",
    }
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Fails => "fails",
        Status::Holds => "holds",
        Status::Undecided => "undecided",
    }
}

/// A function of the C library that leaves a claim open.
fn left_open(open: &LeftOpen, report: &Report) -> Value {
    let at = report.sources.position(open.span);
    json!({
        "function": open.function,
        "header": open.header,
        "file": at.file,
        "line": at.line,
        "claim": open.claim.map(|index| report.explanation.claims[index].id.clone()),
        "why": match open.why {
            Open::NoModel => "no model",
            Open::WritesPointers => "no body, and may write a pointer",
            Open::UnseenPointer => "an input that may point to an object of the run",
            Open::ManyPoints => "too many of its results matter",
        },
    })
}
