//! Places under symbolic execution: which bits of which objects an lvalue can be.
//!
//! Where the object and the offset are constant, an access is one cell. A symbolic index is a tree of choices on the
//! bits of the index for reading (n - 1 choices of the element's width for n elements, no comparison), and a comparison
//! per element for writing; where there are many elements, layers (`layer.rs`) cost less. Several possible objects are choices between them.

use std::sync::Arc;

use nearmiss_logic::term::Term;

use super::memory::{Cell, Cells, Content, INSTANCE, ObjectNumber, leaf_at};
use super::pointer::Referent;
use super::{Frame, State, Symex};
use crate::equation::Target;
use nearmiss_program::program::{Base, ExprKind, LocalId, Place, PlaceId, Projection, Type, TypeId};
use nearmiss_program::show;

/// More elements than this are not looked at for one access.
pub(super) const MOST_ELEMENTS: u64 = 1 << 16;

/// One object that a place may be in, and where in it.
#[derive(Clone, Debug)]
pub struct Access {
    /// It is this one iff this is 1.
    pub(super) condition: Term,
    pub(super) object: ObjectNumber,
    /// Constant part of the offset in bits; wraps like a pointer.
    pub(super) constant: u64,
    pub(super) parts: Vec<Part>,
}

/// A symbolic part of an offset: `index * stride`, with `0 <= index < count` where the access is valid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) index: Term,
    pub(super) stride: u64,
    pub(super) count: u64,
}

/// Where an assignment to some bits of a place goes.
pub fn targets(accesses: &[Access], skip: u64) -> Arc<[Target]> {
    let target = |access: &Access| Target {
        condition: access.condition,
        object: access.object,
        constant: access.constant.wrapping_add(skip),
        parts: access.parts.iter().map(|part| (part.index, part.stride)).collect(),
    };
    accesses.iter().map(target).collect()
}

/// A record or array as a value: its cells, with offsets from its start.
pub type Aggregate = Vec<(u64, Cell)>;

