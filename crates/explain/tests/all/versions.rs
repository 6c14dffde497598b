//! Two versions of a function, compared by looking at every input: the oracle of `--reference`.
//!
//! Random functions on two bytes, a statement a line, and new versions of them in which some statements are others. Brute force
//! says whether they agree, on which inputs they do not, and which of the smallest sets of changes, undone, make them agree.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use nearmiss_explain::{Checking, Loader, Program, Reading, Verdict};

/// Files in memory.
struct Files(HashMap<PathBuf, String>);

impl Files {
    fn of(files: &[(&str, &str)]) -> Files {
        Files(files.iter().map(|(name, text)| (PathBuf::from(name), (*text).to_owned())).collect())
    }
}

impl Loader for Files {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.get(path).map(|text| text.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }
}

fn compared(new: &str, old: &str, function: &str) -> Result<Program, String> {
    let mut reading = Reading::default();
    reading.c.entry = function.to_owned();
    reading.c.system_include.clear();
    let files = Files::of(&[("new.c", new), ("old.c", old)]);
    Program::from_versions(&["new.c".to_owned()], "old.c", &reading, &files).map_err(|error| error.to_string())
}

/// `x = x op operand`, on bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Statement {
    op: char,
    /// A number, or one of the parameters.
    operand: Operand,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Operand {
    Number(u8),
    First,
    Second,
}

impl Statement {
    fn text(self) -> String {
        let operand = match self.operand {
            Operand::Number(number) => number.to_string(),
            Operand::First => "a".to_owned(),
            Operand::Second => "b".to_owned(),
        };
        format!("    x = x {} {operand};\n", self.op)
    }

    fn apply(self, x: u8, a: u8, b: u8) -> u8 {
        let operand = match self.operand {
            Operand::Number(number) => number,
            Operand::First => a,
            Operand::Second => b,
        };
        match self.op {
            '+' => x.wrapping_add(operand),
            '-' => x.wrapping_sub(operand),
            '&' => x & operand,
            '|' => x | operand,
            _ => x ^ operand,
        }
    }
}

fn text(statements: &[Statement]) -> String {
    let mut text = "unsigned char f(unsigned char a, unsigned char b)\n{\n    unsigned char x = a;\n".to_owned();
    for (at, statement) in statements.iter().enumerate() {
        // What stands between statements stays.
        text += &format!("    static int kept_{at};\n{}", statement.text());
    }
    text + "    return x;\n}\n"
}

fn run(statements: &[Statement], a: u8, b: u8) -> u8 {
    statements.iter().fold(a, |x, statement| statement.apply(x, a, b))
}

fn agree(one: &[Statement], other: &[Statement]) -> bool {
    (0..=255u8).all(|a| (0..=255u8).all(|b| run(one, a, b) == run(other, a, b)))
}

struct Random(u64);

impl Random {
    fn below(&mut self, number: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % number
    }

    fn statement(&mut self) -> Statement {
        let op = ['+', '-', '&', '|', '^'][self.below(5)];
        let operand = match self.below(4) {
            0 => Operand::First,
            1 => Operand::Second,
            _ => Operand::Number([0, 1, 2, 15, 128, 255][self.below(6)]),
        };
        Statement { op, operand }
    }
}

/// The smallest sets of changed statements that, as they were, make the new version agree with the old one.
fn blame(old: &[Statement], new: &[Statement]) -> Vec<Vec<usize>> {
    let changed: Vec<usize> = (0..old.len()).filter(|at| old[*at] != new[*at]).collect();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for chosen in 0u32..1 << changed.len() {
        let set: Vec<usize> = (0..changed.len()).filter(|at| chosen >> at & 1 == 1).collect();
        let mut version = new.to_vec();
        set.iter().for_each(|at| version[changed[*at]] = old[changed[*at]]);
        if agree(old, &version) {
            found.push(set);
        }
    }
    let least = found.iter().map(Vec::len).min().unwrap_or(0);
    found.retain(|set| set.len() == least);
    found.sort();
    found
}

