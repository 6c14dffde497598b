//! Expressions under symbolic execution: each operator of the program as terms.

use nearmiss_logic::float::{self, Format, Rounding};
use nearmiss_logic::known;
use nearmiss_logic::term::{Node, Term};
use nearmiss_logic::width::low_bits;

use super::{Frame, State, Symex};
use nearmiss_program::extended::is_extended;
use nearmiss_program::program::{
    Base, BinaryOp, Conversion, ExprId, ExprKind, MemoryQuestion, PlaceId, Program, Projection, Toward, Type, UnaryOp,
};

impl Symex<'_> {
    /// The value of an expression on a path.
    pub fn eval(&mut self, state: &mut State, frame: &Frame, id: ExprId) -> Term {
        let value = self.value(state, frame, id);
        if self.program.expr(id).bits == 1 && is_whole(self.program, id) {
            self.remember_whole(value);
        }
        if self.program.expr(id).bits == 1 {
            self.remember_denial(id, value);
        }
        value
    }

    /// Remembers what is left of a condition where the other part in the text, `y > 2`, is never so (or always).
    fn remember_rest(&mut self, parts: [(ExprId, Term); 2], value: Term) {
        let is_settled_order =
            |(id, term): (ExprId, Term)| self.eq.terms.as_const(term).is_some() && is_order(self.program, id);
        let rest = match self.eq.terms.node(value) {
            Node::Not(inner) => inner,
            _ => value,
        };
        if self.eq.terms.as_const(rest).is_none() && parts.into_iter().any(is_settled_order) {
            self.eq.rests.insert(rest);
        }
    }

    /// Remembers what the text denies. Terms do not tell `!(a < b)` from `a >= b`.
    fn remember_denial(&mut self, id: ExprId, value: Term) {
        let kind = |id: ExprId| self.program.expr(id).kind;
        let is_zero = |id: ExprId| matches!(kind(id), ExprKind::Const(0));
        let is_denial = match kind(id) {
            ExprKind::Unary(UnaryOp::Not, _) => true,
            // `!x` of a number is `x == 0`, and `x` is `x != 0`.
            ExprKind::Binary(BinaryOp::Eq, a, b) => is_zero(a) || is_zero(b),
            _ => false,
        };
        if is_denial {
            self.eq.denials.insert(value);
        } else if matches!(kind(id), ExprKind::Binary(BinaryOp::Ne, a, b) if !is_zero(a) && !is_zero(b)) {
            self.eq.unequals.insert(value);
        }
    }

    /// Remembers a condition that the text does not divide, where the term for it looks as if it did.
    fn remember_whole(&mut self, value: Term) {
        let terms = &self.eq.terms;
        let inner = match terms.node(value) {
            Node::Not(inner) => inner,
            _ => value,
        };
        let is_plain = |term: Term| terms.is_variable(term) || terms.as_const(term).is_some();
        let is_simple = is_plain(inner) || matches!(terms.node(inner), Node::Eq(a, b) if is_plain(a) && is_plain(b));
        if !is_simple {
            self.eq.wholes.insert(inner);
        }
    }

    fn value(&mut self, state: &mut State, frame: &Frame, id: ExprId) -> Term {
        let expr = *self.program.expr(id);
        match expr.kind {
            ExprKind::Const(value) => self.eq.terms.constant(expr.bits, value),
            ExprKind::Load(place) => {
                let accesses = self.resolve(state, frame, place);
                self.reads_place(&state.cells, &accesses, 0, u64::from(expr.bits));
                let value = self.read_accesses(&state.cells, &accesses, 0, expr.bits);
                self.as_taken(value)
            }
            ExprKind::AddressOf(place) => self.address_of(state, frame, place),
            ExprKind::FunctionAddress(function) => {
                self.eq.terms.constant(expr.bits, self.program.function_address(function))
            }
            ExprKind::Unary(op, operand) => {
                let operand = self.eval(state, frame, operand);
                self.unary(op, Rounding::NEAREST, operand)
            }
            ExprKind::Binary(op, a, b) => {
                let pointers = matches!(self.program.ty(self.program.expr(a).ty), Type::Pointer { .. });
                let ids = (a, b);
                let (a, b) = (self.eval(state, frame, a), self.eval(state, frame, b));
                self.compare(op, [ids.0, ids.1], [a, b]);
                if pointers && matches!(op, BinaryOp::Eq | BinaryOp::Ne) && self.pointers_differ(a, b) {
                    return self.eq.terms.bool(op == BinaryOp::Ne);
                }
                let value = self.binary(op, Rounding::NEAREST, a, b);
                if expr.bits == 1 && matches!(op, BinaryOp::And | BinaryOp::Or) {
                    self.remember_rest([(ids.0, a), (ids.1, b)], value);
                }
                value
            }
            ExprKind::Ite(condition, yes, no) => {
                let ids = (yes, no);
                let condition = self.eval(state, frame, condition);
                let (yes, no) = (self.eval(state, frame, yes), self.eval(state, frame, no));
                if expr.bits == 1 && self.eq.terms.is_true(no) {
                    let denied = self.eq.terms.not(condition);
                    self.eq.denials.insert(denied);
                }
                let value = self.eq.terms.ite(condition, yes, no);
                if expr.bits == 1 {
                    self.remember_rest([(ids.0, yes), (ids.1, no)], value);
                }
                value
            }
            ExprKind::Convert(conversion, operand) => {
                let operand = self.eval(state, frame, operand);
                self.convert(conversion, Rounding::NEAREST, operand, expr.bits)
            }
            ExprKind::Rounded { mode, value } => self.rounded(state, frame, mode, value),
            ExprKind::Memory(question) => self.answer(state, frame, question),
        }
    }

    /// What an operator or a conversion gives, rounded as a number says.
    fn rounded(&mut self, state: &mut State, frame: &Frame, mode: ExprId, value: ExprId) -> Term {
        let rounding = Rounding::Chosen(self.eval(state, frame, mode));
        let expr = *self.program.expr(value);
        match expr.kind {
            ExprKind::Unary(op, a) => {
                let a = self.eval(state, frame, a);
                self.unary(op, rounding, a)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.eval(state, frame, a), self.eval(state, frame, b));
                self.binary(op, rounding, a, b)
            }
            ExprKind::Convert(conversion, a) => {
                let a = self.eval(state, frame, a);
                self.convert(conversion, rounding, a, expr.bits)
            }
            _ => self.eval(state, frame, value),
        }
    }

    fn answer(&mut self, state: &mut State, frame: &Frame, question: MemoryQuestion) -> Term {
        match question {
            MemoryQuestion::Valid { pointer, size, write } => {
                let (pointer, size) = (self.eval(state, frame, pointer), self.eval(state, frame, size));
                self.ask_behind(pointer);
                self.valid(&state.cells, pointer, size, write)
            }
            MemoryQuestion::Freeable(pointer) => {
                let pointer = self.eval(state, frame, pointer);
                self.freeable(&state.cells, pointer)
            }
            MemoryQuestion::SameObject(a, b) => {
                let (a, b) = (self.eval(state, frame, a), self.eval(state, frame, b));
                self.compare_objects(a, b);
                let layout = self.program.pointer;
                let a = self.eq.terms.extract(a, layout.bits - 1, layout.offset_bits);
                let b = self.eq.terms.extract(b, layout.bits - 1, layout.offset_bits);
                self.eq.terms.eq(a, b)
            }
            MemoryQuestion::ObjectSize(pointer) => {
                let pointer = self.eval(state, frame, pointer);
                self.ask_behind(pointer);
                self.object_size(&state.cells, pointer)
            }
            MemoryQuestion::Lives(pointer, kind) => {
                let pointer = self.eval(state, frame, pointer);
                self.ask_behind(pointer);
                self.belongs_to_live(&state.cells, pointer, kind)
            }
        }
    }

    fn pointers_differ(&mut self, a: Term, b: Term) -> bool {
        match (self.eq.terms.as_const(a), self.eq.terms.as_const(b)) {
            (None, Some(constant)) => self.cannot_equal(a, constant),
            (Some(constant), None) => self.cannot_equal(b, constant),
            _ => false,
        }
    }

    fn unary(&mut self, op: UnaryOp, rounding: Rounding, a: Term) -> Term {
        let terms = &mut self.eq.terms;
        let width = terms.width(a);
        match op {
            UnaryOp::Not | UnaryOp::Neg => {}
            UnaryOp::FNeg | UnaryOp::FAbs if is_extended(width) => {
                let sign = terms.constant(width, 1 << 79);
                let rest = terms.not(sign);
                return if op == UnaryOp::FNeg { terms.xor(a, sign) } else { terms.and(a, rest) };
            }
            _ if is_extended(width) => {
                let a = float::from_extended(terms, a);
                let result = self.unary_in(op, Format::EXTENDED, rounding, a);
                return self.closed(result, width);
            }
            _ => {}
        }
        self.unary_in(op, format_of(width), rounding, a)
    }

    /// What was computed of a `long double`, as the machine stores it; a truth value stays one.
    fn closed(&mut self, result: Term, width: u32) -> Term {
        let terms = &mut self.eq.terms;
        if terms.width(result) == 1 { result } else { float::to_extended(terms, result, width) }
    }

    fn unary_in(&mut self, op: UnaryOp, format: Format, rounding: Rounding, a: Term) -> Term {
        let terms = &mut self.eq.terms;
        match op {
            UnaryOp::Not => terms.not(a),
            UnaryOp::Neg => terms.neg(a),
            UnaryOp::FNeg => float::neg(terms, format, a),
            UnaryOp::FAbs => float::abs(terms, format, a),
            UnaryOp::FSqrt => float::sqrt(terms, format, rounding, a),
            UnaryOp::FRound(toward) => {
                // `floor` is `floor` in every mode; `rint` is what the mode says.
                let rounding = match toward {
                    Toward::Below => Rounding::Fixed(float::Toward::Below),
                    Toward::Above => Rounding::Fixed(float::Toward::Above),
                    Toward::Zero => Rounding::Fixed(float::Toward::Zero),
                    Toward::HalfAway => Rounding::Fixed(float::Toward::HalfAway),
                    Toward::HalfEven => rounding,
                };
                float::to_integral(terms, format, rounding, a)
            }
            UnaryOp::Machine(function) => known::known(function, terms, format, a, a),
            UnaryOp::FIsNan => float::is_nan(terms, format, a),
            UnaryOp::FIsInfinite => float::is_infinite(terms, format, a),
        }
    }

    fn binary(&mut self, op: BinaryOp, rounding: Rounding, a: Term, b: Term) -> Term {
        use BinaryOp::{FAdd, FDiv, FEq, FLe, FLt, FMul, FSub};
        let terms = &mut self.eq.terms;
        let width = terms.width(a);
        if is_extended(width) && matches!(op, FAdd | FSub | FMul | FDiv | FEq | FLt | FLe) {
            let (a, b) = (float::from_extended(terms, a), float::from_extended(terms, b));
            let result = self.binary_in(op, Format::EXTENDED, rounding, a, b);
            return self.closed(result, width);
        }
        if self.stays_within(op, a, b) {
            self.settles();
            return self.eq.terms.fals();
        }
        self.binary_in(op, format_of(width), rounding, a, b)
    }

    fn binary_in(&mut self, op: BinaryOp, format: Format, rounding: Rounding, a: Term, b: Term) -> Term {
        let terms = &mut self.eq.terms;
        match op {
            BinaryOp::Add => terms.add(a, b),
            BinaryOp::Sub => terms.sub(a, b),
            BinaryOp::Mul => terms.mul(a, b),
            BinaryOp::UDiv => terms.udiv(a, b),
            BinaryOp::SDiv => terms.sdiv(a, b),
            BinaryOp::URem => terms.urem(a, b),
            BinaryOp::SRem => terms.srem(a, b),
            BinaryOp::Shl => terms.shl(a, b),
            BinaryOp::LShr => terms.lshr(a, b),
            BinaryOp::AShr => terms.ashr(a, b),
            BinaryOp::And => terms.and(a, b),
            BinaryOp::Or => terms.or(a, b),
            BinaryOp::Xor => terms.xor(a, b),
            BinaryOp::Eq => terms.eq(a, b),
            BinaryOp::Ne => terms.ne(a, b),
            BinaryOp::ULt => terms.ult(a, b),
            BinaryOp::ULe => terms.ule(a, b),
            BinaryOp::SLt => terms.slt(a, b),
            BinaryOp::SLe => terms.sle(a, b),
            BinaryOp::SAddOverflows => {
                // The operands agree in sign and the sum does not.
                let sum = terms.add(a, b);
                let (x, y) = (terms.xor(a, sum), terms.xor(b, sum));
                let both = terms.and(x, y);
                sign(terms, both)
            }
            BinaryOp::SSubOverflows => {
                let difference = terms.sub(a, b);
                let (x, y) = (terms.xor(a, b), terms.xor(a, difference));
                let both = terms.and(x, y);
                sign(terms, both)
            }
            BinaryOp::UAddOverflows => {
                let sum = terms.add(a, b);
                terms.ult(sum, a)
            }
            BinaryOp::USubOverflows => terms.ult(a, b),
            BinaryOp::SMulOverflows => self.multiplication_overflows(a, b, true),
            BinaryOp::UMulOverflows => self.multiplication_overflows(a, b, false),
            BinaryOp::FAdd => float::add(terms, format, rounding, a, b),
            BinaryOp::FSub => float::sub(terms, format, rounding, a, b),
            BinaryOp::FMul => float::mul(terms, format, rounding, a, b),
            BinaryOp::FDiv => float::div(terms, format, rounding, a, b),
            BinaryOp::Machine(function) => known::known(function, terms, format, a, b),
            BinaryOp::FEq => float::eq(terms, format, a, b),
            BinaryOp::FLt => float::lt(terms, format, a, b),
            BinaryOp::FLe => float::le(terms, format, a, b),
        }
    }

    /// Is it known of an operation that its result does not leave its type?
    fn stays_within(&mut self, op: BinaryOp, a: Term, b: Term) -> bool {
        use BinaryOp::{SAddOverflows, SMulOverflows, SSubOverflows, UAddOverflows, UMulOverflows};
        if !matches!(op, SAddOverflows | SSubOverflows | SMulOverflows | UAddOverflows | UMulOverflows) {
            return false;
        }
        // Of constants no range need tell it.
        if self.eq.terms.as_const(a).is_some() && self.eq.terms.as_const(b).is_some() {
            return false;
        }
        let (Some(a), Some(b)) = (self.range_here(a), self.range_here(b)) else { return false };
        match op {
            SAddOverflows | UAddOverflows => a.sum_fits(b, op == SAddOverflows),
            SSubOverflows => a.difference_fits(b),
            _ => a.product_fits(b, op == SMulOverflows),
        }
    }

    fn multiplication_overflows(&mut self, a: Term, b: Term, signed: bool) -> Term {
        let terms = &mut self.eq.terms;
        let width = terms.width(a);
        let (a, b) = if terms.as_const(a).is_some() { (b, a) } else { (a, b) };
        if let Some(factor) = terms.as_const(b) {
            return self.constant_multiple_overflows(a, factor, signed);
        }
        if width <= 64 {
            let (wide_a, wide_b) = if signed {
                (terms.sext(a, 2 * width), terms.sext(b, 2 * width))
            } else {
                (terms.zext(a, 2 * width), terms.zext(b, 2 * width))
            };
            let product = terms.mul(wide_a, wide_b);
            let low = terms.extract(product, width - 1, 0);
            let back = if signed { terms.sext(low, 2 * width) } else { terms.zext(low, 2 * width) };
            return terms.ne(product, back);
        }
        // No room for the whole product: divide it back.
        let product = terms.mul(a, b);
        let zero = terms.constant(width, 0);
        let nonzero = terms.ne(a, zero);
        if !signed {
            let quotient = terms.udiv(product, a);
            let differs = terms.ne(quotient, b);
            return terms.and(nonzero, differs);
        }
        let least = terms.constant(width, 1 << (width - 1));
        let minus_one = terms.constant(width, u128::MAX);
        let quotient = terms.sdiv(product, a);
        let differs = terms.ne(quotient, b);
        let (is_minus_one, is_least) = (terms.eq(a, minus_one), terms.eq(b, least));
        let corner = terms.and(is_minus_one, is_least);
        let inexact = terms.and(nonzero, differs);
        terms.or(corner, inexact)
    }

    /// `a * factor` leaves the range: two comparisons instead of a product.
    fn constant_multiple_overflows(&mut self, a: Term, factor: u128, signed: bool) -> Term {
        let terms = &mut self.eq.terms;
        let width = terms.width(a);
        if !signed {
            let Some(most) = low_bits(width).checked_div(factor) else { return terms.fals() };
            let most = terms.constant(width, most);
            return terms.ugt(a, most);
        }
        let least = i128::MIN >> (128 - width);
        let greatest = i128::MAX >> (128 - width);
        let factor = (factor << (128 - width)) as i128 >> (128 - width);
        let (low, high) = match factor {
            0 => return terms.fals(),
            -1 => (least + 1, greatest),
            f if f > 0 => (least / f, greatest / f),
            f => (greatest / f, least / f),
        };
        let low = terms.constant(width, low as u128 & low_bits(width));
        let high = terms.constant(width, high as u128 & low_bits(width));
        let (below, above) = (terms.slt(a, low), terms.sgt(a, high));
        terms.or(below, above)
    }

    fn convert(&mut self, conversion: Conversion, rounding: Rounding, a: Term, bits: u32) -> Term {
        use Conversion::{FloatToFloat, FloatToSigned, FloatToUnsigned, SignedToFloat, UnsignedToFloat};
        let terms = &mut self.eq.terms;
        let (from, to) = (format_of(terms.width(a)), format_of(bits));
        let from_float = matches!(conversion, FloatToFloat | FloatToSigned | FloatToUnsigned);
        let to_float = matches!(conversion, FloatToFloat | SignedToFloat | UnsignedToFloat);
        let opened = from_float && is_extended(terms.width(a));
        let a = if opened { float::from_extended(terms, a) } else { a };
        let result = match conversion {
            Conversion::ZeroExtend => terms.zext(a, bits),
            Conversion::SignExtend => terms.sext(a, bits),
            Conversion::Truncate => terms.extract(a, bits - 1, 0),
            Conversion::SignedToFloat => float::from_signed(terms, to, rounding, a),
            Conversion::UnsignedToFloat => float::from_unsigned(terms, to, rounding, a),
            Conversion::FloatToSigned => float::to_signed(terms, from, a, bits),
            Conversion::FloatToUnsigned => float::to_unsigned(terms, from, a, bits),
            Conversion::FloatToFloat => float::convert(terms, from, to, rounding, a),
        };
        if to_float && is_extended(bits) { float::to_extended(terms, result, bits) } else { result }
    }
}

