//! Claims: the checks that C asks for, in the user's words, and their numbers.

use std::collections::{HashMap, HashSet};

use super::{Lowering, tree};
use crate::c::tree::Binary;
use crate::c::{Checks, versions};
use crate::extended;
use crate::program::{
    Author, BinaryOp, Claim, ClaimId, ClaimKind, ExprId, FunctionId, MemoryQuestion, Program, StatementKind, Type,
    TypeId, UnaryOp,
};
use crate::source::Span;

/// An arithmetic operation as the claims about it see it.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic {
    pub(super) op: Binary,
    /// Type of the left operand, in which it is computed.
    pub(super) ty: TypeId,
    pub(super) left: ExprId,
    pub(super) right: ExprId,
    pub(super) left_range: (i128, i128),
    pub(super) right_range: (i128, i128),
    /// The right operand in the text.
    pub(super) right_expr: tree::ExprId,
    /// The operation in the text.
    pub(super) span: Span,
}

impl Lowering<'_> {
    /// A claim that is not yet made anywhere.
    pub(super) fn new_claim(&mut self, kind: ClaimKind, text: String, span: Span) -> ClaimId {
        let id = ClaimId(self.program.claims.len() as u32);
        let (span, function) = (self.span(span), self.f.owner.clone());
        self.program.claims.push(Claim { id: String::new(), kind, text, span, function });
        id
    }

    /// The checks that are made at a place: those that were asked for, as pragmas change them.
    pub(super) fn checks_at(&self, span: Span) -> Checks {
        let span = self.span(span);
        let before = self.tree.switches.iter().filter(|(at, _)| at.file == span.file && at.start <= span.start);
        before.max_by_key(|(at, _)| at.start).map_or(self.asked, |(_, checks)| *checks)
    }

    /// Whether a pragma says that no such claim is made there.
    pub(super) fn is_silenced(&self, kind: ClaimKind, span: Span) -> bool {
        let checks = self.checks_at(span);
        !self.tree.switches.is_empty()
            && !match kind {
                ClaimKind::ArrayBounds => checks.bounds,
                ClaimKind::PointerDereference | ClaimKind::PointerRelation => checks.pointer,
                ClaimKind::DivisionByZero => checks.div_by_zero,
                ClaimKind::FloatDivision => checks.float_div_by_zero,
                ClaimKind::Overflow => checks.signed_overflow,
                ClaimKind::Wraparound => checks.unsigned_overflow,
                ClaimKind::Shift => checks.undefined_shift,
                ClaimKind::Conversion | ClaimKind::Narrowing => checks.conversion,
                ClaimKind::PointerArithmetic => checks.pointer_overflow,
                ClaimKind::PointerPrimitive => checks.pointer_primitive,
                ClaimKind::FloatOverflow => checks.float_overflow,
                ClaimKind::Nan => checks.nan,
                ClaimKind::EnumRange => checks.enum_range,
                _ => true,
            }
    }

    /// Whether results of integer arithmetic of this type must fit, at a place.
    fn must_fit(&self, ty: TypeId, span: Span) -> bool {
        let checks = self.checks_at(span);
        if self.is_signed(ty) { checks.signed_overflow } else { checks.unsigned_overflow }
    }

    /// Claims a condition, unless it holds by itself.
    pub(super) fn claim(&mut self, kind: ClaimKind, condition: ExprId, text: String, span: Span) {
        if self.as_constant(condition) == Some(1) || self.is_silenced(kind, span) {
            return;
        }
        let claim = self.new_claim(kind, text, span);
        self.emit(StatementKind::Claim { claim, condition, part: false }, span);
    }

    /// The claims of an operator with two operands, before it is computed.
    pub(super) fn claim_arithmetic(&mut self, a: &Arithmetic) {
        if self.in_library() || !self.binary_is_checked(a.op, a.ty, a.left_range, a.right_range) {
            return;
        }
        if self.is_float(a.ty) {
            return self.claim_float(a);
        }
        match a.op {
            Binary::Add | Binary::Subtract | Binary::Multiply => self.claim_no_overflow(a),
            Binary::Divide | Binary::Remainder => self.claim_division(a),
            Binary::ShiftLeft | Binary::ShiftRight => self.claim_shift(a),
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                self.claim_ordered(a);
            }
            Binary::And | Binary::Or | Binary::Xor | Binary::Equal | Binary::NotEqual => {}
        }
    }

    fn claim_no_overflow(&mut self, a: &Arithmetic) {
        if !self.must_fit(a.ty, a.span) {
            return;
        }
        let question = match (a.op, self.is_signed(a.ty)) {
            (Binary::Add, true) => BinaryOp::SAddOverflows,
            (Binary::Subtract, true) => BinaryOp::SSubOverflows,
            (_, true) => BinaryOp::SMulOverflows,
            (Binary::Add, false) => BinaryOp::UAddOverflows,
            (Binary::Subtract, false) => BinaryOp::USubOverflows,
            (_, false) => BinaryOp::UMulOverflows,
        };
        let overflows = self.binary(question, a.left, a.right, a.ty);
        let condition = self.not(overflows);
        let text = format!("no overflow in {}", self.text(a.span));
        self.claim(self.overflow(a.ty), condition, text, a.span);
    }

    /// The kind of claim that results of this type fit.
    fn overflow(&self, ty: TypeId) -> ClaimKind {
        if self.is_signed(ty) { ClaimKind::Overflow } else { ClaimKind::Wraparound }
    }

    /// With `--float-div-by-zero-check`, `--float-overflow-check` and `--nan-check`.
    fn claim_float(&mut self, a: &Arithmetic) {
        let checks = self.checks_at(a.span);
        if a.op == Binary::Divide && checks.float_div_by_zero {
            let zero = self.constant(0, a.ty);
            let is_zero = self.binary(BinaryOp::FEq, a.right, zero, a.ty);
            let condition = self.not(is_zero);
            let text = format!("divisor {} is not 0", self.words(a.right_expr));
            self.claim(ClaimKind::FloatDivision, condition, text, a.span);
        }
        let op = match a.op {
            Binary::Add => BinaryOp::FAdd,
            Binary::Subtract => BinaryOp::FSub,
            Binary::Multiply => BinaryOp::FMul,
            _ => BinaryOp::FDiv,
        };
        let result = self.binary(op, a.left, a.right, a.ty);
        if checks.nan {
            let [result, left, right] = [result, a.left, a.right].map(|x| self.unary(UnaryOp::FIsNan, x));
            let before = self.or(left, right);
            let is_number = self.not(result);
            let condition = self.or(before, is_number);
            let text = format!("{} is a number", self.text(a.span));
            self.claim(ClaimKind::Nan, condition, text, a.span);
        }
        // By an infinity nothing is made infinite.
        let operands: &[ExprId] = if a.op == Binary::Divide { &[a.left] } else { &[a.left, a.right] };
        if checks.float_overflow {
            self.claim_no_infinity(operands, result, a.span);
        }
    }

    /// The claim that a result is infinite only if an operand is.
    fn claim_no_infinity(&mut self, operands: &[ExprId], result: ExprId, span: Span) {
        let infinite = self.unary(UnaryOp::FIsInfinite, result);
        let finite = self.not(infinite);
        let condition = operands.iter().fold(finite, |so_far, operand| {
            let infinite = self.unary(UnaryOp::FIsInfinite, *operand);
            self.or(so_far, infinite)
        });
        let text = format!("no overflow in {}", self.text(span));
        self.claim(ClaimKind::FloatOverflow, condition, text, span);
    }

    pub(super) fn is_enumeration(&self, ty: TypeId) -> bool {
        matches!(self.program.ty(ty), Type::Enum { .. })
    }

    /// Whether a number is one that its enumeration names; None if it is of another type.
    pub(super) fn is_enumerator(&mut self, x: ExprId, ty: TypeId) -> Option<ExprId> {
        let Type::Enum { members, .. } = self.program.ty(ty) else { return None };
        let numbers: Vec<i128> = members.iter().map(|(_, number)| *number).collect();
        let none = self.truth_constant(false);
        Some(numbers.into_iter().fold(none, |any, number| {
            let number = self.constant(number as u128, ty);
            let same = self.binary(BinaryOp::Eq, x, number, ty);
            self.or(any, same)
        }))
    }

    /// With `--enum-range-check`: what is read, or made an enumeration, is one of its named values.
    pub(super) fn claim_enumerator(&mut self, x: ExprId, ty: TypeId, span: Span) {
        if !self.options.checks.enum_range || self.in_library() {
            return;
        }
        if let Some(condition) = self.is_enumerator(x, ty) {
            let text = format!("{} is a named value of {}", self.text(span), self.program.type_name(ty));
            self.claim(ClaimKind::EnumRange, condition, text, span);
        }
    }

    /// With `--pointer-overflow-check`: a pointer that is computed points into its object, or just behind it.
    pub(super) fn claim_pointer(&mut self, pointer: ExprId, span: Span) {
        if self.options.checks.pointer_overflow && !self.in_library() {
            let size = self.size_constant(0);
            let condition = self.memory(MemoryQuestion::Valid { pointer, size, write: false });
            let text = format!("{} stays within its object", self.text(span));
            self.claim(ClaimKind::PointerArithmetic, condition, text, span);
        }
    }

    fn claim_division(&mut self, a: &Arithmetic) {
        if self.checks_at(a.span).div_by_zero && a.right_range.0 <= 0 && a.right_range.1 >= 0 {
            let zero = self.constant(0, a.ty);
            let condition = self.binary(BinaryOp::Ne, a.right, zero, a.ty);
            let text = format!("divisor {} is not 0", self.words(a.right_expr));
            self.claim(ClaimKind::DivisionByZero, condition, text, a.span);
        }
        if self.must_fit(a.ty, a.span) && self.may_overflow_division(a.ty, a.left_range, a.right_range) {
            let condition = self.quotient_fits(a);
            let text = format!("no overflow in {}", self.text(a.span));
            self.claim(ClaimKind::Overflow, condition, text, a.span);
        }
    }

    /// Only the smallest number by -1 gives one that does not fit.
    pub(super) fn quotient_fits(&mut self, a: &Arithmetic) -> ExprId {
        let lowest = self.type_range(a.ty).0;
        let (lowest, minus_one) = (self.constant(lowest as u128, a.ty), self.constant(u128::MAX, a.ty));
        let left = self.binary(BinaryOp::Ne, a.left, lowest, a.ty);
        let right = self.binary(BinaryOp::Ne, a.right, minus_one, a.ty);
        self.or(left, right)
    }

    /// Whether the distance of a shift is within the width. A negative one is huge when read as unsigned.
    pub(super) fn distance_fits(&mut self, a: &Arithmetic) -> ExprId {
        let (ty, bits) = (self.program.expr(a.right).ty, self.program.expr(a.right).bits);
        let width = u128::from(self.bits_of(a.ty));
        let limit = self.make(crate::program::ExprKind::Const(width), bits, ty);
        self.binary(BinaryOp::ULt, a.right, limit, self.basic.truth)
    }

    /// C17 6.5.7: the distance is within the width (`--undefined-shift-check`); what a signed left shift shifts is not negative, and
    /// still fits (`--signed-overflow-check`). Where both are asked for it is one claim.
    fn claim_shift(&mut self, a: &Arithmetic) {
        let width = self.bits_of(a.ty);
        let within = self.distance_fits(a);
        let (distance, shift) = (self.words(a.right_expr), self.text(a.span));
        let range = format!("shift distance {distance} is within 0..{}", width - 1);
        if a.op == Binary::ShiftRight || !self.is_signed(a.ty) {
            self.claim(ClaimKind::Shift, within, range, a.span);
            return;
        }
        let by = self.resize(a.right, width, false, a.ty);
        let shifted = self.binary(BinaryOp::Shl, a.left, by, a.ty);
        let back = self.binary(BinaryOp::AShr, shifted, by, a.ty);
        let fits = self.binary(BinaryOp::Eq, back, a.left, a.ty);
        let checks = self.checks_at(a.span);
        if !checks.undefined_shift && !checks.signed_overflow {
            return;
        }
        if !checks.undefined_shift {
            let beyond = self.not(within);
            let condition = self.or(beyond, fits);
            return self.claim(ClaimKind::Overflow, condition, format!("no overflow in {shift}"), a.span);
        }
        let zero = self.constant(0, a.ty);
        let mut condition = self.binary(BinaryOp::SLe, zero, a.left, a.ty);
        condition = self.and(within, condition);
        if !checks.signed_overflow {
            let text = format!("{range} and what is shifted is not negative");
            return self.claim(ClaimKind::Shift, condition, text, a.span);
        }
        condition = self.and(condition, fits);
        let ty = self.program.type_name(a.ty);
        let text = match (self.as_constant(within) == Some(1), a.left_range.0 >= 0) {
            (true, true) => format!("{shift} fits in {ty}"),
            (true, false) => format!("what is shifted is not negative and {shift} fits in {ty}"),
            (false, true) => format!("{range} and {shift} fits in {ty}"),
            (false, false) => format!("{range}, what is shifted is not negative and {shift} fits in {ty}"),
        };
        self.claim(ClaimKind::Shift, condition, text, a.span);
    }

    /// `-x` of the smallest number does not fit.
    pub(super) fn claim_negation(&mut self, x: ExprId, operand: tree::ExprId, ty: TypeId, span: Span) {
        let lowest = self.type_range(ty).0;
        if !self.negation_is_checked(operand, ty) || self.in_library() || !self.must_fit(ty, span) {
            return;
        }
        let (op, number) = if self.is_signed(ty) { (BinaryOp::Ne, lowest) } else { (BinaryOp::Eq, 0) };
        let number = self.constant(number as u128, ty);
        let condition = self.binary(op, x, number, ty);
        let text = format!("no overflow in {}", self.text(span));
        self.claim(self.overflow(ty), condition, text, span);
    }

    /// Pointers are ordered within one object that is there, and just behind it.
    fn claim_ordered(&mut self, a: &Arithmetic) {
        let size = self.size_constant(0);
        let mut condition = self.memory(MemoryQuestion::SameObject(a.left, a.right));
        for pointer in [a.left, a.right] {
            let inside = self.memory(MemoryQuestion::Valid { pointer, size, write: false });
            condition = self.and(condition, inside);
        }
        let text = format!("both pointers of {} point into the same object, or just behind it", self.text(a.span));
        self.claim(ClaimKind::PointerRelation, condition, text, a.span);
    }

    /// Pointers are subtracted within one object only.
    pub(super) fn claim_same_object(&mut self, a: ExprId, b: ExprId, span: Span) {
        if self.options.checks.pointer && !self.in_library() {
            let condition = self.memory(MemoryQuestion::SameObject(a, b));
            let text = format!("both pointers of {} point into the same object", self.text(span));
            self.claim(ClaimKind::PointerRelation, condition, text, span);
        }
    }

    /// The bounds that a value must be checked against to survive a conversion: None where it cannot change.
    pub(super) fn conversion_bounds(&self, operand: tree::ExprId, to: TypeId) -> Option<(Option<i128>, Option<i128>)> {
        self.bounds_between(self.tree.expr(operand).ty, self.range(operand), to)
    }

    fn bounds_between(
        &self,
        from: TypeId,
        (low, high): (i128, i128),
        to: TypeId,
    ) -> Option<(Option<i128>, Option<i128>)> {
        let integers = self.is_integer(from) && self.is_integer(to);
        if !integers || matches!(self.program.ty(to), crate::program::Type::Bool) {
            return None;
        }
        let (least, most) = self.type_range(to);
        let bounds = ((low < least).then_some(least), (high > most).then_some(most));
        (bounds != (None, None)).then_some(bounds)
    }

    /// Is a number with a fraction made an integer? Where that does not fit, C says nothing of what comes out, also if it is
    /// asked for.
    pub(super) fn drops_fraction(&self, from: TypeId, to: TypeId) -> bool {
        self.is_float(from) && self.is_integer(to) && !matches!(self.program.ty(to), Type::Bool)
    }

    /// The claim that what is left of a number without its fraction fits.
    fn claim_whole_part(&mut self, x: ExprId, from: TypeId, to: TypeId, what: &str, span: Span) {
        let (least, most) = self.type_range(to);
        let (mantissa, bits): (u32, fn(f64) -> u128) = match self.program.size_bits(from) {
            32 => (24, |number| u128::from((number as f32).to_bits())),
            64 => (53, |number| u128::from(number.to_bits())),
            _ => (64, extended::from_double),
        };
        // Below the least number come its fractions, if there are any.
        let has_fractions = least > -(1 << (mantissa - 1));
        let low = self.constant(bits(if has_fractions { least - 1 } else { least } as f64), from);
        let high = self.constant(bits((most + 1) as f64), from);
        let above = self.binary(if has_fractions { BinaryOp::FLt } else { BinaryOp::FLe }, low, x, from);
        let below = self.binary(BinaryOp::FLt, x, high, from);
        let condition = self.and(above, below);
        let text = format!("{what} fits in {}", self.program.type_name(to));
        self.claim(ClaimKind::Conversion, condition, text, span);
    }

    /// With `--conversion-check`: a conversion keeps the value, and that of a number with a fraction its whole part.
    pub(super) fn claim_conversion(&mut self, x: ExprId, operand: tree::ExprId, to: TypeId, span: Span) {
        let (from, range, what) = (self.tree.expr(operand).ty, self.range(operand), self.words(operand));
        self.claim_kept(x, (from, range), to, &what, span);
    }

    /// The same of what `+=` and its kin, and `++` and `--` of signed numbers compute, before it is made as narrow as what it is assigned to.
    pub(super) fn claim_assigned(&mut self, x: ExprId, from: TypeId, to: TypeId, span: Span) {
        let what = self.text(span);
        self.claim_kept(x, (from, self.type_range(from)), to, &what, span);
    }

    fn claim_kept(&mut self, x: ExprId, (from, range): (TypeId, (i128, i128)), to: TypeId, what: &str, span: Span) {
        if !self.options.checks.conversion || self.in_library() {
            return;
        }
        if self.drops_fraction(from, to) {
            return self.claim_whole_part(x, from, to, what, span);
        }
        let Some((least, most)) = self.bounds_between(from, range, to) else { return };
        let less = if self.is_signed(from) { BinaryOp::SLe } else { BinaryOp::ULe };
        let mut condition = self.truth_constant(true);
        if let Some(least) = least {
            let least = self.constant(least as u128, from);
            let above = self.binary(less, least, x, from);
            condition = self.and(condition, above);
        }
        if let Some(most) = most {
            let most = self.constant(most as u128, from);
            let below = self.binary(less, x, most, from);
            condition = self.and(condition, below);
        }
        let text = format!("{what} fits in {}", self.program.type_name(to));
        self.claim(ClaimKind::Narrowing, condition, text, span);
    }

    /// Whether the function under work compares versions.
    pub(super) fn compares(&self) -> bool {
        let name = &self.program.function(self.f.id).name;
        self.options.reference.is_some() && (name == versions::COMPARE || name.starts_with(versions::NEXT))
    }

    /// What the reference checks is assumed, and what is checked where it is compared with it is nothing but that.
    pub(super) fn trust_reference(&mut self) {
        let start = self.program.start;
        let is_trusted = |program: &Program, id: usize| {
            program.functions[id].author == Author::Harness && FunctionId(id as u32) != start
        };
        let count = self.program.functions.len();
        let name = |id: usize| self.program.functions[id].name.clone();
        // What a model checks where the versions are compared stands there, too.
        let place = self.program.function(self.program.entry).span;
        let trusted: HashSet<String> = (0..count).filter(|id| is_trusted(&self.program, *id)).map(name).collect();
        for id in 0..count {
            let whole = is_trusted(&self.program, id);
            for statement in self.program.functions[id].blocks.iter_mut().flat_map(|block| &mut block.statements) {
                let StatementKind::Claim { claim, condition, .. } = statement.kind else { continue };
                let of = &self.program.claims[claim.index()];
                let of_reference = whole || of.span == place || trusted.contains(&of.function);
                if of_reference && !self.compared.contains(&claim) {
                    statement.kind = StatementKind::Assume { condition };
                }
            }
        }
        self.forget_claims();
        let entry = self.program.function(self.program.entry).name.clone();
        for function in self.program.functions.iter_mut().filter(|of| of.name == versions::COMPARE) {
            function.name.clone_from(&entry);
        }
        // They stand at one place, and are told apart there.
        let mut compared: Vec<ClaimId> = self.compared.iter().copied().collect();
        compared.sort();
        for (claim, number) in compared.into_iter().zip(1..) {
            self.program.claims[claim.index()].span.part = number;
        }
    }

    /// Leaves out claims that are made nowhere.
    fn forget_claims(&mut self) {
        let statements = || self.program.functions.iter().flat_map(|of| &of.blocks).flat_map(|block| &block.statements);
        let made: HashSet<ClaimId> = statements()
            .filter_map(|statement| match statement.kind {
                StatementKind::Claim { claim, .. } => Some(claim),
                _ => None,
            })
            .collect();
        let mut kept = Vec::new();
        let mut renamed = vec![None; self.program.claims.len()];
        for (at, claim) in std::mem::take(&mut self.program.claims).into_iter().enumerate() {
            if made.contains(&ClaimId(at as u32)) {
                renamed[at] = Some(ClaimId(kept.len() as u32));
                kept.push(claim);
            }
        }
        self.program.claims = kept;
        self.compared = self.compared.iter().filter_map(|claim| renamed[claim.index()]).collect();
        for block in self.program.functions.iter_mut().flat_map(|of| &mut of.blocks) {
            for statement in &mut block.statements {
                if let StatementKind::Claim { claim, .. } = &mut statement.kind
                    && let Some(new) = renamed[claim.index()]
                {
                    *claim = new;
                }
            }
        }
    }

    /// Puts all claims into the order of the text and names them `function.kind.number`.
    pub(super) fn number_claims(&mut self) {
        let mut order: Vec<usize> = (0..self.program.claims.len()).collect();
        order.sort_by_key(|at| {
            let span = self.program.claims[*at].span;
            (span.file, span.start, *at)
        });
        let mut numbers: HashMap<(String, &str), u32> = HashMap::new();
        let mut renamed = vec![ClaimId(0); order.len()];
        let mut sorted = Vec::with_capacity(order.len());
        for (new, old) in order.into_iter().enumerate() {
            renamed[old] = ClaimId(new as u32);
            let mut claim = self.program.claims[old].clone();
            let word = if self.compared.contains(&ClaimId(old as u32)) { versions::WORD } else { claim.kind.name() };
            let number = numbers.entry((claim.function.clone(), word)).or_insert(0);
            *number += 1;
            claim.id = format!("{}.{word}.{number}", claim.function);
            sorted.push(claim);
        }
        self.program.claims = sorted;
        for block in self.program.functions.iter_mut().flat_map(|f| &mut f.blocks) {
            for statement in &mut block.statements {
                if let StatementKind::Claim { claim, .. } = &mut statement.kind {
                    *claim = renamed[claim.index()];
                }
            }
        }
    }
}
