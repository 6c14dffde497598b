//! Conditions that are looked at along runs: symbolic execution and the interpreter see the same.

use crate::common::OneFile;
use nearmiss_explain::bounds::Bounds;
use nearmiss_explain::execution::Execution;
use nearmiss_explain::symex::{unwind, unwind_watching};
use nearmiss_logic::stop::Stop;
use nearmiss_program::c::predicate::{TypedCondition, add};
use nearmiss_program::c::{self, Options};
use nearmiss_program::interp::{Interpreter, Limits};
use nearmiss_program::program::Program;
use nearmiss_program::program::watched::Watched;
use nearmiss_program::run::Inputs;
use nearmiss_program::source::Sources;

const TEXT: &str = "\
int nondet_int(void);
int limit = 3;
struct pair { int low, high; } p;
int row[3] = {7, -1, 4};
static int twice(int n) { int r = n * 2; return r; }
int main(void)
{
    int n = nondet_int();
    int sum = 0;
    if (n > limit)
        n = limit;
    p.low = n;
    sum = twice(n);
    if (n >= 0 && n < 3)
        sum = row[n];
    return sum;
}
";

const FILE: OneFile = OneFile { name: "a.c", bytes: TEXT.as_bytes() };

fn added(texts: &[&str]) -> Result<(Program, Vec<Watched>), String> {
    let (files, mut sources) = (["a.c".to_owned()], Sources::new());
    let mut program = c::read(&files, &Options::default(), &FILE, &mut sources).map_err(|e| e[0].message.clone())?;
    let typed: Vec<TypedCondition> = texts.iter().map(|text| TypedCondition::new("--predicate", text)).collect();
    let watched = add(&mut program, &typed, &files, &Options::default(), &FILE, &mut sources);
    watched.map(|watched| (program, watched)).map_err(|errors| {
        let at = errors[0].span.map(|span| sources.position(span).file).unwrap_or_default();
        format!("{at} {}", errors[0].message)
    })
}

#[test]
fn both_machines_see_the_same() {
    let (program, watched) = added(&["n > limit", "p.low < 2", "twice: r == 2 * n", "sum != 0", "row[n] > 0"])
        .expect("these are conditions");
    assert!(watched[1].function.is_none());
    assert!(watched[0].function.is_some() && watched[0].function != watched[2].function);
    let stop = Stop::default();
    let (equation, moments) =
        unwind_watching(&program, &Bounds::default(), &stop, &watched).expect("nobody interrupts");
    let plain = unwind(&program, &Bounds::default(), &stop).expect("nobody interrupts");
    assert_eq!(plain.to_text(&program), equation.to_text(&program));
    for n in [0u128, 1, 3, 4] {
        let inputs = Inputs { calls: vec![n], ..Inputs::default() };
        let (run, seen) = Interpreter::new(&program).watch(&inputs, &Limits::default(), &watched);
        assert_eq!(run.steps.len(), seen.len());
        let execution = Execution::of(&equation, &inputs);
        let mut evaluator = execution.evaluator(&equation);
        let mut symbolic: Vec<(usize, bool)> = Vec::new();
        for moment in moments.iter().filter(|moment| moment.step < equation.steps.len()) {
            if evaluator.holds(moment.guard) {
                let own = moment.seen.iter().filter(|seen| [0, moment.running].contains(&seen.activation));
                // An element outside of its array is none.
                let own: Vec<_> = own.filter(|seen| evaluator.holds(seen.within)).collect();
                symbolic.extend(own.iter().map(|seen| (seen.watched, evaluator.holds(seen.term))));
            }
        }
        symbolic.sort_unstable();
        symbolic.dedup();
        let mut concrete: Vec<(usize, bool)> = seen.into_iter().flatten().collect();
        concrete.sort_unstable();
        concrete.dedup();
        // The interpreter also looks at what is declared and not set.
        assert!(symbolic.len() > 3 && symbolic.iter().all(|seen| concrete.contains(seen)), "n = {n}: {symbolic:?}");
    }
}
