//! The ways in which a program fails, as JSON.

use std::collections::BTreeSet;

use nearmiss_explain::focus::{Focus, Role, Way};
use nearmiss_explain::method::focus_sequences::Rest;
use serde_json::{Map, Value, json};

use super::super::layout::one_line;
use super::super::{Report, ways_text};
use super::{inputs, object};
use crate::view::WaysView;

/// The keys that `focus` adds.
pub fn keys(found: &Focus, report: &Report, task: &WaysView) -> Map<String, Value> {
    let ways: Vec<Value> =
        ways_text::shown(found, task.level).into_iter().map(|way| sequence(way, found, report, task)).collect();
    let more = match found.rest {
        Rest::None => json!(0),
        Rest::AtLeast(more) => json!(more),
        Rest::Unknown => Value::Null,
    };
    let keys = [
        ("level", json!(task.level.name())),
        ("sequences", ways.into()),
        ("sequences_found", json!(found.ways.len())),
        ("sequences_reduced", json!(found.distinct())),
        ("at_least_more", more),
        ("cut_short", json!(found.cut_short)),
        ("exhaustive", json!(found.rest == Rest::None && found.unlooked.is_empty())),
    ];
    keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// When a way in JSON happens, for the forms that are made of that.
pub(crate) fn when(way: &Value, spell: &dyn Fn(&str) -> String) -> String {
    let list = way["assumptions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let told: Vec<String> = list.iter().filter_map(Value::as_str).map(spell).collect();
    let is = |key: &str, value: bool| way[key] == value;
    match told.is_empty() {
        _ if is("assumptions_known", false) => "there was no time to find out when".to_owned(),
        false if is("assumptions_projected", true) => format!("only when {}", told.join(", ")),
        false if is("assumptions_by_choice", true) => {
            format!("{} and calls in branches return as shown", told.join(", "))
        }
        false => told.join(", "),
        true if is("assumptions_projected", true) => "no condition on what was asked for alone was found".to_owned(),
        true if is("assumptions_by_choice", true) => {
            "by what nondeterministic calls return, whatever the other inputs are".to_owned()
        }
        true => "always".to_owned(),
    }
}

fn sequence(way: &Way, found: &Focus, report: &Report, task: &WaysView) -> Value {
    let place = |span| report.sources.position(span);
    let statements: Vec<Value> = (way.statements.iter())
        .map(|row| {
            let at = place(row.span);
            let text = match (&task.reach, row.role) {
                (Some(reach), Role::Claim) => one_line(&reach.condition),
                _ if row.outcome.is_some() => report.sources.condition(row.span),
                _ => one_line(report.sources.text(row.span)),
            };
            let role = match row.role {
                Role::Focus => "focus",
                Role::Apart => "apart",
                Role::Claim => "claim",
            };
            object([
                ("file", at.file.into()),
                ("line", at.line.into()),
                ("function", row.function.map(|function| report.program.function(function).name.clone()).into()),
                ("text", text.into()),
                ("outcome", row.outcome.into()),
                ("role", role.into()),
            ])
        })
        .collect();
    let mut seen = BTreeSet::new();
    let nest = way.statements.iter().filter(|row| row.nest).map(|row| place(row.span));
    let nest: Vec<Value> = nest
        .filter(|at| seen.insert((at.file.clone(), at.line)))
        .map(|at| json!({"file": at.file, "line": at.line}))
        .collect();
    // What became the same is told here, where it is not shown itself.
    let merged = found.ways.iter().filter(|other| other.same_as == Some(way.rank));
    let merged: Vec<Value> = merged
        .map(|other| json!({"rank": other.rank, "assumptions": other.assumptions, "assumptions_quoted": other.quoted}))
        .collect();
    object([
        ("rank", json!(way.rank)),
        ("property", json!(found.explanation.claims[way.claim].id)),
        ("statements", statements.into()),
        ("assumptions", json!(way.assumptions)),
        ("assumptions_quoted", json!(way.quoted)),
        ("assumptions_known", json!(!way.untold)),
        ("assumptions_projected", json!(way.projected)),
        ("assumptions_by_choice", json!(way.by_choice)),
        ("reduced_assumptions", json!(way.reduced)),
        ("same_as", json!(way.same_as)),
        ("merged", merged.into()),
        ("nest", nest.into()),
        ("nest_is_whole", json!(!ways_text::is_local(&way.statements))),
        ("inputs", inputs(&way.named, &way.inputs, report.failing, report.sources).into()),
    ])
}
