//! What stands before an operand, symbols and words, and the numbers of cycles that operators take: bounds, delays,
//! repetitions.
//!
//! A word that is an operator is a name where no operand follows it.

use std::ops::Range;

use super::super::Clock;
use super::super::core::Strength::{self, Strong, Weak};
use super::super::lex::Token;
use super::super::syntax::{Bounds, Literal, Repeat, Shape, Temporal, Tree, Unary};
use super::infix::{infix_word, level};
use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn prefix_symbol(&mut self, symbol: &'static str, start: usize, range: Range<usize>) -> Parsed<Tree> {
        let unary = |op| Some((op, false));
        let op = match symbol {
            "!" => unary(Unary::Not),
            "~" => unary(Unary::Complement),
            "-" => unary(Unary::Minus),
            "&" => unary(Unary::ReduceAnd),
            "|" => unary(Unary::ReduceOr),
            "^" => unary(Unary::ReduceXor),
            "~&" => Some((Unary::ReduceAnd, true)),
            "~|" => Some((Unary::ReduceOr, true)),
            "~^" => Some((Unary::ReduceXor, true)),
            _ => None,
        };
        if let Some((op, complemented)) = op {
            self.advance();
            let body = self.expression(level::UNARY)?;
            let shape = match (op, body.shape) {
                (Unary::Minus, Shape::Literal(Literal::Integer(number))) => Shape::Literal(Literal::Integer(-number)),
                (Unary::Minus, Shape::Literal(Literal::Real(number))) => Shape::Literal(Literal::Real(-number)),
                (op, shape) => Shape::Unary(op, Box::new(Tree { shape, ..body })),
            };
            let tree = self.node(start, shape)?;
            return if complemented { self.node(start, Shape::Unary(Unary::Not, Box::new(tree))) } else { Ok(tree) };
        }
        match symbol {
            "(" if *self.ahead(1) == Token::Symbol(")") => {
                self.advance();
                self.temporal(start, Temporal::Next(1, Weak), level::LETTER)
            }
            "(" => {
                self.advance();
                let mut inner = self.expression(1)?;
                if self.is(",") {
                    inner = self.match_items(start, inner)?;
                }
                self.close(")", range)?;
                self.selects(start, inner)
            }
            "()" => self.temporal(start, Temporal::Next(1, Weak), level::LETTER),
            "[]" => self.temporal(start, Temporal::Globally(None, Weak), level::LETTER),
            "<>" => self.temporal(start, Temporal::Finally(None, Strong), level::LETTER),
            "##" => {
                self.advance();
                let bounds = self.delay()?;
                let body = self.expression(level::DELAY + 1)?;
                self.node(start, Shape::Delay(None, bounds, Box::new(body)))
            }
            "[*" | "[+" => {
                self.advance();
                let (repeat, bounds) = self.repetition(symbol, range)?;
                let body = self.node(start, Shape::Boolean(true))?;
                self.node(start, Shape::Repeat(repeat, bounds, Box::new(body)))
            }
            "{" => self.braces(start, range),
            "@" => {
                self.clocked()?;
                self.expression(level::ARROW)
            }
            _ => self.no_operand(),
        }
    }

    /// The operator at this place, then its operand.
    fn temporal(&mut self, start: usize, op: Temporal, operand: u8) -> Parsed<Tree> {
        self.advance();
        let body = self.expression(operand)?;
        self.node(start, Shape::Temporal(op, Box::new(body)))
    }

    /// Operators that are words before their operand; `None` if this one is a name here.
    pub(super) fn prefix_word(&mut self, word: &str, start: usize) -> Parsed<Option<Tree>> {
        if !self.operand_follows() && word != "disable" {
            return Ok(None);
        }
        let bracket_follows = *self.ahead(1) == Token::Symbol("(");
        let tree = match word {
            "X" | "X!" | "next" | "next!" | "nexttime" | "s_nexttime" | "Y" | "Z" => self.step(word, start)?,
            "G" | "F" | "O" | "H" | "always" | "s_always" | "eventually" | "eventually!" | "s_eventually"
            | "next_a" | "next_a!" | "next_e" | "next_e!" => self.stretch(word, start)?,
            "never" => {
                self.advance();
                let mut body = self.expression(level::ARROW)?;
                // PSL: a sequence that must never be seen has not been seen before it has ended.
                if body.is_sequence() && !matches!(body.shape, Shape::Sequence(..)) {
                    let range = body.range.clone();
                    body = Tree::new(range, Shape::Sequence(Strong, Box::new(body)));
                }
                let not = self.node(start, Shape::Unary(Unary::Not, Box::new(body)))?;
                self.node(start, Shape::Temporal(Temporal::Globally(None, Weak), Box::new(not)))?
            }
            "not" => {
                self.advance();
                let body = self.expression(level::NOT_WORD)?;
                self.node(start, Shape::Unary(Unary::Not, Box::new(body)))?
            }
            "strong" | "weak" | "first_match" if bracket_follows => {
                self.advance();
                let body = self.bracketed()?;
                let shape = match word {
                    "strong" => Shape::Sequence(Strong, body),
                    "weak" => Shape::Sequence(Weak, body),
                    _ => Shape::FirstMatch(body),
                };
                self.node(start, shape)?
            }
            "accept_on" | "sync_accept_on" | "reject_on" | "sync_reject_on" | "disable" => self.abort(word, start)?,
            "if" if bracket_follows => self.conditional(start)?,
            "next_event" | "next_event!" | "next_event_a" | "next_event_a!" | "next_event_e" | "next_event_e!" => {
                self.next_event(word, start)?
            }
            _ => return Ok(None),
        };
        Ok(Some(tree))
    }

    /// Can what comes after this word be its operand?
    fn operand_follows(&self) -> bool {
        match self.ahead(1) {
            Token::Word(word) => infix_word(word).is_none(),
            Token::Name(_) | Token::Literal(_) => true,
            Token::Symbol(symbol) => {
                ["(", "()", "!", "~", "[]", "<>", "{", "[", "##", "@", "[*", "[+", "~&", "~|"].contains(symbol)
            }
            Token::End => false,
        }
    }

    /// One cycle away, or so many: `X a`, `next[3] a`, `X[!] a`, `Y a`.
    fn step(&mut self, word: &str, start: usize) -> Parsed<Tree> {
        self.advance();
        let (mut strength, mut by) = (strength_of(word), 1);
        if self.is("[") && *self.ahead(1) == Token::Symbol("!") {
            self.at += 2;
            self.expect("]")?;
            strength = Strong;
        } else if let Some(bounds) = self.bounds()? {
            if bounds.to != Some(bounds.from) {
                return self.error(start..self.end(), format!("`{word}` takes one number of cycles"));
            }
            by = bounds.from;
        }
        let (op, min) = match word {
            "Y" => (Temporal::Previous(by, Strong), level::LETTER),
            "Z" => (Temporal::Previous(by, Weak), level::LETTER),
            "X" | "X!" => (Temporal::Next(by, strength), level::LETTER),
            "next" | "next!" => (Temporal::Next(by, strength), level::NEXT),
            _ => (Temporal::Next(by, strength), level::NOT_WORD),
        };
        let body = self.expression(min)?;
        self.node(start, Shape::Temporal(op, Box::new(body)))
    }

    /// All or any of many cycles: `G a`, `eventually! a`, `next_a[1:3] a`.
    fn stretch(&mut self, word: &str, start: usize) -> Parsed<Tree> {
        self.advance();
        let bounds = self.bounds()?;
        if bounds.is_none() && (word == "s_always" || word.starts_with("next_")) {
            return self.unexpected(&format!("`[m:n]` after `{word}`"));
        }
        let (op, min) = match word {
            "G" => (Temporal::Globally(bounds, Weak), level::LETTER),
            "F" => (Temporal::Finally(bounds, Strong), level::LETTER),
            "O" => (Temporal::Once(bounds), level::LETTER),
            "H" => (Temporal::Historically(bounds), level::LETTER),
            "always" => (Temporal::Globally(bounds, Weak), level::ARROW),
            "s_always" => (Temporal::Globally(bounds, Strong), level::ARROW),
            "eventually" if bounds.is_some_and(|bounds| bounds.to.is_some()) => {
                (Temporal::Finally(bounds, Weak), level::ARROW)
            }
            "s_eventually" => (Temporal::Finally(bounds, Strong), level::ARROW),
            "next_a" | "next_a!" => (Temporal::Globally(bounds, strength_of(word)), level::NEXT),
            "next_e" | "next_e!" => (Temporal::Finally(bounds, strength_of(word)), level::NEXT),
            _ => (Temporal::Finally(bounds, Strong), level::NEXT),
        };
        let body = self.expression(min)?;
        self.node(start, Shape::Temporal(op, Box::new(body)))
    }

    /// `accept_on (c) a`, `disable iff (c) a`.
    fn abort(&mut self, word: &str, start: usize) -> Parsed<Tree> {
        self.advance();
        if word == "disable" {
            self.disabled = true;
            if !self.take_word("iff") {
                return self.unexpected("`iff` after `disable`");
            }
        }
        let condition = self.bracketed()?;
        let body = Box::new(self.expression(level::ARROW)?);
        self.node(start, Shape::Abort { accept: !word.ends_with("reject_on"), condition, body })
    }

    /// `if (c) a else b`.
    fn conditional(&mut self, start: usize) -> Parsed<Tree> {
        self.advance();
        let condition = self.bracketed()?;
        let yes = self.expression(level::ARROW)?;
        let no = if self.take_word("else") {
            self.expression(level::ARROW)?
        } else {
            Tree::new(yes.range.end..yes.range.end, Shape::Boolean(true))
        };
        self.node(start, Shape::Conditional(condition, Box::new(yes), Box::new(no)))
    }

    /// `next_event(e)[2](a)`.
    fn next_event(&mut self, word: &str, start: usize) -> Parsed<Tree> {
        self.advance();
        let event = self.bracketed()?;
        let bounds = self.bounds()?.unwrap_or(Bounds { from: 1, to: Some(1) });
        if bounds.from == 0 || bounds.to.is_none() {
            return self.error(start..self.end(), "the times are counted from 1, and need an end");
        }
        let body = self.bracketed()?;
        let any = word.starts_with("next_event_e");
        self.node(start, Shape::NextEvent { strength: strength_of(word), any, bounds, event, body })
    }

    /// Something in round brackets.
    pub(in super::super) fn bracketed(&mut self) -> Parsed<Box<Tree>> {
        let open = self.tokens[self.at].range.clone();
        self.expect("(")?;
        let inner = self.expression(1)?;
        self.close(")", open)?;
        Ok(Box::new(inner))
    }

    /// `@(posedge clk)`, `@rising_edge(clk)`, `@clk`.
    pub fn clocked(&mut self) -> Parsed<()> {
        self.expect("@")?;
        self.clock_event()
    }

    /// What follows the `@`.
    pub fn clock_event(&mut self) -> Parsed<()> {
        let start = self.start();
        let open = self.tokens[self.at].range.clone();
        let bracket = self.take("(");
        let edge = ["posedge", "negedge", "rising_edge", "falling_edge"].into_iter().find(|edge| self.take_word(edge));
        let inner = self.tokens[self.at].range.clone();
        let call = edge.is_some_and(|edge| edge.ends_with("_edge")) && self.take("(");
        let signal = match self.token() {
            Token::Word(name) | Token::Name(name) => name.clone(),
            _ => return self.unexpected("the name of a clock"),
        };
        self.advance();
        if call {
            self.close(")", inner)?;
        }
        if bracket {
            self.close(")", open)?;
        }
        let clock = Clock { signal, negedge: matches!(edge, Some("negedge" | "falling_edge")) };
        if self.clock.as_ref().is_some_and(|other| *other != clock) {
            return self.error(start..self.end(), "a formula has one clock, and this is another one");
        }
        self.clock = Some(clock);
        Ok(())
    }
}

