//! Random programs of csmith: the checksum that the compiled program prints must be the one that ours computes.
//!
//! csmith writes programs without undefined behaviour over all of C's integer types, structures, unions, bit-fields,
//! arrays and pointers (Yang, Chen, Eide, Regehr: Finding and Understanding Bugs in C Compilers, PLDI 2011). Its runtime
//! keeps the checksum of every global in `crc32_context`, which we read when the run has ended.
//!
//! `NEARMISS_CSMITH=500` tries that many programs instead of 20, `NEARMISS_CSMITH_FROM=1000` starts at that seed. With
//! `NEARMISS_CSMITH_32=1` the machine is i386, for which `cc -m32` must be there.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{CSMITH_RUNTIME, has_csmith, in_parallel, output, program_with, scratch};
use nearmiss_explain::bounds::Bounds;
use nearmiss_explain::symex;
use nearmiss_logic::stop::Stop;
use nearmiss_program::c::{DataModel, Options};
use nearmiss_program::interp::{self, Limits, run_and_read};
use nearmiss_program::program::{ClaimKind, GlobalId};
use nearmiss_program::program_text;
use nearmiss_program::run::{Inputs, Outcome};

/// Programs that run longer than this are left out: csmith does not promise that they end.
const STEPS: u64 = 20_000_000;

/// Unwinding keeps every step, so programs with more steps than this are only interpreted.
const EQUATION_STEPS: u64 = 400_000;

/// What became of one program.
enum Tried {
    /// Compiled program, interpreter and equation agree.
    Agrees,
    /// Compiled program and interpreter agree; it is too long for an equation.
    Interpreted,
    /// It runs too long, for us or for the machine.
    TooLong,
    /// csmith guards everything against what is undefined but the arguments of `__builtin_clz` and `__builtin_ctz` and the size of
    /// floats that become integers: this program counts the zeros of 0, or has another checksum and such a float.
    Undefined,
}

#[test]
fn checksums_of_random_programs_agree() {
    if !has_csmith("the random programs of csmith") {
        return;
    }
    let number = |name: &str, or| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(or);
    let (first, count) = (number("NEARMISS_CSMITH_FROM", 1), number("NEARMISS_CSMITH", 20));
    let seeds: Vec<u64> = (first..first + count).collect();
    let (mut agree, mut interpreted, mut too_long, mut undefined, mut failures) = (0, 0, 0, 0, Vec::new());
    for (seed, tried) in seeds.iter().zip(in_parallel(&seeds, |seed| compare(*seed))) {
        match tried {
            Ok(Tried::Agrees) => agree += 1,
            Ok(Tried::Interpreted) => interpreted += 1,
            Ok(Tried::TooLong) => too_long += 1,
            Ok(Tried::Undefined) => undefined += 1,
            Err(why) => failures.push(format!("seed {seed}: {why}")),
        }
    }
    println!(
        "{agree} agree, {interpreted} agree without an equation, {too_long} run too long, {undefined} are undefined, \
         {} fail",
        failures.len()
    );
    assert!(failures.is_empty(), "{} of {count} fail\n{}", failures.len(), failures.join("\n"));
    let ended = agree + interpreted;
    assert!(ended * 2 >= count, "only {ended} of {count} programs came to their end");
}

