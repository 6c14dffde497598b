//! The signals of a trace, a line each: what formulas can name.

use nearmiss_trace::wave::{Kind, SignalInfo};
use serde_json::{Value, json};

use super::value;
use crate::schema::{SCHEMA, print};

/// A line per signal: its name and what its values are.
pub fn render(signals: &[SignalInfo], trace: &str) -> String {
    if signals.is_empty() {
        return format!("{trace} has no signals\n");
    }
    signals.iter().map(|signal| format!("{}{}\n", signal.name, kind(signal))).collect()
}

/// The same as an object.
pub fn json(signals: &[SignalInfo]) -> String {
    let signal = |signal: &SignalInfo| {
        let values: Vec<&str> = signal.enumerators.iter().map(|named| named.name.as_str()).collect();
        let kind = match signal.kind {
            Kind::Bits { .. } => "bits",
            Kind::Integer => "integer",
            Kind::Real => "real",
            Kind::Text => "text",
        };
        json!({"name": signal.name, "kind": kind, "range": value::range(signal.kind), "values": values})
    };
    let signals: Vec<Value> = signals.iter().map(signal).collect();
    print(&json!({"schema": SCHEMA, "command": "causes", "signals": signals}))
}

fn kind(signal: &SignalInfo) -> String {
    let named: Vec<&str> = signal.enumerators.iter().map(|named| named.name.as_str()).collect();
    let names = if named.is_empty() { String::new() } else { format!(" {{{}}}", named.join(", ")) };
    let kind = match signal.kind {
        Kind::Bits { .. } => value::range(signal.kind).map(|range| format!(" {range}")).unwrap_or_default(),
        Kind::Integer => "  integer".to_owned(),
        Kind::Real => "  real".to_owned(),
        Kind::Text => "  text".to_owned(),
    };
    format!("{kind}{names}")
}
