//! `esbmc --generate-json-report`: a list of runs, each with its `steps`; the first whose `status` is `violation` counts.
//!
//! A step has a place and a type: an `assignment` has `lhs` and `rhs` (a text, or an object for a struct or a pointer), a
//! `violation` is the end.

use std::collections::BTreeMap;
use std::io::Read;

use serde_json::Value;

use super::cbmc::{self, Data};
use super::{Facts, Failure, Format, ImportedRun, Scene, What};
use crate::imported::json::Json;
use nearmiss_trace::read::error::{Place, ReadError};

pub(super) fn read(input: impl Read) -> Result<ImportedRun, ReadError> {
    let mut json = Json::new(input)?;
    let mut found: Option<(Facts, Failure)> = None;
    let mut others = 0;
    let mut run = |json: &mut Json<_>| {
        let (facts, failure) = steps(json)?;
        if let Some(failure) = failure {
            others += usize::from(found.is_some());
            found.get_or_insert((facts, failure));
        }
        Ok(())
    };
    if json.peek()? == b'[' { json.array(run) } else { run(&mut json) }?;
    json.end()?;
    let (facts, failure) = found.map_or_else(Default::default, |(facts, failure)| (facts.list, Some(failure)));
    Ok(ImportedRun { format: Format::EsbmcJson, facts, failure, others, notes: Vec::new(), is_sure: true })
}

fn steps<R: Read>(json: &mut Json<R>) -> Result<(Facts, Option<Failure>), ReadError> {
    let (mut facts, mut failure) = (Facts::default(), None);
    if json.peek()? != b'{' {
        json.skip()?;
        return Ok((facts, failure));
    }
    json.object(|json, key| match (key, json.peek()?) {
        ("steps", b'[') => json.array(|json| {
            let at = json.place();
            step(&json.take()?, at, &mut facts, &mut failure)
        }),
        _ => json.skip(),
    })?;
    Ok((facts, failure))
}

fn step(step: &Value, at: Place, facts: &mut Facts, failure: &mut Option<Failure>) -> Result<(), ReadError> {
    let text = |key: &str| step.get(key).and_then(Value::as_str);
    let line = match step.get("line") {
        Some(Value::String(line)) => line.parse().ok(),
        Some(line) => line.as_u64().and_then(|line| line.try_into().ok()),
        None => None,
    };
    let scene = Scene { file: text("file").map(str::to_owned), line, function: text("function").map(str::to_owned) };
    match text("type") {
        Some("assignment") => {
            let assignment = step.get("assignment");
            let left = assignment.and_then(|assignment| assignment.get("lhs")).and_then(Value::as_str);
            let (Some(left), Some(right)) = (left, assignment.and_then(|assignment| assignment.get("rhs"))) else {
                return Ok(());
            };
            told(&cbmc::place(left), &data(right), &scene, at, facts)
        }
        Some("violation") if failure.is_none() => {
            let file = scene.file.as_deref().map(|file| facts.name(file));
            *failure = Some(Failure { id: None, text: text("message").map(str::to_owned), file, line, at });
            Ok(())
        }
        _ => Ok(()),
    }
}

/// A value; nesting is bounded by that of the JSON.
fn data(value: &Value) -> Data {
    if let Some(Value::Object(members)) = value.get("members") {
        return Data::Record(members.iter().map(|(name, value)| (name.clone(), data(value))).collect());
    }
    match value {
        Value::String(text) => cbmc::data(text),
        Value::Number(number) => Data::Scalar(number.to_string(), None),
        Value::Bool(truth) => Data::Scalar(u8::from(*truth).to_string(), None),
        _ => match value.get("address").and_then(Value::as_str) {
            Some(address) => Data::Scalar(cbmc::scalar(address), None),
            None => Data::Unknown,
        },
    }
}

/// What a name is given. What is told without a place is told before anything ran.
pub(super) fn told(name: &str, data: &Data, scene: &Scene, at: Place, facts: &mut Facts) -> Result<(), ReadError> {
    if scene.line.is_some() || cbmc::is_own(name) {
        return facts.tell(name, data, scene, at);
    }
    let mut leaves = BTreeMap::new();
    data.leaves(name.to_owned(), &mut leaves);
    leaves.into_iter().try_for_each(|(name, value)| {
        let name = facts.name(&name);
        facts.push(What::Start(name, value), scene, at)
    })
}