#[test]
fn versions_agree_where_all_inputs_say_so() {
    let number = std::env::var("NEARMISS_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(24);
    let (mut same, mut differing) = (0, 0);
    for seed in 0..number {
        let mut random = Random(seed * 7_919 + 1);
        let length = 2 + random.below(4);
        let old: Vec<Statement> = (0..length).map(|_| random.statement()).collect();
        let mut new = old.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(length);
            new[at] = random.statement();
        }
        let (one, other) = (text(&new), text(&old));
        let what = format!("seed {seed}\n{other}\n{one}");
        let program = compared(&one, &other, "f").unwrap_or_else(|error| panic!("{error}\n{what}"));
        let mut why = program.check(&Checking::default()).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
        if agree(&old, &new) {
            assert_eq!(why.verdict(), Verdict::Holds, "{what}");
            same += 1;
            continue;
        }
        assert_eq!(why.verdict(), Verdict::Fails, "{what}");
        differing += 1;
        let inputs: Vec<u8> = why.failing_inputs().iter().map(|input| byte(&input.value)).collect();
        assert_ne!(run(&old, inputs[0], inputs[1]), run(&new, inputs[0], inputs[1]), "{inputs:?}\n{what}");
        program.blame(&mut why, &Checking::default());
        let changes = why.explanation().changes.as_ref().expect("it was asked for");
        assert!(changes.complete, "{what}");
        let mut sets = changes.sets.clone();
        sets.sort();
        assert_eq!(sets, blame(&old, &new), "{what}");
    }
    assert!(same > 0 && differing > 0, "{same} agree, {differing} do not");
}

/// The statements of a text.
fn statements(text: &str) -> Vec<Statement> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("    x = x ")?.strip_suffix(';'));
    let read = |line: &str| {
        let (op, operand) = line.split_once(' ').expect("an operator and an operand");
        let operand = match operand {
            "a" => Operand::First,
            "b" => Operand::Second,
            number => Operand::Number(number.parse().expect("it is a number")),
        };
        Statement { op: op.chars().next().expect("there is an operator"), operand }
    };
    lines.map(read).collect()
}

/// Changes that stand side by side are taken apart: what is to blame, undone, makes the versions agree, and no part of it does.
#[test]
fn no_statement_is_blamed_that_is_not_needed() {
    let number = std::env::var("NEARMISS_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(24);
    let (mut apart, mut all) = (0, 0);
    for seed in 0..number {
        let mut random = Random(seed * 104_729 + 5);
        let length = 3 + random.below(3);
        let old: Vec<Statement> = (0..length).map(|_| random.statement()).collect();
        let mut new = old.clone();
        let first = random.below(length - 1);
        new[first..].iter_mut().take(2 + random.below(2)).for_each(|statement| *statement = random.statement());
        if random.below(3) == 0 {
            new.insert(first, random.statement());
        }
        if agree(&old, &new) {
            continue;
        }
        let beside = |all: &[Statement]| {
            text(all)
                .lines()
                .filter(|line| !line.contains("kept_"))
                .fold(String::new(), |text, line| text + line + "\n")
        };
        let (one, other) = (beside(&new), beside(&old));
        let what = format!("seed {seed}\n{other}\n{one}");
        let program = compared(&one, &other, "f").unwrap_or_else(|error| panic!("{error}\n{what}"));
        let mut why = program.check(&Checking::default()).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
        assert_eq!(why.verdict(), Verdict::Fails, "{what}");
        program.blame(&mut why, &Checking::default());
        let changes = why.explanation().changes.as_ref().expect("it was asked for");
        assert!(!changes.sets.is_empty(), "{what}");
        let undone = |set: &[usize]| {
            let mut text = one.clone();
            let mut edits = changes.undone(set);
            edits.sort_by_key(|edit| edit.span.start);
            // What stands at one place keeps its order.
            edits.iter().rev().for_each(|edit| {
                text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.new);
            });
            agree(&old, &statements(&text))
        };
        for set in &changes.sets {
            all += 1;
            apart += usize::from(set.iter().any(|at| changes.all[*at].old.lines().count() == 1));
            assert!(undone(set), "{set:?} of {:?}\n{what}", changes.all);
            for left_out in set {
                let less: Vec<usize> = set.iter().copied().filter(|at| at != left_out).collect();
                assert!(!undone(&less), "{less:?} of {set:?} is enough\n{what}");
            }
        }
    }
    assert!(all > 5 && apart > 3, "{apart} of {all}");
}

