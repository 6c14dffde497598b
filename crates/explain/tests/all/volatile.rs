//! The oracle of free reads: random programs with `volatile` objects and registers, each written twice.
//!
//! In the first text objects are read as C reads them, under `--nondet-volatile` or with registers declared by `--mmio`. In the
//! second every such read is a call of a function without a body, written by the generator and read without any option. All
//! values of all reads are tried on both by the interpreter, which must end in the same way; what `check` says of
//! the first must be true of all runs of the second, and its counterexample must fail there, too. `NEARMISS_PROGRAMS=5000` runs more.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::common::random::{self, Dice};
use nearmiss_explain::check::{self, CheckOptions};
use nearmiss_explain::explanation::{Status, Verdict};
use nearmiss_program::c::{Checks, Options, Registers, VolatileReads};
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::{ClaimKind, Program, StatementKind, Type};
use nearmiss_program::run::{Inputs, Outcome, RunStepKind};

/// Programs with more runs than this are left out.
const MOST_RUNS: usize = 5_000;

/// Where the free reads come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Every `volatile` object is free.
    Objects,
    /// Registers are; other `volatile` objects are memory.
    Registers,
}

/// The same in both texts.
struct Both {
    /// With reads.
    read: String,
    /// With calls.
    called: String,
}

fn both(text: impl Into<String>) -> Both {
    let text = text.into();
    Both { read: text.clone(), called: text }
}

/// Two texts joined in the same way.
fn joined(a: Both, b: Both, join: impl Fn(String, String) -> String) -> Both {
    Both { read: join(a.read, b.read), called: join(a.called, b.called) }
}

const CALL: &str = "(nondet_uchar() & 3)";

struct Writer {
    dice: Dice,
    kind: Kind,
    read: String,
    called: String,
    reads: u32,
}

impl Writer {
    fn below(&mut self, n: u64) -> u64 {
        self.dice.below(n)
    }

    fn line(&mut self, line: &Both) {
        let _ = writeln!(self.read, "    {}", line.read);
        let _ = writeln!(self.called, "    {}", line.called);
    }

    fn variable(&mut self) -> &'static str {
        ["x", "y"][self.dice.index(2)]
    }

    /// A read that is free, of at most four values.
    fn free(&mut self) -> Both {
        self.reads += 1;
        let (variable, number) = (self.variable(), self.below(4));
        let read = match (self.kind, self.below(6)) {
            (Kind::Objects, 0) => "(v & 3)".to_owned(),
            (Kind::Objects, 1) => "bits.low".to_owned(),
            (Kind::Objects, 2) => {
                let called = "((int)((nondet_uint() & 3) ^ 2u) - 2)".to_owned();
                return Both { read: "bits.high".to_owned(), called };
            }
            (Kind::Objects, 3) => return Both { read: "flag".to_owned(), called: "nondet_bool()".to_owned() },
            (Kind::Objects, 4) => "(*p & 3)".to_owned(),
            (Kind::Objects, _) => format!("(several[{variable} & 1].part & 3)"),
            (Kind::Registers, 0) => format!("(R({number}) & 3)"),
            (Kind::Registers, 1) => format!("(BANK->second[{variable} & 1] & 3)"),
            (Kind::Registers, 2) => format!("(R({variable} & 3) & 3)"),
            // A pointer that may point to a register, or to memory.
            (Kind::Registers, 3) => {
                let called = format!("(({variable} & 1) ? {CALL} : (m & 3))");
                return Both { read: format!("(*(({variable} & 1) ? &R(2) : &m) & 3)"), called };
            }
            (Kind::Registers, 4) => "(*p & 3)".to_owned(),
            (Kind::Registers, _) => "(BANK->first & 3)".to_owned(),
        };
        Both { read, called: CALL.to_owned() }
    }

    /// A read of memory.
    fn memory(&mut self) -> Both {
        let (variable, number) = (self.variable(), self.below(4));
        match (self.kind, self.below(4)) {
            (Kind::Registers, 0) => {
                Both { read: format!("(PLAIN({number}) & 3)"), called: format!("(plain[{number}] & 3)") }
            }
            (Kind::Registers, 1) => both("(m & 3)"),
            (_, 2) => both(number.to_string()),
            _ => both(variable),
        }
    }

    fn expr(&mut self, depth: u32) -> Both {
        match self.below(if depth == 0 { 3 } else { 8 }) {
            0 if self.reads < 5 => self.free(),
            0..=2 => self.memory(),
            3 => {
                let op = ["+", "-", "^", "&"][self.dice.index(4)];
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                joined(a, b, |a, b| format!("(({a} {op} {b}) & 7)"))
            }
            4 | 5 => {
                let op = ["<", "==", "!=", ">="][self.dice.index(4)];
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                joined(a, b, |a, b| format!("({a} {op} {b})"))
            }
            6 => {
                let op = ["&&", "||"][self.dice.index(2)];
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                joined(a, b, |a, b| format!("({a} {op} {b})"))
            }
            _ => {
                let (condition, a, b) = (self.expr(depth - 1), self.expr(depth - 1), self.expr(depth - 1));
                let arms = joined(a, b, |a, b| format!("{a} : {b}"));
                joined(condition, arms, |condition, arms| format!("({condition} ? {arms})"))
            }
        }
    }

    /// A statement that writes what is free when it is read.
    fn write(&mut self) -> Both {
        let value = self.expr(1);
        let (target, register) = match self.kind {
            Kind::Objects => (["v", "(*p)", "bits.low"][self.dice.index(3)].to_owned(), false),
            Kind::Registers => (["R(1)", "BANK->first", "(*p)"][self.dice.index(3)].to_owned(), true),
        };
        match self.below(3) {
            0 => Both { read: format!("{target} = {};", value.read), called: format!("sink = {};", value.called) },
            1 if register || target != "bits.low" => {
                self.reads += 1;
                let read = format!("{target} |= {};", value.read);
                // C leaves open which side is read first; we read the right one.
                Both { read, called: format!("sink = {}; sink |= nondet_uchar();", value.called) }
            }
            _ => {
                self.reads += 1;
                let variable = self.variable();
                let target = if target == "bits.low" { "v".to_owned() } else { target };
                let read = format!("{variable} = ({target}++ & 3);");
                Both { read, called: format!("{variable} = {CALL};") }
            }
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0..=2 => {
                let (target, value) = (self.variable(), self.expr(2));
                let line = joined(value, both(""), |value, _| format!("{target} = {value};"));
                self.line(&line);
            }
            3 => {
                let line = self.write();
                self.line(&line);
            }
            4 if self.kind == Kind::Registers => {
                let (number, value) = (self.below(4), self.expr(1));
                let (read, called) = (format!("PLAIN({number}) = "), format!("plain[{number}] = "));
                let line = Both { read: read + &value.read + ";", called: called + &value.called + ";" };
                self.line(&line);
            }
            4 | 5 => {
                let condition = self.expr(1);
                let line = joined(condition, both(""), |condition, _| format!("assert({condition});"));
                self.line(&line);
            }
            _ => {
                let condition = self.expr(1);
                let line = joined(condition, both(""), |condition, _| format!("if ({condition}) {{"));
                self.line(&line);
                self.statement(depth - 1);
                self.line(&both("}"));
            }
        }
    }
}

