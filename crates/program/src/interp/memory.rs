//! Memory of a run: numbered objects, each a row of bits. Of a little-endian machine the lowest bit of a value comes first in that row,
//! of a big-endian one the highest ([`in_row`]).
//!
//! Small objects are a number, middling ones an array, large ones pages that exist once they are written, so that an
//! object of 2^39 bytes costs nothing until somebody touches it. Bits that were never written are 0.

use std::collections::BTreeMap;

use crate::program::{ByteOrder, FunctionId, LocalId, SiteId};
use nearmiss_logic::width::low_bits;

const PAGE: u64 = 4096;
/// Objects beyond this many bytes are kept in pages.
const DENSE: u64 = 1 << 20;
/// There is room for so many objects that a run makes.
const MORE_OBJECTS: usize = 64;
/// What an object costs apart from its bytes, for the limit on memory.
const HEADER: u64 = 64;

/// The bits of one object.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Store {
    /// Up to 16 bytes.
    Small(u128),
    Dense(Box<[u8]>),
    Sparse(BTreeMap<u64, Box<[u8]>>),
}

impl Store {
    /// `size` bytes of 0.
    pub(super) fn zero(size: u64) -> Store {
        match size {
            0..=16 => Store::Small(0),
            17..=DENSE => Store::Dense(vec![0; size as usize].into_boxed_slice()),
            _ => Store::Sparse(BTreeMap::new()),
        }
    }

    /// Up to 128 bits from bit `offset` on. The caller has seen to it that they lie within.
    #[inline]
    pub(super) fn read(&self, offset: u64, bits: u32) -> u128 {
        match self {
            Store::Small(value) => (value >> (offset & 127)) & low_bits(bits),
            Store::Dense(bytes) => {
                let (first, shift) = ((offset / 8) as usize, (offset % 8) as u32);
                if shift == 0 {
                    match bits {
                        8 => return u128::from(bytes[first]),
                        32 => {
                            let word = bytes[first..first + 4].try_into().unwrap_or_default();
                            return u128::from(u32::from_le_bytes(word));
                        }
                        64 => {
                            let word = bytes[first..first + 8].try_into().unwrap_or_default();
                            return u128::from(u64::from_le_bytes(word));
                        }
                        _ => {}
                    }
                }
                let last = (first + (shift + bits).div_ceil(8) as usize).min(bytes.len());
                gather(&bytes[first..last], shift, bits)
            }
            Store::Sparse(_) => {
                let (first, shift) = (offset / 8, (offset % 8) as u32);
                let mut bytes = [0; 17];
                let length = (shift + bits).div_ceil(8) as usize;
                self.read_bytes(first, &mut bytes[..length]);
                gather(&bytes[..length], shift, bits)
            }
        }
    }

    /// Sets up to 128 bits from bit `offset` on; gives the number of bytes that this newly takes.
    #[inline]
    pub(super) fn write(&mut self, offset: u64, bits: u32, value: u128) -> u64 {
        let value = value & low_bits(bits);
        match self {
            Store::Small(old) => {
                let shift = (offset & 127) as u32;
                *old = *old & !(low_bits(bits) << shift) | value << shift;
                0
            }
            Store::Dense(bytes) => {
                let (first, shift) = ((offset / 8) as usize, (offset % 8) as u32);
                if shift == 0 && bits.is_multiple_of(8) {
                    let length = bits as usize / 8;
                    bytes[first..first + length].copy_from_slice(&value.to_le_bytes()[..length]);
                } else {
                    let last = (first + (shift + bits).div_ceil(8) as usize).min(bytes.len());
                    scatter(&mut bytes[first..last], shift, bits, value);
                }
                0
            }
            Store::Sparse(_) => {
                let (first, shift) = (offset / 8, (offset % 8) as u32);
                let mut bytes = [0; 17];
                let length = (shift + bits).div_ceil(8) as usize;
                self.read_bytes(first, &mut bytes[..length]);
                scatter(&mut bytes[..length], shift, bits, value);
                self.write_bytes(first, &bytes[..length])
            }
        }
    }

    /// Fills `out` with the bytes from byte `first` on.
    pub(super) fn read_bytes(&self, first: u64, out: &mut [u8]) {
        match self {
            Store::Small(value) => {
                let bytes = value.to_le_bytes();
                for (byte, at) in out.iter_mut().zip(first as usize..) {
                    *byte = bytes.get(at).copied().unwrap_or(0);
                }
            }
            Store::Dense(bytes) => {
                let first = (first as usize).min(bytes.len());
                let length = out.len().min(bytes.len() - first);
                out[..length].copy_from_slice(&bytes[first..first + length]);
                out[length..].fill(0);
            }
            Store::Sparse(pages) => {
                let mut done = 0;
                while done < out.len() {
                    let at = first + done as u64;
                    let inside = (at % PAGE) as usize;
                    let length = (out.len() - done).min(PAGE as usize - inside);
                    let part = &mut out[done..done + length];
                    match pages.get(&(at / PAGE)) {
                        Some(page) => part.copy_from_slice(&page[inside..inside + length]),
                        None => part.fill(0),
                    }
                    done += length;
                }
            }
        }
    }

