//! Which steps a run shows, and under which names.
//!
//! A person sees what the user's functions do, and inputs and claims wherever they come up: also within models of the
//! library and in the start function. Values are as wide as their type, so a bit-field is extended.

use std::cell::RefCell;

use super::{Frame, Machine, Passed, Slot, Space};
use crate::c::versions;
use crate::interp::memory::{Kind, in_row, within};
use crate::interp::{Deed, Recording, created_object};
use crate::program::{
    Author, Base, ClaimId, Function, FunctionId, GlobalId, Local, LocalId, Origin, PlaceId, Program, SiteId, Type,
    TypeId,
};
use crate::run::{Content, Gone, RunStep, RunStepKind, Seen, Sight};
use crate::show;
use crate::source::Span;
use nearmiss_logic::width::{low_bits, sign_extend};

/// So many bytes that were copied are looked at.
const MOST_COPIED: u64 = 4_096;
/// A copied object is shown by its scalars where it has no more than this.
const LEAVES: usize = 16;

impl Machine<'_, '_> {
    /// Are the assignments and branches of the running function shown?
    #[inline]
    pub(super) fn shows(&self) -> bool {
        self.recording == Recording::Steps && self.function().is_some_and(|(_, f)| f.author == Author::User)
    }

    /// Takes down a value of a function of the user's, where only these are wanted. Addresses are other numbers in another program.
    #[inline]
    pub(super) fn did(&mut self, (ty, value): (TypeId, u128), target: Option<PlaceId>, span: Span) {
        if self.recording == Recording::Deeds
            && !matches!(self.program.ty(ty), Type::Pointer { .. })
            && let Some((function, of)) = self.function()
            && of.author == Author::User
        {
            // A number is the same one in a wider type.
            let value = match self.program.ty(ty) {
                Type::Integer { bits, signed: true, .. } => sign_extend(value, *bits) as u128,
                _ => value,
            };
            let own = match target {
                Some(target) => self.is_local(target) && self.callers() > 0,
                None => self.callers() > 1,
            };
            self.deeds.push(Deed { function, span, value, own });
        }
    }

