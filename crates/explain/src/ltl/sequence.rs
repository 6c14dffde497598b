//! Sequences of PSL and SVA (to come).
use super::arena::Polarity;
use super::core::{NodeId, Strength};
use super::syntax::{Shape, Tree};
use super::translate::{Result, Translator};
use super::typing::error;

pub(super) fn is_sequence(tree: &Tree) -> bool {
    match &tree.shape {
        Shape::Delay(..) | Shape::Repeat(..) | Shape::Combine(..) | Shape::FirstMatch(_) | Shape::Sequence(..) => true,
        Shape::Braces(body) => is_sequence(body),
        Shape::And(_, parts) | Shape::Or(_, parts) => parts.iter().any(is_sequence),
        _ => false,
    }
}
pub(super) fn is_nullable(_tree: &Tree) -> bool {
    false
}
pub(super) fn property(_t: &mut Translator, tree: &Tree, _s: Strength, _p: Polarity) -> Result<NodeId> {
    error(tree, "sequences are not supported yet")
}
pub(super) fn matched(t: &mut Translator, tree: &Tree, exit: NodeId, p: Polarity, _s: Strength) -> Result<NodeId> {
    if is_sequence(tree) {
        return error(tree, "sequences are not supported yet");
    }
    let guard = t.formula(tree, p)?;
    Ok(t.arena.and(p, &[guard, exit]))
}
