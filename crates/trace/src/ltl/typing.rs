//! Values in formulas: names to signals and enumerators, widths and signs by Verilog's rules. `typing/build.rs` makes
//! expressions of them.
//!
//! The width of an operand is that of its widest neighbour, as far as the next comparison, concatenation or select; it is signed
//! if all of its neighbours are. A number without a width has 32 bits and a sign, or more bits if it needs them. Next to
//! a whole number without a width (a signal of a model checker), everything is such a number.

mod build;

pub(super) use build::{Scope, Wanted};

use std::sync::Arc;

use super::error::{Result, error};
use super::expression::Sign;
use super::lex::filled;
use super::names::{Names, Resolved};
use super::syntax::{Binary, Function, Literal, Shape, Slice, Spelling, Tree, Unary};
use super::value;
use crate::wave::{BitVector, Kind, SignalInfo, Value};

/// More bits than this are refused.
const WIDEST: u32 = 1 << 14;

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Bits { width: u32, sign: Sign },
    Integer,
    Real,
    Text,
}

const BIT: Type = Type::Bits { width: 1, sign: Sign::Unsigned };

/// What a name or a quoted text stands for.
enum Meaning {
    Signal(usize),
    Constant(Value, Type),
}

/// What a local variable stands for once its value is known.
fn kept_value(literal: &Literal) -> Meaning {
    match literal {
        Literal::Integer(number) => Meaning::Constant(Value::Integer(*number), Type::Integer),
        Literal::Bits { bits, signed } => {
            let sign = if *signed { Sign::Signed } else { Sign::Unsigned };
            Meaning::Constant(Value::Bits(bits.clone()), Type::Bits { width: bits.width, sign })
        }
        Literal::Real(number) => Meaning::Constant(Value::Real(*number), Type::Real),
        Literal::Text(text) => Meaning::Constant(Value::Text(Arc::from(text.as_str())), Type::Text),
        Literal::Fill(character) => Meaning::Constant(Value::Bits(filled(*character, 1)), BIT),
    }
}

/// Names and values of one formula.
pub(super) struct Values<'a> {
    pub names: Names<'a>,
    signals: &'a [SignalInfo],
    /// Signals in the order of their first use.
    pub used: Vec<usize>,
}

