//! Models of hardware: the same inputs, formulas, drivers of what a waveform shows, and the Verilog simulated by somebody else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The examples' folder.
fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hardware")
}

/// A folder of its own with one of the examples.
fn folder(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    for ending in ["v", "btor2"] {
        let file = format!("{name}.{ending}");
        fs::copy(examples().join(&file), folder.path().join(&file)).expect("it can be copied");
    }
    folder
}

fn nearmiss(folder: &Path, arguments: &[&str]) -> Output {
    let tool = Command::new(env!("CARGO_BIN_EXE_nearmiss")).args(arguments).current_dir(folder).output();
    tool.expect("it runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn has_icarus() -> bool {
    Command::new("iverilog").arg("-V").output().is_ok()
}

#[test]
fn values_that_save_the_run_with_its_inputs_are_told() {
    let folder = folder("fifo");
    let arguments = ["explain", "fifo.btor2", "--fixed-inputs", "--no-native", "--format", "json"];
    let found = json(&nearmiss(folder.path(), &arguments))["same_inputs"].clone();
    assert_eq!(found["complete"], true);
    let savings = found["savings"].as_array().expect("some are found");
    let told = |signal: &str, cycle: u64| {
        savings.iter().find(|saving| saving["signal"] == signal && saving["cycle"] == cycle).cloned()
    };
    // Five go in, and none of them must be missing: had any not, or had one come out, the last would have fitted.
    for cycle in 0..5 {
        let saving = told("do_push", cycle).expect("one push less");
        assert_eq!((&saving["failing"], &saving["passing"], &saving["line"]), (&"1".into(), &"0".into(), &20.into()));
        assert_eq!(told("do_pop", cycle).expect("one pop more")["passing"], "1");
        assert_eq!(told("full", cycle).expect("it refuses one")["passing"], "1");
        // A pop of an empty queue is none: `empty` does nothing without `pop`.
        assert!(told("empty", cycle).is_none());
    }
    assert!(told("full", 5).is_none(), "too late");
    let saving = told("count", 5).expect("it is what is claimed");
    assert_eq!((&saving["failing"], &saving["passing"]), (&"5".into(), &"4".into()));
}

/// A queue of one: what goes in comes out, if `get` comes again and again; with the bug, an item may be put back for ever.
const AGAIN: &str = "\
1 sort bitvec 1
2 input 1 put
3 input 1 get
4 state 1 held
5 zero 1
6 init 1 4 5
7 not 1 4
8 and 1 2 7 enters
9 and 1 3 4 leaves
10 ite 1 9 2 4
11 ite 1 8 8 10
12 next 1 4 11
13 justice 1 4
14 fair 3
";

#[test]
fn what_must_not_go_on_for_ever_is_found_as_a_lasso() {
    let folder = tempfile::tempdir().expect("there is room");
    fs::write(folder.path().join("again.btor2"), AGAIN).expect("it can be written");
    let output = nearmiss(folder.path(), &["explain", "again.btor2", "--format", "json"]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    let answer = json(&output);
    assert_eq!(answer["property"]["id"], "again.justice.1");
    let found = &answer["counterexample"];
    let (from, cycles) =
        (found["repeats_from_cycle"].as_u64().expect("a lasso"), found["cycles"].as_u64().expect("cycles"));
    assert!(from < cycles);
    let inputs = found["inputs"].as_array().expect("inputs");
    let is_one = |input: &&Value, name: &str| {
        input["name"] == name && input["value"] == "1" && input["cycle"].as_u64() >= Some(from)
    };
    assert!(inputs.iter().any(|input| is_one(&input, "get")), "what is fair is so: {inputs:?}");
    // The passing run is fair as well, and in it nothing is held in the cycles that come again.
    assert!(answer["nearest"]["distance"].as_u64() > Some(0), "{answer}");
    let output = nearmiss(folder.path(), &["check", "again.btor2"]);
    assert!(text(&output).contains("again and again, for ever"), "{}", text(&output));
    let told = nearmiss(folder.path(), &["check", "again.btor2", "--emit-witness", "run.wit"]);
    assert_eq!(told.status.code(), Some(10));
    let witness = fs::read_to_string(folder.path().join("run.wit")).expect("it was written");
    assert!(witness.starts_with("sat\nj0\n"), "{witness}");
}

#[test]
fn a_formula_over_signals_is_one_more_claim() {
    let folder = folder("fifo");
    let formula = |text: &str| {
        nearmiss(folder.path(), &["explain", "fifo.btor2", "--no-native", "--format", "json", "--formula", text])
    };
    let fails = formula("G (do_push && count == 3 |=> full)");
    assert_eq!(fails.status.code(), Some(10), "{fails:?}");
    let answer = json(&fails);
    assert_eq!(answer["property"]["id"], "fifo.temporal.1");
    // Three are pushed; with a push and a pop there are three again and again.
    assert_eq!(answer["counterexample"]["cycles"], 4);
    assert_eq!(answer["counterexample"]["repeats_from_cycle"], 3);
    let early = json(&formula("G (!(do_push && !do_pop && count == 3 && !rst) || X full)"));
    assert_eq!(early["counterexample"]["cycles"], 5);
    assert!(early["counterexample"]["repeats_from_cycle"].is_null(), "nothing that comes could save it");
    let forever = json(&formula("G (push -> F full)"));
    assert!(forever["counterexample"]["repeats_from_cycle"].is_u64(), "{forever}");
    for (wrong, what) in [
        ("G (pusch -> full)", "pusch"),
        ("G $rose(push)", "before the first cycle"),
        ("G (count / 2 == 1)", "only +, -, *"),
        ("cover(full)", "cover"),
    ] {
        let output = formula(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong}: {output:?}");
        let told = text(&output) + &String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(what), "{wrong}: {told}");
    }
}

#[test]
fn dots_are_followed_to_their_drivers() {
    let folder = folder("fifo");
    let dump = nearmiss(folder.path(), &["check", "fifo.btor2", "--no-native", "--format", "vcd", "-o", "run.vcd"]);
    assert_eq!(dump.status.code(), Some(10), "{dump:?}");
    let causes = |more: &[&str]| {
        let arguments = ["causes", "run.vcd", "--formula", "G (failing.count <= 4)", "--model", "fifo.btor2"];
        nearmiss(folder.path(), &[&arguments, more].concat())
    };
    let told = text(&causes(&[]));
    for part in ["count = 5 (cycle 5)", "do_push = 1 (cycle 4)", "fifo.v:40", "full = 0", "see above"] {
        assert!(told.contains(part), "{part} is missing:\n{told}");
    }
    let why = json(&causes(&["--format", "json"]))["why"].clone();
    assert!(why["differs"].is_null(), "{why}");
    let lines = why["trees"][0]["lines"].as_array().expect("a tree");
    assert!(lines.iter().any(|line| line["signal"] == "push" && line["from"] == "input"), "{why}");
    assert!(lines.iter().any(|line| line["signal"] == "count" && line["from"] == "start"), "{why}");
    // With another model the trace is none of it.
    let other = fs::read_to_string(folder.path().join("fifo.btor2")).expect("it is there");
    let other = other.replace("ugte", "ult");
    assert_ne!(other, fs::read_to_string(folder.path().join("fifo.btor2")).expect("it is there"));
    fs::write(folder.path().join("fifo.btor2"), other).expect("it can be written");
    let told = text(&causes(&[]));
    assert!(told.contains("is the trace one of this design"), "{}", told);
}

#[test]
fn the_verilog_is_simulated_if_somebody_can() {
    for name in ["fifo", "arbiter", "uart"] {
        let folder = folder(name);
        let output = nearmiss(folder.path(), &["explain", &format!("{name}.btor2")]);
        let told = text(&output);
        if !has_icarus() {
            assert!(told.contains("iverilog is not installed"), "{told}");
            continue;
        }
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("and from the Verilog by Icarus Verilog"), "{told}");
        let answer = json(&nearmiss(folder.path(), &["explain", &format!("{name}.btor2"), "--format", "json"]));
        assert_eq!(answer["counterexample"]["replayed"]["native"], true);
        assert_eq!(answer["nearest"]["replayed"]["native"], true);
    }
    if !has_icarus() {
        return;
    }
    // The Verilog was mended, and the model is the old one.
    let folder = folder("fifo");
    let verilog = fs::read_to_string(folder.path().join("fifo.v")).expect("it is there");
    fs::write(folder.path().join("fifo.v"), verilog.replace("count >= 5", "count >= 4")).expect("it can be written");
    let output = nearmiss(folder.path(), &["check", "fifo.btor2"]);
    let told = text(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("in cycle 4 `full` is 1 there, and 0 in the model"), "{told}");
    assert!(!told.contains("by Icarus Verilog."), "{told}");
    let output = nearmiss(folder.path(), &["check", "fifo.btor2", "--no-native"]);
    assert!(!text(&output).contains("Icarus"), "nobody asked");
}
