//! Positions: every span of every text has a line, a column and a text, whatever the line markers say.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearmiss_program::source::{Sources, Span};

fuzz_target!(|text: &str| {
    let mut sources = Sources::new();
    let file = sources.add("fuzz.c", text, false);
    // One past the end is a place too: that of what is missing there.
    for start in 0..=text.len() as u32 {
        let span = Span::new(file, start, start + 1);
        let position = sources.position(span);
        let line = sources.line_text(span);
        assert!(position.column >= 1 && position.column as usize <= line.len() + 3, "{position} in {line:?}");
        assert!(sources.physical_line(file, start) as usize <= text.matches('\n').count() + 1);
        let _ = sources.text(span);
    }
});
