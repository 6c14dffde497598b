//! What reads of `volatile` objects give, and registers at fixed addresses.
//!
//! A `volatile` object may change by itself. By default it does not: it is read as memory. With `--nondet-volatile` every
//! read of one is an input, whatever was written before. Registers (`--mmio ADDR:SIZE`) are objects with an address that
//! the user knows: a `volatile` read of one is an input too, other accesses are memory, which holds anything at first.
//!
//! A pointer is the number of an object and an offset, so a fixed address is not the number that it is in C. Casts
//! translate: an integer within a range of registers becomes a pointer into their object, and back. What looks at the
//! bytes of a pointer in another way, through a union, say, sees the number of the object.

use super::place::Located;
use super::{Lowering, intern, tree};
use crate::c::{Errors, Registers, VolatileReads};
use crate::program::{
    Base, BinaryOp, BranchRole, Decision, ExprId, Global, GlobalId, GlobalInit, Origin, PlaceId, SiteKind,
    StatementKind, Type, TypeId,
};
use crate::source::{Diagnostic, FileId, Severity, Span};

/// Fixed addresses so near to each other are told as one range.
const NEAR: u64 = 0x1000;

/// Whether a read gives what memory holds.
enum Reading {
    Memory,
    Free(SiteKind),
    /// It is free where this is 1: a pointer may point to a register, or outside of every object.
    FreeIf(ExprId, SiteKind),
}

/// An integer that the text makes a pointer of, outside of all declared registers.
pub(super) struct FixedAddress {
    address: u64,
    /// Bytes of what is there, by the type of the pointer.
    size: u64,
    span: Span,
    accessed: bool,
}

