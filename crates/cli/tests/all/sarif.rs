//! SARIF answers obey the schema that the `serde-sarif` crate ships. Both runs must be there as code flows that say what
//! JSON says.
//!
//! The schema uses few words, and a validator of these is short; one that does not know a word says so.

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
        .args(["metadata", "--format-version", "1", "--locked"])
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
    let schema = Schema { root: schema() };
    let errors = |answer: &Value| {
        let mut errors = Vec::new();
        schema.check(&schema.root, answer, "", &mut errors);
        errors
    };
    let mut results = 0;
    for question in QUESTIONS {
        let answer = nearmiss(question, "sarif");
        assert_eq!(errors(&answer), [""; 0], "{question:?}");
        results += answer["runs"][0]["results"].as_array().map_or(0, Vec::len);
    }
    assert!(results >= 6, "{results}");
    // The schema can refuse.
    let valid = nearmiss(QUESTIONS[0], "sarif");
    for (at, value) in [
        ("/runs/0/results/0/level", Value::from("dreadful")),
        ("/runs/0/results/0/message", serde_json::json!({"txt": "no such key"})),
        ("/runs/0/results/0/codeFlows/0/threadFlows/0/locations/0/executionOrder", Value::from("first")),
        ("/runs/0/tool", serde_json::json!({})),
        ("/version", Value::from("3.0.0")),
    ] {
        let mut broken = valid.clone();
        *broken.pointer_mut(at).expect(at) = value;
        assert!(!errors(&broken).is_empty(), "{at}");
    }
}

struct Schema {
    root: Value,
}

