//! Fixes as JSON: the edits, what was proved of them, and how much was tried.

use nearmiss_explain::explanation::{Differs, Fix, Fixes, Shared, TriedPairs, Verified};
use nearmiss_program::c::edit::TextEdit;
use nearmiss_program::source::{Position, Span};
use serde_json::{Map, Value, json};

use super::super::Report;
use super::super::fixes::diff::{Hunk, bare, changed};
use super::super::fixes::original::Original;
use super::super::fixes::{diagnoses, facts, lost_parts, places, tried};
use super::replayed;
use crate::replay::Replay;

/// What the answer has beyond that of `check`.
pub(super) fn keys(found: &Fixes, report: &Report) -> Map<String, Value> {
    let fixes: Vec<Value> =
        found.found.iter().enumerate().map(|(index, fix)| self::fix(index, fix, found, report)).collect();
    let mut work = json!({
        "candidates": found.candidates,
        "executed": found.executed,
        "left_aside": found.aside,
        "proved": found.judged,
        "complete": found.complete,
        "told": tried(found),
    });
    if found.ending > 0 {
        work["ending_a_loop"] = found.ending.into();
    }
    if let Some(TriedPairs { candidates, ruled_out, executed, judged, complete }) = found.pairs {
        work["pairs"] = json!({
            "candidates": candidates,
            "ruled_out": ruled_out,
            "executed": executed,
            "proved": judged,
            "complete": complete,
        });
    }
    let mut keys: Map<String, Value> =
        [("fixes".to_owned(), fixes.into()), ("tried".to_owned(), work)].into_iter().collect();
    if let Some(known) = &found.diagnoses {
        let place = |place: &Position| json!({"file": place.file, "line": place.line});
        let sets = diagnoses::places(known, report);
        let sets: Vec<Vec<Value>> = sets.iter().map(|set| set.iter().map(place).collect()).collect();
        keys.insert("diagnoses".to_owned(), json!(sets));
        let shown = json!({
            "failing_runs": known.runs,
            "of": known.of,
            "complete": known.complete,
            "told": diagnoses::told(found, report),
        });
        keys.insert("diagnosed".to_owned(), shown);
    }
    keys
}

fn fix(index: usize, fix: &Fix, found: &Fixes, report: &Report) -> Value {
    let verified = match fix.verified {
        Verified::All => "all",
        Verified::Bound => "bound",
        Verified::Tests => "tests",
    };
    let (when, only_when) = match &fix.differs {
        Some(Differs::When(when)) => (Some(when), None),
        Some(Differs::OnlyWhen(when)) => (None, Some(when)),
        None => (None, None),
    };
    json!({
        "edits": edits(&fix.edits, report),
        "verified": verified,
        "leaves": fix.leaves,
        "family": fix.family.word(),
        "differs_when": when,
        "differs_only_when": only_when,
        "changes": {"passing_runs": fix.changed, "of": found.passing},
        "not_executed": lost_parts(fix).map(|span| {
            let at = report.sources.position(*span);
            json!({"file": at.file, "line": at.line, "text": report.sources.text(*span)})
        }).collect::<Vec<_>>(),
        "used": fix.shared.as_ref().map(|shared| used(shared, report)),
        "same": fix.same.iter().map(|same| edits(same, report)).collect::<Vec<_>>(),
        "apart": fix.apart.as_ref().map(|apart| json!({
            "stdin": String::from_utf8_lossy(&apart.input),
            "arguments_of": apart.like,
            "printed": String::from_utf8_lossy(&apart.printed),
            "printed_by_first": String::from_utf8_lossy(&apart.of_first),
        })),
        "diff": diff(&fix.edits, report),
        "told": facts(fix, found, report),
        "replayed": replayed(report.fixes.get(index).unwrap_or(&Replay::Skipped(String::new()))),
    })
}

/// The macro or type that a fix changes, and where it is used.
fn used(shared: &Shared, report: &Report) -> Value {
    let places = places(shared, report).into_iter().map(|(file, line)| json!({"file": file, "line": line}));
    json!({"name": shared.name, "at": places.collect::<Vec<_>>()})
}

/// Edits with their places: from the first byte that goes to the one behind the last.
fn edits(edits: &[TextEdit], report: &Report) -> Vec<Value> {
    let edit = |edit: &TextEdit| {
        let Span { file, start, end, .. } = edit.span;
        let [from, to] = [start, end].map(|at| report.sources.position(Span::new(file, at, at)));
        let original = Original::of(report.sources, file);
        let old = &original.text[original.offset(start)..original.offset(end)];
        json!({
            "file": from.file,
            "line": from.line,
            "column": from.column,
            "end_line": to.line,
            "end_column": to.column,
            "old": old,
            "new": edit.new,
        })
    };
    edits.iter().map(edit).collect()
}

/// Whole lines that go and come.
fn diff(edits: &[TextEdit], report: &Report) -> Vec<Value> {
    let mut told = Vec::new();
    for changed in changed(report.sources, edits) {
        let own = edits.iter().find(|edit| edit.span.file == changed.file);
        let file = own.map(|edit| report.sources.position(edit.span).file);
        let lines = |lines: &[String]| lines.iter().map(|line| json!(bare(line))).collect::<Vec<_>>();
        let hunk =
            |hunk: &Hunk| json!({"file": file, "line": hunk.line, "old": lines(&hunk.old), "new": lines(&hunk.new)});
        told.extend(changed.hunks.iter().map(hunk));
    }
    told
}
