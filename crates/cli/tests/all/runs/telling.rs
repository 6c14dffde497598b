//! Random programs that say what they do: the text as a person would write it, and the same text in which every condition,
//! part of a condition, assignment, call and return takes itself down when it happens, line by line the same.

use std::fmt::Write;

/// A program as a person would write it, and the same that says what it does.
#[derive(Default)]
pub struct Texts {
    pub plain: String,
    pub telling: String,
    line: usize,
}

/// A condition: what is evaluated one after the other.
enum Condition {
    Atom(String),
    Both(Box<Condition>, &'static str, Box<Condition>),
    Not(Box<Condition>),
    /// The use of a macro, and what its body says.
    Macro(String, Box<Condition>),
}

impl Condition {
    fn plain(&self) -> String {
        match self {
            Condition::Atom(text) => text.clone(),
            Condition::Both(a, sign, b) => format!("({} {sign} {})", a.plain(), b.plain()),
            Condition::Not(a) => format!("!({})", a.plain()),
            Condition::Macro(text, _) => text.clone(),
        }
    }

    fn atoms(&self) -> Vec<&String> {
        match self {
            Condition::Atom(text) => vec![text],
            Condition::Both(a, _, b) => [a.atoms(), b.atoms()].concat(),
            Condition::Not(a) => a.atoms(),
            Condition::Macro(text, a) => [vec![text], a.atoms()].concat(),
        }
    }

    /// The same, where each part is taken down.
    fn telling(&self, line: usize) -> String {
        let part = |of: &Condition| format!("part({line}, \"{}\", {})", of.plain(), of.telling(line));
        match self {
            Condition::Atom(text) => text.clone(),
            Condition::Both(a, sign, b) => format!("{} {sign} {}", part(a), part(b)),
            Condition::Not(a) => format!("!{}", part(a)),
            Condition::Macro(_, a) => a.telling(line),
        }
    }
}

impl Texts {
    fn add(&mut self, plain: &str, telling: &str) {
        self.plain += plain;
        self.telling += telling;
    }

    fn same(&mut self, text: &str) {
        self.add(text, text);
    }

    fn end_line(&mut self) {
        self.same("\n");
        self.line += 1;
    }

    /// The number of the line that is being written.
    fn here(&self) -> usize {
        self.line + 1
    }

    fn set(&mut self, name: &str, plain: &str, telling: &str) {
        let line = self.here();
        self.add(&format!("{name} = {plain}; "), &format!("{name} = {telling}; set({line}, \"{name}\", {name}); "));
    }

    fn set_plainly(&mut self, name: &str, value: &str) {
        self.set(name, value, value);
    }

    fn ask(&mut self, word: &str, condition: &Condition, after: &str) {
        let (line, plain) = (self.here(), condition.plain());
        let telling = condition.telling(line);
        self.add(&format!("{word} ({plain}){after}"), &format!("{word} (ask({line}, \"{plain}\", {telling})){after}"));
    }

    /// A call within an expression.
    fn call(&self, callee: &str, arguments: &str) -> [String; 2] {
        let line = self.here();
        [format!("{callee}({arguments})"), format!("(call({line}, \"{callee}\"), {callee}({arguments}))")]
    }

    fn give_back(&mut self, plain: &str, telling: &str) {
        let line = self.here();
        self.add(&format!("return {plain}; "), &format!("return give({line}, {telling}); "));
    }

    fn parameter(&mut self, name: &str) {
        let line = self.here();
        self.telling += &format!("set({line}, \"{name}\", {name}); ");
    }
}

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.below(2);
        }
        random
    }

    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % most
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    fn condition(&mut self, names: &[&str], depth: u64) -> Condition {
        if depth == 0 || self.below(3) == 0 {
            let (name, operator, number) = (self.pick(names), self.pick(&[">", "<", "==", "!="]), self.below(4));
            let of = match self.below(4) {
                0 => format!("t[{name}]"),
                1 => "*p".to_owned(),
                _ => name.to_owned(),
            };
            return match self.below(4) {
                0 => self.of_macro(&of, number),
                _ => Condition::Atom(format!("{of} {operator} {number}")),
            };
        }
        let sign = if self.below(2) == 0 { "&&" } else { "||" };
        let (first, second) = (self.condition(names, depth - 1), self.condition(names, depth - 1));
        // In a line, a condition is known by its text.
        if first.atoms().iter().any(|atom| second.atoms().contains(atom)) {
            return first;
        }
        let both = Condition::Both(Box::new(first), sign, Box::new(second));
        if self.below(4) == 0 { Condition::Not(Box::new(both)) } else { both }
    }
}

