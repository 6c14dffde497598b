//! Reading terms: a tokeniser that knows where it is, and a parser with its own stack.
//!
//! Everything the constructors would panic on (widths that differ, arrays in place of bit-vectors, slices out of
//! range) is checked here first and becomes a located error. Cost is linear in the text.

use super::variable_named;
use crate::machine::Function;
use crate::term::{MAX_WIDTH, Sort, Term, Terms};
use std::collections::HashMap;
use std::fmt;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

#[derive(Copy, Clone, Debug)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    fn error<T>(self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError { line: self.line, column: self.column, message: message.into() })
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Open,
    Close,
    /// A word; `sorts` are the numbers after colons, as in `x:32` or `m:32:8`.
    Word {
        text: String,
        quoted: bool,
        sorts: Vec<String>,
    },
    End,
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    place: Place,
}

impl Reader<'_> {
    fn new(text: &str) -> Reader<'_> {
        Reader { rest: text.chars().peekable(), place: Place { line: 1, column: 1 } }
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(c)
    }

    fn next(&mut self) -> Result<(Token, Place), ParseError> {
        while let Some(&c) = self.rest.peek() {
            if c == ';' {
                while self.rest.peek().is_some_and(|&c| c != '\n') {
                    self.bump();
                }
            } else if c.is_whitespace() {
                self.bump();
            } else {
                break;
            }
        }
        let place = self.place;
        let Some(&c) = self.rest.peek() else { return Ok((Token::End, place)) };
        match c {
            '(' => {
                self.bump();
                Ok((Token::Open, place))
            }
            ')' => {
                self.bump();
                Ok((Token::Close, place))
            }
            '|' => {
                self.bump();
                let mut text = String::new();
                loop {
                    match self.bump() {
                        Some('|') => break,
                        Some('\\') => text.extend(self.bump()),
                        Some(c) => text.push(c),
                        None => return place.error("a name opened with | is never closed"),
                    }
                }
                let sorts = self.sorts();
                Ok((Token::Word { text, quoted: true, sorts }, place))
            }
            _ => {
                let text = self.run();
                let sorts = self.sorts();
                Ok((Token::Word { text, quoted: false, sorts }, place))
            }
        }
    }

    fn run(&mut self) -> String {
        let mut text = String::new();
        while let Some(&c) = self.rest.peek() {
            if c.is_whitespace() || "();:|".contains(c) {
                break;
            }
            text.push(c);
            self.bump();
        }
        text
    }

    fn sorts(&mut self) -> Vec<String> {
        let mut sorts = Vec::new();
        while self.rest.peek() == Some(&':') {
            self.bump();
            sorts.push(self.run());
        }
        sorts
    }
}

/// An operator whose operands are still being read.
struct Frame {
    operator: String,
    place: Place,
    numbers: Vec<u32>,
    operands: Vec<Term>,
}

/// What the words of one text stand for.
#[derive(Default)]
struct Scope {
    /// Terms by their `%label`.
    labels: HashMap<String, Term>,
    /// Variables as the text writes them. The number in `x!7` is that of the arena it was written from; in this arena
    /// another variable may have it.
    names: HashMap<String, Term>,
}

impl Scope {
    fn variable(&self, terms: &Terms, name: &str) -> Option<Term> {
        self.names.get(name).copied().or_else(|| variable_named(terms, name))
    }

    /// The variable of that name, made if there is none.
    fn introduce(&mut self, terms: &mut Terms, name: &str, sort: Sort, place: Place) -> Result<Term, ParseError> {
        if let Some(term) = self.variable(terms, name) {
            if terms.sort(term) != sort {
                return place.error(format!("{name} is already known with another sort"));
            }
            return Ok(term);
        }
        // A numbered duplicate from another arena: the number has no meaning here, the label has.
        let label = name.rsplit_once('!').map_or(name, |(label, _)| label);
        let term = match sort {
            Sort::BitVec(width) => terms.fresh(label, width),
            Sort::Array { index, element } => terms.fresh_array(label, index, element),
        };
        self.names.insert(name.to_owned(), term);
        Ok(term)
    }
}

/// Read one expression.
pub fn parse(terms: &mut Terms, text: &str) -> Result<Term, ParseError> {
    let mut reader = Reader::new(text);
    let first = reader.next()?;
    let term = expression(terms, &mut reader, first, &mut Scope::default())?;
    match reader.next()? {
        (Token::End, _) => Ok(term),
        (_, place) => place.error("nothing more expected after the expression"),
    }
}

