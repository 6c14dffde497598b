//! Timing.
use nearmiss_explain::{Explaining, Program, Reading, fix};
use std::time::Instant;
fn main() {
    let mut files = vec![];
    let mut trust = vec![];
    let mut unwind = None;
    let mut reading = Reading::default();
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        if a == "--trust" {
            trust.push(args.next().unwrap())
        } else if a == "--unwind" {
            unwind = args.next().unwrap().parse().ok()
        } else if a == "--function" {
            reading.c.entry = args.next().unwrap()
        } else {
            files.push(a)
        }
    }
    let program = Program::from_c(files, &reading).unwrap();
    let mut o = Explaining::default();
    o.check.unwind = unwind;
    o.trust = trust.clone();
    let t = Instant::now();
    let why = program.check(&o.check).unwrap();
    eprintln!("check {:?} {:?}", t.elapsed(), why.verdict());
    let t = Instant::now();
    let mut f = fix::FixOptions { check: o.check.clone(), trust, ..Default::default() };
    f.check.unwind = unwind;
    if let Ok(n) = std::env::var("ENOUGH") {
        f.enough = n.parse().unwrap();
    }
    let found = nearmiss_explain::on_a_large_stack(|| fix::fixes(&program, why.explanation(), &f).unwrap());
    println!(
        "candidates {} executed {} judged {} passing {} failing {} complete {} in {:?}",
        found.candidates,
        found.executed,
        found.judged,
        found.passing,
        found.failing,
        found.complete,
        t.elapsed()
    );
    for fix in &found.found {
        let e = &fix.edits[0];
        let p = program.sources().position(e.span);
        println!(
            "{}:{}:{} {:?} {:?} changed {}: `{}` -> `{}`  differs {:?}",
            p.file,
            p.line,
            p.column,
            fix.family,
            fix.verified,
            fix.changed,
            program.sources().text(e.span),
            e.new,
            fix.differs_when
        );
    }
}
