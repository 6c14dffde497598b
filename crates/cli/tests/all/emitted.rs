//! `--emit-tests`: what is written compiles and runs on its own, with the command in its first lines, and ends as it says.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Compiles and runs a test by the command that it names, in its own folder.
fn by_its_own_command(folder: &Path, name: &str) -> Output {
    let text = fs::read_to_string(folder.join(format!("{name}.c"))).expect("it was written");
    let command = text.lines().find_map(|line| line.strip_prefix(" *     ")).expect("it says how");
    Command::new("sh").arg("-c").arg(command).current_dir(folder).output().expect("there is a shell")
}

fn emit(arguments: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    let output = Command::new(env!("CARGO_BIN_EXE_nearmiss"))
        .arg("explain")
        .args(arguments)
        .args(["--no-native", "--hypotheses", "none", "--emit-tests"])
        .arg(folder.path())
        .current_dir(root())
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("compiled and run"), "{arguments:?}: {told}");
    folder
}

#[test]
fn tests_stand_alone() {
    let own_names = "cases/check/native_library_names/device.c";
    let null = &["--function", "length", "cases/check/null_argument/list.c"];
    for arguments in [&["examples/minmax.c"][..], &["examples/divide.c"], &["examples/semaphore.c"], &[own_names], null]
    {
        let folder = emit(arguments);
        let failing = by_its_own_command(folder.path(), "failing");
        assert!(!failing.status.success(), "{arguments:?}: {failing:?}");
        let passing = by_its_own_command(folder.path(), "passing");
        let told = String::from_utf8_lossy(&passing.stdout);
        assert!(told.contains("no claim was violated"), "{arguments:?}: {passing:?}");
        let failing = String::from_utf8_lossy(&failing.stdout);
        assert!(!failing.contains("no claim was violated"), "{arguments:?}: {failing}");
    }
}

#[test]
fn nothing_is_written_where_nothing_fails() {
    let folder = tempfile::tempdir().expect("there is room");
    let tests = folder.path().join("tests");
    let output = Command::new(env!("CARGO_BIN_EXE_nearmiss"))
        .args(["explain", "examples/correct/gcd.c", "--emit-tests"])
        .arg(&tests)
        .current_dir(root())
        .output()
        .expect("it runs");
    assert!(String::from_utf8_lossy(&output.stdout).contains("nothing was written"));
    assert!(!tests.exists());
}
