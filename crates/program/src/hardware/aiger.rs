//! Reads AIGER 1.9, text (`aag`) and binary (`aig`): bits, and-gates and latches.
//!
//! A number is twice that of a variable, and one more where it is negated. Before 1.9 there was nothing but outputs to say
//! what must not be: where a file has no bad bits, its outputs are they. Gates are taken in any order, as long as none
//! depends on itself.

use std::collections::HashMap;

use super::model::{Asked, Justice, Kind, Model, Node, NodeId, Operator, Sort};
use crate::source::{Diagnostic, FileId, Span};

/// More variables than this are no model that anybody explains.
const MOST: u64 = 1 << 24;

/// The text that stands for a file: all of a text, of a binary one its first line.
pub fn shown(bytes: &[u8]) -> String {
    let end =
        if bytes.starts_with(b"aag") { bytes.len() } else { bytes.iter().position(|byte| *byte == b'\n').unwrap_or(0) };
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// Reads a model.
///
/// # Errors
///
/// What is wrong, and in which line of a text.
pub fn read(bytes: &[u8], file: FileId, name: &str) -> Result<Model, Vec<Diagnostic>> {
    let mut reader = Reader { bytes, at: 0, file, binary: false };
    reader.file().and_then(|raw| raw.model(file, name)).map_err(|error| vec![error])
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    file: FileId,
    binary: bool,
}

/// A literal and where it stands.
type Literal = (u64, Span);

/// What a file says, before gates are put in order.
#[derive(Default)]
struct Raw {
    inputs: Vec<Literal>,
    /// Latch, next, first.
    latches: Vec<(Literal, Literal, Option<Literal>)>,
    outputs: Vec<Literal>,
    bad: Vec<Literal>,
    constraints: Vec<Literal>,
    justice: Vec<Vec<Literal>>,
    fair: Vec<Literal>,
    gates: Vec<(Literal, u64, u64)>,
    names: HashMap<(u8, usize), String>,
}

impl Reader<'_> {
    fn here(&self, start: usize) -> Span {
        let limit = if self.binary { 0 } else { u32::MAX };
        Span::new(self.file, (start as u32).min(limit), (self.at as u32).min(limit))
    }

    fn error<T>(&self, start: usize, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(self.here(start), message))
    }

    fn line(&mut self) -> Result<(Vec<u64>, Span), Diagnostic> {
        let start = self.at;
        let rest = &self.bytes[start.min(self.bytes.len())..];
        if rest.is_empty() {
            return self.error(start, "the file ends before everything is there that its first line promises");
        }
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.at = start + end;
        let (text, span) = (String::from_utf8_lossy(&rest[..end]).into_owned(), self.here(start));
        let numbers = text.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>();
        let numbers = match numbers {
            Ok(numbers) => numbers,
            Err(_) => return self.error(start, format!("`{}` is no row of numbers", text.trim())),
        };
        self.at += 1;
        Ok((numbers, span))
    }

    fn literals(&mut self, count: u64, most: u64) -> Result<Vec<Literal>, Diagnostic> {
        let mut literals = Vec::new();
        for _ in 0..count {
            let (numbers, span) = self.line()?;
            match numbers[..] {
                [literal] if literal <= most => literals.push((literal, span)),
                _ => return Err(Diagnostic::error(span, format!("one literal of at most {most} is expected here"))),
            }
        }
        Ok(literals)
    }

    fn file(&mut self) -> Result<Raw, Diagnostic> {
        let end = self.bytes.iter().position(|byte| *byte == b'\n').unwrap_or(self.bytes.len());
        let first = String::from_utf8_lossy(&self.bytes[..end]).into_owned();
        let mut words = first.split_whitespace();
        let format = words.next();
        let numbers: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
        self.at = end;
        let (Some("aag" | "aig"), 5..=9) = (format, numbers.len()) else {
            return self.error(0, "an AIGER file begins with `aag` or `aig` and 5 to 9 numbers");
        };
        self.at = end + 1;
        let binary = format == Some("aig");
        let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
        let (most, inputs, latches, gates) = (number(0), number(1), number(2), number(4));
        let sum = inputs.saturating_add(latches).saturating_add(gates);
        if most > MOST || sum > most || numbers.iter().any(|number| *number > MOST) || (binary && sum != most) {
            return self.error(0, "the numbers of the first line do not fit together");
        }
        let last = 2 * most + 1;
        let of_file = match binary {
            true => (1..=inputs).map(|at| (2 * at, Span::new(self.file, 0, 0))).collect(),
            false => self.literals(inputs, last)?,
        };
        let mut raw = Raw { inputs: of_file, ..Raw::default() };
        self.latches(&mut raw, (inputs, latches), last, binary)?;
        raw.outputs = self.literals(number(3), last)?;
        raw.bad = self.literals(number(5), last)?;
        raw.constraints = self.literals(number(6), last)?;
        let sizes = self.literals(number(7), MOST)?;
        for (size, _) in sizes {
            let literals = self.literals(size, last)?;
            raw.justice.push(literals);
        }
        raw.fair = self.literals(number(8), last)?;
        self.binary = binary;
        for at in 0..gates {
            let gate = match binary {
                true => self.packed(2 * (inputs + latches + at + 1))?,
                false => self.gate(last)?,
            };
            raw.gates.push(gate);
        }
        self.names(&mut raw);
        Ok(raw)
    }

    fn latches(
        &mut self,
        raw: &mut Raw,
        (inputs, count): (u64, u64),
        last: u64,
        binary: bool,
    ) -> Result<(), Diagnostic> {
        for at in 0..count {
            let (mut numbers, span) = self.line()?;
            if binary {
                numbers.insert(0, 2 * (inputs + at + 1));
            }
            let (latch, next, first) = match numbers[..] {
                [latch, next] => (latch, next, Some(0)),
                [latch, next, first] if first == latch => (latch, next, None),
                [latch, next, first @ (0 | 1)] => (latch, next, Some(first)),
                _ => return Err(Diagnostic::error(span, "a latch has a next value, and starts as 0, 1 or itself")),
            };
            if latch > last || next > last {
                return Err(Diagnostic::error(span, format!("there is no literal above {last}")));
            }
            raw.latches.push(((latch, span), (next, span), first.map(|first| (first, span))));
        }
        Ok(())
    }

    fn gate(&mut self, last: u64) -> Result<(Literal, u64, u64), Diagnostic> {
        let (numbers, span) = self.line()?;
        match numbers[..] {
            [gate, left, right] if gate.max(left).max(right) <= last && gate.is_multiple_of(2) => {
                Ok(((gate, span), left, right))
            }
            _ => Err(Diagnostic::error(span, format!("a gate is three literals of at most {last}, the first even"))),
        }
    }

    /// A gate as two differences.
    fn packed(&mut self, gate: u64) -> Result<(Literal, u64, u64), Diagnostic> {
        let start = self.at;
        let mut number = || {
            let mut value = 0u64;
            for shift in (0..63).step_by(7) {
                let byte = *self.bytes.get(self.at)?;
                self.at += 1;
                value |= u64::from(byte & 0x7f) << shift;
                if byte & 0x80 == 0 {
                    return Some(value);
                }
            }
            None
        };
        let left = number().and_then(|more| gate.checked_sub(more)).filter(|left| *left < gate);
        let right = left.and_then(|left| left.checked_sub(number()?));
        match (left, right) {
            (Some(left), Some(right)) => Ok(((gate, self.here(start)), left, right)),
            _ => self.error(start, format!("the gates end, or are wrong, at byte {start}")),
        }
    }

    fn names(&self, raw: &mut Raw) {
        let rest = String::from_utf8_lossy(self.bytes.get(self.at..).unwrap_or_default()).into_owned();
        for line in rest.lines().take_while(|line| *line != "c") {
            let Some((place, name)) = line.split_once(' ') else { continue };
            if let (Some(kind), Some(Ok(at))) = (place.bytes().next(), place.get(1..).map(str::parse)) {
                raw.names.insert((kind, at), name.trim().to_owned());
            }
        }
    }
}

