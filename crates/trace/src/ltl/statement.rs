//! Files of formulas: what stands round a formula, and where one ends.
//!
//! A formula may have a name (`name: formula`, `LTLSPEC NAME name := formula`), and be an assertion of PSL or SVA. It ends at `;` or
//! at the end of a line, unless a bracket is open, the line ends with an operator, or the next one starts with an operator that
//! stands between operands. `assert property (p)` means `always p`; so does a formula with `|->`, `|=>` or `disable iff`
//! below no operator of time, because that is how properties of SVA are written.
//!
//! `default clocking`, `default disable iff` and PSL's `default clock` count for what comes after them. A `vunit` is what is in its
//! braces.

use super::core::Strength;
use super::lex::{self, Token};
use super::parse::{Parser, with_first_values, without_place};
use super::room::with_room;
use super::syntax::{Shape, Suffix, Temporal, Tree, Unary};
use super::{Asks, Clock, Formula, FormulaError};

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
    let mut reader = Reader {
        parser: Parser::new(text, lex::tokens(text)?),
        declared: Vec::new(),
        clock: None,
        disable: None,
        units: 0,
    };
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
    let mut reader = Reader {
        parser: Parser::new(text, lex::tokens(text)?),
        declared: Vec::new(),
        clock: None,
        disable: None,
        units: 0,
    };
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
    /// What `default` says.
    clock: Option<Clock>,
    disable: Option<Tree>,
    /// How many `vunit` are open.
    units: usize,
}

impl Reader<'_> {
    /// The next formula, or `None` at the end.
    fn statement(&mut self) -> Result<Option<Formula>, FormulaError> {
        loop {
            while self.parser.take(";") {}
            if self.units > 0 && self.parser.take("}") {
                self.units -= 1;
                continue;
            }
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
        let Token::Word(word) = parser.token().clone() else { return self.body(name, Kind::Formula).map(Some) };
        let names_something = !matches!(parser.ahead(1), Token::Word(_) | Token::Name(_) | Token::Literal(_))
            && !matches!(parser.ahead(1), Token::Symbol("(" | "!" | "{" | "[]" | "<>" | "@" | "~"));
        if names_something {
            return self.body(name, Kind::Formula).map(Some);
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
                self.body(name, if word == "INVARSPEC" { Kind::Always } else { Kind::Formula }).map(Some)
            }
            "SPEC" | "CTLSPEC" => {
                parser.unexpected("a linear-time formula: branching time has no meaning on one trace")
            }
            "assert" | "assume" | "restrict" => {
                parser.advance();
                if !parser.is_word("property") {
                    let formula = self.body(name, Kind::Formula)?;
                    self.skip_report();
                    return Ok(Some(formula));
                }
                self.assertion(name)
            }
            "default" => self.default().map(|()| None),
            "vunit" | "vprop" | "vmode" => self.unit().map(|()| None),
            "sequence" => {
                parser.advance();
                let (given, parameters) = parser.heading()?;
                self.declaration(given, parameters, "endsequence").map(|()| None)
            }
            "cover" => {
                parser.advance();
                if !parser.take_word("property") && !parser.take_word("sequence") {
                    let formula = self.body(name, Kind::Cover)?;
                    self.skip_report();
                    return Ok(Some(formula));
                }
                let open = parser.tokens[parser.at].range.clone();
                parser.expect("(")?;
                let formula = self.body(name, Kind::Cover)?;
                self.parser.close(")", open)?;
                self.skip_action();
                Ok(Some(formula))
            }
            "property" => {
                parser.advance();
                let (given, parameters) = parser.heading()?;
                if !parameters.is_empty() {
                    return self.declaration(given, parameters, "endproperty").map(|()| None);
                }
                // It is a formula, and can be used in others.
                let start = parser.at;
                self.declaration(given.clone(), parameters, "endproperty")?;
                let end = std::mem::replace(&mut self.parser.at, start + 1);
                self.declared.push(given.clone());
                // In itself, its name is that of a signal.
                let own = self.parser.declared.remove(&given);
                let formula = self.body(Some(given.clone()), Kind::Property)?;
                self.parser.declared.extend(own.map(|own| (given, own)));
                self.parser.at = end;
                Ok(Some(formula))
            }
            _ => self.body(name, Kind::Formula).map(Some),
        }
    }

    /// What follows `assert property`; `None` for a property that is a formula already.
    fn assertion(&mut self, name: Option<String>) -> Result<Option<Formula>, FormulaError> {
        let parser = &mut self.parser;
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
        let formula = self.body(name, Kind::Property)?;
        self.parser.close(")", open)?;
        self.skip_report();
        Ok(Some(formula))
    }

    /// What follows the name and the parameters of a sequence or property, up to and with its last word.
    fn declaration(&mut self, name: String, parameters: Vec<String>, end: &str) -> Result<(), FormulaError> {
        let parser = &mut self.parser;
        if !(parser.take(";") || parser.take("=") || parser.take(":=")) {
            return parser.unexpected("`;` or `=` before what is declared");
        }
        let declared = parser.declaration(parameters)?;
        parser.declared.insert(name, declared);
        while parser.take(";") {}
        if parser.take_word(end) && parser.take(":") {
            parser.advance();
        }
        Ok(())
    }

    /// `default clocking cb @(posedge clk); endclocking`, `default clock = rising_edge(clk);`, `default disable iff (rst);`
    fn default(&mut self) -> Result<(), FormulaError> {
        let parser = &mut self.parser;
        parser.advance();
        parser.clock = None;
        if parser.take_word("clocking") {
            if !parser.is("@") {
                parser.advance();
            }
            parser.clocked()?;
            while parser.take(";") {}
            if parser.take_word("endclocking") && parser.take(":") {
                parser.advance();
            }
        } else if parser.take_word("clock") {
            parser.expect("=")?;
            parser.clock_event()?;
        } else if parser.take_word("disable") {
            if !parser.take_word("iff") {
                return parser.unexpected("`iff` after `disable`");
            }
            self.disable = Some(without_place(&*parser.bracketed()?));
            return Ok(());
        } else {
            return parser.unexpected("`clocking`, `clock` or `disable iff` after `default`");
        }
        self.clock = parser.clock.take();
        Ok(())
    }

    /// `vunit name (module) {`
    fn unit(&mut self) -> Result<(), FormulaError> {
        let parser = &mut self.parser;
        while !parser.is("{") {
            if *parser.token() == Token::End {
                return parser.unexpected("`{` after the name of the unit");
            }
            parser.advance();
        }
        parser.advance();
        self.units += 1;
        Ok(())
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

    /// What is done when something is covered: a statement up to its `;`.
    fn skip_action(&mut self) {
        let parser = &mut self.parser;
        if matches!(parser.token(), Token::Word(word) if word.starts_with('$')) {
            while !matches!(parser.token(), Token::End | Token::Symbol(";")) {
                parser.advance();
            }
        }
    }

    /// The formula itself.
    fn body(&mut self, name: Option<String>, kind: Kind) -> Result<Formula, FormulaError> {
        let parser = &mut self.parser;
        parser.locals.clear();
        parser.parameters.clear();
        let variables = if matches!(kind, Kind::Property) { parser.variables()? } else { Vec::new() };
        let start = parser.start();
        (parser.base, parser.clock, parser.disabled) = (start, None, false);
        let mut tree = with_first_values(parser.expression(1)?, variables);
        let text = parser.text[start..parser.end()].to_owned();
        if kind == Kind::Cover {
            let disable = self.disable.as_ref().filter(|_| !parser.disabled);
            let tree = never_covered(&tree, disable);
            let clock = parser.clock.take().or_else(|| self.clock.clone());
            return Ok(Formula { name, text, asks: Asks::Cover, clock, tree });
        }
        let globally = matches!(tree.shape, Shape::Temporal(Temporal::Globally(None, _), _));
        let mut implied = !globally && (kind != Kind::Formula || parser.disabled || has_suffix(&tree));
        if let (Kind::Property, false, Some(condition)) = (kind, parser.disabled, &self.disable) {
            let (condition, range) = (Box::new(condition.clone()), tree.range.clone());
            tree = Tree::new(range, Shape::Abort { accept: true, condition, body: Box::new(tree) });
            implied = true;
        }
        if implied {
            let op = Temporal::Globally(None, Strength::Weak);
            tree = Tree::new(tree.range.clone(), Shape::Temporal(op, Box::new(tree)));
        }
        let clock = parser.clock.take().or_else(|| self.clock.clone());
        Ok(Formula { name, text, asks: Asks::Truth, clock, tree })
    }
}

