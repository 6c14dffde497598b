//! Conditions of formulas over signals of a model, as nodes of the model.
//!
//! The evaluator of formulas on traces computes with bits that may be unknown; in a model every bit is known, in every cycle. What it
//! calls unknown all the same (a quotient by zero, a bit beyond a word) is refused, as is what was before the first cycle.

use nearmiss_trace::ltl::expression::{Comparison, Count, Extension, Sign};
use nearmiss_trace::ltl::syntax::Binary;
use nearmiss_trace::ltl::{Atom, Bitwise, Expression};
use nearmiss_trace::wave::{BitVector, Value};

use super::model::{Bits, Kind, Model, Node, NodeId, Operator, Sort};
use crate::source::Span;

/// Adds nodes to a model.
pub(super) struct Nodes<'m> {
    pub(super) model: &'m mut Model,
    /// The nodes that the formula's signals are.
    pub(super) signals: &'m [NodeId],
    pub(super) span: Span,
}

/// What an atom cannot say of a model.
type Refused = &'static str;

impl Nodes<'_> {
    /// The bit that an atom is.
    pub(super) fn atom(&mut self, atom: &Atom, signals: &[usize]) -> Result<NodeId, Refused> {
        if atom.reads.iter().any(|read| read.delay > 0) {
            return Err("nothing is known of what was before the first cycle: say it from there on, with X or |=>");
        }
        let reads: Vec<NodeId> = atom.reads.iter().map(|read| self.signals[signals[read.signal]]).collect();
        let value = self.expression(&atom.expression, &reads)?;
        Ok(self.truth(value))
    }

    fn push(&mut self, kind: Kind, width: u32) -> NodeId {
        let node = Node { number: 0, sort: Sort::Word(width), kind, name: None, span: self.span, origin: None };
        self.model.nodes.push(node);
        self.model.nodes.len() - 1
    }

    fn operation(&mut self, operator: Operator, operands: &[NodeId], width: u32) -> NodeId {
        self.push(Kind::Operation(operator, operands.to_vec()), width)
    }

    fn constant(&mut self, value: u64, width: u32) -> NodeId {
        let bits: Bits = (0..width).map(|bit| bit < 64 && value >> bit & 1 == 1).collect();
        self.push(Kind::Constant(bits), width)
    }

    fn truth(&mut self, word: NodeId) -> NodeId {
        match self.model.width(word) {
            1 => word,
            _ => self.operation(Operator::Redor, &[word], 1),
        }
    }

    /// Wider, or only the low bits.
    fn resized(&mut self, word: NodeId, width: u32, sign: Sign) -> NodeId {
        let operator = match (self.model.width(word), sign) {
            (own, _) if own == width => return word,
            (own, _) if own > width => Operator::Slice(0),
            (_, Sign::Signed) => Operator::Sext,
            (_, Sign::Unsigned) => Operator::Uext,
        };
        self.operation(operator, &[word], width)
    }

    fn extended(&mut self, of: &Expression, to: Extension, reads: &[NodeId]) -> Result<NodeId, Refused> {
        if to.width == 0 {
            return Err("only words of bits can be computed with here");
        }
        let word = self.expression(of, reads)?;
        Ok(self.resized(word, to.width, to.sign))
    }

    fn expression(&mut self, of: &Expression, reads: &[NodeId]) -> Result<NodeId, Refused> {
        use Expression as E;
        Ok(match of {
            E::Read(at) => reads[*at],
            E::Constant(Value::Bits(bits)) => self.bits(bits)?,
            E::Constant(_) | E::Integer(..) | E::Real(_) => return Err("signals of a model are words of bits"),
            E::Truth(body) => {
                let body = self.expression(body, reads)?;
                self.truth(body)
            }
            E::Complement(to, body) => {
                let body = self.extended(body, *to, reads)?;
                self.operation(Operator::Not, &[body], to.width)
            }
            E::Minus(to, body) => {
                let body = self.extended(body, *to, reads)?;
                self.operation(Operator::Neg, &[body], to.width)
            }
            E::Count(count, body) => {
                let body = self.expression(body, reads)?;
                self.counted(*count, body)
            }
            E::Bitwise(op, to, left, right) => {
                let operands = [self.extended(left, *to, reads)?, self.extended(right, *to, reads)?];
                let operator = match op {
                    Bitwise::And => Operator::And,
                    Bitwise::Or => Operator::Or,
                    Bitwise::Xor => Operator::Xor,
                };
                self.operation(operator, &operands, to.width)
            }
            E::Arithmetic(op, to, left, right) => self.arithmetic(*op, *to, (left, right), reads)?,
            E::Compare(op, sign, left, right) => {
                let (left, right) = (self.expression(left, reads)?, self.expression(right, reads)?);
                let width = self.model.width(left).max(self.model.width(right));
                let operands = [self.resized(left, width, *sign), self.resized(right, width, *sign)];
                let operator = match (op, sign) {
                    (Comparison::Equal | Comparison::Same, _) => Operator::Eq,
                    (Comparison::Less, Sign::Signed) => Operator::Slt,
                    (Comparison::Less, Sign::Unsigned) => Operator::Ult,
                };
                self.operation(operator, &operands, 1)
            }
            E::Slice(..) | E::Index(..) | E::Join(_) => self.selected(of, reads)?,
            E::Conditional(to, condition, yes, no) => {
                let condition = self.expression(condition, reads)?;
                let condition = self.truth(condition);
                let operands = [condition, self.extended(yes, *to, reads)?, self.extended(no, *to, reads)?];
                self.operation(Operator::Ite, &operands, to.width)
            }
        })
    }

    /// Bits of words, and bits put side by side.
    fn selected(&mut self, of: &Expression, reads: &[NodeId]) -> Result<NodeId, Refused> {
        use Expression as E;
        Ok(match of {
            E::Slice(low, width, body) => {
                let body = self.expression(body, reads)?;
                match u32::try_from(*low) {
                    Ok(low) if low + width <= self.model.width(body) => {
                        self.operation(Operator::Slice(low), &[body], *width)
                    }
                    _ => return Err("these bits are not all there"),
                }
            }
            E::Index(0, 1, body, index) => {
                let (body, index) = (self.expression(body, reads)?, self.expression(index, reads)?);
                let (width, own) = (self.model.width(body), self.model.width(index));
                if own >= 32 || 1u64 << own > u64::from(width) {
                    return Err("the number of this bit may be beyond the word");
                }
                let by = self.resized(index, width, Sign::Unsigned);
                let moved = self.operation(Operator::Srl, &[body, by], width);
                self.operation(Operator::Slice(0), &[moved], 1)
            }
            E::Index(..) => return Err("the bits of this word are numbered in another way"),
            E::Join(parts) => {
                let mut joined: Option<NodeId> = None;
                for part in parts {
                    let part = self.expression(part, reads)?;
                    joined = Some(match joined {
                        None => part,
                        Some(high) => {
                            let width = self.model.width(high) + self.model.width(part);
                            self.operation(Operator::Concat, &[high, part], width)
                        }
                    });
                }
                joined.ok_or("there is nothing to put side by side")?
            }
            _ => return Err("only bits can be selected"),
        })
    }

    fn bits(&mut self, of: &BitVector) -> Result<NodeId, Refused> {
        if of.has_unknown() {
            return Err("no bit of a model is unknown");
        }
        let bits: Bits = (0..of.width).map(|bit| of.value[(bit / 64) as usize] >> (bit % 64) & 1 == 1).collect();
        Ok(self.push(Kind::Constant(bits), of.width))
    }

    fn counted(&mut self, count: Count, word: NodeId) -> NodeId {
        let operator = match count {
            Count::Unknown => return self.constant(0, 1),
            Count::And => Operator::Redand,
            Count::Xor => Operator::Redxor,
            Count::Ones => return self.ones(word),
            Count::OneHot | Count::OneHotOrNone => {
                let (ones, limit) = (self.ones(word), self.constant(1, 32));
                let operator = if count == Count::OneHot { Operator::Eq } else { Operator::Ulte };
                return self.operation(operator, &[ones, limit], 1);
            }
        };
        self.operation(operator, &[word], 1)
    }

    /// How many bits are 1.
    fn ones(&mut self, word: NodeId) -> NodeId {
        let mut sum = self.constant(0, 32);
        for bit in 0..self.model.width(word) {
            let one = self.operation(Operator::Slice(bit), &[word], 1);
            let one = self.operation(Operator::Uext, &[one], 32);
            sum = self.operation(Operator::Add, &[sum, one], 32);
        }
        sum
    }

    fn arithmetic(
        &mut self,
        op: Binary,
        to: Extension,
        (left, right): (&Expression, &Expression),
        reads: &[NodeId],
    ) -> Result<NodeId, Refused> {
        let x = self.extended(left, to, reads)?;
        let operator = match op {
            Binary::Add => Operator::Add,
            Binary::Subtract => Operator::Sub,
            Binary::Multiply => Operator::Mul,
            Binary::ShiftLeft => Operator::Sll,
            Binary::ShiftRight => Operator::Srl,
            Binary::ShiftRightSigned if to.sign == Sign::Signed => Operator::Sra,
            Binary::ShiftRightSigned => Operator::Srl,
            _ => return Err("only +, -, * and shifts are known on models"),
        };
        if matches!(op, Binary::Add | Binary::Subtract | Binary::Multiply) {
            let y = self.extended(right, to, reads)?;
            return Ok(self.operation(operator, &[x, y], to.width));
        }
        // By how much is a number of its own width: both are made as wide as the wider of them.
        let by = self.expression(right, reads)?;
        let width = to.width.max(self.model.width(by));
        let sign = if operator == Operator::Sra { Sign::Signed } else { Sign::Unsigned };
        let (x, by) = (self.resized(x, width, sign), self.resized(by, width, Sign::Unsigned));
        let moved = self.operation(operator, &[x, by], width);
        Ok(self.resized(moved, to.width, to.sign))
    }
}
