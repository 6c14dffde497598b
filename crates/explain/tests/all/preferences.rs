//! The oracle of what is preferred among the smallest counterexamples: every input is tried, and the run that is shown
//! must be the best of all failing ones by length, sum, and then each preference in the order that `method/values.rs`
//! gives. Random programs compute with an enumeration, a character, a truth value, a pointer, and a short string.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::random::{self, Dice};
use nearmiss_explain::check::{self, CheckOptions};
use nearmiss_logic::stop::Stop;
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::{INVALID_OBJECT, Program, SiteId, Type};
use nearmiss_program::run::{Content, Inputs, Outcome, Run, RunStepKind};

/// Characters that programs meet: the end, unreadable ones, an escape, printable ones, a negative one.
const CHARACTERS: [u128; 6] = [0, 1, 10, 33, 35, 255];
/// Values of the enumeration, some without a name.
const COLOURS: [u128; 6] = [0, 1, 2, 3, 4, 0xffff_ffff];

struct Generator(Dice);

impl Generator {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }

    fn one_of(&mut self, choices: &[&str]) -> String {
        choices[self.below(choices.len() as u64) as usize].to_owned()
    }

    fn condition(&mut self) -> String {
        let number = self.below(5).to_string();
        match self.below(9) {
            0 => format!("colour != {number}"),
            1 => format!("colour + letter != {}", 30 + self.below(10)),
            2 => format!("s[0] + s[1] + s[2] < {}", self.below(70)),
            3 => format!("s[{}] != s[{}]", self.below(3), self.below(3)),
            4 => "p == 0 || flag".to_owned(),
            5 => format!("letter + colour + flag <= {number}"),
            6 => format!("letter - colour != {number}"),
            7 => format!("*where != {number}"),
            _ => format!("s[{}] + letter > {number}", self.below(3)),
        }
    }

    fn program(seed: u64) -> String {
        let mut random = Generator(Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234));
        let mut text = "#include <assert.h>\n\
            enum colour { RED = 1, BLUE = 3, NONE = -1 };\n\
            enum colour nondet_colour(void); char nondet_char(void); _Bool nondet_bool(void); int *nondet_pointer(void);\n\
            int main(void) {\n\
            \x20   enum colour colour = nondet_colour();\n\
            \x20   char letter = nondet_char(), s[3];\n\
            \x20   _Bool flag = nondet_bool();\n\
            \x20   int *p = nondet_pointer(), one = 1, two = 2, *where = &one;\n"
            .to_owned();
        // Only what the enumeration below tries is an execution.
        let among = |name: &str, values: &[u128], bits: u32| {
            let signed =
                |value: u128| if value >> (bits - 1) & 1 == 1 { value as i128 - (1 << bits) } else { value as i128 };
            let each: Vec<String> = values.iter().map(|value| format!("{name} == {}", signed(*value))).collect();
            format!("    __CPROVER_assume({});\n", each.join(" || "))
        };
        text += &among("colour", &COLOURS, 32);
        for name in ["letter", "s[0]", "s[1]", "s[2]"] {
            text += &among(name, &CHARACTERS, 8);
        }
        for _ in 0..random.below(3) {
            let (condition, target) = (random.condition(), random.one_of(&["&two", "&one", "&two", "p"]));
            let other = random.one_of(&["letter", "s[1]", "flag", "colour"]);
            match random.below(3) {
                0 => text += &format!("    if ({condition}) where = {target};\n"),
                1 => text += &format!("    where = {condition} ? {target} : where;\n"),
                _ => text += &format!("    if ({condition}) {other} = {};\n", 1 + random.below(3)),
            }
        }
        for _ in 0..random.below(2) {
            text += &format!("    __CPROVER_assume({});\n", random.condition());
        }
        text + &format!("    assert({});\n}}\n", random.condition())
    }
}

