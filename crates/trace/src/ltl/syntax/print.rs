//! Trees as text: one canonical spelling, with brackets round every operand that has operators itself. Reading it gives the
//! same tree.

use std::fmt;

use super::super::core::Strength;
use super::{
    Binary, Bounds, Combine, Function, Literal, Repeat, Shape, Slice, Spelling, Suffix, Temporal, Tree, Unary, Until,
};

impl Tree {
    /// Is it one word, so that no brackets are needed round it?
    fn is_simple(&self) -> bool {
        matches!(
            self.shape,
            Shape::Boolean(_)
                | Shape::Name(_)
                | Shape::Literal(_)
                | Shape::Select(..)
                | Shape::Slice(..)
                | Shape::Call(..)
                | Shape::Join(_)
                | Shape::Replicate(..)
                | Shape::Braces(_)
                | Shape::Local(_)
                | Shape::Match(..)
        )
    }
}

/// An operand, in brackets if it has operators.
struct Operand<'a>(&'a Tree);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_simple() { self.0.fmt(f) } else { write!(f, "({})", self.0) }
    }
}

/// Several with something between them.
struct Joined<'a>(&'a [Tree], &'static str);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, part) in self.0.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { self.1 }, Operand(part))?;
        }
        Ok(())
    }
}

/// `m`, `m:n`, `m:$`.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            Some(to) => write!(f, "{}:{to}", self.from),
            None => write!(f, "{}:$", self.from),
        }
    }
}

/// Bounds in brackets, or nothing.
struct Bracketed(Option<Bounds>);

impl fmt::Display for Bracketed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |bounds| write!(f, "[{bounds}]"))
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            Shape::Boolean(value) => write!(f, "{value}"),
            Shape::Name(name) if name.contains('`') => write!(f, "\\{name} "),
            Shape::Name(name) => write!(f, "`{name}`"),
            Shape::Literal(literal) => literal.fmt(f),
            Shape::Unary(op, a) => write!(f, "{op}{}", Operand(a)),
            Shape::Binary(op, a, b) => write!(f, "{} {op} {}", Operand(a), Operand(b)),
            Shape::And(spelling, parts) => Joined(
                parts,
                match spelling {
                    Spelling::Single => " & ",
                    Spelling::Double => " && ",
                    Spelling::Word => " and ",
                },
            )
            .fmt(f),
            Shape::Or(spelling, parts) => Joined(
                parts,
                match spelling {
                    Spelling::Single => " | ",
                    Spelling::Double => " || ",
                    Spelling::Word => " or ",
                },
            )
            .fmt(f),
            Shape::Xor(a, b) => write!(f, "{} ^ {}", Operand(a), Operand(b)),
            Shape::Implies(a, b) => write!(f, "{} -> {}", Operand(a), Operand(b)),
            Shape::Iff(a, b) => write!(f, "{} <-> {}", Operand(a), Operand(b)),
            Shape::Conditional(a, b, c) => write!(f, "{} ? {} : {}", Operand(a), Operand(b), Operand(c)),
            Shape::Select(a, index) => write!(f, "{}[{}]", Operand(a), Operand(index)),
            Shape::Slice(a, slice, b, c) => {
                let between = match slice {
                    Slice::Between => ":",
                    Slice::Up => " +: ",
                    Slice::Down => " -: ",
                };
                write!(f, "{}[{}{between}{}]", Operand(a), Operand(b), Operand(c))
            }
            Shape::Join(parts) => write!(f, "{{{}}}", Joined(parts, ", ")),
            Shape::Replicate(times, a) => write!(f, "{{{times}{{{a}}}}}"),
            Shape::Member(a, items) => {
                write!(f, "{} in {{", Operand(a))?;
                for (i, (low, high)) in items.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { ", " }, Operand(low))?;
                    if let Some(high) = high {
                        write!(f, " .. {}", Operand(high))?;
                    }
                }
                f.write_str("}")
            }
            Shape::Call(function, arguments) => write!(f, "{function}({})", Joined(arguments, ", ")),
            Shape::Temporal(op, a) => write!(f, "{op} {}", Operand(a)),
            Shape::Until(op, bounds, a, b) => write!(f, "{} {op}{} {}", Operand(a), Bracketed(*bounds), Operand(b)),
            Shape::NextEvent { strength, any, bounds, event, body } => {
                let letter = if *any { "e" } else { "a" };
                write!(f, "next_event_{letter}{}({event})[{bounds}]({body})", mark(*strength))
            }
            Shape::Suffix(op, a, b) => write!(f, "{} {op} {}", Operand(a), Operand(b)),
            Shape::Delay(None, bounds, b) => write!(f, "##[{bounds}] {}", Operand(b)),
            Shape::Delay(Some(a), bounds, b) => write!(f, "{} ##[{bounds}] {}", Operand(a), Operand(b)),
            Shape::Repeat(op, bounds, a) => write!(f, "{} {op}{bounds}]", Operand(a)),
            Shape::Combine(op, a, b) => write!(f, "{} {op} {}", Operand(a), Operand(b)),
            Shape::FirstMatch(a) => write!(f, "first_match({a})"),
            Shape::Match(a, items) => {
                write!(f, "({a}")?;
                items.iter().try_for_each(|(target, value)| write!(f, ", {target} = {}", Operand(value)))?;
                f.write_str(")")
            }
            Shape::Local(local) => match &local.kept {
                Some(kept) => f.write_str(&kept.text),
                None => write!(f, "`{}`", local.name),
            },
            Shape::Is(a, kept) => write!(f, "{} == {}", Operand(a), kept.text),
            Shape::Braces(a) => write!(f, "{{{a}}}"),
            Shape::Sequence(Strength::Strong, a) => write!(f, "strong({a})"),
            Shape::Sequence(Strength::Weak, a) => write!(f, "weak({a})"),
            Shape::Abort { accept, condition, body } => {
                write!(f, "{}_on ({condition}) ({body})", if *accept { "accept" } else { "reject" })
            }
        }
    }
}

