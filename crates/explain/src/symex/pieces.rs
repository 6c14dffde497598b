//! Which objects a word can point into that is put together from pieces.
//!
//! The address of an object is a constant, and a part of a constant is just a number. Where a pointer was stored in one
//! branch and something narrower in another, what is read behind both is a word of pieces, each a choice among such
//! numbers. The number of the object is in the highest bits of a pointer: every number is found that these bits can be,
//! piece by piece. A combination that never comes about does no harm: whoever uses it asks for the whole word.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use nearmiss_logic::hash::FxBuild;
use nearmiss_logic::term::{Node, Term};

use super::Symex;
use super::pointer::{ELSEWHERE, ValueSet};
use nearmiss_program::program::INVALID_OBJECT;

/// With more values than this, bits may be those of every object.
const MOST_VALUES: usize = 4096;

/// What some bits of a word can be.
#[derive(Clone, Default)]
struct Values {
    /// Each with whether something else than zeros and unknown numbers says so.
    known: BTreeSet<(u128, bool)>,
    /// Whether they can be something else, of which nothing is known.
    open: bool,
    /// Whether there were too many.
    many: bool,
}

impl Values {
    fn one(value: u128) -> Values {
        Values { known: BTreeSet::from([(value, value != 0)]), ..Values::default() }
    }

    fn or(mut self, other: &Values) -> Values {
        self.known.extend(&other.known);
        Values { known: self.known, open: self.open || other.open, many: self.many || other.many }
    }

    /// Each value of the one with each value of the other.
    fn with(&self, other: &Values, combine: impl Fn(u128, u128) -> u128) -> Values {
        let (open, mut many) = (self.open || other.open, self.many || other.many);
        many |= self.known.len().saturating_mul(other.known.len()) > MOST_VALUES;
        if many {
            return Values { known: BTreeSet::new(), open, many };
        }
        let pairs = self.known.iter().flat_map(|a| other.known.iter().map(move |b| (*a, *b)));
        Values { known: pairs.map(|(a, b)| (combine(a.0, b.0), a.1 || b.1)).collect(), open, many }
    }
}

/// What was found out about pieces, for the objects that there were.
#[derive(Default)]
pub(super) struct Pieces {
    objects: Vec<u64>,
    known: HashMap<Bits, Arc<Values>, FxBuild>,
}

/// Some bits of a term: from `lo` to `hi`, and where they come to lie in the word, if it takes them as they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Bits {
    term: Term,
    hi: u32,
    lo: u32,
    at: Option<u32>,
}

impl Bits {
    fn of(self, term: Term, hi: u32, lo: u32) -> Bits {
        Bits { term, hi, lo, at: self.at }
    }

    /// Bits that lie some bits further up in the word than these.
    fn above(self, bits: u32) -> Bits {
        Bits { at: self.at.map(|at| at + bits), ..self }
    }

    fn cut(self, value: u128) -> u128 {
        value >> self.lo & ones(self.hi - self.lo + 1)
    }
}

fn ones(count: u32) -> u128 {
    if count >= 128 { u128::MAX } else { (1 << count) - 1 }
}