impl Random {
    /// A condition that stands in the body of a macro.
    fn of_macro(&mut self, of: &str, number: u64) -> Condition {
        let compared = |operator: &str, number: u64| Box::new(Condition::Atom(format!("{of} {operator} {number}")));
        let (name, is) = match self.below(4) {
            0 => ("ABOVE", compared(">", number)),
            1 => ("NOT_ABOVE", Box::new(Condition::Not(compared(">", number)))),
            2 => ("AMONG", Box::new(Condition::Both(compared(">", 0), "&&", compared("<=", number)))),
            _ => {
                let outside = Condition::Both(compared("<", 1), "||", compared(">", number));
                ("WITHIN", Box::new(Condition::Not(Box::new(outside))))
            }
        };
        Condition::Macro(format!("{name}({of}, {number})"), is)
    }
}

/// What the macros stand for.
const MACROS: [&str; 5] = [
    "#define ABOVE(c, n) ((c) > (n))",
    "#define NOT_ABOVE(c, n) (!((c) > (n)))",
    "#define AMONG(c, n) ((c) > 0 && (c) <= (n))",
    "#define WITHIN(c, n) (!((c) < 1 || (c) > (n)))",
    "#define STEP(v, n) do { if (v > n) { s = s + n; } } while (0)",
];

/// A generator of one program.
struct Writer {
    texts: Texts,
    random: Random,
    /// The kinds of pieces in the line that is being written.
    pieces: Vec<u64>,
}

impl Writer {
    /// Several statements may stand in one line.
    fn maybe_end_line(&mut self) {
        if self.random.below(4) > 0 {
            self.texts.end_line();
            self.pieces.clear();
        }
    }

    /// A function of one number, which may call itself.
    fn function(&mut self, name: &str) {
        let Writer { texts, random, .. } = self;
        texts.same(&format!("int {name}(int x) {{ "));
        texts.parameter("x");
        texts.end_line();
        texts.same("int y; ");
        match random.below(3) {
            0 => {
                texts.same("static int n; ");
                texts.set_plainly("n", "n + 1");
                texts.set_plainly("y", &format!("x + n - {}", random.below(3)));
            }
            _ => texts.set_plainly("y", &format!("x + {}", random.below(3))),
        }
        self.maybe_end_line();
        let condition = self.random.condition(&["x"], 2);
        self.texts.ask("if", &condition, " ");
        let value = self.random.below(5).to_string();
        self.texts.same("{ ");
        self.texts.set_plainly("y", &value);
        self.texts.same("} ");
        // Two decisions of one line with the same text would have one name.
        match condition.plain().contains("x > ") {
            true => self.texts.end_line(),
            false => self.maybe_end_line(),
        }
        let Writer { texts, random, .. } = self;
        match random.below(3) {
            0 => {
                texts.ask("if", &Condition::Atom("x > 2".to_owned()), " ");
                let [plain, telling] = texts.call(name, "x - 1");
                texts.give_back(&format!("{plain} + 1"), &format!("{telling} + 1"));
                texts.end_line();
            }
            1 => {
                texts.ask("if", &Condition::Atom("x > 1".to_owned()), " { ");
                let [plain, telling] = texts.call(name, "x - 1");
                texts.set("y", &format!("y + {plain}"), &format!("y + {telling}"));
                texts.same("}");
                texts.end_line();
            }
            _ => {}
        }
        texts.give_back("y", "y");
        texts.same("}");
        texts.end_line();
    }

    /// A function without a result that changes what it is given, and one with a result of several parts.
    fn other_functions(&mut self) {
        let Writer { texts, random, .. } = self;
        let limit = random.below(4);
        let line = texts.here();
        texts.add("void touch(int *v, int y) {", &format!("void touch(int *v, int y) {{ set({line}, \"v\", 0); "));
        texts.parameter("y");
        texts.end_line();
        let line = texts.here();
        let early = Condition::Atom(format!("y > {limit}"));
        texts.ask("if", &early, " ");
        texts.add("return;", &format!("{{ leave({line}); return; }}"));
        texts.end_line();
        texts.set_plainly("*v", "*v + y");
        texts.set_plainly("calls", "calls + 1");
        texts.end_line();
        let line = texts.here();
        texts.add("}", &format!("leave({line}); }}"));
        texts.end_line();
        texts.same("struct two make(int x) { ");
        texts.parameter("x");
        texts.end_line();
        texts.same("struct two r; ");
        texts.set_plainly("r.a", "x");
        self.maybe_end_line();
        let value = self.random.below(3);
        let Writer { texts, .. } = self;
        texts.set_plainly("r.b", &format!("{value} - x"));
        texts.end_line();
        let line = texts.here();
        texts.add("return r; }", &format!("leave({line}); return r; }}"));
        texts.end_line();
    }

