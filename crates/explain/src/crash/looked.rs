//! What of the program looks at a byte: statements of the user's that read it, and conditions that depend on what was made of it.
//!
//! One run is followed, and with every event goes the set of bytes that it depends on by what it reads (not by what decides that it
//! happens).

use std::collections::{BTreeMap, BTreeSet};

use nearmiss_logic::stop::Stop;
use nearmiss_program::c::crash::place;
use nearmiss_program::interp::trace::TraceKind;
use nearmiss_program::interp::{Interpreter, Limits};
use nearmiss_program::program::{Author, Program};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::Span;

use super::relevant::input_at;

/// Runs of more steps are not followed.
const MOST_FOLLOWED: u64 = 2_000_000;

/// A place that looks at a byte.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// As a condition: how it came out, each way once, in order.
    pub truths: Vec<bool>,
    /// Whether it is a claim.
    pub is_claim: bool,
    /// Where in the run it is the first time.
    pub first: usize,
}

/// For each of these bytes the places that look at it.
pub type Looks = BTreeMap<usize, Vec<(Span, Look)>>;

/// Who looks at these bytes in the run of a program that is fed some bytes by their names; none if it takes too long.
pub fn looks(program: &Program, inputs: &Inputs, at: &BTreeSet<usize>, stop: &Stop) -> Option<Looks> {
    let limits = Limits { steps: MOST_FOLLOWED, stop: stop.clone(), ..Limits::default() };
    let (outcome, trace) = Interpreter::new(program).follow(inputs, &limits);
    if outcome == nearmiss_program::run::Outcome::Exhausted {
        return None;
    }
    let mut depends: Vec<BTreeSet<usize>> = Vec::with_capacity(trace.events.len());
    let mut found: BTreeMap<(usize, Span), Look> = BTreeMap::new();
    for (number, event) in trace.events.iter().enumerate() {
        let byte = input_at(program, event.location).and_then(|site| place(&program.sites[site.index()].name));
        let mut on: BTreeSet<usize> = byte.filter(|byte| at.contains(byte)).into_iter().collect();
        for read in &event.reads {
            on.extend(&depends[*read as usize]);
        }
        let is_users = program.function(event.location.function).author == Author::User;
        let (truth, is_claim) = match &event.kind {
            TraceKind::Branch(taken, _) => (Some(*taken), false),
            TraceKind::Claim(..) if number + 1 == trace.events.len() => (None, true),
            _ => (None, false),
        };
        // The violated claim may be one of a model, which belongs to the call.
        if is_users && truth.is_some() || is_claim {
            for byte in &on {
                let first = Look { truths: Vec::new(), is_claim, first: number };
                let look = found.entry((*byte, event.span)).or_insert(first);
                look.truths.extend(truth.filter(|truth| !look.truths.contains(truth)));
                look.is_claim |= is_claim;
            }
        }
        depends.push(on);
    }
    let mut looks = Looks::new();
    for ((byte, span), look) in found {
        looks.entry(byte).or_default().push((span, look));
    }
    looks.values_mut().for_each(|looks| looks.sort_by_key(|(_, look)| look.first));
    Some(looks)
}
