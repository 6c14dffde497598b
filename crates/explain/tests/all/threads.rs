//! Several explanations in one process: nothing is shared between them, so that each thread finds what it would find
//! alone; and they bring the stack that they need, however small the caller's is.

use std::path::Path;
use std::sync::Barrier;
use std::thread;

use nearmiss_explain::explanation::Stats;
use nearmiss_explain::{Checking, Explaining, Program, Reading, Verdict};

const EXAMPLES: [&str; 2] = ["minmax.c", "divide.c"];
/// Less than a frame or two of a debug build leaves room for.
const SMALL_STACK: usize = 128 << 10;

/// All that is found out about an example, except how long it took.
fn explained(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).display().to_string();
    let program = Program::from_c([file], &Reading::default()).expect("it is C");
    let why = program.explain(&Explaining::default()).expect("it can be explained");
    assert!(why.passing().is_some(), "{name} has a nearest passing run");
    let mut explanation = why.explanation().clone();
    explanation.stats = Stats::default();
    format!("{explanation:#?}")
}

#[test]
fn two_threads_explain_what_each_would_alone() {
    let alone = EXAMPLES.map(explained);
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

#[test]
fn a_caller_needs_no_large_stack() {
    let deep = 120;
    let text = format!(
        "int main(void) {{ int x; {}__CPROVER_assert({}x{} != 7, \"not seven\");{} }}",
        "if (x > 0) { ".repeat(deep),
        "(1 + ".repeat(deep),
        ")".repeat(deep),
        " }".repeat(deep),
    );
    let asked = move || {
        let program = Program::from_text("deep.c", &text, &Reading::default()).expect("it is C");
        program.check(&Checking::default()).expect("it can be checked").verdict()
    };
    let caller = thread::Builder::new().stack_size(SMALL_STACK).spawn(asked).expect("there are threads");
    assert_eq!(caller.join().expect("it ends"), Verdict::Fails);
}
