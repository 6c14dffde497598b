//! `__CPROVER_forall { T i; e }` and `__CPROVER_exists { T i; e }`, unrolled.
//!
//! The variable takes every value of its range, one after the other, and the body is evaluated for each. The range is
//! what the body compares the variable with, as far as that is known when the program is read: of `R ==> e` what
//! makes `R` true, of `R && e` the same. The body keeps `R`, so that a value too many does no harm. Where the variable is below something that
//! only the run knows, `i < n`, and an array is indexed by it, it goes one beyond the end of that array; an execution in which that is not enough
//! is refused. So is the quantifier where its range is not known, or large.

use super::call::CallSite;
use super::library::Requirement;
use super::{Lowering, tree};
use crate::c::tree::{Binary, ExprKind, ObjectId, StmtKind};
use crate::program::{BinaryOp, ExprId, Origin, Quantified, StatementKind, Type};
use crate::source::Span;

/// More values than this are not tried.
const MOST_VALUES: i128 = 4096;

/// A quantifier in the text.
#[derive(Clone, Copy)]
pub(super) struct Quantifier {
    universal: bool,
    variable: ObjectId,
    pub(super) body: tree::ExprId,
}

/// `i < bound`, or `i <= bound`, where only a run knows the bound.
#[derive(Clone, Copy)]
struct Limit {
    bound: tree::ExprId,
    /// Whether the bound itself is one of the values.
    within: bool,
}

/// What is read of a variable.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    AsItIs,
    /// A negative number as a large one.
    Unsigned,
}

