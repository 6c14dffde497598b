//! The causes as JSON, schema `nearmiss/1`. Keys may be added, never renamed.

use nearmiss_trace::report::{Exactness, Judged, TraceCause, TraceFailure, TraceReport, TraceVerdict};
use serde_json::{Value, json};

use super::{sentence, text};
use crate::Paint;
use crate::schema::{SCHEMA, print};

/// The whole answer, with its end of line. By the model of the design, if there is one, also where the values come from.
pub fn render(report: &TraceReport, why: Option<Value>) -> String {
    print(&answer(report, why))
}

/// What a suite keeps of it.
pub fn record(report: &TraceReport, why: Option<Value>) -> Value {
    let fails = report.formulas.iter().position(|judged| matches!(judged.verdict, TraceVerdict::Fails));
    let sentence = match report.formulas.len() {
        0 => String::new(),
        _ => sentence::summary(report, fails.unwrap_or(0)).plain(),
    };
    let text = text::render(report, Paint::Plain);
    json!({"sentence": sentence, "text": text, "sarif": null, "answer": answer(report, why)})
}

fn answer(report: &TraceReport, why: Option<Value>) -> Value {
    let failures = failures(report);
    let formulas: Vec<Value> = (0..report.formulas.len()).map(|index| formula(report, index)).collect();
    let mut answer = json!({
        "schema": SCHEMA,
        "command": "causes",
        "verdict": sentence::overall(report),
        "cycles": report.wave.cycles,
        "loop": report.wave.loop_start,
        "formulas": formulas,
        "failures": failures,
        "notes": report.notes,
    });
    if let Some(why) = why {
        answer["why"] = why;
    }
    answer
}

/// The answer of somebody who was stopped before anything was known.
pub fn nothing_known(note: &str) -> Value {
    json!({
        "schema": SCHEMA,
        "command": "causes",
        "verdict": "undecided",
        "cycles": null,
        "loop": null,
        "formulas": [],
        "failures": [],
        "notes": [note],
    })
}

/// All failures of all formulas.
pub(crate) fn failures(report: &TraceReport) -> Vec<Value> {
    let of = |judged: &Judged| judged.failures.iter().map(|found| failure(report, judged, found)).collect::<Vec<_>>();
    report.formulas.iter().flat_map(of).collect()
}

fn formula(report: &TraceReport, index: usize) -> Value {
    let judged = &report.formulas[index];
    json!({
        "formula": judged.formula,
        "name": judged.name,
        "verdict": sentence::verdict(&judged.verdict),
        "reason": sentence::why(&judged.verdict),
        "summary": sentence::summary(report, index).plain(),
        "more_failures": judged.more_failures,
    })
}

fn failure(report: &TraceReport, judged: &Judged, failure: &TraceFailure) -> Value {
    let causes: Vec<Value> = failure.causes.iter().flat_map(|cause| dots(report, cause)).collect();
    json!({
        "formula": judged.formula,
        "name": judged.name,
        "start": failure.start,
        "at": failure.at,
        "timestamp": report.wave.time(failure.at),
        "round": failure.round,
        "loop_start": failure.loop_start,
        "exact": failure.exactness == Exactness::Exact,
        "exactness": match failure.exactness {
            Exactness::Exact => "exact",
            Exactness::ExactOnValues => "exact on values of the trace",
            Exactness::Superset => "superset",
            Exactness::Approximate => "approximate",
        },
        "trace_causes": causes,
    })
}

/// One entry per signal in the atom.
fn dots<'a>(report: &'a TraceReport, cause: &'a TraceCause) -> impl Iterator<Item = Value> + 'a {
    let others: Vec<Value> = cause.others.iter().map(|(atom, time)| json!({"atom": atom, "time": time})).collect();
    cause.dots.iter().map(move |dot| {
        json!({
            "signal": report.wave.signals[dot.signal].info.name,
            "time": dot.time,
            "timestamp": report.wave.time(dot.time),
            "value": report.wave.signals[dot.signal].decimal_at(dot.time),
            "shown": dot.value,
            "atom": cause.atom,
            "atom_time": cause.time,
            "atom_value": cause.truth,
            "exact": cause.exact,
            "direct": cause.direct,
            "responsibility": cause.responsibility.map(|share| if share == 1 { "1".to_owned() } else { format!("1/{share}") }),
            "others": others,
        })
    })
}
