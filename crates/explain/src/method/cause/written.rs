//! Operands that have no name as the user wrote them: `threshold[layer]`, which is a choice of numbers in terms.
//!
//! The comparison is looked up in the text of its step: one with the same operator whose other operand has the name
//! that the other term has. Where several fit and differ, nothing is said.

use super::names::{Named, Names};
use crate::equation::{ClaimRef, Equation, StepKind};
use nearmiss_program::program::{
    BinaryOp, Conversion, ExprId, ExprKind, Function, Operand, Program, StatementKind, Terminator, TypeId,
};
use nearmiss_program::show;

/// How a comparison is ordered; terms know no others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The first is less than the second, or not.
    Less,
    /// They are equal, or not.
    Equal,
}

/// Which operand of a comparison has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The first.
    First,
    /// The second.
    Second,
}

/// The text and the type of the operand opposite to a named one.
pub fn opposite(
    program: &Program,
    equation: &Equation,
    names: &Names,
    step: usize,
    shape: Shape,
    (named, side): (&Named, Side),
) -> Option<(String, TypeId)> {
    let function = program.function(equation.steps[step].function);
    let mut found: Option<(String, TypeId)> = None;
    for (compared, a, b) in conditions(program, equation, step).into_iter().flat_map(|id| comparisons(program, id)) {
        if compared != shape {
            continue;
        }
        let sides = match (shape, side) {
            (Shape::Less, Side::First) => vec![(a, b)],
            (Shape::Less, Side::Second) => vec![(b, a)],
            (Shape::Equal, _) => vec![(a, b), (b, a)],
        };
        for (known, other) in sides {
            if show::expr_text(program, function, known) != named.variable {
                continue;
            }
            let other = (operand_text(program, function, other), program.expr(other).ty);
            if found.as_ref().is_some_and(|found| *found != other) {
                return None;
            }
            found = Some(other);
        }
    }
    let (text, ty) = found?;
    // Temporaries of ours have a `$`; a name that means several values would need to say which.
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let clear = !text.contains('$') && !words.into_iter().any(|word| names.is_ambiguous(word));
    clear.then_some((text, ty))
}

/// Does the text of a step choose between values: `a < b ? a : b`?
pub fn chooses(program: &Program, equation: &Equation, step: usize) -> bool {
    let mut stack = conditions(program, equation, step);
    while let Some(id) = stack.pop() {
        match program.expr(id).kind {
            ExprKind::Ite(..) => return true,
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) | ExprKind::Rounded { value: a, .. } => stack.push(a),
            ExprKind::Binary(_, a, b) => stack.extend([a, b]),
            _ => {}
        }
    }
    false
}

/// Every expression that a step may have come from.
fn conditions(program: &Program, equation: &Equation, step: usize) -> Vec<ExprId> {
    let step = &equation.steps[step];
    let function = program.function(step.function);
    let mut found = Vec::new();
    for block in &function.blocks {
        match (&step.kind, &block.end) {
            (StepKind::Guard { .. }, Terminator::Branch { condition, span, .. }) if *span == step.span => {
                found.push(*condition);
            }
            (StepKind::Return { .. }, Terminator::Return { value: Some(Operand::Value(value)), span })
                if *span == step.span =>
            {
                found.push(*value);
            }
            _ => {}
        }
        for statement in block.statements.iter().filter(|statement| statement.span == step.span) {
            match (&step.kind, &statement.kind) {
                (StepKind::Assign { .. }, StatementKind::Assign { value, .. }) => found.push(*value),
                (
                    StepKind::Claim { claim: ClaimRef::Program(wanted), .. },
                    StatementKind::Claim { claim, condition, .. },
                ) if claim == wanted => found.push(*condition),
                _ => {}
            }
        }
    }
    found
}

/// The comparisons in an expression, ordered as terms have them: `a <= b` is that `b < a` is not.
fn comparisons(program: &Program, root: ExprId) -> Vec<(Shape, ExprId, ExprId)> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        match program.expr(id).kind {
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) | ExprKind::Rounded { value: a, .. } => stack.push(a),
            ExprKind::Ite(c, a, b) => stack.extend([b, a, c]),
            ExprKind::Binary(op, a, b) => {
                let (plain_a, plain_b) = (unconverted(program, a), unconverted(program, b));
                match op {
                    BinaryOp::SLt | BinaryOp::ULt => found.push((Shape::Less, plain_a, plain_b)),
                    BinaryOp::SLe | BinaryOp::ULe => found.push((Shape::Less, plain_b, plain_a)),
                    BinaryOp::Eq | BinaryOp::Ne => found.push((Shape::Equal, plain_a, plain_b)),
                    _ => {}
                }
                stack.extend([b, a]);
            }
            _ => {}
        }
    }
    found
}

/// What is widened, rather than the widening: that is how terms compare, too.
fn unconverted(program: &Program, mut id: ExprId) -> ExprId {
    while let ExprKind::Convert(Conversion::ZeroExtend | Conversion::SignExtend, inner) = program.expr(id).kind {
        id = inner;
    }
    id
}

/// As it stands beside a comparison operator.
fn operand_text(program: &Program, function: &Function, id: ExprId) -> String {
    let text = show::expr_text(program, function, id);
    let loose = match program.expr(id).kind {
        ExprKind::Ite(..) => true,
        ExprKind::Binary(op, ..) => !matches!(
            op,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::Shl
        ),
        _ => false,
    };
    if loose { format!("({text})") } else { text }
}
