//! The oracle of the conditions that `focus` tells: they are read back as C and tried on every input.
//!
//! Small random programs with loops that run up to the bound and past it, narrow types, arrays and procedures. Every input
//! is run by the interpreter, which says whether it fails, and in which way. Of every way that is told, the condition must
//! hold for inputs that fail in that way and for no others; no input that fails within the bound may be missing; what is left of
//! a condition when it is reduced must still hold for all inputs of its way. `NEARMISS_PROGRAMS=5000` runs more.

use std::collections::HashSet;
use std::fmt::Write;

use crate::common::random::{self, Dice};
use nearmiss_explain::check::CheckOptions;
use nearmiss_explain::explanation::Verdict;
use nearmiss_explain::focus::{Focus, FocusOptions, Way, focus};
use nearmiss_explain::focus_sequence::Key;
use nearmiss_explain::method::focus_sequences::Rest;
use nearmiss_explain::recheck;
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::{ClaimId, ClaimKind, Program};
use nearmiss_program::run::{Inputs, Outcome, RunStepKind};
use nearmiss_program::source::Sources;

/// The inputs of a program: names, C type, least and greatest value.
type Domain = Vec<(&'static str, &'static str, i128, i128)>;

/// A program, the inputs that it takes, how far its loops are unwound if that is fixed.
struct Sample {
    text: String,
    domain: Domain,
    unwind: Option<u32>,
    loops: usize,
}

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    failing: u64,
    ways: usize,
    bounded: u64,
    quoted: usize,
    conditions: usize,
    longest: usize,
}

const TYPES: [(&str, &str); 6] = [
    ("signed char", "nondet_schar"),
    ("unsigned char", "nondet_uchar"),
    ("int", "nondet_int"),
    ("unsigned", "nondet_uint"),
    ("short", "nondet_short"),
    ("enum level", "nondet_level"),
];

const HEAD: &str = "#include <assert.h>
enum level { LOW, MIDDLE, HIGH, TOP };
signed char nondet_schar(void); unsigned char nondet_uchar(void); int nondet_int(void); unsigned nondet_uint(void);
short nondet_short(void); enum level nondet_level(void);
void __CPROVER_assume(int);
";

struct Writer {
    dice: Dice,
    text: String,
    loops: usize,
}

impl Writer {
    fn below(&mut self, n: u64) -> u64 {
        self.dice.below(n)
    }

    fn value(&mut self) -> String {
        let name = ["a", "b", "c", "s", "t", "g"][self.below(6) as usize];
        let number = self.below(5);
        match self.below(12) {
            0..=5 => name.to_owned(),
            6 => number.to_string(),
            7 => format!("2 * {name}"),
            8 => format!("({name} & 3)"),
            9 => format!("({name} - {number})"),
            10 => format!("table[{name} & 3]"),
            _ => format!("({name} + b)"),
        }
    }

    fn test(&mut self) -> String {
        let operator = ["<", ">", "==", "!=", "<=", ">="][self.below(6) as usize];
        let (left, right) = (self.value(), self.below(6));
        match self.below(3) {
            0 => format!("{left} {operator} {}", self.value()),
            _ => format!("{left} {operator} {right}"),
        }
    }

    fn statement(&mut self, depth: u32) {
        let target = ["s", "t", "g"][self.below(3) as usize];
        let (number, indent) = (self.below(4), "    ".repeat(3 - depth as usize));
        match self.below(if depth == 0 { 5 } else { 10 }) {
            0 | 1 => {
                let value = self.value();
                let _ = writeln!(self.text, "{indent}{target} = (int)({value});");
            }
            2 => {
                let _ = writeln!(self.text, "{indent}{target} = {target} + {number};");
            }
            3 => {
                let value = self.value();
                let _ = writeln!(self.text, "{indent}set((int){value});");
            }
            4 => {
                let value = self.value();
                let _ = writeln!(self.text, "{indent}table[{target} & 3] = (signed char)({value});");
            }
            5..=7 => {
                let test = self.test();
                let _ = writeln!(self.text, "{indent}if ({test}) {{");
                self.statement(depth - 1);
                if self.below(2) == 0 {
                    let _ = writeln!(self.text, "{indent}}} else {{");
                    self.statement(depth - 1);
                }
                let _ = writeln!(self.text, "{indent}}}");
            }
            8 => {
                let test = self.test();
                let _ = writeln!(self.text, "{indent}assert({test});");
            }
            _ => self.round(depth, &indent),
        }
    }

