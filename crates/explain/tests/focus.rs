//! The oracle of focus sequences: slices of every failing run, computed by the interpreter.

mod common;

use common::random::{self, Generator};
use nearmiss_explain::execution::Execution;
use nearmiss_explain::flow::EventKind;
use nearmiss_explain::interp::{Interpreter, Limits};
use nearmiss_explain::run::{Inputs, Outcome};
use nearmiss_explain::symex::{self, Bounds, Watch};

#[test]
fn slices_of_the_equation_are_those_of_the_interpreter() {
    let programs = random::wanted(300);
    random::with_stack(move || {
        let mut compared = 0;
        for seed in 0..programs {
            let text = Generator::program(seed);
            let (program, _) = random::read(&text, &format!("seed {seed}"));
            let watch = Watch { stop: Default::default(), deadline: None };
            let (equation, flow) =
                symex::unwind_with_flow(&program, &Bounds::default(), &watch).expect("there is time");
            let interpreter = Interpreter::new(&program);
            for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
                let inputs = Inputs { calls: vec![a, b], ..Inputs::default() };
                let (outcome, trace) = interpreter.follow(&inputs, &Limits::default());
                let Outcome::Violated(_) = outcome else { continue };
                let execution = Execution::of(&equation, &inputs);
                let failed = execution.failed.expect("it fails");
                let claim = flow
                    .events
                    .iter()
                    .position(|event| matches!(&event.kind, EventKind::Claim(step, _) if *step == failed));
                let slice = flow.slice(claim.expect("a claim") as u32, &mut execution.evaluator(&equation));
                let found: Vec<_> = slice.iter().map(|number| flow.event(*number).location).collect();
                let expected: Vec<_> = trace
                    .slice(trace.events.len() as u32 - 1)
                    .iter()
                    .map(|number| trace.events[*number as usize].location)
                    .collect();
                assert_eq!(
                    found,
                    expected,
                    "seed {seed} {inputs:?}\n{text}\n{}",
                    nearmiss_explain::program_text::print(&program, None)
                );
                compared += 1;
            }
        }
        println!("{compared}");
        assert!(compared > programs);
    });
}
