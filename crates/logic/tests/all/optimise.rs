//! The optimiser against brute force on thousands of small random problems: both methods, warm starts, orders of
//! objectives, all optima, interrupts, and proofs by a fresh solver.

use nearmiss_logic::optimise::{
    Claimed, Limits, Objective, Optimum, Plan, Proof, all_optima, minimise, minimise_by, minimise_in_order,
    proves_lower_bound,
};
use nearmiss_logic::sat::{Lit, Outcome, Solver};
use nearmiss_logic::stop::Stop;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// SplitMix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn literal(&mut self, variables: &[Lit]) -> Lit {
        variables[self.below(variables.len())].negate_if(self.below(2) == 1)
    }
}

/// A random problem, and the same as lists for brute force.
struct Problem {
    variables: Vec<Lit>,
    clauses: Vec<Vec<Lit>>,
    assumptions: Vec<Lit>,
}

impl Problem {
    fn random(random: &mut Random) -> Problem {
        let count = 4 + random.below(8);
        let mut scratch = Solver::new();
        let variables: Vec<Lit> = (0..count).map(|_| scratch.new_var()).collect();
        let mut clauses = Vec::new();
        for _ in 0..random.below(4 * count) {
            let length = 1 + random.below(4).max(random.below(4));
            clauses.push((0..length).map(|_| random.literal(&variables)).collect());
        }
        let assumptions = (0..random.below(3)).map(|_| random.literal(&variables)).collect();
        Problem { variables, clauses, assumptions }
    }

    fn solver(&self) -> Solver {
        let mut solver = Solver::new();
        solver.record_clauses();
        for _ in &self.variables {
            solver.new_var();
        }
        for clause in &self.clauses {
            solver.add_clause(clause);
        }
        solver
    }

    /// All models, each as a number with a bit for each variable.
    fn models(&self) -> Vec<u32> {
        let masks = |clause: &Vec<Lit>| {
            let of = |sign: bool| {
                clause.iter().filter(|lit| lit.is_positive() == sign).fold(0u32, |m, lit| m | 1 << lit.variable())
            };
            (of(true), of(false))
        };
        let units = self.assumptions.iter().map(|&lit| vec![lit]);
        let clauses: Vec<(u32, u32)> = self.clauses.iter().cloned().chain(units).map(|c| masks(&c)).collect();
        let holds =
            |&model: &u32| clauses.iter().all(|&(positive, negative)| model & positive | !model & negative != 0);
        (0..1u32 << self.variables.len()).map(|model| model << 1).filter(holds).collect()
    }
}

fn value(model: u32) -> impl Fn(Lit) -> bool {
    move |lit| {
        if lit.is_constant() { lit == Lit::TRUE } else { (model >> lit.variable() & 1 == 1) == lit.is_positive() }
    }
}

fn random_objective(random: &mut Random, variables: &[Lit]) -> Objective {
    let literal = |random: &mut Random| match random.below(20) {
        0 => Lit::TRUE,
        1 => Lit::FALSE,
        _ => random.literal(variables),
    };
    match random.below(5) {
        0 => Objective::Weighted((0..random.below(12)).map(|_| (literal(random), 1)).collect()),
        1 => Objective::Weighted((0..random.below(14)).map(|_| (literal(random), random.next() % 6)).collect()),
        2 => Objective::Weighted((0..random.below(12)).map(|_| (literal(random), random.next() >> 2)).collect()),
        3 => {
            let width = 1 + random.below(5);
            let number = |random: &mut Random| (0..width).map(|_| literal(random)).collect();
            Objective::Sum((0..random.below(5)).map(|_| number(random)).collect())
        }
        _ => {
            let mut number = |width: usize| -> Vec<Lit> { (0..width).map(|_| literal(random)).collect() };
            Objective::Sum(vec![number(3), number(70), number(126), number(126)])
        }
    }
}

