//! A property file of SV-COMP (`--property-file`): the checks that it asks for, as if their flags were typed.

use std::fs::File;

use nearmiss_program::disk::at_most;
use nearmiss_suite::definition;

use crate::args::check::ProgramArgs;

/// No property file written by people is larger.
const LARGEST: u64 = 1 << 20;

/// The same with the flags of the property file, if one is given.
pub fn applied(mut args: ProgramArgs) -> Result<ProgramArgs, String> {
    let Some(path) = args.scope.property_file.clone() else { return Ok(args) };
    let bytes = File::open(&path).and_then(|file| at_most(file, LARGEST));
    let bytes = bytes.map_err(|error| format!("cannot read {path}: {error}"))?;
    let checked = definition::checked(&String::from_utf8_lossy(&bytes)).ok_or_else(|| {
        format!(
            "{path}: reachability of reach_error, overflows, memory safety and memory cleanup are checked, nothing else"
        )
    })?;
    let mut flags = checked.flags.iter().map(String::as_str);
    while let Some(flag) = flags.next() {
        match flag {
            "--no-standard-checks" => args.checks.no_standard_checks = true,
            "--no-assertions" => args.checks.no_assertions = true,
            "--signed-overflow-check" => args.checks.signed_overflow_check = true,
            "--bounds-check" => args.checks.bounds_check = true,
            "--pointer-check" => args.checks.pointer_check = true,
            "--memory-leak-check" => args.checks.memory_leak_check = true,
            "--function" => args.scope.function = flags.next().unwrap_or_default().to_owned(),
            other => return Err(format!("{path}: `{other}` is not understood")),
        }
    }
    Ok(args)
}
