//! Tests that need a program which the system does not have are left out aloud, never silently.
//!
//! No test installs anything. `scripts/test` does, and sets `NEARMISS_NO_SKIP`, so that nothing is left out there.

use std::io::Write;

/// Says that something is left out, and why; where nothing may be left out, it panics.
pub fn skip(what: &str, missing: &str) {
    let why = format!(
        "SKIPPED {what}: this system has no {missing}. `scripts/setup` installs it; `scripts/test` does so and tests everything."
    );
    let forbidden = std::env::var_os("NEARMISS_NO_SKIP").is_some_and(|value| !value.is_empty() && value != "0");
    assert!(!forbidden, "{why} (With NEARMISS_NO_SKIP nothing may be left out.)");
    // Tests that pass show nothing of what `eprintln!` writes.
    let _ = std::io::stderr().write_all(format!("\n{why}\n\n").as_bytes());
}
