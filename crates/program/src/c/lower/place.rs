//! Lvalues: from the tree's to places, with the claims that make reading and writing them harmless.

use super::function::Binding;
use super::{Lowering, tree};
use crate::c::tree::{ExprKind, ObjectKind, StorageDuration};
use crate::program::{
    Base, BinaryOp, ClaimKind, ExprId, MemoryQuestion, Place, PlaceId, Projection, SiteKind, StatementKind, Type,
    TypeId,
};
use crate::source::Span;

use super::function::Checked;

/// An lvalue.
#[derive(Clone, Copy)]
pub(super) struct Located {
    pub(super) place: PlaceId,
    /// The pointer that it is reached by, for the words of a claim.
    pub(super) pointer: Option<tree::ExprId>,
    /// To how many bytes that pointer must be aligned.
    pub(super) align: u32,
    /// Whether it may lie beyond its type: an element of a flexible array.
    pub(super) unbounded: bool,
}

/// What a place is needed for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// To be read or written.
    Access,
    /// For its address, which may be one past the end.
    Address,
}

/// How memory is touched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    Read,
    Write,
}

impl Lowering<'_> {
    /// The place of an lvalue. Its indices are claimed to be in bounds; pointers are claimed on [`Self::access`].
    pub(super) fn locate(&mut self, e: tree::ExprId, usage: Use) -> Located {
        let tree = self.tree;
        let expr = tree.expr(e);
        match &expr.kind {
            ExprKind::Object(object) => {
                self.refuse_object(*object, expr.span);
                let place = self.object_place(*object);
                Located { place, pointer: None, align: 1, unbounded: false }
            }
            ExprKind::Member { base, field } => {
                let base = self.locate(*base, Use::Access);
                let place = self.project(base.place, Projection::Field(*field));
                Located { place, ..base }
            }
            ExprKind::Element { array, index } => self.element(*array, Some(*index), expr.span, usage),
            ExprKind::Deref(pointer) => match self.indexed_array(*pointer) {
                Some((inner, None)) if tree.expr(inner).ty == expr.ty => self.locate(inner, usage),
                Some((inner, index)) => self.element(inner, index, expr.span, usage),
                None => {
                    let address = self.value(*pointer);
                    let place = self.base_place(Base::Deref(address), expr.ty);
                    Located { place, pointer: Some(*pointer), align: expr.align, unbounded: false }
                }
            },
            ExprKind::Load(lvalue) => self.locate(*lvalue, Use::Access),
            _ => {
                let place = self.record(e);
                Located { place, pointer: None, align: 1, unbounded: false }
            }
        }
    }

    /// An element of an array; the first where no index is given.
    fn element(&mut self, array: tree::ExprId, index: Option<tree::ExprId>, span: Span, usage: Use) -> Located {
        let mut base = self.locate(array, Use::Access);
        let array_type = self.program.place(base.place).ty;
        let (of, length) = match self.program.ty(array_type) {
            Type::Array { of, length } => (*of, *length),
            _ => (array_type, 1),
        };
        if matches!(self.program.ty(of), Type::Array { length: 0, .. }) {
            self.unsupported("an array of variable length with several dimensions", span);
        }
        let Some(index) = index else {
            let zero = self.constant(0, self.basic.difference);
            base.place = self.project(base.place, Projection::Index(zero));
            return base;
        };
        if self.disturbs_place(index, base.place) {
            base.place = self.stabilise(base.place, span);
        }
        let value = self.value(index);
        let sign = self.is_signed(self.tree.expr(index).ty);
        let width = self.program.pointer.bits;
        let wide = self.resize(value, width, sign, self.basic.difference);
        base.unbounded |= length == 0;
        if self.options.checks.bounds && !self.index_is_safe(array, index) {
            match self.tree.bounds.get(&array) {
                Some(bound) => self.claim_below(wide, *bound, usage, (array, index), span),
                None => self.claim_index(wide, length, usage, (array, index), span),
            }
        }
        base.place = self.project(base.place, Projection::Index(wide));
        base
    }

    fn claim_index(
        &mut self,
        index: ExprId,
        length: u64,
        usage: Use,
        (array, index_expr): (tree::ExprId, tree::ExprId),
        span: Span,
    ) {
        // One past the end has an address, but nothing more.
        let past = length + u64::from(usage == Use::Address);
        let bound = self.constant(u128::from(past), self.basic.difference);
        let condition = self.binary(crate::program::BinaryOp::ULt, index, bound, self.basic.truth);
        let text = format!("index {} within 0..{} of {}", self.words(index_expr), past - 1, self.words(array));
        self.claim(ClaimKind::ArrayBounds, condition, text, span);
    }

    /// The same for an array of variable length that is a part of something larger.
    fn claim_below(
        &mut self,
        index: ExprId,
        bound: tree::ExprId,
        usage: Use,
        (array, index_expr): (tree::ExprId, tree::ExprId),
        span: Span,
    ) {
        let (length, from) = (self.value(bound), self.tree.expr(bound).ty);
        let length = self.convert(length, from, self.basic.size);
        let less = if usage == Use::Address { BinaryOp::ULe } else { BinaryOp::ULt };
        let condition = self.binary(less, index, length, self.basic.truth);
        let text = format!("index {} within the length of {}", self.words(index_expr), self.words(array));
        self.claim(ClaimKind::ArrayBounds, condition, text, span);
    }

    /// What a pointer to a scalar points to; the variable itself for `&x`.
    pub(super) fn pointee(&mut self, pointer: tree::ExprId) -> Located {
        let expr = self.tree.expr(pointer);
        let ty = match self.program.ty(expr.ty) {
            Type::Pointer { to } if self.program.is_scalar(*to) => *to,
            _ => self.basic.int,
        };
        match expr.kind {
            ExprKind::AddressOf(lvalue) if self.tree.expr(lvalue).ty == ty => self.locate(lvalue, Use::Access),
            _ => {
                let address = self.value(pointer);
                let place = self.base_place(Base::Deref(address), ty);
                Located { place, pointer: Some(pointer), align: 1, unbounded: false }
            }
        }
    }

    /// The place of a variable or literal.
    pub(super) fn object_place(&mut self, object: tree::ObjectId) -> PlaceId {
        let of = self.tree.object(object);
        if of.storage != StorageDuration::Automatic {
            let global = self.global(object);
            return self.base_place(Base::Global(global), of.ty);
        }
        if matches!(of.kind, ObjectKind::CompoundLiteral | ObjectKind::Temporary) {
            self.declare(object);
        }
        let binding = self.binding(object);
        if let (Binding::Local(local), ObjectKind::Temporary) = (binding, of.kind) {
            self.ends_with_expression(local);
        }
        match binding {
            Binding::Local(local) => self.local_place(local),
            Binding::Pointer(pointer) => {
                let pointer = self.local_place(pointer);
                let address = self.load(pointer);
                self.base_place(Base::Deref(address), of.ty)
            }
        }
    }

    /// How an automatic object lives; a `goto` may come to it before its declaration did.
    pub(super) fn binding(&mut self, object: tree::ObjectId) -> Binding {
        if let Some(binding) = self.f.bindings.get(&object) {
            return *binding;
        }
        let of = self.tree.object(object);
        let span = self.span(of.span);
        let binding = if of.variable_size.is_some() {
            let element = match self.program.ty(of.ty) {
                Type::Array { of, .. } => *of,
                _ => of.ty,
            };
            let ty = self.pointer_to(element);
            Binding::Pointer(self.temporary(ty, span))
        } else if of.system && !self.in_library() {
            // The front end's own.
            Binding::Local(self.temporary(of.ty, span))
        } else {
            let name = if of.name.is_empty() { self.text(of.span) } else { of.name.clone() };
            let site = self.site(name.clone(), of.ty, span, SiteKind::Uninitialised);
            let local = self.add_local(name, of.ty, span, site);
            self.f.objects[local.index()] = Some(object);
            Binding::Local(local)
        };
        self.f.bindings.insert(object, binding);
        binding
    }

    pub(super) fn pointer_to(&mut self, ty: TypeId) -> TypeId {
        super::intern(&mut self.program, Type::Pointer { to: ty })
    }

    /// The same place, whatever happens to the variables that its indices and pointers were read from.
    pub(super) fn stabilise(&mut self, place: PlaceId, span: Span) -> PlaceId {
        if !self.place_reads(place) {
            return place;
        }
        let Place { base, base_type, path, .. } = self.program.place(place).clone();
        let base = match base {
            Base::Deref(pointer) if self.reads(pointer) => Base::Deref(self.spill(pointer, span)),
            other => other,
        };
        let mut stable = self.base_place(base, base_type);
        for step in path {
            let step = match step {
                Projection::Index(index) if self.reads(index) => Projection::Index(self.spill(index, span)),
                other => other,
            };
            stable = self.project(stable, step);
        }
        stable
    }

    /// Claims that a place may be touched.
    pub(super) fn access(&mut self, located: &Located, touch: Touch, span: Span) {
        self.claim_access(located, touch, span);
        if !self.in_library() && self.options.checks.alignment {
            self.claim_alignment(located, span);
        }
    }

    /// With `--alignment-check`: the pointer is a multiple of what its type is aligned to. Objects start at such addresses.
    fn claim_alignment(&mut self, located: &Located, span: Span) {
        let Base::Deref(pointer) = self.program.place(located.place).base else { return };
        let (Some(words), 2..) = (located.pointer.map(|pointer| self.words(pointer)), located.align) else { return };
        let size = self.basic.size;
        let rest = self.constant(u128::from(located.align - 1), size);
        let over = self.binary(BinaryOp::And, pointer, rest, size);
        let none = self.constant(0, size);
        let condition = self.binary(BinaryOp::Eq, over, none, self.basic.truth);
        let text = format!("{words} is aligned to {} bytes", located.align);
        self.claim(ClaimKind::Alignment, condition, text, span);
    }

    fn claim_access(&mut self, located: &Located, touch: Touch, span: Span) {
        let base = self.program.place(located.place).base;
        let by_pointer = matches!(base, Base::Deref(_));
        if touch == Touch::Write && !self.in_library() && self.options.checks.pointer && self.is_constant(base) {
            let condition = self.truth_constant(false);
            let text = format!("{} can be written: it is not const", self.text(span));
            self.claim(ClaimKind::PointerDereference, condition, text, span);
        }
        if self.in_library() || !self.options.checks.pointer || !(by_pointer || located.unbounded) {
            return;
        }
        let bytes = self.bytes_of(located.place);
        let ty = self.program.place(located.place).ty;
        let pointer_type = self.pointer_to(ty);
        let pointer = self.address(located.place, pointer_type);
        let text = match located.pointer {
            Some(pointer) => match self.fixed_address(located.place) {
                Some(address) => format!("address {address:#x} ({}) is valid memory", self.text(span)),
                None => self.validity_words(pointer),
            },
            None => format!("{} lies in valid memory", self.text(span)),
        };
        let size = self.size_constant(bytes);
        self.claim_valid(pointer, size, touch, ClaimKind::PointerDereference, text, span);
    }

    /// Whether it is a variable that is declared `const`.
    fn is_constant(&self, base: Base) -> bool {
        match base {
            Base::Global(global) => self.program.globals[global.index()].read_only,
            Base::Local(local) => {
                self.f.objects[local.index()].is_some_and(|object| self.tree.object(object).read_only)
            }
            Base::Deref(_) => false,
        }
    }

    /// Claims that memory may be touched, once per statement.
    pub(super) fn claim_valid(
        &mut self,
        pointer: ExprId,
        size: ExprId,
        touch: Touch,
        kind: ClaimKind,
        text: String,
        span: Span,
    ) {
        if self.is_silenced(kind, span) {
            return;
        }
        let write = touch == Touch::Write;
        let condition = self.memory(MemoryQuestion::Valid { pointer, size, write });
        if let Some(earlier) = self.f.checked.iter_mut().find(|c| c.pointer == pointer && c.size == size) {
            if write && !earlier.write {
                // The one claim asks for both.
                earlier.write = true;
                let at = earlier.at;
                let block = &mut self.f.blocks[self.f.current.index()];
                if let StatementKind::Claim { condition: asked, .. } = &mut block.statements[at].kind {
                    *asked = condition;
                }
            }
            return;
        }
        let at = self.f.blocks[self.f.current.index()].statements.len();
        self.claim(kind, condition, text, span);
        self.f.checked.push(Checked { pointer, size, write, at });
    }

    /// Number of bytes that a place touches.
    pub(super) fn bytes_of(&self, place: PlaceId) -> u64 {
        let place = self.program.place(place);
        let mut bit = 0;
        let mut ty = place.base_type;
        for step in &place.path {
            (bit, ty) = match (step, self.program.ty(ty)) {
                (Projection::Field(n), Type::Record { fields, .. }) if (*n as usize) < fields.len() => {
                    (fields[*n as usize].bit_offset % 8, fields[*n as usize].ty)
                }
                (Projection::Index(_), Type::Array { of, .. }) => (0, *of),
                _ => (0, ty),
            };
        }
        (bit + place.bits).div_ceil(8)
    }

    /// What is claimed of a pointer, in the user's words: `p[i] lies in valid memory`, `p points to valid memory`.
    pub(super) fn validity_words(&self, e: tree::ExprId) -> String {
        let words = self.words(e);
        match self.tree.expr(e).kind {
            ExprKind::PointerAdd { .. } if words.ends_with(']') => format!("{words} lies in valid memory"),
            // A part of something of variable length.
            ExprKind::Convert { explicit: false, .. } => format!("{words} lies in valid memory"),
            _ => format!("{words} points to valid memory"),
        }
    }
}
