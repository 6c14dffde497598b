//! Runs as they happened: random programs with conditions that are cut short, functions that share names, loops and
//! pointers. What every form tells of the failing and of the passing run is compared with the compiled program, which says
//! itself what it does: the same text, in which every condition and assignment takes itself down.
//!
//! `NEARMISS_RUNS` is the number of programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// A program as a person would write it, and the same that says what it does; line by line.
#[derive(Default)]
struct Texts {
    plain: String,
    telling: String,
    lines: usize,
}

impl Texts {
    fn line(&mut self, plain: &str, telling: &str) {
        self.plain += &format!("{plain}\n");
        self.telling += &format!("{telling}\n");
        self.lines += 1;
    }

    fn same(&mut self, text: &str) {
        self.line(text, text);
    }

    fn set(&mut self, name: &str, value: &str) {
        let line = self.lines + 1;
        self.line(&format!("{name} = {value};"), &format!("{name} = {value}; set({line}, \"{name}\", {name});"));
    }

    fn claim(&mut self, condition: &str) {
        let line = self.lines + 1;
        self.line(&format!("__VERIFIER_assert({condition});"), &format!("end({line}, {condition});"));
    }

    fn ask(&mut self, word: &str, condition: &str) {
        let line = self.lines + 1;
        self.line(&format!("{word} ({condition}) {{"), &format!("{word} (ask({line}, {condition})) {{"));
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % most
    }

    fn condition(&mut self, names: &[&str], depth: u64) -> String {
        if depth == 0 || self.below(3) == 0 {
            let name = names[self.below(names.len() as u64) as usize];
            let operator = [">", "<", "==", "!="][self.below(4) as usize];
            return match self.below(4) {
                0 => format!("t[{name}] {operator} {}", self.below(4)),
                1 => format!("*p {operator} {}", self.below(4)),
                _ => format!("{name} {operator} {}", self.below(4)),
            };
        }
        let operator = ["&&", "||"][self.below(2) as usize];
        let (left, right) = (self.condition(names, depth - 1), self.condition(names, depth - 1));
        let negation = ["", "!"][usize::from(self.below(4) == 0)];
        format!("{negation}({left} {operator} {right})")
    }
}

fn program(seed: u64) -> Texts {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..8 {
        random.below(2);
    }
    let mut texts = Texts::default();
    let telling = "int nondet_int(void); int ask(int, int); void set(int, const char *, int); void end(int, int);";
    texts.line("int nondet_int(void); void __VERIFIER_assert(int);", telling);
    texts.same("int t[4] = { 2, 0, 3, 1 }; int *p = &t[1];");
    for name in ["f", "g"] {
        texts.same(&format!("int {name}(int x) {{"));
        texts.same("int y;");
        texts.set("y", &format!("x + {}", random.below(3)));
        texts.ask("if", &random.condition(&["x"], 2));
        texts.set("y", &random.below(5).to_string());
        texts.same("}");
        if random.below(2) == 0 {
            texts.ask("if", "x > 2");
            texts.set("y", &format!("{name}(x - 1) + 1"));
            texts.same("}");
        }
        texts.same("return y; }");
    }
    texts.same("int main(void) {");
    texts.same("int a = nondet_int(); int b = nondet_int(); int s; int i; int y;");
    texts.ask("if", "a < 0 || a > 3 || b < 0 || b > 3");
    texts.same("return 0;");
    texts.same("}");
    texts.set("s", "0");
    texts.set("i", "0");
    texts.set("p", "&t[b]");
    texts.telling = texts.telling.replace(&format!("set({}, \"p\", p);", texts.lines), "");
    let turns = 1 + random.below(3);
    texts.ask("while", &format!("i < {turns} && t[i] < 9"));
    texts.set("y", "f(a)");
    texts.ask("if", &random.condition(&["a", "b", "i"], 2));
    texts.set("s", &format!("s + y + {}", random.below(3)));
    texts.same("}");
    texts.ask("if", &random.condition(&["a", "b", "i"], 2));
    texts.set("y", "g(b)");
    texts.set("s", "s + y");
    texts.same("}");
    // A claim that may hold in some turns and fail in a later one, and one behind the loop.
    if random.below(2) == 0 {
        texts.claim(&format!("s < {}", 2 + random.below(9)));
    }
    texts.set("i", "i + 1");
    texts.same("}");
    let bound = 1 + random.below(9);
    texts.claim(&format!("s < {bound}"));
    texts.same("return 0; }");
    texts
}

