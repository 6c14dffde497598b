//! The question of a check as a text for other solvers, or for people: at the bound to start with, unsolved.

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::term::Term;

use crate::check::question::Question;
use crate::check::{self, CheckError, CheckOptions};
use crate::equation::ClaimRef;
use crate::method::minimise;
use crate::symex;
use nearmiss_program::program::Program;
use nearmiss_program::source::Severity;

/// What `--dump` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dump {
    /// The equation as text.
    Equation,
    /// The question to the solver in DIMACS.
    Cnf,
    /// The question to the solver in SMT-LIB 2.
    Smt2,
    /// The search for the smallest values as a MaxSAT instance.
    Wcnf,
}

/// The equation at the bound of the options in one of its text forms.
pub fn dump(program: &Program, options: &CheckOptions, what: Dump) -> Result<String, CheckError> {
    let narrowed = check::narrow(program, &options.properties)?;
    let program = narrowed.as_ref().unwrap_or(program);
    let stop = options.stop.clone();
    let unwound = symex::unwind(program, &options.initial_bounds(), &stop);
    let Ok(mut equation) = unwound else {
        return Err(CheckError::Input(vec![check::note("interrupted while unwinding").at(Severity::Error)]));
    };
    if what == Dump::Equation {
        return Ok(equation.to_text(program));
    }
    let mut question = Question::new(program, &mut equation, &stop);
    Ok(match what {
        Dump::Cnf => dimacs(&mut question),
        Dump::Equation | Dump::Smt2 => smt2(&mut question),
        Dump::Wcnf => {
            let shown = question.ask(&options.properties).shown.map(|shown| ClaimRef::Program(shown.claim));
            let violated = question.first.iter().find(|(claim, _)| Some(*claim) == shown).map(|(_, way)| *way);
            let instance = violated.and_then(|violated| minimise::wcnf(program, &mut equation, violated, &stop));
            instance.ok_or_else(|| {
                CheckError::Input(vec![
                    check::note("no claim fails at this bound, so there is nothing to minimise").at(Severity::Error),
                ])
            })?
        }
    })
}

/// One bit: some claim of the program is violated.
fn any_violation(question: &mut Question<'_>) -> Term {
    let ways: Vec<Term> =
        question.first.iter().filter(|(c, _)| matches!(c, ClaimRef::Program(_))).map(|(_, way)| *way).collect();
    question.equation.terms.or_all(&ways)
}

fn dimacs(question: &mut Question<'_>) -> String {
    let any = any_violation(question);
    let mut recording = Blaster::new();
    recording.solver.record_clauses();
    for variable in &question.equation.variables {
        if let Some(definition) = variable.definition {
            recording.define(&question.equation.terms, variable.symbol, definition);
        }
    }
    let literal = recording.literal(&question.equation.terms, any);
    recording.solver.to_dimacs(&[literal]).unwrap_or_default()
}

fn smt2(question: &mut Question<'_>) -> String {
    let any = any_violation(question);
    let mut assertions = Vec::new();
    for variable in &question.equation.variables {
        if let Some(definition) = variable.definition {
            assertions.push(question.equation.terms.eq(variable.symbol, definition));
        }
    }
    assertions.push(any);
    nearmiss_logic::text::smt2(&question.equation.terms, &assertions)
}
