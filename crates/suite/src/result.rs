//! What is kept of a task: from how its process ended and what it printed to one object.
//!
//! A process that ends badly is a result like any other. It says why, in a word for scripts and a sentence for people.

use serde_json::{Value, json};

use crate::task::{Command, SCHEMA, Task, Verdict, find};

/// How a process ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ended {
    /// Its exit code, if it had one.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Was it ended because it went on after its time was over?
    pub is_late: bool,
    /// What it printed: values in JSON, one after the other.
    pub printed: Vec<u8>,
    /// Did it print more than is kept?
    pub is_cut: bool,
    /// The end of what it said on standard error.
    pub said: String,
}

/// Signals by which a process ends that does something wrong itself: another try would end in the same way.
const OWN_FAULTS: [(i32, &str); 6] = [
    (4, "an illegal instruction"),
    (6, "an abort"),
    (7, "a bus error"),
    (8, "an arithmetic exception"),
    (11, "a segmentation fault"),
    (31, "a system call that is not allowed"),
];

impl Ended {
    /// Was it ended from outside, by a signal that says nothing about the task?
    pub fn is_killed(&self) -> bool {
        self.signal.is_some_and(|signal| !self.is_late && !OWN_FAULTS.iter().any(|(own, _)| *own == signal))
    }
}

/// What is said of a task.
struct Said {
    verdict: Verdict,
    why: Option<&'static str>,
    sentence: String,
}

impl Said {
    fn error(why: &'static str, sentence: impl Into<String>) -> Said {
        Said { verdict: Verdict::Error, why: Some(why), sentence: sentence.into() }
    }
}

/// The result of a task. `focus` is how the question for its condition ended, if it was asked.
pub fn of(task: &Task, key: &str, ended: &Ended, focus: Option<&Ended>, seconds: f64) -> Value {
    let mut values = values(&ended.printed);
    let mut read = read(task, ended, &mut values);
    let mut last = values.pop().unwrap_or_default();
    // A record has the answer beside its other forms; an error of the input is an answer by itself.
    let is_record = last.get("answer").is_some();
    let is_error = last["verdict"].is_string();
    let answer = match (is_record, is_error) {
        (true, _) => last["answer"].take(),
        (false, true) => last.clone(),
        (false, false) => Value::Null,
    };
    let said = said(task, ended, &last, &answer);
    let focus = focus.map(|focus| self::values(&focus.printed)).unwrap_or_default();
    if let (Some(more), Value::Object(read)) = (focus.iter().find_map(|value| value["read"].as_object()), &mut read) {
        read.extend(more.clone());
    }
    let condition = focus.last().and_then(|last| condition(&last["answer"], Some(&answer)));
    let seconds = (seconds * 1000.0).round() / 1000.0;
    json!({
        "schema": SCHEMA,
        "key": key,
        "command": task.command.name(),
        "verdict": said.verdict.name(),
        "why": said.why,
        "sentence": said.sentence,
        "exit": ended.exit,
        "seconds": seconds,
        "property": property(&answer),
        "suspects": suspects(&answer),
        "condition": condition.or_else(|| self::condition(&answer, None)),
        "read": read,
        "text": last["text"].take(),
        "answer": answer,
        "sarif": last["sarif"].take(),
    })
}

/// The files that were read. Null: it is not known which, or what ended it says nothing of the task, so that next time it
/// is done again. What `causes` reads is all named.
fn read(task: &Task, ended: &Ended, values: &mut [Value]) -> Value {
    let told = values.iter_mut().rev().find_map(|value| value.get_mut("read").map(Value::take));
    match told {
        _ if ended.is_killed() => Value::Null,
        Some(read) => read,
        None if task.command == Command::Causes && ended.exit.is_some() => json!({}),
        None => Value::Null,
    }
}

/// Values one after the other, as far as they can be read.
fn values(printed: &[u8]) -> Vec<Value> {
    serde_json::Deserializer::from_slice(printed).into_iter().map_while(Result::ok).collect()
}

fn said(task: &Task, ended: &Ended, last: &Value, answer: &Value) -> Said {
    if ended.is_late {
        let sentence = "it did not end when its time was over, and was ended".to_owned();
        return Said { verdict: Verdict::Undecided, why: Some("time"), sentence };
    }
    if ended.is_cut {
        return Said::error("too large", "its answer is too large to be kept");
    }
    if let Some(signal) = ended.signal {
        return match OWN_FAULTS.iter().find(|(own, _)| *own == signal) {
            Some((_, name)) => Said::error("crashed", format!("nearmiss ended with {name} (signal {signal})")),
            None => Said::error(
                "killed",
                format!("it was killed again and again (signal {signal}); perhaps the machine has too little memory"),
            ),
        };
    }
    let message = || first_line(&ended.said).unwrap_or_else(|| "nothing was said about why".to_owned());
    match (ended.exit, find(Verdict::WORDS, answer["verdict"].as_str().unwrap_or_default())) {
        (Some(0 | 5 | 10), Some(verdict)) => decided(task, verdict, last, answer),
        (Some(1 | 2), _) => Said::error("unreadable", error(answer).unwrap_or_else(message)),
        (Some(6), _) => Said::error("internal", message()),
        (Some(exit), _) => Said::error("internal", format!("exit code {exit} without an answer: {}", message())),
        (None, _) => Said::error("internal", message()),
    }
}

