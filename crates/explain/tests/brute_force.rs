//! The oracle of the verdict: random programs over inputs of three bits, executed on every input by the interpreter.
//!
//! Whatever claim some input violates first must be reported as failing, no automatic claim may be reported that no
//! input violates, and the unwinding must be found sufficient. The counterexample must be as short as any, and its values
//! as small as any of that length. `NEARMISS_PROGRAMS=5000` runs more programs.

use std::collections::BTreeSet;
use std::path::Path;

use nearmiss_explain::c::{self, Loader, Options};
use nearmiss_explain::check::{self, CheckOptions};
use nearmiss_explain::explanation::{Counterexample, Status, Verdict};
use nearmiss_explain::interp::{self, Limits};
use nearmiss_explain::program::{ClaimKind, Program, Type};
use nearmiss_explain::run::{Inputs, Outcome, Run, RunStep, RunStepKind};
use nearmiss_explain::source::Sources;

struct OneFile(String);

impl Loader for OneFile {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        if path == Path::new("random.c") {
            Ok(self.0.clone().into_bytes())
        } else {
            Err(std::io::ErrorKind::NotFound.into())
        }
    }

    fn exists(&self, path: &Path) -> bool {
        path == Path::new("random.c")
    }
}

/// A generator of small programs from a seed; the same seed gives the same program everywhere.
struct Generator {
    state: u64,
    text: String,
    indent: usize,
    loops: u32,
}

const VARIABLES: [&str; 12] =
    ["x", "y", "z", "g", "s.m", "q->m", "bits.low", "either.word", "r[1].n", "wide", "half", "grid[1][2]"];