impl<'a> Values<'a> {
    pub fn new(signals: &'a [SignalInfo]) -> Values<'a> {
        Values { names: Names::new(signals), signals, used: Vec::new() }
    }

    fn type_of_signal(&self, signal: usize) -> Type {
        match self.signals[signal].kind {
            Kind::Bits { width, signed, .. } => {
                Type::Bits { width, sign: if signed { Sign::Signed } else { Sign::Unsigned } }
            }
            Kind::Integer => Type::Integer,
            Kind::Real => Type::Real,
            Kind::Text => Type::Text,
        }
    }

    /// A value that the trace calls by name, for a signal.
    fn enumerator(&self, name: &str, of: Option<usize>) -> Option<Meaning> {
        let of = of?;
        let info = &self.signals[of];
        let last = name.rsplit("::").next().unwrap_or(name);
        let named = |wanted: &str| info.enumerators.iter().find(|enumerator| enumerator.name == wanted);
        match named(name).or_else(|| named(last)) {
            Some(enumerator) => Some(match &enumerator.bits {
                Some(bits) => Meaning::Constant(Value::Bits(bits.clone()), self.type_of_signal(of)),
                None => Meaning::Constant(Value::Text(Arc::from(enumerator.name.as_str())), Type::Text),
            }),
            None => (info.kind == Kind::Text).then(|| Meaning::Constant(Value::Text(Arc::from(name)), Type::Text)),
        }
    }

    fn meaning(&self, name: &str, tree: &Tree, hint: Option<usize>) -> Result<Meaning> {
        match self.names.find(name) {
            Resolved::One(signal) => Ok(Meaning::Signal(signal)),
            found => match (self.enumerator(name, hint), found) {
                (Some(meaning), _) => Ok(meaning),
                (None, Resolved::Several(candidates)) => {
                    Err(self.names.ambiguous(name, &candidates, tree.range.clone()))
                }
                (None, _) => {
                    let mut error = self.names.unknown(name, tree.range.clone());
                    if let Some(of) = hint.filter(|of| !self.signals[*of].enumerators.is_empty()) {
                        let listed: Vec<&str> =
                            self.signals[of].enumerators.iter().take(8).map(|value| value.name.as_str()).collect();
                        error.message = format!("the trace has neither a signal nor a value `{name}`");
                        error.help = Some(format!("values of `{}`: {}", self.signals[of].name, listed.join(", ")));
                    }
                    Err(error)
                }
            },
        }
    }

    /// The signal whose name has an index in it: `mem[3]`, `owner[a]`.
    fn indexed(&self, tree: &Tree) -> Option<usize> {
        fn name_of(tree: &Tree) -> Option<String> {
            match &tree.shape {
                Shape::Name(name) => Some(name.clone()),
                Shape::Select(base, index) => match &index.shape {
                    Shape::Literal(Literal::Integer(index)) => Some(format!("{}[{index}]", name_of(base)?)),
                    Shape::Name(index) | Shape::Literal(Literal::Text(index)) => {
                        Some(format!("{}[{index}]", name_of(base)?))
                    }
                    _ => None,
                },
                _ => None,
            }
        }
        match (&tree.shape, name_of(tree)) {
            (Shape::Select(..), Some(name)) => match self.names.find(&name) {
                Resolved::One(signal) => Some(signal),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a leaf stands for; `None` if it is no leaf.
    fn leaf(&self, tree: &Tree, hint: Option<usize>) -> Result<Option<Meaning>> {
        let text_wanted = hint.is_some_and(|of| self.signals[of].kind == Kind::Text);
        Ok(Some(match &tree.shape {
            Shape::Name(name) => self.meaning(name, tree, hint)?,
            Shape::Local(local) => match &local.kept {
                Some(kept) => kept_value(&kept.value),
                None => return error(tree, format!("the local variable `{}` has no value here", local.name)),
            },
            Shape::Select(..) => match self.indexed(tree) {
                Some(signal) => Meaning::Signal(signal),
                None => return Ok(None),
            },
            Shape::Literal(Literal::Text(text)) => match (self.names.find(text), self.enumerator(text, hint)) {
                (Resolved::One(signal), _) => Meaning::Signal(signal),
                (_, Some(meaning)) => meaning,
                (found, None) => match (BitVector::parse(text), found) {
                    (Some(bits), _) => {
                        let width = bits.width;
                        Meaning::Constant(Value::Bits(bits), Type::Bits { width, sign: Sign::Unsigned })
                    }
                    (None, Resolved::Several(candidates)) => {
                        return Err(self.names.ambiguous(text, &candidates, tree.range.clone()));
                    }
                    (None, _) => Meaning::Constant(Value::Text(Arc::from(text.as_str())), Type::Text),
                },
            },
            Shape::Literal(Literal::Integer(number)) if text_wanted => {
                Meaning::Constant(Value::Text(Arc::from(number.to_string())), Type::Text)
            }
            Shape::Boolean(value) if text_wanted => {
                Meaning::Constant(Value::Text(Arc::from(if *value { "TRUE" } else { "FALSE" })), Type::Text)
            }
            Shape::Literal(Literal::Integer(number)) => {
                let needed = 129 - if *number < 0 { !*number } else { *number }.leading_zeros();
                let width = needed.max(32);
                let bits = value::from_integer(*number, width);
                Meaning::Constant(Value::Bits(bits), Type::Bits { width, sign: Sign::Signed })
            }
            Shape::Literal(Literal::Bits { bits, signed }) => {
                let sign = if *signed { Sign::Signed } else { Sign::Unsigned };
                Meaning::Constant(Value::Bits(bits.clone()), Type::Bits { width: bits.width, sign })
            }
            Shape::Literal(Literal::Real(number)) => Meaning::Constant(Value::Real(*number), Type::Real),
            Shape::Literal(Literal::Fill(character)) => Meaning::Constant(Value::Bits(filled(*character, 1)), BIT),
            Shape::Boolean(value) => Meaning::Constant(Value::Bits(BitVector::bit(*value, false)), BIT),
            _ => return Ok(None),
        }))
    }

    /// The signal whose enumerators a value next to this one may be.
    fn hint(&self, tree: &Tree) -> Option<usize> {
        match &tree.shape {
            Shape::Name(name) | Shape::Literal(Literal::Text(name)) => match self.names.find(name) {
                Resolved::One(signal) => Some(signal),
                _ => None,
            },
            Shape::Select(..) => self.indexed(tree),
            Shape::Call(Function::Past, arguments) => self.hint(&arguments[0]),
            Shape::Conditional(_, yes, no) => self.hint(yes).or_else(|| self.hint(no)),
            _ => None,
        }
    }

    /// The type of a value by itself.
    pub fn type_of(&self, tree: &Tree, hint: Option<usize>) -> Result<Type> {
        if let Some(meaning) = self.leaf(tree, hint)? {
            return Ok(match meaning {
                Meaning::Signal(signal) => self.type_of_signal(signal),
                Meaning::Constant(_, kind) => kind,
            });
        }
        match &tree.shape {
            Shape::Unary(Unary::Complement | Unary::Minus, body) => self.type_of(body, hint),
            Shape::Unary(_, body) => self.type_of(body, hint).map(|_| BIT),
            Shape::Binary(op, left, right) => match op {
                Binary::Add
                | Binary::Subtract
                | Binary::Multiply
                | Binary::Divide
                | Binary::Remainder
                | Binary::Power => self.joined(tree, &[left, right], hint),
                Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned => self.type_of(left, hint),
                _ => Ok(BIT),
            },
            Shape::And(Spelling::Single, parts) | Shape::Or(Spelling::Single, parts) => {
                self.joined(tree, &parts.iter().collect::<Vec<_>>(), hint)
            }
            Shape::Xor(left, right) => self.joined(tree, &[left, right], hint),
            Shape::Conditional(_, yes, no) => self.joined(tree, &[yes, no], hint),
            Shape::And(..)
            | Shape::Or(..)
            | Shape::Implies(..)
            | Shape::Iff(..)
            | Shape::Member(..)
            | Shape::Is(..) => Ok(BIT),
            Shape::Select(..) => Ok(BIT),
            Shape::Slice(base, slice, first, second) => {
                let (_, width) = self.slice(base, *slice, first, second)?;
                Ok(Type::Bits { width, sign: Sign::Unsigned })
            }
            Shape::Join(parts) => self.side_by_side(tree, parts, 1),
            Shape::Braces(body) => self.side_by_side(tree, std::slice::from_ref(body), 1),
            Shape::Replicate(times, body) => self.side_by_side(tree, std::slice::from_ref(body), *times),
            Shape::Call(function, arguments) => {
                let argument = self.type_of(&arguments[0], hint)?;
                Ok(match (function, argument) {
                    (Function::Past, argument) => argument,
                    (Function::CountOnes, _) => Type::Bits { width: 32, sign: Sign::Signed },
                    (Function::Signed, Type::Bits { width, .. }) => Type::Bits { width, sign: Sign::Signed },
                    (Function::Unsigned, Type::Bits { width, .. }) => Type::Bits { width, sign: Sign::Unsigned },
                    (Function::Signed | Function::Unsigned, other) => other,
                    _ => BIT,
                })
            }
            _ => error(tree, "this is about more than one cycle, and cannot be a part of a value"),
        }
    }

    fn side_by_side(&self, tree: &Tree, parts: &[Tree], times: u32) -> Result<Type> {
        let mut width = 0u32;
        for part in parts {
            match self.type_of(part, None)? {
                Type::Bits { width: more, .. } => width = width.saturating_add(more),
                _ => return error(part, "only bits can be put side by side"),
            }
        }
        match width.checked_mul(times) {
            Some(width) if width <= WIDEST => Ok(Type::Bits { width, sign: Sign::Unsigned }),
            _ => error(tree, format!("a value has at most {WIDEST} bits")),
        }
    }

    /// The type at which several values meet.
    fn joined(&self, tree: &Tree, parts: &[&Tree], hint: Option<usize>) -> Result<Type> {
        let hint = hint.or_else(|| parts.iter().find_map(|part| self.hint(part)));
        let mut all: Option<Type> = None;
        for part in parts {
            let next = self.type_of(part, hint)?;
            all = Some(match (all, next) {
                (None, next) => next,
                (Some(Type::Bits { width: a, sign: s }), Type::Bits { width: b, sign: t }) => {
                    Type::Bits { width: a.max(b), sign: if s == t { s } else { Sign::Unsigned } }
                }
                (Some(Type::Text), Type::Text) => Type::Text,
                (Some(Type::Text), _) | (_, Type::Text) => {
                    return error(tree, "a name or a text cannot meet a number here");
                }
                (Some(Type::Real), _) | (_, Type::Real) => Type::Real,
                _ => Type::Integer,
            });
        }
        Ok(all.unwrap_or(BIT))
    }

    /// The declared numbers of the bits: what to add to a number, times 1 or -1, to get the place.
    fn numbering(&self, base: &Tree) -> Result<(i64, i64, u32)> {
        let signal = match self.leaf(base, None)? {
            Some(Meaning::Signal(signal)) => Some(signal),
            _ => None,
        };
        match (signal.map(|signal| self.signals[signal].kind), self.type_of(base, None)?) {
            (Some(Kind::Bits { width, low, descending: true, .. }), _) => Ok((low.saturating_neg(), 1, width)),
            (Some(Kind::Bits { width, low, .. }), _) => Ok((low.saturating_add(i64::from(width) - 1), -1, width)),
            (_, Type::Bits { width, .. }) => Ok((0, 1, width)),
            _ => error(base, "this has no bits to select from"),
        }
    }

    fn constant(&self, tree: &Tree) -> Result<i64> {
        let number = match &tree.shape {
            Shape::Literal(Literal::Integer(number)) => i64::try_from(*number).ok(),
            Shape::Literal(Literal::Bits { bits, signed }) => {
                value::to_integer(bits, *signed).and_then(|number| i64::try_from(number).ok())
            }
            _ => None,
        };
        match number {
            Some(number) => Ok(number),
            None => error(tree, "expected a constant number"),
        }
    }

    /// The place of the lowest bit, and how many.
    fn slice(&self, base: &Tree, slice: Slice, first: &Tree, second: &Tree) -> Result<(i64, u32)> {
        let (offset, direction, width) = self.numbering(base)?;
        let (a, b) = (self.constant(first)?, self.constant(second)?);
        let last = match slice {
            Slice::Between => Some(b),
            _ if b < 1 => return error(second, "expected a number of bits"),
            Slice::Up => a.checked_add(b - 1),
            Slice::Down => a.checked_sub(b - 1),
        };
        let place = |number: i64| self.place(base, (offset, direction, width), number, first);
        let Some(last) = last else { return error(second, "expected a number of bits") };
        let (high, low) = (place(a)?, place(last)?);
        if slice == Slice::Between && high < low {
            return error(first, "the bits of this signal are numbered the other way round: swap the two");
        }
        let width = u32::try_from((high - low).abs() + 1).unwrap_or(1);
        Ok((high.min(low), width))
    }

    fn place(&self, base: &Tree, (offset, direction, width): (i64, i64, u32), number: i64, at: &Tree) -> Result<i64> {
        let place = number.checked_mul(direction).and_then(|number| number.checked_add(offset));
        match place {
            Some(place) if (0..i64::from(width)).contains(&place) => Ok(place),
            _ => {
                let of = |place: i64| (place - offset) * direction;
                let name = match &base.shape {
                    Shape::Name(name) => format!("`{name}`"),
                    _ => "this".to_owned(),
                };
                let (high, low) = (of(i64::from(width) - 1), of(0));
                error(at, format!("{name} has no bit {number}: its bits are [{high}:{low}]"))
            }
        }
    }

    /// Is it a vector, on which `&` works bit by bit?
    pub fn is_vector(&self, tree: &Tree) -> Result<bool> {
        Ok(!tree.is_temporal() && self.type_of(tree, None)? != BIT && !self.is_one_bit(tree)?)
    }

    /// Is it a single bit, signed or not?
    pub fn is_one_bit(&self, tree: &Tree) -> Result<bool> {
        Ok(matches!(self.type_of(tree, None)?, Type::Bits { width: 1, .. }))
    }
}