    /// Sets the bytes from byte `first` on; gives the number of bytes that this newly takes.
    pub(super) fn write_bytes(&mut self, first: u64, new: &[u8]) -> u64 {
        match self {
            Store::Small(value) => {
                let mut bytes = value.to_le_bytes();
                for (byte, at) in new.iter().zip(first as usize..) {
                    if let Some(old) = bytes.get_mut(at) {
                        *old = *byte;
                    }
                }
                *value = u128::from_le_bytes(bytes);
                0
            }
            Store::Dense(bytes) => {
                let first = (first as usize).min(bytes.len());
                let length = new.len().min(bytes.len() - first);
                bytes[first..first + length].copy_from_slice(&new[..length]);
                0
            }
            Store::Sparse(pages) => {
                let (mut done, mut taken) = (0, 0);
                while done < new.len() {
                    let at = first + done as u64;
                    let inside = (at % PAGE) as usize;
                    let length = (new.len() - done).min(PAGE as usize - inside);
                    let part = &new[done..done + length];
                    if let Some(page) = pages.get_mut(&(at / PAGE)) {
                        page[inside..inside + length].copy_from_slice(part);
                    } else if part.iter().any(|byte| *byte != 0) {
                        let mut page = vec![0; PAGE as usize].into_boxed_slice();
                        page[inside..inside + length].copy_from_slice(part);
                        pages.insert(at / PAGE, page);
                        taken += PAGE + HEADER;
                    }
                    done += length;
                }
                taken
            }
        }
    }

    /// How many bytes it takes now.
    fn cost(&self) -> u64 {
        match self {
            Store::Small(_) => 0,
            Store::Dense(bytes) => bytes.len() as u64,
            Store::Sparse(pages) => pages.len() as u64 * (PAGE + HEADER),
        }
    }
}

/// A value of so many bits as it lies in a row, and back.
#[inline]
pub(super) fn in_row(order: ByteOrder, value: u128, bits: u32) -> u128 {
    match order {
        ByteOrder::Little => value,
        ByteOrder::Big if bits == 0 => 0,
        ByteOrder::Big => (value & low_bits(bits)).reverse_bits() >> (128 - bits.min(128)),
    }
}

/// Bits `shift..shift + bits` of some bytes, of which there are 17 at most.
fn gather(bytes: &[u8], shift: u32, bits: u32) -> u128 {
    let mut low = [0; 16];
    let length = bytes.len().min(16);
    low[..length].copy_from_slice(&bytes[..length]);
    let mut value = u128::from_le_bytes(low) >> shift;
    if let Some(byte) = bytes.get(16)
        && shift > 0
    {
        value |= u128::from(*byte) << (128 - shift);
    }
    value & low_bits(bits)
}

fn scatter(bytes: &mut [u8], shift: u32, bits: u32, value: u128) {
    for (index, byte) in bytes.iter_mut().enumerate() {
        let from = 8 * index as i32 - shift as i32;
        let part = |word: u128| if from < 0 { word << -from } else { word >> from } as u8;
        let keep = !part(low_bits(bits));
        *byte = *byte & keep | part(value);
    }
}

/// What an object is, for its name and the end of its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Number 0, which does not exist, and the object that stands for invalid pointers.
    Nothing,
    Function,
    Global,
    Local(FunctionId, LocalId),
    /// By `malloc`, the how manieth of its site.
    Heap(SiteId, u32),
    /// By `alloca`.
    Stack(SiteId, u32),
}

/// One object.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Object {
    /// In bytes.
    pub(super) size: u64,
    pub(super) alive: bool,
    pub(super) read_only: bool,
    pub(super) kind: Kind,
    pub(super) store: Store,
}

/// Every object, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) objects: Vec<Object>,
    /// Bytes that all objects take, dead ones' headers included.
    pub(super) used: u64,
}

impl Memory {
    /// So many objects will be made, and some more.
    pub(super) fn expect(&mut self, objects: u64) {
        self.objects.reserve(usize::try_from(objects).unwrap_or(0).saturating_add(MORE_OBJECTS));
    }

    /// A new object; its number.
    pub(super) fn create(&mut self, size: u64, kind: Kind, store: Store) -> u64 {
        self.used += HEADER + store.cost();
        let alive = !matches!(kind, Kind::Nothing | Kind::Function);
        self.objects.push(Object { size, alive, read_only: false, kind, store });
        self.objects.len() as u64 - 1
    }

    /// The object of this number where it is alive.
    #[inline]
    pub(super) fn live(&self, number: u64) -> Option<&Object> {
        self.objects.get(usize::try_from(number).ok()?).filter(|object| object.alive)
    }

    /// Ends the life of an object.
    pub(super) fn kill(&mut self, number: u64) {
        if let Some(object) = self.objects.get_mut(number as usize)
            && object.alive
        {
            object.alive = false;
            self.used -= object.store.cost();
            object.store = Store::Small(0);
        }
    }