const READ: &str = "volatile unsigned char v; volatile _Bool flag;
volatile struct { unsigned low : 2; signed high : 2; } bits;
volatile struct { char before; unsigned char part; } several[2];
";

/// Registers from 0x40000000 on are free, memory at 0x50000000 is what was written.
const REGISTERS: &str = "struct bank { volatile unsigned char first, second[2]; };
#define R(n) (*(volatile unsigned char *)(0x40000000ul + (n)))
#define BANK ((struct bank *)0x40000000)
#define PLAIN(n) (((unsigned char *)0x50000000)[n])
";

fn program(seed: u64, kind: Kind) -> (String, String) {
    let mut writer = Writer { dice: Dice::new(seed), kind, read: String::new(), called: String::new(), reads: 0 };
    let head = "#include <assert.h>
_Bool nondet_bool(void); unsigned char nondet_uchar(void); unsigned nondet_uint(void);
volatile unsigned char m; unsigned char plain[4]; unsigned char sink;";
    let own = if kind == Kind::Objects { READ } else { REGISTERS };
    let _ = writeln!(writer.read, "{head}\n{own}int main(void) {{\n    int x = 1, y = 2;");
    let _ = writeln!(writer.called, "{head}\nint main(void) {{\n    int x = 1, y = 2;");
    writer.line(&both("m = 2;"));
    let pointer = if kind == Kind::Objects { "&v" } else { "&R(3)" };
    writer.line(&Both { read: format!("volatile unsigned char *p = {pointer};"), called: ";".to_owned() });
    if kind == Kind::Registers {
        for n in 0..4 {
            writer.line(&Both { read: format!("PLAIN({n}) = {n};"), called: format!("plain[{n}] = {n};") });
        }
    }
    for _ in 0..2 + writer.below(4) {
        writer.statement(2);
    }
    let condition = writer.expr(2);
    let line = joined(condition, both(""), |condition, _| format!("assert({condition});"));
    writer.line(&line);
    writer.line(&both("return 0;\n}"));
    (writer.read, writer.called)
}

/// Every run: the values that were read, and the claim that is violated first. None if there are too many.
fn runs(program: &Program) -> Option<Vec<(Vec<u128>, Option<usize>)>> {
    let mut open: Vec<Vec<u128>> = vec![Vec::new()];
    let mut found = Vec::new();
    while let Some(calls) = open.pop() {
        let run = interp::run(program, &Inputs { calls: calls.clone(), ..Inputs::default() }, &Limits::default());
        let read = run.steps.iter().filter_map(|step| match step.kind {
            RunStepKind::Input { ty, .. } => Some(ty),
            _ => None,
        });
        // What comes after the values that are given was read as 0: all values of the first of those are tried.
        if let Some(ty) = read.clone().nth(calls.len()) {
            let values = if *program.ty(ty) == Type::Bool { 2 } else { 4 };
            open.extend((0..values).map(|value| [&calls[..], &[value]].concat()));
        } else {
            match run.outcome {
                Outcome::Violated(claim) => found.push((calls, Some(claim.index()))),
                Outcome::Finished => found.push((calls, None)),
                other => panic!("a program of this kind cannot end with {other:?}"),
            }
        }
        if open.len() + found.len() > MOST_RUNS {
            return None;
        }
    }
    Some(found)
}

