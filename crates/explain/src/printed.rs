//! What two programs that are compared print, and how they exit: one run of both, executed while nobody compares.

use nearmiss_logic::stop::Stop;
use nearmiss_program::c::console::{GIVEN, REFERENCE_PRINTED, REFERENCE_STATUS, TEXT};
use nearmiss_program::c::trial::{COMPARING, PRINTED, PRINTED_SIZE, STATUS};
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::{GlobalId, Program};
use nearmiss_program::run::{Inputs, Outcome};

/// What a program does that others can see.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// What it prints on standard output.
    pub printed: Vec<u8>,
    /// Its exit status.
    pub status: u8,
}

/// What both do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Both {
    /// The program.
    pub new: Seen,
    /// The reference.
    pub old: Seen,
    /// What they read on standard input.
    pub input: Vec<u8>,
    /// Whether the program comes to its end; otherwise it violates a claim before, or goes on for too long.
    pub ends: bool,
    /// Whether more is printed than is kept.
    pub is_cut: bool,
}

/// What both programs do with these inputs; none where no programs are compared, or where the reference does not come to its end.
pub fn of(program: &Program, inputs: &Inputs, stop: &Stop) -> Option<Both> {
    let comparing = program.globals.iter().position(|global| global.name == COMPARING)?;
    let mut interpreter = Interpreter::new(program);
    interpreter.start_with(GlobalId(comparing as u32), 0);
    let limits = Limits { stop: stop.clone(), ..Limits::default() };
    let done = interpreter.execute(inputs, &limits, Recording::Outcome);
    let number = |name: &str| done.global(program, name).map(|value| value as u64);
    // A program that prints nothing has none of these.
    let (old, all) = (number(REFERENCE_PRINTED).unwrap_or(0), number(PRINTED_SIZE).unwrap_or(0));
    let printed = done.global_bytes(program, PRINTED, all).unwrap_or_default();
    let (first, second) = printed.split_at_checked(usize::try_from(old).ok()?)?;
    let status = |name: &str| number(name).unwrap_or(0) as u8;
    let room = program.globals.iter().find(|global| global.name == PRINTED).map_or(0, |global| global.size);
    let size = |name: &str| program.globals.iter().find(|global| global.name == name).map(|global| global.size);
    let text = |name: &str| done.global_bytes(program, name, size(name)?.saturating_sub(1));
    let any = || text(TEXT).map(|all| all.into_iter().take_while(|character| *character != 0).collect());
    Some(Both {
        input: text(GIVEN).or_else(any).unwrap_or_default(),
        new: Seen { printed: second.to_vec(), status: status(STATUS) },
        old: Seen { printed: first.to_vec(), status: status(REFERENCE_STATUS) },
        ends: done.run.outcome == Outcome::Finished,
        is_cut: all > 0 && all == room,
    })
}
