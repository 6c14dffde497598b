//! The answer as SARIF 2.1.0, for code-scanning views and editors: every failing claim is a result; the explained one has
//! the suspects as related locations, and the failing and the passing run as code flows to step through.
//!
//! It is made from the answer in JSON, so that it cannot tell anything else than that does; the source only says in which
//! columns. What code-scanning views ask for beyond the standard is there: help for every rule, columns, fingerprints
//! that survive edits, links from the message to the suspects, and not more steps than they take.

use std::collections::BTreeSet;
use std::path::Path;

use nearmiss_program::source::Sources;
use serde_json::{Value, json};

use crate::layout;

/// So many steps of a run are told; a view refuses a result with 10,000 of both.
const MOST_STEPS: usize = 4_000;

/// Rules about tests begin so.
const OF_TESTS: &str = "test-";
const PRINTED: &str = "The test says what is to be printed for its input.";

/// The whole answer, with its end of line. `sentence` is what the text report starts with.
/// `here` is the folder that names of files are told from.
pub fn render(answer: &Value, sentence: &str, sources: &Sources, here: Option<&Path>) -> String {
    crate::schema::print(&log(answer, sentence, sources, here))
}

/// The same as a value.
pub(crate) fn log(answer: &Value, sentence: &str, sources: &Sources, here: Option<&Path>) -> Value {
    let page = Page { sources, here };
    let claims = answer["claims"].as_array().map(Vec::as_slice).unwrap_or_default();
    let explained = &answer["property"];
    let mut results: Vec<Value> = Vec::new();
    let tests = answer["tests"].as_array();
    results.extend(tests.iter().flat_map(|tests| page.tests(tests, answer)));
    for claim in claims.iter().filter(|claim| claim["status"] == "fails" && tests.is_none()) {
        match claim["id"] == explained["id"] {
            true => results.push(page.explanation(answer, sentence)),
            false => results.push(json!({
                "ruleId": kind(text(&claim["id"])),
                "level": "error",
                "message": {"text": format!("{} can be violated.", text(&claim["id"]))},
                "locations": [page.location(claim, None)],
                "partialFingerprints": fingerprint(text(&claim["id"])),
            })),
        }
    }
    let ways = answer["sequences"].as_array().map(Vec::as_slice).unwrap_or_default();
    results.extend(ways.iter().map(|way| page.way(way, claims)));
    let rules: BTreeSet<String> = results.iter().map(|result| text(&result["ruleId"]).to_owned()).collect();
    for result in &mut results {
        let index = rules.iter().position(|rule| *rule == text(&result["ruleId"]));
        result["ruleIndex"] = json!(index);
    }
    let rules: Vec<Value> = rules.iter().map(|id| rule(id)).collect();
    let notes = answer["notes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let undecided = (answer["verdict"] == "undecided").then(|| match tests {
        Some(_) => json!(sentence),
        None => json!("not every claim could be decided"),
    });
    let notifications: Vec<Value> = (notes.iter().chain(&undecided))
        .map(|note| json!({"level": "note", "message": {"text": text(note)}}))
        .collect();
    json!({
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
    })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// `overflow` of `main.overflow.1`.
fn kind(id: &str) -> &str {
    id.rsplit('.').nth(1).unwrap_or("claim")
}

