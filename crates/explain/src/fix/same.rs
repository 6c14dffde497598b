//! Fixes that do the same are told once.
//!
//! Two edits of the same value or condition are the same fix if it is the same with either, wherever a run of the program with one of them
//! comes to it. So that program is read with a claim in the place of the expression, that both texts have the same value there; if the claim
//! holds for every execution that the fix was proved for, and so does what C asks of both texts, the other edit becomes another way to write
//! it: step by step its executions are the same, so that it needs no proof of its own.

use nearmiss_program::c::edit::{Edit, TextEdit};

use super::differs::{self, Whole};
use super::{FixOptions, Mended};
use crate::check::{self, CheckOptions};
use crate::explanation::{Fix, Minimised, Verdict, Verified};
use crate::reading::Program;

/// So much is spent on two of them.
const MOST_STEPS: usize = 4_000;
const MOST_CONFLICTS: u64 = 1_000;

/// Whether an edit makes the program do what a known fix does.
pub(super) fn does_the_same(
    program: &Program,
    (fix, mended): (&Fix, &Mended),
    other: &Edit,
    options: &FixOptions,
) -> bool {
    let Some(one) = &mended.only else { return false };
    let (Some(own), Some(other)) = (Whole::of(program, one), Whole::of(program, other)) else { return false };
    if own.span != other.span || options.check.stop.requested() {
        return false;
    }
    let same = own.compared(&own.new, &other.new);
    let asked = TextEdit { span: own.span, new: differs::asked(&same, &own.new) };
    let Some((read, claim)) = differs::with_claim(program, asked) else { return false };
    let place = read.program.claims[claim].span;
    let id = read.program.claims[claim].id.clone();
    let within = read.program.claims.iter().filter(|claim| place.contains(claim.span));
    let check = CheckOptions {
        properties: within.map(|claim| claim.id.clone()).collect(),
        explained: false,
        one_failure: true,
        minimise: Minimised::None,
        most_steps: Some(MOST_STEPS),
        stop: options.check.stop.within(MOST_CONFLICTS),
        ..options.check.clone()
    };
    let answer = check::check(&read.program, &check, &mut |_| {});
    // A claim that nothing comes to says nothing.
    let holds = |answer: &crate::explanation::Explanation| {
        answer.verdict == Verdict::Holds
            && answer.vacuous.iter().all(|vacuous| answer.claims[*vacuous].id != id)
            // The same bound is only that which was given.
            && (answer.complete || fix.verified == Verified::Bound && options.check.unwind.is_some())
    };
    answer.is_ok_and(|answer| holds(&answer))
}
