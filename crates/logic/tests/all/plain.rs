//! The plain solver against CaDiCaL: the same verdicts for any clauses and assumptions, models that are models, cores that are cores,
//! also while clauses are added, when variables were eliminated, and with a bound on a sum.

use nearmiss_logic::sat::{Lit, Outcome, Solver};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

const VARIABLES: usize = 14;
/// Later clauses and assumptions are of these only, so that the others may be eliminated.
const KEPT: usize = 6;

fn literal(variables: usize) -> impl Strategy<Value = Lit> {
    (1..=variables, any::<bool>()).prop_map(|(variable, sign)| Lit::of_variable(variable).negate_if(sign))
}

fn clause(variables: usize) -> impl Strategy<Value = Vec<Lit>> {
    prop::collection::vec(literal(variables), 1..5)
}

/// Clauses of three literals near the point where half of all such problems have a model, and some shorter ones.
fn clauses() -> impl Strategy<Value = Vec<Vec<Lit>>> {
    let three = prop::collection::vec(literal(VARIABLES), 3);
    (prop::collection::vec(three, 20..62), prop::collection::vec(clause(VARIABLES), 0..6))
        .prop_map(|(many, few)| [many, few].concat())
}

fn solver_of(clauses: &[Vec<Lit>]) -> Solver {
    let mut solver = Solver::new();
    solver.record_clauses();
    for _ in 0..VARIABLES {
        solver.new_var();
    }
    clauses.iter().for_each(|clause| solver.add_clause(clause));
    solver
}

/// Ask both; check the model or the core of the plain one.
fn ask(solver: &mut Solver, plain: &mut Solver, clauses: &[Vec<Lit>], assumptions: &[Lit]) {
    let outcome = plain.solve(assumptions);
    assert_eq!(outcome, solver.solve(assumptions));
    if outcome == Outcome::Sat {
        for clause in clauses {
            assert!(clause.iter().any(|&lit| plain.value(lit)), "{clause:?} does not hold");
        }
        assert!(assumptions.iter().all(|&lit| plain.value(lit)));
    } else {
        let core = plain.core();
        assert!(core.iter().all(|lit| assumptions.contains(lit)));
        assert_eq!(solver.solve(&core), Outcome::Unsat);
    }
}

proptest! {
    #![proptest_config(Config { cases: 2000, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() })]

    #[test]
    fn a_plain_copy_agrees_with_the_solver(
        first in clauses(),
        steps in prop::collection::vec((prop::collection::vec(clause(KEPT), 0..2), prop::collection::vec(literal(KEPT), 0..5)), 1..8),
        eliminate_at in 0usize..6,
    ) {
        let mut clauses = first;
        let mut solver = solver_of(&clauses);
        let mut plain = solver.plain_copy().expect("there is a record");
        for (i, (added, assumptions)) in steps.into_iter().enumerate() {
            if i == eliminate_at {
                let kept: Vec<Lit> = (1..=KEPT).map(Lit::of_variable).collect();
                plain.eliminate_except(&kept, VARIABLES as u64);
            }
            for clause in added {
                solver.add_clause(&clause);
                plain.add_clause(&clause);
                clauses.push(clause);
            }
            ask(&mut solver, &mut plain, &clauses, &assumptions);
        }
    }

    #[test]
    fn ever_smaller_sums_end_at_the_least(clauses in clauses(), prices in prop::collection::vec(1u128..9, KEPT), late in 0usize..4) {
        let mut solver = solver_of(&clauses);
        let cost = |solver: &Solver| -> u128 {
            (1..=KEPT).filter(|&v| solver.value(Lit::of_variable(v))).map(|v| prices[v - 1]).sum()
        };
        // The least by trying all values of the priced variables.
        let mut least = None;
        for values in 0..1u32 << KEPT {
            let assumed: Vec<Lit> =
                (1..=KEPT).map(|v| Lit::of_variable(v).negate_if(values >> (v - 1) & 1 == 0)).collect();
            if solver.solve(&assumed) == Outcome::Sat {
                least = Some(cost(&solver)).into_iter().chain(least).min();
            }
        }
        let mut plain = solver.plain_copy().expect("there is a record");
        let weights: Vec<(Lit, u128)> = (1..=KEPT).map(|v| (Lit::of_variable(v), prices[v - 1])).collect();
        let mut best = None;
        let mut rounds = 0;
        while best != Some(0) && plain.solve(&[]) == Outcome::Sat {
            prop_assert!(clauses.iter().all(|clause| clause.iter().any(|&lit| plain.value(lit))));
            let found = cost(&plain);
            prop_assert!(best.is_none_or(|best| found < best));
            if found > 0 {
                if best.is_none() { plain.bound_sum(&weights, found - 1) } else { plain.lower_bound_to(found - 1) }
            }
            best = Some(found);
            if rounds == late {
                plain.eliminate_except(&weights.iter().map(|&(lit, _)| lit).collect::<Vec<_>>(), VARIABLES as u64);
            }
            rounds += 1;
        }
        prop_assert_eq!(best, least);
        // What holds for the bound's sake is no fact of the problem.
        let mut later = solver_of(&clauses);
        later.learn_facts(&plain);
        prop_assert_eq!(later.solve(&[]) == Outcome::Sat, least.is_some());
        for variable in 1..=VARIABLES {
            for lit in [Lit::of_variable(variable), !Lit::of_variable(variable)] {
                prop_assert_eq!(later.solve(&[lit]), solver.solve(&[lit]));
            }
        }
    }
}

