//! SARIF answers obey the rules of the standard, as far as `sarif_schema.json` states them: all that we write. Both runs
//! must be there as code flows that say what JSON says.
//!
//! The schema uses few words, and a validator of these is short; one that does not know a word says so.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

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

const QUESTIONS: [&[&str]; 9] = [
    &["explain", "examples/minmax.c"],
    &["explain", "examples/overflow.c"],
    &["explain", "examples/tcas/tcas_fault1.c", "--hypotheses", "none"],
    &["fix", "cases/fix/operator/least.c"],
    &["fix", "examples/inventory.c", "--tests", "examples/inventory"],
    &["check", "examples/list.c"],
    &["check", "examples/correct/gcd.c"],
    &["check", "examples/minmax.c", "--timeout", "0.000001"],
    &["focus", "cases/focus/lock/lock.c", "--unwind", "2"],
];

/// What is wrong with an answer by the rules of the standard.
pub(crate) fn errors(answer: &Value) -> Vec<String> {
    let root = serde_json::from_str(include_str!("../sarif_schema.json")).expect("the schema is JSON");
    let schema = Schema { root };
    let mut errors = Vec::new();
    schema.check(&schema.root, answer, "", &mut errors);
    errors
}

#[test]
fn answers_obey_the_schema() {
    let mut results = 0;
    for question in QUESTIONS {
        let answer = nearmiss(question, "sarif");
        assert_eq!(errors(&answer), [""; 0], "{question:?}");
        results += answer["runs"][0]["results"].as_array().map_or(0, Vec::len);
    }
    assert!(results >= 6, "{results}");
}

const RESULT: &str = "/runs/0/results/0";
const REGION: &str = "/runs/0/results/0/locations/0/physicalLocation/region";
const STEP: &str = "/runs/0/results/0/codeFlows/0/threadFlows/0/locations/0";

/// Puts a value into an answer, at a property of the object at a place; the answer is wrong then.
fn assert_refused(valid: &Value, object: &str, property: &str, value: Value) {
    let mut damaged = valid.clone();
    let place = damaged.pointer_mut(object).and_then(Value::as_object_mut);
    place.unwrap_or_else(|| panic!("{object} is there")).insert(property.to_owned(), value);
    assert_ne!(errors(&damaged), [""; 0], "{object}/{property}");
}

#[test]
fn what_is_missing_is_refused() {
    let valid = nearmiss(QUESTIONS[0], "sarif");
    for (object, property) in [
        ("", "version"),
        ("", "runs"),
        ("/runs/0", "tool"),
        ("/runs/0/tool", "driver"),
        ("/runs/0/tool/driver", "name"),
        ("/runs/0/tool/driver/rules/0", "id"),
        ("/runs/0/tool/driver/rules/0/help", "text"),
        ("/runs/0/invocations/0", "executionSuccessful"),
        (RESULT, "message"),
        ("/runs/0/results/0/message", "text"),
        ("/runs/0/results/0/locations/0/physicalLocation", "artifactLocation"),
        ("/runs/0/results/0/codeFlows/0", "threadFlows"),
        ("/runs/0/results/0/codeFlows/0/threadFlows/0", "locations"),
    ] {
        let mut damaged = valid.clone();
        let place = damaged.pointer_mut(object).and_then(Value::as_object_mut);
        let was = place.unwrap_or_else(|| panic!("{object} is there")).remove(property);
        assert!(was.is_some(), "{object}/{property} was there");
        assert_ne!(errors(&damaged), [""; 0], "{object}/{property}");
    }
}

#[test]
fn wrong_values_are_refused() {
    let valid = nearmiss(QUESTIONS[0], "sarif");
    assert_refused(&valid, "", "version", json!("3.0.0"));
    assert_refused(&valid, "/runs/0", "columnKind", json!("letters"));
    assert_refused(&valid, "/runs/0/invocations/0", "executionSuccessful", json!("yes"));
    assert_refused(&valid, RESULT, "level", json!("dreadful"));
    assert_refused(&valid, RESULT, "kind", json!("error"));
    assert_refused(&valid, RESULT, "message", json!("a bare text"));
    assert_refused(&valid, RESULT, "ruleIndex", json!(-2));
    assert_refused(&valid, RESULT, "partialFingerprints", json!({"nearmiss/v1": 7}));
    assert_refused(&valid, REGION, "startLine", json!(0));
    assert_refused(&valid, REGION, "startLine", json!(-1));
    assert_refused(&valid, REGION, "startLine", json!(1.5));
    assert_refused(&valid, REGION, "startLine", json!("1"));
    assert_refused(&valid, REGION, "endColumn", json!(0));
    assert_refused(&valid, STEP, "executionOrder", json!("first"));
    assert_refused(&valid, STEP, "nestingLevel", json!(-1));
    assert_refused(&valid, STEP, "importance", json!("high"));
    assert_refused(&valid, STEP, "kinds", json!(["branch", "branch"]));
    assert_refused(&valid, STEP, "state", json!({"x": "1"}));
    assert_refused(&valid, "/runs/0/results/0/codeFlows/0/threadFlows/0", "locations", json!([]));
}

