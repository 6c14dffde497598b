//! Formulas as the user wrote them: one tree for LTL, PSL and SVA, in which values, conditions, sequences and properties are
//! not told apart yet.
//!
//! Whether `a & b` is a conjunction of properties, of sequences, or the bits that two vectors share depends on what `a` and
//! `b` are, and that is known only once names are looked up. The tree therefore keeps operators, not meanings. What
//! can be told from the operators alone stands with [`Tree`]. Printing is in `syntax/print.rs`.

mod print;

use std::ops::Range;

use super::core::Strength;
use crate::wave::BitVector;

/// A part of a formula and where it stands. Two of them are equal if they are the same formula, wherever it stands.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Bytes of the formula's text.
    pub range: Range<usize>,
    /// What it is.
    pub shape: Shape,
    /// How many levels there are below.
    pub(super) height: u32,
}

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        self.shape == other.shape
    }
}

/// How many cycles: at least, and at most, if there is a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At least.
    pub from: u32,
    /// At most.
    pub to: Option<u32>,
}

/// One operator with its operands.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// `true`, `false`.
    Boolean(bool),
    /// A signal or an enumerator.
    Name(String),
    /// A number, bits or a text.
    Literal(Literal),
    /// An operator before a value or a condition.
    Unary(Unary, Box<Tree>),
    /// An operator between two values.
    Binary(Binary, Box<Tree>, Box<Tree>),
    /// `&`, `&&`, `and` of two or more.
    And(Spelling, Vec<Tree>),
    /// `|`, `||`, `or` of two or more.
    Or(Spelling, Vec<Tree>),
    /// `xor`, `^`.
    Xor(Box<Tree>, Box<Tree>),
    /// `->`.
    Implies(Box<Tree>, Box<Tree>),
    /// `<->`.
    Iff(Box<Tree>, Box<Tree>),
    /// `c ? a : b` and `if (c) a else b`; without `else` the third is `true`.
    Conditional(Box<Tree>, Box<Tree>, Box<Tree>),
    /// `x[3]`.
    Select(Box<Tree>, Box<Tree>),
    /// `x[7:4]`, `x[i +: 4]`, `x[i -: 4]`.
    Slice(Box<Tree>, Slice, Box<Tree>, Box<Tree>),
    /// `{a, b}`: bits side by side.
    Join(Vec<Tree>),
    /// `{3{a}}`.
    Replicate(u32, Box<Tree>),
    /// `x in {1, 3..5}`.
    Member(Box<Tree>, Vec<(Tree, Option<Tree>)>),
    /// `$rose(x)`.
    Call(Function, Vec<Tree>),
    /// An operator of time before its operand.
    Temporal(Temporal, Box<Tree>),
    /// An operator of time between two.
    Until(Until, Option<Bounds>, Box<Tree>, Box<Tree>),
    /// `next_event(b)[n](p)`: at the n-th time that `b` holds; several: at all or any of them.
    NextEvent {
        /// Must it come?
        strength: Strength,
        /// Any of the times in the bounds, instead of all?
        any: bool,
        /// Which times, from 1.
        bounds: Bounds,
        /// What has to hold that often.
        event: Box<Tree>,
        /// What has to hold then.
        body: Box<Tree>,
    },
    /// A sequence, and what holds where it ends.
    Suffix(Suffix, Box<Tree>, Box<Tree>),
    /// `a ##[1:3] b`; without `a` the delay starts here. PSL's `;` is `##1`, its `:` is `##0`.
    Delay(Option<Box<Tree>>, Bounds, Box<Tree>),
    /// `a[*2:3]` and its kin.
    Repeat(Repeat, Bounds, Box<Tree>),
    /// `intersect`, `within`, `throughout`.
    Combine(Combine, Box<Tree>, Box<Tree>),
    /// `first_match(r)`.
    FirstMatch(Box<Tree>),
    /// `{r}`: a sequence, or bits.
    Braces(Box<Tree>),
    /// `strong(r)` and `{r}!`, `weak(r)`.
    Sequence(Strength, Box<Tree>),
    /// `(r, x = d)`: where the sequence ends, local variables get values.
    Match(Box<Tree>, Vec<(Tree, Tree)>),
    /// A local variable of a sequence or property.
    Local(Box<Local>),
    /// Has the value just this one? Made when the values of local variables are put in.
    Is(Box<Tree>, Box<Kept>),
    /// `accept_on (r) p`, `disable iff (r) p`, `p abort r`: true as soon as `r` holds; `reject_on`: false.
    Abort {
        /// True rather than false?
        accept: bool,
        /// When.
        condition: Box<Tree>,
        /// What is given up.
        body: Box<Tree>,
    },
}

