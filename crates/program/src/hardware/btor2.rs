//! Reads BTOR2, the format of the hardware model checking competition that `yosys` writes.
//!
//! A line is a number, a word, and numbers of earlier lines; a minus before one negates its bits. What follows is a name,
//! and behind `;` a comment, in which `yosys` says where the line comes from. A node that is another one widened by nothing
//! is a name of that other one. Everything that is wrong is told with its line.

use std::collections::HashMap;

use super::model::{Asked, Bits, Justice, Kind, Model, Node, NodeId, Operator, Sort};
use super::operators::{Shape, operator};
use crate::source::{Diagnostic, FileId, Span};

/// Words are at most so wide.
const WIDEST: u32 = 1 << 14;
/// So many errors are told at most.
const MOST_ERRORS: usize = 20;

/// Reads a model. Its name is that of the module, if a comment of `yosys` says so, or the one given.
///
/// # Errors
///
/// What is wrong, and in which line.
pub fn read(text: &str, file: FileId, name: &str) -> Result<Model, Vec<Diagnostic>> {
    let mut reader = Reader { model: Model { name: name.to_owned(), ..Model::default() }, ..Reader::default() };
    let (mut errors, mut start) = (Vec::new(), 0u32);
    for line in text.split('\n') {
        let span = Span::new(file, start, start + line.trim_end().len() as u32);
        start = start.saturating_add(line.len() as u32 + 1);
        if let Err(error) = reader.line(line, span) {
            errors.push(error);
            if errors.len() == MOST_ERRORS {
                break;
            }
        }
    }
    if errors.is_empty() { Ok(reader.finished()) } else { Err(errors) }
}

/// The lines so far.
#[derive(Default)]
struct Reader {
    model: Model,
    sorts: HashMap<u64, Sort>,
    nodes: HashMap<u64, NodeId>,
    /// The last number.
    last: u64,
}

/// The words of a line that are left.
struct Line<'a> {
    words: Vec<&'a str>,
    at: usize,
    span: Span,
    /// Where each word starts in the line.
    starts: Vec<usize>,
}

impl<'a> Line<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at).copied();
        self.at += 1;
        word
    }

    /// The span of the word taken last.
    fn here(&self) -> Span {
        let index = self.at.saturating_sub(1);
        match (self.starts.get(index), self.words.get(index)) {
            (Some(start), Some(word)) => {
                let start = self.span.start + *start as u32;
                Span::new(self.span.file, start, start + word.len() as u32)
            }
            _ => self.span,
        }
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(self.here(), message))
    }

    fn number(&mut self, what: &str) -> Result<u64, Diagnostic> {
        match self.next() {
            None => self.error(format!("{what} is missing at the end of this line")),
            Some(word) => match word.parse() {
                Ok(number) => Ok(number),
                Err(_) => self.error(format!("`{word}` is no number, and {what} is expected here")),
            },
        }
    }
}

impl Reader {
    fn line(&mut self, text: &str, span: Span) -> Result<(), Diagnostic> {
        let (words, comment) = match text.split_once(';') {
            Some((words, comment)) => (words, Some(comment.trim())),
            None => (text, None),
        };
        if words.trim().is_empty() {
            self.module(comment);
            return Ok(());
        }
        let starts: Vec<usize> =
            words.split_whitespace().map(|word| word.as_ptr() as usize - text.as_ptr() as usize).collect();
        let mut line = Line { words: words.split_whitespace().collect(), at: 0, span, starts };
        let number = line.number("the number of the line")?;
        if number == 0 || (self.last >= number) {
            return line.error(format!("the number of a line is greater than those before, and {number} is not"));
        }
        self.last = number;
        let Some(word) = line.next() else { return line.error("a line says more than its number") };
        let origin = comment.filter(|comment| !comment.is_empty()).map(str::to_owned);
        match word {
            "sort" => self.sort(number, &mut line),
            "input" | "state" => {
                let sort = self.sort_of(&mut line)?;
                if word == "input" && matches!(sort, Sort::Array { .. }) {
                    return line.error("an input is a word here: make a memory whose contents are free a state");
                }
                let kind = if word == "input" { Kind::Input } else { Kind::State { init: None, next: None } };
                self.add(number, sort, kind, &mut line, origin);
                Ok(())
            }
            "const" | "constd" | "consth" | "zero" | "one" | "ones" => {
                let sort = self.sort_of(&mut line)?;
                let Sort::Word(width) = sort else { return line.error("a constant is a word") };
                let bits = constant(word, width, &mut line)?;
                self.add(number, sort, Kind::Constant(bits), &mut line, origin);
                Ok(())
            }
            "init" | "next" => self.step(word == "init", &mut line, origin),
            "bad" | "constraint" | "fair" | "output" => self.asked(word, &mut line, origin),
            "justice" => self.justice(&mut line),
            _ => self.operation(number, word, &mut line, origin),
        }
    }

