//! Time and memory that were given are kept, in whichever phase the tool is, and what is told says so.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A second after the time given, and another one because the machine may be busy.
const LATE: Duration = Duration::from_secs(2);

fn nearmiss(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn told(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

/// Runs `check` with so many seconds; it must not take more than that, and must tell why it ended.
fn is_over_in_time(name: &str, text: &str, seconds: u64) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.c"), text).expect("it can be written");
    let started = Instant::now();
    let limit = seconds.to_string();
    let child = nearmiss(folder.path(), &["check", "--timeout", &limit, "a.c"]).spawn().expect("the tool starts");
    let (code, said) = told(child);
    let took = started.elapsed();
    assert!(took < Duration::from_secs(seconds) + LATE, "{name}: {took:?}");
    assert_eq!(code, Some(5), "{name}: {said}");
    assert!(said.contains(&format!("the time of {seconds} s was over")), "{name}: {said}");
    said
}

/// A macro that becomes 10^12 words.
fn bomb() -> String {
    let mut text = "#define A0 x+x+x+x+x+x+x+x+x+x\n".to_owned();
    for level in 1..12 {
        let parts = vec![format!("A{}", level - 1); 10];
        text += &format!("#define A{level} {}\n", parts.join("+"));
    }
    text + "int x;\nint main(void) { return A11; }\n"
}

fn straight_lines(count: u32) -> String {
    let lines: String = (0..count).map(|n| format!("s = s * {}u + (s >> {});\n", n % 7 + 3, n % 5 + 1)).collect();
    format!(
        "unsigned nondet_uint(void);\nint main(void) {{ unsigned s = nondet_uint();\n{lines}__CPROVER_assert(s != 7, \"\"); }}\n"
    )
}

/// The other claims take all the time that they get. They get half of what is left.
#[test]
fn a_failure_is_explained_though_other_claims_are_hard() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "unsigned long nondet_ulong(void);\nint nondet_int(void);\nint main(void) {\n\
                unsigned long a = nondet_ulong(), b = nondet_ulong();\n\
                unsigned __int128 p = (unsigned __int128)a * b;\nint r = nondet_int();\n\
                __CPROVER_assert(r < 120, \"\");\n__CPROVER_assert((p >> 64) < a || a == 0, \"\"); }\n";
    fs::write(folder.path().join("a.c"), text).expect("it can be written");
    let child = nearmiss(folder.path(), &["explain", "--timeout", "8", "a.c"]).spawn().expect("the tool starts");
    let (code, said) = told(child);
    assert_eq!(code, Some(10), "{said}");
    assert!(said.contains("It passes with") && !said.contains("the time of 8 s was over"), "{said}");
    assert!(said.contains("main.assertion.2 waits for the solver"), "{said}");
}

/// What is to blame is found first; it was not among the fixes where the search for others took all the time.
#[test]
fn undoing_a_change_is_a_fix_though_time_is_over() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines: String = (1..13).map(|k| format!("x = (x ^ (y + {k}u)) + 9u;\ny = y + (x >> {k});\n")).collect();
    let text = |is_new: bool| {
        let compares = if is_new { "a > 10u" } else { "a >= 10u" };
        format!(
            "unsigned digest(unsigned a) {{\nunsigned x = 1, y = 2;\nfor (int i = 0; i < 2000; i++) {{\n{lines}}}\n\
             if ({compares})\nreturn x;\nreturn y;\n}}\n"
        )
    };
    fs::write(folder.path().join("new.c"), text(true)).expect("it can be written");
    fs::write(folder.path().join("old.c"), text(false)).expect("it can be written");
    let arguments = "fix --timeout 7 --minimise none --no-native --function digest --reference old.c new.c";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let child = nearmiss(folder.path(), &arguments).spawn().expect("the tool starts");
    let (code, said) = told(child);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("the time of 7 s was over"), "{said}");
    assert!(said.contains("+ if (a >= 10u)") && said.contains("undoes the change to blame"), "{said}");
}

