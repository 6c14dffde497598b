//! Local variables of sequences and properties: how they are declared (`logic [7:0] x;`, `int n = 0;`) and how they get values
//! (`(a, x = d, n += 1)`).
//!
//! A name that gets a value without a declaration is a local variable from there on, and keeps what it gets as it is. Tasks and system
//! tasks beside assignments (`(a, $display("…"))`) change no value and are passed over.

use std::ops::Range;

use super::super::lex::Token;
use super::super::syntax::{Binary, Bounds, Holds, Literal, Local, Shape, Suffix, Tree};
use super::infix::level;
use super::{Parsed, Parser};

/// A declared variable, and the value that it has at the start.
pub(in super::super) type Variable = (Local, Option<Tree>);

/// Words that start a declaration, with the number of bits, whether these are signed, and whether none of them can be unknown.
const TYPES: [(&str, u32, bool, bool); 9] = [
    ("bit", 1, false, true),
    ("logic", 1, false, false),
    ("reg", 1, false, false),
    ("byte", 8, true, true),
    ("shortint", 16, true, true),
    ("int", 32, true, true),
    ("longint", 64, true, true),
    ("integer", 32, true, false),
    ("time", 64, false, false),
];

impl Parser<'_> {
    /// The local variable of this name.
    pub(super) fn local(&self, name: &str) -> Option<Local> {
        self.locals.iter().rev().find(|local| local.name == name).cloned()
    }

    fn add_local(&mut self, name: String, holds: Holds) -> Local {
        let local = Local { name, id: self.next_local, holds, kept: None };
        self.next_local += 1;
        self.locals.push(local.clone());
        local
    }

    /// Declarations of variables, if there are any here.
    pub fn variables(&mut self) -> Parsed<Vec<Variable>> {
        let mut all = Vec::new();
        while self.declares_variables() {
            self.take_word("var");
            let holds = self.variable_type()?;
            loop {
                let (Token::Word(name) | Token::Name(name)) = self.token().clone() else {
                    return self.unexpected("the name of a local variable");
                };
                self.advance();
                let local = self.add_local(name, holds);
                let first = match self.take("=") {
                    true => Some(nowhere(self.expression(level::QUESTION)?)),
                    false => None,
                };
                all.push((local, first));
                if !self.take(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        Ok(all)
    }

    fn declares_variables(&self) -> bool {
        let is_name = |token: &Token| matches!(token, Token::Word(_) | Token::Name(_));
        let ends = |token: &Token| matches!(token, Token::Symbol(";" | "," | "="));
        match self.token() {
            Token::Word(word) if word == "var" => is_name(self.ahead(1)),
            Token::Word(word) if TYPES.iter().any(|(name, ..)| name == word) => {
                is_name(self.ahead(1)) || *self.ahead(1) == Token::Symbol("[")
            }
            // A type of the user's, or one without bits.
            Token::Word(_) => is_name(self.ahead(1)) && ends(self.ahead(2)),
            _ => false,
        }
    }

    fn variable_type(&mut self) -> Parsed<Holds> {
        let Token::Word(word) = self.token().clone() else { return Ok(Holds::Anything) };
        self.advance();
        let Some((_, width, signed, two_state)) = TYPES.iter().find(|(name, ..)| *name == word).copied() else {
            return Ok(Holds::Anything);
        };
        let signed = match (self.take_word("signed"), self.take_word("unsigned")) {
            (true, _) => true,
            (_, true) => false,
            _ => signed,
        };
        let width = if self.is("[") { self.declared_bits()? } else { width };
        Ok(Holds::Bits { width, signed, two_state })
    }

    /// `[7:0]`.
    fn declared_bits(&mut self) -> Parsed<u32> {
        let open = self.tokens[self.at].range.clone();
        self.advance();
        let high = self.bit_number()?;
        self.expect(":")?;
        let low = self.bit_number()?;
        self.close("]", open)?;
        Ok(high.abs_diff(low) + 1)
    }

    fn bit_number(&mut self) -> Parsed<u32> {
        match self.token() {
            Token::Literal(Literal::Integer(number)) if (0..1 << 14).contains(number) => {
                let number = *number as u32;
                self.advance();
                Ok(number)
            }
            _ => self.unexpected("a number: what a parameter stands for is not known here"),
        }
    }

    /// What stands behind a sequence in its brackets: `, x = d, n += 1, $display("…")`.
    pub(super) fn match_items(&mut self, start: usize, body: Tree) -> Parsed<Tree> {
        let mut items = Vec::new();
        while self.take(",") {
            let (Token::Word(name) | Token::Name(name)) = self.token().clone() else {
                return self.unexpected("an assignment to a local variable");
            };
            if *self.ahead(1) == Token::Symbol("(") {
                self.skip_call()?;
                continue;
            }
            let start = self.start() - self.base;
            self.advance();
            let place = start..self.end() - self.base;
            let value = self.assigned_value(&name, &place)?;
            // Only now: in `x = x`, the second has no value yet.
            let target = Tree::new(place, self.target(&name, true));
            items.push((target, value));
        }
        if items.is_empty() {
            return Ok(body);
        }
        self.node(start, Shape::Match(Box::new(body), items))
    }

    /// What follows the name of what is assigned to: `= d`, `+= d`, `++`.
    fn assigned_value(&mut self, name: &str, place: &Range<usize>) -> Parsed<Tree> {
        let op = match (self.token(), self.ahead(1)) {
            (Token::Symbol("="), _) => {
                self.advance();
                return self.expression(level::QUESTION);
            }
            (Token::Symbol("+"), Token::Symbol("=" | "+")) => Binary::Add,
            (Token::Symbol("-"), Token::Symbol("=")) => Binary::Subtract,
            (Token::Symbol("*"), Token::Symbol("=")) => Binary::Multiply,
            _ => return self.unexpected(&format!("`=` after `{name}`")),
        };
        let one_more = *self.ahead(1) == Token::Symbol("+");
        self.at += 2;
        let before = Tree::new(place.clone(), self.target(name, false));
        let by = match one_more {
            true => Tree::new(place.end..place.end, Shape::Literal(Literal::Integer(1))),
            false => self.expression(level::QUESTION)?,
        };
        let range = place.start..self.end() - self.base;
        Ok(Tree::new(range, Shape::Binary(op, Box::new(before), Box::new(by))))
    }

    /// What is assigned to: a parameter stands for what it gets later.
    fn target(&mut self, name: &str, assigned: bool) -> Shape {
        if self.parameters.iter().any(|parameter| parameter == name) {
            return Shape::Name(name.to_owned());
        }
        let local = match self.local(name) {
            Some(local) => local,
            None if assigned => self.add_local(name.to_owned(), Holds::Anything),
            None => return Shape::Name(name.to_owned()),
        };
        Shape::Local(Box::new(local))
    }

    /// A call, which changes nothing that is looked at.
    fn skip_call(&mut self) -> Parsed<()> {
        self.advance();
        let open = self.tokens[self.at].range.clone();
        let mut depth = 0u32;
        loop {
            match self.token() {
                Token::Symbol("(") => depth += 1,
                Token::Symbol(")") if depth == 1 => return self.close(")", open),
                Token::Symbol(")") => depth -= 1,
                Token::End => return self.close(")", open),
                _ => {}
            }
            self.advance();
        }
    }
}

/// The tree, standing nowhere: a declaration is no part of the formula's own text.
fn nowhere(tree: Tree) -> Tree {
    let mut shape = tree.shape;
    for child in shape.children_mut() {
        *child = nowhere(child.clone());
    }
    Tree::new(0..0, shape)
}

/// What starts with values of its variables: `(1, x = d) ##0 …` for a sequence, `(1, x = d) |-> …` for a property.
pub(in super::super) fn with_first_values(tree: Tree, variables: Vec<Variable>) -> Tree {
    let given = |(local, first): Variable| {
        let target = Tree::new(0..0, Shape::Local(Box::new(local)));
        first.map(|first| (target, first))
    };
    let items: Vec<(Tree, Tree)> = variables.into_iter().filter_map(given).collect();
    if items.is_empty() {
        return tree;
    }
    let range = tree.range.clone();
    let yes = Tree::new(range.start..range.start, Shape::Boolean(true));
    let start = Box::new(Tree::new(range.start..range.start, Shape::Match(Box::new(yes), items)));
    let shape = match tree.is_sequence() {
        true => Shape::Delay(Some(start), Bounds { from: 0, to: Some(0) }, Box::new(tree)),
        false => Shape::Suffix(Suffix::Overlapping, start, Box::new(tree)),
    };
    Tree::new(range, shape)
}
