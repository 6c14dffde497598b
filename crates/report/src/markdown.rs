//! The answer as Markdown for a comment on a pull request: a sentence, the two runs' inputs side by side, what matters, whom
//! to suspect; the failing run and the rest folded away.
//!
//! It is made from the answer in JSON. Everything that comes from the program is in code spans that nothing can end.

use serde_json::Value;

use super::layout::{count, outcome};

/// So many lines of a list are shown before the rest is folded or left out.
const MOST_ROWS: usize = 12;
/// So many failing tests are told.
const MOST_TESTS: usize = 5;
/// A step list longer than this is cut.
const MOST_STEPS: usize = 200;

/// The whole answer. `sentence` is what the text report starts with.
pub fn render(answer: &Value, sentence: &str) -> String {
    let mut out = format!("### {}\n\n", heading(answer));
    if !sentence.is_empty() {
        out += &format!("{}\n", plain(sentence));
    }
    let sections = [
        changes(answer),
        dump(answer),
        tests(answer),
        inputs(answer),
        differences(answer),
        causes(answer),
        suspects(answer),
        fixes(answer),
        ways(answer),
        steps(answer),
        notes(answer),
    ];
    for section in sections.iter().filter(|section| !section.is_empty()) {
        out.push('\n');
        out += section;
    }
    let has_run = answer["counterexample"].is_object();
    let (verb, replayed) = match has_run {
        true => ("replayed", &answer["counterexample"]["replayed"]),
        false => ("tests executed", &answer["replayed"]),
    };
    let trust = match &replayed["native"] {
        Value::Bool(true) if answer["counterexample"]["cycles"].is_number() => {
            format!("{verb} by the interpreter, simulated from the model and by Icarus Verilog")
        }
        Value::Bool(true) => format!("{verb} by the interpreter and by the compiled program"),
        _ if replayed.is_object() => format!("{verb} by the interpreter"),
        _ => return out,
    };
    out + &format!("\n<sub>nearmiss {}: {trust}.</sub>\n", env!("CARGO_PKG_VERSION"))
}

/// The dump of a crash file: it holds no characters but those of a dump, and names of files without control characters.
fn dump(answer: &Value) -> String {
    match text(&answer["crash"]["dump"]) {
        "" => String::new(),
        dump => format!("{}\n", dump.lines().map(|line| format!("    {line}\n")).collect::<String>().trim_end()),
    }
}

/// The tests that fail: what is wrong first, what is expected beside it, and where it was printed.
fn tests(answer: &Value) -> String {
    let failing: Vec<&Value> = list(&answer["tests"]).iter().filter(|test| test["passes"] == false).collect();
    let mut out = String::new();
    for test in failing.iter().take(MOST_TESTS) {
        let at = match text(&test["file"]) {
            "" => String::new(),
            _ => format!(": {} {}", place(test), code(text(&test["text"]))),
        };
        out += &format!("**Test {}** {}{at}\n", code(text(&test["name"])), plain(text(&test["told"])));
        if test["compares"] == true {
            let lines = [("expected", "expected"), ("printed ", "printed")];
            let lines: Vec<String> =
                lines.iter().map(|(word, key)| format!("{word} | {}", text(&test[*key]))).collect();
            out += &format!("\n{}", fenced("text", &lines));
        }
        for name in list(&test["unset"]) {
            out += &format!("\nIt depends on {}, which was not set.\n", code(text(name)));
        }
        out.push('\n');
    }
    if failing.len() > MOST_TESTS {
        out += &format!("and {}\n", count(failing.len() - MOST_TESTS, "more failing test"));
    }
    out.trim_end_matches('\n').to_owned() + if out.is_empty() { "" } else { "\n" }
}