    /// `; BTOR description generated by Yosys … for module fifo.` and `; begin fifo`.
    fn module(&mut self, comment: Option<&str>) {
        let named = comment.and_then(|comment| comment.rsplit_once(" for module ").map(|(_, name)| name));
        if let Some(name) = named.map(|name| name.trim_end_matches('.').trim_start_matches('\\'))
            && !name.is_empty()
            && self.model.nodes.is_empty()
        {
            self.model.name = name.to_owned();
        }
    }

    fn sort(&mut self, number: u64, line: &mut Line<'_>) -> Result<(), Diagnostic> {
        let sort = match line.next() {
            Some("bitvec") => {
                let width = line.number("a width")?;
                if width == 0 || width > u64::from(WIDEST) {
                    return line.error(format!("a word has 1 to {WIDEST} bits"));
                }
                Sort::Word(width as u32)
            }
            Some("array") => {
                let (index, element) = (self.sort_of(line)?, self.sort_of(line)?);
                match (index, element) {
                    (Sort::Word(index), Sort::Word(element)) => Sort::Array { index, element },
                    _ => return line.error("memories of memories are not supported"),
                }
            }
            Some(other) => return line.error(format!("`{other}` is no kind of sort: there are bitvec and array")),
            None => return line.error("the kind of sort is missing"),
        };
        self.sorts.insert(number, sort);
        Ok(())
    }

    fn sort_of(&self, line: &mut Line<'_>) -> Result<Sort, Diagnostic> {
        let number = line.number("a sort")?;
        match self.sorts.get(&number) {
            Some(sort) => Ok(*sort),
            None => line.error(format!("line {number} is no sort")),
        }
    }

    /// An operand; one with a minus is a node of its own.
    fn operand(&mut self, line: &mut Line<'_>) -> Result<NodeId, Diagnostic> {
        let Some(word) = line.next() else { return line.error("an operand is missing at the end of this line") };
        let (negated, digits) = match word.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, word),
        };
        let Ok(number) = digits.parse::<u64>() else { return line.error(format!("`{word}` is no number of a node")) };
        let Some(id) = self.nodes.get(&number).copied() else {
            let what =
                if self.sorts.contains_key(&number) { "a sort, and no node" } else { "no node that is defined before" };
            return line.error(format!("{number} is {what}"));
        };
        if !negated {
            return Ok(id);
        }
        let sort = self.model.node(id).sort;
        if sort.width() == 0 {
            return line.error("a memory cannot be negated");
        }
        let kind = Kind::Operation(Operator::Not, vec![id]);
        let span = line.here();
        self.model.nodes.push(Node { number, sort, kind, name: None, span, origin: None });
        Ok(self.model.nodes.len() - 1)
    }

    fn add(&mut self, number: u64, sort: Sort, kind: Kind, line: &mut Line<'_>, origin: Option<String>) {
        let name = name(line);
        self.nodes.insert(number, self.model.nodes.len());
        self.model.nodes.push(Node { number, sort, kind, name, span: line.span, origin });
    }

    fn operation(
        &mut self,
        number: u64,
        word: &str,
        line: &mut Line<'_>,
        origin: Option<String>,
    ) -> Result<(), Diagnostic> {
        let Some((operator, shape)) = operator(word) else {
            return line.error(format!("`{word}` is no word of BTOR2"));
        };
        let sort = self.sort_of(line)?;
        let operands = (0..shape.operands()).map(|_| self.operand(line)).collect::<Result<Vec<_>, _>>()?;
        let sorts: Vec<Sort> = operands.iter().map(|id| self.model.node(*id).sort).collect();
        let operator = match shape {
            Shape::Extended => {
                let more = line.number("by how many bits it is widened")?;
                if u64::from(sorts[0].width()).checked_add(more) != Some(u64::from(sort.width())) {
                    return line.error("the sort is not as wide as that makes it");
                }
                if more == 0 && sort.width() > 0 {
                    return self.alias(number, operands[0], line, origin);
                }
                operator
            }
            Shape::Slice => {
                let (upper, lower) = (line.number("the upper bit")?, line.number("the lower bit")?);
                if lower > upper || upper >= u64::from(sorts[0].width()) {
                    return line.error(format!("a word of {} bits has no bits {upper} to {lower}", sorts[0].width()));
                }
                if upper - lower + 1 != u64::from(sort.width()) {
                    return line.error("the sort is not as wide as these bits");
                }
                Operator::Slice(lower as u32)
            }
            _ => operator,
        };
        if let Err(what) = shape.check(sort, &sorts) {
            return line.error(format!("`{word}`: {what}"));
        }
        self.add(number, sort, Kind::Operation(operator, operands), line, origin);
        Ok(())
    }

    /// Another name of a node. The shortest is kept: names inside of modules are longer.
    fn alias(
        &mut self,
        number: u64,
        of: NodeId,
        line: &mut Line<'_>,
        origin: Option<String>,
    ) -> Result<(), Diagnostic> {
        self.nodes.insert(number, of);
        if let Some(name) = name(line) {
            self.rename(of, name, origin);
        }
        Ok(())
    }

    fn rename(&mut self, id: NodeId, name: String, origin: Option<String>) {
        let node = &mut self.model.nodes[id];
        let depth = |name: &str| name.matches('.').count();
        if matches!(node.kind, Kind::Constant(_)) {
            return;
        }
        match &node.name {
            Some(known) if *known == name => node.origin = node.origin.take().or(origin),
            Some(known) if depth(known) <= depth(&name) => {}
            _ => (node.name, node.origin) = (Some(name), origin),
        }
    }

    fn step(&mut self, is_init: bool, line: &mut Line<'_>, origin: Option<String>) -> Result<(), Diagnostic> {
        let sort = self.sort_of(line)?;
        let state = self.operand(line)?;
        let here = line.here();
        let value = self.operand(line)?;
        let of_value = self.model.node(value).sort;
        let fits = match (sort, of_value) {
            (Sort::Array { element, .. }, Sort::Word(width)) => is_init && element == width,
            _ => sort == of_value,
        };
        let node = &mut self.model.nodes[state];
        if node.sort != sort || !fits {
            return line.error("the state, its value and the sort differ");
        }
        let Kind::State { init, next } = &mut node.kind else {
            return Err(Diagnostic::error(here, "only a state has a first and a next value"));
        };
        let slot = if is_init { init } else { next };
        if slot.is_some() {
            return Err(Diagnostic::error(
                here,
                format!("the {} value of this state is given twice", if is_init { "first" } else { "next" }),
            ));
        }
        *slot = Some(value);
        if let Some(name) = name(line) {
            self.rename(state, name, origin);
        }
        Ok(())
    }

    fn asked(&mut self, word: &str, line: &mut Line<'_>, origin: Option<String>) -> Result<(), Diagnostic> {
        let node = self.operand(line)?;
        if word == "output" {
            if let Some(name) = name(line) {
                self.rename(node, name, origin);
            }
            return Ok(());
        }
        if self.model.width(node) != 1 {
            return line.error(format!("`{word}` is about one bit"));
        }
        let asked = Asked { node, name: name(line), span: line.span, origin };
        match word {
            "bad" => self.model.bad.push(asked),
            "constraint" => self.model.constraints.push(asked),
            _ => self.model.fair.push(asked),
        }
        Ok(())
    }

    fn justice(&mut self, line: &mut Line<'_>) -> Result<(), Diagnostic> {
        let count = line.number("a number of bits")?;
        let mut nodes = Vec::new();
        for _ in 0..count {
            nodes.push(self.operand(line)?);
            if self.model.width(nodes[nodes.len() - 1]) != 1 {
                return line.error("`justice` is about single bits");
            }
        }
        self.model.justice.push(Justice { nodes, name: name(line), span: line.span });
        Ok(())
    }

    /// A model in which nothing has a name is told by its numbers.
    fn finished(mut self) -> Model {
        if self.model.nodes.iter().all(|node| node.name.is_none()) {
            for node in &mut self.model.nodes {
                node.name = match node.kind {
                    Kind::Input => Some(format!("input{}", node.number)),
                    Kind::State { .. } => Some(format!("state{}", node.number)),
                    _ => None,
                };
            }
        }
        self.model
    }
}