/// What stands behind the text that tells: it is given its inputs as arguments, and prints what it does.
const BEHIND: &str = "
#include <stdio.h>
#include <stdlib.h>
static char **next;
int nondet_int(void) { return *next ? atoi(*next++) : 0; }
int ask(int line, int truth) { printf(\"ask %d %d\\n\", line, !!truth); return truth; }
void set(int line, const char *name, int value) { printf(\"set %d %s = %d\\n\", line, name, value); }
void end(int line, int holds) { printf(\"end %d %d\\n\", line, holds); if (!holds) exit(0); }
int told(void);
int main(int count, char **arguments) { (void)count; next = arguments + 1; told(); return 0; }
";

/// A line, and what was done there.
type Did = (u64, String);

/// What the compiled program does, and the lines of the claims that it comes to.
fn compiled(folder: &Path, inputs: &Value) -> (Vec<Did>, Vec<u64>) {
    let inputs = inputs.as_array().unwrap().iter().map(|input| input["value"].as_str().unwrap());
    let out = Command::new(folder.join("telling")).args(inputs).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let did = |line: &str| {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        let what = match words[0] {
            "ask" => (words[2] == "1").to_string(),
            _ => words[2].to_owned(),
        };
        (words[1].parse().unwrap(), what)
    };
    let (claims, others): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("end "));
    (others.into_iter().map(did).collect(), claims.into_iter().map(did).map(|(line, _)| line).collect())
}

/// What the answer says of conditions and of the variables that the compiled program tells of.
fn said(steps: &Value, lines: &BTreeMap<u64, ()>) -> Vec<Did> {
    let did = |step: &Value| {
        let line = step["line"].as_u64().unwrap();
        let what = match step["kind"].as_str().unwrap() {
            "branch" if step["part_of"].is_null() => step["taken"].to_string(),
            "assign" => format!("{} = {}", step["variable"].as_str().unwrap(), step["value"].as_str().unwrap()),
            _ => return None,
        };
        lines.contains_key(&line).then_some((line, what))
    };
    steps.as_array().unwrap().iter().filter_map(did).collect()
}

fn nearmiss(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
    let out = command.current_dir(folder).args(["explain", "--no-native"]).args(arguments).arg("plain.c").output();
    String::from_utf8(out.unwrap().stdout).unwrap()
}

/// Every row: its cells differ, and each is what its run did in that line for that time.
fn rows_are_true(rows: &[Value], runs: [&Vec<Did>; 2], text: &str) {
    for row in rows {
        assert_ne!(row["failing"], row["passing"], "{row}\n{text}");
        for (side, run) in ["failing", "passing"].into_iter().zip(runs) {
            let Some(cell) = row[side].as_str() else { continue };
            let is_set = cell.contains(" = ");
            let here =
                run.iter().filter(|(line, what)| Some(*line) == row["line"].as_u64() && what.contains(" = ") == is_set);
            let times = row[format!("{side}_time")].as_u64().unwrap() as usize;
            // Parts of conditions, parameters and returned values are not told by the compiled program.
            let told: Vec<&str> = here.map(|(_, what)| what.as_str()).collect();
            let source = text.lines().nth(row["line"].as_u64().unwrap() as usize - 1).unwrap();
            let whole = row["text"].as_str().unwrap();
            let is_whole = source.contains(&format!("({whole}) {{")) && !is_set;
            if is_whole || (is_set && !told.is_empty()) {
                assert_eq!(told.get(times - 1), Some(&cell), "{side} of {row}\n{text}");
            }
        }
    }
}

/// The marked lines of the table in text, and the cells that must stand there.
fn table_is_true(table: &str, rows: &[Value]) {
    let marked = |mark: char| {
        let lines = table.lines().filter(move |line| line.starts_with(&format!("{mark} ")) && line.contains(" | "));
        let number = |line: &str| line[2..].split(" | ").next().and_then(|number| number.trim().parse::<u64>().ok());
        lines.filter_map(number).collect::<Vec<_>>()
    };
    let of =
        |matters: bool| rows.iter().filter(move |row| row["matters"] == matters).filter_map(|row| row["line"].as_u64());
    for line in marked('>') {
        assert!(of(true).any(|other| other == line), "line {line}\n{table}");
    }
    for line in marked('|') {
        assert!(of(false).any(|other| other == line), "line {line}\n{table}");
    }
    for row in rows {
        for cell in [&row["failing"], &row["passing"]].into_iter().filter_map(Value::as_str) {
            assert!(table.contains(cell), "{cell}\n{table}");
        }
    }
}

/// What is said not to be reached by the passing run, it never comes to; how often it comes to the claim is how often it does.
fn reached_is_true(table: &str, passing: &[Did], claims: &[u64], text: &str) {
    let sentence = table.split_whitespace().collect::<Vec<_>>().join(" ");
    for (end, _) in sentence.match_indices(") is not reached") {
        let place = &sentence[..end];
        let (before, line) = place.rsplit_once(" (line ").unwrap();
        let condition = before.trim_end_matches('`').rsplit('`').next().unwrap();
        let line: u64 = line.parse().unwrap();
        // The compiled program tells of whole conditions.
        let is_whole = text.lines().nth(line as usize - 1).unwrap().contains(&format!("({condition}) {{"));
        assert!(
            !is_whole || passing.iter().all(|(other, _)| *other != line),
            "`{condition}` is reached\n{table}{text}"
        );
    }
    for row in table.lines().filter(|line| line.starts_with("! ")) {
        let Some(line) = row[2..].split(" | ").next().and_then(|number| number.trim().parse::<u64>().ok()) else {
            continue;
        };
        let times = claims.iter().filter(|other| **other == line).count();
        let said = match row.rsplit_once("holds, only ") {
            Some((_, "once")) => Some(1),
            Some((_, times)) => Some(times.trim_end_matches(" times").parse().unwrap()),
            None => row.ends_with("not reached").then_some(0),
        };
        assert!(said.is_none_or(|said: usize| said == times), "{times} times\n{table}{text}");
    }
}

fn forms_agree(folder: &Path, answer: &Value, runs: [&Vec<Did>; 2], claims: &[u64]) {
    let rows = answer["nearest"]["rows"].as_array().unwrap();
    let text = fs::read_to_string(folder.join("plain.c")).unwrap();
    rows_are_true(rows, runs, &text);
    let table = nearmiss(folder, &["-v"]);
    table_is_true(&table, rows);
    reached_is_true(&table, runs[1], claims, &text);
    let page = nearmiss(folder, &["--format", "html"]);
    assert_eq!(page.matches("data-difference=\"").count(), rows.len(), "{text}");
    let sarif: Value = serde_json::from_str(&nearmiss(folder, &["--format", "sarif"])).unwrap();
    let flows = sarif["runs"][0]["results"][0]["codeFlows"].as_array().unwrap();
    for (flow, side) in flows.iter().zip(["failing", "passing"]) {
        let steps = flow["threadFlows"][0]["locations"].as_array().unwrap();
        let essential = steps.iter().filter(|step| step["importance"] == "essential").count();
        let differing = rows.iter().filter(|row| !row[side].is_null()).count();
        assert!((differing..=differing + 1).contains(&essential), "{side}: {essential}, {differing}\n{text}");
    }
    let witness = nearmiss(folder, &["--format", "witness"]);
    let ways =
        witness.lines().filter_map(|line| line.trim().strip_prefix("value: \"")).map(|way| way.trim_end_matches('"'));
    let ways: Vec<&str> = ways.filter(|way| ["true", "false"].contains(way)).collect();
    let taken: Vec<&str> =
        runs[0].iter().map(|(_, what)| what.as_str()).filter(|what| ["true", "false"].contains(what)).collect();
    assert_eq!(ways, taken, "{text}");
}

#[test]
fn every_form_tells_what_the_compiled_program_does() {
    let number = std::env::var("NEARMISS_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut compared = 0;
    for seed in 1..=number {
        let texts = program(seed);
        fs::write(folder.join("plain.c"), &texts.plain).unwrap();
        let telling = texts.telling.replace("int main(void)", "int told(void)");
        fs::write(folder.join("telling.c"), telling + BEHIND).unwrap();
        let built = Command::new("cc").current_dir(folder).args(["-w", "-o", "telling", "telling.c"]).status().unwrap();
        assert!(built.success(), "{}", texts.telling);
        let answer: Value = serde_json::from_str(&nearmiss(folder, &["--format", "json"])).unwrap();
        if answer["verdict"] != "fails" || !answer["nearest"].is_object() {
            continue;
        }
        let [(failing, _), (passing, claims)] =
            [&answer["counterexample"], &answer["nearest"]].map(|run| compiled(folder, &run["inputs"]));
        let runs = [failing, passing];
        let lines: BTreeMap<u64, ()> = runs.iter().flatten().map(|(line, _)| (*line, ())).collect();
        for (run, does) in [&answer["counterexample"], &answer["nearest"]].into_iter().zip(&runs) {
            assert_eq!(said(&run["steps"], &lines), *does, "seed {seed}\n{}", texts.plain);
        }
        forms_agree(folder, &answer, [&runs[0], &runs[1]], &claims);
        compared += 1;
    }
    assert!(compared * 4 >= number, "only {compared} of {number} programs fail and pass");
}
