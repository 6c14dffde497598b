//! Every form against the steps of the two runs, which were compared with the compiled program before: rows of JSON, the
//! table in text, the page (table of differences, margin of the source, runs for scripts), Markdown, SARIF and the witness.

use std::collections::BTreeMap;

use serde_json::Value;

/// What is compared.
pub struct Told<'a> {
    answer: &'a Value,
    rows: Vec<Row>,
    what: &'a str,
}

/// A row of the two runs side by side, as it must be told.
struct Row {
    line: u64,
    text: String,
    cells: [Option<String>; 2],
    times: [Option<u64>; 2],
    /// How often each run executes the statement.
    totals: [u64; 2],
    is_branch: bool,
    /// Of a `case`: whether the run that does not ask for it comes to the `switch`; none if it does so at other times.
    switches: Option<bool>,
    matters: bool,
}

impl Row {
    /// What stands in a cell of people's tables.
    fn cell(&self, side: usize) -> String {
        let own = self.times[1 - side].unwrap_or_default();
        match &self.cells[side] {
            Some(cell) => cell.clone(),
            None if self.totals[side] >= own => "not at this point".to_owned(),
            None if self.is_branch => match (self.cells[1 - side].as_deref(), self.switches) {
                (Some("taken"), Some(true)) => "not taken".to_owned(),
                (Some("not taken"), Some(true)) => "not asked".to_owned(),
                // Which it is, only their order says.
                (Some("taken"), None) => "not reached|not taken".to_owned(),
                (Some("not taken"), None) => "not reached|not asked".to_owned(),
                _ => "not reached".to_owned(),
            },
            None => "not executed".to_owned(),
        }
    }

    /// Which time it is.
    fn when(&self) -> String {
        let (first, second) = match self.times {
            _ if self.totals[0].max(self.totals[1]) <= 1 => return String::new(),
            [Some(first), Some(second)] => (first, second),
            [first, second] => (first.or(second).unwrap(), first.or(second).unwrap()),
        };
        match first == second {
            true => format!("{} time", ordinal(first)),
            false => format!("{}/{} time", ordinal(first), ordinal(second)),
        }
    }
}

fn ordinal(n: u64) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

const RUNS: [&str; 2] = ["counterexample", "nearest"];

/// What a step did, in words; nothing for a call.
fn did(step: &Value) -> String {
    match text(step, "kind") {
        "input" | "assign" => format!("{} = {}", text(step, "variable"), text(step, "value")),
        "branch" => came_out(step),
        "return" if step["value"].is_string() => format!("returns {}", text(step, "value")),
        "claim" => if step["holds"] == true { "holds" } else { "violated" }.to_owned(),
        _ => String::new(),
    }
}

/// How a condition came out: a case is taken, another condition is true.
fn came_out(step: &Value) -> String {
    match (text(step, "text").starts_with("case "), step["taken"] == true) {
        (true, true) => "taken",
        (true, false) => "not taken",
        (false, true) => "true",
        (false, false) => "false",
    }
    .to_owned()
}

/// Text without the parentheses and the colon that a span may have or not have.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !" ():".contains(*c)).collect()
}

/// Whether this is a text, or the start of it.
fn is_cut(told: &str, text: &str) -> bool {
    told == text || told.strip_suffix('…').is_some_and(|start| text.starts_with(start))
}

/// A statement: line, function, kind, text.
type Statement = (u64, String, String, String);

/// The statement of a step.
fn statement(step: &Value) -> Statement {
    let kind = if text(step, "kind") == "input" { "assign" } else { text(step, "kind") };
    (step["line"].as_u64().unwrap(), text(step, "function").to_owned(), kind.to_owned(), bare(text(step, "text")))
}

/// For each step of a run: for the how many-th time its statement is executed. Parts of one object are set at once.
fn times(steps: &[Value]) -> (Vec<u64>, BTreeMap<Statement, u64>) {
    let mut totals = BTreeMap::new();
    let mut burst: Option<(Statement, Vec<String>)> = None;
    let mut times = Vec::new();
    for step in steps {
        let (own, name) = (statement(step), text(step, "variable").to_owned());
        let goes_on =
            burst.as_ref().is_some_and(|(of, names)| *of == own && !name.is_empty() && !names.contains(&name));
        let total = totals.entry(own.clone()).or_insert(0);
        if !goes_on {
            *total += 1;
            burst = Some((own, Vec::new()));
        }
        times.push(*total);
        burst.iter_mut().for_each(|(_, names)| names.push(name.clone()));
    }
    (times, totals)
}

