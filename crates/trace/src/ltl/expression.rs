//! Atoms: expressions over the values of signals at a cycle and before it, with widths and signs worked out.
//!
//! Every operator knows the width of its result, so that evaluation only moves bits. A value that is unknown as a whole (a
//! whole number before the start of the trace, or one that has become too large) is a single unknown bit.

use std::borrow::Cow;

use super::syntax::Binary;
use super::value::{self, Bitwise};
use crate::wave::{BitVector, Value};

/// Something that is true, false or unknown at each cycle of a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct Atom {
    /// As the user wrote it, or its opposite if that is simpler (`x == 3` for `x != 3`).
    pub text: String,
    /// What is computed.
    pub expression: Expression,
    /// The values that are read, in the order of their first use.
    pub reads: Vec<Read>,
    /// What an unknown value counts as; `None`: neither true nor false. In what has to match before something is asked for, what is not
    /// known does not match.
    pub unknown: Option<bool>,
    /// Is it part of what takes obligations back: the condition of `disable iff`, `accept_on` or `abort`, or the reset?
    pub saving: bool,
    /// Is it about what a local variable gets? It gets some value in any case, so this stays what it is.
    pub kept: Option<Keeping>,
}

/// What an atom asks of the value that a local variable gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeping {
    /// Is it just this one? The expression compares it with a constant.
    This,
    /// It is about a value that no cycle of the trace has.
    Other,
}

/// The value of a signal some cycles ago.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Read {
    /// A position in [`Bound::signals`](super::Bound::signals).
    pub signal: usize,
    /// How many cycles before.
    pub delay: u32,
}

/// A computation.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    /// A position in [`Atom::reads`].
    Read(usize),
    /// Always the same.
    Constant(Value),
    /// Is it other than zero?
    Truth(Box<Expression>),
    /// All bits turned round, after extension to the width.
    Complement(Extension, Box<Expression>),
    /// Zero minus it.
    Minus(Extension, Box<Expression>),
    /// A number made from all bits.
    Count(Count, Box<Expression>),
    /// Bit by bit.
    Bitwise(Bitwise, Extension, Box<Expression>, Box<Expression>),
    /// Arithmetic and shifts.
    Arithmetic(Binary, Extension, Box<Expression>, Box<Expression>),
    /// `==`, `===` and `<`; the others are their opposites.
    Compare(Comparison, Sign, Box<Expression>, Box<Expression>),
    /// Some bits: the place of the lowest, counted from the least significant one, and how many.
    Slice(i64, u32, Box<Expression>),
    /// The bit with a computed number: what is added to the number, times 1 or -1, to get its place.
    Index(i64, i64, Box<Expression>, Box<Expression>),
    /// Bits side by side, the most significant first.
    Join(Vec<Expression>),
    /// The second or the third, depending on the first.
    Conditional(Extension, Box<Expression>, Box<Expression>, Box<Expression>),
    /// Bits as a whole number without a width.
    Integer(Sign, Box<Expression>),
    /// A number as a fraction.
    Real(Box<Expression>),
}

/// What operands are extended to. A width of 0 means that they are not bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extension {
    /// Bits of the result.
    pub width: u32,
    /// With the sign or with zeros?
    pub sign: Sign,
}

/// Is the most significant bit a sign?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Yes.
    Signed,
    /// No.
    Unsigned,
}

/// Comparisons from which all others are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `==`.
    Equal,
    /// `===`.
    Same,
    /// `<`.
    Less,
}

/// Questions about all bits at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// How many are 1.
    Ones,
    /// Is exactly one of them 1?
    OneHot,
    /// Is at most one of them 1?
    OneHotOrNone,
    /// Is any of them unknown?
    Unknown,
    /// Are all of them 1?
    And,
    /// Is the number of ones odd?
    Xor,
}

impl Sign {
    fn is_signed(self) -> bool {
        self == Sign::Signed
    }
}

/// One bit of which nothing is known.
pub(super) fn unknown_value() -> Value {
    Value::Bits(value::unknown(1))
}

fn owned<'a>(bits: BitVector) -> Cow<'a, Value> {
    Cow::Owned(Value::Bits(bits))
}

