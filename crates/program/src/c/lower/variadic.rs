//! `va_start`, `va_arg` and `va_copy`: the arguments behind the named ones, as a list in the memory of the caller.
//!
//! A function that starts such a list has one parameter more than the text says: the address of a record that the caller fills. The record has two
//! fields for each argument, its kind and its value, and ends with a kind of 0. A `va_list` holds the address of the next kind, where the
//! machine's own one holds an address too. So a list may be copied and handed on, and neither machine of ours knows of it. An argument of
//! another kind than `va_arg` asks for, or none, violates a claim.

use super::{Lowering, intern, tree};
use crate::program::{
    Base, BinaryOp, ClaimKind, ExprId, Field, MemoryQuestion, Operand, Origin, PlaceId, Projection, StatementKind,
    Type, TypeId,
};
use crate::source::Span;

/// Bytes from one kind to its value; values take whole numbers of these.
const SLOT: u64 = 8;

impl Lowering<'_> {
    /// The pointer that a list of arguments is handed over as.
    pub(super) fn list_type(&mut self) -> TypeId {
        let of = self.basic.character;
        intern(&mut self.program, Type::Pointer { to: of })
    }

    /// Arguments behind the named ones, in a record; its address.
    pub(super) fn pack_arguments(&mut self, arguments: &[Operand], span: Span) -> ExprId {
        let (mut fields, mut types, mut at) = (Vec::new(), Vec::new(), 0);
        let mut field = |name: String, ty: TypeId, at: u64, bits: u64| {
            fields.push(Field { name, ty, bit_offset: at * 8, bits, bit_field: false });
        };
        for (number, argument) in arguments.iter().enumerate() {
            let ty = match argument {
                Operand::Value(value) => self.program.expr(*value).ty,
                Operand::Object(place) => self.program.place(*place).ty,
            };
            let bits = self.program.size_bits(ty);
            field(format!("kind {number}"), self.basic.code, at, 32);
            field(format!("value {number}"), ty, at + SLOT, bits);
            types.push(ty);
            at += SLOT + bits.div_ceil(8).next_multiple_of(SLOT);
        }
        field("end".to_owned(), self.basic.code, at, 32);
        let ty = intern(
            &mut self.program,
            Type::Record { name: "arguments".to_owned(), union: false, fields, size: at + SLOT },
        );
        let list = self.temporary(ty, span);
        let list = self.local_place(list);
        for (number, (argument, ty)) in arguments.iter().zip(types).enumerate() {
            let number = number as u32;
            let (kind, value) = (
                self.project(list, Projection::Field(2 * number)),
                self.project(list, Projection::Field(2 * number + 1)),
            );
            let code = self.kind_of_argument(ty);
            self.assign(kind, code, Origin::Tool, span);
            match *argument {
                Operand::Value(of) => self.assign(value, of, Origin::Tool, span),
                Operand::Object(source) => {
                    self.emit(StatementKind::Copy { target: value, source, origin: Origin::Tool }, span);
                }
            }
        }
        let end = self.project(list, Projection::Field(2 * arguments.len() as u32));
        let none = self.constant(0, self.basic.code);
        self.assign(end, none, Origin::Tool, span);
        let pointer = self.list_type();
        self.address(list, pointer)
    }

    /// A number for the types that `va_arg` does not tell apart: integers of a width, pointers, floats of a width, each record.
    fn kind_of_argument(&mut self, ty: TypeId) -> ExprId {
        let bits = self.program.size_bits(ty) as u128;
        let kind = match self.program.ty(ty) {
            Type::Pointer { .. } => 1 << 28,
            Type::Float { .. } => (2 << 28) + bits,
            Type::Record { .. } | Type::Array { .. } => (3 << 28) + u128::from(ty.0),
            _ => bits,
        };
        self.constant(kind, self.basic.code)
    }

    /// Where a `va_list` holds its address: in the third part of the machine's record, or it is a pointer itself.
    fn list_place(&mut self, list: tree::ExprId) -> PlaceId {
        let address = self.value(list);
        let pointer = self.list_type();
        let of = match *self.program.ty(self.tree.expr(list).ty) {
            Type::Pointer { to } => self.program.size_bits(to),
            _ => 0,
        };
        let whole = of > u64::from(self.program.pointer.bits);
        let address = if whole { self.bytes_on(address, SLOT) } else { address };
        self.base_place(Base::Deref(address), pointer)
    }

    fn bytes_on(&mut self, address: ExprId, bytes: u64) -> ExprId {
        let pointer = self.list_type();
        let bytes = self.constant(u128::from(bytes), self.basic.size);
        self.binary(BinaryOp::Add, address, bytes, pointer)
    }

    /// `va_start`: the list is the one that came with the call.
    pub(super) fn start_arguments(&mut self, arguments: &[tree::ExprId], span: Span) -> ExprId {
        if let (Some(list), &[target]) = (self.f.arguments, arguments) {
            let place = self.list_place(target);
            let list = self.local_place(list);
            let list = self.load(list);
            self.assign(place, list, Origin::Tool, span);
        }
        self.constant(0, self.basic.int)
    }

    /// `va_copy`.
    pub(super) fn copy_arguments(&mut self, arguments: &[tree::ExprId], span: Span) -> ExprId {
        if let &[target, source] = arguments {
            let source = self.list_place(source);
            let value = self.load(source);
            let value = self.spill(value, span);
            let target = self.list_place(target);
            self.assign(target, value, Origin::Tool, span);
        }
        self.constant(0, self.basic.int)
    }

    /// `va_arg` of a number or pointer.
    pub(super) fn next_argument(&mut self, arguments: &[tree::ExprId], ty: TypeId, span: Span) -> ExprId {
        let &[list] = arguments else { return self.constant(0, self.basic.int) };
        let place = self.next_argument_place(list, ty, span);
        self.load(place)
    }

    /// Where the next argument lies; the list moves on.
    pub(super) fn next_argument_place(&mut self, list: tree::ExprId, ty: TypeId, span: Span) -> PlaceId {
        let place = self.list_place(list);
        let place = self.stabilise(place, span);
        let at = self.load(place);
        let at = self.spill(at, span);
        if self.options.checks.pointer {
            let text = match &self.f.instance {
                Some(_) => "the arguments are those that the format asks for".to_owned(),
                None => format!("{} finds an argument of this type", self.text(span)),
            };
            let size = self.constant(u128::from(SLOT), self.basic.size);
            let valid = self.memory(MemoryQuestion::Valid { pointer: at, size, write: false });
            self.claim(ClaimKind::Precondition, valid, text.clone(), span);
            let kind = self.base_place(Base::Deref(at), self.basic.code);
            let (found, wanted) = (self.load(kind), self.kind_of_argument(ty));
            let same = self.binary(BinaryOp::Eq, found, wanted, self.basic.int);
            self.claim(ClaimKind::Precondition, same, text, span);
        }
        let bytes = self.program.size_bits(ty).div_ceil(8).next_multiple_of(SLOT);
        let next = self.bytes_on(at, SLOT + bytes);
        self.assign(place, next, Origin::Tool, span);
        let value = self.bytes_on(at, SLOT);
        self.base_place(Base::Deref(value), ty)
    }
}