fn heading(answer: &Value) -> String {
    match text(&answer["verdict"]) {
        "holds" if answer["crash"].is_object() => "✅ The crash file passes".to_owned(),
        "fails" if answer["tests"].is_array() => "❌ Tests fail".to_owned(),
        "holds" if answer["tests"].is_array() => "✅ All tests pass".to_owned(),
        "fails" => format!("❌ {} fails", code(text(&answer["property"]["id"]))),
        "holds" if answer["complete"] == true => {
            let arguments = answer["arguments"].as_str().map_or(String::new(), |how| format!(" by an execution {how}"));
            format!("✅ No claim can be violated{arguments}")
        }
        "holds" => format!("✅ No claim can be violated up to the bound of {}", answer["bound"]["unwind"]),
        _ => "❔ Undecided".to_owned(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The same in a table, where a bar would end the cell.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Text in a code span: as many backticks around it as it takes, in one line.
fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut longest = 0;
    let mut now = 0;
    for c in text.chars() {
        now = if c == '`' { now + 1 } else { 0 };
        longest = longest.max(now);
    }
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 || text.is_empty() { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Our own words with code spans in them: the code stays, what is left of the rest is harmless.
fn plain(sentence: &str) -> String {
    let mut out = String::new();
    for (index, part) in sentence.split('`').enumerate() {
        if index % 2 == 1 {
            out += &code(part);
            continue;
        }
        for c in part.chars() {
            match c {
                '<' => out += "&lt;",
                '&' => out += "&amp;",
                '*' | '_' | '[' | ']' | '|' | '#' | '\\' | '~' => out.extend(['\\', c]),
                '\n' => out.push(' '),
                c => out.push(c),
            }
        }
    }
    out
}

fn place(at: &Value) -> String {
    code(&format!("{}:{}", text(&at["file"]), at["line"]))
}

/// The changes to blame, each with its lines.
fn changes(answer: &Value) -> String {
    let mut out = String::new();
    for change in list(&answer["changes"]).iter().filter(|change| change["to_blame"] == true) {
        let lines = |key: &str, sign: &str| -> Vec<String> {
            text(&change[key]).lines().map(|line| format!("{sign} {line}")).collect()
        };
        let lines = [lines("old", "-"), lines("new", "+")].concat();
        out += &format!("**To blame** {}\n\n{}\n", place(change), fenced("diff", &lines));
    }
    match answer["blame"]["told"].as_str() {
        Some(told) => out + &plain(told) + "\n",
        None => out,
    }
}

/// Inputs of both runs side by side.
fn inputs(answer: &Value) -> String {
    let failing = list(&answer["counterexample"]["inputs"]);
    let passing = list(&answer["nearest"]["inputs"]);
    if failing.is_empty() {
        return String::new();
    }
    let both = answer["nearest"].is_object();
    let mut out = match both {
        true => "| input | failing run | passing run |\n|---|---|---|\n".to_owned(),
        false => "| input | failing run |\n|---|---|\n".to_owned(),
    };
    let mut open: Vec<&Value> = passing.iter().collect();
    for input in failing.iter().take(MOST_ROWS) {
        let same = |other: &&Value| other["name"] == input["name"] && other["line"] == input["line"];
        let other = open.iter().position(same).map(|at| open.remove(at));
        out += &format!("| {} | {} |", cell(text(&input["name"])), cell(text(&input["value"])));
        if both {
            let other = other.map(|other| text(&other["value"]));
            let told = match other {
                Some(value) if value == text(&input["value"]) => format!(" {} |", cell(value)),
                Some(value) => format!(" **{}** |", cell(value)),
                None => " not read |".to_owned(),
            };
            out += &told;
        }
        out.push('\n');
    }
    let more = failing.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        out += &format!("\nand {}\n", count(more, "more input"));
    }
    out
}

/// What differs: in predicates as the explanation says it, else what both runs did in the rows that differ.
fn differences(answer: &Value) -> String {
    if answer["nearest"]["state"] == "values" {
        return rows(list(&answer["nearest"]["rows"]));
    }
    let mattering = list(&answer["slice"]["deltas"]);
    let (title, deltas) = match mattering.is_empty() {
        false => ("What matters", mattering),
        true => ("What differs", list(&answer["nearest"]["deltas"])),
    };
    let visible: Vec<&Value> =
        deltas.iter().filter(|delta| delta["executed"] != "neither" && delta["kind"] != "input").collect();
    if visible.is_empty() {
        return String::new();
    }
    let mut out = format!("**{title}**\n\n| where | what | failing | passing |\n|---|---|---|---|\n");
    for delta in visible.iter().take(MOST_ROWS) {
        let told = |side: &str, other: &str| match text(&delta["executed"]) {
            executed if executed == other => "not at this point".to_owned(),
            _ if delta["kind"] == "guard" => cell(outcome(text(&delta["text"]), text(&delta[side]) != "0")),
            _ => cell(text(&delta[side])),
        };
        let what = match text(&delta["kind"]) {
            "value" => cell(&format!("{} ({})", text(&delta["variable"]), text(&delta["text"]))),
            _ => cell(text(&delta["text"])),
        };
        let (failing, passing) = (told("failing", "passing"), told("passing", "failing"));
        out += &format!(
            "| {} | {what} | {failing} | {passing} |\n",
            cell(&format!("{}:{}", text(&delta["file"]), delta["line"]))
        );
    }
    let more = visible.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        out += &format!("\nand {}\n", count(more, "more difference"));
    }
    out
}

/// What the runs did where they differ: what matters, or everything if nothing does.
fn rows(rows: &[Value]) -> String {
    let mattering: Vec<&Value> = rows.iter().filter(|row| row["matters"] == true).collect();
    let (title, rows) = match mattering.is_empty() {
        false => ("What matters", mattering),
        true => ("What differs", rows.iter().collect()),
    };
    if rows.is_empty() {
        return String::new();
    }
    let mut out = format!("**{title}**\n\n| where | what | failing | passing |\n|---|---|---|---|\n");
    for row in rows.iter().take(MOST_ROWS) {
        let told = |side: &str| row[side].as_str().map_or_else(|| "not then".to_owned(), cell);
        let (place, what) = (cell(&format!("{}:{}", text(&row["file"]), row["line"])), cell(text(&row["text"])));
        out += &format!("| {place} | {what} | {} | {} |\n", told("failing"), told("passing"));
    }
    let more = rows.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        out += &format!("\nand {}\n", count(more, "more difference"));
    }
    out
}

fn causes(answer: &Value) -> String {
    let causes = list(&answer["causes"]);
    if causes.is_empty() {
        return String::new();
    }
    // What is true in both runs makes nobody wiser, where there is another one.
    let told: Vec<&Value> = causes.iter().filter(|cause| cause["in_passing_run"] == false).collect();
    let told = if told.is_empty() { causes.iter().collect() } else { told };
    let named: Vec<String> = told.iter().take(6).map(|cause| code(text(&cause["text"]))).collect();
    format!("**It fails because** {}\n", named.join(", "))
}

fn suspects(answer: &Value) -> String {
    let suspects = list(&answer["suspects"]);
    if suspects.is_empty() {
        return String::new();
    }
    let mut out = "**Lines to look at first**\n\n".to_owned();
    for suspect in suspects.iter().take(5) {
        let reasons: Vec<String> = list(&suspect["reasons"]).iter().map(|reason| plain(text(reason))).collect();
        let why = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
        out += &format!("{}. {} {}{why}\n", suspect["rank"], place(suspect), code(text(&suspect["text"])));
    }
    out
}

/// The fixes, each with its diff, and what was tried.
fn fixes(answer: &Value) -> String {
    let mut out = String::new();
    for (index, fix) in list(&answer["fixes"]).iter().enumerate() {
        out += &format!("**Fix {}** {}\n\n{}\n", index + 1, places(&fix["edits"]), diff(fix));
        list(&fix["told"]).iter().for_each(|fact| out += &format!("- {}\n", plain(text(fact))));
        out.push('\n');
    }
    let told = [&answer["tried"]["told"], &answer["diagnosed"]["told"]];
    let told: Vec<String> = told.iter().filter_map(|told| told.as_str()).map(|told| plain(told) + "\n").collect();
    out + &told.join("\n")
}

/// The places of edits; those on one line have one.
fn places(edits: &Value) -> String {
    let mut told: Vec<String> = list(edits).iter().map(place).collect();
    told.dedup();
    told.join(" and ")
}

/// Lines that go and come, in a fence that nothing in them can end.
fn diff(fix: &Value) -> String {
    let mut lines = Vec::new();
    for hunk in list(&fix["diff"]) {
        lines.extend(list(&hunk["old"]).iter().map(|line| format!("- {}", text(line))));
        lines.extend(list(&hunk["new"]).iter().map(|line| format!("+ {}", text(line))));
    }
    fenced("diff", &lines)
}

/// Lines of some kind in a fence that none of them ends.
fn fenced(kind: &str, lines: &[String]) -> String {
    let longest = lines.iter().flat_map(|line| line.split(|letter| letter != '`')).map(str::len).max();
    let fence = "`".repeat(longest.map_or(3, |longest| (longest + 1).max(3)));
    format!("{fence}{kind}\n{}\n{fence}\n", lines.join("\n"))
}

/// The ways to fail that `focus` finds.
fn ways(answer: &Value) -> String {
    let mut out = String::new();
    for way in list(&answer["sequences"]).iter().take(MOST_ROWS) {
        let when = super::json::ways::when(way, &code);
        out += &format!("**Way {}**: {when}\n\n", way["rank"]);
        for statement in list(&way["statements"]) {
            let outcome = match statement["outcome"].as_bool() {
                Some(outcome) => format!(" is {outcome}"),
                None => String::new(),
            };
            out += &format!("- {} {}{outcome}\n", place(statement), code(text(&statement["text"])));
        }
        out.push('\n');
    }
    out.trim_end_matches('\n').to_owned() + if out.is_empty() { "" } else { "\n" }
}

/// The failing run, folded.
fn steps(answer: &Value) -> String {
    let steps = list(&answer["counterexample"]["steps"]);
    if steps.is_empty() {
        return String::new();
    }
    let mut out = format!("<details><summary>The failing run, {}</summary>\n\n", count(steps.len(), "step"));
    for step in steps.iter().take(MOST_STEPS) {
        let told = match text(&step["kind"]) {
            "input" | "assign" => code(&format!("{} = {}", text(&step["variable"]), text(&step["value"]))),
            "branch" => {
                let told = outcome(text(&step["text"]), step["taken"] == true);
                format!("{} is {told}", code(text(&step["text"])))
            }
            "call" => format!("calls {}", code(text(&step["callee"]))),
            "return" if step["value"].is_null() => "returns".to_owned(),
            "return" => format!("returns {}", code(text(&step["value"]))),
            _ => {
                let holds = if step["holds"] == true { "holds" } else { "**is violated**" };
                format!("{} {holds}", code(text(&step["text"])))
            }
        };
        out += &format!("- {} {told}\n", place(step));
    }
    if steps.len() > MOST_STEPS {
        out += &format!("- and {}\n", count(steps.len() - MOST_STEPS, "more step"));
    }
    out + "\n</details>\n"
}

fn notes(answer: &Value) -> String {
    let notes = list(&answer["notes"]);
    notes.iter().map(|note| format!("- {}\n", plain(text(note)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_code_span() {
        assert_eq!(code("a < b"), "`a < b`");
        assert_eq!(code("a ` b"), "`` a ` b ``");
        assert_eq!(code("a || b"), "`a || b`");
        assert_eq!(cell("a | b"), "`a \\| b`");
        assert_eq!(code("x\n</details>"), "`x </details>`");
    }

    #[test]
    fn our_words_stay_words() {
        assert_eq!(plain("`a*b` with <b> & x_y"), "`a*b` with &lt;b> &amp; x\\_y");
    }
}