/// The program with one of its claims only.
fn alone(program: &Program, claim: usize) -> Program {
    let mut program = program.clone();
    for block in program.functions.iter_mut().flat_map(|function| &mut function.blocks) {
        block.statements.retain(|statement| match &statement.kind {
            StatementKind::Claim { claim: other, .. } => other.index() == claim,
            _ => true,
        });
    }
    program
}

/// Compares both texts of a seed; whether the first fails, none if there are too many runs.
fn compare(seed: u64, kind: Kind) -> Option<bool> {
    let (read, called) = program(seed, kind);
    let what = format!("{kind:?}, seed {seed}\n{read}\n--- {called}");
    let checks = Checks { signed_overflow: false, ..Checks::default() };
    let registers = [(0x4000_0000, 4), (0x5000_0000, 4)].map(|(address, size)| Registers { address, size });
    let options = match kind {
        Kind::Objects => Options { checks, volatile: VolatileReads::Free, ..Options::default() },
        Kind::Registers => Options { checks, registers: registers.to_vec(), ..Options::default() },
    };
    let (first, _) = random::read_with(&read, &options, &what);
    let (second, _) = random::read_with(&called, &Options { checks, ..Options::default() }, &what);
    let written = |program: &Program| -> Vec<usize> {
        let claims = program.claims.iter().enumerate();
        claims.filter(|(_, claim)| claim.kind == ClaimKind::Assertion).map(|(index, _)| index).collect()
    };
    let (in_first, in_second) = (written(&first), written(&second));
    assert_eq!(in_first.len(), in_second.len(), "{what}");
    let number = |own: &[usize], claim: usize| own.iter().position(|index| *index == claim);
    let all = runs(&second)?;
    for (calls, violated) in &all {
        let inputs = Inputs { calls: calls.clone(), ..Inputs::default() };
        let ended = match interp::run(&first, &inputs, &Limits::default()).outcome {
            Outcome::Violated(claim) => Some(number(&in_first, claim.index())),
            Outcome::Finished => None,
            other => panic!("{other:?} with {calls:?}\n{what}"),
        };
        assert_eq!(ended, violated.map(|claim| number(&in_second, claim)), "with {calls:?}\n{what}");
    }
    let expected: BTreeSet<usize> = all.iter().filter_map(|(_, violated)| *violated).collect();
    let found =
        check::check(&first, &CheckOptions::default(), &mut |_| {}).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
    let verdict = if expected.is_empty() { Verdict::Holds } else { Verdict::Fails };
    assert_eq!(found.verdict, verdict, "{what}");
    for (place, index) in in_second.iter().enumerate() {
        let claim = &found.claims[in_first[place]];
        let fails = claim.status == Status::Fails;
        assert!(fails || !expected.contains(index), "{} fails, said {:?}\n{what}", claim.id, claim.status);
        let violated = || runs(&alone(&second, *index)).is_none_or(|all| all.iter().any(|(_, claim)| claim.is_some()));
        assert!(!fails || violated(), "{} never fails\n{what}", claim.id);
    }
    if let (Some(shown), Some(property)) = (&found.counterexample, found.property) {
        let outcome = interp::run(&second, &shown.inputs, &Limits::default()).outcome;
        let place = number(&in_first, property).map(|place| in_second[place]);
        let fails = matches!(outcome, Outcome::Violated(claim) if Some(claim.index()) == place);
        assert!(fails, "{:?} is no counterexample: {outcome:?}\n{what}", shown.inputs.calls);
    }
    Some(!expected.is_empty())
}

fn judge(kind: Kind) {
    let programs = random::wanted(80);
    random::with_stack(move || {
        let judged: Vec<Option<bool>> = random::seeds(programs).map(|seed| compare(seed, kind)).collect();
        let count = |wanted| judged.iter().filter(|found| **found == wanted).count() as u64;
        let (failing, passing, left_out) = (count(Some(true)), count(Some(false)), count(None));
        println!("{kind:?}: {failing} fail, {passing} pass, {left_out} have too many runs");
        assert!(failing > programs / 10 && passing > programs / 20, "{failing} fail, {passing} pass: a poor sample");
        assert!(left_out < programs / 4, "{left_out} of {programs} have too many runs");
    });
}

#[test]
fn every_read_of_a_volatile_object_is_free() {
    judge(Kind::Objects);
}

#[test]
fn every_volatile_read_of_a_register_is_free_and_memory_is_memory() {
    judge(Kind::Registers);
}
