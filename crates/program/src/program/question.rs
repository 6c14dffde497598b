//! What a program asks about its memory, and what it asks of many values at once.

use super::ExprId;
use crate::source::Span;

/// Questions that claims ask about memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MemoryQuestion {
    /// Does `pointer` point into a live object with at least `size` bytes left? `write` asks that it is not read-only.
    Valid {
        /// The pointer.
        pointer: ExprId,
        /// Number of bytes, of the width of a pointer.
        size: ExprId,
        /// Whether it is about to be written.
        write: bool,
    },
    /// May this be freed: NULL, or offset 0 of a live heap object?
    Freeable(ExprId),
    /// Do both point into the same object (or are both NULL)?
    SameObject(ExprId, ExprId),
    /// Size in bytes of the live object pointed into, 0 if there is none; of the width of a pointer.
    ObjectSize(ExprId),
    /// Does it belong to a live object of this kind, however far from its start?
    Lives(ExprId, ObjectKind),
}

/// Kinds of objects that a question about memory tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// All.
    Any,
    /// Allocated, to be freed.
    Heap,
    /// Neither `const` nor a string literal.
    Writable,
}

/// A quantifier in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quantified {
    /// From its name to the brace that closes it.
    pub span: Span,
    /// The least value that its variable takes.
    pub first: i128,
    /// The greatest.
    pub last: i128,
}