impl Symex<'_> {
    /// The object that a local is at the moment.
    pub fn local_object(&mut self, state: &mut State, frame: &Frame, local: LocalId) -> ObjectNumber {
        let slot = frame.base + local.0;
        if !self.program.function(frame.function).locals[local.index()].address_taken {
            return slot;
        }
        match state.cells.get(&(slot, INSTANCE)) {
            Some(Cell { content: Content::Instance(object), .. }) => *object,
            _ => self.instantiate(state, frame, local),
        }
    }

    /// All the ways to find the bits of a place.
    pub fn resolve(&mut self, state: &mut State, frame: &Frame, id: PlaceId) -> Vec<Access> {
        let place = self.program.place(id);
        let mut accesses = match place.base {
            Base::Local(local) => {
                let object = self.local_object(state, frame, local);
                vec![self.plain_access(object)]
            }
            Base::Global(global) => {
                let object = self.global_object(global);
                vec![self.plain_access(object)]
            }
            Base::Deref(pointer) => {
                let pointer = self.eval(state, frame, pointer);
                self.pointer_accesses(pointer)
            }
        };
        let mut ty = place.base_type;
        for projection in &place.path {
            match (*projection, self.program.ty(ty)) {
                (Projection::Field(number), Type::Record { fields, .. }) => {
                    let field = &fields[number as usize];
                    accesses.iter_mut().for_each(|a| a.constant = a.constant.wrapping_add(field.bit_offset));
                    ty = field.ty;
                }
                (Projection::Index(index), Type::Array { of, length }) => {
                    let (of, length) = (*of, *length);
                    let stride = self.program.size_bits(of);
                    let index = self.eval(state, frame, index);
                    for access in &mut accesses {
                        match self.eq.terms.as_const(index) {
                            Some(index) => {
                                access.constant = access.constant.wrapping_add((index as u64).wrapping_mul(stride));
                            }
                            None => {
                                let room = self.objects[access.object as usize].bits;
                                let count = if length > 0 { length } else { room.checked_div(stride).unwrap_or(0) };
                                access.parts.push(Part { index, stride, count });
                            }
                        }
                    }
                    ty = of;
                }
                _ => break,
            }
        }
        accesses
    }

    fn plain_access(&self, object: ObjectNumber) -> Access {
        Access { condition: self.eq.terms.tru(), object, constant: 0, parts: Vec::new() }
    }

    /// All the ways to find the byte behind a pointer.
    pub fn pointer_accesses(&mut self, pointer: Term) -> Vec<Access> {
        let mut accesses = Vec::new();
        for target in self.targets(pointer) {
            let Referent::Object(object) = target.referent else { continue };
            let mut access = Access { condition: target.condition, object, constant: 0, parts: Vec::new() };
            match self.eq.terms.as_const(target.delta) {
                Some(delta) => access.constant = (delta as u64).wrapping_mul(8),
                None => {
                    let width = self.program.pointer.bits;
                    let zeros = self.trailing_zeros(target.delta).min(width - 1).min(20);
                    let high = self.eq.terms.extract(target.delta, width - 1, zeros);
                    let index = self.eq.terms.zext(high, width);
                    let stride = 8 << zeros;
                    let count = self.objects[object as usize].bits.div_ceil(stride);
                    access.parts.push(Part { index, stride, count });
                }
            }
            accesses.push(access);
        }
        accesses
    }

    /// A pointer to the first byte of a place.
    pub fn address_of(&mut self, state: &mut State, frame: &Frame, id: PlaceId) -> Term {
        let width = self.program.pointer.bits;
        let place = self.program.place(id);
        let mut pointer = match place.base {
            Base::Local(local) => {
                let object = self.local_object(state, frame, local);
                self.object_address(object)
            }
            Base::Global(global) => self.eq.terms.constant(width, self.program.global_address(global)),
            Base::Deref(pointer) => self.eval(state, frame, pointer),
        };
        let mut ty = place.base_type;
        for projection in &place.path {
            match (*projection, self.program.ty(ty)) {
                (Projection::Field(number), Type::Record { fields, .. }) => {
                    let field = &fields[number as usize];
                    let offset = self.eq.terms.constant(width, u128::from(field.bit_offset / 8));
                    pointer = self.eq.terms.add(pointer, offset);
                    ty = field.ty;
                }
                (Projection::Index(index), Type::Array { of, .. }) => {
                    let stride = self.eq.terms.constant(width, u128::from(self.program.size_bits(*of) / 8));
                    let index = self.eval(state, frame, index);
                    let distance = self.eq.terms.mul(index, stride);
                    pointer = self.eq.terms.add(pointer, distance);
                    ty = *of;
                }
                _ => break,
            }
        }
        pointer
    }

    /// Reads a scalar `skip` bits into a place.
    pub fn read_accesses(&mut self, cells: &Cells, accesses: &[Access], skip: u64, bits: u32) -> Term {
        let mut result: Option<Term> = None;
        for access in accesses {
            let constant = access.constant.wrapping_add(skip);
            let value = self.read_parts(cells, access.object, constant, &access.parts, bits);
            result = Some(match result {
                None => value,
                Some(other) => self.eq.terms.ite(access.condition, value, other),
            });
        }
        result.unwrap_or_else(|| self.eq.terms.constant(bits, 0))
    }

    fn read_parts(&mut self, cells: &Cells, object: ObjectNumber, at: u64, parts: &[Part], bits: u32) -> Term {
        if self.is_layered(parts) {
            return self.read_layered(cells, object, at, parts, bits);
        }
        let Some((part, rest)) = parts.split_first() else {
            let within = at.checked_add(u64::from(bits)).is_some_and(|end| end <= self.objects[object as usize].bits);
            return if within { self.read_bits(cells, object, at, bits) } else { self.eq.terms.constant(bits, 0) };
        };
        if !self.few_enough(part.count) {
            return self.eq.terms.constant(bits, 0);
        }
        let mut values: Vec<Term> = (0..part.count)
            .map(|k| self.read_parts(cells, object, at.wrapping_add(k.wrapping_mul(part.stride)), rest, bits))
            .collect();
        let mut bit = 0;
        while values.len() > 1 {
            let choose = self.eq.terms.extract(part.index, bit, bit);
            values = values
                .chunks(2)
                .map(|pair| match pair {
                    [even, odd] => self.eq.terms.ite(choose, *odd, *even),
                    [even] => *even,
                    _ => unreachable!("chunks of two"),
                })
                .collect();
            bit += 1;
        }
        values.pop().unwrap_or_else(|| self.eq.terms.constant(bits, 0))
    }

    /// Writes a scalar `skip` bits into a place.
    pub fn write_accesses(&mut self, cells: &mut Cells, accesses: &[Access], skip: u64, value: Term) {
        for access in accesses {
            let constant = access.constant.wrapping_add(skip);
            let condition = if accesses.len() == 1 { self.eq.terms.tru() } else { access.condition };
            self.write_parts(cells, access.object, constant, &access.parts, value, condition);
        }
    }

    fn write_parts(
        &mut self,
        cells: &mut Cells,
        object: ObjectNumber,
        at: u64,
        parts: &[Part],
        value: Term,
        condition: Term,
    ) {
        if self.eq.terms.is_false(condition) {
            return;
        }
        if self.is_layered(parts) {
            self.write_layered(cells, object, at, parts, value, condition);
            return;
        }
        let Some((part, rest)) = parts.split_first() else {
            let bits = self.eq.terms.width(value);
            if at.checked_add(u64::from(bits)).is_some_and(|end| end <= self.objects[object as usize].bits) {
                if self.eq.terms.is_true(condition) {
                    self.write_bits(cells, object, at, u64::from(bits), Content::Term(value));
                } else {
                    let old = self.read_bits(cells, object, at, bits);
                    let content = self.eq.terms.ite(condition, value, old);
                    let before = cells.clone();
                    self.write_bits(cells, object, at, u64::from(bits), Content::Term(content));
                    self.follow_unless(&before, cells, condition);
                }
            }
            return;
        };
        if !self.few_enough(part.count) {
            return;
        }
        let width = self.eq.terms.width(part.index);
        for k in 0..part.count {
            let number = self.eq.terms.constant(width, u128::from(k));
            let here = self.eq.terms.eq(part.index, number);
            let condition = self.eq.terms.and(condition, here);
            let at = at.wrapping_add(k.wrapping_mul(part.stride));
            self.write_parts(cells, object, at, rest, value, condition);
        }
    }

    pub(super) fn few_enough(&mut self, count: u64) -> bool {
        if count > MOST_ELEMENTS {
            let what = format!(
                "an access with a symbolic index to an object of {count} elements; at most {MOST_ELEMENTS} are supported: \
                 make the object smaller"
            );
            self.reach_unsupported(what);
            return false;
        }
        true
    }

    /// The only way to find the bits, if there is just one and it is constant.
    fn single(&self, accesses: &[Access], bits: u64) -> Option<(ObjectNumber, u64)> {
        match accesses {
            [access] if access.parts.is_empty() => {
                let end = access.constant.checked_add(bits)?;
                (end <= self.objects[access.object as usize].bits).then_some((access.object, access.constant))
            }
            _ => None,
        }
    }

    /// Reads a record or array.
    pub fn read_aggregate(&mut self, cells: &Cells, accesses: &[Access], ty: TypeId) -> Aggregate {
        let bits = self.program.size_bits(ty);
        if let Some((object, at)) = self.single(accesses, bits) {
            return self.cells_of(cells, object, at, bits);
        }
        self.pieces(ty)
            .into_iter()
            .map(|(at, bits)| {
                let term = self.read_accesses(cells, accesses, at, bits);
                (at, Cell { bits: u64::from(bits), content: Content::Term(term) })
            })
            .collect()
    }

    /// Writes a record or array.
    pub fn write_aggregate(&mut self, cells: &mut Cells, accesses: &[Access], value: &Aggregate) {
        let bits = value.iter().map(|(at, cell)| at + cell.bits).max().unwrap_or(0);
        if let Some((object, start)) = self.single(accesses, bits) {
            for (at, cell) in value {
                self.write_bits(cells, object, start + at, cell.bits, cell.content);
            }
            return;
        }
        for (at, cell) in value {
            let mut done = 0;
            while done < cell.bits {
                let take = (cell.bits - done).min(64);
                let term = self.part_of_cell(*cell, done, take as u32);
                self.write_accesses(cells, accesses, at + done, term);
                done += take;
            }
        }
    }

    /// The scalars of a type, padding cut into bytes: offset and width.
    fn pieces(&self, ty: TypeId) -> Vec<(u64, u32)> {
        let end = self.program.size_bits(ty);
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < end {
            let bits = leaf_at(self.program, ty, at).map_or(8 - (at % 8) as u32, |leaf| leaf.bits - leaf.into as u32);
            pieces.push((at, bits));
            at += u64::from(bits);
        }
        pieces
    }

    /// A place as a person would name it: `most`, `a[3]`, `p->next`. Indices that are known are numbers.
    pub fn place_name(&mut self, frame: &Frame, id: PlaceId, accesses: &[Access]) -> Arc<str> {
        let place = self.program.place(id);
        let is_variable = |projection: &Projection| match projection {
            Projection::Index(index) => !matches!(self.program.expr(*index).kind, ExprKind::Const(_)),
            Projection::Field(_) => false,
        };
        if let ([Access { object, constant, parts, .. }], true) = (accesses, place.path.iter().any(is_variable))
            && parts.is_empty()
            && let object = &self.objects[*object as usize]
            && let Some((name, _)) =
                object.ty.and_then(|ty| show::part_name(self.program, &object.name, ty, *constant, place.bits))
            && !matches!(place.base, Base::Deref(_))
        {
            return name.into();
        }
        let key = (frame.function, id);
        if let Some(name) = self.place_names.get(&key) {
            return name.clone();
        }
        let text = show::place_text(self.program, self.program.function(frame.function), id);
        self.place_names.insert(key, text.into());
        self.place_names[&key].clone()
    }

    /// Does a place belong to the user's text, rather than to a temporary?
    pub fn is_visible(&self, frame: &Frame, place: &Place) -> bool {
        match place.base {
            Base::Local(local) => !self.program.function(frame.function).locals[local.index()].temporary,
            Base::Global(_) | Base::Deref(_) => true,
        }
    }
}

impl Symex<'_> {
    /// Reads a range of bits that has no type, in pieces that the cells of a single object suggest, else bytes.
    pub fn read_region(&mut self, cells: &Cells, accesses: &[Access], bits: u64) -> Aggregate {
        if let Some((object, at)) = self.single(accesses, bits) {
            return self.cells_of(cells, object, at, bits);
        }
        (0..bits.min(self.longest(accesses) * 8) / 8)
            .map(|k| {
                let term = self.read_accesses(cells, accesses, k * 8, 8);
                (k * 8, Cell { bits: 8, content: Content::Term(term) })
            })
            .collect()
    }

    /// The largest number of bytes that any of the objects has.
    pub fn longest(&self, accesses: &[Access]) -> u64 {
        accesses.iter().map(|access| self.objects[access.object as usize].bits / 8).max().unwrap_or(0)
    }
}
