//! What a function without a body may do to the memory that it gets pointers to: anything, unless that is `const`.
//!
//! What is behind `&x`, `a` or `&s.member` is known from the text, and so is its type: its numbers become inputs, pointers, unions and large arrays are
//! copied from an object of which nothing is known. Any other pointer may point into an array, and the function may go on from there. If the object is
//! just as large as what the pointer's type says, that is what it holds; else all its bytes are unknown.
//!
//! Nothing is written through pointers that are found in that memory, nor to globals: `limits.md` says so.

use super::call::CallSite;
use super::place::Use;
use super::{Lowering, tree};
use crate::c::Arguments;
use crate::c::tree::ExprKind;
use crate::program::{
    Base, BinaryOp, BranchRole, Decision, ExprId, ExprKind as P, MemoryQuestion, ObjectKind, Operand, Origin, PlaceId,
    Projection, SiteId, SiteKind, StatementKind, Storage, Type, TypeId,
};
use crate::show;
use crate::source::Span;

/// Records and arrays of more numbers are copied from an object of which nothing is known.
const MOST_NUMBERS: usize = 64;

/// What an argument lets a function write to.
enum Target {
    /// An lvalue that the text names.
    Named(tree::ExprId),
    /// Whatever is behind a pointer: its value, what its type says, and its text.
    Behind(ExprId, TypeId, String),
}

/// The call under work.
#[derive(Clone, Copy)]
struct Writer<'w> {
    name: &'w str,
    /// The call.
    span: Span,
}

