//! Where inputs arise in the text, and how.

use super::{Type, TypeId};
use crate::source::Span;

/// A place in the text where an input can arise.
#[derive(Clone, Debug)]
pub struct Site {
    /// The name a person would give the input: the variable, or the function that returns it.
    pub name: String,
    /// Type of the object.
    pub ty: TypeId,
    /// Where.
    pub span: Span,
    /// The function it stands in.
    pub function: String,
    /// How it arises.
    pub kind: SiteKind,
    /// The function without a body that writes it through a pointer that it gets.
    pub writer: Option<String>,
}

/// How an input arises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteKind {
    /// An uninitialised local.
    Uninitialised,
    /// A parameter of the entry function, or a pointer in what such a parameter points to.
    Parameter,
    /// What such a pointer points to.
    Pointee,
    /// The result of a call: `nondet_int()`, or a function without a body.
    Call,
    /// The result of a function of the C library that has no model. It is any value for us, but not for the program: a failure
    /// that depends on it is none.
    Invented,
    /// What a function without a body writes through a pointer that it gets.
    Argument,
    /// Uninitialised memory from `malloc` or `alloca`.
    Allocation,
    /// An `extern` object that no file defines, registers at a fixed address, or any static object with `--nondet-static`.
    Extern,
    /// A read of a `volatile` object whose value is free: every read is an input.
    Volatile,
    /// What C does not say, where nobody asks for the check of that: what is read outside of every object, how pointers
    /// into two objects compare, what is divided by zero or shifted too far.
    Unsaid,
}

impl Site {
    /// Is a value of this type from here one that we invent? Of pointers we know only that they point to none of the objects that we see,
    /// and a function that gets pointers may write others.
    pub fn is_invented(&self, ty: &Type) -> bool {
        match self.kind {
            SiteKind::Invented => true,
            SiteKind::Argument => matches!(ty, Type::Pointer { .. }),
            _ => false,
        }
    }
}

impl SiteKind {
    /// Is it the result of a call?
    pub fn is_call(self) -> bool {
        matches!(self, SiteKind::Call | SiteKind::Invented)
    }

    /// Is it a value of its own every time that a run comes there, and not the contents of an object?
    pub fn is_read(self) -> bool {
        use SiteKind::{Argument, Call, Invented, Parameter, Unsaid, Volatile};
        matches!(self, Call | Invented | Argument | Parameter | Volatile | Unsaid)
    }
}