impl Generator {
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) % n
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(&"    ".repeat(self.indent));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn variable(&mut self) -> &'static str {
        VARIABLES[self.below(VARIABLES.len() as u64) as usize]
    }

    fn expr(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 4 } else { 18 }) {
            0 => self.below(9).to_string(),
            1 | 2 => self.variable().to_owned(),
            3 => ["a", "b"][self.below(2) as usize].to_owned(),
            4 | 5 => {
                let op = ["+", "-", "*", "&", "|", "^"][self.below(6) as usize];
                format!("({} {op} {})", self.expr(depth - 1), self.expr(depth - 1))
            }
            6 => {
                let op = ["<", "<=", "==", "!=", ">", ">="][self.below(6) as usize];
                format!("({} {op} {})", self.expr(depth - 1), self.expr(depth - 1))
            }
            7 => {
                let op = ["&&", "||"][self.below(2) as usize];
                format!("({} {op} {})", self.expr(depth - 1), self.expr(depth - 1))
            }
            8 => format!("({} ? {} : {})", self.expr(depth - 1), self.expr(depth - 1), self.expr(depth - 1)),
            9 => format!("t[{} & 3]", self.expr(depth - 1)),
            10 => "*p".to_owned(),
            11 => format!("({} >> ({} & 7))", self.expr(depth - 1), self.expr(depth - 1)),
            12 => format!("f({}, {})", self.expr(depth - 1), self.expr(depth - 1)),
            13 => match self.below(4) {
                0 => format!("({} / {})", self.expr(depth - 1), self.expr(depth - 1)),
                1 => format!("({} % ({} | 1))", self.expr(depth - 1), self.expr(depth - 1)),
                2 => format!("(signed char)({})", self.expr(depth - 1)),
                _ => format!("t[{}]", self.variable()),
            },
            14 => format!("either.byte[{} & 3]", self.expr(depth - 1)),
            15 => format!("*(c + ({} & 3))", self.expr(depth - 1)),
            16 => match self.below(6) {
                0 => format!("twice({} & 3)", self.expr(depth - 1)),
                1 => format!("grid[{} & 1][{} % 3u]", self.expr(depth - 1), self.expr(depth - 1)),
                2 => format!("op({}, 3)", self.expr(depth - 1)),
                3 => format!("((int)ratio + ({} < ratio))", self.expr(depth - 1)),
                4 => format!("(int)(strlen(word) + word[{} & 3])", self.expr(depth - 1)),
                _ => "(strcmp(word, \"ab\") > 0)".to_owned(),
            },
            _ => format!("(- {})", self.expr(depth - 1)),
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.below(if depth == 0 { 8 } else { 14 }) {
            0..=2 => {
                let (target, value) = (self.variable(), self.expr(2));
                self.line(&format!("{target} = {value};"));
            }
            3 => {
                let (index, value) = (self.expr(1), self.expr(1));
                self.line(&format!("t[{index} & 3] = {value};"));
            }
            4 => {
                let value = match self.below(6) {
                    0 => format!("&t[{} & 3]", self.expr(1)),
                    1 => "&y".to_owned(),
                    2 => "&s.m".to_owned(),
                    3 => "0".to_owned(),
                    _ => "&x".to_owned(),
                };
                self.line(&format!("p = {value};"));
            }
            5 => {
                let value = self.expr(2);
                let op = ["=", "+=", "^=", "-="][self.below(4) as usize];
                self.line(&format!("*p {op} {value};"));
            }
            6 => {
                let value = self.expr(1);
                let text = match self.below(17) {
                    8 => format!("op = {value} ? f : other;"),
                    9 => format!("r[{value} & 1] = r[(x + 1) & 1];"),
                    10 => format!("memmove(t + 1, t, 4 * ({value} & 3u));"),
                    11 => format!("ratio = ratio * 0.5 + {value};"),
                    12 => format!("word[{value} & 3] = 'a' + (x & 1);"),
                    13 => format!("grid[{value} & 1][1] = x;"),
                    14 => format!("wide = wide * 3 + ({value} & 7); half += 1000;"),
                    15 => format!("if (({value}) == 2) goto out;"),
                    16 => format!("strncpy(word, \"xyz\", {value} & 3u);"),
                    0 => format!("q = &r[{value} & 1];"),
                    1 => "r[0] = r[1];".to_owned(),
                    2 => "memcpy(&s, q, sizeof s);".to_owned(),
                    3 => format!("bump(&{}, {value});", ["x", "y", "s.m", "t[2]"][self.below(4) as usize]),
                    4 => format!("c = either.byte + ({value} & 1);"),
                    5 => format!("*pp = &t[{value} & 3];"),
                    6 => "pp = &spare;".to_owned(),
                    7 => format!("if ({value}) free(h); else *h = {value};"),
                    _ => format!("memset(t, {value}, {});", 4 * self.below(4)),
                };
                self.line(&text);
            }
            7 => {
                let (index, value) = (self.expr(1), self.expr(1));
                let text = match self.below(4) {
                    0 => format!("either.byte[{index} & 3] = {value};"),
                    1 => format!("c[{index} & 1] = {value};"),
                    2 => format!("q->n += {value};"),
                    _ => format!("bits.high ^= {value};"),
                };
                self.line(&text);
            }
            8 | 9 => {
                let condition = self.expr(2);
                self.line(&format!("if ({condition}) {{"));
                self.block(depth - 1);
                if self.below(2) == 0 {
                    self.line("} else {");
                    self.block(depth - 1);
                }
                self.line("}");
            }
            10 => {
                let (name, limit) = (format!("i{}", self.loops), self.expr(1));
                self.loops += 1;
                self.line(&format!("for (int {name} = 0; {name} < ({limit} & 3); {name}++) {{"));
                self.block(depth - 1);
                if self.below(3) == 0 {
                    let condition = self.expr(1);
                    let exit = ["break", "continue"][self.below(2) as usize];
                    self.line(&format!("    if ({condition}) {exit};"));
                    let target = self.variable();
                    self.line(&format!("    {target}++;"));
                }
                self.line("}");
            }
            11 => {
                let value = self.expr(1);
                self.line(&format!("switch ({value} & 3) {{"));
                for case in 0..3 {
                    self.line(&format!("case {case}:"));
                    self.block(depth - 1);
                    if self.below(3) != 0 {
                        self.line("    break;");
                    }
                }
                self.line("default:");
                self.block(depth - 1);
                self.line("}");
            }
            12 => {
                let condition = self.expr(2);
                self.line(&format!("assert({condition});"));
            }
            _ => {
                let condition = self.expr(1);
                self.line(&format!("__CPROVER_assume({condition});"));
            }
        }
    }

    fn block(&mut self, depth: u32) {
        self.indent += 1;
        for _ in 0..1 + self.below(2) {
            self.statement(depth);
        }
        self.indent -= 1;
    }

    fn program(seed: u64) -> String {
        let mut generator = Generator {
            state: seed.wrapping_mul(0x9E3779B97F4A7C15) ^ 0x5851,
            text: String::new(),
            indent: 0,
            loops: 0,
        };
        generator.line("#include <assert.h>\n#include <stdlib.h>\n#include <string.h>");
        generator.line("unsigned char nondet_uchar(void);");
        generator.line("static int g = 2;");
        generator.line("struct pair { int m; signed char n; };");
        generator.line("static int f(int a, int b) {");
        generator.line("    if (a > b) return a - b;");
        generator.line("    g = (g + 1) & 7;");
        generator.line("    return b & 5;");
        generator.line("}");
        generator.line("static int twice(int n) { return n <= 0 ? 0 : 2 + twice(n - 1); }");
        generator.line("static void bump(int *target, int by) { *target = (*target & 15) + by; }");
        generator.line("static int other(int a, int b) { return a == b ? 7 : (b & 3) - 1; }");
        generator.line("int main(void) {");
        generator.indent = 1;
        generator.line("unsigned char a = nondet_uchar(), b = nondet_uchar();");
        generator.line("__CPROVER_assume(a < 8 && b < 8);");
        generator.line("int x = a, y = b, z = 1, t[4] = {3, a, 1}, *p = &x;");
        generator.line("struct pair s = {b - 1, 7}, r[2] = {{a, 2}, {b, 3}}, *q = &r[0];");
        generator.line("struct { unsigned low : 3, high : 5; } bits = {a, b};");
        generator.line("union { int word; unsigned char byte[4]; } either = {a << 8 | b};");
        generator.line("unsigned char *c = either.byte;");
        generator.line("int *spare = &z, **pp = &p, *h = malloc(sizeof *h);");
        generator.line("*h = a;");
        generator.line("long long wide = (long long)b << 33; short half = (short)(a * 5000);");
        generator.line("int grid[2][3] = {{a, 1, 2}, {3, b}}, (*op)(int, int) = a & 1 ? f : other;");
        generator.line("double ratio = b / 4.0; char word[5] = \"abc\";");
        for _ in 0..3 + generator.below(5) {
            generator.statement(3);
        }
        let condition = generator.expr(2);
        generator.line("out:");
        generator.line(&format!("assert({condition});"));
        generator.line("return 0;");
        generator.indent = 0;
        generator.line("}");
        generator.text
    }
}

