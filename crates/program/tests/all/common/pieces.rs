//! Random C programs that keep pointers among other things: in unions beside narrower members, in bytes, in copies.
//!
//! One branch stores a pointer and another a number that covers only a part of it, so that what is read later is put together
//! from pieces. A tag says what is stored; mostly it is asked first, as people do. No pointer is read as a number: where
//! objects lie is not the same in an equation and in a run.

use super::random::Dice;

/// Makes a program.
pub struct Pieces {
    dice: Dice,
    text: String,
}

const TARGETS: [&str; 5] = ["&i", "&j", "t", "t + 1", "&n.value"];
const HOLDERS: [&str; 3] = ["v", "w", "n.u"];

impl Pieces {
    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.dice.index(from.len())]
    }

    fn condition(&mut self) -> String {
        let (input, number) = (self.pick(&["a", "b"]), self.dice.below(5));
        let sign = self.pick(&["<", "==", "!=", ">="]);
        format!("{input} {sign} {number}")
    }

    fn number(&mut self) -> String {
        match self.dice.below(4) {
            0 => "a".to_owned(),
            1 => "b".to_owned(),
            _ => (self.dice.below(7)).to_string(),
        }
    }

    /// Stores a pointer, or something that is none, and says so in the tag.
    fn store(&mut self, holder: &str) -> String {
        let tag = if holder == "n.u" { "n.tag".to_owned() } else { format!("tag_{holder}") };
        match self.dice.below(8) {
            0..=3 => format!("{{ {holder}.ptr = {}; {tag} = 1; }}", self.pick(&TARGETS)),
            4 => format!("{{ {holder}.i = {}; {tag} = 0; }}", self.number()),
            5 => format!("{{ {holder}.s[{}] = {}; {tag} = 0; }}", self.dice.below(4), self.number()),
            6 => format!("{{ {holder}.b[{}] = {}; {tag} = 0; }}", self.dice.below(8), self.number()),
            _ => format!("{{ {holder}.l = {}; {tag} = 0; }}", self.number()),
        }
    }

    fn access(&mut self, holder: &str) -> String {
        let number = self.number();
        match self.dice.below(4) {
            0 => format!("*{holder}.ptr = {number};"),
            1 => format!("++*{holder}.ptr;"),
            _ => format!("x += *{holder}.ptr;"),
        }
    }

    fn statement(&mut self) {
        let holder = self.pick(&HOLDERS);
        let tag = if holder == "n.u" { "n.tag".to_owned() } else { format!("tag_{holder}") };
        let condition = self.condition();
        let line = match self.dice.below(16) {
            0..=3 => format!("if ({condition}) {} else {}", self.store(holder), self.store(holder)),
            4 | 5 => format!("if ({condition}) {}", self.store(holder)),
            6 => format!("if ({condition}) {{ w = v; tag_w = tag_v; }}"),
            7 => format!("if ({condition}) {{ n.u = w; n.tag = tag_w; }}"),
            8 => format!("if ({condition}) {{ memcpy(raw, &{holder}, 8); tag_raw = {tag}; }}"),
            9 => format!("if ({condition}) {{ memcpy(&{holder}, raw, 8); {tag} = tag_raw; }}"),
            10 => format!("if ({condition}) {{ raw[{}] = {}; tag_raw = 0; }}", self.dice.below(8), self.number()),
            11 if self.dice.below(3) == 0 => self.access(holder),
            _ => format!("if ({tag} == 1) {}", self.access(holder)),
        };
        self.text.push_str(&format!("    {line}\n"));
    }

    /// The program of a seed; its inputs are two numbers below 8.
    pub fn program(seed: u64) -> String {
        let mut made = Pieces { dice: Dice::new(seed), text: String::new() };
        for line in [
            "#include <assert.h>\n#include <string.h>",
            "unsigned char nondet_uchar(void);",
            "union u { int *ptr; long l; int i; short s[4]; unsigned char b[8]; };",
            "struct node { int tag, value; union u u; };",
            "static int i, t[2];",
            "int main(void) {",
            "    unsigned char a = nondet_uchar(), b = nondet_uchar();",
            "    __CPROVER_assume(a < 8 && b < 8);",
            "    int j = 2, x = 0, tag_v = 0, tag_w = 1, tag_raw = 0;",
            "    union u v = {0}, w = {&j};",
            "    struct node n = {0, 3, {0}};",
            "    unsigned char raw[8] = {0};",
        ] {
            made.text.push_str(line);
            made.text.push('\n');
        }
        for _ in 0..4 + made.dice.below(6) {
            made.statement();
        }
        let value = made.pick(&["x", "i + j", "t[0] + x", "n.value", "j"]);
        let other = 1 + made.dice.below(9);
        made.text.push_str(&format!("    assert({value} != {other});\n    return x;\n}}\n"));
        made.text
    }
}