/// The nodes of a model that is under construction.
struct Making {
    model: Model,
    /// The node of each variable.
    nodes: HashMap<u64, NodeId>,
    /// Of its negation.
    negations: HashMap<u64, NodeId>,
    nowhere: Span,
}

impl Making {
    fn push(&mut self, number: u64, kind: Kind, name: Option<String>, span: Span) -> NodeId {
        self.model.nodes.push(Node { number, sort: Sort::Word(1), kind, name, span, origin: None });
        self.model.nodes.len() - 1
    }

    fn literal(&mut self, literal: u64) -> Option<NodeId> {
        if literal < 2 {
            let constant = Kind::Constant(vec![literal == 1]);
            return Some(self.push(literal, constant, None, self.nowhere));
        }
        let of = *self.nodes.get(&(literal / 2))?;
        if literal.is_multiple_of(2) {
            return Some(of);
        }
        if let Some(known) = self.negations.get(&(literal / 2)) {
            return Some(*known);
        }
        let not = self.push(literal, Kind::Operation(Operator::Not, vec![of]), None, self.model.nodes[of].span);
        self.negations.insert(literal / 2, not);
        Some(not)
    }
}

impl Raw {
    fn name(&self, kind: u8, at: usize) -> Option<String> {
        self.names.get(&(kind, at)).cloned()
    }