/// An answer in every form.
pub struct Forms {
    pub json: String,
    pub verbose: String,
    pub markdown: String,
    pub sarif: String,
    pub html: String,
    pub witness: String,
}

/// Compares all forms with the steps of an answer.
pub fn compare(answer: &Value, forms: &Forms, plain: &str, what: &str) {
    let rows = rows(answer, plain, what);
    let told = Told { answer, rows, what };
    let is_by_rows = answer["nearest"]["metric"] != "align";
    match is_by_rows {
        true => {
            told.text(&forms.verbose, plain);
            told.number(&forms.verbose);
        }
        false => told.step_by_step(&forms.verbose),
    }
    told.suspects(is_by_rows);
    told.markdown(&forms.markdown);
    told.sarif(&serde_json::from_str(&forms.sarif).unwrap());
    told.page(&forms.html, is_by_rows);
    told.witness(&forms.witness, plain);
}

/// The rows of JSON: each has a difference, and its cells are what steps of the runs did, for the time that it says.
fn rows(answer: &Value, plain: &str, what: &str) -> Vec<Row> {
    let runs = RUNS.map(|run| (list(&answer[run]["steps"]), times(list(&answer[run]["steps"]))));
    let mut found = Vec::new();
    let mut differing = [0, 0];
    for row in list(&answer["nearest"]["rows"]) {
        assert_ne!(row["failing"], row["passing"], "{row}\n{what}");
        let line = row["line"].as_u64().unwrap();
        let mut cells = [None, None];
        let mut times = [None, None];
        let mut of = None;
        for (side, name) in ["failing", "passing"].into_iter().enumerate() {
            let Some(cell) = row[name].as_str() else { continue };
            let time = row[format!("{name}_time")].as_u64().unwrap();
            let (steps, (numbers, _)) = &runs[side];
            let is_it = |(step, number): &(&Value, &u64)| {
                let place = step["line"] == row["line"] && step["function"] == row["function"];
                let is_text = bare(text(step, "text")) == bare(text(row, "text")) || text(step, "kind") == "claim";
                place && **number == time && did(step) == cell && is_text
            };
            let step = steps.iter().zip(numbers).find(is_it);
            let (step, _) = step.unwrap_or_else(|| panic!("{name} did not do that: {row}\n{what}"));
            assert!(step["differs"] == true, "{step} differs\n{what}");
            differing[side] += 1;
            of = Some(statement(step));
            (cells[side], times[side]) = (Some(cell.to_owned()), Some(time));
        }
        let of = of.unwrap_or_else(|| panic!("an empty row: {row}\n{what}"));
        let totals = [0, 1].map(|side| runs[side].1.1.get(&of).copied().unwrap_or(0));
        let (text, is_branch) = (text(row, "text").to_owned(), of.2 == "branch");
        let asked = [0, 1].map(|side| switched(runs[side].0, plain, line));
        let switches = match asked {
            [0, _] | [_, 0] => Some(false),
            [failing, passing] => (failing == passing).then_some(true),
        };
        let matters = row["matters"] == true;
        found.push(Row { line, text, cells, times, totals, is_branch, switches, matters });
    }
    for (side, (steps, _)) in runs.iter().enumerate() {
        let marked = steps.iter().filter(|step| step["differs"] == true).count();
        assert_eq!(marked, differing[side], "steps that differ are those of the rows\n{what}");
    }
    found
}

/// How often a run comes to the `switch` that a line is in: as often as it asks for its first case.
fn switched(steps: &[Value], plain: &str, line: u64) -> usize {
    let lines: Vec<&str> = plain.lines().collect();
    let Some(head) = (0..line as usize).rev().find(|at| lines[*at].contains("switch (")) else { return 0 };
    let first = (head + 1..lines.len()).find(|at| lines[*at].starts_with("case ")).unwrap_or(head);
    let asks = |step: &&Value| step["line"] == first as u64 + 1 && text(step, "text").starts_with("case ");
    steps.iter().filter(asks).count()
}

