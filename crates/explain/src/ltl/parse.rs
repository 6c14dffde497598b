//! Tokens to trees, by binding strength.
//!
//! From loose to tight, operators of one row being on one level:
//!
//! | operators | order |
//! |---|---|
//! | `always never s_always s_eventually if accept_on disable iff` | before their operand, which goes as far as it can |
//! | `;` then `:` (inside braces) | left |
//! | `-> <-> implies iff`, `\|-> \|=> #-# #=#` | right |
//! | `until… before… s_until…` | right |
//! | `next… eventually! next_event` | before |
//! | `abort`, then `or`, then `and` | left |
//! | `not nexttime s_nexttime` | before |
//! | `intersect`, `within`, `throughout`, `##` | left, `throughout` right |
//! | `[*] [+] [->] [=]` | after |
//! | `?:`, `xor`, `\|\|`, `&&`, `\|`, `^`, `&` | left, `?:` right |
//! | `U W R M V S T` | right |
//! | `X F G Y Z O H [] <>` | before |
//! | `== != =`, then `< <= > >= in inside`, `<< >>`, `+ -`, `* / %`, `**` | left |
//! | `! ~ -` and reductions | before |
//!
//! Where the languages disagree: `->` and `<->` share a level, as in Spot and SystemVerilog (nuXmv and PSL each put another
//! one first); `&&` is looser than `|`, as in Verilog; `->` is looser than `until`, as in PSL; the letters of LTL bind tighter
//! than `&`, the words of PSL and SVA looser. A repetition takes the whole condition before it (`a && b[*2]`), as both
//! standards say, except directly after a brace.
//!
//! A word that is an operator is a name where an operator makes no sense (`T == 1`).

use std::ops::Range;

use super::core::Strength::{self, Strong, Weak};
use super::lex::{Spanned, Token};
use super::syntax::{
    Binary, Bounds, Combine, Function, Literal, Repeat, Shape, Slice, Spelling, Suffix, Temporal, Tree, Unary, Until,
};
use super::{Clock, FormulaError};

/// Brackets and operators within each other, at most.
const DEEPEST: u32 = 300;
/// Levels of the tree, at most: chains such as `a + b + c` count too.
const HIGHEST: u32 = 1000;

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
enum Infix {
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

/// Reads the tokens of one text.
pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub tokens: Vec<Spanned>,
    pub at: usize,
    /// Where the formula starts: ranges of trees count from here.
    pub base: usize,
    /// The clock, once there is one.
    pub clock: Option<Clock>,
    /// Was there a `disable iff`?
    pub disabled: bool,
    depth: u32,
    in_braces: bool,
}

