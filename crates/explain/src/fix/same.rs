//! Fixes that do the same are told once.
//!
//! Two edits of the same value or condition are the same fix if it is the same with either, wherever a run of the program with one of them
//! comes to it. So that program is read with a claim in the place of the expression, that both texts have the same value there; if the claim
//! holds for every execution that the fix was proved for, the other edit becomes another way to write it.

use nearmiss_program::c::edit::{Edit, TextEdit};

use super::differs::{self, Whole};
use super::{FixOptions, Mended};
use crate::check::{self, CheckOptions};
use crate::explanation::{Fix, Minimised, Verdict, Verified};
use crate::reading::Program;

/// So much is spent on two of them.
const MOST_STEPS: usize = 4_000;
const MOST_CONFLICTS: u64 = 1_000;

/// Whether a fix does what a known one does.
pub(super) fn does_the_same(
    program: &Program,
    (known, of_known): (&Fix, &Mended),
    (fix, mended): (&Fix, &Mended),
    options: &FixOptions,
) -> bool {
    match (&of_known.only, &mended.only) {
        (Some(one), Some(two)) => known.leaves == fix.leaves && is_same(program, (one, two), known, options),
        _ => false,
    }
}

/// Whether two edits of one place always have the same value there, in the program with the first.
fn is_same(program: &Program, (one, two): (&Edit, &Edit), fix: &Fix, options: &FixOptions) -> bool {
    let (Some(own), Some(other)) = (Whole::of(program, one), Whole::of(program, two)) else { return false };
    if own.span != other.span || options.check.stop.requested() {
        return false;
    }
    let same = own.compared(&own.new, &other.new);
    let asked = TextEdit { span: own.span, new: differs::asked(&same, &own.new) };
    let Some((read, claim)) = differs::with_claim(program, asked) else { return false };
    let check = CheckOptions {
        properties: vec![claim],
        explained: false,
        minimise: Minimised::None,
        most_steps: Some(MOST_STEPS),
        stop: options.check.stop.within(MOST_CONFLICTS),
        ..options.check.clone()
    };
    let answer = check::check(&read.program, &check, &mut |_| {});
    // A claim that nothing comes to says nothing.
    let holds = |answer: &crate::explanation::Explanation| {
        answer.verdict == Verdict::Holds
            && answer.vacuous.is_empty()
            && (answer.complete || fix.verified == Verified::Bound)
    };
    answer.is_ok_and(|answer| holds(&answer))
}