fn truth<'a>(truth: Option<bool>) -> Cow<'a, Value> {
    owned(value::from_truth(truth))
}

/// Bits as they are; what is no bits has no known ones.
fn as_bits(value: &Value) -> Cow<'_, BitVector> {
    match value {
        Value::Bits(bits) => Cow::Borrowed(bits),
        _ => Cow::Owned(value::unknown(1)),
    }
}

fn extended(value: &Value, to: Extension) -> BitVector {
    value::resized(&as_bits(value), to.width, to.sign.is_signed())
}

/// Is the value other than zero?
pub(super) fn truth_of(value: &Value) -> Option<bool> {
    match value {
        Value::Bits(bits) => value::truth(bits),
        Value::Integer(number) => Some(*number != 0),
        Value::Real(number) => Some(*number != 0.0),
        Value::Text(_) => None,
    }
}

impl Expression {
    /// Is it other than zero, for the values of its reads? `None` is unknown.
    pub(crate) fn truth<'a>(&'a self, reads: &[&'a Value]) -> Option<bool> {
        match self {
            // Most atoms are comparisons: nothing needs to be made of their result.
            Expression::Compare(op, sign, left, right) => {
                compare(*op, *sign, &left.evaluate(reads), &right.evaluate(reads))
            }
            _ => truth_of(&self.evaluate(reads)),
        }
    }

