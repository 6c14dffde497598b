//! Objects that come and go: locals, allocations, and what undefined ones hold at first.

use super::{CHUNK, Machine, Slot, Step};
use crate::interp::InputSource;
use crate::interp::memory::{Kind, Space, Store, in_row, within};
use crate::program::{INVALID_OBJECT, LocalId, SiteId, SiteKind, Storage};

impl Machine<'_, '_> {
    /// Contents for the next object of a site; whoever places it calls [`Machine::note_contents`].
    pub(super) fn undefined(&mut self, site: SiteId, size: u64) -> Store {
        self.strayed |= self.program.sites[site.index()].kind == SiteKind::Unsaid;
        self.fresh.clear();
        let occurrence = self.created[site.index()];
        self.created[site.index()] = occurrence.saturating_add(1);
        let mut store = Store::zero(size);
        let contents = match &mut self.inputs {
            InputSource::Inputs(inputs) if inputs.contents.is_empty() => return store,
            InputSource::Inputs(inputs) => inputs.contents.get(&(site, occurrence)).cloned().unwrap_or_default(),
            InputSource::Oracle(oracle) => oracle.contents(site, occurrence),
        };
        for content in &contents {
            let bits = content.bits.min(128);
            if bits > 0 && within(content.bit_offset, u64::from(bits), size) {
                store.write(content.bit_offset, bits, in_row(self.program.order, content.value, bits));
                let step = self.recorded.len();
                self.record_content(site, content);
                if self.recorded.len() > step {
                    self.fresh.push((step, content.bit_offset, u64::from(bits)));
                }
            }
        }
        store
    }

    /// The sites of functions without a body whose contents were asked for.
    pub(in crate::interp) fn overwritten(&self) -> Vec<SiteId> {
        let sites = self.program.sites.iter().zip(&self.created).enumerate();
        let met = sites.filter(|(_, (site, created))| site.writer.is_some() && **created > 0);
        met.map(|(index, _)| SiteId(index as u32)).collect()
    }

    /// The contents of the last undefined object lie here: an input that nobody reads is idle.
    pub(super) fn note_contents(&mut self, space: Space) {
        for (step, offset, bits) in self.fresh.drain(..) {
            self.uses.hold(step, space, offset, bits);
        }
    }

    /// A local comes to life with undefined contents, a temporary with zeros.
    pub(super) fn create_local(&mut self, local: LocalId) {
        let Some(frame) = self.frames.last() else { return };
        let size = self.code.layouts[frame.function.index()].sizes[local.index()];
        let declared = &self.program.function(frame.function).locals[local.index()];
        let store = if declared.temporary { Store::zero(size) } else { self.undefined(declared.site, size) };
        let is_undefined = !declared.temporary;
        let space = self.place_local(local, store);
        if let (Some(space), true) = (space, is_undefined) {
            self.note_contents(space);
        }
    }

    /// Puts a local's bits where its layout wants them, and says where that is.
    pub(super) fn place_local(&mut self, local: LocalId, store: Store) -> Option<Space> {
        let frame = self.frames.last()?;
        let id = frame.function;
        let layout = &self.code.layouts[id.index()];
        let size = layout.sizes[local.index()];
        self.uses.forget(Space::Slot(self.base + local.index(), size));
        let slot = match store {
            store if layout.numbered[local.index()] => {
                Slot::Object(self.new_object(size, Kind::Local(id, local), store))
            }
            Store::Small(value) => Slot::Value(value),
            store => Slot::Private(self.new_private(size, store)),
        };
        self.slots[self.base + local.index()] = slot;
        let space = match slot {
            Slot::Object(number) => Space::Object(number),
            Slot::Private(number) => Space::Private(number),
            Slot::Value(_) | Slot::Empty => Space::Slot(self.base + local.index(), size),
        };
        self.born(space, size * 8);
        Some(space)
    }

    pub(super) fn kill_local(&mut self, local: LocalId) {
        match std::mem::replace(&mut self.slots[self.base + local.index()], Slot::Empty) {
            Slot::Empty | Slot::Value(_) => {}
            Slot::Private(number) => self.forget_private(number),
            Slot::Object(number) => self.kill_object(number),
        }
    }

