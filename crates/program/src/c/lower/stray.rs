//! Accesses outside of every object, comparisons of pointers into two, divisions by zero and shifts too far, where nobody asks for their check.
//!
//! C says nothing of what they do. What is read or computed there is anything, an input of a kind of its own, and what is written there
//! changes no object. A compiled program does something else, so that a run that does so is not compared with it. Sums, differences and products
//! that do not fit wrap around, as for CBMC and compilers that are asked for it.

use super::claims::Arithmetic;
use super::place::{Located, Touch};
use super::{Lowering, tree};
use crate::c::Checks;
use crate::c::tree::{Binary, ExprKind};
use crate::program::{BinaryOp, ExprId, MemoryQuestion, Origin, SiteKind, StatementKind, Type, TypeId};
use crate::source::Span;

/// An operator, the type that it computes in, and what its operands may be.
#[derive(Clone, Copy)]
pub(super) struct Operands {
    pub(super) op: Binary,
    pub(super) ty: TypeId,
    pub(super) left: (i128, i128),
    pub(super) right: (i128, i128),
    pub(super) span: Span,
}

impl Lowering<'_> {
    /// The checks that stand before an access. Models of the library have none of their own: those at their calls may be off.
    pub(super) fn guarded_by(&self, span: Span) -> Checks {
        let mut checks = self.checks_at(span);
        if self.in_library() {
            checks.pointer = self.asked.pointer && self.tree.switches.iter().all(|(_, checks)| checks.pointer);
            checks.bounds = true;
        }
        checks
    }

    /// Whether an lvalue may lie outside of every object and no claim says that it does not, judged by the text.
    pub(super) fn may_stray(&self, lvalue: tree::ExprId) -> bool {
        let mut at = lvalue;
        loop {
            let expr = self.tree.expr(at);
            let checks = self.guarded_by(expr.span);
            let leaves = |array, index| !checks.bounds && !self.index_is_safe(array, index);
            match &expr.kind {
                ExprKind::Member { base, .. } => at = *base,
                ExprKind::Element { array, index } => {
                    let unbounded = matches!(self.program.ty(self.tree.expr(*array).ty), Type::Array { length: 0, .. });
                    if unbounded && !checks.pointer || leaves(*array, *index) {
                        return true;
                    }
                    at = *array;
                }
                ExprKind::Deref(pointer) => match self.indexed_array(*pointer) {
                    Some((inner, index)) if index.is_none_or(|index| !leaves(inner, index)) => at = inner,
                    Some(_) => return true,
                    None => return !checks.pointer,
                },
                ExprKind::Object(object) => {
                    return !checks.pointer && self.tree.object(*object).variable_size.is_some();
                }
                _ => return false,
            }
        }
    }

    /// One bit: does it lie outside of every object?
    pub(super) fn is_outside(&mut self, located: &Located) -> ExprId {
        let bytes = self.bytes_of(located.place);
        let ty = self.program.place(located.place).ty;
        let pointer_type = self.pointer_to(ty);
        let pointer = self.address(located.place, pointer_type);
        let size = self.size_constant(bytes);
        let valid = self.memory(MemoryQuestion::Valid { pointer, size, write: false });
        self.not(valid)
    }

    /// Whether pointers are ordered that may point into two objects, and no claim says that they do not.
    pub(super) fn may_relate_objects(&self, op: Binary, left: tree::ExprId, span: Span) -> bool {
        let is_order = matches!(op, Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual);
        let is_pointer = matches!(self.program.ty(self.tree.expr(left).ty), Type::Pointer { .. });
        is_order && is_pointer && !self.guarded_by(span).pointer
    }

    /// What was computed of two pointers if they point into one object, and anything otherwise.
    pub(super) fn of_one_object(&mut self, value: ExprId, (a, b): (ExprId, ExprId), ty: TypeId, span: Span) -> ExprId {
        let same = self.memory(MemoryQuestion::SameObject(a, b));
        let differ = self.not(same);
        self.anything_if(differ, value, ty, span)
    }

    /// Whether an operator on such operands may be one of which C says nothing, where no claim says that it is not.
    pub(super) fn may_be_undefined(&self, a: Operands) -> bool {
        let is_integer = self.is_integer(a.ty) && !self.in_library();
        is_integer && (self.may_be_by_zero(a) || self.may_be_beyond(a) || self.may_be_too_far(a))
    }

    fn may_be_by_zero(&self, a: Operands) -> bool {
        let divides = matches!(a.op, Binary::Divide | Binary::Remainder);
        divides && !self.checks_at(a.span).div_by_zero && a.right.0 <= 0 && a.right.1 >= 0
    }

    fn may_be_beyond(&self, a: Operands) -> bool {
        let divides = matches!(a.op, Binary::Divide | Binary::Remainder);
        divides && !self.checks_at(a.span).signed_overflow && self.quotient_may_be_beyond(a.ty, a.left, a.right)
    }

    fn may_be_too_far(&self, a: Operands) -> bool {
        let shifts = matches!(a.op, Binary::ShiftLeft | Binary::ShiftRight);
        let within = a.right.0 >= 0 && a.right.1 < i128::from(self.bits_of(a.ty));
        shifts && !self.checks_at(a.span).undefined_shift && !within
    }

    /// What an operator computes, and anything where C does not say what that is.
    pub(super) fn where_defined(&mut self, value: ExprId, a: &Arithmetic) -> ExprId {
        let operands = Operands { op: a.op, ty: a.ty, left: a.left_range, right: a.right_range, span: a.span };
        if !self.may_be_undefined(operands) {
            return value;
        }
        let mut undefined = self.truth_constant(false);
        if self.may_be_by_zero(operands) {
            let zero = self.constant(0, a.ty);
            undefined = self.binary(BinaryOp::Eq, a.right, zero, a.ty);
        }
        if self.may_be_beyond(operands) {
            let fits = self.quotient_fits(a);
            let beyond = self.not(fits);
            undefined = self.or(undefined, beyond);
        }
        if self.may_be_too_far(operands) {
            let within = self.distance_fits(a);
            let too_far = self.not(within);
            undefined = self.or(undefined, too_far);
        }
        self.anything_if(undefined, value, a.ty, a.span)
    }

    /// A value, or anything where a condition holds.
    pub(super) fn anything_if(&mut self, condition: ExprId, value: ExprId, ty: TypeId, span: Span) -> ExprId {
        if self.as_constant(condition) == Some(0) {
            return value;
        }
        let result = self.temporary(ty, span);
        let target = self.local_place(result);
        self.either(
            condition,
            span,
            |lowering| {
                let value = lowering.free_value(target, SiteKind::Unsaid, span);
                lowering.assign(target, value, Origin::Tool, span);
            },
            |lowering| lowering.assign(target, value, Origin::Tool, span),
        );
        self.load(target)
    }

    /// Bytes that a model of the library copies or sets as a whole are claimed to be there where it is called. Where that claim is off, an execution
    /// in which they are not is one that we cannot follow.
    pub(super) fn refuse_stray_bytes(&mut self, pointers: &[(ExprId, Touch)], size: ExprId, span: Span) {
        if self.guarded_by(span).pointer {
            return;
        }
        let mut all = self.truth_constant(true);
        for (pointer, touch) in pointers {
            let write = *touch == Touch::Write;
            let valid = self.memory(MemoryQuestion::Valid { pointer: *pointer, size, write });
            all = self.and(all, valid);
        }
        let stray = self.not(all);
        let what = "copying or setting memory outside of every object while the pointer check is off".to_owned();
        self.only_if(stray, span, |lowering| lowering.emit(StatementKind::Unsupported { what }, span));
    }
}
