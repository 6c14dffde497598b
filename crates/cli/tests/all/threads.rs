//! What is told does not depend on how many threads there are: the same bytes, in text and in JSON.

use std::path::Path;
use std::process::Command;

/// With a passing run and without, with causes, with a proof of the smallest run, with the compiled program.
const EXAMPLES: [&str; 6] = ["minmax.c", "ring.c", "list.c", "freed.c", "kernel.c", "strings.c"];

fn told(example: &str, command: &str, format: &str, threads: &str) -> (Option<i32>, String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let output = Command::new(env!("CARGO_BIN_EXE_nearmiss"))
        .args([command, "--format", format, "--threads", threads, example])
        .current_dir(folder)
        .output()
        .expect("the tool starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_answer_does_not_depend_on_the_threads() {
    for example in EXAMPLES {
        for (command, format) in [("explain", "text"), ("explain", "json"), ("check", "json")] {
            let alone = told(example, command, format, "1");
            assert!(alone.1.len() > 100, "{example}: {alone:?}");
            for threads in ["2", "4"] {
                assert_eq!(told(example, command, format, threads), alone, "{example}: {command} --format {format}");
            }
        }
    }
}
