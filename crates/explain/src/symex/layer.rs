//! Large objects under symbolic execution: what was written where nobody knows lies in layers over what was there before.
//!
//! To write one of many elements at an unknown index costs one layer: the place, the value, and the memory below, which is
//! shared. A read looks through the layers from the last to the first: it is the value written if the places are
//! the same, else what is below. That is read-over-write, the array axiom, used once per read and layer and not per
//! element (Brummayer and Biere, "Lemmas on Demand for the Extensional Theory of Arrays", who use it where a model asks for it).
//! So cost grows with accesses and not with elements, and what comes out are plain bit-vector terms, of which
//! no method needs to know where they come from.
//!
//! At the bottom lie the cells: a range of elements that are all zeros, or that nobody has looked at, is one choice. An
//! undefined element at an unknown index is an input of its own, which is that of any read before it at the same place
//! (Ackermann), by definition and without an assumption.

use std::sync::Arc;

use nearmiss_logic::term::Term;

use super::address::{Address, Index, Written, below, bits_for, gcd, resized};
use super::memory::{Cell, Cells, Content, FIRST_SPECIAL, LAYER, ObjectNumber, initial_is_zero, leaf_at};
use super::place::{MOST_ELEMENTS, Part};
use super::{Step, StepKind, Symex};
use crate::equation::Offset;
use nearmiss_program::program::{ByteOrder, Program, Type, TypeId};
use nearmiss_program::show;

mod block;

use block::Block;
pub(super) use block::Source;

/// What lies over the contents of an object.
pub(super) struct Layer {
    pub(super) object: ObjectNumber,
    pub(super) kind: Kind,
    /// Has everything been written, or read before?
    pub(super) is_known: bool,
}

pub(super) enum Kind {
    /// A value at an address.
    Written(Cells, Written),
    /// A range of bytes.
    Block(Cells, Block),
    /// Two paths met: the first where this is 1.
    Joined(Term, Cells, Cells),
}

/// What a read through layers gave, to be given again: the layer or choice, where, how many bits, from where on.
pub(super) type Seen = (Content, Address, u32, u64);

