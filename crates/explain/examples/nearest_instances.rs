//! Nearest-run problems as weighted MaxSAT instances: which run that violates nothing differs in the fewest variables from one
//! that fails? For comparing solvers (`bench/optimise`).
//!
//! `nearest_instances FILE.c [--function NAME] [-D NAME]…` prints the instance. What must hold is the equation with every
//! claim and assumption; a price of 1 is on every variable before the violated claim (branches, written assignments,
//! results, joins, inputs) that has another value than in the failing run.

use std::path::Path;
use std::sync::Arc;

use nearmiss_explain::c::{self, Loader, Options};
use nearmiss_explain::equation::{ClaimRef, Equation, StepKind, VariableId};
use nearmiss_explain::program::Origin;
use nearmiss_explain::source::Sources;
use nearmiss_explain::symex::{self, Bounds, Watch};
use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::optimise::{self, Objective};
use nearmiss_logic::sat::Outcome;
use nearmiss_logic::term::Term;

struct Disk;

impl Loader for Disk {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        path.is_file()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--function" {
            options.entry = arguments.next().ok_or("a name expected after --function")?;
        } else if let Some(name) = argument.strip_prefix("-D") {
            options.define.push(name.to_owned());
        } else {
            files.push(argument);
        }
    }
    let program = c::read(&files, &options, &Disk, &mut Sources::new()).map_err(|errors| format!("{errors:?}"))?;
    let watch = Watch { stop: Arc::default(), deadline: None };
    let mut equation =
        symex::unwind(&program, &Bounds::default(), &watch).map_err(|_| "interrupted while unwinding")?;
    let (violated, failing) = failing_run(&mut equation).ok_or("no claim of the program fails at this bound")?;
    print!("{}", instance(&mut equation, violated, &failing).ok_or("the clauses were not recorded")?);
    Ok(())
}

fn blaster_of(equation: &Equation) -> Blaster {
    let mut blaster = Blaster::new();
    blaster.solver.record_clauses();
    for variable in &equation.variables {
        if let Some(definition) = variable.definition {
            blaster.define(&equation.terms, variable.symbol, definition);
        }
    }
    blaster
}

/// The step of the first claim that can be violated, and values of a run that violates it and nothing before it.
fn failing_run(equation: &mut Equation) -> Option<(usize, Assignment)> {
    let held = equation.held();
    let mut blaster = blaster_of(equation);
    for variable in equation.variables.iter().filter(|variable| variable.definition.is_none()) {
        for bit in blaster.bits(&equation.terms, variable.symbol) {
            blaster.solver.set_phase(!bit);
        }
    }
    for (index, held) in held {
        if matches!(equation.steps[index].kind, StepKind::Claim { claim: ClaimRef::Program(_), .. }) {
            let violated = equation.terms.not(held);
            let literal = blaster.literal(&equation.terms, violated);
            if blaster.solver.solve(&[literal]) == Outcome::Sat {
                return Some((index, blaster.assignment(&equation.terms)));
            }
        }
        blaster.assert(&equation.terms, held);
    }
    None
}

fn instance(equation: &mut Equation, violated: usize, failing: &Assignment) -> Option<String> {
    let mut compared: Vec<Term> = Vec::new();
    for step in &equation.steps[..violated] {
        let variable: Option<VariableId> = match step.kind {
            StepKind::Call { variable, .. } | StepKind::Content { variable, .. } => Some(variable),
            StepKind::Guard { variable, .. } | StepKind::Phi { variable, .. } => Some(variable),
            StepKind::Return { variable, .. } | StepKind::Assign { variable, origin: Origin::Written, .. } => variable,
            _ => None,
        };
        compared.extend(variable.map(|variable| equation.symbol(variable)));
    }
    let values: Vec<u128> = {
        let mut evaluator = Evaluator::new(&equation.terms, failing);
        compared.iter().map(|&symbol| evaluator.value(symbol)).collect()
    };
    let mut blaster = blaster_of(equation);
    for (_, held) in equation.held() {
        blaster.assert(&equation.terms, held);
    }
    let mut prices = Vec::new();
    for (symbol, value) in compared.into_iter().zip(values) {
        let value = equation.terms.constant(equation.terms.width(symbol), value);
        let differs = equation.terms.ne(symbol, value);
        prices.push((blaster.literal(&equation.terms, differs), 1));
    }
    optimise::to_wcnf(&blaster.solver, &[], &Objective::Weighted(prices))
}
