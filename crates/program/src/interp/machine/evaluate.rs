//! Computes expressions and finds the bits of places.

use super::{CHUNK, Machine, Passed, Slot};
use crate::interp::Flat;
use crate::interp::memory::{Kind, Space, Store, in_row, within};
use crate::interp::operators::{binary, binary_toward, convert, convert_toward, toward, unary, unary_toward};
use crate::program::{Base, ExprId, ExprKind, LocalId, MemoryQuestion, ObjectKind, PlaceId};
use nearmiss_logic::width::{low_bits, sign_extend};

impl Machine<'_, '_> {
    /// The bits of an expression.
    pub(super) fn eval(&mut self, id: ExprId) -> u128 {
        let program = self.program;
        let expr = program.expr(id);
        match expr.kind {
            ExprKind::Const(value) => value & low_bits(expr.bits),
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::FunctionAddress(function) => program.function_address(function),
            ExprKind::Unary(op, a) => unary(op, program.expr(a).bits, self.eval(a)),
            ExprKind::Binary(op, a, b) => {
                let left = self.eval(a);
                let right = self.eval(b);
                binary(op, program.expr(a).bits, left, right)
            }
            ExprKind::Ite(condition, then, otherwise) => {
                let taken = self.eval(condition) & 1 == 1;
                let (chosen, other) = if taken { (then, otherwise) } else { (otherwise, then) };
                // A statement depends on whatever is named in it.
                if self.uses.trace.is_some() {
                    self.eval(other);
                }
                self.eval(chosen)
            }
            ExprKind::Convert(how, a) => convert(how, program.expr(a).bits, expr.bits, self.eval(a)),
            ExprKind::Rounded { mode, value } => {
                let toward = toward(self.eval(mode));
                let of = program.expr(value);
                match of.kind {
                    ExprKind::Unary(op, a) => unary_toward(op, toward, program.expr(a).bits, self.eval(a)),
                    ExprKind::Binary(op, a, b) => {
                        let left = self.eval(a);
                        let right = self.eval(b);
                        binary_toward(op, toward, program.expr(a).bits, left, right)
                    }
                    ExprKind::Convert(how, a) => {
                        convert_toward(how, toward, program.expr(a).bits, of.bits, self.eval(a))
                    }
                    _ => self.eval(value),
                }
            }
            ExprKind::Memory(question) => self.question(question),
        }
    }

    fn question(&mut self, question: MemoryQuestion) -> u128 {
        let layout = self.program.pointer;
        match question {
            MemoryQuestion::Valid { pointer, size, write } => {
                let (object, offset) = layout.decode(self.eval(pointer));
                let size = self.eval(size);
                self.uses.trace.iter_mut().for_each(|trace| trace.reads_life(object));
                u128::from(self.memory.live(object).is_some_and(|object| {
                    size.saturating_add(u128::from(offset)) <= u128::from(object.size) && !(write && object.read_only)
                }))
            }
            MemoryQuestion::Freeable(pointer) => {
                let pointer = self.eval(pointer);
                let (object, offset) = layout.decode(pointer);
                self.uses.trace.iter_mut().for_each(|trace| trace.reads_life(object));
                let heap = self.memory.live(object).is_some_and(|object| matches!(object.kind, Kind::Heap(..)));
                u128::from(pointer == 0 || offset == 0 && heap)
            }
            MemoryQuestion::SameObject(a, b) => {
                let (a, b) = (self.eval(a), self.eval(b));
                u128::from(layout.decode(a).0 == layout.decode(b).0)
            }
            MemoryQuestion::Lives(pointer, kind) => {
                let (object, _) = layout.nearest(self.eval(pointer));
                self.uses.trace.iter_mut().for_each(|trace| trace.reads_life(object));
                u128::from(self.memory.live(object).is_some_and(|object| match kind {
                    ObjectKind::Any => true,
                    ObjectKind::Heap => matches!(object.kind, Kind::Heap(..)),
                    ObjectKind::Writable => !object.read_only,
                }))
            }
            MemoryQuestion::ObjectSize(pointer) => {
                let (object, _) = layout.nearest(self.eval(pointer));
                self.uses.trace.iter_mut().for_each(|trace| trace.reads_life(object));
                self.memory.live(object).map_or(0, |object| u128::from(object.size))
            }
        }
    }

    /// The bits of a scalar place.
    #[inline]
    pub(super) fn load(&mut self, place: PlaceId) -> u128 {
        let flat = &self.code.places[place.index()];
        if let Base::Local(local) = flat.base
            && flat.simple
            && let Slot::Value(value) = self.slots[self.base + local.index()]
        {
            self.uses.read(Space::Slot(self.base + local.index(), 0), flat.offset, flat.bits);
            let value = value >> flat.offset & low_bits(flat.bits as u32);
            let value = in_row(self.program.order, value, flat.bits as u32);
            self.odd_truth |= flat.truth && value > 1;
            return value;
        }
        let (space, offset) = self.locate(flat);
        self.uses.read(space, offset, flat.bits);
        let value = self.bits_at(space, offset, flat.bits.min(128) as u32);
        self.odd_truth |= flat.truth && value > 1;
        value
    }

