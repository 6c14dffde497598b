//! Random C programs of procedures that are called several times: with globals, loops, recursion, claims, inputs and
//! variables that nobody has set.

use std::fmt::Write;

use super::random::Dice;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut maker = Maker { dice: Dice::new(seed ^ 0x9157), text: String::new(), below: 0 };
    maker.text += "#include <assert.h>\nunsigned char nondet_uchar(void);\n";
    maker.text += "static unsigned g0, g1 = 3, g2, table[4];\nstatic int s0;\n";
    for number in 0..3 {
        maker.below = number;
        let _ = writeln!(maker.text, "static unsigned f{number}(unsigned a, unsigned b) {{");
        maker.text += "    unsigned x = a, y, z;\n    y = b;\n";
        if maker.dice.below(3) == 0 {
            let _ = writeln!(maker.text, "    if (a > 0 && a < 3) x = f{number}(a - 1, b);");
        }
        for _ in 0..3 + maker.dice.below(4) {
            maker.statement(1);
        }
        let result = maker.value(1);
        let _ = writeln!(maker.text, "    return {result};\n}}");
    }
    maker.below = 3;
    maker.text += "int main(unsigned char a, unsigned char b) {\n    unsigned x = 0, y = b, z = 1;\n";
    for _ in 0..3 + maker.dice.below(4) {
        maker.statement(1);
    }
    let (left, right) = (maker.variable(), maker.variable());
    let _ = writeln!(maker.text, "    assert({left} != 5 || {right} < 3);\n    return 0;\n}}");
    maker.text
}

struct Maker {
    dice: Dice,
    text: String,
    /// Functions below this number may be called.
    below: u64,
}

impl Maker {
    fn variable(&mut self) -> &'static str {
        ["a", "b", "x", "y", "g0", "g1", "g2"][self.dice.below(7) as usize]
    }

    fn value(&mut self, depth: u32) -> String {
        let (a, b) = (self.variable(), self.variable());
        let number = self.dice.below(8);
        match self.dice.below(9) {
            0 => number.to_string(),
            1 | 2 => a.to_owned(),
            3 => format!("{a} + {b}"),
            4 => format!("({a} ^ {number}u)"),
            5 => format!("table[{a} % 4]"),
            6 => format!("table[({a} & 3) + {}]", self.dice.below(2)),
            7 if depth > 0 && self.below > 0 => {
                let function = self.dice.below(self.below);
                let (left, right) = (self.value(0), self.value(0));
                format!("f{function}({left}, {right})")
            }
            _ => format!("({a} & {b})"),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.variable(), self.variable());
        match self.dice.below(4) {
            0 => format!("{a} > {}", self.dice.below(6)),
            1 => format!("{a} == {}", self.dice.below(4)),
            2 => format!("{a} < {b}"),
            _ => format!("{a} & 1"),
        }
    }

    fn statement(&mut self, depth: u32) {
        let target = ["x", "y", "g0", "g1", "g2", "table[1]"][self.dice.below(6) as usize];
        let (condition, value) = (self.condition(), self.value(depth));
        let line = match self.dice.below(13) {
            0 => format!("assert({condition} || g1 != 2);"),
            1 => "s0 = s0 + 1;".to_owned(),
            2 => format!("{target} = nondet_uchar();"),
            3 => format!("if ({condition}) z = {value};\n    if ({condition}) g2 = z;"),
            4 => format!("for (unsigned i = 0; i < 2; i++) {target} += {value};"),
            5 if depth > 0 => format!("table[{} % 4] = {value};", self.variable()),
            6 | 7 if depth > 0 => {
                let _ = writeln!(self.text, "    if ({condition}) {{");
                self.statement(0);
                self.text += "    } else {\n";
                self.statement(0);
                "}".to_owned()
            }
            8 if self.below > 0 => format!("f{}({value}, {});", self.dice.below(self.below), self.variable()),
            9 if self.below < 3 => format!("if ({condition}) return {value};"),
            _ => format!("{target} = {value};"),
        };
        let _ = writeln!(self.text, "    {line}");
    }
}
