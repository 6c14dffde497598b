//! The ways in which a program fails, as JSON.

use nearmiss_explain::focus::{Focus, Role, Way};
use nearmiss_explain::method::focus::Rest;
use serde_json::{Map, Value, json};

use super::super::layout::one_line;
use super::super::{Report, focus};
use super::inputs;
use crate::settings::FocusTask;

/// The keys that `focus` adds.
pub fn keys(found: &Focus, report: &Report, task: &FocusTask) -> Map<String, Value> {
    let ways: Vec<Value> =
        focus::shown(found, task.level).into_iter().map(|way| sequence(way, found, report, task)).collect();
    let more = match found.rest {
        Rest::None => json!(0),
        Rest::AtLeast(more) => json!(more),
        Rest::Unknown => Value::Null,
    };
    let keys = [
        ("level", json!(name(task))),
        ("sequences", json!(ways)),
        ("sequences_found", json!(found.ways.len())),
        ("sequences_reduced", json!(found.distinct())),
        ("at_least_more", more),
        ("cut_short", json!(found.cut_short)),
        ("exhaustive", json!(found.rest == Rest::None && found.unlooked.is_empty())),
    ];
    keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn name(task: &FocusTask) -> String {
    format!("{:?}", task.level).to_lowercase()
}

fn sequence(way: &Way, found: &Focus, report: &Report, task: &FocusTask) -> Value {
    let place = |span| report.sources.position(span);
    let statements: Vec<Value> = (way.statements.iter())
        .map(|row| {
            let at = place(row.span);
            let text = match (&task.reach, row.role) {
                (Some(reach), Role::Claim) => &reach.condition,
                _ => report.sources.text(row.span),
            };
            json!({
                "file": at.file,
                "line": at.line,
                "function": row.function.map(|function| &report.program.function(function).name),
                "text": one_line(text),
                "outcome": row.outcome,
                "role": match row.role {
                    Role::Focus => "focus",
                    Role::Apart => "apart",
                    Role::Claim => "claim",
                },
            })
        })
        .collect();
    let mut nest: Vec<Value> = Vec::new();
    for row in way.statements.iter().filter(|row| row.nest) {
        let at = place(row.span);
        let line = json!({"file": at.file, "line": at.line});
        if !nest.contains(&line) {
            nest.push(line);
        }
    }
    // What became the same is told here, where it is not shown itself.
    let merged = found.ways.iter().filter(|other| other.same_as == Some(way.rank));
    let merged: Vec<Value> =
        merged.map(|other| json!({"rank": other.rank, "assumptions": other.assumptions})).collect();
    json!({
        "rank": way.rank,
        "property": found.explanation.claims[way.claim].id,
        "statements": statements,
        "assumptions": way.assumptions,
        "assumptions_known": !way.untold,
        "reduced_assumptions": way.reduced,
        "same_as": way.same_as,
        "merged": merged,
        "nest": nest,
        "nest_is_whole": !focus::is_local(&way.statements),
        "inputs": inputs(&way.named, &way.inputs, report.failing, report.sources),
    })
}