impl Lowering<'_> {
    /// Whether it is a quantifier that is called.
    pub(super) fn is_quantifier(&self, callee: tree::ExprId) -> bool {
        let called = self.called_function(callee).map(|function| self.tree.function(function).name.as_str());
        matches!(called, Some("__nearmiss_forall" | "__nearmiss_exists"))
    }

    /// The quantifier that an expression is: the front end writes it as a call of `__nearmiss_forall` with a block.
    pub(super) fn quantifier(&self, e: tree::ExprId) -> Option<Quantifier> {
        let ExprKind::Call { callee, arguments } = &self.tree.expr(e).kind else { return None };
        let universal = match self.tree.function(self.called_function(*callee)?).name.as_str() {
            "__nearmiss_forall" => true,
            "__nearmiss_exists" => false,
            _ => return None,
        };
        let block = self.written(*arguments.first()?);
        let ExprKind::StatementExpr(block) = self.tree.expr(block).kind else { return None };
        let StmtKind::Block(statements) = &self.tree.stmt(block).kind else { return None };
        let [declare, last] = statements[..] else { return None };
        match (&self.tree.stmt(declare).kind, &self.tree.stmt(last).kind) {
            (StmtKind::Declare(objects), StmtKind::Expr(body)) if objects.len() == 1 => {
                Some(Quantifier { universal, variable: objects[0], body: *body })
            }
            _ => None,
        }
    }

    /// The truth of a quantifier, by its call.
    pub(super) fn quantified(&mut self, quantifier: Option<Quantifier>, site: &CallSite) -> Option<ExprId> {
        let Some(quantifier) = quantifier else {
            self.unsupported("a quantifier that is not of the form { type variable; condition }", site.span);
            return None;
        };
        let result = self.temporary(self.basic.truth, site.span);
        let target = self.local_place(result);
        let start = self.constant(u128::from(quantifier.universal), self.basic.truth);
        self.assign(target, start, Origin::Tool, site.span);
        self.each_value(quantifier, site.span, |lowering, _| {
            let here = lowering.truth(quantifier.body);
            let so_far = lowering.load(target);
            let so_far = lowering.non_zero(so_far);
            let both = if quantifier.universal { lowering.and(so_far, here) } else { lowering.or(so_far, here) };
            let both = lowering.widen_truth(both, lowering.basic.truth);
            lowering.assign(target, both, Origin::Tool, site.span);
        });
        let value = self.load(target);
        let value = self.convert(value, self.basic.truth, site.ty);
        self.deliver(value, site)
    }

    /// Requires a quantifier value by value, if that is the same: all of them, or none where none may exist.
    pub(super) fn require_each(&mut self, e: tree::ExprId, what: Requirement, wanted: bool, span: Span) -> bool {
        let Some(quantifier) = self.quantifier(e).filter(|quantifier| quantifier.universal == wanted) else {
            return false;
        };
        let place = self.tree.expr(e).span;
        self.each_value(quantifier, place, |lowering, is_last| {
            lowering.require(quantifier.body, if is_last { what } else { what.before_more() }, wanted, span)
        });
        true
    }

    /// Does something for every value of the variable, and says which is the last.
    fn each_value(&mut self, quantifier: Quantifier, span: Span, mut work: impl FnMut(&mut Self, bool)) {
        let Quantifier { variable, body, .. } = quantifier;
        let of = self.tree.object(variable);
        if self.has_effect(body) {
            return self.unsupported("a quantifier whose body does something", span);
        }
        let values = self.is_integer(of.ty).then(|| self.values_of(quantifier));
        let few = |(first, last): &(i128, i128)| last.saturating_sub(*first) < MOST_VALUES;
        let indexed = values.filter(|values| !few(values)).and_then(|values| self.up_to_array(quantifier, values));
        let values = indexed.map(|(_, values)| values).or(values);
        let Some((first, last)) = values.filter(few) else {
            let what =
                format!("a quantifier over {}, whose range is not known or more than {MOST_VALUES} values", of.name);
            return self.unsupported(what, span);
        };
        self.program.quantifiers.push(Quantified { span: self.span(span), first, last });
        self.open_scope();
        self.declare(variable);
        for value in first..=last {
            let target = self.object_place(variable);
            let constant = self.constant(value as u128, of.ty);
            self.assign(target, constant, Origin::Tool, span);
            // What was checked of the value before says nothing of this one.
            self.f.checked.clear();
            work(self, value == last);
        }
        if let Some((limit, _)) = indexed {
            self.refuse_beyond(limit, last, span);
        }
        self.close_scope(span);
    }

    /// The comparison that limits a variable in a run, and its values if it goes one beyond the longest array that it indexes.
    fn up_to_array(&self, quantifier: Quantifier, (first, _): (i128, i128)) -> Option<(Limit, (i128, i128))> {
        let limit = self.limit(quantifier.variable, quantifier.body, !quantifier.universal)?;
        let length = self.longest_indexed(quantifier.variable, quantifier.body)?;
        (first >= 0).then_some((limit, (first, length)))
    }

    /// The first comparison of a variable with something greater that must hold for a condition to be `wanted`.
    fn limit(&self, variable: ObjectId, e: tree::ExprId, wanted: bool) -> Option<Limit> {
        match self.tree.expr(e).kind {
            ExprKind::LogicalNot(x) => self.limit(variable, x, !wanted),
            ExprKind::Convert { operand, .. } if self.keeps_truth(e) => self.limit(variable, operand, wanted),
            ExprKind::LogicalAnd(a, b) if wanted => {
                self.limit(variable, a, true).or_else(|| self.limit(variable, b, true))
            }
            ExprKind::LogicalOr(a, b) if !wanted => {
                self.limit(variable, a, false).or_else(|| self.limit(variable, b, false))
            }
            ExprKind::Binary(op, a, b) => {
                let op = if wanted { op } else { opposite(op)? };
                let (op, bound) = match self.reading_of(variable, a) {
                    Some(_) => (op, b),
                    None => (self.reading_of(variable, b).and_then(|_| mirrored(op))?, a),
                };
                let is_upper = matches!(op, Binary::Less | Binary::LessEqual);
                is_upper.then_some(Limit { bound, within: op == Binary::LessEqual })
            }
            _ => None,
        }
    }

    /// The length of the longest array that a variable by itself indexes.
    fn longest_indexed(&self, variable: ObjectId, e: tree::ExprId) -> Option<i128> {
        let own = match self.tree.expr(e).kind {
            ExprKind::Element { array, index } => Some((array, index)),
            ExprKind::Deref(pointer) => match self.indexed_array(pointer) {
                Some((array, Some(index))) => Some((array, index)),
                _ => None,
            },
            _ => None,
        };
        let own = own.filter(|(_, index)| self.reading_of(variable, *index).is_some());
        let own = own.and_then(|(array, _)| match self.program.ty(self.tree.expr(array).ty) {
            Type::Array { length, .. } if *length > 0 => Some(i128::from(*length)),
            _ => None,
        });
        let parts = self.tree.expr(e).kind.operands();
        parts.into_iter().filter_map(|part| self.longest_indexed(variable, part)).chain(own).max()
    }

    /// Refuses executions in which the variable goes further than it was followed.
    fn refuse_beyond(&mut self, limit: Limit, last: i128, span: Span) {
        let ty = self.tree.expr(limit.bound).ty;
        let most = last + i128::from(!limit.within);
        if self.type_range(ty).1 <= most {
            return;
        }
        let bound = self.value(limit.bound);
        let most = self.constant(most as u128, ty);
        let less = if self.is_signed(ty) { BinaryOp::SLt } else { BinaryOp::ULt };
        let beyond = self.binary(less, most, bound, ty);
        let what = format!("a quantifier over more values than {}, whose range is known only in a run", last + 1);
        self.only_if(beyond, span, |lowering| lowering.emit(StatementKind::Unsupported { what }, span));
    }

    /// The least and the greatest value that can matter: below and above, `R ==> e` is true and `R && e` false.
    fn values_of(&self, quantifier: Quantifier) -> (i128, i128) {
        let mut range = self.type_range(self.tree.object(quantifier.variable).ty);
        self.narrow(quantifier.variable, quantifier.body, !quantifier.universal, &mut range);
        range
    }

    /// Narrows the range of a variable to where a condition can be `wanted`.
    fn narrow(&self, variable: ObjectId, e: tree::ExprId, wanted: bool, range: &mut (i128, i128)) {
        match self.tree.expr(e).kind {
            ExprKind::LogicalNot(x) => self.narrow(variable, x, !wanted, range),
            ExprKind::Convert { operand, .. } if self.keeps_truth(e) => self.narrow(variable, operand, wanted, range),
            ExprKind::LogicalAnd(a, b) if wanted => {
                [a, b].into_iter().for_each(|x| self.narrow(variable, x, true, range))
            }
            ExprKind::LogicalOr(a, b) if !wanted => {
                [a, b].into_iter().for_each(|x| self.narrow(variable, x, false, range));
            }
            ExprKind::Binary(op, a, b) => {
                let op = if wanted { Some(op) } else { opposite(op) };
                let left = self.reading_of(variable, a).zip(op).map(|(how, op)| (how, op, b));
                let right = || self.reading_of(variable, b).zip(op.and_then(mirrored)).map(|(how, op)| (how, op, a));
                if let Some((how, op, bound)) = left.or_else(right) {
                    self.bound(how, op, bound, range);
                }
            }
            // What holds of all or of some holds of one.
            _ => {
                if let Some(inner) = self.quantifier(e) {
                    self.narrow(variable, inner.body, wanted, range);
                }
            }
        }
    }

    /// How an expression reads the variable, if it is nothing but that.
    fn reading_of(&self, variable: ObjectId, e: tree::ExprId) -> Option<Reading> {
        match self.tree.expr(e).kind {
            ExprKind::Load(lvalue) => {
                let is_it = matches!(self.tree.expr(lvalue).kind, ExprKind::Object(of) if of == variable);
                is_it.then_some(Reading::AsItIs)
            }
            ExprKind::Convert { operand, .. } if self.reading_of(variable, operand) == Some(Reading::AsItIs) => {
                let (from, to) = (self.tree.expr(operand).ty, self.tree.expr(e).ty);
                let (least, most) = self.type_range(from);
                let (lowest, highest) = self.type_range(to);
                match self.is_integer(from) && self.is_integer(to) && most <= highest {
                    true if lowest <= least => Some(Reading::AsItIs),
                    true => Some(Reading::Unsigned),
                    false => None,
                }
            }
            _ => None,
        }
    }

    /// The number that a constant expression is, `sizeof a / sizeof *a`.
    fn exact(&self, e: tree::ExprId) -> Option<i128> {
        let expr = self.tree.expr(e);
        let (least, most) = self.range(e);
        if least == most {
            return Some(least);
        }
        let number = match expr.kind {
            ExprKind::Convert { operand, .. } => self.exact(operand),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.exact(a)?, self.exact(b)?);
                match op {
                    Binary::Add => a.checked_add(b),
                    Binary::Subtract => a.checked_sub(b),
                    Binary::Multiply => a.checked_mul(b),
                    Binary::Divide => a.checked_div(b),
                    _ => None,
                }
            }
            _ => None,
        };
        let (lowest, highest) = self.type_range(expr.ty);
        number.filter(|number| self.is_integer(expr.ty) && (lowest..=highest).contains(number))
    }

    /// Narrows a range by `variable op bound`.
    fn bound(&self, how: Reading, op: Binary, bound: tree::ExprId, range: &mut (i128, i128)) {
        let (least, most) = self.exact(bound).map_or_else(|| self.range(bound), |number| (number, number));
        let wraps = how == Reading::Unsigned && range.0 < 0;
        match op {
            Binary::Less | Binary::LessEqual | Binary::Equal if wraps && most > range.1 => {}
            Binary::Less => {
                *range = (if wraps { range.0.max(0) } else { range.0 }, range.1.min(most.saturating_sub(1)))
            }
            Binary::LessEqual => *range = (if wraps { range.0.max(0) } else { range.0 }, range.1.min(most)),
            Binary::Equal => *range = (range.0.max(least), range.1.min(most)),
            Binary::Greater if !wraps => range.0 = range.0.max(least.saturating_add(1)),
            Binary::GreaterEqual if !wraps => range.0 = range.0.max(least),
            _ => {}
        }
    }
}

/// The comparison that is true where this one is false.
fn opposite(op: Binary) -> Option<Binary> {
    Some(match op {
        Binary::Less => Binary::GreaterEqual,
        Binary::LessEqual => Binary::Greater,
        Binary::Greater => Binary::LessEqual,
        Binary::GreaterEqual => Binary::Less,
        Binary::Equal => Binary::NotEqual,
        Binary::NotEqual => Binary::Equal,
        _ => return None,
    })
}

/// The comparison with its sides exchanged.
fn mirrored(op: Binary) -> Option<Binary> {
    Some(match op {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        Binary::Equal | Binary::NotEqual => op,
        _ => return None,
    })
}
