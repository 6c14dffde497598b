//! Expressions, one by one.
//!
//! The checker has decided every type and written down every conversion, so this is copying, with four exceptions: a
//! subscript is an element of an array or the target of a pointer, arithmetic on pointers is kept apart from that on
//! numbers, a test for non-zero around a condition goes (any scalar may be one), and what we do not take becomes an
//! [`ExprKind::Unsupported`] that says so.

use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{
    Address, Base, BitCount, Category, Classify, Const, Conversion, Eval, ExprKind as Theirs, FrameAsk, OverflowOp,
    Sign,
};
use rucc_types::{IntKind, Qualifiers, TypeKind, align, is_pointer, is_vector};

use super::link::{Linked, Walk};
use super::small;
use super::types::{is_padded, unsupported};
use crate::c::tree::{
    Binary, Builtin, ExprId, ExprKind, InitEntry, LabelId, Object, ObjectId, ObjectKind, StorageDuration, Unary,
};
use crate::program::{Type, TypeId};
use crate::source::Span;

impl Walk<'_> {
    /// Converts an expression: an lvalue stays one, a value stays one.
    pub(super) fn expr(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let span = self.unit.span(self.unit.tast.expr_span(id));
        self.seen.insert(id);
        let converted = self.deeper(span, |walk| walk.expr_here(id, span));
        let converted = converted.unwrap_or_else(|| self.refuse(id, "an expression this deep"));
        self.mark_lvalue(id, converted);
        converted
    }

    /// Remembers of an lvalue how its type is aligned, and that it is `volatile`.
    fn mark_lvalue(&mut self, id: rucc_sema::ExprId, converted: ExprId) {
        let (types, node) = (&self.unit.types, self.unit.tast[id]);
        let is_object = matches!(node.category, Category::Lvalue | Category::Bitfield);
        if !is_object {
            return;
        }
        let align = match self.variable_field(id) {
            Some(field) => field.align,
            None => align(types, node.ty, &self.unit.target).unwrap_or(1),
        };
        let is_record = matches!(types.kind(types.canonical(node.ty)), TypeKind::Record(_));
        let most = small::alignment(self.unit.model).filter(|_| !is_record).unwrap_or(align);
        let align = align.min(most);
        let lvalue = &mut self.linker.tree.exprs[converted.0 as usize];
        lvalue.align = u32::try_from(align).unwrap_or(1);
        lvalue.volatile |= types.object_quals(types.canonical(node.ty)).has(Qualifiers::VOLATILE);
    }

    fn expr_here(&mut self, id: rucc_sema::ExprId, span: Span) -> ExprId {
        let unit = self.unit;
        if let Some(length) = self.lengths.get(&id) {
            return self.load_object(*length, span);
        }
        let node = unit.tast[id];
        if let Some(copy) = self.variable_copy(id) {
            return copy;
        }
        if node.category == Category::Rvalue
            && let Some(reason) = unsupported(unit, node.ty)
        {
            return self.refuse(id, reason);
        }
        if node.category == Category::Lvalue && is_padded(unit, node.ty) {
            let name = rucc_types::spell(&unit.types, &unit.names, unit.types.canonical(node.ty));
            return self.refuse(id, format!("an object of type {name}, which has padding bits"));
        }
        if let Some(value) = self.vector(id) {
            return value;
        }
        let ty = self.ty(node.ty);
        let kind = match node.kind {
            Theirs::Error => ExprKind::Unsupported("an expression in error".to_owned()),
            Theirs::Const(value) => return self.const_value(unit.tast[value], ty, span),
            Theirs::Str(literal) => ExprKind::Object(self.literal(literal, node.ty, span)),
            Theirs::Decl(decl) => self.named(decl),
            Theirs::CompoundLiteral(decl) => self.compound_literal(decl, span),
            Theirs::Member { base, field } => {
                let base = self.expr(base);
                return self.member(id, base, field);
            }
            Theirs::Subscript { base, index } => return self.subscript(id, base, index),
            Theirs::Call { callee, args } => return self.call(id, callee, &unit.tast[args]),
            Theirs::Unary { op, operand } => return self.unary(id, op, operand),
            Theirs::Binary { op, lhs, rhs } => return self.binary(id, op, lhs, rhs),
            Theirs::Assign { op: None, lhs, rhs, .. } => {
                ExprKind::Assign { target: self.expr(lhs), value: self.expr(rhs) }
            }
            Theirs::Assign { op: Some(op), computation, lhs, rhs } => {
                return self.compound_assign(id, op, computation, lhs, rhs);
            }
            Theirs::Cond { cond, then, otherwise } => {
                // `a ?: b` repeats the very node of its condition.
                let elided = self.tested(cond) == self.innermost(then);
                ExprKind::Conditional {
                    condition: self.condition(cond),
                    then: (!elided).then(|| self.expr(then)),
                    otherwise: self.expr(otherwise),
                }
            }
            Theirs::Comma { lhs, rhs } => {
                let left = self.expr(lhs);
                ExprKind::Comma(left, self.expr(rhs))
            }
            Theirs::Cast(operand) | Theirs::Convert { operand, .. }
                if unsupported(unit, unit.tast[operand].ty).is_some()
                    && let Some(value) = self.folded(id) =>
            {
                return value;
            }
            Theirs::Cast(operand) => return self.convert(operand, ty, span, true),
            Theirs::Convert { kind, operand } => return self.conversion(id, kind, operand),
            Theirs::StmtExpr(body) => ExprKind::StatementExpr(self.stmt(body)),
            Theirs::LabelAddr(label) => ExprKind::Const(LabelId(label.raw()).address()),
            Theirs::VaArg { list } => ExprKind::Builtin(Builtin::VariadicNext, vec![self.expr(list)]),
            Theirs::VaStart { list } => {
                if let Some(function) = self.inside {
                    self.linker.tree.functions[function.0 as usize].lists_arguments = true;
                }
                ExprKind::Builtin(Builtin::VariadicStart, vec![self.expr(list)])
            }
            Theirs::VaCopy { dst, src } => {
                ExprKind::Builtin(Builtin::VariadicCopy, vec![self.expr(dst), self.expr(src)])
            }
            Theirs::VaEnd { list } => ExprKind::Builtin(Builtin::Nothing, vec![self.expr(list)]),
            _ => return self.builtin(id),
        };
        self.push(kind, ty, span)
    }

    /// What a name stands for.
    fn named(&mut self, decl: rucc_sema::DeclId) -> ExprKind {
        match self.linked(decl) {
            Linked::Function(function) => ExprKind::FunctionAddress(function),
            Linked::Object(object) => ExprKind::Object(object),
        }
    }

    /// The object of `(struct s){1, 2}`, which has no name and stands where it is written.
    fn compound_literal(&mut self, decl: rucc_sema::DeclId, span: Span) -> ExprKind {
        let kind = self.named(decl);
        if let ExprKind::Object(object) = kind {
            let object = &mut self.linker.tree.objects[object.0 as usize];
            object.kind = ObjectKind::CompoundLiteral;
            object.span = span;
        }
        kind
    }

    /// `+=` and its kin; on pointers they are steps.
    fn compound_assign(
        &mut self,
        id: rucc_sema::ExprId,
        op: BinaryOp,
        computation: rucc_types::TypeId,
        lhs: rucc_sema::ExprId,
        rhs: rucc_sema::ExprId,
    ) -> ExprId {
        let unit = self.unit;
        let node = unit.tast[id];
        if let Some(reason) = unsupported(unit, computation) {
            return self.refuse(id, reason);
        }
        let ty = self.ty(node.ty);
        let target = self.expr(lhs);
        let value = self.expr(rhs);
        let kind = if is_pointer(&unit.types, node.ty) {
            if self.has_variable_target(node.ty) {
                return self.refuse(id, "+= on a pointer to something of variable length");
            }
            ExprKind::Step { target, amount: value, subtract: op == BinaryOp::Sub, old_value: false }
        } else {
            let Some(op) = plain(op) else { return self.refuse(id, "this assignment") };
            ExprKind::CompoundAssign { op, computation: self.ty(computation), target, value }
        };
        self.push(kind, ty, unit.span(unit.tast.expr_span(id)))
    }

    /// An expression used as a condition, without the test for non-zero that the checker puts around it.
    pub(super) fn condition(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let inner = self.tested(id);
        self.expr(inner)
    }

    fn tested(&self, id: rucc_sema::ExprId) -> rucc_sema::ExprId {
        match self.unit.tast[id].kind {
            Theirs::Convert { kind: Conversion::Bool, operand } => operand,
            _ => id,
        }
    }

    fn innermost(&self, mut id: rucc_sema::ExprId) -> rucc_sema::ExprId {
        while let Theirs::Convert { kind, operand } = self.unit.tast[id].kind {
            if matches!(kind, Conversion::Lvalue | Conversion::ArrayDecay | Conversion::FunctionDecay) {
                break;
            }
            id = operand;
        }
        id
    }

    /// Something we do not take.
    pub(super) fn refuse(&mut self, id: rucc_sema::ExprId, reason: impl Into<String>) -> ExprId {
        let span = self.unit.span(self.unit.tast.expr_span(id));
        let ty = self.ty(self.unit.tast[id].ty);
        self.push(ExprKind::Unsupported(reason.into()), ty, span)
    }

    /// The same expression, folded if the checker can.
    pub(super) fn constant(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let node = self.unit.tast[id];
        if let Some(value) = self.small_constant(id) {
            self.seen.insert(id);
            let (ty, span) = (self.ty(node.ty), self.unit.span(self.unit.tast.expr_span(id)));
            return self.number(value, ty, span);
        }
        if matches!(node.kind, Theirs::Str(_)) || unsupported(self.unit, node.ty).is_some() {
            return self.expr(id);
        }
        self.folded(id).unwrap_or_else(|| self.expr(id))
    }

    /// The constant an expression is, as a static initialiser may be one.
    fn folded(&mut self, id: rucc_sema::ExprId) -> Option<ExprId> {
        let unit = self.unit;
        let mut eval = Eval::new(&unit.tast, &unit.types, &unit.target, &unit.names).objects(true);
        let value = eval.initializer(id).ok()?;
        let (ty, span) = (self.ty(unit.tast[id].ty), unit.span(unit.tast.expr_span(id)));
        Some(self.const_value(value, ty, span))
    }

    fn const_value(&mut self, value: Const, ty: TypeId, span: Span) -> ExprId {
        let kind = match value {
            Const::Int(value) => return self.number(value, ty, span),
            Const::Float(value) => ExprKind::Const(value.to_bits()),
            Const::Address(Address { base: Base::Absolute, offset }) => return self.number(offset, ty, span),
            Const::Address(address) => {
                let offset = i64::try_from(address.offset).unwrap_or(i64::MAX);
                let linked = match address.base {
                    Base::Decl(decl) => Some(self.linked(decl)),
                    Base::Str(literal) => {
                        let element = self.unit.tast[literal].encoding;
                        Some(Linked::Object(self.plain_literal(literal, element, span)))
                    }
                    Base::Label(label) if offset == 0 => {
                        return self.push(ExprKind::Const(LabelId(label.raw()).address()), ty, span);
                    }
                    Base::Label(_) | Base::Absolute => None,
                };
                let kind = match linked {
                    Some(Linked::Object(object)) => ExprKind::ObjectAddress(object, offset),
                    Some(Linked::Function(function)) if offset == 0 => ExprKind::FunctionAddress(function),
                    _ => ExprKind::Unsupported("the address of a label".to_owned()),
                };
                if !matches!(self.linker.table.types[ty.0 as usize], Type::Pointer { .. }) {
                    let void = self.linker.table.intern(Type::Void);
                    let pointer = self.linker.table.pointer(void);
                    let address = self.push(kind, pointer, span);
                    return self.push(ExprKind::Convert { operand: address, explicit: true }, ty, span);
                }
                kind
            }
            Const::Complex { .. } | Const::ComplexInt { .. } => ExprKind::Unsupported("complex arithmetic".to_owned()),
            Const::Apart { to, from } => {
                let address = |label: rucc_sema::LabelId| LabelId(label.raw()).address() as i128;
                return self.number(address(to) - address(from), ty, span);
            }
        };
        self.push(kind, ty, span)
    }

    /// An integer constant of a type, cut to its width.
    pub(super) fn number(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        let bits = self.bits(ty);
        let mask = if bits >= 128 { u128::MAX } else { (1u128 << bits) - 1 };
        self.push(ExprKind::Const(value as u128 & mask), ty, span)
    }

    /// Width of a scalar type.
    pub(super) fn bits(&self, ty: TypeId) -> u32 {
        match &self.linker.table.types[ty.0 as usize] {
            Type::Bool => 8,
            Type::Integer { bits, .. } | Type::Enum { bits, .. } | Type::Float { bits, .. } => *bits,
            Type::Pointer { .. } => self.linker.tree.pointer.bits,
            _ => 128,
        }
    }

    pub(super) fn load_object(&mut self, object: ObjectId, span: Span) -> ExprId {
        let ty = self.linker.tree.object(object).ty;
        let lvalue = self.push(ExprKind::Object(object), ty, span);
        self.push(ExprKind::Load(lvalue), ty, span)
    }

    /// The object of a string literal. Equal literals share one.
    fn literal(&mut self, literal: rucc_sema::StrId, ty: rucc_types::TypeId, span: Span) -> ObjectId {
        let ty = self.ty(ty);
        self.literal_object(literal, ty, span)
    }

    /// The same where only the address was left by folding.
    fn plain_literal(&mut self, literal: rucc_sema::StrId, encoding: rucc_lex::Encoding, span: Span) -> ObjectId {
        let kind = match encoding {
            rucc_lex::Encoding::Plain => IntKind::Char,
            rucc_lex::Encoding::Utf8 => IntKind::Char,
            rucc_lex::Encoding::Utf16 => IntKind::UShort,
            rucc_lex::Encoding::Utf32 => IntKind::UInt,
            rucc_lex::Encoding::Wide => IntKind::Int,
        };
        let of = self.linker.table.integer(self.unit, kind);
        let length = self.unit.tast[literal].elements.len() as u64 + 1;
        let ty = self.linker.table.intern(Type::Array { of, length });
        self.literal_object(literal, ty, span)
    }

    fn literal_object(&mut self, literal: rucc_sema::StrId, ty: TypeId, span: Span) -> ObjectId {
        let literal = &self.unit.tast[literal];
        let bytes = literal.bytes(&self.unit.target);
        let size = bytes.len() as u64;
        let key = (bytes, ty);
        if let Some(found) = self.linker.literals.get(&key) {
            return *found;
        }
        let Type::Array { of, .. } = self.linker.table.types[ty.0 as usize] else {
            unreachable!("a string literal is an array")
        };
        let bits = u64::from(self.bits(of));
        let mut init = Vec::new();
        for (index, element) in literal.elements.iter().enumerate().filter(|(_, element)| **element != 0) {
            let value = self.number(i128::from(*element), of, span);
            init.push(InitEntry { bit_offset: index as u64 * bits, bits, value });
        }
        let object = self.push_object(Object {
            name: String::new(),
            file_scope: false,
            ty,
            size,
            storage: StorageDuration::Static,
            init: Some(init),
            variable_size: None,
            span,
            kind: ObjectKind::StringLiteral,
            read_only: true,
            system: self.unit.system,
            cleanup: None,
        });
        self.linker.literals.insert(key, object);
        object
    }

    fn subscript(&mut self, id: rucc_sema::ExprId, base: rucc_sema::ExprId, index: rucc_sema::ExprId) -> ExprId {
        let unit = self.unit;
        let span = unit.span(unit.tast.expr_span(id));
        let node = unit.tast[id];
        let ty = self.ty(node.ty);
        if self.is_variable(node.ty) {
            let address = self.scaled(base, index, false, span);
            return self.push(ExprKind::Deref(address), ty, span);
        }
        if is_vector(&unit.types, unit.tast[base].ty) {
            let vector = self.lvalue(base);
            let index = self.expr(index);
            return self.lane(vector, index, span);
        }
        if let Theirs::Convert { kind: Conversion::ArrayDecay, operand } = unit.tast[base].kind {
            let array = self.lvalue(operand);
            self.keep_bound(operand, array);
            let index = self.expr(index);
            return self.push(ExprKind::Element { array, index }, ty, span);
        }
        let pointer_type = self.ty(unit.tast[base].ty);
        let pointer = self.expr(base);
        let index = self.expr(index);
        let address = self.push(ExprKind::PointerAdd { pointer, index, subtract: false }, pointer_type, span);
        self.push(ExprKind::Deref(address), ty, span)
    }

    fn call(&mut self, id: rucc_sema::ExprId, callee: rucc_sema::ExprId, args: &[rucc_sema::ExprId]) -> ExprId {
        let callee = self.expr(callee);
        if let ExprKind::FunctionAddress(function) = self.linker.tree.expr(callee).kind {
            let name = &self.linker.tree.function(function).name;
            if matches!(name.as_str(), "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "siglongjmp") {
                let what = format!("jumps between functions ({name})");
                return self.refuse(id, what);
            }
        }
        let arguments = args.iter().map(|argument| self.expr(*argument)).collect();
        let ty = self.ty(self.unit.tast[id].ty);
        let span = self.unit.span(self.unit.tast.expr_span(id));
        self.push(ExprKind::Call { callee, arguments }, ty, span)
    }

    fn unary(&mut self, id: rucc_sema::ExprId, op: UnaryOp, operand: rucc_sema::ExprId) -> ExprId {
        let unit = self.unit;
        let node = unit.tast[id];
        let span = unit.span(unit.tast.expr_span(id));
        let ty = self.ty(node.ty);
        let step = |subtract, old_value| (subtract, old_value);
        let (subtract, old_value) = match op {
            UnaryOp::Plus => return self.expr(operand),
            UnaryOp::Minus | UnaryOp::BitNot => {
                let op = if op == UnaryOp::Minus { Unary::Minus } else { Unary::Complement };
                let operand = self.expr(operand);
                return self.push(ExprKind::Unary(op, operand), ty, span);
            }
            UnaryOp::Not => {
                let operand = self.condition(operand);
                return self.push(ExprKind::LogicalNot(operand), ty, span);
            }
            UnaryOp::Deref => {
                let operand = self.expr(operand);
                return self.push(ExprKind::Deref(operand), ty, span);
            }
            UnaryOp::AddrOf => {
                if unit.tast[operand].category == Category::Function {
                    return self.function_pointer(operand, ty, span);
                }
                let operand = self.lvalue(operand);
                return self.push(ExprKind::AddressOf(operand), ty, span);
            }
            UnaryOp::Real | UnaryOp::Imag => return self.refuse(id, "complex arithmetic"),
            UnaryOp::PreInc => step(false, false),
            UnaryOp::PreDec => step(true, false),
            UnaryOp::PostInc => step(false, true),
            UnaryOp::PostDec => step(true, true),
        };
        if self.has_variable_target(node.ty) {
            return self.scaled_step(id, operand, subtract, old_value);
        }
        let target = self.expr(operand);
        let int = self.linker.table.integer(unit, IntKind::Int);
        let amount = self.number(1, int, span);
        self.push(ExprKind::Step { target, amount, subtract, old_value }, ty, span)
    }

    fn binary(
        &mut self,
        id: rucc_sema::ExprId,
        op: BinaryOp,
        lhs: rucc_sema::ExprId,
        rhs: rucc_sema::ExprId,
    ) -> ExprId {
        let unit = self.unit;
        let span = unit.span(unit.tast.expr_span(id));
        let ty = self.ty(unit.tast[id].ty);
        let pointers = |id: rucc_sema::ExprId| is_pointer(&unit.types, unit.tast[id].ty);
        let kind = match (op, pointers(lhs), pointers(rhs)) {
            (BinaryOp::LogAnd, ..) => {
                let left = self.condition(lhs);
                ExprKind::LogicalAnd(left, self.condition(rhs))
            }
            (BinaryOp::LogOr, ..) => {
                let left = self.condition(lhs);
                ExprKind::LogicalOr(left, self.condition(rhs))
            }
            (BinaryOp::Add | BinaryOp::Sub, true, false) => {
                let subtract = op == BinaryOp::Sub;
                if self.has_variable_target(unit.tast[lhs].ty) {
                    return self.scaled(lhs, rhs, subtract, span);
                }
                let pointer = self.expr(lhs);
                ExprKind::PointerAdd { pointer, index: self.expr(rhs), subtract }
            }
            (BinaryOp::Add, false, true) => {
                if self.has_variable_target(unit.tast[rhs].ty) {
                    return self.scaled(rhs, lhs, false, span);
                }
                let index = self.expr(lhs);
                ExprKind::PointerAdd { pointer: self.expr(rhs), index, subtract: false }
            }
            (BinaryOp::Sub, true, true) => {
                if self.has_variable_target(unit.tast[lhs].ty) {
                    return self.refuse(id, "the difference of pointers to something of variable length");
                }
                let left = self.expr(lhs);
                ExprKind::PointerDifference(left, self.expr(rhs))
            }
            _ => {
                let Some(op) = plain(op) else { return self.refuse(id, "this operator") };
                let left = self.expr(lhs);
                ExprKind::Binary(op, left, self.expr(rhs))
            }
        };
        self.push(kind, ty, span)
    }

    fn conversion(&mut self, id: rucc_sema::ExprId, kind: Conversion, operand: rucc_sema::ExprId) -> ExprId {
        let unit = self.unit;
        let span = unit.span(unit.tast.expr_span(id));
        let ty = self.ty(unit.tast[id].ty);
        match kind {
            Conversion::Lvalue => {
                let lvalue = self.expr(operand);
                if self.is_lvalue(lvalue) { self.push(ExprKind::Load(lvalue), ty, span) } else { lvalue }
            }
            Conversion::ArrayDecay => {
                let array = self.lvalue(operand);
                self.push(ExprKind::AddressOf(array), ty, span)
            }
            Conversion::FunctionDecay => self.function_pointer(operand, ty, span),
            Conversion::NullPointer => {
                if let Theirs::Const(_) = unit.tast[self.innermost(operand)].kind {
                    return self.number(0, ty, span);
                }
                self.convert(operand, ty, span, false)
            }
            Conversion::Arithmetic | Conversion::Pointer | Conversion::Bool | Conversion::Void => {
                self.convert(operand, ty, span, false)
            }
            Conversion::Broadcast => self.refuse(id, "vector arithmetic"),
            Conversion::Hardbool => self.refuse(id, "a hardbool"),
        }
    }

    /// A conversion to a scalar type or to void; none where nothing changes.
    pub(super) fn convert(&mut self, operand: rucc_sema::ExprId, ty: TypeId, span: Span, explicit: bool) -> ExprId {
        let value = self.expr(operand);
        let from = self.linker.tree.expr(value).ty;
        if from == ty && !matches!(self.linker.tree.expr(value).kind, ExprKind::Unsupported(_)) {
            return value;
        }
        let types = &self.linker.table.types;
        let number = |ty: TypeId| match &types[ty.0 as usize] {
            Type::Integer { bits, signed, .. } | Type::Enum { bits, signed, .. } => Some((*bits, *signed)),
            _ => None,
        };
        // Constants are folded: a literal has the type it is used at. Not so where that changes it, which a check may ask for.
        if let (ExprKind::Const(bits), Some((width, signed)), Some((room, to_signed)), false) =
            (&self.linker.tree.expr(value).kind, number(from), number(ty), explicit)
            // Where types are computed anew (`promote`), so is this.
            && !self.unit.model.has_small_int()
        {
            let read = |bits: u128, width: u32, signed: bool| {
                let shift = 128 - width.min(128);
                let raised = (bits << shift) as i128;
                if signed { raised >> shift } else { (raised as u128 >> shift) as i128 }
            };
            let value = read(*bits, width, signed);
            if read(value as u128, room, to_signed) == value {
                return self.number(value, ty, span);
            }
        }
        self.push(ExprKind::Convert { operand: value, explicit }, ty, span)
    }

    /// A function designator as a pointer.
    fn function_pointer(&mut self, operand: rucc_sema::ExprId, ty: TypeId, span: Span) -> ExprId {
        match self.unit.tast[operand].kind {
            Theirs::Decl(decl) => match self.linked(decl) {
                Linked::Function(function) => self.push(ExprKind::FunctionAddress(function), ty, span),
                Linked::Object(_) => self.refuse(operand, "a function that is a variable elsewhere"),
            },
            Theirs::Unary { op: UnaryOp::Deref, operand } => self.expr(operand),
            Theirs::Comma { lhs, rhs } => {
                let left = self.expr(lhs);
                let right = self.function_pointer(rhs, ty, span);
                self.push(ExprKind::Comma(left, right), ty, span)
            }
            _ => self.refuse(operand, "this way to name a function"),
        }
    }

    /// Whether a converted expression designates an object.
    pub(super) fn is_lvalue(&self, mut id: ExprId) -> bool {
        loop {
            match self.linker.tree.expr(id).kind {
                ExprKind::Object(_) | ExprKind::Deref(_) | ExprKind::Element { .. } => return true,
                ExprKind::Member { base, .. } => id = base,
                _ => return false,
            }
        }
    }

    /// An expression as an lvalue. The part of a returned record gets an object to be in, as C gives it one.
    fn lvalue(&mut self, id: rucc_sema::ExprId) -> ExprId {
        if let Theirs::Member { base, field } = self.unit.tast[id].kind {
            let base = self.lvalue(base);
            let member = self.member(id, base, field);
            self.mark_lvalue(id, member);
            return member;
        }
        let converted = self.expr(id);
        let (ty, span) = (self.linker.tree.expr(converted).ty, self.linker.tree.expr(converted).span);
        let record = matches!(self.linker.table.types[ty.0 as usize], Type::Record { .. });
        if self.is_lvalue(converted) || !record {
            return converted;
        }
        let size = self.size(self.unit.tast[id].ty);
        let object = self.push_object(Object {
            name: String::new(),
            file_scope: false,
            ty,
            size,
            storage: StorageDuration::Automatic,
            init: Some(vec![InitEntry { bit_offset: 0, bits: size * 8, value: converted }]),
            variable_size: None,
            span,
            kind: ObjectKind::Temporary,
            read_only: false,
            system: false,
            cleanup: None,
        });
        self.push(ExprKind::Object(object), ty, span)
    }

    /// Built-ins of the compiler.
    fn builtin(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let unit = self.unit;
        let node = unit.tast[id];
        let span = unit.span(unit.tast.expr_span(id));
        let ty = self.ty(node.ty);
        let (builtin, operands): (Builtin, Vec<rucc_sema::ExprId>) = match node.kind {
            Theirs::Classify { op, lhs, rhs: None } => match op {
                Classify::Nan => (Builtin::IsNan, vec![lhs]),
                Classify::Infinite => (Builtin::IsInfinite, vec![lhs]),
                Classify::Finite => (Builtin::IsFinite, vec![lhs]),
                Classify::SignBit => (Builtin::SignBit, vec![lhs]),
                Classify::Normal => (Builtin::IsNormal, vec![lhs]),
                Classify::InfiniteSign => (Builtin::InfiniteSign, vec![lhs]),
                _ => return self.refuse(id, "this classification of a float"),
            },
            Theirs::Classify { op: Classify::Unordered, lhs, rhs: Some(rhs) } => {
                let (left, right) = (self.expr(lhs), self.expr(rhs));
                let left = self.push(ExprKind::Builtin(Builtin::IsNan, vec![left]), ty, span);
                let right = self.push(ExprKind::Builtin(Builtin::IsNan, vec![right]), ty, span);
                return self.push(ExprKind::LogicalOr(left, right), ty, span);
            }
            Theirs::Classify { op: Classify::LessGreater, lhs, rhs: Some(rhs) } => {
                (Builtin::LessGreater, vec![lhs, rhs])
            }
            Theirs::Classify { .. } => return self.refuse(id, "this classification of a float"),
            Theirs::FpClassify { value, answers } => {
                (Builtin::FloatClass, std::iter::once(value).chain(unit.tast[answers].to_vec()).collect())
            }
            Theirs::Sign { op: Sign::Clear, lhs, .. } => (Builtin::FloatAbs, vec![lhs]),
            Theirs::Sign { op: Sign::Of, lhs, rhs: Some(rhs) } => (Builtin::CopySign, vec![lhs, rhs]),
            Theirs::Sign { .. } => return self.refuse(id, "copysign"),
            Theirs::Abs { operand } => (Builtin::Abs, vec![operand]),
            Theirs::ByteSwap { operand } => (Builtin::ByteSwap, vec![operand]),
            Theirs::BitCount { operand, count } => match count {
                BitCount::Leading => (Builtin::LeadingZeros, vec![operand]),
                BitCount::Trailing => (Builtin::TrailingZeros, vec![operand]),
                BitCount::Ones => (Builtin::PopCount, vec![operand]),
                BitCount::Parity => (Builtin::Parity, vec![operand]),
                BitCount::FirstSet => (Builtin::FindFirstSet, vec![operand]),
                BitCount::RedundantSign => (Builtin::RedundantSignBits, vec![operand]),
            },
            Theirs::Overflow { op, args, .. } => {
                let builtin = match op {
                    OverflowOp::Add => Builtin::AddOverflow,
                    OverflowOp::Sub => Builtin::SubtractOverflow,
                    OverflowOp::Mul => Builtin::MultiplyOverflow,
                };
                (builtin, unit.tast[args].to_vec())
            }
            Theirs::Atomic { op, args, .. } => return self.atomic(id, op, &unit.tast[args]),
            Theirs::Expect { value, .. } => return self.expr(value),
            Theirs::Prefetch { .. } => return self.nothing(span),
            Theirs::Unreachable => (Builtin::Unreachable, Vec::new()),
            Theirs::Trap => (Builtin::Trap, Vec::new()),
            Theirs::ConstantP { value } => (Builtin::ConstantP, vec![value]),
            Theirs::Alloca { size } => (Builtin::Alloca, vec![size]),
            Theirs::ObjectSize { address, kind } => {
                let int = self.linker.table.integer(unit, IntKind::Int);
                let address = self.expr(address);
                let kind = self.number(i128::from(kind & 3), int, span);
                return self.push(ExprKind::Builtin(Builtin::ObjectSize, vec![address, kind]), ty, span);
            }
            Theirs::FrameAddress { ask: FrameAsk::Frame, .. } => return self.refuse(id, "__builtin_frame_address"),
            Theirs::FrameAddress { .. } => return self.refuse(id, "__builtin_return_address"),
            Theirs::Jump { .. } => return self.refuse(id, "__builtin_setjmp and __builtin_longjmp"),
            Theirs::Complex { .. } => return self.refuse(id, "complex arithmetic"),
            Theirs::Apply { .. } | Theirs::ApplyArgs => return self.refuse(id, "__builtin_apply"),
            Theirs::Elementwise { .. } => return self.refuse(id, "__builtin_elementwise_add and its kin"),
            Theirs::ShuffleVector { .. } => return self.refuse(id, "a lane that is left open"),
            _ => return self.refuse(id, "a built-in of one processor"),
        };
        let operands = operands.into_iter().map(|operand| self.expr(operand)).collect();
        self.push(ExprKind::Builtin(builtin, operands), ty, span)
    }

    /// An expression without a value or an effect.
    pub(super) fn nothing(&mut self, span: Span) -> ExprId {
        let void = self.linker.table.intern(Type::Void);
        self.push(ExprKind::Builtin(Builtin::Nothing, Vec::new()), void, span)
    }
}

/// Operators that mean the same on both sides.
pub(super) fn plain(op: BinaryOp) -> Option<Binary> {
    Some(match op {
        BinaryOp::Mul => Binary::Multiply,
        BinaryOp::Div => Binary::Divide,
        BinaryOp::Rem => Binary::Remainder,
        BinaryOp::Add => Binary::Add,
        BinaryOp::Sub => Binary::Subtract,
        BinaryOp::Shl => Binary::ShiftLeft,
        BinaryOp::Shr => Binary::ShiftRight,
        BinaryOp::Lt => Binary::Less,
        BinaryOp::Gt => Binary::Greater,
        BinaryOp::Le => Binary::LessEqual,
        BinaryOp::Ge => Binary::GreaterEqual,
        BinaryOp::Eq => Binary::Equal,
        BinaryOp::Ne => Binary::NotEqual,
        BinaryOp::BitAnd => Binary::And,
        BinaryOp::BitXor => Binary::Xor,
        BinaryOp::BitOr => Binary::Or,
        BinaryOp::LogAnd | BinaryOp::LogOr => return None,
    })
}
