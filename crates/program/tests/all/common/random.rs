//! Random C programs, and reading them.

use super::OneFile;
use nearmiss_program::c::{self, Options};
use nearmiss_program::program::Program;
use nearmiss_program::source::Sources;

/// What the file of a random program is called.
pub const FILE: &str = "random.c";

/// Reads the text of a program that is right by construction; `what` says which it is.
pub fn read(text: &str, what: &str) -> (Program, Sources) {
    read_with(text, &Options::default(), what)
}

/// The same with options.
pub fn read_with(text: &str, options: &Options, what: &str) -> (Program, Sources) {
    if std::env::var_os("NEARMISS_SHOW").is_some() {
        println!("{text}");
    }
    let mut sources = Sources::new();
    let loader = OneFile { name: FILE, bytes: text.as_bytes() };
    let program = c::read(&[FILE.to_owned()], options, &loader, &mut sources)
        .unwrap_or_else(|errors| panic!("{what} is not accepted: {errors:?}\n{text}"));
    (program, sources)
}

/// The number of programs that the environment asks for.
pub fn wanted(otherwise: u64) -> u64 {
    std::env::var("NEARMISS_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// The seeds of so many programs. The environment says which is the first.
pub fn seeds(programs: u64) -> std::ops::Range<u64> {
    let first = std::env::var("NEARMISS_FROM").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    first..first + programs
}

/// Runs a test where there is enough stack.
pub fn with_stack(worker: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 20).spawn(worker).expect("a thread").join().expect("all agree");
}

/// Numbers from a seed; the same seed gives the same numbers everywhere (Knuth's linear congruential generator, high bits
/// only).
pub struct Dice(pub u64);

impl Dice {
    /// Numbers from this seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E3779B97F4A7C15) ^ 0x5851)
    }

    /// A number less than `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    /// An index below a bound, which may be 0.
    pub fn index(&mut self, bound: usize) -> usize {
        self.below(bound.max(1) as u64) as usize
    }
}

/// A generator of small programs from a seed; the same seed gives the same program everywhere.
pub struct Generator {
    dice: Dice,
    text: String,
    indent: usize,
    loops: u32,
}

const VARIABLES: [&str; 12] =
    ["x", "y", "z", "g", "s.m", "q->m", "bits.low", "either.word", "r[1].n", "wide", "half", "grid[1][2]"];

impl Generator {
    fn below(&mut self, n: u64) -> u64 {
        self.dice.below(n)
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

    /// The program of a seed; its inputs are two numbers below 8.
    pub fn program(seed: u64) -> String {
        let mut generator = Generator { dice: Dice::new(seed), text: String::new(), indent: 0, loops: 0 };
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
