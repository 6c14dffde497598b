//! The methods, a file each: plain values in, plain values out. What they find is checked again by their callers.

mod afford;
pub mod align;
pub mod cause;
pub(crate) mod definitions;
pub mod delta;
pub(crate) mod depth;
pub mod diagnosis;
pub(crate) mod encode;
pub mod focus_sequences;
pub(crate) mod formula_causes;
pub(crate) mod minimise;
pub mod nearest;
pub mod predicate;
pub(crate) mod repair;
pub(crate) mod rescue;
pub(crate) mod route;
pub mod score;
pub(crate) mod slice;
pub(crate) mod suspect;
mod values;
pub(crate) mod wording;
