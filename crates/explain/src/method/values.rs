//! What makes the values of a run small: the sum of magnitudes, and what is preferred where sums are equal.
//!
//! A value counts where it is an executed input or an executed assignment that a person wrote. Integers of every kind
//! (signed, unsigned, characters, truth values, enumerations) count by their magnitude |x|; that sum is what a
//! counterexample is proved to have the least of. Among runs with the least sum these are preferred, each by its C type
//! and in this order:
//!
//! 1. enumerations with values that have a name;
//! 2. fewer negative numbers;
//! 3. pointers that are NULL, then such to objects, then invalid ones;
//! 4. pointers to the first objects and to their first bytes;
//! 5. shorter strings: of adjacent characters that are inputs, those before the first `'\0'`;
//! 6. characters that can be read: printable ones and the usual escapes.
//!
//! A character counts by its code, although `'a'` is easier to read than `'\1'`: then the sum is one that anybody can
//! check, and it means the same for a `char` as for the `int` that it is assigned to. Hence readability is a preference
//! and not a magnitude.

use std::collections::BTreeMap;

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::Evaluator;
use nearmiss_logic::optimise::Objective;
use nearmiss_logic::sat::Lit;
use nearmiss_logic::term::{Term, Terms};
use nearmiss_logic::width::sign_extend;

use super::afford::Purse;
use crate::equation::{CreationId, Equation, Step, StepKind};
use nearmiss_program::program::{INVALID_OBJECT, Program, Type, TypeId};

/// Enumerations with more members than this are just numbers.
const MOST_MEMBERS: usize = 256;

/// A value that counts in the sum.
pub struct Magnitude {
    /// Bits of |x| but for the one that is added for a negative number.
    pub bits: Vec<Lit>,
    /// The sign, constant false for unsigned types.
    pub sign: Lit,
}

/// The values of all runs.
pub struct Values {
    /// Integers, each 0 where it is not executed.
    pub magnitudes: Vec<Magnitude>,
    /// Others that are too much to translate: terms, and whether their types have signs.
    pub left_out: Vec<(Term, bool)>,
    /// What is preferred among runs with the same sum, in order; nothing that no run can change.
    pub preferences: Vec<Objective>,
}

/// Collects them, with a literal for everything that counts and is afforded.
pub fn collect(
    program: &Program,
    equation: &mut Equation,
    executed: &[Term],
    purse: &mut Purse,
    blaster: &mut Blaster,
) -> Values {
    let values = |step: &Step| match step.kind {
        StepKind::Call { value, .. } | StepKind::Content { value, .. } | StepKind::Assign { value, .. } => Some(value),
        _ => None,
    };
    let is_afforded = |step| values(step).is_none_or(|value| purse.affords(equation, value));
    let afforded: Vec<bool> = equation.steps.iter().map(is_afforded).collect();
    let Equation { terms, steps, variables, .. } = equation;
    let mut collector = Collector { program, terms, blaster, prices: Prices::default(), strings: BTreeMap::new() };
    let (mut magnitudes, mut left_out) = (Vec::new(), Vec::new());
    for ((step, executed), is_afforded) in steps.iter().zip(executed).zip(afforded) {
        let mut executed = *executed;
        let (ty, value) = match step.kind {
            StepKind::Call { variable, value, .. } => (variables[variable.0 as usize].ty, value),
            StepKind::Content { variable, value, creation, offset, again } => {
                let is_new = collector.terms.not(again);
                executed = collector.terms.and(executed, is_new);
                let ty = variables[variable.0 as usize].ty;
                if is_character(program, ty) && offset.index.is_none() {
                    collector.strings.entry(creation).or_default().push((offset.constant, executed, value));
                }
                (ty, value)
            }
            StepKind::Assign { ty, value, .. } => (ty, value),
            _ => continue,
        };
        if !is_afforded {
            if is_integer(program, ty) {
                left_out.push((collector.where_executed(value, executed), program.is_signed(ty)));
            }
            continue;
        }
        if is_integer(program, ty) {
            magnitudes.push(collector.magnitude(ty, value, executed));
        }
        collector.prefer(ty, value, executed);
    }
    collector.short_strings();
    let negative = magnitudes.iter().map(|m| (m.sign, 1)).collect();
    let Prices { unnamed, not_null, addresses, string_lengths, unreadable } = collector.prices;
    let weighted = Objective::Weighted;
    let preferences = [
        weighted(unnamed),
        weighted(negative),
        weighted(not_null),
        Objective::Sum(addresses),
        weighted(string_lengths),
        weighted(unreadable),
    ];
    Values { magnitudes, left_out, preferences: preferences.into_iter().filter(can_differ).collect() }
}

impl Values {
    /// The sum of all magnitudes.
    pub fn sum(&self) -> Objective {
        let numbers = self.magnitudes.iter().flat_map(|m| [m.bits.clone(), vec![m.sign]]);
        Objective::Sum(numbers.filter(|bits| bits.iter().any(|bit| *bit != Lit::FALSE)).collect())
    }

    /// The sum of those that were left out, in an execution.
    pub fn sum_of_left_out(&self, terms: &Terms, evaluator: &mut Evaluator) -> u128 {
        let magnitude = |(term, is_signed): &(Term, bool)| {
            let (value, width) = (evaluator.value(*term), terms.width(*term));
            if *is_signed { (sign_extend(value, width) as i128).unsigned_abs() } else { value }
        };
        self.left_out.iter().map(magnitude).fold(0, u128::saturating_add)
    }
}

/// What each preference asks to pay for.
#[derive(Default)]
struct Prices {
    unnamed: Vec<(Lit, u64)>,
    not_null: Vec<(Lit, u64)>,
    addresses: Vec<Vec<Lit>>,
    string_lengths: Vec<(Lit, u64)>,
    unreadable: Vec<(Lit, u64)>,
}

