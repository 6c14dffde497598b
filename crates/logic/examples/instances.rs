//! Writes weighted MaxSAT problems like those the tool meets: `instances FOLDER`.
//!
//! Random clauses with random weights; least sums of integers under linear inequalities, an equality, products; and a
//! sort with its last pass missing: the least change of its inputs, the least sum of all values, and the least number of
//! values that differ from a failing run, such that the output is sorted.

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::optimise::{Hints, Objective, to_wcnf};
use nearmiss_logic::sat::{Lit, Solver};
use nearmiss_logic::term::{Term, Terms};
use std::path::Path;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % n
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: instances FOLDER")?;
    std::fs::create_dir_all(&folder)?;
    let write = |name: &str, (solver, objective): (Solver, Objective)| {
        let text = to_wcnf(&solver, &[], &objective, &Hints::default()).unwrap_or_default();
        std::fs::write(Path::new(&folder).join(format!("{name}.wcnf")), text)
    };
    write("random_160", random(1, 160, 430, 160, 1000))?;
    write("random_300", random(2, 300, 620, 300, 1000))?;
    write("random_2000", random(3, 2000, 2400, 2000, 1000))?;
    write("random_200_count", random(4, 200, 420, 200, 1))?;
    write("random_120_count", random(14, 120, 330, 120, 1))?;
    write("sum_2_inequalities", sum(5, 20, 2, Kind::Inequality))?;
    write("sum_3_inequalities", sum(6, 20, 3, Kind::Inequality))?;
    write("sum_1_equality", sum(7, 20, 1, Kind::Equality))?;
    write("sum_3_products", sum(8, 20, 3, Kind::Product))?;
    write("sum_1_inequality", sum(18, 20, 1, Kind::Inequality))?;
    write("sum_5_products", sum(19, 20, 5, Kind::Product))?;
    for count in [5, 7, 9] {
        write(&format!("sort_{count}_input_changes"), sort(9, count, Goal::InputChanges))?;
    }
    for count in [4, 5, 6] {
        write(&format!("sort_{count}_all_values"), sort(11, count, Goal::AllValues))?;
    }
    for count in [6, 10, 16] {
        write(&format!("sort_{count}_changed_values"), sort(12, count, Goal::ChangedValues))?;
    }
    Ok(())
}

fn random(seed: u64, variables: u64, clauses: u64, softs: u64, heaviest: u64) -> (Solver, Objective) {
    let mut random = Random(seed);
    let mut solver = Solver::new();
    solver.record_clauses();
    let lits: Vec<Lit> = (0..variables).map(|_| solver.new_var()).collect();
    let literal = |random: &mut Random| lits[random.below(variables) as usize].negate_if(random.below(2) == 0);
    for _ in 0..clauses {
        let clause = [literal(&mut random), literal(&mut random), literal(&mut random)];
        solver.add_clause(&clause);
    }
    let price = |_| (literal(&mut random), 1 + random.below(heaviest));
    let prices = (0..softs).map(price).collect();
    (solver, Objective::Weighted(prices))
}

enum Kind {
    Inequality,
    Equality,
    Product,
}

