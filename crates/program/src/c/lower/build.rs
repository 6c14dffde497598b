//! Pure expressions and places: made once each, with the few simplifications that keep conditions readable.
//!
//! Equal terms of one function share an id, so that a repeated check is seen to be one. What is simplified is only what
//! C's own conversions pile up: `(int)(a < b) != 0` is `a < b` again, constants are folded, an extension of an
//! extension is one extension. What the user wrote stays as it was written.

use std::collections::HashMap;

use super::Lowering;
use crate::program::{
    Base, BinaryOp, Conversion, Expr, ExprId, ExprKind, LocalId, MemoryQuestion, Place, PlaceId, Projection, Type,
    TypeId, UnaryOp,
};
use nearmiss_logic::hash::FxBuild;
use nearmiss_logic::width::{low_bits, sign_extend};

/// Terms of the function under work, by what they are.
#[derive(Default)]
pub(super) struct Interner {
    exprs: HashMap<ExprKey, ExprId, FxBuild>,
    places: HashMap<PlaceKey, PlaceId, FxBuild>,
    /// For every expression of the program: does its value depend on memory that an effect could change?
    pub(super) reads: Vec<bool>,
}

/// What kind of expression it is, and the operator.
#[derive(PartialEq, Eq, Hash)]
enum Tag {
    Kind(u32),
    Unary(UnaryOp),
    Binary(BinaryOp),
}

#[derive(PartialEq, Eq, Hash)]
struct ExprKey {
    tag: Tag,
    a: u128,
    b: u32,
    c: u32,
    bits: u32,
    ty: TypeId,
}

#[derive(PartialEq, Eq, Hash)]
struct PlaceKey {
    base: (u8, u32),
    base_type: TypeId,
    path: Vec<(bool, u32)>,
}

impl Interner {
    /// Locals are numbered per function: nothing is shared between two.
    pub(super) fn forget(&mut self) {
        self.exprs.clear();
        self.places.clear();
    }
}

