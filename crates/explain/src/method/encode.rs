//! Equations in the solver, for methods that ask many questions.

use nearmiss_logic::bitblast::Blaster;

use crate::equation::Equation;
use nearmiss_logic::stop::Stop;

/// An empty translation whose solver expects many questions and stops when the stop says so.
pub fn for_many_questions(stop: &Stop) -> Blaster {
    let mut blaster = Blaster::new();
    blaster.solver.expect_many_calls();
    blaster.solver.set_stop(stop.clone());
    blaster
}

/// The same for questions that are mostly easy, and whose answers matter, not which of several runs is come across.
pub fn for_easy_questions(stop: &Stop) -> Blaster {
    let mut blaster = for_many_questions(stop);
    blaster.solver.begin_plainly();
    blaster
}

/// The same for a minimum: clauses are kept for copies and for a second proof, where that is not too much.
pub fn for_a_minimum(equation: &Equation, stop: &Stop) -> Blaster {
    let mut blaster = for_easy_questions(stop);
    if !equation.is_huge() {
        blaster.solver.record_clauses();
    }
    blaster
}

/// Every variable is what its definition says: the executions of the equation, whether they fail or not.
pub fn define(blaster: &mut Blaster, equation: &Equation) {
    for variable in &equation.variables {
        if let Some(definition) = variable.definition {
            blaster.define(&equation.terms, variable.symbol, definition);
        }
    }
}