/// Numbers that look like chance and are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Clauses of three literals, as many as make the problem hard.
fn hard(variables: usize, dice: &mut Dice) -> Solver {
    let mut solver = Solver::new();
    solver.record_clauses();
    for _ in 0..variables {
        solver.new_var();
    }
    for _ in 0..variables * 426 / 100 {
        let clause: Vec<Lit> =
            (0..3).map(|_| Lit::of_variable(1 + dice.below(variables)).negate_if(dice.below(2) == 1)).collect();
        solver.add_clause(&clause);
    }
    solver
}

/// Long enough searches for learned clauses to be thinned out, with variables eliminated in some of them.
#[test]
fn long_searches_agree_with_the_solver() {
    let mut dice = Dice(7);
    let (mut most, mut with, mut without) = (0, 0, 0);
    for round in 0..28 {
        let mut solver = hard(100 + 3 * round, &mut dice);
        let mut plain = solver.plain_copy().expect("there is a record");
        if round % 3 == 1 {
            plain.set_conflict_limit(Some(200));
            plain.solve(&[]);
            plain.set_conflict_limit(None);
            plain.eliminate_except(&[], solver.stats().variables);
        }
        let outcome = plain.solve(&[]);
        assert_eq!(outcome, solver.solve(&[]), "round {round}");
        if outcome == Outcome::Sat {
            let model = plain.model();
            let values: Vec<Lit> =
                (1..=100 + 3 * round).map(Lit::of_variable).map(|lit| lit.negate_if(!model.value(lit))).collect();
            assert_eq!(solver.solve(&values), Outcome::Sat, "round {round}: the model is one");
            with += 1;
        } else {
            without += 1;
        }
        most = most.max(plain.stats().conflicts);
    }
    assert!(most > 4_000 && with > 5 && without > 5, "{most} conflicts, {with} with a model, {without} without");
}

/// An assumption that holds already is a level without a variable of its own: there may be more of them than variables.
#[test]
fn the_same_assumption_may_come_more_often_than_there_are_variables() {
    let lit = Lit::of_variable;
    let (no, yes) = (lit(2).negate_if(true), lit(2));
    let clauses = vec![vec![no, lit(3)], vec![no, lit(3).negate_if(true), lit(4)], vec![no, lit(4).negate_if(true)]];
    let mut plain = solver_of(&clauses).plain_copy().expect("there is a record");
    let mut assumed = vec![lit(1); 10 * VARIABLES];
    assumed.push(yes);
    assert_eq!(plain.solve(&assumed), Outcome::Unsat);
    // A conflict below all of them, after a guess.
    let clauses =
        vec![vec![lit(5), lit(6)], vec![lit(5), lit(6).negate_if(true)], vec![lit(5).negate_if(true), lit(7)]];
    let mut plain = solver_of(&clauses).plain_copy().expect("there is a record");
    assert_eq!(plain.solve(&vec![lit(1); 10 * VARIABLES]), Outcome::Sat);
    assert!(plain.value(lit(5)));
}