fn quietly(solver: &mut Solver, problem: &Problem, objective: &Objective, plan: Plan) -> Optimum {
    minimise_by(plan, solver, &problem.assumptions, objective, None, &Limits::default(), &mut |_, _| {})
}

/// The same as the cheapest of all models?
fn check(optimum: &Optimum, problem: &Problem, models: &[u32], objective: &Objective, context: &str) {
    let best = models.iter().map(|&model| objective.cost(value(model))).min();
    match best {
        None => {
            assert_eq!(optimum.outcome, Outcome::Unsat, "{context}");
            assert!(optimum.model.is_none() && !optimum.proved, "{context}");
        }
        Some(best) => {
            assert_eq!((optimum.outcome, optimum.proved), (Outcome::Sat, true), "{context}");
            assert_eq!((optimum.lower, optimum.upper), (best, best), "{context}");
            let model = optimum.model.as_ref().expect("a proved optimum has a model");
            let bits = problem.variables.iter().filter(|&&v| model.value(v)).fold(0, |m, v| m | 1 << v.variable());
            assert!(models.contains(&bits), "{context}: a model of the clauses");
            assert_eq!(objective.cost(|lit| model.value(lit)), best, "{context}");
        }
    }
}

#[test]
fn every_method_finds_the_minimum() {
    for seed in 0..4000 {
        let mut random = Random(seed);
        let problem = Problem::random(&mut random);
        let models = problem.models();
        let mut shared = problem.solver();
        for plan in [Plan::Auto, Plan::Cores, Plan::Bits, Plan::Linear] {
            let objective = random_objective(&mut random, &problem.variables);
            let context = format!("seed {seed}, {plan:?}");
            check(&quietly(&mut problem.solver(), &problem, &objective, plan), &problem, &models, &objective, &context);
            // Searches before leave no trace in the answer.
            let context = format!("{context}, used solver");
            check(&quietly(&mut shared, &problem, &objective, plan), &problem, &models, &objective, &context);
        }
        let satisfiable = if models.is_empty() { Outcome::Unsat } else { Outcome::Sat };
        assert_eq!(shared.solve(&problem.assumptions), satisfiable, "seed {seed}");
    }
}

#[test]
fn a_search_leaves_every_model_possible() {
    for seed in 10_000..10_300 {
        let mut random = Random(seed);
        let problem = Problem::random(&mut random);
        let models = problem.models();
        let mut solver = problem.solver();
        for plan in [Plan::Cores, Plan::Bits, Plan::Linear] {
            quietly(&mut solver, &problem, &random_objective(&mut random, &problem.variables), plan);
        }
        for model in (0..1u32 << problem.variables.len()).step_by(7).map(|model| model << 1) {
            let values: Vec<Lit> = problem.variables.iter().map(|&v| v.negate_if(!value(model)(v))).collect();
            let expected = if models.contains(&model) { Outcome::Sat } else { Outcome::Unsat };
            let assumptions = [values, problem.assumptions.clone()].concat();
            assert_eq!(solver.solve(&assumptions), expected, "seed {seed}, model {model:b}");
        }
    }
}

#[test]
fn a_warm_start_changes_nothing() {
    for seed in 20_000..21_500 {
        let mut random = Random(seed);
        let problem = Problem::random(&mut random);
        let models = problem.models();
        let objective = random_objective(&mut random, &problem.variables);
        // A model most of the time, anything at all otherwise.
        let warm = match models.len() {
            0 => random.next() as u32,
            _ if seed % 4 == 0 => random.next() as u32,
            n => models[random.below(n)],
        };
        for plan in [Plan::Auto, Plan::Cores, Plan::Bits, Plan::Linear] {
            let mut last = (0, u128::MAX);
            let mut follow = |lower, upper| {
                assert!(lower >= last.0 && upper <= last.1 && lower <= upper, "seed {seed}: bounds only improve");
                last = (lower, upper);
            };
            let known: &dyn Fn(Lit) -> bool = &value(warm);
            let limits = Limits::default();
            let solver = &mut problem.solver();
            let optimum =
                minimise_by(plan, solver, &problem.assumptions, &objective, Some(known), &limits, &mut follow);
            check(&optimum, &problem, &models, &objective, &format!("seed {seed}, {plan:?}, warm {warm:b}"));
        }
    }
}