    /// One thing that the loop of the program does in a turn.
    fn piece(&mut self) {
        let condition = self.random.condition(&["a", "b", "i"], 2);
        let (number, kind) = (self.random.below(4), self.random.below(11));
        // Texts in a line are told apart by what they say.
        // Those that decide may decide by the same condition.
        let group = if matches!(kind, 2 | 3 | 7 | 8) { 2 } else { kind };
        if self.pieces.contains(&group) {
            self.texts.end_line();
            self.pieces.clear();
        }
        self.pieces.push(group);
        let Writer { texts, .. } = self;
        match kind {
            0 => {
                let [plain, telling] = texts.call("f", "a");
                texts.set("y", &plain, &telling);
            }
            1 => {
                let [plain, telling] = texts.call("g", "b");
                texts.set("y", &plain, &telling);
                texts.set_plainly("s", "s + y");
            }
            2 => {
                texts.ask("if", &condition, " { ");
                texts.set_plainly("s", &format!("s + y + {number}"));
                texts.same("} ");
            }
            3 => {
                texts.ask("if", &condition, " ");
                texts.same("{ ");
                texts.set_plainly("y", "b");
                texts.same("} else { ");
                texts.set_plainly("y", "a");
                texts.same("} ");
            }
            4 => {
                let [plain, telling] = texts.call("touch", "&s, a");
                texts.add(&format!("{plain}; "), &format!("{telling}; "));
            }
            5 => {
                let line = texts.here();
                let [plain, telling] = texts.call("make", "b");
                let both = format!("set({line}, \"q.a\", q.a); set({line}, \"q.b\", q.b); ");
                texts.add(&format!("q = {plain}; "), &format!("q = {telling}; {both}"));
                texts.set_plainly("s", "s + q.a");
            }
            6 => {
                let line = texts.here();
                texts.add("t[i] = t[i] + a; ", &format!("t[i] = t[i] + a; item({line}, \"t\", i, t[i]); "));
            }
            7 => {
                let chooser = Condition::Atom(format!("a > {number}"));
                let line = texts.here();
                let told = format!("part({line}, \"a > {number}\", {})", chooser.telling(line));
                texts.set("y", &format!("{} ? b : y + 1", chooser.plain()), &format!("{told} ? b : y + 1"));
            }
            8 => {
                let line = texts.here();
                let telling = format!(
                    "if (ask({line}, \"a > {number}\", a > {number})) {{ s = s + {number}; set({line}, \"s\", s); }} "
                );
                texts.add(&format!("STEP(a, {number}); "), &telling);
            }
            9 => self.switch(number),
            _ => {
                let line = texts.here();
                let text = format!("j < b && j < {}", number + 1);
                texts.add(
                    &format!("for (j = 0; {text}; j++) "),
                    &format!(
                        "for (j = 0, set({line}, \"j\", j); ask({line}, \"{text}\", {text}); j++, set({line}, \"j\", j)) "
                    ),
                );
                texts.same("{ ");
                texts.set_plainly("s", "s + 1");
                texts.same("} ");
            }
        }
    }
}

impl Writer {
    /// A `switch` whose cases may go on into the next. Each stands on a line of its own.
    fn switch(&mut self, number: u64) {
        let Writer { texts, random, pieces } = self;
        let (value, first) = (random.pick(&["a", "y", "t[b]", "a + b"]), texts.here() + 1);
        let [default_at, chosen] = [random.below(4), number % 2];
        let cases: Vec<u64> = (0..3).filter(|case| *case != default_at).map(|case| case + chosen).collect();
        let lines: Vec<usize> = (0..3).filter(|case| *case != default_at).map(|case| first + case as usize).collect();
        let asks: Vec<String> = (cases.iter().zip(&lines))
            .map(|(case, line)| format!("ask({line}, \"case {case}:\", c == {case})"))
            .collect();
        texts
            .add(&format!("switch ({value}) {{"), &format!("{{ int c = {value}; {}; switch (c) {{", asks.join(" || ")));
        texts.end_line();
        for at in 0..3 {
            let label = if at == default_at { "default:".to_owned() } else { format!("case {}:", at + chosen) };
            texts.same(&format!("{label} "));
            match random.below(3) {
                0 => texts.set_plainly("s", &format!("s + {at}")),
                1 => texts.set_plainly("y", &format!("y + {}", at + 1)),
                _ => {}
            }
            if random.below(3) > 0 || at == 2 {
                texts.same("break; ");
            }
            texts.end_line();
        }
        texts.add("}", "} }");
        texts.end_line();
        pieces.clear();
    }

    fn claim(&mut self) {
        let bound = 1 + self.random.below(9);
        let claim = self.random.pick(&["s", "s + calls", "s - y"]).to_owned();
        let claim = match self.random.below(4) {
            0 => format!("{claim} < {bound} && t[i & 3] < 9"),
            1 => format!("t[b] < 9 && {claim} < {bound}"),
            _ => format!("{claim} < {bound}"),
        };
        let line = self.texts.here();
        self.texts.add(&format!("__VERIFIER_assert({claim});"), &format!("end({line}, {claim});"));
        self.texts.end_line();
    }
}

