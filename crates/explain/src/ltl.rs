//! Temporal formulas: how users write them, and the small core that everything else works on.

pub mod core;