#[test]
fn objectives_in_order_are_the_least_tuple() {
    for seed in 30_000..31_500 {
        let mut random = Random(seed);
        let problem = Problem::random(&mut random);
        let models = problem.models();
        let objectives: Vec<Objective> =
            (0..1 + random.below(3)).map(|_| random_objective(&mut random, &problem.variables)).collect();
        let mut solver = problem.solver();
        let limits = Limits::default();
        let found = minimise_in_order(&mut solver, &problem.assumptions, &objectives, None, &limits, &mut |_, _, _| {});
        let costs = |model: u32| -> Vec<u128> { objectives.iter().map(|o| o.cost(value(model))).collect() };
        let Some(best) = models.iter().map(|&model| costs(model)).min() else {
            assert_eq!(found.optima.len(), 1);
            assert_eq!(found.optima[0].outcome, Outcome::Unsat);
            continue;
        };
        assert!(found.optima.iter().all(|optimum| optimum.proved), "seed {seed}");
        assert_eq!(found.optima.iter().map(|optimum| optimum.upper).collect::<Vec<_>>(), best, "seed {seed}");
        let last = found.optima.last().and_then(|optimum| optimum.model.clone()).expect("there is a model");
        assert_eq!(objectives.iter().map(|o| o.cost(|lit| last.value(lit))).collect::<Vec<_>>(), best, "seed {seed}");
        // The literals handed back keep the costs, and nothing but the costs.
        for &model in models.iter().step_by(5) {
            let values = problem.variables.iter().map(|&v| v.negate_if(!value(model)(v)));
            let assumptions: Vec<Lit> = values.chain(found.kept.iter().copied()).collect();
            let expected = if costs(model) == best { Outcome::Sat } else { Outcome::Unsat };
            assert_eq!(solver.solve(&assumptions), expected, "seed {seed}, model {model:b}");
        }
        // Each is proved again, the ones before it kept.
        for (i, objective) in objectives.iter().enumerate() {
            let kept: Vec<(&Objective, u128)> = objectives.iter().zip(best.iter().copied()).take(i).collect();
            let proof = proves_lower_bound(&solver, &problem.assumptions, &kept, objective, best[i], &limits);
            assert_eq!(proof, Proof::Proved, "seed {seed}, objective {i}");
        }
        let mut costs: Vec<(&Objective, u128)> = objectives.iter().zip(best.iter().copied()).collect();
        let claimed = |costs: &[(&Objective, u128)]| Claimed::minima(&solver, &problem.assumptions, costs, &limits);
        let prove = |costs: &[(&Objective, u128)]| claimed(costs).map_or(Proof::NoRecord, |claimed| claimed.prove());
        assert_eq!(prove(&costs), Proof::Proved, "seed {seed}");
        if let Some((objective, cost)) = costs.last_mut() {
            *cost += 1 + random.below(20) as u128;
            let (objective, too_much) = (*objective, *cost);
            let Proof::Refuted(model) = prove(&costs) else { panic!("seed {seed}: {too_much} is too much") };
            assert!(objective.cost(|lit| model.value(lit)) < too_much, "seed {seed}");
        }
    }
}