impl Symex<'_> {
    /// The objects that a word of pieces can point into, beyond what its value set would be.
    pub(super) fn pieced_together(&mut self, word: Term, set: &ValueSet) -> ValueSet {
        let layout = self.program.pointer;
        let objects: Vec<u64> = self.numbers_of_objects();
        // A number of which nothing is known may be a part of a new object, too.
        if self.pieces.objects != objects {
            self.pieces = Pieces { objects: objects.clone(), ..Pieces::default() };
        }
        // The highest bit of the offset is looked at, too: a pointer may be on its way from before the object.
        let lo = layout.offset_bits - 1;
        let values = self.bits_of(Bits { term: word, hi: layout.bits - 1, lo, at: Some(lo) }, &objects);
        let mut all: BTreeSet<(u64, Option<u64>)> = set.iter().map(|(object, _)| (*object, None)).collect();
        if values.many {
            all.extend(objects.iter().map(|object| (*object, None)));
        }
        let pinned = values.known.iter().filter(|(_, is_pinned)| *is_pinned);
        let found = pinned.map(|(value, _)| layout.nearest(value << lo).0);
        all.extend(found.filter(|object| objects.binary_search(object).is_ok()).map(|object| (object, None)));
        if values.open && !all.is_empty() {
            all.insert((ELSEWHERE, None));
        }
        Arc::from_iter(all)
    }

    /// The objects that are there, by their numbers in pointers.
    fn numbers_of_objects(&self) -> Vec<u64> {
        let exists = |number: &u64| *number == INVALID_OBJECT || self.program.static_object(*number).is_some();
        let fixed = (1..self.program.first_dynamic_object()).filter(exists);
        let mut numbers: Vec<u64> = fixed.chain(self.by_address.keys().copied()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// What some bits can be.
    fn bits_of(&mut self, wanted: Bits, objects: &[u64]) -> Arc<Values> {
        let mut known = std::mem::take(&mut self.pieces.known);
        let mut todo = vec![(wanted, false)];
        while let Some((bits, is_ready)) = todo.pop() {
            if known.contains_key(&bits) {
                continue;
            }
            let below = self.made_of(bits);
            if is_ready {
                let values: Vec<&Values> = below.iter().map(|piece| &*known[piece]).collect();
                let values = self.joined(bits, &below, &values, objects);
                known.insert(bits, Arc::new(values));
            } else {
                todo.push((bits, true));
                todo.extend(below.into_iter().map(|piece| (piece, false)));
            }
        }
        let found = known.get(&wanted).cloned().unwrap_or_default();
        self.pieces.known = known;
        found
    }

    /// The bits of operands that some bits are made of.
    fn made_of(&self, bits: Bits) -> Vec<Bits> {
        let Bits { term, hi, lo, .. } = bits;
        if self.pointer_bits(bits).is_some() {
            return Vec::new();
        }
        let terms = &self.eq.terms;
        let distance = |by: Term| terms.as_const(by).and_then(|by| u32::try_from(by).ok());
        match terms.node(term) {
            Node::Var { .. } => {
                self.definition(term).map(|definition| bits.of(definition, hi, lo)).into_iter().collect()
            }
            Node::Ite(_, yes, no) => vec![bits.of(yes, hi, lo), bits.of(no, hi, lo)],
            Node::Extract { term, lo: from, .. } => vec![bits.of(term, hi + from, lo + from)],
            Node::Concat(high, low) => {
                let split = terms.width(low);
                let above = (hi >= split)
                    .then(|| bits.of(high, hi - split, lo.saturating_sub(split)).above(split.saturating_sub(lo)));
                let below = (lo < split).then(|| bits.of(low, hi.min(split - 1), lo));
                above.into_iter().chain(below).collect()
            }
            Node::Zext { term, .. } => {
                let width = terms.width(term);
                (lo < width).then(|| bits.of(term, hi.min(width - 1), lo)).into_iter().collect()
            }
            // What comes of a number that is not known cannot be guessed.
            Node::And(a, b) | Node::Xor(a, b) => [a, b].map(|part| Bits { at: None, ..bits.of(part, hi, lo) }).into(),
            Node::Not(a) => vec![Bits { at: None, ..bits.of(a, hi, lo) }],
            Node::Shl(a, by) => match distance(by) {
                Some(by) if by <= hi => vec![bits.of(a, hi - by, lo.saturating_sub(by)).above(by.saturating_sub(lo))],
                _ => Vec::new(),
            },
            Node::Lshr(a, by) => match distance(by) {
                Some(by) if lo.saturating_add(by) < terms.width(a) => {
                    vec![bits.of(a, (hi + by).min(terms.width(a) - 1), lo + by)]
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn joined(&self, bits: Bits, pieces: &[Bits], values: &[&Values], objects: &[u64]) -> Values {
        if let Some(values) = self.pointer_bits(bits) {
            return values;
        }
        match (self.eq.terms.node(bits.term), values) {
            (Node::Const { value, .. }, _) => Values::one(bits.cut(value)),
            (Node::Concat(..), [high, low]) => {
                let width = pieces[1].hi - pieces[1].lo + 1;
                high.with(low, |high, low| high << width | low)
            }
            (Node::And(..), [a, b]) => a.with(b, |a, b| a & b),
            (Node::Xor(..), [a, b]) => a.with(b, |a, b| a ^ b),
            (Node::Not(_), [a]) => a.with(&Values::one(ones(bits.hi - bits.lo + 1)), |a, ones| a ^ ones),
            (Node::Ite(..), [yes, no]) => (*yes).clone().or(no),
            (Node::Zext { .. }, []) => Values::one(0),
            (Node::Shl(_, by), [a]) => {
                let by = self.eq.terms.as_const(by).unwrap_or(0) as u32;
                a.with(&Values::one(0), |a, _| a << by.saturating_sub(bits.lo))
            }
            (Node::Var { .. } | Node::Extract { .. } | Node::Concat(..) | Node::Zext { .. } | Node::Lshr(..), [a]) => {
                (*a).clone()
            }
            _ => self.unknown_bits(bits, objects),
        }
    }

    /// Bits of a pointer that is known, or was moved: those of the objects in its value set.
    fn pointer_bits(&self, bits: Bits) -> Option<Values> {
        let layout = self.program.pointer;
        let is_word = self.eq.terms.width(bits.term) == layout.bits && bits.lo + 1 >= layout.offset_bits;
        let set = self.value_sets.get(&bits.term).filter(|_| is_word)?;
        if set.is_empty() || set.iter().any(|(object, _)| *object == ELSEWHERE) {
            return None;
        }
        let starts = set.iter().map(|(object, _)| layout.encode(*object, 0));
        // From half an object before its start on.
        let places = starts.flat_map(|start| [start, start.wrapping_sub(1 << (layout.offset_bits - 1))]);
        let known = places.map(|place| (bits.cut(place), true)).collect();
        Some(Values { known, ..Values::default() })
    }

    /// A number of which nothing is known may be what completes the pointer to any object.
    fn unknown_bits(&self, bits: Bits, objects: &[u64]) -> Values {
        let layout = self.program.pointer;
        let width = bits.hi - bits.lo + 1;
        let part = |object: u64, at: u32| (layout.encode(object, 0) >> at & ones(width), false);
        let known = bits.at.map(|at| objects.iter().map(|object| part(*object, at)).collect());
        Values { known: known.unwrap_or_default(), open: true, many: false }
    }
}
