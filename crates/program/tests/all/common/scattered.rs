//! Random C programs whose inputs are anywhere: in branches, loops and functions, after the claim, never initialised.
//!
//! Inputs are of one to three bits, signed and unsigned, so that all executions can be looked at. What they have in
//! common with the programs of `random.rs` is the seed.

use super::random::Dice;

/// Makes a program.
pub struct Scattered {
    dice: Dice,
    text: String,
    indent: usize,
    names: u32,
    inputs: u32,
}

const VARIABLES: [&str; 6] = ["x", "y", "z", "g", "*p", "t[1]"];

impl Scattered {
    /// The program of a seed.
    pub fn program(seed: u64) -> String {
        let mut made = Scattered { dice: Dice::new(seed), text: String::new(), indent: 0, names: 0, inputs: 4 };
        made.line("#include <assert.h>");
        made.line("_Bool nondet_bool(void);");
        made.line("enum colour { RED, GREEN };");
        made.line("struct few { unsigned a : 2; int b : 2; int c : 3; enum colour d : 1; };");
        made.line("static int g = 1;");
        made.line("static int pick(int v, int w) {");
        made.line("    if (v > w) return v - w;");
        made.line("    g = g + 1;");
        made.line("    return w;");
        made.line("}");
        made.line("static int ask(int v) { _Bool yes = nondet_bool(); if (yes) return v; return -1; }");
        made.line("static void raise(int *target) { if (*target < 2) *target += 2; }");
        made.line("int main(void) {");
        made.indent = 1;
        made.line("struct few u; _Bool flag;");
        let first = ["u.a", "u.b", "u.c"][made.dice.below(3) as usize];
        made.line(&format!("int x = {first}, y = 0, z = 2, t[3] = {{1, x, 3}}, *p = &y;"));
        for _ in 0..3 + made.dice.below(4) {
            made.statement(2);
        }
        let condition = made.condition(2);
        made.line(&format!("assert({condition});"));
        if made.dice.below(2) == 0 {
            made.statement(1);
            let condition = made.condition(1);
            let demand = ["assert", "__CPROVER_assume"][made.dice.below(2) as usize];
            made.line(&format!("{demand}({condition});"));
        }
        made.line("return 0;");
        made.indent = 0;
        made.line("}");
        made.text
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(&"    ".repeat(self.indent));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn variable(&mut self) -> &'static str {
        VARIABLES[self.dice.below(VARIABLES.len() as u64) as usize]
    }

    /// An input that is read for the first time, perhaps.
    fn input(&mut self) -> String {
        if self.inputs == 0 {
            return self.variable().to_owned();
        }
        self.inputs -= 1;
        match self.dice.below(7) {
            0 => "u.a".to_owned(),
            1 => "u.b".to_owned(),
            2 => "u.c".to_owned(),
            3 => "flag".to_owned(),
            4 => "(u.d == GREEN)".to_owned(),
            5 => "ask(x)".to_owned(),
            _ => "nondet_bool()".to_owned(),
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        match self.dice.below(if depth == 0 { 5 } else { 12 }) {
            0 => self.dice.below(4).to_string(),
            1..=3 => self.variable().to_owned(),
            4 => self.input(),
            5 | 6 => {
                let op = ["+", "-", "&", "^"][self.dice.below(4) as usize];
                format!("({} {op} {})", self.expr(depth - 1), self.expr(depth - 1))
            }
            7 => self.condition(depth),
            8 => format!("t[{} & 1]", self.expr(depth - 1)),
            9 => format!("pick({}, {})", self.expr(depth - 1), self.expr(depth - 1)),
            10 => format!("({} ? {} : {})", self.condition(depth), self.expr(depth - 1), self.expr(depth - 1)),
            _ => format!("(- {})", self.expr(depth - 1)),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let depth = depth.saturating_sub(1);
        match self.dice.below(5) {
            0 => format!("(!{})", self.expr(depth)),
            1 => {
                let op = ["&&", "||"][self.dice.below(2) as usize];
                format!("({} {op} {})", self.expr(depth), self.expr(depth))
            }
            _ => {
                let op = ["<", "<=", "==", "!=", ">", ">="][self.dice.below(6) as usize];
                format!("({} {op} {})", self.expr(depth), self.expr(depth))
            }
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.dice.below(if depth == 0 { 6 } else { 12 }) {
            0..=2 => {
                let (target, value) = (self.variable(), self.expr(2));
                self.line(&format!("{target} = {value};"));
            }
            3 => {
                let (index, value) = (self.expr(1), self.expr(1));
                self.line(&format!("t[{index} & 1] = {value};"));
            }
            4 => {
                let target = self.variable();
                if self.inputs == 0 || self.dice.below(2) == 0 {
                    let pointer = ["&x", "&y", "&t[2]"][self.dice.below(3) as usize];
                    self.line(&format!("p = {pointer};"));
                    return;
                }
                self.inputs -= 1;
                self.names += 1;
                let (name, field) = (self.names, ["a", "b", "c", "d"][self.dice.below(4) as usize]);
                self.line(&format!("struct few u{name}; {target} = u{name}.{field};"));
            }
            5 => {
                let text = match self.dice.below(4) {
                    0 => "raise(p);".to_owned(),
                    1 => "raise(&x);".to_owned(),
                    2 => format!("assert({});", self.condition(2)),
                    _ => format!("__CPROVER_assume({});", self.condition(1)),
                };
                self.line(&text);
            }
            6..=8 => {
                let condition = self.condition(2);
                self.line(&format!("if ({condition}) {{"));
                self.block(depth - 1);
                if self.dice.below(2) == 0 {
                    self.line("} else {");
                    self.block(depth - 1);
                }
                self.line("}");
            }
            9 => {
                let limit = self.expr(1);
                self.names += 1;
                let name = format!("i{}", self.names);
                self.line(&format!("for (int {name} = 0; {name} < ({limit} & 3); {name}++) {{"));
                // An input in a loop is as many inputs as there are rounds.
                self.inputs = self.inputs.saturating_sub(2);
                self.block(depth - 1);
                self.line("}");
            }
            10 => {
                let value = self.expr(1);
                self.line(&format!("switch ({value} & 3) {{"));
                for case in 0..2 {
                    self.line(&format!("case {case}:;"));
                    self.block(depth - 1);
                    if self.dice.below(3) != 0 {
                        self.line("    break;");
                    }
                }
                self.line("default:;");
                self.block(depth - 1);
                self.line("}");
            }
            _ => {
                let condition = self.condition(1);
                self.line(&format!("if ({condition}) return 1;"));
            }
        }
    }

    fn block(&mut self, depth: u32) {
        self.indent += 1;
        for _ in 0..1 + self.dice.below(2) {
            self.statement(depth);
        }
        self.indent -= 1;
    }
}
