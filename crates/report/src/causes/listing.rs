//! The signals of a trace, a line each: what formulas can name.

use nearmiss_trace::wave::{Kind, SignalInfo};

use super::value;

/// A line per signal: its name and what its values are.
pub fn render(signals: &[SignalInfo], trace: &str) -> String {
    if signals.is_empty() {
        return format!("{trace} has no signals\n");
    }
    signals.iter().map(|signal| format!("{}{}\n", signal.name, kind(signal))).collect()
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
