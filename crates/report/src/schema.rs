//! What all answers in JSON have in common: the name of their form, and how a value is written.

use serde_json::Value;

pub(crate) use nearmiss_suite::task::SCHEMA;

/// Text of a value, with its end of line.
pub fn print(value: &Value) -> String {
    format!("{value:#}\n")
}
