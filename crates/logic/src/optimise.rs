//! The cheapest model: an [`Objective`] over literals goes in, an [`Optimum`] with proved bounds comes out.
//!
//! Both kinds of objective are the same to the search: a constant and a list of literals with a price each
//! (`optimise/prices.rs`).
//! Three methods close the gap between the best model so far (the upper bound) and what is proved (the lower bound):
//!
//! - `optimise/cores.rs`, from below: assume that nothing is paid, and let each unsatisfiable core raise the lower
//!   bound (OLL: Andres, Kaufmann, Matheis, Schaub, *Unsatisfiability-based optimization in clasp*, ICLP 2012;
//!   Morgado, Dodaro, Marques-Silva, *Core-guided MaxSAT with soft cardinality constraints*, CP 2014), heavy prices
//!   first (stratification: Ansótegui, Bonet, Gabàs, Levy, *Improving SAT-based weighted MaxSAT solvers*, CP 2012).
//!   Strong for counts and for arbitrary weights.
//! - `optimise/linear.rs`, from above: one model after the other, each cheaper, with a bound on the sum that the solver
//!   propagates itself. Strong for sums of numbers that are tied together by arithmetic.
//! - `optimise/bits.rs`, from above: add all prices into one binary number and decide its bits from the top, one
//!   question each. Takes the place of the second where the solver keeps no record and cannot be copied.
//!
//! Cores begin; when their allowance of conflicts is used up a method from above goes on from the bounds reached so far, and
//! so in turn, with twice the allowance each round (`optimise/turns.rs`). All of this is done first in a plain copy of the solver
//! ([`Solver::plain_copy`]), where a clause costs little to store and both methods share what they learn; most problems end there. Where
//! the search becomes long, or there is no record to copy, the solver itself goes on. Nothing is decided by
//! the clock, so the same problem gives the same answer; a deadline or a raised flag only ends the search early, with the
//! best model and the bounds as they are.
//!
//! The solver stays usable: what is added only defines new variables, follows from the clauses, or is switched off by
//! a selector afterwards; none of it enters the solver's record. `optimise/all.rs` lists every optimal model up to a
//! projection, `optimise/reprove.rs` proves an optimum again with a fresh solver and encodings of its own,
//! `optimise/wcnf.rs` reads and prints problems.
//!
//! Cost: a call adds clauses linear in the number of prices times the bits of their sum (or in the sizes of the cores);
//! the questions are NP-hard.

mod adder;
mod all;
mod bits;
mod cores;
mod linear;
mod prices;
mod reprove;
mod search;
mod totalizer;
mod turns;
mod wcnf;

pub use all::{AllOptima, all_optima};
pub use reprove::{Claimed, Proof, proves_lower_bound};
pub use totalizer::Totalizer;
pub use wcnf::{Hints, Wcnf, WcnfError, to_wcnf};

use crate::sat::{Lit, Model, Outcome, Solver};
use crate::stop::Stop;
use prices::Prices;
use search::{Begin, Search};

/// What to minimise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Objective {
    /// The total weight of the literals that are true: each is a price to pay. Weights up to 2^62; a literal may occur
    /// more than once, and together with its negation.
    Weighted(Vec<(Lit, u64)>),
    /// The sum of unsigned numbers, each given by its bits, least significant first.
    Sum(Vec<Vec<Lit>>),
}

impl Objective {
    /// What a model costs.
    pub fn cost(&self, value: impl Fn(Lit) -> bool) -> u128 {
        match self {
            Objective::Weighted(prices) => {
                prices.iter().filter(|&&(lit, _)| value(lit)).map(|&(_, weight)| u128::from(weight)).sum()
            }
            Objective::Sum(numbers) => {
                let number = |bits: &Vec<Lit>| bits.iter().rev().fold(0, |n, &bit| n << 1 | u128::from(value(bit)));
                numbers.iter().map(number).fold(0, u128::saturating_add)
            }
        }
    }

    /// Every price in the order given, nothing merged. None if a cost could exceed 128 bits.
    fn prices(&self) -> Option<Vec<(Lit, u128)>> {
        let mut prices = Vec::new();
        match self {
            Objective::Weighted(given) => prices.extend(given.iter().map(|&(lit, weight)| (lit, u128::from(weight)))),
            Objective::Sum(numbers) => {
                for bits in numbers {
                    for (i, &bit) in bits.iter().enumerate().filter(|&(_, &bit)| bit != Lit::FALSE) {
                        prices.push((bit, 1u128.checked_shl(u32::try_from(i).ok()?)?));
                    }
                }
            }
        }
        prices.iter().try_fold(0u128, |total, &(_, weight)| total.checked_add(weight))?;
        Some(prices)
    }

