//! Operators between two operands: which they are, how tight they bind, and what they make of their operands.
//!
//! Whether a symbol is an operator may depend on where it stands: `;` and `:` are ones in braces only, and a bracket on a new
//! line starts something new.

use super::super::core::Strength::{Strong, Weak};
use super::super::lex::{Spanned, Token};
use super::super::syntax::{Binary, Bounds, Combine, Shape, Spelling, Suffix, Tree, Unary, Until};
use super::{Parsed, Parser, is_letter};

/// How tight the levels bind.
pub(super) mod level {
    pub const SEMICOLON: u8 = 2;
    pub const COLON: u8 = 4;
    pub const ARROW: u8 = 10;
    pub const UNTIL: u8 = 14;
    pub const NEXT: u8 = 16;
    pub const ABORT: u8 = 16;
    pub const OR_WORD: u8 = 20;
    pub const AND_WORD: u8 = 22;
    pub const NOT_WORD: u8 = 24;
    pub const INTERSECT: u8 = 24;
    pub const WITHIN: u8 = 26;
    pub const THROUGHOUT: u8 = 28;
    pub const DELAY: u8 = 30;
    pub const REPEAT: u8 = 32;
    pub const QUESTION: u8 = 34;
    pub const XOR_WORD: u8 = 36;
    pub const OR_DOUBLE: u8 = 38;
    pub const AND_DOUBLE: u8 = 40;
    pub const OR: u8 = 42;
    pub const XOR: u8 = 44;
    pub const AND: u8 = 46;
    pub const LETTER_UNTIL: u8 = 48;
    pub const LETTER: u8 = 50;
    pub const EQUAL: u8 = 52;
    pub const LESS: u8 = 54;
    pub const SHIFT: u8 = 56;
    pub const ADD: u8 = 58;
    pub const MULTIPLY: u8 = 60;
    pub const POWER: u8 = 62;
    pub const UNARY: u8 = 64;
}

/// What an operator between two operands makes of them.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Infix {
    And(Spelling),
    Or(Spelling),
    Xor,
    Xnor,
    Implies,
    Iff,
    Value(Binary),
    Until(Until),
    Suffix(Suffix),
    Delay,
    Fixed(u32),
    Repeat(&'static str),
    Combine(Combine),
    Abort,
    Question,
    Member,
    Clock,
}