/// A program from a seed.
pub fn program(seed: u64) -> Texts {
    let mut writer = Writer { texts: Texts::default(), random: Random::new(seed), pieces: Vec::new() };
    let texts = &mut writer.texts;
    let telling = "int nondet_int(void); int ask(int, const char *, int); int part(int, const char *, int); \
                   void set(int, const char *, int); void item(int, const char *, int, int); void call(int, const char *); \
                   int give(int, int); void leave(int); void end(int, int);";
    texts.add("int nondet_int(void); void __VERIFIER_assert(int);", telling);
    texts.end_line();
    for text in MACROS {
        texts.same(text);
        texts.end_line();
    }
    texts.same("struct two { int a; int b; };");
    texts.end_line();
    texts.same("int t[4] = { 2, 0, 3, 1 }; int *p = &t[1]; int calls;");
    texts.end_line();
    writer.function("f");
    writer.function("g");
    writer.other_functions();
    let texts = &mut writer.texts;
    texts.same("int main(void) {");
    texts.end_line();
    let line = texts.here();
    for name in ["a", "b"] {
        let telling = format!("int {name} = nondet_int(); set({line}, \"{name}\", {name}); ");
        texts.add(&format!("int {name} = nondet_int(); "), &telling);
    }
    texts.same("int s; int i; int j; int y; struct two q;");
    texts.end_line();
    let line = texts.here();
    let range = "a < 0 || a > 3 || b < 0 || b > 3";
    let give = format!("if (ask({line}, \"{range}\", {range})) return give({line}, 0);");
    texts.add(&format!("if ({range}) return 0;"), &give);
    texts.end_line();
    texts.set_plainly("s", "0");
    texts.set_plainly("i", "0");
    texts.set_plainly("y", "0");
    texts.end_line();
    let line = texts.here();
    texts.add("p = &t[b];", &format!("p = &t[b]; set({line}, \"p\", 0);"));
    texts.end_line();
    let turns = 1 + writer.random.below(3);
    let texts = &mut writer.texts;
    let (less, known) = (Condition::Atom(format!("i < {turns}")), Condition::Atom("t[i] < 9".to_owned()));
    texts.ask("while", &Condition::Both(Box::new(less), "&&", Box::new(known)), " {");
    texts.end_line();
    for _ in 0..2 + writer.random.below(3) {
        writer.piece();
        writer.maybe_end_line();
    }
    // In each turn, or at the end; in parts that are judged one after the other, or as one.
    let in_turns = writer.random.below(3) == 0;
    if in_turns {
        writer.texts.end_line();
        writer.claim();
    }
    let texts = &mut writer.texts;
    texts.set_plainly("i", "i + 1");
    texts.end_line();
    texts.same("}");
    texts.end_line();
    if !in_turns {
        writer.claim();
    }
    let texts = &mut writer.texts;
    texts.give_back("0", "0");
    texts.same("}");
    texts.end_line();
    writer.texts
}

/// What stands behind the text that tells: it is given its inputs as arguments, and prints what it does.
pub fn behind() -> String {
    let mut text = "\n#include <stdio.h>\n#include <stdlib.h>\nstatic char **next;\n".to_owned();
    let print = |format: &str| format!("printf(\"{format}\\n\"");
    let _ = writeln!(text, "int nondet_int(void) {{ return *next ? atoi(*next++) : 0; }}");
    for word in ["ask", "part"] {
        let print = print(&format!("{word} %d %d %s"));
        let _ =
            writeln!(text, "int {word}(int line, const char *of, int is) {{ {print}, line, !!is, of); return is; }}");
    }
    let _ = writeln!(
        text,
        "void set(int line, const char *name, int value) {{ {}, line, name, value); }}",
        print("set %d %s = %d")
    );
    let item = print("set %d %s[%d] = %d");
    let _ = writeln!(
        text,
        "void item(int line, const char *name, int at, int value) {{ {item}, line, name, at, value); }}"
    );
    let _ = writeln!(text, "void call(int line, const char *callee) {{ {}, line, callee); }}", print("call %d %s"));
    let _ =
        writeln!(text, "int give(int line, int value) {{ {}, line, value); return value; }}", print("return %d %d"));
    let _ = writeln!(text, "void leave(int line) {{ {}, line); }}", print("return %d -"));
    let end = print("claim %d %d");
    let _ = writeln!(text, "void end(int line, int holds) {{ {end}, line, !!holds); if (!holds) exit(0); }}");
    let _ = writeln!(text, "int told(void);");
    text + "int main(int count, char **arguments) { (void)count; next = arguments + 1; told(); return 0; }\n"
}