/// A local variable: two of the same name in different declarations have different numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its number in the text.
    pub id: u32,
    /// What it makes of a value.
    pub holds: Holds,
    /// Its value here, once that is known.
    pub kept: Option<Kept>,
}

/// What a local variable makes of the value that it gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// It keeps the value as it is.
    Anything,
    /// So many bits.
    Bits {
        /// How many.
        width: u32,
        /// Two's complement?
        signed: bool,
        /// Does an unknown bit become 0?
        two_state: bool,
    },
}

/// The value of a local variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    /// The value.
    pub value: Literal,
    /// As it is shown.
    pub text: String,
    /// Does it stand for any value that no cycle of the trace has, but one after its end may have? Then a signal that it is kept from, by its
    /// index among those of the trace.
    pub unseen: Option<usize>,
}

/// A constant value.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// A whole number without a width.
    Integer(i128),
    /// Bits.
    Bits {
        /// Which.
        bits: BitVector,
        /// Two's complement?
        signed: bool,
    },
    /// A number with a fraction.
    Real(f64),
    /// `"IDLE"`: a text, a name, or the bits `"0101"`.
    Text(String),
    /// `'0`, `'1`, `'x`, `'z`: as many of this bit as are needed.
    Fill(char),
}

/// How a conjunction or disjunction is spelled: `&`, `&&` or `and`. On vectors the first works bit by bit; of two
/// sequences, PSL's `&&` asks for equal length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `&`, `|`.
    Single,
    /// `&&`, `||`.
    Double,
    /// `and`, `or`, `/\`, `\/`.
    Word,
}

/// Operators before a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `!`, `not`.
    Not,
    /// `~`.
    Complement,
    /// `-`.
    Minus,
    /// `&x`: are all bits 1?
    ReduceAnd,
    /// `|x`: is any bit 1?
    ReduceOr,
    /// `^x`: is the number of bits that are 1 odd?
    ReduceXor,
}

/// Operators between values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// `==`, `=`.
    Equal,
    /// `!=`.
    Unequal,
    /// `===`: `x` is equal to `x`.
    Same,
    /// `!==`.
    Differs,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`, `mod`.
    Remainder,
    /// `**`.
    Power,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `>>>`.
    ShiftRightSigned,
}

/// How the bits of a slice are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slice {
    /// `[7:4]`.
    Between,
    /// `[4 +: 4]`: upwards.
    Up,
    /// `[7 -: 4]`: downwards.
    Down,
}

/// Functions of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    /// `$rose(x)`: the lowest bit became 1.
    Rose,
    /// `$fell(x)`: it became 0.
    Fell,
    /// `$stable(x)`: no change.
    Stable,
    /// `$changed(x)`.
    Changed,
    /// `$past(x, n)`, `prev(x, n)`.
    Past,
    /// `$onehot(x)`.
    OneHot,
    /// `$onehot0(x)`.
    OneHotOrNone,
    /// `$countones(x)`.
    CountOnes,
    /// `$isunknown(x)`.
    IsUnknown,
    /// `$signed(x)`.
    Signed,
    /// `$unsigned(x)`.
    Unsigned,
}

/// Operators of time before one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Temporal {
    /// `X`, `next[n]`.
    Next(u32, Strength),
    /// `G`, `always`; strong with bounds: `s_always [m:n]`.
    Globally(Option<Bounds>, Strength),
    /// `F`, `eventually!`; weak with bounds: SVA's `eventually [m:n]`.
    Finally(Option<Bounds>, Strength),
    /// `Y` (strong) and `Z` (weak).
    Previous(u32, Strength),
    /// `O`.
    Once(Option<Bounds>),
    /// `H`.
    Historically(Option<Bounds>),
}

/// Operators of time between two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// `a U b`, `a W b`: `a` up to but not with the first `b`.
    Until(Strength),
    /// `a until_ b`: `a` up to and with the first `b`.
    UntilWith(Strength),
    /// `a R b`, `a M b`: `b` up to and with the first `a`.
    Release(Strength),
    /// `a before b`: `a` before any `b`.
    Before(Strength),
    /// `a before_ b`: `a` before any `b` or with it.
    BeforeWith(Strength),
    /// `a S b`.
    Since,
    /// `a T b`.
    Trigger,
}

/// What follows a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suffix {
    /// `|->`: wherever it ends, in the same cycle.
    Overlapping,
    /// `|=>`: wherever it ends, one cycle later.
    NonOverlapping,
    /// `#-#`: somewhere it ends, and then in the same cycle.
    FollowedBy,
    /// `#=#`: somewhere it ends, and then one cycle later.
    FollowedByNext,
}