#[test]
fn all_optima_are_listed() {
    for seed in 40_000..41_500 {
        let mut random = Random(seed);
        let problem = Problem::random(&mut random);
        let models = problem.models();
        let objective = random_objective(&mut random, &problem.variables);
        let projection: Vec<Lit> = (0..random.below(6)).map(|_| random.literal(&problem.variables)).collect();
        let best = models.iter().map(|&model| objective.cost(value(model))).min();
        let optimal = models.iter().filter(|&&model| Some(objective.cost(value(model))) == best);
        let expected: BTreeSet<Vec<bool>> =
            optimal.map(|&model| projection.iter().map(|&lit| value(model)(lit)).collect()).collect();
        let mut solver = problem.solver();
        let optimum = quietly(&mut solver, &problem, &objective, Plan::Auto);
        let limits = Limits::default();
        let mut list =
            |cap| all_optima(&mut solver, &problem.assumptions, &objective, optimum.upper, &projection, cap, &limits);
        let all = list(1000);
        assert!(all.complete, "seed {seed}");
        assert_eq!(all.projections, expected.iter().cloned().collect::<Vec<_>>(), "seed {seed}");
        // Again, with a cap.
        let some = list(2);
        assert_eq!(some.projections.len(), expected.len().min(2), "seed {seed}");
        assert!(some.projections.iter().all(|values| expected.contains(values)), "seed {seed}");
        assert_eq!(some.complete, expected.len() <= 2, "seed {seed}");
    }
}

#[test]
fn a_fresh_solver_proves_the_minimum_and_no_more() {
    for seed in 50_000..52_000 {
        let mut random = Random(seed);
        let problem = Problem::random(&mut random);
        let models = problem.models();
        let objective = random_objective(&mut random, &problem.variables);
        let mut solver = problem.solver();
        let optimum = quietly(&mut solver, &problem, &objective, Plan::Auto);
        let limits = Limits::default();
        let prove = |bound| proves_lower_bound(&solver, &problem.assumptions, &[], &objective, bound, &limits);
        let Some(best) = models.iter().map(|&model| objective.cost(value(model))).min() else {
            assert_eq!(prove(u128::MAX), Proof::Proved, "seed {seed}: no model at all");
            continue;
        };
        assert_eq!(prove(optimum.upper), Proof::Proved, "seed {seed}");
        for more in [best + 1, best + 1 + random.next() as u128, u128::MAX] {
            let Proof::Refuted(model) = prove(more) else { panic!("seed {seed}: {more} is too much") };
            assert!(objective.cost(|lit| model.value(lit)) < more, "seed {seed}");
        }
    }
    let mut silent = Solver::new();
    let a = silent.new_var();
    silent.add_clause(&[a]);
    let objective = Objective::Weighted(vec![(a, 1)]);
    assert_eq!(proves_lower_bound(&silent, &[], &[], &objective, 1, &Limits::default()), Proof::NoRecord);
}

/// Cover the edges of a random graph by its vertices, at a random price each: no toy for any method. With a record for odd
/// seeds, since methods differ by that.
fn vertex_cover(seed: u64, vertices: usize, edges: usize) -> (Solver, Objective) {
    let mut random = Random(seed);
    let mut solver = Solver::new();
    if seed % 2 == 1 {
        solver.record_clauses();
    }
    let variables: Vec<Lit> = (0..vertices).map(|_| solver.new_var()).collect();
    for _ in 0..edges {
        let (a, b) = (variables[random.below(vertices)], variables[random.below(vertices)]);
        solver.add_clause(&[a, b]);
    }
    let objective = Objective::Weighted(variables.iter().map(|&lit| (lit, 1 + random.next() % 1000)).collect());
    (solver, objective)
}