impl Parser<'_> {
    /// The operator at this place, how tight it binds, and whether it groups to the right.
    pub(super) fn infix(&self) -> Option<(Infix, u8, bool)> {
        let word = |infix, level| Some((infix, level, false));
        match self.token() {
            Token::Symbol(symbol) => {
                // A bracket on a new line starts something new.
                let new_line = self.tokens[self.at].starts_line;
                match *symbol {
                    "->" | "=>" => Some((Infix::Implies, level::ARROW, true)),
                    "<->" | "<=>" => Some((Infix::Iff, level::ARROW, true)),
                    "|->" => Some((Infix::Suffix(Suffix::Overlapping), level::ARROW, true)),
                    "|=>" => Some((Infix::Suffix(Suffix::NonOverlapping), level::ARROW, true)),
                    "#-#" => Some((Infix::Suffix(Suffix::FollowedBy), level::ARROW, true)),
                    "#=#" => Some((Infix::Suffix(Suffix::FollowedByNext), level::ARROW, true)),
                    ";" if self.in_braces => word(Infix::Fixed(1), level::SEMICOLON),
                    ":" if self.in_braces => word(Infix::Fixed(0), level::COLON),
                    "##" => word(Infix::Delay, level::DELAY),
                    "[*" if !new_line => word(Infix::Repeat("[*"), level::REPEAT),
                    "[+" if !new_line => word(Infix::Repeat("[+"), level::REPEAT),
                    "[->" if !new_line => word(Infix::Repeat("[->"), level::REPEAT),
                    "[=" if !new_line => word(Infix::Repeat("[="), level::REPEAT),
                    "?" => Some((Infix::Question, level::QUESTION, true)),
                    "||" => word(Infix::Or(Spelling::Double), level::OR_DOUBLE),
                    "&&" => word(Infix::And(Spelling::Double), level::AND_DOUBLE),
                    "|" => word(Infix::Or(Spelling::Single), level::OR),
                    "\\/" => word(Infix::Or(Spelling::Word), level::OR),
                    "^" => word(Infix::Xor, level::XOR),
                    "~^" => word(Infix::Xnor, level::XOR),
                    "&" => word(Infix::And(Spelling::Single), level::AND),
                    "/\\" => word(Infix::And(Spelling::Word), level::AND),
                    "==" | "=" => word(Infix::Value(Binary::Equal), level::EQUAL),
                    "!=" => word(Infix::Value(Binary::Unequal), level::EQUAL),
                    "===" => word(Infix::Value(Binary::Same), level::EQUAL),
                    "!==" => word(Infix::Value(Binary::Differs), level::EQUAL),
                    "<" => word(Infix::Value(Binary::Less), level::LESS),
                    "<=" => word(Infix::Value(Binary::AtMost), level::LESS),
                    ">" => word(Infix::Value(Binary::Greater), level::LESS),
                    ">=" => word(Infix::Value(Binary::AtLeast), level::LESS),
                    "<<" => word(Infix::Value(Binary::ShiftLeft), level::SHIFT),
                    ">>" => word(Infix::Value(Binary::ShiftRight), level::SHIFT),
                    ">>>" => word(Infix::Value(Binary::ShiftRightSigned), level::SHIFT),
                    "+" => word(Infix::Value(Binary::Add), level::ADD),
                    "-" => word(Infix::Value(Binary::Subtract), level::ADD),
                    "*" => word(Infix::Value(Binary::Multiply), level::MULTIPLY),
                    "/" => word(Infix::Value(Binary::Divide), level::MULTIPLY),
                    "%" => word(Infix::Value(Binary::Remainder), level::MULTIPLY),
                    "**" => word(Infix::Value(Binary::Power), level::POWER),
                    "@" if !new_line || self.clock_is_last() => word(Infix::Clock, 1),
                    _ => None,
                }
            }
            Token::Word(found) => infix_word(found),
            _ => None,
        }
    }

    /// Does nothing follow the clock that stands here? Otherwise it belongs to what follows.
    fn clock_is_last(&self) -> bool {
        let after = &self.tokens[self.at + 1..];
        let edge = matches!(&after[0].token, Token::Word(word) if word.ends_with("_edge"));
        let mut depth = 0u32;
        for (i, Spanned { token, starts_line, .. }) in after.iter().enumerate() {
            match token {
                Token::Symbol("(") if depth > 0 || i == 0 || i == 1 && edge => depth += 1,
                Token::Symbol(")") if depth > 0 => depth -= 1,
                Token::Symbol(")" | ";") | Token::End => return true,
                _ if depth > 0 || i == 0 => {}
                _ => return *starts_line,
            }
        }
        true
    }

    /// The operator here with `left` before it; operands after it bind at least as tight as `min`.
    pub(super) fn combine(&mut self, start: usize, left: Tree, infix: Infix, min: u8) -> Parsed<Tree> {
        let at = self.tokens[self.at].range.clone();
        if infix == Infix::Clock {
            self.clocked()?;
            return Ok(left);
        }
        self.advance();
        let boxed = Box::new(left);
        let shape = match infix {
            Infix::Question => {
                let braces = std::mem::replace(&mut self.in_braces, false);
                let yes = self.expression(level::ARROW)?;
                self.in_braces = braces;
                if !self.take(":") {
                    return self.unexpected("`:` of this `?`");
                }
                let no = self.expression(min)?;
                Shape::Conditional(boxed, Box::new(yes), Box::new(no))
            }
            Infix::Delay => {
                let bounds = self.delay()?;
                Shape::Delay(Some(boxed), bounds, Box::new(self.expression(min)?))
            }
            Infix::Repeat(bracket) => {
                let (repeat, bounds) = self.repetition(bracket, at)?;
                Shape::Repeat(repeat, bounds, boxed)
            }
            Infix::Member => Shape::Member(boxed, self.set()?),
            Infix::Until(until) => {
                let bounds = if is_letter(&self.text[at]) { self.bounds()? } else { None };
                Shape::Until(until, bounds, boxed, Box::new(self.expression(min)?))
            }
            _ => {
                let right = self.expression(min)?;
                match infix {
                    Infix::And(spelling) => Shape::And(spelling, vec![*boxed, right]),
                    Infix::Or(spelling) => Shape::Or(spelling, vec![*boxed, right]),
                    Infix::Xor => Shape::Xor(boxed, Box::new(right)),
                    Infix::Xnor => {
                        let xor = self.node(start, Shape::Xor(boxed, Box::new(right)))?;
                        Shape::Unary(Unary::Complement, Box::new(xor))
                    }
                    Infix::Implies => Shape::Implies(boxed, Box::new(right)),
                    Infix::Iff => Shape::Iff(boxed, Box::new(right)),
                    Infix::Value(op) => Shape::Binary(op, boxed, Box::new(right)),
                    Infix::Suffix(suffix) => Shape::Suffix(suffix, boxed, Box::new(right)),
                    Infix::Fixed(by) => Shape::Delay(Some(boxed), Bounds { from: by, to: Some(by) }, Box::new(right)),
                    Infix::Combine(combine) => Shape::Combine(combine, boxed, Box::new(right)),
                    Infix::Abort => Shape::Abort { accept: true, condition: Box::new(right), body: boxed },
                    _ => unreachable!("handled above"),
                }
            }
        };
        self.node(start, shape)
    }
}

