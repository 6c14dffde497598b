//! What is decided in the body of a macro, in words.
//!
//! Text of a macro's body has the place of the macro's use: what `CHECK(x <= 7)` decides may be `!(x <= 7)`, so that its place
//! says the opposite. Such a condition is written out here, with the arguments as a person wrote them.

use super::{Lowering, tree};
use crate::c::tree::{Binary, ExprKind, Tree, Unary};
use crate::program::Type;
use crate::show;
use crate::source::Span;

/// Per expression: whether its place is that of something larger, of which it is a part.
pub(in crate::c) fn hidden(tree: &Tree) -> Vec<bool> {
    let mut hidden: Vec<bool> = tree.exprs.iter().map(|expr| tree.statement_uses.contains(&expr.span)).collect();
    // Operands come before what is made of them.
    for (at, expr) in tree.exprs.iter().enumerate().rev() {
        let is_same = matches!(expr.kind, ExprKind::Convert { .. } | ExprKind::Load(_) | ExprKind::AddressOf(_));
        for operand in expr.kind.operands() {
            if tree.expr(operand).span == expr.span {
                hidden[operand.0 as usize] |= !is_same || hidden[at];
            }
        }
    }
    hidden
}

impl Lowering<'_> {
    /// Where an expression stands: its place, and which of those that a macro has there.
    pub(super) fn numbered(&mut self, e: tree::ExprId) -> Span {
        let span = self.tree.expr(e).span;
        if self.in_library() || !self.hidden[e.0 as usize] {
            return span;
        }
        let here = self.numbered.entry(span).or_default();
        let at = here.iter().position(|other| *other == e).unwrap_or_else(|| {
            here.push(e);
            here.len() - 1
        });
        Span { part: u16::try_from(at + 1).unwrap_or(u16::MAX), ..span }
    }

    /// The same of a condition, which is decided there.
    pub(super) fn decided(&mut self, e: tree::ExprId) -> Span {
        let span = self.numbered(e);
        if span.part > 0 {
            self.decided.insert(span, e);
        }
        span
    }

    /// What is decided where the text does not say it.
    pub(super) fn hidden_conditions(&self) -> Vec<(Span, String)> {
        let told = |(span, e): (&Span, &tree::ExprId)| {
            let text = self.spelled(*e).unwrap_or_else(|| format!("a condition in {}", self.text(*span)));
            (*span, text)
        };
        self.decided.iter().map(told).collect()
    }

    /// An expression as C writes it, macros of which it is a part expanded; none where that would be long to say.
    fn spelled(&self, e: tree::ExprId) -> Option<String> {
        let tree = self.tree;
        let expr = tree.expr(e);
        if !self.hidden[e.0 as usize] {
            return Some(self.text(expr.span));
        }
        Some(match &expr.kind {
            ExprKind::Const(bits) => show::value(&self.program, expr.ty, *bits),
            ExprKind::Object(object) => Some(tree.object(*object).name.clone()).filter(|name| !name.is_empty())?,
            ExprKind::Load(x) | ExprKind::Convert { operand: x, explicit: false } => self.spelled(*x)?,
            ExprKind::AddressOf(x) => match self.program.ty(tree.expr(*x).ty) {
                Type::Array { .. } => self.spelled(*x)?,
                _ => format!("&{}", self.spelled_operand(*x)?),
            },
            ExprKind::Member { base, field } => {
                let Type::Record { fields, .. } = self.program.ty(tree.expr(*base).ty) else { return None };
                let name = Some(&fields[*field as usize].name).filter(|name| !name.is_empty())?;
                match tree.expr(*base).kind {
                    ExprKind::Deref(pointer) if self.hidden[base.0 as usize] => {
                        format!("{}->{name}", self.spelled_operand(pointer)?)
                    }
                    _ => format!("{}.{name}", self.spelled_operand(*base)?),
                }
            }
            ExprKind::Element { array, index } => {
                format!("{}[{}]", self.spelled_operand(*array)?, self.spelled(*index)?)
            }
            ExprKind::Deref(x) => match tree.expr(*x).kind {
                ExprKind::PointerAdd { pointer, index, subtract: false } if self.hidden[x.0 as usize] => {
                    format!("{}[{}]", self.spelled_operand(pointer)?, self.spelled(index)?)
                }
                _ => format!("*{}", self.spelled_operand(*x)?),
            },
            ExprKind::Call { callee, arguments } => {
                let ExprKind::FunctionAddress(function) = tree.expr(*callee).kind else { return None };
                let arguments: Option<Vec<String>> = arguments.iter().map(|argument| self.spelled(*argument)).collect();
                format!("{}({})", tree.function(function).name, arguments?.join(", "))
            }
            ExprKind::Unary(Unary::Minus, x) => format!("-{}", self.spelled_operand(*x)?),
            ExprKind::Unary(Unary::Complement, x) => format!("~{}", self.spelled_operand(*x)?),
            ExprKind::Binary(op, x, y) => {
                format!("{} {} {}", self.spelled_operand(*x)?, sign(*op), self.spelled_operand(*y)?)
            }
            ExprKind::PointerAdd { pointer, index, subtract } => {
                let sign = if *subtract { "-" } else { "+" };
                format!("{} {sign} {}", self.spelled_operand(*pointer)?, self.spelled_operand(*index)?)
            }
            ExprKind::PointerDifference(x, y) => {
                format!("{} - {}", self.spelled_operand(*x)?, self.spelled_operand(*y)?)
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(|e| self.spelled_operand(*e));
                format!("{} ? {} : {}", condition?, then?, otherwise?)
            }
            ExprKind::Assign { target, value } => format!("{} = {}", self.spelled(*target)?, self.spelled(*value)?),
            ExprKind::CompoundAssign { op, target, value, .. } => {
                format!("{} {}= {}", self.spelled(*target)?, sign(*op), self.spelled(*value)?)
            }
            ExprKind::Step { target, amount, subtract, old_value } => {
                let (target, sign) = (self.spelled_operand(*target)?, if *subtract { "-" } else { "+" });
                match (&tree.expr(*amount).kind, old_value) {
                    (ExprKind::Const(1), false) => format!("{sign}{sign}{target}"),
                    (ExprKind::Const(1), true) => format!("{target}{sign}{sign}"),
                    _ => format!("{target} {sign}= {}", self.spelled(*amount)?),
                }
            }
            ExprKind::LogicalNot(x) => format!("!{}", self.spelled_operand(*x)?),
            ExprKind::LogicalAnd(x, y) => format!("{} && {}", self.spelled_part(*x)?, self.spelled_part(*y)?),
            ExprKind::LogicalOr(x, y) => format!("{} || {}", self.spelled_part(*x)?, self.spelled_part(*y)?),
            _ => return None,
        })
    }

    /// The same as an operand: in parentheses, unless nothing can come between its parts.
    fn spelled_operand(&self, e: tree::ExprId) -> Option<String> {
        let text = self.spelled(e)?;
        let is_one = match self.tree.expr(self.inner(e)).kind {
            ExprKind::Const(_)
            | ExprKind::Object(_)
            | ExprKind::Member { .. }
            | ExprKind::Element { .. }
            | ExprKind::Call { .. } => true,
            // `++i`, but not `p += 2`.
            ExprKind::Step { amount, .. } => matches!(self.tree.expr(amount).kind, ExprKind::Const(1)),
            ExprKind::Deref(_) => text.ends_with(']') && !text.starts_with('*'),
            _ => false,
        };
        Some(if is_one { text } else { format!("({text})") })
    }

    /// The same as a part of `&&` or `||`.
    fn spelled_part(&self, e: tree::ExprId) -> Option<String> {
        match self.tree.expr(self.inner(e)).kind {
            ExprKind::Binary(..) | ExprKind::LogicalNot(_) => self.spelled(e),
            _ => self.spelled_operand(e),
        }
    }

    /// The expression without what nobody writes.
    fn inner(&self, mut e: tree::ExprId) -> tree::ExprId {
        loop {
            e = match self.tree.expr(e).kind {
                ExprKind::Convert { operand: x, explicit: false } | ExprKind::Load(x) => x,
                ExprKind::AddressOf(x) if matches!(self.program.ty(self.tree.expr(x).ty), Type::Array { .. }) => x,
                _ => return e,
            }
        }
    }
}

/// An operator as C writes it.
pub(in crate::c) fn sign(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
    }
}
