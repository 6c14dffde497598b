//! Lists of claims (`--show-properties`) and of loops (`--show-loops`).

use nearmiss_program::loops;
use nearmiss_program::program::{Author, FunctionId, Program};
use nearmiss_program::source::{Sources, Span};
use serde_json::{Value, json};

use super::layout::one_line;
use crate::schema::print;
use crate::view::{Format, Verb};

/// Every claim: identifier, place, text.
pub fn properties(program: &Program, sources: &Sources, command: Verb, format: Format) -> String {
    let rows = program.claims.iter().map(|claim| Row {
        id: claim.id.clone(),
        span: claim.span,
        function: claim.function.clone(),
        text: one_line(&claim.text),
        kind: Some(claim.kind.name()),
    });
    list("properties", rows, sources, command, format)
}

/// Every loop: identifier, place, condition. Those of the library come last.
pub fn loops(program: &Program, sources: &Sources, command: Verb, format: Format) -> String {
    let mut functions: Vec<FunctionId> = (0..program.functions.len() as u32).map(FunctionId).collect();
    functions.sort_by_key(|id| program.function(*id).author == Author::Library);
    let rows = functions.into_iter().filter(|id| !program.function(*id).blocks.is_empty()).flat_map(|id| {
        loops::analyse(program, id).heads.into_iter().map(move |head| Row {
            id: head.id,
            span: head.span,
            function: program.function(id).name.clone(),
            text: one_line(sources.text(head.span)),
            kind: None,
        })
    });
    list("loops", rows, sources, command, format)
}

struct Row {
    id: String,
    span: Span,
    function: String,
    text: String,
    kind: Option<&'static str>,
}

fn list(what: &str, rows: impl Iterator<Item = Row>, sources: &Sources, command: Verb, format: Format) -> String {
    let rows: Vec<Row> = rows.collect();
    let place = |row: &Row| {
        let at = sources.position(row.span);
        (at.file, at.line)
    };
    match format {
        Format::Json => {
            let rows: Vec<Value> = rows
                .iter()
                .map(|row| {
                    let (file, line) = place(row);
                    let mut object = json!({"id": row.id});
                    if let Some(kind) = row.kind {
                        object["kind"] = json!(kind);
                    }
                    object["text"] = json!(row.text);
                    object["file"] = json!(file);
                    object["line"] = json!(line);
                    object["function"] = json!(row.function);
                    object
                })
                .collect();
            print(&json!({"schema": "nearmiss/1", "command": command.name(), what: rows}))
        }
        _ => {
            let places: Vec<String> = rows.iter().map(|row| format!("{}:{}", place(row).0, place(row).1)).collect();
            let ids = rows.iter().map(|row| row.id.chars().count()).max().unwrap_or(0);
            let widest = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
            let lines = rows.iter().zip(&places);
            let lines = lines.map(|(row, place)| format!("{:ids$}  {place:widest$}  {}", row.id, row.text));
            lines.map(|line| line.trim_end().to_owned() + "\n").collect()
        }
    }
}
