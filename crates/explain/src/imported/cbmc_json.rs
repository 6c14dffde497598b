//! `cbmc --json-ui --trace`: a list of messages; one holds the `result`s of the properties, each with its `trace`.
//!
//! With `--stop-on-fail` the one trace stands beside `property` in a message of its own. Keys may come in any order. A trace
//! is read step by step, and of several traces only the best so far is kept.

use std::io::Read;

use serde_json::Value;

use super::cbmc::{self, Data, Kind, Step, Trace};
use super::{Format, ImportedRun, Scene};
use crate::imported::json::Json;
use nearmiss_trace::read::error::{Place, ReadError};

pub(super) fn read(input: impl Read, properties: &[String]) -> Result<ImportedRun, ReadError> {
    let mut json = Json::new(input)?;
    let mut found = Traces { best: None, traces: 0, properties };
    if json.peek()? == b'[' {
        json.array(|json| message(json, &mut found))?;
    } else {
        message(&mut json, &mut found)?;
    }
    json.end()?;
    let (trace, others) = (found.best.map(|(_, trace)| trace).unwrap_or_default(), found.traces.saturating_sub(1));
    let (facts, failure) = (trace.facts.list, trace.failure);
    Ok(ImportedRun { format: Format::CbmcJson, facts, failure, others, notes: Vec::new(), is_sure: true })
}

struct Traces<'a> {
    best: Option<(u32, Trace)>,
    traces: usize,
    properties: &'a [String],
}

fn message<R: Read>(json: &mut Json<R>, found: &mut Traces) -> Result<(), ReadError> {
    if json.peek()? != b'{' {
        return json.skip();
    }
    result(json, found, true)
}

/// A message, or the result of a property.
fn result<R: Read>(json: &mut Json<R>, found: &mut Traces, outermost: bool) -> Result<(), ReadError> {
    let (mut id, mut trace) = (None, None);
    json.object(|json, key| {
        match (key, json.peek()?) {
            ("property", b'"') => id = json.take()?.as_str().map(str::to_owned),
            ("trace", b'[') => {
                let mut steps = Trace::default();
                json.array(|json| {
                    let at = json.place();
                    match json.take_if(|text| may_matter(text, &steps))?.and_then(|value| step(&value, at)) {
                        Some(step) => steps.step(step),
                        None => Ok(()),
                    }
                })?;
                trace = Some(steps);
            }
            ("result", b'[') if outermost => json.array(|json| match json.peek()? {
                b'{' => result(json, found, false),
                _ => json.skip(),
            })?,
            _ => json.skip()?,
        }
        Ok(())
    })?;
    if let Some(mut trace) = trace {
        found.traces += 1;
        let rank = trace.rank(id.as_deref(), found.properties);
        if let (Some(failure), Some(_)) = (&mut trace.failure, &id) {
            failure.id = id;
        }
        if found.best.as_ref().is_none_or(|(best, _)| rank < *best) {
            found.best = Some((rank, trace));
        }
    }
    Ok(())
}

/// Whether the text of a step is worth being looked at: most steps are hidden, or tell nothing but a line.
fn may_matter(text: &[u8], steps: &Trace) -> bool {
    let has = |key: &str, value: &str| {
        let key = key.as_bytes();
        let mut places = text.windows(key.len()).enumerate().filter(|(_, window)| *window == key);
        places.any(|(at, _)| text[at + key.len()..].trim_ascii_start().starts_with(value.as_bytes()))
    };
    if has("\"hidden\":", "true") {
        return !steps.has_started() && !has("\"function\":", "\"");
    }
    !["\"location-only\"", "\"loop-head\"", "\"function-return\""].iter().any(|kind| has("\"stepType\":", kind))
}

/// What of a step matters; none if nothing does.
fn step(value: &Value, at: Place) -> Option<Step> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let flag = |key: &str| value.get(key).and_then(Value::as_bool).unwrap_or(false);
    let kind = match text("stepType")? {
        "assignment" => Kind::Assignment(text("lhs")?.to_owned(), data(value.get("value")?)),
        "input" => Kind::Input(text("inputID")?.to_owned(), data(value.get("values")?.get(0)?)),
        "function-call" => Kind::Call(value.get("function")?.get("displayName")?.as_str()?.to_owned()),
        "failure" => Kind::Failure { id: text("property").map(str::to_owned), text: text("reason").map(str::to_owned) },
        _ => return None,
    };
    let location = value.get("sourceLocation");
    let said = |key: &str| location.and_then(|location| location.get(key));
    let word = |key: &str| said(key).and_then(Value::as_str).map(str::to_owned);
    let line = match said("line") {
        Some(Value::String(text)) => text.parse().ok(),
        Some(other) => other.as_u64().and_then(|line| line.try_into().ok()),
        None => None,
    };
    let scene = Scene { file: word("file"), line, function: word("function") };
    let parameter = text("assignmentType") == Some("actual-parameter");
    Some(Step { kind, hidden: flag("hidden"), internal: flag("internal"), parameter, scene, at })
}

/// A value; nesting is bounded by that of the JSON.
fn data(value: &Value) -> Data {
    if let Some(Value::Array(elements)) = value.get("elements") {
        let element = |(at, element): (usize, &Value)| {
            let index = element.get("index").and_then(Value::as_u64).unwrap_or(at as u64);
            (index, element.get("value").map_or(Data::Unknown, data))
        };
        return Data::Array(elements.iter().enumerate().map(element).collect());
    }
    if let Some(Value::Array(members)) = value.get("members") {
        let member = |member: &Value| {
            let name = member.get("name").and_then(Value::as_str)?.to_owned();
            Some((name, member.get("value").map_or(Data::Unknown, data)))
        };
        return Data::Record(members.iter().filter_map(member).collect());
    }
    // A union is told by the member that was written last.
    if let Some(member) = value.get("member") {
        let name = member.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        return Data::Record(vec![(name, member.get("value").map_or(Data::Unknown, data))]);
    }
    let is_pointer = value.get("name").and_then(Value::as_str) == Some("pointer");
    if let Some((text, width)) = value.get("binary").and_then(Value::as_str).and_then(cbmc::bits) {
        return Data::Scalar(text, Some(width));
    }
    match value.get("data") {
        Some(Value::String(text)) if is_pointer => {
            let text = cbmc::scalar(text);
            let is_object = text != "NULL" && !text.starts_with('&');
            Data::Scalar(if is_object { format!("&{text}") } else { text }, None)
        }
        Some(Value::String(text)) => cbmc::data(text),
        Some(Value::Bool(truth)) => Data::Scalar(u8::from(*truth).to_string(), Some(1)),
        Some(Value::Number(number)) => Data::Scalar(number.to_string(), None),
        _ => Data::Unknown,
    }
}
