//! SARIF answers are valid: against the schema that the `serde-sarif` crate ships, and as values of its types.
//!
//! Both runs must be there as code flows that say what JSON says.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn nearmiss(arguments: &[&str], format: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_nearmiss"))
        .args(arguments)
        .args(["--format", format, "--no-native"])
        .current_dir(root())
        .output()
        .expect("it runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output:?}"))
}

/// The schema that the crate was made from.
fn schema() -> Value {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline", "--locked"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").expect("it is among them");
    let manifest = Path::new(package["manifest_path"].as_str().expect("it is somewhere"));
    let file = manifest.parent().expect("in a folder").join("src/schema.json");
    serde_json::from_slice(&std::fs::read(file).expect("it ships its schema")).expect("the schema is JSON")
}

const QUESTIONS: [&[&str]; 7] = [
    &["explain", "examples/minmax.c"],
    &["explain", "examples/overflow.c"],
    &["explain", "examples/tcas/tcas_fault1.c", "--hypotheses", "none"],
    &["check", "examples/list.c"],
    &["check", "examples/correct/gcd.c"],
    &["check", "examples/minmax.c", "--timeout", "0.000001"],
    &["focus", "cases/focus/lock/lock.c", "--unwind", "2"],
];

#[test]
fn answers_obey_the_schema() {
    let schema = schema();
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let mut results = 0;
    for question in QUESTIONS {
        let answer = nearmiss(question, "sarif");
        let errors: Vec<String> = validator.iter_errors(&answer).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{question:?}: {errors:?}");
        let typed: serde_sarif::sarif::Sarif = serde_json::from_value(answer).expect("it is SARIF");
        results += typed.runs.iter().map(|run| run.results.as_ref().map_or(0, Vec::len)).sum::<usize>();
    }
    assert!(results >= 6, "{results}");
    // The schema can refuse.
    let mut broken = nearmiss(QUESTIONS[0], "sarif");
    broken["runs"][0]["results"][0]["level"] = "dreadful".into();
    assert!(!validator.is_valid(&broken));
}

#[test]
fn both_runs_are_code_flows() {
    let answer = nearmiss(QUESTIONS[0], "json");
    let result = nearmiss(QUESTIONS[0], "sarif")["runs"][0]["results"][0].take();
    for (flow, run) in [(0, "counterexample"), (1, "nearest")] {
        let locations = result["codeFlows"][flow]["threadFlows"][0]["locations"].as_array().expect("there are steps");
        let steps = answer[run]["steps"].as_array().expect("there are steps");
        assert_eq!(locations.len(), steps.len());
        for (location, step) in locations.iter().zip(steps) {
            assert_eq!(location["location"]["physicalLocation"]["region"]["startLine"], step["line"]);
        }
    }
    let related = result["relatedLocations"].as_array().expect("there are suspects");
    let suspects = answer["suspects"].as_array().expect("there are suspects");
    let lines = |found: &[Value], line: &dyn Fn(&Value) -> Value| found.iter().map(line).collect::<Vec<_>>();
    assert_eq!(
        lines(related, &|one| one["physicalLocation"]["region"]["startLine"].clone()),
        lines(suspects, &|one| one["line"].clone())
    );
}
