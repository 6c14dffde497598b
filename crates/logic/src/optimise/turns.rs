//! The methods take turns: cores, then a method from above, each round with twice the conflicts of the one before.
//!
//! The methods keep their own state between turns, and share the bounds in [`Search`].

use super::Plan;
use super::bits::Bits;
use super::cores::Cores;
use super::linear::Linear;
use super::search::{Search, Turn};

/// Conflicts allowed to the cores before the other method has its turn; each round gets twice the one before.
const FIRST_ALLOWANCE: u64 = 500;
/// The same in a plain copy, where both methods share what they learn, so that changing costs nothing.
const FIRST_ALLOWANCE_PLAIN: u64 = 25;
/// The turns of the other are so many times longer: where cores do not end soon, they are rarely the way.
const SHARE_FROM_ABOVE: u64 = 4;
/// A plain copy does without as many variables as it can once the search has cost so many conflicts, if it may cost as many again.
const ELIMINATE_AFTER: u64 = 1_500;

/// Whose turn it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Method {
    Cores,
    Linear,
    Bits,
}

/// Close the gap between the bounds by this plan, or as far as the limits allow.
pub(super) fn run(search: &mut Search, plan: Plan) {
    if !search.has_model() {
        return;
    }
    // Cores alone are for tests: on small problems too they shall see all that cores do.
    search.free_probes = plan == Plan::Cores;
    let mut cores = Cores::new(search);
    let mut linear = Linear::default();
    let mut bits = Bits::default();
    let plain = search.solver.is_plain();
    // The sum is bounded in a copy; where there is none, its bits do the same.
    let from_above = if search.solver.is_recorded() || plain { Method::Linear } else { Method::Bits };
    let mut method = match plan {
        Plan::Auto | Plan::Cores => Method::Cores,
        Plan::Bits => Method::Bits,
        Plan::Linear => from_above,
    };
    let mut allowance = if plain { FIRST_ALLOWANCE_PLAIN } else { FIRST_ALLOWANCE };
    let given = search.solver.stats().variables;
    let mut eliminated = false;
    while !search.closed() && !search.out_of_time() {
        let is_long = search.solver.stats().conflicts >= ELIMINATE_AFTER;
        if plain && !eliminated && is_long && search.left().is_none_or(|left| left >= ELIMINATE_AFTER) {
            eliminated = true;
            search.eliminate(given);
        }
        let share = if method == Method::Cores { allowance } else { allowance.saturating_mul(SHARE_FROM_ABOVE) };
        search.allowance = (plan == Plan::Auto).then_some(share);
        let turn = match method {
            Method::Cores => cores.run(search),
            Method::Linear => linear.run(search),
            Method::Bits => bits.run(search),
        };
        debug_assert!(turn == Turn::Over || search.closed(), "a method that ends has closed the bounds");
        if plan == Plan::Auto {
            if method == Method::Cores {
                method = from_above;
            } else {
                method = Method::Cores;
                allowance = allowance.saturating_mul(2);
            }
        }
    }
    search.allowance = None;
    cores.retire(search);
    bits.retire(search);
}
