//! Files of formulas: what stands round a formula, and where one ends.
//!
//! A formula may have a name (`name: formula`, `LTLSPEC NAME name := formula`), and be an assertion of PSL or SVA. It ends at `;` or
//! at the end of a line, unless a bracket is open, the line ends with an operator, or the next one starts with an operator that
//! stands between operands. `assert property (p)` means `always p`; so does a formula with `|->`, `|=>` or `disable iff`
//! below no operator of time, because that is how properties of SVA are written.

use super::core::Strength;
use super::lex::{self, Token};
use super::parse::Parser;
use super::room::with_room;
use super::syntax::{Shape, Suffix, Temporal, Tree};
use super::{Formula, FormulaError};

/// Reads one formula.
///
/// # Errors
///
/// The place in the text, and what was expected there.
pub fn parse(text: &str) -> Result<Formula, FormulaError> {
    with_room(levels(text), || one(text))
}

/// No more operators and brackets can be within each other than there are characters.
fn levels(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

fn one(text: &str) -> Result<Formula, FormulaError> {
    let mut reader = Reader { parser: Parser::new(text, lex::tokens(text)?), declared: Vec::new() };
    match reader.statement()? {
        None => reader.parser.unexpected("a formula"),
        Some(formula) => {
            while reader.parser.take(";") {}
            match reader.parser.token() {
                Token::End => Ok(formula),
                _ => reader.parser.unexpected("an operator or the end of the formula"),
            }
        }
    }
}

/// Reads all formulas of a file.
///
/// # Errors
///
/// The first place that cannot be read, and what was expected there.
pub fn parse_file(text: &str) -> Result<Vec<Formula>, FormulaError> {
    with_room(levels(text), || all(text))
}

fn all(text: &str) -> Result<Vec<Formula>, FormulaError> {
    let mut reader = Reader { parser: Parser::new(text, lex::tokens(text)?), declared: Vec::new() };
    let mut formulas = Vec::new();
    while let Some(formula) = reader.statement()? {
        formulas.push(formula);
        let parser = &reader.parser;
        if !(parser.is(";") || parser.tokens[parser.at].starts_line || *parser.token() == Token::End) {
            return parser.unexpected("an operator, or `;` or a new line after the formula");
        }
    }
    Ok(formulas)
}

struct Reader<'a> {
    parser: Parser<'a>,
    /// Names of `property` blocks, which are formulas already.
    declared: Vec<String>,
}

