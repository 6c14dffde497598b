//! Suites as teams use them: what has not changed is not done again; whoever is killed, nothing is lost and nothing is told
//! twice; bad ends of tasks are results; and a plan that others perform gives what a local run gives.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::driver::{Browser, run};
use crate::skip::skip;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder with a manifest.
struct Suite {
    folder: TempDir,
}

impl Suite {
    fn new() -> Suite {
        Suite { folder: TempDir::new().expect("there is room") }
    }

    /// So many small programs that hold, with a manifest that names them.
    fn of(programs: usize) -> Suite {
        let suite = Suite::new();
        suite.file("shared.h", "#define LIMIT 9\n");
        for number in 0..programs {
            suite.file(&format!("p/{number:03}.c"), &program(number));
        }
        suite.file("suite.yml", "defaults: {command: check, flags: --no-native}\ntasks: [p]\n");
        suite
    }

    fn file(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("folders can be made");
        fs::write(path, text).expect("files can be written");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
        command.args(["suite", "suite.yml"]).args(more).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, more: &[&str]) -> Run {
        Run::of(self.command(more).output().expect("the tool starts"))
    }

    /// The answer as JSON.
    fn answer(&self) -> Value {
        let text = fs::read_to_string(self.path(".nearmiss/suite.json")).expect("there is an answer");
        serde_json::from_str(&text).expect("it is JSON")
    }

    /// How many results are kept.
    fn results(&self) -> usize {
        let entries = fs::read_dir(self.path(".nearmiss/tasks")).into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".json")).count()
    }
}

fn program(number: usize) -> String {
    format!(
        "#include \"../shared.h\"\nint main(void) {{ unsigned char x; int y = x % LIMIT; __CPROVER_assert(y < 9, \"{number}\"); }}\n"
    )
}

#[test]
fn the_index_page_shows_what_is_asked_for() {
    run(&[("the index of a suite", index_of_a_suite)]);
}

fn index_of_a_suite(browser: &mut Browser) {
    let suite = Suite::of(3);
    suite.file("p/001.c", "int main(void) { unsigned char x; __CPROVER_assert(x < 255, \"<b>\"); }\n");
    assert_eq!(suite.run(&[]).code, Some(10));
    browser.open(&suite.path(".nearmiss/index.html"));
    let rows = "[...document.querySelectorAll('tr.task')].filter((row) => !row.hidden).length";
    assert_eq!(browser.number(rows), 3.0);
    browser.click_on("[data-show=other]");
    assert_eq!(browser.number(rows), 1.0);
    browser.click_on("[data-show='']");
    browser.eval("document.getElementById('wanted').value = '002'; document.getElementById('wanted').dispatchEvent(new Event('input'))");
    assert_eq!(browser.number(rows), 1.0);
    assert_eq!(browser.number("document.querySelectorAll('details[open]').length"), 0.0);
    browser.eval("document.getElementById('wanted').value = ''; document.getElementById('wanted').dispatchEvent(new Event('input'))");
    browser.click_on("a[href='#t1']");
    let explained = "document.querySelector('details[open] pre').innerText";
    assert!(browser.text(explained).starts_with("FAILS"));
    assert_eq!(browser.number("document.querySelectorAll('pre b').length"), 0.0);
}

/// How a run ended.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    told: String,
    said: String,
}

impl Run {
    fn of(output: Output) -> Run {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Run { code: output.status.code(), told: text(&output.stdout), said: text(&output.stderr) }
    }

    /// The names of tasks that were told as they came.
    fn done(&self) -> Vec<String> {
        let lines = self.said.lines().filter(|line| line.starts_with('['));
        let name = |line: &str| line.split_whitespace().find(|word| word.ends_with(".c:")).map(str::to_owned);
        lines.filter_map(name).collect()
    }
}

/// Processes that a process has started.
fn children(id: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>()).collect()
}

fn kill(id: u32, signal: &str) {
    // It may have ended by itself.
    let _ = Command::new("kill").args([signal, &id.to_string()]).stderr(Stdio::null()).status();
}

fn is_running(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim_start().starts_with('Z'))
}

