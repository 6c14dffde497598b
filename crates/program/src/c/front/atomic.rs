//! Atomic operations of a program with one thread.
//!
//! Nothing comes between the steps, so a read-modify-write is a block that does them one after the other, with its
//! operands and the old value in objects of their own. The arithmetic is on unsigned numbers: it wraps.

use rucc_sema::{AtomicOp, Rmw};
use rucc_types::{IntKind, TypeKind, pointee};

use super::link::Walk;
use crate::c::tree::{
    Binary, Builtin, ExprId, ExprKind, InitEntry, Object, ObjectId, ObjectKind, StmtKind, StorageDuration, Unary,
};
use crate::program::{Type, TypeId};
use crate::source::Span;

impl Walk<'_> {
    /// Converts an atomic operation.
    pub(super) fn atomic(&mut self, id: rucc_sema::ExprId, op: AtomicOp, args: &[rucc_sema::ExprId]) -> ExprId {
        let span = self.unit.span(self.unit.tast.expr_span(id));
        let ty = self.ty(self.unit.tast[id].ty);
        let builtin = match op {
            AtomicOp::Fence | AtomicOp::SignalFence => return self.nothing(span),
            AtomicOp::Load => Builtin::AtomicLoad,
            AtomicOp::Store => Builtin::AtomicStore,
            _ => {
                let steps = self.steps(op, args, ty, span);
                return steps.unwrap_or_else(|| self.refuse(id, format!("atomic {}", op.as_str())));
            }
        };
        let operands = args.iter().map(|operand| self.expr(*operand)).collect();
        self.push(ExprKind::Builtin(builtin, operands), ty, span)
    }

    /// A read-modify-write as a block; none if it is of a kind that we do not know.
    fn steps(&mut self, op: AtomicOp, args: &[rucc_sema::ExprId], ty: TypeId, span: Span) -> Option<ExprId> {
        let (first, rest) = args.split_first()?;
        let target = pointee(&self.unit.types, self.unit.tast[*first].ty)?;
        if matches!(self.unit.types.kind(self.unit.types.canonical(target)), TypeKind::Void | TypeKind::Array { .. }) {
            return None;
        }
        let value_type = self.ty(target);
        let size = self.size(target);
        let mut declared = Vec::new();
        let pointer = self.expr(*first);
        let place = self.keep("target", pointer, &mut declared);
        let mut operands = Vec::new();
        for argument in rest {
            let value = self.expr(*argument);
            operands.push(self.keep("operand", value, &mut declared));
        }
        let here = self.deref(place, value_type, span);
        let old = self.push(ExprKind::Load(here), value_type, span);
        let old = self.keep_sized("old", old, size, &mut declared);
        let mut block = vec![self.push_stmt(StmtKind::Declare(declared), span)];
        let mut answer = self.load_object(old, span);
        let new = match op {
            AtomicOp::LoadInto => None,
            AtomicOp::Exchange | AtomicOp::ExchangeInto => Some(self.load_object(*operands.first()?, span)),
            AtomicOp::TestAndSet => Some(self.number(1, value_type, span)),
            AtomicOp::Fetch(rmw) | AtomicOp::Update(rmw) => {
                let new = self.modified(rmw, old, *operands.first()?, value_type, span)?;
                if let AtomicOp::Update(_) = op {
                    let mut more = Vec::new();
                    let kept = self.keep_sized("new", new, size, &mut more);
                    block.push(self.push_stmt(StmtKind::Declare(more), span));
                    answer = self.load_object(kept, span);
                    Some(self.load_object(kept, span))
                } else {
                    Some(new)
                }
            }
            AtomicOp::SwapBool | AtomicOp::SwapValue | AtomicOp::CompareExchange => {
                return self.compare_and_swap(op, (place, old), &operands, (value_type, ty), block, span);
            }
            _ => return None,
        };
        if let Some(value) = new {
            let target = self.deref(place, value_type, span);
            let assign = self.push(ExprKind::Assign { target, value }, value_type, span);
            block.push(self.push_stmt(StmtKind::Expr(assign), span));
        }
        if let AtomicOp::LoadInto | AtomicOp::ExchangeInto = op {
            let target = self.deref(*operands.last()?, value_type, span);
            answer = self.push(ExprKind::Assign { target, value: answer }, value_type, span);
        }
        Some(self.answer(block, answer, ty, span))
    }

    fn compare_and_swap(
        &mut self,
        op: AtomicOp,
        (place, old): (ObjectId, ObjectId),
        operands: &[ObjectId],
        (value_type, ty): (TypeId, TypeId),
        mut block: Vec<crate::c::tree::StmtId>,
        span: Span,
    ) -> Option<ExprId> {
        let [expected, desired, ..] = operands else { return None };
        let int = self.linker.table.integer(self.unit, IntKind::Int);
        let by_pointer = op == AtomicOp::CompareExchange;
        let compared = |walk: &mut Self| {
            let left = walk.load_object(old, span);
            let right = if by_pointer {
                let there = walk.deref(*expected, value_type, span);
                walk.push(ExprKind::Load(there), value_type, span)
            } else {
                walk.load_object(*expected, span)
            };
            walk.push(ExprKind::Binary(Binary::Equal, left, right), int, span)
        };
        let mut declared = Vec::new();
        let equal = compared(self);
        let equal = self.keep("equal", equal, &mut declared);
        block.push(self.push_stmt(StmtKind::Declare(declared), span));
        let target = self.deref(place, value_type, span);
        let value = self.load_object(*desired, span);
        let assign = self.push(ExprKind::Assign { target, value }, value_type, span);
        let then = self.push_stmt(StmtKind::Expr(assign), span);
        let otherwise = if by_pointer {
            let target = self.deref(*expected, value_type, span);
            let value = self.load_object(old, span);
            let assign = self.push(ExprKind::Assign { target, value }, value_type, span);
            Some(self.push_stmt(StmtKind::Expr(assign), span))
        } else {
            None
        };
        let condition = self.load_object(equal, span);
        block.push(self.push_stmt(StmtKind::If { condition, then, otherwise }, span));
        let answer = self.load_object(if op == AtomicOp::SwapValue { old } else { equal }, span);
        Some(self.answer(block, answer, ty, span))
    }

    /// The value that an operation writes, computed on unsigned numbers.
    fn modified(&mut self, rmw: Rmw, old: ObjectId, operand: ObjectId, ty: TypeId, span: Span) -> Option<ExprId> {
        let unsigned = match self.bits(ty) {
            8 => IntKind::UChar,
            16 => IntKind::UShort,
            32 => IntKind::UInt,
            64 => IntKind::ULongLong,
            _ => return None,
        };
        if !matches!(self.linker.table.types[ty.0 as usize], Type::Integer { .. } | Type::Pointer { .. }) {
            return None;
        }
        let unsigned = self.linker.table.integer(self.unit, unsigned);
        let (left, right) = (self.load_object(old, span), self.load_object(operand, span));
        let left = self.push(ExprKind::Convert { operand: left, explicit: true }, unsigned, span);
        let right = self.push(ExprKind::Convert { operand: right, explicit: true }, unsigned, span);
        let op = match rmw {
            Rmw::Add => Binary::Add,
            Rmw::Sub => Binary::Subtract,
            Rmw::And | Rmw::Nand => Binary::And,
            Rmw::Or => Binary::Or,
            Rmw::Xor => Binary::Xor,
        };
        let mut value = self.push(ExprKind::Binary(op, left, right), unsigned, span);
        if rmw == Rmw::Nand {
            value = self.push(ExprKind::Unary(Unary::Complement, value), unsigned, span);
        }
        Some(self.push(ExprKind::Convert { operand: value, explicit: true }, ty, span))
    }

    /// A block whose value is that of its last expression.
    pub(super) fn answer(
        &mut self,
        mut block: Vec<crate::c::tree::StmtId>,
        answer: ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let converted = if self.linker.tree.expr(answer).ty == ty {
            answer
        } else {
            self.push(ExprKind::Convert { operand: answer, explicit: false }, ty, span)
        };
        block.push(self.push_stmt(StmtKind::Expr(converted), span));
        let block = self.push_stmt(StmtKind::Block(block), span);
        self.push(ExprKind::StatementExpr(block), ty, span)
    }

    pub(super) fn deref(&mut self, pointer: ObjectId, ty: TypeId, span: Span) -> ExprId {
        let pointer = self.load_object(pointer, span);
        self.push(ExprKind::Deref(pointer), ty, span)
    }

    pub(super) fn keep(&mut self, name: &str, value: ExprId, declared: &mut Vec<ObjectId>) -> ObjectId {
        let size = u64::from(self.bits(self.linker.tree.expr(value).ty) / 8);
        self.keep_sized(name, value, size, declared)
    }

    /// An object of our own that holds a value.
    pub(super) fn keep_sized(
        &mut self,
        name: &str,
        value: ExprId,
        size: u64,
        declared: &mut Vec<ObjectId>,
    ) -> ObjectId {
        let (ty, span) = (self.linker.tree.expr(value).ty, self.linker.tree.expr(value).span);
        let init = vec![InitEntry { bit_offset: 0, bits: size * 8, value }];
        let object = self.own_object(name, ty, size, init, span);
        declared.push(object);
        object
    }

    /// An object of our own: it has no name in the text.
    pub(super) fn own_object(
        &mut self,
        name: &str,
        ty: TypeId,
        size: u64,
        init: Vec<InitEntry>,
        span: Span,
    ) -> ObjectId {
        self.push_object(Object {
            name: name.to_owned(),
            file_scope: false,
            ty,
            size,
            storage: StorageDuration::Automatic,
            init: Some(init),
            variable_size: None,
            span,
            kind: ObjectKind::Variable,
            read_only: false,
            system: true,
            cleanup: None,
        })
    }
}
