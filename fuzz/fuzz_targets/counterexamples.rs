//! Counterexamples of other checkers: read or refused with a reason; what was read is rebuilt on a program, or refused.
#![no_main]

use std::io::Cursor;
use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use nearmiss_explain::check::CheckOptions;
use nearmiss_explain::given::rebuild::{self, Refusal};
use nearmiss_explain::imported::{self, Format};
use nearmiss_logic::stop::Stop;
use nearmiss_program::program_text;
use nearmiss_program::source::Sources;

/// A program with an input by a call and one by an uninitialised array.
const PROGRAM: &str = include_str!("../inputs.program");

fuzz_target!(|bytes: &[u8]| {
    let mut input = Cursor::new(bytes.to_vec());
    let format = match imported::recognise(&mut input) {
        Ok(Format::Own) | Err(_) => return,
        Ok(format) => format,
    };
    let told = match imported::read(&mut input, format, &[]) {
        Ok(told) => told,
        Err(error) => {
            assert!(!error.message.is_empty());
            return;
        }
    };
    for fact in &told.facts {
        let _ = imported::line(&mut input, fact.at.line);
    }
    let program = program_text::parse(PROGRAM).expect("the program is one");
    let mut sources = Sources::new();
    sources.add("a.c", "", false);
    let stop = Stop::at(Instant::now() + Duration::from_secs(2));
    let options = CheckOptions { stop, unwind: Some(2), ..CheckOptions::default() };
    if let Err(Refusal::Disagreement(what)) = rebuild::rebuild(&program, &sources, &told, &options) {
        assert!(!what.message.is_empty() && !what.help.is_empty());
    }
});
