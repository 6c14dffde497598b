//! Functions of the machine, point by point.
//!
//! The solver knows no more of such a function than the points it was told. A model that has another result than the machine is
//! no model: the point is added, and the question asked again. So a model that is handed out is always true, and so is
//! every "there is none". (Refinement by lemmas, as solvers do for functions beyond their theory.) Before it goes on that way, the solver is asked
//! for a model among points that it knows, of which a first few are given: those are found at once where there are any.
//!
//! A question that asks for more than [`MOST_POINTS`] is given up: [`Solver::gave_up_on`] says because of which function.

use super::{Lit, Outcome, Solver};
use crate::machine::Function;

/// Points that one question may ask for.
const MOST_POINTS: usize = 120;

/// A result that is to be the function of its arguments.
#[derive(Clone)]
pub(super) struct Applied {
    function: Function,
    arguments: [Vec<Lit>; 2],
    result: Vec<Lit>,
    /// If this holds, the arguments are at a known point.
    known: Option<Lit>,
}

impl Solver {
    /// Require that a word is the function of the machine of two others; the second is idle if the function takes one.
    pub fn apply(&mut self, function: Function, arguments: [Vec<Lit>; 2], result: Vec<Lit>) {
        self.applied.push(Applied { function, arguments, result, known: None });
    }

    /// The function because of which the last question was given up.
    pub fn gave_up_on(&self) -> Option<Function> {
        self.gave_up_on
    }

    /// Asks until the model is true of all functions of the machine.
    pub(super) fn solve_pointwise(&mut self, assumptions: &[Lit]) -> Outcome {
        self.gave_up_on = None;
        let mut outcome = self.solve_once(assumptions);
        if self.applied.is_empty() || outcome != Outcome::Sat || self.learn() == 0 {
            return outcome;
        }
        let mut told = 0;
        let among_known: Vec<Lit> = (0..self.applied.len()).map(|at| self.among_known(at)).collect();
        if self.solve_once(&[assumptions, &among_known].concat()) == Outcome::Sat && self.learn() == 0 {
            return Outcome::Sat;
        }
        loop {
            outcome = self.solve_once(assumptions);
            if outcome != Outcome::Sat {
                return outcome;
            }
            match self.wrong() {
                None => return outcome,
                Some(at) if told >= MOST_POINTS => {
                    self.gave_up_on = Some(self.applied[at].function);
                    return Outcome::Interrupted;
                }
                Some(_) => told += self.learn(),
            }
        }
    }

    /// An application whose result in the model is not the machine's.
    fn wrong(&mut self) -> Option<usize> {
        let applied = std::mem::take(&mut self.applied);
        let wrong = applied.iter().position(|one| {
            let (a, b, result) = self.read(one);
            one.function.value(one.result.len() as u32, a, b) != result
        });
        self.applied = applied;
        wrong
    }

    /// Adds the points of the model at which it is wrong; says how many these are.
    fn learn(&mut self) -> usize {
        let applied = std::mem::take(&mut self.applied);
        let read: Vec<_> = applied.iter().map(|one| self.read(one)).collect();
        let mut told = 0;
        for (one, (a, b, result)) in applied.iter().zip(read) {
            if one.function.value(one.result.len() as u32, a, b) != result {
                self.tell(one, a, b, None);
                told += 1;
            }
        }
        self.applied = applied;
        told
    }

    fn read(&mut self, one: &Applied) -> (u128, u128, u128) {
        let mut word =
            |bits: &[Lit]| bits.iter().rev().fold(0, |value: u128, &bit| value << 1 | u128::from(self.peek(bit)));
        (word(&one.arguments[0]), word(&one.arguments[1]), word(&one.result))
    }

    /// Where the arguments are these, or this literal holds, the result is the machine's.
    fn tell(&mut self, one: &Applied, a: u128, b: u128, chosen: Option<Lit>) {
        let value = one.function.value(one.result.len() as u32, a, b);
        let same = |bits: &[Lit], value: u128| -> Vec<Lit> {
            bits.iter().enumerate().map(|(at, &bit)| bit.negate_if(value >> at & 1 == 0)).collect()
        };
        let mut here = same(&one.arguments[0], a);
        if one.function.arity() == 2 {
            here.extend(same(&one.arguments[1], b));
        }
        let elsewhere: Vec<Lit> = match chosen {
            None => here.iter().map(|&bit| !bit).collect(),
            Some(chosen) => {
                here.iter().for_each(|&bit| self.add_clause(&[!chosen, bit]));
                vec![!chosen]
            }
        };
        for bit in same(&one.result, value) {
            self.add_clause(&[elsewhere.as_slice(), &[bit]].concat());
        }
    }

    /// A literal that keeps the arguments of an application to the points that are given first.
    fn among_known(&mut self, at: usize) -> Lit {
        if let Some(known) = self.applied[at].known {
            return known;
        }
        let one = self.applied[at].clone();
        let known = self.new_var();
        let mut some = vec![!known];
        for (a, b) in one.function.seeds(one.result.len() as u32) {
            let chosen = self.new_var();
            self.tell(&one, a, b, Some(chosen));
            some.push(chosen);
        }
        self.add_clause(&some);
        self.applied[at].known = Some(known);
        known
    }
}