/// The strength that the spelling of a word of PSL or SVA says.
fn strength_of(word: &str) -> Strength {
    if word.ends_with('!') || word.starts_with("s_") { Strong } else { Weak }
}

/// Numbers of cycles.
impl Parser<'_> {
    /// A number of cycles.
    pub(super) fn cycles(&mut self) -> Parsed<u32> {
        match self.token() {
            Token::Literal(Literal::Integer(number)) => match u32::try_from(*number) {
                Ok(number) if number <= 1_000_000_000 => {
                    self.advance();
                    Ok(number)
                }
                _ => self.unexpected("a number of cycles up to 1000000000"),
            },
            _ => self.unexpected("a number of cycles"),
        }
    }

    /// What is between the brackets of bounds, the closing one included.
    pub(super) fn range(&mut self, open: Range<usize>) -> Parsed<Bounds> {
        let at = self.start();
        let bounds = if self.take("<=") {
            Bounds { from: 0, to: Some(self.cycles()?) }
        } else {
            let from = self.cycles()?;
            let separated = self.take(":") || self.take(",") || self.take("..") || self.take_word("to");
            if !separated {
                Bounds { from, to: Some(from) }
            } else if self.take_word("inf") || self.take("$") || self.is("]") {
                Bounds { from, to: None }
            } else {
                Bounds { from, to: Some(self.cycles()?) }
            }
        };
        if bounds.to.is_some_and(|to| to < bounds.from) {
            return self.error(at..self.end(), "the first bound is larger than the second");
        }
        self.close("]", open)?;
        Ok(bounds)
    }

    /// `[2:5]`, `[<=5]`, `[3]`, `[2:$]`, if there is one.
    pub(super) fn bounds(&mut self) -> Parsed<Option<Bounds>> {
        let open = self.tokens[self.at].range.clone();
        if self.take("[") { self.range(open).map(Some) } else { Ok(None) }
    }

    /// What follows `##`.
    pub(super) fn delay(&mut self) -> Parsed<Bounds> {
        let open = self.tokens[self.at].range.clone();
        if self.take("[") {
            self.range(open)
        } else if self.take("[*") {
            self.close("]", open)?;
            Ok(Bounds { from: 0, to: None })
        } else if self.take("[+") {
            self.close("]", open)?;
            Ok(Bounds { from: 1, to: None })
        } else {
            let by = self.cycles()?;
            Ok(Bounds { from: by, to: Some(by) })
        }
    }

    /// What follows the opening bracket of a repetition.
    pub(super) fn repetition(&mut self, bracket: &str, open: Range<usize>) -> Parsed<(Repeat, Bounds)> {
        let (repeat, default) = match bracket {
            "[*" => (Repeat::Consecutive, Bounds { from: 0, to: None }),
            "[+" => (Repeat::Consecutive, Bounds { from: 1, to: None }),
            "[->" => (Repeat::Goto, Bounds { from: 1, to: Some(1) }),
            _ => (Repeat::NonConsecutive, Bounds { from: 1, to: Some(1) }),
        };
        let bounds = if bracket == "[+" || self.is("]") {
            self.close("]", open)?;
            default
        } else {
            self.range(open)?
        };
        Ok((repeat, bounds))
    }
}