/// What it is, and what C or the program says about it.
fn rule(id: &str) -> Value {
    let (told, why) = match id {
        "assertion" => ("A written assertion can be violated", "The program itself says that this must hold."),
        "array_bounds" => (
            "An index can be out of the bounds of its array",
            "Reading or writing beyond an array is undefined in C: it may crash, or change something else.",
        ),
        "pointer_dereference" => (
            "A pointer that is read or written through can be invalid",
            "The pointer can be NULL, point to an object that is no more, or beyond the one it belongs to.",
        ),
        "free" => {
            ("Memory can be freed that must not be", "Only what was allocated may be freed, once, from its start.")
        }
        "division-by-zero" => ("A divisor can be zero", "Division by zero is undefined in C."),
        "overflow" => ("Arithmetic can overflow", "The result does not fit its type."),
        "undefined-shift" => (
            "A shift can be undefined",
            "A shift by a negative number or by the width of the type, or of a negative number, is undefined in C.",
        ),
        "conversion" => {
            ("A conversion can change the value", "The value does not fit the type that it is converted to.")
        }
        "pointer_relation" => (
            "Pointers into different objects can be compared or subtracted",
            "C orders and subtracts only pointers into the same object.",
        ),
        "precondition" => (
            "A precondition of a library function can be violated",
            "The function is called with arguments that the C library does not allow.",
        ),
        "unreachable" => ("Code can be reached that must not be", "The program itself says that nothing leads there."),
        "unwind" => ("A loop or recursion can go on beyond the bound", "The bound that was given does not suffice."),
        "test-output" => ("A test prints something else than is expected", PRINTED),
        "test-missing-output" => ("A test ends before all that is expected is printed", PRINTED),
        "test-status" => ("A test exits with another status than is expected", "The test says which status is right."),
        "test-endless" => ("A test does not come to its end", "It was stopped after very many steps."),
        "test-check" => (
            "A test does what C leaves undefined, or violates an assertion",
            "What a compiled program does then may be anything, and may be something else tomorrow.",
        ),
        "test-assumption" => {
            ("A test does not meet an assumption of the program", "The program assumes what is not so.")
        }
        _ => ("A claim can be violated", "The program or the user says that this must hold."),
    };
    let of_tests = "Each result has one of the tests that fail there. Related locations are the lines to look at first, and fixes \
                    are edits with which all given tests pass. `nearmiss explain` says the same with more detail.";
    let of_claims = "The result has a run that violates it, with the inputs that lead there, and beside it the nearest run \
                that passes, both as code flows: what differs between them matters. Related locations are the lines to \
                look at first. `nearmiss explain` says the same with more detail.";
    let help = if id.starts_with(OF_TESTS) { of_tests } else { of_claims };
    json!({
        "id": id,
        "name": id,
        "shortDescription": {"text": told},
        "fullDescription": {"text": format!("{told}. {why}")},
        "help": {"text": format!("{told}. {why} {help}"), "markdown": format!("**{told}.** {why}\n\n{help}")},
        "defaultConfiguration": {"level": "error"},
        // Every result comes with a run that was replayed.
        "properties": {"precision": "very-high", "problem.severity": "error", "tags": ["correctness"]},
    })
}

/// What stays the same of a result when lines move; views put the file and the rule to it.
fn fingerprint(of: &str) -> Value {
    json!({"primaryLocationLineHash": of, "nearmiss/v1": of})
}

/// A path as a URI: relative to a folder, which in continuous integration is the repository, or else absolute.
pub(crate) fn uri(path: &str, here: Option<&Path>) -> String {
    let inside = here.and_then(|here| Path::new(path).strip_prefix(here).ok()).and_then(Path::to_str);
    let path = inside.unwrap_or(path);
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

/// What is written, with the source that it speaks of.
struct Page<'a> {
    sources: &'a Sources,
    here: Option<&'a Path>,
}

