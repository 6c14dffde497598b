//! C: text in, [`Program`](crate::program::Program) out.