fn wait_until(what: &str, mut is: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn finish(child: Child) -> Run {
    Run::of(child.wait_with_output().expect("it ends"))
}

#[test]
fn what_has_not_changed_is_not_done_again() {
    let suite = Suite::of(6);
    let first = suite.run(&[]);
    assert_eq!((first.code, first.done().len(), suite.results()), (Some(0), 6, 6), "{first:?}");
    let second = suite.run(&[]);
    assert_eq!((second.code, second.done().len()), (Some(0), 0), "{second:?}");
    assert_eq!(first.told, second.told);

    // One file changes: that one is done. It is put back: nothing is.
    suite.file("p/003.c", "int main(void) { unsigned char x; __CPROVER_assert(x < 255, \"\"); }\n");
    let third = suite.run(&[]);
    assert_eq!((third.code, third.done()), (Some(10), vec!["p/003.c:".to_owned()]), "{third:?}");
    suite.file("p/003.c", &program(3));
    assert_eq!(suite.run(&[]).done().len(), 0);

    // A header changes: all that include it are done, and fail.
    suite.file("shared.h", "#define LIMIT 10\n");
    let fourth = suite.run(&[]);
    assert_eq!((fourth.code, fourth.done().len()), (Some(10), 6), "{fourth:?}");

    // A header appears where it was looked for before another one was found.
    suite.file("p/include/extra.h", "#define MORE 1\n");
    suite.file("p/000.c", "#include \"extra.h\"\nint main(void) { __CPROVER_assert(MORE, \"\"); }\n");
    suite.file("suite.yml", "defaults: {command: check, flags: --no-native -I p/include}\ntasks: [p/000.c]\n");
    assert_eq!(suite.run(&[]).code, Some(0));
    suite.file("p/extra.h", "#define MORE 0\n");
    assert_eq!(suite.run(&[]).code, Some(10), "the nearer header counts");

    // Other flags are another question; another expectation is not.
    suite.file(
        "suite.yml",
        "defaults: {command: check, expected: fails, flags: --no-native -I p/include}\ntasks: [p/000.c]\n",
    );
    let expected = suite.run(&[]);
    assert_eq!((expected.code, expected.done().len()), (Some(0), 0), "{expected:?}");
    assert_eq!(suite.run(&["--again", "all"]).done().len(), 1);
    assert_eq!(suite.run(&["--again", "undecided"]).done().len(), 0);
}

#[test]
fn a_damaged_result_is_none() {
    let suite = Suite::of(2);
    suite.run(&[]);
    for entry in fs::read_dir(suite.path(".nearmiss/tasks")).expect("it is there").flatten() {
        let text = fs::read_to_string(entry.path()).expect("it is text");
        fs::write(entry.path(), &text[..text.len() / 2]).expect("it can be written");
    }
    let again = suite.run(&[]);
    assert_eq!((again.code, again.done().len()), (Some(0), 2), "{again:?}");
}

#[test]
fn a_killed_suite_goes_on_where_it_was() {
    let suite = Suite::of(40);
    let mut child = suite.command(&["--jobs", "2"]).spawn().expect("the tool starts");
    wait_until("some tasks are done", || suite.results() >= 5);
    let tasks = children(child.id());
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    wait_until("tasks end with their suite", || !tasks.iter().any(|id| is_running(*id)));
    let before = suite.results();
    assert!((5..40).contains(&before), "{before} were done");
    let rest = suite.run(&["--jobs", "2"]);
    assert_eq!((rest.code, rest.done().len()), (Some(0), 40 - before), "{rest:?}");
    assert_eq!((suite.answer()["counts"]["holds"].clone(), suite.results()), (40.into(), 40));
}

#[test]
fn of_killed_workers_nothing_is_lost_and_nothing_told_twice() {
    let suite = Suite::of(40);
    let child = suite.command(&["--jobs", "2"]).spawn().expect("the tool starts");
    let id = child.id();
    let killer = thread::spawn(move || {
        let mut killed = 0;
        let mut seed: u32 = 1;
        while is_running(id) {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            thread::sleep(Duration::from_millis(u64::from(seed >> 16) % 120));
            if let Some(task) = children(id).first() {
                kill(*task, if seed & (1 << 20) == 0 { "-KILL" } else { "-TERM" });
                killed += 1;
            }
        }
        killed
    });
    let run = finish(child);
    let killed = killer.join().expect("it ends");
    assert!(killed > 0, "somebody was killed");
    let mut done = run.done();
    done.sort();
    let all: Vec<String> = (0..40).map(|number| format!("p/{number:03}.c:")).collect();
    assert_eq!(done, all, "{killed} were killed: {run:?}");
    // Who is killed time and again is told to be so; everybody else holds.
    let answer = suite.answer();
    let tasks = answer["tasks"].as_array().expect("there are tasks");
    assert!(tasks.iter().all(|task| task["verdict"] == "holds" || task["why"] == "killed"), "{answer:#}");
    assert_eq!(suite.run(&["--again", "undecided"]).code, Some(0));
}

#[test]
fn an_interrupted_suite_keeps_what_is_done() {
    let suite = Suite::of(40);
    let child = suite.command(&["--jobs", "2"]).spawn().expect("the tool starts");
    wait_until("some tasks are done", || suite.results() >= 3);
    kill(child.id(), "-INT");
    let run = finish(child);
    assert_eq!(run.code, Some(5), "{run:?}");
    assert!(run.told.contains("have not been done") && run.said.contains("interrupted"), "{run:?}");
    let before = suite.results();
    assert_eq!(suite.answer()["counts"]["missing"], 40 - before);
    let rest = suite.run(&[]);
    assert_eq!((rest.code, rest.done().len()), (Some(0), 40 - before), "{rest:?}");
}

#[test]
fn a_wrong_manifest_is_told_whole_and_nothing_is_done() {
    let suite = Suite::of(2);
    let text = "defaults: {flags: --unwid 3}\ntasks:\n  - p/000.c\n  - {files: nowhere.c}\n  - {files: p/001.c, expected: false}\n";
    suite.file("suite.yml", text);
    let run = suite.run(&[]);
    assert_eq!((run.code, run.told.as_str()), (Some(2), ""), "{run:?}");
    // What is wrong with the words comes first: without them nothing can be looked up.
    assert!(run.said.starts_with("suite.yml:5:32: error: `expected` is one of"), "{run:?}");
    suite.file("suite.yml", &text.replace("false", "fails"));
    let run = suite.run(&[]);
    let lines: Vec<&str> = run.said.lines().filter(|line| line.contains(": error: ")).collect();
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(
        lines.len() == 2 && lines[0].starts_with("suite.yml:1:19:") && lines[1].starts_with("suite.yml:4:13:"),
        "{run:?}"
    );
    assert!(!suite.path(".nearmiss").exists());
    let other =
        Command::new(env!("CARGO_BIN_EXE_nearmiss")).args(["suite", "nowhere.yml"]).output().expect("it starts");
    assert_eq!(other.status.code(), Some(2));
}

#[test]
fn bad_ends_of_tasks_are_results() {
    let suite = Suite::of(1);
    suite.file("broken.c", "int main(void) { return }\n");
    suite.file("missing.c", "#include \"nowhere.h\"\nint main(void) { return 0; }\n");
    suite.file(
        "long.c",
        "unsigned a, b, c; int main(void) { unsigned n; for (unsigned i = 0; i < n; i++) a = a * a + b, b = b * c + i; \
         __CPROVER_assert(a * b != 12345 + c * c, \"\"); }\n",
    );
    suite.file(
        "suite.yml",
        "defaults: {command: check, flags: --no-native}\ntasks:\n  - p/000.c\n  - broken.c\n  - missing.c\n  \
         - {files: long.c, timeout: 0.5}\n  - {files: long.c, name: small, flags: --memory 20}\n",
    );
    let run = suite.run(&[]);
    assert_eq!(run.code, Some(5), "{run:?}");
    let answer = suite.answer();
    let why: BTreeMap<&str, &str> = (answer["tasks"].as_array().expect("there are tasks").iter())
        .map(|task| (task["name"].as_str().unwrap_or_default(), task["why"].as_str().unwrap_or("null")))
        .collect();
    let expected = [
        ("p/000.c", "null"),
        ("broken.c", "unreadable"),
        ("missing.c", "unreadable"),
        ("long.c", "time"),
        ("small", "memory"),
    ];
    assert_eq!(why, expected.into_iter().collect(), "{answer:#}");
    // A header that was looked for and is there now.
    suite.file("nowhere.h", "");
    let again = suite.run(&[]);
    assert_eq!(again.done(), ["missing.c:"], "{again:?}");
}

#[test]
fn a_task_that_hangs_is_ended() {
    let suite = Suite::of(2);
    suite.file("suite.yml", "defaults: {command: check, flags: --no-native, timeout: 1}\ntasks: [p]\n");
    let child = suite.command(&["--jobs", "1"]).spawn().expect("the tool starts");
    let mut stopped = Vec::new();
    wait_until("a task is stopped", || {
        stopped = children(child.id());
        stopped.iter().for_each(|id| kill(*id, "-STOP"));
        !stopped.is_empty()
    });
    let run = finish(child);
    let answer = suite.answer();
    let tasks = answer["tasks"].as_array().expect("there are tasks");
    assert!(tasks.iter().any(|task| task["why"] == "time"), "{run:?}");
    assert!(!stopped.iter().any(|id| is_running(*id)));
}

#[test]
fn a_plan_that_others_perform_gives_what_a_local_run_gives() {
    let suite = Suite::of(5);
    suite.file("p/002.c", "int main(void) { unsigned char x; __CPROVER_assert(x < 255, \"\"); }\n");
    let local = suite.run(&["--results", "local"]);
    let plan = suite.run(&["--plan", "--results", "apart"]);
    assert_eq!(plan.told.lines().count(), 5, "{plan:?}");
    assert!(!suite.path("apart").exists(), "a plan does nothing");
    fs::create_dir_all(suite.path("apart/tasks")).expect("folders can be made");
    for line in plan.told.lines() {
        let result = perform(line);
        assert_eq!(result.code, Some(0), "{result:?}");
        let value: Value = serde_json::from_str(&result.told).expect("it is JSON");
        let key = value["key"].as_str().expect("it has a key");
        let planned: Value = serde_json::from_str(line).expect("it is JSON");
        assert_eq!((planned["key"].as_str(), planned["kept"].as_bool()), (Some(key), Some(false)));
        fs::write(suite.path(&format!("apart/tasks/{key}.json")), &result.told).expect("it can be written");
        let name = format!("local/tasks/{key}.json");
        let mut own: Value = serde_json::from_slice(&fs::read(suite.path(&name)).expect("it is there")).expect("JSON");
        own["seconds"] = value["seconds"].clone();
        assert_eq!(own, value);
    }
    let collected = suite.run(&["--collect", "--results", "apart"]);
    assert_eq!((local.code, collected.code), (Some(10), Some(10)));
    assert_eq!(local.told.replace("local/", "apart/"), collected.told);
    for report in ["index.html", "suite.sarif", "suite.csv", "suite.json"] {
        let [one, other] =
            ["local", "apart"].map(|folder| fs::read_to_string(suite.path(&format!("{folder}/{report}"))));
        assert_eq!(one.expect("it is there"), other.expect("it is there"), "{report}");
    }
    let kept = suite.run(&["--plan", "--results", "apart"]);
    assert!(kept.told.lines().all(|line| line.contains("\"kept\":true")), "{kept:?}");
    for line in ["", "{}", &plan.told.lines().next().expect("a line").replace("\"tool\":\"", "\"tool\":\"0")] {
        assert_eq!(perform(line).code, Some(2), "{line}");
    }
}

fn perform(line: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
    command.args(["suite", "--perform"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the tool starts");
    child.stdin.take().expect("a pipe").write_all(line.as_bytes()).expect("it reads");
    finish(child)
}

#[test]
fn only_what_reads_a_changed_file_is_done() {
    let suite = Suite::of(3);
    suite.file("p/000.c", "#include \"own.h\"\nint main(void) { __CPROVER_assert(ONE, \"\"); }\n");
    suite.file("p/own.h", "#define ONE 1\n");
    let told = |more: &[&str]| suite.run(more).said;
    assert!(suite.run(&["--changed", "p/own.h"]).done() == ["p/000.c:"]);
    assert_eq!(suite.run(&["--changed", "README", "p/gone.c"]).done().len(), 0);
    assert_eq!(suite.run(&["--changed"]).code, Some(0));
    let all = suite.run(&["--changed", "shared.h"]);
    assert_eq!(all.done().len(), 2, "{all:?}");
    assert!(told(&["--changed", "suite.yml"]).contains("nothing has changed"), "the manifest is for all");

    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=x", "-c", "user.email=x", "-c", "init.defaultBranch=main"]).args(arguments);
        command.current_dir(suite.folder.path()).output()
    };
    if git(&["init", "-q"]).is_err() {
        return skip("suites since a revision", "git");
    }
    for arguments in [&["add", "p", "shared.h", "suite.yml"][..], &["commit", "-q", "-m", "first"]] {
        assert!(git(arguments).is_ok_and(|output| output.status.success()));
    }
    assert_eq!(suite.run(&["--since", "HEAD", "--again", "all"]).done().len(), 0);
    suite.file("p/own.h", "#define ONE 0\n");
    let since = suite.run(&["--since", "HEAD"]);
    assert_eq!((since.code, since.done()), (Some(10), vec!["p/000.c:".to_owned()]), "{since:?}");
    assert_eq!(suite.run(&["--since", "nowhere"]).code, Some(1));
}

#[test]
fn tasks_that_ask_the_same_are_done_once() {
    let suite = Suite::of(1);
    suite.file(
        "suite.yml",
        "defaults: {command: check, flags: --no-native}\ntasks: [p/000.c, {files: p/000.c, name: again.c, expected: fails}]\n",
    );
    let run = suite.run(&[]);
    assert_eq!((run.code, suite.results()), (Some(10), 1), "{run:?}");
    assert_eq!(suite.answer()["counts"]["holds"], 2);
}

#[test]
fn results_that_cannot_be_kept_are_told() {
    let suite = Suite::of(2);
    suite.file("taken", "");
    let run = suite.run(&["--results", "taken"]);
    assert!(run.code == Some(2) && run.said.contains("--results DIR"), "{run:?}");
    assert_eq!(run.done().len(), 0, "nothing is done");
    // A disk on which no file of more than 512 bytes has room.
    let tool = env!("CARGO_BIN_EXE_nearmiss");
    let script = format!("trap '' XFSZ; ulimit -f 1; exec {tool} suite suite.yml");
    let output = Command::new("sh").args(["-c", &script]).current_dir(suite.folder.path()).output().expect("it starts");
    let run = Run::of(output);
    assert!(run.code == Some(2) && run.said.contains("is not kept") && run.told.contains("2 tasks: 2 hold"), "{run:?}");
    assert_eq!(suite.results(), 0);
    let again = suite.run(&[]);
    assert_eq!((again.code, again.done().len()), (Some(0), 2), "{again:?}");
    let left_over = fs::read_dir(suite.path(".nearmiss/tasks")).expect("it is there").flatten();
    assert_eq!(left_over.count(), 2, "nothing unfinished is left");
}

#[test]
fn reports_are_well_formed() {
    let suite = Suite::of(1);
    suite.file("bad <&>.c", "int main(void) { unsigned char x; __CPROVER_assert(x < 255, \"</script>\"); }\n");
    let tasks = "[p, '*.c', {files: p/000.c, name: odd.c, expected: fails}, {files: 'bad <&>.c', name: known.c, expected: fails}]";
    suite.file("suite.yml", &format!("defaults: {{flags: --no-native}}\ntasks: {tasks}\n"));
    let here = Path::new(env!("CARGO_BIN_EXE_nearmiss"));
    let folder = suite.folder.path();
    let mut command = Command::new(here);
    command.args(["suite", &format!("{}/suite.yml", folder.file_name().expect("a name").to_string_lossy())]);
    let run = Run::of(command.current_dir(folder.parent().expect("a folder")).output().expect("the tool starts"));
    assert_eq!(run.code, Some(10), "{run:?}");
    let read = |name: &str| fs::read_to_string(suite.path(".nearmiss").join(name)).expect("it is there");
    let log: Value = serde_json::from_str(&read("suite.sarif")).expect("it is JSON");
    let results = log["runs"][0]["results"].as_array().expect("there are results");
    let uri = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
    assert_eq!((results.len(), uri.as_str()), (3, Some(&*format!("{name}/bad%20%3C&%3E.c").replace('&', "%26"))));
    assert_eq!(crate::sarif::errors(&log), [""; 0]);
    assert_eq!(read("suite.csv").lines().count(), 5);
    let junit = read("junit.xml");
    assert!(
        junit.contains("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"0\"")
            && junit.contains("bad &lt;&amp;&gt;.c")
    );
    let page = read("index.html");
    assert!(page.contains("bad &lt;&amp;&gt;.c") && !page.contains("</script>\"") && page.contains("The passing run"));
    assert!(!read("suite.json").contains("seconds"), "only JUnit has times");
}
