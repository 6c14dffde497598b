//! Conditions as a person writes them, and which branches decide them.

use super::BranchRole;
use crate::source::Span;

/// A condition as a person writes it. `a && t[a]` reads memory only if it must, so two branches decide it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// All of the condition in the text; of a `case` what its `switch` looks at.
    pub span: Span,
    /// Who asks for it.
    pub asker: Asker,
    /// What it is once the branch is taken; none: other branches decide.
    pub then: Option<bool>,
    /// What it is once the branch is not taken.
    pub otherwise: Option<bool>,
}

/// Who asks for a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asker {
    /// An `if`.
    If,
    /// A `while`.
    While,
    /// A `do`.
    Do,
    /// A `for`.
    For,
    /// A `case`.
    Case,
    /// An expression, which needs its value: `?:`, `&&`, `||`.
    Value,
}

impl Decision {
    /// A condition that one branch decides.
    pub fn whole(span: Span, asker: Asker) -> Decision {
        Decision { span, asker, then: Some(true), otherwise: Some(false) }
    }

    /// What a branch of this role decides where nothing else is said.
    pub fn of_role(span: Span, role: BranchRole) -> Decision {
        let asker = match role {
            BranchRole::Choice => Asker::If,
            BranchRole::Loop => Asker::While,
            BranchRole::Case => Asker::Case,
            BranchRole::Internal => Asker::Value,
        };
        Decision::whole(span, asker)
    }

    /// The same, where the branch goes the other ways.
    pub fn negated(self) -> Decision {
        Decision { then: self.otherwise, otherwise: self.then, ..self }
    }
}
