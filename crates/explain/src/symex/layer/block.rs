//! Whole ranges of bytes in layers: `memset` and `memcpy` whose place or size is not known, or whose size is large.
//!
//! Such a write is one layer, however many bytes it sets. A read through it asks whether it lies in the range, and is then the byte that
//! was set, or a read of the memory that was copied from, as far into that.

use nearmiss_logic::term::Term;

use super::{Kind, Layer};
use crate::symex::address::{Address, Index, bits_for, gcd, resized};
use crate::symex::memory::{Cells, ObjectNumber};
use crate::symex::place::Access;
use crate::symex::{State, Symex};

/// So many bytes at a known place are cells of their own.
const MOST_CELLS: u64 = 4096;

/// A range that was set, where the condition is 1.
pub(in crate::symex) struct Block {
    address: Address,
    /// In bytes, of the width of a pointer.
    size: Term,
    condition: Term,
    source: Source,
}

/// What a range was set to.
#[derive(Clone)]
pub(in crate::symex) enum Source {
    /// This byte.
    Byte(Term),
    /// What the memory held there.
    Memory(Cells, Vec<Access>),
}

impl Symex<'_> {
    /// Sets a range as one layer, if that is worth it; says whether it did.
    pub(in crate::symex) fn set_block(
        &mut self,
        state: &mut State,
        to: &[Access],
        source: &Source,
        size: Term,
    ) -> bool {
        if !self.is_block(to, source, size) {
            return false;
        }
        self.note_elements(self.longest(to));
        for access in to {
            let found = match access.parts.is_empty() {
                true => Some((Address::constant(access.constant), self.eq.terms.tru())),
                false => self.address(access.object, access.constant, &access.parts, 8),
            };
            let is_within = |at: &Address| at.constant < self.objects[access.object as usize].bits;
            let Some((address, valid)) = found.filter(|(address, _)| is_within(address)) else { continue };
            let condition = if to.len() == 1 { valid } else { self.eq.terms.and(access.condition, valid) };
            let block = Block { address, size, condition, source: source.clone() };
            self.lay(&mut state.cells, access.object, |cells| Kind::Block(cells, block));
        }
        true
    }

    fn is_block(&self, to: &[Access], source: &Source, size: Term) -> bool {
        if self.needs_elements() {
            return false;
        }
        let is_layered = |accesses: &[Access]| accesses.iter().any(|access| self.is_layered(&access.parts));
        match (self.eq.terms.as_const(size), source) {
            (None, _) => self.longest(to) > self.bounds.elements,
            (Some(_), _) if is_layered(to) => true,
            (Some(bytes), Source::Byte(value)) => {
                let is_zero = self.eq.terms.as_const(*value) == Some(0);
                bytes > u128::from(MOST_CELLS) && !(is_zero && to.len() == 1)
            }
            (Some(bytes), Source::Memory(_, from)) => bytes > u128::from(self.bounds.elements) && is_layered(from),
        }
    }

    /// Reads through a block.
    pub(in crate::symex) fn read_block(
        &mut self,
        object: ObjectNumber,
        cells: &Cells,
        block: &Block,
        at: Address,
        bits: u32,
    ) -> Term {
        let into = (at.constant % 8) as u32;
        let whole = (into + bits).next_multiple_of(8);
        if whole != bits {
            let start = Address { constant: at.constant - u64::from(into), ..at };
            let term = self.read_block(object, cells, block, start, whole);
            return self.eq.terms.extract(term, into + bits - 1, into);
        }
        let below = self.read_at(cells, object, at, bits);
        // As many bits at once as are set together or not at all.
        let apart = at.constant.abs_diff(block.address.constant);
        let zeros = self.trailing_zeros(block.size).min(4);
        let together =
            [at.unit(), block.address.unit(), apart, 8 << zeros].into_iter().fold(u64::from(bits), gcd) as u32;
        let mut result: Option<Term> = None;
        for skip in (0..bits).step_by(together as usize) {
            let here = at.skip(u64::from(skip));
            let inside = self.is_inside(block, here);
            let old = self.eq.terms.extract(below, skip + together - 1, skip);
            let part = match self.eq.terms.is_false(inside) {
                true => old,
                false => {
                    let new = self.set_to(block, here, together);
                    self.eq.terms.ite(inside, new, old)
                }
            };
            result = Some(result.map_or(part, |low| self.eq.terms.concat(part, low)));
        }
        result.unwrap_or(below)
    }

    /// One bit: does a byte lie within the range?
    fn is_inside(&mut self, block: &Block, at: Address) -> Term {
        let (byte, start) = (self.byte_of(at), self.byte_of(block.address));
        let terms = &mut self.eq.terms;
        let distance = terms.sub(byte, start);
        let inside = terms.ult(distance, block.size);
        terms.and(inside, block.condition)
    }

    /// The number of the byte at an address, of the width of a pointer.
    fn byte_of(&mut self, at: Address) -> Term {
        let width = self.program.pointer.bits;
        let terms = &mut self.eq.terms;
        let constant = terms.constant(width, u128::from(at.constant / 8));
        let Some(index) = at.index else { return constant };
        let unit = terms.constant(width, u128::from(index.unit / 8));
        let term = resized(terms, index.term, width);
        let product = terms.mul(term, unit);
        terms.add(product, constant)
    }

    /// What some bits within the range were set to.
    fn set_to(&mut self, block: &Block, at: Address, bits: u32) -> Term {
        let (cells, accesses) = match &block.source {
            Source::Byte(byte) => {
                let (byte, terms) = (*byte, &mut self.eq.terms);
                return (8..bits).step_by(8).fold(byte, |low, _| terms.concat(byte, low));
            }
            Source::Memory(cells, accesses) => (cells, accesses),
        };
        let mut result: Option<Term> = None;
        for access in accesses {
            let from = match access.parts.is_empty() {
                true => Some(Address::constant(access.constant)),
                false => self.address(access.object, access.constant, &access.parts, 8).map(|(from, _)| from),
            };
            let from = from.and_then(|from| self.as_far_into(access.object, from, at, block.address, bits));
            let value = match from {
                Some(from) => self.read_at(cells, access.object, from, bits),
                None => self.eq.terms.constant(bits, 0),
            };
            result = Some(result.map_or(value, |other| self.eq.terms.ite(access.condition, value, other)));
        }
        result.unwrap_or_else(|| self.eq.terms.constant(bits, 0))
    }

    /// The address that lies as far behind the start of what was copied as `at` behind the start of the copy. None if none
    /// does within the object.
    fn as_far_into(
        &mut self,
        object: ObjectNumber,
        from: Address,
        at: Address,
        copy: Address,
        bits: u32,
    ) -> Option<Address> {
        let constant = i128::from(from.constant) + i128::from(at.constant) - i128::from(copy.constant);
        let unit = gcd(gcd(from.unit(), at.unit()), copy.unit());
        let size = self.objects[object as usize].bits;
        if unit == 0 {
            let constant = u64::try_from(constant).ok()?;
            return (constant + u64::from(bits) <= size).then(|| Address::constant(constant));
        }
        let start = constant.rem_euclid(i128::from(unit)) as u64;
        let count = size.checked_sub(start)?.checked_sub(u64::from(bits))? / unit + 1;
        let width = bits_for(count - 1);
        let terms = &mut self.eq.terms;
        // Modulo two to the width: what lies within the object is exact.
        let units = constant.div_euclid(i128::from(unit)) as u128;
        let mut term = terms.constant(width, units);
        for (part, is_less) in [(from, false), (at, false), (copy, true)] {
            let Some(Index { term: index, unit: step, .. }) = part.index else { continue };
            let factor = terms.constant(width, u128::from(step / unit));
            let index = resized(terms, index, width);
            let product = terms.mul(index, factor);
            term = if is_less { terms.sub(term, product) } else { terms.add(term, product) };
        }
        Some(Address { constant: start, index: Some(Index { term, unit, count }) })
    }

    /// Lays a layer of this kind over an object.
    pub(in crate::symex) fn lay(&mut self, cells: &mut Cells, object: ObjectNumber, kind: impl FnOnce(Cells) -> Kind) {
        let is_known = self.is_all_known(cells, object);
        let kind = kind(cells.clone());
        self.cover(cells, Layer { object, kind, is_known });
    }
}
