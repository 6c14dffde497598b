//! Crash files: what a program does with some bytes, which of them matter, and how few of them still crash it.
//!
//! Nothing is searched here by a solver: everything is executed. A [`Runner`] has a program that is fed wholly
//! ([`Feed::Whole`](nearmiss_program::c::crash::Feed)), and says of any bytes which claim they violate. A file per question:
//! [`smaller`] (delta debugging), [`executed`] (a passing input beside a large file), [`relevant`] (which bytes a failure depends on), [`resized`] (inputs of other lengths that pass), and
//! [`looked`] (what of the program looks at a byte).

pub mod executed;
pub mod looked;
pub mod relevant;
pub mod resized;
pub mod smaller;

use std::cell::Cell;

use nearmiss_logic::stop::Stop;
use nearmiss_program::c::crash::{Crash, FEEDER, Feed};
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::{Author, ClaimId, Function, FunctionId, Program, SiteId, StatementKind};
use nearmiss_program::run::{Content, Inputs, Outcome};
use nearmiss_program::source::Span;

/// A run that takes more steps does not end.
pub const MOST_STEPS: u64 = 100_000_000;

/// What a program does with some bytes.
#[derive(Clone, PartialEq, Debug)]
pub enum Did {
    /// It comes to its end.
    Passes,
    /// It violates a claim.
    Violates(ClaimId),
    /// Something that is assumed does not hold.
    Excluded,
    /// It does not come to its end within the limits.
    TooLong,
    /// It does what cannot be executed, there.
    Unsupported(String, Option<(Span, FunctionId)>),
}

/// A program that is fed bytes.
pub struct Runner<'p> {
    interpreter: Interpreter<'p>,
    site: Option<SiteId>,
    stop: Stop,
    /// Executed statements so far: what all this costs.
    steps: Cell<u64>,
}

impl<'p> Runner<'p> {
    /// A runner of a program that is fed wholly.
    pub fn new(program: &'p Program, stop: &Stop) -> Runner<'p> {
        let is_feeder = |function: &&Function| function.author == Author::Library && function.name == FEEDER;
        let feeder = program.functions.iter().filter(is_feeder).flat_map(|function| &function.blocks);
        let site = feeder.flat_map(|block| &block.statements).find_map(|statement| match statement.kind {
            StatementKind::Allocate { site, .. } => Some(site),
            _ => None,
        });
        Runner { interpreter: Interpreter::new(program), site, stop: stop.clone(), steps: Cell::new(0) }
    }

    /// What the program does with these bytes.
    pub fn run(&self, bytes: &[u8]) -> Did {
        self.executed(bytes, None).0
    }

    /// The same, and whether it comes to a claim.
    pub fn run_to(&self, bytes: &[u8], claim: ClaimId) -> (Did, bool) {
        self.executed(bytes, Some(claim))
    }

    fn executed(&self, bytes: &[u8], claim: Option<ClaimId>) -> (Did, bool) {
        let limits = Limits { steps: MOST_STEPS, stop: self.stop.clone(), ..Limits::default() };
        let execution = self.interpreter.execute(&self.inputs(bytes), &limits, Recording::Outcome);
        self.steps.set(self.steps.get() + execution.steps);
        let comes = claim.is_some_and(|claim| execution.come.get(claim.index()) == Some(&true));
        let did = match execution.run.outcome {
            Outcome::Finished => Did::Passes,
            Outcome::Violated(claim) => Did::Violates(claim),
            Outcome::Excluded => Did::Excluded,
            Outcome::Exhausted => Did::TooLong,
            Outcome::Unsupported(what) => Did::Unsupported(what, execution.ended_at),
        };
        (did, comes)
    }

    /// How many statements were executed so far.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Whether there is no time left.
    pub fn is_late(&self) -> bool {
        self.stop.requested()
    }

    fn inputs(&self, bytes: &[u8]) -> Inputs {
        let mut inputs = Inputs { calls: vec![bytes.len() as u128], ..Inputs::default() };
        let pieces = bytes.chunks(8).enumerate().map(|(at, piece)| Content {
            bit_offset: at as u64 * 64,
            bits: piece.len() as u32 * 8,
            value: piece.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte)),
        });
        if let Some(site) = self.site {
            inputs.contents.insert((site, 0), pieces.collect());
        }
        inputs
    }
}

/// Whether the size is an input.
fn is_sized(crash: &Crash) -> bool {
    !matches!(crash.feed, Feed::Chosen(_))
}

/// Is the byte at this place an input, in a file of this size?
fn is_free(crash: &Crash, at: usize) -> bool {
    match &crash.feed {
        Feed::Whole { .. } => false,
        Feed::EachByte { .. } => true,
        Feed::Chosen(free) => free.binary_search(&at).is_ok(),
        Feed::Sized { free, .. } => at >= crash.bytes.len() || free.binary_search(&at).is_ok(),
    }
}

/// What to feed to a program that is fed a crash file byte by byte, so that it gets these bytes. Those that are not free are those of
/// its file.
pub fn inputs_of(crash: &Crash, bytes: &[u8]) -> Inputs {
    let size = is_sized(crash).then_some(bytes.len() as u128);
    let free = bytes.iter().enumerate().filter(|(at, _)| is_free(crash, *at)).map(|(_, byte)| u128::from(*byte));
    Inputs { calls: size.into_iter().chain(free).collect(), ..Inputs::default() }
}

/// The bytes that a program that is fed so gets.
pub fn bytes_of(crash: &Crash, inputs: &Inputs) -> Vec<u8> {
    let mut calls = inputs.calls.iter().copied();
    let size = if is_sized(crash) { calls.next().unwrap_or(0) as usize } else { crash.bytes.len() };
    let byte = |at: usize| match is_free(crash, at) {
        true => calls.next().unwrap_or(0) as u8,
        false => crash.bytes[at],
    };
    (0..size).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::{Crash, Feed, bytes_of, inputs_of};
    use nearmiss_program::c::crash::Way;

    #[test]
    fn bytes_come_back_from_inputs() {
        let crash = |feed| Crash { bytes: b"abcd".as_slice().into(), arguments: Vec::new(), way: Way::Plain, feed };
        let chosen = crash(Feed::Chosen(vec![1, 3]));
        assert_eq!(inputs_of(&chosen, b"aXcY").calls, [u128::from(b'X'), u128::from(b'Y')]);
        let sized = crash(Feed::Sized { least: 2, most: 6, free: vec![0] });
        for (crash, bytes) in [(&chosen, &b"aXcY"[..]), (&sized, b"Xb"), (&sized, b"Xbcdef")] {
            assert_eq!(bytes_of(crash, &inputs_of(crash, bytes)), bytes);
        }
    }
}