/// Whether a cell is as it must be, one of these.
fn fits(shown: &str, expected: &str) -> bool {
    expected.split('|').any(|one| one == shown)
}

/// The number before each of these words, where it stands.
fn numbers_before(text: &str, words: &[&str]) -> Vec<Option<usize>> {
    let number = |word: &&str| text.split_once(word).map(|(before, _)| before.rsplit(' ').next().unwrap());
    words.iter().map(|word| number(word).map(|number| number.parse().unwrap())).collect()
}

/// Where differences are that have no row.
const WITHOUT_A_ROW: [&str; 4] = [
    " where paths meet",
    " in code that neither run executes",
    " inside library functions",
    " in rounds that the rows do not tell of",
];

impl Told<'_> {
    /// The number of differences is that of the marked rows that count and of what is told to have no row.
    fn number(&self, report: &str) {
        let sentence = report.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, sentence) = sentence.split_once("The passing run differs in ").unwrap();
        let (sentence, _) = sentence.split_once(" replayed by the interpreter").unwrap();
        let told: usize = sentence.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(self.answer["nearest"]["distance"], told, "{report}\n{}", self.what);
        // For each reason why rows do not count.
        let before: Vec<&str> = sentence.split(" more marked row").collect();
        let numbers = before[..before.len() - 1].iter().map(|text| text.rsplit(' ').next().unwrap());
        let idle: usize = numbers.map(|number| number.parse::<usize>().unwrap()).sum();
        let counted = self.rows.len() - idle;
        let Some((rows, hidden)) = sentence.split_once("; without a row: ") else {
            assert_eq!(counted, told, "every difference is a row\n{report}\n{}", self.what);
            return;
        };
        let rows = numbers_before(rows, &[" of them "])[0].unwrap();
        let hidden = numbers_before(hidden, &WITHOUT_A_ROW);
        assert_eq!(rows, counted, "{report}\n{}", self.what);
        assert_eq!(rows + hidden.iter().flatten().sum::<usize>(), told, "{report}\n{}", self.what);
        // All of it is listed, one by one.
        let listed =
            report.split_once("Counted without a row\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap());
        let listed = listed.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_listed = hidden.iter().zip(WITHOUT_A_ROW).filter_map(|(number, place)| Some(((*number)?, place)));
        for (number, place) in is_listed {
            let (_, own) = listed.split_once(&format!("{place}: ")).unwrap_or_else(|| panic!("{place}\n{report}"));
            let own = own.split(" difference").next().unwrap();
            assert_eq!(own.matches(" / ").count(), number, "{place}\n{report}\n{}", self.what);
        }
        let neither = list(&self.answer["nearest"]["deltas"]).iter().filter(|delta| delta["executed"] == "neither");
        assert_eq!(hidden[1].unwrap_or(0), neither.count(), "{report}\n{}", self.what);
    }

    /// A line that is said to differ has a row, and one that is said to matter has one that does; so has no other. What is passed to
    /// a function has its row where the parameter stands.
    fn suspects(&self, is_by_rows: bool) {
        let differs = |suspect: &&Value| list(&suspect["because"]).iter().any(|reason| reason == "difference");
        for suspect in list(&self.answer["suspects"]).iter().filter(differs).filter(|_| is_by_rows) {
            let calls = |row: &Value| text(suspect, "text").contains(&format!("{}(", text(row, "function")));
            let has_row = |row: &Value| suspect["line"] == row["line"] || calls(row);
            assert!(list(&self.answer["nearest"]["rows"]).iter().any(has_row), "{suspect} has no row\n{}", self.what);
        }
        let rows = list(&self.answer["nearest"]["rows"]);
        let matters = |row: &Value| row["matters"] == true;
        // What matters may be told of another passing run.
        let is_marked = is_by_rows && rows.iter().any(matters);
        for suspect in list(&self.answer["suspects"]).iter().filter(|_| is_marked) {
            let calls = |row: &Value| text(suspect, "text").contains(&format!("{}(", text(row, "function")));
            let is_own = |row: &Value| suspect["line"] == row["line"];
            let is_said = |word: &str| list(&suspect["reasons"]).iter().any(|reason| reason == word);
            let (differs, matters_there) = (
                rows.iter().any(|row| is_own(row) || calls(row)),
                rows.iter().any(|row| (is_own(row) || calls(row)) && matters(row)),
            );
            assert!(differs || !is_said("differs"), "{suspect} has no row\n{}", self.what);
            assert!(matters_there || !is_said("matters"), "{suspect} has no row that matters\n{}", self.what);
            let must = rows.iter().any(|row| is_own(row) && matters(row));
            assert!(is_said("matters") || !must, "{suspect} has a row that matters\n{}", self.what);
        }
    }

    /// The table in text: every row of it.
    fn text(&self, report: &str, plain: &str) {
        let lines: Vec<&str> = report.lines().collect();
        let title = |line: &&str| line.starts_with("plain.c") && line.ends_with("passing") && line.contains("failing");
        let Some(start) = lines.iter().position(title) else {
            assert!(self.rows.is_empty(), "a table\n{report}\n{}", self.what);
            return;
        };
        let column = |word: &str| lines[start].rfind(word).unwrap();
        let (failing, passing) = (column("failing"), column("passing"));
        let mut shown: BTreeMap<u64, Vec<(char, [String; 3], String)>> = BTreeMap::new();
        let mut at = None;
        // The condition that stands above its cells.
        let mut above = String::new();
        for line in lines[start + 1..].iter().take_while(|line| !line.starts_with("  > matters") && !line.is_empty()) {
            let Some((lead, rest)) = line.split_once(" |") else { continue };
            let mark = lead.chars().next().unwrap_or(' ');
            let mut source_line = None;
            if let Ok(number) = lead.trim_start_matches(['>', '|', '!', ' ']).trim().parse::<u64>() {
                // A line of the source stands there as it is.
                let source = plain.lines().nth(number as usize - 1).unwrap_or_default().trim();
                let own = rest.trim().chars().take(12).collect::<String>();
                assert!(source.starts_with(own.trim_end_matches('…').trim()), "{line}\n{report}\n{}", self.what);
                at = Some((number, mark));
                source_line = Some(source);
                // A long line has its cells below it.
                let own = rest.trim();
                if own == source || own.strip_suffix('…').is_some_and(|own| source.starts_with(own)) {
                    continue;
                }
            }
            let Some((number, mark)) = at else { continue };
            let is_label = |row: &&Row| row.line == number && row.is_branch && is_cut(rest.trim(), &row.text);
            if source_line.is_none() && self.rows.iter().any(|row| is_label(&row)) {
                above = rest.trim().to_owned();
                continue;
            }
            let letters: Vec<char> = line.chars().collect();
            if letters.len() <= passing {
                continue;
            }
            let piece = |from: usize, to: usize| letters[from.min(letters.len())..to].iter().collect::<String>();
            let cells = [piece(failing, passing).trim().to_owned(), piece(passing, letters.len()).trim().to_owned()];
            let before = piece(lead.chars().count() + 2, failing);
            let when = before.trim_end().rsplit("  ").next().filter(|when| when.ends_with(" time")).unwrap_or_default();
            // What stands before the time: the source, or the name of a condition.
            let told = before.trim_end().strip_suffix(when).unwrap_or_default().trim().to_owned();
            let told = if told.is_empty() { std::mem::take(&mut above) } else { told };
            let told = if source_line.is_some() { String::new() } else { told };
            let [first, second] = cells;
            if !first.is_empty() {
                let cells = [when.trim().to_owned(), first, second];
                shown.entry(number).or_default().push((mark, cells, told));
            }
        }
        for (line, mut own) in shown {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| row.line == line).collect();
            let mark = own[0].0;
            if mark == '!' {
                self.claim(&mut own, report);
            }
            let expected: Vec<[String; 3]> = rows.iter().map(|row| [row.when(), row.cell(0), row.cell(1)]).collect();
            let named: Vec<String> = own.iter().map(|(.., named)| named.clone()).collect();
            let own: Vec<[String; 3]> = own.into_iter().map(|(_, cells, _)| cells).collect();
            let all_fit = own.len() == expected.len()
                && own.iter().flatten().zip(expected.iter().flatten()).all(|(own, expected)| fits(own, expected));
            assert!(all_fit, "line {line}: {own:?}, {expected:?}\n{report}\n{}", self.what);
            // A truth stands beside what it is the truth of: the condition, or a line that asks for nothing else.
            let source = plain.lines().nth(line as usize - 1).unwrap_or_default();
            for (row, named) in rows.iter().zip(&named).filter(|(row, _)| row.is_branch) {
                let is_plain = ["if (", "while (", "for ("].iter().any(|word| {
                    let inside = source.trim_start_matches(['}', ' ']).trim_start_matches("else ").strip_prefix(word);
                    inside.is_some_and(|inside| bare(inside).contains(&bare(&row.text)))
                });
                let is_plain = is_plain || (row.text.starts_with("case ") && source.starts_with(&row.text));
                let is_named = if named.is_empty() { is_plain } else { is_cut(named, &row.text) };
                assert!(is_named, "line {line}: whose truth is `{named}`?\n{report}\n{}", self.what);
            }
            let sign = if rows.iter().any(|row| row.matters) { '>' } else { '|' };
            assert!(mark == '!' || mark == sign, "line {line} is marked {mark}\n{report}\n{}", self.what);
        }
        for row in &self.rows {
            let told = |side: usize| row.cell(side).split('|').any(|one| report.contains(one));
            assert!(told(0) && told(1), "line {}\n{report}", row.line);
        }
    }

    /// The list of steps in text, where runs are aligned by prices: every line of it is something that the runs did.
    fn step_by_step(&self, report: &str) {
        let list_of = between(report, "Step by step\n", "\n  >").unwrap_or_else(|| panic!("{report}\n{}", self.what));
        for line in list_of.lines() {
            let (_, rest) = line.split_once("line ").unwrap();
            let (number, told) = rest.split_once(' ').unwrap();
            let (number, told): (u64, &str) = (number.parse().unwrap(), told.trim());
            let did_it = |run: &str, wanted: &dyn Fn(&Value) -> bool| {
                list(&self.answer[run]["steps"]).iter().any(|step| step["line"] == number && wanted(step))
            };
            let came_out = |run: &str, name: &str, value: &str| {
                did_it(run, &|step| match text(step, "kind") {
                    "branch" => bare(text(step, "text")) == bare(name) && did(step) == value,
                    "claim" => ["violated", "holds"][usize::from(step["holds"] == true)] == value,
                    "return" => did(step) == format!("returns {value}"),
                    _ => did(step) == format!("{name} = {value}"),
                })
            };
            // Arguments are passed where the call stands.
            let is_passed = |run: &str, name: &str, value: &str| {
                let set = format!("{name} = {value}");
                did_it(run, &|step| text(step, "kind") == "call")
                    && list(&self.answer[run]["steps"]).iter().any(|step| did(step) == set)
            };
            let [failing, passing] = RUNS;
            if let Some((_, only)) = told
                .trim_start_matches("asked ")
                .split_once(" run: ")
                .filter(|(only, _)| only.starts_with("only in the "))
            {
                let run = if told.contains("failing") { failing } else { passing };
                let only = only.split(" [").next().unwrap();
                let is_it = |step: &Value| {
                    let (only, own) = (bare(only), bare(text(step, "text")));
                    match text(step, "kind") {
                        "return" | "call" => true,
                        "claim" => only.ends_with(&own),
                        _ => only.starts_with(&own),
                    }
                };
                assert!(did_it(run, &is_it), "{line}\n{report}\n{}", self.what);
                continue;
            }
            let (first, now) = told.rsplit_once(", now ").unwrap_or_else(|| panic!("{line}\n{report}"));
            let was = first.rsplit_once(" was ").or(first.rsplit_once(" returned "));
            let (name, was) = was.unwrap_or_else(|| panic!("{line}\n{report}"));
            for (run, value) in [(failing, was), (passing, now)] {
                let is_true = came_out(run, name, value) || is_passed(run, name, value);
                assert!(is_true, "{run}: {line}\n{report}\n{}", self.what);
            }
        }
    }

    /// The rows of the claim: how it came out, and the values that it is about. They are taken out.
    fn claim(&self, own: &mut Vec<(char, [String; 3], String)>, report: &str) {
        let [_, first, second] = own.remove(0).1;
        let passes = if self.claim_in("nearest").is_some() { "holds" } else { "not reached" };
        assert_eq!([first.as_str(), second.as_str()], ["violated", passes], "{report}\n{}", self.what);
        let of_claim = |cell: &str| {
            let name = cell.split(" = ").next().unwrap_or_default();
            ["s", "calls", "y", "i", "b"].contains(&name) || name.starts_with("t[")
        };
        while own.last().is_some_and(|(_, [when, cell, _], _)| when.is_empty() && of_claim(cell)) {
            let (_, [_, failing, passing], _) = own.pop().unwrap();
            for (run, cell) in RUNS.into_iter().zip([failing, passing]) {
                let name = cell.split(" = ").next().unwrap().to_owned();
                // Both `*v` and `s` set what `s` is at the end.
                let value = self.at_claim(run, &name);
                assert!(value.is_none_or(|value| format!("{name} = {value}") == cell), "{run}: {cell}\n{}", self.what);
            }
        }
    }

    /// The step of the claim in a run, the time that the failing run violates it.
    fn claim_in(&self, run: &str) -> Option<usize> {
        let is_claim = |step: &Value| step["kind"] == "claim";
        let times = list(&self.answer["counterexample"]["steps"]).iter().filter(|step| is_claim(step)).count();
        let steps = list(&self.answer[run]["steps"]).iter().enumerate().filter(|(_, step)| is_claim(step));
        steps.map(|(at, _)| at).nth(times.checked_sub(1)?)
    }

    /// The value of a variable of main's or of a global where the claim is come to; none where a pointer may have set it.
    fn at_claim(&self, run: &str, name: &str) -> Option<String> {
        let steps = list(&self.answer[run]["steps"]);
        let end = self.claim_in(run)?;
        let sets = |step: &&Value| {
            let is_it = text(step, "variable") == name && (step["function"] == "main" || name == "calls");
            is_it || (text(step, "variable") == "*v" && name == "s")
        };
        let last = steps[..end].iter().rfind(sets)?;
        (text(last, "variable") == name || name == "s").then(|| text(last, "value").to_owned())
    }

    /// The steps of a run, and the rows that matter, as Markdown.
    fn markdown(&self, markdown: &str) {
        let code = |cell: &str| format!("`{}`", cell.replace('|', "\\|"));
        let mattering: Vec<&Row> = self.rows.iter().filter(|row| row.matters).collect();
        let rows = if mattering.is_empty() { self.rows.iter().collect() } else { mattering };
        let expected: Vec<String> = (rows.iter().take(12))
            .map(|row| {
                let [failing, passing] =
                    [0, 1].map(|side| row.cells[side].as_deref().map_or("not then".to_owned(), code));
                let place = format!("`plain.c:{}`", row.line);
                format!("| {place} | {} | {failing} | {passing} |", code(&row.text))
            })
            .collect();
        let shown: Vec<&str> = markdown.lines().filter(|line| line.starts_with("| `plain.c:")).collect();
        assert_eq!(shown, expected, "{markdown}\n{}", self.what);
        let steps = list(&self.answer["counterexample"]["steps"]);
        let expected: Vec<String> = (steps.iter().take(200))
            .map(|step| {
                let told = match text(step, "kind") {
                    "branch" => format!("`{}` is {}", text(step, "text"), came_out(step)),
                    "call" => format!("calls `{}`", text(step, "callee")),
                    "return" => match step["value"].as_str() {
                        Some(value) => format!("returns `{value}`"),
                        None => "returns".to_owned(),
                    },
                    "claim" if step["holds"] == true => format!("`{}` holds", text(step, "text")),
                    "claim" => format!("`{}` **is violated**", text(step, "text")),
                    _ => format!("`{}`", did(step)),
                };
                format!("- `plain.c:{}` {told}", step["line"])
            })
            .collect();
        // Suspects are numbered, notes name no place in code.
        let shown: Vec<&str> = markdown.lines().filter(|line| line.starts_with("- `plain.c:")).collect();
        assert_eq!(shown, expected, "{markdown}\n{}", self.what);
        let inputs = list(&self.answer["counterexample"]["inputs"]);
        for input in inputs {
            let line = format!("| `{}` | `{}` |", text(input, "name"), text(input, "value"));
            assert!(markdown.contains(&line), "{line}\n{markdown}");
        }
    }

    /// Both runs as code flows: a location for every step.
    fn sarif(&self, sarif: &Value) {
        let flows = list(&sarif["runs"][0]["results"][0]["codeFlows"]);
        assert_eq!(flows.len(), 2, "{}", self.what);
        for (flow, run) in flows.iter().zip(RUNS) {
            let locations = list(&flow["threadFlows"][0]["locations"]);
            let steps = list(&self.answer[run]["steps"]);
            assert_eq!(locations.len(), steps.len(), "{run}\n{}", self.what);
            let mut level = 0;
            for (number, (location, step)) in locations.iter().zip(steps).enumerate() {
                let told = match text(step, "kind") {
                    "branch" => format!("{} is {}", text(step, "text"), came_out(step)),
                    "call" => format!("calls {}", text(step, "callee")),
                    "return" => format!("returns {}", text(step, "value")).trim_end().to_owned(),
                    "claim" if step["holds"] == true => format!("{} holds", text(step, "text")),
                    "claim" => format!("{} is violated", text(step, "text")),
                    _ => did(step),
                };
                let place = &location["location"]["physicalLocation"];
                assert_eq!(location["location"]["message"]["text"], told, "{run} {number}\n{}", self.what);
                assert_eq!(place["region"]["startLine"], step["line"], "{run} {number}\n{}", self.what);
                assert_eq!(place["artifactLocation"]["uri"], "plain.c", "{}", self.what);
                assert_eq!(location["executionOrder"], number as u64 + 1, "{}", self.what);
                assert_eq!(location["nestingLevel"], level, "{run} {number} {told}\n{}", self.what);
                let essential = step["differs"] == true || step["holds"] == false;
                assert_eq!(location["importance"] == "essential", essential, "{run} {number}\n{}", self.what);
                match text(step, "kind") {
                    "call" => level += 1,
                    "return" => level -= 1,
                    _ => {}
                }
            }
        }
    }

    /// The witness: every input, every `if` and `while`, and the claim, in order, each at its line.
    fn witness(&self, witness: &str, plain: &str) {
        let mut points: Vec<(String, String, u64)> = Vec::new();
        for line in witness.lines().map(str::trim) {
            let last = points.len().wrapping_sub(1);
            if let Some(kind) = line.strip_prefix("type: ") {
                points.push((kind.to_owned(), String::new(), 0));
            } else if let Some(value) = line.strip_prefix("value: ") {
                points[last].1 = serde_json::from_str(value).unwrap();
            } else if let Some(number) = line.strip_prefix("line: ") {
                points[last].2 = number.parse().unwrap();
            }
        }
        let mut expected = Vec::new();
        let steps = list(&self.answer["counterexample"]["steps"]);
        for step in steps {
            let line = step["line"].as_u64().unwrap();
            let source = plain.lines().nth(line as usize - 1).unwrap();
            match text(step, "kind") {
                "input" => {
                    expected.push(("function_return".to_owned(), format!("\\result == {}", text(step, "value")), line))
                }
                "branch" if step["part_of"].is_null() => {
                    let is_asked = |word: &str| {
                        source.split(word).skip(1).any(|rest| bare(rest).starts_with(&bare(text(step, "text"))))
                    };
                    if is_asked("if") || is_asked("while") {
                        expected.push(("branching".to_owned(), step["taken"].to_string(), line));
                    }
                }
                _ => {}
            }
        }
        let last = steps.last().map(|step| step["line"].as_u64().unwrap()).unwrap_or_default();
        expected.push(("target".to_owned(), String::new(), last));
        assert_eq!(points, expected, "{witness}\n{}", self.what);
    }
}

