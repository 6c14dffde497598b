//! The answer as SARIF 2.1.0, for code-scanning views and editors: every failing claim is a result; the explained one has
//! the suspects as related locations, and the failing and the passing run as code flows to step through.
//!
//! It is made from the answer in JSON, so that it cannot tell anything else than that does.

use serde_json::{Value, json};

/// The whole answer, with its end of line. `sentence` is what the text report starts with.
pub fn render(answer: &Value, sentence: &str) -> String {
    let claims = answer["claims"].as_array().map(Vec::as_slice).unwrap_or_default();
    let explained = &answer["property"];
    let mut results: Vec<Value> = Vec::new();
    for claim in claims.iter().filter(|claim| claim["status"] == "fails") {
        match claim["id"] == explained["id"] {
            true => results.push(explanation(answer, sentence)),
            false => results.push(json!({
                "ruleId": kind(text(&claim["id"])),
                "level": "error",
                "message": {"text": format!("{} can be violated.", text(&claim["id"]))},
                "locations": [location(claim, None)],
            })),
        }
    }
    let ways = answer["sequences"].as_array().map(Vec::as_slice).unwrap_or_default();
    results.extend(ways.iter().map(|way| self::way(way, claims)));
    let mut rules: Vec<&str> = results.iter().map(|result| text(&result["ruleId"])).collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Value> = rules.into_iter().map(rule).collect();
    let notes = answer["notes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let undecided = (answer["verdict"] == "undecided").then(|| json!("not every claim could be decided"));
    let notifications: Vec<Value> = (notes.iter().chain(&undecided))
        .map(|note| json!({"level": "note", "message": {"text": text(note)}}))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "nearmiss",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": notifications}],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    super::json::print(&log)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// `overflow` of `main.overflow.1`.
fn kind(id: &str) -> &str {
    id.rsplit('.').nth(1).unwrap_or("claim")
}

fn rule(id: &str) -> Value {
    let told = match id {
        "assertion" => "A written assertion can be violated",
        "array_bounds" => "An index can be out of the bounds of its array",
        "pointer_dereference" => "A pointer that is read or written through can be invalid",
        "free" => "Memory can be freed that must not be",
        "division-by-zero" => "A divisor can be zero",
        "overflow" => "Arithmetic can overflow",
        "undefined-shift" => "A shift can be undefined",
        "conversion" => "A conversion can change the value",
        "pointer_relation" => "Pointers into different objects can be compared or subtracted",
        "precondition" => "A precondition of a library function can be violated",
        "unreachable" => "Code can be reached that must not be",
        "unwind" => "A loop or recursion can go on beyond the bound",
        _ => "A claim can be violated",
    };
    json!({
        "id": id,
        "shortDescription": {"text": told},
        "defaultConfiguration": {"level": "error"},
    })
}

/// A place in a file, with a message.
fn location(at: &Value, message: Option<String>) -> Value {
    let mut region = json!({"startLine": at["line"].as_u64().unwrap_or(1).max(1)});
    if let Some(snippet) = at["text"].as_str().filter(|text| !text.is_empty()) {
        region["snippet"] = json!({"text": snippet});
    }
    let mut location = json!({
        "physicalLocation": {"artifactLocation": {"uri": uri(text(&at["file"]))}, "region": region},
    });
    if let Some(function) = at["function"].as_str() {
        location["logicalLocations"] = json!([{"name": function, "kind": "function"}]);
    }
    if let Some(message) = message {
        location["message"] = json!({"text": message});
    }
    location
}

/// A path as a relative or absolute URI.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/+@".contains(&byte);
    let mut encoded = String::new();
    for byte in path.strip_prefix("./").unwrap_or(path).bytes() {
        match byte {
            b'\\' => encoded.push('/'),
            byte if plain(byte) => encoded.push(char::from(byte)),
            byte => encoded += &format!("%{byte:02X}"),
        }
    }
    if encoded.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

/// The claim that was explained.
fn explanation(answer: &Value, sentence: &str) -> Value {
    let property = &answer["property"];
    let mut result = json!({
        "ruleId": property["kind"],
        "level": "error",
        "message": {"text": sentence},
        "locations": [location(property, None)],
        "partialFingerprints": {"nearmiss/v1": property["id"]},
    });
    let suspects = answer["suspects"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !suspects.is_empty() {
        result["relatedLocations"] = suspects.iter().map(suspect).collect();
    }
    let deltas = answer["nearest"]["deltas"].as_array().map(Vec::as_slice).unwrap_or_default();
    let differs = |step: &Value| {
        deltas.iter().any(|delta| {
            delta["line"] == step["line"]
                && delta["file"] == step["file"]
                && (delta["kind"] == "guard" || delta["variable"] == step["variable"])
        })
    };
    let runs = [("The failing run", &answer["counterexample"]), ("The nearest passing run", &answer["nearest"])];
    let flows: Vec<Value> = (runs.into_iter())
        .filter_map(|(name, run)| Some((name, run["steps"].as_array().filter(|steps| !steps.is_empty())?)))
        .map(|(name, steps)| {
            let locations: Vec<Value> =
                steps.iter().enumerate().map(|(number, step)| self::step(number, step, differs(step))).collect();
            json!({"message": {"text": name}, "threadFlows": [{"message": {"text": name}, "locations": locations}]})
        })
        .collect();
    if !flows.is_empty() {
        result["codeFlows"] = json!(flows);
    }
    result
}

fn suspect(suspect: &Value) -> Value {
    let because = suspect["because"].as_array().map(Vec::as_slice).unwrap_or_default();
    let because: Vec<&str> = because.iter().map(text).collect();
    let rank = suspect["rank"].as_u64().unwrap_or_default();
    let mut location = location(suspect, Some(format!("Suspect {rank} (because of: {})", because.join(", "))));
    location["id"] = json!(rank);
    location
}

/// One step of a run; those at which the runs differ are the essential ones.
fn step(number: usize, step: &Value, differs: bool) -> Value {
    let value = text(&step["value"]);
    let (told, state) = match text(&step["kind"]) {
        "input" | "assign" => {
            let name = text(&step["variable"]);
            (format!("{name} = {value}"), Some((name, value)))
        }
        "branch" => (format!("{} is {}", text(&step["text"]), step["taken"]), None),
        "call" => (format!("calls {}", text(&step["callee"])), None),
        "return" if value.is_empty() => ("returns".to_owned(), None),
        "return" => (format!("returns {value}"), None),
        _ => {
            let holds = if step["holds"] == true { "holds" } else { "is violated" };
            (format!("{} {holds}", text(&step["text"])), None)
        }
    };
    let essential = differs || step["holds"] == false;
    let mut flow = json!({
        "location": location(step, Some(told)),
        "executionOrder": number + 1,
        "importance": if essential { "essential" } else { "important" },
    });
    if let Some((name, value)) = state {
        flow["state"] = json!({name: {"text": value}});
    }
    flow
}

/// One way to fail, as `focus` finds them.
fn way(way: &Value, claims: &[Value]) -> Value {
    let assumptions = way["assumptions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let assumptions: Vec<&str> = assumptions.iter().map(text).collect();
    let told = match assumptions.is_empty() {
        true => format!("Way {} to violate {}: always.", way["rank"], text(&way["property"])),
        false => format!("Way {} to violate {}: {}.", way["rank"], text(&way["property"]), assumptions.join(", ")),
    };
    let claim = claims.iter().find(|claim| claim["id"] == way["property"]).unwrap_or(&Value::Null);
    let statements = way["statements"].as_array().map(Vec::as_slice).unwrap_or_default();
    let in_nest = |statement: &Value| {
        let nest = way["nest"].as_array().map(Vec::as_slice).unwrap_or_default();
        nest.iter().any(|line| line["line"] == statement["line"] && line["file"] == statement["file"])
    };
    let locations: Vec<Value> = (statements.iter().enumerate())
        .map(|(number, statement)| {
            let outcome = statement["outcome"].as_bool();
            let told = outcome.map(|outcome| format!("{} is {outcome}", text(&statement["text"])));
            json!({
                "location": location(statement, told.or_else(|| Some(text(&statement["text"]).to_owned()))),
                "executionOrder": number + 1,
                "importance": if in_nest(statement) { "essential" } else { "important" },
            })
        })
        .collect();
    let mut result = json!({
        "ruleId": kind(text(&way["property"])),
        "level": "error",
        "message": {"text": told},
        "locations": [location(claim, None)],
    });
    if !locations.is_empty() {
        result["codeFlows"] = json!([{"threadFlows": [{"locations": locations}]}]);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("a b/<x>.c"), "a%20b/%3Cx%3E.c");
        assert_eq!(uri("./a.c"), "a.c");
        assert_eq!(uri("/tmp/a.c"), "file:///tmp/a.c");
    }

    #[test]
    fn kinds_are_read_from_identifiers() {
        assert_eq!(kind("main.division-by-zero.3"), "division-by-zero");
        assert_eq!(kind("f@a.c.overflow.1"), "overflow");
        assert_eq!(kind("odd"), "claim");
    }
}
