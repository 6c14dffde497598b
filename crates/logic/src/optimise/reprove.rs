//! An optimum proved again, by a fresh solver that shares no encoding with the search.
//!
//! The search merges an objective into prices, counts in totalizers and adds in buckets. Here the objective is taken
//! as it was given, nothing merged: equal weights are sorted by a network (Batcher's odd-even merge sort, no farther than
//! the bound) and one output is forbidden; anything else is added by a balanced tree of ripple-carry adders over whole words. What costs
//! more than the optimum by itself is not added but forbidden: whoever costs less does not pay it. The
//! question "less than the optimum?" is then put in pieces, one for each bit set in the optimum: the same bits above
//! it, a 0 there. All must be unsatisfiable. The problem's clauses come from the solver's record, to which the search
//! adds nothing.
//!
//! Cost: O(n log² b) comparators for a bound b, or O(n b) full adders for n words of b bits.

use super::{Limits, Objective};
use crate::sat::{Lit, Model, Outcome, Problem, Solver};
use std::cmp::Ordering;

/// What became of a claim that nothing is cheaper.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// It is so.
    Proved,
    /// Here is a cheaper model.
    Refuted(Model),
    /// The limits were reached first.
    Unknown,
    /// The solver did not record its clauses from the start.
    NoRecord,
}

/// A claim that costs are the least, with all that a proof takes: any thread can make it.
#[derive(Clone)]
pub struct Claimed {
    problem: Problem,
    assumptions: Vec<Lit>,
    costs: Vec<(Objective, u128)>,
    limits: Limits,
}

impl Claimed {
    /// The claim that these costs are the least, each among the models that achieve the ones before it. None if the solver
    /// did not record its clauses from the start.
    pub fn minima(
        solver: &Solver,
        assumptions: &[Lit],
        costs: &[(&Objective, u128)],
        limits: &Limits,
    ) -> Option<Claimed> {
        Some(Claimed {
            problem: solver.problem()?,
            assumptions: assumptions.to_vec(),
            costs: costs.iter().map(|&(objective, cost)| (objective.clone(), cost)).collect(),
            limits: limits.clone(),
        })
    }

    /// Proves it, or not. As [`proves_lower_bound`] for each cost in turn, with one solver.
    pub fn prove(&self) -> Proof {
        let mut prover = Prover::new(self.problem.solver(), &self.assumptions, &self.limits);
        for (i, (objective, cost)) in self.costs.iter().enumerate() {
            let limit = prover.limit(objective, *cost);
            let proof = limit.at_least(&mut prover);
            if proof != Proof::Proved {
                return proof;
            }
            if i + 1 < self.costs.len() {
                limit.keep(&mut prover);
            }
        }
        Proof::Proved
    }
}

/// Does every model of the solver's recorded clauses, under the assumptions, cost at least `bound`? Only models count
/// that keep each objective in `kept` at most at the cost next to it (the earlier ones of
/// [`super::minimise_in_order`]). The solver itself is not touched.
pub fn proves_lower_bound(
    solver: &Solver,
    assumptions: &[Lit],
    kept: &[(&Objective, u128)],
    objective: &Objective,
    bound: u128,
    limits: &Limits,
) -> Proof {
    let Some(problem) = solver.problem() else { return Proof::NoRecord };
    let mut prover = Prover::new(problem.solver(), assumptions, limits);
    for &(objective, most) in kept {
        prover.limit(objective, most).keep(&mut prover);
    }
    prover.limit(objective, bound).at_least(&mut prover)
}

/// The fresh solver.
struct Prover {
    solver: Solver,
    conflicts: Option<u64>,
}

/// An objective measured up to a bound.
struct Limit {
    bound: u128,
    /// What costs more than the bound by itself: left out of the measure, and never paid within the bound.
    dear: Vec<Lit>,
    /// What costs exactly the bound by itself.
    exact: Vec<Lit>,
    measure: Measure,
}

impl Prover {
    fn new(mut solver: Solver, assumptions: &[Lit], limits: &Limits) -> Prover {
        solver.set_stop(limits.stop.clone());
        for &assumption in assumptions {
            solver.add_clause(&[assumption]);
        }
        Prover { solver, conflicts: limits.conflicts }
    }