    fn round(&mut self, depth: u32, indent: &str) {
        let (limit, turn) = (["a", "b", "a + b", "c"][self.below(4) as usize], self.loops);
        self.loops += 1;
        let _ = writeln!(self.text, "{indent}for (int i{turn} = 0; i{turn} < (int)({limit}); i{turn}++) {{");
        self.statement(depth - 1);
        if self.below(3) == 0 {
            self.statement(depth - 1);
        }
        let _ = writeln!(self.text, "{indent}}}");
    }
}

fn sample(seed: u64) -> Sample {
    let mut writer = Writer { dice: Dice::new(seed), text: HEAD.to_owned(), loops: 0 };
    let set = ["if (v > 1) g = v; else g = -v;", "g = v; if (g == 3) g = 0;", "if (v > g) g = v;"];
    let set = set[writer.below(3) as usize];
    let _ = writeln!(writer.text, "int g; signed char table[4] = {{3, 0, 2, 1}};");
    let _ = writeln!(writer.text, "static void set(int v) {{ {set} }}\nint main(void) {{");
    // One input that goes far, or three that do not.
    let wide = writer.below(3) == 0;
    let mut domain = Domain::new();
    for (index, name) in ["a", "b", "c"].into_iter().enumerate() {
        let (ty, call) = TYPES[writer.below(6) as usize];
        let least = if ty.starts_with("un") || ty.starts_with("enum") { 0 } else { -(writer.below(3) as i128) };
        let greatest = match (wide, index) {
            _ if ty.starts_with("enum") => 3,
            (true, 0) => 24,
            (true, _) => least + 1,
            (false, _) => least + 2 + writer.below(4) as i128,
        };
        let _ = writeln!(
            writer.text,
            "    {ty} {name} = {call}();\n    __CPROVER_assume({name} >= {least} && {name} <= {greatest});"
        );
        domain.push((name, ty, least, greatest));
    }
    let _ = writeln!(writer.text, "    int s = 0, t = 1;");
    if writer.below(3) != 0 {
        writer.round(2, "    ");
    }
    for _ in 0..1 + writer.below(3) {
        writer.statement(2);
    }
    let test = writer.test();
    let assertion = match writer.below(3) {
        0 => format!("if (s + t == {}) assert(0);", writer.below(5)),
        1 => format!("assert(s != {} && g != {});", writer.below(5), 2 + writer.below(3)),
        _ => format!("assert({test});"),
    };
    let _ = writeln!(writer.text, "    {assertion}\n    return 0;\n}}");
    let unwind = match writer.below(3) {
        0 => Some(2 + writer.below(5) as u32),
        _ => None,
    };
    Sample { text: writer.text, domain, unwind, loops: writer.loops }
}

/// All inputs.
fn inputs(domain: &Domain) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for (_, _, least, greatest) in domain {
        all = all
            .into_iter()
            .flat_map(|values| {
                (*least..=*greatest).map(move |value| {
                    let mut more = values.clone();
                    more.push(value);
                    more
                })
            })
            .collect();
    }
    all
}

fn fed(domain: &Domain, values: &[i128]) -> Inputs {
    let bits = |ty: &str| match ty {
        "signed char" | "unsigned char" => 8,
        "short" => 16,
        _ => 32,
    };
    let calls = domain.iter().zip(values).map(|((_, ty, ..), value)| *value as u128 & ((1 << bits(ty)) - 1));
    Inputs { calls: calls.collect(), ..Inputs::default() }
}

