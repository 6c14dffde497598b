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

mod declared;
mod infix;
mod local;
mod prefix;

use std::collections::HashMap;
use std::ops::Range;

use super::core::Strength::{self, Strong, Weak};
use super::lex::{Spanned, Token};
use super::syntax::{Function, Literal, Local, Shape, Slice, Tree};
use super::{Clock, FormulaError};
pub(super) use declared::{Declared, without_place};
use infix::Infix;
use infix::level;
pub(super) use local::with_first_values;

/// Brackets and operators within each other, at most.
const DEEPEST: u32 = 300;
/// Levels of the tree, at most: chains such as `a + b + c` count too.
const HIGHEST: u32 = 1000;

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
    /// Sequences and properties with names.
    pub declared: HashMap<String, Declared>,
    /// Local variables of what is read, and parameters of what is declared, which may stand for such.
    pub locals: Vec<Local>,
    pub parameters: Vec<String>,
    /// How many local variables there were so far.
    pub next_local: u32,
    depth: u32,
    in_braces: bool,
}

type Parsed<T> = Result<T, FormulaError>;

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, tokens: Vec<Spanned>) -> Parser<'a> {
        let declared = HashMap::new();
        Parser {
            text,
            tokens,
            at: 0,
            base: 0,
            clock: None,
            disabled: false,
            declared,
            locals: Vec::new(),
            parameters: Vec::new(),
            next_local: 0,
            depth: 0,
            in_braces: false,
        }
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
                if let Some(local) = self.local(&word) {
                    let tree = self.node(start, Shape::Local(Box::new(local)))?;
                    return self.selects(start, tree);
                }
                if self.declared.contains_key(&word) {
                    return self.instance(&word, start);
                }
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
                let shape = match self.local(&name) {
                    Some(local) => Shape::Local(Box::new(local)),
                    None => Shape::Name(name),
                };
                let tree = self.node(start, shape)?;
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
        if name == "$sampled" {
            // What a cycle shows is what was sampled.
            let mut arguments = self.arguments(at)?;
            return match arguments.len() {
                1 => Ok(Some(arguments.remove(0).shape)),
                _ => self.error(at.start..self.end(), format!("`{name}` takes one value")),
            };
        }
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
        let arguments = self.arguments(at)?;
        let most = if function == Function::Past { 2 } else { 1 };
        if arguments.len() > most {
            return self.error(
                at.start..self.end(),
                format!("`{name}` takes {}", if most == 1 { "one value" } else { "a value and a number of cycles" }),
            );
        }
        Ok(Some(Shape::Call(function, arguments)))
    }

    /// Values in round brackets, after the name that stands at `at`.
    fn arguments(&mut self, at: &Range<usize>) -> Parsed<Vec<Tree>> {
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
        Ok(arguments)
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
