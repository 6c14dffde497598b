//! Several explanations in one process: nothing is shared between them, so that each thread finds what it would find
//! alone. The threads are ordinary ones, with the stack that Rust gives them.

use std::path::Path;
use std::sync::Barrier;
use std::thread;

use crate::common::Disk;
use nearmiss_explain::explain::{ExplainOptions, explain};
use nearmiss_explain::explanation::Stats;
use nearmiss_program::c::{self, Options};
use nearmiss_program::source::Sources;

const EXAMPLES: [&str; 2] = ["minmax.c", "divide.c"];

/// All that is found out about an example, except how long it took.
fn explained(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).display().to_string();
    let mut sources = Sources::new();
    let program = c::read(&[file], &Options::default(), &Disk, &mut sources).expect("it is C");
    let mut explanation =
        explain(&program, &sources, &ExplainOptions::default(), &mut |_| {}).expect("it can be explained");
    assert!(explanation.contrast.is_some(), "{name} has a nearest passing run");
    explanation.stats = Stats::default();
    format!("{explanation:#?}")
}

#[test]
fn two_threads_explain_what_each_would_alone() {
    let alone = EXAMPLES.map(|name| thread::spawn(move || explained(name)).join().expect("it ends"));
    assert_ne!(alone[0], alone[1]);
    let start = Barrier::new(EXAMPLES.len());
    let together: Vec<String> = thread::scope(|scope| {
        let threads = EXAMPLES.map(|name| {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                explained(name)
            })
        });
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    assert!(together == alone, "two explanations at the same time disturb each other");
}
