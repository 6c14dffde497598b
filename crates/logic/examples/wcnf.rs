//! Minimise a weighted MaxSAT problem: `wcnf FILE [auto|cores|bits|linear] [SECONDS]` prints one line with the bounds, the
//! time, the conflicts and calls of CaDiCaL (none where the plain solver was enough), and whether a fresh solver proved the minimum again (`reprove` as a fourth argument).
//! `wcnf FILE read` only reads it, to tell how long that takes.

use nearmiss_logic::optimise::{Limits, Plan, Wcnf, minimise_by, proves_lower_bound};
use nearmiss_logic::sat::Lit;
use nearmiss_logic::stop::Stop;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("usage: wcnf FILE [auto|cores|bits|linear|read] [SECONDS] [reprove]")?;
    let plan = match arguments.get(1).map(String::as_str) {
        Some("cores") => Plan::Cores,
        Some("bits") => Plan::Bits,
        Some("linear") => Plan::Linear,
        _ => Plan::Auto,
    };
    let seconds = arguments.get(2).map_or(Ok(3600.0), |word| word.parse::<f64>())?;
    let read = Wcnf::read(&std::fs::read_to_string(path)?)?;
    if arguments.get(1).is_some_and(|word| word == "read") {
        std::process::exit(0);
    }
    let started = Instant::now();
    let (mut solver, objective) = read.problem();
    let hints = &read.hints;
    let within =
        |seconds| Limits { stop: Stop::at(Instant::now() + Duration::from_secs_f64(seconds)), ..Limits::default() };
    let follow = std::env::var_os("NEARMISS_PROGRESS").is_some();
    let mut progress = |lower, upper| {
        if follow {
            eprintln!("{:8.2} {lower} {upper}", started.elapsed().as_secs_f64());
        }
    };
    for &lit in &hints.preferred {
        solver.set_phase(lit);
    }
    let mut model = vec![false; solver.stats().variables as usize + 1];
    for &lit in &hints.model {
        model[lit.variable()] = lit.is_positive();
    }
    let value = |lit: Lit| model[lit.variable()] == lit.is_positive();
    let warm: Option<&dyn Fn(Lit) -> bool> = if hints.model.is_empty() { None } else { Some(&value) };
    let optimum = minimise_by(plan, &mut solver, &[], &objective, warm, &within(seconds), &mut progress);
    let time = started.elapsed().as_secs_f64();
    let effort = solver.stats();
    print!(
        "{:?} lower {} upper {} seconds {time:.3} conflicts {} calls {}",
        optimum.outcome, optimum.lower, optimum.upper, effort.conflicts, effort.calls
    );
    if arguments.get(3).is_some_and(|word| word == "reprove") {
        let started = Instant::now();
        let proof = proves_lower_bound(&solver, &[], &[], &objective, optimum.lower, &within(seconds));
        print!(" reproof {proof:?} {:.3}", started.elapsed().as_secs_f64());
    }
    println!();
    // Taking the solver apart, clause by clause, would be of no use to anyone.
    std::process::exit(0);
}
