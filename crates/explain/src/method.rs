//! The methods, a file each: plain values in, plain values out.

pub mod align;
pub mod cause;
pub mod definitions;
pub mod delta;
pub mod depth;
pub(crate) mod encode;
pub mod focus_sequences;
pub mod formula_causes;
pub mod minimise;
pub mod nearest;
pub mod predicate;
pub mod repair;
pub mod route;
pub mod score;
pub mod slice;
pub mod suspect;
mod values;
pub mod wording;