fn decided(task: &Task, verdict: Verdict, last: &Value, answer: &Value) -> Said {
    let sentence = last["sentence"].as_str().unwrap_or_default().to_owned();
    let stopped = match last["stopped"].as_str() {
        Some("time") => "time",
        Some("memory") => "memory",
        _ => "undecided",
    };
    if verdict == Verdict::Fails && only_open(task, answer) {
        let sentence =
            format!("memory is not freed, which the property allows as long as something points to it; {sentence}");
        return Said { verdict: Verdict::Undecided, why: Some("undecided"), sentence };
    }
    Said { verdict, why: (verdict == Verdict::Undecided).then_some(stopped), sentence }
}

/// Is what fails only what the property does not ask for?
fn only_open(task: &Task, answer: &Value) -> bool {
    let claims = answer["claims"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut failing = claims.iter().filter(|claim| claim["status"] == "fails").peekable();
    let kind = |claim: &Value| claim["id"].as_str().and_then(|id| id.rsplit('.').nth(1)).unwrap_or_default().to_owned();
    failing.peek().is_some() && failing.all(|claim| task.open.contains(&kind(claim)))
}

/// The first error of an answer, with its place.
fn error(answer: &Value) -> Option<String> {
    let first = answer["errors"].as_array()?.first()?;
    let message = first["message"].as_str()?;
    Some(match (first["file"].as_str(), first["line"].as_u64()) {
        (Some(file), Some(line)) => format!("{file}:{line}: {message}"),
        _ => message.to_owned(),
    })
}

fn first_line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.strip_prefix("error: ").unwrap_or(line).to_owned())
}

/// The claim that was looked at.
fn property(answer: &Value) -> Value {
    let property = &answer["property"];
    match property["id"].as_str() {
        Some(id) => json!({"id": id, "file": property["file"], "line": property["line"]}),
        None => Value::Null,
    }
}

/// Suspected lines, in order of rank; of `focus`, the neighbourhood of the error.
fn suspects(answer: &Value) -> Vec<String> {
    let place = |at: &Value| Some(format!("{}:{}", at["file"].as_str()?, at["line"].as_u64()?));
    let list = |value: &Value| value.as_array().map(|all| all.iter().filter_map(place).collect::<Vec<_>>());
    let suspects = list(&answer["suspects"]).unwrap_or_default();
    if !suspects.is_empty() {
        return suspects;
    }
    list(&answer["sequences"][0]["nest"]).unwrap_or_default()
}

/// When it fails, in words: of every way in which it does, or of those that the failing run of another answer goes.
fn condition(answer: &Value, run: Option<&Value>) -> Option<String> {
    let ways = answer["sequences"].as_array().filter(|ways| !ways.is_empty())?;
    let of_claim: Vec<&Value> = match run {
        Some(run) => ways.iter().filter(|way| way["property"] == run["property"]["id"]).collect(),
        None => ways.iter().collect(),
    };
    let gone: Vec<&Value> = match run {
        Some(run) => of_claim.iter().copied().filter(|way| goes(&run["counterexample"], way)).collect(),
        None => Vec::new(),
    };
    let texts = |value: &Value| -> Vec<String> {
        let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(|item| item.as_str().or_else(|| item["text"].as_str())).map(str::to_owned).collect()
    };
    let of_way = |way: &&Value| {
        let reduced = texts(&way["reduced_assumptions"]);
        let all = if reduced.is_empty() { texts(&way["assumptions"]) } else { reduced };
        if all.is_empty() { "always".to_owned() } else { all.join(" and ") }
    };
    let mut all: Vec<String> = if gone.is_empty() { &of_claim } else { &gone }.iter().map(of_way).collect();
    all.sort();
    all.dedup();
    (!all.is_empty()).then(|| all.join("; or "))
}

