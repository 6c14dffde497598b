//! Times and sizes as one line of JSON (`--stats`).

use serde_json::{Map, Value, json};

/// Seconds of each phase, in the order in which they come, and counts.
pub fn line<'a>(
    phases: impl IntoIterator<Item = (&'a str, f64)>,
    counts: impl IntoIterator<Item = (&'a str, u64)>,
) -> String {
    let mut seconds = Map::new();
    for (phase, time) in phases {
        // A phase comes once per bound.
        let before = seconds.get(phase).and_then(Value::as_f64).unwrap_or_default();
        seconds.insert(phase.to_owned(), json!(before + time));
    }
    let counts: Map<String, Value> =
        counts.into_iter().map(|(what, number)| (what.to_owned(), json!(number))).collect();
    json!({"seconds": seconds, "counts": counts}).to_string()
}
