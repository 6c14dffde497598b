//! Conditions that are looked at along runs: the predicates of an abstraction, and what temporal properties speak of.
//!
//! Both machines look at predicates just before each step of the user's, in every activation that they belong to, and at
//! the conditions of a formula at the positions of its word ([`temporal`](super::temporal)).

use crate::program::{Base, ExprId, ExprKind, FunctionId, MemoryQuestion, PlaceId, Program};

/// A condition over the variables of a function, or over globals alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Watched {
    /// As C writes it.
    pub text: String,
    /// Whose variables it is over; none if it is over globals alone, and then it can be looked at anywhere.
    pub function: Option<FunctionId>,
    /// One bit, without effects.
    pub condition: ExprId,
}

/// Every place that an expression names, with those that say where other places are.
pub fn places(program: &Program, condition: ExprId) -> Vec<PlaceId> {
    let mut found = Vec::new();
    let mut open = vec![condition];
    while let Some(id) = open.pop() {
        match program.expr(id).kind {
            ExprKind::Const(_) | ExprKind::FunctionAddress(_) => {}
            ExprKind::Load(place) | ExprKind::AddressOf(place) => {
                found.push(place);
                open.extend(program.place(place).way());
            }
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => open.push(a),
            ExprKind::Binary(_, a, b) | ExprKind::Rounded { mode: a, value: b } => open.extend([a, b]),
            ExprKind::Ite(a, b, c) => open.extend([a, b, c]),
            ExprKind::Memory(question) => match question {
                MemoryQuestion::Valid { pointer: a, size: b, .. } | MemoryQuestion::SameObject(a, b) => {
                    open.extend([a, b]);
                }
                MemoryQuestion::Freeable(a) | MemoryQuestion::ObjectSize(a) | MemoryQuestion::Lives(a, _) => {
                    open.push(a)
                }
            },
        }
    }
    found
}

/// Is it over globals alone?
pub fn is_global(program: &Program, condition: ExprId) -> bool {
    !places(program, condition).iter().any(|place| matches!(program.place(*place).base, Base::Local(_)))
}
