//! The distance of two runs by alignment, from what the interpreter saw of them and the definition alone (Chaki, Groce,
//! Strichman, "Explaining abstract counterexamples", section 4).
//!
//! Plain dynamic programming over all pairs of steps. Objects are numbered as the machine creates them, so whether two
//! addresses of different runs are the same cannot be told from their bits: the distance is computed with all of them
//! equal and with all of them different, and the truth is between.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::predicate::Observed;
use crate::compared::{MOST_ASKED, asked};
use crate::explanation::Weights;
use nearmiss_logic::width::{low_bits, sign_extend};
use nearmiss_program::program::{ClaimId, FunctionId, Program, StatementKind, TypeId};
use nearmiss_program::run::{Run, RunStep, RunStepKind};
use nearmiss_program::source::Span;

/// What of the things that one text sets: `p = f(p, i, n)` sets two parameters and then all of a record.
#[derive(PartialEq)]
enum Share {
    Whole,
    Parameter(usize),
    Part(usize),
}

/// A step as far as it is compared: where it is, whether it violates a claim, and its value.
struct Seen {
    place: (FunctionId, Span, u8, Option<TypeId>, Share),
    fails: bool,
    /// What the formula asks of the value that it returns.
    answers: Vec<bool>,
    values: Vec<u128>,
    /// Whether its value may be the address of an object.
    is_address: bool,
}

/// Two runs, and what is compared of them if it is not values.
pub struct Runs<'a> {
    /// The failing run and the passing one.
    pub runs: [&'a Run; 2],
    /// Predicates.
    pub observed: Option<&'a Observed<'a>>,
}

/// The least and the largest that the distance can be. Of the passing run the first `compared` steps that take part
/// count. `claims` are those that take part.
pub fn distance(
    program: &Program,
    runs: &Runs<'_>,
    compared: usize,
    claims: &dyn Fn(ClaimId) -> bool,
    weights: &Weights,
) -> Result<RangeInclusive<u64>, String> {
    let [a, b] = [0, 1].map(|number| seen(program, runs, number, claims));
    let (a, mut b) = (a?, b?);
    if b.len() < compared {
        return Err(format!("the passing run should take {compared} steps, but it takes {}", b.len()));
    }
    b.truncate(compared);
    Ok(cost(&a, &b, weights, false)..=cost(&a, &b, weights, true))
}

fn cost(a: &[Seen], b: &[Seen], weights: &Weights, pointers_differ: bool) -> u64 {
    let price = |one: &Seen, other: &Seen| {
        let differing = one.values.iter().zip(&other.values).filter(|(a, b)| a != b).count() as u64;
        let differing = if one.is_address && other.is_address { u64::from(pointers_differ) } else { differing };
        differing * weights.component
            + u64::from(one.fails != other.fails || one.answers != other.answers) * weights.action
    };
    let mut row: Vec<u64> = (0..=b.len() as u64).map(|inserted| inserted * weights.control).collect();
    for one in a {
        let mut diagonal = row[0];
        row[0] += weights.control;
        for (at, other) in b.iter().enumerate() {
            let mut best = row[at].min(row[at + 1]) + weights.control;
            if one.place == other.place {
                best = best.min(diagonal + price(one, other));
            }
            diagonal = row[at + 1];
            row[at + 1] = best;
        }
    }
    row.last().copied().unwrap_or(0)
}