/// `'a' (97)` or `97`.
fn byte(value: &str) -> u8 {
    let number = value.rsplit(['(', ' ']).next().unwrap_or_default().trim_end_matches(')');
    number.parse().unwrap_or_else(|_| panic!("{value} is no byte"))
}

fn verdict(new: &str, old: &str, function: &str) -> Verdict {
    let program = compared(new, old, function).unwrap_or_else(|error| panic!("{error}"));
    program.check(&Checking::default()).expect("it is decided").verdict()
}

#[test]
fn each_version_has_its_own_names() {
    let old = "static int count; int step(int x) { return x & 7; } int f(int x) { count += step(x); return count; }";
    let new =
        "static int count; static int step(int x) { return x % 8u; } int f(int x) { count = step(x); return count; }";
    assert_eq!(verdict(new, old, "f"), Verdict::Holds);
    assert_eq!(verdict(&new.replace("% 8u", "% 9u"), old, "f"), Verdict::Fails);
}

#[test]
fn what_is_left_behind_pointers_and_in_globals_is_compared() {
    let old = "struct p { int x; char c[3]; }; int last; int f(struct p *p) { if (!p) return 0; p->c[1] = 'a'; last = p->x; return p->x; }";
    assert_eq!(verdict(old, old, "f"), Verdict::Holds);
    assert_eq!(verdict(&old.replace("'a'", "'b'"), old, "f"), Verdict::Fails);
    assert_eq!(verdict(&old.replace("last = p->x", "last = 0"), old, "f"), Verdict::Fails);
    assert_eq!(verdict(&old.replace("return p->x", "return p->x + 0"), old, "f"), Verdict::Holds);
}

#[test]
fn versions_read_the_same_inputs_in_the_same_order() {
    let old = "int nondet_int(void); int f(void) { int a = nondet_int(); int b = nondet_int(); return a ^ b << 1; }";
    assert_eq!(verdict(old, old, "f"), Verdict::Holds);
    let swapped = old.replace("a = nondet_int()", "c = nondet_int()").replace("b = nondet_int()", "a = nondet_int()");
    assert_eq!(verdict(&swapped.replace("int c", "int b"), old, "f"), Verdict::Fails);
}

/// `a / b` of the same numbers was another circuit in each version, and nobody could tell that they agree.
#[test]
fn divisions_of_the_same_numbers_are_the_same() {
    let old = "int f(int a, int b) { return a / b + a % b; }";
    let new = "int f(int a, int b) { if (b == 0) return 7; int q = a / b; return a % b + q; }";
    assert_eq!(verdict(new, old, "f"), Verdict::Holds);
}

#[test]
fn what_the_reference_leaves_undefined_is_left_out() {
    let old = "int f(int a, int b) { return a / b; }";
    let new = "int f(int a, int b) { return b ? a / b : 0; }";
    assert_eq!(verdict(new, old, "f"), Verdict::Holds);
    assert_eq!(verdict(old, new, "f"), Verdict::Fails, "what divides by zero now did not before");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let old = "int f(int a) { return a; }";
    let said = |new: &str, old: &str, what: &str| {
        let error = compared(new, old, "f").expect_err("it cannot be compared");
        assert!(error.contains(what), "{error}");
    };
    said("long f(int a) { return a; }", old, "another type in old.c");
    said("int f(int a, int b) { return a; }", old, "int(int)");
    said("int g(int a) { return a; }", old, "there is no function f in new.c");
    said(old, "int g(int a) { return a; }", "there is no function f in old.c");
    said("void exit(int); int f(int a) { exit(a); return 0; }", old, "does not return");
    said("void f(int a) { }", "void f(int a) { }", "nothing that could be compared");
    let random = "int rand(void); int f(int a) { return a + rand(); }";
    said(random, random, "rand");
    let outside = "extern int total; int f(int a) { return total += a; }";
    said(outside, outside, "writes total");
    let list = "struct n { struct n *next; }; int f(struct n *p) { return p != 0; }";
    said(list, list, "pointers to what holds pointers");
}
