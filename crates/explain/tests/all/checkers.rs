//! What CBMC tells of random programs that fail: each of its formats must give a run that violates the same claim.
//!
//! The programs are about how values lie in memory: structs and unions within each other, arrays, bit-fields, results of
//! functions without a body, copies, pointers. Nothing in them is undefined, so a disagreement is an error of ours.
//! `NEARMISS_CBMC=/usr/bin/cbmc` names the checker, and without it a `cbmc` in the path is used; where there is none, the
//! programs are only read. `NEARMISS_PROGRAMS=1000` tries that many, `NEARMISS_FROM=50` starts at that seed.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::random::{self, Dice};
use crate::common::{in_parallel, scratch};
use nearmiss_explain::check::CheckOptions;
use nearmiss_explain::given::rebuild;
use nearmiss_explain::imported::{self, Failure, Format};
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::run::Outcome;

/// A scalar type: its name in C, its name within identifiers, and constants of it.
struct Scalar(&'static str, &'static str, [&'static str; 3]);

const SCALARS: [Scalar; 12] = [
    Scalar("int", "int", ["0", "12", "-7"]),
    Scalar("unsigned", "uint", ["0u", "65536u", "4000000000u"]),
    Scalar("signed char", "schar", ["0", "-5", "100"]),
    Scalar("unsigned char", "uchar", ["0", "200", "1"]),
    Scalar("short", "short", ["0", "-300", "3"]),
    Scalar("unsigned short", "ushort", ["0", "513", "60000"]),
    Scalar("long", "long", ["0", "-1", "4294967296"]),
    Scalar("unsigned long", "ulong", ["0", "1", "281474976710656"]),
    Scalar("_Bool", "bool", ["0", "1", "1"]),
    Scalar("enum color", "color", ["RED", "GREEN", "BLUE"]),
    Scalar("float", "float", ["0.5f", "-2.25f", "3.0f"]),
    Scalar("double", "double", ["0.1", "-1e10", "4.0"]),
];

/// A struct or a union.
struct Record {
    is_union: bool,
    members: Vec<Member>,
}

struct Member {
    ty: Type,
    /// Elements, if it is an array.
    length: Option<u64>,
    /// Of a bit-field.
    bits: Option<u64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Type {
    Scalar(usize),
    Record(usize),
}

struct Writer {
    dice: Dice,
    records: Vec<Record>,
    /// The variables in scope.
    variables: Vec<(String, Type)>,
    body: Vec<String>,
    loops: u64,
}

/// A program whose last assertion may fail.
fn program(seed: u64) -> String {
    let mut writer =
        Writer { dice: Dice::new(seed), records: Vec::new(), variables: Vec::new(), body: Vec::new(), loops: 0 };
    let mut text = String::from("#include <assert.h>\n#include <string.h>\nenum color { RED, GREEN = 3, BLUE };\n");
    for number in 0..2 + writer.dice.index(3) {
        let record = writer.record(number);
        writer.records.push(record);
        text += &writer.definition(number);
    }
    for Scalar(name, word, _) in &SCALARS {
        text += &format!("{name} nondet_{word}(void);\n");
    }
    for number in 0..writer.records.len() {
        let name = writer.name(Type::Record(number));
        let (path, scalar) = writer.leaf(Type::Record(number));
        let constant = writer.constant(scalar);
        text += &format!("{name} fetch_{number}(void);\n");
        text += &format!("{name} pass_{number}({name} v)\n{{\n    v{path} = {constant};\n    return v;\n}}\n");
        text += &format!("void put_{number}({name} *v, {} s)\n{{\n    v->{} = s;\n}}\n", SCALARS[scalar].0, &path[1..]);
        if writer.dice.index(3) == 0 {
            let word = ["", "extern ", "static "][writer.dice.index(3)];
            text += &format!("{word}{name} g{number};\n");
            writer.variables.push((format!("g{number}"), Type::Record(number)));
        }
    }
    for _ in 0..2 {
        writer.declaration();
    }
    for _ in 0..3 + writer.dice.index(8) {
        writer.statement();
    }
    if writer.dice.index(4) == 0 {
        writer.assertion();
        writer.statement();
    }
    writer.assertion();
    text = text + "int main(void)\n{\n    " + &writer.body.join("\n    ") + "\n    return 0;\n}\n";
    // CBMC blames functions without a body, unless they are called like this.
    if seed.is_multiple_of(2) { text.replace("fetch_", "nondet_r") } else { text }
}

impl Writer {
    fn record(&mut self, number: usize) -> Record {
        let is_union = self.dice.index(5) < 2;
        let mut members = Vec::new();
        for _ in 0..2 + self.dice.index(2) {
            let ty = match self.dice.index(4) {
                0 if number > 0 => Type::Record(self.dice.index(number)),
                _ => Type::Scalar(self.dice.index(SCALARS.len())),
            };
            let length = (self.dice.index(4) == 0).then(|| 1 + self.dice.below(4));
            let is_field = length.is_none() && matches!(ty, Type::Scalar(0 | 1)) && self.dice.index(3) == 0;
            let bits = is_field.then(|| 5 + self.dice.below(20));
            members.push(Member { ty, length, bits });
        }
        Record { is_union, members }
    }

    fn definition(&self, number: usize) -> String {
        let mut text = format!("{} {{", self.name(Type::Record(number)));
        for (at, member) in self.records[number].members.iter().enumerate() {
            let length = member.length.map_or_else(String::new, |length| format!("[{length}]"));
            let bits = member.bits.map_or_else(String::new, |bits| format!(" : {bits}"));
            text += &format!(" {} m{at}{length}{bits};", self.name(member.ty));
        }
        text + " };\n"
    }

    fn name(&self, ty: Type) -> String {
        match ty {
            Type::Scalar(number) => SCALARS[number].0.to_owned(),
            Type::Record(number) if self.records[number].is_union => format!("union r{number}"),
            Type::Record(number) => format!("struct r{number}"),
        }
    }

    fn constant(&mut self, scalar: usize) -> &'static str {
        SCALARS[scalar].2[self.dice.index(3)]
    }

    /// A way to a scalar of a type, `.m0[1].m2`, and the scalar.
    fn leaf(&mut self, mut ty: Type) -> (String, usize) {
        let mut path = String::new();
        loop {
            match ty {
                Type::Scalar(scalar) => return (path, scalar),
                Type::Record(number) => {
                    let at = self.dice.index(self.records[number].members.len());
                    let member = &self.records[number].members[at];
                    ty = member.ty;
                    path += &format!(".m{at}");
                    if let Some(length) = member.length {
                        path += &format!("[{}]", self.dice.below(length));
                    }
                }
            }
        }
    }

    /// A scalar of a variable.
    fn place(&mut self) -> (String, usize) {
        let (name, ty) = &self.variables[self.dice.index(self.variables.len())];
        let (name, ty) = (name.clone(), *ty);
        let (path, scalar) = self.leaf(ty);
        (name + &path, scalar)
    }

    /// Something to assign to such a scalar.
    fn value(&mut self, scalar: usize) -> String {
        match self.dice.index(3) {
            0 => self.constant(scalar).to_owned(),
            1 => format!("nondet_{}()", SCALARS[scalar].1),
            _ => match self.place() {
                (place, other) if other == scalar => place,
                _ => format!("nondet_{}()", SCALARS[scalar].1),
            },
        }
    }

    fn result(ty: Type) -> String {
        match ty {
            Type::Scalar(scalar) => format!("nondet_{}()", SCALARS[scalar].1),
            Type::Record(number) => format!("fetch_{number}()"),
        }
    }

    fn declaration(&mut self) {
        let ty = match self.dice.index(4) {
            0 => Type::Scalar(self.dice.index(SCALARS.len())),
            _ => Type::Record(self.dice.index(self.records.len())),
        };
        let name = format!("v{}", self.variables.len());
        // What is read of a `_Bool` or an enumeration that nobody set is nothing to rely on.
        let value = if self.dice.index(3) == 0 { String::new() } else { format!(" = {}", Writer::result(ty)) };
        self.body.push(format!("{} {name}{value};", self.name(ty)));
        self.variables.push((name, ty));
    }

    fn statement(&mut self) {
        let (variable, ty) = self.variables[self.dice.index(self.variables.len())].clone();
        let others = self.variables.iter().filter(|(name, other)| *name != variable && *other == ty);
        let others: Vec<String> = others.map(|(name, _)| name.clone()).collect();
        let other = others.get(self.dice.index(others.len())).cloned();
        let text = match (self.dice.index(10), ty) {
            (0, _) => return self.declaration(),
            (1, _) => format!("{variable} = {};", Writer::result(ty)),
            (2, Type::Record(number)) => format!("{variable} = pass_{number}({variable});"),
            (3, Type::Record(number)) => format!("put_{number}(&{variable}, 1);"),
            (4, _) if other.is_some() => format!("{variable} = {};", other.unwrap_or_default()),
            (5, _) if other.is_some() => format!("memcpy(&{variable}, &{}, sizeof {variable});", other.unwrap()),
            (6, _) => {
                let ((place, scalar), i) = (self.place(), self.loops);
                self.loops += 1;
                let (value, more) = (self.value(scalar), Writer::result(ty));
                let more = if self.dice.index(2) == 0 { format!(" {variable} = {more};") } else { String::new() };
                format!("for (int i{i} = 0; i{i} < 2; i{i}++) {{{more} {place} = {value}; }}")
            }
            (7, _) => {
                let ((tested, kind), (place, scalar)) = (self.place(), self.place());
                let (constant, value) = (self.constant(kind), self.value(scalar));
                format!("if ({tested} == {constant}) {place} = {value};")
            }
            _ => {
                let (place, scalar) = self.place();
                format!("{place} = {};", self.value(scalar))
            }
        };
        match self.body.last_mut() {
            Some(last) if self.dice.index(6) == 0 => *last += &format!(" {text}"),
            _ => self.body.push(text),
        }
    }

    fn assertion(&mut self) {
        let ((one, kind), (two, other)) = (self.place(), self.place());
        let (one_is, two_is) = (self.constant(kind), self.constant(other));
        self.body.push(match self.dice.index(3) {
            0 => format!("assert({one} != {one_is});"),
            _ => format!("assert(!({one} == {one_is} && {two} == {two_is}));"),
        });
    }
}

/// The checker, if the system has one.
fn checker() -> Option<PathBuf> {
    let path = PathBuf::from(std::env::var_os("NEARMISS_CBMC").unwrap_or_else(|| "cbmc".into()));
    Command::new(&path).arg("--version").output().is_ok().then_some(path)
}

/// What became of one program.
#[derive(PartialEq)]
enum Tried {
    Read,
    Holds,
    Fails,
}

/// Tries one program in all formats. The errors start with the format.
fn compare(seed: u64, checker: Option<&Path>) -> Result<Tried, String> {
    let text = program(seed);
    let what = format!("program {seed}");
    let (program, sources) = random::read(&text, &what);
    let Some(checker) = checker else { return Ok(Tried::Read) };
    let folder = scratch(&format!("checkers/{seed}"));
    fs::write(folder.join(random::FILE), &text).map_err(|error| error.to_string())?;
    let mut wrong = Vec::new();
    for flags in [&["--json-ui", "--trace"][..], &["--xml-ui", "--trace"], &["--trace"], &["--graphml-witness", "w"]] {
        let output = Command::new(checker).current_dir(&folder).arg(random::FILE).args(flags).output();
        let output = output.map_err(|error| error.to_string())?;
        if output.status.code() == Some(0) {
            return Ok(Tried::Holds);
        }
        if output.status.code() != Some(10) {
            return Err(format!("{flags:?}: {}", String::from_utf8_lossy(&output.stdout)));
        }
        let told = match flags[0] {
            "--graphml-witness" => fs::read(folder.join("w")).map_err(|error| error.to_string())?,
            _ => output.stdout,
        };
        fs::write(folder.join(flags[0].trim_start_matches('-')), &told).map_err(|error| error.to_string())?;
        let mut told = Cursor::new(told);
        let format = imported::recognise(&mut told).map_err(|error| error.to_string())?;
        let told = match imported::read(&mut told, format, &[]) {
            Ok(told) => told,
            // Where a body is missing, CBMC's graphs end before the violation.
            Err(_) if format == Format::WitnessGraphml && text.contains("fetch_") => continue,
            Err(error) => return Err(format!("{flags:?}: {error}")),
        };
        // A graph may be about a missing body, and does not say so.
        let may_lack = format == Format::WitnessGraphml && text.contains("fetch_");
        match rebuild::rebuild(&program, &sources, &told, &CheckOptions::default()) {
            Err(_) if may_lack || told.failure.as_ref().is_some_and(Failure::is_missing_body) => {}
            Err(error) => wrong.push(format!("{format}: {error}")),
            // Another assertion may be in the way.
            Ok(rebuilt) if !rebuilt.properties.is_empty() => {}
            Ok(rebuilt) => {
                let Outcome::Violated(claim) = interp::run(&program, &rebuilt.inputs, &Limits::default()).outcome
                else {
                    wrong.push(format!("{format}: the run does not fail"));
                    continue;
                };
                let (own, line) = (&program.claims[claim.index()], told.failure.and_then(|failure| failure.line));
                if format != Format::WitnessGraphml && line != Some(sources.position(own.span).line) {
                    wrong.push(format!("{format}: {} is violated, not what is in line {line:?}", own.id));
                }
            }
        }
    }
    if wrong.is_empty() { Ok(Tried::Fails) } else { Err(format!("{}\n{}", wrong.join("\n"), folder.display())) }
}

#[test]
fn what_cbmc_tells_of_random_programs_is_taken() {
    let checker = checker();
    let count = random::wanted(if checker.is_some() { 20 } else { 200 });
    let seeds: Vec<u64> = random::seeds(count).collect();
    let tried = in_parallel(&seeds, |seed| compare(*seed, checker.as_deref()));
    let of = |what: Tried| tried.iter().filter(|tried| tried.as_ref().is_ok_and(|tried| *tried == what)).count();
    println!("{} only read, {} hold, {} fail and agree", of(Tried::Read), of(Tried::Holds), of(Tried::Fails));
    let failures: Vec<String> = (seeds.iter().zip(&tried))
        .filter_map(|(seed, tried)| tried.as_ref().err().map(|why| format!("program {seed}: {why}")))
        .collect();
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
}