/// The mark of strong operators in PSL.
fn mark(strength: Strength) -> &'static str {
    match strength {
        Strength::Weak => "",
        Strength::Strong => "!",
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Integer(number) => number.fmt(f),
            Literal::Bits { bits, signed } => {
                write!(f, "{}'{}b", bits.width, if *signed { "s" } else { "" })?;
                let bit = |i: u32| {
                    (bits.value[i as usize / 64] >> (i % 64) & 1, bits.unknown[i as usize / 64] >> (i % 64) & 1)
                };
                (0..bits.width).rev().try_for_each(|i| {
                    f.write_str(match bit(i) {
                        (0, 0) => "0",
                        (_, 0) => "1",
                        (0, _) => "z",
                        _ => "x",
                    })
                })
            }
            Literal::Real(number) => write!(f, "{number:?}"),
            Literal::Text(text) => write!(f, "\"{text}\""),
            Literal::Fill(character) => write!(f, "'{character}"),
        }
    }
}

impl fmt::Display for Unary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unary::Not => "!",
            Unary::Complement => "~",
            Unary::Minus => "-",
            Unary::ReduceAnd => "&",
            Unary::ReduceOr => "|",
            Unary::ReduceXor => "^",
        })
    }
}

impl fmt::Display for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Binary::Equal => "==",
            Binary::Unequal => "!=",
            Binary::Same => "===",
            Binary::Differs => "!==",
            Binary::Less => "<",
            Binary::AtMost => "<=",
            Binary::Greater => ">",
            Binary::AtLeast => ">=",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Remainder => "%",
            Binary::Power => "**",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::ShiftRightSigned => ">>>",
        })
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Function::Rose => "$rose",
            Function::Fell => "$fell",
            Function::Stable => "$stable",
            Function::Changed => "$changed",
            Function::Past => "$past",
            Function::OneHot => "$onehot",
            Function::OneHotOrNone => "$onehot0",
            Function::CountOnes => "$countones",
            Function::IsUnknown => "$isunknown",
            Function::Signed => "$signed",
            Function::Unsigned => "$unsigned",
        })
    }
}

impl fmt::Display for Temporal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Temporal::Next(1, Strength::Weak) => f.write_str("X"),
            Temporal::Next(by, strength) => write!(f, "next{}[{by}]", mark(*strength)),
            Temporal::Globally(bounds, Strength::Weak) => write!(f, "G{}", Bracketed(*bounds)),
            Temporal::Globally(bounds, Strength::Strong) => write!(f, "s_always{}", Bracketed(*bounds)),
            Temporal::Finally(bounds, Strength::Strong) => write!(f, "F{}", Bracketed(*bounds)),
            Temporal::Finally(bounds, Strength::Weak) => write!(f, "eventually{}", Bracketed(*bounds)),
            Temporal::Previous(by, Strength::Strong) => write!(f, "Y[{by}]"),
            Temporal::Previous(by, Strength::Weak) => write!(f, "Z[{by}]"),
            Temporal::Once(bounds) => write!(f, "O{}", Bracketed(*bounds)),
            Temporal::Historically(bounds) => write!(f, "H{}", Bracketed(*bounds)),
        }
    }
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Until::Until(Strength::Strong) => "U",
            Until::Until(Strength::Weak) => "W",
            Until::UntilWith(Strength::Strong) => "until!_",
            Until::UntilWith(Strength::Weak) => "until_",
            Until::Release(Strength::Strong) => "M",
            Until::Release(Strength::Weak) => "R",
            Until::Before(Strength::Strong) => "before!",
            Until::Before(Strength::Weak) => "before",
            Until::BeforeWith(Strength::Strong) => "before!_",
            Until::BeforeWith(Strength::Weak) => "before_",
            Until::Since => "S",
            Until::Trigger => "T",
        })
    }
}

impl fmt::Display for Suffix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Suffix::Overlapping => "|->",
            Suffix::NonOverlapping => "|=>",
            Suffix::FollowedBy => "#-#",
            Suffix::FollowedByNext => "#=#",
        })
    }
}

impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Repeat::Consecutive => "[*",
            Repeat::Goto => "[->",
            Repeat::NonConsecutive => "[=",
        })
    }
}

impl fmt::Display for Combine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Combine::Intersect => "intersect",
            Combine::Within => "within",
            Combine::Throughout => "throughout",
        })
    }
}
