//! What runs are made to have in common: conditions that the user adds, and those that a passing run keeps.

use crate::source::Span;

/// Where an assumption comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssumptionOrigin {
    /// The claim applies only under it, and it is decided by inputs alone.
    Precondition,
    /// What a trusted function told the claim to expect.
    Expected,
    /// The computation that fails happens only under it, and it is decided by inputs alone.
    Entrance,
    /// The user's.
    User,
}

/// Something that the passing run was made to have in common with the failing one.
#[derive(Clone, PartialEq, Debug)]
pub struct Assumption {
    /// The condition, in the way it is kept: `up < required`.
    pub text: String,
    /// Where it is decided.
    pub span: Span,
    /// Where it comes from.
    pub origin: AssumptionOrigin,
}
