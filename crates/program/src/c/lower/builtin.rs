//! Built-ins of the compilers, as pure expressions wherever they are some.

use super::place::{Located, Touch};
use super::{Lowering, tree};
use crate::c::tree::{Builtin, ExprKind};
use crate::extended::sign_bit;
use crate::program::{
    BinaryOp, ClaimKind, ExprId, ExprKind as P, Origin, SiteKind, StatementKind, Storage, Terminator, TypeId, UnaryOp,
};
use crate::source::Span;

impl Lowering<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin, arguments: &[tree::ExprId], ty: TypeId, span: Span) -> ExprId {
        let nothing = if self.program.is_scalar(ty) { ty } else { self.basic.int };
        match builtin {
            Builtin::VariadicStart => return self.start_arguments(arguments, span),
            Builtin::VariadicNext => return self.next_argument(arguments, ty, span),
            Builtin::VariadicCopy => return self.copy_arguments(arguments, span),
            Builtin::Nothing => {
                arguments.iter().for_each(|a| self.effect(*a));
                return self.constant(0, nothing);
            }
            Builtin::ConstantP => return self.constant(0, nothing),
            Builtin::Unreachable | Builtin::Trap => {
                let condition = self.truth_constant(false);
                if !self.in_library() {
                    let text = format!("{} is not reached", self.text(span));
                    self.claim(ClaimKind::Unreachable, condition, text, span);
                }
                self.end_block(Terminator::Stop);
                return self.constant(0, nothing);
            }
            Builtin::AddOverflow | Builtin::SubtractOverflow | Builtin::MultiplyOverflow => {
                return self.checked_arithmetic(builtin, arguments, ty, span);
            }
            Builtin::AtomicLoad => return self.atomic_load(arguments, nothing, span),
            Builtin::AtomicStore => {
                if let [pointer, value] = *arguments {
                    let located = self.pointee(pointer);
                    let place = self.stabilise(located.place, span);
                    let value = self.value(value);
                    self.access(&Located { place, ..located }, Touch::Write, span);
                    self.assign(place, value, Origin::Written, span);
                }
                return self.constant(0, nothing);
            }
            Builtin::CopyRecord => {
                self.copy_record(arguments, span);
                return self.constant(0, nothing);
            }
            _ => {}
        }
        let values = self.values(arguments);
        let Some(mut x) = values.first().copied() else {
            return self.constant(0, nothing);
        };
        // Most of what follows names the operand many times.
        if builtin != Builtin::Expect && !matches!(self.program.expr(x).kind, P::Const(_) | P::Load(_)) {
            x = self.spill(x, span);
        }
        let from = self.tree.expr(arguments[0]).ty;
        let truth = match builtin {
            Builtin::IsNan => self.unary(UnaryOp::FIsNan, x),
            Builtin::IsInfinite => self.unary(UnaryOp::FIsInfinite, x),
            Builtin::IsFinite => {
                let (nan, infinite) = (self.unary(UnaryOp::FIsNan, x), self.unary(UnaryOp::FIsInfinite, x));
                let either = self.or(nan, infinite);
                self.not(either)
            }
            Builtin::SignBit => {
                let bits = self.program.expr(x).bits;
                self.bit(x, sign_bit(bits))
            }
            Builtin::Parity => self.parity(x),
            Builtin::IsNormal => {
                let (nan, normal) = (self.unary(UnaryOp::FIsNan, x), self.is_normal(x));
                let number = self.not(nan);
                self.and(number, normal)
            }
            Builtin::LessGreater => {
                let y = values[1];
                let (less, greater) = (self.binary(BinaryOp::FLt, x, y, ty), self.binary(BinaryOp::FLt, y, x, ty));
                self.or(less, greater)
            }
            Builtin::FloatClass => return self.float_class(x, &values[1..]),
            Builtin::CopySign => return self.copy_sign(x, values[1]),
            Builtin::InfiniteSign => return self.infinite_sign(x, ty),
            _ => return self.number(builtin, x, arguments, from, ty, span),
        };
        self.widen_truth(truth, nothing)
    }

    /// Built-ins that give a number.
    fn number(
        &mut self,
        builtin: Builtin,
        x: ExprId,
        arguments: &[tree::ExprId],
        from: TypeId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        match builtin {
            Builtin::FloatAbs => self.unary(UnaryOp::FAbs, x),
            Builtin::Abs => {
                self.claim_negation(x, arguments[0], ty, span);
                let zero = self.constant(0, ty);
                let negative = self.binary(BinaryOp::SLt, x, zero, ty);
                let minus = self.unary(UnaryOp::Neg, x);
                self.ite(negative, minus, x)
            }
            Builtin::ByteSwap => self.byte_swap(x, ty),
            Builtin::PopCount => self.pop_count(x, ty),
            Builtin::LeadingZeros | Builtin::TrailingZeros => {
                if !self.in_library() && self.options.checks.undefined_shift {
                    let condition = self.non_zero(x);
                    let text = format!("{} is not 0", self.words(arguments[0]));
                    self.claim(ClaimKind::Shift, condition, text, span);
                }
                let zeros = self.zeros(x, ty, builtin == Builtin::LeadingZeros);
                if self.in_library() || self.checks_at(span).undefined_shift {
                    return zeros;
                }
                let some = self.non_zero(x);
                let none = self.not(some);
                self.anything_if(none, zeros, ty, span)
            }
            // The bits that differ from the sign start with as many zeros as bits say the sign, and one is the sign itself.
            Builtin::RedundantSignBits => {
                let from = *self.program.expr(x);
                let distance = self.make(P::Const(u128::from(from.bits - 1)), from.bits, from.ty);
                let sign = self.binary(BinaryOp::AShr, x, distance, from.ty);
                let differs = self.binary(BinaryOp::Xor, x, sign, from.ty);
                let (zeros, one) = (self.zeros(differs, ty, true), self.constant(1, ty));
                self.binary(BinaryOp::Sub, zeros, one, ty)
            }
            Builtin::FindFirstSet => {
                let zeros = self.zeros(x, ty, false);
                let one = self.constant(1, ty);
                let first = self.binary(BinaryOp::Add, zeros, one, ty);
                let some = self.non_zero(x);
                let none = self.constant(0, ty);
                self.ite(some, first, none)
            }
            // Unknown: -1, or 0 for the kinds that ask for a lower bound.
            Builtin::ObjectSize => {
                let kind = arguments.get(1).map_or((0, 0), |k| self.range(*k)).0;
                self.constant(if kind & 2 == 0 { u128::MAX } else { 0 }, ty)
            }
            Builtin::Alloca => {
                let size = self.convert(x, from, self.basic.size);
                let site = self.site(self.call_text(span), self.basic.character, self.span(span), SiteKind::Allocation);
                let local = self.temporary(ty, span);
                let target = self.local_place(local);
                let storage = Storage::Stack;
                self.emit(StatementKind::Allocate { target, size, zeroed: false, storage, site }, span);
                self.load(target)
            }
            _ => self.convert(x, from, ty),
        }
    }

    /// The field of the exponent of a float, and the same with all bits set.
    fn exponent(&mut self, x: ExprId) -> (ExprId, ExprId) {
        let expr = *self.program.expr(x);
        let (exponent, fraction) = match expr.bits {
            32 => (8, 23),
            64 => (11, 52),
            _ => (15, 64),
        };
        let distance = self.make(P::Const(fraction), expr.bits, expr.ty);
        let shifted = self.binary(BinaryOp::LShr, x, distance, expr.ty);
        let field = self.resize(shifted, exponent, false, expr.ty);
        (field, self.make(P::Const((1 << exponent) - 1), exponent, expr.ty))
    }

    fn is_normal(&mut self, x: ExprId) -> ExprId {
        let ty = self.program.expr(x).ty;
        let (field, full) = self.exponent(x);
        let (some, open) = (self.non_zero(field), self.binary(BinaryOp::Ne, field, full, ty));
        self.and(some, open)
    }

    /// What to say of the number: of a NaN, an infinity, a normal number, a subnormal one, and zero.
    fn float_class(&mut self, x: ExprId, answers: &[ExprId]) -> ExprId {
        let [of_nan, of_infinity, of_normal, of_subnormal, of_zero] = *answers else { return x };
        let (nan, infinite) = (self.unary(UnaryOp::FIsNan, x), self.unary(UnaryOp::FIsInfinite, x));
        let normal = self.is_normal(x);
        let expr = *self.program.expr(x);
        let zero = self.make(P::Const(0), expr.bits, expr.ty);
        let is_zero = self.binary(BinaryOp::FEq, x, zero, expr.ty);
        let small = self.ite(is_zero, of_zero, of_subnormal);
        let finite = self.ite(normal, of_normal, small);
        let number = self.ite(infinite, of_infinity, finite);
        self.ite(nan, of_nan, number)
    }

    /// Copies a record of variable length.
    fn copy_record(&mut self, arguments: &[tree::ExprId], span: Span) {
        let [target, source, size] = *self.values(arguments) else { return };
        if self.options.checks.pointer {
            for (pointer, touch, of) in [(source, Touch::Read, 1), (target, Touch::Write, 0)] {
                let text = format!("{} lies in valid memory", self.words(arguments[of]));
                self.claim_valid(pointer, size, touch, ClaimKind::PointerDereference, text, span);
            }
        }
        self.refuse_stray_bytes(&[(target, Touch::Write), (source, Touch::Read)], size, span);
        self.emit(StatementKind::CopyBytes { target, source, size }, span);
    }

    fn copy_sign(&mut self, x: ExprId, y: ExprId) -> ExprId {
        let expr = *self.program.expr(x);
        let sign = self.make(P::Const(1 << sign_bit(expr.bits)), expr.bits, expr.ty);
        let (size, sign) = (self.unary(UnaryOp::FAbs, x), self.binary(BinaryOp::And, y, sign, expr.ty));
        self.binary(BinaryOp::Or, size, sign, expr.ty)
    }

    /// -1 for one infinity, 1 for the other, 0 for other numbers.
    fn infinite_sign(&mut self, x: ExprId, ty: TypeId) -> ExprId {
        let infinite = self.unary(UnaryOp::FIsInfinite, x);
        let bits = self.program.expr(x).bits;
        let negative = self.bit(x, sign_bit(bits));
        let (minus, plus, none) = (self.constant(u128::MAX, ty), self.constant(1, ty), self.constant(0, ty));
        let sign = self.ite(negative, minus, plus);
        self.ite(infinite, sign, none)
    }

    /// One bit of a number.
    fn bit(&mut self, x: ExprId, at: u32) -> ExprId {
        let expr = *self.program.expr(x);
        let distance = self.make(P::Const(u128::from(at)), expr.bits, expr.ty);
        let shifted = self.binary(BinaryOp::LShr, x, distance, expr.ty);
        self.resize(shifted, 1, false, self.basic.truth)
    }

    fn parity(&mut self, x: ExprId) -> ExprId {
        let expr = *self.program.expr(x);
        let (mut folded, mut half) = (x, expr.bits.next_power_of_two() / 2);
        while half > 0 {
            let distance = self.make(P::Const(u128::from(half)), expr.bits, expr.ty);
            let shifted = self.binary(BinaryOp::LShr, folded, distance, expr.ty);
            folded = self.binary(BinaryOp::Xor, folded, shifted, expr.ty);
            half /= 2;
        }
        self.resize(folded, 1, false, self.basic.truth)
    }

    /// Counts in parallel: sums of neighbouring groups of 1, 2, 4 … bits.
    fn pop_count(&mut self, x: ExprId, ty: TypeId) -> ExprId {
        let expr = *self.program.expr(x);
        let (mut sum, mut group) = (x, 1);
        while group < expr.bits {
            let ones = (0..expr.bits).filter(|bit| bit / group % 2 == 0).fold(0u128, |m, bit| m | 1 << bit);
            let pattern = self.make(P::Const(ones), expr.bits, expr.ty);
            let distance = self.make(P::Const(u128::from(group)), expr.bits, expr.ty);
            let low = self.binary(BinaryOp::And, sum, pattern, expr.ty);
            let shifted = self.binary(BinaryOp::LShr, sum, distance, expr.ty);
            let high = self.binary(BinaryOp::And, shifted, pattern, expr.ty);
            sum = self.binary(BinaryOp::Add, low, high, expr.ty);
            group *= 2;
        }
        let bits = self.bits_of(ty);
        self.resize(sum, bits, false, ty)
    }

    /// Zeros before the first one from the top or from the bottom; the width for 0.
    fn zeros(&mut self, x: ExprId, ty: TypeId, leading: bool) -> ExprId {
        let bits = self.program.expr(x).bits;
        let mut result = self.constant(u128::from(bits), ty);
        for count in (0..bits).rev() {
            let bit = self.bit(x, if leading { bits - 1 - count } else { count });
            let here = self.constant(u128::from(count), ty);
            result = self.ite(bit, here, result);
        }
        result
    }

    fn byte_swap(&mut self, x: ExprId, ty: TypeId) -> ExprId {
        let expr = *self.program.expr(x);
        let bytes = expr.bits / 8;
        let byte_mask = self.make(P::Const(0xff), expr.bits, expr.ty);
        let mut result = self.make(P::Const(0), expr.bits, expr.ty);
        for byte in 0..bytes {
            let down = self.make(P::Const(u128::from(8 * byte)), expr.bits, expr.ty);
            let up = self.make(P::Const(u128::from(8 * (bytes - 1 - byte))), expr.bits, expr.ty);
            let shifted = self.binary(BinaryOp::LShr, x, down, expr.ty);
            let one = self.binary(BinaryOp::And, shifted, byte_mask, expr.ty);
            let placed = self.binary(BinaryOp::Shl, one, up, expr.ty);
            result = self.binary(BinaryOp::Or, result, placed, expr.ty);
        }
        let bits = self.bits_of(ty);
        self.resize(result, bits, false, ty)
    }

    /// `__builtin_add_overflow(a, b, &r)`: exact arithmetic at a width that holds every result. `__builtin_add_overflow_p(a, b, r)`
    /// only asks whether the type of `r` holds it.
    fn checked_arithmetic(&mut self, builtin: Builtin, arguments: &[tree::ExprId], ty: TypeId, span: Span) -> ExprId {
        let [a, b, pointer] = *arguments else { return self.constant(0, ty) };
        let (x, y) = self.pair(a, b);
        let (x, y) = (self.spill(x, span), self.spill(y, span));
        let stores = self.is_pointer(self.tree.expr(pointer).ty);
        let located = stores.then(|| self.pointee(pointer));
        let to = match &located {
            Some(located) => self.program.place(located.place).ty,
            None => {
                let kind = &self.tree.expr(self.written(pointer)).kind;
                if matches!(kind, ExprKind::Load(lvalue) if self.bit_field_range(*lvalue).is_some()) {
                    self.unsupported("__builtin_add_overflow_p and its kin for a bit-field", span);
                }
                self.effect(pointer);
                self.tree.expr(pointer).ty
            }
        };
        let (x_type, y_type) = (self.tree.expr(a).ty, self.tree.expr(b).ty);
        let widest = self.bits_of(x_type).max(self.bits_of(y_type)).max(self.bits_of(to));
        if widest > 64 && (x_type != to || y_type != to) {
            self.unsupported("checked arithmetic on numbers of 128 bits and others", span);
            return self.constant(0, ty);
        }
        let (result, lost) = match widest {
            0..=64 => self.exactly(builtin, (x, x_type), (y, y_type), to),
            _ => {
                let (op, overflows) = checked(builtin, self.is_signed(to));
                (self.binary(op, x, y, to), self.binary(overflows, x, y, to))
            }
        };
        let lost = self.spill(lost, span);
        if let Some(located) = located {
            self.access(&located, Touch::Write, span);
            self.assign(located.place, result, Origin::Written, span);
        }
        self.widen_truth(lost, ty)
    }

    /// What comes out in a type, and whether that is not the exact result: of numbers that have up to 64 bits.
    fn exactly(
        &mut self,
        builtin: Builtin,
        (x, x_type): (ExprId, TypeId),
        (y, y_type): (ExprId, TypeId),
        to: TypeId,
    ) -> (ExprId, ExprId) {
        let widest = self.bits_of(x_type).max(self.bits_of(y_type)).max(self.bits_of(to));
        let wide = (2 * widest + 2).min(128);
        let (x_sign, y_sign) = (self.is_signed(x_type), self.is_signed(y_type));
        let exact_type = self.basic.int;
        let x = self.resize(x, wide, x_sign, exact_type);
        let y = self.resize(y, wide, y_sign, exact_type);
        let (op, overflows) = checked(builtin, true);
        let exact = self.binary(op, x, y, exact_type);
        let (bits, sign) = (self.bits_of(to), self.is_signed(to));
        let result = self.resize(exact, bits, sign, to);
        let back = self.resize(result, wide, sign, exact_type);
        let changed = self.binary(BinaryOp::Ne, back, exact, exact_type);
        // Two unsigned numbers of 64 bits: their product needs all 128, read as signed it may overflow once more.
        let beyond = self.binary(overflows, x, y, exact_type);
        (result, self.or(changed, beyond))
    }

    fn atomic_load(&mut self, arguments: &[tree::ExprId], ty: TypeId, span: Span) -> ExprId {
        let Some(pointer) = arguments.first().copied() else { return self.constant(0, ty) };
        let located = self.pointee(pointer);
        self.access(&located, Touch::Read, span);
        let value = self.load(located.place);
        let from = self.program.place(located.place).ty;
        self.convert(value, from, ty)
    }
}

/// The operator of checked arithmetic, and whether it leaves the type.
fn checked(builtin: Builtin, signed: bool) -> (BinaryOp, BinaryOp) {
    match (builtin, signed) {
        (Builtin::AddOverflow, true) => (BinaryOp::Add, BinaryOp::SAddOverflows),
        (Builtin::AddOverflow, false) => (BinaryOp::Add, BinaryOp::UAddOverflows),
        (Builtin::SubtractOverflow, true) => (BinaryOp::Sub, BinaryOp::SSubOverflows),
        (Builtin::SubtractOverflow, false) => (BinaryOp::Sub, BinaryOp::USubOverflows),
        (_, true) => (BinaryOp::Mul, BinaryOp::SMulOverflows),
        (_, false) => (BinaryOp::Mul, BinaryOp::UMulOverflows),
    }
}
