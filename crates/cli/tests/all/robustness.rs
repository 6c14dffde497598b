//! Whatever it is fed, the tool ends with an answer or a message, never with a panic, a crash or silence.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What came of a run.
struct Answer {
    code: i32,
    stdout: String,
    stderr: String,
}

/// Runs `nearmiss check` on files written into a folder of their own. The first file is the one that is checked.
fn check(files: &[(&str, &[u8])], flags: &[&str]) -> Answer {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("it can be written");
    }
    run(folder.path(), &[flags, &[files[0].0]].concat())
}

fn run(folder: &Path, arguments: &[&str]) -> Answer {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
    command.arg("check").args(["--timeout", "20", "--no-native"]).args(arguments);
    let output = command.current_dir(folder).stdin(Stdio::null()).output().expect("the tool starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().expect("no signal ends it");
    Answer { code, stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

/// The input is refused with a message.
fn refused(what: &str, answer: &Answer) {
    assert!(matches!(answer.code, 1 | 2), "{what}: exit code {}: {}", answer.code, answer.stderr);
    assert!(answer.stderr.contains("error"), "{what}: no message: {}", answer.stderr);
}

/// There is an answer, or the input is refused with a message.
fn survived(what: &str, answer: &Answer) {
    match answer.code {
        0 | 5 | 10 => assert!(!answer.stdout.is_empty(), "{what}: no answer"),
        1 => panic!("{what}: the command line is refused: {}", answer.stderr),
        _ => refused(what, answer),
    }
}

const PROGRAM: &str = "\
#include <assert.h>
int nondet_int(void);
struct pair { int left, right[2]; };
static int sum(struct pair *p) { return p->left + p->right[1]; }
int main(void)
{
    struct pair p = { nondet_int(), { 1, 2 } };
    char *text = \"a\\n\";
    for (int i = 0; i < 2; i++)
        p.right[i] += text[i] == 'a' ? 1 : 0;
    assert(sum(&p) != 7);
    return 0;
}
";

#[test]
fn truncated_files() {
    for end in (0..PROGRAM.len()).step_by(23) {
        survived(&format!("the first {end} bytes"), &check(&[("t.c", &PROGRAM.as_bytes()[..end])], &[]));
    }
}

#[test]
fn files_with_a_damaged_byte() {
    for at in (0..PROGRAM.len()).step_by(31) {
        let mut bytes = PROGRAM.as_bytes().to_vec();
        bytes[at] = [b'(', b'"', 0, 0xff, b'#'][at % 5];
        survived(&format!("byte {at} damaged"), &check(&[("t.c", &bytes)], &[]));
    }
}

#[test]
fn binary() {
    let mut state = 1u32;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(20_000)
    .collect();
    refused("random bytes", &check(&[("t.c", &bytes)], &[]));
    refused("an executable", &check(&[("t.c", b"\x7fELF\x02\x01\x01\0\0\0\0")], &[]));
}

#[test]
fn ten_thousand_parentheses() {
    let (open, close) = ("(".repeat(10_000), ")".repeat(10_000));
    survived("balanced", &check(&[("t.c", format!("int main(void) {{ return {open}1{close}; }}").as_bytes())], &[]));
    refused("open", &check(&[("t.c", format!("int main(void) {{ return {open}").as_bytes())], &[]));
    let (open, close) = ("{".repeat(10_000), "}".repeat(10_000));
    survived("blocks", &check(&[("t.c", format!("int main(void) {{ {open}{close} }}").as_bytes())], &[]));
}

#[test]
fn a_line_of_ten_megabytes() {
    let line = format!("int main(void) {{ return 0; }} /* {} */ x", "a".repeat(10 << 20));
    refused("a long line", &check(&[("t.c", line.as_bytes())], &[]));
}

#[test]
fn headers() {
    refused("missing", &check(&[("t.c", b"#include \"nowhere.h\"\nint main(void) { return 0; }\n")], &[]));
    let recursive: &[u8] = b"#include \"r.h\"\n";
    refused(
        "recursive",
        &check(&[("t.c", b"#include \"r.h\"\nint main(void) { return 0; }\n"), ("r.h", recursive)], &[]),
    );
    refused("itself", &check(&[("t.c", b"#include \"t.c\"\nint main(void) { return 0; }\n")], &[]));
}

#[test]
fn endless_executions() {
    let recursion = b"int f(int x) { return f(x + 1) + 1; } int main(void) { return f(0); }";
    survived("recursion", &check(&[("t.c", recursion)], &["--timeout", "3"]));
    let bounded = check(&[("t.c", recursion)], &["--unwind", "20", "--no-unwinding-assertions"]);
    survived("bounded recursion", &bounded);
    survived("a loop", &check(&[("t.c", b"int main(void) { for (;;) ; }")], &["--timeout", "3"]));
}

#[test]
fn very_large_objects() {
    let text =
        b"#include <stdlib.h>\nint main(void) { char *p = malloc(1ul << 40); if (p) p[1ul << 39] = 1; return 0; }";
    survived("malloc", &check(&[("t.c", text)], &["--timeout", "5"]));
    survived("a global", &check(&[("t.c", b"int a[1 << 28]; int main(void) { return a[3]; }")], &["--timeout", "5"]));
    survived("a local", &check(&[("t.c", b"int main(void) { char a[1ul << 35]; return a[3]; }")], &["--timeout", "5"]));
}

#[test]
fn nothing_to_run() {
    refused("empty", &check(&[("t.c", b"")], &[]));
    refused("no main", &check(&[("t.c", b"int f(void) { return 1; }\n")], &[]));
    refused("no such function", &check(&[("t.c", b"int main(void) { return 1; }\n")], &["--function", "f"]));
    refused("a declaration", &check(&[("t.c", b"int main(void);\n")], &[]));
}

#[test]
fn files_that_are_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    refused("a folder", &run(folder.path(), &["."]));
    refused("a missing file", &run(folder.path(), &["nowhere.c"]));
    refused("empty standard input", &run(folder.path(), &["-"]));
    refused("no file", &run(folder.path(), &[]));
    refused("an empty name", &run(folder.path(), &[""]));
}

#[test]
fn command_lines_that_are_wrong() {
    let program = PROGRAM.as_bytes();
    for flags in [
        &["--unwind", "x"][..],
        &["--unwind", "-1"],
        &["--unwindset", "main"],
        &["--minimise", "tiny"],
        &["--format", "pdf"],
        &["--dump", "dot"],
        &["--property", "main.assertion.99"],
        &["--nonsense"],
        &["--timeout", "never"],
        &["--memory", "0"],
    ] {
        let answer = check(&[("t.c", program)], flags);
        assert_eq!(answer.code, 1, "{flags:?}: {}{}", answer.stdout, answer.stderr);
        assert!(answer.stderr.contains("error"), "{flags:?}: no message");
    }
}

#[test]
fn nothing_that_is_read_is_overwritten() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = folder.path().join("failing.c");
    fs::write(&program, PROGRAM).expect("it can be written");
    std::os::unix::fs::symlink("failing.c", folder.path().join("link")).expect("it can be linked");
    for other in ["failing.c", "./failing.c", "link"] {
        let answer = run(folder.path(), &["failing.c", "-o", other]);
        assert_eq!(answer.code, 1, "{other}: {}{}", answer.stdout, answer.stderr);
    }
    let explain = Command::new(env!("CARGO_BIN_EXE_nearmiss"))
        .args(["explain", "failing.c", "--emit-tests", "."])
        .current_dir(folder.path())
        .output()
        .expect("the tool starts");
    assert_eq!(explain.status.code(), Some(10));
    assert!(String::from_utf8_lossy(&explain.stdout).contains("would be overwritten"));
    assert_eq!(fs::read_to_string(&program).expect("it is there"), PROGRAM);
}

#[test]
fn errors_as_json() {
    let answer = check(&[("t.c", b"int main(void) { return x; }\n")], &["--format", "json"]);
    assert_eq!(answer.code, 2);
    let object: serde_json::Value = serde_json::from_str(&answer.stdout).expect("it is JSON");
    assert_eq!(object["verdict"], "error");
    assert_eq!(object["errors"][0]["line"], 1);
    assert_eq!(object["errors"][0]["file"], "t.c");
}

/// A receiver of frames that fails in far more ways than there is time to describe.
const RECEIVER: &str = include_str!("receiver.c");

/// Starts `nearmiss focus` on the receiver; standard output is kept.
fn focus(folder: &Path, timeout: &str) -> std::process::Child {
    fs::write(folder.join("receiver.c"), RECEIVER).expect("it can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
    command.args(["focus", "--no-native", "--timeout", timeout, "receiver.c"]).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the tool starts")
}

#[test]
fn focus_tells_the_ways_found_so_far_when_the_time_is_over() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = focus(folder.path(), "2").wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(5), "{text}");
    assert!(text.starts_with("FAILS in at least"), "{text}");
    assert!(text.contains("not all ways are known"), "{text}");
}