/// Read the form written by [`super::print_dag`]; the roots, in order.
pub fn parse_dag(terms: &mut Terms, text: &str) -> Result<Vec<Term>, ParseError> {
    let mut reader = Reader::new(text);
    let mut scope = Scope::default();
    let mut roots = Vec::new();
    loop {
        let (token, place) = reader.next()?;
        let word = match token {
            Token::End => return Ok(roots),
            Token::Word { text, quoted: false, sorts } if sorts.is_empty() => text,
            _ => return place.error("expected var, array, root or a %label"),
        };
        match word.as_str() {
            "var" => {
                let (name, place) = name(&mut reader)?;
                let width = number(&mut reader)?;
                scope.introduce(terms, &name, Sort::BitVec(width), place)?;
            }
            "array" => {
                let (name, place) = name(&mut reader)?;
                let (index, element) = (number(&mut reader)?, number(&mut reader)?);
                scope.introduce(terms, &name, Sort::Array { index, element }, place)?;
            }
            "root" => {
                let first = reader.next()?;
                roots.push(expression(terms, &mut reader, first, &mut scope)?);
            }
            label if label.starts_with('%') => {
                match reader.next()? {
                    (Token::Word { text, quoted: false, .. }, _) if text == "=" => {}
                    (_, place) => return place.error("expected = after a label"),
                }
                let first = reader.next()?;
                let term = expression(terms, &mut reader, first, &mut scope)?;
                scope.labels.insert(word, term);
            }
            _ => return place.error(format!("expected var, array, root or a %label, not {word}")),
        }
    }
}

fn name(reader: &mut Reader<'_>) -> Result<(String, Place), ParseError> {
    match reader.next()? {
        (Token::Word { text, sorts, .. }, place) if sorts.is_empty() => Ok((text, place)),
        (_, place) => place.error("expected a name"),
    }
}

fn number(reader: &mut Reader<'_>) -> Result<u32, ParseError> {
    let (text, place) = name(reader)?;
    width(&text, place)
}

fn width(text: &str, place: Place) -> Result<u32, ParseError> {
    match text.parse() {
        Ok(width) if (1..=MAX_WIDTH).contains(&width) => Ok(width),
        _ => place.error(format!("expected a width from 1 to {MAX_WIDTH}, not {text}")),
    }
}

fn expression(
    terms: &mut Terms,
    reader: &mut Reader<'_>,
    first: (Token, Place),
    scope: &mut Scope,
) -> Result<Term, ParseError> {
    let mut frames: Vec<Frame> = Vec::new();
    let (mut token, mut place) = first;
    loop {
        let term = match token {
            Token::End => return place.error("the text ends in the middle of an expression"),
            Token::Open => {
                let (operator, place) = name(reader)?;
                frames.push(Frame { operator, place, numbers: Vec::new(), operands: Vec::new() });
                None
            }
            Token::Close => {
                let Some(frame) = frames.pop() else { return place.error("a ) without its (") };
                match apply(terms, &frame) {
                    Ok(term) => Some(term),
                    Err(message) => return frame.place.error(message),
                }
            }
            Token::Word { text, quoted, sorts } => {
                if !quoted
                    && sorts.is_empty()
                    && let (Some(frame), Ok(number)) = (frames.last_mut(), text.parse::<u32>())
                    && frame.operands.is_empty()
                {
                    frame.numbers.push(number);
                    None
                } else {
                    Some(atom(terms, &text, quoted, &sorts, scope, place)?)
                }
            }
        };
        if let Some(term) = term {
            match frames.last_mut() {
                Some(frame) => frame.operands.push(term),
                None => return Ok(term),
            }
        }
        (token, place) = reader.next()?;
    }
}

fn atom(
    terms: &mut Terms,
    text: &str,
    quoted: bool,
    sorts: &[String],
    scope: &mut Scope,
    place: Place,
) -> Result<Term, ParseError> {
    if !quoted {
        match text {
            "true" => return Ok(terms.tru()),
            "false" => return Ok(terms.fals()),
            _ => {}
        }
        if text.starts_with('%') {
            return match scope.labels.get(text) {
                Some(&term) => Ok(term),
                None => place.error(format!("{text} is not defined above")),
            };
        }
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            let [sort] = sorts else { return place.error("a constant is written value:width") };
            let width = width(sort, place)?;
            let value = match (text.strip_prefix("0x"), text.strip_prefix('-')) {
                (Some(digits), _) => u128::from_str_radix(digits, 16).ok(),
                (_, Some(digits)) => digits.parse::<u128>().ok().map(u128::wrapping_neg),
                _ => text.parse().ok(),
            };
            return match value {
                Some(value) => Ok(terms.constant(width, value)),
                None => place.error(format!("{text} is not a number below 2^128")),
            };
        }
    }
    match sorts {
        [] => match scope.variable(terms, text) {
            Some(term) => Ok(term),
            None => place.error(format!("{text} is not known; write {text}:32 to introduce it with 32 bits")),
        },
        [bits] => {
            let sort = Sort::BitVec(width(bits, place)?);
            scope.introduce(terms, text, sort, place)
        }
        [index, element] => {
            let sort = Sort::Array { index: width(index, place)?, element: width(element, place)? };
            scope.introduce(terms, text, sort, place)
        }
        _ => place.error("a variable is written name, name:width or name:index:element"),
    }
}

