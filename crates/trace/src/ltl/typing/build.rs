//! Trees to [`Expression`]s: every operator with the width and the sign that its operands meet at.

use super::super::error::{Result, error};
use super::super::expression::{Comparison, Count, Expression, Extension, Read, Sign};
use super::super::lex::filled;
use super::super::syntax::{Binary, Function, Holds, Literal, Local, Shape, Spelling, Tree, Unary};
use super::super::value::{self, Bitwise};
use super::{Meaning, Type, Values};
use crate::wave::{BitVector, Value};

/// More operators than this in one atom are refused.
const MOST_WORK: u32 = 20_000;

/// The reads of one atom, and how many cycles before we are.
#[derive(Default)]
pub(in super::super) struct Scope {
    pub reads: Vec<Read>,
    delay: u32,
    /// How many operators were built: what is read twice is built twice.
    work: u32,
}

/// What a value is wanted as.
#[derive(Clone, Copy)]
pub(in super::super) struct Wanted {
    /// The type at which it meets others.
    kind: Type,
    /// The signal whose enumerators it may be.
    hint: Option<usize>,
}

impl Wanted {
    /// A value next to which nothing stands.
    pub fn of(kind: Type) -> Wanted {
        Wanted { kind, hint: None }
    }

    /// What operands are extended to.
    fn extension(self) -> Extension {
        match self.kind {
            Type::Bits { width, sign } => Extension { width, sign },
            _ => Extension { width: 0, sign: Sign::Signed },
        }
    }

    /// The same for an operator that works on bits only.
    fn bits(self, tree: &Tree, operator: &str) -> Result<Extension> {
        let extension = self.extension();
        if extension.width == 0 { error(tree, format!("`{operator}` works on bits only")) } else { Ok(extension) }
    }
}

const ONE_BIT: Extension = Extension { width: 1, sign: Sign::Unsigned };

fn not(body: Expression) -> Expression {
    Expression::Complement(ONE_BIT, Box::new(body))
}