/// Operators that are words between their operands.
pub(super) fn infix_word(word: &str) -> Option<(Infix, u8, bool)> {
    let until = |until| Some((Infix::Until(until), level::UNTIL, true));
    let letter = |until| Some((Infix::Until(until), level::LETTER_UNTIL, true));
    match word {
        "U" => letter(Until::Until(Strong)),
        "W" => letter(Until::Until(Weak)),
        "R" | "V" => letter(Until::Release(Weak)),
        "M" => letter(Until::Release(Strong)),
        "S" => letter(Until::Since),
        "T" => letter(Until::Trigger),
        "until" => until(Until::Until(Weak)),
        "until!" | "s_until" => until(Until::Until(Strong)),
        "until_" | "until_with" => until(Until::UntilWith(Weak)),
        "until!_" | "s_until_with" => until(Until::UntilWith(Strong)),
        "before" => until(Until::Before(Weak)),
        "before!" => until(Until::Before(Strong)),
        "before_" => until(Until::BeforeWith(Weak)),
        "before!_" => until(Until::BeforeWith(Strong)),
        "implies" => Some((Infix::Implies, level::ARROW, true)),
        "iff" => Some((Infix::Iff, level::ARROW, true)),
        "and" => Some((Infix::And(Spelling::Word), level::AND_WORD, false)),
        "or" => Some((Infix::Or(Spelling::Word), level::OR_WORD, false)),
        "xor" => Some((Infix::Xor, level::XOR_WORD, false)),
        "xnor" => Some((Infix::Xnor, level::XOR_WORD, false)),
        "intersect" => Some((Infix::Combine(Combine::Intersect), level::INTERSECT, false)),
        "within" => Some((Infix::Combine(Combine::Within), level::WITHIN, false)),
        "throughout" => Some((Infix::Combine(Combine::Throughout), level::THROUGHOUT, true)),
        "abort" | "async_abort" | "sync_abort" => Some((Infix::Abort, level::ABORT, false)),
        "mod" => Some((Infix::Value(Binary::Remainder), level::MULTIPLY, false)),
        "in" | "inside" => Some((Infix::Member, level::LESS, false)),
        _ => None,
    }
}
