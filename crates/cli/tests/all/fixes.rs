//! `nearmiss fix`: what it writes into files, and that other programs take its patches and pages.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// The greater of two numbers for the least, with ends of lines and comments that must stay.
const LEAST: &str = "\
int least(int a, int b)\r
{\r
\treturn a > b ? a : b; /* as it is */\r
}\r
int main(void)\r
{\r
\tint a, b, found = least(a, b);\r
\t__CPROVER_assert(found <= a && found <= b, \"no more than either\");\r
\t__CPROVER_assert(found == a || found == b, \"one of them\");\r
}";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    fs::write(folder.path().join("least.c"), LEAST).expect("it can be written");
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
    command.arg("fix").args(arguments).arg("least.c").current_dir(folder).env_remove("CC");
    command
}

fn fix(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("it runs")
}

fn text(folder: &Path) -> String {
    fs::read_to_string(folder.join("least.c")).expect("it is there")
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The program does not fail any more, and differs in one line.
fn assert_fixed(folder: &Path) {
    let now = text(folder);
    let others = LEAST.lines().zip(now.lines()).filter(|(before, now)| before != now).count();
    assert_eq!((others, now.lines().count()), (1, LEAST.lines().count()), "{now}");
    assert_eq!(now.matches("\r\n").count(), LEAST.matches("\r\n").count());
    assert!(now.contains("/* as it is */") && !now.ends_with('\n'));
    assert_eq!(fix(folder, &["--no-native"]).status.code(), Some(0), "{now}");
}

#[test]
fn a_fix_is_written_into_its_file() {
    let folder = folder();
    let file = folder.path().join("least.c");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("it is ours");
    let output = fix(folder.path(), &["--apply", "1"]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("fix 1 was written into least.c"), "{output:?}");
    assert_fixed(folder.path());
    let mode = fs::metadata(&file).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1, "nothing else is left there");
}

#[test]
fn a_file_that_changed_meanwhile_is_left_alone() {
    let folder = folder();
    let compiler = folder.path().join("compiler");
    let script = "#!/bin/sh\nprintf '\\n/* changed */' >> least.c\nexec cc \"$@\"\n";
    fs::write(&compiler, script).expect("it can be written");
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let output = command(folder.path(), &["--apply", "1"]).env("CC", &compiler).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(error(&output).contains("least.c is not what was read any more; nothing was changed"), "{output:?}");
    let now = text(folder.path());
    assert!(now.starts_with(LEAST) && now.ends_with("/* changed */"), "{now}");
}

/// Nobody may write there, and root is told so by being somebody else.
#[test]
fn a_folder_that_cannot_be_written_stays() {
    const NOBODY: u32 = 65_534;
    let (tools, folder) = (tempfile::tempdir().expect("there is room"), folder());
    let program = tools.path().join("nearmiss");
    fs::copy(env!("CARGO_BIN_EXE_nearmiss"), &program).expect("there is room");
    fs::set_permissions(tools.path(), fs::Permissions::from_mode(0o755)).expect("it is ours");
    fs::set_permissions(folder.path().join("least.c"), fs::Permissions::from_mode(0o666)).expect("it is ours");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).expect("it is ours");
    let is_root = std::os::unix::fs::MetadataExt::uid(&fs::metadata(folder.path()).expect("it is there")) == 0;
    let mut command = Command::new(&program);
    command.args(["fix", "--no-native", "--apply", "1", "least.c"]).current_dir(folder.path());
    if is_root {
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = command.output().expect("it runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(error(&output).contains("--apply 1: least.c cannot be written: "), "{output:?}");
    assert_eq!(text(folder.path()), LEAST);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[test]
fn patch_and_git_take_a_patch() {
    for (tool, arguments) in [("patch", &["-p1", "--binary", "-i", "fix.patch"][..]), ("git", &["apply", "fix.patch"])]
    {
        let folder = folder();
        let output = fix(folder.path(), &["--no-native", "--format", "patch"]);
        assert_eq!(output.status.code(), Some(10), "{output:?}");
        fs::write(folder.path().join("fix.patch"), &output.stdout).expect("it can be written");
        let applied = Command::new(tool).args(arguments).current_dir(folder.path()).output();
        let Ok(applied) = applied else {
            crate::skip::skip("patches", tool);
            continue;
        };
        assert!(applied.status.success(), "{applied:?}\n{}", String::from_utf8_lossy(&output.stdout));
        assert_fixed(folder.path());
    }
}

/// What was put into the text to assume something is no part of the file.
#[test]
fn what_is_assumed_is_not_written() {
    let folder = folder();
    let assumed = ["--assume", "least.c:8: a > -5", "--assume", "least.c:3: b < 5"];
    let output = fix(folder.path(), &[&assumed[..], &["--no-native", "--apply", "1"]].concat());
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    assert_fixed(folder.path());
}

#[test]
fn headers_that_are_forced_are_not_written() {
    let folder = folder();
    fs::write(folder.path().join("forced.h"), "#define FORCED 1\n").expect("it can be written");
    let output = fix(folder.path(), &["--include", "forced.h", "--no-native", "--apply", "1"]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    assert_fixed(folder.path());
}

#[test]
fn a_page_shows_what_goes_and_what_comes() {
    let folder = folder();
    let output = fix(folder.path(), &["--format", "html"]);
    let page = String::from_utf8(output.stdout).expect("it is text");
    assert!(page.contains("<del>- \treturn a &gt; b ? a : b; /* as it is */</del>"), "{page}");
    assert!(page.contains("<ins>+ \treturn a &lt; b ? a : b; /* as it is */</ins>"), "{page}");
}