#[test]
fn unknown_properties_are_refused() {
    let valid = nearmiss(QUESTIONS[0], "sarif");
    for object in [
        "",
        "/runs/0",
        "/runs/0/tool",
        "/runs/0/tool/driver",
        "/runs/0/tool/driver/rules/0",
        "/runs/0/tool/driver/rules/0/defaultConfiguration",
        "/runs/0/invocations/0",
        RESULT,
        "/runs/0/results/0/message",
        "/runs/0/results/0/locations/0",
        "/runs/0/results/0/locations/0/physicalLocation",
        "/runs/0/results/0/locations/0/physicalLocation/artifactLocation",
        REGION,
        "/runs/0/results/0/codeFlows/0",
        "/runs/0/results/0/codeFlows/0/threadFlows/0",
        STEP,
    ] {
        assert_refused(&valid, object, "severity", json!("high"));
    }
    // Of the standard, but the schema does not state its rules.
    assert_refused(&valid, RESULT, "graphs", json!([]));
}

struct Schema {
    root: Value,
}

impl Schema {
    /// Adds what is wrong with a value, and where.
    fn check(&self, schema: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        let words = schema.as_object().expect("a schema is an object");
        if words.is_empty() {
            errors.push(format!("{at}: the schema does not state its rules yet"));
        }
        for (word, wanted) in words {
            let mut fail = |what: String| errors.push(format!("{at}: {what}"));
            match word.as_str() {
                "title" | "description" | "definitions" => {}
                "$ref" => {
                    let path = wanted.as_str().and_then(|path| path.strip_prefix('#')).expect("references are local");
                    self.check(self.root.pointer(path).expect(path), value, at, errors);
                }
                "type" => {
                    if wanted != kind(value) && !(wanted == "number" && value.is_number()) {
                        fail(format!("{value} is not of type {wanted}"));
                    }
                }
                "enum" => {
                    if !list(wanted).contains(value) {
                        fail(format!("{value} is not one of {wanted}"));
                    }
                }
                "required" => {
                    for key in list(wanted).iter().filter_map(Value::as_str) {
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
                    let named = |key: &str| schema["properties"].get(key).is_some();
                    for (key, value) in value.as_object().into_iter().flatten().filter(|(key, _)| !named(key)) {
                        match wanted {
                            Value::Bool(true) => {}
                            Value::Bool(false) => errors.push(format!("{at}: {key} is unknown")),
                            schema => self.check(schema, value, &format!("{at}/{key}"), errors),
                        }
                    }
                }
                "items" => {
                    for (index, value) in list(value).iter().enumerate() {
                        self.check(wanted, value, &format!("{at}/{index}"), errors);
                    }
                }
                "minItems" => {
                    if value.is_array() && (list(value).len() as u64) < wanted.as_u64().expect("a number") {
                        fail(format!("fewer than {wanted}"));
                    }
                }
                "uniqueItems" => {
                    let items = list(value);
                    if (0..items.len()).any(|index| items[..index].contains(&items[index])) {
                        fail("something is there twice".to_owned());
                    }
                }
                "minimum" | "maximum" => {
                    let (value, limit) = (value.as_f64(), wanted.as_f64().expect("a number"));
                    if value.is_some_and(|value| if word == "minimum" { value < limit } else { value > limit }) {
                        fail(format!("beyond the {word} of {wanted}"));
                    }
                }
                "anyOf" => {
                    let fits = |schema: &Value| {
                        let mut inner = Vec::new();
                        self.check(schema, value, at, &mut inner);
                        inner.is_empty()
                    };
                    if !list(wanted).iter().any(fits) {
                        fail(format!("none of {wanted} fits"));
                    }
                }
                other => panic!("the schema uses a word that this validator does not know: {other}"),
            }
        }
    }
}

/// The items of an array; none of anything else.
fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
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
