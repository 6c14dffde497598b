//! Pairs decided by the solver: is there a set of flips that leaves the circuit false, while one more flip makes it true?
//!
//! The circuit is in the solver twice, with the set and with the set and the one more; at most one pair is that one more, and a
//! query assumes which. The first copy must be false and the second true, so each gate needs one direction of its definition.

use nearmiss_logic::optimise::Totalizer;
use nearmiss_logic::sat::{Lit, Outcome, Solver};

use super::{Budget, LONGEST_WITNESS, Repair, Status};
use crate::search::unfold::{Circuit, Gate};

/// The two copies in a solver.
pub(super) struct Query {
    solver: Solver,
    /// Per pair: the values it can be given, each with the literal of being in the set and of being the one more.
    flips: Vec<Vec<(bool, Lit, Lit)>>,
    /// The first copy is false, if this is assumed; the second copy is true, if that is.
    stays_false: Lit,
    becomes_true: Lit,
    /// No pair is the one more.
    none: Lit,
    counter: Option<Totalizer>,
}

impl Query {
    pub fn new(circuit: &Circuit, budget: &mut Budget) -> Query {
        let mut solver = Solver::new();
        solver.expect_many_calls();
        solver.set_stop(budget.stop.clone());
        let none = solver.new_var();
        let mut flips = Vec::new();
        // At most one is the one more: a ladder, of which `none` is the last rung.
        let mut rung = Lit::FALSE;
        for value in &circuit.values {
            let mut of_pair = Vec::new();
            for to in [false, true].into_iter().filter(|to| *value != Some(*to)) {
                let (in_set, extra) = (solver.new_var(), solver.new_var());
                let next = solver.new_var();
                solver.add_clause(&[!extra, !rung]);
                solver.add_clause(&[!extra, next]);
                solver.add_clause(&[!rung, next]);
                solver.set_phase(!in_set);
                rung = next;
                of_pair.push((to, in_set, extra));
            }
            for (i, (_, in_set, _)) in of_pair.iter().enumerate() {
                of_pair.iter().for_each(|(_, _, extra)| solver.add_clause(&[!*in_set, !*extra]));
                of_pair[..i].iter().for_each(|(_, other, _)| solver.add_clause(&[!*in_set, !*other]));
            }
            flips.push(of_pair);
        }
        solver.add_clause(&[!none, !rung]);
        let [stays_false, becomes_true] = [solver.new_var(), solver.new_var()];
        let (mut first, mut second): (Vec<Lit>, Vec<Lit>) = (Vec::new(), Vec::new());
        for gate in &circuit.gates {
            match gate {
                Gate::Leaf { pair, wants } => {
                    let now = circuit.values[*pair as usize];
                    let of_pair = &flips[*pair as usize];
                    let (a, b) = match of_pair.iter().find(|(to, ..)| to == wants) {
                        // Flipped to what is wanted.
                        Some((_, in_set, extra)) => {
                            let either = solver.new_var();
                            solver.add_clause(&[!either, *in_set, *extra]);
                            (*in_set, either)
                        }
                        // It is so now, until it is flipped away.
                        None => {
                            let (_, in_set, extra) = of_pair[0];
                            debug_assert_eq!(now, Some(*wants));
                            let neither = solver.new_var();
                            solver.add_clause(&[!neither, !in_set]);
                            solver.add_clause(&[!neither, !extra]);
                            (!in_set, neither)
                        }
                    };
                    first.push(a);
                    second.push(b);
                }
                Gate::And(inputs) => {
                    let (a, b) = (solver.new_var(), solver.new_var());
                    let mut clause: Vec<Lit> = inputs.iter().map(|input| !first[*input as usize]).collect();
                    clause.push(a);
                    solver.add_clause(&clause);
                    inputs.iter().for_each(|input| solver.add_clause(&[!b, second[*input as usize]]));
                    first.push(a);
                    second.push(b);
                }
                Gate::Or(inputs) => {
                    let (a, b) = (solver.new_var(), solver.new_var());
                    inputs.iter().for_each(|input| solver.add_clause(&[!first[*input as usize], a]));
                    let mut clause: Vec<Lit> = inputs.iter().map(|input| second[*input as usize]).collect();
                    clause.push(!b);
                    solver.add_clause(&clause);
                    first.push(a);
                    second.push(b);
                }
            }
        }
        let root = circuit.root.expect("a part has a root") as usize;
        solver.add_clause(&[!stays_false, !first[root]]);
        solver.add_clause(&[!becomes_true, second[root]]);
        Query { solver, flips, stays_false, becomes_true, none, counter: None }
    }