/// Every run that violates a claim, with the number of the claim that it violates first.
fn failing_runs(program: &Program) -> Vec<(usize, Run)> {
    let mut failing = Vec::new();
    for a in 0..8 {
        for b in 0..8 {
            let inputs = Inputs { calls: vec![a, b], ..Inputs::default() };
            let run = interp::run(program, &inputs, &Limits::default());
            match run.outcome {
                Outcome::Violated(claim) => failing.push((claim.index(), run)),
                Outcome::Finished | Outcome::Excluded => {}
                other => panic!("a program of this kind cannot end with {other:?}"),
            }
        }
    }
    failing
}

/// Executed branches and assignments, and one for the claim.
fn length(run: &Run) -> u64 {
    let counts = |step: &&RunStep| matches!(step.kind, RunStepKind::Assign { .. } | RunStepKind::Branch { .. });
    run.steps.iter().filter(counts).count() as u64 + 1
}

/// The sum of |x| over integers that are assigned or inputs.
fn sum(program: &Program, run: &Run) -> u128 {
    let magnitude = |step: &RunStep| match step.kind {
        RunStepKind::Assign { ty, value, .. } | RunStepKind::Input { ty, value, .. } => match program.ty(ty) {
            Type::Integer { bits, signed: true, .. } if value >> (bits - 1) & 1 == 1 => (1 << bits) - value,
            Type::Integer { .. } => value,
            _ => 0,
        },
        _ => 0,
    };
    run.steps.iter().map(magnitude).sum()
}

/// No failing run is shorter than the one shown, and none of its length has smaller values.
fn is_smallest(program: &Program, shown: &Counterexample, failing: &[&Run]) -> Result<(), String> {
    let shortest = failing.iter().map(|run| length(run)).min();
    let as_short = failing.iter().filter(|run| Some(length(run)) == shortest);
    let least = as_short.map(|run| sum(program, run)).min();
    let told = (Some(shown.length), Some(shown.sum), shown.proved_minimal);
    if told == (shortest, least, true) { Ok(()) } else { Err(format!("{told:?}, but {shortest:?} and {least:?}")) }
}

#[test]
fn the_verdict_is_that_of_all_inputs() {
    let programs = std::env::var("NEARMISS_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let worker = move || {
        let (mut failing, mut passing) = (0, 0);
        for seed in 0..programs {
            let text = Generator::program(seed);
            let mut sources = Sources::new();
            let program = c::read(&["random.c".to_owned()], &Options::default(), &OneFile(text.clone()), &mut sources)
                .unwrap_or_else(|errors| panic!("seed {seed} is not accepted: {errors:?}\n{text}"));
            let runs = failing_runs(&program);
            let expected: BTreeSet<usize> = runs.iter().map(|(claim, _)| *claim).collect();
            let found = check::check(&program, &CheckOptions::default(), &mut |_| {})
                .unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
            let verdict = if expected.is_empty() { Verdict::Holds } else { Verdict::Fails };
            assert_eq!(found.verdict, verdict, "seed {seed}; violated {expected:?}\n{text}");
            for (index, claim) in found.claims.iter().enumerate() {
                let fails = claim.status == Status::Fails;
                let first = expected.contains(&index);
                assert!(fails || !first, "seed {seed}: {} fails, said {:?}\n{text}", claim.id, claim.status);
                let automatic = claim.kind != ClaimKind::Assertion;
                assert!(first || !fails || !automatic, "seed {seed}: {} never fails\n{text}", claim.id);
            }
            if let (Some(shown), Some(property)) = (&found.counterexample, found.property) {
                let failing: Vec<&Run> = runs.iter().filter(|(claim, _)| *claim == property).map(|(_, r)| r).collect();
                is_smallest(&program, shown, &failing).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            }
            if expected.is_empty() {
                assert!(found.complete, "seed {seed}: all loops are short\n{text}");
                passing += 1;
            } else {
                failing += 1;
            }
        }
        assert!(failing > programs / 10 && passing > programs / 10, "{failing} fail, {passing} pass: a poor sample");
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(worker).expect("a thread").join().expect("all agree");
}