fn apply(terms: &mut Terms, frame: &Frame) -> Result<Term, String> {
    let operator = frame.operator.as_str();
    let function = Function::named(operator);
    let (arity, numbers) = match operator {
        _ if function.is_some() => (function.map_or(0, Function::arity), 0),
        "not" | "neg" => (1, 0),
        "extract" => (1, 2),
        "zext" | "sext" | "const_array" => (1, 1),
        "ite" | "store" => (3, 0),
        _ => (2, 0),
    };
    let t = &frame.operands;
    if t.len() != arity || frame.numbers.len() != numbers {
        return Err(format!(
            "{operator} takes {numbers} numbers and {arity} operands, not {} and {}",
            frame.numbers.len(),
            t.len()
        ));
    }
    check(terms, operator, t)?;
    let from = terms.width(t[0]);
    Ok(match (operator, frame.numbers.as_slice()) {
        ("not", _) => terms.not(t[0]),
        ("neg", _) => terms.neg(t[0]),
        ("extract", &[hi, lo]) if lo <= hi && hi < from => terms.extract(t[0], hi, lo),
        ("extract", _) => return Err(format!("no such bits in a word of {from}")),
        ("zext" | "sext", &[width]) if width < from || width > MAX_WIDTH => {
            return Err(format!("cannot extend a word of {from} bits to {width}"));
        }
        ("zext", &[width]) => terms.zext(t[0], width),
        ("sext", &[width]) => terms.sext(t[0], width),
        ("const_array", &[index]) if (1..=MAX_WIDTH).contains(&index) => terms.const_array(index, t[0]),
        ("const_array", _) => return Err("an index has 1 to 128 bits".into()),
        ("ite", _) => terms.ite(t[0], t[1], t[2]),
        ("store", _) => terms.store(t[0], t[1], t[2]),
        ("select", _) => terms.select(t[0], t[1]),
        ("concat", _) if from + terms.width(t[1]) > MAX_WIDTH => {
            return Err(format!("a word has at most {MAX_WIDTH} bits"));
        }
        ("concat", _) => terms.concat(t[0], t[1]),
        ("and", _) => terms.and(t[0], t[1]),
        ("or", _) => terms.or(t[0], t[1]),
        ("xor", _) => terms.xor(t[0], t[1]),
        ("implies", _) => terms.implies(t[0], t[1]),
        ("iff", _) => terms.iff(t[0], t[1]),
        ("add", _) => terms.add(t[0], t[1]),
        ("sub", _) => terms.sub(t[0], t[1]),
        ("mul", _) => terms.mul(t[0], t[1]),
        ("udiv", _) => terms.udiv(t[0], t[1]),
        ("urem", _) => terms.urem(t[0], t[1]),
        ("sdiv", _) => terms.sdiv(t[0], t[1]),
        ("srem", _) => terms.srem(t[0], t[1]),
        ("shl", _) => terms.shl(t[0], t[1]),
        ("lshr", _) => terms.lshr(t[0], t[1]),
        ("ashr", _) => terms.ashr(t[0], t[1]),
        ("eq", _) => terms.eq(t[0], t[1]),
        ("ne", _) => terms.ne(t[0], t[1]),
        ("ult", _) => terms.ult(t[0], t[1]),
        ("ule", _) => terms.ule(t[0], t[1]),
        ("ugt", _) => terms.ugt(t[0], t[1]),
        ("uge", _) => terms.uge(t[0], t[1]),
        ("slt", _) => terms.slt(t[0], t[1]),
        ("sle", _) => terms.sle(t[0], t[1]),
        ("sgt", _) => terms.sgt(t[0], t[1]),
        ("sge", _) => terms.sge(t[0], t[1]),
        _ => match function {
            Some(function) if from == 32 || from == 64 => terms.machine(function, t[0], t[t.len() - 1]),
            Some(_) => return Err(format!("{operator} takes words of 32 or 64 bits")),
            None => return Err(format!("{operator} is no operator")),
        },
    })
}

/// Do the operands have the sorts the operator wants?
fn check(terms: &Terms, operator: &str, t: &[Term]) -> Result<(), String> {
    let sorts: Vec<Sort> = t.iter().map(|&term| terms.sort(term)).collect();
    let fits = match (operator, sorts.as_slice()) {
        ("ite", [condition, yes, no]) => *condition == Sort::BitVec(1) && yes == no,
        ("select", &[Sort::Array { index, .. }, at]) => at == Sort::BitVec(index),
        ("store", &[Sort::Array { index, element }, at, value]) => {
            at == Sort::BitVec(index) && value == Sort::BitVec(element)
        }
        ("select" | "store", _) => false,
        ("concat", [Sort::BitVec(_), Sort::BitVec(_)]) => true,
        (_, [Sort::BitVec(_)]) => true,
        (_, [Sort::BitVec(a), Sort::BitVec(b)]) => a == b,
        _ => false,
    };
    if fits { Ok(()) } else { Err(format!("{operator} cannot be applied to {sorts:?}")) }
}