impl Lowering<'_> {
    /// Makes an object of every range of registers.
    pub(super) fn declare_registers(&mut self) -> Result<(), Errors> {
        let layout = self.program.pointer;
        let mut declared = self.options.registers.clone();
        if declared.is_empty() {
            return Ok(());
        }
        declared.sort_by_key(|registers| registers.address);
        for (index, registers) in declared.iter().enumerate() {
            let Registers { address, size } = *registers;
            let last = address.checked_add(size.wrapping_sub(1));
            let before = index.checked_sub(1).map(|index| declared[index]);
            let wrong = if size == 0 {
                Some("a range has at least one byte".to_owned())
            } else if address == 0 {
                Some("a range cannot start at 0, which is NULL".to_owned())
            } else if last.is_none_or(|last| u128::from(last) >> layout.bits != 0) {
                Some(format!("an address has {} bits here", layout.bits))
            } else if size > layout.max_object_size() {
                Some(format!("a range has at most {:#x} bytes here", layout.max_object_size()))
            } else {
                before
                    .filter(|before| address - before.address < before.size)
                    .map(|before| format!("it overlaps --mmio {:#x}:{:#x}", before.address, before.size))
            };
            if let Some(wrong) = wrong {
                let message = format!("--mmio {address:#x}:{size:#x}: {wrong}");
                let help = Some("write ADDRESS:BYTES, for example --mmio 0x40021000:0x400".to_owned());
                return Err(vec![Diagnostic { severity: Severity::Error, message, span: None, help }]);
            }
        }
        let nowhere = Span::new(FileId(0), 0, 0);
        let byte = Type::Integer { name: "unsigned char".to_owned(), bits: 8, signed: false, character: true };
        let byte = intern(&mut self.program, byte);
        for Registers { address, size } in declared {
            let ty = intern(&mut self.program, Type::Array { of: byte, length: size });
            let name = format!("{address:#x}");
            let site = self.site(name.clone(), ty, nowhere, SiteKind::Extern);
            let id = GlobalId(self.program.globals.len() as u32);
            self.program.globals.push(Global {
                name,
                ty,
                size,
                init: GlobalInit::Unknown(site),
                initialised: false,
                span: nowhere,
                read_only: false,
                address: Some(address),
            });
            self.registers.push((id, Registers { address, size }));
        }
        Ok(())
    }

    /// A scalar converted as C does, where numbers and pointers meet by address.
    pub(super) fn cast(&mut self, x: ExprId, from: TypeId, to: TypeId, span: Span) -> ExprId {
        match (self.is_pointer(from), self.is_pointer(to)) {
            (false, true) if self.is_integer(from) => {
                let number = self.convert(x, from, to);
                self.pointer_of_number(number, to, span)
            }
            (true, false) if self.is_integer(to) && !matches!(self.program.ty(to), Type::Bool) => {
                let number = self.number_of_pointer(x);
                let address_type = self.basic.size;
                self.convert(number, address_type, to)
            }
            _ => self.convert(x, from, to),
        }
    }

    /// The pointer that a number of a pointer's width is.
    pub(super) fn pointer_of_number(&mut self, number: ExprId, ty: TypeId, span: Span) -> ExprId {
        if let Some(value) = self.as_constant(number) {
            let value = value as u64;
            let within = |(_, r): &&(GlobalId, Registers)| value.wrapping_sub(r.address) < r.size;
            return match self.registers.iter().find(within).copied() {
                Some((global, registers)) => {
                    let offset = u128::from(value - registers.address);
                    self.constant(self.program.global_address(global) + offset, ty)
                }
                None => {
                    self.meet_address(value, self.pointee_size(ty), span);
                    number
                }
            };
        }
        let mut pointer = number;
        for (global, Registers { address, size }) in self.registers.clone() {
            let start = self.constant(u128::from(address), ty);
            let offset = self.binary(BinaryOp::Sub, number, start, self.basic.size);
            let size = self.constant(u128::from(size), self.basic.size);
            let inside = self.binary(BinaryOp::ULt, offset, size, self.basic.truth);
            // Not a sum: sums are folded in any order, and the address that C knows is no pointer into the object. The
            // number of an object and an offset into it have no bits in common.
            let base = self.constant(self.program.global_address(global), ty);
            let register = self.binary(BinaryOp::Xor, base, offset, ty);
            pointer = self.ite(inside, register, pointer);
        }
        pointer
    }

    /// The number that a pointer is, of its width.
    fn number_of_pointer(&mut self, pointer: ExprId) -> ExprId {
        let mut number = pointer;
        for (global, Registers { address, size }) in self.registers.clone() {
            let base = self.constant(self.program.global_address(global), self.basic.size);
            let offset = self.binary(BinaryOp::Sub, pointer, base, self.basic.size);
            // One past the end is an address, too.
            let size = self.constant(u128::from(size), self.basic.size);
            let inside = self.binary(BinaryOp::ULe, offset, size, self.basic.truth);
            let start = self.constant(u128::from(address), self.basic.size);
            let moved = self.binary(BinaryOp::Add, start, offset, self.basic.size);
            number = self.ite(inside, moved, number);
        }
        number
    }

    /// Whether a read of an lvalue may be an input, judged by the text.
    pub(super) fn may_be_free(&self, lvalue: tree::ExprId) -> bool {
        self.may_be_register(lvalue) || self.may_stray(lvalue)
    }

    fn may_be_register(&self, lvalue: tree::ExprId) -> bool {
        self.tree.expr(lvalue).volatile
            && match self.options.volatile {
                VolatileReads::Free => true,
                VolatileReads::Memory => !self.registers.is_empty() && self.through_pointer(lvalue),
            }
    }

    /// What a scalar lvalue holds when it is read; that it may be read was claimed before.
    pub(super) fn read(&mut self, located: &Located, lvalue: tree::ExprId) -> ExprId {
        let span = self.tree.expr(lvalue).span;
        match self.reading(located, lvalue) {
            Reading::Memory => self.load_scalar(located.place),
            Reading::Free(kind) => self.free_value(located.place, kind, span),
            Reading::FreeIf(condition, kind) => {
                let ty = self.program.place(located.place).ty;
                let result = self.temporary(ty, span);
                let target = self.local_place(result);
                self.either(
                    condition,
                    span,
                    |lowering| {
                        let value = lowering.free_value(located.place, kind, span);
                        lowering.assign(target, value, Origin::Tool, span);
                    },
                    |lowering| {
                        let value = lowering.load_scalar(located.place);
                        lowering.assign(target, value, Origin::Tool, span);
                    },
                );
                self.load(target)
            }
        }
    }

    /// The same of a record: a place that holds what was read.
    pub(super) fn read_record(&mut self, located: &Located, lvalue: tree::ExprId) -> PlaceId {
        let span = self.tree.expr(lvalue).span;
        match self.reading(located, lvalue) {
            Reading::Memory => located.place,
            Reading::Free(kind) => self.free_record(lvalue, kind),
            Reading::FreeIf(condition, kind) => {
                let result = self.temporary(self.tree.expr(lvalue).ty, span);
                let target = self.local_place(result);
                let copy = |source| StatementKind::Copy { target, source, origin: Origin::Tool };
                self.either(
                    condition,
                    span,
                    |lowering| {
                        let free = lowering.free_record(lvalue, kind);
                        lowering.emit(copy(free), span);
                    },
                    |lowering| lowering.emit(copy(located.place), span),
                );
                target
            }
        }
    }

    /// Does one thing or the other, and goes on.
    pub(super) fn either(
        &mut self,
        condition: ExprId,
        span: Span,
        yes: impl FnOnce(&mut Self),
        no: impl FnOnce(&mut Self),
    ) {
        let (then, otherwise, end) = (self.new_block(), self.new_block(), self.new_block());
        let decision = Decision::of_role(span, BranchRole::Internal);
        self.branch_on(condition, then, otherwise, span, BranchRole::Internal, decision);
        self.begin(then);
        yes(self);
        self.goto(end);
        self.begin(otherwise);
        no(self);
        self.goto(end);
        self.begin(end);
    }

    /// A new record, of any contents.
    fn free_record(&mut self, lvalue: tree::ExprId, kind: SiteKind) -> PlaceId {
        let (span, ty) = (self.tree.expr(lvalue).span, self.tree.expr(lvalue).ty);
        let (name, at) = (self.text(span), self.span(span));
        let site = self.site(name.clone(), ty, at, kind);
        let local = self.add_local(name, ty, at, site);
        self.enter_scope(local);
        self.emit(StatementKind::Declare { local }, span);
        self.local_place(local)
    }

    fn reading(&mut self, located: &Located, lvalue: tree::ExprId) -> Reading {
        let is_volatile = self.may_be_register(lvalue);
        if is_volatile && self.options.volatile == VolatileReads::Free {
            return Reading::Free(SiteKind::Volatile);
        }
        let mut any = self.truth_constant(false);
        if let (true, Base::Deref(pointer)) = (is_volatile, self.program.place(located.place).base) {
            for (global, registers) in self.registers.clone() {
                let base = self.constant(self.program.global_address(global), self.basic.size);
                let offset = self.binary(BinaryOp::Sub, pointer, base, self.basic.size);
                let size = self.constant(u128::from(registers.size), self.basic.size);
                let inside = self.binary(BinaryOp::ULt, offset, size, self.basic.truth);
                any = self.or(any, inside);
            }
        }
        let mut kind = SiteKind::Volatile;
        if self.may_stray(lvalue) {
            let outside = self.is_outside(located);
            any = self.or(any, outside);
            kind = SiteKind::Unsaid;
        }
        match self.as_constant(any) {
            Some(0) => Reading::Memory,
            Some(_) => Reading::Free(kind),
            None => Reading::FreeIf(any, kind),
        }
    }

    /// A new value, of the width of a place.
    pub(super) fn free_value(&mut self, place: PlaceId, kind: SiteKind, span: Span) -> ExprId {
        let (ty, bits) = (self.program.place(place).ty, self.program.place(place).bits);
        let narrow = u64::from(self.bits_of(ty)) != bits;
        // A bit-field has fewer values than its type.
        let own = if narrow {
            let signed = self.is_signed(ty);
            let name = format!("{}_BitInt({bits})", if signed { "" } else { "unsigned " });
            intern(&mut self.program, Type::Integer { name, bits: bits as u32, signed, character: false })
        } else {
            ty
        };
        let (name, at) = (self.text(self.span(span)), self.span(span));
        let site = self.site(name, own, at, kind);
        let local = self.temporary(own, span);
        let target = self.local_place(local);
        self.emit(StatementKind::Input { target, site, object: None }, span);
        let value = self.load(target);
        self.convert(value, own, ty)
    }

    /// Remembers an integer that the text makes a pointer of.
    fn meet_address(&mut self, address: u64, size: u64, span: Span) {
        // Initialisers are lowered as call 0 of the library.
        let in_model = self.f.instance.as_ref().is_some_and(|instance| instance.call > 0);
        if address != 0 && !in_model && !self.addresses.iter().any(|known| known.span == span) {
            self.addresses.push(FixedAddress { address, size, span, accessed: false });
        }
    }

    /// The fixed address that a place is at, where it is one; from now on it is known to be used.
    pub(super) fn fixed_address(&mut self, place: PlaceId) -> Option<u64> {
        let Base::Deref(pointer) = self.program.place(place).base else { return None };
        let address = self.as_constant(pointer)? as u64;
        let known = self.addresses.iter_mut().filter(|known| known.address == address);
        let mut found = None;
        for known in known {
            known.accessed = true;
            found = Some(address);
        }
        found
    }

    /// Notes at which addresses nothing is, with what to say if registers are there. Small numbers, and those just below 0, are
    /// marks more often than addresses.
    pub(super) fn note_addresses(&mut self) {
        let most = if self.program.pointer.bits == 32 { u64::from(u32::MAX) } else { u64::MAX };
        let mut met = std::mem::take(&mut self.addresses);
        met.retain(|met| met.accessed || (met.address >= NEAR && met.address <= most - NEAR));
        met.sort_by_key(|met| (met.address, met.span.file, met.span.start));
        for group in met.chunk_by(|a, b| b.address - a.address < NEAR) {
            let first = &group[0];
            let end = group.iter().map(|met| met.address.saturating_add(met.size)).max().unwrap_or(first.address);
            let range = end - first.address;
            let message = format!("no object is at address {:#x}: an access to it violates a check", first.address);
            let help = format!("if there are registers, say so: --mmio {:#x}:{range:#x}", first.address);
            self.note_once(&format!("address {:#x}", first.address), first.span, message, Some(&help));
        }
    }
}
