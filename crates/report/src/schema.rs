//! What all answers in JSON have in common: the name of their form, and how a value is written.

use serde_json::Value;

/// The name of the form.
pub(crate) const SCHEMA: &str = "nearmiss/1";

/// Text of a value, with its end of line.
pub fn print(value: &Value) -> String {
    format!("{value:#}\n")
}