/// The steps that take part.
fn seen(
    program: &Program,
    runs: &Runs<'_>,
    number: usize,
    claims: &dyn Fn(ClaimId) -> bool,
) -> Result<Vec<Seen>, String> {
    let run = runs.runs[number];
    let observed = runs.observed.map(|observed| observed.at(program, run, number)).transpose()?;
    let mut seen = Vec::new();
    let parts = copies(program);
    let mut in_a_row = 0;
    // Arguments are passed where the call stands.
    let mut call = None;
    for (index, RunStep { kind, span, function, .. }) in run.steps.iter().enumerate() {
        let (sort, ty, value) = match kind {
            RunStepKind::Call { callee } => {
                call = Some(*span);
                if !program.temporal.as_ref().is_some_and(|temporal| temporal.is_called(*callee)) {
                    continue;
                }
                (5, None, None)
            }
            RunStepKind::Input { site, value, .. } => {
                let site = &program.sites[site.index()];
                if !program.is_scalar(site.ty) || !site.kind.is_read() {
                    continue;
                }
                (0, Some(site.ty), Some(*value))
            }
            RunStepKind::Assign { ty, value, .. } => (1, Some(*ty), Some(*value)),
            RunStepKind::Branch { taken, .. } => (2, None, Some(u128::from(*taken))),
            RunStepKind::Return { value: Some((ty, value)) } => (3, Some(*ty), Some(*value)),
            RunStepKind::Claim { claim, .. } if claims(*claim) => (4, None, None),
            RunStepKind::Return { value: None } | RunStepKind::Claim { .. } => continue,
        };
        let described = program.function(*function);
        let mut parameters = described.locals[..described.parameters as usize].iter();
        let parameter = parameters.position(|local| local.span == *span).filter(|_| sort == 1);
        let parts = parts.get(&(*function, *span)).filter(|_| sort == 1 && parameter.is_none());
        in_a_row = if parts.is_some() { in_a_row + 1 } else { 0 };
        let share = match (parameter, parts) {
            (Some(number), _) => Share::Parameter(number),
            (None, Some(parts)) => Share::Part((in_a_row - 1) % parts),
            (None, None) => Share::Whole,
        };
        let span = if parameter.is_some() { call.unwrap_or(*span) } else { *span };
        let fails = matches!(kind, RunStepKind::Claim { held: false, .. });
        let is_wide = ty.is_some_and(|ty| program.size_bits(ty) >= u64::from(program.pointer.bits));
        let is_address = is_wide && value.is_some_and(|value| program.pointer.decode(value).0 != 0);
        let (values, is_address) = match (&observed, runs.observed) {
            (Some(truths), Some(observed)) => {
                let told = observed.told[number].get(seen.len()).map_or(&[][..], Vec::as_slice);
                (observed.components((*function, span), &truths[index], told), false)
            }
            _ => (value.into_iter().collect(), is_address),
        };
        let answers = match kind {
            RunStepKind::Return { value: Some((ty, value)) } if runs.observed.is_some() => {
                answers(program, *function, *ty, *value)
            }
            _ => Vec::new(),
        };
        seen.push(Seen { place: (*function, span, sort, ty, share), fails, answers, values, is_address });
    }
    Ok(seen)
}

/// Where whole objects are set, and of how many scalars each.
fn copies(program: &Program) -> HashMap<(FunctionId, Span), usize> {
    let mut found = HashMap::new();
    for (index, function) in program.functions.iter().enumerate() {
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            let (StatementKind::Copy { target, .. } | StatementKind::Call { target: Some(target), .. }) =
                &statement.kind
            else {
                continue;
            };
            let ty = program.place(*target).ty;
            // Of larger ones the parts are not told.
            if let Some(scalars) = program.scalars(ty, 64).filter(|parts| !program.is_scalar(ty) && !parts.is_empty()) {
                found.insert((FunctionId(index as u32), statement.span), scalars.len());
            }
        }
    }
    found
}

/// What the formula asks of a returned value, answered.
fn answers(program: &Program, function: FunctionId, ty: TypeId, value: u128) -> Vec<bool> {
    let bits = program.size_bits(ty).min(128) as u32;
    let value = if program.is_signed(ty) { sign_extend(value, bits) } else { (value & low_bits(bits)) as i128 };
    let asked = asked(program, function).into_iter().take(MOST_ASKED);
    asked.map(|(how, number)| how.holds(value, number)).collect()
}
