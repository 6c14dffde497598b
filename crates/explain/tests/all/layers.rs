//! Layers over objects (`symex/layer.rs`), which are meant for large ones, on small ones: the oracle is every input where contents are
//! defined, and a choice per element where they are not. `NEARMISS_PROGRAMS=5000` runs more programs.

use nearmiss_explain::check::{self, CheckOptions};
use nearmiss_explain::explain::{self, ExplainOptions};
use nearmiss_explain::explanation::{Status, Verdict};

use crate::brute_force::judge;
use crate::common::indices::Indices;
use crate::common::random::{self, Dice, Generator};

/// Random C programs that read and write tables of every kind at unknown indices, byte by byte and as a whole.
struct Tables {
    dice: Dice,
    text: String,
    depth: u32,
}

const INDICES: [&str; 7] = ["a", "b", "a + b", "a * 3 + b", "x", "7 - a", "b / 2"];

impl Tables {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// An index below a number; once in a while, only perhaps.
    fn index(&mut self, below: u64) -> String {
        let index = INDICES[self.dice.index(INDICES.len())];
        match self.dice.below(24) {
            0 => format!("({index})"),
            1..=4 => self.dice.below(below).to_string(),
            _ => format!("(({index}) % {below}u)"),
        }
    }

    fn place(&mut self) -> String {
        match self.dice.below(10) {
            0 => format!("table[{}]", self.index(12)),
            1 => format!("bytes[{}]", self.index(8)),
            2 => format!("pairs[{}].{}", self.index(5), ["tag", "value", "wide", "low"][self.dice.index(4)]),
            3 => format!("grid[{}][{}]", self.index(3), self.index(4)),
            4 => format!("local[{}]", self.index(6)),
            5 => format!("text[{}]", self.index(9)),
            6 => format!("heap[{}]", self.index(4)),
            7 => format!("((unsigned char *)table)[{}]", self.index(48)),
            8 => format!("((unsigned short *)local)[{}]", self.index(12)),
            _ => format!("*links[{}]", self.index(6)),
        }
    }

    fn value(&mut self) -> String {
        match self.dice.below(4) {
            0 => self.dice.below(9).to_string(),
            1 => self.place(),
            _ => INDICES[self.dice.index(INDICES.len())].to_owned(),
        }
    }

    fn whole(&mut self) -> String {
        let (i, j, k) = (self.index(4), self.index(4), self.index(5));
        match self.dice.below(9) {
            0 => format!("pairs[{k}] = pairs[{j}];"),
            1 => format!("memset(bytes + {i}, {}, {k});", self.dice.below(3)),
            2 => format!("memset(table + {i}, {}, 4 * {k});", self.dice.below(3)),
            3 => format!("memcpy(local, table + {i}, 4 * {k});"),
            4 => format!("memcpy(table + {i}, local + 1, {k});"),
            5 => format!("memmove(bytes + {i}, bytes + {j}, {k});"),
            6 => format!("memcpy(text + {i}, bytes + {j}, 5);"),
            7 => format!("memcpy(&pairs[{k}], local, sizeof pairs[0]);"),
            _ => format!("links[{k}] = &table[{i}];"),
        }
    }

    fn statement(&mut self) {
        match self.dice.below(10) {
            0 | 1 if self.depth < 2 => {
                let condition = format!("if ({} < {}) {{", self.value(), self.value());
                self.depth += 1;
                self.line(&condition);
                self.statement();
                self.line("} else {");
                self.statement();
                self.line("}");
                self.depth -= 1;
            }
            2 if self.depth == 0 => {
                self.depth += 2;
                self.line("for (int k = 0; k < 3; k++) {");
                self.statement();
                self.line("}");
                self.depth -= 2;
            }
            3 | 4 => {
                let line = self.whole();
                self.line(&line);
            }
            5 | 6 => {
                let line = format!("x += {};", self.place());
                self.line(&line);
            }
            _ => {
                let line = format!("{} = {};", self.place(), self.value());
                self.line(&line);
            }
        }
    }