impl Lowering<'_> {
    pub(super) fn bits_of(&self, ty: TypeId) -> u32 {
        self.program.size_bits(ty).clamp(1, 128) as u32
    }

    pub(super) fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.program.ty(ty), Type::Float { .. })
    }

    pub(super) fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.program.ty(ty), Type::Pointer { .. })
    }

    pub(super) fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.program.ty(ty), Type::Integer { .. } | Type::Enum { .. } | Type::Bool)
    }

    pub(super) fn is_signed(&self, ty: TypeId) -> bool {
        self.program.is_signed(ty)
    }

    pub(super) fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.program.ty(ty), Type::Void)
    }

    /// An expression as such, rounded as the program says where it may be.
    pub(super) fn make(&mut self, kind: ExprKind, bits: u32, ty: TypeId) -> ExprId {
        let mode = self.mode_for(&kind, bits);
        let value = self.made(kind, bits, ty);
        mode.map_or(value, |mode| self.made(ExprKind::Rounded { mode, value }, bits, ty))
    }

    fn made(&mut self, kind: ExprKind, bits: u32, ty: TypeId) -> ExprId {
        let key = expr_key(&kind, bits, ty);
        if let Some(id) = self.interner.exprs.get(&key) {
            return *id;
        }
        let reads = self.reads_of(&kind);
        let id = ExprId(self.program.exprs.len() as u32);
        self.program.exprs.push(Expr { kind, bits, ty });
        self.interner.reads.push(reads);
        self.interner.exprs.insert(key, id);
        id
    }

    fn reads_of(&self, kind: &ExprKind) -> bool {
        let reads = |e: ExprId| self.reads(e);
        match *kind {
            ExprKind::Const(_) | ExprKind::FunctionAddress(_) => false,
            ExprKind::Load(place) => match self.program.place(place).base {
                Base::Local(local) if self.f.locals[local.index()].temporary => self.place_reads(place),
                _ => true,
            },
            ExprKind::AddressOf(place) => self.place_reads(place),
            ExprKind::Unary(_, x) | ExprKind::Convert(_, x) => reads(x),
            ExprKind::Binary(_, x, y) | ExprKind::Rounded { mode: x, value: y } => reads(x) || reads(y),
            ExprKind::Ite(c, x, y) => reads(c) || reads(x) || reads(y),
            ExprKind::Memory(_) => true,
        }
    }

    /// Could an effect change the value of this expression?
    pub(super) fn reads(&self, e: ExprId) -> bool {
        self.interner.reads[e.index()]
    }

    /// Could an effect change which object this place is?
    pub(super) fn place_reads(&self, place: PlaceId) -> bool {
        let place = self.program.place(place);
        let base = matches!(place.base, Base::Deref(e) if self.reads(e));
        base || place.path.iter().any(|p| matches!(p, Projection::Index(e) if self.reads(*e)))
    }

    pub(super) fn constant(&mut self, value: u128, ty: TypeId) -> ExprId {
        let bits = self.bits_of(ty);
        self.make(ExprKind::Const(value & low_bits(bits)), bits, ty)
    }

    pub(super) fn truth_constant(&mut self, value: bool) -> ExprId {
        self.make(ExprKind::Const(u128::from(value)), 1, self.basic.truth)
    }

    /// A size or offset in bytes.
    pub(super) fn size_constant(&mut self, value: u64) -> ExprId {
        self.constant(u128::from(value), self.basic.size)
    }

    pub(super) fn as_constant(&self, e: ExprId) -> Option<u128> {
        match self.program.expr(e).kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn bits(&self, e: ExprId) -> u32 {
        self.program.expr(e).bits
    }

    pub(super) fn not(&mut self, x: ExprId) -> ExprId {
        let Expr { kind, bits, ty } = *self.program.expr(x);
        match kind {
            ExprKind::Const(value) => self.make(ExprKind::Const(!value & low_bits(bits)), bits, ty),
            ExprKind::Unary(UnaryOp::Not, inner) => inner,
            ExprKind::Binary(BinaryOp::Eq, a, b) if bits == 1 => self.make(ExprKind::Binary(BinaryOp::Ne, a, b), 1, ty),
            ExprKind::Binary(BinaryOp::Ne, a, b) if bits == 1 => self.make(ExprKind::Binary(BinaryOp::Eq, a, b), 1, ty),
            _ => self.make(ExprKind::Unary(UnaryOp::Not, x), bits, ty),
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, x: ExprId) -> ExprId {
        let Expr { kind, bits, ty } = *self.program.expr(x);
        match (op, kind) {
            (UnaryOp::Not, _) => self.not(x),
            (UnaryOp::Neg, ExprKind::Const(value)) => {
                self.make(ExprKind::Const(value.wrapping_neg() & low_bits(bits)), bits, ty)
            }
            (UnaryOp::FIsNan | UnaryOp::FIsInfinite, _) => self.make(ExprKind::Unary(op, x), 1, self.basic.truth),
            _ => self.make(ExprKind::Unary(op, x), bits, ty),
        }
    }

    pub(super) fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::And, a, b, self.basic.truth)
    }

    pub(super) fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Or, a, b, self.basic.truth)
    }

    /// Two operands of the same width; `ty` is the type of a result that is no truth value.
    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: TypeId) -> ExprId {
        let width = self.bits(a);
        let b = if self.bits(b) == width { b } else { self.resize(b, width, false, ty) };
        let one_bit = is_question(op) || width == 1;
        let (bits, ty) = if one_bit { (1, self.basic.truth) } else { (width, ty) };
        let (x, y) = (self.as_constant(a), self.as_constant(b));
        if let (Some(x), Some(y)) = (x, y)
            && let Some(value) = fold(op, x, y, width)
        {
            return self.make(ExprKind::Const(value & low_bits(bits)), bits, ty);
        }
        match op {
            BinaryOp::And if width == 1 => match (x, y) {
                (Some(0), _) | (_, Some(1)) => return a,
                (_, Some(0)) | (Some(1), _) => return b,
                _ => {}
            },
            BinaryOp::Or if width == 1 => match (x, y) {
                (Some(1), _) | (_, Some(0)) => return a,
                (_, Some(1)) | (Some(0), _) => return b,
                _ => {}
            },
            BinaryOp::Eq | BinaryOp::Ne => {
                for (value, other) in [(y, a), (x, b)] {
                    if let (Some(value @ 0..=1), Some(truth)) = (value, self.as_truth(other)) {
                        return if (value == 1) == (op == BinaryOp::Eq) { truth } else { self.not(truth) };
                    }
                }
            }
            // What pointer arithmetic adds by itself: elements of one byte, the first element.
            BinaryOp::Mul if y == Some(1) && self.is_address_type(ty) => return a,
            BinaryOp::Add if y == Some(0) && self.is_address_type(ty) => return a,
            BinaryOp::Add if x == Some(0) && self.is_address_type(ty) => return b,
            _ => {}
        }
        self.make(ExprKind::Binary(op, a, b), bits, ty)
    }

    fn is_address_type(&self, ty: TypeId) -> bool {
        self.is_pointer(ty) || ty == self.basic.difference
    }

    /// The truth value that was widened to this.
    fn as_truth(&self, e: ExprId) -> Option<ExprId> {
        let expr = self.program.expr(e);
        match expr.kind {
            _ if expr.bits == 1 => Some(e),
            ExprKind::Convert(Conversion::ZeroExtend, x) => self.as_truth(x),
            _ => None,
        }
    }

    /// `x != 0` of an integer or pointer.
    pub(super) fn non_zero(&mut self, x: ExprId) -> ExprId {
        if let Some(truth) = self.as_truth(x) {
            return truth;
        }
        if let ExprKind::Convert(Conversion::ZeroExtend | Conversion::SignExtend, inner) = self.program.expr(x).kind {
            return self.non_zero(inner);
        }
        let Expr { bits, ty, .. } = *self.program.expr(x);
        let zero = self.make(ExprKind::Const(0), bits, ty);
        self.binary(BinaryOp::Ne, x, zero, ty)
    }

    pub(super) fn ite(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match self.as_constant(condition) {
            Some(1) => return then,
            Some(_) => return otherwise,
            None if then == otherwise => return then,
            None => {}
        }
        let Expr { bits, ty, .. } = *self.program.expr(then);
        self.make(ExprKind::Ite(condition, then, otherwise), bits, ty)
    }

    /// To another width as an integer.
    pub(super) fn resize(&mut self, x: ExprId, bits: u32, sign: bool, ty: TypeId) -> ExprId {
        let Expr { kind, bits: from, .. } = *self.program.expr(x);
        if let ExprKind::Const(value) = kind {
            let value = if sign { sign_extend(value, from) as u128 } else { value };
            return self.make(ExprKind::Const(value & low_bits(bits)), bits, ty);
        }
        if from == bits {
            return x;
        }
        if bits < from {
            if let ExprKind::Convert(op @ (Conversion::ZeroExtend | Conversion::SignExtend), inner) = kind {
                let narrow = self.bits(inner);
                if narrow >= bits {
                    return self.resize(inner, bits, false, ty);
                }
                return self.make(ExprKind::Convert(op, inner), bits, ty);
            }
            return self.make(ExprKind::Convert(Conversion::Truncate, x), bits, ty);
        }
        match kind {
            ExprKind::Convert(Conversion::ZeroExtend, inner) => {
                self.make(ExprKind::Convert(Conversion::ZeroExtend, inner), bits, ty)
            }
            ExprKind::Convert(Conversion::SignExtend, inner) if sign => {
                self.make(ExprKind::Convert(Conversion::SignExtend, inner), bits, ty)
            }
            _ => {
                let op = if sign { Conversion::SignExtend } else { Conversion::ZeroExtend };
                self.make(ExprKind::Convert(op, x), bits, ty)
            }
        }
    }

    /// A truth value as a number of a type.
    pub(super) fn widen_truth(&mut self, x: ExprId, ty: TypeId) -> ExprId {
        let bits = self.bits_of(ty);
        self.resize(x, bits, false, ty)
    }

    /// `x != 0` of a scalar of this type.
    pub(super) fn truth_of(&mut self, x: ExprId, ty: TypeId) -> ExprId {
        if self.is_float(ty) {
            let bits = self.bits(x);
            let zero = self.make(ExprKind::Const(0), bits, ty);
            let equal = self.binary(BinaryOp::FEq, x, zero, ty);
            self.not(equal)
        } else {
            self.non_zero(x)
        }
    }

    /// A scalar converted as C does.
    pub(super) fn convert(&mut self, x: ExprId, from: TypeId, to: TypeId) -> ExprId {
        let bits = self.bits_of(to);
        if matches!(self.program.ty(to), Type::Bool) {
            let truth = self.truth_of(x, from);
            return self.widen_truth(truth, to);
        }
        match (self.is_float(from), self.is_float(to)) {
            (false, false) => {
                let sign = self.is_signed(from);
                self.resize(x, bits, sign, to)
            }
            (true, true) if self.bits(x) == bits => x,
            (true, true) => self.make(ExprKind::Convert(Conversion::FloatToFloat, x), bits, to),
            (false, true) => {
                let op = if self.is_signed(from) { Conversion::SignedToFloat } else { Conversion::UnsignedToFloat };
                self.make(ExprKind::Convert(op, x), bits, to)
            }
            (true, false) => {
                let op = if self.is_signed(to) { Conversion::FloatToSigned } else { Conversion::FloatToUnsigned };
                self.make(ExprKind::Convert(op, x), bits, to)
            }
        }
    }

    pub(super) fn memory(&mut self, question: MemoryQuestion) -> ExprId {
        let (bits, ty) = match question {
            MemoryQuestion::ObjectSize(_) => (self.program.pointer.bits, self.basic.size),
            _ => (1, self.basic.truth),
        };
        self.make(ExprKind::Memory(question), bits, ty)
    }

    /// A whole object.
    pub(super) fn base_place(&mut self, base: Base, ty: TypeId) -> PlaceId {
        let bits = self.program.size_bits(ty);
        self.make_place(Place { base, base_type: ty, path: Vec::new(), ty, bits })
    }

    pub(super) fn local_place(&mut self, local: LocalId) -> PlaceId {
        let ty = self.f.locals[local.index()].ty;
        self.base_place(Base::Local(local), ty)
    }

    /// One step into a place. A step that the type does not have (which no tree has) stays where it is.
    pub(super) fn project(&mut self, place: PlaceId, step: Projection) -> PlaceId {
        let mut place = self.program.place(place).clone();
        let (ty, bits) = match (step, self.program.ty(place.ty)) {
            (Projection::Field(n), Type::Record { fields, .. }) if (n as usize) < fields.len() => {
                let field = &fields[n as usize];
                (field.ty, if field.bit_field { field.bits } else { self.program.size_bits(field.ty) })
            }
            (Projection::Index(_), Type::Array { of, .. }) => (*of, self.program.size_bits(*of)),
            _ => return self.make_place(place),
        };
        place.path.push(step);
        place.ty = ty;
        place.bits = bits;
        self.make_place(place)
    }

    fn make_place(&mut self, place: Place) -> PlaceId {
        let base = match place.base {
            Base::Local(id) => (0, id.0),
            Base::Global(id) => (1, id.0),
            Base::Deref(e) => (2, e.0),
        };
        let step = |p: &Projection| match p {
            Projection::Field(n) => (false, *n),
            Projection::Index(e) => (true, e.0),
        };
        let key = PlaceKey { base, base_type: place.base_type, path: place.path.iter().map(step).collect() };
        *self.interner.places.entry(key).or_insert_with(|| {
            self.program.places.push(place);
            PlaceId(self.program.places.len() as u32 - 1)
        })
    }

    /// The contents of a scalar place, widened to its type where it is a bit-field.
    pub(super) fn load(&mut self, place: PlaceId) -> ExprId {
        let Place { ty, bits, .. } = *self.program.place(place);
        let value = self.make(ExprKind::Load(place), bits.clamp(1, 128) as u32, ty);
        let (full, sign) = (self.bits_of(ty), self.is_signed(ty));
        self.resize(value, full, sign, ty)
    }

    /// The address of a place; a local is reachable by pointers from now on.
    pub(super) fn address(&mut self, place: PlaceId, ty: TypeId) -> ExprId {
        let of = self.program.place(place);
        match of.base {
            Base::Deref(pointer) if of.path.is_empty() => return pointer,
            Base::Local(local) => self.f.locals[local.index()].address_taken = true,
            _ => {}
        }
        let bits = self.program.pointer.bits;
        self.make(ExprKind::AddressOf(place), bits, ty)
    }
}