    /// Solves within what is left of the budget.
    fn solve(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Outcome {
        if budget.conflicts == 0 || !budget.spend(self.flips.len()) {
            return Outcome::Interrupted;
        }
        let before = self.solver.stats().conflicts;
        self.solver.set_conflict_limit((budget.conflicts != u64::MAX).then_some(budget.conflicts));
        let outcome = self.solver.solve(assumptions);
        if budget.conflicts != u64::MAX {
            budget.conflicts = budget.conflicts.saturating_sub(self.solver.stats().conflicts - before);
        }
        outcome
    }

    /// The set in the last model.
    fn set(&self) -> Vec<(u32, bool)> {
        let mut set = Vec::new();
        for (pair, of_pair) in self.flips.iter().enumerate() {
            let chosen = of_pair.iter().filter(|(_, in_set, _)| self.solver.value(*in_set));
            set.extend(chosen.map(|(to, ..)| (pair as u32, *to)));
        }
        set
    }

    /// Decides a pair.
    pub fn decide(&mut self, pair: u32, pairs: &mut [Status], budget: &mut Budget) {
        let options = self.flips[pair as usize].clone();
        let mut undecided = false;
        for (to, _, extra) in options {
            match self.solve(&[self.stays_false, self.becomes_true, extra], budget) {
                Outcome::Sat => {
                    let set = self.set();
                    let least = (set.len() <= 1).then_some(set.len());
                    let others = (set.len() <= LONGEST_WITNESS).then_some(set);
                    pairs[pair as usize] = Status::Cause { least, others, to };
                    return;
                }
                Outcome::Unsat => {}
                Outcome::Interrupted => undecided = true,
            }
        }
        if !undecided {
            pairs[pair as usize] = Status::Innocent;
        }
    }

    /// Finds the smallest set for a cause.
    pub fn count(&mut self, pair: u32, status: &mut Status, budget: &mut Budget) {
        let Status::Cause { least, others, to } = status else { return };
        let options = self.flips[pair as usize].clone();
        let mut best = others.as_ref().map_or(self.flips.len(), Vec::len);
        // Sets of none and one were tried where the costs led to them; the solver says so for certain.
        while let Some(limit) = best.checked_sub(1) {
            let bound = !self.at_least(limit + 1);
            let mut smaller = None;
            for (value, _, extra) in &options {
                match self.solve(&[self.stays_false, self.becomes_true, *extra, bound], budget) {
                    Outcome::Sat => smaller = Some((self.set(), *value)),
                    Outcome::Unsat => {}
                    Outcome::Interrupted => return,
                }
                if smaller.is_some() {
                    break;
                }
            }
            match smaller {
                Some((set, value)) => {
                    best = set.len();
                    (*others, *to) = (Some(set), value);
                }
                None => break,
            }
        }
        *least = Some(best);
    }

    fn at_least(&mut self, count: usize) -> Lit {
        let flips = &self.flips;
        let counter = self.counter.get_or_insert_with(|| {
            Totalizer::new(&flips.iter().flatten().map(|(_, in_set, _)| *in_set).collect::<Vec<Lit>>())
        });
        counter.at_least(&mut self.solver, count)
    }

    /// Can flips make the circuit true at all, and with how few?
    pub fn repair(&mut self, repair: &mut Repair, fewest: bool, budget: &mut Budget) {
        let mut best = match repair {
            Repair::By { flips, .. } => Some(flips.clone()),
            _ => match self.solve(&[self.becomes_true, self.none], budget) {
                Outcome::Sat => Some(self.set()),
                Outcome::Unsat => {
                    *repair = Repair::Never;
                    return;
                }
                Outcome::Interrupted => None,
            },
        };
        let mut proved = false;
        while let Some(flips) = best.as_ref().filter(|_| fewest) {
            let Some(limit) = flips.len().checked_sub(1) else { break };
            let bound = !self.at_least(limit + 1);
            match self.solve(&[self.becomes_true, self.none, bound], budget) {
                Outcome::Sat => best = Some(self.set()),
                Outcome::Unsat => {
                    proved = true;
                    break;
                }
                Outcome::Interrupted => break,
            }
        }
        if let Some(flips) = best {
            *repair = Repair::By { fewest: proved || flips.is_empty(), flips };
        }
    }
}