/// Text of a page as people see it.
fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}

/// What stands between two marks.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let from = text.find(start)? + start.len();
    Some(&text[from..from + text[from..].find(end)?])
}

impl Told<'_> {
    fn page(&self, page: &str, is_by_rows: bool) {
        let data = between(page, "<script type=\"application/json\" id=\"report\">", "</script>").unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        self.scripts(&data);
        if is_by_rows {
            self.differences(page);
        }
        self.margin(page);
    }

    /// The runs as scripts read them.
    fn scripts(&self, data: &Value) {
        for (run, name) in RUNS.into_iter().zip(["failing", "passing"]) {
            let numbers: Vec<usize> = list(&data[name]).iter().map(|n| n.as_u64().unwrap() as usize).collect();
            let steps = list(&self.answer[run]["steps"]);
            assert_eq!(numbers.len(), 2 * steps.len(), "{run}\n{}", self.what);
            let kinds = ["assign", "branch", "call", "return", "claim", "input"];
            for (pair, step) in numbers.chunks(2).zip(steps) {
                let statement = &data["statements"][pair[0]];
                let kind = kinds[statement[0].as_u64().unwrap() as usize];
                assert_eq!(kind, text(step, "kind"), "{step}\n{}", self.what);
                assert_eq!(statement[2], step["line"], "{step}\n{}", self.what);
                assert_eq!(data["texts"][statement[4].as_u64().unwrap() as usize], step["function"], "{step}");
                assert_eq!(data["texts"][pair[1]], did(step), "{step}\n{}", self.what);
            }
        }
    }

    /// The table of differences.
    fn differences(&self, page: &str) {
        let table = between(page, "<section class=\"differences\">", "</section>").unwrap_or_default();
        let rows: Vec<&str> = table.lines().filter(|line| line.contains("data-difference=")).collect();
        assert_eq!(rows.len(), self.rows.len(), "{}", self.what);
        for (shown, row) in rows.iter().zip(&self.rows) {
            let line = between(shown, "data-difference=", "</a>").and_then(|link| link.rsplit('>').next()).unwrap();
            assert_eq!(line, row.line.to_string(), "{shown}\n{}", self.what);
            let cells: Vec<String> =
                shown.split("<td><code>").skip(1).map(|cell| unescaped(cell.trim_end_matches("</code>"))).collect();
            assert!(fits(&cells[1], &row.cell(0)) && fits(&cells[2], &row.cell(1)), "{shown}\n{}", self.what);
            let when = row.when();
            assert!(when.is_empty() || cells[0].ends_with(&format!(", {when}")), "{shown} {when}\n{}", self.what);
            assert_eq!(shown.contains("class=\"matters\""), row.matters, "{shown}\n{}", self.what);
        }
    }

    /// What stands beside each line: what the runs did there, all of it.
    fn margin(&self, page: &str) {
        let code = between(page, "<table class=\"code\"", "</table>").unwrap();
        for line in code.lines().filter(|line| line.starts_with("<tr")) {
            let Some(number) = between(line, "<th>", "<td>").and_then(|number| number.parse::<u64>().ok()) else {
                continue;
            };
            let cells: Vec<&str> = line.split("<th>").nth(1).unwrap().split("<td>").skip(2).collect();
            let classes = between(line, "<tr class=\"", "\"").unwrap_or_default();
            // Beside a line stands what was done there in all; when it was done is not told.
            let all = RUNS.map(|run| {
                let steps = list(&self.answer[run]["steps"]).iter().filter(|step| step["line"] == number);
                steps.map(did).filter(|told| !told.is_empty()).collect::<Vec<_>>()
            });
            let differs = all[0] != all[1] && self.rows.iter().any(|row| row.line == number);
            for (side, run) in RUNS.into_iter().enumerate() {
                let steps: Vec<&Value> =
                    list(&self.answer[run]["steps"]).iter().filter(|step| step["line"] == number).collect();
                let executed = classes.split(' ').any(|class| class == ["f", "p"][side]);
                assert_eq!(executed, !steps.is_empty(), "line {number} of {run}: {line}\n{}", self.what);
                let mut did_here: Vec<String> = Vec::new();
                // Of a line that does very much, a part is shown.
                let is_cut = cells.get(side).is_some_and(|cell| cell.contains(" more</div>"));
                for div in cells.get(side).unwrap_or(&"").split("<div").skip(1) {
                    let told = unescaped(between(div, ">", "</div>").unwrap());
                    let all = between(div, "title=\"", "\"").map(unescaped);
                    match all {
                        Some(all) => did_here.extend(all.split(", ").map(str::to_owned)),
                        None => did_here.push(told.rsplit(": ").next().unwrap().to_owned()),
                    }
                }
                let mut expected: Vec<String> =
                    steps.iter().map(|step| did(step)).filter(|told| !told.is_empty()).collect();
                let is_claim = steps.iter().any(|step| step["kind"] == "claim");
                if is_cut || is_claim {
                    continue;
                }
                did_here.sort();
                expected.sort();
                assert_eq!(did_here, expected, "line {number} of {run}: {line}\n{}", self.what);
            }
            if differs {
                assert!(
                    line.contains("class=\"x\"") || classes.contains('c'),
                    "line {number} differs: {line}\n{}",
                    self.what
                );
            }
        }
    }
}