    fn model(self, file: FileId, name: &str) -> Result<Model, Diagnostic> {
        let model = Model { name: name.to_owned(), ..Model::default() };
        let nowhere = Span::new(file, 0, 0);
        let mut making = Making { model, nodes: HashMap::new(), negations: HashMap::new(), nowhere };
        self.variables(&mut making)?;
        self.gates(&mut making)?;
        let missing =
            |(literal, span): Literal| Diagnostic::error(span, format!("nothing defines variable {}", literal / 2));
        let outputs_are_bad = self.bad.is_empty() && self.justice.is_empty();
        let (bad, kind) = if outputs_are_bad { (&self.outputs, b'o') } else { (&self.bad, b'b') };
        for (into, literals, kind) in [(0, bad, kind), (1, &self.constraints, b'c'), (2, &self.fair, b'f')] {
            for (at, literal) in literals.iter().enumerate() {
                let node = making.literal(literal.0).ok_or_else(|| missing(*literal))?;
                let asked = Asked { node, name: self.name(kind, at), span: literal.1, origin: None };
                match into {
                    0 => making.model.bad.push(asked),
                    1 => making.model.constraints.push(asked),
                    _ => making.model.fair.push(asked),
                }
            }
        }
        for (at, literals) in self.justice.iter().enumerate() {
            let mut nodes = Vec::new();
            for literal in literals {
                nodes.push(making.literal(literal.0).ok_or_else(|| missing(*literal))?);
            }
            let span = literals.first().map_or(nowhere, |literal| literal.1);
            making.model.justice.push(Justice { nodes, name: self.name(b'j', at), span });
        }
        for (latch, next, _) in &self.latches {
            let value = making.literal(next.0).ok_or_else(|| missing(*next))?;
            let state = making.nodes[&(latch.0 / 2)];
            if let Kind::State { next, .. } = &mut making.model.nodes[state].kind {
                *next = Some(value);
            }
        }
        Ok(making.model)
    }

    fn variables(&self, making: &mut Making) -> Result<(), Diagnostic> {
        let twice = |literal: Literal| {
            Err(Diagnostic::error(literal.1, format!("{} is no variable, or is defined twice", literal.0)))
        };
        for (at, literal) in self.inputs.iter().enumerate() {
            let name = self.name(b'i', at).or(Some(format!("i{at}")));
            let node = making.push(literal.0, Kind::Input, name, literal.1);
            if literal.0 < 2 || !literal.0.is_multiple_of(2) || making.nodes.insert(literal.0 / 2, node).is_some() {
                return twice(*literal);
            }
        }
        for (at, (latch, _, first)) in self.latches.iter().enumerate() {
            let init = match first {
                Some(first) => making.literal(first.0),
                None => None,
            };
            let name = self.name(b'l', at).or(Some(format!("l{at}")));
            let node = making.push(latch.0, Kind::State { init, next: None }, name, latch.1);
            if latch.0 < 2 || !latch.0.is_multiple_of(2) || making.nodes.insert(latch.0 / 2, node).is_some() {
                return twice(*latch);
            }
        }
        Ok(())
    }