impl Values<'_> {
    pub fn read(&mut self, signal: usize, scope: &mut Scope) -> Expression {
        // Several names of one wire are one signal.
        let (signals, info) = (self.signals, &self.signals[signal]);
        let is_it = |used: &usize| {
            let other = &signals[*used];
            *used == signal || info.wire.is_some() && (info.wire, info.kind) == (other.wire, other.kind)
        };
        let position = self.used.iter().position(is_it).unwrap_or_else(|| {
            self.used.push(signal);
            self.used.len() - 1
        });
        let read = Read { signal: position, delay: scope.delay };
        let at = scope.reads.iter().position(|other| *other == read).unwrap_or_else(|| {
            scope.reads.push(read);
            scope.reads.len() - 1
        });
        Expression::Read(at)
    }

    /// The value of a tree at a type where it meets others.
    pub fn build(&mut self, tree: &Tree, want: Wanted, scope: &mut Scope) -> Result<Expression> {
        scope.work += 1;
        if scope.work > MOST_WORK {
            return error(tree, "this condition becomes too large");
        }
        let own = self.type_of(tree, want.hint)?;
        let (target, convert) = match (own, want.kind) {
            (Type::Bits { .. }, Type::Bits { .. }) => (want.kind, None),
            (Type::Bits { sign, .. }, Type::Integer | Type::Real) => (own, Some(sign)),
            _ => (own, None),
        };
        let mut built = self.build_at(tree, Wanted { kind: target, ..want }, scope)?;
        if let Some(sign) = convert {
            built = Expression::Integer(sign, Box::new(built));
        }
        if want.kind == Type::Real && own != Type::Real {
            built = Expression::Real(Box::new(built));
        }
        Ok(match (scope.reads.is_empty(), built) {
            (true, built @ Expression::Constant(_)) => built,
            (true, built) => Expression::Constant(built.evaluate(&[]).into_owned()),
            (false, built) => built,
        })
    }

    fn boxed(&mut self, tree: &Tree, want: Wanted, scope: &mut Scope) -> Result<Box<Expression>> {
        self.build(tree, want, scope).map(Box::new)
    }

    /// By itself.
    fn alone(&mut self, tree: &Tree, scope: &mut Scope) -> Result<Box<Expression>> {
        let own = self.type_of(tree, None)?;
        self.boxed(tree, Wanted::of(own), scope)
    }

    fn truth(&mut self, tree: &Tree, scope: &mut Scope) -> Result<Expression> {
        if self.type_of(tree, None)? == Type::Text {
            return error(tree, "a text is neither true nor false: compare it with something");
        }
        Ok(Expression::Truth(self.alone(tree, scope)?))
    }

    /// The value of a tree at a type that it can have by itself.
    fn build_at(&mut self, tree: &Tree, want: Wanted, scope: &mut Scope) -> Result<Expression> {
        match self.leaf(tree, want.hint)? {
            Some(Meaning::Signal(signal)) => return Ok(self.read(signal, scope)),
            Some(Meaning::Constant(constant, _)) => {
                return Ok(Expression::Constant(match (&tree.shape, want.kind) {
                    (Shape::Literal(Literal::Fill(character)), Type::Bits { width, .. }) => {
                        Value::Bits(filled(*character, width))
                    }
                    _ => constant,
                }));
            }
            None => {}
        }
        Ok(match &tree.shape {
            Shape::Unary(op, body) => self.unary(tree, *op, body, want, scope)?,
            Shape::Binary(op, left, right) => self.binary(tree, *op, (left, right), want, scope)?,
            Shape::And(spelling, parts) => self.all_parts(tree, Bitwise::And, *spelling, parts, want, scope)?,
            Shape::Or(spelling, parts) => self.all_parts(tree, Bitwise::Or, *spelling, parts, want, scope)?,
            Shape::Xor(left, right) => {
                let extension = want.bits(tree, "^")?;
                let (left, right) = (self.boxed(left, want, scope)?, self.boxed(right, want, scope)?);
                Expression::Bitwise(Bitwise::Xor, extension, left, right)
            }
            Shape::Implies(left, right) => {
                let (left, right) = (not(self.truth(left, scope)?), self.truth(right, scope)?);
                Expression::Bitwise(Bitwise::Or, ONE_BIT, Box::new(left), Box::new(right))
            }
            Shape::Iff(left, right) => {
                let (left, right) = (self.truth(left, scope)?, self.truth(right, scope)?);
                not(Expression::Bitwise(Bitwise::Xor, ONE_BIT, Box::new(left), Box::new(right)))
            }
            Shape::Conditional(condition, yes, no) => {
                let hint = want.hint.or_else(|| self.hint(yes)).or_else(|| self.hint(no));
                let want = Wanted { hint, ..want };
                let condition = Box::new(self.truth(condition, scope)?);
                let (yes, no) = (self.boxed(yes, want, scope)?, self.boxed(no, want, scope)?);
                Expression::Conditional(want.extension(), condition, yes, no)
            }
            Shape::Select(base, index) => self.select(base, index, scope)?,
            Shape::Slice(base, slice, first, second) => {
                let (low, width) = self.slice(base, *slice, first, second)?;
                Expression::Slice(low, width, self.alone(base, scope)?)
            }
            Shape::Join(parts) => {
                Expression::Join(parts.iter().map(|part| self.alone(part, scope).map(|e| *e)).collect::<Result<_>>()?)
            }
            Shape::Braces(body) => *self.alone(body, scope)?,
            Shape::Replicate(times, body) => {
                let body = self.alone(body, scope)?;
                Expression::Join(vec![*body; *times as usize])
            }
            Shape::Member(body, items) => self.member(tree, body, items, scope)?,
            // True in no cycle.
            Shape::Is(body, kept) if kept.unseen.is_some() => {
                let (one, other) = (self.alone(body, scope)?, self.alone(body, scope)?);
                not(Expression::Compare(Comparison::Same, Sign::Unsigned, one, other))
            }
            Shape::Is(body, kept) => {
                let local = Local { name: String::new(), id: 0, holds: Holds::Anything, kept: Some((**kept).clone()) };
                let value = Tree::new(tree.range.clone(), Shape::Local(Box::new(local)));
                self.compare(tree, Comparison::Same, body, &value, scope)?
            }
            Shape::Call(function, arguments) => self.call(*function, arguments, want, scope)?,
            _ => return error(tree, "this is about more than one cycle, and cannot be a part of a value"),
        })
    }

    fn unary(&mut self, tree: &Tree, op: Unary, body: &Tree, want: Wanted, scope: &mut Scope) -> Result<Expression> {
        Ok(match op {
            Unary::Not => not(self.truth(body, scope)?),
            Unary::Complement => {
                let extension = want.bits(tree, "~")?;
                Expression::Complement(extension, self.boxed(body, want, scope)?)
            }
            Unary::Minus => Expression::Minus(want.extension(), self.boxed(body, want, scope)?),
            Unary::ReduceOr => self.truth(body, scope)?,
            Unary::ReduceAnd => Expression::Count(Count::And, self.bits(body, scope)?),
            Unary::ReduceXor => Expression::Count(Count::Xor, self.bits(body, scope)?),
        })
    }

    /// `&` and `|` of all bits, `&&` and `||` of truths.
    fn all_parts(
        &mut self,
        tree: &Tree,
        op: Bitwise,
        spelling: Spelling,
        parts: &[Tree],
        want: Wanted,
        scope: &mut Scope,
    ) -> Result<Expression> {
        let mut all = None;
        for part in parts {
            let (next, extension) = if spelling == Spelling::Single {
                let extension = want.bits(tree, "&")?;
                (self.build(part, want, scope)?, extension)
            } else {
                (self.truth(part, scope)?, ONE_BIT)
            };
            all = Some(match all {
                None => next,
                Some(all) => Expression::Bitwise(op, extension, Box::new(all), Box::new(next)),
            });
        }
        Ok(all.unwrap_or(Expression::Constant(Value::Bits(BitVector::bit(true, false)))))
    }

    /// One bit, by a constant number or a computed one.
    fn select(&mut self, base: &Tree, index: &Tree, scope: &mut Scope) -> Result<Expression> {
        let (offset, direction, width) = self.numbering(base)?;
        if let Ok(number) = self.constant(index) {
            let place = self.place(base, (offset, direction, width), number, index)?;
            return Ok(Expression::Slice(place, 1, self.alone(base, scope)?));
        }
        if !matches!(self.type_of(index, None)?, Type::Bits { .. } | Type::Integer) {
            return error(index, "expected a number of a bit");
        }
        Ok(Expression::Index(offset, direction, self.alone(base, scope)?, self.alone(index, scope)?))
    }

    fn bits(&mut self, tree: &Tree, scope: &mut Scope) -> Result<Box<Expression>> {
        match self.type_of(tree, None)? {
            Type::Bits { .. } => self.alone(tree, scope),
            _ => error(tree, "this works on bits only"),
        }
    }

    /// A comparison of two trees.
    pub fn compare(
        &mut self,
        tree: &Tree,
        op: Comparison,
        left: &Tree,
        right: &Tree,
        scope: &mut Scope,
    ) -> Result<Expression> {
        let hint = self.hint(left).or_else(|| self.hint(right));
        let both = self.joined(tree, &[left, right], hint)?;
        if both == Type::Text && op == Comparison::Less {
            return error(tree, "texts have no order");
        }
        let sign = match both {
            Type::Bits { sign, .. } => sign,
            _ => Sign::Signed,
        };
        let want = Wanted { kind: both, hint };
        let (left, right) = (self.boxed(left, want, scope)?, self.boxed(right, want, scope)?);
        Ok(Expression::Compare(op, sign, left, right))
    }

    fn binary(
        &mut self,
        tree: &Tree,
        op: Binary,
        (left, right): (&Tree, &Tree),
        want: Wanted,
        scope: &mut Scope,
    ) -> Result<Expression> {
        let (comparison, swapped, negated) = match op {
            Binary::Equal => (Comparison::Equal, false, false),
            Binary::Unequal => (Comparison::Equal, false, true),
            Binary::Same => (Comparison::Same, false, false),
            Binary::Differs => (Comparison::Same, false, true),
            Binary::Less => (Comparison::Less, false, false),
            Binary::AtLeast => (Comparison::Less, false, true),
            Binary::Greater => (Comparison::Less, true, false),
            Binary::AtMost => (Comparison::Less, true, true),
            _ => return self.arithmetic(tree, op, (left, right), want, scope),
        };
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        let compared = self.compare(tree, comparison, left, right, scope)?;
        Ok(if negated { not(compared) } else { compared })
    }

    fn arithmetic(
        &mut self,
        tree: &Tree,
        op: Binary,
        (left, right): (&Tree, &Tree),
        want: Wanted,
        scope: &mut Scope,
    ) -> Result<Expression> {
        if want.kind == Type::Text {
            return error(tree, format!("`{op}` works on numbers only"));
        }
        let extension = want.extension();
        if matches!(op, Binary::Power | Binary::Multiply) && extension.width > 1024 {
            return error(tree, "products of more than 1024 bits are not supported");
        }
        if matches!(op, Binary::Divide | Binary::Remainder) && extension.width > 127 {
            return error(tree, "quotients of more than 127 bits are not supported");
        }
        let built = self.boxed(left, want, scope)?;
        let second = if value::is_shift(op) && extension.width > 0 { self.type_of(right, None)? } else { want.kind };
        let right = self.boxed(right, Wanted { kind: second, ..want }, scope)?;
        Ok(Expression::Arithmetic(op, extension, built, right))
    }

    fn member(
        &mut self,
        tree: &Tree,
        body: &Tree,
        items: &[(Tree, Option<Tree>)],
        scope: &mut Scope,
    ) -> Result<Expression> {
        let mut all: Option<Expression> = None;
        for (low, high) in items {
            let next = match high {
                None => self.compare(tree, Comparison::Equal, body, low, scope)?,
                Some(high) => {
                    let below = self.compare(tree, Comparison::Less, body, low, scope)?;
                    let above = self.compare(tree, Comparison::Less, high, body, scope)?;
                    let outside = Expression::Bitwise(Bitwise::Or, ONE_BIT, Box::new(below), Box::new(above));
                    not(outside)
                }
            };
            all = Some(match all {
                None => next,
                Some(all) => Expression::Bitwise(Bitwise::Or, ONE_BIT, Box::new(all), Box::new(next)),
            });
        }
        Ok(all.unwrap_or(Expression::Constant(Value::Bits(BitVector::bit(false, false)))))
    }

    fn call(&mut self, function: Function, arguments: &[Tree], want: Wanted, scope: &mut Scope) -> Result<Expression> {
        let argument = &arguments[0];
        let own = self.type_of(argument, want.hint)?;
        let count = |count| match own {
            Type::Bits { .. } => Ok(count),
            _ if count == Count::Unknown => Ok(count),
            _ => error(argument, "this works on bits only"),
        };
        match function {
            Function::Past => {
                let by = arguments.get(1).map_or(Ok(1), |by| self.constant(by))?;
                let delay = u32::try_from(by).ok().and_then(|by| scope.delay.checked_add(by));
                let Some(delay) = delay.filter(|delay| *delay < 1 << 30) else {
                    return error(&arguments[arguments.len() - 1], "expected a number of cycles");
                };
                let before = std::mem::replace(&mut scope.delay, delay);
                let built = self.build(argument, want, scope);
                scope.delay = before;
                built
            }
            Function::Stable | Function::Changed => {
                let now = self.boxed(argument, Wanted::of(own), scope)?;
                let before = self.before(argument, own, scope)?;
                let same = Expression::Compare(Comparison::Same, Sign::Unsigned, now, before);
                Ok(if function == Function::Stable { same } else { not(same) })
            }
            Function::Rose | Function::Fell => {
                count(Count::Ones)?;
                let lowest = |body| Box::new(Expression::Slice(0, 1, body));
                let now = lowest(self.boxed(argument, Wanted::of(own), scope)?);
                let before = lowest(self.before(argument, own, scope)?);
                let to =
                    || Box::new(Expression::Constant(Value::Bits(BitVector::bit(function == Function::Rose, false))));
                let is = |value| Expression::Compare(Comparison::Same, Sign::Unsigned, value, to());
                let was_not = not(is(before));
                Ok(Expression::Bitwise(Bitwise::And, ONE_BIT, Box::new(is(now)), Box::new(was_not)))
            }
            Function::OneHot | Function::OneHotOrNone | Function::CountOnes | Function::IsUnknown => {
                let count = count(match function {
                    Function::OneHot => Count::OneHot,
                    Function::OneHotOrNone => Count::OneHotOrNone,
                    Function::CountOnes => Count::Ones,
                    _ => Count::Unknown,
                })?;
                Ok(Expression::Count(count, self.boxed(argument, Wanted::of(own), scope)?))
            }
            // Whoever uses the value extends it.
            Function::Signed | Function::Unsigned => self.build(argument, Wanted::of(own), scope),
        }
    }

    /// A value one cycle before.
    fn before(&mut self, tree: &Tree, own: Type, scope: &mut Scope) -> Result<Box<Expression>> {
        scope.delay += 1;
        let built = self.boxed(tree, Wanted::of(own), scope);
        scope.delay -= 1;
        built
    }
}