/// Kinds of repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeat {
    /// `[*n]`: one directly after the other.
    Consecutive,
    /// `[->n]`: with gaps, up to the last.
    Goto,
    /// `[=n]`: with gaps, also after the last.
    NonConsecutive,
}

/// Two sequences at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    /// Both, of equal length.
    Intersect,
    /// The first somewhere within the second.
    Within,
    /// The first, a condition, all along the second.
    Throughout,
}

impl Tree {
    /// A part at a place.
    pub fn new(range: Range<usize>, shape: Shape) -> Tree {
        let height = 1 + shape.children().iter().map(|child| child.height).max().unwrap_or(0);
        Tree { range, shape, height }
    }

    /// Does it say something about other cycles, or about sequences, so that it is no value?
    pub(super) fn is_temporal(&self) -> bool {
        match &self.shape {
            Shape::Temporal(..)
            | Shape::Until(..)
            | Shape::NextEvent { .. }
            | Shape::Suffix(..)
            | Shape::Delay(..)
            | Shape::Repeat(..)
            | Shape::Combine(..)
            | Shape::FirstMatch(_)
            | Shape::Sequence(..)
            | Shape::Match(..)
            | Shape::Abort { .. } => true,
            shape => shape.children().into_iter().any(Tree::is_temporal),
        }
    }

    /// Is it a sequence and not just a condition?
    pub(super) fn is_sequence(&self) -> bool {
        match &self.shape {
            Shape::Delay(..)
            | Shape::Repeat(..)
            | Shape::Combine(..)
            | Shape::FirstMatch(_)
            | Shape::Sequence(..)
            | Shape::Match(..) => true,
            Shape::Braces(body) => body.is_sequence(),
            Shape::And(_, parts) | Shape::Or(_, parts) => parts.iter().any(Tree::is_sequence),
            _ => false,
        }
    }

    /// Does a local variable get a value in it?
    pub fn keeps_values(&self) -> bool {
        matches!(self.shape, Shape::Match(..)) || self.shape.children().into_iter().any(Tree::keeps_values)
    }

    /// The signal behind a local variable whose value no cycle of the trace has.
    pub(super) fn unseen(&self) -> Option<usize> {
        match &self.shape {
            Shape::Local(local) => local.kept.as_ref().and_then(|kept| kept.unseen),
            Shape::Is(_, kept) => kept.unseen,
            shape => shape.children().into_iter().find_map(Tree::unseen),
        }
    }