#[test]
#[cfg(unix)]
fn focus_tells_the_ways_found_so_far_when_it_is_interrupted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let child = focus(folder.path(), "0");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(told.is_ok_and(|status| status.success()), "there is `kill`");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(5), "{text}");
    assert!(text.starts_with("FAILS in at least"), "{text}");
    assert!(text.contains("it was interrupted: not all ways are known"), "{text}");
}

/// Each branch needs a predicate of its own, and nearly every combination of branches is one that no run takes.
#[test]
fn refinement_without_end_tells_what_is_known() {
    let branches: String = (1..56).map(|step| format!("    if (x > {step})\n        y++;\n")).collect();
    let program = format!(
        "#include <assert.h>\nint nondet_int(void);\nint main(void)\n{{\n    int x = nondet_int(), y = 0;\n{branches}    assert(y < 30);\n}}\n"
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("stairs.c"), program).expect("it can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
    command.args(["explain", "--state", "predicates", "--metric", "ssa", "--hypotheses", "none", "--no-native"]);
    command.args(["--timeout", "3", "stairs.c"]);
    let output = command.current_dir(folder.path()).output().expect("the tool starts");
    let told = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(10), "{told}");
    assert!(told.contains("Predicates that describe the failure main: y < 30"), "{told}");
    let given_up = told.contains("time was over after") || told.contains("no more predicates were looked for");
    assert!(given_up && told.contains("; the last path that no run takes goes by the branches in lines"), "{told}");
}