fn compare(seed: u64) -> Result<Tried, String> {
    // csmith keeps what it knows of the machine in a file of its folder, so two that run at once need two folders.
    let folder = scratch(&format!("csmith-{seed}"));
    let source = folder.join(format!("{seed}.c"));
    let binary = folder.join(seed.to_string());
    let seed_text = seed.to_string();
    // Every fourth program has floats, every fourth calls builtins, every fourth has pointers to pointers to pointers. All have
    // `volatile` objects and pointers to bytes, but csmith knows no arithmetic on pointers: `s[n - 1]` is for `brute_force`.
    let more: &[&str] = match seed % 4 {
        1 => &["--max-pointer-depth", "4", "--inline-function"],
        2 => &["--float"],
        3 => &["--builtins", "--disable-builtin-kinds", "x86"],
        _ => &[],
    };
    let mut csmith = Command::new("csmith");
    let made = output(csmith.args(["--seed", &seed_text, "--no-argc"]).args(more).current_dir(&folder))?;
    fs::write(&source, made).map_err(|error| error.to_string())?;
    let is_32 = std::env::var_os("NEARMISS_CSMITH_32").is_some();
    let (machine, model): (&[&str], _) =
        if is_32 { (&["-m32", "-msse2", "-mfpmath=sse"], DataModel::Ilp32) } else { (&[], DataModel::Lp64) };
    compile(&source, &binary, machine)?;
    let limited = Command::new("timeout").arg("2").arg(&binary).output().map_err(|error| error.to_string())?;
    // 124 is how `timeout` says that it was needed.
    if limited.status.code() == Some(124) {
        return Ok(Tried::TooLong);
    }
    let printed = String::from_utf8_lossy(&limited.stdout);
    let theirs = printed.trim().strip_prefix("checksum = ").map(|digits| u128::from_str_radix(digits, 16));
    let Some(Ok(theirs)) = theirs else { return Err(format!("it printed {printed:?}")) };

    let options = Options { include: vec![CSMITH_RUNTIME.to_owned()], model, ..Options::default() };
    let program = program_with(&source, &options)?;
    if seed.is_multiple_of(4) {
        let printed = program_text::print(&program, None);
        let read = program_text::parse(&printed).map_err(|error| format!("its text: {error}"))?;
        if program_text::print(&read, None) != printed {
            return Err("its text prints differently again".to_owned());
        }
    }
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let (run, context) = run_and_read(&program, &Inputs::default(), &limits, "crc32_context");
    match run.outcome {
        Outcome::Finished => {}
        Outcome::Exhausted => {
            println!("seed {seed}: more than {STEPS} steps for us");
            return Ok(Tried::TooLong);
        }
        Outcome::Violated(claim) => {
            let claim = &program.claims[claim.index()];
            if more.contains(&"--builtins") && claim.kind == ClaimKind::Shift {
                return Ok(Tried::Undefined);
            }
            return Err(format!("violates {}: {}", claim.id, claim.text));
        }
        other => return Err(format!("{other:?}")),
    }
    // The runtime prints the complement of what it keeps.
    let ours = context.ok_or("there is no crc32_context")? & 0xffff_ffff ^ 0xffff_ffff;
    if ours != theirs {
        return match casts_out_of_range(&source, &folder, machine)? {
            true => Ok(Tried::Undefined),
            false => Err(format!("checksum {ours:X}, compiled {theirs:X}")),
        };
    }
    let short = Limits { steps: EQUATION_STEPS, ..Limits::default() };
    if interp::run(&program, &Inputs::default(), &short).outcome == Outcome::Exhausted {
        return Ok(Tried::Interpreted);
    }
    // The equation has no inputs to leave open, so its checksum is a constant.
    let global = program.globals.iter().position(|global| global.name == "crc32_context");
    let global = GlobalId(global.ok_or("there is no crc32_context")? as u32);
    let stop = Stop::default();
    let bounds = Bounds { constant: 1 << 20, ..Bounds::default() };
    match symex::final_value(&program, &bounds, &stop, global, 32) {
        Ok(Some(value)) if value ^ 0xffff_ffff == theirs => Ok(Tried::Agrees),
        Ok(Some(value)) => Err(format!("the equation's checksum is {:X}, compiled {theirs:X}", value ^ 0xffff_ffff)),
        Ok(None) => Err("the equation is not constant".to_owned()),
        Err(_) => Err("interrupted by nobody".to_owned()),
    }
}

fn compile(source: &Path, binary: &Path, flags: &[&str]) -> Result<String, String> {
    let mut cc = Command::new("cc");
    output(cc.args(["-w", "-O1", "-I", CSMITH_RUNTIME]).args(flags).arg("-o").arg(binary).arg(source))
}

/// Whether a program turns a float into an integer that has no room for it. It then ends by a signal.
fn casts_out_of_range(source: &Path, folder: &Path, machine: &[&str]) -> Result<bool, String> {
    let guarded = folder.join("guarded");
    let watch = ["-fsanitize=float-cast-overflow", "-fno-sanitize-recover=all", "-fsanitize-undefined-trap-on-error"];
    compile(source, &guarded, &[machine, &watch].concat())?;
    let ended = Command::new(&guarded).output().map_err(|error| error.to_string())?.status;
    Ok(ended.code().is_none())
}

#[test]
fn only_casts_out_of_range_excuse_another_checksum() {
    let folder = scratch("csmith-casts");
    let source = folder.join("cast.c");
    for (number, out_of_range) in [("3e9", true), ("2e9", false), ("-2147483648.5", false), ("1.0 / 0.0", true)] {
        let text = format!("int main(void) {{ volatile double d = {number}; volatile int n = d; return n & 0; }}");
        fs::write(&source, text).expect("the folder is ours");
        assert_eq!(casts_out_of_range(&source, &folder, &[]), Ok(out_of_range), "{number}");
    }
}
