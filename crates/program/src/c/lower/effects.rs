//! What an expression of the tree does besides having a value: effects, claims, and how large it can get.
//!
//! `&&`, `||` and `?:` are terms exactly if what they may skip has neither.

use std::collections::HashSet;

use super::stray::Operands;
use super::{Lowering, tree};
use crate::c::tree::{Binary, Builtin, ExprKind, ObjectKind, Tree, Unary};
use crate::program::{self, Base, ExprId, Projection, Type, TypeId};
use crate::source::Span;
use nearmiss_logic::width::{low_bits, sign_extend};

/// Not looked at yet.
pub(super) const UNKNOWN: u8 = 0xff;
/// Something is assigned, called, declared or read from outside.
pub(super) const EFFECT: u8 = 1;
/// Something is claimed.
pub(super) const CLAIM: u8 = 2;

/// The variables that an expression reads. Terms share parts, so that each is looked at once.
#[derive(Default)]
struct Roots {
    objects: Vec<tree::ObjectId>,
    seen: HashSet<ExprId>,
}

/// Variables whose address some expression takes.
pub(super) fn exposed_objects(tree: &Tree) -> Vec<bool> {
    let mut exposed = vec![false; tree.objects.len()];
    for expr in &tree.exprs {
        let mut at = match expr.kind {
            ExprKind::AddressOf(lvalue) => lvalue,
            ExprKind::ObjectAddress(object, _) => {
                exposed[object.0 as usize] = true;
                continue;
            }
            _ => continue,
        };
        loop {
            match tree.expr(at).kind {
                ExprKind::Member { base, .. } => at = base,
                ExprKind::Element { array, .. } => at = array,
                ExprKind::Object(object) => {
                    exposed[object.0 as usize] = true;
                    break;
                }
                _ => break,
            }
        }
    }
    exposed
}