fn is_question(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(
        op,
        Eq | Ne
            | ULt
            | ULe
            | SLt
            | SLe
            | SAddOverflows
            | SSubOverflows
            | SMulOverflows
            | UAddOverflows
            | USubOverflows
            | UMulOverflows
            | FEq
            | FLt
            | FLe
    )
}

/// The value of an operator on constants; floats and undefined cases are left to the machines.
pub(super) fn fold(op: BinaryOp, x: u128, y: u128, bits: u32) -> Option<u128> {
    use BinaryOp::*;
    let (sx, sy) = (sign_extend(x, bits), sign_extend(y, bits));
    let fits = |value: Option<i128>| value.is_some_and(|v| sign_extend(v as u128 & low_bits(bits), bits) == v);
    let fits_unsigned = |value: Option<u128>| value.is_some_and(|v| v <= low_bits(bits));
    let truth = |b: bool| Some(u128::from(b));
    match op {
        Add => Some(x.wrapping_add(y)),
        Sub => Some(x.wrapping_sub(y)),
        Mul => Some(x.wrapping_mul(y)),
        UDiv => x.checked_div(y),
        URem => x.checked_rem(y),
        SDiv => sx.checked_div(sy).map(|v| v as u128),
        SRem => sx.checked_rem(sy).map(|v| v as u128),
        Shl => (y < u128::from(bits)).then(|| x << y),
        LShr => (y < u128::from(bits)).then(|| x >> y),
        AShr => (y < u128::from(bits)).then(|| (sx >> y) as u128),
        And => Some(x & y),
        Or => Some(x | y),
        Xor => Some(x ^ y),
        Eq => truth(x == y),
        Ne => truth(x != y),
        ULt => truth(x < y),
        ULe => truth(x <= y),
        SLt => truth(sx < sy),
        SLe => truth(sx <= sy),
        SAddOverflows => truth(!fits(sx.checked_add(sy))),
        SSubOverflows => truth(!fits(sx.checked_sub(sy))),
        SMulOverflows => truth(!fits(sx.checked_mul(sy))),
        UAddOverflows => truth(!fits_unsigned(x.checked_add(y))),
        USubOverflows => truth(x < y),
        UMulOverflows => truth(!fits_unsigned(x.checked_mul(y))),
        FAdd | FSub | FMul | FDiv | FEq | FLt | FLe | Machine(_) => None,
    }
}