    fn program(seed: u64, declarations: &[&str]) -> String {
        let mut tables = Tables { dice: Dice::new(seed), text: String::new(), depth: 0 };
        for line in [
            "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>",
            "unsigned char nondet_uchar(void);",
            "struct pair { unsigned char tag; short value; int wide; unsigned low : 5, high : 7; };",
            "static int table[12] = {3, 1, 4, [7] = 1, 5}; static unsigned char bytes[8]; static struct pair pairs[5];",
            "static short grid[3][4]; static int other;",
            "int main(void) {",
            "unsigned char a = nondet_uchar(), b = nondet_uchar(); unsigned x = 0;",
            "__CPROVER_assume(a < 8 && b < 8);",
            "int *links[6] = {table, table + 1, &other, table + a, &other, table + 11};",
        ] {
            tables.line(line);
        }
        declarations.iter().for_each(|line| tables.line(line));
        tables.line("if (!heap) return 0;");
        for _ in 0..3 + tables.dice.below(5) {
            tables.statement();
        }
        let (last, number) = (tables.place(), tables.dice.below(6));
        tables.line(&format!("x += {last};\nassert(x != {number});\nfree(heap);\nreturn 0;\n}}"));
        tables.text
    }

    fn defined(seed: u64) -> String {
        let local = "int local[6] = {1, 2, 3, 4}; unsigned char text[9] = \"abc\"; local[4] = a;";
        Tables::program(seed, &[local, "int *heap = calloc(4 + a, sizeof(int));"])
    }

    fn undefined(seed: u64) -> String {
        let local = "int local[6]; unsigned char text[9]; local[4] = a;";
        Tables::program(seed, &[local, "int *heap = malloc((4 + a) * sizeof(int));"])
    }
}

fn layered() -> CheckOptions {
    CheckOptions { elements: 1, ..CheckOptions::default() }
}

#[test]
fn the_verdict_on_tables_is_that_of_all_inputs() {
    judge(random::wanted(60), Tables::defined, layered);
}

#[test]
fn the_verdict_on_indices_in_layers_is_that_of_all_inputs() {
    judge(random::wanted(40), Indices::program, layered);
}

#[test]
fn the_verdict_on_programs_in_layers_is_that_of_all_inputs() {
    judge(random::wanted(40), Generator::program, layered);
}

/// Undefined contents are inputs: of elements, or of reads.
#[test]
fn layers_and_elements_say_the_same_of_undefined_contents() {
    random::with_stack(|| {
        let (mut failing, mut passing) = (0, 0);
        for seed in random::seeds(random::wanted(40)) {
            let text = Tables::undefined(seed);
            let (program, sources) = random::read(&text, &format!("seed {seed}"));
            let [layers, elements] = [layered(), CheckOptions { elements: u64::MAX, ..layered() }].map(|options| {
                check::check(&program, &options, &mut |_| {}).unwrap_or_else(|e| panic!("seed {seed}: {e:?}\n{text}"))
            });
            let told: [Vec<(&str, Status)>; 2] =
                [&layers, &elements].map(|found| found.claims.iter().map(|c| (c.id.as_str(), c.status)).collect());
            assert_eq!(told[0], told[1], "seed {seed}\n{text}");
            let lengths = [&layers, &elements].map(|found| found.counterexample.as_ref().map(|shown| shown.length));
            assert_eq!(lengths[0], lengths[1], "seed {seed}\n{text}");
            failing += u64::from(layers.verdict == Verdict::Fails);
            passing += u64::from(layers.verdict == Verdict::Holds);
            if layers.verdict == Verdict::Fails && seed % 4 == 0 {
                // Every part of an explanation is re-checked on the way.
                let options = ExplainOptions { check: layered(), ..ExplainOptions::default() };
                let explained = explain::explain(&program, &sources, &options, &mut |_| {});
                explained.unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
            }
        }
        assert!(failing > 5 && passing > 1, "{failing} fail, {passing} pass: a poor sample");
    });
}