    /// Is it a sequence that can match no cycle at all, as `a[*]` can?
    pub(super) fn is_nullable(&self) -> bool {
        match &self.shape {
            Shape::Braces(body) | Shape::FirstMatch(body) | Shape::Sequence(_, body) | Shape::Match(body, _) => {
                body.is_nullable()
            }
            Shape::Delay(Some(first), bounds, second) => {
                bounds.from <= 1 && bounds.to.is_none_or(|to| to >= 1) && first.is_nullable() && second.is_nullable()
            }
            Shape::Repeat(Repeat::Consecutive, bounds, body) => bounds.from == 0 || body.is_nullable(),
            Shape::Repeat(_, bounds, _) => bounds.from == 0,
            Shape::Or(_, parts) if self.is_sequence() => parts.iter().any(Tree::is_nullable),
            Shape::And(_, parts) if self.is_sequence() => parts.iter().all(Tree::is_nullable),
            Shape::Combine(Combine::Throughout, _, second) => second.is_nullable(),
            Shape::Combine(_, first, second) => first.is_nullable() && second.is_nullable(),
            _ => false,
        }
    }
}

impl Shape {
    /// The operands, from left to right.
    pub fn children(&self) -> Vec<&Tree> {
        match self {
            Shape::Boolean(_) | Shape::Name(_) | Shape::Literal(_) | Shape::Local(_) => Vec::new(),
            Shape::Unary(_, a)
            | Shape::Temporal(_, a)
            | Shape::Replicate(_, a)
            | Shape::Repeat(_, _, a)
            | Shape::FirstMatch(a)
            | Shape::Braces(a)
            | Shape::Sequence(_, a)
            | Shape::Is(a, _)
            | Shape::Delay(None, _, a) => vec![a],
            Shape::Binary(_, a, b)
            | Shape::Xor(a, b)
            | Shape::Implies(a, b)
            | Shape::Iff(a, b)
            | Shape::Select(a, b)
            | Shape::Until(_, _, a, b)
            | Shape::Suffix(_, a, b)
            | Shape::Combine(_, a, b)
            | Shape::Delay(Some(a), _, b)
            | Shape::NextEvent { event: a, body: b, .. }
            | Shape::Abort { condition: a, body: b, .. } => vec![a, b],
            Shape::Conditional(a, b, c) | Shape::Slice(a, _, b, c) => vec![a, b, c],
            Shape::And(_, parts) | Shape::Or(_, parts) | Shape::Join(parts) | Shape::Call(_, parts) => {
                parts.iter().collect()
            }
            Shape::Match(body, items) => {
                std::iter::once(&**body).chain(items.iter().flat_map(|(target, value)| [target, value])).collect()
            }
            Shape::Member(value, items) => std::iter::once(&**value)
                .chain(items.iter().flat_map(|(low, high)| std::iter::once(low).chain(high)))
                .collect(),
        }
    }

    /// The operands, from left to right, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Tree> {
        match self {
            Shape::Boolean(_) | Shape::Name(_) | Shape::Literal(_) | Shape::Local(_) => Vec::new(),
            Shape::Unary(_, a)
            | Shape::Temporal(_, a)
            | Shape::Replicate(_, a)
            | Shape::Repeat(_, _, a)
            | Shape::FirstMatch(a)
            | Shape::Braces(a)
            | Shape::Sequence(_, a)
            | Shape::Is(a, _)
            | Shape::Delay(None, _, a) => vec![a],
            Shape::Binary(_, a, b)
            | Shape::Xor(a, b)
            | Shape::Implies(a, b)
            | Shape::Iff(a, b)
            | Shape::Select(a, b)
            | Shape::Until(_, _, a, b)
            | Shape::Suffix(_, a, b)
            | Shape::Combine(_, a, b)
            | Shape::Delay(Some(a), _, b)
            | Shape::NextEvent { event: a, body: b, .. }
            | Shape::Abort { condition: a, body: b, .. } => vec![a, b],
            Shape::Conditional(a, b, c) | Shape::Slice(a, _, b, c) => vec![a, b, c],
            Shape::And(_, parts) | Shape::Or(_, parts) | Shape::Join(parts) | Shape::Call(_, parts) => {
                parts.iter_mut().collect()
            }
            Shape::Match(body, items) => std::iter::once(&mut **body)
                .chain(items.iter_mut().flat_map(|(target, value)| [target, value]))
                .collect(),
            Shape::Member(value, items) => std::iter::once(&mut **value)
                .chain(items.iter_mut().flat_map(|(low, high)| std::iter::once(low).chain(high)))
                .collect(),
        }
    }
}