    fn limit(&mut self, objective: &Objective, bound: u128) -> Limit {
        let (mut dear, mut exact) = (Vec::new(), Vec::new());
        let mut affordable = |lit: Lit, price: u128| {
            match price.cmp(&bound) {
                Ordering::Greater if lit != Lit::FALSE => dear.push(lit),
                Ordering::Equal if lit != Lit::FALSE => exact.push(lit),
                _ => {}
            }
            price <= bound
        };
        let objective = match objective {
            Objective::Weighted(prices) => Objective::Weighted(
                prices.iter().copied().filter(|&(lit, weight)| affordable(lit, u128::from(weight))).collect(),
            ),
            Objective::Sum(numbers) => {
                let price = |i: usize| u32::try_from(i).ok().and_then(|i| 1u128.checked_shl(i)).unwrap_or(u128::MAX);
                let mut cut = |bits: &Vec<Lit>| -> Vec<Lit> {
                    bits.iter()
                        .enumerate()
                        .filter(|&(i, &bit)| affordable(bit, price(i)))
                        .map(|(_, &bit)| bit)
                        .collect()
                };
                Objective::Sum(numbers.iter().map(&mut cut).collect())
            }
        };
        Limit { bound, dear, exact, measure: Measure::of(&mut self.solver, &objective, bound) }
    }
}

impl Limit {
    /// From now on only models count that cost no more than the bound.
    fn keep(&self, prover: &mut Prover) {
        for &lit in &self.dear {
            prover.solver.add_clause(&[!lit]);
        }
        if let Some(more) = self.bound.checked_add(1) {
            self.measure.require_below(&mut prover.solver, more);
        }
    }

    /// Does every model cost at least the bound?
    fn at_least(&self, prover: &mut Prover) -> Proof {
        let unpaid: Vec<Lit> = self.dear.iter().chain(&self.exact).map(|&lit| !lit).collect();
        for case in self.measure.below(self.bound) {
            let used = prover.solver.stats().conflicts;
            prover.solver.set_conflict_limit(prover.conflicts.map(|all| all.saturating_sub(used)));
            match prover.solver.solve(&[case.as_slice(), &unpaid].concat()) {
                Outcome::Sat => return Proof::Refuted(prover.solver.model()),
                Outcome::Unsat => {}
                Outcome::Interrupted => return Proof::Unknown,
            }
        }
        Proof::Proved
    }
}

/// An objective's cost as literals.
enum Measure {
    /// So many times the number of true literals: output k of the network is implied if more than k are true.
    Unary { unit: u128, sorted: Vec<Lit> },
    /// The bits of the cost, least significant first.
    Binary(Vec<Lit>),
}

impl Measure {
    /// It need not tell apart what is more than the bound.
    fn of(solver: &mut Solver, objective: &Objective, bound: u128) -> Measure {
        let words: Vec<Vec<Lit>> = match objective {
            Objective::Weighted(prices) => {
                if let Some(&(_, unit)) = prices.first().filter(|&&(_, unit)| unit > 0)
                    && prices.iter().all(|&(_, weight)| weight == unit)
                {
                    let literals: Vec<Lit> = prices.iter().map(|&(lit, _)| lit).collect();
                    let most = usize::try_from(bound / u128::from(unit)).unwrap_or(usize::MAX).saturating_add(1);
                    let sorted = largest(solver, &literals, most);
                    return Measure::Unary { unit: u128::from(unit), sorted };
                }
                let word = |&(lit, weight): &(Lit, u64)| {
                    let bit = |i| if weight >> i & 1 == 1 { lit } else { Lit::FALSE };
                    (0..64 - weight.leading_zeros()).map(bit).collect()
                };
                prices.iter().map(word).collect()
            }
            Objective::Sum(numbers) => numbers.clone(),
        };
        Measure::Binary(add_all(solver, words))
    }

    /// Assumptions for each way to cost less than a bound; no cost is in two of them.
    fn below(&self, bound: u128) -> Vec<Vec<Lit>> {
        match self {
            Measure::Unary { unit, sorted } => match usize::try_from(bound.div_ceil(*unit)) {
                Ok(0) => Vec::new(),
                Ok(least) if least <= sorted.len() => vec![vec![!sorted[least - 1]]],
                _ => vec![Vec::new()],
            },
            Measure::Binary(bits) => {
                let bit_of_bound = |i: usize| i < 128 && bound >> i & 1 == 1;
                if (bits.len()..128).any(bit_of_bound) {
                    return vec![Vec::new()];
                }
                let mut cases = Vec::new();
                let mut above = Vec::new();
                for (i, &bit) in bits.iter().enumerate().rev() {
                    if bit_of_bound(i) {
                        cases.push([above.as_slice(), &[!bit]].concat());
                        above.push(bit);
                    } else {
                        above.push(!bit);
                    }
                }
                cases
            }
        }
    }

    fn require_below(&self, solver: &mut Solver, bound: u128) {
        // Some case holds, as one literal each; its definition is needed in one direction only.
        let mut some = Vec::new();
        for case in self.below(bound) {
            let holds = solver.new_var();
            for lit in case {
                solver.add_clause(&[!holds, lit]);
            }
            some.push(holds);
        }
        solver.add_clause(&some);
    }
}