/// The least sum of so many integers of ten bits under so many constraints.
fn sum(seed: u64, count: usize, constraints: u32, kind: Kind) -> (Solver, Objective) {
    let mut random = Random(seed);
    let mut terms = Terms::new();
    let mut blaster = Blaster::new();
    blaster.solver.record_clauses();
    let numbers: Vec<Term> = (0..count).map(|i| terms.fresh(&format!("x{i}"), 32)).collect();
    let limit = terms.constant(32, 1024);
    for &number in &numbers {
        let small = terms.ult(number, limit);
        blaster.assert(&terms, small);
    }
    for _ in 0..constraints {
        let mut total = terms.constant(32, 0);
        let bound = 30 + random.below(20);
        for &number in numbers.iter().take(count) {
            let factor = random.below(6) + 1;
            let negative = random.below(4) == 0;
            let mut part = terms.constant(32, u128::from(factor));
            part = terms.mul(part, number);
            total = if negative { terms.sub(total, part) } else { terms.add(total, part) };
        }
        let condition = match kind {
            Kind::Inequality => {
                let bound = terms.constant(32, u128::from(bound));
                terms.sge(total, bound)
            }
            Kind::Equality => {
                let bound = terms.constant(32, u128::from(bound));
                terms.eq(total, bound)
            }
            Kind::Product => {
                let [a, b] = [0; 2].map(|_| numbers[random.below(count as u64) as usize]);
                let [c, d] = [0; 2].map(|_| numbers[random.below(count as u64) as usize]);
                let (left, right) = (terms.mul(a, b), terms.mul(c, d));
                let both = terms.add(left, right);
                let bound = terms.constant(32, u128::from(20_000 + random.below(10_000)));
                terms.uge(both, bound)
            }
        };
        blaster.assert(&terms, condition);
    }
    let bits = numbers.iter().map(|&number| blaster.bits(&terms, number)).collect();
    (blaster.solver, Objective::Sum(bits))
}

enum Goal {
    InputChanges,
    AllValues,
    ChangedValues,
}

/// A bubble sort that leaves out its last comparison, whose output must be strictly sorted.
fn sort(seed: u64, count: usize, goal: Goal) -> (Solver, Objective) {
    let mut random = Random(seed);
    let mut terms = Terms::new();
    let mut blaster = Blaster::new();
    blaster.solver.record_clauses();
    let inputs: Vec<Term> = (0..count).map(|i| terms.fresh(&format!("x{i}"), 32)).collect();
    let mut failing = Assignment::new();
    for (i, &input) in inputs.iter().enumerate() {
        // Descending, so that the comparison left out matters.
        failing.set(input, u128::from((count - i) as u64 * 1000 + random.below(500)));
    }
    let mut values = inputs.clone();
    let mut all = inputs.clone();
    for pass in 1..count {
        for i in 0..count - pass {
            if pass == count - 1 {
                continue;
            }
            let (a, b) = (values[i], values[i + 1]);
            let swap = terms.sgt(a, b);
            values[i] = terms.ite(swap, b, a);
            values[i + 1] = terms.ite(swap, a, b);
            all.extend([swap, values[i], values[i + 1]]);
        }
    }
    for pair in values.windows(2) {
        let sorted = terms.slt(pair[0], pair[1]);
        blaster.assert(&terms, sorted);
    }
    let objective = match goal {
        Goal::InputChanges => {
            let mut changes = Vec::new();
            for &input in &inputs {
                let old = terms.constant(33, failing.get(input));
                let wide = terms.sext(input, 33);
                let change = terms.sub(wide, old);
                changes.push(magnitude(&mut terms, change));
            }
            Objective::Sum(changes.iter().map(|&change| blaster.bits(&terms, change)).collect())
        }
        Goal::AllValues => {
            let numbers: Vec<Term> = all.iter().copied().filter(|&value| terms.width(value) > 1).collect();
            let numbers: Vec<Term> = numbers.iter().map(|&number| magnitude(&mut terms, number)).collect();
            Objective::Sum(numbers.iter().map(|&number| blaster.bits(&terms, number)).collect())
        }
        Goal::ChangedValues => {
            let olds: Vec<u128> = {
                let mut evaluator = Evaluator::new(&terms, &failing);
                all.iter().map(|&value| evaluator.value(value)).collect()
            };
            let mut prices = Vec::new();
            for (&value, old) in all.iter().zip(olds) {
                let old = terms.constant(terms.width(value), old);
                let changed = terms.ne(value, old);
                prices.push((blaster.literal(&terms, changed), 1));
            }
            Objective::Weighted(prices)
        }
    };
    (blaster.solver, objective)
}

/// |x|, as the paper has it: x xor its sign, plus its sign.
fn magnitude(terms: &mut Terms, value: Term) -> Term {
    let sign = terms.sign_bit(value);
    let negated = terms.neg(value);
    terms.ite(sign, negated, value)
}
