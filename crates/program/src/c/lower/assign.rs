//! Assignments, `+=` and its kin, `++` and `--`: the target is located once, the value computed, the store claimed.

use super::claims::Arithmetic;
use super::place::{Located, Touch, Use};
use super::{Lowering, tree};
use crate::c::tree::{Binary, ExprKind};
use crate::program::{Base, ExprId, Origin, PlaceId, StatementKind};
use crate::source::Span;

/// What an assignment is evaluated for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Effect,
    /// Its value is read from the place afterwards.
    Value,
}

impl Lowering<'_> {
    /// An assignment whose value is used.
    pub(super) fn assigned_value(&mut self, e: tree::ExprId) -> ExprId {
        let tree = self.tree;
        let expr = tree.expr(e);
        if let ExprKind::Step { target, amount, subtract, old_value: true } = &expr.kind {
            let located = self.target_of(*target, *amount, Purpose::Value);
            self.access(&located, Touch::Write, tree.expr(*target).span);
            let old = self.read(&located, *target);
            let old = self.spill(old, expr.span);
            self.step(&located, old, *amount, *subtract, e);
            return old;
        }
        let place = self.assignment(e, Purpose::Value);
        self.load_scalar(place)
    }

    /// An assignment; gives the place that was assigned.
    pub(super) fn assignment(&mut self, e: tree::ExprId, wanted: Purpose) -> PlaceId {
        let tree = self.tree;
        let expr = tree.expr(e);
        match &expr.kind {
            ExprKind::Assign { target, value } => {
                let span = self.numbered(e);
                self.plain_assignment(*target, *value, wanted, span)
            }
            ExprKind::CompoundAssign { op, computation, target, value } => {
                let located = self.target_of(*target, *value, wanted);
                let ty = tree.expr(*target).ty;
                let right = self.value(*value);
                self.access(&located, Touch::Write, tree.expr(*target).span);
                let old = self.read(&located, *target);
                let left = self.convert(old, ty, *computation);
                let whole = self.type_range(*computation);
                let own = if self.is_integer(ty) { self.place_range(located.place) } else { whole };
                let result = self.arithmetic(&Arithmetic {
                    op: *op,
                    ty: *computation,
                    left,
                    right,
                    left_range: if whole.0 <= own.0 && own.1 <= whole.1 { own } else { whole },
                    right_range: self.range(*value),
                    right_expr: *value,
                    span: expr.span,
                });
                self.claim_assigned(result, *computation, ty, expr.span);
                let converted = self.convert(result, *computation, ty);
                let span = self.numbered(e);
                self.assign(located.place, converted, Origin::Written, span);
                located.place
            }
            ExprKind::Step { target, amount, subtract, .. } => {
                let located = self.target_of(*target, *amount, wanted);
                self.access(&located, Touch::Write, tree.expr(*target).span);
                let old = self.read(&located, *target);
                self.step(&located, old, *amount, *subtract, e);
                located.place
            }
            _ => self.record(e),
        }
    }

    /// The place that is assigned, kept safe from what the right side does.
    fn target_of(&mut self, target: tree::ExprId, value: tree::ExprId, wanted: Purpose) -> Located {
        let located = self.locate(target, Use::Access);
        // `a[a[0]] = 2` may change which element it was: whoever reads the value must still find it.
        let moves = wanted == Purpose::Value && self.may_move(located.place);
        if moves || self.disturbs_place(value, located.place) {
            let place = self.stabilise(located.place, self.tree.expr(target).span);
            return Located { place, ..located };
        }
        located
    }

    fn plain_assignment(&mut self, target: tree::ExprId, value: tree::ExprId, wanted: Purpose, span: Span) -> PlaceId {
        let ty = self.tree.expr(target).ty;
        let target_span = self.tree.expr(target).span;
        let located = self.target_of(target, value, wanted);
        if !self.program.is_scalar(ty) {
            let source = self.record(value);
            self.access(&located, Touch::Write, target_span);
            self.emit(StatementKind::Copy { target: located.place, source, origin: Origin::Written }, span);
            return located.place;
        }
        // A call can put its result there itself, if nothing must be claimed between.
        let direct =
            !matches!(self.program.place(located.place).base, Base::Deref(_)) && !self.is_bit_field(located.place);
        if direct && self.call_into(value, located.place, span) {
            return located.place;
        }
        let x = self.value(value);
        self.access(&located, Touch::Write, target_span);
        self.assign(located.place, x, Origin::Written, span);
        located.place
    }

    fn is_bit_field(&self, place: PlaceId) -> bool {
        let place = self.program.place(place);
        self.program.size_bits(place.ty) != place.bits
    }

    /// `x++`, `p -= n`: adds to what was there.
    fn step(&mut self, located: &Located, old: ExprId, amount: tree::ExprId, subtract: bool, e: tree::ExprId) {
        let span = self.tree.expr(e).span;
        let ty = self.program.place(located.place).ty;
        let amount_type = self.tree.expr(amount).ty;
        let by = self.value(amount);
        let result = if self.is_pointer(ty) {
            let result = self.step_pointer(old, by, amount_type, ty, subtract);
            self.claim_pointer(result, span);
            result
        } else {
            // Narrow integers are computed as int, where nothing can overflow.
            let wide = self.program.place(located.place).bits >= self.program.size_bits(self.basic.int);
            let computation = if self.is_float(ty) || wide { ty } else { self.basic.int };
            let (left, right) = (self.convert(old, ty, computation), self.convert(by, amount_type, computation));
            let result = self.arithmetic(&Arithmetic {
                op: if subtract { Binary::Subtract } else { Binary::Add },
                ty: computation,
                left,
                right,
                left_range: self.place_range(located.place),
                right_range: self.range(amount),
                right_expr: amount,
                span,
            });
            // That an unsigned number goes round by one is no loss to CBMC.
            if self.is_signed(ty) {
                self.claim_assigned(result, computation, ty, span);
            }
            self.convert(result, computation, ty)
        };
        let span = self.numbered(e);
        self.assign(located.place, result, Origin::Written, span);
    }
}