/// For which inputs conditions hold that are written over them. None if some are not C.
fn holding(domain: &Domain, conditions: &[String], all: &[Vec<i128>], what: &str) -> Vec<bool> {
    let mut text = HEAD.to_owned() + "int main(void) {\n";
    for (name, ty, ..) in domain {
        let call = TYPES.iter().find(|(other, _)| other == ty).map(|(_, call)| *call).expect("a type");
        let _ = writeln!(text, "    {ty} {name} = {call}();");
    }
    let all_of_them: Vec<String> = conditions.iter().map(|condition| format!("({condition})")).collect();
    let conjunction = if conditions.is_empty() { "1".to_owned() } else { all_of_them.join(" && ") };
    let _ = writeln!(text, "    assert(!({conjunction}));\n}}");
    let (program, _) = random::read(&text, what);
    let holds = |values: &Vec<i128>| match interp::run(&program, &fed(domain, values), &Limits::default()).outcome {
        Outcome::Violated(claim) => {
            let kind = program.claims[claim.index()].kind;
            assert_eq!(kind, ClaimKind::Assertion, "{conjunction} is undefined for {values:?}\n{what}");
            true
        }
        _ => false,
    };
    all.iter().map(holds).collect()
}

/// How an input fails, and how many turns its loops take.
struct Truth {
    way: Option<(ClaimId, Key)>,
    turns: usize,
    /// Every branch that it comes to: its text, and how it came out.
    branches: HashSet<(String, bool)>,
}

impl Truth {
    /// May something quoted be false of this input? A branch that always comes out as quoted is not, nor that the claim does
    /// not hold that the input violates.
    fn may_lack(&self, quoted: &str, program: &Program) -> bool {
        if let (Some((text, _)), Some((claim, _))) = (quoted.split_once("` does not hold"), &self.way) {
            return text.strip_prefix('`') != Some(&*program.claims[claim.index()].text);
        }
        let branch = quoted.strip_prefix('`').and_then(|rest| rest.split_once("` is "));
        let Some((text, end)) = branch.filter(|(_, end)| end.starts_with("true") || end.starts_with("false")) else {
            return true;
        };
        let [as_quoted, otherwise] = [true, false].map(|same| (text.to_owned(), end.starts_with("true") == same));
        self.branches.contains(&otherwise) || !self.branches.contains(&as_quoted)
    }
}

fn truth(program: &Program, sources: &Sources, inputs: &Inputs) -> Truth {
    let run = interp::run(program, inputs, &Limits::default());
    let is_turn = |text: &str| text.starts_with('i') && text.ends_with("++");
    let turns = run.steps.iter().filter(|step| is_turn(sources.text(step.span))).count();
    let branches = run.steps.iter().filter_map(|step| match step.kind {
        RunStepKind::Branch { taken, .. } => Some((sources.text(step.span).to_owned(), taken)),
        _ => None,
    });
    let branches = branches.collect();
    Truth { way: recheck::focus_sequence::sequence(program, inputs, &Limits::default()), turns, branches }
}

fn is_quoted(condition: &str, way: &Way) -> bool {
    way.quoted.iter().any(|quoted| quoted == condition) || condition.contains('`') || condition.contains("bound")
}