impl Symex<'_> {
    /// Does somebody need elements: who follows dependences or compares states? Layers also know one byte order alone.
    pub(super) fn needs_elements(&self) -> bool {
        self.follow.is_some() || self.word.is_some() || self.program.order == ByteOrder::Big
    }

    /// Are accesses with these indices kept as layers?
    pub(super) fn is_layered(&self, parts: &[Part]) -> bool {
        !parts.is_empty() && elements(parts) > self.bounds.elements && !self.needs_elements()
    }

    /// The address of some bits of an object, and the term that it is valid. None if it never is.
    pub(super) fn address(
        &mut self,
        object: ObjectNumber,
        at: u64,
        parts: &[Part],
        bits: u64,
    ) -> Option<(Address, Term)> {
        let terms = &mut self.eq.terms;
        let unit = parts.iter().fold(0, |unit, part| gcd(unit, part.stride));
        if unit == 0 {
            return None;
        }
        let last = parts.iter().try_fold(0u64, |last, part| {
            last.checked_add(part.count.checked_sub(1)?.checked_mul(part.stride / unit)?)
        })?;
        let width = bits_for(last);
        let mut valid = terms.tru();
        let mut sum = terms.constant(width, 0);
        for part in parts {
            let within = below(terms, part.index, part.count);
            valid = terms.and(valid, within);
            let index = resized(terms, part.index, width);
            let factor = terms.constant(width, u128::from(part.stride / unit));
            let product = terms.mul(index, factor);
            sum = terms.add(sum, product);
        }
        // A constant before the start of the object: the first few indices are not valid.
        let before = if at > i64::MAX as u64 { at.wrapping_neg().div_ceil(unit) } else { 0 };
        let constant = at.wrapping_add(before.checked_mul(unit)?);
        let room = self.objects[object as usize].bits.checked_sub(constant)?.checked_sub(bits)?;
        let count = last.checked_sub(before)?.min(room / unit) + 1;
        let terms = &mut self.eq.terms;
        let less = terms.constant(width, u128::from(before));
        let term = terms.sub(sum, less);
        let within = below(terms, term, count);
        let valid = terms.and(valid, within);
        Some((Address { constant, index: Some(Index { term, unit, count }) }, valid))
    }

    /// Reads some bits at an unknown index.
    pub(super) fn read_layered(
        &mut self,
        cells: &Cells,
        object: ObjectNumber,
        at: u64,
        parts: &[Part],
        bits: u32,
    ) -> Term {
        self.note_elements(elements(parts));
        match self.address(object, at, parts, u64::from(bits)) {
            Some((address, _)) => self.read_at(cells, object, address, bits),
            None => self.eq.terms.constant(bits, 0),
        }
    }

    /// Writes a value at an unknown index, where the condition is 1.
    pub(super) fn write_layered(
        &mut self,
        cells: &mut Cells,
        object: ObjectNumber,
        at: u64,
        parts: &[Part],
        value: Term,
        condition: Term,
    ) {
        self.note_elements(elements(parts));
        let bits = u64::from(self.eq.terms.width(value));
        let Some((address, valid)) = self.address(object, at, parts, bits) else { return };
        let condition = self.eq.terms.and(condition, valid);
        let written = Written { address, value, condition };
        self.lay(cells, object, |cells| Kind::Written(cells, written));
    }

    /// The contents of an object after a join of two memories that lie under different layers.
    pub(super) fn join_layers(
        &mut self,
        chooser: Term,
        object: ObjectNumber,
        a: &Cells,
        b: &Cells,
        joined: &mut Cells,
    ) {
        let is_known = self.is_all_known(a, object) && self.is_all_known(b, object);
        let kind = Kind::Joined(chooser, a.clone(), b.clone());
        self.cover(joined, Layer { object, kind, is_known });
    }

    /// An access may mean any of so many elements.
    pub(super) fn note_elements(&mut self, elements: u64) {
        self.eq.elements = self.eq.elements.max(elements);
    }

    /// Only who watches conditions wants to know.
    pub(super) fn is_all_known(&self, cells: &Cells, object: ObjectNumber) -> bool {
        self.observer.is_some() && self.is_known(cells, object, 0, self.objects[object as usize].bits)
    }

    pub(super) fn is_layer_known(&self, layer: u32) -> bool {
        self.layers[layer as usize].is_known
    }

    /// Lays a layer over an object.
    pub(super) fn cover(&mut self, cells: &mut Cells, layer: Layer) {
        let object = layer.object;
        let covered: Vec<_> = cells.range((object, 0)..(object, FIRST_SPECIAL)).map(|(key, _)| *key).collect();
        for key in covered {
            cells.remove(&key);
        }
        self.layers.push(Arc::new(layer));
        let content = Content::Layer(self.layers.len() as u32 - 1, 0);
        cells.insert((object, 0), Cell { bits: self.objects[object as usize].bits, content });
        cells.insert((object, LAYER), Cell { bits: 1, content });
    }

    /// Some bits at a known place below a layer.
    pub(super) fn layer_bits(&mut self, layer: u32, at: u64, bits: u32) -> Term {
        self.look_through(layer, Address::constant(at), bits)
    }

    pub(super) fn read_at(&mut self, cells: &Cells, object: ObjectNumber, address: Address, bits: u32) -> Term {
        match address.index {
            None => self.read_bits(cells, object, address.constant, bits),
            Some(index) => self.read_among(cells, object, address, bits, 0, bits_for(index.count - 1)),
        }
    }

    /// Reads at an address whose index is one of `2^level`, from `first` on: one term if the cells there are one, else a choice
    /// between two halves.
    fn read_among(
        &mut self,
        cells: &Cells,
        object: ObjectNumber,
        address: Address,
        bits: u32,
        first: u64,
        level: u32,
    ) -> Term {
        let Some(index) = address.index else { return self.read_bits(cells, object, address.constant, bits) };
        let from = address.constant + first * index.unit;
        let last = first.saturating_add((1 << level) - 1).min(index.count - 1);
        let to = address.constant + last * index.unit + u64::from(bits);
        let (start, cell) = self.cell_at(cells, object, from);
        if to <= start + cell.bits
            && let Some(term) = self.read_content(cell.content.skip(from - start), [from, to], address, bits)
        {
            return term;
        }
        if level == 0 {
            return self.read_bits(cells, object, from, bits);
        }
        if last - first >= MOST_ELEMENTS && cell.content.is_lazy() && to <= start + cell.bits {
            self.few_enough(last - first + 1);
            return self.eq.terms.constant(bits, 0);
        }
        let middle = first + (1 << (level - 1));
        let low = self.read_among(cells, object, address, bits, first, level - 1);
        if middle >= index.count {
            return low;
        }
        let high = self.read_among(cells, object, address, bits, middle, level - 1);
        let choose = self.eq.terms.extract(index.term, level - 1, level - 1);
        self.eq.terms.ite(choose, high, low)
    }

    /// Reads at an address of which it is known that it lies in a range, all of which has one content. None if it is not
    /// one value for the whole range.
    fn read_content(&mut self, content: Content, [from, to]: [u64; 2], address: Address, bits: u32) -> Option<Term> {
        match content {
            Content::Zero => Some(self.eq.terms.constant(bits, 0)),
            Content::Initial(global, at) => {
                let is_zero = initial_is_zero(self.program, global, at, to - from);
                is_zero.then(|| self.eq.terms.constant(bits, 0))
            }
            Content::Undefined(id, at) => {
                let address = self.moved(address, at.wrapping_sub(from))?;
                self.undefined_at(id, address, bits)
            }
            Content::Layer(id, at) => {
                let address = self.moved(address, at.wrapping_sub(from))?;
                Some(self.look_through(id, address, bits))
            }
            Content::Choice(id, at) => {
                let key = (content, address, bits, to);
                if let Some(known) = self.seen.get(&key) {
                    return Some(*known);
                }
                let (chooser, yes, no) = self.choices[id as usize].sides(at);
                let yes = self.read_content(yes, [from, to], address, bits)?;
                let no = self.read_content(no, [from, to], address, bits)?;
                let term = self.eq.terms.ite(chooser, yes, no);
                self.seen.insert(key, term);
                Some(term)
            }
            Content::Term(_) | Content::Instance(_) | Content::Setter(_) => None,
        }
    }

    /// An address by another count of bits: so many more, or less if it wraps.
    fn moved(&mut self, address: Address, by: u64) -> Option<Address> {
        let constant = address.constant.wrapping_add(by);
        let (true, Some(index)) = (constant > i64::MAX as u64, address.index) else {
            return Some(Address { constant, ..address });
        };
        let before = constant.wrapping_neg().div_ceil(index.unit);
        let count = index.count.checked_sub(before).filter(|count| *count > 0)?;
        let less = self.eq.terms.constant(self.eq.terms.width(index.term), u128::from(before));
        let term = self.eq.terms.sub(index.term, less);
        let constant = constant.wrapping_add(before * index.unit);
        Some(Address { constant, index: Some(Index { term, count, ..index }) })
    }

    fn look_through(&mut self, id: u32, address: Address, bits: u32) -> Term {
        let key = (Content::Layer(id, 0), address, bits, 0);
        if let Some(known) = self.seen.get(&key) {
            return *known;
        }
        let layer = self.layers[id as usize].clone();
        let term = match &layer.kind {
            Kind::Written(_, Written { address: at, value, condition })
                if *at == address && self.eq.terms.width(*value) == bits && self.eq.terms.is_true(*condition) =>
            {
                *value
            }
            Kind::Written(cells, written) => {
                let below = self.read_at(cells, layer.object, address, bits);
                self.over(address, *written, below)
            }
            Kind::Block(cells, block) => self.read_block(layer.object, cells, block, address, bits),
            Kind::Joined(chooser, a, b) => {
                let yes = self.read_at(a, layer.object, address, bits);
                let no = self.read_at(b, layer.object, address, bits);
                self.eq.terms.ite(*chooser, yes, no)
            }
        };
        self.seen.insert(key, term);
        term
    }

    /// What is read at an address where something was written over what is below.
    fn over(&mut self, address: Address, written: Written, below: Term) -> Term {
        let (bits, width) = (self.eq.terms.width(below), self.eq.terms.width(written.value));
        // How far the read may start behind the start of what was written, if the two meet.
        let step = gcd(address.unit(), written.address.unit()).max(1) as i64;
        let apart = (address.constant as i64 - written.address.constant as i64).rem_euclid(step);
        let (least, most) = (-i64::from(bits) + 1, i64::from(width) - 1);
        let mut distance = apart + (least - apart).div_euclid(step) * step;
        let mut result = below;
        while distance <= most {
            if distance >= least {
                let here = self.is_apart(address, written.address, distance);
                let here = self.eq.terms.and(here, written.condition);
                let value = self.patched(written.value, distance, below);
                result = self.eq.terms.ite(here, value, result);
            }
            distance += step;
        }
        result
    }

    /// One bit: does one address lie so many bits behind another?
    fn is_apart(&mut self, a: Address, b: Address, distance: i64) -> Term {
        let step = gcd(a.unit(), b.unit()).max(1);
        let difference = i128::from(a.constant) - i128::from(b.constant) - i128::from(distance);
        if difference.rem_euclid(i128::from(step)) != 0 {
            return self.eq.terms.fals();
        }
        let difference = difference / i128::from(step);
        let most = |address: Address| {
            address.index.map_or(0, |index| {
                let largest = (1u128 << self.eq.terms.width(index.term)) - 1;
                largest * u128::from(index.unit / step)
            })
        };
        let (extra_a, extra_b) = (difference.max(0) as u128, (-difference).max(0) as u128);
        let largest = (most(a) + extra_a).max(most(b) + extra_b);
        let width = (128 - largest.leading_zeros()).max(1);
        let [left, right] = [(a, extra_a), (b, extra_b)].map(|(address, extra)| {
            let terms = &mut self.eq.terms;
            let extra = terms.constant(width, extra);
            let Some(index) = address.index else { return extra };
            let factor = terms.constant(width, u128::from(index.unit / step));
            let term = resized(terms, index.term, width);
            let product = terms.mul(term, factor);
            terms.add(product, extra)
        });
        self.eq.terms.eq(left, right)
    }

    /// The bits below, with those of a value put over them; they start so many bits into the value.
    fn patched(&mut self, value: Term, distance: i64, below: Term) -> Term {
        let terms = &mut self.eq.terms;
        let (bits, width) = (i64::from(terms.width(below)), i64::from(terms.width(value)));
        let (from, to) = ((-distance).max(0), (width - distance).min(bits));
        let mut result = terms.extract(value, (to + distance - 1) as u32, (from + distance) as u32);
        if from > 0 {
            let low = terms.extract(below, from as u32 - 1, 0);
            result = terms.concat(result, low);
        }
        if to < bits {
            let high = terms.extract(below, bits as u32 - 1, to as u32);
            result = terms.concat(high, result);
        }
        result
    }

    /// Undefined contents at an unknown index. None if they must be looked at one by one.
    fn undefined_at(&mut self, id: u32, address: Address, bits: u32) -> Option<Term> {
        if bits > 64 {
            let low = self.undefined_at(id, address, 64)?;
            let high = self.undefined_at(id, address.skip(64), bits - 64)?;
            return Some(self.eq.terms.concat(high, low));
        }
        let address = self.clamped(id, address, bits)?;
        let undefined = &self.undefined[id as usize];
        let is_same = |look: &&Written| look.address == address && self.eq.terms.width(look.value) == bits;
        if let Some(look) = undefined.looks.iter().find(is_same) {
            return Some(look.value);
        }
        let site = self.eq.creations[undefined.creation.0 as usize].site;
        let site_type = self.program.sites.get(site.index()).map(|site| site.ty);
        let whole = undefined.ty.or_else(|| site_type.filter(|ty| !self.program.is_scalar(*ty)));
        let (ty, path) = match whole.map(|ty| (ty, element_type(self.program, ty, address, bits))) {
            Some((_, Some(found))) => found,
            Some((ty, None)) => return self.undefined_within(id, ty, address, bits),
            None => (show::content_name(self.program, site, 0, u64::from(bits)).1, "[...]".to_owned()),
        };
        Some(self.new_look(id, address, bits, ty, &path))
    }

    /// Part of an undefined element at an unknown index: of the whole element, one of its parts.
    fn undefined_within(&mut self, id: u32, ty: TypeId, address: Address, bits: u32) -> Option<Term> {
        let Index { term, unit, count } = address.index?;
        let size = self.program.size_bits(flat_element(self.program, ty));
        let is_part = u64::from(bits) <= unit && unit < size && size <= 64 && size.is_multiple_of(unit);
        if !is_part || !(size / unit).is_power_of_two() || !address.constant.is_multiple_of(unit) {
            return None;
        }
        let (parts, last) = ((size / unit).trailing_zeros(), count - 1 + address.constant / unit);
        let width = bits_for(last).max(parts + 1);
        let terms = &mut self.eq.terms;
        let (before, index) = (terms.constant(width, u128::from(address.constant / unit)), resized(terms, term, width));
        let index = terms.add(index, before);
        let high = terms.extract(index, width - 1, parts);
        let whole = Address { constant: 0, index: Some(Index { term: high, unit: size, count: (last >> parts) + 1 }) };
        let element = self.undefined_at(id, whole, size as u32)?;
        let terms = &mut self.eq.terms;
        let mut result = terms.extract(element, bits - 1, 0);
        for part in 1..size / unit {
            let number = terms.constant(parts, u128::from(part));
            let low = terms.extract(index, parts - 1, 0);
            let here = terms.eq(low, number);
            let from = (part * unit) as u32;
            let value = terms.extract(element, from + bits - 1, from);
            result = terms.ite(here, value, result);
        }
        Some(result)
    }

    /// Undefined contents at an index at which nobody has looked: a new input, unless the place is one that was looked at.
    fn new_look(&mut self, id: u32, address: Address, bits: u32, ty: TypeId, path: &str) -> Term {
        let undefined = &self.undefined[id as usize];
        let name: Arc<str> = show::path_name(&undefined.name, path).into();
        let (creation, span, function, depth) =
            (undefined.creation, undefined.span, undefined.function, undefined.depth);
        let site = self.eq.creations[creation.0 as usize].site;
        let (variable, fresh) = self.free_variable(name, ty, bits, site);
        self.fed = None;
        let level = address.index.map_or(0, |index| bits_for(index.count - 1));
        let never = self.eq.terms.fals();
        let (value, again) = self.looked_at_among(id, address, [fresh, never], 0, level);
        let (value, again) = self.looked_at(id, address, [value, again]);
        let crate::equation::Creation { guard, turn, .. } = self.eq.creations[creation.0 as usize];
        let offset = Offset { constant: address.constant, index: address.index.map(|index| (index.term, index.unit)) };
        let kind = StepKind::Content { variable, value, creation, offset, again };
        self.eq.steps.push(Step { guard, span, function, depth, turn, tally: None, kind });
        let condition = self.eq.terms.tru();
        self.undefined[id as usize].looks.push(Written { address, value, condition });
        value
    }

    /// Undefined contents at a known place that nobody has looked at there, and whether they were looked at by an unknown index.
    pub(super) fn looked_at_from(&mut self, id: u32, at: u64, fresh: Term) -> (Term, Term) {
        let never = self.eq.terms.fals();
        self.looked_at(id, Address::constant(at), [fresh, never])
    }

    /// What was read before at an unknown index that is the same, else this; and whether that is the very same part.
    fn looked_at(&mut self, id: u32, address: Address, [value, again]: [Term; 2]) -> (Term, Term) {
        let bits = self.eq.terms.width(value);
        let count = self.undefined[id as usize].looks.len();
        (0..count).fold((value, again), |(value, mut again), look| {
            let look = self.undefined[id as usize].looks[look];
            if self.eq.terms.width(look.value) == bits {
                let same = self.is_apart(address, look.address, 0);
                again = self.eq.terms.or(again, same);
            }
            (self.over(address, look, value), again)
        })
    }

    /// What was read before at known places, else this, for an index that is one of `2^level` from `first` on; and whether that is the very
    /// same part.
    fn looked_at_among(
        &mut self,
        id: u32,
        address: Address,
        [fresh, never]: [Term; 2],
        first: u64,
        level: u32,
    ) -> (Term, Term) {
        let Some(index) = address.index else { return (fresh, never) };
        let bits = self.eq.terms.width(fresh);
        let from = address.constant + first * index.unit;
        let last = first.saturating_add((1 << level) - 1).min(index.count - 1);
        let to = address.constant + last * index.unit + u64::from(bits);
        let pieces = self.undefined[id as usize].pieces_within(from, to);
        if pieces.is_empty() {
            return (fresh, never);
        }
        if level == 0 {
            let is_same = pieces.iter().any(|(at, piece)| *at == from && self.eq.terms.width(*piece) == bits);
            let again = self.eq.terms.bool(is_same);
            let patch = |value, (at, piece): (u64, Term)| self.patched(piece, from as i64 - at as i64, value);
            return (pieces.into_iter().fold(fresh, patch), again);
        }
        let middle = first + (1 << (level - 1));
        let low = self.looked_at_among(id, address, [fresh, never], first, level - 1);
        if middle >= index.count {
            return low;
        }
        let high = self.looked_at_among(id, address, [fresh, never], middle, level - 1);
        let choose = self.eq.terms.extract(index.term, level - 1, level - 1);
        (self.eq.terms.ite(choose, high.0, low.0), self.eq.terms.ite(choose, high.1, low.1))
    }

    /// The same address where it lies within the undefined contents, else the first. None if it never does.
    fn clamped(&mut self, id: u32, address: Address, bits: u32) -> Option<Address> {
        let Some(index) = address.index else { return Some(address) };
        let room = self.undefined[id as usize].bits.checked_sub(address.constant)?.checked_sub(u64::from(bits))?;
        let index = Index { count: index.count.min(room / index.unit + 1), ..index };
        let terms = &mut self.eq.terms;
        let within = below(terms, index.term, index.count);
        let first = terms.constant(terms.width(index.term), 0);
        let term = terms.ite(within, index.term, first);
        Some(Address { index: Some(Index { term, ..index }), ..address })
    }
}

