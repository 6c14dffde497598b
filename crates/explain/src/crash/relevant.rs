//! Which bytes of a crash file its failure depends on, those first that it depends on most directly.
//!
//! The failing run is followed by the interpreter's dynamic slicer; from the violated claim one goes back, event by event, to the
//! bytes that were read (Korel and Laski, "Dynamic program slicing", 1988). Where the run is too long for that, bytes are found by
//! executions: those that cannot be replaced by others without the failure being gone.

use std::collections::{HashMap, HashSet, VecDeque};

use nearmiss_logic::stop::Stop;
use nearmiss_program::c::crash::EACH;
use nearmiss_program::interp::trace::Trace;
use nearmiss_program::interp::{Interpreter, Limits};
use nearmiss_program::location::Location;
use nearmiss_program::program::{Author, ClaimId, FunctionId, Program, SiteId, StatementKind};
use nearmiss_program::run::{Inputs, Outcome};
use nearmiss_program::source::Span;

use super::{Did, Runner};

/// Runs of more steps are not followed.
const MOST_FOLLOWED: u64 = 2_000_000;
/// So many candidates are executed where that is so, and so many statements.
const MOST_RUNS: u64 = 4_000;
const MOST_STEPS: u64 = 600_000_000;

/// The places of the bytes on which the claim depends in the run of a program that is fed byte by byte; none if it takes too long.
pub fn sliced(program: &Program, inputs: &Inputs, claim: ClaimId, stop: &Stop) -> Option<Relevant> {
    let limits = Limits { steps: MOST_FOLLOWED, stop: stop.clone(), ..Limits::default() };
    let (outcome, trace) = Interpreter::new(program).follow(inputs, &limits);
    if outcome != Outcome::Violated(claim) {
        return None;
    }
    let mut place = 0;
    let mut bytes_at: HashMap<u32, usize> = HashMap::new();
    for (number, event) in trace.events.iter().enumerate() {
        if input_at(program, event.location).is_some_and(|site| program.sites[site.index()].name == EACH) {
            bytes_at.insert(number as u32, place);
            place += 1;
        }
    }
    Some(nearest_first(program, &trace, &bytes_at))
}

/// What a failure depends on, the nearest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Relevant {
    /// The places of bytes.
    pub bytes: Vec<usize>,
    /// Statements of the user's.
    pub statements: Vec<(Span, FunctionId)>,
}

/// The input that a statement takes.
pub(super) fn input_at(program: &Program, at: Location) -> Option<SiteId> {
    let block = program.function(at.function).blocks.get(at.block.index())?;
    match block.statements.get(at.index as usize)?.kind {
        StatementKind::Input { site, .. } => Some(site),
        _ => None,
    }
}

/// Bytes by how many events lie between them and the last one.
fn nearest_first(program: &Program, trace: &Trace, bytes_at: &HashMap<u32, usize>) -> Relevant {
    let last = trace.events.len() as u32 - 1;
    let mut seen = vec![false; trace.events.len()];
    let mut open = VecDeque::from([last]);
    let mut found = Relevant::default();
    let mut known: HashSet<Span> = HashSet::new();
    seen[last as usize] = true;
    while let Some(number) = open.pop_front() {
        if let Some(place) = bytes_at.get(&number) {
            found.bytes.push(*place);
            continue;
        }
        let event = &trace.events[number as usize];
        let function = event.location.function;
        if program.function(function).author == Author::User && known.insert(event.span) {
            found.statements.push((event.span, function));
        }
        for before in event.reads.iter().copied().chain([event.control]) {
            if before != 0 && !std::mem::replace(&mut seen[before as usize], true) {
                open.push_back(before);
            }
        }
    }
    found
}

/// The places of bytes that cannot be replaced by their complements, one after the other, without another outcome; those last in the
/// file come first. None if that takes too long.
pub fn irreplaceable(runner: &Runner, bytes: &[u8], claim: ClaimId) -> Option<Vec<usize>> {
    let mut bytes = bytes.to_vec();
    let (mut open, mut found) = (vec![(0, bytes.len())], Vec::new());
    let (mut tried, from) = (0, runner.steps());
    while let Some((start, end)) = open.pop().filter(|(start, end)| start < end) {
        if tried >= MOST_RUNS || runner.steps() - from > MOST_STEPS || runner.is_late() {
            return None;
        }
        tried += 1;
        let flip = |bytes: &mut Vec<u8>| bytes[start..end].iter_mut().for_each(|byte| *byte = !*byte);
        flip(&mut bytes);
        if runner.run(&bytes) == Did::Violates(claim) {
            continue;
        }
        flip(&mut bytes);
        match end - start {
            1 => found.push(start),
            size => open.extend([(start, start + size / 2), (start + size / 2, end)]),
        }
    }
    Some(found)
}