impl Lowering<'_> {
    /// Whether a function without a body may write through one of its arguments.
    pub(super) fn may_write(&self, of: &tree::Function, arguments: &[tree::ExprId]) -> bool {
        (0..arguments.len()).any(|at| self.may_write_through(of, arguments, at))
    }

    fn may_write_through(&self, of: &tree::Function, arguments: &[tree::ExprId], at: usize) -> bool {
        let ty = self.tree.expr(arguments[at]).ty;
        let points_to_data = matches!(self.program.ty(ty), Type::Pointer { to } if !matches!(self.program.ty(*to), Type::Function { .. }));
        points_to_data
            && self.options.arguments == Arguments::Written
            && !of.only_read.get(at).copied().unwrap_or(false)
    }

    /// Evaluates the arguments of a call; then what they point to may be anything.
    pub(super) fn pass_to_unknown(&mut self, of: &tree::Function, site: &CallSite) {
        let mut targets = Vec::new();
        let disturbed = site.arguments.iter().any(|argument| self.has_effect(*argument));
        for (at, argument) in site.arguments.iter().enumerate() {
            let pointer = self.behind_casts(*argument);
            if !self.may_write_through(of, site.arguments, at) || self.is_zero(pointer) {
                self.effect(*argument);
                continue;
            }
            if let Some(named) = self.named_target(pointer).filter(|_| !disturbed) {
                self.effect(*argument);
                targets.push(Target::Named(named));
                continue;
            }
            let value = self.value(pointer);
            let value = if disturbed { self.spill(value, site.span) } else { value };
            let Type::Pointer { to } = *self.program.ty(self.tree.expr(pointer).ty) else { continue };
            let words = self.words(pointer);
            targets.push(Target::Behind(value, to, words));
        }
        let writer = Writer { name: &of.name, span: site.span };
        for target in targets {
            match target {
                Target::Named(lvalue) => self.write_named(lvalue, writer),
                Target::Behind(pointer, pointee, words) => self.write_behind(pointer, pointee, &words, writer),
            }
        }
    }

    /// A pointer below its conversions to other pointers.
    fn behind_casts(&self, mut e: tree::ExprId) -> tree::ExprId {
        while let ExprKind::Convert { operand, .. } = self.tree.expr(e).kind
            && self.is_pointer(self.tree.expr(operand).ty)
        {
            e = operand;
        }
        e
    }

    /// The lvalue that a function may write to if it gets this pointer, where the text says which: of an element the whole array.
    fn named_target(&self, pointer: tree::ExprId) -> Option<tree::ExprId> {
        let ExprKind::AddressOf(mut lvalue) = self.tree.expr(pointer).kind else { return None };
        loop {
            lvalue = match self.tree.expr(lvalue).kind {
                ExprKind::Element { array, .. } => array,
                ExprKind::Deref(pointer) => match self.indexed_array(pointer) {
                    Some((array, _)) => array,
                    None => break,
                },
                _ => break,
            };
        }
        let known_size = self.program.size_bits(self.tree.expr(lvalue).ty) > 0;
        (known_size && self.is_named(lvalue)).then_some(lvalue)
    }

    fn is_named(&self, lvalue: tree::ExprId) -> bool {
        match self.tree.expr(lvalue).kind {
            ExprKind::Object(_) => true,
            ExprKind::Member { base, .. } => match self.tree.expr(base).kind {
                ExprKind::Deref(pointer) => matches!(self.tree.expr(pointer).kind, ExprKind::Load(_)),
                _ => self.is_named(base),
            },
            _ => false,
        }
    }

    /// The variable that an lvalue is part of.
    fn variable_of(&self, lvalue: tree::ExprId) -> Option<tree::ObjectId> {
        match self.tree.expr(lvalue).kind {
            ExprKind::Object(object) => Some(object),
            ExprKind::Member { base, .. } => self.variable_of(base),
            _ => None,
        }
    }

    fn write_named(&mut self, lvalue: tree::ExprId, writer: Writer) {
        if self.variable_of(lvalue).is_some_and(|object| self.tree.object(object).read_only) {
            return;
        }
        let name = self.words(lvalue);
        let located = self.locate(lvalue, Use::Address);
        let place = located.place;
        if !matches!(self.program.place(place).base, Base::Deref(_)) {
            return self.write_anything(place, &name, writer);
        }
        let ty = self.program.place(place).ty;
        let (size, bits) = (self.size_constant(self.program.size_bits(ty) / 8), self.program.pointer.bits);
        let pointer = self.make(P::AddressOf(place), bits, self.basic.size);
        let valid = self.memory(MemoryQuestion::Valid { pointer, size, write: true });
        self.only_if(valid, writer.span, |lowering| lowering.write_anything(place, &name, writer));
    }

    fn write_behind(&mut self, pointer: ExprId, pointee: TypeId, words: &str, writer: Writer) {
        let lives = self.memory(MemoryQuestion::Lives(pointer, ObjectKind::Writable));
        let size = self.program.size_bits(pointee) / 8;
        let shapeless = size <= 1 || matches!(self.program.ty(pointee), Type::Void);
        self.only_if(lives, writer.span, |lowering| {
            let whole = lowering.memory(MemoryQuestion::ObjectSize(pointer));
            if shapeless {
                return lowering.write_bytes(pointer, whole, pointee, writer);
            }
            let wanted = lowering.size_constant(size);
            let same = lowering.binary(BinaryOp::Eq, whole, wanted, lowering.basic.truth);
            let valid = lowering.memory(MemoryQuestion::Valid { pointer, size: wanted, write: true });
            let alone = lowering.and(same, valid);
            lowering.only_if(alone, writer.span, |lowering| {
                let place = lowering.base_place(Base::Deref(pointer), pointee);
                lowering.write_anything(place, &format!("*{words}"), writer);
            });
            let others = lowering.not(alone);
            lowering.only_if(others, writer.span, |lowering| lowering.write_bytes(pointer, whole, pointee, writer));
        });
    }

    /// A place gets any value of its type: each of its numbers, unless these are many.
    fn write_anything(&mut self, place: PlaceId, name: &str, writer: Writer) {
        let ty = self.program.place(place).ty;
        let few = self.program.scalars(ty, MOST_NUMBERS).is_some();
        match self.program.ty(ty).clone() {
            Type::Record { union: false, fields, .. } if few => {
                let named = |field: &crate::program::Field| !(field.bit_field && field.name.is_empty());
                for (number, field) in fields.iter().enumerate().filter(|(_, field)| named(field)) {
                    let part = self.project(place, Projection::Field(number as u32));
                    self.write_anything(part, &show::member_name(name, &field.name), writer);
                }
                return;
            }
            Type::Array { length, .. } if few => {
                for index in 0..length {
                    let at = self.constant(u128::from(index), self.basic.difference);
                    let part = self.project(place, Projection::Index(at));
                    self.write_anything(part, &show::element_name(name, index), writer);
                }
                return;
            }
            _ => {}
        }
        let site = self.written_site(name, ty, SiteKind::Argument, writer);
        if self.program.is_scalar(ty) && !self.is_pointer(ty) {
            return self.emit(StatementKind::Input { target: place, site, object: None }, writer.span);
        }
        let local = self.add_local(name.to_owned(), ty, writer.span, site);
        self.enter_scope(local);
        self.emit(StatementKind::Declare { local }, writer.span);
        let source = self.local_place(local);
        self.emit(StatementKind::Copy { target: place, source, origin: Origin::Tool }, writer.span);
    }

    /// All bytes of an object become anything. If some of them may be pointers, what is read of them decides nothing.
    fn write_bytes(&mut self, pointer: ExprId, size: ExprId, pointee: TypeId, writer: Writer) {
        let kind = if self.may_hold_pointers(pointee) { SiteKind::Invented } else { SiteKind::Argument };
        let site = self.written_site(&format!("{}()", writer.name), self.basic.character, kind, writer);
        let ty = self.program.expr(pointer).ty;
        let local = self.temporary(ty, writer.span);
        let target = self.local_place(local);
        self.emit(StatementKind::Allocate { target, size, zeroed: false, storage: Storage::Stack, site }, writer.span);
        let source = self.load(target);
        let layout = self.program.pointer;
        let offset = self.resize(pointer, layout.offset_bits, false, self.basic.difference);
        let offset = self.resize(offset, layout.bits, true, self.basic.difference);
        let start = self.binary(BinaryOp::Sub, pointer, offset, ty);
        self.emit(StatementKind::CopyBytes { target: start, source, size }, writer.span);
    }

    fn written_site(&mut self, name: &str, ty: TypeId, kind: SiteKind, writer: Writer) -> SiteId {
        let span = self.span(writer.span);
        let site = self.site(name, ty, span, kind);
        self.program.sites[site.index()].writer = Some(writer.name.to_owned());
        site
    }

    /// Whether there may be pointers in memory of a type.
    fn may_hold_pointers(&self, ty: TypeId) -> bool {
        match self.program.ty(ty) {
            Type::Void | Type::Pointer { .. } | Type::Function { .. } => true,
            Type::Array { of, .. } => self.may_hold_pointers(*of),
            Type::Record { fields, size, .. } => {
                *size == 0 || fields.iter().any(|field| self.may_hold_pointers(field.ty))
            }
            _ => false,
        }
    }

    /// Does something where a condition holds.
    pub(super) fn only_if(&mut self, condition: ExprId, span: Span, then: impl FnOnce(&mut Self)) {
        match self.as_constant(condition) {
            Some(0) => return,
            Some(_) => return then(self),
            None => {}
        }
        let (yes, end) = (self.new_block(), self.new_block());
        let decision = Decision::of_role(span, BranchRole::Internal);
        self.branch_on(condition, yes, end, span, BranchRole::Internal, decision);
        self.begin(yes);
        then(self);
        self.goto(end);
        self.begin(end);
    }

    /// What is wrong with a call through a pointer of a function without a body.
    pub(super) fn writes_from_afar(&self, of: &tree::Function, arguments: &[Operand]) -> Option<String> {
        let is_data = |ty: TypeId| matches!(self.program.ty(ty), Type::Pointer { to } if !matches!(self.program.ty(*to), Type::Function { .. }));
        let writes = arguments.iter().enumerate().any(|(at, argument)| match argument {
            Operand::Value(value) => {
                is_data(self.program.expr(*value).ty) && !of.only_read.get(at).copied().unwrap_or(false)
            }
            Operand::Object(_) => false,
        });
        (writes && self.options.arguments == Arguments::Written).then(|| {
            format!(
                "a call through a pointer of {}, which has no body and may write through its arguments (--no-havoc-arguments: \
                 it does not)",
                of.name
            )
        })
    }
}
