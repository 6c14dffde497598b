//! Problems as text in the DIMACS format of weighted MaxSAT, so that they can be kept, and given to other solvers.
//!
//! Printed is the format that every solver reads: `p wcnf VARIABLES CLAUSES TOP`, then a weight before each clause, `TOP`
//! (more than all the rest together) for those that must hold. Read is this and the newer one, with `h` for clauses that
//! must hold and no header. A price becomes a clause that says it is not paid.
//!
//! Comments say what the format cannot, and are read from there: `c constant N` is paid always, `c model L …` is a model known
//! already, as the literals that hold, and `c prefer L …` are values to guess first. To other solvers they are comments.

use super::Objective;
use super::prices::Prices;
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

/// What is known of a problem besides. It makes the search shorter and changes no minimum.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Hints {
    /// A model, as the literals that hold; empty if none is known. See `warm` of [`minimise`](super::minimise).
    pub model: Vec<Lit>,
    /// Values to prefer where the search has to guess; see [`Solver::set_phase`].
    pub preferred: Vec<Lit>,
}

/// The solver's recorded clauses, the assumptions as units, and the objective. None without a record.
pub fn to_wcnf(solver: &Solver, assumptions: &[Lit], objective: &Objective, hints: &Hints) -> Option<String> {
    let prices = Prices::of(objective);
    let top = prices.total() - prices.constant + 1;
    let dimacs = solver.to_dimacs(assumptions)?;
    let mut hard = dimacs.lines();
    let header: Vec<&str> = hard.next()?.split(' ').collect();
    let clauses: usize = header.get(3)?.parse().ok()?;
    let mut out = format!("c constant {}\n", prices.constant);
    for (name, literals) in [("model", &hints.model), ("prefer", &hints.preferred)] {
        for some in literals.chunks(20) {
            let words: Vec<String> = some.iter().map(|lit| lit.dimacs().to_string()).collect();
            let _ = writeln!(out, "c {name} {}", words.join(" "));
        }
    }
    let _ = writeln!(out, "p wcnf {} {} {top}", header.get(2)?, clauses + prices.weights.len());
    for clause in hard {
        let _ = writeln!(out, "{top} {clause}");
    }
    for &(lit, weight) in &prices.weights {
        let _ = writeln!(out, "{weight} {} 0", (!lit).dimacs());
    }
    Some(out)
}

/// A problem as it was read.
#[derive(Clone, Default, Debug)]
pub struct Wcnf {
    variables: u64,
    /// One clause after the other, with the number of its literals in front.
    hard: Vec<i32>,
    /// Clauses of two literals or more with a price.
    soft: Vec<(Vec<i32>, u64)>,
    prices: Vec<(Lit, u64)>,
    /// What is known besides.
    pub hints: Hints,
}