impl Page<'_> {
    /// A place in a file, with a message.
    fn location(&self, at: &Value, message: Option<String>) -> Value {
        let line = at["line"].as_u64().unwrap_or(1).max(1);
        let snippet = at["text"].as_str().filter(|text| !text.is_empty());
        let mut region = json!({"startLine": line, "endLine": line});
        if let Some((start, end)) = self.columns(text(&at["file"]), line, snippet.unwrap_or_default()) {
            region["startColumn"] = json!(start);
            region["endColumn"] = json!(end);
        }
        if let Some(snippet) = snippet {
            region["snippet"] = json!({"text": snippet});
        }
        let mut location = json!({
            "physicalLocation": {"artifactLocation": {"uri": uri(text(&at["file"]), self.here)}, "region": region},
        });
        if let Some(function) = at["function"].as_str() {
            location["logicalLocations"] = json!([{"name": function, "kind": "function"}]);
        }
        if let Some(message) = message.filter(|message| !message.is_empty()) {
            location["message"] = json!({"text": message});
        }
        location
    }

    /// Where in its line a text stands; the whole line without its margins, if it does not.
    fn columns(&self, file: &str, line: u64, wanted: &str) -> Option<(usize, usize)> {
        let (_, file) = self.sources.files().find(|(_, known)| known.name == file)?;
        let line = file.text.lines().nth(usize::try_from(line).ok()? - 1)?;
        let wanted = line.find(wanted).filter(|_| !wanted.is_empty()).map(|start| (start, start + wanted.len()));
        let (start, end) = wanted.unwrap_or((line.len() - line.trim_start().len(), line.trim_end().len()));
        let column = |at: usize| line[..at].chars().count() + 1;
        // A line of blanks has one column still.
        Some((column(start), column(end.max(start)).max(column(start) + 1)))
    }

    /// The tests that fail, those that fail at one place in the same way in one result; with the first come the suspects and the fixes.
    fn tests(&self, tests: &[Value], answer: &Value) -> Vec<Value> {
        let mut groups: Vec<Vec<&Value>> = Vec::new();
        for test in tests.iter().filter(|test| test["passes"] == false) {
            let is_alike =
                |group: &&mut Vec<&Value>| ["file", "line", "wrong"].iter().all(|key| group[0][*key] == test[*key]);
            match groups.iter_mut().find(is_alike) {
                Some(group) => group.push(test),
                None => groups.push(vec![test]),
            }
        }
        let result = |(number, group): (usize, &Vec<&Value>)| {
            let test = group[0];
            let beside = match test["compares"] == true {
                true => format!("; expected: {}; printed: {}", text(&test["expected"]), text(&test["printed"])),
                false => String::new(),
            };
            let others = match group.len() - 1 {
                0 => String::new(),
                1 => " Another test fails here, too.".to_owned(),
                others => format!(" {others} other tests fail here, too."),
            };
            let told = format!("Test {} {}{beside}.{others}", text(&test["name"]), text(&test["told"]));
            let suspects = answer["suspects"].as_array().map(Vec::as_slice).unwrap_or_default();
            // Where nothing was printed, a suspect is the place to show.
            let at = if test["file"].is_string() { Some(test) } else { suspects.first() };
            let mut result = json!({
                "ruleId": format!("{OF_TESTS}{}", text(&test["wrong"])),
                "level": "error",
                "message": {"text": told},
                "locations": at.iter().map(|at| self.location(at, None)).collect::<Vec<_>>(),
                "partialFingerprints": fingerprint(&format!("{} {}", text(&test["name"]), text(&test["wrong"]))),
            });
            if number == 0 {
                self.add_evidence(&mut result, &told, answer);
            }
            result
        };
        groups.iter().enumerate().map(result).collect()
    }

    /// Suspects and fixes, for the first result.
    fn add_evidence(&self, result: &mut Value, told: &str, answer: &Value) {
        let suspects = answer["suspects"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !suspects.is_empty() {
            result["relatedLocations"] = suspects.iter().map(|suspect| self.suspect(suspect)).collect();
            let first = suspects.iter().take(3).map(|suspect| {
                let file = text(&suspect["file"]);
                let name = file.rsplit('/').next().unwrap_or(file);
                format!("[{}:{}]({})", name, suspect["line"], suspect["rank"])
            });
            let first: Vec<String> = first.collect();
            result["message"] = json!({"text": format!("{told} Look here first: {}.", first.join(", "))});
        }
        let fixes = answer["fixes"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !fixes.is_empty() {
            result["fixes"] = fixes.iter().map(|fix| self.fix(fix)).collect();
        }
    }

    /// The claim that was explained.
    fn explanation(&self, answer: &Value, sentence: &str) -> Value {
        let property = &answer["property"];
        let mut result = json!({
            "ruleId": property["kind"],
            "level": "error",
            "message": {"text": sentence},
            "locations": [self.location(property, None)],
            "partialFingerprints": fingerprint(text(&property["id"])),
        });
        self.add_evidence(&mut result, sentence, answer);
        let differs = |step: &Value| step["differs"] == true;
        let runs = [("The failing run", &answer["counterexample"]), ("The nearest passing run", &answer["nearest"])];
        let flows: Vec<Value> = (runs.into_iter())
            .filter_map(|(name, run)| Some((name, run["steps"].as_array().filter(|steps| !steps.is_empty())?)))
            .map(|(name, steps)| {
                let (locations, left_out) = self.steps(steps, &differs);
                let told = match left_out {
                    0 => name.to_owned(),
                    _ => format!("{name}; {left_out} of its {} steps are left out", steps.len()),
                };
                json!({"message": {"text": told}, "threadFlows": [{"message": {"text": told}, "locations": locations}]})
            })
            .collect();
        if !flows.is_empty() {
            result["codeFlows"] = json!(flows);
        }
        result
    }

    /// Edits that an editor can make.
    fn fix(&self, fix: &Value) -> Value {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let hunks = list(&fix["diff"]);
        // Columns count bytes there, and characters here.
        let column = |edit: &Value, line: &str, column: &str| {
            let bytes = edit[column].as_u64().and_then(|at| usize::try_from(at).ok()).unwrap_or(1);
            let within = |hunk: &Value| {
                let above = edit[line].as_u64()?.checked_sub(hunk["line"].as_u64()?)?;
                let text = hunk["old"].get(usize::try_from(above).ok()?)?.as_str()?;
                Some(text.get(..bytes - 1)?.chars().count() + 1)
            };
            let hunk = hunks.iter().filter(|hunk| hunk["file"] == edit["file"]).find_map(within);
            hunk.unwrap_or(bytes)
        };
        let mut changes: Vec<Value> = Vec::new();
        for edit in list(&fix["edits"]) {
            let uri = json!({"uri": uri(text(&edit["file"]), self.here)});
            let replacement = json!({
                "deletedRegion": {
                    "startLine": edit["line"],
                    "startColumn": column(&edit, "line", "column"),
                    "endLine": edit["end_line"],
                    "endColumn": column(&edit, "end_line", "end_column"),
                },
                "insertedContent": {"text": edit["new"]},
            });
            match changes.iter_mut().find(|change| change["artifactLocation"] == uri) {
                Some(change) => {
                    change["replacements"].as_array_mut().into_iter().for_each(|all| all.push(replacement.clone()))
                }
                None => changes.push(json!({"artifactLocation": uri, "replacements": [replacement]})),
            }
        }
        let told: Vec<Value> = list(&fix["told"]);
        let told: Vec<&str> = told.iter().map(text).collect();
        json!({"description": {"text": told.join("; ")}, "artifactChanges": changes})
    }

    /// A run, and how much of it is not told: of a long one, what is essential and the end.
    fn steps(&self, steps: &[Value], differs: &dyn Fn(&Value) -> bool) -> (Vec<Value>, usize) {
        let essential: Vec<bool> = steps.iter().map(|step| differs(step) || step["holds"] == false).collect();
        let count = essential.iter().filter(|essential| **essential).count().min(MOST_STEPS / 2);
        let from = steps.len().saturating_sub(MOST_STEPS - count);
        let mut locations = Vec::new();
        let mut level = 0u64;
        for (number, (step, essential)) in steps.iter().zip(essential).enumerate() {
            if number >= from || (essential && locations.len() < MOST_STEPS / 2) {
                locations.push(self.step(number, step, essential, level));
            }
            match text(&step["kind"]) {
                "call" if step["library"] != true => level += 1,
                "return" => level = level.saturating_sub(1),
                _ => {}
            }
        }
        let left_out = steps.len() - locations.len();
        (locations, left_out)
    }

    fn suspect(&self, suspect: &Value) -> Value {
        let reasons = suspect["reasons"].as_array().map(Vec::as_slice).unwrap_or_default();
        let reasons: Vec<&str> = reasons.iter().map(text).collect();
        let rank = suspect["rank"].as_u64().unwrap_or_default();
        let why = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
        let mut location = self.location(suspect, Some(format!("Suspect {rank}{why}")));
        location["id"] = json!(rank);
        location
    }

    /// One step of a run; those at which the runs differ are the essential ones.
    fn step(&self, number: usize, step: &Value, essential: bool, level: u64) -> Value {
        let value = text(&step["value"]);
        let (told, kinds, state) = match text(&step["kind"]) {
            "input" | "assign" => {
                let name = text(&step["variable"]);
                (format!("{name} = {value}"), vec!["value"], Some((name, value)))
            }
            "branch" => {
                let taken = if step["taken"] == true { "true" } else { "false" };
                let outcome = layout::outcome(text(&step["text"]), step["taken"] == true);
                (format!("{} is {outcome}", text(&step["text"])), vec!["branch", taken], None)
            }
            "call" => (format!("calls {}", text(&step["callee"])), vec!["call", "function"], None),
            "return" if value.is_empty() => ("returns".to_owned(), vec!["return", "function"], None),
            "return" => (format!("returns {value}"), vec!["return", "function"], None),
            _ if step["holds"] == true => (format!("{} holds", text(&step["text"])), vec!["caution"], None),
            _ => (format!("{} is violated", text(&step["text"])), vec!["danger"], None),
        };
        let mut flow = json!({
            "location": self.location(step, Some(told)),
            "executionOrder": number + 1,
            "nestingLevel": level,
            "kinds": kinds,
            "importance": if essential { "essential" } else { "important" },
        });
        if let Some((name, value)) = state {
            flow["state"] = json!({name: {"text": value}});
        }
        flow
    }

    /// One way to fail, as `focus` finds them.
    fn way(&self, way: &Value, claims: &[Value]) -> Value {
        let when = super::json::ways::when(way, &str::to_owned);
        let told = format!("Way {} to violate {}: {when}.", way["rank"], text(&way["property"]));
        let claim = claims.iter().find(|claim| claim["id"] == way["property"]).unwrap_or(&Value::Null);
        let statements = way["statements"].as_array().map(Vec::as_slice).unwrap_or_default();
        let in_nest = |statement: &Value| {
            let nest = way["nest"].as_array().map(Vec::as_slice).unwrap_or_default();
            nest.iter().any(|line| line["line"] == statement["line"] && line["file"] == statement["file"])
        };
        let locations: Vec<Value> = (statements.iter().enumerate())
            .map(|(number, statement)| {
                let outcome = statement["outcome"].as_bool();
                let told = outcome.map(|is| {
                    format!("{} is {}", text(&statement["text"]), layout::outcome(text(&statement["text"]), is))
                });
                let kinds = match outcome {
                    Some(true) => vec!["branch", "true"],
                    Some(false) => vec!["branch", "false"],
                    None => vec!["value"],
                };
                json!({
                    "location": self.location(statement, told.or_else(|| Some(text(&statement["text"]).to_owned()))),
                    "executionOrder": number + 1,
                    "kinds": kinds,
                    "importance": if in_nest(statement) { "essential" } else { "important" },
                })
            })
            .collect();
        let mut result = json!({
            "ruleId": kind(text(&way["property"])),
            "level": "error",
            "message": {"text": told},
            "locations": [self.location(claim, None)],
            "partialFingerprints": fingerprint(&told),
        });
        if !locations.is_empty() {
            result["codeFlows"] = json!([{"threadFlows": [{"locations": locations}]}]);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("a b/<x>.c", None), "a%20b/%3Cx%3E.c");
        assert_eq!(uri("./a.c", None), "a.c");
        assert_eq!(uri("/tmp/a.c", None), "file:///tmp/a.c");
    }

    #[test]
    fn kinds_are_read_from_identifiers() {
        assert_eq!(kind("main.division-by-zero.3"), "division-by-zero");
        assert_eq!(kind("f@a.c.overflow.1"), "overflow");
        assert_eq!(kind("odd"), "claim");
    }
}
