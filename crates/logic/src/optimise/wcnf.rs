//! Problems as text in the DIMACS format of weighted MaxSAT, so that they can be kept, and given to other solvers.
//!
//! Printed is the format that every solver reads: `p wcnf VARIABLES CLAUSES TOP`, then a weight before each clause, `TOP`
//! (more than all the rest together) for those that must hold. Read is this and the newer one, with `h` for clauses that
//! must hold and no header. A price becomes a clause that says it is not paid; what is paid always is in a comment,
//! `c constant N`, and read from there.

use super::{Objective, Prices};
use crate::sat::{Lit, Solver};
use std::fmt::Write;

/// What is wrong with a text that should be a weighted MaxSAT problem, and in which line, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WcnfError {
    /// The line.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl std::fmt::Display for WcnfError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for WcnfError {}

/// The solver's recorded clauses, the assumptions as units, and the objective. None without a record.
pub fn to_wcnf(solver: &Solver, assumptions: &[Lit], objective: &Objective) -> Option<String> {
    let prices = Prices::of(objective);
    let top = prices.total() - prices.constant + 1;
    let dimacs = solver.to_dimacs(assumptions)?;
    let mut hard = dimacs.lines();
    let header: Vec<&str> = hard.next()?.split(' ').collect();
    let clauses: usize = header.get(3)?.parse().ok()?;
    let mut out = format!("c constant {}\n", prices.constant);
    let _ = writeln!(out, "p wcnf {} {} {top}", header.get(2)?, clauses + prices.weights.len());
    for clause in hard {
        let _ = writeln!(out, "{top} {clause}");
    }
    for &(lit, weight) in &prices.weights {
        let _ = writeln!(out, "{weight} {} 0", (!lit).dimacs());
    }
    Some(out)
}

/// A problem read from text: a solver that records its clauses, and the objective, whose weights fit 62 bits.
pub fn from_wcnf(text: &str) -> Result<(Solver, Objective), WcnfError> {
    let mut solver = Solver::new();
    solver.expect_many_calls();
    solver.record_clauses();
    let mut prices = Vec::new();
    let mut soft = Vec::new();
    let mut top = None;
    let mut variables = 0;
    for (i, line) in text.lines().enumerate() {
        let error = |message: &str| WcnfError { line: i + 1, message: message.to_string() };
        let number = |word: Option<&str>| {
            let number = word.and_then(|word| word.parse::<u64>().ok());
            number.ok_or_else(|| error("a number expected"))
        };
        let mut words = line.split_whitespace().peekable();
        match words.peek().copied() {
            None => continue,
            Some("c") => {
                if words.nth(1) == Some("constant") {
                    prices.push((Lit::TRUE, number(words.next())?));
                }
                continue;
            }
            Some("p") => {
                if words.nth(1) != Some("wcnf") {
                    return Err(error("`p wcnf` expected"));
                }
                grow(&mut solver, &mut variables, number(words.next())?).ok_or_else(|| error("too many variables"))?;
                number(words.next())?;
                top = words.next().map(|word| number(Some(word))).transpose()?;
                continue;
            }
            Some(_) => {}
        }
        let weight = match words.next() {
            Some("h") => None,
            word => Some(number(word)?).filter(|&weight| Some(weight) != top),
        };
        if weight.is_some_and(|weight| weight > 1 << 62) {
            return Err(error("a weight of more than 62 bits"));
        }
        let mut clause = Vec::new();
        loop {
            let lit = words.next().and_then(|word| word.parse::<i32>().ok());
            let lit = lit.ok_or_else(|| error("a literal or 0 expected"))?;
            if lit == 0 {
                break;
            }
            grow(&mut solver, &mut variables, u64::from(lit.unsigned_abs()))
                .ok_or_else(|| error("too many variables"))?;
            clause.push(Lit::of_variable(lit.unsigned_abs() as usize).negate_if(lit < 0));
        }
        match (weight, clause.as_slice()) {
            (None, _) => solver.add_clause(&clause),
            (Some(weight), []) => prices.push((Lit::TRUE, weight)),
            (Some(weight), &[lit]) => prices.push((!lit, weight)),
            (Some(weight), _) => soft.push((clause, weight)),
        }
    }
    for (mut clause, weight) in soft {
        let unmet = solver.new_var();
        clause.push(unmet);
        solver.add_clause(&clause);
        prices.push((unmet, weight));
    }
    Ok((solver, Objective::Weighted(prices)))
}

/// Make variables up to this number; None if that is beyond reason.
fn grow(solver: &mut Solver, variables: &mut u64, number: u64) -> Option<()> {
    if number >= 1 << 30 {
        return None;
    }
    while *variables < number {
        *variables += 1;
        solver.new_var();
    }
    Some(())
}