    /// Gates after those that they stand on.
    fn gates(&self, making: &mut Making) -> Result<(), Diagnostic> {
        let mut of: HashMap<u64, usize> = HashMap::new();
        for (at, (gate, ..)) in self.gates.iter().enumerate() {
            if making.nodes.contains_key(&(gate.0 / 2)) || of.insert(gate.0 / 2, at).is_some() || gate.0 < 2 {
                return Err(Diagnostic::error(gate.1, format!("{} is no variable, or is defined twice", gate.0)));
            }
        }
        let mut begun = vec![false; self.gates.len()];
        for first in 0..self.gates.len() {
            let mut open = vec![first];
            while let Some(at) = open.last().copied() {
                let (gate, left, right) = self.gates[at];
                if making.nodes.contains_key(&(gate.0 / 2)) {
                    open.pop();
                    continue;
                }
                begun[at] = true;
                let missing = |literal: &u64| *literal > 1 && !making.nodes.contains_key(&(*literal / 2));
                match [left, right].into_iter().find(missing) {
                    Some(literal) => match of.get(&(literal / 2)) {
                        Some(below) if !begun[*below] => open.push(*below),
                        Some(_) => return Err(Diagnostic::error(gate.1, format!("gate {} depends on itself", gate.0))),
                        None => {
                            let what = format!("nothing defines variable {}", literal / 2);
                            return Err(Diagnostic::error(gate.1, what));
                        }
                    },
                    None => {
                        open.pop();
                        let operands = [left, right].map(|literal| making.literal(literal));
                        let operands = operands.into_iter().flatten().collect();
                        let node = making.push(gate.0, Kind::Operation(Operator::And, operands), None, gate.1);
                        making.nodes.insert(gate.0 / 2, node);
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bit that turns with an input, and is bad once it is 1 for the second time.
    const TEXT: &str = "aag 5 1 2 0 2 1\n2\n4 3 0\n6 10\n10\n8 2 4\n10 9 5\ni0 turn\nl0 bit\nb0 never\nc\nanything\n";

    #[test]
    fn text_and_binary_are_the_same_model() {
        let text = read(TEXT.as_bytes(), FileId(0), "m").unwrap();
        assert_eq!(text.bad[0].name.as_deref(), Some("never"));
        assert_eq!(text.nodes[0].name.as_deref(), Some("turn"));
        let mut binary = b"aig 5 1 2 0 2 1\n3 0\n10\n10\n".to_vec();
        binary.extend([8 - 4, 4 - 2, 10 - 9, 9 - 5]);
        binary.extend(b"i0 turn\nl0 bit\nb0 never\n");
        let binary = read(&binary, FileId(0), "m").unwrap();
        let kinds = |model: &Model| model.nodes.iter().map(|node| (node.name.clone(), node.sort)).collect::<Vec<_>>();
        assert_eq!(kinds(&text), kinds(&binary));
        assert_eq!(text.bad[0].node, binary.bad[0].node);
    }

    #[test]
    fn what_is_wrong_is_told() {
        let error = |text: &str| read(text.as_bytes(), FileId(0), "m").unwrap_err()[0].message.clone();
        assert!(error("aag 1 1").contains("begins with"));
        assert!(error("aag 1 1 0 0 0\n").contains("ends before"));
        assert!(error("aag 2 1 0 1 1\n2\n4\n4 4 2\n").contains("depends on itself"));
        assert!(error("aag 3 1 0 1 1\n2\n4\n4 6 2\n").contains("nothing defines"));
        assert!(error("aag 1 1 0 0 0\nx\n").contains("no row of numbers"));
    }
}