/// The first outputs of a sorting network, true literals to the front: blocks of so many literals are sorted, and of any two together only
/// so many are kept.
fn largest(solver: &mut Solver, lits: &[Lit], most: usize) -> Vec<Lit> {
    let size = most.min(lits.len()).next_power_of_two();
    let mut blocks: Vec<Vec<Lit>> = lits.chunks(size).map(<[Lit]>::to_vec).collect();
    for block in &mut blocks {
        block.resize(size, Lit::FALSE);
        let mut sorted = 1;
        while sorted < size {
            merge(solver, block, sorted);
            sorted *= 2;
        }
    }
    while blocks.len() > 1 {
        let pairs = blocks.chunks(2).map(|pair| {
            let mut both = pair.concat();
            merge(solver, &mut both, size);
            both.truncate(most);
            both.resize(size, Lit::FALSE);
            both
        });
        blocks = pairs.collect();
    }
    let mut sorted = blocks.pop().unwrap_or_default();
    sorted.truncate(most.min(lits.len()));
    sorted
}

/// A step of Batcher's network: of sorted runs of `p` literals each two are made one. Only what is above is implied by what is below.
fn merge(solver: &mut Solver, lits: &mut [Lit], p: usize) {
    let n = lits.len();
    let mut k = p;
    while k >= 1 {
        let mut j = k % p;
        while j + k < n {
            for i in j..(j + k).min(n - k) {
                if i / (2 * p) == (i + k) / (2 * p) {
                    (lits[i], lits[i + k]) = match (lits[i], lits[i + k]) {
                        (Lit::FALSE, only) | (only, Lit::FALSE) => (only, Lit::FALSE),
                        (a, b) => {
                            let (either, both) = (solver.new_var(), solver.new_var());
                            solver.add_clause(&[!a, either]);
                            solver.add_clause(&[!b, either]);
                            solver.add_clause(&[!a, !b, both]);
                            (either, both)
                        }
                    };
                }
            }
            j += 2 * k;
        }
        k /= 2;
    }
}

/// The sum of words by a balanced tree of ripple-carry adders.
fn add_all(solver: &mut Solver, mut words: Vec<Vec<Lit>>) -> Vec<Lit> {
    while words.len() > 1 {
        words =
            words.chunks(2).map(|pair| if let [a, b] = pair { add(solver, a, b) } else { pair[0].clone() }).collect();
    }
    words.pop().unwrap_or_default()
}

fn add(solver: &mut Solver, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let mut carry = Lit::FALSE;
    let mut sum = Vec::new();
    let bit = |word: &[Lit], i: usize| word.get(i).copied().unwrap_or(Lit::FALSE);
    for i in 0..a.len().max(b.len()) {
        let inputs: Vec<Lit> = [bit(a, i), bit(b, i), carry].into_iter().filter(|&lit| lit != Lit::FALSE).collect();
        carry = Lit::FALSE;
        sum.push(match *inputs.as_slice() {
            [] => Lit::FALSE,
            [only] => only,
            [x, y] => {
                carry = gate(solver, &[x, y], |ones| ones == 2);
                gate(solver, &[x, y], |ones| ones == 1)
            }
            _ => {
                carry = gate(solver, &inputs, |ones| ones >= 2);
                gate(solver, &inputs, |ones| ones % 2 == 1)
            }
        });
    }
    sum.push(carry);
    while sum.last() == Some(&Lit::FALSE) {
        sum.pop();
    }
    sum
}

/// A literal for a function of how many inputs are true, by its prime implicates: those of a function of a count are
/// the smallest sets of inputs whose common value settles the output.
fn gate(solver: &mut Solver, inputs: &[Lit], output_of: impl Fn(u32) -> bool) -> Lit {
    let output = solver.new_var();
    let all = inputs.len() as u32;
    let settled = |known: u32, values: u32| {
        let ones = values.count_ones();
        let mut outputs = (ones..=ones + all - known.count_ones()).map(&output_of);
        let first = outputs.next()?;
        outputs.all(|output| output == first).then_some(first)
    };
    for known in 1..1u32 << all {
        for values in (0..=known).filter(|values| values & !known == 0) {
            let Some(value) = settled(known, values) else { continue };
            let members = (0..all).map(|i| 1 << i).filter(|member| known & member != 0);
            if members.clone().any(|member| settled(known & !member, values & !member) == Some(value)) {
                continue;
            }
            let clause = members.map(|member| inputs[member.trailing_zeros() as usize].negate_if(values & member != 0));
            solver.add_clause(&clause.chain([output.negate_if(!value)]).collect::<Vec<Lit>>());
        }
    }
    output
}