impl Reader<'_> {
    /// The next formula, or `None` at the end.
    fn statement(&mut self) -> Result<Option<Formula>, FormulaError> {
        loop {
            while self.parser.take(";") {}
            if *self.parser.token() == Token::End {
                return Ok(None);
            }
            let name = self.label();
            if let Some(formula) = self.formula(name)? {
                return Ok(Some(formula));
            }
        }
    }

    /// `name:`, if that is what stands here.
    fn label(&mut self) -> Option<String> {
        let (Token::Word(name) | Token::Name(name)) = self.parser.token() else { return None };
        let name = name.clone();
        if *self.parser.ahead(1) != Token::Symbol(":") {
            return None;
        }
        self.parser.at += 2;
        Some(name)
    }

    /// What follows the label; `None` for what says nothing new.
    fn formula(&mut self, name: Option<String>) -> Result<Option<Formula>, FormulaError> {
        let parser = &mut self.parser;
        let Token::Word(word) = parser.token().clone() else { return self.body(name, false).map(Some) };
        let names_something = !matches!(parser.ahead(1), Token::Word(_) | Token::Name(_) | Token::Literal(_))
            && !matches!(parser.ahead(1), Token::Symbol("(" | "!" | "{" | "[]" | "<>" | "@" | "~"));
        if names_something {
            return self.body(name, false).map(Some);
        }
        match word.as_str() {
            "LTLSPEC" | "PSLSPEC" | "INVARSPEC" => {
                parser.advance();
                let mut name = name;
                if parser.is_word("NAME") {
                    parser.advance();
                    let (Token::Word(given) | Token::Name(given)) = parser.token().clone() else {
                        return parser.unexpected("a name after `NAME`");
                    };
                    name = Some(given);
                    parser.advance();
                    parser.expect(":=")?;
                }
                self.body(name, word == "INVARSPEC").map(Some)
            }
            "SPEC" | "CTLSPEC" => {
                parser.unexpected("a linear-time formula: branching time has no meaning on one trace")
            }
            "assert" | "assume" | "restrict" => {
                parser.advance();
                if !parser.is_word("property") {
                    let formula = self.body(name, false)?;
                    self.skip_report();
                    return Ok(Some(formula));
                }
                parser.advance();
                let open = parser.tokens[parser.at].range.clone();
                parser.expect("(")?;
                if let (Token::Word(used) | Token::Name(used), Token::Symbol(")")) = (parser.token(), parser.ahead(1))
                    && self.declared.contains(used)
                {
                    parser.at += 2;
                    self.skip_report();
                    return Ok(None);
                }
                let formula = self.body(name, true)?;
                self.parser.close(")", open)?;
                self.skip_report();
                Ok(Some(formula))
            }
            "cover" => parser.unexpected("an assertion: `cover` cannot fail"),
            "property" => {
                parser.advance();
                let (Token::Word(given) | Token::Name(given)) = parser.token().clone() else {
                    return parser.unexpected("the name of the property");
                };
                parser.advance();
                if !(parser.take(";") || parser.take("=") || parser.take(":=")) {
                    return parser
                        .unexpected("`;` or `=` after the name of the property (parameters are not supported)");
                }
                self.declared.push(given.clone());
                let formula = self.body(Some(given), true)?;
                while self.parser.take(";") {}
                if self.parser.take_word("endproperty") && self.parser.take(":") {
                    self.parser.advance();
                }
                Ok(Some(formula))
            }
            _ => self.body(name, false).map(Some),
        }
    }

    /// What an assertion says when it fails: `else $error("…")`, `report "…"`.
    fn skip_report(&mut self) {
        let parser = &mut self.parser;
        if parser.is_word("else") || parser.is_word("report") || parser.is_word("severity") {
            while !matches!(parser.token(), Token::End | Token::Symbol(";")) {
                parser.advance();
            }
        }
    }

    /// The formula itself.
    fn body(&mut self, name: Option<String>, always: bool) -> Result<Formula, FormulaError> {
        let parser = &mut self.parser;
        let start = parser.start();
        (parser.base, parser.clock, parser.disabled) = (start, None, false);
        let tree = parser.expression(1)?;
        let text = parser.text[start..parser.end()].to_owned();
        let globally = matches!(tree.shape, Shape::Temporal(Temporal::Globally(None, _), _));
        let implied = !globally && (always || parser.disabled || has_suffix(&tree));
        let tree = if implied {
            let op = Temporal::Globally(None, Strength::Weak);
            Tree::new(tree.range.clone(), Shape::Temporal(op, Box::new(tree)))
        } else {
            tree
        };
        Ok(Formula { name, text, clock: parser.clock.take(), tree })
    }
}

/// Is there a suffix implication that is below no operator of time?
fn has_suffix(tree: &Tree) -> bool {
    match &tree.shape {
        Shape::Suffix(Suffix::Overlapping | Suffix::NonOverlapping, ..) => true,
        Shape::And(_, parts) | Shape::Or(_, parts) => parts.iter().any(has_suffix),
        Shape::Implies(a, b) | Shape::Iff(a, b) | Shape::Xor(a, b) => has_suffix(a) || has_suffix(b),
        Shape::Conditional(_, a, b) => has_suffix(a) || has_suffix(b),
        Shape::Unary(_, a) | Shape::Abort { body: a, .. } => has_suffix(a),
        _ => false,
    }
}
