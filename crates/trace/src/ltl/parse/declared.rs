//! Sequences and properties with names: `sequence s(x); x ##1 b; endsequence`, used as `s(a)`.
//!
//! A use is the tree of what was declared, with the arguments for the parameters. What comes from the declaration stands nowhere in the text of
//! the formula, so that it is no part of its own there; the arguments are. Cost: the size of the tree per use, up to a limit.

use std::ops::Range;

use super::super::Clock;
use super::super::lex::Token;
use super::super::syntax::{Shape, Tree};
use super::local::with_first_values;
use super::{HIGHEST, Parsed, Parser};

/// More operators than this in one use are refused.
const LARGEST: usize = 20_000;

/// A sequence or property that has a name.
#[derive(Clone, Debug)]
pub(in super::super) struct Declared {
    pub parameters: Vec<String>,
    pub tree: Tree,
    pub clock: Option<Clock>,
    /// Has it a `disable iff`?
    pub disabled: bool,
    /// The numbers of its local variables.
    pub locals: Range<u32>,
}

impl Parser<'_> {
    /// What follows the word `sequence` or `property`: a name, and perhaps parameters in brackets.
    pub fn heading(&mut self) -> Parsed<(String, Vec<String>)> {
        let (Token::Word(name) | Token::Name(name)) = self.token().clone() else {
            return self.unexpected("a name");
        };
        self.advance();
        let open = self.tokens[self.at].range.clone();
        let mut parameters = Vec::new();
        if !self.take("(") {
            return Ok((name, parameters));
        }
        // Of each, the last word is the name; types before it say nothing that the values do not.
        let mut last = None;
        loop {
            match self.token().clone() {
                Token::Word(word) | Token::Name(word) => last = Some(word),
                Token::Symbol(symbol @ ("," | ")" | ";")) => {
                    parameters.extend(last.take());
                    if symbol == ")" {
                        break;
                    }
                }
                Token::Symbol("=") => return self.unexpected("`,` or `)`: defaults of parameters are not supported"),
                Token::End => break,
                _ => {}
            }
            self.advance();
        }
        self.close(")", open)?;
        Ok((name, parameters))
    }

    /// What a declaration says, up to its end.
    pub fn declaration(&mut self, parameters: Vec<String>) -> Parsed<Declared> {
        let first = self.next_local;
        self.parameters = parameters;
        self.locals.clear();
        let variables = self.variables()?;
        (self.base, self.clock, self.disabled) = (self.start(), None, false);
        let tree = self.expression(1)?;
        let tree = with_first_values(tree, variables);
        let parameters = std::mem::take(&mut self.parameters);
        self.locals.clear();
        let locals = first..self.next_local;
        Ok(Declared { parameters, tree, clock: self.clock.take(), disabled: self.disabled, locals })
    }

    /// A use of something declared, whose name has just been read.
    pub(super) fn instance(&mut self, name: &str, start: usize) -> Parsed<Tree> {
        let declared = self.declared[name].clone();
        let at = start..self.end();
        let arguments = if self.is("(") { self.arguments(&at)? } else { Vec::new() };
        if arguments.len() != declared.parameters.len() {
            let wanted = declared.parameters.len();
            let message = format!("`{name}` takes {wanted} argument{}", if wanted == 1 { "" } else { "s" });
            return self.error(start..self.end(), message);
        }
        if let (Some(one), Some(other)) = (&self.clock, &declared.clock)
            && one != other
        {
            return self.error(at, format!("a formula has one clock, and `{name}` has another one"));
        }
        self.clock = self.clock.take().or(declared.clock);
        self.disabled |= declared.disabled;
        let values: Vec<(String, Tree)> = declared.parameters.into_iter().zip(arguments).collect();
        let here = start.saturating_sub(self.base);
        let mut size = 0;
        // Each use has variables of its own.
        let shift = self.next_local - declared.locals.start;
        self.next_local += declared.locals.end - declared.locals.start;
        let tree = put(&declared.tree, here, &values, shift, &mut size);
        if size > LARGEST || tree.height > HIGHEST {
            return self.error(start..self.end(), format!("`{name}` becomes too large here"));
        }
        let range = here..self.end().saturating_sub(self.base);
        self.selects(start, Tree { range, ..tree })
    }
}

/// The tree with values for names, standing nowhere.
fn put(tree: &Tree, here: usize, values: &[(String, Tree)], shift: u32, size: &mut usize) -> Tree {
    *size += 1;
    if let Shape::Name(name) = &tree.shape
        && let Some((_, value)) = values.iter().find(|(parameter, _)| parameter == name)
    {
        return value.clone();
    }
    let mut shape = tree.shape.clone();
    if let Shape::Local(local) = &mut shape {
        local.id += shift;
    }
    if *size <= LARGEST {
        for child in shape.children_mut() {
            *child = put(child, here, values, shift, size);
        }
    }
    Tree::new(here..here, shape)
}

/// The tree, standing nowhere.
pub(in super::super) fn without_place(tree: &Tree) -> Tree {
    put(tree, 0, &[], 0, &mut 0)
}