impl Lowering<'_> {
    /// Whether evaluating it does anything that must not be skipped or repeated.
    pub(super) fn needs_flow(&mut self, e: tree::ExprId) -> bool {
        let flags = self.flags(e);
        flags & EFFECT != 0 || (flags & CLAIM != 0 && !self.in_library())
    }

    pub(super) fn has_effect(&mut self, e: tree::ExprId) -> bool {
        self.flags(e) & EFFECT != 0
    }

    /// Whether evaluating it makes claims, and does nothing else.
    pub(super) fn only_claims(&mut self, e: tree::ExprId) -> bool {
        self.flags(e) == CLAIM
    }

    fn flags(&mut self, e: tree::ExprId) -> u8 {
        let known = self.flags[e.0 as usize];
        if known != UNKNOWN {
            return known;
        }
        let flags = self.compute_flags(e);
        self.flags[e.0 as usize] = flags;
        flags
    }

    fn compute_flags(&mut self, e: tree::ExprId) -> u8 {
        let tree = self.tree;
        let expr = tree.expr(e);
        let checks = self.options.checks;
        let claim = |made: bool| if made { CLAIM } else { 0 };
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::ObjectAddress(..) | ExprKind::FunctionAddress(_) => 0,
            ExprKind::Object(object) => match tree.object(*object).kind {
                ObjectKind::CompoundLiteral | ObjectKind::Temporary => EFFECT,
                _ => 0,
            },
            ExprKind::Member { base, .. } => self.flags(*base),
            ExprKind::Element { array, index } => {
                let checked = checks.bounds && !self.index_is_safe(*array, *index);
                self.flags(*array) | self.flags(*index) | claim(checked)
            }
            ExprKind::Deref(pointer) => match self.indexed_array(*pointer) {
                Some((array, index)) => {
                    let checked = checks.bounds && !index.is_some_and(|i| self.index_is_safe(array, i));
                    self.flags(array) | index.map_or(0, |i| self.flags(i)) | claim(checked && index.is_some())
                }
                None => self.flags(*pointer),
            },
            ExprKind::Load(lvalue) => self.load_flags(*lvalue, expr.ty),
            ExprKind::AddressOf(lvalue) => self.flags(*lvalue),
            ExprKind::Call { callee, arguments } => self.call_flags(e, *callee, arguments),
            ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Step { .. }
            | ExprKind::StatementExpr(_)
            | ExprKind::Unsupported(_) => EFFECT,
            ExprKind::Unary(op, x) => {
                let checked = *op == Unary::Minus && self.negation_is_checked(*x, expr.ty);
                self.flags(*x) | claim(checked)
            }
            ExprKind::Binary(op, a, b) => self.binary_flags(*op, *a, *b, expr.span),
            ExprKind::PointerAdd { pointer, index, .. } => {
                self.flags(*pointer) | self.flags(*index) | claim(checks.pointer_overflow)
            }
            ExprKind::PointerDifference(a, b) => {
                let free = if self.guarded_by(expr.span).pointer { 0 } else { EFFECT };
                self.flags(*a) | self.flags(*b) | claim(checks.pointer) | free
            }
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) | ExprKind::Comma(a, b) => {
                self.flags(*a) | self.flags(*b)
            }
            ExprKind::LogicalNot(x) => self.flags(*x),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.flags(*condition) | then.map_or(0, |t| self.flags(t)) | self.flags(*otherwise)
            }
            ExprKind::Convert { operand, .. } => self.flags(*operand) | claim(self.conversion_is_checked(e)),
            ExprKind::Builtin(builtin, arguments) => {
                let own = match builtin {
                    Builtin::Unreachable
                    | Builtin::Trap
                    | Builtin::Alloca
                    | Builtin::AddOverflow
                    | Builtin::SubtractOverflow
                    | Builtin::MultiplyOverflow
                    | Builtin::AtomicStore
                    | Builtin::CopyRecord
                    | Builtin::VariadicStart
                    | Builtin::VariadicNext
                    | Builtin::VariadicCopy
                    | Builtin::Nothing => EFFECT,
                    Builtin::LeadingZeros | Builtin::TrailingZeros if !self.checks_at(expr.span).undefined_shift => {
                        EFFECT
                    }
                    Builtin::AtomicLoad | Builtin::Abs | Builtin::LeadingZeros | Builtin::TrailingZeros => CLAIM,
                    _ => 0,
                };
                arguments.iter().fold(own, |flags, a| flags | self.flags(*a))
            }
        }
    }

    fn binary_flags(&mut self, op: Binary, a: tree::ExprId, b: tree::ExprId, span: Span) -> u8 {
        let operands = Operands { op, ty: self.tree.expr(a).ty, left: self.range(a), right: self.range(b), span };
        let checked = self.binary_is_checked(op, operands.ty, operands.left, operands.right);
        let is_free = self.may_relate_objects(op, a, span) || self.may_be_undefined(operands);
        self.flags(a) | self.flags(b) | if checked { CLAIM } else { 0 } | if is_free { EFFECT } else { 0 }
    }

    /// A call has effects unless it is a word of checkers that asks something.
    fn load_flags(&mut self, lvalue: tree::ExprId, ty: TypeId) -> u8 {
        let checks = self.options.checks;
        let by_pointer = (checks.pointer || checks.alignment) && self.through_pointer(lvalue);
        let claimed = by_pointer || checks.enum_range && self.is_enumeration(ty);
        let free = if self.may_be_free(lvalue) { EFFECT } else { 0 };
        self.flags(lvalue) | free | if claimed { CLAIM } else { 0 }
    }

    fn call_flags(&mut self, e: tree::ExprId, callee: tree::ExprId, arguments: &[tree::ExprId]) -> u8 {
        if self.is_question(callee) {
            let own = if self.options.checks.pointer_primitive { CLAIM } else { 0 };
            return arguments.iter().fold(own, |flags, a| flags | self.flags(*a));
        }
        match self.quantifier(e) {
            // It takes steps, but changes nothing that anybody reads.
            Some(quantifier) => CLAIM | self.flags(quantifier.body),
            None => EFFECT,
        }
    }

    /// Whether a minus sign makes a claim.
    pub(super) fn negation_is_checked(&self, operand: tree::ExprId, ty: TypeId) -> bool {
        let (checks, (low, high)) = (self.options.checks, self.range(operand));
        match self.is_signed(ty) {
            true => checks.signed_overflow && low <= self.type_range(ty).0,
            false => checks.unsigned_overflow && self.is_integer(ty) && high > 0,
        }
    }

    /// Whether a conversion makes a claim.
    pub(super) fn conversion_is_checked(&self, e: tree::ExprId) -> bool {
        let expr = self.tree.expr(e);
        let ExprKind::Convert { operand, .. } = expr.kind else { return false };
        let (from, checks) = (self.tree.expr(operand).ty, self.options.checks);
        let is_checked = self.drops_fraction(from, expr.ty) || self.conversion_bounds(operand, expr.ty).is_some();
        checks.conversion && is_checked || checks.enum_range && self.is_enumeration(expr.ty)
    }

    /// `*&a`, `*a` and `*(a + i)` of an array or variable: which, and the index where there is one.
    pub(super) fn indexed_array(&self, pointer: tree::ExprId) -> Option<(tree::ExprId, Option<tree::ExprId>)> {
        let expr = self.tree.expr(pointer);
        match expr.kind {
            ExprKind::AddressOf(lvalue) => {
                let Type::Pointer { to } = self.program.ty(expr.ty) else { return None };
                let whole = self.tree.expr(lvalue).ty == *to;
                (whole || self.decays_to(lvalue, expr.ty)).then_some((lvalue, None))
            }
            ExprKind::PointerAdd { pointer, index, subtract: false } => match self.tree.expr(pointer).kind {
                ExprKind::AddressOf(array) if self.decays_to(array, expr.ty) => Some((array, Some(index))),
                _ => None,
            },
            _ => None,
        }
    }

    /// Is this an array of known length whose elements this pointer type points to?
    fn decays_to(&self, array: tree::ExprId, pointer: TypeId) -> bool {
        match (self.program.ty(self.tree.expr(array).ty), self.program.ty(pointer)) {
            (Type::Array { of, length }, Type::Pointer { to }) => of == to && *length > 0,
            _ => false,
        }
    }

    /// Whether an lvalue is reached by a pointer or may lie beyond the end of its type.
    pub(super) fn through_pointer(&self, lvalue: tree::ExprId) -> bool {
        let mut at = lvalue;
        loop {
            match &self.tree.expr(at).kind {
                ExprKind::Member { base, .. } => at = *base,
                ExprKind::Element { array, .. } => {
                    if matches!(self.program.ty(self.tree.expr(*array).ty), Type::Array { length: 0, .. }) {
                        return true;
                    }
                    at = *array;
                }
                ExprKind::Deref(pointer) => match self.indexed_array(*pointer) {
                    Some((inner, _)) => at = inner,
                    None => return true,
                },
                ExprKind::Object(object) => return self.tree.object(*object).variable_size.is_some(),
                _ => return false,
            }
        }
    }

    /// Whether an index can never leave its array.
    pub(super) fn index_is_safe(&self, array: tree::ExprId, index: tree::ExprId) -> bool {
        let (low, high) = self.range(index);
        match self.program.ty(self.tree.expr(array).ty) {
            Type::Array { length: 0, .. } => !self.tree.bounds.contains_key(&array),
            Type::Array { length, .. } => low >= 0 && high < i128::from(*length),
            _ => true,
        }
    }

    /// Whether this operator on operands of this type makes a claim.
    pub(super) fn binary_is_checked(&self, op: Binary, ty: TypeId, left: (i128, i128), right: (i128, i128)) -> bool {
        let checks = self.options.checks;
        if self.is_float(ty) {
            let checked = checks.float_overflow || checks.nan;
            return match op {
                Binary::Add | Binary::Subtract | Binary::Multiply => checked,
                Binary::Divide => checked || checks.float_div_by_zero,
                _ => false,
            };
        }
        match op {
            Binary::Add | Binary::Subtract | Binary::Multiply => {
                let wanted = if self.is_signed(ty) { checks.signed_overflow } else { checks.unsigned_overflow };
                wanted && !self.stays_within(op, ty, left, right)
            }
            Binary::Divide | Binary::Remainder => {
                (checks.div_by_zero && right.0 <= 0 && right.1 >= 0) || self.may_overflow_division(ty, left, right)
            }
            Binary::ShiftLeft | Binary::ShiftRight => {
                let overflows = op == Binary::ShiftLeft && self.is_signed(ty) && checks.signed_overflow;
                (checks.undefined_shift || overflows) && !self.shift_is_safe(op, ty, left, right)
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                checks.pointer && self.is_pointer(ty)
            }
            Binary::And | Binary::Or | Binary::Xor | Binary::Equal | Binary::NotEqual => false,
        }
    }

    pub(super) fn may_overflow_division(&self, ty: TypeId, left: (i128, i128), right: (i128, i128)) -> bool {
        self.options.checks.signed_overflow && self.quotient_may_be_beyond(ty, left, right)
    }

    /// Whether a quotient may be one that its type does not have, that of the smallest number by -1.
    pub(super) fn quotient_may_be_beyond(&self, ty: TypeId, left: (i128, i128), right: (i128, i128)) -> bool {
        let minus_one = right.0 <= -1 && right.1 >= -1;
        self.is_signed(ty) && left.0 <= self.type_range(ty).0 && minus_one
    }

    pub(super) fn shift_is_safe(&self, op: Binary, ty: TypeId, left: (i128, i128), right: (i128, i128)) -> bool {
        let width = i128::from(self.bits_of(ty));
        let distance = right.0 >= 0 && right.1 < width;
        if op == Binary::ShiftRight || !self.is_signed(ty) {
            return distance;
        }
        let highest = self.type_range(ty).1;
        distance && left.0 >= 0 && right.1 < 64 && left.1 <= highest >> right.1
    }

    /// Whether the result can be shown to lie within the type by the ranges of the operands.
    pub(super) fn stays_within(&self, op: Binary, ty: TypeId, left: (i128, i128), right: (i128, i128)) -> bool {
        let (low, high) = self.type_range(ty);
        let corners: [Option<i128>; 4] = match op {
            Binary::Add => [left.0.checked_add(right.0), left.1.checked_add(right.1), Some(0), Some(0)],
            Binary::Subtract => [left.0.checked_sub(right.1), left.1.checked_sub(right.0), Some(0), Some(0)],
            Binary::Multiply => [
                left.0.checked_mul(right.0),
                left.0.checked_mul(right.1),
                left.1.checked_mul(right.0),
                left.1.checked_mul(right.1),
            ],
            _ => return false,
        };
        corners.iter().all(|c| c.is_some_and(|c| low <= c && c <= high))
    }

    /// The numbers that fit into a place.
    pub(super) fn place_range(&self, place: program::PlaceId) -> (i128, i128) {
        let place = self.program.place(place);
        match (place.bits, self.is_signed(place.ty)) {
            (bits @ 1..100, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            (bits @ 1..100, false) => (0, (1 << bits) - 1),
            _ => self.type_range(place.ty),
        }
    }

    /// The numbers of a type.
    pub(super) fn type_range(&self, ty: TypeId) -> (i128, i128) {
        let bits = self.bits_of(ty);
        match (self.program.ty(ty), self.is_signed(ty)) {
            (Type::Bool, _) => (0, 1),
            (_, true) if bits < 128 => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            (_, false) if bits < 127 => (0, (1 << bits) - 1),
            (_, false) => (0, i128::MAX),
            (_, true) => (i128::MIN, i128::MAX),
        }
    }

    /// Bounds of an integer expression, as far as its outermost conversions tell.
    pub(super) fn range(&self, e: tree::ExprId) -> (i128, i128) {
        let expr = self.tree.expr(e);
        let whole = self.type_range(expr.ty);
        if !self.is_integer(expr.ty) {
            return (i128::MIN, i128::MAX);
        }
        match &expr.kind {
            ExprKind::Const(value) => {
                let bits = self.bits_of(expr.ty);
                let value = if self.is_signed(expr.ty) { sign_extend(*value, bits) } else { *value as i128 };
                (value, value)
            }
            ExprKind::Convert { operand, .. } if self.is_integer(self.tree.expr(*operand).ty) => {
                match self.range(*operand) {
                    inner if whole.0 <= inner.0 && inner.1 <= whole.1 => inner,
                    (one, same) if one == same && !matches!(self.program.ty(expr.ty), Type::Bool) => {
                        let bits = self.bits_of(expr.ty);
                        let cut = one as u128 & low_bits(bits);
                        let value = if self.is_signed(expr.ty) { sign_extend(cut, bits) } else { cut as i128 };
                        (value, value)
                    }
                    _ => whole,
                }
            }
            ExprKind::Load(lvalue) => self.bit_field_range(*lvalue).unwrap_or(whole),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::LogicalNot(_) => (0, 1),
            ExprKind::Binary(op, a, b) => match op {
                Binary::Less
                | Binary::LessEqual
                | Binary::Greater
                | Binary::GreaterEqual
                | Binary::Equal
                | Binary::NotEqual => (0, 1),
                Binary::And => match self.range(*b) {
                    (low, high) if low >= 0 => (0, high),
                    _ => match self.tree.expr(*a).kind {
                        ExprKind::Const(_) if self.range(*a).0 >= 0 => (0, self.range(*a).1),
                        _ => whole,
                    },
                },
                Binary::Remainder => match self.tree.expr(*b).kind {
                    ExprKind::Const(_) if self.range(*b).0 > 0 => {
                        let most = self.range(*b).0 - 1;
                        if whole.0 == 0 { (0, most) } else { (-most, most) }
                    }
                    _ => whole,
                },
                _ => whole,
            },
            _ => whole,
        }
    }

    pub(super) fn bit_field_range(&self, lvalue: tree::ExprId) -> Option<(i128, i128)> {
        let ExprKind::Member { base, field } = self.tree.expr(lvalue).kind else { return None };
        let Type::Record { fields, .. } = self.program.ty(self.tree.expr(base).ty) else { return None };
        let field = fields.get(field as usize).filter(|f| f.bit_field && (1..100).contains(&f.bits))?;
        Some(if self.is_signed(field.ty) {
            (-(1 << (field.bits - 1)), (1 << (field.bits - 1)) - 1)
        } else {
            (0, (1 << field.bits) - 1)
        })
    }

    /// Could evaluating `by` change the value of `x`? Locals that no pointer reaches change only by assignment to them.
    pub(super) fn disturbs(&mut self, by: tree::ExprId, x: ExprId) -> bool {
        self.reads(x) && self.has_effect(by) && {
            let mut roots = Roots::default();
            !self.collect_roots(x, &mut roots) || roots.objects.iter().any(|object| self.assigns(by, *object))
        }
    }

    /// The same of the way to a place.
    pub(super) fn disturbs_place(&mut self, by: tree::ExprId, place: program::PlaceId) -> bool {
        self.path_parts(place).into_iter().any(|part| self.disturbs(by, part))
    }

    /// The expressions that say which object a place is.
    pub(super) fn path_parts(&self, place: program::PlaceId) -> Vec<ExprId> {
        let place = self.program.place(place);
        let base = if let Base::Deref(e) = place.base { Some(e) } else { None };
        let steps = place.path.iter().filter_map(|p| if let Projection::Index(e) = p { Some(*e) } else { None });
        base.into_iter().chain(steps).collect()
    }

    /// Whether a store to this place could change which place it is.
    pub(super) fn may_move(&self, place: program::PlaceId) -> bool {
        self.path_parts(place).into_iter().any(|part| {
            let mut roots = Roots::default();
            !self.collect_roots(part, &mut roots)
                || roots.objects.iter().any(|object| !self.program.is_scalar(self.tree.object(*object).ty))
        })
    }

    /// Gathers the unexposed locals that an expression reads; false if it reads anything else.
    fn collect_roots(&self, e: ExprId, roots: &mut Roots) -> bool {
        use program::ExprKind as P;
        if !self.reads(e) || !roots.seen.insert(e) {
            return true;
        }
        match self.program.expr(e).kind {
            P::Const(_) | P::FunctionAddress(_) => true,
            P::Memory(_) => false,
            P::AddressOf(place) => self.path_parts(place).into_iter().all(|part| self.collect_roots(part, roots)),
            P::Load(place) => {
                let own = match self.program.place(place).base {
                    Base::Local(local) => match self.f.objects[local.index()] {
                        Some(object) if !self.exposed[object.0 as usize] => {
                            roots.objects.push(object);
                            true
                        }
                        Some(_) => false,
                        None => self.f.locals[local.index()].temporary,
                    },
                    Base::Global(_) | Base::Deref(_) => false,
                };
                own && self.path_parts(place).into_iter().all(|part| self.collect_roots(part, roots))
            }
            P::Unary(_, x) | P::Convert(_, x) => self.collect_roots(x, roots),
            P::Binary(_, x, y) | P::Rounded { mode: x, value: y } => {
                self.collect_roots(x, roots) && self.collect_roots(y, roots)
            }
            P::Ite(c, x, y) => [c, x, y].into_iter().all(|part| self.collect_roots(part, roots)),
        }
    }

    /// Whether an expression has an assignment to this variable in it (or a block, which might).
    fn assigns(&mut self, e: tree::ExprId, object: tree::ObjectId) -> bool {
        let tree = self.tree;
        if !self.has_effect(e) {
            return false;
        }
        let kind = &tree.expr(e).kind;
        match kind {
            ExprKind::StatementExpr(_) | ExprKind::Unsupported(_) => return true,
            ExprKind::Assign { target, .. }
            | ExprKind::CompoundAssign { target, .. }
            | ExprKind::Step { target, .. }
                if self.is_part_of(*target, object) =>
            {
                return true;
            }
            _ => {}
        }
        kind.operands().into_iter().any(|operand| self.assigns(operand, object))
    }

    /// Whether an lvalue is (a part of) this variable.
    fn is_part_of(&self, lvalue: tree::ExprId, object: tree::ObjectId) -> bool {
        let mut at = lvalue;
        loop {
            match self.tree.expr(at).kind {
                ExprKind::Member { base, .. } => at = base,
                ExprKind::Element { array, .. } => at = array,
                // `*&x` and `*a` are x and a.
                ExprKind::Deref(pointer) => match self.indexed_array(pointer) {
                    Some((inner, _)) => at = inner,
                    None => return false,
                },
                ExprKind::Object(found) => return found == object,
                _ => return false,
            }
        }
    }
}
