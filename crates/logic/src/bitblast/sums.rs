//! Words that are sums of others: what they are made of is remembered, by their literals.
//!
//! The idea: a pointer that walks from the start of a buffer to its end is the start and a number, and the end is the start and a length. That one is
//! below the other means that the number is below the length, but a solver has to find that out from two adders. So what both sides of a
//! comparison or a difference have in common is left out, and a word that was counted up from another again and again is that other and one
//! constant. All of it is about sums that never wrap round: then a word *is* its sum.

use super::Blaster;
use crate::hash::FxBuild;
use crate::sat::Lit;
use std::collections::HashMap;
use std::rc::Rc;

/// Words of more bits are taken as they are.
const MOST_BITS: usize = 64;
/// So many words are remembered of a sum at most.
const MOST_PARTS: usize = 4;
/// In so many bits nothing wraps round that is made of words of [`MOST_BITS`].
const ENOUGH_BITS: usize = MOST_BITS + 4;

/// Sums by the bits that are not known, without zeros at the top.
pub(super) type Sums = HashMap<Box<[Lit]>, Sum, FxBuild>;

/// A constant and words, sorted, that add up to a word.
#[derive(Clone)]
pub(super) struct Sum {
    constant: i128,
    parts: Vec<Rc<[Lit]>>,
}

impl Blaster {
    /// `a + b`, modulo two to the width.
    pub(super) fn add_words(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let width = a.len();
        if width > MOST_BITS || (greatest(a) + greatest(b)) >> width != 0 {
            return self.add(a, b, Lit::FALSE);
        }
        let (Sum { constant, mut parts }, other) = (self.sum_of(a), self.sum_of(b));
        let constant = constant + other.constant;
        parts.extend(other.parts);
        parts.sort_unstable();
        let sum = match &*parts {
            [part] if constant >= 0 => {
                let part = padded(part, width);
                self.add(&part, &constant_word(constant, width), Lit::FALSE)
            }
            _ => self.add(a, b, Lit::FALSE),
        };
        let (known, rest) = split(&sum);
        if parts.len() <= MOST_PARTS && !rest.is_empty() && !matches!(&*parts, [part] if **part == *rest) {
            self.sums.entry(rest).or_insert(Sum { constant: constant - known, parts });
        }
        sum
    }

    /// `a - b`, modulo two to the width.
    pub(super) fn subtract_words(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        match self.without_common(a, b) {
            Some((rest_a, rest_b)) => self.subtract(&rest_a[..a.len()], &rest_b[..a.len()]),
            None => self.subtract(a, b),
        }
    }

    /// `a < b`, unsigned.
    pub(super) fn less_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        match self.without_common(a, b) {
            Some((a, b)) => self.less(&a, &b),
            None => self.less(a, b),
        }
    }

    /// `a = b`.
    pub(super) fn equal_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        match self.without_common(a, b) {
            Some((a, b)) => self.equal(&a, &b),
            None => self.equal(a, b),
        }
    }

    /// Two longer words with the same difference, without what both are sums of. None if that is nothing, or if too much is left.
    fn without_common(&mut self, a: &[Lit], b: &[Lit]) -> Option<(Vec<Lit>, Vec<Lit>)> {
        if a.len() > MOST_BITS || self.sums.is_empty() {
            return None;
        }
        let (mut a, mut b) = (self.sum_of(a), self.sum_of(b));
        let before = b.parts.len();
        a.parts.retain(|part| match b.parts.iter().position(|other| other == part) {
            Some(at) => {
                b.parts.remove(at);
                false
            }
            None => true,
        });
        if b.parts.len() == before || a.parts.len() > 1 || b.parts.len() > 1 {
            return None;
        }
        let more = a.constant - b.constant;
        Some((self.rest(&a, more.max(0)), self.rest(&b, (-more).max(0))))
    }

    /// What is left of a sum, and a constant.
    fn rest(&mut self, sum: &Sum, constant: i128) -> Vec<Lit> {
        let part = padded(sum.parts.first().map_or(&[], |part| &**part), ENOUGH_BITS);
        self.add(&part, &constant_word(constant, ENOUGH_BITS), Lit::FALSE)
    }

    /// What a word is the sum of; itself if nothing is known.
    fn sum_of(&self, word: &[Lit]) -> Sum {
        let (constant, rest) = split(word);
        match self.sums.get(&rest) {
            Some(sum) => Sum { constant: constant + sum.constant, parts: sum.parts.clone() },
            None if rest.is_empty() => Sum { constant, parts: Vec::new() },
            None => Sum { constant, parts: vec![rest.into()] },
        }
    }
}

/// What a word has of bits that are known, and the others, without zeros at the top.
fn split(word: &[Lit]) -> (i128, Box<[Lit]>) {
    let known = (word.iter().enumerate()).filter(|(_, bit)| **bit == Lit::TRUE).map(|(at, _)| 1i128 << at).sum();
    let mut rest: Vec<Lit> = word.iter().map(|&bit| if bit == Lit::TRUE { Lit::FALSE } else { bit }).collect();
    rest.truncate(rest.iter().rposition(|&bit| bit != Lit::FALSE).map_or(0, |last| last + 1));
    (known, rest.into())
}

/// No value of a word is greater.
fn greatest(word: &[Lit]) -> u128 {
    (word.iter().enumerate()).filter(|(_, bit)| **bit != Lit::FALSE).map(|(at, _)| 1u128 << at).sum()
}

fn padded(word: &[Lit], width: usize) -> Vec<Lit> {
    let mut word = word.to_vec();
    word.resize(width, Lit::FALSE);
    word
}

fn constant_word(value: i128, width: usize) -> Vec<Lit> {
    (0..width).map(|at| Lit::constant(value >> at & 1 == 1)).collect()
}
