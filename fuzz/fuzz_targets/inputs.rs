//! Runs as JSON: read or refused with a place; what was read makes inputs of a program, or located errors.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearmiss_explain::given::{self, Given};
use nearmiss_explain::imported::inputs;
use nearmiss_program::program_text;
use nearmiss_program::source::Sources;

/// A program with an input by a call and one by an uninitialised array.
const PROGRAM: &str = include_str!("../inputs.program");

fuzz_target!(|text: &str| {
    let mut sources = Sources::new();
    let file = sources.add("run.json", text, false);
    match inputs::read(text) {
        Err(error) => assert!(error.at as usize <= text.len() && !error.message.is_empty()),
        Ok(entries) => {
            assert!(entries.iter().all(|entry| text.get(entry.start as usize..entry.end as usize).is_some()));
            let program = program_text::parse(PROGRAM).expect("the program is one");
            let given = Given { entries: &entries, file, properties: &[] };
            let _ = given::inputs(&program, &sources, &given);
        }
    }
});
