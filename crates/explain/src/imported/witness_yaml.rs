//! SV-COMP violation witnesses, format 2 (YAML): segments of waypoints that the failing run passes in order.
//!
//! Read leniently: entries of other types, unknown keys and waypoints to be avoided are passed over. Conditions hold
//! before the statement at their place, but those of `function_return` speak of the result of the call there.

use std::io::Read;

use super::condition::comparisons;
use super::{Facts, Failure, Format, ImportedRun, Scene, What, When};
use crate::imported::yaml::{self, Yaml};
use nearmiss_trace::read::error::ReadError;

/// Larger witnesses are not read.
const LARGEST: u64 = 64 << 20;

pub(super) fn read(input: impl Read) -> Result<ImportedRun, ReadError> {
    let mut bytes = Vec::new();
    input.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| ReadError::unreadable(&error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(ReadError::new(format!("it is larger than {} MB", LARGEST >> 20)));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let place = nearmiss_trace::read::error::Place::of(error.as_bytes(), error.utf8_error().valid_up_to());
        ReadError::new("this is not UTF-8").at(place).with_help("save the file as UTF-8")
    })?;
    let document = yaml::read(text.strip_prefix('\u{feff}').unwrap_or(&text))?;
    let is_violation = |entry: &&Yaml| entry.get("entry_type").and_then(Yaml::text) == Some("violation_sequence");
    let mut entries = document.items().iter().filter(is_violation);
    let Some(entry) = entries.next() else {
        let other = document.items().iter().find_map(|entry| entry.get("entry_type")).and_then(Yaml::text);
        let what = other.map_or_else(String::new, |other| format!(", only `{other}`"));
        let error = ReadError::new(format!("this witness has no entry of type `violation_sequence`{what}"));
        return Err(error.at(document.at).with_help("only witnesses of violations tell a failing run"));
    };
    let mut reading = Reading { facts: Facts::default(), failure: None, avoided: 0, strange: 0 };
    for segment in entry.get("content").map_or(&[][..], Yaml::items) {
        for waypoint in segment.get("segment").unwrap_or(segment).items() {
            reading.waypoint(waypoint.get("waypoint").unwrap_or(waypoint))?;
        }
    }
    let Reading { facts, failure, avoided, strange } = reading;
    let mut notes = Vec::new();
    if avoided > 0 {
        notes.push(format!("{avoided} waypoints that the failing run avoids were left out of account"));
    }
    if strange > 0 {
        notes.push(format!(
            "{strange} conditions of the witness are more than comparisons with constants and were left out of account"
        ));
    }
    let (facts, others) = (facts.list, entries.count());
    Ok(ImportedRun { format: Format::WitnessYaml, facts, failure, others, notes, is_sure: true })
}

struct Reading {
    facts: Facts,
    failure: Option<Failure>,
    avoided: usize,
    strange: usize,
}

impl Reading {
    fn waypoint(&mut self, waypoint: &Yaml) -> Result<(), ReadError> {
        let text = |key: &str| waypoint.get(key).and_then(Yaml::text);
        if text("action") == Some("avoid") {
            self.avoided += 1;
            return Ok(());
        }
        let location = waypoint.get("location");
        let said = |key: &str| location.and_then(|location| location.get(key)).and_then(Yaml::text);
        let scene = Scene {
            file: said("file_name").map(str::to_owned),
            line: said("line").and_then(|line| line.parse().ok()),
            function: said("function").filter(|function| !function.is_empty()).map(str::to_owned),
        };
        let value = waypoint.get("constraint").map(|constraint| constraint.get("value").unwrap_or(constraint));
        let condition = value.and_then(Yaml::text).unwrap_or("1");
        let at = value.map_or(waypoint.at, |value| value.at);
        match text("type") {
            Some("target") => {
                let file = scene.file.as_deref().map(|file| self.facts.name(file));
                let at = waypoint.at;
                self.failure = Some(Failure { id: None, text: None, file, line: scene.line, at });
                Ok(())
            }
            Some("branching") => match condition {
                "true" | "1" => self.facts.push(What::Branch(true), &scene, at),
                "false" | "0" => self.facts.push(What::Branch(false), &scene, at),
                _ => {
                    self.strange += 1;
                    Ok(())
                }
            },
            Some("function_enter") => Ok(()),
            Some(kind @ ("assumption" | "function_return")) => {
                let (found, whole) = comparisons(condition);
                self.strange += usize::from(!whole);
                if found.is_empty() {
                    return Ok(());
                }
                let when = if kind == "assumption" { When::Before } else { When::After };
                self.facts.push(What::Held(found, when), &scene, at)
            }
            None => {
                let error = ReadError::new("this waypoint has no type").at(waypoint.at);
                Err(error.with_help("is the file cut off?"))
            }
            Some(kind) => {
                let error = ReadError::new(format!("a waypoint of type `{kind}` is not known")).at(waypoint.at);
                Err(error.with_help("types are assumption, branching, function_enter, function_return and target"))
            }
        }
    }
}