#[test]
fn reading_ends_in_time() {
    is_over_in_time("a macro", &bomb(), 1);
    is_over_in_time("100,000 lines", &straight_lines(100_000), 2);
}

#[test]
fn unwinding_and_solving_end_in_time() {
    let long = "int nondet_int(void);\nint main(void) { unsigned n = nondet_int(), s = 0;\n\
                for (unsigned i = 0; i < 100000000u; i++) { if (nondet_int()) s += i * s; else s *= n; }\n\
                __CPROVER_assert(s != 77777, \"\"); }\n";
    is_over_in_time("a long loop", long, 3);
    let hard = "unsigned long nondet_ulong(void);\nint main(void) { unsigned long a = nondet_ulong(), b = nondet_ulong();\n\
                __CPROVER_assume(a > 1 && b > 1 && a < (1ul << 31) && b < (1ul << 31));\n\
                __CPROVER_assert(a * b != 2305843009213693951ul, \"\"); }\n";
    let said = is_over_in_time("a product", hard, 1);
    assert!(said.contains("open: main.assertion.1 (a.c:4)") && said.contains("waiting for the solver"), "{said}");
}

#[test]
fn a_compiler_that_hangs_ends_in_time() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let compiler = folder.path().join("cc");
    fs::write(&compiler, "#!/bin/sh\nsleep 100\n").expect("it can be written");
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("it can be executed");
    let text = "int nondet_int(void);\nint main(void) { int x = nondet_int(); __CPROVER_assert(x != 7, \"\"); }\n";
    fs::write(folder.path().join("a.c"), text).expect("it can be written");
    let started = Instant::now();
    let mut command = nearmiss(folder.path(), &["check", "--timeout", "1", "a.c"]);
    let (code, said) = told(command.env("CC", &compiler).spawn().expect("the tool starts"));
    assert!(started.elapsed() < Duration::from_secs(1) + LATE, "{:?}", started.elapsed());
    assert_eq!(code, Some(10), "{said}");
    assert!(said.contains("there was no time left for the compiler"), "{said}");
}

#[test]
fn an_interrupt_ends_what_does_not_listen() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.c"), bomb()).expect("it can be written");
    let child = nearmiss(folder.path(), &["check", "--timeout", "0", "a.c"]).spawn().expect("the tool starts");
    std::thread::sleep(Duration::from_secs(1));
    let interrupted = Instant::now();
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "there is `kill`");
    let (code, said) = told(child);
    assert!(interrupted.elapsed() < LATE, "{:?}", interrupted.elapsed());
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("it was interrupted while reading"), "{said}");
}

#[test]
fn memory_is_kept_within_a_tenth() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.c"), bomb()).expect("it can be written");
    let arguments = ["check", "--timeout", "60", "--memory", "300", "a.c"];
    let mut child = nearmiss(folder.path(), &arguments).spawn().expect("the tool starts");
    let mut most = 0;
    while child.try_wait().expect("it is there").is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        most = line.and_then(|kilobytes| kilobytes.trim().parse().ok()).unwrap_or(most);
        std::thread::sleep(Duration::from_millis(5));
    }
    let (code, said) = told(child);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("the memory of 300 MB was used up (--memory)"), "{said}");
    assert!((270 << 10..=330 << 10).contains(&most), "{} MB", most >> 10);
}

#[test]
fn nobody_who_has_gone_away_is_missed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.c"), "int main(void) { return 0; }\n").expect("it can be written");
    let gone = || {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        writer
    };
    let rows: [(&[&str], i32); 3] = [(&["missing.c"], 2), (&["a.c", "--stats"], 0), (&["a.c", "--format", "json"], 0)];
    for (arguments, code) in rows {
        let mut command = nearmiss(folder.path(), &["check"]);
        let status = command.args(arguments).stdout(gone()).stderr(gone()).status().expect("the tool starts");
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}
