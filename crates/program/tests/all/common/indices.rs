//! Random C programs about positions: 64-bit arithmetic on indices and distances, through pointers to bytes and to more.
//!
//! Sums of a pointer, an unsigned number and a negative constant are folded in any order, so every order occurs here: `s[n - 1]`,
//! `(s + n)[-1]`, `*(end - n)`, `s + (end - s)`, pointers one before and one past an object, objects side by side.

use super::random::Dice;

/// A generator from a seed; the same seed gives the same program everywhere.
pub struct Indices {
    dice: Dice,
    text: String,
}

const DISTANCES: [&str; 6] = ["n", "m", "d", "k", "(end - s)", "(size_t)(s - start)"];
const POINTERS: [&str; 5] = ["s", "end", "start", "w", "bytes"];

impl Indices {
    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.dice.index(from.len())]
    }

    fn distance(&mut self, depth: u32) -> String {
        if depth == 0 || self.dice.below(4) == 0 {
            return self.pick(&DISTANCES).to_owned();
        }
        let inner = self.distance(depth - 1);
        match self.dice.below(9) {
            0..=2 => format!("{inner} - {}", 1 + self.dice.below(3)),
            3 => format!("{inner} + {}", self.dice.below(4)),
            4 => format!("({inner}) - ({})", self.distance(depth - 1)),
            5 => format!("-({inner})"),
            6 => format!("({inner}) * 2 - {}", self.dice.below(3)),
            7 => format!("(long)({inner}) / 2"),
            _ => format!("(int)({inner})"),
        }
    }

    /// A place, and whether it is sure to exist is for the claims to say.
    fn place(&mut self) -> String {
        let (pointer, distance) = (self.pick(&POINTERS), self.distance(2));
        match self.dice.below(6) {
            0 => format!("({pointer} + ({distance}))[-{}]", self.dice.below(3)),
            1 => format!("*({pointer} - ({distance}))"),
            2 => format!("({pointer} - {})[{distance}]", self.dice.below(3)),
            3 => format!("({distance})[{pointer}]"),
            _ => format!("{pointer}[{distance}]"),
        }
    }

    /// An access that stays inside, whatever the inputs are.
    fn guarded(&mut self) -> String {
        let distance = self.distance(2);
        let (low, back) = (self.dice.below(3), self.dice.below(3));
        match self.dice.below(4) {
            0 => format!("if (({distance}) < 6ul) x += start[{distance}];"),
            1 => format!("if (({distance}) > {back} && ({distance}) <= 6) start[({distance}) - {back} - 1] = {low};"),
            2 => format!("if (({distance}) >= -2l && ({distance}) < 1) x = (start + 2)[{distance}];"),
            _ => format!("if (({distance}) - {low} < 4ul) x += *(bytes + ({distance}) - {low});"),
        }
    }

    fn statement(&mut self) {
        if self.dice.below(8) < 7 {
            let line = self.guarded();
            self.text.push_str(&format!("    {line}\n"));
            return;
        }
        let line = match self.dice.below(12) {
            0..=2 => format!("x = {};", self.place()),
            3 | 4 => format!("{} = {};", self.place(), self.distance(1)),
            5 => format!("s = {} + ({});", self.pick(&["start", "end", "s"]), self.distance(1)),
            6 => format!("n = {};", self.distance(2)),
            7 => format!("d = {};", self.distance(2)),
            8 => format!("if (n > 0 && n <= 6 && start[n - 1] == {}) start[n - 1] = 0;", self.dice.below(4)),
            9 => format!("if ({} < {}) x++;", self.pick(&["s", "end"]), self.pick(&["start", "end"])),
            10 => format!("assert(({}) != {});", self.distance(1), self.dice.below(6)),
            _ => format!("while (end > start && end[-1] == {}) end--;", self.dice.below(3)),
        };
        self.text.push_str(&format!("    {line}\n"));
    }

    /// The program of a seed; its inputs are two numbers below 8.
    pub fn program(seed: u64) -> String {
        let mut generator = Indices { dice: Dice::new(seed), text: String::new() };
        for line in [
            "#include <assert.h>\n#include <stddef.h>\n#include <string.h>",
            "unsigned char nondet_uchar(void);",
            "static unsigned char before[4], buffer[6], after[4];",
            "static short words[4];",
            "int main(void) {",
            "    unsigned char a = nondet_uchar(), b = nondet_uchar();",
            "    __CPROVER_assume(a < 8 && b < 8);",
            "    unsigned char local[6] = {1, 2, a, b, 0, 1}, *start = a & 1 ? buffer : local;",
            "    unsigned char *s = start + 2, *end = start + 6, *bytes = (unsigned char *)words;",
            "    short *w = words + 1;",
            "    size_t n = a, m = b; ptrdiff_t d = a - b; long k = b; int x = 0;",
            "    buffer[1] = b; words[2] = a; before[0] = after[0] = a;",
        ] {
            generator.text.push_str(line);
            generator.text.push('\n');
        }
        for _ in 0..2 + generator.dice.below(4) {
            generator.statement();
        }
        let value = if generator.dice.below(4) == 0 { generator.place() } else { "x".to_owned() };
        let other = 2 + generator.dice.below(30);
        generator.text.push_str(&format!("    assert({value} != {other});\n    return x;\n}}\n"));
        generator.text
    }
}
