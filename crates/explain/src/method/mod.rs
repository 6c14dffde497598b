//! The methods, a file each: plain values in, plain values out.

pub mod align;
pub mod cause;
pub mod definitions;
pub mod delta;
pub mod depth;
pub(crate) mod encode;
pub mod focus;
pub mod minimise;
pub mod nearest;
pub mod predicate;
pub mod repair;
pub mod route;
pub mod score;
pub mod slice;
pub mod suspect;
pub mod trace_cause;
mod values;
pub mod wording;