/// Does a condition compare by order, `y > 2`, or deny that?
fn is_order(program: &Program, id: ExprId) -> bool {
    use BinaryOp::{FLe, FLt, SLe, SLt, ULe, ULt};
    match program.expr(id).kind {
        ExprKind::Unary(UnaryOp::Not, inner) => is_order(program, inner),
        ExprKind::Binary(op, ..) => matches!(op, ULt | ULe | SLt | SLe | FLt | FLe),
        _ => false,
    }
}

/// Is a condition one in the text: a comparison of what is computed or read from somewhere in memory, with no condition
/// in it? Its term may be many: which element is read, which bits agree.
fn is_whole(program: &Program, id: ExprId) -> bool {
    match program.expr(id).kind {
        ExprKind::Load(place) => is_selected(program, place),
        ExprKind::Memory(_) => true,
        ExprKind::Binary(BinaryOp::FEq | BinaryOp::FLt | BinaryOp::FLe, ..) => true,
        ExprKind::Binary(op, a, b) if is_comparison(op) => {
            let mut open = vec![a, b];
            // What is compared with such a number is no truth, however it came about.
            let is_number = |id: ExprId| matches!(program.expr(id).kind, ExprKind::Const(value) if value > 1);
            let mut is_computed = is_number(a) || is_number(b);
            while let Some(id) = open.pop() {
                let expr = program.expr(id);
                match expr.kind {
                    ExprKind::Load(place) => is_computed |= is_selected(program, place),
                    _ if expr.bits == 1 => return false,
                    ExprKind::Ite(..) => return false,
                    ExprKind::Unary(_, a) => {
                        is_computed = true;
                        open.push(a);
                    }
                    ExprKind::Binary(_, a, b) => {
                        is_computed = true;
                        open.extend([a, b]);
                    }
                    ExprKind::Convert(_, a) | ExprKind::Rounded { value: a, .. } => open.push(a),
                    _ => {}
                }
            }
            is_computed
        }
        _ => false,
    }
}

/// Does a value decide which place it is?
fn is_selected(program: &Program, place: PlaceId) -> bool {
    let place = program.place(place);
    let is_open = |step: &Projection| match step {
        Projection::Field(_) => false,
        Projection::Index(index) => !matches!(program.expr(*index).kind, ExprKind::Const(_)),
    };
    matches!(place.base, Base::Deref(_)) || place.path.iter().any(is_open)
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::ULt | BinaryOp::ULe | BinaryOp::SLt | BinaryOp::SLe)
}

fn sign(terms: &mut nearmiss_logic::term::Terms, a: Term) -> Term {
    let top = terms.width(a) - 1;
    terms.extract(a, top, top)
}

fn format_of(bits: u32) -> Format {
    match bits {
        32 => Format::BINARY32,
        64 => Format::BINARY64,
        _ => Format::EXTENDED,
    }
}