    /// Bits of a place that was located.
    pub(super) fn bits_at(&self, space: Space, offset: u64, bits: u32) -> u128 {
        let row = match space {
            _ if bits == 0 => 0,
            Space::Slot(slot, size) => match self.slots[slot] {
                Slot::Value(value) if within(offset, u64::from(bits), size) => value >> offset & low_bits(bits),
                _ => 0,
            },
            Space::Private(number) => self.private.read(number, offset, bits),
            Space::Object(number) => self.memory.read(number, offset, bits),
        };
        in_row(self.program.order, row, bits)
    }

    /// Sets the bits of a scalar place.
    #[inline]
    pub(super) fn store(&mut self, place: PlaceId, value: u128) {
        let flat = &self.code.places[place.index()];
        let value = in_row(self.program.order, value, flat.bits.min(128) as u32);
        if let Base::Local(local) = flat.base
            && flat.simple
            && let Slot::Value(old) = &mut self.slots[self.base + local.index()]
        {
            let mask = low_bits(flat.bits as u32);
            *old = *old & !(mask << flat.offset) | (value & mask) << flat.offset;
            self.uses.overwrite(Space::Slot(self.base + local.index(), 0), flat.offset, flat.bits);
            return;
        }
        let (space, offset) = self.locate(flat);
        self.uses.overwrite(space, offset, flat.bits);
        let bits = flat.bits.min(128) as u32;
        self.strayed |= self.is_outside(space, offset, flat.bits);
        match space {
            _ if bits == 0 => {}
            Space::Slot(slot, size) => {
                if let Slot::Value(old) = &mut self.slots[slot]
                    && within(offset, u64::from(bits), size)
                {
                    *old = *old & !(low_bits(bits) << offset) | (value & low_bits(bits)) << offset;
                }
            }
            Space::Private(number) => self.private.write(number, offset, bits, value),
            Space::Object(number) => self.memory.write(number, offset, bits, value),
        }
    }

    /// Do some of these bits lie outside of what is there?
    fn is_outside(&self, space: Space, offset: u64, bits: u64) -> bool {
        let left = match space {
            Space::Slot(_, size) => return !within(offset, bits, size),
            Space::Private(number) => self.private.left(number, offset / 8),
            Space::Object(number) => self.memory.left(number, offset / 8),
        };
        left < (offset % 8 + bits).div_ceil(8)
    }

    /// Where a local lives; it comes to life if it did not live yet.
    pub(super) fn local(&mut self, local: LocalId) -> Space {
        let slot = self.base + local.index();
        if let Slot::Empty = self.slots[slot] {
            self.create_local(local);
        }
        match self.slots[slot] {
            Slot::Empty | Slot::Value(_) => {
                let size = self
                    .frames
                    .last()
                    .map_or(0, |frame| self.code.layouts[frame.function.index()].sizes[local.index()]);
                Space::Slot(slot, size)
            }
            Slot::Private(number) => Space::Private(number),
            Slot::Object(number) => Space::Object(number),
        }
    }

    /// How far the path of a place leads, in bits.
    #[inline]
    fn path(&mut self, flat: &Flat) -> i128 {
        let mut offset = i128::from(flat.offset as i64);
        for (index, stride) in &flat.indices {
            let bits = self.program.expr(*index).bits;
            let index = sign_extend(self.eval(*index), bits);
            offset = offset.wrapping_add(index.wrapping_mul(i128::from(*stride)));
        }
        offset
    }

    /// Where the bits of a place start, in bits from the start of an object; far outside where an index leads there.
    pub(super) fn locate(&mut self, flat: &Flat) -> (Space, u64) {
        let offset = self.path(flat);
        let space = match flat.base {
            Base::Local(local) => self.local(local),
            Base::Global(global) => Space::Object(self.program.global_object(global)),
            Base::Deref(pointer) => {
                let pointer = self.eval(pointer);
                let (object, first) = self.program.pointer.decode(self.advance(pointer, offset));
                return (Space::Object(object), first.saturating_mul(8).saturating_add((offset & 7) as u64));
            }
        };
        (space, u64::try_from(offset).unwrap_or(u64::MAX))
    }

    /// A pointer moved by the whole bytes in `offset` bits.
    fn advance(&self, pointer: u128, offset: i128) -> u128 {
        pointer.wrapping_add((offset >> 3) as u128) & low_bits(self.program.pointer.bits)
    }