/// Does a run take every branch of a way as the way does?
fn goes(run: &Value, way: &Value) -> bool {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let steps = list(&run["steps"]);
    let taken = |statement: &Value| {
        let is_it = |step: &Value| {
            step["kind"] == "branch"
                && step["file"] == statement["file"]
                && step["line"] == statement["line"]
                && step["taken"] == statement["outcome"]
        };
        steps.iter().any(is_it)
    };
    list(&way["statements"]).iter().filter(|statement| statement["outcome"].is_boolean()).all(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Expected;

    fn task() -> Task {
        Task {
            name: "t".to_owned(),
            command: Command::Check,
            argv: vec!["check".to_owned()],
            files: Vec::new(),
            crash: None,
            focus: None,
            expected: Expected::Any,
            open: vec!["memory-leak".to_owned()],
        }
    }

    fn ended(exit: i32, printed: &str) -> Ended {
        Ended { exit: Some(exit), printed: printed.as_bytes().to_vec(), ..Ended::default() }
    }

    fn told(ended: &Ended) -> [String; 3] {
        let result = of(&task(), "k", ended, None, 0.5);
        ["verdict", "why", "sentence"].map(|key| result[key].as_str().unwrap_or("null").to_owned())
    }

    #[test]
    fn an_answer_is_kept_with_what_was_read() {
        let printed = r#"{"read": {"a.h": "1"}} {"answer": {"verdict": "fails", "suspects": [{"file": "a.c", "line": 3}],
            "property": {"id": "p", "file": "a.c", "line": 4}}, "text": "FAILS", "sentence": "s", "sarif": {}}"#;
        let result = of(&task(), "k", &ended(10, printed), None, 0.5);
        assert_eq!(result["verdict"], "fails");
        assert_eq!(result["read"]["a.h"], "1");
        assert_eq!(result["suspects"], json!(["a.c:3"]));
        assert_eq!(result["property"]["line"], 4);
        assert_eq!(result["answer"]["verdict"], "fails");
    }

    #[test]
    fn bad_ends_are_results() {
        let signal = |signal| Ended { signal: Some(signal), ..Ended::default() };
        assert_eq!(told(&signal(11))[1], "crashed");
        assert_eq!(told(&signal(9))[1], "killed");
        let read = |ended: &Ended| of(&task(), "k", ended, None, 0.5)["read"].clone();
        let early = Ended { printed: br#"{"read": {"a.h": "1"}}"#.to_vec(), ..signal(11) };
        assert_eq!((read(&early), read(&signal(11))), (json!({"a.h": "1"}), Value::Null));
        assert_eq!(read(&Ended { signal: Some(9), ..early }), Value::Null);
        assert!(signal(9).is_killed() && signal(15).is_killed() && !signal(11).is_killed());
        let late = Ended { is_late: true, ..signal(9) };
        assert!(!late.is_killed());
        assert_eq!(told(&late)[..2], ["undecided", "time"]);
        assert_eq!(told(&Ended { said: "\nerror: no\n".to_owned(), ..ended(2, "") })[1..], ["unreadable", "no"]);
        let errors = r#"{"verdict": "error", "errors": [{"message": "m", "file": "a.c", "line": 2}]}"#;
        assert_eq!(told(&ended(2, errors)), ["error", "unreadable", "a.c:2: m"]);
        assert_eq!(told(&ended(0, "no json"))[1], "internal");
        assert_eq!(told(&Ended { is_cut: true, ..ended(0, "") })[1], "too large");
        assert_eq!(
            told(&ended(5, r#"{"answer": {"verdict": "undecided"}, "stopped": "memory"}"#))[..2],
            ["undecided", "memory"]
        );
    }

    #[test]
    fn the_condition_is_that_of_the_way_that_the_run_goes() {
        let way = |id: &str, outcome: bool, condition: &str| {
            json!({"property": id, "statements": [{"file": "a.c", "line": 3, "outcome": outcome}, {"line": 4, "outcome": null}],
                "assumptions": [condition]})
        };
        let ways = json!({"sequences": [way("p", true, "n > 3"), way("p", false, "n < 0"), way("q", true, "n == 1")]});
        let run = |id: &str, taken: bool| {
            json!({"property": {"id": id},
                "counterexample": {"steps": [{"kind": "branch", "file": "a.c", "line": 3, "taken": taken}]}})
        };
        assert_eq!(condition(&ways, Some(&run("p", true))).as_deref(), Some("n > 3"));
        assert_eq!(condition(&ways, Some(&run("p", false))).as_deref(), Some("n < 0"));
        // Where no way of the claim is gone, all of them are told.
        assert_eq!(condition(&ways, Some(&run("q", false))).as_deref(), Some("n == 1"));
        assert_eq!(condition(&ways, Some(&run("r", true))), None);
        assert_eq!(condition(&ways, None).as_deref(), Some("n < 0; or n == 1; or n > 3"));
    }

    #[test]
    fn a_leak_alone_does_not_violate_a_property_that_allows_it() {
        let answer = |ids: &[&str]| {
            let claims: Vec<Value> = ids.iter().map(|id| json!({"id": id, "status": "fails"})).collect();
            json!({"answer": {"verdict": "fails", "claims": claims}}).to_string()
        };
        assert_eq!(told(&ended(10, &answer(&["main.memory-leak.1"])))[0], "undecided");
        assert_eq!(told(&ended(10, &answer(&["main.memory-leak.1", "main.free.1"])))[0], "fails");
    }
}
