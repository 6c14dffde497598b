//! Programs as text: any text is read or refused, and printing what was read is a fixed point.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearmiss_program::program_text::{parse, print};

fuzz_target!(|text: &str| {
    let Ok(program) = parse(text) else { return };
    let printed = print(&program, None);
    let again = parse(&printed).unwrap_or_else(|error| panic!("{error} in\n{printed}"));
    assert_eq!(print(&again, None), printed);
});
