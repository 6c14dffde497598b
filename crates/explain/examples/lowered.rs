//! Prints what lowering makes of C files, with its claims and notes, and runs it on inputs that are all 0.
//!
//! `cargo run --release -p nearmiss-explain --example lowered -- FILE.c… [--function NAME] [-I DIR] [--no-checks] [--global NAME]`
//!
//! `--global` shows what a global holds at the end, `--no-checks` makes no automatic claims.

use std::path::Path;

use nearmiss_explain::c::{self, Checks, Loader, Options};
use nearmiss_explain::interp::{self, Limits};
use nearmiss_explain::program_text;
use nearmiss_explain::run::Inputs;
use nearmiss_explain::source::Sources;

struct Disk;

impl Loader for Disk {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        path.is_file()
    }
}

fn main() {
    let mut options = Options::default();
    let mut files = Vec::new();
    let mut quiet = false;
    let mut global = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--function" => options.entry = arguments.next().unwrap_or_default(),
            "--quiet" => quiet = true,
            "-I" => options.include.extend(arguments.next()),
            "--global" => global = arguments.next(),
            "--no-checks" => {
                options.checks = Checks {
                    bounds: false,
                    pointer: false,
                    div_by_zero: false,
                    signed_overflow: false,
                    undefined_shift: false,
                    ..options.checks
                }
            }
            _ => files.push(argument),
        }
    }
    let mut sources = Sources::new();
    let program = match c::read(&files, &options, &Disk, &mut sources) {
        Ok(program) => program,
        Err(errors) => {
            for error in errors {
                let place = error.span.map(|s| sources.position(s).to_string()).unwrap_or_default();
                println!("{place}: {} {:?}", error.message, error.help);
            }
            std::process::exit(2);
        }
    };
    if !quiet {
        print!("{}", program_text::print(&program, Some(&sources)));
        for claim in &program.claims {
            println!("{} {} [{}]", sources.position(claim.span), claim.id, claim.text);
        }
    }
    for note in &program.notes {
        let place = note.span.map(|s| sources.position(s).to_string()).unwrap_or_default();
        println!("note {place}: {}", note.message);
    }
    if let Some(global) = global {
        let (run, value) = interp::run_and_read(&program, &Inputs::default(), &Limits::default(), &global);
        println!("{:?} {global} = {:x?}", run.outcome, value);
        return;
    }
    let run = interp::run(&program, &Inputs::default(), &Limits::default());
    println!("{:?} after {} steps", run.outcome, run.steps.len());
}