    /// Gives the number of a dead object to a new one.
    pub(super) fn revive(&mut self, number: u64, size: u64, store: Store) {
        self.used += store.cost();
        if let Some(object) = self.objects.get_mut(number as usize) {
            (object.size, object.alive, object.store) = (size, true, store);
        }
    }

    /// Takes the bits out of an object, which is left with none.
    pub(super) fn take(&mut self, number: u64) -> Store {
        let store = match self.objects.get_mut(number as usize) {
            Some(object) => std::mem::replace(&mut object.store, Store::Small(0)),
            None => Store::Small(0),
        };
        self.used -= store.cost();
        store
    }

    /// Reads bits; 0 unless they lie within a live object.
    #[inline]
    pub(super) fn read(&self, number: u64, offset: u64, bits: u32) -> u128 {
        match self.live(number) {
            Some(object) if within(offset, u64::from(bits), object.size) => object.store.read(offset, bits),
            _ => 0,
        }
    }

    /// Writes bits; does nothing unless they lie within a live object.
    #[inline]
    pub(super) fn write(&mut self, number: u64, offset: u64, bits: u32, value: u128) {
        if let Some(object) = self.objects.get_mut(number as usize)
            && object.alive
            && within(offset, u64::from(bits), object.size)
        {
            self.used += object.store.write(offset, bits, value);
        }
    }

    /// How many bytes of a live object follow `offset`.
    pub(super) fn left(&self, number: u64, offset: u64) -> u64 {
        self.live(number).map_or(0, |object| object.size.saturating_sub(offset))
    }

    /// Fills `out`; 0 for what lies outside.
    pub(super) fn read_bytes(&self, number: u64, first: u64, out: &mut [u8]) {
        let inside = self.left(number, first).min(out.len() as u64) as usize;
        out[inside..].fill(0);
        if let Some(object) = self.live(number) {
            object.store.read_bytes(first, &mut out[..inside]);
        }
    }

    /// Sets bytes; those outside are lost.
    pub(super) fn write_bytes(&mut self, number: u64, first: u64, bytes: &[u8]) {
        let inside = self.left(number, first).min(bytes.len() as u64) as usize;
        if inside > 0 {
            self.used += self.objects[number as usize].store.write_bytes(first, &bytes[..inside]);
        }
    }
}

/// Where bits are: in a local that no pointer can reach, or in an object.
#[derive(Clone, Copy)]
pub(super) enum Space {
    /// A slot, with the size of its local in bytes.
    Slot(usize, u64),
    /// An object that no pointer can reach.
    Private(u64),
    /// An object that has a number in the program.
    Object(u64),
}

impl Space {
    /// The kind of space and its number among those, without its size.
    pub(super) fn home(self) -> (usize, usize) {
        match self {
            Space::Slot(slot, _) => (0, slot),
            Space::Private(number) => (1, number as usize),
            Space::Object(number) => (2, number as usize),
        }
    }
}

/// Do these bits lie within an object of `size` bytes?
#[inline]
pub(super) fn within(offset: u64, bits: u64, size: u64) -> bool {
    offset.checked_add(bits).is_some_and(|end| end <= size.saturating_mul(8))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever its representation, a store is a row of bits.
        #[test]
        fn stores_are_rows_of_bits(writes in proptest::collection::vec((0u64..200, 1u32..=128, any::<u128>()), 1..20)) {
            for (size, base) in [(16u64, 0u64), (64, 0), (1 << 39, 4096 * 8 - 80)] {
                let mut store = Store::zero(size);
                let mut bits = vec![false; 512];
                for (offset, width, value) in &writes {
                    if !within(*offset, u64::from(*width), size) {
                        continue;
                    }
                    store.write(base + offset, *width, *value);
                    for bit in 0..*width {
                        bits[*offset as usize + bit as usize] = value >> bit & 1 == 1;
                    }
                }
                for (offset, width, _) in &writes {
                    if !within(*offset, u64::from(*width), size) {
                        continue;
                    }
                    let want = (0..*width).map(|bit| u128::from(bits[*offset as usize + bit as usize]) << bit).sum::<u128>();
                    prop_assert_eq!(store.read(base + offset, *width), want);
                }
            }
        }
    }

    #[test]
    fn accesses_outside_are_harmless() {
        let mut memory = Memory::default();
        let object = memory.create(6, Kind::Global, Store::zero(6));
        memory.write(object, 32, 32, 7);
        assert_eq!(memory.read(object, 16, 32), 0);
        memory.write(object, 16, 32, 7);
        assert_eq!((memory.read(object, 16, 32), memory.read(object, 32, 32)), (7, 0));
        assert_eq!(memory.read(99, 0, 8), 0);
        memory.write_bytes(object, 4, &[1, 2, 3, 4]);
        let mut bytes = [9; 4];
        memory.read_bytes(object, 4, &mut bytes);
        assert_eq!(bytes, [1, 2, 0, 0]);
        memory.kill(object);
        assert_eq!(memory.read(object, 0, 8), 0);
    }
}