struct Collector<'a> {
    program: &'a Program,
    terms: &'a mut Terms,
    blaster: &'a mut Blaster,
    prices: Prices,
    /// Characters that are contents of the same object: offset in bits, when it is there, and its value.
    strings: BTreeMap<CreationId, Vec<(u64, Term, Term)>>,
}

impl Collector<'_> {
    /// A value, and 0 where it is not executed.
    fn where_executed(&mut self, value: Term, executed: Term) -> Term {
        let zero = self.terms.constant(self.terms.width(value), 0);
        self.terms.ite(executed, value, zero)
    }

    fn magnitude(&mut self, ty: TypeId, value: Term, executed: Term) -> Magnitude {
        let width = self.terms.width(value);
        let value = self.where_executed(value, executed);
        if !self.program.is_signed(ty) {
            return Magnitude { bits: self.blaster.bits(self.terms, value), sign: Lit::FALSE };
        }
        // |x| is x xor its sign, plus its sign.
        let negative = self.terms.extract(value, width - 1, width - 1);
        let mask = self.terms.sext(negative, width);
        let folded = self.terms.xor(value, mask);
        let mut bits = self.blaster.bits(self.terms, folded);
        bits.pop();
        Magnitude { bits, sign: self.blaster.literal(self.terms, negative) }
    }

    fn prefer(&mut self, ty: TypeId, value: Term, executed: Term) {
        let is_bit_field = u64::from(self.terms.width(value)) != self.program.size_bits(ty);
        match self.program.ty(ty) {
            _ if is_bit_field => {}
            Type::Enum { members, .. } if members.len() <= MOST_MEMBERS => {
                let unnamed = self.none_of(value, members.iter().map(|(_, number)| (*number as u128, *number as u128)));
                let price = self.executed_literal(executed, unnamed);
                self.prices.unnamed.push((price, 1));
            }
            Type::Pointer { .. } => self.prefer_pointer(value, executed),
            _ if is_character(self.program, ty) => {
                let ranges = [(b' ', b'~'), (b'\t', b'\n'), (b'\r', b'\r'), (0, 0)];
                let unreadable =
                    self.none_of(value, ranges.into_iter().map(|(low, high)| (u128::from(low), u128::from(high))));
                let price = self.executed_literal(executed, unreadable);
                self.prices.unreadable.push((price, 1));
            }
            _ => {}
        }
    }

    fn prefer_pointer(&mut self, value: Term, executed: Term) {
        let layout = self.program.pointer;
        let zero = self.terms.constant(layout.bits, 0);
        let value = self.where_executed(value, executed);
        if self.terms.as_const(value).is_some() {
            return;
        }
        let null = self.terms.eq(value, zero);
        let object = self.terms.extract(value, layout.bits - 1, layout.offset_bits);
        let nowhere = self.terms.constant(layout.bits - layout.offset_bits, u128::from(INVALID_OBJECT));
        let invalid = self.terms.eq(object, nowhere);
        let not_null = !self.blaster.literal(self.terms, null);
        let invalid = self.blaster.literal(self.terms, invalid);
        self.prices.not_null.extend([(not_null, 1), (invalid, 1)]);
        let address = self.blaster.bits(self.terms, value);
        self.prices.addresses.push(address);
    }

    /// One bit: the value lies in none of these ranges, all of which lie on one side of 0 as the bits have it.
    fn none_of(&mut self, value: Term, ranges: impl Iterator<Item = (u128, u128)>) -> Term {
        let width = self.terms.width(value);
        let cut = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        let mut outside = self.terms.tru();
        for (low, high) in ranges {
            let (first, last) = (self.terms.constant(width, low & cut), self.terms.constant(width, high & cut));
            let inside = if low == high {
                self.terms.eq(value, first)
            } else {
                let (from, to) = (self.terms.ule(first, value), self.terms.ule(value, last));
                self.terms.and(from, to)
            };
            let not_inside = self.terms.not(inside);
            outside = self.terms.and(outside, not_inside);
        }
        outside
    }

    fn executed_literal(&mut self, executed: Term, condition: Term) -> Lit {
        let both = self.terms.and(executed, condition);
        self.blaster.literal(self.terms, both)
    }

    /// A price for every character of a string: while no `'\0'` came, it goes on.
    fn short_strings(&mut self) {
        for mut characters in std::mem::take(&mut self.strings).into_values() {
            characters.sort_by_key(|(offset, _, _)| *offset);
            for string in characters.chunk_by(|(a, _, _), (b, _, _)| a + 8 == *b).filter(|string| string.len() > 1) {
                let mut going_on = self.terms.tru();
                for (_, executed, value) in string {
                    let end = self.terms.constant(8, 0);
                    let ends = self.terms.eq(*value, end);
                    let goes_on = self.terms.not(ends);
                    going_on = self.terms.and(going_on, goes_on);
                    let price = self.executed_literal(*executed, going_on);
                    self.prices.string_lengths.push((price, 1));
                }
            }
        }
    }
}

/// Does the cost depend on the run at all?
fn can_differ(objective: &Objective) -> bool {
    match objective {
        Objective::Weighted(prices) => prices.iter().any(|(lit, _)| !lit.is_constant()),
        Objective::Sum(numbers) => numbers.iter().flatten().any(|bit| !bit.is_constant()),
    }
}

fn is_integer(program: &Program, ty: TypeId) -> bool {
    matches!(program.ty(ty), Type::Integer { .. } | Type::Enum { .. } | Type::Bool)
}

fn is_character(program: &Program, ty: TypeId) -> bool {
    matches!(program.ty(ty), Type::Integer { bits: 8, character: true, .. })
}