    /// Can every cost be written in 128 bits? Where not, [`minimise`] panics.
    pub fn fits(&self) -> bool {
        self.prices().is_some()
    }
}

/// When to give up. Whatever the caller set on the solver itself holds as well, except that a flag or a deadline given
/// here replaces the solver's for the time of the call.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// Conflicts allowed in all.
    pub conflicts: Option<u64>,
    /// Conflicts allowed to each objective behind the first, where there are several in order.
    pub each_later: Option<u64>,
    /// Stop for these reasons, too.
    pub stop: Stop,
}

/// The cheapest model found, and what is proved about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Optimum {
    /// No model is cheaper than this.
    pub lower: u128,
    /// The cost of the model; `u128::MAX` without one.
    pub upper: u128,
    /// The cheapest model found.
    pub model: Option<Model>,
    /// Is the model the cheapest there is?
    pub proved: bool,
    /// `Sat` if the minimum is proved, `Unsat` if there is no model at all, `Interrupted` if the search ended early.
    pub outcome: Outcome,
}

/// Which methods to use. [`minimise`] uses several; naming one is for tests and measurements.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Cores and a method from above in turn.
    Auto,
    /// Cores only.
    Cores,
    /// Bits from the top only.
    Bits,
    /// Ever smaller sums only, or bits where there is no record.
    Linear,
}

/// The cheapest model of the solver's clauses in which all assumptions hold.
///
/// `warm` is a model known already. It is checked by the solver, not believed; if it is one, the search begins below
/// its cost, and if not, with the values it prefers. `progress` hears of every improvement of a bound.
///
/// # Panics
/// If the objective does not fit 128 bits; see [`Objective::fits`].
///
/// ```
/// use nearmiss_logic::optimise::{Limits, Objective, minimise};
/// use nearmiss_logic::sat::Solver;
/// let mut solver = Solver::new();
/// let (a, b, c) = (solver.new_var(), solver.new_var(), solver.new_var());
/// solver.add_clause(&[a, b]);
/// solver.add_clause(&[!b, c]);
/// let objective = Objective::Weighted(vec![(a, 5), (b, 2), (c, 2)]);
/// let optimum = minimise(&mut solver, &[], &objective, None, &Limits::default(), &mut |_, _| {});
/// assert!(optimum.proved && optimum.upper == 4);
/// assert!(optimum.model.is_some_and(|model| model.value(b)));
/// ```
pub fn minimise(
    solver: &mut Solver,
    assumptions: &[Lit],
    objective: &Objective,
    warm: Option<&dyn Fn(Lit) -> bool>,
    limits: &Limits,
    progress: &mut dyn FnMut(u128, u128),
) -> Optimum {
    minimise_by(Plan::Auto, solver, assumptions, objective, warm, limits, progress)
}

/// [`minimise`] by a plan of the caller's.
pub fn minimise_by(
    plan: Plan,
    solver: &mut Solver,
    assumptions: &[Lit],
    objective: &Objective,
    warm: Option<&dyn Fn(Lit) -> bool>,
    limits: &Limits,
    progress: &mut dyn FnMut(u128, u128),
) -> Optimum {
    let begin = warm.map_or(Begin::Anywhere, Begin::At);
    minimise_from(begin, plan, solver, assumptions, objective, limits, progress).0
}

/// Conflicts allowed to the plain copy: beyond, what CaDiCaL does between conflicts is worth its price.
const PLAIN_CONFLICTS: u64 = 20_000;