    /// Its value, for the values of its reads.
    pub(crate) fn evaluate<'a>(&'a self, reads: &[&'a Value]) -> Cow<'a, Value> {
        match self {
            Expression::Read(at) => Cow::Borrowed(reads[*at]),
            Expression::Constant(value) => Cow::Borrowed(value),
            Expression::Truth(body) => truth(truth_of(&body.evaluate(reads))),
            Expression::Complement(to, body) => owned(value::complement(&extended(&body.evaluate(reads), *to))),
            Expression::Minus(to, body) => minus(*to, &body.evaluate(reads)),
            Expression::Count(count, body) => match (count, &*body.evaluate(reads)) {
                // What is not made of bits is known.
                (Count::Unknown, Value::Integer(_) | Value::Real(_) | Value::Text(_)) => truth(Some(false)),
                (count, value) => counted(*count, &as_bits(value)),
            },
            Expression::Bitwise(op, to, left, right) => {
                let (left, right) = (extended(&left.evaluate(reads), *to), extended(&right.evaluate(reads), *to));
                owned(value::bitwise(*op, &left, &right))
            }
            Expression::Arithmetic(op, to, left, right) => {
                arithmetic(*op, *to, &left.evaluate(reads), &right.evaluate(reads))
            }
            Expression::Compare(op, sign, left, right) => {
                truth(compare(*op, *sign, &left.evaluate(reads), &right.evaluate(reads)))
            }
            Expression::Slice(low, width, body) => owned(value::slice(&as_bits(&body.evaluate(reads)), *low, *width)),
            Expression::Index(offset, direction, body, index) => {
                match place_of(*offset, *direction, &index.evaluate(reads)) {
                    Some(at) => owned(value::slice(&as_bits(&body.evaluate(reads)), at, 1)),
                    None => Cow::Owned(unknown_value()),
                }
            }
            Expression::Join(parts) => {
                let mut all = BitVector::number(0, 0);
                for part in parts {
                    all = value::join(&all, &as_bits(&part.evaluate(reads)));
                }
                owned(all)
            }
            Expression::Conditional(to, condition, yes, no) => match truth_of(&condition.evaluate(reads)) {
                Some(condition) => {
                    let value = if condition { yes } else { no }.evaluate(reads);
                    if to.width == 0 { value } else { owned(extended(&value, *to)) }
                }
                None => either(*to, yes.evaluate(reads), no.evaluate(reads)),
            },
            Expression::Integer(sign, body) => match &*body.evaluate(reads) {
                Value::Bits(bits) => {
                    let number = value::to_integer(bits, sign.is_signed());
                    Cow::Owned(number.map_or_else(unknown_value, Value::Integer))
                }
                other => Cow::Owned(other.clone()),
            },
            Expression::Real(body) => match &*body.evaluate(reads) {
                Value::Integer(number) => Cow::Owned(Value::Real(*number as f64)),
                other => Cow::Owned(other.clone()),
            },
        }
    }
}

fn minus<'a>(to: Extension, value: &Value) -> Cow<'a, Value> {
    match value {
        Value::Integer(number) => Cow::Owned(number.checked_neg().map_or_else(unknown_value, Value::Integer)),
        Value::Real(number) => Cow::Owned(Value::Real(-number)),
        Value::Bits(bits) if to.width > 0 => {
            let bits = value::resized(bits, to.width, to.sign.is_signed());
            owned(value::arithmetic(Binary::Subtract, &BitVector::number(to.width, 0), &bits, false))
        }
        _ => Cow::Owned(unknown_value()),
    }
}

fn counted<'a>(count: Count, bits: &BitVector) -> Cow<'a, Value> {
    let ones = || (!bits.has_unknown()).then(|| value::count_ones(bits));
    match count {
        Count::Ones => owned(BitVector::number(32, u64::from(value::count_ones(bits)))),
        Count::OneHot => truth(ones().map(|ones| ones == 1)),
        Count::OneHotOrNone => truth(ones().map(|ones| ones <= 1)),
        Count::Unknown => truth(Some(bits.has_unknown())),
        Count::And => truth(value::reduce_and(bits)),
        Count::Xor => truth(value::reduce_xor(bits)),
    }
}

fn arithmetic<'a>(op: Binary, to: Extension, left: &Value, right: &Value) -> Cow<'a, Value> {
    if to.width == 0 {
        return Cow::Owned(value::number_arithmetic(op, left, right).unwrap_or_else(unknown_value));
    }
    // The number of places of a shift keeps its own width.
    let right = if value::is_shift(op) { as_bits(right).into_owned() } else { extended(right, to) };
    owned(value::arithmetic(op, &extended(left, to), &right, to.sign.is_signed()))
}

/// The place of the bit with a computed number, counted from the least significant one.
fn place_of(offset: i64, direction: i64, index: &Value) -> Option<i64> {
    let index = match index {
        Value::Integer(index) => Some(*index),
        Value::Bits(bits) => value::to_integer(bits, false),
        _ => None,
    };
    let at = i64::try_from(index?).ok()?.checked_mul(direction)?.checked_add(offset)?;
    (at < i64::from(u32::MAX)).then_some(at)
}

/// One of two values, nobody knows which: what is the same in both is certain.
fn either<'a>(to: Extension, yes: Cow<'a, Value>, no: Cow<'a, Value>) -> Cow<'a, Value> {
    if to.width == 0 {
        return if yes == no { yes } else { Cow::Owned(unknown_value()) };
    }
    let (yes, no) = (extended(&yes, to), extended(&no, to));
    let differ = value::bitwise(Bitwise::Xor, &yes, &no);
    let mut merged = yes;
    for i in 0..merged.value.len() {
        merged.unknown[i] |= differ.value[i];
        merged.value[i] |= differ.value[i];
    }
    owned(merged)
}

fn compare(op: Comparison, sign: Sign, left: &Value, right: &Value) -> Option<bool> {
    use std::cmp::Ordering;
    match (left, right) {
        (Value::Bits(left), Value::Bits(right)) => match op {
            Comparison::Equal => value::equal(left, right, sign.is_signed()),
            Comparison::Same => Some(value::same(left, right, sign.is_signed())),
            Comparison::Less => value::less(left, right, sign.is_signed()),
        },
        _ => {
            let order = match (left, right) {
                (Value::Integer(left), Value::Integer(right)) => Some(left.cmp(right)),
                (Value::Real(left), Value::Real(right)) => left.partial_cmp(right),
                (Value::Text(left), Value::Text(right)) => Some(left.cmp(right)),
                // One of the two is unknown as a whole.
                _ => None,
            };
            match op {
                Comparison::Equal => order.map(|order| order == Ordering::Equal),
                Comparison::Same => Some(order == Some(Ordering::Equal)),
                Comparison::Less => order.map(|order| order == Ordering::Less),
            }
        }
    }
}
