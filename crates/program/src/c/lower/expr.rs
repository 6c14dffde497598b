//! Expressions: values, truth values, records, and evaluation for the effects alone.
//!
//! Operands are evaluated from left to right. A value that was computed from memory which a later operand may change
//! is put into a temporary first.

use super::assign::Purpose;
use super::claims::Arithmetic;
use super::place::{Touch, Use};
use super::{Lowering, tree};
use crate::c::tree::{Binary, Builtin, ExprKind, StmtKind, Unary};
use crate::program::{
    Asker, BinaryOp, BlockId, BranchRole, Decision, ExprId, LocalId, Origin, PlaceId, StatementKind, Type, TypeId,
    UnaryOp,
};
use crate::source::Span;

/// A part of a block expression before its value.
#[derive(Clone, Copy)]
enum PartOfBlock {
    Statement(tree::StmtId),
    /// The label of this statement alone.
    Label(tree::StmtId),
}

impl Lowering<'_> {
    /// The value of a scalar expression, of the width of its type.
    pub(super) fn value(&mut self, e: tree::ExprId) -> ExprId {
        let tree = self.tree;
        let expr = tree.expr(e);
        let (ty, span) = (expr.ty, expr.span);
        match &expr.kind {
            ExprKind::Const(bits) if self.is_pointer(ty) => {
                let number = self.constant(*bits, ty);
                self.pointer_of_number(number, ty, span)
            }
            ExprKind::Const(bits) => self.constant(*bits, ty),
            ExprKind::ObjectAddress(object, offset) => {
                let place = self.object_place(*object);
                let address = self.address(place, ty);
                let offset = self.constant(*offset as u128, self.basic.difference);
                self.binary(BinaryOp::Add, address, offset, ty)
            }
            ExprKind::FunctionAddress(function) => self.function_address(*function, ty, span),
            ExprKind::Object(_) | ExprKind::Member { .. } | ExprKind::Element { .. } | ExprKind::Deref(_) => {
                self.value_of_lvalue(e)
            }
            ExprKind::Load(lvalue) => {
                let located = self.locate(*lvalue, Use::Access);
                self.access(&located, Touch::Read, tree.expr(*lvalue).span);
                let value = self.read(&located, *lvalue);
                self.claim_enumerator(value, ty, tree.expr(*lvalue).span);
                value
            }
            ExprKind::AddressOf(lvalue) => {
                let located = self.locate(*lvalue, Use::Address);
                self.address(located.place, ty)
            }
            ExprKind::Call { .. } => self.call_value(e),
            ExprKind::Unary(op, x) => self.unary_value(*op, *x, ty, span),
            ExprKind::Binary(op, a, b) => match self.compared_objects(e) {
                Some(truth) => self.widen_truth(truth, ty),
                None => self.binary_value(*op, *a, *b, ty, span),
            },
            ExprKind::PointerAdd { pointer, index, subtract } => {
                let (pointer, amount) = self.pair(*pointer, *index);
                let result = self.step_pointer(pointer, amount, tree.expr(*index).ty, ty, *subtract);
                self.claim_pointer(result, span);
                result
            }
            ExprKind::PointerDifference(a, b) => self.pointer_difference(*a, *b, ty, span),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::LogicalNot(_) => {
                let truth = self.truth(e);
                self.widen_truth(truth, ty)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional_value(*condition, *then, *otherwise, ty, span)
            }
            ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } | ExprKind::Step { .. } => self.assigned_value(e),
            ExprKind::Comma(a, b) => {
                self.effect(*a);
                self.value(*b)
            }
            ExprKind::Convert { operand, .. } => {
                if self.is_void(ty) {
                    self.effect(*operand);
                    return self.constant(0, self.basic.int);
                }
                let from = tree.expr(*operand).ty;
                if !self.program.is_scalar(from) {
                    return self.value(*operand);
                }
                let x = self.value(*operand);
                self.claim_conversion(x, *operand, ty, span);
                let converted = self.cast(x, from, ty, span);
                self.claim_enumerator(converted, ty, span);
                converted
            }
            ExprKind::StatementExpr(block) => self.block_value(*block, span),
            ExprKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, ty, span),
            ExprKind::Unsupported(what) => {
                self.unsupported(what.clone(), span);
                self.constant(0, ty)
            }
        }
    }

    /// An lvalue in the place of a value: a member of a record value, or an array or function that decays.
    fn value_of_lvalue(&mut self, e: tree::ExprId) -> ExprId {
        let expr = self.tree.expr(e);
        match (self.program.ty(expr.ty), &expr.kind) {
            (Type::Function { .. }, ExprKind::Deref(pointer)) => self.value(*pointer),
            (Type::Array { of, .. }, _) => {
                let of = *of;
                let located = self.locate(e, Use::Address);
                let ty = self.pointer_to(of);
                self.address(located.place, ty)
            }
            _ => {
                let located = self.locate(e, Use::Access);
                self.access(&located, Touch::Read, expr.span);
                self.read(&located, e)
            }
        }
    }

    /// What a place holds; nothing sensible where it is no scalar.
    pub(super) fn load_scalar(&mut self, place: PlaceId) -> ExprId {
        let ty = self.program.place(place).ty;
        if self.program.is_scalar(ty) { self.load(place) } else { self.constant(0, self.basic.int) }
    }

    /// Two values, the left one first.
    pub(super) fn pair(&mut self, a: tree::ExprId, b: tree::ExprId) -> (ExprId, ExprId) {
        let mut x = self.value(a);
        if self.disturbs(b, x) {
            x = self.spill(x, self.tree.expr(a).span);
        }
        let y = self.value(b);
        (x, y)
    }

    fn unary_value(&mut self, op: Unary, operand: tree::ExprId, ty: TypeId, span: Span) -> ExprId {
        let x = self.value(operand);
        match op {
            Unary::Complement => self.not(x),
            Unary::Minus if self.is_float(ty) => self.unary(UnaryOp::FNeg, x),
            Unary::Minus => {
                self.claim_negation(x, operand, ty, span);
                self.unary(UnaryOp::Neg, x)
            }
        }
    }

    fn binary_value(&mut self, op: Binary, a: tree::ExprId, b: tree::ExprId, ty: TypeId, span: Span) -> ExprId {
        let (left, right) = self.pair(a, b);
        let operation = Arithmetic {
            op,
            ty: self.tree.expr(a).ty,
            left,
            right,
            left_range: self.range(a),
            right_range: self.range(b),
            right_expr: b,
            span,
        };
        let result = self.arithmetic(&operation);
        let result = if self.may_relate_objects(op, a, span) {
            self.of_one_object(result, (left, right), self.basic.truth, span)
        } else {
            result
        };
        if self.program.expr(result).bits == 1 { self.widen_truth(result, ty) } else { result }
    }

    /// An operator on two values, its claims first. Comparisons give a truth value.
    pub(super) fn arithmetic(&mut self, a: &Arithmetic) -> ExprId {
        self.claim_arithmetic(a);
        let value = self.computed(a);
        self.where_defined(value, a)
    }

    fn computed(&mut self, a: &Arithmetic) -> ExprId {
        let (x, ty) = (a.left, a.ty);
        let (float, sign) = (self.is_float(ty), self.is_signed(ty));
        let y = match a.op {
            Binary::ShiftLeft | Binary::ShiftRight => {
                let width = self.program.expr(x).bits;
                let sign = self.is_signed(self.program.expr(a.right).ty);
                self.resize(a.right, width, sign, ty)
            }
            _ => a.right,
        };
        let pick = |floating, signed, unsigned| {
            if float {
                floating
            } else if sign {
                signed
            } else {
                unsigned
            }
        };
        use BinaryOp::*;
        match a.op {
            Binary::Add => self.binary(pick(FAdd, Add, Add), x, y, ty),
            Binary::Subtract => self.binary(pick(FSub, Sub, Sub), x, y, ty),
            Binary::Multiply => self.binary(pick(FMul, Mul, Mul), x, y, ty),
            Binary::Divide => self.binary(pick(FDiv, SDiv, UDiv), x, y, ty),
            Binary::Remainder => self.binary(pick(URem, SRem, URem), x, y, ty),
            Binary::ShiftLeft => self.binary(Shl, x, y, ty),
            Binary::ShiftRight => self.binary(pick(LShr, AShr, LShr), x, y, ty),
            Binary::And => self.binary(And, x, y, ty),
            Binary::Or => self.binary(Or, x, y, ty),
            Binary::Xor => self.binary(Xor, x, y, ty),
            Binary::Less => self.binary(pick(FLt, SLt, ULt), x, y, ty),
            Binary::LessEqual => self.binary(pick(FLe, SLe, ULe), x, y, ty),
            Binary::Greater => self.binary(pick(FLt, SLt, ULt), y, x, ty),
            Binary::GreaterEqual => self.binary(pick(FLe, SLe, ULe), y, x, ty),
            Binary::Equal => self.binary(pick(FEq, Eq, Eq), x, y, ty),
            Binary::NotEqual => {
                let equal = self.binary(pick(FEq, Eq, Eq), x, y, ty);
                self.not(equal)
            }
        }
    }

    /// `pointer + amount` elements.
    pub(super) fn step_pointer(
        &mut self,
        pointer: ExprId,
        amount: ExprId,
        amount_type: TypeId,
        ty: TypeId,
        subtract: bool,
    ) -> ExprId {
        let size = self.pointee_size(ty);
        let (bits, sign) = (self.program.pointer.bits, self.is_signed(amount_type));
        let wide = self.resize(amount, bits, sign, self.basic.difference);
        let size = self.constant(u128::from(size), self.basic.difference);
        let bytes = self.binary(BinaryOp::Mul, wide, size, self.basic.difference);
        let op = if subtract { BinaryOp::Sub } else { BinaryOp::Add };
        self.binary(op, pointer, bytes, ty)
    }

    /// Bytes of what a pointer type points to.
    pub(super) fn pointee_size(&self, ty: TypeId) -> u64 {
        match self.program.ty(ty) {
            Type::Pointer { to } => self.program.size_bits(*to) / 8,
            _ => 1,
        }
    }

    fn pointer_difference(&mut self, a: tree::ExprId, b: tree::ExprId, ty: TypeId, span: Span) -> ExprId {
        let (x, y) = self.pair(a, b);
        self.claim_same_object(x, y, span);
        let bytes = self.binary(BinaryOp::Sub, x, y, self.basic.difference);
        let size = self.pointee_size(self.tree.expr(a).ty);
        let elements = if size > 1 {
            let size = self.constant(u128::from(size), self.basic.difference);
            self.binary(BinaryOp::SDiv, bytes, size, self.basic.difference)
        } else {
            bytes
        };
        let bits = self.bits_of(ty);
        let result = self.resize(elements, bits, true, ty);
        if self.guarded_by(span).pointer { result } else { self.of_one_object(result, (x, y), ty, span) }
    }

    /// A condition as one bit.
    pub(super) fn truth(&mut self, e: tree::ExprId) -> ExprId {
        let tree = self.tree;
        let expr = tree.expr(e);
        match &expr.kind {
            ExprKind::LogicalNot(x) => {
                let truth = self.truth(*x);
                self.not(truth)
            }
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) if !self.branches_inside(e) => {
                let x = self.truth(*a);
                let y = self.truth(*b);
                if matches!(expr.kind, ExprKind::LogicalAnd(..)) { self.and(x, y) } else { self.or(x, y) }
            }
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => self.truth_by_flow(e),
            ExprKind::Comma(a, b) => {
                self.effect(*a);
                self.truth(*b)
            }
            // Through the conversions between a truth value and the number that C makes of it.
            ExprKind::Convert { operand, .. } if self.keeps_truth(e) && !self.conversion_is_checked(e) => {
                self.truth(*operand)
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise }
                if self.program.is_scalar(expr.ty) && !self.needs_flow(*then) && !self.needs_flow(*otherwise) =>
            {
                let condition = self.truth(*condition);
                let (x, y) = (self.truth(*then), self.truth(*otherwise));
                self.ite(condition, x, y)
            }
            _ if !self.program.is_scalar(expr.ty) => {
                self.effect(e);
                self.truth_constant(false)
            }
            _ => {
                let value = self.value(e);
                self.truth_of(value, expr.ty)
            }
        }
    }

    /// `&&` and `||` whose right side must not be evaluated in vain: a temporary, set on both ways.
    fn truth_by_flow(&mut self, e: tree::ExprId) -> ExprId {
        let span = self.tree.expr(e).span;
        let result = self.temporary(self.basic.truth, span);
        let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(e, [yes, no], BranchRole::Choice, Asker::Value);
        for (block, value) in [(yes, 1), (no, 0)] {
            self.begin(block);
            let value = self.constant(value, self.basic.truth);
            self.set_temporary(result, value, span);
            self.goto(end);
        }
        self.begin(end);
        let place = self.local_place(result);
        let value = self.load(place);
        self.non_zero(value)
    }

    fn set_temporary(&mut self, local: LocalId, value: ExprId, span: Span) {
        let target = self.local_place(local);
        self.assign(target, value, Origin::Tool, span);
    }

    /// Ends the block by going to one block where a condition is true and to the other where it is false.
    pub(super) fn branch(&mut self, e: tree::ExprId, ways: [BlockId; 2], role: BranchRole, asker: Asker) {
        let decision = Decision::whole(self.decided(e), asker);
        self.branch_part(e, ways, role, decision);
    }

    /// The same for a part of the condition. What the last operand decides gets the given role, what is decided before it
    /// is a choice.
    fn branch_part(&mut self, e: tree::ExprId, [then, otherwise]: [BlockId; 2], role: BranchRole, decision: Decision) {
        let tree = self.tree;
        let expr = tree.expr(e);
        match &expr.kind {
            ExprKind::LogicalAnd(a, b) if self.branches_inside(e) => {
                let middle = self.new_block();
                let open = Decision { then: None, ..decision };
                self.branch_part(*a, [middle, otherwise], BranchRole::Choice, open);
                self.begin(middle);
                self.branch_part(*b, [then, otherwise], role, decision);
            }
            ExprKind::LogicalOr(a, b) if self.branches_inside(e) => {
                let middle = self.new_block();
                let open = Decision { otherwise: None, ..decision };
                self.branch_part(*a, [then, middle], BranchRole::Choice, open);
                self.begin(middle);
                self.branch_part(*b, [then, otherwise], role, decision);
            }
            ExprKind::LogicalNot(x) if self.branches_inside(*x) => {
                self.branch_part(*x, [otherwise, then], role, decision.negated());
            }
            ExprKind::Convert { operand, .. } if self.branches_inside(e) => {
                self.branch_part(*operand, [then, otherwise], role, decision);
            }
            _ => {
                let condition = self.truth(e);
                let span = self.decided(e);
                self.branch_on(condition, then, otherwise, span, role, decision);
            }
        }
    }

    /// Whether a condition has an `&&` or `||` that needs control flow, below others, `!` and conversions.
    pub(super) fn branches_inside(&mut self, e: tree::ExprId) -> bool {
        match self.tree.expr(e).kind {
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => self.needs_flow(b) || self.branches_inside(a),
            ExprKind::LogicalNot(x) => self.branches_inside(x),
            ExprKind::Convert { operand, .. } => self.keeps_truth(e) && self.branches_inside(operand),
            _ => false,
        }
    }

    /// Whether a conversion makes 0 of nothing but 0.
    pub(super) fn keeps_truth(&self, e: tree::ExprId) -> bool {
        let ExprKind::Convert { operand, .. } = self.tree.expr(e).kind else { return false };
        let (from, to) = (self.tree.expr(operand).ty, self.tree.expr(e).ty);
        let whole = |ty| self.is_integer(ty) || self.is_pointer(ty);
        let boolean = matches!(self.program.ty(to), Type::Bool);
        let wider = whole(from) && whole(to) && self.bits_of(from) <= self.bits_of(to);
        self.program.is_scalar(from) && (boolean || wider)
    }

    fn conditional_value(
        &mut self,
        condition: tree::ExprId,
        then: Option<tree::ExprId>,
        otherwise: tree::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        if self.is_void(ty) {
            self.conditional_effect(condition, then, otherwise);
            return self.constant(0, self.basic.int);
        }
        let Some(then) = then else {
            return self.elvis_value(condition, otherwise, ty, span);
        };
        if !self.needs_flow(then) && !self.needs_flow(otherwise) {
            let condition = self.truth(condition);
            let (x, y) = (self.value(then), self.value(otherwise));
            return self.ite(condition, x, y);
        }
        let result = self.temporary(ty, span);
        self.two_ways(condition, |lowering, taken| {
            let arm = if taken { then } else { otherwise };
            let target = lowering.local_place(result);
            if !lowering.call_into(arm, target, lowering.tree.expr(arm).span) {
                let value = lowering.value(arm);
                lowering.assign(target, value, Origin::Tool, span);
            }
        });
        let place = self.local_place(result);
        self.load(place)
    }

    /// `a ?: b`.
    fn elvis_value(&mut self, condition: tree::ExprId, otherwise: tree::ExprId, ty: TypeId, span: Span) -> ExprId {
        let from = self.tree.expr(condition).ty;
        let value = self.value(condition);
        let value = self.spill(value, span);
        let truth = self.truth_of(value, from);
        let converted = self.convert(value, from, ty);
        if !self.needs_flow(otherwise) {
            let other = self.value(otherwise);
            return self.ite(truth, converted, other);
        }
        let result = self.temporary(ty, span);
        let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
        let from = self.decided(condition);
        self.branch_on(truth, yes, no, from, BranchRole::Choice, Decision::whole(from, Asker::Value));
        self.begin(yes);
        self.set_temporary(result, converted, span);
        self.goto(end);
        self.begin(no);
        let other = self.value(otherwise);
        self.set_temporary(result, other, span);
        self.goto(end);
        self.begin(end);
        let place = self.local_place(result);
        self.load(place)
    }

    /// Control flow for a condition: `work(true)` on one way, `work(false)` on the other.
    pub(super) fn two_ways(&mut self, condition: tree::ExprId, mut work: impl FnMut(&mut Self, bool)) {
        let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(condition, [yes, no], BranchRole::Choice, Asker::Value);
        for (block, taken) in [(yes, true), (no, false)] {
            self.begin(block);
            work(self, taken);
            self.goto(end);
        }
        self.begin(end);
    }

    fn conditional_effect(&mut self, condition: tree::ExprId, then: Option<tree::ExprId>, otherwise: tree::ExprId) {
        self.two_ways(condition, |lowering, taken| {
            if let Some(arm) = if taken { then } else { Some(otherwise) } {
                lowering.effect(arm);
            }
        });
    }

    /// Evaluates for the effects alone.
    pub(super) fn effect(&mut self, e: tree::ExprId) {
        let tree = self.tree;
        let expr = tree.expr(e);
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::FunctionAddress(_) => {}
            ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } | ExprKind::Step { .. } => {
                self.assignment(e, Purpose::Effect);
            }
            ExprKind::Call { .. } => self.call_effect(e),
            ExprKind::Comma(a, b) => {
                self.effect(*a);
                self.effect(*b);
            }
            ExprKind::Convert { operand, .. } if self.is_void(expr.ty) => self.effect(*operand),
            ExprKind::Conditional { condition, then, otherwise }
                if self.has_effect(*otherwise) || then.is_some_and(|t| self.has_effect(t)) =>
            {
                self.conditional_effect(*condition, *then, *otherwise);
            }
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) if self.has_effect(*b) => {
                let on = matches!(expr.kind, ExprKind::LogicalAnd(..));
                let right = *b;
                self.two_ways(*a, |lowering, taken| {
                    if taken == on {
                        lowering.effect(right);
                    }
                });
            }
            ExprKind::StatementExpr(block) => self.statement(*block),
            _ if self.program.is_scalar(expr.ty) || self.is_void(expr.ty) => {
                self.value(e);
            }
            ExprKind::Object(_) | ExprKind::Member { .. } | ExprKind::Element { .. } | ExprKind::Deref(_) => {
                self.locate(e, Use::Address);
            }
            _ => {
                self.record(e);
            }
        }
    }

    /// A place that holds the value of a record expression.
    pub(super) fn record(&mut self, e: tree::ExprId) -> PlaceId {
        let tree = self.tree;
        let expr = tree.expr(e);
        let (ty, span) = (expr.ty, expr.span);
        match &expr.kind {
            ExprKind::Load(lvalue) => {
                let located = self.locate(*lvalue, Use::Access);
                self.access(&located, Touch::Read, span);
                self.read_record(&located, *lvalue)
            }
            ExprKind::Object(_) | ExprKind::Member { .. } | ExprKind::Element { .. } | ExprKind::Deref(_) => {
                let located = self.locate(e, Use::Access);
                self.access(&located, Touch::Read, span);
                self.read_record(&located, e)
            }
            ExprKind::Call { .. } => self.call_record(e),
            ExprKind::Assign { .. } => self.assignment(e, Purpose::Value),
            ExprKind::Comma(a, b) => {
                self.effect(*a);
                self.record(*b)
            }
            ExprKind::Convert { operand, .. } => self.record(*operand),
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                let result = self.temporary(ty, span);
                let (then, otherwise) = (*then, *otherwise);
                self.two_ways(*condition, |lowering, taken| {
                    let source = lowering.record(if taken { then } else { otherwise });
                    let target = lowering.local_place(result);
                    lowering.emit(StatementKind::Copy { target, source, origin: Origin::Tool }, span);
                });
                self.local_place(result)
            }
            ExprKind::StatementExpr(block) => self.block_record(*block, ty, span),
            ExprKind::Builtin(Builtin::VariadicNext, arguments) if arguments.len() == 1 => {
                self.next_argument_place(arguments[0], ty, span)
            }
            ExprKind::Unsupported(what) => {
                self.unsupported(what.clone(), span);
                let result = self.temporary(ty, span);
                self.local_place(result)
            }
            _ => {
                self.unsupported("an expression of this type", span);
                let result = self.temporary(ty, span);
                self.local_place(result)
            }
        }
    }

    /// The value of a GNU block expression: that of its last statement.
    fn block_value(&mut self, block: tree::StmtId, span: Span) -> ExprId {
        let Some((before, last)) = self.last_expression(block) else {
            self.statement(block);
            return self.constant(0, self.basic.int);
        };
        self.open_scope();
        before.iter().for_each(|part| self.part_of_block(*part));
        let mut value = if self.program.is_scalar(self.tree.expr(last).ty) {
            self.value(last)
        } else {
            self.effect(last);
            self.constant(0, self.basic.int)
        };
        // The address of a local of the block, too, is the one from before the local dies.
        if self.scope_has_locals() && self.as_constant(value).is_none() {
            value = self.spill(value, span);
        }
        self.close_scope(span);
        value
    }

    fn block_record(&mut self, block: tree::StmtId, ty: TypeId, span: Span) -> PlaceId {
        let result = self.temporary(ty, span);
        let target = self.local_place(result);
        let Some((before, last)) = self.last_expression(block) else {
            self.statement(block);
            return target;
        };
        self.open_scope();
        before.iter().for_each(|part| self.part_of_block(*part));
        let source = self.record(last);
        self.emit(StatementKind::Copy { target, source, origin: Origin::Tool }, span);
        self.close_scope(span);
        target
    }

    /// What a block expression does before its value is computed, and the expression for that; it may stand behind labels.
    fn last_expression(&self, block: tree::StmtId) -> Option<(Vec<PartOfBlock>, tree::ExprId)> {
        let StmtKind::Block(statements) = &self.tree.stmt(block).kind else { return None };
        let (last, before) = statements.split_last()?;
        let mut before: Vec<PartOfBlock> = before.iter().copied().map(PartOfBlock::Statement).collect();
        let mut last = *last;
        loop {
            match self.tree.stmt(last).kind {
                StmtKind::Expr(value) => return Some((before, value)),
                StmtKind::Label(_, body) | StmtKind::ErrorLabel(_, body) => {
                    before.push(PartOfBlock::Label(last));
                    last = body;
                }
                _ => return None,
            }
        }
    }

    fn part_of_block(&mut self, part: PartOfBlock) {
        match part {
            PartOfBlock::Statement(statement) => self.statement(statement),
            PartOfBlock::Label(labelled) => self.label(labelled),
        }
    }

    /// Values of several operands, from left to right.
    pub(super) fn values(&mut self, operands: &[tree::ExprId]) -> Vec<ExprId> {
        let mut values: Vec<ExprId> = Vec::with_capacity(operands.len());
        for operand in operands {
            if self.has_effect(*operand) {
                for value in &mut values {
                    if self.disturbs(*operand, *value) {
                        *value = self.spill(*value, self.tree.expr(*operand).span);
                    }
                }
            }
            let value = self.value(*operand);
            values.push(value);
        }
        values
    }
}