fn compare(sample: &Sample, found: &Focus, program: &Program, truths: &[Truth], what: &str, tally: &mut Tally) {
    let all = inputs(&sample.domain);
    let mut covered = vec![false; all.len()];
    let mut exact = true;
    for way in &found.ways {
        assert!(!way.untold && !way.by_choice, "{what}");
        let own = recheck::focus_sequence::sequence(program, &way.inputs, &Limits::default());
        let (quoted, said): (Vec<String>, Vec<String>) =
            way.assumptions.iter().cloned().partition(|text| way.quoted.contains(text));
        let holds = holding(&sample.domain, &said, &all, what);
        for ((values, truth), holds) in all.iter().zip(truths).zip(&holds) {
            let is_own = truth.way == own;
            assert!(
                is_own || !holds || quoted.iter().any(|quoted| truth.may_lack(quoted, program)),
                "way {} says {:?}, but {values:?} does not fail so\n{what}",
                way.rank,
                way.assumptions
            );
        }
        // Ways that read the same statements in another order have the same key: their conditions are counted together.
        covered.iter_mut().zip(&holds).for_each(|(covered, holds)| *covered |= holds);
        exact &= quoted.is_empty();
        let told = found
            .ways
            .iter()
            .filter(|other| recheck::focus_sequence::sequence(program, &other.inputs, &Limits::default()) == own);
        if told.count() == 1 && found.explanation.complete {
            for ((values, truth), holds) in all.iter().zip(truths).zip(&holds) {
                assert!(
                    truth.way != own || *holds,
                    "way {} says {:?}, but {values:?} fails so as well\n{what}",
                    way.rank,
                    way.assumptions
                );
            }
        }
        let reduced: Vec<String> = way.reduced.iter().filter(|text| !is_quoted(text, way)).cloned().collect();
        let remaining = holding(&sample.domain, &reduced, &all, what);
        for (remaining, holds) in remaining.iter().zip(&holds) {
            assert!(
                *remaining || !holds || !quoted.is_empty(),
                "reduced: {:?} of {:?}\n{what}",
                way.reduced,
                way.assumptions
            );
        }
        tally.quoted += quoted.len();
        tally.conditions += way.assumptions.len();
        tally.longest = tally.longest.max(way.assumptions.iter().map(String::len).max().unwrap_or(0));
    }
    if found.rest != Rest::None {
        return;
    }
    let wanted: Vec<usize> = found.ways.iter().map(|way| way.claim).collect();
    for ((values, truth), covered) in all.iter().zip(truths).zip(covered) {
        let Some((claim, _)) = &truth.way else { continue };
        // Other claims, of automatic kinds, may not be looked at.
        let is_looked_at =
            program.claims[claim.index()].kind == ClaimKind::Assertion || wanted.contains(&claim.index());
        let is_within =
            found.explanation.complete || (sample.loops == 1 && truth.turns < found.explanation.unwind as usize);
        assert!(covered || !exact || !is_looked_at || !is_within, "no way is told for {values:?}\n{what}");
    }
}

#[test]
fn conditions_hold_for_the_inputs_of_their_way_and_no_others() {
    let programs = random::wanted(60);
    random::with_stack(move || {
        let mut tally = Tally::default();
        for seed in random::seeds(programs) {
            let sample = sample(seed);
            let what = format!("seed {seed}, unwind {:?}\n{}", sample.unwind, sample.text);
            let (program, sources) = random::read(&sample.text, &what);
            let check = CheckOptions { unwind: sample.unwind, ..CheckOptions::default() };
            let options = FocusOptions { check, ..FocusOptions::default() };
            let found = match focus(&program, &sources, &options, &mut |_| {}) {
                Ok(found) => found,
                Err(error) => panic!("{error:?}\n{what}"),
            };
            if found.explanation.verdict != Verdict::Fails {
                continue;
            }
            let all = inputs(&sample.domain);
            let truths: Vec<Truth> =
                all.iter().map(|values| truth(&program, &sources, &fed(&sample.domain, values))).collect();
            let told: Vec<_> = found.ways.iter().map(|way| &way.assumptions).collect();
            let what = format!("told {told:#?}\nunwound {}, {what}", found.explanation.unwind);
            compare(&sample, &found, &program, &truths, &what, &mut tally);
            tally.failing += 1;
            tally.bounded += u64::from(!found.explanation.complete);
            tally.ways += found.ways.len();
        }
        println!("{tally:?}");
        assert!(tally.failing > programs / 5 && tally.bounded > 0, "a poor sample: {tally:?}");
    });
}