#[test]
fn interrupts_leave_valid_bounds() {
    let none = &mut |_, _| {};
    let (mut solver, objective) = vertex_cover(1, 50, 150);
    let truth = minimise(&mut solver, &[], &objective, None, &Limits::default(), none);
    assert!(truth.proved);
    for plan in [Plan::Auto, Plan::Cores, Plan::Bits, Plan::Linear] {
        for conflicts in [0, 1, 5, 20, 100, 400, 2000] {
            let (mut solver, objective) = vertex_cover(1, 50, 150);
            let limits = Limits { conflicts: Some(conflicts), ..Limits::default() };
            let mut run = || minimise_by(plan, &mut solver, &[], &objective, None, &limits, &mut |_, _| {});
            let optimum = run();
            let context = format!("{plan:?}, {conflicts} conflicts");
            assert!(optimum.lower <= truth.upper && truth.upper <= optimum.upper, "{context}");
            assert_eq!(optimum.proved, optimum.lower == optimum.upper, "{context}");
            assert_eq!(optimum.proved, optimum.outcome == Outcome::Sat, "{context}");
            assert_eq!(optimum.model.is_none(), optimum.upper == u128::MAX, "{context}");
            if let Some(model) = &optimum.model {
                assert_eq!(objective.cost(|lit| model.value(lit)), optimum.upper, "{context}");
            }
            // The solver goes on as if nothing had been.
            let full = minimise(&mut solver, &[], &objective, None, &Limits::default(), &mut |_, _| {});
            assert_eq!((full.proved, full.upper), (true, truth.upper), "{context}");
        }
    }
    let (mut solver, objective) = vertex_cover(1, 50, 150);
    let raised = Limits { stop: Stop::when(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    let stopped = minimise(&mut solver, &[], &objective, None, &raised, none);
    assert_eq!((stopped.outcome, stopped.model), (Outcome::Interrupted, None));
    assert!(stopped.lower <= truth.upper);
    assert_eq!(minimise(&mut solver, &[], &objective, None, &Limits::default(), none).upper, truth.upper);
    // A limit of the solver's own is kept, too, and ends the search.
    solver.set_conflict_limit(Some(1));
    let (mut hard, objective) = vertex_cover(3, 300, 1500);
    hard.set_conflict_limit(Some(20));
    assert_eq!(minimise(&mut hard, &[], &objective, None, &Limits::default(), none).outcome, Outcome::Interrupted);
    assert_eq!(hard.conflict_limit(), Some(20));
}

#[test]
fn time_over_is_no_error() {
    let (mut solver, objective) = vertex_cover(2, 400, 3000);
    let started = Instant::now();
    let limits = Limits { stop: Stop::at(started + Duration::from_millis(300)), ..Limits::default() };
    let first = Objective::Weighted(vec![(Lit::of_variable(1), 1)]);
    let objectives = [first, objective];
    let found = minimise_in_order(&mut solver, &[], &objectives, None, &limits, &mut |_, _, _| {});
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(found.optima[0].proved && !found.optima[1].proved);
    let last = &found.optima[1];
    assert!(last.lower > 0 && last.lower < last.upper && last.model.is_some());
    assert_eq!(solver.solve(&[]), Outcome::Sat, "the deadline is lifted");
}

#[test]
fn the_same_problem_gives_the_same_model() {
    let answer = || {
        let (mut solver, objective) = vertex_cover(7, 60, 200);
        let mut bounds = Vec::new();
        let mut follow = |lower, upper| bounds.push((lower, upper));
        let optimum = minimise(&mut solver, &[], &objective, None, &Limits::default(), &mut follow);
        (optimum, bounds, solver.stats())
    };
    assert_eq!(answer(), answer());
}

#[test]
fn what_is_minimised_later_may_be_cut_off_early() {
    let (mut solver, weights) = vertex_cover(5, 40, 120);
    let Objective::Weighted(prices) = &weights else { panic!("a cover has weights") };
    let count = Objective::Weighted(prices.iter().map(|(lit, _)| (*lit, 1)).collect());
    let least = minimise(&mut vertex_cover(5, 40, 120).0, &[], &count, None, &Limits::default(), &mut |_, _| {});
    let limits = Limits { each_later: Some(1), ..Limits::default() };
    let order = [count, weights];
    let found = minimise_in_order(&mut solver, &[], &order, None, &limits, &mut |_, _, _| {});
    assert!(found.optima[0].proved && found.optima[0].upper == least.upper, "the first has no such limit");
    let cut = &found.optima[1];
    assert!(!cut.proved && cut.lower < cut.upper, "{} to {}", cut.lower, cut.upper);
    let model = cut.model.as_ref().expect("the best so far");
    assert_eq!(order[0].cost(|lit| model.value(lit)), least.upper, "what was found first is kept");
}