/// What is left of a line is the name. Names that `yosys` makes up are none.
fn name(line: &mut Line<'_>) -> Option<String> {
    let name = line.next()?.trim_start_matches('\\');
    let made_up =
        name.is_empty() || name.starts_with('$') || name.contains(".$") || name.contains('$') && name.contains(':');
    (!made_up).then(|| name.to_owned())
}

/// A constant of this width.
fn constant(word: &str, width: u32, line: &mut Line<'_>) -> Result<Bits, Diagnostic> {
    let width = width as usize;
    let ones = match word {
        "zero" => return Ok(vec![false; width]),
        "ones" => return Ok(vec![true; width]),
        "one" => return Ok((0..width).map(|bit| bit == 0).collect()),
        _ => line.next(),
    };
    let Some(digits) = ones else { return line.error("the number is missing at the end of this line") };
    let base = match word {
        "const" => 2,
        "constd" => 10,
        _ => 16,
    };
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(digits) if base == 10 => (true, digits),
        _ => (false, digits),
    };
    let mut bits = vec![false; width];
    let mut lost = digits.is_empty();
    let digits = if lost { digits } else { digits.trim_start_matches('0') };
    lost |= digits.len() > width;
    for digit in digits.chars().take(width) {
        let Some(digit) = digit.to_digit(base) else { return line.error(format!("`{digit}` is no digit here")) };
        let mut carry = digit;
        for bit in &mut bits {
            let sum = u32::from(*bit) * base + carry;
            *bit = sum & 1 == 1;
            carry = sum >> 1;
        }
        lost |= carry > 0;
    }
    if lost {
        return line.error(format!("the number does not fit in {width} bits"));
    }
    if negative {
        let mut carry = true;
        for bit in &mut bits {
            let flipped = !*bit;
            *bit = flipped != carry;
            carry &= flipped;
        }
    }
    Ok(bits)
}

#[cfg(test)]
mod tests;
