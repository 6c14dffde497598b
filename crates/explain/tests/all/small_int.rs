//! Machines whose `int` has 16 bits: expressions with the values that avr-gcc gives them, and random ones with those of an
//! evaluator that knows the rules of C and nothing else.

use crate::common::in_parallel;
use nearmiss_explain::{Program, Reading, Verdict};
use nearmiss_program::c::DataModel;

const MACHINES: [DataModel; 3] = [DataModel::Avr, DataModel::Msp430, DataModel::Lp32];

/// What the expressions of the table are about.
const BEFORE: &str = "#include <stddef.h>\n#include <stdint.h>\n#include <limits.h>\n
    enum colour { RED, GREEN, BLUE = 300 }; enum sign { NEG = -5, POS }; enum big { BIG = 40000 };
    signed char c = -3; unsigned char b = 200; int i = -7; unsigned u = 60000; long l = -100000; unsigned long w = 4000000000;
    long long q = -5000000000; unsigned long long v = 18000000000000000000u; _Bool t = 1; enum sign n = NEG; int a[5];
    struct bits { unsigned low : 3; unsigned half : 16; int sign : 5; unsigned long wide : 20; } s = {5, 65535, -9, 1048575};
    struct mixed { char c; int i; char d; long l; char e; long long q; char f; enum colour o; char g; float x; char *p; };
    struct packs { unsigned a : 3; unsigned b : 12; unsigned c : 7; char d; long e : 17; unsigned char f : 2; enum sign g; };\n";

fn verdict(text: &str, model: DataModel, checks_overflow: bool) -> Result<Verdict, String> {
    let mut reading = Reading::default();
    reading.c.model = model;
    reading.c.checks.signed_overflow = checks_overflow;
    let program = Program::from_text("small.c", text, &reading).map_err(|error| format!("{error}"))?;
    program.check(&Default::default()).map(|answer| answer.verdict()).map_err(|error| format!("{error}"))
}