/// What a text is said to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A formula of any language.
    Formula,
    /// Something that holds always.
    Always,
    /// A property of SVA: the same, with what `default disable iff` says.
    Property,
    /// Something that is to come about.
    Cover,
}

/// Says that what is to be covered never comes about. A sequence comes about where it has ended, and an implication where what it asks
/// for was asked for and came; what is given up did not come about.
fn never_covered(tree: &Tree, disable: Option<&Tree>) -> Tree {
    let range = tree.range.clone();
    let mut body = come_about(tree);
    if let Some(condition) = disable {
        let condition = Box::new(condition.clone());
        body = Tree::new(range.clone(), Shape::Abort { accept: false, condition, body: Box::new(body) });
    }
    let not = Tree::new(range.clone(), Shape::Unary(Unary::Not, Box::new(body)));
    Tree::new(range, Shape::Temporal(Temporal::Globally(None, Strength::Weak), Box::new(not)))
}

fn come_about(tree: &Tree) -> Tree {
    let inside = |tree: &Tree| Box::new(come_about(tree));
    let shape = match &tree.shape {
        Shape::Suffix(Suffix::Overlapping, left, right) => {
            Shape::Suffix(Suffix::FollowedBy, left.clone(), inside(right))
        }
        Shape::Suffix(Suffix::NonOverlapping, left, right) => {
            Shape::Suffix(Suffix::FollowedByNext, left.clone(), inside(right))
        }
        Shape::Abort { accept: true, condition, body } => {
            Shape::Abort { accept: false, condition: condition.clone(), body: inside(body) }
        }
        Shape::And(spelling, parts) => Shape::And(*spelling, parts.iter().map(come_about).collect()),
        Shape::Or(spelling, parts) => Shape::Or(*spelling, parts.iter().map(come_about).collect()),
        Shape::Sequence(..) => return tree.clone(),
        _ if tree.is_sequence() => Shape::Sequence(Strength::Strong, Box::new(tree.clone())),
        _ => return tree.clone(),
    };
    Tree::new(tree.range.clone(), shape)
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
