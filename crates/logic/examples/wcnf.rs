//! Minimise a weighted MaxSAT problem: `wcnf FILE [auto|cores|bits] [SECONDS]` prints one line with the bounds, the
//! time, the conflicts, and whether a fresh solver proved the minimum again (`reprove` as a fourth argument).

use nearmiss_logic::optimise::{Limits, Plan, from_wcnf, minimise_by, proves_lower_bound};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("usage: wcnf FILE [auto|cores|bits] [SECONDS] [reprove]")?;
    let plan = match arguments.get(1).map(String::as_str) {
        Some("cores") => Plan::Cores,
        Some("bits") => Plan::Bits,
        _ => Plan::Auto,
    };
    let seconds = arguments.get(2).map_or(Ok(3600.0), |word| word.parse::<f64>())?;
    let (mut solver, objective) = from_wcnf(&std::fs::read_to_string(path)?)?;
    let started = Instant::now();
    let within =
        |seconds| Limits { deadline: Some(Instant::now() + Duration::from_secs_f64(seconds)), ..Limits::default() };
    let follow = std::env::var_os("NEARMISS_PROGRESS").is_some();
    let mut progress = |lower, upper| {
        if follow {
            eprintln!("{:8.2} {lower} {upper}", started.elapsed().as_secs_f64());
        }
    };
    let optimum = minimise_by(plan, &mut solver, &[], &objective, None, &within(seconds), &mut progress);
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
