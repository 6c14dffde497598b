//! A program that is replayed cannot act: `attempts.c` tries many ways out. Most must succeed when they are run as they are, or
//! the test would show nothing, and none when it is run as replays are. A kernel without Landlock has no sandbox to test.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use tempfile::TempDir;

const GOT_OUT: i32 = 42;
const REFUSED: i32 = 43;
/// The exit code of a sandbox that could not be set up.
const NOT_SET_UP: i32 = 125;
/// The signals by which the system refuses: a forbidden call, a file that is too large.
const STOPPED: [i32; 2] = [31, 25];

/// Where an attempt takes place: a folder of its own, and one of somebody else's.
struct Place {
    own: TempDir,
    others: TempDir,
}

impl Place {
    fn new() -> Place {
        let (own, others) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(others.path().join("secret"), "secret").unwrap();
        fs::create_dir(others.path().join("empty")).unwrap();
        Place { own, others }
    }

    /// Runs a command that finds an open file of somebody else's as number 9.
    fn run(&self, attempt: &str, words: &[&Path]) -> ExitStatus {
        let mut command = Command::new("sh");
        command.arg("-c").arg("exec 9>\"$OUT/inherited\"; exec \"$@\"").arg("sh").args(words);
        command.env("ATTEMPT", attempt).env("OUT", self.others.path()).current_dir(self.own.path());
        command.stdin(std::process::Stdio::null());
        command.status().unwrap()
    }

    /// What is in the folder of somebody else's.
    fn contents(&self) -> Vec<(PathBuf, u64, std::time::SystemTime)> {
        let mut found: Vec<_> = fs::read_dir(self.others.path())
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let data = entry.metadata().unwrap();
                (entry.path(), data.len(), data.modified().unwrap())
            })
            .filter(|(path, ..)| !path.ends_with("inherited"))
            .collect();
        found.sort();
        found
    }
}

/// The compiled attempts, and their names.
fn attempts(folder: &Path) -> (PathBuf, Vec<String>) {
    let program = folder.join("attempts");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/attempts.c");
    let made = Command::new("cc").arg("-w").arg(source).arg("-o").arg(&program).arg("-pthread").status().unwrap();
    assert!(made.success());
    let listed = Command::new(&program).output().unwrap();
    let names = String::from_utf8(listed.stdout).unwrap().lines().map(str::to_owned).collect();
    (program, names)
}

#[test]
fn no_way_leads_out_of_the_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let (program, names) = attempts(folder.path());
    assert!(names.len() >= 40);
    let nearmiss = Path::new(env!("CARGO_BIN_EXE_nearmiss"));
    let (mut wrong, mut closed) = (Vec::new(), Vec::new());
    for name in &names {
        let free = Place::new();
        if free.run(name, &[&program]).code() != Some(GOT_OUT) {
            closed.push(name);
        }
        let place = Place::new();
        let before = place.contents();
        let words = ["__confined", "whole", "plain"].map(Path::new);
        let words = [&[nearmiss], &words[..], &[place.own.path(), &program]].concat();
        let ended = place.run(name, &words);
        if ended.code() == Some(NOT_SET_UP) {
            eprintln!("SKIPPED: this kernel has no sandbox");
            return;
        }
        if ended.code() != Some(REFUSED) && !ended.signal().is_some_and(|signal| STOPPED.contains(&signal)) {
            wrong.push(format!("{name}: is not refused: {ended}"));
        }
        if place.contents() != before {
            wrong.push(format!("{name}: has changed what is not its own"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Some machines close some ways by themselves.
    assert!(
        names.len() - closed.len() >= 40,
        "these show nothing, as they do not get out without a sandbox: {closed:?}"
    );
}

#[test]
fn a_program_works_in_its_own_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("own.c"), folder.path().join("own"));
    let text = "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\nint main(void) { FILE *f = fopen(\"mine\", \"w\");\n\
                if (!f || fputs(\"x\", f) < 0 || fclose(f) || rename(\"mine\", \"yours\") || remove(\"yours\")) return 1;\n\
                char *p = malloc(1 << 26); if (!p || time(0) < 0) return 2; p[1 << 25] = 1; free(p); abort(); }\n";
    fs::write(&source, text).unwrap();
    let flags = ["-g", "-fsanitize=address,undefined"];
    for (flags, build) in [(&flags[..0], "plain"), (&flags[..], "sanitized")] {
        let made = Command::new("cc").args(flags).arg(&source).arg("-o").arg(&program).status().unwrap();
        assert!(made.success());
        let place = Place::new();
        let words = [env!("CARGO_BIN_EXE_nearmiss"), "__confined", "whole", build].map(Path::new);
        let ended = place.run("", &[&words[..], &[place.own.path(), &program]].concat());
        let is_there = ended.code() != Some(NOT_SET_UP);
        assert!(!is_there || ended.signal() == Some(6), "{build}: {ended}");
    }
}