    fn address(&mut self, place: PlaceId) -> u128 {
        let flat = &self.code.places[place.index()];
        // The offset may leave the object, so it is added to the pointer and not cut at its ends.
        let offset = self.path(flat);
        let start = match flat.base {
            Base::Deref(pointer) => self.eval(pointer),
            Base::Global(global) => self.program.global_address(global),
            Base::Local(local) => match self.local(local) {
                Space::Object(number) => self.program.pointer.encode(number, 0),
                Space::Slot(..) | Space::Private(_) => self.promote(local),
            },
        };
        self.advance(start, offset)
    }

    /// Gives a local a number although nobody said that its address is taken.
    fn promote(&mut self, local: LocalId) -> u128 {
        let Some(frame) = self.frames.last() else { return 0 };
        let id = frame.function;
        let size = self.code.layouts[id.index()].sizes[local.index()];
        let slot = self.base + local.index();
        // What was set there is not followed into the new object, so it counts as read.
        let (space, bits) = (self.local(local), size.saturating_mul(8));
        self.uses.read(space, 0, bits);
        let store = match self.slots[slot] {
            Slot::Value(value) => Store::Small(value),
            Slot::Private(number) => {
                let store = self.private.take(number);
                self.forget_private(number);
                store
            }
            Slot::Empty | Slot::Object(_) => Store::zero(size),
        };
        let number = self.new_object(size, Kind::Local(id, local), store);
        self.slots[slot] = Slot::Object(number);
        self.program.pointer.encode(number, 0)
    }

    /// The bytes of a whole object; what lies outside is 0.
    pub(super) fn read_object(&mut self, place: PlaceId) -> Passed {
        let flat = &self.code.places[place.index()];
        let (space, offset) = self.locate(flat);
        let size = flat.bits / 8;
        self.uses.read(space, offset, flat.bits);
        if size <= 16 {
            let bits = flat.bits as u32;
            let value = match space {
                Space::Slot(slot, length) => match self.slots[slot] {
                    Slot::Value(value) if within(offset, flat.bits, length) => value >> (offset & 127) & low_bits(bits),
                    _ => 0,
                },
                Space::Private(number) => self.private.read(number, offset, bits),
                Space::Object(number) => self.memory.read(number, offset, bits),
            };
            return Passed::Object(Store::Small(value), size);
        }
        let mut store = Store::zero(size);
        let memory = match space {
            Space::Private(_) => &self.private,
            _ => &self.memory,
        };
        let (Space::Private(number) | Space::Object(number)) = space else { return Passed::Object(store, size) };
        if memory.left(number, offset / 8) < size {
            return Passed::Object(store, size);
        }
        let mut buffer = [0; CHUNK];
        let mut done = 0;
        while done < size {
            let length = (size - done).min(CHUNK as u64);
            let part = &mut buffer[..length as usize];
            memory.read_bytes(number, offset / 8 + done, part);
            store.write_bytes(done, part);
            done += length;
        }
        Passed::Object(store, size)
    }

    /// Sets the bytes of a whole object.
    pub(super) fn write_object(&mut self, place: PlaceId, passed: &Passed) {
        let flat = &self.code.places[place.index()];
        let (store, size) = match passed {
            Passed::Scalar(value) => return self.store(place, *value),
            Passed::Object(store, size) => (store, (*size).min(flat.bits / 8)),
        };
        let (space, offset) = self.locate(flat);
        self.uses.overwrite(space, offset, size.saturating_mul(8));
        self.strayed |= self.is_outside(space, offset, size.saturating_mul(8));
        if let Store::Small(value) = store {
            let bits = size as u32 * 8;
            match space {
                _ if bits == 0 => {}
                Space::Slot(slot, length) => {
                    if let Slot::Value(old) = &mut self.slots[slot]
                        && within(offset, u64::from(bits), length)
                    {
                        let shift = (offset & 127) as u32;
                        *old = *old & !(low_bits(bits) << shift) | (value & low_bits(bits)) << shift;
                    }
                }
                Space::Private(number) => self.private.write(number, offset, bits, *value),
                Space::Object(number) => self.memory.write(number, offset, bits, *value),
            }
            return;
        }
        let (memory, number) = match space {
            Space::Private(number) => (&mut self.private, number),
            Space::Object(number) => (&mut self.memory, number),
            Space::Slot(..) => return,
        };
        if memory.left(number, offset / 8) < size {
            return;
        }
        let mut buffer = [0; CHUNK];
        let mut done = 0;
        while done < size {
            let length = (size - done).min(CHUNK as u64);
            let part = &mut buffer[..length as usize];
            store.read_bytes(done, part);
            memory.write_bytes(number, offset / 8 + done, part);
            done += length;
        }
    }
}