impl Wcnf {
    /// Reads a problem whose weights fit 62 bits.
    pub fn read(text: &str) -> Result<Wcnf, WcnfError> {
        let mut read = Wcnf::default();
        let mut clause: Vec<i32> = Vec::new();
        let mut top = None;
        for (i, line) in text.as_bytes().split(|&byte| byte == b'\n').enumerate() {
            let error = |message: &str| WcnfError { line: i + 1, message: message.to_string() };
            let number = |word: Option<&[u8]>| {
                let number = word.and_then(integer).and_then(|number| u64::try_from(number).ok());
                number.ok_or_else(|| error("a number expected"))
            };
            let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            let weight = match words.next() {
                None => continue,
                Some(b"c") => {
                    let hint = match words.next() {
                        Some(b"constant") => {
                            read.prices.push((Lit::TRUE, number(words.next())?));
                            continue;
                        }
                        Some(b"model") => &mut read.hints.model,
                        Some(b"prefer") => &mut read.hints.preferred,
                        _ => continue,
                    };
                    for word in words {
                        let lit = integer(word).and_then(|number| i32::try_from(number).ok());
                        let lit = lit.filter(|&lit| lit != 0 && u64::from(lit.unsigned_abs()) < MOST_VARIABLES);
                        hint.push(literal(lit.ok_or_else(|| error("a literal expected"))?));
                    }
                    continue;
                }
                Some(b"p") => {
                    if words.next() != Some(b"wcnf") {
                        return Err(error("`p wcnf` expected"));
                    }
                    read.variables = number(words.next())?;
                    number(words.next())?;
                    top = words.next().map(|word| number(Some(word))).transpose()?;
                    if read.variables >= MOST_VARIABLES {
                        return Err(error("too many variables"));
                    }
                    continue;
                }
                Some(b"h") => None,
                word => Some(number(word)?).filter(|&weight| Some(weight) != top),
            };
            if weight.is_some_and(|weight| weight > 1 << 62) {
                return Err(error("a weight of more than 62 bits"));
            }
            clause.clear();
            loop {
                let lit = words.next().and_then(integer).and_then(|number| i32::try_from(number).ok());
                let lit = lit.ok_or_else(|| error("a literal or 0 expected"))?;
                if lit == 0 {
                    break;
                }
                read.variables = read.variables.max(u64::from(lit.unsigned_abs()));
                if read.variables >= MOST_VARIABLES {
                    return Err(error("too many variables"));
                }
                clause.push(lit);
            }
            match (weight, clause.as_slice()) {
                (None, _) => {
                    read.hard.push(i32::try_from(clause.len()).map_err(|_| error("too many literals"))?);
                    read.hard.extend(&clause);
                }
                (Some(weight), []) => read.prices.push((Lit::TRUE, weight)),
                (Some(weight), &[lit]) => read.prices.push((!literal(lit), weight)),
                (Some(weight), _) => read.soft.push((clause.clone(), weight)),
            }
        }
        // A hint about what no clause mentions says nothing.
        for hint in [&mut read.hints.model, &mut read.hints.preferred] {
            hint.retain(|lit| lit.variable() as u64 <= read.variables);
        }
        Ok(read)
    }

    /// A solver that records its clauses, and the objective.
    pub fn problem(&self) -> (Solver, Objective) {
        let mut prices = self.prices.clone();
        let mut solver = Solver::new();
        solver.expect_many_calls();
        // For counts that is several times faster; for the bits of numbers it is not.
        if self.prices.iter().all(|&(_, weight)| weight <= self.prices.len() as u64) {
            solver.guess_early_variables_first();
        }
        solver.record_clauses();
        for _ in 0..self.variables {
            solver.new_var();
        }
        let mut lits: Vec<Lit> = Vec::new();
        for clause in self.clauses() {
            lits.clear();
            lits.extend(clause.iter().map(|&lit| literal(lit)));
            solver.add_clause(&lits);
        }
        for (clause, weight) in &self.soft {
            let unmet = solver.new_var();
            let clause: Vec<Lit> = clause.iter().map(|&lit| literal(lit)).chain([unmet]).collect();
            solver.add_clause(&clause);
            prices.push((unmet, *weight));
        }
        (solver, Objective::Weighted(prices))
    }

    /// The clauses that must hold.
    fn clauses(&self) -> impl Iterator<Item = &[i32]> {
        let mut rest = self.hard.as_slice();
        std::iter::from_fn(move || {
            let (&length, after) = rest.split_first()?;
            let (clause, after) = after.split_at(length as usize);
            rest = after;
            Some(clause)
        })
    }
}

const MOST_VARIABLES: u64 = 1 << 30;

fn literal(lit: i32) -> Lit {
    Lit::of_variable(lit.unsigned_abs() as usize).negate_if(lit < 0)
}

/// A decimal number with or without a sign.
fn integer(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let first = digits.first()?;
    let mut value = i64::from(first.checked_sub(b'0').filter(|&digit| digit <= 9)?);
    for digit in &digits[1..] {
        let digit = digit.checked_sub(b'0').filter(|&digit| digit <= 9)?;
        value = value.checked_mul(10)?.checked_add(i64::from(digit))?;
    }
    Some(if negative { -value } else { value })
}
