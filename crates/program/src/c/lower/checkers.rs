//! What the words of checkers mean, as far as they are more than claims and assumptions (`library`).
//!
//! Words that ask something are pure expressions. Those that do something are models in C (`../library.c`).

use super::call::CallSite;
use super::place::Use;
use super::{Lowering, tree};
use crate::c::checkers;
use crate::c::tree::{Binary, ExprKind, StorageDuration};
use crate::program::{
    BinaryOp, ClaimKind, ExprId, ExprKind as P, MemoryQuestion, ObjectKind, Origin, Projection, StatementKind, Type,
    TypeId,
};
use crate::source::Span;

/// A longer array is not assigned element by element.
const MOST_ELEMENTS: u64 = 4096;

/// Words that ask something and change nothing.
const QUESTIONS: &[&str] = &[
    "__CPROVER_r_ok",
    "__CPROVER_w_ok",
    "__CPROVER_rw_ok",
    "__CPROVER_OBJECT_SIZE",
    "__CPROVER_POINTER_OFFSET",
    "__CPROVER_POINTER_OBJECT",
    "__CPROVER_same_object",
    "__CPROVER_DYNAMIC_OBJECT",
    "__CPROVER_LIVE_OBJECT",
    "__CPROVER_WRITEABLE_OBJECT",
    "__CPROVER_overflow_plus",
    "__CPROVER_overflow_minus",
    "__CPROVER_overflow_mult",
    "__CPROVER_overflow_shl",
    "__CPROVER_overflow_unary_minus",
    "__CPROVER_saturating_plus",
    "__CPROVER_saturating_minus",
    "__CPROVER_enum_is_in_range",
    "__CPROVER_pointer_in_range",
    "__ESBMC_r_ok",
    "__ESBMC_same_object",
    "__ESBMC_POINTER_OFFSET",
    "__ESBMC_POINTER_OBJECT",
];

