//! Passing runs of programs that never end.
//!
//! Where nothing leads out of a loop, as in `while (1)`, no run comes to its end. One passes a claim if it violates none and
//! comes back to a state that it was in, so that it goes on for ever like that, or if it violates none up to the bound
//! that the user gave. The machinery of temporal formulas finds such runs and replays them (`symex/formula.rs`): all that
//! it takes is a program in which runs may close.

use std::borrow::Cow;

use crate::check::CheckOptions;
use crate::explanation::Counterexample;
use nearmiss_program::c::formula;
use nearmiss_program::loops;
use nearmiss_program::program::temporal::Judged;
use nearmiss_program::program::{Author, FunctionId, Program};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{Diagnostic, Severity};

/// The program whose runs are compared: if it never ends, its runs may close. Those of a model of hardware end after as many cycles
/// as the failing one, or repeat themselves if that one does.
pub(super) fn comparable<'p>(program: &'p Program, failing: &Inputs) -> Cow<'p, Program> {
    if let Some(hardware) = &program.hardware {
        if failing.closing.is_some_and(|closing| !closing.is_horizon()) {
            return Cow::Owned(program.clone().judging(Judged::Repeating));
        }
        let cycles = hardware.cycles(program, failing);
        return Cow::Owned(hardware.ending(program, cycles as u64));
    }
    let as_it_is = Cow::Borrowed(program);
    if program.temporal.is_some() || !has_endless_loop(program) {
        return as_it_is;
    }
    let mut closing = program.clone();
    match formula::let_runs_close(&mut closing) {
        Ok(()) => Cow::Owned(closing),
        Err(_) => as_it_is,
    }
}

/// The failing run in that program: one that is only looked at up to some cycle ends there by itself.
pub(super) fn compared<'c>(program: &Program, failing: &'c Counterexample) -> Cow<'c, Counterexample> {
    match failing.inputs.closing {
        Some(closing) if closing.is_horizon() && program.hardware.is_some() => {
            let inputs = Inputs { closing: None, ..failing.inputs.clone() };
            Cow::Owned(Counterexample { inputs, ..failing.clone() })
        }
        _ => Cow::Borrowed(failing),
    }
}

/// Does nothing lead out of some loop of the user's?
fn has_endless_loop(program: &Program) -> bool {
    let of_user = (0..program.functions.len()).map(|id| FunctionId(id as u32));
    let mut of_user = of_user.filter(|id| program.function(*id).author == Author::User);
    of_user.any(|id| loops::analyse(program, id).endless() > 0)
}

/// What to do where no run of such a program passes; nothing if that was done.
pub(super) fn note(options: &CheckOptions) -> Option<Diagnostic> {
    let message =
        "the program never ends, and no run was found that comes back to a state that it was in without failing";
    let help = "with --unwind N, a run passes that violates nothing for N rounds";
    let note =
        Diagnostic { severity: Severity::Note, message: message.to_owned(), span: None, help: Some(help.to_owned()) };
    options.unwind.is_none().then_some(note)
}