/// Everything that counts, in order; less is better.
fn cost(program: &Program, run: &Run) -> Vec<u128> {
    let (mut length, mut sum, mut unnamed, mut negative) = (1, 0, 0, 0);
    let (mut not_null, mut addresses, mut unreadable) = (0, 0, 0);
    let mut string: BTreeMap<&str, u128> = BTreeMap::new();
    for step in &run.steps {
        length += u128::from(matches!(step.kind, RunStepKind::Assign { .. } | RunStepKind::Branch { .. }));
        let (name, ty, value) = match &step.kind {
            RunStepKind::Assign { name, ty, value } => (name, ty, *value),
            RunStepKind::Input { name, ty, value, .. } => {
                string.insert(name, *value);
                (name, ty, *value)
            }
            _ => continue,
        };
        let (bits, signed) = match program.ty(*ty) {
            Type::Integer { bits, signed, .. } => (*bits, *signed),
            Type::Enum { bits, signed, members, .. } => {
                let named = |number: i128| number as u128 & ((1 << bits) - 1) == value;
                unnamed += u128::from(!members.iter().any(|(_, number)| named(*number)));
                (*bits, *signed)
            }
            Type::Bool => (8, false),
            Type::Pointer { .. } => {
                not_null += u128::from(value != 0) + u128::from(program.pointer.decode(value).0 == INVALID_OBJECT);
                addresses += value;
                continue;
            }
            other => panic!("{name} has an unexpected type {other:?}"),
        };
        let below_zero = signed && value >> (bits - 1) & 1 == 1;
        negative += u128::from(below_zero);
        sum += if below_zero { (1 << bits) - value } else { value };
        if matches!(program.ty(*ty), Type::Integer { bits: 8, .. }) {
            unreadable += u128::from(!matches!(value as u8, 0 | b'\t' | b'\n' | b'\r' | b' '..=b'~'));
        }
    }
    let characters = ["s[0]", "s[1]", "s[2]"].map(|name| string.get(name).copied().unwrap_or(0));
    let string_length = characters.iter().take_while(|character| **character != 0).count() as u128;
    vec![length, sum, unnamed, negative, not_null, addresses, string_length, unreadable]
}

fn all_inputs(program: &Program) -> Vec<Inputs> {
    let site = program.sites.iter().position(|site| site.name == "s").expect("the string is there");
    let invalid = program.pointer.encode(INVALID_OBJECT, 0);
    let mut all = Vec::new();
    for colour in COLOURS {
        for letter in CHARACTERS {
            for (flag, pointer) in [(0, 0), (1, 0), (0, invalid), (1, invalid)] {
                for code in 0..CHARACTERS.len().pow(3) {
                    let content = |at: usize| {
                        let value = CHARACTERS[code / CHARACTERS.len().pow(at as u32) % CHARACTERS.len()];
                        Content { bit_offset: 8 * at as u64, bits: 8, value }
                    };
                    let contents = BTreeMap::from([((SiteId(site as u32), 0), (0..3).map(content).collect())]);
                    all.push(Inputs { calls: vec![colour, letter, flag, pointer], contents, ..Inputs::default() });
                }
            }
        }
    }
    all
}

#[test]
fn the_best_of_all_failing_runs_is_shown() {
    let programs = random::wanted(20);
    let mut failing = 0;
    for seed in random::seeds(programs) {
        let text = Generator::program(seed);
        let (program, _) = random::read(&text, &format!("seed {seed}"));
        let found = check::check(&program, &CheckOptions::default(), &mut |_| {})
            .unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
        let property = found.property;
        let interpreter = interp::Interpreter::new(&program);
        let best = all_inputs(&program)
            .iter()
            .map(|inputs| interpreter.execute(inputs, &Limits::default(), interp::Recording::Steps).run)
            .filter(|run| matches!(run.outcome, Outcome::Violated(claim) if Some(claim.index()) == property))
            .map(|run| cost(&program, &run))
            .min();
        let shown = found.counterexample.map(|shown| cost(&program, &shown.run));
        assert_eq!(shown, best, "seed {seed}\n{text}");
        failing += u64::from(best.is_some());
    }
    assert!(failing > programs / 3, "only {failing} of {programs} fail: a poor sample");
}

#[test]
fn an_interrupt_while_minimising_keeps_the_run() {
    let text = "#include <assert.h>\n\
        unsigned nondet_unsigned(void);\n\
        int main(void) { unsigned x = nondet_unsigned(); if (x > 3) x = 7; assert(x != 7); }\n";
    let (program, _) = random::read(text, "this");
    let stop = Arc::new(AtomicBool::new(false));
    let options = CheckOptions { stop: Stop::when(Arc::clone(&stop)), ..CheckOptions::default() };
    let interrupt = &mut |now: check::Progress| stop.store(now.phase == "minimising", Ordering::SeqCst);
    let shown = check::check(&program, &options, interrupt).ok().and_then(|found| found.counterexample).expect("a run");
    let bound = shown.lower_bound.expect("it is not proved");
    assert!(!shown.proved_minimal && bound.length <= shown.length && bound.sum <= shown.sum, "{bound:?}");
    assert!(matches!(shown.run.outcome, Outcome::Violated(_)));
}