impl Lowering<'_> {
    /// Why a function without a body is not one whose result is any value: its name belongs to compilers or checkers.
    pub(super) fn objection(&self, of: &tree::Function) -> Option<String> {
        if ["__builtin_", "__sync_", "__atomic_", "__c11_"].iter().any(|prefix| of.name.starts_with(prefix)) {
            return Some(format!("{}, a built-in function of compilers", of.name));
        }
        if !checkers::is_reserved(&of.name) {
            return None;
        }
        match (checkers::picks_a_value(&of.name), of.implicit) {
            (true, false) => None,
            (true, true) => Some(format!("{}: declare it, so that the type of its result is known", of.name)),
            (false, _) => Some(checkers::objection(&of.name)),
        }
    }

    /// Refuses a variable of the checkers, which says more than a variable of the program.
    pub(super) fn refuse_object(&mut self, object: tree::ObjectId, span: Span) {
        let of = self.tree.object(object);
        let from_outside = of.storage == StorageDuration::Extern && checkers::is_reserved(&of.name);
        if of.storage != StorageDuration::Automatic && (from_outside || checkers::is_refused(&of.name)) {
            let what = checkers::objection(&of.name);
            self.unsupported(what, span);
        }
    }

    /// Whether a call only asks something: a word without a body.
    pub(super) fn is_question(&self, callee: tree::ExprId) -> bool {
        let called = self.called_function(callee).map(|function| self.tree.function(function));
        called.is_some_and(|of| of.body.is_none() && QUESTIONS.contains(&of.name.as_str()))
    }

    /// The answer of a word that asks something; None if it is not one.
    pub(super) fn question(&mut self, name: &str, site: &CallSite) -> Option<Option<ExprId>> {
        if !QUESTIONS.contains(&name) {
            return None;
        }
        let answer = match name.trim_start_matches("__CPROVER_").trim_start_matches("__ESBMC_") {
            "r_ok" | "w_ok" | "rw_ok" => self.range_is_valid(site),
            "POINTER_OBJECT" => None,
            "saturating_plus" => self.saturated(Binary::Add, site),
            "saturating_minus" => self.saturated(Binary::Subtract, site),
            "enum_is_in_range" => self.enumerator_question(site),
            word if word.starts_with("overflow") => self.overflow_question(word, site),
            word => self.object_question(word, site),
        };
        let Some(answer) = answer else {
            self.unsupported(self.misuse(name, site), site.span);
            return Some(None);
        };
        let value = match self.program.expr(answer).bits {
            1 if !name.contains("saturating") => self.widen_truth(answer, site.ty),
            _ => {
                let from = self.program.expr(answer).ty;
                self.convert(answer, from, site.ty)
            }
        };
        Some(self.deliver(value, site))
    }

    /// What is wrong with a question that has no answer.
    fn misuse(&self, name: &str, site: &CallSite) -> String {
        match name {
            "__CPROVER_POINTER_OBJECT" | "__ESBMC_POINTER_OBJECT" => {
                format!("the number of an object ({name}): only whether two of them are equal is known")
            }
            "__CPROVER_overflow_unary_minus" if site.arguments.len() == 1 => {
                format!("{name} of an unsigned number")
            }
            "__CPROVER_WRITEABLE_OBJECT" if site.arguments.len() == 1 => {
                format!("{name} in a program that takes the address of a local constant")
            }
            _ => format!("{name} with these arguments"),
        }
    }

    /// `__CPROVER_r_ok(p, n)`, and `__CPROVER_r_ok(p)` for what `p` points to. To CBMC all memory may be written.
    fn range_is_valid(&mut self, site: &CallSite) -> Option<ExprId> {
        let (pointer, size) = match *site.arguments {
            [pointer] => {
                let ty = self.tree.expr(self.written(pointer)).ty;
                let Type::Pointer { to } = *self.program.ty(ty) else { return None };
                let bytes = self.pointee_size(ty);
                let size = (bytes > 0 && !self.is_void(to)).then(|| self.size_constant(bytes))?;
                (self.value(pointer), size)
            }
            [pointer, size] => {
                let values = self.values(&[pointer, size]);
                let from = self.tree.expr(size).ty;
                (values[0], self.convert(values[1], from, self.basic.size))
            }
            _ => return None,
        };
        self.claim_primitive(pointer, site.arguments[0]);
        Some(self.memory(MemoryQuestion::Valid { pointer, size, write: false }))
    }

    /// A pointer that a word is asked about is NULL, or points into an object that lives, or just behind it.
    fn claim_primitive(&mut self, pointer: ExprId, of: tree::ExprId) {
        if !self.options.checks.pointer_primitive || self.in_library() {
            return;
        }
        let written = self.written(of);
        let span = self.tree.expr(written).span;
        let size = self.size_constant(0);
        let valid = self.memory(MemoryQuestion::Valid { pointer, size, write: false });
        let some = self.non_zero(pointer);
        let none = self.not(some);
        let condition = self.or(none, valid);
        let text = format!("{} is NULL or points into an object", self.words(written));
        self.claim(ClaimKind::PointerPrimitive, condition, text, span);
    }

    /// Questions about the object that a pointer points to.
    fn object_question(&mut self, word: &str, site: &CallSite) -> Option<ExprId> {
        let values = self.values(site.arguments);
        if !site.arguments.iter().all(|a| self.is_pointer(self.tree.expr(*a).ty)) {
            return None;
        }
        // Whether an object lives is what some of these ask; others are about the pointer alone.
        if matches!(word, "OBJECT_SIZE" | "DYNAMIC_OBJECT" | "pointer_in_range") {
            for (value, argument) in values.iter().zip(site.arguments) {
                self.claim_primitive(*value, *argument);
            }
        }
        Some(match (word, values.as_slice()) {
            ("OBJECT_SIZE", [p]) => self.memory(MemoryQuestion::ObjectSize(*p)),
            ("POINTER_OFFSET", [p]) => self.pointer_offset(*p),
            ("pointer_in_range", [low, p, high]) => self.is_between(*low, *p, *high),
            ("same_object", [p, q]) => self.memory(MemoryQuestion::SameObject(*p, *q)),
            ("DYNAMIC_OBJECT", [p]) => self.memory(MemoryQuestion::Lives(*p, ObjectKind::Heap)),
            ("LIVE_OBJECT", [p]) => self.memory(MemoryQuestion::Lives(*p, ObjectKind::Any)),
            // Of constants only those that live for ever are known to memory.
            ("WRITEABLE_OBJECT", [p]) if !self.points_to_local_constants() => {
                self.memory(MemoryQuestion::Lives(*p, ObjectKind::Writable))
            }
            _ => return None,
        })
    }

    /// How far behind the start of its object a pointer points.
    fn pointer_offset(&mut self, pointer: ExprId) -> ExprId {
        let layout = self.program.pointer;
        let offset = self.resize(pointer, layout.offset_bits, false, self.basic.difference);
        self.resize(offset, layout.bits, true, self.basic.difference)
    }

    /// Whether three pointers point into one live object, in this order.
    fn is_between(&mut self, low: ExprId, pointer: ExprId, high: ExprId) -> ExprId {
        let (from, at, to) = (self.pointer_offset(low), self.pointer_offset(pointer), self.pointer_offset(high));
        let ty = self.basic.difference;
        let size = self.binary(BinaryOp::Sub, to, from, ty);
        let parts = [
            self.memory(MemoryQuestion::SameObject(pointer, low)),
            self.memory(MemoryQuestion::SameObject(pointer, high)),
            self.memory(MemoryQuestion::Valid { pointer: low, size, write: false }),
            self.binary(BinaryOp::SLe, from, at, ty),
            self.binary(BinaryOp::SLe, at, to, ty),
        ];
        parts.into_iter().reduce(|all, part| self.and(all, part)).expect("there are five")
    }

    /// Whether a number is one that its enumeration names.
    fn enumerator_question(&mut self, site: &CallSite) -> Option<ExprId> {
        let [of] = *site.arguments else { return None };
        let of = self.written(of);
        let ty = self.tree.expr(of).ty;
        if !self.is_enumeration(ty) {
            return None;
        }
        let x = self.value(of);
        self.is_enumerator(x, ty)
    }

    /// The sum or difference in the type of the first operand, or the number of that type that is nearest to it.
    fn saturated(&mut self, op: Binary, site: &CallSite) -> Option<ExprId> {
        let [a, b] = *site.arguments else { return None };
        let (a, b) = (self.written(a), self.written(b));
        let (ty, other) = (self.tree.expr(a).ty, self.tree.expr(b).ty);
        let is_plain = |ty| matches!(self.program.ty(ty), Type::Integer { bits: ..=64, .. });
        if !is_plain(ty) || !is_plain(other) {
            return None;
        }
        let (x, y) = self.pair(a, b);
        let y = self.convert(y, other, ty);
        let ((least, most), signed) = (self.type_range(ty), self.is_signed(ty));
        // One bit more than two of them need.
        let wide = self.bits_of(ty) + 2;
        let [x, y] = [x, y].map(|of| self.resize(of, wide, signed, ty));
        let op = if op == Binary::Add { BinaryOp::Add } else { BinaryOp::Sub };
        let exact = self.binary(op, x, y, ty);
        let mask = (1u128 << wide) - 1;
        let [least, most] = [least, most].map(|n| self.make(P::Const(n as u128 & mask), wide, ty));
        let (below, above) =
            (self.binary(BinaryOp::SLt, exact, least, ty), self.binary(BinaryOp::SLt, most, exact, ty));
        let exact = self.ite(above, most, exact);
        let exact = self.ite(below, least, exact);
        let bits = self.bits_of(ty);
        Some(self.resize(exact, bits, signed, ty))
    }

    /// Whether the address of a local `const` is taken somewhere.
    fn points_to_local_constants(&self) -> bool {
        let local = |of: &tree::Object| of.read_only && of.storage == StorageDuration::Automatic;
        self.tree.objects.iter().zip(&self.exposed).any(|(of, exposed)| *exposed && local(of))
    }

    /// `__CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT(q)`, or `!=`: whether the objects are the same. What
    /// numbers objects have means nothing else, and differs from run to run. None if it is something else.
    pub(super) fn compared_objects(&mut self, e: tree::ExprId) -> Option<ExprId> {
        let ExprKind::Binary(op @ (Binary::Equal | Binary::NotEqual), a, b) = self.tree.expr(e).kind else {
            return None;
        };
        let (of_p, of_q) = (self.object_number(a)?, self.object_number(b)?);
        let (p, q) = self.pair(of_p, of_q);
        let same = self.memory(MemoryQuestion::SameObject(p, q));
        Some(if op == Binary::Equal { same } else { self.not(same) })
    }

    /// The pointer whose object's number an expression is.
    fn object_number(&self, e: tree::ExprId) -> Option<tree::ExprId> {
        let ExprKind::Call { callee, arguments } = &self.tree.expr(self.written(e)).kind else { return None };
        let of = self.tree.function(self.called_function(*callee)?);
        let asks = matches!(of.name.as_str(), "__CPROVER_POINTER_OBJECT" | "__ESBMC_POINTER_OBJECT");
        arguments.first().copied().filter(|_| asks && of.body.is_none())
    }

    /// What stands below the conversions that nobody wrote.
    pub(super) fn written(&self, mut e: tree::ExprId) -> tree::ExprId {
        while let ExprKind::Convert { operand, explicit: false } = self.tree.expr(e).kind {
            e = operand;
        }
        e
    }

    /// `__CPROVER_array_set(a, x)`: every element up to the end of the object is `x`. CBMC goes by the type of the object: it must be named, or
    /// only bytes and zeros are sure to mean the same.
    pub(super) fn array_set(&mut self, site: &CallSite) {
        let [target, value] = *site.arguments else {
            return self.unsupported("__CPROVER_array_set with these arguments", site.span);
        };
        if self.set_elements(target, value, site.span) {
            return;
        }
        let bytes = self.pointee_size(self.tree.expr(self.written(target)).ty);
        if bytes != 1 && !self.is_zero(value) || !self.is_integer(self.tree.expr(value).ty) {
            return self.unsupported("__CPROVER_array_set of elements that are no bytes to anything but 0", site.span);
        }
        let values = self.values(&[target, value]);
        let (pointer, value) = (values[0], self.resize(values[1], 8, false, self.basic.character));
        let whole = self.memory(MemoryQuestion::ObjectSize(pointer));
        let offset = self.resize(pointer, self.program.pointer.offset_bits, false, self.basic.size);
        let offset = self.resize(offset, self.program.pointer.bits, true, self.basic.size);
        let size = self.binary(BinaryOp::Sub, whole, offset, self.basic.size);
        if self.options.checks.pointer {
            let lives = self.memory(MemoryQuestion::Lives(pointer, ObjectKind::Writable));
            let valid = self.memory(MemoryQuestion::Valid { pointer, size, write: true });
            let condition = self.and(lives, valid);
            let text = format!("__CPROVER_array_set: {} points to memory that can be written", self.words(target));
            self.claim(ClaimKind::Precondition, condition, text, site.span);
        }
        self.emit(StatementKind::SetBytes { target: pointer, value, size }, site.span);
    }

    /// Assigns the elements of an array of integers one by one, if the text names it and it is not too long for that.
    fn set_elements(&mut self, target: tree::ExprId, value: tree::ExprId, span: Span) -> bool {
        let from = self.tree.expr(value).ty;
        let Some(array) = self.whole_array(target).filter(|_| self.is_integer(from)) else { return false };
        let Type::Array { of, length } = *self.program.ty(self.tree.expr(array).ty) else { return false };
        if length > MOST_ELEMENTS || !self.is_integer(of) || self.bits_of(of) == 8 {
            return false;
        }
        let value = self.value(value);
        let value = self.convert(value, from, of);
        let located = self.locate(array, Use::Access);
        for index in 0..length {
            let index = self.constant(u128::from(index), self.basic.difference);
            let element = self.project(located.place, Projection::Index(index));
            self.assign(element, value, Origin::Written, span);
        }
        true
    }

    /// The array that an argument is, as the text names it.
    fn whole_array(&self, e: tree::ExprId) -> Option<tree::ExprId> {
        let ExprKind::AddressOf(array) = self.tree.expr(self.written(e)).kind else { return None };
        let of = self.tree.expr(array);
        let known = matches!(self.program.ty(of.ty), Type::Array { length, .. } if *length > 0);
        (known && matches!(of.kind, ExprKind::Object(_))).then_some(array)
    }

    /// Whether the arguments are two arrays of the same type, as the text names them.
    pub(super) fn are_whole_arrays(&self, site: &CallSite) -> bool {
        let arrays = site.arguments.iter().filter_map(|e| self.whole_array(*e)).map(|array| self.tree.expr(array).ty);
        matches!(arrays.collect::<Vec<_>>().as_slice(), [a, b] if a == b)
    }

    /// Whether arithmetic on the operands, converted as for an operator of C, leaves their type.
    fn overflow_question(&mut self, word: &str, site: &CallSite) -> Option<ExprId> {
        if site.arguments.iter().any(|a| !self.is_integer(self.tree.expr(*a).ty)) {
            return None;
        }
        let values = self.values(site.arguments);
        if let ([x], [of], "overflow_unary_minus") = (values.as_slice(), site.arguments, word) {
            let ty = self.tree.expr(*of).ty;
            let least = self.constant(self.type_range(ty).0 as u128, ty);
            return self.is_signed(ty).then(|| self.binary(BinaryOp::Eq, *x, least, ty));
        }
        let ([x, y], [a, b]) = (values.as_slice(), site.arguments) else { return None };
        let (of_x, of_y) = (self.tree.expr(*a).ty, self.tree.expr(*b).ty);
        if word == "overflow_shl" {
            return Some(self.overflow_of_shift(*x, *y, of_x, of_y));
        }
        let ty = self.common_type(of_x, of_y);
        let (x, y) = (self.convert(*x, of_x, ty), self.convert(*y, of_y, ty));
        let op = match (word, self.is_signed(ty)) {
            ("overflow_plus", true) => BinaryOp::SAddOverflows,
            ("overflow_plus", false) => BinaryOp::UAddOverflows,
            ("overflow_minus", true) => BinaryOp::SSubOverflows,
            ("overflow_minus", false) => BinaryOp::USubOverflows,
            ("overflow_mult", true) => BinaryOp::SMulOverflows,
            ("overflow_mult", false) => BinaryOp::UMulOverflows,
            _ => return None,
        };
        Some(self.binary(op, x, y, ty))
    }

    /// Whether bits are lost in `x << y`; a negative distance is a huge one.
    fn overflow_of_shift(&mut self, x: ExprId, y: ExprId, of_x: TypeId, of_y: TypeId) -> ExprId {
        let ty = self.common_type(of_x, self.basic.int);
        let x = self.convert(x, of_x, ty);
        let (width, distance_bits) = (self.bits_of(ty), self.bits_of(of_y));
        let limit = self.make(P::Const(u128::from(width)), distance_bits, of_y);
        let within = self.binary(BinaryOp::ULt, y, limit, self.basic.truth);
        let by = self.resize(y, width, false, ty);
        let shifted = self.binary(BinaryOp::Shl, x, by, ty);
        let back = self.binary(if self.is_signed(ty) { BinaryOp::AShr } else { BinaryOp::LShr }, shifted, by, ty);
        let lost = self.binary(BinaryOp::Ne, back, x, ty);
        let some = self.non_zero(x);
        self.ite(within, lost, some)
    }

    /// The type of an operator on two promoted integers: the wider, or of two equally wide ones the unsigned.
    fn common_type(&self, a: TypeId, b: TypeId) -> TypeId {
        let rank = |ty| (self.bits_of(ty), !self.is_signed(ty));
        if rank(b) > rank(a) { b } else { a }
    }
}