    /// The same for bytes that were copied, also by a function of the library, as one number. What looks like a pointer is left out.
    #[inline]
    fn did_copy(&mut self, size: u64, own: bool, span: Span, read: impl Fn(&Self, u64, &mut [u8])) {
        let Some(function) = self.frames.last().map(|frame| frame.function) else { return };
        if self.recording != Recording::Deeds {
            return;
        }
        let layout = self.program.pointer;
        let mut value = u128::from(size);
        let mut bytes = [0; 8];
        for at in (0..size.min(MOST_COPIED)).step_by(8) {
            let part = &mut bytes[..(size - at).min(8) as usize];
            read(self, at, part);
            let number = part.iter().fold(0u128, |number, byte| number << 8 | u128::from(*byte));
            let swapped = part.iter().rev().fold(0u128, |number, byte| number << 8 | u128::from(*byte));
            let is_pointer = [number, swapped].into_iter().any(|number| {
                let (object, _) = layout.decode(number);
                object != 0 && self.memory.live(object).is_some()
            });
            let number = if is_pointer { 0 } else { number };
            value = (value ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        }
        self.deeds.push(Deed { function, span, value, own });
    }

    /// Takes down a whole object that was copied.
    pub(super) fn copied(&mut self, target: PlaceId, copied: &Passed, origin: Origin, span: Span) {
        if origin == Origin::Written && self.shows() {
            self.record_copy(target, span);
        }
        if let Passed::Object(copied, size) = copied {
            let own = self.is_local(target) && self.callers() > 0;
            self.did_copy(*size, own, span, |_, at, part| copied.read_bytes(at, part));
        }
    }

    /// The same for bytes behind a pointer.
    pub(super) fn copied_bytes(&mut self, target: u128, size: u64, span: Span) {
        let (object, offset) = self.program.pointer.decode(target);
        let read = |machine: &Self, at, part: &mut [u8]| machine.memory.read_bytes(object, offset + at, part);
        self.did_copy(size, false, span, read);
    }

    fn is_local(&self, target: PlaceId) -> bool {
        matches!(self.program.place(target).base, Base::Local(_))
    }

    /// How many functions of the user's are under way beside the running one; of more than two it does not matter.
    fn callers(&self) -> usize {
        let is_users = |frame: &&Frame| self.program.function(frame.function).author == Author::User;
        self.frames.split_last().map_or(0, |(_, callers)| callers.iter().filter(is_users).take(2).count())
    }

    fn function(&self) -> Option<(FunctionId, &Function)> {
        self.frames.last().map(|frame| (frame.function, self.program.function(frame.function)))
    }

    /// Takes down a step of the running function.
    #[inline]
    pub(super) fn record(&mut self, kind: RunStepKind, span: Span) {
        if self.recording == Recording::Steps
            && let Some((function, _)) = self.function()
        {
            let depth = self.frames.len() as u32 - 1;
            self.recorded.push(RunStep { kind, span, function, depth, idle: false });
            self.observer.iter_mut().for_each(|observer| observer.record());
        }
    }

    fn name(&mut self, place: PlaceId) -> String {
        let program = self.program;
        let Some(frame) = self.frames.last() else { return String::new() };
        let function = program.function(frame.function);
        let machine = RefCell::new(self);
        let mut index_value = |index| machine.borrow_mut().eval(index);
        let objects = |object| created_object(program, &machine.borrow().memory, object);
        show::place_name(program, function, place, &mut index_value, &objects)
    }

    fn is_temporary(&self, place: PlaceId) -> bool {
        match (self.program.place(place).base, self.function()) {
            (Base::Local(local), Some((_, function))) => function.locals[local.index()].temporary,
            _ => false,
        }
    }

    /// A person's assignment. One of what is there already is none to a reader.
    pub(super) fn assign_written(&mut self, place: PlaceId, value: u128, span: Span) {
        if self.is_temporary(place) {
            return self.store(place, value);
        }
        let flat = &self.code.places[place.index()];
        let (space, offset) = self.locate(flat);
        let old = self.bits_at(space, offset, flat.bits.min(128) as u32);
        let unchanged =
            self.uses.is_set(space, offset, flat.bits) && old == value & low_bits(flat.bits.min(128) as u32);
        if !unchanged {
            self.store(place, value);
        }
        let (ty, step) = (self.program.place(place).ty, self.recorded.len());
        let (name, value) = (self.name(place), self.program.widened(ty, flat.bits, value));
        self.record(RunStepKind::Assign { name, ty, value }, span);
        if unchanged {
            self.uses.unchanged(step);
        } else {
            self.uses.assign(step, space, offset, flat.bits);
        }
    }

    /// The next step sets these bits of a place.
    fn note_assign(&mut self, place: PlaceId, bit_offset: u64, bits: u64) {
        let (space, offset) = self.locate(&self.code.places[place.index()]);
        self.uses.assign(self.recorded.len(), space, offset.saturating_add(bit_offset), bits);
    }

    /// One step for each scalar of the object that was just written.
    pub(super) fn record_copy(&mut self, place: PlaceId, span: Span) {
        if self.is_temporary(place) {
            return;
        }
        let target = self.program.place(place);
        let name = self.name(place);
        let mut leaves = Vec::new();
        let whole = Leaf { name, ty: target.ty, offset: 0, bits: target.bits, shared: false };
        if !collect(self.program, whole, &mut leaves) {
            return;
        }
        let Passed::Object(store, size) = self.read_object(place) else { return };
        for leaf in leaves.into_iter().filter(|leaf| within(leaf.offset, leaf.bits, size)) {
            let row = store.read(leaf.offset, leaf.bits as u32);
            let value = in_row(self.program.order, row, leaf.bits as u32);
            let value = self.program.widened(leaf.ty, leaf.bits, value);
            self.note_assign(place, leaf.offset, leaf.bits);
            self.record(RunStepKind::Assign { name: leaf.name, ty: leaf.ty, value }, span);
        }
    }

    /// What the variables in the text of a claim hold now. Looking is not reading. Large objects are left out.
    pub(super) fn seen(&mut self, claim: ClaimId) -> Sight {
        let program = self.program;
        let claim = &program.claims[claim.index()];
        let compared: Vec<String> = match () {
            _ if program.reference.is_some() && versions::compares(&claim.id) && self.recording == Recording::Steps => {
                ["new", "old", "at"].iter().map(|what| versions::seen_name(what, claim.span.part)).collect()
            }
            _ if !self.shows() => return Sight::default(),
            _ => Vec::new(),
        };
        let mut seen: Vec<Seen> = Vec::new();
        let names = match &compared[..] {
            [] => show::variables(&claim.text),
            compared => compared.iter().map(String::as_str).collect(),
        };
        for (_, name) in names.iter().enumerate().filter(|(at, name)| !names[..*at].contains(name)) {
            let Some((space, ty)) = self.variable(name, claim.span) else { continue };
            let mut leaves = Vec::new();
            let whole = Leaf { name: name.to_string(), ty, offset: 0, bits: program.size_bits(ty), shared: false };
            if !collect(program, whole, &mut leaves) {
                continue;
            }
            for Leaf { name, ty, offset, bits, shared } in leaves.into_iter().filter(|leaf| leaf.bits <= 128) {
                let value = program.widened(ty, bits, self.bits_at(space, offset, bits as u32));
                let gone = self.gone(ty, value);
                seen.push(Seen { name, ty, value, gone, shared });
            }
        }
        Sight(seen)
    }

    /// Whether a value points to an object that is no longer there.
    fn gone(&self, ty: TypeId, value: u128) -> Option<Gone> {
        let Type::Pointer { .. } = self.program.ty(ty) else { return None };
        let (number, _) = self.program.pointer.decode(value);
        let object = self.memory.objects.get(usize::try_from(number).ok()?).filter(|object| !object.alive)?;
        match object.kind {
            Kind::Heap(..) => Some(Gone::Freed),
            Kind::Local(..) | Kind::Stack(..) => Some(Gone::Left),
            Kind::Nothing | Kind::Function | Kind::Global => None,
        }
    }

    /// Where the variable is that a name means at some place of the running function: the innermost local whose scope that
    /// is in and that is alive, or else a global.
    fn variable(&mut self, name: &str, at: Span) -> Option<(Space, TypeId)> {
        let (_, function) = self.function()?;
        let is_in_scope =
            |local: &Local| local.span.file != at.file || (local.span.start < at.end && at.start < local.scope_end);
        let is_it = |local: &&(u32, &Local)| local.1.name == name && !local.1.temporary && is_in_scope(local.1);
        let locals: Vec<(u32, TypeId)> =
            (0..).zip(&function.locals).filter(|local| is_it(&local)).map(|(id, local)| (id, local.ty)).collect();
        if locals.is_empty() {
            let found = self.program.globals.iter().position(|global| global.name == name)?;
            let global = GlobalId(found as u32);
            return Some((Space::Object(self.program.global_object(global)), self.program.globals[found].ty));
        }
        let is_alive = |id: u32| !matches!(self.slots.get(self.base + id as usize), None | Some(Slot::Empty));
        let (id, ty) = locals.into_iter().rfind(|(id, _)| is_alive(*id))?;
        Some((self.local(LocalId(id)), ty))
    }

    pub(super) fn record_parameter(&mut self, local: LocalId, value: u128) {
        let Some((_, function)) = self.function() else { return };
        let parameter = &function.locals[local.index()];
        // What the start function passes is recorded as inputs already.
        let passed_on = self.program.reference.is_some() && self.frames.len() == 3;
        if parameter.temporary || self.frames.len() == 2 || passed_on {
            return;
        }
        let (name, ty, span) = (parameter.name.clone(), parameter.ty, parameter.span);
        let (space, step) = (self.local(local), self.recorded.len());
        self.uses.assign(step, space, 0, self.program.size_bits(ty));
        self.record(RunStepKind::Assign { name, ty, value }, span);
    }

    pub(super) fn record_input(&mut self, place: PlaceId, site: SiteId, value: u128, span: Span) {
        if self.recording == Recording::Steps {
            let target = self.program.place(place);
            let value = self.program.widened(target.ty, target.bits, value);
            let name = self.program.sites[site.index()].name.clone();
            self.note_assign(place, 0, target.bits);
            self.record(RunStepKind::Input { site, name, ty: target.ty, value }, span);
        }
    }

    /// Some bits of an object that starts undefined.
    pub(super) fn record_content(&mut self, id: SiteId, content: &Content) {
        if self.recording != Recording::Steps {
            return;
        }
        let program = self.program;
        let site = &program.sites[id.index()];
        let bits = u64::from(content.bits);
        let (name, ty) = show::content_name(program, id, content.bit_offset, bits);
        let value = program.widened(ty, bits, content.value & low_bits(content.bits));
        self.record(RunStepKind::Input { site: id, name, ty, value }, site.span);
    }
}

struct Leaf {
    name: String,
    ty: TypeId,
    offset: u64,
    bits: u64,
    /// Whether it is a member of a union, or in one.
    shared: bool,
}

/// Collects the scalars of an object, of a union the first member's; false where there are too many.
fn collect(program: &Program, of: Leaf, leaves: &mut Vec<Leaf>) -> bool {
    match program.ty(of.ty) {
        Type::Record { fields, union, .. } => {
            let named = fields.iter().filter(|field| !(field.bit_field && field.name.is_empty()));
            let count = if *union { 1 } else { usize::MAX };
            named.take(count).all(|field| {
                let (name, offset) =
                    (show::member_name(&of.name, &field.name), of.offset.saturating_add(field.bit_offset));
                let shared = of.shared || *union;
                collect(program, Leaf { name, ty: field.ty, offset, bits: field.bits, shared }, leaves)
            })
        }
        Type::Array { of: ty, length } => {
            let bits = program.size_bits(*ty);
            *length <= LEAVES as u64
                && (0..*length).all(|index| {
                    let offset = of.offset.saturating_add(index.saturating_mul(bits));
                    let name = show::element_name(&of.name, index);
                    collect(program, Leaf { name, ty: *ty, offset, bits, shared: of.shared }, leaves)
                })
        }
        Type::Void | Type::Function { .. } => true,
        _ => {
            leaves.push(of);
            leaves.len() <= LEAVES
        }
    }
}