type Parsed<T> = Result<T, FormulaError>;

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, tokens: Vec<Spanned>) -> Parser<'a> {
        Parser { text, tokens, at: 0, base: 0, clock: None, disabled: false, depth: 0, in_braces: false }
    }

    pub fn token(&self) -> &Token {
        &self.tokens[self.at].token
    }

    pub fn ahead(&self, by: usize) -> &Token {
        &self.tokens[(self.at + by).min(self.tokens.len() - 1)].token
    }

    pub fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    pub fn is(&self, symbol: &str) -> bool {
        matches!(self.token(), Token::Symbol(found) if *found == symbol)
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Word(found) if found == word)
    }

    pub fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Where the next token starts.
    pub fn start(&self) -> usize {
        self.tokens[self.at].range.start
    }

    /// Where the last token ended.
    pub fn end(&self) -> usize {
        if self.at == 0 { 0 } else { self.tokens[self.at - 1].range.end }
    }

    pub fn error<T>(&self, range: Range<usize>, message: impl Into<String>) -> Parsed<T> {
        Err(FormulaError { range, message: message.into(), help: None })
    }

    /// An error at the next token, which is named in the message.
    pub fn unexpected<T>(&self, expected: &str) -> Parsed<T> {
        let range = self.tokens[self.at].range.clone();
        let found = &self.text[range.clone()];
        let mut message = format!("expected {expected}");
        if !found.is_empty() {
            message.push_str(&format!(", found `{}`", found.lines().next().unwrap_or_default()));
        }
        let help = match self.token() {
            Token::Word(word) if is_letter(word) => Some(letter_help(word)),
            _ => None,
        };
        Err(FormulaError { range, message, help })
    }

    pub fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.take(symbol) { Ok(()) } else { self.unexpected(&format!("`{symbol}`")) }
    }

    /// The bracket that closes the one at `open`.
    pub fn close(&mut self, symbol: &str, open: Range<usize>) -> Parsed<()> {
        if self.take(symbol) {
            return Ok(());
        }
        if *self.token() == Token::End {
            let opening = &self.text[open.clone()];
            return self.error(open.clone(), format!("`{opening}` is never closed: expected `{symbol}`"));
        }
        self.unexpected(&format!("an operator or `{symbol}`"))
    }

    fn node(&self, start: usize, shape: Shape) -> Parsed<Tree> {
        let range = start.saturating_sub(self.base)..self.end().saturating_sub(self.base);
        let tree = Tree::new(range, shape);
        if tree.height > HIGHEST {
            return self.error(start..self.end(), "this formula has too many operators within each other");
        }
        Ok(tree)
    }

    /// An expression of operators that bind at least as tight as `min`.
    pub fn expression(&mut self, min: u8) -> Parsed<Tree> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let range = self.tokens[self.at].range.clone();
            return self.error(range, format!("more than {DEEPEST} brackets or operators within each other"));
        }
        let start = self.start();
        let mut left = self.operand()?;
        // The operator that made `left` in this loop: another one of the same kind joins its operands.
        let mut joined = None;
        while let Some((infix, level, right)) = self.infix().filter(|(_, level, _)| *level >= min) {
            left = match (infix, joined) {
                (Infix::And(_) | Infix::Or(_), Some(before)) if before == infix => {
                    self.advance();
                    let part = self.expression(level + 1)?;
                    left.height = left.height.max(part.height + 1);
                    if let Shape::And(_, parts) | Shape::Or(_, parts) = &mut left.shape {
                        parts.push(part);
                    }
                    left.range.end = self.end() - self.base;
                    left
                }
                _ => self.combine(start, left, infix, if right { level } else { level + 1 })?,
            };
            joined = Some(infix);
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The operator at this place, how tight it binds, and whether it groups to the right.
    fn infix(&self) -> Option<(Infix, u8, bool)> {
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
                    "@" => word(Infix::Clock, 1),
                    _ => None,
                }
            }
            Token::Word(found) => infix_word(found),
            _ => None,
        }
    }

    /// The operator here with `left` before it; operands after it bind at least as tight as `min`.
    fn combine(&mut self, start: usize, left: Tree, infix: Infix, min: u8) -> Parsed<Tree> {
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

    /// An operand with everything that stands before it and the selects after it.
    fn operand(&mut self) -> Parsed<Tree> {
        let start = self.start();
        let range = self.tokens[self.at].range.clone();
        match self.token().clone() {
            Token::Word(word) => {
                if let Some(tree) = self.prefix_word(&word, start)? {
                    return Ok(tree);
                }
                self.advance();
                let shape = match word.as_str() {
                    "true" | "TRUE" | "True" => Shape::Boolean(true),
                    "false" | "FALSE" | "False" => Shape::Boolean(false),
                    word if word.starts_with('$') || self.is("(") => {
                        let Some(shape) = self.call(word, &range)? else {
                            self.at -= 1;
                            return self.unexpected("a signal or a function");
                        };
                        shape
                    }
                    word => Shape::Name(word.trim_end_matches('!').to_owned()),
                };
                let tree = self.node(start, shape)?;
                self.selects(start, tree)
            }
            Token::Name(name) => {
                self.advance();
                let tree = self.node(start, Shape::Name(name))?;
                self.selects(start, tree)
            }
            Token::Literal(literal) => {
                self.advance();
                self.node(start, Shape::Literal(literal))
            }
            Token::Symbol(symbol) => self.prefix_symbol(symbol, start, range),
            Token::End => self.no_operand(),
        }
    }

    fn no_operand<T>(&self) -> Parsed<T> {
        let expected = match self.at.checked_sub(1).map(|before| &self.tokens[before]) {
            Some(before) if before.range.start >= self.base && before.token != Token::Symbol(";") => {
                format!("an operand after `{}`", &self.text[before.range.clone()])
            }
            _ => "a formula".to_owned(),
        };
        self.unexpected(&expected)
    }

    fn prefix_symbol(&mut self, symbol: &'static str, start: usize, range: Range<usize>) -> Parsed<Tree> {
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
            return if complemented {
                self.node(start, Shape::Unary(Unary::Complement, Box::new(tree)))
            } else {
                Ok(tree)
            };
        }
        match symbol {
            "(" if *self.ahead(1) == Token::Symbol(")") => {
                self.advance();
                self.temporal(start, Temporal::Next(1, Weak), level::LETTER)
            }
            "(" => {
                self.advance();
                let inner = self.expression(1)?;
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

    /// `{…}`: a sequence, or bits side by side.
    fn braces(&mut self, start: usize, open: Range<usize>) -> Parsed<Tree> {
        self.advance();
        let outside = std::mem::replace(&mut self.in_braces, true);
        let first = self.expression(1)?;
        let shape = if self.is(",") {
            let mut parts = vec![first];
            while self.take(",") {
                parts.push(self.expression(1)?);
            }
            Shape::Join(parts)
        } else if let (Shape::Literal(Literal::Integer(times)), true) = (&first.shape, self.is("{")) {
            let Some(times) = u32::try_from(*times).ok().filter(|times| (1..=1 << 16).contains(times)) else {
                return self.unexpected("a number of times from 1 to 65536 before this");
            };
            let inner = self.tokens[self.at].range.clone();
            self.advance();
            let body = self.expression(1)?;
            self.close("}", inner)?;
            Shape::Replicate(times, Box::new(body))
        } else {
            Shape::Braces(Box::new(first))
        };
        self.in_braces = outside;
        self.close("}", open)?;
        let mut tree = self.node(start, shape)?;
        if matches!(tree.shape, Shape::Braces(_)) {
            while let Token::Symbol(bracket @ ("[*" | "[+" | "[->" | "[=")) = *self.token() {
                let at = self.tokens[self.at].range.clone();
                self.advance();
                let (repeat, bounds) = self.repetition(bracket, at)?;
                tree = self.node(start, Shape::Repeat(repeat, bounds, Box::new(tree)))?;
            }
            if self.take("!") {
                tree = self.node(start, Shape::Sequence(Strong, Box::new(tree)))?;
            }
        }
        Ok(tree)
    }

    /// Bit and part selects after a value.
    fn selects(&mut self, start: usize, mut tree: Tree) -> Parsed<Tree> {
        while self.is("[") && !self.tokens[self.at].starts_line {
            let open = self.tokens[self.at].range.clone();
            self.advance();
            let braces = std::mem::replace(&mut self.in_braces, false);
            let first = Box::new(self.expression(level::QUESTION + 1)?);
            let slice = match self.token() {
                Token::Symbol(":") => Some(Slice::Between),
                Token::Symbol("+:") => Some(Slice::Up),
                Token::Symbol("-:") => Some(Slice::Down),
                _ => None,
            };
            let shape = match slice {
                Some(slice) => {
                    self.advance();
                    let second = self.expression(level::QUESTION + 1)?;
                    Shape::Slice(Box::new(tree), slice, first, Box::new(second))
                }
                None => Shape::Select(Box::new(tree), first),
            };
            self.in_braces = braces;
            self.close("]", open)?;
            tree = self.node(start, shape)?;
        }
        Ok(tree)
    }

    /// The arguments of a function; `None` if there is no function of this name.
    fn call(&mut self, name: &str, at: &Range<usize>) -> Parsed<Option<Shape>> {
        let function = match name {
            "$rose" | "rose" => Function::Rose,
            "$fell" | "fell" => Function::Fell,
            "$stable" | "stable" => Function::Stable,
            "$changed" => Function::Changed,
            "$past" | "prev" => Function::Past,
            "$onehot" | "onehot" => Function::OneHot,
            "$onehot0" | "onehot0" => Function::OneHotOrNone,
            "$countones" | "countones" | "count" => Function::CountOnes,
            "$isunknown" | "isunknown" => Function::IsUnknown,
            "$signed" | "signed" => Function::Signed,
            "$unsigned" | "unsigned" => Function::Unsigned,
            _ => return Ok(None),
        };
        if !self.is("(") {
            return self.unexpected(&format!("`(` after `{}`", &self.text[at.clone()]));
        }
        let open = self.tokens[self.at].range.clone();
        self.advance();
        let braces = std::mem::replace(&mut self.in_braces, false);
        let mut arguments = vec![self.expression(level::ARROW)?];
        while self.take(",") {
            arguments.push(self.expression(level::ARROW)?);
        }
        self.in_braces = braces;
        self.close(")", open)?;
        let most = if function == Function::Past { 2 } else { 1 };
        if arguments.len() > most {
            return self.error(
                at.start..self.end(),
                format!("`{name}` takes {}", if most == 1 { "one value" } else { "a value and a number of cycles" }),
            );
        }
        Ok(Some(Shape::Call(function, arguments)))
    }

    /// `in {1, 2..4, [6:8]}`, `in 0..3`.
    fn set(&mut self) -> Parsed<Vec<(Tree, Option<Tree>)>> {
        let braces = std::mem::replace(&mut self.in_braces, false);
        let open = self.tokens[self.at].range.clone();
        let mut items = Vec::new();
        if self.take("{") {
            loop {
                let inner = self.tokens[self.at].range.clone();
                if self.take("[") {
                    let low = self.expression(level::QUESTION + 1)?;
                    self.expect(":")?;
                    let high = self.expression(level::QUESTION + 1)?;
                    self.close("]", inner)?;
                    items.push((low, Some(high)));
                } else {
                    items.push(self.set_item(level::QUESTION + 1)?);
                }
                if !self.take(",") {
                    break;
                }
            }
            self.close("}", open)?;
        } else {
            items.push(self.set_item(level::SHIFT)?);
        }
        self.in_braces = braces;
        Ok(items)
    }

    fn set_item(&mut self, min: u8) -> Parsed<(Tree, Option<Tree>)> {
        let low = self.expression(min)?;
        let high = if self.take("..") { Some(self.expression(min)?) } else { None };
        Ok((low, high))
    }

    /// Operators that are words before their operand; `None` if this one is a name here.
    fn prefix_word(&mut self, word: &str, start: usize) -> Parsed<Option<Tree>> {
        let next = self.ahead(1);
        let operand_follows = match next {
            Token::Word(word) => infix_word(word).is_none(),
            Token::Name(_) | Token::Literal(_) => true,
            Token::Symbol(symbol) => {
                ["(", "()", "!", "~", "[]", "<>", "{", "[", "##", "@", "[*", "[+", "~&", "~|"].contains(symbol)
            }
            Token::End => false,
        };
        if !operand_follows && word != "disable" {
            return Ok(None);
        }
        let strength = if word.ends_with('!') || word.starts_with("s_") { Strong } else { Weak };
        let tree = match word {
            "X" | "X!" | "next" | "next!" | "nexttime" | "s_nexttime" | "Y" | "Z" => {
                self.advance();
                let (mut strength, mut by) = (strength, 1);
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
                self.node(start, Shape::Temporal(op, Box::new(body)))?
            }
            "G" | "F" | "O" | "H" | "always" | "s_always" | "eventually" | "eventually!" | "s_eventually"
            | "next_a" | "next_a!" | "next_e" | "next_e!" => {
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
                    "next_a" | "next_a!" => (Temporal::Globally(bounds, strength), level::NEXT),
                    "next_e" | "next_e!" => (Temporal::Finally(bounds, strength), level::NEXT),
                    _ => (Temporal::Finally(bounds, Strong), level::NEXT),
                };
                let body = self.expression(min)?;
                self.node(start, Shape::Temporal(op, Box::new(body)))?
            }
            "never" => {
                self.advance();
                let body = self.expression(level::ARROW)?;
                let not = self.node(start, Shape::Unary(Unary::Not, Box::new(body)))?;
                self.node(start, Shape::Temporal(Temporal::Globally(None, Weak), Box::new(not)))?
            }
            "not" => {
                self.advance();
                let body = self.expression(level::NOT_WORD)?;
                self.node(start, Shape::Unary(Unary::Not, Box::new(body)))?
            }
            "strong" | "weak" | "first_match" if *next == Token::Symbol("(") => {
                self.advance();
                let body = self.bracketed()?;
                self.node(
                    start,
                    match word {
                        "strong" => Shape::Sequence(Strong, body),
                        "weak" => Shape::Sequence(Weak, body),
                        _ => Shape::FirstMatch(body),
                    },
                )?
            }
            "accept_on" | "sync_accept_on" | "reject_on" | "sync_reject_on" | "disable" => {
                self.advance();
                if word == "disable" {
                    self.disabled = true;
                    if !self.take_word("iff") {
                        return self.unexpected("`iff` after `disable`");
                    }
                }
                let condition = self.bracketed()?;
                let body = Box::new(self.expression(level::ARROW)?);
                self.node(start, Shape::Abort { accept: !word.ends_with("reject_on"), condition, body })?
            }
            "if" if *next == Token::Symbol("(") => {
                self.advance();
                let condition = self.bracketed()?;
                let yes = self.expression(level::ARROW)?;
                let no = if self.take_word("else") {
                    self.expression(level::ARROW)?
                } else {
                    Tree::new(yes.range.end..yes.range.end, Shape::Boolean(true))
                };
                self.node(start, Shape::Conditional(condition, Box::new(yes), Box::new(no)))?
            }
            "next_event" | "next_event!" | "next_event_a" | "next_event_a!" | "next_event_e" | "next_event_e!" => {
                self.advance();
                let event = self.bracketed()?;
                let bounds = self.bounds()?.unwrap_or(Bounds { from: 1, to: Some(1) });
                if bounds.from == 0 || bounds.to.is_none() {
                    return self.error(start..self.end(), "the times are counted from 1, and need an end");
                }
                let body = self.bracketed()?;
                let any = word.starts_with("next_event_e");
                self.node(start, Shape::NextEvent { strength, any, bounds, event, body })?
            }
            _ => return Ok(None),
        };
        Ok(Some(tree))
    }

    /// Something in round brackets.
    fn bracketed(&mut self) -> Parsed<Box<Tree>> {
        let open = self.tokens[self.at].range.clone();
        self.expect("(")?;
        let inner = self.expression(1)?;
        self.close(")", open)?;
        Ok(Box::new(inner))
    }

    /// A number of cycles.
    fn cycles(&mut self) -> Parsed<u32> {
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
    fn range(&mut self, open: Range<usize>) -> Parsed<Bounds> {
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
    fn bounds(&mut self) -> Parsed<Option<Bounds>> {
        let open = self.tokens[self.at].range.clone();
        if self.take("[") { self.range(open).map(Some) } else { Ok(None) }
    }

    /// What follows `##`.
    fn delay(&mut self) -> Parsed<Bounds> {
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
    fn repetition(&mut self, bracket: &str, open: Range<usize>) -> Parsed<(Repeat, Bounds)> {
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

    /// `@(posedge clk)`, `@rising_edge(clk)`, `@clk`.
    pub fn clocked(&mut self) -> Parsed<()> {
        let start = self.start();
        self.expect("@")?;
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

/// Operators that are words between their operands.
fn infix_word(word: &str) -> Option<(Infix, u8, bool)> {
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

/// Is it a letter that is an operator?
pub(super) fn is_letter(word: &str) -> bool {
    word.len() == 1 && "XFGUWRMVYZOHST".contains(word)
}

/// What to do about a signal that is called like an operator.
pub(super) fn letter_help(word: &str) -> String {
    format!(
        "`{word}` is an operator; write a signal of this name with backquotes, or as `\\{word} ` with a space after it"
    )
}

/// The other strength.
pub(super) fn opposite(strength: Strength) -> Strength {
    match strength {
        Weak => Strong,
        Strong => Weak,
    }
}