impl Schema {
    /// Adds what is wrong with a value, and where.
    fn check(&self, schema: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        for (word, wanted) in schema.as_object().into_iter().flatten() {
            let mut fail = |what: String| errors.push(format!("{at}: {what}"));
            match word.as_str() {
                // What is only said, and forms of strings.
                "title" | "description" | "default" | "$schema" | "$id" | "id" | "definitions" | "format"
                | "pattern" => {}
                "$ref" => {
                    let path = wanted.as_str().and_then(|path| path.strip_prefix('#')).expect("references are local");
                    self.check(self.root.pointer(path).expect(path), value, at, errors);
                }
                "type" => {
                    let types = wanted.as_array().cloned().unwrap_or_else(|| vec![wanted.clone()]);
                    if !types.iter().any(|wanted| wanted == kind(value) || (wanted == "number" && value.is_number())) {
                        fail(format!("{value} is not of type {wanted}"));
                    }
                }
                "enum" => {
                    if !wanted.as_array().is_some_and(|all| all.contains(value)) {
                        fail(format!("{value} is not one of {wanted}"));
                    }
                }
                "required" => {
                    for key in wanted.as_array().into_iter().flatten().filter_map(Value::as_str) {
                        if value.is_object() && value.get(key).is_none() {
                            fail(format!("{key} is missing"));
                        }
                    }
                }
                "properties" => {
                    for (key, schema) in wanted.as_object().into_iter().flatten() {
                        if let Some(value) = value.get(key) {
                            self.check(schema, value, &format!("{at}/{key}"), errors);
                        }
                    }
                }
                "additionalProperties" => {
                    for (key, value) in value.as_object().into_iter().flatten() {
                        if schema["properties"].get(key).is_some() {
                            continue;
                        }
                        match wanted {
                            Value::Bool(true) => {}
                            Value::Bool(false) => errors.push(format!("{at}: {key} is unknown")),
                            schema => self.check(schema, value, &format!("{at}/{key}"), errors),
                        }
                    }
                }
                "items" => {
                    for (index, value) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(wanted, value, &format!("{at}/{index}"), errors);
                    }
                }
                "minItems" | "minLength" | "minProperties" => {
                    let length = value.as_array().map(Vec::len);
                    let length = length.or(value.as_str().map(str::len)).or(value.as_object().map(|keys| keys.len()));
                    if length.is_some_and(|length| (length as u64) < wanted.as_u64().unwrap_or(0)) {
                        fail(format!("fewer than {wanted}"));
                    }
                }
                "uniqueItems" => {
                    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                    let twice = |index: usize| items[..index].contains(&items[index]);
                    if *wanted == true && (0..items.len()).any(twice) {
                        fail("something is there twice".to_owned());
                    }
                }
                "minimum" | "maximum" => {
                    let (value, limit) = (value.as_f64(), wanted.as_f64().unwrap_or(0.0));
                    if value.is_some_and(|value| if word == "minimum" { value < limit } else { value > limit }) {
                        fail(format!("beyond the {word} of {wanted}"));
                    }
                }
                "anyOf" | "oneOf" => {
                    let fits = |schema: &&Value| {
                        let mut inner = Vec::new();
                        self.check(schema, value, at, &mut inner);
                        inner.is_empty()
                    };
                    if !wanted.as_array().into_iter().flatten().any(|schema| fits(&schema)) {
                        fail(format!("nothing of {word} fits"));
                    }
                }
                "allOf" => {
                    for schema in wanted.as_array().into_iter().flatten() {
                        self.check(schema, value, at, errors);
                    }
                }
                "not" => {
                    let mut inner = Vec::new();
                    self.check(wanted, value, at, &mut inner);
                    if inner.is_empty() {
                        errors.push(format!("{at}: it must not be so"));
                    }
                }
                other => panic!("the schema uses a word that this validator does not know: {other}"),
            }
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
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

/// What code-scanning views document that they need beyond the standard.
#[test]
fn views_find_what_they_need() {
    for question in QUESTIONS {
        let answer = nearmiss(question, "sarif");
        let run = &answer["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().expect("there are rules");
        for rule in rules {
            for key in ["/shortDescription/text", "/fullDescription/text", "/help/text", "/help/markdown"] {
                let text = rule.pointer(key).and_then(Value::as_str).unwrap_or_default();
                assert!(!text.is_empty() && text.len() <= 1024, "{question:?}: {key}");
            }
        }
        for result in run["results"].as_array().expect("there are results") {
            let rule = &rules[result["ruleIndex"].as_u64().expect("it has a rule") as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(result["partialFingerprints"]["primaryLocationLineHash"].is_string(), "{question:?}");
            assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{question:?}");
            let flows = result["codeFlows"].as_array().into_iter().flatten();
            let steps: Vec<&Value> =
                flows.flat_map(|flow| flow["threadFlows"][0]["locations"].as_array().expect("it has steps")).collect();
            for step in &steps {
                assert!(step["location"]["message"]["text"].is_string() && step["kinds"][0].is_string(), "{step}");
            }
            let places = steps.iter().map(|step| &step["location"]);
            let places = places.chain(result["locations"].as_array().into_iter().flatten());
            for place in places.chain(result["relatedLocations"].as_array().into_iter().flatten()) {
                let at = &place["physicalLocation"];
                let number = |key: &str| at["region"][key].as_u64().unwrap_or_else(|| panic!("{key}: {place}"));
                assert!(number("startColumn") < number("endColumn") && number("startLine") == number("endLine"));
                let uri = at["artifactLocation"]["uri"].as_str().expect("it is somewhere");
                assert!(root().join(uri).is_file(), "{uri} is a path from the root");
            }
        }
    }
}

/// A view refuses a result with 10,000 steps.
#[test]
fn of_long_runs_the_end_and_the_differences_are_told() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("long.c");
    let text = "#include <assert.h>\nint nondet_int(void);\nint main(void)\n{\n    int n = nondet_int(), sum = 0;\n    \
                for (int i = 0; i < 3000; i++)\n        sum ^= i;\n    assert(n != 7);\n    return sum;\n}\n";
    std::fs::write(&file, text).expect("a program can be written");
    let path = file.display().to_string();
    let answer = nearmiss(&["explain", &path, "--minimise", "none"], "sarif");
    let flows = answer["runs"][0]["results"][0]["codeFlows"].as_array().expect("there are runs").clone();
    assert_eq!(flows.len(), 2);
    for flow in &flows {
        let steps = flow["threadFlows"][0]["locations"].as_array().expect("there are steps");
        assert!((3000..=4000).contains(&steps.len()), "{}", steps.len());
        assert_eq!(steps[0]["executionOrder"], 1, "the input differs");
        assert!(steps.last().is_some_and(|step| step["executionOrder"].as_u64() > Some(9000)));
        assert!(flow["message"]["text"].as_str().is_some_and(|text| text.contains("left out")));
    }
}