/// A row is an expression, its value, and how many bytes it has; those of layouts are for AVR alone.
#[test]
fn values_and_sizes_are_those_of_avr_gcc() {
    let rows: Vec<&str> = include_str!("../tables/small_int.txt").lines().filter(|row| row.contains(" => ")).collect();
    assert!(rows.len() >= 60, "{} rows", rows.len());
    let wrong = in_parallel(&rows, |row| {
        let (expression, result) = row.split_once(" => ")?;
        let (value, size) = result.split_once(" in ")?;
        let is_layout = ["struct", "char)", "'\\377'"].iter().any(|word| expression.contains(word));
        let machines = if is_layout { &MACHINES[..1] } else { &MACHINES[..] };
        // Where pointers have 32 bits, so have sizes.
        let sized = expression.contains("sizeof") || expression.contains("a[");
        machines.iter().filter(|machine| !sized || **machine != DataModel::Lp32).find_map(|machine| {
            let asked = |value: i128| {
                let equal = format!("(long long)({expression}) == (long long){}u", value as u64);
                format!(
                    "{BEFORE}int main(void) {{ if (!({equal} && sizeof({expression}) == {size})) __builtin_trap(); }}"
                )
            };
            let value: i128 = value.parse().ok()?;
            let found = verdict(&asked(value), *machine, false);
            let other = verdict(&asked(value + 1), *machine, false);
            let right = found == Ok(Verdict::Holds) && other == Ok(Verdict::Fails);
            (!right).then(|| format!("{machine:?}: {row}: {found:?}, and one more: {other:?}"))
        })
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A number with its type.
#[derive(Clone, Copy)]
struct Number {
    bits: u32,
    signed: bool,
    value: i128,
}

const TYPES: [(&str, u32, bool); 9] = [
    ("signed char", 8, true),
    ("unsigned char", 8, false),
    ("short", 16, true),
    ("int", 16, true),
    ("unsigned", 16, false),
    ("long", 32, true),
    ("unsigned long", 32, false),
    ("long long", 64, true),
    ("unsigned long long", 64, false),
];

impl Number {
    fn new(bits: u32, signed: bool, value: i128) -> Number {
        let raised = value << (128 - bits);
        let value = if signed { raised >> (128 - bits) } else { (raised as u128 >> (128 - bits)) as i128 };
        Number { bits, signed, value }
    }

    fn int(value: i128) -> Number {
        Number::new(16, true, value)
    }

    /// 6.3.1.1
    fn promoted(self) -> Number {
        if self.bits < 16 { Number::int(self.value) } else { self }
    }

    /// 6.3.1.8
    fn common(self, other: Number) -> (Number, Number) {
        let (a, b) = (self.promoted(), other.promoted());
        let signed = match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Less => b.signed,
            std::cmp::Ordering::Equal => a.signed && b.signed,
            std::cmp::Ordering::Greater => a.signed,
        };
        let bits = a.bits.max(b.bits);
        (Number::new(bits, signed, a.value), Number::new(bits, signed, b.value))
    }
}

/// Random expressions over constants and variables, and what they are.
struct Maker {
    state: u64,
    variables: Vec<(String, Number)>,
    /// Whether something that is executed overflows.
    overflows: bool,
}

impl Maker {
    fn next(&mut self, below: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % below
    }

    fn any(&mut self) -> i128 {
        let few =
            [0, 1, 2, 7, 100, 255, 256, 300, 32767, 32768, 40000, 65535, 65536, 70000, 2_147_483_647, 4_294_967_295];
        if self.next(3) == 0 { self.next(1 << 20) as i128 } else { few[self.next(few.len())] }
    }

    /// A result, which must fit if it is signed.
    fn result(&mut self, like: Number, value: i128) -> Number {
        let made = Number::new(like.bits, like.signed, value);
        self.overflows |= like.signed && made.value != value;
        made
    }

    fn leaf(&mut self) -> (String, Number) {
        if self.next(5) < 3 {
            let at = self.next(self.variables.len());
            return self.variables[at].clone();
        }
        // 6.4.4.1
        let value = self.any();
        let hexadecimal = self.next(2) == 0;
        let types = [(16, true), (16, false), (32, true), (32, false), (64, true)];
        let mut fitting = types.into_iter().filter(|(_, signed)| *signed || hexadecimal);
        let (bits, signed) = fitting.find(|(bits, signed)| value < 1 << (bits - u32::from(*signed))).expect("small");
        let text = if hexadecimal { format!("{value:#x}") } else { value.to_string() };
        (text, Number::new(bits, signed, value))
    }

    fn expression(&mut self, depth: u32) -> (String, Number) {
        if depth == 0 {
            return self.leaf();
        }
        let (a, x) = self.expression(depth - 1);
        match self.next(10) {
            0 => {
                let (name, bits, signed) = TYPES[self.next(TYPES.len())];
                (format!("({name}){a}"), Number::new(bits, signed, x.value))
            }
            1 => {
                let x = x.promoted();
                let made = self.result(x, -x.value);
                (format!("(-{a})"), made)
            }
            2 => {
                let x = x.promoted();
                (format!("(~{a})"), Number::new(x.bits, x.signed, !x.value))
            }
            3 => {
                let by = self.next(8) as i128;
                let x = x.promoted();
                (format!("({a} >> {by})"), Number::new(x.bits, x.signed, x.value >> by))
            }
            4 => self.chosen((a, x), depth),
            kind => {
                let (b, y) = self.expression(depth - 1);
                self.operator(kind, (a, x), (b, y))
            }
        }
    }

    /// `?:` with arms that cannot overflow, whichever is taken.
    fn chosen(&mut self, (a, x): (String, Number), depth: u32) -> (String, Number) {
        let (b, y) = self.leaf();
        let (c, z) = if depth == 1 { self.leaf() } else { (a.clone(), x) };
        let (y, z) = y.common(z);
        (format!("({a} ? {b} : {c})"), if x.value != 0 { y } else { z })
    }

    fn operator(&mut self, kind: usize, (a, x): (String, Number), (b, y): (String, Number)) -> (String, Number) {
        let (x, y) = x.common(y);
        let pick = self.next(3);
        let (operator, made) = match (kind, pick) {
            (5, _) => ("+", self.result(x, x.value + y.value)),
            (6, _) => ("-", self.result(x, x.value - y.value)),
            (7, _) => ("*", self.result(x, x.value.wrapping_mul(y.value))),
            (8, 0) => ("&", Number { value: x.value & y.value, ..x }),
            (8, 1) => ("|", Number { value: x.value | y.value, ..x }),
            (8, _) => ("^", Number { value: x.value ^ y.value, ..x }),
            (_, 0) => ("<", Number::int(i128::from(x.value < y.value))),
            (_, 1) => (">=", Number::int(i128::from(x.value >= y.value))),
            _ => ("==", Number::int(i128::from(x.value == y.value))),
        };
        (format!("({a} {operator} {b})"), made)
    }
}

#[test]
fn random_expressions_are_what_the_rules_of_c_say() {
    let seeds: Vec<u64> = (1..=60).collect();
    let wrong = in_parallel(&seeds, |seed| {
        let mut maker = Maker { state: *seed, variables: Vec::new(), overflows: false };
        let mut text = String::new();
        for at in 0..6 {
            let (name, bits, signed) = TYPES[maker.next(TYPES.len())];
            let number = Number::new(bits, signed, maker.any());
            text += &format!("{name} x{at} = ({name}){}u;\n", number.value as u64);
            maker.variables.push((format!("x{at}"), number));
        }
        text += "int main(void) {\n";
        for _ in 0..8 {
            let depth = 1 + maker.next(3) as u32;
            let (expression, number) = maker.expression(depth);
            let wanted = format!("(long long)({expression}) == (long long){}u", number.value as u64);
            let size = number.bits / 8;
            text += &format!("    if (!({wanted} && sizeof({expression}) == {size})) __builtin_trap();\n");
        }
        text += "}\n";
        let machine = MACHINES[*seed as usize % 3];
        let wraps = verdict(&text, machine, false);
        let checked = verdict(&text, machine, true);
        let wanted = if maker.overflows { Verdict::Fails } else { Verdict::Holds };
        let right = wraps == Ok(Verdict::Holds) && checked == Ok(wanted);
        (!right).then(|| format!("{machine:?}, {wraps:?}, {checked:?} where {wanted:?} is right:\n{text}"))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