    pub(super) fn new_private(&mut self, size: u64, store: Store) -> u64 {
        match self.unused.pop() {
            Some(number) => {
                self.uses.forget(Space::Private(number));
                self.private.revive(number, size, store);
                number
            }
            None => self.private.create(size, Kind::Global, store),
        }
    }

    pub(super) fn forget_private(&mut self, number: u64) {
        self.private.kill(number);
        self.unused.push(number);
    }

    pub(super) fn allocate(&mut self, size: u128, zeroed: bool, storage: Storage, site: SiteId) -> u128 {
        if size > u128::from(self.program.pointer.max_object_size()) {
            return 0;
        }
        let size = size as u64;
        let earlier = self.created[site.index()];
        let store = if zeroed {
            self.created[site.index()] = earlier.saturating_add(1);
            Store::zero(size)
        } else {
            self.undefined(site, size)
        };
        let number = match storage {
            Storage::Heap => self.new_object(size, Kind::Heap(site, earlier), store),
            Storage::Stack => {
                let number = self.new_object(size, Kind::Stack(site, earlier), store);
                if let Some(frame) = self.frames.last_mut() {
                    frame.stack.push(number);
                }
                number
            }
        };
        self.born(Space::Object(number), size.saturating_mul(8));
        if !zeroed {
            self.note_contents(Space::Object(number));
        }
        self.program.pointer.encode(number, 0)
    }

    /// A new object that pointers can reach.
    pub(super) fn new_object(&mut self, size: u64, kind: Kind, store: Store) -> u64 {
        if self.memory.objects.len() as u64 >= self.program.pointer.max_objects() {
            self.out_of_numbers = true;
            self.check_soon();
            return INVALID_OBJECT;
        }
        self.memory.create(size, kind, store)
    }

    pub(super) fn kill_object(&mut self, object: u64) {
        self.memory.kill(object);
        self.uses.trace.iter_mut().for_each(|trace| trace.dies(object));
    }

    pub(super) fn born(&mut self, space: Space, bits: u64) {
        self.uses.trace.iter_mut().for_each(|trace| trace.born(space, bits));
    }

    pub(super) fn copy_bytes(&mut self, target: u128, source: u128, size: u64) -> Step<()> {
        let (to, to_offset) = self.program.pointer.decode(target);
        let (from, from_offset) = self.program.pointer.decode(source);
        self.strayed |= size > self.memory.left(to, to_offset);
        let size = size.min(self.memory.left(to, to_offset));
        let mut buffer = [0; CHUNK];
        let mut done = 0;
        while done < size {
            let length = (size - done).min(CHUNK as u64);
            // From the back where the target lies behind the source, so that nothing is overwritten unread.
            let at = if to_offset > from_offset { size - done - length } else { done };
            let part = &mut buffer[..length as usize];
            self.memory.read_bytes(from, from_offset + at, part);
            self.memory.write_bytes(to, to_offset + at, part);
            self.uses.read(Space::Object(from), 8 * (from_offset + at), 8 * length);
            self.uses.overwrite(Space::Object(to), 8 * (to_offset + at), 8 * length);
            done += length;
            self.check_soon();
            self.count()?;
        }
        Ok(())
    }

    pub(super) fn set_bytes(&mut self, target: u128, value: u8, size: u64) -> Step<()> {
        let (to, offset) = self.program.pointer.decode(target);
        self.strayed |= size > self.memory.left(to, offset);
        let size = size.min(self.memory.left(to, offset));
        let buffer = [in_row(self.program.order, u128::from(value), 8) as u8; CHUNK];
        let mut done = 0;
        while done < size {
            let length = (size - done).min(CHUNK as u64);
            self.memory.write_bytes(to, offset + done, &buffer[..length as usize]);
            self.uses.overwrite(Space::Object(to), 8 * (offset + done), 8 * length);
            done += length;
            self.check_soon();
            self.count()?;
        }
        Ok(())
    }
}
