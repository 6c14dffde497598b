//! Objects under symbolic execution: how they come to life, which address they have, and how their life ends.

use nearmiss_logic::term::Term;

use super::memory::{Cell, Content, INSTANCE, Lifetime, Object, ObjectNumber, Undefined};
use super::{Frame, Here, State, Symex};
use crate::equation::{Birth, Creation, CreationId};
use nearmiss_program::program::{Author, GlobalId, Local, LocalId, Program, SiteId, SiteKind, TypeId};
use nearmiss_program::source::Span;

impl Symex<'_> {
    pub(super) fn new_object(&mut self, object: Object) -> ObjectNumber {
        self.objects.push(object);
        self.objects.len() as u32 - 1
    }

    /// An object that pointers may reach comes to life.
    pub(super) fn new_birth(&mut self) -> u32 {
        self.eq.births.push(Birth { guard: self.here.guard, number: None });
        self.eq.births.len() as u32 - 1
    }

    /// The object of a global.
    pub(super) fn global_object(&self, global: GlobalId) -> ObjectNumber {
        self.globals[global.index()]
    }

    /// A pointer to the first byte of an object.
    pub(super) fn object_address(&mut self, object: ObjectNumber) -> Term {
        let number = match self.objects[object as usize].address {
            Some(number) => number,
            None => {
                let number = self.next_address;
                self.next_address += 1;
                if number >= self.program.pointer.max_objects() {
                    self.reach_unsupported("more objects than pointers can tell apart".to_owned());
                }
                self.by_address.insert(number, object);
                self.objects[object as usize].address = Some(number);
                if let Some(birth) = self.objects[object as usize].birth {
                    self.eq.births[birth as usize].number = Some(number);
                }
                number
            }
        };
        let value = self.program.pointer.encode(number, 0);
        self.eq.terms.constant(self.program.pointer.bits, value)
    }

    pub(super) fn new_undefined(
        &mut self,
        site: SiteId,
        name: &str,
        ty: Option<TypeId>,
        bits: u64,
        span: Span,
    ) -> Content {
        let Here { guard, function, depth, turn, .. } = self.here;
        self.eq.creations.push(Creation { site, guard, turn, pointed_at: None });
        let creation = CreationId(self.eq.creations.len() as u32 - 1);
        self.undefined.push(Undefined::new(creation, name.into(), ty, span, function, depth, bits));
        Content::Undefined(self.undefined.len() as u32 - 1, 0)
    }

    /// A local comes to life (again).
    pub(super) fn declare(&mut self, state: &mut State, frame: &Frame, local: LocalId) {
        let declared = &self.program.function(frame.function).locals[local.index()];
        if declared.address_taken {
            self.instantiate(state, frame, local);
            return;
        }
        let slot = frame.base + local.0;
        let bits = self.program.size_bits(declared.ty);
        let name = name_of_contents(self.program, declared);
        let content = self.new_undefined(declared.site, name, Some(declared.ty), bits, declared.span);
        self.forget(&mut state.cells, slot);
        if bits > 0 {
            self.write_bits(&mut state.cells, slot, 0, bits, content);
        }
    }

    /// A new object for a local whose address is taken.
    pub(super) fn instantiate(&mut self, state: &mut State, frame: &Frame, local: LocalId) -> ObjectNumber {
        let declared = &self.program.function(frame.function).locals[local.index()];
        self.end_instance(state, frame, local);
        let bits = self.program.size_bits(declared.ty);
        let name = name_of_contents(self.program, declared);
        let initial = self.new_undefined(declared.site, name, Some(declared.ty), bits, declared.span);
        let birth = self.new_birth();
        let size = self.eq.terms.constant(self.program.pointer.bits, u128::from(bits / 8));
        let object = self.new_object(Object {
            name: declared.name.as_str().into(),
            ty: Some(declared.ty),
            bits,
            size,
            initial,
            lifetime: Lifetime::Activation,
            read_only: false,
            visible: !declared.temporary && frame.author == Author::User,
            address: None,
            birth: Some(birth),
        });
        if bits > 0 {
            self.write_bits(&mut state.cells, object, 0, bits, initial);
        }
        let slot = frame.base + local.0;
        state.cells.insert((slot, INSTANCE), Cell { bits: 1, content: Content::Instance(object) });
        object
    }

    /// The life of a local's object ends, if it has one.
    pub(super) fn end_instance(&mut self, state: &mut State, frame: &Frame, local: LocalId) {
        let slot = frame.base + local.0;
        if let Some(Cell { content: Content::Instance(old), .. }) = state.cells.remove(&(slot, INSTANCE)) {
            self.bury(state, old);
        }
    }

    pub(super) fn bury(&mut self, state: &mut State, object: ObjectNumber) {
        self.forget(&mut state.cells, object);
        let always = self.eq.terms.tru();
        self.kill(&mut state.cells, object, always);
    }
}

/// What a string behind a pointer argument holds is `s[0]`, though the string itself is `*s`.
fn name_of_contents<'p>(program: &'p Program, local: &'p Local) -> &'p str {
    let site = &program.sites[local.site.index()];
    if site.kind == SiteKind::Pointee { &site.name } else { &local.name }
}
