//! Sizes and places that are only known at run time: arrays of variable length, and records with one in them.
//!
//! A length is kept in a hidden object from its declaration on. The size of a type and the offset of a member behind
//! such an array are expressions over these, so that lowering sees pointers that are moved by bytes, and nothing new.
//! The front end says how records are laid out ([`Extent`]).

use rucc_sema::{Category, Conversion, ExprKind as Theirs};
use rucc_types::{ArrayLen, Extent, Field, IntKind, RecordId, TypeKind, pointee};

use super::link::Walk;
use crate::c::tree::{Binary, Builtin, ExprId, ExprKind, InitEntry, Object, ObjectId, ObjectKind, StorageDuration};
use crate::program::{Type, TypeId};
use crate::source::Span;

impl Walk<'_> {
    /// Whether the size of a type is only known at run time.
    pub(super) fn is_variable(&self, ty: rucc_types::TypeId) -> bool {
        match self.unit.types.kind(self.unit.types.canonical(ty)) {
            TypeKind::Array { elem, len } => matches!(len, ArrayLen::Variable(_)) || self.is_variable(elem),
            TypeKind::Record(_) => self.variable_record(ty).is_some(),
            _ => false,
        }
    }

    pub(super) fn has_variable_target(&self, pointer: rucc_types::TypeId) -> bool {
        pointee(&self.unit.types, pointer).is_some_and(|target| self.is_variable(target))
    }

    /// The record of variable length that a type is.
    fn variable_record(&self, ty: rucc_types::TypeId) -> Option<RecordId> {
        match self.unit.types.kind(self.unit.types.canonical(ty)) {
            TypeKind::Record(id) if self.unit.types.record_info(id).variable.is_some() => Some(id),
            _ => None,
        }
    }

    /// The member of a record of variable length that an expression names.
    pub(super) fn variable_field(&self, id: rucc_sema::ExprId) -> Option<&Field> {
        let Theirs::Member { base, field } = self.unit.tast[id].kind else { return None };
        let record = self.variable_record(self.unit.tast[base].ty)?;
        self.unit.types.record_info(record).fields.get(field as usize)
    }

    /// Keeps the lengths of the arrays of variable length in a type, in hidden objects that are declared before the
    /// thing that has the type.
    pub(super) fn keep_lengths(&mut self, ty: rucc_types::TypeId, kept: &mut Vec<ObjectId>) {
        let unit = self.unit;
        match unit.types.kind(unit.types.canonical(ty)) {
            TypeKind::Pointer(to) => self.keep_lengths(to, kept),
            TypeKind::Array { elem, len } => {
                self.keep_lengths(elem, kept);
                if let ArrayLen::Variable(vla) = len {
                    self.keep_length(unit.tast.vla_size(vla), kept);
                }
            }
            TypeKind::Record(_) => {
                let Some(record) = self.variable_record(ty) else { return };
                for field in &unit.types.record_info(record).fields {
                    self.keep_lengths(field.ty, kept);
                }
            }
            _ => {}
        }
    }

    fn keep_length(&mut self, count: rucc_sema::ExprId, kept: &mut Vec<ObjectId>) {
        if self.lengths.contains_key(&count) {
            return;
        }
        let value = self.expr(count);
        let span = self.linker.tree.expr(value).span;
        let (ty, size) = (self.linker.tree.expr(value).ty, self.size(self.unit.tast[count].ty));
        let object = self.push_object(Object {
            name: "length".to_owned(),
            file_scope: false,
            ty,
            size,
            storage: StorageDuration::Automatic,
            init: Some(vec![InitEntry { bit_offset: 0, bits: size * 8, value }]),
            variable_size: None,
            span,
            kind: ObjectKind::ArrayLength,
            read_only: true,
            system: true,
            cleanup: None,
        });
        self.lengths.insert(count, object);
        kept.push(object);
    }

    /// Remembers the length of an array of variable length that is a part of something larger.
    pub(super) fn keep_bound(&mut self, id: rucc_sema::ExprId, array: ExprId) {
        let unit = self.unit;
        let node = unit.tast[id];
        if matches!(node.kind, Theirs::Decl(_)) {
            return;
        }
        if let TypeKind::Array { len: ArrayLen::Variable(vla), .. } = unit.types.kind(unit.types.canonical(node.ty)) {
            let bound = self.expr(unit.tast.vla_size(vla));
            self.linker.tree.bounds.insert(array, bound);
        }
    }

    /// A member of a record. Behind an array of variable length it is so many bytes from the start.
    pub(super) fn member(&mut self, id: rucc_sema::ExprId, base: ExprId, field: u32) -> ExprId {
        let unit = self.unit;
        let ty = self.ty(unit.tast[id].ty);
        let span = unit.span(unit.tast.expr_span(id));
        let Theirs::Member { base: record, .. } = unit.tast[id].kind else { return base };
        let Some(record) = self.variable_record(unit.tast[record].ty) else {
            return self.push(ExprKind::Member { base, field }, ty, span);
        };
        if !self.is_lvalue(base) {
            return self.refuse(id, "a member of the value of a record of variable length");
        }
        let offsets = unit.types.record_info(record).variable.as_ref().map(|variable| &variable.offsets);
        let Some(Some(offset)) = offsets.and_then(|offsets| offsets.get(field as usize)) else {
            return self.push(ExprKind::Member { base, field }, ty, span);
        };
        let offset = self.extent(record, offset, span);
        let whole = self.linker.tree.expr(base).ty;
        let pointer = self.linker.table.pointer(whole);
        let start = self.push(ExprKind::AddressOf(base), pointer, span);
        let pointer = self.linker.table.pointer(ty);
        let address = self.moved(start, offset, false, pointer, span);
        self.push(ExprKind::Deref(address), ty, span)
    }

    /// `v = w` of records of variable length.
    pub(super) fn variable_copy(&mut self, id: rucc_sema::ExprId) -> Option<ExprId> {
        let unit = self.unit;
        let Theirs::Assign { op: None, lhs, rhs, .. } = unit.tast[id].kind else { return None };
        self.variable_record(unit.tast[lhs].ty)?;
        let Theirs::Convert { kind: Conversion::Lvalue, operand } = unit.tast[rhs].kind else { return None };
        if unit.tast[operand].category != Category::Lvalue {
            return None;
        }
        let span = unit.span(unit.tast.expr_span(id));
        let size = self.variable_size(unit.tast[lhs].ty, span)?;
        let mut parts = Vec::new();
        for side in [lhs, operand] {
            let lvalue = self.expr(side);
            let (ty, span) = (self.linker.tree.expr(lvalue).ty, self.linker.tree.expr(lvalue).span);
            let pointer = self.linker.table.pointer(ty);
            parts.push(self.push(ExprKind::AddressOf(lvalue), pointer, span));
        }
        parts.push(size);
        let void = self.linker.table.intern(Type::Void);
        Some(self.push(ExprKind::Builtin(Builtin::CopyRecord, parts), void, span))
    }

    /// Pointer plus index where the size of the target is only known at run time: done in bytes.
    pub(super) fn scaled(
        &mut self,
        base: rucc_sema::ExprId,
        index: rucc_sema::ExprId,
        subtract: bool,
        span: Span,
    ) -> ExprId {
        let unit = self.unit;
        let pointer_type = self.ty(unit.tast[base].ty);
        let signed = self.difference_type();
        let size = pointee(&unit.types, unit.tast[base].ty).and_then(|target| self.variable_size(target, span));
        let Some(size) = size else { return self.refuse(base, "an array of variable length") };
        let pointer = self.expr(base);
        let index = self.convert(index, signed, span, false);
        let size = self.push(ExprKind::Convert { operand: size, explicit: false }, signed, span);
        let bytes = self.push(ExprKind::Binary(Binary::Multiply, index, size), signed, span);
        self.moved(pointer, bytes, subtract, pointer_type, span)
    }

    /// `p++` and its kin on a variable that points to something of variable length.
    pub(super) fn scaled_step(
        &mut self,
        id: rucc_sema::ExprId,
        operand: rucc_sema::ExprId,
        subtract: bool,
        old_value: bool,
    ) -> ExprId {
        let unit = self.unit;
        let span = unit.span(unit.tast.expr_span(id));
        let size = pointee(&unit.types, unit.tast[id].ty).and_then(|target| self.variable_size(target, span));
        let (Some(size), Theirs::Decl(_)) = (size, unit.tast[operand].kind) else {
            return self.refuse(id, "a step of a pointer to something of variable length that is no variable");
        };
        let ty = self.ty(unit.tast[id].ty);
        let target = self.expr(operand);
        let before = self.push(ExprKind::Load(target), ty, span);
        let value = self.moved(before, size, subtract, ty, span);
        let after = self.push(ExprKind::Assign { target, value }, ty, span);
        if old_value { self.moved(after, size, !subtract, ty, span) } else { after }
    }

    /// A pointer moved by so many bytes, as a pointer of a type.
    fn moved(&mut self, pointer: ExprId, index: ExprId, subtract: bool, to: TypeId, span: Span) -> ExprId {
        let bytes_type = self.bytes_type();
        let pointer = self.push(ExprKind::Convert { operand: pointer, explicit: false }, bytes_type, span);
        let moved = self.push(ExprKind::PointerAdd { pointer, index, subtract }, bytes_type, span);
        self.push(ExprKind::Convert { operand: moved, explicit: false }, to, span)
    }

    fn bytes_type(&mut self) -> TypeId {
        let character = self.linker.table.integer(self.unit, IntKind::Char);
        self.linker.table.pointer(character)
    }

    fn difference_type(&mut self) -> TypeId {
        let kind = if self.unit.target.pointer_width == 64 { IntKind::Long } else { IntKind::Int };
        self.linker.table.integer(self.unit, kind)
    }

    fn size_type(&mut self) -> TypeId {
        let kind = if self.unit.target.pointer_width == 64 { IntKind::ULong } else { IntKind::UInt };
        self.linker.table.integer(self.unit, kind)
    }

    /// The size in bytes of a type of variable length, none if it is not one.
    pub(super) fn variable_size(&mut self, ty: rucc_types::TypeId, span: Span) -> Option<ExprId> {
        if !self.is_variable(ty) {
            return None;
        }
        let unit = self.unit;
        if let Some(record) = self.variable_record(ty) {
            let size = &unit.types.record_info(record).variable.as_ref()?.size;
            return Some(self.extent(record, size, span));
        }
        let TypeKind::Array { elem, len } = unit.types.kind(unit.types.canonical(ty)) else { return None };
        let element = self.size_of(elem, span);
        let size_type = self.size_type();
        let count = match len {
            ArrayLen::Variable(vla) => self.convert(unit.tast.vla_size(vla), size_type, span, false),
            ArrayLen::Fixed(count) => self.number(i128::from(count), size_type, span),
            ArrayLen::Unknown | ArrayLen::Star => return None,
        };
        Some(self.push(ExprKind::Binary(Binary::Multiply, count, element), size_type, span))
    }

    /// The size in bytes of any type.
    fn size_of(&mut self, ty: rucc_types::TypeId, span: Span) -> ExprId {
        match self.variable_size(ty, span) {
            Some(size) => size,
            None => {
                let (size, size_type) = (self.size(ty), self.size_type());
                self.number(i128::from(size), size_type, span)
            }
        }
    }

    /// A size or offset in a record of variable length.
    fn extent(&mut self, record: RecordId, extent: &Extent, span: Span) -> ExprId {
        let size_type = self.size_type();
        match extent {
            Extent::Bytes(count) => self.number(i128::from(*count), size_type, span),
            Extent::Member(index) => {
                let unit = self.unit;
                self.size_of(unit.types.record_info(record).fields[*index as usize].ty, span)
            }
            Extent::Sum(parts) => self.joined(record, parts, span, |walk, x, y| {
                walk.push(ExprKind::Binary(Binary::Add, x, y), size_type, span)
            }),
            Extent::RoundUp(inner, to) => {
                let inner = self.extent(record, inner, span);
                let below = self.number(i128::from(*to) - 1, size_type, span);
                let over = self.push(ExprKind::Binary(Binary::Add, inner, below), size_type, span);
                let mask = self.number(-i128::from(*to), size_type, span);
                self.push(ExprKind::Binary(Binary::And, over, mask), size_type, span)
            }
            Extent::Max(parts) => self.joined(record, parts, span, |walk, x, y| {
                let int = walk.linker.table.integer(walk.unit, IntKind::Int);
                let condition = walk.push(ExprKind::Binary(Binary::Less, x, y), int, span);
                walk.push(ExprKind::Conditional { condition, then: Some(y), otherwise: x }, size_type, span)
            }),
        }
    }

    fn joined(
        &mut self,
        record: RecordId,
        parts: &[Extent],
        span: Span,
        join: impl Fn(&mut Self, ExprId, ExprId) -> ExprId,
    ) -> ExprId {
        let mut all = self.extent(record, parts.first().unwrap_or(&Extent::Bytes(0)), span);
        for part in parts.iter().skip(1) {
            let part = self.extent(record, part, span);
            all = join(self, all, part);
        }
        all
    }
}