/// A plain copy goes first; where its search becomes long the solver itself goes on from the bounds and the model reached. The
/// second result is what the limits leave of the conflicts.
fn minimise_from(
    mut begin: Begin,
    plan: Plan,
    solver: &mut Solver,
    assumptions: &[Lit],
    objective: &Objective,
    limits: &Limits,
    progress: &mut dyn FnMut(u128, u128),
) -> (Optimum, Option<u64>) {
    let mut lower = 0;
    let mut limits = limits.clone();
    if plan == Plan::Auto
        && let Some(mut copy) = solver.plain_copy()
    {
        let prices = Prices::of(objective).in_models_of(&mut copy);
        let allowed = limits.conflicts.map_or(PLAIN_CONFLICTS, |limit| limit.min(PLAIN_CONFLICTS));
        let short = Limits { conflicts: Some(allowed), ..limits.clone() };
        let mut search = Search::new(&mut copy, assumptions, &prices, &short, progress);
        search.begin(begin);
        turns::run(&mut search, Plan::Auto);
        let used = allowed - search.left().unwrap_or(0);
        let mut optimum = search.finish();
        optimum.model = optimum.model.map(|model| model.of_first(solver.stats().variables));
        limits.conflicts = limits.conflicts.map(|limit| limit - used);
        begin = Begin::Anywhere;
        match optimum.outcome {
            // A model can be looked at and its minimum proved again. That there is none, the solver itself has to say.
            Outcome::Unsat => {}
            Outcome::Interrupted if used == allowed && limits.conflicts != Some(0) => {
                solver.learn_facts(&copy);
                lower = optimum.lower;
                begin = optimum.model.map_or(Begin::Anywhere, Begin::With);
            }
            Outcome::Sat | Outcome::Interrupted => return (optimum, limits.conflicts),
        }
    }
    let prices = Prices::of(objective).in_models_of(solver);
    solver.without_record(|solver| {
        let mut search = Search::new(solver, assumptions, &prices, &limits, progress);
        search.begin(begin);
        search.raise_lower(lower);
        turns::run(&mut search, plan);
        let left = search.left();
        (search.finish(), left)
    })
}

/// What [`minimise_in_order`] found.
#[derive(Clone, Debug)]
pub struct InOrder {
    /// One for each objective. The last model is the best for all of them in this order.
    pub optima: Vec<Optimum>,
    /// Literals that, assumed in later calls, keep the costs at most as achieved: of the objectives that something was left for.
    pub kept: Vec<Lit>,
}

/// A literal that, assumed in later calls, keeps the cost at most at a bound.
pub fn at_most(solver: &mut Solver, objective: &Objective, bound: u128) -> Lit {
    let prices = Prices::of(objective).in_models_of(solver);
    solver.without_record(|solver| prices.at_most(solver, bound))
}

/// What is known of the cost of a model without any effort.
fn judged(objective: &Objective, model: Model) -> Optimum {
    let prices = Prices::of(objective);
    let (lower, upper) = (prices.constant, prices.cost(|lit| model.value(lit)));
    let proved = upper == lower;
    let outcome = if proved { Outcome::Sat } else { Outcome::Interrupted };
    Optimum { lower, upper, model: Some(model), proved, outcome }
}

/// Minimise several objectives, the first before the second and so on: the cost achieved for one is kept while the
/// next is minimised. All share the limits; when they are reached, the objectives that remain are judged by the model at
/// hand. Those behind the first may have a limit of their own. Ends early, with fewer optima, only if there is no model.
pub fn minimise_in_order(
    solver: &mut Solver,
    assumptions: &[Lit],
    objectives: &[Objective],
    warm: Option<&dyn Fn(Lit) -> bool>,
    limits: &Limits,
    progress: &mut dyn FnMut(usize, u128, u128),
) -> InOrder {
    let mut assumptions = assumptions.to_vec();
    let mut found = InOrder { optima: Vec::new(), kept: Vec::new() };
    let mut limits = limits.clone();
    let mut best: Option<Model> = None;
    for (i, objective) in objectives.iter().enumerate() {
        if let (Some(model), Some(0)) = (&best, limits.conflicts) {
            found.optima.push(judged(objective, model.clone()));
            continue;
        }
        let own = limits.each_later.filter(|_| i > 0);
        let allowed = limits.conflicts.into_iter().chain(own).min();
        let own_limits = Limits { conflicts: allowed, ..limits.clone() };
        let begin = match (best.take(), warm) {
            (Some(model), _) => Begin::With(model),
            (None, Some(warm)) => Begin::At(warm),
            (None, None) => Begin::Anywhere,
        };
        let mut report = |lower: u128, upper: u128| progress(i, lower, upper);
        let (optimum, left) =
            minimise_from(begin, Plan::Auto, solver, &assumptions, objective, &own_limits, &mut report);
        let keep = optimum.model.is_some().then(|| at_most(solver, objective, optimum.upper));
        let used = allowed.unwrap_or(0).saturating_sub(left.unwrap_or(0));
        limits.conflicts = limits.conflicts.map(|limit| limit.saturating_sub(used));
        best.clone_from(&optimum.model);
        found.optima.push(optimum);
        let Some(keep) = keep else { break };
        assumptions.push(keep);
        found.kept.push(keep);
    }
    found
}