/// The type of the scalars that a type has wherever the address may lie, with the way there as C writes it.
fn element_type(program: &Program, ty: TypeId, address: Address, bits: u32) -> Option<(TypeId, String)> {
    let (unit, count) = address.index.map_or((0, 1), |index| (index.unit, index.count));
    let (mut ty, mut at, mut path) = (ty, address.constant, String::new());
    loop {
        let end = at + (count - 1) * unit + u64::from(bits);
        match program.ty(ty) {
            Type::Array { .. } => {
                let mut element = ty;
                while let Type::Array { of, .. } = program.ty(element) {
                    element = *of;
                    path.push_str("[...]");
                }
                let size = program.size_bits(element);
                if size > 0 && unit.is_multiple_of(size) {
                    let leaf = leaf_at(program, element, at % size)?;
                    let is_whole = leaf.into == 0 && leaf.bits == bits;
                    return is_whole.then(|| (leaf.ty, path + &leaf.path));
                }
                if size == 0 || at / size != (end - 1) / size {
                    return None;
                }
                (ty, at) = (element, at % size);
            }
            Type::Record { union: false, fields, .. } => {
                let field =
                    fields.iter().find(|f| f.bit_offset <= at && end <= f.bit_offset + f.bits && !f.bit_field)?;
                path = format!("{path}.{}", field.name);
                (ty, at) = (field.ty, at - field.bit_offset);
            }
            _ => return None,
        }
    }
}

/// How many elements some indices may mean.
fn elements(parts: &[Part]) -> u64 {
    parts.iter().fold(1u64, |product, part| product.saturating_mul(part.count))
}

/// The type of what an array of arrays is made of.
fn flat_element(program: &Program, mut ty: TypeId) -> TypeId {
    while let Type::Array { of, .. } = program.ty(ty) {
        ty = *of;
    }
    ty
}
