//! Predicates instead of values.
pub mod abstraction;
pub mod candidate;
pub mod express;
pub mod nearest;
pub mod path;
pub mod refine;
pub mod vocabulary;