fn expr_key(kind: &ExprKind, bits: u32, ty: TypeId) -> ExprKey {
    let tagged = |tag: Tag, a: u128, b: u32, c: u32| ExprKey { tag, a, b, c, bits, ty };
    let key = |kind: u32, a: u128, b: u32, c: u32| tagged(Tag::Kind(kind), a, b, c);
    match *kind {
        ExprKind::Const(value) => key(0, value, 0, 0),
        ExprKind::Load(place) => key(1, 0, place.0, 0),
        ExprKind::AddressOf(place) => key(2, 0, place.0, 0),
        ExprKind::FunctionAddress(f) => key(3, 0, f.0, 0),
        ExprKind::Unary(op, x) => tagged(Tag::Unary(op), 0, x.0, 0),
        ExprKind::Binary(op, x, y) => tagged(Tag::Binary(op), 0, x.0, y.0),
        ExprKind::Ite(c, x, y) => key(6, u128::from(c.0), x.0, y.0),
        ExprKind::Convert(op, x) => key(7 | (op as u32) << 8, 0, x.0, 0),
        ExprKind::Memory(MemoryQuestion::Valid { pointer, size, write }) => {
            key(8 | u32::from(write) << 8, 0, pointer.0, size.0)
        }
        ExprKind::Memory(MemoryQuestion::Freeable(x)) => key(9, 0, x.0, 0),
        ExprKind::Memory(MemoryQuestion::SameObject(x, y)) => key(10, 0, x.0, y.0),
        ExprKind::Memory(MemoryQuestion::ObjectSize(x)) => key(11, 0, x.0, 0),
        ExprKind::Memory(MemoryQuestion::Lives(x, kind)) => key(12, 0, x.0, kind as u32),
        ExprKind::Rounded { mode, value } => key(13, 0, mode.0, value.0),
    }
}
